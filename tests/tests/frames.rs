//! Laws of the stage by instance, over every moment of every example whose tasks run on instances: who
//! stands where, what the frames have room for, and what an instance that is asked says of itself.

#![cfg(not(target_arch = "wasm32"))]

use rollscope_draw::Scale;
use rollscope_draw::hosts::{Berths, Layout, Seats, Site};
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::mechanism::host::{HostState, RESOURCES};
use rollscope_engine::settings::{Act, Command, Settings};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::{Demand, host, host_room};
use rollscope_player::Player;
use rollscope_scenario::{Document, PRESETS};

/// Most moments of an example that are looked at.
const MOMENTS_MAX: usize = 250;

fn gone(task: &TaskView) -> bool {
    matches!(task.state, TaskState::Stopped | TaskState::Failed)
}

/// The same run in which an instance is added, one is drained, one taken back and a zone is lost.
fn disturbed(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    let acts = [
        (15, Command::AddInstances { like: 1, count: 2 }),
        (20, Command::DrainInstance(1)),
        (40, Command::ReclaimInstance(2)),
        (45, Command::AddInstances { like: 1, count: 1 }),
        (90, Command::LoseZone(2)),
    ];
    settings.acts.extend(acts.map(|(at, command)| Act { at: SimTime(at * 1_000), command }));
    settings.acts.sort_by_key(|act| act.at);
    settings
}

/// Calls `check` with every moment of every example on instances, and with the places of its tasks.
fn every_moment(check: impl Fn(&str, &Frame, &Berths, &Demand)) {
    let mut seen = 0;
    for preset in PRESETS {
        // One example is there to be refused.
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        if resolved.settings.cluster().is_none() {
            continue;
        }
        let plain = resolved.settings;
        for settings in [disturbed(&plain), plain] {
            let mut player = Player::new(settings);
            player.advance_to_end();
            let mut berths = Berths::default();
            berths.follow(player.timeline().records());
            let events = player.timeline().events().to_vec();
            for at in events.iter().step_by(events.len().div_ceil(MOMENTS_MAX).max(1)) {
                player.seek(*at);
                let demand = Demand::of(player.state()).expect("a cluster");
                check(preset.id, player.frame(), &berths, &demand);
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} moments");
}

#[test]
fn every_task_stands_once_on_its_own_instance_or_waits_in_the_tray() {
    every_moment(|id, frame, berths, _| {
        let seats = Seats::of(frame, berths);
        for task in frame.slots.iter().flatten().filter(|task| !gone(task)) {
            let found = seats.find(task.slot);
            assert_eq!(found.map(|(host, _)| host), task.host, "{id} at {}: {:?}", frame.at.ms(), task.name);
            assert_eq!(found.is_none(), seats.tray().contains(&task.slot), "{id}: {:?}", task.name);
        }
        for view in &frame.hosts {
            let slots = seats.on(view.number - 1).iter().flatten();
            let living = slots.filter(|slot| frame.slots[**slot as usize].as_ref().is_some_and(|task| !gone(task)));
            assert_eq!(
                living.count() as u32,
                view.tasks + view.leaving,
                "{id}: i-{} at {}",
                view.number,
                frame.at.ms()
            );
        }
        assert!(berths.queued() || seats.tray().is_empty(), "{id}: the tray has a row for those that wait");
    });
}

#[test]
fn every_living_task_has_a_box_inside_the_frame_of_its_instance() {
    for (width, height) in [(756.0, Some(300.0)), (596.0, Some(160.0)), (342.0, None)] {
        every_moment(|id, frame, berths, _| {
            for by_zone in [false, true] {
                let site = Site { css_width: width, css_height: height, scale: Scale(1.0), by_zone };
                let (layout, seats) = (Layout::on(frame, berths, &site, None), Seats::of(frame, berths));
                if !layout.detail.has_tasks() {
                    continue;
                }
                for task in frame.slots.iter().flatten().filter(|task| !gone(task)) {
                    let rect = layout.rect(&seats, task.slot);
                    let around = task.host.map_or(layout.tray, |host| layout.frame(host));
                    let Some(rect) = rect else {
                        assert!(task.host.is_none(), "{id} at {}: {:?} has no box", frame.at.ms(), task.name);
                        continue;
                    };
                    let inside = rect.x >= around.x && rect.right() <= around.right();
                    let inside = inside && rect.y >= around.y && rect.bottom() <= around.bottom();
                    assert!(inside, "{id} at {}, {width} wide: {rect:?} in {around:?}", frame.at.ms());
                }
            }
        });
    }
}

#[test]
fn an_instance_lacks_something_exactly_where_it_has_no_room() {
    every_moment(|id, frame, _, demand| {
        let mut short = [0u16; RESOURCES];
        for view in frame.hosts.iter().filter(|view| view.state == HostState::Active) {
            let story = host(demand, frame, view.number).expect("an instance");
            assert_eq!(story.lacks.contains(&true), view.room == 0, "{id}: i-{} at {}", view.number, frame.at.ms());
            if view.room == 0 {
                short.iter_mut().zip(story.lacks).for_each(|(count, lacks)| *count += u16::from(lacks));
            }
        }
        let room = host_room(demand, frame);
        assert_eq!(room.shortage.is_none(), room.room > 0, "{id} at {}", frame.at.ms());
        assert_eq!(room.shortage.map_or(short, |shortage| shortage.short), short, "{id} at {}", frame.at.ms());
    });
}

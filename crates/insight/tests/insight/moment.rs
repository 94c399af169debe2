//! Why at any moment: sums, waits and changes of runs whose numbers are known by hand.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Command;
use rollscope_insight::moment::changes;
use rollscope_insight::{Change, Moment, MomentKind, OutcomeKind, Tasks, WaitCause, WaitEnd, moment};
use rollscope_player::Player;

use crate::service;

/// Healthy 45 s after the start, gone 30 s after the decision.
const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;

fn player(desired: u32, minimum: u32, maximum: u32, more: &str) -> Player {
    let mut player = Player::new(service(desired, minimum, maximum, more).settings);
    player.advance_to_end();
    player
}

fn at(player: &mut Player, ms: u64) -> Moment {
    player.seek(SimTime(ms));
    moment(player)
}

fn name(revision: u32, start: u32) -> rollscope_engine::settings::TaskName {
    rollscope_engine::settings::TaskName { revision, start }
}

fn tasks(revision: u32, start: u32, count: u32) -> Option<Tasks> {
    Some(Tasks { first: name(revision, start), count })
}

#[test]
fn a_rollout_in_two_rounds() {
    let mut player = player(4, 100, 150, FIXED);
    assert_eq!(at(&mut player, 0).kind, MomentKind::Acting { started: 2, stopped: 0 });
    assert_eq!(changes(&player), [], "something happens already");
    let m = at(&mut player, 50_000);
    assert_eq!(m.kind, MomentKind::BothLimits);
    assert_eq!((m.sums.ceiling, m.sums.counted, m.sums.room), (6, 6, 0));
    assert_eq!((m.sums.healthy, m.sums.floor, m.sums.spare), (4, 4, 0));
    // 1:15 two are gone and two start; 2:00 those are healthy and the last two may go; 2:30 done.
    let [gone, healthy, last] = &m.waits_for[..] else { panic!("three waits: {:?}", m.waits_for) };
    assert_eq!((gone.at.ms(), gone.cause), (75_000, WaitCause::Gone(tasks(7, 1, 2).unwrap())));
    assert_eq!((gone.starts, gone.stops, gone.same_slot), (tasks(8, 3, 2), None, false));
    assert_eq!((healthy.at.ms(), healthy.cause), (120_000, WaitCause::Healthy(tasks(8, 3, 2).unwrap())));
    assert_eq!((healthy.starts, healthy.stops.map(|t| t.count)), (None, Some(2)));
    assert_eq!((last.at.ms(), last.ends), (150_000, Some(WaitEnd::Done)));
    assert_eq!(at(&mut player, 130_000).kind, MomentKind::WaitsForStops);
    assert_eq!(changes(&player), [], "waiting is all there is to do");
    let done = at(&mut player, 150_000);
    assert_eq!((done.kind, done.waits_for.len()), (MomentKind::Ended(OutcomeKind::Completed), 0));
    assert_eq!(changes(&player), [], "it is over");
}

#[test]
fn what_would_change_a_moment_is_the_smallest_that_does() {
    let mut player = player(4, 100, 150, FIXED);
    player.seek(SimTime(50_000));
    let before = player.state().state_hash();
    let found = changes(&player);
    assert_eq!(player.state().state_hash(), before, "the cursor is not touched");
    let told: Vec<_> =
        found.iter().map(|c| (c.change, c.limits.floor, c.limits.ceiling, c.started.0, c.stopped.0)).collect();
    assert_eq!(
        told,
        [(Change::Maximum(175), 4, 7, 1, 0), (Change::Minimum(75), 3, 6, 0, 1), (Change::Desired(5), 5, 7, 1, 0),]
    );
    assert_eq!(found[0].started.1, Some(name(8, 3)));
    assert_eq!(found[1].stopped.1.map(|task| task.revision), Some(7));
    // Try does what was told: the branch starts with the same numbers.
    for change in &found {
        let mut tried = player.clone();
        tried.act(change.command.clone().expect("an act")).expect("it has an object");
        let (started, stopped) = (change.started.0, change.stopped.0);
        assert_eq!(moment(&tried).kind, MomentKind::Acting { started, stopped });
        assert_eq!(moment(&tried).sums.ceiling, change.limits.ceiling);
        // One step less does nothing.
        let less = match change.change {
            Change::Maximum(n) => Command::SetPercentages { minimum: None, maximum: Some(n - 1) },
            Change::Minimum(n) => Command::SetPercentages { minimum: Some(n + 1), maximum: None },
            Change::Desired(n) => Command::SetDesired(n - 1),
            _ => continue,
        };
        let mut less_tried = player.clone();
        less_tried.act(less).expect("it has an object");
        assert_eq!(moment(&less_tried).kind, MomentKind::BothLimits, "{change:?}");
    }
}

#[test]
fn one_task_is_given_its_slot() {
    // One at a time: 7·1 is gone at 0:30, its slot is free for 8·1.
    let mut player = player(1, 0, 100, FIXED);
    let m = at(&mut player, 10_000);
    assert_eq!(m.waits_for[0].cause, WaitCause::Gone(Tasks { first: name(7, 1), count: 1 }));
    assert!(m.waits_for[0].same_slot);
    assert_eq!(m.waits_for[0].starts, tasks(8, 1, 1));
    // 8·1 is healthy 45 s later, and no old task is left: completed.
    assert_eq!(m.waits_for[1].cause, WaitCause::Healthy(Tasks { first: name(8, 1), count: 1 }));
    assert_eq!(m.waits_for[1].ends, Some(WaitEnd::Done));
}

#[test]
fn what_never_moves_says_so_and_what_would_help() {
    let mut player = player(1, 100, 150, "");
    let m = at(&mut player, 0);
    assert_eq!((m.kind, m.waits_for.len()), (MomentKind::NeverMoves, 0));
    let found: Vec<_> = changes(&player).iter().map(|c| (c.change, c.started.0, c.stopped.0)).collect();
    assert_eq!(found, [(Change::Maximum(200), 1, 0), (Change::Minimum(0), 0, 1), (Change::Desired(2), 2, 0)]);
}

#[test]
fn places_quota_and_pauses() {
    // 4 old tasks hold the 4 places there are; a fifth place comes at 2:00.
    let steps = r#""places": [{"at": "0s", "places": 4}, {"at": "2m", "places": 5}]"#;
    let mut waiting = player(4, 100, 200, &format!("{FIXED}, {steps}"));
    let m = at(&mut waiting, 60_000);
    assert_eq!(m.kind, MomentKind::NoPlaces);
    assert_eq!((m.waits_for[0].at.ms(), m.waits_for[0].cause), (120_000, WaitCause::Places(5)));
    let found: Vec<_> = changes(&waiting).iter().map(|c| (c.change, c.started.0, c.stopped.0)).collect();
    assert_eq!(found, [(Change::Minimum(75), 0, 1), (Change::Places(5), 1, 0)]);
    assert!(changes(&waiting)[1].command.is_none());
    // 500 start at once, then one every 120 ms.
    let text = format!(r#"{{"service": {{"desiredCount": 600, "launchType": "EC2"}}, {FIXED}, "until": "10m"}}"#);
    let mut quota = Player::new(crate::resolve(&text).settings);
    quota.advance_to_end();
    let m = at(&mut quota, 60);
    assert_eq!(m.kind, MomentKind::Quota);
    assert_eq!((m.waits_for[0].at.ms(), m.waits_for[0].cause), (120, WaitCause::Quota));
    // Three failed launches in a row: the fourth waits 30 s.
    let bad = r#""new": {"fate": "never_running"}, "until": "20m""#;
    let mut paused = player(1, 100, 200, bad);
    let until = (0..1_200u64).map(|s| s * 1_000).find(|ms| at(&mut paused, *ms).kind == MomentKind::Paused);
    let m = at(&mut paused, until.expect("it pauses") + 1_000);
    assert_eq!((m.waits_for[0].cause, m.waits_for[0].starts.map(|t| t.count)), (WaitCause::Pause, Some(1)));
}

#[test]
fn an_act_that_is_planned_is_waited_for() {
    let acts = format!(r#"{FIXED}, "acts": [{{"at": "5m", "do": "percent", "maximumPercent": 200}}]"#);
    let mut player = player(1, 100, 150, &acts);
    let m = at(&mut player, 60_000);
    assert_eq!(m.kind, MomentKind::BothLimits, "an act will move it");
    assert_eq!((m.waits_for[0].at.ms(), m.waits_for[0].cause), (300_000, WaitCause::Act(0)));
}

#[test]
fn the_sums_say_what_else_limits_them() {
    let preset = rollscope_scenario::Preset::find("early-deferred").expect("a preset");
    let mut player = Player::new(crate::resolve(preset.document).settings);
    player.advance_to_end();
    // 95 places at 20:37, 90 new tasks hold one each: five of the ten that are missing start.
    let before = at(&mut player, 1_236_999).sums;
    assert_eq!((before.missing, before.places), (10, Some((95, 0))), "the old ones still hold theirs");
    let m = at(&mut player, 1_237_000);
    assert_eq!(m.kind, MomentKind::Acting { started: 5, stopped: 0 });
    assert_eq!((m.sums.room, m.sums.missing, m.sums.places, m.sums.left), (105, 5, Some((95, 0)), 0));
}

/// Whatever an example waits for has a name: what gets healthy or goes, room, a clock, an act, the load.
#[test]
fn every_wait_of_every_example_has_a_cause() {
    let (mut causes, mut nameless) = (0, Vec::new());
    for preset in rollscope_scenario::PRESETS {
        let Ok(resolved) = rollscope_scenario::Document::from_text(preset.document).resolve() else { continue };
        // Those that go on for long say the same again and again.
        if resolved.limits.desired > 100 {
            continue;
        }
        let mut player = Player::new(resolved.settings);
        player.advance_to_end();
        let end = player.end();
        player.seek(SimTime::ZERO);
        for _ in 0..40 {
            for wait in rollscope_insight::moment(&player).waits_for {
                causes += 1;
                if wait.cause == WaitCause::Time {
                    nameless.push((preset.id, wait.at));
                }
            }
            player.step_next(rollscope_player::StepUnit::Decision);
            if player.now() >= end {
                break;
            }
        }
    }
    nameless.dedup();
    assert_eq!(nameless, []);
    assert!(causes > 500, "{causes}");
}

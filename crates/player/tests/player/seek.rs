//! The law of the player: however the cursor got to a moment, the state there is the same.

use crate::common::{Dice, command, from_zero, random, settings};
use rollscope_engine::settings::{Command, Settings};
use rollscope_engine::trace::What;
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_player::{Player, StepUnit};

#[test]
fn any_way_to_a_moment_gives_the_same_state() {
    let mut dice = Dice(11);
    let mut moved = 0;
    for _ in 0..60 {
        let settings = random(&mut dice);
        // A bound of a few snapshots makes them thin out, so that long replays are tried too.
        let mut player = Player::with_bound(settings.clone(), 20_000 + dice.below(400_000) as usize);
        player.advance_to_end();
        let end = player.end();
        for _ in 0..12 {
            match dice.below(6) {
                0 => drop(player.step_next(StepUnit::Decision)),
                1 => drop(player.step_prev(StepUnit::Event)),
                2 => drop(player.step_next(StepUnit::Change)),
                3 => drop(player.step_prev(StepUnit::Second)),
                _ => player.seek(SimTime(dice.below(end.ms() + 10_000))),
            }
            moved += u64::from(player.now() > SimTime::ZERO);
            assert_eq!(player.state().state_hash(), from_zero(&settings, player.now()), "at {:?}", player.now());
        }
    }
    assert!(moved > 300, "the cursor hardly moved: {moved}");
}

#[test]
fn seeking_while_the_run_is_computed_goes_on_by_itself() {
    let settings = settings(8, 100, 125);
    let mut player = Player::new(settings.clone());
    player.seek(SimTime(200_000));
    assert!(player.now() < SimTime(200_000), "nothing is computed yet");
    while player.advance(7) {}
    assert_eq!(player.now(), SimTime(200_000));
    assert_eq!(player.state().state_hash(), from_zero(&settings, SimTime(200_000)));
}

#[test]
fn the_timeline_is_that_of_a_run_in_one_go() {
    let mut dice = Dice(5);
    for _ in 0..30 {
        let settings = random(&mut dice);
        let mut player = Player::new(settings.clone());
        while player.advance(1 + dice.below(40)) {}
        let (mut sim, mut trace) = (Simulation::new(settings), Trace::new());
        while !matches!(sim.step(&mut trace), rollscope_engine::Step::Ended(_)) {}
        assert_eq!(player.timeline().records(), trace.records);
        assert_eq!(player.timeline().samples(), trace.samples);
    }
}

#[test]
fn keyframes_stay_inside_their_bound() {
    // New tasks never pass: there is no end of events, and many snapshots.
    let mut settings = settings(200, 100, 200);
    settings.revisions[1].behaviour.fate = rollscope_engine::settings::Fate::NeverPasses;
    settings.until = Some(SimTime(900_000));
    let mut free = Player::new(settings.clone());
    free.advance_to_end();
    let (all_bytes, all) = free.keyframes();
    let mut player = Player::with_bound(settings.clone(), all_bytes / 3);
    player.advance_to_end();
    let (bytes, frames) = player.keyframes();
    assert!(bytes <= all_bytes / 3, "{bytes} bytes in {frames} keyframes");
    assert!(frames >= 4 && frames < all, "{frames} of {all}");
    // Snapshots that were put together give the same states.
    for ms in (0..player.end().ms()).rev().step_by(230_001) {
        player.seek(SimTime(ms));
        assert_eq!(player.state().state_hash(), from_zero(&settings, SimTime(ms)), "at {ms}");
    }
}

/// The same act, written into the document at the same moment.
fn with_act(settings: &Settings, player: &Player) -> Settings {
    Settings { acts: player.acts().to_vec(), ..settings.clone() }
}

#[test]
fn an_act_by_hand_and_the_same_act_in_the_document_are_one() {
    let mut dice = Dice(77);
    let (mut acted, mut compared) = (0, 0);
    for _ in 0..60 {
        let settings = random(&mut dice);
        let mut player = Player::with_bound(settings.clone(), 200_000);
        player.advance_to_end();
        for _ in 0..3 {
            let t = SimTime(1 + dice.below(player.end().ms().max(2)));
            player.seek(t);
            if t < player.branches().last().map_or(SimTime::ZERO, |b| b.from) {
                continue;
            }
            acted += u32::from(player.act(command(&mut dice)).is_some());
            player.advance_to_end();
        }
        let document = with_act(&settings, &player);
        for _ in 0..6 {
            player.seek(SimTime(dice.below(player.end().ms() + 1)));
            assert_eq!(player.state().state_hash(), from_zero(&document, player.now()), "at {:?}", player.now());
            compared += 1;
        }
    }
    assert!(acted > 60 && compared > 300, "{acted} acts, {compared} comparisons");
}

#[test]
fn the_old_future_stays_beside_the_new_one() {
    let settings = settings(4, 100, 150);
    let mut player = Player::new(settings.clone());
    player.advance_to_end();
    let (first, old_end) = (player.active(), player.end());
    player.seek(SimTime(20_000));
    let second = player.act(Command::SetDesired(6)).expect("a desired count always has an object");
    assert_eq!(player.now(), SimTime(20_000));
    player.advance_to_end();
    assert_eq!(player.acts().len(), 1);
    assert!(player.timeline().records().iter().any(|r| matches!(r.what, What::Act { effective: true, .. })));
    // A second act, before the first: the first belongs to the old branch only.
    player.seek(SimTime(10_000));
    let third = player.act(Command::SetDesired(5)).expect("a desired count always has an object");
    player.advance_to_end();
    assert_eq!(player.acts().len(), 1);
    assert_eq!(player.acts()[0].at, SimTime(10_000));
    let lines: Vec<_> = player.branches().map(|b| (b.id, b.parent, b.from.ms())).collect();
    assert_eq!(lines, [(first, None, 0), (second, Some(first), 20_000), (third, Some(second), 10_000)]);

    assert!(player.switch(first));
    player.seek(SimTime(25_000));
    assert_eq!(player.state().state_hash(), from_zero(&settings, SimTime(25_000)));
    assert_eq!(player.end(), old_end);
    assert!(player.switch(second));
    assert_eq!(player.now(), SimTime(25_000));
    assert_eq!(player.frame().counts.limits.desired, 6);
    assert!(player.undo());
    assert_eq!(player.active(), first);
    assert_eq!(player.now(), SimTime(20_000), "back where the act was made");
    assert!(!player.undo(), "the document's own run stays");
    let parents: Vec<_> = player.branches().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(first)]);
}

#[test]
fn planned_acts_stay_planned_in_a_branch() {
    let mut settings = settings(4, 100, 150);
    let planned = rollscope_engine::settings::Act { at: SimTime(90_000), command: Command::SetDesired(3) };
    settings.acts.push(planned.clone());
    let mut player = Player::new(settings);
    player.advance_to_end();
    player.seek(SimTime(30_000));
    player.act(Command::SetDesired(5)).expect("a desired count always has an object");
    assert_eq!(player.acts().len(), 2);
    assert_eq!(player.acts()[1], planned);
}

#[test]
fn an_act_without_an_object_makes_no_branch() {
    let mut player = Player::new(settings(4, 100, 150));
    player.advance_to_end();
    let gone = rollscope_engine::settings::TaskName { revision: 8, start: 99 };
    assert_eq!(player.act(Command::Kill(gone)), None);
    assert_eq!(player.branches().count(), 1);
}

#[test]
fn a_run_that_is_stuck_can_be_set_free() {
    // 3 tasks, ceiling 3, floor 3: over at once.
    let mut player = Player::new(settings(3, 100, 125));
    player.advance_to_end();
    assert_eq!(player.end(), SimTime::ZERO);
    player.act(Command::SetPercentages { minimum: None, maximum: Some(200) }).expect("settings have an object");
    player.advance_to_end();
    assert!(player.end() > SimTime(60_000));
    assert_eq!(player.head().frame().deployments.len(), 1, "only the new deployment is left");
    let ends = player.timeline().records().iter().filter(|r| matches!(r.what, What::Ended(_))).count();
    assert_eq!(ends, 1);
}

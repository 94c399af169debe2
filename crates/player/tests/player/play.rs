//! Steps and the clock.

use crate::common::settings;
use rollscope_engine::SimTime;
use rollscope_engine::settings::Fate;
use rollscope_engine::trace::What;
use rollscope_player::{PlayState, Player, Speed, StepUnit};

fn ready() -> Player {
    let mut player = Player::new(settings(4, 100, 150));
    player.advance_to_end();
    player
}

#[test]
fn steps_visit_every_decision_and_come_back() {
    let mut player = ready();
    let all = player.timeline().decisions().to_vec();
    assert!(all.len() > 5);
    let mut seen = vec![player.now()];
    while player.step_next(StepUnit::Decision) {
        let here = player.timeline().records_at(player.now());
        assert!(here.iter().any(|record| matches!(record.what, What::Decision(_))));
        seen.push(player.now());
    }
    assert_eq!(seen, all);
    assert_eq!(player.step_position(StepUnit::Decision), (all.len(), all.len()));
    while player.step_prev(StepUnit::Decision) {
        seen.pop();
        assert_eq!(seen.last(), Some(&player.now()));
    }
    assert_eq!(player.now(), SimTime::ZERO);
}

#[test]
fn seconds_are_whole_and_end_with_the_run() {
    let mut player = ready();
    player.seek(SimTime(1_500));
    assert!(player.step_next(StepUnit::Second));
    assert_eq!(player.now(), SimTime(2_000));
    player.step_prev(StepUnit::Second);
    player.step_prev(StepUnit::Second);
    player.step_prev(StepUnit::Second);
    assert_eq!(player.now(), SimTime::ZERO);
    assert!(!player.step_prev(StepUnit::Second));
    player.seek(player.end());
    assert!(!player.step_next(StepUnit::Second));
}

#[test]
fn failures_are_found_in_both_directions() {
    let mut settings = settings(4, 100, 150);
    settings.timing.start_up = rollscope_engine::settings::Distribution::Constant(5_000);
    settings.revisions[1].behaviour.by_start = vec![(2, Fate::NeverRunning { after: None }), (3, Fate::NeverPasses)];
    let mut player = Player::new(settings);
    player.advance_to_end();
    assert!(player.next_failure());
    let first = player.now();
    assert!(player.last_records().iter().any(|record| rollscope_player::is_failure(&record.what)));
    assert!(player.next_failure() && player.now() > first);
    assert!(!player.next_failure(), "two starts fail");
    assert!(player.prev_failure());
    assert_eq!(player.now(), first);
}

#[test]
fn fit_takes_twenty_seconds_whatever_the_ticks() {
    for dt in [7, 16, 100] {
        let mut player = ready();
        player.play();
        let mut wall = 0;
        while player.play_state() == PlayState::Playing {
            player.tick(dt);
            wall += dt;
            assert!(wall < 60_000, "it never ends");
        }
        // Folds are crossed faster, never slower.
        assert!((5_000..=20_100).contains(&wall), "{wall} ms in ticks of {dt}");
        assert_eq!(player.play_state(), PlayState::Ended);
        assert_eq!(player.now(), player.end());
        player.play();
        assert_eq!(player.now(), SimTime::ZERO, "play at the end starts over");
    }
}

#[test]
fn a_hidden_tab_does_not_jump() {
    let mut player = ready();
    player.set_speed(Speed::Milli(1_000));
    player.play();
    player.tick(3_600_000);
    assert_eq!(player.now(), SimTime(100));
    player.pause();
    assert!(!player.tick(50));
    assert_eq!(player.now(), SimTime(100));
}

#[test]
fn slow_speeds_lose_no_fraction() {
    let mut player = ready();
    player.set_speed(Speed::Milli(1_500));
    player.play();
    for _ in 0..100 {
        player.tick(3);
    }
    assert_eq!(player.now(), SimTime(450));
}

#[test]
fn one_decision_a_second() {
    let mut player = ready();
    player.set_speed(Speed::Decisions);
    player.play();
    let second = player.timeline().decisions()[1];
    for _ in 0..9 {
        player.tick(100);
    }
    assert_eq!(player.now(), SimTime::ZERO);
    player.tick(100);
    assert_eq!(player.now(), second);
}

#[test]
fn long_idleness_is_crossed_in_under_a_second() {
    let mut settings = settings(2, 100, 150);
    settings.target_groups[0].deregistration_delay_ms = 3_000_000;
    settings.timing.open_request = rollscope_engine::settings::Distribution::Constant(3_000_000);
    settings.until = Some(SimTime(20_000_000));
    let mut player = Player::new(settings);
    player.advance_to_end();
    let folds = player.timeline().folds();
    assert!(!folds.is_empty());
    player.set_speed(Speed::Milli(1_000));
    player.seek(folds[0].from);
    player.play();
    for _ in 0..10 {
        player.tick(100);
    }
    assert!(player.now() >= folds[0].to);
    assert!(player.now() < folds[0].to + 1_000, "real time again behind the fold");
}

#[test]
fn the_last_moment_is_the_cut_or_the_last_thing_that_happens() {
    let quiet = ready();
    let last = quiet.timeline().events().last().copied();
    assert_eq!(Some(quiet.last_moment()), last, "a quiet run ends with what happens last");
    let mut settings = settings(4, 100, 150);
    settings.until = Some(SimTime(61_234));
    let mut cut = Player::new(settings);
    assert_eq!(cut.last_moment(), cut.end(), "as far as it is computed");
    cut.advance_to_end();
    assert_eq!(cut.last_moment(), SimTime(61_234), "nothing need happen at the very end of a run that is cut off");
}

#[test]
fn the_cursor_follows_the_end_until_it_is_known() {
    let mut player = Player::new(settings(4, 100, 150));
    player.seek_end();
    while player.advance(20) {
        assert_eq!(player.now(), player.end());
    }
    assert_eq!(player.now(), player.last_moment());
    let end = player.now();

    // Anything else that moves the cursor ends that, also when there is nowhere to go.
    let others: [fn(&mut Player); 4] = [
        |player| player.seek(SimTime::ZERO),
        |player| assert!(player.step_prev(StepUnit::Event)),
        |player| assert!(!player.next_failure()),
        Player::play,
    ];
    for other in others {
        let mut player = Player::new(settings(4, 100, 150));
        player.advance(20);
        player.seek_end();
        other(&mut player);
        player.pause();
        let there = player.now();
        player.advance_to_end();
        assert_eq!(player.now(), there);
        assert!(there < end);
    }
}

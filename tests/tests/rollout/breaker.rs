//! What counts, what resets, when it trips.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::settings::{Capacity, Command, Fate, PlacesStep, RolloutState};
use rollscope_engine::sim::service_deployment::{MonitorStatus, ServiceStatus};
use rollscope_engine::trace::FailureVerdict;
use rollscope_tests::base::S;

use crate::run::*;

/// What the k-th start does, as a letter: L stops before RUNNING, X is stopped for a failed check,
/// E exits before its first healthy result, H is healthy.
fn word(letters: &str) -> Vec<(u32, Fate)> {
    let fate = |letter| match letter {
        'L' => start_fails(1_000),
        'X' => Fate::NeverPasses,
        'E' => Fate::ExitsAfter(2_000),
        _ => Fate::Healthy,
    };
    letters.chars().enumerate().map(|(k, letter)| (k as u32 + 1, fate(letter))).collect()
}

/// One task at a time, so that the starts come in the order of the letters.
fn one_by_one(letters: &str, threshold: Threshold, reset: bool) -> Run {
    let mut settings = guarded(1, 0, 100);
    new_tasks(&mut settings, start_fails(1_000), &word(letters));
    let breaker = params(&mut settings).breaker.as_mut().expect("it is on");
    (breaker.threshold, breaker.reset_on_healthy_task) = (threshold, reset);
    Run::whole(settings)
}

#[test]
fn the_third_failure_of_a_small_service_trips() {
    let run = one_by_one("LXE", Threshold::default(), true);
    assert_eq!(run.counts(), [1, 2, 3]);
    let kinds: Vec<FailureKind> = run.failures().iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [FailureKind::NeverRan, FailureKind::HealthCheck, FailureKind::ExitBeforeHealthy]);
    assert_eq!(run.starts(8), 3, "a FAILED deployment launches nothing");
    assert_eq!(run.states(1).last().map(|(_, state)| *state), Some(RolloutState::Failed));
    let service = run.last_service();
    assert_eq!(service.status(), ServiceStatus::RollbackSuccessful);
    assert_eq!(
        (service.breaker.status, service.breaker.count, service.breaker.threshold),
        (MonitorStatus::Triggered, 3, 3)
    );
    assert_eq!(run.healthy(7), 1);
}

/// Many tasks of which some fail: the count follows in the order of time.
fn many(desired: u32, fates: &[(u32, Fate)], threshold: Threshold, reset: bool) -> Run {
    let mut settings = guarded(desired, 100, 200);
    new_tasks(&mut settings, Fate::Healthy, fates);
    let breaker = params(&mut settings).breaker.as_mut().expect("it is on");
    (breaker.threshold, breaker.reset_on_healthy_task) = (threshold, reset);
    Run::whole(settings)
}

/// L L H L L L: two fail, one is healthy at 10 s, three more fail afterwards.
fn with_a_healthy_one() -> Vec<(u32, Fate)> {
    let mut fates = vec![(1, start_fails(1_000)), (2, start_fails(2_000))];
    fates.extend((4..=9).map(|k| (k, start_fails(10_000 + u64::from(k) * 1_000))));
    // The replacements of the first two fail late.
    fates.extend([(11, start_fails(20_000)), (12, start_fails(20_000))]);
    fates
}

#[test]
fn a_healthy_task_resets_the_count_or_does_not() {
    let reset = many(10, &with_a_healthy_one(), Threshold::Count(5), true);
    assert_eq!(&reset.counts()[..8], [1, 2, 0, 1, 2, 3, 4, 5]);
    let kept = many(10, &with_a_healthy_one(), Threshold::Count(5), false);
    assert_eq!(kept.counts(), [1, 2, 3, 4, 5]);
    assert_eq!(kept.last_service().status(), ServiceStatus::RollbackSuccessful);
}

#[test]
fn a_threshold_of_one_trips_at_the_first_failure() {
    let run = many(4, &[(2, start_fails(1_500))], Threshold::Count(1), true);
    assert_eq!(run.counts(), [1]);
    assert_eq!(run.states(1)[0], (1, RolloutState::Failed));
}

#[test]
fn of_several_that_fail_together_the_one_that_trips_is_the_last_that_counts() {
    let mut settings = guarded(5, 100, 200);
    new_tasks(&mut settings, Fate::NeverPasses, &[]);
    let run = Run::whole(settings);
    assert_eq!(run.counts(), [1, 2, 3]);
    let ended = run.failures().iter().filter(|f| f.verdict == FailureVerdict::Ended).count();
    assert_eq!(ended, 2, "they are stopped together all the same");
}

#[test]
fn routine_stops_and_exits_of_healthy_tasks_count_for_nothing() {
    let mut settings = guarded(3, 100, 200);
    new_tasks(&mut settings, Fate::Healthy, &[(4, Fate::ExitsAfter(30_000))]);
    for (at, start) in [(4, 1), (5, 2), (6, 3)] {
        act(&mut settings, at, Command::StopTask(name(8, start)));
    }
    act(&mut settings, 15, Command::Interrupt(name(8, 5)));
    let run = Run::whole(settings);
    assert_eq!(run.counts(), []);
    let kinds: Vec<FailureKind> =
        run.failures().iter().filter(|f| f.verdict == FailureVerdict::Kind).map(|f| f.kind).collect();
    assert_eq!(&kinds[..4], [FailureKind::Routine; 4]);
    assert!(kinds[4..].contains(&FailureKind::ExitAfterHealthy), "{kinds:?}");
}

#[test]
fn old_tasks_count_for_nothing() {
    let mut settings = guarded(5, 100, 200);
    settings.revisions[0].behaviour.fate = Fate::ExitsAfter(1_000);
    new_tasks(&mut settings, Fate::Healthy, &[]);
    for start in 1..=5 {
        act(&mut settings, 1, Command::Kill(name(7, start)));
    }
    let run = Run::whole(settings);
    assert_eq!(run.counts(), []);
    assert!(run.failures().iter().filter(|f| f.verdict == FailureVerdict::Source).count() >= 5);
    assert_eq!(run.last_service().status(), ServiceStatus::Successful);
}

#[test]
fn a_lower_desired_count_can_trip_it() {
    let mut settings = guarded(40, 100, 200);
    let fates: Vec<(u32, Fate)> = (1..=12).map(|k| (k, start_fails(1_000))).collect();
    new_tasks(&mut settings, Fate::Hangs, &fates);
    params(&mut settings).grace_ms = 600 * S;
    act(&mut settings, 5, Command::SetDesired(20));
    let run = Run::until(settings, 6);
    assert_eq!(run.counts().len(), 12, "20 of 40 would trip");
    assert_eq!(run.states(1), [(5, RolloutState::Failed)], "12 of 20 at 50 %: 10");
    assert_eq!((run.last_service().breaker.count, run.last_service().breaker.threshold), (12, 10));
}

#[test]
fn a_higher_desired_count_raises_the_threshold() {
    let mut settings = guarded(6, 100, 200);
    new_tasks(&mut settings, Fate::Hangs, &[(1, start_fails(1_000)), (2, start_fails(1_000)), (7, start_fails(9_000))]);
    params(&mut settings).grace_ms = 600 * S;
    act(&mut settings, 5, Command::SetDesired(20));
    let run = Run::until(settings, 30);
    assert_eq!(run.counts(), [1, 2, 3]);
    assert_eq!(run.states(1), []);
    assert_eq!(run.sim.threshold(), Some(10));
}

#[test]
fn inside_grace_nothing_counts_and_at_its_end_everything_does() {
    let mut settings = guarded(3, 100, 200);
    new_tasks(&mut settings, Fate::NeverPasses, &[]);
    params(&mut settings).grace_ms = 60 * S;
    let run = Run::whole(settings);
    let hidden = run.failures().iter().filter(|f| f.kind == FailureKind::InGrace).count();
    assert_eq!((hidden, run.counts()), (3, vec![1, 2, 3]));
    assert_eq!(run.states(1)[0], (63, RolloutState::Failed), "3 s to RUNNING, 60 s of grace");
}

#[test]
fn without_a_breaker_nothing_ever_fails() {
    let mut settings = guarded(3, 100, 200);
    params(&mut settings).breaker = None;
    new_tasks(&mut settings, start_fails(1_000), &[]);
    let run = Run::whole(settings);
    assert_eq!((run.failures().len(), run.states(1).len()), (0, 0));
    assert_eq!(run.last_service().status(), ServiceStatus::InProgress);
    assert_eq!(run.last_service().breaker.status, MonitorStatus::Disabled);
}

#[test]
fn workers_without_a_check_are_not_seen() {
    let mut settings = guarded(2, 100, 200);
    settings.containers.clear();
    settings.timing.healthy_after = None;
    new_tasks(&mut settings, Fate::ExitsAfter(10_000), &[]);
    let run = Run::until(settings, 3_600);
    assert_eq!(run.counts(), []);
    assert!(run.failures().iter().all(|f| f.kind == FailureKind::ExitUnchecked));
    assert!(run.failures().len() > 100, "restarts after RUNNING are not throttled");
    assert_eq!((run.healthy(7), run.last_service().status()), (2, ServiceStatus::InProgress));
}

#[test]
fn without_a_check_running_is_healthy_for_the_count() {
    // L at 1 and 2 s, RUNNING at 3 s, L at 4 and 5 s.
    for (reset, expected) in [(true, [1, 2, 0, 1, 2]), (false, [1, 2, 3, 4, 5])] {
        let mut settings = guarded(4, 100, 200);
        settings.containers.clear();
        settings.timing.healthy_after = None;
        let fates = [(1, 1_000), (2, 2_000), (4, 4_000), (5, 4_000), (6, 4_500)];
        let fates: Vec<(u32, Fate)> = fates.into_iter().map(|(k, after)| (k, start_fails(after))).collect();
        new_tasks(&mut settings, Fate::Healthy, &fates);
        let breaker = params(&mut settings).breaker.as_mut().expect("it is on");
        (breaker.threshold, breaker.reset_on_healthy_task) = (Threshold::Count(9), reset);
        let run = Run::until(settings, 30);
        assert_eq!(&run.counts()[..5], expected, "reset {reset}");
    }
}

#[test]
fn literal_stages_count_no_failed_start_once_a_task_runs() {
    let mut settings = guarded(3, 100, 200);
    new_tasks(&mut settings, start_fails(8_000), &[(1, Fate::Hangs), (2, start_fails(1_000))]);
    params(&mut settings).grace_ms = 3_600 * S;
    readings(&mut settings).literal_stages = true;
    let run = Run::until(settings, 600);
    assert_eq!(run.counts(), [1]);
    assert!(run.failures().iter().filter(|f| f.verdict == FailureVerdict::Stage).count() > 3);
    assert_eq!(run.states(1), []);
}

#[test]
fn a_launch_that_finds_no_place_counts_with_longer_and_longer_pauses() {
    let mut settings = guarded(4, 100, 200);
    settings.capacity = Capacity::Places(vec![PlacesStep { at: SimTime::ZERO, places: 4 }]);
    let run = Run::whole(settings.clone());
    assert_eq!(run.counts(), [1, 2, 3]);
    assert!(run.failures().iter().all(|f| f.kind == FailureKind::NoPlace && f.task.is_none()));
    assert_eq!(run.states(1), [(90, RolloutState::Failed)], "at 0, 30 and 90 s");
    readings(&mut settings).placement_failure_counts = false;
    let run = Run::whole(settings);
    assert_eq!((run.counts(), run.states(1)), (vec![], vec![]));
    // Room for some is room: waves of 15 s leave no attempt without a place.
    let mut settings = guarded(6, 100, 200);
    settings.capacity = Capacity::Places(vec![PlacesStep { at: SimTime::ZERO, places: 8 }]);
    let run = Run::whole(settings.clone());
    assert_eq!((run.counts(), run.states(1)), (vec![], vec![(45, RolloutState::Completed)]));
    settings.timing.gone_after = Some(rollscope_tests::base::seconds(100));
    let run = Run::whole(settings);
    assert_eq!(run.states(1)[0].1, RolloutState::Completed, "two attempts, and a healthy task resets the count");
    assert_eq!(&run.counts()[..2], [1, 2]);
}

#[test]
fn three_attempts_to_resolve_the_digests() {
    let mut settings = guarded(2, 100, 200);
    settings.revisions[1].digest_fails = true;
    let run = Run::whole(settings.clone());
    assert_eq!(run.states(1), [(60, RolloutState::Failed)]);
    assert_eq!((run.starts(8), run.last_service().status()), (0, ServiceStatus::RollbackSuccessful));
    params(&mut settings).breaker = None;
    let run = Run::whole(settings.clone());
    assert_eq!((run.states(1).len(), run.starts(8)), (1, 2), "it goes on without digests");
    params(&mut settings).breaker = Some(breaker(Threshold::default()));
    readings(&mut settings).digest_drill = true;
    new_tasks(&mut settings, start_fails(1_000), &[]);
    let run = Run::until(settings, 600);
    assert_eq!((run.counts(), run.states(1)), (vec![], vec![]));
    assert!(run.failures().iter().all(|f| f.verdict == FailureVerdict::Drill));
}

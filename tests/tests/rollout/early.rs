//! Early success: gate, order, the end of protection, and what comes after it.

use rollscope_engine::Ending;
use rollscope_engine::platform::ecs::{Cleanup, Threshold};
use rollscope_engine::settings::{AlarmState, Command, Fate, RolloutState};
use rollscope_engine::sim::service_deployment::{MonitorStatus, Protection, ProtectionEnd, ServiceStatus};
use rollscope_engine::trace::{FailureVerdict, ServiceChange, TaskChange};
use rollscope_tests::base::{S, seconds};

use crate::run::*;

/// Ten tasks, gate 8; the first eight new ones are healthy at 100 s, the last two take 900 s; a stop
/// takes 330 s.
fn slow_tail(cleanup: Cleanup) -> rollscope_engine::Settings {
    let mut settings = guarded(10, 50, 200);
    settings.timing.healthy_after = Some(seconds(100));
    settings.timing.gone_after = Some(seconds(330));
    params(&mut settings).grace_ms = 900 * S;
    new_tasks(&mut settings, Fate::Healthy, &[(9, Fate::Hangs), (10, Fate::Hangs)]);
    early(&mut settings, 80, cleanup);
    settings
}

fn completed(run: &Run) -> u64 {
    let states = run.states(1);
    assert_eq!(states[0].1, RolloutState::Completed, "{states:?}");
    states[0].0
}

#[test]
fn the_old_tasks_decide_in_blocking_form_only() {
    // The old ones that the floor of 5 spares at once are gone at 330 s, the last five at 430 s.
    assert_eq!(completed(&Run::whole(slow_tail(Cleanup::Blocking))), 430);
    let run = Run::whole(slow_tail(Cleanup::Deferred));
    assert_eq!(completed(&run), 100);
    let began = run.changes(|change| match change {
        ServiceChange::CleanupBegins { until } => Some(until.ms()),
        _ => None,
    });
    assert_eq!(began, [(100_000, 100_000 + 1_209_600_000)]);
    assert_eq!(run.healthy(7), 0, "they go all the same");
}

#[test]
fn with_alarms_the_bake_time_runs_from_the_gate_on() {
    for (cleanup, gone, done) in [
        (Cleanup::Blocking, 330, 700),
        (Cleanup::Deferred, 330, 700),
        (Cleanup::Blocking, 900, 1_000),
        (Cleanup::Deferred, 900, 700),
    ] {
        let mut settings = slow_tail(cleanup);
        settings.timing.gone_after = Some(seconds(gone));
        watch(&mut settings, Some(600), &[]);
        assert_eq!(completed(&Run::whole(settings)), done, "{cleanup:?}, {gone} s");
    }
}

#[test]
fn an_alarm_before_the_end_rolls_back_in_both_forms() {
    for cleanup in [Cleanup::Blocking, Cleanup::Deferred] {
        let mut settings = slow_tail(cleanup);
        watch(&mut settings, Some(600), &[(650, AlarmState::Alarm)]);
        let run = Run::whole(settings);
        assert_eq!(run.states(1), [(670, RolloutState::Failed)]);
        assert_eq!((run.last_service().status(), run.healthy(7)), (ServiceStatus::RollbackSuccessful, 10));
    }
}

#[test]
fn after_the_success_the_same_revision_is_tried_again_without_end() {
    let mut settings = slow_tail(Cleanup::Deferred);
    new_tasks(&mut settings, Fate::Healthy, &[]);
    let tail: Vec<(u32, Fate)> = (9..200).map(|k| (k, start_fails(120_000))).collect();
    new_tasks(&mut settings, Fate::Healthy, &tail);
    let run = Run::whole(settings);
    assert_eq!(completed(&run), 100);
    assert_eq!((run.counts(), run.states(1).len()), (vec![], 1));
    let ended = run.failures().iter().filter(|f| f.verdict == FailureVerdict::Ended).count();
    assert!(ended > 20, "{ended}");
    let service = run.last_service();
    assert_eq!(service.breaker.status, MonitorStatus::Complete);
    assert!(matches!(service.protection, Protection::Ended { why: ProtectionEnd::Successful, .. }));
}

#[test]
fn the_counts_of_the_moment_of_success_stay() {
    let run = Run::whole(slow_tail(Cleanup::Deferred));
    let target = run.last_service().tasks[0];
    assert_eq!((target.requested, target.running, target.healthy), (10, 10, 8));
    assert_eq!(run.sim.service_deployments()[0], run.last_service());
}

#[test]
fn stopping_it_afterwards_is_refused() {
    let mut settings = slow_tail(Cleanup::Deferred);
    act(&mut settings, 200, Command::StopDeployment);
    let run = Run::whole(settings);
    assert_eq!(run.statuses(0), [ServiceStatus::InProgress, ServiceStatus::Successful]);
}

#[test]
fn a_lost_gate_delays_the_end_and_not_the_bake_time() {
    // Gate 8 of 10 at 100 s, bake until 400 s; the replacement of a lost task is healthy 100 s later.
    for (lost, done) in [(399, 499), (250, 400)] {
        let mut settings = guarded(10, 50, 100);
        settings.start.deployments.clear();
        settings.timing.healthy_after = Some(seconds(100));
        params(&mut settings).grace_ms = 3_600 * S;
        // Tasks 9 and 10 never count.
        new_tasks(&mut settings, Fate::Healthy, &[(9, Fate::Hangs), (10, Fate::Hangs)]);
        early(&mut settings, 80, Cleanup::Deferred);
        watch(&mut settings, Some(300), &[]);
        act(&mut settings, lost, Command::Kill(name(8, 1)));
        let run = Run::whole(settings);
        let states = run.states(0);
        assert_eq!((states[0].0, states[0].1), (done, RolloutState::Completed), "lost at {lost}");
    }
}

#[test]
fn a_protected_task_outlives_the_two_weeks() {
    let mut settings = slow_tail(Cleanup::Deferred);
    act(&mut settings, 10, Command::Protect { task: name(7, 10), for_ms: None });
    let run = Run::whole(settings);
    assert_eq!(completed(&run), 100);
    let given_up = run.changes(|change| match change {
        ServiceChange::CleanupGivenUp { left } => Some(*left),
        _ => None,
    });
    assert_eq!(given_up, [((100 + 1_209_600) * S, 1)]);
    assert_eq!(run.healthy(7), 1);
    assert!(run.sim.deployments().any(|d| d.left_for_good));
    assert_eq!(run.sim.ending(), Some(Ending::Quiet));
    assert!(run.sim.events_done() < 400, "{}", run.sim.events_done());
}

#[test]
fn a_protection_that_ends_lets_the_task_go() {
    let mut settings = slow_tail(Cleanup::Deferred);
    act(&mut settings, 0, Command::Protect { task: name(7, 10), for_ms: Some(2_880 * 60 * S) });
    let run = Run::whole(settings);
    let picked = run.moments(name(7, 10), |change| matches!(change, TaskChange::StopDecided(_)));
    assert_eq!(picked, [172_800 * S]);
}

#[test]
fn in_blocking_form_a_protected_task_holds_the_end_up() {
    let mut settings = slow_tail(Cleanup::Blocking);
    act(&mut settings, 0, Command::Protect { task: name(7, 10), for_ms: Some(7_200 * S) });
    assert_eq!(completed(&Run::whole(settings)), 7_530);
}

#[test]
fn leftovers_hold_the_room_of_new_tasks() {
    // Ceiling 4: two protected old tasks and two new ones; the other two wait.
    let mut settings = guarded(4, 0, 100);
    early(&mut settings, 50, Cleanup::Deferred);
    settings.start.deploy = None;
    for start in [1, 2] {
        act(&mut settings, 0, Command::Protect { task: name(7, start), for_ms: None });
    }
    act(&mut settings, 1, Command::Deploy { revision: 8, behaviour: None });
    let mut stopped = settings.clone();
    let run = Run::until(settings, 3_600);
    assert_eq!(run.last_service().status(), ServiceStatus::Successful);
    assert_eq!((run.healthy(7), run.healthy(8), run.starts(8)), (2, 2, 2));
    act(&mut stopped, 60, Command::Unprotect(name(7, 1)));
    let run = Run::until(stopped, 3_600);
    assert_eq!((run.healthy(7), run.healthy(8)), (1, 3));
}

#[test]
fn a_gate_that_is_met_before_the_third_failure_wins() {
    let mut settings = guarded(2, 50, 200);
    params(&mut settings).breaker = Some(breaker(Threshold::Count(3)));
    early(&mut settings, 50, Cleanup::Deferred);
    new_tasks(
        &mut settings,
        start_fails(60_000),
        &[(1, start_fails(1_000)), (2, start_fails(2_000)), (3, Fate::Healthy)],
    );
    let run = Run::whole(settings);
    assert_eq!(run.counts(), [1, 2, 0]);
    assert_eq!(completed(&run), 11);
}

#[test]
fn the_next_deployment_may_begin_at_once_and_fall_back_on_this_one() {
    let mut settings = slow_tail(Cleanup::Deferred);
    let behaviour = rollscope_engine::settings::Behaviour { fate: start_fails(1_000), ..Default::default() };
    act(&mut settings, 160, Command::Deploy { revision: 9, behaviour: Some(behaviour) });
    let run = Run::whole(settings);
    assert_eq!(run.statuses(0), [ServiceStatus::InProgress, ServiceStatus::Successful]);
    let service = run.last_service();
    assert_eq!(service.sources.len(), 2);
    assert_eq!(service.rollback.map(|rollback| rollback.revision), Some(8));
}

#[test]
fn without_tasks_it_is_done_when_the_old_ones_are_gone() {
    let mut settings = slow_tail(Cleanup::Deferred);
    params(&mut settings).desired = 0;
    assert_eq!(completed(&Run::whole(settings)), 330);
}

#[test]
fn a_switch_keeps_the_old_tasks_until_the_gate() {
    let mut settings = slow_tail(Cleanup::Blocking);
    readings(&mut settings).hold_source_until_gate = true;
    let run = Run::whole(settings);
    let first = run.moments(name(7, 1), |change| matches!(change, TaskChange::StopDecided(_)));
    assert_eq!((first, completed(&run)), (vec![100 * S], 430));
    // Without room for the eight that the gate wants, old tasks have to go.
    let mut settings = slow_tail(Cleanup::Blocking);
    params(&mut settings).maximum_percent = 120;
    readings(&mut settings).hold_source_until_gate = true;
    let run = Run::whole(settings);
    assert_eq!(run.last_service().status(), ServiceStatus::Successful);
}

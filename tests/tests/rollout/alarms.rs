//! Alarms, the bake time, and alarms that follow the answers.

use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::settings::{AlarmState, BadResponses, Command, RolloutState};
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, ServiceStatus};
use rollscope_engine::trace::{DeploymentChange, ServiceChange, What};
use rollscope_engine::{SimTime, Trace};
use rollscope_tests::base::S;

use crate::run::*;

/// New tasks healthy at 10 s, old ones gone at 15 s; then a bake time.
fn baking(bake_s: Option<u64>, changes: &[(u64, AlarmState)]) -> Run {
    let mut settings = guarded(4, 100, 200);
    params(&mut settings).breaker = None;
    watch(&mut settings, bake_s, changes);
    Run::whole(settings)
}

const FIRES: AlarmState = AlarmState::Alarm;

#[test]
fn completed_when_the_bake_time_is_over() {
    for (bake, done) in [(Some(600), 615), (Some(0), 15), (None, 195)] {
        let run = baking(bake, &[]);
        assert_eq!(run.states(1), [(done, RolloutState::Completed)], "{bake:?}");
        assert_eq!(run.last_service().alarms.status, MonitorStatus::Complete);
    }
}

#[test]
fn an_alarm_fails_it_twenty_seconds_later() {
    let run = baking(Some(600), &[(5, FIRES)]);
    assert_eq!(run.states(1), [(25, RolloutState::Failed)]);
    let service = run.last_service();
    assert_eq!((service.alarms.status, service.alarms.triggered.clone()), (MonitorStatus::Triggered, vec![0]));
    assert_eq!(service.rollback.map(|rollback| rollback.by), Some(FailedBy::Alarm));
    assert_eq!(service.status(), ServiceStatus::RollbackSuccessful);
    let bakes = run.changes(|change| matches!(change, ServiceChange::BakeBegins { .. }).then_some(()));
    assert_eq!(bakes, [(15_000, ())], "the rollback is not watched: the alarm is still on");
}

#[test]
fn in_the_bake_time_the_old_tasks_start_afresh() {
    let run = baking(Some(600), &[(400, FIRES)]);
    assert_eq!(run.states(1), [(420, RolloutState::Failed)]);
    assert_eq!((run.healthy(7), run.starts(7)), (4, 4));
    let gone = |record: &rollscope_engine::trace::Record| match record.what {
        What::Deployment { id, change: DeploymentChange::Gone, .. } if id.0 == 0 => Some(record.at),
        _ => None,
    };
    assert_eq!(run.trace.records.iter().find_map(gone), None, "the old deployment stays ACTIVE without tasks");
}

#[test]
fn after_the_end_and_with_a_wrong_state_nothing_happens() {
    for changes in [&[(616, FIRES)][..], &[(5, AlarmState::InsufficientData)], &[(600, FIRES)]] {
        let run = baking(Some(600), changes);
        assert_eq!(run.states(1), [(615, RolloutState::Completed)], "{changes:?}");
    }
}

#[test]
fn an_alarm_that_is_on_at_the_start_silences_all_of_them() {
    let mut settings = guarded(4, 100, 200);
    watch(&mut settings, Some(600), &[(0, FIRES), (3, AlarmState::Ok), (8, FIRES)]);
    watch(&mut settings, Some(600), &[(9, FIRES)]);
    let run = Run::whole(settings);
    assert_eq!(run.states(1), [(15, RolloutState::Completed)], "and there is no bake time");
    assert!(run.last_service().alarms.ignored);
}

#[test]
fn watching_begins_with_the_first_task_that_runs() {
    let mut settings = guarded(4, 100, 200);
    watch(&mut settings, Some(600), &[(1, FIRES)]);
    let run = Run::whole(settings);
    assert_eq!(run.states(1), [(23, RolloutState::Failed)], "RUNNING at 3 s, 20 s later");
}

#[test]
fn an_alarm_set_by_hand_is_the_same() {
    let mut settings = guarded(4, 100, 200);
    watch(&mut settings, Some(600), &[]);
    act(&mut settings, 5, Command::SetAlarm { alarm: 0, state: FIRES });
    act(&mut settings, 6, Command::SetAlarm { alarm: 7, state: FIRES });
    let run = Run::whole(settings);
    assert_eq!(run.states(1), [(25, RolloutState::Failed)]);
}

/// New tasks answer one request in a hundred badly; the alarm is on above one in 250 for 60 s.
fn derived(bad: (u32, u32), over: (u32, u32)) -> rollscope_engine::Settings {
    let mut settings = guarded(4, 100, 200);
    watch(&mut settings, Some(600), &[]);
    settings.alarms[0].derived = Some(BadResponses { over, for_ms: 60 * S });
    settings.revisions[1].behaviour.bad_responses = Some(bad);
    settings
}

#[test]
fn bad_answers_raise_the_alarm() {
    // At 10 s half of the healthy tasks are new for no time: the old ones are picked to stop at once.
    let run = Run::whole(derived((1, 100), (1, 250)));
    assert_eq!(run.states(1), [(90, RolloutState::Failed)], "above the level from 10 s on, 60 s, 20 s");
    // Exactly at the level is not over it.
    let run = Run::whole(derived((1, 100), (1, 100)));
    assert_eq!(run.states(1), [(615, RolloutState::Completed)]);
}

#[test]
fn the_share_of_traffic_counts() {
    // One new task of four is healthy: a quarter of 1 % is not above 0.3 %, two of five are.
    let mut settings = derived((1, 100), (3, 1_000));
    params(&mut settings).minimum_healthy_percent = 100;
    params(&mut settings).maximum_percent = 125;
    params(&mut settings).breaker = Some(breaker(Threshold::Count(9)));
    let run = Run::whole(settings);
    let fired = run.trace.records.iter().find_map(|r| match r.what {
        What::Alarm { state: AlarmState::Alarm, .. } => Some(r.at.ms()),
        _ => None,
    });
    // Waves of 15 s: the second new task is healthy at 25 s, the level is crossed then.
    assert_eq!(fired, Some(85_000));
}

#[test]
fn it_recovers_as_slowly_as_it_fires() {
    let run = Run::whole(derived((1, 100), (1, 250)));
    let alarms: Vec<(u64, AlarmState)> = run
        .trace
        .records
        .iter()
        .filter_map(|r| if let What::Alarm { state, .. } = r.what { Some((r.at.ms(), state)) } else { None })
        .collect();
    assert_eq!(alarms.len(), 2);
    assert_eq!(alarms[0], (70_000, AlarmState::Alarm));
    assert_eq!(alarms[1].1, AlarmState::Ok);
}

#[test]
fn idle_days_with_a_derived_alarm_cost_nothing() {
    let mut settings = derived((1, 100), (1, 50));
    settings.until = Some(SimTime(14 * 86_400 * S));
    let run = Run::whole(settings);
    assert!(run.sim.events_done() < 200, "{}", run.sim.events_done());
    let mut sim = run.sim.clone();
    assert!(sim.apply(Command::SetAlarm { alarm: 0, state: AlarmState::InsufficientData }, &mut Trace::null()));
}

//! Who comes back, and what happens when nobody can.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{AlarmState, Behaviour, Command, Fate, RolloutState};
use rollscope_engine::sim::service_deployment::{
    FailedBy, Protection, ProtectionEnd, ServiceDeployment, ServiceStatus,
};
use rollscope_engine::trace::ServiceChange;
use rollscope_tests::base::S;

use crate::run::*;

/// Four tasks; every start of the new revision fails.
fn failing() -> rollscope_engine::Settings {
    let mut settings = guarded(4, 100, 200);
    new_tasks(&mut settings, start_fails(1_000), &[]);
    settings
}

fn ended(service: &ServiceDeployment) -> Option<ProtectionEnd> {
    match service.protection {
        Protection::Ended { why, .. } => Some(why),
        _ => None,
    }
}

#[test]
fn the_old_deployment_itself_comes_back() {
    let mut settings = failing();
    // Two old tasks are lost before the trip and made good by the rollback.
    new_tasks(&mut settings, start_fails(20_000), &[(1, Fate::Healthy), (2, Fate::Healthy)]);
    let run = Run::whole(settings);
    assert_eq!(
        run.statuses(0),
        [ServiceStatus::InProgress, ServiceStatus::RollbackInProgress, ServiceStatus::RollbackSuccessful]
    );
    let of_old: Vec<RolloutState> = run.states(0).into_iter().map(|(_, state)| state).collect();
    assert_eq!(of_old, [RolloutState::InProgress, RolloutState::Completed]);
    let service = run.last_service();
    let rollback = service.rollback.expect("it was rolled back");
    assert_eq!((rollback.by, rollback.to.0, rollback.revision), (FailedBy::Breaker, 0, 7));
    assert_eq!((run.healthy(7), run.healthy(8)), (4, 0));
    assert_eq!(run.sim.deployments().count(), 1);
    assert_eq!(ended(&service), Some(ProtectionEnd::RolledBack));
}

#[test]
fn a_candidate_without_tasks_is_not_forgotten() {
    let mut settings = guarded(2, 0, 100);
    new_tasks(&mut settings, start_fails(1_000), &[]);
    let run = Run::whole(settings);
    assert_eq!(run.last_service().status(), ServiceStatus::RollbackSuccessful);
    assert_eq!((run.healthy(7), run.starts(7)), (2, 2), "both old tasks were gone and start afresh");
}

#[test]
fn the_first_deployment_has_nothing_to_go_back_to() {
    let mut settings = guarded(2, 100, 200);
    settings.start.deployments.clear();
    new_tasks(&mut settings, start_fails(1_000), &[]);
    let run = Run::whole(settings);
    assert_eq!(run.counts(), [1, 2, 3]);
    let service = run.last_service();
    assert_eq!(service.status(), ServiceStatus::RollbackFailed);
    assert_eq!((service.rollback, ended(&service)), (None, Some(ProtectionEnd::NoCandidate)));
    let told = run.changes(|change| matches!(change, ServiceChange::ProtectionEnded(_)).then_some(()));
    assert_eq!(told, [(0, ())], "it never was protected");
    assert_eq!(run.starts(8), 4, "two at a time");
}

#[test]
fn with_rollback_off_the_old_tasks_serve_on() {
    let mut settings = failing();
    params(&mut settings).breaker.as_mut().expect("it is on").rollback = false;
    act(&mut settings, 60, Command::Kill(name(7, 1)));
    let run = Run::whole(settings);
    assert_eq!(run.statuses(0), [ServiceStatus::InProgress, ServiceStatus::StopRequested, ServiceStatus::Stopped]);
    assert_eq!(run.states(1).len(), 1);
    assert!(run.last_service().stopped.is_some());
    assert_eq!((run.healthy(7), run.starts(7)), (4, 1), "a lost old task is made good by its own revision");
}

#[test]
fn the_last_old_task_is_made_good_too() {
    let mut settings = guarded(1, 100, 200);
    params(&mut settings).breaker = None;
    params(&mut settings).grace_ms = 86_400 * S;
    new_tasks(&mut settings, Fate::Hangs, &[]);
    act(&mut settings, 10, Command::Kill(name(7, 1)));
    let run = Run::until(settings.clone(), 60);
    assert_eq!((run.starts(7), run.healthy(7)), (1, 1));
    // Once the new one is healthy nobody needs it.
    new_tasks(&mut settings, Fate::Healthy, &[]);
    settings.acts[0].at = rollscope_engine::SimTime(9_999);
    let run = Run::whole(settings);
    assert_eq!((run.starts(7), run.sim.deployments().count()), (0, 1));
}

/// Deployment 2 fails, deployment 3 starts while deployment 1 is being restored.
fn third(behaviour: Behaviour) -> Run {
    let mut settings = failing();
    // The old tasks die when the second deployment begins, so that the rollback takes until 10 s.
    for start in 1..=4 {
        act(&mut settings, 0, Command::Kill(name(7, start)));
    }
    act(&mut settings, 8, Command::Deploy { revision: 9, behaviour: Some(behaviour) });
    Run::whole(settings)
}

#[test]
fn deployment_one_two_three() {
    let failing = Behaviour { fate: start_fails(500), ..Behaviour::default() };
    let run = third(failing);
    assert_eq!(run.statuses(0).last(), Some(&ServiceStatus::RollbackFailed), "superseded while it rolled back");
    assert_eq!(
        run.statuses(1),
        [ServiceStatus::InProgress, ServiceStatus::RollbackInProgress, ServiceStatus::RollbackFailed]
    );
    assert_eq!(run.sim.rollback_candidate(), None);
    let starts = run.starts(9);
    assert!((3..=8).contains(&starts), "it may launch until it trips: {starts}");
    let one = run.sim.deployments().find(|d| d.revision == 7).expect("its tasks serve on");
    assert_eq!((one.state, one.primary, one.tasks.healthy), (RolloutState::InProgress, false, 4));
}

#[test]
fn a_third_deployment_that_is_steady_is_the_next_candidate() {
    let run = third(Behaviour::default());
    assert_eq!(run.statuses(1).last(), Some(&ServiceStatus::Successful));
    assert_eq!(run.sim.deployments().count(), 1);
    assert_eq!((run.healthy(9), run.sim.deployments().next_back().expect("it is PRIMARY").id.0), (4, 2));
}

#[test]
fn a_superseded_deployment_is_skipped() {
    let mut settings = guarded(4, 100, 200);
    act(
        &mut settings,
        4,
        Command::Deploy { revision: 9, behaviour: Some(Behaviour { fate: start_fails(500), ..Behaviour::default() }) },
    );
    let run = Run::whole(settings);
    assert_eq!(run.statuses(0), [ServiceStatus::InProgress, ServiceStatus::StopRequested, ServiceStatus::Stopped]);
    let service = run.last_service();
    assert_eq!(service.sources.iter().map(|(_, revision)| *revision).collect::<Vec<_>>(), [7, 8]);
    assert_eq!(service.rollback.map(|rollback| rollback.revision), Some(7));
    assert_eq!((run.healthy(7), run.healthy(8)), (4, 0));
}

#[test]
fn a_rollback_that_fails_itself_stalls() {
    let mut settings = guarded(4, 0, 100);
    new_tasks(&mut settings, start_fails(1_000), &[]);
    settings.revisions[0].behaviour.fate = start_fails(1_000);
    let run = Run::whole(settings);
    assert_eq!(
        run.statuses(0),
        [ServiceStatus::InProgress, ServiceStatus::RollbackInProgress, ServiceStatus::RollbackFailed]
    );
    let of_old: Vec<RolloutState> = run.states(0).into_iter().map(|(_, state)| state).collect();
    assert_eq!(of_old, [RolloutState::InProgress, RolloutState::Failed]);
    assert_eq!(run.counts(), [1, 2, 3, 1, 2, 3], "its count is a fresh one");
}

#[test]
fn a_person_may_stop_a_deployment_even_with_rollback_off() {
    let mut settings = guarded(4, 100, 200);
    params(&mut settings).breaker = None;
    act(&mut settings, 5, Command::StopDeployment);
    act(&mut settings, 6, Command::StopDeployment);
    let stopped = Run::until(settings.clone(), 6);
    let view = stopped.sim.deployments().find(|d| d.revision == 8).expect("its tasks are on their way out");
    assert!(view.launches_none && !view.primary && view.second_stage);
    let run = Run::whole(settings);
    assert_eq!(
        run.statuses(0),
        [
            ServiceStatus::InProgress,
            ServiceStatus::RollbackRequested,
            ServiceStatus::RollbackInProgress,
            ServiceStatus::RollbackSuccessful
        ]
    );
    assert_eq!(run.states(1), [], "nothing failed");
    assert_eq!(run.last_service().stopped, Some(SimTime(5 * S)), "stoppedAt: when the person stopped it");
    assert_eq!((run.healthy(7), run.healthy(8)), (4, 0));
    let effective = |record: &rollscope_engine::trace::Record| match record.what {
        rollscope_engine::trace::What::Act { effective, .. } => Some(effective),
        _ => None,
    };
    let acts: Vec<bool> = run.trace.records.iter().filter_map(effective).collect();
    assert_eq!(acts, [true, false], "the second one finds a rollback under way");
}

#[test]
fn stopping_the_first_deployment_ever_leaves_nothing_to_launch() {
    let mut settings = guarded(4, 100, 200);
    settings.start.deployments.clear();
    new_tasks(&mut settings, start_fails(4_000), &[]);
    act(&mut settings, 2, Command::StopDeployment);
    let run = Run::whole(settings);
    assert_eq!(run.statuses(0), [ServiceStatus::InProgress, ServiceStatus::RollbackRequested, ServiceStatus::Stopped]);
    assert_eq!((run.starts(8), run.counts()), (4, vec![]));
}

#[test]
fn whichever_fires_first_decides_with_its_own_flag() {
    let settings = |fate: Fate| {
        let mut settings = guarded(4, 100, 200);
        params(&mut settings).breaker.as_mut().expect("it is on").rollback = false;
        watch(&mut settings, None, &[(40, AlarmState::Alarm)]);
        new_tasks(&mut settings, fate, &[(1, Fate::Hangs)]);
        params(&mut settings).grace_ms = 3_600 * S;
        settings
    };
    let breaker_first = Run::whole(settings(start_fails(1_000)));
    assert_eq!(breaker_first.last_service().status(), ServiceStatus::Stopped);
    let alarm_first = Run::whole(settings(Fate::Hangs));
    assert_eq!(alarm_first.last_service().status(), ServiceStatus::RollbackSuccessful);
    assert_eq!(alarm_first.states(1), [(60, RolloutState::Failed)], "20 s after ALARM");
}

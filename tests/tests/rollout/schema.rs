//! The boot gate: tasks that expect a newer schema than there is.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, RolloutState};
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{StopCode, TaskChange};
use rollscope_tests::base::S;

use crate::run::*;

fn gated(expected: u32, actual: u32) -> rollscope_engine::Settings {
    let mut settings = guarded(2, 100, 200);
    settings.revisions[0].expects_schema = Some(41);
    settings.revisions[1].expects_schema = Some(expected);
    settings.schema = vec![(SimTime::ZERO, actual)];
    settings
}

#[test]
fn an_older_schema_is_refused_and_the_rollback_passes() {
    let run = Run::whole(gated(42, 41));
    let stopped = run.moments(name(8, 1), |change| *change == TaskChange::Stopped(StopCode::EssentialContainerExited));
    assert_eq!(stopped, [4 * S], "RUNNING at 3 s, one line in the log, exit");
    assert_eq!(run.counts(), [1, 2, 3]);
    assert_eq!((run.last_service().status(), run.healthy(7)), (ServiceStatus::RollbackSuccessful, 2));
}

#[test]
fn an_equal_or_newer_schema_passes() {
    for (expected, actual) in [(41, 42), (42, 42)] {
        let run = Run::whole(gated(expected, actual));
        assert_eq!(run.states(1), [(15, RolloutState::Completed)], "{expected} of {actual}");
    }
}

#[test]
fn what_counts_is_the_schema_at_the_start_of_the_task() {
    let mut settings = gated(42, 41);
    settings.schema.push((SimTime(5 * S), 42));
    let run = Run::whole(settings);
    assert_eq!(run.counts(), [1, 2, 0], "the first two were refused");
    assert_eq!(run.last_service().status(), ServiceStatus::Successful);
    let mut settings = gated(42, 41);
    act(&mut settings, 2, Command::SetSchema(43));
    assert_eq!(Run::whole(settings).counts(), []);
}

#[test]
fn a_worker_without_a_check_is_refused_for_ever_and_nobody_sees_it() {
    let mut settings = gated(42, 41);
    settings.containers.clear();
    settings.timing.healthy_after = None;
    let run = Run::until(settings, 600);
    assert_eq!(run.counts(), []);
    assert!(run.failures().len() > 50);
    assert_eq!(run.last_service().status(), ServiceStatus::InProgress);
}

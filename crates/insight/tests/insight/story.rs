//! The life of one task, and the moments behind the figures.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Reason, StopCause, StopCode};
use rollscope_insight::{Run, Story, outcome, run_to_end, story, story::find};

use crate::service;

const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;

fn run(desired: u32, minimum: u32, maximum: u32, more: &str) -> Run {
    run_to_end(service(desired, minimum, maximum, more).settings)
}

fn of(run: &Run, revision: u32, start: u32) -> Story {
    let id = find(run.view(), TaskName { revision, start }).expect("the run knows it");
    story(run.view(), id).expect("it has a life")
}

/// State with its seconds.
fn spans(story: &Story) -> Vec<(TaskState, u64, Option<u64>)> {
    story.spans.iter().map(|s| (s.state, s.from.ms() / 1_000, s.to.map(|to| to.ms() / 1_000))).collect()
}

#[test]
fn a_new_and_an_old_task() {
    let run = run(4, 100, 200, r#""targetGroups": [{}]"#);
    let new = of(&run, 8, 3);
    assert_eq!(
        spans(&new),
        [
            (TaskState::Waiting, 0, Some(5)),
            (TaskState::Starting, 5, Some(15)),
            (TaskState::Checking, 15, Some(45)),
            (TaskState::Healthy, 45, None),
        ]
    );
    assert_eq!((new.slot, new.stop, new.code), (6, None, None));
    assert_eq!(new.started, Some(Reason::RoomToStart { ceiling: 8, total: 4, need: 4, started: 4 }));
    let old = of(&run, 7, 1);
    assert_eq!(
        spans(&old),
        [
            (TaskState::Healthy, 0, Some(45)),
            (TaskState::Draining, 45, Some(75)),
            (TaskState::Stopping, 75, Some(77)),
            (TaskState::Stopped, 77, None),
        ]
    );
    let stop = old.stop.expect("it was picked");
    assert_eq!((stop.at, stop.cause), (SimTime(45_000), StopCause::Replaced));
    assert_eq!(stop.reason, Some(Reason::SpareToStop { healthy: 8, floor: 4, stopped: 4 }));
    assert_eq!((old.started, old.code), (None, Some(StopCode::ServiceSchedulerInitiated)));
    // Where it stands at a moment, and what comes next.
    assert_eq!(old.at(SimTime(50_000)).map(|span| span.state), Some(TaskState::Draining));
    assert_eq!(old.next(SimTime(50_000)).map(|span| span.from), Some(SimTime(75_000)));
    assert_eq!(old.next(SimTime(90_000)), None);
    assert_eq!(new.at(SimTime::ZERO).map(|span| span.state), Some(TaskState::Waiting));
}

#[test]
fn tasks_that_end_otherwise() {
    let bad = format!(r#"{FIXED}, "new": {{"by_start": {{"1": "never_running"}}}}"#);
    let failed = of(&run(1, 100, 200, &bad), 8, 1);
    assert_eq!(spans(&failed).last(), Some(&(TaskState::Failed, 15, None)));
    assert_eq!((failed.stop, failed.code), (None, Some(StopCode::TaskFailedToStart)));
    let stopped = format!(r#"{FIXED}, "acts": [{{"at": "50s", "do": "stop_task", "task": "8·1"}}]"#);
    let by_hand = of(&run(4, 100, 150, &stopped), 8, 1);
    let stop = by_hand.stop.expect("somebody stopped it");
    assert_eq!((stop.cause, stop.reason), (StopCause::User, None));
    assert_eq!(by_hand.code, Some(StopCode::UserInitiated));
    let unhealthy = r#""targetGroups": [{}], "new": {"by_start": {"1": "never_passes"}}"#;
    let never = of(&run(1, 100, 200, unhealthy), 8, 1);
    let stop = never.stop.expect("it never passes");
    assert_eq!((stop.cause, stop.reason), (StopCause::Unhealthy, Some(Reason::NeverHealthy { stopped: 1 })));
    // Found unhealthy and stopped in the same moment: it never had a target in rotation to drain. The
    // code is the scheduler's, as of a stop on purpose; the failed check makes a failure of it.
    assert_eq!(never.code, Some(StopCode::ServiceSchedulerInitiated));
    assert_eq!(spans(&never).iter().map(|s| s.0).collect::<Vec<_>>()[3..], [TaskState::Stopping, TaskState::Failed]);
}

#[test]
fn a_task_the_run_does_not_know_has_no_story() {
    let run = run(1, 100, 200, FIXED);
    assert_eq!(find(run.view(), TaskName { revision: 9, start: 1 }), None);
    assert_eq!(story(run.view(), rollscope_engine::trace::InstanceId(99)), None);
}

#[test]
fn every_figure_has_its_moment() {
    // Two at a time: 6 exist at 0:00, both serve from 0:45 to 2:00.
    let o = outcome(run(4, 100, 150, FIXED).view());
    let at = o.figures.moments;
    assert_eq!((at.peak_tasks, at.lowest_healthy), (SimTime::ZERO, SimTime::ZERO));
    assert_eq!(at.both_versions, Some((SimTime(45_000), SimTime(120_000))));
    assert_eq!(at.most_extra, (2, SimTime::ZERO));
    assert_eq!(at.waves, Some((SimTime::ZERO, SimTime(75_000))));
    // Two stop and two start at 0:00: 2 healthy, and 6 at once until the first are gone.
    let at = outcome(run(4, 50, 150, FIXED).view()).figures.moments;
    assert_eq!((at.lowest_healthy, at.most_extra), (SimTime::ZERO, (2, SimTime::ZERO)));
    // Never both: one goes before the other one comes.
    assert_eq!(outcome(run(1, 0, 100, FIXED).view()).figures.moments.both_versions, None);
}

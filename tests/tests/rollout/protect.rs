//! Task scale-in protection.

use rollscope_engine::settings::{Command, Fate, RolloutState};
use rollscope_engine::trace::{Reason, StopCause, TaskChange};
use rollscope_engine::{Ending, SimTime};
use rollscope_tests::base::S;

use crate::run::*;

fn protect(settings: &mut rollscope_engine::Settings, starts: &[u32], for_ms: Option<u64>) {
    for start in starts {
        act(settings, 0, Command::Protect { task: name(7, *start), for_ms });
    }
}

#[test]
fn one_protected_task_holds_the_deployment_up_for_two_days() {
    let mut settings = guarded(4, 100, 200);
    protect(&mut settings, &[2], Some(2_880 * 60 * S));
    let early = Run::until(settings.clone(), 3_600);
    assert_eq!((early.healthy(7), early.healthy(8)), (1, 4));
    assert_eq!(early.sim.counts().physical(), 5);
    assert_eq!(early.sim.hold(), Some(Reason::Protected { tasks: 1 }));
    let run = Run::whole(settings);
    assert_eq!(run.states(1), [(172_805, RolloutState::Completed)]);
    assert_eq!(run.moments(name(7, 2), |change| *change == TaskChange::Unprotected), [172_800 * S]);
}

#[test]
fn tasks_are_protected_before_anything_is_decided() {
    // Everything old may stop at once: an act at 0 s comes too late, a start state does not.
    let mut late = guarded(4, 0, 100);
    protect(&mut late, &[1, 2], Some(120 * 60 * S));
    assert_eq!(Run::until(late, 60).healthy(7), 0);
    let mut settings = guarded(4, 0, 100);
    settings.start.deployments[0].protected = 2;
    let early = Run::until(settings.clone(), 60);
    assert_eq!((early.healthy(7), early.healthy(8)), (2, 2));
    let run = Run::whole(settings);
    assert_eq!(run.moments(name(7, 1), |change| *change == TaskChange::Unprotected), [7_200 * S], "two hours");
    assert_eq!((run.healthy(7), run.healthy(8)), (0, 4));
}

#[test]
fn with_a_low_ceiling_the_rollout_waits() {
    let mut settings = guarded(4, 100, 125);
    protect(&mut settings, &[1, 2, 3], None);
    let run = Run::whole(settings);
    assert_eq!((run.healthy(7), run.healthy(8), run.sim.counts().physical()), (3, 2, 5));
    assert_eq!(run.sim.hold(), Some(Reason::Protected { tasks: 3 }));
    assert_eq!(run.sim.ending(), Some(Ending::Quiet), "for ever is one interval");
}

#[test]
fn no_more_tasks_than_are_wanted_can_be_protected() {
    let mut settings = guarded(2, 100, 200);
    params(&mut settings).grace_ms = 3_600 * S;
    new_tasks(&mut settings, Fate::Hangs, &[]);
    protect(&mut settings, &[1, 2, 1], None);
    act(&mut settings, 5, Command::Protect { task: name(8, 1), for_ms: None });
    act(&mut settings, 6, Command::Unprotect(name(7, 1)));
    act(&mut settings, 7, Command::Protect { task: name(8, 1), for_ms: None });
    let run = Run::until(settings, 60);
    let protected: u32 = run.sim.deployments().map(|d| d.protected).sum();
    assert_eq!(protected, 2);
    assert_eq!(run.moments(name(8, 1), |change| matches!(change, TaskChange::Protected { .. })), [7 * S]);
}

#[test]
fn scale_in_takes_the_others() {
    let mut settings = guarded(4, 100, 200);
    settings.start.deploy = None;
    protect(&mut settings, &[1, 2], None);
    act(&mut settings, 10, Command::SetDesired(1));
    let run = Run::until(settings, 60);
    assert_eq!(run.healthy(7), 2, "one more than is wanted stays");
    for start in [1, 2] {
        assert_eq!(run.moments(name(7, start), |change| matches!(change, TaskChange::StopDecided(_))), []);
    }
}

#[test]
fn a_failed_check_a_person_and_an_exit_stop_a_protected_task() {
    let mut settings = guarded(4, 100, 200);
    settings.start.deploy = None;
    settings.revisions[0].behaviour.by_start = vec![(1, Fate::TurnsUnhealthyAfter(10_000))];
    protect(&mut settings, &[1, 2, 3], None);
    act(&mut settings, 20, Command::StopTask(name(7, 2)));
    act(&mut settings, 20, Command::Kill(name(7, 3)));
    let run = Run::until(settings, 600);
    let stopped = |start, cause| run.moments(name(7, start), |change| *change == TaskChange::StopDecided(cause)).len();
    assert_eq!((stopped(1, StopCause::Unhealthy), stopped(2, StopCause::User)), (1, 1));
    assert_eq!(run.sim.deployments().map(|d| d.protected).sum::<u32>(), 0);
    assert_eq!(run.healthy(7), 4);
}

#[test]
fn the_run_goes_on_for_sixteen_days() {
    let mut settings = guarded(4, 100, 200);
    params(&mut settings).grace_ms = 30 * 86_400 * S;
    new_tasks(&mut settings, Fate::NeverPasses, &[]);
    protect(&mut settings, &[1], None);
    let run = Run::whole(settings);
    assert_eq!((run.sim.ending(), run.sim.now()), (Some(Ending::Horizon), SimTime(16 * 86_400 * S)));
}

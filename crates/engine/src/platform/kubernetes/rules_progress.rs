//! When a rollout is complete, makes progress, or has taken too long. Source: kubernetes/kubernetes
//! pkg/controller/deployment/progress.go and util/deployment_util.go.

use super::conditions::{Because, Condition, Conditions, Status, Truth, set};
use crate::time::{SECOND, SimTime};

/// Every Pod is of the new ReplicaSet, none of another one is counted, and all are available.
/// `DeploymentComplete`.
///
/// Example: 5 wanted, 5 updated of 5 counted, 4 available: not complete.
pub const fn complete(replicas: u32, status: Status) -> bool {
    status.updated == replicas && status.replicas == replicas && status.available == replicas
}

/// Something got better since the status was last written: more updated Pods, fewer old ones, more ready
/// or more available ones. `DeploymentProgressing`.
///
/// Example: 8 counted, 4 updated after 10 and 4: progress, since the old ones fell from 6 to 4.
pub fn progressing(before: Status, after: Status) -> bool {
    let old = |status: Status| i64::from(status.replicas) - i64::from(status.updated);
    after.updated > before.updated
        || old(after) < old(before)
        || after.ready > before.ready
        || after.available > before.available
}

/// The time since the last progress is longer than the deadline. A rollout that has completed never times
/// out afterwards; one that has timed out stays so until there is progress. `DeploymentTimedOut`.
///
/// Example: deadline 10 s, last progress 11 s ago: timed out; 10 s ago: not yet.
pub fn timed_out(condition: Option<Condition>, deadline_ms: u64, now: SimTime) -> bool {
    match condition {
        None => false,
        Some(Condition { reason: Because::NewReplicaSetAvailable, .. }) => false,
        Some(Condition { reason: Because::ProgressDeadlineExceeded, .. }) => true,
        Some(condition) => condition.last_update + deadline_ms < now,
    }
}

/// What the timer of a rollout under way says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Requeue {
    /// No timer.
    Never,
    /// Less than a second is left: again at once.
    AtOnce,
    /// So many milliseconds are left; the pass comes one second later.
    After(u64),
}

/// When a pass that has nothing to write looks again. `requeueStuckDeployment`.
///
/// Example: deadline 60 s, 59 s since the last progress: 1 s is left, the pass comes after 2 s.
pub fn requeue(
    condition: Option<Condition>,
    deadline_ms: Option<u64>,
    replicas: u32,
    status: Status,
    now: SimTime,
) -> Requeue {
    let (Some(condition), Some(deadline)) = (condition, deadline_ms) else { return Requeue::Never };
    if complete(replicas, status) || condition.reason == Because::ProgressDeadlineExceeded {
        return Requeue::Never;
    }
    let left = (condition.last_update + deadline).since(now);
    if left < SECOND { Requeue::AtOnce } else { Requeue::After(left) }
}

/// The moment of that pass. Passes that follow each other at once do nothing until the deadline lies
/// strictly before them, so the one that counts comes a millisecond after it. After a rollout that has
/// completed no pass would find anything, however often the real controller looks.
///
/// Example: last progress at 90 s, deadline 600 s: 691 s.
pub fn next_look(condition: Option<Condition>, deadline_ms: Option<u64>, requeue: Requeue, now: SimTime) -> SimTime {
    match (requeue, condition, deadline_ms) {
        (_, Some(Condition { reason: Because::NewReplicaSetAvailable, .. }), _) => SimTime::NEVER,
        (Requeue::After(left), ..) => now + left + SECOND,
        (Requeue::AtOnce, Some(condition), Some(deadline)) => (condition.last_update + deadline + 1).max(now + 1),
        _ => SimTime::NEVER,
    }
}

/// What the end of a rolling pass makes of the conditions; `before` is the status as last written.
/// `syncRolloutStatus` with `calculateStatus`.
///
/// Example: `Progressing` is True/`ReplicaSetUpdated` since 90 s, deadline 600 s, nothing better at
/// 691 s: False/`ProgressDeadlineExceeded`. `Available` does not care.
pub fn refresh(
    conditions: &mut Conditions,
    (before, after): (Status, Status),
    replicas: u32,
    min_available: u32,
    deadline_ms: Option<u64>,
    now: SimTime,
) {
    refresh_available(conditions, after, min_available, now);
    let Some(deadline) = deadline_ms else {
        conditions.progressing = None;
        return;
    };
    let current = conditions.progressing;
    let settled = current.is_some_and(|condition| condition.reason == Because::NewReplicaSetAvailable);
    if settled && after.replicas == after.updated {
        return;
    }
    if complete(replicas, after) {
        set(&mut conditions.progressing, Truth::True, Because::NewReplicaSetAvailable, now);
    } else if progressing(before, after) {
        let mut next = Condition::new(Truth::True, Because::ReplicaSetUpdated, now);
        if let Some(current) = current.filter(|condition| condition.status == Truth::True) {
            next.last_transition = current.last_transition;
        }
        conditions.progressing = Some(next);
    } else if timed_out(current, deadline, now) {
        set(&mut conditions.progressing, Truth::False, Because::ProgressDeadlineExceeded, now);
    }
}

/// `Available`, which every refresh of the status evaluates.
pub fn refresh_available(conditions: &mut Conditions, status: Status, min_available: u32, now: SimTime) {
    let (truth, reason) = if status.available >= min_available {
        (Truth::True, Because::MinimumReplicasAvailable)
    } else {
        (Truth::False, Because::MinimumReplicasUnavailable)
    };
    set(&mut conditions.available, truth, reason, now);
}

/// `Progressing` follows the pause flag, unless there is no deadline or it has passed already.
/// `checkPausedConditions`. True when it changed.
pub fn follow_pause(conditions: &mut Conditions, paused: bool, deadline_ms: Option<u64>, now: SimTime) -> bool {
    let reason = conditions.progress();
    if deadline_ms.is_none() || reason == Some(Because::ProgressDeadlineExceeded) {
        return false;
    }
    let was = reason == Some(Because::DeploymentPaused);
    if was == paused {
        return false;
    }
    let reason = if paused { Because::DeploymentPaused } else { Because::DeploymentResumed };
    set(&mut conditions.progressing, Truth::Unknown, reason, now);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status((replicas, updated, ready, available): (u32, u32, u32, u32)) -> Status {
        Status { replicas, updated, ready, available }
    }

    fn since(reason: Because, ms: u64) -> Option<Condition> {
        Some(Condition::new(Truth::True, reason, SimTime(ms)))
    }

    #[test]
    fn complete_needs_every_count() {
        for (replicas, found, expected) in
            [(5, (5, 5, 5, 4), false), (5, (5, 5, 5, 5), true), (5, (5, 4, 5, 5), false), (1, (2, 1, 1, 1), false)]
        {
            assert_eq!(complete(replicas, status(found)), expected, "{found:?}");
        }
    }

    #[test]
    fn any_count_that_gets_better_is_progress() {
        for (before, after, expected) in [
            ((10, 4, 4, 4), (10, 6, 4, 4), true),
            ((10, 4, 6, 6), (8, 4, 6, 6), true),
            ((10, 7, 3, 3), (10, 6, 3, 3), false),
            ((10, 10, 9, 8), (10, 10, 10, 8), true),
        ] {
            assert_eq!(progressing(status(before), status(after)), expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn the_deadline_lies_strictly_before() {
        let now = SimTime(20_000);
        for (ago, expected) in [(11_000, true), (10_000, false), (9_000, false)] {
            let condition = since(Because::ReplicaSetUpdated, 20_000 - ago);
            assert_eq!(timed_out(condition, 10_000, now), expected, "{ago}");
        }
        assert!(!timed_out(None, 10_000, now));
        assert!(!timed_out(since(Because::NewReplicaSetAvailable, 0), 10_000, now));
        assert!(timed_out(since(Because::ProgressDeadlineExceeded, 20_000), 10_000, now));
    }

    #[test]
    fn the_timer_comes_a_second_late_or_at_once() {
        let since_0 = since(Because::ReplicaSetUpdated, 0);
        let deadline = Some(60_000);
        for (now, expected, look) in [
            (30_000, Requeue::After(30_000), 61_000),
            (59_000, Requeue::After(1_000), 61_000),
            (59_001, Requeue::AtOnce, 60_001),
        ] {
            let found = requeue(since_0, deadline, 5, Status::default(), SimTime(now));
            assert_eq!(found, expected, "{now}");
            assert_eq!(next_look(since_0, deadline, found, SimTime(now)), SimTime(look), "{now}");
        }
        let late = since(Because::ProgressDeadlineExceeded, 0);
        assert_eq!(requeue(late, deadline, 5, Status::default(), SimTime(1)), Requeue::Never);
        assert_eq!(requeue(since_0, None, 5, Status::default(), SimTime(1)), Requeue::Never);
        assert_eq!(requeue(since_0, deadline, 5, status((5, 5, 5, 5)), SimTime(1)), Requeue::Never);
        assert_eq!(next_look(since_0, deadline, Requeue::Never, SimTime(1)), SimTime::NEVER);
    }

    #[test]
    fn a_transition_keeps_its_time_while_the_status_does() {
        let now = SimTime(691_000);
        let run = |reason, truth, before, after, replicas| {
            let mut conditions = Conditions {
                progressing: Some(Condition::new(truth, reason, SimTime(90_000))),
                ..Conditions::default()
            };
            refresh(&mut conditions, (status(before), status(after)), replicas, 0, Some(600_000), now);
            conditions.progressing.map(|c| (c.status, c.reason, c.last_transition.ms()))
        };
        use Because::{NewReplicaSetAvailable, ProgressDeadlineExceeded, ReplicaSetUpdated};
        let (still, better) = ((5, 1, 4, 4), (5, 2, 4, 4));
        let (yes, no) = (Truth::True, Truth::False);
        assert_eq!(run(ReplicaSetUpdated, yes, still, still, 4), Some((no, ProgressDeadlineExceeded, 691_000)));
        assert_eq!(run(ReplicaSetUpdated, yes, still, better, 4), Some((yes, ReplicaSetUpdated, 90_000)));
        assert_eq!(run(ProgressDeadlineExceeded, no, still, better, 4), Some((yes, ReplicaSetUpdated, 691_000)));
        assert_eq!(run(ProgressDeadlineExceeded, no, still, still, 4), Some((no, ProgressDeadlineExceeded, 90_000)));
        let full = (4, 4, 4, 4);
        assert_eq!(run(ReplicaSetUpdated, yes, still, full, 4), Some((yes, NewReplicaSetAvailable, 90_000)));
        assert_eq!(
            run(NewReplicaSetAvailable, yes, full, (4, 4, 1, 1), 4),
            Some((yes, NewReplicaSetAvailable, 90_000))
        );
    }

    #[test]
    fn pausing_stops_the_clock_and_resuming_starts_it_anew() {
        let mut conditions = Conditions { progressing: since(Because::ReplicaSetUpdated, 0), ..Conditions::default() };
        assert!(!follow_pause(&mut conditions, true, None, SimTime(5)), "no deadline, no condition");
        assert!(follow_pause(&mut conditions, true, Some(1), SimTime(5)));
        assert!(!follow_pause(&mut conditions, true, Some(1), SimTime(6)));
        assert!(follow_pause(&mut conditions, false, Some(1), SimTime(9)));
        let resumed = conditions.progressing;
        assert_eq!(
            resumed.map(|c| (c.status, c.reason, c.last_update.ms())),
            Some((Truth::Unknown, Because::DeploymentResumed, 9))
        );
        conditions.progressing = Some(Condition::new(Truth::False, Because::ProgressDeadlineExceeded, SimTime(9)));
        assert!(!follow_pause(&mut conditions, true, Some(1), SimTime(10)), "a report of no progress stays");
    }
}

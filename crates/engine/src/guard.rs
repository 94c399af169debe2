//! Guards: checkers that watch every run from outside the scheduler, in release builds too.
//!
//! They keep their own books from the records alone and compare them with the limits, so an
//! error in the scheduler's own counting cannot hide from them.

use alloc::vec::Vec;

use crate::frame::{Counts, TaskState};
use crate::settings::RolloutState;
use crate::time::SimTime;
use crate::trace::{DeploymentChange, StopCause, StopCode, TaskChange, What};

/// What a guard watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardKind {
    /// A launch never takes the counted tasks above the ceiling.
    Ceiling,
    /// A stop by the scheduler never takes the healthy tasks below the floor.
    Floor,
    /// Tasks created = tasks that exist + tasks that stopped.
    Conservation,
    /// Time never goes back.
    Time,
    /// Nothing starts for a FAILED deployment.
    FailedLaunch,
    /// A limit of the engine itself (rounds at one instant).
    Rounds,
}

/// A broken guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// Which guard.
    pub kind: GuardKind,
    /// When.
    pub at: SimTime,
    /// The value seen.
    pub value: u64,
    /// The bound it broke.
    pub bound: u64,
}

/// Most violations that are kept; the first ones tell most.
const KEPT: usize = 16;

/// The guards of one run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Guards {
    existing: u64,
    created: u64,
    stopped: u64,
    leaving: u64,
    healthy: u64,
    /// One bit a slot: its task is healthy.
    healthy_slots: Vec<u64>,
    stopping_counts: bool,
    last: SimTime,
    ceiling: u64,
    floor: u64,
    target_failed: bool,
    /// Most tasks that counted against the ceiling right after a launch, and the ceiling then.
    pub most_after_launch: (u64, u64),
    /// Fewest healthy tasks above the floor right after a stop by the scheduler, with the floor then.
    pub fewest_after_stop: Option<(u64, u64)>,
    violations: Vec<Violation>,
}

impl Guards {
    /// Guards for a run in which stopping tasks count against the ceiling, or do not.
    pub fn new(stopping_counts: bool) -> Guards {
        Guards { stopping_counts, ..Guards::default() }
    }

    /// Broken guards so far, the first 16.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    pub(crate) fn launching(&mut self, ceiling: u32, failed: bool) {
        self.ceiling = u64::from(ceiling);
        self.target_failed = failed;
    }

    pub(crate) fn stopping(&mut self, floor: u32) {
        self.floor = u64::from(floor);
    }

    pub(crate) fn report(&mut self, violation: Violation) {
        if self.violations.len() < KEPT {
            self.violations.push(violation);
        }
    }

    fn broken(&mut self, kind: GuardKind, at: SimTime, value: u64, bound: u64) -> Option<Violation> {
        let violation = Violation { kind, at, value, bound };
        self.report(violation);
        Some(violation)
    }

    fn set_healthy(&mut self, slot: u32, healthy: bool) -> bool {
        let (word, bit) = (slot as usize / 64, 1u64 << (slot % 64));
        if word >= self.healthy_slots.len() {
            self.healthy_slots.resize(word + 1, 0);
        }
        let was = self.healthy_slots[word] & bit != 0;
        if healthy {
            self.healthy_slots[word] |= bit;
        } else {
            self.healthy_slots[word] &= !bit;
        }
        self.healthy = self.healthy + u64::from(healthy) - u64::from(was);
        was
    }

    fn counted(&self) -> u64 {
        let physical = self.existing + self.created - self.stopped;
        if self.stopping_counts { physical } else { physical - self.leaving }
    }

    /// Sees every record before it is kept.
    pub(crate) fn watch(&mut self, at: SimTime, what: &What) -> Option<Violation> {
        if at < self.last {
            return self.broken(GuardKind::Time, at, at.ms(), self.last.ms());
        }
        self.last = at;
        match what {
            What::Task { task, change } => self.task(at, task.slot, change),
            What::Deployment { change: DeploymentChange::State(state), .. } => {
                self.target_failed = *state == RolloutState::Failed;
                None
            }
            _ => None,
        }
    }

    fn task(&mut self, at: SimTime, slot: u32, change: &TaskChange) -> Option<Violation> {
        match change {
            TaskChange::Existing { state, .. } => {
                self.existing += 1;
                self.set_healthy(slot, *state == TaskState::Healthy);
            }
            TaskChange::Created { .. } => {
                self.created += 1;
                self.set_healthy(slot, false);
                if self.target_failed {
                    return self.broken(GuardKind::FailedLaunch, at, 1, 0);
                }
                let counted = self.counted();
                self.most_after_launch = self.most_after_launch.max((counted, self.ceiling));
                if counted > self.ceiling {
                    return self.broken(GuardKind::Ceiling, at, counted, self.ceiling);
                }
            }
            TaskChange::Healthy => {
                self.set_healthy(slot, true);
            }
            TaskChange::Unhealthy | TaskChange::Rechecking => {
                self.set_healthy(slot, false);
            }
            TaskChange::StopDecided(cause) => return self.stop(at, slot, *cause),
            TaskChange::Stopped(code) => {
                self.stopped += 1;
                self.set_healthy(slot, false);
                let decided = matches!(code, StopCode::ServiceSchedulerInitiated | StopCode::UserInitiated);
                self.leaving -= u64::from(decided);
            }
            _ => {}
        }
        None
    }

    fn stop(&mut self, at: SimTime, slot: u32, cause: StopCause) -> Option<Violation> {
        self.leaving += 1;
        let was = self.set_healthy(slot, false);
        if was && cause != StopCause::User {
            let now = (self.healthy, self.floor);
            let spare = |(healthy, floor): (u64, u64)| healthy as i64 - floor as i64;
            if self.fewest_after_stop.is_none_or(|worst| spare(now) < spare(worst)) {
                self.fewest_after_stop = Some(now);
            }
            if self.healthy < self.floor {
                return self.broken(GuardKind::Floor, at, self.healthy, self.floor);
            }
        }
        None
    }

    /// Compares its own books with the engine's once an instant is settled.
    pub(crate) fn settled(&mut self, at: SimTime, counts: &Counts) -> [Option<Violation>; 2] {
        let physical = self.existing + self.created - self.stopped;
        let healthy = self.healthy;
        let (seen, seen_healthy) = (u64::from(counts.physical()), u64::from(counts.healthy()));
        [
            if physical == seen { None } else { self.broken(GuardKind::Conservation, at, seen, physical) },
            if healthy == seen_healthy {
                None
            } else {
                self.broken(GuardKind::Conservation, at, seen_healthy, healthy)
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::frame::LaneCounts;
    use crate::settings::TaskName;
    use crate::trace::{DeploymentId, InstanceId, TaskRef};

    fn record(slot: u32, change: TaskChange) -> What {
        let task = TaskRef { id: InstanceId(slot), slot, name: TaskName { revision: 8, start: slot + 1 } };
        What::Task { task, change }
    }

    fn created() -> TaskChange {
        TaskChange::Created { deployment: DeploymentId(0), zone: 0, replacement: false }
    }

    fn kinds(guards: &Guards) -> Vec<GuardKind> {
        guards.violations().iter().map(|v| v.kind).collect()
    }

    #[test]
    fn a_launch_above_the_ceiling_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(1, false);
        assert_eq!(guards.watch(SimTime(0), &record(0, created())), None);
        let broken = guards.watch(SimTime(5), &record(1, created())).expect("two above one");
        assert_eq!((broken.kind, broken.value, broken.bound), (GuardKind::Ceiling, 2, 1));
    }

    #[test]
    fn stopping_tasks_count_only_in_the_default_reading() {
        for (counts, broken) in [(true, vec![GuardKind::Ceiling]), (false, vec![])] {
            let mut guards = Guards::new(counts);
            guards.launching(1, false);
            guards.watch(SimTime(0), &record(0, created()));
            guards.watch(SimTime(1), &record(0, TaskChange::StopDecided(StopCause::Surplus)));
            guards.watch(SimTime(1), &record(1, created()));
            assert_eq!(kinds(&guards), broken);
        }
    }

    #[test]
    fn a_stop_below_the_floor_is_seen_but_not_a_persons() {
        for (cause, broken) in [(StopCause::Replaced, vec![GuardKind::Floor]), (StopCause::User, vec![])] {
            let mut guards = Guards::new(true);
            let existing = TaskChange::Existing { deployment: DeploymentId(0), zone: 0, state: TaskState::Healthy };
            guards.watch(SimTime(0), &record(0, existing));
            guards.stopping(1);
            guards.watch(SimTime(1), &record(0, TaskChange::StopDecided(cause)));
            assert_eq!(kinds(&guards), broken);
        }
    }

    #[test]
    fn a_launch_for_a_failed_deployment_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9, true);
        guards.watch(SimTime(0), &record(0, created()));
        assert_eq!(kinds(&guards), [GuardKind::FailedLaunch]);
    }

    #[test]
    fn time_that_goes_back_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9, false);
        guards.watch(SimTime(9), &record(0, created()));
        guards.watch(SimTime(8), &record(0, TaskChange::Activating));
        assert_eq!(kinds(&guards), [GuardKind::Time]);
    }

    #[test]
    fn a_task_that_gets_lost_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9, false);
        guards.watch(SimTime(0), &record(0, created()));
        guards.watch(SimTime(1), &record(0, TaskChange::Healthy));
        let mut counts = Counts::default();
        counts.lanes[1] = LaneCounts { healthy: 1, ..LaneCounts::default() };
        assert_eq!(guards.settled(SimTime(1), &counts), [None, None]);
        counts.lanes[1] = LaneCounts { checking: 2, ..LaneCounts::default() };
        guards.settled(SimTime(2), &counts);
        assert_eq!(kinds(&guards), [GuardKind::Conservation, GuardKind::Conservation]);
    }
}

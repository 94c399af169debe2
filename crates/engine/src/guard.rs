//! Guards: checkers that watch every run from outside the scheduler, in release builds too.
//!
//! They keep their own books from the records alone and compare them with the limits, so an
//! error in the scheduler's own counting cannot hide from them. What they judge is what the
//! scheduler does: a task that dies by itself may take the healthy tasks below the floor, and a
//! lower desired count may leave more tasks than the ceiling; neither breaks a guard.

use alloc::vec::Vec;

use crate::books::{Books, Judgement};
use crate::frame::{Counts, TaskState};
use crate::hash::Grown;
use crate::settings::RolloutState;
use crate::time::SimTime;
use crate::trace::{DeploymentId, InstanceId, StopCause, StopCode, TaskChange, TaskRef, What};

/// What a guard watches, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum GuardKind {
    /// A stop by the scheduler never takes the healthy tasks below the floor. Value: healthy tasks
    /// right after the stop; bound: the floor at that moment.
    Floor = 0,
    /// A launch never takes the counted tasks above the ceiling. Value: tasks that count right
    /// after the launch; bound: the ceiling at that moment.
    Ceiling = 1,
    /// The scheduler stops a healthy task only with one to spare. Value: healthy minus floor right
    /// before the stop; bound: 1.
    Spare = 2,
    /// A task keeps its slot, and no two tasks have one slot. Value: moves; bound: 0.
    Slot = 3,
    /// Tasks created = tasks that exist + tasks that stopped. In a violation value and bound are
    /// the engine's count and that of the books.
    Conservation = 4,
    /// Time never goes back. In a violation value and bound are the moments in milliseconds.
    Time = 5,
    /// Nothing starts for a FAILED deployment. Value: launches; bound: 0.
    FailedLaunch = 6,
    /// The controller comes to rest at every moment. Value: passes that acted; bound: 10,000.
    Rounds = 7,
    /// Statuses of service deployments and rollout states change only in the documented ways.
    /// Value: other changes; bound: 0.
    Transition = 8,
    /// The circuit breaker counts every failure once and never beyond its threshold. Value: the
    /// count; bound: the threshold of the moment.
    FailureCount = 9,
    /// A rollback goes back to the most recent COMPLETED deployment, and stalls only without one.
    /// Value: other rollbacks; bound: 0.
    Candidate = 10,
    /// Rollback protection that ended does not come back. Value: second ends; bound: 0.
    Protection = 11,
    /// Traffic is never shifted to a revision without a healthy task. Value: healthy tasks of the
    /// revision that gets more of it; bound: 1.
    Traffic = 12,
}

impl GuardKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [GuardKind; KINDS] = [
        GuardKind::Floor,
        GuardKind::Ceiling,
        GuardKind::Spare,
        GuardKind::Slot,
        GuardKind::Conservation,
        GuardKind::Time,
        GuardKind::FailedLaunch,
        GuardKind::Rounds,
        GuardKind::Transition,
        GuardKind::FailureCount,
        GuardKind::Candidate,
        GuardKind::Protection,
        GuardKind::Traffic,
    ];

    /// It counts what must not be: its value is 0 while it holds.
    pub const fn counts_what_must_not_be(self) -> bool {
        matches!(
            self,
            GuardKind::Slot
                | GuardKind::Conservation
                | GuardKind::Time
                | GuardKind::FailedLaunch
                | GuardKind::Transition
                | GuardKind::Candidate
                | GuardKind::Protection
        )
    }
}

/// Number of guards.
const KINDS: usize = 13;

/// One entry a guard; twelve of them were there first.
type EachKind<T> = Grown<Option<T>, KINDS, 12>;

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

/// The value that came nearest to its bound, and when it first did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Worst {
    /// When.
    pub at: SimTime,
    /// The value seen.
    pub value: u64,
    /// The bound at that moment.
    pub bound: u64,
}

/// Most violations that are kept; the first ones tell most.
const KEPT: usize = 16;

/// A slot without a task.
const NOBODY: u32 = 0;

/// The guards of one run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Guards {
    existing: u64,
    created: u64,
    stopped: u64,
    leaving: u64,
    healthy: u64,
    /// By slot: twice the number of its task counted from 1, plus 1 while that one is healthy;
    /// [`NOBODY`] when it is free.
    slots: Vec<u32>,
    /// Deployments and service deployments.
    books: Books,
    stopping_counts: bool,
    last: SimTime,
    /// The last moment at which the books were compared, and how many such moments there were.
    settled_at: Option<SimTime>,
    moments: u64,
    ceiling: u64,
    /// Absent until the scheduler stops something: what stops at time 0 is not its doing.
    floor: Option<u64>,
    worst: EachKind<Worst>,
    first: EachKind<Violation>,
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

    /// The first time this guard broke.
    pub fn first(&self, kind: GuardKind) -> Option<Violation> {
        self.first[kind as usize]
    }

    /// The value nearest to its bound while this guard held, and when it first came to it; absent
    /// while there was nothing to check, and for guards that count what must not be
    /// ([`GuardKind::counts_what_must_not_be`]).
    pub fn worst(&self, kind: GuardKind) -> Option<Worst> {
        self.worst[kind as usize]
    }

    /// Moments at which every guard was checked: those at which something changed.
    pub fn moments(&self) -> u64 {
        self.moments
    }

    pub(crate) fn launching(&mut self, ceiling: u32) {
        self.ceiling = u64::from(ceiling);
    }

    pub(crate) fn stopping(&mut self, floor: u32) {
        self.floor = Some(u64::from(floor));
    }

    /// Traffic moves to a revision with so many healthy tasks.
    pub(crate) fn receives(&mut self, at: SimTime, healthy: u32) -> Option<Violation> {
        self.check(GuardKind::Traffic, at, u64::from(healthy), 1, healthy >= 1)
    }

    /// A deployment exists at time 0.
    pub(crate) fn existing(&mut self, id: DeploymentId, state: RolloutState, count: u32) {
        self.books.existing(id, state, count);
    }

    /// The controller acted in this many passes of the present moment.
    pub(crate) fn rounds(&mut self, at: SimTime, rounds: u32, bound: u32) -> Option<Violation> {
        let (value, bound) = (u64::from(rounds), u64::from(bound));
        self.check(GuardKind::Rounds, at, value, bound, value <= bound)
    }

    fn broken(&mut self, kind: GuardKind, at: SimTime, value: u64, bound: u64) -> Option<Violation> {
        let violation = Violation { kind, at, value, bound };
        self.first[kind as usize].get_or_insert(violation);
        if self.violations.len() < KEPT {
            self.violations.push(violation);
        }
        Some(violation)
    }

    /// Checks a value against its bound and keeps it when none was nearer before.
    fn check(&mut self, kind: GuardKind, at: SimTime, value: u64, bound: u64, holds: bool) -> Option<Violation> {
        if !holds {
            return self.broken(kind, at, value, bound);
        }
        let worst = &mut self.worst[kind as usize];
        if worst.is_none_or(|worst| value.abs_diff(bound) < worst.value.abs_diff(worst.bound)) {
            *worst = Some(Worst { at, value, bound });
        }
        None
    }

    /// The task has the slot from here on, or nobody has it.
    fn seat(&mut self, task: TaskRef, seated: bool, healthy: bool) -> bool {
        let index = task.slot as usize;
        if index >= self.slots.len() {
            self.slots.resize(index + 1, NOBODY);
        }
        let was_healthy = self.slots[index] & 1 == 1;
        self.slots[index] = if seated { number(task.id) | u32::from(healthy) } else { NOBODY };
        self.healthy = self.healthy + u64::from(healthy) - u64::from(was_healthy);
        was_healthy
    }

    fn set_healthy(&mut self, task: TaskRef, healthy: bool) -> bool {
        self.seat(task, true, healthy)
    }

    /// A new task finds its slot free; any other one is where it was.
    fn slot(&mut self, at: SimTime, task: TaskRef, change: &TaskChange) -> Option<Violation> {
        let new = matches!(change, TaskChange::Existing { .. } | TaskChange::Created { .. });
        let expected = if new { NOBODY } else { number(task.id) };
        let seen = self.slots.get(task.slot as usize).map_or(NOBODY, |seat| seat & !1);
        if seen == expected { None } else { self.broken(GuardKind::Slot, at, 1, 0) }
    }

    fn counted(&self) -> u64 {
        let physical = self.physical();
        if self.stopping_counts { physical } else { physical.saturating_sub(self.leaving) }
    }

    fn physical(&self) -> u64 {
        (self.existing + self.created).saturating_sub(self.stopped)
    }

    /// Sees every record before it is kept. One record may break two guards.
    pub(crate) fn watch(&mut self, at: SimTime, what: &What) -> [Option<Violation>; 2] {
        if at < self.last {
            return [self.broken(GuardKind::Time, at, at.ms(), self.last.ms()), None];
        }
        self.last = at;
        match what {
            What::Task { task, change } => {
                let moved = self.slot(at, *task, change);
                let [first, second] = self.task(at, *task, change);
                if moved.is_some() { [moved, first.or(second)] } else { [first, second] }
            }
            rest => [self.books.enter(rest).and_then(|judgement| self.judge(at, judgement)), None],
        }
    }

    fn judge(&mut self, at: SimTime, (kind, value, bound, holds): Judgement) -> Option<Violation> {
        match (holds, kind.counts_what_must_not_be()) {
            (true, true) => None,
            _ => self.check(kind, at, value, bound, holds),
        }
    }

    fn task(&mut self, at: SimTime, task: TaskRef, change: &TaskChange) -> [Option<Violation>; 2] {
        match change {
            TaskChange::Existing { state, .. } => {
                self.existing += 1;
                self.set_healthy(task, *state == TaskState::Healthy);
            }
            TaskChange::Created { deployment, .. } => {
                self.created += 1;
                self.set_healthy(task, false);
                let of_failed = self.books.is_failed(*deployment);
                let failed = if of_failed { self.broken(GuardKind::FailedLaunch, at, 1, 0) } else { None };
                let (counted, ceiling) = (self.counted(), self.ceiling);
                return [failed, self.check(GuardKind::Ceiling, at, counted, ceiling, counted <= ceiling)];
            }
            TaskChange::Healthy => {
                self.set_healthy(task, true);
            }
            TaskChange::Unhealthy(_) | TaskChange::Rechecking => {
                self.set_healthy(task, false);
            }
            TaskChange::StopDecided(cause) => return self.stop(at, task, *cause),
            TaskChange::Stopped(code) => {
                self.stopped += 1;
                self.seat(task, false, false);
                let decided = !matches!(code, StopCode::TaskFailedToStart | StopCode::EssentialContainerExited);
                self.leaving = self.leaving.saturating_sub(u64::from(decided));
            }
            _ => {}
        }
        [None; 2]
    }

    fn stop(&mut self, at: SimTime, task: TaskRef, cause: StopCause) -> [Option<Violation>; 2] {
        self.leaving += 1;
        let was_healthy = self.set_healthy(task, false);
        let Some(floor) = self.floor.filter(|_| was_healthy && cause.by_scheduler()) else {
            return [None; 2];
        };
        let healthy = self.healthy;
        let spare = (healthy + 1).saturating_sub(floor);
        [
            self.check(GuardKind::Floor, at, healthy, floor, healthy >= floor),
            self.check(GuardKind::Spare, at, spare, 1, spare >= 1),
        ]
    }

    /// Compares its own books with the engine's once an instant is settled.
    pub(crate) fn settled(&mut self, at: SimTime, counts: &Counts) -> [Option<Violation>; 2] {
        if self.settled_at != Some(at) {
            self.settled_at = Some(at);
            self.moments += 1;
        }
        let books = [self.physical(), self.healthy];
        let seen = [counts.physical(), counts.healthy()].map(u64::from);
        core::array::from_fn(|i| {
            let same = books[i] == seen[i];
            if same { None } else { self.broken(GuardKind::Conservation, at, seen[i], books[i]) }
        })
    }
}

/// How the books write a task that is not healthy.
const fn number(id: InstanceId) -> u32 {
    (id.0 + 1) << 1
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::frame::LaneCounts;
    use crate::settings::TaskName;
    use crate::trace::DeploymentChange;

    fn task(id: u32, slot: u32, change: TaskChange) -> What {
        let task = TaskRef { id: InstanceId(id), slot, name: TaskName { revision: 8, start: id + 1 } };
        What::Task { task, change }
    }

    fn record(slot: u32, change: TaskChange) -> What {
        task(slot, slot, change)
    }

    fn created() -> TaskChange {
        TaskChange::Created { deployment: DeploymentId(0), zone: 0, replacement: false }
    }

    fn existing() -> TaskChange {
        TaskChange::Existing { deployment: DeploymentId(0), zone: 0, state: TaskState::Healthy }
    }

    fn kinds(guards: &Guards) -> Vec<GuardKind> {
        guards.violations().iter().map(|v| v.kind).collect()
    }

    #[test]
    fn traffic_to_nobody_is_seen() {
        let mut guards = Guards::default();
        assert_eq!(guards.receives(SimTime(3), 4), None);
        assert_eq!(guards.worst(GuardKind::Traffic), Some(Worst { at: SimTime(3), value: 4, bound: 1 }));
        let broken = Violation { kind: GuardKind::Traffic, at: SimTime(5), value: 0, bound: 1 };
        assert_eq!(guards.receives(SimTime(5), 0), Some(broken));
        assert_eq!(guards.first(GuardKind::Traffic), Some(broken));
    }

    #[test]
    fn a_launch_above_the_ceiling_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(1);
        assert_eq!(guards.watch(SimTime(0), &record(0, created())), [None; 2]);
        let broken = Violation { kind: GuardKind::Ceiling, at: SimTime(5), value: 2, bound: 1 };
        assert_eq!(guards.watch(SimTime(5), &record(1, created())), [None, Some(broken)]);
        assert_eq!(guards.first(GuardKind::Ceiling), Some(broken));
        // What held before stays to be seen.
        let worst = Worst { at: SimTime(0), value: 1, bound: 1 };
        assert_eq!(guards.worst(GuardKind::Ceiling), Some(worst));
    }

    #[test]
    fn stopping_tasks_count_only_in_the_default_reading() {
        for (counts, broken) in [(true, vec![GuardKind::Ceiling]), (false, vec![])] {
            let mut guards = Guards::new(counts);
            guards.launching(1);
            guards.watch(SimTime(0), &record(0, created()));
            guards.watch(SimTime(1), &record(0, TaskChange::StopDecided(StopCause::Surplus)));
            guards.watch(SimTime(1), &record(1, created()));
            assert_eq!(kinds(&guards), broken);
        }
    }

    #[test]
    fn a_stop_below_the_floor_is_seen_but_not_a_persons() {
        let broken = vec![GuardKind::Floor, GuardKind::Spare];
        for (cause, broken) in [(StopCause::Replaced, broken), (StopCause::User, vec![])] {
            let mut guards = Guards::new(true);
            guards.watch(SimTime(0), &record(0, existing()));
            guards.stopping(1);
            guards.watch(SimTime(1), &record(0, TaskChange::StopDecided(cause)));
            assert_eq!(kinds(&guards), broken);
        }
    }

    #[test]
    fn a_task_that_dies_breaks_nothing_and_the_worst_stop_is_kept() {
        let mut guards = Guards::new(true);
        for slot in 0..4 {
            guards.watch(SimTime(0), &record(slot, existing()));
        }
        // What stops at time 0 is not the scheduler's doing.
        guards.watch(SimTime(0), &record(3, TaskChange::StopDecided(StopCause::Replaced)));
        assert_eq!(guards.worst(GuardKind::Floor), None);
        guards.stopping(1);
        guards.watch(SimTime(5), &record(0, TaskChange::StopDecided(StopCause::Replaced)));
        guards.watch(SimTime(6), &record(1, TaskChange::StopDecided(StopCause::Replaced)));
        guards.watch(SimTime(7), &record(2, TaskChange::Stopped(StopCode::EssentialContainerExited)));
        assert_eq!(kinds(&guards), []);
        let worst = |kind| guards.worst(kind).map(|worst| (worst.at.ms(), worst.value, worst.bound));
        assert_eq!(worst(GuardKind::Floor), Some((6, 1, 1)));
        assert_eq!(worst(GuardKind::Spare), Some((6, 1, 1)));
    }

    #[test]
    fn a_launch_for_a_failed_deployment_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9);
        guards.existing(DeploymentId(0), RolloutState::InProgress, 0);
        guards.watch(SimTime(0), &record(0, created()));
        let change = DeploymentChange::State(RolloutState::Failed);
        guards.watch(SimTime(1), &What::Deployment { id: DeploymentId(0), revision: 8, change });
        assert_eq!(kinds(&guards), []);
        guards.watch(SimTime(1), &record(1, created()));
        assert_eq!(kinds(&guards), [GuardKind::FailedLaunch]);
    }

    #[test]
    fn time_that_goes_back_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9);
        guards.watch(SimTime(9), &record(0, created()));
        guards.watch(SimTime(8), &record(0, TaskChange::Activating));
        assert_eq!(kinds(&guards), [GuardKind::Time]);
    }

    #[test]
    fn a_task_that_moves_or_sits_on_another_one_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9);
        guards.watch(SimTime(0), &task(0, 0, created()));
        guards.watch(SimTime(1), &task(0, 0, TaskChange::Running));
        assert_eq!(kinds(&guards), []);
        guards.watch(SimTime(2), &task(0, 1, TaskChange::Activating));
        assert_eq!(kinds(&guards), [GuardKind::Slot]);
        guards.watch(SimTime(3), &task(1, 0, created()));
        assert_eq!(kinds(&guards), [GuardKind::Slot, GuardKind::Slot]);
        // A slot is used again once its task has stopped.
        let mut guards = Guards::new(true);
        guards.launching(9);
        guards.watch(SimTime(0), &task(0, 0, created()));
        guards.watch(SimTime(1), &task(0, 0, TaskChange::Stopped(StopCode::TaskFailedToStart)));
        guards.watch(SimTime(1), &task(1, 0, created()));
        assert_eq!(kinds(&guards), []);
    }

    #[test]
    fn a_task_that_gets_lost_is_seen() {
        let mut guards = Guards::new(true);
        guards.launching(9);
        guards.watch(SimTime(0), &record(0, created()));
        guards.watch(SimTime(1), &record(0, TaskChange::Healthy));
        let mut counts = Counts::default();
        counts.lanes[1] = LaneCounts { healthy: 1, ..LaneCounts::default() };
        assert_eq!(guards.settled(SimTime(1), &counts), [None, None]);
        assert_eq!(guards.settled(SimTime(1), &counts), [None, None]);
        assert_eq!(guards.moments(), 1);
        counts.lanes[1] = LaneCounts { checking: 2, ..LaneCounts::default() };
        guards.settled(SimTime(2), &counts);
        assert_eq!(kinds(&guards), [GuardKind::Conservation, GuardKind::Conservation]);
        assert_eq!(guards.moments(), 2);
    }

    #[test]
    fn a_controller_that_does_not_come_to_rest_is_seen() {
        let mut guards = Guards::new(true);
        assert_eq!(guards.rounds(SimTime(3), 2, 2), None);
        let broken = Violation { kind: GuardKind::Rounds, at: SimTime(4), value: 3, bound: 2 };
        assert_eq!(guards.rounds(SimTime(4), 3, 2), Some(broken));
        assert_eq!(guards.worst(GuardKind::Rounds), Some(Worst { at: SimTime(3), value: 2, bound: 2 }));
    }

    #[test]
    fn every_guard_has_its_place() {
        for (i, kind) in GuardKind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, i);
        }
    }
}

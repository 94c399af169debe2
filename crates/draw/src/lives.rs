//! Lives of tasks, read from the records: which state each one enters, and when.

use rollscope_engine::frame::{LANES, TaskState};
use rollscope_engine::settings::TaskName;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, Record, StopCause, StopReason, TaskChange, TaskRef, What};

/// Lanes of colour by revision: the first one known is old, the second new, all others share one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes(Vec<u32>);

impl Lanes {
    /// From the revisions of the settings in their order; those that only the records know follow.
    pub fn new(known: &[u32], records: &[Record]) -> Lanes {
        let mut lanes = Lanes(known.to_vec());
        for record in records {
            if let What::Deployment { revision, change: DeploymentChange::Started, .. } = record.what {
                lanes.add(revision);
            }
        }
        lanes
    }

    fn add(&mut self, revision: u32) {
        if !self.0.contains(&revision) {
            self.0.push(revision);
        }
    }

    /// The lane of a revision.
    pub fn of(&self, revision: u32) -> u8 {
        let index = self.0.iter().position(|known| *known == revision).unwrap_or(LANES);
        index.min(LANES - 1) as u8
    }
}

/// A task enters a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: SimTime,
    /// Its identity: the k-th task created.
    pub id: u32,
    /// `8·3`
    pub name: TaskName,
    /// What it does from here on.
    pub state: TaskState,
    /// It begins here: it exists at time 0 or is created.
    pub first: bool,
}

/// A task as its records have told of it.
#[derive(Clone, Copy, Default)]
struct Known {
    state: Option<TaskState>,
    /// Why a stop was decided, if it was.
    cause: Option<StopCause>,
}

/// The state that follows from a change; `None` where the state stays as it is.
fn state(change: TaskChange, Known { state: before, cause }: Known) -> Option<TaskState> {
    match change {
        TaskChange::Existing { state, .. } => Some(state),
        TaskChange::Created { .. } => Some(TaskState::Waiting),
        TaskChange::Activating => Some(TaskState::Starting),
        TaskChange::Running | TaskChange::Rechecking => Some(TaskState::Checking),
        TaskChange::Healthy => Some(TaskState::Healthy),
        TaskChange::Unhealthy(_) => Some(TaskState::Unhealthy),
        // Before RUNNING there is nothing to drain: the stop begins with the decision.
        TaskChange::StopDecided(_) => {
            matches!(before, Some(TaskState::Waiting | TaskState::Starting)).then_some(TaskState::Stopping)
        }
        TaskChange::Draining => Some(TaskState::Draining),
        TaskChange::Sigterm => Some(TaskState::Stopping),
        TaskChange::Stopped(code) => Some(StopReason::told(code, cause).state()),
        TaskChange::Placed { .. }
        | TaskChange::UnhealthyInGrace
        | TaskChange::Protected { .. }
        | TaskChange::Unprotected
        | TaskChange::Sigkill => None,
    }
}

/// Calls `f` with every state that a task enters, in the order of the records, until it is false.
pub fn each_entry(records: &[Record], mut f: impl FnMut(Entry) -> bool) {
    let mut tasks: Vec<Known> = Vec::new();
    for record in records {
        let What::Task { task, change } = record.what else { continue };
        let TaskRef { id, name, .. } = task;
        let index = id.0 as usize;
        if tasks.len() <= index {
            tasks.resize(index + 1, Known::default());
        }
        let known = &mut tasks[index];
        if let TaskChange::StopDecided(cause) = change {
            known.cause = Some(cause);
        }
        let before = known.state;
        let Some(after) = state(change, *known).filter(|after| before != Some(*after)) else { continue };
        known.state = Some(after);
        let entry = Entry { at: record.at, id: id.0, name, state: after, first: before.is_none() };
        if !f(entry) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::trace::{DeploymentId, FailedCheck, InstanceId, StopCause, StopCode};

    fn record(at: u64, change: TaskChange) -> Record {
        let task = TaskRef { id: InstanceId(0), slot: 0, name: TaskName { revision: 8, start: 1 } };
        Record { at: SimTime(at), what: What::Task { task, change } }
    }

    fn created() -> TaskChange {
        TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false }
    }

    fn states(changes: &[TaskChange]) -> Vec<TaskState> {
        let records: Vec<Record> = changes.iter().enumerate().map(|(at, change)| record(at as u64, *change)).collect();
        let mut out = Vec::new();
        each_entry(&records, |entry| {
            out.push(entry.state);
            true
        });
        out
    }

    #[test]
    fn a_life_is_a_row_of_states() {
        use TaskState::*;
        let stop = TaskChange::StopDecided(StopCause::Replaced);
        let scheduler = TaskChange::Stopped(StopCode::ServiceSchedulerInitiated);
        let check = TaskChange::StopDecided(StopCause::Unhealthy);
        let table: [(&[TaskChange], &[TaskState]); 5] = [
            (
                &[created(), TaskChange::Activating, TaskChange::Running, TaskChange::Healthy],
                &[Waiting, Starting, Checking, Healthy],
            ),
            (
                &[created(), TaskChange::Running, TaskChange::Healthy, stop, TaskChange::Draining, TaskChange::Sigterm],
                &[Waiting, Checking, Healthy, Draining, Stopping],
            ),
            // The scheduler stops it either way; a failed check makes a failure of it.
            (
                &[
                    created(),
                    TaskChange::Running,
                    TaskChange::Unhealthy(FailedCheck::Target),
                    check,
                    TaskChange::Sigterm,
                    scheduler,
                ],
                &[Waiting, Checking, Unhealthy, Stopping, Failed],
            ),
            // Nothing runs yet, so nothing drains.
            (&[created(), stop, scheduler], &[Waiting, Stopping, Stopped]),
            (
                &[
                    created(),
                    TaskChange::Running,
                    TaskChange::UnhealthyInGrace,
                    TaskChange::Unhealthy(FailedCheck::Target),
                ],
                &[Waiting, Checking, Unhealthy],
            ),
        ];
        for (changes, expected) in table {
            assert_eq!(states(changes), expected);
        }
        assert_eq!(states(&[created(), TaskChange::Stopped(StopCode::TaskFailedToStart)]), [Waiting, Failed]);
    }

    #[test]
    fn lanes_follow_the_settings_and_then_the_records() {
        let started = |revision| Record {
            at: SimTime::ZERO,
            what: What::Deployment { id: DeploymentId(1), revision, change: DeploymentChange::Started },
        };
        let lanes = Lanes::new(&[7], &[started(9), started(10), started(11)]);
        assert_eq!([7, 9, 10, 11, 99].map(|revision| lanes.of(revision)), [0, 1, 2, 2, 2]);
    }
}

//! The place of every task on its instance.

use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{Decision, InstanceId, Reason, Record, TaskChange, What};

/// Where each task of a run stands on its instance. A task takes the lowest free place there when it
/// is placed and keeps it until it is STOPPED, so the answer follows from the records alone and is the
/// same however the playhead came to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Berths {
    read: usize,
    /// Instance and place by the number of the task.
    of: Vec<Option<(u32, u32)>>,
    /// Per instance which places are taken at the end of what was read.
    taken: Vec<Vec<bool>>,
    most: u32,
    /// Tasks without an instance at the end of what was read, and the moment of that.
    homeless: u32,
    at: SimTime,
    refused: bool,
    queued: bool,
}

impl Berths {
    /// Reads on where the run has grown.
    pub fn follow(&mut self, records: &[Record]) {
        for record in records.get(self.read..).unwrap_or_default() {
            self.queued |= self.homeless > 0 && record.at > self.at;
            self.at = record.at;
            match record.what {
                What::Task { change: TaskChange::Created { .. } | TaskChange::Existing { .. }, .. } => {
                    self.homeless += 1
                }
                What::Task { task, change: TaskChange::Placed { host, .. } } => self.placed(task.id, host.max(1) - 1),
                What::Task { task, change: TaskChange::Stopped(_) } => self.gone(task.id),
                What::Decision(Decision {
                    reason: Reason::NoRoom { .. } | Reason::WaitInstances { .. } | Reason::StartsInRoom { .. },
                    ..
                }) => self.refused = true,
                _ => {}
            }
        }
        self.read = records.len();
    }

    fn placed(&mut self, id: InstanceId, host: u32) {
        self.homeless = self.homeless.saturating_sub(1);
        let (task, host_at) = (id.0 as usize, host as usize);
        self.of.resize(self.of.len().max(task + 1), None);
        self.taken.resize(self.taken.len().max(host_at + 1), Vec::new());
        let taken = &mut self.taken[host_at];
        let berth = taken.iter().position(|taken| !taken).unwrap_or(taken.len());
        match taken.get_mut(berth) {
            Some(place) => *place = true,
            None => taken.push(true),
        }
        self.of[task] = Some((host, berth as u32));
        self.most = self.most.max(berth as u32 + 1);
    }

    fn gone(&mut self, id: InstanceId) {
        let Some((host, berth)) = self.of(id) else {
            self.homeless = self.homeless.saturating_sub(1);
            return;
        };
        let taken = self.taken.get_mut(host as usize).and_then(|taken| taken.get_mut(berth as usize));
        if let Some(taken) = taken {
            *taken = false;
        }
    }

    /// Instance (an index into the frame's) and place of a task; `None` for one that never had any.
    pub fn of(&self, id: InstanceId) -> Option<(u32, u32)> {
        self.of.get(id.0 as usize).copied().flatten()
    }

    /// The most places that an instance ever needed.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// At some time of the run a task was not started because no instance had room.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// At some time of the run a task waited in PROVISIONING for an instance.
    pub fn queued(&self) -> bool {
        self.queued
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::trace::{StopCode, TaskRef};

    fn record(id: u32, change: TaskChange) -> Record {
        let name = TaskName { revision: 7, start: id + 1 };
        Record { at: SimTime::ZERO, what: What::Task { task: TaskRef { id: InstanceId(id), slot: id, name }, change } }
    }

    fn placed(id: u32, host: u32) -> Record {
        record(id, TaskChange::Placed { host, zone: 0 })
    }

    #[test]
    fn a_task_that_is_placed_later_than_it_was_created_was_queued() {
        use rollscope_engine::trace::DeploymentId;
        let created = record(0, TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false });
        let queued = |records: &[Record]| {
            let mut berths = Berths::default();
            berths.follow(records);
            berths.queued()
        };
        let later = |record: Record| Record { at: SimTime(9), ..record };
        assert!(!queued(&[created, placed(0, 1), later(placed(1, 1))]));
        assert!(queued(&[created, later(placed(0, 1))]));
    }

    #[test]
    fn a_task_takes_the_lowest_free_place_and_keeps_it() {
        let gone = |id| record(id, TaskChange::Stopped(StopCode::ServiceSchedulerInitiated));
        let records = [placed(0, 1), placed(1, 1), placed(2, 2), gone(0), placed(3, 1), placed(4, 1)];
        let mut whole = Berths::default();
        whole.follow(&records);
        let places = (0..5).map(|id| whole.of(InstanceId(id))).collect::<Vec<_>>();
        assert_eq!(places, [Some((0, 0)), Some((0, 1)), Some((1, 0)), Some((0, 0)), Some((0, 2))]);
        assert_eq!((whole.most(), whole.of(InstanceId(9))), (3, None));
        // Read in two pieces it is the same.
        let mut pieces = Berths::default();
        pieces.follow(&records[..3]);
        pieces.follow(&records);
        assert_eq!(pieces, whole);
    }
}

//! Who stands where at one moment.

use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};

use super::berths::Berths;

/// The slots of the tasks on every instance by place, and of those that have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    hosts: Vec<Vec<Option<u32>>>,
    tray: Vec<u32>,
}

/// True for a task of which only the place is left.
fn gone(task: &TaskView) -> bool {
    matches!(task.state, TaskState::Stopped | TaskState::Failed)
}

impl Seats {
    /// The seats of a frame. A task that is gone stays to be seen until another one has its place.
    pub fn of(frame: &Frame, berths: &Berths) -> Seats {
        let mut hosts: Vec<Vec<Option<u32>>> = vec![Vec::new(); frame.hosts.len()];
        let mut tray = Vec::new();
        for task in frame.slots.iter().flatten() {
            // One that still waits has no place yet, though the records know where it will be.
            let seat = berths.of(task.id).filter(|_| gone(task) || task.host.is_some());
            let Some((seats, berth)) = seat.and_then(|(host, berth)| Some((hosts.get_mut(host as usize)?, berth)))
            else {
                // What was stopped before it had an instance leaves nothing.
                if task.state != TaskState::Stopped {
                    tray.push(task.slot);
                }
                continue;
            };
            let berth = berth as usize;
            seats.resize(seats.len().max(berth + 1), None);
            let before = seats[berth].and_then(|slot| frame.slots[slot as usize].as_ref());
            if before.is_none_or(|before| gone(before) && (!gone(task) || before.id < task.id)) {
                seats[berth] = Some(task.slot);
            }
        }
        Seats { hosts, tray }
    }

    /// The slots on an instance, by place.
    pub fn on(&self, host: u32) -> &[Option<u32>] {
        self.hosts.get(host as usize).map_or(&[], Vec::as_slice)
    }

    /// The slots of tasks without an instance.
    pub fn tray(&self) -> &[u32] {
        &self.tray
    }

    /// Instance and place of the task in a slot.
    pub fn find(&self, slot: u32) -> Option<(u32, u32)> {
        let on = |(host, seats): (u32, &Vec<Option<u32>>)| {
            let berth = seats.iter().position(|seat| *seat == Some(slot))?;
            Some((host, berth as u32))
        };
        (0..).zip(&self.hosts).find_map(on)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{berths, frame, host};
    use super::*;
    use rollscope_engine::frame::TaskState::{Healthy, Starting, Stopped, Waiting};

    #[test]
    fn tasks_stand_on_their_instances_and_the_others_in_the_tray() {
        let hosts = vec![host(1, 0, 1, 0), host(2, 1, 1, 0)];
        let frame = frame(hosts, &[(Some(1), 7, Healthy), (Some(0), 7, Healthy), (None, 8, Waiting)]);
        let seats = Seats::of(&frame, &berths(&frame));
        assert_eq!((seats.on(0), seats.on(1), seats.tray()), (&[Some(1)][..], &[Some(0)][..], &[2][..]));
        assert_eq!((seats.find(0), seats.find(2)), (Some((1, 0)), None));
    }

    #[test]
    fn a_task_that_will_be_placed_waits_in_the_tray_until_then() {
        let mut frame = frame(vec![host(1, 0, 1, 0)], &[(Some(0), 8, Waiting)]);
        let berths = berths(&frame);
        assert_eq!(Seats::of(&frame, &berths).on(0), [Some(0)]);
        for task in frame.slots.iter_mut().flatten() {
            task.host = None;
        }
        let seats = Seats::of(&frame, &berths);
        assert_eq!((seats.on(0), seats.tray()), (&[][..], &[0][..]));
    }

    #[test]
    fn a_task_that_is_gone_gives_its_place_to_the_next_one() {
        let mut frame = frame(vec![host(1, 0, 1, 0)], &[(Some(0), 7, Healthy), (Some(0), 8, Starting)]);
        let mut berths = Berths::default();
        let all = super::super::tests_frame::berths(&frame);
        assert_eq!(Seats::of(&frame, &all).on(0), [Some(0), Some(1)]);
        // Both had the first place, one after the other.
        use rollscope_engine::time::SimTime;
        use rollscope_engine::trace::{Record, StopCode, TaskChange, TaskRef, What};
        let record = |slot: usize, change| {
            let task = frame.slots[slot].expect("a task");
            let task = TaskRef { id: task.id, slot: task.slot, name: task.name };
            Record { at: SimTime::ZERO, what: What::Task { task, change } }
        };
        berths.follow(&[
            record(0, TaskChange::Placed { host: 1, zone: 0 }),
            record(0, TaskChange::Stopped(StopCode::ServiceSchedulerInitiated)),
            record(1, TaskChange::Placed { host: 1, zone: 0 }),
        ]);
        for task in frame.slots.iter_mut().flatten().take(1) {
            (task.state, task.host) = (Stopped, None);
        }
        assert_eq!(Seats::of(&frame, &berths).on(0), [Some(1)]);
    }
}

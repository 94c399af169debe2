//! The stage by instance: every task stands in the frame of the machine it runs on.
//!
//! A task has a place on its instance for life ([`Berths`]), so position stays identity; what has no
//! instance yet waits in a tray below. How much a frame shows follows from the number of instances and
//! from the room there is ([`Detail`]).
//!
//! ```text
//! berths  the place of every task on its instance      plan    sizes a detail
//! seats   who stands there at a moment                 layout  frames, places, tray; what is at a point
//! look    which frames look different                  paint   order of drawing
//! frame   a frame with its bars and tasks              small   fill bars, squares
//! parts   what is used, free and held, as lengths
//! ```

mod berths;
mod frame;
mod layout;
mod look;
mod paint;
mod parts;
mod plan;
mod seats;
mod small;

pub use berths::Berths;
pub use layout::{Hit, Layout, Site, Zone};
pub use look::{Changed, Fleet, HostMarks, View};
pub use paint::{Words, paint, still};
pub use plan::Detail;
pub use seats::Seats;

/// Frames with instances for tests.
#[cfg(test)]
pub(crate) mod tests_frame {
    use rollscope_engine::Frame;
    use rollscope_engine::frame::{HostView, TaskState, TaskView, Usage};
    use rollscope_engine::mechanism::host::HostState;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::{Record, TaskChange, TaskRef, What};

    use super::Berths;
    use crate::stage::tests_frame;

    /// An ACTIVE instance of 2,048 units and 4,096 MiB, whose tasks take 512 and 1,024.
    pub fn host(number: u32, zone: u8, tasks: u32, leaving: u32) -> HostView {
        let usage = |total: u32, each: u32| Usage { total, others: 0, tasks: each * tasks, leaving: each * leaving };
        HostView {
            number,
            zone,
            state: HostState::Active,
            cpu: usage(2_048, 512),
            memory: usage(4_096, 1_024),
            interfaces: None,
            port_taken: None,
            tasks,
            leaving,
            room: 4u32.saturating_sub(tasks + leaving),
        }
    }

    /// A frame with these instances; each task names its instance by index.
    pub fn frame(hosts: Vec<HostView>, tasks: &[(Option<u32>, u32, TaskState)]) -> Frame {
        let tasks = (0u32..).zip(tasks).map(|(slot, &(host, revision, state))| TaskView {
            host,
            ..tests_frame::task(slot, revision, slot + 1, state)
        });
        Frame { hosts, ..tests_frame::frame(1_000, tasks.collect()) }
    }

    /// The places of a frame's tasks as if they had come in the order of their slots.
    pub fn berths(frame: &Frame) -> Berths {
        let mut berths = Berths::default();
        let records: Vec<Record> = frame
            .slots
            .iter()
            .flatten()
            .filter_map(|task| {
                let host = task.host? + 1;
                let change = TaskChange::Placed { host, zone: task.zone };
                let task = TaskRef { id: task.id, slot: task.slot, name: task.name };
                Some(Record { at: SimTime::ZERO, what: What::Task { task, change } })
            })
            .collect();
        berths.follow(&records);
        berths
    }
}

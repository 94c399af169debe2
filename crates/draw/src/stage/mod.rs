//! The stage: one box a slot, as many slots as the ceiling.
//!
//! A task keeps its slot for life, so position is identity. [`Layout`] says where the boxes
//! stand, [`Fleet`] which of them changed since the last picture, [`paint`] draws those.

mod body;
mod glyph;
mod layout;
mod look;
mod paint;
mod small;

pub use layout::{Layout, Level};
pub use look::{Fleet, Look};
pub use paint::{Words, clear, paint, wall};

/// Frames for tests.
#[cfg(test)]
mod tests_frame {
    use rollscope_engine::Frame;
    use rollscope_engine::frame::{Counts, TaskState, TaskView};
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::InstanceId;

    pub fn task(slot: u32, revision: u32, start: u32, state: TaskState) -> TaskView {
        TaskView {
            id: InstanceId(slot),
            slot,
            name: TaskName { revision, start },
            lane: u8::from(revision != 7),
            zone: 0,
            state,
            since: SimTime::ZERO,
            until: None,
            grace_until: None,
            stop_code: None,
        }
    }

    pub fn frame(at: u64, tasks: Vec<TaskView>) -> Frame {
        let mut slots = Vec::new();
        for task in tasks {
            slots.resize(slots.len().max(task.slot as usize + 1), None);
            slots[task.slot as usize] = Some(task);
        }
        Frame {
            at: SimTime(at),
            minimum_healthy_percent: 100,
            maximum_percent: 200,
            counts: Counts::default(),
            room_to_start: 0,
            spare_to_stop: 0,
            deployments: Vec::new(),
            slots,
            hold: None,
            next_event: None,
            ending: None,
        }
    }
}

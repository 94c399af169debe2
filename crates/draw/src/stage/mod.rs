//! The stage: one box a slot, as many slots as the ceiling.
//!
//! A task keeps its slot for life, so position is identity. [`Layout`] says where the boxes
//! stand, [`Fleet`] which of them changed since the last picture, [`paint()`] draws those. What a
//! box shows follows from the number of slots ([`Level`]); far away a box is a square of a
//! hundred slots and a [`Lens`] shows them one by one.
//!
//! ```text
//! plan    sizes a level                     layout  box <-> slot, groups, blocks, squares
//! look    what changed                      paint   order of drawing
//! body    cards, boxes                      small   tiles, cells        far  squares
//! wall    after the last slot               ghost   beyond it
//! sides   who stands behind which wall      walls   two of them beside each other
//! badge   padlock, unprotected
//! marks   selected, hovered                 lens    the hundred of a square
//! ```

pub(crate) mod badge;
pub(crate) mod batch;
pub(crate) mod body;
pub(crate) mod curve;
mod far;
mod ghost;
mod glyph;
mod group;
pub(crate) mod layout;
mod lens;
pub(crate) mod look;
pub(crate) mod marks;
mod neighbour;
mod paint;
pub(crate) mod plan;
mod sides;
pub(crate) mod small;
mod wall;
mod walls;

pub use ghost::{Ghost, ghost};
pub use group::{Group, GroupKey, Grouping, Order};
pub use layout::{Layout, Site};
pub use lens::{Lens, lens};
pub use look::{Fleet, Look};
pub use marks::Marks;
pub use neighbour::Direction;
pub use paint::{Words, clear, paint};
pub use plan::{COUNTS_BELOW, LEFT, Level, NARROW};
pub use sides::{Head, ROLES, Role, Sides};
pub use wall::{Side, Wall, wall};
pub use walls::Half;

/// Frames for tests.
#[cfg(test)]
pub(crate) mod tests_frame {
    use rollscope_engine::Frame;
    use rollscope_engine::frame::{Counts, TaskState, TaskView};
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::{DeploymentId, InstanceId};

    /// Every state of the sheet.
    pub const STATES: [TaskState; 9] = [
        TaskState::Waiting,
        TaskState::Starting,
        TaskState::Checking,
        TaskState::Healthy,
        TaskState::Unhealthy,
        TaskState::Draining,
        TaskState::Stopping,
        TaskState::Stopped,
        TaskState::Failed,
    ];

    pub fn task(slot: u32, revision: u32, start: u32, state: TaskState) -> TaskView {
        TaskView {
            id: InstanceId(slot),
            slot,
            name: TaskName { revision, start },
            deployment: DeploymentId(u16::from(revision != 7)),
            lane: u8::from(revision != 7),
            zone: 0,
            host: None,
            state,
            since: SimTime::ZERO,
            until: None,
            grace_until: None,
            protected_until: None,
            stop_reason: None,
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
            service_deployments: Vec::new(),
            shift: None,
            weights: None,
            traffic: None,
            rollback_candidate: None,
            threshold: None,
            gate: None,
            alarms: Vec::new(),
            schema: 0,
            hosts: Vec::new(),
            waiting_for_instance: 0,
            hold: None,
            next_event: None,
            ending: None,
            kubernetes: None,
            asg: None,
            workload: None,
            vm: None,
        }
    }
}

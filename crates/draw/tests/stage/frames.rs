//! Frames and words for tests.

use rollscope_draw::stage::{Layout, Site, Words};
use rollscope_draw::{Scale, strip};
use rollscope_engine::Frame;
use rollscope_engine::frame::{Counts, Limits, TaskState, TaskView};
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

/// Pixel ratios of real screens.
pub const RATIOS: [f64; 5] = [1.0, 1.25, 1.5, 2.0, 3.0];

pub fn task(slot: u32, state: TaskState) -> TaskView {
    let revision = 7 + slot % 3;
    TaskView {
        id: InstanceId(slot),
        slot,
        name: TaskName { revision, start: slot + 1 },
        deployment: DeploymentId(revision as u16 - 7),
        lane: (revision - 7) as u8,
        zone: (slot % 3) as u8,
        host: None,
        state,
        since: SimTime(1_000),
        until: Some(SimTime(9_000)),
        grace_until: (state == TaskState::Checking).then_some(SimTime(13_000)),
        protected_until: None,
        stop_reason: None,
    }
}

/// A frame whose task in slot `s` is in the state `state(s)`, half of each timed state over.
pub fn frame(slots: u32, state: impl Fn(u32) -> TaskState) -> Frame {
    let tasks: Vec<TaskView> = (0..slots).map(|slot| task(slot, state(slot))).collect();
    let mut counts =
        Counts { limits: Limits { desired: slots, floor: slots / 2, ceiling: slots }, ..Counts::default() };
    for task in tasks.iter().filter(|task| task.state == TaskState::Healthy) {
        counts.lanes[usize::from(task.lane)].healthy += 1;
    }
    Frame {
        at: SimTime(5_000),
        minimum_healthy_percent: 50,
        maximum_percent: 100,
        counts,
        room_to_start: 0,
        spare_to_stop: 0,
        deployments: Vec::new(),
        slots: tasks.into_iter().map(Some).collect(),
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

/// Every state in turn, each for a run of slots, so that squares and blocks are mixed too.
pub fn mixed(slots: u32) -> Frame {
    frame(slots, |slot| STATES[(slot / 7 % 9) as usize])
}

pub fn layout(slots: u32, css_width: f64, ratio: f64) -> Layout {
    Layout::on(0, slots, &Site { wires: true, ..Site::new(css_width, Scale(ratio)) })
}

/// Height of the strip above a layout in device pixels.
pub fn strip_height(layout: &Layout) -> i32 {
    layout.scale.px(strip::height(layout))
}

pub struct Plain;

impl Words for Plain {
    fn name(&self, name: TaskName) -> String {
        format!("{}·{}", name.revision, name.start)
    }
    fn state(&self, state: TaskState) -> String {
        format!("{state:?}").to_lowercase()
    }
    fn note(&self, task: &TaskView, at: SimTime) -> String {
        format!("0:{:02} left", task.until.map_or(0, |until| until.since(at) / 1_000))
    }
    fn ceiling(&self, ceiling: u32) -> String {
        format!("ceiling {ceiling}")
    }
}

/// Writes nothing: what is left are the pictures.
pub struct Mute;

impl Words for Mute {
    fn name(&self, _: TaskName) -> String {
        String::new()
    }
    fn state(&self, _: TaskState) -> String {
        String::new()
    }
    fn note(&self, _: &TaskView, _: SimTime) -> String {
        String::new()
    }
    fn ceiling(&self, _: u32) -> String {
        String::new()
    }
}

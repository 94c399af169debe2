//! What a run of a StatefulSet or a DaemonSet means, in Kubernetes' words. The check before the run is that of
//! [`crate::kubernetes`].
//!
//! ```text
//! outcome(RunView, &Run) -> Outcome    how it ended, the figures, every Pod created and deleted with its reason
//! kubectl::{rollout_status, get, ..}   what kubectl prints at a moment
//! PodNames                             what every Pod of a run is called
//! json::{run, add_events}              the rows that pipelines read
//! ```

pub mod json;
pub mod kubectl;
mod names;
mod outcome;
mod pod_names;

pub use kubectl::{RolloutStatus, rollout_status};
pub use outcome::{BlockedBy, Outcome, StepRow, blocked_by, outcome};
pub use pod_names::PodNames;

use std::collections::BTreeMap;

use rollscope_engine::kubernetes::{Change, Controller, Run};
use rollscope_engine::trace::{InstanceId, Record, TaskChange, What};

/// What kubectl calls a Pod of a StatefulSet, or the node of one of a DaemonSet: where Kubernetes draws a random
/// name the node stands.
///
/// Example: ordinal 3 of `web` is `web-3`; of a DaemonSet `web` on node 3 (counted from 0) it is `web-node3`.
pub fn pod_name(run: &Run, name: &str, place: u32) -> String {
    pod_names::called(matches!(run.controller(), Controller::DaemonSet(_)), name, place)
}

/// The ordinal or the node of every Pod of a run. What exists at time 0 fills the places from the first on.
pub fn places(records: &[Record], run: &Run) -> BTreeMap<InstanceId, u32> {
    let first = match run.controller() {
        Controller::StatefulSet(state) => state.own.first,
        _ => 0,
    };
    let place = |record: &Record| match record.what {
        What::Task { task, change: TaskChange::Existing { .. } } => Some((task.id, first + task.slot)),
        What::Kubernetes(Change::Placed { pod, place, .. }) => Some((pod.id, place)),
        _ => None,
    };
    records.iter().filter_map(place).collect()
}

/// `statefulset` or `daemonset`, as kubectl takes it.
pub fn resource(run: &Run) -> &'static str {
    match run.controller() {
        Controller::DaemonSet(_) => "daemonset",
        _ => "statefulset",
    }
}

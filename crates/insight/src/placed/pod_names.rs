//! What the Pods of a run are called, by the names that the simulation gives them.

use std::collections::BTreeMap;

use rollscope_engine::kubernetes::{Change, Controller, Run};
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Record, TaskChange, What};

/// The name by the place: an ordinal, or a node where Kubernetes draws letters.
///
/// Source: `getPodName` of pkg/controller/statefulset/stateful_set_utils.go; the Pods of a DaemonSet have a
/// `generateName`.
///
/// Example: place 3 of `web` is `web-3`, on node 3 `web-node3`.
pub(super) fn called(on_node: bool, base: &str, place: u32) -> String {
    if on_node { format!("{base}-node{place}") } else { format!("{base}-{place}") }
}

/// The names of the Pods of a StatefulSet or a DaemonSet: its successor has the name of the Pod that it replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodNames {
    base: String,
    on_node: bool,
    /// The place of the first slot: what exists at time 0 fills the places from there on.
    first: u32,
    places: BTreeMap<TaskName, u32>,
    read: usize,
}

impl PodNames {
    /// Of a run before its first record; `base` is the name of the workload.
    pub fn new(run: &Run, base: &str) -> PodNames {
        let (on_node, first) = match run.controller() {
            Controller::StatefulSet(state) => (false, state.own.first),
            Controller::DaemonSet(_) => (true, 0),
            Controller::Deployment => (false, 0),
        };
        PodNames { base: base.to_owned(), on_node, first, ..PodNames::default() }
    }

    /// Takes in what a longer trace of the same run has more than the last time.
    pub fn read(&mut self, records: &[Record]) {
        for record in records.get(self.read..).unwrap_or_default() {
            match record.what {
                What::Task { task, change: TaskChange::Existing { .. } } => {
                    self.places.insert(task.name, self.first.saturating_add(task.slot));
                }
                What::Kubernetes(Change::Placed { pod, place, .. }) => {
                    self.places.insert(pod.name, place);
                }
                _ => {}
            }
        }
        self.read = records.len();
    }

    /// Records that were taken in.
    pub fn len_read(&self) -> usize {
        self.read
    }

    /// Where there is little room: a Pod of a StatefulSet by its name, one of a DaemonSet by its node.
    ///
    /// Example: `web-3`, `node 3`.
    pub fn short(&self, pod: TaskName) -> Option<String> {
        let place = *self.places.get(&pod)?;
        Some(if self.on_node { format!("node {place}") } else { called(false, &self.base, place) })
    }

    /// `web-3`; absent for a Pod that no record tells of.
    pub fn name(&self, pod: TaskName) -> Option<String> {
        self.places.get(&pod).map(|place| called(self.on_node, &self.base, *place))
    }
}

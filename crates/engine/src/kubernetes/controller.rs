//! Whose Pods they are: what a StatefulSet and a DaemonSet keep beside what every workload has. Both give every
//! Pod a place of its own, an ordinal or a node.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::pod::Pod;
use crate::frame::Limits;
use crate::platform::daemonset::{self, NodeClass, NodeParams, NodePods, Nodes, class_of, node_counts};
use crate::platform::kubernetes::Params;
use crate::platform::kubernetes::rules_fence::{ceiling, min_available};
use crate::platform::statefulset::rules_update::{effective_max_unavailable, ordinals};
use crate::platform::statefulset::{self, OrdinalParams, Ordinals};

/// The controller above the Pods.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Controller {
    /// A Deployment and its ReplicaSets.
    Deployment,
    /// A StatefulSet.
    StatefulSet(Box<OrdinalState>),
    /// A DaemonSet.
    DaemonSet(Box<NodeState>),
}

/// Why a StatefulSet or a DaemonSet does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// A StatefulSet.
    Ordinal(statefulset::Wait),
    /// A DaemonSet.
    Node(daemonset::Wait),
}

/// What a StatefulSet keeps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrdinalState {
    /// Its configuration as it is now.
    pub own: OrdinalParams,
    /// Template of `status.currentRevision`; absent before the first one.
    pub current: Option<u32>,
    /// Pods by ordinal.
    pub pods: Ordinals,
    /// The last attempt to create a Pod was refused.
    pub refused: bool,
    /// Why it does nothing, once it has looked.
    pub wait: Option<statefulset::Wait>,
}

impl OrdinalState {
    /// The Pod of this ordinal is like that from here on.
    pub(super) fn put(&mut self, ordinal: u32, pod: Option<&Pod>, template: u32, replicas: u32) {
        let inside = ordinals(self.own.first, replicas).contains(&ordinal);
        let pods = &mut self.pods;
        let (counted, available, old) = match pod.filter(|pod| pod.exists()) {
            None => (false, false, false),
            Some(pod) => (pod.counted(), pod.available, pod.name.revision != template),
        };
        let exists = pod.is_some_and(Pod::exists);
        for (set, holds) in [
            (&mut pods.missing, !exists && inside),
            (&mut pods.terminating, exists && !counted),
            (&mut pods.unavailable, counted && !available),
            (&mut pods.outdated, counted && old),
            (&mut pods.condemned, counted && !inside),
        ] {
            if holds {
                set.insert(ordinal);
            } else {
                set.remove(&ordinal);
            }
        }
    }

    /// Pods beyond the last ordinal, terminating ones included.
    pub(super) fn beyond(&self, replicas: u32) -> u32 {
        let end = ordinals(self.own.first, replicas).end;
        (self.pods.condemned.len() + self.pods.terminating.range(end..).count()) as u32
    }

    /// Available Pods that a stop of the update leaves. Parallel with the gate off looks at nothing below the
    /// Pod that it replaces, so it keeps no floor.
    pub(super) fn floor(&self, replicas: u32) -> u32 {
        if self.own.parallel && !self.own.gate {
            return 0;
        }
        replicas.saturating_sub(effective_max_unavailable(&self.own, replicas))
    }
}

/// What a DaemonSet keeps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeState {
    /// Its configuration as it is now.
    pub own: NodeParams,
    /// Nodes by what their Pods are.
    pub nodes: Nodes,
    /// Class of each node; absent for one that does not run the daemon and has no Pod of it.
    classes: Vec<Option<NodeClass>>,
    /// Slots of each node's Pods, terminating ones included, oldest first.
    on: Vec<Vec<u32>>,
    /// Node of each slot.
    node_of: Vec<u32>,
    /// Pods of each node beyond the one it should have.
    spare: Vec<u32>,
    /// Their sum.
    pub beyond: u32,
    /// The last attempt to create a Pod was refused.
    pub refused: bool,
    /// Why it does nothing, once it has looked.
    pub wait: Option<daemonset::Wait>,
}

impl NodeState {
    pub(super) fn new(own: NodeParams) -> NodeState {
        NodeState {
            own,
            nodes: Nodes::default(),
            classes: Vec::new(),
            on: Vec::new(),
            node_of: Vec::new(),
            spare: Vec::new(),
            beyond: 0,
            refused: false,
            wait: None,
        }
    }

    /// A Pod in this slot is on that node from here on.
    pub(super) fn seat(&mut self, slot: u32, node: u32) {
        if self.node_of.len() <= slot as usize {
            self.node_of.resize(slot as usize + 1, u32::MAX);
        }
        self.node_of[slot as usize] = node;
        self.grow(node + 1);
        self.on[node as usize].push(slot);
    }

    fn grow(&mut self, nodes: u32) {
        let nodes = self.on.len().max(nodes as usize);
        self.on.resize(nodes, Vec::new());
        self.classes.resize(nodes, None);
        self.spare.resize(nodes, 0);
    }

    /// The node of a slot.
    pub fn node_of(&self, slot: u32) -> Option<u32> {
        self.node_of.get(slot as usize).copied().filter(|node| *node != u32::MAX)
    }

    /// Slots of a node's Pods, oldest first.
    pub fn on(&self, node: u32) -> &[u32] {
        self.on.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// Nodes that have, or had, a Pod.
    pub(super) fn known(&self) -> u32 {
        self.on.len() as u32
    }

    /// Something happened to a Pod of this node.
    pub(super) fn look(&mut self, node: u32, slots: &[Option<Pod>], template: u32, nodes: u32) {
        self.grow(node + 1);
        let wanted = node < nodes;
        let here = &mut self.on[node as usize];
        here.retain(|slot| slots[*slot as usize].as_ref().is_some_and(Pod::exists));
        let spare = here.len() as u32 - u32::from(wanted && !here.is_empty());
        self.beyond += spare;
        self.beyond -= core::mem::replace(&mut self.spare[node as usize], spare);
        let pods = here.iter().filter_map(|slot| slots[*slot as usize].as_ref());
        let seen = tally(pods, template);
        let class = match (wanted, seen.old + seen.new) {
            (true, _) => Some(class_of(seen, node_counts(&self.own, nodes).0 > 0)),
            (false, 0) => None,
            (false, _) => Some(NodeClass::Unwanted),
        };
        let before = core::mem::replace(&mut self.classes[node as usize], class);
        self.nodes.put(node, before, class);
    }

    /// All nodes are looked at anew: the template, the strategy or the number of nodes has changed.
    pub(super) fn look_at_all(&mut self, slots: &[Option<Pod>], template: u32, nodes: u32) {
        self.grow(nodes);
        for node in 0..self.known() {
            self.look(node, slots, template, nodes);
        }
    }
}

fn tally<'a>(pods: impl Iterator<Item = &'a Pod>, template: u32) -> NodePods {
    let mut seen = NodePods::default();
    for pod in pods {
        let (ready, available) = (u32::from(pod.ready_since.is_some()), u32::from(pod.available));
        match () {
            () if !pod.counted() => seen.terminating += 1,
            () if pod.name.revision == template => {
                seen.new += 1;
                seen.new_available += available;
            }
            () => {
                seen.old += 1;
                seen.old_ready += ready;
                seen.old_available += available;
            }
        }
    }
    seen
}

impl Controller {
    /// Of a StatefulSet.
    pub(crate) fn stateful_set(own: OrdinalParams) -> Controller {
        let pods = Ordinals::default();
        Controller::StatefulSet(Box::new(OrdinalState { own, current: None, pods, refused: false, wait: None }))
    }

    /// Of a DaemonSet.
    pub(crate) fn daemon_set(own: NodeParams) -> Controller {
        Controller::DaemonSet(Box::new(NodeState::new(own)))
    }

    /// Terminating Pods count against the ceiling: their places are taken until they are gone.
    pub(super) const fn terminating_counts(&self) -> bool {
        matches!(self, Controller::StatefulSet(_))
    }

    /// Pods wanted, fewest available, most at once.
    pub(super) fn limits(&self, params: &Params) -> Limits {
        let desired = params.replicas;
        let (floor, ceiling) = match self {
            Controller::Deployment => (min_available(params.strategy, desired), ceiling(params.strategy, desired)),
            Controller::StatefulSet(state) => {
                (desired.saturating_sub(effective_max_unavailable(&state.own, desired)), desired)
            }
            Controller::DaemonSet(state) => {
                let (surge, unavailable) = node_counts(&state.own, desired);
                (desired.saturating_sub(unavailable), desired.saturating_add(surge))
            }
        };
        Limits { desired, floor, ceiling }
    }

    /// Why it does nothing; absent for a Deployment, which has words of its own.
    pub fn wait(&self) -> Option<Wait> {
        match self {
            Controller::Deployment => None,
            Controller::StatefulSet(state) => state.wait.map(Wait::Ordinal),
            Controller::DaemonSet(state) => state.wait.map(Wait::Node),
        }
    }

    /// The ordinal or the node of the Pod in this slot.
    pub fn place_of(&self, slot: u32) -> Option<u32> {
        match self {
            Controller::Deployment => None,
            Controller::StatefulSet(state) => Some(state.own.first.saturating_add(slot)),
            Controller::DaemonSet(state) => state.node_of(slot),
        }
    }
}

//! Passes of a StatefulSet's and of a DaemonSet's controller, and the revisions both write down.

use alloc::vec::Vec;

use super::Run;
use super::change::{Change, PlaceReason, RemoveReason};
use super::controller::{Controller, Wait};
use super::set::ReplicaSet;
use crate::platform::kubernetes::SetId;
use crate::platform::kubernetes::reconcile::status_of;
use crate::platform::kubernetes::rules_history::{OldSet, forgotten, next_revision};
use crate::platform::{daemonset, statefulset};
use crate::settings::RolloutState;
use crate::trace::{DeploymentChange, DeploymentId, StopCause, Trace, What};

impl Run {
    /// Something about the Pod in this slot has changed: its place is looked at anew.
    pub(super) fn track(&mut self, slot: u32) {
        let (template, wanted) = (self.template, self.params.replicas);
        match &mut self.controller {
            Controller::Deployment => {}
            Controller::StatefulSet(state) => {
                let ordinal = state.own.first.saturating_add(slot);
                state.put(ordinal, self.slots.get(slot as usize).and_then(Option::as_ref), template, wanted);
            }
            Controller::DaemonSet(state) => {
                if let Some(node) = state.node_of(slot) {
                    state.look(node, &self.slots, template, wanted);
                }
            }
        }
    }

    /// The same for all of them: the template, the number of Pods or the strategy has changed.
    pub(super) fn track_all(&mut self) {
        let (template, wanted) = (self.template, self.params.replicas);
        match &mut self.controller {
            Controller::Deployment => {}
            Controller::StatefulSet(state) => {
                for slot in 0..wanted.max(self.slots.len() as u32) {
                    let ordinal = state.own.first.saturating_add(slot);
                    state.put(ordinal, self.slots.get(slot as usize).and_then(Option::as_ref), template, wanted);
                }
                // Fewer Pods are wanted: places that never had one are no places any more.
                let end = statefulset::rules_update::ordinals(state.own.first, wanted).end;
                state.pods.missing.retain(|ordinal| *ordinal < end);
            }
            Controller::DaemonSet(state) => state.look_at_all(&self.slots, template, wanted),
        }
    }

    /// The slot for a Pod of this place.
    pub(super) fn seat(&mut self, place: Option<u32>) -> u32 {
        let slot = match (&self.controller, place) {
            (Controller::StatefulSet(state), Some(ordinal)) => ordinal.saturating_sub(state.own.first),
            (Controller::DaemonSet(_), Some(node)) if self.pod_at(node).is_none_or(|pod| !pod.exists()) => node,
            // The node's own slot is taken: one beyond those of the nodes.
            (Controller::DaemonSet(_), Some(_)) => {
                let wide = self.params.replicas;
                self.free.range(wide..).next().copied().unwrap_or(wide.max(self.slots.len() as u32))
            }
            _ => self.free.first().copied().unwrap_or(self.slots.len() as u32),
        };
        self.free.remove(&slot);
        if self.slots.len() <= slot as usize {
            self.slots.resize(slot as usize + 1, None);
        }
        if let (Controller::DaemonSet(state), Some(node)) = (&mut self.controller, place) {
            state.seat(slot, node);
        }
        slot
    }

    /// The template is written down as the newest revision, under a new number when it was there before.
    pub(super) fn revise(&mut self, template: u32, trace: &mut Trace) {
        let own = self.sets.iter().find(|set| set.template == template).map(|set| (set.id, set.revision));
        let others = self.sets.iter().filter(|set| set.template != template);
        let highest = others.map(|set| set.revision).max().unwrap_or(0);
        let revision = next_revision(own.map(|(_, revision)| revision), highest);
        match own {
            Some((_, same)) if same == revision => {}
            Some((id, from)) => {
                let Some(set) = self.set_mut(id) else { return };
                set.revision = revision;
                let set = set.set();
                self.tell(trace, Change::SetRevised { set, from });
            }
            None => {
                let id = SetId(self.sets_made);
                self.sets_made += 1;
                let set = ReplicaSet::new(id, template, revision, self.now);
                let named = set.set();
                self.sets.push(set);
                self.tell(trace, Change::RevisionWritten { set: named });
                self.rollout_begins(id, trace);
            }
        }
        if let Controller::StatefulSet(state) = &mut self.controller {
            state.current.get_or_insert(template);
        }
        self.track_all();
    }

    fn revision_of(&self, template: u32) -> Option<SetId> {
        self.sets.iter().find(|set| set.template == template).map(|set| set.id)
    }

    /// One pass of a StatefulSet's controller. True when anything changed.
    pub(super) fn ordinal_pass(&mut self, trace: &mut Trace) -> bool {
        use statefulset::{Action, DeleteReason, Plan, reconcile};
        let Controller::StatefulSet(state) = &self.controller else { return false };
        let wanted = self.params.replicas;
        let Plan { actions, wait } = reconcile(&state.own, wanted, &state.pods);
        let (first, floor) = (state.own.first, state.floor(wanted));
        let (current, ceiling) = (state.current, wanted.saturating_add(state.beyond(wanted)));
        self.guards.launching(ceiling);
        let (mut acted, mut refused) = (false, Vec::new());
        for action in actions {
            match action {
                Action::Create { ordinal, current: old, reason } => {
                    let template = current.filter(|_| old).unwrap_or(self.template);
                    let made = self.create_at(ordinal, template, PlaceReason::Ordinal(reason), trace);
                    acted |= made;
                    refused.extend((!made).then_some(ordinal));
                }
                Action::Delete { ordinal, reason } => {
                    let condemned = matches!(reason, DeleteReason::Condemned { .. });
                    self.guards.stopping(if condemned { 0 } else { floor });
                    let cause = if condemned { StopCause::Surplus } else { StopCause::Replaced };
                    self.delete_at(ordinal - first, ordinal, cause, RemoveReason::Ordinal(reason), trace);
                    acted = true;
                }
            }
        }
        let lacks = statefulset::WaitsFor::Creation;
        let wait = refused.first().map(|ordinal| statefulset::Wait::Pod { ordinal: *ordinal, lacks }).or(wait);
        self.refusal(refused.len() as u32, trace);
        self.after_pass(wait.filter(|_| !acted).map(Wait::Ordinal), trace);
        acted
    }

    /// One pass of a DaemonSet's controller. True when anything changed.
    pub(super) fn node_pass(&mut self, trace: &mut Trace) -> bool {
        use daemonset::{Action, DeleteReason, NodeClass, Plan, node_counts, reconcile};
        let Controller::DaemonSet(state) = &self.controller else { return false };
        let wanted = self.params.replicas;
        let (surge, unavailable) = node_counts(&state.own, wanted);
        let Plan { actions, wait } = reconcile(&state.own, wanted, &state.nodes);
        let count = |class| state.nodes.count(class);
        // Old Pods that were not available before are nobody's budget; with surge each node keeps one Pod.
        let floor = if surge == 0 { wanted.saturating_sub(unavailable + count(NodeClass::OldDown)) } else { 0 };
        let doubles = if surge == 0 { 0 } else { wanted };
        self.guards.launching(wanted.saturating_add(doubles).saturating_add(state.beyond));
        let (mut acted, mut refused) = (false, 0);
        for action in actions {
            match action {
                Action::Create { node, reason } => {
                    let made = self.create_at(node, self.template, PlaceReason::Node(reason), trace);
                    acted |= made;
                    refused += u32::from(!made);
                }
                Action::Delete { node, reason } => {
                    let update = matches!(reason, DeleteReason::Outdated { .. } | DeleteReason::OldDown);
                    self.guards.stopping(if update { floor } else { 0 });
                    let cause = if reason == DeleteReason::NodeGone { StopCause::Surplus } else { StopCause::Replaced };
                    for slot in self.doomed(node, reason) {
                        self.delete_at(slot, node, cause, RemoveReason::Node(reason), trace);
                        acted = true;
                    }
                }
            }
        }
        let wait = if refused > 0 { Some(daemonset::Wait::Refused { nodes: refused }) } else { wait };
        self.refusal(refused, trace);
        self.after_pass(wait.filter(|_| !acted).map(Wait::Node), trace);
        acted
    }

    /// Slots of the Pods that go from a node.
    fn doomed(&self, node: u32, reason: daemonset::DeleteReason) -> Vec<u32> {
        use daemonset::DeleteReason;
        let Controller::DaemonSet(state) = &self.controller else { return Vec::new() };
        let old = |slot: &u32| self.pod(*slot).name.revision != self.template;
        let stays: Vec<u32> = state.on(node).iter().copied().filter(|slot| self.pod(*slot).counted()).collect();
        let (older, newer): (Vec<u32>, Vec<u32>) = stays.iter().copied().partition(old);
        match reason {
            DeleteReason::NodeGone => stays,
            // Without surge only the oldest of all stays, with it the oldest of each kind.
            DeleteReason::Extra if daemonset::node_counts(&state.own, self.params.replicas).0 == 0 => {
                stays.into_iter().skip(1).collect()
            }
            DeleteReason::Extra => older.into_iter().skip(1).chain(newer.into_iter().skip(1)).collect(),
            _ => older,
        }
    }

    /// A Pod for a place; false when the quota is used up.
    fn create_at(&mut self, place: u32, template: u32, reason: PlaceReason, trace: &mut Trace) -> bool {
        if self.physical() >= self.quota {
            return false;
        }
        let Some(set) = self.revision_of(template) else { return false };
        let pod = self.create_pod(set, template, Some(place), trace);
        self.tell(trace, Change::Placed { pod, place, reason });
        true
    }

    fn delete_at(&mut self, slot: u32, place: u32, cause: StopCause, reason: RemoveReason, trace: &mut Trace) {
        let pod = self.pod(slot).task();
        self.tell(trace, Change::Removed { pod, place, reason });
        self.delete_pod(slot, cause, trace);
    }

    /// The API server refused so many Pods: said once, until it lets one in.
    fn refusal(&mut self, missing: u32, trace: &mut Trace) {
        let refused = match &mut self.controller {
            Controller::Deployment => return,
            Controller::StatefulSet(state) => &mut state.refused,
            Controller::DaemonSet(state) => &mut state.refused,
        };
        let was = core::mem::replace(refused, missing > 0);
        if missing > 0 && !was {
            let (used, quota) = (self.physical(), self.quota);
            let Some(set) = self.sets.iter().find(|set| set.template == self.template).map(ReplicaSet::set) else {
                return;
            };
            self.tell(trace, Change::Refused { set, missing, used, quota });
        }
    }

    /// Status, the end of a rollout, old revisions, and why nothing is done when that changes.
    fn after_pass(&mut self, wait: Option<Wait>, trace: &mut Trace) {
        let views: Vec<_> = self.sets.iter().map(ReplicaSet::view).collect();
        self.status = status_of(&views, self.template);
        self.completes(trace);
        let before = self.controller.wait();
        match (&mut self.controller, wait) {
            (Controller::StatefulSet(state), Some(Wait::Ordinal(wait))) => state.wait = Some(wait),
            (Controller::DaemonSet(state), Some(Wait::Node(wait))) => state.wait = Some(wait),
            _ => return,
        }
        if let Some(wait) = wait.filter(|wait| before != Some(*wait)) {
            self.tell(trace, Change::Waits(wait));
        }
    }

    /// Every Pod is of the template and ready (of a DaemonSet: available).
    fn completes(&mut self, trace: &mut Trace) {
        let (wanted, template, status) = (self.params.replicas, self.template, self.status);
        let whole = match &mut self.controller {
            Controller::Deployment => false,
            // `currentRevision` moves only with RollingUpdate.
            Controller::StatefulSet(state) => {
                let whole = status.updated == wanted && status.ready == wanted;
                if whole && !state.own.on_delete {
                    state.current = Some(template);
                }
                whole
            }
            Controller::DaemonSet(state) => state.nodes.count(daemonset::NodeClass::NewAvailable) == wanted,
        };
        let Some(id) = self.revision_of(template).filter(|_| whole) else { return };
        let Some(set) = self.set_mut(id) else { return };
        if set.rollout == Some(RolloutState::InProgress) {
            set.rollout = Some(RolloutState::Completed);
            let change = DeploymentChange::State(RolloutState::Completed);
            self.emit(trace, What::Deployment { id: DeploymentId(id.0), revision: template, change });
        }
        self.forget(trace);
    }

    /// Old revisions beyond `revisionHistoryLimit` are deleted once no Pod is of them.
    fn forget(&mut self, trace: &mut Trace) {
        let current = match &self.controller {
            Controller::StatefulSet(state) => state.current,
            _ => None,
        };
        let old = |set: &&ReplicaSet| set.template != self.template && Some(set.template) != current;
        let old: Vec<SetId> = self.sets.iter().filter(old).map(|set| set.id).collect();
        let seen: Vec<OldSet> = self.sets.iter().filter(|set| old.contains(&set.id)).map(as_old).collect();
        for index in forgotten(&seen, self.params.revision_history_limit) {
            let Some(at) = self.sets.iter().position(|set| set.id == old[index]) else { continue };
            let set = self.sets.remove(at).set();
            self.tell(trace, Change::SetForgotten { set });
        }
    }
}

fn as_old(set: &ReplicaSet) -> OldSet {
    OldSet { revision: set.revision, spec: 0, pods: set.pods.physical() }
}

//! Passes of the controllers: what they see, and what becomes of their decisions.

use alloc::vec::Vec;

use super::Run;
use super::change::{Change, SetRef};
use super::controller::Controller;
use super::set::ReplicaSet;
use crate::frame::Limits;
use crate::platform::kubernetes::{
    Action, ConditionKind, Conditions, Observed, Pass, SetId, SetView, SizeReason, reconcile,
};
use crate::trace::{StopCause, Trace};

impl Run {
    pub(super) fn limits(&self) -> Limits {
        self.controller.limits(&self.params)
    }

    /// Pods asked for: the sum of `spec.replicas`.
    pub(super) fn asked(&self) -> u32 {
        if self.controller != Controller::Deployment {
            return self.params.replicas;
        }
        self.sets.iter().map(|set| set.spec).sum()
    }

    /// One pass of whichever controller it is. True when anything changed.
    pub(super) fn pass(&mut self, trace: &mut Trace) -> bool {
        match self.controller {
            Controller::Deployment => self.deployment_pass(trace),
            Controller::StatefulSet(_) => self.ordinal_pass(trace),
            Controller::DaemonSet(_) => self.node_pass(trace),
        }
    }

    /// One pass: the ReplicaSets' controllers first, then the Deployment's, then theirs again. True when
    /// anything changed.
    fn deployment_pass(&mut self, trace: &mut Trace) -> bool {
        let filled = self.follow_sizes(StopCause::Surplus, 0, trace);
        let views: Vec<SetView> = self.sets.iter().map(ReplicaSet::view).collect();
        let observed = Observed {
            now: self.now,
            sets: &views,
            template: self.template,
            status: self.status,
            conditions: self.conditions,
        };
        let pass = reconcile(&self.params, &observed);
        let acted = pass.acted(&observed);
        let Pass { actions, status, conditions, look_at, hold } = pass;
        for action in actions {
            self.carry_out(action, trace);
        }
        self.status = status;
        self.write_conditions(conditions, trace);
        self.look_at = look_at;
        let asked = self.asked();
        self.asked_most = self.asked_most.max(asked);
        self.asked_least = self.asked_least.min(asked);
        let kind = |hold: &Option<crate::platform::kubernetes::Hold>| hold.as_ref().map(core::mem::discriminant);
        if let Some(reason) = hold.filter(|_| !acted && !filled)
            && kind(&self.hold) != kind(&hold)
        {
            self.tell(trace, Change::Hold(reason));
        }
        if !acted || hold.is_none() {
            self.hold = hold;
        }
        acted || filled
    }

    fn carry_out(&mut self, action: Action, trace: &mut Trace) {
        match action {
            Action::Create { size, revision, reason } => self.create_set(size, revision, reason, trace),
            Action::Scale { set, to, reason } => self.scale(set, to, reason, trace),
            Action::Revise { set, revision } => {
                let Some(found) = self.set_mut(set) else { return };
                let from = core::mem::replace(&mut found.revision, revision);
                let set = found.set();
                self.tell(trace, Change::SetRevised { set, from });
            }
            Action::Annotate { set } => self.annotate(set),
            Action::Forget { set } => {
                let Some(index) = self.sets.iter().position(|found| found.id == set) else { return };
                let set = self.sets.remove(index).set();
                self.tell(trace, Change::SetForgotten { set });
            }
        }
    }

    fn create_set(&mut self, size: u32, revision: u32, reason: SizeReason, trace: &mut Trace) {
        let id = SetId(self.sets_made);
        self.sets_made += 1;
        self.sets.push(ReplicaSet::new(id, self.template, revision, self.now));
        if let Some(set) = self.set_mut(id) {
            set.spec = size;
        }
        self.annotate(id);
        let set = SetRef { id, template: self.template, revision };
        self.tell(trace, Change::SetCreated { set, size, reason });
        self.rollout_begins(id, trace);
        self.follow_sizes(StopCause::Replaced, 0, trace);
    }

    fn annotate(&mut self, id: SetId) {
        let Limits { desired, ceiling, .. } = self.limits();
        if let Some(set) = self.set_mut(id) {
            (set.desired, set.max) = (desired, ceiling);
        }
    }

    fn scale(&mut self, id: SetId, to: u32, reason: SizeReason, trace: &mut Trace) {
        let Some(found) = self.set_mut(id) else { return };
        let from = core::mem::replace(&mut found.spec, to);
        let set = found.set();
        self.annotate(id);
        self.tell(trace, Change::SetScaled { set, from, to, reason });
        let (cause, floor) = match reason {
            // Only this reason has a floor to keep: people may ask for less than there is.
            SizeReason::AboveFloor { floor, .. } => (StopCause::Replaced, floor),
            SizeReason::Saturated | SizeReason::RecreateDown => (StopCause::Replaced, 0),
            _ => (StopCause::Surplus, 0),
        };
        self.follow_sizes(cause, floor, trace);
    }

    /// The ReplicaSets' controllers: Pods follow `spec.replicas`. True when anything changed.
    pub(super) fn follow_sizes(&mut self, cause: StopCause, floor: u32, trace: &mut Trace) -> bool {
        let mut changed = false;
        for index in 0..self.sets.len() {
            let set = self.sets[index].view();
            if set.pods > set.spec {
                self.guards.stopping(floor);
                for _ in set.spec..set.pods {
                    let Some((_, slot)) = self.sets[index].order.first().copied() else { break };
                    self.delete_pod(slot, cause, trace);
                    changed = true;
                }
            }
            changed |= set.spec > set.pods && self.create_pods(index, set, trace);
            if set.spec <= set.pods {
                changed |= core::mem::replace(&mut self.sets[index].refused, false);
            }
        }
        changed
    }

    /// As many as the quota lets in; the rest is refused, and tried again when something changes.
    fn create_pods(&mut self, index: usize, set: SetView, trace: &mut Trace) -> bool {
        let missing = set.spec - set.pods;
        let used = self.physical();
        let fit = missing.min(self.quota.saturating_sub(used));
        // Whoever is above the ceiling already may still make good what was lost.
        self.guards.launching(self.limits().ceiling.max(self.asked()));
        for _ in 0..fit {
            self.create_pod(set.id, set.template, None, trace);
        }
        let refused = missing > fit;
        let was = core::mem::replace(&mut self.sets[index].refused, refused);
        if refused && (!was || fit > 0) {
            let (missing, used, quota) = (missing - fit, used + fit, self.quota);
            let set = self.sets[index].set();
            self.tell(trace, Change::Refused { set, missing, used, quota });
        }
        fit > 0 || refused != was
    }

    /// Pods that exist, terminating ones included.
    pub(super) fn physical(&self) -> u32 {
        self.lanes.iter().map(crate::frame::LaneCounts::physical).sum()
    }

    fn write_conditions(&mut self, next: Conditions, trace: &mut Trace) {
        let before = core::mem::replace(&mut self.conditions, next);
        for kind in ConditionKind::ALL {
            let read = |conditions: &Conditions| conditions.get(kind).map(|c| (c.status, c.reason));
            let now = read(&next);
            if read(&before) != now {
                self.tell(trace, Change::Condition { kind, now });
            }
        }
        self.rollout_completes(trace);
    }
}

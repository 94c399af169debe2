//! The beginning, and what people do.

use super::Run;
use super::change::Change;
use super::controller::Controller;
use super::pod::{READINESS, Stage};
use super::set::ReplicaSet;
use crate::frame::TaskState;
use crate::mechanism::probe::Answers;
use crate::platform::kubernetes::reconcile::status_of;
use crate::platform::kubernetes::rules_history::{NoUndo, undo_to};
use crate::platform::kubernetes::rules_progress::{complete, refresh_available};
use crate::platform::kubernetes::{Because, Condition, IntOrPercent, RolloutAct, SetId, Strategy, Truth};
use crate::settings::{Behaviour, Command, Revision, RolloutState, TaskName};
use crate::time::SimTime;
use crate::trace::{DeploymentId, StopCause, TaskChange, Trace, What};

impl Run {
    /// Time 0: what exists, then the template that is rolled out.
    pub(super) fn begin(&mut self, trace: &mut Trace) {
        self.begun = true;
        let settings = self.settings.clone();
        self.track_all();
        let mut placed = 0;
        for (index, existing) in settings.start.deployments.iter().enumerate() {
            let id = SetId(self.sets_made);
            self.sets_made += 1;
            let mut set = ReplicaSet::new(id, existing.revision, index as u32 + 1, SimTime::ZERO);
            let limits = self.limits();
            (set.spec, set.desired, set.max) = (existing.healthy, limits.desired, limits.ceiling);
            set.rollout = Some(RolloutState::Completed);
            self.guards.existing(DeploymentId(id.0), RolloutState::Completed, 0);
            self.sets.push(set);
            for _ in 0..existing.healthy {
                let place = match &self.controller {
                    Controller::Deployment => None,
                    Controller::StatefulSet(state) => Some(state.own.first + placed),
                    Controller::DaemonSet(_) => Some(placed),
                };
                placed += 1;
                self.existing_pod(id, existing.revision, place, trace);
            }
            if let Controller::StatefulSet(state) = &mut self.controller {
                state.current.get_or_insert(existing.revision);
            }
        }
        let views: alloc::vec::Vec<_> = self.sets.iter().map(ReplicaSet::view).collect();
        self.status = status_of(&views, self.template);
        let deployment = self.controller == Controller::Deployment;
        if deployment && complete(self.params.replicas, self.status) && !self.sets.is_empty() {
            let floor = self.limits().floor;
            refresh_available(&mut self.conditions, self.status, floor, self.now);
            if self.params.progress_deadline_ms.is_some() {
                let done = Condition::new(Truth::True, Because::NewReplicaSetAvailable, self.now);
                self.conditions.progressing = Some(done);
            }
        }
        if let Some(revision) = settings.start.deploy {
            self.set_template(revision, trace);
        }
        self.dirty = true;
    }

    /// A Pod that ran before time 0 and is available.
    fn existing_pod(&mut self, set: SetId, template: u32, place: Option<u32>, trace: &mut Trace) {
        let slot = self.occupy(set, template, place);
        let id = self.pod(slot).id;
        self.unassigned.remove(&(id.0, slot));
        self.assigned += 1;
        let task = self.pod(slot).task();
        let change = TaskChange::Existing {
            deployment: DeploymentId(set.0),
            zone: self.pod(slot).zone,
            state: TaskState::Healthy,
        };
        self.emit(trace, What::Task { task, change });
        self.already_running(slot);
        self.reschedule(slot);
    }

    fn set_template(&mut self, to: u32, trace: &mut Trace) -> bool {
        let from = core::mem::replace(&mut self.template, to);
        if from != to {
            self.tell(trace, Change::Template { from, to });
            self.rollout_changes(from, trace);
            if self.controller != Controller::Deployment {
                self.revise(to, trace);
            }
        }
        self.dirty = true;
        from != to
    }

    /// The next act, and whether it had an object.
    pub(super) fn act(&mut self, trace: &mut Trace) -> bool {
        let index = self.acts_done;
        let Some(act) = self.acts.get(index).cloned() else { return false };
        self.acts_done += 1;
        let effective = self.command(act.command, trace);
        self.emit(trace, What::Act { index: index as u32, effective });
        self.dirty |= effective;
        if !self.dirty {
            self.settle(trace);
        }
        effective
    }

    fn command(&mut self, command: Command, trace: &mut Trace) -> bool {
        match command {
            Command::Kill(name) => self.kill(name, trace),
            Command::StopTask(name) => match self.find(name, |stage| !matches!(stage, Stage::Hook | Stage::Stopping)) {
                Some(slot) => {
                    self.delete_pod(slot, StopCause::User, trace);
                    true
                }
                None => false,
            },
            Command::SetDesired(replicas) => {
                let changed = core::mem::replace(&mut self.params.replicas, replicas) != replicas;
                self.track_all();
                changed
            }
            Command::Deploy { revision, behaviour } => {
                self.know(revision);
                if let Some(behaviour) = behaviour {
                    self.fare(revision, behaviour);
                }
                self.set_template(revision, trace)
            }
            Command::SetFate { revision, behaviour } => {
                self.know(revision);
                self.fare(revision, behaviour);
                true
            }
            Command::Rollout(act) => self.rollout(act, trace),
            _ => false,
        }
    }

    fn rollout(&mut self, act: RolloutAct, trace: &mut Trace) -> bool {
        match act {
            // Only a Deployment can be paused; elsewhere kubectl says "pausing is not supported".
            RolloutAct::Pause | RolloutAct::Resume if self.controller != Controller::Deployment => false,
            RolloutAct::Pause => !core::mem::replace(&mut self.params.paused, true),
            RolloutAct::Resume => core::mem::replace(&mut self.params.paused, false),
            RolloutAct::Undo { to } => self.undo(to, trace),
            RolloutAct::SetPartition { partition } => {
                let Controller::StatefulSet(state) = &mut self.controller else { return false };
                core::mem::replace(&mut state.own.partition, partition) != partition
            }
            RolloutAct::SetStrategy { max_surge, max_unavailable } if self.controller != Controller::Deployment => {
                self.set_limits(max_surge, max_unavailable)
            }
            RolloutAct::SetStrategy { max_surge, max_unavailable } => {
                let Strategy::RollingUpdate { max_surge: surge, max_unavailable: unavailable } =
                    &mut self.params.strategy
                else {
                    return false;
                };
                *surge = max_surge.or(*surge);
                *unavailable = max_unavailable.or(*unavailable);
                true
            }
            RolloutAct::SetQuota { pods } => {
                self.set_quota(pods, trace);
                true
            }
            RolloutAct::Unready { pod: Some(name), for_ms } => {
                let runs = |stage| stage == Stage::Running;
                self.find(name, runs).is_some_and(|slot| self.unready(slot, for_ms, trace))
            }
            RolloutAct::Unready { pod: None, for_ms } => {
                let mut any = false;
                for slot in 0..self.slots.len() as u32 {
                    let runs = self.pod_at(slot).is_some_and(|pod| pod.stage == Stage::Running);
                    any |= runs && self.unready(slot, for_ms, trace);
                }
                any
            }
        }
    }

    /// `rollingUpdate` of a StatefulSet or a DaemonSet is changed.
    fn set_limits(&mut self, max_surge: Option<IntOrPercent>, max_unavailable: Option<IntOrPercent>) -> bool {
        match &mut self.controller {
            Controller::Deployment => return false,
            Controller::StatefulSet(state) => {
                let Some(value) = max_unavailable else { return false };
                state.own.max_unavailable = Some(value);
            }
            Controller::DaemonSet(state) => {
                state.own.max_surge = max_surge.unwrap_or(state.own.max_surge);
                state.own.max_unavailable = max_unavailable.unwrap_or(state.own.max_unavailable);
            }
        }
        self.track_all();
        true
    }

    /// `kubectl rollout undo`: an earlier template is written back.
    fn undo(&mut self, to: Option<u32>, trace: &mut Trace) -> bool {
        let revisions: alloc::vec::Vec<u32> = self.sets.iter().map(|set| set.revision).collect();
        let found = undo_to(&revisions, to, self.params.paused);
        let template = found.map(|revision| self.sets.iter().find(|set| set.revision == revision).map(|s| s.template));
        match template {
            Ok(Some(template)) if template == self.template => {
                self.tell(trace, Change::NoUndo(NoUndo::SameTemplate));
                false
            }
            Ok(Some(template)) => self.set_template(template, trace),
            Ok(None) => false,
            Err(why) => {
                self.tell(trace, Change::NoUndo(why));
                false
            }
        }
    }

    /// It fails its readiness checks for so long, whatever else it does. A Pod without a readiness probe
    /// answers nobody who would notice.
    fn unready(&mut self, slot: u32, for_ms: u64, trace: &mut Trace) -> bool {
        let (now, pod) = (self.now, *self.pod(slot));
        let before = pod.ready_answers;
        let from = if before.pass_from == SimTime::NEVER { SimTime::NEVER } else { before.pass_from.max(now + for_ms) };
        let answers = Answers { pass_from: from, ..before };
        if self.settings.timing.healthy_after.is_some() {
            self.pod_mut(slot).ready_answers = answers;
            self.set_ready(slot, false, trace);
        } else {
            let Some(spec) = self.specs[READINESS].clone() else { return false };
            let pod = self.pod_mut(slot);
            pod.ready_answers = answers;
            pod.probes[READINESS].answers_changed(&spec, &before, &answers, now);
        }
        self.reschedule(slot);
        true
    }

    fn kill(&mut self, name: TaskName, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name, |stage| stage == Stage::Running) else { return false };
        self.container_exits(slot, trace);
        self.reschedule(slot);
        true
    }

    /// The slot of the Pod of this name, in a stage that fits.
    fn find(&self, name: TaskName, fits: impl Fn(Stage) -> bool) -> Option<u32> {
        let named = |pod: &&super::Pod| pod.name == name && pod.exists() && fits(pod.stage);
        self.slots.iter().flatten().find(named).map(|pod| pod.slot)
    }

    fn know(&mut self, number: u32) {
        if self.revisions.iter().all(|revision| revision.number != number) {
            self.revisions.push(Revision::new(number, Behaviour::default()));
            self.starts.push(0);
        }
    }

    /// From the next start of a container on; an image that could not be pulled may be there now.
    fn fare(&mut self, number: u32, behaviour: Behaviour) {
        let index = self.index_of(number);
        self.revisions[index].behaviour = behaviour;
        for slot in 0..self.slots.len() as u32 {
            let waits = |pod: &super::Pod| pod.stage == Stage::PullBackOff && pod.name.revision == number;
            if self.pod_at(slot).is_some_and(waits) {
                self.pull_again(slot);
            }
        }
    }
}

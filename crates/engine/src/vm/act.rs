//! The beginning, and what people do.

use super::Run;
use super::change::Change;
use super::control::Rollout;
use super::machine::{Machine, Stage};
use crate::frame::{LaneCounts, TaskState};
use crate::platform::vm::{GroupAct, Kind};
use crate::platform::vmss::{Mode, Status, Upgrade};
use crate::settings::{Behaviour, Command, Revision, TaskName};
use crate::time::SimTime;
use crate::trace::{DeploymentId, StopCause, TaskChange, Trace, What};

impl Run {
    /// Time 0: what exists, then the update that is started.
    pub(super) fn begin(&mut self, trace: &mut Trace) {
        self.begun = true;
        let settings = self.settings.clone();
        for existing in &settings.start.deployments {
            for _ in 0..existing.healthy {
                self.existing(existing.revision, trace);
            }
        }
        if let Some(target) = settings.start.deploy {
            self.roll_out(target, trace);
        }
        self.dirty = true;
    }

    /// A machine that ran before time 0.
    fn existing(&mut self, version: u32, trace: &mut Trace) {
        let slot = self.occupy(version);
        let (task, zone) = (self.machine(slot).task(), self.machine(slot).zone);
        let deployment = DeploymentId(self.machine(slot).version);
        let state = TaskState::Healthy;
        self.emit(trace, What::Task { task, change: TaskChange::Existing { deployment, zone, state } });
        self.already_running(slot);
        self.reschedule(slot);
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
            Command::Kill(name) => {
                let Some(slot) = self.find(name, |stage| stage == Stage::Running) else { return false };
                self.crashes(slot, trace);
                true
            }
            Command::StopTask(name) => {
                let stays = |stage| !matches!(stage, Stage::Draining | Stage::ShuttingDown);
                let Some(slot) = self.find(name, stays) else { return false };
                self.delete(slot, trace);
                true
            }
            Command::SetDesired(size) | Command::Schedule(size) => self.resize(size, trace),
            Command::Deploy { revision, behaviour } => {
                self.know(revision);
                if let Some(behaviour) = behaviour {
                    self.fare(revision, behaviour);
                }
                if let Kind::Mig(params) = &mut self.params.kind {
                    // The act names one version: no canary, and proactive.
                    (params.canary, params.proactive) = (None, true);
                }
                self.roll_out(revision, trace)
            }
            Command::SetFate { revision, behaviour } => {
                self.know(revision);
                self.fare(revision, behaviour);
                true
            }
            Command::Group(GroupAct::StopProactive) => self.stop_proactive(trace),
            Command::Group(GroupAct::Cancel) => self.cancel(trace),
            _ => false,
        }
    }

    /// A machine is deleted as one of a group: the size falls with it.
    fn delete(&mut self, slot: u32, trace: &mut Trace) {
        let size = self.params.size.saturating_sub(1);
        self.take_down(slot, None, StopCause::User, trace);
        self.resize(size, trace);
    }

    fn resize(&mut self, size: u32, trace: &mut Trace) -> bool {
        let from = core::mem::replace(&mut self.params.size, size);
        if from != size {
            self.tell(trace, Change::Size { from, to: size });
        }
        from != size
    }

    /// The new template or model is rolled out from here on.
    fn roll_out(&mut self, target: u32, trace: &mut Trace) -> bool {
        if self.upgrade.is_some_and(|upgrade| !upgrade.status.is_final()) {
            self.tell(trace, Change::InProgress);
            return false;
        }
        let from = core::mem::replace(&mut self.target, target);
        if from != target {
            self.former = from;
        }
        self.tell(trace, Change::Started { target, from });
        self.rollout = Rollout { number: self.rollout.number + 1, started: self.now, reached: None, ended: None };
        self.sort_anew();
        let Kind::Vmss(params) = &self.params.kind else { return true };
        if params.mode != Mode::Manual {
            let status = Status::RollingForward;
            self.upgrade = Some(Upgrade { status, batches: 0, open: false, pause_until: SimTime::ZERO });
            self.tell(trace, Change::Status { from: None, to: status, because: None });
        }
        true
    }

    /// Every machine is old or of the target from here on.
    fn sort_anew(&mut self) {
        let target = self.target;
        for slot in 0..self.slots.len() as u32 {
            if self.machine_at(slot).is_some_and(Machine::exists) {
                self.change(slot, &mut Trace::null(), |machine| {
                    machine.target = machine.again.unwrap_or(machine.name.revision) == target;
                });
            }
        }
    }

    fn stop_proactive(&mut self, trace: &mut Trace) -> bool {
        let Kind::Mig(params) = &mut self.params.kind else { return false };
        if core::mem::replace(&mut params.proactive, false) {
            self.tell(trace, Change::Proactive(false));
            return true;
        }
        false
    }

    /// The upgrade stops; what is upgraded stays so.
    fn cancel(&mut self, trace: &mut Trace) -> bool {
        if !self.upgrade.is_some_and(|upgrade| upgrade.status == Status::RollingForward) {
            self.tell(trace, Change::NoUpgrade);
            return false;
        }
        self.enter(Status::Cancelled, None, trace);
        true
    }

    /// The slot of the machine of this name, in a stage that fits.
    fn find(&self, name: TaskName, fits: impl Fn(Stage) -> bool) -> Option<u32> {
        let named = |machine: &&Machine| machine.name == name && machine.exists() && fits(machine.stage);
        self.slots.iter().flatten().find(named).map(|machine| machine.slot)
    }

    fn know(&mut self, number: u32) {
        if self.revisions.iter().all(|revision| revision.number != number) {
            self.revisions.push(Revision::new(number, Behaviour::default()));
            self.starts.push(0);
            self.versions.push(LaneCounts::default());
        }
    }

    /// From the next creation on.
    fn fare(&mut self, number: u32, behaviour: Behaviour) {
        let index = self.index_of(number);
        self.revisions[index].behaviour = behaviour;
    }
}

//! The beginning, and what people do.

use super::Run;
use super::change::{Change, InstanceChange};
use super::instance::{Instance, Stage};
use crate::frame::{LaneCounts, TaskState};
use crate::platform::asg::{NoObject, RefreshAct};
use crate::settings::{Behaviour, Command, Revision, TaskName};
use crate::trace::{DeploymentId, StopCause, TaskChange, Trace, What};

impl Run {
    /// Time 0: what exists, then the refresh that is started.
    pub(super) fn begin(&mut self, trace: &mut Trace) {
        self.begun = true;
        let settings = self.settings.clone();
        let start = self.params.start;
        let protected = start.protected;
        let mut k = 0;
        for existing in &settings.start.deployments {
            for _ in 0..existing.healthy {
                self.existing(existing.revision, false, k < protected, trace);
                k += 1;
            }
        }
        for _ in 0..start.standby {
            self.existing(self.version_of_standby(), true, false, trace);
        }
        if let Some(target) = settings.start.deploy {
            self.start_refresh(target, trace);
        }
        self.dirty = true;
    }

    /// Those in standby are of the version that the group had first.
    fn version_of_standby(&self) -> u32 {
        self.settings.start.deployments.first().map_or(self.version, |deployment| deployment.revision)
    }

    /// An instance that ran before time 0.
    fn existing(&mut self, version: u32, standby: bool, protected: bool, trace: &mut Trace) {
        let slot = self.occupy(version);
        let (task, zone) = (self.instance(slot).task(), self.instance(slot).zone);
        let state = if standby { TaskState::Checking } else { TaskState::Healthy };
        let deployment = DeploymentId(self.instance(slot).version);
        self.emit(trace, What::Task { task, change: TaskChange::Existing { deployment, zone, state } });
        self.already_running(slot, standby, protected);
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
        let runs = |stage| matches!(stage, Stage::InService | Stage::Standby);
        match command {
            Command::Kill(name) => {
                let Some(slot) = self.find(name, runs) else { return false };
                self.impaired(slot, trace);
                true
            }
            Command::StopTask(name) => {
                let stays = |stage| !matches!(stage, Stage::Deregistering | Stage::ShuttingDown);
                let Some(slot) = self.find(name, stays) else { return false };
                self.terminate(slot, StopCause::User, trace);
                true
            }
            Command::SetDesired(desired) | Command::Schedule(desired) => self.set_desired(desired, trace),
            Command::Deploy { revision, behaviour } => {
                self.know(revision);
                if let Some(behaviour) = behaviour {
                    self.fare(revision, behaviour);
                }
                self.start_refresh(revision, trace)
            }
            Command::SetFate { revision, behaviour } => {
                self.know(revision);
                self.fare(revision, behaviour);
                true
            }
            Command::SetAlarm { alarm, state } => self.set_alarm(alarm, state, trace),
            Command::Protect { task, .. } => self.protect(task, true, trace),
            Command::Unprotect(task) => self.protect(task, false, trace),
            Command::Refresh(RefreshAct::Cancel) => self.cancel(trace),
            Command::Refresh(RefreshAct::RollBack) => self.roll_back(trace),
            Command::Refresh(RefreshAct::EnterStandby(name)) => self.enter_standby(name, trace),
            Command::Refresh(RefreshAct::ExitStandby(name)) => self.exit_standby(name, trace),
            _ => false,
        }
    }

    fn set_desired(&mut self, desired: u32, trace: &mut Trace) -> bool {
        let (min, max) = (self.params.min_size, self.params.max_size);
        if !(min..=max).contains(&desired) {
            self.tell(trace, Change::Refused(NoObject::Size { min, max }));
            return false;
        }
        let from = core::mem::replace(&mut self.params.desired, desired);
        if from != desired {
            self.tell(trace, Change::Desired { from, to: desired });
        }
        from != desired
    }

    /// `SetInstanceProtection`
    fn protect(&mut self, name: TaskName, protected: bool, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name, |stage| stage == Stage::InService) else { return false };
        if self.instance(slot).protected == protected {
            return false;
        }
        self.change(slot, trace, |instance| instance.protected = protected);
        let task = self.instance(slot).task();
        let change = if protected { TaskChange::Protected { until: None } } else { TaskChange::Unprotected };
        self.emit(trace, What::Task { task, change });
        true
    }

    /// `EnterStandby` with a lower desired capacity.
    fn enter_standby(&mut self, name: TaskName, trace: &mut Trace) -> bool {
        let lower = self.params.desired.checked_sub(1).filter(|lower| *lower >= self.params.min_size);
        let (Some(slot), Some(lower)) = (self.find(name, |stage| stage == Stage::InService), lower) else {
            return false;
        };
        self.change(slot, trace, |instance| (instance.stage, instance.ready) = (Stage::Standby, false));
        let instance = self.instance(slot).task();
        self.tell(trace, Change::Instance { instance, change: InstanceChange::Standby });
        self.reschedule(slot);
        self.set_desired(lower, trace);
        true
    }

    /// `ExitStandby`: it is in service at once, and the desired capacity rises again.
    fn exit_standby(&mut self, name: TaskName, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name, |stage| stage == Stage::Standby) else { return false };
        let higher = (self.params.desired + 1).min(self.params.max_size);
        self.change(slot, trace, |instance| {
            (instance.stage, instance.ready) = (Stage::InService, instance.healthy);
        });
        let instance = self.instance(slot).task();
        self.tell(trace, Change::Instance { instance, change: InstanceChange::BackInService });
        self.reschedule(slot);
        self.set_desired(higher, trace);
        true
    }

    /// The slot of the instance of this name, in a stage that fits.
    fn find(&self, name: TaskName, fits: impl Fn(Stage) -> bool) -> Option<u32> {
        let named = |instance: &&Instance| instance.name == name && instance.exists() && fits(instance.stage);
        self.slots.iter().flatten().find(named).map(|instance| instance.slot)
    }

    fn know(&mut self, number: u32) {
        if self.revisions.iter().all(|revision| revision.number != number) {
            self.revisions.push(Revision::new(number, Behaviour::default()));
            self.starts.push(0);
            self.versions.push(LaneCounts::default());
        }
    }

    /// From the next launch on.
    fn fare(&mut self, number: u32, behaviour: Behaviour) {
        let index = self.index_of(number);
        self.revisions[index].behaviour = behaviour;
    }
}

//! What people and the world do during a run.

use super::Simulation;
use crate::settings::{Command, RolloutState, TaskName};
use crate::trace::{StopCause, Trace, What};

impl Simulation {
    /// Carries out the next act of the list; false when its object was gone.
    pub(super) fn act(&mut self, trace: &mut Trace) -> bool {
        let Some(act) = self.acts.get(self.acts_done).filter(|act| act.at <= self.now) else { return false };
        let command = act.command.clone();
        let index = self.acts_done as u32;
        self.acts_done += 1;
        self.dirty = true;
        let effective = match command {
            Command::Kill(name) => self.kill(name),
            Command::StopTask(name) => self.stop_task(name, StopCause::User, trace),
            Command::Interrupt(name) => self.stop_task(name, StopCause::Spot, trace),
            Command::SetDesired(desired) => self.set_desired(desired),
            Command::SetPercentages { minimum, maximum } => {
                self.params.minimum_healthy_percent = minimum.unwrap_or(self.params.minimum_healthy_percent);
                self.params.maximum_percent = maximum.unwrap_or(self.params.maximum_percent);
                true
            }
            Command::Deploy { revision, behaviour } => {
                self.deploy(revision, behaviour, trace);
                true
            }
            Command::SetFate { revision, behaviour } => {
                let revision = self.revision(revision);
                self.revisions[revision].behaviour = behaviour;
                self.find_pools();
                true
            }
            Command::SetAlarm { alarm, state } => self.set_alarm(alarm as usize, state, trace),
            Command::StopDeployment => self.stop_deployment(trace),
            Command::ContinueDeployment { hook, action } => self.continue_deployment(hook, action, trace),
            Command::Protect { task, for_ms } => self.protect(task, for_ms, trace),
            Command::Unprotect(task) => self.unprotect_by_name(task, trace),
            Command::SetSchema(version) => {
                self.set_schema(version, trace);
                true
            }
            Command::Schedule(desired) => self.set_desired(desired),
            Command::Template { revision, desired } => {
                self.set_desired(desired);
                self.deploy(revision, None, trace);
                true
            }
            on_instances => self.act_on_instances(&on_instances, trace),
        };
        self.emit(trace, What::Act { index, effective });
        self.check_breaker(trace);
        effective
    }

    /// Tasks are found by a look at all slots: people act seldom.
    pub(super) fn find(&self, name: TaskName) -> Option<u32> {
        self.slots.iter().flatten().find(|task| task.name == name && task.exists()).map(|task| task.slot)
    }

    /// A container exits one millisecond from now.
    fn kill(&mut self, name: TaskName) -> bool {
        let Some(slot) = self.find(name) else { return false };
        let at = self.now + 1;
        let task = self.task_mut(slot);
        task.exit_at = task.exit_at.min(at);
        self.reschedule(slot);
        true
    }

    fn stop_task(&mut self, name: TaskName, cause: StopCause, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name).filter(|slot| self.task(*slot).class.is_some()) else { return false };
        let deployment = self.task(slot).deployment;
        let gap = self.task(slot).leaves_gap();
        self.decide_stop(slot, cause, trace);
        // A task that was lost to a person or to its host is made good as one lost to an exit.
        self.deployment_mut(deployment).lost += u32::from(gap);
        self.reschedule(slot);
        true
    }

    /// Scale-out applies to the source revision too, as far as the floor rises.
    /// Source: availability change of November 2025.
    pub(super) fn set_desired(&mut self, desired: u32) -> bool {
        // The desired count of a DAEMON service is the number of its instances.
        if self.settings.cluster().is_some_and(|cluster| cluster.daemon) {
            return false;
        }
        let before = self.limits().floor;
        self.params.desired = desired;
        let after = self.limits().floor;
        let sources = self.deployments.len().saturating_sub(1);
        let owed = after.saturating_sub(before);
        let newest = |d: &&mut super::Deployment| d.state == RolloutState::Completed;
        let sources = &mut self.deployments[..sources];
        let heir = match sources.iter_mut().rev().find(newest) {
            Some(completed) => Some(completed),
            None => self.deployments.iter_mut().rev().skip(1).find(|d| d.state != RolloutState::Failed && !d.halted),
        };
        if let Some(source) = heir {
            source.lost += owed;
        }
        true
    }
}

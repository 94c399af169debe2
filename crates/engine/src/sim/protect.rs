//! Task scale-in protection.

use super::Simulation;
use super::deployment;
use crate::settings::TaskName;
use crate::time::SimTime;
use crate::trace::{TaskChange, Trace, What};

impl Simulation {
    /// `UpdateTaskProtection`. Refused (`DEPLOYMENT_BLOCKED`) when more tasks than the desired count
    /// would be protected. Source: API `UpdateTaskProtectionRequest`; Developer Guide,
    /// task-scale-in-protection.
    pub(super) fn protect(&mut self, name: TaskName, for_ms: Option<u64>, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name).filter(|slot| self.task(*slot).class.is_some()) else { return false };
        let others: u32 = self.deployments.iter().map(super::Deployment::protected).sum();
        let others = others - u32::from(self.task(slot).is_protected());
        if others >= self.params.desired {
            return false;
        }
        let until = for_ms.map_or(SimTime::NEVER, |ms| self.now + ms.max(1));
        self.set_protection(slot, until);
        let task = self.task(slot).task();
        let change = TaskChange::Protected { until: for_ms.map(|_| until) };
        self.emit(trace, What::Task { task, change });
        true
    }

    /// Protection ends: by hand, or because its time is over.
    pub(super) fn unprotect(&mut self, slot: u32, trace: &mut Trace) {
        self.set_protection(slot, SimTime::ZERO);
        self.dirty = true;
        let task = self.task(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Unprotected });
    }

    pub(super) fn unprotect_by_name(&mut self, name: TaskName, trace: &mut Trace) -> bool {
        let Some(slot) = self.find(name).filter(|slot| self.task(*slot).is_protected()) else { return false };
        self.unprotect(slot, trace);
        true
    }

    /// The one place where protection changes: the task stands under another key from here on.
    fn set_protection(&mut self, slot: u32, until: SimTime) {
        let task = self.task(slot);
        let (id, zone, deployment, before) = (task.id, task.zone, task.deployment, task.is_protected());
        let class = task.class;
        self.task_mut(slot).protected_until = until;
        let after = self.task(slot).is_protected();
        if let Some(class) = class {
            let d = self.deployment_mut(deployment);
            d.remove(class, zone, deployment::key(id, before), slot);
            d.insert(class, zone, deployment::key(id, after), slot);
            if let Some(hosts) = &mut self.hosts {
                let seat = |protected: bool| (deployment.0, class as u8, deployment::key(id, protected).0, slot);
                hosts.moved(seat(before), seat(after));
            }
        }
        self.reschedule(slot);
    }
}

//! Rebalancing between zones in steady state: one task more starts in the emptiest zone; once it is
//! healthy one in the fullest zone stops, as any task beyond the desired count does.

use super::Simulation;
use crate::mechanism::host::{Host, HostState};
use crate::mechanism::instance::Health;
use crate::mechanism::placement::Hosts;
use crate::platform::ecs::rules_rebalance;
use crate::settings::{RolloutState, TaskName, ZONES};
use crate::trace::{DeploymentId, TaskChange, Trace, What};

impl Simulation {
    /// Zones in which tasks can run.
    fn zones_in_use(&self) -> [bool; ZONES] {
        let Some(hosts) = &self.hosts else { return [true; ZONES] };
        let active = |zone: usize| {
            let here = |host: &&Host| host.spec.zone as usize == zone;
            hosts.all().iter().filter(here).any(|host| host.state == HostState::Active)
        };
        core::array::from_fn(active)
    }

    /// From which zone to which one task should move now: only in steady state, only where placement spreads
    /// over zones first, and only to a zone with room.
    pub(super) fn uneven(&self) -> Option<(u8, u8)> {
        let [only] = &self.deployments[..] else { return None };
        let steady = only.state == RolloutState::Completed
            && only.tasks.healthy == self.params.desired
            && only.tasks.physical() == self.params.desired;
        let spreads = self.settings.cluster().is_none_or(|cluster| cluster.strategy.zones && !cluster.daemon);
        if !self.settings.rebalancing || !spreads || !steady || self.moving.is_some() {
            return None;
        }
        let room = self.hosts.as_ref().map_or([true; ZONES], Hosts::zones_with_room);
        let (from, to) = rules_rebalance::moves(&self.zones, &self.zones_in_use(), &room)?;
        Some((from as u8, to as u8))
    }

    /// Tasks beyond the desired count that are let be: the extra one until it is healthy.
    pub(super) fn extra(&self) -> u32 {
        u32::from(self.moving.is_some())
    }

    /// The extra task is healthy or gone, or a deployment interrupts: it is a task like any other.
    pub(super) fn settle_rebalance(&mut self) {
        let Some((id, slot)) = self.moving else { return };
        let task = self.slots[slot as usize].as_ref();
        let waits = task.is_some_and(|t| t.id == id && t.class.is_some() && t.health == Health::Unready);
        let alone = matches!(&self.deployments[..], [only] if only.state == RolloutState::Completed);
        if !waits || !alone {
            self.moving = None;
        }
    }

    /// The extra task starts.
    pub(super) fn rebalance(&mut self, of: DeploymentId, trace: &mut Trace) -> Option<TaskName> {
        self.quota.take(self.now, 1);
        let batch = self.new_batch();
        let ceiling = self.limits().ceiling;
        let slot = self.occupy(of, batch);
        self.schedule_start(slot);
        self.reschedule(slot);
        self.guards.launching(ceiling);
        let task = self.task(slot);
        let (zone, task) = (task.zone, task.task());
        self.moving = Some((task.id, slot));
        self.emit(trace, What::Task { task, change: TaskChange::Created { deployment: of, zone, replacement: false } });
        self.tell_place(slot, trace);
        Some(task.name)
    }
}

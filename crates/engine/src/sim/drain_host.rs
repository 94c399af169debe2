//! Instances that are drained, taken back or lost, by hand or by the world.

use super::Simulation;
use crate::capacity::SPOT_NOTICE_MS;
use crate::mechanism::host::HostState;
use crate::mechanism::instance::Phase;
use crate::mechanism::placement::{Hosts, Moment};
use crate::settings::{Command, HOSTS_MAX};
use crate::trace::{HostChange, StopCause, StopReason, TaskChange, Trace, What};

impl Simulation {
    /// Acts on instances; false when there is no such instance.
    pub(super) fn act_on_instances(&mut self, command: &Command, trace: &mut Trace) -> bool {
        match *command {
            Command::AddInstances { like, count } => self.add_by_hand(like, count, trace),
            Command::DrainInstance(number) => self.drain_by_hand(number, HostChange::Draining, trace),
            Command::ReclaimInstance(number) => {
                let host = self.host_in(number, |state| matches!(state, HostState::Active | HostState::Draining));
                let (Some(host), ends) = (host, self.now + SPOT_NOTICE_MS) else { return false };
                if let Some(hosts) = &mut self.hosts {
                    hosts.plan(ends, host, Moment::Ends);
                }
                self.emit(trace, What::Host { host: number, change: HostChange::SpotNotice });
                self.drain(host, trace);
                true
            }
            Command::LoseInstance(number) => {
                let there = |state| matches!(state, HostState::Active | HostState::Draining);
                let Some(host) = self.host_in(number, there) else { return false };
                self.lose(host, StopCause::HostLost, trace);
                true
            }
            Command::LoseZone(zone) => self.lose_zone(zone, trace),
            // The other acts are carried out elsewhere.
            _ => false,
        }
    }

    /// Index of the instance people call `number`, when its state is one of those.
    fn host_in(&self, number: u32, wanted: impl Fn(HostState) -> bool) -> Option<u32> {
        let index = number.checked_sub(1)?;
        let host = self.hosts.as_ref()?.all().get(index as usize)?;
        wanted(host.state).then_some(index)
    }

    fn add_by_hand(&mut self, like: u32, count: u32, trace: &mut Trace) -> bool {
        let known = self.hosts.as_ref().map_or(&[][..], Hosts::all);
        let Some(spec) = like.checked_sub(1).and_then(|i| known.get(i as usize)).map(|host| host.spec) else {
            return false;
        };
        let room = HOSTS_MAX.saturating_sub(known.len() as u32);
        for _ in 0..count.min(room) {
            self.add_instance(spec, None, trace);
        }
        count > 0 && room > 0
    }

    fn drain_by_hand(&mut self, number: u32, change: HostChange, trace: &mut Trace) -> bool {
        let Some(host) = self.host_in(number, |state| state == HostState::Active) else { return false };
        self.emit(trace, What::Host { host: number, change });
        self.drain(host, trace);
        true
    }

    /// DRAINING: tasks that do not run yet stop at once, the others are replaced inside floor and
    /// ceiling. Source: Developer Guide, container-instance-draining.
    fn drain(&mut self, host: u32, trace: &mut Trace) {
        let Some(hosts) = &mut self.hosts else { return };
        if hosts.all()[host as usize].state != HostState::Active {
            return;
        }
        hosts.become_state(host, HostState::Draining);
        for slot in hosts.tasks_on(host) {
            let task = self.task(slot);
            let pending = matches!(task.phase, Phase::Provisioning | Phase::Activating);
            if !pending || task.class.is_none() {
                continue;
            }
            let (deployment, gap) = (task.deployment, task.leaves_gap());
            self.decide_stop(slot, StopCause::Draining, trace);
            self.deployment_mut(deployment).lost += u32::from(gap);
            self.reschedule(slot);
        }
        self.instances_changed(trace);
    }

    /// The notice of a Spot instance is over.
    pub(super) fn spot_ends(&mut self, host: u32, trace: &mut Trace) {
        let there = self.hosts.as_ref().is_some_and(|hosts| hosts.all()[host as usize].state == HostState::Draining);
        if there {
            self.lose(host, StopCause::Spot, trace);
        }
    }

    fn lose_zone(&mut self, zone: u8, trace: &mut Trace) -> bool {
        let all = self.hosts.as_ref().map_or(&[][..], Hosts::all);
        let here = (0u32..).zip(all).filter(|(_, host)| host.spec.zone == zone);
        let there = here.filter(|(_, host)| matches!(host.state, HostState::Active | HostState::Draining));
        let there: alloc::vec::Vec<u32> = there.map(|(number, _)| number).collect();
        for host in &there {
            self.lose(*host, StopCause::HostLost, trace);
        }
        !there.is_empty()
    }

    /// An instance goes with everything on it: its tasks are STOPPED at once, and made good as tasks
    /// that were lost.
    fn lose(&mut self, host: u32, cause: StopCause, trace: &mut Trace) {
        let Some(hosts) = &mut self.hosts else { return };
        hosts.become_state(host, HostState::Gone);
        let tasks = hosts.tasks_on(host);
        self.emit(trace, What::Host { host: host + 1, change: HostChange::Gone });
        for slot in tasks {
            if self.task(slot).class.is_some() {
                let task = self.task(slot);
                let (task, deployment, gap) = (task.task(), task.deployment, task.leaves_gap());
                self.leave_active(slot);
                self.task_mut(slot).stop_reason = StopReason::of(cause);
                self.emit(trace, What::Task { task, change: TaskChange::StopDecided(cause) });
                self.failure_by_stop(task, deployment, cause, trace);
                self.deployment_mut(deployment).lost += u32::from(gap);
            }
            // Nobody is there to send a signal or to wait for one.
            self.task_mut(slot).killed = false;
            self.stopped(slot, trace);
        }
        self.instances_changed(trace);
    }
}

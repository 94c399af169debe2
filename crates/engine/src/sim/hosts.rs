//! Instances of a cluster during a run: where tasks go, who waits for one, and what comes and goes.

use alloc::vec::Vec;

use super::{Simulation, deployment};
use crate::capacity::{Capacity, Cluster, HostSpec, NoInstance, Outage, PROVISIONING_MAX};
use crate::frame::{HostView, Usage};
use crate::mechanism::host::{Host, HostState};
use crate::mechanism::instance::{Class, Phase};
use crate::mechanism::placement::{Hosts, LEAVING, Moment, Seat, Shortage};
use crate::platform::ecs::rules_breaker::FailureKind;
use crate::platform::ecs::{Group, Room, rules_daemon, rules_placement};
use crate::settings::ZONES;
use crate::time::SimTime;
use crate::trace::{DeploymentId, HostChange, TaskChange, Trace, What};

impl Simulation {
    /// The instances of the settings, before anything happens.
    pub(super) fn found_cluster(&mut self) {
        let settings = self.settings.clone();
        let Some(cluster) = settings.cluster() else { return };
        let mut hosts = Hosts::new(cluster.needs, cluster.strategy.order);
        for spec in &cluster.hosts {
            hosts.add(*spec, (spec.from > SimTime::ZERO).then_some(spec.from));
        }
        self.hosts = Some(hosts);
        self.follow_instances();
    }

    /// The desired count of a DAEMON service is the number of ACTIVE instances.
    pub(super) fn follow_instances(&mut self) {
        let daemon = self.settings.cluster().is_some_and(|cluster| cluster.daemon);
        if let Some(hosts) = self.hosts.as_ref().filter(|_| daemon) {
            self.params.desired = rules_daemon::desired(hosts.active());
        }
    }

    fn cluster(&self) -> Option<&Cluster> {
        self.settings.cluster()
    }

    /// The zone of a new task, and its instance where there are instances and one has room.
    pub(super) fn choose_place(&self) -> (u8, Option<u32>) {
        let emptiest = rules_placement::zone(&self.zones, &[true; ZONES]).unwrap_or(0) as u8;
        let (Some(hosts), Some(cluster)) = (&self.hosts, self.cluster()) else { return (emptiest, None) };
        let host = if cluster.strategy.zones {
            rules_placement::zone(&self.zones, &hosts.zones_with_room()).and_then(|zone| hosts.first_in(zone))
        } else {
            hosts.first()
        };
        host.map_or((emptiest, None), |host| (hosts.all()[host as usize].spec.zone, Some(host)))
    }

    /// A task that starts has no instance yet: it waits in PROVISIONING.
    pub(super) fn waits_for_instance(&mut self, slot: u32) -> bool {
        let id = self.task(slot).id;
        let Some(hosts) = self.hosts.as_mut().filter(|hosts| hosts.host_of(slot).is_none()) else { return false };
        hosts.wait(id.0, slot);
        true
    }

    /// Records where a task is, or that it waits for an instance.
    pub(super) fn tell_place(&mut self, slot: u32, trace: &mut Trace) {
        let Some(hosts) = &self.hosts else { return };
        let host = hosts.host_of(slot);
        let task = self.task(slot);
        let waits = task.phase == Phase::Provisioning && task.phase_ends == SimTime::NEVER;
        let (task, zone, deployment) = (task.task(), task.zone, task.deployment);
        let Some(host) = host else {
            if !waits {
                return;
            }
            // Waiting is looked at and does not count. Source: Developer Guide, service-event-messages-list.
            return self.failure(Some(task), deployment, FailureKind::WaitsForCapacity, trace);
        };
        self.emit(trace, What::Task { task, change: TaskChange::Placed { host: host + 1, zone } });
    }

    /// The stop of a task was decided, or it is lost: it holds its place until it is STOPPED.
    pub(super) fn leaves_place(&mut self, slot: u32, before: Seat) {
        let id = self.task(slot).id;
        if let Some(hosts) = &mut self.hosts
            && !hosts.waits_no_more(id.0, slot)
        {
            hosts.moved(before, (before.0, LEAVING, id.0, slot));
        }
    }

    /// A task is STOPPED: its place is free for one that waits.
    pub(super) fn leave_host(&mut self, slot: u32, trace: &mut Trace) {
        let task = self.task(slot);
        let seat = (task.deployment.0, LEAVING, task.id.0, slot);
        if let Some(hosts) = &mut self.hosts {
            hosts.unseat(seat);
            self.place_waiting(trace);
        }
    }

    /// Tasks that wait take the room there is, in the order they came.
    pub(super) fn place_waiting(&mut self, trace: &mut Trace) {
        while let Some(slot) = self.hosts.as_ref().and_then(Hosts::first_waiting) {
            let (zone, Some(host)) = self.choose_place() else { return };
            let task = self.task(slot);
            let (id, deployment, was) = (task.id, task.deployment, task.zone);
            let (class, key) = (task.class.unwrap_or(Class::Fresh), deployment::key(id, task.is_protected()));
            let d = self.deployment_mut(deployment);
            d.remove(class, was, key, slot);
            d.insert(class, zone, key, slot);
            self.zones[was as usize] -= 1;
            self.zones[zone as usize] += 1;
            self.task_mut(slot).zone = zone;
            if let Some(hosts) = &mut self.hosts {
                hosts.waits_no_more(id.0, slot);
                hosts.seat(host, (deployment.0, class as u8, key.0, slot));
            }
            let (lot, now) = (self.draw_lot(slot), self.now);
            let task = self.task_mut(slot);
            // Its start begins here.
            (task.lot, task.created) = (lot, now);
            self.schedule_start(slot);
            self.reschedule(slot);
            self.tell_place(slot, trace);
            self.dirty = true;
        }
    }

    /// The controller's view of a deployment.
    pub(super) fn group(&self, d: &super::Deployment) -> Group {
        let displaced = self.hosts.as_ref().map_or(0, |hosts| hosts.displaced(d.id.0));
        Group { displaced, ..d.group() }
    }

    /// Tasks that have room in all, those that exist included.
    pub(super) fn places_for(&self, physical: u32) -> u32 {
        if self.outage().is_some() {
            return physical;
        }
        let Some(hosts) = &self.hosts else { return self.places };
        let may_wait = self.cluster().is_some_and(|cluster| cluster.provider.is_some());
        let wait = if may_wait { PROVISIONING_MAX.saturating_sub(hosts.waiting()) } else { 0 };
        physical.saturating_add(hosts.room()).saturating_add(wait)
    }

    /// The outage of Fargate that holds now.
    fn outage(&self) -> Option<Outage> {
        match &self.settings.capacity {
            Capacity::Fargate(outages) => within(outages, self.now),
            _ => None,
        }
    }

    /// What the controller has to know about room besides the places.
    pub(super) fn room(&self) -> Room {
        let outage = self.outage().map(|outage| outage.until);
        let Some(hosts) = &self.hosts else {
            return Room { outage, real: outage.is_some(), ..Room::default() };
        };
        let full = (hosts.room() == 0).then(|| hosts.shortage());
        Room {
            real: true,
            outage,
            shortage: full,
            waiting: hosts.waiting(),
            coming: hosts.coming(),
            next: hosts.next_arrival().unwrap_or(SimTime::NEVER),
            none: (hosts.waiting() > 0 && hosts.coming() == 0).then(|| self.brings_none(hosts)).flatten(),
            extra: self.extra(),
            uneven: self.uneven(),
        }
    }

    /// Why the group brings nothing for the tasks that wait.
    fn brings_none(&self, hosts: &Hosts) -> Option<NoInstance> {
        let provider = self.cluster()?.provider.as_ref()?;
        let short = within(&provider.shortage, self.now).is_some();
        Some(match Host::new(provider.like, HostState::Active).fits(hosts.needs()) {
            0 => NoInstance::TooSmall,
            _ if short => NoInstance::NoneToGive,
            _ => NoInstance::AtMost(provider.most),
        })
    }

    /// How many more tasks find a place on instances or of Fargate now, those that may wait for an
    /// instance included; absent where neither limits.
    pub fn room_for_more(&self) -> Option<u32> {
        let limited = matches!(self.settings.capacity, Capacity::Ec2(_) | Capacity::Fargate(_));
        limited.then(|| self.places_for(0)).filter(|room| *room < u32::MAX)
    }

    /// Why no instance takes one more task at this moment; absent where one does, or where there are none.
    pub fn shortage(&self) -> Option<Shortage> {
        self.hosts.as_ref().filter(|hosts| hosts.room() == 0).map(Hosts::shortage)
    }

    /// The task of this class that goes first: one on an instance that is being drained; else from the
    /// zone with most tasks, there from the instance with most, there the oldest.
    /// Source: API `UpdateService`, stop order.
    pub(super) fn first_to_stop(&self, id: DeploymentId, class: Class, protected: bool) -> Option<u32> {
        let hosts = self.hosts.as_ref();
        if let Some(slot) = hosts.filter(|_| class == Class::Healthy).and_then(|hosts| hosts.first_displaced(id.0)) {
            return Some(slot);
        }
        let (zone, oldest) = self.deployment(id).first(class, &self.zones, protected)?;
        let on_fullest = hosts.and_then(|hosts| hosts.first_of(zone, id.0, class as u8, protected));
        Some(on_fullest.unwrap_or(oldest))
    }

    /// Instances for tasks that wait: the group brings as many as hold them.
    pub(super) fn order_instances(&mut self, trace: &mut Trace) {
        let settings = self.settings.clone();
        let Some(provider) = settings.cluster().and_then(|cluster| cluster.provider.as_ref()) else { return };
        let Some(hosts) = &self.hosts else { return };
        let each = Host::new(provider.like, HostState::Active).fits(hosts.needs());
        let there = hosts.all().iter().filter(|host| matches!(host.state, HostState::Active | HostState::Draining));
        let wanted = rules_placement::instances_wanted(
            hosts.waiting(),
            each,
            hosts.coming(),
            there.count() as u32,
            provider.most,
        );
        let begins = within(&provider.shortage, self.now).map_or(self.now, |shortage| shortage.until);
        if begins == SimTime::NEVER {
            return;
        }
        let arrives = begins + provider.arrives_ms.max(1);
        for _ in 0..wanted {
            let zone = self.zone_for_instance();
            self.add_instance(HostSpec { zone, ..provider.like }, Some(arrives), trace);
        }
    }

    /// The zone with fewest instances.
    fn zone_for_instance(&self) -> u8 {
        let mut count = [0u32; ZONES];
        for host in self.hosts.iter().flat_map(Hosts::all).filter(|host| host.state != HostState::Gone) {
            count[host.spec.zone as usize] += 1;
        }
        rules_placement::zone(&count, &[true; ZONES]).unwrap_or(0) as u8
    }

    /// An instance joins the cluster, now or later.
    pub(super) fn add_instance(&mut self, spec: HostSpec, arrives: Option<SimTime>, trace: &mut Trace) {
        let Some(hosts) = &mut self.hosts else { return };
        let host = hosts.add(spec, arrives) + 1;
        let change = arrives.map_or(HostChange::Arrived, |arrives| HostChange::Ordered { arrives });
        self.emit(trace, What::Host { host, change });
        if arrives.is_none() {
            self.instances_changed(trace);
        }
    }

    /// ACTIVE instances are others than before.
    pub(super) fn instances_changed(&mut self, trace: &mut Trace) {
        self.follow_instances();
        self.place_waiting(trace);
        self.dirty = true;
    }

    /// Something is due for an instance.
    pub(super) fn host_event(&mut self, trace: &mut Trace) -> bool {
        let now = self.now;
        let Some((host, moment)) = self.hosts.as_mut().and_then(|hosts| hosts.due(now)) else { return false };
        match moment {
            Moment::Arrives => {
                if let Some(hosts) = &mut self.hosts {
                    hosts.become_state(host, HostState::Active);
                }
                self.emit(trace, What::Host { host: host + 1, change: HostChange::Arrived });
                self.instances_changed(trace);
            }
            Moment::Ends => self.spot_ends(host, trace),
        }
        true
    }

    pub(super) fn host_views(&self) -> Vec<HostView> {
        let Some(hosts) = &self.hosts else { return Vec::new() };
        let needs = hosts.needs();
        let usage = |total: u32, others: u32, each: u32, host: &Host| {
            let times = |tasks: u32| u64::from(each).saturating_mul(tasks.into()).min(u32::MAX.into()) as u32;
            Usage { total, others, tasks: times(host.active), leaving: times(host.held - host.active) }
        };
        let view = |(number, host): (u32, &Host)| {
            let spec = &host.spec;
            let limited = needs.interface && spec.interfaces != u32::MAX;
            HostView {
                number,
                zone: spec.zone,
                state: host.state,
                cpu: usage(spec.cpu, spec.used_cpu, needs.cpu, host),
                memory: usage(spec.memory, spec.used_memory, needs.memory, host),
                interfaces: limited.then(|| usage(spec.interfaces, spec.used_interfaces, 1, host)),
                port_taken: needs.port.then_some(spec.used_port || host.held > 0),
                tasks: host.active,
                leaving: host.held - host.active,
                room: if host.state == HostState::Active { host.fits(needs) } else { 0 },
            }
        };
        (1..).zip(hosts.all()).map(view).collect()
    }
}

/// The outage that holds at this moment.
fn within(outages: &[Outage], now: SimTime) -> Option<Outage> {
    let i = outages.partition_point(|outage| outage.from <= now).checked_sub(1)?;
    Some(outages[i]).filter(|outage| outage.until > now)
}

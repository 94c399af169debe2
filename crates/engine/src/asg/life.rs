//! An instance up to the decision to terminate it: launch, boot, checks, grace period, warm-up.

use super::Run;
use super::change::{Change, InstanceChange};
use super::instance::{Class, Instance, Stage, Wake};
use crate::frame::TaskState;
use crate::mechanism::lot::{Lot, NO_ANSWER};
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::platform::asg::ProtectedInstances;
use crate::platform::asg::rules_time::launch_retry_ms;
use crate::rng::{self, Stream};
use crate::settings::{Distribution, TaskName};
use crate::time::SimTime;
use crate::trace::{DeploymentId, FailedCheck, InstanceId, StopCause, StopReason, TaskChange, Trace, What};

impl Run {
    pub(super) fn instance_at(&self, slot: u32) -> Option<&Instance> {
        self.slots.get(slot as usize).and_then(Option::as_ref)
    }

    pub(super) fn instance(&self, slot: u32) -> &Instance {
        self.slots[slot as usize].as_ref().expect("an event names a slot in use")
    }

    pub(super) fn instance_mut(&mut self, slot: u32) -> &mut Instance {
        self.slots[slot as usize].as_mut().expect("an event names a slot in use")
    }

    /// What the refresh has to do with it; absent for one on its way out.
    fn class(&self, instance: &Instance) -> Option<Class> {
        let of = self.params.preferences.protected;
        Some(match (instance.stage, instance.stale) {
            (Stage::Deregistering | Stage::ShuttingDown | Stage::Gone(_), _) => return None,
            (Stage::Standby, true) => Class::StandbyStale,
            (Stage::Standby, false) => Class::Standby,
            (_, true) if instance.protected && of == ProtectedInstances::Wait => Class::Kept,
            (_, true) if instance.protected && of == ProtectedInstances::Ignore => Class::Ignored,
            (_, true) if instance.ready => Class::StaleReady,
            (_, true) => Class::StaleUnready,
            (_, false) if instance.ready && instance.protected => Class::Shielded,
            (_, false) if instance.ready => Class::Ready,
            (_, false) if instance.healthy => Class::Warming,
            (_, false) => Class::Booting,
        })
    }

    /// Carries out a change of an instance; counts, order and records follow.
    pub(super) fn change(&mut self, slot: u32, trace: &mut Trace, f: impl FnOnce(&mut Instance)) {
        let before = *self.instance(slot);
        f(self.instance_mut(slot));
        let after = *self.instance(slot);
        let (was, is) = (before.shown, after.state());
        if was != is {
            let now = self.now;
            let instance = self.instance_mut(slot);
            (instance.shown, instance.since) = (is, now);
            self.lanes[usize::from(after.lane)].step(was, is);
            self.versions[usize::from(after.version)].step(was, is);
        }
        let (from, to) = (self.class(&before), self.class(&after));
        if from != to {
            let rank = (after.name.revision, after.id.0, slot);
            if let Some(class) = from {
                self.classes[class as usize].remove(&rank);
            }
            if let Some(class) = to {
                self.classes[class as usize].insert(rank);
            }
            self.dirty = true;
        }
        let task = after.task();
        let change = match (was, is) {
            (TaskState::Healthy | TaskState::Unhealthy, TaskState::Checking) => TaskChange::Rechecking,
            (_, TaskState::Healthy) if was != is => TaskChange::Healthy,
            (_, TaskState::Unhealthy) if was != is => TaskChange::Unhealthy(FailedCheck::Platform),
            _ => return,
        };
        self.emit(trace, What::Task { task, change });
    }

    /// Finds what wakes the instance next and puts it into the queue.
    pub(super) fn reschedule(&mut self, slot: u32) {
        let instance = self.instance(slot);
        let by_itself = match self.spec {
            None if self.params.elb && instance.healthy => instance.answers.fail_from,
            _ => SimTime::NEVER,
        };
        let (at, wake) = instance.next_wake(by_itself, self.now);
        if (at, wake) == (instance.wake_at, instance.wake) {
            return;
        }
        self.stamps = self.stamps.wrapping_add(1);
        let stamp = self.stamps;
        let instance = self.instance_mut(slot);
        (instance.wake_at, instance.wake, instance.stamp) = (at, wake, stamp);
        if at != SimTime::NEVER {
            self.queue.push(at, wake.class(), slot, stamp);
        }
    }

    pub(super) fn draw(&self, name: TaskName, stream: Stream, distribution: &Distribution) -> u64 {
        distribution.sample(rng::draw(self.settings.seed, stream, name, 0))
    }

    pub(super) fn index_of(&self, version: u32) -> usize {
        self.revisions.iter().position(|r| r.number == version).expect("every version is known")
    }

    /// A new instance in the lowest free slot, in the zone with fewest.
    pub(super) fn occupy(&mut self, version: u32) -> u32 {
        let slot = self.free.pop_first().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push(None);
        }
        let zone = (0..self.zones.len()).min_by_key(|zone| self.zones[*zone]).unwrap_or(0);
        self.zones[zone] += 1;
        let index = self.index_of(version);
        self.starts[index] += 1;
        let id = InstanceId(self.created);
        self.created += 1;
        self.stamps = self.stamps.wrapping_add(1);
        let instance = Instance {
            id,
            slot,
            name: TaskName { revision: version, start: self.starts[index] },
            version: index as u16,
            lane: index.min(self.lanes.len() - 1) as u8,
            zone: zone as u8,
            made_by: self.refresh().map_or(0, |refresh| refresh.number),
            stale: false,
            protected: false,
            lot: Lot::Healthy,
            stage: Stage::Requested,
            shown: TaskState::Waiting,
            since: self.now,
            stage_ends: SimTime::NEVER,
            exit_at: SimTime::NEVER,
            in_service_at: SimTime::NEVER,
            grace_until: SimTime::NEVER,
            warm_at: SimTime::NEVER,
            healthy: false,
            ready: false,
            answers: NO_ANSWER,
            probe: Probe::IDLE,
            stop_reason: StopReason::Scheduler,
            stamp: self.stamps,
            wake: Wake::Stage,
            wake_at: SimTime::NEVER,
        };
        self.lanes[usize::from(instance.lane)].waiting += 1;
        self.versions[index].waiting += 1;
        self.classes[Class::Booting as usize].insert((version, id.0, slot));
        self.slots[slot as usize] = Some(instance);
        slot
    }

    /// An instance that has run for a while at time 0.
    pub(super) fn already_running(&mut self, slot: u32, standby: bool, protected: bool) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        let mut answers = lot.answers(now, now);
        if answers.pass_from == SimTime::NEVER {
            // It passed until now.
            answers = Answers { pass_from: now, fail_from: now, hangs: answers.hangs };
        }
        let probe =
            self.spec.as_ref().map_or(Probe::IDLE, |spec| Probe::settled(spec, Verdict::Healthy, now, &answers));
        // What was there before is told by one record.
        self.change(slot, &mut Trace::null(), |instance| {
            instance.stage = if standby { Stage::Standby } else { Stage::InService };
            (instance.lot, instance.answers, instance.protected) = (lot, answers, protected);
            (instance.in_service_at, instance.grace_until, instance.warm_at) = (now, now, now);
            (instance.healthy, instance.ready, instance.probe) = (true, !standby, probe);
            if let Lot::ExitsAfter(after) = lot {
                instance.exit_at = now + after.max(1);
            }
        });
    }

    /// The group launches an instance.
    pub(super) fn launch(&mut self, version: u32, replacement: bool, trace: &mut Trace) {
        let slot = self.occupy(version);
        let instance = self.instance(slot);
        let (task, zone, deployment) = (instance.task(), instance.zone, DeploymentId(instance.version));
        self.emit(trace, What::Task { task, change: TaskChange::Created { deployment, zone, replacement } });
        let ends = self.now + self.launch_times(task.name).0;
        self.change(slot, trace, |instance| instance.stage_ends = ends);
        self.reschedule(slot);
    }

    /// Milliseconds from the request to the boot, and from there into service.
    fn launch_times(&self, name: TaskName) -> (u64, u64) {
        let timing = &self.settings.timing;
        let requested = self.draw(name, Stream::Provisioning, &timing.provisioning);
        match &timing.healthy_after {
            Some(after) => {
                let whole = self.draw(name, Stream::HealthyAfter, after).max(1);
                let requested = requested.min(whole);
                (requested, whole - requested)
            }
            None => (requested, self.draw(name, Stream::Pull, &timing.pull).max(1)),
        }
    }

    /// The event of the instance in `slot` is due.
    pub(super) fn wake(&mut self, slot: u32, trace: &mut Trace) {
        let instance = self.instance_mut(slot);
        instance.wake_at = SimTime::NEVER;
        match (instance.wake, instance.stage) {
            (Wake::Stage, Stage::Requested) => self.boot(slot, trace),
            (Wake::Stage, Stage::Booting) => self.booted(slot, trace),
            (Wake::Stage, Stage::Deregistering) => self.shut_down(slot, trace),
            (Wake::Stage, Stage::ShuttingDown) => self.gone(slot, trace),
            (Wake::Exit, _) => self.impaired(slot, trace),
            (Wake::Probe, Stage::InService) => self.probe_changes(slot, trace),
            (Wake::ByItself | Wake::Grace, Stage::InService) => self.unhealthy(slot, trace),
            (Wake::Warm, Stage::InService) => self.change(slot, trace, |instance| instance.ready = true),
            _ => {}
        }
        if self.instance(slot).exists() {
            self.reschedule(slot);
        }
    }

    fn boot(&mut self, slot: u32, trace: &mut Trace) {
        let name = self.instance(slot).name;
        let ends = self.now + self.launch_times(name).1;
        self.change(slot, trace, |instance| (instance.stage, instance.stage_ends) = (Stage::Booting, ends));
        let task = self.instance(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Activating });
        if ends <= self.now {
            self.booted(slot, trace);
        }
    }

    /// The boot has ended, one way or the other.
    fn booted(&mut self, slot: u32, trace: &mut Trace) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        if matches!(lot, Lot::NeverRunning(_)) {
            return self.launch_failed(slot, trace);
        }
        self.failures = 0;
        let instance = *self.instance(slot);
        let shortcut = self.settings.timing.healthy_after.is_some();
        let start_up = self.draw(instance.name, Stream::StartUp, &self.settings.timing.start_up);
        let answers = lot.answers(now, now + if shortcut { 0 } else { start_up });
        let (grace, warm) = (now + self.params.grace_ms, now + self.params.preferences.warm_up_ms);
        self.change(slot, trace, |instance| {
            (instance.stage, instance.stage_ends) = (Stage::InService, SimTime::NEVER);
            (instance.lot, instance.answers) = (lot, answers);
            (instance.in_service_at, instance.grace_until, instance.warm_at) = (now, grace, warm);
            if let Lot::ExitsAfter(after) = lot {
                instance.exit_at = now + after.max(1);
            }
        });
        self.emit(trace, What::Task { task: instance.task(), change: TaskChange::Running });
        match self.spec.clone() {
            Some(spec) => {
                let first = match &self.settings.timing.first_check {
                    Some(first) => self.draw(instance.name, Stream::FirstCheck, first),
                    None if shortcut => 0,
                    None => spec.interval_ms,
                };
                let probe = Probe::begin(&spec, now, first, &answers);
                self.change(slot, trace, |instance| instance.probe = probe);
            }
            // The machine is all that EC2 looks at.
            None if !self.params.elb || answers.pass_from <= now => self.passes(slot, trace),
            None => self.unhealthy_in_grace(slot, trace),
        }
    }

    /// Every check that counts agrees: the warm-up goes on, or is over already.
    fn passes(&mut self, slot: u32, trace: &mut Trace) {
        let (now, instance) = (self.now, *self.instance(slot));
        if instance.healthy {
            return;
        }
        let warm = instance.warm_at <= now;
        if !warm {
            let change = InstanceChange::Warming { until: instance.warm_at };
            self.tell(trace, Change::Instance { instance: instance.task(), change });
        }
        self.change(slot, trace, |instance| (instance.healthy, instance.ready) = (true, warm));
    }

    /// Without a target group whose check could tell: it fails from the first moment on.
    fn unhealthy_in_grace(&mut self, slot: u32, trace: &mut Trace) {
        self.change(slot, trace, |instance| instance.probe.verdict = Verdict::Unhealthy);
        self.unhealthy(slot, trace);
    }

    fn probe_changes(&mut self, slot: u32, trace: &mut Trace) {
        let Some(spec) = self.spec.clone() else { return };
        let instance = self.instance(slot);
        let (mut probe, answers) = (instance.probe, instance.answers);
        probe.change(&spec, &answers);
        self.instance_mut(slot).probe = probe;
        match probe.verdict {
            Verdict::Healthy => self.passes(slot, trace),
            Verdict::Unhealthy => self.unhealthy(slot, trace),
            Verdict::Unknown => {}
        }
    }

    /// A check fails: inside the grace period nothing happens, else it is replaced.
    fn unhealthy(&mut self, slot: u32, trace: &mut Trace) {
        let instance = *self.instance(slot);
        self.change(slot, trace, |instance| {
            (instance.healthy, instance.ready) = (false, false);
            instance.probe.verdict = Verdict::Unhealthy;
        });
        if self.now < instance.grace_until {
            let change = InstanceChange::FailsInGrace { until: instance.grace_until };
            return self.tell(trace, Change::Instance { instance: instance.task(), change });
        }
        self.terminate(slot, StopCause::Unhealthy, trace);
    }

    /// EC2 finds it impaired: no grace period covers that.
    pub(super) fn impaired(&mut self, slot: u32, trace: &mut Trace) {
        let instance = self.instance(slot).task();
        self.tell(trace, Change::Instance { instance, change: InstanceChange::Impaired });
        self.stops_being(slot, StopReason::ContainerExited, trace);
    }

    fn launch_failed(&mut self, slot: u32, trace: &mut Trace) {
        self.failures = self.failures.saturating_add(1);
        self.retry_at = self.now + launch_retry_ms(self.failures);
        let (instance, next) = (self.instance(slot).task(), self.retry_at);
        self.tell(trace, Change::Instance { instance, change: InstanceChange::LaunchFailed { next } });
        self.stops_being(slot, StopReason::FailedToStart, trace);
    }

    /// What its version has in store for the instance in `slot`.
    fn draw_lot(&self, slot: u32) -> Lot {
        let instance = self.instance(slot);
        let behaviour = &self.revisions[usize::from(instance.version)].behaviour;
        Lot::drawn(behaviour, self.settings.seed, instance.name, instance.zone)
    }
}

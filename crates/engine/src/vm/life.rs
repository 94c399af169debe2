//! A machine up to the decision to take it down: creation, boot, health check, waits, repair.

use super::Run;
use super::change::{Change, MachineChange};
use super::machine::{Class, Machine, Stage, Wake};
use crate::frame::TaskState;
use crate::mechanism::lot::{Lot, NO_ANSWER};
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::platform::vm::{Kind, retry_ms};
use crate::rng::{self, Stream};
use crate::settings::{Distribution, TaskName};
use crate::time::SimTime;
use crate::trace::{DeploymentId, FailedCheck, InstanceId, StopCause, StopReason, TaskChange, Trace, What};

impl Run {
    pub(super) fn machine_at(&self, slot: u32) -> Option<&Machine> {
        self.slots.get(slot as usize).and_then(Option::as_ref)
    }

    pub(super) fn machine(&self, slot: u32) -> &Machine {
        self.slots[slot as usize].as_ref().expect("an event names a slot in use")
    }

    pub(super) fn machine_mut(&mut self, slot: u32) -> &mut Machine {
        self.slots[slot as usize].as_mut().expect("an event names a slot in use")
    }

    /// Its place in the order of its class: by age of its model, or on Azure by zone.
    fn rank(&self, machine: &Machine) -> super::Rank {
        match &self.params.kind {
            Kind::Mig(_) => (machine.name.revision, machine.id.0, machine.slot),
            Kind::Vmss(params) if params.cross_zone => (0, machine.slot, machine.slot),
            Kind::Vmss(_) => (u32::from(machine.zone), machine.slot, machine.slot),
        }
    }

    /// Carries out a change of a machine; counts, order and records follow.
    pub(super) fn change(&mut self, slot: u32, trace: &mut Trace, f: impl FnOnce(&mut Machine)) {
        let before = *self.machine(slot);
        f(self.machine_mut(slot));
        let after = *self.machine(slot);
        let (was, is) = (before.shown, after.state());
        if was != is {
            let now = self.now;
            let machine = self.machine_mut(slot);
            (machine.shown, machine.since) = (is, now);
            self.lanes[usize::from(after.lane)].step(was, is);
            self.versions[usize::from(after.version)].step(was, is);
        }
        self.file(&before, &after);
        let task = after.task();
        let change = match (was, is) {
            (TaskState::Healthy | TaskState::Unhealthy, TaskState::Checking) => TaskChange::Rechecking,
            (_, TaskState::Healthy) if was != is => TaskChange::Healthy,
            (_, TaskState::Unhealthy) if was != is => TaskChange::Unhealthy(FailedCheck::Platform),
            _ => return,
        };
        self.emit(trace, What::Task { task, change });
    }

    /// It is found in another class from here on.
    fn file(&mut self, before: &Machine, after: &Machine) {
        let place = |machine: &Machine| machine.class().map(|class| (usize::from(machine.target), class as usize));
        let (from, to) = (place(before), place(after));
        if from == to {
            return;
        }
        self.dirty = true;
        let rank = self.rank(after);
        if let Some((side, class)) = from {
            self.classes[side][class].remove(&rank);
        }
        if let Some((side, class)) = to {
            self.classes[side][class].insert(rank);
        }
        let old = |place: Option<(usize, usize)>| place.is_some_and(|(side, class)| side == 0 && class > 0);
        let zone = usize::from(after.zone);
        self.old_zones[zone] = self.old_zones[zone] + u32::from(old(to)) - u32::from(old(from));
    }

    /// Finds what wakes the machine next and puts it into the queue.
    pub(super) fn reschedule(&mut self, slot: u32) {
        let machine = self.machine(slot);
        let (at, wake) = machine.next_wake(self.now);
        if (at, wake) == (machine.wake_at, machine.wake) {
            return;
        }
        self.stamps = self.stamps.wrapping_add(1);
        let stamp = self.stamps;
        let machine = self.machine_mut(slot);
        (machine.wake_at, machine.wake, machine.stamp) = (at, wake, stamp);
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

    /// A new machine in the lowest free slot, in the zone with fewest.
    pub(super) fn occupy(&mut self, version: u32) -> u32 {
        let slot = self.free.pop_first().unwrap_or(self.slots.len() as u32);
        if slot as usize == self.slots.len() {
            self.slots.push(None);
        }
        let zones = usize::from(self.params.zones).clamp(1, self.zones.len());
        let zone = (0..zones).min_by_key(|zone| self.zones[*zone]).unwrap_or(0);
        self.zones[zone] += 1;
        self.put(slot, version, zone as u8);
        slot
    }

    /// The next machine in a slot.
    fn put(&mut self, slot: u32, version: u32, zone: u8) {
        let index = self.index_of(version);
        self.starts[index] += 1;
        let id = InstanceId(self.created);
        self.created += 1;
        self.stamps = self.stamps.wrapping_add(1);
        let machine = Machine {
            id,
            slot,
            name: TaskName { revision: version, start: self.starts[index] },
            version: index as u16,
            lane: index.min(self.lanes.len() - 1) as u8,
            zone,
            target: version == self.target,
            again: None,
            lot: Lot::Healthy,
            stage: Stage::Requested,
            shown: TaskState::Waiting,
            since: self.now,
            stage_ends: SimTime::NEVER,
            exit_at: SimTime::NEVER,
            repair_from: SimTime::NEVER,
            give_up_at: SimTime::NEVER,
            settled_at: SimTime::NEVER,
            passed: false,
            settled: false,
            given_up: false,
            healthy: false,
            answers: NO_ANSWER,
            probe: Probe::IDLE,
            stop_reason: StopReason::Scheduler,
            stamp: self.stamps,
            wake: Wake::Stage,
            wake_at: SimTime::NEVER,
        };
        self.lanes[usize::from(machine.lane)].waiting += 1;
        self.versions[index].waiting += 1;
        let nobody = Machine { stage: Stage::Gone(StopReason::Scheduler), ..machine };
        self.slots[slot as usize] = Some(machine);
        self.file(&nobody, &machine);
        self.dirty = true;
    }

    /// A machine that has run for a while at time 0.
    pub(super) fn already_running(&mut self, slot: u32) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        let mut answers = lot.answers(now, now);
        if answers.pass_from == SimTime::NEVER {
            // It passed until now.
            answers = Answers { pass_from: now, fail_from: now, hangs: answers.hangs };
        }
        let probe =
            self.spec.as_ref().map_or(Probe::IDLE, |spec| Probe::settled(spec, Verdict::Healthy, now, &answers));
        let repairs = self.repairs();
        // What was there before is told by one record.
        self.change(slot, &mut Trace::null(), |machine| {
            machine.stage = Stage::Running;
            (machine.lot, machine.answers, machine.probe) = (lot, answers, probe);
            (machine.passed, machine.settled, machine.healthy, machine.settled_at) = (true, true, true, now);
            machine.repair_from = if repairs.is_some() { now } else { SimTime::NEVER };
            if let Lot::ExitsAfter(after) = lot {
                machine.exit_at = now + after.max(1);
            }
        });
    }

    /// How soon after its start a machine may be repaired; absent where nobody does.
    fn repairs(&self) -> Option<u64> {
        match &self.params.kind {
            Kind::Mig(params) => params.autohealing.map(|healing| healing.initial_delay_ms),
            Kind::Vmss(_) => None,
        }
    }

    /// The wait after health, and how long that is waited for.
    fn waits(&self) -> (u64, Option<u64>) {
        match &self.params.kind {
            Kind::Mig(params) => (params.min_ready_ms, None),
            Kind::Vmss(params) => (0, Some(params.patience_ms)),
        }
    }

    /// The group creates a machine.
    pub(super) fn create(&mut self, version: u32, replacement: bool, trace: &mut Trace) {
        let slot = self.occupy(version);
        self.begins(slot, replacement, trace);
    }

    /// The next machine comes up in the place of one that is gone.
    pub(super) fn again(&mut self, slot: u32, version: u32, trace: &mut Trace) {
        let zone = self.machine(slot).zone;
        self.put(slot, version, zone);
        self.guards.launching(self.limits().ceiling);
        self.begins(slot, true, trace);
    }

    fn begins(&mut self, slot: u32, replacement: bool, trace: &mut Trace) {
        let machine = self.machine(slot);
        let (task, zone, deployment) = (machine.task(), machine.zone, DeploymentId(machine.version));
        self.emit(trace, What::Task { task, change: TaskChange::Created { deployment, zone, replacement } });
        let ends = self.now + self.creation_times(task.name).0;
        self.change(slot, trace, |machine| machine.stage_ends = ends);
        self.reschedule(slot);
    }

    /// Milliseconds from the request to the boot, and from there to RUNNING.
    fn creation_times(&self, name: TaskName) -> (u64, u64) {
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

    /// The event of the machine in `slot` is due.
    pub(super) fn wake(&mut self, slot: u32, trace: &mut Trace) {
        let machine = self.machine_mut(slot);
        machine.wake_at = SimTime::NEVER;
        match (machine.wake, machine.stage) {
            (Wake::Stage, Stage::Requested) => self.boot(slot, trace),
            (Wake::Stage, Stage::Booting) => self.booted(slot, trace),
            (Wake::Stage, Stage::Draining) => self.shut_down(slot, trace),
            (Wake::Stage, Stage::ShuttingDown) => self.gone(slot, trace),
            (Wake::Exit, _) => self.crashes(slot, trace),
            (Wake::Probe, Stage::Running) => self.probe_changes(slot, trace),
            (Wake::Repair, Stage::Running) => self.repair(slot, trace),
            (Wake::Settled, Stage::Running) => self.change(slot, trace, |machine| machine.settled = true),
            (Wake::GivenUp, Stage::Running) => self.give_up(slot, trace),
            _ => {}
        }
        if self.machine(slot).exists() {
            self.reschedule(slot);
        }
    }

    fn boot(&mut self, slot: u32, trace: &mut Trace) {
        let name = self.machine(slot).name;
        let ends = self.now + self.creation_times(name).1;
        self.change(slot, trace, |machine| (machine.stage, machine.stage_ends) = (Stage::Booting, ends));
        let task = self.machine(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Activating });
        if ends <= self.now {
            self.booted(slot, trace);
        }
    }

    /// The boot has ended, one way or the other.
    fn booted(&mut self, slot: u32, trace: &mut Trace) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        if matches!(lot, Lot::NeverRunning(_)) {
            return self.creation_failed(slot, trace);
        }
        self.failures = 0;
        let machine = *self.machine(slot);
        let shortcut = self.settings.timing.healthy_after.is_some();
        let start_up = self.draw(machine.name, Stream::StartUp, &self.settings.timing.start_up);
        let answers = lot.answers(now, now + if shortcut { 0 } else { start_up });
        let repair_from = self.repairs().map_or(SimTime::NEVER, |delay| now + delay);
        let give_up_at = self.waits().1.map_or(SimTime::NEVER, |patience| now + patience);
        self.change(slot, trace, |machine| {
            (machine.stage, machine.stage_ends) = (Stage::Running, SimTime::NEVER);
            (machine.lot, machine.answers) = (lot, answers);
            (machine.repair_from, machine.give_up_at) = (repair_from, give_up_at);
            if let Lot::ExitsAfter(after) = lot {
                machine.exit_at = now + after.max(1);
            }
        });
        self.emit(trace, What::Task { task: machine.task(), change: TaskChange::Running });
        match self.spec.clone() {
            Some(spec) => {
                let first = match &self.settings.timing.first_check {
                    Some(first) => self.draw(machine.name, Stream::FirstCheck, first),
                    None if shortcut => 0,
                    None => spec.interval_ms,
                };
                let probe = Probe::begin(&spec, now, first, &answers);
                self.change(slot, trace, |machine| machine.probe = probe);
            }
            // RUNNING is all that is asked.
            None => self.passes(slot, trace),
        }
    }

    /// It is healthy: the wait after that begins, or it is available.
    fn passes(&mut self, slot: u32, trace: &mut Trace) {
        let machine = *self.machine(slot);
        if machine.healthy {
            return;
        }
        let until = if machine.passed { machine.settled_at } else { self.now + self.waits().0 };
        let settled = machine.settled || until <= self.now;
        if !settled {
            let change = MachineChange::Settling { until };
            self.tell(trace, Change::Machine { machine: machine.task(), change });
        }
        self.change(slot, trace, |machine| {
            (machine.healthy, machine.passed, machine.given_up) = (true, true, false);
            (machine.settled_at, machine.settled) = (until, settled);
        });
    }

    fn probe_changes(&mut self, slot: u32, trace: &mut Trace) {
        let Some(spec) = self.spec.clone() else { return };
        let machine = self.machine(slot);
        let (mut probe, answers) = (machine.probe, machine.answers);
        probe.change(&spec, &answers);
        self.machine_mut(slot).probe = probe;
        match probe.verdict {
            Verdict::Healthy => self.passes(slot, trace),
            Verdict::Unhealthy => self.fails(slot, trace),
            Verdict::Unknown => {}
        }
    }

    /// A check fails: it is repaired, or nothing happens for now.
    fn fails(&mut self, slot: u32, trace: &mut Trace) {
        self.change(slot, trace, |machine| machine.healthy = false);
        let machine = *self.machine(slot);
        if machine.repair_from <= self.now {
            return self.repair(slot, trace);
        }
        if machine.repair_from != SimTime::NEVER {
            let change = MachineChange::FailsEarly { until: machine.repair_from };
            self.tell(trace, Change::Machine { machine: machine.task(), change });
        }
    }

    /// Autohealing: the machine is recreated with its own template, or with the target's where that is wanted.
    fn repair(&mut self, slot: u32, trace: &mut Trace) {
        let machine = self.machine(slot).task();
        self.tell(trace, Change::Machine { machine, change: MachineChange::Repaired });
        let version = self.repaired_as(slot);
        self.take_down(slot, Some(version), StopCause::Unhealthy, trace);
    }

    fn repaired_as(&self, slot: u32) -> u32 {
        let own = self.machine(slot).name.revision;
        match &self.params.kind {
            Kind::Mig(params) if params.force_update_on_repair => self.target,
            _ => own,
        }
    }

    fn give_up(&mut self, slot: u32, trace: &mut Trace) {
        let machine = self.machine(slot).task();
        self.tell(trace, Change::Machine { machine, change: MachineChange::GivenUp });
        self.change(slot, trace, |machine| machine.given_up = true);
    }

    /// It crashes: a managed instance group brings it up again; in a scale set it stays, and is not healthy.
    pub(super) fn crashes(&mut self, slot: u32, trace: &mut Trace) {
        let machine = *self.machine(slot);
        let told = Change::Machine { machine: machine.task(), change: MachineChange::Crashed };
        if matches!(self.params.kind, Kind::Mig(_)) {
            self.tell(trace, told);
            let version = self.repaired_as(slot);
            return self.stops_being(slot, Some(version), StopReason::ContainerExited, trace);
        }
        self.tell(trace, told);
        self.change(slot, trace, |machine| {
            (machine.healthy, machine.exit_at) = (false, SimTime::NEVER);
            (machine.given_up, machine.answers, machine.probe) = (true, NO_ANSWER, Probe::IDLE);
        });
        self.reschedule(slot);
    }

    /// A creation that failed is tried again, later each time; in a place that a rebuild keeps there is no place to
    /// wait: the group misses a machine.
    fn creation_failed(&mut self, slot: u32, trace: &mut Trace) {
        self.failures = self.failures.saturating_add(1);
        self.retry_at = self.now + retry_ms(self.failures);
        let (machine, next) = (self.machine(slot).task(), self.retry_at);
        self.tell(trace, Change::Machine { machine, change: MachineChange::CreationFailed { next } });
        self.stops_being(slot, None, StopReason::FailedToStart, trace);
    }

    /// What its model has in store for the machine in `slot`.
    fn draw_lot(&self, slot: u32) -> Lot {
        let machine = self.machine(slot);
        let behaviour = &self.revisions[usize::from(machine.version)].behaviour;
        Lot::drawn(behaviour, self.settings.seed, machine.name, machine.zone)
    }

    /// Machines of a class, on the side of the target or the other.
    pub(super) fn of(&self, target: bool, class: Class) -> u32 {
        self.classes[usize::from(target)][class as usize].len() as u32
    }
}

//! The life of a task up to the decision to stop it: start, checks, health.

use super::deployment::key;
use super::{Deployment, Simulation};
use crate::mechanism::instance::{Class, Health, Instance, NO_SLOT, Phase, Wake};
use crate::mechanism::lot::Lot;
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::platform::ecs::Readings;
use crate::platform::ecs::rules_breaker::FailureKind;
use crate::rng::Stream;
use crate::time::SimTime;
use crate::trace::{DeploymentId, FailedCheck, StopReason, TaskChange, Trace, What};

impl Simulation {
    pub(super) fn task(&self, slot: u32) -> &Instance {
        self.slots[slot as usize].as_ref().expect("an event names a slot in use")
    }

    pub(super) fn task_mut(&mut self, slot: u32) -> &mut Instance {
        self.slots[slot as usize].as_mut().expect("an event names a slot in use")
    }

    fn index(&self, id: DeploymentId) -> usize {
        self.deployments.iter().rposition(|d| d.id == id).expect("a task's deployment has not gone")
    }

    pub(super) fn deployment(&self, id: DeploymentId) -> &Deployment {
        &self.deployments[self.index(id)]
    }

    pub(super) fn deployment_mut(&mut self, id: DeploymentId) -> &mut Deployment {
        let index = self.index(id);
        &mut self.deployments[index]
    }

    pub(super) fn readings(&self) -> &Readings {
        &self.params.readings
    }

    /// Carries out a change of a task and keeps the counts by state true.
    pub(super) fn change(&mut self, slot: u32, f: impl FnOnce(&mut Instance)) {
        let task = self.task_mut(slot);
        let before = task.state();
        f(task);
        let (after, id) = (task.state(), task.deployment);
        if before != after {
            let now = self.now;
            self.task_mut(slot).since = now;
            let deployment = self.deployment_mut(id);
            if let Some(n) = deployment.count(before) {
                *n -= 1;
            }
            if let Some(n) = deployment.count(after) {
                *n += 1;
            }
        }
    }

    /// Puts an active task into the class it belongs to.
    pub(super) fn reclass(&mut self, slot: u32) {
        let task = self.task(slot);
        let Some(before) = task.class else { return };
        let replacement = (task.replaced_by != NO_SLOT).then(|| self.task(task.replaced_by));
        let after = task.classify(replacement, self.readings().unhealthy_one_by_one);
        if before != after {
            let (id, zone, deployment) = (key(task.id, task.is_protected()), task.zone, task.deployment);
            let d = self.deployment_mut(deployment);
            d.remove(before, zone, id, slot);
            d.insert(after, zone, id, slot);
            self.task_mut(slot).class = Some(after);
            if let Some(hosts) = &mut self.hosts {
                let seat = |class: Class| (deployment.0, class as u8, id.0, slot);
                hosts.moved(seat(before), seat(after));
            }
            self.dirty = true;
        }
    }

    /// The task that this one replaces counts otherwise from here on.
    fn reclass_replaced(&mut self, slot: u32) {
        let replaced = self.task(slot).replaces;
        if replaced != NO_SLOT {
            self.reclass(replaced);
        }
    }

    /// Finds what wakes the task next and puts it into the queue.
    pub(super) fn reschedule(&mut self, slot: u32) {
        let task = self.task(slot);
        let probe_at = if task.phase == Phase::Running { self.next_probe(slot).0 } else { SimTime::NEVER };
        let (at, wake) = self.task(slot).next_wake(probe_at);
        let task = self.task(slot);
        if (at, wake) == (task.wake_at, task.wake) {
            return;
        }
        self.stamps = self.stamps.wrapping_add(1);
        let stamp = self.stamps;
        let task = self.task_mut(slot);
        (task.wake_at, task.wake, task.stamp) = (at, wake, stamp);
        if at != SimTime::NEVER {
            self.queue.push(at, wake.class(), slot, stamp);
        }
    }

    fn probes_of(&self, slot: u32) -> &[Probe] {
        let n = self.specs.len();
        &self.probes[slot as usize * n..][..n]
    }

    /// The check whose verdict changes first, the first of several at one moment.
    fn next_probe(&self, slot: u32) -> (SimTime, usize) {
        let mut next = (SimTime::NEVER, 0);
        for (i, probe) in self.probes_of(slot).iter().enumerate() {
            if probe.change_at < next.0 {
                next = (probe.change_at, i);
            }
        }
        next
    }

    /// The event of the task in `slot` is due.
    pub(super) fn wake(&mut self, slot: u32, trace: &mut Trace) {
        let task = self.task_mut(slot);
        task.wake_at = SimTime::NEVER;
        match (task.wake, task.phase) {
            (Wake::Phase, Phase::Provisioning) => self.activating(slot, trace),
            (Wake::Phase, Phase::Activating) => self.running(slot, trace),
            (Wake::Phase, Phase::Draining) => self.sigterm(slot, trace),
            (Wake::Phase | Wake::Exit, Phase::Stopping) | (Wake::Exit, Phase::Draining) => self.stopped(slot, trace),
            (Wake::Exit, Phase::Provisioning | Phase::Activating) => {
                self.lost(slot, StopReason::FailedToStart, trace);
            }
            (Wake::Exit, Phase::Running) => self.lost(slot, StopReason::ContainerExited, trace),
            (Wake::Probe, _) => self.probe_changes(slot, trace),
            (Wake::Ready, _) => self.ready(slot, trace),
            (Wake::Protection, _) => self.unprotect(slot, trace),
            (Wake::Grace, _) => {
                self.task_mut(slot).grace_hides = false;
                self.judge(slot, trace);
            }
            (Wake::Phase, Phase::Running | Phase::Stopped(_)) | (Wake::Exit, Phase::Stopped(_)) => {}
        }
        if self.task(slot).exists() {
            self.reschedule(slot);
        }
    }

    fn activating(&mut self, slot: u32, trace: &mut Trace) {
        let (_, pull) = self.start_times(self.task(slot).name);
        let now = self.now;
        self.change(slot, |task| {
            task.phase = Phase::Activating;
            task.phase_ends = now + pull;
            if let Lot::NeverRunning(after) = task.lot {
                // It stays here until it fails.
                task.phase_ends = SimTime::NEVER;
                if after.is_none() {
                    task.exit_at = task.exit_at.min(now + pull.max(1));
                }
            }
        });
        let task = self.task(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Activating });
    }

    fn running(&mut self, slot: u32, trace: &mut Trace) {
        self.enter_running(slot, true);
        let task = self.task(slot);
        let (task, deployment, batch) = (task.task(), task.deployment, task.batch);
        // The controller sees no difference between PENDING and RUNNING but for its throttle.
        self.dirty |= self.deployment_mut(deployment).start_succeeded(batch);
        self.emit(trace, What::Task { task, change: TaskChange::Running });
        self.deployment_mut(deployment).ever_ran = true;
        if self.deployments.last().is_some_and(|d| d.id == deployment) {
            self.watch_alarms();
        }
        if self.specs.is_empty() {
            // Without any check the breaker takes RUNNING for healthy.
            self.first_healthy(slot, trace);
        }
        // A wait of no length is over at once.
        if self.task(slot).ready_at <= self.now {
            self.ready(slot, trace);
        }
    }

    /// RUNNING: when it answers, when it exits, when its checks begin. `fresh` tasks draw their
    /// start-up; tasks that ran before time 0 answer already.
    pub(super) fn enter_running(&mut self, slot: u32, fresh: bool) {
        let name = self.task(slot).name;
        let timing = &self.settings.timing;
        let start_up = if fresh { self.draw(name, Stream::StartUp, &timing.start_up) } else { 0 };
        let shortcut = timing.healthy_after.as_ref().map(|d| self.draw(name, Stream::HealthyAfter, d));
        let refused = fresh && self.schema_refuses(slot);
        let lot = if refused { Lot::ExitsAfter(self.settings.schema_check_ms) } else { self.task(slot).lot };
        let (now, grace) = (self.now, self.params.grace_ms);
        let no_check = self.readings().no_check_healthy_after_ms;
        let unchecked = self.specs.is_empty();
        self.running_order += 1;
        let order = self.running_order;
        self.change(slot, |task| {
            task.phase = Phase::Running;
            task.phase_ends = SimTime::NEVER;
            task.running_at = now;
            task.running_order = order;
            task.grace_ends = now + grace;
            task.start_up_ends = now + start_up;
            task.answers = if refused { NO_ANSWER } else { answers(lot, now, start_up) };
            // A container that was killed just before goes all the same.
            if let Lot::ExitsAfter(after) = lot {
                task.exit_at = task.exit_at.min(now + after.max(1));
            }
            if unchecked {
                task.ready_at = now + no_check;
            }
            if let (
                Some(after),
                Lot::AboveRunning(_) | Lot::Healthy | Lot::TurnsUnhealthyAfter(_) | Lot::ExitsAfter(_),
            ) = (shortcut.filter(|_| !refused), lot)
            {
                task.ready_at = (task.created + after).max(now + 1);
                task.answers.pass_from = now;
            }
        });
        self.join_pools(slot, lot);
        let first: Option<u64> = timing_first(self, name);
        let task = self.task(slot);
        let held = task.ready_at != SimTime::NEVER && !unchecked;
        let answers = task.answers;
        if held && answers.pass_from <= task.ready_at && task.ready_at < answers.fail_from {
            return; // the shortcut stands in for the first checks
        }
        if !unchecked {
            self.task_mut(slot).ready_at = SimTime::NEVER;
        }
        let containers = self.settings.containers.len();
        let specs = self.specs.clone();
        let base = slot as usize * specs.len();
        for (i, spec) in specs.iter().enumerate() {
            let after = if i < containers { spec.interval_ms } else { first.unwrap_or(spec.interval_ms) };
            self.probes[base + i] = Probe::begin(spec, now, after, &answers);
        }
    }

    /// The boot gate: a task that expects a newer schema than there is logs one line and exits.
    /// Equality passes, and so does a newer schema, so that a rollback finds its way.
    fn schema_refuses(&self, slot: u32) -> bool {
        let revision = self.deployment(self.task(slot).deployment).revision;
        self.revisions[revision].expects_schema.is_some_and(|expected| self.schema < expected)
    }

    /// A task that waits for a place in a pool fails its checks until it gets one.
    fn join_pools(&mut self, slot: u32, lot: Lot) {
        let order = self.task(slot).running_order;
        for pool in &mut self.pools {
            let inside = pool.join(order, slot);
            if let Lot::AboveRunning(limit) = lot
                && limit == pool.limit
            {
                let task = self.slots[slot as usize].as_mut().expect("joins while it runs");
                task.pool = pool.limit;
                if !inside {
                    task.answers.pass_from = SimTime::NEVER;
                }
            }
        }
    }

    /// The containers of `slot` are gone; those who waited for its place get it.
    pub(super) fn leave_pools(&mut self, slot: u32) {
        let task = self.task(slot);
        if task.running_at == SimTime::NEVER {
            return;
        }
        let order = task.running_order;
        for i in 0..self.pools.len() {
            let limit = self.pools[i].limit;
            if let Some(heir) = self.pools[i].leave(order, slot)
                && self.task(heir).pool == limit
            {
                self.gets_place(heir);
            }
        }
    }

    fn gets_place(&mut self, slot: u32) {
        let (now, specs) = (self.now, self.specs.clone());
        let task = self.task_mut(slot);
        let before = task.answers;
        task.answers.pass_from = now.max(task.start_up_ends);
        let answers = task.answers;
        if task.phase == Phase::Running {
            let base = slot as usize * specs.len();
            for (i, spec) in specs.iter().enumerate() {
                self.probes[base + i].answers_changed(spec, &before, &answers, now);
            }
            self.reschedule(slot);
        }
    }

    fn probe_changes(&mut self, slot: u32, trace: &mut Trace) {
        let (_, i) = self.next_probe(slot);
        let answers = self.task(slot).answers;
        let at = slot as usize * self.specs.len() + i;
        self.probes[at].change(&self.specs[i], &answers);
        self.judge(slot, trace);
    }

    /// A wait without probes is over.
    fn ready(&mut self, slot: u32, trace: &mut Trace) {
        let (now, specs) = (self.now, self.specs.clone());
        let task = self.task_mut(slot);
        task.ready_at = SimTime::NEVER;
        let answers = task.answers;
        let base = slot as usize * specs.len();
        for (i, spec) in specs.iter().enumerate() {
            self.probes[base + i] = Probe::settled(spec, Verdict::Healthy, now, &answers);
        }
        if specs.is_empty() {
            self.set_health(slot, Health::Healthy);
            // The breaker's count went back when it reached RUNNING.
            self.report_health(slot, TaskChange::Healthy, false, trace);
        } else {
            self.judge(slot, trace);
        }
    }

    /// What the checks say together, seen through the grace period.
    fn judge(&mut self, slot: u32, trace: &mut Trace) {
        let probes = self.probes_of(slot);
        let unhealthy = probes.iter().any(|p| p.verdict == Verdict::Unhealthy);
        let healthy = probes.iter().all(|p| p.verdict == Verdict::Healthy);
        let task = self.task(slot);
        let (before, first) = (task.health, !task.ever_healthy);
        if unhealthy && self.now < task.grace_ends {
            if !task.grace_hides {
                self.task_mut(slot).grace_hides = true;
                self.reclass_replaced(slot);
                self.report_health(slot, TaskChange::UnhealthyInGrace, false, trace);
            }
            return;
        }
        let after = match (unhealthy, healthy) {
            (true, _) => Health::Unhealthy,
            (_, true) => Health::Healthy,
            _ => Health::Unready,
        };
        if core::mem::take(&mut self.task_mut(slot).grace_hides) {
            self.reclass_replaced(slot);
        }
        if before != after {
            self.set_health(slot, after);
            match after {
                Health::Healthy => self.report_health(slot, TaskChange::Healthy, first, trace),
                Health::Unhealthy => {
                    self.report_health(slot, TaskChange::Unhealthy(self.failed_check(slot)), false, trace);
                }
                Health::Unready => self.report_health(slot, TaskChange::Rechecking, false, trace),
            }
        }
    }

    /// The check that makes it unhealthy: the first in the order containers, target groups.
    fn failed_check(&self, slot: u32) -> FailedCheck {
        let first = self.probes_of(slot).iter().position(|p| p.verdict == Verdict::Unhealthy);
        if first.is_some_and(|i| i < self.settings.containers.len()) {
            FailedCheck::Container
        } else {
            FailedCheck::Target
        }
    }

    /// The one place where a task's health changes.
    pub(super) fn set_health(&mut self, slot: u32, health: Health) {
        self.change(slot, |task| {
            task.health = health;
            task.ever_healthy |= health == Health::Healthy;
        });
        let task = self.task(slot);
        let (replaces, replaced_by) = (task.replaces, task.replaced_by);
        if health == Health::Healthy && replaced_by != NO_SLOT {
            // It recovered before its replacement was ready: that one replaces nobody now.
            self.task_mut(slot).replaced_by = NO_SLOT;
            self.task_mut(replaced_by).replaces = NO_SLOT;
            self.reclass(replaced_by);
        }
        if health == Health::Unhealthy && replaces != NO_SLOT {
            self.unlink(slot);
        }
        self.reclass(slot);
        if health == Health::Healthy && replaces != NO_SLOT {
            self.reclass(replaces);
        }
        self.dirty = true;
    }

    /// Parts a task from the one it replaces and the one that replaces it.
    pub(super) fn unlink(&mut self, slot: u32) {
        let task = self.task_mut(slot);
        let (replaces, replaced_by) = (task.replaces, task.replaced_by);
        task.replaces = NO_SLOT;
        task.replaced_by = NO_SLOT;
        if replaces != NO_SLOT {
            self.task_mut(replaces).replaced_by = NO_SLOT;
            self.reclass(replaces);
        }
        if replaced_by != NO_SLOT {
            self.task_mut(replaced_by).replaces = NO_SLOT;
            self.reclass(replaced_by);
        }
    }

    /// An active task takes leave of the controller's books.
    pub(super) fn leave_active(&mut self, slot: u32) {
        self.unlink(slot);
        let task = self.task(slot);
        let (id, zone, deployment) = (key(task.id, task.is_protected()), task.zone, task.deployment);
        let class = task.class.expect("it is active");
        self.deployment_mut(deployment).remove(class, zone, id, slot);
        self.zones[zone as usize] -= 1;
        self.leaves_place(slot, (deployment.0, class as u8, id.0, slot));
        let task = self.task_mut(slot);
        task.class = None;
        task.protected_until = SimTime::ZERO;
        self.dirty = true;
    }

    /// A task is lost without a decision: it failed to start, or a container exited.
    fn lost(&mut self, slot: u32, reason: StopReason, trace: &mut Trace) {
        let task = self.task(slot);
        let (deployment, batch, gap) = (task.deployment, task.batch, task.leaves_gap());
        if self.traffic.is_some() && task.health == Health::Healthy {
            self.cut_off(self.deployment(deployment).revision, 0);
        }
        self.leave_active(slot);
        let now = self.now;
        let d = self.deployment_mut(deployment);
        d.lost += u32::from(gap);
        if reason == StopReason::FailedToStart {
            d.start_failed(batch, now);
        }
        let kind = match reason {
            StopReason::FailedToStart => FailureKind::NeverRan,
            _ => FailureKind::of_exit(!self.specs.is_empty(), self.task(slot).ever_healthy),
        };
        let task = self.task_mut(slot);
        task.stop_reason = reason;
        let task = task.task();
        self.stopped(slot, trace);
        self.failure(Some(task), deployment, kind, trace);
        self.check_breaker(trace);
    }
}

fn timing_first(sim: &Simulation, name: crate::settings::TaskName) -> Option<u64> {
    sim.settings.timing.first_check.as_ref().map(|d| sim.draw(name, Stream::FirstCheck, d))
}

/// It exits before anything asks it.
const NO_ANSWER: Answers = Answers { pass_from: SimTime::NEVER, fail_from: SimTime::NEVER, hangs: false };

/// How a task of this lot answers its checks.
fn answers(lot: Lot, running_at: SimTime, start_up: u64) -> Answers {
    let up = running_at + start_up;
    let never = SimTime::NEVER;
    match lot {
        Lot::NeverPasses => Answers { pass_from: never, fail_from: never, hangs: false },
        Lot::Hangs => Answers { pass_from: never, fail_from: never, hangs: true },
        Lot::TurnsUnhealthyAfter(after) => Answers { pass_from: up, fail_from: running_at + after, hangs: false },
        _ => Answers { pass_from: up, fail_from: never, hangs: false },
    }
}

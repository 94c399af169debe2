//! How things begin: the state at time 0, a deployment, a task.

use alloc::vec::Vec;

use super::{Deployment, Simulation};
use crate::mechanism::instance::{Class, Health, Instance, NO_SLOT, Phase, Wake};
use crate::mechanism::lot::Lot;
use crate::mechanism::pool::Pool;
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::order;
use crate::platform::ecs::rules_shift;
use crate::rng::{self, Stream};
use crate::settings::{
    Behaviour, Command, Distribution, Fate, PROTECTION_DEFAULT_MS, Revision, RolloutState, StartDeployment, TaskName,
};
use crate::time::SimTime;
use crate::trace::{
    Decision, DeploymentChange, DeploymentId, InstanceId, Reason, Rule, StopCause, StopReason, TaskChange, Trace, What,
};

/// What a task was at time 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Healthy,
    Running,
    Pending,
    Unhealthy,
    Stopping,
}

impl Simulation {
    /// The state at time 0 comes into being, and the deployment with it.
    pub(super) fn begin(&mut self, trace: &mut Trace) {
        self.begun = true;
        self.dirty = true;
        while self.settings.places().get(self.places_done).is_some_and(|step| step.at == SimTime::ZERO) {
            self.places = self.settings.places()[self.places_done].places;
            self.places_done += 1;
        }
        while self.settings.schema.get(self.schema_done).is_some_and(|step| step.0 == SimTime::ZERO) {
            self.schema = self.settings.schema[self.schema_done].1;
            self.schema_done += 1;
        }
        self.alarms_at_start();
        self.traffic_at_start();
        let start = self.settings.start.clone();
        for deployment in &start.deployments {
            self.existing(deployment, trace);
        }
        self.traffic_before_start();
        if start.deploy.is_none() {
            self.goes_on(trace);
        }
        if let Some(number) = start.deploy {
            self.deploy(number, None, trace);
        }
        self.drop_stale();
    }

    /// A rollout that was in progress before time 0 goes on.
    fn goes_on(&mut self, trace: &mut Trace) {
        let Some(target) = self.deployments.last_mut().filter(|d| d.state == RolloutState::InProgress) else { return };
        target.launched = target.tasks.physical() > 0;
        target.ever_ran = target.tasks.checking + target.tasks.healthy + target.tasks.unhealthy > 0;
        let runs = target.ever_ran;
        self.begin_service(trace);
        if runs {
            self.watch_alarms();
        }
        self.check_breaker(trace);
    }

    fn existing(&mut self, given: &StartDeployment, trace: &mut Trace) {
        let revision = self.revision(given.revision);
        let id = self.add_deployment(revision, given.state);
        self.deployment_mut(id).failed_tasks = given.failed_tasks;
        self.guards.existing(id, given.state, given.failed_tasks);
        let kinds = [
            (Before::Healthy, given.healthy),
            (Before::Running, given.running),
            (Before::Pending, given.pending),
            (Before::Unhealthy, given.unhealthy),
            (Before::Stopping, given.stopping),
        ];
        let batch = self.new_batch();
        for (before, count) in kinds {
            for index in 0..count {
                let slot = self.occupy(id, batch);
                if before == Before::Pending {
                    self.schedule_start(slot);
                } else {
                    self.already_running(slot, before);
                }
                let task = self.task(slot).task();
                let (zone, state) = (self.task(slot).zone, self.task(slot).state());
                let change = TaskChange::Existing { deployment: id, zone, state };
                self.emit(trace, What::Task { task, change });
                self.tell_place(slot, trace);
                if before == Before::Stopping {
                    self.decide_stop(slot, StopCause::Replaced, trace);
                }
                self.reschedule(slot);
                if before == Before::Healthy && index < given.protected {
                    self.protect(task.name, Some(PROTECTION_DEFAULT_MS), trace);
                }
            }
        }
    }

    /// A task that reached RUNNING before (or, not healthy yet, at) time 0.
    fn already_running(&mut self, slot: u32, before: Before) {
        self.enter_running(slot, before == Before::Running);
        let settled = match before {
            Before::Healthy | Before::Stopping => Verdict::Healthy,
            Before::Unhealthy => Verdict::Unhealthy,
            Before::Running | Before::Pending => return,
        };
        let (now, specs) = (self.now, self.specs.clone());
        let task = self.task_mut(slot);
        task.grace_ends = now;
        task.ready_at = SimTime::NEVER;
        task.ever_healthy = true;
        if settled == Verdict::Unhealthy {
            // It fails its checks now and goes on failing them.
            task.answers.fail_from = SimTime::ZERO;
        }
        let answers = task.answers;
        let health = if settled == Verdict::Healthy { Health::Healthy } else { Health::Unhealthy };
        let base = slot as usize * specs.len();
        for (i, spec) in specs.iter().enumerate() {
            self.probes[base + i] = Probe::settled(spec, settled, now, &answers);
        }
        self.set_health(slot, health);
    }

    /// Index of the revision people call `number`; an unknown one is added, healthy.
    pub(super) fn revision(&mut self, number: u32) -> usize {
        if let Some(known) = self.revisions.iter().position(|r| r.number == number) {
            return known;
        }
        self.revisions.push(Revision::new(number, Behaviour::default()));
        self.starts.push(0);
        self.revisions.len() - 1
    }

    fn add_deployment(&mut self, revision: usize, state: RolloutState) -> DeploymentId {
        let id = DeploymentId(self.deployments_made);
        self.deployments_made += 1;
        self.deployments.push(Deployment::new(id, revision, self.revisions[revision].number, state));
        id
    }

    /// A deployment of revision `number` starts and becomes PRIMARY.
    pub(super) fn deploy(&mut self, number: u32, behaviour: Option<Behaviour>, trace: &mut Trace) {
        let revision = self.revision(number);
        if let Some(behaviour) = behaviour {
            self.revisions[revision].behaviour = behaviour;
            self.find_pools();
        }
        self.supersede(trace);
        for source in &mut self.deployments {
            source.abandoned = false;
        }
        if let Some(last) = self.deployments.last_mut() {
            // Failed starts of a rollout that ends here are nobody's loss any more.
            last.lost = 0;
            let (id, revision) = (last.id, last.number);
            self.emit(trace, What::Deployment { id, revision, change: DeploymentChange::Superseded });
        }
        let id = self.add_deployment(revision, RolloutState::InProgress);
        if self.revisions[revision].digest_fails && !self.readings().digest_drill {
            self.deployment_mut(id).digests = Some((0, self.now));
        }
        self.emit(trace, What::Deployment { id, revision: number, change: DeploymentChange::Started });
        let shifts = self.settings.strategy.shift().is_some();
        let limits = if shifts { rules_shift::limits(self.params.desired) } else { self.limits() };
        let reason = Reason::DeploymentBegins {
            revision: number,
            desired: limits.desired,
            floor: limits.floor,
            ceiling: limits.ceiling,
        };
        self.emit(trace, What::Decision(Decision { rule: Rule::Deploy, reason, first: None }));
        self.begin_service(trace);
        self.horizon_from = self.horizon_from.max(self.now);
        self.drop_empty_deployments(trace);
        self.hold = None;
        self.dirty = true;
    }

    /// Its last task was lost, and the controller has not said yet whether it is made good.
    fn may_be_repaired(&self, source: &Deployment) -> bool {
        let repairs = !self.readings().legacy_replacement;
        repairs && source.lost > 0 && !source.halted && source.state != RolloutState::Failed
    }

    /// Sources without tasks are INACTIVE and drop out. While alarms are watched the one to go back
    /// to stays ACTIVE. Source: Developer Guide, deployment-alarm-failure.
    pub(super) fn drop_empty_deployments(&mut self, trace: &mut Trace) {
        let candidate = self.rollback_candidate().map(|(id, _)| id);
        let watched = self.services.last().is_some_and(|service| service.is_live() && service.watch.on);
        let mut i = 0;
        while i + 1 < self.deployments.len() {
            let is_candidate = candidate == Some(self.deployments[i].id);
            let empty = self.deployments[i].tasks.physical() == 0 && !self.may_be_repaired(&self.deployments[i]);
            if empty && !(is_candidate && watched) {
                let gone = self.deployments.remove(i);
                let (id, revision) = (gone.id, gone.number);
                if is_candidate && self.deployments.last().is_some_and(|d| d.state != RolloutState::Completed) {
                    self.kept = Some(gone);
                }
                self.emit(trace, What::Deployment { id, revision, change: DeploymentChange::Gone });
            } else {
                i += 1;
            }
        }
    }

    pub(super) fn new_batch(&mut self) -> u32 {
        self.batches += 1;
        self.batches
    }

    /// A new task takes the lowest free slot in the zone with fewest active tasks, on an instance with
    /// room where tasks run on instances.
    pub(super) fn occupy(&mut self, deployment: DeploymentId, batch: u32) -> u32 {
        let slot = self.free.pop_first().unwrap_or_else(|| {
            self.slots.push(None);
            self.probes.resize(self.slots.len() * self.specs.len(), Probe::IDLE);
            self.slots.len() as u32 - 1
        });
        let (zone, host) = self.choose_place();
        self.zones[zone as usize] += 1;
        let (revision, lane) = {
            let d = self.deployment_mut(deployment);
            d.tasks.waiting += 1;
            (d.revision, d.lane)
        };
        self.starts[revision] += 1;
        let id = InstanceId(self.created);
        self.created += 1;
        self.stamps = self.stamps.wrapping_add(1);
        let now = self.now;
        let task = Instance {
            id,
            slot,
            name: TaskName { revision: self.revisions[revision].number, start: self.starts[revision] },
            deployment,
            lane,
            zone,
            lot: Lot::Healthy,
            phase: Phase::Provisioning,
            since: now,
            phase_ends: SimTime::NEVER,
            exit_at: SimTime::NEVER,
            ready_at: SimTime::NEVER,
            grace_ends: SimTime::NEVER,
            grace_hides: false,
            created: now,
            running_at: SimTime::NEVER,
            start_up_ends: SimTime::NEVER,
            answers: Answers { pass_from: SimTime::NEVER, fail_from: SimTime::NEVER, hangs: false },
            health: Health::Unready,
            ever_healthy: false,
            class: Some(Class::Fresh),
            replaces: NO_SLOT,
            replaced_by: NO_SLOT,
            batch,
            running_order: 0,
            pool: 0,
            healing: false,
            killed: false,
            protected_until: SimTime::ZERO,
            stop_reason: StopReason::Scheduler,
            stamp: self.stamps,
            wake: Wake::Phase,
            wake_at: SimTime::NEVER,
        };
        let base = slot as usize * self.specs.len();
        self.probes[base..base + self.specs.len()].fill(Probe::IDLE);
        self.deployment_mut(deployment).insert(Class::Fresh, zone, id, slot);
        self.slots[slot as usize] = Some(task);
        if let (Some(host), Some(hosts)) = (host, &mut self.hosts) {
            hosts.seat(host, (deployment.0, Class::Fresh as u8, id.0, slot));
        }
        let lot = self.draw_lot(slot);
        self.task_mut(slot).lot = lot;
        slot
    }

    /// Draws for a task; integers only.
    pub(super) fn draw(&self, name: TaskName, stream: Stream, distribution: &Distribution) -> u64 {
        distribution.sample(rng::draw(self.settings.seed, stream, name, 0))
    }

    /// PROVISIONING begins: how long it takes and whether the start fails.
    pub(super) fn schedule_start(&mut self, slot: u32) {
        if self.waits_for_instance(slot) {
            return;
        }
        let name = self.task(slot).name;
        let (provisioning, _) = self.start_times(name);
        let now = self.now;
        let task = self.task_mut(slot);
        task.phase_ends = now + provisioning;
        if let Lot::NeverRunning(Some(after)) = task.lot {
            task.exit_at = now + after.max(1);
        }
    }

    /// Milliseconds in PROVISIONING and in ACTIVATING. RUNNING takes at least 1 ms, and it comes
    /// before `healthy_after` where that shortcut is used.
    pub(super) fn start_times(&self, name: TaskName) -> (u64, u64) {
        let timing = &self.settings.timing;
        let provisioning = self.draw(name, Stream::Provisioning, &timing.provisioning);
        let pull = self.draw(name, Stream::Pull, &timing.pull);
        let mut running = provisioning.saturating_add(pull).max(1);
        if let Some(healthy) = &timing.healthy_after {
            running = running.min(self.draw(name, Stream::HealthyAfter, healthy).saturating_sub(1).max(1));
        }
        let provisioning = provisioning.min(running);
        (provisioning, running - provisioning)
    }

    /// What its revision has in store for the task in `slot`, which starts now.
    pub(super) fn draw_lot(&self, slot: u32) -> Lot {
        let task = self.task(slot);
        let revision = self.deployment(task.deployment).revision;
        let behaviour = &self.revisions[revision].behaviour;
        let own = behaviour.by_start.binary_search_by_key(&task.name.start, |entry| entry.0);
        let mut fate = own.map_or(&behaviour.fate, |i| &behaviour.by_start[i].1);
        let mut n = 0;
        loop {
            let inner = match fate {
                Fate::InZone { zone, fate } if *zone == task.zone => fate,
                Fate::Ratio { hits, of, fate } => {
                    let bits = rng::draw(self.settings.seed, Stream::Fate, task.name, n);
                    n += 1;
                    if rng::below(bits, u64::from(*of)) >= u64::from(*hits) {
                        return Lot::Healthy;
                    }
                    fate
                }
                Fate::InZone { .. } => return Lot::Healthy,
                plain => return Lot::of(plain),
            };
            fate = inner;
        }
    }

    /// One pool for every limit that a fate names; tasks that run already join in their order.
    pub(super) fn find_pools(&mut self) {
        let planned = self.acts.iter().filter_map(|act| match &act.command {
            Command::Deploy { behaviour: Some(b), .. } | Command::SetFate { behaviour: b, .. } => Some(b),
            _ => None,
        });
        let mut limits = Vec::new();
        for behaviour in self.revisions.iter().map(|r| &r.behaviour).chain(planned) {
            for fate in behaviour.by_start.iter().map(|entry| &entry.1).chain([&behaviour.fate]) {
                pool_limit(fate, &mut limits);
            }
        }
        order::by_key(&mut limits, |limit| *limit);
        let mut running: Vec<(u64, u32)> = Vec::new();
        for task in self.slots.iter().flatten().filter(|task| task.exists() && task.running_at != SimTime::NEVER) {
            running.push((task.running_order, task.slot));
        }
        order::by_key(&mut running, |place| *place);
        for limit in limits {
            if self.pools.iter().all(|pool| pool.limit != limit) {
                let mut pool = Pool::new(limit);
                for (order, slot) in &running {
                    pool.join(*order, *slot);
                }
                self.pools.push(pool);
            }
        }
        // The same pools in the same order, whether an act was planned or made by hand.
        order::by_key(&mut self.pools, |pool| pool.limit);
    }
}

fn pool_limit(fate: &Fate, limits: &mut Vec<u32>) {
    match fate {
        Fate::AboveRunning(limit) if !limits.contains(limit) => limits.push(*limit),
        Fate::InZone { fate, .. } | Fate::Ratio { fate, .. } => pool_limit(fate, limits),
        _ => {}
    }
}

//! Service deployments: how a rollout begins, succeeds, fails, is rolled back or stopped.

use super::service_deployment::{
    FailedBy, MonitorStatus, Protection, ProtectionEnd, RevisionTasks, Rollback, ServiceStatus, Stage, Watch,
};
use super::{Deployment, ServiceDeployment, Simulation};
use crate::platform::ecs::{Cleanup, Rollout, rules_success};
use crate::settings::RolloutState;
use crate::time::SimTime;
use crate::trace::{Decision, DeploymentChange, DeploymentId, Reason, Rule, ServiceChange, ServiceId, Trace, What};

impl Simulation {
    /// All service deployments of the run, oldest first; only the last one can be live. Task counts
    /// of a live one are empty here; [`Simulation::service_deployment`] fills them in.
    pub fn service_deployments(&self) -> &[ServiceDeployment] {
        &self.services
    }

    /// The k-th service deployment with its counts, threshold and tasks of this moment.
    pub fn service_deployment(&self, k: usize) -> Option<ServiceDeployment> {
        let mut service = self.services.get(k)?.clone();
        if service.is_live() {
            if service.breaker.status == MonitorStatus::Monitoring {
                (service.breaker.count, service.breaker.threshold) = self.breaker_numbers();
            }
            service.tasks = self.tally(&service);
        }
        Some(service)
    }

    /// The deployment a rollback would go back to now: the most recent COMPLETED one, with its
    /// revision. Source: Developer Guide, deployment-circuit-breaker.
    pub fn rollback_candidate(&self) -> Option<(DeploymentId, u32)> {
        let sources = self.deployments.iter().rev().skip(1).chain(&self.kept);
        let completed = sources.filter(|d| d.state == RolloutState::Completed);
        completed.max_by_key(|d| d.id).map(|d| (d.id, d.number))
    }

    /// Early success: healthy target tasks needed at the latest desired count; absent when it is
    /// not enabled.
    pub fn gate(&self) -> Option<u32> {
        self.params.early_success.map(|early| rules_success::gate(self.params.desired, early.healthy_percent))
    }

    fn breaker_numbers(&self) -> (u32, u32) {
        (self.deployments.last().map_or(0, |d| d.failed_tasks), self.threshold().unwrap_or(0))
    }

    fn live(&mut self) -> Option<&mut ServiceDeployment> {
        self.services.last_mut().filter(|service| service.is_live())
    }

    pub(super) fn tell(&mut self, change: ServiceChange, trace: &mut Trace) {
        if let Some(id) = self.services.last().map(|service| service.id) {
            self.emit(trace, What::Service { id, change });
        }
    }

    /// The status changes; the guards judge the step.
    fn status(&mut self, to: ServiceStatus, trace: &mut Trace) {
        let now = self.now;
        let Some(service) = self.services.last_mut() else { return };
        let from = service.status();
        service.become_status(to, now);
        if to.is_final() && self.shift.is_some() {
            // From here on the run is as long as any other.
            self.horizon_from = self.horizon_from.max(now);
        }
        self.tell(ServiceChange::Status { from, to }, trace);
        if to.is_final() {
            self.drop_hooks(trace);
        }
    }

    /// What the controller has to know about the rollout of the target.
    pub(super) fn rollout(&self) -> Rollout {
        let (Some(target), Some(service)) = (self.deployments.last(), self.services.last()) else {
            return Rollout::default();
        };
        let cleanup_until = service.cleanup_until;
        if target.state != RolloutState::InProgress || target.halted || !service.is_live() {
            return Rollout { cleanup_until, ..Rollout::default() };
        }
        let forward = service.rollback.is_none();
        let early = self.params.early_success.filter(|_| forward);
        let counts = self.params.breaker.is_some() && self.readings().placement_failure_counts;
        Rollout {
            alarm_due: Some(service.watch.due).filter(|due| *due != SimTime::NEVER),
            digests: target.digests,
            placement_counts: counts.then_some(target.placing.1),
            gate: early.and_then(|_| self.gate()),
            blocking: early.is_some_and(|early| early.cleanup == Cleanup::Blocking),
            gate_met: service.gate_met.is_some(),
            bakes: service.watch.on,
            bake_until: service.bake_until,
            cleanup_until: None,
        }
    }

    /// A service deployment of the target begins. `before` is when there is none yet at time 0.
    pub(super) fn begin_service(&mut self, trace: &mut Trace) {
        let Some(target) = self.deployments.last() else { return };
        let (deployment, revision, launched) = (target.id, target.number, target.launched);
        let id = ServiceId(self.services.len() as u16);
        let mut service = ServiceDeployment::new(id, deployment, revision, self.now);
        let sources = self.deployments.iter().rev().skip(1).rev();
        service.sources = sources.filter(|d| d.tasks.physical() > 0).map(|d| (d.id, d.number)).collect();
        let sources = service.sources.len() as u32;
        let silenced = self.any_in_alarm();
        let alarms = self.params.alarms;
        service.watch = Watch::new(alarms.is_some() && !silenced);
        service.alarms.ignored = alarms.is_some() && silenced;
        if self.params.breaker.is_some() {
            service.breaker.status = MonitorStatus::Monitoring;
        }
        if service.watch.on {
            service.alarms.status = MonitorStatus::Monitoring;
        }
        service.stage = match (launched, sources) {
            (true, _) => Stage::ScaleUp,
            (false, 0 | 1) => Stage::PreScaleUp,
            (false, _) => Stage::ReconcileService,
        };
        let (stage, breaker, watch) = (service.stage, service.breaker.status, service.alarms.status);
        self.services.push(service);
        self.tell(ServiceChange::Began { deployment, revision, sources }, trace);
        self.status(ServiceStatus::InProgress, trace);
        self.tell(ServiceChange::Stage(stage), trace);
        if breaker == MonitorStatus::Monitoring {
            self.tell(ServiceChange::Breaker(breaker), trace);
        }
        if watch == MonitorStatus::Monitoring {
            self.tell(ServiceChange::Alarms(watch), trace);
        }
        if alarms.is_some() && silenced {
            self.tell(ServiceChange::AlarmsIgnored, trace);
        }
        self.begin_protection(trace);
        self.begin_shift(trace);
    }

    /// Whether automatic rollback protects the deployment that begins.
    fn begin_protection(&mut self, trace: &mut Trace) {
        let (breaker, alarms) = (self.params.breaker, self.params.alarms);
        if breaker.is_none() && alarms.is_none() {
            return;
        }
        let candidate = self.rollback_candidate().is_some();
        let Some(service) = self.services.last_mut() else { return };
        service.protection = Protection::Guards;
        let by_breaker = breaker.is_some_and(|breaker| breaker.rollback);
        let by_alarm = alarms.is_some_and(|alarms| alarms.rollback);
        let why = match (by_breaker || by_alarm, by_breaker || service.watch.on) {
            (false, _) => ProtectionEnd::RollbackOff,
            (true, false) => ProtectionEnd::AlarmsIgnored,
            (true, true) if !candidate => ProtectionEnd::NoCandidate,
            (true, true) => return,
        };
        self.end_protection(why, trace);
    }

    /// Protection ends once and does not come back for this service deployment.
    fn end_protection(&mut self, why: ProtectionEnd, trace: &mut Trace) {
        let at = self.now;
        let Some(service) = self.services.last_mut().filter(|s| s.protection == Protection::Guards) else { return };
        service.protection = Protection::Ended { at, why };
        self.tell(ServiceChange::ProtectionEnded(why), trace);
    }

    /// Task counts of a service deployment as the API gives them, target first.
    fn tally(&self, service: &ServiceDeployment) -> alloc::vec::Vec<RevisionTasks> {
        let ids = core::iter::once((service.deployment, service.revision)).chain(service.sources.iter().copied());
        ids.map(|(deployment, revision)| {
            let found = self.deployments.iter().find(|d| d.id == deployment);
            let tasks = found.map_or_else(Default::default, |d| d.tasks);
            let wanted = if self.deployments.last().is_some_and(|d| d.id == deployment) {
                self.params.desired
            } else {
                tasks.active()
            };
            RevisionTasks {
                deployment,
                revision,
                requested: wanted,
                running: tasks.checking + tasks.healthy + tasks.unhealthy,
                pending: tasks.waiting + tasks.starting,
                healthy: tasks.healthy,
            }
        })
        .collect()
    }

    /// Numbers that a finished service deployment shows for ever.
    fn freeze(&mut self) {
        let numbers = self.breaker_numbers();
        let Some(service) = self.services.last() else { return };
        let tasks = self.tally(service);
        let Some(service) = self.services.last_mut() else { return };
        if service.rollback.is_none() && self.params.breaker.is_some() {
            (service.breaker.count, service.breaker.threshold) = numbers;
        }
        service.tasks = tasks;
    }

    /// Whatever still watches stops watching; one of them may have triggered.
    fn monitors_end(&mut self, by: Option<FailedBy>, trace: &mut Trace) {
        let Some(service) = self.services.last_mut() else { return };
        let ends = |status: MonitorStatus, triggered: bool| match status {
            MonitorStatus::Monitoring if triggered => MonitorStatus::Triggered,
            MonitorStatus::Monitoring => MonitorStatus::Complete,
            other => other,
        };
        let (breaker, alarms) = (service.breaker.status, service.alarms.status);
        service.breaker.status = ends(breaker, matches!(by, Some(FailedBy::Breaker | FailedBy::Digests)));
        service.alarms.status = ends(alarms, by == Some(FailedBy::Alarm));
        if service.alarms.status == MonitorStatus::Triggered && alarms == MonitorStatus::Monitoring {
            service.alarms.triggered = core::mem::take(&mut service.watch.fired);
        }
        let after = (service.breaker.status, service.alarms.status);
        if after.0 != breaker {
            self.tell(ServiceChange::Breaker(after.0), trace);
        }
        if after.1 != alarms {
            self.tell(ServiceChange::Alarms(after.1), trace);
        }
    }

    /// The target is COMPLETED.
    pub(super) fn complete(&mut self, trace: &mut Trace) {
        let Some(target) = self.deployments.last_mut() else { return };
        target.state = RolloutState::Completed;
        let (id, revision) = (target.id, target.number);
        let change = DeploymentChange::State(RolloutState::Completed);
        self.emit(trace, What::Deployment { id, revision, change });
        self.shift_is_over(trace);
        if let Some(service) = self.live() {
            let (rolled_back, stage) = (service.rollback.is_some(), service.stage);
            // What ends before the controller comes to rest ends in the last stage all the same.
            let early = matches!(stage, Stage::ReconcileService | Stage::PreScaleUp | Stage::ScaleUp);
            if early && self.shift.is_none() {
                self.set_stage(Stage::CleanUp, trace);
            }
            self.freeze();
            self.monitors_end(None, trace);
            self.status(if rolled_back { ServiceStatus::RollbackSuccessful } else { ServiceStatus::Successful }, trace);
            self.end_protection(ProtectionEnd::Successful, trace);
            self.begin_cleanup(rolled_back, trace);
        }
        // From here on this deployment is the one to go back to.
        self.kept = None;
        self.drop_empty_deployments(trace);
    }

    /// DEFERRED: source tasks that are left are stopped in the background, for 14 days.
    fn begin_cleanup(&mut self, rolled_back: bool, trace: &mut Trace) {
        let deferred = self.params.early_success.is_some_and(|early| early.cleanup == Cleanup::Deferred);
        let sources = self.deployments.len().saturating_sub(1);
        let left = self.deployments[..sources].iter().any(|d| d.tasks.physical() > 0);
        if deferred && !rolled_back && left {
            let until = self.now + rules_success::CLEANUP_MS;
            if let Some(service) = self.services.last_mut() {
                service.cleanup_until = Some(until);
            }
            self.tell(ServiceChange::CleanupBegins { until }, trace);
        }
    }

    /// DEFERRED clean-up is over: what is left is left for good.
    pub(super) fn give_up_cleanup(&mut self, left: u32, trace: &mut Trace) {
        if let Some(service) = self.services.last_mut() {
            service.cleanup_until = None;
        }
        if left > 0 {
            let sources = self.deployments.len().saturating_sub(1);
            for source in &mut self.deployments[..sources] {
                source.abandoned = true;
            }
            self.tell(ServiceChange::CleanupGivenUp { left }, trace);
        }
    }

    /// Early success: the gate is met, and the bake time begins when alarms are watched.
    pub(super) fn gate_is_met(&mut self, healthy: u32, gate: u32, trace: &mut Trace) {
        let now = self.now;
        if let Some(service) = self.live() {
            service.gate_met = Some(now);
            let bakes = service.watch.on;
            self.tell(ServiceChange::GateMet { healthy, gate }, trace);
            if bakes {
                self.bake(trace);
            }
        }
    }

    /// The bake time begins.
    pub(super) fn bake(&mut self, trace: &mut Trace) {
        let slowest = self.settings.alarms.iter().filter_map(|alarm| Some(alarm.derived?.for_ms)).max();
        let configured = self.params.alarms.and_then(|alarms| alarms.bake_ms);
        let until = self.now + rules_success::bake_ms(configured, slowest);
        if let Some(service) = self.live() {
            service.bake_until = Some(until);
            self.tell(ServiceChange::BakeBegins { until }, trace);
        }
    }

    /// The target is FAILED. Whether it is rolled back is for the monitor that fired to say.
    pub(super) fn fail(&mut self, by: FailedBy, trace: &mut Trace) {
        let Some(target) = self.deployments.last_mut() else { return };
        target.state = RolloutState::Failed;
        target.lost = 0;
        let (id, revision) = (target.id, target.number);
        let change = DeploymentChange::State(RolloutState::Failed);
        self.emit(trace, What::Deployment { id, revision, change });
        self.hold = None;
        self.dirty = true;
        let Some(service) = self.live() else { return };
        if service.rollback.is_some() {
            // The rollback itself failed: it is not rolled back in its turn.
            self.freeze();
            if self.rollback_candidate().is_none() {
                self.no_candidate(revision, trace);
            } else {
                self.status(ServiceStatus::RollbackFailed, trace);
                self.decided(Reason::NoRollback { revision }, trace);
            }
            return;
        }
        service.failed_by = Some(by);
        self.freeze();
        self.monitors_end(Some(by), trace);
        let rolls_back = match by {
            FailedBy::Alarm => self.params.alarms.is_some_and(|alarms| alarms.rollback),
            FailedBy::Breaker | FailedBy::Digests => self.params.breaker.is_some_and(|breaker| breaker.rollback),
            FailedBy::Person | FailedBy::Hook | FailedBy::StageLimit => true,
        };
        if !rolls_back {
            self.status(ServiceStatus::StopRequested, trace);
            self.status(ServiceStatus::Stopped, trace);
            self.end_protection(ProtectionEnd::Failed, trace);
            self.decided(Reason::NoRollback { revision }, trace);
        } else if self.rollback_candidate().is_some() {
            self.roll_back(by, trace);
        } else {
            self.status(ServiceStatus::RollbackInProgress, trace);
            self.end_protection(ProtectionEnd::NoCandidate, trace);
            self.no_candidate(revision, trace);
        }
    }

    fn decided(&mut self, reason: Reason, trace: &mut Trace) {
        self.emit(trace, What::Decision(Decision { rule: Rule::FailureFirst, reason, first: None }));
    }

    fn no_candidate(&mut self, revision: u32, trace: &mut Trace) {
        self.status(ServiceStatus::RollbackFailed, trace);
        self.tell(ServiceChange::NoCandidate, trace);
        self.decided(Reason::NoCandidate { revision }, trace);
    }

    /// The candidate's own deployment becomes PRIMARY again; its tasks and the given-up ones are
    /// exchanged inside floor and ceiling like in any other rolling update.
    fn roll_back(&mut self, by: FailedBy, trace: &mut Trace) {
        let Some((to, revision)) = self.rollback_candidate() else { return };
        let Some(given_up) = self.deployments.last_mut() else { return };
        given_up.lost = 0;
        given_up.halted = by == FailedBy::Person;
        let (from, given_up) = (given_up.id, given_up.number);
        let now = self.now;
        let on = self.params.alarms.is_some() && !self.any_in_alarm();
        if let Some(service) = self.live() {
            service.rollback = Some(Rollback { by, at: now, to, revision });
            service.watch = Watch::new(on);
            service.gate_met = None;
            service.bake_until = None;
        }
        self.status(ServiceStatus::RollbackInProgress, trace);
        self.end_protection(ProtectionEnd::RolledBack, trace);
        self.tell(ServiceChange::RollsBack { by, from, to }, trace);
        let change = DeploymentChange::Superseded;
        self.emit(trace, What::Deployment { id: from, revision: given_up, change });
        if let Some(i) = self.deployments.iter().position(|d| d.id == to) {
            let candidate = self.deployments.remove(i);
            self.deployments.push(candidate);
        } else {
            self.deployments.extend(self.kept.take());
        }
        let runs = self.deployments.last_mut().is_some_and(|candidate| {
            candidate.take_up();
            candidate.ever_ran
        });
        self.emit(trace, What::Deployment { id: to, revision, change: DeploymentChange::RollingBack });
        self.decided(Reason::RollsBack { from: given_up, to: revision }, trace);
        if runs {
            self.watch_alarms();
        }
        if self.is_shifting() {
            self.shift_turns_back(trace);
        } else {
            self.set_stage(Stage::ScaleUp, trace);
        }
        self.horizon_from = self.horizon_from.max(self.now);
        self.drop_empty_deployments(trace);
        self.hold = None;
        self.dirty = true;
    }

    /// A newer deployment begins: the service deployment that is live ends.
    pub(super) fn supersede(&mut self, trace: &mut Trace) {
        if let Some(service) = self.services.last_mut() {
            // Its clean-up is the next deployment's work.
            service.cleanup_until = None;
        }
        self.drop_hooks(trace);
        self.shift = None;
        let Some(service) = self.live() else { return };
        let rolling_back = service.rollback.is_some();
        self.freeze();
        self.monitors_end(None, trace);
        if rolling_back {
            self.status(ServiceStatus::RollbackFailed, trace);
        } else {
            self.status(ServiceStatus::StopRequested, trace);
            self.status(ServiceStatus::Stopped, trace);
        }
        self.end_protection(ProtectionEnd::Superseded, trace);
    }

    /// `StopServiceDeployment` with `ROLLBACK`. False when nothing is in progress (the API answers a
    /// conflict), or a rollback is under way already (it goes on).
    /// Source: Developer Guide, stop-service-deployment.
    pub(super) fn stop_deployment(&mut self, trace: &mut Trace) -> bool {
        let now = self.now;
        let Some(service) = self.live().filter(|service| service.status() == ServiceStatus::InProgress) else {
            return false;
        };
        service.failed_by = Some(FailedBy::Person);
        service.stopped = Some(now);
        self.freeze();
        self.monitors_end(None, trace);
        self.status(ServiceStatus::RollbackRequested, trace);
        self.end_protection(ProtectionEnd::Stopped, trace);
        if self.rollback_candidate().is_some() {
            self.roll_back(FailedBy::Person, trace);
        } else {
            self.status(ServiceStatus::Stopped, trace);
            if let Some(target) = self.deployments.last_mut() {
                target.halted = true;
                target.lost = 0;
            }
        }
        true
    }

    fn set_stage(&mut self, stage: Stage, trace: &mut Trace) {
        let Some(service) = self.live() else { return };
        if core::mem::replace(&mut service.stage, stage) != stage {
            self.tell(ServiceChange::Stage(stage), trace);
        }
    }

    /// The stage follows the target once the controller has come to rest; it never goes back.
    pub(super) fn follow_stage(&mut self, trace: &mut Trace) {
        let (Some(target), Some(service)) = (self.deployments.last(), self.services.last()) else { return };
        if !service.is_live() || self.is_shifting() {
            return;
        }
        let (early, now) = (self.rollout().gate.is_some() && self.params.desired > 0, self.now);
        let stage = match (early, service.bake_until) {
            (true, _) if service.gate_met.is_none() => launched(target),
            (_, Some(until)) if until > now || !early => Stage::BakeTime,
            (true, _) => Stage::CleanUp,
            (false, _) if is_whole(target, self.params.desired) => Stage::CleanUp,
            (false, _) => launched(target),
        };
        let order = |stage: Stage| match stage {
            Stage::ReconcileService | Stage::PreScaleUp => 0,
            Stage::BakeTime => 2 + u8::from(!early),
            Stage::CleanUp => 2 + u8::from(early),
            _ => 1,
        };
        if order(stage) > order(service.stage) {
            self.set_stage(stage, trace);
        }
    }
}

fn launched(target: &Deployment) -> Stage {
    if target.launched { Stage::ScaleUp } else { Stage::PreScaleUp }
}

fn is_whole(target: &Deployment, desired: u32) -> bool {
    target.tasks.healthy == desired && target.tasks.active() == desired
}

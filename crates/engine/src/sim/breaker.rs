//! The circuit breaker's counting: every failure becomes a record, counted or not.

use super::Simulation;
use crate::platform::ecs::rules_breaker::{self, Effect, FailureKind};
use crate::settings::RolloutState;
use crate::sim::service_deployment::FailedBy;
use crate::trace::{
    Decision, DeploymentId, Failure, FailureVerdict, Reason, Rule, StopCause, TaskChange, TaskRef, Trace, What,
};

impl Simulation {
    /// Failures that trip the breaker at the latest desired count; absent while it is off.
    pub fn threshold(&self) -> Option<u32> {
        self.params.breaker.map(|breaker| rules_breaker::threshold(breaker.threshold, self.params.desired))
    }

    /// Whether the breaker watches this deployment now: the target, in progress.
    fn is_watched(&self, id: DeploymentId) -> bool {
        let target = self.deployments.last();
        target.is_some_and(|d| d.id == id && d.state == RolloutState::InProgress && !d.halted)
    }

    /// The newest rollout was that of this deployment, and it failed or was stopped: a rollback has taken its
    /// place, so it is not the target any more.
    fn was_given_up(&self, id: DeploymentId) -> bool {
        self.services.last().is_some_and(|service| service.deployment == id && service.failed_by.is_some())
    }

    fn verdict(&self, id: DeploymentId, kind: FailureKind, threshold: u32, reset: bool) -> FailureVerdict {
        let target = self.deployments.last().filter(|d| d.id == id);
        // What is given up is no source: it was counted until it failed.
        if target.is_none() && !self.was_given_up(id) {
            return FailureVerdict::Source;
        }
        if kind.effect(reset) != Effect::Count {
            return FailureVerdict::Kind;
        }
        let Some(target) = target else { return FailureVerdict::Ended };
        // The one that trips is the last one that counts, also when several fail together.
        if !self.is_watched(id) || rules_breaker::trips(target.failed_tasks, threshold) {
            return FailureVerdict::Ended;
        }
        let readings = self.readings();
        if readings.literal_stages && kind.before_running() && target.ever_ran {
            return FailureVerdict::Stage;
        }
        if readings.digest_drill && kind == FailureKind::NeverRan && self.revisions[target.revision].digest_fails {
            return FailureVerdict::Drill;
        }
        FailureVerdict::Counted
    }

    /// Something happened to a task of deployment `id`, or to a launch of it that found no place.
    /// Whoever calls lets [`Simulation::check_breaker`] follow.
    pub(super) fn failure(&mut self, task: Option<TaskRef>, id: DeploymentId, kind: FailureKind, trace: &mut Trace) {
        let (Some(breaker), Some(threshold)) = (self.params.breaker, self.threshold()) else { return };
        let verdict = self.verdict(id, kind, threshold, breaker.reset_on_healthy_task);
        // A source may be gone together with its last task.
        let deployment = self.deployments.iter_mut().rev().find(|d| d.id == id);
        let count = deployment.map_or(0, |d| {
            d.failed_tasks += u32::from(verdict == FailureVerdict::Counted);
            d.failed_tasks
        });
        let failure = Failure { task, deployment: id, kind, verdict, count, threshold };
        self.emit(trace, What::Failure(failure));
    }

    /// The stop of a task was decided: for a failed check, or as a matter of routine.
    pub(super) fn failure_by_stop(&mut self, task: TaskRef, id: DeploymentId, cause: StopCause, trace: &mut Trace) {
        let kind = match cause {
            StopCause::Unhealthy => FailureKind::HealthCheck,
            StopCause::User | StopCause::Spot | StopCause::Surplus | StopCause::Draining | StopCause::HostLost => {
                FailureKind::Routine
            }
            StopCause::Replaced => return,
        };
        if kind == FailureKind::HealthCheck || self.deployments.last().is_some_and(|d| d.id == id) {
            self.failure(Some(task), id, kind, trace);
        }
    }

    /// A task became healthy for the first time (without any check: it is RUNNING).
    pub(super) fn first_healthy(&mut self, slot: u32, trace: &mut Trace) {
        let (task, id) = (self.task(slot).task(), self.task(slot).deployment);
        let Some(breaker) = self.params.breaker else { return };
        let effect = FailureKind::BecameHealthy.effect(breaker.reset_on_healthy_task);
        if effect == Effect::Reset && self.is_watched(id) {
            let from = core::mem::take(&mut self.deployment_mut(id).failed_tasks);
            if from > 0 {
                self.emit(trace, What::CountReset { task, deployment: id, from });
            }
        }
    }

    /// Reports a change of a task's health, and what the breaker makes of it.
    pub(super) fn report_health(&mut self, slot: u32, change: TaskChange, first: bool, trace: &mut Trace) {
        let (task, id) = (self.task(slot).task(), self.task(slot).deployment);
        self.emit(trace, What::Task { task, change });
        if change == TaskChange::UnhealthyInGrace {
            self.failure(Some(task), id, FailureKind::InGrace, trace);
        } else if first {
            self.first_healthy(slot, trace);
        }
    }

    /// Trips the breaker when the target's count has reached the threshold of this moment.
    pub(super) fn check_breaker(&mut self, trace: &mut Trace) {
        let Some(threshold) = self.threshold() else { return };
        let Some(target) = self.deployments.last() else { return };
        let (id, count) = (target.id, target.failed_tasks);
        if self.is_watched(id) && rules_breaker::trips(count, threshold) {
            let desired = self.params.desired;
            let reason = Reason::BreakerTripped { count, threshold, desired };
            self.emit(trace, What::Decision(Decision { rule: Rule::FailureFirst, reason, first: None }));
            self.fail(FailedBy::Breaker, trace);
        }
    }

    /// A launch attempt of the target found no place; the next one that counts comes later.
    pub(super) fn no_place(&mut self, trace: &mut Trace) {
        let now = self.now;
        let Some(target) = self.deployments.last_mut() else { return };
        let attempts = target.placing.0 + 1;
        target.placing = (attempts, now + rules_breaker::placement_pause_ms(attempts));
        let id = target.id;
        self.failure(None, id, FailureKind::NoPlace, trace);
    }

    /// An attempt to resolve the target's image digests failed. The third one fails the deployment
    /// when the breaker is on; otherwise it goes on without digests.
    pub(super) fn digest_attempt(&mut self, trace: &mut Trace) {
        let (now, breaker) = (self.now, self.params.breaker.is_some());
        let Some(target) = self.deployments.last_mut() else { return };
        let attempts = target.digests.map_or(0, |(attempts, _)| attempts) + 1;
        if attempts < rules_breaker::DIGEST_ATTEMPTS {
            target.digests = Some((attempts, now + rules_breaker::DIGEST_PAUSE_MS));
            return;
        }
        target.digests = None;
        let reason = if breaker { Reason::DigestsFailed { attempts } } else { Reason::WithoutDigests { attempts } };
        self.emit(trace, What::Decision(Decision { rule: Rule::FailureFirst, reason, first: None }));
        if breaker {
            self.fail(FailedBy::Digests, trace);
        }
    }
}

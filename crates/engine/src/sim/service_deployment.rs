//! A service deployment: one attempt to roll out a revision, from its start to its end.
//!
//! A [`super::Deployment`] (`ecs-svc/N`) is something else: it holds the tasks of a revision, and a
//! rollback uses it again.

use alloc::vec::Vec;

use crate::time::SimTime;
use crate::trace::{DeploymentId, ServiceId};

/// `ServiceDeployment.status`, the exact values of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ServiceStatus {
    /// `PENDING`
    Pending,
    /// `IN_PROGRESS`
    InProgress,
    /// `SUCCESSFUL`
    Successful,
    /// `STOP_REQUESTED`
    StopRequested,
    /// `STOPPED`
    Stopped,
    /// `ROLLBACK_REQUESTED`
    RollbackRequested,
    /// `ROLLBACK_IN_PROGRESS`
    RollbackInProgress,
    /// `ROLLBACK_SUCCESSFUL`
    RollbackSuccessful,
    /// `ROLLBACK_FAILED`
    RollbackFailed,
}

impl ServiceStatus {
    /// All of them, in the order of the API.
    pub const ALL: [ServiceStatus; 9] = [
        ServiceStatus::Pending,
        ServiceStatus::InProgress,
        ServiceStatus::Successful,
        ServiceStatus::StopRequested,
        ServiceStatus::Stopped,
        ServiceStatus::RollbackRequested,
        ServiceStatus::RollbackInProgress,
        ServiceStatus::RollbackSuccessful,
        ServiceStatus::RollbackFailed,
    ];

    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            ServiceStatus::Pending => "PENDING",
            ServiceStatus::InProgress => "IN_PROGRESS",
            ServiceStatus::Successful => "SUCCESSFUL",
            ServiceStatus::StopRequested => "STOP_REQUESTED",
            ServiceStatus::Stopped => "STOPPED",
            ServiceStatus::RollbackRequested => "ROLLBACK_REQUESTED",
            ServiceStatus::RollbackInProgress => "ROLLBACK_IN_PROGRESS",
            ServiceStatus::RollbackSuccessful => "ROLLBACK_SUCCESSFUL",
            ServiceStatus::RollbackFailed => "ROLLBACK_FAILED",
        }
    }

    /// It stays as it is from here on.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            ServiceStatus::Successful
                | ServiceStatus::Stopped
                | ServiceStatus::RollbackSuccessful
                | ServiceStatus::RollbackFailed
        )
    }

    /// The documented transitions. Source: API `ServiceDeploymentStatus`; Developer Guide,
    /// service-deployment.
    pub const fn may_become(self, to: ServiceStatus) -> bool {
        use ServiceStatus as S;
        match self {
            S::Pending => matches!(to, S::InProgress | S::RollbackRequested | S::StopRequested | S::Stopped),
            S::InProgress => matches!(
                to,
                S::Successful | S::StopRequested | S::RollbackRequested | S::RollbackInProgress | S::Stopped
            ),
            S::StopRequested => matches!(to, S::Stopped),
            S::RollbackRequested => matches!(to, S::RollbackInProgress | S::Successful | S::Stopped),
            S::RollbackInProgress => matches!(to, S::RollbackSuccessful | S::RollbackFailed),
            S::Successful | S::Stopped | S::RollbackSuccessful | S::RollbackFailed => false,
        }
    }
}

/// `ServiceDeployment.lifecycleStage`. Blue/green, linear and canary deployments pass all of them, see
/// [`crate::platform::ecs::rules_shift::next_stage`].
///
/// The documentation does not say which ones a rolling update passes. Read here: RECONCILE_SERVICE with several
/// source revisions, else PRE_SCALE_UP, until the first launch; SCALE_UP until the target is whole or
/// the gate is met; then BAKE_TIME while it lasts and CLEAN_UP while source tasks are left, in the
/// order of the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// `RECONCILE_SERVICE`
    ReconcileService,
    /// `PRE_SCALE_UP`
    PreScaleUp,
    /// `SCALE_UP`
    ScaleUp,
    /// `BAKE_TIME`
    BakeTime,
    /// `CLEAN_UP`
    CleanUp,
    /// `POST_SCALE_UP`; this one and the next ones only with a strategy that shifts traffic.
    PostScaleUp,
    /// `TEST_TRAFFIC_SHIFT`
    TestTrafficShift,
    /// `POST_TEST_TRAFFIC_SHIFT`
    PostTestTrafficShift,
    /// `PRE_PRODUCTION_TRAFFIC_SHIFT`; the field of the API knows it only for hooks.
    PreProductionTrafficShift,
    /// `PRODUCTION_TRAFFIC_SHIFT`
    ProductionTrafficShift,
    /// `POST_PRODUCTION_TRAFFIC_SHIFT`
    PostProductionTrafficShift,
}

impl Stage {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::ReconcileService => "RECONCILE_SERVICE",
            Stage::PreScaleUp => "PRE_SCALE_UP",
            Stage::ScaleUp => "SCALE_UP",
            Stage::BakeTime => "BAKE_TIME",
            Stage::CleanUp => "CLEAN_UP",
            Stage::PostScaleUp => "POST_SCALE_UP",
            Stage::TestTrafficShift => "TEST_TRAFFIC_SHIFT",
            Stage::PostTestTrafficShift => "POST_TEST_TRAFFIC_SHIFT",
            Stage::PreProductionTrafficShift => "PRE_PRODUCTION_TRAFFIC_SHIFT",
            Stage::ProductionTrafficShift => "PRODUCTION_TRAFFIC_SHIFT",
            Stage::PostProductionTrafficShift => "POST_PRODUCTION_TRAFFIC_SHIFT",
        }
    }

    /// What `lifecycleStage` says: the enum of that field has no PRE_PRODUCTION_TRAFFIC_SHIFT, so the
    /// shift that it belongs to is reported. Source: API `ServiceDeploymentLifecycleStage`.
    pub const fn api_name(self) -> &'static str {
        match self {
            Stage::PreProductionTrafficShift => Stage::ProductionTrafficShift.name(),
            other => other.name(),
        }
    }

    /// All of them in the order of the life cycle.
    pub const ALL: [Stage; 11] = [
        Stage::ReconcileService,
        Stage::PreScaleUp,
        Stage::ScaleUp,
        Stage::PostScaleUp,
        Stage::TestTrafficShift,
        Stage::PostTestTrafficShift,
        Stage::PreProductionTrafficShift,
        Stage::ProductionTrafficShift,
        Stage::PostProductionTrafficShift,
        Stage::BakeTime,
        Stage::CleanUp,
    ];

    /// The stage of that name.
    pub fn find(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// Its place in the life cycle, from 0; the variants themselves stand in the order in which they
    /// came to the model.
    pub fn order(self) -> usize {
        Stage::ALL.iter().position(|stage| *stage == self).unwrap_or_default()
    }
}

/// `ServiceDeploymentRollbackMonitorsStatus`, the exact values of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MonitorStatus {
    /// `DISABLED`
    Disabled,
    /// `MONITORING`
    Monitoring,
    /// `TRIGGERED`
    Triggered,
    /// `MONITORING_COMPLETE`: the deployment ended, and it had not triggered.
    Complete,
}

impl MonitorStatus {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            MonitorStatus::Disabled => "DISABLED",
            MonitorStatus::Monitoring => "MONITORING",
            MonitorStatus::Triggered => "TRIGGERED",
            MonitorStatus::Complete => "MONITORING_COMPLETE",
        }
    }
}

/// Why a deployment failed or was rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailedBy {
    /// The circuit breaker's threshold was reached.
    Breaker,
    /// A CloudWatch alarm.
    Alarm,
    /// Three attempts to resolve the image digests failed.
    Digests,
    /// A person called `StopServiceDeployment`.
    Person,
    /// A lifecycle hook failed, timed out, or was answered with ROLLBACK.
    Hook,
    /// A stage, or a step of the production traffic, lasted for 24 hours.
    StageLimit,
}

/// `ServiceDeployment.rollback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rollback {
    /// `reason`
    pub by: FailedBy,
    /// `startedAt`
    pub at: SimTime,
    /// The deployment it goes back to.
    pub to: DeploymentId,
    /// Its revision number (`serviceRevisionArn`).
    pub revision: u32,
}

/// Whether automatic rollback protects a service deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protection {
    /// Neither breaker nor alarms are enabled.
    None,
    /// A failure now would be rolled back.
    Guards,
    /// It does not protect any more (or never did), and will not again.
    Ended {
        /// Since when.
        at: SimTime,
        /// Why.
        why: ProtectionEnd,
    },
}

/// Why automatic rollback does not protect any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProtectionEnd {
    /// The deployment is SUCCESSFUL; whatever fails later is replaced by the same revision.
    Successful,
    /// No COMPLETED deployment to go back to.
    NoCandidate,
    /// Every monitor that is enabled has `rollback` false.
    RollbackOff,
    /// It did its work: the deployment failed and the rollback began.
    RolledBack,
    /// The deployment failed and nothing is rolled back.
    Failed,
    /// A newer deployment began.
    Superseded,
    /// A person stopped it.
    Stopped,
    /// Neither breaker nor alarms are enabled: nothing watches it, from its begin on. Only
    /// [`crate::protection`] says so; the service deployment itself has [`Protection::None`].
    NoMonitor,
    /// Only the alarms would roll back, and they are ignored: one was in ALARM at the start.
    AlarmsIgnored,
}

/// The breaker of a service deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BreakerState {
    /// `status`
    pub status: MonitorStatus,
    /// `failureCount`, frozen at the end.
    pub count: u32,
    /// `threshold`, frozen at the end.
    pub threshold: u32,
}

/// The alarms of a service deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AlarmsState {
    /// `status`
    pub status: MonitorStatus,
    /// `triggeredAlarmNames` as indices into the alarms of the settings.
    pub triggered: Vec<u32>,
    /// One was in ALARM at the start: all of them are ignored for this deployment.
    pub ignored: bool,
}

/// How the deployment that is PRIMARY watches the alarms: the one that is rolled out, or the one
/// that a rollback took up again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watch {
    /// Alarms are enabled and none was in ALARM at its start.
    pub on: bool,
    /// Its first task was RUNNING then; the alarms are looked at from there on.
    pub from: Option<SimTime>,
    /// Alarms that fired since, as indices into the alarms of the settings.
    pub fired: Vec<u32>,
    /// When an alarm that fired fails the deployment; NEVER for none.
    pub due: SimTime,
}

impl Watch {
    /// Nothing has fired.
    pub(super) const fn new(on: bool) -> Watch {
        Watch { on, from: None, fired: Vec::new(), due: SimTime::NEVER }
    }
}

/// Tasks of one revision as `DescribeServiceDeployments` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RevisionTasks {
    /// Which deployment.
    pub deployment: DeploymentId,
    /// Its revision number.
    pub revision: u32,
    /// `requestedTaskCount`: the desired count for the target, active tasks for a source.
    pub requested: u32,
    /// `runningTaskCount`
    pub running: u32,
    /// `pendingTaskCount`
    pub pending: u32,
    /// Of those that run, the healthy ones (no field of the API).
    pub healthy: u32,
}

/// A service deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceDeployment {
    /// Identity.
    pub id: ServiceId,
    /// The deployment that is rolled out.
    pub deployment: DeploymentId,
    /// Its revision number (`targetServiceRevision`).
    pub revision: u32,
    /// `sourceServiceRevisions`: deployments that had tasks at the start, with their revisions.
    pub sources: Vec<(DeploymentId, u32)>,
    status: ServiceStatus,
    /// `lifecycleStage` while it is in progress or being rolled back, and the last one afterwards.
    pub stage: Stage,
    /// `createdAt` and `startedAt`.
    pub started: SimTime,
    /// `finishedAt`
    pub finished: Option<SimTime>,
    /// `stoppedAt`: stopped by a person (then, also while it rolls back) or by a newer deployment, or
    /// failed without a rollback.
    pub stopped: Option<SimTime>,
    /// `deploymentCircuitBreaker`
    pub breaker: BreakerState,
    /// `alarms`
    pub alarms: AlarmsState,
    /// How the PRIMARY deployment watches the alarms.
    pub watch: Watch,
    /// Early success: when the gate was first met.
    pub gate_met: Option<SimTime>,
    /// End of the bake time once it has begun.
    pub bake_until: Option<SimTime>,
    /// `rollback`
    pub rollback: Option<Rollback>,
    /// Whether automatic rollback protects it.
    pub protection: Protection,
    /// What failed it, if anything did.
    pub failed_by: Option<FailedBy>,
    /// Task counts: frozen at the end. In a frame of a live one they are those of the moment.
    pub tasks: Vec<RevisionTasks>,
    /// DEFERRED clean-up is tried until then; absent when none is due.
    pub cleanup_until: Option<SimTime>,
}

impl ServiceDeployment {
    /// One that begins now: PENDING.
    pub(super) fn new(id: ServiceId, deployment: DeploymentId, revision: u32, now: SimTime) -> ServiceDeployment {
        ServiceDeployment {
            id,
            deployment,
            revision,
            sources: Vec::new(),
            status: ServiceStatus::Pending,
            stage: Stage::PreScaleUp,
            started: now,
            finished: None,
            stopped: None,
            breaker: BreakerState { status: MonitorStatus::Disabled, count: 0, threshold: 0 },
            alarms: AlarmsState { status: MonitorStatus::Disabled, triggered: Vec::new(), ignored: false },
            watch: Watch::new(false),
            gate_met: None,
            bake_until: None,
            rollback: None,
            protection: Protection::None,
            failed_by: None,
            tasks: Vec::new(),
            cleanup_until: None,
        }
    }

    /// `status`
    pub const fn status(&self) -> ServiceStatus {
        self.status
    }

    /// It is being rolled out or rolled back.
    pub const fn is_live(&self) -> bool {
        !self.status.is_final()
    }

    /// The one way in which the status changes. The guards judge the transition by its record.
    pub(super) fn become_status(&mut self, to: ServiceStatus, now: SimTime) {
        self.status = to;
        if to.is_final() {
            self.finished = Some(now);
        }
        if to == ServiceStatus::Stopped {
            self.stopped = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_documented_transitions() {
        use ServiceStatus as S;
        let table: &[(S, &[S])] = &[
            (S::Pending, &[S::InProgress, S::StopRequested, S::Stopped, S::RollbackRequested]),
            (
                S::InProgress,
                &[S::Successful, S::StopRequested, S::Stopped, S::RollbackRequested, S::RollbackInProgress],
            ),
            (S::Successful, &[]),
            (S::StopRequested, &[S::Stopped]),
            (S::Stopped, &[]),
            (S::RollbackRequested, &[S::Successful, S::Stopped, S::RollbackInProgress]),
            (S::RollbackInProgress, &[S::RollbackSuccessful, S::RollbackFailed]),
            (S::RollbackSuccessful, &[]),
            (S::RollbackFailed, &[]),
        ];
        assert_eq!(table.len(), S::ALL.len());
        for (from, allowed) in table {
            assert_eq!(from.is_final(), allowed.is_empty(), "{from:?}");
            for to in S::ALL {
                assert_eq!(from.may_become(to), allowed.contains(&to), "{from:?} to {to:?}");
            }
        }
    }
}

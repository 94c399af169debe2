//! The statuses of the service deployments of a run, and of what stands in their place elsewhere, span by span.

use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::asg;
use rollscope_engine::platform::kubernetes::{Because, ConditionKind, Truth};
use rollscope_engine::platform::vmss;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, Record, ServiceChange, What};

/// What the ribbon says of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `rolloutState` of the newest deployment: no service deployment has begun yet.
    Rollout(RolloutState),
    /// `status` of the service deployment; `failed` when its deployment has failed.
    Service {
        /// The API's value.
        status: ServiceStatus,
        /// The deployment is FAILED: a monitor has triggered.
        failed: bool,
    },
    /// `lifecycleStage` BAKE_TIME, so many milliseconds long.
    Bake {
        /// Its whole length.
        ms: u64,
    },
    /// The condition `Progressing` of a Kubernetes Deployment.
    Progressing {
        /// Its `status`.
        status: Truth,
        /// Its `reason`.
        reason: Because,
    },
    /// `Status` of an instance refresh.
    Refresh(asg::Status),
    /// `runningStatus.code` of a rolling upgrade of a scale set.
    Upgrade(vmss::Status),
    /// `status.versionTarget.isReached` of a managed instance group.
    VersionTarget(bool),
    /// Another stage of a deployment that shifts traffic, on its way forward.
    Stage {
        /// Which.
        stage: Stage,
        /// Weight of the new revision in the production traffic, in thousandths.
        green: u16,
    },
}

impl Status {
    /// It tells of a failure.
    pub const fn is_failure(self) -> bool {
        match self {
            Status::Rollout(state) => matches!(state, RolloutState::Failed),
            Status::Service { status, failed } => failed || matches!(status, ServiceStatus::RollbackFailed),
            Status::Progressing { status, .. } => matches!(status, Truth::False),
            Status::Refresh(status) => status.is_failure(),
            Status::Upgrade(status) => matches!(status, vmss::Status::Faulted),
            Status::Bake { .. } | Status::Stage { .. } | Status::VersionTarget(_) => false,
        }
    }

    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Rollout(RolloutState::InProgress) => "IN_PROGRESS",
            Status::Rollout(RolloutState::Completed) => "COMPLETED",
            Status::Rollout(RolloutState::Failed) => "FAILED",
            Status::Service { status, .. } => status.name(),
            Status::Bake { .. } => Stage::BakeTime.name(),
            Status::Stage { stage, .. } => stage.name(),
            Status::Progressing { reason, .. } => reason.name(),
            Status::Refresh(status) => status.name(),
            Status::Upgrade(status) => status.name(),
            Status::VersionTarget(true) => "isReached: true",
            Status::VersionTarget(false) => "isReached: false",
        }
    }

    /// Its word stands below the ribbon where it finds no place on it. What is in progress is the ground
    /// of everything else, and a success has its tick and the border.
    pub(crate) const fn is_noted(self) -> bool {
        match self {
            Status::Rollout(state) => matches!(state, RolloutState::Failed),
            Status::Service { status, .. } => {
                !matches!(status, ServiceStatus::Pending | ServiceStatus::InProgress | ServiceStatus::Successful)
            }
            // The stages of a shift are many and short; their names come with the moment's own sentence.
            Status::Stage { .. } => false,
            Status::Progressing { status, .. } => matches!(status, Truth::False),
            Status::Refresh(status) => status.is_failure(),
            Status::Upgrade(status) => matches!(status, vmss::Status::Faulted | vmss::Status::Cancelled),
            Status::VersionTarget(_) => false,
            Status::Bake { .. } => true,
        }
    }

    /// The rollback is done.
    pub(crate) const fn is_restored(self) -> bool {
        matches!(self, Status::Service { status: ServiceStatus::RollbackSuccessful, .. })
    }

    /// It stays so: until the next service deployment begins.
    pub(crate) const fn is_final(self) -> bool {
        match self {
            Status::Rollout(state) => !matches!(state, RolloutState::InProgress),
            Status::Service { status, .. } => status.is_final(),
            Status::Progressing { reason, .. } => matches!(reason, Because::NewReplicaSetAvailable),
            Status::Refresh(status) => status.is_final(),
            Status::Upgrade(status) => status.is_final(),
            Status::VersionTarget(reached) => reached,
            Status::Bake { .. } | Status::Stage { .. } => false,
        }
    }
}

/// A span with one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub until: SimTime,
    /// What holds in it.
    pub status: Status,
    /// Revision that the service deployment rolls out; 0 before the first one.
    pub revision: u32,
}

impl Segment {
    /// It is to be seen. What begins is passed in no time; an end, and the way to it, is told however
    /// short it was: a rollback that fails at once was one.
    fn is_told(&self) -> bool {
        let begins = |status| matches!(status, ServiceStatus::Pending | ServiceStatus::InProgress);
        self.from < self.until || matches!(self.status, Status::Service { status, .. } if !begins(status))
    }
}

/// What is known while the records are read.
struct Reader {
    out: Vec<Segment>,
    until: SimTime,
    revision: u32,
    failed: bool,
    bake_ms: u64,
    /// Traffic is shifted: every stage of the way forward is a span.
    shifts: bool,
    /// It is rolled back, or over.
    forward: bool,
    green: u16,
}

impl Reader {
    fn enter(&mut self, from: SimTime, status: Status) {
        if let Some(last) = self.out.last_mut() {
            last.until = from.min(self.until);
        }
        self.out.retain(Segment::is_told);
        self.out.push(Segment { from, until: self.until, status, revision: self.revision });
    }

    fn service(&mut self, at: SimTime, change: ServiceChange) {
        let bakes = matches!(self.out.last(), Some(Segment { status: Status::Bake { .. }, .. }));
        match change {
            ServiceChange::Began { revision, .. } => {
                (self.revision, self.failed, self.bake_ms, self.green) = (revision, false, 0, 0);
            }
            ServiceChange::Status { to, .. } => {
                self.forward = to == ServiceStatus::InProgress;
                self.enter(at, Status::Service { status: to, failed: self.failed });
            }
            ServiceChange::BakeBegins { until } => self.bake_ms = until.since(at),
            ServiceChange::Weights(weights) => self.green = weights.production,
            ServiceChange::Stage(Stage::BakeTime) => self.enter(at, Status::Bake { ms: self.bake_ms }),
            ServiceChange::Stage(stage) if self.shifts && self.forward => {
                self.enter(at, Status::Stage { stage, green: self.green });
            }
            ServiceChange::Stage(_) if bakes => {
                self.enter(at, Status::Service { status: ServiceStatus::InProgress, failed: self.failed });
            }
            _ => {}
        }
    }
}

/// A stage that only a deployment passes that shifts traffic.
pub(crate) fn is_shift(what: &What) -> bool {
    let rolling = |stage: Stage| {
        matches!(stage, Stage::ReconcileService | Stage::PreScaleUp | Stage::ScaleUp | Stage::BakeTime | Stage::CleanUp)
    };
    match what {
        What::Service { change: ServiceChange::Stage(stage), .. } => !rolling(*stage),
        What::Service { change: ServiceChange::Weights(_), .. } => true,
        _ => false,
    }
}

/// The spans of a run up to `until`, ascending. `before` is the state that holds before any record
/// tells of one.
pub fn segments(records: &[Record], before: Option<RolloutState>, until: SimTime) -> Vec<Segment> {
    let (out, revision, failed, bake_ms) = (Vec::new(), 0, false, 0);
    let shifts = records.iter().any(|record| is_shift(&record.what));
    let mut reader = Reader { out, until, revision, failed, bake_ms, shifts, forward: true, green: 0 };
    let bare = |one: &Record| matches!(one.what, What::Asg(_) | What::Vm(_) | What::Kubernetes(Change::Waits(_)));
    let kubernetes = records.iter().any(|record| matches!(record.what, What::Kubernetes(_)));
    match before {
        // Before a refresh there is no status, and of a StatefulSet or a DaemonSet never one.
        Some(_) if records.iter().any(bare) => {}
        Some(_) if kubernetes => {
            let (status, reason) = (Truth::True, Because::NewReplicaSetAvailable);
            reader.enter(SimTime::ZERO, Status::Progressing { status, reason });
        }
        Some(state) => reader.enter(SimTime::ZERO, Status::Rollout(state)),
        None => {}
    }
    for record in records {
        match record.what {
            What::Service { change, .. } => reader.service(record.at, change),
            What::Kubernetes(Change::Condition { kind: ConditionKind::Progressing, now: Some((status, reason)) }) => {
                reader.enter(record.at, Status::Progressing { status, reason });
            }
            What::Asg(rollscope_engine::asg::Change::Status { to, .. }) => {
                reader.enter(record.at, Status::Refresh(to));
            }
            What::Vm(rollscope_engine::vm::Change::Status { to, .. }) => {
                reader.enter(record.at, Status::Upgrade(to));
            }
            // A scale set tells a status of its upgrade in the same moment.
            What::Vm(rollscope_engine::vm::Change::Started { .. }) => {
                reader.enter(record.at, Status::VersionTarget(false));
            }
            What::Vm(rollscope_engine::vm::Change::TargetReached(reached)) => {
                reader.enter(record.at, Status::VersionTarget(reached));
            }
            What::Deployment { change: DeploymentChange::State(RolloutState::Failed), .. } => reader.failed = true,
            _ => {}
        }
    }
    reader.out.retain(|segment| segment.is_told() && segment.from <= until);
    reader.out
}

//! Status and conditions of a Deployment, as `kubectl get deployment -o yaml` shows them.

use crate::time::SimTime;

/// `status` of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// `True`
    True,
    /// `False`
    False,
    /// `Unknown`
    Unknown,
}

/// `reason` of a condition, spelled as in pkg/controller/deployment/util/deployment_util.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Because {
    /// `NewReplicaSetCreated`
    NewReplicaSetCreated,
    /// `FoundNewReplicaSet`
    FoundNewReplicaSet,
    /// `ReplicaSetUpdated`
    ReplicaSetUpdated,
    /// `NewReplicaSetAvailable`
    NewReplicaSetAvailable,
    /// `ProgressDeadlineExceeded`
    ProgressDeadlineExceeded,
    /// `DeploymentPaused`
    DeploymentPaused,
    /// `DeploymentResumed`
    DeploymentResumed,
    /// `MinimumReplicasAvailable`
    MinimumReplicasAvailable,
    /// `MinimumReplicasUnavailable`
    MinimumReplicasUnavailable,
    /// `FailedCreate`
    FailedCreate,
}

/// The conditions of a Deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConditionKind {
    /// `Available`
    Available,
    /// `Progressing`
    Progressing,
    /// `ReplicaFailure`
    ReplicaFailure,
}

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// `status`
    pub status: Truth,
    /// `reason`
    pub reason: Because,
    /// `lastUpdateTime`
    pub last_update: SimTime,
    /// `lastTransitionTime`
    pub last_transition: SimTime,
}

impl Condition {
    /// A condition that came to be now.
    pub const fn new(status: Truth, reason: Because, now: SimTime) -> Condition {
        Condition { status, reason, last_update: now, last_transition: now }
    }
}

/// `SetDeploymentCondition`: nothing changes when status and reason are the same already; the transition
/// time stays while the status does.
pub fn set(slot: &mut Option<Condition>, status: Truth, reason: Because, now: SimTime) {
    let mut next = Condition::new(status, reason, now);
    if let Some(current) = slot {
        if (current.status, current.reason) == (status, reason) {
            return;
        }
        if current.status == status {
            next.last_transition = current.last_transition;
        }
    }
    *slot = Some(next);
}

/// `status` of the Deployment as last written, without its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Status {
    /// `replicas`: Pods that are not terminating.
    pub replicas: u32,
    /// `updatedReplicas`: those of the new ReplicaSet.
    pub updated: u32,
    /// `readyReplicas`
    pub ready: u32,
    /// `availableReplicas`
    pub available: u32,
}

/// The conditions; absent ones are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Conditions {
    /// `Available`
    pub available: Option<Condition>,
    /// `Progressing`
    pub progressing: Option<Condition>,
    /// `ReplicaFailure`
    pub replica_failure: Option<Condition>,
}

impl Conditions {
    /// The condition of that kind.
    pub const fn get(&self, kind: ConditionKind) -> Option<Condition> {
        match kind {
            ConditionKind::Available => self.available,
            ConditionKind::Progressing => self.progressing,
            ConditionKind::ReplicaFailure => self.replica_failure,
        }
    }

    /// The reason of `Progressing`.
    pub fn progress(&self) -> Option<Because> {
        self.progressing.map(|condition| condition.reason)
    }
}

impl Truth {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Truth::True => "True",
            Truth::False => "False",
            Truth::Unknown => "Unknown",
        }
    }
}

impl Because {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Because::NewReplicaSetCreated => "NewReplicaSetCreated",
            Because::FoundNewReplicaSet => "FoundNewReplicaSet",
            Because::ReplicaSetUpdated => "ReplicaSetUpdated",
            Because::NewReplicaSetAvailable => "NewReplicaSetAvailable",
            Because::ProgressDeadlineExceeded => "ProgressDeadlineExceeded",
            Because::DeploymentPaused => "DeploymentPaused",
            Because::DeploymentResumed => "DeploymentResumed",
            Because::MinimumReplicasAvailable => "MinimumReplicasAvailable",
            Because::MinimumReplicasUnavailable => "MinimumReplicasUnavailable",
            Because::FailedCreate => "FailedCreate",
        }
    }
}

impl ConditionKind {
    /// As the API writes its `type`.
    pub const fn name(self) -> &'static str {
        match self {
            ConditionKind::Available => "Available",
            ConditionKind::Progressing => "Progressing",
            ConditionKind::ReplicaFailure => "ReplicaFailure",
        }
    }

    /// All of them, in the order they are shown.
    pub const ALL: [ConditionKind; 3] =
        [ConditionKind::Available, ConditionKind::Progressing, ConditionKind::ReplicaFailure];
}

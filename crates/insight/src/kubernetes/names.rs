//! The spelling of Kubernetes' own words.

use rollscope_engine::kubernetes::PodChange;
use rollscope_engine::platform::kubernetes::{Because, ConditionKind, SizeReason, Truth};

use super::outcome::StalledBy;

/// `type` of a condition.
pub const fn condition_kind(kind: ConditionKind) -> &'static str {
    match kind {
        ConditionKind::Available => "Available",
        ConditionKind::Progressing => "Progressing",
        ConditionKind::ReplicaFailure => "ReplicaFailure",
    }
}

/// `status` of a condition.
pub const fn truth(truth: Truth) -> &'static str {
    match truth {
        Truth::True => "True",
        Truth::False => "False",
        Truth::Unknown => "Unknown",
    }
}

/// `reason` of a condition.
pub const fn reason(reason: Because) -> &'static str {
    match reason {
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

/// `blocked_by`
pub const fn stalled_by(why: StalledBy) -> &'static str {
    match why {
        StalledBy::Paused => "paused",
        StalledBy::ImagePull => "image_pull",
        StalledBy::CrashLoop => "crash_loop",
        StalledBy::Readiness => "readiness",
        StalledBy::Room => "room",
        StalledBy::Quota => "quota",
        StalledBy::Terminating => "terminating",
        StalledBy::Time => "time",
    }
}

/// `reason` of a pass.
pub const fn size_reason(reason: &SizeReason) -> &'static str {
    match reason {
        SizeReason::RoomToGrow { .. } => "room_to_grow",
        SizeReason::TooMany { .. } => "too_many",
        SizeReason::AboveFloor { .. } => "above_floor",
        SizeReason::OnlyActive { .. } => "only_active",
        SizeReason::Saturated => "saturated",
        SizeReason::Proportional { .. } => "proportional",
        SizeReason::RecreateDown => "recreate_down",
        SizeReason::RecreateUp { .. } => "recreate_up",
    }
}

/// The reason of a Pod's event; absent where Kubernetes emits none.
pub const fn pod_event(change: &PodChange) -> Option<&'static str> {
    match change {
        PodChange::Unschedulable => Some("FailedScheduling"),
        PodChange::Scheduled => Some("Scheduled"),
        PodChange::PullFailed => Some("Failed"),
        PodChange::Restarted { .. } => Some("Started"),
        PodChange::Exited { .. } => Some("BackOff"),
        PodChange::Killing { .. } => Some("Killing"),
        PodChange::NotReady => Some("Unhealthy"),
        PodChange::StartedUp | PodChange::Ready | PodChange::Race { .. } => None,
    }
}

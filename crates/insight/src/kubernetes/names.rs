//! Names in JSON.

use rollscope_engine::kubernetes::PodChange;
use rollscope_engine::platform::kubernetes::SizeReason;

use super::outcome::StalledBy;

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

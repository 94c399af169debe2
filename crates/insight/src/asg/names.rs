//! Names of things in JSON.

use rollscope_engine::platform::asg::{Because, Blocked, LaunchReason, Status, StopReason};

/// `blocked_by`
pub const fn blocked(by: Blocked) -> &'static str {
    match by {
        Blocked::Health => "health",
        Blocked::Launch => "launch_failures",
        Blocked::Capacity => "capacity",
        Blocked::Protected { .. } => "scale_in_protection",
        Blocked::Standby { .. } => "standby",
        Blocked::Floor => "min_healthy",
    }
}

/// `reason` of a status.
pub const fn because(because: Because) -> &'static str {
    match because {
        Because::NoProgress(_) => "no_progress",
        Because::Alarm { .. } => "alarm",
        Because::TooLong => "too_long",
        Because::Asked => "asked",
    }
}

/// `reason` of a launch.
pub const fn launch(reason: &LaunchReason) -> &'static str {
    match reason {
        LaunchReason::Missing { .. } => "below_desired_capacity",
        LaunchReason::Batch { .. } => "batch",
    }
}

/// `reason` of a termination.
pub const fn stop(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::Batch { .. } => "batch",
        StopReason::Replaced { .. } => "replacement_ready",
        StopReason::Surplus { .. } => "above_desired_capacity",
        StopReason::Standby => "standby",
    }
}

/// The `detail-type` of the event that EventBridge gets; absent where it gets none.
///
/// Source: user guide, instance-refresh-eventbridge-events.
pub const fn event(from: Status, to: Status) -> Option<&'static str> {
    Some(match (from, to) {
        (Status::Pending, Status::InProgress) => "EC2 Auto Scaling Instance Refresh Started",
        (_, Status::Successful) => "EC2 Auto Scaling Instance Refresh Succeeded",
        (_, Status::Failed) => "EC2 Auto Scaling Instance Refresh Failed",
        (_, Status::Cancelled) => "EC2 Auto Scaling Instance Refresh Cancelled",
        (_, Status::RollbackInProgress) => "EC2 Auto Scaling Instance Refresh Rollback Started",
        (_, Status::RollbackSuccessful) => "EC2 Auto Scaling Instance Refresh Rollback Succeeded",
        (_, Status::RollbackFailed) => "EC2 Auto Scaling Instance Refresh Rollback Failed",
        _ => return None,
    })
}

/// The `detail-type` of a checkpoint.
pub const CHECKPOINT: &str = "EC2 Auto Scaling Instance Refresh Checkpoint Reached";

//! What happens to a group and its refresh, as data; the common life of instances is told as on every platform.

use crate::platform::asg::{Because, Hold, LaunchReason, NoObject, Status, StopReason};
use crate::time::SimTime;
use crate::trace::TaskRef;

/// Something that happened to a group, its refresh or an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// `StartInstanceRefresh`
    Started {
        /// Which refresh of the run, from 1.
        refresh: u16,
        /// The launch template version it rolls out.
        target: u32,
        /// The version that the group had.
        from: u32,
    },
    /// The refresh is in another status.
    Status {
        /// Which refresh of the run, from 1.
        refresh: u16,
        /// Before.
        from: Status,
        /// From here on.
        to: Status,
        /// Why it failed or rolls back.
        because: Option<Because>,
        /// `PercentageComplete`
        percent: u32,
    },
    /// Instances are launched.
    Launching {
        /// So many.
        n: u32,
        /// Of this launch template version.
        version: u32,
        /// Why.
        reason: LaunchReason,
    },
    /// Instances are terminated.
    Terminating {
        /// So many.
        n: u32,
        /// Of them, not ready.
        unready: u32,
        /// Why.
        reason: StopReason,
    },
    /// A checkpoint is reached.
    Checkpoint {
        /// Its percentage.
        at: u32,
        /// `PercentageComplete`
        percent: u32,
        /// The end of its delay; NEVER when it does not hold.
        until: SimTime,
    },
    /// The group grew: the share is below the checkpoint that was announced.
    CheckpointLost {
        /// It was announced.
        at: u32,
        /// `PercentageComplete`
        percent: u32,
    },
    /// The delay of a checkpoint is over.
    Resumed,
    /// The group takes the version over.
    VersionSaved {
        /// Its launch template version from here on.
        version: u32,
    },
    /// Why nothing is done, when that changes.
    Hold(Hold),
    /// The API refused an act.
    Refused(NoObject),
    /// `DesiredCapacity` changed.
    Desired {
        /// Before.
        from: u32,
        /// From here on.
        to: u32,
    },
    /// Something happened to an instance that only a group knows.
    Instance {
        /// Which.
        instance: TaskRef,
        /// What.
        change: InstanceChange,
    },
}

/// Changes of an instance that only a group knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InstanceChange {
    /// Its launch failed; the next attempt comes then.
    LaunchFailed {
        /// At once: now.
        next: SimTime,
    },
    /// It is healthy; its warm-up ends then.
    Warming {
        /// The end.
        until: SimTime,
    },
    /// A check fails inside the grace period: nothing happens before its end.
    FailsInGrace {
        /// The end.
        until: SimTime,
    },
    /// EC2 finds it impaired or stopped.
    Impaired,
    /// It is in standby.
    Standby,
    /// It is back in service.
    BackInService,
}

impl Change {
    /// The group or the refresh decided something, also to do nothing.
    pub const fn is_decision(&self) -> bool {
        matches!(
            self,
            Change::Launching { .. } | Change::Terminating { .. } | Change::Checkpoint { .. } | Change::Hold(_)
        )
    }

    /// It tells of a failure.
    pub const fn is_failure(&self) -> bool {
        match self {
            Change::Status { to, because, .. } => {
                to.is_failure()
                    || (matches!(to, Status::RollbackInProgress) && !matches!(because, Some(Because::Asked)))
            }
            Change::Instance { change, .. } => {
                matches!(change, InstanceChange::LaunchFailed { .. } | InstanceChange::Impaired)
            }
            _ => false,
        }
    }
}

//! What happens to a group of virtual machines, as data; the common life of machines is told as on every platform.

use crate::platform::vm::{Hold, Model, Why};
use crate::platform::vmss::{Breach, Status};
use crate::time::SimTime;
use crate::trace::TaskRef;

/// Something that happened to a group, its update or a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A template or model is rolled out from here on.
    Started {
        /// Which one.
        target: u32,
        /// The one before.
        from: u32,
    },
    /// Machines are created.
    Creating {
        /// So many.
        n: u32,
        /// Of which model.
        version: u32,
        /// Whether that is what is rolled out.
        model: Model,
        /// Why.
        why: Why,
    },
    /// Machines are deleted.
    Deleting {
        /// So many.
        n: u32,
        /// Why.
        why: Why,
    },
    /// Machines are taken down to come up again in the same place.
    Rebuilding {
        /// So many.
        n: u32,
        /// Of which model they come up.
        version: u32,
        /// Why.
        why: Why,
    },
    /// A batch is over.
    BatchEnded {
        /// Which, from 1.
        number: u32,
        /// The next one waits until then; NEVER when it waits for nothing.
        until: SimTime,
    },
    /// The rolling upgrade has another status.
    Status {
        /// Before; absent at its start.
        from: Option<Status>,
        /// From here on.
        to: Status,
        /// What stopped it.
        because: Option<Breach>,
    },
    /// `status.versionTarget.isReached`
    TargetReached(bool),
    /// `status.isStable`
    Stable(bool),
    /// Why nothing is done, when that changes.
    Hold(Hold),
    /// The size changed.
    Size {
        /// Before.
        from: u32,
        /// From here on.
        to: u32,
    },
    /// `updatePolicy.type` changed.
    Proactive(bool),
    /// An act had nothing to act on: no upgrade is under way.
    NoUpgrade,
    /// An upgrade is under way: another one cannot start.
    InProgress,
    /// Something happened to a machine that only a group knows.
    Machine {
        /// Which.
        machine: TaskRef,
        /// What.
        change: MachineChange,
    },
}

/// Changes of a machine that only a group knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineChange {
    /// Its creation failed; the next attempt comes then.
    CreationFailed {
        /// The next attempt.
        next: SimTime,
    },
    /// It is healthy; a wait begins that ends then.
    Settling {
        /// The end.
        until: SimTime,
    },
    /// A check fails soon after its start: nobody repairs it before then.
    FailsEarly {
        /// The end of the delay.
        until: SimTime,
    },
    /// Autohealing recreates it.
    Repaired,
    /// It crashed, or somebody deleted it, and comes up again in the same place.
    Crashed,
    /// Nobody waits any longer for it to become healthy.
    GivenUp,
}

impl Change {
    /// The group or the update decided something, also to do nothing.
    pub const fn is_decision(&self) -> bool {
        matches!(self, Change::Creating { .. } | Change::Deleting { .. } | Change::Rebuilding { .. } | Change::Hold(_))
    }

    /// It tells of a failure.
    pub const fn is_failure(&self) -> bool {
        match self {
            Change::Status { to, .. } => matches!(to, Status::Faulted | Status::RollingBack),
            Change::Machine { change, .. } => !matches!(change, MachineChange::Settling { .. }),
            _ => false,
        }
    }
}

//! Statuses of an instance refresh, and what the API refuses.

/// `InstanceRefreshStatus`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// `Pending`
    Pending,
    /// `InProgress`
    InProgress,
    /// `Baking`
    Baking,
    /// `Successful`
    Successful,
    /// `Failed`
    Failed,
    /// `Cancelling`
    Cancelling,
    /// `Cancelled`
    Cancelled,
    /// `RollbackInProgress`
    RollbackInProgress,
    /// `RollbackSuccessful`
    RollbackSuccessful,
    /// `RollbackFailed`
    RollbackFailed,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 10] = [
        Status::Pending,
        Status::InProgress,
        Status::Baking,
        Status::Successful,
        Status::Failed,
        Status::Cancelling,
        Status::Cancelled,
        Status::RollbackInProgress,
        Status::RollbackSuccessful,
        Status::RollbackFailed,
    ];

    /// As the API spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Pending => "Pending",
            Status::InProgress => "InProgress",
            Status::Baking => "Baking",
            Status::Successful => "Successful",
            Status::Failed => "Failed",
            Status::Cancelling => "Cancelling",
            Status::Cancelled => "Cancelled",
            Status::RollbackInProgress => "RollbackInProgress",
            Status::RollbackSuccessful => "RollbackSuccessful",
            Status::RollbackFailed => "RollbackFailed",
        }
    }

    /// Nothing follows.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Status::Successful
                | Status::Failed
                | Status::Cancelled
                | Status::RollbackSuccessful
                | Status::RollbackFailed
        )
    }

    /// It did not get where it was to get, and nobody wanted that.
    pub const fn is_failure(self) -> bool {
        matches!(self, Status::Failed | Status::RollbackFailed)
    }

    /// Instances are being replaced, or will be after a wait.
    pub const fn replaces(self) -> bool {
        matches!(self, Status::InProgress | Status::RollbackInProgress)
    }

    /// The documented ways from one status to the next.
    ///
    /// Source: API `InstanceRefreshStatus`; user guide, check-status-instance-refresh.
    pub const fn may_become(self, next: Status) -> bool {
        use Status::{Baking, Cancelled, Cancelling, Failed, InProgress, Pending, RollbackFailed};
        use Status::{RollbackInProgress, RollbackSuccessful, Successful};
        match self {
            Pending => matches!(next, InProgress | Cancelled | Failed),
            InProgress => matches!(next, Baking | Successful | Failed | Cancelling | RollbackInProgress),
            Baking => matches!(next, Successful | Failed | Cancelling | RollbackInProgress),
            Cancelling => matches!(next, Cancelled),
            RollbackInProgress => matches!(next, RollbackSuccessful | RollbackFailed),
            Successful | Failed | Cancelled | RollbackSuccessful | RollbackFailed => false,
        }
    }
}

/// What keeps a refresh from getting on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocked {
    /// New instances do not become healthy.
    Health,
    /// Launches fail.
    Launch,
    /// EC2 has no capacity for more.
    Capacity,
    /// Instances are protected from scale-in.
    Protected {
        /// So many.
        n: u32,
    },
    /// Instances are in standby.
    Standby {
        /// So many.
        n: u32,
    },
    /// Too few are ready for one to go.
    Floor,
}

/// Why a refresh failed or rolls back (`StatusReason`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Because {
    /// No instance was replaced for an hour.
    NoProgress(Blocked),
    /// An alarm is in ALARM: its index in the settings.
    Alarm {
        /// Index.
        alarm: u32,
    },
    /// Fourteen days are over.
    TooLong,
    /// Somebody asked for it.
    Asked,
}

/// Why the API refuses an act, as an error of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoObject {
    /// `InstanceRefreshInProgress`
    InProgress,
    /// `ActiveInstanceRefreshNotFound`
    NotFound,
    /// `IrreversibleInstanceRefresh`
    Irreversible,
    /// `ValidationError`: an alarm is in ALARM or INSUFFICIENT_DATA when a refresh starts.
    Alarm {
        /// Its index in the settings.
        alarm: u32,
    },
    /// `ValidationError`: the desired capacity would leave MinSize to MaxSize.
    Size {
        /// MinSize.
        min: u32,
        /// MaxSize.
        max: u32,
    },
}

impl NoObject {
    /// The error's name.
    pub const fn name(self) -> &'static str {
        match self {
            NoObject::InProgress => "InstanceRefreshInProgress",
            NoObject::NotFound => "ActiveInstanceRefreshNotFound",
            NoObject::Irreversible => "IrreversibleInstanceRefresh",
            NoObject::Alarm { .. } | NoObject::Size { .. } => "ValidationError",
        }
    }
}

/// Whether a refresh can be rolled back: while it is in progress or bakes, with a desired configuration and an
/// earlier version that is a number. An automatic rollback asks the same.
///
/// Source: user guide, instance-refresh-rollback; baking included (reading).
///
/// Example: one that is Successful: ActiveInstanceRefreshNotFound; one without a desired configuration:
/// IrreversibleInstanceRefresh.
pub const fn may_roll_back(
    status: Option<Status>,
    desired_configuration: bool,
    numbered: bool,
) -> Result<(), NoObject> {
    match status {
        Some(Status::InProgress | Status::Baking) if desired_configuration && numbered => Ok(()),
        Some(Status::InProgress | Status::Baking) => Err(NoObject::Irreversible),
        _ => Err(NoObject::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn final_ones_stay() {
        for from in Status::ALL {
            let onward = Status::ALL.iter().filter(|to| from.may_become(**to)).count();
            assert_eq!(onward == 0, from.is_final(), "{}", from.name());
            assert!(!from.may_become(Status::Pending) && !from.may_become(from));
        }
    }

    #[test]
    fn a_rollback_needs_a_way_back() {
        for (status, configuration, numbered, expected) in [
            (Some(Status::InProgress), true, true, Ok(())),
            (Some(Status::Baking), true, true, Ok(())),
            (Some(Status::Pending), true, true, Err(NoObject::NotFound)),
            (Some(Status::InProgress), false, true, Err(NoObject::Irreversible)),
            (Some(Status::InProgress), true, false, Err(NoObject::Irreversible)),
            (Some(Status::Successful), true, true, Err(NoObject::NotFound)),
            (Some(Status::RollbackInProgress), true, true, Err(NoObject::NotFound)),
            (None, true, true, Err(NoObject::NotFound)),
        ] {
            assert_eq!(may_roll_back(status, configuration, numbered), expected);
        }
    }
}

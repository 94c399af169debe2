//! Statuses of a rolling upgrade, and what stops one.

/// `RollingUpgradeStatusCode`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// `RollingForward`
    RollingForward,
    /// `RollingBack`: machines that failed go back to the former model.
    RollingBack,
    /// `Cancelled`
    Cancelled,
    /// `Completed`
    Completed,
    /// `Faulted`
    Faulted,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 5] =
        [Status::RollingForward, Status::RollingBack, Status::Cancelled, Status::Completed, Status::Faulted];

    /// As the API spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::RollingForward => "RollingForward",
            Status::RollingBack => "RollingBack",
            Status::Cancelled => "Cancelled",
            Status::Completed => "Completed",
            Status::Faulted => "Faulted",
        }
    }

    /// Nothing follows: another upgrade may be started.
    pub const fn is_final(self) -> bool {
        matches!(self, Status::Cancelled | Status::Completed | Status::Faulted)
    }
}

/// What stopped an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breach {
    /// `MaxUnhealthyInstancePercentExceededInRollingUpgrade`
    Unhealthy {
        /// Unhealthy machines.
        unhealthy: u32,
        /// Of so many.
        of: u32,
        /// The limit in percent.
        limit: u32,
    },
    /// `MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade`
    Upgraded {
        /// Unhealthy upgraded machines.
        unhealthy: u32,
        /// Of so many.
        of: u32,
        /// The limit in percent.
        limit: u32,
    },
}

impl Breach {
    /// The error's code.
    pub const fn name(self) -> &'static str {
        match self {
            Breach::Unhealthy { .. } => "MaxUnhealthyInstancePercentExceededInRollingUpgrade",
            Breach::Upgraded { .. } => "MaxUnhealthyUpgradedInstancePercentExceededInRollingUpgrade",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_go_on() {
        let on: alloc::vec::Vec<&str> = Status::ALL.iter().filter(|s| !s.is_final()).map(|s| s.name()).collect();
        assert_eq!(on, ["RollingForward", "RollingBack"]);
    }
}

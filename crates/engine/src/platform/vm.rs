//! What the groups of virtual machines of Google Cloud and Azure share: machines by what an update has to do with
//! them, and what can be done with them. Which of it is done when is each platform's own business
//! ([`super::mig`], [`super::vmss`]).

use alloc::vec::Vec;

use super::{mig, vmss};
use crate::time::SimTime;

/// A group of virtual machines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `targetSize`, or `sku.capacity`.
    pub size: u32,
    /// Zones that it spreads over, 1 to 3.
    pub zones: u8,
    /// How long a load balancer lets open requests of a leaving machine finish, in milliseconds. Default 0.
    pub drain_ms: u64,
    /// Whose rules hold.
    pub kind: Kind,
}

/// Whose rules hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A Google Cloud managed instance group.
    Mig(mig::Params),
    /// An Azure virtual machine scale set.
    Vmss(vmss::Params),
}

/// Machines of one side of an update by what they do. Those on their way out for good are in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Of {
    /// Being taken down, to come up again in the same place.
    pub rebuilding: u32,
    /// Being created, or started again.
    pub creating: u32,
    /// Running, and never healthy so far.
    pub verifying: u32,
    /// Healthy, and in a wait that begins there.
    pub settling: u32,
    /// Healthy.
    pub up: u32,
    /// Running and not healthy: it was once, or the time to become so is over.
    pub down: u32,
}

impl Of {
    /// All of them.
    pub const fn total(&self) -> u32 {
        self.pending() + self.passed()
    }

    /// On their way to be healthy.
    pub const fn pending(&self) -> u32 {
        self.rebuilding + self.unready()
    }

    /// Of them, those that exist.
    pub const fn unready(&self) -> u32 {
        self.creating + self.verifying + self.settling
    }

    /// Healthy, or no longer waited for.
    pub const fn passed(&self) -> u32 {
        self.up + self.down
    }
}

/// Machines of the model that is rolled out, and the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// Of another model.
    pub old: Of,
    /// Of the target.
    pub new: Of,
}

impl Tally {
    /// Machines of the group: what a ceiling bounds.
    pub const fn counted(&self) -> u32 {
        self.old.total() + self.new.total()
    }

    /// Machines that are not up.
    pub const fn unhealthy(&self) -> u32 {
        self.counted() - self.old.up - self.new.up
    }
}

/// Which machines go, those of one kind by zone or age as the platform has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// Old ones that are on their way to be healthy.
    OldUnready,
    /// Old ones that are up, or were.
    OldPassed,
    /// Old ones in their order, whatever they do.
    OldInOrder,
    /// Old ones, those that are not up first.
    OldUnhealthyFirst,
    /// New ones that are on their way, the youngest first.
    NewUnready,
    /// New ones that are up, or were, the youngest first.
    NewPassed,
    /// New ones that are not healthy and no longer waited for.
    NewFailed,
}

/// Of which model machines are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// The one that is rolled out.
    Target,
    /// The one before.
    Former,
}

/// Why machines come or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Fewer than the size.
    Missing {
        /// The size.
        size: u32,
        /// Machines before.
        counted: u32,
    },
    /// There is room above the size.
    Surge {
        /// Machines before.
        counted: u32,
        /// Most at once.
        ceiling: u32,
    },
    /// Old ones that are not available: their going costs nothing.
    Unavailable {
        /// Available ones of both models.
        available: u32,
        /// Least available ones.
        floor: u32,
    },
    /// More are available than have to be.
    Spare {
        /// Available ones of both models, before.
        available: u32,
        /// Least available ones.
        floor: u32,
    },
    /// More than the size.
    Surplus {
        /// The size.
        size: u32,
        /// Machines before.
        counted: u32,
    },
    /// A batch of the upgrade.
    Batch {
        /// Which of the upgrade, from 1.
        number: u32,
        /// Most machines a batch.
        most: u32,
        /// Machines of the set.
        total: u32,
    },
    /// The batch that was created first is healthy.
    Replaced {
        /// Which batch, from 1.
        number: u32,
    },
    /// The upgrade stopped: machines that failed go back to the former model.
    Breach,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Create machines.
    Create {
        /// So many.
        n: u32,
        /// Of which model.
        model: Model,
        /// Why.
        why: Why,
    },
    /// Delete machines.
    Delete {
        /// So many.
        n: u32,
        /// Which.
        pick: Pick,
        /// Why.
        why: Why,
    },
    /// Take machines down and bring them up again in the same place.
    Rebuild {
        /// So many.
        n: u32,
        /// Which.
        pick: Pick,
        /// Of which model they come up.
        model: Model,
        /// Why.
        why: Why,
    },
    /// A batch is over, and the next one waits until then.
    EndBatch {
        /// The end of the pause; now for none.
        until: SimTime,
    },
    /// The rolling upgrade has another status.
    Enter {
        /// Which.
        status: vmss::Status,
        /// Why it stopped.
        because: Option<vmss::Breach>,
    },
}

/// What keeps a group from getting on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocked {
    /// The quota leaves no room for more machines.
    Quota,
    /// Creations fail.
    Creation,
    /// Too few are available for one to go, and none is on its way.
    Floor,
    /// The update needs more than it may do.
    NotAllowed,
}

/// Why nothing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// The group is as it is wanted.
    Stable {
        /// Its size.
        size: u32,
        /// Machines of the target.
        new: u32,
    },
    /// Machines are on their way to be healthy.
    Waiting {
        /// Being created, or started again.
        creating: u32,
        /// Running, and not healthy so far.
        verifying: u32,
        /// Healthy, in a wait that begins there.
        settling: u32,
        /// Available ones.
        available: u32,
        /// Least available ones.
        floor: u32,
    },
    /// Old machines stay until something else replaces them.
    Opportunistic {
        /// So many.
        old: u32,
    },
    /// Something keeps it from getting on.
    Blocked {
        /// What.
        by: Blocked,
        /// The next attempt; NEVER for none.
        until: SimTime,
    },
    /// The pause between two batches.
    Pause {
        /// Its end.
        until: SimTime,
    },
    /// Old machines stay: the upgrade is over and did not reach them.
    Over {
        /// So many.
        old: u32,
        /// How it ended; absent before the first one.
        status: Option<vmss::Status>,
    },
}

/// One look.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// What is to be done, in order.
    pub actions: Vec<Action>,
    /// Why nothing is.
    pub hold: Option<Hold>,
    /// Look again then at the latest; NEVER when only a change can change anything.
    pub look_at: SimTime,
}

impl Plan {
    /// One thing to do.
    pub fn act(action: Action) -> Plan {
        Plan { actions: alloc::vec![action], hold: None, look_at: SimTime::NEVER }
    }

    /// Nothing, for this reason and until this moment at the latest.
    pub fn wait(hold: Hold, look_at: SimTime) -> Plan {
        Plan { actions: Vec::new(), hold: Some(hold), look_at }
    }
}

/// The next attempt after so many creations in a row that failed: 10 s, doubling to 300 s [reading: the documents
/// are silent].
///
/// Example: 1: 10 s; 3: 40 s; 6 and more: 300 s.
pub fn retry_ms(failures: u32) -> u64 {
    let doubled = 10_000_u64 << failures.saturating_sub(1).min(5);
    doubled.min(300_000)
}

/// What people do to a group, beside what every platform knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupAct {
    /// Google Cloud: `rolling-action stop-proactive-update`.
    StopProactive,
    /// Azure: cancel the rolling upgrade.
    Cancel,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_come_less_often() {
        for (failures, seconds) in [(1, 10), (2, 20), (3, 40), (5, 160), (6, 300), (40, 300)] {
            assert_eq!(retry_ms(failures), seconds * 1000, "{failures}");
        }
    }

    #[test]
    fn sides_add_up() {
        let of = Of { rebuilding: 1, creating: 2, verifying: 3, settling: 4, up: 5, down: 6 };
        assert_eq!((of.pending(), of.unready(), of.passed(), of.total()), (10, 9, 11, 21));
        let tally = Tally { old: of, new: of };
        assert_eq!((tally.counted(), tally.unhealthy()), (42, 32));
    }
}

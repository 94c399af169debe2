//! What the controller sees, and what it answers with.

use alloc::vec::Vec;

use super::rules_shift::Back;
use crate::capacity::NoInstance;
use crate::mechanism::instance::{CLASSES, Class};
use crate::mechanism::placement::Shortage;
use crate::settings::RolloutState;
use crate::sim::service_deployment::{FailedBy, Stage};
use crate::time::SimTime;
use crate::trace::{DeploymentId, Reason, Rule, StopCause};

/// A deployment as the controller sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Which.
    pub id: DeploymentId,
    /// Its revision number.
    pub revision: u32,
    /// Where its rollout stands.
    pub state: RolloutState,
    /// Active tasks by class.
    pub active: [u32; CLASSES],
    /// Of these, tasks under scale-in protection.
    pub kept: [u32; CLASSES],
    /// A person stopped it: it launches nothing.
    pub halted: bool,
    /// Its tasks are left alone for good.
    pub abandoned: bool,
    /// Tasks on their way out.
    pub leaving: u32,
    /// Of these, tasks that stop to make room for their own replacement.
    pub healing: u32,
    /// Tasks lost (exit, failed start, health stop) or owed (scale-out), not yet made good.
    pub lost: u32,
    /// No launch before this moment.
    pub throttled_until: SimTime,
    /// Launch batches that failed in a row.
    pub failed_batches: u32,
    /// Healthy tasks on instances that are being drained: they serve until they are replaced.
    pub displaced: u32,
}

impl Group {
    /// Active tasks of a class.
    pub const fn n(&self, class: Class) -> u32 {
        self.active[class as usize]
    }
    /// Tasks of a class that scale-in and deployments may stop.
    pub const fn free(&self, class: Class) -> u32 {
        self.active[class as usize].saturating_sub(self.kept[class as usize])
    }
    /// Tasks under scale-in protection.
    pub fn protected(&self) -> u32 {
        self.kept.iter().sum()
    }
    /// It is FAILED or was stopped: it launches nothing.
    pub fn launches_none(&self) -> bool {
        self.halted || self.state == RolloutState::Failed
    }
    /// Tasks with `desiredStatus` RUNNING.
    pub fn all(&self) -> u32 {
        self.active.iter().sum()
    }
    /// Not healthy yet.
    pub const fn fresh(&self) -> u32 {
        self.n(Class::Fresh) + self.n(Class::FreshReplacing)
    }
    /// Unhealthy tasks whose replacement is alive: they do not count against the wanted number.
    pub const fn replacing(&self) -> u32 {
        self.n(Class::Covered) + self.n(Class::Relieved) + self.n(Class::Outdone)
    }
    /// How many more tasks a revision may have while traffic is shifted: as many as are wanted beside those
    /// that others take over from, which are the unhealthy ones and those that have to leave their instance.
    ///
    /// 4 wanted, 4 there, one of them on an instance that is drained: 1 more.
    pub fn room_in_set(&self, desired: u32) -> u32 {
        let unhealthy = self.n(Class::NeverHealthy) + self.n(Class::Unhealthy) + self.replacing();
        desired.saturating_add(unhealthy + self.displaced).saturating_sub(self.all())
    }
    /// Tasks that serve or will serve, those that have to leave their instance left out.
    pub const fn useful(&self) -> u32 {
        self.fresh() + self.n(Class::Healthy).saturating_sub(self.displaced)
    }
}

/// What the controller can see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// Now.
    pub now: SimTime,
    /// Latest desired count.
    pub desired: u32,
    /// Fewest healthy.
    pub floor: u32,
    /// Most at once.
    pub ceiling: u32,
    /// Tasks that count against the ceiling.
    pub total: u32,
    /// Tasks not yet STOPPED.
    pub physical: u32,
    /// Places there are; `u32::MAX` for no limit.
    pub places: u32,
    /// What there is to know about room besides.
    pub room: Room,
    /// Launches the quota allows now.
    pub quota: u32,
    /// When it allows the next one.
    pub quota_next: SimTime,
    /// Deployments that have not gone, oldest first; the last one is the target.
    pub groups: Vec<Group>,
    /// What the rollout of the target waits for besides tasks.
    pub rollout: Rollout,
    /// Where a deployment that shifts traffic stands; absent for a rolling update, and once it is over.
    pub shift: Option<ShiftView>,
}

/// A deployment that shifts traffic, as the controller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShiftView {
    /// It goes on; false once it has failed and nothing is rolled back.
    pub live: bool,
    /// Its stage.
    pub stage: Stage,
    /// It is a rollback.
    pub back: Option<Back>,
    /// The other deployment that keeps its tasks: the old one, or in a rollback the one given up.
    pub other: Option<DeploymentId>,
    /// Weight of the new revision, in thousandths.
    pub green: u16,
    /// Shifts of the production traffic that are done.
    pub shifts_done: u32,
    /// Shifts in all.
    pub shifts: u32,
    /// The stage's own wait ends then; ZERO for none.
    pub wait_until: SimTime,
    /// A part of it, at the beginning, is the time that the shift takes.
    pub takes_until: SimTime,
    /// The stage is at its limit then.
    pub limit_at: SimTime,
    /// The hooks of the stage.
    pub hooks: HooksNow,
}

/// The hooks of the present stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct HooksNow {
    /// When something becomes of one of them by itself.
    pub due: Option<SimTime>,
    /// The first one that has not ended: its id, PAUSE or not, its time-out.
    pub waiting: Option<(u32, bool, SimTime)>,
    /// The first one that asks for a rollback: its id, PAUSE or not, timed out or not.
    pub asks_back: Option<(u32, bool, bool)>,
}

/// Room beyond a number of places. The default is room that nothing is known about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Room {
    /// Instances, or Fargate: the places are no number that somebody wrote down.
    pub real: bool,
    /// Fargate has none to give until then.
    pub outage: Option<SimTime>,
    /// Why no instance takes one more task, when none does.
    pub shortage: Option<Shortage>,
    /// Tasks that wait in PROVISIONING for an instance.
    pub waiting: u32,
    /// Instances on their way.
    pub coming: u32,
    /// The next one registers then.
    pub next: SimTime,
    /// Why none is on its way for the tasks that wait.
    pub none: Option<NoInstance>,
    /// Tasks beyond the desired count that a rebalancing between zones lets be.
    pub extra: u32,
    /// From which zone to which one task should move.
    pub uneven: Option<(u8, u8)>,
}

/// Failure detection and success criteria of the target's rollout. The default is a rollout that
/// nothing watches and that succeeds the ordinary way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rollout {
    /// When an alarm that fired fails it.
    pub alarm_due: Option<SimTime>,
    /// Attempts to resolve the image digests that failed, and when the next one comes; absent when
    /// there is nothing to resolve.
    pub digests: Option<(u32, SimTime)>,
    /// A launch that finds no place counts as a failure, from this moment on.
    pub placement_counts: Option<SimTime>,
    /// Early success: healthy target tasks that are needed.
    pub gate: Option<u32>,
    /// Early success waits for the source tasks.
    pub blocking: bool,
    /// The gate has been met.
    pub gate_met: bool,
    /// Alarms are watched: there is a bake time.
    pub bakes: bool,
    /// End of the bake time once it has begun.
    pub bake_until: Option<SimTime>,
    /// DEFERRED clean-up ends then.
    pub cleanup_until: Option<SimTime>,
}

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Start tasks.
    Start {
        /// Of this deployment.
        of: DeploymentId,
        /// So many.
        count: u32,
        /// Of these, so many make good a lost task.
        replacements: u32,
        /// Each one takes over from an unhealthy task of its group.
        over: bool,
    },
    /// Stop tasks of a class, by zone balance, then the oldest.
    Stop {
        /// Of this deployment.
        of: DeploymentId,
        /// Of this class.
        class: Class,
        /// So many.
        count: u32,
        /// Why.
        cause: StopCause,
        /// They stop to make room for their replacement.
        healing: bool,
    },
    /// Start one task more in the emptiest zone.
    Rebalance {
        /// Of this deployment.
        of: DeploymentId,
    },
    /// Forget lost tasks that nobody needs.
    Forgive {
        /// Of this deployment.
        of: DeploymentId,
    },
    /// The target is COMPLETED.
    Complete,
    /// An alarm fails the target.
    AlarmFails,
    /// An attempt to resolve the image digests fails.
    DigestAttempt,
    /// A launch attempt of the target finds no place.
    NoPlace,
    /// The gate of the early success is met; a bake time begins when alarms are watched.
    GateMet {
        /// Healthy target tasks.
        healthy: u32,
        /// So many were needed.
        gate: u32,
    },
    /// The bake time begins.
    BakeBegins,
    /// DEFERRED clean-up is given up.
    GiveUpCleanup {
        /// Source tasks that stay.
        left: u32,
    },
    /// Hooks of the stage are due.
    HookTurn,
    /// The stage ends and this one begins.
    Enter(Stage),
    /// A hook asks for a rollback, or the stage is at its limit.
    ShiftFails {
        /// Which of the two.
        by: FailedBy,
        /// The same with the numbers.
        reason: Reason,
    },
}

/// What one evaluation decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// Decisions with their actions, in order; an action that needs no explanation has none.
    pub actions: Vec<(Action, Option<(Rule, Reason)>)>,
    /// Why nothing is done; set when there are no actions.
    pub hold: Option<Reason>,
    /// Look again at this moment at the latest.
    pub look_at: Option<SimTime>,
}

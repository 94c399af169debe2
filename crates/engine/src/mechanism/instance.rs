//! One task: where it stands in its life, and what wakes it next.

use crate::frame::TaskState;
use crate::mechanism::lot::Lot;
use crate::mechanism::probe::Answers;
use crate::queue::EventClass;
use crate::settings::TaskName;
use crate::time::SimTime;
use crate::trace::{DeploymentId, InstanceId, StopReason, TaskRef};

/// No slot.
pub const NO_SLOT: u32 = u32::MAX;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// PROVISIONING
    Provisioning,
    /// ACTIVATING
    Activating,
    /// RUNNING
    Running,
    /// DEACTIVATING
    Draining,
    /// STOPPING
    Stopping,
    /// STOPPED
    Stopped(StopReason),
}

/// What the checks of a RUNNING task say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Health {
    /// Not healthy yet, and nobody calls it unhealthy.
    Unready,
    /// Counts for the floor.
    Healthy,
    /// A check fails outside the grace period.
    Unhealthy,
}

/// How the controller counts an active task. The order is of no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// Not healthy yet, replaces nobody.
    Fresh = 0,
    /// Not healthy yet, starts in place of an unhealthy task that still runs.
    FreshReplacing = 1,
    /// Healthy.
    Healthy = 2,
    /// Unhealthy and never was healthy.
    NeverHealthy = 3,
    /// Unhealthy after having been healthy, no replacement alive.
    Unhealthy = 4,
    /// Unhealthy, its replacement is alive and not healthy yet.
    Covered = 5,
    /// Unhealthy, its replacement is healthy.
    Relieved = 6,
    /// Unhealthy, its replacement is alive and fails its checks as well, inside its grace period.
    Outdone = 7,
}

/// Number of classes.
pub const CLASSES: usize = 8;

/// What a task is woken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wake {
    /// The phase ends.
    Phase,
    /// An essential container exits, or the start fails.
    Exit,
    /// A check changes its verdict.
    Probe,
    /// A wait without probes is over: the 40 seconds, or the shortcut `healthy_after`.
    Ready,
    /// The grace period is over.
    Grace,
    /// Its scale-in protection is over.
    Protection,
}

impl Wake {
    /// Its class in the order of one instant.
    pub const fn class(self) -> EventClass {
        match self {
            Wake::Phase | Wake::Exit => EventClass::State,
            Wake::Probe => EventClass::Probe,
            Wake::Ready | Wake::Grace | Wake::Protection => EventClass::Timer,
        }
    }
}

/// A task of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Identity.
    pub id: InstanceId,
    /// Slot, kept for life.
    pub slot: u32,
    /// `8·3`
    pub name: TaskName,
    /// Its deployment.
    pub deployment: DeploymentId,
    /// Lane of colour.
    pub lane: u8,
    /// Zone index.
    pub zone: u8,
    /// What becomes of it, settled at its start: zone and chance are resolved.
    pub lot: Lot,
    /// Where it stands.
    pub phase: Phase,
    /// Since when.
    pub since: SimTime,
    /// When the phase ends by itself; NEVER for RUNNING.
    pub phase_ends: SimTime,
    /// When a container exits or the start fails; NEVER when it does not.
    pub exit_at: SimTime,
    /// When a wait without probes ends; NEVER when there is none.
    pub ready_at: SimTime,
    /// End of the grace period once RUNNING.
    pub grace_ends: SimTime,
    /// An unhealthy result waits for the end of the grace period.
    pub grace_hides: bool,
    /// When it was created.
    pub created: SimTime,
    /// When it reached RUNNING.
    pub running_at: SimTime,
    /// When its application answers, whatever its fate.
    pub start_up_ends: SimTime,
    /// How it answers checks.
    pub answers: Answers,
    /// What its checks say together.
    pub health: Health,
    /// It has been healthy.
    pub ever_healthy: bool,
    /// How the controller counts it; `None` once its stop is decided.
    pub class: Option<Class>,
    /// Slot of the unhealthy task it replaces, or [`NO_SLOT`].
    pub replaces: u32,
    /// Slot of the task that replaces it, or [`NO_SLOT`].
    pub replaced_by: u32,
    /// Launch batch it came with.
    pub batch: u32,
    /// Place in the order of reaching RUNNING.
    pub running_order: u64,
    /// The pool with this limit decides whether it passes; 0 for none.
    pub pool: u32,
    /// Stops so that the ceiling has room for its replacement.
    pub healing: bool,
    /// SIGKILL at the end of STOPPING.
    pub killed: bool,
    /// End of its scale-in protection; ZERO without any, NEVER when it is renewed for ever.
    pub protected_until: SimTime,
    /// What ends it, once that is known.
    pub stop_reason: StopReason,
    /// Stamp of its valid event in the queue.
    pub stamp: u32,
    /// What that event is for.
    pub wake: Wake,
    /// When that event comes; NEVER for none.
    pub wake_at: SimTime,
}

impl Instance {
    /// For records.
    pub const fn task(&self) -> TaskRef {
        TaskRef { id: self.id, slot: self.slot, name: self.name }
    }

    /// True until its containers are gone.
    pub const fn exists(&self) -> bool {
        !matches!(self.phase, Phase::Stopped(_))
    }

    /// True when its loss is one to make good: a task that only stands in for another one, or that
    /// another one stands in for, leaves no gap.
    pub const fn leaves_gap(&self) -> bool {
        !matches!(self.class, Some(Class::FreshReplacing | Class::Relieved | Class::Covered | Class::Outdone))
    }

    /// State in the vocabulary of the stage.
    pub const fn state(&self) -> TaskState {
        match self.phase {
            Phase::Provisioning => TaskState::Waiting,
            Phase::Activating => TaskState::Starting,
            Phase::Running => match self.health {
                Health::Unready => TaskState::Checking,
                Health::Healthy => TaskState::Healthy,
                Health::Unhealthy => TaskState::Unhealthy,
            },
            Phase::Draining => TaskState::Draining,
            Phase::Stopping => TaskState::Stopping,
            Phase::Stopped(reason) => reason.state(),
        }
    }

    /// The earliest thing that wakes it, given the earliest change of its checks.
    pub fn next_wake(&self, probe_at: SimTime) -> (SimTime, Wake) {
        let mut next = (self.phase_ends, Wake::Phase);
        let mut consider = |at: SimTime, wake: Wake| {
            if (at, wake.class()) < (next.0, next.1.class()) {
                next = (at, wake);
            }
        };
        consider(self.exit_at, Wake::Exit);
        if self.phase == Phase::Running {
            consider(probe_at, Wake::Probe);
            consider(self.ready_at, Wake::Ready);
            if self.grace_hides {
                consider(self.grace_ends, Wake::Grace);
            }
        }
        if self.is_protected() {
            consider(self.protected_until, Wake::Protection);
        }
        next
    }

    /// Scale-in and deployments leave it alone.
    pub fn is_protected(&self) -> bool {
        self.protected_until != SimTime::ZERO
    }

    /// The class the controller counts it in while it is active; `replacement` is the task that replaces it.
    pub fn classify(&self, replacement: Option<&Instance>, one_by_one: bool) -> Class {
        match self.health {
            _ if self.phase != Phase::Running => self.fresh(),
            Health::Unready => self.fresh(),
            Health::Healthy => Class::Healthy,
            Health::Unhealthy if !self.ever_healthy && !one_by_one => Class::NeverHealthy,
            Health::Unhealthy => match replacement {
                None => Class::Unhealthy,
                Some(other) if other.health == Health::Healthy => Class::Relieved,
                Some(other) if other.grace_hides => Class::Outdone,
                Some(_) => Class::Covered,
            },
        }
    }

    const fn fresh(&self) -> Class {
        if self.replaces == NO_SLOT { Class::Fresh } else { Class::FreshReplacing }
    }
}

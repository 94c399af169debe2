//! A virtual machine of a group: plain data, so that states with thousands of them are copied as one piece of memory.

use crate::frame::TaskState;
use crate::mechanism::lot::Lot;
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::queue::EventClass;
use crate::settings::TaskName;
use crate::time::SimTime;
use crate::trace::{InstanceId, StopReason, TaskRef};

/// Where a machine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// It is being created.
    Requested,
    /// It boots.
    Booting,
    /// It runs.
    Running,
    /// It leaves its load balancer.
    Draining,
    /// It shuts down.
    ShuttingDown,
    /// It does not exist any more.
    Gone(StopReason),
}

/// What a machine is woken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wake {
    /// The stage ends.
    Stage,
    /// It crashes.
    Exit,
    /// The health check changes its verdict.
    Probe,
    /// A check that fails may have it repaired from then on.
    Repair,
    /// The wait that begins with its health ends.
    Settled,
    /// Nobody waits any longer for it to become healthy.
    GivenUp,
}

impl Wake {
    /// Its class in the order of one instant.
    pub const fn class(self) -> EventClass {
        match self {
            Wake::Stage | Wake::Exit => EventClass::State,
            Wake::Probe => EventClass::Probe,
            Wake::Repair | Wake::Settled | Wake::GivenUp => EventClass::Timer,
        }
    }
}

/// What a machine does, as an update looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// On its way down, to come up again in the same place.
    Rebuilding = 0,
    /// Being created, or booting.
    Creating = 1,
    /// Running, never healthy so far.
    Verifying = 2,
    /// Healthy, in a wait that begins there.
    Settling = 3,
    /// Healthy.
    Up = 4,
    /// Running and not healthy: it was once, or nobody waits for it any longer.
    Down = 5,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 6] =
        [Class::Rebuilding, Class::Creating, Class::Verifying, Class::Settling, Class::Up, Class::Down];
}

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// Identity: another one after a rebuild.
    pub id: InstanceId,
    /// Slot, kept over rebuilds: its place, and what a name or a disk belongs to.
    pub slot: u32,
    /// `2·3`: the third machine of model 2.
    pub name: TaskName,
    /// Index of its model among the revisions.
    pub version: u16,
    /// Lane of colour.
    pub lane: u8,
    /// Zone index.
    pub zone: u8,
    /// It is of the model that is rolled out.
    pub target: bool,
    /// It comes up again in the same place, of this model; absent: it goes for good.
    pub again: Option<u32>,
    /// What becomes of it.
    pub lot: Lot,
    /// Where it stands.
    pub stage: Stage,
    /// Its state as the stage shows it, kept beside the counts.
    pub shown: TaskState,
    /// Since when.
    pub since: SimTime,
    /// When the stage ends by itself; NEVER when it does not.
    pub stage_ends: SimTime,
    /// When it crashes; NEVER when it does not.
    pub exit_at: SimTime,
    /// A failing check has it repaired from then on; NEVER where nobody repairs.
    pub repair_from: SimTime,
    /// Nobody waits for its health after that; NEVER where patience has no end.
    pub give_up_at: SimTime,
    /// The wait after its health ends then.
    pub settled_at: SimTime,
    /// It was healthy once.
    pub passed: bool,
    /// The wait is over: it counts as available.
    pub settled: bool,
    /// Nobody waits for it any longer.
    pub given_up: bool,
    /// It passes now.
    pub healthy: bool,
    /// How what runs on it answers.
    pub answers: Answers,
    /// The health check.
    pub probe: Probe,
    /// What ends it, once that is decided.
    pub stop_reason: StopReason,
    /// Stamp of its valid event in the queue.
    pub stamp: u32,
    /// What that event is for.
    pub wake: Wake,
    /// When that event comes; NEVER for none.
    pub wake_at: SimTime,
}

impl Machine {
    /// For records.
    pub const fn task(&self) -> TaskRef {
        TaskRef { id: self.id, slot: self.slot, name: self.name }
    }

    /// It is not on its way out.
    pub const fn stays(&self) -> bool {
        !matches!(self.stage, Stage::Draining | Stage::ShuttingDown | Stage::Gone(_))
    }

    /// True until it is gone.
    pub const fn exists(&self) -> bool {
        !matches!(self.stage, Stage::Gone(_))
    }

    /// What an update sees of it; absent once it is on its way out for good.
    pub const fn class(&self) -> Option<Class> {
        Some(match self.stage {
            Stage::Gone(_) => return None,
            Stage::Draining | Stage::ShuttingDown if self.again.is_some() => Class::Rebuilding,
            Stage::Draining | Stage::ShuttingDown => return None,
            Stage::Requested | Stage::Booting => Class::Creating,
            Stage::Running if self.healthy && self.settled => Class::Up,
            Stage::Running if self.settled || self.given_up => Class::Down,
            Stage::Running if self.healthy => Class::Settling,
            Stage::Running => Class::Verifying,
        })
    }

    /// State in the vocabulary of the stage.
    pub const fn state(&self) -> TaskState {
        match self.stage {
            Stage::Requested => TaskState::Waiting,
            Stage::Booting => TaskState::Starting,
            Stage::Running if self.healthy && self.settled => TaskState::Healthy,
            Stage::Running if self.given_up || matches!(self.probe.verdict, Verdict::Unhealthy) => TaskState::Unhealthy,
            Stage::Running => TaskState::Checking,
            Stage::Draining => TaskState::Draining,
            Stage::ShuttingDown => TaskState::Stopping,
            Stage::Gone(reason) => reason.state(),
        }
    }

    /// When something happens to it by itself, if anything does.
    pub fn next_moment(&self) -> Option<SimTime> {
        (self.wake_at != SimTime::NEVER).then_some(self.wake_at)
    }

    /// The earliest thing that wakes it.
    pub fn next_wake(&self, now: SimTime) -> (SimTime, Wake) {
        let mut next = (self.stage_ends, Wake::Stage);
        let mut consider = |at: SimTime, wake: Wake| {
            if (at, wake.class()) < (next.0, next.1.class()) {
                next = (at, wake);
            }
        };
        consider(self.exit_at, Wake::Exit);
        if self.stage == Stage::Running {
            consider(self.probe.change_at, Wake::Probe);
            match self.healthy {
                true if !self.settled => consider(self.settled_at.max(now), Wake::Settled),
                true => {}
                false => {
                    if self.probe.verdict == Verdict::Unhealthy && self.repair_from > now {
                        consider(self.repair_from, Wake::Repair);
                    }
                    if !self.passed && !self.given_up {
                        consider(self.give_up_at.max(now), Wake::GivenUp);
                    }
                }
            }
        }
        next
    }
}

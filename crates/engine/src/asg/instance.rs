//! An instance of the group: plain data, so that states with thousands of them are copied as one piece of memory.

use crate::frame::TaskState;
use crate::mechanism::lot::Lot;
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::queue::EventClass;
use crate::settings::TaskName;
use crate::time::SimTime;
use crate::trace::{InstanceId, StopReason, TaskRef};

/// Where an instance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// `Pending`: EC2 prepares it.
    Requested,
    /// `Pending`: it boots.
    Booting,
    /// `InService`
    InService,
    /// `Standby`
    Standby,
    /// `Terminating`: it leaves its target group.
    Deregistering,
    /// `Terminating`: it shuts down.
    ShuttingDown,
    /// It does not exist any more.
    Gone(StopReason),
}

/// What an instance is woken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wake {
    /// The stage ends.
    Stage,
    /// EC2 finds it impaired or stopped.
    Exit,
    /// The load balancer's check changes its verdict.
    Probe,
    /// Without such a check: it turns unhealthy by itself.
    ByItself,
    /// The grace period ends while a check fails.
    Grace,
    /// Its warm-up ends.
    Warm,
}

impl Wake {
    /// Its class in the order of one instant.
    pub const fn class(self) -> EventClass {
        match self {
            Wake::Stage | Wake::Exit => EventClass::State,
            Wake::Probe => EventClass::Probe,
            Wake::ByItself | Wake::Grace | Wake::Warm => EventClass::Timer,
        }
    }
}

/// What the refresh has to do with an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// To be replaced, not ready.
    StaleUnready = 0,
    /// To be replaced, ready.
    StaleReady = 1,
    /// To be replaced once its protection ends.
    Kept = 2,
    /// Protected and therefore left alone.
    Ignored = 3,
    /// Not stale, not healthy yet.
    Booting = 4,
    /// Not stale, healthy, inside the warm-up.
    Warming = 5,
    /// Not stale, ready.
    Ready = 6,
    /// Not stale, ready, protected from scale-in.
    Shielded = 7,
    /// In standby, to be replaced.
    StandbyStale = 8,
    /// In standby.
    Standby = 9,
}

/// Number of classes.
pub const CLASSES: usize = 10;

/// An instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Identity.
    pub id: InstanceId,
    /// Slot, kept for life.
    pub slot: u32,
    /// `2·3`: the third instance of launch template version 2.
    pub name: TaskName,
    /// Index of its version among the revisions.
    pub version: u16,
    /// Lane of colour.
    pub lane: u8,
    /// Zone index.
    pub zone: u8,
    /// The refresh that launched it, from 1; 0 for none.
    pub made_by: u16,
    /// A refresh has to replace it.
    pub stale: bool,
    /// Protected from scale-in.
    pub protected: bool,
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
    /// When EC2 finds it impaired; NEVER when it does not.
    pub exit_at: SimTime,
    /// When it came into service; NEVER before.
    pub in_service_at: SimTime,
    /// A failing check replaces it from then on.
    pub grace_until: SimTime,
    /// Its warm-up ends then.
    pub warm_at: SimTime,
    /// Every check that counts agrees.
    pub healthy: bool,
    /// Healthy, and warm.
    pub ready: bool,
    /// How what runs on it answers.
    pub answers: Answers,
    /// The load balancer's check.
    pub probe: Probe,
    /// What ends it, once its termination is decided.
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

    /// It is not on its way out: it counts, unless it is in standby.
    pub const fn stays(&self) -> bool {
        !matches!(self.stage, Stage::Deregistering | Stage::ShuttingDown | Stage::Gone(_))
    }

    /// True until it is gone.
    pub const fn exists(&self) -> bool {
        !matches!(self.stage, Stage::Gone(_))
    }

    /// State in the vocabulary of the stage.
    pub const fn state(&self) -> TaskState {
        match self.stage {
            Stage::Requested => TaskState::Waiting,
            Stage::Booting => TaskState::Starting,
            Stage::InService if self.ready => TaskState::Healthy,
            Stage::InService if matches!(self.probe.verdict, Verdict::Unhealthy) && !self.healthy => {
                TaskState::Unhealthy
            }
            Stage::InService | Stage::Standby => TaskState::Checking,
            Stage::Deregistering => TaskState::Draining,
            Stage::ShuttingDown => TaskState::Stopping,
            Stage::Gone(reason) => reason.state(),
        }
    }

    /// When something happens to it by itself, if anything does.
    pub fn next_moment(&self) -> Option<SimTime> {
        (self.wake_at != SimTime::NEVER).then_some(self.wake_at)
    }

    /// The earliest thing that wakes it. `by_itself` is when it turns unhealthy without a load balancer's check.
    pub fn next_wake(&self, by_itself: SimTime, now: SimTime) -> (SimTime, Wake) {
        let mut next = (self.stage_ends, Wake::Stage);
        let mut consider = |at: SimTime, wake: Wake| {
            if (at, wake.class()) < (next.0, next.1.class()) {
                next = (at, wake);
            }
        };
        consider(self.exit_at, Wake::Exit);
        if self.stage == Stage::InService {
            consider(self.probe.change_at, Wake::Probe);
            consider(by_itself, Wake::ByItself);
            if self.healthy && !self.ready {
                consider(self.warm_at.max(now), Wake::Warm);
            }
            if self.probe.verdict == Verdict::Unhealthy && self.grace_until > now {
                consider(self.grace_until, Wake::Grace);
            }
        }
        next
    }
}

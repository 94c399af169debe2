//! A Pod: plain data, so that states with thousands of them are copied as one piece of memory.

use crate::frame::TaskState;
use crate::mechanism::lot::Lot;
use crate::mechanism::probe::{Answers, Probe, ProbeSpec, Verdict};
use crate::platform::kubernetes::rules_pod::{RankedPod, deletion_rank};
use crate::platform::kubernetes::{ProbeParams, SetId};
use crate::queue::EventClass;
use crate::settings::TaskName;
use crate::time::SimTime;
use crate::trace::{InstanceId, StopReason, TaskRef};

/// Where a Pod stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Pending: no node has room for it.
    Unassigned,
    /// Pending: it has a node; network and volumes are being set up.
    Scheduled,
    /// `ContainerCreating`: the image is being pulled.
    Creating,
    /// `ImagePullBackOff`
    PullBackOff,
    /// The container runs.
    Running,
    /// `CrashLoopBackOff`: the container waits for its next start.
    BackOff,
    /// Terminating: the `preStop` hook runs.
    Hook,
    /// Terminating: the process was told to stop.
    Stopping,
    /// It does not exist any more.
    Gone(StopReason),
}

/// What a Pod is woken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodWake {
    /// The stage ends.
    Stage,
    /// The container exits.
    Exit,
    /// A probe changes its verdict: 0 startup, 1 readiness, 2 liveness.
    Probe(u8),
    /// Without probes: it turns ready or unready by itself.
    Ready,
    /// It has been ready for `minReadySeconds`.
    Available,
}

impl PodWake {
    /// Its class in the order of one instant.
    pub const fn class(self) -> EventClass {
        match self {
            PodWake::Stage | PodWake::Exit => EventClass::State,
            PodWake::Probe(_) => EventClass::Probe,
            PodWake::Ready | PodWake::Available => EventClass::Timer,
        }
    }
}

/// A Pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pod {
    /// Identity.
    pub id: InstanceId,
    /// Slot, kept for life.
    pub slot: u32,
    /// `2·3`: the third Pod of template 2.
    pub name: TaskName,
    /// Its ReplicaSet.
    pub set: SetId,
    /// Lane of colour.
    pub lane: u8,
    /// Zone index.
    pub zone: u8,
    /// What becomes of its container, settled at each start of it.
    pub lot: Lot,
    /// Where it stands.
    pub stage: Stage,
    /// Its state as the stage shows it, kept beside the counts.
    pub shown: TaskState,
    /// Since when.
    pub since: SimTime,
    /// When the stage ends by itself; NEVER when it does not.
    pub stage_ends: SimTime,
    /// When the container exits; NEVER when it does not.
    pub exit_at: SimTime,
    /// When it was created.
    pub created: SimTime,
    /// When it got its node; NEVER while it has none.
    pub assigned_at: SimTime,
    /// When its container started last; NEVER before the first start.
    pub running_at: SimTime,
    /// `restartCount`
    pub restarts: u32,
    /// Exits in a row, for the back-off.
    pub exits: u32,
    /// When its image could not be pulled for the first time; NEVER when it could.
    pub pull_failed_at: SimTime,
    /// The startup probe has passed, or there is none.
    pub started_up: bool,
    /// A probe gave up and the container is being killed.
    pub killing: bool,
    /// How the process answers.
    pub answers: Answers,
    /// How it answers its readiness probe.
    pub ready_answers: Answers,
    /// Startup, readiness and liveness probe.
    pub probes: [Probe; 3],
    /// Ready since then.
    pub ready_since: Option<SimTime>,
    /// It has been ready.
    pub ever_ready: bool,
    /// When it will have been ready for long enough; NEVER when it is not ready, or available already.
    pub available_at: SimTime,
    /// It is available.
    pub available: bool,
    /// SIGKILL comes at the end of the stage.
    pub killed: bool,
    /// What ends it, once its deletion is decided.
    pub stop_reason: StopReason,
    /// Stamp of its valid event in the queue.
    pub stamp: u32,
    /// What that event is for.
    pub wake: PodWake,
    /// When that event comes; NEVER for none.
    pub wake_at: SimTime,
}

impl Pod {
    /// For records.
    pub const fn task(&self) -> TaskRef {
        TaskRef { id: self.id, slot: self.slot, name: self.name }
    }

    /// It is not terminating: its ReplicaSet counts it.
    pub const fn counted(&self) -> bool {
        !matches!(self.stage, Stage::Hook | Stage::Stopping | Stage::Gone(_))
    }

    /// True until it is gone.
    pub const fn exists(&self) -> bool {
        !matches!(self.stage, Stage::Gone(_))
    }

    const fn never_passes(&self) -> bool {
        self.ready_answers.hangs || self.ready_answers.pass_from.ms() == SimTime::NEVER.ms()
    }

    /// State in the vocabulary of the stage.
    pub fn state(&self) -> TaskState {
        match self.stage {
            Stage::Unassigned | Stage::Scheduled => TaskState::Waiting,
            Stage::Creating => TaskState::Starting,
            Stage::PullBackOff | Stage::BackOff => TaskState::Unhealthy,
            Stage::Running if self.available => TaskState::Healthy,
            Stage::Running if self.ready_since.is_some() => TaskState::Checking,
            Stage::Running if self.ever_ready || self.killing => TaskState::Unhealthy,
            // One that is still starting fails its probes as well; what tells is a process that will never pass.
            Stage::Running if self.never_passes() && self.probes.iter().any(|p| p.verdict == Verdict::Unhealthy) => {
                TaskState::Unhealthy
            }
            Stage::Running => TaskState::Checking,
            Stage::Hook => TaskState::Draining,
            Stage::Stopping => TaskState::Stopping,
            Stage::Gone(reason) => reason.state(),
        }
    }

    /// When something happens to it by itself, if anything does.
    pub fn next_moment(&self) -> Option<SimTime> {
        (self.wake_at != SimTime::NEVER).then_some(self.wake_at)
    }

    /// Its place in the order in which its ReplicaSet deletes.
    pub fn rank(&self) -> (u8, u64, u32, u32) {
        deletion_rank(RankedPod {
            assigned: self.assigned_at != SimTime::NEVER,
            running: self.running_at != SimTime::NEVER,
            ready_since: self.ready_since.map(SimTime::ms),
            restarts: self.restarts,
            created: self.id.0,
        })
    }

    /// The earliest thing that wakes it. `by_itself` is when it turns ready or unready without probes.
    pub fn next_wake(&self, by_itself: SimTime) -> (SimTime, PodWake) {
        let mut next = (self.stage_ends, PodWake::Stage);
        let mut consider = |at: SimTime, wake: PodWake| {
            if (at, wake.class()) < (next.0, next.1.class()) {
                next = (at, wake);
            }
        };
        consider(self.exit_at, PodWake::Exit);
        if self.stage == Stage::Running {
            for (i, probe) in self.probes.iter().enumerate() {
                consider(probe.change_at, PodWake::Probe(i as u8));
            }
            consider(by_itself, PodWake::Ready);
            consider(self.available_at, PodWake::Available);
        }
        next
    }
}

/// Startup probe in [`Pod::probes`].
pub const STARTUP: usize = 0;
/// Readiness probe in [`Pod::probes`].
pub const READINESS: usize = 1;
/// Liveness probe in [`Pod::probes`].
pub const LIVENESS: usize = 2;

/// A probe of the kubelet in the numbers every check has: ticks run from the start of the worker, one pass
/// more or less than the thresholds changes nothing.
pub fn spec(probe: &ProbeParams) -> ProbeSpec {
    ProbeSpec {
        interval_ms: probe.period_ms.max(1),
        timeout_ms: probe.timeout_ms,
        from_end: false,
        passes_new: probe.success_threshold,
        passes_recover: probe.success_threshold,
        fails: probe.failure_threshold,
        lenient_ms: 0,
    }
}

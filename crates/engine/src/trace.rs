//! What happened, as data. Sentences are made elsewhere.

use alloc::vec::Vec;

use crate::asg;
use crate::frame::{Counts, TaskState};
use crate::guard::Violation;
use crate::kubernetes;
use crate::mechanism::traffic::Flow;
use crate::platform::ecs::rules_breaker::FailureKind;
use crate::platform::ecs::rules_hooks::HookStatus;
use crate::settings::{AlarmState, RolloutState, TaskName};
use crate::sim::Ending;
use crate::sim::service_deployment::{FailedBy, MonitorStatus, ProtectionEnd, ServiceStatus, Stage};
use crate::time::SimTime;
use crate::vm;

pub use crate::reason::{Decision, Reason, Rule};

/// Identity of a task for the whole run: the k-th task created, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

/// Identity of a deployment: the k-th of the run, from 0. A rollback reuses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeploymentId(pub u16);

/// Identity of a service deployment: the k-th of the run, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServiceId(pub u16);

/// A task in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskRef {
    /// Identity.
    pub id: InstanceId,
    /// The slot it keeps for life; slots are reused.
    pub slot: u32,
    /// `8·3`
    pub name: TaskName,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// When.
    pub at: SimTime,
    /// What.
    pub what: What,
}

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A task changed.
    Task {
        /// Which.
        task: TaskRef,
        /// How.
        change: TaskChange,
    },
    /// The controller decided something, also to do nothing.
    Decision(Decision),
    /// A deployment changed.
    Deployment {
        /// Which.
        id: DeploymentId,
        /// Its revision number.
        revision: u32,
        /// How.
        change: DeploymentChange,
    },
    /// Something the circuit breaker looked at, counted or not.
    Failure(Failure),
    /// A task became healthy and the breaker's count is 0 again.
    CountReset {
        /// Which task.
        task: TaskRef,
        /// Its deployment.
        deployment: DeploymentId,
        /// The count before, 1 and up.
        from: u32,
    },
    /// A service deployment changed.
    Service {
        /// Which.
        id: ServiceId,
        /// How.
        change: ServiceChange,
    },
    /// An alarm is in another state.
    Alarm {
        /// Index into [`crate::settings::Settings::alarms`].
        alarm: u32,
        /// Its state from now on.
        state: AlarmState,
    },
    /// The database schema is at another version.
    Schema {
        /// From now on.
        version: u32,
    },
    /// The k-th act of the run (document order, then those made by hand) was carried out.
    Act {
        /// Index into [`crate::Simulation::acts`].
        index: u32,
        /// False when its object was gone: nothing happened.
        effective: bool,
    },
    /// Something happened to an instance.
    Host {
        /// Its number, 1 and up.
        host: u32,
        /// What.
        change: HostChange,
    },
    /// The room for tasks changed.
    Places {
        /// Tasks that fit from now on.
        places: u32,
    },
    /// Requests come at another rate.
    Rate {
        /// Requests a second from now on.
        per_second: u32,
    },
    /// Target tracking changed the desired count.
    Scaled {
        /// Before.
        from: u32,
        /// From now on.
        to: u32,
    },
    /// Something happened to a Kubernetes Deployment.
    Kubernetes(kubernetes::Change),
    /// Something happened to an Auto Scaling group or its instance refresh.
    Asg(asg::Change),
    /// Something happened to a group of virtual machines.
    Vm(vm::Change),
    /// A guard of the model broke. The run is not to be trusted from here on.
    Guard(Violation),
    /// The run ended.
    Ended(Ending),
}

/// Changes in the life of a task, in the order they can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaskChange {
    /// It was there at time 0.
    Existing {
        /// Its deployment.
        deployment: DeploymentId,
        /// Zone index.
        zone: u8,
        /// What it does at time 0.
        state: TaskState,
    },
    /// PROVISIONING begins.
    Created {
        /// Its deployment.
        deployment: DeploymentId,
        /// Zone index.
        zone: u8,
        /// True when it makes good a task that was lost.
        replacement: bool,
    },
    /// It has its place on an instance.
    Placed {
        /// Number of the instance, 1 and up.
        host: u32,
        /// Zone index, that of the instance.
        zone: u8,
    },
    /// PENDING passed, ACTIVATING begins.
    Activating,
    /// RUNNING; registered in its target groups.
    Running,
    /// Every check agrees: it counts for the floor.
    Healthy,
    /// A check failed and the grace period does not hide it.
    Unhealthy(FailedCheck),
    /// A check failed inside the grace period: nothing happens.
    UnhealthyInGrace,
    /// It was unhealthy or healthy and is neither now: a check has no verdict.
    Rechecking,
    /// `desiredStatus` becomes STOPPED; it counts for nothing from here on.
    StopDecided(StopCause),
    /// Scale-in and deployments leave it alone from here on.
    Protected {
        /// Until then; absent: renewed for ever.
        until: Option<SimTime>,
    },
    /// Its protection ended.
    Unprotected,
    /// DEACTIVATING: targets drain.
    Draining,
    /// STOPPING: SIGTERM.
    Sigterm,
    /// SIGKILL, `stopTimeout` after SIGTERM.
    Sigkill,
    /// STOPPED.
    Stopped(StopCode),
}

/// Which check says that a task is unhealthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailedCheck {
    /// The check of its container. Also when a target group's fails with it: the container's is asked first.
    Container,
    /// The check of a target group.
    Target,
    /// What its platform looks at: the readiness of a Pod, the status of an instance.
    Platform,
}

/// Changes of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostChange {
    /// The capacity provider ordered it.
    Ordered {
        /// It registers then.
        arrives: SimTime,
    },
    /// It registered: ACTIVE.
    Arrived,
    /// It is DRAINING.
    Draining,
    /// Its Spot capacity is taken back: DRAINING, and gone two minutes later.
    SpotNotice,
    /// It is gone with everything on it.
    Gone,
}

/// Who wanted a task stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopCause {
    /// Its revision is being replaced.
    Replaced,
    /// A health check failed.
    Unhealthy,
    /// More tasks than wanted.
    Surplus,
    /// A person called StopTask.
    User,
    /// Its Spot capacity was taken back.
    Spot,
    /// Its instance is being drained.
    Draining,
    /// Its instance is gone.
    HostLost,
}

impl StopCause {
    /// The scheduler decided it, inside floor and ceiling; people and the world ask nobody.
    pub const fn by_scheduler(self) -> bool {
        !matches!(self, StopCause::User | StopCause::Spot | StopCause::HostLost)
    }
}

/// `stopCode`, the exact values of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopCode {
    /// `TaskFailedToStart`
    TaskFailedToStart,
    /// `EssentialContainerExited`
    EssentialContainerExited,
    /// `UserInitiated`
    UserInitiated,
    /// `ServiceSchedulerInitiated`
    ServiceSchedulerInitiated,
    /// `SpotInterruption`
    SpotInterruption,
    /// `InfrastructureHealth`: its instance was lost.
    InfrastructureHealth,
}

/// What ended a task: its `stopCode`, and of the scheduler's stops whether a failed check led to it.
/// The API gives both kinds one code; on the screen the one is a failure and the other is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// It never reached RUNNING.
    FailedToStart,
    /// An essential container exited.
    ContainerExited,
    /// A person stopped it.
    User,
    /// The scheduler stopped it: its revision is replaced, there are more tasks than wanted, or its
    /// instance is being drained.
    Scheduler,
    /// Its Spot capacity was taken back.
    Spot,
    /// Its instance was lost.
    HostLost,
    /// The scheduler stopped it because a health check failed.
    CheckFailed,
}

impl StopReason {
    /// Of a decision to stop.
    pub const fn of(cause: StopCause) -> StopReason {
        match cause {
            StopCause::Replaced | StopCause::Surplus | StopCause::Draining => StopReason::Scheduler,
            StopCause::Unhealthy => StopReason::CheckFailed,
            StopCause::User => StopReason::User,
            StopCause::Spot => StopReason::Spot,
            StopCause::HostLost => StopReason::HostLost,
        }
    }

    /// Of a task that is STOPPED with `code`, after a stop was decided for `cause`; absent when none
    /// was, or when it was lost before that came to its end.
    pub const fn told(code: StopCode, cause: Option<StopCause>) -> StopReason {
        match (code, cause) {
            (StopCode::TaskFailedToStart, _) => StopReason::FailedToStart,
            (StopCode::EssentialContainerExited, _) => StopReason::ContainerExited,
            (StopCode::UserInitiated, _) => StopReason::User,
            (StopCode::SpotInterruption, _) => StopReason::Spot,
            (StopCode::InfrastructureHealth, _) => StopReason::HostLost,
            (StopCode::ServiceSchedulerInitiated, Some(cause)) => StopReason::of(cause),
            (StopCode::ServiceSchedulerInitiated, None) => StopReason::Scheduler,
        }
    }

    /// `stopCode`
    pub const fn code(self) -> StopCode {
        match self {
            StopReason::FailedToStart => StopCode::TaskFailedToStart,
            StopReason::ContainerExited => StopCode::EssentialContainerExited,
            StopReason::User => StopCode::UserInitiated,
            StopReason::Scheduler | StopReason::CheckFailed => StopCode::ServiceSchedulerInitiated,
            StopReason::Spot => StopCode::SpotInterruption,
            StopReason::HostLost => StopCode::InfrastructureHealth,
        }
    }

    /// What the stage shows of the task afterwards. What people stop, and what is lost with its capacity,
    /// is no failure, as for the circuit breaker (4.2, row 9).
    pub const fn state(self) -> TaskState {
        match self {
            StopReason::FailedToStart | StopReason::ContainerExited | StopReason::CheckFailed => TaskState::Failed,
            StopReason::User | StopReason::Scheduler | StopReason::Spot | StopReason::HostLost => TaskState::Stopped,
        }
    }
}

/// Changes of a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeploymentChange {
    /// It becomes PRIMARY, IN_PROGRESS.
    Started,
    /// A newer one became PRIMARY: this one is ACTIVE now.
    Superseded,
    /// `rolloutState` changed.
    State(RolloutState),
    /// A rollback takes it up again: it becomes PRIMARY, IN_PROGRESS.
    RollingBack,
    /// Its last task is gone: INACTIVE.
    Gone,
}

/// Something that happened to a task, as the circuit breaker sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The task; absent for a launch that found no place.
    pub task: Option<TaskRef>,
    /// Its deployment.
    pub deployment: DeploymentId,
    /// What happened.
    pub kind: FailureKind,
    /// Whether it counted, and if not, why.
    pub verdict: FailureVerdict,
    /// The deployment's count after it.
    pub count: u32,
    /// The threshold at this moment.
    pub threshold: u32,
}

/// Whether a failure counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureVerdict {
    /// One more.
    Counted,
    /// Not: this kind never counts.
    Kind,
    /// Not: the task is of a revision that is being replaced.
    Source,
    /// Not: the deployment is not in progress any more.
    Ended,
    /// Not: a task has reached RUNNING (switch `literal_stages`).
    Stage,
    /// Not: the image does not resolve (switch `digest_drill`).
    Drill,
}

/// Changes of a service deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServiceChange {
    /// It begins, PENDING.
    Began {
        /// The deployment it rolls out.
        deployment: DeploymentId,
        /// Its revision number.
        revision: u32,
        /// Source revisions with tasks.
        sources: u32,
    },
    /// `status` changed.
    Status {
        /// Before.
        from: ServiceStatus,
        /// After.
        to: ServiceStatus,
    },
    /// `lifecycleStage` changed.
    Stage(Stage),
    /// The status of the circuit breaker changed.
    Breaker(MonitorStatus),
    /// The status of the alarms changed.
    Alarms(MonitorStatus),
    /// An alarm was in ALARM at the start: all alarms are ignored for this deployment.
    AlarmsIgnored,
    /// Early success: enough target tasks are healthy.
    GateMet {
        /// Healthy target tasks.
        healthy: u32,
        /// So many were needed.
        gate: u32,
    },
    /// The bake time begins.
    BakeBegins {
        /// Its end.
        until: SimTime,
    },
    /// From here on automatic rollback does not protect this deployment.
    ProtectionEnded(ProtectionEnd),
    /// The rollback begins.
    RollsBack {
        /// Why.
        by: FailedBy,
        /// The deployment that is given up.
        from: DeploymentId,
        /// The one that is taken up again.
        to: DeploymentId,
    },
    /// A rollback was wanted, and no COMPLETED deployment exists.
    NoCandidate,
    /// DEFERRED clean-up begins.
    CleanupBegins {
        /// ECS stops trying then.
        until: SimTime,
    },
    /// DEFERRED clean-up is given up: these tasks stay for good.
    CleanupGivenUp {
        /// Source tasks left.
        left: u32,
    },
    /// Weights of the listeners changed (or were set when the deployment began).
    Weights(Weights),
    /// The stage is left by a rollback or the deployment is over: whatever hooks have not ended are waited
    /// for no more.
    HooksDropped,
    /// A run of a lifecycle hook began or changed.
    Hook {
        /// `hookId`, from 1 in the whole run.
        id: u32,
        /// Index into the hooks of the strategy.
        hook: u8,
        /// Its stage.
        stage: Stage,
        /// Its status from here on.
        status: HookStatus,
    },
}

/// Weights of the two sides of a deployment that shifts traffic; each pair adds up to 1000. A side is a
/// deployment: both may be of the same revision, when one is deployed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    /// The new deployment.
    pub to: DeploymentId,
    /// Its revision.
    pub green: u32,
    /// The old deployment; absent when nothing ran before.
    pub from: Option<DeploymentId>,
    /// Its revision.
    pub blue: Option<u32>,
    /// Production weight of the new revision, in thousandths; the old one has the rest.
    pub production: u16,
    /// Test traffic of the new revision, in thousandths.
    pub test: u16,
}

/// Where records go. Kept concrete so that the loop is compiled here, at this crate's level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What happened, in order.
    pub records: Vec<Record>,
    /// Counts at the end of every instant at which they changed, ascending in time; of several
    /// at one instant the last one holds.
    pub samples: Vec<(SimTime, Counts)>,
    /// What happens to the requests from the end of every instant on at which that changed, in the same way;
    /// empty without traffic.
    pub flows: Vec<(SimTime, Flow)>,
    off: bool,
}

impl Trace {
    /// A trace that keeps everything.
    pub fn new() -> Trace {
        Trace::default()
    }

    /// A trace that keeps nothing (sweeps, seeks, benches).
    pub fn null() -> Trace {
        Trace { off: true, ..Trace::default() }
    }

    pub(crate) fn record(&mut self, at: SimTime, what: What) {
        if !self.off {
            self.records.push(Record { at, what });
        }
    }

    pub(crate) fn sample(&mut self, at: SimTime, counts: Counts) {
        if self.off {
            return;
        }
        match self.samples.last_mut() {
            Some(last) if last.0 == at => last.1 = counts,
            Some(last) if last.1 == counts => {}
            _ => self.samples.push((at, counts)),
        }
    }

    pub(crate) fn flow(&mut self, at: SimTime, flow: Flow) {
        if self.off {
            return;
        }
        match self.flows.last_mut() {
            Some(last) if last.0 == at => last.1 = flow,
            Some(last) if last.1 == flow => {}
            _ => self.flows.push((at, flow)),
        }
    }
}

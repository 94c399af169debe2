//! What the engine runs: a scenario after validation.
//!
//! Every value here is inside its allowed range already (the `scenario` crate
//! checks and explains); the engine does not check again. Durations are
//! milliseconds. Lists keep the order of the document.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

pub use crate::capacity::*;
use crate::mechanism::traffic::{Scaling, Traffic};
use crate::platform::PlatformSettings;
use crate::platform::asg::RefreshAct;
use crate::platform::ecs;
use crate::platform::ecs::strategy::HookAction;
use crate::platform::kubernetes::RolloutAct;
use crate::platform::vm::GroupAct;
use crate::time::SimTime;

/// Zones that tasks are spread over, least used first, also without EC2.
pub const ZONES: usize = 3;
/// Most health check sources one task can have (containers with a check plus target groups).
pub const SOURCES_MAX: usize = 16;
/// Most tasks a scenario may ask for at once.
pub const TASKS_MAX: u32 = 20_000;
/// Events after which a run in the page ends.
pub const EVENT_BUDGET_PAGE: u64 = 300_000;
/// Events after which a native run ends.
pub const EVENT_BUDGET_NATIVE: u64 = 5_000_000;
/// Exit code of a container that exits by itself, where nothing else is said.
pub const EXIT_CODE: u32 = 1;
/// From RUNNING to the exit of a task that the schema gate refuses.
pub const SCHEMA_CHECK_MS: u64 = 1_000;
/// A duration that never ends (for instance a process that ignores SIGTERM).
pub const NEVER_MS: u64 = u64::MAX;

/// A validated scenario, ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The platform's own configuration and rules.
    pub platform: PlatformSettings,
    /// How a deployment goes. Default rolling.
    pub strategy: ecs::Strategy,
    /// Health checks of essential containers that define one, in the document's order.
    pub containers: Vec<ContainerCheck>,
    /// Target groups the tasks are registered in.
    pub target_groups: Vec<TargetGroup>,
    /// Longest `stopTimeout` of the containers: SIGTERM to SIGKILL. Default 30 s.
    pub stop_timeout_ms: u64,
    /// How long things take.
    pub timing: Timing,
    /// Revisions known from the start; `start.deployments` and `Command::Deploy` refer to them by number.
    pub revisions: Vec<Revision>,
    /// Where tasks run.
    pub capacity: Capacity,
    /// The launch type or a capacity provider is Fargate's: without room the service speaks of capacity, not of
    /// instances. Default false.
    pub fargate: bool,
    /// `availabilityZoneRebalancing` ENABLED: zones are evened out in steady state. Default false, as for
    /// a service that never stored a value.
    pub rebalancing: bool,
    /// Requests over time; absent: none are counted.
    pub traffic: Option<Traffic>,
    /// Target tracking on them; absent: the desired count stays.
    pub scaling: Option<Scaling>,
    /// CloudWatch alarms of the service; a deployment watches them when the platform's configuration says so.
    pub alarms: Vec<Alarm>,
    /// Version of the database schema over time, ascending; before the first step it is 0.
    pub schema: Vec<(SimTime, u32)>,
    /// From RUNNING to the exit of a task that the schema gate refuses. Default 1 s.
    pub schema_check_ms: u64,
    /// Exit codes, 0 to 255, by revision number: that of a container which exits by itself. Nothing depends on it; a
    /// revision that is not listed has [`EXIT_CODE`].
    pub exit_codes: Vec<(u32, u32)>,
    /// What exists at time 0.
    pub start: Start,
    /// What people and the world do during the run, ascending in time, list order at equal times.
    pub acts: Vec<Act>,
    /// Launch quotas of the platform (`none` for arithmetic).
    pub quotas: Quotas,
    /// Seed of every draw. Default 1.
    pub seed: u64,
    /// The run ends here; absent: the horizon of the platform.
    pub until: Option<SimTime>,
    /// Events after which the run is cut off.
    pub event_budget: u64,
}

impl Settings {
    /// Room as a number of places over time; empty for any other capacity.
    pub fn places(&self) -> &[PlacesStep] {
        match &self.capacity {
            Capacity::Places(steps) => steps,
            _ => &[],
        }
    }

    /// The instances, where tasks run on some.
    pub fn cluster(&self) -> Option<&Cluster> {
        match &self.capacity {
            Capacity::Ec2(cluster) => Some(cluster),
            _ => None,
        }
    }
}

/// A container's own health check (`healthCheck` of the task definition).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContainerCheck {
    /// Time between the end of a probe and the start of the next. Default 30 s.
    pub interval_ms: u64,
    /// Time after which a probe that has not answered counts as failed. Default 5 s.
    pub timeout_ms: u64,
    /// Failures in a row that make the container UNHEALTHY. Default 3.
    pub retries: u32,
    /// Failures inside this time after the start do not count, until the first pass. Default 0.
    pub start_period_ms: u64,
}

/// A load balancer target group with its check and its drain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TargetGroup {
    /// Time between the starts of two checks. Default 30 s.
    pub interval_ms: u64,
    /// Time after which a check that has not answered counts as failed.
    pub timeout_ms: u64,
    /// Passes in a row after which an unhealthy target is healthy again. Default 5.
    pub healthy_threshold: u32,
    /// Failures in a row that make a target unhealthy. Default 2.
    pub unhealthy_threshold: u32,
    /// `deregistration_delay.timeout_seconds`. Default 300 s.
    pub deregistration_delay_ms: u64,
    /// Passes a newly registered target needs (1, or the threshold with the switch `new_target_passes`).
    pub new_target_passes: u32,
}

/// How long the steps of a task's life take; each drawn per task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timing {
    /// PROVISIONING: network interface. Default 5 s.
    pub provisioning: Distribution,
    /// ACTIVATING: image pull and container creation. Default 10 s.
    pub pull: Distribution,
    /// From RUNNING until the application answers its checks. Default 15 s.
    pub start_up: Distribution,
    /// From registration to the first check of a target group; absent: its interval.
    pub first_check: Option<Distribution>,
    /// How long requests stay open after deregistration. Default 30 s.
    pub open_request: Distribution,
    /// From SIGTERM to the exit of the process. Default 2 s.
    pub exit_after_sigterm: Distribution,
    /// Shortcut: from the start of a task to healthy, in place of start-up and checks.
    pub healthy_after: Option<Distribution>,
    /// Shortcut: from the decision to stop to STOPPED, in place of drain and exit.
    pub gone_after: Option<Distribution>,
}

/// A duration that is drawn, in milliseconds; integers only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Always the same.
    Constant(u64),
    /// Every whole millisecond between the two, both included, equally likely.
    Uniform {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// Triangular with its peak at `mode`.
    Triangular {
        /// Least value.
        min: u64,
        /// Most likely value.
        mode: u64,
        /// Greatest value.
        max: u64,
    },
    /// Weighted values; the sum of the weights is positive.
    Table(Vec<(u64, u32)>),
}

/// One revision of the service and how its tasks fare.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Revision {
    /// The number people see (`r8`). Unique in the list.
    pub number: u32,
    /// How its tasks fare.
    pub behaviour: Behaviour,
    /// Schema version its tasks expect when they start; absent: no gate. A task that finds an older
    /// one exits after [`Settings::schema_check_ms`], before any check passes.
    pub expects_schema: Option<u32>,
    /// The digests of its images do not resolve: three attempts fail the deployment when the breaker
    /// is on; otherwise it goes on without digests. Source: Developer Guide, deployment-type-ecs.
    pub digest_fails: bool,
}

impl Revision {
    /// A revision without a schema gate whose images resolve.
    pub const fn new(number: u32, behaviour: Behaviour) -> Revision {
        Revision { number, behaviour, expects_schema: None, digest_fails: false }
    }
}

/// A CloudWatch alarm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alarm {
    /// Its name.
    pub name: String,
    /// Its state at time 0.
    pub at_start: AlarmState,
    /// Changes over time, ascending.
    pub changes: Vec<(SimTime, AlarmState)>,
    /// It follows the answers of the service instead (its changes and acts still hold when they come).
    pub derived: Option<BadResponses>,
}

/// State of an alarm. Source: CloudWatch `StateValue`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlarmState {
    /// `OK`
    Ok,
    /// `ALARM`
    Alarm,
    /// `INSUFFICIENT_DATA`: never fails a deployment.
    InsufficientData,
}

/// An alarm on the share of bad answers: each healthy task gets the same share of the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BadResponses {
    /// More than this share is bad: numerator and denominator, the second one positive.
    pub over: (u32, u32),
    /// For this long (period times evaluation periods); the way back to OK takes as long.
    pub for_ms: u64,
}

/// How the tasks of a revision fare.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Behaviour {
    /// What happens to every start without an own entry.
    pub fate: Fate,
    /// What happens to the k-th start of the revision (counted from 1), ascending in k.
    pub by_start: Vec<(u32, Fate)>,
    /// Share of its answers that are bad, numerator and denominator (positive); absent: none.
    pub bad_responses: Option<(u32, u32)>,
}

/// What becomes of one task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Fate {
    /// Starts, passes its checks and goes on.
    #[default]
    Healthy,
    /// Stops before RUNNING (`TaskFailedToStart`), this long after it was created;
    /// absent: at the moment it would have reached RUNNING.
    NeverRunning {
        /// Milliseconds from creation.
        after: Option<u64>,
    },
    /// An essential container exits this long after RUNNING.
    ExitsAfter(u64),
    /// Answers every check with a failure at once.
    NeverPasses,
    /// Passes until this long after RUNNING, then fails every check at once.
    TurnsUnhealthyAfter(u64),
    /// Answers no check: each one runs into its timeout.
    Hangs,
    /// Fails its checks while this many or more tasks of the service that run longer are still
    /// running (a connection pool, a licence: the last to come get none).
    AboveRunning(u32),
    /// The inner fate in one zone (0 to 2), healthy elsewhere.
    InZone {
        /// Zone index.
        zone: u8,
        /// Fate there.
        fate: Box<Fate>,
    },
    /// The inner fate for `hits` of `of` starts, drawn per start; healthy otherwise.
    Ratio {
        /// Numerator.
        hits: u32,
        /// Denominator, positive.
        of: u32,
        /// Fate of a hit.
        fate: Box<Fate>,
    },
}

/// What exists at time 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// Deployments with their tasks, oldest first; the last one is PRIMARY.
    pub deployments: Vec<StartDeployment>,
    /// Revision whose deployment starts at time 0; absent: the state goes on as it is.
    pub deploy: Option<u32>,
}

/// How long a task is protected from scale-in where nobody says: 120 minutes, in milliseconds.
/// Source: API `UpdateTaskProtectionRequest`, `expiresInMinutes`.
pub const PROTECTION_DEFAULT_MS: u64 = 120 * 60_000;

/// A deployment that exists at time 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StartDeployment {
    /// Revision number; must be in [`Settings::revisions`].
    pub revision: u32,
    /// Where its rollout stands.
    pub state: RolloutState,
    /// Failures counted so far.
    pub failed_tasks: u32,
    /// Tasks that are healthy and have all their checks passed.
    pub healthy: u32,
    /// As many of the healthy ones, the first of them, are protected from scale-in for
    /// [`PROTECTION_DEFAULT_MS`] from time 0. At most the desired count of all tasks are.
    pub protected: u32,
    /// Tasks that reached RUNNING at time 0 and are not healthy yet.
    pub running: u32,
    /// Tasks that were created at time 0.
    pub pending: u32,
    /// Tasks that were healthy and now fail their checks.
    pub unhealthy: u32,
    /// Tasks whose stop was decided at time 0.
    pub stopping: u32,
}

/// `rolloutState` of a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolloutState {
    /// `IN_PROGRESS`
    InProgress,
    /// `COMPLETED`
    Completed,
    /// `FAILED`: launches nothing.
    Failed,
}

/// Something people or the world do at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Act {
    /// When.
    pub at: SimTime,
    /// What.
    pub command: Command,
}

/// An act. One whose object is gone is a recorded no-op.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A container of this task exits at once (`EssentialContainerExited`).
    Kill(TaskName),
    /// `StopTask`: SIGTERM at once, no drain (`UserInitiated`).
    StopTask(TaskName),
    /// The host's Spot capacity is taken back: as `StopTask`, with `SpotInterruption`.
    Interrupt(TaskName),
    /// `UpdateService desiredCount`: no new deployment.
    SetDesired(u32),
    /// `UpdateService deploymentConfiguration`: no new deployment; absent values stay.
    SetPercentages {
        /// `minimumHealthyPercent`
        minimum: Option<u32>,
        /// `maximumPercent`
        maximum: Option<u32>,
    },
    /// A deployment of this revision starts; unknown revisions are added with this behaviour.
    Deploy {
        /// Revision number.
        revision: u32,
        /// How its tasks fare; absent: as the revision already does, or healthy.
        behaviour: Option<Behaviour>,
    },
    /// The next starts of this revision fare like this.
    SetFate {
        /// Revision number.
        revision: u32,
        /// How they fare; `by_start` goes on counting from the first start.
        behaviour: Behaviour,
    },
    /// An alarm goes into a state; unknown alarms do nothing.
    SetAlarm {
        /// Index into [`Settings::alarms`].
        alarm: u32,
        /// Its new state.
        state: AlarmState,
    },
    /// `StopServiceDeployment` with `ROLLBACK`; refused when none is in progress.
    StopDeployment,
    /// `UpdateTaskProtection`; refused when more tasks than the desired count would be protected.
    Protect {
        /// Which task.
        task: TaskName,
        /// For so long, 1 to 2880 minutes, 120 by default; absent: renewed for ever.
        for_ms: Option<u64>,
    },
    /// Protection of this task ends.
    Unprotect(TaskName),
    /// The database schema is at this version from now on.
    SetSchema(u32),
    /// `ContinueServiceDeployment`: answers a PAUSE hook; refused when none awaits an action.
    ContinueDeployment {
        /// `hookId`; absent: the first one that awaits an action.
        hook: Option<u32>,
        /// `action`. Default `CONTINUE`.
        action: HookAction,
    },
    /// Instances of the kind of a known one register at once; its number, 1 and up, and how many.
    AddInstances {
        /// Like this one.
        like: u32,
        /// So many.
        count: u32,
    },
    /// An instance becomes DRAINING; its number, 1 and up.
    DrainInstance(u32),
    /// An instance is lost with everything on it; its number, 1 and up.
    LoseInstance(u32),
    /// The Spot capacity of an instance is taken back: DRAINING now, gone two minutes later.
    ReclaimInstance(u32),
    /// Every instance of a zone is lost; zone index.
    LoseZone(u8),
    /// Something that only a Kubernetes Deployment knows.
    Rollout(RolloutAct),
    /// Something that only an Auto Scaling group knows.
    Refresh(RefreshAct),
    /// Something that only a group of virtual machines knows.
    Group(GroupAct),
    /// A schedule sets the desired count: no new deployment.
    Schedule(u32),
    /// A template is applied: one update sets its desired count and deploys its revision.
    Template {
        /// Revision number.
        revision: u32,
        /// The desired count that the template holds.
        desired: u32,
    },
}

/// Task scale-in protection when no time is given. Source: API `UpdateTaskProtectionRequest.expiresInMinutes`.
pub const PROTECTION_MS: u64 = 120 * 60_000;

/// A task as people name it: `8·3` is the third start of revision 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskName {
    /// Revision number.
    pub revision: u32,
    /// Which start of that revision, from 1.
    pub start: u32,
}

/// Launch quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quotas {
    /// The platform's published limits.
    Default {
        /// The Fargate bucket of the account applies as well.
        fargate: bool,
    },
    /// None, for arithmetic.
    None,
}

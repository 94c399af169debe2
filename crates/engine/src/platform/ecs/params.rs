//! Configuration of an Amazon ECS service as far as the scheduler reads it.

/// The service's own fields and the readings of places where the sources disagree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `desiredCount`, 0 and up.
    pub desired: u32,
    /// `minimumHealthyPercent`, 0 to 100. Default 100.
    pub minimum_healthy_percent: u32,
    /// `maximumPercent`, 100 and up, no top. Default 200.
    pub maximum_percent: u32,
    /// `healthCheckGracePeriodSeconds` in milliseconds. Default 0.
    pub grace_ms: u64,
    /// `deploymentCircuitBreaker` with `enable` true. Default none.
    pub breaker: Option<Breaker>,
    /// `alarms` with `enable` true; every alarm of [`crate::settings::Settings::alarms`] is listed. Default none.
    pub alarms: Option<AlarmWatch>,
    /// `earlySuccessCriteria` with `enable` true. Default none.
    pub early_success: Option<EarlySuccess>,
    /// Switches for places where the public sources disagree.
    pub readings: Readings,
}

/// The deployment circuit breaker. Source: API `DeploymentCircuitBreaker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breaker {
    /// `rollback`: a trip rolls back to the last COMPLETED deployment. Default false.
    pub rollback: bool,
    /// `resetOnHealthyTask`: a task that becomes healthy sets the count to 0. Default true.
    pub reset_on_healthy_task: bool,
    /// `thresholdConfiguration`. Default `BOUNDED_PERCENT` 50.
    pub threshold: Threshold,
}

/// How the number of failures that trips the breaker is given; see [`super::rules_breaker::threshold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// `COUNT`: so many, whatever the desired count; 1 and up.
    Count(u32),
    /// `BOUNDED_PERCENT`: percent of the latest desired count, 1 to 100, at least 3 and at most 200 failures.
    BoundedPercent(u32),
    /// `UNBOUNDED_PERCENT`: percent of the latest desired count, 1 to 100, at least 1 failure.
    UnboundedPercent(u32),
}

impl Default for Threshold {
    fn default() -> Self {
        Threshold::BoundedPercent(50)
    }
}

/// CloudWatch alarms that a deployment watches. Source: API `DeploymentAlarms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlarmWatch {
    /// `rollback`: an alarm rolls back to the last COMPLETED deployment.
    pub rollback: bool,
    /// `bakeTimeInMinutes` in milliseconds, 0 to 1440 minutes; absent: chosen by ECS.
    pub bake_ms: Option<u64>,
    /// From ALARM to the decision (ECS polls). Default 20 s, as one drill saw it.
    pub alarm_delay_ms: u64,
}

/// `alarm_delay_s` when nothing is given, in milliseconds.
pub const ALARM_DELAY_MS: u64 = 20_000;

/// Early success criteria. Source: API `DeploymentEarlySuccessCriteria`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EarlySuccess {
    /// `healthyPercent`, 0 to 100, at least `minimumHealthyPercent`.
    pub healthy_percent: u32,
    /// `sourceServiceRevisionCleanup`.
    pub cleanup: Cleanup,
}

/// Whether an early success waits for the source tasks to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cleanup {
    /// `BLOCKING`: SUCCESSFUL once the source tasks are gone.
    Blocking,
    /// `DEFERRED`: SUCCESSFUL first; ECS tries for 14 days to stop them afterwards.
    Deferred,
}

/// Named switches; the comments give the default. Switches that act only in validation or on
/// a task's checks (`allow_100_100`, `new_target_passes`) are resolved before the engine runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Readings {
    /// RUNNING to healthy for a task without any check. Default 40 s.
    pub no_check_healthy_after_ms: u64,
    /// Stopping tasks count against the ceiling until they are STOPPED. Default true.
    pub stopping_counts: bool,
    /// Lockstep of the four-step loop: start, wait, stop, wait. Default false.
    pub start_first: bool,
    /// A lost source task is replaced by the target revision (before November 2025). Default false.
    pub legacy_replacement: bool,
    /// At the ceiling several unhealthy tasks stop at once. Default false.
    pub unhealthy_batch: bool,
    /// Never-healthy target tasks are replaced before they stop, too. Default false.
    pub unhealthy_one_by_one: bool,
    /// A launch attempt that finds no place counts as a failure: no capacity provider with managed
    /// scaling keeps the task waiting. Default true; acts only with a breaker.
    pub placement_failure_counts: bool,
    /// Failures before RUNNING count only until a first target task is RUNNING. Default false.
    pub literal_stages: bool,
    /// Early success: no source task stops before the gate is met, unless new tasks wait for its
    /// room. Default false.
    pub hold_source_until_gate: bool,
    /// As one drill saw it: start failures of a revision whose digests do not resolve count for
    /// nothing, and neither do the digests. Default false.
    pub digest_drill: bool,
}

impl Params {
    /// A service without tasks and without anything that guards it.
    pub const NOTHING: Params = Params {
        desired: 0,
        minimum_healthy_percent: 0,
        maximum_percent: 100,
        grace_ms: 0,
        breaker: None,
        alarms: None,
        early_success: None,
        readings: Readings::DEFAULT,
    };
}

impl Readings {
    /// The default of every switch.
    pub const DEFAULT: Readings = Readings {
        no_check_healthy_after_ms: 40_000,
        stopping_counts: true,
        start_first: false,
        legacy_replacement: false,
        unhealthy_batch: false,
        unhealthy_one_by_one: false,
        placement_failure_counts: true,
        literal_stages: false,
        hold_source_until_gate: false,
        digest_drill: false,
    };
}

impl Default for Readings {
    fn default() -> Self {
        Readings::DEFAULT
    }
}

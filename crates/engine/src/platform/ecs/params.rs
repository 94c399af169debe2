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
    /// Switches for places where the public sources disagree.
    pub readings: Readings,
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
}

impl Default for Readings {
    fn default() -> Self {
        Readings {
            no_check_healthy_after_ms: 40_000,
            stopping_counts: true,
            start_first: false,
            legacy_replacement: false,
            unhealthy_batch: false,
            unhealthy_one_by_one: false,
        }
    }
}

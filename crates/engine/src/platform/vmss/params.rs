//! Configuration of a scale set.

/// `upgradePolicy.mode`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// All at once, without order and without looking.
    Automatic,
    /// A machine changes when somebody asks for it.
    Manual,
    /// In batches.
    Rolling,
}

/// The set's `upgradePolicy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `mode`
    pub mode: Mode,
    /// `maxBatchInstancePercent`, 5 to 100. Default 20.
    pub batch_percent: u32,
    /// `maxUnhealthyInstancePercent`, 5 to 100. Default 20.
    pub unhealthy_percent: u32,
    /// `maxUnhealthyUpgradedInstancePercent`, 0 to 100. Default 20.
    pub unhealthy_upgraded_percent: u32,
    /// `pauseTimeBetweenBatches` in milliseconds. Default 0.
    pub pause_ms: u64,
    /// `enableCrossZoneUpgrade`. Default false: zone by zone.
    pub cross_zone: bool,
    /// `prioritizeUnhealthyInstances`. Default false.
    pub unhealthy_first: bool,
    /// `rollbackFailedInstancesOnPolicyBreach`. Default false.
    pub roll_back_failed: bool,
    /// `maxSurge`. Default false: the same machines, in place.
    pub surge: bool,
    /// A machine that is not healthy so long after it came up is not waited for, in milliseconds. 5 minutes, as
    /// automatic OS upgrades have it [reading for the others].
    pub patience_ms: u64,
}

/// See [`Params::patience_ms`].
pub const PATIENCE_MS: u64 = 5 * 60_000;

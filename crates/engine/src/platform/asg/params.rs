//! Configuration of a group and of its instance refresh.

use alloc::vec::Vec;

use crate::settings::TaskName;

/// A group with the refresh that is started on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `DesiredCapacity`
    pub desired: u32,
    /// `MinSize`: no act sets the desired capacity below it. Default 0.
    pub min_size: u32,
    /// `MaxSize`: no act sets it above. Default: no limit here.
    pub max_size: u32,
    /// `HealthCheckGracePeriod` in milliseconds: a failing check replaces nobody before. Default 0.
    pub grace_ms: u64,
    /// `HealthCheckType` is `ELB`: the load balancer's checks count. Default false: those of EC2 alone, which
    /// look at the machine and not at what runs on it.
    pub elb: bool,
    /// How the refresh goes.
    pub preferences: Preferences,
    /// `DesiredConfiguration` was given: the group takes the new version over when the refresh succeeds. Else
    /// it has it already.
    pub desired_configuration: bool,
    /// The group's own launch template version is a number, so that a rollback knows where to go.
    pub numbered: bool,
    /// What is special about the instances at time 0.
    pub start: StartCounts,
}

/// `Preferences` of `StartInstanceRefresh`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Preferences {
    /// `MinHealthyPercentage`, 0 to 100. Default 90.
    pub min_healthy: u32,
    /// `MaxHealthyPercentage`, 100 to 200; absent acts differently from a written 100.
    pub max_healthy: Option<u32>,
    /// How long an instance is in service before it counts, in milliseconds.
    pub warm_up_ms: u64,
    /// `SkipMatching`. Default false.
    pub skip_matching: bool,
    /// `AutoRollback`. Default false.
    pub auto_rollback: bool,
    /// `CheckpointPercentages`, 1 to 100, ascending; empty for none.
    pub checkpoints: Vec<u32>,
    /// `CheckpointDelay` in milliseconds. Default one hour.
    pub checkpoint_delay_ms: u64,
    /// `BakeTime` in milliseconds. Default 0.
    pub bake_ms: u64,
    /// `ScaleInProtectedInstances`. Default Wait.
    pub protected: ProtectedInstances,
    /// `StandbyInstances`. Default Wait.
    pub standby: StandbyInstances,
}

/// `ScaleInProtectedInstances`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProtectedInstances {
    /// They are replaced like the others.
    Refresh,
    /// They are left alone.
    Ignore,
    /// The refresh waits for the end of their protection, one hour at most.
    Wait,
}

/// `StandbyInstances`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StandbyInstances {
    /// They are terminated.
    Terminate,
    /// They are left alone.
    Ignore,
    /// The refresh waits until they are back in service, one hour at most.
    Wait,
}

/// What is special about the instances at time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StartCounts {
    /// In standby, beyond the desired capacity.
    pub standby: u32,
    /// Of those in service, protected from scale-in.
    pub protected: u32,
    /// Of those in service, of the new version already.
    pub matching: u32,
}

/// What people do to a group, beside what every platform knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefreshAct {
    /// `CancelInstanceRefresh`
    Cancel,
    /// `RollbackInstanceRefresh`
    RollBack,
    /// `EnterStandby` with a lower desired capacity.
    EnterStandby(TaskName),
    /// `ExitStandby`: the desired capacity rises again.
    ExitStandby(TaskName),
}

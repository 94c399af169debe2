//! The headings under which presets are offered.

/// What a list of presets is divided into, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PresetGroup {
    /// Floor and ceiling: what may start and stop.
    Limits,
    /// What decides how long a rollout takes.
    Pace,
    /// Circuit breaker, rollback and alarms.
    Breaker,
    /// Early success and what it leaves unprotected.
    EarlySuccess,
    /// Workers without a health check, watchdog, boot gate.
    Workers,
    /// Grace periods and the patience of others.
    Waits,
    /// Instances, daemons and draining: where tasks find room.
    Room,
    /// Blue/green, linear, canary: traffic that is shifted.
    Shifting,
    /// Kubernetes Deployments.
    Kubernetes,
    /// StatefulSets and DaemonSets, whose Pods have places of their own.
    Placed,
    /// EC2 instance refreshes.
    InstanceRefresh,
    /// Google Cloud managed instance groups and Azure scale sets.
    MachineGroups,
}

impl PresetGroup {
    /// All of them, in their order.
    pub const ALL: [PresetGroup; 12] = [
        PresetGroup::Limits,
        PresetGroup::Pace,
        PresetGroup::Breaker,
        PresetGroup::EarlySuccess,
        PresetGroup::Workers,
        PresetGroup::Waits,
        PresetGroup::Room,
        PresetGroup::Shifting,
        PresetGroup::Kubernetes,
        PresetGroup::Placed,
        PresetGroup::InstanceRefresh,
        PresetGroup::MachineGroups,
    ];
}

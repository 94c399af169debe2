//! Configuration of a managed instance group.

/// A number of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Share {
    /// `fixed`
    Fixed(u32),
    /// `percent` of the target size.
    Percent(u32),
}

/// `autoHealingPolicies[0]`: a failing check recreates a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Autohealing {
    /// `initialDelaySec` in milliseconds: a check that fails this soon after the start recreates nobody. Default 0.
    pub initial_delay_ms: u64,
}

/// The group's `updatePolicy` and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `maxSurge`. Default: the number of zones.
    pub surge: Share,
    /// `maxUnavailable`. Default: the number of zones.
    pub unavailable: Share,
    /// `type` is PROACTIVE; else a machine changes only when it is created or recreated for another reason.
    pub proactive: bool,
    /// `replacementMethod` is RECREATE: the same name, after the old machine is gone. Default SUBSTITUTE.
    pub recreate: bool,
    /// `mostDisruptiveAllowedAction` is REPLACE; a new template needs no less here.
    pub may_replace: bool,
    /// `minReadySec` in milliseconds, 0 to one hour. Default 0.
    pub min_ready_ms: u64,
    /// Absent: RUNNING is all that is asked of a machine.
    pub autohealing: Option<Autohealing>,
    /// `instanceLifecyclePolicy.forceUpdateOnRepair` is YES: a repair takes the target's template. Default NO: a
    /// machine's own one.
    pub force_update_on_repair: bool,
    /// `versions[].targetSize` of the new template: the rest stays as it is. Absent: all of them.
    pub canary: Option<Share>,
}

//! `service` of a Google Cloud managed instance group and of an Azure virtual machine scale set, under the field
//! names of their APIs.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;

/// `platform` of a managed instance group.
pub const MIG: &str = "mig";
/// `platform` of a scale set.
pub const VMSS: &str = "vmss";
/// The keys that stand for `service` while a tree is read and written; nobody writes them by hand.
pub(super) const MIG_KEY: &str = "service of a managed instance group";
pub(super) const VMSS_KEY: &str = "service of a scale set";

record! {
    /// A managed instance group with its update. Ranges and defaults: `docs/machine-groups.md`.
    member MigSpec {
        /// A name for people.
        name: Option<String> = "name",
        /// Default 1.
        target_size: Option<i64> = "targetSize",
        /// Zones of a regional group, 2 or 3; absent: zonal.
        distribution: Option<DistributionPolicy> = "distributionPolicy",
        /// Templates; the one with a `targetSize` is a canary.
        versions: Option<Vec<MigVersion>> = "versions",
        /// How an update goes.
        update: Option<UpdatePolicy> = "updatePolicy",
        /// At most one: a failing check recreates a machine.
        autohealing: Option<Vec<AutoHealingPolicy>> = "autoHealingPolicies",
        /// The health check that it names, with its own fields.
        health_check: Option<GoogleHealthCheck> = "healthCheck",
        /// What a repair takes.
        lifecycle: Option<LifecyclePolicy> = "instanceLifecyclePolicy",
        /// Of the backend service in front.
        draining: Option<ConnectionDraining> = "connectionDraining",
    }
}

record! {
    /// `distributionPolicy`
    record DistributionPolicy {
        /// The zones, 2 or 3.
        zones: Option<Vec<ZoneRef>> = "zones",
    }
}

record! {
    /// A zone.
    record ZoneRef {
        /// Its name.
        zone: Option<String> = "zone",
    }
}

record! {
    /// `versions[]`
    record MigVersion {
        /// A name for people.
        name: Option<String> = "name",
        /// Not read.
        template: Option<String> = "instanceTemplate",
        /// So many machines; absent in exactly one version: the rest.
        target_size: Option<FixedOrPercent> = "targetSize",
    }
}

record! {
    /// `fixed` or `percent`.
    record FixedOrPercent {
        /// Machines.
        fixed: Option<i64> = "fixed",
        /// Of the target size, 0 to 100.
        percent: Option<i64> = "percent",
        /// Output only; not read.
        calculated: Option<i64> = "calculated",
    }
}

record! {
    /// `updatePolicy`
    record UpdatePolicy {
        /// `PROACTIVE` (default) or `OPPORTUNISTIC`.
        kind: Option<String> = "type",
        /// `NONE`, `REFRESH`, `RESTART` or `REPLACE` (default).
        minimal_action: Option<String> = "minimalAction",
        /// The same; an update that needs more waits. Default `REPLACE`.
        most_disruptive: Option<String> = "mostDisruptiveAllowedAction",
        /// `SUBSTITUTE` (default) or `RECREATE`.
        method: Option<String> = "replacementMethod",
        /// Default: the number of zones; 0 with `RECREATE`.
        max_surge: Option<FixedOrPercent> = "maxSurge",
        /// Default: the number of zones.
        max_unavailable: Option<FixedOrPercent> = "maxUnavailable",
        /// Seconds, 0 to 3600. Default 0.
        min_ready: Option<i64> = "minReadySec",
        /// `PROACTIVE` (default) or `NONE`.
        redistribution: Option<String> = "instanceRedistributionType",
    }
}

record! {
    /// `autoHealingPolicies[]`
    record AutoHealingPolicy {
        /// Not read: its fields are in `healthCheck`.
        health_check: Option<String> = "healthCheck",
        /// Seconds, 0 to 3600. Default 0.
        initial_delay: Option<i64> = "initialDelaySec",
    }
}

record! {
    /// A health check of Compute Engine.
    record GoogleHealthCheck {
        /// Seconds, 1 to 300. Default 5.
        interval: Option<i64> = "checkIntervalSec",
        /// Seconds, 1 to the interval. Default 5.
        timeout: Option<i64> = "timeoutSec",
        /// 1 to 10. Default 2.
        healthy: Option<i64> = "healthyThreshold",
        /// 1 to 10. Default 2.
        unhealthy: Option<i64> = "unhealthyThreshold",
    }
}

record! {
    /// `instanceLifecyclePolicy`
    record LifecyclePolicy {
        /// `YES` or `NO` (default).
        force_update: Option<String> = "forceUpdateOnRepair",
    }
}

record! {
    /// `connectionDraining`
    record ConnectionDraining {
        /// Seconds, 0 to 3600. Default 0.
        timeout: Option<i64> = "drainingTimeoutSec",
    }
}

record! {
    /// A scale set with its rolling upgrade. Ranges and defaults: `docs/machine-groups.md`.
    member VmssSpec {
        /// A name for people.
        name: Option<String> = "name",
        /// How many machines.
        sku: Option<Sku> = "sku",
        /// Zones, none or up to three.
        zones: Option<Vec<String>> = "zones",
        /// How an upgrade goes.
        upgrade: Option<UpgradePolicy> = "upgradePolicy",
        /// Application Health extension; required by a rolling upgrade.
        health: Option<HealthExtension> = "applicationHealth",
    }
}

record! {
    /// `sku`
    record Sku {
        /// Not read.
        name: Option<String> = "name",
        /// Default 1.
        capacity: Option<i64> = "capacity",
    }
}

record! {
    /// `upgradePolicy`
    record UpgradePolicy {
        /// `Rolling` (default here), `Automatic` or `Manual`.
        mode: Option<String> = "mode",
        /// Of a rolling upgrade.
        rolling: Option<RollingUpgradePolicy> = "rollingUpgradePolicy",
    }
}

record! {
    /// `rollingUpgradePolicy`
    record RollingUpgradePolicy {
        /// 5 to 100. Default 20.
        batch: Option<i64> = "maxBatchInstancePercent",
        /// 5 to 100. Default 20.
        unhealthy: Option<i64> = "maxUnhealthyInstancePercent",
        /// 0 to 100. Default 20.
        unhealthy_upgraded: Option<i64> = "maxUnhealthyUpgradedInstancePercent",
        /// ISO 8601, such as `PT30S`. Default `PT0S`.
        pause: Option<String> = "pauseTimeBetweenBatches",
        /// Default false: zone by zone.
        cross_zone: Option<bool> = "enableCrossZoneUpgrade",
        /// Default false.
        prioritize_unhealthy: Option<bool> = "prioritizeUnhealthyInstances",
        /// Default false.
        rollback_failed: Option<bool> = "rollbackFailedInstancesOnPolicyBreach",
        /// Default false: in place.
        max_surge: Option<bool> = "maxSurge",
    }
}

record! {
    /// The settings of the Application Health extension.
    record HealthExtension {
        /// Seconds, 5 to 60. Default 5.
        interval: Option<i64> = "intervalInSeconds",
        /// Probes that change a state, 1 to 24. Default 1.
        probes: Option<i64> = "numberOfProbes",
        /// Seconds, up to 14400; a machine that is not healthy is waited for as long. Default: interval times probes.
        grace: Option<i64> = "gracePeriod",
    }
}

//! `service` of an Auto Scaling group: the group as far as an instance refresh needs it, and what
//! `StartInstanceRefresh` is given, under the API's own field names.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;
use crate::json::Value;

/// `platform` of an instance refresh.
pub const REFRESH: &str = "asg-refresh";
/// The key that stands for `service` of a group while a tree is read and written; nobody writes it by hand.
pub(super) const KEY: &str = "service of a group";

record! {
    /// A group and its refresh. Ranges and defaults: `docs/instance-refresh.md`.
    member GroupSpec {
        /// A name for people.
        name: Option<String> = "AutoScalingGroupName",
        /// Default 1.
        desired: Option<i64> = "DesiredCapacity",
        /// Default 0.
        min_size: Option<i64> = "MinSize",
        /// Default: no limit.
        max_size: Option<i64> = "MaxSize",
        /// `EC2` (default) or `ELB`.
        health_check_type: Option<String> = "HealthCheckType",
        /// Default 0.
        grace: Option<i64> = "HealthCheckGracePeriod",
        /// Default: the grace period.
        default_warmup: Option<i64> = "DefaultInstanceWarmup",
        /// The percentages of a refresh that names none.
        policy: Option<MaintenancePolicy> = "InstanceMaintenancePolicy",
        /// What the group launches before the refresh.
        launch_template: Option<LaunchTemplateRef> = "LaunchTemplate",
        /// `Rolling`
        strategy: Option<String> = "Strategy",
        /// How the refresh goes.
        preferences: Option<PreferencesDoc> = "Preferences",
        /// What it rolls out; absent: the group has the new version already.
        configuration: Option<ConfigurationDoc> = "DesiredConfiguration",
    }
}

record! {
    /// `InstanceMaintenancePolicy`
    record MaintenancePolicy {
        /// 0 to 100. Required.
        min_healthy: Option<i64> = "MinHealthyPercentage",
        /// 100 to 200. Required.
        max_healthy: Option<i64> = "MaxHealthyPercentage",
    }
}

record! {
    /// A launch template.
    record LaunchTemplateRef {
        /// Not read.
        id: Option<String> = "LaunchTemplateId",
        /// Not read.
        name: Option<String> = "LaunchTemplateName",
        /// A number in quotes, `$Latest` or `$Default`.
        version: Option<String> = "Version",
    }
}

record! {
    /// `DesiredConfiguration`
    record ConfigurationDoc {
        /// The launch template that is rolled out.
        launch_template: Option<LaunchTemplateRef> = "LaunchTemplate",
        /// Not read.
        mixed: Option<Value> = "MixedInstancesPolicy",
    }
}

record! {
    /// `Preferences`
    record PreferencesDoc {
        /// 0 to 100. Default: the policy of the group, else 90.
        min_healthy: Option<i64> = "MinHealthyPercentage",
        /// 100 to 200. Default: the policy of the group; absent acts differently from a written 100.
        max_healthy: Option<i64> = "MaxHealthyPercentage",
        /// Seconds. Default: DefaultInstanceWarmup, else HealthCheckGracePeriod.
        warmup: Option<i64> = "InstanceWarmup",
        /// Default false.
        skip_matching: Option<bool> = "SkipMatching",
        /// Default false.
        auto_rollback: Option<bool> = "AutoRollback",
        /// 1 to 100, ascending.
        checkpoints: Option<Vec<i64>> = "CheckpointPercentages",
        /// Seconds, 0 to 172800. Default 3600.
        checkpoint_delay: Option<i64> = "CheckpointDelay",
        /// Seconds, 0 to 172800. Default 0.
        bake_time: Option<i64> = "BakeTime",
        /// `Refresh`, `Ignore` or `Wait` (default).
        protected: Option<String> = "ScaleInProtectedInstances",
        /// `Terminate`, `Ignore` or `Wait` (default).
        standby: Option<String> = "StandbyInstances",
        /// Alarms that fail it.
        alarms: Option<AlarmSpecification> = "AlarmSpecification",
    }
}

record! {
    /// `AlarmSpecification`
    record AlarmSpecification {
        /// At most ten names.
        names: Option<Vec<String>> = "Alarms",
    }
}

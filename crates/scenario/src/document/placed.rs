//! `service` of a StatefulSet and of a DaemonSet: their `spec`, under Kubernetes' own field names.

use alloc::string::String;

use super::field::record;
use super::kubernetes::{IntOrString, PodTemplateDoc};
use crate::json::Value;

/// `platform` of a StatefulSet.
pub const STATEFUL_SET: &str = "statefulset";
/// `platform` of a DaemonSet.
pub const DAEMON_SET: &str = "daemonset";
/// The keys that stand for `service` of the two while a tree is read and written; nobody writes them by hand.
pub(super) const STATEFUL_KEY: &str = "service of a StatefulSet";
pub(super) const DAEMON_KEY: &str = "service of a DaemonSet";

record! {
    /// `spec` of a StatefulSet. Ranges and defaults: `docs/kubernetes.md`.
    member StatefulSetSpec {
        /// Default 1.
        replicas: Option<i64> = "replicas",
        /// `OrderedReady` (default) or `Parallel`.
        policy: Option<String> = "podManagementPolicy",
        /// `RollingUpdate` by default.
        strategy: Option<OrdinalStrategyDoc> = "updateStrategy",
        /// Default 0.
        min_ready_seconds: Option<i64> = "minReadySeconds",
        /// Default 10; 2147483647 for no limit.
        revision_history_limit: Option<i64> = "revisionHistoryLimit",
        /// Where counting begins.
        ordinals: Option<OrdinalsDoc> = "ordinals",
        /// Not read.
        service_name: Option<String> = "serviceName",
        /// Not read: it must match the labels of the template.
        selector: Option<Value> = "selector",
        /// Not read: a Pod comes back with the volumes of its ordinal.
        volume_claims: Option<Value> = "volumeClaimTemplates",
        /// Not read.
        retention: Option<Value> = "persistentVolumeClaimRetentionPolicy",
        /// The Pod template.
        template: Option<PodTemplateDoc> = "template",
    }
}

record! {
    /// `updateStrategy` of a StatefulSet.
    record OrdinalStrategyDoc {
        /// `RollingUpdate` (default) or `OnDelete`.
        kind: Option<String> = "type",
        /// Only with `RollingUpdate`.
        rolling_update: Option<OrdinalUpdateDoc> = "rollingUpdate",
    }
}

record! {
    /// `rollingUpdate` of a StatefulSet.
    record OrdinalUpdateDoc {
        /// Default 0.
        partition: Option<i64> = "partition",
        /// Default 1; read only where the cluster has the feature gate.
        max_unavailable: Option<IntOrString> = "maxUnavailable",
    }
}

record! {
    /// `ordinals`
    record OrdinalsDoc {
        /// Default 0.
        start: Option<i64> = "start",
    }
}

record! {
    /// `spec` of a DaemonSet. Ranges and defaults: `docs/kubernetes.md`.
    member DaemonSetSpec {
        /// `RollingUpdate` by default.
        strategy: Option<NodeStrategyDoc> = "updateStrategy",
        /// Default 0.
        min_ready_seconds: Option<i64> = "minReadySeconds",
        /// Default 10; 2147483647 for no limit.
        revision_history_limit: Option<i64> = "revisionHistoryLimit",
        /// Not read: it must match the labels of the template.
        selector: Option<Value> = "selector",
        /// The Pod template.
        template: Option<PodTemplateDoc> = "template",
    }
}

record! {
    /// `updateStrategy` of a DaemonSet.
    record NodeStrategyDoc {
        /// `RollingUpdate` (default) or `OnDelete`.
        kind: Option<String> = "type",
        /// Only with `RollingUpdate`.
        rolling_update: Option<NodeUpdateDoc> = "rollingUpdate",
    }
}

record! {
    /// `rollingUpdate` of a DaemonSet.
    record NodeUpdateDoc {
        /// Default 0.
        max_surge: Option<IntOrString> = "maxSurge",
        /// Default 1.
        max_unavailable: Option<IntOrString> = "maxUnavailable",
    }
}

record! {
    /// Feature gates of the cluster that a workload depends on.
    member FeatureGates {
        /// A StatefulSet's `maxUnavailable` is read. Default false: it was off in most releases.
        max_unavailable: Option<bool> = "MaxUnavailableStatefulSet",
    }
}

//! What people do to a rollout, beside what every platform knows.

use super::params::IntOrPercent;
use crate::settings::TaskName;

/// An act on a Kubernetes workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolloutAct {
    /// `kubectl rollout pause`
    Pause,
    /// `kubectl rollout resume`
    Resume,
    /// `kubectl rollout undo`
    Undo {
        /// `--to-revision`; absent: the second highest.
        to: Option<u32>,
    },
    /// `rollingUpdate` is changed; absent values stay. No effect with Recreate.
    SetStrategy {
        /// `maxSurge`
        max_surge: Option<IntOrPercent>,
        /// `maxUnavailable`
        max_unavailable: Option<IntOrPercent>,
    },
    /// `pods` of the ResourceQuota is changed.
    SetQuota {
        /// Pods from here on.
        pods: u32,
    },
    /// The process fails its readiness checks for a while.
    Unready {
        /// Which Pod; absent: every one that runs.
        pod: Option<TaskName>,
        /// Milliseconds.
        for_ms: u64,
    },
    /// `rollingUpdate.partition` of a StatefulSet is changed; nothing else has one.
    SetPartition {
        /// Ordinals below it stay.
        partition: u32,
    },
}

//! Configuration of a Kubernetes Deployment as far as its controllers and the kubelet read it.

use alloc::vec::Vec;

use crate::time::SimTime;

/// `progressDeadlineSeconds` and `revisionHistoryLimit` with this value mean "none".
/// Source: kubernetes/kubernetes pkg/controller/deployment/util/deployment_util.go, `HasProgressDeadline`.
pub const UNLIMITED: u32 = i32::MAX as u32;

/// A whole number or a percentage of `replicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntOrPercent {
    /// So many Pods.
    Int(u32),
    /// Percent of `replicas`, 0 and up.
    Percent(u32),
}

impl IntOrPercent {
    /// True for `0` and for `0%`.
    pub const fn is_zero(self) -> bool {
        matches!(self, IntOrPercent::Int(0) | IntOrPercent::Percent(0))
    }
}

/// `strategy` of the Deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// `RollingUpdate`
    RollingUpdate {
        /// `maxSurge`: Pods above `replicas`; percentages round up. Default 25%.
        max_surge: Option<IntOrPercent>,
        /// `maxUnavailable`: Pods below `replicas`; percentages round down. Default 25%.
        max_unavailable: Option<IntOrPercent>,
    },
    /// `Recreate`: every old Pod goes first.
    Recreate,
}

impl Default for Strategy {
    /// Source: pkg/apis/apps/v1/defaults.go, `SetDefaults_Deployment`.
    fn default() -> Self {
        let quarter = Some(IntOrPercent::Percent(25));
        Strategy::RollingUpdate { max_surge: quarter, max_unavailable: quarter }
    }
}

/// The Deployment's own fields and its Pod template's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// `replicas`, 0 and up. Default 1.
    pub replicas: u32,
    /// `strategy`. Default RollingUpdate 25%/25%.
    pub strategy: Strategy,
    /// `minReadySeconds` in milliseconds. Default 0.
    pub min_ready_ms: u64,
    /// `progressDeadlineSeconds` in milliseconds; absent: no deadline. Default 600 s.
    pub progress_deadline_ms: Option<u64>,
    /// `revisionHistoryLimit`; absent: unlimited. Default 10.
    pub revision_history_limit: Option<u32>,
    /// `paused`. Default false.
    pub paused: bool,
    /// What the Pod template says of each Pod.
    pub pod: PodSpec,
    /// `pods` of a ResourceQuota over time, ascending; before the first step there is none. What other
    /// workloads of the namespace use is taken off already.
    pub quota: Vec<(SimTime, u32)>,
}

/// The Pod template as far as the kubelet reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PodSpec {
    /// `terminationGracePeriodSeconds` in milliseconds. Default 30 s.
    pub grace_ms: u64,
    /// `lifecycle.preStop.sleep.seconds` in milliseconds; absent: no hook. Default none.
    pub pre_stop_ms: Option<u64>,
    /// `startupProbe`; absent: counts as passed.
    pub startup: Option<ProbeParams>,
    /// `readinessProbe`; absent: ready when the container runs.
    pub readiness: Option<ProbeParams>,
    /// `livenessProbe`; absent: counts as passed.
    pub liveness: Option<ProbeParams>,
    /// From a Pod's deletion until nothing sends it requests any more, in milliseconds. No figure is
    /// documented. Default 2 s, as for proxies inside the cluster.
    pub propagation_ms: u64,
}

impl Default for PodSpec {
    fn default() -> Self {
        PodSpec {
            grace_ms: 30_000,
            pre_stop_ms: None,
            startup: None,
            readiness: None,
            liveness: None,
            propagation_ms: 2_000,
        }
    }
}

/// A probe. Defaults: pkg/apis/core/v1/defaults.go, `SetDefaults_Probe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProbeParams {
    /// `initialDelaySeconds` in milliseconds. Default 0.
    pub initial_delay_ms: u64,
    /// `periodSeconds` in milliseconds. Default 10 s.
    pub period_ms: u64,
    /// `timeoutSeconds` in milliseconds. Default 1 s.
    pub timeout_ms: u64,
    /// `successThreshold`. Default 1; always 1 for startup and liveness.
    pub success_threshold: u32,
    /// `failureThreshold`. Default 3.
    pub failure_threshold: u32,
    /// `terminationGracePeriodSeconds` of the probe itself in milliseconds; absent: the Pod's.
    pub grace_ms: Option<u64>,
}

impl Default for ProbeParams {
    fn default() -> Self {
        ProbeParams {
            initial_delay_ms: 0,
            period_ms: 10_000,
            timeout_ms: 1_000,
            success_threshold: 1,
            failure_threshold: 3,
            grace_ms: None,
        }
    }
}

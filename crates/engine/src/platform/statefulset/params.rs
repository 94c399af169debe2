//! Configuration of a StatefulSet as far as its controller reads it.

use crate::platform::kubernetes::{self, IntOrPercent};

/// A StatefulSet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// What every workload has: replicas, minReadySeconds, history, Pod template, quota. A StatefulSet has no
    /// strategy of a Deployment, no progress deadline and no pause flag: those are not read.
    pub common: kubernetes::Params,
    /// What only a StatefulSet has.
    pub own: OrdinalParams,
}

/// What only a StatefulSet has. Source of the defaults: pkg/apis/apps/v1/defaults.go,
/// `SetDefaults_StatefulSet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct OrdinalParams {
    /// `podManagementPolicy` is Parallel. Default false: OrderedReady.
    pub parallel: bool,
    /// `updateStrategy.type` is OnDelete. Default false: RollingUpdate.
    pub on_delete: bool,
    /// `rollingUpdate.partition`: ordinals below it stay at the current revision. Default 0.
    pub partition: u32,
    /// `rollingUpdate.maxUnavailable`; percentages round down, at least 1. Absent: 1.
    pub max_unavailable: Option<IntOrPercent>,
    /// The cluster reads `maxUnavailable` (feature gate MaxUnavailableStatefulSet). Default false: it was
    /// alpha and off up to 1.34, and switched off again in patches of 1.35 and in 1.36.
    pub gate: bool,
    /// `ordinals.start`: the first ordinal. Default 0.
    pub first: u32,
}

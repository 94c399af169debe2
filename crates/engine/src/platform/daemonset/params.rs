//! Configuration of a DaemonSet as far as its controller reads it.

use crate::platform::kubernetes::{self, IntOrPercent};

/// A DaemonSet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// What every workload has. `replicas` is the number of nodes that should run a Pod; a DaemonSet has no
    /// strategy of a Deployment, no progress deadline and no pause flag: those are not read.
    pub common: kubernetes::Params,
    /// What only a DaemonSet has.
    pub own: NodeParams,
}

/// What only a DaemonSet has. Source of the defaults: pkg/apis/apps/v1/defaults.go, `SetDefaults_DaemonSet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeParams {
    /// `updateStrategy.type` is OnDelete. Default false: RollingUpdate.
    pub on_delete: bool,
    /// `rollingUpdate.maxSurge`, of the nodes; percentages round up. Default 0.
    pub max_surge: IntOrPercent,
    /// `rollingUpdate.maxUnavailable`, of the nodes; percentages round up. Default 1.
    pub max_unavailable: IntOrPercent,
}

impl Default for NodeParams {
    fn default() -> Self {
        NodeParams { on_delete: false, max_surge: IntOrPercent::Int(0), max_unavailable: IntOrPercent::Int(1) }
    }
}

//! Rules of a node: how many may be replaced at once, and what a node's Pods make of it.

use super::params::NodeParams;
use crate::platform::kubernetes::IntOrPercent;

/// `maxSurge` and `maxUnavailable` as nodes: both percentages round up; when both come out as 0 the second
/// becomes 1.
///
/// Source: pkg/controller/daemon/update.go, `updatedDesiredNodeCounts`, with util/daemonset_util.go,
/// `SurgeCount` and `UnavailableCount`.
///
/// Example: 10% of 24 nodes is 3 (a Deployment would round down to 2).
pub fn node_counts(own: &NodeParams, nodes: u32) -> (u32, u32) {
    let resolve = |value: IntOrPercent| match value {
        IntOrPercent::Int(n) => n,
        IntOrPercent::Percent(percent) => {
            u32::try_from((u64::from(percent) * u64::from(nodes)).div_ceil(100)).unwrap_or(u32::MAX)
        }
    };
    let (surge, unavailable) = (resolve(own.max_surge), resolve(own.max_unavailable));
    (surge, if surge == 0 && unavailable == 0 { 1 } else { unavailable })
}

/// What the Pods of a node make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeClass {
    /// No Pod.
    Empty,
    /// Only terminating ones.
    Leaving,
    /// An old Pod that is available.
    OldAvailable,
    /// An old Pod that is not.
    OldDown,
    /// A new Pod that is not available.
    NewDown,
    /// A new Pod that is available.
    NewAvailable,
    /// Old and new: the new one is not available yet, the old one is ready.
    Surging,
    /// Old and new: the new one is available, or the old one is not ready any more; the old one goes.
    Surged,
    /// More Pods of one kind than one: the younger ones go.
    Extra,
    /// The node does not run the daemon any more: its Pods go.
    Unwanted,
}

/// How many there are.
pub const CLASSES: usize = 10;

/// The Pods of a node that are not terminating, and whether there are terminating ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct NodePods {
    /// Pods of the DaemonSet's template.
    pub new: u32,
    /// Of those, available ones.
    pub new_available: u32,
    /// Pods of other templates.
    pub old: u32,
    /// Of those, ready ones.
    pub old_ready: u32,
    /// Of those, available ones.
    pub old_available: u32,
    /// Terminating Pods.
    pub terminating: u32,
}

/// The class of a node that should run the daemon. Without surge two Pods are one too many.
///
/// Source: update.go, `findUpdatedPodsOnNode`; daemon_controller.go, `podsShouldBeOnNode`.
///
/// Example: a new Pod that is available beside an old one: the old one goes.
pub fn class_of(pods: NodePods, surge: bool) -> NodeClass {
    match (pods.old, pods.new) {
        (0, 0) if pods.terminating > 0 => NodeClass::Leaving,
        (0, 0) => NodeClass::Empty,
        (1, 0) if pods.old_available > 0 => NodeClass::OldAvailable,
        (1, 0) => NodeClass::OldDown,
        (0, 1) if pods.new_available > 0 => NodeClass::NewAvailable,
        (0, 1) => NodeClass::NewDown,
        (1, 1) if surge && (pods.new_available > 0 || pods.old_ready == 0) => NodeClass::Surged,
        (1, 1) if surge => NodeClass::Surging,
        _ => NodeClass::Extra,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_round_up_and_never_both_are_zero() {
        let (int, percent) = (IntOrPercent::Int, IntOrPercent::Percent);
        for (surge, unavailable, nodes, expected) in [
            (int(0), int(1), 2, (0, 1)),
            (int(0), int(0), 2, (0, 1)),
            (int(0), percent(0), 5, (0, 1)),
            (int(0), percent(50), 2, (0, 1)),
            (percent(50), int(0), 2, (1, 0)),
            (int(0), percent(50), 3, (0, 2)),
            (int(0), percent(10), 5, (0, 1)),
            (int(0), percent(10), 24, (0, 3)),
            (int(0), percent(10), 164, (0, 17)),
        ] {
            let own = NodeParams { max_surge: surge, max_unavailable: unavailable, on_delete: false };
            assert_eq!(node_counts(&own, nodes), expected, "{surge:?} {unavailable:?} of {nodes}");
        }
    }

    #[test]
    fn a_node_is_what_its_pods_are() {
        let old =
            |ready, available| NodePods { old: 1, old_ready: ready, old_available: available, ..NodePods::default() };
        let both = |new_available, old_ready| NodePods {
            new: 1,
            new_available,
            old: 1,
            old_ready,
            old_available: old_ready,
            terminating: 0,
        };
        for (pods, surge, expected) in [
            (NodePods::default(), false, NodeClass::Empty),
            (NodePods { terminating: 1, ..NodePods::default() }, true, NodeClass::Leaving),
            (old(1, 1), false, NodeClass::OldAvailable),
            (old(1, 0), true, NodeClass::OldDown),
            (NodePods { new: 1, terminating: 1, ..NodePods::default() }, true, NodeClass::NewDown),
            (NodePods { new: 1, new_available: 1, ..NodePods::default() }, true, NodeClass::NewAvailable),
            (both(0, 1), true, NodeClass::Surging),
            (both(1, 1), true, NodeClass::Surged),
            (both(0, 0), true, NodeClass::Surged),
            (both(0, 1), false, NodeClass::Extra),
            (NodePods { old: 2, ..NodePods::default() }, true, NodeClass::Extra),
        ] {
            assert_eq!(class_of(pods, surge), expected, "{pods:?} {surge}");
        }
    }
}

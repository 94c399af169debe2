//! Names in JSON.

use rollscope_engine::kubernetes::{PlaceReason, RemoveReason};
use rollscope_engine::platform::{daemonset, statefulset};
use rollscope_scenario::Value;

use super::outcome::BlockedBy;
use crate::kubernetes::stalled_by_name;

/// `blocked_by`
pub const fn blocked_by(why: BlockedBy) -> &'static str {
    match why {
        BlockedBy::Partition => "partition",
        BlockedBy::OnDelete => "on_delete",
        BlockedBy::OutdatedPod { .. } => "outdated_pod",
        BlockedBy::Pods(why) => stalled_by_name(why),
    }
}

fn numbers<const N: usize>(rows: [(&'static str, u32); N]) -> Value {
    Value::object(rows.map(|(key, n)| (key, Value::from(n))))
}

/// `reason` and `numbers` of a Pod that is created.
pub fn placed(reason: &PlaceReason) -> (&'static str, Value) {
    use daemonset::CreateReason::{EmptyNode, OldDown, Surge};
    use statefulset::CreateReason::{BelowPartition, Missing};
    match *reason {
        PlaceReason::Ordinal(Missing) => ("missing", numbers([])),
        PlaceReason::Ordinal(BelowPartition { partition }) => ("below_partition", numbers([("partition", partition)])),
        PlaceReason::Node(EmptyNode) => ("empty_node", numbers([])),
        PlaceReason::Node(Surge { surging, max_surge }) => {
            ("surge", numbers([("surging", surging), ("max_surge", max_surge)]))
        }
        PlaceReason::Node(OldDown) => ("old_unavailable", numbers([])),
    }
}

/// The same of one that is deleted.
pub fn removed(reason: &RemoveReason) -> (&'static str, Value) {
    use daemonset::DeleteReason as Node;
    use statefulset::DeleteReason as Ordinal;
    match *reason {
        RemoveReason::Ordinal(Ordinal::Condemned { replicas }) => ("condemned", numbers([("replicas", replicas)])),
        RemoveReason::Ordinal(Ordinal::Outdated { unavailable, max_unavailable })
        | RemoveReason::Node(Node::Outdated { unavailable, max_unavailable }) => {
            ("outdated", numbers([("unavailable", unavailable), ("max_unavailable", max_unavailable)]))
        }
        RemoveReason::Ordinal(Ordinal::OutdatedAndDown) | RemoveReason::Node(Node::OldDown) => {
            ("outdated_unavailable", numbers([]))
        }
        RemoveReason::Node(Node::Succeeded) => ("succeeded", numbers([])),
        RemoveReason::Node(Node::Extra) => ("extra", numbers([])),
        RemoveReason::Node(Node::NodeGone) => ("node_gone", numbers([])),
    }
}

//! One pass of the controller of a DaemonSet: first one Pod for every node, then the update. The caller carries
//! the actions out and asks again until a pass has none.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::params::NodeParams;
use super::rules_node::{CLASSES, NodeClass, node_counts};

/// Nodes by class, lowest number first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Nodes {
    classes: [BTreeSet<u32>; CLASSES],
}

impl Nodes {
    /// The nodes of a class.
    pub fn of(&self, class: NodeClass) -> &BTreeSet<u32> {
        &self.classes[class as usize]
    }

    /// How many there are of a class.
    pub fn count(&self, class: NodeClass) -> u32 {
        self.of(class).len() as u32
    }

    /// The node is of this class from here on; absent: it is none of ours.
    pub fn put(&mut self, node: u32, before: Option<NodeClass>, now: Option<NodeClass>) {
        if let Some(class) = before {
            self.classes[class as usize].remove(&node);
        }
        if let Some(class) = now {
            self.classes[class as usize].insert(node);
        }
    }

    /// Nodes that count against `maxUnavailable`: all but those with one old Pod, and those whose new Pod is
    /// available. (An old Pod that is not available is replaced without asking.)
    pub fn unavailable(&self) -> u32 {
        use NodeClass::{Empty, Extra, Leaving, NewDown, Surged, Surging};
        [Empty, Leaving, NewDown, Surging, Surged, Extra].into_iter().map(|class| self.count(class)).sum()
    }
}

/// Why a node gets a Pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CreateReason {
    /// It has none.
    EmptyNode,
    /// A new one beside the old one, within `maxSurge`.
    Surge {
        /// Nodes that had two before this pass.
        surging: u32,
        /// `maxSurge`
        max_surge: u32,
    },
    /// The old one is not available anyway: `maxSurge` is not asked.
    OldDown,
}

/// Why a Pod goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteReason {
    /// It is old, and its node's turn.
    Outdated {
        /// Nodes that counted as unavailable before this pass.
        unavailable: u32,
        /// `maxUnavailable`
        max_unavailable: u32,
    },
    /// It is old and not available anyway: `maxUnavailable` is not asked.
    OldDown,
    /// Its successor on the node is available, or it is not ready itself any more.
    Succeeded,
    /// The node has another one of its kind that is older.
    Extra,
    /// The node does not run the daemon any more.
    NodeGone,
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A Pod of the DaemonSet's template for this node.
    Create {
        /// Node.
        node: u32,
        /// Why.
        reason: CreateReason,
    },
    /// The old Pod of this node goes; for [`DeleteReason::Extra`] the younger ones of each kind, for
    /// [`DeleteReason::NodeGone`] all of them.
    Delete {
        /// Node.
        node: u32,
        /// Why.
        reason: DeleteReason,
    },
}

/// Why a pass does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Every node has one new Pod that is available.
    Done,
    /// Old Pods have to be gone before their nodes get new ones.
    Terminating {
        /// Nodes.
        nodes: u32,
    },
    /// As many nodes are being replaced as may be: their new Pods are not available.
    Budget {
        /// Nodes that count.
        unavailable: u32,
        /// `maxUnavailable`, or `maxSurge` with surge.
        most: u32,
        /// With surge: the old Pods run beside them.
        surge: bool,
    },
    /// Nothing old is left to replace; new Pods are not available.
    NewDown {
        /// Nodes.
        nodes: u32,
    },
    /// Nodes without a Pod: to create one was refused.
    Refused {
        /// Nodes.
        nodes: u32,
    },
    /// OnDelete: people delete the Pods.
    OnDelete {
        /// Nodes with an old Pod.
        outdated: u32,
    },
}

/// What a pass comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In this order; empty when it waits.
    pub actions: Vec<Action>,
    /// Why it does nothing.
    pub wait: Option<Wait>,
}

/// One pass for so many nodes. Nodes go in the order of their numbers (the source: in no certain one).
///
/// Source: daemon_controller.go, `manage`; update.go, `rollingUpdate`.
///
/// Example: 5 nodes, maxUnavailable 2: two Pods go; once they are gone both nodes get new ones; once those are
/// available the next two go.
pub fn reconcile(own: &NodeParams, nodes: u32, seen: &Nodes) -> Plan {
    let (surge, unavailable) = node_counts(own, nodes);
    let mut actions = manage(seen);
    // Whoever has just created waits for it before the update goes on.
    if actions.is_empty() && !own.on_delete {
        actions = if surge == 0 { replace(unavailable, seen) } else { surge_up(surge, seen) };
    }
    let wait = if actions.is_empty() { Some(still(own, surge, unavailable, seen)) } else { None };
    Plan { actions, wait }
}

/// Every node has what it should have.
fn manage(seen: &Nodes) -> Vec<Action> {
    let delete = |class, reason| seen.of(class).iter().map(move |node| Action::Delete { node: *node, reason });
    let empty = seen.of(NodeClass::Empty).iter();
    delete(NodeClass::Unwanted, DeleteReason::NodeGone)
        .chain(delete(NodeClass::Extra, DeleteReason::Extra))
        .chain(empty.map(|node| Action::Create { node: *node, reason: CreateReason::EmptyNode }))
        .collect()
}

/// Old Pods go, new ones come once they are gone.
fn replace(most: u32, seen: &Nodes) -> Vec<Action> {
    let unavailable = seen.unavailable();
    let down = seen.of(NodeClass::OldDown).iter();
    let down = down.map(|node| Action::Delete { node: *node, reason: DeleteReason::OldDown });
    let reason = DeleteReason::Outdated { unavailable, max_unavailable: most };
    let whole = seen.of(NodeClass::OldAvailable).iter().take(most.saturating_sub(unavailable) as usize);
    down.chain(whole.map(|node| Action::Delete { node: *node, reason })).collect()
}

/// New Pods come beside old ones, which go when the new ones are available.
fn surge_up(most: u32, seen: &Nodes) -> Vec<Action> {
    let surging = seen.count(NodeClass::Surging);
    let succeeded = seen.of(NodeClass::Surged).iter();
    let succeeded = succeeded.map(|node| Action::Delete { node: *node, reason: DeleteReason::Succeeded });
    let down = seen.of(NodeClass::OldDown).iter();
    let down = down.map(|node| Action::Create { node: *node, reason: CreateReason::OldDown });
    let reason = CreateReason::Surge { surging, max_surge: most };
    let whole = seen.of(NodeClass::OldAvailable).iter().take(most.saturating_sub(surging) as usize);
    succeeded.chain(down).chain(whole.map(|node| Action::Create { node: *node, reason })).collect()
}

fn still(own: &NodeParams, surge: u32, most: u32, seen: &Nodes) -> Wait {
    let (leaving, new_down) = (seen.count(NodeClass::Leaving), seen.count(NodeClass::NewDown));
    let (old, surging) = (seen.count(NodeClass::OldAvailable), seen.count(NodeClass::Surging));
    match () {
        () if leaving > 0 => Wait::Terminating { nodes: leaving },
        () if own.on_delete && old + seen.count(NodeClass::OldDown) > 0 => {
            Wait::OnDelete { outdated: old + seen.count(NodeClass::OldDown) }
        }
        () if surging > 0 => Wait::Budget { unavailable: surging, most: surge, surge: true },
        () if old > 0 => Wait::Budget { unavailable: seen.unavailable(), most, surge: false },
        () if new_down > 0 => Wait::NewDown { nodes: new_down },
        () => Wait::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::kubernetes::IntOrPercent;

    fn nodes(list: &[(u32, NodeClass)]) -> Nodes {
        let mut nodes = Nodes::default();
        for (node, class) in list {
            nodes.put(*node, None, Some(*class));
        }
        nodes
    }

    #[test]
    fn an_old_pod_that_is_down_goes_outside_the_budget() {
        let seen = nodes(&[(0, NodeClass::OldAvailable), (1, NodeClass::OldDown), (2, NodeClass::NewDown)]);
        let plan = reconcile(&NodeParams::default(), 3, &seen);
        assert_eq!(plan.actions, [Action::Delete { node: 1, reason: DeleteReason::OldDown }]);
        let surge = NodeParams {
            max_surge: IntOrPercent::Int(1),
            max_unavailable: IntOrPercent::Int(0),
            ..NodeParams::default()
        };
        let seen = nodes(&[(0, NodeClass::OldAvailable), (1, NodeClass::OldDown), (2, NodeClass::Surging)]);
        let plan = reconcile(&surge, 3, &seen);
        assert_eq!(plan.actions, [Action::Create { node: 1, reason: CreateReason::OldDown }]);
    }

    #[test]
    fn a_node_waits_until_its_pod_is_gone() {
        let seen = nodes(&[(0, NodeClass::Leaving), (1, NodeClass::OldAvailable)]);
        let plan = reconcile(&NodeParams::default(), 2, &seen);
        assert_eq!((plan.actions.len(), plan.wait), (0, Some(Wait::Terminating { nodes: 1 })));
    }

    #[test]
    fn a_surge_whose_old_pod_is_gone_counts_no_more() {
        let surge = NodeParams {
            max_surge: IntOrPercent::Int(1),
            max_unavailable: IntOrPercent::Int(0),
            ..NodeParams::default()
        };
        let seen = nodes(&[(0, NodeClass::NewDown), (1, NodeClass::OldAvailable)]);
        let reason = CreateReason::Surge { surging: 0, max_surge: 1 };
        assert_eq!(reconcile(&surge, 2, &seen).actions, [Action::Create { node: 1, reason }]);
    }

    #[test]
    fn on_delete_people_delete() {
        let own = NodeParams { on_delete: true, ..NodeParams::default() };
        let seen = nodes(&[(0, NodeClass::OldAvailable), (1, NodeClass::OldDown), (2, NodeClass::NewAvailable)]);
        assert_eq!(reconcile(&own, 3, &seen), Plan { actions: Vec::new(), wait: Some(Wait::OnDelete { outdated: 2 }) });
    }

    #[test]
    fn what_is_left_has_a_name() {
        let own = NodeParams::default();
        for (list, wait) in [
            (&[(0, NodeClass::NewAvailable)][..], Wait::Done),
            (&[(0, NodeClass::NewDown)], Wait::NewDown { nodes: 1 }),
            (
                &[(0, NodeClass::NewDown), (1, NodeClass::OldAvailable)],
                Wait::Budget { unavailable: 1, most: 1, surge: false },
            ),
        ] {
            assert_eq!(reconcile(&own, 2, &nodes(list)).wait, Some(wait));
        }
    }
}

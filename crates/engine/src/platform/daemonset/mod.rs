//! Kubernetes DaemonSet: configuration, rules and the order of decisions of its controller.
//!
//! Source of the order: kubernetes/kubernetes pkg/controller/daemon/daemon_controller.go (`manage`) and
//! update.go (`rollingUpdate`). Nodes stand in ordered sets by what their Pods are, so a pass costs what it does,
//! not the number of nodes.

pub mod params;
pub mod reconcile;
pub mod rules_node;

pub use params::{NodeParams, Params};
pub use reconcile::{Action, CreateReason, DeleteReason, Nodes, Plan, Wait, reconcile};
pub use rules_node::{CLASSES, NodeClass, NodePods, class_of, node_counts};

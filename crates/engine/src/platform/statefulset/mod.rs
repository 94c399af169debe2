//! Kubernetes StatefulSet: configuration, rules and the order of decisions of its controller.
//!
//! Source of the order: kubernetes/kubernetes pkg/controller/statefulset/stateful_set_control.go,
//! `updateStatefulSet`. Pods by their ordinal stand in ordered sets, so a pass costs the logarithm of their
//! number, not the number.

pub mod params;
pub mod reconcile;
pub mod rules_update;

pub use params::{OrdinalParams, Params};
pub use reconcile::{Action, CreateReason, DeleteReason, Ordinals, Plan, Wait, WaitsFor, reconcile};

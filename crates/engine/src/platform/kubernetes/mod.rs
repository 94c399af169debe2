//! Kubernetes Deployment: configuration, rules and the order of decisions of its controller.
//!
//! Source of the order: kubernetes/kubernetes pkg/controller/deployment/deployment_controller.go,
//! `syncDeployment`, with rolling.go, recreate.go, sync.go and progress.go.

mod act;
pub mod conditions;
pub mod params;
pub mod reconcile;
pub mod rules_fence;
pub mod rules_history;
pub mod rules_pod;
pub mod rules_progress;
pub mod rules_proportional;
pub mod rules_rolling;

pub use act::RolloutAct;
pub use conditions::{Because, Condition, ConditionKind, Conditions, Status, Truth};
pub use params::{IntOrPercent, Params, PodSpec, ProbeParams, Strategy, UNLIMITED};
pub use reconcile::{Action, Hold, Observed, Pass, SetId, SetView, SizeReason, reconcile};

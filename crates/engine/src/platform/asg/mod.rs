//! Amazon EC2 Auto Scaling: configuration, rules and the order of decisions of an instance refresh and of
//! the group around it.
//!
//! Sources: API `StartInstanceRefresh` (botocore, autoscaling/2011-01-01) and the user guide's pages on instance
//! refresh, instance maintenance policies, checkpoints, rollback and cancelling. Where they are silent the
//! reading is named beside the rule and in docs/instance-refresh.md.

pub mod params;
pub mod reconcile;
pub mod rules_checkpoint;
pub mod rules_size;
pub mod rules_time;
pub mod status;

pub use params::{Params, Preferences, ProtectedInstances, RefreshAct, StandbyInstances, StartCounts};
pub use reconcile::{Action, Hold, LaunchReason, Observed, Plan, Progress, StopReason, Tally, reconcile};
pub use rules_size::{Room, room};
pub use status::{Because, Blocked, NoObject, Status};

//! Azure virtual machine scale sets: configuration, rules and the order of decisions of a rolling upgrade.
//!
//! Sources: Azure documentation of rolling upgrade policies, MaxSurge and the application health extension; API
//! `RollingUpgradePolicy` and `RollingUpgradeStatusCode` (azure-mgmt-compute). Where they are silent the reading is
//! named beside the rule and in docs/machine-groups.md.

pub mod params;
pub mod reconcile;
pub mod rules_batch;
pub mod status;

pub use params::{Mode, Params};
pub use reconcile::{Observed, Upgrade, reconcile};
pub use rules_batch::{batch, too_many};
pub use status::{Breach, Status};

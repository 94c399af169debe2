//! Google Cloud managed instance groups: configuration, rules and the order of decisions of a rolling update.
//!
//! Sources: Compute Engine API (`InstanceGroupManagerUpdatePolicy`, discovery document of 2026-11-06), the reference of
//! `gcloud compute instance-groups managed rolling-action`, and the page on rolling out updates to managed
//! instance groups. Where they are silent the reading is named beside the rule and in docs/machine-groups.md.

pub mod params;
pub mod reconcile;
pub mod rules_size;

pub use params::{Autohealing, Params, Share};
pub use reconcile::{Observed, reconcile};
pub use rules_size::{Room, Unfit, accepts, canary, in_vms, room};

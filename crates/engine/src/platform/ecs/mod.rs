//! Amazon ECS, rolling update.

mod params;
mod reconcile;
pub mod rules;

pub use params::{Params, Readings};
pub use reconcile::{Action, Group, Observed, Plan, reconcile};

//! Amazon ECS, rolling update.

mod params;
mod reconcile;
pub mod rules;
pub mod rules_breaker;
pub mod rules_success;

pub use params::{ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Readings, Threshold};
pub use reconcile::{Action, Group, Observed, Plan, reconcile};

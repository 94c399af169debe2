//! Amazon ECS, rolling update.

mod observed;
mod params;
mod reconcile;
pub mod rules;
pub mod rules_breaker;
pub mod rules_daemon;
pub mod rules_placement;
pub mod rules_rebalance;
pub mod rules_success;

pub use observed::{Action, Group, Observed, Plan, Rollout, Room};
pub use params::{ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Readings, Threshold};
pub use reconcile::reconcile;

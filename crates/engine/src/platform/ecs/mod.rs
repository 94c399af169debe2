//! Amazon ECS: rolling updates, and deployments that shift traffic.

mod observed;
mod params;
mod reconcile;
mod reconcile_shift;
pub mod rules;
pub mod rules_breaker;
pub mod rules_daemon;
pub mod rules_hooks;
pub mod rules_placement;
pub mod rules_rebalance;
pub mod rules_shift;
pub mod rules_success;
pub mod strategy;

pub use observed::{Action, Group, HooksNow, Observed, Plan, Rollout, Room, ShiftView};
pub use params::{ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Readings, Threshold};
pub use reconcile::reconcile;
pub use reconcile_shift::reconcile_shift;
pub use strategy::{Shift, Strategy};

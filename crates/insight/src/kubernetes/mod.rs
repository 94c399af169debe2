//! What a run of a Kubernetes Deployment means, in Kubernetes' words.
//!
//! ```text
//! check(&Resolved) -> Check            the passes of the controllers at time 0
//! outcome(RunView) -> Outcome          how it ended, the figures, conditions, passes, revisions
//! kubectl::{rollout_status, get_rs, ..} what kubectl prints at a moment
//! skew(view) -> Skew                   which versions answer, and what one user meets
//! json::{check, run, add_events}       the rows that pipelines read
//! ```

mod check;
pub mod json;
pub mod kubectl;
mod names;
pub(crate) mod outcome;
mod skew;

pub use check::{Check, check};
pub use kubectl::{RolloutStatus, rollout_status};
pub(crate) use names::{pod_event as pod_event_name, stalled_by as stalled_by_name};
pub use outcome::{ConditionRow, Figures, Outcome, PassRow, StalledBy, outcome, stalled_by};
pub use skew::{Skew, skew, two_versions};

//! The limits of a rolling update, from the engine's own arithmetic.
//!
//! Nothing outside the engine multiplies a percentage; ruler, verdict and import ask here.

pub use rollscope_engine::platform::ecs::Threshold;
pub use rollscope_engine::platform::ecs::rules::{ceiling, floor};
pub use rollscope_engine::platform::ecs::rules_breaker::threshold;
use rollscope_engine::platform::ecs::rules_shift;
pub use rollscope_engine::platform::ecs::rules_success::gate;

/// Floor and ceiling of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// `desiredCount`.
    pub desired: u32,
    /// Healthy tasks that must remain: `desiredCount` times `minimumHealthyPercent`, rounded up.
    pub floor: u32,
    /// Tasks that may exist at once: `desiredCount` times `maximumPercent`, rounded down.
    pub ceiling: u32,
}

impl Limits {
    /// The limits of a desired count and two percentages.
    pub fn of(desired: u32, minimum_percent: u32, maximum_percent: u32) -> Limits {
        Limits { desired, floor: floor(desired, minimum_percent), ceiling: ceiling(desired, maximum_percent) }
    }

    /// The limits while traffic is shifted: both revisions in full.
    pub fn shifting(desired: u32) -> Limits {
        let limits = rules_shift::limits(desired);
        Limits { desired, floor: limits.floor, ceiling: limits.ceiling }
    }
}

/// What the `type` and `value` of a `thresholdConfiguration` say, each with its default.
pub fn threshold_of(kind: Option<&str>, value: Option<u32>) -> Option<Threshold> {
    let value = value.unwrap_or(50);
    match kind.unwrap_or("BOUNDED_PERCENT") {
        "COUNT" => Some(Threshold::Count(value)),
        "BOUNDED_PERCENT" => Some(Threshold::BoundedPercent(value)),
        "UNBOUNDED_PERCENT" => Some(Threshold::UnboundedPercent(value)),
        _ => None,
    }
}

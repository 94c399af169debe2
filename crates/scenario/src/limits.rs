//! The limits of a rolling update, from the engine's own arithmetic.
//!
//! Nothing outside the engine multiplies a percentage; ruler, verdict and import ask here.

pub use rollscope_engine::platform::ecs::rules::{ceiling, floor};

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
}

/// How the circuit breaker's threshold is given (`thresholdConfiguration`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// `COUNT`: this many failures, whatever the desired count.
    Count(u32),
    /// `BOUNDED_PERCENT`: this percentage of the desired count, at least 3 and at most 200. Default 50.
    Bounded(u32),
    /// `UNBOUNDED_PERCENT`: this percentage of the desired count, at least 1.
    Unbounded(u32),
}

impl Threshold {
    /// What the `type` and `value` of a configuration say, each with its default.
    pub fn of(kind: Option<&str>, value: Option<u32>) -> Option<Threshold> {
        let value = value.unwrap_or(50);
        match kind.unwrap_or("BOUNDED_PERCENT") {
            "COUNT" => Some(Threshold::Count(value)),
            "BOUNDED_PERCENT" => Some(Threshold::Bounded(value)),
            "UNBOUNDED_PERCENT" => Some(Threshold::Unbounded(value)),
            _ => None,
        }
    }

    /// Failures that trip it at a desired count. Percentages are rounded up like the floor:
    /// 50 percent of 25 tasks are 12.5, so 13. Source: Developer Guide, deployment-circuit-breaker.
    pub fn failures(self, desired: u32) -> u32 {
        match self {
            Threshold::Count(count) => count,
            Threshold::Bounded(percent) => floor(desired, percent).clamp(3, 200),
            Threshold::Unbounded(percent) => floor(desired, percent).max(1),
        }
    }
}

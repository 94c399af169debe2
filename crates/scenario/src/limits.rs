//! The two limits of a rolling update, from the engine's own arithmetic.
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

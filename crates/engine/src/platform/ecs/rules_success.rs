//! When a rollout counts as a success, as pure functions: gate, bake time, clean-up.

use super::rules;
use crate::time::{DAY, MINUTE, SECOND};

/// How long ECS goes on trying to stop source tasks after a deferred success: two weeks.
/// Source: Developer Guide, early-success-criteria.
pub const CLEANUP_MS: u64 = 14 * DAY;
/// Bake time when neither the configuration nor an alarm says how long. Not documented; ECS says
/// less than 5 minutes. Source: Developer Guide, deployment-alarm-failure.
pub const BAKE_MS: u64 = 3 * MINUTE;
/// Longest bake time that ECS chooses by itself.
pub const BAKE_CHOSEN_MAX_MS: u64 = 5 * MINUTE - SECOND;

/// Target tasks that must be healthy for an early success: a percentage of the latest desired
/// count, rounded up, and at least one.
///
/// 3 tasks at 50 % are 1.5, so 2; 1 task at 0 % is 1. Without any task wanted there is no gate: 0.
/// Source: Developer Guide, early-success-criteria.
pub fn gate(desired: u32, healthy_percent: u32) -> u32 {
    if desired == 0 { 0 } else { rules::floor(desired, healthy_percent).max(1) }
}

/// Bake time in milliseconds: as configured, else what the slowest alarm needs to notice
/// something, under 5 minutes, else 3 minutes.
///
/// Source: Developer Guide, deployment-alarm-failure.
pub fn bake_ms(configured: Option<u64>, slowest_alarm_ms: Option<u64>) -> u64 {
    let chosen = || slowest_alarm_ms.map_or(BAKE_MS, |ms| ms.min(BAKE_CHOSEN_MAX_MS));
    configured.unwrap_or_else(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates() {
        for (desired, percent, expected) in [
            (2, 50, 1),
            (3, 50, 2),
            (10, 80, 8),
            (100, 90, 90),
            (10, 100, 10),
            (1, 0, 1),
            (1, 1, 1),
            (7, 90, 7),
            (25, 56, 14),
            (100, 55, 55),
            (20, 80, 16),
            (5000, 99, 4950),
            (0, 90, 0),
        ] {
            assert_eq!(gate(desired, percent), expected, "{percent} % of {desired}");
        }
    }

    #[test]
    fn bake_times() {
        assert_eq!(bake_ms(Some(0), Some(120_000)), 0);
        assert_eq!(bake_ms(Some(600_000), None), 600_000);
        assert_eq!(bake_ms(None, Some(120_000)), 120_000);
        assert_eq!(bake_ms(None, Some(900_000)), 299_000);
        assert_eq!(bake_ms(None, None), 180_000);
    }
}

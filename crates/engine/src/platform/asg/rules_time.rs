//! How long things may take.

use crate::time::{DAY, HOUR, SECOND};

/// A refresh without progress for so long fails, in milliseconds.
///
/// Source: API `StandbyInstances`, `ScaleInProtectedInstances` ("waits one hour"); user guide,
/// troubleshooting of instance refreshes (health checks and launches that go on failing).
pub const NO_PROGRESS_MS: u64 = HOUR;
/// Longest refresh in milliseconds. Source: user guide, instance-refresh-overview.
pub const TOTAL_MS: u64 = 14 * DAY;
/// `CheckpointDelay` where percentages are given without one, in milliseconds. Source: API `CheckpointDelay`.
pub const CHECKPOINT_DELAY_MS: u64 = HOUR;
/// Longest `CheckpointDelay` and `BakeTime` in seconds. Source: API.
pub const WAIT_SECONDS_MAX: u32 = 172_800;

/// The warm-up that holds: that of the refresh, else the group's, else its grace period.
///
/// Source: API `InstanceWarmup`; user guide, understand-instance-refresh-default-values.
///
/// Example: none given, grace period 300 s: 300 s. A written 0 holds.
pub fn warm_up_ms(instance_warmup: Option<u64>, default_warmup: Option<u64>, grace_ms: u64) -> u64 {
    instance_warmup.or(default_warmup).unwrap_or(grace_ms)
}

/// From a launch that failed to the next attempt, in milliseconds: 10 s, twice as long each time, 5 min at
/// most [reading: no document gives the pace].
///
/// Example: after the third in a row 40 s.
pub fn launch_retry_ms(failures: u32) -> u64 {
    let doubled = (10 * SECOND) << failures.saturating_sub(1).min(5);
    doubled.min(300 * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_warm_up_that_is_given_holds() {
        for (own, group, grace, expected) in [
            (Some(7), Some(8), 9, 7),
            (None, Some(8), 9, 8),
            (None, None, 9, 9),
            (None, None, 0, 0),
            (Some(0), Some(8), 9, 0),
        ] {
            assert_eq!(warm_up_ms(own, group, grace), expected);
        }
    }

    #[test]
    fn launches_are_retried_ever_later() {
        for (failures, seconds) in [(0, 10), (1, 10), (2, 20), (3, 40), (5, 160), (6, 300), (40, 300)] {
            assert_eq!(launch_retry_ms(failures), seconds * SECOND, "{failures}");
        }
    }
}

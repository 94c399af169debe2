//! The circuit breaker's rules as pure functions: threshold, trip, what counts and what resets.

use super::params::Threshold;
use super::rules;

/// Fewest failures a bounded percentage can come to. Source: API `ThresholdType`.
pub const BOUND_LOW: u32 = 3;
/// Most failures a bounded percentage can come to. Source: API `ThresholdType`.
pub const BOUND_HIGH: u32 = 200;
/// Attempts to resolve the image digests of a deployment. Source: Developer Guide, deployment-type-ecs.
pub const DIGEST_ATTEMPTS: u32 = 3;
/// Pause between two of them, in milliseconds. Not documented.
pub const DIGEST_PAUSE_MS: u64 = 30_000;

/// Failures that trip the breaker at the latest desired count; percentages are rounded up.
///
/// 25 tasks at `BOUNDED_PERCENT` 50 are 12.5, so 13; 1 task would be 1 and is 3; 800 would be 400
/// and are 200, but 400 when unbounded. Source: Developer Guide, deployment-circuit-breaker. A
/// percentage of no tasks at all is at least one failure.
pub fn threshold(threshold: Threshold, desired: u32) -> u32 {
    match threshold {
        Threshold::Count(count) => count,
        Threshold::BoundedPercent(percent) => rules::floor(desired, percent).clamp(BOUND_LOW, BOUND_HIGH),
        Threshold::UnboundedPercent(percent) => rules::floor(desired, percent).max(1),
    }
}

/// Whether so many failures trip the breaker.
///
/// With a threshold of 3 two failures are survived and the third trips; a threshold that shrank
/// below the count (12 failures, 40 tasks become 20 at 50 %: 10) trips as well.
/// Source: Developer Guide, deployment-circuit-breaker.
pub const fn trips(count: u32, threshold: u32) -> bool {
    count >= 1 && count >= threshold
}

/// What happens to a task of the deployment that is rolled out, as the breaker sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// It stopped or was given up before RUNNING.
    NeverRan,
    /// The scheduler found no place for it, and nothing waits for one.
    NoPlace,
    /// It waits in PROVISIONING for capacity.
    WaitsForCapacity,
    /// A health check failed outside the grace period, so it is stopped.
    HealthCheck,
    /// A health check failed inside the grace period.
    InGrace,
    /// It has a health check, and a container exited before its first healthy result.
    ExitBeforeHealthy,
    /// It has no health check of any kind, and a container exited.
    ExitUnchecked,
    /// It had been healthy, and a container exited.
    ExitAfterHealthy,
    /// A person, the scheduler or the host stopped it.
    Routine,
    /// It became healthy; without any check: it is RUNNING.
    BecameHealthy,
}

/// What the breaker does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// One failure more.
    Count,
    /// The count is 0 again.
    Reset,
    /// Nothing.
    Nothing,
}

impl FailureKind {
    /// What counts and what resets; each line of the table below is one kind.
    ///
    /// A task that never reached RUNNING counts, one that a person stopped does not. Sources:
    /// Developer Guide, deployment-circuit-breaker; API `Deployment.failedTasks` and
    /// `DeploymentCircuitBreaker.resetOnHealthyTask`.
    pub const fn effect(self, reset_on_healthy_task: bool) -> Effect {
        match self {
            FailureKind::NeverRan
            | FailureKind::NoPlace
            | FailureKind::HealthCheck
            | FailureKind::ExitBeforeHealthy => Effect::Count,
            FailureKind::BecameHealthy if reset_on_healthy_task => Effect::Reset,
            FailureKind::BecameHealthy
            | FailureKind::WaitsForCapacity
            | FailureKind::InGrace
            | FailureKind::ExitUnchecked
            | FailureKind::ExitAfterHealthy
            | FailureKind::Routine => Effect::Nothing,
        }
    }

    /// It belongs to the first stage: a task that does not reach RUNNING.
    pub const fn before_running(self) -> bool {
        matches!(self, FailureKind::NeverRan | FailureKind::NoPlace | FailureKind::WaitsForCapacity)
    }

    /// What the exit of an essential container is: with checks it counts until the first healthy
    /// result, without any it never does.
    pub const fn of_exit(checked: bool, ever_healthy: bool) -> FailureKind {
        match (ever_healthy, checked) {
            (true, _) => FailureKind::ExitAfterHealthy,
            (false, true) => FailureKind::ExitBeforeHealthy,
            (false, false) => FailureKind::ExitUnchecked,
        }
    }
}

/// Pause between two launch attempts that found no place, after `attempts` of them in a row, in
/// milliseconds: the schedule of the launch throttle without its free attempts.
///
/// 30 s after the first one, then doubling up to 27 minutes. The spacing is not documented.
pub const fn placement_pause_ms(attempts: u32) -> u64 {
    rules::throttle_pause_ms(attempts.saturating_add(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Desired count, then BOUNDED 50, 1, 10, 25, 75, 100, UNBOUNDED 1, 10, 50, 100.
    const TABLE: &[[u32; 11]] = &[
        [0, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1],
        [1, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1],
        [2, 3, 3, 3, 3, 3, 3, 1, 1, 1, 2],
        [3, 3, 3, 3, 3, 3, 3, 1, 1, 2, 3],
        [4, 3, 3, 3, 3, 3, 4, 1, 1, 2, 4],
        [5, 3, 3, 3, 3, 4, 5, 1, 1, 3, 5],
        [6, 3, 3, 3, 3, 5, 6, 1, 1, 3, 6],
        [7, 4, 3, 3, 3, 6, 7, 1, 1, 4, 7],
        [8, 4, 3, 3, 3, 6, 8, 1, 1, 4, 8],
        [10, 5, 3, 3, 3, 8, 10, 1, 1, 5, 10],
        [12, 6, 3, 3, 3, 9, 12, 1, 2, 6, 12],
        [15, 8, 3, 3, 4, 12, 15, 1, 2, 8, 15],
        [20, 10, 3, 3, 5, 15, 20, 1, 2, 10, 20],
        [24, 12, 3, 3, 6, 18, 24, 1, 3, 12, 24],
        [25, 13, 3, 3, 7, 19, 25, 1, 3, 13, 25],
        [30, 15, 3, 3, 8, 23, 30, 1, 3, 15, 30],
        [40, 20, 3, 4, 10, 30, 40, 1, 4, 20, 40],
        [50, 25, 3, 5, 13, 38, 50, 1, 5, 25, 50],
        [60, 30, 3, 6, 15, 45, 60, 1, 6, 30, 60],
        [80, 40, 3, 8, 20, 60, 80, 1, 8, 40, 80],
        [99, 50, 3, 10, 25, 75, 99, 1, 10, 50, 99],
        [100, 50, 3, 10, 25, 75, 100, 1, 10, 50, 100],
        [150, 75, 3, 15, 38, 113, 150, 2, 15, 75, 150],
        [200, 100, 3, 20, 50, 150, 200, 2, 20, 100, 200],
        [250, 125, 3, 25, 63, 188, 200, 3, 25, 125, 250],
        [300, 150, 3, 30, 75, 200, 200, 3, 30, 150, 300],
        [399, 200, 4, 40, 100, 200, 200, 4, 40, 200, 399],
        [400, 200, 4, 40, 100, 200, 200, 4, 40, 200, 400],
        [401, 200, 5, 41, 101, 200, 200, 5, 41, 201, 401],
        [500, 200, 5, 50, 125, 200, 200, 5, 50, 250, 500],
        [800, 200, 8, 80, 200, 200, 200, 8, 80, 400, 800],
        [1000, 200, 10, 100, 200, 200, 200, 10, 100, 500, 1000],
        [2000, 200, 20, 200, 200, 200, 200, 20, 200, 1000, 2000],
        [5000, 200, 50, 200, 200, 200, 200, 50, 500, 2500, 5000],
    ];

    #[test]
    fn thresholds() {
        use Threshold::{BoundedPercent, Count, UnboundedPercent};
        let columns = [50, 1, 10, 25, 75, 100].map(BoundedPercent).into_iter();
        let columns: alloc::vec::Vec<_> = columns.chain([1, 10, 50, 100].map(UnboundedPercent)).collect();
        for row in TABLE {
            for (given, expected) in columns.iter().zip(&row[1..]) {
                assert_eq!(threshold(*given, row[0]), *expected, "{given:?} of {}", row[0]);
            }
            assert_eq!(threshold(Count(5), row[0]), 5);
        }
        // Percentages that a binary fraction would round the wrong way, and a count beyond every bound.
        assert_eq!(threshold(BoundedPercent(7), 100), 7);
        assert_eq!(threshold(UnboundedPercent(28), 25), 7);
        assert_eq!(threshold(Count(250), 4), 250);
        assert_eq!(threshold(Threshold::default(), 25), 13);
    }

    #[test]
    fn the_failure_that_reaches_the_threshold_trips() {
        for (count, threshold, expected) in
            [(0, 0, false), (2, 3, false), (3, 3, true), (12, 10, true), (1, 1, true), (0, 1, false)]
        {
            assert_eq!(trips(count, threshold), expected, "{count} of {threshold}");
        }
    }

    #[test]
    fn what_counts_and_what_resets() {
        use FailureKind::*;
        let table = [
            (NeverRan, Effect::Count, true),
            (NoPlace, Effect::Count, true),
            (WaitsForCapacity, Effect::Nothing, true),
            (HealthCheck, Effect::Count, false),
            (InGrace, Effect::Nothing, false),
            (ExitBeforeHealthy, Effect::Count, false),
            (ExitUnchecked, Effect::Nothing, false),
            (ExitAfterHealthy, Effect::Nothing, false),
            (Routine, Effect::Nothing, false),
            (BecameHealthy, Effect::Reset, false),
        ];
        for (kind, effect, first_stage) in table {
            assert_eq!(kind.effect(true), effect, "{kind:?}");
            assert_eq!(kind.before_running(), first_stage, "{kind:?}");
            let never_resets = if effect == Effect::Reset { Effect::Nothing } else { effect };
            assert_eq!(kind.effect(false), never_resets, "{kind:?}");
        }
        for (checked, ever_healthy, kind) in [
            (true, false, ExitBeforeHealthy),
            (false, false, ExitUnchecked),
            (true, true, ExitAfterHealthy),
            (false, true, ExitAfterHealthy),
        ] {
            assert_eq!(FailureKind::of_exit(checked, ever_healthy), kind);
        }
    }

    #[test]
    fn attempts_without_a_place_are_spaced() {
        let pauses: [u64; 8] = core::array::from_fn(|n| placement_pause_ms(n as u32 + 1) / 1000);
        assert_eq!(pauses, [30, 60, 120, 240, 480, 960, 1620, 1620]);
    }
}

//! The rules of the Amazon ECS scheduler as pure functions of numbers.
//!
//! Percentages are multiplied in 64 bits and divided as integers: turning a percentage into a
//! binary fraction first gives a wrong answer for ordinary inputs (50 tasks at 14 %).

/// Fewest tasks that must stay healthy: `desiredCount × minimumHealthyPercent`, rounded up.
///
/// 2 tasks at 75 % are 1.5, so 2. Source: API `DeploymentConfiguration.minimumHealthyPercent`.
pub const fn floor(desired: u32, minimum_healthy_percent: u32) -> u32 {
    (desired as u64 * minimum_healthy_percent as u64).div_ceil(100) as u32
}

/// Most tasks that may exist at once: `desiredCount × maximumPercent`, rounded down.
///
/// 3 tasks at 125 % are 3.75, so 3. Source: API `DeploymentConfiguration.maximumPercent`.
/// A maximum so large that the product leaves 32 bits means no ceiling at all.
pub const fn ceiling(desired: u32, maximum_percent: u32) -> u32 {
    let tasks = desired as u64 * maximum_percent as u64 / 100;
    if tasks > u32::MAX as u64 { u32::MAX } else { tasks as u32 }
}

/// Source tasks that are still required: no more than there are (those just lost included), and
/// no more than the floor lacks once the healthy target tasks are counted.
///
/// 4 old tasks, one of them just lost, 100 %, no new one healthy: 4, so one is made good.
/// Source: availability change of November 2025; Developer Guide, deployment-type-ecs.
pub const fn keep_source(active: u32, lost: u32, floor: u32, healthy_target: u32) -> u32 {
    min(active + lost, floor.saturating_sub(healthy_target))
}

/// Target tasks that start in one evaluation: what is missing, inside the ceiling.
///
/// 4 missing, 4 exist, ceiling 6: 2. Source: API `DeploymentConfiguration.maximumPercent`.
pub const fn target_start(need: u32, ceiling: u32, total: u32) -> u32 {
    min(need, ceiling.saturating_sub(total))
}

/// Healthy source tasks that may stop: those above the floor.
///
/// 6 healthy, floor 4, 4 of them old: 2. The floor protects the sum over all revisions.
/// Source: Developer Guide, deployment-type-ecs.
pub const fn source_stop(healthy: u32, floor: u32, healthy_source: u32) -> u32 {
    min(healthy_source, healthy.saturating_sub(floor))
}

/// Source tasks that are not healthy and may stop: those the floor does not wait for.
///
/// 2 starting old tasks, 3 healthy, floor 4: one of the two is still needed, so 1.
pub const fn source_not_needed(unready_source: u32, healthy: u32, floor: u32) -> u32 {
    unready_source.saturating_sub(floor.saturating_sub(healthy))
}

/// Unhealthy tasks that stop at once at the ceiling.
///
/// One by one (API `DeploymentConfiguration.maximumPercent`); with the switch
/// `unhealthy_batch` as many as there are above the desired count (8 desired, 12 exist: 4).
pub const fn stop_at_ceiling(batch: bool, total: u32, desired: u32) -> u32 {
    if batch && total > desired + 1 { total - desired } else { 1 }
}

/// Pause before the next launch after `failed_batches` launch batches in a row none of whose
/// tasks reached RUNNING, in milliseconds.
///
/// The guide gives only the longest pause, 27 minutes; the schedule here is three free
/// attempts, then 30 s, doubling. Source: Developer Guide, service-throttle-logic.
pub const fn throttle_pause_ms(failed_batches: u32) -> u64 {
    if failed_batches < 3 {
        return 0;
    }
    let doublings = if failed_batches - 3 > 6 { 6 } else { failed_batches - 3 };
    let pause = 30_000u64 << doublings;
    if pause > 1_620_000 { 1_620_000 } else { pause }
}

const fn min(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Desired, minimum, maximum, floor, ceiling.
    const LIMITS: &[(u32, u32, u32, u32, u32)] = &[
        (4, 100, 200, 4, 8),
        (2, 75, 200, 2, 4),
        (3, 100, 125, 3, 3),
        (1, 100, 150, 1, 1),
        (1, 0, 100, 0, 1),
        (5, 81, 119, 5, 5),
        (7, 33, 133, 3, 9),
        (50, 14, 100, 7, 50),
        (100, 7, 115, 7, 115),
        (25, 56, 100, 14, 25),
        (1000, 99, 101, 990, 1010),
        (0, 100, 200, 0, 0),
        (3, 100, 300, 3, 9),
        (20_000, 100, 4_000_000_000, 20_000, u32::MAX),
    ];

    #[test]
    fn floor_and_ceiling() {
        for &(desired, minimum, maximum, low, high) in LIMITS {
            assert_eq!(floor(desired, minimum), low, "floor of {desired} at {minimum} %");
            assert_eq!(ceiling(desired, maximum), high, "ceiling of {desired} at {maximum} %");
        }
    }

    #[test]
    fn keep_follows_the_floor() {
        // active, lost, floor, healthy target -> keep
        for (active, lost, low, target, keep) in
            [(3, 1, 4, 0, 4), (1, 1, 4, 4, 0), (3, 1, 4, 0, 4), (6, 4, 10, 0, 10), (6, 2, 5, 0, 5), (2, 0, 4, 1, 2)]
        {
            assert_eq!(keep_source(active, lost, low, target), keep);
        }
    }

    #[test]
    fn starts_and_stops() {
        assert_eq!(target_start(4, 6, 4), 2);
        assert_eq!(target_start(1, 6, 4), 1);
        assert_eq!(target_start(4, 4, 6), 0);
        assert_eq!(source_stop(6, 4, 4), 2);
        assert_eq!(source_stop(6, 4, 1), 1);
        assert_eq!(source_stop(3, 4, 3), 0);
        assert_eq!(source_not_needed(2, 3, 4), 1);
        assert_eq!(source_not_needed(2, 4, 4), 2);
        assert_eq!(source_not_needed(2, 0, 4), 0);
        assert_eq!(stop_at_ceiling(false, 12, 8), 1);
        assert_eq!(stop_at_ceiling(true, 12, 8), 4);
        assert_eq!(stop_at_ceiling(true, 8, 8), 1);
    }

    #[test]
    fn throttle_doubles_up_to_27_minutes() {
        let pauses: [u64; 11] = core::array::from_fn(|n| throttle_pause_ms(n as u32) / 1000);
        assert_eq!(pauses, [0, 0, 0, 30, 60, 120, 240, 480, 960, 1620, 1620]);
        assert_eq!(throttle_pause_ms(u32::MAX), 1_620_000);
    }
}

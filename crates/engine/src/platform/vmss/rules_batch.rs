//! How many machines a batch takes, and when too many are unhealthy.

/// Most machines of a batch: the percentage of all, rounded down (reading), at least one. As it is a maximum,
/// machines that are unhealthy already make a batch smaller, but never empty [reading of "can decrease"].
///
/// Source: API `RollingUpgradePolicy.maxBatchInstancePercent`.
///
/// Example: 20 % of 10: 2, of 4, 5: 1, of 12: 2; 40 % of 10 with 3 unhealthy: 1.
pub fn batch(total: u32, percent: u32, unhealthy: u32) -> u32 {
    let most = u64::from(total) * u64::from(percent) / 100;
    u32::try_from(most).unwrap_or(u32::MAX).saturating_sub(unhealthy).max(1)
}

/// More than `limit` percent are unhealthy: exactly as many are not too many.
///
/// Source: API `RollingUpgradePolicy` ("the maximum percentage"); error texts with both figures.
///
/// Example: 2 of 10 at 20 %: no; 3 of 10: yes; 1 of 2: yes; 1 of 1 at 10 %: yes.
pub fn too_many(unhealthy: u32, of: u32, limit: u32) -> bool {
    u64::from(unhealthy) * 100 > u64::from(of) * u64::from(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches() {
        for (total, percent, unhealthy, n) in [
            (10, 20, 0, 2),
            (4, 20, 0, 1),
            (5, 20, 0, 1),
            (12, 20, 0, 2),
            (4, 5, 0, 1),
            (10, 100, 0, 10),
            (10, 40, 3, 1),
            (10, 40, 1, 3),
            (10, 20, 9, 1),
        ] {
            assert_eq!(batch(total, percent, unhealthy), n, "{percent} % of {total} with {unhealthy}");
        }
    }

    #[test]
    fn a_limit_is_strict() {
        for (unhealthy, of, limit, stops) in [
            (2, 10, 20, false),
            (3, 10, 20, true),
            (1, 2, 20, true),
            (1, 1, 10, true),
            (1, 4, 20, true),
            (0, 0, 0, false),
            (1, 1, 100, false),
        ] {
            assert_eq!(too_many(unhealthy, of, limit), stops, "{unhealthy} of {of} at {limit}");
        }
    }
}

//! Percentages of a refresh and its checkpoints.

/// `PercentageComplete`: updated instances of those that take part; 100 of none.
///
/// Source: API `InstanceRefresh.PercentageComplete`.
///
/// Example: 1 of 3 is 33.
pub fn percent(updated: u32, of: u32) -> u32 {
    match of {
        0 => 100,
        _ => (u64::from(updated.min(of)) * 100 / u64::from(of)) as u32,
    }
}

/// The highest checkpoint that is reached; 0 for none. If one batch passes several, only this one is announced.
///
/// Source: user guide, asg-adding-checkpoints-instance-refresh.
///
/// Example: 10, 40, 100 at 50 % is 40.
pub fn reached(checkpoints: &[u32], percent: u32) -> u32 {
    checkpoints.iter().copied().rfind(|checkpoint| *checkpoint <= percent).unwrap_or(0)
}

/// Instances that may be updated before the refresh looks again: those that reach the next checkpoint.
/// Without one ahead there is no such bound.
///
/// Source: user guide, asg-adding-checkpoints-instance-refresh (80 % of 10 with checkpoint 50: "one more").
///
/// Example: 4 of 10 updated, next checkpoint 50: one more.
pub fn until_next(checkpoints: &[u32], updated: u32, of: u32) -> u32 {
    let next = checkpoints.iter().copied().find(|checkpoint| *checkpoint > percent(updated, of));
    next.map_or(u32::MAX, |next| {
        let needed = (u64::from(next) * u64::from(of)).div_ceil(100) as u32;
        needed.saturating_sub(updated).max(1)
    })
}

/// The refresh ends here: the last checkpoint is reached, also one below 100.
///
/// Source: user guide, asg-adding-checkpoints-instance-refresh: the last one must be 100 to replace everything.
pub fn ends_at(checkpoints: &[u32], percent: u32) -> bool {
    checkpoints.last().is_some_and(|last| percent >= *last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        for (updated, of, expected) in [(0, 4, 0), (1, 3, 33), (2, 4, 50), (4, 4, 100), (5, 4, 100), (0, 0, 100)] {
            assert_eq!(percent(updated, of), expected, "{updated} of {of}");
        }
    }

    #[test]
    fn checkpoints() {
        for (list, percent, expected) in [
            (&[10, 40, 100][..], 50, 40),
            (&[10, 40, 100], 9, 0),
            (&[10, 40, 100], 100, 100),
            (&[20, 50], 20, 20),
            (&[], 70, 0),
        ] {
            assert_eq!(reached(list, percent), expected, "{list:?} at {percent}");
        }
    }

    #[test]
    fn a_batch_stops_at_the_next_checkpoint() {
        for (list, updated, of, expected) in [
            (&[20, 50][..], 0, 10, 2),
            (&[20, 50], 2, 10, 3),
            (&[20, 50], 4, 10, 1),
            (&[10, 40, 100], 0, 2, 1),
            (&[10, 40, 100], 1, 2, 1),
            (&[1, 20], 0, 10, 1),
            (&[], 3, 10, u32::MAX),
            (&[50], 5, 10, u32::MAX),
        ] {
            assert_eq!(until_next(list, updated, of), expected, "{list:?} {updated} of {of}");
        }
    }

    #[test]
    fn the_last_one_ends_it() {
        assert!(ends_at(&[1, 20], 20) && ends_at(&[1, 20], 33) && !ends_at(&[1, 20], 19));
        assert!(!ends_at(&[], 100));
    }
}

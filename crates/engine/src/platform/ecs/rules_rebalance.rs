//! Rebalancing between availability zones as a pure function.

use crate::settings::ZONES;

/// From which zone to which one task should move; nothing when the zones are even.
///
/// Even means: the desired count divided over the zones in use, the remainder spread, so that no two
/// of them differ by more than one. 4 tasks as 3 and 1 in two zones: from the first to the second.
/// Source: Developer Guide, service-rebalancing.
pub fn moves(tasks: &[u32; ZONES], in_use: &[bool; ZONES]) -> Option<(usize, usize)> {
    let used = || (0..ZONES).filter(|z| in_use[*z]);
    let fullest = used().max_by_key(|z| (tasks[*z], core::cmp::Reverse(*z)))?;
    let emptiest = used().min_by_key(|z| (tasks[*z], *z))?;
    (tasks[fullest] >= tasks[emptiest] + 2).then_some((fullest, emptiest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_that_differ_by_two_are_evened_out() {
        for (tasks, in_use, expected) in [
            ([3, 1, 0], [true, true, false], Some((0, 1))),
            ([2, 1, 1], [true, true, true], None),
            ([2, 2, 0], [true, true, true], Some((0, 2))),
            ([2, 2, 0], [true, true, false], None),
            ([4, 0, 0], [true, false, false], None),
            ([0, 0, 0], [true, true, true], None),
            ([1, 3, 3], [true, true, true], Some((1, 0))),
        ] {
            assert_eq!(moves(&tasks, &in_use), expected, "{tasks:?} {in_use:?}");
        }
    }
}

//! Rebalancing between availability zones as a pure function.

use crate::settings::ZONES;

/// From which zone to which one task should move; nothing when the zones are as even as room allows.
///
/// Even means: the desired count divided over the zones in use, the remainder spread, so that no two
/// of them differ by more than one. 4 tasks as 3 and 1 in two zones: from the first to the second. A zone
/// without room is left out: of 4, 1 and 0 tasks with no room in the third, from the first to the second.
/// Each move makes the difference of two zones smaller, so there is an end to them.
/// Source: Developer Guide, service-rebalancing.
pub fn moves(tasks: &[u32; ZONES], in_use: &[bool; ZONES], has_room: &[bool; ZONES]) -> Option<(usize, usize)> {
    let used = || (0..ZONES).filter(|z| in_use[*z]);
    let fullest = used().max_by_key(|z| (tasks[*z], core::cmp::Reverse(*z)))?;
    let emptiest = used().filter(|z| has_room[*z]).min_by_key(|z| (tasks[*z], *z))?;
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
            assert_eq!(moves(&tasks, &in_use, &[true; ZONES]), expected, "{tasks:?} {in_use:?}");
        }
    }

    #[test]
    fn a_zone_without_room_is_left_out() {
        for (tasks, has_room, expected) in [
            ([4, 1, 0], [true, true, false], Some((0, 1))),
            ([2, 1, 0], [true, true, false], None),
            ([4, 0, 0], [true, false, false], None),
            ([4, 0, 0], [false, false, true], Some((0, 2))),
        ] {
            assert_eq!(moves(&tasks, &[true; ZONES], &has_room), expected, "{tasks:?} {has_room:?}");
        }
    }

    #[test]
    fn there_is_an_end_to_the_moves() {
        for n in 0..6u32.pow(3) {
            let mut tasks = [n % 6, n / 6 % 6, n / 36];
            let all: u32 = tasks.iter().sum();
            let mut left = all;
            while let Some((from, to)) = moves(&tasks, &[true; ZONES], &[true; ZONES]) {
                tasks[from] -= 1;
                tasks[to] += 1;
                left = left.checked_sub(1).expect("no more moves than tasks");
            }
            assert!(tasks.iter().max() <= tasks.iter().min().map(|least| least + 1).as_ref());
        }
    }
}

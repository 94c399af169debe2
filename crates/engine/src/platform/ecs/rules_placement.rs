//! Placement on EC2 as pure functions: which zone, and how many instances a group brings.

use crate::settings::ZONES;

/// The zone a task goes to: of those with room the one with fewest tasks of the service, of equal
/// ones the first.
///
/// 2, 1 and 1 tasks, room in the first and the third: the third.
/// Source: API `UpdateService` (spread over zones); Developer Guide, ecs_service-options.
pub fn zone(tasks: &[u32; ZONES], has_room: &[bool; ZONES]) -> Option<usize> {
    (0..ZONES).filter(|z| has_room[*z]).min_by_key(|z| (tasks[*z], *z))
}

/// Instances that a group orders for `waiting` tasks: as many as hold them, less those on their way,
/// and never more than the group may have.
///
/// 5 tasks wait, 2 fit on an instance: 3; one is on its way: 2; the group has 3 of at most 4: 1.
/// Source: Developer Guide, cluster-auto-scaling (the reservation aims at just enough).
pub const fn instances_wanted(waiting: u32, fit_each: u32, coming: u32, there: u32, most: u32) -> u32 {
    if fit_each == 0 {
        return 0;
    }
    let wanted = waiting.div_ceil(fit_each).saturating_sub(coming);
    let allowed = most.saturating_sub(there + coming);
    if wanted < allowed { wanted } else { allowed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_evened_out_where_there_is_room() {
        let cases: [([u32; 3], [bool; 3], Option<usize>); 5] = [
            ([2, 1, 1], [true, true, true], Some(1)),
            ([2, 1, 1], [true, false, true], Some(2)),
            ([2, 1, 1], [true, false, false], Some(0)),
            ([0, 0, 0], [true, true, true], Some(0)),
            ([0, 0, 0], [false, false, false], None),
        ];
        for (tasks, room, expected) in cases {
            assert_eq!(zone(&tasks, &room), expected, "{tasks:?} {room:?}");
        }
    }

    #[test]
    fn a_group_orders_just_enough() {
        // waiting, fit on each, coming, there, most -> ordered
        for (waiting, fit, coming, there, most, ordered) in [
            (5, 2, 0, 2, 10, 3),
            (5, 2, 1, 2, 10, 2),
            (5, 2, 0, 3, 4, 1),
            (5, 2, 3, 2, 10, 0),
            (0, 2, 0, 2, 10, 0),
            (5, 0, 0, 2, 10, 0),
            (5, 2, 0, 9, 4, 0),
        ] {
            assert_eq!(instances_wanted(waiting, fit, coming, there, most), ordered);
        }
    }
}

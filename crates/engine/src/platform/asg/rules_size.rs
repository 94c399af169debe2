//! How far a refresh may go below and above the desired capacity.

/// The room of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    /// Ready instances that a replacement leaves.
    pub floor: u32,
    /// Instances that there may be at once.
    pub ceiling: u32,
}

impl Room {
    /// Instances that one batch replaces at most.
    pub const fn batch(&self) -> u32 {
        self.ceiling - self.floor
    }
}

/// Floor and ceiling in instances. The minimum rounds up, the maximum down [reading: the documents are silent]. A
/// minimum of 100, and a written maximum without room between the two, launch first; an omitted maximum
/// terminates and launches together. One instance can always move.
///
/// Source: API `RefreshPreferences` (`MinHealthyPercentage`, `MaxHealthyPercentage`); user guide,
/// instance-maintenance-policy-overview-and-considerations.
///
/// Example: of 4, 90/omitted leaves 3 of at most 4; a written 90/100 leaves 4 of at most 5, as 100/100
/// does; 75/125 leaves 3 of at most 5; of 100, 90/120 leaves 90 of at most 120.
pub fn room(desired: u32, min: u32, max: Option<u32>) -> Room {
    let desired64 = u64::from(desired);
    let floor = (desired64 * u64::from(min.min(100))).div_ceil(100);
    let ceiling = desired64 * u64::from(max.unwrap_or(100).max(100)) / 100;
    let (floor, ceiling) = match () {
        () if desired == 0 => (0, 0),
        () if ceiling > floor => (floor, ceiling),
        () if min >= 100 || max.is_some() => (desired64, desired64 + 1),
        () => (desired64 - 1, desired64),
    };
    let whole = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Room { floor: whole(floor), ceiling: whole(ceiling) }
}

/// What one batch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Batch {
    /// Old instances that are not ready go first: they cost nothing.
    pub unready: u32,
    /// Old instances that are ready.
    pub ready: u32,
    /// New ones, among them those that come before an old one goes.
    pub launch: u32,
}

/// One batch at rest: what may be missing goes now and is launched at the same moment, what may be extra is
/// launched first. Both dials are used at once (reading).
///
/// Source: user guide, instance-refresh-overview ("How an instance refresh works").
///
/// Example: 75/125 of 4, all ready: one goes, two come. 100/100 of 4: none goes, one comes.
pub fn batch(room: Room, desired: u32, stale: (u32, u32), ready: u32, most: u32) -> Batch {
    let (stale_unready, stale_ready) = stale;
    let size = (stale_unready + stale_ready).min(room.batch()).min(most);
    let spare = ready.saturating_sub(room.floor);
    let going = size.min(stale_unready + spare);
    let unready = going.min(stale_unready);
    let first = (size - going).min(room.ceiling.saturating_sub(desired));
    Batch { unready, ready: (going - unready).min(stale_ready), launch: going + first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms() {
        for (desired, min, max, floor, ceiling) in [
            (100, 90, Some(120), 90, 120),
            (4, 90, None, 3, 4),
            (4, 90, Some(100), 4, 5),
            (4, 100, Some(100), 4, 5),
            (4, 100, None, 4, 5),
            (4, 50, Some(100), 2, 4),
            (4, 0, Some(100), 0, 4),
            (4, 100, Some(150), 4, 6),
            (4, 75, Some(125), 3, 5),
            (4, 100, Some(200), 4, 8),
            (10, 80, None, 8, 10),
            (1, 90, None, 0, 1),
            (1, 90, Some(100), 1, 2),
            (1, 100, Some(110), 1, 2),
            (3, 90, Some(110), 3, 4),
            (10, 90, Some(110), 9, 11),
            (0, 90, None, 0, 0),
            (u32::MAX, 100, Some(200), u32::MAX, u32::MAX),
        ] {
            assert_eq!(room(desired, min, max), Room { floor, ceiling }, "{desired} {min} {max:?}");
        }
    }

    #[test]
    fn every_room_moves_one() {
        for desired in 1..60 {
            for min in 0..=100 {
                for max in [None, Some(100), Some(110), Some(150), Some(200)] {
                    let room = room(desired, min, max);
                    assert!(room.batch() >= 1 && room.floor <= desired && room.ceiling >= desired, "{desired} {min}");
                    let batch = batch(room, desired, (0, desired), desired, u32::MAX);
                    assert!(batch.launch >= 1 && desired - batch.ready >= room.floor);
                    assert!(desired - batch.ready + batch.launch <= room.ceiling);
                }
            }
        }
    }

    #[test]
    fn batches() {
        let of = |unready, ready, launch| Batch { unready, ready, launch };
        for (room, desired, stale, ready, most, expected) in [
            (Room { floor: 3, ceiling: 5 }, 4, (0, 4), 4, u32::MAX, of(0, 1, 2)),
            (Room { floor: 4, ceiling: 5 }, 4, (0, 4), 4, u32::MAX, of(0, 0, 1)),
            (Room { floor: 3, ceiling: 4 }, 4, (0, 4), 4, u32::MAX, of(0, 1, 1)),
            // One is failing: it goes, and no other one.
            (Room { floor: 3, ceiling: 4 }, 4, (1, 3), 3, u32::MAX, of(1, 0, 1)),
            // Nothing is spare.
            (Room { floor: 3, ceiling: 4 }, 4, (0, 3), 3, u32::MAX, of(0, 0, 0)),
            // A checkpoint bounds it.
            (Room { floor: 8, ceiling: 10 }, 10, (0, 6), 10, 1, of(0, 1, 1)),
            (Room { floor: 90, ceiling: 120 }, 100, (0, 100), 100, u32::MAX, of(0, 10, 30)),
        ] {
            assert_eq!(batch(room, desired, stale, ready, most), expected, "{room:?} {stale:?}");
        }
    }
}

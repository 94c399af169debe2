//! How far an update may go above and below the target size.

use super::params::Share;

/// Machines that a percentage needs at least in a group.
pub const PERCENT_FROM: u32 = 10;

/// The room of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    /// Available machines that an update leaves.
    pub floor: u32,
    /// Machines that there may be at once.
    pub ceiling: u32,
}

/// Why the API takes a dial not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unfit {
    /// A percentage of a group with fewer than ten machines.
    PercentNeedsTen,
    /// A fixed value of a regional group: 0, or at least one machine a zone.
    BelowZones,
}

/// `calculated`: a share in machines, a percentage rounded up [reading: the API says rounded, an older text rounded
/// up].
///
/// Source: API `FixedOrPercent`.
///
/// Example: 80 % of 150 is 120; 20 % of 10 is 2; 15 % of 10 is 2.
pub fn in_vms(share: Share, size: u32) -> u32 {
    match share {
        Share::Fixed(n) => n,
        Share::Percent(percent) => {
            let up = (u64::from(size) * u64::from(percent)).div_ceil(100);
            u32::try_from(up).unwrap_or(u32::MAX)
        }
    }
}

/// Machines of a canary version: never more than the group has.
///
/// Source: API `InstanceGroupManagerVersion.targetSize`.
///
/// Example: fixed 20 of 10: 10; 60 % of 2: 2.
pub fn canary(share: Share, size: u32) -> u32 {
    in_vms(share, size).min(size)
}

/// Whether the API takes a dial.
///
/// Source: API `InstanceGroupManagerUpdatePolicy`: a percentage is allowed from ten machines on; a fixed value of a
/// regional group is 0 or at least the number of its zones.
///
/// Example: 20 % of 9: no, of 10: yes; fixed 1 over three zones: no, 0 or 3: yes.
pub fn accepts(share: Share, size: u32, zones: u8) -> Result<(), Unfit> {
    match share {
        Share::Percent(_) if size < PERCENT_FROM => Err(Unfit::PercentNeedsTen),
        Share::Fixed(n) if zones > 1 && n > 0 && n < u32::from(zones) => Err(Unfit::BelowZones),
        Share::Percent(_) | Share::Fixed(_) => Ok(()),
    }
}

/// Floor and ceiling in machines.
///
/// Source: API `InstanceGroupManagerUpdatePolicy` (`maxSurge`, `maxUnavailable`).
///
/// Example: 4 with 1/0 leaves 4 of at most 5; 0/1 leaves 3 of at most 4; 1/1 leaves 3 of at most 5.
pub fn room(size: u32, surge: Share, unavailable: Share) -> Room {
    let ceiling = if size == 0 { 0 } else { size.saturating_add(in_vms(surge, size)) };
    Room { floor: size.saturating_sub(in_vms(unavailable, size)), ceiling }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Share::{Fixed, Percent};

    #[test]
    fn shares_in_machines() {
        for (share, size, vms) in [
            (Percent(80), 150, 120),
            (Percent(20), 10, 2),
            (Percent(15), 10, 2),
            (Percent(0), 10, 0),
            (Percent(100), u32::MAX, u32::MAX),
            (Fixed(20), 10, 20),
        ] {
            assert_eq!(in_vms(share, size), vms, "{share:?} of {size}");
        }
        assert_eq!((canary(Fixed(20), 10), canary(Percent(60), 2), canary(Fixed(1), 4)), (10, 2, 1));
    }

    #[test]
    fn what_the_api_takes() {
        for (share, size, zones, answer) in [
            (Percent(20), 9, 1, Err(Unfit::PercentNeedsTen)),
            (Percent(20), 10, 1, Ok(())),
            (Percent(5), 10, 3, Ok(())),
            (Fixed(1), 4, 1, Ok(())),
            (Fixed(1), 30, 3, Err(Unfit::BelowZones)),
            (Fixed(2), 30, 3, Err(Unfit::BelowZones)),
            (Fixed(0), 30, 3, Ok(())),
            (Fixed(3), 3, 3, Ok(())),
        ] {
            assert_eq!(accepts(share, size, zones), answer, "{share:?} {size} {zones}");
        }
    }

    #[test]
    fn rooms() {
        for (size, surge, unavailable, floor, ceiling) in [
            (4, Fixed(1), Fixed(0), 4, 5),
            (4, Fixed(0), Fixed(1), 3, 4),
            (4, Fixed(1), Fixed(1), 3, 5),
            (1, Fixed(1), Fixed(1), 0, 2),
            (2, Fixed(0), Fixed(3), 0, 2),
            (10, Percent(25), Percent(25), 7, 13),
            (0, Fixed(3), Fixed(3), 0, 0),
        ] {
            assert_eq!(room(size, surge, unavailable), Room { floor, ceiling }, "{size} {surge:?} {unavailable:?}");
        }
    }
}

//! From how many tasks on two percentages move, where for the tasks there are they do not.

use core::ops::RangeInclusive;

use rollscope_engine::platform::ecs::rules;

/// What rounding does to percentages with which a rollout cannot move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorksFrom {
    /// Tasks wanted.
    pub desired: u32,
    /// `minimumHealthyPercent`
    pub minimum: u32,
    /// `maximumPercent`
    pub maximum: u32,
    /// With so many tasks and more the same percentages move.
    pub tasks: u32,
    /// Values of one of them, in per cent, that round to the same limit for the tasks there are.
    pub same: RangeInclusive<u32>,
    /// They are values of the maximum; false: of the minimum.
    pub of_maximum: bool,
}

/// Both limits leave nothing: no task more may exist, and no healthy one may stop.
const fn stuck(desired: u32, minimum: u32, maximum: u32) -> bool {
    rules::ceiling(desired, maximum) <= desired && rules::floor(desired, minimum) >= desired
}

/// Where a steady service moves with the same percentages. Room above and spare below only grow with the desired
/// count, so what holds for one number of tasks holds for every larger one. `None` where it moves already, and
/// where it never does.
///
/// 1 task at 100/150: from 2 tasks on, and for 1 every maximum from 100 % to 199 % is the same.
pub fn works_from(desired: u32, minimum: u32, maximum: u32) -> Option<WorksFrom> {
    if desired == 0 || !stuck(desired, minimum, maximum) {
        return None;
    }
    // At 100 tasks one per cent is a task.
    let tasks = (desired + 1..=100).find(|tasks| !stuck(*tasks, minimum, maximum))?;
    let of_maximum = maximum > 100;
    let (ceiling, floor) = (rules::ceiling(desired, maximum), rules::floor(desired, minimum));
    let same = if of_maximum {
        (100 * ceiling).div_ceil(desired)..=(100 * (ceiling + 1)).div_ceil(desired) - 1
    } else {
        100 * floor.saturating_sub(1) / desired + 1..=100 * floor / desired
    };
    Some(WorksFrom { desired, minimum, maximum, tasks, same, of_maximum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_says_from_when_on_it_moves() {
        for (desired, minimum, maximum, tasks, same, of_maximum) in [
            (1, 100, 150, 2, 100..=199, true),
            (1, 50, 100, 2, 1..=100, false),
            (3, 100, 125, 4, 100..=133, true),
            (2, 75, 100, 4, 51..=100, false),
            (1, 99, 101, 100, 100..=199, true),
        ] {
            let expected = WorksFrom { desired, minimum, maximum, tasks, same, of_maximum };
            assert_eq!(works_from(desired, minimum, maximum), Some(expected));
        }
        for (desired, minimum, maximum) in [(4, 100, 150), (4, 100, 100), (0, 100, 150), (1, 0, 100)] {
            assert_eq!(works_from(desired, minimum, maximum), None, "{desired} at {minimum}/{maximum}");
        }
    }

    #[test]
    fn what_is_said_holds_for_every_pair() {
        for (desired, minimum, maximum) in
            (1..=40).flat_map(|d| (0..=100).flat_map(move |low| (100..=200).map(move |high| (d, low, high))))
        {
            let Some(works) = works_from(desired, minimum, maximum) else { continue };
            assert!((desired..works.tasks).all(|tasks| stuck(tasks, minimum, maximum)));
            assert!((works.tasks..works.tasks + 120).all(|tasks| !stuck(tasks, minimum, maximum)));
            let limit = |percent: u32| {
                if works.of_maximum { rules::ceiling(desired, percent) } else { rules::floor(desired, percent) }
            };
            let (from, until) = (*works.same.start(), *works.same.end());
            let own = limit(if works.of_maximum { maximum } else { minimum });
            assert!(limit(from) == own && limit(until) == own, "{works:?}");
            assert!(limit(until + 1) != own && (from == 0 || limit(from - 1) != own), "{works:?}");
        }
    }
}

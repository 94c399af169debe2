//! The plain numbers of a moment, for the row above the chart and the arrow keys.

use rollscope_engine::frame::Counts;
use rollscope_engine::time::SimTime;

/// What the chart shows at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readout {
    /// The moment.
    pub at: SimTime,
    /// Healthy tasks of the new revision.
    pub new_healthy: u32,
    /// Healthy tasks of the old revision.
    pub old_healthy: u32,
    /// Healthy tasks of further revisions.
    pub third_healthy: u32,
    /// Tasks that are there and not healthy.
    pub not_serving: u32,
    /// Tasks that are there.
    pub total: u32,
    /// Healthy tasks that must remain.
    pub floor: u32,
    /// Tasks that may exist at once.
    pub ceiling: u32,
}

impl Readout {
    fn new(at: SimTime, counts: &Counts) -> Readout {
        let [old, new, third] = &counts.lanes;
        let total = counts.physical();
        Readout {
            at,
            new_healthy: new.healthy,
            old_healthy: old.healthy,
            third_healthy: third.healthy,
            not_serving: total - counts.healthy(),
            total,
            floor: counts.limits.floor,
            ceiling: counts.limits.ceiling,
        }
    }

    fn same(&self, other: &Readout) -> bool {
        *self == Readout { at: self.at, ..*other }
    }

    /// The numbers at a moment, exactly, from the samples of a run (ascending); `None` before the
    /// first one.
    pub fn at(samples: &[(SimTime, Counts)], moment: SimTime) -> Option<Readout> {
        let index = samples.partition_point(|(at, _)| *at <= moment).checked_sub(1)?;
        Some(Readout::new(moment, &samples[index].1))
    }

    /// The next moment at which one of the numbers changes, with its numbers.
    pub fn next(samples: &[(SimTime, Counts)], after: SimTime) -> Option<Readout> {
        let from = samples.partition_point(|(at, _)| *at <= after);
        let now = Readout::at(samples, after);
        let mut later = samples[from..].iter().map(|(at, counts)| Readout::new(*at, counts));
        later.find(|readout| now.is_none_or(|now| !now.same(readout)))
    }

    /// The moment before at which one of the numbers changed last, with its numbers.
    pub fn previous(samples: &[(SimTime, Counts)], before: SimTime) -> Option<Readout> {
        let mut index = samples.partition_point(|(at, _)| *at < before).checked_sub(1)?;
        let readout = |index: usize| Readout::new(samples[index].0, &samples[index].1);
        while index > 0 && readout(index).same(&readout(index - 1)) {
            index -= 1;
        }
        Some(readout(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::frame::{LaneCounts, Limits};

    fn counts(old: u32, new: u32, waiting: u32, starting: u32) -> Counts {
        let lane = |healthy, waiting, starting| LaneCounts { healthy, waiting, starting, ..LaneCounts::default() };
        Counts {
            lanes: [lane(old, 0, 0), lane(new, waiting, starting), LaneCounts::default()],
            counted: old + new + waiting + starting,
            limits: Limits { desired: 4, floor: 4, ceiling: 6 },
        }
    }

    #[test]
    fn numbers_hold_until_the_next_change_of_what_is_shown() {
        let samples = [
            (SimTime(10), counts(4, 0, 2, 0)),
            // Waiting or starting makes no difference here.
            (SimTime(20), counts(4, 0, 1, 1)),
            (SimTime(30), counts(4, 2, 0, 0)),
        ];
        let at = |moment| Readout::at(&samples, SimTime(moment));
        assert_eq!(at(9), None);
        let first = at(25).expect("it has begun");
        assert_eq!((first.at.0, first.old_healthy, first.not_serving, first.total), (25, 4, 2, 6));
        assert_eq!((first.floor, first.ceiling, first.third_healthy), (4, 6, 0));
        let next = |moment| Readout::next(&samples, SimTime(moment)).map(|r| (r.at.0, r.new_healthy));
        assert_eq!([next(0), next(10), next(20), next(30)], [Some((10, 0)), Some((30, 2)), Some((30, 2)), None]);
        let previous = |moment| Readout::previous(&samples, SimTime(moment)).map(|r| r.at.0);
        assert_eq!([previous(99), previous(30), previous(20), previous(10)], [Some(30), Some(10), Some(10), None]);
    }
}

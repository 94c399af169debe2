//! Moments to stop at.

use rollscope_engine::SimTime;
use rollscope_engine::time::SECOND;

use crate::timeline::Timeline;

/// What one step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StepUnit {
    /// Instants at which the controller decided something.
    #[default]
    Decision,
    /// Instants at which anything happened.
    Event,
    /// Whole seconds.
    Second,
    /// Instants at which a count changed.
    Change,
}

impl StepUnit {
    /// The first such moment after `t`, not beyond `end`.
    pub fn after(self, timeline: &Timeline, t: SimTime, end: SimTime) -> Option<SimTime> {
        match self {
            StepUnit::Decision => after(timeline.decisions(), t),
            StepUnit::Event => after(timeline.events(), t),
            StepUnit::Second => {
                let next = SimTime(t.ms() / SECOND * SECOND + SECOND);
                (t < end).then_some(next.min(end))
            }
            StepUnit::Change => {
                let samples = timeline.samples();
                samples.get(samples.partition_point(|(at, _)| *at <= t)).map(|(at, _)| *at)
            }
        }
    }

    /// The last such moment before `t`.
    pub fn before(self, timeline: &Timeline, t: SimTime) -> Option<SimTime> {
        match self {
            StepUnit::Decision => before(timeline.decisions(), t),
            StepUnit::Event => before(timeline.events(), t),
            StepUnit::Second => t.ms().checked_sub(1).map(|ms| SimTime(ms / SECOND * SECOND)),
            StepUnit::Change => {
                let samples = timeline.samples();
                let index = samples.partition_point(|(at, _)| *at < t).checked_sub(1)?;
                Some(samples[index].0)
            }
        }
    }

    /// The number of the step at or before `t` (0 before the first) and how many there are.
    pub fn position(self, timeline: &Timeline, t: SimTime, end: SimTime) -> (usize, usize) {
        let of = |list: &[SimTime]| (list.partition_point(|at| *at <= t), list.len());
        match self {
            StepUnit::Decision => of(timeline.decisions()),
            StepUnit::Event => of(timeline.events()),
            StepUnit::Second => ((t.ms() / SECOND) as usize, end.ms().div_ceil(SECOND) as usize),
            StepUnit::Change => (timeline.samples().partition_point(|(at, _)| *at <= t), timeline.samples().len()),
        }
    }
}

/// The first moment of an ascending list after `t`.
pub(crate) fn after(list: &[SimTime], t: SimTime) -> Option<SimTime> {
    list.get(list.partition_point(|at| *at <= t)).copied()
}

/// The last moment of an ascending list before `t`.
pub(crate) fn before(list: &[SimTime], t: SimTime) -> Option<SimTime> {
    list.partition_point(|at| *at < t).checked_sub(1).map(|index| list[index])
}

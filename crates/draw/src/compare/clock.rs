//! One axis of time for several runs.

use rollscope_engine::time::SimTime;

use crate::geometry::Scale;
use crate::xscale::XScale;

/// What an axis has to know of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran<'a> {
    /// Nothing changes any more from here on.
    pub end: SimTime,
    /// Spans in which nothing happens, ascending.
    pub idle: &'a [(SimTime, SimTime)],
}

/// The clock of all runs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// The end of the run that is over last.
    pub end: SimTime,
    /// Spans in which none of them does anything.
    pub idle: Vec<(SimTime, SimTime)>,
}

impl Clock {
    /// For runs that begin together.
    pub fn of(runs: &[Ran<'_>]) -> Clock {
        let end = runs.iter().map(|run| run.end).max().unwrap_or(SimTime::ZERO);
        let mut idle: Vec<(SimTime, SimTime)> = Vec::new();
        idle.extend(Some((SimTime::ZERO, end)).filter(|_| end > SimTime::ZERO));
        for run in runs {
            let mut own: Vec<(SimTime, SimTime)> =
                run.idle.iter().map(|(from, to)| (*from, (*to).min(run.end))).filter(|(from, to)| from < to).collect();
            // Behind its end a run does nothing either.
            match own.last_mut().filter(|last| last.1 == run.end) {
                Some(last) => last.1 = end,
                None => own.push((run.end, end)),
            }
            idle = common(&idle, &own);
        }
        Clock { end, idle }
    }

    /// The axis for a picture of this width in CSS pixels.
    pub fn axis(&self, css_width: f64, scale: Scale) -> XScale {
        XScale::folded(css_width, scale, XScale::axis_end(self.end, &self.idle), &self.idle)
    }
}

/// What lies in a span of both lists; both ascend and do not overlap themselves.
fn common(a: &[(SimTime, SimTime)], b: &[(SimTime, SimTime)]) -> Vec<(SimTime, SimTime)> {
    let (mut i, mut k, mut out) = (0, 0, Vec::new());
    while let (Some(one), Some(other)) = (a.get(i), b.get(k)) {
        let (from, to) = (one.0.max(other.0), one.1.min(other.1));
        if from < to {
            out.push((from, to));
        }
        if one.1 < other.1 { i += 1 } else { k += 1 }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(list: &[(u64, u64)]) -> Vec<(SimTime, SimTime)> {
        list.iter().map(|(from, to)| (SimTime(*from), SimTime(*to))).collect()
    }

    #[test]
    fn only_what_is_idle_in_all_runs_is_idle() {
        let a = spans(&[(10, 40), (60, 90)]);
        let b = spans(&[(20, 70)]);
        let clock = Clock::of(&[Ran { end: SimTime(100), idle: &a }, Ran { end: SimTime(80), idle: &b }]);
        // The second one does nothing from 80 on, the first from 60 to 90.
        assert_eq!((clock.end, &clock.idle[..]), (SimTime(100), &spans(&[(20, 40), (60, 70), (80, 90)])[..]));
    }

    #[test]
    fn a_span_up_to_the_end_goes_on_behind_it() {
        let a = spans(&[(10, 50)]);
        let b = spans(&[(20, 90)]);
        let clock = Clock::of(&[Ran { end: SimTime(50), idle: &a }, Ran { end: SimTime(100), idle: &b }]);
        assert_eq!(clock.idle, spans(&[(20, 90)]));
        assert_eq!(Clock::of(&[]), Clock { end: SimTime::ZERO, idle: vec![] });
    }

    #[test]
    fn a_long_common_wait_is_folded() {
        let hours = |h: u64| h * 3_600_000;
        let long = spans(&[(300_000, hours(24))]);
        let short = Ran { end: SimTime(200_000), idle: &[] };
        let clock = Clock::of(&[Ran { end: SimTime(hours(24)), idle: &long }, short]);
        assert_eq!(clock.axis(1_000.0, Scale(1.0)).folds().len(), 1);
        // While one of them is at work nothing is folded.
        let busy = Ran { end: SimTime(hours(24)), idle: &[] };
        let both = Clock::of(&[Ran { end: SimTime(hours(24)), idle: &long }, busy]);
        assert!(both.axis(1_000.0, Scale(1.0)).folds().is_empty());
    }
}

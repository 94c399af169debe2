//! Axes of the chart: time in round sixties, tasks in whole numbers.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::ticks;

/// Simulation time in milliseconds.
#[derive(Clone, Copy)]
pub struct TimeAxis {
    /// Its end; at least 1.
    pub end: u64,
    /// Labels that fit.
    pub labels: usize,
}

impl Ranged for TimeAxis {
    type ValueType = u64;
    type FormatOption = NoDefaultFormatting;

    fn map(&self, value: &u64, (from, until): (i32, i32)) -> i32 {
        from + (*value as f64 / self.end as f64 * f64::from(until - from)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<u64> {
        ticks::times(self.end, self.labels.min(hint.max_num_points()))
    }

    fn range(&self) -> Range<u64> {
        0..self.end
    }
}

impl ValueFormatter<u64> for TimeAxis {
    fn format(value: &u64) -> String {
        ticks::clock(*value, true)
    }
}

/// Tasks; a little air above the top for the hatching beyond the ceiling.
#[derive(Clone, Copy)]
pub struct CountAxis {
    /// Highest count drawn.
    pub top: u32,
    /// Air above it, in per cent of the height.
    pub air: u32,
}

impl Ranged for CountAxis {
    type ValueType = u32;
    type FormatOption = DefaultFormatting;

    fn map(&self, value: &u32, (from, until): (i32, i32)) -> i32 {
        let whole = f64::from(until - from) * f64::from(100 - self.air) / 100.0;
        from + (f64::from(*value) / f64::from(self.top) * whole).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<u32> {
        ticks::counts(self.top, hint.max_num_points().min(6))
    }

    fn range(&self) -> Range<u32> {
        0..self.top
    }
}

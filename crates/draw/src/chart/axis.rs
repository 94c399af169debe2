//! Axes of the chart: time in round sixties, tasks in whole numbers.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use rollscope_engine::time::SimTime;

use crate::geometry::nearest;
use crate::ticks;
use crate::xscale::XScale;

/// Simulation time in milliseconds.
#[derive(Clone, Copy)]
pub struct TimeAxis {
    /// Its pixels: those of everything else on the time axis.
    pub x: XScale,
    /// Least distance of two labels in pixels.
    pub gap: i32,
}

impl Ranged for TimeAxis {
    type ValueType = u64;
    type FormatOption = NoDefaultFormatting;

    /// The layout knows the pixels better than the area, which leaves out the last one.
    fn map(&self, value: &u64, _: (i32, i32)) -> i32 {
        self.x.x(SimTime(*value))
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<u64> {
        if hint.max_num_points() == 0 {
            return Vec::new();
        }
        self.x.ticks(self.gap).into_iter().map(SimTime::ms).collect()
    }

    fn range(&self) -> Range<u64> {
        0..self.x.end.0
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
    /// Air above it in pixels.
    pub air: i32,
    /// Most labels.
    pub most: usize,
}

impl Ranged for CountAxis {
    type ValueType = u32;
    type FormatOption = DefaultFormatting;

    fn map(&self, value: &u32, (from, until): (i32, i32)) -> i32 {
        // Upwards, as everything on a screen: `until` is the smaller one.
        let air = if until < from { self.air.min(from - until - 1) } else { 0 };
        let whole = f64::from(until + air - from);
        from + nearest(f64::from(*value) / f64::from(self.top) * whole)
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<u32> {
        ticks::counts(self.top, hint.max_num_points().min(self.most))
    }

    fn range(&self) -> Range<u32> {
        0..self.top
    }
}

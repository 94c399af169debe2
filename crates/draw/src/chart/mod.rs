//! The chart: stacked steps of healthy and not serving tasks with the two limits.
//!
//! From below: new healthy, further revisions, old healthy; then, not serving, tasks that are
//! coming up (dotted) and tasks on their way out (striped). The second edge against the floor,
//! the last against the ceiling.

mod axis;
mod data;
mod moments;
mod paint;
mod readout;
mod shapes;
mod texture;

pub use data::{BANDS, Band, Chart, Column};
pub use moments::Moments;
pub use paint::{ChartWords, Setting, Tone, paint, paint_in, picture};
pub use readout::Readout;

/// A small run for tests.
#[cfg(test)]
mod tests_run {
    use rollscope_engine::frame::{Counts, LaneCounts, Limits};
    use rollscope_engine::time::SimTime;

    use super::Chart;
    use crate::geometry::Scale;
    use crate::xscale::XScale;

    fn counts(new: u32, old: u32, rising: u32, leaving: u32, floor: u32) -> Counts {
        Counts {
            lanes: [
                LaneCounts { healthy: old, draining: leaving, ..LaneCounts::default() },
                LaneCounts { healthy: new, waiting: rising, ..LaneCounts::default() },
                LaneCounts::default(),
            ],
            counted: new + old + rising + leaving,
            limits: Limits { desired: 4, floor, ceiling: 6 },
        }
    }

    pub fn chart() -> Chart {
        let samples = [
            (SimTime(0), counts(0, 4, 2, 0, 4)),
            (SimTime(50_000), counts(2, 2, 0, 2, 4)),
            (SimTime(100_000), counts(4, 0, 0, 0, 2)),
        ];
        Chart::new(&samples, SimTime(100_000), XScale::new(756.0, Scale(1.0), SimTime(120_000)))
    }
}

//! The chart: stacked steps of healthy and not serving tasks with the two limits.
//!
//! From below: new healthy, further revisions, old healthy; then, not serving, tasks that are
//! coming up (dotted) and tasks on their way out (striped). The second edge against the floor,
//! the last against the ceiling.

mod axis;
mod data;
mod paint;
mod readout;
mod shapes;
mod texture;

pub use data::{BANDS, Band, Chart, Column};
pub use paint::{ChartWords, Setting, Tone, paint, paint_in};
pub use readout::Readout;

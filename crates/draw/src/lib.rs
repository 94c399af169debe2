//! Pictures as drawing instructions, for any plotters backend.
//!
//! ```text
//! Frame   -> stage::Layout + stage::Look -> stage::paint    boxes, only those that changed
//! samples -> chart::Chart                -> chart::paint    stacked steps with floor and ceiling
//! moments -> track::Track                -> track::paint    the scrubber under the chart
//! counts  -> strip                                          the traffic strip above the boxes
//! ```
//!
//! The same code paints the canvas of the page and an SVG file on the host. Pixels are
//! device pixels: every size is given in CSS pixels and multiplied by [`Scale`]. Colours come
//! from a [`Palette`], words from the caller, so nothing here knows a theme or a language.
//! Chart and scrubber share one x layout, [`track::XScale`].

pub mod chart;
pub mod geometry;
pub mod hatch;
pub mod palette;
pub mod pen;
pub mod stage;
pub mod strip;
pub mod ticks;
pub mod track;

pub use geometry::{Rect, Scale};
pub use palette::{Colour, Palette};

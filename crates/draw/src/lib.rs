//! Pictures as drawing instructions, for any plotters backend.
//!
//! ```text
//! Frame   -> stage::Layout + stage::Look -> stage::paint    boxes, only those that changed
//! Frame   -> hosts::Layout + hosts::Fleet -> hosts::paint   the same tasks in the frames of their instances
//! records, samples -> timeline::Timeline -> paint           status ribbon, chart, rows or carpet
//! samples -> chart::Chart                -> chart::paint    the chart alone, as a picture of its own
//! moments -> track::Track                -> track::paint    the scrubber under the timeline
//! settings -> guards::Guards                                threshold, gate, border; who starts beyond it
//! runs    -> compare::Clock                              several charts below each other on one axis
//! counts  -> strip                                          the traffic strip above the boxes
//! flows   -> flow::FlowChart  -> flow::paint               the traffic over time, in the chart's place
//! weights -> weights                                        two strips above two walls
//! ```
//!
//! The same code paints the canvas of the page and an SVG file on the host. Pixels are
//! device pixels: every size is given in CSS pixels and multiplied by [`Scale`]. Colours come
//! from a [`Palette`], words from the caller, so nothing here knows a theme or a language.
//! Everything on the time axis shares one x layout, [`xscale::XScale`].

mod alarms;
mod border;
mod carpet;
pub mod chart;
mod circle;
pub mod compare;
pub mod counter;
pub mod flow;
pub mod geometry;
pub mod guards;
pub mod gutter;
mod hand;
pub mod hatch;
pub mod hosts;
pub mod lives;
pub mod palette;
pub mod pen;
mod raster;
mod ribbon;
mod rows;
pub mod stage;
mod statuses;
pub mod strip;
mod tear;
pub mod ticks;
pub mod timeline;
pub mod track;
mod unprotected;
mod upright;
pub mod weights;
pub mod xscale;

pub use geometry::{Rect, Scale, within};
pub use palette::{Colour, Palette};

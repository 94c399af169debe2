//! Drawing on canvases.
//!
//! [`Surface`] is a canvas of the page with its pixel ratio and what its context remembers;
//! [`Backend`] is the plotters backend that lives for one picture on it: rectangles and lines
//! are kept and go out as one path a style. [`picture`] makes a file of a chart once, through
//! plotters-canvas.

mod backend;
pub mod picture;
mod surface;

pub use backend::Backend;
pub use surface::{Surface, device_ratio, palette};

//! Drawing on canvases, for both programs of the page.
//!
//! [`Surface`] is a canvas with its pixel ratio and what its context remembers; [`Backend`] is the
//! plotters backend that lives for one picture on it: rectangles and lines are kept and go out as
//! one path a style. Files are drawn by the second program (`web/lazy`) in its own way.

mod backend;
pub mod decimal;
mod surface;

pub use backend::Backend;
pub use surface::{Surface, device_ratio, palette};

//! Drawing on canvases, for both programs of the page.
//!
//! [`Surface`] is a canvas with its pixel ratio and what its context remembers; [`Backend`] is the
//! plotters backend that lives for one picture on it: rectangles and lines are kept and go out as
//! one path a style. [`Frames`] asks for animation frames, a [`Listener`] hears events. Files are
//! drawn by the second program (`web/lazy`) in its own way.

mod backend;
pub mod decimal;
mod frames;
mod listener;
mod surface;

pub use backend::Backend;
pub use frames::Frames;
pub use listener::Listener;
pub use surface::{Surface, device_ratio, palette};

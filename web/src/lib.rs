//! The page.
//!
//! ```text
//! link -> Model (settings, pure) -> Effect -> Player (the run) -> canvases, 60 times a second
//!                                                    |
//!                                                    +-> text, at most 10 times a second (Yew)
//! ```
//!
//! [`app::model::Model`] is everything the visitor decides; the run is derived from it and lives
//! in [`app::runtime::Runtime`] beside Yew. Nothing here multiplies a percentage or draws a
//! random number.

mod address;
mod api;
pub mod app;
mod embed;
pub mod form;
mod keep;
pub mod lazy;
pub mod link;
mod names;
mod parts;
pub mod paste;
pub mod rest;
mod say;
mod share;
mod text;

pub use app::App;

use rollscope_canvas as canvas;
use rollscope_canvas::decimal;

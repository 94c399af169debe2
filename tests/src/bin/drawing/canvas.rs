//! The page's canvas backend, from its own source: nothing may depend on the page itself.

#[path = "../../../../web/src/canvas/backend.rs"]
mod backend;
#[path = "../../../../web/src/canvas/surface.rs"]
// The page uses more of it.
#[allow(dead_code)]
mod surface;

pub use backend::Backend;
pub use surface::Surface;

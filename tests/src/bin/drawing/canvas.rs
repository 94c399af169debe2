//! The page's canvas backend, from its own source: nothing may depend on the page itself.

#[path = "../../../../web/canvas/src/backend.rs"]
mod backend;
#[path = "../../../../web/canvas/src/surface.rs"]
// The page uses more of it.
#[allow(dead_code)]
mod surface;

pub use backend::Backend;
pub use surface::Surface;

//! Words of the page: all of them come from the `wording` crate.

pub use rollscope_wording::Label;
pub use rollscope_wording::page::*;
pub use rollscope_wording::time::read_clock;

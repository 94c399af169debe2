//! What every platform shares. Nothing in here asks which platform it serves.

pub mod host;
pub mod instance;
pub mod lot;
pub mod placement;
pub mod pool;
pub mod probe;
pub mod quota;
pub mod traffic;

//! What every platform shares. Nothing in here asks which platform it serves.

pub mod instance;
pub mod lot;
pub mod pool;
pub mod probe;
pub mod quota;

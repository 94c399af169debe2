//! The player over whole runs.

mod common;
mod play;
mod seek;

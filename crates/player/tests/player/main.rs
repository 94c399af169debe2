//! The player over whole runs.

mod common;
mod history;
mod play;
mod seek;

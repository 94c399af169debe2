//! Helpers of the tests that cross crates.

pub mod base;
pub mod dice;
pub mod runs;

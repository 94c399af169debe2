//! An instance refresh before and after its run, in the words of EC2 Auto Scaling.

pub mod check;
pub mod json;
pub mod names;
pub mod outcome;

pub use check::{Check, check};
pub use outcome::{CheckpointRow, Figures, Outcome, StatusRow, outcome, watched};

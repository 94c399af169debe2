//! A group of virtual machines before and after its run: a Google Cloud managed instance group or an Azure scale set.

pub mod check;
pub mod json;
pub mod names;
pub mod outcome;

pub use check::{Check, check};
pub use outcome::{Figures, Outcome, StatusRow, outcome};

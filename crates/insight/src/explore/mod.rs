//! The whole space around a scenario: a map over two of its settings, and the same settings with other luck.
//!
//! ```text
//! document -> pairs -> Map (one run a field, in slices)    -> summaries, best of their kind
//!          -> Spread (one run a seed, in slices)           -> median, 90, 99 percent, worst
//! ```
//!
//! Every number is that of a whole run; nothing is estimated between them.

mod map;
mod pairs;
mod spread;
#[cfg(test)]
mod tests;

pub use map::{Field, Known, Map, Measure};
pub use pairs::{Axis, Pair, pairs};
pub use spread::{Figures, RUNS, Spread};

//! JSON as people type it: a tree that remembers where everything stood, and a writer.
//!
//! Numbers are kept exactly (whole ones as `i64`, the others as their text), keys keep
//! their order, a key given twice is reported.

mod read;
mod value;
mod write;

pub use read::{DEPTH_MAX, Fault, Parsed, Position, SIZE_MAX, read, read_first};
pub use value::{Number, Value, pointer_escape, pointer_join, pointer_parts};

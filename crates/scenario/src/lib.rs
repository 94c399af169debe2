//! What a user can ask for: the scenario document, its validation and its link.
//!
//! ```text
//! text -> json::read -> Document        as the user wrote it, absent stays absent
//! Document -> resolve -> Resolved       every problem at once, or settings the engine runs
//! Document <-> link                     the same document inside the fragment of an address
//! ```
//!
//! Nothing here stops at the first mistake: [`document::Document::from_text`] and
//! [`document::Document::resolve`] return the whole list.
#![no_std]

extern crate alloc;

pub mod document;
pub mod duration;
pub mod edit;
pub mod json;
pub mod limits;
pub mod link;
pub mod preset_group;
pub mod preset_steps;
pub mod presets;
pub mod presets_instance_refresh;
pub mod presets_kubernetes;
pub mod presets_machine_groups;
pub mod presets_placed;
pub mod problem;
pub mod resolve;
pub mod steps;

pub use document::Document;
pub use json::Value;
pub use link::Link;
pub use presets::{PRESETS, Preset, PresetGroup};
pub use problem::{Kind, Problem, Severity};
pub use resolve::Resolved;

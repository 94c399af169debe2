//! Components: plain data in, messages out.

pub mod acts;
pub mod branches;
pub mod dialogs;
pub mod drop;
pub mod events;
pub mod fate;
pub mod field;
pub mod head;
pub mod help;
pub mod icon;
pub mod notice;
pub mod plan;
pub mod popover;
pub mod presets;
pub mod ruler;
pub mod scale;
pub mod sections;
pub mod settings;
pub mod tasks;
pub mod transport;
pub mod verdict;
pub mod why;

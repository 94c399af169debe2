//! Components: plain data in, messages out.

pub mod acts;
pub mod dialogs;
pub mod events;
pub mod field;
pub mod head;
pub mod icon;
pub mod notice;
pub mod settings;
pub mod tasks;
pub mod transport;
pub mod verdict;
pub mod why;

//! Components: plain data in, messages out.

pub mod account;
pub mod acts;
pub mod branches;
pub mod chart_table;
pub mod dialogs;
pub mod drop;
pub mod events;
pub mod fate;
pub mod field;
pub mod grid;
pub mod guards;
pub mod head;
pub mod help;
pub mod icon;
pub mod mark;
pub mod notice;
<<<<<<< ours
pub mod plan;
pub mod popover;
pub mod presets;
pub mod ruler;
pub mod scale;
pub mod sections;
=======
pub mod pages;
pub mod popover;
pub mod presets;
pub mod rows;
pub mod selected;
>>>>>>> theirs
pub mod settings;
pub mod tasks;
pub mod transport;
pub mod verdict;
pub mod why;

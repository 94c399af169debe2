//! The stage from outside: geometry of every size, what is drawn, and how much work that is.

mod budget;
#[path = "../common/mod.rs"]
mod common;
mod frames;
mod geometry;
mod golden;
mod ink;
mod states;
mod walls;

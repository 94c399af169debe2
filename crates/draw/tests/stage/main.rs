//! The stage from outside: geometry of every size, what is drawn, and how much work that is.

mod budget;
mod frames;
mod geometry;
mod golden;
mod ink;
mod states;

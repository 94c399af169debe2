//! The simulation: what a container platform really does during a rolling deployment.
//!
//! One [`Settings`] value determines every byte of a run: there is no clock, no
//! global, no float and no map order in here, so the same settings give the same
//! trace on every target. The caller drives:
//!
//! ```text
//! Simulation::new(settings)          valid settings, so this cannot fail
//! next_event_at()                    when something happens next, if anything
//! step(&mut trace)                   exactly one event, bounded work
//! advance_to(t, &mut trace)          everything up to and including t
//! apply(command, &mut trace)         a person's act at this moment
//! frame()                            a pure read, in the viewer's words
//! state_hash()                       canonical, for seek checks
//! ```
//!
//! A [`Simulation`] is `Clone + Eq`; a clone is the snapshot.
//!
//! Layers, from the bottom: [`time`], [`rng`] and [`queue`]; [`settings`] (the
//! input); [`mechanism`] (what every platform shares: start-up, probes, draining,
//! slots); [`platform`] (the rules); [`sim`] (turns decisions into events);
//! [`trace`], [`frame`] and [`guard`] (what comes out); [`protection`] (a reading of it).
#![no_std]

extern crate alloc;

pub mod asg;
mod books;
mod capacity;
pub mod frame;
pub mod guard;
pub mod hash;
pub mod kubernetes;
pub mod mechanism;
pub mod order;
pub mod platform;
pub mod protection;
pub mod queue;
mod reason;
pub mod rng;
pub mod settings;
pub mod sim;
pub mod simulation;
pub mod time;
pub mod trace;
pub mod vm;

pub use frame::Frame;
pub use settings::Settings;
pub use sim::{Ending, Step};
pub use simulation::Simulation;
pub use time::SimTime;
pub use trace::Trace;

//! What was drawn for one task.

use crate::settings::Fate;

/// A fate whose conditions are decided: plain data, so that states with thousands of tasks are
/// copied as one piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Lot {
    /// See [`Fate::Healthy`].
    #[default]
    Healthy,
    /// See [`Fate::NeverRunning`]; milliseconds from creation.
    NeverRunning(Option<u64>),
    /// See [`Fate::ExitsAfter`]; milliseconds from RUNNING.
    ExitsAfter(u64),
    /// See [`Fate::NeverPasses`].
    NeverPasses,
    /// See [`Fate::TurnsUnhealthyAfter`]; milliseconds from RUNNING.
    TurnsUnhealthyAfter(u64),
    /// See [`Fate::Hangs`].
    Hangs,
    /// See [`Fate::AboveRunning`]; tasks.
    AboveRunning(u32),
}

impl Lot {
    /// What a fate says by itself; one with a condition that nobody decided says nothing: healthy.
    pub fn of(fate: &Fate) -> Lot {
        match *fate {
            Fate::Healthy | Fate::InZone { .. } | Fate::Ratio { .. } => Lot::Healthy,
            Fate::NeverRunning { after } => Lot::NeverRunning(after),
            Fate::ExitsAfter(after) => Lot::ExitsAfter(after),
            Fate::NeverPasses => Lot::NeverPasses,
            Fate::TurnsUnhealthyAfter(after) => Lot::TurnsUnhealthyAfter(after),
            Fate::Hangs => Lot::Hangs,
            Fate::AboveRunning(limit) => Lot::AboveRunning(limit),
        }
    }
}

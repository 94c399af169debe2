//! What was drawn for one task.

use crate::mechanism::probe::Answers;
use crate::rng::{self, Stream};
use crate::settings::{Behaviour, Fate, TaskName};
use crate::time::SimTime;

/// It answers nothing.
pub const NO_ANSWER: Answers = Answers { pass_from: SimTime::NEVER, fail_from: SimTime::NEVER, hangs: false };

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

    /// What a behaviour has in store for the start of this name in this zone.
    pub fn drawn(behaviour: &Behaviour, seed: u64, name: TaskName, zone: u8) -> Lot {
        let own = behaviour.by_start.binary_search_by_key(&name.start, |entry| entry.0);
        let mut fate = own.map_or(&behaviour.fate, |i| &behaviour.by_start[i].1);
        let mut n = 0;
        loop {
            fate = match fate {
                Fate::InZone { zone: only, fate } if *only == zone => fate,
                Fate::InZone { .. } => return Lot::Healthy,
                Fate::Ratio { hits, of, fate } => {
                    let bits = rng::draw(seed, Stream::Fate, name, n);
                    n += 1;
                    if rng::below(bits, u64::from(*of)) >= u64::from(*hits) {
                        return Lot::Healthy;
                    }
                    fate
                }
                plain => return Lot::of(plain),
            };
        }
    }

    /// How what has this lot answers, started at `now` and up at `up`; where nothing pools, no one is above a limit.
    pub fn answers(self, now: SimTime, up: SimTime) -> Answers {
        match self {
            Lot::NeverPasses | Lot::AboveRunning(_) => NO_ANSWER,
            Lot::Hangs => Answers { hangs: true, ..NO_ANSWER },
            Lot::TurnsUnhealthyAfter(after) => Answers { pass_from: up, fail_from: now + after, hangs: false },
            Lot::Healthy | Lot::NeverRunning(_) | Lot::ExitsAfter(_) => Answers { pass_from: up, ..NO_ANSWER },
        }
    }
}

//! What the runs have in common about their time: the largest part, and a change that helps all.

use rollscope_engine::settings::Settings;

use super::figure::Figure;
use crate::account::{Account, Part};

/// The part that takes most of all accounts together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Largest {
    /// The part.
    pub part: Part,
    /// Its whole per cent of each run's time; absent where there is no account.
    pub percents: Vec<Option<u32>>,
}

pub(super) fn largest(accounts: &[Option<Account>]) -> Option<Largest> {
    let sum = |part: Part| -> u64 {
        accounts
            .iter()
            .flatten()
            .flat_map(|account| &account.parts)
            .filter(|share| share.part == part)
            .map(|s| s.ms)
            .sum()
    };
    // Of equal parts the first in a task's life.
    let part = Part::ALL.into_iter().rev().max_by_key(|part| sum(*part)).filter(|part| sum(*part) > 0)?;
    let percent = |account: &Account| account.parts.iter().find(|s| s.part == part).map_or(0, |share| share.percent);
    Some(Largest { part, percents: accounts.iter().map(|account| account.as_ref().map(percent)).collect() })
}

/// A deregistration delay worth trying where draining takes most of the time, in milliseconds.
const SHORT_DRAIN_MS: u64 = 30_000;

/// One change of all runs that shortens each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedChange {
    /// The new deregistration delay of every target group, in milliseconds.
    pub deregistration_delay_ms: u64,
    /// When each run would be done, in milliseconds.
    pub done_ms: Vec<u64>,
}

/// The settings of all with a short deregistration delay; absent where something else than draining takes
/// most of the time, or where it is short already for one of them.
pub fn short_drain(settings: &[&Settings], largest: &Largest) -> Option<Vec<Settings>> {
    let long = |settings: &&Settings| {
        settings.target_groups.iter().any(|group| group.deregistration_delay_ms > SHORT_DRAIN_MS)
    };
    if largest.part != Part::Draining || !settings.iter().all(long) {
        return None;
    }
    let shorter = |settings: &&Settings| {
        let mut changed = (*settings).clone();
        for group in &mut changed.target_groups {
            group.deregistration_delay_ms = group.deregistration_delay_ms.min(SHORT_DRAIN_MS);
        }
        changed
    };
    Some(settings.iter().map(shorter).collect())
}

/// What came of [`short_drain`], by when each run is done before it and after; absent where one of them
/// is not done, or no sooner.
pub fn shared_change(before: &[Figure], after: &[Option<u64>]) -> Option<SharedChange> {
    let sooner = |(before, after): (&Figure, &Option<u64>)| match before {
        Figure::Time(before) => after.filter(|after| after < before),
        _ => None,
    };
    let done_ms = before.iter().zip(after).map(sooner).collect::<Option<Vec<u64>>>()?;
    Some(SharedChange { deregistration_delay_ms: SHORT_DRAIN_MS, done_ms })
}

//! What the runs have in common about their time: the largest part, and a change that helps all.

use rollscope_engine::settings::Settings;

use crate::account::{Account, Part};
use crate::outcome::outcome;
use crate::run::run_to_end;

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

/// The change, confirmed by a run of each; absent where something else than draining takes most of
/// the time, where one of them would not be done, or where it is no sooner.
pub fn shared_change(settings: &[&Settings], largest: &Largest) -> Option<SharedChange> {
    let long = |settings: &&Settings| {
        settings.target_groups.iter().any(|group| group.deregistration_delay_ms > SHORT_DRAIN_MS)
    };
    if largest.part != Part::Draining || !settings.iter().all(long) {
        return None;
    }
    let done = |settings: &Settings| outcome(run_to_end(settings.clone()).view()).completed_at.map(|at| at.ms());
    let sooner = |settings: &&Settings| {
        let mut changed = (*settings).clone();
        for group in &mut changed.target_groups {
            group.deregistration_delay_ms = group.deregistration_delay_ms.min(SHORT_DRAIN_MS);
        }
        done(&changed).filter(|ms| done(settings).is_some_and(|before| *ms < before))
    };
    let done_ms = settings.iter().map(sooner).collect::<Option<Vec<u64>>>()?;
    Some(SharedChange { deregistration_delay_ms: SHORT_DRAIN_MS, done_ms })
}

//! The ServicesStable waiter of the command line and the SDKs: 40 tries, 15 seconds apart. It
//! succeeds when the service has exactly one deployment and as many running tasks as desired. It
//! does not ask which revision that is. Source: waiter definitions of the SDK.

use rollscope_engine::{Ending, SimTime};

use super::ledger::Ledger;
use crate::run::RunView;

/// Tries before it gives up.
pub const TRIES: u32 = 40;
/// Between two tries, in milliseconds.
pub const EVERY_MS: u64 = 15_000;

/// How a waiter that was started at a moment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Waiter {
    /// When it was started.
    pub started_at: SimTime,
    /// Its end; absent while it is still waiting at the end of what is known.
    pub end: Option<WaiterEnd>,
    /// Tries it made.
    pub tries: u32,
    /// The first moment at which the service was as it wants it, whether it still waited or not;
    /// absent when that never came.
    pub satisfied_at: Option<SimTime>,
}

/// The end of a waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaiterEnd {
    /// It succeeds.
    Stable {
        /// When.
        at: SimTime,
        /// The revision that is PRIMARY then.
        revision: u32,
    },
    /// 40 tries were in vain.
    GivesUp {
        /// When.
        at: SimTime,
    },
}

/// Until when a run is known: one in which nothing can happen any more stays as it is for good.
pub fn known_until(run: RunView<'_>) -> SimTime {
    if run.end.ending() == Some(Ending::Quiet) { SimTime::NEVER } else { run.end.now() }
}

/// A waiter that is started at `from`, over what is known of a run. A run that is over keeps its
/// last state for good.
pub fn waiter(run: RunView<'_>, from: SimTime) -> Waiter {
    let mut ledger = Ledger::new(run.end.settings());
    let known = known_until(run);
    let mut records = run.records.iter().peekable();
    let mut waiter = Waiter { started_at: from, end: None, tries: 0, satisfied_at: None };
    let mut look = from;
    loop {
        // The state just before the next record holds from the last one on.
        let next = records.peek().map_or(SimTime::NEVER, |record| record.at);
        while waiter.end.is_none() && look < next && look <= known {
            waiter.tries += 1;
            if let Some(revision) = stable(&ledger, run, look) {
                waiter.end = Some(WaiterEnd::Stable { at: look, revision });
            } else if waiter.tries == TRIES {
                waiter.end = Some(WaiterEnd::GivesUp { at: look });
            }
            look = look + EVERY_MS;
        }
        let Some(first) = records.next() else { return waiter };
        ledger.apply(first);
        while let Some(record) = records.next_if(|record| record.at == first.at) {
            ledger.apply(record);
        }
        if waiter.satisfied_at.is_none() && first.at >= from && stable(&ledger, run, first.at).is_some() {
            waiter.satisfied_at = Some(first.at);
        }
    }
}

/// The revision of the only deployment, when as many of its tasks run as are desired.
fn stable(ledger: &Ledger, run: RunView<'_>, at: SimTime) -> Option<u32> {
    let primary = ledger.primary().filter(|_| ledger.listed_count() == 1)?;
    (ledger.running() == desired_at(run, at)).then_some(primary.revision)
}

/// `desiredCount` at a moment.
pub fn desired_at(run: RunView<'_>, at: SimTime) -> u32 {
    let index = run.samples.partition_point(|(moment, _)| *moment <= at);
    let sample = index.checked_sub(1).or(if run.samples.is_empty() { None } else { Some(0) });
    sample.map_or(0, |i| run.samples[i].1.limits.desired)
}

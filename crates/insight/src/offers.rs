//! What would help, as one list: the page, the command line and JSON offer the same.

use rollscope_scenario::Resolved;

use crate::changes::Change;
use crate::check::Check;
use crate::cure::cures;
use crate::outcome::{Outcome, OutcomeKind};
use crate::relief::{ends_better, relief};
use crate::remedy::{Remedy, remedies};
use crate::verdict::{Caution, Verdict, verdict};

/// What would help a run, each change confirmed: what lets its first step do something, what its checks lack, what
/// spares it its troubles, and another circuit breaker where its tasks fail.
pub fn offers(resolved: &Resolved, check: &Check, seen: &Outcome) -> Vec<Change> {
    let settings = &resolved.settings;
    let mut list = moving(resolved, check, seen);
    list.extend(spared(resolved, check, seen));
    if list.is_empty() {
        let found = verdict(check, Some(seen));
        // To fail sooner and stay failed is no help.
        let helps = |remedy: &Remedy| remedy.ends != OutcomeKind::Failed && breaker_helps(found, seen, remedy);
        list.extend(remedies(settings, seen).iter().filter(|remedy| helps(remedy)).map(|r| Change::Breaker(r.change)));
    }
    list
}

/// What its checks lack; where they lack nothing, what spares it its troubles.
pub fn spared(resolved: &Resolved, check: &Check, seen: &Outcome) -> Vec<Change> {
    let found = cures(&resolved.settings, seen);
    if found.is_empty() { relief(resolved, check, seen) } else { found }
}

/// What lets the first step do something, where that is worth it: a run that fails in the end has to end better.
pub fn moving(resolved: &Resolved, check: &Check, seen: &Outcome) -> Vec<Change> {
    let fails = matches!(verdict(check, Some(seen)), Verdict::WillFailAndRollBack | Verdict::WillFailAndStay);
    let helps = |change: &&Change| !fails || ends_better(&resolved.settings, change, seen);
    check.changes.iter().filter(helps).copied().collect()
}

/// A breaker that rolls back did what it is for: another one is offered only where the rollout gets done with it, or
/// where nothing or only the limit of a stage ended it.
pub fn breaker_helps(found: Verdict, seen: &Outcome, remedy: &Remedy) -> bool {
    match found {
        Verdict::WillFailAndStay => true,
        Verdict::Caution(caution) => !matches!(
            caution,
            Caution::WaiterGivesUp | Caution::AlarmsIgnored | Caution::AlarmTooLate(_) | Caution::FailsFirst(_)
        ),
        Verdict::WillFailAndRollBack => remedy.ends == OutcomeKind::Completed || seen.troubles.held.is_some(),
        _ => false,
    }
}

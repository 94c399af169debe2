//! What would change how a failing rollout ends: changes of the circuit breaker, each confirmed by a
//! run of its own.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::{Breaker, Threshold};
use rollscope_engine::settings::Settings;
use rollscope_engine::time::SECOND;
use rollscope_scenario::{Value, limits};

use crate::outcome::{CutOff, Outcome, OutcomeKind, failed_at, outcome};
use crate::run::run_to_end;

/// Events of the run that confirms a change.
const CONFIRM_EVENTS: u64 = 20_000;
/// A larger service takes too long to run again.
const CONFIRM_TASKS: u32 = 200;
/// A small number of failures that trips it early.
const EARLY: u32 = 2;

/// A change of the circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakerChange {
    /// It is switched on, and rolls back.
    On,
    /// It rolls back.
    RollBack,
    /// A healthy task sets the count back, or does not.
    Reset(bool),
    /// It trips at this number of failures.
    Count(u32),
}

/// A change with what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The change.
    pub change: BreakerChange,
    /// How the run ends with it.
    pub ends: OutcomeKind,
    /// When the rollout fails with it, where it does.
    pub failed_at: Option<SimTime>,
    /// The revision that is back, and when, or when all is done.
    pub back: Option<(u32, SimTime)>,
}

/// When the newest rollout failed.
fn newest_failed_at(outcome: &Outcome) -> Option<SimTime> {
    outcome.services.last().and_then(failed_at)
}

/// Changes with which a rollout that fails, or goes on failing, ends better: at most three, the smallest
/// first. `settings` are those of the run with all its acts. Empty for large services, and where
/// nothing fails.
pub fn remedies(settings: &Settings, seen: &Outcome) -> Vec<Remedy> {
    let params = settings.platform.ecs();
    let fails = seen.failures > 0 || newest_failed_at(seen).is_some();
    if !fails || params.desired > CONFIRM_TASKS || seen.outcome == OutcomeKind::Completed {
        return Vec::new();
    }
    let changes = match params.breaker {
        None => vec![BreakerChange::On],
        Some(breaker) => {
            let threshold = limits::threshold(breaker.threshold, params.desired);
            let roll_back = (!breaker.rollback).then_some(BreakerChange::RollBack);
            let count = (threshold > EARLY).then_some(BreakerChange::Count(EARLY));
            let reset = BreakerChange::Reset(!breaker.reset_on_healthy_task);
            roll_back.into_iter().chain([reset]).chain(count).collect()
        }
    };
    let before = End::of(seen);
    let found = changes.into_iter().filter_map(|change| confirmed(settings, change));
    found.filter(|(_, end)| end.is_better(&before)).map(|(remedy, _)| remedy).collect()
}

/// How a run ends, to be compared with another one.
struct End {
    /// The more the better.
    rank: u8,
    /// Whole seconds, as they are shown: when it fails, and when it is back or done.
    failed: u64,
    over: u64,
}

impl End {
    fn of(outcome: &Outcome) -> End {
        let rank = match outcome.outcome {
            OutcomeKind::Completed => 3,
            OutcomeKind::RolledBack => 2,
            OutcomeKind::Failed => 1,
            _ => 0,
        };
        let seconds = |at: Option<SimTime>| at.map_or(u64::MAX, |at| at.ms() / SECOND);
        let over = outcome.rolled_back_at.or(outcome.completed_at);
        End { rank, failed: seconds(newest_failed_at(outcome)), over: seconds(over) }
    }

    /// A better end, or the same one sooner: whoever takes one offer after the other never comes back.
    fn is_better(&self, than: &End) -> bool {
        let later = self.failed > than.failed || self.over > than.over;
        let sooner = self.failed < than.failed || self.over < than.over;
        self.rank > than.rank || (self.rank == than.rank && self.rank < 3 && sooner && !later)
    }
}

impl BreakerChange {
    /// JSON pointer of its field in the document.
    pub fn field(self) -> &'static str {
        match self {
            BreakerChange::On => "/service/deploymentConfiguration/deploymentCircuitBreaker",
            BreakerChange::RollBack => "/service/deploymentConfiguration/deploymentCircuitBreaker/rollback",
            BreakerChange::Reset(_) => "/service/deploymentConfiguration/deploymentCircuitBreaker/resetOnHealthyTask",
            BreakerChange::Count(_) => {
                "/service/deploymentConfiguration/deploymentCircuitBreaker/thresholdConfiguration"
            }
        }
    }

    /// The new value of that field.
    pub fn written(self) -> Value {
        match self {
            BreakerChange::On => Value::object([("enable", Value::from(true)), ("rollback", Value::from(true))]),
            BreakerChange::RollBack => Value::from(true),
            BreakerChange::Reset(on) => Value::from(on),
            BreakerChange::Count(n) => {
                Value::object([("type", Value::from("COUNT")), ("value", Value::from(i64::from(n)))])
            }
        }
    }

    /// The settings with this change; absent where there is no breaker to change.
    pub fn apply(self, settings: &Settings) -> Option<Settings> {
        let mut changed = settings.clone();
        let params = changed.platform.ecs_mut()?;
        match (self, &mut params.breaker) {
            (BreakerChange::On, breaker) => {
                *breaker =
                    Some(Breaker { rollback: true, reset_on_healthy_task: true, threshold: Threshold::default() });
            }
            (BreakerChange::RollBack, Some(breaker)) => breaker.rollback = true,
            (BreakerChange::Reset(on), Some(breaker)) => breaker.reset_on_healthy_task = on,
            (BreakerChange::Count(n), Some(breaker)) => breaker.threshold = Threshold::Count(n),
            (_, None) => return None,
        }
        Some(changed)
    }
}

fn confirmed(settings: &Settings, change: BreakerChange) -> Option<(Remedy, End)> {
    let changed = Settings { event_budget: CONFIRM_EVENTS, ..change.apply(settings)? };
    let run = run_to_end(changed);
    let ends = outcome(run.view());
    if ends.cut_off_by == Some(CutOff::EventBudget) {
        // Nobody knows what would come later.
        return None;
    }
    let back = match ends.outcome {
        OutcomeKind::RolledBack => {
            let revision = ends.services.last().and_then(|service| service.rollback)?.revision;
            Some((revision, ends.rolled_back_at?))
        }
        OutcomeKind::Completed => Some((ends.services.last()?.revision, ends.completed_at?)),
        OutcomeKind::Failed => None,
        _ => return None,
    };
    let remedy = Remedy { change, ends: ends.outcome, failed_at: newest_failed_at(&ends), back };
    Some((remedy, End::of(&ends)))
}

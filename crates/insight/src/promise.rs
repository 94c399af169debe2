//! What a change comes to: the run with it, beside the run as it is.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Settings;

use crate::changes::Change;
use crate::outcome::{CutOff, Outcome, outcome};
use crate::run::run_to_end;

/// Events of the run with the change.
const EVENTS: u64 = 20_000;
/// A larger service takes too long to run again.
const TASKS: u32 = 200;

/// How a run goes, in the few figures that a change is weighed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Promise {
    /// Tasks wanted at the end.
    pub desired: u32,
    /// Fewest healthy tasks at any moment.
    pub lowest_healthy: u32,
    /// When the rollout is done; absent where it never is.
    pub done: Option<SimTime>,
    /// When the revision before it is brought back; absent where it never is.
    pub back: Option<SimTime>,
    /// Instants until then at which tasks of the newest deployment were launched.
    pub rounds: u32,
    /// Longest wait of a replacement for its room while nothing is rolled out, in milliseconds.
    pub waited_ms: u64,
}

impl Promise {
    /// That of a run.
    pub fn of(seen: &Outcome) -> Promise {
        Promise {
            desired: seen.limits.desired,
            lowest_healthy: seen.figures.lowest_healthy,
            done: seen.completed_at,
            back: seen.rolled_back_at,
            rounds: seen.figures.rounds,
            waited_ms: seen.replacement_waited_ms,
        }
    }
}

/// The run with this change, with all its acts. Absent for services of more than 200 tasks, and where it is cut off:
/// of such a run nobody knows what would come later.
///
/// 99 tasks and room for one more at a time: done after 99 rounds of 2 minutes. With room for all of them: one round.
pub fn promise(settings: &Settings, change: &Change) -> Option<Promise> {
    let changed = Settings { event_budget: EVENTS, ..change.apply(settings) };
    if changed.platform.ecs().desired > TASKS {
        return None;
    }
    let seen = outcome(run_to_end(changed).view());
    (seen.cut_off_by != Some(CutOff::EventBudget)).then(|| Promise::of(&seen))
}

//! The smallest changes that let a rollout get done whose new tasks fail their checks only because
//! these are too strict: the application answers, but later than the checks allow.

use rollscope_engine::settings::{Behaviour, Capacity, Distribution, Quotas, Revision, Settings, Start};
use rollscope_engine::trace::{Record, TaskChange, What};

use crate::changes::Change;
use crate::outcome::{BlockedBy, CutOff, Outcome, OutcomeKind, outcome};
use crate::run::run_to_end;

/// Events of a run of a single task: enough for its first checks, not for a second task's life.
const ALONE_EVENTS: u64 = 60;
/// Events of the run that confirms a change.
const CONFIRM_EVENTS: u64 = 20_000;
/// A larger service is confirmed with this many tasks: the checks are those of each single task.
const CONFIRM_TASKS: u32 = 200;
/// A grace period that hides everything, in milliseconds: a day.
const ALL_HIDDEN_MS: u64 = 86_400_000;
/// Greatest `startPeriod`, in seconds.
const START_PERIOD_MAX: u32 = 300;
/// Greatest number of failures in a row that a check can ask for.
const FAILURES_MAX: u32 = 10;

/// Changes of the grace period, of `startPeriod`, and of the failures in a row that a check asks
/// for, in this order. Each value is the smallest with which a single task becomes healthy, and each
/// change was confirmed by a run that completes, with all its acts. Empty when anything else keeps the
/// run from its end. A rollout that the circuit breaker ends before is mended in the same way.
pub fn cures(settings: &Settings, seen: &Outcome) -> Vec<Change> {
    let Some(target) = seen.services.last().filter(|_| is_ill(seen)) else { return Vec::new() };
    let params = settings.platform.ecs();
    let grace = (params.grace_ms / 1_000) as u32;
    let alone = alone(settings, target.revision);
    // Nothing stops the task: does it ever become healthy, and when?
    let Some(needed) = healthy_after(&with_grace(&alone, ALL_HIDDEN_MS)) else { return Vec::new() };
    let heals = |change: &Change| healthy_after(&change.apply(&alone)).is_some();
    let mut found = Vec::new();
    found.extend(u32::try_from(needed.div_ceil(1_000)).ok().filter(|n| *n > grace).map(Change::Grace).filter(heals));
    if let [only] = &settings.containers[..] {
        let now = (only.start_period_ms / 1_000) as u32;
        found.extend(least(now + 1, START_PERIOD_MAX, Change::StartPeriod, heals));
        found.extend(least(only.retries + 1, FAILURES_MAX, Change::Retries, heals));
    } else if let [only] = &settings.target_groups[..] {
        found.extend(least(only.unhealthy_threshold + 1, FAILURES_MAX, Change::UnhealthyThreshold, heals));
    }
    found.retain(|change| completes(settings, change));
    found
}

/// New tasks fail their checks, and the rollout comes to nothing because of it.
fn is_ill(seen: &Outcome) -> bool {
    match seen.outcome {
        OutcomeKind::InProgress | OutcomeKind::Stuck => seen.blocked_by == Some(BlockedBy::UnhealthyTarget),
        OutcomeKind::RolledBack | OutcomeKind::Failed => seen.failures > 0,
        _ => false,
    }
}

/// The smallest value that heals; whatever is greater than one that heals does too.
fn least(from: u32, to: u32, change: fn(u32) -> Change, heals: impl Fn(&Change) -> bool) -> Option<Change> {
    if from > to || !heals(&change(to)) {
        return None;
    }
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if heals(&change(middle)) { high = middle } else { low = middle + 1 }
    }
    Some(change(high))
}

/// A service of one task that starts at time 0, as slow as the times allow.
fn alone(settings: &Settings, revision: u32) -> Settings {
    let mut alone = settings.clone();
    let Some(params) = alone.platform.ecs_mut() else { return alone };
    (params.desired, params.minimum_healthy_percent, params.maximum_percent) = (1, 0, 200);
    // The question is whether the task gets healthy, not what guards the rollout makes of it.
    (params.breaker, params.alarms, params.early_success) = (None, None, None);
    let timing = &mut alone.timing;
    timing.start_up = slowest(&timing.start_up);
    timing.first_check = timing.first_check.as_ref().map(slowest);
    let fate = |r: &Revision| Behaviour { by_start: Vec::new(), ..r.behaviour.clone() };
    let behaviour = settings.revisions.iter().find(|r| r.number == revision).map(fate).unwrap_or_default();
    alone.revisions = vec![Revision::new(revision, behaviour)];
    alone.start = Start { deployments: Vec::new(), deploy: Some(revision) };
    (alone.capacity, alone.acts, alone.until) = (Capacity::Unlimited, Vec::new(), None);
    (alone.quotas, alone.event_budget) = (Quotas::None, ALONE_EVENTS);
    alone
}

fn slowest(times: &Distribution) -> Distribution {
    Distribution::Constant(match times {
        Distribution::Constant(ms)
        | Distribution::Uniform { max: ms, .. }
        | Distribution::Triangular { max: ms, .. } => *ms,
        Distribution::Table(rows) => rows.iter().filter(|(_, weight)| *weight > 0).map(|row| row.0).max().unwrap_or(0),
    })
}

fn with_grace(settings: &Settings, ms: u64) -> Settings {
    let mut changed = settings.clone();
    let Some(params) = changed.platform.ecs_mut() else { return changed };
    params.grace_ms = ms;
    changed
}

/// From RUNNING to healthy of the first task, in milliseconds; absent when it is stopped before.
fn healthy_after(settings: &Settings) -> Option<u64> {
    let run = run_to_end(settings.clone());
    let first = |record: &Record| match record.what {
        What::Task { task, change } if task.name.start == 1 => Some((record.at, change)),
        _ => None,
    };
    let mut running = None;
    for (at, change) in run.trace.records.iter().filter_map(first) {
        match change {
            TaskChange::Running => running = Some(at),
            TaskChange::Healthy => return running.map(|running| at.since(running)),
            TaskChange::StopDecided(_) | TaskChange::Stopped(_) => return None,
            _ => {}
        }
    }
    None
}

/// The run with this change completes.
fn completes(settings: &Settings, change: &Change) -> bool {
    let mut changed = change.apply(settings);
    let params = changed.platform.ecs();
    if params.desired > CONFIRM_TASKS {
        changed = Change::Desired(CONFIRM_TASKS).apply(&changed);
    }
    changed.event_budget = CONFIRM_EVENTS;
    let ends = outcome(run_to_end(changed).view());
    ends.outcome == OutcomeKind::Completed && ends.cut_off_by != Some(CutOff::EventBudget)
}

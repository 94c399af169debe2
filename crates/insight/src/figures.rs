//! The figures of a run.

use std::collections::BTreeMap;

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::guard::Violation;
use rollscope_engine::trace::{DeploymentId, TaskChange, What};

use crate::run::RunView;

/// The figures.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Figures {
    /// Most tasks that counted against the ceiling at once.
    pub peak_tasks: u32,
    /// Most tasks that existed at once, those on their way out included.
    pub peak_physical: u32,
    /// Fewest healthy tasks at any moment.
    pub lowest_healthy: u32,
    /// Instants at which tasks of the newest deployment were launched, replacements not counted.
    pub waves: u32,
    /// Tasks beyond the desired count, times how long they existed, in task-milliseconds; until
    /// completion, or until the last change of a run that does not complete.
    pub task_ms_extra: u64,
    /// Time in which tasks of two or more revisions were healthy at once, in milliseconds.
    pub both_versions_ms: u64,
    /// Broken guards, the first 16.
    pub invariants_broken: Vec<Violation>,
}

/// The figures of a run; `until` is its completion or last change.
pub(crate) fn figures(run: RunView<'_>, target: Option<DeploymentId>, until: SimTime) -> Figures {
    let counts = || run.samples.iter().map(|(_, counts)| counts);
    Figures {
        peak_tasks: counts().map(|c| c.counted).max().unwrap_or(0),
        peak_physical: counts().map(|c| c.physical()).max().unwrap_or(0),
        lowest_healthy: counts().map(|c| c.healthy()).min().unwrap_or(0),
        waves: waves(run, target),
        task_ms_extra: extra(run, until),
        both_versions_ms: both_versions(run),
        invariants_broken: run.end.violations().to_vec(),
    }
}

fn waves(run: RunView<'_>, target: Option<DeploymentId>) -> u32 {
    let (mut waves, mut last) = (0, None);
    for record in run.records {
        let What::Task { change: TaskChange::Created { deployment, replacement: false, .. }, .. } = record.what else {
            continue;
        };
        if Some(deployment) == target && last != Some(record.at) {
            last = Some(record.at);
            waves += 1;
        }
    }
    waves
}

fn extra(run: RunView<'_>, until: SimTime) -> u64 {
    let mut sum = 0u64;
    for (i, (at, counts)) in run.samples.iter().enumerate() {
        let next = run.samples.get(i + 1).map_or(until, |(next, _)| *next).min(until);
        let extra = counts.physical().saturating_sub(counts.limits.desired);
        sum = sum.saturating_add(u64::from(extra).saturating_mul(next.since(*at)));
    }
    sum
}

/// Healthy tasks by revision, kept from the records alone: the lanes of a sample put all further
/// revisions together.
fn both_versions(run: RunView<'_>) -> u64 {
    let mut healthy: Vec<bool> = Vec::new();
    let mut by_revision: BTreeMap<u32, u32> = BTreeMap::new();
    let (mut sum, mut since) = (0u64, SimTime::ZERO);
    for record in run.records {
        let What::Task { task, change } = record.what else { continue };
        let now = match change {
            TaskChange::Existing { state, .. } => state == TaskState::Healthy,
            TaskChange::Healthy => true,
            TaskChange::Unhealthy
            | TaskChange::Rechecking
            | TaskChange::StopDecided(_)
            | TaskChange::Stopped(_)
            | TaskChange::Created { .. } => false,
            _ => continue,
        };
        let id = task.id.0 as usize;
        if id >= healthy.len() {
            healthy.resize(id + 1, false);
        }
        if healthy[id] == now {
            continue;
        }
        if by_revision.len() >= 2 {
            sum += record.at.since(since);
        }
        since = record.at;
        healthy[id] = now;
        let count = by_revision.entry(task.name.revision).or_insert(0);
        *count = if now { *count + 1 } else { *count - 1 };
        if *count == 0 {
            by_revision.remove(&task.name.revision);
        }
    }
    if by_revision.len() >= 2 { sum + run.end.now().since(since) } else { sum }
}

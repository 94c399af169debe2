//! The figures of a run.

use rollscope_engine::SimTime;
use rollscope_engine::frame::{Counts, Limits};
use rollscope_engine::guard::Violation;
use rollscope_engine::trace::{DeploymentId, TaskChange, What};

use crate::guards::{fewest, most};
use crate::run::RunView;
use crate::serving::each_span;

/// The figures.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Figures {
    /// Most tasks that counted against the ceiling at once.
    pub peak_tasks: u32,
    /// Most tasks that existed at once, those on their way out included.
    pub peak_physical: u32,
    /// Fewest healthy tasks at any moment.
    pub lowest_healthy: u32,
    /// The ceiling when the most tasks counted, and the floor when the fewest were healthy: a desired count that
    /// changes later changes both.
    pub bounds: (u32, u32),
    /// Instants at which tasks of the newest deployment were launched, replacements not counted.
    pub waves: u32,
    /// Of these those until completion, or until the last change of a run that does not complete: what comes later,
    /// such as a larger desired count, is no round of the rollout.
    pub rounds: u32,
    /// Tasks beyond the desired count, times how long they existed, in task-milliseconds; until
    /// completion, or until the last change of a run that does not complete.
    pub task_ms_extra: u64,
    /// Time in which tasks of two or more revisions were healthy at once (and had traffic, where that is
    /// shifted), in milliseconds.
    pub both_versions_ms: u64,
    /// Broken guards, the first 16.
    pub invariants_broken: Vec<Violation>,
    /// When each figure came to be.
    pub moments: FigureMoments,
}

/// The moment behind each figure: where to look in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct FigureMoments {
    /// When the most tasks that count against the ceiling were first there.
    pub peak_tasks: SimTime,
    /// When the fewest tasks were first healthy.
    pub lowest_healthy: SimTime,
    /// From when and until when tasks of two or more revisions were healthy at once, first and last;
    /// absent when they never were.
    pub both_versions: Option<(SimTime, SimTime)>,
    /// Most tasks beyond the desired count at once, and when they were first there.
    pub most_extra: (u32, SimTime),
    /// The first and the last launch of tasks of the newest deployment, replacements not counted.
    pub waves: Option<(SimTime, SimTime)>,
}

/// The figures of a run; `until` is its completion or last change.
pub(crate) fn figures(run: RunView<'_>, target: Option<DeploymentId>, until: SimTime) -> Figures {
    let peak = most(run, |counts| counts.counted);
    let lowest = fewest(run, Counts::healthy);
    let extra_tasks = |counts: &Counts| counts.physical().saturating_sub(counts.limits.desired);
    let most_extra = most(run, extra_tasks);
    let (waves, launched) = waves(run, target);
    let rounds = waves.iter().filter(|at| **at <= until).count() as u32;
    let (both_versions_ms, both_versions) = both_versions(run);
    Figures {
        peak_tasks: peak.0,
        peak_physical: most(run, Counts::physical).0,
        lowest_healthy: lowest.0,
        bounds: (limits_at(run, peak.1).ceiling, limits_at(run, lowest.1).floor),
        waves: waves.len() as u32,
        rounds,
        task_ms_extra: extra(run, until),
        both_versions_ms,
        invariants_broken: run.end.violations().to_vec(),
        moments: FigureMoments {
            peak_tasks: peak.1,
            lowest_healthy: lowest.1,
            both_versions,
            most_extra,
            waves: launched,
        },
    }
}

/// The limits at the end of an instant.
fn limits_at(run: RunView<'_>, at: SimTime) -> Limits {
    let index = run.samples.partition_point(|(moment, _)| *moment <= at);
    let sample = index.checked_sub(1).and_then(|i| run.samples.get(i));
    sample.map_or(run.end.counts().limits, |(_, counts)| counts.limits)
}

fn waves(run: RunView<'_>, target: Option<DeploymentId>) -> (Vec<SimTime>, Option<(SimTime, SimTime)>) {
    let mut waves: Vec<SimTime> = Vec::new();
    for record in run.records {
        let What::Task { change: TaskChange::Created { deployment, replacement: false, .. }, .. } = record.what else {
            continue;
        };
        if Some(deployment) == target && waves.last() != Some(&record.at) {
            waves.push(record.at);
        }
    }
    let both = waves.first().copied().zip(waves.last().copied());
    (waves, both)
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

/// Time in which two or more revisions answered, and its first and last moment. Kept from the records
/// alone: the lanes of a sample put all further revisions together.
fn both_versions(run: RunView<'_>) -> (u64, Option<(SimTime, SimTime)>) {
    let mut sum = 0u64;
    let mut spell: Option<(SimTime, SimTime)> = None;
    each_span(run, &mut |from, to, serving| {
        if serving.len() >= 2 {
            sum += to.since(from);
            spell = Some((spell.map_or(from, |(first, _)| first), to));
        }
    });
    (sum, spell)
}

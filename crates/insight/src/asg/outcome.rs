//! How a run of a group ended.

use rollscope_engine::asg::{Change, InstanceChange, Refresh, Run};
use rollscope_engine::guard::Violation;
use rollscope_engine::platform::asg::{Because, Blocked, Hold, Status};
use rollscope_engine::trace::{Record, StopCause, TaskChange, What};
use rollscope_engine::{Ending, SimTime};

use crate::outcome::{CutOff, OutcomeKind};
use crate::run::RunView;

/// A status from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusRow {
    /// When.
    pub at: SimTime,
    /// Which refresh, from 1.
    pub refresh: u16,
    /// Before.
    pub from: Status,
    /// From there on.
    pub to: Status,
    /// Why it failed or rolls back.
    pub because: Option<Because>,
    /// `PercentageComplete`
    pub percent: u32,
}

/// A checkpoint that was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointRow {
    /// When.
    pub at: SimTime,
    /// Its percentage.
    pub checkpoint: u32,
    /// `PercentageComplete`
    pub percent: u32,
    /// The end of its delay; absent when it does not hold.
    pub until: Option<SimTime>,
}

/// Most, fewest, how much.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Figures {
    /// Most instances that neither terminate nor stand by: what the ceiling bounds.
    pub peak_counted: u32,
    /// Most instances, terminating ones included.
    pub peak_physical: u32,
    /// Fewest ready instances.
    pub lowest_ready: u32,
    /// Milliseconds with ready instances of more than one version.
    pub both_versions_ms: u64,
    /// Instances times milliseconds beyond the desired capacity, terminating ones included.
    pub instance_ms_extra: u64,
    /// Batches of the refresh.
    pub batches: u32,
    /// Instances launched.
    pub launched: u32,
    /// Launches that failed.
    pub launch_failures: u32,
    /// Instances replaced because a health check failed, or because EC2 found them impaired.
    pub unhealthy: u32,
    /// Broken guards.
    pub invariants_broken: Vec<Violation>,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In one word.
    pub outcome: OutcomeKind,
    /// The newest refresh; absent when none was started.
    pub refresh: Option<Refresh>,
    /// What it waits for, when it is not over, or what failed it.
    pub blocked_by: Option<Blocked>,
    /// Why nothing is done at the end.
    pub hold: Option<Hold>,
    /// The newest refresh was Successful, or rolled back, then.
    pub completed_at: Option<SimTime>,
    /// The last change.
    pub last_change_at: SimTime,
    /// The end of the run.
    pub ended_at: SimTime,
    /// What cut it off, when something could still have happened.
    pub cut_off_by: Option<CutOff>,
    /// Most, fewest, how much.
    pub figures: Figures,
    /// Statuses over time.
    pub statuses: Vec<StatusRow>,
    /// Checkpoints over time.
    pub checkpoints: Vec<CheckpointRow>,
    /// Ready instances of each version at the end, in the order of the versions.
    pub versions: Vec<(u32, u32)>,
    /// Desired capacity of the end.
    pub desired: u32,
}

/// What becomes of a run.
pub fn outcome(view: RunView<'_>, run: &Run) -> Outcome {
    let state = run.view();
    let ending = view.end.ending();
    let whole = state.ready == run.params().desired;
    let outcome = kind(view.records, run, whole && !goes_on_failing(view.records, run));
    let refresh = state.refresh;
    let failed = refresh.and_then(|refresh| refresh.because).and_then(|because| match because {
        Because::NoProgress(by) => Some(by),
        _ => None,
    });
    let open = refresh.is_some_and(|refresh| !refresh.status.is_final());
    let ends_well =
        matches!(refresh.map(|refresh| refresh.status), Some(Status::Successful | Status::RollbackSuccessful));
    Outcome {
        outcome,
        refresh,
        blocked_by: if open || !whole && failed.is_none() { waits(state.hold) } else { failed },
        hold: state.hold,
        completed_at: refresh.filter(|_| ends_well).and_then(|refresh| refresh.ended),
        last_change_at: last_change(view.records),
        ended_at: view.end.now(),
        cut_off_by: ending.and_then(cut_off),
        figures: figures(view),
        statuses: view.records.iter().filter_map(status).collect(),
        checkpoints: view.records.iter().filter_map(checkpoint).collect(),
        versions: state.versions.iter().map(|(version, n)| (*version, n.healthy)).filter(|(_, n)| *n > 0).collect(),
        desired: run.params().desired,
    }
}

fn kind(records: &[Record], run: &Run, whole: bool) -> OutcomeKind {
    let refused =
        records.iter().any(|record| record.at == SimTime::ZERO && matches!(record.what, What::Asg(Change::Refused(_))));
    match run.refreshes().last().map(|refresh| refresh.status) {
        None if refused => OutcomeKind::Refused,
        None | Some(Status::Successful) if whole => OutcomeKind::Completed,
        Some(Status::Successful) => OutcomeKind::CompletedThenFailing,
        Some(Status::Failed | Status::RollbackFailed) => OutcomeKind::Failed,
        Some(Status::RollbackSuccessful) => OutcomeKind::RolledBack,
        Some(Status::Cancelled) => OutcomeKind::Cancelled,
        None if run.ending() == Some(Ending::Quiet) => OutcomeKind::Waiting,
        _ => OutcomeKind::InProgress,
    }
}

/// Instances failed after the newest refresh, and the run was cut off while something could still happen.
fn goes_on_failing(records: &[Record], run: &Run) -> bool {
    let ended = run.refreshes().last().and_then(|refresh| refresh.ended);
    let Some(ended) = ended.filter(|_| run.ending() != Some(Ending::Quiet)) else { return false };
    let failed = |what: &What| {
        matches!(
            what,
            What::Task { change: TaskChange::StopDecided(StopCause::Unhealthy), .. }
                | What::Asg(Change::Instance { change: InstanceChange::Impaired, .. })
        )
    };
    records.iter().rev().take_while(|record| record.at >= ended).any(|record| failed(&record.what))
}

/// What keeps it at this moment.
const fn waits(hold: Option<Hold>) -> Option<Blocked> {
    match hold {
        Some(Hold::Blocked { by, .. }) => Some(by),
        Some(Hold::Warming { .. }) => Some(Blocked::Health),
        _ => None,
    }
}

const fn cut_off(ending: Ending) -> Option<CutOff> {
    match ending {
        Ending::Quiet => None,
        Ending::Until => Some(CutOff::Until),
        Ending::Horizon => Some(CutOff::Horizon),
        Ending::EventBudget => Some(CutOff::EventBudget),
        Ending::Rounds => Some(CutOff::Rounds),
    }
}

fn status(record: &Record) -> Option<StatusRow> {
    match record.what {
        What::Asg(Change::Status { refresh, from, to, because, percent }) => {
            Some(StatusRow { at: record.at, refresh, from, to, because, percent })
        }
        _ => None,
    }
}

fn checkpoint(record: &Record) -> Option<CheckpointRow> {
    match record.what {
        What::Asg(Change::Checkpoint { at, percent, until }) => {
            let until = Some(until).filter(|until| *until != SimTime::NEVER);
            Some(CheckpointRow { at: record.at, checkpoint: at, percent, until })
        }
        _ => None,
    }
}

fn last_change(records: &[Record]) -> SimTime {
    records.iter().rfind(|record| !matches!(record.what, What::Ended(_))).map_or(SimTime::ZERO, |record| record.at)
}

fn figures(view: RunView<'_>) -> Figures {
    let mut figures = Figures { lowest_ready: u32::MAX, ..Figures::default() };
    let ends = view.samples.iter().skip(1).map(|(at, _)| *at).chain([view.end.now()]);
    for ((at, counts), until) in view.samples.iter().zip(ends) {
        let lasts = until.since(*at);
        figures.peak_counted = figures.peak_counted.max(counts.counted);
        figures.peak_physical = figures.peak_physical.max(counts.physical());
        figures.lowest_ready = figures.lowest_ready.min(counts.healthy());
        let versions = counts.lanes.iter().filter(|lane| lane.healthy > 0).count();
        figures.both_versions_ms += if versions > 1 { lasts } else { 0 };
        figures.instance_ms_extra += lasts * u64::from(counts.physical().saturating_sub(counts.limits.desired));
    }
    if figures.lowest_ready == u32::MAX {
        figures.lowest_ready = 0;
    }
    for record in view.records {
        match record.what {
            What::Task { change: TaskChange::Created { .. }, .. } => figures.launched += 1,
            What::Task { change: TaskChange::StopDecided(StopCause::Unhealthy), .. } => figures.unhealthy += 1,
            What::Asg(Change::Instance { change: InstanceChange::Impaired, .. }) => figures.unhealthy += 1,
            What::Asg(Change::Instance { change: InstanceChange::LaunchFailed { .. }, .. }) => {
                figures.launch_failures += 1;
            }
            What::Asg(Change::Launching {
                reason: rollscope_engine::platform::asg::LaunchReason::Batch { .. },
                ..
            }) => {
                figures.batches += 1;
            }
            _ => {}
        }
    }
    figures.invariants_broken = view.end.violations().to_vec();
    figures
}

/// The names of the alarms that a refresh watches, in the order of the settings.
pub fn watched(run: &Run) -> Vec<&str> {
    run.settings().alarms.iter().map(|alarm| alarm.name.as_str()).collect()
}

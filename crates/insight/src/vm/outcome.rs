//! How a run of a group of machines ended.

use rollscope_engine::guard::Violation;
use rollscope_engine::platform::vm::{Blocked, Hold, Kind};
use rollscope_engine::platform::vmss::{Breach, Status};
use rollscope_engine::trace::{Record, StopCause, TaskChange, What};
use rollscope_engine::vm::{Change, MachineChange, Run};
use rollscope_engine::{Ending, SimTime};

use crate::outcome::{CutOff, OutcomeKind};
use crate::run::RunView;

/// A status of a rolling upgrade from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusRow {
    /// When.
    pub at: SimTime,
    /// Before; absent at its start.
    pub from: Option<Status>,
    /// From there on.
    pub to: Status,
    /// What stopped it.
    pub because: Option<Breach>,
}

/// Most, fewest, how much.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Figures {
    /// Most machines that are not being deleted: what the ceiling bounds.
    pub peak_counted: u32,
    /// Most machines, those that are being deleted included.
    pub peak_physical: u32,
    /// Fewest healthy machines.
    pub lowest_healthy: u32,
    /// Milliseconds with healthy machines of more than one model.
    pub both_versions_ms: u64,
    /// Machines times milliseconds beyond the size, those that are being deleted included.
    pub machine_ms_extra: u64,
    /// Batches of the upgrade, or steps of the update.
    pub batches: u32,
    /// Machines created, or started again as another model.
    pub created: u32,
    /// Creations that failed.
    pub creation_failures: u32,
    /// Machines that autohealing recreated.
    pub repaired: u32,
    /// Machines that nobody waited for any longer.
    pub given_up: u32,
    /// Broken guards.
    pub invariants_broken: Vec<Violation>,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In one word.
    pub outcome: OutcomeKind,
    /// Whose rules hold.
    pub kind: Kind,
    /// The status of the newest rolling upgrade; absent on Google Cloud.
    pub status: Option<Status>,
    /// What stopped it.
    pub because: Option<Breach>,
    /// Why nothing is done at the end.
    pub hold: Option<Hold>,
    /// Everything that was to be replaced is, and was healthy, since then.
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
    /// The model that was rolled out.
    pub target: u32,
    /// Healthy machines of each model at the end, in the order of the models.
    pub versions: Vec<(u32, u32)>,
    /// The size of the end.
    pub size: u32,
}

/// What becomes of a run.
pub fn outcome(view: RunView<'_>, run: &Run) -> Outcome {
    let state = run.view();
    let statuses: Vec<StatusRow> = view.records.iter().filter_map(status).collect();
    let status = state.upgrade.map(|upgrade| upgrade.status);
    let completed_at = match (&state.params.kind, status) {
        (Kind::Vmss(_), Some(Status::Completed)) => state.rollout.ended,
        (Kind::Vmss(_), Some(_)) => None,
        _ => state.rollout.reached.filter(|_| state.rollout.number > 0),
    };
    let healthy = run.counts().healthy();
    let whole = healthy == state.params.size && !goes_on_failing(view.records, run, completed_at);
    Outcome {
        outcome: kind(run, completed_at.is_some(), whole),
        kind: state.params.kind.clone(),
        status,
        because: statuses.iter().rev().find_map(|row| row.because),
        hold: state.hold,
        completed_at,
        last_change_at: last_change(view.records),
        ended_at: view.end.now(),
        cut_off_by: view.end.ending().and_then(cut_off),
        figures: figures(view),
        statuses,
        target: state.target,
        versions: state.versions.iter().map(|(version, n)| (*version, n.healthy)).filter(|(_, n)| *n > 0).collect(),
        size: state.params.size,
    }
}

fn kind(run: &Run, completed: bool, whole: bool) -> OutcomeKind {
    let state = run.view();
    match (state.upgrade.map(|upgrade| upgrade.status), state.hold) {
        _ if completed && whole => OutcomeKind::Completed,
        _ if completed => OutcomeKind::CompletedThenFailing,
        (Some(Status::Faulted), _) => OutcomeKind::Failed,
        (Some(Status::Cancelled), _) => OutcomeKind::Cancelled,
        (_, Some(Hold::Blocked { by: Blocked::NotAllowed | Blocked::Floor, .. })) => OutcomeKind::Stuck,
        _ if state.rollout.number == 0 && whole => OutcomeKind::Completed,
        _ if run.ending() == Some(Ending::Quiet) => OutcomeKind::Waiting,
        _ => OutcomeKind::InProgress,
    }
}

/// Machines failed after the end, and the run was cut off while something could still happen.
fn goes_on_failing(records: &[Record], run: &Run, completed_at: Option<SimTime>) -> bool {
    let Some(since) = completed_at.filter(|_| run.ending() != Some(Ending::Quiet)) else { return false };
    let failed = |what: &What| {
        matches!(
            what,
            What::Task { change: TaskChange::StopDecided(StopCause::Unhealthy), .. }
                | What::Vm(Change::Machine { change: MachineChange::Crashed, .. })
        )
    };
    records.iter().rev().take_while(|record| record.at >= since).any(|record| failed(&record.what))
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
        What::Vm(Change::Status { from, to, because }) => Some(StatusRow { at: record.at, from, to, because }),
        _ => None,
    }
}

fn last_change(records: &[Record]) -> SimTime {
    records.iter().rfind(|record| !matches!(record.what, What::Ended(_))).map_or(SimTime::ZERO, |record| record.at)
}

fn figures(view: RunView<'_>) -> Figures {
    let mut figures = Figures { lowest_healthy: u32::MAX, ..Figures::default() };
    let ends = view.samples.iter().skip(1).map(|(at, _)| *at).chain([view.end.now()]);
    for ((at, counts), until) in view.samples.iter().zip(ends) {
        let lasts = until.since(*at);
        figures.peak_counted = figures.peak_counted.max(counts.counted);
        figures.peak_physical = figures.peak_physical.max(counts.physical());
        figures.lowest_healthy = figures.lowest_healthy.min(counts.healthy());
        let versions = counts.lanes.iter().filter(|lane| lane.healthy > 0).count();
        figures.both_versions_ms += if versions > 1 { lasts } else { 0 };
        figures.machine_ms_extra += lasts * u64::from(counts.physical().saturating_sub(counts.limits.desired));
    }
    if figures.lowest_healthy == u32::MAX {
        figures.lowest_healthy = 0;
    }
    let google = view.end.vm().is_some_and(|group| matches!(group.params().kind, Kind::Mig(_)));
    let mut round = None;
    for record in view.records {
        match record.what {
            What::Task { change: TaskChange::Created { .. }, .. } => figures.created += 1,
            What::Vm(Change::Machine { change, .. }) => match change {
                MachineChange::Repaired => figures.repaired += 1,
                MachineChange::CreationFailed { .. } => figures.creation_failures += 1,
                MachineChange::GivenUp => figures.given_up += 1,
                _ => {}
            },
            What::Vm(Change::BatchEnded { .. }) => figures.batches += 1,
            // Google knows no batches: new machines of one moment are a round.
            What::Vm(Change::Creating { .. } | Change::Rebuilding { .. }) if google => {
                figures.batches += u32::from(round.replace(record.at) != Some(record.at));
            }
            _ => {}
        }
    }
    figures.invariants_broken = view.end.violations().to_vec();
    figures
}

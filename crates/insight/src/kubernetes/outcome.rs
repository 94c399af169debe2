//! How a run of a Deployment ended.

use rollscope_engine::guard::Violation;
use rollscope_engine::kubernetes::{Change, Pod, PodChange, Run, SetRef, Stage};
use rollscope_engine::platform::kubernetes::rules_progress::complete;
use rollscope_engine::platform::kubernetes::{Because, ConditionKind, Hold, SizeReason, Truth};
use rollscope_engine::trace::{Record, What};
use rollscope_engine::{Ending, SimTime};

use crate::outcome::{CutOff, OutcomeKind};
use crate::run::RunView;

/// What a rollout that does not go on waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StalledBy {
    /// Somebody to resume it.
    Paused,
    /// An image that can be pulled.
    ImagePull,
    /// A container that goes on running.
    CrashLoop,
    /// New Pods to pass their readiness checks.
    Readiness,
    /// A node with room.
    Room,
    /// A larger quota.
    Quota,
    /// Old Pods to be gone.
    Terminating,
    /// Nothing but time.
    Time,
}

/// A condition from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionRow {
    /// When it changed.
    pub at: SimTime,
    /// Which.
    pub kind: ConditionKind,
    /// Its status and reason; absent: it is gone.
    pub now: Option<(Truth, Because)>,
}

/// A size change of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassRow {
    /// When.
    pub at: SimTime,
    /// Which ReplicaSet.
    pub set: SetRef,
    /// Pods asked for before.
    pub from: u32,
    /// From there on.
    pub to: u32,
    /// Why.
    pub reason: SizeReason,
    /// Pods asked for of all ReplicaSets afterwards.
    pub asked: u32,
}

/// Most, fewest, how much.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Figures {
    /// Most Pods asked for at any pass: what the ceiling bounds.
    pub peak_asked: u32,
    /// Fewest Pods asked for at any pass.
    pub lowest_asked: u32,
    /// Most Pods that are not terminating.
    pub peak_counted: u32,
    /// Most Pods, terminating ones included.
    pub peak_physical: u32,
    /// Fewest available Pods.
    pub lowest_available: u32,
    /// Milliseconds with available Pods of more than one template.
    pub both_versions_ms: u64,
    /// Pods times milliseconds beyond `replicas`, terminating ones included.
    pub pod_ms_extra: u64,
    /// Restarts of containers.
    pub restarts: u32,
    /// Pods that were refused or cut requests on their way out, and the longest time of each kind.
    pub races: (u32, u64, u64),
    /// Broken guards.
    pub invariants_broken: Vec<Violation>,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In one word.
    pub outcome: OutcomeKind,
    /// What it waits for, when it did not complete.
    pub blocked_by: Option<StalledBy>,
    /// The last rollout completed then.
    pub completed_at: Option<SimTime>,
    /// `Progressing` was True for a better count for the last time.
    pub last_progress_at: Option<SimTime>,
    /// `ProgressDeadlineExceeded` was reported for the first time.
    pub reported_at: Option<SimTime>,
    /// The last change of a Pod, a size or a condition.
    pub last_change_at: SimTime,
    /// The end of the run.
    pub ended_at: SimTime,
    /// What cut it off, when something could still have happened.
    pub cut_off_by: Option<CutOff>,
    /// Most, fewest, how much.
    pub figures: Figures,
    /// Conditions over time.
    pub conditions: Vec<ConditionRow>,
    /// Size changes in order.
    pub passes: Vec<PassRow>,
    /// The template of the end.
    pub template: u32,
}

/// What becomes of a run.
pub fn outcome(view: RunView<'_>, run: &Run) -> Outcome {
    let passes = passes(view.records);
    let conditions: Vec<ConditionRow> = view.records.iter().filter_map(condition).collect();
    let progressing = |wanted: fn(Option<(Truth, Because)>) -> bool| {
        let fits = move |row: &&ConditionRow| row.kind == ConditionKind::Progressing && wanted(row.now);
        conditions.iter().rfind(fits).map(|row| row.at)
    };
    let completed = progressing(|now| now == Some((Truth::True, Because::NewReplicaSetAvailable)));
    let reported = conditions.iter().find(|row| row.now == Some((Truth::False, Because::ProgressDeadlineExceeded)));
    let state = run.view();
    let done = complete(run.params().replicas, state.status);
    let was_done = state.conditions.progress() == Some(Because::NewReplicaSetAvailable);
    let ending = view.end.ending();
    let (kind, blocked_by) = match () {
        () if done => (done_kind(view.records), None),
        () if was_done && completed.is_some() => (OutcomeKind::CompletedThenFailing, Some(stalled_by(run))),
        () => {
            let why = stalled_by(run);
            (open_kind(why, ending, reported.is_some()), Some(why))
        }
    };
    let completed_at = if run.params().progress_deadline_ms.is_some() { completed } else { last_complete(view, run) };
    Outcome {
        outcome: kind,
        blocked_by,
        completed_at: completed_at.filter(|_| done || was_done),
        last_progress_at: last_progress(view.records),
        reported_at: reported.map(|row| row.at),
        last_change_at: last_change(view.records),
        ended_at: view.end.now(),
        cut_off_by: ending.and_then(cut_off),
        figures: figures(view, run),
        conditions,
        passes,
        template: state.template,
    }
}

/// It is complete: of the template that was to be rolled out, or of one that was brought back.
pub(crate) fn done_kind(records: &[Record]) -> OutcomeKind {
    let templates: Vec<(u32, u32)> = records
        .iter()
        .filter_map(|record| match record.what {
            What::Kubernetes(Change::Template { from, to }) => Some((from, to)),
            _ => None,
        })
        .collect();
    match (templates.first(), templates.last()) {
        (Some((first, _)), Some((_, last))) if first == last && templates.len() > 1 => OutcomeKind::RolledBack,
        _ => OutcomeKind::Completed,
    }
}

fn open_kind(why: StalledBy, ending: Option<Ending>, reported: bool) -> OutcomeKind {
    match (why, ending) {
        (StalledBy::Paused, _) => OutcomeKind::Waiting,
        (StalledBy::Room | StalledBy::Quota, Some(Ending::Quiet)) => OutcomeKind::Waiting,
        (_, Some(Ending::Quiet)) => OutcomeKind::Stuck,
        _ if reported => OutcomeKind::Stuck,
        _ => OutcomeKind::InProgress,
    }
}

pub(crate) const fn cut_off(ending: Ending) -> Option<CutOff> {
    match ending {
        Ending::Quiet => None,
        Ending::Until => Some(CutOff::Until),
        Ending::Horizon => Some(CutOff::Horizon),
        Ending::EventBudget => Some(CutOff::EventBudget),
        Ending::Rounds => Some(CutOff::Rounds),
    }
}

/// What keeps a rollout that is not complete, at this moment: of several things the one that most Pods
/// of the new template wait for.
pub fn stalled_by(run: &Run) -> StalledBy {
    let view = run.view();
    match view.hold {
        Some(Hold::Paused) => return StalledBy::Paused,
        Some(Hold::Refused { .. }) => return StalledBy::Quota,
        Some(Hold::WaitGone { .. }) => return StalledBy::Terminating,
        _ => {}
    }
    lacking(run.pods().filter(|pod| pod.counted() && pod.name.revision == view.template && !pod.available))
}

/// What most of these Pods lack, which are not available.
pub(crate) fn lacking<'a>(pods: impl Iterator<Item = &'a Pod>) -> StalledBy {
    let mut counts = [0_u32; 5];
    for pod in pods {
        let index = match pod.stage {
            Stage::PullBackOff => 0,
            Stage::BackOff => 1,
            Stage::Running if pod.restarts > 0 => 1,
            Stage::Unassigned => 3,
            Stage::Running if pod.next_moment().is_none() => 2,
            _ => 4,
        };
        counts[index] += 1;
    }
    let kinds = [StalledBy::ImagePull, StalledBy::CrashLoop, StalledBy::Readiness, StalledBy::Room, StalledBy::Time];
    let most = (0..kinds.len()).rev().max_by_key(|index| counts[*index]).filter(|index| counts[*index] > 0);
    most.map_or(StalledBy::Time, |index| kinds[index])
}

fn condition(record: &Record) -> Option<ConditionRow> {
    match record.what {
        What::Kubernetes(Change::Condition { kind, now }) => Some(ConditionRow { at: record.at, kind, now }),
        _ => None,
    }
}

fn passes(records: &[Record]) -> Vec<PassRow> {
    let mut sizes: Vec<(u16, u32)> = Vec::new();
    let mut rows = Vec::new();
    for record in records {
        let (set, from, to, reason) = match record.what {
            What::Kubernetes(Change::SetCreated { set, size, reason }) => (set, 0, size, reason),
            What::Kubernetes(Change::SetScaled { set, from, to, reason }) => (set, from, to, reason),
            _ => continue,
        };
        // Sets that were there at time 0 come in with the size they had.
        match sizes.iter_mut().find(|(id, _)| *id == set.id.0) {
            Some((_, size)) => *size = to,
            None => sizes.push((set.id.0, to)),
        }
        rows.push(PassRow { at: record.at, set, from, to, reason, asked: 0 });
    }
    // From the end back: what a row did not change was already so.
    for index in 0..rows.len() {
        let known = |id: u16| {
            let before = rows[..=index].iter().rev().find(|row| row.set.id.0 == id).map(|row| row.to);
            before.or_else(|| rows[index..].iter().find(|row| row.set.id.0 == id).map(|row| row.from))
        };
        rows[index].asked = sizes.iter().filter_map(|(id, _)| known(*id)).sum();
    }
    rows
}

fn last_progress(records: &[Record]) -> Option<SimTime> {
    let better = |record: &&Record| {
        matches!(
            record.what,
            What::Task { change: rollscope_engine::trace::TaskChange::Created { .. }, .. }
                | What::Kubernetes(Change::Pod { change: PodChange::Ready, .. })
                | What::Kubernetes(Change::SetScaled { reason: SizeReason::AboveFloor { .. }, .. })
        )
    };
    records.iter().rfind(better).map(|record| record.at)
}

pub(crate) fn last_change(records: &[Record]) -> SimTime {
    records.iter().rfind(|record| !matches!(record.what, What::Ended(_))).map_or(SimTime::ZERO, |record| record.at)
}

/// Without a deadline there is no `Progressing`: the last moment at which the counts became complete.
fn last_complete(view: RunView<'_>, run: &Run) -> Option<SimTime> {
    let replicas = run.params().replicas;
    let whole = |counts: &rollscope_engine::frame::Counts| counts.healthy() == replicas && counts.counted == replicas;
    let open = view.samples.iter().rposition(|(_, counts)| !whole(counts))?;
    view.samples.get(open + 1).map(|(at, _)| *at)
}

pub(crate) fn figures(view: RunView<'_>, run: &Run) -> Figures {
    let (lowest_asked, peak_asked) = run.asked_range();
    let mut figures = Figures { peak_asked, lowest_asked, lowest_available: u32::MAX, ..Figures::default() };
    let ends = view.samples.iter().skip(1).map(|(at, _)| *at).chain([view.end.now()]);
    for ((at, counts), until) in view.samples.iter().zip(ends) {
        let lasts = until.since(*at);
        figures.peak_counted = figures.peak_counted.max(counts.counted);
        figures.peak_physical = figures.peak_physical.max(counts.physical());
        figures.lowest_available = figures.lowest_available.min(counts.healthy());
        let versions = counts.lanes.iter().filter(|lane| lane.healthy > 0).count();
        figures.both_versions_ms += if versions > 1 { lasts } else { 0 };
        figures.pod_ms_extra += lasts * u64::from(counts.physical().saturating_sub(counts.limits.desired));
    }
    if figures.lowest_available == u32::MAX {
        figures.lowest_available = 0;
    }
    for record in view.records {
        if let What::Kubernetes(Change::Pod { change, .. }) = record.what {
            match change {
                PodChange::Restarted { .. } => figures.restarts += 1,
                PodChange::Race { refused_ms, cut_ms } => {
                    let (pods, refused, cut) = figures.races;
                    figures.races = (pods + 1, refused.max(refused_ms), cut.max(cut_ms));
                }
                _ => {}
            }
        }
    }
    figures.invariants_broken = view.end.violations().to_vec();
    figures
}

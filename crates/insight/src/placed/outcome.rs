//! How a run of a StatefulSet or a DaemonSet ended.

use rollscope_engine::kubernetes::{Change, Controller, Pod, Run, Wait};
use rollscope_engine::platform::daemonset::Wait as NodeWait;
use rollscope_engine::platform::statefulset::{Wait as OrdinalWait, WaitsFor};
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{DeploymentChange, Record, TaskRef, What};
use rollscope_engine::{Ending, SimTime};
use rollscope_scenario::Value;

use super::names;
use crate::kubernetes::outcome::{cut_off, done_kind, figures, lacking, last_change};
use crate::kubernetes::{Figures, StalledBy};
use crate::outcome::{CutOff, OutcomeKind};
use crate::run::RunView;

/// What a rollout that is not complete waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockedBy {
    /// Somebody to lower the partition: nothing is updated.
    Partition,
    /// Somebody to delete the old Pods.
    OnDelete,
    /// OrderedReady waits for a Pod that is neither available nor of the template: it will not replace it, so
    /// somebody has to delete it.
    OutdatedPod {
        /// Ordinal.
        ordinal: u32,
    },
    /// What its Pods wait for.
    Pods(StalledBy),
}

/// A Pod that a controller created or deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRow {
    /// When.
    pub at: SimTime,
    /// Created; else deleted.
    pub created: bool,
    /// Which.
    pub pod: TaskRef,
    /// Ordinal or node.
    pub place: u32,
    /// Why.
    pub reason: &'static str,
    /// The numbers of the reason.
    pub numbers: Value,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In one word.
    pub outcome: OutcomeKind,
    /// What it waits for, when it did not complete.
    pub blocked_by: Option<BlockedBy>,
    /// The last rollout completed then: of everything, or of everything from the partition on.
    pub completed_at: Option<SimTime>,
    /// Pods that the partition keeps at the current revision.
    pub kept: u32,
    /// The last change of a Pod.
    pub last_change_at: SimTime,
    /// The end of the run.
    pub ended_at: SimTime,
    /// What cut it off, when something could still have happened.
    pub cut_off_by: Option<CutOff>,
    /// Most, fewest, how much.
    pub figures: Figures,
    /// Pods created and deleted by the controller, in order.
    pub steps: Vec<StepRow>,
    /// The template of the end.
    pub template: u32,
}

/// What becomes of a run.
pub fn outcome(view: RunView<'_>, run: &Run) -> Outcome {
    let wait = run.controller().wait();
    let ending = view.end.ending();
    let (template, updated) = run.workload().map_or((0, 0), |seen| (seen.template, seen.status.updated));
    let kept = match wait {
        Some(Wait::Ordinal(OrdinalWait::Partition { kept, .. })) => kept,
        _ => 0,
    };
    let resting = matches!(wait, Some(Wait::Ordinal(OrdinalWait::Done) | Wait::Node(NodeWait::Done)));
    let done = resting || (kept > 0 && updated > 0);
    let was_done = run.deployments().into_iter().any(|set| set.primary && set.state == RolloutState::Completed);
    let (kind, blocked) = match () {
        () if done => (done_kind(view.records), None),
        () if was_done => (OutcomeKind::CompletedThenFailing, Some(blocked_by(run))),
        () => {
            let why = blocked_by(run);
            (open_kind(why, ending), Some(why))
        }
    };
    Outcome {
        outcome: kind,
        blocked_by: blocked,
        completed_at: completed_at(view.records, done, was_done),
        kept,
        last_change_at: last_change(view.records),
        ended_at: view.end.now(),
        cut_off_by: ending.and_then(cut_off),
        figures: figures(view, run),
        steps: view.records.iter().filter_map(step).collect(),
        template,
    }
}

/// The last time that a rollout became complete, when it is, or has been.
fn completed_at(records: &[Record], done: bool, was_done: bool) -> Option<SimTime> {
    let whole = |record: &&Record| {
        matches!(
            record.what,
            What::Deployment { change: DeploymentChange::State(RolloutState::Completed), .. }
                | What::Kubernetes(Change::Waits(Wait::Ordinal(OrdinalWait::Partition { .. })))
        )
    };
    records.iter().rfind(whole).filter(|_| done || was_done).map(|record| record.at)
}

fn open_kind(why: BlockedBy, ending: Option<Ending>) -> OutcomeKind {
    use BlockedBy::{OnDelete, Partition, Pods};
    match (why, ending) {
        (Partition | OnDelete, _) => OutcomeKind::Waiting,
        (Pods(StalledBy::Room | StalledBy::Quota), Some(Ending::Quiet)) => OutcomeKind::Waiting,
        // A day without anything else: nothing will come of it.
        (_, Some(Ending::Quiet | Ending::Horizon)) => OutcomeKind::Stuck,
        _ => OutcomeKind::InProgress,
    }
}

/// What keeps a rollout that is not complete, at this moment.
pub fn blocked_by(run: &Run) -> BlockedBy {
    let template = run.workload().map_or(0, |seen| seen.template);
    let down = |pod: &&Pod| pod.counted() && !pod.available;
    let new = || run.pods().filter(down).filter(|pod| pod.name.revision == template);
    match run.controller().wait() {
        Some(Wait::Ordinal(OrdinalWait::Partition { .. })) => BlockedBy::Partition,
        Some(Wait::Ordinal(OrdinalWait::OnDelete { .. }) | Wait::Node(NodeWait::OnDelete { .. })) => {
            BlockedBy::OnDelete
        }
        Some(Wait::Ordinal(OrdinalWait::Pod { ordinal, lacks })) => match lacks {
            WaitsFor::Creation => BlockedBy::Pods(StalledBy::Quota),
            WaitsFor::Termination => BlockedBy::Pods(StalledBy::Terminating),
            WaitsFor::Availability { outdated: true } if ordered(run) => BlockedBy::OutdatedPod { ordinal },
            WaitsFor::Availability { .. } => {
                let here = |pod: &&Pod| run.controller().place_of(pod.slot) == Some(ordinal);
                BlockedBy::Pods(lacking(run.pods().filter(down).filter(here)))
            }
        },
        Some(Wait::Node(NodeWait::Terminating { .. })) => BlockedBy::Pods(StalledBy::Terminating),
        Some(Wait::Node(NodeWait::Refused { .. })) => BlockedBy::Pods(StalledBy::Quota),
        _ => BlockedBy::Pods(lacking(new())),
    }
}

fn ordered(run: &Run) -> bool {
    matches!(run.controller(), Controller::StatefulSet(state) if !state.own.parallel)
}

fn step(record: &Record) -> Option<StepRow> {
    let (created, pod, place, (reason, numbers)) = match record.what {
        What::Kubernetes(Change::Placed { pod, place, reason }) => (true, pod, place, names::placed(&reason)),
        What::Kubernetes(Change::Removed { pod, place, reason }) => (false, pod, place, names::removed(&reason)),
        _ => return None,
    };
    Some(StepRow { at: record.at, created, pod, place, reason, numbers })
}

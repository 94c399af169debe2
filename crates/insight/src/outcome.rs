//! How a run ended.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use rollscope_engine::frame::{DeploymentView, Frame, LaneCounts, Limits};
use rollscope_engine::settings::{Command, RolloutState, TaskName};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::trace::{
    Decision, DeploymentChange, DeploymentId, FailureVerdict, Reason, Record, TaskChange, What,
};
use rollscope_engine::{Ending, SimTime};

use crate::figures::{Figures, figures};
use crate::outside::{Ledger, LedgerDeployment, Waiter, waiter};
use crate::run::RunView;
use crate::troubles::{Troubles, troubles};

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In one word.
    pub outcome: OutcomeKind,
    /// What it waits for, when it did not complete.
    pub blocked_by: Option<BlockedBy>,
    /// The newest deployment completed then.
    pub completed_at: Option<SimTime>,
    /// The last change of a task or a deployment.
    pub last_change_at: SimTime,
    /// The end of the run.
    pub ended_at: SimTime,
    /// What cut it off, when something could still have happened.
    pub cut_off_by: Option<CutOff>,
    /// Why nothing was being done at the end.
    pub hold: Option<Reason>,
    /// Limits at the end.
    pub limits: Limits,
    /// Most, fewest, how much.
    pub figures: Figures,
    /// What exists at the end.
    pub now: EndState,
    /// Deployments at the end, oldest first; the last one is PRIMARY.
    pub deployments: Vec<DeploymentView>,
    /// Tasks of the newest deployment that failed, those people stopped not counted.
    pub failures: u32,
    /// Of these, so many failed after the deployment had completed.
    pub failures_after: u32,
    /// Of all failures, so many were counted by the circuit breaker.
    pub failures_counted: u32,
    /// Service deployments at the end, oldest first.
    pub services: Vec<ServiceDeployment>,
    /// The last good revision was back and steady then, when the newest one failed.
    pub rolled_back_at: Option<SimTime>,
    /// The revision that a failure of the newest service deployment went back to, or would have.
    pub candidate: Option<u32>,
    /// Milliseconds from the stop of an unhealthy task that finds no room for its replacement to the start of that
    /// one, the longest; 0 where there was none.
    pub replacement_waited_ms: u64,
    /// The stage that lasted as long as any may and failed the newest deployment; the rollback has stages of its own.
    pub failed_stage: Option<Stage>,
    /// What it meets beside that.
    pub troubles: Troubles,
    /// The ServicesStable waiter that was started with it.
    pub waiter: Option<Waiter>,
}

/// The outcome in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutcomeKind {
    /// The newest deployment is COMPLETED and its tasks are well.
    Completed,
    /// It is COMPLETED, and afterwards its tasks go on failing.
    CompletedThenFailing,
    /// It was FAILED and the last good one is back.
    RolledBack,
    /// It is FAILED.
    Failed,
    /// Nothing that could happen would change anything.
    Stuck,
    /// It waits for something from outside.
    Waiting,
    /// It was cut off while something was still going on.
    InProgress,
    /// Somebody cancelled it; what is done stays.
    Cancelled,
    /// The platform refuses the settings; nothing ran.
    Refused,
}

impl OutcomeKind {
    /// True when a pipeline may go on.
    pub fn ends_well(self) -> bool {
        self == OutcomeKind::Completed
    }
}

/// What a run that did not complete waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockedBy {
    /// The two limits and their rounding.
    Configuration,
    /// Room for another task, as a number of places.
    Places,
    /// Room on an instance, or of Fargate.
    Room,
    /// The launch quota.
    Quota,
    /// The pause after failed starts.
    Throttle,
    /// New tasks do not start, or exit.
    FailingTasks,
    /// New tasks fail their checks.
    UnhealthyTarget,
    /// The deployment is FAILED and launches nothing.
    FailedDeployment,
    /// Old tasks are protected from scale-in.
    Protection,
    /// Nothing but time.
    Time,
}

/// What cut a run off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutOff {
    /// `until` of the scenario.
    Until,
    /// 24 hours after the last deployment start or act; 16 days where protection or a clean-up goes on.
    Horizon,
    /// The event budget.
    EventBudget,
    /// 10,000 rounds at one instant: an error of the model.
    Rounds,
}

/// Counts as the API has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TaskTotals {
    /// Tasks not yet STOPPED.
    pub total: u32,
    /// `runningCount`
    pub running: u32,
    /// `pendingCount`
    pub pending: u32,
    /// Healthy tasks.
    pub healthy: u32,
    /// Tasks on their way out.
    pub stopping: u32,
}

impl TaskTotals {
    fn of(lane: &LaneCounts) -> TaskTotals {
        TaskTotals {
            total: lane.physical(),
            running: lane.checking + lane.healthy + lane.unhealthy,
            pending: lane.waiting + lane.starting,
            healthy: lane.healthy,
            stopping: lane.leaving(),
        }
    }

    fn add(&mut self, other: &TaskTotals) {
        self.total += other.total;
        self.running += other.running;
        self.pending += other.pending;
        self.healthy += other.healthy;
        self.stopping += other.stopping;
    }
}

/// What exists at the end.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct EndState {
    /// All tasks.
    pub all: TaskTotals,
    /// By revision number.
    pub by_revision: BTreeMap<u32, TaskTotals>,
}

/// When a service deployment failed or was stopped by a person; absent while it has not.
pub fn failed_at(service: &ServiceDeployment) -> Option<SimTime> {
    service.failed_by.and(service.rollback.map(|back| back.at).or(service.finished))
}

/// Tasks that people or Spot end: whatever happens to them is no failure.
pub(crate) fn killed_by_hand(run: RunView<'_>) -> BTreeSet<TaskName> {
    let ended = run.end.acts().iter().filter_map(|act| match act.command {
        Command::Kill(name) | Command::StopTask(name) | Command::Interrupt(name) => Some(name),
        _ => None,
    });
    ended.collect()
}

/// How a run ended, or how it stands as far as it is computed.
pub fn outcome(run: RunView<'_>) -> Outcome {
    let frame = run.end.frame();
    let target = frame.deployments.iter().find(|d| d.primary).copied();
    let newest = frame.service_deployments.last();
    // The figures are about what was rolled out, also when it was given up.
    let rolled_out = newest.map(|s| s.deployment).or(target.map(|d| d.id));
    let rolled_back = newest.filter(|s| s.status() == ServiceStatus::RollbackSuccessful);
    let rolled_back_at = rolled_back.and_then(|s| s.finished);
    let story = Story::of(run, rolled_out);
    let last_change_at = last_change(run.records);
    let until = story.completed_at.or(rolled_back_at).unwrap_or(last_change_at);
    let (kind, blocked_by) = judge(&frame, target, newest, &story);
    Outcome {
        outcome: kind,
        blocked_by,
        completed_at: story.completed_at,
        last_change_at,
        ended_at: frame.at,
        cut_off_by: cut_off(frame.ending),
        hold: frame.hold,
        limits: frame.counts.limits,
        figures: figures(run, rolled_out, until),
        now: end_state(&frame),
        candidate: newest.and_then(|s| candidate(run, s)),
        replacement_waited_ms: replacement_waited(run.records),
        failed_stage: failed_stage(run.records),
        troubles: troubles(run),
        waiter: newest.map(|s| waiter(run, s.started)),
        rolled_back_at,
        deployments: frame.deployments,
        failures: story.unhealthy + story.stopped_by_itself,
        failures_after: story.failed_since_completion,
        failures_counted: story.counted,
        services: frame.service_deployments,
    }
}

/// The revision a failure of this service deployment goes back to: the newest one that was COMPLETED
/// when it began.
fn candidate(run: RunView<'_>, service: &ServiceDeployment) -> Option<u32> {
    if let Some(back) = service.rollback {
        return Some(back.revision);
    }
    let ledger = Ledger::at(run.end.settings(), run.records, service.started);
    let other = |d: &&LedgerDeployment| d.id != service.deployment && d.state == RolloutState::Completed;
    ledger.all().iter().rfind(other).map(|d| d.revision)
}

/// The longest time a replacement waits for the room of the task it replaces.
///
/// Example: stopped first at 2:00, gone after a deregistration delay of half an hour, the next one starts at 32:02:
/// 1,802,000.
fn replacement_waited(records: &[Record]) -> u64 {
    let (mut since, mut longest) = (None, 0);
    for record in records {
        match record.what {
            What::Decision(Decision { reason: Reason::NoRoomStopFirst { .. }, .. }) => {
                since.get_or_insert(record.at);
            }
            What::Task { change: TaskChange::Created { .. }, .. } => {
                longest = longest.max(since.take().map_or(0, |since| record.at.since(since)));
            }
            _ => {}
        }
    }
    longest
}

/// The stage that ran into the limit of stages, the last one that did.
fn failed_stage(records: &[Record]) -> Option<Stage> {
    records.iter().rev().find_map(|record| match record.what {
        What::Decision(Decision { reason: Reason::StageLimit { stage }, .. }) => Some(stage),
        _ => None,
    })
}

/// What the records tell of the newest deployment.
#[derive(Default)]
struct Story {
    completed_at: Option<SimTime>,
    unhealthy: u32,
    stopped_by_itself: u32,
    counted: u32,
    failed_since_completion: u32,
}

impl Story {
    fn of(run: RunView<'_>, target: Option<DeploymentId>) -> Story {
        let killed = killed_by_hand(run);
        let mut ours: BTreeSet<u32> = BTreeSet::new();
        let mut story = Story::default();
        for record in run.records {
            match record.what {
                What::Deployment { id, change: DeploymentChange::State(state), .. } if Some(id) == target => {
                    story.completed_at = (state == RolloutState::Completed).then_some(record.at);
                    story.failed_since_completion = 0;
                }
                What::Failure(failure) if Some(failure.deployment) == target => {
                    story.counted += u32::from(failure.verdict == FailureVerdict::Counted);
                }
                What::Task { task, change } => {
                    let of = match change {
                        TaskChange::Existing { deployment, .. } | TaskChange::Created { deployment, .. } => deployment,
                        _ if !ours.contains(&task.id.0) || killed.contains(&task.name) => continue,
                        _ => {
                            story.failure(record);
                            continue;
                        }
                    };
                    if Some(of) == target {
                        ours.insert(task.id.0);
                    }
                }
                _ => {}
            }
        }
        story
    }

    fn failure(&mut self, record: &Record) {
        if !rollscope_player::is_failure(&record.what) {
            return;
        }
        match record.what {
            What::Task { change: TaskChange::Unhealthy(_), .. } => self.unhealthy += 1,
            _ => self.stopped_by_itself += 1,
        }
        self.failed_since_completion += 1;
    }

    /// The sort of failure there was most of.
    fn failing(&self) -> Option<BlockedBy> {
        match (self.unhealthy, self.stopped_by_itself) {
            (0, 0) => None,
            (unhealthy, stopped) if unhealthy >= stopped => Some(BlockedBy::UnhealthyTarget),
            _ => Some(BlockedBy::FailingTasks),
        }
    }
}

fn last_change(records: &[Record]) -> SimTime {
    let change = |record: &&Record| !matches!(record.what, What::Ended(_) | What::Decision(_) | What::Guard(_));
    records.iter().rev().find(change).map_or(SimTime::ZERO, |record| record.at)
}

fn cut_off(ending: Option<Ending>) -> Option<CutOff> {
    match ending {
        // A run that nothing happens in any more ends quietly before that.
        Some(Ending::Until) => Some(CutOff::Until),
        Some(Ending::Horizon) => Some(CutOff::Horizon),
        Some(Ending::EventBudget) => Some(CutOff::EventBudget),
        Some(Ending::Rounds) => Some(CutOff::Rounds),
        Some(Ending::Quiet) | None => None,
    }
}

fn judge(
    frame: &Frame,
    target: Option<DeploymentView>,
    newest: Option<&ServiceDeployment>,
    story: &Story,
) -> (OutcomeKind, Option<BlockedBy>) {
    let quiet = frame.ending == Some(Ending::Quiet);
    let Some(target) = target else { return (OutcomeKind::Completed, None) };
    match newest.map(ServiceDeployment::status) {
        Some(ServiceStatus::RollbackSuccessful) => return (OutcomeKind::RolledBack, None),
        Some(ServiceStatus::RollbackFailed | ServiceStatus::Stopped) => {
            return (OutcomeKind::Failed, Some(BlockedBy::FailedDeployment));
        }
        _ => {}
    }
    match target.state {
        RolloutState::Failed => return (OutcomeKind::Failed, Some(BlockedBy::FailedDeployment)),
        RolloutState::Completed => {
            let whole = frame.counts.healthy() >= frame.counts.limits.desired;
            let failing = story.failed_since_completion > 0 && !(quiet && whole);
            if !failing && (whole || !quiet) {
                return (OutcomeKind::Completed, None);
            }
            let blocked_by = blocked(frame.hold);
            // A larger desired count waits for room: no task failed.
            if story.failed_since_completion == 0 && matches!(blocked_by, Some(BlockedBy::Places | BlockedBy::Room)) {
                return (OutcomeKind::Waiting, blocked_by);
            }
            return (OutcomeKind::CompletedThenFailing, story.failing().or(blocked_by));
        }
        RolloutState::InProgress => {}
    }
    let blocked_by = blocked(frame.hold).or(story.failing()).unwrap_or(BlockedBy::Time);
    let kind = match (quiet, blocked_by) {
        (_, BlockedBy::Places | BlockedBy::Room) => OutcomeKind::Waiting,
        (true, _) => OutcomeKind::Stuck,
        (false, _) => OutcomeKind::InProgress,
    };
    (kind, Some(blocked_by))
}

fn blocked(hold: Option<Reason>) -> Option<BlockedBy> {
    Some(match hold? {
        Reason::CannotMove { .. } | Reason::Lockstep { .. } => BlockedBy::Configuration,
        Reason::NoPlaces { .. } => BlockedBy::Places,
        Reason::NoRoom { .. } | Reason::WaitInstances { .. } | Reason::NoCapacity { .. } => BlockedBy::Room,
        Reason::Quota { .. } => BlockedBy::Quota,
        Reason::Throttled { .. } => BlockedBy::Throttle,
        Reason::DeploymentFailed { .. } => BlockedBy::FailedDeployment,
        Reason::Protected { .. } => BlockedBy::Protection,
        _ => return None,
    })
}

fn end_state(frame: &Frame) -> EndState {
    let mut state = EndState::default();
    for deployment in &frame.deployments {
        let totals = TaskTotals::of(&deployment.tasks);
        state.all.add(&totals);
        state.by_revision.entry(deployment.revision).or_default().add(&totals);
    }
    state
}

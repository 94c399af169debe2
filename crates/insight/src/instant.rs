//! What one instant of a run holds, by weight: a deployment that fails comes before a failure that
//! counts, that one before an unhealthy task that is replaced, then stops, then starts.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Settings, TaskName};
use rollscope_engine::sim::service_deployment::{FailedBy, ServiceStatus};
use rollscope_engine::trace::{
    Decision, Failure, FailureVerdict, Reason, Record, Rule, ServiceChange, StopCode, TaskChange, What,
};

use crate::failures::is_failure;
use crate::moment::MomentKind;
use crate::outcome::OutcomeKind;

/// How many tasks, and the first of them.
pub(crate) type Tally = (u32, Option<TaskName>);

/// One instant.
#[derive(Default)]
pub(crate) struct Instant {
    /// Tasks that start.
    pub started: Tally,
    /// Tasks that the scheduler picks to stop.
    pub stopped: Tally,
    /// What failed the deployment, or the rollback of it.
    pub fails: Option<FailedBy>,
    /// It is the rollback that fails.
    pub rollback_fails: bool,
    /// A rollback begins, also one without a candidate.
    rolls_back: bool,
    /// A deployment completes.
    pub ends: bool,
    /// The last failure that counted, and how many there were.
    pub counted: (Option<Failure>, u32),
    /// The last failure the breaker looked at and did not count, and how many there were.
    pub uncounted: (Option<Failure>, u32),
    /// Tasks that failed, whoever counts them.
    pub failed: u32,
    /// What follows from a deployment that fails.
    pub follows: Option<Reason>,
    /// Decisions, in their order.
    decisions: Vec<Decision>,
}

/// The records of exactly this instant.
pub(crate) fn records_at(records: &[Record], t: SimTime) -> &[Record] {
    let from = records.partition_point(|record| record.at < t);
    let to = records.partition_point(|record| record.at <= t);
    &records[from..to]
}

/// Tasks that the records start, and tasks that the scheduler picks to stop in them.
pub(crate) fn acted(records: &[Record]) -> (Tally, Tally) {
    let (mut started, mut stopped): (Tally, Tally) = ((0, None), (0, None));
    for record in records {
        let What::Task { task, change } = record.what else { continue };
        let tally = match change {
            TaskChange::Created { .. } => &mut started,
            TaskChange::StopDecided(cause) if cause.by_scheduler() => &mut stopped,
            _ => continue,
        };
        tally.0 += 1;
        tally.1.get_or_insert(task.name);
    }
    (started, stopped)
}

impl Instant {
    /// The instant of these records.
    pub fn of(records: &[Record], settings: &Settings) -> Instant {
        let params = settings.platform.ecs();
        let watched = params.breaker.is_some();
        let (started, stopped) = acted(records);
        let mut instant = Instant { started, stopped, ..Instant::default() };
        for record in records {
            match record.what {
                What::Decision(decision) => instant.decide(decision),
                What::Failure(failure) => instant.note(failure),
                What::Service { change, .. } => instant.service(change),
                What::Task { change, .. } => instant.failed += u32::from(!watched && fails(change)),
                _ => {}
            }
        }
        instant.failed += instant.uncounted.1;
        instant
    }

    fn decide(&mut self, decision: Decision) {
        self.decisions.push(decision);
        match decision.reason {
            Reason::RollsBack { .. } | Reason::NoCandidate { .. } | Reason::NoRollback { .. } => {
                self.follows = Some(decision.reason);
            }
            reason => self.fails = failing(&reason).or(self.fails),
        }
    }

    fn note(&mut self, failure: Failure) {
        let kept = match failure.verdict {
            FailureVerdict::Counted => &mut self.counted,
            _ if is_failure(failure.kind) => &mut self.uncounted,
            _ => return,
        };
        *kept = (Some(failure), kept.1 + 1);
    }

    fn service(&mut self, change: ServiceChange) {
        let ServiceChange::Status { to, .. } = change else { return };
        match to {
            ServiceStatus::Successful | ServiceStatus::RollbackSuccessful => self.ends = true,
            ServiceStatus::RollbackRequested => self.fails = Some(FailedBy::Person),
            ServiceStatus::RollbackInProgress => self.rolls_back = true,
            ServiceStatus::RollbackFailed => self.rollback_fails = !self.rolls_back,
            _ => {}
        }
    }

    /// The failure that is told, and how many there were like it.
    pub fn failure(&self) -> Option<(Failure, u32)> {
        let (failure, n) = if self.counted.1 > 0 { self.counted } else { self.uncounted };
        failure.map(|failure| (failure, n))
    }

    /// The decision behind what happens.
    pub fn because(&self, kind: MomentKind) -> Option<Decision> {
        let of = |wanted: &dyn Fn(&Decision) -> bool| self.decisions.iter().copied().find(|d| wanted(d));
        match kind {
            MomentKind::Fails(_) | MomentKind::RollbackFails => of(&|d| d.rule == Rule::FailureFirst),
            // It is the decision to roll back that explains them, whenever it was.
            MomentKind::RolledBack
            | MomentKind::Back
            | MomentKind::Ended(OutcomeKind::RolledBack | OutcomeKind::Failed)
            // What completed it, which may be long ago.
            | MomentKind::Ended(OutcomeKind::Completed | OutcomeKind::CompletedThenFailing) => None,
            MomentKind::Done => of(&|d| weight(&d.reason) == ENDS),
            _ => {
                let done = self.decisions.iter().filter(|d| !matches!(d.rule, Rule::Hold | Rule::Deploy));
                done.copied().min_by_key(|d| weight(&d.reason))
            }
        }
    }
}

/// A task fails.
fn fails(change: TaskChange) -> bool {
    matches!(
        change,
        TaskChange::Unhealthy(_)
            | TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited)
    )
}

/// It replaces what is unhealthy.
fn is_healing(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::NeverHealthy { .. }
            | Reason::ReplacementFirst { .. }
            | Reason::NoRoomStopFirst { .. }
            | Reason::ReplacementHealthy { .. }
            | Reason::OlderStops { .. }
    )
}

/// What failed a deployment, where this is the reason of that.
pub fn failing(reason: &Reason) -> Option<FailedBy> {
    match reason {
        Reason::BreakerTripped { .. } => Some(FailedBy::Breaker),
        Reason::AlarmFired { .. } => Some(FailedBy::Alarm),
        Reason::DigestsFailed { .. } => Some(FailedBy::Digests),
        Reason::HookFailed { .. } => Some(FailedBy::Hook),
        Reason::StageLimit { .. } => Some(FailedBy::StageLimit),
        _ => None,
    }
}

/// Weight of the end of a rollout.
const ENDS: u8 = 2;

/// Which of several decisions is told first: the least.
fn weight(reason: &Reason) -> u8 {
    match reason {
        reason if failing(reason).is_some() => 0,
        Reason::RollsBack { .. } | Reason::NoCandidate { .. } | Reason::NoRollback { .. } => 1,
        Reason::Completed { .. } | Reason::EarlySuccess { .. } | Reason::ShiftCompleted { .. } => ENDS,
        Reason::TrafficShifts { .. } | Reason::TrafficBack { .. } => 3,
        reason if is_healing(reason) => 4,
        Reason::SpareToStop { .. }
        | Reason::NotNeeded { .. }
        | Reason::Surplus { .. }
        | Reason::CleanUp { .. }
        | Reason::Reconcile { .. } => 5,
        Reason::DeploymentFailed { .. } => 6,
        _ => 7,
    }
}

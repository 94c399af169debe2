//! The books of an observer: deployments with their counts, from the records alone. Applying a
//! record costs the same however long the run is.

use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::{RolloutState, Settings};
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::trace::{DeploymentChange, DeploymentId, Reason, Record, ServiceChange, TaskChange, What};
use rollscope_engine::{SimTime, order};

use super::texts::plain_reason;

/// `status` of a deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeploymentStatus {
    /// `PRIMARY`: the newest, or the one that is being brought back.
    Primary,
    /// `ACTIVE`: has tasks, and is being replaced.
    Active,
    /// `INACTIVE`: replaced. Not in the answer of DescribeServices.
    Inactive,
}

/// Why a deployment is in its state: what `rolloutStateReason` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateReason {
    /// It is being rolled out.
    InProgress,
    /// It is complete.
    Completed,
    /// It failed.
    Failed(FailedBy),
    /// It is brought back, after the newer one failed.
    RollingBack(FailedBy),
}

/// A deployment as DescribeServices knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LedgerDeployment {
    /// Identity.
    pub id: DeploymentId,
    /// Revision number.
    pub revision: u32,
    /// `status`
    pub status: DeploymentStatus,
    /// `rolloutState`
    pub state: RolloutState,
    /// `rolloutStateReason`
    pub reason: StateReason,
    /// `failedTasks`
    pub failed_tasks: u32,
    /// `createdAt`; 0 for one that was there at the start.
    pub created_at: SimTime,
    /// `updatedAt`: the last change of its state.
    pub updated_at: SimTime,
    /// `pendingCount`
    pub pending: u32,
    /// `runningCount`
    pub running: u32,
    /// Tasks on their way out.
    pub leaving: u32,
}

impl LedgerDeployment {
    fn new(id: DeploymentId, revision: u32, state: RolloutState, at: SimTime) -> LedgerDeployment {
        LedgerDeployment {
            id,
            revision,
            status: DeploymentStatus::Active,
            state,
            reason: plain_reason(state, FailedBy::Breaker),
            failed_tasks: 0,
            created_at: at,
            updated_at: at,
            pending: 0,
            running: 0,
            leaving: 0,
        }
    }
}

/// Where a task is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Pending,
    Running,
    Leaving,
    Gone,
}

/// The books, up to the last record that was applied.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// By identity: they are numbered in the order in which they come to be.
    deployments: Vec<LedgerDeployment>,
    tasks: Vec<(usize, Place)>,
    primary: Option<usize>,
    last_failed: Option<DeploymentId>,
    /// Deployments that are not INACTIVE.
    listed: usize,
    pending: u32,
    running: u32,
}

impl Ledger {
    /// The books at time 0, before the first record.
    pub fn new(settings: &Settings) -> Ledger {
        let start = settings.start.deployments.iter().enumerate();
        let mut deployments: Vec<_> = start
            .map(|(i, d)| LedgerDeployment {
                failed_tasks: d.failed_tasks,
                ..LedgerDeployment::new(DeploymentId(i as u16), d.revision, d.state, SimTime::ZERO)
            })
            .collect();
        if let Some(last) = deployments.last_mut() {
            last.status = DeploymentStatus::Primary;
        }
        let (listed, primary) = (deployments.len(), deployments.len().checked_sub(1));
        Ledger { deployments, tasks: Vec::new(), primary, last_failed: None, listed, pending: 0, running: 0 }
    }

    /// The books after all records up to and including `t`.
    pub fn at(settings: &Settings, records: &[Record], t: SimTime) -> Ledger {
        let mut ledger = Ledger::new(settings);
        records.iter().take_while(|record| record.at <= t).for_each(|record| ledger.apply(record));
        ledger
    }

    /// Every deployment of the run so far, oldest first.
    pub fn all(&self) -> &[LedgerDeployment] {
        &self.deployments
    }

    /// What DescribeServices lists: PRIMARY first, then the newest.
    pub fn listed(&self) -> Vec<LedgerDeployment> {
        let rank = |d: &LedgerDeployment| u8::from(d.status == DeploymentStatus::Active);
        let mut list: Vec<_> =
            self.deployments.iter().rev().filter(|d| d.status != DeploymentStatus::Inactive).copied().collect();
        order::by_key(&mut list, rank);
        list
    }

    /// How many deployments DescribeServices lists.
    pub fn listed_count(&self) -> usize {
        self.listed
    }

    /// The PRIMARY deployment.
    pub fn primary(&self) -> Option<&LedgerDeployment> {
        self.primary.and_then(|index| self.deployments.get(index))
    }

    /// `runningCount` of the service.
    pub fn running(&self) -> u32 {
        self.running
    }

    /// `pendingCount` of the service.
    pub fn pending(&self) -> u32 {
        self.pending
    }

    /// Books one record.
    pub fn apply(&mut self, record: &Record) {
        match record.what {
            What::Deployment { id, revision, change } => self.deployment(id, revision, change, record.at),
            What::Task { task, change } => self.task(task.id.0 as usize, change),
            What::Failure(failure) => {
                if let Some(d) = self.find(failure.deployment) {
                    d.failed_tasks = failure.count;
                }
            }
            What::CountReset { deployment, .. } => {
                if let Some(d) = self.find(deployment) {
                    d.failed_tasks = 0;
                }
            }
            What::Service { change: ServiceChange::RollsBack { by, from, to }, .. } => {
                self.because(from, StateReason::Failed(by));
                self.because(to, StateReason::RollingBack(by));
            }
            What::Decision(decision) => self.failed_by(&decision.reason),
            _ => {}
        }
    }

    fn find(&mut self, id: DeploymentId) -> Option<&mut LedgerDeployment> {
        self.deployments.get_mut(usize::from(id.0))
    }

    fn because(&mut self, id: DeploymentId, reason: StateReason) {
        if let Some(d) = self.find(id) {
            d.reason = reason;
        }
    }

    /// The decision that goes with the last failure says what failed it.
    fn failed_by(&mut self, reason: &Reason) {
        let by = match reason {
            Reason::BreakerTripped { .. } => FailedBy::Breaker,
            Reason::AlarmFired { .. } => FailedBy::Alarm,
            Reason::DigestsFailed { .. } => FailedBy::Digests,
            _ => return,
        };
        if let Some(d) = self.last_failed.and_then(|id| self.find(id)) {
            d.reason = StateReason::Failed(by);
        }
    }

    fn deployment(&mut self, id: DeploymentId, revision: u32, change: DeploymentChange, at: SimTime) {
        let index = usize::from(id.0);
        while self.deployments.len() <= index {
            let next = DeploymentId(self.deployments.len() as u16);
            self.deployments.push(LedgerDeployment::new(next, revision, RolloutState::InProgress, at));
            self.listed += 1;
        }
        match change {
            DeploymentChange::Started => self.lead(index),
            DeploymentChange::RollingBack => {
                self.lead(index);
                self.deployments[index].state = RolloutState::InProgress;
                self.deployments[index].failed_tasks = 0;
                if !matches!(self.deployments[index].reason, StateReason::RollingBack(_)) {
                    self.deployments[index].reason = StateReason::RollingBack(FailedBy::Breaker);
                }
            }
            DeploymentChange::Superseded => self.status(index, DeploymentStatus::Active),
            DeploymentChange::State(state) => self.state(index, state),
            DeploymentChange::Gone => self.status(index, DeploymentStatus::Inactive),
        }
        self.deployments[index].updated_at = at;
    }

    fn state(&mut self, index: usize, state: RolloutState) {
        let d = &mut self.deployments[index];
        d.state = state;
        d.reason = plain_reason(state, FailedBy::Breaker);
        if state == RolloutState::Failed {
            self.last_failed = Some(d.id);
        }
    }

    fn status(&mut self, index: usize, status: DeploymentStatus) {
        let inactive = |status| usize::from(status == DeploymentStatus::Inactive);
        let before = core::mem::replace(&mut self.deployments[index].status, status);
        self.listed = self.listed + inactive(before) - inactive(status);
    }

    /// One deployment is PRIMARY, the one before it ACTIVE.
    fn lead(&mut self, index: usize) {
        if let Some(before) = self.primary.replace(index)
            && self.deployments[before].status == DeploymentStatus::Primary
        {
            self.status(before, DeploymentStatus::Active);
        }
        self.status(index, DeploymentStatus::Primary);
    }

    fn task(&mut self, task: usize, change: TaskChange) {
        let (deployment, place) = match change {
            TaskChange::Existing { deployment, state, .. } => (Some(deployment), existing(state)),
            TaskChange::Created { deployment, .. } => (Some(deployment), Place::Pending),
            TaskChange::Running => (None, Place::Running),
            TaskChange::StopDecided(_) => (None, Place::Leaving),
            TaskChange::Stopped(_) => (None, Place::Gone),
            _ => return,
        };
        if let Some(id) = deployment {
            let of = usize::from(id.0);
            if task >= self.tasks.len() {
                self.tasks.resize(task + 1, (0, Place::Gone));
            }
            self.tasks[task] = (of, Place::Gone);
        }
        let Some((of, before)) = self.tasks.get(task).copied() else { return };
        self.book(of, before, false);
        self.book(of, place, true);
        self.tasks[task].1 = place;
    }

    /// One task more or less at a place.
    fn book(&mut self, of: usize, place: Place, more: bool) {
        let Some(d) = self.deployments.get_mut(of) else { return };
        let change = |n: &mut u32| *n = if more { *n + 1 } else { n.saturating_sub(1) };
        match place {
            Place::Pending => [&mut d.pending, &mut self.pending].into_iter().for_each(change),
            Place::Running => [&mut d.running, &mut self.running].into_iter().for_each(change),
            Place::Leaving => change(&mut d.leaving),
            Place::Gone => {}
        }
    }
}

fn existing(state: TaskState) -> Place {
    match state {
        TaskState::Waiting | TaskState::Starting => Place::Pending,
        TaskState::Checking | TaskState::Healthy | TaskState::Unhealthy => Place::Running,
        TaskState::Draining | TaskState::Stopping => Place::Leaving,
        TaskState::Stopped | TaskState::Failed => Place::Gone,
    }
}

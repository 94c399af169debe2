//! What was counted, what was not, and how each service deployment went.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::settings::{AlarmState, RolloutState, Settings};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, ProtectionEnd, ServiceStatus, Stage};
use rollscope_engine::trace::{
    DeploymentId, Record, ServiceChange, ServiceId, StopCause, StopCode, TaskChange, Weights, What,
};

use crate::outside::Ledger;
use crate::run::RunView;
use crate::tally::{Tally, tallies};

/// The failures of a run and what became of them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Failures {
    /// Failures of the newest service deployment that counted.
    pub counted: u32,
    /// Failures of any task of the service since it began that did not.
    pub not_counted: u32,
    /// The same for every service deployment, oldest first.
    pub tallies: Vec<Tally>,
    /// The count of the newest service deployment after each event the breaker looks at: a failure,
    /// a stop of another kind, a task that became healthy. Empty without a breaker.
    pub count_after_each: Vec<u32>,
    /// Failures that would trip it at the end of what is known.
    pub threshold_now: Option<u32>,
    /// The breaker of the newest service deployment tripped then.
    pub tripped_at: Option<SimTime>,
    /// The deployment a failure would go back to, with its revision.
    pub candidate: Option<(DeploymentId, u32)>,
    /// From when on automatic rollback does not protect the newest service deployment, and why.
    pub protection_ended: Option<(SimTime, ProtectionEnd)>,
    /// How every service deployment went, oldest first.
    pub history: Vec<ServiceHistory>,
    /// Changes of alarms: when, which (index into the settings), its state.
    pub alarms: Vec<(SimTime, u32, AlarmState)>,
}

/// How one service deployment went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceHistory {
    /// Which.
    pub id: ServiceId,
    /// Its states, each with its beginning; the first one is PENDING.
    pub statuses: Vec<(SimTime, ServiceStatus)>,
    /// Its lifecycle stages, each with its beginning.
    pub stages: Vec<(SimTime, Stage)>,
    /// Weights of the listeners, each with its beginning; empty where nothing steers the traffic.
    pub weights: Vec<(SimTime, Weights)>,
    /// Its bake time, from when to when as it was planned; a rollout that fails does not reach the end.
    pub bake: Option<(SimTime, SimTime)>,
    /// The count after each event the breaker looks at.
    pub counts: Vec<u32>,
    /// Until when a DEFERRED clean-up is tried.
    pub cleanup_until: Option<SimTime>,
    /// When it was given up, with old tasks left.
    pub cleanup_given_up: Option<SimTime>,
}

/// True for an event that ends a task, or keeps it from being: what people call a failure.
pub(crate) fn is_failure(kind: FailureKind) -> bool {
    !matches!(
        kind,
        FailureKind::Routine | FailureKind::InGrace | FailureKind::WaitsForCapacity | FailureKind::BecameHealthy
    )
}

/// The failures of a run, with its service deployments at the end of what is known.
pub fn failures(run: RunView<'_>, services: &[ServiceDeployment]) -> Failures {
    let settings = run.end.settings();
    let mut found = Failures { history: histories(run, services), ..Failures::default() };
    found.candidate = candidate(run);
    let params = settings.platform.ecs();
    let newest = services.last();
    found.threshold_now = params.breaker.and(newest).map(|s| s.breaker.threshold);
    found.tallies = tallies(run.records, services, settings);
    (found.counted, found.not_counted) = found.tallies.last().map_or((0, 0), |t| (t.counted, t.not_counted));
    for record in run.records {
        match record.what {
            What::Alarm { alarm, state } => found.alarms.push((record.at, alarm, state)),
            What::Service { id, change } if newest.is_some_and(|s| s.id == id) => match change {
                // Digests that do not resolve trigger it too, without any failure counted.
                ServiceChange::Breaker(MonitorStatus::Triggered)
                    if newest.is_some_and(|s| s.failed_by == Some(FailedBy::Breaker)) =>
                {
                    found.tripped_at = Some(record.at);
                }
                ServiceChange::ProtectionEnded(why) => found.protection_ended = Some((record.at, why)),
                _ => {}
            },
            _ => {}
        }
    }
    if let Some(last) = found.history.last() {
        found.count_after_each = last.counts.clone();
    }
    found
}

/// A failure of a task that nothing looks at.
pub(crate) fn is_unwatched_failure(change: TaskChange) -> bool {
    matches!(
        change,
        TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited)
            | TaskChange::StopDecided(StopCause::Unhealthy)
    )
}

/// The most recent deployment that is COMPLETED, the PRIMARY one included: the next one that fails
/// goes back to it.
fn candidate(run: RunView<'_>) -> Option<(DeploymentId, u32)> {
    let ledger = Ledger::at(run.end.settings(), run.records, run.end.now());
    ledger.all().iter().rfind(|d| d.state == RolloutState::Completed).map(|d| (d.id, d.revision))
}

fn histories(run: RunView<'_>, services: &[ServiceDeployment]) -> Vec<ServiceHistory> {
    let new = |s: &ServiceDeployment| ServiceHistory {
        id: s.id,
        statuses: vec![(s.started, ServiceStatus::Pending)],
        stages: Vec::new(),
        weights: Vec::new(),
        bake: None,
        counts: Vec::new(),
        cleanup_until: None,
        cleanup_given_up: None,
    };
    let mut list: Vec<ServiceHistory> = services.iter().map(new).collect();
    let mut counting = Counting::new(run.end.settings());
    for record in run.records {
        if let What::Service { id, change } = record.what
            && let Some(history) = list.get_mut(usize::from(id.0))
        {
            match change {
                ServiceChange::Status { to, .. } => history.statuses.push((record.at, to)),
                ServiceChange::Stage(stage) => history.stages.push((record.at, stage)),
                ServiceChange::Weights(weights) => history.weights.push((record.at, weights)),
                ServiceChange::BakeBegins { until } => history.bake = Some((record.at, until)),
                ServiceChange::CleanupBegins { until } => history.cleanup_until = Some(until),
                ServiceChange::CleanupGivenUp { .. } => history.cleanup_given_up = Some(record.at),
                _ => {}
            }
        }
        counting.see(record, &mut list);
    }
    list
}

/// The count after each event the breaker looks at, of the service deployment that is in progress:
/// one at a time is.
struct Counting {
    breaker: bool,
    checked: bool,
    /// The counts at time 0.
    given: Vec<u32>,
    /// The one in progress, with its deployment.
    live: Option<(ServiceId, DeploymentId)>,
    count: u32,
    /// Of each task its deployment, and whether it has been healthy.
    tasks: Vec<(DeploymentId, bool)>,
}

impl Counting {
    fn new(settings: &Settings) -> Counting {
        let params = settings.platform.ecs();
        Counting {
            breaker: params.breaker.is_some(),
            checked: !(settings.containers.is_empty() && settings.target_groups.is_empty()),
            given: settings.start.deployments.iter().map(|d| d.failed_tasks).collect(),
            live: None,
            count: 0,
            tasks: Vec::new(),
        }
    }

    fn see(&mut self, record: &Record, list: &mut [ServiceHistory]) {
        if !self.breaker {
            return;
        }
        match record.what {
            What::Service { id, change: ServiceChange::Began { deployment, .. } } => {
                self.live = Some((id, deployment));
                self.count = self.given.get(usize::from(deployment.0)).copied().unwrap_or(0);
            }
            What::Service { id, change: ServiceChange::Status { to, .. } } if to != ServiceStatus::InProgress => {
                self.live = self.live.filter(|(live, _)| *live != id);
            }
            What::Task { task, change } if self.healthy(task.id.0 as usize, change) => self.push(self.count, list),
            What::CountReset { deployment, .. } if self.is_live(deployment) => {
                self.count = 0;
                if let Some(last) = self.history(list).and_then(|history| history.counts.last_mut()) {
                    *last = 0;
                }
            }
            What::Failure(failure) if self.is_live(failure.deployment) => {
                self.count = failure.count;
                if is_failure(failure.kind) || failure.kind == FailureKind::Routine {
                    self.push(failure.count, list);
                }
            }
            _ => {}
        }
    }

    fn is_live(&self, deployment: DeploymentId) -> bool {
        self.live.is_some_and(|(_, live)| live == deployment)
    }

    fn history<'a>(&self, list: &'a mut [ServiceHistory]) -> Option<&'a mut ServiceHistory> {
        self.live.and_then(|(id, _)| list.get_mut(usize::from(id.0)))
    }

    fn push(&self, count: u32, list: &mut [ServiceHistory]) {
        if let Some(history) = self.history(list) {
            history.counts.push(count);
        }
    }

    /// A task of the deployment in progress is healthy for the first time; without any check: it is RUNNING.
    fn healthy(&mut self, id: usize, change: TaskChange) -> bool {
        match change {
            TaskChange::Existing { deployment, .. } | TaskChange::Created { deployment, .. } => {
                if id >= self.tasks.len() {
                    self.tasks.resize(id + 1, (deployment, false));
                }
                self.tasks[id] = (deployment, false);
                return false;
            }
            TaskChange::Healthy if self.checked => {}
            TaskChange::Running if !self.checked => {}
            _ => return false,
        }
        let Some((deployment, seen)) = self.tasks.get_mut(id) else { return false };
        let first = !core::mem::replace(seen, true);
        let deployment = *deployment;
        first && self.is_live(deployment)
    }
}

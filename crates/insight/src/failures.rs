//! What was counted, what was not, and how each service deployment went.

use rollscope_engine::SimTime;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::settings::{AlarmState, RolloutState, Settings};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, ProtectionEnd, ServiceStatus, Stage};
use rollscope_engine::trace::{
    DeploymentId, Failure, FailureVerdict, ServiceChange, ServiceId, StopCause, StopCode, TaskChange, What,
};

use crate::outside::Ledger;
use crate::run::RunView;

/// The failures of a run and what became of them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Failures {
    /// Failures of the newest service deployment that counted.
    pub counted: u32,
    /// Failures of any task of the service since it began that did not.
    pub not_counted: u32,
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
    let PlatformSettings::Ecs(params) = &settings.platform;
    let newest = services.last();
    found.threshold_now = params.breaker.and(newest).map(|s| s.breaker.threshold);
    let from = newest.map_or(SimTime::ZERO, |s| s.started);
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
            What::Failure(failure) if record.at >= from => {
                let own = newest.is_some_and(|s| s.deployment == failure.deployment);
                let counted = failure.verdict == FailureVerdict::Counted;
                found.counted += u32::from(own && counted);
                found.not_counted += u32::from(!counted && is_failure(failure.kind));
            }
            What::Task { change, .. } if params.breaker.is_none() && record.at >= from => {
                found.not_counted += u32::from(is_unwatched_failure(change));
            }
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
    let mut list: Vec<ServiceHistory> = services
        .iter()
        .map(|s| ServiceHistory {
            id: s.id,
            statuses: vec![(s.started, ServiceStatus::Pending)],
            stages: Vec::new(),
            counts: counts(run, s),
            cleanup_until: None,
            cleanup_given_up: None,
        })
        .collect();
    for record in run.records {
        let What::Service { id, change } = record.what else { continue };
        let Some(history) = list.iter_mut().find(|history| history.id == id) else { continue };
        match change {
            ServiceChange::Status { to, .. } => history.statuses.push((record.at, to)),
            ServiceChange::Stage(stage) => history.stages.push((record.at, stage)),
            ServiceChange::CleanupBegins { until } => history.cleanup_until = Some(until),
            ServiceChange::CleanupGivenUp { .. } => history.cleanup_given_up = Some(record.at),
            _ => {}
        }
    }
    list
}

/// The count after each event the breaker looks at, as long as the deployment is in progress.
fn counts(run: RunView<'_>, s: &ServiceDeployment) -> Vec<u32> {
    let settings = run.end.settings();
    let PlatformSettings::Ecs(params) = &settings.platform;
    if params.breaker.is_none() {
        return Vec::new();
    }
    let checked = !(settings.containers.is_empty() && settings.target_groups.is_empty());
    let mut count = given(settings, s.deployment);
    let (mut ours, mut seen): (Vec<bool>, Vec<bool>) = (Vec::new(), Vec::new());
    let mut list = Vec::new();
    for record in run.records {
        match record.what {
            What::Service { id, change: ServiceChange::Status { to, .. } }
                if id == s.id && to != ServiceStatus::InProgress =>
            {
                break;
            }
            What::Task { task, change } => {
                let id = task.id.0 as usize;
                if id >= ours.len() {
                    ours.resize(id + 1, false);
                    seen.resize(id + 1, false);
                }
                match change {
                    TaskChange::Existing { deployment, .. } | TaskChange::Created { deployment, .. } => {
                        ours[id] = deployment == s.deployment;
                    }
                    TaskChange::Healthy if checked && ours[id] && !seen[id] => {
                        seen[id] = true;
                        list.push(count);
                    }
                    TaskChange::Running if !checked && ours[id] => list.push(count),
                    _ => {}
                }
            }
            What::CountReset { deployment, .. } if deployment == s.deployment => {
                count = 0;
                if let Some(last) = list.last_mut() {
                    *last = 0;
                }
            }
            What::Failure(failure) if failure.deployment == s.deployment => note(&failure, &mut count, &mut list),
            _ => {}
        }
    }
    list
}

fn note(failure: &Failure, count: &mut u32, list: &mut Vec<u32>) {
    *count = failure.count;
    if is_failure(failure.kind) || failure.kind == FailureKind::Routine {
        list.push(failure.count);
    }
}

/// The count a deployment has at time 0.
fn given(settings: &Settings, id: DeploymentId) -> u32 {
    settings.start.deployments.get(usize::from(id.0)).map_or(0, |d| d.failed_tasks)
}

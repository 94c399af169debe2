//! The event bus: what rules on it see. Sources: Developer Guide, ecs_service_deployment_events and
//! the page on service action events.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::service_deployment::{FailedBy, Stage};
use rollscope_engine::trace::{
    Decision, DeploymentChange, DeploymentId, Reason, Record, ServiceChange, ServiceId, StopCause, TaskChange, What,
};
use rollscope_scenario::Value;

use super::ledger::StateReason;
use super::steady::steady_moments;
use super::texts::{self, Names, stamp};
use super::waiter::desired_at;
use crate::instant::failing;
use crate::names;
use crate::run::RunView;

/// An event of the service on the bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusEvent {
    /// When.
    pub at: SimTime,
    /// What.
    pub kind: BusEventKind,
}

/// Kinds of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusEventKind {
    /// "ECS Deployment State Change"
    Deployment {
        /// Which.
        id: DeploymentId,
        /// Its state from now on.
        state: RolloutState,
        /// `reason`
        reason: String,
    },
    /// "ECS Service Action": `eventName` and `eventType`.
    Action(&'static str, &'static str),
    /// "ECS Hook State Change"
    Hook {
        /// Of this service deployment.
        service: ServiceId,
        /// `hookId`
        id: u32,
        /// Its stage.
        stage: Stage,
        /// Its status from now on.
        status: HookStatus,
    },
}

/// All events of a run, oldest first.
pub fn events(run: RunView<'_>) -> Vec<BusEvent> {
    let mut list = Vec::new();
    let steady = steady_moments(run);
    let mut rest = run.records;
    let mut moves = false;
    let mut desired = None;
    while let Some(first) = rest.first() {
        let n = rest.partition_point(|record| record.at == first.at);
        let (now, later) = rest.split_at(n);
        rest = later;
        // What failed a deployment stands in a record of the same instant.
        let by = now.iter().find_map(cause).unwrap_or(FailedBy::Breaker);
        let kinds = now.iter().filter_map(|record| of(record, by));
        let (mut kinds, actions): (Vec<_>, Vec<_>) = kinds.partition(|kind| !matches!(kind, BusEventKind::Action(..)));
        kinds.extend(recounted(run, first.at, &mut desired));
        kinds.extend(of_tasks(now));
        kinds.extend(now.iter().filter_map(|record| rebalancing(record, &mut moves)));
        kinds.extend(actions);
        if steady.binary_search(&first.at).is_ok() {
            kinds.push(BusEventKind::Action("SERVICE_STEADY_STATE", "INFO"));
        }
        list.extend(kinds.into_iter().map(|kind| BusEvent { at: first.at, kind }));
    }
    list
}

/// The desired count that the scheduler computes by itself becomes another one: that of a DAEMON service, by its
/// instances. A call that sets the count, a person's or that of Application Auto Scaling, sends nothing. Sources:
/// Developer Guide, ecs_service_events; GitHub aws/containers-roadmap#1895.
fn recounted(run: RunView<'_>, at: SimTime, desired: &mut Option<u32>) -> Option<BusEventKind> {
    run.end.settings().cluster().filter(|cluster| cluster.daemon)?;
    let now = desired_at(run, at);
    let before = desired.replace(now).unwrap_or(now);
    (before != now).then_some(BusEventKind::Action("SERVICE_DESIRED_COUNT_UPDATED", "INFO"))
}

/// Events "ECS Task State Change" with these `lastStatus`: one a task and status, too many to be listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaskEvents {
    /// RUNNING.
    pub running: u32,
    /// STOPPED. The watchdog's log keeps those that it looks at, whole.
    pub stopped: u32,
}

/// The events of tasks of a run.
pub fn task_events(run: RunView<'_>) -> TaskEvents {
    let mut count = TaskEvents::default();
    for record in run.records {
        match record.what {
            What::Task { change: TaskChange::Running, .. } => count.running += 1,
            What::Task { change: TaskChange::Stopped(_), .. } => count.stopped += 1,
            _ => {}
        }
    }
    count
}

/// Tasks that start and tasks that are picked to stop, one event an evaluation.
fn of_tasks(now: &[Record]) -> impl Iterator<Item = BusEventKind> {
    let any = |wanted: fn(&TaskChange) -> bool| {
        now.iter().any(|record| matches!(&record.what, What::Task { change, .. } if wanted(change)))
    };
    let started = any(|change| matches!(change, TaskChange::Created { .. }));
    let stopped = any(|change| matches!(change, TaskChange::StopDecided(cause) if *cause != StopCause::Spot));
    let event = |name| BusEventKind::Action(name, "INFO");
    let started = started.then(|| event("TASKS_STARTED"));
    started.into_iter().chain(stopped.then(|| event("TASKS_STOPPED")))
}

/// A rebalancing of zones begins with its first move, is complete once the service is steady again, and is
/// stopped by a deployment. Source: Developer Guide, track-service-rebalancing.
fn rebalancing(record: &Record, moves: &mut bool) -> Option<BusEventKind> {
    let (name, on) = match record.what {
        What::Decision(Decision { reason: Reason::Rebalances { .. }, .. }) => ("SERVICE_REBALANCING_STARTED", true),
        What::Decision(Decision { reason: Reason::Steady { .. }, .. }) => ("SERVICE_REBALANCING_COMPLETED", false),
        What::Deployment { change: DeploymentChange::Started, .. } => ("SERVICE_REBALANCING_STOPPED", false),
        _ => return None,
    };
    (core::mem::replace(moves, on) != on).then_some(BusEventKind::Action(name, "INFO"))
}

fn cause(record: &Record) -> Option<FailedBy> {
    match record.what {
        What::Service { change: ServiceChange::RollsBack { by, .. }, .. } => Some(by),
        What::Decision(decision) => failing(&decision.reason),
        _ => None,
    }
}

fn of(record: &Record, by: FailedBy) -> Option<BusEventKind> {
    match record.what {
        What::Deployment { id, change, .. } => {
            let (state, reason) = match change {
                DeploymentChange::Started => (RolloutState::InProgress, StateReason::InProgress),
                DeploymentChange::RollingBack => (RolloutState::InProgress, StateReason::RollingBack(by)),
                DeploymentChange::State(state) => (state, texts::plain_reason(state, by)),
                DeploymentChange::Superseded | DeploymentChange::Gone => return None,
            };
            Some(BusEventKind::Deployment { id, state, reason: texts::event_reason(id, reason) })
        }
        What::Decision(decision) => action(&decision.reason),
        What::Service { id: service, change: ServiceChange::Hook { id, stage, status, .. } } => {
            Some(BusEventKind::Hook { service, id, stage, status })
        }
        _ => None,
    }
}

/// The service action that goes with a decision.
fn action(reason: &Reason) -> Option<BusEventKind> {
    let (name, kind) = match reason {
        Reason::Throttled { .. } => ("SERVICE_TASK_START_IMPAIRED", "WARN"),
        Reason::NoPlaces { .. } | Reason::NoRoom { .. } | Reason::NoCapacity { .. } => {
            ("SERVICE_TASK_PLACEMENT_FAILURE", "ERROR")
        }
        Reason::Protected { .. } => ("TASKSET_SCALE_IN_FAILURE_BY_TASK_PROTECTION", "INFO"),
        Reason::Quota { .. } => ("ECS_OPERATION_THROTTLED", "ERROR"),
        _ => return None,
    };
    Some(BusEventKind::Action(name, kind))
}

/// When a rule on `eventName` `SERVICE_DEPLOYMENT_FAILED` fires: the first time and how often.
pub fn failed_rule(events: &[BusEvent]) -> Option<(SimTime, u32)> {
    let failed = |event: &&BusEvent| matches!(event.kind, BusEventKind::Deployment { state: RolloutState::Failed, .. });
    let mut fired = events.iter().filter(failed);
    let first = fired.next()?.at;
    Some((first, 1 + fired.count() as u32))
}

/// An event as it stands on the bus.
pub fn to_json(event: &BusEvent, names: &Names<'_>) -> Value {
    let (kind, detail) = match &event.kind {
        BusEventKind::Deployment { id, state, reason } => {
            let (name, kind) = texts::event_name(*state);
            let detail = Value::object([
                ("eventType", Value::from(kind)),
                ("eventName", name.into()),
                ("deploymentId", names::deployment(*id).into()),
                ("updatedAt", stamp(event.at)),
                ("reason", reason.into()),
            ]);
            ("ECS Deployment State Change", detail)
        }
        BusEventKind::Action(name, kind) => {
            let detail = Value::object([
                ("eventType", Value::from(*kind)),
                ("eventName", (*name).into()),
                ("clusterArn", names.cluster_arn().into()),
                ("createdAt", stamp(event.at)),
            ]);
            ("ECS Service Action", detail)
        }
        BusEventKind::Hook { service, id, stage, status } => {
            let detail = Value::object([
                (
                    "eventType",
                    Value::from(if matches!(status, HookStatus::Failed | HookStatus::TimedOut) {
                        "ERROR"
                    } else {
                        "INFO"
                    }),
                ),
                ("eventName", format!("HOOK_{}", status.name()).into()),
                ("serviceDeploymentArn", names.service_deployment_arn(*service).into()),
                ("hookId", texts::hook_id(*id).into()),
                ("lifecycleStage", stage.name().into()),
                ("updatedAt", stamp(event.at)),
            ]);
            ("ECS Hook State Change", detail)
        }
    };
    Value::object([
        ("at_ms", Value::from(event.at.ms())),
        ("detail-type", kind.into()),
        ("source", "aws.ecs".into()),
        ("resources", Value::array([names.service_arn()])),
        ("detail", detail),
    ])
}

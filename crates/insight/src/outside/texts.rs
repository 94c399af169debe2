//! Texts and names of the service's own answers. They stay English in every language.
//!
//! Forms: Developer Guide pages ecs_service_deployment_events and service-deployment, and answers
//! captured from real accounts. The forms for alarms, hooks and stages are made after those of the breaker.

use rollscope_engine::SimTime;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, ServiceStatus};
use rollscope_engine::trace::{DeploymentId, ServiceId};
use rollscope_scenario::Value;
use rollscope_scenario::json::Number;

use super::ledger::{LedgerDeployment, StateReason};
use crate::names;

/// How the answers call things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names<'a> {
    /// `serviceName`
    pub service: &'a str,
    /// `clusterName`
    pub cluster: &'a str,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Names { service: "web", cluster: "cluster" }
    }
}

const PREFIX: &str = "arn:aws:ecs:us-east-1:111122223333";

impl Names<'_> {
    /// ARN of the service.
    pub fn service_arn(&self) -> String {
        format!("{PREFIX}:service/{}/{}", self.cluster, self.service)
    }

    /// ARN of the cluster.
    pub fn cluster_arn(&self) -> String {
        format!("{PREFIX}:cluster/{}", self.cluster)
    }

    /// ARN of the task definition of a revision.
    pub fn task_definition_arn(&self, revision: u32) -> String {
        format!("{PREFIX}:task-definition/{}:{revision}", self.service)
    }

    /// ARN of a service revision.
    pub fn revision_arn(&self, revision: u32) -> String {
        format!("{PREFIX}:service-revision/{}/{}/{revision}", self.cluster, self.service)
    }

    /// ARN of a service deployment; they are numbered from 1.
    pub fn service_deployment_arn(&self, id: ServiceId) -> String {
        let number = u32::from(id.0) + 1;
        format!("{PREFIX}:service-deployment/{}/{}/{number}", self.cluster, self.service)
    }

    /// ARN of a task.
    pub fn task_arn(&self, name: rollscope_engine::settings::TaskName) -> String {
        format!("{PREFIX}:task/{}/{}", self.cluster, names::task(name))
    }
}

/// A moment as the JSON protocol writes it: seconds, here from the start of the run.
pub fn stamp(at: SimTime) -> Value {
    let (seconds, rest) = (at.ms() / 1000, at.ms() % 1000);
    match rest {
        0 => Value::from(seconds),
        _ => {
            let text = format!("{seconds}.{rest:03}");
            Value::Number(Number::Text(text.trim_end_matches('0').to_string()))
        }
    }
}

/// A moment that may not have come.
pub fn stamp_if(at: Option<SimTime>) -> Value {
    at.map_or(Value::Null, stamp)
}

/// The object without the fields that are absent: the API leaves them out.
pub fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(entries) => Value::Object(entries.into_iter().filter(|(_, item)| !item.is_null()).collect()),
        other => other,
    }
}

/// `rolloutStateReason`
pub fn state_reason(d: &LedgerDeployment) -> String {
    reason(d.id, d.reason)
}

/// `rolloutStateReason` of a deployment in this state.
pub fn reason(id: DeploymentId, reason: StateReason) -> String {
    let id = names::deployment(id);
    match reason {
        StateReason::InProgress => format!("ECS deployment {id} in progress."),
        StateReason::Completed => format!("ECS deployment {id} completed."),
        StateReason::Failed(FailedBy::Alarm) => "ECS deployment alarm: alarm detected.".into(),
        StateReason::Failed(FailedBy::Person) => format!("ECS deployment {id} stopped."),
        StateReason::Failed(FailedBy::Hook) => "ECS deployment lifecycle hook: hook failed.".into(),
        StateReason::Failed(FailedBy::StageLimit) => "ECS deployment stage timeout: stage lasted 24 hours.".into(),
        StateReason::Failed(_) => "ECS deployment circuit breaker: tasks failed to start.".into(),
        StateReason::RollingBack(by) => rolling_back(by, &id),
    }
}

fn rolling_back(by: FailedBy, id: &str) -> String {
    let monitor = match by {
        FailedBy::Alarm => "alarm",
        FailedBy::Person => "stop",
        FailedBy::Hook => "lifecycle hook",
        FailedBy::StageLimit => "stage timeout",
        FailedBy::Breaker | FailedBy::Digests => "circuit breaker",
    };
    format!("ECS deployment {monitor}: rolling back to deploymentId {id}.")
}

/// The reason of a state that a deployment reached by itself; `by` is what failed it.
pub fn plain_reason(state: RolloutState, by: FailedBy) -> StateReason {
    match state {
        RolloutState::InProgress => StateReason::InProgress,
        RolloutState::Completed => StateReason::Completed,
        RolloutState::Failed => StateReason::Failed(by),
    }
}

/// `reason` of an event "ECS Deployment State Change": one word differs from the answer of the API.
pub fn event_reason(id: DeploymentId, why: StateReason) -> String {
    match why {
        StateReason::Failed(FailedBy::Breaker | FailedBy::Digests) => {
            "ECS deployment circuit breaker: task failed to start.".into()
        }
        _ => reason(id, why),
    }
}

/// `statusReason` of a service deployment, where one is known.
pub fn status_reason(s: &ServiceDeployment) -> Option<&'static str> {
    match (s.status(), s.failed_by) {
        (ServiceStatus::RollbackFailed, _) if s.rollback.is_none() => {
            Some("No rollback candidate was found to run the rollback.")
        }
        (ServiceStatus::RollbackInProgress | ServiceStatus::RollbackSuccessful, Some(by)) => rollback_reason(by),
        _ => None,
    }
}

/// `rollback.reason`
pub fn rollback_reason(by: FailedBy) -> Option<&'static str> {
    match by {
        FailedBy::Breaker => Some("Service deployment rolled back because the circuit breaker threshold was exceeded."),
        FailedBy::Alarm => Some("Service deployment rolled back because an alarm was triggered."),
        FailedBy::Digests => Some("Service deployment rolled back because image digests could not be resolved."),
        FailedBy::Person => Some("Service deployment rolled back because StopServiceDeployment was called."),
        FailedBy::Hook => Some("Service deployment rolled back because a lifecycle hook failed."),
        FailedBy::StageLimit => Some("Service deployment rolled back because a lifecycle stage timed out."),
    }
}

/// `eventName` and `eventType` of an event "ECS Deployment State Change".
pub fn event_name(state: RolloutState) -> (&'static str, &'static str) {
    match state {
        RolloutState::InProgress => ("SERVICE_DEPLOYMENT_IN_PROGRESS", "INFO"),
        RolloutState::Completed => ("SERVICE_DEPLOYMENT_COMPLETED", "INFO"),
        RolloutState::Failed => ("SERVICE_DEPLOYMENT_FAILED", "ERROR"),
    }
}

/// `hookId`: the k-th run of a hook, from 1.
pub fn hook_id(id: u32) -> String {
    format!("hook-{id}")
}

//! The answers of the API at a moment, under its field names: DescribeServices (live counts),
//! DescribeServiceDeployments (frozen once it is over) and ListServiceDeployments. Moments are
//! seconds from the start of the run.

use rollscope_engine::platform::ecs::strategy::ShiftKind;
use rollscope_engine::platform::ecs::{Cleanup, Params, Shift, Threshold};
use rollscope_engine::settings::Settings;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{RevisionTasks, ServiceStatus};
use rollscope_engine::time::MINUTE;
use rollscope_engine::{Frame, SimTime};
use rollscope_scenario::Value;
use rollscope_scenario::json::Number;

use super::frozen::Frozen;
use super::ledger::{DeploymentStatus, Ledger, LedgerDeployment};
use super::texts::{self, Names, stamp, stamp_if, without_nulls};
use crate::names;
use crate::service_events::ServiceEvent;

/// Newest service events that DescribeServices returns.
pub const EVENTS_MAX: usize = 100;

/// A moment of a run, as the API is asked about it.
pub struct Asked<'a> {
    /// The state at that moment.
    pub frame: &'a Frame,
    /// The observer's books at that moment.
    pub ledger: &'a Ledger,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// Service deployments at that moment, oldest first.
    pub services: &'a [ServiceDeployment],
    /// What those of them that are over go on showing, from [`super::frozen()`].
    pub frozen: &'a [Frozen],
    /// Names in the answers.
    pub names: Names<'a>,
}

impl Asked<'_> {
    /// DescribeServices. `events` are all events of the run so far, oldest first, and `text` makes
    /// the message of one.
    pub fn services(&self, events: &[ServiceEvent], text: &dyn Fn(&ServiceEvent) -> String) -> Value {
        let counts = &self.frame.counts;
        let mut service = Value::object([
            ("serviceArn", Value::from(self.names.service_arn())),
            ("serviceName", self.names.service.into()),
            ("clusterArn", self.names.cluster_arn().into()),
            ("status", "ACTIVE".into()),
            ("desiredCount", counts.limits.desired.into()),
            ("runningCount", counts.running().into()),
            ("pendingCount", counts.pending().into()),
        ]);
        let listed = self.ledger.listed();
        if let Some(primary) = listed.first() {
            service.insert("taskDefinition", self.names.task_definition_arn(primary.revision));
        }
        service.insert("deploymentConfiguration", self.configuration(self.percentages()));
        service.insert("deployments", Value::array(listed.iter().map(|d| self.deployment(d))));
        let newest = events.iter().enumerate().rev().take(EVENTS_MAX);
        let event = |(i, event): (usize, &ServiceEvent)| {
            Value::object([
                ("id", Value::from(format!("event-{}", i + 1))),
                ("createdAt", stamp(event.at)),
                ("message", text(event).into()),
            ])
        };
        service.insert("events", Value::array(newest.map(event)));
        service.insert("healthCheckGracePeriodSeconds", self.params().grace_ms / 1000);
        let daemon = self.settings.cluster().is_some_and(|cluster| cluster.daemon);
        service.insert("schedulingStrategy", if daemon { "DAEMON" } else { "REPLICA" });
        service.insert("deploymentController", Value::object([("type", Value::from("ECS"))]));
        let current = self.services.last().filter(|s| !s.status().is_final());
        if let Some(current) = current {
            service.insert("currentServiceDeployment", self.names.service_deployment_arn(current.id));
        }
        let revision = |d: &LedgerDeployment| {
            Value::object([
                ("arn", Value::from(self.names.revision_arn(d.revision))),
                ("requestedTaskCount", self.requested(d).into()),
                ("runningTaskCount", d.running.into()),
                ("pendingTaskCount", d.pending.into()),
            ])
        };
        service.insert("currentServiceRevisions", Value::array(listed.iter().map(revision)));
        Value::object([("services", Value::array([service])), ("failures", Value::Array(vec![]))])
    }

    /// Tasks a deployment wants: all of them, or those it still has.
    fn requested(&self, d: &LedgerDeployment) -> u32 {
        match d.status {
            DeploymentStatus::Primary => self.frame.counts.limits.desired,
            _ => d.running + d.pending,
        }
    }

    fn deployment(&self, d: &LedgerDeployment) -> Value {
        Value::object([
            ("id", Value::from(names::deployment(d.id))),
            ("status", names::deployment_status(d.status).into()),
            ("taskDefinition", self.names.task_definition_arn(d.revision).into()),
            ("desiredCount", self.requested(d).into()),
            ("pendingCount", d.pending.into()),
            ("runningCount", d.running.into()),
            ("failedTasks", d.failed_tasks.into()),
            ("createdAt", stamp(d.created_at)),
            ("updatedAt", stamp(d.updated_at)),
            ("rolloutState", names::rollout_state(d.state).into()),
            ("rolloutStateReason", texts::state_reason(d).into()),
        ])
    }

    /// DescribeServiceDeployments for all service deployments of the run, newest first.
    pub fn service_deployments(&self) -> Value {
        let list = self.services.iter().rev().map(|s| self.service_deployment(s));
        Value::object([("serviceDeployments", Value::array(list)), ("failures", Value::Array(vec![]))])
    }

    fn service_deployment(&self, s: &ServiceDeployment) -> Value {
        let percentages = self.frozen_of(s).map_or(self.percentages(), |frozen| frozen.percentages);
        let (target, sources): (Vec<_>, Vec<_>) = s.tasks.iter().partition(|t| t.deployment == s.deployment);
        let mut value = Value::object([
            ("serviceDeploymentArn", Value::from(self.names.service_deployment_arn(s.id))),
            ("serviceArn", self.names.service_arn().into()),
            ("clusterArn", self.names.cluster_arn().into()),
            ("createdAt", stamp(s.started)),
            ("startedAt", stamp(s.started)),
            ("finishedAt", stamp_if(s.finished)),
            ("stoppedAt", stamp_if(s.stopped)),
            ("updatedAt", stamp(updated(s))),
            ("sourceServiceRevisions", Value::array(sources.iter().map(|t| self.revision_of(s, t)))),
            ("targetServiceRevision", target.first().map_or(Value::Null, |t| self.revision_of(s, t))),
            ("status", s.status().name().into()),
            ("statusReason", texts::status_reason(s).into()),
            ("lifecycleStage", s.stage.api_name().into()),
            ("deploymentConfiguration", self.configuration(percentages)),
        ]);
        if let Some(rollback) = &s.rollback {
            let rollback = Value::object([
                ("reason", Value::from(texts::rollback_reason(rollback.by))),
                ("startedAt", stamp(rollback.at)),
                ("serviceRevisionArn", self.names.revision_arn(rollback.revision).into()),
            ]);
            value.insert("rollback", rollback);
        }
        let breaker = Value::object([
            ("status", Value::from(s.breaker.status.name())),
            ("failureCount", s.breaker.count.into()),
            ("threshold", s.breaker.threshold.into()),
        ]);
        value.insert("deploymentCircuitBreaker", breaker);
        let name = |index: &u32| self.settings.alarms.get(*index as usize).map(|alarm| alarm.name.clone());
        let alarms = Value::object([
            ("status", Value::from(s.alarms.status.name())),
            ("alarmNames", Value::array(self.settings.alarms.iter().map(|alarm| alarm.name.clone()))),
            ("triggeredAlarmNames", Value::array(s.alarms.triggered.iter().filter_map(name))),
        ]);
        value.insert("alarms", alarms);
        without_nulls(value)
    }

    fn revision(&self, t: &RevisionTasks) -> Value {
        Value::object([
            ("arn", Value::from(self.names.revision_arn(t.revision))),
            ("requestedTaskCount", t.requested.into()),
            ("runningTaskCount", t.running.into()),
            ("pendingTaskCount", t.pending.into()),
        ])
    }

    /// The same with the weights that the listeners are asked for, where traffic is shifted.
    fn revision_of(&self, s: &ServiceDeployment, t: &RevisionTasks) -> Value {
        let mut value = self.revision(t);
        let weights = match self.frozen_of(s) {
            Some(frozen) => frozen.weights,
            None => self.frame.weights,
        };
        let Some(weights) = weights else { return value };
        let production = weights.of_deployment(t.deployment);
        let test = if t.deployment == weights.to { weights.test } else { 0 };
        value.insert("requestedTestTrafficWeight", percent(test));
        value.insert("requestedProductionTrafficWeight", percent(production));
        value
    }

    /// ListServiceDeployments, newest first; with `only` those in one of these states.
    pub fn list(&self, only: &[ServiceStatus]) -> Value {
        let chosen = self.services.iter().rev().filter(|s| only.is_empty() || only.contains(&s.status()));
        let brief = |s: &ServiceDeployment| {
            without_nulls(Value::object([
                ("serviceDeploymentArn", Value::from(self.names.service_deployment_arn(s.id))),
                ("serviceArn", self.names.service_arn().into()),
                ("clusterArn", self.names.cluster_arn().into()),
                ("createdAt", stamp(s.started)),
                ("startedAt", stamp(s.started)),
                ("finishedAt", stamp_if(s.finished)),
                ("targetServiceRevisionArn", self.names.revision_arn(s.revision).into()),
                ("status", s.status().name().into()),
                ("statusReason", texts::status_reason(s).into()),
            ]))
        };
        Value::object([("serviceDeployments", Value::array(chosen.map(brief)))])
    }

    fn params(&self) -> &Params {
        self.settings.platform.ecs()
    }

    /// The snapshot of one that is over.
    fn frozen_of(&self, s: &ServiceDeployment) -> Option<&Frozen> {
        self.frozen.iter().find(|frozen| frozen.id == s.id)
    }

    /// `minimumHealthyPercent` and `maximumPercent` that are in force.
    fn percentages(&self) -> (u32, u32) {
        (self.frame.minimum_healthy_percent, self.frame.maximum_percent)
    }

    /// `deploymentConfiguration` with these percentages; nothing else of it changes in a run.
    fn configuration(&self, (minimum, maximum): (u32, u32)) -> Value {
        let params = self.params();
        let shift = self.settings.strategy.shift();
        let mut value = Value::object([
            ("strategy", Value::from(shift.map_or("ROLLING", |shift| shift.kind.name()))),
            ("maximumPercent", maximum.into()),
            ("minimumHealthyPercent", minimum.into()),
        ]);
        let breaker = params.breaker;
        let mut switch = Value::object([
            ("enable", Value::from(breaker.is_some())),
            ("rollback", breaker.is_some_and(|b| b.rollback).into()),
        ]);
        if let Some(breaker) = breaker {
            switch.insert("resetOnHealthyTask", breaker.reset_on_healthy_task);
            let (kind, n) = match breaker.threshold {
                Threshold::Count(n) => ("COUNT", n),
                Threshold::BoundedPercent(n) => ("BOUNDED_PERCENT", n),
                Threshold::UnboundedPercent(n) => ("UNBOUNDED_PERCENT", n),
            };
            let threshold = Value::object([("type", Value::from(kind)), ("value", n.into())]);
            switch.insert("thresholdConfiguration", threshold);
        }
        value.insert("deploymentCircuitBreaker", switch);
        if let Some(watch) = params.alarms {
            let alarms = Value::object([
                ("alarmNames", Value::array(self.settings.alarms.iter().map(|alarm| alarm.name.clone()))),
                ("enable", true.into()),
                ("rollback", watch.rollback.into()),
            ]);
            value.insert("alarms", alarms);
            if let Some(bake) = watch.bake_ms.filter(|_| shift.is_none()) {
                value.insert("bakeTimeInMinutes", bake / MINUTE);
            }
        }
        if let Some(shift) = shift {
            add_shift(&mut value, shift);
        }
        if let Some(early) = params.early_success {
            let cleanup = match early.cleanup {
                Cleanup::Blocking => "BLOCKING",
                Cleanup::Deferred => "DEFERRED",
            };
            let early = Value::object([
                ("enable", Value::from(true)),
                ("healthyPercent", early.healthy_percent.into()),
                ("sourceServiceRevisionCleanup", cleanup.into()),
            ]);
            value.insert("earlySuccessCriteria", early);
        }
        value
    }
}

/// `updatedAt`: the last of the moments that the record itself holds. What else counts as an update is
/// not documented.
fn updated(s: &ServiceDeployment) -> SimTime {
    let moments = [s.gate_met, s.rollback.map(|rollback| rollback.at), s.stopped, s.finished];
    moments.into_iter().flatten().fold(s.started, SimTime::max)
}

/// Thousandths as a percentage with a tenth.
fn percent(weight: u16) -> Value {
    match weight % 10 {
        0 => Value::from(weight / 10),
        tenth => Value::Number(Number::Text(format!("{}.{tenth}", weight / 10))),
    }
}

/// What `deploymentConfiguration` holds of a strategy that shifts traffic.
fn add_shift(value: &mut Value, shift: &Shift) {
    value.insert("bakeTimeInMinutes", shift.bake_ms / MINUTE);
    let Some(first) = shift.steps.first() else { return };
    let configuration = |share: &'static str, wait: &'static str| {
        Value::object([(share, percent(first.green)), (wait, Value::from(first.wait_ms / MINUTE))])
    };
    match shift.kind {
        ShiftKind::BlueGreen => {}
        ShiftKind::Linear => {
            value.insert("linearConfiguration", configuration("stepPercent", "stepBakeTimeInMinutes"));
        }
        ShiftKind::Canary => {
            value.insert("canaryConfiguration", configuration("canaryPercent", "canaryBakeTimeInMinutes"));
        }
    }
}

/// All three answers at `at`, for `api_at`.
pub fn api_at(
    asked: &Asked<'_>,
    at: SimTime,
    events: &[ServiceEvent],
    text: &dyn Fn(&ServiceEvent) -> String,
) -> Value {
    Value::object([
        ("at_ms", Value::from(at.ms())),
        ("DescribeServices", asked.services(events, text)),
        ("DescribeServiceDeployments", asked.service_deployments()),
        ("ListServiceDeployments", asked.list(&[])),
    ])
}

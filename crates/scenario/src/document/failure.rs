//! What can go wrong beside a task's own fate: alarms, the schema of the database, and the
//! settings of the Fjall constructs.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::field::{Field, Reader, record};
use super::run::Ratio;
use crate::duration::Span;
use crate::json::{Number, Value};

record! {
    /// How a CloudWatch alarm named in `deploymentConfiguration.alarms.alarmNames` fares. A named
    /// alarm without an entry stays `OK`.
    record AlarmDoc {
        /// Its name. Required.
        name: Option<String> = "name",
        /// `OK` (default), `ALARM` or `INSUFFICIENT_DATA` at time 0.
        at_start: Option<String> = "at_start",
        /// Its states over time.
        changes: Option<Vec<AlarmChange>> = "changes",
        /// It is in ALARM while more than this share of all answers is bad; see `bad_responses`.
        bad_responses_over: Option<Ratio> = "bad_responses_over",
        /// Only after the share was above it for this long. Default 0.
        lasting: Option<Span> = "for",
    }
}

record! {
    /// An alarm goes to another state.
    record AlarmChange {
        /// When. Required.
        at: Option<Span> = "at",
        /// `OK`, `ALARM` or `INSUFFICIENT_DATA`. Required.
        state: Option<String> = "state",
    }
}

record! {
    /// The schema of the database from a moment on.
    record SchemaStep {
        /// When. Required.
        at: Option<Span> = "at",
        /// The newest migration that is applied. Required.
        version: Option<SchemaVersion> = "version",
    }
}

/// The number of a migration: `42`, or its name as far as it begins with a number (`"0042_orders"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaVersion(pub u32);

impl Field for SchemaVersion {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let number = match value {
            Value::String(text) => {
                let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
                text[..end].parse::<u32>().ok()
            }
            Value::Number(Number::Int(_)) => value.as_u64().and_then(|n| u32::try_from(n).ok()),
            _ => None,
        };
        if number.is_none() {
            reader.wrong(at, value, "the number of a migration, 0 or more, or a name that begins with it");
        }
        number.map(SchemaVersion)
    }
    fn write(&self) -> Value {
        Value::from(self.0)
    }
}

record! {
    /// Settings of the Fjall constructs. Given at all, `{}` too, their defaults are in force: the
    /// circuit breaker is on, rolls back and is not reset by a healthy task.
    record Fjall {
        /// `false`, or what differs from the defaults.
        breaker: Option<FjallBreaker> = "circuitBreaker",
        /// The cluster has an `alertsTopic`. Default true.
        alerts_topic: Option<bool> = "alertsTopic",
        /// The service has alarms. Default true.
        alarms: Option<bool> = "alarms",
        /// The cluster has the task-stop watchdog. Default true.
        task_stop_watchdog: Option<bool> = "taskStopWatchdog",
        /// The expected schema version is handed to the tasks. Default true.
        schema_gate: Option<bool> = "schemaGate",
        /// Kinds of the migrated databases the service is connected to: `sql`, `clickhouse`.
        databases: Option<Vec<String>> = "databases",
    }
}

/// `circuitBreaker` of a Fjall service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FjallBreaker {
    /// `false`: no breaker; `true`: the defaults.
    Switch(bool),
    /// What differs from the defaults.
    Settings(FjallBreakerSettings),
}

record! {
    /// `circuitBreaker` of a Fjall service, written out.
    record FjallBreakerSettings {
        /// Default true.
        rollback: Option<bool> = "rollback",
        /// Default false.
        reset_on_healthy: Option<bool> = "resetOnHealthyTask",
        /// A number of failures (`COUNT`), 1 and up. Default: half of the desired count (`BOUNDED_PERCENT` 50).
        threshold: Option<i64> = "threshold",
    }
}

impl Field for FjallBreaker {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        match value {
            Value::Bool(on) => Some(FjallBreaker::Switch(*on)),
            Value::Object(_) => FjallBreakerSettings::read(value, reader, at).map(FjallBreaker::Settings),
            _ => {
                reader.wrong(at, value, "true, false or an object in { }".to_string());
                None
            }
        }
    }
    fn write(&self) -> Value {
        match self {
            FjallBreaker::Switch(on) => Value::from(*on),
            FjallBreaker::Settings(settings) => settings.write(),
        }
    }
}

//! The rows of `run --json` for a StatefulSet or a DaemonSet. Rows that every platform has keep their meaning.

use std::collections::BTreeMap;

use rollscope_engine::kubernetes::{Change, Pod, Run};
use rollscope_engine::trace::{InstanceId, Record, What};
use rollscope_scenario::{Resolved, Value};

use super::kubectl::{get_pods, revision_name, rollout_status};
use super::names::blocked_by;
use super::outcome::{Outcome, StepRow};
use super::{places, pod_name, resource};
use crate::json::{ms, task_row};
use crate::kubernetes::json::{check as check_rows, figures};
use crate::kubernetes::{Check, pod_event_name};
use crate::names;
use crate::rows;
use crate::run::RunView;

/// `run --json`
pub fn run(resolved: &Resolved, check: &Check, outcome: &Outcome, run: &Run, name: &str) -> Value {
    let mut value = check_rows(resolved, check);
    value.insert("outcome", names::outcome(outcome.outcome));
    value.insert("blocked_by", outcome.blocked_by.map(blocked_by));
    value.insert("completed_at_ms", ms(outcome.completed_at));
    value.insert("kept_by_partition", outcome.kept);
    value.insert("last_change_at_ms", ms(Some(outcome.last_change_at)));
    value.insert("ended_at_ms", ms(Some(outcome.ended_at)));
    value.insert("cut_off_by", outcome.cut_off_by.map(names::cut_off_by));
    figures(&mut value, &outcome.figures);
    end_state(&mut value, run, name);
    value.insert("steps", Value::array(outcome.steps.iter().map(|row| step(row, run, name))));
    value
}

/// Counters, revisions and Pods of the end.
fn end_state(value: &mut Value, run: &Run, name: &str) {
    let Some(seen) = run.workload() else { return };
    let status = seen.status;
    let outdated = status.replicas - status.updated;
    let counts = [
        ("desired", run.params().replicas),
        ("counted", status.replicas),
        ("updated", status.updated),
        ("outdated", outdated),
        ("physical", status.replicas + seen.terminating),
        ("ready", status.ready),
        ("available", status.available),
        ("terminating", seen.terminating),
        ("unschedulable", seen.unassigned),
    ];
    value.insert("now", Value::object(counts.map(|(key, n)| (key, Value::from(n)))));
    value.insert("currentRevision", seen.current.map(|template| revision_name(name, template)));
    value.insert("updateRevision", revision_name(name, seen.template));
    let revision = |set: &rollscope_engine::platform::kubernetes::SetView| {
        Value::object([
            ("name", Value::from(revision_name(name, set.template))),
            ("revision", set.revision.into()),
            ("pods", set.pods.into()),
            ("ready", set.ready.into()),
            ("available", set.available.into()),
        ])
    };
    value.insert("revisions", Value::array(seen.revisions.iter().map(revision)));
    let keys = ["name", "ready", "status", "restarts", "revision"];
    let pod = |cells: [String; 5]| Value::object(keys.into_iter().zip(cells.map(Value::from)));
    value.insert("pods", Value::array(get_pods(run, name).into_iter().map(pod)));
    let says = rollout_status(run);
    let says = [("text", Value::from(says.text(name))), ("exit", says.exit().map(u32::from).into())];
    value.insert("rollout_status", Value::object(says));
    let restarted = run.pods().filter(|pod| pod.restarts > 0);
    let restart =
        |pod: &Pod| Value::object([("pod", Value::from(names::task(pod.name))), ("restarts", pod.restarts.into())]);
    value.insert("restarts", Value::array(restarted.map(restart)));
}

fn step(row: &StepRow, run: &Run, name: &str) -> Value {
    Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("do", if row.created { "create" } else { "delete" }.into()),
        ("pod", pod_name(run, name, row.place).into()),
        ("place", row.place.into()),
        ("template", row.pod.name.revision.into()),
        ("reason", row.reason.into()),
        ("numbers", row.numbers.clone()),
    ])
}

/// Adds the rows of `--events`; `say` is the sentence of a record.
pub fn add_events(value: &mut Value, view: RunView<'_>, run: &Run, name: &str, say: &dyn Fn(&Record) -> String) {
    let known = places(view.records, run);
    value.insert("tasks", Value::array(rows::tasks(view).iter().map(task_row)));
    let event = |record: &Record| {
        let What::Kubernetes(change) = &record.what else { return None };
        let (object, reason) = event_of(change, run, name, &known)?;
        Some(Value::object([
            ("at", Value::from(record.at.ms())),
            ("object", object.into()),
            ("reason", reason.into()),
            ("message", say(record).into()),
        ]))
    };
    value.insert("events", Value::array(view.records.iter().filter_map(event)));
}

/// Object and reason of the event that Kubernetes emits; absent where it emits none.
pub fn event_of(
    change: &Change,
    run: &Run,
    name: &str,
    known: &BTreeMap<InstanceId, u32>,
) -> Option<(String, &'static str)> {
    let own = || format!("{}/{name}", resource(run));
    match change {
        Change::Placed { .. } => Some((own(), "SuccessfulCreate")),
        Change::Removed { .. } => Some((own(), "SuccessfulDelete")),
        Change::Refused { .. } => Some((own(), "FailedCreate")),
        Change::Pod { pod, change } => {
            let place = known.get(&pod.id)?;
            Some((format!("pod/{}", pod_name(run, name, *place)), pod_event_name(change)?))
        }
        _ => None,
    }
}

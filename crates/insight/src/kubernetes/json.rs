//! The rows of `check --json` and `run --json` for a Kubernetes Deployment. Rows that every platform has keep
//! their meaning.

use rollscope_engine::kubernetes::{Change, Run};
use rollscope_engine::platform::kubernetes::{ConditionKind, SizeReason};
use rollscope_engine::trace::{Record, What};
use rollscope_scenario::{Resolved, Value};

use super::check::Check;
use super::kubectl::{get_rs, rollout_status, set_name};
use super::names::{pod_event, size_reason, stalled_by};
use super::outcome::{ConditionRow, Outcome, PassRow};
use crate::json::{input, ms, task_row, violations};
use crate::names;
use crate::rows;
use crate::run::RunView;

/// `check --json`
pub fn check(resolved: &Resolved, check: &Check) -> Value {
    let mut value = input(resolved);
    limits(&mut value, check);
    value.insert("verdict", names::verdict(check.verdict));
    value
}

/// `run --json`
pub fn run(resolved: &Resolved, check: &Check, outcome: &Outcome, run: &Run, name: &str) -> Value {
    let mut value = self::check(resolved, check);
    value.insert("outcome", names::outcome(outcome.outcome));
    value.insert("blocked_by", outcome.blocked_by.map(stalled_by));
    value.insert("completed_at_ms", ms(outcome.completed_at));
    value.insert("last_progress_at_ms", ms(outcome.last_progress_at));
    value.insert("deadline_reported_at_ms", ms(outcome.reported_at));
    value.insert("last_change_at_ms", ms(Some(outcome.last_change_at)));
    value.insert("ended_at_ms", ms(Some(outcome.ended_at)));
    value.insert("cut_off_by", outcome.cut_off_by.map(names::cut_off_by));
    let asked = [("most", outcome.figures.peak_asked), ("fewest", outcome.figures.lowest_asked)];
    value.insert("asked", Value::object(asked.map(pair)));
    figures(&mut value, &outcome.figures);
    end_state(&mut value, run, name);
    value.insert("passes", Value::array(outcome.passes.iter().map(pass)));
    value.insert("condition_changes", Value::array(outcome.conditions.iter().map(condition)));
    value
}

fn limits(value: &mut Value, check: &Check) {
    let limits = check.limits;
    value.insert("floor", limits.floor);
    value.insert("ceiling", limits.ceiling);
    value.insert("room_to_start", limits.ceiling.saturating_sub(check.asked_before));
    value.insert("spare_to_stop", check.available_before.saturating_sub(limits.floor));
    let step = [("started", check.started), ("stopped", check.stopped), ("refused", check.refused)];
    value.insert("first_step", Value::object(step.map(|(key, n)| (key, Value::from(n)))));
}

/// Most, fewest, how much.
pub(crate) fn figures(value: &mut Value, figures: &super::Figures) {
    value.insert("peak_tasks", figures.peak_counted);
    value.insert("peak_physical", figures.peak_physical);
    value.insert("lowest_healthy", figures.lowest_available);
    value.insert("task_ms_extra", figures.pod_ms_extra);
    value.insert("both_versions_ms", figures.both_versions_ms);
    value.insert("container_restarts", figures.restarts);
    let (pods, refused, cut) = figures.races;
    let race = [("pods", u64::from(pods)), ("refused_ms", refused), ("cut_ms", cut)];
    value.insert("endpoint_race", Value::object(race.map(pair)));
    value.insert("invariants_broken", violations(&figures.invariants_broken));
}

fn pair<V: Into<Value>>((key, value): (&'static str, V)) -> (&'static str, Value) {
    (key, value.into())
}

/// Counters, ReplicaSets and conditions of the end.
fn end_state(value: &mut Value, run: &Run, name: &str) {
    let view = run.view();
    let status = rollout_status(&view, run.params().replicas);
    let counts = [
        ("desired", run.params().replicas),
        ("asked", view.asked),
        ("counted", view.status.replicas),
        ("updated", view.status.updated),
        ("physical", view.status.replicas + view.terminating),
        ("ready", view.status.ready),
        ("available", view.status.available),
        ("terminating", view.terminating),
        ("unschedulable", view.unassigned),
    ];
    value.insert("now", Value::object(counts.map(pair)));
    let condition = |kind: &ConditionKind| {
        let found = view.conditions.get(*kind)?;
        Some(Value::object([
            ("type", Value::from(kind.name())),
            ("status", found.status.name().into()),
            ("reason", found.reason.name().into()),
            ("lastUpdateTime_ms", found.last_update.ms().into()),
            ("lastTransitionTime_ms", found.last_transition.ms().into()),
        ]))
    };
    value.insert("conditions", Value::array(ConditionKind::ALL.iter().filter_map(condition)));
    let keys = ["name", "desired", "current", "ready", "available", "revision"];
    let row = |cells: [String; 6]| {
        let cells = keys.into_iter().zip(cells);
        Value::object(
            cells.map(|(key, cell)| (key, cell.parse::<u64>().map_or_else(|_| Value::from(&cell), Value::from))),
        )
    };
    value.insert("revisions", Value::array(get_rs(&view, name).into_iter().map(row)));
    let says = [("text", Value::from(status.text(name))), ("exit", status.exit().map(u32::from).into())];
    value.insert("rollout_status", Value::object(says));
    let restarted = run.pods().filter(|pod| pod.restarts > 0);
    let restart = |pod: &rollscope_engine::kubernetes::Pod| {
        Value::object([("pod", Value::from(names::task(pod.name))), ("restarts", pod.restarts.into())])
    };
    value.insert("restarts", Value::array(restarted.map(restart)));
}

fn condition(row: &ConditionRow) -> Value {
    Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("type", row.kind.name().into()),
        ("status", row.now.map(|(status, _)| status.name()).into()),
        ("reason", row.now.map(|(_, why)| why.name()).into()),
    ])
}

fn pass(row: &PassRow) -> Value {
    Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("template", row.set.template.into()),
        ("revision", row.set.revision.into()),
        ("from", row.from.into()),
        ("to", row.to.into()),
        ("asked", row.asked.into()),
        ("reason", size_reason(&row.reason).into()),
        ("numbers", numbers(&row.reason)),
    ])
}

fn numbers(reason: &SizeReason) -> Value {
    let rows: Vec<(&'static str, Value)> = match *reason {
        SizeReason::RoomToGrow { ceiling, asked, replicas } => {
            Vec::from([("ceiling", ceiling), ("asked", asked), ("replicas", replicas)].map(pair))
        }
        SizeReason::AboveFloor { budget, unhealthy, healthy, available, floor } => Vec::from(
            [
                ("budget", budget),
                ("unavailable_removed", unhealthy),
                ("available_removed", healthy),
                ("available", available),
                ("floor", floor),
            ]
            .map(pair),
        ),
        SizeReason::Proportional { ceiling, asked, paused } => {
            Vec::from([("ceiling", Value::from(ceiling)), ("asked", asked.into()), ("paused", paused.into())])
        }
        SizeReason::TooMany { replicas }
        | SizeReason::OnlyActive { replicas }
        | SizeReason::RecreateUp { replicas } => Vec::from([pair(("replicas", replicas))]),
        SizeReason::Saturated | SizeReason::RecreateDown => Vec::new(),
    };
    Value::object(rows)
}

/// Adds the rows of `--events`; `say` is the sentence of a record.
pub fn add_events(value: &mut Value, run: RunView<'_>, name: &str, say: &dyn Fn(&Record) -> String) {
    value.insert("tasks", Value::array(rows::tasks(run).iter().map(task_row)));
    let event = |record: &Record| {
        let What::Kubernetes(change) = &record.what else { return None };
        let (object, reason) = event_of(change, name)?;
        Some(Value::object([
            ("at", Value::from(record.at.ms())),
            ("object", object.into()),
            ("reason", reason.into()),
            ("message", say(record).into()),
        ]))
    };
    value.insert("events", Value::array(run.records.iter().filter_map(event)));
}

/// Object and reason of the event that Kubernetes emits; absent where it emits none.
pub fn event_of(change: &Change, name: &str) -> Option<(String, &'static str)> {
    match change {
        Change::SetScaled { .. } => Some((format!("deployment/{name}"), "ScalingReplicaSet")),
        Change::SetCreated { size, .. } if *size > 0 => Some((format!("deployment/{name}"), "ScalingReplicaSet")),
        Change::Refused { set, .. } => Some((format!("replicaset/{}", set_name(name, set.template)), "FailedCreate")),
        Change::Pod { pod, change } => Some((format!("pod/{}", names::task(pod.name)), pod_event(change)?)),
        _ => None,
    }
}

//! The rows of `check --json` and `run --json`. A row that is there keeps its meaning.

use rollscope_engine::SimTime;
use rollscope_engine::frame::DeploymentView;
use rollscope_engine::guard::Violation;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_scenario::problem::Problem;
use rollscope_scenario::{Resolved, Value};

use crate::check::Check;
use crate::offers::offers;
use crate::outcome::{Outcome, OutcomeKind, TaskTotals};
use crate::outside::{StateReason, texts};
use crate::promise::{Promise, promise};
use crate::rows::{self, DecisionRow, TaskRow};
use crate::run::RunView;
use crate::service_events::{ServiceEvent, service_events};
use crate::verdict::{Verdict, verdict};
use crate::{account, changes::Change, json_capacity, json_failures, names};

/// Words for rows that carry a sentence; they come from `wording`.
pub struct Words<'a> {
    /// The sentence of a decision.
    pub decision: &'a dyn Fn(&DecisionRow) -> String,
    /// The message of a service event.
    pub event: &'a dyn Fn(&ServiceEvent) -> String,
}

pub(crate) fn ms(at: Option<SimTime>) -> Value {
    at.map(SimTime::ms).into()
}

fn problems(list: &[Problem]) -> Value {
    Value::array(list.iter().map(Problem::to_json))
}

/// `check --json`
pub fn check(resolved: &Resolved, check: &Check) -> Value {
    let mut value = input(resolved);
    limits(&mut value, check);
    verdict_rows(&mut value, &check.changes, check.verdict, &|_| Value::Null);
    json_failures::add_check(&mut value, resolved);
    value.insert("rollback_candidate", check.candidate.map(names::candidate));
    json_capacity::check(&mut value, check);
    value
}

/// `run --json`
pub fn run(resolved: &Resolved, check: &Check, outcome: &Outcome) -> Value {
    let mut value = input(resolved);
    limits(&mut value, check);
    let changes = offers(resolved, check, outcome);
    let then = |change: &Change| promise(&resolved.settings, change).map_or(Value::Null, |then| promised(&then));
    verdict_rows(&mut value, &changes, verdict(check, Some(outcome)), &then);
    value.insert("outcome", names::outcome(outcome.outcome));
    value.insert("blocked_by", outcome.blocked_by.map(names::blocked_by));
    value.insert("completed_at_ms", ms(outcome.completed_at));
    value.insert("rolled_back_at_ms", ms(outcome.rolled_back_at));
    value.insert("last_change_at_ms", ms(Some(outcome.last_change_at)));
    value.insert("ended_at_ms", ms(Some(outcome.ended_at)));
    value.insert("cut_off_by", outcome.cut_off_by.map(names::cut_off_by));
    figures(&mut value, outcome);
    value.insert("now", end_state(outcome));
    value.insert("deployments", deployments(outcome));
    value
}

/// The answer when nothing can run. The rows a pipeline decides on are there (those of `run` with
/// `with_outcome`); what cannot be known is null.
pub fn refused(list: &[Problem], with_outcome: bool) -> Value {
    let (errors, warnings): (Vec<_>, Vec<_>) = list.iter().partition(|problem| problem.is_error());
    let mut value = Value::object([("accepted", Value::from(false))]);
    value.insert("problems", Value::array(errors.into_iter().map(Problem::to_json)));
    value.insert("warnings", Value::array(warnings.into_iter().map(Problem::to_json)));
    let limits = [
        "floor",
        "ceiling",
        "room_to_start",
        "spare_to_stop",
        "first_step",
        "first_step_limited_by",
        "threshold",
        "gate",
    ];
    for row in limits {
        value.insert(row, Value::Null);
    }
    value.insert("verdict", names::verdict(Verdict::NotAccepted));
    if with_outcome {
        value.insert("outcome", names::outcome(OutcomeKind::Refused));
        for row in ["blocked_by", "completed_at_ms", "rolled_back_at_ms", "last_change_at_ms", "cut_off_by"] {
            value.insert(row, Value::Null);
        }
    }
    value
}

/// Adds the rows of `--events`.
pub fn add_events(value: &mut Value, run: RunView<'_>, words: &Words<'_>) {
    let times = account::each_task(run);
    value.insert("tasks", Value::array(rows::tasks(run).iter().zip(&times).map(task)));
    let decision = |row: &DecisionRow| {
        let (reason, numbers) = names::reason(&row.decision.reason);
        Value::object([
            ("at", Value::from(row.at.ms())),
            ("rule", names::rule(row.decision.rule).into()),
            ("reason", reason.into()),
            ("numbers", numbers),
            ("first_task", row.decision.first.map(names::task).into()),
            ("text", (words.decision)(row).into()),
        ])
    };
    value.insert("decisions", Value::array(rows::decisions(run).iter().map(decision)));
    let event = |event: &ServiceEvent| {
        Value::object([("at", Value::from(event.at.ms())), ("message", (words.event)(event).into())])
    };
    value.insert("events", Value::array(service_events(run).iter().map(event)));
}

pub(crate) fn input(resolved: &Resolved) -> Value {
    let readings = resolved.readings.iter().map(|reading| (reading.name, reading.value.clone()));
    let defaulted = resolved
        .defaulted
        .iter()
        .map(|d| Value::object([("field", Value::from(&d.field)), ("value", d.value.clone())]));
    let not_simulated = resolved
        .not_simulated
        .iter()
        .map(|n| Value::object([("field", Value::from(&n.field)), ("why", Value::from(&n.why))]));
    Value::object([
        ("accepted", Value::from(true)),
        ("problems", problems(&[])),
        ("warnings", problems(&resolved.warnings)),
        ("readings", Value::object(readings)),
        ("defaulted", Value::array(defaulted)),
        ("not_simulated", Value::array(not_simulated)),
    ])
}

fn limits(value: &mut Value, check: &Check) {
    value.insert("floor", check.limits.floor);
    value.insert("ceiling", check.limits.ceiling);
    value.insert("room_to_start", check.room_to_start);
    value.insert("spare_to_stop", check.spare_to_stop);
    let step = [("started", Value::from(check.started)), ("stopped", Value::from(check.stopped))];
    value.insert("first_step", Value::object(step));
    value.insert("first_step_limited_by", names::step_limit(check.first_step_limited_by()));
    value.insert("threshold", check.threshold);
    value.insert("gate", check.gate);
}

/// `then` is null where the run with a change is not known.
fn verdict_rows(value: &mut Value, changes: &[Change], verdict: Verdict, then: &dyn Fn(&Change) -> Value) {
    value.insert("verdict", names::verdict(verdict));
    if let Verdict::Caution(caution) = verdict {
        value.insert("caution", names::caution(caution));
    }
    let change = |change: &Change| {
        Value::object([("field", Value::from(change.field())), ("value", change.written()), ("then", then(change))])
    };
    value.insert("changes", Value::array(changes.iter().map(change)));
}

/// The run with a change.
fn promised(then: &Promise) -> Value {
    Value::object([
        ("completed_at_ms", ms(then.done)),
        ("rolled_back_at_ms", ms(then.back)),
        ("rounds", then.rounds.into()),
        ("lowest_healthy", then.lowest_healthy.into()),
    ])
}

fn figures(value: &mut Value, outcome: &Outcome) {
    let figures = &outcome.figures;
    value.insert("peak_tasks", figures.peak_tasks);
    value.insert("peak_physical", figures.peak_physical);
    value.insert("lowest_healthy", figures.lowest_healthy);
    value.insert("waves", figures.waves);
    value.insert("rounds", figures.rounds);
    value.insert("task_ms_extra", figures.task_ms_extra);
    value.insert("both_versions_ms", figures.both_versions_ms);
    value.insert("invariants_broken", violations(&figures.invariants_broken));
}

/// Broken guards.
pub(crate) fn violations(list: &[Violation]) -> Value {
    let broken = |violation: &Violation| {
        Value::object([
            ("guard", Value::from(names::guard(violation.kind))),
            ("at_ms", violation.at.ms().into()),
            ("value", violation.value.into()),
            ("bound", violation.bound.into()),
        ])
    };
    Value::array(list.iter().map(broken))
}

fn totals(totals: &TaskTotals) -> Value {
    Value::object([
        ("total", Value::from(totals.total)),
        ("running", totals.running.into()),
        ("pending", totals.pending.into()),
        ("healthy", totals.healthy.into()),
        ("stopping", totals.stopping.into()),
    ])
}

fn end_state(outcome: &Outcome) -> Value {
    let mut value = totals(&outcome.now.all);
    let by_revision = outcome.now.by_revision.iter().map(|(revision, n)| (revision.to_string(), totals(n)));
    value.insert("by_revision", Value::object(by_revision));
    value
}

fn deployments(outcome: &Outcome) -> Value {
    Value::array(outcome.deployments.iter().map(|d| {
        let id = names::deployment(d.id);
        let reason = texts::reason(d.id, state_reason(d, &outcome.services));
        Value::object([
            ("id", Value::from(id)),
            ("revision", d.revision.into()),
            ("status", if d.primary { "PRIMARY" } else { "ACTIVE" }.into()),
            ("rolloutState", names::rollout_state(d.state).into()),
            ("rolloutStateReason", reason.into()),
            ("failedTasks", d.failed_tasks.into()),
        ])
    }))
}

/// Why a deployment is in its state, as its service deployments tell it.
fn state_reason(d: &DeploymentView, services: &[ServiceDeployment]) -> StateReason {
    let rolling = services.last().filter(|s| !s.status().is_final()).and_then(|s| s.rollback);
    match d.state {
        RolloutState::InProgress => match rolling.filter(|rollback| rollback.to == d.id) {
            Some(rollback) => StateReason::RollingBack(rollback.by),
            None => StateReason::InProgress,
        },
        RolloutState::Completed => StateReason::Completed,
        RolloutState::Failed => {
            let by = services.iter().rfind(|s| s.deployment == d.id).and_then(|s| s.failed_by);
            StateReason::Failed(by.unwrap_or(FailedBy::Breaker))
        }
    }
}

fn task((row, time): (&TaskRow, &account::Totals)) -> Value {
    let mut value = task_row(row);
    value.insert("time", json_failures::time_parts(time));
    value
}

/// The life of a task, without where its time went.
pub(crate) fn task_row(row: &TaskRow) -> Value {
    Value::object([
        ("name", Value::from(names::task(row.name))),
        ("revision", row.name.revision.into()),
        ("deployment", names::deployment(row.deployment).into()),
        ("slot", row.slot.into()),
        ("zone", row.zone.into()),
        ("created", ms(row.created)),
        ("running", ms(row.running)),
        ("first_healthy", ms(row.first_healthy)),
        ("unhealthy", ms(row.unhealthy)),
        ("stop_decided", ms(row.stop_decided)),
        ("sigterm", ms(row.sigterm)),
        ("sigkill", ms(row.sigkill)),
        ("stopped", ms(row.stopped)),
        ("stop_code", row.stop_code.map(names::stop_code).into()),
        ("counted", row.counted.into()),
    ])
}

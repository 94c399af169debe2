//! The rows of `check --json` and `run --json` for a group of virtual machines. Rows that every platform has keep
//! their meaning.

use rollscope_engine::platform::vm::{Kind, Why};
use rollscope_engine::platform::vmss::Breach;
use rollscope_engine::trace::{Record, What};
use rollscope_engine::vm::{Change, Run};
use rollscope_scenario::{Resolved, Value};

use super::check::Check;
use super::names::{waits, why};
use super::outcome::{Outcome, StatusRow};
use crate::json::{input, ms, task_row, violations};
use crate::names;
use crate::rows;
use crate::run::RunView;

/// `check --json`
pub fn check(resolved: &Resolved, check: &Check) -> Value {
    let mut value = input(resolved);
    let limits = check.limits;
    value.insert("floor", limits.floor);
    value.insert("ceiling", limits.ceiling);
    value.insert("room_to_start", limits.ceiling.saturating_sub(check.before));
    value.insert("spare_to_stop", check.before.saturating_sub(limits.floor));
    value.insert("first_step", Value::object([("started", check.created), ("stopped", check.taken_down)].map(pair)));
    value.insert("service_error", Value::Null);
    value.insert("verdict", names::verdict(check.verdict));
    value
}

/// `run --json`
pub fn run(resolved: &Resolved, check: &Check, outcome: &Outcome, run: &Run) -> Value {
    let mut value = self::check(resolved, check);
    value.insert("outcome", names::outcome(outcome.outcome));
    value.insert("blocked_by", outcome.hold.as_ref().and_then(waits));
    value.insert("completed_at_ms", ms(outcome.completed_at));
    value.insert("last_change_at_ms", ms(Some(outcome.last_change_at)));
    value.insert("ended_at_ms", ms(Some(outcome.ended_at)));
    value.insert("cut_off_by", outcome.cut_off_by.map(names::cut_off_by));
    figures(&mut value, outcome);
    end_state(&mut value, outcome, run);
    match outcome.kind {
        Kind::Mig(_) => google(&mut value, run),
        Kind::Vmss(_) => azure(&mut value, outcome, run),
    }
    value
}

fn pair<V: Into<Value>>((key, value): (&'static str, V)) -> (&'static str, Value) {
    (key, value.into())
}

fn figures(value: &mut Value, outcome: &Outcome) {
    let figures = &outcome.figures;
    value.insert("peak_tasks", figures.peak_counted);
    value.insert("peak_physical", figures.peak_physical);
    value.insert("lowest_healthy", figures.lowest_healthy);
    value.insert("waves", figures.batches);
    value.insert("task_ms_extra", figures.machine_ms_extra);
    value.insert("both_versions_ms", figures.both_versions_ms);
    value.insert("created", figures.created);
    value.insert("creation_failures", figures.creation_failures);
    value.insert("repaired", figures.repaired);
    value.insert("given_up", figures.given_up);
    value.insert("invariants_broken", violations(&figures.invariants_broken));
}

/// Machines of the end.
fn end_state(value: &mut Value, outcome: &Outcome, run: &Run) {
    let (view, counts) = (run.view(), run.counts());
    let mut now = Value::object(
        [
            ("size", outcome.size),
            ("counted", counts.counted),
            ("physical", counts.physical()),
            ("healthy", counts.healthy()),
            ("pending", counts.pending()),
            ("leaving", view.leaving),
        ]
        .map(pair),
    );
    let versions: Vec<(String, Value)> =
        outcome.versions.iter().map(|(version, n)| (version.to_string(), Value::from(*n))).collect();
    now.insert("by_version", Value::Object(versions));
    now.insert("target", view.target);
    value.insert("now", now);
}

/// `status` of the group.
fn google(value: &mut Value, run: &Run) {
    let view = run.view();
    let reached = Value::object([("isReached", Value::from(view.rollout.reached.is_some()))]);
    value.insert("status", Value::object([("isStable", Value::from(view.stable)), ("versionTarget", reached)]));
    value.insert("currentActions", Value::object(current_actions(run).map(pair)));
}

/// `currentActions`: how many machines each action is done with.
pub fn current_actions(run: &Run) -> [(&'static str, u32); 5] {
    let view = run.view();
    let (old, new) = (view.tally.old, view.tally.new);
    let both = |f: fn(&rollscope_engine::platform::vm::Of) -> u32| f(&old) + f(&new);
    let rebuilding = both(|of| of.rebuilding);
    [
        ("creating", both(|of| of.creating)),
        ("deleting", view.leaving.saturating_sub(rebuilding)),
        ("recreating", rebuilding),
        ("verifying", both(|of| of.verifying + of.settling)),
        ("none", both(|of| of.up + of.down)),
    ]
}

/// The rolling upgrade as the API shows it.
fn azure(value: &mut Value, outcome: &Outcome, run: &Run) {
    let view = run.view();
    let upgrade = outcome.status.map(|status| {
        let mut row = Value::object([("runningStatus", Value::object([("code", status.name())].map(pair)))]);
        row.insert("progress", Value::object(progress(run).map(pair)));
        row.insert("batches", view.upgrade.map(|upgrade| upgrade.batches));
        row.insert("error", outcome.because.map(error));
        row
    });
    value.insert("rolling_upgrade", upgrade);
    value.insert("status_changes", Value::array(outcome.statuses.iter().map(status)));
}

/// `progress` of a rolling upgrade.
pub fn progress(run: &Run) -> [(&'static str, u32); 4] {
    let tally = run.view().tally;
    [
        ("successfulInstanceCount", tally.new.up),
        ("failedInstanceCount", tally.new.down),
        ("inProgressInstanceCount", tally.new.pending()),
        ("pendingInstanceCount", tally.old.total()),
    ]
}

fn error(breach: Breach) -> Value {
    let (Breach::Unhealthy { unhealthy, of, limit } | Breach::Upgraded { unhealthy, of, limit }) = breach;
    let mut row = Value::object([("unhealthy", unhealthy), ("of", of), ("limit_percent", limit)].map(pair));
    row.insert("code", breach.name());
    row
}

fn status(row: &StatusRow) -> Value {
    Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("from", row.from.map(|from| from.name()).into()),
        ("to", row.to.name().into()),
        ("error", row.because.map(|breach| breach.name()).into()),
    ])
}

/// Adds the rows of `--events`; `say` is the sentence of a record.
pub fn add_events(value: &mut Value, run: RunView<'_>, say: &dyn Fn(&Record) -> String) {
    value.insert("tasks", Value::array(rows::tasks(run).iter().map(task_row)));
    let decision = |record: &Record| {
        let (rule, n, reason) = match &record.what {
            What::Vm(Change::Creating { n, why, .. }) => ("create", *n, why),
            What::Vm(Change::Deleting { n, why }) => ("delete", *n, why),
            What::Vm(Change::Rebuilding { n, why, .. }) => ("rebuild", *n, why),
            _ => return None,
        };
        Some(Value::object([
            ("at", Value::from(record.at.ms())),
            ("rule", rule.into()),
            ("reason", why(reason).into()),
            ("numbers", numbers(n, reason)),
        ]))
    };
    value.insert("decisions", Value::array(run.records.iter().filter_map(decision)));
    let event = |record: &Record| {
        let What::Vm(_) = &record.what else { return None };
        Some(Value::object([("at", Value::from(record.at.ms())), ("message", say(record).into())]))
    };
    value.insert("events", Value::array(run.records.iter().filter_map(event)));
}

fn numbers(n: u32, why: &Why) -> Value {
    let mut value = Value::object([pair(("n", n))]);
    let rows = match *why {
        Why::Missing { size, counted } | Why::Surplus { size, counted } => vec![("size", size), ("counted", counted)],
        Why::Surge { counted, ceiling } => vec![("counted", counted), ("ceiling", ceiling)],
        Why::Unavailable { available, floor } | Why::Spare { available, floor } => {
            vec![("available", available), ("floor", floor)]
        }
        Why::Batch { number, most, total } => vec![("batch", number), ("most", most), ("total", total)],
        Why::Replaced { number } => vec![("batch", number)],
        Why::Breach => Vec::new(),
    };
    for (key, n) in rows {
        value.insert(key, n);
    }
    value
}

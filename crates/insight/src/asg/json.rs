//! The rows of `check --json` and `run --json` for an instance refresh. Rows that every platform has keep their
//! meaning.

use rollscope_engine::asg::{Change, Refresh, Run};
use rollscope_engine::platform::asg::{Because, LaunchReason, StopReason};
use rollscope_engine::trace::{Record, What};
use rollscope_scenario::{Resolved, Value};

use super::check::Check;
use super::names::{CHECKPOINT, because, blocked, event, launch, stop};
use super::outcome::{CheckpointRow, Outcome, StatusRow};
use crate::json::{input, ms, task_row, violations};
use crate::names;
use crate::rows;
use crate::run::RunView;

/// `StatusReason` as a sentence.
pub type SayWhy<'a> = &'a dyn Fn(&Refresh) -> String;

/// `check --json`
pub fn check(resolved: &Resolved, check: &Check) -> Value {
    let mut value = input(resolved);
    let limits = check.limits;
    value.insert("floor", limits.floor);
    value.insert("ceiling", limits.ceiling);
    value.insert("room_to_start", limits.ceiling.saturating_sub(check.before));
    value.insert("spare_to_stop", check.before.saturating_sub(limits.floor));
    value.insert("first_step", Value::object([("started", check.launched), ("stopped", check.terminated)].map(pair)));
    value.insert("service_error", check.refused.map(|why| why.name()));
    value.insert("verdict", names::verdict(check.verdict));
    value
}

/// `run --json`
pub fn run(resolved: &Resolved, check: &Check, outcome: &Outcome, run: &Run, say: SayWhy<'_>) -> Value {
    let mut value = self::check(resolved, check);
    value.insert("outcome", names::outcome(outcome.outcome));
    value.insert("blocked_by", outcome.blocked_by.map(blocked));
    value.insert("completed_at_ms", ms(outcome.completed_at));
    value.insert("last_change_at_ms", ms(Some(outcome.last_change_at)));
    value.insert("ended_at_ms", ms(Some(outcome.ended_at)));
    value.insert("cut_off_by", outcome.cut_off_by.map(names::cut_off_by));
    figures(&mut value, outcome);
    end_state(&mut value, outcome, run);
    let to_update = run.view().to_update;
    let newest = run.refreshes().len();
    let refresh = |(k, refresh): (usize, &Refresh)| {
        self::refresh(refresh, if k + 1 == newest { to_update } else { 0 }, say(refresh))
    };
    value.insert("instance_refreshes", Value::array(run.refreshes().iter().enumerate().map(refresh)));
    value.insert("status_changes", Value::array(outcome.statuses.iter().map(status)));
    value.insert("checkpoints", Value::array(outcome.checkpoints.iter().map(checkpoint)));
    value.insert("eventbridge", Value::array(events(outcome)));
    value
}

fn pair<V: Into<Value>>((key, value): (&'static str, V)) -> (&'static str, Value) {
    (key, value.into())
}

fn figures(value: &mut Value, outcome: &Outcome) {
    let figures = &outcome.figures;
    value.insert("peak_tasks", figures.peak_counted);
    value.insert("peak_physical", figures.peak_physical);
    value.insert("lowest_healthy", figures.lowest_ready);
    value.insert("waves", figures.batches);
    value.insert("task_ms_extra", figures.instance_ms_extra);
    value.insert("both_versions_ms", figures.both_versions_ms);
    value.insert("launched", figures.launched);
    value.insert("launch_failures", figures.launch_failures);
    value.insert("unhealthy_replaced", figures.unhealthy);
    value.insert("invariants_broken", violations(&figures.invariants_broken));
}

/// Instances of the end.
fn end_state(value: &mut Value, outcome: &Outcome, run: &Run) {
    let (view, counts) = (run.view(), run.counts());
    let mut now = Value::object(
        [
            ("desired", outcome.desired),
            ("counted", counts.counted),
            ("physical", counts.physical()),
            ("ready", view.ready),
            ("pending", counts.pending()),
            ("standby", view.standby),
            ("terminating", view.terminating),
        ]
        .map(pair),
    );
    let versions: Vec<(String, Value)> =
        outcome.versions.iter().map(|(version, n)| (version.to_string(), Value::from(*n))).collect();
    now.insert("by_version", Value::Object(versions));
    now.insert("group_version", view.version);
    value.insert("now", now);
}

fn refresh(refresh: &Refresh, to_update: u32, why: String) -> Value {
    let mut value = Value::object([
        ("InstanceRefreshId", Value::from(format!("refresh-{}", refresh.number))),
        ("Status", refresh.status.name().into()),
        ("StatusReason", Some(why).filter(|why| !why.is_empty()).map(Value::from).into()),
        ("PercentageComplete", refresh.percent.into()),
        ("InstancesToUpdate", to_update.into()),
        ("StartTime_ms", refresh.started.ms().into()),
        ("EndTime_ms", ms(refresh.ended)),
        ("version", refresh.target.into()),
        ("from_version", refresh.from.into()),
    ]);
    value.insert("reason", refresh.because.map(because));
    let by = refresh.because.and_then(|because| match because {
        Because::NoProgress(by) => Some(blocked(by)),
        _ => None,
    });
    value.insert("no_progress_by", by);
    value
}

fn status(row: &StatusRow) -> Value {
    let mut value = Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("refresh", row.refresh.into()),
        ("from", row.from.name().into()),
        ("to", row.to.name().into()),
        ("PercentageComplete", row.percent.into()),
    ]);
    value.insert("reason", row.because.map(because));
    value
}

fn checkpoint(row: &CheckpointRow) -> Value {
    Value::object([
        ("at_ms", Value::from(row.at.ms())),
        ("checkpoint", row.checkpoint.into()),
        ("PercentageComplete", row.percent.into()),
        ("holds_until_ms", ms(row.until)),
    ])
}

/// What EventBridge gets, in order of time.
fn events(outcome: &Outcome) -> Vec<Value> {
    let statuses = outcome.statuses.iter().filter_map(|row| Some((row.at, event(row.from, row.to)?)));
    let mut rows: Vec<_> = outcome.checkpoints.iter().map(|row| (row.at, CHECKPOINT)).chain(statuses).collect();
    rollscope_engine::order::by_key(&mut rows, |row| row.0);
    let row = |(at, name): (rollscope_engine::SimTime, &str)| {
        Value::object([("at_ms", Value::from(at.ms())), ("detail-type", name.into())])
    };
    rows.into_iter().map(row).collect()
}

/// Adds the rows of `--events`; `say` is the sentence of a record.
pub fn add_events(value: &mut Value, run: RunView<'_>, say: &dyn Fn(&Record) -> String) {
    value.insert("tasks", Value::array(rows::tasks(run).iter().map(task_row)));
    let decision = |record: &Record| {
        let (rule, reason, numbers) = match &record.what {
            What::Asg(Change::Launching { n, version, reason }) => {
                ("launch", launch(reason), launch_numbers(*n, *version, reason))
            }
            What::Asg(Change::Terminating { n, unready, reason }) => {
                ("terminate", stop(reason), stop_numbers(*n, *unready, reason))
            }
            _ => return None,
        };
        Some(Value::object([
            ("at", Value::from(record.at.ms())),
            ("rule", rule.into()),
            ("reason", reason.into()),
            ("numbers", numbers),
        ]))
    };
    value.insert("decisions", Value::array(run.records.iter().filter_map(decision)));
    let event = |record: &Record| {
        let What::Asg(_) = &record.what else { return None };
        Some(Value::object([("at", Value::from(record.at.ms())), ("message", say(record).into())]))
    };
    value.insert("events", Value::array(run.records.iter().filter_map(event)));
}

fn launch_numbers(n: u32, version: u32, reason: &LaunchReason) -> Value {
    let mut value = Value::object([("n", n), ("version", version)].map(pair));
    let rows = match *reason {
        LaunchReason::Missing { desired, counted } => vec![("desired", desired), ("counted", counted)],
        LaunchReason::Batch { going, left, floor, ceiling } => {
            vec![("going", going), ("left", left), ("floor", floor), ("ceiling", ceiling)]
        }
    };
    for (key, n) in rows {
        value.insert(key, n);
    }
    value
}

fn stop_numbers(n: u32, unready: u32, reason: &StopReason) -> Value {
    let mut value = Value::object([("n", n), ("not_ready", unready)].map(pair));
    let rows = match *reason {
        StopReason::Batch { ready, floor } => vec![("ready", ready), ("floor", floor)],
        StopReason::Replaced { ready, desired } => vec![("ready", ready), ("desired", desired)],
        StopReason::Surplus { desired, counted } => vec![("desired", desired), ("counted", counted)],
        StopReason::Standby => Vec::new(),
    };
    for (key, n) in rows {
        value.insert(key, n);
    }
    value
}

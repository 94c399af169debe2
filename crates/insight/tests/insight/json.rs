//! The rows that pipelines read.

use rollscope_insight::json::{self, Words};
use rollscope_insight::{check, outcome, rows, run_to_end};
use rollscope_scenario::{Document, Value};

use crate::service;

fn run(more: &str) -> Value {
    let resolved = service(4, 100, 150, more);
    let run = run_to_end(resolved.settings.clone());
    let mut value = json::run(&resolved, &check(&resolved), &outcome(run.view()));
    let words = Words { decision: &|_| "why".into(), event: &|_| "what".into() };
    json::add_events(&mut value, run.view(), &words);
    value
}

#[test]
fn every_row_of_the_contract_is_there() {
    let value = run("");
    for row in [
        "accepted",
        "problems",
        "warnings",
        "readings",
        "floor",
        "ceiling",
        "room_to_start",
        "spare_to_stop",
        "first_step",
        "first_step_limited_by",
        "verdict",
        "outcome",
        "blocked_by",
        "completed_at_ms",
        "last_change_at_ms",
        "cut_off_by",
        "peak_tasks",
        "peak_physical",
        "lowest_healthy",
        "waves",
        "task_ms_extra",
        "both_versions_ms",
        "invariants_broken",
        "now",
        "deployments",
        "tasks",
        "decisions",
        "events",
    ] {
        assert!(value.get(row).is_some(), "{row} is missing");
    }
    let int = |pointer: &str| value.pointer(pointer).and_then(Value::as_i64);
    assert_eq!(int("/first_step/started"), Some(2));
    assert_eq!(int("/now/by_revision/8/healthy"), Some(4));
    assert_eq!(int("/deployments/0/failedTasks"), Some(0));
    assert_eq!(value.pointer("/deployments/0/rolloutState").and_then(Value::as_str), Some("COMPLETED"));
    assert_eq!(value.pointer("/readings/stopping_counts").and_then(Value::as_bool), Some(true));
    assert_eq!(value.pointer("/tasks/4/name").and_then(Value::as_str), Some("8·1"));
    assert_eq!(value.pointer("/decisions/0/reason").and_then(Value::as_str), Some("deployment_begins"));
    assert_eq!(value.pointer("/decisions/0/numbers/ceiling").and_then(Value::as_i64), Some(6));
}

#[test]
fn refused_settings_still_give_every_row() {
    let text = r#"{"service": {"desiredCount": 2, "deploymentConfiguration":
        {"minimumHealthyPercent": 101, "maximumPercent": 99}}}"#;
    let problems = Document::from_text(text).resolve().expect_err("both percentages are refused");
    let value = json::refused(&problems, true);
    assert_eq!(value.get("accepted").and_then(Value::as_bool), Some(false));
    assert_eq!(value.get("outcome").and_then(Value::as_str), Some("refused"));
    assert_eq!(value.get("verdict").and_then(Value::as_str), Some("not_accepted"));
    assert!(value.get("floor").is_some_and(Value::is_null));
    assert!(value.pointer("/problems/1/field").is_some(), "both problems at once");
    assert!(json::refused(&problems, false).get("outcome").is_none());
}

#[test]
fn task_rows_tell_a_whole_life() {
    let resolved = service(
        1,
        100,
        200,
        r#""timing": {"exit_after_sigterm": "never"}, "new": {"by_start": {"1": "never_running"}}"#,
    );
    let run = run_to_end(resolved.settings);
    let tasks = rows::tasks(run.view());
    assert_eq!(tasks.len(), 3, "one old task, one start that fails, one that works");
    let (old, failed, new) = (tasks[0], tasks[1], tasks[2]);
    assert_eq!(old.created, None);
    let killed = old.sigkill.expect("it ignores SIGTERM");
    assert_eq!(killed.ms() - old.sigterm.expect("SIGTERM came first").ms(), 30_000);
    assert_eq!((failed.running, failed.first_healthy, failed.stop_decided), (None, None, None));
    assert!(failed.stopped.is_some() && failed.stop_code.is_some());
    let healthy = new.first_healthy.expect("it works").ms() - new.running.expect("it runs").ms();
    assert_eq!(healthy, 40_000, "without any check a task counts 40 s after RUNNING");
    assert_eq!(new.stopped, None);
}

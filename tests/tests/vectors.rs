//! The reference's test vectors as data, through the same fields that `rollscope run --json` prints.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::StopCode;
use rollscope_insight::outside::Names;
use rollscope_insight::{
    TaskStop, WatchdogReport, check, json as rows, json_capacity, json_failures, names, outcome, run_to_end, watchdog,
};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::resolve::Watchdog;
use rollscope_scenario::{Document, Problem};

fn table(text: &str) -> Vec<Value> {
    json::read(text).expect("a table is JSON").value.as_array().expect("a list").to_vec()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{key} in {row}"))
}

fn number(row: &Value, key: &str) -> u64 {
    row.get(key).and_then(Value::as_u64).unwrap_or_else(|| panic!("{key} in {row}"))
}

/// What `run --json --events` prints for a document.
fn run(document: &Document) -> Value {
    match document.resolve() {
        Ok(resolved) => {
            let finished = run_to_end(resolved.settings.clone());
            let outcome = outcome(finished.view());
            let mut value = rows::run(&resolved, &check(&resolved), &outcome);
            json_failures::add_failures(&mut value, &resolved, finished.view(), &Names::default());
            json_capacity::run(&mut value, finished.view());
            let words = rows::Words { decision: &|_| String::new(), event: &|_| String::new() };
            rows::add_events(&mut value, finished.view(), &words);
            value
        }
        Err(problems) => rows::refused(&problems, true),
    }
}

fn document(id: &str, value: &Value) -> Document {
    let (document, problems) = Document::from_value(value);
    assert!(problems.iter().all(|problem| !problem.is_error()), "{id}: {problems:?}");
    document
}

/// Every field of `wanted` stands in `found` with that value; objects are compared field by field.
fn assert_holds(id: &str, found: &Value, wanted: &Value) {
    for (key, value) in wanted.as_object().expect("an object of fields") {
        let actual = found.get(key).unwrap_or_else(|| panic!("{id}: no field {key}"));
        if value.as_object().is_some() {
            assert_holds(id, actual, value);
        } else {
            assert_eq!(actual, value, "{id}: {key}");
        }
    }
}

fn percentages(row: &Value, lockstep: bool) -> Document {
    let deployment = Value::object([
        ("minimumHealthyPercent", row.get("minimum").cloned().unwrap_or_default()),
        ("maximumPercent", row.get("maximum").cloned().unwrap_or_default()),
    ]);
    let service = Value::object([
        ("desiredCount", row.get("desired").cloned().unwrap_or_default()),
        ("deploymentConfiguration", deployment),
    ]);
    let timing = Value::object([("healthy_after", Value::from("45s")), ("gone_after", "330s".into())]);
    let value = Value::object([
        ("service", service),
        ("timing", timing),
        ("readings", Value::object([("start_first", Value::from(lockstep))])),
        ("quotas", "none".into()),
    ]);
    document(text(row, "id"), &value)
}

#[test]
fn floor_ceiling_first_step_waves() {
    let rows = table(include_str!("../vectors/limits.json"));
    assert_eq!(rows.len(), 27);
    for row in &rows {
        let id = text(row, "id");
        for (lockstep, waves) in [(false, "waves"), (true, "waves_lockstep")] {
            let id = format!("{id}{}", if lockstep { " in lockstep" } else { "" });
            let found = run(&percentages(row, lockstep));
            let same = |field: &str, key: &str| {
                let wanted = row.get(key).unwrap_or_else(|| panic!("{key} in {row}"));
                assert_eq!(found.get(field), Some(wanted), "{id}: {field}");
            };
            same("floor", "floor");
            same("ceiling", "ceiling");
            same("outcome", "outcome");
            same("waves", waves);
            same("peak_tasks", "peak");
            same("lowest_healthy", "low");
            assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{id}");
            if !lockstep {
                let step = Value::object(
                    [("started", row.get("started").cloned()), ("stopped", row.get("stopped").cloned())]
                        .map(|(k, v)| (k, v.unwrap_or_default())),
                );
                assert_eq!(found.get("first_step"), Some(&step), "{id}");
            }
        }
    }
}

/// What `check --json` prints for a `deploymentConfiguration` and a desired count.
fn limits_of(row: &Value, deployment: Value) -> Value {
    let service = Value::object([
        ("desiredCount", row.get("desired").cloned().unwrap_or_default()),
        ("deploymentConfiguration", deployment),
    ]);
    let document = document(text(row, "id"), &Value::object([("service", service)]));
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{row}: {problems:?}"));
    rows::check(&resolved, &check(&resolved))
}

#[test]
fn breaker_thresholds() {
    let rows = table(include_str!("../vectors/threshold.json"));
    assert_eq!(rows.len(), 22);
    for row in &rows {
        let part = |key: &str| row.get(key).cloned().unwrap_or_default();
        let threshold = Value::object([("type", part("type")), ("value", part("value"))]);
        let breaker = Value::object([
            ("enable", Value::from(true)),
            ("rollback", true.into()),
            ("thresholdConfiguration", threshold),
        ]);
        let found = limits_of(row, Value::object([("deploymentCircuitBreaker", breaker)]));
        assert_eq!(found.get("threshold"), row.get("threshold"), "{row}");
        assert_eq!(found.get("gate"), Some(&Value::Null), "{row}");
    }
}

#[test]
fn early_success_gates() {
    let rows = table(include_str!("../vectors/gate.json"));
    assert_eq!(rows.len(), 13);
    for row in &rows {
        let early = Value::object([
            ("enable", Value::from(true)),
            ("healthyPercent", row.get("healthyPercent").cloned().unwrap_or_default()),
            ("sourceServiceRevisionCleanup", "BLOCKING".into()),
        ]);
        let deployment = Value::object([("minimumHealthyPercent", Value::from(0)), ("earlySuccessCriteria", early)]);
        let found = limits_of(row, deployment);
        assert_eq!(found.get("gate"), row.get("gate"), "{row}");
        assert_eq!(found.get("threshold"), Some(&Value::Null), "{row}");
    }
}

fn check_runs(rows: &[Value]) {
    for row in rows {
        let id = text(row, "id");
        let scenario = document(id, row.get("document").expect("a document"));
        let mut found = run(&scenario);
        if let Some(at) = row.get("at").and_then(Value::as_str) {
            let at = SimTime(rollscope_scenario::duration::parse(at).expect("a duration"));
            let settings = scenario.resolve().expect("it runs").settings;
            found.insert("api_at", json_failures::api_at(&settings, at, Names::default(), &|_| String::new()));
        }
        for (pointer, wanted) in row.get("points").and_then(Value::as_object).unwrap_or_default() {
            assert_eq!(found.pointer(pointer), Some(wanted), "{id}: {pointer}");
        }
        if let Some(wanted) = row.get("expect") {
            assert_holds(id, &found, wanted);
        }
        let tasks = found.get("tasks").and_then(Value::as_array).unwrap_or_default();
        for (name, wanted) in row.get("tasks").and_then(Value::as_object).unwrap_or_default() {
            let task =
                tasks.iter().find(|task| text(task, "name") == name).unwrap_or_else(|| panic!("{id}: no task {name}"));
            assert_holds(&format!("{id}, {name}"), task, wanted);
        }
        if row.get("task_count").is_some() {
            assert_eq!(tasks.len() as u64, number(row, "task_count"), "{id}: tasks in all");
        }
        if row.get("deployment_count").is_some() {
            let left = found.get("deployments").and_then(Value::as_array).map_or(0, <[Value]>::len);
            assert_eq!(left as u64, number(row, "deployment_count"), "{id}: deployments left");
        }
        if found.get("accepted") == Some(&Value::from(true)) {
            assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{id}");
        }
    }
}

#[test]
fn runs_and_changes_in_mid_run() {
    let rows = table(include_str!("../vectors/runs.json"));
    assert_eq!(rows.len(), 19);
    check_runs(&rows);
}

#[test]
fn health_and_stop_timing() {
    let rows = table(include_str!("../vectors/health.json"));
    assert_eq!(rows.len(), 24);
    check_runs(&rows);
}

#[test]
fn failures_rollback_alarms_and_early_success() {
    let rows = table(include_str!("../vectors/failures.json"));
    assert_eq!(rows.len(), 102);
    check_runs(&rows);
}

/// What the watchdogs of several services see of their stops: rows of the log, and when each alarm begins.
fn watched(row: &Value) -> (u64, Vec<Option<u64>>) {
    const CODES: [StopCode; 4] = [
        StopCode::TaskFailedToStart,
        StopCode::EssentialContainerExited,
        StopCode::ServiceSchedulerInitiated,
        StopCode::SpotInterruption,
    ];
    let stop = |(k, pair): (usize, &Value)| {
        let pair = pair.as_array().expect("a moment and a stop code");
        let code = pair[1].as_str().expect("a stop code");
        TaskStop {
            at: SimTime(pair[0].as_u64().expect("seconds") * 1_000),
            task: TaskName { revision: 8, start: k as u32 + 1 },
            code: *CODES.iter().find(|known| names::stop_code(**known) == code).expect("a known stop code"),
        }
    };
    let service = |stops: &Value| {
        let stops: Vec<TaskStop> = stops.as_array().expect("stops").iter().enumerate().map(stop).collect();
        watchdog::watch(&stops, Watchdog::default(), SimTime(400_000))
    };
    let services = row.get("services").and_then(Value::as_array).expect("services");
    let reports: Vec<WatchdogReport> = services.iter().map(service).collect();
    let alarm = |report: &WatchdogReport| report.alarms.first().map(|(from, _)| from.ms() / 1_000);
    (reports.iter().map(|report| report.log.len() as u64).sum(), reports.iter().map(alarm).collect())
}

#[test]
fn stops_that_the_watchdog_keeps() {
    let rows = table(include_str!("../vectors/watchdog.json"));
    assert_eq!(rows.len(), 10);
    let (runs, lists): (Vec<Value>, Vec<Value>) = rows.into_iter().partition(|row| row.get("document").is_some());
    check_runs(&runs);
    for row in lists {
        let (log, alarms) = watched(&row);
        let wanted: Vec<Option<u64>> =
            row.get("alarms_at").and_then(Value::as_array).expect("alarms").iter().map(Value::as_u64).collect();
        assert_eq!((log, alarms), (number(&row, "log"), wanted), "{}", text(&row, "id"));
    }
}

#[test]
fn room_daemons_and_draining() {
    let rows = table(include_str!("../vectors/capacity.json"));
    assert_eq!(rows.len(), 22);
    check_runs(&rows);
}

#[test]
fn stages_hooks_and_the_way_back() {
    let rows = table(include_str!("../vectors/traffic.json"));
    assert_eq!(rows.len(), 43);
    check_runs(&rows);
}

/// A strategy with its numbers; tasks are healthy after 45 s and gone after 30 s.
fn shifting(row: &Value) -> Document {
    let strategy = text(row, "strategy");
    let mut deployment = Value::object([("strategy", Value::from(strategy))]);
    deployment.insert("bakeTimeInMinutes", number(row, "bake"));
    let numbers = match strategy {
        "LINEAR" => Some(("linearConfiguration", "stepPercent", "stepBakeTimeInMinutes")),
        "CANARY" => Some(("canaryConfiguration", "canaryPercent", "canaryBakeTimeInMinutes")),
        _ => None,
    };
    if let (Some((group, percent, wait)), Some(share)) = (numbers, row.get("percent")) {
        let wait = (wait, Value::from(number(row, "wait")));
        deployment.insert(group, Value::object([(percent, share.clone()), wait]));
    }
    let service = Value::object([("desiredCount", Value::from(4)), ("deploymentConfiguration", deployment)]);
    let timing = Value::object([("healthy_after", Value::from("45s")), ("gone_after", "30s".into())]);
    let groups = Value::array([Value::empty_object()]);
    let value = [("service", service), ("targetGroups", groups), ("timing", timing), ("quotas", "none".into())];
    document(text(row, "id"), &Value::object(value))
}

#[test]
fn weights_and_waits_of_every_strategy() {
    let rows = table(include_str!("../vectors/shifts.json"));
    assert_eq!(rows.len(), 13);
    for row in &rows {
        let (id, found) = (text(row, "id"), run(&shifting(row)));
        let list = found.get("weights").and_then(Value::as_array).unwrap_or_default();
        let green = |entry: &Value| entry.pointer("/production/8").cloned().unwrap_or_default();
        // The first entry is how it begins: nothing goes to the new revision.
        let greens = Value::array(list.iter().skip(1).map(green));
        assert_eq!(Some(&greens), row.get("weights"), "{id}");
        for entry in list {
            let sum = |key: &str| {
                let shares = entry.get(key).and_then(Value::as_object).unwrap_or_default();
                shares.iter().filter_map(|(_, share)| share.as_u64()).sum::<u64>()
            };
            assert_eq!(sum("production"), 1000, "{id}: {entry}");
        }
        let done = 45_000 + number(row, "waiting") * 60_000 + 30_000;
        assert_eq!(found.get("completed_at_ms"), Some(&Value::from(done)), "{id}");
        let check =
            rows::check(&shifting(row).resolve().expect("it runs"), &check(&shifting(row).resolve().expect("it runs")));
        assert_eq!((check.get("floor"), check.get("ceiling")), (Some(&Value::from(4)), Some(&Value::from(8))), "{id}");
    }
}

/// A valid service with the row's fields laid over it.
fn overlaid(row: &Value) -> Value {
    let mut value = row.get("document").cloned().unwrap_or_else(Value::empty_object);
    let mut service = row.get("service").cloned().unwrap_or_else(Value::empty_object);
    service.insert("desiredCount", 4);
    if let Some(deployment) = row.get("deployment") {
        service.insert("deploymentConfiguration", deployment.clone());
    }
    value.insert("service", service);
    value
}

#[test]
fn validation() {
    for row in table(include_str!("../vectors/validation.json")) {
        let id = text(&row, "id");
        let (document, mut problems) = Document::from_value(&overlaid(&row));
        match document.resolve() {
            Ok(resolved) => problems.extend(resolved.warnings),
            Err(found) => problems.extend(found),
        }
        // What is right and only not simulated yet is another matter.
        let refusal = |problem: &&Problem| problem.is_error() && problem.kind.name() != "not_available";
        let refused: Vec<&Problem> = problems.iter().filter(refusal).collect();
        let Some(field) = row.get("refused").and_then(Value::as_str) else {
            assert!(refused.is_empty(), "{id}: {refused:?}");
            continue;
        };
        let problem = refused.iter().find(|problem| problem.field == field);
        let problem = problem.unwrap_or_else(|| panic!("{id}: no problem at {field} in {problems:?}"));
        assert!(!problem.given.is_empty() && !problem.allowed.is_empty(), "{id}: {problem:?}");
        if let Some(nearest) = row.get("nearest").filter(|nearest| !nearest.is_null()) {
            assert_eq!(problem.nearest.as_ref(), Some(nearest), "{id}");
        }
        if let Some(answer) = row.get("answer").and_then(Value::as_str) {
            assert_eq!(problem.service_error.as_deref(), Some(answer), "{id}");
        }
    }
}

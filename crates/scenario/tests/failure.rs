//! What guards a deployment, from the document to the settings of a run.

use rollscope_engine::platform::ecs::{AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Threshold};
use rollscope_engine::settings::{AlarmState, BadResponses, Behaviour, Command, Fate, TaskName};
use rollscope_engine::time::SimTime;
use rollscope_scenario::document::Act;
use rollscope_scenario::resolve::Watchdog;
use rollscope_scenario::{Document, Link, Problem, Resolved, link};

/// A service of four tasks with these members of `deploymentConfiguration` and of the document.
fn document(deployment: &str, rest: &str) -> Document {
    let rest = if rest.is_empty() { String::new() } else { format!(", {rest}") };
    let text = format!(
        r#"{{ "service": {{ "desiredCount": 4, "deploymentConfiguration": {{ {deployment} }} }}, "quotas": "none"{rest} }}"#
    );
    let reading = Document::from_text(&text);
    assert_eq!(reading.problems, [], "{text}");
    reading.document
}

fn accepted(deployment: &str, rest: &str) -> Resolved {
    document(deployment, rest).resolve().unwrap_or_else(|problems| panic!("{deployment} {rest}: {problems:#?}"))
}

fn refused(deployment: &str, rest: &str, field: &str) -> Problem {
    let problems = document(deployment, rest).resolve().expect_err(field);
    let found = problems.iter().find(|p| p.field == field && p.is_error());
    found.cloned().unwrap_or_else(|| panic!("{field}: {problems:#?}"))
}

fn params(resolved: &Resolved) -> &Params {
    resolved.settings.platform.ecs()
}

const ALARMS: &str = r#""alarms": { "alarmNames": [ "errors", "slow" ], "enable": true, "rollback": true }"#;

#[test]
fn the_breaker_reaches_the_run() {
    let plain = Breaker { rollback: true, reset_on_healthy_task: true, threshold: Threshold::BoundedPercent(50) };
    let on = accepted(r#""deploymentCircuitBreaker": { "enable": true, "rollback": true }"#, "");
    assert_eq!(params(&on).breaker, Some(plain));
    assert!(on.not_simulated.is_empty());
    let full = accepted(
        r#""deploymentCircuitBreaker": { "enable": true, "rollback": false, "resetOnHealthyTask": false,
            "thresholdConfiguration": { "type": "COUNT", "value": 5 } }"#,
        "",
    );
    let wanted = Breaker { rollback: false, reset_on_healthy_task: false, threshold: Threshold::Count(5) };
    assert_eq!(params(&full).breaker, Some(wanted));
    for off in [r#""deploymentCircuitBreaker": { "enable": false, "rollback": true }"#, ""] {
        assert_eq!(params(&accepted(off, "")).breaker, None);
    }
}

#[test]
fn alarms_and_bake_time_reach_the_run() {
    let resolved = accepted(
        &format!(r#"{ALARMS}, "bakeTimeInMinutes": 10"#),
        r#""alarms": [ { "name": "errors", "changes": [ { "at": "9m", "state": "OK" }, { "at": "5m", "state": "ALARM" } ] },
            { "name": "slow", "at_start": "INSUFFICIENT_DATA", "bad_responses_over": [ 1, 100 ], "for": "2m" } ],
           "acts": [ { "at": "6m", "do": "alarm", "name": "slow", "state": "ALARM" } ], "readings": { "alarm_delay_s": 5 }"#,
    );
    let watch = AlarmWatch { rollback: true, bake_ms: Some(600_000), alarm_delay_ms: 5_000 };
    assert_eq!(params(&resolved).alarms, Some(watch));
    let [errors, slow] = resolved.settings.alarms.as_slice() else { panic!("two alarms") };
    assert_eq!(errors.changes, [(SimTime(300_000), AlarmState::Alarm), (SimTime(540_000), AlarmState::Ok)]);
    assert_eq!(slow.at_start, AlarmState::InsufficientData);
    assert_eq!(slow.derived, Some(BadResponses { over: (1, 100), for_ms: 120_000 }));
    assert_eq!(resolved.settings.acts[0].command, Command::SetAlarm { alarm: 1, state: AlarmState::Alarm });
    let default = accepted(ALARMS, "");
    let watch = AlarmWatch { rollback: true, bake_ms: None, alarm_delay_ms: 20_000 };
    assert_eq!(params(&default).alarms, Some(watch));
    assert!(default.defaulted.iter().any(|d| d.field.ends_with("/bakeTimeInMinutes") && d.value == 3.into()));
    assert_eq!(default.settings.alarms[0].at_start, AlarmState::Ok, "a named alarm without an entry");
}

#[test]
fn early_success_reaches_the_run() {
    for (name, cleanup) in [("BLOCKING", Cleanup::Blocking), ("DEFERRED", Cleanup::Deferred)] {
        let resolved = accepted(
            &format!(
                r#""minimumHealthyPercent": 50, "earlySuccessCriteria": {{ "enable": true, "healthyPercent": 90,
                    "sourceServiceRevisionCleanup": "{name}" }}"#
            ),
            "",
        );
        assert_eq!(params(&resolved).early_success, Some(EarlySuccess { healthy_percent: 90, cleanup }));
    }
    assert_eq!(
        params(&accepted(r#""earlySuccessCriteria": { "enable": false, "healthyPercent": 10 }"#, "")).early_success,
        None
    );
}

#[test]
fn the_defaults_of_fjall() {
    let of = |fjall: &str| accepted("", &format!(r#""fjall": {fjall}"#));
    let default = Breaker { rollback: true, reset_on_healthy_task: false, threshold: Threshold::BoundedPercent(50) };
    for fjall in ["{}", r#"{ "circuitBreaker": true }"#, r#"{ "circuitBreaker": {} }"#] {
        assert_eq!(params(&of(fjall)).breaker, Some(default), "{fjall}");
    }
    let three = of(r#"{ "circuitBreaker": { "threshold": 3 } }"#);
    assert_eq!(params(&three).breaker, Some(Breaker { threshold: Threshold::Count(3), ..default }));
    let off =
        of(r#"{ "circuitBreaker": false, "alerts_topic": true }"#.replace("alerts_topic", "alertsTopic").as_str());
    assert_eq!(params(&off).breaker, None);
    assert_eq!(off.watchdog, Watchdog::default());
    for silent in [r#"{ "alertsTopic": false }"#, r#"{ "alarms": false }"#] {
        assert_eq!(of(silent).watchdog, Watchdog { alarms: false, ..Watchdog::default() }, "{silent}");
    }
    assert!(!of(r#"{ "taskStopWatchdog": false }"#).watchdog.enabled);
    refused("", r#""fjall": { "circuitBreaker": { "threshold": 0 } }"#, "/fjall/circuitBreaker/threshold");
    // What the service itself says wins.
    let both = accepted(
        r#""deploymentCircuitBreaker": { "enable": true, "rollback": false }"#,
        r#""fjall": { "circuitBreaker": { "threshold": 3 } }"#,
    );
    assert_eq!(params(&both).breaker.map(|b| (b.rollback, b.reset_on_healthy_task)), Some((false, true)));
    assert!(both.warnings.iter().any(|w| w.field == "/fjall/circuitBreaker"));
}

#[test]
fn two_migrated_databases_of_one_kind_are_refused() {
    // W20
    let problem = refused("", r#""fjall": { "databases": [ "sql", "clickhouse", "sql" ] }"#, "/fjall/databases/2");
    assert!(problem.service_error.is_some_and(|text| text.contains("synthesis")));
    accepted("", r#""fjall": { "databases": [ "sql", "clickhouse" ] }"#);
    accepted("", r#""fjall": { "schemaGate": false, "databases": [ "sql", "sql" ] }"#);
}

#[test]
fn the_schema_and_what_a_revision_expects() {
    let expects =
        |resolved: &Resolved| resolved.settings.revisions.iter().map(|r| r.expects_schema).collect::<Vec<_>>();
    let rest = r#""schema": [ { "at": "5m", "version": "0042_orders" }, { "at": "0s", "version": 41 } ],
        "old": { "expects": "0041" }, "new": { "expects": 42 }"#;
    let gated = accepted("", rest);
    assert_eq!(gated.settings.schema, [(SimTime(0), 41), (SimTime(300_000), 42)]);
    assert_eq!(expects(&gated), [Some(41), Some(42)]);
    let off = accepted("", &format!(r#"{rest}, "fjall": {{ "schemaGate": false }}"#));
    assert_eq!(expects(&off), [None, None]);
    let unknown = accepted("", r#""new": { "expects": 42 }"#);
    assert_eq!(expects(&unknown), [None, None]);
    assert!(unknown.warnings.iter().any(|w| w.field == "/new/expects"));
    let by_act = accepted("", r#""new": { "expects": 42 }, "acts": [ { "at": "5m", "do": "schema", "version": 42 } ]"#);
    assert_eq!(expects(&by_act), [None, Some(42)]);
    assert_eq!(by_act.settings.acts[0].command, Command::SetSchema(42));
    let later = r#""schema": [ { "at": 0, "version": 41 } ], "acts": [ { "at": "5m", "do": "deploy", "revision": 9, "expects": 43, "digest_fails": true } ]"#;
    let later = accepted("", later).settings.revisions;
    assert_eq!((later[2].number, later[2].expects_schema, later[2].digest_fails), (9, Some(43), true));
}

#[test]
fn acts_of_people_and_of_the_world() {
    let task = TaskName { revision: 7, start: 1 };
    let resolved = accepted(
        ALARMS,
        r#""acts": [ { "at": "1s", "do": "protect", "task": "7.1" }, { "at": "2s", "do": "protect", "task": "7.1", "renewed": true },
            { "at": "3s", "do": "unprotect", "task": "7.1" }, { "at": "4s", "do": "interrupt", "task": "7.1" },
            { "at": "5s", "do": "stop_deployment" }, { "at": "6s", "do": "fix" }, { "at": "7s", "do": "fix", "revision": 9 },
            { "at": "8s", "do": "fate", "revision": 8, "bad_responses": [ 1, 2 ] },
            { "at": "9s", "do": "alarm", "name": "errors", "state": "ALARM" }, { "at": "10s", "do": "schema", "version": 3 } ]"#,
    );
    let fixed = |revision| Command::SetFate { revision, behaviour: Behaviour::default() };
    let bad = Behaviour { fate: Fate::Healthy, by_start: vec![], bad_responses: Some((1, 2)) };
    let wanted = [
        Command::Protect { task, for_ms: Some(7_200_000) },
        Command::Protect { task, for_ms: None },
        Command::Unprotect(task),
        Command::Interrupt(task),
        Command::StopDeployment,
        fixed(8),
        fixed(9),
        Command::SetFate { revision: 8, behaviour: bad },
        Command::SetAlarm { alarm: 0, state: AlarmState::Alarm },
        Command::SetSchema(3),
    ];
    let commands: Vec<Command> = resolved.settings.acts.iter().map(|act| act.command.clone()).collect();
    assert_eq!(commands, wanted);
    // Each goes into a document and comes back the same.
    let mut again = document(ALARMS, "");
    let alarms = &resolved.settings.alarms;
    again.acts = Some(resolved.settings.acts.iter().map(|act| Act::of(act, alarms)).collect());
    assert_eq!(again.resolve().expect("runs").settings.acts, resolved.settings.acts);
}

#[test]
fn protection_that_comes_too_late() {
    let acts = |at: &str| format!(r#""acts": [ {{ "at": "{at}", "do": "protect", "task": "7.1" }} ]"#);
    let warned =
        |deployment: &str, rest: &str| accepted(deployment, rest).warnings.iter().any(|w| w.field == "/acts/0");
    assert!(warned(r#""minimumHealthyPercent": 50"#, &acts("0s")));
    assert!(!warned(r#""minimumHealthyPercent": 50"#, &acts("1s")));
    assert!(!warned("", &acts("0s")), "nothing stops before a new task is healthy");
    let steady = format!(r#"{}, "start": {{ "deployments": [ {{ "revision": 7, "healthy": 4 }} ] }}"#, acts("0s"));
    assert!(!warned(r#""minimumHealthyPercent": 50"#, &steady));
}

#[test]
fn mistakes_are_named() {
    let one = r#""alarms": [ { "name": "errors""#;
    for (rest, field) in [
        (format!(r#"{one}, "at_start": "RED" }} ]"#), "/alarms/0/at_start"),
        (format!(r#"{one}, "changes": [ {{ "at": "1s" }} ] }} ]"#), "/alarms/0/changes/0/state"),
        (format!(r#"{one}, "changes": [ {{ "at": "17d", "state": "OK" }} ] }} ]"#), "/alarms/0/changes/0/at"),
        (format!(r#"{one}, "bad_responses_over": [ 2, 1 ] }} ]"#), "/alarms/0/bad_responses_over"),
        (r#""alarms": [ { "at_start": "OK" } ]"#.into(), "/alarms/0/name"),
        (r#""schema": [ { "at": "1s" } ]"#.into(), "/schema/0/version"),
        (r#""acts": [ { "at": "1s", "do": "alarm", "name": "error", "state": "OK" } ]"#.into(), "/acts/0/name"),
        (r#""acts": [ { "at": "1s", "do": "alarm", "name": "errors" } ]"#.into(), "/acts/0/state"),
        (r#""acts": [ { "at": "1s", "do": "schema" } ]"#.into(), "/acts/0/version"),
        (r#""acts": [ { "at": "1s", "do": "unprotect" } ]"#.into(), "/acts/0/task"),
        (
            r#""acts": [ { "at": "1s", "do": "fate", "revision": 8, "bad_responses": [ 1, 0 ] } ]"#.into(),
            "/acts/0/bad_responses",
        ),
        (r#""readings": { "alarm_delay_s": 3601 }"#.into(), "/readings/alarm_delay_s"),
        (r#""fjall": { "databases": [ "mongo" ] }"#.into(), "/fjall/databases/0"),
    ] {
        let problem = refused(ALARMS, &rest, field);
        assert!(!problem.given.is_empty() && !problem.allowed.is_empty(), "{problem:?}");
    }
    let near =
        refused(ALARMS, r#""acts": [ { "at": "1s", "do": "alarm", "name": "error", "state": "OK" } ]"#, "/acts/0/name");
    assert_eq!(near.nearest, Some("errors".into()));
    let nobody_looks = accepted(ALARMS, r#""new": { "bad_responses": [ 1, 2 ] }"#);
    assert!(nobody_looks.warnings.iter().any(|w| w.field == "/new/bad_responses"));
    let unused = accepted("", r#""alarms": [ { "name": "errors" } ]"#);
    assert!(unused.warnings.iter().any(|w| w.field == "/alarms/0/name"));
}

#[test]
fn a_link_carries_all_of_it() {
    let document = document(
        ALARMS,
        r#""new": { "bad_responses": [ 1, 50 ], "expects": 42, "digest_fails": true },
           "alarms": [ { "name": "errors", "bad_responses_over": [ 1, 100 ], "for": "2m" }, { "name": "slow", "changes": [ { "at": "5m", "state": "ALARM" } ] } ],
           "schema": [ { "at": "0s", "version": 41 } ], "fjall": { "circuitBreaker": { "threshold": 3 }, "alertsTopic": false },
           "acts": [ { "at": "1s", "do": "protect", "task": "7.1", "renewed": true } ]"#,
    );
    let text = link::encode(&Link { document: document.clone(), ..Link::default() });
    assert!(text.contains("&fjall.circuitBreaker.threshold=3&fjall.alertsTopic=false"), "{text}");
    assert!(text.contains("&schema.0.at=0s&schema.0.version=41"), "{text}");
    let read = link::decode(&text).expect("it opens");
    assert_eq!((read.link.document, read.problems), (document, vec![]));
}

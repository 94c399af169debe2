//! What others see: waiter, event bus, answers of the API, pipelines, by figures worked out by hand.

use rollscope_engine::SimTime;
use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::settings::{AlarmState, RolloutState};
use rollscope_engine::sim::service_deployment::{FailedBy, ServiceStatus};
use rollscope_engine::time::{DAY, HOUR, MINUTE};
use rollscope_engine::trace::{FailedCheck, What};
use rollscope_insight::json_failures::api_at;
use rollscope_insight::outside::{
    Asked, BusEvent, BusEventKind, Call, Colour, Ledger, Misleads, Names, Signal, TailLine, Trusts, Waiter, WaiterEnd,
    bus, calls, frozen, gauges, known_until, own_alarms, signals, stopped_tasks, tail, waiter,
};
use rollscope_insight::service_events::{NoPlace, service_events};
use rollscope_insight::{Run, ServiceEventKind, json_failures, run_to_end};
use rollscope_scenario::{Resolved, Value};

use crate::resolve;

const S: u64 = 1_000;
const BREAKER: &str = r#""deploymentCircuitBreaker": { "enable": true, "rollback": true }"#;

/// A service with these members of `deploymentConfiguration` and of the document.
fn service(desired: u32, deployment: &str, more: &str) -> Resolved {
    resolve(&format!(
        r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration": {{{deployment}}}}}, "quotas": "none", {more}}}"#
    ))
}

fn run(resolved: &Resolved) -> Run {
    run_to_end(resolved.settings.clone())
}

/// What all pipelines say of the newest rollout: colour, seconds, revision.
fn said(run: &Run) -> Vec<(Trusts, Colour, Option<u64>, Option<u32>)> {
    let frame = run.end.frame();
    let newest = frame.service_deployments.last().expect("a rollout");
    let row = |signal: &Signal| (signal.trusts, signal.colour, signal.at.map(|at| at.ms() / S), signal.revision);
    signals(run.view(), newest, known_until(run.view())).iter().map(row).collect()
}

#[test]
fn the_waiter_gives_up_after_forty_tries() {
    // Start and checks 210 s, drain 300 s: one round is over at 510 s, the 35th look sees it.
    let timing = r#""timing": { "healthy_after": "210s", "gone_after": "300s" }"#;
    let one = run(&service(4, "", timing));
    let end = Some(WaiterEnd::Stable { at: SimTime(510 * S), revision: 8 });
    let satisfied_at = Some(SimTime(510 * S));
    let wanted = Waiter { started_at: SimTime::ZERO, end, tries: 35, satisfied_at };
    assert_eq!(waiter(one.view(), SimTime::ZERO), wanted);
    // Two rounds are over at 1020 s; the last look is at 585 s.
    let two = run(&service(4, r#""maximumPercent": 150"#, timing));
    let end = Some(WaiterEnd::GivesUp { at: SimTime(585 * S) });
    let wanted = Waiter { end, tries: 40, satisfied_at: Some(SimTime(1020 * S)), ..wanted };
    assert_eq!(waiter(two.view(), SimTime::ZERO), wanted);
    // One that is started later may still see it.
    let later = waiter(two.view(), SimTime(600 * S)).end;
    assert_eq!(later, Some(WaiterEnd::Stable { at: SimTime(1020 * S), revision: 8 }));
}

#[test]
fn the_waiter_waits_for_the_bake() {
    let alarms =
        r#""alarms": { "alarmNames": [ "errors" ], "enable": true, "rollback": true }, "bakeTimeInMinutes": 5"#;
    // All healthy at 55 s, source gone at 85 s: it stays listed with no task until 385 s.
    let baked = run(&service(2, alarms, r#""timing": { "gone_after": "30s" }"#));
    let end = waiter(baked.view(), SimTime::ZERO).end;
    assert_eq!(end, Some(WaiterEnd::Stable { at: SimTime(390 * S), revision: 8 }));
}

#[test]
fn a_rollback_in_the_words_of_the_bus() {
    let resolved = service(3, BREAKER, r#""new": { "fate": "never_running" }"#);
    let run = run(&resolved);
    let told: Vec<(u64, String)> = bus::events(run.view())
        .iter()
        .filter_map(|event| match &event.kind {
            BusEventKind::Deployment { reason, .. } => Some((event.at.ms() / S, reason.clone())),
            BusEventKind::Action(..) | BusEventKind::Hook { .. } => None,
        })
        .collect();
    let wanted = [
        (0, "ECS deployment ecs-svc/2 in progress."),
        (15, "ECS deployment circuit breaker: task failed to start."),
        (15, "ECS deployment circuit breaker: rolling back to deploymentId ecs-svc/1."),
        (15, "ECS deployment ecs-svc/1 completed."),
    ];
    assert_eq!(told, wanted.map(|(at, text)| (at, text.to_string())));
    let events = bus::events(run.view());
    assert_eq!(bus::failed_rule(&events), Some((SimTime(15 * S), 1)));
    let failed =
        events.iter().find(|event| matches!(event.kind, BusEventKind::Deployment { state: RolloutState::Failed, .. }));
    let failed = bus::to_json(failed.expect("it fails"), &Names { service: "shop", ..Names::default() });
    let field = |pointer: &str| failed.pointer(pointer).cloned();
    assert_eq!(field("/detail-type"), Some("ECS Deployment State Change".into()));
    assert_eq!(field("/detail/eventName"), Some("SERVICE_DEPLOYMENT_FAILED".into()));
    assert_eq!(field("/detail/eventType"), Some("ERROR".into()));
    assert_eq!(field("/detail/deploymentId"), Some("ecs-svc/2".into()));
    assert_eq!(field("/detail/updatedAt"), Some(15.into()));
    assert_eq!(field("/resources/0"), Some("arn:aws:ecs:us-east-1:111122223333:service/cluster/shop".into()));
}

#[test]
fn nothing_on_the_bus_marks_an_early_success() {
    let early = r#""minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 50, "sourceServiceRevisionCleanup": "DEFERRED" }"#;
    let names = |deployment: &str| -> Vec<String> {
        let run = run(&service(4, deployment, r#""timing": { "gone_after": "5m" }"#));
        let kinds = bus::events(run.view()).into_iter().filter_map(|event| match event.kind {
            BusEventKind::Deployment { reason, .. } => Some(reason),
            BusEventKind::Action(..) | BusEventKind::Hook { .. } => None,
        });
        kinds.collect()
    };
    assert_eq!(names(early), names(r#""minimumHealthyPercent": 50"#));
    assert_eq!(names(early).len(), 2);
}

#[test]
fn failed_and_rolling_back_come_before_what_follows_from_them() {
    let half = format!(r#"{BREAKER}, "minimumHealthyPercent": 50, "maximumPercent": 100"#);
    let rest = r#""timing": { "gone_after": "60s" }, "new": { "fate": "never_running" }"#;
    let run = run(&service(4, &half, rest));
    let at_trip: Vec<ServiceEventKind> = service_events(run.view())
        .into_iter()
        .filter(|event| event.at == SimTime(90 * S))
        .map(|event| event.kind)
        .collect();
    assert!(matches!(at_trip[0], ServiceEventKind::Failed { by: FailedBy::Breaker, .. }), "{at_trip:?}");
    assert!(matches!(at_trip[1], ServiceEventKind::RollingBack(_)), "{at_trip:?}");
    assert!(matches!(at_trip[2], ServiceEventKind::Started { .. }), "{at_trip:?}");
}

/// One answer of the API at a moment.
fn api(resolved: &Resolved, seconds: u64) -> Value {
    json_failures::api_at(&resolved.settings, SimTime(seconds * S), Names::default(), &|event| {
        format!("{:?}", event.kind)
    })
}

#[test]
fn what_the_api_answers_during_a_rollback() {
    // Two new tasks replace two old ones, then the third failure trips: at 100 s both revisions are there.
    let half = format!(r#"{BREAKER}, "minimumHealthyPercent": 50, "maximumPercent": 100"#);
    let rest =
        r#""timing": { "gone_after": "60s" }, "new": { "fate": "never_running", "by_start": { "1": "healthy" } }"#;
    let resolved = service(4, &half, rest);
    let answer = api(&resolved, 125);
    let at = |pointer: &str| answer.pointer(pointer).cloned().unwrap_or_default();
    let services = |field: &str| at(&format!("/DescribeServices/services/0{field}"));
    // 8·1 is RUNNING at 75 s; 8·2, 8·3, 8·4 fail at 75, 90, 105 s: the third one trips.
    assert_eq!(services("/deployments/0/id"), "ecs-svc/1".into());
    assert_eq!(services("/deployments/0/status"), "PRIMARY".into());
    assert_eq!(services("/deployments/0/rolloutState"), "IN_PROGRESS".into());
    let rolling = "ECS deployment circuit breaker: rolling back to deploymentId ecs-svc/1.";
    assert_eq!(services("/deployments/0/rolloutStateReason"), rolling.into());
    assert_eq!(services("/deployments/1/id"), "ecs-svc/2".into());
    assert_eq!(services("/deployments/1/status"), "ACTIVE".into());
    assert_eq!(services("/deployments/1/rolloutState"), "FAILED".into());
    let failed = "ECS deployment circuit breaker: tasks failed to start.";
    assert_eq!(services("/deployments/1/rolloutStateReason"), failed.into());
    let one = |field: &str| at(&format!("/DescribeServiceDeployments/serviceDeployments/0{field}"));
    assert_eq!(one("/status"), "ROLLBACK_IN_PROGRESS".into());
    assert_eq!(one("/deploymentCircuitBreaker/status"), "TRIGGERED".into());
    assert_eq!(one("/deploymentCircuitBreaker/failureCount"), 3.into());
    let revision = "arn:aws:ecs:us-east-1:111122223333:service-revision/cluster/web/7";
    assert_eq!(one("/rollback/serviceRevisionArn"), revision.into());
    assert_eq!(one("/finishedAt"), Value::Null, "left out");
    assert!(!answer.to_string().contains("null"), "what is absent is left out");
}

#[test]
fn success_freezes_one_answer() {
    let early = r#""minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 50, "sourceServiceRevisionCleanup": "DEFERRED" }"#;
    // 8·3 and 8·4 fail at 5 minutes and are started again; two healthy ones are enough at 55 s.
    let late = r#"{ "never_running": { "after": "5m" } }"#;
    let resolved = service(
        4,
        early,
        &format!(r#""new": {{ "by_start": {{ "3": {late}, "4": {late} }} }}, "timing": {{ "gone_after": "30s" }}"#),
    );
    let frozen = |seconds: u64| {
        let answer = api(&resolved, seconds);
        let of = |pointer: &str| answer.pointer(pointer).and_then(Value::as_u64);
        let snapshot = of("/DescribeServiceDeployments/serviceDeployments/0/targetServiceRevision/runningTaskCount");
        (snapshot, of("/DescribeServices/services/0/runningCount"))
    };
    assert_eq!(frozen(54), (Some(2), Some(4)), "live: two old ones still run");
    assert_eq!(frozen(56), (Some(2), Some(2)));
    assert_eq!(frozen(400), (Some(2), Some(4)));
    let listed = api(&resolved, 60);
    let status = listed.pointer("/ListServiceDeployments/serviceDeployments/0/status").cloned();
    assert_eq!(status, Some("SUCCESSFUL".into()));
}

#[test]
fn the_colour_of_a_pipeline_and_the_truth() {
    // Tripped at 15 s and back at once: the waiter is green for the old revision.
    let back = run(&service(3, BREAKER, r#""new": { "fate": "never_running" }"#));
    assert_eq!(
        said(&back),
        [
            (Trusts::Waiter, Colour::Green, Some(15), Some(7)),
            (Trusts::RolloutState, Colour::Green, Some(15), Some(7)),
            (Trusts::FailedEvent, Colour::Red, Some(15), None),
            (Trusts::CloudFormation, Colour::Red, Some(15), None),
            (Trusts::ServiceStatus, Colour::Red, Some(15), None),
            // The rollback is COMPLETED at 15 s; five minutes later nothing is missing.
            (Trusts::OwnAlarms, Colour::Green, Some(315), Some(7)),
        ]
    );
    // The first deployment ever fails and stays: the waiter gives up.
    let first = run(&service(2, BREAKER, r#""new": { "fate": "never_running" }, "start": { "deployments": [] }"#));
    assert_eq!(
        said(&first),
        [
            (Trusts::Waiter, Colour::Red, Some(585), None),
            (Trusts::RolloutState, Colour::Red, Some(30), None),
            (Trusts::FailedEvent, Colour::Red, Some(30), None),
            (Trusts::CloudFormation, Colour::Red, Some(30), None),
            (Trusts::ServiceStatus, Colour::Red, Some(30), None),
            // Two starts, and two more: three were replaced at 30 s.
            (Trusts::OwnAlarms, Colour::Waiting, None, None),
        ]
    );
    // No breaker: only CloudFormation ever says a word, after three hours.
    let never = run(&service(2, "", r#""new": { "fate": "never_running" }"#));
    assert_eq!(
        said(&never),
        [
            (Trusts::Waiter, Colour::Red, Some(585), None),
            (Trusts::RolloutState, Colour::Waiting, None, None),
            (Trusts::FailedEvent, Colour::Waiting, None, None),
            (Trusts::CloudFormation, Colour::Red, Some(10_800), None),
            (Trusts::ServiceStatus, Colour::Waiting, None, None),
            (Trusts::OwnAlarms, Colour::Red, Some(30), None),
        ]
    );
    let newest = never.end.frame().service_deployments.last().cloned().expect("one");
    let early = signals(never.view(), &newest, SimTime(600 * S));
    assert_eq!(early.iter().map(|signal| signal.colour).collect::<Vec<_>>()[3], Colour::Waiting, "not yet known");
    let waiter = &signals(back.view(), back.end.frame().service_deployments.last().expect("one"), back.end.now())[0];
    assert_eq!(waiter.misleads, Some(Misleads::OtherRevision(7)));
}

#[test]
fn a_pipeline_hears_nothing_of_the_deployment_before() {
    // r8 fails at 15 s and is not rolled back; r9 begins at that very instant and does well.
    let breaker = r#""deploymentCircuitBreaker": { "enable": true, "rollback": false }"#;
    let run = run(&service(
        3,
        breaker,
        r#""new": { "fate": "never_running" }, "acts": [ { "at": "15s", "do": "deploy", "revision": 9 } ]"#,
    ));
    let state = |event: &BusEvent| event.at == SimTime(15 * S) && matches!(event.kind, BusEventKind::Deployment { .. });
    let failed = bus::events(run.view()).iter().filter(|event| state(event)).count();
    assert_eq!(failed, 2, "FAILED of one, IN_PROGRESS of the other");
    let said: Vec<_> = said(&run).into_iter().map(|(_, colour, _, revision)| (colour, revision)).collect();
    assert_eq!(said, [(Colour::Green, Some(9)); Trusts::ALL.len()]);
    let frame = run.end.frame();
    let told = |k: usize| tail(run.view(), &frame.service_deployments[k]).expect("a rollout").lines;
    let failures = |k: usize| told(k).iter().filter(|(_, line)| matches!(line, TailLine::Failed(_))).count();
    assert_eq!((failures(0), failures(1)), (1, 0));
}

#[test]
fn the_list_may_be_filtered_by_status() {
    let resolved = service(2, "", r#""acts": [ { "at": "10s", "do": "deploy", "revision": 9 } ]"#);
    let run = run(&resolved);
    let frame = run.end.frame();
    let asked = Asked {
        ledger: &Ledger::at(&resolved.settings, run.view().records, frame.at),
        settings: &resolved.settings,
        services: &frame.service_deployments,
        frozen: &frozen(run.view()),
        names: Names::default(),
        frame: &frame,
    };
    let targets = |only: &[ServiceStatus]| {
        let list = asked.list(only).get("serviceDeployments").and_then(Value::as_array).unwrap_or_default().to_vec();
        let of = |row: &Value| {
            let arn = row.get("targetServiceRevisionArn").and_then(Value::as_str).expect("a target").to_string();
            arn.rsplit('/').next().map(str::to_string)
        };
        list.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(targets(&[]), ["9", "8"], "newest first");
    assert_eq!(targets(&[ServiceStatus::Successful]), ["9"]);
    assert_eq!(targets(&[ServiceStatus::Stopped]), ["8"]);
    assert!(targets(&[ServiceStatus::InProgress, ServiceStatus::RollbackFailed]).is_empty());
}

#[test]
fn percentages_are_live_until_the_end_and_then_a_snapshot() {
    // Two tasks are exchanged at 100/200; the percentages change while it goes on, and again after its end.
    let acts = r#""acts": [ { "at": "10s", "do": "percent", "maximumPercent": 150 },
        { "at": "20m", "do": "percent", "minimumHealthyPercent": 50, "maximumPercent": 300 } ]"#;
    let settings = service(2, "", acts).settings;
    let at = |seconds: u64| api_at(&settings, SimTime(seconds * S), Names::default(), &|_| String::new());
    let (of_service, of_deployment) =
        ("/DescribeServices/services/0", "/DescribeServiceDeployments/serviceDeployments/0");
    let percentages = |value: &Value, of: &str| {
        let field = |name: &str| value.pointer(&format!("{of}/deploymentConfiguration/{name}")).and_then(Value::as_u64);
        (field("minimumHealthyPercent"), field("maximumPercent"))
    };
    let table = [
        (5, (Some(100), Some(200)), (Some(100), Some(200))),
        (15, (Some(100), Some(150)), (Some(100), Some(150))),
        (1500, (Some(50), Some(300)), (Some(100), Some(150))),
    ];
    for (seconds, live, shown) in table {
        let answers = at(seconds);
        assert_eq!(percentages(&answers, of_service), live, "DescribeServices at {seconds} s");
        assert_eq!(percentages(&answers, of_deployment), shown, "DescribeServiceDeployments at {seconds} s");
    }
}

#[test]
fn a_daemon_is_answered_as_one() {
    let daemon = r#"{ "service": { "schedulingStrategy": "DAEMON" }, "capacity": { "instances": [{ "count": 4 }] },
        "acts": [ { "at": "20m", "do": "drain_instance", "instance": 1 } ] }"#;
    let settings = resolve(daemon).settings;
    let at = |seconds: u64| api_at(&settings, SimTime(seconds * S), Names::default(), &|_| String::new());
    for (seconds, desired) in [(0, 4), (1500, 3)] {
        let answers = at(seconds);
        let found = |field: &str| answers.pointer(&format!("/DescribeServices/services/0/{field}")).cloned();
        assert_eq!(found("schedulingStrategy"), Some("DAEMON".into()));
        assert_eq!(found("desiredCount"), Some(desired.into()), "one an ACTIVE instance at {seconds} s");
        assert_eq!(found("deploymentConfiguration/minimumHealthyPercent"), Some(0.into()));
        assert_eq!(found("deploymentConfiguration/maximumPercent"), Some(100.into()));
    }
    let replica =
        api_at(&service(1, "", r#""until": "1m""#).settings, SimTime::ZERO, Names::default(), &|_| String::new());
    assert_eq!(replica.pointer("/DescribeServices/services/0/schedulingStrategy"), Some(&"REPLICA".into()));
}

#[test]
fn stopped_tasks_vanish_after_an_hour() {
    let run = run(&service(
        2,
        "",
        r#""new": { "by_start": { "1": { "exits_after": "5s" }, "2": "never_running" } }, "timing": { "exit_after_sigterm": "never" }"#,
    ));
    let stopped = stopped_tasks(run.view());
    let of = |name: &str| *stopped.iter().find(|task| rollscope_insight::names::task(task.task) == name).expect(name);
    let (exit, start, old) = (of("8·1"), of("8·2"), of("7·1"));
    assert_eq!((exit.reason().as_str(), exit.exit_code()), ("Essential container in task exited", Some(1)));
    assert_eq!((start.reason().as_str(), start.exit_code()), ("Task failed to start", None));
    assert_eq!(old.exit_code(), Some(137), "killed after the stop timeout");
    assert_eq!(old.reason(), "Scaling activity initiated by (deployment ecs-svc/1)");
    assert!(exit.visible_at(SimTime(20 * S + HOUR - 1)) && !exit.visible_at(SimTime(20 * S + HOUR)));
    assert!(!exit.visible_at(SimTime(19 * S)), "it still ran");
    let event = exit.event(&Names::default());
    assert_eq!(event.pointer("/detail/stopCode"), Some(&"EssentialContainerExited".into()));
    assert_eq!(event.pointer("/detail/containers/0/exitCode"), Some(&1.into()));
    assert_eq!(start.event(&Names::default()).pointer("/detail/containers/0/exitCode"), None);
}

#[test]
fn a_stop_for_failed_checks_says_which_check() {
    let check = r#""containers": [ { "healthCheck": { "command": [ "CMD", "true" ], "interval": 10 } } ]"#;
    for (with, says) in [
        (r#""targetGroups": [ {} ]"#, "Task failed ELB health checks in (target-group)"),
        (check, "Task failed container health checks"),
    ] {
        let run = run(&service(2, "", &format!(r#""new": {{ "fate": "never_passes" }}, {with}, "until": "5m""#)));
        let stopped = stopped_tasks(run.view());
        let first = stopped.first().expect("it fails its checks");
        let event = first.event(&Names::default());
        assert_eq!(event.pointer("/detail/stoppedReason"), Some(&says.into()));
        assert_eq!(event.pointer("/detail/stopCode"), Some(&"ServiceSchedulerInitiated".into()));
    }
}

/// With both kinds of checks the one that fails first is named, by the service event and by the stop event.
#[test]
fn of_two_checks_the_one_that_fails_is_named() {
    let both = |container: u32, group: u32| {
        format!(
            r#""containers": [ {{ "healthCheck": {{ "command": [ "CMD", "true" ], "interval": {container} }} }} ],
                "targetGroups": [ {{ "healthCheckIntervalSeconds": {group} }} ],
                "new": {{ "fate": "never_passes" }}, "until": "20m" "#
        )
    };
    for (container, group, check, says) in [
        (5, 120, FailedCheck::Container, "Task failed container health checks"),
        (120, 5, FailedCheck::Target, "Task failed ELB health checks in (target-group)"),
    ] {
        let run = run(&service(2, "", &both(container, group)));
        let events = service_events(run.view());
        let named: Vec<_> = events
            .iter()
            .filter_map(|event| match event.kind {
                ServiceEventKind::Unhealthy { check, .. } => Some(check),
                _ => None,
            })
            .collect();
        assert!(!named.is_empty() && named.iter().all(|named| *named == check), "{container} {group}: {named:?}");
        let first = stopped_tasks(run.view()).first().copied().expect("it fails its checks");
        assert_eq!(first.reason(), says, "{container} {group}");
    }
}

/// The form of "was unable to place a task" follows the launch type; on instances the closest one and what it lacks
/// are named.
#[test]
fn no_place_is_told_in_the_form_of_the_launch_type() {
    let told = |launch: &str, capacity: &str| {
        let more = r#""quotas": "none", "until": "5m""#;
        let text = format!(r#"{{"service": {{"desiredCount": 2, "launchType": "{launch}"}}, {capacity}, {more}}}"#);
        let run = run_to_end(resolve(&text).settings);
        let kinds = service_events(run.view()).into_iter().filter_map(|event| match event.kind {
            ServiceEventKind::CannotPlace(why) => Some(why),
            _ => None,
        });
        let kinds: Vec<_> = kinds.collect();
        let frame = run.end.frame();
        let lines = tail(run.view(), &frame.service_deployments[0]).expect("a rollout").lines;
        // Whoever reads along in the deploy tail reads as many lines.
        assert_eq!(
            lines.iter().filter(|(_, line)| *line == TailLine::NoPlace).count(),
            kinds.len(),
            "{launch} {capacity}"
        );
        kinds.first().copied()
    };
    let places = r#""places": [ { "at": "0s", "places": 2 } ]"#;
    assert_eq!(told("FARGATE", places), Some(NoPlace::Fargate));
    assert_eq!(told("EC2", places), Some(NoPlace::Instances(None)));
    let outage = r#""capacity": { "unavailable": [ {} ] }"#;
    assert_eq!(told("FARGATE", outage), Some(NoPlace::Fargate));
    let instances = |memory: u32| {
        format!(
            r#""capacity": {{ "instances": [ {{ "count": 2, "cpu": 2048, "memory": {memory} }} ],
                "task": {{ "cpu": 1024, "memory": 1024 }} }}"#
        )
    };
    // One old task on each: 1,024 CPU units are left, and 476 MiB.
    assert_eq!(told("EC2", &instances(1_500)), Some(NoPlace::Instances(Some((1, Resource::Memory)))));
}

/// The bus carries an event of each task for each status; they are counted.
#[test]
fn events_of_tasks_are_counted() {
    // Two old ones were RUNNING before; two new ones start and the old ones stop.
    let plain = run_to_end(crate::service(2, 100, 200, "").settings);
    let found = bus::task_events(plain.view());
    assert_eq!((found.running, found.stopped), (2, 2));
    assert_eq!(stopped_tasks(plain.view()).len(), 2);
}

/// A count that the scheduler computes by itself, that of a DAEMON service, is a service action when it changes; one
/// that somebody asks for, or target tracking does, is none.
#[test]
fn a_desired_count_is_a_service_action_when_the_scheduler_computes_it() {
    let of = |text: &str| {
        let run = run_to_end(resolve(text).settings);
        let wanted = BusEventKind::Action("SERVICE_DESIRED_COUNT_UPDATED", "INFO");
        let found = bus::events(run.view()).into_iter().filter(|event| event.kind == wanted);
        (found.map(|event| event.at.ms() / S).collect::<Vec<_>>(), run.end.frame().counts.limits.desired)
    };
    let asked = r#"{"service": {"desiredCount": 2}, "quotas": "none",
        "acts": [ { "at": "1m", "do": "desired", "count": 3 }, { "at": "2m", "do": "desired", "count": 1 } ]}"#;
    assert_eq!(of(asked), (vec![], 1));
    // Three instances; one is drained and taken away later, which changes nothing any more; two more come.
    let daemon = r#"{"service": {"schedulingStrategy": "DAEMON"}, "quotas": "none",
        "capacity": {"instances": [ {"count": 3, "cpu": 2048, "memory": 2048} ], "task": {"cpu": 256, "memory": 256}},
        "acts": [ { "at": "1m", "do": "drain_instance", "instance": 1 }, { "at": "5m", "do": "lose_instance", "instance": 1 },
            { "at": "10m", "do": "add_instance", "count": 2, "instance": 2 } ]}"#;
    assert_eq!(of(daemon), (vec![60, 600], 4));
}

#[test]
fn the_first_deployment_comes_with_the_service() {
    let of = |more: &str| calls(run(&service(1, "", more)).view()).first().map(|call| call.name);
    // A stack creates it as well; what is deployed later is an update.
    let later = r#""start": { "deployments": [] }, "acts": [ { "at": "5m", "do": "deploy", "revision": 9 } ]"#;
    let run = run(&service(1, "", later));
    let frame = run.end.frame();
    let creates = |k: usize| {
        let signals = signals(run.view(), &frame.service_deployments[k], known_until(run.view()));
        signals.iter().all(|signal| signal.creates)
    };
    assert_eq!((creates(0), creates(1)), (true, false));
    assert_eq!(of(r#""start": { "deployments": [] }"#), Some("CreateService"));
    assert_eq!(of(r#""seed": 1"#), Some("UpdateService"));
}

/// Every change of the desired count is a call, but for those that the scheduler computes.
#[test]
fn target_tracking_calls_the_api() {
    let text = r#"{"service": {"desiredCount": 2}, "start": {"deploy": false}, "targetGroups": [{}], "quotas": "none",
        "traffic": {"requests_per_second": 100}, "until": "20m",
        "autoscaling": {"minCapacity": 2, "maxCapacity": 8, "targetValue": 1000}}"#;
    let run = run_to_end(resolve(text).settings);
    let scaled = run.trace.records.iter().filter(|record| matches!(record.what, What::Scaled { .. }));
    let scaled: Vec<_> = scaled.map(|record| (record.at, "UpdateService")).collect();
    assert!(!scaled.is_empty());
    assert_eq!(calls(run.view()).iter().map(|call| (call.at, call.name)).collect::<Vec<_>>(), scaled);
}

#[test]
fn the_trail_holds_calls_and_refusals() {
    let resolved = service(
        1,
        "",
        r#""acts": [ { "at": "1s", "do": "protect", "task": "7.1" }, { "at": "2s", "do": "kill", "task": "7.1" },
            { "at": "3s", "do": "desired", "count": 2 }, { "at": "30m", "do": "stop_deployment" } ]"#,
    );
    let call = |seconds: u64, name, error| Call { at: SimTime(seconds * S), name, error };
    assert_eq!(
        calls(run(&resolved).view()),
        [
            call(0, "UpdateService", None),
            call(1, "UpdateTaskProtection", None),
            call(3, "UpdateService", None),
            call(1800, "StopServiceDeployment", Some("ConflictException")),
        ]
    );
}

#[test]
fn the_tail_of_a_deploy_shows_what_cloudformation_does_not() {
    // A worker that lives for a minute: SUCCESSFUL, and already crash-looping when the tool is done.
    let worker = run(&service(
        2,
        BREAKER,
        r#""new": { "fate": { "exits_after": "60s" } }, "timing": { "gone_after": "45s" }, "until": "1h""#,
    ));
    let newest = worker.end.frame().service_deployments.last().cloned().expect("one");
    let tail = tail(worker.view(), &newest).expect("a tail");
    // Counted from 40 s after RUNNING: 55 s; the old ones are gone at 100 s; the new ones exit at 75 s.
    assert_eq!((tail.verdict.colour, newest.failed_by), (Colour::Green, None));
    let stops = tail.lines.iter().filter(|(_, line)| matches!(line, TailLine::Stopped(_)));
    assert_eq!(stops.map(|(at, _)| at.ms() / S).take(2).collect::<Vec<_>>(), [75, 75]);
    let tripped = run(&service(3, BREAKER, r#""new": { "fate": "never_running" }"#));
    let newest = tripped.end.frame().service_deployments.last().cloned().expect("one");
    let lines = rollscope_insight::outside::tail(tripped.view(), &newest).expect("a tail").lines;
    let kinds = lines.iter().filter(|(_, line)| !matches!(line, TailLine::Stopped(_))).map(|(_, line)| *line);
    let id = |n| rollscope_engine::trace::DeploymentId(n);
    assert_eq!(kinds.collect::<Vec<_>>(), [TailLine::Failed(id(1)), TailLine::RollsBack(id(0))]);
}

#[test]
fn cloudformation_waits_longer_where_traffic_is_shifted() {
    // Nine steps of half an hour: done after more than the three hours of a rolling update.
    let shift = r#""strategy": "LINEAR", "linearConfiguration": { "stepPercent": 10, "stepBakeTimeInMinutes": 30 }"#;
    let linear = run(&service(4, shift, r#""targetGroups": [ {} ]"#));
    let newest = linear.end.frame().service_deployments.last().cloned().expect("one");
    let finished = newest.finished.expect("it gets done");
    assert!(finished > SimTime(4 * HOUR), "{finished:?}");
    let said = signals(linear.view(), &newest, linear.end.now());
    let stack = said.iter().find(|signal| signal.trusts == Trusts::CloudFormation).expect("its light");
    assert_eq!((stack.colour, stack.at), (Colour::Green, Some(finished)));
}

#[test]
fn a_failed_check_is_in_the_tail_as_in_the_service_events() {
    // Ten that never pass, started over two minutes: those whose drain is short are gone before the fifth one trips.
    let rest = r#""targetGroups": [ { "deregistration_delay.timeout_seconds": 0 } ], "new": { "fate": "never_passes" },
        "timing": { "pull": { "uniform": ["1s", "120s"] }, "exit_after_sigterm": "1s" }"#;
    let checked = run(&service(10, BREAKER, rest));
    let newest = checked.end.frame().service_deployments.last().cloned().expect("one");
    let tail = tail(checked.view(), &newest).expect("a tail");
    let reasons: Vec<String> = tail
        .lines
        .iter()
        .filter_map(|(_, line)| match line {
            TailLine::Stopped(task) => Some(task.reason()),
            _ => None,
        })
        .collect();
    assert!(
        !reasons.is_empty() && reasons.iter().all(|text| text.starts_with("Task failed ELB health checks")),
        "{reasons:?}"
    );
}

#[test]
fn alarms_one_has_to_build() {
    let early = r#""minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 50, "sourceServiceRevisionCleanup": "DEFERRED" }"#;
    let late = r#"{ "never_running": { "after": "5m" } }"#;
    let rest = format!(
        r#""new": {{ "by_start": {{ "3": {late}, "4": {late} }} }}, "acts": [ {{ "at": "0s", "do": "protect", "task": "7.4", "renewed": true }} ]"#
    );
    let run = run(&service(4, early, &rest));
    let at_four_minutes = gauges(run.view(), SimTime(4 * MINUTE));
    assert_eq!((at_four_minutes.target_missing, at_four_minutes.target_replacements), (2, 0));
    let later = gauges(run.view(), SimTime(10 * MINUTE));
    assert_eq!((later.target_missing, later.target_replacements), (0, 2));
    assert_eq!(gauges(run.view(), SimTime(15 * DAY)).oldest_source_ms, Some(15 * DAY), "left for good");
}

#[test]
fn the_alarms_of_ones_own_by_hand() {
    // 4 tasks, two of them enough: SUCCESSFUL when those are healthy. r8's third and fourth task never run, and the
    // old ones are protected for ever.
    let early = r#""minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 50, "sourceServiceRevisionCleanup": "DEFERRED" }"#;
    let rest = r#""new": { "by_start": { "3": { "never_running": { "after": "20m" } }, "4": { "never_running": { "after": "20m" } } } },
        "acts": [ { "at": "0s", "do": "protect", "task": "7.4", "renewed": true } ]"#;
    let run = run(&service(4, early, rest));
    let success = run.end.service_deployments()[0].finished.expect("it succeeds").ms();
    let states = |ms: u64| own_alarms(run.view(), SimTime(ms)).map(|own| own.state);
    let (none, ok, alarm) = (AlarmState::InsufficientData, AlarmState::Ok, AlarmState::Alarm);
    assert_eq!(states(success - 1), [none, ok, none]);
    assert_eq!(states(success), [none, ok, ok]);
    assert_eq!(states(success + 5 * MINUTE), [alarm, ok, ok], "two are missing since 0");
    // Two were given up after 20 minutes and made good once, so three replacements never come together.
    assert_eq!(states(30 * MINUTE), [ok, ok, ok]);
    assert_eq!(states(success + HOUR), [ok, ok, alarm], "7.4 is left");
    let [missing, _, old] = own_alarms(run.view(), SimTime(2 * HOUR));
    assert_eq!((missing.first, old.first), (Some(SimTime(success + 5 * MINUTE)), Some(SimTime(success + HOUR))));
    assert_eq!((old.state, old.since), (alarm, SimTime(success + HOUR)));
}

#[test]
fn starts_and_stops_are_service_actions_of_their_own() {
    let run = run(&service(3, BREAKER, r#""new": { "fate": "never_running" }"#));
    let told: Vec<(u64, &str)> = bus::events(run.view())
        .iter()
        .filter_map(|event| match &event.kind {
            BusEventKind::Action(name, kind) => Some((event.at.ms() / S, (*name, *kind))),
            BusEventKind::Deployment { .. } | BusEventKind::Hook { .. } => None,
        })
        .filter(|(_, (_, kind))| *kind == "INFO")
        .map(|(at, (name, _))| (at, name))
        .collect();
    // Three tasks start at once and fail together; nobody picks one to stop.
    assert_eq!(told.first(), Some(&(0, "TASKS_STARTED")));
    assert!(told.contains(&(15, "SERVICE_STEADY_STATE")), "{told:?}");
    let plain = run_to_end(crate::service(2, 100, 200, "").settings);
    let names: Vec<_> = bus::events(plain.view()).into_iter().map(|event| event.kind).collect();
    let at = |name| names.iter().position(|kind| *kind == BusEventKind::Action(name, "INFO"));
    assert!(at("TASKS_STARTED") < at("TASKS_STOPPED") && at("TASKS_STARTED").is_some(), "{names:?}");
}

#[test]
fn only_what_was_unhealthy_is_replaced_for_an_unhealthy_status() {
    let replacing = |more: &str| -> u32 {
        let run = run_to_end(crate::service(2, 100, 200, more).settings);
        let of = |kind: &ServiceEventKind| match kind {
            ServiceEventKind::Started { replacing, .. } => *replacing,
            _ => 0,
        };
        service_events(run.view()).iter().map(|event| of(&event.kind)).sum()
    };
    let group = r#""targetGroups": [{"healthCheckIntervalSeconds": 10}], "until": "5m""#;
    assert_eq!(replacing(&format!(r#"{group}, "new": {{"fate": {{"exits_after": "5s"}}}}"#)), 0);
    assert_eq!(replacing(&format!(r#"{group}, "new": {{"fate": "never_running"}}"#)), 0);
    let ill = format!(r#"{group}, "new": {{"fate": "never_passes"}}"#);
    assert!(replacing(&ill) > 2, "{}", replacing(&ill));
}

#[test]
fn a_rebalancing_of_zones_on_the_bus() {
    let actions = |text: &str| {
        let run = run_to_end(resolve(text).settings);
        let named = |event: bus::BusEvent| match event.kind {
            bus::BusEventKind::Action(name, _) if name.starts_with("SERVICE_REBALANCING") => {
                Some((event.at.ms(), name))
            }
            _ => None,
        };
        bus::events(run.view()).into_iter().filter_map(named).collect::<Vec<_>>()
    };
    let rebalance = rollscope_scenario::Preset::find("rebalance").expect("a preset").document;
    let (started, completed) = ("SERVICE_REBALANCING_STARTED", "SERVICE_REBALANCING_COMPLETED");
    // Two moves, one rebalancing: from the first start to the last stop.
    assert_eq!(actions(rebalance), [(300_000, started), (414_000, completed)]);
    // A deployment in the middle of the first move ends it.
    let interrupted =
        rebalance.replace(r#""instance":2}]}"#, r#""instance":2},{"at":"5m10s","do":"deploy","revision":8}]}"#);
    assert_ne!(interrupted, rebalance, "the act was added");
    let found = actions(&interrupted);
    assert_eq!(found[..2], [(300_000, started), (310_000, "SERVICE_REBALANCING_STOPPED")]);
    // Switched off, three tasks and none stay as they are.
    assert_eq!(actions(&rebalance.replace("ENABLED", "DISABLED")), []);
}

//! From the document to settings: what is filled in, what is refused, and what the start state means.

use rollscope_engine::settings::{Command, NEVER_MS, Quotas, RolloutState, TaskName};
use rollscope_engine::time::SimTime;
use rollscope_scenario::document::{Act, DeploymentConfiguration, Field, Reader};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::limits::{Limits, Threshold, threshold, threshold_of};
use rollscope_scenario::{Document, Kind, Problem, Resolved};

/// Four tasks and whatever else is given.
fn document(rest: &str) -> Document {
    let comma = if rest.is_empty() { "" } else { "," };
    let text = if rest.contains("\"service\"") {
        format!("{{ {rest} }}")
    } else {
        format!(r#"{{ "service": {{ "desiredCount": 4 }} {comma} {rest} }}"#)
    };
    let reading = Document::from_text(&text);
    assert!(reading.problems.iter().all(|p| !p.is_error()), "{text}: {:?}", reading.problems);
    reading.document
}

fn accepted(rest: &str) -> Resolved {
    document(rest).resolve().unwrap_or_else(|problems| panic!("{rest}: {problems:?}"))
}

/// The problem at a field.
fn refused(rest: &str, field: &str) -> Problem {
    let problems = document(rest).resolve().expect_err(rest);
    let found = problems.iter().find(|p| p.field == field && p.is_error());
    found.unwrap_or_else(|| panic!("{rest}: nothing at {field} in {problems:#?}")).clone()
}

#[test]
fn defaults_are_filled_in_and_listed() {
    let resolved = accepted(r#""targetGroups": [ {} ], "containers": [ { "healthCheck": {} } ]"#);
    let settings = &resolved.settings;
    let params = settings.platform.ecs();
    assert_eq!((params.minimum_healthy_percent, params.maximum_percent, params.grace_ms), (100, 200, 0));
    assert_eq!(resolved.limits, Limits { desired: 4, floor: 4, ceiling: 8 });
    let group = &settings.target_groups[0];
    assert_eq!((group.interval_ms, group.timeout_ms, group.deregistration_delay_ms), (30_000, 6_000, 300_000));
    assert_eq!((group.healthy_threshold, group.unhealthy_threshold, group.new_target_passes), (5, 2, 1));
    let check = &settings.containers[0];
    assert_eq!((check.interval_ms, check.timeout_ms, check.retries, check.start_period_ms), (30_000, 5_000, 3, 0));
    assert_eq!((settings.stop_timeout_ms, settings.seed, settings.until), (30_000, 1, None));
    assert_eq!(settings.quotas, Quotas::Default { fargate: false });
    let start = &settings.start;
    assert_eq!((start.deploy, start.deployments.len()), (Some(8), 1));
    assert_eq!((start.deployments[0].revision, start.deployments[0].healthy), (7, 4));
    for (field, value) in [
        ("/service/deploymentConfiguration/minimumHealthyPercent", Value::from(100)),
        ("/timing/start_up", "15s".into()),
        ("/targetGroups/0/healthCheckTimeoutSeconds", 6.into()),
        ("/containers/0/stopTimeout", 30.into()),
        ("/new/revision", 8.into()),
    ] {
        let found = resolved.defaulted.iter().find(|d| d.field == field);
        assert_eq!(found.map(|d| &d.value), Some(&value), "{field}");
    }
    assert_eq!(resolved.readings.len(), 14, "every switch is shown");
    assert!(resolved.readings.iter().all(|r| !r.given));
}

#[test]
fn the_timeout_of_a_check_follows_its_protocol() {
    for (group, seconds) in [
        ("{}", 6),
        (r#"{ "protocol": "HTTPS" }"#, 6),
        (r#"{ "healthCheckProtocol": "HTTPS" }"#, 10),
        (r#"{ "protocol": "TCP" }"#, 10),
        (r#"{ "protocol": "TLS" }"#, 10),
        (r#"{ "protocol": "TCP", "healthCheckProtocol": "HTTP" }"#, 6),
        (r#"{ "protocol": "TCP", "healthCheckTimeoutSeconds": 4 }"#, 4),
    ] {
        let resolved = accepted(&format!(r#""targetGroups": [ {group} ]"#));
        assert_eq!(resolved.settings.target_groups[0].timeout_ms, seconds * 1_000, "{group}");
    }
    let threshold = accepted(
        r#""targetGroups": [ { "healthyThresholdCount": 3 } ], "readings": { "new_target_passes": "threshold" }"#,
    );
    assert_eq!(threshold.settings.target_groups[0].new_target_passes, 3);
}

#[test]
fn which_containers_decide() {
    let resolved = accepted(
        r#""containers": [ { "name": "a", "healthCheck": { "interval": 7 }, "stopTimeout": 12 }, { "name": "b" },
             { "name": "c", "essential": false, "healthCheck": {}, "stopTimeout": 90 } ]"#,
    );
    assert_eq!(resolved.settings.containers.len(), 1, "essential with a check");
    assert_eq!(resolved.settings.containers[0].interval_ms, 7_000);
    assert_eq!(resolved.settings.stop_timeout_ms, 90_000, "the slowest container ends the stop");
    assert!(resolved.not_simulated.iter().any(|n| n.field == "/containers/2/healthCheck"));
    let short = accepted(r#""containers": [ { "stopTimeout": 5 } ]"#);
    assert_eq!(short.settings.stop_timeout_ms, 5_000);
    refused(r#""containers": [ { "essential": false } ]"#, "/containers");
    refused(r#""containers": [ { "healthCheck": { "command": [ "curl" ] } } ]"#, "/containers/0/healthCheck/command");
    let fargate =
        r#""service": { "desiredCount": 1, "launchType": "FARGATE" }, "containers": [ { "stopTimeout": 121 } ]"#;
    assert_eq!(refused(fargate, "/containers/0/stopTimeout").nearest, Some(120.into()));
    let many = vec!["{ \"healthCheck\": {} }"; 16].join(",");
    refused(&format!(r#""containers": [ {many} ], "targetGroups": [ {{}} ]"#), "/containers");
}

#[test]
fn one_hundred_and_one_hundred() {
    let full = r#""service": { "desiredCount": 4, "deploymentConfiguration": { "minimumHealthyPercent": 100, "maximumPercent": 100 } }"#;
    let problem = refused(full, "/service/deploymentConfiguration/maximumPercent");
    assert!(problem.service_error.as_deref().is_some_and(|text| text.contains("cannot be 100")));
    assert_eq!(problem.nearest, Some(125.into()), "the least that leaves room for one of four");
    accepted(&format!(r#"{full}, "readings": {{ "allow_100_100": true }}"#));
    // The pair that is in force counts when an act changes one of them.
    let act = r#""acts": [ { "at": "1s", "do": "percent", "maximumPercent": 100 } ]"#;
    assert_eq!(refused(act, "/acts/0/maximumPercent").nearest, Some(125.into()));
    accepted(r#""acts": [ { "at": "1s", "do": "percent", "minimumHealthyPercent": 50, "maximumPercent": 100 } ]"#);
    // In the order of time, not of the list.
    accepted(
        r#""acts": [ { "at": "2s", "do": "percent", "maximumPercent": 100 }, { "at": "1s", "do": "percent", "minimumHealthyPercent": 50 } ]"#,
    );
}

#[test]
fn what_holds_for_the_document_holds_for_an_act() {
    let percent =
        |member: &str, value: u32| format!(r#""acts": [ {{ "at": "1s", "do": "percent", "{member}": {value} }} ]"#);
    let service = |more: &str| format!(r#""service": {{ "desiredCount": 4, {more} }}"#);
    let cluster = r#""capacity": { "instances": [ { "count": 4 } ] }"#;
    let daemon =
        format!(r#""service": {{ "schedulingStrategy": "DAEMON" }}, {cluster}, {}"#, percent("maximumPercent", 200));
    assert_eq!(refused(&daemon, "/acts/0/maximumPercent").nearest, Some(100.into()));
    let even = service(
        r#""availabilityZoneRebalancing": "ENABLED", "deploymentConfiguration": { "minimumHealthyPercent": 50 }"#,
    );
    let full = format!("{even}, {}", percent("maximumPercent", 100));
    assert_eq!(refused(&full, "/acts/0/maximumPercent").nearest, Some(101.into()));
    accepted(&format!("{even}, {}", percent("maximumPercent", 101)));
    let early = service(
        r#""deploymentConfiguration": { "minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 80, "sourceServiceRevisionCleanup": "BLOCKING" } }"#,
    );
    let above = format!("{early}, {}", percent("minimumHealthyPercent", 90));
    assert_eq!(refused(&above, "/acts/0/minimumHealthyPercent").nearest, Some(80.into()));
    accepted(&format!("{early}, {}", percent("minimumHealthyPercent", 80)));
}

#[test]
fn an_act_has_an_object() {
    let go_on = r#""acts": [ { "at": "1s", "do": "continue_deployment" } ]"#;
    let advised = |rest: &str| accepted(rest).warnings.iter().any(|w| w.field == "/acts/0/do");
    assert!(advised(go_on));
    let hook = |kind: &str| {
        format!(
            r#""service": {{ "desiredCount": 4, "deploymentConfiguration": {{ "strategy": "BLUE_GREEN", "bakeTimeInMinutes": 1, "lifecycleHooks": [ {{ {kind} "lifecycleStages": ["POST_SCALE_UP"] }} ] }} }}, {go_on}"#
        )
    };
    assert!(advised(&hook(r#""hookTargetArn": "f","#)));
    assert!(!advised(&hook(r#""targetType": "PAUSE","#)));
    let acts = |acts: &str| format!(r#""capacity": {{ "instances": [ {{ "count": 4 }} ] }}, "acts": [ {acts} ]"#);
    let drain = r#"{ "at": "2m", "do": "drain_instance", "instance": 5 }"#;
    assert_eq!(refused(&acts(drain), "/acts/0/instance").nearest, Some(4.into()));
    accepted(&acts(&format!(r#"{drain}, {{ "at": "1m", "do": "add_instance" }}"#)));
}

#[test]
fn the_suggested_value_is_accepted() {
    for desired in [1, 2, 3, 7, 99, 101] {
        let full = format!(
            r#""service": {{ "desiredCount": {desired}, "deploymentConfiguration": {{ "minimumHealthyPercent": 100, "maximumPercent": 100 }} }}"#
        );
        let problem = refused(&full, "/service/deploymentConfiguration/maximumPercent");
        let (mended, noticed) = document(&full).with(&problem.field, problem.nearest.expect("a suggestion"));
        assert_eq!(noticed, []);
        let limits = mended.resolve().expect("mended").limits;
        assert_eq!(limits.ceiling, desired + 1, "room for one more");
    }
}

#[test]
fn right_but_not_simulated_yet() {
    let rest = r#""service": { "desiredCount": 4, "deploymentController": { "type": "CODE_DEPLOY" } }"#;
    let problems = document(rest).resolve().expect_err(rest);
    assert!(problems.iter().filter(|p| p.is_error()).all(|p| p.kind == Kind::NotAvailable), "{rest}: {problems:?}");
    let found = refused(rest, "/service/deploymentController/type");
    assert_eq!(found.service_error, None, "the service would take it");
    // What the service refuses is refused for that reason too.
    let daemon = r#""service": { "schedulingStrategy": "DAEMON", "launchType": "FARGATE", "deploymentConfiguration": { "maximumPercent": 150 } }"#;
    let problem = refused(daemon, "/service/deploymentConfiguration/maximumPercent");
    assert!(problem.service_error.is_some_and(|text| text.contains("daemon")));
    assert_eq!(refused(daemon, "/service/schedulingStrategy").kind, Kind::Invalid);
}

#[test]
fn desired_count() {
    let missing = refused(r#""service": {}"#, "/service/desiredCount");
    assert_eq!(missing.kind, Kind::Missing);
    let many = refused(r#""service": { "desiredCount": 20001 }"#, "/service/desiredCount");
    assert_eq!((many.nearest, many.service_error), (Some(20_000.into()), None), "the limit is the simulator's");
    let negative = refused(r#""service": { "desiredCount": -1 }"#, "/service/desiredCount");
    assert!(negative.service_error.is_some());
    let warned = |rest: &str| accepted(rest).warnings.iter().any(|w| w.allowed.contains("quota"));
    assert!(warned(r#""service": { "desiredCount": 5001 }"#));
    assert!(!warned(r#""service": { "desiredCount": 5000 }"#));
    assert!(warned(r#""service": { "desiredCount": 1001, "serviceRegistries": [ { "registryArn": "arn:x" } ] }"#));
}

#[test]
fn where_tasks_run() {
    let quotas = |service: &str| accepted(&format!(r#""service": {{ "desiredCount": 1, {service} }}"#)).settings.quotas;
    assert_eq!(quotas(r#""launchType": "FARGATE""#), Quotas::Default { fargate: true });
    assert_eq!(
        quotas(r#""capacityProviderStrategy": [ { "capacityProvider": "FARGATE_SPOT", "weight": 1 } ]"#),
        Quotas::Default { fargate: true }
    );
    assert_eq!(quotas(r#""launchType": "EC2""#), Quotas::Default { fargate: false });
    assert_eq!(accepted(r#""quotas": "none""#).settings.quotas, Quotas::None);
    refused(
        r#""service": { "desiredCount": 1, "launchType": "EC2", "capacityProviderStrategy": [ { "capacityProvider": "x" } ] }"#,
        "/service/capacityProviderStrategy",
    );
    let typo = refused(r#""service": { "desiredCount": 1, "launchType": "FARGTE" }"#, "/service/launchType");
    assert_eq!(typo.nearest, Some("FARGATE".into()));
}

#[test]
fn grace_without_any_check() {
    let service = r#""service": { "desiredCount": 1, "healthCheckGracePeriodSeconds": 60 }"#;
    let field = "/service/healthCheckGracePeriodSeconds";
    assert!(accepted(service).warnings.iter().any(|w| w.field == field));
    let checked = accepted(&format!(r#"{service}, "targetGroups": [ {{}} ]"#));
    assert!(checked.warnings.iter().all(|w| w.field != field));
    let params = checked.settings.platform.ecs().clone();
    assert_eq!(params.grace_ms, 60_000);
}

#[test]
fn a_fate_that_no_check_looks_at() {
    let warned = |rest: &str| -> Vec<String> {
        let warnings = accepted(rest).warnings;
        warnings.into_iter().filter(|w| w.allowed.contains("takes it for healthy")).map(|w| w.field).collect()
    };
    let cases: [(&str, &[&str]); 8] = [
        (r#""new": { "fate": "never_passes" }"#, &["/new/fate"]),
        (
            r#""new": { "fate": "hangs" }, "old": { "fate": { "turns_unhealthy_after": "60s" } }"#,
            &["/new/fate", "/old/fate"],
        ),
        (r#""new": { "fate": { "ratio": { "of": [1, 3], "fate": { "above_running": 2 } } } }"#, &["/new/fate"]),
        (r#""new": { "by_start": { "2": "never_passes" } }"#, &["/new/by_start/2"]),
        (r#""acts": [ { "at": "5s", "do": "fate", "revision": 8, "fate": "hangs" } ]"#, &["/acts/0/fate"]),
        // A start that fails and an exit are seen without a check.
        (r#""new": { "fate": { "exits_after": "30s" }, "by_start": { "1": "never_running" } }"#, &[]),
        (r#""new": { "fate": "never_passes" }, "targetGroups": [ {} ]"#, &[]),
        (r#""new": { "fate": "never_passes" }, "containers": [ { "healthCheck": {} } ]"#, &[]),
    ];
    for (rest, fields) in cases {
        assert_eq!(warned(rest), fields, "{rest}");
    }
}

#[test]
fn a_deployment_in_progress_gives_the_numbers() {
    let start = r#""start": { "deployments": [ { "revision": 57, "healthy": 6 },
        { "revision": 58, "rolloutState": "IN_PROGRESS", "running": 2, "failedTasks": 1 } ] }"#;
    let settings = accepted(start).settings;
    assert_eq!(settings.revisions.iter().map(|r| r.number).collect::<Vec<_>>(), [57, 58]);
    assert_eq!(settings.start.deploy, None, "it goes on as it is");
    let last = settings.start.deployments.last().expect("two");
    assert_eq!((last.state, last.running, last.failed_tasks), (RolloutState::InProgress, 2, 1));
    assert_eq!(refused(&format!(r#"{start}, "new": {{ "revision": 60 }}"#), "/new/revision").nearest, Some(58.into()));
    assert_eq!(refused(&format!(r#"{start}, "old": {{ "revision": 56 }}"#), "/old/revision").nearest, Some(57.into()));
    let again = r#""start": { "deployments": [ { "revision": 9, "healthy": 4 }, { "revision": 9, "rolloutState": "IN_PROGRESS" } ] }"#;
    refused(again, "/new/revision");
}

#[test]
fn other_starts() {
    let steady =
        accepted(r#""start": { "deployments": [ { "revision": 41, "healthy": 4 } ], "deploy": true }"#).settings;
    assert_eq!((steady.revisions[0].number, steady.revisions[1].number, steady.start.deploy), (41, 42, Some(42)));
    let first = accepted(r#""start": { "deployments": [] }"#).settings;
    assert_eq!((first.start.deployments.len(), first.start.deploy), (0, Some(8)), "the first deployment ever");
    let waits = accepted(r#""start": { "deployments": [ { "revision": 7, "healthy": 4 } ] }"#).settings;
    assert_eq!(waits.start.deploy, None);
    let third = accepted(
        r#""start": { "deployments": [ { "revision": 5, "rolloutState": "IN_PROGRESS", "healthy": 1 }, { "revision": 7, "healthy": 3 } ] },
           "acts": [ { "at": "1s", "do": "deploy", "revision": 11 }, { "at": "2s", "do": "deploy", "revision": 8 } ]"#,
    );
    let numbers: Vec<u32> = third.settings.revisions.iter().map(|r| r.number).collect();
    assert_eq!(numbers, [7, 8, 5, 11], "old, new, then the others: the place is the lane of colour");
    refused(r#""start": { "deployments": [], "deploy": false }"#, "/start/deploy");
    refused(r#""start": { "deployments": [ { "healthy": 4 } ] }"#, "/start/deployments/0/revision");
    refused(
        r#""start": { "deployments": [ { "revision": 7, "healthy": 20000, "running": 1 } ] }"#,
        "/start/deployments",
    );
    refused(
        r#""start": { "deployments": [ { "revision": 7, "rolloutState": "DONE" } ] }"#,
        "/start/deployments/0/rolloutState",
    );
    assert_eq!(accepted(r#""new": { "revision": 7 }"#).settings.revisions[0].number, 6, "the old one steps aside");
    refused(r#""new": { "revision": 7 }, "old": { "revision": 7 }"#, "/new/revision");
}

#[test]
fn acts_in_order_of_time() {
    let settings = accepted(
        r#""acts": [ { "at": "9s", "do": "kill", "task": "7·1" }, { "at": "2s", "do": "stop_task", "task": { "revision": 7, "start": 2 } },
           { "at": "9s", "do": "desired", "count": 6 }, { "at": 9000, "do": "fate", "revision": 8, "fate": "hangs", "by_start": { "9": "healthy", "2": "never_running" } } ]"#,
    )
    .settings;
    let times: Vec<u64> = settings.acts.iter().map(|act| act.at.ms()).collect();
    assert_eq!(times, [2_000, 9_000, 9_000, 9_000]);
    assert_eq!(settings.acts[0].command, Command::StopTask(TaskName { revision: 7, start: 2 }));
    assert_eq!(
        settings.acts[1].command,
        Command::Kill(TaskName { revision: 7, start: 1 }),
        "list order at equal times"
    );
    let Command::SetFate { behaviour, .. } = &settings.acts[3].command else { panic!("a fate") };
    assert_eq!(behaviour.by_start.iter().map(|(k, _)| *k).collect::<Vec<_>>(), [2, 9], "ascending");
    // An act made by hand becomes an entry of the document and comes back the same.
    let written: Vec<Act> = settings.acts.iter().map(|act| Act::of(act, &settings.alarms)).collect();
    let mut again = document("");
    again.acts = Some(written);
    assert_eq!(again.resolve().expect("runs").settings.acts, settings.acts);
}

#[test]
fn protection_is_checked() {
    for (minutes, near) in [(0, 1), (2881, 2880)] {
        let act =
            format!(r#""acts": [ {{ "at": "1s", "do": "protect", "task": "7.1", "expiresInMinutes": {minutes} }} ]"#);
        let problem = refused(&act, "/acts/0/expiresInMinutes");
        assert_eq!(problem.nearest, Some(near.into()));
        assert!(problem.service_error.is_some_and(|text| text.contains("InvalidParameterException")));
    }
    let kept = accepted(r#""acts": [ { "at": "1s", "do": "protect", "task": "7.1", "expiresInMinutes": 2880 } ]"#);
    let task = TaskName { revision: 7, start: 1 };
    let command = Command::Protect { task, for_ms: Some(2880 * 60_000) };
    assert_eq!(kept.settings.acts.iter().map(|act| &act.command).collect::<Vec<_>>(), [&command]);
}

/// Q16.
#[test]
fn an_update_keeps_what_it_leaves_out() {
    let read = |text: &str| {
        let tree = json::read(text).expect("JSON").value;
        DeploymentConfiguration::read(&tree, &mut Reader::default(), "").expect("an object")
    };
    let stored = read(
        r#"{ "minimumHealthyPercent": 50, "deploymentCircuitBreaker": { "enable": true, "rollback": true,
            "resetOnHealthyTask": false, "thresholdConfiguration": { "type": "COUNT", "value": 5 } } }"#,
    );
    let after = stored.updated(&read(
        r#"{ "maximumPercent": 150, "deploymentCircuitBreaker": { "enable": true, "rollback": false } }"#,
    ));
    let breaker = after.breaker.expect("kept");
    assert_eq!((breaker.reset_on_healthy, breaker.rollback), (Some(false), Some(false)));
    assert_eq!(breaker.threshold.and_then(|t| t.value), Some(5));
    assert_eq!((after.minimum, after.maximum), (Some(50), Some(150)));
}

#[test]
fn distributions_and_fates_are_checked() {
    for (rest, field) in [
        (r#""timing": { "pull": { "uniform": [ "9s", "3s" ] } }"#, "/timing/pull/uniform"),
        (r#""timing": { "pull": { "triangular": [ "1s", "9s", "3s" ] } }"#, "/timing/pull/triangular"),
        (r#""timing": { "pull": { "table": [] } }"#, "/timing/pull/table"),
        (r#""timing": { "pull": { "table": [ [ "1s", 0 ] ] } }"#, "/timing/pull/table"),
        (r#""timing": { "pull": "never" }"#, "/timing/pull"),
        (r#""timing": { "exit_after_sigterm": { "uniform": [ "1s", "never" ] } }"#, "/timing/exit_after_sigterm"),
        (r#""new": { "fate": { "in_zone": { "zone": 3, "fate": "hangs" } } }"#, "/new/fate/in_zone/zone"),
        (r#""new": { "fate": { "ratio": { "of": [ 2, 1 ], "fate": "hangs" } } }"#, "/new/fate/ratio/of"),
        (r#""new": { "fate": { "ratio": { "of": [ 0, 0 ], "fate": "hangs" } } }"#, "/new/fate/ratio/of"),
        (r#""old": { "by_start": { "0": "hangs" } }"#, "/old/by_start/0"),
        (r#""new": { "bad_responses": [ 5, 1 ] }"#, "/new/bad_responses"),
        (r#""acts": [ { "at": "17d", "do": "desired", "count": 1 } ]"#, "/acts/0/at"),
        (r#""acts": [ { "at": "1s", "do": "desired" } ]"#, "/acts/0/count"),
        (r#""acts": [ { "at": "1s", "do": "fate", "revision": 8 } ]"#, "/acts/0/fate"),
        (r#""places": [ { "at": "1s" } ]"#, "/places/0/places"),
        (r#""until": "17d""#, "/until"),
        (r#""seed": -1"#, "/seed"),
        (r#""quotas": "some""#, "/quotas"),
        (r#""readings": { "no_check_healthy_after_s": -1 }"#, "/readings/no_check_healthy_after_s"),
    ] {
        let problem = refused(rest, field);
        assert!(!problem.given.is_empty() && !problem.allowed.is_empty(), "{problem:?}");
    }
    let resolved =
        accepted(r#""timing": { "exit_after_sigterm": { "table": [ [ "2s", 9 ], [ "never", 1 ] ] } }, "until": "16d""#);
    assert_eq!(resolved.settings.until, Some(SimTime(16 * 86_400_000)));
    assert!(format!("{:?}", resolved.settings.timing.exit_after_sigterm).contains(&NEVER_MS.to_string()));
}

#[test]
fn switches_in_force() {
    let resolved =
        accepted(r#""readings": { "stopping_counts": true, "no_check_healthy_after_s": 0, "digest_drill": true }"#);
    let of = |name: &str| resolved.readings.iter().find(|r| r.name == name).expect("listed");
    assert!(of("stopping_counts").given, "a written default is said to be written");
    assert_eq!(
        (&of("no_check_healthy_after_s").value, of("no_check_healthy_after_s").simulated),
        (&Value::from(0), true)
    );
    assert_eq!((&of("digest_drill").value, of("digest_drill").given), (&Value::from(true), true));
    assert_eq!(of("alarm_delay_s").value, Value::from(20));
    assert!(resolved.readings.iter().all(|reading| reading.simulated));
    let params = resolved.settings.platform.ecs().clone();
    assert_eq!(params.readings.no_check_healthy_after_ms, 0);
}

#[test]
fn mistyped_names_are_warnings_with_the_nearest_known_one() {
    let reading = Document::from_text(
        r#"{ "service": { "desiredCuont": 4, "deploymentConfiguration": { "minHealthyPercent": 50 } }, "acts": [ { "att": "1s" } ], "zzz": 1 }"#,
    );
    let near = |field: &str| {
        let problem = reading.problems.iter().find(|p| p.field == field).unwrap_or_else(|| panic!("{field}"));
        assert!(!problem.is_error());
        problem.allowed.clone()
    };
    assert!(near("/service/desiredCuont").contains("desiredCount"));
    assert!(near("/acts/0/att").contains("\"at\""));
    assert!(!near("/zzz").contains("did you mean"));
}

#[test]
fn failures_that_trip_the_breaker() {
    for (id, kind, value, desired, failures) in [
        ("B01", "BOUNDED_PERCENT", 50, 1, 3),
        ("B02", "BOUNDED_PERCENT", 50, 25, 13),
        ("B03", "BOUNDED_PERCENT", 50, 400, 200),
        ("B04", "BOUNDED_PERCENT", 50, 800, 200),
        ("B05", "UNBOUNDED_PERCENT", 50, 800, 400),
        ("B06", "BOUNDED_PERCENT", 50, 100, 50),
        ("B07", "BOUNDED_PERCENT", 50, 6, 3),
        ("B08", "BOUNDED_PERCENT", 50, 7, 4),
        ("B09", "BOUNDED_PERCENT", 50, 399, 200),
        ("B10", "BOUNDED_PERCENT", 50, 398, 199),
        ("B11", "BOUNDED_PERCENT", 7, 100, 7),
        ("B12", "BOUNDED_PERCENT", 1, 1, 3),
        ("B13", "BOUNDED_PERCENT", 100, 3, 3),
        ("B14", "BOUNDED_PERCENT", 100, 201, 200),
        ("B15", "UNBOUNDED_PERCENT", 1, 1, 1),
        ("B16", "UNBOUNDED_PERCENT", 1, 101, 2),
        ("B17", "UNBOUNDED_PERCENT", 28, 25, 7),
        ("B18", "UNBOUNDED_PERCENT", 33, 10, 4),
        ("B19", "COUNT", 5, 10, 5),
        ("B20", "COUNT", 5, 1, 5),
        ("B21", "COUNT", 1, 5_000, 1),
        ("B22", "COUNT", 250, 4, 250),
        ("no task", "UNBOUNDED_PERCENT", 50, 0, 1),
    ] {
        let given = threshold_of(Some(kind), Some(value)).expect(id);
        assert_eq!(threshold(given, desired), failures, "{id}");
    }
    assert_eq!(threshold_of(None, None), Some(Threshold::BoundedPercent(50)), "the default");
    assert_eq!(threshold_of(Some("PERCENT"), None), None);
}

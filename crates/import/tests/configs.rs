//! Real-shaped configurations, each with what a correct reading of it gives.

use rollscope_import::{Format, Import, Origin, import};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::limits::{self, Threshold, threshold};

const DESCRIBED: &str = include_str!("fixtures/01-describe-services-mid-deployment/input.json");
const DESCRIBED_EXPECTED: &str = include_str!("fixtures/01-describe-services-mid-deployment/expected.json");
const DEFINITION: &str = include_str!("fixtures/09-task-definition-two-containers/input.json");
const DEFINITION_EXPECTED: &str = include_str!("fixtures/09-task-definition-two-containers/expected.json");

/// Every value of the expected reading stands in the import with its origin.
fn compare(import: &Import, expected: &str) -> Value {
    let expected = json::read(expected).expect("the fixture is JSON").value;
    let workload = expected.pointer("/workloads/0").expect("one workload").clone();
    let values = workload.get("values").and_then(Value::as_object).expect("values");
    assert!(values.len() > 5);
    for (field, wanted) in values {
        let row = import.value(field).unwrap_or_else(|| panic!("{field} was not read"));
        assert_eq!(Some(&row.value), wanted.get("value"), "{field}");
        assert_eq!(Some(row.origin.name()), wanted.get("origin").and_then(Value::as_str), "{field}");
    }
    workload
}

#[test]
fn a_service_in_the_middle_of_a_deployment() {
    let import = import(DESCRIBED, None);
    assert_eq!(import.format, Format::DescribeServices);
    assert_eq!(import.problems, []);
    let expected = compare(&import, DESCRIBED_EXPECTED);
    let document = import.document.clone().expect("a scenario");
    let resolved = document.resolve().expect("it can run");
    let number = |name: &str| expected.pointer(&format!("/computed/{name}")).and_then(Value::as_u64).map(|n| n as u32);
    let limits = limits::Limits::of(6, 100, 150);
    assert_eq!(resolved.limits, limits);
    assert_eq!((Some(limits.floor), Some(limits.ceiling)), (number("floor"), number("ceiling")));
    let start = document.start.expect("the state it is in").deployments.expect("deployments");
    assert_eq!(start.len(), 2);
    let (old, new) = (&start[0], &start[1]);
    assert_eq!((old.revision, old.healthy, old.state.as_deref()), (Some(57), Some(6), Some("COMPLETED")));
    assert_eq!((new.revision, new.running, new.pending, new.failed_tasks), (Some(58), Some(2), Some(1), Some(1)));
    assert_eq!(new.healthy, None, "their health is unknown");
    // 6 old, 2 new and 1 pending are the ceiling; no new one is known to be healthy.
    assert_eq!(number("mayStartNow"), Some(limits.ceiling - 9));
    assert_eq!(number("mayStopNow"), Some(6 - limits.floor));
    assert_eq!(number("breakerThreshold"), Some(threshold(Threshold::BoundedPercent(50), 6)));
    // Likely misreadings.
    assert_eq!(document.service.desired_count, Some(6));
    assert!(document.service.deployment.alarms.is_some_and(|alarms| alarms.enable == Some(false)));
    for ignored in ["/events", "/runningCount"] {
        assert!(import.ignored.iter().any(|field| field.ends_with(ignored)), "{ignored} is listed as not used");
    }
    // Kept as it is given; no setting of the deployment, because it acts in steady state only, which the engine carries out.
    let rebalancing = "availabilityZoneRebalancing";
    assert_eq!(document.service.az_rebalancing.as_deref(), Some("ENABLED"));
    assert!(import.value(rebalancing).is_none() && !import.ignored.iter().any(|field| field.ends_with(rebalancing)));
    assert!(!resolved.not_simulated.iter().any(|field| field.field.ends_with(rebalancing)));
    assert!(import.needs.iter().any(|need| need.contains("2 running new tasks")));
    assert!(import.needs.iter().any(|need| need.contains("target group check")));
    assert!(
        import.warnings.iter().any(|warning| warning.contains("in progress with 1 failed task of a threshold of 3"))
    );
    assert!(import.warnings.iter().any(|warning| warning.contains("from a steady one")));
    assert_eq!(
        (document.title.as_deref(), document.service.service_name.as_deref()),
        (Some("orders-api"), Some("orders-api"))
    );
    assert_eq!((document.old.revision, document.new.revision), (Some(57), Some(58)));
    let line = import.values.iter().find(|row| row.field == "desiredCount").and_then(|row| row.line);
    assert_eq!(line, Some(16), "desiredCount of the service");
}

#[test]
fn a_task_definition_alone_invents_no_service() {
    let import = import(DEFINITION, None);
    assert_eq!((import.format, &import.document), (Format::Parts, &None));
    let expected = compare(&import, DEFINITION_EXPECTED);
    assert_eq!(expected.pointer("/computed/maxTasksPerInstanceBecauseOfPorts"), Some(&Value::from(1)));
    assert!(import.warnings.iter().any(|w| w.contains("port 7000") && w.contains("one task per instance")));
    assert!(import.needs[0].contains("the service") && import.needs[0].contains("describe-services"), "the way out");
    assert!(import.needs.iter().any(|need| need.contains("instances")));
    assert_eq!(import.problems, []);
}

#[test]
fn what_is_none_of_these_is_called_by_its_keys_and_no_word_is_cut() {
    let read = import(r#"{"job":{},"group":{},"task":{},"meta":{},"update":{}}"#, None);
    assert_eq!((read.format, &read.document, read.problems.len()), (Format::Unknown, &None, 1));
    let told = read.problems[0].to_string();
    assert!(told.contains("an object with job, group, task, meta and more") && !told.contains('…'), "{told}");
}

#[test]
fn a_service_with_its_task_definition_and_target_group() {
    let group = r#"{ "TargetGroups": [ { "TargetGroupName": "orders", "Protocol": "HTTP", "HealthCheckIntervalSeconds": 10, "HealthyThresholdCount": 3 } ] }
        { "Attributes": [ { "Key": "stickiness.enabled", "Value": "false" }, { "Key": "deregistration_delay.timeout_seconds", "Value": "45" } ] }"#;
    let import = import(&format!("{DESCRIBED}\n{DEFINITION}\n{group}"), None);
    assert_eq!(import.problems, []);
    let document = import.document.expect("a scenario");
    let groups = document.target_groups.clone().expect("target groups");
    assert_eq!(groups.len(), 1);
    assert_eq!((groups[0].interval, groups[0].deregistration_delay), (Some(10), Some(45)));
    assert_eq!(document.containers.as_ref().map(Vec::len), Some(2));
    let settings = document.resolve().expect("it can run").settings;
    assert_eq!(settings.containers.len(), 1, "the agent is not essential");
    assert_eq!(settings.containers[0].interval_ms, 15_000);
    assert_eq!(settings.target_groups[0].deregistration_delay_ms, 45_000);
    assert_eq!(settings.stop_timeout_ms, 90_000);
    assert!(import.needs.iter().all(|need| !need.contains("target group check") && !need.contains("container health")));
}

#[test]
fn several_services_ask_for_a_choice() {
    let text = r#"{ "services": [
        { "serviceName": "web", "desiredCount": 2, "deploymentConfiguration": { "maximumPercent": 200, "minimumHealthyPercent": 100 } },
        { "serviceName": "worker", "desiredCount": 5, "deploymentConfiguration": { "maximumPercent": 100, "minimumHealthyPercent": 50 } } ] }"#;
    let open = import(text, None);
    assert_eq!(
        (&open.document, open.choices.as_slice()),
        (&None, ["web".to_string(), "worker".to_string()].as_slice())
    );
    let chosen = import(text, Some("worker")).document.expect("the chosen one");
    assert_eq!(chosen.service.desired_count, Some(5));
    let wrong = import(text, Some("wrker"));
    assert_eq!((wrong.document, wrong.problems.len()), (None, 1));
}

#[test]
fn a_service_that_is_not_found_is_told_with_the_way_out() {
    let missing = r#"{ "services": [], "failures": [ { "arn": "arn:aws:ecs:eu-central-1:111122223333:service/ordres", "reason": "MISSING" } ] }"#;
    let import_ = import(missing, None);
    assert_eq!((import_.format, &import_.document, import_.problems.len()), (Format::DescribeServices, &None, 1));
    let told = import_.problems[0].to_string();
    assert!(told.contains("ECS did not find ordres (MISSING): check --cluster"), "{told}");
    assert_eq!(import_.problems[0].position, Some((1, 3)));
    let empty = import("{ \"services\": [] }", None).problems[0].to_string();
    assert!(empty.contains("the answer lists no service"), "{empty}");
    // Beside one that was found it is worth knowing and no more.
    let both = missing.replace(
        "[],",
        r#"[ { "serviceName": "web", "desiredCount": 2, "deploymentConfiguration": { "maximumPercent": 200 } } ],"#,
    );
    let both = import(&both, None);
    assert!(both.document.is_some() && both.problems.is_empty());
    assert!(both.warnings.contains(&"ECS did not find ordres (MISSING).".to_string()), "{:?}", both.warnings);
}

#[test]
fn a_steady_service_gets_a_new_revision() {
    let text = r#"{ "services": [ { "serviceArn": "arn:x", "serviceName": "web", "desiredCount": 3, "runningCount": 3,
        "deploymentConfiguration": { "maximumPercent": 200, "minimumHealthyPercent": 100 },
        "deployments": [ { "status": "PRIMARY", "taskDefinition": "arn:aws:ecs:x:1:task-definition/web:41", "runningCount": 3, "pendingCount": 0, "rolloutState": "COMPLETED" } ] } ] }"#;
    let document = import(text, None).document.expect("a scenario");
    assert_eq!((document.old.revision, document.new.revision, document.start.is_none()), (Some(41), Some(42), true));
    assert!(document.resolve().is_ok());
}

#[test]
fn examples_of_the_documentation_are_read() {
    let text = include_str!("../../../docs/import.md");
    let blocks: Vec<&str> = text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 1);
    for block in blocks {
        let import = import(block, None);
        assert_eq!(import.problems, [], "{block}");
        assert!(import.document.is_some_and(|document| document.resolve().is_ok()), "{block}");
    }
}

#[test]
fn any_object_with_a_deployment_configuration() {
    let text = r#"{ "cluster": "a", "service": "web", "taskDefinition": "web:3", "desiredCount": 4,
        "deploymentConfiguration": { "minimumHealthyPercent": 50, "maximumPercent": 100 } }"#;
    let import_ = import(text, None);
    assert_eq!(import_.format, Format::Service);
    let document = import_.document.expect("a scenario");
    assert_eq!((document.service.desired_count, document.service.deployment.minimum), (Some(4), Some(50)));
    let bare = import(r#"{ "minimumHealthyPercent": 50, "maximumPercent": 150 }"#, None);
    assert!(bare.needs.iter().any(|need| need.contains("desired count")));
    assert_eq!(bare.value("desiredCount").map(|row| row.origin), Some(Origin::Missing));
    let document = bare.document.expect("a scenario");
    assert_eq!(document.service.deployment.maximum, Some(150));
}

#[test]
fn what_is_not_ours_is_answered_with_line_and_column() {
    let broken = import("{\n  \"services\": [\n    { \"serviceName\": }\n  ]\n}", None);
    assert_eq!(broken.problems[0].position, Some((3, 22)));
    let prose = import("please deploy my service", None);
    assert!(prose.problems[0].allowed.contains("describe-services"), "{:?}", prose.problems);
    let other = import(r#"{ "hello": [ 1, 2 ] }"#, None);
    assert_eq!(other.problems.len(), 1);
    assert!(other.problems[0].allowed.contains("deploymentConfiguration"));
    let second = import("{ \"containerDefinitions\": [] }\n{ \"x\": tru }", None);
    assert_eq!(second.problems[0].position.map(|p| p.0), Some(2));
}

#[test]
fn links_and_documents_pass_through() {
    let link = import("https://example.com/rollscope/#v1&desired=3", None);
    assert_eq!((link.format, link.document.and_then(|d| d.service.desired_count)), (Format::Link, Some(3)));
    let cut = import("#v1.99.12345678&desired=3", None);
    assert!(cut.link_error.is_some() && cut.problems[0].allowed.contains("missing"));
    let document = import(r#"{ "rollscope": 1, "service": { "desiredCount": 3 } }"#, None);
    assert_eq!((document.format, document.problems.len()), (Format::Document, 0));
}

#[test]
fn the_answer_of_an_update_is_a_service_too() {
    let described = json::read(DESCRIBED).expect("JSON").value;
    let one = described.pointer("/services/0").expect("a service").clone();
    let import = import(&Value::object([("service", one)]).pretty(), None);
    assert_eq!((import.format, import.problems.as_slice()), (Format::DescribeServices, [].as_slice()));
    assert!(import.document.is_some_and(|d| d.start.is_some()), "with the state it is in");
}

#[test]
fn a_forced_deployment_of_one_revision_gets_two_numbers() {
    let import = import(&DESCRIBED.replace("orders-api:57", "orders-api:58"), None);
    let document = import.document.expect("a scenario");
    assert_eq!((document.old.revision, document.new.revision), (Some(58), Some(59)));
    assert!(import.warnings.iter().any(|warning| warning.contains("forced")));
    document.resolve().expect("it can run");
}

#[test]
fn a_rollback_under_way() {
    let text = r#"{ "services": [ { "serviceArn": "arn:x", "serviceName": "web", "desiredCount": 2,
        "deploymentConfiguration": { "maximumPercent": 200, "minimumHealthyPercent": 100 },
        "deployments": [
          { "status": "ACTIVE", "taskDefinition": "web:42", "runningCount": 1, "pendingCount": 0, "failedTasks": 3, "rolloutState": "FAILED" },
          { "status": "PRIMARY", "taskDefinition": "web:41", "runningCount": 2, "pendingCount": 0, "rolloutState": "IN_PROGRESS" } ] } ] }"#;
    let document = import(text, None).document.expect("a scenario");
    let start = document.start.clone().and_then(|s| s.deployments).expect("both deployments");
    assert_eq!(start.iter().map(|d| d.revision).collect::<Vec<_>>(), [Some(42), Some(41)], "PRIMARY is the last");
    assert_eq!(start[0].failed_tasks, Some(3));
    document.resolve().expect("it can run");
}

#[test]
fn what_belongs_together_is_put_together() {
    let text = format!(
        r#"[ {DESCRIBED}, {{ "taskDefinition": {{ "taskDefinitionArn": "arn:aws:ecs:x:1:task-definition/orders-api:58",
             "containerDefinitions": [ {{ "name": "app", "healthCheck": {{ "command": [ "CMD", "true" ], "interval": 7 }} }} ] }} }},
           {DEFINITION},
           {{ "TargetGroups": [ {{ "TargetGroupArn": "arn:other", "HealthCheckIntervalSeconds": 99 }},
             {{ "TargetGroupArn": "arn:aws:elasticloadbalancing:eu-central-1:111122223333:targetgroup/orders-api/0a1b2c3d4e5f6071",
                "HealthCheckIntervalSeconds": 11 }} ] }} ]"#
    );
    let import = import(&text, None);
    let settings = import.document.expect("a scenario").resolve().expect("it can run").settings;
    assert_eq!(settings.containers.iter().map(|c| c.interval_ms).collect::<Vec<_>>(), [7_000]);
    assert_eq!(settings.target_groups.iter().map(|g| g.interval_ms).collect::<Vec<_>>(), [11_000]);
    assert!(import.warnings.iter().any(|w| w.contains("the one the service names")));
    assert!(import.warnings.iter().any(|w| w.contains("not attached")));
}

#[test]
fn services_of_one_name_can_be_told_apart() {
    let text = r#"{ "serviceName": "web", "desiredCount": 2 } { "serviceName": "web", "desiredCount": 5 }"#;
    assert_eq!(import(text, None).choices, ["web", "web (2)"]);
    let second = import(text, Some("web (2)")).document.expect("the second");
    assert_eq!(second.service.desired_count, Some(5));
}

#[test]
fn wrong_values_are_named_with_their_place() {
    let text = "{ \"serviceName\": \"web\",\n  \"desiredCount\": \"two\",\n  \"deploymentConfiguration\": { \"maximumPercent\": 150,\n    \"maxPercent\": 1 } }";
    let import = import(text, None);
    let place = |field: &str| import.problems.iter().find(|p| p.field == field).map(|p| p.position);
    assert_eq!(place("/service/desiredCount"), Some(Some((2, 3))));
    assert_eq!(place("/service/deploymentConfiguration/maxPercent"), Some(Some((4, 5))));
}

/// Thousands of mutated texts: nothing panics.
#[test]
fn nothing_panics() {
    let seeds = [DESCRIBED, DEFINITION, "v1.5.12&a=b", r#"{"minimumHealthyPercent":1}"#];
    let mut state = 9u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..1_500 {
        let mut text: Vec<char> = seeds[next(seeds.len())].chars().collect();
        for _ in 0..=next(8) {
            let at = next(text.len());
            match next(4) {
                0 => text[at] = ['"', '{', '}', '[', ']', ',', ':', '9', 'n', '-'][next(10)],
                1 => text.insert(at, ['"', '{', '}', '0', '\\'][next(5)]),
                2 => {
                    text.remove(at);
                    text.push(' ');
                }
                _ => text.truncate(at.max(4)),
            }
        }
        let text: String = text.into_iter().collect();
        let read = import(&text, None);
        assert!(
            read.document.is_some()
                || !read.problems.is_empty()
                || !read.choices.is_empty()
                || read.format == Format::Parts
        );
        if let Some(document) = read.document {
            let _ = document.resolve();
        }
    }
}

//! The document: what the documentation shows works, and what is wrong is answered all at once.

use rollscope_scenario::json::{self, Value};
use rollscope_scenario::{Document, duration};

/// Every JSON block of the documentation is a scenario that runs.
#[test]
fn examples_of_the_documentation_run() {
    let text = include_str!("../../../docs/scenario.md");
    let blocks: Vec<&str> =
        text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert_eq!(blocks.len(), 9);
    for block in blocks {
        let reading = Document::from_text(block);
        assert!(reading.problems.is_empty(), "{block}\n{:?}", reading.problems);
        let resolved = reading.resolve().unwrap_or_else(|problems| panic!("{block}\n{problems:?}"));
        assert!(resolved.settings.revisions.len() >= 2);
        let again = Document::from_text(&reading.document.to_json().pretty());
        assert_eq!(again.document, reading.document, "written and read again");
    }
}

#[test]
fn every_problem_at_once_with_its_line() {
    let text = r#"{
  "rollscope": 1,
  "service": {
    "desiredCount": "four",
    "deploymentConfiguration": { "minimumHealthyPercent": 130, "maximumPercent": 90 }
  },
  "timing": { "pull": "1.5s", "start_up": { "uniform": [ "9s", "3s" ] } },
  "new": { "fate": "explodes" },
  "acts": [ { "do": "kill" }, { "at": "1s", "do": "jump" } ],
  "colour": "red"
}"#;
    let problems = Document::from_text(text).resolve().expect_err("nothing of this can run");
    let at = |field: &str| {
        problems.iter().find(|p| p.field == field).unwrap_or_else(|| panic!("no problem at {field}: {problems:#?}"))
    };
    for (field, line) in [
        ("/service/desiredCount", 4),
        ("/service/deploymentConfiguration/minimumHealthyPercent", 5),
        ("/service/deploymentConfiguration/maximumPercent", 5),
        ("/timing/pull", 7),
        ("/timing/start_up/uniform", 7),
        ("/new/fate", 8),
        ("/acts/0/at", 9),
        ("/acts/0/task", 9),
        ("/acts/1/do", 9),
    ] {
        let problem = at(field);
        assert_eq!(problem.position.map(|p| p.0), Some(line), "{field}");
        assert!(problem.is_error() && !problem.allowed.is_empty(), "{problem:?}");
    }
    assert_eq!(
        problems.iter().filter(|p| p.field == "/service/desiredCount").count(),
        1,
        "unreadable is not absent too"
    );
    assert!(!at("/colour").is_error(), "an unknown key is a warning");
    assert_eq!(at("/colour").to_string().matches("colour").count(), 1, "named once: {}", at("/colour"));
    assert_eq!(at("/service/deploymentConfiguration/minimumHealthyPercent").nearest, Some(Value::from(100)));
    assert!(at("/service/deploymentConfiguration/minimumHealthyPercent").service_error.is_some());
    assert!(problems.is_sorted_by_key(|p| !p.is_error()), "errors first");
}

#[test]
fn broken_json_says_what_was_expected_and_where() {
    for (text, line, column) in
        [("{\n  \"a\" 1 }", 2, 7), ("{ \"a\": 01 }", 1, 9), ("[1, 2", 1, 6), ("{ \"a\": \"x\n\" }", 1, 10), ("", 1, 1)]
    {
        let fault = json::read(text).expect_err("it is broken");
        assert_eq!((fault.at.line, fault.at.column), (line, column), "{text:?}: {fault}");
        assert!(!fault.expected.is_empty());
    }
    let deep = "[".repeat(200);
    assert!(json::read(&deep).is_err_and(|fault| fault.expected.contains("64")));
    assert!(json::read(&" ".repeat(1_000_001)).is_err_and(|fault| fault.expected.contains("1000000")));
}

#[test]
fn durations() {
    for (text, ms) in [
        ("0", 0),
        ("1500", 1_500),
        ("1m30s", 90_000),
        ("500ms", 500),
        ("2h", 7_200_000),
        ("1d2h3m4s5ms", 93_784_005),
        (" 5s ", 5_000),
    ] {
        assert_eq!(duration::parse(text), Ok(ms), "{text}");
        assert_eq!(duration::parse(&duration::print(ms)), Ok(ms), "{text} printed and read again");
    }
    for text in ["", "1.5s", "s", "5 s", "5s1m", "1m1m", "-5s", "5x", "99999999999999999999s", "1001d"] {
        let why = duration::parse(text).expect_err(text);
        assert!(why.len() > 5, "{text}: {why}");
    }
    assert!(duration::parse("1.5s").is_err_and(|way_out| way_out.contains("1s500ms")));
}

#[test]
fn durations_as_they_are_typed() {
    for (text, ms) in [
        ("30", Some(30_000)),
        (" 0 ", Some(0)),
        ("1.5", Some(1_500)),
        ("1,5", Some(1_500)),
        ("0.5m", Some(30_000)),
        ("1m 30s", Some(90_000)),
        ("500ms", Some(500)),
        ("1.0005", None),
        ("1.", None),
        ("soon", None),
        ("-5", None),
        ("99999999999999999999", None),
    ] {
        assert_eq!(duration::parse_typed(text), ms, "{text}");
    }
}

#[test]
fn a_number_that_is_not_whole_has_a_nearest_one() {
    for (given, near) in
        [("4.5", Some(5)), ("4.4", Some(4)), ("\"30\"", Some(30)), ("\"1.5\"", Some(2)), ("\"many\"", None)]
    {
        let text = format!(r#"{{ "service": {{ "desiredCount": {given} }} }}"#);
        let problem = Document::from_text(&text).problems.remove(0);
        assert_eq!(
            (problem.field.as_str(), problem.nearest),
            ("/service/desiredCount", near.map(Into::into)),
            "{given}"
        );
    }
}

#[test]
fn absent_is_a_value_of_its_own() {
    let absent = Document::from_text(r#"{ "rollscope": 1, "service": { "desiredCount": 4 } }"#).document;
    let written = Document::from_text(
        r#"{ "rollscope": 1, "service": { "desiredCount": 4, "deploymentConfiguration": { "maximumPercent": 200 } } }"#,
    )
    .document;
    assert_ne!(absent, written);
    assert!(!absent.to_json().to_string().contains("maximumPercent"));
    let (a, b) = (absent.resolve().expect("runs"), written.resolve().expect("runs"));
    assert_eq!(a.settings, b.settings);
    assert!(a.defaulted.len() > b.defaulted.len(), "the default that was filled in is listed");
}

#[test]
fn what_is_not_simulated_is_kept_and_listed() {
    let text = r#"{ "rollscope": 1, "service": { "desiredCount": 4, "deploymentConfiguration": {
        "lifecycleHooks": [ { "lifecycleStages": [ "PRE_SCALE_UP" ] } ] } },
        "containers": [ { "startTimeout": 30 } ] }"#;
    let document = Document::from_text(text).document;
    let resolved = document.resolve().expect("it runs without them");
    for field in ["/service/deploymentConfiguration/lifecycleHooks", "/containers/0/startTimeout"] {
        assert!(resolved.not_simulated.iter().any(|n| n.field == field), "{field}: {:?}", resolved.not_simulated);
    }
    assert!(document.to_json().to_string().contains("lifecycleHooks"));
}

#[test]
fn fields_of_the_service_that_change_nothing_are_kept() {
    let text = r#"{ "rollscope": 1, "service": { "desiredCount": 4, "taskDefinition": "web:3", "propagateTags": "SERVICE",
        "networkConfiguration": { "awsvpcConfiguration": { "subnets": [ "a", "b" ], "assignPublicIp": "DISABLED" } },
        "placementConstraints": [ { "type": "distinctInstance" } ], "volumeConfigurations": [ { "": 1, "0": { "1": [] } } ] } }"#;
    let reading = Document::from_text(text);
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    let resolved = reading.resolve().expect("it runs");
    for name in
        ["taskDefinition", "networkConfiguration", "placementConstraints", "volumeConfigurations", "propagateTags"]
    {
        assert!(resolved.not_simulated.iter().any(|n| n.field == format!("/service/{name}")), "{name}");
    }
    let sent = rollscope_scenario::Link { document: reading.document.clone(), ..Default::default() };
    let received = rollscope_scenario::link::decode(&rollscope_scenario::link::encode(&sent)).expect("it opens");
    assert_eq!((received.link, received.problems), (sent, vec![]));
}

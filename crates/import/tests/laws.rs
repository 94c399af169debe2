//! What holds for every text, whole or broken: a reader comes to an end without a panic, and no value is invented.

use rollscope_import::{Format, Import, Origin, import, import_as};
use rollscope_scenario::json::Value;

const TEXTS: [(&str, &str); 15] = [
    ("01", include_str!("fixtures/01-describe-services-mid-deployment/input.json")),
    ("02", include_str!("fixtures/02-create-service-cli-shorthand/input.sh")),
    ("03", include_str!("fixtures/03-update-service-alarms-count/input.sh")),
    ("04", include_str!("fixtures/04-cloudformation-yaml-fargate/input.yaml")),
    ("05", include_str!("fixtures/05-cloudformation-json-ec2-defaults/input.json")),
    ("06", include_str!("fixtures/06-terraform-service-vars/input.tf")),
    ("07", include_str!("fixtures/07-terraform-missing-desired-count/input.tf")),
    ("08", include_str!("fixtures/08-cdk-synth-fargate/input.json")),
    ("09", include_str!("fixtures/09-task-definition-two-containers/input.json")),
    ("10", include_str!("fixtures/10-k8s-multidoc-anchors/input.yaml")),
    ("11", include_str!("fixtures/11-helm-rendered-defaults/input.yaml")),
    ("12", include_str!("fixtures/12-k8s-statefulset-daemonset/input.yaml")),
    ("13", include_str!("fixtures/13-compose-update-config/input.yml")),
    ("14", include_str!("fixtures/14-nomad-job-hcl/input.nomad.hcl")),
    ("15", include_str!("fixtures/15-kubectl-get-deployment-yaml/input.yaml")),
];

/// Every reading of a text: the only one, or one of each thing in it.
fn readings(text: &str) -> Vec<Import> {
    let first = import(text, None);
    match first.choices.as_slice() {
        [] => vec![first],
        choices => choices.iter().take(8).map(|choice| import(text, Some(choice))).collect(),
    }
}

/// Documented defaults, by field: a row that says "default" has one of these values and no other.
fn is_default(field: &str, value: &Value) -> bool {
    let last = field.rsplit('.').next().unwrap_or(field);
    let known: &[&str] = match (field, last) {
        ("desiredCount", _) => &["0", "1"],
        ("minimumHealthyPercent", _) => &["100", "0"],
        ("maximumPercent", _) => &["200", "100"],
        ("strategy", _) => &["\"ROLLING\"", "\"RollingUpdate\""],
        ("breaker.type", _) => &["\"BOUNDED_PERCENT\""],
        ("breaker.value", _) => &["50"],
        ("breaker.resetOnHealthyTask", _) => &["true"],
        ("breaker.enable" | "breaker.rollback" | "alarms.enable" | "earlySuccess.enable", _) => &["false"],
        ("schedulingStrategy", _) => &["\"REPLICA\""],
        ("networkMode", _) => &["\"bridge\""],
        ("updateStrategy", _) => &["\"RollingUpdate\""],
        ("podManagementPolicy", _) => &["\"OrderedReady\""],
        ("healthCheck", _) => &["\"checks\""],
        ("order", _) => &["\"stop-first\""],
        ("failureAction", _) => &["\"pause\""],
        (_, "essential") => &["true"],
        (_, "autoRevert" | "autoPromote") => &["false"],
        (_, "maxSurge" | "maxUnavailable") => &["\"25%\"", "0", "1"],
        ("targetGroup.intervalSeconds", _) => &["30"],
        ("targetGroup.timeoutSeconds", _) => &["6", "10"],
        ("targetGroup.healthyThreshold", _) => &["5", "3"],
        ("targetGroup.unhealthyThreshold", _) => &["2", "3"],
        ("targetGroup.deregistrationDelaySeconds", _) => &["300"],
        (_, "interval" | "stopTimeout" | "terminationGracePeriodSeconds") => &["30"],
        (_, "timeout" | "monitorSeconds" | "killTimeoutSeconds") => &["5"],
        (_, "retries" | "failureThreshold") => &["3"],
        (_, "periodSeconds" | "revisionHistoryLimit" | "minHealthyTimeSeconds") => &["10"],
        ("progressDeadlineSeconds", _) => &["600"],
        ("healthyDeadlineSeconds", _) => &["300"],
        (_, "timeoutSeconds" | "successThreshold" | "replicas" | "count" | "parallelism" | "maxParallel" | "min") => {
            &["1"]
        }
        _ => &["0"],
    };
    known.contains(&value.to_string().as_str())
}

/// Fields whose value is counted or worked out from what is written, not copied.
const DERIVED: [&str; 9] = [
    "loadBalancerCount",
    "serviceChecks",
    "task.cpuUnits",
    "task.memoryReservedMiB",
    "requests.cpuMillis",
    "requests.memoryMiB",
    "live.old.running",
    "deploymentInProgress",
    "requiredAntiAffinityPerNode",
];

/// Each scalar of a value stands in the text: a number by its digits, a text by its characters.
fn stands(field: &str, value: &Value, text: &str) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => text.to_ascii_lowercase().contains(if *is { "true" } else { "false" }),
        Value::Array(items) => items.iter().all(|item| match item.as_str() {
            // "spread(attribute:…)" is put together of two.
            Some(item) => bare(item).trim_end_matches(')').split('(').all(|part| is_joined(part, text)),
            None => stands(field, item, text),
        }),
        // The base and the weight of a capacity provider are 0 where they are left out.
        Value::Object(entries) => entries.iter().all(|(_, item)| item.as_i64() == Some(0) || stands(field, item, text)),
        Value::String(own) => text.contains(&bare(own)) || is_joined(&bare(own), text),
        number => text.contains(&number.to_string()) || is_duration(field),
    }
}

/// A text that a template puts together of parts that stand in the text.
fn is_joined(own: &str, text: &str) -> bool {
    own.split(['-', ':', '/']).all(|part| text.contains(part))
}

fn is_duration(field: &str) -> bool {
    field.ends_with("Seconds")
}

/// A text without what is no part of a value: quotes, what escapes a character, ends of lines that go on.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\\' | '`' | '"' | '\'')).collect()
}

fn check(name: &str, text: &str) {
    let lines = text.lines().count() as u32;
    let bare = bare(text);
    for read in readings(text) {
        for row in &read.values {
            let told = format!("{name} {}: {row:?}", read.name.as_deref().unwrap_or("-"));
            assert!(row.line.is_none_or(|line| line >= 1 && line <= lines.max(1)), "{told}");
            match row.origin {
                Origin::Unresolved | Origin::Missing => assert!(row.value.is_null(), "{told}"),
                Origin::Default => assert!(is_default(&row.field, &row.value), "{told}"),
                Origin::Explicit | Origin::ParameterDefault => {
                    assert!(row.line.is_some(), "{told}");
                    let derived = DERIVED.contains(&row.field.as_str());
                    assert!(derived || stands(&row.field, &row.value, &bare), "{told}");
                }
                Origin::Live | Origin::Computed => {}
            }
        }
        // What is not known does not stand in the scenario either.
        let Some(document) = &read.document else { continue };
        let tree = document.to_json();
        for (field, pointer) in [
            ("desiredCount", "/service/desiredCount"),
            ("minimumHealthyPercent", "/service/deploymentConfiguration/minimumHealthyPercent"),
            ("maximumPercent", "/service/deploymentConfiguration/maximumPercent"),
            ("healthCheckGracePeriodSeconds", "/service/healthCheckGracePeriodSeconds"),
        ] {
            let Some(row) = read.value(field) else { continue };
            let own = tree.pointer(pointer).cloned();
            match row.origin {
                Origin::Unresolved | Origin::Missing => assert_eq!(own, None, "{name} {field}"),
                Origin::Explicit | Origin::ParameterDefault if row.value.as_i64().is_some() => {
                    assert_eq!(own.as_ref(), Some(&row.value), "{name} {field}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn no_value_is_invented() {
    for (name, text) in TEXTS {
        check(name, text);
    }
}

/// A number that is changed where it stands is read as the new one: rows are copied, not remembered.
#[test]
fn a_number_that_changes_in_the_text_changes_in_its_row() {
    let mut changed = 0;
    for (name, text) in TEXTS {
        for read in readings(text) {
            for row in read.values.iter().filter(|row| row.origin == Origin::Explicit) {
                let (Some(number), Some(line)) = (row.value.as_i64().filter(|n| *n > 9), row.line) else { continue };
                if DERIVED.contains(&row.field.as_str()) {
                    continue;
                }
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let own = &mut lines[line as usize - 1];
                // One digit more: nothing else of the line has it.
                if own.matches(&number.to_string()).count() != 1 {
                    continue;
                }
                *own = own.replace(&number.to_string(), &format!("{number}7"));
                let again = readings(&lines.join("\n"));
                let again = again.iter().find(|one| one.name == read.name).expect("the same thing");
                let value = again.value(&row.field).map(|row| row.value.as_i64());
                assert_eq!(value, Some(Some(number * 10 + 7)), "{name} {}", row.field);
                changed += 1;
            }
        }
    }
    assert!(changed > 40, "{changed}");
}

/// Deterministic chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

const PIECES: [&str; 24] = [
    "{", "}", "[", "]", "(", ")", "\"", "'", "${", "{{", "}}", "<<EOF\n", "\\", "`", "\n", "  ", ": ", " = ", ",", "#",
    "&a ", "*a", "!Ref ", "9",
];

fn broken(text: &str, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(6) {
        let at = chance.below(letters.len());
        match chance.below(5) {
            0 | 1 => {
                let piece = PIECES[chance.below(PIECES.len())];
                letters.splice(at..at, piece.chars());
            }
            2 => {
                let end = (at + 1 + chance.below(12)).min(letters.len());
                letters.drain(at..end);
            }
            3 => {
                let end = (at + chance.below(60)).min(letters.len());
                let copy: Vec<char> = letters[at..end].to_vec();
                let to = chance.below(letters.len());
                letters.splice(to..to, copy);
            }
            _ => letters.truncate(at.max(8)),
        }
        if letters.is_empty() {
            letters.push('x');
        }
    }
    letters.into_iter().collect()
}

#[test]
fn broken_texts_are_answered_and_nothing_is_invented() {
    let mut chance = Chance(11);
    for round in 0..60 {
        for (name, text) in TEXTS {
            let text = broken(text, &mut chance);
            let read = import(&text, None);
            let answered = read.document.is_some() || !read.problems.is_empty() || !read.choices.is_empty();
            assert!(answered || read.format == Format::Parts, "{name} {round}");
            for problem in &read.problems {
                assert!(problem.position.is_none_or(|(line, column)| line >= 1 && column >= 1), "{name} {round}");
            }
            if let Some(document) = &read.document {
                let _ = document.resolve();
            }
            check(&format!("{name} {round}"), &text);
        }
    }
}

#[test]
fn any_text_as_any_format_comes_to_an_end() {
    let mut chance = Chance(5);
    for (_, text) in TEXTS {
        let text = broken(text, &mut chance);
        for (_, format) in Format::FLAGS {
            let read = import_as(&text, None, Some(format));
            assert!(read.document.is_some() || read.values.len() + read.problems.len() + read.choices.len() > 0);
        }
    }
}

#[test]
fn what_is_too_large_or_too_deep_is_refused() {
    let problem = |text: &str| import(text, None).problems.first().map(ToString::to_string).unwrap_or_default();
    assert!(problem(&format!("aws ecs update-service --service {}", "a".repeat(1_000_001))).contains("1000000 bytes"));
    let deep = format!("resource \"aws_ecs_service\" \"a\" {{\n  x = {}\n}}", "[".repeat(90));
    assert!(problem(&deep).contains("64 levels"), "{}", problem(&deep));
    let deep = format!("Resources:\n  A:\n    Type: AWS::ECS::Service\n    Properties: {}", "[".repeat(90));
    assert!(problem(&deep).contains("64 levels"), "{}", problem(&deep));
    let deep = format!("aws ecs update-service --service a --deployment-configuration '{}'", "a={".repeat(90));
    assert!(problem(&deep).contains("32 levels"), "{}", problem(&deep));
}

//! Before the run: what the check says is what the run does, and what it offers helps.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_insight::{Check, Outcome, Verdict, check, outcome, run_to_end, verdict};
use rollscope_scenario::{Document, PRESETS, Resolved};

/// Services that wait, cannot move, or find room for some: beside the presets.
const MORE: [(&str, &str); 17] = [
    ("A28", r#"{"service":{"desiredCount":6},"capacity":{"instances":[{"count":8,"cpu":256}]}}"#),
    ("A29", r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":4,"cpu":256}]}}"#),
    (
        "A30",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50}},"capacity":{"instances":[{"count":4,"cpu":256}]}}"#,
    ),
    ("A31", r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":4}],"task":{"hostPorts":[80]}}}"#),
    (
        "A34",
        r#"{"service":{"desiredCount":1,"deploymentConfiguration":{"maximumPercent":150}},"acts":[{"at":"95s","do":"percent","maximumPercent":200}]}"#,
    ),
    (
        "an act that does not help",
        r#"{"service":{"desiredCount":1,"deploymentConfiguration":{"maximumPercent":150}},"acts":[{"at":"95s","do":"percent","maximumPercent":180}]}"#,
    ),
    (
        "moved by an act, and failing then",
        r#"{"service":{"desiredCount":1,"deploymentConfiguration":{"maximumPercent":150,"deploymentCircuitBreaker":{"enable":true,"rollback":true}}},"new":{"fate":"never_running"},"acts":[{"at":"95s","do":"percent","maximumPercent":200}]}"#,
    ),
    (
        "a provider that may bring no more",
        r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":4,"cpu":256}],"provider":{"max":4}}}"#,
    ),
    ("a provider", r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":4,"cpu":256}],"provider":{}}}"#),
    (
        "an instance that comes",
        r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":4,"cpu":256},{"at":"2m"}]}}"#,
    ),
    (
        "blue/green on a full cluster",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"BLUE_GREEN","bakeTimeInMinutes":5}},"capacity":{"instances":[{"count":4,"cpu":256}]}}"#,
    ),
    (
        "canary with room for two",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"CANARY"}},"targetGroups":[{}],"capacity":{"instances":[{"count":6,"cpu":256}]}}"#,
    ),
    ("no Fargate capacity", r#"{"service":{"desiredCount":4,"launchType":"FARGATE"},"capacity":{"unavailable":[{}]}}"#),
    (
        "Fargate capacity later",
        r#"{"service":{"desiredCount":4,"launchType":"FARGATE"},"capacity":{"unavailable":[{"until":"10m"}]}}"#,
    ),
    ("places", r#"{"service":{"desiredCount":4},"places":[{"at":"0s","places":4}]}"#),
    ("places later", r#"{"service":{"desiredCount":4},"places":[{"at":"0s","places":4},{"at":"5m","places":6}]}"#),
    (
        "a daemon on four nodes",
        r#"{"service":{"schedulingStrategy":"DAEMON","deploymentConfiguration":{"minimumHealthyPercent":76}},"capacity":{"instances":[{"count":4}]}}"#,
    ),
];

fn all() -> impl Iterator<Item = (&'static str, Document, Resolved)> {
    let presets = PRESETS.iter().map(|preset| (preset.id, preset.document));
    presets.chain(MORE).filter_map(|(name, text)| {
        let document = Document::from_text(text).document;
        let resolved = document.resolve().ok()?;
        Some((name, document, resolved))
    })
}

fn run(resolved: &Resolved) -> Outcome {
    outcome(run_to_end(resolved.settings.clone()).view())
}

fn holds(found: Verdict) -> bool {
    matches!(found, Verdict::CannotMove | Verdict::WillWait)
}

#[test]
fn a_check_that_says_no_is_what_the_run_does() {
    let mut seen = 0;
    for (name, _, resolved) in all() {
        let before = check(&resolved);
        let after = run(&resolved);
        let told = verdict(&before, Some(&after));
        let fails = matches!(before.verdict, Verdict::WillFailAndRollBack | Verdict::WillFailAndStay);
        if holds(before.verdict) || holds(told) || fails {
            assert_eq!(before.verdict, told, "{name}");
            assert!(!after.outcome.ends_well(), "{name}: {:?}", after.outcome);
            seen += 1;
        }
    }
    assert!(seen >= 15, "{seen} of them hold");
}

#[test]
fn what_is_offered_helps_when_it_is_tried() {
    let mut tried = 0;
    for (name, document, resolved) in all() {
        let before: Check = check(&resolved);
        for change in &before.changes {
            let (with, problems) = document.with(change.field(), change.written());
            assert!(problems.iter().all(|problem| !problem.is_error()), "{name} {change:?}: {problems:?}");
            let accepted = with.resolve().unwrap_or_else(|problems| panic!("{name} {change:?}: {problems:?}"));
            let after = check(&accepted);
            assert!(after.moves() && !holds(after.verdict), "{name} {change:?}: {:?}", after.verdict);
            if before.started > 0 || before.shift.is_some() {
                assert!(after.started > before.started, "{name} {change:?}");
            }
            tried += 1;
        }
        let blocked = holds(before.verdict) && !before.moves();
        assert!(!blocked || !before.changes.is_empty() || name.contains("Fargate"), "{name}: nothing is offered");
    }
    assert!(tried >= 30, "{tried} of them were tried");
}

#[test]
fn room_for_both_sets_is_counted_by_trying() {
    let changes = |name: &str| {
        let (_, _, resolved) = all().find(|(found, ..)| *found == name).expect("one of them");
        check(&resolved).changes.iter().map(|change| (change.field(), change.value())).collect::<Vec<_>>()
    };
    assert_eq!(changes("blue/green on a full cluster"), [("/capacity/instances/0/count", 8)]);
    assert_eq!(changes("canary with room for two"), [("/capacity/instances/0/count", 8)]);
    // 6 wanted, 8 fit: 12 instances of one place hold both sets.
    assert_eq!(changes("A28"), [("/capacity/instances/0/count", 12)]);
    assert_eq!(changes("A31").first(), Some(&("/capacity/instances/0/count", 5)));
    assert!(changes("A31").contains(&("/capacity/task/hostPorts", 0)));
    assert!(changes("no Fargate capacity").is_empty(), "an old task that stops would find nobody to take its place");
}

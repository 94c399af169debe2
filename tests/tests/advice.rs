//! Before the run: what the check says is what the run does, and what it offers helps.
#![cfg(not(target_arch = "wasm32"))]

use std::cmp::Reverse;

use rollscope_engine::SimTime;
use rollscope_engine::settings::Capacity;
use rollscope_engine::trace::{TaskChange, What};
use rollscope_insight::{
    Boot, Caution, Check, Outcome, OutcomeKind, Verdict, boot, check, failed_at, offers, outcome, run_to_end, verdict,
};
use rollscope_scenario::{Document, PRESETS, Resolved, Value, json};

/// Services that wait, cannot move, or find room for some: beside the presets.
const MORE: [(&str, &str); 26] = [
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
    (
        "a drain shorter than the requests",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":100}},"targetGroups":[{"deregistration_delay.timeout_seconds":10}],"traffic":{"requests_per_second":100},"old":{"request_time":"1m"},"new":{"request_time":"1m"}}"#,
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
    (
        "a drain that both limits block",
        r#"{"service":{"desiredCount":3,"launchType":"EC2","deploymentConfiguration":{"maximumPercent":125}},"start":{"deploy":false},"capacity":{"instances":[{"count":3}],"task":{"cpu":1024}},"acts":[{"at":"1m","do":"drain_instance","instance":1}]}"#,
    ),
    (
        "a drain without room elsewhere",
        r#"{"service":{"desiredCount":4,"launchType":"EC2"},"start":{"deploy":false},"capacity":{"instances":[{"count":2}],"task":{"cpu":1024}},"acts":[{"at":"1m","do":"drain_instance","instance":1}]}"#,
    ),
    (
        "half the tasks for all of the load",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":150}},"targetGroups":[{}],"traffic":{"requests_per_second":100,"per_task":30}}"#,
    ),
    (
        "half the tasks and no room for more",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":100}},"targetGroups":[{}],"traffic":{"requests_per_second":100,"per_task":30}}"#,
    ),
    (
        "green dies with all of the traffic",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"BLUE_GREEN","bakeTimeInMinutes":60}},"targetGroups":[{}],"new":{"fate":"never_passes","by_start":{"1":{"turns_unhealthy_after":"30m"},"2":{"turns_unhealthy_after":"30m"},"3":{"turns_unhealthy_after":"30m"},"4":{"turns_unhealthy_after":"30m"}}}}"#,
    ),
    (
        "templates that are not in the order of time",
        r#"{"service":{"desiredCount":6},"start":{"deploy":false},"acts":[{"at":"9m","do":"schedule","count":6},{"at":"1m","do":"template","count":2}]}"#,
    ),
    (
        "a provider too small once one may stop",
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":75}},"capacity":{"instances":[{"count":4,"cpu":256}],"provider":{"max":4}}}"#,
    ),
    (
        "long drains in a place for one",
        r#"{"service":{"desiredCount":2,"launchType":"EC2"},"start":{"deploy":false},"capacity":{"instances":[{"count":2,"cpu":256}]},"targetGroups":[{"deregistration_delay.timeout_seconds":600}],"timing":{"open_request":"1h"},"old":{"by_start":{"1":{"turns_unhealthy_after":"65s"}}}}"#,
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

/// Nobody reads only "It can move" of a run in which tasks fail by the dozen, or an alarm goes off or is ignored and
/// nothing is rolled back.
#[test]
fn what_nothing_guards_against_is_told() {
    let (mut plain, mut told) = (0, [0; 3]);
    for (name, _, resolved) in all() {
        let before = check(&resolved);
        let after = run(&resolved);
        match verdict(&before, Some(&after)) {
            Verdict::CanMove => {
                let fails = after.failures_counted.max(after.failures);
                assert!(fails < 3, "{name}: {fails} failures");
                let alarms: usize = after.services.iter().map(|s| s.alarms.triggered.len()).sum();
                let ignored = after.services.iter().filter(|s| s.alarms.ignored).count();
                assert_eq!((alarms, ignored, after.troubles.late_alarm), (0, 0, None), "{name}");
                plain += 1;
            }
            Verdict::Caution(Caution::FailsFirst(_)) => told[0] += 1,
            Verdict::Caution(Caution::AlarmTooLate(_)) => told[1] += 1,
            Verdict::Caution(Caution::AlarmsIgnored) => told[2] += 1,
            _ => {}
        }
    }
    assert!(plain >= 15 && told.iter().all(|n| *n > 0), "{plain} plain, {told:?}");
}

/// What the heading of the new revision says of its tasks is what the run does with them.
#[test]
fn how_the_new_revision_boots_is_known_before() {
    let mut seen = [0; 4];
    for (name, _, resolved) in all() {
        let settings = &resolved.settings;
        let Some(revision) = settings.start.deploy else { continue };
        let run = run_to_end(settings.clone());
        let of_new = run.trace.records.iter().filter_map(|record| match record.what {
            What::Task { task, change } if task.name.revision == revision => Some(change),
            _ => None,
        });
        let kind = match boot(settings) {
            Boot::Refused { expects, .. } => {
                let records = run.trace.records.iter();
                let there = |what: &What| matches!(what, What::Schema { version } if *version >= expects);
                let before = records.take_while(|record| !there(&record.what));
                let healthy = |what: &What| matches!(what, What::Task { task, change: TaskChange::Healthy } if task.name.revision == revision);
                assert_eq!(before.filter(|record| healthy(&record.what)).count(), 0, "{name}");
                0
            }
            Boot::NoDigests => {
                assert!(!of_new.clone().any(|change| change == TaskChange::Healthy), "{name}");
                1
            }
            Boot::Unchecked => {
                assert!(!of_new.clone().any(|change| matches!(change, TaskChange::Unhealthy(_))), "{name}");
                2
            }
            Boot::Checked => 3,
        };
        seen[kind] += 1;
    }
    assert!(seen[0] > 0 && seen[2] > 10 && seen[3] > 10, "{seen:?}");
}

#[test]
fn what_is_offered_helps_when_it_is_tried() {
    let mut tried = 0;
    for (name, document, resolved) in all() {
        let before: Check = check(&resolved);
        for change in &before.changes {
            let (with, problems) = document.with(&change.field(), change.written());
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
    let count = |n| ("/capacity/instances/0/count".to_owned(), n);
    let changes = |name: &str| {
        let (_, _, resolved) = all().find(|(found, ..)| *found == name).expect("one of them");
        check(&resolved).changes.iter().map(|change| (change.field(), change.value())).collect::<Vec<_>>()
    };
    assert_eq!(changes("blue/green on a full cluster"), [count(8)]);
    assert_eq!(changes("canary with room for two"), [count(8)]);
    // 6 wanted, 8 fit: 12 instances of one place hold both sets.
    assert_eq!(changes("A28"), [count(12)]);
    assert_eq!(changes("A31").first(), Some(&count(5)));
    assert!(changes("A31").contains(&("/capacity/task/hostPorts".to_owned(), 0)));
    assert!(changes("no Fargate capacity").is_empty(), "an old task that stops would find nobody to take its place");
}

/// A service up to this size is run again and again.
const TASKS_MAX: u32 = 120;

/// Values of single fields of which one or the other would help many a run.
const FIELDS: [(&str, &str); 15] = [
    ("/service/deploymentConfiguration/maximumPercent", "200"),
    ("/service/deploymentConfiguration/maximumPercent", "400"),
    ("/service/deploymentConfiguration/minimumHealthyPercent", "0"),
    ("/service/deploymentConfiguration/minimumHealthyPercent", "50"),
    ("/service/deploymentConfiguration/minimumHealthyPercent", "100"),
    ("/service/deploymentConfiguration/deploymentCircuitBreaker", r#"{"enable":true,"rollback":true}"#),
    ("/service/deploymentConfiguration/deploymentCircuitBreaker/resetOnHealthyTask", "true"),
    ("/service/healthCheckGracePeriodSeconds", "600"),
    ("/capacity/instances/0/count", "30"),
    ("/capacity/task/hostPorts", "[0]"),
    ("/capacity/provider/max", "50"),
    ("/targetGroups/0/deregistration_delay.timeout_seconds", "10"),
    ("/places", r#"[{"at":"0s","places":100}]"#),
    ("/acts/0/count", "10"),
    ("/alarms/0/at_start", r#""OK""#),
];

/// What a run has against it beside its end: whoever reads the verdict has to be told. `floor` is the least
/// that is a floor: a lower one than today's would only hide what happens.
fn against(before: &Check, seen: &Outcome, floor: u32) -> u32 {
    let idle = !before.rollout && seen.services.is_empty();
    let low = idle && seen.figures.lowest_healthy < seen.figures.bounds.1.max(floor);
    let found = [
        seen.troubles.template.is_some(),
        seen.troubles.drain.is_some_and(|drain| drain.empty_at.is_none()),
        seen.troubles.overload.is_some(),
        seen.replacement_waited_ms >= 60_000,
        before.alarms_ignored,
        before.waiting.0 > 0,
        seen.troubles.cut.is_some(),
        low,
        idle && seen.figures.lowest_healthy == 0,
    ];
    found.iter().map(|found| u32::from(*found)).sum()
}

/// How well a run goes, the more the better: its end, what it has against it, and, where only the limit of a stage or
/// of a hook ends it today (`held`), how soon it is given up.
fn weal(before: &Check, seen: &Outcome, (held, floor): (bool, u32)) -> (u8, Reverse<u32>, Reverse<Option<SimTime>>) {
    let end = match seen.outcome {
        OutcomeKind::Completed => 4,
        OutcomeKind::RolledBack => 3,
        OutcomeKind::CompletedThenFailing => 2,
        OutcomeKind::Failed => 1,
        _ => 0,
    };
    let given_up = seen.services.last().and_then(failed_at).filter(|_| held && end < 4);
    (end, Reverse(against(before, seen, floor)), Reverse(given_up))
}

/// The run with one field changed, where the service accepts it.
fn with(document: &Document, field: &str, value: Value) -> Option<(Check, Outcome)> {
    let (changed, problems) = document.with(field, value);
    if problems.iter().any(|problem| problem.is_error()) {
        return None;
    }
    let resolved = changed.resolve().ok().filter(|resolved| resolved.limits.desired <= TASKS_MAX)?;
    Some((check(&resolved), run(&resolved)))
}

/// Before Play the reader is told what is wrong, and, where a single field would help, of one that does.
#[test]
fn what_is_wrong_is_told_before_play_with_what_helps() {
    let (mut ill, mut helped) = (0, 0);
    for (name, document, resolved) in all().filter(|(.., resolved)| resolved.limits.desired <= TASKS_MAX) {
        let (before, seen) = (check(&resolved), run(&resolved));
        let told = verdict(&before, Some(&seen));
        let held = (seen.troubles.held.is_some(), seen.figures.bounds.1);
        let today = weal(&before, &seen, held);
        if today.0 == 4 && today.1.0 == 0 {
            continue;
        }
        ill += 1;
        let silent = matches!(told, Verdict::CanMove | Verdict::NothingToDo | Verdict::Caution(Caution::WaiterGivesUp));
        assert!(!silent, "{name}: {:?}, {:?}, {told:?}", seen.outcome, seen.troubles);
        let found = offers(&resolved, &before, &seen);
        for change in &found {
            // Whoever offers a lower floor says so.
            let held = (held.0, 0);
            let (then, after) = with(&document, &change.field(), change.written())
                .unwrap_or_else(|| panic!("{name} {change:?}: is not accepted"));
            assert!(
                weal(&then, &after, held) > today,
                "{name} {change:?}: {:?}, today {today:?}",
                weal(&then, &after, held)
            );
        }
        helped += usize::from(!found.is_empty());
        if found.is_empty() {
            let fields = FIELDS.map(|(field, value)| (field, json::read(value).expect("a value").value));
            let one_more = Value::from(i64::from(resolved.limits.desired) + 1);
            for (field, value) in fields.into_iter().chain([("/service/desiredCount", one_more)]) {
                // A breaker brings no capacity, and gives up what would go on once Fargate has some again.
                let waits = matches!(resolved.settings.capacity, Capacity::Fargate(_));
                if waits && told == Verdict::WillWait && field.ends_with("deploymentCircuitBreaker") {
                    continue;
                }
                let Some((then, after)) = with(&document, field, value) else { continue };
                assert!(
                    weal(&then, &after, held) <= today,
                    "{name}: {field} helps ({:?}), today {today:?}",
                    weal(&then, &after, held)
                );
            }
        }
    }
    assert!(ill >= 40 && helped >= 25, "{ill} are ill, {helped} are helped");
}

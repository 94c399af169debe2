//! When narrated steps are said.

use rollscope_insight::{Run, chapters, moment_of, run_to_end};
use rollscope_scenario::Resolved;
use rollscope_scenario::steps::{self, Happening, When};

use crate::{resolve, service};

/// Milliseconds of each moment, by name.
fn moments(resolved: &Resolved, run: &Run, names: &[&str]) -> Vec<Option<u64>> {
    let when = |name: &&str| When::parse(name).unwrap_or_else(|| panic!("{name}"));
    names.iter().map(|name| moment_of(run.view(), resolved.watchdog, when(name)).map(|at| at.ms())).collect()
}

fn run(resolved: &Resolved) -> Run {
    run_to_end(resolved.settings.clone())
}

const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;

#[test]
fn tasks_and_the_ends() {
    // Four start at 0, RUNNING at 15 s, healthy at 45 s; the old ones stop then and are gone at 75 s.
    let resolved = service(4, 100, 200, &format!(r#""targetGroups": [{{}}], {FIXED}"#));
    let run = run(&resolved);
    let names = ["start", "first_start", "start:4", "start:5", "first_running", "healthy:4", "first_stop", "stop:5"];
    assert_eq!(
        moments(&resolved, &run, &names),
        [Some(0), Some(0), Some(0), None, Some(15_000), Some(45_000), Some(45_000), None]
    );
    let names = ["gone_old", "gone_old:2", "success", "end", "first_failure", "stuck", "gate", "border", "act:1"];
    assert_eq!(
        moments(&resolved, &run, &names),
        // No breaker and no alarm: there is no protection whose end could be a border.
        [Some(75_000), None, Some(75_000), Some(75_000), None, None, None, None, None]
    );
}

#[test]
fn nothing_moves() {
    let resolved = service(1, 100, 150, "");
    let run = run(&resolved);
    assert_eq!(
        moments(&resolved, &run, &["stuck", "stuck:2", "success", "waiter_gives_up"])[..3],
        [Some(0), None, None]
    );
    // The 40th try, 39 pauses of 15 seconds after the first.
    assert_eq!(moments(&resolved, &run, &["waiter_gives_up"]), [Some(585_000)]);
}

#[test]
fn a_stopped_task_is_forgotten_after_an_hour() {
    // RUNNING at 15 s, exits at 60 s, and so on every minute: two stops each time.
    let unseen = |until: &str| {
        let worker = r#"{"service": {"desiredCount": 2}, "new": {"fate": {"exits_after": "45s"}}, "until": "UNTIL"}"#;
        resolve(&worker.replace("UNTIL", until))
    };
    let names = ["forgotten", "forgotten:2", "forgotten:3"];
    let long = unseen("65m");
    assert_eq!(moments(&long, &run(&long), &names), [Some(3_660_000), Some(3_660_000), Some(3_720_000)]);
    let short = unseen("61m");
    assert_eq!(moments(&short, &run(&short), &names), [Some(3_660_000), Some(3_660_000), None], "the run is over");
}

#[test]
fn a_rollback_that_is_off_is_a_border_from_the_start() {
    // Two fail at 15 s, two more at 30 s: the third one trips, and nothing goes back.
    let resolved = resolve(
        r#"{"service": {"desiredCount": 2, "deploymentConfiguration": {
            "deploymentCircuitBreaker": {"enable": true, "rollback": false}}},
            "quotas": "none", "new": {"fate": "never_running"}}"#,
    );
    let run = run(&resolved);
    let names = ["border", "unprotected_start:2", "failure:2", "trip", "failure:4", "rollback_begins", "stalled"];
    assert_eq!(moments(&resolved, &run, &names), [Some(0), Some(0), Some(15_000), Some(30_000), None, None, None]);
    // Both failures of an instant, counted or not.
    assert_eq!(moments(&resolved, &run, &["first_uncounted"]), [Some(30_000)]);
}

#[test]
fn a_rollback_that_begins_is_the_border() {
    let preset = |id: &str| resolve(rollscope_scenario::Preset::find(id).unwrap_or_else(|| panic!("{id}")).document);
    let resolved = preset("breaker-trips");
    assert_eq!(moments(&resolved, &run(&resolved), &["rollback_begins", "border"]), [Some(35_000); 2]);
    // Deployment 2 is rolled back at 104 s, which nothing rolls back in its turn; deployment 3 begins at
    // 110 s and has nothing to go back to.
    let resolved = preset("one-two-three");
    let names = ["rollback_begins", "first_border", "border:2", "unprotected_start"];
    assert_eq!(
        moments(&resolved, &run(&resolved), &names),
        [Some(104_000), Some(104_000), Some(110_000), Some(106_000)]
    );
}

#[test]
fn what_is_started_in_place_of_an_old_task_is_old_too() {
    // Both are killed, one after the other; what starts in their place is not needed any more at 45 s.
    let acts = r#""acts": [{"at": "10s", "do": "kill", "task": "7.1"}, {"at": "20s", "do": "kill", "task": "7.2"}]"#;
    let resolved = service(2, 100, 200, &format!(r#""targetGroups": [{{}}], {FIXED}, {acts}"#));
    assert_eq!(moments(&resolved, &run(&resolved), &["act:2", "gone_old"]), [Some(20_000), Some(75_000)]);
}

#[test]
fn a_source_task_that_is_made_good_is_no_unprotected_start() {
    let resolved = resolve(&format!(
        r#"{{"service": {{"desiredCount": 2, "deploymentConfiguration": {{
            "deploymentCircuitBreaker": {{"enable": true, "rollback": true}}}}}},
            "targetGroups": [{{}}], "quotas": "none", {FIXED},
            "acts": [{{"at": "10m", "do": "deploy", "revision": 9}}, {{"at": "610s", "do": "kill", "task": "8.1"}}]}}"#
    ));
    let names = ["first_border", "border:2", "first_unprotected_start", "start:5"];
    assert_eq!(moments(&resolved, &run(&resolved), &names), [Some(75_000), Some(675_000), None, Some(610_001)]);
}

#[test]
fn what_is_no_alarm_and_no_failure() {
    let resolved = resolve(
        r#"{"service": {"desiredCount": 1, "deploymentConfiguration": {
            "alarms": {"alarmNames": ["a"], "enable": true, "rollback": false}}},
            "alarms": [{"name": "a", "changes": [{"at": "20s", "state": "INSUFFICIENT_DATA"},
            {"at": "30s", "state": "ALARM"}]}]}"#,
    );
    assert_eq!(moments(&resolved, &run(&resolved), &["alarm", "border", "trip"]), [Some(30_000), Some(0), None]);
    // Checks that fail inside the grace period are records, not failures.
    let grace = rollscope_scenario::Preset::find("grace-180").expect("a preset");
    let resolved = resolve(grace.document);
    assert_eq!(moments(&resolved, &run(&resolved), &["uncounted", "failure"]), [None, None]);
}

#[test]
fn failures_that_nothing_watches() {
    let resolved = service(2, 100, 200, r#""new": {"fate": "never_running"}, "until": "40s""#);
    let run = run(&resolved);
    assert_eq!(
        moments(&resolved, &run, &["first_uncounted", "uncounted:3", "first_failure"]),
        [Some(15_000), Some(30_000), None]
    );
    // The third stop within five minutes; the watchdog looks at every service.
    assert_eq!(moments(&resolved, &run, &["watchdog_alarm", "watchdog_alarm:2"]), [Some(30_000), None]);
}

#[test]
fn steps_without_a_moment_are_left_out_and_the_rest_is_in_the_order_of_time() {
    let resolved = service(4, 100, 200, &format!(r#""targetGroups": [{{}}], {FIXED}"#));
    let run = run(&resolved);
    let list = steps::read(
        r#"[{"when": "success", "text": {"en": "Done."}}, {"when": "trip", "text": {"en": "Never."}},
            {"when": "start", "text": {"en": "Begins."}}, {"when": "gone_old", "text": {"en": "Gone."}}]"#,
    )
    .expect("a list");
    let chapters = chapters(run.view(), resolved.watchdog, &list);
    let said: Vec<_> = chapters.iter().map(|chapter| (chapter.at.ms(), chapter.step.text("en"))).collect();
    // Two at one moment: the order of the list.
    assert_eq!(said, [(0, "Begins."), (75_000, "Done."), (75_000, "Gone.")]);
}

#[test]
fn whatever_a_step_can_wait_for_happens_in_some_preset_or_above() {
    let elsewhere = [
        Happening::TaskStop,
        Happening::Stuck,
        Happening::Deadline,
        Happening::Refused,
        Happening::Unschedulable,
        Happening::Unready,
        Happening::Restart,
    ];
    let narrated: Vec<When> = rollscope_scenario::Preset::all()
        .flat_map(|preset| rollscope_scenario::preset_steps::of(preset.id))
        .map(|step| step.when)
        .collect();
    for happening in Happening::ALL {
        let told = narrated.iter().any(|when| matches!(when, When::Nth(of, _) if of == happening));
        assert!(told || elsewhere.contains(happening), "{}", happening.name());
    }
}

#[test]
fn what_only_kubernetes_knows() {
    // Two Pods at 1/0, ready 30 s after the start; a row is a document's rest and when each thing happens.
    let names = ["deadline", "refused", "unschedulable", "unready", "restart", "success"];
    let probe = r#""template": {"spec": {"containers": [{"readinessProbe": {"periodSeconds": 5}}]}}"#;
    let table = [
        (r#""new": {}"#, [None, None, None, None, None, Some(60_000)]),
        (r#""new": {"fate": "never_passes"}"#, [Some(601_000), None, None, None, None, None]),
        (r#""resourceQuota": [{"at": "0s", "pods": 2}]"#, [Some(601_000), Some(0), None, None, None, None]),
        (r#""places": [{"at": "0s", "places": 2}]"#, [Some(601_000), None, Some(0), None, None, None]),
        // Starts at 15 s, exits at 20 s and starts again at once.
        (r#""new": {"fate": {"exits_after": "5s"}}, "until": "60s""#, [None, None, None, None, Some(20_000), None]),
    ];
    for (rest, expected) in table {
        let rolling = r#""strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}"#;
        let resolved = resolve(&format!(
            r#"{{"platform": "kubernetes-deployment", "service": {{"replicas": 2, {rolling}, {probe}}}, {rest}}}"#
        ));
        assert_eq!(moments(&resolved, &run(&resolved), &names), expected, "{rest}");
    }
    // Every Pod is unready from 45 s on, as soon as three checks failed at intervals of 5 s.
    let resolved = resolve(&format!(
        r#"{{"platform": "kubernetes-deployment", "service": {{"replicas": 2, {probe}}},
            "start": {{"deploy": false}}, "acts": [{{"at": "45s", "do": "unready", "for": "1m"}}]}}"#
    ));
    let found = moments(&resolved, &run(&resolved), &["unready", "unready:2", "unready:3"]);
    assert!(found[0].is_some_and(|at| (45_000..=60_000).contains(&at)) && found[1].is_some(), "{found:?}");
    assert_eq!(found[2], None);
}

#[test]
fn what_only_an_instance_refresh_knows() {
    // Two instances, each ready 30 + 60 s after its launch; a row is a document's rest and when each thing happens.
    let names = [
        "first_checkpoint",
        "checkpoint:2",
        "refresh_fails",
        "rollback_begins",
        "rolled_back",
        "bake_begins",
        "success",
    ];
    let to_two = r#""DesiredConfiguration": {"LaunchTemplate": {"Version": "2"}}"#;
    let alarm = r#""alarms": [{"name": "a", "changes": [{"at": "100s", "state": "ALARM"}]}]"#;
    let table = [
        (r#""InstanceWarmup": 60, "BakeTime": 30"#.to_owned(), String::new(), String::new(), {
            [None, None, None, None, None, Some(180_000), Some(210_000)]
        }),
        (
            r#""InstanceWarmup": 60, "CheckpointPercentages": [50, 100], "CheckpointDelay": 20"#.to_owned(),
            String::new(),
            String::new(),
            [Some(90_000), Some(200_000), None, None, None, None, Some(200_000)],
        ),
        // The alarm at 100 s: the second one is on its way, and goes; 90 s each.
        (
            r#""InstanceWarmup": 60, "AutoRollback": true, "AlarmSpecification": {"Alarms": ["a"]}"#.to_owned(),
            format!(", {to_two}"),
            format!(", {alarm}"),
            [None, None, None, Some(100_000), Some(280_000), None, None],
        ),
        // One place too few to launch first, for an hour.
        (
            r#""MinHealthyPercentage": 100, "MaxHealthyPercentage": 110"#.to_owned(),
            String::new(),
            r#", "places": [{"at": "0s", "places": 2}]"#.to_owned(),
            [None, None, Some(3_600_000), None, None, None, None],
        ),
    ];
    for (preferences, service, rest, expected) in table {
        let group = r#""DesiredCapacity": 2, "LaunchTemplate": {"Version": "1"}"#;
        let resolved = resolve(&format!(
            r#"{{"platform": "asg-refresh", "service": {{{group}, "Preferences": {{{preferences}}}{service}}},
                "timing": {{"healthy_after": "30s", "gone_after": "20s"}}{rest}}}"#
        ));
        assert_eq!(moments(&resolved, &run(&resolved), &names), expected, "{preferences}");
    }
}

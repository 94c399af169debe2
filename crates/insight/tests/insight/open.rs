//! Requests that are open in tasks that get no more, against the account of the run.

use rollscope_engine::SimTime;
use rollscope_engine::trace::{StopCode, TaskChange, What};
use rollscope_insight::open::{leavings, most_open, open};
use rollscope_insight::{Leaving, Open, run_to_end};
use rollscope_scenario::{Document, PRESETS};

/// 100 requests a second on four tasks, one in ten takes a minute, and the drain ends after ten seconds.
#[test]
fn a_drain_that_is_too_short() {
    let preset = PRESETS.iter().find(|preset| preset.id == "drain-too-short").expect("a preset");
    let run = run_to_end(Document::from_text(preset.document).document.resolve().expect("it runs").settings);
    let (list, settings) = (leavings(run.view()), run.end.settings());
    assert_eq!(list.len(), 4);
    let Leaving { from, until, rate, .. } = list[0];
    assert_eq!((until.since(from), rate), (10_000, 25_000));
    for (after, each) in [(0, 172_500), (500, 160_000), (1_000, 147_500), (9_000, 127_500), (10_000, 0)] {
        assert_eq!(list[0].open(settings, from + after), each, "{after}");
        let now = open(&list, settings, from + after);
        let (tasks, doomed) = if each > 0 { (4, 500_000) } else { (0, 0) };
        assert_eq!(now, Open { tasks, requests: 4 * each, doomed }, "{after}");
    }
    let most = most_open(&list, settings).expect("some are open");
    assert_eq!((most.0, most.1.requests), (from, 690_000));
    assert_eq!(open(&list, settings, SimTime(from.ms() - 1)).tasks, 0);
}

/// Runs in which an old task leaves at time 0, in rounds, by weight, and before a second deployment is done.
const MORE: [&str; 4] = [
    r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":100}}"#,
    r#"{"service":{"desiredCount":7,"deploymentConfiguration":{"minimumHealthyPercent":66,"maximumPercent":133}}"#,
    r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"CANARY","canaryConfiguration":{"canaryPercent":10,"canaryBakeTimeInMinutes":1},"bakeTimeInMinutes":1}}"#,
    r#"{"service":{"desiredCount":4},"acts":[{"at":"70s","do":"deploy","revision":9}]"#,
];

/// In every example what is open when the time of a task is over is what the account of the run says was cut off.
#[test]
fn what_is_open_at_the_end_of_a_drain_is_cut_off() {
    let mut seen = 0;
    let rest = r#","targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":5}],
        "traffic":{"requests_per_second":90},"old":{"request_time":{"table":[["1s",9],["60s",1]]}},"new":{"request_time":"20s"}}"#;
    let more: Vec<String> = MORE.iter().map(|text| format!("{text}{rest}")).collect();
    let presets = PRESETS.iter().map(|preset| (preset.id, preset.document));
    for (name, text) in presets.chain(more.iter().map(|text| (&**text, &**text))) {
        let Ok(resolved) = Document::from_text(text).document.resolve() else { continue };
        let settings = resolved.settings;
        if settings.traffic.is_none() || settings.target_groups.is_empty() {
            continue;
        }
        let run = run_to_end(settings);
        let view = run.view();
        // Whoever exits by itself or with its instance cuts off what it has, and leaves no rotation before.
        let exits = |change: &TaskChange| matches!(change, TaskChange::Stopped(code) if *code != StopCode::ServiceSchedulerInitiated);
        let mut changes = view.records.iter().filter_map(|record| match &record.what {
            What::Task { change, .. } => Some(change),
            _ => None,
        });
        let list = leavings(view);
        assert!(!list.is_empty(), "{name}");
        if changes.any(exits) {
            continue;
        }
        let open: u64 = list.iter().map(|leaving| leaving.cut_off(run.end.settings())).sum();
        let cut = run.end.traffic().expect("traffic").totals.cut_off;
        assert!(cut.abs_diff(open) <= list.len() as u64, "{name}: {open} open, {cut} cut off");
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}

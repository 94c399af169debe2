//! Odd scenarios that once went wrong, through the whole way from the document to the outcome.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::settings::{Command, Settings, TaskName};
use rollscope_engine::trace::{Decision, Reason, StopCode, TaskChange, Trace, What};
use rollscope_engine::{Ending, SimTime, Simulation};
use rollscope_insight::{CutOff, OutcomeKind, Run, outcome, run_to_end};
use rollscope_scenario::{Document, Problem, Value};

fn resolve(text: &str) -> Result<Settings, Vec<Problem>> {
    let reading = Document::from_text(text);
    assert!(reading.problems.iter().all(|problem| !problem.is_error()), "{:?}", reading.problems);
    reading.document.resolve().map(|resolved| resolved.settings)
}

fn settings(text: &str) -> Settings {
    resolve(text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn changes(run: &Run, revision: u32, start: u32) -> Vec<(u64, TaskChange)> {
    let of_task = |what: What| match what {
        What::Task { task, change } if task.name == TaskName { revision, start } => Some(change),
        _ => None,
    };
    run.trace.records.iter().filter_map(|r| Some((r.at.ms(), of_task(r.what)?))).collect()
}

#[test]
fn a_new_fate_is_for_the_next_starts_only() {
    for at in ["1s", "6s"] {
        let run = run_to_end(settings(&format!(
            r#"{{ "service": {{ "desiredCount": 4 }}, "acts": [
                {{ "at": "{at}", "do": "fate", "revision": 8, "fate": {{ "never_running": {{ "after": "20s" }} }} }} ] }}"#
        )));
        let end = outcome(run.view());
        assert_eq!((end.outcome, end.failures), (OutcomeKind::Completed, 0), "from {at} on");
    }
}

#[test]
fn a_kill_in_the_last_millisecond_before_running_holds() {
    let run = run_to_end(settings(
        r#"{ "service": { "desiredCount": 1 }, "acts": [ { "at": 14999, "do": "kill", "task": "8.1" } ] }"#,
    ));
    let last = changes(&run, 8, 1).pop();
    assert_eq!(last, Some((15_000, TaskChange::Stopped(StopCode::EssentialContainerExited))));
}

#[test]
fn an_end_of_its_own_may_come_after_the_horizon() {
    let run = run_to_end(settings(
        r#"{ "service": { "desiredCount": 1, "healthCheckGracePeriodSeconds": 172800 }, "targetGroups": [ {} ],
            "new": { "fate": "never_passes" }, "until": "3d" }"#,
    ));
    let end = outcome(run.view());
    assert_eq!((end.cut_off_by, end.ended_at), (Some(CutOff::Until), SimTime(3 * 86_400_000)));
    assert_eq!(end.failures, 1, "the grace period ends after two days");
}

#[test]
fn scaling_in_takes_an_unhealthy_task_together_with_its_replacement() {
    for (count, healthy) in [(0, 0), (1, 1)] {
        let run = run_to_end(settings(&format!(
            r#"{{ "service": {{ "desiredCount": 2 }}, "targetGroups": [ {{}} ], "timing": {{ "pull": "10m" }},
                "new": {{ "by_start": {{ "1": {{ "turns_unhealthy_after": "5m" }} }} }},
                "acts": [ {{ "at": "20m", "do": "desired", "count": {count} }} ] }}"#
        )));
        let decided: Vec<u64> = [1, 3]
            .iter()
            .flat_map(|start| changes(&run, 8, *start))
            .filter(|(_, change)| matches!(change, TaskChange::StopDecided(_)))
            .map(|(at, _)| at)
            .collect();
        assert_eq!(decided, [1_200_000, 1_200_000], "desired {count}");
        assert_eq!(outcome(run.view()).now.all.healthy, healthy);
    }
}

#[test]
fn a_batch_of_which_a_task_reached_running_arms_no_throttle() {
    let run = run_to_end(settings(
        r#"{ "service": { "desiredCount": 4 }, "new": { "by_start": {
            "4": { "never_running": { "after": "20s" } }, "5": "never_running", "6": "never_running" } } }"#,
    ));
    let throttled = |what: What| matches!(what, What::Decision(Decision { reason: Reason::Throttled { .. }, .. }));
    assert!(!run.trace.records.iter().any(|record| throttled(record.what)));
    assert_eq!(outcome(run.view()).failures, 3);
}

#[test]
fn the_event_budget_bounds_tasks_as_well() {
    let acts: Vec<String> =
        (0..200).map(|i| format!(r#"{{ "at": 0, "do": "deploy", "revision": {} }}"#, 9 + i)).collect();
    let mut settings = settings(&format!(
        r#"{{ "service": {{ "desiredCount": 1000, "deploymentConfiguration": {{ "maximumPercent": 1000000 }} }},
            "quotas": "none", "acts": [ {} ] }}"#,
        acts.join(", ")
    ));
    settings.event_budget = 10_000;
    let run = run_to_end(settings);
    assert_eq!(run.end.ending(), Some(Ending::EventBudget));
    assert!(run.end.frame().slots.len() <= 11_000);
}

#[test]
fn a_budget_that_is_used_up_takes_no_act_by_hand() {
    let mut settings = settings(r#"{ "service": { "desiredCount": 2 } }"#);
    let mut sim = Simulation::new(settings.clone());
    sim.advance_to(SimTime(5_000), &mut Trace::null());
    settings.event_budget = sim.events_done();
    let mut sim = Simulation::new(settings);
    sim.advance_to(SimTime(5_000), &mut Trace::null());
    assert!(!sim.apply(Command::SetDesired(5), &mut Trace::null()));
    assert_eq!((sim.events_done(), sim.acts().len()), (sim.settings().event_budget, 0));
}

#[test]
fn pools_are_few() {
    let starts = |n: u32| {
        let entries: Vec<String> = (1..=n).map(|k| format!(r#""{k}": {{ "above_running": {k} }}"#)).collect();
        resolve(&format!(
            r#"{{ "service": {{ "desiredCount": 2 }}, "new": {{ "by_start": {{ {} }} }} }}"#,
            entries.join(", ")
        ))
    };
    assert!(starts(64).is_ok());
    assert!(starts(65).unwrap_err()[0].allowed.contains("64 different numbers"));
}

#[test]
fn the_nearest_revision_is_an_accepted_one() {
    let problems = resolve(r#"{ "service": { "desiredCount": 1 }, "old": { "revision": 4294967295 } }"#).unwrap_err();
    assert_eq!(problems[0].nearest, Some(Value::from(4_294_967_294u32)));
}

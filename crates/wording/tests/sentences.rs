//! What the product says, word for word, for runs whose numbers are known by hand.

use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Reason, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::service_events::service_events;
use rollscope_insight::{Change, Run, check, outcome, run_to_end};
use rollscope_scenario::{Document, Resolved};
use rollscope_wording as wording;
use rollscope_wording::{Figure, Language, Scene, Text};

fn service(desired: u32, minimum: u32, maximum: u32, more: &str) -> Resolved {
    let text = format!(
        r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration":
            {{"minimumHealthyPercent": {minimum}, "maximumPercent": {maximum}}}}}, "quotas": "none",
            "timing": {{"healthy_after": "45s", "gone_after": "30s"}}{more}}}"#
    );
    Document::from_text(&text).resolve().unwrap_or_else(|problems| panic!("{text}: {problems:#?}"))
}

fn run(resolved: &Resolved) -> Run {
    run_to_end(resolved.settings.clone())
}

/// Moments with their captions, without those that repeat.
fn captions(resolved: &Resolved) -> Vec<String> {
    let run = run(resolved);
    let mut sim = Simulation::new(resolved.settings.clone());
    let behind = !resolved.settings.target_groups.is_empty();
    let mut said: Vec<String> = Vec::new();
    for records in run.trace.records.chunk_by(|a, b| a.at == b.at) {
        sim.advance_to(records[0].at, &mut Trace::null());
        let frame = sim.frame();
        let scene = Scene::of(&frame, behind, run.end.acts());
        let line = format!("{} {}", wording::time::clock(records[0].at), wording::caption(records, &scene));
        if said.last() != Some(&line) {
            said.push(line);
        }
    }
    said
}

fn verdict(resolved: &Resolved) -> (String, String) {
    let (check, run) = (check(resolved), run(resolved));
    let outcome = outcome(run.view());
    (wording::verdict_title(&check, Some(&outcome)), wording::verdict(&check, Some(&outcome)))
}

fn ended(resolved: &Resolved) -> String {
    wording::outcome(&outcome(run(resolved).view()))
}

#[test]
fn sums_show_their_rounding() {
    let cases = [
        (wording::floor_sum(4, 100), "4 × 100 % = 4, floor 4"),
        (wording::ceiling_sum(4, 150), "4 × 150 % = 6, ceiling 6"),
        (wording::ceiling_sum(1, 150), "1 × 150 % = 1.5, down to ceiling 1"),
        (wording::floor_sum(1, 50), "1 × 50 % = 0.5, up to floor 1"),
        (wording::ceiling_sum(3, 125), "3 × 125 % = 3.75, down to ceiling 3"),
        (wording::floor_sum(50, 14), "50 × 14 % = 7, floor 7"),
        (wording::floor_sum(7, 1), "7 × 1 % = 0.07, up to floor 1"),
        (wording::ceiling_sum(1_000, 101), "1,000 × 101 % = 1,010, ceiling 1,010"),
    ];
    for (said, expected) in cases {
        assert_eq!(said, expected);
    }
}

#[test]
fn durations_in_words() {
    let cases = [
        (0, "0 seconds"),
        (1_000, "1 second"),
        (1_500, "1.5 seconds"),
        (250, "0.25 seconds"),
        (60_000, "1 minute"),
        (233_000, "3 minutes 53 seconds"),
        (3_600_000, "1 hour"),
        (3_900_000, "1 hour 5 minutes"),
        (86_400_000, "1 day"),
        (100_800_000, "1 day 4 hours"),
    ];
    for (ms, expected) in cases {
        assert_eq!(wording::duration(ms), expected);
    }
}

#[test]
fn a_rollout_in_two_rounds() {
    assert_eq!(
        captions(&service(4, 100, 150, "")),
        [
            "0:00 A deployment of r8 begins: 4 tasks wanted, at least 4 healthy, at most 6 at once. \
             ECS starts 8·1 and 1 more. Room was 6 minus 4, 2 slots.",
            "0:05 8·1 and 1 more pull their image.",
            "0:15 8·1 and 1 more are running, their checks begin.",
            "0:45 7·1 and 1 more are picked to stop: 6 are healthy, the floor is 4.",
            "1:15 ECS starts 8·3 and 1 more. Room was 6 minus 4, 2 slots.",
            "1:20 8·3 and 1 more pull their image.",
            "1:30 8·3 and 1 more are running, their checks begin.",
            "2:00 7·4 and 1 more are picked to stop: 6 are healthy, the floor is 4.",
            "2:30 Done after 2 minutes 30 seconds.",
        ]
    );
}

#[test]
fn failures_and_what_is_done_about_them() {
    let bad = r#", "targetGroups": [{}], "timing": {}, "new": {"by_start": {"1": "never_running"}}"#;
    let text = format!(r#"{{"service": {{"desiredCount": 1}}, "quotas": "none"{bad}}}"#);
    let resolved = Document::from_text(&text).resolve().expect("it is accepted");
    let said = captions(&resolved);
    assert_eq!(said[2], "0:15 8·1 failed to start. ECS starts 8·2. Room was 2 minus 1, 1 slot.");
    assert!(
        said.iter().any(|line| line.ends_with("7·1 is picked to stop: 2 are healthy, the floor is 1.")),
        "{said:#?}"
    );
}

#[test]
fn many_that_do_the_same_are_one_sentence() {
    let bad = service(4, 100, 200, r#", "targetGroups": [{}], "new": {"fate": "never_passes"}, "until": "2m""#);
    let said = captions(&bad);
    let failed = said.iter().find(|line| line.contains("failed")).expect("the checks fail");
    assert!(
        failed
            .starts_with("1:15 8·3 and 3 more failed their checks before the first healthy result: they are stopped."),
        "{failed}"
    );
}

#[test]
fn verdicts() {
    let cases = [
        (
            service(4, 100, 150, ""),
            "It can move",
            "First step: start 2, stop 0. Two at a time, at full strength, about 3 minutes.",
        ),
        (
            service(4, 100, 200, ""),
            "It can move",
            "First step: start 4, stop 0. All at once, at full strength, 1 minute 15 seconds.",
        ),
        (
            service(7, 66, 133, ""),
            "It can move",
            "First step: start 2, stop 2. Up to four at a time, down to 5 healthy, about 3 minutes.",
        ),
        (
            service(4, 50, 100, ""),
            "It can move",
            "First step: start 0, stop 2. Two at a time, down to 2 healthy, about 3 minutes.",
        ),
        (
            service(4, 0, 100, ""),
            "It can move, with a caution",
            "All 4 tasks stop before a new one is healthy: nothing serves in between.",
        ),
        (
            service(1, 100, 150, ""),
            "It cannot move",
            "Room to start is 1 minus 1, spare to stop is 1 minus 1: both are 0.",
        ),
        (
            service(4, 100, 200, r#", "places": [{"at": "0s", "places": 4}]"#),
            "It will wait",
            "No new task finds a place, and none may stop before one runs. There are places for 4 tasks.",
        ),
        (
            service(4, 100, 200, r#", "new": {"fate": "never_running"}, "until": "20m""#),
            "It never gets done",
            "New tasks fail before they run, and ECS pauses between attempts. Without a circuit breaker or an alarm it goes on like that.",
        ),
        (service(0, 100, 200, ""), "Nothing to replace", "Nothing to replace: done at once."),
    ];
    for (resolved, title, sentence) in cases {
        assert_eq!(verdict(&resolved), (title.to_string(), sentence.to_string()));
    }
}

#[test]
fn outcomes() {
    assert_eq!(ended(&service(4, 100, 200, "")), "Done after 1 minute 15 seconds.");
    assert_eq!(
        ended(&service(3, 100, 125, "")),
        "Stuck since 0:00: the two limits leave no room to start or stop a task."
    );
    let full = service(4, 100, 200, r#", "places": [{"at": "0s", "places": 4}]"#);
    assert_eq!(ended(&full), "Waiting since 0:00: there is no place for another task.");
    let cut = service(4, 100, 150, r#", "until": "1m""#);
    assert_eq!(ended(&cut), "Not done after 1 minute (the end the scenario sets): tasks are still on their way.");
}

#[test]
fn what_would_help() {
    let stuck = check(&service(1, 100, 150, ""));
    let said: Vec<String> = stuck.changes.iter().map(|change| wording::change(change, &stuck)).collect();
    assert_eq!(
        said,
        [
            "Maximum 200 %: ceiling 2, 1 may start.",
            "Minimum 0 %: floor 0, 1 may stop.",
            "Desired count 2: floor 2, ceiling 3.",
        ]
    );
}

#[test]
fn figures_and_end_state() {
    let o = outcome(run(&service(4, 100, 150, "")).view());
    let say = |figure| Language::English.say(Text::FigureValue(figure, &o));
    assert_eq!(say(Figure::DoneAfter), "2 minutes 30 seconds");
    assert_eq!(say(Figure::FewestHealthy), "4 (floor 4)");
    assert_eq!(say(Figure::MostAtOnce), "6 (ceiling 6)");
    assert_eq!(say(Figure::Waves), "2");
    assert_eq!(say(Figure::BothVersions), "1 minute 15 seconds");
    assert_eq!(say(Figure::ExtraCapacity), "5.0 task-minutes");
    assert_eq!(Language::English.say(Text::EndState(&o)), "4 tasks (r8: 4 healthy)");
}

#[test]
fn service_events_have_the_services_own_form() {
    let resolved = service(2, 100, 200, r#", "targetGroups": [{}]"#);
    let run = run(&resolved);
    let said: Vec<String> =
        service_events(run.view()).iter().map(|event| wording::service_event(event, "web")).collect();
    assert_eq!(
        said,
        [
            "(service web) has started 2 tasks: (task 8·1) (task 8·2).",
            "(service web) registered 2 targets in (target-group).",
            "(service web) has stopped 2 running tasks: (task 7·1) (task 7·2).",
            "(service web) deregistered 2 targets in (target-group).",
            "(service web) has begun draining connections on 2 tasks.",
            "(service web) (deployment ecs-svc/2) deployment completed.",
            "(service web) has reached a steady state.",
        ]
    );
}

/// One of each reason, so that none is left without a sentence.
fn reasons() -> Vec<Reason> {
    let (total, ceiling, healthy, floor) = (6, 6, 4, 4);
    vec![
        Reason::DeploymentBegins { revision: 8, desired: 4, floor, ceiling },
        Reason::RoomToStart { ceiling, total: 5, need: 1, started: 1 },
        Reason::RoomToStart { ceiling: u32::MAX, total: 5, need: 1, started: 1 },
        Reason::SourceNeeded { floor, healthy_target: 0, keep: 4, started: 1 },
        Reason::SpareToStop { healthy: 5, floor, stopped: 1 },
        Reason::NotNeeded { healthy, floor, stopped: 2 },
        Reason::NeverHealthy { stopped: 1 },
        Reason::ReplacementFirst { total: 5, ceiling, started: 1 },
        Reason::NoRoomStopFirst { total, ceiling, stopped: 1 },
        Reason::ReplacementHealthy { stopped: 1 },
        Reason::OlderStops { stopped: 1 },
        Reason::Surplus { active: 6, desired: 4, stopped: 2 },
        Reason::Completed { desired: 4 },
        Reason::Completed { desired: 1 },
        Reason::Completed { desired: 0 },
        Reason::Steady { desired: 4 },
        Reason::CannotMove { total: 3, ceiling: 3, healthy: 3, floor: 3 },
        Reason::BothLimits { total, ceiling, healthy, floor },
        Reason::BothLimits { total, ceiling, healthy: 5, floor },
        Reason::WaitHealthy { unready: 2, healthy, floor },
        Reason::WaitGone { stopping: 1 },
        Reason::NoPlaces { physical: 4, places: 4, need: 4 },
        Reason::Quota { until: SimTime(60_000), need: 200 },
        Reason::Throttled { until: SimTime(90_000), failed_batches: 3 },
        Reason::Lockstep { unready: 0, stopping: 2 },
        Reason::Lockstep { unready: 1, stopping: 0 },
        Reason::DeploymentFailed { revision: 8 },
    ]
}

#[test]
fn every_reason_is_a_whole_sentence() {
    let all = reasons();
    let kinds: std::collections::HashSet<_> = all.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 22, "a reason was added: add its sentence here");
    for reason in &all {
        let said = wording::reason(reason);
        assert!(said.ends_with('.') && said.len() > 15, "{reason:?}: {said:?}");
        assert!(!said.contains("1 tasks") && !said.contains("1 are"), "{said}");
    }
    let decision = |reason, start| {
        let first = Some(TaskName { revision: 7, start });
        let rule = rollscope_engine::trace::Rule::SourceStop;
        wording::decision(&rollscope_engine::trace::Decision { rule, reason, first })
    };
    let spare = Reason::SpareToStop { healthy: 5, floor: 4, stopped: 1 };
    assert_eq!(decision(spare, 3), "7·3 is picked to stop: 5 are healthy, the floor is 4.");
    let both = Reason::BothLimits { total: 6, ceiling: 6, healthy: 4, floor: 4 };
    assert_eq!(wording::reason(&both), "6 tasks exist and 4 are healthy: both limits are reached, so ECS waits.");
}

#[test]
fn acts_and_what_became_of_them() {
    let more = r#", "acts": [{"at": "10s", "do": "desired", "count": 6}, {"at": "12s", "do": "kill", "task": "9·9"}]"#;
    let resolved = service(4, 100, 200, more);
    let run = run(&resolved);
    let frame = run.end.frame();
    let scene = Scene::of(&frame, false, run.end.acts());
    let acts = run.trace.records.iter().filter(|record| matches!(record.what, What::Act { .. }));
    let said: Vec<String> = acts.map(|record| wording::record(record, &scene)).collect();
    assert_eq!(
        said,
        [
            "Somebody sets the desired count to 6.",
            "Somebody kills the container of 9·9. It was gone already: nothing happened.",
        ]
    );
}

#[test]
fn every_state_has_a_word() {
    let words = wording::state(rollscope_engine::frame::TaskState::Draining);
    assert_eq!((words.plain.as_str(), words.platform.as_str()), ("draining", "DEACTIVATING"));
}

#[test]
fn changes_of_checks_say_what_they_do() {
    let check = check(&service(4, 100, 200, ""));
    let said = |change| wording::change(&change, &check);
    assert_eq!(
        said(Change::Grace(75)),
        "Grace period 75s: checks that fail in the first 1 minute 15 seconds of a task stop nothing."
    );
    assert_eq!(
        said(Change::StartPeriod(31)),
        "Start period 31s: failures in the first 31 seconds of a task do not count."
    );
    assert_eq!(said(Change::Retries(6)), "Retries 6: a container is unhealthy only after 6 failures in a row.");
    assert_eq!(
        said(Change::UnhealthyThreshold(6)),
        "Unhealthy threshold 6: a target is unhealthy only after 6 failures in a row."
    );
}

#[test]
fn a_run_that_somebody_acts_on_is_told_as_it_goes() {
    let act = r#", "acts": [{"at": "50s", "do": "percent", "maximumPercent": 200}]"#;
    assert_eq!(
        verdict(&service(4, 100, 125, act)).1,
        "First step: start 1, stop 0. With what is done later: at full strength, at most 8 at once, about 2 minutes."
    );
    let (title, words) = verdict(&service(1, 100, 150, act));
    assert_eq!(title, "It moves only later");
    assert_eq!(
        words,
        "At first nothing can start and nothing can stop. With what is done later: at full strength, at most 2 at once, about 2 minutes."
    );
}

#[test]
fn a_verdict_tells_what_the_run_knows() {
    let told = |id: &str| {
        let preset = rollscope_scenario::presets::Preset::find(id).unwrap_or_else(|| panic!("no preset {id}"));
        let resolved = Document::from_text(preset.document).resolve().expect("a preset");
        let outcome = outcome(run_to_end(resolved.settings.clone()).view());
        Language::English.say(Text::Verdict(&check(&resolved), Some(&outcome)))
    };
    // The rollback ends in CLEAN_UP; it is SCALE_UP that lasted too long.
    let stage = told("day-in-scale-up");
    assert!(stage.contains("the stage SCALE_UP lasts for 24 hours"), "{stage}");
    let held = told("long-drain");
    assert!(held.contains("its replacement waits about 30 minutes for the room"), "{held}");
}

//! What is said about a moment, word for word.

use rollscope_engine::Settings;
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::moment::{changes_at, moment_at};
use rollscope_insight::{WaitCause, run_to_end};
use rollscope_scenario::Document;
use rollscope_scenario::presets::PRESETS;
use rollscope_wording::{Language, Text, time};

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

fn settings(desired: u32, minimum: u32, maximum: u32, more: &str) -> Settings {
    let text = format!(
        r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration":
            {{"minimumHealthyPercent": {minimum}, "maximumPercent": {maximum}}}}}, "quotas": "none",
            "timing": {{"healthy_after": "45s", "gone_after": "30s"}}{more}}}"#
    );
    let resolved = Document::from_text(&text).resolve().unwrap_or_else(|problems| panic!("{problems:#?}"));
    resolved.settings
}

/// Heading and sentence, then what is waited for, then what would change it.
fn told(settings: &Settings, ms: u64) -> Vec<String> {
    let run = run_to_end(settings.clone());
    let mut state = Simulation::new(settings.clone());
    state.advance_to(SimTime(ms), &mut Trace::null());
    let m = moment_at(run.view(), &state);
    let head = format!("{}. {}", say(Text::MomentTitle(&m)), say(Text::MomentLead(&m)));
    let waits =
        m.waits_for.iter().map(|wait| format!("{} {}", time::clock(wait.at), say(Text::Wait(wait, run.end.acts()))));
    let helps = changes_at(run.view(), &state);
    let helps = helps.iter().map(|change| say(Text::MomentChange(change)));
    [head].into_iter().chain(waits).chain(helps).collect()
}

#[test]
fn both_limits_and_what_comes() {
    assert_eq!(
        told(&settings(4, 100, 150, ""), 50_000),
        [
            "Nothing starts or stops right now. Both limits are reached. ECS waits until one of them gives way.",
            "1:15 7·1 and 1 more are gone, so 8·3 and 1 more may start.",
            "2:00 8·3 and 1 more are healthy, so 7·4 and 1 more may go.",
            "2:30 7·4 and 1 more are gone: the deployment is done.",
            "Maximum 175 %: ceiling 7, 8·3 starts now.",
            "Minimum 75 %: floor 3, 7·3 may stop now.",
            "Desired count 5: floor 5, ceiling 7, 7·5 starts now.",
        ]
    );
}

#[test]
fn one_task_after_the_other() {
    assert_eq!(
        told(&settings(1, 0, 100, ""), 10_000)[1..3],
        ["0:30 7·1 is gone, its slot is free for 8·1.", "1:15 8·1 is healthy: the deployment is done."]
            .map(String::from)
    );
}

#[test]
fn what_never_moves() {
    assert_eq!(
        told(&settings(1, 100, 150, ""), 0),
        [
            "Nothing will ever start or stop. Both sums are 0, and no event can change them.",
            "Maximum 200 %: ceiling 2, 8·1 starts now.",
            "Minimum 0 %: floor 0, 7·1 may stop now.",
            "Desired count 2: floor 2, ceiling 3, 7·2 and 1 more start now.",
        ]
    );
}

#[test]
fn acts_and_places_are_waited_for() {
    let act = r#", "acts": [{"at": "5m", "do": "percent", "maximumPercent": 200}]"#;
    assert_eq!(
        told(&settings(1, 100, 150, act), 60_000)[1],
        "5:00 Somebody sets the maximum to 200 %, so 8·1 may start."
    );
    let places = r#", "places": [{"at": "0s", "places": 4}, {"at": "2m", "places": 5}]"#;
    let said = told(&settings(4, 100, 200, places), 60_000);
    assert_eq!(said[0], "A new task finds no place. The ceiling would allow it, but there is no place to run it.");
    assert_eq!(said[1], "2:00 There are places for 5 tasks, so 8·1 may start.");
    assert_eq!(said.last().map(String::as_str), Some("Places for 5 tasks, 8·1 starts now."));
}

#[test]
fn terms_show_their_rounding() {
    let terms = |desired, minimum, maximum| {
        let settings = settings(desired, minimum, maximum, "");
        let (run, mut state) = (run_to_end(settings.clone()), Simulation::new(settings));
        state.advance_to(SimTime::ZERO, &mut Trace::null());
        let sums = moment_at(run.view(), &state).sums;
        (say(Text::CeilingTerm(&sums)), say(Text::FloorTerm(&sums)))
    };
    assert_eq!(terms(4, 100, 150), ("ceiling, 4 × 150 %".into(), "floor, 4 × 100 %".into()));
    assert_eq!(terms(1, 50, 150), ("ceiling, 1.5 rounded down".into(), "floor, 0.5 rounded up".into()));
}

#[test]
fn what_happens_right_now() {
    let heads = |minimum, maximum, ms| told(&settings(4, minimum, maximum, ""), ms)[0].clone();
    assert!(heads(100, 150, 0).starts_with("2 tasks just started. "));
    assert!(heads(100, 150, 45_000).starts_with("2 tasks were just picked to stop. "));
    assert!(heads(50, 150, 0).starts_with("2 just started and 2 were picked to stop. "));
    assert!(heads(100, 200, 150_000).starts_with("r8 is rolled out. Done after 1 minute 15 seconds."));
}

/// A document of tests/scenarios.
fn example(id: &str) -> Settings {
    let preset = PRESETS.iter().find(|preset| preset.id == id).unwrap_or_else(|| panic!("{id}"));
    let resolved = Document::from_text(preset.document).resolve().unwrap_or_else(|problems| panic!("{problems:#?}"));
    resolved.settings
}

#[test]
fn shifts_pauses_and_the_bake_are_waited_for() {
    let linear = example("linear-pause");
    assert_eq!(
        told(&linear, 60_000),
        [
            "The deployment pauses. ECS waits for an answer to hook 1 at PRE_PRODUCTION_TRAFFIC_SHIFT, until 24:00:35 at \
             the latest.",
            "10:00 Somebody answers the pause: the deployment goes on, so r8 gets 50 % of the production traffic.",
            "15:00 The wait after this shift is over, so pause 2 waits for an answer.",
            "20:00 Somebody answers the pause: the deployment goes on, so r8 gets all of the production traffic and the bake time \
             begins.",
        ]
    );
    assert_eq!(
        told(&linear, 1_500_000)[1..],
        [
            "35:00 The bake time is over, so 7·1 and 3 more may go.",
            "35:32 7·1 and 3 more are gone: the deployment is done."
        ]
    );
}

/// Nothing of a shift comes by the moment alone: what ends is named, at every moment of every example.
#[test]
fn whatever_a_shift_waits_for_has_a_cause() {
    let mut looked_at = 0;
    for preset in PRESETS.iter() {
        let Ok(resolved) = Document::from_text(preset.document).resolve() else { continue };
        if resolved.settings.strategy.shift().is_none() {
            continue;
        }
        let run = run_to_end(resolved.settings.clone());
        let mut state = Simulation::new(resolved.settings);
        let mut moments: Vec<SimTime> = run.trace.records.iter().map(|record| record.at).collect();
        moments.dedup();
        for at in moments {
            state.advance_to(at, &mut Trace::null());
            for wait in moment_at(run.view(), &state).waits_for {
                let words = say(Text::Wait(&wait, run.end.acts()));
                assert_ne!(wait.cause, WaitCause::Time, "{} at {}: {words}", preset.id, time::clock(at));
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// Until CLEAN_UP neither revision loses a task, whatever floor and ceiling would say.
#[test]
fn nothing_may_stop_before_the_clean_up() {
    let spare = |ms| {
        let settings = example("canary");
        let run = run_to_end(settings.clone());
        let mut state = Simulation::new(settings);
        state.advance_to(SimTime(ms), &mut Trace::null());
        let sums = moment_at(run.view(), &state).sums;
        (sums.spare, say(Text::FloorTerm(&sums)), say(Text::SpareTotal(&sums)))
    };
    let kept = (0, "kept until CLEAN_UP, 2 × 4".to_owned(), "nothing may stop before CLEAN_UP".to_owned());
    assert_eq!([spare(10_000), spare(300_000), spare(1_400_000)], [kept.clone(), kept.clone(), kept]);
    assert_eq!(spare(1_540_000).1, "the revision with the traffic, 4");
}

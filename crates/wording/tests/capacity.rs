//! What is said about room on instances, word for word.

use rollscope_engine::settings::Settings;
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::moment::{changes_at, moment_at};
use rollscope_insight::{check, outcome, run_to_end};
use rollscope_scenario::{Document, Resolved};
use rollscope_wording::{Language, Text};

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

fn resolved(rest: &str) -> Resolved {
    let text = format!(r#"{{"quotas": "none", "timing": {{"healthy_after": "45s", "gone_after": "30s"}}, {rest}}}"#);
    Document::from_text(&text).resolve().unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// Four tasks on four instances that have room for one each.
const FULL: &str = r#""service": {"desiredCount": 4}, "capacity": {"instances": [{"count": 4, "cpu": 256}]}"#;
/// Three of them with a fixed host port, one short of memory as well.
const PORTS: &str = r#""service": {"desiredCount": 3}, "capacity": {"instances": [{"count": 2}, {"memory": 512}],
    "task": {"hostPorts": [8080]}}"#;
/// Room for eight, six run.
const EIGHT: &str = r#""service": {"desiredCount": 6}, "capacity": {"instances": [{"count": 2, "cpu": 1024}]}"#;
/// A provider that brings two more after five minutes.
const SCALING: &str = r#""service": {"desiredCount": 4}, "capacity": {"instances": [{"count": 2}],
    "task": {"cpu": 1024}, "provider": {}}"#;

#[test]
fn the_verdict_says_what_blocks() {
    let verdict = |rest: &str| {
        let resolved = resolved(rest);
        let end = outcome(run_to_end(resolved.settings.clone()).view());
        say(Text::Verdict(&check(&resolved), Some(&end)))
    };
    let blocked = "No new task finds room, and none may stop before one runs.";
    assert_eq!(verdict(FULL), format!("{blocked} All 4 instances lack CPU."));
    assert_eq!(verdict(PORTS), format!("{blocked} All 3 instances lack the host port, 1 lacks memory."));
    assert_eq!(
        verdict(EIGHT),
        "2 of 6 find room: that limits the pace, not the ceiling of 12. The rest wait for room. \
         Both instances lack CPU. Done after about 4 minutes."
    );
    let waits = "4 tasks wait in PROVISIONING for an instance; the next one registers after 5 minutes.";
    assert!(verdict(SCALING).contains(waits), "{}", verdict(SCALING));
}

#[test]
fn what_would_help_is_an_instance_or_a_lower_floor() {
    let resolved = resolved(FULL);
    let check = check(&resolved);
    let told: Vec<String> = check.changes.iter().map(|change| say(Text::Change(change, &check))).collect();
    assert_eq!(told, ["5 instances: one more task finds room.", "Minimum 75 %: floor 3, 1 may stop."]);
}

/// Where there are several kinds, more of the first one are offered: their number alone would be fewer than there are.
#[test]
fn of_several_kinds_one_more_like_the_first_helps() {
    let resolved = resolved(
        r#""service": {"desiredCount": 3}, "capacity": {"instances": [{"cpu": 256}, {"cpu": 256, "memory": 2048}, {"cpu": 256, "memory": 1024}]}"#,
    );
    let check = check(&resolved);
    let told: Vec<String> = check.changes.iter().map(|change| say(Text::Change(change, &check))).collect();
    assert_eq!(told[0], "1 more instance like the first: one more task finds room.");
    let settings = check.changes[0].apply(&resolved.settings);
    let then = rollscope_insight::check(&Resolved { settings, ..resolved });
    assert!(then.started > 0, "{then:?}");
}

/// Heading and sentence of a moment, then what would change it.
fn told(settings: &Settings, ms: u64) -> Vec<String> {
    let run = run_to_end(settings.clone());
    let mut state = Simulation::new(settings.clone());
    state.advance_to(SimTime(ms), &mut Trace::null());
    let m = moment_at(run.view(), &state);
    let helps = changes_at(run.view(), &state);
    let helps = helps.iter().map(|change| say(Text::MomentChange(change)));
    [say(Text::MomentTitle(&m)), say(Text::MomentLead(&m))].into_iter().chain(helps).collect()
}

#[test]
fn a_moment_says_what_is_short() {
    let eight = told(&resolved(EIGHT).settings, 20_000);
    assert_eq!(eight[..2], ["A new task finds no room", "4 tasks wait for room: both instances lack CPU."]);
    assert!(eight.iter().any(|change| change.starts_with("One more instance like the first, 8·3")), "{eight:?}");
    let scaling = told(&resolved(SCALING).settings, 20_000);
    assert_eq!(
        scaling[..2],
        [
            "New tasks wait for an instance",
            "4 tasks wait in PROVISIONING: the next of 2 instances is on the way and registers at 5:00.",
        ]
    );
}

#[test]
fn the_sum_names_the_room_below_the_ceiling() {
    let settings = resolved(FULL).settings;
    let run = run_to_end(settings);
    let sums = moment_at(run.view(), &run.end).sums;
    assert_eq!((sums.room, sums.places), (4, Some((4, 0))));
    assert_eq!(say(Text::PlacesTerm(&sums)), "room to start: 0 of 4 places are free");
    assert_eq!(say(Text::RoomTotal(&sums)), "room below the ceiling", "one result in a card");
}

#[test]
fn an_end_says_what_is_short() {
    let ended = |rest: &str| say(Text::Outcome(&outcome(run_to_end(resolved(rest).settings).view())));
    assert_eq!(ended(FULL), "Waiting since 0:00: all 4 instances lack CPU.");
    let none = SCALING.replace(r#""provider": {}"#, r#""provider": {"max": 2}"#);
    assert_eq!(
        ended(&none),
        "Waiting since 0:00: tasks wait in PROVISIONING, and the capacity provider has its maximum of 2."
    );
}

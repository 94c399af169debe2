//! What is said about one task, the time account, rules and changes, word for word.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_engine::trace::{Reason, What};
use rollscope_insight::account::account;
use rollscope_insight::story::{Story, find, story};
use rollscope_insight::{Run, ecs_effect, run_to_end};
use rollscope_scenario::Document;
use rollscope_wording::{Language, Text, rule};

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

fn run(more: &str) -> Run {
    let text = format!(
        r#"{{"service": {{"desiredCount": 4, "deploymentConfiguration": {{"maximumPercent": 150}}}}, "quotas": "none",
            "targetGroups": [{{}}]{more}}}"#
    );
    let resolved = Document::from_text(&text).resolve().unwrap_or_else(|problems| panic!("{problems:#?}"));
    run_to_end(resolved.settings)
}

fn of(run: &Run, revision: u32, start: u32) -> Story {
    let id = find(run.view(), TaskName { revision, start }).expect("the run knows it");
    story(run.view(), id).expect("it has a life")
}

/// The two lines of a tooltip.
fn tooltip(story: &Story, seconds: u64) -> (String, String) {
    let now = SimTime(seconds * 1_000);
    (say(Text::StoryNow(story, now)), say(Text::StoryNext(story, now)))
}

#[test]
fn an_old_task() {
    let run = run("");
    let old = of(&run, 7, 1);
    for (seconds, now, next) in [
        (10, "healthy since 0:00", "will be picked to stop at 0:45"),
        (50, "draining since 0:45", "gets SIGTERM at 1:15"),
        (76, "stopping since 1:15", "gone at 1:17"),
        (90, "stopped at 1:17", ""),
    ] {
        assert_eq!(tooltip(&old, seconds), (now.into(), next.into()), "at {seconds}");
    }
    let card: Vec<String> = old
        .spans
        .iter()
        .map(|span| format!("{} {}", say(Text::State(span.state)), say(Text::StorySpan(span))))
        .collect();
    assert_eq!(card, ["healthy until 0:45", "draining 0:45 to 1:15", "stopping 1:15 to 1:17", "stopped at 1:17"]);
    assert_eq!(say(Text::StoryPlace(&old)), "slot 1, zone a");
    assert_eq!(say(Text::StoryWhyStarted(&old)), "");
    assert_eq!(say(Text::StoryWhyStopped(&old)), "7·1 and 1 more are picked to stop: 6 are healthy, the floor is 4.");
}

#[test]
fn a_new_task() {
    let run = run(r#", "acts": [{"at": "10m", "do": "stop_task", "task": "8·3"}]"#);
    let new = of(&run, 8, 3);
    // It starts when two of six are gone, at 1:17.
    for (seconds, now, next) in [
        (10, "not started yet", "starts at 1:17"),
        (78, "waiting since 1:17", "pulls its image at 1:22"),
        (85, "starting since 1:22", "running at 1:32"),
        (100, "checking since 1:32", "healthy at 2:02"),
        (200, "healthy since 2:02", "somebody stops it at 10:00"),
    ] {
        assert_eq!(tooltip(&new, seconds), (now.into(), next.into()), "at {seconds}");
    }
    assert_eq!(say(Text::StoryWhyStarted(&new)), "ECS starts 8·3 and 1 more. Room was 6 minus 4, 2 slots.");
    assert_eq!(say(Text::StoryWhyStopped(&new)), "Somebody stops 8·3.");
    assert_eq!(say(Text::StorySpan(of(&run, 8, 1).spans.last().expect("it lives"))), "from 0:45 on");
}

#[test]
fn where_the_time_goes() {
    let run = run("");
    let account = account(run.view()).expect("it completes");
    assert_eq!(say(Text::AccountTitle(&account)), "Where the 2:34 go");
    let parts: Vec<String> =
        account.parts.iter().map(|share| format!("{} {} %", say(Text::Part(share.part)), share.percent)).collect();
    assert_eq!(
        parts,
        ["Provisioning 7 %", "Image pull 13 %", "Start-up 19 %", "Health checks 19 %", "Draining 39 %", "Stopping 3 %",]
    );
    let second = self::run(r#", "acts": [{"at": "50s", "do": "deploy", "revision": 9}]"#);
    let second = rollscope_insight::account::account(second.view()).expect("it completes");
    assert_eq!(say(Text::AccountTitle(&second)), "Where the 3:01 of r9 go, from 0:50 on");
    let links: Vec<String> = account.chain.iter().take(5).map(|link| say(Text::AccountLink(link))).collect();
    assert_eq!(
        links,
        [
            "0:00 to 0:05: 8·1 is provisioned",
            "0:05 to 0:15: 8·1 pulls its image",
            "0:15 to 0:30: the application of 8·1 starts",
            "0:30 to 0:45: 8·1 is checked",
            "0:45 to 1:15: 7·1 drains",
        ]
    );
}

#[test]
fn every_decision_has_a_rule_with_a_source() {
    let bad = r#", "new": {"by_start": {"1": "never_running", "2": "never_passes"}}, "until": "20m""#;
    let mut seen = 0;
    for record in run(bad).trace.records {
        let What::Decision(decision) = record.what else { continue };
        let words = rule(&decision.reason);
        assert!(words.url.starts_with("https://docs.aws.amazon.com/AmazonECS/latest/"), "{words:?}");
        assert!(words.url.ends_with(".html") && !words.name.is_empty() && !words.source_title.is_empty());
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
    let floor = rule(&Reason::SpareToStop { healthy: 6, floor: 4, stopped: 2 });
    assert_eq!(floor.name, "Floor: desired count × minimum, rounded up");
    let throttle = rule(&Reason::Throttled { until: SimTime(1), failed_batches: 3 });
    assert!(throttle.url.ends_with("/service-throttle-logic.html"));
}

#[test]
fn what_a_change_does_on_ecs() {
    for (pointer, expected) in [
        ("/service/desiredCount", "On ECS this changes the running deployment at once and starts no new one."),
        ("/service/taskDefinition", "On ECS this starts a new deployment."),
        (
            "/containers/0/stopTimeout",
            "On ECS this needs a new revision of the task definition, and that starts a new deployment.",
        ),
    ] {
        assert_eq!(say(Text::EcsEffect(ecs_effect(pointer))), expected);
    }
}

#[test]
fn branches_have_short_names() {
    let task = TaskName { revision: 7, start: 2 };
    for (command, expected) in [
        (Command::SetPercentages { minimum: None, maximum: Some(175) }, "maximum 175 %"),
        (Command::SetPercentages { minimum: Some(50), maximum: Some(175) }, "minimum 50 %, maximum 175 %"),
        (Command::SetDesired(1_200), "desired 1,200"),
        (Command::Kill(task), "kill 7·2"),
        (Command::StopTask(task), "stop 7·2"),
        (Command::Deploy { revision: 9, behaviour: None }, "deploy r9"),
    ] {
        assert_eq!(say(Text::ActShort(&command)), expected);
    }
}

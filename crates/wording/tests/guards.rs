//! What is said about guards, word for word.

use rollscope_engine::SimTime;
use rollscope_engine::guard::{GuardKind, Violation};
use rollscope_insight::{GuardRow, guard_moments, guards, run_to_end};
use rollscope_scenario::Document;
use rollscope_wording::{Language, Text};

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

fn rows(more: &str) -> (Vec<GuardRow>, u64) {
    let text = format!(
        r#"{{"service": {{"desiredCount": 4, "deploymentConfiguration": {{"maximumPercent": 150}}}}, "quotas": "none",
            "timing": {{"healthy_after": "45s", "gone_after": "30s"}}{more}}}"#
    );
    let resolved = Document::from_text(&text).resolve().unwrap_or_else(|problems| panic!("{problems:#?}"));
    let run = run_to_end(resolved.settings);
    (guards(run.view()), guard_moments(run.view()))
}

#[test]
fn a_run_in_which_all_hold() {
    let (rows, moments) = rows("");
    let said: Vec<String> = rows
        .iter()
        .map(|row| {
            let (title, bound) = (say(Text::GuardTitle(row.kind)), say(Text::GuardBound(row)));
            format!("{title} {bound}: {}", say(Text::GuardWorst(row)))
        })
        .collect();
    assert_eq!(
        said,
        [
            "Healthy never below the floor ≥ 4: least 4 after a stop, at 0:45",
            "Tasks never above the ceiling ≤ 6: most 6 after a start, at 0:00",
            "No stop without spare ≥ 1: least 1 before a stop, at 0:45",
            "A task keeps its slot 0: moves between slots: 0",
            "No task gets lost 0: tasks missing or too many: 0",
            "Time never goes back 0: steps back: 0",
            "Nothing starts for a failed deployment 0: starts for one: 0",
            "The controller comes to rest ≤ 10,000: most passes in a moment: 1, at 0:00",
            "States change in documented ways 0: other changes: 0",
            "Failures never above the threshold none: no failure was counted",
            "A rollback goes to the right deployment 0: other rollbacks: 0",
            "Protection that ended stays ended 0: second ends: 0",
            "No traffic to nobody ≥ 1: no traffic was shifted",
        ]
    );
    assert_eq!(say(Text::GuardsTitle(&rows)), "All guards hold");
    assert!(say(Text::GuardsLead { moments }).starts_with(&format!("Each one is checked after each of the {moments}")));
    assert!(rows.iter().all(|row| say(Text::GuardBeyond(row)).is_empty()));
}

#[test]
fn a_killed_task_is_told_and_breaks_nothing() {
    let (rows, _) = rows(r#", "acts": [{"at": "10s", "do": "kill", "task": "7·1"}]"#);
    assert_eq!(say(Text::GuardsTitle(&rows)), "All guards hold");
    assert_eq!(
        say(Text::GuardBeyond(&rows[0])),
        "At 0:10 3 tasks were healthy below a floor of 4; ECS had stopped none below it."
    );
}

#[test]
fn a_broken_guard_and_its_report() {
    let broken = Violation { kind: GuardKind::Ceiling, at: SimTime(43_250), value: 7, bound: 6 };
    let row = GuardRow {
        kind: GuardKind::Ceiling,
        holds: false,
        bound: 6,
        worst: Some((7, broken.at)),
        plain: None,
        beyond: Some((7, 6, broken.at)),
        broken: Some(broken),
    };
    assert_eq!(say(Text::GuardWorst(&row)), "most 7 after a start, at 0:43");
    assert_eq!(say(Text::GuardBeyond(&row)), "");
    assert_eq!(say(Text::GuardsTitle(&[row])), "1 guard broke");
    let report = say(Text::GuardReport { broken: &broken, version: "1.2.3", link: "https://example.org/#v1" });
    assert_eq!(
        report,
        "Rollscope 1.2.3: a guard of the simulation broke.\n\
         Guard: A launch never takes the tasks above the ceiling. (ceiling)\n\
         What happened: At 0:43.250 7 tasks existed after a launch, the ceiling was 6.\n\
         Value: 7\nBound: 6\nMoment: 43250 ms\nScenario: https://example.org/#v1\n"
    );
    for kind in GuardKind::ALL {
        let broken = Violation { kind, ..broken };
        let row = GuardRow { kind, broken: Some(broken), ..row };
        assert!(say(Text::Violation(&broken)).ends_with('.'), "{kind:?}");
        assert!(!say(Text::GuardWorst(&row)).is_empty(), "{kind:?}");
    }
}

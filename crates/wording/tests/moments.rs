//! What is said at every moment of every preset agrees with what happens there.

use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{Decision, FailureVerdict, Reason, Record, ServiceChange, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::moment::moment_at;
use rollscope_insight::{Moment, MomentKind, OutcomeKind, Run, WaitEnd, outcome, run_to_end};
use rollscope_scenario::{Document, PRESETS, Preset};
use rollscope_wording::{Language, Scene, Text};

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

/// One moment of a run, told.
struct Told<'a> {
    id: &'static str,
    run: &'a Run,
    records: &'a [Record],
    moment: Moment,
    title: String,
    lead: String,
    caption: String,
    status: Option<ServiceStatus>,
}

impl Told<'_> {
    fn place(&self) -> String {
        let at = rollscope_wording::time::clock_exact(self.moment.at);
        format!("{} at {at}: {} | {} | {}", self.id, self.caption, self.title, self.lead)
    }
}

/// Instants of a run that are looked at: the first ones, and the last.
const INSTANTS: usize = 200;

/// Each instant of every preset, and a millisecond after it.
fn each(mut look: impl FnMut(&Told<'_>)) {
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        let run = run_to_end(resolved.settings.clone());
        let mut state = Simulation::new(resolved.settings.clone());
        let mut moments: Vec<SimTime> = run.trace.records.iter().map(|record| record.at).collect();
        moments.dedup();
        let last = run.view().last_moment();
        let mut looked: Vec<SimTime> = moments.iter().take(INSTANTS).flat_map(|at| [*at, *at + 1]).collect();
        looked.extend(last.filter(|last| looked.last().is_none_or(|at| at < last)));
        looked.dedup();
        for at in looked.into_iter().filter(|at| last.is_none_or(|last| *at <= last)) {
            state.advance_to(at, &mut Trace::null());
            let moment = moment_at(run.view(), &state);
            let frame = state.frame();
            let behind = !resolved.settings.target_groups.is_empty();
            let scene = Scene::of(&frame, behind, run.end.acts());
            let from = run.trace.records.partition_point(|record| record.at < at);
            let to = run.trace.records.partition_point(|record| record.at <= at);
            let records = &run.trace.records[from..to];
            look(&Told {
                id: preset.id,
                run: &run,
                records,
                title: say(Text::MomentTitle(&moment)),
                lead: say(Text::MomentLead(&moment)),
                caption: rollscope_wording::caption(records, &scene),
                status: frame.service_deployments.last().map(|service| service.status()),
                moment,
            });
        }
    }
}

fn fails(records: &[Record]) -> bool {
    let reason = |record: &Record| match record.what {
        What::Decision(Decision { reason, .. }) => Some(reason),
        _ => None,
    };
    records.iter().filter_map(reason).any(|reason| rollscope_insight::failing(&reason).is_some())
}

#[test]
fn a_failure_of_the_deployment_comes_before_all_else() {
    let mut seen = 0;
    each(|told| {
        if !fails(told.records) || matches!(told.moment.kind, MomentKind::Ended(_)) {
            return;
        }
        seen += 1;
        let place = told.place();
        assert!(matches!(told.moment.kind, MomentKind::Fails(_)), "{place}");
        let ends = ["the deployment fails", "the deployment has failed", "the deployment is rolled back"];
        assert!(ends.iter().any(|end| told.caption.contains(end)), "{place}");
        assert!(told.lead.contains("has failed"), "{place}");
        assert!(!told.title.contains("picked to stop") && !told.lead.contains("old tasks"), "{place}");
    });
    assert!(seen > 8, "only {seen} deployments fail");
}

#[test]
fn a_count_is_the_count_after_all_failures_of_the_moment() {
    each(|told| {
        let counted = told.records.iter().rev().find_map(|record| match record.what {
            What::Failure(failure) if failure.verdict == FailureVerdict::Counted => Some(failure),
            _ => None,
        });
        if let Some(last) = counted {
            assert!(told.caption.contains(&format!(" {} of {} fail", last.count, last.threshold)), "{}", told.place());
        }
    });
}

#[test]
fn nothing_is_called_done_or_old_while_a_rollback_is_under_way_or_over() {
    each(|told| {
        let back = matches!(told.status, Some(ServiceStatus::RollbackInProgress | ServiceStatus::RollbackSuccessful));
        if back {
            for words in [&told.title, &told.lead, &told.caption] {
                assert!(!words.contains("Done after") && !words.contains("deployment is done"), "{}", told.place());
                assert!(!words.contains("old task") && !words.contains("as wanted"), "{}", told.place());
            }
        }
    });
}

/// What is started and what is picked to stop at one instant is told together, where nothing fails there.
#[test]
fn a_caption_leaves_out_neither_starts_nor_stops() {
    let mut both = 0;
    each(|told| {
        let reasons = || {
            told.records.iter().filter_map(|record| match record.what {
                What::Decision(Decision { reason, .. }) => Some(reason),
                _ => None,
            })
        };
        let starts = reasons().any(|reason| matches!(reason, Reason::RoomToStart { .. } | Reason::StartsInRoom { .. }));
        let stops = reasons().any(|reason| matches!(reason, Reason::SpareToStop { .. }));
        let counts = told.records.iter().any(|record| matches!(record.what, What::Failure(_)));
        let ends = matches!(told.moment.kind, MomentKind::Done | MomentKind::Ended(_) | MomentKind::RolledBack);
        if starts && stops && !counts && !ends && !fails(told.records) {
            both += 1;
            let place = told.place();
            assert!(told.caption.contains("starts ") && told.caption.contains("picked to stop"), "{place}");
        }
    });
    assert!(both > 5, "{both} instants start and stop");
}

/// A length of time that ends in a number without its unit: "4 minutes 2". What follows the number has to be a unit.
fn without_its_unit(text: &str) -> Option<String> {
    let is = |word: &str, units: &[&str]| units.contains(&word.trim_end_matches('s'));
    let whole = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |at: &usize| {
        let plain = words.get(at + 1).map(|word| word.trim_end_matches(|mark: char| mark.is_ascii_punctuation()));
        let follows = words.get(at + 2).map(|word| word.trim_end_matches(|mark: char| mark.is_ascii_punctuation()));
        is(words[*at], &["minute", "hour", "day"])
            && *at > 0
            && whole(&words[at - 1])
            && plain.filter(whole).is_some()
            && follows.is_none_or(|unit| !is(unit, &["second", "minute", "hour"]))
    };
    (0..words.len()).find(bare).map(|at| words[at.saturating_sub(1)..(at + 3).min(words.len())].join(" "))
}

#[test]
fn every_length_of_time_names_its_units() {
    for bare in ["Done after 4 minutes 2.", "1 minute 50 of it", "2 hours 5", "it takes 8 minutes 4, and"] {
        assert!(without_its_unit(bare).is_some(), "{bare}");
    }
    for full in ["4 minutes 2 seconds", "1 minute, 50 of them", "1 day 4 hours", "4:02", "for 5 minutes. 3 more"] {
        assert_eq!(without_its_unit(full), None);
    }
    let mut lengths = 0;
    each(|told| {
        for words in [&told.title, &told.lead, &told.caption] {
            lengths += usize::from(words.contains(" minutes ") && words.contains(" seconds"));
            assert_eq!(without_its_unit(words), None, "{}", told.place());
        }
    });
    assert!(lengths > 20, "{lengths} lengths with minutes and seconds");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/scenarios");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of scenarios") {
        let entry = entry.expect("an entry").path();
        for file in ["scenario.json", "steps.json", "summary.txt"].map(|name| entry.join(name)) {
            let Ok(said) = std::fs::read_to_string(&file) else { continue };
            files += 1;
            for line in said.lines() {
                assert_eq!(without_its_unit(line), None, "{}", file.display());
            }
        }
    }
    assert!(files > 2 * PRESETS.len(), "{files} files");
}

#[test]
fn the_end_is_told_in_the_same_words_everywhere() {
    let mut ended = 0;
    each(|told| {
        if told.run.view().last_moment() != Some(told.moment.at) {
            return;
        }
        let end = outcome(told.run.view());
        let still = matches!(told.moment.kind, MomentKind::NeverMoves | MomentKind::Steady | MomentKind::BothLimits);
        assert!(still || told.lead == rollscope_wording::outcome(&end), "{}", told.place());
        ended += 1;
    });
    let accepted = |preset: &Preset| Document::from_text(preset.document).document.resolve().is_ok();
    let runs = PRESETS.iter().filter(|preset| accepted(preset)).count();
    assert!(ended >= runs, "{ended} of {runs} runs have an end");
}

#[test]
fn what_is_waited_for_comes_as_it_is_told() {
    let is = |records: &[Record], to: ServiceStatus| {
        records.iter().any(|record| {
            matches!(record.what, What::Service { change: ServiceChange::Status { to: status, .. }, .. } if status == to)
        })
    };
    each(|told| {
        for wait in &told.moment.waits_for {
            let all = &told.run.trace.records;
            let from = all.partition_point(|record| record.at < wait.at);
            let to = all.partition_point(|record| record.at <= wait.at);
            let then = &all[from..to];
            let words = say(Text::Wait(wait, told.run.end.acts()));
            let right = match wait.ends {
                Some(WaitEnd::Done) => is(then, ServiceStatus::Successful),
                Some(WaitEnd::Back(_)) => is(then, ServiceStatus::RollbackSuccessful),
                Some(WaitEnd::FailsBack(_) | WaitEnd::FailsForGood) => fails(then),
                None => !fails(then) && !is(then, ServiceStatus::Successful),
            };
            assert!(right, "{}: {words}", told.place());
            assert_eq!(words.contains("the deployment is done"), is(then, ServiceStatus::Successful), "{words}");
        }
    });
}

/// Whether the circuit breaker is on.
fn watched(told: &Told<'_>) -> bool {
    let params = told.run.end.settings().platform.ecs();
    params.breaker.is_some()
}

#[test]
fn the_rule_is_that_of_what_happened() {
    let (mut back, mut uncounted, mut early) = (0, 0, 0);
    each(|told| {
        let rule = rollscope_wording::moment_rule(&told.moment);
        let of_breaker = rule.as_ref().is_some_and(|rule| rule.url.contains("circuit-breaker"));
        assert!(watched(told) || !of_breaker, "the breaker is off: {}", told.place());
        back += usize::from(!watched(told) && rule.as_ref().is_some_and(|rule| rule.url.contains("alarm")));
        if matches!(told.moment.kind, MomentKind::TasksFail(_)) {
            uncounted += 1;
            assert!(rule.is_some(), "a rule: {}", told.place());
        }
        let because = told.moment.because.map(|decision| decision.reason);
        if told.moment.kind == MomentKind::Ended(OutcomeKind::Completed)
            && outcome(told.run.view()).completed_at.is_some()
        {
            let completes = matches!(
                because,
                Some(Reason::Completed { .. } | Reason::EarlySuccess { .. } | Reason::ShiftCompleted { .. })
            );
            assert!(completes, "what completed it: {} {because:?}", told.place());
        }
        if let (MomentKind::Ended(OutcomeKind::Completed), Some(Reason::EarlySuccess { healthy, gate, .. })) =
            (told.moment.kind, because)
        {
            early += 1;
            assert!(
                told.title.contains(&format!("{healthy} healthy")) && told.title.contains(&format!("gate is {gate}")),
                "{}",
                told.place()
            );
        }
    });
    assert!(back > 0 && uncounted > 0 && early > 0, "{back} {uncounted} {early}");
}

#[test]
fn a_heading_counts_what_counted_then() {
    let mut later = 0;
    each(|told| {
        let (MomentKind::Counts(n), Some((failure, _))) = (told.moment.kind, told.moment.failure) else { return };
        let all = told.title.to_lowercase().ends_with(&format!("{n} failure{} counted", if n == 1 { "" } else { "s" }));
        assert_eq!(all, failure.count <= n, "{} of {}: {}", failure.count, n, told.place());
        later += usize::from(!all);
    });
    assert!(later > 0);
}

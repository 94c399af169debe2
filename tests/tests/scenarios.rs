//! Every folder of `tests/scenarios/`: its run comes to what is expected of it, and the page offers it.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rollscope_engine::frame::Counts;
use rollscope_engine::settings::Settings;
use rollscope_insight::outside::Names;
use rollscope_insight::{
    Run, chapters, check, json as rows, json_capacity, json_failures, moment_of, outcome, run_to_end,
};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::resolve::Watchdog;
use rollscope_scenario::{Document, PRESETS, Preset, PresetGroup, Problem, preset_steps, steps};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    json::read(&text).unwrap_or_else(|problem| panic!("{}: {problem:?}", path.display())).value
}

/// `02-half-at-a-time`: the folder of a preset is the one that ends with its name. Numbers may be left out.
fn folder_name(preset: &Preset) -> String {
    let entries = fs::read_dir(folder()).expect("the folder of scenarios");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let own = |name: &String| name.split_once('-').is_some_and(|(_, id)| id == preset.id);
    names.filter(own).min().unwrap_or_else(|| panic!("no folder of {}", preset.id))
}

fn document(id: &str, text: &str) -> Document {
    let reading = Document::from_text(text);
    assert!(reading.problems.is_empty(), "{id}: {:?}", reading.problems);
    reading.document
}

fn settings(preset: &Preset) -> Settings {
    document(preset.id, preset.document).resolve().unwrap_or_else(|problems| panic!("{problems:?}")).settings
}

/// What `run --json --events` prints, and the run itself where there is one.
fn run(id: &str, document: &Document) -> (Value, Option<Run>) {
    let resolved = match document.resolve() {
        Ok(resolved) => resolved,
        Err(problems) => {
            assert!(problems.iter().any(Problem::is_error), "{id}: {problems:?}");
            return (rows::refused(&problems, true), None);
        }
    };
    assert!(resolved.warnings.is_empty(), "{id}: {:?}", resolved.warnings);
    let finished = run_to_end(resolved.settings.clone());
    let mut value = rows::run(&resolved, &check(&resolved), &outcome(finished.view()));
    json_failures::add_failures(&mut value, &resolved, finished.view(), &Names::default());
    json_capacity::run(&mut value, finished.view());
    let words = rows::Words { decision: &|_| String::new(), event: &|_| String::new() };
    rows::add_events(&mut value, finished.view(), &words);
    (value, Some(finished))
}

/// `found` is `wanted`: the same value, a number between `from` and `to`, or an object whose named
/// fields hold.
fn assert_holds(place: &str, found: &Value, wanted: &Value) {
    let Some(fields) = wanted.as_object() else {
        return assert_eq!(found, wanted, "{place}");
    };
    if let (Some(from), Some(to)) = (wanted.get("from"), wanted.get("to")) {
        let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{place}: {value} is no number"));
        assert!((number(from)..=number(to)).contains(&number(found)), "{place}: {found}, wanted {wanted}");
        return;
    }
    for (key, wanted) in fields {
        let found = found.get(key).unwrap_or_else(|| panic!("{place}: no field {key}"));
        assert_holds(&format!("{place}, {key}"), found, wanted);
    }
}

/// Counts at the end of a millisecond.
fn counts_at(run: &Run, at_ms: u64) -> &Counts {
    let later = run.trace.samples.partition_point(|(at, _)| at.ms() <= at_ms);
    &run.trace.samples[later - 1].1
}

fn moment(run: &Run, at_ms: u64) -> Value {
    let counts = counts_at(run, at_ms);
    Value::object([
        ("at_ms", Value::from(at_ms)),
        ("old_healthy", counts.lanes[0].healthy.into()),
        ("new_healthy", counts.lanes[1].healthy.into()),
        ("total", counts.physical().into()),
    ])
}

#[test]
fn every_folder_is_offered_and_nothing_else() {
    let entries = fs::read_dir(folder()).expect("the folder of scenarios");
    let found: BTreeSet<String> = entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let names: Vec<String> = PRESETS.iter().map(folder_name).collect();
    // A later number may belong to an earlier group.
    for group in PresetGroup::ALL {
        let own: Vec<String> = PRESETS.iter().filter(|preset| preset.group == group).map(folder_name).collect();
        assert!(own.is_sorted(), "a group stands in the order of its numbers: {own:?}");
    }
    let numbers: BTreeSet<&str> = names.iter().filter_map(|name| Some(name.split_once('-')?.0)).collect();
    assert_eq!(numbers.len(), PRESETS.len(), "no number stands twice");
    let offered: BTreeSet<String> = names.iter().cloned().collect();
    assert_eq!(found, offered, "left: folders, right: the list in crates/scenario/src/presets.rs");
    assert_eq!(offered.len(), PRESETS.len(), "no name stands twice");
    for preset in PRESETS {
        assert_eq!(Preset::find(preset.id), Some(preset));
    }
    assert_eq!(Preset::find("none"), None);
    let groups: Vec<PresetGroup> = Preset::all().map(|preset| preset.group).collect();
    assert!(groups.is_sorted(), "a group is in one piece");
    let known: BTreeSet<PresetGroup> = PresetGroup::ALL.into();
    assert_eq!(groups.into_iter().collect::<BTreeSet<_>>(), known, "a preset nobody is offered, or an empty group");
}

#[test]
fn the_list_says_what_the_documents_say() {
    for preset in PRESETS {
        let document = document(preset.id, preset.document);
        assert_eq!(document.title.as_deref(), Some(preset.title), "{}", preset.id);
        assert_eq!(document.notes.as_deref(), Some(preset.lead), "{}", preset.id);
        assert!(preset.lead.ends_with('.') && !preset.title.ends_with('.'), "{}", preset.id);
    }
}

#[test]
fn every_run_comes_to_what_is_expected() {
    for preset in PRESETS {
        let id = folder_name(preset);
        let expected = read(&folder().join(&id).join("expected.json"));
        let (found, finished) = run(&id, &document(&id, preset.document));
        let part = |key: &str| expected.get(key).unwrap_or_else(|| panic!("{id}: no {key} in expected.json"));
        assert!(!part("notes").as_array().unwrap_or_default().is_empty(), "{id}: no arithmetic");
        for row in SUMMARY {
            assert!(part("expect").get(row).is_some(), "{id}: nothing is expected of {row}");
        }
        assert_holds(&id, &found, part("expect"));
        let Some(finished) = finished else { continue };
        for row in ["lowest_healthy", "peak_tasks", "waves"] {
            assert!(part("expect").get(row).is_some(), "{id}: nothing is expected of {row}");
        }
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{id}");
        let moments = part("moments").as_array().unwrap_or_default();
        assert!(!moments.is_empty(), "{id}: no moment");
        for wanted in moments {
            let at_ms = wanted.get("at_ms").and_then(Value::as_u64).unwrap_or_else(|| panic!("{id}: {wanted}"));
            assert_holds(&format!("{id} at {at_ms} ms"), &moment(&finished, at_ms), wanted);
        }
        let tasks = found.get("tasks").and_then(Value::as_array).unwrap_or_default();
        for (name, wanted) in expected.get("tasks").and_then(Value::as_object).unwrap_or_default() {
            let row = tasks.iter().find(|row| row.get("name").and_then(Value::as_str) == Some(name.as_str()));
            assert_holds(&format!("{id}, {name}"), row.unwrap_or_else(|| panic!("{id}: no task {name}")), wanted);
        }
    }
}

/// What a folder with steps must speak about as well.
const FAILURES: [&str; 8] = [
    "rolled_back_at_ms",
    "failures_counted",
    "failures_not_counted",
    "threshold_now",
    "gate",
    "tripped_at_ms",
    "protection_ended_at_ms",
    "protection_ended_by",
];

#[test]
fn every_step_is_said_when_the_folder_says() {
    let mut narrated = 0;
    for preset in PRESETS {
        let (id, list) = (folder_name(preset), preset_steps::of(preset.id));
        let file = folder().join(&id).join("steps.json");
        assert_eq!(file.exists(), !list.is_empty(), "{id}: a file that is not in the list, or an empty one");
        if list.is_empty() {
            continue;
        }
        narrated += 1;
        assert!((3..=6).contains(&list.len()), "{id}: {} steps", list.len());
        let expected = read(&folder().join(&id).join("expected.json"));
        let (found, finished) = run(&id, &document(&id, preset.document));
        let finished = finished.unwrap_or_else(|| panic!("{id}: nothing ran"));
        let watchdog = document(&id, preset.document).resolve().map(|resolved| resolved.watchdog).unwrap_or_default();
        said(&id, &finished, watchdog, &list, &expected);
        for row in FAILURES {
            assert!(expected.pointer("/expect").and_then(|e| e.get(row)).is_some(), "{id}: nothing about {row}");
        }
        let services = found.get("service_deployments").and_then(Value::as_array).unwrap_or_default();
        let statuses = Value::array(services.iter().filter_map(|s| s.get("status").cloned()));
        assert_eq!(Some(&statuses), expected.get("statuses"), "{id}");
    }
    assert!(narrated > 0);
}

/// The steps come at the moments of `steps_at_ms`, one after the other, in sentences of bearable length.
fn said(id: &str, run: &Run, watchdog: Watchdog, list: &[steps::Step], expected: &Value) {
    for step in list {
        assert!(moment_of(run.view(), watchdog, step.when).is_some(), "{id}: {} never happens", step.when.name());
        let text = step.text("en");
        assert!(step.texts.iter().any(|(language, _)| language == "en"), "{id}: no English");
        assert!(text.chars().count() <= 160 && text.ends_with(['.', ')']), "{id}: {text}");
    }
    let chapters = chapters(run.view(), watchdog, list);
    let order: Vec<_> = chapters.iter().map(|chapter| chapter.step).collect();
    assert_eq!(order, list.iter().collect::<Vec<_>>(), "{id}: not in the order of time");
    let moments = Value::array(chapters.iter().map(|chapter| chapter.at.ms()));
    assert_eq!(Some(&moments), expected.get("steps_at_ms"), "{id}");
}

/// What `expect` must speak about, also where the service refuses the settings.
const SUMMARY: [&str; 7] = ["verdict", "outcome", "blocked_by", "floor", "ceiling", "first_step", "completed_at_ms"];

/// Headings of the article on the two percentages; docs/examples.md goes through what stands below them.
const HEADINGS: [&str; 10] = [
    "What happens when you deploy",
    "The two settings",
    "Healthy",
    "Try it",
    "Common settings compared",
    "Capacity",
    "Making deployments faster",
    "Other deployment strategies",
    "Recommended settings",
    "A deployment can also fail",
];

#[test]
fn every_example_stands_beside_a_claim() {
    let text = include_str!("../../docs/examples.md");
    let rows = text.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(2));
    let words: BTreeSet<&str> = rows.flat_map(|cell| cell.split([' ', ',', ':', ';', '('])).collect();
    let folders = PRESETS.iter().map(folder_name);
    let numbers: Vec<String> = folders.filter_map(|name| Some(name.split_once('-')?.0.to_owned())).collect();
    let missing: Vec<_> = numbers.iter().filter(|number| !words.contains(number.as_str())).collect();
    assert!(missing.is_empty(), "no claim beside {missing:?}");
    for heading in HEADINGS {
        let below = |line: &&str| line.strip_prefix("| ").is_some_and(|row| row.starts_with(heading));
        let examples: Vec<_> = text.lines().filter(below).filter_map(|line| line.split('|').nth(2)).collect();
        assert!(!examples.is_empty(), "nothing of \"{heading}\"");
        for cell in examples {
            let first: String = cell.trim().chars().take_while(char::is_ascii_alphanumeric).collect();
            assert!(numbers.contains(&first), "{heading}: {cell} begins with no example");
        }
    }
}

#[test]
fn the_seed_of_the_jitter_decides() {
    let jitter = Preset::find("jitter").expect("a preset");
    let end = |seed: u64| {
        let finished = run_to_end(Settings { seed, ..settings(jitter) });
        outcome(finished.view()).completed_at.expect("it completes").ms()
    };
    assert_eq!(end(7), end(7));
    let ends: BTreeSet<u64> = (1..=20).map(end).collect();
    assert!(ends.len() > 10, "twenty seeds, and only these ends: {ends:?}");
    assert!(ends.iter().all(|at| (54_000..=304_000).contains(at)), "{ends:?}");
}

#[test]
fn four_levers_make_the_slow_rounds_faster() {
    let end = |id: &str| {
        let preset = Preset::find(id).unwrap_or_else(|| panic!("no preset {id}"));
        outcome(run_to_end(settings(preset)).view()).completed_at.expect("it completes")
    };
    let slow = end("slow-rounds");
    for lever in ["shorter-drain", "faster-checks", "higher-maximum", "fewer-rounds"] {
        assert!(end(lever) < slow, "{lever}");
    }
}

/// A preset with other values at some places of its document, and a row of its run that its steps tell of.
type Otherwise = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const CONFIG: &str = "/service/deploymentConfiguration";
/// What the steps say of settings that are not those of the preset: preset, changes, row, value.
const OTHERWISE: &[Otherwise] = &[
    ("threshold-one", &[("CONFIG/deploymentCircuitBreaker/thresholdConfiguration", COUNT_1)], "tripped_at_ms", "35000"),
    (
        "threshold-capped",
        &[("CONFIG/deploymentCircuitBreaker/thresholdConfiguration", UNBOUNDED)],
        "tripped_at_ms",
        "183000",
    ),
    ("unbounded", &[("CONFIG/deploymentCircuitBreaker/thresholdConfiguration", "null")], "tripped_at_ms", "109000"),
    ("early-relaxed", &[("CONFIG/earlySuccessCriteria/healthyPercent", "100")], "tripped_at_ms", "70000"),
    ("early-relaxed", &[("CONFIG/deploymentCircuitBreaker/thresholdConfiguration", COUNT_5)], "tripped_at_ms", "35000"),
    ("three-tasks", &[("CONFIG/earlySuccessCriteria", "null")], "completed_at_ms", "67000"),
    ("three-tasks", &[("CONFIG/earlySuccessCriteria/healthyPercent", "66")], "gate", "2"),
    ("three-tasks", &[("CONFIG/earlySuccessCriteria/healthyPercent", "67")], "gate", "3"),
    (
        "blocking-protected",
        &[("CONFIG/earlySuccessCriteria/sourceServiceRevisionCleanup", "\"DEFERRED\"")],
        "completed_at_ms",
        "35000",
    ),
    (
        "blocking-protected",
        &[("/acts/0/expiresInMinutes", "null"), ("/acts/0/renewed", "true")],
        "completed_at_ms",
        "null",
    ),
    ("worker-unseen", &[("/new/fate/exits_after", "\"39s\"")], "completed_at_ms", "null"),
    ("worker-unseen", &[("/readings/no_check_healthy_after_s", "0")], "completed_at_ms", "17000"),
    (
        "worker-gate",
        &[("/containers", "[{\"healthCheck\":{\"command\":[\"CMD-SHELL\",\"true\"]}}]")],
        "rolled_back_at_ms",
        "32000",
    ),
    ("nobody-told", &[("/fjall", "{}")], "watchdog_alarms/0/from_ms", "120000"),
    ("nobody-told", &[("/fjall", "{\"alarms\":false}")], "watchdog_alarms", "[]"),
    (
        "pipeline-gives-up",
        &[("/targetGroups/0/deregistration_delay.timeout_seconds", "30")],
        "completed_at_ms",
        "484000",
    ),
    (
        "pipeline-gives-up",
        &[("/targetGroups/0/deregistration_delay.timeout_seconds", "30")],
        "waiter/end",
        "\"stable\"",
    ),
];
const COUNT_1: &str = r#"{"type":"COUNT","value":1}"#;
const COUNT_5: &str = r#"{"type":"COUNT","value":5}"#;
const UNBOUNDED: &str = r#"{"type":"UNBOUNDED_PERCENT","value":50}"#;

#[test]
fn what_the_steps_say_of_other_settings_is_so() {
    let value = |text: &str| json::read(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}")).value;
    for (id, changes, row, wanted) in OTHERWISE {
        let preset = Preset::find(id).unwrap_or_else(|| panic!("no preset {id}"));
        let mut tree = value(preset.document);
        for (pointer, new) in *changes {
            let pointer = pointer.replace("CONFIG", CONFIG);
            let new = value(new);
            let done =
                if new.is_null() { tree.remove_pointer(&pointer).is_some() } else { tree.set_pointer(&pointer, new) };
            assert!(done, "{id}: nothing at {pointer}");
        }
        let (found, _) = run(id, &document(id, &tree.to_string()));
        let found = found.pointer(&format!("/{row}")).unwrap_or_else(|| panic!("{id}: no {row}"));
        assert_eq!(found, &value(wanted), "{id} with {changes:?}: {row}");
    }
}

#[test]
fn every_difference_between_platforms_has_a_good_and_a_bad_example() {
    let text = include_str!("../../docs/examples.md");
    let (_, section) = text.split_once("## The same two dials elsewhere").expect("the section");
    let (table, rest) = section.split_once("## The animated pattern").expect("the next one");
    let names = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |")).collect();
    // As many as the comparison of the platforms has.
    assert_eq!(rows.len(), 10);
    for row in &rows {
        let cells: Vec<Vec<String>> = row.split('|').map(names).collect();
        assert!(!cells[2].is_empty() && !cells[3].is_empty(), "{row}");
        for id in cells.concat() {
            let preset = Preset::find(&id).unwrap_or_else(|| panic!("{id}"));
            assert!(!PRESETS.contains(preset), "{id}: an example of another platform than Amazon ECS");
        }
    }
    for id in names(rest) {
        assert!(Preset::find(&id).is_some(), "{id}");
    }
}

//! EC2 instance refresh: the reference's vectors as data, rules by their functions and runs through the fields
//! that `rollscope run --json` prints.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::asg::Refresh;
use rollscope_engine::platform::asg::{Room, Status, room};
use rollscope_insight::asg::{self, json as rows, names};
use rollscope_insight::{chapters, run_to_end};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::link::decode_compared;
use rollscope_scenario::presets_instance_refresh::{INSTANCE_REFRESH, THREE_PLATFORMS};
use rollscope_scenario::steps::Step;
use rollscope_scenario::{Document, Preset, Problem, preset_steps};

/// The rows of a section, of which there are so many.
fn section(name: &str, count: usize) -> Vec<Value> {
    let rules = json::read(include_str!("../vectors/instance_refresh_rules.json")).expect("a table is JSON").value;
    let rows = rules.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name}")).to_vec();
    assert_eq!(rows.len(), count, "{name}");
    rows
}

fn id(row: &Value) -> &str {
    row.get("id").and_then(Value::as_str).unwrap_or_else(|| panic!("an id in {row}"))
}

fn n(row: &Value, key: &str) -> u32 {
    let number = row.get(key).and_then(Value::as_u64).unwrap_or_else(|| panic!("{key} in {row}"));
    u32::try_from(number).expect("a small number")
}

/// Every field of `wanted` is in `found` with the same value; objects are looked into, also those that name
/// places of a list.
fn assert_holds(name: &str, found: &Value, wanted: &Value) {
    let Some(fields) = wanted.as_object() else { return assert_eq!(found, wanted, "{name}") };
    for (key, wanted) in fields {
        let here = format!("{name}: {key}");
        let inside = match found.as_array() {
            Some(items) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
            None => found.get(key),
        };
        assert_holds(&here, inside.unwrap_or(&Value::Null), wanted);
    }
}

fn run(name: &str, document: &Document) -> Value {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let run = run_to_end(resolved.settings.clone());
    let end = run.end.asg().expect("a group");
    let (check, outcome) = (asg::check(&resolved), asg::outcome(run.view(), end));
    let why = |_: &Refresh| String::new();
    let mut value = rows::run(&resolved, &check, &outcome, end, &why);
    rows::add_events(&mut value, run.view(), &|_| String::new());
    value
}

#[test]
fn rooms() {
    for row in section("rooms", 14) {
        let max = row.get("max").and_then(Value::as_u64).map(|max| max as u32);
        let found = room(n(&row, "desired"), n(&row, "min"), max);
        assert_eq!(found, Room { floor: n(&row, "floor"), ceiling: n(&row, "ceiling") }, "{}", id(&row));
    }
}

#[test]
fn what_the_api_refuses_it_refuses_in_its_words() {
    for row in section("validation", 19) {
        let mut service = row.get("service").cloned().unwrap_or_else(Value::empty_object);
        if let Some(preferences) = row.get("Preferences") {
            service.insert("Preferences", preferences.clone());
        }
        let tree = Value::object([("platform", Value::from("asg-refresh")), ("service", service)]);
        let (document, problems) = Document::from_value(&tree);
        assert!(problems.is_empty(), "{}: {problems:?}", id(&row));
        let problems: Vec<Problem> = document.resolve().err().unwrap_or_default();
        let errors: Vec<&Problem> = problems.iter().filter(|problem| problem.is_error()).collect();
        match row.get("words").and_then(Value::as_str) {
            None => assert!(errors.is_empty(), "{}: {errors:?}", id(&row)),
            Some(words) => {
                let told = |problem: &&&Problem| {
                    let answer = problem.service_error.as_deref().unwrap_or_default();
                    answer.starts_with("ValidationError: ") && answer.contains(words)
                };
                let found = errors.iter().find(told).unwrap_or_else(|| panic!("{}: {errors:?}", id(&row)));
                assert!(found.field.starts_with("/service/") && !found.allowed.is_empty(), "{found:?}");
            }
        }
    }
}

#[test]
fn event_bridge_gets_the_documented_events() {
    let status = |row: &Value, key: &str| {
        let name = row.get(key).and_then(Value::as_str).expect("a status");
        *Status::ALL.iter().find(|status| status.name() == name).unwrap_or_else(|| panic!("{name}"))
    };
    for row in section("events", 9) {
        let (from, to) = (status(&row, "from"), status(&row, "to"));
        assert!(from.may_become(to), "{}", id(&row));
        let wanted = row.get("name").and_then(Value::as_str);
        let wanted = wanted.map(|name| format!("EC2 Auto Scaling Instance Refresh {name}"));
        assert_eq!(names::event(from, to).map(str::to_owned), wanted, "{}", id(&row));
    }
}

#[test]
fn runs_go_as_worked_out_by_hand() {
    let rows = json::read(include_str!("../vectors/instance_refresh_runs.json")).expect("a table is JSON").value;
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 55, "{}", rows.len());
    for row in rows {
        let name = id(row);
        let (document, problems) = Document::from_value(row.get("document").expect("a document"));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let found = run(name, &document);
        assert_holds(name, &found, row.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        if let Some(count) = row.get("checkpoints").and_then(Value::as_u64) {
            let all = found.get("checkpoints").and_then(Value::as_array).expect("checkpoints");
            assert_eq!(all.len() as u64, count, "{name}");
        }
        for (at, count) in row.get("created").and_then(Value::as_object).unwrap_or_default() {
            let tasks = found.get("tasks").and_then(Value::as_array).expect("tasks");
            let here = |task: &&Value| task.get("created").is_some_and(|created| created.to_string() == *at);
            assert_eq!(tasks.iter().filter(here).count() as u64, count.as_u64().expect("a number"), "{name} at {at}");
        }
    }
}

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("instance-refresh")
}

fn read(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    json::read(&text).unwrap_or_else(|problem| panic!("{}: {problem:?}", path.display())).value
}

/// The folders' names, in the order of their numbers.
fn folders() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder of scenarios").map(|entry| entry.expect("an entry"));
    let mut found: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}

#[test]
fn every_folder_is_offered_with_what_its_document_says() {
    let found = folders();
    let named = |name: &String| format!("instance-refresh-{}", name.split_once('-').expect("a number and a name").1);
    let offered: Vec<&str> = INSTANCE_REFRESH.iter().map(|preset| preset.id).collect();
    assert_eq!(found.iter().map(named).collect::<Vec<_>>(), offered, "left: folders, right: the list");
    for (preset, name) in INSTANCE_REFRESH.iter().zip(&found) {
        let document = Document::from_text(preset.document).document;
        assert_eq!(document, Document::from_value(&read(&folder().join(name).join("scenario.json"))).0, "{name}");
        assert_eq!((document.title.as_deref(), document.notes.as_deref()), (Some(preset.title), Some(preset.lead)));
        assert!(preset.lead.ends_with('.') && !preset.title.ends_with('.'), "{name}");
        assert_eq!(Preset::find(preset.id), Some(preset));
    }
}

#[test]
fn three_platforms_open_beside_each_other() {
    let opened = decode_compared(THREE_PLATFORMS).expect("a comparison");
    assert!(opened.is_whole());
    let platforms: Vec<Option<String>> = opened
        .parts
        .into_iter()
        .map(|part| {
            let document = part.expect("a part").link.document;
            assert!(document.resolve().is_ok(), "{document:?}");
            document.platform
        })
        .collect();
    assert_eq!(platforms, [None, Some("kubernetes-deployment".to_owned()), Some("asg-refresh".to_owned())]);
}

#[test]
fn scenarios_come_to_what_is_expected_of_them() {
    for (preset, name) in INSTANCE_REFRESH.iter().zip(folders()) {
        let document = Document::from_text(preset.document).document;
        let path = folder().join(&name);
        let wanted = read(&path.join("expected.json"));
        let found = run(&name, &document);
        assert_holds(&name, &found, wanted.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        // What a link carries is the same document.
        let link = rollscope_scenario::Link { document: document.clone(), ..Default::default() };
        let text = rollscope_scenario::link::encode(&link);
        let back = rollscope_scenario::link::decode(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(back.link.document, document, "{name}");
        let steps = preset_steps::of(preset.id);
        assert_eq!(steps.is_empty(), !path.join("steps.json").exists(), "{name}: a file that is not in the list");
        told(&name, &document, &steps, &wanted);
    }
}

/// The steps come at the moments of `steps_at_ms`, one after the other, in sentences of bearable length.
fn told(name: &str, document: &Document, steps: &[Step], wanted: &Value) {
    if steps.is_empty() {
        return;
    }
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let finished = run_to_end(resolved.settings.clone());
    let chapters = chapters(finished.view(), resolved.watchdog, steps);
    let order: Vec<&Step> = chapters.iter().map(|chapter| chapter.step).collect();
    assert_eq!(order, steps.iter().collect::<Vec<_>>(), "{name}: one never happens, or not in this order");
    let moments = Value::array(chapters.iter().map(|chapter| chapter.at.ms()));
    assert_eq!(Some(&moments), wanted.get("steps_at_ms"), "{name}");
    for step in steps {
        let text = step.text("en");
        assert!(text.chars().count() <= 160 && text.ends_with('.'), "{name}: {text}");
    }
}

#[test]
fn the_example_of_the_documentation_runs() {
    let text = include_str!("../../docs/instance-refresh.md");
    let example = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let (document, problems) = Document::from_value(&json::read(example).expect("JSON").value);
    assert!(problems.is_empty(), "{problems:?}");
    let found = run("example", &document);
    let refresh = found.get("instance_refreshes").and_then(|all| all.at(0)).expect("a refresh");
    assert_eq!(refresh.get("Status").and_then(Value::as_str), Some("RollbackSuccessful"));
}

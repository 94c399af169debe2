//! Google Cloud managed instance groups and Azure scale sets: the reference's vectors as data, rules by their functions
//! and runs through the fields that `rollscope run --json` prints.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::platform::mig::{Share, canary, in_vms};
use rollscope_engine::platform::vmss::{batch, too_many};
use rollscope_insight::run_to_end;
use rollscope_insight::vm::{self, json as rows};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::presets_machine_groups::MACHINE_GROUPS;
use rollscope_scenario::{Document, Preset, Problem};

/// The rows of a section, of which there are so many.
fn section(name: &str, count: usize) -> Vec<Value> {
    let rules = json::read(include_str!("../vectors/machine_groups_rules.json")).expect("a table is JSON").value;
    let rows = rules.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name}")).to_vec();
    assert_eq!(rows.len(), count, "{name}");
    rows
}

fn id(row: &Value) -> &str {
    row.get("id").and_then(Value::as_str).unwrap_or_else(|| panic!("an id in {row}"))
}

fn optional(row: &Value, key: &str) -> Option<u32> {
    row.get(key).and_then(Value::as_u64).map(|n| u32::try_from(n).expect("a small number"))
}

fn n(row: &Value, key: &str) -> u32 {
    optional(row, key).unwrap_or_else(|| panic!("{key} in {row}"))
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
    // Where machines of models are counted, all of them are.
    if name.ends_with("by_version") {
        assert_eq!(found.as_object().map(<[_]>::len), Some(fields.len()), "{name}: {found}");
    }
}

fn run(name: &str, document: &Document) -> Value {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let run = run_to_end(resolved.settings.clone());
    let end = run.end.vm().expect("a group of machines");
    let (check, outcome) = (vm::check(&resolved).expect("the same"), vm::outcome(run.view(), end));
    let mut value = rows::run(&resolved, &check, &outcome, end);
    rows::add_events(&mut value, run.view(), &|_| String::new());
    value
}

#[test]
fn shares_in_machines() {
    for row in section("shares", 5) {
        let percent = || Share::Percent(n(&row, "percent"));
        let share = optional(&row, "fixed").map_or_else(percent, Share::Fixed);
        assert_eq!(in_vms(share, n(&row, "size")), n(&row, "vms"), "{}", id(&row));
        if let Some(wanted) = optional(&row, "canary") {
            assert_eq!(canary(share, n(&row, "size")), wanted, "{}", id(&row));
        }
    }
}

#[test]
fn batches_and_limits() {
    for row in section("batches", 4) {
        assert_eq!(batch(n(&row, "total"), n(&row, "percent"), 0), n(&row, "n"), "{}", id(&row));
    }
    for row in section("limits", 4) {
        let stops = row.get("stops") == Some(&Value::Bool(true));
        assert_eq!(too_many(n(&row, "unhealthy"), n(&row, "of"), n(&row, "limit")), stops, "{}", id(&row));
    }
}

#[test]
fn what_an_api_refuses_it_refuses_in_its_words() {
    for row in section("validation", 20) {
        let part = |key: &str| row.get(key).cloned().unwrap_or_else(|| panic!("{key} in {row}"));
        let tree = Value::object([("platform", part("platform")), ("service", part("service"))]);
        let (document, problems) = Document::from_value(&tree);
        assert!(problems.is_empty(), "{}: {problems:?}", id(&row));
        let problems: Vec<Problem> = document.resolve().err().unwrap_or_default();
        let errors: Vec<&Problem> = problems.iter().filter(|problem| problem.is_error()).collect();
        let Some(words) = row.get("words").and_then(Value::as_str) else {
            assert!(errors.is_empty(), "{}: {errors:?}", id(&row));
            continue;
        };
        let told = |problem: &&&Problem| problem.service_error.as_deref().unwrap_or_default().contains(words);
        let found = errors.iter().find(told).unwrap_or_else(|| panic!("{}: {errors:?}", id(&row)));
        assert_eq!(Some(found.field.as_str()), row.get("field").and_then(Value::as_str), "{}", id(&row));
        assert!(!found.allowed.is_empty(), "{found:?}");
    }
}

#[test]
fn runs_go_as_worked_out_by_hand() {
    let rows = json::read(include_str!("../vectors/machine_groups_runs.json")).expect("a table is JSON").value;
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 48, "{}", rows.len());
    for row in rows {
        let name = id(row);
        let (document, problems) = Document::from_value(row.get("document").expect("a document"));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let found = run(name, &document);
        assert_holds(name, &found, row.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        // What a link carries is the same document.
        let link = rollscope_scenario::Link { document: document.clone(), ..Default::default() };
        let text = rollscope_scenario::link::encode(&link);
        let back = rollscope_scenario::link::decode(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(back.link.document, document, "{name}");
    }
}

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("machine-groups")
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
    let named = |name: &String| name.split_once('-').expect("a number and a name").1.to_owned();
    let offered: Vec<&str> = MACHINE_GROUPS.iter().map(|preset| preset.id).collect();
    assert_eq!(found.iter().map(named).collect::<Vec<_>>(), offered, "left: folders, right: the list");
    for (preset, name) in MACHINE_GROUPS.iter().zip(&found) {
        let document = Document::from_text(preset.document).document;
        assert_eq!(document, Document::from_value(&read(&folder().join(name).join("scenario.json"))).0, "{name}");
        assert_eq!((document.title.as_deref(), document.notes.as_deref()), (Some(preset.title), Some(preset.lead)));
        assert!(preset.lead.ends_with('.') && !preset.title.ends_with('.'), "{name}");
        assert_eq!(Preset::find(preset.id), Some(preset));
    }
}

#[test]
fn scenarios_come_to_what_is_expected_of_them() {
    for name in folders() {
        let path = folder().join(&name);
        let (document, problems) = Document::from_value(&read(&path.join("scenario.json")));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let wanted = read(&path.join("expected.json"));
        let found = run(&name, &document);
        assert_holds(&name, &found, wanted.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
    }
}

#[test]
fn the_examples_of_the_documentation_run() {
    let text = include_str!("../../docs/machine-groups.md");
    let examples: Vec<&str> = text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let (document, problems) = Document::from_value(&json::read(example).expect("JSON").value);
        assert!(problems.is_empty(), "{problems:?}");
        let found = run(example, &document);
        assert_eq!(found.get("outcome").and_then(Value::as_str), Some("completed"), "{found}");
    }
}

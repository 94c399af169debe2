//! StatefulSet and DaemonSet: the reference's vectors as data, rules by their functions and runs through the fields
//! that `rollscope run --json` prints.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;

use rollscope_engine::platform::daemonset::{self, NodeClass, NodeParams, Nodes, node_counts};
use rollscope_engine::platform::kubernetes::IntOrPercent;
use rollscope_engine::platform::statefulset::rules_update::{max_unavailable, update_step};
use rollscope_engine::platform::statefulset::{OrdinalParams, Ordinals};
use rollscope_insight::placed::json as rows;
use rollscope_insight::{kubernetes, placed, run_to_end};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::presets::Preset;
use rollscope_scenario::presets_placed::PLACED;
use rollscope_scenario::{Document, Problem};

const STATEFUL: &str = include_str!("../vectors/statefulset_rules.json");
const DAEMON: &str = include_str!("../vectors/daemonset_rules.json");

/// The rows of a section, of which there are so many.
fn section(text: &str, name: &str, count: usize) -> Vec<Value> {
    let table = json::read(text).expect("a table is JSON").value;
    let rows = table.get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name}")).to_vec();
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

fn list(row: &Value, key: &str) -> Vec<u32> {
    let items = row.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("{key} in {row}"));
    items.iter().map(|item| u32::try_from(item.as_u64().expect("a number")).expect("a small one")).collect()
}

fn set(row: &Value, key: &str) -> BTreeSet<u32> {
    list(row, key).into_iter().collect()
}

fn limit(row: &Value, key: &str) -> Option<IntOrPercent> {
    match row.get(key)? {
        Value::String(text) => Some(IntOrPercent::Percent(text.trim_end_matches('%').parse().expect("a percentage"))),
        value => value.as_u64().map(|n| IntOrPercent::Int(u32::try_from(n).expect("a small number"))),
    }
}

#[test]
fn pods_that_may_be_unavailable() {
    for row in section(STATEFUL, "max_unavailable", 6) {
        assert_eq!(max_unavailable(limit(&row, "value"), n(&row, "replicas")), n(&row, "result"), "{}", id(&row));
    }
}

#[test]
fn one_step_of_a_stateful_sets_update() {
    for row in section(STATEFUL, "update_step", 17) {
        let own = OrdinalParams {
            parallel: row.get("policy").and_then(Value::as_str) == Some("Parallel"),
            partition: n(&row, "partition"),
            max_unavailable: limit(&row, "max_unavailable"),
            gate: true,
            ..OrdinalParams::default()
        };
        let (replicas, terminating) = (n(&row, "replicas"), set(&row, "terminating"));
        let pods = Ordinals {
            outdated: (0..replicas).filter(|k| !terminating.contains(k)).collect(),
            unavailable: set(&row, "unavailable"),
            terminating,
            ..Ordinals::default()
        };
        let gone = update_step(&own, replicas, &pods);
        let left: Vec<u32> = (0..replicas).filter(|k| !gone.contains(k)).collect();
        match row.get("objects") {
            Some(objects) => assert_eq!(objects.as_u64(), Some(left.len() as u64), "{}", id(&row)),
            None => assert_eq!(left, list(&row, "left"), "{}", id(&row)),
        }
    }
}

fn node_params(row: &Value) -> NodeParams {
    NodeParams {
        on_delete: false,
        max_surge: limit(row, "surge").unwrap_or(IntOrPercent::Int(0)),
        max_unavailable: limit(row, "unavailable").unwrap_or(IntOrPercent::Int(1)),
    }
}

#[test]
fn nodes_that_may_be_replaced_at_once() {
    for row in section(DAEMON, "node_counts", 7) {
        let found = node_counts(&node_params(&row), n(&row, "nodes"));
        assert_eq!(vec![found.0, found.1], list(&row, "result"), "{}", id(&row));
    }
}

/// What becomes of the nodes by a plan when what is deleted is gone at once.
fn carry_out(actions: &[daemonset::Action], classes: &mut [NodeClass]) -> [u64; 2] {
    let mut counts = [0, 0];
    for action in actions {
        match *action {
            daemonset::Action::Create { node, .. } => {
                let class = &mut classes[node as usize];
                *class = if *class == NodeClass::Empty { NodeClass::NewDown } else { NodeClass::Surging };
                counts[0] += 1;
            }
            daemonset::Action::Delete { node, .. } => {
                let class = &mut classes[node as usize];
                *class = if *class == NodeClass::Surged { NodeClass::NewAvailable } else { NodeClass::Empty };
                counts[1] += 1;
            }
        }
    }
    counts
}

#[test]
fn passes_of_a_daemon_set() {
    for row in section(DAEMON, "passes", 3) {
        let (own, nodes) = (node_params(&row), n(&row, "nodes"));
        let mut classes = vec![NodeClass::OldAvailable; nodes as usize];
        let ready = list(&row, "ready_before");
        for (k, wanted) in row.get("passes").and_then(Value::as_array).expect("passes").iter().enumerate() {
            if ready.contains(&(k as u32)) {
                for class in &mut classes {
                    *class = match *class {
                        NodeClass::NewDown => NodeClass::NewAvailable,
                        NodeClass::Surging => NodeClass::Surged,
                        other => other,
                    };
                }
            }
            let mut seen = Nodes::default();
            for (node, class) in classes.iter().enumerate() {
                seen.put(node as u32, None, Some(*class));
            }
            let plan = daemonset::reconcile(&own, nodes, &seen);
            let found = Value::array(carry_out(&plan.actions, &mut classes).map(Value::from));
            assert_eq!(&found, wanted, "{}: pass {k}", id(&row));
        }
    }
}

#[test]
fn what_the_api_server_refuses_it_refuses_in_its_words() {
    let of = |platform: &'static str, rows: Vec<Value>| rows.into_iter().map(move |row| (platform, row));
    let rows = of("statefulset", section(STATEFUL, "validation", 9));
    for (platform, row) in rows.chain(of("daemonset", section(DAEMON, "validation", 6))) {
        let service = row.as_object().expect("an object").iter().filter(|(key, _)| key != "id" && key != "words");
        let service = Value::Object(service.cloned().collect());
        let tree = Value::object([("platform", Value::from(platform)), ("service", service)]);
        let (document, problems) = Document::from_value(&tree);
        assert!(problems.is_empty(), "{}: {problems:?}", id(&row));
        let answers: Vec<String> = match document.resolve() {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().filter(|p| p.is_error()).filter_map(|p| p.service_error.clone()).collect(),
        };
        match row.get("words").and_then(Value::as_str) {
            None => assert!(answers.is_empty(), "{}: {answers:?}", id(&row)),
            Some(words) => assert!(answers.iter().any(|answer| answer.contains(words)), "{}: {answers:?}", id(&row)),
        }
    }
}

/// What `run --json` prints for a document.
fn run(name: &str, document: &Document) -> Value {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let errors: Vec<&Problem> = resolved.warnings.iter().filter(|problem| problem.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let finished = run_to_end(resolved.settings.clone());
    let end = finished.end.placed().expect("a workload with places");
    let outcome = placed::outcome(finished.view(), end);
    rows::run(&resolved, &kubernetes::check(&resolved), &outcome, end, "web")
}

/// Every field of `wanted` stands in `found` with that value; objects are compared field by field.
fn assert_holds(name: &str, found: &Value, wanted: &Value) {
    for (key, value) in wanted.as_object().expect("an object of fields") {
        let actual = found.get(key).unwrap_or_else(|| panic!("{name}: no field {key}"));
        if value.as_object().is_some() {
            assert_holds(name, actual, value);
        } else {
            assert_eq!(actual, value, "{name}: {key}");
        }
    }
}

#[test]
fn runs_go_as_worked_out_by_hand() {
    let tables =
        [(include_str!("../vectors/statefulset_runs.json"), 23), (include_str!("../vectors/daemonset_runs.json"), 14)];
    for (text, many) in tables {
        let rows = json::read(text).expect("a table is JSON").value;
        let rows = rows.as_array().expect("a list");
        assert_eq!(rows.len(), many);
        for row in rows {
            let name = id(row);
            let (document, problems) = Document::from_value(row.get("document").expect("a document"));
            assert!(problems.is_empty(), "{name}: {problems:?}");
            let found = run(name, &document);
            if let Some(wanted) = row.get("steps") {
                let cells = |step: &Value| {
                    Value::array(
                        ["at_ms", "do", "place", "template"].map(|key| step.get(key).cloned().unwrap_or_default()),
                    )
                };
                let steps = found.get("steps").and_then(Value::as_array).expect("steps");
                assert_eq!(&Value::array(steps.iter().map(cells)), wanted, "{name}");
            }
            assert_holds(name, &found, row.get("expect").expect("what is expected"));
            assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        }
    }
}

fn read(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    json::read(&text).unwrap_or_else(|problem| panic!("{}: {problem:?}", path.display())).value
}

#[test]
fn scenarios_come_to_what_is_expected_of_them() {
    let mut offered = PLACED.iter();
    for (folder, many) in [("statefulset", 7), ("daemonset", 6)] {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(root).expect("the folder").map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        assert_eq!(folders.len(), many, "{folder}");
        for path in folders {
            let name = path.display().to_string();
            let (document, problems) = Document::from_value(&read(&path.join("scenario.json")));
            assert!(problems.is_empty(), "{name}: {problems:?}");
            let preset = offered.next().expect("a folder is offered");
            let numbered = path.file_name().expect("a name").to_string_lossy().into_owned();
            let id = format!("{folder}-{}", numbered.split_once('-').expect("a number and a name").1);
            assert_eq!((preset.id, Document::from_text(preset.document).document), (id.as_str(), document.clone()));
            assert_eq!((document.title.as_deref(), document.notes.as_deref()), (Some(preset.title), Some(preset.lead)));
            assert!(preset.lead.ends_with('.') && Preset::find(preset.id) == Some(preset), "{name}");
            let (found, wanted) = (run(&name, &document), read(&path.join("expected.json")));
            assert_holds(&name, &found, wanted.get("expect").expect("what is expected"));
            assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        }
    }
    assert_eq!(offered.next(), None);
}

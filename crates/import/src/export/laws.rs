//! What holds for every change of one workload to another.

use rollscope_scenario::json::{self, Value};
use rollscope_scenario::{Document, Preset};

use super::{Export, NoteKind, Target, export};
use crate::yaml;

/// Every example that is a workload of Kubernetes, by its name.
fn examples() -> Vec<(&'static str, Document)> {
    let all = Preset::all().map(|preset| (preset.id, Document::from_text(preset.document).document));
    all.filter(|(_, one)| Target::of(one).contains(&Target::Kubernetes)).collect()
}

fn written(document: &Document, base: Option<&Document>) -> Export {
    export(document, base, Target::Kubernetes).expect("a workload")
}

fn of_value(tree: &Value) -> Document {
    Document::from_value(tree).0
}

/// A patch as a tree: what is read of it as a manifest leaves out what is `null`.
fn spec_of(text: &str) -> Value {
    let read = yaml::read(text).map(|all| all.into_iter().next());
    let tree = read.ok().flatten().map(|node| node.value()).unwrap_or_default();
    tree.get("spec").cloned().unwrap_or_default()
}

/// A tree with a patch: members are merged, `null` takes out, items of a list are found by their names.
fn patched(base: &Value, patch: &Value) -> Value {
    match (base, patch) {
        (Value::Object(_), Value::Object(members)) => {
            let mut tree = base.clone();
            for (key, member) in members {
                let own = base.get(key).map_or_else(|| member.clone(), |own| patched(own, member));
                tree.insert(key.as_str(), own);
                if member.is_null() {
                    tree.remove_pointer(&json::pointer_join("", key));
                }
            }
            tree
        }
        (Value::Array(items), Value::Array(patches)) if patches.iter().all(|one| one.get("name").is_some()) => {
            let named = |item: &Value, name: Option<&Value>| name.is_some() && item.get("name") == name;
            let mut all: Vec<Value> = Vec::new();
            for item in items {
                let found = patches.iter().find(|one| named(one, item.get("name")));
                all.push(found.map_or_else(|| item.clone(), |patch| patched(item, patch)));
            }
            let is_new = |patch: &&Value| !items.iter().any(|item| named(item, patch.get("name")));
            all.extend(patches.iter().filter(is_new).cloned());
            Value::Array(all)
        }
        _ => patch.clone(),
    }
}

#[test]
fn a_patch_leads_from_one_workload_to_any_other_of_its_kind() {
    let all = examples();
    let mut compared = 0;
    for (from, base) in &all {
        for (id, own) in all.iter().filter(|(_, own)| own.platform == base.platform) {
            let said = written(own, Some(base));
            // Containers without a name have a blank in their place, which no container has.
            if said.notes.iter().any(|note| note.of.starts_with("CONTAINER")) {
                continue;
            }
            let after = if said.text.is_empty() {
                base.to_json()
            } else {
                let mut tree = base.to_json();
                let service = patched(tree.get("service").unwrap_or(&Value::Null), &spec_of(&said.text));
                tree.insert("service", service);
                tree
            };
            let rest = written(own, Some(&of_value(&after)));
            let gone = said.notes.iter().any(|note| note.kind == NoteKind::Dropped);
            assert!(gone || rest.text.is_empty(), "{from} to {id}\n{}\nthen\n{}", said.text, rest.text);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

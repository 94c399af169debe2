//! Kubernetes Deployment: the reference's vectors as data, rules by their functions and runs through the
//! fields that `rollscope run --json` prints.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::SimTime;
use rollscope_engine::platform::kubernetes::conditions::{Because, Condition, Conditions, Status, Truth};
use rollscope_engine::platform::kubernetes::params::{IntOrPercent, Strategy};
use rollscope_engine::platform::kubernetes::rules_fence::{fence_posts, max_unavailable, min_available};
use rollscope_engine::platform::kubernetes::rules_history::{OldSet, forgotten};
use rollscope_engine::platform::kubernetes::rules_pod::{crash_back_off, exits_in_a_row};
use rollscope_engine::platform::kubernetes::rules_progress::{
    Requeue, complete, progressing, refresh, requeue, timed_out,
};
use rollscope_engine::platform::kubernetes::rules_proportional::{Scaling, Share, proportional, scaling};
use rollscope_engine::platform::kubernetes::rules_rolling::{
    Size, clean_up_unhealthy, new_size, reconcile_new, reconcile_old, scale_down_healthy,
};
use rollscope_insight::kubernetes::{self, json as rows};
use rollscope_insight::{chapters, run_to_end};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::presets_kubernetes::{FOUR_SETTINGS, KUBERNETES};
use rollscope_scenario::steps::Step;
use rollscope_scenario::{Document, Preset, Problem, preset_steps};

fn rules() -> Value {
    json::read(include_str!("../vectors/kubernetes_rules.json")).expect("a table is JSON").value
}

/// The rows of a section, of which there are so many.
fn section(name: &str, count: usize) -> Vec<Value> {
    let rows = rules().get(name).and_then(Value::as_array).unwrap_or_else(|| panic!("{name}")).to_vec();
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

fn truth_of(row: &Value) -> bool {
    row.get("result").and_then(Value::as_bool).unwrap_or_else(|| panic!("result in {row}"))
}

fn numbers(value: &Value) -> Vec<u32> {
    let items = value.as_array().unwrap_or_else(|| panic!("a list: {value}"));
    items.iter().map(|item| u32::try_from(item.as_u64().expect("a number")).expect("a small one")).collect()
}

fn list(row: &Value, key: &str) -> Vec<u32> {
    numbers(row.get(key).unwrap_or_else(|| panic!("{key} in {row}")))
}

fn lists(row: &Value, key: &str) -> Vec<Vec<u32>> {
    row.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("{key} in {row}")).iter().map(numbers).collect()
}

fn fence(row: &Value, key: &str) -> Option<IntOrPercent> {
    match row.get(key)? {
        Value::String(text) => Some(IntOrPercent::Percent(text.trim_end_matches('%').parse().expect("a percentage"))),
        value => value.as_u64().map(|n| IntOrPercent::Int(u32::try_from(n).expect("a small number"))),
    }
}

fn status(numbers: &[u32]) -> Status {
    let [replicas, updated, ready, available] = *numbers else { panic!("four numbers: {numbers:?}") };
    Status { replicas, updated, ready, available }
}

fn size(pair: &[u32]) -> Size {
    Size { spec: pair[0], available: pair[1] }
}

#[test]
fn fence_posts_and_bounds() {
    for row in section("fence_posts", 17) {
        let found = fence_posts(fence(&row, "surge"), fence(&row, "unavailable"), n(&row, "replicas"));
        assert_eq!(vec![found.0, found.1], list(&row, "result"), "{}", id(&row));
    }
    for row in section("bounds", 7) {
        let rolling =
            Strategy::RollingUpdate { max_surge: fence(&row, "surge"), max_unavailable: fence(&row, "unavailable") };
        let strategy = if row.get("recreate").is_some() { Strategy::Recreate } else { rolling };
        let replicas = n(&row, "replicas");
        let found = (max_unavailable(strategy, replicas), min_available(strategy, replicas));
        assert_eq!(found, (n(&row, "max_unavailable"), n(&row, "min_available")), "{}", id(&row));
    }
}

#[test]
fn what_the_api_server_refuses_it_refuses_in_its_words() {
    for row in section("validation", 12) {
        let service = row.as_object().expect("an object").iter().filter(|(key, _)| key != "id" && key != "words");
        let service = Value::Object(service.cloned().collect());
        let tree = Value::object([("platform", Value::from("kubernetes-deployment")), ("service", service)]);
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

#[test]
fn sizes_of_a_rolling_update() {
    for row in section("reconcile_new", 4) {
        let found = reconcile_new(n(&row, "replicas"), n(&row, "ceiling"), n(&row, "asked"), n(&row, "new"));
        assert_eq!(found, n(&row, "result"), "{}", id(&row));
    }
    for row in section("reconcile_old", 12) {
        let strategy =
            Strategy::RollingUpdate { max_surge: fence(&row, "surge"), max_unavailable: fence(&row, "unavailable") };
        let replicas = n(&row, "replicas");
        let old: Vec<Size> = lists(&row, "old").iter().map(|pair| size(pair)).collect();
        let new = size(&list(&row, "new"));
        let found = reconcile_old(&old, new, min_available(strategy, replicas));
        assert_eq!(found.sizes, list(&row, "result"), "{}", id(&row));
        if row.get("unhealthy").is_some() {
            assert_eq!(found.unhealthy, n(&row, "unhealthy"), "{}", id(&row));
        }
        if row.get("then_new").is_some() {
            let ceiling = rollscope_engine::platform::kubernetes::rules_fence::ceiling(strategy, replicas);
            let asked = found.sizes.iter().sum::<u32>() + new.spec;
            assert_eq!(new_size(replicas, ceiling, asked, new.spec), n(&row, "then_new"), "{}", id(&row));
        }
    }
    for row in section("clean_up", 2) {
        let old: Vec<Size> = lists(&row, "old").iter().map(|pair| size(pair)).collect();
        assert_eq!(clean_up_unhealthy(&old, n(&row, "most")).1, n(&row, "removed"), "{}", id(&row));
    }
    for row in section("scale_down", 3) {
        let found = scale_down_healthy(&list(&row, "old"), n(&row, "available"), n(&row, "floor"));
        assert_eq!(found.1, n(&row, "removed"), "{}", id(&row));
    }
}

/// ReplicaSets, oldest first, that were last scaled for `base`.
fn shares(specs: &[u32], base: u32) -> Vec<Share> {
    let share = |(k, spec): (usize, &u32)| Share { spec: *spec, max_replicas: Some(base), created: k as u32 };
    specs.iter().enumerate().map(share).collect()
}

#[test]
fn proportional_scaling() {
    for row in section("proportional", 16) {
        let (replicas, surge) = (list(&row, "replicas"), list(&row, "surge"));
        let before = shares(&list(&row, "before"), replicas[0] + surge[0]);
        assert_eq!(proportional(&before, replicas[1], surge[1], 0), list(&row, "after"), "{}", id(&row));
    }
    for row in section("scaling", 4) {
        let (replicas, surge) = (n(&row, "replicas"), n(&row, "surge"));
        let before = list(&row, "before");
        let saturated = row.get("saturated").and_then(Value::as_bool).unwrap_or(false);
        let new = n(&row, "new") as usize;
        let found = scaling(&shares(&before, replicas + surge), Some(new), (replicas, surge), saturated, true, 0);
        let after: Vec<u32> = match found {
            Scaling::One(only, size) => (0..before.len()).map(|k| if k == only { size } else { before[k] }).collect(),
            Scaling::OldToZero => (0..before.len()).map(|k| if k == new { before[k] } else { 0 }).collect(),
            Scaling::Proportional(sizes) => sizes,
            Scaling::Nothing => before,
        };
        assert_eq!(after, list(&row, "after"), "{}", id(&row));
    }
}

/// `Progressing` of that reason, last updated so long before 20 minutes.
fn progress(because: Because, ago_ms: u64) -> (Option<Condition>, SimTime) {
    let now = SimTime(1_200_000);
    (Some(Condition::new(Truth::True, because, now - ago_ms)), now)
}

#[test]
fn completeness_progress_deadline_timer() {
    for row in section("complete", 4) {
        assert_eq!(complete(n(&row, "replicas"), status(&list(&row, "status"))), truth_of(&row), "{}", id(&row));
    }
    for row in section("progress", 4) {
        let found = progressing(status(&list(&row, "before")), status(&list(&row, "after")));
        assert_eq!(found, truth_of(&row), "{}", id(&row));
    }
    for row in section("timed_out", 2) {
        let (condition, now) = progress(Because::ReplicaSetUpdated, n(&row, "ago_ms").into());
        assert_eq!(timed_out(condition, n(&row, "deadline_ms").into(), now), truth_of(&row), "{}", id(&row));
    }
    for row in section("requeue", 5) {
        let reported = row.get("reported").is_some();
        let because = if reported { Because::ProgressDeadlineExceeded } else { Because::ReplicaSetUpdated };
        let (condition, now) = progress(because, n(&row, "ago_ms").into());
        let deadline = row.get("deadline_ms").and_then(Value::as_u64);
        let expected = match row.get("left_ms").and_then(Value::as_u64) {
            None => Requeue::Never,
            Some(0) => Requeue::AtOnce,
            Some(left) => Requeue::After(left),
        };
        assert_eq!(requeue(condition, deadline, 4, Status::default(), now), expected, "{}", id(&row));
    }
}

#[test]
fn transitions_of_progressing() {
    const REASONS: [Because; 5] = [
        Because::ReplicaSetUpdated,
        Because::NewReplicaSetAvailable,
        Because::NewReplicaSetCreated,
        Because::ProgressDeadlineExceeded,
        Because::DeploymentPaused,
    ];
    for row in section("conditions", 6) {
        let before = row.get("before").and_then(Value::as_array).expect("status and reason");
        let named = |because: &&Because| Some(because.name()) == before[1].as_str();
        let because = *REASONS.iter().find(named).expect("a known reason");
        let was = if before[0].as_str() == Some("True") { Truth::True } else { Truth::False };
        let then = SimTime(1_000);
        let mut conditions =
            Conditions { progressing: Some(Condition::new(was, because, then)), ..Conditions::default() };
        let deadline = row.get("deadline").and_then(Value::as_bool).expect("yes or no").then_some(600_000);
        let steps = lists(&row, "status");
        let (before, after) = (status(&steps[0]), status(&steps[1]));
        refresh(&mut conditions, (before, after), 4, 0, deadline, SimTime(700_000));
        let found = conditions.progressing;
        let words = found.map(|found| Value::array([found.status.name(), found.reason.name()]));
        assert_eq!(words, row.get("after").filter(|after| !after.is_null()).cloned(), "{}", id(&row));
        if let Some(kept) = row.get("transition_kept").and_then(Value::as_bool) {
            assert_eq!(found.map(|found| found.last_transition == then), Some(kept), "{}", id(&row));
        }
    }
}

#[test]
fn history_and_crash_loops() {
    for row in section("history", 6) {
        let old: Vec<OldSet> =
            lists(&row, "old").iter().map(|set| OldSet { revision: set[0], spec: set[1], pods: set[2] }).collect();
        let limit = row.get("limit").and_then(Value::as_u64).map(|limit| limit as u32);
        let found: Vec<u32> = forgotten(&old, limit).into_iter().map(|k| old[k].revision).collect();
        assert_eq!(found, list(&row, "deleted"), "{}", id(&row));
    }
    for row in section("crash_loop", 2) {
        let (runs, expected) = (u64::from(n(&row, "runs_s")) * 1_000, list(&row, "starts_s"));
        let (mut at, mut exits, mut starts) = (0_u64, 0, vec![0]);
        while starts.len() < expected.len() {
            exits = exits_in_a_row(exits, runs);
            at += runs + crash_back_off(exits);
            starts.push((at / 1_000) as u32);
        }
        assert_eq!(starts, expected, "{}", id(&row));
    }
}

/// What `run --json --events` prints for a document.
fn run(name: &str, document: &Document) -> Value {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let errors: Vec<&Problem> = resolved.warnings.iter().filter(|problem| problem.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let finished = run_to_end(resolved.settings.clone());
    let end = finished.end.kubernetes().expect("a Deployment");
    let outcome = kubernetes::outcome(finished.view(), end);
    let mut value = rows::run(&resolved, &kubernetes::check(&resolved), &outcome, end, "web");
    rows::add_events(&mut value, finished.view(), "web", &|_| String::new());
    value
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

/// `[at_ms, template, from, to]` of every size change.
fn sizes(found: &Value) -> Vec<Vec<u64>> {
    let row =
        |pass: &Value| ["at_ms", "template", "from", "to"].map(|key| pass.get(key).and_then(Value::as_u64).expect(key));
    found.get("passes").and_then(Value::as_array).expect("passes").iter().map(|pass| row(pass).to_vec()).collect()
}

fn rows_of(value: &Value) -> Vec<Vec<u64>> {
    let row = |row: &Value| row.as_array().expect("a row").iter().map(|n| n.as_u64().expect("a number")).collect();
    value.as_array().expect("rows").iter().map(row).collect()
}

fn check_bounds(name: &str, row: &Value, found: &Value) {
    for (key, holds) in [("least", true), ("most", false)] {
        for (field, bound) in row.get(key).and_then(Value::as_object).unwrap_or_default() {
            let (actual, bound) = (found.get(field).and_then(Value::as_u64), bound.as_u64());
            let actual = actual.unwrap_or_else(|| panic!("{name}: {field}"));
            let bound = bound.expect("a bound");
            assert!(
                if holds { actual >= bound } else { actual <= bound },
                "{name}: {field} is {actual}, bound {bound}"
            );
        }
    }
}

fn check_conditions(name: &str, row: &Value, found: &Value) {
    if let Some(wanted) = row.get("conditions_at").and_then(Value::as_array) {
        let all = found.get("condition_changes").and_then(Value::as_array).expect("changes");
        let of = |row: &&Value| row.get("type").and_then(Value::as_str) == wanted[0].at(1).and_then(Value::as_str);
        let cells = |row: &Value| {
            Value::array(["at_ms", "type", "reason"].map(|key| row.get(key).cloned().unwrap_or_default()))
        };
        let found: Vec<Value> = all.iter().filter(of).map(cells).collect();
        assert_eq!(&found, wanted, "{name}");
    }
    let Some(wanted) = row.get("last_conditions").and_then(Value::as_object) else { return };
    let all = found.get("conditions").and_then(Value::as_array).expect("conditions");
    for (kind, wanted) in wanted {
        let found = all.iter().find(|row| row.get("type").and_then(Value::as_str) == Some(kind));
        let found = found.unwrap_or_else(|| panic!("{name}: no condition {kind}"));
        let cells = Value::array(["status", "reason"].map(|key| found.get(key).cloned().unwrap_or_default()));
        assert_eq!(&cells, wanted, "{name}: {kind}");
    }
}

#[test]
fn runs_go_as_worked_out_by_hand() {
    let rows = json::read(include_str!("../vectors/kubernetes_runs.json")).expect("a table is JSON").value;
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 60, "{}", rows.len());
    for row in rows {
        let name = id(row);
        let (document, problems) = Document::from_value(row.get("document").expect("a document"));
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let found = run(name, &document);
        assert_holds(name, &found, row.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        check_bounds(name, row, &found);
        check_conditions(name, row, &found);
        let passes = sizes(&found);
        if let Some(wanted) = row.get("passes") {
            assert_eq!(passes, rows_of(wanted), "{name}");
        }
        for (at, wanted) in row.get("passes_at").and_then(Value::as_object).unwrap_or_default() {
            let here = passes.iter().filter(|pass| pass[0].to_string() == *at).map(|pass| pass[1..].to_vec());
            assert_eq!(here.collect::<Vec<_>>(), rows_of(wanted), "{name} at {at}");
        }
        if let Some(from) = row.get("passes_from").and_then(Value::as_u64) {
            assert_eq!(passes.first().map(|pass| pass[0]), Some(from), "{name}");
        }
        let tasks = found.get("tasks").and_then(Value::as_array).expect("tasks");
        for (pod, wanted) in row.get("tasks").and_then(Value::as_object).unwrap_or_default() {
            let found = tasks.iter().find(|row| row.get("name").and_then(Value::as_str) == Some(pod));
            assert_holds(&format!("{name}: {pod}"), found.unwrap_or_else(|| panic!("{name}: no {pod}")), wanted);
        }
    }
}

#[test]
fn conditions_are_spelled_as_kubernetes_does() {
    use rollscope_engine::platform::kubernetes::ConditionKind;
    let spelled: Vec<&str> = ConditionKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(spelled, ["Available", "Progressing", "ReplicaFailure"]);
}

fn folder(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kubernetes").join(name)
}

fn read(path: &std::path::Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    json::read(&text).unwrap_or_else(|problem| panic!("{}: {problem:?}", path.display())).value
}

#[test]
fn every_folder_is_offered_with_what_its_document_says() {
    let entries = std::fs::read_dir(folder("")).expect("the folder of scenarios").map(|entry| entry.expect("an entry"));
    let mut found: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let bare = |preset: &Preset| preset.id.strip_prefix("kubernetes-").expect("a name of this list").to_owned();
    let offered: Vec<String> = KUBERNETES.iter().map(bare).collect();
    let named = |name: &String| name.split_once('-').expect("a number and a name").1.to_owned();
    assert_eq!(found.iter().map(named).collect::<Vec<_>>(), offered, "left: folders, right: the list");
    for (preset, name) in KUBERNETES.iter().zip(&found) {
        let document = Document::from_text(preset.document).document;
        assert_eq!(document, Document::from_value(&read(&folder(name).join("scenario.json"))).0, "{name}");
        assert_eq!((document.title.as_deref(), document.notes.as_deref()), (Some(preset.title), Some(preset.lead)));
        assert!(preset.lead.ends_with('.') && !preset.title.ends_with('.'), "{name}");
        assert_eq!(Preset::find(preset.id), Some(preset));
    }
    let titles: std::collections::BTreeSet<&str> = Preset::all().map(|preset| preset.title).collect();
    assert_eq!(titles.len(), Preset::all().count(), "no title stands twice: the steps are found by it");
    for id in FOUR_SETTINGS {
        assert!(Preset::find(id).is_some(), "{id}");
    }
}

#[test]
fn scenarios_come_to_what_is_expected_of_them() {
    for preset in KUBERNETES {
        let name = preset.id;
        let path = std::fs::read_dir(folder("")).expect("the folder").map(|entry| entry.expect("an entry").path());
        let bare = name.strip_prefix("kubernetes-").expect("a name of this list");
        let ends = |path: &std::path::PathBuf| {
            path.file_name()
                .is_some_and(|own| own.to_string_lossy().split_once('-').is_some_and(|(_, own)| own == bare))
        };
        let path = path.into_iter().find(ends).unwrap_or_else(|| panic!("no folder {name}"));
        let document = Document::from_text(preset.document).document;
        let wanted = read(&path.join("expected.json"));
        let found = run(name, &document);
        assert_holds(name, &found, wanted.get("expect").expect("what is expected"));
        assert_eq!(found.get("invariants_broken"), Some(&Value::Array(vec![])), "{name}");
        // What a link carries is the same document.
        let link = rollscope_scenario::Link { document: document.clone(), ..Default::default() };
        let text = rollscope_scenario::link::encode(&link);
        let back = rollscope_scenario::link::decode(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert_eq!(back.link.document, document, "{name}");
        let steps = preset_steps::of(name);
        assert_eq!(steps.is_empty(), !path.join("steps.json").exists(), "{name}: a file that is not in the list");
        told(name, &document, &steps, &wanted);
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

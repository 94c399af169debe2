//! Laws of what is said of the platforms beside Amazon ECS, over every example.

use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Record, What};
use rollscope_insight::placed::kubectl::get_pods;
use rollscope_insight::placed::{PodNames, pod_name};
use rollscope_insight::{Run, asg, kubernetes, placed, run_to_end, vm};
use rollscope_scenario::presets::Preset;
use rollscope_scenario::presets_instance_refresh::INSTANCE_REFRESH;
use rollscope_scenario::presets_kubernetes::KUBERNETES;
use rollscope_scenario::presets_machine_groups::MACHINE_GROUPS;
use rollscope_scenario::presets_placed::PLACED;
use rollscope_scenario::{Document, Resolved};
use rollscope_wording as words;

fn resolved(preset: &Preset) -> Resolved {
    let resolved = Document::from_text(preset.document).document.resolve();
    resolved.unwrap_or_else(|problems| panic!("{}: {problems:?}", preset.id))
}

/// The verdict before a run and after it.
fn verdicts(resolved: &Resolved, run: &Run) -> Option<[String; 2]> {
    let alarms = &resolved.settings.alarms;
    if let Some(end) = run.end.kubernetes() {
        let (check, outcome) = (kubernetes::check(resolved), kubernetes::outcome(run.view(), end));
        return Some([None, Some(&outcome)].map(|outcome| words::kubernetes::verdict(&check, outcome)));
    }
    if let Some(end) = run.end.placed() {
        let (check, outcome) = (kubernetes::check(resolved), placed::outcome(run.view(), end));
        return Some([None, Some(&outcome)].map(|outcome| words::placed::verdict(&check, outcome)));
    }
    if let Some(end) = run.end.asg() {
        let (check, outcome) = (asg::check(resolved), asg::outcome(run.view(), end));
        return Some([None, Some(&outcome)].map(|outcome| words::asg::verdict(&check, outcome, alarms)));
    }
    let (end, check) = (run.end.vm()?, vm::check(resolved)?);
    let outcome = vm::outcome(run.view(), end);
    Some([None, Some(&outcome)].map(|outcome| words::vm::verdict(&check, outcome)))
}

#[test]
fn no_two_numbers_stand_side_by_side_in_a_verdict() {
    let presets = [KUBERNETES, PLACED, INSTANCE_REFRESH, MACHINE_GROUPS].concat();
    assert!(presets.len() > 40, "{}", presets.len());
    for preset in &presets {
        let resolved = resolved(preset);
        let run = run_to_end(resolved.settings.clone());
        let said = verdicts(&resolved, &run).unwrap_or_else(|| panic!("{}: no verdict", preset.id));
        for sentence in said {
            let words: Vec<&str> = sentence.split(' ').collect();
            let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
            let beside = words.windows(2).find(|pair| pair.iter().all(number));
            assert_eq!(beside, None, "{}: {sentence}", preset.id);
        }
    }
}

/// What the simulation calls a Pod: `2·5`.
fn has_own_name(sentence: &str) -> bool {
    sentence.contains('·')
}

#[test]
fn a_pod_is_called_as_kubectl_calls_it() {
    for preset in PLACED {
        let run = run_to_end(resolved(preset).settings);
        let end = run.end.placed().unwrap_or_else(|| panic!("{}: no places", preset.id));
        let records = &run.trace.records;
        let mut names = PodNames::new(end, "web");
        // In pieces as a page reads them, and once more without anything new.
        for until in [0, 1, records.len() / 2, records.len(), records.len()] {
            names.read(&records[..until]);
        }
        let known = placed::places(records, end);
        for record in records {
            let What::Task { task, .. } = record.what else { continue };
            let place = known.get(&task.id).unwrap_or_else(|| panic!("{}: {task:?} has no place", preset.id));
            assert_eq!(names.name(task.name), Some(pod_name(end, "web", *place)), "{}", preset.id);
        }
        let called = |name: TaskName| names.name(name).unwrap_or_else(|| panic!("{}: {name:?}", preset.id));
        for record in records {
            let said = words::placed::row(record, 1, &called);
            assert!(!has_own_name(&said), "{}: {said}", preset.id);
            let instant: Vec<Record> = records.iter().filter(|other| other.at == record.at).copied().collect();
            let said = words::placed::caption(&instant, &called);
            assert!(!has_own_name(&said), "{}: {said}", preset.id);
        }
        for act in run.end.acts() {
            let said = words::placed::command(&act.command, &called) + &words::placed::act_short(&act.command, &called);
            assert!(!has_own_name(&said), "{}: {said}", preset.id);
        }
        let listed = get_pods(end, "web");
        assert!(!listed.is_empty(), "{}", preset.id);
        for row in listed {
            let some = end.pods().any(|pod| names.name(pod.name).as_deref() == Some(row[0].as_str()));
            assert!(some, "{}: {}", preset.id, row[0]);
        }
    }
}

#[test]
fn a_successor_has_the_name_of_the_pod_it_replaces() {
    let preset = |id| PLACED.iter().find(|preset| preset.id == id).unwrap_or_else(|| panic!("no example {id}"));
    for (id, name, short) in [
        ("statefulset-highest-first", "web-3", "web-3"),
        ("daemonset-node-by-node", "web-node3", "node 3"),
        ("daemonset-surge", "web-node3", "node 3"),
    ] {
        let run = run_to_end(resolved(preset(id)).settings);
        let mut names = PodNames::new(run.end.placed().expect("a workload with places"), "web");
        names.read(&run.trace.records);
        let mut called: Vec<TaskName> = run
            .trace
            .records
            .iter()
            .filter_map(|record| match record.what {
                What::Task { task, .. } => Some(task.name),
                _ => None,
            })
            .filter(|task| names.name(*task).as_deref() == Some(name))
            .collect();
        called.sort();
        called.dedup();
        let revisions: Vec<u32> = called.iter().map(|task| task.revision).collect();
        assert_eq!(revisions, [1, 2], "{id}");
        assert!(called.iter().all(|task| names.short(*task).as_deref() == Some(short)), "{id}");
        assert_eq!(names.name(TaskName { revision: 9, start: 9 }), None);
    }
}

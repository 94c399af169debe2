use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::ecs::strategy::ShiftKind;

use super::*;
use crate::{Document, PRESETS};

const STRATEGIES: [Option<ShiftKind>; 4] =
    [None, Some(ShiftKind::BlueGreen), Some(ShiftKind::Linear), Some(ShiftKind::Canary)];

/// The presets that are accepted, as trees.
fn presets() -> impl Iterator<Item = (&'static str, Value)> {
    let trees = PRESETS.iter().map(|preset| (preset.id, Document::from_text(preset.document).document.to_json()));
    trees.filter(|(_, tree)| refused(tree).is_empty())
}

fn tree(text: &str) -> Value {
    Document::from_text(text).document.to_json()
}

/// Sets the fields as a form does: an object that is left empty is taken out as well.
fn apply(tree: &Value, fields: Fields) -> Value {
    let mut tree = tree.clone();
    for (pointer, value) in fields {
        if !value.is_null() {
            assert!(tree.set_pointer(&pointer, value), "{pointer}");
            continue;
        }
        let mut pointer = &*pointer;
        loop {
            tree.remove_pointer(pointer);
            pointer = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
            let empty = tree.pointer(pointer).and_then(Value::as_object).is_some_and(<[_]>::is_empty);
            if pointer.is_empty() || !empty {
                break;
            }
        }
    }
    tree
}

fn refused(tree: &Value) -> Vec<(String, String)> {
    let (document, mut problems) = Document::from_value(tree);
    problems.extend(document.resolve().err().unwrap_or_default());
    problems.into_iter().filter(|p| p.is_error()).map(|p| (p.field, p.allowed)).collect()
}

/// What a change may touch is taken out of both; the rest is the same.
fn rest(tree: &Value, touched: &[&str]) -> Value {
    let out = touched.iter().map(|pointer| ((*pointer).into(), Value::Null)).collect();
    apply(tree, out)
}

#[test]
fn every_preset_takes_every_strategy_and_keeps_the_rest() {
    let touched = [
        "/service/deploymentConfiguration/strategy",
        "/service/deploymentConfiguration/linearConfiguration",
        "/service/deploymentConfiguration/canaryConfiguration",
        "/service/deploymentConfiguration/earlySuccessCriteria",
        "/service/deploymentConfiguration/bakeTimeInMinutes",
        "/targetGroups",
    ];
    for (id, before) in presets().filter(|(_, tree)| !is_daemon(tree)) {
        for to in STRATEGIES {
            let after = apply(&before, with_strategy(&before, to));
            assert_eq!(refused(&after), [], "{id} {to:?}");
            assert_eq!(strategy(&after), to, "{id}");
            assert_eq!(rest(&before, &touched), rest(&after, &touched), "{id} {to:?}");
        }
    }
}

#[test]
fn there_and_back_the_steps_are_what_they_were() {
    for (id, before) in presets() {
        let here = strategy(&before);
        let ways = [(ShiftKind::Linear, ShiftKind::Canary), (ShiftKind::Canary, ShiftKind::Linear)];
        for (_, there) in ways.into_iter().filter(|(from, _)| here == Some(*from)) {
            let other = apply(&before, with_strategy(&before, Some(there)));
            assert_eq!(apply(&other, with_strategy(&other, here)), before, "{id}");
        }
    }
}

#[test]
fn a_step_has_its_counterpart() {
    let canary = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"CANARY","canaryConfiguration":
        {"canaryPercent":PERCENT,"canaryBakeTimeInMinutes":30}}},"targetGroups":[{}]}"#;
    for (percent, step) in [("10", "10"), ("0.5", "3"), ("33.3", "33.3"), ("2.9", "3")] {
        let before = tree(&canary.replace("PERCENT", percent));
        let after = apply(&before, with_strategy(&before, Some(ShiftKind::Linear)));
        let config = after.pointer("/service/deploymentConfiguration/linearConfiguration").expect("a step").to_string();
        assert_eq!(config, alloc::format!(r#"{{"stepPercent":{step},"stepBakeTimeInMinutes":30}}"#));
        assert_eq!(refused(&after), []);
    }
}

#[test]
fn a_worker_gets_a_load_balancer_only_where_it_needs_one() {
    let worker = tree(r#"{"service":{"desiredCount":4}}"#);
    for (to, given) in [(ShiftKind::BlueGreen, false), (ShiftKind::Linear, true), (ShiftKind::Canary, true)] {
        let after = apply(&worker, with_strategy(&worker, Some(to)));
        assert_eq!(after.pointer("/targetGroups").is_some(), given, "{to:?}");
    }
}

#[test]
fn the_answers_of_the_other_hooks_stay_theirs() {
    let before = tree(
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"BLUE_GREEN","bakeTimeInMinutes":5,"lifecycleHooks":[
            {"lifecycleStages":["POST_SCALE_UP"]},{"targetType":"PAUSE","lifecycleStages":["POST_SCALE_UP"]},{"lifecycleStages":["PRE_SCALE_UP"]}]}},
        "hooks":[{"answers":[{"hookStatus":"FAILED"}]},{"hook":2,"answers":[{"hookStatus":"SUCCEEDED"}]}]}"#,
    );
    let hooks = |tree: &Value| tree.pointer("/hooks").map_or(String::new(), ToString::to_string);
    let after = apply(&before, without_hook(&before, 1));
    assert_eq!(
        hooks(&after),
        r#"[{"answers":[{"hookStatus":"FAILED"}]},{"hook":1,"answers":[{"hookStatus":"SUCCEEDED"}]}]"#
    );
    let after = apply(&after, without_hook(&after, 0));
    assert_eq!(hooks(&after), r#"[{"hook":0,"answers":[{"hookStatus":"SUCCEEDED"}]}]"#);
    assert_eq!(refused(&after), []);
    let after = apply(&after, without_hook(&after, 0));
    assert!(hooks(&after).is_empty() && after.pointer("/service/deploymentConfiguration/lifecycleHooks").is_none());
}

#[test]
fn the_tasks_of_every_preset_run_elsewhere_and_the_rest_stays() {
    let touched = [
        "/capacity",
        "/places",
        "/acts",
        "/service/launchType",
        "/service/capacityProviderStrategy",
        "/service/schedulingStrategy",
        "/service/desiredCount",
    ];
    for (id, before) in presets() {
        for to in Room::ALL {
            let after = apply(&before, with_room(&before, to));
            assert_eq!(refused(&after), [], "{id} {to:?}");
            assert_eq!(room(&after), to, "{id}");
            assert_eq!(rest(&before, &touched), rest(&after, &touched), "{id} {to:?}");
            let others = |tree: &Value| {
                let acts = tree.pointer("/acts").and_then(Value::as_array).unwrap_or_default().iter();
                acts.filter(|act| !word(Some(act), "do").contains("instance")).cloned().collect::<Vec<_>>()
            };
            assert_eq!(others(&before), others(&after), "{id} {to:?}");
        }
    }
}

#[test]
fn a_cluster_begins_with_room_for_all_tasks_twice() {
    for desired in [0, 1, 4, 12, 13, 1_000, 8_000, 8_001, 20_000] {
        let before = tree(&alloc::format!(r#"{{"service":{{"desiredCount":{desired}}}}}"#));
        let after = apply(&before, with_room(&before, Room::Instances));
        assert_eq!(refused(&after), [], "{desired}");
        let number = |key: &str, default| {
            let at = alloc::format!("/capacity/instances/0/{key}");
            after.pointer(&at).and_then(Value::as_i64).unwrap_or(default)
        };
        let room = number("count", 1) * (number("cpu", 2_048) / 256).min(number("memory", 4_096) / 512);
        assert!(room >= desired * 2 && number("count", 1) >= 3, "{desired}: {room}");
    }
}

#[test]
fn a_service_becomes_a_daemon_and_has_a_desired_count_again() {
    for config in ["{}", r#"{"minimumHealthyPercent":100,"maximumPercent":150}"#, r#"{"minimumHealthyPercent":50}"#] {
        let text = alloc::format!(
            r#"{{"service":{{"desiredCount":4,"deploymentConfiguration":{config}}},"capacity":{{"instances":[{{"count":5}}]}}}}"#
        );
        let before = tree(&text);
        let after = apply(&before, daemon(&before, true));
        assert_eq!(refused(&after), [], "{config}");
        assert!(is_daemon(&after) && after.pointer("/service/desiredCount").is_none());
        let again = apply(&after, daemon(&after, false));
        assert_eq!(refused(&again), [], "{config}");
        assert_eq!(again.pointer("/service/desiredCount"), Some(&Value::from(5)));
    }
}

#[test]
fn target_tracking_and_test_traffic_are_switched_on_and_off_again() {
    for (id, before) in presets().filter(|(_, tree)| !is_daemon(tree)) {
        let on = apply(&before, with_tracking(&before, true));
        assert_eq!(refused(&on), [], "{id}");
        let touched = ["/autoscaling"];
        assert_eq!(rest(&apply(&on, with_tracking(&on, false)), &touched), rest(&before, &touched), "{id}");
        let shifts = strategy(&before).is_some() && before.pointer("/targetGroups").is_some();
        if shifts {
            let on = apply(&before, with_test_listener(&before, true));
            assert!(test_listener(&on) && refused(&on).is_empty(), "{id}");
            let off = apply(&on, with_test_listener(&on, false));
            let touched = ["/service/loadBalancers"];
            assert!(!test_listener(&off) && rest(&off, &touched) == rest(&before, &touched), "{id}");
        }
    }
}

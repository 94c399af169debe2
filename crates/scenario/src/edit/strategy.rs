//! Another deployment strategy.

use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::platform::ecs::strategy::ShiftKind;

use super::{Edit, Fields, word};
use crate::json::{Number, Value};

const CONFIG: &str = "/service/deploymentConfiguration";
const TARGET_GROUPS: &str = "/targetGroups";
/// Where hooks stand, and where it stands how they answer.
const HOOKS: &str = "/service/deploymentConfiguration/lifecycleHooks";
const ANSWERS: &str = "/hooks";
/// Bake time in minutes that a blue/green deployment begins with; the service asks for one.
const BAKE_MINUTES: i64 = 5;
/// Smallest step of `LINEAR`, in per cent.
const STEP_MIN: i64 = 3;

/// The strategy that a document names; absent for a rolling update.
pub fn strategy(tree: &Value) -> Option<ShiftKind> {
    let name = word(tree.pointer(CONFIG), "strategy");
    [ShiftKind::BlueGreen, ShiftKind::Linear, ShiftKind::Canary].into_iter().find(|kind| kind.name() == name)
}

/// Where the step and the wait of a strategy stand.
fn step(kind: ShiftKind) -> Option<(&'static str, &'static str, &'static str)> {
    match kind {
        ShiftKind::BlueGreen => None,
        ShiftKind::Linear => Some(("linearConfiguration", "stepPercent", "stepBakeTimeInMinutes")),
        ShiftKind::Canary => Some(("canaryConfiguration", "canaryPercent", "canaryBakeTimeInMinutes")),
    }
}

/// The fields that make a document use another strategy. The step and the wait of linear and canary are
/// each other's counterpart. Percentages, bake time and hooks stay: the service keeps them as well.
pub fn with_strategy(tree: &Value, to: Option<ShiftKind>) -> Fields {
    let mut edit = Edit::of(tree);
    let from = strategy(tree);
    if from == to {
        return edit.fields;
    }
    edit.set(&format!("{CONFIG}/strategy"), to.map_or(Value::Null, |kind| kind.name().into()));
    steps(&mut edit, from, to);
    if to.is_some() {
        if edit.get(&format!("{CONFIG}/earlySuccessCriteria/enable")).and_then(Value::as_bool) == Some(true) {
            edit.out(&format!("{CONFIG}/earlySuccessCriteria"));
        }
        let bake = format!("{CONFIG}/bakeTimeInMinutes");
        if to == Some(ShiftKind::BlueGreen) && edit.get(&bake).is_none() {
            edit.set(&bake, BAKE_MINUTES);
        }
    }
    if to.and_then(step).is_some() && !steered(&edit) {
        edit.set(TARGET_GROUPS, Value::array([Value::empty_object()]));
    }
    edit.fields
}

fn steps(edit: &mut Edit<'_>, from: Option<ShiftKind>, to: Option<ShiftKind>) {
    let Some((group, percent, wait)) = from.and_then(step) else { return };
    let before = edit.get(&format!("{CONFIG}/{group}"));
    edit.out(&format!("{CONFIG}/{group}"));
    let (Some(before), Some((group, new_percent, new_wait))) = (before, to.and_then(step)) else { return };
    let share =
        before.get(percent).map(|share| if to == Some(ShiftKind::Linear) { at_least(share) } else { share.clone() });
    let wait = before.get(wait).cloned();
    let entries = [(new_percent, share), (new_wait, wait)];
    let entries: Vec<(&str, Value)> = entries.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    if !entries.is_empty() {
        edit.set(&format!("{CONFIG}/{group}"), Value::object(entries));
    }
}

/// A canary may be smaller than the smallest step.
fn at_least(share: &Value) -> Value {
    match share {
        Value::Number(number) if Number::scaled(number, 1).is_some_and(|tenths| tenths < STEP_MIN * 10) => {
            STEP_MIN.into()
        }
        other => other.clone(),
    }
}

/// A load balancer or Service Connect moves the traffic.
fn steered(edit: &Edit<'_>) -> bool {
    let connect = edit.get("/service/serviceConnectConfiguration/enabled").and_then(Value::as_bool) == Some(true);
    let balanced = match edit.get(TARGET_GROUPS) {
        Some(_) => !edit.list(TARGET_GROUPS).is_empty(),
        None => !edit.list("/service/loadBalancers").is_empty(),
    };
    connect || balanced
}

/// The fields that take out the hook at a place, from 0, with what is said of its answers.
pub fn without_hook(tree: &Value, index: usize) -> Fields {
    let mut edit = Edit::of(tree);
    let list = |rest: Vec<Value>| if rest.is_empty() { Value::Null } else { Value::Array(rest) };
    let hooks = edit.list(HOOKS).iter().enumerate().filter(|(i, _)| *i != index);
    let hooks = list(hooks.map(|(_, hook)| hook.clone()).collect());
    edit.set(HOOKS, hooks);
    let place = |entry: &Value| entry.get("hook").and_then(Value::as_i64).unwrap_or(0);
    let index = index as i64;
    let moved = |entry: &Value| {
        let mut entry = entry.clone();
        if place(&entry) > index {
            let before = place(&entry) - 1;
            entry.insert("hook", before);
        }
        entry
    };
    let answers = edit.list(ANSWERS);
    if !answers.is_empty() {
        let rest = list(answers.iter().filter(|entry| place(entry) != index).map(moved).collect());
        edit.set(ANSWERS, rest);
    }
    edit.fields
}

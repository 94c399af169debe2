//! Traffic: target tracking on it, and a listener for test traffic.

use super::{Edit, Fields};
use crate::json::Value;

const TRACKING: &str = "/autoscaling";
const BALANCERS: &str = "/service/loadBalancers";
/// The rule that brings test traffic, in a load balancer.
const RULE: &str = "advancedConfiguration/testListenerRule";
/// Requests a minute and target that target tracking begins with: ten a second.
const TARGET: i64 = 600;
/// It may begin by scaling to so many times the desired count.
const TIMES: i64 = 2;

/// The fields that switch target tracking on, from the desired count to twice of it, or off.
pub fn with_tracking(tree: &Value, on: bool) -> Fields {
    let mut edit = Edit::of(tree);
    if !on {
        edit.out(TRACKING);
        return edit.fields;
    }
    let desired = edit.get("/service/desiredCount").and_then(Value::as_i64).unwrap_or(1).max(0);
    let most = desired.saturating_mul(TIMES).clamp(1, desired.max(20_000));
    let entries = [("minCapacity", desired), ("maxCapacity", most), ("targetValue", TARGET)];
    edit.set(TRACKING, Value::object(entries.map(|(key, number)| (key, Value::from(number)))));
    edit.fields
}

/// Some load balancer of the document has a rule for test traffic.
pub fn test_listener(tree: &Value) -> bool {
    let entries = tree.pointer(BALANCERS).and_then(Value::as_array).unwrap_or_default();
    entries.iter().any(|entry| entry.pointer(&alloc::format!("/{RULE}")).is_some())
}

/// The fields that give the first load balancer a rule for test traffic, or take all such rules out.
pub fn with_test_listener(tree: &Value, on: bool) -> Fields {
    let mut edit = Edit::of(tree);
    let mut list = edit.list(BALANCERS).to_vec();
    if on {
        if list.is_empty() {
            list.push(Value::empty_object());
        }
        list[0].set_pointer(&alloc::format!("/{RULE}"), "test".into());
        edit.set(BALANCERS, Value::Array(list));
        return edit.fields;
    }
    for entry in &mut list {
        entry.remove_pointer(&alloc::format!("/{RULE}"));
        let empty = |value: &Value| value.as_object().is_some_and(<[_]>::is_empty);
        if entry.get("advancedConfiguration").is_some_and(empty) {
            entry.remove_pointer("/advancedConfiguration");
        }
    }
    // What stood there for the rule alone goes with it, where target groups say that there is a load balancer.
    let only = list.iter().all(|entry| entry.as_object().is_some_and(<[_]>::is_empty));
    let rest = if only && edit.get("/targetGroups").is_some() { Value::Null } else { Value::Array(list) };
    edit.set(BALANCERS, rest);
    edit.fields
}

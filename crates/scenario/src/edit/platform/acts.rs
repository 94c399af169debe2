//! Acts by the names of each platform.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Move, Platform, pooled};
use crate::json::{Value, pointer_join};

/// The same act on Amazon ECS, where there are Pods, in an Auto Scaling group, on Google Cloud and on Azure.
const ACTS: [[&str; 5]; 6] = [
    ["desired", "scale", "desired", "resize", "capacity"],
    ["deploy", "deploy", "start_instance_refresh", "start_update", "start_upgrade"],
    ["fate", "fate", "fate", "fate", "fate"],
    ["fix", "fix", "fix", "fix", "fix"],
    ["kill", "kill", "kill", "kill", "kill"],
    ["stop_task", "delete_pod", "terminate", "delete_instance", "delete_instance"],
];
/// Acts on a Deployment that a StatefulSet and a DaemonSet know as well.
const OF_PODS: [&str; 3] = ["undo", "unready", "quota"];
/// Fields of acts that have one name.
const FIELDS: [&str; 6] = ["at", "do", "task", "revision", "fate", "by_start"];
/// What the new number is called: of tasks or machines, and of Pods.
const COUNTS: [&str; 2] = ["count", "replicas"];

const fn column(platform: Platform) -> usize {
    match platform {
        Platform::Ecs => 0,
        Platform::Kubernetes | Platform::StatefulSet | Platform::DaemonSet => 1,
        Platform::InstanceRefresh => 2,
        Platform::Mig => 3,
        Platform::Vmss => 4,
    }
}

/// Carries over what people do.
pub(super) fn carry(moving: &mut Move<'_>) {
    let (from, to) = (moving.here.platform, moving.there.platform);
    let Some(all) = moving.get("/acts") else { return };
    let number = |pointer: &str| moving.from.pointer(pointer).and_then(Value::as_i64);
    let new = number("/new/revision").unwrap_or_else(|| number("/old/revision").unwrap_or(1).saturating_add(1));
    let mut kept = Vec::new();
    for (index, act) in all.as_array().unwrap_or_default().iter().enumerate() {
        let at = pointer_join("/acts", index);
        match there(act, from, to) {
            Some((mut there, whole)) => {
                // Machines get what is rolled out anyway where nobody says which; elsewhere it has to be named.
                if there.get("do").and_then(Value::as_str) == Some("deploy") && there.get("revision").is_none() {
                    there.insert("revision", new);
                }
                let unknown = |key: &str| !whole && !FIELDS.contains(&key) && !COUNTS.contains(&key);
                let entries = act.as_object().unwrap_or_default().iter();
                let rest = entries.filter(|(key, _)| unknown(key)).map(|(key, _)| pointer_join(&at, key));
                moving.lost.extend(rest);
                kept.push(there);
            }
            None => moving.lost.push(at),
        }
    }
    if !kept.is_empty() {
        moving.to.insert("acts", Value::Array(kept));
    }
}

/// An act by its name there, and whether it stays as it is; absent where there is none.
fn there(act: &Value, from: Platform, to: Platform) -> Option<(Value, bool)> {
    let what = act.get("do")?.as_str()?;
    if from.has_pods() && to.has_pods() && OF_PODS.contains(&what) {
        return Some((act.clone(), true));
    }
    // The name of the platform, or one that it knows from elsewhere.
    let row = ACTS.iter().find(|row| row[column(from)] == what || row.contains(&what))?;
    if pooled(act) {
        return None;
    }
    let count = COUNTS[usize::from(to.has_pods())];
    let entry = |(key, value): &(alloc::string::String, Value)| match key.as_str() {
        "do" => Some((key.clone(), Value::from(row[column(to)]))),
        key if COUNTS.contains(&key) => Some((count.to_string(), value.clone())),
        key if FIELDS.contains(&key) => Some((key.to_string(), value.clone())),
        _ => None,
    };
    Some((Value::Object(act.as_object()?.iter().filter_map(entry).collect()), false))
}

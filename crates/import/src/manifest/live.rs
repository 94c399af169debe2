//! The state a workload is in, where the text is the answer of the API server.

use rollscope_scenario::json::{self, Value};

use super::{Kind, fences, int, text};
use crate::pieces::Found;
use crate::{Import, Origin};

/// What `kubectl apply` wrote last.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Rows of the status, and what they mean.
pub fn read(kind: Kind, found: &Found<'_>, import: &mut Import) {
    let object = found.value;
    if kind != Kind::Deployment || object.get("status").is_none_or(|status| status.as_object() == Some(&[])) {
        return;
    }
    for (name, key) in [
        ("live.replicas", "replicas"),
        ("live.updated", "updatedReplicas"),
        ("live.ready", "readyReplicas"),
        ("live.available", "availableReplicas"),
    ] {
        if let Some(count) = int(object, &format!("/status/{key}")) {
            import.row(name, count, Origin::Live, found.line(&format!("/status/{key}")));
        }
    }
    let progressing = condition(object, "Progressing");
    if let Some(reason) = progressing {
        import.row("live.progressing", reason, Origin::Live, found.line("/status/conditions"));
    }
    rollout(object, progressing, import);
    applied(object, import);
}

fn condition<'a>(object: &'a Value, kind: &str) -> Option<&'a str> {
    let all = object.pointer("/status/conditions")?.as_array()?;
    text(all.iter().find(|one| text(one, "/type") == Some(kind))?, "/reason")
}

/// A rollout that goes on, or does not go on any more.
fn rollout(object: &Value, progressing: Option<&str>, import: &mut Import) {
    let count = |key: &str| int(object, &format!("/status/{key}")).unwrap_or(0);
    let (all, updated, available) = (count("replicas"), count("updatedReplicas"), count("availableReplicas"));
    let old = all - updated;
    if old <= 0 && available >= all {
        return;
    }
    let late =
        if progressing == Some("ProgressDeadlineExceeded") { "stuck and past its deadline" } else { "not complete" };
    // Nobody says which ones are available: the old ones were.
    let new_available = (available - old).max(0);
    let used = fences(object.get("spec").unwrap_or(&Value::Null))
        .is_some_and(|(replicas, surge, _, floor)| all >= i64::from(replicas + surge) && available <= i64::from(floor));
    let used = if used { "; both limits are used up" } else { "" };
    import.warnings.push(format!(
        "This rollout is {late}: {} old available, {} new not available{used}. The run begins steady, before it.",
        old.min(available),
        updated - new_available
    ));
}

/// The file that was applied last wants another number.
fn applied(object: &Value, import: &mut Import) {
    let annotation = object.pointer("/metadata/annotations").and_then(|all| all.get(LAST_APPLIED));
    let Some(read) = annotation.and_then(Value::as_str).and_then(|text| json::read(text).ok()) else { return };
    if let (Some(live), Some(applied)) = (int(object, "/spec/replicas"), int(&read.value, "/spec/replicas"))
        && live != applied
    {
        import.warnings.push(format!(
            "replicas differs from the last applied file ({live} live, {applied} applied): the next apply scales to {applied}."
        ));
    }
}

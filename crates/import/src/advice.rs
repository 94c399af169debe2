//! What a reader should know of a service that was read, beside its values.

use rollscope_scenario::json::Value;

use crate::pieces::{Dialect, Found};
use crate::{Import, Origin};

/// Adds what is worth knowing; `tree` is the document so far.
pub fn read(found: &Found<'_>, tree: &Value, import: &mut Import) {
    if found.dialect == Dialect::Described {
        return;
    }
    let mut told = failing(found, import);
    told.extend(checks(found, tree, import));
    if found.dialect == Dialect::Terraform && found.origin("/desiredCount").is_none() {
        told.insert(0, "Terraform's default for desired_count is 0: nothing would run. Ask for the number.".into());
    }
    import.warnings.extend(told);
}

fn switch(import: &Import, field: &str) -> Option<bool> {
    import.value(field).filter(|row| row.origin != Origin::Unresolved)?.value.as_bool()
}

/// What a failing deployment meets.
fn failing(found: &Found<'_>, import: &Import) -> Vec<String> {
    let mut told = Vec::new();
    let (breaker, back) = (switch(import, "breaker.enable"), switch(import, "breaker.rollback"));
    let alarms = switch(import, "alarms.enable");
    let alarm_back = switch(import, "alarms.rollback");
    if breaker == Some(true) && back == Some(false) {
        let defaults = import.value("breaker.rollback").map(|row| row.origin) == Some(Origin::ParameterDefault);
        let when = if defaults { "With the defaults of the parameters the" } else { "The" };
        told.push(format!("{when} breaker fails a deployment and does not roll back."));
    }
    if breaker == Some(true) && back == Some(true) && alarms == Some(true) && alarm_back == Some(false) {
        told.push("An alarm fails the deployment without rolling back, the breaker fails it with rollback.".into());
    }
    if breaker == Some(false) && alarms == Some(false) && found.dialect != Dialect::Update {
        told.push("No breaker and no alarms: a failing deployment goes on without end.".into());
    }
    if breaker == Some(true) && switch(import, "breaker.resetOnHealthyTask") == Some(false) {
        told.push("Failures add up over the whole deployment (resetOnHealthyTask is false).".into());
    }
    told
}

/// Which checks a task has to pass.
fn checks(found: &Found<'_>, tree: &Value, import: &Import) -> Vec<String> {
    let mut told = Vec::new();
    let attached = tree.get("targetGroups").and_then(Value::as_array).is_some_and(|groups| !groups.is_empty());
    let containers = tree.get("containers").and_then(Value::as_array);
    let checked = containers.is_some_and(|all| all.iter().any(|one| one.get("healthCheck").is_some()));
    let number = |field: &str| {
        let row = import.value(&format!("targetGroup.{field}"))?;
        Some((row.value.as_i64()?, row.origin))
    };
    if attached && checked {
        told.push("A task needs both checks: that of its container and that of its target group.".into());
    }
    let known = found.dialect != Dialect::Update || found.origin("/loadBalancers").is_some();
    if !attached && !checked && known {
        let unless = if containers.is_some() { "without" } else { "unless its task definition has" };
        told.push(format!(
            "No load balancer: {unless} a container health check a task counts as healthy after 40 s in RUNNING."
        ));
    }
    if let (Some((interval, a)), Some((passes, b))) = (number("intervalSeconds"), number("healthyThreshold"))
        && (a, b) == (Origin::Default, Origin::Default)
    {
        let drain = number("deregistrationDelaySeconds").filter(|(_, origin)| *origin == Origin::Default);
        let drain = drain.map_or_else(String::new, |(seconds, _)| format!(", and {seconds} s of deregistration delay"));
        told.push(format!(
            "No target group check given: by default {passes} × {interval} s, so a target that was unhealthy needs {} s to recover{drain}.",
            passes * interval
        ));
    }
    let grace = import.value("healthCheckGracePeriodSeconds").filter(|row| row.origin != Origin::Unresolved);
    if let (Some((interval, _)), Some((failures, _)), Some(0)) =
        (number("intervalSeconds"), number("unhealthyThreshold"), grace.and_then(|row| row.value.as_i64()))
    {
        told.push(format!(
            "Grace period 0 and unhealthy after {} s: a task that needs longer than that from its registration is \
             replaced before it is up.",
            interval * failures
        ));
    }
    told
}

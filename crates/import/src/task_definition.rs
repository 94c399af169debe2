//! A task definition: health checks, stop timeouts, and what placement will ask for later.

use rollscope_scenario::json::Value;

use crate::pieces::{Found, Pieces};
use crate::{Import, Origin};

/// Reads a task definition of the text into the document's containers: the one the service names
/// (`wanted`, an address or `family:revision`), otherwise the last one.
pub fn read(pieces: &Pieces, wanted: Option<&str>, tree: &mut Value, import: &mut Import) {
    let all = pieces.find(|value| value.get("containerDefinitions").is_some_and(|c| c.as_array().is_some()));
    let named = wanted.and_then(|wanted| all.iter().find(|found| is_named(found.value, wanted)));
    let Some(found) = named.or(all.last()) else { return };
    if all.len() > 1 {
        let which = if named.is_some() { "the one the service names" } else { "the last one" };
        import.warnings.push(format!("The text holds {} task definitions; {which} is used.", all.len()));
    }
    let definitions = found.value.get("containerDefinitions").and_then(Value::as_array).unwrap_or_default();
    placement(found, definitions, import);
    let containers: Vec<Value> =
        definitions.iter().enumerate().map(|(i, definition)| container(found, i, definition, import)).collect();
    tree.insert("containers", Value::Array(containers));
    import.needs.retain(|need| !need.starts_with("container health check"));
}

/// True when a task definition is the one of this address or `family:revision`.
fn is_named(definition: &Value, wanted: &str) -> bool {
    let text = |key: &str| definition.get(key).and_then(Value::as_str);
    let wanted = wanted.rsplit('/').next().unwrap_or(wanted);
    if let Some(arn) = text("taskDefinitionArn") {
        return arn.rsplit('/').next() == Some(wanted);
    }
    // The form for registering has no revision yet.
    text("family").is_some_and(|family| wanted.split(':').next() == Some(family))
}

/// The fields of one container that set the pace.
fn container(found: &Found<'_>, index: usize, definition: &Value, import: &mut Import) -> Value {
    let name = definition.get("name").and_then(Value::as_str).unwrap_or("container").to_string();
    let at = format!("/containerDefinitions/{index}");
    let mut own = Value::object([("name", Value::from(name.as_str()))]);
    for key in ["essential", "healthCheck", "stopTimeout", "startTimeout", "restartPolicy", "versionConsistency"] {
        if let Some(value) = definition.get(key).filter(|value| !value.is_null()) {
            own.insert(key, value.clone());
        }
    }
    let row = |import: &mut Import, field: &str, holder: &Value, key: &str, default: Value, at: &str| {
        let field = format!("container.{name}.{field}");
        match holder.get(key).filter(|value| !value.is_null()) {
            Some(value) => import.row(field, value.clone(), Origin::Explicit, found.line(&format!("{at}/{key}"))),
            None => import.row(field, default, Origin::Default, None),
        }
    };
    row(import, "essential", definition, "essential", true.into(), &at);
    match definition.get("healthCheck").filter(|check| !check.is_null()) {
        Some(check) => {
            let at = format!("{at}/healthCheck");
            for (key, default) in [("interval", 30), ("timeout", 5), ("retries", 3), ("startPeriod", 0)] {
                row(import, &format!("healthCheck.{key}"), check, key, default.into(), &at);
            }
        }
        None => import.row(format!("container.{name}.healthCheck"), Value::Null, Origin::Explicit, found.line(&at)),
    }
    row(import, "stopTimeout", definition, "stopTimeout", 30.into(), &at);
    own
}

/// What placement will ask for; not simulated yet, so it is shown and nothing else.
fn placement(found: &Found<'_>, definitions: &[Value], import: &mut Import) {
    let sum = |of: &dyn Fn(&Value) -> u64| definitions.iter().map(of).sum::<u64>();
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
    let mode = found.value.get("networkMode").and_then(Value::as_str);
    let mode_origin = if mode.is_some() { Origin::Explicit } else { Origin::Default };
    import.row("networkMode", mode.unwrap_or("bridge"), mode_origin, found.line("/networkMode"));
    if let Some(kind) = found.value.get("requiresCompatibilities").and_then(|kinds| kinds.at(0)) {
        import.row("launchType", kind.clone(), Origin::Explicit, found.line("/requiresCompatibilities"));
    }
    let line = found.line("/containerDefinitions");
    import.row("task.cpuUnits", sum(&|c| number(c, "cpu").unwrap_or(0)), Origin::Explicit, line);
    // Placement reserves memoryReservation where it is given, else memory.
    let memory = sum(&|c| number(c, "memoryReservation").or(number(c, "memory")).unwrap_or(0));
    import.row("task.memoryReservedMiB", memory, Origin::Explicit, line);
    let ports: Vec<u64> = definitions
        .iter()
        .flat_map(|c| c.get("portMappings").and_then(Value::as_array).unwrap_or_default())
        .filter_map(|mapping| number(mapping, "hostPort"))
        .filter(|port| *port != 0 && mode != Some("awsvpc"))
        .collect();
    for port in &ports {
        import.warnings.push(format!(
            "Fixed host port {port}: one task per instance, so a rolling deployment needs a free instance or a minimum \
             healthy percent below 100."
        ));
    }
    import.row("fixedHostPorts", Value::array(ports), Origin::Explicit, line);
    if found.value.get("requiresCompatibilities").is_some_and(|kinds| kinds.to_string().contains("EC2")) {
        import.needs.push("number and size of the instances".into());
    }
}

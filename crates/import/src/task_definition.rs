//! A task definition: health checks, stop timeouts, and what placement asks for.

use rollscope_scenario::json::Value;

use crate::pieces::{Found, Pieces};
use crate::service::{CONTAINER, known};
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
    import.needs.retain(|need| need != CONTAINER);
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
            own.insert(key, known(value));
        }
    }
    let row = |import: &mut Import, field: &str, default: Value| {
        let (name, pointer) = (format!("container.{name}.{field}"), format!("{at}/{}", field.replace('.', "/")));
        match found.origin(&pointer) {
            Some(origin) => {
                let value = found.value.pointer(&pointer).cloned().unwrap_or_default();
                import.row(name, value, origin, found.line(&pointer));
            }
            None => import.row(name, default, Origin::Default, None),
        }
    };
    row(import, "essential", true.into());
    let check = format!("{at}/healthCheck");
    match found.origin(&check) {
        Some(Origin::Unresolved) => {
            import.row(format!("container.{name}.healthCheck"), Value::Null, Origin::Unresolved, found.line(&check));
            import.needs.push(format!("the health check of container {name}, which is given elsewhere"));
        }
        Some(_) => {
            for (key, default) in [("interval", 30), ("timeout", 5), ("retries", 3), ("startPeriod", 0)] {
                row(import, &format!("healthCheck.{key}"), default.into());
            }
        }
        None => {
            import.row(format!("container.{name}.healthCheck"), Value::Null, Origin::Explicit, found.line(&at));
        }
    }
    row(import, "stopTimeout", 30.into());
    own
}

/// What placement will ask for; not simulated yet, so it is shown and nothing else.
fn placement(found: &Found<'_>, definitions: &[Value], import: &mut Import) {
    let sum = |of: &dyn Fn(&Value) -> u64| definitions.iter().map(of).sum::<u64>();
    let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_u64);
    let mode = found.value.get("networkMode").and_then(Value::as_str);
    let mode_origin = if mode.is_some() { Origin::Explicit } else { Origin::Default };
    import.row("networkMode", mode.unwrap_or("bridge"), mode_origin, found.line("/networkMode"));
    if let Some(kind) = found.value.get("requiresCompatibilities").and_then(|kinds| kinds.at(0))
        && import.value("launchType").is_none()
        && import.value("capacityProviderStrategy").is_none()
    {
        import.row("launchType", kind.clone(), Origin::Explicit, found.line("/requiresCompatibilities"));
    }
    let line = found.line("/containerDefinitions");
    // What the task states as a whole holds before the sum of its containers; memoryReservation, where it is
    // given, before memory.
    for (field, key) in [("task.cpuUnits", "cpu"), ("task.memoryReservedMiB", "memory")] {
        let whole = found.value.get(key).and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok()));
        let own = |c: &Value| match key {
            "memory" => number(c, "memoryReservation").or(number(c, "memory")).unwrap_or(0),
            _ => number(c, key).unwrap_or(0),
        };
        let line = if whole.is_some() { found.line(&format!("/{key}")) } else { line };
        let amount = whole.unwrap_or_else(|| sum(&own));
        if amount > 0 {
            import.row(field, amount, Origin::Explicit, line);
        }
    }
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
    if !ports.is_empty() {
        import.row("fixedHostPorts", Value::array(ports), Origin::Explicit, line);
    }
    if found.value.get("requiresCompatibilities").is_some_and(|kinds| kinds.to_string().contains("EC2")) {
        import.needs.push("number and size of the instances".into());
    }
}

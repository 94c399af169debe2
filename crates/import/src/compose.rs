//! Compose files with `deploy.update_config`, as a Docker Swarm reads them: the settings, and what follows from them.

use rollscope_scenario::json::{self, Value};
use rollscope_scenario::problem::{Kind, Problem};

use crate::node::Node;
use crate::pieces::Pieces;
use crate::{Format, Import, Origin};

/// The chosen service; absent where nothing in the text is a Compose file.
pub fn read(pieces: &Pieces, choice: Option<&str>) -> Option<Import> {
    let is_service = |value: &Value| ["image", "build", "deploy"].iter().any(|key| value.get(key).is_some());
    let is_file = |value: &Value| {
        let services = value.get("services").and_then(Value::as_object).unwrap_or_default();
        services.iter().any(|(_, service)| is_service(service))
    };
    let root = pieces.all.iter().find(|piece| is_file(piece.value()))?.node();
    let services = root.get("services").map(Node::entries).unwrap_or_default();
    let mut import = Import::new(Format::Compose);
    if let Some(chosen) = import.choose(services.iter().map(|(name, _)| name.clone()).collect(), choice, "services") {
        let (name, service) = &services[chosen];
        import.name = Some(name.clone());
        one(service, &mut import);
        import.problems.push(not_run(&format!("service {name}"), service.at));
    }
    Some(import)
}

/// It is read and not run.
pub fn not_run(given: &str, at: (u32, u32)) -> Problem {
    let allowed = "read, and what follows from it is computed; it is not run: the simulator has ECS services, Kubernetes \
                   Deployments and groups of machines";
    let mut problem = Problem::error(Kind::NotAvailable, "", given, allowed);
    problem.position = Some(at);
    problem
}

/// How a value is read.
#[derive(Clone, Copy)]
enum Kinds {
    Plain,
    Seconds,
}

/// A setting: its name in the rows, where it is, how it is read, its default (`null`: shown only where it is given).
fn row(service: &Node, name: &str, pointer: &str, kind: Kinds, default: Value, import: &mut Import) {
    match service.find(pointer).map(resolved) {
        Some(node) if node.origin == Origin::Unresolved => {
            import.row(name, Value::Null, Origin::Unresolved, Some(node.at.0));
            import.needs.push(format!("{name}, which {} stands for", node.words().as_str().unwrap_or_default()));
        }
        Some(node) if !node.value().is_null() => {
            let value = match kind {
                Kinds::Plain => Some(number(node.value())),
                Kinds::Seconds => seconds(&node.written().unwrap_or_default()),
            };
            match value {
                Some(value) => import.row(name, value, node.origin, Some(node.at.0)),
                None => {
                    let mut problem =
                        Problem::error(Kind::Invalid, "", node.value().short(40), "a duration such as 1m30s");
                    problem.position = Some(node.at);
                    import.problems.push(problem);
                }
            }
        }
        _ if default.is_null() => {}
        _ => import.row(name, default, Origin::Default, None),
    }
}

/// `${NAME:-3}` is 3 unless a run says otherwise, `${NAME}` is not known.
fn resolved(node: &Node) -> Node {
    let Some(text) = node.text().filter(|text| text.contains("${")) else { return node.clone() };
    let inside = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let default = inside.and_then(|inside| inside.split_once(":-").or_else(|| inside.split_once('-')));
    match default {
        Some((_, default)) => Node::scalar(node.at, default).seen_from(node.at, Origin::ParameterDefault),
        None => Node::unresolved(node.at, text),
    }
}

/// Numbers may come as text.
fn number(value: Value) -> Value {
    let read = value.as_str().and_then(|text| json::read(text).ok()).map(|read| read.value);
    read.filter(|read| read.as_number().is_some()).unwrap_or(value)
}

/// Seconds of `1m30s`, `500ms` or `10`; a fraction where it is none of whole seconds.
pub fn seconds(text: &str) -> Option<Value> {
    let mut rest = text.trim();
    let mut thousandths: i64 = 0;
    if let Ok(bare) = rest.parse::<i64>() {
        return (bare >= 0).then(|| Value::from(bare));
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
        let amount: i64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let unit = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let scale = match &rest[..unit] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        thousandths = thousandths.checked_add(amount.checked_mul(scale)?)?;
        rest = &rest[unit..];
    }
    match (text.is_empty(), thousandths % 1_000) {
        (true, _) => None,
        (_, 0) => Some(Value::from(thousandths / 1_000)),
        (_, odd) => json::read(&format!("{}.{odd:03}", thousandths / 1_000)).ok().map(|read| read.value),
    }
}

fn one(service: &Node, import: &mut Import) {
    use Kinds::{Plain, Seconds};
    let global = service.find("/deploy/mode").and_then(Node::text) == Some("global");
    if global {
        row(service, "mode", "/deploy/mode", Plain, Value::Null, import);
        import.needs.push("the number of nodes: the service runs on each of them".into());
    } else {
        row(service, "replicas", "/deploy/replicas", Plain, 1.into(), import);
    }
    let update = "/deploy/update_config";
    for (name, key, kind, default) in [
        ("parallelism", "parallelism", Plain, Value::from(1)),
        ("delaySeconds", "delay", Seconds, 0.into()),
        ("order", "order", Plain, "stop-first".into()),
        ("failureAction", "failure_action", Plain, "pause".into()),
        ("monitorSeconds", "monitor", Seconds, 5.into()),
        ("maxFailureRatio", "max_failure_ratio", Plain, 0.into()),
    ] {
        row(service, name, &format!("{update}/{key}"), kind, default, import);
    }
    for (name, pointer, kind) in [
        ("rollback.parallelism", "/deploy/rollback_config/parallelism", Plain),
        ("rollback.order", "/deploy/rollback_config/order", Plain),
        ("stopGraceSeconds", "/stop_grace_period", Seconds),
        ("healthcheck.intervalSeconds", "/healthcheck/interval", Seconds),
        ("healthcheck.timeoutSeconds", "/healthcheck/timeout", Seconds),
        ("healthcheck.retries", "/healthcheck/retries", Plain),
        ("healthcheck.startPeriodSeconds", "/healthcheck/start_period", Seconds),
    ] {
        row(service, name, pointer, kind, Value::Null, import);
    }
    ports(service, import);
    computed(import);
    warnings(import);
    import.needs.push("start-up time".into());
}

/// Ports that are taken on the node itself.
fn ports(service: &Node, import: &mut Import) {
    let all = service.get("ports").map(Node::items).unwrap_or_default();
    let host = all.iter().filter(|port| port.get("mode").and_then(Node::text) == Some("host"));
    let fixed: Vec<Value> = host.filter_map(|port| port.get("published")).map(|port| number(port.value())).collect();
    if !fixed.is_empty() {
        let line = service.get("ports").map(|node| node.at.0);
        import.row("fixedHostPorts", Value::Array(fixed), Origin::Explicit, line);
    }
}

fn int(import: &Import, field: &str) -> Option<i64> {
    import.value(field)?.value.as_i64()
}

/// What follows from the settings.
fn computed(import: &mut Import) {
    let (Some(replicas), Some(parallelism)) = (int(import, "replicas"), int(import, "parallelism")) else { return };
    let at_once = if parallelism <= 0 { replicas } else { parallelism.min(replicas) };
    let start_first = import.value("order").and_then(|row| row.value.as_str()) == Some("start-first");
    let batches = if at_once == 0 { 0 } else { (replicas + at_once - 1) / at_once };
    let mut say = |name: &str, value: i64| import.row(name, value, Origin::Computed, None);
    say("batches", batches);
    say("peakTasks", replicas.saturating_add(if start_first { at_once } else { 0 }));
    say("minServing", replicas - if start_first { 0 } else { at_once });
    if let Some(parallelism) = int(import, "rollback.parallelism") {
        let size = if parallelism <= 0 { replicas } else { parallelism.min(replicas) };
        import.row("rollbackBatchSize", size, Origin::Computed, None);
    }
}

fn warnings(import: &mut Import) {
    let text = |field: &str| import.value(field).and_then(|row| row.value.as_str());
    let mut told = Vec::new();
    if let (Some(size), Some(replicas), Some("stop-first") | None) =
        (int(import, "rollbackBatchSize"), int(import, "replicas"), text("rollback.order"))
        && size == replicas
        && replicas > 0
    {
        told.push(format!("The rollback stops all {replicas} tasks at once: an outage."));
    }
    let check = (
        int(import, "healthcheck.startPeriodSeconds").unwrap_or(0),
        int(import, "healthcheck.intervalSeconds"),
        int(import, "healthcheck.retries").unwrap_or(3),
    );
    if let (Some(monitor), (start, Some(interval), retries)) = (int(import, "monitorSeconds"), check)
        && interval.checked_mul(retries).and_then(|time| time.checked_add(start)).is_some_and(|time| monitor < time)
    {
        told.push(format!(
            "monitor {monitor} s against a health check that can take {start} + {retries} × {interval} s to report unhealthy: \
             a failure after monitor does not count towards the update."
        ));
    }
    if import.value("fixedHostPorts").is_some() && text("order") == Some("start-first") {
        told.push("start-first with a port of the node: the new task needs a node without the old one.".into());
    }
    import.warnings.extend(told);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, expected) in [
            ("1m30s", Some("90")),
            ("10s", Some("10")),
            ("10", Some("10")),
            ("1h", Some("3600")),
            ("500ms", Some("0.500")),
            ("1.5s", None),
            ("s", None),
            ("", None),
            ("99999999999999999999s", None),
            ("-3", None),
        ] {
            assert_eq!(seconds(text).map(|value| value.to_string()).as_deref(), expected, "{text}");
        }
    }
}

//! The settings of a workload, each with its origin, and what of them a scenario takes.

use rollscope_scenario::json::{Value, pointer_join};

use super::{Kind, text};
use crate::pieces::Found;
use crate::yaml::is_unresolved;
use crate::{Import, Origin};

/// Adds a row for a value of the workload: given, left out, or filled in later by another tool.
struct Rows<'a, 'b> {
    found: &'a Found<'b>,
    import: &'a mut Import,
}

impl Rows<'_, '_> {
    fn row(&mut self, name: &str, pointer: &str, default: impl Into<Value>) {
        let line = self.found.line(pointer);
        match self.found.value.pointer(pointer).filter(|value| !value.is_null()) {
            Some(value) if is_unresolved(value) => {
                self.import.row(name, Value::Null, Origin::Unresolved, line);
                self.import.needs.push(format!("{name}, which {} stands for", value.short(60)));
            }
            Some(value) => self.import.row(name, value.clone(), Origin::Explicit, line),
            None => match default.into() {
                Value::Null => {}
                default => self.import.row(name, default, Origin::Default, None),
            },
        }
    }
}

/// The container that stands for the Pod: the first one with a probe, else the first one.
pub fn container(spec: &Value) -> Option<(usize, Value)> {
    let all = spec.pointer("/template/spec/containers")?.as_array()?;
    let probes = ["startupProbe", "readinessProbe", "livenessProbe"];
    let probed = all.iter().position(|one| probes.iter().any(|probe| one.get(probe).is_some()));
    let index = probed.unwrap_or(0);
    all.get(index).map(|one| (index, one.clone()))
}

/// Required anti-affinity by host: one Pod a node.
pub fn one_a_node(spec: &Value) -> bool {
    let at = "/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    let terms = spec.pointer(at).and_then(Value::as_array).unwrap_or_default();
    terms.iter().any(|term| text(term, "/topologyKey") == Some("kubernetes.io/hostname"))
}

/// One row a setting.
pub fn read(kind: Kind, found: &Found<'_>, import: &mut Import) {
    let empty = Value::empty_object();
    let spec = found.value.get("spec").unwrap_or(&empty);
    let mut rows = Rows { found, import };
    match kind {
        Kind::Deployment => deployment(spec, &mut rows),
        Kind::StatefulSet => {
            rows.row("replicas", "/spec/replicas", 1);
            rows.row("updateStrategy", "/spec/updateStrategy/type", "RollingUpdate");
            rows.row("partition", "/spec/updateStrategy/rollingUpdate/partition", 0);
            rows.row("maxUnavailable", "/spec/updateStrategy/rollingUpdate/maxUnavailable", Value::Null);
            rows.row("podManagementPolicy", "/spec/podManagementPolicy", "OrderedReady");
        }
        Kind::DaemonSet => {
            rows.row("updateStrategy", "/spec/updateStrategy/type", "RollingUpdate");
            rows.row("maxUnavailable", "/spec/updateStrategy/rollingUpdate/maxUnavailable", 1);
            rows.row("maxSurge", "/spec/updateStrategy/rollingUpdate/maxSurge", 0);
        }
    }
    rows.row("minReadySeconds", "/spec/minReadySeconds", 0);
    rows.row("revisionHistoryLimit", "/spec/revisionHistoryLimit", 10);
    rows.row("terminationGracePeriodSeconds", "/spec/template/spec/terminationGracePeriodSeconds", 30);
    if one_a_node(spec) {
        rows.import.row(
            "requiredAntiAffinityPerNode",
            true,
            Origin::Explicit,
            found.line("/spec/template/spec/affinity"),
        );
    }
    if let Some((index, container)) = container(spec) {
        of_container(index, &container, &mut rows);
    }
}

fn deployment(spec: &Value, rows: &mut Rows<'_, '_>) {
    rows.row("replicas", "/spec/replicas", 1);
    rows.row("strategy", "/spec/strategy/type", "RollingUpdate");
    if text(spec, "/strategy/type") != Some("Recreate") {
        rows.row("maxSurge", "/spec/strategy/rollingUpdate/maxSurge", "25%");
        rows.row("maxUnavailable", "/spec/strategy/rollingUpdate/maxUnavailable", "25%");
    }
    rows.row("progressDeadlineSeconds", "/spec/progressDeadlineSeconds", 600);
    rows.row("paused", "/spec/paused", Value::Null);
}

/// Name of a probe in the rows, and its key.
const PROBES: [(&str, &str); 3] =
    [("readiness", "readinessProbe"), ("startup", "startupProbe"), ("liveness", "livenessProbe")];
/// Fields of a probe with their defaults.
const PROBE_FIELDS: [(&str, i64); 5] = [
    ("initialDelaySeconds", 0),
    ("periodSeconds", 10),
    ("timeoutSeconds", 1),
    ("successThreshold", 1),
    ("failureThreshold", 3),
];

fn of_container(index: usize, container: &Value, rows: &mut Rows<'_, '_>) {
    let base = format!("/spec/template/spec/containers/{index}");
    for (name, key) in PROBES {
        if container.get(key).is_some_and(|probe| !probe.is_null()) {
            for (field, default) in PROBE_FIELDS {
                rows.row(&format!("{name}.{field}"), &format!("{base}/{key}/{field}"), default);
            }
        }
    }
    if let Some(seconds) = pre_stop_seconds(container) {
        let line = rows.found.line(&format!("{base}/lifecycle/preStop"));
        rows.import.row("preStopSeconds", seconds, Origin::Explicit, line);
    }
    let Some(resources) = container.get("resources") else { return };
    let line = rows.found.line(&format!("{base}/resources"));
    let Some(requests) = resources.get("requests").filter(|requests| !requests.is_null()) else {
        return rows.import.row("requests", Value::Null, Origin::Explicit, line);
    };
    for (name, key, thousandths) in [("requests.cpuMillis", "cpu", true), ("requests.memoryMiB", "memory", false)] {
        if let Some(amount) = requests.get(key).and_then(|value| quantity(value, thousandths)) {
            rows.import.row(name, amount, Origin::Explicit, line);
        }
    }
}

/// How long `preStop` takes, where the text says so: `sleep.seconds`, or a command that is nothing but a sleep.
pub fn pre_stop_seconds(container: &Value) -> Option<i64> {
    let hook = container.pointer("/lifecycle/preStop")?;
    if let Some(seconds) = hook.pointer("/sleep/seconds").and_then(Value::as_i64) {
        return Some(seconds);
    }
    let command = hook.pointer("/exec/command")?.as_array()?;
    let words: Vec<&str> = command.iter().filter_map(Value::as_str).collect();
    let line = match words[..] {
        ["sh" | "/bin/sh" | "bash" | "/bin/bash", "-c", line] => line.to_owned(),
        _ => words.join(" "),
    };
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["sleep" | "/bin/sleep" | "/usr/bin/sleep", seconds] => seconds.trim_end_matches('s').parse().ok(),
        _ => None,
    }
}

/// `500m` of CPU in thousandths, `512Mi` of memory in MiB; absent for what is no whole number of these.
fn quantity(value: &Value, cpu: bool) -> Option<i64> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number = rollscope_scenario::json::read(number).ok()?.value;
    let number = number.as_number()?;
    if cpu {
        return match unit {
            "m" => number.as_int(),
            "" => number.scaled(3),
            _ => None,
        };
    }
    let bytes = |scale: i64| number.as_int()?.checked_mul(scale)?.checked_div(1 << 20);
    match unit {
        "Ki" => bytes(1 << 10),
        "Mi" => number.as_int(),
        "Gi" => number.as_int()?.checked_mul(1 << 10),
        "k" => bytes(1_000),
        "M" => bytes(1_000_000),
        "G" => bytes(1_000_000_000),
        "" => bytes(1),
        _ => None,
    }
}

/// What a scenario takes of any `spec`, by place.
const TAKEN: [&str; 5] = [
    "/minReadySeconds",
    "/revisionHistoryLimit",
    "/template/spec/terminationGracePeriodSeconds",
    "/template/spec/restartPolicy",
    "/template/spec/containers",
];

/// What it takes of one of this kind beside it; everything else is listed as not used.
const fn own(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Deployment => &["/replicas", "/strategy", "/progressDeadlineSeconds", "/paused"],
        Kind::StatefulSet => &["/replicas", "/podManagementPolicy", "/updateStrategy", "/ordinals"],
        Kind::DaemonSet => &["/updateStrategy"],
    }
}

/// `service` of the document.
pub fn service(kind: Kind, found: &Found<'_>, import: &mut Import) -> Value {
    let mut service = Value::empty_object();
    let Some(spec) = found.value.get("spec") else { return service };
    let at = format!("{}/spec", found.pointer);
    let taken: Vec<&str> = TAKEN.iter().chain(own(kind)).copied().collect();
    take(spec, ("", &at), &taken, &mut service, import);
    let containers = spec.pointer("/template/spec/containers").and_then(Value::as_array).unwrap_or_default();
    let all = containers.iter().enumerate();
    let all = all.map(|(index, one)| of_one(kind, one, &format!("{at}/template/spec/containers/{index}"), import));
    let all: Vec<Value> = all.collect();
    if all.iter().any(|one| one.as_object().is_some_and(|fields| fields.iter().any(|(key, _)| key != "name"))) {
        put(&mut service, "/template/spec/containers", Value::Array(all));
    }
    service
}

/// Walks what is given: what a scenario takes is put in, anything else is told.
fn take(value: &Value, (place, at): (&str, &str), taken: &[&str], service: &mut Value, import: &mut Import) {
    for (key, member) in value.as_object().unwrap_or_default() {
        let (own, whole) = (pointer_join(place, key), pointer_join(at, key));
        let leads = taken.iter().any(|taken| taken.starts_with(&format!("{own}/")));
        if own == "/template/spec/containers" || member.is_null() {
            continue;
        } else if leads {
            take(member, (&own, &whole), taken, service, import);
        } else if taken.contains(&own.as_str()) {
            put(service, &own, without_unresolved(member));
        } else {
            import.ignored.push(whole);
        }
    }
}

/// A value without what another tool fills in.
fn without_unresolved(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let known = entries.iter().filter(|(_, member)| !is_unresolved(member) && !member.is_null());
            Value::Object(known.map(|(key, member)| (key.clone(), without_unresolved(member))).collect())
        }
        other if is_unresolved(other) => Value::Null,
        other => other.clone(),
    }
}

fn put(tree: &mut Value, pointer: &str, value: Value) {
    if !value.is_null() {
        tree.set_pointer(pointer, value);
    }
}

/// A container: its probes by their numbers, its hook, and of a DaemonSet the ports of the node, which two Pods cannot
/// share.
fn of_one(kind: Kind, container: &Value, at: &str, import: &mut Import) -> Value {
    let mut own = Value::empty_object();
    if let Some(name) = container.get("name") {
        own.insert("name", name.clone());
    }
    for (key, member) in container.as_object().unwrap_or_default() {
        match key.as_str() {
            "name" => {}
            "startupProbe" | "readinessProbe" | "livenessProbe" if !member.is_null() => {
                own.insert(key.as_str(), probe(member, &pointer_join(at, key), import));
            }
            "lifecycle" => {
                if let Some(seconds) = pre_stop_seconds(container) {
                    put(&mut own, "/lifecycle/preStop/sleep/seconds", Value::from(seconds));
                } else if member.get("preStop").is_some() {
                    import.needs.push(format!("how long preStop of container {} takes", own_name(container)));
                }
            }
            "ports" if kind == Kind::DaemonSet && has_host_port(member) => {
                own.insert("ports", without_unresolved(member));
            }
            _ => import.ignored.push(pointer_join(at, key)),
        }
    }
    own
}

fn has_host_port(ports: &Value) -> bool {
    ports.as_array().unwrap_or_default().iter().any(|port| port.get("hostPort").is_some())
}

fn own_name(container: &Value) -> &str {
    text(container, "/name").unwrap_or("without a name")
}

fn probe(probe: &Value, at: &str, import: &mut Import) -> Value {
    let mut own = Value::empty_object();
    for (key, member) in probe.as_object().unwrap_or_default() {
        let read = PROBE_FIELDS.iter().any(|(field, _)| field == key) || key == "terminationGracePeriodSeconds";
        if read && !is_unresolved(member) && !member.is_null() {
            own.insert(key.as_str(), member.clone());
        } else if !read {
            import.ignored.push(pointer_join(at, key));
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_scenario::json;

    fn value(text: &str) -> Value {
        json::read(text).expect("JSON").value
    }

    #[test]
    fn a_hook_that_is_nothing_but_a_sleep() {
        let table = [
            (r#"{"sleep":{"seconds":7}}"#, Some(7)),
            (r#"{"exec":{"command":["sleep","10"]}}"#, Some(10)),
            (r#"{"exec":{"command":["/bin/sh","-c","sleep 15"]}}"#, Some(15)),
            (r#"{"exec":{"command":["sh","-c","nginx -s quit; sleep 5"]}}"#, None),
            (r#"{"httpGet":{"path":"/bye"}}"#, None),
        ];
        for (hook, expected) in table {
            let container = value(&format!(r#"{{"lifecycle":{{"preStop":{hook}}}}}"#));
            assert_eq!(pre_stop_seconds(&container), expected, "{hook}");
        }
    }

    #[test]
    fn quantities() {
        for (given, cpu, expected) in [
            ("\"500m\"", true, Some(500)),
            ("2", true, Some(2_000)),
            ("\"0.5\"", true, Some(500)),
            ("\"512Mi\"", false, Some(512)),
            ("\"2Gi\"", false, Some(2_048)),
            ("\"1048576Ki\"", false, Some(1_024)),
            ("\"1e3\"", false, None),
        ] {
            assert_eq!(quantity(&value(given), cpu), expected, "{given}");
        }
    }
}

//! A patch of Kubernetes: the form of a manifest with what has to be said.

use rollscope_scenario::Document;
use rollscope_scenario::document::placed::{DAEMON_SET, STATEFUL_SET};
use rollscope_scenario::json::Value;

use super::{Export, NoteKind, yaml};

/// Handlers of a probe: how it asks.
const HANDLERS: [&str; 4] = ["httpGet", "tcpSocket", "exec", "grpc"];

/// The patch; beside a base what it takes away is `null`.
pub fn write(document: &Document, base: Option<&Document>, export: &mut Export) {
    let own = document.to_json().get("service").cloned().unwrap_or_default();
    let before = base.map(|base| base.to_json().get("service").cloned().unwrap_or_default());
    let kind = match document.platform.as_deref() {
        Some(STATEFUL_SET) => "StatefulSet",
        Some(DAEMON_SET) => "DaemonSet",
        _ => "Deployment",
    };
    let mut spec = match &before {
        Some(before) => Differ { kind }.differ(&own, before, ""),
        None => Some(own.clone()).filter(|own| own.as_object().is_some()),
    };
    let Some(spec) = &mut spec else { return };
    containers(spec, &own, before.as_ref(), export);
    exclusive(spec, before.is_some());
    let name = document.title.as_deref().filter(|title| is_name(title)).unwrap_or("NAME");
    if name == "NAME" {
        export.note(NoteKind::Blank, name);
    }
    export.text = yaml::text(&Value::object([
        ("apiVersion", Value::from("apps/v1")),
        ("kind", kind.into()),
        ("metadata", Value::object([("name", Value::from(name))])),
        ("spec", spec.clone()),
    ]));
}

/// What leaving a member out means, by its place in the `spec`: Kubernetes API reference, `apps/v1`.
fn default(kind: &str, place: &str) -> Option<Value> {
    let (_, key) = place.rsplit_once('/')?;
    let in_probe = place.contains("Probe/");
    Some(match key {
        "replicas" => 1.into(),
        "minReadySeconds" | "initialDelaySeconds" => 0.into(),
        "progressDeadlineSeconds" => 600.into(),
        "revisionHistoryLimit" | "periodSeconds" => 10.into(),
        "paused" => false.into(),
        "terminationGracePeriodSeconds" if !in_probe => 30.into(),
        "timeoutSeconds" | "successThreshold" => 1.into(),
        "failureThreshold" => 3.into(),
        "podManagementPolicy" => "OrderedReady".into(),
        "type" => "RollingUpdate".into(),
        "maxSurge" | "maxUnavailable" if kind == "Deployment" => "25%".into(),
        _ => return None,
    })
}

/// A comparison of two trees of one kind.
struct Differ<'a> {
    kind: &'a str,
}

impl Differ<'_> {
    /// What makes one tree of the other: members that differ, and of containers those that differ, each with its name. What
    /// is left out is said by its default, or is `null` where it has none.
    fn differ(&self, own: &Value, base: &Value, place: &str) -> Option<Value> {
        match (own, base) {
            _ if own == base => None,
            (Value::Object(_), Value::Object(_)) => {
                let patch = self.members(own, base, place);
                Some(patch).filter(|patch| *patch != Value::empty_object())
            }
            (Value::Array(items), Value::Array(before)) if items.iter().all(|item| item.as_object().is_some()) => {
                let all: Vec<Value> =
                    items.iter().enumerate().filter_map(|item| self.item(item, before, place)).collect();
                Some(Value::Array(all)).filter(|all| all.at(0).is_some())
            }
            _ => Some(own.clone()),
        }
    }

    fn members(&self, own: &Value, base: &Value, place: &str) -> Value {
        let mut patch = Value::empty_object();
        let all = own.as_object().unwrap_or_default().iter();
        let gone = base.as_object().unwrap_or_default().iter().filter(|(key, _)| own.get(key).is_none());
        for (key, _) in all.chain(gone) {
            let place = format!("{place}/{key}");
            let meant = |tree: &Value| tree.get(key).cloned().or_else(|| default(self.kind, &place));
            let said = match (meant(own), meant(base)) {
                (Some(own), Some(base)) => self.differ(&own, &base, &place),
                (Some(own), None) => Some(own),
                (None, _) => Some(Value::Null),
            };
            if let Some(said) = said {
                patch.insert(key.as_str(), said);
            }
        }
        patch
    }

    /// An item of a list, which is known by its name, or by its place where it has none.
    fn item(&self, (index, item): (usize, &Value), before: &[Value], place: &str) -> Option<Value> {
        let name = item.get("name");
        let known = match name {
            Some(_) => before.iter().find(|one| one.get("name") == name),
            None => before.get(index).filter(|one| one.get("name").is_none()),
        };
        let patch = known.map_or_else(|| Some(item.clone()), |known| self.differ(item, known, place))?;
        let rest = patch.as_object().unwrap_or_default().iter().filter(|(key, _)| key != "name").cloned();
        let name = name.map(|name| ("name".to_owned(), name.clone()));
        Some(Value::object(name.into_iter().chain(rest)))
    }
}

/// Containers are found by their names, and a probe that is new has to say how it asks.
fn containers(spec: &mut Value, own: &Value, before: Option<&Value>, export: &mut Export) {
    const AT: &str = "/template/spec/containers";
    let all = own.pointer(AT).and_then(Value::as_array).map_or(0, <[Value]>::len);
    let Some(patched) = spec.pointer(AT).and_then(Value::as_array).map(<[Value]>::to_vec) else { return };
    let known = before.and_then(|before| before.pointer(AT)?.as_array()).unwrap_or_default();
    let asked = |container: &str, probe: &str| {
        let same = |one: &&Value| one.get("name").and_then(Value::as_str).is_none_or(|name| name == container);
        known.iter().find(same).is_some_and(|one| one.get(probe).is_some())
    };
    let has = |name: &Value| {
        own.pointer(AT).and_then(Value::as_array).unwrap_or_default().iter().any(|one| one.get("name") == Some(name))
    };
    for gone in known.iter().filter_map(|one| one.get("name")).filter(|name| !has(name)) {
        export.note(NoteKind::Dropped, format!("containers.{}", gone.as_str().unwrap_or_default()));
    }
    let mut named = Vec::new();
    for (index, container) in patched.iter().enumerate() {
        let name = container.get("name").and_then(Value::as_str).map(str::to_owned);
        let name = name.unwrap_or_else(|| {
            let blank = if all == 1 { "CONTAINER".to_owned() } else { format!("CONTAINER_{}", index + 1) };
            export.note(NoteKind::Blank, blank.as_str());
            blank
        });
        let mut whole = Value::object([("name", Value::from(name.as_str()))]);
        for (key, member) in container.as_object().unwrap_or_default().iter().filter(|(key, _)| key != "name") {
            let is_new = before.is_some() && key.ends_with("Probe") && !member.is_null() && !asked(&name, key);
            if is_new && HANDLERS.iter().all(|handler| member.get(handler).is_none()) {
                export.note(NoteKind::HowItAsks, format!("{key} of {name}"));
            }
            whole.insert(key.as_str(), member.clone());
        }
        named.push(whole);
    }
    spec.set_pointer(AT, Value::Array(named));
}

/// What excludes each other: `Recreate` and `rollingUpdate`, which the cluster has filled in; a hook that sleeps and one
/// that runs a command.
fn exclusive(spec: &mut Value, is_patch: bool) {
    if !is_patch {
        return;
    }
    if spec.pointer("/strategy/type").and_then(Value::as_str) == Some("Recreate") {
        spec.set_pointer("/strategy/rollingUpdate", Value::Null);
    }
    let all = spec.pointer("/template/spec/containers").and_then(Value::as_array).map_or(0, <[Value]>::len);
    for index in 0..all {
        let at = format!("/template/spec/containers/{index}/lifecycle/preStop");
        if spec.pointer(&format!("{at}/sleep")).is_some_and(|sleep| !sleep.is_null()) {
            spec.set_pointer(&format!("{at}/exec"), Value::Null);
        }
    }
}

/// The name of an object: small letters, digits and dashes, at most 63 (RFC 1123).
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 63 && text.chars().all(|c| plain(c) || c == '-') && text.starts_with(plain) && text.ends_with(plain)
}

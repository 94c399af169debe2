//! The same fleet on another platform: what has a counterpart there is carried over, the rest is named.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::kubernetes::IntOrPercent;
use rollscope_engine::platform::kubernetes::rules_fence::fence_posts;

use crate::document::kubernetes::DEPLOYMENT;
use crate::json::{Value, pointer_join};
use crate::limits::{ceiling, floor};

/// A platform that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Amazon ECS.
    Ecs,
    /// A Kubernetes Deployment.
    Kubernetes,
}

impl Platform {
    /// That of a document's tree; absent for one that is not simulated.
    pub fn of(tree: &Value) -> Option<Platform> {
        match tree.get("platform").and_then(Value::as_str) {
            None | Some("ecs") => Some(Platform::Ecs),
            Some(DEPLOYMENT) => Some(Platform::Kubernetes),
            Some(_) => None,
        }
    }
}

/// A scenario on another platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The document's tree there.
    pub tree: Value,
    /// Fields that have a counterpart under another name: here and there, by their pointers.
    pub renamed: Vec<(String, String)>,
    /// Fields without a counterpart, by their pointers.
    pub lost: Vec<String>,
}

const MINIMUM: &str = "/service/deploymentConfiguration/minimumHealthyPercent";
const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";
const UNAVAILABLE: &str = "/service/strategy/rollingUpdate/maxUnavailable";
const SURGE: &str = "/service/strategy/rollingUpdate/maxSurge";
const DESIRED: &str = "/service/desiredCount";
const REPLICAS: &str = "/service/replicas";
const CONTAINER: &str = "/service/template/spec/containers/0";
const GROUP: &str = "/targetGroups/0";

/// Fields that mean the same under two names.
const SAME: [(&str, &str); 2] =
    [(DESIRED, REPLICAS), ("/containers/0/stopTimeout", "/service/template/spec/terminationGracePeriodSeconds")];
/// Fields of the check that lets traffic in, with the default of Elastic Load Balancing, that of Kubernetes, and the
/// range of Elastic Load Balancing.
const CHECK: [(&str, &str, i64, i64, (i64, i64)); 4] = [
    ("healthCheckIntervalSeconds", "periodSeconds", 30, 10, (5, 300)),
    ("healthCheckTimeoutSeconds", "timeoutSeconds", 5, 1, (2, 120)),
    ("healthyThresholdCount", "successThreshold", 5, 1, (2, 10)),
    ("unhealthyThresholdCount", "failureThreshold", 2, 3, (2, 10)),
];
/// What every platform has under one name.
const COMMON: [&str; 20] = [
    "/rollscope",
    "/title",
    "/notes",
    "/seed",
    "/until",
    "/places",
    "/start/deploy",
    "/new/revision",
    "/new/by_start",
    "/new/fate",
    "/old/revision",
    "/old/by_start",
    "/old/fate",
    "/timing/provisioning",
    "/timing/pull",
    "/timing/start_up",
    "/timing/open_request",
    "/timing/exit_after_sigterm",
    "/timing/healthy_after",
    "/timing/gone_after",
];
/// Acts by their names here and there.
const ACTS: [(&str, &str); 6] = [
    ("desired", "scale"),
    ("deploy", "deploy"),
    ("fate", "fate"),
    ("fix", "fix"),
    ("kill", "kill"),
    ("stop_task", "delete_pod"),
];
/// Fields of acts that have one name.
const ACT_FIELDS: [&str; 6] = ["at", "do", "task", "revision", "fate", "by_start"];

/// Puts a scenario together on another platform.
struct Move<'a> {
    from: &'a Value,
    to: Value,
    /// Pointers that were read; what stands inside them as well.
    read: Vec<String>,
    renamed: Vec<(String, String)>,
    lost: Vec<String>,
}

impl Move<'_> {
    fn get(&mut self, pointer: &str) -> Option<Value> {
        let value = self.from.pointer(pointer).filter(|value| !value.is_null())?.clone();
        self.read.push(pointer.to_string());
        Some(value)
    }

    fn put(&mut self, from: &str, to: &str, value: impl Into<Value>) {
        self.to.set_pointer(to, value.into());
        if from != to && self.from.pointer(from).is_some() {
            self.renamed.push((from.to_string(), to.to_string()));
        }
    }

    fn common(&mut self) {
        for pointer in COMMON {
            if let Some(value) = self.get(pointer) {
                match pooled(&value) {
                    true => self.lost.push(pointer.to_string()),
                    false => self.put(pointer, pointer, value),
                }
            }
        }
        // Nothing runs at first: that is known everywhere; a state in the middle of a rollout is not.
        if self.from.pointer("/start/deployments").and_then(Value::as_array).is_some_and(<[Value]>::is_empty) {
            self.read.push("/start/deployments".into());
            self.put("/start/deployments", "/start/deployments", Value::Array(Vec::new()));
        }
    }

    fn acts(&mut self, to: Platform) {
        let Some(all) = self.get("/acts") else { return };
        let mut kept = Vec::new();
        for (index, act) in all.as_array().unwrap_or_default().iter().enumerate() {
            let at = pointer_join("/acts", index);
            match act_there(act, to) {
                Some(there) => {
                    let unknown = |key: &str| !ACT_FIELDS.contains(&key) && !["count", "replicas"].contains(&key);
                    let entries = act.as_object().unwrap_or_default().iter();
                    let rest = entries.filter(|(key, _)| unknown(key)).map(|(key, _)| pointer_join(&at, key));
                    self.lost.extend(rest);
                    kept.push(there);
                }
                None => self.lost.push(at),
            }
        }
        if !kept.is_empty() {
            self.to.insert("acts", Value::Array(kept));
        }
    }

    /// Every value that nobody read has no counterpart.
    fn finish(mut self) -> Moved {
        let mut all = Vec::new();
        leaves("", self.from, &mut all);
        for pointer in all {
            let read = |known: &String| pointer == *known || pointer.starts_with(&format!("{known}/"));
            if pointer != "/platform" && !self.read.iter().any(read) {
                self.lost.push(pointer);
            }
        }
        Moved { tree: self.to, renamed: self.renamed, lost: self.lost }
    }
}

/// A fate that only Amazon ECS knows stands somewhere inside.
fn pooled(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.iter().any(|(key, inner)| key == "above_running" || pooled(inner)),
        Value::Array(items) => items.iter().any(pooled),
        _ => false,
    }
}

fn leaves(at: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            entries.iter().for_each(|(key, inner)| leaves(&pointer_join(at, key), inner, out));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, inner)| leaves(&pointer_join(at, index), inner, out));
        }
        _ => out.push(at.to_string()),
    }
}

/// An act by its name there; absent where there is none.
fn act_there(act: &Value, to: Platform) -> Option<Value> {
    let what = act.get("do")?.as_str()?;
    let (ecs, kubernetes) = ACTS.into_iter().find(|(ecs, kubernetes)| what == *ecs || what == *kubernetes)?;
    if pooled(act) {
        return None;
    }
    let (what, count) = match to {
        Platform::Ecs => (ecs, "count"),
        Platform::Kubernetes => (kubernetes, "replicas"),
    };
    let entry = |(key, value): &(String, Value)| match key.as_str() {
        "do" => Some((key.clone(), Value::from(what))),
        "count" | "replicas" => Some((count.to_string(), value.clone())),
        key if ACT_FIELDS.contains(&key) => Some((key.to_string(), value.clone())),
        _ => None,
    };
    Some(Value::Object(act.as_object()?.iter().filter_map(entry).collect()))
}

/// A scenario on another platform. Floor and ceiling stay as they are, as far as the other one's dials can say them.
///
/// Example: 4 tasks at 50/125 are 4 Pods with `maxUnavailable` 50% and `maxSurge` 25%; 3 Pods at 25%/25%, which act as
/// 1/0, are 3 tasks at 75/134: ⌈3 · 0.75⌉ = 3, ⌊3 · 1.34⌋ = 4. Where both dials leave nothing a Deployment still takes
/// one down.
pub fn moved(tree: &Value, to: Platform) -> Moved {
    let mut moving =
        Move { from: tree, to: Value::empty_object(), read: Vec::new(), renamed: Vec::new(), lost: Vec::new() };
    moving.common();
    match to {
        Platform::Kubernetes => to_kubernetes(&mut moving),
        Platform::Ecs => to_ecs(&mut moving),
    }
    moving.acts(to);
    moving.finish()
}

fn to_kubernetes(moving: &mut Move<'_>) {
    moving.to.insert("platform", DEPLOYMENT);
    for (ecs, kubernetes) in SAME {
        if let Some(value) = moving.get(ecs) {
            moving.put(ecs, kubernetes, value);
        }
    }
    if let Some(name) = moving.get("/service/serviceName")
        && moving.to.get("title").is_none()
    {
        moving.put("/service/serviceName", "/title", name);
    }
    let number = |moving: &mut Move<'_>, pointer: &str| moving.get(pointer).and_then(|value| value.as_u64());
    let replicas = moving.from.pointer(DESIRED).and_then(Value::as_u64).unwrap_or(1) as u32;
    let minimum = number(moving, MINIMUM).unwrap_or(100).min(100) as u32;
    let maximum = number(moving, MAXIMUM).unwrap_or(200).min(u64::from(u32::MAX)) as u32;
    moving.put(MINIMUM, UNAVAILABLE, format!("{}%", 100 - minimum));
    moving.put(MAXIMUM, SURGE, surge(replicas, maximum));
    if let Some(group) = moving.from.pointer(GROUP) {
        if group.as_object() == Some(&[]) {
            moving.read.push(GROUP.into());
        }
        for (ecs, kubernetes, default, ..) in CHECK {
            let from = format!("{GROUP}/{ecs}");
            let value = moving.get(&from).unwrap_or_else(|| Value::from(default));
            moving.put(&from, &format!("{CONTAINER}/readinessProbe/{kubernetes}"), value);
        }
        wrap(&mut moving.to, "/service/template/spec/containers");
    }
}

/// `maxSurge` with the ceiling of a `maximumPercent`: a percentage rounds up there and down here.
fn surge(replicas: u32, maximum: u32) -> Value {
    let percent = maximum.saturating_sub(100);
    let most = ceiling(replicas, maximum.max(100)).saturating_sub(replicas);
    if fence_posts(Some(IntOrPercent::Percent(percent)), Some(IntOrPercent::Percent(100)), replicas).0 == most {
        return format!("{percent}%").into();
    }
    most.into()
}

fn to_ecs(moving: &mut Move<'_>) {
    let replicas = moving.from.pointer(REPLICAS).and_then(Value::as_u64).unwrap_or(1).min(20_000) as u32;
    for (ecs, kubernetes) in SAME {
        if let Some(value) = moving.get(kubernetes) {
            moving.put(kubernetes, ecs, value);
        }
    }
    moving.to.set_pointer(DESIRED, replicas.into());
    wrap(&mut moving.to, "/containers");
    let recreate = moving.get("/service/strategy/type").is_some_and(|kind| kind.as_str() == Some("Recreate"));
    let fence = |value: Option<Value>| match value {
        None => IntOrPercent::Percent(25),
        Some(Value::String(text)) => {
            text.strip_suffix('%').and_then(|n| n.parse().ok()).map_or(IntOrPercent::Percent(25), IntOrPercent::Percent)
        }
        Some(value) => IntOrPercent::Int(value.as_u64().unwrap_or(0).min(100_000) as u32),
    };
    let (up, down) = (fence(moving.get(SURGE)), fence(moving.get(UNAVAILABLE)));
    let (surge, unavailable) = fence_posts(Some(up), Some(down), replicas);
    let (minimum, maximum) = match recreate {
        true => (0, 100),
        false => (minimum(replicas, unavailable.min(replicas), down), maximum(replicas, surge, up)),
    };
    moving.put(UNAVAILABLE, MINIMUM, minimum);
    moving.put(SURGE, MAXIMUM, maximum);
    if moving.from.pointer(&format!("{CONTAINER}/readinessProbe")).is_some() {
        for (ecs, kubernetes, _, default, (least, most)) in CHECK {
            let from = format!("{CONTAINER}/readinessProbe/{kubernetes}");
            let value = moving.get(&from).and_then(|value| value.as_i64()).unwrap_or(default).max(least).min(most);
            moving.put(&from, &format!("{GROUP}/{ecs}"), value);
        }
        wrap(&mut moving.to, "/targetGroups");
    }
}

/// What was put at index 0 of a list stands in one.
fn wrap(tree: &mut Value, at: &str) {
    if let Some(Value::Object(entries)) = tree.pointer(at).cloned()
        && let Some((_, first)) = entries.into_iter().next()
    {
        tree.set_pointer(at, Value::Array(Vec::from([first])));
    }
}

/// `minimumHealthyPercent` with the floor of so many missing: the percentage itself where it gives that.
fn minimum(replicas: u32, unavailable: u32, given: IntOrPercent) -> u32 {
    let left = replicas - unavailable;
    if let IntOrPercent::Percent(percent) = given
        && percent <= 100
        && floor(replicas, 100 - percent) == left
    {
        return 100 - percent;
    }
    (u64::from(left) * 100).checked_div(u64::from(replicas)).unwrap_or(100) as u32
}

/// `maximumPercent` with the ceiling of so many more: the percentage itself where it gives that.
fn maximum(replicas: u32, surge: u32, given: IntOrPercent) -> u32 {
    if let IntOrPercent::Percent(percent) = given
        && ceiling(replicas, 100 + percent) == replicas + surge
    {
        return 100 + percent;
    }
    (u64::from(replicas + surge) * 100).div_ceil(u64::from(replicas.max(1))) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Preset, json};

    fn value(text: &str) -> Value {
        json::read(text).expect("JSON").value
    }

    fn limits(tree: &Value) -> Option<(u32, u32, u32)> {
        let (document, problems) = Document::from_value(tree);
        assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
        let resolved = document.resolve().ok()?;
        let limits = rollscope_engine::Simulation::new(resolved.settings).frame().counts.limits;
        Some((limits.desired, limits.floor, limits.ceiling))
    }

    #[test]
    fn the_dials_keep_their_numbers() {
        let table = [
            (r#"{"service":{"desiredCount":4}}"#, ("0%", "\"100%\"")),
            (
                r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":125}}}"#,
                ("50%", "\"25%\""),
            ),
            // 3 at 150: 4.5, down to 4; 50 % of 3 as a surge would be 2.
            (r#"{"service":{"desiredCount":3,"deploymentConfiguration":{"maximumPercent":150}}}"#, ("0%", "1")),
        ];
        for (text, (unavailable, surge)) in table {
            let there = moved(&value(text), Platform::Kubernetes).tree;
            assert_eq!(there.pointer(UNAVAILABLE).and_then(Value::as_str), Some(unavailable), "{text}");
            assert_eq!(there.pointer(SURGE).map(Value::to_string).as_deref(), Some(surge), "{text}");
            assert_eq!(limits(&there), limits(&value(text)), "{text}");
        }
        let three = value(r#"{"platform":"kubernetes-deployment","service":{"replicas":3}}"#);
        let there = moved(&three, Platform::Ecs).tree;
        assert_eq!((there.pointer(MINIMUM), there.pointer(MAXIMUM)), (Some(&75.into()), Some(&134.into())));
    }

    #[test]
    fn what_has_a_counterpart_is_carried_over_and_the_rest_is_named() {
        let text = r#"{"title":"web","service":{"desiredCount":2,"healthCheckGracePeriodSeconds":60,
            "deploymentConfiguration":{"deploymentCircuitBreaker":{"enable":true,"rollback":true}}},
            "containers":[{"stopTimeout":45}],
            "targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":30}],
            "new":{"fate":"never_passes"},"acts":[{"at":"1m","do":"desired","count":3},{"at":"2m","do":"stop_deployment"}]}"#;
        let found = moved(&value(text), Platform::Kubernetes);
        let there = |pointer: &str| found.tree.pointer(pointer).map(Value::to_string);
        assert_eq!(there("/service/template/spec/terminationGracePeriodSeconds").as_deref(), Some("45"));
        let probe = r#"{"periodSeconds":10,"timeoutSeconds":5,"successThreshold":5,"failureThreshold":2}"#;
        assert_eq!(there("/service/template/spec/containers/0/readinessProbe").as_deref(), Some(probe));
        assert_eq!(there("/acts").as_deref(), Some(r#"[{"at":"1m","do":"scale","replicas":3}]"#));
        assert_eq!(there("/new/fate").as_deref(), Some("\"never_passes\""));
        let lost = [
            "/acts/1",
            "/service/healthCheckGracePeriodSeconds",
            "/service/deploymentConfiguration/deploymentCircuitBreaker/enable",
            "/service/deploymentConfiguration/deploymentCircuitBreaker/rollback",
            "/targetGroups/0/deregistration_delay.timeout_seconds",
        ];
        assert_eq!(found.lost, lost);
        assert!(found.renamed.contains(&(DESIRED.into(), REPLICAS.into())));
        let back = moved(&found.tree, Platform::Ecs);
        assert_eq!(back.tree.pointer("/targetGroups/0/healthCheckIntervalSeconds"), Some(&10.into()));
        assert_eq!(back.tree.pointer("/containers/0/stopTimeout"), Some(&45.into()));
        assert_eq!(back.lost, [] as [&str; 0]);
    }

    #[test]
    fn every_preset_can_be_moved_and_keeps_its_limits() {
        for preset in Preset::all() {
            let tree = value(preset.document);
            // Where machines are replaced there is no service behind them to be moved.
            let Some(from) = Platform::of(&tree) else {
                use crate::PresetGroup::{InstanceRefresh, MachineGroups, Placed};
                assert!(matches!(preset.group, InstanceRefresh | MachineGroups | Placed), "{}", preset.id);
                continue;
            };
            let to = if from == Platform::Ecs { Platform::Kubernetes } else { Platform::Ecs };
            let there = moved(&tree, to);
            assert_eq!(Platform::of(&there.tree), Some(to), "{}", preset.id);
            let shifted = tree.pointer("/service/deploymentConfiguration/strategy").is_some();
            let daemon = tree.pointer("/service/schedulingStrategy").is_some();
            // A ceiling of traffic that is shifted, and one task an instance, are not those of the dials.
            if !shifted
                && !daemon
                && let (Some((desired, floor, ceiling)), Some(now)) = (limits(&tree), limits(&there.tree))
            {
                // Kubernetes takes one down where rounding leaves nothing.
                let stuck = (floor, ceiling) == (desired, desired) && to == Platform::Kubernetes && desired > 0;
                let floor = if stuck { floor - 1 } else { floor };
                assert_eq!(now, (desired, floor, ceiling), "{}", preset.id);
            }
            assert!(there.lost.iter().all(|lost| tree.pointer(lost).is_some()), "{}", preset.id);
        }
    }
}

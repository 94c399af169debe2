//! The same fleet on another platform: what has a counterpart there is carried over, the rest is named.

mod acts;
mod check;
mod dials;
mod shape;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::document::asg::REFRESH;
use crate::document::kubernetes::DEPLOYMENT;
use crate::document::machines::{MIG, VMSS};
use crate::document::placed::{DAEMON_SET, STATEFUL_SET};
use crate::json::{Value, pointer_join};
use shape::Shape;

/// A platform that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Amazon ECS.
    Ecs,
    /// A Kubernetes Deployment.
    Kubernetes,
    /// A Kubernetes StatefulSet.
    StatefulSet,
    /// A Kubernetes DaemonSet.
    DaemonSet,
    /// The instance refresh of an EC2 Auto Scaling group.
    InstanceRefresh,
    /// A Google Cloud managed instance group.
    Mig,
    /// An Azure virtual machine scale set.
    Vmss,
}

impl Platform {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Platform; 7] = [
        Platform::Ecs,
        Platform::Kubernetes,
        Platform::StatefulSet,
        Platform::DaemonSet,
        Platform::InstanceRefresh,
        Platform::Mig,
        Platform::Vmss,
    ];

    /// What `platform` says; absent for Amazon ECS, the default.
    const fn key(self) -> Option<&'static str> {
        match self {
            Platform::Ecs => None,
            Platform::Kubernetes => Some(DEPLOYMENT),
            Platform::StatefulSet => Some(STATEFUL_SET),
            Platform::DaemonSet => Some(DAEMON_SET),
            Platform::InstanceRefresh => Some(REFRESH),
            Platform::Mig => Some(MIG),
            Platform::Vmss => Some(VMSS),
        }
    }

    /// That of a document's tree; absent for one that is not simulated.
    pub fn of(tree: &Value) -> Option<Platform> {
        match tree.get("platform").and_then(Value::as_str) {
            None | Some("ecs") => Some(Platform::Ecs),
            name => Platform::ALL.into_iter().find(|platform| platform.key() == name),
        }
    }

    /// Its Pods are those of a template.
    const fn has_pods(self) -> bool {
        matches!(self, Platform::Kubernetes | Platform::StatefulSet | Platform::DaemonSet)
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

/// What every platform has under one name.
const COMMON: [&str; 19] = [
    "/rollscope",
    "/title",
    "/notes",
    "/seed",
    "/until",
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
/// What has one name wherever there are Pods of a template.
const OF_PODS: [&str; 5] = [
    "/service/template",
    "/service/minReadySeconds",
    "/service/revisionHistoryLimit",
    "/service/selector",
    "/resourceQuota",
];

/// Puts a scenario together on another platform.
struct Move<'a> {
    from: &'a Value,
    here: Shape,
    there: Shape,
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
        if from != to && !from.is_empty() && self.from.pointer(from).is_some() {
            self.renamed.push((from.to_string(), to.to_string()));
        }
    }

    /// Carries a field over where both platforms have it.
    fn carry(&mut self, here: Option<&str>, there: Option<&str>) {
        if let (Some(here), Some(there)) = (here, there)
            && let Some(value) = self.get(here)
        {
            self.put(here, there, value);
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
        // A DaemonSet runs one Pod a node: it needs no other room.
        if self.there.platform != Platform::DaemonSet {
            self.carry(Some("/places"), Some("/places"));
        }
        // Nothing runs at first: a group of machines always begins steady; a state in the middle of a rollout is
        // none that another platform could be in.
        let nothing =
            self.from.pointer("/start/deployments").and_then(Value::as_array).is_some_and(<[Value]>::is_empty);
        if nothing && (self.there.platform == Platform::Ecs || self.there.platform.has_pods()) {
            self.carry(Some("/start/deployments"), Some("/start/deployments"));
        }
    }

    fn name(&mut self) {
        let (Some(here), there) = (self.here.name, self.there.name) else { return };
        let Some(name) = self.get(here) else { return };
        match there {
            Some(there) => self.put(here, there, name),
            None if self.to.get("title").is_none() => self.put(here, "/title", name),
            None => {}
        }
    }

    /// What the platforms call by names of their own, and Pods under one name.
    fn waits(&mut self) {
        if self.here.platform.has_pods() && self.there.platform.has_pods() {
            return OF_PODS.iter().for_each(|pointer| self.carry(Some(pointer), Some(pointer)));
        }
        self.carry(self.here.stop, self.there.stop);
        self.ready();
        check::carry(self);
        self.carry(self.here.drain, self.there.drain);
    }

    /// How long a new one has to be fine: at most an hour on Google Cloud, and less than a Deployment's deadline.
    fn ready(&mut self) {
        const DEADLINE: i64 = 600;
        let (Some(here), Some(there)) = (self.here.ready, self.there.ready) else { return };
        let Some(seconds) = self.get(here).and_then(|value| value.as_i64()) else { return };
        match self.there.platform {
            Platform::Mig => self.put(here, there, seconds.min(3600)),
            Platform::Kubernetes if seconds >= DEADLINE => {
                self.put(here, there, seconds);
                self.put("", "/service/progressDeadlineSeconds", seconds + DEADLINE);
            }
            _ => self.put(here, there, seconds),
        }
    }

    /// Every value that nobody read has no counterpart.
    fn finish(mut self) -> Moved {
        for list in shape::LISTS {
            wrap(&mut self.to, list);
        }
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

/// What was put at index 0 of a list stands in one.
fn wrap(tree: &mut Value, at: &str) {
    if let Some(Value::Object(entries)) = tree.pointer(at).cloned()
        && let Some((_, first)) = entries.into_iter().next()
    {
        tree.set_pointer(at, Value::Array(Vec::from([first])));
    }
}

/// A scenario on another platform. Floor and ceiling stay as they are, as far as the other one's dials can say them.
///
/// Example: 4 tasks at 50/125 are 4 Pods with `maxUnavailable` 50% and `maxSurge` 25%; 3 Pods at 25%/25%, which act as
/// 1/0, are 3 tasks at 75/134: ⌈3 · 0.75⌉ = 3, ⌊3 · 1.34⌋ = 4. Where both dials leave nothing a Deployment still takes
/// one down. A tree of a platform that is not simulated comes back as it is.
pub fn moved(tree: &Value, to: Platform) -> Moved {
    let Some(from) = Platform::of(tree).filter(|from| *from != to) else {
        return Moved { tree: tree.clone(), renamed: Vec::new(), lost: Vec::new() };
    };
    let mut moving = Move {
        from: tree,
        here: shape::of(from),
        there: shape::of(to),
        to: Value::empty_object(),
        read: Vec::new(),
        renamed: Vec::new(),
        lost: Vec::new(),
    };
    moving.common();
    if let Some(key) = to.key() {
        moving.to.insert("platform", key);
    }
    moving.name();
    dials::carry(&mut moving);
    moving.waits();
    acts::carry(&mut moving);
    moving.finish()
}

#[cfg(test)]
mod tests;

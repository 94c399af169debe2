//! What has to be said of an ECS service, its target groups and its containers, under the names of the API.

use rollscope_scenario::Document;
use rollscope_scenario::json::{self, Value};

use super::{Export, NoteKind, Target};

/// What a text has to say; each part is absent or empty where there is nothing.
pub struct Said {
    /// The service's name, where it has one.
    pub name: Option<String>,
    /// Fields of the service; `deploymentConfiguration` holds those of its own.
    pub service: Value,
    /// Settings of target groups, each with the address of the group where it is known; one that says nothing is empty.
    pub groups: Vec<(Option<String>, Value)>,
    /// Settings of containers, by name.
    pub containers: Vec<(String, Value)>,
    /// The text stands for all that is given, not for a change of what is there.
    pub whole: bool,
}

/// Fields of the service, in the order in which they are written, with what leaving them out means.
const SERVICE: [(&str, Option<&str>); 9] = [
    ("desiredCount", None),
    ("schedulingStrategy", Some("\"REPLICA\"")),
    ("launchType", None),
    ("capacityProviderStrategy", None),
    ("availabilityZoneRebalancing", None),
    ("healthCheckGracePeriodSeconds", Some("0")),
    ("deploymentController", Some("{\"type\":\"ECS\"}")),
    ("loadBalancers", Some("[]")),
    ("serviceRegistries", Some("[]")),
];

/// Fields of its deployment configuration, likewise. Each is stored as a whole, but for the circuit breaker.
const CONFIGURATION: [(&str, Option<&str>); 10] = [
    ("strategy", Some("\"ROLLING\"")),
    ("minimumHealthyPercent", Some("100")),
    ("maximumPercent", Some("200")),
    ("deploymentCircuitBreaker", Some("{\"enable\":false,\"rollback\":false}")),
    ("alarms", Some("{\"alarmNames\":[],\"enable\":false,\"rollback\":false}")),
    ("bakeTimeInMinutes", None),
    ("earlySuccessCriteria", Some("{\"enable\":false}")),
    ("lifecycleHooks", Some("[]")),
    ("linearConfiguration", None),
    ("canaryConfiguration", None),
];

/// Members of the circuit breaker; the first two are always said.
const BREAKER: [(&str, &str); 4] = [
    ("enable", "false"),
    ("rollback", "false"),
    ("resetOnHealthyTask", "true"),
    ("thresholdConfiguration", "{\"type\":\"BOUNDED_PERCENT\",\"value\":50}"),
];

/// Fields of a target group: ELB `CreateTargetGroup`, `TargetGroupAttribute`.
const GROUP: [(&str, Option<&str>); 8] = [
    ("protocol", None),
    ("healthCheckProtocol", None),
    ("healthCheckIntervalSeconds", Some("30")),
    ("healthCheckTimeoutSeconds", None),
    ("healthyThresholdCount", Some("5")),
    ("unhealthyThresholdCount", Some("2")),
    ("deregistration_delay.timeout_seconds", Some("300")),
    ("slow_start.duration_seconds", Some("0")),
];

/// Fields of a container that set the pace.
const CONTAINER: [(&str, Option<&str>); 6] = [
    ("essential", Some("true")),
    ("healthCheck", None),
    ("stopTimeout", Some("30")),
    ("startTimeout", None),
    ("restartPolicy", Some("{\"enabled\":false}")),
    ("versionConsistency", Some("\"enabled\"")),
];

/// What has to be said: all that is given, or what differs from the base.
pub fn said(document: &Document, base: Option<&Document>, target: Target, export: &mut Export) -> Said {
    let tree = document.to_json();
    let base = base.map(Document::to_json);
    let base = base.as_ref();
    let mut differ = Differ { base: base.is_some(), export };
    let part = |tree: Option<&Value>, key: &str| tree.and_then(|tree| tree.get(key)).cloned().unwrap_or_default();
    let (own, own_base) = (part(Some(&tree), "service"), part(base, "service"));
    let mut service = differ.fields(&own, &own_base, &SERVICE, "");
    let defaults = configuration_defaults(&own);
    let (inner, inner_base) =
        (part(Some(&own), "deploymentConfiguration"), part(Some(&own_base), "deploymentConfiguration"));
    let configuration = differ.fields(&inner, &inner_base, &defaults, "deploymentConfiguration.");
    if configuration != Value::empty_object() {
        service.insert("deploymentConfiguration", configuration);
    }
    if let Some(force) = own.get("forceNewDeployment").filter(|force| force.as_bool() == Some(true)) {
        service.insert("forceNewDeployment", force.clone());
    }
    let groups = differ.groups(&part(Some(&tree), "targetGroups"), &part(base, "targetGroups"), &own, target);
    let containers = differ.containers(&part(Some(&tree), "containers"), &part(base, "containers"));
    Said { name: document.service.service_name.clone(), service, groups, containers, whole: base.is_none() }
}

/// The percentages of a daemon service have other defaults.
fn configuration_defaults(service: &Value) -> [(&'static str, Option<&'static str>); 10] {
    let daemon = service.get("schedulingStrategy").and_then(Value::as_str) == Some("DAEMON");
    CONFIGURATION.map(|(key, default)| match key {
        "minimumHealthyPercent" if daemon => (key, Some("0")),
        "maximumPercent" if daemon => (key, Some("100")),
        _ => (key, default),
    })
}

/// A default of the tables above.
fn value(text: &str) -> Value {
    json::read(text).map(|read| read.value).unwrap_or_default()
}

struct Differ<'a> {
    /// There is a base; otherwise all that is given is said.
    base: bool,
    export: &'a mut Export,
}

impl Differ<'_> {
    /// The fields of an object that have to be said.
    fn fields(&mut self, own: &Value, base: &Value, all: &[(&str, Option<&str>)], path: &str) -> Value {
        let mut said = Value::empty_object();
        for (key, default) in all {
            let default = default.map(value);
            if let Some(value) = self.field(key, own.get(key), base.get(key), default, path) {
                said.insert(*key, value);
            }
        }
        said
    }

    fn field(
        &mut self,
        key: &str,
        own: Option<&Value>,
        base: Option<&Value>,
        default: Option<Value>,
        path: &str,
    ) -> Option<Value> {
        if !self.base {
            return own.map(|own| whole(key, own, None));
        }
        let meant = |given: Option<&Value>| meant(key, given.or(default.as_ref()));
        if meant(own) == meant(base) {
            return None;
        }
        match (own, default) {
            (Some(own), _) => Some(whole(key, own, base)),
            (None, Some(default)) => Some(whole(key, &default, base)),
            (None, None) => {
                self.export.note(NoteKind::Dropped, format!("{path}{key}"));
                None
            }
        }
    }

    /// Target groups, one by one. Terraform's own defaults are others, so there the thresholds are always said.
    fn groups(&mut self, own: &Value, base: &Value, service: &Value, target: Target) -> Vec<(Option<String>, Value)> {
        let (all, before) = (own.as_array().unwrap_or_default(), base.as_array().unwrap_or_default());
        if self.base && before.len() > all.len() {
            self.export.note(NoteKind::Dropped, "targetGroups");
        }
        let none = Value::empty_object();
        let one = |(index, group): (usize, &Value)| {
            let known = before.get(index);
            let mut differ = Differ { base: self.base && known.is_some(), export: self.export };
            let mut said = differ.fields(group, known.unwrap_or(&none), &GROUP, "targetGroups.");
            if target == Target::Terraform && known.is_none() {
                for (key, default) in [("healthyThresholdCount", 5), ("unhealthyThresholdCount", 2)] {
                    if said.get(key).is_none() {
                        said.insert(key, default);
                    }
                }
            }
            let arn = service.pointer(&format!("/loadBalancers/{index}/targetGroupArn")).and_then(Value::as_str);
            (arn.filter(|arn| is_address(&Value::from(*arn))).map(str::to_owned), said)
        };
        all.iter().enumerate().map(one).collect()
    }

    /// Containers, by their names, or in their order where they have none.
    fn containers(&mut self, own: &Value, base: &Value) -> Vec<(String, Value)> {
        let (all, before) = (own.as_array().unwrap_or_default(), base.as_array().unwrap_or_default());
        let name = |container: &Value| container.get("name").and_then(Value::as_str).map(str::to_owned);
        let none = Value::empty_object();
        let mut said = Vec::new();
        for (index, container) in all.iter().enumerate() {
            let own_name = name(container);
            let known = match &own_name {
                Some(_) => before.iter().find(|one| name(one) == own_name),
                None => before.get(index).filter(|one| name(one).is_none()),
            };
            let mut differ = Differ { base: self.base && (known.is_some() || before.is_empty()), export: self.export };
            let fields = differ.fields(container, known.unwrap_or(&none), &CONTAINER, "containers.");
            if self.base && fields == none {
                continue;
            }
            let asked = |of: &Value| of.get("healthCheck").is_some();
            let command = container.pointer("/healthCheck/command").is_some();
            let written = own_name.unwrap_or_else(|| {
                if all.len() == 1 { "CONTAINER".into() } else { format!("CONTAINER_{}", index + 1) }
            });
            if written.starts_with("CONTAINER") {
                self.export.note(NoteKind::Blank, written.as_str());
            }
            if self.base && asked(&fields) && !command && !known.is_some_and(asked) {
                self.export.note(NoteKind::HowItAsks, format!("healthCheck of {written}"));
            }
            said.push((written, fields));
        }
        said
    }
}

/// An address of AWS, which is the same in every text.
pub fn is_address(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("arn:"))
}

/// Load balancers with a reference to the fragment's own group, where a text has a name of its own for it.
pub fn attached(balancers: &Value, refer: impl Fn(usize) -> Value) -> Value {
    let all = balancers.as_array().unwrap_or_default().iter().enumerate();
    Value::array(all.map(|(index, one)| {
        let mut own = one.clone();
        if one.get("targetGroupArn").is_some_and(|arn| !is_address(arn)) {
            own.insert("targetGroupArn", refer(index));
        }
        own
    }))
}

/// A value with what its left out members mean, for comparing.
fn meant(key: &str, given: Option<&Value>) -> Option<Value> {
    let mut given = given?.clone();
    match key {
        "deploymentCircuitBreaker" => {
            for (member, default) in BREAKER {
                if given.get(member).is_none() {
                    given.insert(member, value(default));
                }
            }
            // The order of the members says nothing.
            Some(Value::object(BREAKER.map(|(member, _)| (member, given.get(member).cloned().unwrap_or_default()))))
        }
        // A name that only its own text knows says which group, not what it is.
        "loadBalancers" => {
            let all = given.as_array().unwrap_or_default().len();
            for at in (0..all).map(|index| format!("/{index}/targetGroupArn")) {
                if given.pointer(&at).is_some_and(|arn| !is_address(arn)) {
                    given.remove_pointer(&at);
                }
            }
            Some(given)
        }
        "alarms" if given.get("enable").and_then(Value::as_bool) == Some(false) => Some(Value::Null),
        "earlySuccessCriteria" if given.get("enable").and_then(Value::as_bool) == Some(false) => Some(Value::Null),
        _ => Some(given),
    }
}

/// A value as it has to be said. The circuit breaker is merged member by member with the one that is stored: a member
/// that the base gives and this one leaves out has to be said too.
fn whole(key: &str, own: &Value, base: Option<&Value>) -> Value {
    if key != "deploymentCircuitBreaker" {
        return own.clone();
    }
    let mut said = Value::empty_object();
    for (index, (member, default)) in BREAKER.into_iter().enumerate() {
        let needed = index < 2 || base.is_some_and(|base| base.get(member).is_some());
        match own.get(member) {
            Some(given) => said.insert(member, given.clone()),
            None if needed => said.insert(member, value(default)),
            None => {}
        }
    }
    said
}

//! A service: its settings, and for a described one the state it is in.

use rollscope_scenario::json::Value;
use rollscope_scenario::limits;

use crate::pieces::{Dialect, Found};
use crate::{Import, Origin};

/// Fields of a service that the document has under the same name.
const KEPT: &[&str] = &[
    "desiredCount",
    "schedulingStrategy",
    "deploymentController",
    "healthCheckGracePeriodSeconds",
    "availabilityZoneRebalancing",
    "launchType",
    "capacityProviderStrategy",
    "forceNewDeployment",
    "serviceRegistries",
    "loadBalancers",
];

/// Fields that carry a state or a name, used otherwise or for nothing a run needs.
const STATE: &[&str] =
    &["serviceName", "service", "deployments", "taskDefinition", "deploymentConfiguration", "placementStrategy"];

/// Reads the service into the document.
pub fn read(found: &Found<'_>, tree: &mut Value, import: &mut Import) {
    let service = found.value;
    tree.insert("title", found.name());
    let mut own = Value::object([("serviceName", Value::from(found.name()))]);
    for key in KEPT {
        if let Some(value) = service.get(key).filter(|value| !value.is_null() && value.as_array() != Some(&[])) {
            own.insert(*key, known(value));
        }
    }
    // The address of a target group is a name: it says which one, known or not.
    if let Some(balancers) =
        found.words("/loadBalancers").filter(|all| all.as_array().is_some_and(|all| !all.is_empty()))
    {
        own.insert("loadBalancers", balancers);
    }
    let bare = service.get("deploymentConfiguration").is_none();
    let at = if bare { "" } else { "/deploymentConfiguration" };
    let configuration = if bare { Some(service) } else { service.get("deploymentConfiguration") };
    if let Some(configuration) = configuration.filter(|c| !c.is_null() && (!bare || c.get("serviceName").is_none())) {
        own.insert("deploymentConfiguration", known(configuration));
        // An alarm whose name is not in the text is an alarm all the same.
        if let Some(names) = found.words(&format!("{at}/alarms/alarmNames")).filter(|names| !names.is_null()) {
            own.set_pointer("/deploymentConfiguration/alarms/alarmNames", names);
        }
    }
    // A default that only this form has: the document would take it for left out.
    if let Some(desired) = desired_default(found.dialect).filter(|_| !is_daemon(service))
        && found.origin("/desiredCount").is_none()
    {
        own.insert("desiredCount", desired);
    }
    tree.insert("service", own);
    let settings = Settings { found, at, daemon: is_daemon(service) };
    settings.read(import);
    target_groups(found, tree, import);
    if found.dialect == Dialect::Described {
        state(found, service, tree, import);
    }
    if let Some(entries) = service.as_object() {
        for (key, _) in entries.iter().filter(|(key, _)| !bare && !KEPT.contains(&key.as_str())) {
            if !STATE.contains(&key.as_str()) {
                import.ignored.push(format!("{}/{key}", found.pointer));
            }
        }
    }
}

/// A value without what is unresolved in it.
pub fn known(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entries = entries.iter().filter(|(_, value)| !value.is_null());
            Value::Object(entries.map(|(key, value)| (key.clone(), known(value))).collect())
        }
        Value::Array(items) => Value::array(items.iter().filter(|item| !item.is_null()).map(known)),
        value => value.clone(),
    }
}

/// What a desired count that is left out means, where it means a number.
fn desired_default(dialect: Dialect) -> Option<u32> {
    match dialect {
        Dialect::CloudFormation => Some(1),
        Dialect::Terraform => Some(0),
        Dialect::Described | Dialect::Call | Dialect::Update => None,
    }
}

fn is_daemon(service: &Value) -> bool {
    service.get("schedulingStrategy").and_then(Value::as_str) == Some("DAEMON")
}

/// The settings of a service, one row each.
struct Settings<'a, 'b> {
    found: &'a Found<'b>,
    /// Where the deployment configuration is.
    at: &'a str,
    daemon: bool,
}

impl Settings<'_, '_> {
    /// One row a setting, with its default where it is left out.
    fn read(&self, import: &mut Import) {
        self.desired(import);
        let (minimum, maximum) = if self.daemon { (0, 100) } else { (100, 200) };
        for (name, field, default) in [
            ("minimumHealthyPercent", "minimumHealthyPercent", Value::from(minimum)),
            ("maximumPercent", "maximumPercent", maximum.into()),
            ("strategy", "strategy", "ROLLING".into()),
            ("breaker.enable", "deploymentCircuitBreaker/enable", false.into()),
            ("breaker.rollback", "deploymentCircuitBreaker/rollback", false.into()),
            ("breaker.resetOnHealthyTask", "deploymentCircuitBreaker/resetOnHealthyTask", true.into()),
            ("breaker.type", "deploymentCircuitBreaker/thresholdConfiguration/type", "BOUNDED_PERCENT".into()),
            ("breaker.value", "deploymentCircuitBreaker/thresholdConfiguration/value", 50.into()),
            ("alarms.enable", "alarms/enable", false.into()),
            ("earlySuccess.enable", "earlySuccessCriteria/enable", false.into()),
        ] {
            self.row(name, &format!("{}/{field}", self.at), default, import);
        }
        for (name, field) in [
            ("earlySuccess.healthyPercent", "earlySuccessCriteria/healthyPercent"),
            ("earlySuccess.cleanup", "earlySuccessCriteria/sourceServiceRevisionCleanup"),
            ("bakeTimeInMinutes", "bakeTimeInMinutes"),
        ] {
            self.given(name, &format!("{}/{field}", self.at), import);
        }
        let names = format!("{}/alarms/alarmNames", self.at);
        if self.found.value.pointer(&names).and_then(Value::as_array).is_some_and(|names| !names.is_empty()) {
            self.given("alarms.rollback", &format!("{}/alarms/rollback", self.at), import);
            self.given("alarms.names", &names, import);
        }
        self.row("healthCheckGracePeriodSeconds", "/healthCheckGracePeriodSeconds", 0.into(), import);
        self.given("launchType", "/launchType", import);
        self.row("schedulingStrategy", "/schedulingStrategy", "REPLICA".into(), import);
        self.providers(import);
        self.placement(import);
    }

    /// A setting: given, unresolved, kept by the service, or its default.
    fn row(&self, name: &str, pointer: &str, default: Value, import: &mut Import) {
        if self.given(name, pointer, import) {
            return;
        }
        match self.found.dialect {
            Dialect::Update => import.row(name, Value::Null, Origin::Unresolved, None),
            _ => import.row(name, default, Origin::Default, None),
        }
    }

    /// A setting that is shown only where it is given.
    fn given(&self, name: &str, pointer: &str, import: &mut Import) -> bool {
        let Some(origin) = self.found.origin(pointer) else { return false };
        let value = self.found.value.pointer(pointer).cloned().unwrap_or_default();
        import.row(name, value, origin, self.found.line(pointer));
        if origin == Origin::Unresolved {
            let words = self.found.words(pointer).unwrap_or_default();
            import.needs.push(format!("{name}, which {} stands for", words.as_str().unwrap_or("something else")));
        }
        true
    }

    /// The desired count: each form has a meaning of its own where it is left out.
    fn desired(&self, import: &mut Import) {
        if self.given("desiredCount", "/desiredCount", import) {
            return;
        }
        // That of a daemon service is the number of its instances.
        if self.daemon {
            return;
        }
        let need = match self.found.dialect {
            Dialect::Described | Dialect::Call => "the desired count",
            Dialect::Update => "the desired count: update-service without --desired-count keeps the live number",
            Dialect::CloudFormation => {
                "the desired count of the live service: 1 is only the default for a new one, an update leaves the live \
                 number alone"
            }
            Dialect::Terraform => "the real desired count",
        };
        let (value, origin) = match (desired_default(self.found.dialect), self.found.dialect) {
            (Some(count), _) => (Value::from(count), Origin::Default),
            (None, Dialect::Update) => (Value::Null, Origin::Unresolved),
            (None, _) => (Value::Null, Origin::Missing),
        };
        import.row("desiredCount", value, origin, None);
        import.needs.push(need.into());
    }

    /// Capacity providers, with the base that is left out.
    fn providers(&self, import: &mut Import) {
        let pointer = "/capacityProviderStrategy";
        let items = self.found.value.pointer(pointer).and_then(Value::as_array).unwrap_or_default();
        if let Some(origin) = self.found.origin(pointer).filter(|_| !items.is_empty()) {
            let number = |item: &Value, key: &str| item.get(key).cloned().unwrap_or_else(|| Value::from(0));
            let one = |item: &Value| {
                Value::object([
                    ("provider", item.get("capacityProvider").cloned().unwrap_or_default()),
                    ("base", number(item, "base")),
                    ("weight", number(item, "weight")),
                ])
            };
            import.row(
                "capacityProviderStrategy",
                Value::array(items.iter().map(one)),
                origin,
                self.found.line(pointer),
            );
        }
    }

    /// Where tasks are placed first: `spread(attribute:ecs.availability-zone)`.
    fn placement(&self, import: &mut Import) {
        let pointer = "/placementStrategy";
        let items = self.found.value.pointer(pointer).and_then(Value::as_array).unwrap_or_default();
        if let Some(origin) = self.found.origin(pointer).filter(|_| !items.is_empty()) {
            let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let one = |item: &Value| match text(item, "field") {
                field if field.is_empty() => text(item, "type"),
                field => format!("{}({field})", text(item, "type")),
            };
            import.row("placementStrategy", Value::array(items.iter().map(one)), origin, self.found.line(pointer));
        }
    }
}

/// As many target groups as the service is attached to, with defaults until theirs are pasted.
fn target_groups(found: &Found<'_>, tree: &mut Value, import: &mut Import) {
    let balancers = found.value.get("loadBalancers").and_then(Value::as_array).unwrap_or_default();
    let attached = balancers.iter().filter(|b| b.get("targetGroupArn").is_some()).count();
    match found.origin("/loadBalancers") {
        Some(origin) => import.row("loadBalancerCount", balancers.len(), origin, found.line("/loadBalancers")),
        None if found.dialect == Dialect::Update => {
            import.row("loadBalancerCount", Value::Null, Origin::Unresolved, None);
            import.needs.push(
                "load balancer, grace period, launch type: what the command leaves out is kept from the service".into(),
            );
        }
        None => import.row("loadBalancerCount", 0, Origin::Default, None),
    }
    if attached > 0 {
        tree.insert("targetGroups", Value::Array(vec![Value::empty_object(); attached]));
        import.needs.push(TARGET_GROUP.into());
    }
    import.needs.push(CONTAINER.into());
}

/// What is needed until a target group is read.
pub const TARGET_GROUP: &str = "target group check (interval, timeout, thresholds) and deregistration delay";
/// What is needed until a task definition is read.
pub const CONTAINER: &str = "container health check, if the task definition has one";

struct Deployment<'a> {
    value: &'a Value,
    name: String,
    revision: u32,
    state: &'a str,
}

impl Deployment<'_> {
    fn count(&self, key: &str) -> u64 {
        self.value.get(key).and_then(Value::as_u64).unwrap_or(0)
    }
}

/// The deployments of the answer, oldest first, each with a revision number of its own.
fn deployments<'a>(service: &'a Value, import: &mut Import) -> Vec<Deployment<'a>> {
    let listed = service.get("deployments").and_then(Value::as_array).unwrap_or_default();
    let mut all: Vec<Deployment<'a>> = Vec::new();
    for value in listed.iter().rev() {
        let arn = value.get("taskDefinition").and_then(Value::as_str).unwrap_or_default();
        let name = arn.rsplit('/').next().unwrap_or(arn).to_string();
        let number = name.rsplit(':').next().and_then(|n| n.parse::<u32>().ok()).filter(|n| *n < 1_000_000);
        let mut revision = number.unwrap_or(7 + all.len() as u32);
        if all.iter().any(|d| d.revision == revision) {
            revision = all.iter().map(|d| d.revision).max().unwrap_or(revision) + 1;
            import.warnings.push(format!(
                "Two deployments run {name}, as after a forced new deployment. The newer one is shown as r{revision}."
            ));
        }
        let state = value.get("rolloutState").and_then(Value::as_str).unwrap_or("COMPLETED");
        all.push(Deployment { value, name, revision, state });
    }
    // The PRIMARY one is the newest, wherever it stands in the list.
    let primary = |d: &Deployment<'_>| d.value.get("status").and_then(Value::as_str) == Some("PRIMARY");
    all.sort_by_key(primary);
    all
}

/// Where a described service stands: in the middle of a deployment, or steady.
fn state(found: &Found<'_>, service: &Value, tree: &mut Value, import: &mut Import) {
    let all = deployments(service, import);
    let Some((newest, older)) = all.split_last() else { return };
    let in_progress = newest.state == "IN_PROGRESS";
    import.row("deploymentInProgress", in_progress, Origin::Live, found.line("/deployments"));
    let desired = service.get("desiredCount").and_then(Value::as_u64).unwrap_or(0);
    let settled = older.is_empty() && newest.state == "COMPLETED";
    if settled && newest.count("runningCount") == desired && newest.count("pendingCount") == 0 {
        tree.insert("old", Value::object([("revision", Value::from(newest.revision))]));
        tree.insert("new", Value::object([("revision", Value::from(newest.revision + 1))]));
        return;
    }
    let rows = all.iter().map(|d| {
        // Of a completed deployment the running tasks are known to be healthy; of others they are not.
        let known = d.state == "COMPLETED";
        let running = if known { "healthy" } else { "running" };
        Value::object([
            ("revision", Value::from(d.revision)),
            ("rolloutState", Value::from(d.state)),
            ("failedTasks", Value::from(d.count("failedTasks"))),
            (running, Value::from(d.count("runningCount"))),
            ("pending", Value::from(d.count("pendingCount"))),
        ])
    });
    let mut start = Value::object([("deployments", Value::array(rows))]);
    if settled {
        start.insert("deploy", true);
    }
    tree.insert("start", start);
    let (new, old) = if settled {
        (newest.revision + 1, newest.revision)
    } else {
        let completed = older.iter().rev().find(|d| d.state == "COMPLETED").or(older.last());
        (newest.revision, completed.map_or(newest.revision.saturating_sub(1), |d| d.revision))
    };
    tree.insert("new", Value::object([("revision", Value::from(new))]));
    tree.insert("old", Value::object([("revision", Value::from(old))]));
    if !settled {
        live(newest, older, threshold(service), import);
    }
}

/// Failures that trip the circuit breaker of a service, if it has one switched on.
fn threshold(service: &Value) -> Option<u32> {
    let breaker = service.pointer("/deploymentConfiguration/deploymentCircuitBreaker")?;
    breaker.get("enable").and_then(Value::as_bool).filter(|on| *on)?;
    let number = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
    let kind = breaker.pointer("/thresholdConfiguration/type").and_then(Value::as_str);
    let value = breaker.pointer("/thresholdConfiguration/value").and_then(number);
    let desired = service.get("desiredCount").and_then(number)?;
    Some(limits::threshold(limits::threshold_of(kind, value)?, desired))
}

/// Counters of a deployment in progress, and what they leave open.
fn live(newest: &Deployment<'_>, older: &[Deployment<'_>], threshold: Option<u32>, import: &mut Import) {
    import.row("live.new.running", newest.count("runningCount"), Origin::Live, None);
    import.row("live.new.pending", newest.count("pendingCount"), Origin::Live, None);
    import.row("live.new.failedTasks", newest.count("failedTasks"), Origin::Live, None);
    let running: u64 = older.iter().map(|d| d.count("runningCount")).sum();
    import.row("live.old.running", running, Origin::Live, None);
    if let Some(completed) = older.iter().rev().find(|d| d.state == "COMPLETED") {
        import.row("rollbackTarget", completed.name.as_str(), Origin::Live, None);
    }
    let (fresh, failed) = (newest.count("runningCount"), newest.count("failedTasks"));
    if fresh > 0 {
        import.needs.push(format!(
            "whether the {fresh} running new tasks are healthy yet (they start as not healthy; this decides how many \
             old ones may stop now)"
        ));
    }
    if newest.state == "IN_PROGRESS" {
        let mut failed = match failed {
            0 => String::new(),
            1 => " with 1 failed task".to_string(),
            n => format!(" with {n} failed tasks"),
        };
        if let Some(threshold) = threshold.filter(|_| !failed.is_empty()) {
            failed.push_str(&format!(" of a threshold of {threshold}"));
        }
        import.warnings.push(format!(
            "A deployment is in progress{failed}. The run starts from this state; take out \"start\" to begin from a steady one."
        ));
    }
}

//! A service: its settings, and for a described one the state it is in.

use rollscope_scenario::json::Value;
use rollscope_scenario::limits;

use crate::pieces::Found;
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
const STATE: &[&str] = &["serviceName", "service", "deployments", "taskDefinition", "deploymentConfiguration"];

/// Reads the service into the document.
pub fn read(found: &Found<'_>, tree: &mut Value, import: &mut Import) {
    let service = found.value;
    tree.insert("title", found.name());
    let mut own = Value::object([("serviceName", Value::from(found.name()))]);
    for key in KEPT {
        if let Some(value) = service.get(key).filter(|value| !value.is_null() && value.as_array() != Some(&[])) {
            own.insert(*key, value.clone());
        }
    }
    let bare = service.get("deploymentConfiguration").is_none();
    let at = if bare { "" } else { "/deploymentConfiguration" };
    let configuration = if bare { Some(service) } else { service.get("deploymentConfiguration") };
    if let Some(configuration) = configuration.filter(|c| !bare || c.get("serviceName").is_none()) {
        own.insert("deploymentConfiguration", configuration.clone());
    }
    tree.insert("service", own);
    settings(found, service, configuration.unwrap_or(&Value::Null), at, import);
    target_groups(service, tree, import);
    if found.described {
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

/// One row a setting, with its default where it is left out.
fn settings(found: &Found<'_>, service: &Value, configuration: &Value, at: &str, import: &mut Import) {
    let mut row = |name: &str, holder: &Value, pointer: &str, default: Option<Value>| {
        let key = pointer.rsplit('/').next().unwrap_or(pointer);
        match (holder.get(key).filter(|value| !value.is_null()), default) {
            (Some(value), _) => import.row(name, value.clone(), Origin::Explicit, found.line(pointer)),
            (None, Some(default)) => import.row(name, default, Origin::Default, None),
            (None, None) => import.row(name, Value::Null, Origin::Missing, None),
        }
    };
    let daemon = service.get("schedulingStrategy").and_then(Value::as_str) == Some("DAEMON");
    row("desiredCount", service, "/desiredCount", None);
    let (minimum, maximum) = if daemon { (0, 100) } else { (100, 200) };
    row("minimumHealthyPercent", configuration, &format!("{at}/minimumHealthyPercent"), Some(minimum.into()));
    row("maximumPercent", configuration, &format!("{at}/maximumPercent"), Some(maximum.into()));
    row("strategy", configuration, &format!("{at}/strategy"), Some("ROLLING".into()));
    let none = Value::Null;
    let breaker = configuration.get("deploymentCircuitBreaker").unwrap_or(&none);
    let in_breaker = format!("{at}/deploymentCircuitBreaker");
    row("breaker.enable", breaker, &format!("{in_breaker}/enable"), Some(false.into()));
    row("breaker.rollback", breaker, &format!("{in_breaker}/rollback"), Some(false.into()));
    row("breaker.resetOnHealthyTask", breaker, &format!("{in_breaker}/resetOnHealthyTask"), Some(true.into()));
    let threshold = breaker.get("thresholdConfiguration").unwrap_or(&none);
    let in_threshold = format!("{in_breaker}/thresholdConfiguration");
    row("breaker.type", threshold, &format!("{in_threshold}/type"), Some("BOUNDED_PERCENT".into()));
    row("breaker.value", threshold, &format!("{in_threshold}/value"), Some(50.into()));
    let alarms = configuration.get("alarms").unwrap_or(&none);
    row("alarms.enable", alarms, &format!("{at}/alarms/enable"), Some(false.into()));
    let early = configuration.get("earlySuccessCriteria").unwrap_or(&none);
    row("earlySuccess.enable", early, &format!("{at}/earlySuccessCriteria/enable"), Some(false.into()));
    row("healthCheckGracePeriodSeconds", service, "/healthCheckGracePeriodSeconds", Some(0.into()));
    if service.get("launchType").is_some() {
        row("launchType", service, "/launchType", None);
    }
    row("schedulingStrategy", service, "/schedulingStrategy", Some("REPLICA".into()));
    if service.get("desiredCount").is_none_or(Value::is_null) {
        import.needs.push("the desired count".into());
    }
}

/// As many target groups as the service is attached to, with defaults until theirs are pasted.
fn target_groups(service: &Value, tree: &mut Value, import: &mut Import) {
    let balancers = service.get("loadBalancers").and_then(Value::as_array).unwrap_or_default();
    let attached = balancers.iter().filter(|b| b.get("targetGroupArn").is_some()).count();
    let origin = if service.get("loadBalancers").is_some() { Origin::Explicit } else { Origin::Default };
    import.row("loadBalancerCount", balancers.len(), origin, None);
    if attached > 0 {
        tree.insert("targetGroups", Value::Array(vec![Value::empty_object(); attached]));
        import.needs.push("target group check (interval, timeout, thresholds) and deregistration delay".into());
    }
    import.needs.push("container health check, if the task definition has one".into());
}

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

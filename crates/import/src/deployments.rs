//! The answer of `aws ecs describe-service-deployments`: one attempt to roll out a revision, and how it stands.

use rollscope_scenario::json::Value;

use crate::ecs::{self, Translated};
use crate::node::Node;
use crate::pieces::{Dialect, Found, Pieces};
use crate::{Format, Import, Origin};

/// Fields that are read; the others are listed as not used.
const READ: [&str; 8] = [
    "serviceDeploymentArn",
    "serviceArn",
    "status",
    "deploymentConfiguration",
    "targetServiceRevision",
    "sourceServiceRevisions",
    "rollback",
    "deploymentCircuitBreaker",
];

/// The chosen service deployment; absent where the text holds none.
pub fn read(pieces: &Pieces, choice: Option<&str>) -> Option<Import> {
    let all = pieces.find(|value| {
        value.get("serviceDeploymentArn").is_some()
            && value.get("targetServiceRevision").is_some_and(|one| !one.is_null())
    });
    if all.is_empty() {
        return None;
    }
    let mut import = Import::new(Format::ServiceDeployments);
    let names: Vec<String> = match all.as_slice() {
        [only] => vec![last(only.value, "serviceArn")],
        all => all
            .iter()
            .map(|one| format!("{}/{}", last(one.value, "serviceArn"), last(one.value, "serviceDeploymentArn")))
            .collect(),
    };
    if let Some(chosen) = import.choose(names, choice, "service deployments") {
        one(&all[chosen], &mut import);
    }
    Some(import)
}

/// The last part of an address.
fn last(value: &Value, key: &str) -> String {
    let arn = value.get(key).and_then(Value::as_str).unwrap_or("service");
    arn.rsplit('/').next().unwrap_or(arn).to_owned()
}

fn one(found: &Found<'_>, import: &mut Import) {
    let whole = found.piece.node();
    let Some(node) = whole.find(&found.pointer) else { return };
    let mut service = vec![("serviceName".to_owned(), Node::scalar(node.at, last(found.value, "serviceArn")))];
    service.push(("serviceArn".to_owned(), Node::scalar(node.at, last(found.value, "serviceArn"))));
    if let Some(configuration) = node.get("deploymentConfiguration") {
        service.push(("deploymentConfiguration".to_owned(), configuration.clone()));
    }
    // The revision is asked for as many tasks as the service wants.
    if let Some(count) = node.find("/targetServiceRevision/requestedTaskCount") {
        let count = Node { origin: Origin::Live, ..count.clone() };
        service.push(("desiredCount".to_owned(), count));
    }
    let status = found.value.get("status").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    import.row("live.status", status.as_str(), Origin::Live, found.line("/status"));
    for (name, key) in [("live.breaker.failureCount", "failureCount"), ("live.breaker.threshold", "threshold")] {
        if let Some(value) = found.value.pointer(&format!("/deploymentCircuitBreaker/{key}")) {
            import.row(name, value.clone(), Origin::Live, found.line("/deploymentCircuitBreaker"));
        }
    }
    let deployments = deployments(node, &status);
    if deployments.is_empty() {
        import
            .warnings
            .push(format!("This deployment has ended ({status}); the run begins steady, before the next one."));
    } else {
        service.push(("deployments".to_owned(), Node::list(node.at, deployments)));
    }
    for (key, _) in node.entries().iter().filter(|(key, _)| !READ.contains(&key.as_str())) {
        import.ignored.push(format!("{}/{key}", found.pointer));
    }
    let id = last(found.value, "serviceArn");
    let tree = Node::map(node.at, vec![("service".to_owned(), Node::map(node.at, service))]);
    ecs::translated(Translated { id, title: None, tree }, Dialect::Described, import);
    import.needs.push("load balancer and grace period of the service: they are not in this answer".into());
}

/// The revisions as describe-services lists deployments, newest first; none when it is over.
fn deployments(node: &Node, status: &str) -> Vec<Node> {
    let (target, source) = match status {
        "PENDING" | "IN_PROGRESS" | "STOP_REQUESTED" => (("PRIMARY", "IN_PROGRESS"), ("ACTIVE", "COMPLETED")),
        "ROLLBACK_REQUESTED" | "ROLLBACK_IN_PROGRESS" => (("ACTIVE", "FAILED"), ("PRIMARY", "IN_PROGRESS")),
        _ => return Vec::new(),
    };
    let failures = node.find("/deploymentCircuitBreaker/failureCount").map(Node::value);
    let sources = node.get("sourceServiceRevisions").map(Node::items).unwrap_or_default();
    let back = node.find("/rollback/serviceRevisionArn").and_then(Node::text);
    let mut all = Vec::new();
    for revision in node.get("targetServiceRevision").into_iter().chain(sources) {
        let is_target = all.is_empty();
        let arn = revision.get("arn").and_then(Node::text).unwrap_or_default();
        // Of several old revisions the run goes back to one.
        let (state, rollout) = match () {
            () if is_target => target,
            () if back.is_none_or(|back| back == arn) => source,
            () => ("ACTIVE", "COMPLETED"),
        };
        let count = |key: &str| revision.get(key).map_or_else(|| Value::from(0), Node::value);
        let failed = failures.clone().filter(|_| is_target).unwrap_or_else(|| Value::from(0));
        let entries = [
            ("status", Value::from(state)),
            ("taskDefinition", Value::from(arn)),
            ("runningCount", count("runningTaskCount")),
            ("pendingCount", count("pendingTaskCount")),
            ("failedTasks", failed),
            ("rolloutState", rollout.into()),
        ];
        let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), Node::scalar(revision.at, value)));
        all.push(Node::map(revision.at, entries.collect()));
    }
    all
}

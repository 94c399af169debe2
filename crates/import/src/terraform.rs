//! Configurations of Terraform: `aws_ecs_service` with the task definition and the target groups it refers to.
//!
//! Variables count by their defaults, or by the values of a `tfvars` text below; locals by what they say. What would have to
//! be computed or asked for stays unresolved.

use rollscope_scenario::json;
use rollscope_scenario::problem::{Kind, Problem};

use crate::api::{self, SERVICE};
use crate::ecs::{self, Translated};
use crate::hcl::scope::Scope;
use crate::hcl::{Block, Body, Expression, ExpressionKind, Part};
use crate::node::{Node, NodeKind};
use crate::pieces::Dialect;
use crate::{Format, Import, Origin};

const OF_SERVICE: &str = "aws_ecs_service";
const OF_DEFINITION: &str = "aws_ecs_task_definition";
const OF_GROUP: [&str; 2] = ["aws_lb_target_group", "aws_alb_target_group"];
/// Names of groups, as they are counted where one service has several.
const LISTS: [(&str, &str); 5] = [
    ("load_balancer", "loadBalancers"),
    ("capacity_provider_strategy", "capacityProviderStrategy"),
    ("ordered_placement_strategy", "placementStrategy"),
    ("service_registries", "serviceRegistries"),
    ("lifecycle_hook", "lifecycleHooks"),
];
/// Attributes and blocks of the resource that are parts of the deployment configuration.
const CONFIGURATION: [(&str, &str); 4] = [
    ("deployment_minimum_healthy_percent", "minimumHealthyPercent"),
    ("deployment_maximum_percent", "maximumPercent"),
    ("deployment_circuit_breaker", "deploymentCircuitBreaker"),
    ("alarms", "alarms"),
];

/// The chosen service of a configuration.
pub fn read(body: &Body, choice: Option<&str>) -> Import {
    let mut import = Import::new(Format::Terraform);
    let services: Vec<&Block> = resources(body).filter(|block| block.labels[0] == OF_SERVICE).collect();
    if services.is_empty() {
        import.problems.push(none(body));
        return import;
    }
    if let Some(chosen) = import.choose(services.iter().map(|block| id(block)).collect(), choice, "services") {
        one(body, services[chosen], &mut import);
    }
    import
}

/// Resources with their two labels.
fn resources(body: &Body) -> impl Iterator<Item = &Block> {
    body.blocks("resource").filter(|block| block.labels.len() == 2)
}

fn id(block: &Block) -> String {
    block.labels.join(".")
}

/// No service: what there is.
fn none(body: &Body) -> Problem {
    let name = |block: &Block| format!("{} {}", block.kind, id(block));
    let blocks: Vec<String> = body.blocks.iter().take(4).map(name).collect();
    let module = body.blocks.iter().any(|block| block.kind == "module");
    let why =
        if module { "; the inside of a module is not in the text: paste the answer of describe-services" } else { "" };
    let mut problem =
        Problem::error(Kind::Unknown, "", blocks.join(", "), format!("expected a resource aws_ecs_service{why}"));
    problem.position = body.blocks.first().map(|block| block.at);
    problem
}

fn one(body: &Body, block: &Block, import: &mut Import) {
    let scope = Scope::new(body);
    let own = service(&scope, block, import);
    let definition = block.body.attribute("task_definition").and_then(|given| definition(&scope, body, &given.value));
    let groups: Vec<&Block> = resources(body).filter(|one| is_group(one) && is_attached(block, one)).collect();
    let mut entries = Vec::new();
    if let Some(definition) = definition {
        entries.push(("taskDefinition".to_owned(), of_definition(&scope, definition)));
    }
    entries
        .push(("targetGroups".to_owned(), Node::list(block.at, groups.iter().map(|one| group(&scope, one)).collect())));
    entries.push(("service".to_owned(), own));
    about(&scope, body, block, import);
    for other in resources(body).filter(|other| other.labels[0] != OF_SERVICE) {
        let read = definition.is_some_and(|one| std::ptr::eq(one, other))
            || groups.iter().any(|one| std::ptr::eq(*one, other));
        if !read {
            import.ignored.push(id(other));
        }
    }
    for other in body.blocks.iter().filter(|block| matches!(block.kind.as_str(), "module" | "data")) {
        import.ignored.push(format!("{}.{}", other.kind, id(other)));
    }
    let translated = Translated { id: id(block), title: None, tree: Node::map(block.at, entries) };
    ecs::translated(translated, Dialect::Terraform, import);
    let used = scope.used();
    if !used.is_empty() {
        import.needs.push(format!("{} of the real run, if not the defaults of the variables", used.join(", ")));
    }
}

/// The service under the API's names.
fn service(scope: &Scope<'_>, block: &Block, import: &mut Import) -> Node {
    let mut own = Vec::new();
    let mut configuration = Vec::new();
    for attribute in &block.body.attributes {
        let value = scope.eval(&attribute.value);
        if let Some((_, name)) = CONFIGURATION.iter().find(|(theirs, _)| *theirs == attribute.name) {
            configuration.push(((*name).to_owned(), api::typed(name, value).seen_at(attribute.at)));
            continue;
        }
        let name = if attribute.name == "name" { "serviceName".into() } else { api::from_words(&attribute.name) };
        match attribute.name.as_str() {
            "lifecycle" | "count" | "for_each" | "wait_for_steady_state" => {}
            _ if SERVICE.contains(&name.as_str()) => {
                own.push((name.clone(), api::typed(&name, value).seen_at(attribute.at)))
            }
            other => import.ignored.push(format!("{}.{other}", id(block))),
        }
    }
    for part in kinds(&block.body) {
        let (list, node) = block_of(scope, block, &part);
        match part.as_str() {
            "lifecycle" | "timeouts" => {}
            "deployment_configuration" => configuration.extend(node.entries().to_vec()),
            "deployment_circuit_breaker" | "alarms" => configuration.push((api::from_words(&part), node)),
            "deployment_controller" => own.push((api::from_words(&part), node)),
            _ if list.is_some_and(|name| SERVICE.contains(&name)) => {
                own.push((list.unwrap_or_default().to_owned(), node))
            }
            other => import.ignored.push(format!("{}.{other}", id(block))),
        }
    }
    own.push(("deploymentConfiguration".to_owned(), Node::map(block.at, configuration)));
    // A value of null is one that is left out.
    own.retain(|(_, node)| node.origin == Origin::Unresolved || !node.value().is_null());
    Node::map(block.at, own)
}

/// The kinds of blocks inside, each once; of a `dynamic` block that of what it makes.
fn kinds(body: &Body) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for block in &body.blocks {
        let kind = if block.kind == "dynamic" { block.labels.first() } else { Some(&block.kind) };
        if let Some(kind) = kind.filter(|kind| !kinds.contains(kind)) {
            kinds.push(kind.clone());
        }
    }
    kinds
}

/// The blocks of one kind: as a list where there may be several, else the last one. A `dynamic` one is unresolved.
fn block_of(scope: &Scope<'_>, of: &Block, kind: &str) -> (Option<&'static str>, Node) {
    let list = LISTS.iter().find(|(theirs, _)| *theirs == kind).map(|(_, name)| *name);
    let dynamic = of.body.blocks("dynamic").find(|block| block.labels.first().is_some_and(|label| label == kind));
    if let Some(dynamic) = dynamic {
        return (list, Node::unresolved(dynamic.at, format!("dynamic \"{kind}\"")));
    }
    let all: Vec<Node> = of.body.blocks(kind).map(|block| inside(scope, block)).collect();
    let at = all.first().map_or(of.at, |node| node.at);
    match (list, all.last()) {
        (Some(_), _) => (list, Node::list(at, all)),
        (None, Some(last)) => (None, last.clone()),
        (None, None) => (None, Node::map(at, Vec::new())),
    }
}

/// The inside of a block under the API's names.
fn inside(scope: &Scope<'_>, block: &Block) -> Node {
    let mut entries = Vec::new();
    for attribute in &block.body.attributes {
        let name = api::from_words(&attribute.name);
        let mut value = scope.eval(&attribute.value);
        if let Some(id) = link(&attribute.value, &OF_GROUP).filter(|_| attribute.name == "target_group_arn") {
            value = Node::unresolved(attribute.at, id);
        }
        if value.origin == Origin::Unresolved || !value.value().is_null() {
            entries.push((name.clone(), api::typed(&name, value).seen_at(attribute.at)));
        }
    }
    for kind in kinds(&block.body) {
        let (list, node) = block_of(scope, block, &kind);
        entries.push((list.map_or_else(|| api::from_words(&kind), str::to_owned), node));
    }
    Node::map(block.at, entries)
}

/// The resource of one of these types that an expression refers to: `aws_lb_target_group.web`.
fn link(expression: &Expression, kinds: &[&str]) -> Option<String> {
    match &expression.kind {
        ExpressionKind::Reference(parts) => match parts.as_slice() {
            [kind, name, ..] if kinds.contains(&kind.as_str()) => Some(format!("{kind}.{name}")),
            _ => None,
        },
        ExpressionKind::Template(parts) => parts.iter().find_map(|part| match part {
            Part::Inserted(inserted) => link(inserted, kinds),
            Part::Text(_) => None,
        }),
        _ => None,
    }
}

/// The task definition that an expression refers to, or whose family it names.
fn definition<'a>(scope: &Scope<'_>, body: &'a Body, given: &Expression) -> Option<&'a Block> {
    let mut all = resources(body).filter(|block| block.labels[0] == OF_DEFINITION);
    if let Some(wanted) = link(given, &[OF_DEFINITION]) {
        return all.find(|block| id(block) == wanted);
    }
    let words = scope.eval(given).written()?;
    let family = |block: &Block| scope.eval(&block.body.attribute("family")?.value).written();
    all.find(|block| family(block).is_some_and(|family| words.split(':').next() == Some(family.as_str())))
}

fn is_group(block: &Block) -> bool {
    OF_GROUP.contains(&block.labels[0].as_str())
}

fn is_attached(service: &Block, group: &Block) -> bool {
    let arns = service.body.blocks("load_balancer").filter_map(|block| block.body.attribute("target_group_arn"));
    arns.into_iter().any(|arn| link(&arn.value, &OF_GROUP) == Some(id(group)))
}

/// A task definition under the API's names. The containers come as an expression or as the text of one.
fn of_definition(scope: &Scope<'_>, block: &Block) -> Node {
    let mut entries = Vec::new();
    for attribute in &block.body.attributes {
        let name = api::from_words(&attribute.name);
        let mut value = scope.eval(&attribute.value);
        if name == "containerDefinitions" {
            if let Some(read) = value.text().and_then(|text| json::read(text).ok()) {
                value = Node::from_value(&read.value, value.at);
            }
            value = api::named(value, str::to_owned);
        }
        entries.push((name.clone(), value.seen_at(attribute.at)));
    }
    Node::map(block.at, entries)
}

/// A target group under the names of Elastic Load Balancing.
fn group(scope: &Scope<'_>, block: &Block) -> Node {
    let mut entries = vec![("TargetGroupArn".to_owned(), Node::scalar(block.at, id(block)))];
    let mut take = |body: &Body, theirs: &str, name: &str| {
        if let Some(attribute) = body.attribute(theirs) {
            let value = scope.eval(&attribute.value);
            let value = if name.ends_with("Protocol") { value } else { api::typed("value", value) };
            if value.origin == Origin::Unresolved || !value.value().is_null() {
                entries.push((name.to_owned(), value.seen_at(attribute.at)));
            }
        }
    };
    take(&block.body, "protocol", "Protocol");
    if let Some(check) = block.body.blocks("health_check").last() {
        for (theirs, name) in [
            ("protocol", "HealthCheckProtocol"),
            ("interval", "HealthCheckIntervalSeconds"),
            ("timeout", "HealthCheckTimeoutSeconds"),
            ("healthy_threshold", "HealthyThresholdCount"),
            ("unhealthy_threshold", "UnhealthyThresholdCount"),
        ] {
            take(&check.body, theirs, name);
        }
    }
    let name = block.body.attribute("name").and_then(|name| scope.eval(&name.value).written());
    entries.push(("TargetGroupName".to_owned(), Node::scalar(block.at, name.unwrap_or_else(|| id(block)))));
    let mut attributes = Vec::new();
    for (theirs, key) in [
        ("deregistration_delay", "deregistration_delay.timeout_seconds"),
        ("slow_start", "slow_start.duration_seconds"),
    ] {
        if let Some(attribute) = block.body.attribute(theirs) {
            let value = api::typed("value", scope.eval(&attribute.value)).seen_at(attribute.at);
            let key = Node::scalar(attribute.at, key);
            attributes.push(Node::map(attribute.at, vec![("Key".to_owned(), key), ("Value".to_owned(), value)]));
        }
    }
    entries.push(("TargetGroupAttributes".to_owned(), Node::list(block.at, attributes)));
    Node::map(block.at, entries)
}

/// What is told of a resource beside its settings.
fn about(scope: &Scope<'_>, body: &Body, block: &Block, import: &mut Import) {
    let attribute = |name: &str| block.body.attribute(name).map(|attribute| scope.eval(&attribute.value));
    if attribute("wait_for_steady_state").is_some_and(|node| node.value().as_bool() == Some(true)) {
        import.warnings.push("wait_for_steady_state reports success also after a rollback.".into());
    }
    if block.body.attribute("count").is_some() || block.body.attribute("for_each").is_some() {
        import.warnings.push(format!("{} stands for several services or none: one of them is read.", id(block)));
    }
    let changes = block.body.blocks("lifecycle").find_map(|lifecycle| lifecycle.body.attribute("ignore_changes"));
    let ignored = changes.map(|changes| scope.eval(&changes.value));
    let ignores = |node: &Node| {
        matches!(&node.kind, NodeKind::Scalar(_)) && node.words().as_str() == Some("all")
            || node.items().iter().any(|item| item.words().as_str() == Some("desired_count"))
    };
    if ignored.is_some_and(|node| ignores(&node)) {
        import
            .needs
            .push("the live desired count: changes to it are ignored, so the one given may be out of date".into());
    } else if resources(body).any(|other| other.labels[0] == "aws_appautoscaling_target") {
        import.warnings.push(
            "Something scales a service here, and desired_count is not under ignore_changes: applying resets the number."
                .into(),
        );
    }
}

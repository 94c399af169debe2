//! Templates of CloudFormation, in YAML or JSON, also as a CDK application writes them.
//!
//! ```text
//! read   the services of a template; the chosen one with its task definition and its target groups
//! eval   parameters by their defaults, conditions, mappings, texts
//! ```

mod eval;

use rollscope_scenario::json::pointer_join;
use rollscope_scenario::problem::{Kind, Problem};

use crate::api::{self, SERVICE};
use crate::ecs::{self, Translated};
use crate::node::Node;
use crate::pieces::{Dialect, Pieces};
use crate::{Format, Import, Origin};

use eval::Scope;

const OF_SERVICE: &str = "AWS::ECS::Service";
const OF_DEFINITION: &str = "AWS::ECS::TaskDefinition";
const OF_GROUP: &str = "AWS::ElasticLoadBalancingV2::TargetGroup";

/// The chosen service; absent where nothing in the text is a template.
pub fn read(pieces: &Pieces, choice: Option<&str>) -> Option<Import> {
    let root = pieces.all.iter().filter(|piece| piece.value().get("Resources").is_some()).map(|piece| piece.node());
    let root = root.into_iter().find(|root| resources(root).any(|(_, resource)| kind(resource).is_some()))?;
    let mut import = Import::new(Format::CloudFormation);
    let services: Vec<(&str, &Node)> = resources(&root).filter(|(_, one)| kind(one) == Some(OF_SERVICE)).collect();
    if services.is_empty() {
        let names: Vec<&str> = resources(&root).take(4).map(|(name, _)| name).collect();
        let given = format!("a template with {}", names.join(", "));
        let mut problem =
            Problem::error(Kind::Unknown, "/Resources", given, "expected a resource of type AWS::ECS::Service");
        problem.position = root.position("/Resources");
        import.problems.push(problem);
        return Some(import);
    }
    let names = services.iter().map(|(name, _)| (*name).to_owned()).collect();
    if let Some(chosen) = import.choose(names, choice, "services") {
        let (id, service) = services[chosen];
        one(&root, id, service, &mut import);
    }
    Some(import)
}

fn resources(root: &Node) -> impl Iterator<Item = (&str, &Node)> {
    root.get("Resources").into_iter().flat_map(Node::entries).map(|(name, node)| (name.as_str(), node))
}

/// `AWS::ECS::Service`
fn kind(resource: &Node) -> Option<&str> {
    resource.get("Type").and_then(Node::text).filter(|kind| kind.starts_with("AWS::") || kind.starts_with("Custom::"))
}

/// A service with what belongs to it, under the names of the API.
fn one(root: &Node, id: &str, service: &Node, import: &mut Import) {
    let scope = Scope::new(root);
    let empty = Node::map(service.at, Vec::new());
    let given = service.get("Properties").unwrap_or(&empty);
    let at = format!("/Resources/{id}/Properties");
    let mut own = Vec::new();
    for (key, node) in given.entries() {
        let name = match key.as_str() {
            "PlacementStrategies" => "placementStrategy".to_owned(),
            key => api::from_pascal(key),
        };
        if !SERVICE.contains(&name.as_str()) {
            import.ignored.push(pointer_join(&at, key));
        } else if let Some(value) = scope.eval(node) {
            own.push((name.clone(), api::typed(&name, api::named(value, api::from_pascal))));
        }
    }
    let own = Node::map(given.at, own);
    let definition = definition(root, &own);
    let groups: Vec<(&str, &Node)> = groups(root, &own);
    let linked = |name: &str| definition.is_some_and(|(id, _)| id == name) || groups.iter().any(|(id, _)| *id == name);
    let mut entries = Vec::new();
    if let Some((_, node)) = definition.and_then(|(id, node)| Some((id, scope.eval(node.get("Properties")?)?))) {
        entries.push(("taskDefinition".to_owned(), api::named(node, api::from_pascal)));
    }
    let groups = groups.iter().map(|(id, node)| group(&scope, id, node)).collect();
    entries.push(("targetGroups".to_owned(), Node::list(given.at, groups)));
    about(&scope, root, id, service, import);
    for (name, resource) in resources(root).filter(|(name, one)| kind(one) != Some(OF_SERVICE) && !linked(name)) {
        match kind(resource) {
            Some("AWS::ApplicationAutoScaling::ScalableTarget") => import.warnings.push(format!(
                "{name} scales a service: the live desired count is its own, and a template that gives one resets it."
            )),
            _ => import.ignored.push(format!("/Resources/{name}")),
        }
    }
    entries.push(("service".to_owned(), own));
    let title = title(service, &scope, given);
    ecs::translated(
        Translated { id: id.to_owned(), title, tree: Node::map(service.at, entries) },
        Dialect::CloudFormation,
        import,
    );
    let used = scope.used();
    if !used.is_empty() {
        import.needs.push(format!("{} of the real run, if not the defaults of the parameters", used.join(", ")));
    }
    copied_default(service, import);
}

/// What is told of a resource beside its settings.
fn about(scope: &Scope<'_>, root: &Node, id: &str, service: &Node, import: &mut Import) {
    if let Some(condition) = service.get("Condition").and_then(Node::text) {
        let told = match scope.named(condition).0 {
            Some(true) => None,
            Some(false) => Some("with the defaults of the parameters it is not created"),
            None => Some("whether it is created cannot be told from the text"),
        };
        if let Some(told) = told {
            import.warnings.push(format!("{id} has the condition {condition}: {told}."));
        }
    }
    if root.get("Transform").is_some() {
        import.warnings.push("The template has a Transform, which may change it; it is read as it is written.".into());
    }
}

/// CDK writes a minimum of 50 by itself, which looks like a choice.
fn copied_default(service: &Node, import: &mut Import) {
    let by_cdk = service.get("Metadata").is_some_and(|metadata| metadata.get("aws:cdk:path").is_some());
    let fifty = import
        .value("minimumHealthyPercent")
        .is_some_and(|row| row.origin == Origin::Explicit && row.value.as_i64() == Some(50));
    if by_cdk && fifty {
        import
            .warnings
            .push("50 is the default minimum of CDK and not that of ECS (100): capacity may drop to half.".into());
    }
}

/// The service's name, or where it stands in a CDK application.
fn title(service: &Node, scope: &Scope<'_>, given: &Node) -> Option<String> {
    let named = given.get("ServiceName").and_then(|name| scope.eval(name)?.written());
    let path = || {
        let path = service.get("Metadata")?.get("aws:cdk:path")?.text()?;
        Some(path.rsplit_once('/').map_or(path, |(path, _)| path).to_owned())
    };
    named.or_else(path)
}

/// The task definition that the service refers to, or whose family it names.
fn definition<'a>(root: &'a Node, service: &Node) -> Option<(&'a str, &'a Node)> {
    let words = service.get("taskDefinition")?.words();
    let words = words.as_str()?;
    let scope = Scope::new(root);
    let family = |node: &Node| scope.eval(node.get("Properties")?.get("Family")?)?.written();
    let mut all = resources(root).filter(|(_, one)| kind(one) == Some(OF_DEFINITION));
    all.find(|(id, node)| {
        *id == words || family(node).is_some_and(|family| words.split(':').next() == Some(family.as_str()))
    })
}

/// The target groups that the service is attached to.
fn groups<'a>(root: &'a Node, service: &Node) -> Vec<(&'a str, &'a Node)> {
    let balancers = service.get("loadBalancers").map(Node::items).unwrap_or_default();
    let arns: Vec<String> =
        balancers.iter().filter_map(|one| one.get("targetGroupArn")?.words().as_str().map(str::to_owned)).collect();
    let all = resources(root).filter(|(id, one)| kind(one) == Some(OF_GROUP) && arns.iter().any(|arn| arn == id));
    all.collect()
}

/// A target group as Elastic Load Balancing describes it: it has the same names.
fn group(scope: &Scope<'_>, id: &str, resource: &Node) -> Node {
    let properties = resource.get("Properties").and_then(|node| scope.eval(node));
    let mut entries = properties.map(|node| node.entries().to_vec()).unwrap_or_default();
    let number = |key: &str| key.ends_with("Seconds") || key.ends_with("Count");
    for (key, node) in entries.iter_mut().filter(|(key, _)| number(key)) {
        let own = std::mem::replace(node, Node::scalar(resource.at, key.as_str()));
        *node = api::typed("value", own);
    }
    let name = |node: &Node| node.written().unwrap_or_else(|| id.to_owned());
    let name = entries.iter().find(|(key, _)| key == "Name").map_or_else(|| id.to_owned(), |(_, node)| name(node));
    entries.push(("TargetGroupName".into(), Node::scalar(resource.at, name)));
    entries.push(("TargetGroupArn".into(), Node::scalar(resource.at, id)));
    Node::map(resource.at, entries)
}

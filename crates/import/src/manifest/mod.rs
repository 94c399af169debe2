//! Manifests of Kubernetes: what `kubectl get … -o yaml|json` answers, what `helm template` renders, what people write.
//!
//! ```text
//! objects(pieces)  every object, those of a List one by one
//! read(pieces)     the chosen workload: its settings with their origin, and the document
//! around           what else the text says of it: autoscaler, disruption budget
//! live             the state it is in
//! ```
//!
//! A Deployment, a StatefulSet and a DaemonSet become a scenario.

mod around;
mod live;
mod settings;

use rollscope_engine::platform::kubernetes::rules_fence::{fence_posts, min_available};
use rollscope_engine::platform::kubernetes::{IntOrPercent, Strategy};
use rollscope_scenario::Document;
use rollscope_scenario::document::kubernetes::DEPLOYMENT;
use rollscope_scenario::document::placed::{DAEMON_SET, STATEFUL_SET};
use rollscope_scenario::json::Value;
use rollscope_scenario::problem::{Kind as Fault, Problem};

use crate::pieces::{Found, Pieces};
use crate::{Format, Import};

/// What a workload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Deployment
    Deployment,
    /// StatefulSet
    StatefulSet,
    /// DaemonSet
    DaemonSet,
}

impl Kind {
    fn of(value: &Value) -> Option<Kind> {
        match text(value, "/kind")? {
            "Deployment" => Some(Kind::Deployment),
            "StatefulSet" => Some(Kind::StatefulSet),
            "DaemonSet" => Some(Kind::DaemonSet),
            _ => None,
        }
    }

    /// `platform` of the document.
    const fn platform(self) -> &'static str {
        match self {
            Kind::Deployment => DEPLOYMENT,
            Kind::StatefulSet => STATEFUL_SET,
            Kind::DaemonSet => DAEMON_SET,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Kind::Deployment => "Deployment",
            Kind::StatefulSet => "StatefulSet",
            Kind::DaemonSet => "DaemonSet",
        }
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

fn int(value: &Value, pointer: &str) -> Option<i64> {
    value.pointer(pointer)?.as_i64()
}

/// Every object of Kubernetes in the text.
pub fn objects(pieces: &Pieces) -> Vec<Found<'_>> {
    let is_list = |value: &Value| text(value, "/kind").is_some_and(|kind| kind.ends_with("List"));
    let is_object =
        move |value: &Value| text(value, "/kind").is_some() && text(value, "/apiVersion").is_some() && !is_list(value);
    // Of a List's items alone, and of no object inside an object (a template has no kind).
    pieces.find(is_object)
}

/// "Deployment web"
fn called(object: &Value) -> String {
    let name = text(object, "/metadata/name").unwrap_or("without a name");
    format!("{} {name}", text(object, "/kind").unwrap_or_default())
}

/// The chosen workload; absent where nothing in the text is an object of Kubernetes.
pub fn read(pieces: &Pieces, choice: Option<&str>) -> Option<Import> {
    let objects = objects(pieces);
    if objects.is_empty() {
        return None;
    }
    let mut import = Import::new(Format::Manifest);
    let workloads: Vec<&Found<'_>> = objects.iter().filter(|found| Kind::of(found.value).is_some()).collect();
    if workloads.is_empty() {
        let names: Vec<String> = objects.iter().take(4).map(|found| called(found.value)).collect();
        let mut problem = Problem::error(Fault::Unknown, "", names.join(", "), "expected a Deployment");
        problem.position = objects.first().and_then(|found| found.piece.position(&found.pointer));
        import.problems.push(problem);
        return Some(import);
    }
    let Some(chosen) = import.choose(names(&workloads), choice, "workloads") else { return Some(import) };
    import.name = text(workloads[chosen].value, "/metadata/name").map(str::to_owned);
    workload(workloads[chosen], &mut import);
    around::read(workloads[chosen], &objects, &mut import);
    Some(import)
}

/// Names to choose from: the name alone where it stands once, else with its kind.
fn names(workloads: &[&Found<'_>]) -> Vec<String> {
    let bare = |found: &&Found<'_>| text(found.value, "/metadata/name").unwrap_or("without a name").to_owned();
    let all: Vec<String> = workloads.iter().map(bare).collect();
    let mut names: Vec<String> = Vec::new();
    for (found, name) in workloads.iter().zip(&all) {
        let alone = all.iter().filter(|other| *other == name).count() == 1;
        let name = if alone { name.clone() } else { called(found.value) };
        let same = names.iter().filter(|known| **known == name || known.starts_with(&format!("{name} ("))).count();
        names.push(if same == 0 { name } else { format!("{name} ({})", same + 1) });
    }
    names
}

fn workload(found: &Found<'_>, import: &mut Import) {
    let Some(kind) = Kind::of(found.value) else { return };
    settings::read(kind, found, import);
    live::read(kind, found, import);
    advice(kind, found, import);
    let mut tree = Value::object([("rollscope", Value::from(1))]);
    if let Some(name) = text(found.value, "/metadata/name") {
        tree.insert("title", name);
    }
    tree.insert("platform", kind.platform());
    tree.insert("service", settings::service(kind, found, import));
    import.needs.push(
        "time from the start of a container until it is ready (defaults are used until you give your own)".into(),
    );
    // A DaemonSet's Pods run one a node: what is needed is the number of nodes.
    if kind != Kind::DaemonSet {
        import.needs.push("room on the nodes".into());
    }
    let (document, mut problems) = Document::from_value(&tree);
    for problem in &mut problems {
        if let Some(rest) = problem.field.strip_prefix("/service") {
            problem.position = found.piece.position(&format!("{}/spec{rest}", found.pointer));
        }
    }
    import.document = Some(document);
    import.problems.extend(problems);
}

/// Surge and unavailable of a Deployment as they act, and the fewest available.
fn fences(spec: &Value) -> Option<(u32, u32, u32, u32)> {
    let replicas = u32::try_from(int(spec, "/replicas").unwrap_or(1)).ok()?;
    if text(spec, "/strategy/type") == Some("Recreate") {
        return None;
    }
    let fence = |key: &str| match spec.pointer(&format!("/strategy/rollingUpdate/{key}")) {
        None | Some(Value::Null) => Some(IntOrPercent::Percent(25)),
        Some(value) => match value.as_str() {
            Some(text) => text.strip_suffix('%')?.parse().ok().map(IntOrPercent::Percent),
            None => u32::try_from(value.as_i64()?).ok().map(IntOrPercent::Int),
        },
    };
    let (max_surge, max_unavailable) = (Some(fence("maxSurge")?), Some(fence("maxUnavailable")?));
    let (surge, unavailable) = fence_posts(max_surge, max_unavailable, replicas);
    let strategy = Strategy::RollingUpdate { max_surge, max_unavailable };
    Some((replicas, surge, unavailable, min_available(strategy, replicas)))
}

/// What a reader should know of the settings.
fn advice(kind: Kind, found: &Found<'_>, import: &mut Import) {
    let Some(spec) = found.value.get("spec") else { return };
    let container = settings::container(spec);
    if let Some((index, container)) = container {
        let at =
            |probe: &str, field: &str, default: i64| int(&container, &format!("/{probe}/{field}")).unwrap_or(default);
        let whole = |probe: &str| {
            (at(probe, "initialDelaySeconds", 0), at(probe, "failureThreshold", 3), at(probe, "periodSeconds", 10))
        };
        if container.get("startupProbe").is_some() {
            let (delay, failures, period) = whole("startupProbe");
            let delay = if delay > 0 { format!("{delay} + ") } else { String::new() };
            import.warnings.push(format!("The startup probe gives up after about {delay}{failures} × {period} s."));
        } else if container.get("livenessProbe").is_some() {
            let (delay, failures, period) = whole("livenessProbe");
            if delay == 0 {
                import.warnings.push(format!(
                    "The liveness probe has no initial delay and no startup probe: a start of more than about {} s is killed.",
                    failures * period
                ));
            }
        }
        if container.get("readinessProbe").is_none() {
            import.warnings.push(format!(
                "The {} has no readiness probe in container {index}: a Pod is ready as soon as it runs.",
                kind.name()
            ));
        }
    }
    if kind == Kind::Deployment && settings::one_a_node(spec) {
        if let Some((replicas, surge, unavailable, _)) = fences(spec).filter(|fences| fences.2 == 0) {
            import.warnings.push(format!(
                "Surge {surge} and unavailable {unavailable} with one Pod per node: needs {} nodes, or the rollout does not move.",
                replicas + 1
            ));
        }
        import.needs.push("number of nodes the Pods may use".into());
    }
    if kind == Kind::StatefulSet {
        stateful(spec, import);
    }
    if kind == Kind::DaemonSet {
        import.needs.push("number of nodes, and of nodes that are not ready".into());
    }
}

fn stateful(spec: &Value, import: &mut Import) {
    let (replicas, partition) =
        (int(spec, "/replicas").unwrap_or(1), int(spec, "/updateStrategy/rollingUpdate/partition").unwrap_or(0));
    if partition > 0 && partition < replicas {
        import.warnings.push(format!(
            "Partition {partition}: ordinals 0 to {} stay on the old revision, and the rollout is complete with {} of {replicas} updated.",
            partition - 1,
            replicas - partition
        ));
    }
    if text(spec, "/podManagementPolicy").unwrap_or("OrderedReady") == "OrderedReady" {
        import.warnings.push(
            "A Pod of the StatefulSet that never gets ready blocks the rest, and a revert alone does not free it."
                .into(),
        );
    }
}

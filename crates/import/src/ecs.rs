//! An ECS service with what belongs to it: from the answers of the API, and from what other forms were turned into.

use rollscope_scenario::Document;
use rollscope_scenario::json::Value;
use rollscope_scenario::problem::Problem;

use crate::node::Node;
use crate::pieces::{Dialect, Found, Piece, Pieces};
use crate::{Format, Import, advice, failures, foreign, service, target_group, task_definition};

/// A service of another form, turned into what the API would be told.
pub struct Translated {
    /// Its name in the text (`Service`, `aws_ecs_service.this`).
    pub id: String,
    /// A name for people.
    pub title: Option<String>,
    /// `service`, `taskDefinition` and `targetGroups` under the names of the API.
    pub tree: Node,
}

/// Reads a service that was turned into the API's form.
pub fn translated(translated: Translated, dialect: Dialect, import: &mut Import) {
    let Translated { id, title, mut tree } = translated;
    // A service without a deployment configuration has one of defaults.
    tree.fill("/service", "deploymentConfiguration", Node::map(tree.at, Vec::new()));
    import.name = Some(id.clone());
    let pieces = Pieces { all: vec![Piece::of(tree)] };
    let piece = &pieces.all[0];
    let Some(value) = piece.value().get("service") else { return };
    let found = Found { piece, pointer: "/service".into(), value, dialect };
    scenario(&pieces, &found, import);
    let title = title.or_else(|| value.get("serviceName").and_then(Value::as_str).map(str::to_owned)).unwrap_or(id);
    if let Some(document) = &mut import.document {
        document.title = Some(title.clone());
        document.service.service_name = Some(title);
    }
}

/// Reads the service that JSON of the API holds, or asks which one.
pub fn read(pieces: &Pieces, choice: Option<&str>) -> Import {
    let services = pieces.services();
    if services.is_empty() {
        if let Some(problem) = failures::nothing_there(pieces) {
            let mut import = Import::new(Format::DescribeServices);
            import.problems.push(problem);
            return import;
        }
        return without_service(pieces);
    }
    let described = services.iter().all(|found| found.dialect == Dialect::Described);
    let mut import = Import::new(if described { Format::DescribeServices } else { Format::Service });
    let not_found = failures::not_found(pieces);
    if !not_found.is_empty() {
        import.warnings.push(format!("ECS did not find {}.", not_found.join(", ")));
    }
    if let Some(chosen) = import.choose(names(&services), choice, "services") {
        import.name = Some(services[chosen].name());
        scenario(pieces, &services[chosen], &mut import);
    }
    import
}

/// The scenario of a service, with the task definition and the target groups of the text.
fn scenario(pieces: &Pieces, found: &Found<'_>, import: &mut Import) {
    let mut tree = Value::object([("rollscope", Value::from(1))]);
    service::read(found, &mut tree, import);
    let definition = found.value.get("taskDefinition").and_then(Value::as_str);
    task_definition::read(pieces, definition, &mut tree, import);
    target_group::read(pieces, found.dialect, &mut tree, import);
    advice::read(found, &tree, import);
    import.needs.push("time from start to RUNNING and to healthy (defaults are used until you give your own)".into());
    let (document, mut problems) = Document::from_value(&tree);
    problems.iter_mut().for_each(|problem| locate(found, problem));
    import.document = Some(document);
    import.problems.extend(problems);
}

/// The names to choose from; a name that comes again gets a number.
fn names(services: &[Found<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for found in services {
        let name = found.name();
        let same = |known: &&String| **known == name || known.starts_with(&format!("{name} ("));
        match names.iter().filter(same).count() {
            0 => names.push(name),
            n => names.push(format!("{name} ({})", n + 1)),
        }
    }
    names
}

/// Line and column of a problem with the document, as far as the field came from the service as it is.
fn locate(found: &Found<'_>, problem: &mut Problem) {
    let bare = found.value.get("deploymentConfiguration").is_none();
    let prefix = if bare { "/service/deploymentConfiguration" } else { "/service" };
    if let Some(rest) = problem.field.strip_prefix(prefix) {
        problem.position = found.piece.position(&format!("{}{rest}", found.pointer));
    }
}

/// What a task definition and target groups lack, and where it is found.
const NO_SERVICE: &str = "the service (desired count, percentages, circuit breaker, load balancer); add the answer of \
                          aws ecs describe-services below this text and read again";

/// A task definition alone is no service: nothing is invented.
fn without_service(pieces: &Pieces) -> Import {
    let mut import = Import::new(Format::Unknown);
    let mut tree = Value::empty_object();
    task_definition::read(pieces, None, &mut tree, &mut import);
    target_group::read(pieces, Dialect::Call, &mut tree, &mut import);
    if import.values.is_empty() {
        let mut problem = foreign::unknown(pieces);
        problem.position = pieces.all.first().and_then(|piece| piece.position(""));
        import.problems.push(problem);
        return import;
    }
    import.format = Format::Parts;
    import.needs.insert(0, NO_SERVICE.into());
    import.needs.push("time from start to RUNNING and to healthy".into());
    import
}

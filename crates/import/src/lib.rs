//! Configuration people already have, read into a scenario.
//!
//! [`import`] takes any text: a link, a scenario document, the answer of `describe-services`, the
//! JSON of a create or update call, any JSON object that holds a `deploymentConfiguration`, and
//! beside them a task definition and target groups. Several JSON values may follow each other. Manifests of
//! Kubernetes come as YAML or as JSON.
//! For every value it says where it comes from; what it does not use is listed; what cannot be
//! read is named with line and column. The text itself stays with the caller.

mod failures;
mod foreign;
mod manifest;
mod pieces;
mod service;
mod target_group;
mod task_definition;
mod yaml;

use rollscope_scenario::json::Value;
use rollscope_scenario::link::{self, LinkError};
use rollscope_scenario::problem::{Kind, Problem};
use rollscope_scenario::{Document, Link};

use pieces::{Found, Piece, Pieces};

/// What a text turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A link of ours.
    Link,
    /// A scenario document.
    Document,
    /// The answer of `aws ecs describe-services`.
    DescribeServices,
    /// A JSON object that holds a `deploymentConfiguration`.
    Service,
    /// A task definition or target groups without a service.
    Parts,
    /// Manifests of Kubernetes.
    Manifest,
    /// None of these.
    Unknown,
}

impl Format {
    /// Its name in plain words.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Link => "link",
            Format::Document => "scenario document",
            Format::DescribeServices => "aws ecs describe-services (JSON)",
            Format::Service => "service configuration (JSON)",
            Format::Parts => "task definition or target groups without a service (JSON)",
            Format::Manifest => "Kubernetes manifests (YAML or JSON)",
            Format::Unknown => "unknown",
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written in the text.
    Explicit,
    /// Left out; the platform's documented default.
    Default,
    /// A state counter, not a setting.
    Live,
    /// Left out, and there is no default.
    Missing,
    /// It refers to something outside the text.
    Unresolved,
}

impl Origin {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Explicit => "explicit",
            Origin::Default => "default",
            Origin::Live => "live",
            Origin::Missing => "missing",
            Origin::Unresolved => "unresolved",
        }
    }
}

/// One value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A neutral name (`breaker.enable`, `live.new.running`).
    pub field: String,
    /// Its value; `null` when missing.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// Its line in the text, from 1.
    pub line: Option<u32>,
}

/// What a text gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// What it is.
    pub format: Format,
    /// The scenario; absent when there is none in it or a choice is needed first.
    pub document: Option<Document>,
    /// For a link, all that it carries.
    pub link: Option<Link>,
    /// For a link that cannot be opened as it is, why.
    pub link_error: Option<LinkError>,
    /// Every value with its origin.
    pub values: Vec<Row>,
    /// Fields that are not used, as JSON pointers.
    pub ignored: Vec<String>,
    /// What the text cannot say and a run needs.
    pub needs: Vec<String>,
    /// What is worth knowing.
    pub warnings: Vec<String>,
    /// Services to choose from, by name, when there are several and none was chosen.
    pub choices: Vec<String>,
    /// Errors and warnings of reading, with line and column.
    pub problems: Vec<Problem>,
}

impl Import {
    fn new(format: Format) -> Import {
        Import {
            format,
            document: None,
            link: None,
            link_error: None,
            values: Vec::new(),
            ignored: Vec::new(),
            needs: Vec::new(),
            warnings: Vec::new(),
            choices: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn row(&mut self, field: impl Into<String>, value: impl Into<Value>, origin: Origin, line: Option<u32>) {
        self.values.push(Row { field: field.into(), value: value.into(), origin, line });
    }

    /// The value of a field.
    pub fn value(&self, field: &str) -> Option<&Row> {
        self.values.iter().find(|row| row.field == field)
    }
}

/// Reads a text. `choice` is the name of a service when it holds several.
pub fn import(text: &str, choice: Option<&str>) -> Import {
    let trimmed = text.trim();
    if link::looks_like(trimmed) {
        return from_link(trimmed);
    }
    let pieces = match Pieces::read(text) {
        Ok(pieces) => pieces,
        Err(problem) => return from_yaml(text, choice, *problem),
    };
    if let Some(document) = pieces.document() {
        return from_document(text, document);
    }
    if let Some(import) = manifest::read(&pieces, choice) {
        return import;
    }
    from_pieces(&pieces, choice)
}

/// A text that is no JSON: manifests in YAML, or `problem` with it as JSON.
fn from_yaml(text: &str, choice: Option<&str>, problem: Problem) -> Import {
    let mut import = Import::new(Format::Unknown);
    if let Some(foreign) = foreign::problem(text) {
        import.problems.push(foreign);
        return import;
    }
    if !foreign::is_yaml(text) {
        import.problems.push(problem);
        return import;
    }
    match Pieces::read_yaml(text) {
        Ok(pieces) => match manifest::read(&pieces, choice) {
            Some(import) => return import,
            None => import.problems.push(foreign::in_yaml(&pieces).unwrap_or(problem)),
        },
        // Where YAML is meant its own grammar says what was expected.
        Err(fault) => {
            import.format = Format::Manifest;
            import.problems.push(*fault);
        }
    }
    import
}

fn from_link(text: &str) -> Import {
    let mut import = Import::new(Format::Link);
    match link::decode(text) {
        Ok(decoded) => {
            import.document = Some(decoded.link.document.clone());
            import.problems = decoded.problems;
            import.link = Some(decoded.link);
        }
        Err(error) => {
            import.problems.push(Problem::error(Kind::Syntax, "", "", error.to_string()));
            import.link_error = Some(error);
        }
    }
    import
}

fn from_document(text: &str, piece: &Piece) -> Import {
    let mut import = Import::new(Format::Document);
    // Read again from the whole text when it is nothing else, so that every place is right.
    let reading = Document::from_text(text);
    if reading.text.is_some() {
        import.problems = reading.problems;
        import.document = Some(reading.document);
    } else {
        let (document, problems) = Document::from_value(piece.value());
        import.document = Some(document);
        import.problems = problems;
    }
    import
}

fn from_pieces(pieces: &Pieces, choice: Option<&str>) -> Import {
    let services = pieces.services();
    if services.is_empty() {
        if let Some(problem) = failures::nothing_there(pieces) {
            let mut import = Import::new(Format::DescribeServices);
            import.problems.push(problem);
            return import;
        }
        return without_service(pieces);
    }
    let format = if services.iter().all(|found| found.described) { Format::DescribeServices } else { Format::Service };
    let mut import = Import::new(format);
    let not_found = failures::not_found(pieces);
    if !not_found.is_empty() {
        import.warnings.push(format!("ECS did not find {}.", not_found.join(", ")));
    }
    let names = names(&services);
    let chosen = match choice {
        Some(name) => names.iter().position(|known| known == name),
        None if services.len() == 1 => Some(0),
        None => None,
    };
    let Some(chosen) = chosen else {
        if let Some(name) = choice {
            let allowed = format!("one of the services in the text: {}", names.join(", "));
            import.problems.push(Problem::error(Kind::Unknown, "", name, allowed));
        }
        import.choices = names;
        return import;
    };
    let mut tree = Value::object([("rollscope", Value::from(1))]);
    service::read(&services[chosen], &mut tree, &mut import);
    let definition = services[chosen].value.get("taskDefinition").and_then(Value::as_str);
    task_definition::read(pieces, definition, &mut tree, &mut import);
    target_group::read(pieces, &mut tree, &mut import);
    import.needs.push("time from start to RUNNING and to healthy (defaults are used until you give your own)".into());
    let (document, mut problems) = Document::from_value(&tree);
    problems.iter_mut().for_each(|problem| locate(&services[chosen], problem));
    import.document = Some(document);
    import.problems.extend(problems);
    import
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
    target_group::read(pieces, &mut tree, &mut import);
    if import.values.is_empty() {
        let mut problem = foreign::template(pieces).unwrap_or_else(|| foreign::unknown(pieces));
        problem.position = pieces.all.first().and_then(|piece| piece.position(""));
        import.problems.push(problem);
        return import;
    }
    import.format = Format::Parts;
    import.needs.insert(0, NO_SERVICE.into());
    import.needs.push("time from start to RUNNING and to healthy".into());
    import
}

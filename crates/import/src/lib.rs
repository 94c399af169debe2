//! Configuration people already have, read into a scenario.
//!
//! [`import`] takes any text: a link, a scenario document, the answer of `describe-services`, the
//! JSON of a create or update call, any JSON object that holds a `deploymentConfiguration`, and
//! beside them a task definition and target groups. Several JSON values may follow each other. Templates of
//! CloudFormation come as YAML or as JSON, so do manifests of Kubernetes; command lines of the AWS CLI,
//! configurations of Terraform, Compose files and jobs of Nomad as they are written.
//!
//! ```text
//! detect                                which form a text has
//! yaml, hcl, command                    text -> Node: a tree with the place and the origin of each value
//! template, terraform, command,         the same -> what the ECS API would be told
//! deployments
//! ecs: service, task_definition,        -> the scenario, one row a value
//!      target_group, advice
//! manifest                              Kubernetes -> the scenario
//! compose, nomad                        rows and what follows from them; no scenario
//! ```
//!
//! For every value it says where it comes from; what it does not use is listed; what cannot be
//! read is named with line and column. The text itself stays with the caller.

mod advice;
mod api;
mod command;
mod compose;
mod deployments;
mod detect;
mod ecs;
pub mod export;
mod failures;
mod foreign;
mod hcl;
mod manifest;
mod node;
mod nomad;
mod pieces;
mod placeholder;
mod service;
mod target_group;
mod task_definition;
mod template;
mod terraform;
mod yaml;

use rollscope_scenario::json::Value;
use rollscope_scenario::link::LinkError;
use rollscope_scenario::problem::{Kind, Problem};
use rollscope_scenario::{Document, Link};

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
    /// The answer of `aws ecs describe-service-deployments`.
    ServiceDeployments,
    /// Command lines of the AWS CLI.
    CommandLine,
    /// A template of CloudFormation.
    CloudFormation,
    /// A configuration of Terraform.
    Terraform,
    /// A Compose file.
    Compose,
    /// A job of Nomad.
    Nomad,
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
            Format::ServiceDeployments => "aws ecs describe-service-deployments (JSON)",
            Format::CommandLine => "aws ecs create-service or update-service (command line)",
            Format::CloudFormation => "CloudFormation template (YAML or JSON)",
            Format::Terraform => "Terraform configuration (HCL)",
            Format::Compose => "Compose file (YAML)",
            Format::Nomad => "Nomad job (HCL)",
            Format::Unknown => "unknown",
        }
    }

    /// What can be asked for, by the word that asks for it.
    pub const FLAGS: [(&'static str, Format); 10] = [
        ("link", Format::Link),
        ("document", Format::Document),
        ("json", Format::Service),
        ("service-deployments", Format::ServiceDeployments),
        ("cli", Format::CommandLine),
        ("cloudformation", Format::CloudFormation),
        ("terraform", Format::Terraform),
        ("kubernetes", Format::Manifest),
        ("compose", Format::Compose),
        ("nomad", Format::Nomad),
    ];

    /// The word that asks for this format; of what JSON of the API holds the same one.
    pub fn flag(self) -> Option<&'static str> {
        let own = if matches!(self, Format::DescribeServices | Format::Parts) { Format::Service } else { self };
        Format::FLAGS.iter().find(|(_, format)| *format == own).map(|(flag, _)| *flag)
    }

    /// The format that a word asks for.
    pub fn from_flag(flag: &str) -> Option<Format> {
        Format::FLAGS.iter().find(|(known, _)| *known == flag).map(|(_, format)| *format)
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written in the text.
    Explicit,
    /// Left out; the platform's documented default.
    Default,
    /// Left out or referred to; the default of a parameter or a variable, which a real run may override.
    ParameterDefault,
    /// A state counter, not a setting.
    Live,
    /// Left out, and there is no default.
    Missing,
    /// It refers to something outside the text.
    Unresolved,
    /// It follows from the others.
    Computed,
}

impl Origin {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Explicit => "explicit",
            Origin::Default => "default",
            Origin::ParameterDefault => "parameter-default",
            Origin::Live => "live",
            Origin::Missing => "missing",
            Origin::Unresolved => "unresolved",
            Origin::Computed => "computed",
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
    /// The name of what was read, as it stands in the text.
    pub name: Option<String>,
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
            name: None,
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
        // Also a list whose parts are all unresolved has no value.
        let value = if origin == Origin::Unresolved { Value::Null } else { value.into() };
        self.values.push(Row { field: field.into(), value, origin, line });
    }

    /// Which of several things is read: the only one, or the one of that name. Otherwise the names stand in
    /// `choices`, and a name that nothing has is a problem.
    fn choose(&mut self, names: Vec<String>, choice: Option<&str>, what: &str) -> Option<usize> {
        let chosen = match choice {
            Some(name) => names.iter().position(|known| known == name),
            None => Some(0).filter(|_| names.len() == 1),
        };
        if chosen.is_none() {
            if let Some(name) = choice {
                let allowed = format!("one of the {what} in the text: {}", names.join(", "));
                self.problems.push(Problem::error(Kind::Unknown, "", name, allowed));
            }
            self.choices = names;
        }
        chosen
    }

    /// The value of a field.
    pub fn value(&self, field: &str) -> Option<&Row> {
        self.values.iter().find(|row| row.field == field)
    }
}

/// Reads a text. `choice` is the name of a service when it holds several.
pub fn import(text: &str, choice: Option<&str>) -> Import {
    import_as(text, choice, None)
}

/// Reads a text as the format that is given, or as the one it looks like.
pub fn import_as(text: &str, choice: Option<&str>, format: Option<Format>) -> Import {
    detect::read(text, choice, format)
}

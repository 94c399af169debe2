//! Texts that are none of what is read: what they look like, and what to paste instead.

use rollscope_scenario::json::Value;
use rollscope_scenario::problem::{Kind, Problem};

use crate::pieces::Pieces;

/// Most keys that are named.
const KEYS_MAX: usize = 4;

/// What to paste at all.
const EXPECTED: &str = "expected a scenario document, the answer of describe-services, or a JSON object with a \
                        deploymentConfiguration; a task definition and target groups may stand beside them; or Kubernetes \
                        manifests with a Deployment; or a template of CloudFormation, a configuration of Terraform, or a command aws ecs \
                        create-service or update-service";

/// JSON that is none of what is read: its keys say what it may be.
pub fn unknown(pieces: &Pieces) -> Problem {
    let found = match pieces.all.first().map(|piece| piece.value()) {
        Some(Value::Object(entries)) if !entries.is_empty() => {
            let keys: Vec<&str> = entries.iter().take(KEYS_MAX).map(|(key, _)| key.as_str()).collect();
            let more = if entries.len() > KEYS_MAX { " and more" } else { "" };
            format!("an object with {}{more}", keys.join(", "))
        }
        Some(value) => value.short(60),
        None => String::new(),
    };
    Problem::error(Kind::Unknown, "", found, EXPECTED)
}

/// Text that is meant as YAML: a line begins with a name and a colon, none with what JSON begins with.
pub fn is_yaml(text: &str) -> bool {
    let key = |line: &str| line.split_once(':').is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric()));
    let first = text.trim_start().chars().next();
    !matches!(first, Some('{' | '['))
        && text.lines().any(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()) && key(line))
}

/// YAML without an object of Kubernetes: its keys say what it may be. Absent for a text that is a word or two.
pub fn in_yaml(pieces: &Pieces) -> Option<Problem> {
    pieces.all.first()?.value().as_object()?;
    let mut problem = unknown(pieces);
    problem.position = pieces.all.first().and_then(|piece| piece.position(""));
    Some(problem)
}

//! From the operand to settings, or to all problems at once.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use rollscope_import::{Import, import_as};
use rollscope_scenario::document::Document;
use rollscope_scenario::duration::Span;
use rollscope_scenario::problem::{self, Kind, Problem};
use rollscope_scenario::{Resolved, json};

use crate::args::Options;

/// Longest input that is read, in bytes.
const INPUT_MAX: u64 = 16 << 20;

/// What the operand gave.
#[derive(Debug)]
pub struct Input {
    /// The text that was read.
    pub text: String,
    /// What it turned out to be.
    pub import: Import,
}

/// Reads the operand: standard input, a file, or the link itself.
pub fn read(options: &Options) -> Result<Input, Box<Problem>> {
    let text = text_of(&options.operand)?;
    let import = import_as(&text, options.service.as_deref(), options.from);
    Ok(Input { text, import })
}

fn text_of(operand: &str) -> Result<String, Box<Problem>> {
    if operand == "-" {
        return limited(io::stdin().lock(), "standard input");
    }
    let path = Path::new(operand);
    if !path.exists() && is_link(operand) {
        return Ok(operand.to_string());
    }
    let open = fs::File::open(path).map_err(|error| unreadable(operand, &error))?;
    limited(open, operand)
}

/// A fragment with or without what stands before it.
fn is_link(operand: &str) -> bool {
    let tag = |text: &str| text.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    operand.contains('#') || tag(operand)
}

fn limited(reader: impl Read, name: &str) -> Result<String, Box<Problem>> {
    let mut bytes = Vec::new();
    reader.take(INPUT_MAX + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > INPUT_MAX {
        return Err(Problem::error(Kind::Syntax, "", name, "at most 16 MB are read").into());
    }
    // Files of some editors begin with a byte order mark.
    let text = String::from_utf8(bytes).map_err(|_| Problem::error(Kind::Syntax, "", name, "text in UTF-8"))?;
    Ok(text.trim_start_matches('\u{feff}').to_string())
}

fn unreadable(name: &str, error: &io::Error) -> Box<Problem> {
    let allowed = match error.kind() {
        io::ErrorKind::NotFound => "a file that exists, a link, or - for standard input".to_string(),
        _ => format!("it cannot be read: {error}"),
    };
    Problem::error(Kind::Missing, "", name, allowed).into()
}

impl Input {
    /// The document with what the options set; absent when there is none in the text.
    pub fn document(&self, options: &Options) -> Option<Document> {
        let mut document = self.import.document.clone()?;
        document.seed = options.seed.or(document.seed);
        document.until = options.until_ms.map(Span).or(document.until);
        Some(document)
    }

    /// Settings, or every problem of reading and of validation, each with its place where known.
    pub fn resolve(&self, options: &Options) -> Result<Resolved, Vec<Problem>> {
        let mut problems = self.import.problems.clone();
        let resolved = match self.document(options) {
            Some(document) => document.resolve(),
            None => Err(self.no_document()),
        };
        match &resolved {
            Ok(resolved) => problems.extend(resolved.warnings.iter().cloned()),
            Err(found) => problems.extend(found.iter().cloned()),
        }
        if self.import.format == rollscope_import::Format::Document
            && let Ok(parsed) = json::read(&self.text)
        {
            problem::locate(&mut problems, &parsed);
        }
        problem::sort(&mut problems);
        match resolved {
            Ok(mut resolved) if !problems.iter().any(Problem::is_error) => {
                resolved.warnings = problems;
                Ok(resolved)
            }
            _ => Err(problems),
        }
    }

    /// Why there is no scenario, when reading did not say so already.
    fn no_document(&self) -> Vec<Problem> {
        if self.import.problems.iter().any(Problem::is_error) {
            return Vec::new();
        }
        if !self.import.choices.is_empty() {
            let names = self.import.choices.join(", ");
            let allowed = format!("choose one with --service NAME: {names}");
            return vec![Problem::error(Kind::Missing, "", "several services", allowed)];
        }
        let needs = self.import.needs.join("; ");
        let allowed = if needs.is_empty() { "a scenario".to_string() } else { format!("still needed: {needs}") };
        vec![Problem::error(Kind::Missing, "", self.import.format.name(), allowed)]
    }
}

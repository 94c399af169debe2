//! A problem with what somebody wrote, with everything needed to mend it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use rollscope_engine::order;

use crate::json::{Parsed, Value};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing can run.
    Error,
    /// It runs; worth knowing.
    Warning,
}

/// What sort of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The text is not JSON, or a value has the wrong type.
    Syntax,
    /// A value or a combination that the platform refuses or that makes no sense.
    Invalid,
    /// Something required is missing.
    Missing,
    /// Right, but the simulator does not do it yet.
    NotAvailable,
    /// A name nobody knows; it is ignored.
    Unknown,
    /// It runs, but not as one may think.
    Advice,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer of the field in the document; empty for the whole.
    pub field: String,
    /// Line and column in the text, from 1, when there is a text.
    pub position: Option<(u32, u32)>,
    /// What was written, short.
    pub given: String,
    /// What may stand there, or what is true of it, in words.
    pub allowed: String,
    /// What the service itself would answer.
    pub service_error: Option<String>,
    /// The nearest value that would be accepted, ready to be put at `field`.
    pub nearest: Option<Value>,
    /// How bad it is.
    pub severity: Severity,
    /// What sort it is.
    pub kind: Kind,
}

impl Problem {
    /// An error with a field, what was given and what is allowed.
    pub fn error(
        kind: Kind,
        field: impl Into<String>,
        given: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Problem {
        Problem {
            field: field.into(),
            position: None,
            given: given.into(),
            allowed: allowed.into(),
            service_error: None,
            nearest: None,
            severity: Severity::Error,
            kind,
        }
    }

    /// A warning with a field, what was given and what is true of it.
    pub fn warning(
        kind: Kind,
        field: impl Into<String>,
        given: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(kind, field, given, allowed) }
    }

    /// With the answer of the service.
    pub fn with_service_error(mut self, text: impl Into<String>) -> Problem {
        self.service_error = Some(text.into());
        self
    }

    /// With the nearest accepted value.
    pub fn with_nearest(mut self, value: impl Into<Value>) -> Problem {
        self.nearest = Some(value.into());
        self
    }

    /// True when nothing can run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The problem as JSON: `field`, `line`, `column`, `given`, `allowed`, `service_error`,
    /// `nearest`, `severity`, `kind`.
    pub fn to_json(&self) -> Value {
        Value::object([
            ("field", Value::from(&self.field)),
            ("line", self.position.map(|p| p.0).into()),
            ("column", self.position.map(|p| p.1).into()),
            ("given", Value::from(&self.given)),
            ("allowed", Value::from(&self.allowed)),
            ("service_error", self.service_error.clone().into()),
            ("nearest", self.nearest.clone().unwrap_or_default()),
            ("severity", if self.is_error() { "error" } else { "warning" }.into()),
            ("kind", self.kind.name().into()),
        ])
    }
}

impl Kind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Syntax => "syntax",
            Kind::Invalid => "invalid",
            Kind::Missing => "missing",
            Kind::NotAvailable => "not_available",
            Kind::Unknown => "unknown",
            Kind::Advice => "advice",
        }
    }
}

impl fmt::Display for Problem {
    /// One line in plain English: place, field, given, allowed, answer of the service, nearest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field.trim_start_matches('/').replace('/', "."))?;
        }
        match (self.kind, &*self.given) {
            (Kind::Missing, "absent") => f.write_str("missing; needed: ")?,
            (_, "" | "given") => {}
            // An unknown key is named by its place already.
            (Kind::Unknown, given) if self.field.rsplit('/').next() == Some(given) => {}
            (Kind::Invalid, given) if self.is_error() => write!(f, "{given} is not accepted; allowed: ")?,
            (_, given) => write!(f, "{given}: ")?,
        }
        f.write_str(&self.allowed)?;
        if let Some(text) = &self.service_error {
            write!(f, " (the service answers: {text})")?;
        }
        if let Some(nearest) = &self.nearest {
            write!(f, "; nearest: {nearest}")?;
        }
        Ok(())
    }
}

/// Fills in line and column from the text the document was read from.
pub fn locate(problems: &mut [Problem], text: &Parsed) {
    // Each look-up walks the tree: enough places for people, bounded work for hostile input.
    for problem in problems.iter_mut().filter(|p| p.position.is_none()).take(200) {
        problem.position = text.position(&problem.field).map(|p| (p.line, p.column));
    }
}

/// Errors first, each in document order as they came.
pub fn sort(problems: &mut [Problem]) {
    order::by_key(problems, |p| p.severity);
}

/// The known name nearest to a mistyped one, if it is near enough to be meant.
pub fn nearest_name<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |s: &str| -> Vec<char> {
        s.chars().take(64).filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let given = plain(given);
    let limit = (given.len() / 3).max(1);
    known
        .into_iter()
        .map(|name| (distance(&given, &plain(name)), name))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// Edit distance with neighbours swapped counted as one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = Vec::with_capacity(a.len() + 1);
    rows.push((0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = alloc::vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// A list of names for a message: `A, B or C`.
pub fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

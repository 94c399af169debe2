//! `import`: what is read from a text, value by value.

use rollscope_import::{Import, Origin, Row};
use rollscope_scenario::problem::Problem;
use rollscope_scenario::{Document, Value};
use rollscope_wording::page::{Source, origin};
use rollscope_wording::reading::{Part, part};

use crate::BAD;
use crate::args::Options;
use crate::command::Answer;
use crate::input::Input;
use crate::report::{self, line};

/// The answer: 0 when it can run, 2 when it cannot.
pub fn answer(input: &Input, options: &Options) -> Answer {
    let resolved = input.resolve(options);
    let (accepted, problems) = match resolved {
        Ok(resolved) => (true, resolved.warnings),
        Err(problems) => (false, problems),
    };
    let code = if accepted { 0 } else { BAD };
    if options.json {
        return Answer::json(&to_json(&input.import, input.document(options), accepted, &problems), code);
    }
    Answer { text: to_text(&input.import), notes: report::problems(&problems), code }
}

fn to_json(import: &Import, document: Option<Document>, accepted: bool, problems: &[Problem]) -> Value {
    let row = |row: &Row| {
        Value::object([
            ("field", Value::from(row.field.as_str())),
            ("value", row.value.clone()),
            ("origin", row.origin.name().into()),
            ("line", row.line.map(u64::from).into()),
        ])
    };
    Value::object([
        ("accepted", Value::from(accepted)),
        ("problems", Value::array(problems.iter().map(Problem::to_json))),
        ("format", import.format.name().into()),
        ("name", import.name.clone().into()),
        ("choices", Value::array(import.choices.clone())),
        ("values", Value::array(import.values.iter().map(row))),
        ("needs", Value::array(import.needs.clone())),
        ("notes", Value::array(import.warnings.clone())),
        ("ignored", Value::array(import.ignored.clone())),
        ("document", document.map(|document| document.to_json()).into()),
    ])
}

fn to_text(import: &Import) -> String {
    let mut out = String::new();
    line(&mut out, part(Part::Format), import.format.name());
    if let Some(name) = &import.name {
        line(&mut out, part(Part::Name), name);
    }
    column(&mut out, Part::Choices, &import.choices);
    let names = import.values.iter().map(|row| row.field.chars().count()).max().unwrap_or(0);
    let values: Vec<String> = import.values.iter().map(shown).collect();
    let width = values.iter().map(|value| value.chars().count()).max().unwrap_or(0).min(24);
    let rows = import.values.iter().zip(&values);
    let rows: Vec<String> = rows
        .map(|(row, value)| format!("{:names$}  {value:width$}  {}", row.field, origin(source(row.origin), row.line)))
        .collect();
    column(&mut out, Part::Values, &rows);
    column(&mut out, Part::Needs, &import.needs);
    column(&mut out, Part::Notes, &import.warnings);
    column(&mut out, Part::NotUsed, &import.ignored);
    out
}

fn column(out: &mut String, heading: Part, values: &[String]) {
    for (index, value) in values.iter().enumerate() {
        line(out, if index == 0 { part(heading) } else { "" }, value);
    }
}

/// A value without the quotes of JSON.
fn shown(row: &Row) -> String {
    match (&row.value, row.origin) {
        (Value::Null, Origin::Missing | Origin::Unresolved) => "?".to_owned(),
        (Value::String(text), _) => text.clone(),
        (value, _) => value.to_string(),
    }
}

const fn source(origin: Origin) -> Source {
    match origin {
        Origin::Explicit => Source::Given,
        Origin::Default => Source::Default,
        Origin::ParameterDefault => Source::Parameter,
        Origin::Live => Source::Live,
        Origin::Missing => Source::Missing,
        Origin::Unresolved => Source::Unresolved,
        Origin::Computed => Source::Computed,
    }
}

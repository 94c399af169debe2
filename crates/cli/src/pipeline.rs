//! `check --format github | sarif`: the same answer as lines of a pipeline's log or as a SARIF log.
//!
//! GitHub: workflow commands (`::error file=…,line=…::text`). SARIF: version 2.1.0 (OASIS).

use rollscope_scenario::{Value, json};

use crate::BAD;
use crate::args::{Layout, Options};
use crate::command::Answer;

/// One thing that is said.
struct Said {
    /// `error`, `warning` or `note`.
    level: &'static str,
    /// What kind of thing: the verdict's name, or the kind of the problem.
    rule: String,
    /// The sentence.
    text: String,
    /// Line and column in the text, from 1, where they are known.
    at: Option<(i64, i64)>,
}

/// The answer of `check` in a layout; `tree` is its JSON, `report` its report or what it says of bad input.
pub fn answer(tree: &str, report: &Answer, options: &Options, layout: Layout) -> Answer {
    let tree = json::read(tree).map(|read| read.value).unwrap_or_default();
    let all = said(&tree, report);
    let file = if options.operand == "-" { "stdin" } else { options.operand.as_str() };
    match layout {
        Layout::Github => Answer::text(all.iter().map(|one| command(one, file)).collect::<String>(), report.code),
        Layout::Sarif => Answer::json(&log(&all, file), report.code),
        Layout::Json => Answer::json(&tree, report.code),
    }
}

/// The verdict, unless nothing can run, and every problem.
fn said(tree: &Value, report: &Answer) -> Vec<Said> {
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut all = Vec::new();
    if report.code != BAD {
        let level = if report.code == 0 { "note" } else { "error" };
        all.push(Said { level, rule: text(tree, "verdict"), text: first_paragraph(&report.text), at: None });
    }
    let of = |key: &str| tree.get(key).and_then(Value::as_array).unwrap_or_default().to_vec();
    for problem in of("problems").iter().chain(&of("warnings")) {
        let number = |key: &str| problem.get(key).and_then(Value::as_i64);
        let level = if text(problem, "severity") == "error" { "error" } else { "warning" };
        let parts = [text(problem, "field"), text(problem, "given"), text(problem, "allowed")];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let at = number("line").zip(number("column"));
        all.push(Said { level, rule: text(problem, "kind"), text: parts.join(": "), at });
    }
    all
}

/// What the report says of the verdict: its first lines up to an empty one, without the label.
fn first_paragraph(report: &str) -> String {
    let mut lines = report.lines().take_while(|line| !line.is_empty());
    let title: Vec<&str> = lines.next().into_iter().flat_map(str::split_whitespace).skip(1).collect();
    let rest: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let parts = [title.join(" "), rest.join(" ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

/// A workflow command. Its data and its properties have escapes of their own.
fn command(said: &Said, file: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let level = if said.level == "note" { "notice" } else { said.level };
    let place = said.at.map_or_else(String::new, |(line, column)| format!(",line={line},col={column}"));
    format!("::{level} file={}{place},title=rollscope {}::{}\n", property(file), property(&said.rule), data(&said.text))
}

/// A SARIF log with one run.
fn log(all: &[Said], file: &str) -> Value {
    let mut rules: Vec<&str> = Vec::new();
    for said in all {
        if !rules.contains(&said.rule.as_str()) {
            rules.push(&said.rule);
        }
    }
    let result = |said: &Said| {
        let mut place = Value::object([("artifactLocation", Value::object([("uri", Value::from(file))]))]);
        if let Some((line, column)) = said.at {
            place.insert("region", Value::object([("startLine", Value::from(line)), ("startColumn", column.into())]));
        }
        Value::object([
            ("ruleId", Value::from(said.rule.as_str())),
            ("level", said.level.into()),
            ("message", Value::object([("text", Value::from(said.text.as_str()))])),
            ("locations", Value::array([Value::object([("physicalLocation", place)])])),
        ])
    };
    let rules = rules.iter().map(|rule| Value::object([("id", Value::from(*rule))]));
    let driver = Value::object([
        ("name", Value::from("rollscope")),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("rules", Value::array(rules)),
    ]);
    let run = Value::object([
        ("tool", Value::object([("driver", driver)])),
        ("results", Value::array(all.iter().map(result))),
    ]);
    Value::object([
        ("$schema", Value::from("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", "2.1.0".into()),
        ("runs", Value::array([run])),
    ])
}

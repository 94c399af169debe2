//! The commands: each gives a text and an exit code.

use rollscope_engine::SimTime;
use rollscope_insight::json::{self, Words};
use rollscope_insight::outside::Names;
use rollscope_insight::{ServiceEvent, Verdict, check, json_capacity, json_failures, outcome, run_to_end};
use rollscope_scenario::link::{self, LinkError};
use rollscope_scenario::problem::Problem;
use rollscope_scenario::{Link, Value};
use rollscope_wording as wording;

use crate::args::{Command, Options};
use crate::input::{self, Input};
use crate::{BAD, asg, exported, imported, kubernetes, pipeline, placed, report, story, vm};

/// What the program says and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// For standard output.
    pub text: String,
    /// For standard error.
    pub notes: String,
    /// The exit code.
    pub code: u8,
}

impl Answer {
    /// A text without notes.
    pub fn text(text: impl Into<String>, code: u8) -> Answer {
        Answer { text: text.into(), notes: String::new(), code }
    }

    pub(crate) fn json(value: &Value, code: u8) -> Answer {
        Answer::text(value.pretty() + "\n", code)
    }
}

/// Carries out a command.
pub fn answer(command: Command, options: &Options) -> Answer {
    if let Some(layout) = options.format.filter(|_| command == Command::Check) {
        // The text is read once: standard input has no second time.
        let input = input::read(options);
        let plain = Options { format: None, json: false, ..options.clone() };
        let json = Options { json: true, ..plain.clone() };
        let said = |options: &Options| match &input {
            Ok(input) => check_it(input, options),
            Err(problem) => refuse(&[(**problem).clone()], options, false),
        };
        return pipeline::answer(&said(&json).text, &said(&plain), options, layout);
    }
    let with_outcome = command != Command::Check;
    let input = match input::read(options) {
        Ok(input) => input,
        Err(problem) => return refuse(&[*problem], options, with_outcome),
    };
    match command {
        Command::Check => check_it(&input, options),
        Command::Run => run_it(&input, options),
        Command::Link => link_it(&input, options),
        Command::Import => imported::answer(&input, options),
        Command::Export => exported::answer(&input, options),
        Command::Show => show_it(&input, options),
    }
}

/// Nothing can run.
pub fn refuse(problems: &[Problem], options: &Options, with_outcome: bool) -> Answer {
    if options.json {
        return Answer::json(&json::refused(problems, with_outcome), BAD);
    }
    Answer { text: String::new(), notes: report::problems(problems), code: BAD }
}

/// Adds where the scenario came from.
pub(crate) fn with_source(mut value: Value, input: &Input) -> Value {
    let import = &input.import;
    let mut source = Value::object([("format", Value::from(import.format.name()))]);
    source.insert("needs", Value::array(import.needs.clone()));
    source.insert("ignored", Value::array(import.ignored.clone()));
    source.insert("notes", Value::array(import.warnings.clone()));
    value.insert("source", source);
    value
}

fn check_it(input: &Input, options: &Options) -> Answer {
    let resolved = match input.resolve(options) {
        Ok(resolved) => resolved,
        Err(problems) => return refuse(&problems, options, false),
    };
    if resolved.settings.platform.kubernetes().is_some() {
        return kubernetes::check(&resolved, input, options);
    }
    if resolved.settings.platform.workload().is_some() {
        return placed::check(&resolved, input, options);
    }
    if resolved.settings.platform.asg().is_some() {
        return asg::check(&resolved, input, options);
    }
    if resolved.settings.platform.vm().is_some() {
        return vm::check(&resolved, input, options);
    }
    let check = check(&resolved);
    let code = match check.verdict {
        Verdict::CannotMove | Verdict::WillWait | Verdict::WillFailAndRollBack | Verdict::WillFailAndStay => 1,
        Verdict::NotAccepted => BAD,
        Verdict::CanMove | Verdict::Caution(_) | Verdict::NothingToDo => 0,
    };
    if options.json {
        return Answer::json(&with_source(json::check(&resolved, &check), input), code);
    }
    Answer::text(report::check(&resolved, &check, &input.import), code)
}

fn run_it(input: &Input, options: &Options) -> Answer {
    let resolved = match input.resolve(options) {
        Ok(resolved) => resolved,
        Err(problems) => return refuse(&problems, options, true),
    };
    if resolved.settings.platform.kubernetes().is_some() {
        return kubernetes::run(&resolved, input, options);
    }
    if resolved.settings.platform.workload().is_some() {
        return placed::run(&resolved, input, options);
    }
    if resolved.settings.platform.asg().is_some() {
        return asg::run(&resolved, input, options);
    }
    if resolved.settings.platform.vm().is_some() {
        return vm::run(&resolved, input, options);
    }
    let check = check(&resolved);
    let run = run_to_end(resolved.settings.clone());
    let outcome = outcome(run.view());
    let code = u8::from(!outcome.outcome.ends_well());
    if !options.json {
        let mut text = report::run(&resolved, &check, run.view(), &outcome, &input.import);
        if options.events {
            text.push('\n');
            text.push_str(&story::story(&run));
        }
        return Answer::text(text, code);
    }
    let mut value = with_source(json::run(&resolved, &check, &outcome), input);
    let document = input.document(options).unwrap_or_default();
    let service = document.service.service_name.as_deref().unwrap_or("web");
    let names = Names { service, ..Names::default() };
    json_failures::add_failures(&mut value, &resolved, run.view(), &names);
    json_capacity::run(&mut value, run.view());
    let event = |event: &ServiceEvent| wording::service_event(event, service);
    if let Some(at) = options.at_ms {
        value.insert("api_at", json_failures::api_at(&resolved.settings, SimTime(at), names, &event));
    }
    if options.events {
        let words = Words { decision: &|row| wording::decision(&row.decision), event: &event };
        json::add_events(&mut value, run.view(), &words);
    }
    Answer::json(&value, code)
}

/// A link is made of everything that can be read, also of settings the platform refuses.
fn link_it(input: &Input, options: &Options) -> Answer {
    let resolved = input.resolve(options);
    let Some(document) = input.document(options) else {
        return refuse(&resolved.err().unwrap_or_default(), options, true);
    };
    let mut link = input.import.link.clone().unwrap_or_default();
    link.document = document;
    let fragment = format!("#{}", link::encode(&link));
    let problems = match &resolved {
        Ok(resolved) => resolved.warnings.clone(),
        Err(problems) => problems.clone(),
    };
    let code = if resolved.is_ok() { 0 } else { BAD };
    if options.json {
        let value = Value::object([
            ("accepted", Value::from(resolved.is_ok())),
            ("problems", Value::array(problems.iter().map(Problem::to_json))),
            ("link", Value::from(&fragment)),
            ("length", Value::from(fragment.chars().count())),
        ]);
        return Answer::json(&value, code);
    }
    Answer { text: fragment + "\n", notes: report::problems(&problems), code }
}

/// The document inside a link; of a cut or changed one, what can be read.
fn show_it(input: &Input, options: &Options) -> Answer {
    let import = &input.import;
    let partial = import.link_error.as_ref().and_then(LinkError::partial);
    let link = import.link.as_ref().or(partial.map(|decoded| &decoded.link));
    let document = link.map(|link| &link.document).or(import.document.as_ref());
    let mut problems = import.problems.clone();
    problems.extend(partial.iter().flat_map(|decoded| decoded.problems.iter().cloned()));
    if document.is_none() {
        problems.extend(input.resolve(options).err().unwrap_or_default());
        problems.dedup();
    }
    let code = if problems.iter().any(Problem::is_error) { BAD } else { 0 };
    let tree = document.map(|document| document.to_json());
    if options.json {
        let mut value = Value::object([
            ("accepted", Value::from(code == 0)),
            ("problems", Value::array(problems.iter().map(Problem::to_json))),
            ("document", tree.into()),
        ]);
        view(&mut value, link);
        return Answer::json(&value, code);
    }
    let text = tree.map_or_else(String::new, |tree| tree.pretty() + "\n");
    Answer { text, notes: report::problems(&problems), code }
}

/// What a link carries beside the document.
fn view(value: &mut Value, link: Option<&Link>) {
    value.insert("moment_ms", link.and_then(|link| link.moment_ms));
    value.insert("step", link.and_then(|link| link.step));
    value.insert("selection", link.and_then(|link| link.selection.clone()));
    value.insert("panel", link.and_then(|link| link.panel.clone()));
}

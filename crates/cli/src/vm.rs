//! `check` and `run` of a Google Cloud managed instance group and of an Azure virtual machine scale set.

use std::fmt::Write;

use rollscope_engine::platform::vm::Kind;
use rollscope_engine::trace::{TaskChange, What};
use rollscope_engine::vm::{Change, Run as Group};
use rollscope_insight::vm::{self, Check, Outcome, json};
use rollscope_insight::{OutcomeKind, Run, Verdict, run_to_end};
use rollscope_scenario::Resolved;
use rollscope_wording as wording;
use rollscope_wording::time::clock_exact;
use rollscope_wording::vm as words;
use rollscope_wording::{Heading, Language, Text};

use crate::args::Options;
use crate::command::{Answer, with_source};
use crate::input::Input;
use crate::report::{foot, line};

/// The answer of `check`.
pub fn check(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let Some(check) = vm::check(resolved) else { return Answer::text(String::new(), 1) };
    let code = u8::from(matches!(check.verdict, Verdict::CannotMove | Verdict::WillWait));
    if options.json {
        return Answer::json(&with_source(json::check(resolved, &check), input), code);
    }
    let mut out = String::new();
    head(&mut out, &check, None);
    foot(&mut out, resolved, &input.import);
    Answer::text(out, code)
}

/// The answer of `run`.
pub fn run(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let run = run_to_end(resolved.settings.clone());
    let (Some(check), Some(end)) = (vm::check(resolved), run.end.vm()) else {
        return Answer::text(String::new(), 1);
    };
    let outcome = vm::outcome(run.view(), end);
    let code = u8::from(outcome.outcome != OutcomeKind::Completed);
    if options.json {
        let mut value = with_source(json::run(resolved, &check, &outcome, end), input);
        if options.events {
            let say = |record: &rollscope_engine::trace::Record| words::line(record, &check.kind).unwrap_or_default();
            json::add_events(&mut value, run.view(), &say);
        }
        return Answer::json(&value, code);
    }
    let mut out = String::new();
    head(&mut out, &check, Some(&outcome));
    out.push('\n');
    for (name, value) in words::figures(&outcome.figures, &check.kind) {
        line(&mut out, name, &value);
    }
    for broken in &outcome.figures.invariants_broken {
        line(&mut out, &heading(Heading::Broken), &wording::violation(broken));
    }
    described(&mut out, end, &check.kind);
    foot(&mut out, resolved, &input.import);
    if options.events {
        out.push('\n');
        story(&mut out, &run, &check.kind);
    }
    Answer::text(out, code)
}

fn heading(heading: Heading) -> String {
    Language::English.say(Text::Heading(heading))
}

fn head(out: &mut String, check: &Check, outcome: Option<&Outcome>) {
    line(out, &heading(Heading::Verdict), words::title(check, outcome));
    line(out, "", &words::verdict(check, outcome));
    out.push('\n');
    let limits = check.limits;
    line(out, &heading(Heading::Floor), &words::floor_sum(&check.kind, limits.desired, limits.floor));
    line(out, &heading(Heading::Ceiling), &words::ceiling_sum(&check.kind, limits.desired, limits.ceiling));
}

/// What the platform says at the end.
fn described(out: &mut String, end: &Group, kind: &Kind) {
    let (command, rows) = words::described(end);
    let _ = writeln!(out, "\n$ {command}");
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in rows {
        let _ = writeln!(out, "{name:width$}  {value}");
    }
    let _ = writeln!(out);
    for (version, lane) in &end.view().versions {
        line(out, &words::version(*version, kind), &words::version_states(lane));
    }
}

/// Every decision and every change of a machine, one a line.
fn story(out: &mut String, run: &Run, kind: &Kind) {
    for record in &run.trace.records {
        let plain = matches!(record.what, What::Task { change: TaskChange::Activating, .. });
        let text = words::line(record, kind).filter(|_| !plain);
        let hold = matches!(record.what, What::Vm(Change::Hold(_)));
        if let Some(text) = text {
            let indent = if hold { "  " } else { "" };
            let _ = writeln!(out, "{:>12}  {indent}{text}", clock_exact(record.at));
        } else if let What::Act { index, effective } = record.what {
            let act = run.end.acts().get(index as usize);
            let text = act.map(|act| wording::act(&act.command)).unwrap_or_default();
            let rest = if effective { "" } else { words::no_object() };
            let _ = writeln!(out, "{:>12}  {text}{rest}", clock_exact(record.at));
        }
    }
}

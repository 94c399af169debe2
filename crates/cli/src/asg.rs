//! `check` and `run` of an EC2 Auto Scaling instance refresh.

use std::fmt::Write;

use rollscope_engine::asg::{Change, Refresh, Run as Group};
use rollscope_engine::trace::{TaskChange, What};
use rollscope_insight::asg::{self, Check, Outcome, json};
use rollscope_insight::{OutcomeKind, Run, Verdict, run_to_end};
use rollscope_scenario::Resolved;
use rollscope_wording as wording;
use rollscope_wording::asg as words;
use rollscope_wording::time::clock_exact;
use rollscope_wording::{Heading, Language, Text};

use crate::BAD;
use crate::args::Options;
use crate::command::{Answer, with_source};
use crate::input::Input;
use crate::report::{foot, line};

/// The answer of `check`.
pub fn check(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let check = asg::check(resolved);
    let code = match check.verdict {
        Verdict::NotAccepted => BAD,
        Verdict::CannotMove | Verdict::WillWait => 1,
        _ => 0,
    };
    if options.json {
        return Answer::json(&with_source(json::check(resolved, &check), input), code);
    }
    let mut out = String::new();
    head(&mut out, resolved, &check, None);
    foot(&mut out, resolved, &input.import);
    Answer::text(out, code)
}

/// The answer of `run`.
pub fn run(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let check = asg::check(resolved);
    let run = run_to_end(resolved.settings.clone());
    let Some(end) = run.end.asg() else { return Answer::text(String::new(), 1) };
    let outcome = asg::outcome(run.view(), end);
    let code = match outcome.outcome {
        OutcomeKind::Completed => 0,
        OutcomeKind::Refused => BAD,
        _ => 1,
    };
    let alarms = &resolved.settings.alarms;
    if options.json {
        let why = |refresh: &Refresh| words::status_reason(refresh, alarms);
        let mut value = with_source(json::run(resolved, &check, &outcome, end, &why), input);
        if options.events {
            let say = |record: &rollscope_engine::trace::Record| words::line(record, alarms).unwrap_or_default();
            json::add_events(&mut value, run.view(), &say);
        }
        return Answer::json(&value, code);
    }
    let mut out = String::new();
    head(&mut out, resolved, &check, Some(&outcome));
    out.push('\n');
    for (name, value) in words::figures(&outcome.figures) {
        line(&mut out, name, &value);
    }
    for broken in &outcome.figures.invariants_broken {
        line(&mut out, &heading(Heading::Broken), &wording::violation(broken));
    }
    described(&mut out, end, resolved);
    foot(&mut out, resolved, &input.import);
    if options.events {
        out.push('\n');
        story(&mut out, &run, resolved);
    }
    Answer::text(out, code)
}

fn heading(heading: Heading) -> String {
    Language::English.say(Text::Heading(heading))
}

fn head(out: &mut String, resolved: &Resolved, check: &Check, outcome: Option<&Outcome>) {
    line(out, &heading(Heading::Verdict), words::title(check, outcome));
    line(out, "", &words::verdict(check, outcome, &resolved.settings.alarms));
    out.push('\n');
    let limits = check.limits;
    line(out, &heading(Heading::Floor), &words::floor_sum(limits.desired, limits.floor));
    line(out, &heading(Heading::Ceiling), &words::ceiling_sum(limits.desired, limits.ceiling));
}

/// What the API says at the end.
fn described(out: &mut String, end: &Group, resolved: &Resolved) {
    let view = end.view();
    let _ = writeln!(out, "\n$ aws autoscaling describe-instance-refreshes");
    for (name, value) in words::described(&view, &resolved.settings.alarms) {
        line(out, name, &value);
    }
    let _ = writeln!(out);
    for (version, lane) in &view.versions {
        line(out, &words::version(*version), &words::version_states(lane));
    }
}

/// Every decision and every change of an instance, one a line.
fn story(out: &mut String, run: &Run, resolved: &Resolved) {
    for record in &run.trace.records {
        let plain = matches!(record.what, What::Task { change: TaskChange::Activating, .. });
        let text = words::line(record, &resolved.settings.alarms).filter(|_| !plain);
        let hold = matches!(record.what, What::Asg(Change::Hold(_)));
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

//! `check` and `run` of a Kubernetes Deployment.

use std::fmt::Write;

use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::kubernetes::ConditionKind;
use rollscope_engine::trace::{TaskChange, What};
use rollscope_insight::kubernetes::kubectl::{GET_RS, get_rs};
use rollscope_insight::kubernetes::{self, Check, Outcome, json, rollout_status};
use rollscope_insight::{OutcomeKind, Run, Verdict, run_to_end};
use rollscope_scenario::Resolved;
use rollscope_wording as wording;
use rollscope_wording::kubernetes as words;
use rollscope_wording::time::{clock, clock_exact};
use rollscope_wording::{Heading, Language, Text};

use crate::args::Options;
use crate::command::{Answer, with_source};
use crate::input::Input;
use crate::report::{foot, line};

/// What kubectl calls the Deployment where nothing names it.
const NAME: &str = "web";

/// The answer of `check`.
pub fn check(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let check = kubernetes::check(resolved);
    let code = match check.verdict {
        Verdict::CannotMove | Verdict::WillWait => 1,
        _ => 0,
    };
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
    let check = kubernetes::check(resolved);
    let run = run_to_end(resolved.settings.clone());
    let Some(end) = run.end.kubernetes() else { return Answer::text(String::new(), 1) };
    let outcome = kubernetes::outcome(run.view(), end);
    let code = u8::from(outcome.outcome != OutcomeKind::Completed);
    if options.json {
        let mut value = with_source(json::run(resolved, &check, &outcome, end, NAME), input);
        if options.events {
            let say = |record: &rollscope_engine::trace::Record| words::line(record).unwrap_or_default();
            json::add_events(&mut value, run.view(), NAME, &say);
        }
        return Answer::json(&value, code);
    }
    let mut out = String::new();
    head(&mut out, &check, Some(&outcome));
    out.push('\n');
    figures(&mut out, &outcome);
    kubectl(&mut out, &run);
    foot(&mut out, resolved, &input.import);
    if options.events {
        out.push('\n');
        story(&mut out, &run);
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
    line(out, &heading(Heading::Floor), &words::floor_sum(limits.desired, limits.floor));
    line(out, &heading(Heading::Ceiling), &words::ceiling_sum(limits.desired, limits.ceiling));
}

fn figures(out: &mut String, outcome: &Outcome) {
    let figures = &outcome.figures;
    for (name, value) in words::figures(figures) {
        line(out, name, &value);
    }
    let broken: Vec<String> = figures.invariants_broken.iter().map(wording::violation).collect();
    for text in broken {
        line(out, &heading(Heading::Broken), &text);
    }
}

/// What kubectl shows at the end.
fn kubectl(out: &mut String, run: &Run) {
    let Some(end) = run.end.kubernetes() else { return };
    let view = end.view();
    let status = rollout_status(&view, end.params().replicas);
    let exit = status.exit().map_or_else(|| "waits".to_owned(), |code| format!("exit {code}"));
    let _ = writeln!(out, "\n$ kubectl rollout status deployment/{NAME}    ({exit})\n{}", status.text(NAME));
    let rows = get_rs(&view, NAME);
    let _ = writeln!(out, "\n$ kubectl get rs");
    for row in std::iter::once(&GET_RS.map(str::to_owned)).chain(&rows) {
        let [name, rest @ ..] = row;
        let cells: String = rest.iter().map(|cell| format!("{cell:>11}")).collect();
        let _ = writeln!(out, "{name:<12}{cells}");
    }
    let _ = writeln!(out, "\n{:<16}{:<9}{:<28}SINCE", "CONDITION", "STATUS", "REASON");
    for kind in ConditionKind::ALL {
        if let Some(found) = view.conditions.get(kind) {
            let since = clock(found.last_transition);
            let (name, status) = (kind.name(), found.status.name());
            let _ = writeln!(out, "{name:<16}{status:<9}{:<28}{since}", found.reason.name());
        }
    }
}

/// Every decision and every change of a Pod, one a line.
fn story(out: &mut String, run: &Run) {
    for record in &run.trace.records {
        let plain = matches!(record.what, What::Task { change: TaskChange::Running | TaskChange::Activating, .. });
        let told = matches!(
            record.what,
            What::Kubernetes(Change::Pod {
                change: rollscope_engine::kubernetes::PodChange::Ready
                    | rollscope_engine::kubernetes::PodChange::Scheduled,
                ..
            })
        );
        if let Some(text) = words::line(record).filter(|_| !plain && !told) {
            let _ = writeln!(out, "{:>12}  {text}", clock_exact(record.at));
        } else if let What::Act { index, effective } = record.what {
            let act = run.end.acts().get(index as usize);
            let text = act.map(|act| words::command(&act.command)).unwrap_or_default();
            let rest = if effective { "" } else { words::no_object() };
            let _ = writeln!(out, "{:>12}  {text}{rest}", clock_exact(record.at));
        }
    }
}

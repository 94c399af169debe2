//! The reports for people: short, aligned, nothing that goes without saying.

use std::fmt::Write;

use rollscope_import::Import;
use rollscope_insight::account::total_shares;
use rollscope_insight::outside::{Signal, known_until, signals, worth_telling};
use rollscope_insight::{
    Change, Check, Outcome, OutcomeKind, Promise, RunView, account, headlines, offers, promise, watchdog,
};
use rollscope_scenario::Resolved;
use rollscope_scenario::problem::Problem;
use rollscope_wording as wording;
use rollscope_wording::outside;
use rollscope_wording::{Figure, Heading, Language, Text};

/// Width of the column of names.
const NAMES: usize = 20;
/// Entries of a list that are shown.
const LISTED: usize = 12;
/// A line of a list is broken before it gets longer than this.
const WIDTH: usize = 100;

fn say(text: Text<'_>) -> String {
    Language::English.say(text)
}

/// A name and its value.
pub(crate) fn line(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "{name:NAMES$}{value}");
}

/// Several values under one name, each on its own line.
fn lines(out: &mut String, heading: Heading, values: &[String]) {
    column(out, heading, &values[..values.len().min(LISTED)]);
    if values.len() > LISTED {
        line(out, "", &format!("and {} more", values.len() - LISTED));
    }
}

fn column(out: &mut String, heading: Heading, values: &[String]) {
    let name = say(Text::Heading(heading));
    for (i, value) in values.iter().enumerate() {
        line(out, if i == 0 { &name } else { "" }, value);
    }
}

/// Short values under one name, as many a line as fit.
fn flow(out: &mut String, heading: Heading, values: &[String]) {
    let mut packed: Vec<String> = Vec::new();
    for value in values {
        match packed.last_mut() {
            Some(last) if last.chars().count() + value.chars().count() + 2 <= WIDTH - NAMES => {
                last.push_str(", ");
                last.push_str(value);
            }
            _ => packed.push(value.clone()),
        }
    }
    column(out, heading, &packed);
}

/// All problems, one a line.
pub fn problems(list: &[Problem]) -> String {
    let mut out = String::new();
    for problem in list {
        let kind = if problem.is_error() { "error" } else { "warning" };
        let _ = writeln!(out, "{kind}: {}", wording::problem(problem));
    }
    out
}

fn head(out: &mut String, resolved: &Resolved, check: &Check, outcome: Option<&Outcome>) {
    line(out, &say(Text::Heading(Heading::Verdict)), &wording::verdict_title(check, outcome));
    line(out, "", &wording::verdict(check, outcome));
    out.push('\n');
    line(out, &say(Text::Heading(Heading::Floor)), &say(Text::CheckFloor(check)));
    line(out, &say(Text::Heading(Heading::Ceiling)), &say(Text::CheckCeiling(check)));
    if check.rollout {
        let limit = say(Text::StepLimit(check.first_step_limited_by()));
        let step = format!("start {}, stop {} (limit: {limit})", check.started, check.stopped);
        line(out, &say(Text::Heading(Heading::FirstStep)), &step);
    }
    if let Some(threshold) = check.threshold {
        line(out, &say(Text::Heading(Heading::Breaker)), &outside::threshold(threshold));
    }
    if let Some(gate) = check.gate {
        line(out, &say(Text::Heading(Heading::Gate)), &outside::gate(gate));
    }
    if check.rolls_back {
        line(out, &say(Text::Heading(Heading::GoesBack)), &outside::candidate(check.candidate));
    }
    let found = outcome.map(|outcome| offers(resolved, check, outcome));
    let found = found.unwrap_or_else(|| check.changes.clone());
    let seen = outcome.map(Promise::of);
    let told = |change: &Change| {
        let words = wording::change(change, check);
        let then = seen.zip(promise(&resolved.settings, change));
        let then = then.map_or_else(String::new, |(now, then)| wording::promise(&now, &then));
        if then.is_empty() { words } else { format!("{words} {then}") }
    };
    let changes: Vec<String> = found.iter().map(told).collect();
    if !changes.is_empty() {
        lines(out, Heading::WouldHelp, &changes);
    }
}

/// Warnings, what is not simulated, defaults.
pub(crate) fn foot(out: &mut String, resolved: &Resolved, import: &Import) {
    let name = |field: &str| field.trim_start_matches('/').replace('/', ".");
    let warnings: Vec<String> =
        resolved.warnings.iter().map(wording::problem).chain(import.warnings.iter().cloned()).collect();
    let defaults: Vec<String> = resolved
        .defaulted
        .iter()
        .map(|d| format!("{} {}", name(&d.field), d.value.to_string().trim_matches('"')))
        .collect();
    let unused: Vec<String> = resolved.not_simulated.iter().map(|n| format!("{}: {}", name(&n.field), n.why)).collect();
    if !(warnings.is_empty() && defaults.is_empty() && unused.is_empty()) {
        out.push('\n');
    }
    lines(out, Heading::Warnings, &warnings);
    lines(out, Heading::NotSimulated, &unused);
    flow(out, Heading::Defaults, &defaults);
}

/// The report of `check`.
pub fn check(resolved: &Resolved, check: &Check, import: &Import) -> String {
    let mut out = String::new();
    head(&mut out, resolved, check, None);
    foot(&mut out, resolved, import);
    out
}

/// What was counted, where protection ends, and what others see. Nothing of a run that just went well.
fn failures(out: &mut String, resolved: &Resolved, run: RunView<'_>, outcome: &Outcome) {
    let Some(newest) = outcome.services.last() else { return };
    let found = rollscope_insight::failures(run, &outcome.services);
    let alarms = outside::alarms(newest, &run.end.settings().alarms, &found);
    let guarded = found.threshold_now.is_some() || !alarms.is_empty();
    lines(out, Heading::Alarms, &alarms);
    if found.counted + found.not_counted > 0 {
        line(out, &say(Text::Heading(Heading::Counted)), &outside::counted(&found));
    }
    if let Some((at, why)) = found.protection_ended.filter(|_| guarded) {
        line(out, &say(Text::Heading(Heading::Protection)), &outside::protection_ends(at, why));
    }
    let report = watchdog::watch(&watchdog::stops(run), resolved.watchdog, known_until(run));
    let alarms: Vec<String> = report.alarms.iter().map(|(from, until)| outside::watchdog(*from, *until)).collect();
    lines(out, Heading::Watchdog, &alarms);
    let signals = signals(run, newest, known_until(run));
    if outcome.outcome != OutcomeKind::Completed || worth_telling(&signals) {
        let say = |signal: &Signal| {
            format!("{}: {}", outside::trusts(signal.trusts), outside::signal(signal, newest.revision))
        };
        lines(out, Heading::Pipelines, &signals.iter().map(say).collect::<Vec<_>>());
    }
}

/// Where the time went, and what the users of a service met that did not just go well.
fn time(out: &mut String, run: RunView<'_>, outcome: &Outcome) {
    if let Some(account) = account(run).filter(|account| !account.parts.is_empty()) {
        let after = account.after.as_ref();
        let tail = after
            .map(|after| format!("{}: {}", say(Text::AfterTitle(&account, after)), say(Text::TaskTime(&after.parts))));
        let tasks =
            format!("{}: {}", say(Text::Heading(Heading::AllTasks)), say(Text::TaskMinutes(&total_shares(run))));
        let told: Vec<String> =
            core::iter::once(say(Text::TaskTime(&account.parts))).chain(tail).chain([tasks]).collect();
        lines(out, Heading::Time, &told);
    }
    let Some(newest) = outcome.services.last() else { return };
    if outcome.failures > 0 || newest.failed_by.is_some() || newest.gate_met.is_some() {
        lines(out, Heading::Users, &wording::page::headlines(&headlines(run, &outcome.services), &[]));
    }
}

/// The report of `run`.
pub fn run(resolved: &Resolved, check: &Check, run: RunView<'_>, outcome: &Outcome, import: &Import) -> String {
    let mut out = String::new();
    head(&mut out, resolved, check, Some(outcome));
    out.push('\n');
    line(&mut out, &say(Text::Heading(Heading::Outcome)), &wording::outcome(outcome));
    let figures =
        [Figure::FewestHealthy, Figure::MostAtOnce, Figure::Waves, Figure::BothVersions, Figure::ExtraCapacity];
    for figure in figures {
        line(&mut out, &say(Text::FigureName(figure)), &say(Text::FigureValue(figure, outcome)));
    }
    line(&mut out, &say(Text::Heading(Heading::EndState)), &say(Text::EndState(outcome)));
    time(&mut out, run, outcome);
    failures(&mut out, resolved, run, outcome);
    let broken: Vec<String> = outcome.figures.invariants_broken.iter().map(wording::violation).collect();
    lines(&mut out, Heading::Broken, &broken);
    foot(&mut out, resolved, import);
    out
}

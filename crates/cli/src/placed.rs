//! `check` and `run` of a StatefulSet and of a DaemonSet.

use std::collections::BTreeMap;
use std::fmt::Write;

use rollscope_engine::kubernetes::{self as kubernetes_run, Change, PodChange};
use rollscope_engine::trace::{InstanceId, Record, TaskChange, What};
use rollscope_insight::kubernetes::{self, Check, json as common};
use rollscope_insight::placed::kubectl::{GET_PODS, get, get_pods};
use rollscope_insight::placed::{self, Outcome, json, resource, rollout_status};
use rollscope_insight::{OutcomeKind, Run, Verdict, run_to_end};
use rollscope_scenario::Resolved;
use rollscope_wording as wording;
use rollscope_wording::placed as words;
use rollscope_wording::time::clock_exact;
use rollscope_wording::{Heading, Language, Text};

use crate::args::Options;
use crate::command::{Answer, with_source};
use crate::input::Input;
use crate::report::{foot, line};

/// What kubectl calls the workload where nothing names it.
const NAME: &str = "web";
/// Pods that `kubectl get pods` lists here.
const LISTED: usize = 20;

/// The answer of `check`.
pub fn check(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let check = kubernetes::check(resolved);
    let code = u8::from(matches!(check.verdict, Verdict::CannotMove | Verdict::WillWait));
    if options.json {
        return Answer::json(&with_source(common::check(resolved, &check), input), code);
    }
    let mut out = String::new();
    head(&mut out, resolved, &check, None);
    foot(&mut out, resolved, &input.import);
    Answer::text(out, code)
}

/// The answer of `run`.
pub fn run(resolved: &Resolved, input: &Input, options: &Options) -> Answer {
    let check = kubernetes::check(resolved);
    let run = run_to_end(resolved.settings.clone());
    let Some(end) = run.end.placed() else { return Answer::text(String::new(), 1) };
    let outcome = placed::outcome(run.view(), end);
    let code = u8::from(outcome.outcome != OutcomeKind::Completed);
    if options.json {
        let mut value = with_source(json::run(resolved, &check, &outcome, end, NAME), input);
        if options.events {
            let names = Names::of(&run, end);
            let say = |record: &Record| words::line(record, &names.of_record(record)).unwrap_or_default();
            json::add_events(&mut value, run.view(), end, NAME, &say);
        }
        return Answer::json(&value, code);
    }
    let mut out = String::new();
    head(&mut out, resolved, &check, Some(&outcome));
    out.push('\n');
    figures(&mut out, &outcome);
    kubectl(&mut out, end);
    foot(&mut out, resolved, &input.import);
    if options.events {
        out.push('\n');
        story(&mut out, &run, end);
    }
    Answer::text(out, code)
}

/// What kubectl calls the Pods of a run.
struct Names<'a> {
    end: &'a kubernetes_run::Run,
    places: BTreeMap<InstanceId, u32>,
}

impl<'a> Names<'a> {
    fn of(run: &Run, end: &'a kubernetes_run::Run) -> Names<'a> {
        Names { end, places: placed::places(&run.trace.records, end) }
    }

    fn of_record(&self, record: &Record) -> String {
        let pod = match &record.what {
            What::Task { task, .. } => task,
            What::Kubernetes(Change::Pod { pod, .. }) => pod,
            _ => return String::new(),
        };
        self.places.get(&pod.id).map(|place| placed::pod_name(self.end, NAME, *place)).unwrap_or_default()
    }
}

fn heading(heading: Heading) -> String {
    Language::English.say(Text::Heading(heading))
}

fn head(out: &mut String, resolved: &Resolved, check: &Check, outcome: Option<&Outcome>) {
    line(out, &heading(Heading::Verdict), words::title(check, outcome));
    line(out, "", &words::verdict(check, outcome));
    if let Some(params) = resolved.settings.platform.stateful_set().filter(|set| set.common.replicas > 1) {
        line(out, "", &words::last_one(params.own.first));
    }
    out.push('\n');
    let limits = check.limits;
    line(out, &heading(Heading::Floor), &words::floor_sum(limits.desired, limits.floor));
    line(out, &heading(Heading::Ceiling), &words::ceiling_sum(limits.desired, limits.ceiling));
}

fn figures(out: &mut String, outcome: &Outcome) {
    // How many are asked for is the number of places.
    let rows = wording::kubernetes::figures(&outcome.figures);
    for (name, value) in rows.into_iter().filter(|(name, _)| *name != "Asked for") {
        line(out, name, &value);
    }
    for broken in &outcome.figures.invariants_broken {
        line(out, &heading(Heading::Broken), &wording::violation(broken));
    }
}

/// What kubectl shows at the end.
fn kubectl(out: &mut String, end: &kubernetes_run::Run) {
    let status = rollout_status(end);
    let exit = status.exit().map_or_else(|| "waits".to_owned(), |code| format!("exit {code}"));
    let resource = resource(end);
    let _ = writeln!(out, "\n$ kubectl rollout status {resource}/{NAME}    ({exit})\n{}", status.text(NAME));
    let _ = writeln!(out, "\n$ kubectl get {resource} {NAME}");
    let cells = get(end, NAME);
    for row in [cells.iter().map(|cell| cell.0.to_owned()).collect(), cells.iter().map(|cell| cell.1.clone()).collect()]
    {
        let row: Vec<String> = row;
        let text: String = row.iter().map(|cell| format!("{cell:<12}")).collect();
        let _ = writeln!(out, "{}", text.trim_end());
    }
    let _ = writeln!(out, "\n$ kubectl get pods -L controller-revision-hash");
    let pods = get_pods(end, NAME);
    for row in std::iter::once(&GET_PODS.map(str::to_owned)).chain(pods.iter().take(LISTED)) {
        let [name, ready, status, restarts, revision] = row;
        let _ = writeln!(out, "{name:<14}{ready:<7}{status:<19}{restarts:<10}{revision}");
    }
    if pods.len() > LISTED {
        let _ = writeln!(out, "and {} more", pods.len() - LISTED);
    }
}

/// Every decision and every change of a Pod, one a line.
fn story(out: &mut String, run: &Run, end: &kubernetes_run::Run) {
    let names = Names::of(run, end);
    for record in &run.trace.records {
        let plain = matches!(
            record.what,
            What::Task { change: TaskChange::Running | TaskChange::Activating, .. }
                | What::Kubernetes(Change::Pod { change: PodChange::Ready | PodChange::Scheduled, .. })
        );
        if let Some(text) = words::line(record, &names.of_record(record)).filter(|_| !plain) {
            let _ = writeln!(out, "{:>12}  {text}", clock_exact(record.at));
        } else if let What::Act { index, effective } = record.what {
            let act = run.end.acts().get(index as usize);
            let text = act.map(|act| wording::kubernetes::command(&act.command)).unwrap_or_default();
            let rest = if effective { "" } else { wording::kubernetes::no_object() };
            let _ = writeln!(out, "{:>12}  {text}{rest}", clock_exact(record.at));
        }
    }
}

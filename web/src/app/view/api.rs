//! What others see at the cursor: the answers of the APIs, events, pipelines, CloudFormation, CloudTrail,
//! the alarms of one's own.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{AlarmState, TaskName};
use rollscope_engine::trace::Record;
use rollscope_insight::outside::bus::{self, BusEvent, BusEventKind};
use rollscope_insight::outside::{
    Asked, Call, Colour, Ledger, Names, OwnState, Signal, StoppedTask, TailLine, TaskEvents, Trusts, calls, frozen,
    gauges, known_until, own_alarms, pipeline, signals, stopped_tasks, tail,
};
use rollscope_insight::service_events::service_events;
use rollscope_insight::{RunView, ServiceEvent, watchdog};
use rollscope_player::Player;
use rollscope_scenario::Value;
use rollscope_scenario::resolve::Watchdog;
use yew::prelude::*;

use super::Moment;
use super::protection::past;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::api_view::{self, ApiCard, Light, light, lights};
use crate::parts::watchdog::{self as watch, Seen};
use crate::parts::watchers::{List, Row, Watcher, lines};
use crate::text::{self, Label, OwnAlarmText, t};

/// Lines of a list that are shown; the JSON has more.
const LINES_MAX: usize = 6;
/// Stopped tasks and logged stops that are in the JSON.
const EVENTS_MAX: usize = 20;

const OF_DEPLOYMENTS: &[&str] = &[
    "/serviceDeployments/0/status",
    "/serviceDeployments/0/lifecycleStage",
    "/serviceDeployments/0/targetServiceRevision/requestedTaskCount",
    "/serviceDeployments/0/targetServiceRevision/runningTaskCount",
    "/serviceDeployments/0/targetServiceRevision/pendingTaskCount",
    "/serviceDeployments/0/deploymentCircuitBreaker/failureCount",
];
const OF_SERVICES: &[&str] = &[
    "/services/0/desiredCount",
    "/services/0/runningCount",
    "/services/0/pendingCount",
    "/services/0/deployments/0/rolloutState",
    "/services/0/deployments/0/failedTasks",
];
const OF_LIST: &[&str] =
    &["/serviceDeployments/0/status", "/serviceDeployments/1/status", "/serviceDeployments/2/status"];

/// The answers of one moment.
pub struct Answers {
    /// The moment that was looked at before.
    since: Option<SimTime>,
    services: Rc<Value>,
    deployments: Rc<Value>,
    list: Rc<Value>,
    /// Stopped tasks that are still answered, as an answer and as lines, and how many are not any more.
    tasks: Rc<Value>,
    stops: List,
    listed: usize,
    forgotten: usize,
    messages: List,
    /// Newest first.
    bus: Rc<Value>,
    events: List,
    task_events: TaskEvents,
    /// Those of pipelines, then CloudFormation's.
    lights: Vec<(Trusts, Light)>,
    tail: List,
    /// From when on the next deployment interrupts nothing.
    next: Option<SimTime>,
    calls: List,
    watchdog: Option<Seen>,
    own_alarms: ([OwnState; 3], [OwnAlarmText; 3]),
}

/// Who asks, about which moment.
struct Asking<'a> {
    player: &'a Player,
    moment: &'a Moment,
    names: Names<'a>,
    watchdog: Watchdog,
    /// The service has one.
    there: bool,
    since: Option<SimTime>,
}

impl<'a> Asking<'a> {
    fn records(&self) -> &'a [Record] {
        past(self.player)
    }

    /// The run up to the cursor.
    fn run(&self) -> RunView<'a> {
        let samples = self.player.timeline().samples();
        let samples = &samples[..samples.partition_point(|(moment, _)| *moment <= self.player.now())];
        RunView { records: self.records(), samples, flows: &[], end: self.player.state() }
    }

    fn all(&self) -> Answers {
        let (run, at, names) = (self.run(), self.player.now(), &self.names);
        let settings = self.player.head().settings();
        let ledger = Ledger::at(settings, run.records, at);
        let services = &self.moment.frame.service_deployments;
        let (frame, frozen) = (&self.moment.frame, &frozen(run));
        let asked = Asked { frame, ledger: &ledger, settings, services, frozen, names: *names };
        let message = |event: &ServiceEvent| rollscope_wording::service_event(event, names.service);
        let (told, own) = (service_events(run), own_alarms(run, at));
        let bus = bus::events(run);
        let stopped = stopped_tasks(run);
        let listed: Vec<StoppedTask> = stopped.iter().filter(|task| task.visible_at(at)).copied().collect();
        let newest = listed.iter().rev().take(EVENTS_MAX).map(|task| task.describe(names));
        let asked_for = calls(run);
        let (lights, tail, next) = self.pipelines();
        let list =
            |rows: &[ServiceEvent]| List::newest(rows, LINES_MAX, self.since, |e| e.at, |e| plain(e.at, message(e)));
        Answers {
            since: self.since,
            services: Rc::new(asked.services(&told, &message)),
            deployments: Rc::new(asked.service_deployments()),
            list: Rc::new(asked.list(&[])),
            tasks: Rc::new(Value::object([("tasks", Value::array(newest))])),
            stops: List::newest(&alike(&listed), LINES_MAX, self.since, |(first, _)| first.at, still_answered),
            listed: listed.len(),
            forgotten: stopped.len() - listed.len(),
            messages: list(&told),
            bus: Rc::new(Value::array(bus.iter().rev().map(|event| bus::to_json(event, names)))),
            task_events: bus::task_events(run),
            events: List::newest(&bus, LINES_MAX, self.since, |event| event.at, of_bus),
            lights,
            tail,
            next,
            calls: List::newest(&asked_for, LINES_MAX, self.since, |call| call.at, of_call),
            watchdog: self.watchdog.enabled.then(|| self.seen(&stopped)),
            own_alarms: (own, text::own_alarms(&gauges(run, at), &own)),
        }
    }

    /// What pipelines and CloudFormation say by now about the newest rollout, the tail beside it, and when the
    /// next deployment may come.
    fn pipelines(&self) -> (Vec<(Trusts, Light)>, List, Option<SimTime>) {
        let newest = self.moment.frame.service_deployments.last();
        let all = self.moment.outcome.as_ref().map(|outcome| &outcome.services[..]).unwrap_or_default();
        let Some(service) = newest.and_then(|newest| all.iter().find(|service| service.id == newest.id)) else {
            return (Vec::new(), List::default(), None);
        };
        let (run, at) = (RunView::of_player(self.player), self.moment.frame.at);
        // What comes after the end of a run is known there.
        let until = if self.moment.over() { known_until(run) } else { at };
        let said = signals(run, service, until);
        let light = |signal: &Signal| (signal.trusts, of_signal(signal, service.revision));
        let mut printed = tail(run, service).map(|tail| tail.lines).unwrap_or_default();
        printed.retain(|(moment, _)| *moment <= at);
        let tail = List::newest(&of_tail(&printed), LINES_MAX, self.since, |row| row.at, Row::clone);
        let next = newest.and_then(pipeline::next_deployment_from);
        (said.iter().map(light).collect(), tail, next)
    }

    fn seen(&self, stopped: &[StoppedTask]) -> Seen {
        let (at, whole) = (self.player.now(), RunView::of_player(self.player));
        let report = watchdog::watch(&watchdog::stops(self.run()), self.watchdog, at);
        let end = self.player.head().now();
        let log = watchdog::watch(&watchdog::stops(whole), self.watchdog, end).log;
        let now = watchdog::metric(&report.log, self.watchdog, at);
        let kept: Vec<StoppedTask> = stopped.iter().filter(|task| watchdog::keeps(task.code)).copied().collect();
        let newest = kept.iter().rev().take(EVENTS_MAX).map(|task| task.event(&self.names));
        Seen {
            log: List::newest(&alike(&kept), LINES_MAX, self.since, |(first, _)| first.at, of_stops),
            events: Rc::new(Value::array(newest)),
            metric: watchdog::metric(&log, self.watchdog, end),
            all: kept.len(),
            in_window: now.last().map_or(0, |(_, n)| *n),
            there: self.there,
            alarms: self.watchdog.alarms,
            spans: report.alarms,
        }
    }
}

fn plain(at: SimTime, name: String) -> Row {
    Row { at, name, more: String::new(), bad: false, mono: false }
}

fn of_bus(event: &BusEvent) -> Row {
    let (name, more) = match &event.kind {
        BusEventKind::Deployment { state, reason, .. } => {
            (rollscope_insight::outside::texts::event_name(*state).0.to_owned(), reason.clone())
        }
        BusEventKind::Action(name, kind) => ((*name).to_owned(), (*kind).to_owned()),
        BusEventKind::Hook { stage, status, .. } => (format!("HOOK_{}", status.name()), stage.name().to_owned()),
    };
    Row { more, mono: true, ..plain(event.at, name) }
}

/// Stops of one instant that were told alike.
type Alike = (StoppedTask, Vec<TaskName>);

/// Puts stops together that differ by their task only.
fn alike(stops: &[StoppedTask]) -> Vec<Alike> {
    let mut groups: Vec<Alike> = Vec::new();
    for stop in stops {
        match groups.last_mut() {
            Some((first, tasks)) if first.is_like(stop) => tasks.push(stop.task),
            _ => groups.push((*stop, vec![stop.task])),
        }
    }
    groups
}

/// Stops as they were told: their tasks, the code, the reason, the exit code of their container.
fn of_stops((first, tasks): &Alike) -> Row {
    let more = format!("{} · {}", first.reason(), text::exit_code(first.exit_code()));
    Row { more, bad: first.is_abnormal(), ..plain(first.at, text::tasks_stopped(tasks, first.code)) }
}

fn still_answered(stops: &Alike) -> Row {
    let row = of_stops(stops);
    let until = text::answered_until(stops.0.visible_until());
    Row { more: format!("{} · {until}", row.more), ..row }
}

/// The tail, with the stops of one instant in one line.
fn of_tail(lines: &[(SimTime, TailLine)]) -> Vec<Row> {
    let stop = |(_, line): &(SimTime, TailLine)| match line {
        TailLine::Stopped(task) => Some(*task),
        _ => None,
    };
    let parts = lines.chunk_by(|a, b| stop(a).zip(stop(b)).is_some_and(|(a, b)| a.is_like(&b)));
    let row = |part: &[(SimTime, TailLine)]| {
        let stops: Vec<StoppedTask> = part.iter().filter_map(stop).collect();
        match (alike(&stops).first(), part) {
            (Some(stops), _) => Some(of_stops(stops)),
            (None, [(at, line), ..]) => {
                let bad = matches!(line, TailLine::Failed(_));
                Some(Row { bad, ..plain(*at, text::tail_line(line)) })
            }
            (None, []) => None,
        }
    };
    parts.filter_map(row).collect()
}

fn of_call(call: &Call) -> Row {
    let more = call.error.unwrap_or_default().to_owned();
    Row { more, mono: true, ..plain(call.at, call.name.to_owned()) }
}

/// What one that trusts a signal says of the rollout of a revision.
pub fn of_signal(signal: &Signal, rolled_out: u32) -> Light {
    let misleads = text::misleads(signal, rolled_out);
    Light { colour: signal.colour, at: signal.at, sentence: text::signal(signal), misleads }
}

impl App {
    fn service_name(&self) -> String {
        let accepted = self.model.form.accepted();
        let name = accepted.and_then(|accepted| accepted.document.service.service_name.clone());
        name.unwrap_or_else(|| Names::default().service.to_owned())
    }

    /// The panel.
    pub(super) fn api(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let service = self.service_name();
        let accepted = self.model.form.accepted();
        let watchdog = accepted.map(|accepted| accepted.resolved.watchdog).unwrap_or_default();
        let there = accepted.is_some_and(|accepted| accepted.document.fjall.is_some());
        let names = Names { service: &service, ..Names::default() };
        let answers =
            self.figures.answers(player, |since| Asking { player, moment, names, watchdog, there, since }.all());
        html! {
            <div class="why api-view" id="api-view">
                <div>
                    <h2>{ t(Label::ApiTitle) }</h2>
                    <p class="read">{ t(Label::ApiLead) }</p>
                </div>
                { self.ecs(&answers, moment, player, on) }
                { events(&answers, moment.frame.at, on) }
                { pipelines_of(&answers, moment.end, on) }
                { trail(&answers, on) }
                { own(&answers, moment, on) }
            </div>
        }
    }

    fn ecs(&self, answers: &Answers, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let at = moment.frame.at;
        let newest = moment.frame.service_deployments.last();
        let frozen = newest.filter(|service| !service.is_live()).and_then(|service| service.finished);
        let status = answers.list.pointer("/serviceDeployments/0/status").map(crate::form::show).unwrap_or_default();
        let value = html! { <span class="mono">{ status }</span> };
        let any = answers.listed + answers.forgotten > 0;
        html! {
            <Watcher id="watch-ecs" name={t(Label::WatchEcs)} {value} open={true}>
                <ApiCard name="DescribeServiceDeployments" {at} {frozen} fields={OF_DEPLOYMENTS} value={Rc::clone(&answers.deployments)} />
                <ApiCard name="DescribeServices" {at} fields={OF_SERVICES} value={Rc::clone(&answers.services)} />
                <ApiCard name="ListServiceDeployments" {at} fields={OF_LIST} value={Rc::clone(&answers.list)} />
                if any {
                    <ApiCard name={t(Label::DescribeTasks)} {at} value={Rc::clone(&answers.tasks)}>
                        <p class="hint">{ text::stops_listed(answers.listed, answers.forgotten) }</p>
                        if !answers.stops.rows.is_empty() { { lines(&answers.stops, on) } }
                    </ApiCard>
                }
                { self.stop_event(player, at) }
            </Watcher>
        }
    }

    /// The event of the end of the selected task.
    fn stop_event(&self, player: &Player, at: SimTime) -> Html {
        let Some(selected) = self.model.selected else { return Html::default() };
        let run = RunView { records: past(player), ..RunView::of_player(player) };
        let service = self.service_name();
        let names = Names { service: &service, ..Names::default() };
        let Some(stopped) = stopped_tasks(run).into_iter().find(|stopped| stopped.task == selected) else {
            return html! { <section><h4>{ t(Label::StopEvent) }</h4><p class="read">{ t(Label::NoStopEvent) }</p></section> };
        };
        let fields: &'static [&'static str] =
            &["/detail/stopCode", "/detail/stoppedReason", "/detail/containers/0/exitCode"];
        html! {
            <ApiCard name={t(Label::StopEvent)} {at} frozen={stopped.at} {fields} value={Rc::new(stopped.event(&names))}>
                if !stopped.visible_at(at) { <p class="read">{ t(Label::StopEventGone) }</p> }
            </ApiCard>
        }
    }
}

/// The pipelines, and CloudFormation with the tail beside it.
fn pipelines_of(answers: &Answers, end: SimTime, on: &Callback<Msg>) -> Html {
    let of = |wanted: fn(Trusts) -> bool| {
        let found = answers.lights.iter().filter(|(trusts, _)| wanted(*trusts)).map(|(_, light)| light.clone());
        found.collect::<Vec<Light>>()
    };
    let (ci, stack) = (of(|trusts| trusts != Trusts::CloudFormation), of(|trusts| trusts == Trusts::CloudFormation));
    let tells = ci.iter().chain(&stack).any(|light| light.colour == Colour::Red || !light.misleads.is_empty());
    let first = |of: &[Light]| of.first().map(light).unwrap_or_default();
    let next = match answers.next {
        Some(at) => {
            html! { <>{ text::next_deployment(answers.next) }{ " " }{ crate::parts::why::moment(at, on) }</> }
        }
        None => html! { { text::next_deployment(None) } },
    };
    html! {
        <>
            <Watcher id="watch-ci" name={t(Label::WatchCi)} value={first(&ci)} open={tells}>
                <p class="hint">{ t(Label::WatchCiLead) }</p>
                <div id="lights">{ lights(&ci, (answers.since, end), on) }</div>
            </Watcher>
            <Watcher id="watch-stack" name={t(Label::WatchStack)} value={first(&stack)} open={!answers.tail.rows.is_empty()}>
                { lights(&stack, (answers.since, end), on) }
                <section id="deploy-tail">
                    <h4>{ t(Label::DeployTail) }</h4>
                    <p class="hint">{ t(Label::DeployTailLead) }</p>
                    { lines(&answers.tail, on) }
                </section>
                <dl class="facts"><div><dt>{ t(Label::NextDeployment) }</dt><dd>{ next }</dd></div></dl>
            </Watcher>
        </>
    }
}

fn events(answers: &Answers, at: SimTime, on: &Callback<Msg>) -> Html {
    html! {
        <Watcher id="watch-events" name={t(Label::WatchEvents)} value={html! { { answers.events.count() } }} open={false}>
            <section id="service-events">
                <h4>{ t(Label::ServiceEvents) }</h4>
                { lines(&answers.messages, on) }
            </section>
            <ApiCard name={t(Label::EventBus)} {at} value={Rc::clone(&answers.bus)}>
                { lines(&answers.events, on) }
                <p class="hint">{ text::task_events(answers.task_events) }</p>
            </ApiCard>
        </Watcher>
    }
}

fn trail(answers: &Answers, on: &Callback<Msg>) -> Html {
    html! {
        <Watcher id="watch-trail" name={t(Label::WatchTrail)} value={html! { { answers.calls.count() } }} open={false}>
            <p class="hint">{ t(Label::WatchTrailLead) }</p>
            { lines(&answers.calls, on) }
        </Watcher>
    }
}

fn own(answers: &Answers, moment: &Moment, on: &Callback<Msg>) -> Html {
    let there = answers.watchdog.as_ref().filter(|seen| seen.there);
    let (alarms, texts) = &answers.own_alarms;
    let ringing = alarms.iter().filter(|own| own.state == AlarmState::Alarm).count();
    let fired = ringing > 0 || there.is_some_and(|seen| !seen.metric.is_empty());
    let value = match text::own_alarms_fire(ringing) {
        none if none.is_empty() => there.map(Seen::state).unwrap_or_default(),
        some => some,
    };
    html! {
        <Watcher id="watch-own" name={t(Label::WatchOwn)} value={html! { { value } }} open={fired}>
            if let Some(seen) = &answers.watchdog { { watch::section(seen, moment.frame.at, moment.end, on) } }
            { api_view::own_alarms(alarms, texts, on) }
        </Watcher>
    }
}

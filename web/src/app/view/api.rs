//! What others see at the cursor: the answers of the APIs, the event bus, a pipeline.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::outside::bus::{self, BusEvent, BusEventKind};
use rollscope_insight::outside::{Asked, Ledger, Names, gauges, signals, stopped_tasks};
use rollscope_insight::service_events::service_events;
use rollscope_insight::{RunView, ServiceEvent};
use rollscope_player::Player;
use rollscope_scenario::Value;
use yew::prelude::*;

use super::Moment;
use super::protection::past;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::api_view::{self, ApiCard, Light};
use crate::text::{self, Label, t};

/// Events of the bus that are listed; the JSON has all of them.
const EVENTS_MAX: usize = 8;

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
    services: Rc<Value>,
    deployments: Rc<Value>,
    list: Rc<Value>,
    /// Newest first.
    bus: Rc<Value>,
    events: Vec<(SimTime, String, String)>,
    /// Events of the bus before those.
    earlier: usize,
    own_alarms: [(&'static str, String); 3],
}

/// Asks all of them at the cursor. `service` is the name of the service.
pub fn ask(player: &Player, moment: &Moment, service: &str) -> Answers {
    let (records, at) = (past(player), player.now());
    let samples = player.timeline().samples();
    let samples = &samples[..samples.partition_point(|(moment, _)| *moment <= at)];
    let run = RunView { records, samples, end: player.state() };
    let settings = player.head().settings();
    let names = Names { service, ..Names::default() };
    let ledger = Ledger::at(settings, records, at);
    let services = &moment.frame.service_deployments;
    let asked = Asked { frame: &moment.frame, ledger: &ledger, settings, services, names };
    let message = |event: &ServiceEvent| rollscope_wording::service_event(event, service);
    let bus = bus::events(run);
    let newest = bus.iter().rev().map(|event| bus::to_json(event, &names));
    Answers {
        services: Rc::new(asked.services(&service_events(run), &message)),
        deployments: Rc::new(asked.service_deployments()),
        list: Rc::new(asked.list(&[])),
        bus: Rc::new(Value::array(newest)),
        events: bus.iter().rev().take(EVENTS_MAX).rev().map(brief).collect(),
        earlier: bus.len().saturating_sub(EVENTS_MAX),
        own_alarms: text::own_alarms(&gauges(run, at)),
    }
}

fn brief(event: &BusEvent) -> (SimTime, String, String) {
    let (name, reason) = match &event.kind {
        BusEventKind::Deployment { state, reason, .. } => {
            (rollscope_insight::outside::texts::event_name(*state).0.to_owned(), reason.clone())
        }
        BusEventKind::Action(name, kind) => ((*name).to_owned(), (*kind).to_owned()),
        BusEventKind::Hook { stage, status, .. } => (format!("HOOK_{}", status.name()), stage.name().to_owned()),
    };
    (event.at, name, reason)
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
        let answers = self.figures.answers(player, || ask(player, moment, &service));
        let at = moment.frame.at;
        let newest = moment.frame.service_deployments.last();
        let frozen = newest.filter(|service| !service.is_live()).and_then(|service| service.finished);
        html! {
            <div class="why api-view" id="api-view">
                <div>
                    <h2>{ t(Label::ApiTitle) }</h2>
                    <p class="read">{ t(Label::ApiLead) }</p>
                </div>
                <ApiCard name="DescribeServiceDeployments" {at} {frozen} fields={OF_DEPLOYMENTS} value={Rc::clone(&answers.deployments)} />
                <ApiCard name="DescribeServices" {at} fields={OF_SERVICES} value={Rc::clone(&answers.services)} />
                <ApiCard name="ListServiceDeployments" {at} fields={OF_LIST} value={Rc::clone(&answers.list)} />
                <ApiCard name={t(Label::EventBus)} {at} stamped={false} value={Rc::clone(&answers.bus)}>
                    { api_view::bus(&answers.events, answers.earlier, on) }
                </ApiCard>
                { self.stop_event(player, at, &service) }
                { self.lights(moment, player) }
                { api_view::own_alarms(&answers.own_alarms) }
            </div>
        }
    }

    /// The event of the end of the selected task.
    fn stop_event(&self, player: &Player, at: SimTime, service: &str) -> Html {
        let Some(selected) = self.model.selected else { return Html::default() };
        let run = RunView { records: past(player), ..RunView::of_player(player) };
        let names = Names { service, ..Names::default() };
        let Some(stopped) = stopped_tasks(run).into_iter().find(|stopped| stopped.task == selected) else {
            return html! { <section><h3>{ t(Label::StopEvent) }</h3><p class="read">{ t(Label::NoStopEvent) }</p></section> };
        };
        let fields: &'static [&'static str] =
            &["/detail/stopCode", "/detail/stoppedReason", "/detail/containers/0/exitCode"];
        html! {
            <ApiCard name={t(Label::StopEvent)} {at} frozen={stopped.at} {fields} value={Rc::new(stopped.event(&names))}>
                if !stopped.visible_at(at) { <p class="read">{ t(Label::StopEventGone) }</p> }
            </ApiCard>
        }
    }

    /// What the pipelines say by now about the newest rollout.
    fn lights(&self, moment: &Moment, player: &Player) -> Html {
        let newest = moment.frame.service_deployments.last();
        let all = moment.outcome.as_ref().map(|outcome| &outcome.services[..]).unwrap_or_default();
        let Some(service) = newest.and_then(|newest| all.iter().find(|service| service.id == newest.id)) else {
            return Html::default();
        };
        let said = signals(RunView::of_player(player), service, moment.frame.at);
        let lights: Vec<Light> = said.iter().map(|s| (s.colour, text::signal(s))).collect();
        api_view::lights(&lights)
    }
}

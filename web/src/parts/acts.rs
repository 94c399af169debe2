//! What a person can do at the cursor. Each act branches the future there.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::order;
use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::platform::ecs::strategy::HookAction;
use rollscope_engine::settings::{AlarmState, Behaviour, Command, Fate};
use rollscope_engine::time::MINUTE;
use rollscope_insight::ecs_effect_of_act;
use rollscope_wording::Text;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::act_counts::{schedule, template};
use crate::app::model::Msg;
use crate::say::Say;
use crate::text::{self, Label, t};

/// What the panel needs.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// A task is selected: its own card has what can be done to it.
    pub selected: bool,
    /// A DAEMON service: its desired count is the number of its instances.
    pub daemon: bool,
    /// Names of the alarms that are watched.
    pub alarms: Vec<String>,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// How the next tasks may fare.
const FATES: [(Label, Fate); 6] = [
    (Label::FateHealthy, Fate::Healthy),
    (Label::FateNeverRunning, Fate::NeverRunning { after: None }),
    (Label::FateNeverPasses, Fate::NeverPasses),
    (Label::FateHangs, Fate::Hangs),
    (Label::FateExitsSoon, Fate::ExitsAfter(MINUTE)),
    (Label::FateTurnsSoon, Fate::TurnsUnhealthyAfter(MINUTE)),
];

/// A number typed into a form's field; empty or wrong is `None`.
pub(super) fn number(node: &NodeRef) -> Option<u32> {
    node.cast::<HtmlInputElement>()?.value().trim().parse().ok()
}

/// The panel.
#[component]
pub fn Acts(props: &Props) -> Html {
    html! {
        <details class="acts">
            <summary id="acts-title">{ t(Label::Acts) }</summary>
            <div class="body">
                if !props.selected { <p class="read">{ t(Label::SelectATask) }</p> }
                <Dials ..props.clone() />
                <Deploy ..props.clone() />
                <Fates ..props.clone() />
                <Alarms ..props.clone() />
                <Zones ..props.clone() />
                { pause(props) }
                { stop(props) }
            </div>
        </details>
    }
}

/// Sends the act that a form makes.
pub(super) fn submit(on: &Callback<Msg>, command: impl Fn() -> Option<Command> + 'static) -> Callback<SubmitEvent> {
    let on = on.clone();
    Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(command) = command() {
            on.emit(Msg::Act(command));
        }
    })
}

pub(super) fn field(node: &NodeRef, label: &'static str, value: u32, id: &'static str) -> Html {
    html! {
        <input ref={node.clone()} {id} class="text-input number" type="number" min="0" step="1" aria-label={text::from_now(label)}
            placeholder={value.to_string()} />
    }
}

/// Whether an act starts a deployment on ECS.
pub(super) fn effect(props: &Props, command: &Command) -> Html {
    html! { <p class="hint">{ props.say.text(Text::EcsEffect(ecs_effect_of_act(command))) }</p> }
}

#[component]
fn Dials(props: &Props) -> Html {
    let (desired, scheduled, minimum, maximum) = (use_node_ref(), use_node_ref(), use_node_ref(), use_node_ref());
    let set_desired = {
        let node = desired.clone();
        submit(&props.on, move || number(&node).map(Command::SetDesired))
    };
    let set_percent = {
        let (low, high) = (minimum.clone(), maximum.clone());
        submit(&props.on, move || {
            let (minimum, maximum) = (number(&low), number(&high));
            (minimum.is_some() || maximum.is_some()).then_some(Command::SetPercentages { minimum, maximum })
        })
    };
    let frame = &props.frame;
    html! {
        <>
            <form onsubmit={set_desired}>
                <span class="words">{ t(Label::Desired) }</span>
                { field(&desired, t(Label::Desired), frame.counts.limits.desired, "act-desired") }
                <button class="button line small">{ t(Label::Set) }</button>
            </form>
            { schedule(props, &scheduled) }
            <form onsubmit={set_percent}>
                <span class="words">{ t(Label::MinimumMaximum) }</span>
                { field(&minimum, t(Label::Minimum), frame.minimum_healthy_percent, "act-minimum") }
                { field(&maximum, t(Label::Maximum), frame.maximum_percent, "act-maximum") }
                <button class="button line small">{ t(Label::Set) }</button>
            </form>
            { effect(props, &Command::SetDesired(0)) }
        </>
    }
}

/// The highest revision that is deployed.
pub(super) fn newest(frame: &Frame) -> Option<u32> {
    frame.deployments.iter().map(|deployment| deployment.revision).max()
}

#[component]
fn Deploy(props: &Props) -> Html {
    let (revision, template_revision, template_count) = (use_node_ref(), use_node_ref(), use_node_ref());
    let next = newest(&props.frame).map_or(1, |newest| newest + 1);
    let deploy = {
        let node = revision.clone();
        submit(&props.on, move || {
            // An empty field means what it shows.
            let empty = node.cast::<HtmlInputElement>().is_some_and(|field| field.value().trim().is_empty());
            let revision = if empty { Some(next) } else { number(&node) };
            revision.filter(|n| *n > 0).map(|revision| Command::Deploy { revision, behaviour: None })
        })
    };
    html! {
        <>
            <form onsubmit={deploy}>
                <span class="words">{ t(Label::DeployRevision) }</span>
                { field(&revision, t(Label::DeployRevision), next, "act-revision") }
                <button class="button line small">{ t(Label::Deploy) }</button>
            </form>
            { template(props, &template_revision, &template_count) }
            { effect(props, &Command::Deploy { revision: next, behaviour: None }) }
        </>
    }
}

#[component]
fn Fates(props: &Props) -> Html {
    let chosen = use_node_ref();
    // That of the newest deployment, which may have gone back to an older revision.
    let Some(revision) = props.frame.deployments.last().map(|deployment| deployment.revision) else {
        return Html::default();
    };
    let command = move |fate: &Fate| Command::SetFate {
        revision,
        behaviour: Behaviour { fate: fate.clone(), ..Behaviour::default() },
    };
    let set = {
        let node = chosen.clone();
        submit(&props.on, move || {
            let index = node.cast::<HtmlSelectElement>()?.selected_index();
            FATES.get(usize::try_from(index).ok()?).map(|(_, fate)| command(fate))
        })
    };
    html! {
        <>
            <form onsubmit={set}>
                <label class="words" for="act-fate">{ text::next_tasks(revision) }</label>
                <select ref={chosen} id="act-fate" class="select">
                    { for FATES.iter().map(|(label, _)| html! { <option>{ t(*label) }</option> }) }
                </select>
                <button class="button line small">{ t(Label::Set) }</button>
            </form>
            <div class="act-row">
                <span class="words">{ t(Label::FixLead) }</span>
                { button("act-fix", Label::Fix, command(&Fate::Healthy), &props.on) }
            </div>
            { effect(props, &command(&Fate::Healthy)) }
        </>
    }
}

/// A button that acts at once.
fn button(id: &'static str, label: Label, command: Command, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    html! {
        <button type="button" class="button line small" {id} onclick={move |_: MouseEvent| on.emit(Msg::Act(command.clone()))}>{ t(label) }</button>
    }
}

/// An alarm fires, or is OK again.
#[component]
fn Alarms(props: &Props) -> Html {
    let chosen = use_node_ref();
    if props.alarms.is_empty() {
        return Html::default();
    }
    let set = |state: AlarmState| {
        let (on, node) = (props.on.clone(), chosen.clone());
        move |_: MouseEvent| {
            let index = node.cast::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            if let Ok(alarm) = u32::try_from(index) {
                on.emit(Msg::Act(Command::SetAlarm { alarm, state }));
            }
        }
    };
    html! {
        <>
            <div class="act-row">
                <label class="words" for="act-alarm">{ t(Label::AlarmActs) }</label>
                <select ref={chosen.clone()} id="act-alarm" class="select">
                    { for props.alarms.iter().map(|name| html! { <option>{ name }</option> }) }
                </select>
                <button type="button" class="button line small" id="act-fire" onclick={set(AlarmState::Alarm)}>{ t(Label::Fire) }</button>
                <button type="button" class="button line small" id="act-clear" onclick={set(AlarmState::Ok)}>{ t(Label::ClearAlarm) }</button>
            </div>
            { effect(props, &Command::SetAlarm { alarm: 0, state: AlarmState::Ok }) }
        </>
    }
}

/// A zone is lost, or an instance is added at its end.
#[component]
fn Zones(props: &Props) -> Html {
    let chosen = use_node_ref();
    // The last instance of each zone: one more is like that.
    let mut zones: Vec<(u8, u32)> = props.frame.hosts.iter().map(|host| (host.zone, host.number)).collect();
    order::by_key(&mut zones, |(zone, number)| (*zone, u32::MAX - *number));
    zones.dedup_by_key(|(zone, _)| *zone);
    if zones.is_empty() {
        return Html::default();
    }
    let act = |id: &'static str, label: Label, command: fn((u8, u32)) -> Command| {
        let (on, node, zones) = (props.on.clone(), chosen.clone(), zones.clone());
        let click = move |_: MouseEvent| {
            let index = node.cast::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            if let Some(zone) = usize::try_from(index).ok().and_then(|index| zones.get(index)) {
                on.emit(Msg::Act(command(*zone)));
            }
        };
        html! { <button type="button" class="button line small" {id} onclick={click}>{ t(label) }</button> }
    };
    html! {
        <div class="act-row">
            <label class="words" for="act-zone">{ t(Label::InstancesIn) }</label>
            <select ref={chosen.clone()} id="act-zone" class="select">
                { for zones.iter().map(|(zone, _)| html! { <option>{ text::zone(*zone) }</option> }) }
            </select>
            { act("act-add-instance", Label::AddInstance, |(_, like)| Command::AddInstances { like, count: 1 }) }
            { act("act-lose-zone", Label::LoseZone, |(zone, _)| Command::LoseZone(zone)) }
        </div>
    }
}

/// A PAUSE hook waits for an answer.
fn pause(props: &Props) -> Html {
    let runs = props.frame.shift.as_ref().map_or(&[][..], |shift| &shift.runs);
    let Some(run) = runs.iter().find(|run| run.status == HookStatus::AwaitingAction) else {
        return Html::default();
    };
    let answer = |action: HookAction| Command::ContinueDeployment { hook: Some(run.id), action };
    html! {
        <>
            <div class="act-row">
                <span class="words">{ t(Label::AnswerPause) }</span>
                { button("act-continue", Label::ContinueIt, answer(HookAction::Continue), &props.on) }
                { button("act-roll-back", Label::RollBackIt, answer(HookAction::Rollback), &props.on) }
            </div>
            { effect(props, &answer(HookAction::Continue)) }
        </>
    }
}

/// The deployment that is in progress is stopped.
fn stop(props: &Props) -> Html {
    if !props.frame.service_deployments.last().is_some_and(|service| service.is_live()) {
        return Html::default();
    }
    html! {
        <>
            <div class="act-row">
                <span class="words">{ t(Label::StopDeployment) }</span>
                { button("act-stop-deployment", Label::StopIt, Command::StopDeployment, &props.on) }
            </div>
            { effect(props, &Command::StopDeployment) }
        </>
    }
}

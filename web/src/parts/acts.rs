//! What a person can do at the cursor. Each act branches the future there.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::{Command, TaskName};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::model::Msg;
use crate::say::Say;
use crate::text::{self, Label, t};

/// What the panel needs.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// A number typed into a form's field; empty or wrong is `None`.
fn number(node: &NodeRef) -> Option<u32> {
    node.cast::<HtmlInputElement>()?.value().trim().parse().ok()
}

/// The panel.
#[component]
pub fn Acts(props: &Props) -> Html {
    let (desired, minimum, maximum, revision) = (use_node_ref(), use_node_ref(), use_node_ref(), use_node_ref());
    let on = &props.on;
    let submit = |command: Box<dyn Fn() -> Option<Command>>| {
        let on = on.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(command) = command() {
                on.emit(Msg::Act(command));
            }
        })
    };
    let set_desired = {
        let node = desired.clone();
        submit(Box::new(move || number(&node).map(Command::SetDesired)))
    };
    let set_percent = {
        let (low, high) = (minimum.clone(), maximum.clone());
        submit(Box::new(move || {
            let (minimum, maximum) = (number(&low), number(&high));
            (minimum.is_some() || maximum.is_some()).then_some(Command::SetPercentages { minimum, maximum })
        }))
    };
    let deploy = {
        let node = revision.clone();
        submit(Box::new(move || {
            number(&node).filter(|n| *n > 0).map(|revision| Command::Deploy { revision, behaviour: None })
        }))
    };
    let frame = &props.frame;
    let next = frame.deployments.iter().map(|deployment| deployment.revision).max().map_or(1, |newest| newest + 1);
    let field = |node: &NodeRef, label: &'static str, value: u32, id: &'static str| {
        html! {
            <input ref={node.clone()} {id} class="text-input number" type="number" min="0" step="1" aria-label={text::from_now(label)}
                placeholder={value.to_string()} />
        }
    };
    html! {
        <section class="acts" aria-labelledby="acts-title">
            <h3 id="acts-title">{ t(Label::Acts) }</h3>
            { kill(props) }
            <form onsubmit={set_desired}>
                <span class="words">{ t(Label::Desired) }</span>
                { field(&desired, t(Label::Desired), frame.counts.limits.desired, "act-desired") }
                <button class="button line small">{ t(Label::Set) }</button>
            </form>
            <form onsubmit={set_percent}>
                <span class="words">{ t(Label::MinimumMaximum) }</span>
                { field(&minimum, t(Label::Minimum), frame.minimum_healthy_percent, "act-minimum") }
                { field(&maximum, t(Label::Maximum), frame.maximum_percent, "act-maximum") }
                <button class="button line small">{ t(Label::Set) }</button>
            </form>
            <form onsubmit={deploy}>
                <span class="words">{ t(Label::DeployRevision) }</span>
                { field(&revision, t(Label::DeployRevision), next, "act-revision") }
                <button class="button line small">{ t(Label::Deploy) }</button>
            </form>
        </section>
    }
}

/// The selected task can be killed or stopped; without one, how to select.
fn kill(props: &Props) -> Html {
    let Some(name) = props.selected else { return html! { <p class="read">{ t(Label::SelectATask) }</p> } };
    let gone = |state: TaskState| matches!(state, TaskState::Stopped | TaskState::Failed);
    let there = props.frame.slots.iter().flatten().any(|task| task.name == name && !gone(task.state));
    let act = |command: Command, label: String, id: &'static str| {
        let on = props.on.clone();
        html! {
            <button type="button" class="button line small" {id} disabled={!there}
                onclick={move |_: MouseEvent| on.emit(Msg::Act(command.clone()))}>{ label }</button>
        }
    };
    let task = props.say.task(name);
    html! {
        <form>
            { act(Command::Kill(name), text::kill(&task), "act-kill") }
            { act(Command::StopTask(name), text::stop_task(&task), "act-stop") }
        </form>
    }
}

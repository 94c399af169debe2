//! The stage in words: the same tasks as a table, and the counts by state.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::frame::{LaneCounts, TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use yew::prelude::*;

use super::icon;
use crate::app::model::Msg;
use crate::say::Say;
use crate::text::{self, Label, t};

/// Up to this many slots are listed one by one.
const LISTED: usize = 160;

/// What the table shows.
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

/// States that count, in the order of a life.
const STATES: [TaskState; 7] = [
    TaskState::Waiting,
    TaskState::Starting,
    TaskState::Checking,
    TaskState::Healthy,
    TaskState::Unhealthy,
    TaskState::Draining,
    TaskState::Stopping,
];

fn count(lane: &LaneCounts, state: TaskState) -> u32 {
    match state {
        TaskState::Waiting => lane.waiting,
        TaskState::Starting => lane.starting,
        TaskState::Checking => lane.checking,
        TaskState::Healthy => lane.healthy,
        TaskState::Unhealthy => lane.unhealthy,
        TaskState::Draining => lane.draining,
        TaskState::Stopping => lane.stopping,
        TaskState::Stopped | TaskState::Failed => 0,
    }
}

/// The legend with live counts: what the boxes mean and how many there are.
#[component]
pub fn Legend(props: &Props) -> Html {
    let counts = &props.frame.counts;
    let entry = |state: &TaskState| {
        let number = counts.sum(|lane| count(lane, *state));
        // The lane most of them are in, the new one when there are none.
        let most = (0..counts.lanes.len()).max_by_key(|lane| count(&counts.lanes[*lane], *state)).unwrap_or(1);
        let lane = if number == 0 { 1 } else { most as u8 };
        html! {
            <li class={(number > 0).then_some("some")}>
                { icon::state(*state, lane) }{ props.say.state(*state) }{ " " }<strong>{ text::number(number.into()) }</strong>
            </li>
        }
    };
    html! { <ul class="legend">{ for STATES.iter().map(entry) }</ul> }
}

/// The stage as a table: by task, or by state and revision where there are too many.
#[component]
pub fn Tasks(props: &Props) -> Html {
    let body = if props.frame.slots.len() <= LISTED { by_task(props) } else { by_state(props) };
    html! {
        <details class="section as-list">
            <summary><span class="name">{ t(Label::AsTable) }</span></summary>
            <div class="table-frame">{ body }</div>
        </details>
    }
}

fn by_task(props: &Props) -> Html {
    let row = |task: &TaskView| {
        let (on, name) = (props.on.clone(), task.name);
        let chosen = props.selected == Some(name);
        let words = props.say.task(name);
        html! {
            <tr key={task.slot}>
                <td>{ task.slot + 1 }</td>
                <td class="value">
                    <button type="button" class="button small" aria-pressed={chosen.to_string()} aria-label={text::select(&words)}
                        onclick={move |_: MouseEvent| on.emit(Msg::Select((!chosen).then_some(name)))}>{ &words }</button>
                </td>
                <td>{ props.say.state(task.state) }</td>
                <td>{ text::clock(task.since) }</td>
                <td>{ task.until.map(text::clock).unwrap_or_default() }</td>
            </tr>
        }
    };
    html! {
        <table class="readings">
            <thead><tr>
                <th>{ t(Label::Slot) }</th><th>{ t(Label::Task) }</th><th>{ t(Label::State) }</th><th>{ t(Label::Since) }</th><th>{ t(Label::Until) }</th>
            </tr></thead>
            <tbody>{ for props.frame.slots.iter().flatten().map(row) }</tbody>
        </table>
    }
}

fn by_state(props: &Props) -> Html {
    let row = |state: &TaskState| {
        let cells =
            props.frame.counts.lanes.iter().map(|lane| html! { <td>{ text::number(count(lane, *state).into()) }</td> });
        html! { <tr><td class="value">{ props.say.state(*state) }</td>{ for cells }</tr> }
    };
    html! {
        <table class="readings">
            <thead><tr><th>{ t(Label::State) }</th><th>{ t(Label::Old) }</th><th>{ t(Label::New) }</th><th>{ t(Label::Further) }</th></tr></thead>
            <tbody>{ for STATES.iter().map(row) }</tbody>
        </table>
    }
}

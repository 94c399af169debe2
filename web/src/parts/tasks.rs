//! The stage in words: its legend, counts by state and revision, and the tasks as a list.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::frame::{LaneCounts, TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use yew::prelude::*;

use super::icon;
use super::pages::{page, pager};
use crate::app::model::Msg;
use crate::names::Names;
use crate::say::Say;
use crate::text::{self, Label, t};

/// Tasks of a page of the list.
const PAGE: usize = 25;

/// What the tables show.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// What the tasks are called.
    pub names: Names,
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

/// States to show, each with how many tasks are in it and the lane most of them are in. Unhealthy
/// tasks are shown only when there are some; where there are none the new lane stands for all.
fn states(frame: &Frame) -> impl Iterator<Item = (TaskState, u32, u8)> + '_ {
    let lanes = &frame.counts.lanes;
    let of = move |state: TaskState| {
        let number = frame.counts.sum(|lane| count(lane, state));
        let most = (0..lanes.len()).max_by_key(|lane| count(&lanes[*lane], state)).unwrap_or(1);
        let leaves = matches!(state, TaskState::Draining | TaskState::Stopping);
        let lane = if number > 0 { most as u8 } else { u8::from(!leaves) };
        (state, number, lane)
    };
    STATES.into_iter().map(of).filter(|(state, number, _)| *state != TaskState::Unhealthy || *number > 0)
}

/// Tasks that failed and whose slot is free still.
fn failed(frame: &Frame) -> usize {
    frame.slots.iter().flatten().filter(|task| task.state == TaskState::Failed).count()
}

/// What the legend shows.
#[derive(Clone, PartialEq, Properties)]
pub struct LegendProps {
    /// The moment.
    pub frame: Rc<Frame>,
    /// A box has the corner of a task that started without rollback protection.
    pub corner: bool,
    /// Language.
    pub say: Say,
}

/// The legend with live counts: what the boxes mean and how many there are. Failed tasks and the corner
/// have a key where there are some.
#[component]
pub fn Legend(props: &LegendProps) -> Html {
    let entry = |(state, number, lane): (TaskState, u32, u8)| {
        let number = text::number(number.into());
        html! {
            <li class={(number != "0").then_some("some")}>
                { icon::state(state, lane) }<span>{ props.say.state(state) }{ " " }<strong>{ number }</strong></span>
            </li>
        }
    };
    let failed = failed(&props.frame);
    html! {
        <ul class="legend" id="legend" aria-label={t(if props.frame.has_pods() { Label::LegendOfPods } else { Label::LegendOfTasks })}>
            { for states(&props.frame).map(entry) }
            if failed > 0 { { entry((TaskState::Failed, failed as u32, 1)) } }
            if props.corner { <li class="some">{ icon::corner() }<span>{ t(Label::CornerUnprotected) }</span></li> }
        </ul>
    }
}

/// Where the table of counts finds room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// In the free room of the stage.
    Beside,
    /// Below it, a revision a row.
    Lying,
    /// Below it where it is narrow, a state a row.
    Below,
}

/// What the table of counts shows.
#[derive(Clone, PartialEq, Properties)]
pub struct CountsProps {
    /// The moment.
    pub frame: Rc<Frame>,
    /// Where it stands.
    pub stand: Stand,
    /// Revisions with their lanes, oldest first.
    pub revisions: Vec<(u32, u8)>,
    /// Language.
    pub say: Say,
}

/// Tasks by state and revision.
#[component]
pub fn CountsTable(props: &CountsProps) -> Html {
    let lanes = &props.frame.counts.lanes;
    let mut columns: Vec<(u32, u8)> = Vec::new();
    for (revision, lane) in &props.revisions {
        // A lane of several revisions bears the name of the newest.
        columns.retain(|(_, other)| other != lane);
        columns.push((*revision, *lane));
    }
    let head = |(revision, lane): &(u32, u8)| {
        html! { <th scope="col" class={format!("share lane-{lane}")}>{ props.say.revision(*revision, &props.frame) }</th> }
    };
    let row = |(state, _, lane): (TaskState, u32, u8)| {
        let cell = |(_, lane): &(u32, u8)| {
            let number = lanes.get(usize::from(*lane)).map_or(0, |lane| count(lane, state));
            html! { <td class={(number > 0).then_some("some")}>{ text::number(number.into()) }</td> }
        };
        html! {
            <tr>
                <th scope="row"><span>{ icon::state(state, lane) }{ props.say.state(state) }</span></th>
                { for columns.iter().map(cell) }
            </tr>
        }
    };
    if props.stand == Stand::Lying {
        return lying(props, &columns);
    }
    html! {
        <table class={classes!("counts", (props.stand == Stand::Beside).then_some("beside"))} id="counts">
            <caption class="only-read">{ t(if props.frame.has_pods() { Label::PodsByState } else { Label::TasksByState }) }</caption>
            <thead><tr><th scope="col"><span class="only-read">{ t(Label::State) }</span></th>{ for columns.iter().map(head) }</tr></thead>
            <tbody>{ for states(&props.frame).map(row) }</tbody>
        </table>
    }
}

/// The same with a revision a row: flat, for below the stage.
fn lying(props: &CountsProps, rows: &[(u32, u8)]) -> Html {
    let lanes = &props.frame.counts.lanes;
    let states: Vec<_> = states(&props.frame).collect();
    let head = |(state, _, lane): &(TaskState, u32, u8)| {
        html! { <th scope="col"><span>{ icon::state(*state, *lane) }{ props.say.state(*state) }</span></th> }
    };
    let row = |(revision, lane): &(u32, u8)| {
        let cell = |(state, ..): &(TaskState, u32, u8)| {
            let number = lanes.get(usize::from(*lane)).map_or(0, |lane| count(lane, *state));
            html! { <td class={(number > 0).then_some("some")}>{ text::number(number.into()) }</td> }
        };
        html! {
            <tr>
                <th scope="row" class={format!("share lane-{lane}")}>{ props.say.revision(*revision, &props.frame) }</th>
                { for states.iter().map(cell) }
            </tr>
        }
    };
    html! {
        <table class="counts lying" id="counts">
            <caption class="only-read">{ t(if props.frame.has_pods() { Label::PodsByState } else { Label::TasksByState }) }</caption>
            <thead><tr><th scope="col"><span class="only-read">{ t(Label::Revision) }</span></th>{ for states.iter().map(head) }</tr></thead>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

/// The tasks one by one, 25 a page.
#[component]
pub fn Tasks(props: &Props) -> Html {
    let at = use_state(|| 0);
    let tasks: Vec<&TaskView> = props.frame.slots.iter().flatten().collect();
    let (shown, pages, now) = page(tasks.len(), PAGE, *at);
    let turn = Callback::from(move |to: usize| at.set(to));
    html! {
        <div class="as-list">
            if tasks.is_empty() { <p class="read">{ t(Label::NoTasks) }</p> }
            if !tasks.is_empty() {
                <table class="listing">
                    <caption class="only-read">{ t(if props.frame.has_pods() { Label::PodsAsTable } else { Label::AsTable }) }</caption>
                    <thead><tr>
                        <th scope="col">{ t(Label::Task) }</th><th scope="col">{ t(Label::State) }</th><th scope="col">{ t(Label::Slot) }</th>
                        <th scope="col">{ t(Label::Since) }</th><th scope="col">{ t(Label::Until) }</th>
                    </tr></thead>
                    <tbody>{ for tasks[shown].iter().map(|task| row(props, task)) }</tbody>
                </table>
            }
            { pager(now, pages, &turn) }
        </div>
    }
}

fn row(props: &Props, task: &TaskView) -> Html {
    let (on, name) = (props.on.clone(), task.name);
    let chosen = props.selected == Some(name);
    let words = props.names.with_version(name);
    html! {
        <tr key={task.slot}>
            <td class="value">
                <button type="button" class="button small" aria-pressed={chosen.to_string()} aria-label={text::select(&words)}
                    onclick={move |_: MouseEvent| on.emit(Msg::Select((!chosen).then_some(name)))}>{ &words }</button>
            </td>
            <td><span class="state">{ icon::state(task.state, task.lane) }{ props.say.state(task.state) }</span></td>
            <td>{ text::number(u64::from(task.slot) + 1) }</td>
            <td>{ text::clock(task.since) }</td>
            <td>{ task.until.map(text::clock).unwrap_or_default() }</td>
        </tr>
    }
}

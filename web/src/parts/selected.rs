//! The selected task: its whole life, why it stops, and what can be done to it.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::{Command, PROTECTION_MS, TaskName};
use yew::prelude::*;

use super::events::named;
use crate::app::model::{Go, Msg};
use crate::text::{self, Label, t};

/// What a task did for some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// What.
    pub state: String,
    /// When.
    pub time: String,
    /// Its begin.
    pub from: SimTime,
    /// It does it at the playhead.
    pub now: bool,
}

/// What the card shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Which task.
    pub name: TaskName,
    /// Its name in words.
    pub task: String,
    /// Slot and zone.
    pub place: String,
    /// What it does at the playhead.
    pub state: String,
    /// It exists at the playhead.
    pub there: bool,
    /// It is protected from scale-in at the playhead.
    pub protected: bool,
    /// Its life.
    pub spans: Vec<Span>,
    /// Where its time went, in words.
    pub time: String,
    /// Requests that it still answers and gets no more of; empty for none.
    pub open: String,
    /// Why it is stopped; empty for a task that nobody stops.
    pub why: String,
    /// What killing or stopping it does on ECS.
    pub effect: String,
    /// Messages.
    pub on: Callback<Msg>,
}

/// True for a task of which only the place is left.
pub fn gone(state: TaskState) -> bool {
    matches!(state, TaskState::Stopped | TaskState::Failed)
}

/// The card.
#[component]
pub fn Selected(props: &Props) -> Html {
    let clear = {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(Msg::Select(None))
    };
    let act = |command: Command, label: String, id: &'static str| {
        let on = props.on.clone();
        html! {
            <button type="button" class="button line small" {id} disabled={!props.there}
                onclick={move |_: MouseEvent| on.emit(Msg::Act(command.clone()))}>{ label }</button>
        }
    };
    let protect = Command::Protect { task: props.name, for_ms: Some(PROTECTION_MS) };
    let span = |span: &Span| {
        let (on, from) = (props.on.clone(), span.from);
        html! {
            <div class={span.now.then_some("now")}>
                <dt>{ &span.state }</dt>
                <dd><button type="button" class="moment" aria-label={format!("{}. {}", span.time, text::go_to(&text::clock(from)))}
                    aria-current={span.now.then_some("true")}
                    onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(from)))}>{ &span.time }</button></dd>
            </div>
        }
    };
    html! {
        <section class="sum-card selected" aria-labelledby="selected-title">
            <div class="card-head">
                <h3 id="selected-title">{ t(Label::Selected) }</h3>
                <button type="button" class="button small" id="clear-selection" aria-label={t(Label::ClearSelection)} onclick={clear}>{ t(Label::Clear) }</button>
            </div>
            <dl>
                <div><dt><b>{ &props.task }</b>{ ", " }{ &props.place }</dt><dd>{ &props.state }</dd></div>
                { for props.spans.iter().map(span) }
            </dl>
            if !props.open.is_empty() { <p class="read" id="selected-open">{ &props.open }</p> }
            if !props.time.is_empty() { <p class="read" id="selected-time">{ &props.time }</p> }
            if !props.why.is_empty() { <p class="read">{ named(&props.why) }</p> }
            <div class="buttons">
                { act(Command::Kill(props.name), text::kill(&props.task), "act-kill") }
                { act(Command::StopTask(props.name), text::stop_task(&props.task), "act-stop") }
                if props.protected {
                    { act(Command::Unprotect(props.name), t(Label::Unprotect).to_owned(), "act-unprotect") }
                } else {
                    { act(protect, t(Label::Protect).to_owned(), "act-protect") }
                }
            </div>
            if props.there { <p class="hint">{ &props.effect }</p> }
        </section>
    }
}

//! Everything that happened and will happen.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use yew::prelude::*;

use super::icon;
use crate::app::model::{Filter, Go, Msg};
use crate::app::wiring::follow;
use crate::text::{self, Label, t};

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number in the run, for keys.
    pub index: usize,
    /// Its moment.
    pub at: SimTime,
    /// What it says.
    pub words: String,
    /// The state a task came into, with its lane.
    pub key: Option<(TaskState, u8)>,
    /// A decision of the scheduler.
    pub decision: bool,
    /// A failure.
    pub failure: bool,
    /// It is about the selected task.
    pub chosen: bool,
}

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The cursor.
    pub at: SimTime,
    /// Lines around the cursor, ascending.
    pub lines: Vec<Line>,
    /// Lines left out before and after.
    pub hidden: (usize, usize),
    /// Which events.
    pub filter: Filter,
    /// The selected task, as words.
    pub selected: Option<String>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The list.
#[component]
pub fn Events(props: &Props) -> Html {
    let now = props.lines.iter().rev().find(|line| line.at <= props.at).map(|line| line.index);
    // The list follows the cursor, and stays where the visitor scrolls it between two lines.
    use_effect_with(now, |_| follow());
    let more = |count: usize| {
        let on = props.on.clone();
        html! {
            if count > 0 {
                <button type="button" class="button" onclick={move |_: MouseEvent| on.emit(Msg::Find)}>
                    { text::more_events(count) }
                </button>
            }
        }
    };
    html! {
        <div>
            { filters(props) }
            { more(props.hidden.0) }
            if props.lines.is_empty() { <p class="more">{ t(Label::NoEvents) }</p> }
            <ol class="events" id="events">{ for props.lines.iter().map(|l| line(l, l.at > props.at, now == Some(l.index), &props.on)) }</ol>
            { more(props.hidden.1) }
        </div>
    }
}

fn filters(props: &Props) -> Html {
    let chip = |filter: Filter, label: String| {
        let on = props.on.clone();
        html! {
            <button type="button" class="chip" aria-pressed={(props.filter == filter).to_string()}
                onclick={move |_: MouseEvent| on.emit(Msg::Filter(filter))}>{ label }</button>
        }
    };
    html! {
        <div class="filters" role="group" aria-label={t(Label::Filter)}>
            { chip(Filter::All, t(Label::All).into()) }
            { chip(Filter::Decisions, t(Label::Decisions).into()) }
            { chip(Filter::Failures, t(Label::Failures).into()) }
            if let Some(task) = &props.selected { { chip(Filter::Selected, text::only(task)) } }
        </div>
    }
}

fn line(line: &Line, later: bool, now: bool, on: &Callback<Msg>) -> Html {
    let class = classes!(
        "event",
        later.then_some("later"),
        now.then_some("now"),
        line.decision.then_some("decision"),
        line.failure.then_some("failure"),
        line.chosen.then_some("chosen"),
    );
    let (on, at) = (on.clone(), line.at);
    let key = line.key.map(|(state, lane)| icon::state(state, lane)).unwrap_or_else(|| html! { <span></span> });
    html! {
        <li key={line.index}>
            <button type="button" {class} aria-current={now.then_some("true")}
                onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)))}>
                <span class="at">{ text::clock(line.at) }</span>{ key }<span class="what">{ &line.words }</span>
            </button>
        </li>
    }
}

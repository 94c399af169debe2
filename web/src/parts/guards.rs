//! What the simulation checks about itself, with the value nearest to each bound.

use rollscope_engine::SimTime;
use yew::prelude::*;

use super::mark;
use crate::app::model::{Go, Msg};
use crate::text::{self, Label, t};

/// One guard.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// What it watches.
    pub name: String,
    /// It did not break.
    pub holds: bool,
    /// The value nearest to the bound, in words.
    pub worst: String,
    /// When that was.
    pub at: Option<SimTime>,
    /// The bound.
    pub bound: String,
    /// What lies beyond the bound without breaking it, or how it broke; may be empty.
    pub more: String,
}

/// The panel: how they fare, in a few words, how often they were checked, and each of them.
pub fn panel(title: &str, lead: &str, guards: &[Guard], on: &Callback<Msg>) -> Html {
    let broken = guards.iter().any(|guard| !guard.holds);
    let copy = {
        let on = on.clone();
        move |_: MouseEvent| on.emit(Msg::CopyReport)
    };
    html! {
        <div class="why guards">
            <div>
                <h2 class={broken.then_some("broken")}>{ title }</h2>
                <p class="read">{ lead }</p>
                if broken {
                    <p class="read">{ t(Label::GuardLead) }</p>
                    <button type="button" class="button solid" id="copy-report" onclick={copy}>{ t(Label::CopyReport) }</button>
                }
            </div>
            <ul>{ for guards.iter().map(|guard| row(guard, on)) }</ul>
        </div>
    }
}

fn row(guard: &Guard, on: &Callback<Msg>) -> Html {
    let (sign, word) = if guard.holds { (mark::holds(), t(Label::Holds)) } else { (mark::broken(), t(Label::Broken)) };
    let worst = match guard.at {
        Some(at) => {
            let on = on.clone();
            html! {
                <button type="button" class="worst" aria-label={format!("{}. {}", guard.worst, text::go_to(&text::clock(at)))}
                    onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)))}>{ &guard.worst }</button>
            }
        }
        None => html! { <span class="worst">{ &guard.worst }</span> },
    };
    html! {
        <li class={(!guard.holds).then_some("broken")}>
            { sign }
            <div>
                <span class="only-read">{ word }{ ": " }</span>
                <span class="name">{ &guard.name }</span>
                { worst }
                if !guard.more.is_empty() { <p class="more">{ &guard.more }</p> }
            </div>
            <strong>{ &guard.bound }</strong>
        </li>
    }
}

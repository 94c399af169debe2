//! The selected instance: what it holds, whether it takes one more task, and what can be done to it.

use rollscope_engine::SimTime;
use rollscope_engine::mechanism::host::HostState;
use rollscope_engine::settings::Command;
use rollscope_insight::HostStory;
use yew::prelude::*;

use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// What the card shows.
pub struct Card {
    /// The instance.
    pub story: HostStory,
    /// The moment.
    pub at: SimTime,
}

/// The card.
#[inline(never)]
pub fn card(card: &Card, on: &Callback<Msg>) -> Html {
    let (view, at) = (&card.story.view, card.at);
    let number = view.number;
    let clear = {
        let on = on.clone();
        move |_: MouseEvent| on.emit(Msg::Host(None))
    };
    let act = |command: Command, label: String, id: &'static str, can: bool| {
        let on = on.clone();
        html! {
            <button type="button" class="button line small" {id} disabled={!can}
                onclick={move |_: MouseEvent| on.emit(Msg::Act(command.clone()))}>{ label }</button>
        }
    };
    let there = matches!(view.state, HostState::Active | HostState::Draining);
    let line = |(what, amount): (&str, String)| html! { <div><dt>{ what }</dt><dd>{ amount }</dd></div> };
    html! {
        <section class="sum-card selected" aria-labelledby="host-title" id="host">
            <div class="card-head">
                <h2 id="host-title">{ text::host_title(number) }</h2>
                <button type="button" class="button small" id="clear-host" aria-label={t(Label::ClearSelection)} onclick={clear}>{ t(Label::Clear) }</button>
            </div>
            <dl>
                <div><dt><b>{ text::zone(view.zone) }</b></dt><dd>{ text::host_status(view, at) }</dd></div>
                { for text::host_holds(&card.story).into_iter().map(line) }
            </dl>
            <p class="read"><b>{ t(Label::OneMoreTask) }</b>{ " " }{ text::host_takes(&card.story, at) }</p>
            <div class="buttons">
                { act(Command::DrainInstance(number), t(Label::DrainInstance).to_owned(), "host-drain", view.state == HostState::Active) }
                { act(Command::ReclaimInstance(number), t(Label::SpotInterruption).to_owned(), "host-spot", there) }
                { act(Command::LoseInstance(number), t(Label::LoseInstance).to_owned(), "host-lose", there) }
                { act(Command::LoseZone(view.zone), text::lose_zone(view.zone), "host-lose-zone", there) }
                { act(Command::AddInstances { like: number, count: 1 }, t(Label::AddInstanceLike).to_owned(), "host-add", true) }
            </div>
        </section>
    }
}

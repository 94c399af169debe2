//! The player inside another page: title line, stage, chart, and one bar with the caption.

use rollscope_engine::SimTime;
use rollscope_player::PlayState;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::{Go, Msg, Sheet};
use crate::embed::{Controls, Embed};
use crate::parts::head::{CHIPS_MAX, revisions};
use crate::parts::icon;
use crate::parts::ruler::Ruler;
use crate::text::{self, Label, t};

impl App {
    /// The whole page as a player.
    pub(in crate::app) fn embedded(&self, embed: &Embed, on: &Callback<Msg>) -> Html {
        let moment = self.moment();
        let moment = moment.as_ref().filter(|_| self.model.broken.is_none() && self.model.comparing.is_none());
        let changing = self.model.sheet == Some(Sheet::Settings) && self.changes_here(embed);
        html! {
            <main class={classes!("embedded", changing.then_some("changing"))} aria-label={t(Label::Player)}>
                if let Some(moment) = moment {
                    if embed.controls != Controls::None { { self.embed_head(embed, moment, on) } }
                    <div class="centre-body" ref={self.nodes.body.clone()}>
                        <div class="content" ref={self.nodes.content.clone()}>
                            { self.stage(moment, on) }
                            <p class="only-read" role="status" id="spoken">{ self.spoken(moment) }</p>
                            if changing { { self.embed_settings(on) } }
                            { self.timeline(moment, on) }
                        </div>
                    </div>
                    { embed_bar(embed, moment, on) }
                } else {
                    { self.embed_empty() }
                }
            </main>
        }
    }

    /// The limits can be changed in this player: there are two percentages that play a part.
    fn changes_here(&self, embed: &Embed) -> bool {
        embed.controls == Controls::Full && !embed.view_only && !self.elsewhere() && !self.shifts()
    }

    /// Name, revisions, limits; the ways on.
    fn embed_head(&self, embed: &Embed, moment: &Moment, on: &Callback<Msg>) -> Html {
        let limits = self.model.form.accepted().map(|accepted| self.limits_in_words(accepted));
        let changing = self.model.sheet == Some(Sheet::Settings);
        let change = {
            let on = on.clone();
            move |_: MouseEvent| on.emit(Msg::Sheet((!changing).then_some(Sheet::Settings)))
        };
        let (word, long) = match changing {
            true => (Label::BackToChart, Label::BackToChart),
            false => (Label::ChangeLimits, Label::ChangeLimitsLong),
        };
        html! {
            <header class="embed-head">
                <h1 class="title">{ self.title() }</h1>
                <span class="title-revisions">{ revisions(&moment.chips, CHIPS_MAX.1, self.is_kubernetes()) }</span>
                if let Some(limits) = limits { <span class="limits">{ limits }</span> }
                if self.changes_here(embed) {
                    <button type="button" class="button" id="change" aria-expanded={changing.to_string()} aria-controls="settings"
                        title={t(long)} aria-label={t(long)} onclick={change}>{ icon::sliders() }<span>{ t(word) }</span></button>
                }
                if embed.controls == Controls::Full { { self.open_link() } }
            </header>
        }
    }

    /// The way to the Studio, with everything kept. Where a frame may open no tab, it does nothing.
    fn open_link(&self) -> Html {
        let fragment = match (&self.model.comparing, &self.model.broken) {
            (Some(fragment), _) => Some(fragment.clone()),
            (None, Some(broken)) => Some(broken.fragment.clone()),
            (None, None) => self.fragment(),
        };
        let address = self.address.studio(&fragment.unwrap_or_default());
        html! {
            <a class="button" id="open-studio" href={address} target="_blank" rel="noopener" title={t(Label::OpenStudioLong)}
                aria-label={t(Label::OpenStudioLong)}>{ icon::chain() }<span>{ t(Label::OpenStudio) }</span></a>
        }
    }

    /// Both limits, in the place of the chart.
    fn embed_settings(&self, on: &Callback<Msg>) -> Html {
        html! {
            <div class="embed-settings" id="settings" tabindex="-1"><Ruler form={self.model.shown()} on={on.clone()} /></div>
        }
    }

    /// Why nothing is shown.
    fn embed_empty(&self) -> Html {
        let model = &self.model;
        let (title, lines) = match (&model.broken, model.comparing.is_some()) {
            (Some(broken), _) => (broken.title.clone(), vec![broken.words.clone()]),
            (None, true) => (t(Label::LinkCompares).to_owned(), vec![t(Label::LinkComparesLead).to_owned()]),
            (None, false) => {
                let errors = model.form.problems().iter().filter(|problem| problem.is_error());
                (t(Label::NotAccepted).to_owned(), errors.map(text::problem_with_field).collect())
            }
        };
        html! {
            <section class="embed-empty" role="alert">
                <h1>{ title }</h1>
                { for lines.iter().map(|line| html! { <p>{ line }</p> }) }
                { self.open_link() }
            </section>
        }
    }
}

/// Play and steps, the sentence of the moment, the time.
fn embed_bar(embed: &Embed, moment: &Moment, on: &Callback<Msg>) -> Html {
    let playing = moment.state == PlayState::Playing;
    let at = moment.frame.at;
    let button = |label: Label, picture: Html, go: Go, off: bool| {
        let on = on.clone();
        html! {
            <button type="button" class="button icon" aria-label={t(label)} title={t(label)} disabled={off}
                onclick={move |_: MouseEvent| on.emit(Msg::Go(go))}>{ picture }</button>
        }
    };
    let toggle = {
        let on = on.clone();
        move |_: MouseEvent| on.emit(Msg::Toggle)
    };
    let still = moment.complete && moment.end == SimTime::ZERO;
    let name = t(if playing { Label::Pause } else { Label::Play });
    html! {
        <div class="bar embed-bar">
            if embed.controls != Controls::None {
                <div class="moves" role="group" aria-label={t(Label::Transport)}>
                    { button(Label::StepBack, icon::step_back(), Go::Previous, at == SimTime::ZERO) }
                    <button type="button" class="play" id="play" aria-label={name} title={name} disabled={still} onclick={toggle}>
                        { if playing { icon::pause() } else { icon::play() } }
                    </button>
                    { button(Label::StepOn, icon::step_on(), Go::Next, still || moment.over()) }
                </div>
            }
            <p class="embed-caption" id="caption">{ moment.caption.as_ref().map(|(_, sentence)| sentence.clone()).unwrap_or_default() }</p>
            <span class="embed-time" id="time">{ text::clock(at) }{ " " }{ text::of_end(moment.end, moment.complete) }</span>
        </div>
    }
}

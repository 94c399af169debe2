//! Play, step, speed.

use rollscope_engine::SimTime;
use rollscope_player::{PlayState, Speed, StepUnit};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::icon;
use crate::app::model::{Go, Msg};
use crate::text::{self, Label, t};

/// What the bar shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The cursor.
    pub at: SimTime,
    /// The end of what happens, as far as it is computed.
    pub end: SimTime,
    /// The run is computed to its end.
    pub complete: bool,
    /// What the player does.
    pub state: PlayState,
    /// Unit of a step.
    pub unit: StepUnit,
    /// Number of the step at the cursor and how many there are.
    pub position: (usize, usize),
    /// Speed.
    pub speed: Speed,
    /// Messages.
    pub on: Callback<Msg>,
}

/// Speeds to choose from.
const SPEEDS: [Speed; 7] = [
    Speed::Fit,
    Speed::Milli(1_000),
    Speed::Milli(10_000),
    Speed::Milli(60_000),
    Speed::Milli(600_000),
    Speed::Milli(6_000_000),
    Speed::Decisions,
];
const UNITS: [(StepUnit, &str); 3] = [
    (StepUnit::Decision, t(Label::ByDecision)),
    (StepUnit::Event, t(Label::ByEvent)),
    (StepUnit::Second, t(Label::BySecond)),
];

/// The bar under the timeline.
#[component]
pub fn Transport(props: &Props) -> Html {
    let playing = props.state == PlayState::Playing;
    let still = props.complete && props.end == SimTime::ZERO;
    let button = |label: &'static str, picture: Html, go: Go, off: bool| {
        let on = props.on.clone();
        html! {
            <button type="button" class="button icon" aria-label={label} title={label} disabled={off}
                onclick={move |_: MouseEvent| on.emit(Msg::Go(go))}>{ picture }</button>
        }
    };
    let (at_start, at_end) = (props.at == SimTime::ZERO, props.complete && props.at >= props.end);
    let toggle = {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(Msg::Toggle)
    };
    html! {
        <div class="bar" role="group" aria-label={t(Label::Transport)}>
        <div class="transport">
            { button(t(Label::ToStart), icon::to_start(), Go::Start, at_start) }
            { button(t(Label::StepBack), icon::step_back(), Go::Previous, at_start) }
            <button type="button" class="play" id="play" aria-label={if playing { t(Label::Pause) } else { t(Label::Play) }}
                disabled={still} onclick={toggle}>{ if playing { icon::pause() } else { icon::play() } }</button>
            { button(t(Label::StepOn), icon::step_on(), Go::Next, at_end) }
            { button(t(Label::ToEnd), icon::to_end(), Go::End, at_end) }
            <div class="time" id="time">
                { text::clock(props.at) }
                <small>{ " " }{ text::of_end(props.end, props.complete) }</small>
            </div>
        </div>
        <div class="choices">
            <span class="words">{ t(Label::StepBy) }</span>
            { units(props) }
            <label for="speed" class="words">{ t(Label::Speed) }</label>
            { speeds(props) }
        </div>
        </div>
    }
}

fn units(props: &Props) -> Html {
    let unit = |(unit, label): (StepUnit, &'static str)| {
        let on = props.on.clone();
        let chosen = props.unit == unit;
        html! {
            <button type="button" aria-pressed={chosen.to_string()}
                onclick={move |_: MouseEvent| on.emit(Msg::Unit(unit))}>{ label }</button>
        }
    };
    html! {
        <div class="segments" role="group" aria-label={t(Label::StepBy)} title={text::position(props.position)}>
            { for UNITS.into_iter().map(unit) }
        </div>
    }
}

fn words(speed: Speed) -> String {
    match speed {
        Speed::Fit => t(Label::SpeedFit).to_owned(),
        Speed::Milli(milli) => text::speed_times(milli / 1_000),
        Speed::Decisions => t(Label::SpeedDecisions).to_owned(),
    }
}

fn speeds(props: &Props) -> Html {
    let chosen = {
        let on = props.on.clone();
        move |event: Event| {
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            if let Some(speed) = usize::try_from(index).ok().and_then(|index| SPEEDS.get(index)) {
                on.emit(Msg::Speed(*speed));
            }
        }
    };
    html! {
        <select class="select" id="speed" aria-label={t(Label::Speed)} onchange={chosen}>
            { for SPEEDS.iter().map(|speed| html! { <option selected={*speed == props.speed}>{ words(*speed) }</option> }) }
        </select>
    }
}

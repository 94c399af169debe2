//! Play, step, time, speed.

use rollscope_engine::SimTime;
use rollscope_player::{PlayState, Speed, StepUnit};
use web_sys::{HtmlElement, HtmlInputElement, InputEvent};
use yew::prelude::*;

use super::icon;
use super::popover::Popover;
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
    /// The speed in thousandths of real time, where the run gives it; 0 at one decision a second.
    #[prop_or_default]
    pub milli: u64,
    /// The time is being typed.
    #[prop_or_default]
    pub typing: bool,
    /// Only stage, caption and player are shown.
    #[prop_or_default]
    pub stage_only: bool,
    /// Messages.
    pub on: Callback<Msg>,
}

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
    let button = |label: &'static str, class: &'static str, picture: Html, go: Go, off: bool| {
        let on = props.on.clone();
        html! {
            <button type="button" class={classes!("button", "icon", class)} aria-label={label} title={label} disabled={off}
                onclick={move |_: MouseEvent| on.emit(Msg::Go(go))}>{ picture }</button>
        }
    };
    let (at_start, at_end) = (props.at == SimTime::ZERO, still || (props.complete && props.at >= props.end));
    let toggle = {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(Msg::Toggle)
    };
    let name = if playing { t(Label::Pause) } else { t(Label::Play) };
    html! {
        <div class="bar player" role="group" aria-label={t(Label::Transport)}>
            <div class="moves">
                { button(t(Label::ToStart), "to-start", icon::to_start(), Go::Start, at_start) }
                { button(t(Label::StepBack), "step-back", icon::step_back(), Go::Previous, at_start) }
                <button type="button" class="play" id="play" aria-label={name} title={name} disabled={still} onclick={toggle}>
                    { if playing { icon::pause() } else { icon::play() } }
                </button>
                { button(t(Label::StepOn), "step-on", icon::step_on(), Go::Next, at_end) }
                { button(t(Label::ToEnd), "to-end", icon::to_end(), Go::End, at_end) }
            </div>
            <Clock at={props.at} end={props.end} complete={props.complete} typing={props.typing} on={props.on.clone()} />
            if !still { { choices(props) } }
        </div>
    }
}

/// Step unit, speed and the stage alone: in the bar, or behind a button where it is narrow.
fn choices(props: &Props) -> Html {
    let on = props.on.clone();
    html! {
        <Popover id="player-more" name={t(Label::MoreOfPlayer)} class="player-more" button="button icon" face={icon::more()}>
            <div class="player-choices">
                <span class="words">{ t(Label::StepBy) }</span>
                { units(props) }
                <span class="words">{ t(Label::Speed) }</span>
                <Popover id="speed" name={text::speed_name(&words(props.speed))} class="speed" button="button line"
                    face={html! { words(props.speed) }}>
                    { speeds(props) }
                </Popover>
                <button type="button" class="button icon stage-only-button" id="stage-only" aria-label={t(Label::StageOnly)}
                    title={t(Label::StageOnly)} aria-pressed={props.stage_only.to_string()} data-closes=""
                    onclick={move |_: MouseEvent| on.emit(Msg::StageOnly)}>
                    { icon::stage_only() }<span class="in-menu">{ t(Label::StageOnly) }</span>
                </button>
            </div>
        </Popover>
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

/// The speed in a word or two.
fn words(speed: Speed) -> String {
    match speed {
        Speed::Fit => t(Label::SpeedFitShort).to_owned(),
        Speed::Milli(milli) => text::speed_times(milli / 1_000),
        Speed::Decisions => t(Label::SpeedDecisionsShort).to_owned(),
    }
}

/// Stops of the slider to the power of ten: about equal steps of the ear and the eye.
const STOPS: [u64; 5] = [1, 2, 3, 5, 8];
/// The last stop: 10,000 times.
const LAST_STOP: u32 = 20;

/// The speed of a stop in thousandths of real time.
fn speed_of(stop: u32) -> u64 {
    let (power, part) = (stop.min(LAST_STOP) / 5, stop.min(LAST_STOP) % 5);
    STOPS[part as usize] * 10u64.pow(power) * 1_000
}

/// The stop of a speed, the lower one of two.
fn stop_of(milli: u64) -> u32 {
    (0..=LAST_STOP).rev().find(|stop| speed_of(*stop) <= milli).unwrap_or(0)
}

fn speeds(props: &Props) -> Html {
    let slid = {
        let on = props.on.clone();
        move |event: InputEvent| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            if let Some(stop) = input.and_then(|input| input.value().parse().ok()) {
                on.emit(Msg::Speed(Speed::Milli(speed_of(stop))));
            }
        }
    };
    let choice = |speed: Speed, label: &'static str| {
        let on = props.on.clone();
        html! {
            <button type="button" class="button line" aria-pressed={(props.speed == speed).to_string()} data-closes=""
                onclick={move |_: MouseEvent| on.emit(Msg::Speed(speed))}>{ label }</button>
        }
    };
    let now = match props.speed {
        Speed::Decisions => words(Speed::Decisions),
        Speed::Fit | Speed::Milli(_) => text::speed_times(props.milli / 1_000),
    };
    html! {
        <div class="speeds">
            <label class="speeds-name" for="speed-slider"><span>{ t(Label::Speed) }</span><strong>{ now.clone() }</strong></label>
            <input type="range" class="range" id="speed-slider" min="0" max={LAST_STOP.to_string()} step="1"
                value={stop_of(props.milli).to_string()} aria-valuetext={now} oninput={slid} />
            <div class="speeds-marks" aria-hidden="true">
                { for (0..=LAST_STOP).step_by(5).map(|stop| html! { <span>{ text::speed_times(speed_of(stop) / 1_000) }</span> }) }
            </div>
            <div class="speeds-choices">
                { choice(Speed::Fit, t(Label::SpeedFit)) }
                { choice(Speed::Decisions, t(Label::SpeedDecisions)) }
            </div>
        </div>
    }
}

/// The time of the cursor.
#[derive(Clone, PartialEq, Properties)]
struct ClockProps {
    at: SimTime,
    end: SimTime,
    complete: bool,
    typing: bool,
    on: Callback<Msg>,
}

/// The time; a click makes it a field.
#[component]
fn Clock(props: &ClockProps) -> Html {
    let typed = use_state(|| None::<String>);
    let opened = {
        let at = props.at;
        use_memo(props.typing, move |_| text::clock(at))
    };
    let button = use_node_ref();
    // Set when a key closed the field: the focus then goes back to the button.
    let by_key = use_mut_ref(|| false);
    {
        let (typed, button, by_key) = (typed.clone(), button.clone(), by_key.clone());
        use_effect_with(props.typing, move |typing| {
            if *typing {
                return;
            }
            // Before the field opens again: a text that changes there is not selected any more.
            if typed.is_some() {
                typed.set(None);
            }
            if by_key.replace(false)
                && let Some(button) = button.cast::<HtmlElement>()
            {
                let _ = button.focus();
            }
        });
    }
    let of_end = text::of_end(props.end, props.complete);
    if props.complete && props.end == SimTime::ZERO {
        return html! { <div class="clock" id="time"><span class="clock-face">{ text::clock(props.at) }<small>{ " " }{ of_end }</small></span></div> };
    }
    if !props.typing {
        let on = props.on.clone();
        return html! {
            <div class="clock" id="time">
                <button type="button" class="clock-face" ref={button} title={t(Label::GoToTime)}
                    onclick={move |_: MouseEvent| on.emit(Msg::TypeTime(true))}>
                    { text::clock(props.at) }<small>{ " " }{ of_end }</small><span class="only-read">{ ", " }{ t(Label::GoToTime) }</span>
                </button>
            </div>
        };
    }
    let input = {
        let typed = typed.clone();
        move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                typed.set(Some(input.value()));
            }
        }
    };
    let text = (*typed).clone().unwrap_or_else(|| (*opened).clone());
    let key = {
        let (on, text) = (props.on.clone(), text.clone());
        move |event: KeyboardEvent| {
            let msg = match event.key().as_str() {
                "Enter" => Msg::GoTyped(text.clone()),
                "Escape" => Msg::TypeTime(false),
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            by_key.replace(true);
            on.emit(msg);
        }
    };
    let left = {
        let on = props.on.clone();
        move |_: FocusEvent| on.emit(Msg::TypeTime(false))
    };
    html! {
        <div class="clock" id="time">
            <input class="text-input clock-field" id="go-to" aria-label={t(Label::TimeField)} autocomplete="off"
                enterkeyhint="go" size="8" value={text} oninput={input} onkeydown={key} onfocusout={left} />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slider_goes_from_real_time_to_ten_thousand_times() {
        assert_eq!((speed_of(0), speed_of(6), speed_of(LAST_STOP)), (1_000, 20_000, 10_000_000));
        for stop in 0..=LAST_STOP {
            assert_eq!(stop_of(speed_of(stop)), stop);
        }
        assert_eq!(stop_of(11_650), 5, "between two stops it stands at the lower one");
        assert_eq!(stop_of(0), 0);
    }
}

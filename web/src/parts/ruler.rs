//! The limits ruler: maximum above, minimum below, between them one cell a task. A thumb stands at
//! its percentage and the line from it ends at the limit, so the bend in it is the rounding.

use rollscope_scenario::Value;
use web_sys::InputEvent;
use yew::prelude::*;

use super::field::{self, input_text, problem};
use super::scale::{Bar, Bend, Part, Scale, share};
use crate::app::model::{Dial, Msg};
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Heights on the ruler in pixels from its top: thumb of the maximum, ends of the bend, of the row.
const ABOVE: [&str; 4] = ["12", "20", "28", "62"];
/// The same for the minimum, from its thumb upwards.
const BELOW: [&str; 4] = ["80", "72", "64", "30"];
/// Digits that fit into the field of a percentage; it gets wider for more.
const DIGITS: usize = 3;
/// Identifier of the hatching of what is not allowed.
const HATCH: &str = "ruler-hatch";

/// What the ruler shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The settings as the dials show them.
    pub form: Form,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The ruler.
#[component]
pub fn Ruler(props: &Props) -> Html {
    // While a thumb is dragged down from beyond 200 % the scale keeps its length under it.
    let held = use_state(|| None::<u32>);
    let (form, on) = (&props.form, &props.on);
    let scale = scale(form, *held);
    let slide = |dial: Dial| {
        let (on, held, now) = (on.clone(), held.clone(), scale.top);
        Callback::from(move |event: InputEvent| {
            held.set(Some(now));
            on.emit(Msg::Type(dial.pointer().into(), FieldKind::Number, input_text(&event)));
        })
    };
    let release = {
        let held = held.clone();
        Callback::from(move |_: Event| held.set(None))
    };
    let limits = scale.limits;
    let rest = 1.0 - scale.of_percent(100);
    html! {
        <div class="ruler" role="group" aria-label={t(Label::Limits)}>
            { head(form, Dial::Maximum, text::ceiling_calc(limits.desired, scale.maximum), on) }
            <div class="scale">
                { tracks(&scale) }
                <div class="slide">
                    <svg class="apart" width={share(scale.of_percent(100))} height="1" aria-hidden="true" focusable="false"></svg>
                    <input class="dial" id="slide-maximum" type="range" min="100" max={scale.top.to_string()} step="1"
                        value={scale.maximum.to_string()} aria-label={text::slider(t(Label::Maximum))}
                        aria-valuetext={text::slider_maximum(limits.desired, scale.maximum)}
                        oninput={slide(Dial::Maximum)} onchange={release.clone()} />
                </div>
                { row(&scale) }
                <div class="slide">
                    <input class="dial" id="slide-minimum" type="range" min="0" max="100" step="1"
                        value={scale.minimum.to_string()} aria-label={text::slider(t(Label::Minimum))}
                        aria-valuetext={text::slider_minimum(limits.desired, scale.minimum)}
                        oninput={slide(Dial::Minimum)} onchange={release} />
                    <svg class="apart" width={share(rest)} height="1" aria-hidden="true" focusable="false"></svg>
                </div>
            </div>
            { head(form, Dial::Minimum, text::floor_calc(limits.desired, scale.minimum), on) }
        </div>
    }
}

/// The scale of what the dials show; a dial whose text is no number of its range shows what is in force.
fn scale(form: &Form, held: Option<u32>) -> Scale {
    let in_force = form.accepted().map_or((0, 100, 200), |accepted| {
        let params = accepted.resolved.settings.platform.ecs();
        (params.desired, params.minimum_healthy_percent, params.maximum_percent)
    });
    let shown = |dial: Dial, least: u32, most: u32, in_force: u32| {
        let number = form.number(dial.pointer()).and_then(|number| u32::try_from(number).ok());
        number.filter(|number| (least..=most).contains(number)).unwrap_or(in_force)
    };
    let desired = if let Some(problem) = form.problem(Dial::Desired.pointer()) {
        // Where nothing was ever in force, the ruler is that of the way out.
        let nearest = problem.nearest.as_ref().and_then(Value::as_i64).and_then(|nearest| u32::try_from(nearest).ok());
        if form.accepted().is_some() { in_force.0 } else { nearest.unwrap_or(0) }
    } else {
        shown(Dial::Desired, 0, u32::MAX, in_force.0)
    };
    let minimum = shown(Dial::Minimum, 0, 100, in_force.1);
    let maximum = shown(Dial::Maximum, 100, u32::MAX, in_force.2);
    Scale::new(desired, minimum, maximum, held)
}

/// A limit's name, its sum in words and the field for its percentage.
fn head(form: &Form, dial: Dial, (sum, result): (String, String), on: &Callback<Msg>) -> Html {
    let pointer = dial.pointer();
    let id = field::id(pointer);
    let found = form.problem(pointer);
    let label = t(if dial == Dial::Maximum { Label::Maximum } else { Label::Minimum });
    let (text, default) = (form.text(pointer), form.default_text(pointer).unwrap_or_default());
    let long = (text.len().max(default.len()) > DIGITS).then_some("long");
    let typed = {
        let on = on.clone();
        move |event: InputEvent| on.emit(Msg::Type(pointer.into(), FieldKind::Number, input_text(&event)))
    };
    html! {
        <div class="limit">
            <label for={id.clone()}>{ label }</label>
            <p class="sum">{ sum }<strong>{ result }</strong></p>
            <span class={classes!("percent", found.map(|_| "invalid"), long)}>
                <input id={id.clone()} type="text" inputmode="numeric" autocomplete="off"
                    value={text} placeholder={default}
                    aria-invalid={found.is_some().then_some("true")}
                    aria-describedby={found.is_some().then(|| format!("{id}-problem"))} oninput={typed} />
                <span aria-hidden="true">{ "%" }</span>
            </span>
            { problem(found, label, &id, on) }
        </div>
    }
}

/// Tracks of both sliders, filled up to their thumbs, and the lines from the thumbs to the limits.
fn tracks(scale: &Scale) -> Html {
    let track = |y: &'static str, class: &'static str, width: f64| {
        html! { <rect {class} x="0" {y} width={share(width)} height="4" rx="2" /> }
    };
    let bend = |bend: Option<Bend>, [thumb_y, from_y, to_y, end_y]: [&'static str; 4]| {
        let Some(Bend { thumb, mark }) = bend else { return Html::default() };
        let (thumb, mark) = (share(thumb), share(mark));
        if thumb == mark {
            return html! { <line class="straight" x1={thumb} y1={thumb_y} x2={mark} y2={end_y} /> };
        }
        html! {
            <>
                <line x1={thumb.clone()} y1={thumb_y} x2={thumb.clone()} y2={from_y} />
                <line x1={thumb} y1={from_y} x2={mark.clone()} y2={to_y} />
                <line x1={mark.clone()} y1={to_y} x2={mark} y2={end_y} />
            </>
        }
    };
    html! {
        <svg class="lines" width="100%" height="92" aria-hidden="true" focusable="false">
            { track("10", "track", 1.0) }
            { track("10", "filled", scale.of_percent(scale.maximum)) }
            { track("78", "track", scale.of_percent(100)) }
            { track("78", "filled", scale.of_percent(scale.minimum)) }
            { bend(scale.ceiling_bend(), ABOVE) }
            { bend(scale.floor_bend(), BELOW) }
        </svg>
    }
}

/// The tasks between the sliders, one by one or as bars.
fn row(scale: &Scale) -> Html {
    let limits = scale.limits;
    let name = text::ruler(limits.desired, limits.floor, limits.ceiling);
    match scale.cells() {
        Some(cells) if cells.is_empty() => html! { <p class="none">{ t(Label::NoTasksWanted) }</p> },
        Some(cells) => html! {
            <div class="cells" role="img" aria-label={name}>{ for cells.into_iter().map(cell) }</div>
        },
        None => html! {
            <svg class="bars" width="100%" height="24" role="img" aria-label={name}>
                <defs>
                    <pattern id={HATCH} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                        <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
                    </pattern>
                </defs>
                { for scale.bars().iter().map(bar) }
            </svg>
        },
    }
}

fn class(part: Part) -> &'static str {
    match part {
        Part::Keep => "keep",
        Part::Missing => "missing",
        Part::Added => "added",
        Part::Beyond => "beyond",
    }
}

fn cell(part: Part) -> Html {
    let sign = match part {
        Part::Missing => Some("M1 5h8"),
        Part::Added => Some("M1 5h8M5 1v8"),
        Part::Keep | Part::Beyond => None,
    };
    html! {
        <span class={classes!("cell", class(part))}>
            if let Some(d) = sign {
                <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><path {d} /></svg>
            }
        </span>
    }
}

fn bar(bar: &Bar) -> Html {
    let words = match bar.part {
        Part::Keep => text::bar_keep(bar.tasks),
        Part::Missing => text::bar_missing(bar.tasks),
        Part::Added => text::bar_added(bar.tasks),
        Part::Beyond => Default::default(),
    };
    let fill = (bar.part == Part::Beyond).then(|| format!("url(#{HATCH})"));
    // The edge of a bar with a border lies inside it.
    let (y, height) = if bar.part == Part::Keep || bar.part == Part::Beyond { ("0", "24") } else { ("0.75", "22.5") };
    html! {
        <g class={class(bar.part)}>
            <rect x={share(bar.from)} {y} width={share(bar.to - bar.from)} {height} rx="3" {fill} />
            if let Some(words) = bar.words(&words).filter(|words| !words.is_empty()) {
                <text x={share(bar.from)} dx="10" y="16.5">{ words }</text>
            }
        </g>
    }
}

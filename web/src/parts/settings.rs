//! The panel at the left.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Capacity;
use web_sys::InputEvent;
use yew::prelude::*;

use super::field::{self, input_text, problem};
use super::platform;
use super::ruler::Ruler;
use super::sections::{self, Sections};
use crate::app::model::{Dial, Msg};
use crate::form::{FieldKind, Form};
use crate::say::Say;
use crate::text::{self, Label, t};

/// Common pairs of minimum and maximum.
const COMMON: [(i64, i64); 4] = [(100, 200), (100, 150), (50, 100), (0, 100)];

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The settings of the run from its start.
    pub form: Form,
    /// The settings as the dials show them: those in force where a change of theirs holds from.
    pub dials: Form,
    /// The cursor in the middle of a run: a change of the dials may hold from there.
    pub here: Option<SimTime>,
    /// It does hold from there.
    pub from_here: bool,
    /// The revision a failure of the newest rollout goes back to.
    pub candidate: Option<u32>,
    /// The verdict, drawn by its own component.
    pub verdict: Html,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The settings.
#[component]
pub fn Settings(props: &Props) -> Html {
    let (form, dials, on) = (&props.form, &props.dials, &props.on);
    html! {
        <div class="settings">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            if form.accepted().is_none_or(|accepted| accepted.resolved.settings.strategy.shift().is_none()) {
                { common(dials, on) }
                { desired(dials, on) }
                <Ruler form={dials.clone()} on={on.clone()} />
            } else {
                { desired(dials, on) }
                { in_full(dials) }
            }
            { hold(props) }
            { props.verdict.clone() }
            { elsewhere(form) }
            <Sections form={form.clone()} marked={props.here.is_some() && props.from_here} candidate={props.candidate}
                on={on.clone()} />
        </div>
    }
}

/// Where traffic is shifted the two percentages play no part, so they are no dials.
fn in_full(form: &Form) -> Html {
    let Some(accepted) = form.accepted() else { return Html::default() };
    let limits = accepted.resolved.limits;
    html! { <p class="hint">{ text::both_in_full(limits.desired, limits.ceiling) }</p> }
}

/// The tasks of a service that has one on every instance.
fn one_an_instance(form: &Form) -> Option<u32> {
    let settings = &form.accepted()?.resolved.settings;
    let params = settings.platform.ecs();
    matches!(&settings.capacity, Capacity::Ec2(cluster) if cluster.daemon).then_some(params.desired)
}

/// Common settings. What each is good for is shown on hover and on focus, and read in any case.
fn common(form: &Form, on: &Callback<Msg>) -> Html {
    let (low, high) = (Dial::Minimum.pointer(), Dial::Maximum.pointer());
    let now = (form.number(low), form.number(high));
    let chip = |(minimum, maximum): (i64, i64)| {
        let on = on.clone();
        let pressed = now == (Some(minimum), Some(maximum));
        let set =
            move |_: MouseEvent| on.emit(Msg::Set(vec![(low.into(), minimum.into()), (high.into(), maximum.into())]));
        let tip = format!("good-for-{minimum}-{maximum}");
        html! {
            <>
                <button type="button" class="chip" aria-pressed={pressed.to_string()} aria-describedby={tip.clone()}
                    onclick={set}>{ format!("{minimum}/{maximum}") }</button>
                <span class="chip-tip" role="tooltip" id={tip}>{ text::good_for(minimum, maximum) }</span>
            </>
        }
    };
    html! { <div class="chips" role="group" aria-label={t(Label::Common)}>{ for COMMON.into_iter().map(chip) }</div> }
}

/// From when on a change of the dials holds. It stands there at every moment, so that nothing moves when the
/// cursor does; there is a choice only in the middle of a run.
fn hold(props: &Props) -> Html {
    let acts = props.here.is_some() && props.from_here;
    let choice = |from: bool, words: String, off: bool| {
        let on = props.on.clone();
        let choose = move |_: MouseEvent| on.emit(Msg::FromHere(from));
        html! {
            <button type="button" aria-pressed={(from == acts).to_string()} disabled={off} onclick={choose}>{ words }</button>
        }
    };
    let here = props.here.map_or_else(|| t(Label::HoldPlayhead).to_owned(), text::from_moment);
    let note = match props.here {
        None => t(Label::HoldAtRest).to_owned(),
        Some(_) if acts => props.say.ecs_effect(Dial::Maximum.pointer()),
        Some(_) => t(Label::HoldAnew).to_owned(),
    };
    html! {
        <div class="hold">
            <span id="hold">{ t(Label::ChangesHold) }</span>
            <span class="segments" role="group" aria-labelledby="hold" aria-describedby="hold-note">
                { choice(false, t(Label::FromTheStart).to_owned(), false) }
                { choice(true, here, props.here.is_none()) }
            </span>
            <p class="hint" id="hold-note">{ note }</p>
        </div>
    }
}

fn desired(form: &Form, on: &Callback<Msg>) -> Html {
    let pointer = Dial::Desired.pointer();
    let id = field::id(pointer);
    let now = form.number(pointer).unwrap_or(0);
    let found = form.problem(pointer);
    let daemon = one_an_instance(form);
    let hint = daemon.is_some().then(|| format!("{id}-daemon"));
    let placeholder = daemon.map_or_else(|| form.default_text(pointer).unwrap_or_default(), |count| count.to_string());
    let step = |by: i64| {
        let on = on.clone();
        move |_: MouseEvent| on.emit(Msg::Set(vec![(pointer.into(), now.saturating_add(by).max(0).into())]))
    };
    let typed = {
        let on = on.clone();
        move |event: InputEvent| on.emit(Msg::Type(pointer.into(), FieldKind::Number, input_text(&event)))
    };
    html! {
        <div class="field desired">
            <div class="row">
                <label for={id.clone()}>{ t(Label::Desired) }</label>
                <span class="stepper">
                    <button type="button" aria-label={t(Label::OneLess)} disabled={now <= 0 || daemon.is_some()} onclick={step(-1)}>{ "−" }</button>
                    <input id={id.clone()} type="text" inputmode="numeric" autocomplete="off"
                        value={form.text(pointer)} {placeholder} readonly={daemon.is_some()}
                        aria-invalid={found.is_some().then_some("true")}
                        aria-describedby={found.is_some().then(|| format!("{id}-problem")).or(hint.clone())} oninput={typed} />
                    <button type="button" aria-label={t(Label::OneMore)} disabled={daemon.is_some()} onclick={step(1)}>{ "+" }</button>
                </span>
            </div>
            if daemon.is_some() {
                <p class="hint" id={hint}>{ t(Label::OneAnInstance) }</p>
            }
            { problem(found, t(Label::Desired), &id, on) }
        </div>
    }
}

/// Problems of fields that have no place in the panel.
fn elsewhere(form: &Form) -> Html {
    let shown = |field: &str| Dial::at(field).is_some() || sections::shows(field);
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !shown(&p.field)).collect();
    if rest.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="faults" role="alert">
            { for rest.into_iter().map(|problem| html! { <li>{ text::problem_with_field(problem) }</li> }) }
        </ul>
    }
}

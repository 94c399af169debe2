//! What the APIs answer at the cursor: the fields that matter, the whole answer as JSON, and what of
//! it changed since the moment before.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::settings::AlarmState;
use rollscope_insight::outside::{Colour, OwnState};
use rollscope_scenario::Value;
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

use super::json_lines::{Line, lines};
use super::mark;
use super::why::moment;
use crate::app::model::{Msg, Sheet, Tab};
use crate::text::{self, Label, OwnAlarmText, t};

/// An answer.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Name of the API.
    pub name: AttrValue,
    /// The moment.
    pub at: SimTime,
    /// It does not change any more, since then.
    #[prop_or_default]
    pub frozen: Option<SimTime>,
    /// Fields that are shown beside the whole, as pointers into the answer.
    #[prop_or_default]
    pub fields: &'static [&'static str],
    /// What stands in place of the fields.
    #[prop_or_default]
    pub children: Html,
    /// The answer.
    pub value: Rc<Value>,
}

/// An answer with its moment.
type Answer = (SimTime, Rc<Value>);

/// What was answered at the moment that is looked at, and at the one before.
#[derive(Default)]
struct Memory {
    now: Option<Answer>,
    before: Option<Answer>,
}

/// A card with one answer.
#[component]
pub fn ApiCard(props: &Props) -> Html {
    let memory = use_mut_ref(Memory::default);
    let open = use_state(|| false);
    let before = {
        let mut memory = memory.borrow_mut();
        let now = Some((props.at, Rc::clone(&props.value)));
        if memory.now != now {
            memory.before = std::mem::replace(&mut memory.now, now);
        }
        memory.before.clone()
    };
    let toggled = {
        let open = open.clone();
        move |event: Event| {
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>() {
                open.set(details.open());
            }
        }
    };
    let was = before.as_ref().map(|(_, value)| &**value);
    let all = lines(&props.value, was);
    let changed = all.iter().filter(|line| line.changed).count();
    let stamp = match props.frozen {
        Some(at) => html! { <span class="stamp">{ text::frozen(at) }</span> },
        None => html! { <span class="stamp live">{ text::live(props.at) }</span> },
    };
    html! {
        <section class="sum-card api">
            <div class="card-head">
                <h4>{ &props.name }</h4>
                { stamp }
            </div>
            if !props.fields.is_empty() {
                <dl>{ for props.fields.iter().filter_map(|pointer| field(&props.value, was, pointer)) }</dl>
            }
            { props.children.clone() }
            <details class="acts json" open={*open} ontoggle={toggled}>
                <summary>
                    { t(Label::Json) }
                    if let Some((since, _)) = before.as_ref().filter(|_| changed > 0) {
                        <span class="n">{ text::lines_changed(changed, *since) }</span>
                    }
                </summary>
                if *open { <pre class="mono" role="region" tabindex="0" aria-label={props.name.clone()}>{ for all.iter().map(line) }</pre> }
            </details>
        </section>
    }
}

fn line(line: &Line) -> Html {
    let text = format!("{}{}\n", "  ".repeat(line.depth), line.text);
    if line.changed {
        html! { <mark>{ text }</mark> }
    } else {
        html! { <>{ text }</> }
    }
}

/// A field of an answer, where it has one.
fn field(now: &Value, was: Option<&Value>, pointer: &str) -> Option<Html> {
    let value = now.pointer(pointer)?;
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let changed = was.is_some_and(|was| was.pointer(pointer) != Some(value));
    Some(html! {
        <div class={changed.then_some("changed-field")}>
            <dt class="mono">{ name.to_owned() }if changed { <span class="only-read">{ t(Label::Changed) }</span> }</dt>
            <dd class="mono">{ crate::form::show(value) }</dd>
        </div>
    })
}

/// What one that trusts one signal says at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Its colour.
    pub colour: Colour,
    /// When it turned.
    pub at: Option<SimTime>,
    /// What it saw, in a sentence.
    pub sentence: String,
    /// What its colour does not say; empty where it does not mislead.
    pub misleads: String,
}

/// The sign of a colour.
pub fn sign(colour: Colour) -> Html {
    match colour {
        Colour::Green => mark::holds(),
        Colour::Red => mark::broken(),
        Colour::Waiting => mark::waits(),
    }
}

/// A colour with its sign and its word, and that it misleads.
pub fn light(light: &Light) -> Html {
    html! {
        <>
            { sign(light.colour) }<b>{ text::light(light.colour) }</b>
            if !light.misleads.is_empty() { <span class="misleads">{ t(Label::Misleading) }</span> }
        </>
    }
}

/// The lights in a few signs, each with whom it is of; one button that leads to the panel.
pub fn tale_lights(lights: &[(&'static str, Light)], on: &Callback<Msg>) -> Html {
    let one = |(who, light): &(&'static str, Light)| {
        let class = classes!("tale-light", (!light.misleads.is_empty()).then_some("is-misleading"));
        html! {
            <span {class} title={light.at.map(|_| format!("{} {}", light.sentence, light.misleads))}>
                { sign(light.colour) }
                <span class="who">{ *who }</span>
                <span class="only-read">{ format!(": {}", text::light(light.colour)) }</span>
                if !light.misleads.is_empty() { <span class="is">{ " " }{ t(Label::Misleading) }</span> }
                <span class="only-read">{ ". " }</span>
            </span>
        }
    };
    let on = on.clone();
    let open = move |_: MouseEvent| {
        on.emit(Msg::Tab(Tab::Api));
        on.emit(Msg::Sheet(Some(Sheet::Details)));
    };
    html! {
        <button type="button" class="tale-lights" id="tale-lights" onclick={open}>
            <span class="only-read">{ t(Label::PipelineLights) }{ ": " }</span>{ for lights.iter().map(one) }
        </button>
    }
}

/// The lights, each with the moment it turned; those up to the end of the run lead there.
pub fn lights(lights: &[Light], (since, end): (Option<SimTime>, SimTime), on: &Callback<Msg>) -> Html {
    let at = |of: &Light| match of.at {
        Some(at) if at <= end => moment(at, on),
        Some(at) => html! { <span>{ text::clock(at) }</span> },
        None => html! { <span></span> },
    };
    let row = |of: &Light| {
        let new = of.at.zip(since).is_some_and(|(at, since)| at > since);
        html! {
            <li class={new.then_some("is-new")}>
                { at(of) }
                <span>
                    <span class="light">{ light(of) }if new { <span class="new-tag">{ t(Label::New) }</span> }</span>
                    <span class="reason">{ &of.sentence }</span>
                    if !of.misleads.is_empty() { <span class="reason why-misleads">{ &of.misleads }</span> }
                </span>
            </li>
        }
    };
    html! { <ul class="seen-lines lights">{ for lights.iter().map(row) }</ul> }
}

/// The alarms that one has to build oneself: since when each is in its state, its figure, its rule.
pub fn own_alarms(alarms: &[OwnState; 3], texts: &[OwnAlarmText; 3], on: &Callback<Msg>) -> Html {
    let row = |(own, of): (&OwnState, &OwnAlarmText)| {
        let sign = match own.state {
            AlarmState::Ok => mark::holds(),
            AlarmState::Alarm => mark::broken(),
            AlarmState::InsufficientData => mark::waits(),
        };
        html! {
            <li class={(own.state == AlarmState::Alarm).then_some("bad")}>
                { moment(own.since, on) }
                <span>
                    <span class="light">{ sign }<b>{ of.state }</b><span>{ of.name }{ ": " }<b>{ &of.value }</b></span></span>
                    <span class="reason">{ &of.rule }</span>
                </span>
            </li>
        }
    };
    html! {
        <section class="own-alarms" id="own-alarms">
            <h4>{ t(Label::OwnAlarms) }</h4>
            <p class="hint">{ t(Label::OwnAlarmsLead) }</p>
            <ul class="seen-lines lights">{ for alarms.iter().zip(texts).map(row) }</ul>
        </section>
    }
}

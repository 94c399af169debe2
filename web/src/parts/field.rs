//! One setting: a label, a control, its default, and what is wrong with it.

use rollscope_scenario::{Problem, Value};
use web_sys::{HtmlInputElement, InputEvent};
use yew::prelude::*;

use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// A setting of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where it stands in the document.
    pub pointer: &'static str,
    /// What it is called.
    pub label: Label,
    /// How its text is read.
    pub kind: FieldKind,
    /// Unit behind the number, or empty.
    pub unit: &'static str,
}

/// The identifier of a field's element.
pub fn id(pointer: &str) -> String {
    format!("f{}", pointer.replace(['/', '.'], "-"))
}

/// The text of an input event.
pub fn input_text(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default()
}

/// The message under a field, with the way out as a button where there is one.
pub fn problem(problem: Option<&Problem>, id: &str, on: &Callback<Msg>) -> Html {
    let Some(problem) = problem else { return Html::default() };
    let mend = problem.nearest.clone().map(|nearest| {
        let label = text::use_nearest(&crate::form::show(&nearest));
        let (pointer, on) = (problem.field.clone(), on.clone());
        let mend = move |_: MouseEvent| on.emit(Msg::Set(vec![(pointer.clone(), nearest.clone())]));
        html! { <button type="button" class="button line small" onclick={mend}>{ label }</button> }
    });
    html! {
        <div class="problem" id={format!("{id}-problem")} role="alert">
            { text::problem(problem) }
            if let Some(answer) = &problem.service_error {
                <div class="way-out">{ text::service_answers(answer) }</div>
            }
            { mend.map(|button| html! { <div>{ button }</div> }).unwrap_or_default() }
        </div>
    }
}

/// A row with a text field.
pub fn text_row(form: &Form, setting: Setting, on: &Callback<Msg>) -> Html {
    let id = id(setting.pointer);
    let found = form.problem(setting.pointer);
    let typed = {
        let (on, setting) = (on.clone(), setting);
        move |event: InputEvent| on.emit(Msg::Type(setting.pointer.into(), setting.kind, input_text(&event)))
    };
    let default = form.default_text(setting.pointer).unwrap_or_default();
    html! {
        <div class="field">
            <div class="row">
                <label for={id.clone()}>
                    { t(setting.label) }
                    if form.is_given(setting.pointer) {
                        <span class="changed"></span><span class="only-read">{ t(Label::Differs) }</span>
                    }
                </label>
                <span class="number-field">
                    <input class="text-input short" id={id.clone()} type="text" autocomplete="off" spellcheck="false"
                        value={form.text(setting.pointer)} placeholder={default}
                        aria-invalid={found.is_some().then_some("true")}
                        aria-describedby={found.is_some().then(|| format!("{id}-problem"))}
                        oninput={typed} />
                    if !setting.unit.is_empty() { <span class="unit">{ setting.unit }</span> }
                </span>
            </div>
            { problem(found, &id, on) }
        </div>
    }
}

/// A switch: absent is its default reading.
pub fn switch(form: &Form, pointer: &'static str, label: &str, default: bool, on: &Callback<Msg>) -> Html {
    let id = id(pointer);
    let checked = form.wanted().pointer(pointer).and_then(Value::as_bool).unwrap_or(default);
    let flip = {
        let on = on.clone();
        move |_: Event| {
            let value = if checked == default { Value::from(!default) } else { Value::Null };
            on.emit(Msg::Set(vec![(pointer.into(), value)]));
        }
    };
    html! {
        <div class="field check">
            <label for={id.clone()}>
                <input type="checkbox" id={id.clone()} checked={checked} onchange={flip} />
                <span>{ label }</span>
            </label>
            { problem(form.problem(pointer), &id, on) }
        </div>
    }
}

//! One setting: a label, a control, its default, the way back to it, and what is wrong with it.

use rollscope_scenario::{Problem, Value, duration};
use web_sys::{HtmlInputElement, InputEvent};
use yew::prelude::*;

use super::icon;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, show};
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

impl Setting {
    /// A time; it may be a distribution.
    pub const fn duration(pointer: &'static str, label: Label) -> Setting {
        Setting { pointer, label, kind: FieldKind::Duration, unit: "" }
    }

    /// A whole number with its unit, or an empty one.
    pub const fn number(pointer: &'static str, label: Label, unit: &'static str) -> Setting {
        Setting { pointer, label, kind: FieldKind::Number, unit }
    }
}

/// The identifier of a field's element.
pub fn id(pointer: &str) -> String {
    format!("f{}", pointer.replace(['/', '.'], "-"))
}

/// The text of an input event.
pub fn input_text(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default()
}

/// The message under a field with the field's name, and the way out as a button where there is one.
pub fn problem(problem: Option<&Problem>, label: &str, id: &str, on: &Callback<Msg>) -> Html {
    let Some(problem) = problem else { return Html::default() };
    let mend = problem.nearest.clone().map(|nearest| {
        let words = text::use_nearest(&show(&nearest));
        html! { <div>{ set_button(words, (problem.field.clone(), nearest), on) }</div> }
    });
    html! {
        <div class="problem" id={format!("{id}-problem")} role="alert">
            { text::field_problem(label, problem) }
            if let Some(answer) = &problem.service_error {
                <div class="way-out">{ text::service_answers(answer) }</div>
            }
            { mend.unwrap_or_default() }
        </div>
    }
}

/// A small button that sets one field.
pub fn set_button(words: String, field: (String, Value), on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let set = move |_: MouseEvent| on.emit(Msg::Set(vec![field.clone()]));
    html! { <button type="button" class="button line small" onclick={set}>{ words }</button> }
}

/// Digits alone in a field for a time are milliseconds; people often mean seconds.
fn digits_hint(form: &Form, setting: &Setting, id: &str, on: &Callback<Msg>) -> Html {
    let text = form.text(setting.pointer);
    let Some((digits, ms)) = bare_digits(setting.kind, &text) else { return Html::default() };
    let seconds = format!("{digits}s");
    // Thousands of them are hardly meant as seconds.
    let mend = (ms < 1_000).then(|| {
        let set = (setting.pointer.to_owned(), Value::from(seconds.as_str()));
        html! { <div>{ set_button(text::use_nearest(&seconds), set, on) }</div> }
    });
    html! {
        <div class="hint" id={format!("{id}-hint")}>
            { text::bare_digits(digits, &duration::print(ms)) }
            { mend.unwrap_or_default() }
        </div>
    }
}

/// The digits and the milliseconds they mean, where a time is written without a unit.
fn bare_digits(kind: FieldKind, text: &str) -> Option<(&str, u64)> {
    let digits = text.trim();
    if kind != FieldKind::Duration || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|ms| *ms > 0).map(|ms| (digits, ms))
}

/// The mark of a value that stands in the document, and the button that takes it out again.
pub fn reset(form: &Form, pointer: &'static str, label: &str, on: &Callback<Msg>) -> Html {
    if !form.is_given(pointer) {
        return Html::default();
    }
    let on = on.clone();
    let take_out = move |_: MouseEvent| on.emit(Msg::Set(vec![(pointer.into(), Value::Null)]));
    let name = text::reset_to(label, &form.default_text(pointer).unwrap_or_default());
    html! {
        <button type="button" class="reset" aria-label={name.clone()} title={name} onclick={take_out}>{ icon::undo() }</button>
    }
}

/// The dot beside the name of a value that stands in the document.
fn dot(form: &Form, pointer: &str) -> Html {
    if !form.is_given(pointer) {
        return Html::default();
    }
    html! { <><span class="changed"></span><span class="only-read">{ t(Label::Differs) }</span></> }
}

/// A row with a text field.
pub fn text_row(form: &Form, setting: Setting, on: &Callback<Msg>) -> Html {
    let id = id(setting.pointer);
    let found = form.problem(setting.pointer);
    let label = t(setting.label);
    let typed = {
        let on = on.clone();
        move |event: InputEvent| on.emit(Msg::Type(setting.pointer.into(), setting.kind, input_text(&event)))
    };
    let text = form.text(setting.pointer);
    let hint = bare_digits(setting.kind, &text).is_some();
    let described = match (found.is_some(), hint) {
        (true, _) => Some(format!("{id}-problem")),
        (false, true) => Some(format!("{id}-hint")),
        (false, false) => None,
    };
    // A distribution needs a line of its own.
    let class = if text.starts_with(['{', '[']) { "row tall" } else { "row" };
    html! {
        <div class="field">
            <div {class}>
                <label for={id.clone()}>{ label }{ dot(form, setting.pointer) }</label>
                <span class="number-field">
                    { reset(form, setting.pointer, label, on) }
                    <input class="text-input short" id={id.clone()} type="text" autocomplete="off" spellcheck="false"
                        value={text} placeholder={form.default_text(setting.pointer).unwrap_or_default()}
                        aria-invalid={found.is_some().then_some("true")} aria-describedby={described} oninput={typed} />
                    <span class="unit">{ setting.unit }</span>
                </span>
            </div>
            { problem(found, label, &id, on) }
            if found.is_none() { { digits_hint(form, &setting, &id, on) } }
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
            <div class="row">
                <label for={id.clone()}>
                    <input type="checkbox" id={id.clone()} checked={checked} onchange={flip} />
                    <span>{ label }{ dot(form, pointer) }</span>
                </label>
                { reset(form, pointer, label, on) }
            </div>
            { problem(form.problem(pointer), label, &id, on) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_without_a_unit_are_asked_about() {
        assert_eq!(bare_digits(FieldKind::Duration, " 15 "), Some(("15", 15)));
        for (kind, text) in [
            (FieldKind::Duration, "15s"),
            (FieldKind::Duration, "0"),
            (FieldKind::Duration, ""),
            (FieldKind::Number, "15"),
        ] {
            assert_eq!(bare_digits(kind, text), None, "{text}");
        }
    }
}

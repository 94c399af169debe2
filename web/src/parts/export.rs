//! Settings as text for other tools: the dialog, and the button that opens it. The second program writes the text.

use std::cell::Cell;
use std::rc::Rc;

use rollscope_scenario::{Value, json};
use rollscope_wording::export::{Word, word};
use yew::prelude::*;

use super::dialogs::{Frame, notes};
use super::icon;
use crate::app::model::{Dialog, Msg};
use crate::app::wiring;
use crate::form::Form;
use crate::lazy;
use crate::text::{Label, t};

/// The button, below the settings; of a group of machines there is no text yet.
pub fn opener(form: &Form, on: &Callback<Msg>) -> Html {
    if form.accepted().is_none() || form.is_asg() || form.is_vm() {
        return Html::default();
    }
    let on = on.clone();
    html! {
        <p class="export-opener"><button type="button" class="button line" id="open-export"
            onclick={move |_: MouseEvent| on.emit(Msg::Show(Dialog::Export))}>{ icon::file() }{ word(Word::Open) }</button></p>
    }
}

/// What the dialog shows.
#[derive(Clone, PartialEq, Properties)]
pub struct ExportProps {
    /// The scenario.
    pub own: Rc<Value>,
    /// The scenario as it was opened.
    pub base: Rc<Value>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The text in a field, by form, whole or only what was changed in the page.
#[component]
pub fn ExportDialog(props: &ExportProps) -> Html {
    let to = use_state(String::new);
    let is_changed = props.own != props.base;
    let changed = use_state(|| is_changed);
    let answer = use_state(|| None::<Result<Value, String>>);
    let copied = use_state(|| false);
    {
        let (answer, copied) = (answer.clone(), copied.clone());
        let asked = ((*to).clone(), *changed, props.own.clone(), props.base.clone());
        use_effect_with(asked, move |(to, changed, own, base)| {
            let order = order(own, changed.then_some(base), to);
            // An answer that comes after another question is void.
            let void = Rc::new(Cell::new(false));
            let late = void.clone();
            copied.set(false);
            wasm_bindgen_futures::spawn_local(async move {
                let said = lazy::export(&order).await;
                if !late.get() {
                    let read = said.map(|text| json::read(&text).map(|read| read.value).unwrap_or_default());
                    answer.set(Some(read.map_err(|error| error.0)));
                }
            });
            move || void.set(true)
        });
    }
    let written = answer.as_ref().and_then(|answer| answer.as_ref().ok());
    let said =
        |key: &str| written.and_then(|tree| tree.get(key)).and_then(Value::as_str).unwrap_or_default().to_owned();
    let text = said("text");
    let copy = {
        let (text, copied) = (text.clone(), copied.clone());
        move |_: MouseEvent| {
            let copied = copied.clone();
            wiring::to_clipboard(&text, move |done| {
                copied.set(done);
                // Where the browser refuses, the text is chosen for a copy by hand.
                wiring::focus("export-text");
            });
        }
    };
    let foot = html! {
        <button type="button" class="button solid" id="export-copy" disabled={text.is_empty()} onclick={copy}>
            { word(if *copied { Word::Copied } else { Word::Copy }) }</button>
    };
    let failed = answer.as_ref().and_then(|answer| answer.as_ref().err());
    html! {
        <Frame title={word(Word::Title)} lead={word(Word::Lead)} class="paste-dialog" {foot} on={props.on.clone()}>
            <div class="export-choices">
                { forms(written, &said("to"), &to) }
                { how_much(&changed) }
            </div>
            <div aria-live="polite">
                { failed.map(|why| html! { <p class="faults" role="alert">{ why }</p> }).unwrap_or_default() }
                if answer.is_none() { <p class="hint">{ t(Label::ReaderLoading) }</p> }
                <p class="hint" id="export-usage">{ said("usage") }</p>
                if !text.is_empty() {
                    <textarea class="paste export-text" id="export-text" readonly={true} spellcheck="false" wrap="off"
                        aria-label={word(Word::Text)} value={text} />
                }
                { asides(written) }
            </div>
        </Frame>
    }
}

/// What the second program is asked.
fn order(own: &Value, base: Option<&Rc<Value>>, to: &str) -> String {
    let mut order = Value::object([("document", own.clone()), ("to", Value::from(to))]);
    if let Some(base) = base {
        order.insert("base", (**base).clone());
    }
    order.to_string()
}

fn forms(written: Option<&Value>, now: &str, to: &UseStateHandle<String>) -> Html {
    let all = written.and_then(|tree| tree.get("forms")).and_then(Value::as_array).unwrap_or_default();
    if all.is_empty() {
        return Html::default();
    }
    let one = |form: &Value| {
        let said = |key: &str| form.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (flag, to) = (said("flag"), to.clone());
        let id = format!("export-{flag}");
        html! {
            <button type="button" {id} aria-pressed={(flag == now).to_string()}
                onclick={move |_: MouseEvent| to.set(flag.clone())}>{ said("name") }</button>
        }
    };
    html! { <div class="segments" role="group" aria-label={word(Word::Form)}>{ for all.iter().map(one) }</div> }
}

fn how_much(changed: &UseStateHandle<bool>) -> Html {
    let one = |which: bool, id: &'static str, words: Word| {
        let changed = changed.clone();
        html! {
            <button type="button" {id} aria-pressed={(which == *changed).to_string()}
                onclick={move |_: MouseEvent| changed.set(which)}>{ word(words) }</button>
        }
    };
    html! {
        <div class="segments" role="group" aria-label={word(Word::HowMuch)}>
            { one(true, "export-changed", Word::Changed) }
            { one(false, "export-all", Word::All) }
        </div>
    }
}

/// What the text does not say by itself.
fn asides(written: Option<&Value>) -> Html {
    let all = written.and_then(|tree| tree.get("notes")).and_then(Value::as_array).unwrap_or_default();
    if all.is_empty() {
        return Html::default();
    }
    let lines: Vec<String> = all.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    html! { <><h3 class="block-title">{ word(Word::Asides) }</h3>{ notes(&lines) }</> }
}

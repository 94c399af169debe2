//! One setting: a label, a control, its default, the way back to it, and what is wrong with it.

use rollscope_scenario::{Problem, Value};
use web_sys::{HtmlInputElement, HtmlSelectElement, InputEvent};
use yew::prelude::*;

use super::icon;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, items, meaning, number_or_text, show};
use crate::say::Say;
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

    /// A whole number.
    pub const fn number(pointer: &'static str, label: Label) -> Setting {
        Setting { pointer, label, kind: FieldKind::Number, unit: "" }
    }

    /// The same with a unit behind it.
    pub const fn with_unit(self, unit: &'static str) -> Setting {
        Setting { unit, ..self }
    }

    /// Whole seconds.
    pub const fn seconds(pointer: &'static str, label: Label) -> Setting {
        Setting { pointer, label, kind: FieldKind::Seconds, unit: "s" }
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

/// Whether a change of a field, or of what stands below it in the document, starts a deployment on ECS.
pub fn effect(label: Option<Label>, pointer: &str) -> Html {
    html! {
        <p class="hint effect" data-of={pointer.to_owned()}>
            if let Some(label) = label { <strong>{ t(label) }</strong>{ ". " } }
            { Say::default().ecs_effect(pointer) }
        </p>
    }
}

/// A small button that sets one field.
pub fn set_button(words: String, field: (String, Value), on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let set = move |_: MouseEvent| on.emit(Msg::Set(vec![field.clone()]));
    html! { <button type="button" class="button line small" onclick={set}>{ words }</button> }
}

/// The mark of a value that stands in the document, and the button that takes it out again.
pub fn reset(form: &Form, pointer: &'static str, label: &str, on: &Callback<Msg>) -> Html {
    if !form.is_given(pointer) {
        return Html::default();
    }
    html! { <Reset form={form.clone()} {pointer} label={label.to_owned()} on={on.clone()} /> }
}

/// What the button that takes a value out shows.
#[derive(Clone, PartialEq, Properties)]
struct ResetProps {
    form: Form,
    pointer: &'static str,
    label: String,
    on: Callback<Msg>,
}

/// Its name tells the default, for which the whole document is checked without the value: a component, so that
/// this is done only where a section is open, and not again until the settings change.
#[component]
fn Reset(props: &ResetProps) -> Html {
    let ResetProps { form, pointer, label, on } = props;
    let (pointer, on) = (*pointer, on.clone());
    let take_out = move |_: MouseEvent| on.emit(Msg::Set(vec![(pointer.into(), Value::Null)]));
    let name = text::reset_to(label, &form.default_without(pointer).unwrap_or_default());
    html! {
        <button type="button" class="reset" aria-label={name.clone()} title={name} onclick={take_out}>{ icon::undo() }</button>
    }
}

/// A name with what stands behind it. One of an API is one long word, with a place for a new line before each of
/// its own words; the last of them and what follows stay together.
fn name_and(name: &str, behind: Html) -> Html {
    let bytes = name.as_bytes();
    let begins = |index: &usize| {
        let (before, here) = (bytes[*index - 1], bytes[*index]);
        before == b' ' || before.is_ascii_lowercase() && here.is_ascii_uppercase()
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for at in (1..bytes.len()).filter(begins) {
        parts.extend(name.get(from..at).map(|part| html! { <>{ part }<wbr/></> }));
        from = at;
    }
    html! { <>{ for parts }<span class="whole">{ name.get(from..).unwrap_or_default() }{ behind }</span></> }
}

/// Letters from which on a word of a sentence may be wider than a panel.
const LONG_WORD: usize = 24;

/// A sentence in which a name of an API that is wider than a panel has places for a new line between its own words,
/// and nothing else breaks.
pub fn sentence(words: &str) -> Html {
    let word = |word: &str| match word.len() > LONG_WORD {
        true => breakable(word),
        false => html! { { word } },
    };
    html! { <>{ for words.split_inclusive(' ').map(word) }</> }
}

/// A name of an API with a place for a new line before each of its words.
pub fn breakable(name: &str) -> Html {
    name_and(name, Html::default())
}

/// The dot beside the name of a value that stands in the document.
fn dot(form: &Form, pointer: &str) -> Html {
    if !form.is_given(pointer) {
        return Html::default();
    }
    html! { <><span class="changed"></span><span class="only-read">{ t(Label::Differs) }</span></> }
}

/// A field for a short text.
#[derive(Clone, PartialEq, Properties)]
pub struct InputProps {
    /// Identifier of the element; a field without one has a `name`.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// What it is called, where no label stands beside it.
    #[prop_or_default]
    pub name: Option<AttrValue>,
    /// How its text is read.
    pub kind: FieldKind,
    /// The value in the document.
    pub value: AttrValue,
    /// What holds while it is empty.
    #[prop_or_default]
    pub placeholder: AttrValue,
    /// What is typed is refused.
    #[prop_or_default]
    pub invalid: bool,
    /// Identifier of what describes it.
    #[prop_or_default]
    pub described: Option<AttrValue>,
    /// What was typed.
    pub on: Callback<String>,
}

/// A field that keeps what is typed, letter by letter, and shows what it means once it is left:
/// `30` stays `30` under the hand and is `30s` afterwards.
#[component]
pub fn Input(props: &InputProps) -> Html {
    let draft = use_mut_ref(|| None::<String>);
    let again = use_force_update();
    // Whatever else changes the value takes the place of what was typed.
    let own = draft.borrow().clone().filter(|text| meaning(props.kind, text) == *props.value);
    let typed = {
        let (draft, on) = (draft.clone(), props.on.clone());
        move |event: InputEvent| {
            let text = input_text(&event);
            draft.replace(Some(text.clone()));
            on.emit(text);
        }
    };
    let left = move |_: Event| {
        draft.replace(None);
        again.force_update();
    };
    html! {
        <input class="text-input short" id={props.id.clone()} type="text" autocomplete="off" spellcheck="false"
            aria-label={props.name.clone()} value={own.map_or_else(|| props.value.clone(), AttrValue::from)}
            placeholder={props.placeholder.clone()} aria-invalid={props.invalid.then_some("true")}
            aria-describedby={props.described.clone()} oninput={typed} onchange={left} />
    }
}

/// A row with a text field; `note` stands under it while nothing is wrong.
pub fn text_row(form: &Form, setting: Setting, note: Option<&'static str>, on: &Callback<Msg>) -> Html {
    let id = id(setting.pointer);
    let found = form.problem(setting.pointer);
    let label = t(setting.label);
    let typed = {
        let on = on.clone();
        Callback::from(move |text: String| on.emit(Msg::Type(setting.pointer.into(), setting.kind, text)))
    };
    let text = form.text(setting.pointer);
    let note = note.filter(|_| found.is_none());
    let described = match (found, note) {
        (Some(_), _) => Some(format!("{id}-problem")),
        (None, Some(_)) => Some(format!("{id}-hint")),
        (None, None) => None,
    };
    // A distribution needs a line of its own.
    let class = if text.starts_with(['{', '[']) { "row tall" } else { "row" };
    html! {
        <div class="field">
            <div {class}>
                <label for={id.clone()}>{ name_and(label, dot(form, setting.pointer)) }</label>
                <span class="number-field">
                    { reset(form, setting.pointer, label, on) }
                    <Input id={id.clone()} kind={setting.kind} value={text} on={typed} invalid={found.is_some()}
                        placeholder={form.default_text(setting.pointer).unwrap_or_default()}
                        described={described.map(AttrValue::from)} />
                    <span class="unit">{ setting.unit }</span>
                </span>
            </div>
            { problem(found, label, &id, on) }
            if let Some(note) = note { <p class="hint" id={format!("{id}-hint")}>{ note }</p> }
        </div>
    }
}

/// One text field of an entry in a list: where it stands, what it is called, and how its text is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Where it stands in the document.
    pub pointer: String,
    /// What it is called, with the name of its entry.
    pub name: String,
    /// How its text is read.
    pub kind: FieldKind,
    /// What holds while it is empty.
    pub placeholder: String,
}

impl Cell {
    /// A whole number whose default is shown while it is empty.
    pub fn number(form: &Form, pointer: String, name: String) -> Cell {
        let placeholder = form.default_text(&pointer).unwrap_or_default();
        Cell { pointer, name, kind: FieldKind::Number, placeholder }
    }
}

/// A row with one field or more of an entry in a list, divided by a word.
pub fn cells(form: &Form, label: &str, list: &[Cell], between: &str, on: &Callback<Msg>) -> Html {
    let input = |(index, cell): (usize, &Cell)| {
        let (on, pointer, kind) = (on.clone(), cell.pointer.clone(), cell.kind);
        let typed = Callback::from(move |text: String| on.emit(Msg::Type(pointer.clone(), kind, text)));
        let wrong = form.problem(&cell.pointer).is_some();
        html! {
            <>
                if index > 0 && !between.is_empty() { <span>{ between }</span> }
                <Input id={id(&cell.pointer)} name={cell.name.clone()} kind={cell.kind} value={form.text(&cell.pointer)}
                    placeholder={cell.placeholder.clone()} invalid={wrong} on={typed}
                    described={wrong.then(|| AttrValue::from(format!("{}-problem", id(&cell.pointer))))} />
            </>
        }
    };
    let class = match (list.len(), between) {
        (1, _) => "pair one",
        (_, "") => "pair wide",
        _ => "pair worded",
    };
    html! {
        <div class="field">
            <div class="row">
                <span class="row-label">{ label }</span>
                <span {class}>{ for list.iter().enumerate().map(input) }</span>
            </div>
            { for list.iter().map(|cell| problem(form.problem(&cell.pointer), &cell.name, &id(&cell.pointer), on)) }
        </div>
    }
}

/// A row with a list of words or numbers, divided by commas; an emptied one is absent.
pub fn list_row(form: &Form, pointer: &str, label: &str, name: &str, on: &Callback<Msg>) -> Html {
    let typed = {
        let (on, pointer) = (on.clone(), pointer.to_owned());
        Callback::from(move |text: String| {
            let list: Vec<Value> = items(&text).map(number_or_text).collect();
            let value = if list.is_empty() { Value::Null } else { Value::Array(list) };
            on.emit(Msg::Set(vec![(pointer.clone(), value)]));
        })
    };
    let list = form.wanted().pointer(pointer).and_then(Value::as_array).unwrap_or_default();
    let list: Vec<String> = list.iter().map(show).collect();
    let found = form.problem(pointer);
    html! {
        <div class="field">
            <div class="row">
                <label for={id(pointer)}>{ label }</label>
                <Input id={id(pointer)} name={name.to_owned()} kind={FieldKind::List} value={list.join(", ")} placeholder={t(Label::NoneGiven)}
                    invalid={found.is_some()} on={typed} />
            </div>
            { problem(found, name, &id(pointer), on) }
        </div>
    }
}

/// A choice that sets several fields at once; it is undone as one.
pub fn choice(
    key: &str,
    label: &str,
    options: &[(&'static str, bool)],
    fields: impl Fn(usize) -> Vec<(String, Value)> + 'static,
    on: &Callback<Msg>,
) -> Html {
    let on = on.clone();
    select(key, label, options, move |index| on.emit(Msg::Choose(fields(index))))
}

/// A small button that sets several fields at once.
pub fn choose_button(words: &str, fields: Vec<(String, Value)>, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let choose = move |_: MouseEvent| on.emit(Msg::Choose(fields.clone()));
    html! { <button type="button" class="button line small" onclick={choose}>{ words }</button> }
}

/// A list with one more entry, or without one; an empty list is absent.
pub fn with_entry(form: &Form, pointer: &str, entry: Value) -> (String, Value) {
    let list = form.wanted().pointer(pointer).and_then(Value::as_array).unwrap_or_default();
    (pointer.to_owned(), Value::Array(list.iter().cloned().chain([entry]).collect()))
}

/// The same list without one of its entries.
pub fn without_entry(form: &Form, pointer: &str, index: usize) -> (String, Value) {
    let list = form.wanted().pointer(pointer).and_then(Value::as_array).unwrap_or_default();
    let rest = list.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, entry)| entry.clone());
    let rest: Vec<Value> = rest.collect();
    (pointer.to_owned(), if rest.is_empty() { Value::Null } else { Value::Array(rest) })
}

/// The heading of an entry in a list, with the button that takes it out.
pub fn entry_head(title: &str, fields: Vec<(String, Value)>, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let take_out = move |_: MouseEvent| on.emit(Msg::Choose(fields.clone()));
    let name = text::remove(title);
    html! {
        <div class="entry-head">
            <h3>{ title.to_owned() }</h3>
            <button type="button" class="reset" aria-label={name.clone()} title={name} onclick={take_out}>{ icon::cross() }</button>
        </div>
    }
}

/// A switch: absent is its default reading.
pub fn switch(form: &Form, pointer: &'static str, label: &str, default: bool, on: &Callback<Msg>) -> Html {
    noted_switch(form, pointer, label, "", default, on)
}

/// A switch with a note under it, unless that is empty.
pub fn noted_switch(
    form: &Form,
    pointer: &'static str,
    label: &str,
    note: &'static str,
    default: bool,
    on: &Callback<Msg>,
) -> Html {
    let id = id(pointer);
    let described = (!note.is_empty()).then(|| format!("{id}-hint"));
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
                    <input type="checkbox" id={id.clone()} checked={checked} onchange={flip} aria-describedby={described.clone()} />
                    <span>{ label }{ dot(form, pointer) }</span>
                </label>
                { reset(form, pointer, label, on) }
            </div>
            { problem(form.problem(pointer), label, &id, on) }
            if described.is_some() { <p class="hint" id={described}>{ note }</p> }
        </div>
    }
}

/// A switch whose document is written by `write`: for what belongs to a whole, or has to be given.
pub fn toggle(
    form: &Form,
    pointer: &'static str,
    label: &str,
    checked: bool,
    write: impl Fn(bool) -> Vec<(String, Value)> + 'static,
    on: &Callback<Msg>,
) -> Html {
    let id = id(pointer);
    let flip = {
        let on = on.clone();
        move |_: Event| on.emit(Msg::Set(write(!checked)))
    };
    html! {
        <div class="field check">
            <div class="row">
                <label for={id.clone()}>
                    <input type="checkbox" id={id.clone()} {checked} onchange={flip} />
                    <span>{ label }{ dot(form, pointer) }</span>
                </label>
            </div>
            { problem(form.problem(pointer).filter(|problem| problem.field == pointer), label, &id, on) }
        </div>
    }
}

/// A choice of a list, each option with whether it is the present one.
pub fn select(id: &str, label: &str, options: &[(&'static str, bool)], chosen: impl Fn(usize) + 'static) -> Html {
    let change = move |event: Event| {
        let index = event.target_dyn_into::<HtmlSelectElement>().map_or(-1, |select| select.selected_index());
        if let Ok(index) = usize::try_from(index) {
            chosen(index);
        }
    };
    let option = |(label, selected): &(&'static str, bool)| html! { <option selected={*selected}>{ *label }</option> };
    html! {
        <div class="row">
            <label for={id.to_owned()}>{ label }</label>
            <select class="select" id={id.to_owned()} onchange={change}>{ for options.iter().map(option) }</select>
        </div>
    }
}

/// A list of the values that a field of the platform may have. The first one is the default and stands in no
/// document; what only goes with it, `of_default`, is taken out with another value.
pub fn one_of(
    form: &Form,
    setting: Setting,
    values: &'static [&'static str],
    of_default: Option<&'static str>,
    on: &Callback<Msg>,
) -> Html {
    let given = form.text(setting.pointer);
    let now = if given.is_empty() { values.first().copied().unwrap_or_default() } else { &given };
    // A word that the platform does not know stands in the list until another one is chosen.
    let unknown = !values.contains(&now);
    let change = {
        let (on, pointer) = (on.clone(), setting.pointer.to_owned());
        move |event: Event| {
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(-1, |select| select.selected_index());
            let Some(value) = usize::try_from(index).ok().and_then(|index| values.get(index)) else { return };
            let first = index == 0;
            let field = (pointer.clone(), if first { Value::Null } else { Value::from(*value) });
            let out = of_default.filter(|_| !first).map(|pointer| (pointer.to_owned(), Value::Null));
            on.emit(Msg::Choose([field].into_iter().chain(out).collect()));
        }
    };
    let (id, label) = (id(setting.pointer), t(setting.label));
    let option = |value: &&'static str| html! { <option selected={*value == now}>{ *value }</option> };
    let found = form.problem(setting.pointer);
    html! {
        <div class="field">
            <div class="row">
                <label for={id.clone()}>{ name_and(label, dot(form, setting.pointer)) }</label>
                <select class="select" id={id.clone()} onchange={change} aria-invalid={found.is_some().then_some("true")}
                    aria-describedby={found.is_some().then(|| format!("{id}-problem"))}>
                    { for values.iter().map(option) }
                    if unknown { <option selected=true>{ now.to_owned() }</option> }
                </select>
            </div>
            { problem(found, label, &id, on) }
        </div>
    }
}

/// A value that follows from others.
pub fn fact(label: &str, value: &str) -> Html {
    html! { <div class="row"><span class="row-label">{ label }</span><strong class="fact">{ value }</strong></div> }
}

//! Single starts of a revision with a fate of their own, one row each.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::fate::{KINDS, one, simple};
use super::field::{Input, problem};
use super::icon;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// What becomes of single starts of the old revision; the tasks that exist at time 0 are its first ones.
pub const OLD: &str = "/old/by_start";

type Entry = (String, Value);

fn entries(form: &Form, pointer: &str) -> Vec<Entry> {
    form.wanted().pointer(pointer).and_then(Value::as_object).unwrap_or_default().to_vec()
}

fn write(entries: &[Entry]) -> Value {
    if entries.is_empty() { Value::Null } else { Value::object(entries.iter().cloned()) }
}

/// A list with another entry at a place, or without the one that is there.
fn with(entries: &[Entry], index: usize, entry: Option<Entry>) -> Vec<Entry> {
    let mut list = entries.to_vec();
    list.splice(index..=index, entry);
    list
}

/// The rows of the starts under `pointer`.
pub fn rows(form: &Form, pointer: &'static str, label: Label, on: &Callback<Msg>) -> Html {
    let list = entries(form, pointer);
    html! {
        <div class="field">
            <h3>{ t(label) }</h3>
            { for (0..list.len()).map(|index| row(&list, index, pointer, on)) }
            { problem(form.problem(pointer), t(label), "starts", on) }
        </div>
    }
}

fn row(list: &[Entry], index: usize, pointer: &'static str, on: &Callback<Msg>) -> Html {
    let (start, fate) = list[index].clone();
    let known = simple(&fate);
    let (name, value) = known.clone().unwrap_or_default();
    let set = {
        let (on, list) = (on.clone(), list.to_vec());
        move |entry: Option<Entry>| on.emit(Msg::Set(vec![(pointer.to_owned(), write(&with(&list, index, entry)))]))
    };
    let numbered = {
        let (set, fate) = (set.clone(), fate.clone());
        Callback::from(move |text: String| set(Some((text, fate.clone()))))
    };
    let valued = {
        let (set, start, name) = (set.clone(), start.clone(), name.clone());
        Callback::from(move |text: String| set(Some((start.clone(), one(&name, Some(&text))))))
    };
    let chosen = {
        let (set, start) = (set.clone(), start.clone());
        move |event: Event| {
            if let Some(kind) = super::fate::selected(&event).and_then(|index| KINDS.get(index)) {
                set(Some((start.clone(), one(kind.name, kind.value))));
            }
        }
    };
    let remove = text::remove(&text::single_start(&start));
    html! {
        <div class="row change-row">
            <Input name={text::single_start("")} kind={FieldKind::Number} value={start.clone()} on={numbered} />
            <select class="select" aria-label={text::single_start(&start)} onchange={chosen}>
                { for KINDS.iter().map(|kind| html! { <option selected={kind.name == name}>{ t(kind.label) }</option> }) }
                if known.is_none() { <option selected={true} disabled={true}>{ t(Label::FateOther) }</option> }
            </select>
            if let Some(value) = value {
                <Input name={text::fate_number(&name)} kind={FieldKind::Duration} value={value} on={valued} />
            }
            <button type="button" class="reset" aria-label={remove.clone()} title={remove} onclick={move |_: MouseEvent| set(None)}>{ icon::cross() }</button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, PRESETS};

    use super::*;

    #[test]
    fn every_start_of_a_preset_is_written_as_it_was_read() {
        let mut seen = 0;
        for preset in PRESETS {
            let form = Form::new(&Document::from_text(preset.document).document);
            for pointer in [OLD, super::super::fate::BY_START] {
                let list = entries(&form, pointer);
                for (start, fate) in &list {
                    let (name, value) = simple(fate).unwrap_or_else(|| panic!("{}: {start}", preset.id));
                    assert_eq!(one(&name, value.as_deref()), *fate, "{}: {start}", preset.id);
                    seen += 1;
                }
                if !list.is_empty() {
                    assert_eq!(Some(&write(&list)), form.wanted().pointer(pointer), "{}", preset.id);
                }
            }
        }
        assert!(seen > 10, "only {seen} starts");
    }

    #[test]
    fn a_row_is_changed_and_taken_out() {
        let list = [("1".to_owned(), Value::from("hangs")), ("2".to_owned(), Value::from("healthy"))];
        let changed = with(&list, 0, Some(("3".to_owned(), one("exits_after", Some("30")))));
        assert_eq!(
            write(&changed).to_string().split_whitespace().collect::<String>(),
            r#"{"3":{"exits_after":"30s"},"2":"healthy"}"#
        );
        assert_eq!(write(&with(&list[..1], 0, None)), Value::Null);
    }
}

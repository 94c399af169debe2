//! What else the new revision can bring: bad responses, a schema it expects, image digests that do
//! not resolve.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::field::{Input, Setting, problem, switch, text_row};
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, number_or_text, read_duration, show};
use crate::text::{self, Label, t};

/// Share of the responses that are bad, as `[hits, of]`.
pub const BAD: &str = "/new/bad_responses";
/// The schema the new revision expects.
pub const EXPECTS: Setting = Setting::number("/new/expects", Label::Expects);
/// The schema the old one expects.
pub const EXPECTS_OLD: Setting = Setting::number("/old/expects", Label::ExpectsOld);
/// The schema of the database over time.
pub const SCHEMA: &str = "/schema";
/// Its image digests do not resolve.
pub const DIGESTS: &str = "/new/digest_fails";
/// Responses a share is given of, where nothing else is said.
const OF: &str = "100";

/// The fields.
pub fn fields(form: &Form, on: &Callback<Msg>) -> Html {
    html! {
        <>
            { bad_responses(form, on) }
            { text_row(form, EXPECTS, None, on) }
            if [EXPECTS.pointer, EXPECTS_OLD.pointer, SCHEMA].iter().any(|pointer| form.is_given(pointer)) {
                { text_row(form, EXPECTS_OLD, None, on) }
                { schema(form, on) }
            }
            { switch(form, DIGESTS, t(Label::DigestFails), false, on) }
        </>
    }
}

fn bad_responses(form: &Form, on: &Callback<Msg>) -> Html {
    let part = |index: usize| {
        let given = form.wanted().pointer(BAD);
        given.and_then(|given| given.at(index)).map(show).unwrap_or_default()
    };
    let (hits, of) = (part(0), part(1));
    let set = |write: fn(String, String, String) -> (String, String)| {
        let (on, hits, of) = (on.clone(), hits.clone(), of.clone());
        Callback::from(move |text: String| {
            let (hits, of) = write(text, hits.clone(), of.clone());
            let value = Value::array([number_or_text(&hits), number_or_text(&of)]);
            on.emit(Msg::Set(vec![(BAD.into(), if hits.trim().is_empty() { Value::Null } else { value })]));
        })
    };
    let set_hits = set(|text, _, of| (text, if of.is_empty() { OF.to_owned() } else { of }));
    let set_of = set(|text, hits, _| (if hits.is_empty() { "1".to_owned() } else { hits }, text));
    let found = form.problem(BAD);
    html! {
        <div class="field">
            <div class="row">
                <label for="bad-hits">{ t(Label::BadResponses) }</label>
                <span class="pair">
                    <Input id="bad-hits" kind={FieldKind::Number} value={hits} placeholder="0" invalid={found.is_some()} on={set_hits} />
                    <label for="bad-of">{ t(Label::OutOf) }</label>
                    <Input id="bad-of" kind={FieldKind::Number} value={of} placeholder={OF} on={set_of} />
                </span>
            </div>
            { problem(found, t(Label::BadResponses), "bad-responses", on) }
        </div>
    }
}

/// A schema and from when on it is there, as typed.
type Step = (String, String);

fn steps(form: &Form) -> Vec<Step> {
    let list = form.wanted().pointer(SCHEMA).and_then(Value::as_array).unwrap_or_default();
    let text = |item: &Value, key: &str| item.get(key).map(show).unwrap_or_default();
    list.iter().map(|item| (text(item, "at"), text(item, "version"))).collect()
}

fn write(steps: &[Step]) -> Value {
    let step = |(at, version): &Step| Value::object([("at", read_duration(at)), ("version", number_or_text(version))]);
    let written: Vec<Value> = steps.iter().filter(|(_, version)| !version.trim().is_empty()).map(step).collect();
    if written.is_empty() { Value::Null } else { Value::Array(written) }
}

/// The schema at the start, and one later migration.
fn schema(form: &Form, on: &Callback<Msg>) -> Html {
    let steps = steps(form);
    let input = |index: usize, is_time: bool, name: String, value: String| {
        let (on, steps) = (on.clone(), steps.clone());
        let typed = Callback::from(move |text: String| {
            let mut steps = steps.clone();
            while steps.len() <= index {
                let at = if steps.is_empty() { "0s" } else { "1m" };
                steps.push((at.to_owned(), String::new()));
            }
            *(if is_time { &mut steps[index].0 } else { &mut steps[index].1 }) = text;
            on.emit(Msg::Set(vec![(SCHEMA.into(), write(&steps))]));
        });
        let kind = if is_time { FieldKind::Duration } else { FieldKind::Number };
        html! { <Input {name} {kind} {value} on={typed} /> }
    };
    let at = |index: usize| steps.get(index).cloned().unwrap_or_default();
    let later = |index: usize| {
        let (from, version) = at(index);
        let label = t(Label::SchemaLater);
        html! {
            <div class="row change-row">
                <span class="words">{ t(Label::SchemaFrom) }</span>
                { input(index, true, text::alarm_field(label, t(Label::SchemaFrom)), from) }
                <span class="words">{ t(Label::SchemaVersion) }</span>
                { input(index, false, text::alarm_field(label, t(Label::SchemaVersion)), version) }
            </div>
        }
    };
    html! {
        <div class="field">
            <div class="row">
                <span class="row-label">{ t(Label::SchemaNow) }</span>
                { input(0, false, t(Label::SchemaNow).to_owned(), at(0).1) }
            </div>
            if !steps.is_empty() { { for (1..steps.len().max(2)).map(later) } }
            { problem(form.problem(SCHEMA), t(Label::SchemaNow), "schema", on) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_a_version_is_not_written() {
        let step = |at: &str, version: &str| (at.to_owned(), version.to_owned());
        assert_eq!(write(&[step("0s", "")]), Value::Null);
        let two = write(&[step("0s", "41"), step("1m", "")]);
        assert_eq!(two.as_array().map(<[Value]>::len), Some(1));
    }
}

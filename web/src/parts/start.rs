//! What exists at time 0: a steady service, or deployments with their tasks by state.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::field::{Input, id, problem, select, set_button};
use super::sections::Section;
use crate::app::model::{Dial, Msg};
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Where it stands in the document.
pub const START: &str = "/start";
const DEPLOYMENTS: &str = "/start/deployments";
/// Where a rollout stands; the first one holds where nothing is written.
const STATES: [(&str, Label); 3] =
    [("COMPLETED", Label::StartCompleted), ("IN_PROGRESS", Label::StartInProgress), ("FAILED", Label::StartFailed)];
/// Counts of a deployment.
const COUNTS: [(&str, Label); 7] = [
    ("healthy", Label::StartHealthy),
    ("protected", Label::StartProtected),
    ("running", Label::StartRunning),
    ("pending", Label::StartPending),
    ("unhealthy", Label::StartUnhealthy),
    ("stopping", Label::StartStopping),
    ("failedTasks", Label::StartFailedTasks),
];

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let count = deployments(form).len();
    let given = form.is_given(START);
    let way = if given {
        set_button(t(Label::StartFromSteady).to_owned(), (START.into(), Value::Null), on)
    } else {
        set_button(t(Label::StartFromRollout).to_owned(), (START.into(), in_progress(form)), on)
    };
    html! {
        <Section name={t(Label::StartSection)} value={text::start_value(count)} changed={given} wrong={form.problem(START).is_some()}>
            <p class="hint">{ t(if given { Label::StartLead } else { Label::StartSteady }) }</p>
            <div>{ way }</div>
            { for (0..count).map(|index| deployment(form, index, on)) }
            { problem(form.problem(DEPLOYMENTS).filter(|found| found.field == DEPLOYMENTS), t(Label::StartSection), "start", on) }
        </Section>
    }
}

fn deployments(form: &Form) -> &[Value] {
    form.wanted().pointer(DEPLOYMENTS).and_then(Value::as_array).unwrap_or_default()
}

/// A rollout that has just begun: everything old is healthy, one new task runs.
fn in_progress(form: &Form) -> Value {
    let number = |pointer: &str, default: i64| Value::from(form.number(pointer).unwrap_or(default));
    let old =
        Value::object([("revision", number("/old/revision", 7)), ("healthy", number(Dial::Desired.pointer(), 1))]);
    let new = Value::object([
        ("revision", number("/new/revision", 8)),
        ("rolloutState", Value::from(STATES[1].0)),
        ("running", Value::from(1)),
    ]);
    Value::object([("deployments", Value::array([old, new]))])
}

fn deployment(form: &Form, index: usize, on: &Callback<Msg>) -> Html {
    let at = format!("{DEPLOYMENTS}/{index}");
    let revision = form.text(&format!("{at}/revision"));
    let state = format!("{at}/rolloutState");
    let written = form.text(&state);
    let now = STATES.iter().position(|(name, _)| *name == written).unwrap_or(0);
    let options: Vec<(&str, bool)> = STATES.iter().enumerate().map(|(i, (_, label))| (t(*label), i == now)).collect();
    let chosen = {
        let (on, state) = (on.clone(), state.clone());
        move |index: usize| {
            let name = STATES.get(index).map_or(Value::Null, |(name, _)| Value::from(*name));
            on.emit(Msg::Set(vec![(state.clone(), name)]));
        }
    };
    html! {
        <>
            <h3>{ text::start_revision(&revision) }</h3>
            <div class="field">
                { select(&id(&state), t(Label::StartState), &options, chosen) }
                { problem(form.problem(&state), t(Label::StartState), &id(&state), on) }
            </div>
            { for COUNTS.iter().map(|(key, label)| count(form, format!("{at}/{key}"), t(*label), on)) }
        </>
    }
}

fn count(form: &Form, pointer: String, label: &'static str, on: &Callback<Msg>) -> Html {
    let (id, found) = (id(&pointer), form.problem(&pointer));
    let typed = {
        let (on, pointer) = (on.clone(), pointer.clone());
        Callback::from(move |text: String| on.emit(Msg::Type(pointer.clone(), FieldKind::Number, text)))
    };
    html! {
        <div class="field">
            <div class="row">
                <label for={id.clone()}>{ label }</label>
                <span class="number-field">
                    <Input id={id.clone()} kind={FieldKind::Number} value={form.text(&pointer)} placeholder="0" invalid={found.is_some()}
                        described={found.map(|_| AttrValue::from(format!("{id}-problem")))} on={typed} />
                </span>
            </div>
            { problem(found, label, &id, on) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::Document;

    use super::*;

    #[test]
    fn a_rollout_under_way_is_written_and_taken_out_again() {
        let text = r#"{"service":{"desiredCount":6},"new":{"revision":12},"old":{"revision":11}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        let before = form.clone();
        let start = in_progress(&form);
        form.set(START, start);
        assert!(!form.refused(), "{:?}", form.problems());
        assert_eq!(deployments(&form).len(), 2);
        assert_eq!(form.text("/start/deployments/0/revision"), "11");
        form.type_into("/start/deployments/0/protected", FieldKind::Number, "7");
        assert!(form.problem("/start/deployments/0/protected").is_some(), "only 6 are healthy");
        form.type_into("/start/deployments/0/protected", FieldKind::Number, "2");
        assert!(!form.refused());
        form.set(START, Value::Null);
        assert_eq!(form.wanted(), before.wanted());
    }
}

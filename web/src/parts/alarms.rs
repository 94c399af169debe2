//! CloudWatch alarms of a deployment: their names, what each does over time, and the bake time.

use rollscope_scenario::{Value, edit};
use yew::prelude::*;

use super::breaker::{params, switched};
use super::field::{Input, Setting, id, problem, select, text_row, toggle};
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, items, number_or_text, read_duration, show};
use crate::text::{self, Label, t};

/// Where they stand in the document.
pub const ALARMS: &str = "/service/deploymentConfiguration/alarms";
const DEPLOYMENT: &str = "/service/deploymentConfiguration";
const ENABLE: &str = "/service/deploymentConfiguration/alarms/enable";
const ROLLBACK: &str = "/service/deploymentConfiguration/alarms/rollback";
const NAMES: &str = "/service/deploymentConfiguration/alarms/alarmNames";
/// Minutes of bake time.
pub const BAKE: Setting = Setting::number("/service/deploymentConfiguration/bakeTimeInMinutes", Label::BakeMinutes);
/// How the alarms fare.
pub const FARE: &str = "/alarms";
/// Name of the alarm it begins with.
const FIRST: &str = "errors";

/// How an alarm fares, with what is typed.
#[derive(Clone, Debug, PartialEq)]
enum Does {
    StaysOk,
    Fires { at: String, clears: String },
    AtStart,
    Derived { hits: String, of: String, lasting: String },
    Other,
}

const CHOICES: [Label; 4] = [Label::AlarmStaysOk, Label::AlarmFires, Label::AlarmAtStart, Label::AlarmDerived];

impl Does {
    fn of(entry: Option<&Value>) -> Does {
        let Some(entry) = entry else { return Does::StaysOk };
        let has = |key: &str| entry.get(key).is_some();
        let text = |value: Option<&Value>| value.map(show).unwrap_or_default();
        let changes = entry.get("changes").and_then(Value::as_array).unwrap_or_default();
        let moment = |index: usize, state: &str| {
            let change = changes.get(index).filter(|change| change.get("state").and_then(Value::as_str) == Some(state));
            change.map(|change| text(change.get("at")))
        };
        match (entry.get("at_start").and_then(Value::as_str), changes.len()) {
            (None, 0) if has("bad_responses_over") => {
                let over = entry.get("bad_responses_over");
                let part = |index| text(over.and_then(|over| over.at(index)));
                Does::Derived { hits: part(0), of: part(1), lasting: text(entry.get("for")) }
            }
            _ if has("bad_responses_over") => Does::Other,
            (Some("ALARM"), 0) => Does::AtStart,
            (None, 1 | 2) => match (moment(0, "ALARM"), moment(1, "OK")) {
                (Some(at), None) if changes.len() == 1 => Does::Fires { at, clears: String::new() },
                (Some(at), Some(clears)) => Does::Fires { at, clears },
                _ => Does::Other,
            },
            (None | Some("OK"), 0) => Does::StaysOk,
            _ => Does::Other,
        }
    }

    /// What it begins with when it is chosen.
    fn chosen(index: usize) -> Does {
        let text = str::to_owned;
        match index {
            1 => Does::Fires { at: text("1m"), clears: String::new() },
            2 => Does::AtStart,
            3 => Does::Derived { hits: text("1"), of: text("100"), lasting: text("2m") },
            _ => Does::StaysOk,
        }
    }

    fn index(&self) -> usize {
        match self {
            Does::StaysOk => 0,
            Does::Fires { .. } => 1,
            Does::AtStart => 2,
            Does::Derived { .. } => 3,
            Does::Other => CHOICES.len(),
        }
    }

    /// The entry of the document; an alarm that stays OK has none.
    fn write(&self, name: &str) -> Option<Value> {
        let mut entry = Value::object([("name", Value::from(name))]);
        match self {
            Does::StaysOk | Does::Other => return None,
            Does::AtStart => entry.insert("at_start", "ALARM"),
            Does::Fires { at, clears } => {
                let change =
                    |at: &str, state: &str| Value::object([("at", read_duration(at)), ("state", state.into())]);
                let clears = Some(clears).filter(|clears| !clears.trim().is_empty());
                let changes = [Some(change(at, "ALARM")), clears.map(|clears| change(clears, "OK"))];
                entry.insert("changes", Value::array(changes.into_iter().flatten()));
            }
            Does::Derived { hits, of, lasting } => {
                entry.insert("bad_responses_over", Value::array([number_or_text(hits), number_or_text(of)]));
                if !lasting.trim().is_empty() {
                    entry.insert("for", read_duration(lasting));
                }
            }
        }
        Some(entry)
    }
}

fn entries(form: &Form) -> &[Value] {
    form.wanted().pointer(FARE).and_then(Value::as_array).unwrap_or_default()
}

fn is_named(entry: &Value, name: &str) -> bool {
    entry.get("name").and_then(Value::as_str) == Some(name)
}

/// The list of entries with another one for this alarm; an empty list is absent.
fn with(list: &[Value], name: &str, does: &Does) -> Value {
    let others = list.iter().filter(|entry| !is_named(entry, name)).cloned();
    let list: Vec<Value> = others.chain(does.write(name)).collect();
    if list.is_empty() { Value::Null } else { Value::Array(list) }
}

/// Names of the alarms as the document has them.
fn names(form: &Form) -> Vec<String> {
    form.wanted().pointer(NAMES).and_then(Value::as_array).unwrap_or_default().iter().map(show).collect()
}

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let watch = params(form).and_then(|params| params.alarms);
    let is_on = switched(form, ENABLE, watch.is_some());
    let names = if is_on { names(form) } else { Vec::new() };
    let bake = form.text(BAKE.pointer);
    let bake = if bake.is_empty() { form.default_text(BAKE.pointer).unwrap_or_default() } else { bake };
    let shifts = edit::strategy(form.wanted()).is_some();
    let own = if shifts { vec![ALARMS, FARE] } else { vec![ALARMS, BAKE.pointer, FARE] };
    let rolls_back = switched(form, ROLLBACK, watch.is_some_and(|watch| watch.rollback));
    let flip = move |on: bool| {
        let alarms = Value::object([
            ("alarmNames", Value::array([FIRST])),
            ("enable", Value::from(true)),
            ("rollback", Value::from(true)),
        ]);
        if on {
            return vec![(ALARMS.into(), alarms)];
        }
        // What belongs to them says nothing without them; a shift of traffic has a bake time of its own.
        let bake = (!shifts).then_some(BAKE.pointer);
        [ALARMS, FARE].into_iter().chain(bake).map(|pointer| (pointer.into(), Value::Null)).collect()
    };
    let given = own.iter().any(|pointer| form.is_given(pointer));
    let wrong = own.iter().any(|pointer| form.problem(pointer).is_some());
    html! {
        <Section name={t(Label::AlarmsSection)} value={text::alarms_value(names.len(), rolls_back, &bake)} changed={given} {wrong}
            on_ecs={vec![(None, DEPLOYMENT)]}>
            { toggle(form, ENABLE, t(Label::Enabled), is_on, flip, on) }
            if is_on {
                { toggle(form, ROLLBACK, t(Label::RollBack), rolls_back, |on| vec![(ROLLBACK.into(), on.into())], on) }
                { of_names(form, &names, on) }
                if !shifts { { text_row(form, BAKE, None, on) } }
                { for names.iter().enumerate().map(|(index, name)| does(form, index, name, on)) }
                { problem(form.problem(FARE), t(Label::AlarmsSection), "alarms", on) }
            }
        </Section>
    }
}

/// The names, divided by commas.
fn of_names(form: &Form, names: &[String], on: &Callback<Msg>) -> Html {
    let typed = {
        let on = on.clone();
        Callback::from(move |text: String| {
            on.emit(Msg::Set(vec![(NAMES.into(), Value::array(items(&text)))]));
        })
    };
    let found = form.problem(NAMES);
    html! {
        <div class="field">
            <div class="row tall">
                <label for={id(NAMES)}>{ t(Label::AlarmNames) }</label>
                <span class="number-field">
                    <Input id={id(NAMES)} kind={FieldKind::List} value={names.join(", ")} invalid={found.is_some()} on={typed} />
                </span>
            </div>
            { problem(found, t(Label::AlarmNames), "alarm-names", on) }
        </div>
    }
}

/// What one alarm does.
fn does(form: &Form, index: usize, name: &str, on: &Callback<Msg>) -> Html {
    let now = Does::of(entries(form).iter().find(|entry| is_named(entry, name)));
    let set = {
        let (on, list, name) = (on.clone(), entries(form).to_vec(), name.to_owned());
        move |does: &Does| on.emit(Msg::Set(vec![(FARE.into(), with(&list, &name, does))]))
    };
    let choose = {
        let set = set.clone();
        move |index: usize| set(&Does::chosen(index))
    };
    let mut options: Vec<(&str, bool)> =
        CHOICES.iter().enumerate().map(|(choice, label)| (t(*label), choice == now.index())).collect();
    if now == Does::Other {
        options.push((t(Label::AlarmOther), true));
    }
    let input = |label: Label, kind: FieldKind, value: &str, put: fn(&mut Does, String)| {
        let (set, now) = (set.clone(), now.clone());
        let typed = Callback::from(move |text: String| {
            let mut does = now.clone();
            put(&mut does, text);
            set(&does);
        });
        html! { <Input name={text::alarm_field(name, t(label))} {kind} value={value.to_owned()} on={typed} /> }
    };
    let row = |label: Label, control: Html| {
        html! { <div class="row"><span class="row-label">{ t(label) }</span><span class="pair">{ control }</span></div> }
    };
    let more = match &now {
        Does::Fires { at, clears } => html! {
            <>
                { row(Label::AlarmAt, input(Label::AlarmAt, FieldKind::Duration, at, |does, text| {
                    if let Does::Fires { at, .. } = does { *at = text; }
                })) }
                { row(Label::AlarmClears, input(Label::AlarmClears, FieldKind::Duration, clears, |does, text| {
                    if let Does::Fires { clears, .. } = does { *clears = text; }
                })) }
            </>
        },
        Does::Derived { hits, of, lasting } => html! {
            <>
                { row(Label::AlarmOver, html! {
                    <>
                        { input(Label::AlarmOver, FieldKind::Number, hits, |does, text| {
                            if let Does::Derived { hits, .. } = does { *hits = text; }
                        }) }
                        <span>{ t(Label::OutOf) }</span>
                        { input(Label::OutOf, FieldKind::Number, of, |does, text| {
                            if let Does::Derived { of, .. } = does { *of = text; }
                        }) }
                    </>
                }) }
                { row(Label::AlarmFor, input(Label::AlarmFor, FieldKind::Duration, lasting, |does, text| {
                    if let Does::Derived { lasting, .. } = does { *lasting = text; }
                })) }
            </>
        },
        // What no choice shows is kept as it stands in the document, and told.
        Does::Other => {
            let told = entries(form).iter().find(|entry| is_named(entry, name)).map(told).unwrap_or_default();
            html! { <p class="hint">{ told }</p> }
        }
        Does::StaysOk | Does::AtStart => Html::default(),
    };
    html! {
        <div class="field">
            { select(&format!("alarm-{index}"), &text::alarm_does(name), &options, choose) }
            { more }
        </div>
    }
}

/// All that an entry of the document says of its alarm, in words.
fn told(entry: &Value) -> String {
    let text = |value: Option<&Value>| value.map(show).unwrap_or_default();
    let start = entry.get("at_start").map(|state| text::alarm_begins(&show(state)));
    let changes = entry.get("changes").and_then(Value::as_array).unwrap_or_default().iter();
    let changes = changes.map(|change| text::alarm_goes(&text(change.get("at")), &text(change.get("state"))));
    let derived = entry
        .get("bad_responses_over")
        .map(|over| text::alarm_follows(&text(over.at(0)), &text(over.at(1)), entry.get("for").map(show).as_deref()));
    start.into_iter().chain(changes).chain(derived).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, json};

    use super::*;

    #[test]
    fn what_an_alarm_does_is_written_as_it_was_read() {
        let cases = [
            r#"{"name":"errors","at_start":"ALARM"}"#,
            r#"{"name":"errors","changes":[{"at":"1m","state":"ALARM"}]}"#,
            r#"{"name":"errors","changes":[{"at":"1m","state":"ALARM"},{"at":"3m","state":"OK"}]}"#,
            r#"{"name":"errors","bad_responses_over":[1,100],"for":"2m"}"#,
        ];
        for case in cases {
            let entry = json::read(case).expect("JSON").value;
            let does = Does::of(Some(&entry));
            assert_eq!(does.write("errors"), Some(entry), "{case}");
        }
        for other in [
            r#"{"name":"errors","changes":[{"at":"1m","state":"INSUFFICIENT_DATA"}]}"#,
            r#"{"name":"errors","at_start":"ALARM","changes":[{"at":"1m","state":"OK"}]}"#,
        ] {
            assert_eq!(Does::of(Some(&json::read(other).expect("JSON").value)), Does::Other, "{other}");
        }
        let other = r#"{"name":"errors","at_start":"ALARM","changes":[{"at":"1m","state":"OK"}],"bad_responses_over":[1,50],"for":"2m"}"#;
        assert_eq!(
            told(&json::read(other).expect("JSON").value),
            "ALARM at the start. OK at 1m. ALARM while more than 1 in 50 answers are bad, after 2m."
        );
        assert_eq!(Does::of(None).write("errors"), None);
    }

    #[test]
    fn every_choice_runs() {
        let text = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"alarms":
            {"alarmNames":["errors"],"enable":true,"rollback":true}}}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        for index in 0..CHOICES.len() {
            form.set(FARE, with(entries(&form), "errors", &Does::chosen(index)));
            assert!(!form.refused(), "{index}: {:?}", form.problems());
            let now = Does::of(entries(&form).iter().find(|entry| is_named(entry, "errors")));
            assert_eq!(now.index(), index);
        }
    }
}

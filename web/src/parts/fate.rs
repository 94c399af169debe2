//! How the tasks of the new revision fare: what becomes of them, and which of them it meets.

use rollscope_insight::boot;
use rollscope_scenario::Value;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::field::{Input, problem};
use super::starts;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, number_or_text, read_duration, show};
use crate::text::{self, FateWho, Label, t};

/// What becomes of every start without an own entry.
pub const FATE: &str = "/new/fate";
/// What becomes of single starts.
pub const BY_START: &str = "/new/by_start";
/// Zones a task can be in.
const ZONES: u8 = 3;

/// A fate one value describes at most.
pub(super) struct Kind {
    /// Its name in the document.
    pub name: &'static str,
    /// In the list.
    pub label: Label,
    /// The value it begins with.
    pub value: Option<&'static str>,
}

const fn kind(name: &'static str, label: Label, value: Option<&'static str>) -> Kind {
    Kind { name, label, value }
}

/// Every fate that a list offers.
pub(super) const KINDS: [Kind; 7] = [
    kind("healthy", Label::FateHealthy, None),
    kind("never_running", Label::FateNeverRunning, None),
    kind("never_passes", Label::FateNeverPasses, None),
    kind("hangs", Label::FateHangs, None),
    kind("exits_after", Label::FateExits, Some("30s")),
    kind("turns_unhealthy_after", Label::FateTurns, Some("60s")),
    kind("above_running", Label::FateAbove, Some("2")),
];

/// Which starts a fate meets; numbers as they are typed.
#[derive(Clone, Debug, PartialEq)]
enum Who {
    All,
    Chance(String, String),
    Zone(u8),
    AllBut(String),
    Only(String),
}

/// The list of [`Who`], each with what it begins with.
fn choices() -> [(Label, Who); 5] {
    let text = str::to_owned;
    [
        (Label::WhoAll, Who::All),
        (Label::WhoChance, Who::Chance(text("1"), text("3"))),
        (Label::WhoZone, Who::Zone(0)),
        (Label::WhoAllBut, Who::AllBut(text("3"))),
        (Label::WhoOnly, Who::Only(text("1"))),
    ]
}

/// The fate as the form has it.
#[derive(Clone, Debug, PartialEq)]
struct Fate {
    name: String,
    value: Option<String>,
    who: Who,
}

impl Fate {
    /// Reads it; `None` for what no form shows, such as one fate inside another.
    fn of(form: &Form) -> Option<Fate> {
        let healthy = Value::from("healthy");
        let fate = form.wanted().pointer(FATE).unwrap_or(&healthy);
        let (name, value, who) = match form.wanted().pointer(BY_START).and_then(Value::as_object) {
            Some([(start, own)]) if *fate == healthy => {
                let (name, value) = simple(own)?;
                (name, value, Who::Only(start.clone()))
            }
            Some([(start, own)]) if *own == healthy => {
                let (name, value) = simple(fate)?;
                (name, value, Who::AllBut(start.clone()))
            }
            Some([_, ..]) => return None,
            Some([]) | None => every(fate)?,
        };
        KINDS.iter().any(|kind| kind.name == name).then_some(Fate { name, value, who })
    }

    /// The two fields of the document.
    fn write(&self) -> Vec<(String, Value)> {
        let one = self.simple();
        let list = |items: [&String; 2]| Value::array(items.map(|text| number_or_text(text)));
        let (fate, by_start) = match &self.who {
            _ if self.name == "healthy" => (Value::Null, Value::Null),
            Who::All => (one, Value::Null),
            Who::Chance(hits, of) => {
                (Value::object([("ratio", Value::object([("of", list([hits, of])), ("fate", one)]))]), Value::Null)
            }
            Who::Zone(zone) => {
                let zone = Value::from(i64::from(*zone));
                (Value::object([("in_zone", Value::object([("zone", zone), ("fate", one)]))]), Value::Null)
            }
            Who::AllBut(start) => (one, Value::object([(start.clone(), Value::from("healthy"))])),
            Who::Only(start) => (Value::Null, Value::object([(start.clone(), one)])),
        };
        vec![(FATE.into(), fate), (BY_START.into(), by_start)]
    }

    fn simple(&self) -> Value {
        one(&self.name, self.value.as_deref())
    }

    /// How its value is read: tasks are counted, everything else is a time.
    fn value_kind(&self) -> FieldKind {
        kind_of(&self.name)
    }

    fn chosen(&self) -> usize {
        match self.who {
            Who::All => 0,
            Who::Chance(..) => 1,
            Who::Zone(_) => 2,
            Who::AllBut(_) => 3,
            Who::Only(_) => 4,
        }
    }
}

fn kind_of(name: &str) -> FieldKind {
    if name == "above_running" { FieldKind::Number } else { FieldKind::Duration }
}

/// A fate that holds no other, as the document has it; its value is as it was typed.
pub(super) fn one(name: &str, value: Option<&str>) -> Value {
    match value {
        None => Value::from(name),
        Some(after) if name == "never_running" => {
            Value::object([(name, Value::object([("after", read_duration(after))]))])
        }
        Some(value) if kind_of(name) == FieldKind::Number => Value::object([(name, number_or_text(value))]),
        Some(value) => Value::object([(name, read_duration(value))]),
    }
}

/// A fate that holds for all, for some by chance, or for a zone.
fn every(fate: &Value) -> Option<(String, Option<String>, Who)> {
    if let Some(ratio) = fate.get("ratio") {
        let part = |index| ratio.get("of").and_then(|of| of.at(index)).map(show).unwrap_or_default();
        let (name, value) = simple(ratio.get("fate")?)?;
        return Some((name, value, Who::Chance(part(0), part(1))));
    }
    if let Some(inner) = fate.get("in_zone") {
        let zone = inner.get("zone").and_then(Value::as_u64).and_then(|zone| u8::try_from(zone).ok())?;
        let (name, value) = simple(inner.get("fate")?)?;
        return (zone < ZONES).then_some((name, value, Who::Zone(zone)));
    }
    let (name, value) = simple(fate)?;
    Some((name, value, Who::All))
}

/// Name and value of a fate that holds no other.
pub(super) fn simple(fate: &Value) -> Option<(String, Option<String>)> {
    match fate {
        Value::String(name) => Some((name.clone(), None)),
        Value::Object(entries) => match &entries[..] {
            [(name, inner)] if name == "never_running" => Some((name.clone(), Some(show(inner.get("after")?)))),
            [(name, inner)] if inner.as_object().is_none() => Some((name.clone(), Some(show(inner)))),
            _ => None,
        },
        _ => None,
    }
}

/// What the heading says.
pub fn summary(form: &Form) -> String {
    let Some(fate) = Fate::of(form) else { return text::fate_value("", None, FateWho::All) };
    if let ("healthy", Who::All, Some(accepted)) = (&*fate.name, &fate.who, form.accepted()) {
        return text::boot_value(boot(&accepted.resolved.settings));
    }
    let who = match &fate.who {
        Who::All => FateWho::All,
        Who::Chance(hits, of) => FateWho::Chance(hits, of),
        Who::Zone(zone) => FateWho::Zone(*zone),
        Who::AllBut(start) => FateWho::AllBut(start),
        Who::Only(start) => FateWho::Only(start),
    };
    text::fate_value(&fate.name, fate.value.as_deref(), who)
}

/// The fields.
pub fn fields(form: &Form, on: &Callback<Msg>) -> Html {
    let now = Fate::of(form);
    let found = form.problem(FATE).or_else(|| form.problem(BY_START));
    let chosen = {
        let (on, now) = (on.clone(), now.clone());
        move |event: Event| {
            if let Some(kind) = selected(&event).and_then(|index| KINDS.get(index)) {
                let who = now.as_ref().map_or(Who::All, |fate| fate.who.clone());
                let fate = Fate { name: kind.name.into(), value: kind.value.map(str::to_owned), who };
                on.emit(Msg::Set(fate.write()));
            }
        }
    };
    let is_now = |name: &str| now.as_ref().is_some_and(|fate| fate.name == name);
    html! {
        <div class="field">
            <div class="row">
                <label for="fate">{ t(Label::Fate) }</label>
                <select class="select" id="fate" onchange={chosen}>
                    { for KINDS.iter().map(|kind| html! { <option selected={is_now(kind.name)}>{ t(kind.label) }</option> }) }
                    if now.is_none() { <option selected={true} disabled={true}>{ t(Label::FateOther) }</option> }
                </select>
            </div>
            if let Some(fate) = &now { { value(fate, on) }{ who(fate, on) } }
            if now.is_none() { <p class="hint">{ t(Label::FateMore) }</p> }
            if now.is_none() && form.is_given(BY_START) { { starts::rows(form, BY_START, Label::StartsNew, on) } }
            if form.is_given(starts::OLD) { { starts::rows(form, starts::OLD, Label::StartsOld, on) } }
            if form.advice("/new/").is_some() { <p class="hint" id="unseen-fate">{ t(Label::FateUnseen) }</p> }
            { problem(found, t(Label::NewRevision), "fate", on) }
        </div>
    }
}

/// The number of a fate.
fn value(fate: &Fate, on: &Callback<Msg>) -> Html {
    let Some(value) = &fate.value else { return Html::default() };
    let label = if fate.name == "never_running" { t(Label::StopsAfter) } else { text::fate_number(&fate.name) };
    let kind = fate.value_kind();
    html! {
        <div class="row">
            <label for="fate-number">{ label }</label>
            { input("fate-number", kind, value, fate, on, |fate, text| fate.value = Some(text)) }
        </div>
    }
}

/// Which starts it meets.
fn who(fate: &Fate, on: &Callback<Msg>) -> Html {
    if fate.name == "healthy" {
        return Html::default();
    }
    let set = |change: fn(&mut Fate, usize)| {
        let (on, fate) = (on.clone(), fate.clone());
        move |event: Event| {
            let mut fate = fate.clone();
            if let Some(index) = selected(&event) {
                change(&mut fate, index);
                on.emit(Msg::Set(fate.write()));
            }
        }
    };
    let choose = set(|fate, index| fate.who = choices().into_iter().nth(index).map_or(Who::All, |choice| choice.1));
    let more = match &fate.who {
        Who::All => Html::default(),
        Who::Chance(hits, of) => html! {
            <div class="row">
                <label for="fate-hits">{ t(Label::ChanceHits) }</label>
                <span class="pair">
                    { input("fate-hits", FieldKind::Number, hits, fate, on, |fate, text| {
                        if let Who::Chance(hits, _) = &mut fate.who { *hits = text; }
                    }) }
                    <label for="fate-of">{ t(Label::ChanceOf) }</label>
                    { input("fate-of", FieldKind::Number, of, fate, on, |fate, text| {
                        if let Who::Chance(_, of) = &mut fate.who { *of = text; }
                    }) }
                </span>
            </div>
        },
        Who::Zone(zone) => html! {
            <div class="row">
                <label for="fate-zone">{ t(Label::Zone) }</label>
                <select class="select" id="fate-zone" onchange={set(|fate, index| fate.who = Who::Zone(index as u8))}>
                    { for (0..ZONES).map(|index| html! { <option selected={index == *zone}>{ text::zone(index) }</option> }) }
                </select>
            </div>
        },
        Who::AllBut(start) | Who::Only(start) => html! {
            <div class="row">
                <label for="fate-start">{ t(Label::StartNumber) }</label>
                { input("fate-start", FieldKind::Number, start, fate, on, |fate, text| match &mut fate.who {
                    Who::AllBut(start) | Who::Only(start) => *start = text,
                    _ => {}
                }) }
            </div>
        },
    };
    let options = choices().into_iter().enumerate();
    html! {
        <>
            <div class="row">
                <label for="fate-who">{ t(Label::Who) }</label>
                <select class="select" id="fate-who" onchange={choose}>
                    { for options.map(|(index, (label, _))| html! { <option selected={index == fate.chosen()}>{ t(label) }</option> }) }
                </select>
            </div>
            { more }
        </>
    }
}

/// A short text of a fate.
fn input(
    id: &'static str,
    kind: FieldKind,
    value: &str,
    fate: &Fate,
    on: &Callback<Msg>,
    change: fn(&mut Fate, String),
) -> Html {
    let (on, fate) = (on.clone(), fate.clone());
    let typed = Callback::from(move |text: String| {
        let mut fate = fate.clone();
        change(&mut fate, text);
        on.emit(Msg::Set(fate.write()));
    });
    html! { <Input {id} {kind} value={value.to_owned()} on={typed} /> }
}

pub(super) fn selected(event: &Event) -> Option<usize> {
    usize::try_from(event.target_dyn_into::<HtmlSelectElement>()?.selected_index()).ok()
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, json};

    use super::*;

    fn form(new: &str) -> Form {
        let text = format!(r#"{{"service":{{"desiredCount":4}},"new":{new}}}"#);
        Form::new(&Document::from_text(&text).document)
    }

    fn written(new: &str) -> String {
        let fate = Fate::of(&form(new)).expect("shown");
        fate.write().into_iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_fate_of_the_form_is_written_as_it_was_read() {
        let cases = [
            (r#"{}"#, "null null"),
            (r#"{"fate":"hangs"}"#, r#""hangs" null"#),
            (r#"{"fate":{"exits_after":"30s"}}"#, r#"{"exits_after":"30s"} null"#),
            (r#"{"fate":{"never_running":{"after":"20s"}}}"#, r#"{"never_running":{"after":"20s"}} null"#),
            (r#"{"fate":{"above_running":6}}"#, r#"{"above_running":6} null"#),
            (
                r#"{"fate":{"ratio":{"of":[1,3],"fate":"never_running"}}}"#,
                r#"{"ratio":{"of":[1,3],"fate":"never_running"}} null"#,
            ),
            (r#"{"fate":{"in_zone":{"zone":2,"fate":"hangs"}}}"#, r#"{"in_zone":{"zone":2,"fate":"hangs"}} null"#),
            (r#"{"fate":"never_passes","by_start":{"3":"healthy"}}"#, r#""never_passes" {"3":"healthy"}"#),
            (r#"{"by_start":{"1":"never_running"}}"#, r#"null {"1":"never_running"}"#),
        ];
        for (new, expected) in cases {
            let plain = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(plain(&written(new)), plain(expected), "{new}");
        }
    }

    #[test]
    fn what_no_form_shows_is_left_to_the_document() {
        for new in [
            r#"{"by_start":{"1":"hangs","2":"hangs"}}"#,
            r#"{"fate":{"ratio":{"of":[1,3],"fate":{"in_zone":{"zone":0,"fate":"hangs"}}}}}"#,
            r#"{"fate":"hangs","by_start":{"1":"never_running"}}"#,
        ] {
            assert_eq!(Fate::of(&form(new)), None, "{new}");
        }
        assert_eq!(summary(&form("{}")), "starts, keeps running");
    }

    #[test]
    fn a_wrong_number_stays_and_is_refused() {
        let mut form = form(r#"{"fate":{"exits_after":"30s"}}"#);
        let mut fate = Fate::of(&form).expect("shown");
        fate.value = Some("soon".into());
        for (pointer, value) in fate.write() {
            form.set(&pointer, value);
        }
        assert!(form.problem(FATE).is_some());
        assert_eq!(Fate::of(&form).and_then(|fate| fate.value), Some("soon".into()));
        assert!(json::read(&form.wanted().to_string()).is_ok());
    }
}

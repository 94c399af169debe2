//! The deployment circuit breaker: on or off, what it does, and where its threshold comes from.

use rollscope_engine::platform::ecs::Params;
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::BOUND_LOW;
use rollscope_insight::BreakerChange;
use rollscope_scenario::{Value, limits};
use yew::prelude::*;

use super::field::{Input, Setting, fact, id, problem, reset, select, switch, text_row, toggle};
use super::fjall::FJALL;
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, number_or_text, show};
use crate::text::{self, Label, t};

/// Where it stands in the document.
pub const BREAKER: &str = "/service/deploymentConfiguration/deploymentCircuitBreaker";
const ENABLE: &str = "/service/deploymentConfiguration/deploymentCircuitBreaker/enable";
const ROLLBACK: &str = "/service/deploymentConfiguration/deploymentCircuitBreaker/rollback";
const RESET: &str = "/service/deploymentConfiguration/deploymentCircuitBreaker/resetOnHealthyTask";
const THRESHOLD: &str = "/service/deploymentConfiguration/deploymentCircuitBreaker/thresholdConfiguration";
/// The breaker of the Fjall constructs, which is in force where the service itself has none.
pub const FJALL_BREAKER: &str = "/fjall/circuitBreaker";
const FJALL_ROLLBACK: &str = "/fjall/circuitBreaker/rollback";
const FJALL_RESET: &str = "/fjall/circuitBreaker/resetOnHealthyTask";
const FJALL_THRESHOLD: Setting = Setting::number("/fjall/circuitBreaker/threshold", Label::ThresholdFailures);

const TYPES: [(&str, Label); 3] =
    [("BOUNDED_PERCENT", Label::TypeBounded), ("UNBOUNDED_PERCENT", Label::TypeUnbounded), (COUNT, Label::TypeCount)];
/// The type whose value is a number of failures.
const COUNT: &str = "COUNT";
/// What the threshold is without any configuration.
const DEFAULT_PERCENT: i64 = 50;

/// The configuration that was accepted last.
pub fn params(form: &Form) -> Option<&Params> {
    let params = form.accepted()?.resolved.settings.platform.ecs();
    Some(params)
}

/// What the service does with the breaker on and nothing else said.
pub fn on() -> Value {
    Value::object([("enable", Value::from(true)), ("rollback", Value::from(true))])
}

/// A change of the breaker as a field of the document.
pub fn setting(change: BreakerChange) -> (String, Value) {
    (change.field().to_owned(), change.written())
}

/// A switch of the document where it says so, else what is in force.
pub fn switched(form: &Form, pointer: &str, in_force: bool) -> bool {
    form.wanted().pointer(pointer).and_then(Value::as_bool).unwrap_or(in_force)
}

/// The section. `candidate` is the revision that a failure goes back to.
pub fn section(form: &Form, candidate: Option<u32>, on_msg: &Callback<Msg>) -> Html {
    let breaker = params(form).and_then(|params| params.breaker);
    let desired = params(form).map_or(0, |params| params.desired);
    let is_on = switched(form, ENABLE, breaker.is_some());
    let threshold = breaker.map(|breaker| limits::threshold(breaker.threshold, desired));
    let rolls_back = breaker.is_some_and(|breaker| breaker.rollback);
    let value = text::breaker_value(threshold.filter(|_| is_on), rolls_back, candidate.is_some());
    let (own, given) = (form.is_given(BREAKER), form.is_given(FJALL));
    let fjall = given && !own;
    let flip = move |on: bool| flipped(on, own, given);
    html! {
        <Section name={t(Label::Breaker)} {value} changed={own || form.is_given(FJALL_BREAKER)}
            wrong={form.problem(BREAKER).is_some() || form.problem(FJALL_BREAKER).is_some()}
            on_ecs={vec![(None, BREAKER)]}>
            { toggle(form, if fjall { FJALL_BREAKER } else { ENABLE }, t(Label::Enabled), is_on, flip, on_msg) }
            if fjall { <p class="hint">{ t(Label::BreakerOfFjall) }</p> }
            if is_on {
                { if fjall { of_fjall(form, on_msg) } else { of_service(form, on_msg) } }
                if let Some(breaker) = breaker {
                    <p class="hint" id="threshold-sum">{ text::threshold_sum(breaker.threshold, desired) }</p>
                    if matches!(breaker.threshold, Threshold::BoundedPercent(_)) { <p class="hint">{ t(Label::BoundNote) }</p> }
                }
                if rolls_back { { fact(t(Label::GoesBackTo), &text::goes_back_to(candidate)) } }
            }
        </Section>
    }
}

/// What switches the breaker on or off: the service has its `own`, or Fjall settings are `given` that bring one.
fn flipped(on: bool, own: bool, given: bool) -> Vec<(String, Value)> {
    let service = |value: Value| (BREAKER.to_owned(), value);
    let fjall = |value: Value| (FJALL_BREAKER.to_owned(), value);
    match (on, own, given) {
        (true, false, true) => vec![fjall(Value::Null)],
        (true, ..) => vec![service(self::on())],
        (false, _, false) => vec![service(Value::Null)],
        (false, false, true) => vec![fjall(false.into())],
        (false, true, true) => vec![service(Value::Null), fjall(false.into())],
    }
}

/// The breaker that the service has under the names of ECS.
fn of_service(form: &Form, on: &Callback<Msg>) -> Html {
    let rollback = params(form).and_then(|params| params.breaker).is_some_and(|breaker| breaker.rollback);
    html! {
        <>
            { toggle(form, ROLLBACK, t(Label::RollBack), switched(form, ROLLBACK, rollback),
                |on| vec![(ROLLBACK.into(), on.into())], on) }
            { switch(form, RESET, t(Label::ResetOnHealthy), true, on) }
            { of_threshold(form, on) }
        </>
    }
}

/// The breaker that Fjall brings: it rolls back, no healthy task resets it, and its threshold is a count or that of ECS.
fn of_fjall(form: &Form, on: &Callback<Msg>) -> Html {
    html! {
        <>
            { switch(form, FJALL_ROLLBACK, t(Label::RollBack), true, on) }
            { switch(form, FJALL_RESET, t(Label::ResetOnHealthy), false, on) }
            { text_row(form, FJALL_THRESHOLD, Some(t(Label::FjallThresholdNote)), on) }
        </>
    }
}

/// Type and value of the threshold; a change of one writes both.
fn of_threshold(form: &Form, on: &Callback<Msg>) -> Html {
    let given = form.wanted().pointer(THRESHOLD);
    let field = |key: &str| given.and_then(|given| given.get(key));
    let kind = field("type").map_or_else(|| TYPES[0].0.to_owned(), show);
    let value = field("value").map(show);
    let typed = {
        let (on, kind) = (on.clone(), kind.clone());
        Callback::from(move |text: String| {
            let empty = text.trim().is_empty();
            let written = if empty { Value::Null } else { threshold(&kind, number_or_text(&text)) };
            on.emit(Msg::Set(vec![(THRESHOLD.to_owned(), written)]));
        })
    };
    let chosen = {
        let (on, form) = (on.clone(), form.clone());
        move |index: usize| {
            if let Some((kind, _)) = TYPES.get(index) {
                on.emit(Msg::Set(vec![(THRESHOLD.to_owned(), of_kind(&form, kind))]));
            }
        }
    };
    let options = TYPES.map(|(name, label)| (t(label), name == kind));
    let found = form.problem(THRESHOLD);
    let counts = kind == COUNT;
    let label = t(if counts { Label::ThresholdFailures } else { Label::ThresholdPercent });
    html! {
        <div class="field">
            { select("threshold-type", t(Label::ThresholdType), &options, chosen) }
            <p class="hint">{ t(Label::ThresholdKindNote) }</p>
            <div class="row">
                <label for={id(THRESHOLD)}>{ label }</label>
                <span class="number-field">
                    { reset(form, THRESHOLD, label, on) }
                    <Input id={id(THRESHOLD)} kind={FieldKind::Number} value={value.unwrap_or_default()}
                        placeholder={if counts { String::new() } else { DEFAULT_PERCENT.to_string() }} invalid={found.is_some()} on={typed} />
                    <span class="unit">{ if counts { "" } else { "%" } }</span>
                </span>
            </div>
            { problem(found, label, "threshold", on) }
        </div>
    }
}

fn threshold(kind: &str, value: Value) -> Value {
    Value::object([("type", Value::from(kind)), ("value", value)])
}

/// A threshold of another kind. A number of one kind means something else in another, so it begins anew: a share
/// at the default of the service, a count at as many failures as trip the breaker now.
fn of_kind(form: &Form, kind: &str) -> Value {
    let now = params(form).and_then(|params| Some(limits::threshold(params.breaker?.threshold, params.desired)));
    let value = if kind == COUNT { i64::from(now.unwrap_or(BOUND_LOW)) } else { DEFAULT_PERCENT };
    threshold(kind, Value::from(value))
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::Document;

    use super::*;

    #[test]
    fn it_is_switched_on_and_off_as_a_whole() {
        let mut form = Form::new(&Document::from_text(r#"{"service":{"desiredCount":10}}"#).document);
        assert!(params(&form).is_some_and(|params| params.breaker.is_none()));
        form.set(BREAKER, on());
        assert!(!form.refused(), "{:?}", form.problems());
        assert!(params(&form).and_then(|params| params.breaker).is_some_and(|b| b.rollback && b.reset_on_healthy_task));
        form.set(THRESHOLD, Value::object([("type", Value::from("COUNT")), ("value", number_or_text("0"))]));
        assert!(form.problem(THRESHOLD).is_some(), "the problem stands at its field");
        form.set(THRESHOLD, Value::Null);
        for (kind, expected) in [(COUNT, 5), ("BOUNDED_PERCENT", 50), ("UNBOUNDED_PERCENT", 50), (COUNT, 5)] {
            let written = of_kind(&form, kind);
            assert_eq!(written, threshold(kind, expected.into()), "half of ten, and the default of a share");
            form.set(THRESHOLD, written);
            assert!(!form.refused(), "{kind}");
        }
        form.set(BREAKER, Value::Null);
        assert!(!form.refused() && !form.is_given("/service/deploymentConfiguration"));
    }

    #[test]
    fn the_breaker_of_fjall_has_its_own_fields() {
        let mut form = Form::new(&Document::from_text(r#"{"service":{"desiredCount":2},"fjall":{}}"#).document);
        let plain = form.clone();
        let now = |form: &Form| params(form).and_then(|params| params.breaker);
        assert!(now(&form).is_some_and(|breaker| breaker.rollback && !breaker.reset_on_healthy_task));
        form.set_all(flipped(false, false, true).iter().map(|(pointer, value)| (pointer.as_str(), value.clone())));
        assert!(!form.refused() && now(&form).is_none());
        form.set_all(flipped(true, false, true).iter().map(|(pointer, value)| (pointer.as_str(), value.clone())));
        assert_eq!(form.wanted(), plain.wanted());
        for (pointer, value) in [(FJALL_ROLLBACK, false), (FJALL_RESET, true)] {
            form.set(pointer, value.into());
        }
        form.type_into(FJALL_THRESHOLD.pointer, FieldKind::Number, "5");
        assert!(!form.refused(), "{:?}", form.problems());
        let breaker = now(&form).expect("on");
        assert!(!breaker.rollback && breaker.reset_on_healthy_task);
        assert_eq!(limits::threshold(breaker.threshold, 2), 5);
        form.type_into(FJALL_THRESHOLD.pointer, FieldKind::Number, "0");
        assert!(form.problem(FJALL_THRESHOLD.pointer).is_some(), "the problem stands at its field");
    }

    #[test]
    fn a_breaker_written_as_true_takes_settings() {
        let text = r#"{"service":{"desiredCount":2},"fjall":{"circuitBreaker":true}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        form.set(FJALL_RESET, true.into());
        assert!(!form.refused(), "{:?}", form.problems());
        assert!(params(&form).and_then(|params| params.breaker).is_some_and(|breaker| breaker.reset_on_healthy_task));
    }
}

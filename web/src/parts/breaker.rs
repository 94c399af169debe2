//! The deployment circuit breaker: on or off, what it does, and where its threshold comes from.

use rollscope_engine::platform::ecs::Params;
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::BOUND_LOW;
use rollscope_insight::BreakerChange;
use rollscope_scenario::{Value, limits};
use yew::prelude::*;

use super::field::{Input, fact, id, problem, reset, select, switch, toggle};
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
/// The settings of the Fjall constructs, which bring a breaker of their own.
pub const FJALL: &str = "/fjall";

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
    let flip = |on: bool| vec![(BREAKER.into(), if on { self::on() } else { Value::Null })];
    html! {
        <Section name={t(Label::Breaker)} {value} changed={form.is_given(BREAKER) || form.is_given(FJALL)}
            wrong={form.problem(BREAKER).is_some()} on_ecs={vec![(None, BREAKER)]}>
            { toggle(form, ENABLE, t(Label::Enabled), is_on, flip, on_msg) }
            if is_on {
                { toggle(form, ROLLBACK, t(Label::RollBack), switched(form, ROLLBACK, breaker.is_some_and(|b| b.rollback)),
                    |on| vec![(ROLLBACK.into(), on.into())], on_msg) }
                { switch(form, RESET, t(Label::ResetOnHealthy), !form.is_given(FJALL), on_msg) }
                { of_threshold(form, on_msg) }
                if let Some(breaker) = breaker {
                    <p class="hint" id="threshold-sum">{ text::threshold_sum(breaker.threshold, desired) }</p>
                    if matches!(breaker.threshold, Threshold::BoundedPercent(_)) { <p class="hint">{ t(Label::BoundNote) }</p> }
                }
                if rolls_back { { fact(t(Label::GoesBackTo), &text::goes_back_to(candidate)) } }
            }
            { toggle(form, FJALL, t(Label::FjallDefaults), form.is_given(FJALL),
                |on| vec![(FJALL.into(), if on { Value::empty_object() } else { Value::Null })], on_msg) }
        </Section>
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
}

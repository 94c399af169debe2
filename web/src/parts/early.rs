//! Early success criteria: the gate, and what becomes of the old tasks.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::breaker::{params, switched};
use super::field::{Setting, problem, select, text_row, toggle};
use super::sections::Section;
use crate::app::model::{Dial, Msg};
use crate::form::{Form, show};
use crate::text::{self, Label, t};

/// Where they stand in the document.
pub const EARLY: &str = "/service/deploymentConfiguration/earlySuccessCriteria";
const ENABLE: &str = "/service/deploymentConfiguration/earlySuccessCriteria/enable";
const PERCENT: Setting =
    Setting::number("/service/deploymentConfiguration/earlySuccessCriteria/healthyPercent", Label::EarlyPercent);
const CLEANUP: &str = "/service/deploymentConfiguration/earlySuccessCriteria/sourceServiceRevisionCleanup";
const CLEANUPS: [(&str, Label); 2] = [("BLOCKING", Label::CleanupBlocking), ("DEFERRED", Label::CleanupDeferred)];
/// Percentage it begins with, or the minimum where that is higher: less is refused.
const BEGINS_WITH: i64 = 90;

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let in_force = params(form).and_then(|params| params.early_success);
    let is_on = switched(form, ENABLE, in_force.is_some());
    let text_of = |pointer: &str| form.wanted().pointer(pointer).map(show).unwrap_or_default();
    let percent = if is_on { text_of(PERCENT.pointer) } else { String::new() };
    let minimum = form.number(Dial::Minimum.pointer()).unwrap_or(BEGINS_WITH);
    let flip = move |on: bool| {
        let criteria = Value::object([
            ("enable", Value::from(true)),
            ("healthyPercent", Value::from(minimum.max(BEGINS_WITH))),
            ("sourceServiceRevisionCleanup", Value::from(CLEANUPS[0].0)),
        ]);
        vec![(EARLY.into(), if on { criteria } else { Value::Null })]
    };
    let now = text_of(CLEANUP);
    let choose = {
        let on = on.clone();
        move |index: usize| {
            if let Some((name, _)) = CLEANUPS.get(index) {
                on.emit(Msg::Set(vec![(CLEANUP.into(), Value::from(*name))]));
            }
        }
    };
    let options = CLEANUPS.map(|(name, label)| (t(label), name == now));
    let gate = in_force.zip(params(form)).map(|(early, params)| text::gate_sum(params.desired, early.healthy_percent));
    html! {
        <Section name={t(Label::EarlySection)} value={text::early_value(&percent, &now)} changed={form.is_given(EARLY)}
            wrong={form.problem(EARLY).is_some()} on_ecs={vec![(None, EARLY)]}>
            { toggle(form, ENABLE, t(Label::Enabled), is_on, flip, on) }
            if is_on {
                { text_row(form, PERCENT, None, on) }
                if let Some((sum, gate)) = gate { <p class="hint" id="gate-sum">{ sum }<strong>{ gate }</strong></p> }
                { select("early-cleanup", t(Label::EarlyCleanup), &options, choose) }
                { problem(form.problem(CLEANUP), t(Label::EarlyCleanup), "cleanup", on) }
            }
        </Section>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::Document;

    use super::*;

    #[test]
    fn a_percentage_below_the_minimum_is_refused_at_its_field() {
        let text = r#"{"service":{"desiredCount":10,"deploymentConfiguration":{"earlySuccessCriteria":
            {"enable":true,"healthyPercent":90,"sourceServiceRevisionCleanup":"BLOCKING"}}}}"#;
        let form = Form::new(&Document::from_text(text).document);
        let problem = form.problem(PERCENT.pointer).expect("the minimum is 100 by default");
        assert_eq!(problem.nearest, Some(100.into()));
    }
}

//! The settings of the Fjall constructs: task-stop watchdog, its alarm, and the schema gate. Their circuit breaker
//! stands with the circuit breaker.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::breaker::switched;
use super::field::{list_row, noted_switch, toggle};
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::Form;
use crate::text::{self, Label, t};

/// Where they stand in the document. Given at all, their defaults are in force.
pub const FJALL: &str = "/fjall";
const WATCHDOG: &str = "/fjall/taskStopWatchdog";
const TOPIC: &str = "/fjall/alertsTopic";
const ALARM: &str = "/fjall/alarms";
const GATE: &str = "/fjall/schemaGate";
const DATABASES: &str = "/fjall/databases";

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let given = form.is_given(FJALL);
    let watches = switched(form, WATCHDOG, true);
    let told = switched(form, TOPIC, true) && switched(form, ALARM, true);
    let value = text::fjall_value(given, watches, told, switched(form, GATE, true));
    let flip = |on: bool| vec![(FJALL.into(), if on { Value::empty_object() } else { Value::Null })];
    html! {
        <Section name={t(Label::FjallSection)} {value} changed={given} wrong={form.problem(DATABASES).is_some()}>
            { toggle(form, FJALL, t(Label::FjallDefaults), given, flip, on) }
            <p class="hint">{ t(if given { Label::FjallGiven } else { Label::FjallAbsent }) }</p>
            if given {
                { noted_switch(form, WATCHDOG, t(Label::FjallWatchdog), t(Label::FjallWatchdogNote), true, on) }
                { noted_switch(form, TOPIC, t(Label::FjallTopic), t(Label::FjallTopicNote), true, on) }
                { noted_switch(form, ALARM, t(Label::FjallAlarm), t(Label::FjallAlarmNote), true, on) }
                { noted_switch(form, GATE, t(Label::FjallGate), t(Label::FjallGateNote), true, on) }
                { list_row(form, DATABASES, t(Label::FjallDatabases), t(Label::FjallDatabases), on) }
                <p class="hint">{ t(Label::FjallDatabasesNote) }</p>
            }
        </Section>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, resolve::Watchdog};

    use super::*;

    fn form() -> Form {
        Form::new(&Document::from_text(r#"{"service":{"desiredCount":2},"fjall":{}}"#).document)
    }

    fn watchdog(form: &Form) -> Watchdog {
        form.accepted().map(|accepted| accepted.resolved.watchdog).unwrap_or_default()
    }

    #[test]
    fn each_switch_acts_and_goes_back_to_the_defaults() {
        let mut form = form();
        let plain = form.clone();
        assert!(watchdog(&form).enabled && watchdog(&form).alarms);
        for (pointer, enabled, alarms) in [(WATCHDOG, false, true), (TOPIC, true, false), (ALARM, true, false)] {
            form.set(pointer, false.into());
            assert_eq!((watchdog(&form).enabled, watchdog(&form).alarms), (enabled, alarms), "{pointer}");
            form.set(pointer, Value::Null);
        }
        assert_eq!(form.wanted(), plain.wanted(), "an empty object stays: it has the defaults in force");
    }

    #[test]
    fn two_databases_of_one_kind_need_the_gate_off() {
        let mut form = form();
        form.set(DATABASES, Value::array(["sql", "sql"]));
        assert!(form.problem(DATABASES).is_some());
        form.set(GATE, false.into());
        assert!(!form.refused(), "{:?}", form.problems());
    }
}

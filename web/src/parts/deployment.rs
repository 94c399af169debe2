//! The sections of a Deployment's settings: probes, how a container starts and stops, the new template, room and acts.

use rollscope_scenario::Value;
use yew::prelude::*;

use super::field::{Setting, text_row, toggle};
use super::sections::Section;
use super::{fate, places, plan};
use crate::app::model::Msg;
use crate::form::Form;
use crate::text::{Label, t};

macro_rules! probe {
    ($key:literal, $label:ident) => {
        Probe {
            label: Label::$label,
            pointer: concat!("/service/template/spec/containers/0/", $key),
            settings: [
                Setting::seconds(
                    concat!("/service/template/spec/containers/0/", $key, "/initialDelaySeconds"),
                    Label::InitialDelay,
                ),
                Setting::seconds(
                    concat!("/service/template/spec/containers/0/", $key, "/periodSeconds"),
                    Label::Period,
                ),
                Setting::number(
                    concat!("/service/template/spec/containers/0/", $key, "/successThreshold"),
                    Label::SuccessThreshold,
                ),
                Setting::number(
                    concat!("/service/template/spec/containers/0/", $key, "/failureThreshold"),
                    Label::FailureThreshold,
                ),
            ],
        }
    };
}

/// A probe, and the fields of it that matter.
struct Probe {
    label: Label,
    pointer: &'static str,
    settings: [Setting; 4],
}

const PROBES: [Probe; 3] = [
    probe!("readinessProbe", ReadinessProbe),
    probe!("startupProbe", StartupProbe),
    probe!("livenessProbe", LivenessProbe),
];
const START: [Setting; 4] = [
    Setting::duration("/timing/provisioning", Label::Scheduling),
    Setting::duration("/timing/pull", Label::Pull),
    Setting::duration("/timing/start_up", Label::StartUp),
    Setting::duration("/timing/healthy_after", Label::ReadyAfter),
];
const STOP: [Setting; 4] = [
    Setting::seconds("/service/template/spec/containers/0/lifecycle/preStop/sleep/seconds", Label::PreStopSleep),
    Setting::duration("/timing/exit_after_sigterm", Label::Exit),
    Setting::seconds("/service/template/spec/terminationGracePeriodSeconds", Label::TerminationGrace),
    Setting::duration("/timing/gone_after", Label::GoneAfter),
];
const QUOTA: &str = "/resourceQuota";
const QUOTA_PODS: Setting = Setting::number("/resourceQuota/0/pods", Label::QuotaPods);

/// All of them.
#[inline(never)]
pub fn sections(form: &Form, on: &Callback<Msg>) -> Html {
    let rows = |settings: &[Setting]| settings.iter().map(|one| text_row(form, *one, None, on)).collect::<Html>();
    let changed = |settings: &[Setting]| settings.iter().any(|one| form.is_given(one.pointer));
    let wrong = |pointers: &[&str]| pointers.iter().any(|pointer| form.problem(pointer).is_some());
    let of = |settings: &[Setting]| settings.iter().map(|one| one.pointer).collect::<Vec<_>>();
    html! {
        <div class="sections">
            { probes(form, on) }
            <Section name={t(Label::PodStarts)} value="" changed={changed(&START)} wrong={wrong(&of(&START))}>
                { rows(&START) }
            </Section>
            <Section name={t(Label::PodStops)} value="" changed={changed(&STOP)} wrong={wrong(&of(&STOP))}>
                { rows(&STOP) }
            </Section>
            <Section name={t(Label::NewTemplate)} value={fate::summary(form)}
                changed={form.is_given(fate::FATE) || form.is_given(fate::BY_START)} wrong={wrong(&[fate::FATE, fate::BY_START])}>
                { fate::fields(form, on) }
            </Section>
            <Section name={t(Label::NodesAndQuota)} value={places::value(form)}
                changed={form.is_given(places::PLACES) || form.is_given(QUOTA)} wrong={wrong(&[places::PLACES, QUOTA])}>
                { room(form, on) }
            </Section>
            { plan::acts(form, on) }
        </div>
    }
}

/// Probes, each with a switch: without one it counts as passed.
fn probes(form: &Form, on: &Callback<Msg>) -> Html {
    let given: Vec<&'static str> =
        PROBES.iter().filter(|probe| form.is_given(probe.pointer)).map(|probe| t(probe.label)).collect();
    let wrong = PROBES.iter().any(|probe| form.problem(probe.pointer).is_some());
    let one = |probe: &Probe| {
        let (there, pointer) = (form.is_given(probe.pointer), probe.pointer);
        let write = move |on: bool| vec![(pointer.to_owned(), if on { Value::empty_object() } else { Value::Null })];
        html! {
            <>
                { toggle(form, pointer, t(probe.label), there, write, on) }
                if there { { for probe.settings.iter().map(|setting| text_row(form, *setting, None, on)) } }
            </>
        }
    };
    html! {
        <Section name={t(Label::Probes)} value={given.join(", ")} changed={!given.is_empty()} {wrong}>
            { for PROBES.iter().map(one) }
            if given.is_empty() { <p class="hint">{ t(Label::NoProbes) }</p> }
        </Section>
    }
}

/// What Pods find room for, each limit with a switch.
fn room(form: &Form, on: &Callback<Msg>) -> Html {
    let first = |key: &'static str| {
        Value::array([Value::object([
            ("at", Value::from("0s")),
            (key, Value::from(form.number("/service/replicas").unwrap_or(1))),
        ])])
    };
    let (nodes, quota) = (first("places"), first("pods"));
    let write = |pointer: &'static str, value: Value| {
        move |on: bool| vec![(pointer.to_owned(), if on { value.clone() } else { Value::Null })]
    };
    html! {
        <>
            { toggle(form, places::PLACES, t(Label::NodesLimit), form.is_given(places::PLACES), write(places::PLACES, nodes), on) }
            if form.is_given(places::PLACES) { { places::fields(form, on) } }
            { toggle(form, QUOTA, t(Label::QuotaLimit), form.is_given(QUOTA), write(QUOTA, quota), on) }
            if form.is_given(QUOTA) { { text_row(form, QUOTA_PODS, None, on) } }
        </>
    }
}

/// True when a problem of this field is shown in one of the sections.
pub fn shows(field: &str) -> bool {
    let settings = START.iter().chain(&STOP).map(|setting| setting.pointer);
    let more = PROBES.iter().map(|probe| probe.pointer);
    let lists = [fate::FATE, fate::BY_START, places::PLACES, QUOTA, plan::ACTS];
    settings.chain(more).chain(lists).any(|pointer| field.starts_with(pointer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::FieldKind;
    use rollscope_scenario::Document;

    #[test]
    fn a_probe_is_switched_on_filled_and_switched_off() {
        let text = r#"{"platform":"kubernetes-deployment","service":{"replicas":4}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        let probe = &PROBES[0];
        assert!(form.set(probe.pointer, Value::empty_object()) && form.is_given(probe.pointer));
        let period = probe.settings[1].pointer;
        assert_eq!(form.default_text(period).as_deref(), Some("10"));
        assert!(form.type_into(period, FieldKind::Seconds, "5") && !form.refused());
        form.type_into(period, FieldKind::Seconds, "");
        assert!(form.is_given(probe.pointer), "the defaults of a probe are a probe");
        assert!(form.set(probe.pointer, Value::Null) && !form.is_given(probe.pointer) && !form.refused());
        assert!(form.type_into(STOP[0].pointer, FieldKind::Seconds, "5") && !form.refused(), "{:?}", form.problems());
        assert!(shows(period) && !shows("/service/replicas"));
    }
}

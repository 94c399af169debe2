//! The panel at the left.

use rollscope_engine::platform::PlatformSettings;
use rollscope_scenario::Value;
use web_sys::{HtmlInputElement, HtmlSelectElement, InputEvent};
use yew::prelude::*;

use super::field::{self, Setting, input_text, problem, switch, text_row};
use crate::app::model::Msg;
use crate::form::{CheckKind, FieldKind, Form};
use crate::say::Say;
use crate::text::{self, Label, t};

/// Desired count.
pub const DESIRED: &str = "/service/desiredCount";
/// Fewest healthy, in per cent.
pub const MINIMUM: &str = "/service/deploymentConfiguration/minimumHealthyPercent";
/// Most at once, in per cent.
pub const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";
const FATE: &str = "/new/fate";

/// Common pairs of minimum and maximum.
const COMMON: [(i64, i64); 4] = [(100, 200), (100, 150), (50, 100), (0, 100)];

const fn duration(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Duration, unit: "" }
}

const fn number(pointer: &'static str, label: Label, unit: &'static str) -> Setting {
    Setting { pointer, label, kind: FieldKind::Number, unit }
}

const TIMING: [Setting; 6] = [
    duration("/timing/provisioning", Label::Provisioning),
    duration("/timing/pull", Label::Pull),
    duration("/timing/start_up", Label::StartUp),
    duration("/timing/open_request", Label::OpenRequest),
    duration("/timing/exit_after_sigterm", Label::Exit),
    number("/containers/0/stopTimeout", Label::StopTimeout, "s"),
];
const GRACE: Setting = number("/service/healthCheckGracePeriodSeconds", Label::Grace, "s");
const GROUP: [Setting; 5] = [
    duration("/timing/first_check", Label::FirstCheck),
    number("/targetGroups/0/healthCheckIntervalSeconds", Label::Interval, "s"),
    number("/targetGroups/0/healthyThresholdCount", Label::HealthyAfter, ""),
    number("/targetGroups/0/unhealthyThresholdCount", Label::UnhealthyAfter, ""),
    number("/targetGroups/0/deregistration_delay.timeout_seconds", Label::Delay, "s"),
];
const CONTAINER: [Setting; 4] = [
    number("/containers/0/healthCheck/interval", Label::Interval, "s"),
    number("/containers/0/healthCheck/timeout", Label::Timeout, "s"),
    number("/containers/0/healthCheck/retries", Label::Retries, ""),
    number("/containers/0/healthCheck/startPeriod", Label::StartPeriod, "s"),
];
/// Readings that are more than a switch.
const MORE_READINGS: [Setting; 2] = [
    Setting { pointer: "/readings/new_target_passes", label: Label::NewTargetPasses, kind: FieldKind::Word, unit: "" },
    number("/readings/no_check_healthy_after_s", Label::NoCheckHealthy, "s"),
];
/// Switches that act in this version, with their default reading.
const SWITCHES: [(&str, Label, bool); 6] = [
    ("/readings/stopping_counts", Label::StoppingCounts, true),
    ("/readings/start_first", Label::StartFirst, false),
    ("/readings/legacy_replacement", Label::LegacyReplacement, false),
    ("/readings/unhealthy_batch", Label::UnhealthyBatch, false),
    ("/readings/unhealthy_one_by_one", Label::UnhealthyOneByOne, false),
    ("/readings/allow_100_100", Label::Allow100100, false),
];

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The settings.
    pub form: Form,
    /// The verdict, drawn by its own component.
    pub verdict: Html,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The settings.
#[component]
pub fn Settings(props: &Props) -> Html {
    let (form, on) = (&props.form, &props.on);
    html! {
        <div class="settings">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            <p class="platform">{ t(Label::Platform) }</p>
            { common(form, on) }
            { desired(form, on) }
            { limit(form, MAXIMUM, props.say, on) }
            { limit(form, MINIMUM, props.say, on) }
            { props.verdict.clone() }
            { elsewhere(form) }
            { sections(form, on) }
        </div>
    }
}

fn common(form: &Form, on: &Callback<Msg>) -> Html {
    let now = (form.number(MINIMUM), form.number(MAXIMUM));
    let chip = |(minimum, maximum): (i64, i64)| {
        let on = on.clone();
        let pressed = now == (Some(minimum), Some(maximum));
        let set = move |_: MouseEvent| {
            on.emit(Msg::Set(vec![(MINIMUM.into(), minimum.into()), (MAXIMUM.into(), maximum.into())]));
        };
        html! {
            <button type="button" class="chip" aria-pressed={pressed.to_string()} onclick={set}
                title={text::good_for(minimum, maximum)}>{ format!("{minimum}/{maximum}") }</button>
        }
    };
    html! { <div class="chips" role="group" aria-label={t(Label::Common)}>{ for COMMON.into_iter().map(chip) }</div> }
}

fn desired(form: &Form, on: &Callback<Msg>) -> Html {
    let id = field::id(DESIRED);
    let now = form.number(DESIRED).unwrap_or(0);
    let found = form.problem(DESIRED);
    let step = |by: i64| {
        let on = on.clone();
        move |_: MouseEvent| on.emit(Msg::Set(vec![(DESIRED.into(), (now + by).max(0).into())]))
    };
    let typed = {
        let on = on.clone();
        move |event: InputEvent| on.emit(Msg::Type(DESIRED.into(), FieldKind::Number, input_text(&event)))
    };
    html! {
        <div class="field">
            <div class="row">
                <label for={id.clone()}>{ t(Label::Desired) }</label>
                <span class="stepper">
                    <button type="button" aria-label={t(Label::OneLess)} disabled={now <= 0} onclick={step(-1)}>{ "−" }</button>
                    <input id={id.clone()} type="text" inputmode="numeric" autocomplete="off"
                        value={form.text(DESIRED)} placeholder={form.default_text(DESIRED).unwrap_or_default()}
                        aria-invalid={found.is_some().then_some("true")}
                        aria-describedby={found.is_some().then(|| format!("{id}-problem"))} oninput={typed} />
                    <button type="button" aria-label={t(Label::OneMore)} onclick={step(1)}>{ "+" }</button>
                </span>
            </div>
            { problem(found, &id, on) }
        </div>
    }
}

/// Desired count, minimum and maximum of the settings in force.
fn limits(form: &Form) -> Option<(u32, u32, u32)> {
    let resolved = &form.accepted()?.resolved;
    let PlatformSettings::Ecs(params) = &resolved.settings.platform;
    Some((params.desired, params.minimum_healthy_percent, params.maximum_percent))
}

fn limit(form: &Form, pointer: &'static str, say: Say, on: &Callback<Msg>) -> Html {
    let is_maximum = pointer == MAXIMUM;
    let id = field::id(pointer);
    let found = form.problem(pointer);
    let now = form.number(pointer).unwrap_or(if is_maximum { 200 } else { 100 });
    let (least, most) = if is_maximum { (100, now.max(200)) } else { (0, 100) };
    let typed = {
        let on = on.clone();
        move |event: InputEvent| on.emit(Msg::Type(pointer.into(), FieldKind::Number, input_text(&event)))
    };
    let sum = match limits(form) {
        Some((desired, minimum, _)) if !is_maximum => say.floor_sum(desired, minimum),
        Some((desired, _, maximum)) => say.ceiling_sum(desired, maximum),
        None => Default::default(),
    };
    let label = if is_maximum { t(Label::Maximum) } else { t(Label::Minimum) };
    html! {
        <div class="limit">
            <label for={id.clone()}>{ label }</label>
            <div class="sum">{ sum.0 }<strong>{ sum.1 }</strong></div>
            <div class="number-field">
                <input class="text-input number" id={id.clone()} type="text" inputmode="numeric" autocomplete="off"
                    value={form.text(pointer)} placeholder={form.default_text(pointer).unwrap_or_default()}
                    aria-invalid={found.is_some().then_some("true")}
                    aria-describedby={found.is_some().then(|| format!("{id}-problem"))} oninput={typed.clone()} />
                { "%" }
            </div>
            <input class="range" type="range" min={least.to_string()} max={most.to_string()} step="1"
                value={now.to_string()} aria-label={text::slider(label)} oninput={typed} />
            { problem(found, &id, on) }
        </div>
    }
}

/// Problems of fields that have no place in the panel.
fn elsewhere(form: &Form) -> Html {
    let shown = |field: &str| {
        let all = TIMING
            .iter()
            .chain(&GROUP)
            .chain(&CONTAINER)
            .chain(&MORE_READINGS)
            .chain([&GRACE])
            .map(|setting| setting.pointer);
        let more = [DESIRED, MINIMUM, MAXIMUM, FATE, "/seed"].into_iter().chain(SWITCHES.iter().map(|s| s.0));
        all.chain(more).any(|pointer| field.starts_with(pointer))
    };
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !shown(&p.field)).collect();
    if rest.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="faults" role="alert">
            { for rest.into_iter().map(|problem| html! { <li>{ text::problem_with_field(problem) }</li> }) }
        </ul>
    }
}

fn section(name: &str, value: String, open: bool, body: Html) -> Html {
    html! {
        <details class="section" open={open}>
            <summary><span class="name">{ name }</span><span class="value">{ value }</span></summary>
            <div class="body">{ body }</div>
        </details>
    }
}

fn wrong(form: &Form, settings: &[Setting]) -> bool {
    settings.iter().any(|setting| form.problem(setting.pointer).is_some())
}

fn sections(form: &Form, on: &Callback<Msg>) -> Html {
    let rows = |settings: &[Setting]| html! { <>{ for settings.iter().map(|s| text_row(form, *s, on)) }</> };
    let shown = |pointer: &str| match form.text(pointer) {
        text if text.is_empty() => form.default_text(pointer).unwrap_or_default(),
        text => text,
    };
    let kind = form.check_kind();
    let group = matches!(kind, CheckKind::TargetGroup | CheckKind::Both);
    let container = matches!(kind, CheckKind::Container | CheckKind::Both);
    let checks = html! {
        <>
            { check_kind(kind, on) }
            if group { { rows(&GROUP) } }
            if container { { rows(&CONTAINER) } }
            if kind == CheckKind::None { <p class="notes">{ t(Label::NoCheck) }</p> } else { { rows(&[GRACE]) } }
        </>
    };
    let pointers = SWITCHES.iter().map(|switch| switch.0).chain(MORE_READINGS.iter().map(|setting| setting.pointer));
    let given = pointers.filter(|pointer| form.is_given(pointer)).count();
    let switches = SWITCHES.iter().map(|&(pointer, label, default)| switch(form, pointer, t(label), default, on));
    let start_up = shown("/timing/start_up");
    let checks_wrong = wrong(form, &GROUP) || wrong(form, &CONTAINER) || wrong(form, &[GRACE]);
    html! {
        <div>
            { section(t(Label::Timing), text::timing_value(&start_up, None), wrong(form, &TIMING), rows(&TIMING)) }
            { section(t(Label::Checks), check_words(kind).into(), checks_wrong, checks) }
            { section(t(Label::NewRevision), fate_value(form), form.problem(FATE).is_some(), fate(form, on)) }
            { section(t(Label::Seed), shown("/seed"), form.problem("/seed").is_some(), rows(&[number("/seed", Label::SeedLabel, "")])) }
            { section(t(Label::Readings), text::readings_value(given), wrong(form, &MORE_READINGS), html! { <>{ for switches }{ rows(&MORE_READINGS) }</> }) }
            { known(form) }
        </div>
    }
}

fn check_words(kind: CheckKind) -> &'static str {
    t(match kind {
        CheckKind::None => Label::CheckNone,
        CheckKind::Container => Label::CheckContainer,
        CheckKind::TargetGroup => Label::CheckTargetGroup,
        CheckKind::Both => Label::CheckBoth,
    })
}

fn check_kind(now: CheckKind, on: &Callback<Msg>) -> Html {
    let kinds = [CheckKind::None, CheckKind::Container, CheckKind::TargetGroup, CheckKind::Both];
    let chosen = {
        let on = on.clone();
        move |event: Event| {
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            if let Some(kind) = usize::try_from(index).ok().and_then(|index| kinds.get(index)) {
                on.emit(Msg::Check(*kind));
            }
        }
    };
    html! {
        <div class="row">
            <label for="check-kind">{ t(Label::CheckKind) }</label>
            <select class="select" id="check-kind" onchange={chosen}>
                { for kinds.iter().map(|kind| html! { <option selected={*kind == now}>{ check_words(*kind) }</option> }) }
            </select>
        </div>
    }
}

/// Fates of the new revision that one value describes, with that value.
const FATES: [(&str, Label, Option<&str>); 7] = [
    ("healthy", Label::FateHealthy, None),
    ("never_running", Label::FateNeverRunning, None),
    ("never_passes", Label::FateNeverPasses, None),
    ("hangs", Label::FateHangs, None),
    ("exits_after", Label::FateExits, Some("30s")),
    ("turns_unhealthy_after", Label::FateTurns, Some("60s")),
    ("above_running", Label::FateAbove, Some("2")),
];

/// The fate's name and number.
fn fate_now(form: &Form) -> (String, Option<String>) {
    match form.wanted().pointer(FATE) {
        None => ("healthy".into(), None),
        Some(Value::String(name)) => (name.clone(), None),
        Some(Value::Object(entries)) if entries.len() == 1 => {
            (entries[0].0.clone(), Some(crate::form::show(&entries[0].1)))
        }
        Some(_) => (String::new(), None),
    }
}

fn fate_value(form: &Form) -> String {
    let (name, number) = fate_now(form);
    let label = t(FATES.iter().find(|fate| fate.0 == name).map_or(Label::FateOther, |fate| fate.1));
    match number {
        Some(number) if FATES.iter().any(|fate| fate.0 == name) => format!("{label} {number}"),
        _ => label.into(),
    }
}

fn fate_json(name: &str, number: Option<&str>) -> Value {
    match number {
        None if name == "healthy" => Value::Null,
        None => Value::from(name),
        Some(number) => {
            let value = number.parse::<i64>().map_or_else(|_| Value::from(number), Value::from);
            Value::object([(name, value)])
        }
    }
}

fn fate(form: &Form, on: &Callback<Msg>) -> Html {
    let (name, value) = fate_now(form);
    let known = FATES.iter().any(|fate| fate.0 == name);
    let chosen = {
        let on = on.clone();
        move |event: Event| {
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            if let Some((name, _, value)) = usize::try_from(index).ok().and_then(|index| FATES.get(index)) {
                on.emit(Msg::Set(vec![(FATE.into(), fate_json(name, *value))]));
            }
        }
    };
    let typed = {
        let (on, name) = (on.clone(), name.clone());
        move |event: Event| {
            let text = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            on.emit(Msg::Set(vec![(FATE.into(), fate_json(&name, Some(text.trim())))]));
        }
    };
    html! {
        <div class="field">
            <div class="row">
                <label for="fate">{ t(Label::Fate) }</label>
                <select class="select" id="fate" onchange={chosen}>
                    { for FATES.iter().map(|fate| html! { <option selected={fate.0 == name}>{ t(fate.1) }</option> }) }
                    if !known { <option selected={true} disabled={true}>{ t(Label::FateOther) }</option> }
                </select>
            </div>
            if let Some(value) = value.filter(|_| known) {
                <div class="row">
                    <label for="fate-number">{ text::fate_number(&name) }</label>
                    <input class="text-input short" id="fate-number" type="text" {value} onchange={typed} />
                </div>
            }
            if !known || form.is_given("/new/by_start") { <p class="hint">{ t(Label::FateMore) }</p> }
            { problem(form.problem(FATE), "fate", on) }
        </div>
    }
}

/// Warnings and fields that are kept and not simulated.
fn known(form: &Form) -> Html {
    let Some(accepted) = form.accepted() else { return Html::default() };
    let warnings = accepted.resolved.warnings.iter().map(text::problem_with_field);
    let kept = accepted.resolved.not_simulated.iter().map(|item| text::not_simulated(&item.field, &item.why));
    let all: Vec<String> = warnings.chain(kept).collect();
    if all.is_empty() {
        return Html::default();
    }
    let list = html! { <ul class="notes">{ for all.iter().map(|line| html! { <li>{ line }</li> }) }</ul> };
    section(t(Label::GoodToKnow), all.len().to_string(), false, list)
}

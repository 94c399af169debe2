//! The sections of the panel at the left: closed, their heading line states their value.

use rollscope_scenario::{Value, edit};
use web_sys::{HtmlDetailsElement, HtmlSelectElement};
use yew::prelude::*;

use super::field::{Setting, effect, noted_switch, problem, select, text_row};
use super::icon;
use super::notice::mark;
use super::{alarms, breaker, early, fate, fjall, gates, hooks, plan, requests, room, shift, start, starts};
use crate::app::model::Msg;
use crate::form::{CheckKind, Form, show};
use crate::text::{self, Label, t};

const START: [Setting; 3] = [
    Setting::duration("/timing/provisioning", Label::Provisioning),
    Setting::duration("/timing/pull", Label::Pull),
    Setting::duration("/timing/start_up", Label::StartUp),
];
const DELAY: Setting = Setting::seconds("/targetGroups/0/deregistration_delay.timeout_seconds", Label::Delay);
const STOP: [Setting; 3] = [
    Setting::duration("/timing/open_request", Label::OpenRequest),
    Setting::duration("/timing/exit_after_sigterm", Label::Exit),
    Setting::seconds("/containers/0/stopTimeout", Label::StopTimeout),
];
const IN_ALL: [Setting; 2] = [
    Setting::duration("/timing/healthy_after", Label::HealthyInAll),
    Setting::duration("/timing/gone_after", Label::GoneInAll),
];
const GRACE: Setting = Setting::seconds("/service/healthCheckGracePeriodSeconds", Label::Grace);
const TARGET_GROUP: &str = "/targetGroups";
const CONTAINER_CHECK: &str = "/containers/0/healthCheck";
const GROUP: [Setting; 4] = [
    Setting::duration("/timing/first_check", Label::FirstCheck),
    Setting::seconds("/targetGroups/0/healthCheckIntervalSeconds", Label::Interval),
    Setting::number("/targetGroups/0/healthyThresholdCount", Label::HealthyAfter),
    Setting::number("/targetGroups/0/unhealthyThresholdCount", Label::UnhealthyAfter),
];
const CONTAINER: [Setting; 4] = [
    Setting::seconds("/containers/0/healthCheck/interval", Label::Interval),
    Setting::seconds("/containers/0/healthCheck/timeout", Label::Timeout),
    Setting::number("/containers/0/healthCheck/retries", Label::Retries),
    Setting::seconds("/containers/0/healthCheck/startPeriod", Label::StartPeriod),
];
const SEED: Setting = Setting::number("/seed", Label::SeedLabel);
/// The latest end of the run.
const UNTIL: Setting = Setting::duration("/until", Label::RunUntil);
/// How many passes a new target needs.
const PASSES: &str = "/readings/new_target_passes";
/// Its readings; the first one is the default.
const PASSES_OF: [(&str, Label); 2] = [("one", Label::PassesOne), ("threshold", Label::PassesThreshold)];
/// Readings that are a time, each with what its default rests on.
const MORE_READINGS: [(Setting, Label); 2] = [
    (Setting::seconds("/readings/no_check_healthy_after_s", Label::NoCheckHealthy), Label::NoCheckHealthyNote),
    (Setting::seconds("/readings/alarm_delay_s", Label::AlarmDelay), Label::AlarmDelayNote),
];

/// A place where the sources disagree, as a switch.
struct Reading {
    pointer: &'static str,
    label: Label,
    /// The default, what it rests on, and who reads it otherwise.
    note: Label,
    /// The default, where nothing in the document decides about it.
    default: bool,
}

const fn reading(pointer: &'static str, label: Label, note: Label, default: bool) -> Reading {
    Reading { pointer, label, note, default }
}

/// All of them.
const SWITCHES: [Reading; 11] = [
    reading("/readings/stopping_counts", Label::StoppingCounts, Label::StoppingCountsNote, true),
    reading("/readings/start_first", Label::StartFirst, Label::StartFirstNote, false),
    reading("/readings/legacy_replacement", Label::LegacyReplacement, Label::LegacyReplacementNote, false),
    reading("/readings/unhealthy_batch", Label::UnhealthyBatch, Label::UnhealthyBatchNote, false),
    reading("/readings/unhealthy_one_by_one", Label::UnhealthyOneByOne, Label::UnhealthyOneByOneNote, false),
    reading("/readings/allow_100_100", Label::Allow100100, Label::Allow100100Note, false),
    reading("/readings/placement_failure_counts", Label::PlacementCounts, Label::PlacementCountsNote, true),
    reading("/readings/literal_stages", Label::LiteralStages, Label::LiteralStagesNote, false),
    reading("/readings/hold_source_until_gate", Label::HoldSource, Label::HoldSourceNote, false),
    reading("/readings/digest_drill", Label::DigestDrill, Label::DigestDrillNote, false),
    reading("/readings/watchdog_aligned", Label::WatchdogAligned, Label::WatchdogAlignedNote, false),
];

/// What a section shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Its name.
    pub name: &'static str,
    /// What it is set to, in a few words.
    pub value: String,
    /// Something in it is set in this scenario.
    #[prop_or_default]
    pub changed: bool,
    /// Something in it is refused: it opens, and stays open when that is mended.
    #[prop_or_default]
    pub wrong: bool,
    /// It is open at first.
    #[prop_or_default]
    pub opened: bool,
    /// Its settings of ECS by their pointers: whether a change starts a deployment is said of each, with the
    /// field's name where not all have the same answer.
    #[prop_or_default]
    pub on_ecs: Vec<(Option<Label>, &'static str)>,
    /// Its fields.
    pub children: Html,
}

/// A section that opens and closes.
#[component]
pub fn Section(props: &Props) -> Html {
    let open = use_state(|| props.wrong || props.opened);
    if props.wrong && !*open {
        open.set(true);
    }
    let toggled = {
        let open = open.clone();
        move |event: Event| {
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>() {
                open.set(details.open());
            }
        }
    };
    let is_open = *open || props.wrong;
    html! {
        <details class="section" open={is_open} ontoggle={toggled}>
            <summary>
                <span class="name">
                    { props.name }
                    if props.changed { <span class="changed"></span> }
                </span>
                <span class="anew-mark" aria-hidden="true">{ icon::anew() }</span>
                <span class="value">{ &props.value }</span>
            </summary>
            if is_open {
                <div class="body">
                    { props.children.clone() }
                    { for props.on_ecs.iter().map(|(label, pointer)| effect(*label, pointer)) }
                </div>
            }
        </details>
    }
}

/// What all of them show.
#[derive(Clone, PartialEq, Properties)]
pub struct AllProps {
    /// The settings of the run from its start.
    pub form: Form,
    /// The dials above hold from the cursor on: each setting here is marked as one that starts the run anew.
    pub marked: bool,
    /// The revision a failure goes back to.
    pub candidate: Option<u32>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// All of them. Each of their settings starts the run anew. A component, so that they stand while a run plays.
#[component]
pub fn Sections(props: &AllProps) -> Html {
    let AllProps { form, marked, candidate, on } = props;
    let (marked, candidate) = (*marked, *candidate);
    let fates = [
        fate::FATE,
        fate::BY_START,
        gates::BAD,
        gates::EXPECTS.pointer,
        gates::EXPECTS_OLD.pointer,
        gates::SCHEMA,
        gates::DIGESTS,
        starts::OLD,
    ];
    // The others have no early success; one that is given all the same is shown, to be mended.
    let rolling = edit::strategy(form.wanted()).is_none() || form.is_given(early::EARLY);
    html! {
        <div class={classes!("sections", marked.then_some("anew"))} role="group" aria-labelledby="sections-lead">
            <p class="hint" id="sections-lead"><span class="anew-mark" aria-hidden="true">{ icon::anew() }</span>{ t(Label::SectionsLead) }</p>
            { shift::section(form, on) }
            { hooks::section(form, on) }
            { timing(form, on) }
            { checks(form, on) }
            <Section name={t(Label::NewRevision)} value={fate::summary(form)} changed={given(form, &fates)}
                wrong={fates.iter().any(|pointer| form.problem(pointer).is_some())}>
                { fate::fields(form, on) }
                { gates::fields(form, on) }
            </Section>
            { breaker::section(form, candidate, on) }
            { alarms::section(form, on) }
            if rolling { { early::section(form, on) } }
            { fjall::section(form, on) }
            { room::section(form, on) }
            { requests::section(form, on) }
            { start::section(form, on) }
            { plan::acts(form, on) }
            { seed(form, on) }
            { readings(form, on) }
            { known(form) }
        </div>
    }
}

/// True when a problem of this field is shown in one of the sections.
pub fn shows(field: &str) -> bool {
    let settings = START.iter().chain(&STOP).chain(&IN_ALL).chain(&GROUP).chain(&CONTAINER);
    let pointers = settings.chain([&DELAY, &GRACE, &SEED, &UNTIL]).map(|setting| setting.pointer);
    let guards = [breaker::BREAKER, fjall::FJALL, alarms::ALARMS, alarms::BAKE.pointer, alarms::FARE, early::EARLY];
    let new = [
        fate::FATE,
        fate::BY_START,
        gates::BAD,
        gates::EXPECTS.pointer,
        gates::EXPECTS_OLD.pointer,
        gates::SCHEMA,
        gates::DIGESTS,
        starts::OLD,
    ];
    let more =
        reading_pointers().chain([start::START, plan::ACTS, hooks::HOOKS, hooks::ANSWERS]).chain(guards).chain(new);
    let elsewhere = shift::shows(field) || room::shows(field) || requests::shows(field);
    elsewhere || pointers.chain(more).any(|pointer| field.starts_with(pointer))
}

/// What a field holds: as typed or written, else its default.
fn shown(form: &Form, pointer: &str) -> String {
    match form.text(pointer) {
        text if text.is_empty() => form.default_text(pointer).unwrap_or_default(),
        text => text,
    }
}

fn rows<'a>(form: &Form, settings: impl IntoIterator<Item = &'a Setting>, on: &Callback<Msg>) -> Html {
    html! { <>{ for settings.into_iter().map(|setting| text_row(form, *setting, note(form, setting), on)) }</> }
}

/// What a field assumes where it acts, apart from its number.
fn note(form: &Form, setting: &Setting) -> Option<&'static str> {
    match setting.label {
        Label::Delay => Some(t(Label::DelayNote)),
        Label::HealthyAfter => {
            Some(t(if needs_threshold(form) { Label::ThresholdForNew } else { Label::OnePassForNew }))
        }
        _ => None,
    }
}

/// A new target needs as many passes as one that was unhealthy.
fn needs_threshold(form: &Form) -> bool {
    form.text(PASSES) == PASSES_OF[1].0
}

fn wrong(form: &Form, settings: &[Setting]) -> bool {
    settings.iter().any(|setting| form.problem(setting.pointer).is_some())
}

fn given(form: &Form, pointers: &[&str]) -> bool {
    pointers.iter().any(|pointer| form.is_given(pointer))
}

fn pointers(settings: &[Setting]) -> Vec<&'static str> {
    settings.iter().map(|setting| setting.pointer).collect()
}

fn timing(form: &Form, on: &Callback<Msg>) -> Html {
    let group = matches!(form.check_kind(), CheckKind::TargetGroup | CheckKind::Both);
    let settings: Vec<Setting> = START.into_iter().chain(group.then_some(DELAY)).chain(STOP).chain(IN_ALL).collect();
    let [healthy, gone] = IN_ALL.map(|setting| Some(form.text(setting.pointer)).filter(|text| !text.is_empty()));
    let value = if healthy.is_some() || gone.is_some() {
        text::timing_in_all(healthy.as_deref(), gone.as_deref())
    } else {
        let drain = group.then(|| text::seconds_of(&shown(form, DELAY.pointer)));
        text::timing_value(&shown(form, "/timing/start_up"), drain.as_deref())
    };
    let (parts, in_all) = settings.split_at(settings.len() - IN_ALL.len());
    let on_ecs = [group.then_some(DELAY), Some(STOP[2])].into_iter().flatten();
    let on_ecs: Vec<_> = on_ecs.map(|setting| (Some(setting.label), setting.pointer)).collect();
    html! {
        <Section name={t(Label::Timing)} {value} changed={given(form, &pointers(&settings))} wrong={wrong(form, &settings)} {on_ecs}>
            { rows(form, parts, on) }
            <p class="hint">{ t(Label::InAllLead) }</p>
            { rows(form, in_all, on) }
        </Section>
    }
}

fn checks(form: &Form, on: &Callback<Msg>) -> Html {
    let kind = form.check_kind();
    let group = matches!(kind, CheckKind::TargetGroup | CheckKind::Both);
    let container = matches!(kind, CheckKind::Container | CheckKind::Both);
    let seconds = match kind {
        CheckKind::Container => Some(shown(form, CONTAINER[0].pointer)),
        CheckKind::TargetGroup => Some(shown(form, GROUP[1].pointer)),
        CheckKind::None | CheckKind::Both => None,
    };
    let wrong = wrong(form, &GROUP) || wrong(form, &CONTAINER) || wrong(form, &[GRACE]);
    html! {
        <Section name={t(Label::Checks)} value={text::checks_value(check_words(kind), seconds.as_deref())}
            changed={kind != CheckKind::None} {wrong}>
            { check_kind(kind, on) }
            if group {
                if container { <h3>{ t(Label::CheckTargetGroup) }</h3> }
                { rows(form, &GROUP, on) }
                { effect(None, TARGET_GROUP) }
            }
            if container {
                if group { <h3>{ t(Label::CheckContainer) }</h3> }
                { rows(form, &CONTAINER, on) }
                { effect(None, CONTAINER_CHECK) }
            }
            if kind == CheckKind::None {
                <p class="hint">{ t(Label::NoCheck) }</p>
            } else {
                { rows(form, &[GRACE], on) }
                { effect(None, GRACE.pointer) }
            }
        </Section>
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

fn seed(form: &Form, on: &Callback<Msg>) -> Html {
    let next = form.number(SEED.pointer).and_then(|seed| seed.checked_add(1)).filter(|seed| *seed > 0);
    let step = next.map(|next| {
        let on = on.clone();
        let set = move |_: MouseEvent| on.emit(Msg::Set(vec![(SEED.pointer.into(), next.into())]));
        html! { <div><button type="button" class="button line small" onclick={set}>{ t(Label::NextSeed) }</button></div> }
    });
    html! {
        <Section name={t(Label::Seed)} value={text::seed_value(&shown(form, SEED.pointer), &form.text(UNTIL.pointer))}
            changed={given(form, &[SEED.pointer, UNTIL.pointer])} wrong={wrong(form, &[SEED, UNTIL])}>
            { rows(form, &[SEED], on) }
            { step.unwrap_or_default() }
            { text_row(form, UNTIL, Some(t(Label::RunUntilNote)), on) }
        </Section>
    }
}

/// Every reading that can be chosen here.
fn reading_pointers() -> impl Iterator<Item = &'static str> {
    let times = MORE_READINGS.iter().map(|(setting, _)| setting.pointer);
    SWITCHES.iter().map(|reading| reading.pointer).chain(times).chain([PASSES])
}

fn readings(form: &Form, on: &Callback<Msg>) -> Html {
    let set = reading_pointers().filter(|pointer| form.is_given(pointer)).count();
    let wrong = reading_pointers().any(|pointer| form.problem(pointer).is_some());
    let switches = SWITCHES.iter().map(|reading| {
        let default = form.default_without(reading.pointer).map_or(reading.default, |text| text == true.to_string());
        noted_switch(form, reading.pointer, t(reading.label), t(reading.note), default, on)
    });
    let times = MORE_READINGS.iter().map(|(setting, note)| text_row(form, *setting, Some(t(*note)), on));
    html! {
        <Section name={t(Label::Readings)} value={text::readings_value(set)} changed={set > 0} {wrong}>
            <p class="hint">{ t(Label::ReadingsLead) }</p>
            { for switches }
            { passes(form, on) }
            { for times }
        </Section>
    }
}

fn passes(form: &Form, on: &Callback<Msg>) -> Html {
    let now = usize::from(needs_threshold(form));
    let options: Vec<(&str, bool)> = PASSES_OF.iter().enumerate().map(|(i, of)| (t(of.1), i == now)).collect();
    let chosen = {
        let on = on.clone();
        move |index: usize| {
            let value = if index == 0 { Value::Null } else { Value::from(PASSES_OF[index.min(1)].0) };
            on.emit(Msg::Set(vec![(PASSES.into(), value)]));
        }
    };
    html! {
        <div class="field">
            { select("target-passes", t(Label::NewTargetPasses), &options, chosen) }
            { problem(form.problem(PASSES), t(Label::NewTargetPasses), "target-passes", on) }
            <p class="hint">{ t(Label::NewTargetPassesNote) }</p>
        </div>
    }
}

/// Warnings, fields that are kept and not simulated, defaults that hold.
fn known(form: &Form) -> Html {
    let Some(accepted) = form.accepted() else { return Html::default() };
    let resolved = &accepted.resolved;
    let warnings = form.problems().iter().filter(|problem| !problem.is_error());
    let warnings = warnings.map(|problem| (mark(problem), text::problem_with_field(problem)));
    let kept = resolved.not_simulated.iter().map(|item| (icon::info(), text::not_simulated(&item.field, &item.why)));
    let notes: Vec<(Html, String)> = warnings.chain(kept).collect();
    let defaults = resolved.defaulted.iter().map(|default| text::default_value(&default.field, &show(&default.value)));
    html! {
        <Section name={t(Label::GoodToKnow)} value={text::notes_value(notes.len())}>
            if !notes.is_empty() { <ul class="notes">{ for notes.iter().map(|(mark, note)| html! { <li>{ mark.clone() }<span>{ note }</span></li> }) }</ul> }
            if !resolved.defaulted.is_empty() {
                <h3>{ t(Label::DefaultsInForce) }</h3>
                <ul class="notes plain">{ for defaults.map(|line| html! { <li>{ line }</li> }) }</ul>
            }
        </Section>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, PRESETS};

    use super::*;
    use crate::app::model::Dial;

    fn readings_of(form: &Form) -> Vec<(String, bool)> {
        let resolved = form.accepted().map(|accepted| accepted.resolved.readings.clone()).unwrap_or_default();
        resolved.iter().map(|reading| (format!("/readings/{}", reading.name), reading.given)).collect()
    }

    #[test]
    fn every_reading_of_the_document_can_be_chosen_here() {
        let form = Form::new(&Document::from_text(r#"{"service":{"desiredCount":4}}"#).document);
        let mut known: Vec<String> = readings_of(&form).into_iter().map(|(pointer, _)| pointer).collect();
        let mut offered: Vec<String> = reading_pointers().map(str::to_owned).collect();
        known.sort();
        offered.sort();
        assert!(!known.is_empty());
        assert_eq!(known, offered);
    }

    /// Every place of a document where a value stands; a list of plain values is one.
    fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(entries) => entries.iter().map(|(key, inner)| (key.clone(), inner)).collect(),
            Value::Array(list) if list.iter().any(|item| item.as_object().is_some()) => {
                list.iter().enumerate().map(|(index, inner)| (index.to_string(), inner)).collect()
            }
            _ => Vec::new(),
        };
        if inner.is_empty() {
            found.push(at.to_owned());
        }
        for (key, inner) in inner {
            leaves(inner, &format!("{at}/{key}"), found);
        }
    }

    /// Texts for people, and what has no effect on a run.
    const WITHOUT_A_FIELD: [&str; 4] = ["/rollscope", "/title", "/notes", "/containers/0/name"];

    #[test]
    fn what_a_preset_sets_has_its_field() {
        for preset in PRESETS {
            let form = Form::new(&Document::from_text(preset.document).document);
            let mut given = Vec::new();
            leaves(form.wanted(), "", &mut given);
            for pointer in given {
                let shown = shows(&pointer) || Dial::at(&pointer).is_some() || checked(&pointer);
                assert!(shown || WITHOUT_A_FIELD.contains(&pointer.as_str()), "{}: {pointer}", preset.id);
            }
        }
    }

    /// The choice of a check stands for an empty target group and for the command of a container.
    fn checked(pointer: &str) -> bool {
        ["/targetGroups/0", "/containers/0/healthCheck/command"].contains(&pointer)
    }

    #[test]
    fn what_a_preset_reads_otherwise_has_its_switch() {
        let mut set = 0;
        for preset in PRESETS {
            let form = Form::new(&Document::from_text(preset.document).document);
            for pointer in readings_of(&form).into_iter().filter(|(_, given)| *given).map(|(pointer, _)| pointer) {
                assert!(reading_pointers().any(|offered| offered == pointer), "{}: {pointer}", preset.id);
                set += 1;
            }
        }
        assert!(set > 0, "no preset chooses a reading");
    }

    #[test]
    fn the_default_of_a_placement_follows_the_capacity_provider() {
        let counts = "/readings/placement_failure_counts";
        for (service, default) in
            [("", "true"), (r#","capacityProviderStrategy":[{"capacityProvider":"gpu"}]"#, "false")]
        {
            for given in ["", r#","readings":{"placement_failure_counts":true}"#] {
                let text = format!(r#"{{"service":{{"desiredCount":4{service}}}{given}}}"#);
                let form = Form::new(&Document::from_text(&text).document);
                assert_eq!(form.default_without(counts).as_deref(), Some(default), "{text}");
            }
        }
    }
}

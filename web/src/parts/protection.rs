//! What guards the rollout at the cursor: the counter with what counted and what did not, alarms,
//! bake time, what would be gone back to.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::settings::AlarmState;
use rollscope_engine::sim::service_deployment::Protection as Protects;
use rollscope_insight::Guarding;
use rollscope_insight::guarding::{Counted, Uncounted};
use rollscope_scenario::Value;
use yew::prelude::*;

use super::api_view::Light;
use super::mark;
use super::pips::pips;
use super::why::{linked, moment};
use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// Rows of the counter that are shown, the last ones.
const ROWS_MAX: usize = 7;

/// What the card shows.
#[derive(Clone, PartialEq)]
pub struct Props {
    /// The moment.
    pub at: SimTime,
    /// The end of the run.
    pub end: SimTime,
    /// What guards the newest rollout.
    pub guarding: Rc<Guarding>,
    /// Alarms that are watched, with their states at the moment.
    pub alarms: Vec<(String, AlarmState)>,
    /// What would let the run end otherwise, and the field that does.
    pub ways: Vec<(String, (String, Value))>,
    /// What a pipeline sees.
    pub sees: Vec<Light>,
    /// Traffic is shifted: a stage has a limit, and hooks may roll back.
    pub shifts: bool,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The card and the two sections below it.
pub fn card(props: &Props) -> Html {
    let guarding = &props.guarding;
    let title = guarding.failed_at().map_or_else(|| t(Label::Protection).to_owned(), text::why_failed);
    html! {
        <>
            <section class="sum-card protection" id="protection" aria-labelledby="protection-title">
                <h3 id="protection-title">{ linked(&title, props.end, &props.on) }</h3>
                { counter(props) }
                <dl>{ for facts(props).into_iter().map(|(term, value)| html! { <div><dt>{ term }</dt><dd>{ value }</dd></div> }) }</dl>
                { ended(props) }
            </section>
            { uncounted(props) }
            { ways(props) }
            { sees(&props.sees, props.end, &props.on) }
        </>
    }
}

/// Counted failures and resets, each with the counter after it, and the threshold.
fn counter(props: &Props) -> Html {
    let guarding = &props.guarding;
    if guarding.rule.is_none() {
        return if props.alarms.is_empty() {
            html! { <p class="read">{ t(if props.shifts { Label::ProtectionByStages } else { Label::ProtectionOff }) }</p> }
        } else {
            Html::default()
        };
    }
    let hidden = guarding.counted.len().saturating_sub(ROWS_MAX);
    let row = |event: &Counted| {
        let reset = event.kind == FailureKind::BecameHealthy;
        html! {
            <li class={(!reset).then_some("failure")}>
                { moment(event.at, &props.on) }
                { if reset { mark::holds() } else { mark::broken() } }
                <span>{ text::counted_event(event) }</span>
                if reset {
                    <span class="back">{ t(Label::BackToZero) }</span>
                } else {
                    { pips(event.count, event.threshold) }
                }
            </li>
        }
    };
    let trips = guarding.count >= guarding.threshold && guarding.count > 0;
    html! {
        <>
            if hidden > 0 { <p class="earlier">{ text::earlier(hidden) }</p> }
            <ol class="counted" id="counted" aria-label={t(Label::CountedFailures)}>{ for guarding.counted[hidden..].iter().map(row) }</ol>
            if guarding.counted.is_empty() {
                <p class="counted none"><span>{ text::counted_before(guarding.counted_before()) }</span>{ pips(guarding.count, guarding.threshold) }</p>
            }
            <dl class="of-counter">
                <div class={classes!("total", trips.then_some("bad"))} id="gauge">
                    <dt>{ text::threshold_term(guarding.rule, guarding.desired) }</dt>
                    <dd>{ text::count_of(guarding.count, guarding.threshold) }</dd>
                </div>
            </dl>
        </>
    }
}

/// Stage, alarms, bake time, candidate: what there is of them.
fn facts(props: &Props) -> Vec<(&'static str, String)> {
    let guarding = &props.guarding;
    let service = &guarding.service;
    let mut facts = Vec::new();
    if guarding.rule.is_some() && service.is_live() {
        facts.push((t(Label::BreakerStage), text::breaker_stage(guarding.second_stage, guarding.checked).to_owned()));
    }
    if !props.alarms.is_empty() {
        let names: Vec<String> = props.alarms.iter().map(|(name, _)| name.clone()).collect();
        facts.push((t(Label::Alarms), text::alarms_state(service, &names)));
        facts.extend(props.alarms.iter().map(|(name, state)| ("", text::alarm_is(name, *state))));
    }
    if let Some(until) = service.bake_until {
        facts.push((t(Label::Bake), text::bake_clock(until, props.at)));
    }
    let revision = guarding.candidate.map(|(_, revision)| revision);
    match service.rollback {
        Some(back) => facts.push((t(Label::GoesBackTo), text::revision(back.revision))),
        None if guarding.would_go_back() => {
            facts.push((t(Label::GoesBackTo), text::goes_back_to(revision)));
        }
        None => {}
    }
    facts
}

/// That it does not protect any more, and why.
fn ended(props: &Props) -> Html {
    match props.guarding.service.protection {
        Protects::Ended { at, why } => {
            html! { <p class="read ended" id="unprotected">{ linked(&text::protects_not(at, why), props.end, &props.on) }</p> }
        }
        Protects::None | Protects::Guards => Html::default(),
    }
}

/// Failures that did not count, and apart from them what is no failure at all.
fn uncounted(props: &Props) -> Html {
    let (failures, others): (Vec<_>, Vec<_>) = props.guarding.uncounted.iter().partition(|group| group.is_failure());
    let list = |id: &'static str, title: Label, groups: &[&Uncounted]| {
        if groups.is_empty() {
            return Html::default();
        }
        html! {
            <section {id}>
                <h3>{ t(title) }</h3>
                <ul class="read">{ for groups.iter().map(|group| html! { <li>{ text::uncounted(group) }</li> }) }</ul>
            </section>
        }
    };
    html! { <>{ list("uncounted", Label::NotCounted, &failures) }{ list("no-failures", Label::NoFailures, &others) }</> }
}

fn ways(props: &Props) -> Html {
    if props.ways.is_empty() {
        return Html::default();
    }
    let way = |(words, field): &(String, (String, Value))| {
        let (on, field) = (props.on.clone(), field.clone());
        html! {
            <li>
                <span>{ words }</span>
                <button type="button" class="button line" aria-label={text::try_change(words)}
                    onclick={move |_: MouseEvent| on.emit(Msg::Set(vec![field.clone()]))}>{ t(Label::Try) }</button>
            </li>
        }
    };
    html! {
        <section id="remedies">
            <h3>{ t(Label::WouldChangeIt) }</h3>
            <ul class="ways">{ for props.ways.iter().map(way) }</ul>
        </section>
    }
}

/// What a pipeline sees, in sentences; nothing without any.
pub fn sees(lights: &[Light], end: SimTime, on: &Callback<Msg>) -> Html {
    if lights.is_empty() {
        return Html::default();
    }
    let row = |light: &Light| {
        html! {
            <li>
                { linked(&light.sentence, end, on) }
                if !light.misleads.is_empty() {
                    { " " }<span class="misleads">{ t(Label::Misleading) }</span>{ " " }{ linked(&light.misleads, end, on) }
                }
            </li>
        }
    };
    html! {
        <section id="pipeline-sees">
            <h3>{ t(Label::PipelineSees) }</h3>
            <ul class="read">{ for lights.iter().map(row) }</ul>
        </section>
    }
}

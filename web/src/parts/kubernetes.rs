//! Parts of the page for a Kubernetes Deployment: its settings, and why at the cursor.

use rollscope_engine::frame::Limits;
use rollscope_engine::kubernetes::KubernetesView;
use rollscope_engine::platform::kubernetes::rules_rolling::{Size, scale_down_budget};
use rollscope_engine::platform::kubernetes::{ConditionKind, RolloutAct};
use rollscope_engine::settings::{Command, TaskName};
use rollscope_insight::kubernetes::kubectl::{GET_RS, get_rs, new_set};
use rollscope_insight::kubernetes::skew;
use rollscope_wording::{kubernetes as words, time};
use yew::prelude::*;

use super::field::{Setting, text_row};
use super::{deployment, platform};
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

const ROLLING: &str = "/service/strategy/rollingUpdate";
const SURGE: &str = "/service/strategy/rollingUpdate/maxSurge";
const UNAVAILABLE: &str = "/service/strategy/rollingUpdate/maxUnavailable";

/// A number, or a percentage.
const fn fence(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Number, unit: "" }
}

/// The settings that have a field, in their order.
const SETTINGS: [Setting; 6] = [
    Setting::number("/service/replicas", Label::Replicas),
    fence(SURGE, Label::MaxSurge),
    fence(UNAVAILABLE, Label::MaxUnavailable),
    Setting::seconds("/service/minReadySeconds", Label::MinReady),
    Setting::seconds("/service/progressDeadlineSeconds", Label::ProgressDeadline),
    Setting::number("/service/revisionHistoryLimit", Label::HistoryLimit),
];

/// The panel at the left.
pub fn settings(form: &Form, verdict: Html, on: &Callback<Msg>) -> Html {
    let recreate = form.text("/service/strategy/type") == "Recreate";
    let shown = |setting: &&Setting| !(recreate && setting.pointer.starts_with(ROLLING));
    let field = |setting: &Setting| text_row(form, *setting, None, on);
    let known = |field: &str| SETTINGS.iter().any(|setting| field == setting.pointer) || deployment::shows(field);
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !known(&p.field)).collect();
    html! {
        <div class="settings kubernetes">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            { for SETTINGS.iter().filter(shown).map(field) }
            { verdict }
            { deployment::sections(form, on) }
            if !rest.is_empty() {
                <ul class="faults" role="alert">
                    { for rest.into_iter().map(|problem| html! { <li>{ text::problem_with_field(problem) }</li> }) }
                </ul>
            }
        </div>
    }
}

/// What the panel at the right shows.
pub struct Why<'a> {
    /// The condition in a few words.
    pub title: String,
    /// Why nothing happens.
    pub lead: String,
    /// The moment.
    pub view: &'a KubernetesView,
    /// replicas, fewest available, most asked for.
    pub limits: Limits,
    /// What `kubectl rollout status` says.
    pub status: String,
    /// What kubectl calls the Deployment.
    pub name: &'static str,
    /// The selected Pod, and what it does.
    pub selected: Option<(TaskName, String)>,
    /// Messages.
    pub on: &'a Callback<Msg>,
}

/// Why, in two sums and in kubectl's words.
pub fn why(why: &Why<'_>) -> Html {
    html! {
        <div class="why kubernetes">
            <div>
                <h2>{ &why.title }</h2>
                <p class="read">{ &why.lead }</p>
            </div>
            { sums(why) }
            { who_answers(why) }
            <section>
                <h3>{ t(Label::RolloutStatus) }</h3>
                <pre class="kubectl" id="rollout-status">{ &why.status }</pre>
            </section>
            { sets(why) }
            { conditions(why) }
            { acts(why) }
            if let Some((name, state)) = &why.selected {
                <section id="selected">
                    <h3>{ time::task(*name) }</h3>
                    <p class="read">{ state }</p>
                </section>
            }
        </div>
    }
}

/// Growing is bounded on what is asked for, shrinking by what is available.
fn sums(why: &Why<'_>) -> Html {
    let (view, limits) = (why.view, why.limits);
    let number = |n: u32| text::number(n.into());
    let new =
        new_set(view).map_or(Size { spec: 0, available: 0 }, |set| Size { spec: set.spec, available: set.available });
    let old = view.asked.saturating_sub(new.spec);
    let budget = u32::try_from(scale_down_budget(old, new, limits.floor)).unwrap_or(0).min(old);
    let grow = [(t(Label::CeilingAsked), number(limits.ceiling)), (t(Label::Asked), text::minus(view.asked))];
    let shrink = [
        (t(Label::OldAndAvailable), number(old + new.available.min(new.spec))),
        (t(Label::MinAvailable), text::minus(limits.floor)),
    ];
    html! {
        <>
            { sum(t(Label::GrowNew), &grow, t(Label::RoomAsked), number(limits.ceiling.saturating_sub(view.asked))) }
            { sum(t(Label::ShrinkOld), &shrink, t(Label::Budget), number(budget)) }
        </>
    }
}

fn sum(title: &str, rows: &[(&'static str, String)], total: &str, value: String) -> Html {
    let row = |(term, value): &(&'static str, String)| html! { <div><dt>{ *term }</dt><dd>{ value }</dd></div> };
    html! {
        <section class="sum-card">
            <h3>{ title }</h3>
            <dl>
                { for rows.iter().map(row) }
                <div class="total"><dt>{ total }</dt><dd>{ value }</dd></div>
            </dl>
        </section>
    }
}

/// Which versions answer, and how likely two requests of one user meet two of them.
fn who_answers(why: &Why<'_>) -> Html {
    let found = skew(why.view);
    let row = |(template, share): &(u32, u32)| {
        html! { <div><dt>{ words::version(*template) }</dt><dd>{ words::share(*share) }</dd></div> }
    };
    html! {
        <section class="sum-card" id="who-answers">
            <h3>{ t(Label::WhoAnswers) }</h3>
            <dl>
                { for found.shares.iter().map(row) }
                if found.shares.is_empty() {
                    <div><dt>{ t(Label::NobodyAnswers) }</dt><dd></dd></div>
                }
                <div class="total">
                    <dt>{ t(Label::TwoVersions) }</dt><dd>{ words::share(found.two_versions) }</dd>
                </div>
            </dl>
        </section>
    }
}

fn sets(why: &Why<'_>) -> Html {
    let row = |cells: [String; 6]| html! { <tr>{ for cells.into_iter().map(|cell| html! { <td>{ cell }</td> }) }</tr> };
    html! {
        <section>
            <h3>{ t(Label::GetReplicaSets) }</h3>
            <table class="kubectl" id="get-rs">
                <thead><tr>{ for GET_RS.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                <tbody>{ for get_rs(why.view, why.name).into_iter().map(row) }</tbody>
            </table>
        </section>
    }
}

fn conditions(why: &Why<'_>) -> Html {
    let row = |kind: &ConditionKind| {
        let found = why.view.conditions.get(*kind)?;
        Some(html! {
            <tr>
                <td>{ format!("{}={}", kind.name(), found.status.name()) }</td>
                <td>{ found.reason.name() }</td>
                <td>{ text::clock(found.last_transition) }</td>
            </tr>
        })
    };
    let heads = [Label::ConditionType, Label::ConditionReason, Label::ConditionSince];
    html! {
        <section>
            <h3>{ t(Label::Conditions) }</h3>
            <table class="kubectl" id="conditions">
                <thead><tr>{ for heads.into_iter().map(|head| html! { <th scope="col">{ t(head) }</th> }) }</tr></thead>
                <tbody>{ for ConditionKind::ALL.iter().filter_map(row) }</tbody>
            </table>
        </section>
    }
}

/// What people do to a rollout, from the cursor on.
fn acts(why: &Why<'_>) -> Html {
    let paused = why.view.paused;
    let button = |label: Label, act: RolloutAct| {
        let on = why.on.clone();
        let act = move |_: MouseEvent| on.emit(Msg::Act(Command::Rollout(act)));
        html! { <button type="button" class="button line small" onclick={act}>{ t(label) }</button> }
    };
    html! {
        <section>
            <h3>{ t(Label::ActHere) }</h3>
            <p class="buttons">
                { button(Label::UndoRollout, RolloutAct::Undo { to: None }) }
                if paused {
                    { button(Label::ResumeRollout, RolloutAct::Resume) }
                } else {
                    { button(Label::PauseRollout, RolloutAct::Pause) }
                }
            </p>
        </section>
    }
}

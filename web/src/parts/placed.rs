//! Parts of the page for a StatefulSet and a DaemonSet: their settings, and why at the cursor.

use rollscope_engine::frame::Limits;
use rollscope_engine::platform::kubernetes::RolloutAct;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_insight::placed::kubectl::GET_PODS;
use rollscope_wording::{placed as words, time};
use yew::prelude::*;

use super::deployment;
use super::field::{Setting, text_row};
use super::kubernetes::sum;
use super::platform;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Pods that the table lists.
const LISTED: usize = 24;

const fn word(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Word, unit: "" }
}

const STRATEGY: Setting = word("/service/updateStrategy/type", Label::StrategyType);
const UNAVAILABLE: Setting =
    Setting::number("/service/updateStrategy/rollingUpdate/maxUnavailable", Label::MaxUnavailable);
const MIN_READY: Setting = Setting::seconds("/service/minReadySeconds", Label::MinReady);
const HISTORY: Setting = Setting::number("/service/revisionHistoryLimit", Label::HistoryLimit);

/// The settings of a StatefulSet that have a field, in their order.
const STATEFUL: [Setting; 7] = [
    Setting::number("/service/replicas", Label::Replicas),
    word("/service/podManagementPolicy", Label::ManagementPolicy),
    STRATEGY,
    Setting::number("/service/updateStrategy/rollingUpdate/partition", Label::Partition),
    UNAVAILABLE,
    MIN_READY,
    HISTORY,
];
/// Those of a DaemonSet.
const DAEMON: [Setting; 6] = [
    Setting::number("/nodes", Label::Nodes),
    STRATEGY,
    Setting::number("/service/updateStrategy/rollingUpdate/maxSurge", Label::MaxSurge),
    UNAVAILABLE,
    MIN_READY,
    HISTORY,
];

/// The panel at the left; `first` is the first ordinal of a StatefulSet.
pub fn settings(form: &Form, first: Option<u32>, verdict: Html, on: &Callback<Msg>) -> Html {
    let settings: &[Setting] = if first.is_some() { &STATEFUL } else { &DAEMON };
    let field = |setting: &Setting| text_row(form, *setting, None, on);
    let known = |field: &str| settings.iter().any(|setting| field == setting.pointer) || deployment::shows(field);
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !known(&p.field)).collect();
    html! {
        <div class="settings elsewhere placed">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            { for settings.iter().map(field) }
            { verdict }
            if let Some(first) = first { <p class="hint" id="last-one">{ words::last_one(first) }</p> }
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
    /// Why nothing happens.
    pub lead: String,
    /// Places, fewest available, most at once.
    pub limits: Limits,
    /// Available Pods.
    pub available: u32,
    /// What `kubectl rollout status` says.
    pub status: String,
    /// What `kubectl get pods` lists.
    pub pods: Vec<[String; 5]>,
    /// The selected Pod, and what it does.
    pub selected: Option<(TaskName, String)>,
    /// Messages.
    pub on: &'a Callback<Msg>,
}

/// Why, in a sum and in kubectl's words.
pub fn why(why: &Why<'_>) -> Html {
    let number = |n: u32| text::number(n.into());
    let limits = why.limits;
    let most = limits.desired.saturating_sub(limits.floor);
    let down = limits.desired.saturating_sub(why.available);
    let rows = [(t(Label::MaxUnavailable), number(most)), (words::names().down_now, text::minus(down))];
    let row = |cells: &[String; 5]| html! { <tr>{ for cells.iter().map(|cell| html! { <td>{ cell }</td> }) }</tr> };
    html! {
        <div class="why elsewhere">
            <div><p class="read" id="waits-for">{ &why.lead }</p></div>
            { sum(words::names().may_be_down, &rows, words::names().more_may_go, number(most.saturating_sub(down))) }
            <section>
                <h3>{ t(Label::RolloutStatus) }</h3>
                <pre class="kubectl" id="rollout-status">{ &why.status }</pre>
            </section>
            <section>
                <h3>{ words::names().get_pods }</h3>
                <table class="kubectl" id="get-pods">
                    <thead><tr>{ for GET_PODS.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                    <tbody>{ for why.pods.iter().take(LISTED).map(row) }</tbody>
                </table>
            </section>
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

/// What people do to a rollout, from the cursor on: undo it, and delete the selected Pod.
fn acts(why: &Why<'_>) -> Html {
    let button = |label: &'static str, command: Command| {
        let on = why.on.clone();
        let act = move |_: MouseEvent| on.emit(Msg::Act(command.clone()));
        html! { <button type="button" class="button line small" onclick={act}>{ label }</button> }
    };
    html! {
        <section>
            <h3>{ t(Label::ActHere) }</h3>
            <p class="buttons">
                { button(t(Label::UndoRollout), Command::Rollout(RolloutAct::Undo { to: None })) }
                if let Some((name, _)) = &why.selected {
                    { button(words::names().delete_pod, Command::StopTask(*name)) }
                }
            </p>
        </section>
    }
}

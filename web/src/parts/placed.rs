//! Parts of the page for a StatefulSet and a DaemonSet: their settings, and why at the cursor.

use rollscope_engine::frame::Limits;
use rollscope_engine::settings::TaskName;
use rollscope_insight::placed::kubectl::GET_PODS;
use rollscope_wording::placed as words;
use yew::prelude::*;

use super::deployment;
use super::field::{Setting, breakable, one_of, switch, text_row};
use super::kubernetes::sum;
use super::placed_acts::PlacedActs;
use super::platform;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Pods that the table lists.
const LISTED: usize = 24;

const fn word(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Word, unit: "" }
}

/// What only a rolling update has.
const ROLLING: &str = "/service/updateStrategy/rollingUpdate";
/// Whether the cluster reads `maxUnavailable` of a StatefulSet.
const GATE: &str = "/featureGates/MaxUnavailableStatefulSet";
const POLICY: Setting = word("/service/podManagementPolicy", Label::ManagementPolicy);
const STRATEGY: Setting = word("/service/updateStrategy/type", Label::StrategyType);
const UNAVAILABLE: Setting =
    Setting::number("/service/updateStrategy/rollingUpdate/maxUnavailable", Label::MaxUnavailable);
const MIN_READY: Setting = Setting::seconds("/service/minReadySeconds", Label::MinReady);
const HISTORY: Setting = Setting::number("/service/revisionHistoryLimit", Label::HistoryLimit);

/// The settings of a StatefulSet that have a field, in their order.
const STATEFUL: [Setting; 7] = [
    Setting::number("/service/replicas", Label::Replicas),
    POLICY,
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
    let on_delete = form.text(STRATEGY.pointer) == "OnDelete";
    let shown = |setting: &&Setting| !(on_delete && setting.pointer.starts_with(ROLLING));
    let field = |setting: &Setting| match setting.pointer {
        pointer if pointer == STRATEGY.pointer => {
            one_of(form, STRATEGY, &["RollingUpdate", "OnDelete"], Some(ROLLING), on)
        }
        pointer if pointer == POLICY.pointer => one_of(form, POLICY, &["OrderedReady", "Parallel"], None, on),
        _ => text_row(form, *setting, None, on),
    };
    let gate = || switch(form, GATE, t(Label::ReadsMaxUnavailable), false, on);
    let known = |field: &str| {
        field == GATE || settings.iter().filter(shown).any(|one| field == one.pointer) || deployment::shows(field)
    };
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !known(&p.field)).collect();
    html! {
        <div class="settings elsewhere placed">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            { for settings.iter().filter(shown).map(field) }
            if first.is_some() && !on_delete { { gate() } }
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
    /// The state in a few words.
    pub title: &'static str,
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
    /// `partition` of a StatefulSet.
    pub partition: Option<u32>,
    /// The selected Pod, what it is called, and what it does.
    pub selected: Option<(TaskName, String, String)>,
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
    let row = |cells: &[String; 5]| html! { <tr>{ for cells.iter().map(|cell| html! { <td>{ breakable(cell) }</td> }) }</tr> };
    html! {
        <div class="why elsewhere">
            <div><h2>{ why.title }</h2><p class="read" id="waits-for">{ &why.lead }</p></div>
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
            if let Some((_, name, state)) = &why.selected {
                <section id="selected">
                    <h3>{ name }</h3>
                    <p class="read">{ state }</p>
                </section>
            }
            <PlacedActs wanted={limits.desired} partition={why.partition} on={why.on.clone()}
                selected={why.selected.as_ref().map(|(name, ..)| *name)} />
        </div>
    }
}

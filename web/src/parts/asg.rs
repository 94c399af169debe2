//! Parts of the page for an EC2 instance refresh: its settings, and why at the cursor.

use rollscope_engine::asg::AsgView;
use rollscope_engine::frame::{LaneCounts, Limits};
use rollscope_engine::platform::asg::RefreshAct;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_wording::asg as words;
use rollscope_wording::time;
use yew::prelude::*;

use super::field::{Setting, text_row};
use super::kubernetes::sum;
use super::platform;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

const fn with_kind(pointer: &'static str, label: Label, kind: FieldKind) -> Setting {
    Setting { pointer, label, kind, unit: "" }
}

/// The settings that have a field, in their order.
const SETTINGS: [Setting; 11] = [
    Setting::number("/service/DesiredCapacity", Label::DesiredCapacity),
    Setting::number("/service/Preferences/MinHealthyPercentage", Label::MinHealthyPercentage).with_unit("%"),
    Setting::number("/service/Preferences/MaxHealthyPercentage", Label::MaxHealthyPercentage).with_unit("%"),
    Setting::seconds("/service/Preferences/InstanceWarmup", Label::InstanceWarmup),
    with_kind("/service/Preferences/CheckpointPercentages", Label::CheckpointPercentages, FieldKind::List),
    Setting::seconds("/service/Preferences/CheckpointDelay", Label::CheckpointDelay),
    Setting::seconds("/service/Preferences/BakeTime", Label::RefreshBakeTime),
    with_kind("/service/HealthCheckType", Label::HealthCheckType, FieldKind::Word),
    Setting::seconds("/service/HealthCheckGracePeriod", Label::HealthCheckGracePeriod),
    Setting::duration("/timing/healthy_after", Label::ReadyAfter),
    Setting::duration("/timing/gone_after", Label::GoneAfter),
];

/// The panel at the left.
pub fn settings(form: &Form, verdict: Html, on: &Callback<Msg>) -> Html {
    let field = |setting: &Setting| text_row(form, *setting, None, on);
    let known = |field: &str| SETTINGS.iter().any(|setting| field == setting.pointer);
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !known(&p.field)).collect();
    html! {
        <div class="settings elsewhere asg">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            { for SETTINGS.iter().map(field) }
            { verdict }
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
    /// The status in a few words.
    pub title: String,
    /// Why nothing happens.
    pub lead: String,
    /// The moment.
    pub view: &'a AsgView,
    /// Desired capacity, least ready, most at once.
    pub limits: Limits,
    /// Instances that count against the most.
    pub counted: u32,
    /// What the API describes, by field.
    pub described: Vec<(&'static str, String)>,
    /// The selected instance, and what it does.
    pub selected: Option<(TaskName, String)>,
    /// Messages.
    pub on: &'a Callback<Msg>,
}

/// Why, in two sums and in the API's words.
pub fn why(why: &Why<'_>) -> Html {
    let number = |n: u32| text::number(n.into());
    let (view, limits) = (why.view, why.limits);
    let launch =
        [(t(Label::MostInstances), number(limits.ceiling)), (t(Label::CountedInstances), text::minus(why.counted))];
    let terminate =
        [(t(Label::ReadyInstances), number(view.ready)), (t(Label::MustStayReady), text::minus(limits.floor))];
    let row =
        |(name, value): &(&'static str, String)| html! { <tr><th scope="row">{ *name }</th><td>{ value }</td></tr> };
    let version = |(version, lane): &(u32, LaneCounts)| {
        html! { <tr><th scope="row">{ words::version(*version) }</th><td>{ words::version_states(lane) }</td></tr> }
    };
    html! {
        <div class="why elsewhere">
            <div>
                <h2>{ &why.title }</h2>
                <p class="read">{ &why.lead }</p>
            </div>
            { sum(t(Label::LaunchInstances), &launch, t(Label::MayBeLaunched), number(limits.ceiling.saturating_sub(why.counted))) }
            { sum(t(Label::TerminateInstances), &terminate, t(Label::MayGo), number(view.ready.saturating_sub(limits.floor))) }
            <section>
                <h3>{ t(Label::DescribeRefreshes) }</h3>
                <table class="kubectl" id="refresh"><tbody>{ for why.described.iter().map(row) }</tbody></table>
            </section>
            <section>
                <h3>{ t(Label::LaunchTemplateVersions) }</h3>
                <table class="kubectl" id="versions"><tbody>{ for view.versions.iter().map(version) }</tbody></table>
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

/// What people do to a refresh that is going on, from the cursor on.
fn acts(why: &Why<'_>) -> Html {
    if why.view.refresh.is_none_or(|refresh| refresh.status.is_final()) {
        return Html::default();
    }
    let button = |label: Label, act: RefreshAct| {
        let on = why.on.clone();
        let act = move |_: MouseEvent| on.emit(Msg::Act(Command::Refresh(act)));
        html! { <button type="button" class="button line small" onclick={act}>{ t(label) }</button> }
    };
    html! {
        <section>
            <h3>{ t(Label::ActHere) }</h3>
            <p class="buttons">
                { button(Label::CancelRefresh, RefreshAct::Cancel) }
                { button(Label::RollBackRefresh, RefreshAct::RollBack) }
            </p>
        </section>
    }
}

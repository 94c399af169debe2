//! Parts of the page for groups of virtual machines: settings of Google Cloud's and of Azure's, and why at the cursor.

use rollscope_engine::frame::{LaneCounts, Limits};
use rollscope_engine::platform::vm::{GroupAct, Kind};
use rollscope_engine::settings::{Command, TaskName};
use rollscope_engine::vm::VmView;
use rollscope_wording::time;
use rollscope_wording::vm as words;
use yew::prelude::*;

use super::field::{Setting, one_of, text_row};
use super::kubernetes::sum;
use super::platform;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

const fn word(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Word, unit: "" }
}

/// The settings of a managed instance group that have a field, in their order.
const MIG: [Setting; 10] = [
    Setting::number("/service/targetSize", Label::TargetSize),
    Setting::number("/service/updatePolicy/maxSurge/fixed", Label::MigMaxSurge),
    Setting::number("/service/updatePolicy/maxSurge/percent", Label::MigMaxSurgePercent).with_unit("%"),
    Setting::number("/service/updatePolicy/maxUnavailable/fixed", Label::MigMaxUnavailable),
    Setting::number("/service/updatePolicy/maxUnavailable/percent", Label::MigMaxUnavailablePercent).with_unit("%"),
    Setting::seconds("/service/updatePolicy/minReadySec", Label::MinReadySec),
    word("/service/updatePolicy/type", Label::UpdateType),
    word("/service/updatePolicy/replacementMethod", Label::ReplacementMethod),
    Setting::duration("/timing/healthy_after", Label::ReadyAfter),
    Setting::duration("/timing/gone_after", Label::GoneAfter),
];

/// The same of a scale set.
const VMSS: [Setting; 8] = [
    Setting::number("/service/sku/capacity", Label::ScaleSetCapacity),
    word("/service/upgradePolicy/mode", Label::UpgradeMode),
    Setting::number(
        "/service/upgradePolicy/rollingUpgradePolicy/maxBatchInstancePercent",
        Label::MaxBatchInstancePercent,
    )
    .with_unit("%"),
    Setting::number(
        "/service/upgradePolicy/rollingUpgradePolicy/maxUnhealthyInstancePercent",
        Label::MaxUnhealthyInstancePercent,
    )
    .with_unit("%"),
    Setting::number(
        "/service/upgradePolicy/rollingUpgradePolicy/maxUnhealthyUpgradedInstancePercent",
        Label::MaxUnhealthyUpgradedInstancePercent,
    )
    .with_unit("%"),
    word("/service/upgradePolicy/rollingUpgradePolicy/pauseTimeBetweenBatches", Label::PauseTimeBetweenBatches),
    Setting::duration("/timing/healthy_after", Label::ReadyAfter),
    Setting::duration("/timing/gone_after", Label::GoneAfter),
];

/// The values of a field that has only a few, the default first.
const fn values(label: Label) -> Option<&'static [&'static str]> {
    Some(match label {
        Label::UpdateType => &["PROACTIVE", "OPPORTUNISTIC"],
        Label::ReplacementMethod => &["SUBSTITUTE", "RECREATE"],
        Label::UpgradeMode => &["Rolling", "Automatic", "Manual"],
        _ => return None,
    })
}

/// The panel at the left.
pub fn settings(form: &Form, kind: &Kind, verdict: Html, on: &Callback<Msg>) -> Html {
    let fields: &[Setting] = if matches!(kind, Kind::Mig(_)) { &MIG } else { &VMSS };
    let field = |setting: &Setting| match values(setting.label) {
        Some(values) => one_of(form, *setting, values, None, on),
        None => text_row(form, *setting, None, on),
    };
    let known = |field: &str| fields.iter().any(|setting| field == setting.pointer);
    let rest: Vec<_> = form.problems().iter().filter(|p| p.is_error() && !known(&p.field)).collect();
    html! {
        <div class="settings elsewhere asg">
            <h2 class="only-read">{ t(Label::Settings) }</h2>
            { platform::choice(form, on) }
            { for fields.iter().map(field) }
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
    /// The state in a few words.
    pub title: String,
    /// Why nothing happens.
    pub lead: String,
    /// The moment.
    pub view: &'a VmView,
    /// Size, least available, most at once.
    pub limits: Limits,
    /// Machines that are up, and those that count against the most.
    pub counts: (u32, u32),
    /// The command that shows the state, and what it answers.
    pub described: (&'static str, Vec<(&'static str, String)>),
    /// The selected machine, and what it does.
    pub selected: Option<(TaskName, String)>,
    /// Messages.
    pub on: &'a Callback<Msg>,
}

/// Why, in two sums and in the platform's words.
pub fn why(why: &Why<'_>) -> Html {
    let number = |n: u32| text::number(n.into());
    let (view, limits, (up, counted)) = (why.view, why.limits, why.counts);
    let create = [(t(Label::MostInstances), number(limits.ceiling)), (t(Label::CountedMachines), text::minus(counted))];
    let delete =
        [(words::up_name(&view.params.kind), number(up)), (t(Label::MustStayAvailable), text::minus(limits.floor))];
    let row =
        |(name, value): &(&'static str, String)| html! { <tr><th scope="row">{ *name }</th><td>{ value }</td></tr> };
    let kind = &view.params.kind;
    let version = |(version, lane): &(u32, LaneCounts)| {
        html! { <tr><th scope="row">{ words::version(*version, kind) }</th><td>{ words::version_states(lane) }</td></tr> }
    };
    let (command, rows) = &why.described;
    html! {
        <div class="why elsewhere">
            <div>
                <h2>{ &why.title }</h2>
                <p class="read">{ &why.lead }</p>
            </div>
            { sum(t(Label::CreateMachines), &create, t(Label::MayBeCreated), number(limits.ceiling.saturating_sub(counted))) }
            { sum(t(Label::TakeDownMachines), &delete, t(Label::MayGo), number(up.saturating_sub(limits.floor))) }
            <section>
                <h3>{ *command }</h3>
                <table class="kubectl" id="described"><tbody>{ for rows.iter().map(row) }</tbody></table>
            </section>
            <section>
                <h3>{ t(Label::MachinesByModel) }</h3>
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

/// What people do to an update that is going on, from the cursor on.
fn acts(why: &Why<'_>) -> Html {
    let (label, act) = match (&why.view.params.kind, why.view.upgrade) {
        (Kind::Mig(params), _) if params.proactive && why.view.tally.old.total() > 0 => {
            (Label::StopProactiveUpdate, GroupAct::StopProactive)
        }
        (Kind::Vmss(_), Some(upgrade)) if !upgrade.status.is_final() => (Label::CancelUpgrade, GroupAct::Cancel),
        _ => return Html::default(),
    };
    let on = why.on.clone();
    let act = move |_: MouseEvent| on.emit(Msg::Act(Command::Group(act)));
    html! {
        <section>
            <h3>{ t(Label::ActHere) }</h3>
            <p class="buttons">
                <button type="button" class="button line small" onclick={act}>{ t(label) }</button>
            </p>
        </section>
    }
}

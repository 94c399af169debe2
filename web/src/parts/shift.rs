//! How a deployment goes: the strategy, and where traffic is shifted its steps and waits.

use rollscope_engine::platform::ecs::strategy::ShiftKind;
use rollscope_scenario::edit;
use yew::prelude::*;

use super::field::{Setting, text_row, toggle};
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Where the strategy stands in the document.
pub const STRATEGY: &str = "/service/deploymentConfiguration/strategy";
const LINEAR: [Setting; 2] = [
    percent("/service/deploymentConfiguration/linearConfiguration/stepPercent", Label::StepPercent),
    minutes("/service/deploymentConfiguration/linearConfiguration/stepBakeTimeInMinutes", Label::StepBake),
];
const CANARY: [Setting; 2] = [
    percent("/service/deploymentConfiguration/canaryConfiguration/canaryPercent", Label::CanaryPercent),
    minutes("/service/deploymentConfiguration/canaryConfiguration/canaryBakeTimeInMinutes", Label::CanaryBake),
];
const BAKE: Setting = minutes("/service/deploymentConfiguration/bakeTimeInMinutes", Label::ShiftBake);
const DEPLOYMENT: &str = "/service/deploymentConfiguration";
const RULE: &str = "/service/loadBalancers/0/advancedConfiguration/testListenerRule";
const fn percent(pointer: &'static str, label: Label) -> Setting {
    Setting { pointer, label, kind: FieldKind::Decimal, unit: "%" }
}

const fn minutes(pointer: &'static str, label: Label) -> Setting {
    Setting::number(pointer, label).with_unit("min")
}

/// True when a problem of this field is shown here.
pub fn shows(field: &str) -> bool {
    let settings = LINEAR.iter().chain(&CANARY).chain([&BAKE]).map(|setting| setting.pointer);
    settings.chain([STRATEGY, RULE]).any(|pointer| field.starts_with(pointer))
}

/// The steps of the traffic and what they wait for; nothing for a rolling update.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let Some(kind) = edit::strategy(form.wanted()) else { return Html::default() };
    let shift = form.accepted().and_then(|accepted| accepted.resolved.settings.strategy.shift());
    let steps: &[Setting] = match kind {
        ShiftKind::BlueGreen => &[],
        ShiftKind::Linear => &LINEAR,
        ShiftKind::Canary => &CANARY,
    };
    let settings = || steps.iter().chain([&BAKE]);
    let wrong = settings().any(|setting| form.problem(setting.pointer).is_some());
    let balanced = shift.is_some_and(|shift| shift.steered);
    let listens = edit::test_listener(form.wanted());
    // A rule of Service Connect brings it too, and stays as it stands in the document.
    let elsewhere = !listens && shift.is_some_and(|shift| shift.test_listener);
    let tree = form.wanted().clone();
    let rule = (balanced && !elsewhere).then_some((Some(Label::TestListener), RULE));
    let on_ecs: Vec<_> = [(None, DEPLOYMENT)].into_iter().chain(rule).collect();
    html! {
        <Section name={t(Label::ShiftSection)} value={shift.map(text::shift_value).unwrap_or_default()} changed=true {wrong} opened=true
            {on_ecs}>
            { for settings().map(|setting| text_row(form, *setting, None, on)) }
            if let Some(shift) = shift { <p class="hint" id="shift-sum">{ text::shift_sum(shift) }</p> }
            if balanced && !elsewhere {
                { toggle(form, RULE, t(Label::TestListener), listens, move |on| edit::with_test_listener(&tree, on), on) }
            }
        </Section>
    }
}

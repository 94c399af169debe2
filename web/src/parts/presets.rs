//! The examples as plain lists, one a group.

use rollscope_scenario::Document;
use rollscope_scenario::presets::{Preset, PresetGroup};
use rollscope_scenario::presets_instance_refresh::THREE_PLATFORMS;
use rollscope_scenario::presets_kubernetes::FOUR_SETTINGS;
use yew::prelude::*;

use super::dialogs::Frame;
use crate::app::model::Msg;
use crate::link::{Opened, compare_presets};
use crate::text::{Label, t};

const fn title(group: PresetGroup) -> Label {
    match group {
        PresetGroup::Limits => Label::ExamplesLimits,
        PresetGroup::Pace => Label::ExamplesPace,
        PresetGroup::Breaker => Label::ExamplesBreaker,
        PresetGroup::EarlySuccess => Label::ExamplesEarly,
        PresetGroup::Workers => Label::ExamplesWorkers,
        PresetGroup::Waits => Label::ExamplesWaits,
        PresetGroup::Room => Label::ExamplesRoom,
        PresetGroup::Shifting => Label::ExamplesShifting,
        PresetGroup::Kubernetes => Label::ExamplesKubernetes,
        PresetGroup::Placed => Label::ExamplesPlaced,
        PresetGroup::InstanceRefresh => Label::ExamplesInstanceRefresh,
        PresetGroup::MachineGroups => Label::ExamplesMachineGroups,
    }
}

/// The same service by each of the four strategies.
const STRATEGIES: [&str; 4] = ["rolled", "blue-green", "linear", "canary"];

/// The comparison of a group: its presets, or its fragment; the name of its row, title and lead.
const fn comparison(group: PresetGroup) -> Option<(Side, &'static str, Label, Label)> {
    match group {
        PresetGroup::Shifting => Some((
            Side::Presets(STRATEGIES),
            "compare-strategies",
            Label::ComparedStrategies,
            Label::ComparedStrategiesLead,
        )),
        PresetGroup::Kubernetes => {
            Some((Side::Presets(FOUR_SETTINGS), "compare-four-settings", Label::FourSettings, Label::FourSettingsLead))
        }
        PresetGroup::InstanceRefresh => Some((
            Side::Fragment(THREE_PLATFORMS),
            "compare-three-platforms",
            Label::ThreePlatforms,
            Label::ThreePlatformsLead,
        )),
        _ => None,
    }
}

/// What stands side by side.
#[derive(Clone, Copy)]
enum Side {
    /// Presets by their names.
    Presets([&'static str; 4]),
    /// A fragment as it is.
    Fragment(&'static str),
}

impl Side {
    fn fragment(self) -> String {
        match self {
            Side::Presets(names) => compare_presets(&names),
            Side::Fragment(fragment) => fragment.to_owned(),
        }
    }
}

/// Each row opens its scenario, as one change that can be undone.
pub fn presets_dialog(on: &Callback<Msg>) -> Html {
    let row = |preset: &'static Preset| {
        let on = on.clone();
        let open = move |_: MouseEvent| {
            let opened = Opened::document(Document::from_text(preset.document).document);
            on.emit(Msg::Open(Box::new(opened), true));
        };
        html! {
            <li>
                <button type="button" class="preset" id={format!("preset-{}", preset.id)} onclick={open}>
                    <strong>{ preset.title }</strong><span>{ preset.lead }</span>
                </button>
            </li>
        }
    };
    let compared = |group: PresetGroup| {
        let (side, id, title, lead) = comparison(group)?;
        let on = on.clone();
        let open = move |_: MouseEvent| on.emit(Msg::Compare(Some(side.fragment())));
        Some(html! {
            <li>
                <button type="button" class="preset" {id} onclick={open}>
                    <strong>{ t(title) }</strong><span>{ t(lead) }</span>
                </button>
            </li>
        })
    };
    let list = |group: PresetGroup| {
        html! {
            <>
                <h3 class="block-title">{ t(title(group)) }</h3>
                <ul class="presets">{ for Preset::all().filter(|preset| preset.group == group).map(row) }{ compared(group).unwrap_or_default() }</ul>
            </>
        }
    };
    html! {
        <Frame title={t(Label::Examples)} lead={t(Label::PresetsLead)} on={on.clone()}>
            <div id="presets">{ for PresetGroup::ALL.map(list) }</div>
        </Frame>
    }
}

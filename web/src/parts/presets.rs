//! The examples as plain lists, one a group.

use rollscope_scenario::Document;
use rollscope_scenario::presets::{Preset, PresetGroup};
use rollscope_scenario::presets_kubernetes::FOUR_SETTINGS;
use yew::prelude::*;

use super::dialogs::Frame;
use crate::app::model::Msg;
use crate::link::{self, Opened};
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
    let list = |group: PresetGroup| {
        html! {
            <>
                <h3 class="block-title">{ t(title(group)) }</h3>
                <ul class="presets">
                    { for Preset::all().filter(|preset| preset.group == group).map(row) }
                    if group == PresetGroup::Kubernetes {
                        { four_settings(on) }
                    }
                </ul>
            </>
        }
    };
    html! {
        <Frame title={t(Label::Examples)} lead={t(Label::PresetsLead)} on={on.clone()}>
            <div id="presets">{ for PresetGroup::ALL.map(list) }</div>
        </Frame>
    }
}

/// A row that opens a comparison.
fn four_settings(on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let open = move |_: MouseEvent| {
        on.emit(Msg::Close);
        on.emit(Msg::Compare(Some(link::compared_presets(&FOUR_SETTINGS))));
    };
    html! {
        <li>
            <button type="button" class="preset" id="compare-four-settings" onclick={open}>
                <strong>{ t(Label::FourSettings) }</strong><span>{ t(Label::FourSettingsLead) }</span>
            </button>
        </li>
    }
}

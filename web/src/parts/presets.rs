//! The examples as a plain list.

use rollscope_scenario::Document;
use rollscope_scenario::presets::{PRESETS, Preset};
use yew::prelude::*;

use super::dialogs::Frame;
use crate::app::model::Msg;
use crate::link::Opened;
use crate::text::{Label, t};

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
    html! {
        <Frame title={t(Label::Examples)} lead={t(Label::PresetsLead)} on={on.clone()}>
            <ul class="presets" id="presets">{ for PRESETS.iter().map(row) }</ul>
        </Frame>
    }
}

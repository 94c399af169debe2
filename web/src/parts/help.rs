//! What this is, and its keys.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::dialogs::Frame;
use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// Two sentences, the keys, and a switch for those that stand for themselves.
pub fn help_dialog(single_keys: bool, on: &Callback<Msg>) -> Html {
    let switched = {
        let on = on.clone();
        move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                on.emit(Msg::SingleKeys(input.checked()));
            }
        }
    };
    let row = |(keys, does): &(&'static [&'static str], &'static str)| {
        html! {
            <tr>
                <th scope="row">{ for keys.iter().map(|key| html! { <kbd>{ *key }</kbd> }) }</th>
                <td>{ *does }</td>
            </tr>
        }
    };
    let keys = text::keys();
    let (first, second) = keys.split_at(keys.len().div_ceil(2));
    let table = |rows: &[(&'static [&'static str], &'static str)]| {
        html! {
            <table class="keys">
                <thead class="only-read"><tr><th scope="col">{ t(Label::Key) }</th><th scope="col">{ t(Label::KeyDoes) }</th></tr></thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        }
    };
    html! {
        <Frame title={t(Label::Help)} lead={t(Label::HelpLead)} class="wide-dialog" on={on.clone()}>
            <p class="hint">{ t(Label::KeysLead) }</p>
            <div class="keys-columns" id="keys">{ table(first) }{ table(second) }</div>
            <label class="switch" for="single-keys">
                <input type="checkbox" role="switch" id="single-keys" checked={single_keys} onchange={switched} />
                <span><strong>{ t(Label::SingleKeys) }</strong><span class="hint">{ t(Label::SingleKeysHint) }</span></span>
            </label>
            <p class="hint">{ text::version(env!("CARGO_PKG_VERSION")) }</p>
        </Frame>
    }
}

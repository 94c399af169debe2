//! Texts that come as a file: dropped onto the page or chosen. They are read here and sent nowhere.

use web_sys::{DataTransfer, File};
use yew::prelude::*;

use super::icon;
use crate::text::{Label, t};

/// The largest file that is read, in bytes.
const FILE_MAX: f64 = 4_194_304.0;

/// What lies over the page while something is dragged over it.
pub fn zone(over: bool) -> Html {
    if !over {
        return Html::default();
    }
    html! { <div class="drop-zone" id="drop-zone" aria-hidden="true"><p>{ icon::paste() }{ t(Label::DropHere) }</p></div> }
}

/// Reads what was dropped: the first file, else the text itself (a link that was dragged is one).
pub fn dropped(data: &DataTransfer, done: impl FnOnce(Result<String, Label>) + 'static) {
    if let Some(file) = data.files().and_then(|files| files.get(0)) {
        return file_text(&file, done);
    }
    let link = data.get_data("text/uri-list").unwrap_or_default();
    let text = data.get_data("text/plain").unwrap_or_default();
    done(Ok(if text.is_empty() { link } else { text }));
}

/// Reads a file as text; `Err` says why not.
pub fn file_text(file: &File, done: impl FnOnce(Result<String, Label>) + 'static) {
    if file.size() > FILE_MAX {
        return done(Err(Label::FileTooLarge));
    }
    let reading = wasm_bindgen_futures::JsFuture::from(file.text());
    wasm_bindgen_futures::spawn_local(async move {
        let text = reading.await.ok().and_then(|text| text.as_string());
        done(text.ok_or(Label::FileUnreadable));
    });
}

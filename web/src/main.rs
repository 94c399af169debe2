//! Rollscope: where the page starts.

use std::panic::PanicHookInfo;

use rollscope_web::App;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// `web/js/boot.js` keeps the text: after a panic nothing here can show it.
    #[wasm_bindgen(js_name = rollscopePanic)]
    fn keep_last_words(text: &str);
}

fn main() {
    // A worker runs the same module and has no document; there is nothing to show then.
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    yew::set_custom_panic_hook(Box::new(|info: &PanicHookInfo<'_>| keep_last_words(&info.to_string())));
    if let Some(root) = document.get_element_by_id("app") {
        yew::Renderer::<App>::with_root(root).render();
    }
}

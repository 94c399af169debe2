//! Rollscope: where the page starts.

use rollscope_web::App;

fn main() {
    // A worker runs the same module and has no document; there is nothing to show then.
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if let Some(root) = document.get_element_by_id("app") {
        yew::Renderer::<App>::with_root(root).render();
    }
}

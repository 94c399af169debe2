//! Rollscope: the page.

use yew::{Html, component, html};

/// The whole page.
#[component]
pub fn App() -> Html {
    html! {
        <main><h1>{ "Rollscope" }</h1></main>
    }
}

//! Small signs of the panel at the right. Decoration: every one stands beside a word.

use yew::{Html, html};

fn sign(class: &'static str, inner: Html) -> Html {
    html! {
        <svg {class} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">{ inner }</svg>
    }
}

/// A decision of the scheduler, as on the scrubber.
pub fn decision() -> Html {
    sign("mark", html! { <path class="solid" d="M7 1.5L12.5 7L7 12.5L1.5 7z" /> })
}

/// Somebody did something.
pub fn act() -> Html {
    sign("mark", html! { <path class="solid" d="M2.5 1.5l9 4.6l-4 1.3l-1.4 4.1z" /> })
}

/// A deployment changed.
pub fn deployment() -> Html {
    sign("mark", html! { <path class="line" d="M3 13V1.8M3 2h8l-2 2.6l2 2.6H3" /> })
}

/// Something broke.
pub fn broken() -> Html {
    sign("mark bad", html! { <path class="line" d="M3 3l8 8M11 3l-8 8" /> })
}

/// It holds.
pub fn holds() -> Html {
    sign("mark", html! { <path class="line" d="M2.5 7.5l3 3l6-7" /> })
}

/// It waits.
pub fn waits() -> Html {
    sign("mark", html! { <path class="line" d="M3 7h.1M7 7h.1M11 7h.1" /> })
}

/// Search.
pub fn magnifier() -> Html {
    html! {
        <svg class="magnifier" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <circle cx="7" cy="7" r="4.2" /><path d="M10.2 10.2l3.4 3.4" />
        </svg>
    }
}

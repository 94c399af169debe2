//! Pictures of buttons and the keys of states. Decoration: every one stands beside a word.

use rollscope_engine::frame::TaskState;
use yew::{Html, html};

fn stroke(view: &'static str, path: &'static str) -> Html {
    html! {
        <svg width="18" height="18" viewBox={view} fill="none" stroke="currentColor" stroke-width="2"
            stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
            <path d={path} />
        </svg>
    }
}

fn solid(path: &'static str) -> Html {
    html! {
        <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
            <path d={path} />
        </svg>
    }
}

/// Two boxes above each other, the sign of the product.
pub fn brand() -> Html {
    html! {
        <svg width="24" height="20" viewBox="0 0 24 20" aria-hidden="true" focusable="false">
            <rect x="2" y="6" width="9" height="9" rx="2" fill="none" stroke="currentColor" stroke-width="2" />
            <rect x="12" y="2" width="10" height="10" rx="2" fill="currentColor" />
            <path d="M2 18.5h17" stroke="currentColor" stroke-width="2" />
        </svg>
    }
}

/// Take back.
pub fn undo() -> Html {
    stroke("0 0 24 24", "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3")
}

/// From the start once more.
pub fn anew() -> Html {
    stroke("0 0 24 24", "M5 12a7.5 7.5 0 1 0 2.6-5.6M5 3.5v4.2h4.2")
}

/// Settings.
pub fn sliders() -> Html {
    stroke(
        "0 0 24 24",
        "M3 8h9M18 8h3M3 16h3M12 16h9M15 5.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6M9 13.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6",
    )
}

/// Take in.
pub fn paste() -> Html {
    stroke("0 0 24 24", "M12 4v11M7 10l5 5 5-5M4 20h16")
}

/// A screen.
pub fn screen() -> Html {
    stroke("0 0 24 24", "M3 5h18v11H3zM12 16v4M8 20h8")
}

/// Two charts below each other.
pub fn compare() -> Html {
    stroke("0 0 24 24", "M4 4v6h16M4 14v6h16M7 7h4M7 17h9")
}

/// Hand on.
pub fn link() -> Html {
    stroke("0 0 24 24", "M12 15V4M7 9l5-5 5 5M5 13v7h14v-7")
}

/// A picture.
pub fn picture() -> Html {
    stroke("0 0 24 24", "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4")
}

/// Can move.
pub fn tick() -> Html {
    stroke("0 0 24 24", "M5 13l4.5 4.5L19 7")
}

/// Know this.
pub fn triangle() -> Html {
    stroke("0 0 24 24", "M12 4L2.5 20h19zM12 10v4M12 17v.2")
}

/// Worth knowing, and nothing is wrong.
pub fn info() -> Html {
    stroke("0 0 24 24", "M12 3a9 9 0 1 0 .01 0zM12 11v5.5M12 7.3v.2")
}

/// Cannot move.
pub fn stop() -> Html {
    stroke("0 0 24 24", "M12 3a9 9 0 1 0 .01 0zM5.6 5.6l12.8 12.8")
}

/// Close, or not understood.
pub fn cross() -> Html {
    stroke("0 0 24 24", "M6 6l12 12M18 6L6 18")
}

/// Make again.
pub fn redo() -> Html {
    stroke("0 0 24 24", "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3")
}

/// Scenarios to start from.
pub fn examples() -> Html {
    stroke("0 0 24 24", "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z")
}

/// The theme of the system.
pub fn theme_system() -> Html {
    html! {
        <svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true" focusable="false">
            <circle cx="12" cy="12" r="8" />
            <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
        </svg>
    }
}

/// The light theme.
pub fn theme_light() -> Html {
    stroke(
        "0 0 24 24",
        "M12 8a4 4 0 1 0 .01 0zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
    )
}

/// The dark theme.
pub fn theme_dark() -> Html {
    stroke("0 0 24 24", "M19.5 14.4A8 8 0 1 1 9.6 4.5a6.6 6.6 0 0 0 9.9 9.9z")
}

/// Keys and help; also something of a kind that is not known.
pub fn help() -> Html {
    stroke("0 0 24 24", "M12 3a9 9 0 1 0 .01 0zM9.3 9.6a2.7 2.7 0 1 1 3.9 2.4c-.9.4-1.2.9-1.2 1.8M12 17v.1")
}

/// More actions.
pub fn menu() -> Html {
    stroke("0 0 24 24", "M4 6.5h16M4 12h16M4 17.5h16")
}

/// More of the same bar.
pub fn more() -> Html {
    solid("M5 10.2a1.8 1.8 0 1 0 .01 0zM12 10.2a1.8 1.8 0 1 0 .01 0zM19 10.2a1.8 1.8 0 1 0 .01 0z")
}

/// Only the stage.
pub fn stage_only() -> Html {
    stroke("0 0 24 24", "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5")
}

/// A link as two links of a chain.
pub fn chain() -> Html {
    stroke(
        "0 0 24 24",
        "M10.2 13.8l3.6-3.6M11 6.9l2.2-2.2a4.35 4.35 0 0 1 6.1 6.1L17.1 13M13 17.1l-2.2 2.2a4.35 4.35 0 0 1-6.1-6.1L6.9 11",
    )
}

/// A file.
pub fn file() -> Html {
    stroke("0 0 24 24", "M6 3h8l4 4v14H6zM14 3v4h4")
}

/// To the start.
pub fn to_start() -> Html {
    solid("M12 6v12L4 12zM20 6v12l-8-6z")
}

/// One step back.
pub fn step_back() -> Html {
    solid("M18 6v12L8 12zM5 6h2.4v12H5z")
}

/// Play.
pub fn play() -> Html {
    solid("M7 5v14l12-7z")
}

/// Pause.
pub fn pause() -> Html {
    solid("M7 5h3.6v14H7zM13.4 5H17v14h-3.6z")
}

/// One step on.
pub fn step_on() -> Html {
    solid("M6 6v12l10-6zM16.6 6H19v12h-2.4z")
}

/// To the end.
pub fn to_end() -> Html {
    solid("M4 6v12l8-6zM12 6v12l8-6z")
}

/// The hatched corner of a task that started without rollback protection.
pub fn corner() -> Html {
    html! {
        <svg class="key" width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
            <path stroke-width="1.4" d="M1 1h12L1 13z" /><path d="M4 1l3.6 3.6M1 4l3.6 3.6M8 1l1.6 1.6M1 8l1.6 1.6" />
        </svg>
    }
}

/// The small picture of a state in a lane's colour.
pub fn state(state: TaskState, lane: u8) -> Html {
    let class = format!("key lane-{}", lane.min(2));
    let inner = match state {
        TaskState::Waiting => {
            html! { <rect class="edge" x="1" y="1" width="12" height="12" rx="2" stroke-dasharray="2.4 2" /> }
        }
        TaskState::Starting => {
            html! { <><rect class="edge" x="1" y="1" width="12" height="12" rx="2" /><circle class="full" cx="7" cy="7" r="2" /></> }
        }
        TaskState::Checking => {
            html! { <><rect class="edge" x="1" y="1" width="12" height="12" rx="2" /><path class="full" d="M1 7h12v6H1z" /></> }
        }
        TaskState::Healthy => {
            html! { <><rect class="full" width="14" height="14" rx="2" /><path class="on" d="M3.5 7.2l2.4 2.4 4.6-5" /></> }
        }
        TaskState::Unhealthy => {
            html! { <><rect class="edge tint" x="1" y="1" width="12" height="12" rx="2" /><path class="bad" d="M7 3.2v4.6M7 10.2v.6" /></> }
        }
        TaskState::Draining => {
            html! { <><rect class="edge tint" x="1" y="1" width="12" height="12" rx="2" /><path class="stripe" d="M2 8l6-6M2.5 12.5l10-10M7 12.5l5.5-5.5" /></> }
        }
        TaskState::Stopping => {
            html! { <><rect class="edge thin" x="1" y="1" width="12" height="12" rx="2" /><rect class="full" x="4.5" y="4.5" width="5" height="5" /></> }
        }
        TaskState::Stopped => {
            html! { <><rect class="gone" width="14" height="14" rx="2" /><path class="dash" d="M4 7h6" /></> }
        }
        TaskState::Failed => {
            html! { <><rect class="gone" width="14" height="14" rx="2" /><path class="bad" d="M4 4l6 6M10 4l-6 6" /></> }
        }
    };
    html! { <svg {class} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">{ inner }</svg> }
}

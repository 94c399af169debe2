//! Keys of the page while no field has the focus.

use rollscope_player::StepUnit;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::html::Scope;

use super::App;
use super::model::{Dialog, Go, Msg, Tab};
use crate::canvas::Listener;

/// Hears the keys of the whole page; of a player inside another page only those of the player.
pub fn listen(window: &web_sys::Window, scope: Scope<App>, embedded: bool) -> Listener {
    Listener::new(window, "keydown", move |event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else { return };
        if event.default_prevented() {
            return;
        }
        if let Some(msg) = message(&event).filter(|msg| !embedded || is_of_player(msg)) {
            event.prevent_default();
            scope.send_message(msg);
        }
    })
}

/// It moves the playhead, reads the chart or closes what is open: all that a player has.
fn is_of_player(msg: &Msg) -> bool {
    match msg {
        Msg::Single(msg) => is_of_player(msg),
        Msg::Toggle | Msg::Go(_) | Msg::Read(_) | Msg::GoRead | Msg::Faster(_) | Msg::Escape => true,
        _ => false,
    }
}

/// What a key does where it was pressed.
fn message(event: &KeyboardEvent) -> Option<Msg> {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let within =
        |selector: &str| element.as_ref().is_some_and(|element| element.closest(selector).ok().flatten().is_some());
    // A dialog has its keys to itself, also while nothing in it has the focus: Escape closes it.
    let document = || web_sys::window().and_then(|window| window.document());
    if document().is_some_and(|document| document.query_selector("dialog[open]").ok().flatten().is_some()) {
        return None;
    }
    let key = event.key();
    if document().is_some_and(|document| document.query_selector(".presenting").ok().flatten().is_some())
        && let Some(msg) = presents(&key).filter(|_| !event.ctrl_key() && !event.meta_key() && !event.alt_key())
    {
        return Some(msg);
    }
    if document().is_some_and(|document| document.query_selector("#compare:not([hidden])").ok().flatten().is_some()) {
        // A comparison has its own keys; theme and help are the page's.
        let letter = letter(&key).filter(|msg| matches!(msg, Msg::Theme | Msg::Show(_)));
        return letter.filter(|_| !within("input, select, textarea")).map(|msg| Msg::Single(Box::new(msg)));
    }
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() {
        return with_control(&key, event.shift_key()).filter(|_| !within("textarea, dialog"));
    }
    if event.alt_key() || within("input:not([type=range]), select, textarea, dialog") {
        return None;
    }
    // Lists, tabs and the tasks have arrows of their own; so do sliders.
    let arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];
    if arrows.contains(&&*key)
        && within("[role=grid], [role=tablist], .events, input[type=range], details[open] summary")
    {
        return None;
    }
    if key == " " && within("button, summary, a") {
        return None;
    }
    moves(&key, event.shift_key(), &within).or_else(|| letter(&key).map(|msg| Msg::Single(Box::new(msg))))
}

fn with_control(key: &str, shift: bool) -> Option<Msg> {
    Some(match (key, shift) {
        ("z", false) => Msg::Undo,
        ("z" | "Z", true) | ("y", false) => Msg::Redo,
        _ => return None,
    })
}

/// Keys that no assistive technology takes for a letter.
fn moves(key: &str, shift: bool, within: &impl Fn(&str) -> bool) -> Option<Msg> {
    let chart = within("#chart");
    let player = within(".bar, .scrubber");
    Some(match (key, shift) {
        (" ", _) => Msg::Toggle,
        ("ArrowRight", false) if chart => Msg::Read(true),
        ("ArrowLeft", false) if chart => Msg::Read(false),
        ("Enter", _) if chart => Msg::GoRead,
        ("ArrowRight", false) => Msg::Go(Go::Next),
        ("ArrowLeft", false) => Msg::Go(Go::Previous),
        ("ArrowRight", true) => Msg::Go(Go::Unit(StepUnit::Event, true)),
        ("ArrowLeft", true) => Msg::Go(Go::Unit(StepUnit::Event, false)),
        ("ArrowUp", _) if player => Msg::Faster(true),
        ("ArrowDown", _) if player => Msg::Faster(false),
        ("Home", _) => Msg::Go(Go::Start),
        ("End", _) => Msg::Go(Go::End),
        ("PageDown", _) if within("[role=slider]") => Msg::Go(Go::Tenth(true)),
        ("PageUp", _) if within("[role=slider]") => Msg::Go(Go::Tenth(false)),
        ("Escape", _) => Msg::Escape,
        _ => return None,
    })
}

/// Keys of the presenter: those of a remote control, which are a page up and down, a full stop and a `b`.
fn presents(key: &str) -> Option<Msg> {
    Some(match key {
        "PageDown" | "ArrowRight" | "ArrowDown" | "Enter" => Msg::Story(true),
        "PageUp" | "ArrowLeft" | "ArrowUp" => Msg::Story(false),
        "." => Msg::Toggle,
        "b" | "B" => Msg::Blank,
        _ => return None,
    })
}

/// Single letters and signs; they can be switched off.
fn letter(key: &str) -> Option<Msg> {
    Some(match key {
        "k" | "K" => Msg::Toggle,
        "," => Msg::Go(Go::Unit(StepUnit::Second, false)),
        "." => Msg::Go(Go::Unit(StepUnit::Second, true)),
        "e" => Msg::Go(Go::Failure(true)),
        "E" => Msg::Go(Go::Failure(false)),
        "1" => Msg::Tab(Tab::Why),
        "2" => Msg::Tab(Tab::Events),
        "3" => Msg::Tab(Tab::Api),
        "4" => Msg::Tab(Tab::Guards),
        "[" => Msg::Chapter(false),
        "]" => Msg::Chapter(true),
        "/" => Msg::Find,
        "g" | "G" => Msg::TypeTime(true),
        "b" | "B" => Msg::BranchHere,
        "c" | "C" => Msg::Compare(None),
        "f" | "F" => Msg::StageOnly,
        "p" | "P" => Msg::Present,
        "t" | "T" => Msg::Theme,
        "l" | "L" => Msg::Legend,
        "?" => Msg::Show(Dialog::Help),
        _ => return None,
    })
}

//! What connects the map to the browser: clicks, choices, keys, frames.

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_canvas::{Frames, Listener};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

use super::screen::Screen;

type Shared = Rc<RefCell<Screen>>;
/// What an event means to the screen: an address to go to, or nothing.
type Does = fn(&mut Screen, &Event) -> Option<String>;

/// Everything that lives as long as the screen is open.
pub struct Wiring {
    screen: Shared,
    frames: Frames,
    _listeners: Vec<Listener>,
}

impl Wiring {
    /// Connects the screen and starts to compute.
    pub fn new(screen: Shared) -> Wiring {
        let frames = Frames::default();
        {
            let screen = Rc::clone(&screen);
            frames.start(move |now| screen.try_borrow_mut().is_ok_and(|mut screen| screen.frame(now)));
        }
        let listeners = listen(&screen, &frames);
        frames.ask();
        Wiring { screen, frames, _listeners: listeners }
    }

    /// Ends it.
    pub fn leave(self) {
        if let Ok(screen) = self.screen.try_borrow() {
            screen.leave();
        }
    }

    /// The address has changed.
    pub fn arrive(&self, fragment: &str) {
        if let Ok(mut screen) = self.screen.try_borrow_mut() {
            screen.read(fragment);
        }
        self.frames.ask();
    }
}

fn listen(screen: &Shared, frames: &Frames) -> Vec<Listener> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    let Some(host) = window.document().and_then(|document| document.get_element_by_id("compare")) else {
        return Vec::new();
    };
    let hear = |kind: &'static str, does: Does| {
        let (screen, frames, window) = (Rc::clone(screen), frames.clone(), window.clone());
        Listener::new(&host, kind, move |event| {
            let goes = screen.try_borrow_mut().ok().and_then(|mut screen| does(&mut screen, &event));
            if let Some(fragment) = goes {
                // A new entry of the history; the page hears of it and opens it.
                let _ = window.location().set_hash(&fragment);
            }
            frames.ask();
        })
    };
    vec![hear("click", clicked), hear("change", changed), hear("keydown", key)]
}

/// The element an event came from, or one around it.
fn around(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

fn clicked(screen: &mut Screen, event: &Event) -> Option<String> {
    screen.does(&around(event, "[data-do]")?.get_attribute("data-do")?)
}

fn changed(screen: &mut Screen, event: &Event) -> Option<String> {
    let target = event.target()?;
    if let Some(select) = target.dyn_ref::<HtmlSelectElement>() {
        screen.choose(select.value().parse().ok()?);
    } else if let Some(input) = target.dyn_ref::<HtmlInputElement>() {
        screen.set_wait(&input.value());
    }
    None
}

/// Arrows go from field to field while the keyboard is in the map.
fn key(screen: &mut Screen, event: &Event) -> Option<String> {
    let key = event.dyn_ref::<KeyboardEvent>()?;
    around(event, ".exp-cell")?;
    let (rows, columns) = match key.key().as_str() {
        "ArrowUp" => (-1, 0),
        "ArrowDown" => (1, 0),
        "ArrowLeft" => (0, -1),
        "ArrowRight" => (0, 1),
        _ => return None,
    };
    event.prevent_default();
    screen.step(rows, columns);
    None
}

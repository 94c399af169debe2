//! What connects the screen to the browser: clicks, keys, pointers, sizes, frames.

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_canvas::{Frames, Listener};
use rollscope_engine::SimTime;
use rollscope_player::StepUnit;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement, KeyboardEvent, PointerEvent, Window};

use super::screen::{Asks, Screen};

type Shared = Rc<RefCell<Screen>>;

/// Everything that lives as long as the screen is open.
pub struct Wiring {
    screen: Shared,
    frames: Frames,
    _listeners: Vec<Listener>,
}

/// What an event means to the screen.
type Does = fn(&mut Screen, &Event) -> Asks;

impl Wiring {
    /// Connects the screen and starts to draw.
    pub fn new(screen: Shared) -> Wiring {
        let frames = Frames::default();
        {
            let screen = Rc::clone(&screen);
            frames.start(move |now| screen.try_borrow_mut().is_ok_and(|mut screen| screen.frame(now)));
        }
        let mut listeners = Vec::new();
        if let Some(window) = web_sys::window() {
            listeners = listen(&window, &screen, &frames);
        }
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

    /// The colours have changed.
    pub fn repaint(&self) {
        if let Ok(mut screen) = self.screen.try_borrow_mut() {
            screen.repaint();
        }
        self.frames.ask();
    }
}

fn listen(window: &Window, screen: &Shared, frames: &Frames) -> Vec<Listener> {
    let mut all = Vec::new();
    let mut hear = |target: &web_sys::EventTarget, kind: &'static str, does: Does| {
        let (screen, frames, window) = (Rc::clone(screen), frames.clone(), window.clone());
        all.push(Listener::new(target, kind, move |event| {
            let asks = screen.try_borrow_mut().map(|mut screen| does(&mut screen, &event));
            carry_out(&window, &screen, &frames, asks.unwrap_or(Asks::Nothing));
            frames.ask();
        }));
    };
    let host = window.document().and_then(|document| document.get_element_by_id("compare"));
    if let Some(host) = &host {
        hear(host, "click", clicked);
        hear(host, "change", changed);
        hear(host, "pointerdown", pointed);
        hear(host, "pointermove", pointed);
    }
    hear(window, "keydown", key);
    hear(window, "resize", |screen, _| {
        screen.resized();
        Asks::Nothing
    });
    if let Ok(Some(query)) = window.match_media("(prefers-reduced-motion: reduce)") {
        if let Ok(mut screen) = screen.try_borrow_mut() {
            screen.still = query.matches();
        }
        hear(&query, "change", |screen, event| {
            let query = event.target().and_then(|target| target.dyn_into::<web_sys::MediaQueryList>().ok());
            screen.still = query.is_some_and(|query| query.matches());
            Asks::Nothing
        });
    }
    if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
        hear(&query, "change", |screen, _| {
            screen.repaint();
            Asks::Nothing
        });
    }
    all
}

/// What an action asks of the page around.
fn carry_out(window: &Window, screen: &Shared, frames: &Frames, asks: Asks) {
    match asks {
        Asks::Nothing => {}
        Asks::Go(fragment) => {
            // A new entry of the history; the page hears of it and opens it.
            let _ = window.location().set_hash(&fragment);
        }
        Asks::Copy(text) => copy(window, &text, screen, frames),
    }
}

fn copy(window: &Window, text: &str, screen: &Shared, frames: &Frames) {
    let told = {
        let (screen, frames) = (Rc::clone(screen), frames.clone());
        move |done: bool| {
            if let Ok(mut screen) = screen.try_borrow_mut() {
                screen.copied(done);
            }
            frames.ask();
        }
    };
    let clipboard = window.navigator().clipboard();
    // Absent where the page is not served securely, whatever the type says.
    if JsValue::from(clipboard.clone()).is_undefined() {
        return told(false);
    }
    let not = told.clone();
    let done = Closure::once_into_js(move |_: JsValue| told(true));
    let failed = Closure::once_into_js(move |_: JsValue| not(false));
    let promise: JsValue = clipboard.write_text(text).into();
    let then =
        js_sys::Reflect::get(&promise, &"then".into()).ok().and_then(|then| then.dyn_into::<js_sys::Function>().ok());
    if let Some(then) = then {
        let _ = then.call2(&promise, &done, &failed);
    }
}

/// The element an event came from, or one around it.
fn around(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

fn clicked(screen: &mut Screen, event: &Event) -> Asks {
    let action = around(event, "[data-do]").and_then(|element| element.get_attribute("data-do"));
    action.map_or(Asks::Nothing, |action| screen.does(&action))
}

fn changed(screen: &mut Screen, event: &Event) -> Asks {
    let Some(target) = event.target() else { return Asks::Nothing };
    if let Some(select) = target.dyn_ref::<HtmlSelectElement>() {
        let run = select.get_attribute("data-run").and_then(|run| run.parse().ok());
        match (run, select.get_attribute("data-field")) {
            (Some(run), Some(pointer)) => screen.set(run, &pointer, &select.value()),
            _ => screen.speed(select.value().parse().unwrap_or(0)),
        }
    } else if let Some(input) = target.dyn_ref::<HtmlInputElement>() {
        let run = input.get_attribute("data-run").and_then(|run| run.parse().ok());
        if let (Some(run), Some(pointer)) = (run, input.get_attribute("data-field")) {
            screen.set(run, &pointer, &input.value());
        }
    }
    Asks::Nothing
}

/// Presses and drags on charts and scrubber move the cursor; the pointer is captured.
fn pointed(screen: &mut Screen, event: &Event) -> Asks {
    let Some(at) = held(screen, event) else { return Asks::Nothing };
    screen.go(at);
    Asks::Nothing
}

fn held(screen: &Screen, event: &Event) -> Option<SimTime> {
    let pointer = event.dyn_ref::<PointerEvent>()?;
    let element = around(event, ".cmp-chart, .scrubber")?;
    if event.type_() == "pointerdown" {
        // On a chart a finger scrolls the page.
        if pointer.button() != 0 || (pointer.pointer_type() == "touch" && element.class_name().contains("cmp-chart")) {
            return None;
        }
        // A pointer that is gone already cannot be captured, and need not be.
        let _ = element.set_pointer_capture(pointer.pointer_id());
    } else if pointer.buttons() & 1 == 0 || !element.has_pointer_capture(pointer.pointer_id()) {
        return None;
    }
    screen.moment_at(f64::from(pointer.client_x()) - element.get_bounding_client_rect().left())
}

/// Keys while no field has the focus.
fn key(screen: &mut Screen, event: &Event) -> Asks {
    let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return Asks::Nothing };
    let inside = |selector: &str| around(event, selector).is_some();
    let control = key.ctrl_key() || key.meta_key();
    if key.default_prevented() || key.alt_key() || inside("dialog, input, select, textarea") && key.key() != "Escape" {
        return Asks::Nothing;
    }
    if !screen.has_letters() && matches!(key.key().as_str(), "k" | "K" | "." | ",") {
        return Asks::Nothing;
    }
    let done = match (key.key().as_str(), key.shift_key()) {
        ("z", false) if control => Some("undo"),
        _ if control => return Asks::Nothing,
        (" ", _) if inside("button, summary, a") => return Asks::Nothing,
        (" ", _) | ("k" | "K", _) => Some("play"),
        ("Home", _) => Some("to-start"),
        ("End", _) => Some("to-end"),
        ("ArrowRight", false) => Some("step-on"),
        ("ArrowLeft", false) => Some("step-back"),
        (other, shift) => return moves(screen, event, other, shift),
    };
    event.prevent_default();
    done.map_or(Asks::Nothing, |action| screen.does(action))
}

fn moves(screen: &mut Screen, event: &Event, key: &str, shift: bool) -> Asks {
    match (key, shift) {
        ("ArrowRight", true) => screen.step(Some(StepUnit::Event), true),
        ("ArrowLeft", true) => screen.step(Some(StepUnit::Event), false),
        (".", _) => screen.step(Some(StepUnit::Second), true),
        (",", _) => screen.step(Some(StepUnit::Second), false),
        ("PageDown", _) if around(event, ".scrubber").is_some() => screen.tenth(true),
        ("PageUp", _) if around(event, ".scrubber").is_some() => screen.tenth(false),
        ("Escape", _) => screen.escape(),
        _ => return Asks::Nothing,
    }
    event.prevent_default();
    Asks::Nothing
}

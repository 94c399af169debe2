//! What connects the page to the browser: canvases, keys, sizes, theme, pointer, clipboard.

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_engine::SimTime;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, EventTarget, HtmlCanvasElement, PointerEvent, ResizeObserver};
use yew::NodeRef;
use yew::html::Scope;

use super::App;
use super::frames::Frames;
use super::keys;
use super::model::Msg;
use super::runtime::{Canvases, Runtime};
use crate::canvas::{self, Surface, device_ratio};
use crate::link;

/// Elements that are drawn on or measured.
#[derive(Clone, Default)]
pub struct Nodes {
    /// As wide as the pictures.
    pub frame: NodeRef,
    /// Traffic strip.
    pub strip: NodeRef,
    /// Boxes.
    pub stage: NodeRef,
    /// Chart.
    pub chart: NodeRef,
    /// Scrubber.
    pub track: NodeRef,
    bound: Rc<RefCell<Option<HtmlCanvasElement>>>,
}

impl Nodes {
    /// Hands new canvases to the fast path; true when they are new.
    pub fn bind(&self, runtime: &Rc<RefCell<Runtime>>) -> bool {
        let Some(stage) = self.stage.cast::<HtmlCanvasElement>() else {
            self.bound.replace(None);
            return false;
        };
        if self.bound.borrow().as_ref() == Some(&stage) {
            return false;
        }
        let surface = |node: &NodeRef| node.cast::<HtmlCanvasElement>().and_then(Surface::new);
        let canvases = (|| {
            Some(Canvases {
                strip: surface(&self.strip)?,
                stage: Surface::new(stage.clone())?,
                chart: surface(&self.chart)?,
                solid: Surface::hidden()?,
                pale: Surface::hidden()?,
                track: surface(&self.track)?,
            })
        })();
        let Some(canvases) = canvases else { return false };
        self.bound.replace(Some(stage));
        runtime.borrow_mut().bind(canvases);
        self.measure(runtime);
        true
    }

    /// Tells the fast path the present width.
    pub fn measure(&self, runtime: &Rc<RefCell<Runtime>>) {
        let width = self.frame.cast::<Element>().map_or(0.0, |frame| frame.get_bounding_client_rect().width());
        if width > 0.0
            && let Ok(mut runtime) = runtime.try_borrow_mut()
        {
            let height = web_sys::window().and_then(|window| window.inner_height().ok()?.as_f64()).unwrap_or(800.0);
            runtime.resize(width.floor(), height, device_ratio());
        }
    }
}

/// A listener that ends with the page.
pub struct Listener {
    target: EventTarget,
    kind: &'static str,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    /// Hears one kind of event of a target.
    pub fn new(target: &EventTarget, kind: &'static str, work: impl FnMut(web_sys::Event) + 'static) -> Listener {
        let closure = Closure::new(work);
        let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
        Listener { target: target.clone(), kind, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback(self.kind, callback);
    }
}

/// All listeners of the page.
pub struct Wiring {
    _listeners: Vec<Listener>,
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
}

impl Wiring {
    /// Connects everything.
    pub fn new(scope: Scope<App>, runtime: &Rc<RefCell<Runtime>>, frames: &Frames, nodes: &Nodes) -> Wiring {
        let resized = {
            let (runtime, frames, nodes) = (Rc::clone(runtime), frames.clone(), nodes.clone());
            Closure::<dyn FnMut()>::new(move || {
                nodes.measure(&runtime);
                frames.ask();
            })
        };
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(frame)) = (&observer, nodes.frame.cast::<Element>()) {
            observer.observe(&frame);
        }
        let mut listeners = Vec::new();
        if let Some(window) = web_sys::window() {
            listeners.push(on_hash_change(&window, scope.clone()));
            listeners.push(keys::listen(&window, scope.clone()));
            if let Some(document) = window.document() {
                let frames = frames.clone();
                listeners.push(Listener::new(&document, "visibilitychange", move |_| frames.ask()));
            }
            if let Ok(Some(query)) = window.match_media("(prefers-color-scheme: dark)") {
                let (runtime, frames) = (Rc::clone(runtime), frames.clone());
                listeners.push(Listener::new(&query, "change", move |_| {
                    if let Ok(mut runtime) = runtime.try_borrow_mut() {
                        runtime.set_palette(canvas::palette());
                    }
                    frames.ask();
                }));
            }
        }
        Wiring { _listeners: listeners, observer, _resized: resized }
    }
}

impl Drop for Wiring {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// The back button, or a link typed into the address.
fn on_hash_change(window: &web_sys::Window, scope: Scope<App>) -> Listener {
    Listener::new(window, "hashchange", move |_| {
        let msg = match link::read(&crate::address::fragment()) {
            Ok(Some(opened)) => Msg::Open(Box::new(opened), false),
            Ok(None) => Msg::Open(Box::new(link::Opened::first()), false),
            Err(broken) => Msg::Broken(broken),
        };
        scope.send_message(msg);
    })
}

/// Puts the keyboard into an element, and selects what stands in it.
pub fn focus(id: &str) {
    let Some(element) = web_sys::window().and_then(|window| window.document()?.get_element_by_id(id)) else { return };
    if let Ok(input) = element.clone().dyn_into::<web_sys::HtmlInputElement>() {
        input.select();
    }
    if let Ok(element) = element.dyn_into::<web_sys::HtmlElement>() {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}

/// Brings an element into view.
pub fn scroll_to(id: &str) {
    if let Some(element) = web_sys::window().and_then(|window| window.document()?.get_element_by_id(id)) {
        element.scroll_into_view();
    }
}

/// Scrolls the panel at the right so that the present event is seen. Where the panel is part of
/// the page's own scroll nothing moves.
pub fn follow() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    let find = |selector: &str| document.query_selector(selector).ok().flatten();
    let (Some(panel), Some(line)) = (find(".right"), find("#events [aria-current]")) else { return };
    if panel.scroll_height() <= panel.client_height() {
        return;
    }
    let (place, frame) = (line.get_bounding_client_rect(), panel.get_bounding_client_rect());
    if place.top() < frame.top() || place.bottom() > frame.bottom() {
        let middle = (frame.height() - place.height()) / 2.0;
        let by = place.top() - frame.top() - middle;
        panel.set_scroll_top(panel.scroll_top() + by.round() as i32);
    }
}

/// The tab of the page is not seen.
pub fn hidden() -> bool {
    web_sys::window().and_then(|window| window.document()).is_some_and(|document| document.hidden())
}

/// A pointer's x inside the element it listens on, in CSS pixels; the pointer is captured when it
/// goes down, and `None` while it moves without a button.
pub fn pointer_moment(event: &PointerEvent, runtime: &Rc<RefCell<Runtime>>, captures: bool) -> Option<SimTime> {
    // Events are heard at the root of the page: the element is looked for from the target up.
    let target: Element = event.target()?.dyn_into().ok()?;
    let element = target.closest(".scrubber, .chart-frame").ok()??;
    if event.type_() == "pointerdown" {
        if event.button() != 0 {
            return None;
        }
        if captures {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    } else if event.buttons() & 1 == 0 {
        return None;
    }
    let x = f64::from(event.client_x()) - element.get_bounding_client_rect().left();
    runtime.try_borrow().ok()?.moment_at(x)
}

/// Puts a text on the clipboard and says whether that worked.
pub fn to_clipboard(text: &str, done: impl FnOnce(bool) + 'static) {
    let Some(window) = web_sys::window() else { return done(false) };
    let clipboard = window.navigator().clipboard();
    // Absent where the page is not served securely, whatever the type says.
    if JsValue::from(clipboard.clone()).is_undefined() {
        return done(false);
    }
    let promise = clipboard.write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
    });
}

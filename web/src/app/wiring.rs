//! What connects the page to the browser: canvases, keys, sizes, theme, pointer, clipboard.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rollscope_engine::SimTime;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, HtmlCanvasElement, HtmlElement, IntersectionObserver, IntersectionObserverEntry, PointerEvent,
    ResizeObserver,
};
use yew::html::Scope;
use yew::{Callback, NodeRef};

use super::App;
use super::model::{Hover, Msg};
use super::runtime::{Canvases, Middle, Page, Runtime};
use super::{drop, keys};
use crate::canvas::{self, Frames, Listener, Surface, device_ratio};
use crate::decimal::{self, Decimal};
use crate::link;

/// Distance, least and greatest width of the words beside a task that finds no slot, in CSS pixels.
const NOTE_GAP: f64 = 20.0;
const NOTE_LEAST: f64 = 230.0;
const NOTE_MOST: f64 = 270.0;

/// Elements that are drawn on or measured.
#[derive(Clone, Default)]
pub struct Nodes {
    /// As wide as the pictures.
    pub frame: NodeRef,
    /// The middle, as far as it is seen.
    pub body: NodeRef,
    /// All that lies in it.
    pub content: NodeRef,
    /// Traffic strip.
    pub strip: NodeRef,
    /// Boxes.
    pub stage: NodeRef,
    /// Both before the last change.
    pub fade: NodeRef,
    /// A hundred slots.
    pub lens: NodeRef,
    /// What is known of the task under the pointer.
    pub tip: NodeRef,
    /// Why nothing moves.
    pub note: NodeRef,
    /// Chart.
    pub chart: NodeRef,
    /// Scrubber.
    pub track: NodeRef,
    /// The player inside another page.
    pub embedded: bool,
    /// Of the timeline only chart and scrubber are shown: in that player, and where it is presented.
    pub bare: Rc<Cell<bool>>,
    bound: Rc<RefCell<Option<HtmlCanvasElement>>>,
    bound_lens: Rc<RefCell<Option<HtmlCanvasElement>>>,
}

impl Nodes {
    /// Nothing is in the page yet. `embedded` for the player inside another page.
    pub fn of(embedded: bool) -> Nodes {
        Nodes { embedded, bare: Rc::new(Cell::new(embedded)), ..Nodes::default() }
    }

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
                fade: surface(&self.fade)?,
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

    /// Hands the canvas of the lens to the fast path, or takes it away; true when that changed.
    pub fn bind_lens(&self, runtime: &Rc<RefCell<Runtime>>) -> bool {
        let lens = self.lens.cast::<HtmlCanvasElement>();
        if *self.bound_lens.borrow() == lens {
            return false;
        }
        self.bound_lens.replace(lens.clone());
        runtime.borrow_mut().bind_lens(lens.and_then(Surface::new));
        true
    }

    /// Puts what is known of a task beside its box.
    pub fn place_tip(&self, runtime: &Rc<RefCell<Runtime>>, hover: Hover) {
        let (Some(tip), Some(stage)) = (self.tip.cast::<HtmlElement>(), self.stage.cast::<HtmlElement>()) else {
            return;
        };
        let Some((x, y, w, h)) = runtime.try_borrow_mut().ok().and_then(|mut runtime| runtime.place_of(hover)) else {
            return;
        };
        let width = self.frame.cast::<Element>().map_or(0.0, |frame| frame.get_bounding_client_rect().width());
        let (wide, high) = (f64::from(tip.offset_width()), f64::from(tip.offset_height()));
        let left = rollscope_draw::within(x + w / 2.0 - wide / 2.0, 0.0, (width - wide).max(0.0));
        let below = y + h + 8.0;
        let above = y - high - 8.0;
        let top = f64::from(stage.offset_top()) + if above > 0.0 && h < 30.0 { above } else { below };
        let style = tip.style();
        for (name, value) in [("left", left), ("top", top)] {
            // The object model, not an attribute: the content policy allows it.
            let _ = style.set_property(name, &format!("{}px", Decimal(value.round())));
        }
        let _ = style.set_property("visibility", "visible");
    }

    /// Puts the words about a rollout that cannot move beside the task that finds no slot, where
    /// there is room for them; else they stand below the stage.
    pub fn place_note(&self, runtime: &Rc<RefCell<Runtime>>) {
        let (Some(note), Some(stage)) = (self.note.cast::<HtmlElement>(), self.stage.cast::<HtmlElement>()) else {
            return;
        };
        let width = self.frame.cast::<Element>().map_or(0.0, |frame| zoomed(frame.get_bounding_client_rect().width()));
        let ghost = runtime.try_borrow().ok().and_then(|runtime| runtime.ghost());
        let room = ghost.map(|(right, top, height)| (right + NOTE_GAP, top + f64::from(stage.offset_top()), height));
        let (class, place) = match room.filter(|(left, ..)| width - left >= NOTE_LEAST) {
            Some((left, top, height)) => {
                let px = |value: f64| format!("{}px", Decimal(value.round()));
                ("stuck-note beside", [px(left), px(top), px(height), px((width - left).min(NOTE_MOST))])
            }
            None => ("stuck-note", Default::default()),
        };
        note.set_class_name(class);
        for (name, value) in ["left", "top", "min-height", "width"].into_iter().zip(place) {
            // The object model, not an attribute; an empty value takes it away.
            let _ = note.style().set_property(name, &value);
        }
    }

    /// Tells the fast path the present size.
    pub fn measure(&self, runtime: &Rc<RefCell<Runtime>>) {
        self.learn_zoom();
        let width = self.frame.cast::<Element>().map_or(0.0, |frame| zoomed(frame.get_bounding_client_rect().width()));
        if width > 0.0
            && let Ok(mut runtime) = runtime.try_borrow_mut()
        {
            runtime.resize(Page {
                width: width.floor(),
                middle: self.middle(),
                bare: self.bare.get(),
                scale: device_ratio(ZOOM.get()),
            });
        }
    }

    /// How much larger than elsewhere everything in the page is shown.
    fn learn_zoom(&self) {
        let shown = self.body.cast::<Element>().and_then(|body| body.closest(".presenting").ok().flatten());
        let style = shown.zip(web_sys::window()).and_then(|(page, window)| window.get_computed_style(&page).ok()?);
        let zoom = style.and_then(|style| decimal::read(&style.get_property_value("zoom").ok()?));
        ZOOM.set(zoom.filter(|zoom| *zoom >= 1.0).unwrap_or(1.0));
    }

    /// The middle as far as it is seen and all that lies in it, where it has a height of its own.
    fn inside(&self) -> Option<(f64, f64)> {
        let (body, content) = (self.body.cast::<Element>()?, self.content.cast::<Element>()?);
        let style = web_sys::window()?.get_computed_style(&body).ok()??;
        if !["auto", "clip"].contains(&&*style.get_property_value("overflow-y").ok()?) {
            return None;
        }
        let padding = |side: &str| -> f64 {
            let value = style.get_property_value(side).unwrap_or_default();
            decimal::read(&value).unwrap_or(0.0)
        };
        let inside = f64::from(body.client_height()) - padding("padding-top") - padding("padding-bottom");
        Some((inside, zoomed(content.get_bounding_client_rect().height())))
    }

    /// What the middle has for pictures.
    fn middle(&self) -> Option<Middle> {
        let (inside, content) = self.inside()?;
        let height =
            |node: &NodeRef| node.cast::<Element>().map_or(0.0, |e| zoomed(e.get_bounding_client_rect().height()));
        let pictures = height(&self.frame) + height(&self.chart) + height(&self.track);
        // Strip, stage and the table stand in the frame.
        let counts = (height(&self.frame) - height(&self.strip) - height(&self.stage)).max(0.0);
        Some(Middle { pictures: (inside - content + pictures).floor(), counts: counts.ceil() })
    }

    /// More lies in the middle than is seen.
    pub fn overflows(&self) -> bool {
        self.inside().is_some_and(|(inside, content)| content > inside + 0.5)
    }
}

thread_local! {
    /// How much larger than elsewhere everything is shown: 1, and more where it is presented.
    static ZOOM: Cell<f64> = const { Cell::new(1.0) };
}

/// A length on the screen in the CSS pixels of what is shown there.
fn zoomed(length: f64) -> f64 {
    length / ZOOM.get()
}

/// All listeners of the page.
pub struct Wiring {
    _listeners: Vec<Listener>,
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
    seen: Option<IntersectionObserver>,
    _seen: Closure<dyn FnMut(js_sys::Array)>,
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
        // The height of a player is that of the frame another page gives it.
        if let (Some(observer), Some(body)) =
            (observer.as_ref().filter(|_| nodes.embedded), nodes.body.cast::<Element>())
        {
            observer.observe(&body);
        }
        let seen_changed = on_seen(runtime, frames, nodes);
        let seen = IntersectionObserver::new(seen_changed.as_ref().unchecked_ref()).ok();
        if let Some(seen) = &seen {
            let pictures = [&nodes.stage, &nodes.chart].into_iter();
            pictures.filter_map(|node| node.cast::<Element>()).for_each(|picture| seen.observe(&picture));
        }
        let mut listeners = Vec::new();
        if let Some(window) = web_sys::window() {
            listeners.push(on_hash_change(&window, scope.clone()));
            if !nodes.embedded {
                listeners.extend(drop::listen(&window, &scope));
            }
            listeners.push(keys::listen(&window, scope.clone(), nodes.embedded));
            if let Some(document) = window.document() {
                let frames = frames.clone();
                listeners.push(Listener::new(&document, "visibilitychange", move |_| frames.ask()));
            }
            if let Ok(Some(query)) = window.match_media("(prefers-reduced-motion: reduce)") {
                let (runtime, of) = (Rc::clone(runtime), query.clone());
                runtime.borrow_mut().set_still(query.matches());
                listeners.push(Listener::new(&query, "change", move |_| {
                    if let Ok(mut runtime) = runtime.try_borrow_mut() {
                        runtime.set_still(of.matches());
                    }
                }));
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
        Wiring { _listeners: listeners, observer, _resized: resized, seen, _seen: seen_changed }
    }
}

impl Drop for Wiring {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
        if let Some(seen) = &self.seen {
            seen.disconnect();
        }
    }
}

/// Pictures that come into view or go out of it: what is not seen is not drawn.
fn on_seen(runtime: &Rc<RefCell<Runtime>>, frames: &Frames, nodes: &Nodes) -> Closure<dyn FnMut(js_sys::Array)> {
    let (runtime, frames, nodes) = (Rc::clone(runtime), frames.clone(), nodes.clone());
    Closure::new(move |entries: js_sys::Array| {
        for entry in entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok()) {
            let (target, seen) = (entry.target(), entry.is_intersecting());
            let is = |node: &NodeRef| node.cast::<Element>().is_some_and(|element| element == target);
            if let Ok(mut runtime) = runtime.try_borrow_mut() {
                runtime.see(is(&nodes.stage).then_some(seen), is(&nodes.chart).then_some(seen));
            }
        }
        frames.ask();
    })
}

/// The back button, or a link typed into the address.
fn on_hash_change(window: &web_sys::Window, scope: Scope<App>) -> Listener {
    Listener::new(window, "hashchange", move |_| {
        let fragment = crate::address::fragment();
        let msg = match link::read(&fragment) {
            _ if link::is_compared(&fragment) => Msg::Comparing(fragment),
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
    if let Ok(Some(closed)) = element.closest("details:not([open])") {
        // An attribute without a value is always accepted.
        let _ = closed.set_attribute("open", "");
    }
    if let Ok(input) = element.clone().dyn_into::<web_sys::HtmlInputElement>() {
        input.select();
    }
    if let Ok(element) = element.dyn_into::<web_sys::HtmlElement>() {
        // Inside another page the page around it would be scrolled as well.
        let still = web_sys::FocusOptions::new();
        still.set_prevent_scroll(is_embedded());
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus_with_options(&still);
    }
}

/// Panels and page at their tops: another scenario begins there.
pub fn to_top() {
    let Some(window) = web_sys::window() else { return };
    window.scroll_to_with_x_and_y(0.0, 0.0);
    for panel in ["#settings", ".centre-body", "#details", "#tab-panel"] {
        let found = window.document().and_then(|document| document.query_selector(panel).ok().flatten());
        if let Some(panel) = found {
            panel.set_scroll_top(0);
        }
    }
}

/// The panels are sheets over the lower part of the page, as the style sheet has it.
pub fn is_narrow() -> bool {
    let query = web_sys::window().and_then(|window| window.match_media("(max-width: 719px)").ok().flatten());
    query.is_some_and(|query| query.matches())
}

/// The page is a player inside another one.
fn is_embedded() -> bool {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    root.is_some_and(|root| root.has_attribute("data-embed"))
}

/// The tab of the page is not seen.
pub fn hidden() -> bool {
    web_sys::window().and_then(|window| window.document()).is_some_and(|document| document.hidden())
}

/// A pointer's place inside the element with this class, in CSS pixels. Events are heard at the
/// root of the page: the element is looked for from the target up.
pub fn place(event: &PointerEvent, class: &str) -> Option<(f64, f64)> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let element = target.closest(class).ok()??;
    let rect = element.get_bounding_client_rect();
    Some((zoomed(f64::from(event.client_x()) - rect.left()), zoomed(f64::from(event.client_y()) - rect.top())))
}

/// Follows a pointer over a picture: `under` says what it is on, the fast path draws it.
pub fn hover(
    class: &'static str,
    runtime: Rc<RefCell<Runtime>>,
    frames: Frames,
    under: impl Fn(&mut Runtime, f64, f64) -> Hover + 'static,
) -> Callback<PointerEvent> {
    Callback::from(move |event: PointerEvent| {
        // A finger selects; it does not hover.
        if event.pointer_type() == "touch" {
            return;
        }
        if let (Some((x, y)), Ok(mut runtime)) = (place(&event, class), runtime.try_borrow_mut()) {
            let hover = under(&mut runtime, x, y);
            runtime.point(hover);
        }
        frames.ask();
    })
}

/// The pointer has left a picture.
pub fn no_hover(runtime: Rc<RefCell<Runtime>>, frames: Frames) -> Callback<PointerEvent> {
    Callback::from(move |_| {
        if let Ok(mut runtime) = runtime.try_borrow_mut() {
            runtime.point(Hover::None);
        }
        frames.ask();
    })
}

/// The moment under a pointer that holds or moves a time picture; the pointer is captured when it
/// goes down. `None` while it moves without a button.
pub fn held_moment(event: &PointerEvent, class: &str, runtime: &Rc<RefCell<Runtime>>) -> Option<SimTime> {
    if event.type_() == "pointerdown" {
        if event.button() != 0 {
            return None;
        }
        let target: Element = event.target()?.dyn_into().ok()?;
        let element = target.closest(class).ok()??;
        // A pointer that is gone already cannot be captured, and need not be.
        let _ = element.set_pointer_capture(event.pointer_id());
    } else {
        // Only what was pressed on the picture itself moves on: a row that was pressed is chosen.
        let target: Element = event.target()?.dyn_into().ok()?;
        if event.buttons() & 1 == 0 || !target.closest(class).ok()??.has_pointer_capture(event.pointer_id()) {
            return None;
        }
    }
    let (x, _) = place(event, class)?;
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

//! What the page hears.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::EventTarget;

/// A listener that ends when it is dropped.
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

//! The one animation frame handle of the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

type Callback = Closure<dyn FnMut(f64)>;

/// Asks for animation frames; at most one is asked for at a time, none after it is dropped.
#[derive(Clone, Default)]
pub struct Frames {
    inner: Rc<Inner>,
}

#[derive(Default)]
struct Inner {
    asked: Cell<Option<i32>>,
    callback: RefCell<Option<Callback>>,
}

impl Frames {
    /// `work` gets the frame's time in milliseconds and says whether it wants another one.
    pub fn start(&self, mut work: impl FnMut(f64) -> bool + 'static) {
        let weak = Rc::downgrade(&self.inner);
        let callback = Closure::new(move |time: f64| {
            let Some(inner) = weak.upgrade() else { return };
            inner.asked.set(None);
            if work(time) {
                inner.ask();
            }
        });
        *self.inner.callback.borrow_mut() = Some(callback);
    }

    /// Asks for a frame unless one is asked for already.
    pub fn ask(&self) {
        self.inner.ask();
    }
}

impl Inner {
    fn ask(&self) {
        if self.asked.get().is_some() {
            return;
        }
        if let (Some(window), Some(callback)) = (web_sys::window(), self.callback.borrow().as_ref()) {
            self.asked.set(window.request_animation_frame(callback.as_ref().unchecked_ref()).ok());
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let (Some(window), Some(id)) = (web_sys::window(), self.asked.get()) {
            let _ = window.cancel_animation_frame(id);
        }
    }
}

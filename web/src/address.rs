//! The address of the page: the scenario stands in its fragment.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;

/// Safari stops a page that writes its address more than a hundred times in half a minute.
const LEAST_MS: u32 = 300;

/// Writes the fragment, at most every 300 ms.
pub struct Address {
    inner: Rc<RefCell<Inner>>,
}

#[derive(Default)]
struct Inner {
    /// What was there when we last looked. Where something else is there now, the visitor has gone
    /// to another entry of the history, and its event is on its way: nothing is written over it.
    there: String,
    /// What stood there before the last new entry of the history.
    left: String,
    /// What stands there by our hand.
    written: Option<String>,
    waiting: Option<String>,
    timer: Option<Timeout>,
}

impl Inner {
    fn put(&mut self, fragment: String, push: bool) {
        put(&fragment, push);
        self.there = self::fragment();
        self.written = Some(fragment);
    }
}

impl Address {
    /// Takes over the address as it is.
    pub fn new() -> Address {
        Address { inner: Rc::new(RefCell::new(Inner { there: fragment(), ..Inner::default() })) }
    }

    /// What follows the `#` now.
    pub fn fragment(&self) -> String {
        fragment()
    }

    /// Another entry of the history: what waits to be written is not written any more.
    pub fn arrive(&mut self) {
        let mut inner = self.inner.borrow_mut();
        inner.there = fragment();
        inner.waiting = None;
        inner.written = None;
    }

    /// What stood there before the last new entry of the history.
    pub fn left(&self) -> String {
        self.inner.borrow().left.clone()
    }

    /// Something stands there, or is about to.
    pub fn is_used(&self) -> bool {
        self.inner.borrow().waiting.is_some() || !fragment().is_empty()
    }

    /// The whole address with another fragment.
    pub fn whole(&self, fragment: &str) -> String {
        let href = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
        let base = href.split('#').next().unwrap_or_default();
        format!("{base}#{fragment}")
    }

    /// The address of the Studio with a fragment: this page without what asks for a player.
    pub fn studio(&self, fragment: &str) -> String {
        let location = web_sys::window().map(|window| window.location());
        let page = location.and_then(|at| Some(format!("{}{}", at.origin().ok()?, at.pathname().ok()?)));
        format!("{}#{fragment}", page.unwrap_or_default())
    }

    /// Puts a fragment there: as a new entry of the history at once, else in place of the present
    /// one as soon as allowed.
    pub fn write(&mut self, fragment: &str, push: bool) {
        let mut inner = self.inner.borrow_mut();
        if push {
            // What waits belongs to the entry that is left: without it the back button would lead
            // to what stood there before.
            let waiting = inner.waiting.take();
            if let Some(waiting) = waiting.filter(|_| inner.there == self::fragment()) {
                inner.put(waiting, false);
            }
            inner.left = self::fragment();
            return inner.put(fragment.to_owned(), true);
        }
        if inner.there != self::fragment() {
            return;
        }
        if inner.written.as_deref() == Some(fragment) {
            inner.waiting = None;
            return;
        }
        inner.waiting = Some(fragment.to_owned());
        if inner.timer.is_none() {
            let later = Rc::downgrade(&self.inner);
            inner.timer = Some(Timeout::new(LEAST_MS, move || {
                let Some(inner) = later.upgrade() else { return };
                let mut inner = inner.borrow_mut();
                inner.timer = None;
                let waiting = inner.waiting.take();
                if let Some(fragment) = waiting.filter(|_| inner.there == self::fragment()) {
                    inner.put(fragment, false);
                }
            }));
        }
    }
}

/// What follows the `#` now.
pub fn fragment() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.strip_prefix('#').unwrap_or(&hash).to_owned()
}

fn put(fragment: &str, push: bool) {
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else { return };
    let address = format!("#{fragment}");
    // A browser that refuses (a sandbox, too many writes) leaves the address as it was; the page works on.
    let _ = if push {
        history.push_state_with_url(&JsValue::NULL, "", Some(&address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&address))
    };
}

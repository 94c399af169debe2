//! Regions of a screen: HTML that is put into the page when it has changed.

use std::collections::BTreeMap;

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

/// The regions of an element of the page, each named by its `data-region`.
pub struct Regions {
    document: Document,
    host: Element,
    shown: BTreeMap<&'static str, String>,
}

impl Regions {
    /// Takes over the element.
    pub fn new(document: Document, host: Element) -> Regions {
        Regions { document, host, shown: BTreeMap::new() }
    }

    /// Puts a region into the page unless it is there; the keyboard stays on what has the same name.
    pub fn put(&mut self, region: &'static str, html: String) -> bool {
        if self.shown.get(region) == Some(&html) {
            return false;
        }
        let Ok(Some(element)) = self.host.query_selector(&format!("[data-region={region}]")) else { return false };
        let focused = self.document.active_element().filter(|active| element.contains(Some(active)));
        element.set_inner_html(&html);
        self.shown.insert(region, html);
        if let Some(id) = focused.map(|focused| focused.id()).filter(|id| !id.is_empty()) {
            self.focus(&id);
        }
        true
    }

    /// Moves the keyboard there, without scrolling.
    pub fn focus(&self, id: &str) {
        let element = self.document.get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok());
        if let Some(element) = element {
            let options = web_sys::FocusOptions::new();
            options.set_prevent_scroll(true);
            // An element that cannot take it leaves the keyboard where it is.
            let _ = element.focus_with_options(&options);
        }
    }
}

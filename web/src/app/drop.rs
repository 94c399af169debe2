//! Files and texts dropped anywhere on the page.

use wasm_bindgen::JsCast;
use web_sys::{DragEvent, EventTarget};
use yew::html::Scope;

use super::App;
use super::model::Msg;
use crate::canvas::Listener;
use crate::parts::drop::dropped;

/// Hears what is dragged over the page and dropped on it.
pub fn listen(window: &web_sys::Window, scope: &Scope<App>) -> Vec<Listener> {
    let target: &EventTarget = window;
    let over = |kind: &'static str, over: bool| {
        let scope = scope.clone();
        Listener::new(target, kind, move |event| {
            event.prevent_default();
            // Leaving is told for every element on the way; only that of the window counts.
            let left = event.dyn_ref::<DragEvent>().is_none_or(|event| event.related_target().is_none());
            if over || left {
                scope.send_message(Msg::Dragged(over));
            }
        })
    };
    let dropped = {
        let scope = scope.clone();
        Listener::new(target, "drop", move |event| {
            event.prevent_default();
            scope.send_message(Msg::Dragged(false));
            if let Some(event) = event.dyn_ref::<DragEvent>() {
                take(event, &scope);
            }
        })
    };
    vec![over("dragover", true), over("dragleave", false), dropped]
}

fn take(event: &DragEvent, scope: &Scope<App>) {
    let Some(data) = event.data_transfer() else { return };
    let scope = scope.clone();
    dropped(&data, move |text| scope.send_message(text.map_or_else(Msg::NotGiven, Msg::Given)));
}

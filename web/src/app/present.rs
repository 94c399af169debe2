//! Presenting: the screen is full, and what plays pauses at each step of the story.

use rollscope_player::{PlayState, StepUnit};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::model::{Go, Theme};
use super::{App, runtime};
use crate::keep;

impl App {
    /// The presenter was opened or left: the screen, the theme and the room of the pictures follow.
    pub(super) fn present(&mut self) {
        let presents = self.model.presenter.is_some();
        self.nodes.bare.set(presents);
        self.measure = true;
        full_screen(presents);
        // A projector washes out dark colours: dark only where somebody chose it.
        let theme = if presents && self.model.theme == Theme::System { Theme::Light } else { self.model.theme };
        keep::put_theme(theme);
        self.runtime.borrow_mut().set_palette(crate::canvas::palette());
        self.runtime.borrow_mut().stop_at = None;
    }

    /// The next or the previous step: a narrated one where there are any, else a decision.
    pub(super) fn story(&mut self, on: bool) {
        self.with_player(|player| player.pause());
        let go = self.chapter_beside(on).unwrap_or(if on { Go::Next } else { Go::Previous });
        self.go(go);
    }

    /// Where it is presented, playing goes to the next step of the story and pauses there.
    pub(super) fn stop_at_step(&self) {
        let next = self.model.presenter.and_then(|_| {
            let told = self.chapter_beside(true).and_then(|go| if let Go::To(at) = go { Some(at) } else { None });
            let step = || {
                self.with_player(|player| {
                    let end = runtime::last_change(player);
                    StepUnit::Decision.after(player.timeline(), player.now(), end)
                })
            };
            let paused = self.with_player(|player| player.play_state() != PlayState::Playing)?;
            told.or_else(|| step().flatten()).filter(|_| paused)
        });
        self.runtime.borrow_mut().stop_at = next;
    }
}

/// Asks for the whole screen, or leaves it. A browser may refuse, which leaves the page as it is.
fn full_screen(full: bool) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    let (object, name) = match full {
        true => (document.document_element().map(JsValue::from), "requestFullscreen"),
        false if document.fullscreen_element().is_none() => return,
        false => (Some(JsValue::from(&document)), "exitFullscreen"),
    };
    let Some(object) = object else { return };
    let ask = js_sys::Reflect::get(&object, &name.into()).ok().and_then(|ask| ask.dyn_into::<js_sys::Function>().ok());
    let asked = ask.and_then(|ask| ask.call0(&object).ok()).and_then(|asked| asked.dyn_into::<js_sys::Promise>().ok());
    if let Some(asked) = asked {
        spawn_local(async move { drop(JsFuture::from(asked).await) });
    }
}

//! `window.rollscope`: the page for scripts of the page that embeds it, and for its tests.
//!
//! ```text
//! rollscope.version        the version, a text
//! rollscope.open(x)        opens a link, a scenario document or a configuration (text or object); a promise
//!                          of what was wrong, as texts; what is refused is shown with that
//! rollscope.state()        moment, counts, limits, outcome; null while nothing runs
//! rollscope.play(), .pause()
//! rollscope.seek(ms)       to a moment of the simulation
//! rollscope.step(by)       one decision on (1) or back (-1)
//! ```

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::{RunView, brief, names};
use rollscope_player::{PlayState, Player};
use serde::Serialize;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::future_to_promise;
use yew::html::Scope;

use crate::app::App;
use crate::app::model::{Go, Msg};
use crate::app::runtime::{Runtime, last_change};
use crate::lazy::{self, LazyError};
use crate::link;
use crate::paste::Paste;
use crate::text::{Label, t};

/// What `state()` returns. Times are milliseconds of the simulation.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
struct State {
    moment_ms: u64,
    /// The end of what is shown, as far as it is known.
    end_ms: u64,
    complete: bool,
    playing: bool,
    counts: Counts,
    limits: Limits,
    /// How the run ends; absent while it is computed.
    outcome: Option<&'static str>,
    /// What cut the run off at `end_ms`; absent where it came to rest, and while it is computed.
    cut_off_by: Option<&'static str>,
    /// The last change of a task or a deployment; absent while it is computed.
    last_change_at_ms: Option<u64>,
    completed_at_ms: Option<u64>,
    lowest_healthy: u32,
    peak_tasks: u32,
    invariants_broken: usize,
    branches: usize,
}

#[derive(Serialize)]
struct Counts {
    total: u32,
    counted: u32,
    running: u32,
    pending: u32,
    healthy: u32,
    stopping: u32,
    /// Healthy tasks of the old, the new and all further revisions.
    healthy_by_lane: Vec<u32>,
}

#[derive(Serialize)]
struct Limits {
    desired: u32,
    floor: u32,
    ceiling: u32,
    room_to_start: u32,
    spare_to_stop: u32,
}

fn state(player: &mut Player) -> State {
    let result = brief(RunView::of_player(player));
    let complete = player.complete();
    let end_ms = last_change(player).ms();
    let playing = player.play_state() == PlayState::Playing;
    let branches = player.branches().count();
    let frame = player.frame();
    let counts = &frame.counts;
    State {
        moment_ms: frame.at.ms(),
        end_ms,
        complete,
        playing,
        counts: Counts {
            total: counts.physical(),
            counted: counts.counted,
            running: counts.running(),
            pending: counts.pending(),
            healthy: counts.healthy(),
            stopping: counts.leaving(),
            healthy_by_lane: counts.lanes.iter().map(|lane| lane.healthy).collect(),
        },
        limits: Limits {
            desired: counts.limits.desired,
            floor: counts.limits.floor,
            ceiling: counts.limits.ceiling,
            room_to_start: frame.room_to_start,
            spare_to_stop: frame.spare_to_stop,
        },
        outcome: complete.then(|| names::outcome(result.outcome)),
        cut_off_by: result.cut_off_by.map(names::cut_off_by),
        last_change_at_ms: complete.then(|| result.last_change_at.ms()),
        completed_at_ms: result.completed_at.map(|at| at.ms()),
        lowest_healthy: result.lowest_healthy,
        peak_tasks: result.peak_tasks,
        invariants_broken: result.broken,
        branches,
    }
}

/// Puts the interface on the window. It lives as long as the page.
pub fn publish(scope: Scope<App>, runtime: &Rc<RefCell<Runtime>>) {
    let Some(window) = web_sys::window() else { return };
    let object = js_sys::Object::new();
    let set = |name: &str, value: &JsValue| {
        // A fresh object takes every property.
        let _ = js_sys::Reflect::set(&object, &name.into(), value);
    };
    set("version", &env!("CARGO_PKG_VERSION").into());
    let to_open = scope.clone();
    let open = Closure::<dyn Fn(JsValue) -> JsValue>::new(move |given: JsValue| {
        let opened = open(to_open.clone(), given);
        future_to_promise(async { Ok(faults_to_js(&opened.await)) }).into()
    });
    set("open", open.as_ref().unchecked_ref());
    set_moves(&scope, runtime, &set);
    let runtime = Rc::clone(runtime);
    let read = Closure::<dyn Fn() -> JsValue>::new(move || {
        let Ok(mut runtime) = runtime.try_borrow_mut() else { return JsValue::NULL };
        let state = runtime.player.as_mut().map(state);
        state.and_then(|state| serde_wasm_bindgen::to_value(&state).ok()).unwrap_or(JsValue::NULL)
    });
    set("state", read.as_ref().unchecked_ref());
    let _ = js_sys::Reflect::set(&window, &"rollscope".into(), &object);
    open.forget();
    read.forget();
}

/// What moves the cursor. They live as long as the page.
fn set_moves(scope: &Scope<App>, runtime: &Rc<RefCell<Runtime>>, set: &impl Fn(&str, &JsValue)) {
    for (name, play) in [("play", true), ("pause", false)] {
        let (scope, runtime) = (scope.clone(), Rc::clone(runtime));
        let act = Closure::<dyn Fn()>::new(move || {
            let playing = runtime.try_borrow().ok().and_then(|runtime| Some(runtime.player.as_ref()?.play_state()));
            if playing.is_some_and(|state| (state == PlayState::Playing) != play) {
                scope.send_message(Msg::Toggle);
            }
        });
        set(name, act.as_ref().unchecked_ref());
        act.forget();
    }
    let to = scope.clone();
    let seek = Closure::<dyn Fn(f64)>::new(move |ms: f64| {
        // A number that is none is the start.
        to.send_message(Msg::Go(Go::To(SimTime(ms.round() as u64))));
    });
    set("seek", seek.as_ref().unchecked_ref());
    let by = scope.clone();
    let step = Closure::<dyn Fn(f64)>::new(move |steps: f64| {
        by.send_message(Msg::Go(if steps < 0.0 { Go::Previous } else { Go::Next }));
    });
    set("step", step.as_ref().unchecked_ref());
    seek.forget();
    step.forget();
}

#[wasm_bindgen]
extern "C" {
    /// `web/js/embed.js` tells the page around this one what changed.
    #[wasm_bindgen(js_namespace = rollscopeEmbed, js_name = changed, catch)]
    fn embed_changed() -> Result<(), JsValue>;
}

/// The texts of a player inside another page have changed.
pub fn changed() {
    // The page around it may have gone meanwhile.
    let _ = embed_changed();
}

/// Opens a text or an object; returns what was wrong with it, an empty list when nothing was. What is
/// refused is shown as such: a link with what is wrong with it, a scenario with its problems.
async fn open(scope: Scope<App>, given: JsValue) -> Vec<String> {
    let text = given.as_string().or_else(|| js_sys::JSON::stringify(&given).ok()?.as_string());
    let mut paste = Paste::default();
    paste.type_text(text.unwrap_or_default());
    if link::is_compared(paste.text()) {
        scope.send_message(Msg::Compare(Some(paste.text().to_owned())));
        return Vec::new();
    }
    if let Some(question) = paste.read(None) {
        match lazy::read(&question).await {
            Err(LazyError(sentence)) => return vec![sentence],
            answer => paste.answered(&question, answer),
        }
    }
    let mut faults = paste.found().map(|found| found.faults.clone()).unwrap_or_default();
    match (paste.opened().filter(|_| faults.is_empty()), paste.refused()) {
        (Some(opened), _) | (None, Some(opened)) => scope.send_message(Msg::Open(Box::new(opened), true)),
        (None, None) if faults.is_empty() => faults.push(t(Label::NothingToOpen).to_owned()),
        (None, None) => {
            if let Err(broken) = link::read(paste.text().trim())
                && link::looks_like(paste.text().trim())
            {
                scope.send_message(Msg::Broken(broken));
            }
        }
    }
    faults
}

fn faults_to_js(faults: &[String]) -> JsValue {
    serde_wasm_bindgen::to_value(faults).unwrap_or(JsValue::NULL)
}

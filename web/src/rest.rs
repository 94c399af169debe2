//! The rest of this program: what the first picture does without.
//!
//! The release build moves functions into a second file (`crates/xtask/src/split`). It shares memory
//! and table with this one, so a call is a call as any other. `web/js/boot.js` fetches it once the
//! first picture stands; a function that is called before that fetches it on the spot.

use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = rollscopeProgram)]
    fn program(exports: &JsValue, hear: &JsValue);
    /// The build finds this one by its name, for calls that come before the rest.
    #[wasm_bindgen(js_name = rollscopeRest)]
    fn rest(now: bool);
}

/// Hands over what the rest is placed beside; before anything else. `hear` is called when the rest
/// is there, with an empty text, or when it did not load, with a sentence.
pub fn introduce(hear: Callback<String>) {
    let hear = Closure::<dyn Fn(String)>::new(move |text| hear.emit(text));
    program(&wasm_bindgen::exports(), &hear.into_js_value());
}

/// Asks for the rest.
pub fn ask() {
    rest(false);
}

/// Frames that a first picture may take before the rest is asked for all the same.
const FRAMES_MAX: u32 = 30;

/// Asks for the rest once: when the first picture stands.
#[derive(Default)]
pub struct Wanted {
    frames: u32,
}

impl Wanted {
    /// A frame was drawn; `again` says whether the picture still changes.
    pub fn frame(&mut self, again: bool) {
        if self.frames >= FRAMES_MAX {
            return;
        }
        self.frames = if again { self.frames + 1 } else { FRAMES_MAX };
        if self.frames == FRAMES_MAX {
            ask();
        }
    }
}

/// Does something in a function of its own, which can be in the rest: what no first picture does.
#[inline(never)]
pub fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

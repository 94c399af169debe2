//! What few visitors need: a second WebAssembly file that the page loads on demand.
//!
//! ```text
//! paste  -> read(text, service)     -> what was found, as JSON    (found)
//! save   -> picture(order)          -> a PNG file, downloaded     (picture)
//! export -> write(order)            -> settings as text, as JSON  (export)
//! address -> compare(fragment)       -> the screen that compares, or the map (compare, explore)
//! share  -> qr(text)                 -> a QR code, as a path      (qr)
//! ```
//!
//! Only texts cross between the two files, so that neither knows how the other is built. The
//! page's side is `web/src/lazy.rs`; `web/js/boot.js` fetches this file.

mod compare;
mod explore;
mod export;
mod found;
mod markup;
mod picture;
mod qr;
mod regions;

use rollscope_scenario::link::is_explored;
use wasm_bindgen::prelude::wasm_bindgen;

pub use export::exported;
pub use found::found;
pub use picture::Order;
pub use qr::code as qr_code;

/// Reads a configuration or a scenario document; a name chooses one of several services, a format overrules what
/// the text looks like. The answer is JSON, see [`found`].
#[wasm_bindgen]
pub fn read(text: &str, service: Option<String>, format: Option<String>) -> String {
    found(text, service.as_deref(), format.as_deref()).to_string()
}

/// Draws the chart of a whole run and hands it to the browser as a PNG file. `order` is JSON, see
/// [`Order`]. False when it cannot be understood or the browser gives no canvas.
#[wasm_bindgen]
pub fn picture(order: &str) -> bool {
    Order::read(order).and_then(|order| picture::save(&order)).is_some()
}

/// Shows a comparison or a map in the page's element `compare`, or leaves it where the fragment is empty. False
/// where the page has no such element.
#[wasm_bindgen]
pub fn compare(fragment: &str) -> bool {
    let (compared, explored) = if is_explored(fragment) { ("", fragment) } else { (fragment, "") };
    // The one that leaves gives the element back first.
    match explored.is_empty() {
        true => explore::show(explored) && compare::show(compared),
        false => compare::show(compared) && explore::show(explored),
    }
}

/// Writes settings as text for another tool. Order and answer are JSON, see [`exported`].
#[wasm_bindgen]
pub fn write(order: &str) -> String {
    exported(order).to_string()
}

/// The colours of the page have changed.
#[wasm_bindgen]
pub fn repaint() {
    compare::repaint();
}

/// A text as a QR code, see [`qr_code`]. Empty where it is too long for one.
#[wasm_bindgen]
pub fn qr(text: &str) -> String {
    qr_code(text)
}

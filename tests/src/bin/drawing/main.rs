//! The page's drawing alone, without the page: stage and chart through the page's own canvas
//! backend, for `cargo xtask bench` to time beside a bare loop and beside uPlot.

#[cfg(target_arch = "wasm32")]
mod canvas;
// What the page's canvas writes its sizes with.
#[cfg(target_arch = "wasm32")]
#[expect(dead_code, reason = "the page uses more of it")]
#[path = "../../../../web/canvas/src/decimal.rs"]
mod decimal;
#[cfg(target_arch = "wasm32")]
mod page;

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    println!("This program runs in a browser; `cargo xtask bench` builds and starts it.");
}

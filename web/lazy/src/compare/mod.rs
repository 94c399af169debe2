//! The screen that compares two to four scenarios on one clock.
//!
//! ```text
//! fragment -> State (scenarios, edits)  -> Runs (players, table)  -> Drawing (canvases)
//!                                                               -> view (HTML of a region)
//! click, key, pointer -> Screen::does -> State or cursor -> address
//! ```
//!
//! It stands in the element `compare` of the page, and is told of the address by [`show`]; it leaves
//! for the Studio by the address as well. A region whose HTML stays the same is not touched.

mod draw;
mod pace;
mod runs;
mod screen;
mod state;
mod view;
mod wire;

use std::cell::RefCell;
use std::rc::Rc;

use wire::Wiring;

thread_local! {
    /// The screen, while it is open. The page has one.
    static OPEN: RefCell<Option<Wiring>> = const { RefCell::new(None) };
}

/// Opens a comparison in the element `compare`, or leaves it (an empty text). False where there is no
/// such element.
pub fn show(fragment: &str) -> bool {
    OPEN.with(|open| {
        let mut open = open.borrow_mut();
        if fragment.is_empty() {
            open.take().into_iter().for_each(Wiring::leave);
            return true;
        }
        if let Some(wiring) = open.as_ref() {
            wiring.arrive(fragment);
            return true;
        }
        *open = screen::Screen::new(fragment).map(|screen| Wiring::new(Rc::new(RefCell::new(screen))));
        open.is_some()
    })
}

/// The colours of the page have changed.
pub fn repaint() {
    OPEN.with(|open| {
        if let Some(wiring) = open.borrow().as_ref() {
            wiring.repaint();
        }
    });
}

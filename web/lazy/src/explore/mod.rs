//! The screen with the map over two settings and the spread of one of its fields.
//!
//! ```text
//! fragment -> Screen (map, selected field, spread) -> view (HTML of a region)
//! click, change, key -> Screen::does -> address
//! ```
//!
//! It stands in the element `compare` of the page, as the comparison does; frames compute it in slices.

mod screen;
mod view;
mod wire;

use std::cell::RefCell;
use std::rc::Rc;

use wire::Wiring;

thread_local! {
    /// The screen, while it is open. The page has one.
    static OPEN: RefCell<Option<Wiring>> = const { RefCell::new(None) };
}

/// Opens a map in the element `compare`, or leaves it (an empty text). False where there is no such element.
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

//! Drawing by hand inside of plotters' area: what consists of many small shapes goes to the backend
//! without an element for each of them.

use std::cell::RefCell;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

/// A picture, or a part of one, with pixels for coordinates.
pub type Area<DB> = DrawingArea<DB, Shift>;
/// What drawing on it gives.
pub type AreaDrawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;
type Direct<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A closure with the backend.
struct Hand<F>(RefCell<Option<F>>);

impl<'a, F> PointCollection<'a, BackendCoord> for &'a Hand<F> {
    type Point = BackendCoord;
    type IntoIter = std::iter::Empty<BackendCoord>;
    fn point_iter(self) -> Self::IntoIter {
        std::iter::empty()
    }
}

impl<DB: DrawingBackend, F: FnOnce(&mut DB) -> Direct<DB>> Drawable<DB> for Hand<F> {
    fn draw<I: Iterator<Item = BackendCoord>>(&self, _: I, to: &mut DB, _: (u32, u32)) -> Direct<DB> {
        self.0.borrow_mut().take().map_or(Ok(()), |f| f(to))
    }
}

/// Hands the backend of a whole picture over.
pub fn by_hand<DB: DrawingBackend>(area: &Area<DB>, f: impl FnOnce(&mut DB) -> Direct<DB>) -> AreaDrawn<DB> {
    area.draw(&Hand(RefCell::new(Some(f))))
}

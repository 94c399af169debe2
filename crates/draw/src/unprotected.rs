//! The sign of a task that started where automatic rollback does not protect: a hatched corner.

use plotters_backend::{BackendCoord, DrawingBackend};

use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Drawn, Ink};

/// Draws it into the left top half of a square.
pub fn sign<DB: DrawingBackend>(to: &mut DB, square: Rect, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let (x, y, side) = (square.x, square.y, square.w.min(square.h));
    pen::polygon(to, vec![(x, y), (x + side, y), (x, y + side)], palette.surface)?;
    for (a, b) in lines(x, y, side, scale.px(3.0).max(2)) {
        pen::line(to, a, b, Ink(palette.control, scale.line(1.0)))?;
    }
    let outline = vec![(x, y), (x + side, y), (x, y + side), (x, y)];
    pen::path(to, outline, Ink(palette.ink, scale.line(1.2)))
}

/// Lines that fall to the right, from the level and the upright edge to the slanted one.
fn lines(x: i32, y: i32, side: i32, step: i32) -> Vec<(BackendCoord, BackendCoord)> {
    let offsets = || (0..).map(|k| k * step).take_while(|offset| offset + 1 < side);
    let level = offsets().map(|k| ((x + k, y), (x + k + (side - k) / 2, y + (side - k) / 2)));
    let upright = offsets().skip(1).map(|k| ((x, y + k), (x + (side - k) / 2, y + k + (side - k) / 2)));
    level.chain(upright).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hatching_stays_inside_the_corner() {
        for side in 4..40 {
            for (a, b) in lines(7, 9, side, 3) {
                assert!([a, b].iter().all(|(x, y)| *x >= 7 && *y >= 9 && (x - 7) + (y - 9) <= side), "{side}");
            }
        }
    }
}

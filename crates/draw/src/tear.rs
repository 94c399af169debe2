//! A fold of the axis: a strip of the ground with a zig-zag edge at both sides.

use plotters_backend::{BackendCoord, DrawingBackend};

use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Drawn, Ink};
use crate::xscale::{Fold, XScale};

/// Width and height of a tooth in CSS pixels.
const TOOTH: (f64, f64) = (4.0, 5.0);
/// What stands at either end of a fold stays in sight for this much.
const MARGIN: f64 = 4.0;

/// The zig-zag from the top to the bottom; `out` is how far its teeth reach from `x`.
fn zigzag(x: i32, out: i32, (top, bottom): (i32, i32), step: i32) -> Vec<BackendCoord> {
    let heights = (0..).map(|k| top + k * step).take_while(|y| *y < bottom).chain([bottom]);
    heights.enumerate().map(|(index, y)| (if index % 2 == 0 { x } else { x + out }, y)).collect()
}

/// Draws a fold over what lies below it, `top` to `bottom`; an open one is seen through.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    (fold, open): (&Fold, bool),
    (top, bottom): (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let (out, step) = (scale.px(TOOTH.0), scale.px(TOOTH.1).max(1));
    let margin = scale.px(MARGIN);
    let left = zigzag(fold.left + margin, out, (top, bottom), step);
    let right = zigzag(fold.right - margin - out, out, (top, bottom), step);
    let ink = Ink(palette.control, scale.line(1.2));
    if open {
        // Only the edges: what is between them holds all the time.
        let ground = Ink(palette.surface, scale.line(5.0));
        pen::path(to, left.clone(), ground)?;
        pen::path(to, right.clone(), ground)?;
    } else {
        let outline = left.iter().copied().chain(right.iter().rev().copied()).collect();
        pen::polygon(to, outline, palette.surface)?;
    }
    pen::path(to, left, ink)?;
    pen::path(to, right, ink)
}

/// Draws every fold of an axis.
pub fn all<DB: DrawingBackend>(
    to: &mut DB,
    x: &XScale,
    heights: (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    x.folds().iter().try_for_each(|fold| paint(to, (fold, x.is_open()), heights, scale, palette))
}

/// The strip between its edges, where words may stand.
pub fn inside(fold: &Fold, (top, bottom): (i32, i32), scale: Scale) -> Rect {
    Rect::new(fold.left, top, fold.right - fold.left, bottom - top).narrower(scale.px(MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zigzag_stays_between_its_edges_and_reaches_both_ends() {
        let points = zigzag(10, 4, (3, 52), 5);
        assert_eq!((points[0], points.last().map(|p| p.1)), ((10, 3), Some(52)));
        assert!(points.iter().all(|p| p.0 == 10 || p.0 == 14));
        assert!(points.windows(2).all(|pair| pair[0].0 != pair[1].0 && pair[0].1 < pair[1].1));
    }
}

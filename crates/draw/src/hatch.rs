//! Hatching and dots as geometry, so that every backend shows them.
//!
//! The lines of a hatch lie on one grid over the whole picture: pieces that are drawn one by
//! one fit together.

use plotters_backend::{BackendCoord, DrawingBackend};

use crate::geometry::Rect;
use crate::pen::{self, Drawn, Ink};

/// Ends of the diagonals (rising to the right) that cross `rect`, `step` pixels apart.
pub fn diagonals(rect: Rect, step: i32) -> Vec<(BackendCoord, BackendCoord)> {
    let step = step.max(2);
    if rect.is_empty() {
        return Vec::new();
    }
    // On a diagonal x + y is constant.
    let first = (rect.x + rect.y).div_euclid(step) * step + step;
    let last = rect.right() + rect.bottom();
    (0..)
        .map(|k| first + k * step)
        .take_while(|&sum| sum < last)
        .map(|sum| {
            let left = rect.x.max(sum - rect.bottom());
            let right = rect.right().min(sum - rect.y);
            ((left, sum - left), (right, sum - right))
        })
        .filter(|(a, b)| a.0 < b.0)
        .collect()
}

/// Ends of the diagonals that fall to the right.
pub fn falling(rect: Rect, step: i32) -> Vec<(BackendCoord, BackendCoord)> {
    // The mirror of rising ones, at the picture's left edge.
    let mirrored = Rect::new(-rect.right(), rect.y, rect.w, rect.h);
    let back = |(x, y): BackendCoord| (-x, y);
    diagonals(mirrored, step).into_iter().map(|(a, b)| (back(b), back(a))).collect()
}

/// Hatches a rectangle.
pub fn stripes<DB: DrawingBackend>(to: &mut DB, rect: Rect, step: i32, ink: Ink) -> Drawn<DB> {
    diagonals(rect, step).into_iter().try_for_each(|(a, b)| pen::line(to, a, b, ink))
}

/// Left top corners of the dots (squares of `size`) that lie wholly inside `rect`, on a grid of
/// `step` pixels, every second row shifted by half a step.
pub fn dot_grid(rect: Rect, step: i32, size: i32) -> Vec<BackendCoord> {
    let step = step.max(2);
    let mut out = Vec::new();
    let mut y = rect.y.div_euclid(step) * step;
    while y + size <= rect.bottom() {
        let shift = if (y / step).rem_euclid(2) == 0 { 0 } else { step / 2 };
        let mut x = rect.x.div_euclid(step) * step + shift - step;
        while x + size <= rect.right() {
            if x >= rect.x && y >= rect.y {
                out.push((x, y));
            }
            x += step;
        }
        y += step;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_stay_inside_and_rise() {
        let rect = Rect::new(5, 7, 30, 12);
        let lines = diagonals(rect, 6);
        assert_eq!(lines.len(), 6);
        for ((x0, y0), (x1, y1)) in lines {
            assert!(x0 >= 5 && x1 <= 35 && y1 >= 7 && y0 <= 19);
            assert_eq!(x0 + y0, x1 + y1);
        }
    }

    #[test]
    fn falling_lines_are_the_mirror() {
        let rect = Rect::new(5, 7, 30, 12);
        let lines = falling(rect, 6);
        assert!(!lines.is_empty());
        for ((x0, y0), (x1, y1)) in lines {
            assert!(x0 < x1 && y0 < y1 && x0 >= 5 && x1 <= 35 && y0 >= 7 && y1 <= 19);
            assert_eq!(x0 - y0, x1 - y1);
        }
    }

    #[test]
    fn neighbours_share_one_grid() {
        let sums = |rect| diagonals(rect, 6).iter().map(|(a, _)| a.0 + a.1).collect::<Vec<_>>();
        let whole = sums(Rect::new(0, 0, 40, 10));
        for part in [Rect::new(0, 0, 17, 10), Rect::new(17, 0, 23, 10)] {
            assert!(sums(part).iter().all(|sum| whole.contains(sum)));
        }
    }

    #[test]
    fn dots_lie_inside_and_alternate() {
        let rect = Rect::new(3, 3, 30, 20);
        let dots = dot_grid(rect, 6, 2);
        assert!(dots.iter().all(|&(x, y)| rect.contains(x, y) && rect.contains(x + 1, y + 1)));
        let row = |y: i32| dots.iter().filter(|dot| dot.1 == y).map(|dot| dot.0 % 6).collect::<Vec<_>>();
        assert!(row(6).iter().all(|&x| x == 3) && row(12).iter().all(|&x| x == 0));
    }

    #[test]
    fn nothing_in_an_empty_rectangle() {
        assert!(diagonals(Rect::new(3, 3, 0, 9), 6).is_empty());
    }
}

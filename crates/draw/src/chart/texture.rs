//! Dots and stripes on a band, whose height changes from column to column.
//!
//! A band is a row of rectangles. Its texture is one for the whole band: a dot or a line that
//! crosses from one rectangle to the next stays whole.

use std::collections::BTreeMap;

use plotters_backend::BackendCoord;

use crate::geometry::Rect;
use crate::hatch;

/// Heights that are inside of the band over all of the pixels `from..until`.
fn heights(runs: &[Rect], from: i32, until: i32) -> Option<(i32, i32)> {
    let first = runs.partition_point(|run| run.right() <= from);
    let mut x = from;
    let (mut top, mut bottom) = (i32::MIN, i32::MAX);
    for run in runs[first..].iter().take_while(|run| run.x < until) {
        if run.x > x {
            return None;
        }
        x = run.right();
        (top, bottom) = (top.max(run.y), bottom.min(run.bottom()));
    }
    (x >= until && top < bottom).then_some((top, bottom))
}

/// Left top corners of dots (squares of `size`) that lie wholly inside the band, on a grid of
/// `step` pixels over the whole picture, every second row shifted by half a step.
pub fn dots(runs: &[Rect], step: i32, size: i32) -> Vec<BackendCoord> {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return Vec::new() };
    let step = step.max(2);
    let mut out = Vec::new();
    for (row, shift) in [(0, 0), (1, step / 2)] {
        let mut x = first.x.div_euclid(step) * step + shift - step;
        while x + size <= last.right() {
            if let Some((top, bottom)) = heights(runs, x, x + size).filter(|_| x >= first.x) {
                // Rows of this kind are two steps apart.
                let mut y = (top - row * step).div_euclid(2 * step) * 2 * step + row * step;
                while y + size <= bottom {
                    if y >= top {
                        out.push((x, y));
                    }
                    y += 2 * step;
                }
            }
            x += step;
        }
    }
    out
}

/// Ends of the rising diagonals inside the band, `step` pixels apart.
pub fn stripes(runs: &[Rect], step: i32) -> Vec<(BackendCoord, BackendCoord)> {
    // By the constant sum of their coordinates: the line that may still go on.
    let mut open: BTreeMap<i32, (BackendCoord, BackendCoord)> = BTreeMap::new();
    let mut out = Vec::new();
    for run in runs {
        for (a, b) in hatch::diagonals(*run, step) {
            let line = open.entry(a.0 + a.1).or_insert((a, a));
            if line.1 == a {
                line.1 = b;
            } else {
                out.push(std::mem::replace(line, (a, b)));
            }
        }
    }
    out.extend(open.into_values());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A band that rises by a pixel a column.
    fn slope() -> Vec<Rect> {
        (0..60).map(|k| Rect::new(10 + k, 70 - k, 1, 20)).collect()
    }

    #[test]
    fn a_texture_goes_over_narrow_columns() {
        let runs = slope();
        let dots = dots(&runs, 6, 2);
        assert!(dots.len() > 20, "{}", dots.len());
        for (x, y) in dots {
            for x in [x, x + 1] {
                let run = runs[(x - 10) as usize];
                assert!(run.y <= y && y + 2 <= run.bottom());
            }
        }
        // The slope is that of the stripes: each line inside of it is whole.
        let lines = stripes(&runs, 7);
        assert!(lines.len() <= 5, "{lines:?}");
        assert!(lines.iter().all(|(a, b)| a.0 + a.1 == b.0 + b.1 && b.0 - a.0 > 40));
    }

    #[test]
    fn on_one_rectangle_it_is_the_plain_one() {
        let rect = Rect::new(13, 7, 50, 40);
        let sorted = |mut points: Vec<BackendCoord>| {
            points.sort_unstable();
            points
        };
        assert_eq!(sorted(dots(&[rect], 6, 2)), sorted(hatch::dot_grid(rect, 6, 2)));
        let mut plain = hatch::diagonals(rect, 7);
        plain.sort_by_key(|(a, _)| a.0 + a.1);
        assert_eq!(stripes(&[rect], 7), plain);
    }

    #[test]
    fn a_gap_parts_it() {
        let runs = [Rect::new(0, 0, 10, 30), Rect::new(20, 0, 10, 30)];
        assert!(dots(&runs, 6, 3).iter().all(|(x, _)| x + 3 <= 10 || *x >= 20));
        assert!(stripes(&runs, 7).iter().all(|(a, b)| b.0 <= 10 || a.0 >= 20));
        assert_eq!((dots(&[], 6, 2), stripes(&[], 6)), (vec![], vec![]));
    }
}

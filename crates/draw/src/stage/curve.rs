//! Curves as polylines of whole pixels that still look smooth.

use plotters_backend::BackendCoord;

use crate::circle;
use crate::geometry::within;

/// Samples of a curve for each pixel of its length.
const SAMPLES: f64 = 4.0;
/// Shortest and longest piece in pixels.
const PIECE: (f64, f64) = (3.0, 8.0);

/// A curve over 0..=1, about `length` pixels long, as straight pieces. A backend takes whole
/// pixels only, and rounding any point would bend the line; so each corner is taken where the
/// curve passes closest to a whole pixel, some pixels after the one before it.
pub fn polyline(at: impl Fn(f64) -> (f64, f64), length: f64) -> Vec<BackendCoord> {
    let samples = within((length * SAMPLES).ceil(), 1.0, 20_000.0) as u32;
    let whole = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
    // Squares of distances: no root is needed to compare them.
    let away = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1);
    let (short, long) = (PIECE.0 * PIECE.0, PIECE.1 * PIECE.1);
    let (mut last, end) = (at(0.0), at(1.0));
    let mut points = vec![whole(last)];
    let mut best: Option<(f64, (f64, f64))> = None;
    for k in 1..samples {
        let point = at(f64::from(k) / f64::from(samples));
        let done = away(point, last);
        if done > long
            && let Some((_, corner)) = best.take()
        {
            points.push(whole(corner));
            last = corner;
        }
        let miss = away(point, (point.0.round(), point.1.round()));
        // The last corner keeps its distance from the end as well.
        if away(point, last) >= short && away(point, end) >= short && best.is_none_or(|(least, _)| miss < least) {
            best = Some((miss, point));
        }
    }
    points.extend(best.map(|(_, corner)| whole(corner)));
    points.push(whole(end));
    points.dedup();
    points
}

/// From one point down to another: leaves and arrives upright, bends in the middle of the height.
pub fn drop_line(from: BackendCoord, to: BackendCoord) -> Vec<BackendCoord> {
    if from.0 == to.0 {
        return vec![from, to];
    }
    let [x0, y0, x1, y1] = [from.0, from.1, to.0, to.1].map(f64::from);
    let middle = (y0 + y1) / 2.0;
    let bezier = |t: f64| {
        let u = 1.0 - t;
        let (a, b, c, d) = (u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t);
        (x0 * (a + b) + x1 * (c + d), y0 * a + middle * (b + c) + y1 * d)
    };
    polyline(bezier, (x1 - x0).abs() + (y1 - y0).abs())
}

/// A part of a circle from its top, clockwise: `turn` of a whole one.
pub fn arc((cx, cy): BackendCoord, radius: f64, turn: f64) -> Vec<BackendCoord> {
    let point = |t: f64| {
        let (sin, cos) = circle::sin_cos(t * turn);
        (f64::from(cx) + radius * sin, f64::from(cy) - radius * cos)
    };
    polyline(point, radius * turn * std::f64::consts::TAU)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each corner lies within 0.4 pixels of the curve; plain rounding misses by up to 0.7.
    #[test]
    fn corners_lie_close_to_the_curve() {
        let curve = |t: f64| (200.0 * t, 60.0 * t * t);
        for (x, y) in polyline(curve, 210.0) {
            let nearest = (0..=4_000).map(|k| curve(f64::from(k) / 4_000.0));
            let miss = nearest.map(|(cx, cy)| (cx - f64::from(x)).hypot(cy - f64::from(y)));
            assert!(miss.fold(f64::MAX, f64::min) < 0.4, "{x} {y}");
        }
    }

    #[test]
    fn a_wire_leaves_and_arrives_upright_and_only_falls() {
        for to in [(300, 64), (20, 64), (100, 64)] {
            let wire = drop_line((100, 21), to);
            assert_eq!((wire[0], wire[wire.len() - 1]), ((100, 21), to));
            assert!(wire.windows(2).all(|pair| pair[1].1 >= pair[0].1), "{wire:?}");
            assert!(wire.windows(2).all(|pair| (pair[1].0 - pair[0].0) * (to.0 - 100) >= 0), "{wire:?}");
        }
    }

    #[test]
    fn an_arc_stays_on_its_circle() {
        let half = arc((50, 50), 9.0, 0.5);
        assert_eq!((half[0], half[half.len() - 1]), ((50, 41), (50, 59)));
        assert!(half.iter().all(|&(x, y)| (f64::from(x - 50).hypot(f64::from(y - 50)) - 9.0).abs() < 0.6));
        assert!(half.iter().all(|point| point.0 >= 50));
    }
}

//! Curves as polylines of whole pixels that still look smooth.

use plotters_backend::BackendCoord;

/// Places tried for each corner of a polyline.
const TRIES: u32 = 12;

/// A curve over 0..=1 as `pieces` straight pieces. A backend takes whole pixels only; rounding any
/// point would bend the line, so each corner is taken where the curve passes closest to a whole
/// pixel, in the stretch around its share of the way.
pub fn polyline(at: impl Fn(f64) -> (f64, f64), pieces: u32) -> Vec<BackendCoord> {
    let pieces = pieces.max(1);
    let whole = |(x, y): (f64, f64)| (x.round() as i32, y.round() as i32);
    let miss = |t: f64| {
        let (x, y) = at(t);
        (x - x.round()).powi(2) + (y - y.round()).powi(2)
    };
    let mut points = Vec::with_capacity(pieces as usize + 1);
    points.push(whole(at(0.0)));
    for piece in 1..pieces {
        // Half a piece wide, so that two corners never change places.
        let around = |k: u32| (f64::from(piece) - 0.25 + 0.5 * f64::from(k) / f64::from(TRIES)) / f64::from(pieces);
        let best = (0..=TRIES).map(around).min_by(|a, b| miss(*a).total_cmp(&miss(*b)));
        points.extend(best.map(|t| whole(at(t))));
    }
    points.push(whole(at(1.0)));
    points.dedup();
    points
}

/// From one point down to another: leaves and arrives upright, bends in the middle of the height.
pub fn drop_line(from: BackendCoord, to: BackendCoord, pieces: u32) -> Vec<BackendCoord> {
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
    polyline(bezier, pieces)
}

/// A part of a circle from its top, clockwise: `turn` of a whole one.
pub fn arc((cx, cy): BackendCoord, radius: f64, turn: f64, pieces: u32) -> Vec<BackendCoord> {
    let angle = |t: f64| t * turn * std::f64::consts::TAU;
    let point = |t: f64| (f64::from(cx) + radius * angle(t).sin(), f64::from(cy) - radius * angle(t).cos());
    polyline(point, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each corner lies within a third of a pixel of the curve; plain rounding misses by up to 0.7.
    #[test]
    fn corners_lie_close_to_the_curve() {
        let curve = |t: f64| (200.0 * t, 60.0 * t * t);
        for (x, y) in polyline(curve, 16) {
            let nearest = (0..=4_000).map(|k| curve(f64::from(k) / 4_000.0));
            let miss = nearest.map(|(cx, cy)| (cx - f64::from(x)).hypot(cy - f64::from(y)));
            assert!(miss.fold(f64::MAX, f64::min) < 0.34, "{x} {y}");
        }
    }

    #[test]
    fn a_wire_leaves_and_arrives_upright_and_only_falls() {
        for to in [(300, 64), (20, 64), (100, 64)] {
            let wire = drop_line((100, 21), to, 24);
            assert_eq!((wire[0], wire[wire.len() - 1]), ((100, 21), to));
            assert!(wire.windows(2).all(|pair| pair[1].1 >= pair[0].1), "{wire:?}");
            assert!(wire.windows(2).all(|pair| (pair[1].0 - pair[0].0) * (to.0 - 100) >= 0), "{wire:?}");
        }
    }

    #[test]
    fn an_arc_stays_on_its_circle() {
        let half = arc((50, 50), 9.0, 0.5, 12);
        assert_eq!((half[0], half[half.len() - 1]), ((50, 41), (50, 59)));
        assert!(half.iter().all(|&(x, y)| (f64::from(x - 50).hypot(f64::from(y - 50)) - 9.0).abs() < 0.6));
        assert!(half.iter().all(|point| point.0 >= 50));
    }
}

//! Sine and cosine for pictures.
//!
//! Those of the standard library are exact to the last bit for any angle, and bring ten kilobytes
//! of tables and code into the page. Pictures know the part of a turn and round to whole pixels.

use std::f64::consts::FRAC_PI_2;

/// Sine and cosine of a part of a whole turn, to within 1e-6.
pub fn sin_cos(turn: f64) -> (f64, f64) {
    let quarters = turn * 4.0;
    let whole = quarters.floor();
    let x = (quarters - whole) * FRAC_PI_2;
    let xx = x * x;
    // The series about 0, far enough for a quarter turn.
    let sin = x * (1.0 - xx / 6.0 * (1.0 - xx / 20.0 * (1.0 - xx / 42.0 * (1.0 - xx / 72.0 * (1.0 - xx / 110.0)))));
    let cos = 1.0
        - xx / 2.0 * (1.0 - xx / 12.0 * (1.0 - xx / 30.0 * (1.0 - xx / 56.0 * (1.0 - xx / 90.0 * (1.0 - xx / 132.0)))));
    match (whole as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_close_to_the_exact_one() {
        for k in -800..=800 {
            let turn = f64::from(k) / 160.0;
            let (sin, cos) = sin_cos(turn);
            let exact = (turn * std::f64::consts::TAU).sin_cos();
            assert!((sin - exact.0).abs() < 1e-6 && (cos - exact.1).abs() < 1e-6, "{turn}: {sin} {cos} {exact:?}");
        }
    }
}

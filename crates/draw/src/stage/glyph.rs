//! The sign of each state, about 14 CSS pixels, for those who do not see the fill.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::TaskState;

use crate::circle;
use crate::geometry::{Rect, Scale};
use crate::palette::Colour;
use crate::pen::{self, Drawn, Ink};

/// Draws the glyph of a state centred on a point; `size` is its height in CSS pixels.
pub fn glyph<DB: DrawingBackend>(
    to: &mut DB,
    state: TaskState,
    (cx, cy): (i32, i32),
    size: f64,
    scale: Scale,
    colour: Colour,
) -> Drawn<DB> {
    let px = |part: f64| scale.px(part * size);
    let pt = |dx: f64, dy: f64| (cx + px(dx), cy + px(dy));
    let ink = Ink(colour, scale.line(size / 6.5));
    // Tick and cross are short: they need a heavier stroke.
    let heavy = Ink(colour, scale.line(size / 5.4));
    let square = |half: i32| Rect::new(cx - half, cy - half, 2 * half, 2 * half);
    match state {
        TaskState::Waiting => [-0.42, 0.0, 0.42].into_iter().try_for_each(|dx| {
            let dot = px(0.11).max(1);
            pen::fill(to, Rect::new(cx + px(dx) - dot, cy - dot, 2 * dot, 2 * dot), colour)
        }),
        TaskState::Starting | TaskState::Draining => {
            let up = if state == TaskState::Starting { 1.0 } else { -1.0 };
            pen::path(to, vec![pt(0.0, 0.45 * up), pt(0.0, -0.42 * up)], ink)?;
            pen::path(to, vec![pt(-0.36, -0.08 * up), pt(0.0, -0.45 * up), pt(0.36, -0.08 * up)], ink)
        }
        TaskState::Checking => {
            let round = |k: i32| {
                let (sin, cos) = circle::sin_cos(f64::from(k) / 16.0);
                pt(0.44 * cos, 0.44 * sin)
            };
            pen::path(to, (0..=16).map(round).collect(), ink)?;
            pen::polygon(to, (0..=8).map(round).collect(), colour)
        }
        TaskState::Healthy => pen::path(to, vec![pt(-0.45, 0.02), pt(-0.12, 0.36), pt(0.48, -0.36)], heavy),
        TaskState::Unhealthy => {
            let half = px(0.1).max(1);
            let top = cy - px(0.5);
            pen::fill(to, Rect::new(cx - half, top, 2 * half, px(0.64)), colour)?;
            pen::fill(to, Rect::new(cx - half, cy + px(0.28), 2 * half, (2 * half).max(px(0.2))), colour)
        }
        TaskState::Stopping => pen::fill(to, square(px(0.34).max(1)), colour),
        TaskState::Stopped => pen::path(to, vec![pt(-0.4, 0.0), pt(0.4, 0.0)], ink),
        TaskState::Failed => {
            pen::path(to, vec![pt(-0.4, -0.4), pt(0.4, 0.4)], heavy)?;
            pen::path(to, vec![pt(-0.4, 0.4), pt(0.4, -0.4)], heavy)
        }
    }
}

//! Tiles and cells: a state as fill, border and mark, without words.

use rollscope_engine::frame::{TaskState, TaskView};

use super::batch::Batch;
use crate::geometry::{Rect, Scale, within};
use crate::hatch;
use crate::palette::{Colour, LaneColours, Palette};
use crate::pen::Ink;

/// Narrower boxes, in device pixels, have room for one colour only.
const SPECK: i32 = 6;
/// Layers of a batch.
const GROUND: u8 = 1;
const INSIDE: u8 = 2;
const MARK: u8 = 3;

/// A box without words.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where it stands.
    pub rect: Rect,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// A tile, which has round corners and a dashed border while it is free.
    pub tile: bool,
    /// Beyond the ceiling: hatched while it is free.
    pub beyond: bool,
}

/// Adds a box. Its ground has been cleared.
pub fn slot(batch: &mut Batch, place: Place, task: Option<&TaskView>, palette: &Palette) {
    let Some(task) = task else {
        return free(batch, place, palette);
    };
    let lane = palette.lane(task.lane);
    if place.rect.w < SPECK {
        let colour = speck(task.state, lane, palette);
        return batch.fill(GROUND, colour, place.rect);
    }
    ground(batch, place, task.state, lane, palette);
    mark(batch, place, task.state, lane, palette);
}

/// A slot that was never used.
fn free(batch: &mut Batch, place: Place, palette: &Palette) {
    let thin = place.scale.line(1.0);
    if place.beyond {
        let lines = hatch::diagonals(place.rect, place.scale.px(4.0).min(place.rect.w / 2));
        return lines.into_iter().for_each(|(a, b)| batch.path(Ink(palette.line_2, thin), &[a, b]));
    }
    if place.tile {
        batch.dashed(GROUND, palette.line_2, place.rect, thin as i32, place.scale.px(3.0));
    } else {
        batch.frame(GROUND, palette.line_2, place.rect, thin as i32);
    }
}

/// Below six pixels there is one colour: failure before all else.
fn speck(state: TaskState, lane: &LaneColours, palette: &Palette) -> Colour {
    match state {
        TaskState::Failed | TaskState::Unhealthy => palette.fail,
        TaskState::Waiting | TaskState::Starting => lane.tint,
        TaskState::Checking | TaskState::Draining | TaskState::Stopping => lane.mid,
        TaskState::Healthy => lane.full,
        TaskState::Stopped => palette.inset,
    }
}

fn ground(batch: &mut Batch, place: Place, state: TaskState, lane: &LaneColours, palette: &Palette) {
    let Place { rect, scale, tile, .. } = place;
    let radius = if tile { scale.px(4.0).min(rect.w / 5) } else { 0 };
    let edge = scale.line(if tile { 1.5 } else { 1.2 }) as i32;
    let framed = |batch: &mut Batch, inside: Colour| {
        batch.rounded(GROUND, lane.full, rect, radius);
        batch.rounded(INSIDE, inside, rect.inset(edge), radius - edge);
    };
    match state {
        TaskState::Waiting => batch.dashed(GROUND, lane.full, rect, edge, (rect.w / 6).max(2 * edge - 1)),
        TaskState::Starting | TaskState::Stopping | TaskState::Checking => framed(batch, palette.surface),
        TaskState::Unhealthy => framed(batch, lane.tint),
        TaskState::Healthy => batch.rounded(GROUND, lane.full, rect, radius),
        TaskState::Draining => {
            framed(batch, lane.tint);
            // Stripes and gaps follow the size of the box.
            let css = within(f64::from(rect.w) / scale.0 / 7.0, 1.0, 2.4);
            let width = scale.line(css);
            let step = scale.px(css * 3.2).max(width as i32 * 2);
            // Shorter by the ends' slant, so that no line breaks through the border.
            for (a, b) in hatch::diagonals(rect.inset(edge + width as i32 / 3), step) {
                batch.path(Ink(lane.full, width), &[a, b]);
            }
        }
        TaskState::Stopped | TaskState::Failed => batch.rounded(GROUND, palette.inset, rect, radius),
    }
}

fn mark(batch: &mut Batch, place: Place, state: TaskState, lane: &LaneColours, palette: &Palette) {
    let Place { rect, scale, .. } = place;
    // Marks are as even or odd as the box, so that they stand in its very middle.
    let centred = |part: i32| {
        let side = (rect.w * part / 100).max(1);
        let side = side + (rect.w - side) % 2;
        let off = (rect.w - side) / 2;
        Rect::new(rect.x + off, rect.y + (rect.h - side) / 2, side, side)
    };
    let (cx, cy) = (rect.x + rect.w / 2, rect.y + rect.h / 2);
    let thick = scale.line((f64::from(rect.w) / scale.0 / 11.0).max(1.3));
    let at = |dx: i32, dy: i32| (cx + rect.w * dx / 100, cy + rect.h * dy / 100);
    match state {
        // In the smallest boxes the dot and the square of a stopping task would be the same.
        TaskState::Starting if rect.w < 9 => {}
        TaskState::Starting => batch.rounded(MARK, lane.full, centred(24), rect.w / 12),
        TaskState::Checking => {
            let edge = scale.line(1.2) as i32;
            batch.fill(MARK, lane.full, Rect::new(rect.x + edge, cy, rect.w - 2 * edge, rect.bottom() - cy - edge));
        }
        TaskState::Healthy if rect.w >= scale.px(14.0) => {
            batch.path(Ink(lane.on, thick), &[at(-23, 2), at(-7, 18), at(25, -18)]);
        }
        TaskState::Unhealthy => {
            let bar = centred(14);
            let height = rect.h - 2 * (rect.h / 5);
            batch.fill(MARK, palette.fail, Rect::new(bar.x, rect.y + rect.h / 5, bar.w, height * 11 / 20));
            let dot = (height / 5).max(1);
            batch.fill(MARK, palette.fail, Rect::new(bar.x, rect.y + rect.h / 5 + height - dot, bar.w, dot));
        }
        TaskState::Stopping => batch.fill(MARK, lane.full, centred(40)),
        TaskState::Failed => {
            let ink = Ink(palette.fail, thick);
            let arm = (rect.w * 27 / 100).max(2);
            let (far, near) = (rect.w - 1 - (rect.w / 2 - arm), rect.w / 2 - arm);
            let corner = |x: i32, y: i32| (rect.x + x, rect.y + y);
            batch.path(ink, &[corner(near, near), corner(far, far)]);
            batch.path(ink, &[corner(near, far), corner(far, near)]);
        }
        TaskState::Waiting | TaskState::Healthy | TaskState::Draining | TaskState::Stopped => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{STATES, task};
    use super::*;

    fn drawn(place: Place, state: TaskState) -> Batch {
        let mut batch = Batch::default();
        slot(&mut batch, place, Some(&task(0, 8, 1, state)), &Palette::light());
        batch
    }

    fn place(side: i32, scale: f64) -> Place {
        Place {
            rect: Rect::new(9, 5, side, side),
            scale: Scale(scale),
            tile: f64::from(side) > 14.0 * scale,
            beyond: false,
        }
    }

    /// Pixel by pixel no two states look the same, down to six pixels.
    #[test]
    fn every_state_has_its_own_look() {
        for (side, scale) in [(28, 1.0), (18, 1.0), (12, 1.0), (11, 1.0), (11, 1.25), (7, 1.0), (6, 1.0), (18, 3.0)] {
            let mut seen = Vec::new();
            for state in STATES {
                let place = place(side, scale);
                let pixels = drawn(place, state).pixels(place.rect);
                let same = seen.iter().find(|(_, other)| *other == pixels).map(|(state, _)| state);
                assert_eq!(same, None, "{state:?} at {side} x {scale}");
                seen.push((state, pixels));
            }
        }
    }

    #[test]
    fn a_failure_shows_red_at_every_size() {
        let fail = Palette::light().fail;
        for side in [28, 18, 12, 6, 4] {
            for state in [TaskState::Failed, TaskState::Unhealthy] {
                let batch = drawn(place(side, 1.0), state);
                let red = batch.rects().any(|r| r.1 == fail) || batch.lines().any(|l| l.0.0 == fail);
                assert!(red, "{state:?} at {side}");
            }
        }
    }

    #[test]
    fn everything_stays_inside_the_box() {
        for side in 6..=30 {
            for scale in [1.0, 1.25, 1.5, 2.0, 3.0] {
                let place = place(Scale(scale).px(f64::from(side)), scale);
                for state in STATES {
                    let batch = drawn(place, state);
                    let rect = place.rect;
                    let inside = |x: i32, y: i32| x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom();
                    assert!(batch.rects().all(|(_, _, r)| inside(r.x, r.y) && inside(r.right(), r.bottom())));
                    assert!(batch.lines().all(|(_, a, b)| inside(a.0, a.1) && inside(b.0, b.1)));
                }
            }
        }
    }
}

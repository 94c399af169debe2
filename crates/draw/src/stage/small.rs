//! Tiles and cells: a state as fill, border and mark, collected and drawn style by style.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::frame::{TaskState, TaskView};

use super::layout::{Layout, Level};
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::{Colour, LaneColours, Palette};
use crate::pen::{self, Drawn, Ink};

/// Shapes by layer and style: all rectangles of a style go out together, lines come last.
#[derive(Default)]
pub struct Batch {
    rects: Vec<(u8, Colour, Rect)>,
    lines: Vec<(Ink, BackendCoord, BackendCoord)>,
}

impl Batch {
    /// Adds a rectangle to a layer; higher layers are drawn later.
    pub fn fill(&mut self, layer: u8, colour: Colour, rect: Rect) {
        if !rect.is_empty() {
            self.rects.push((layer, colour, rect));
        }
    }

    fn frame(&mut self, colour: Colour, rect: Rect, width: i32) {
        let w = width.min(rect.w / 2).max(1);
        self.fill(2, colour, Rect::new(rect.x, rect.y, rect.w, w));
        self.fill(2, colour, Rect::new(rect.x, rect.bottom() - w, rect.w, w));
        self.fill(2, colour, Rect::new(rect.x, rect.y + w, w, rect.h - 2 * w));
        self.fill(2, colour, Rect::new(rect.right() - w, rect.y + w, w, rect.h - 2 * w));
    }

    /// A dashed border: its corners and the middle of its sides are left out.
    fn dashed(&mut self, colour: Colour, rect: Rect, width: i32) {
        let w = width.max(1);
        let dash = (rect.w / 5).max(w);
        let starts = [0, (rect.w - dash) / 2, rect.w - dash];
        for at in starts {
            self.fill(2, colour, Rect::new(rect.x + at, rect.y, dash, w));
            self.fill(2, colour, Rect::new(rect.x + at, rect.bottom() - w, dash, w));
            self.fill(2, colour, Rect::new(rect.x, rect.y + at, w, dash));
            self.fill(2, colour, Rect::new(rect.right() - w, rect.y + at, w, dash));
        }
    }

    fn path(&mut self, ink: Ink, points: &[BackendCoord]) {
        self.lines.extend(points.windows(2).map(|pair| (ink, pair[0], pair[1])));
    }

    /// Draws and empties it.
    pub fn flush<DB: DrawingBackend>(&mut self, to: &mut DB) -> Drawn<DB> {
        self.rects.sort_by_key(|&(layer, colour, _)| (layer, colour));
        for (_, colour, rect) in self.rects.drain(..) {
            pen::fill(to, rect, colour)?;
        }
        self.lines.sort_by_key(|(ink, ..)| (ink.0, ink.1));
        self.lines.drain(..).try_for_each(|(ink, a, b)| pen::line(to, a, b, ink))
    }
}

/// Adds a slot without words. The ground is cleared to `palette.surface` first.
pub fn slot(batch: &mut Batch, layout: &Layout, slot: u32, task: Option<&TaskView>, palette: &Palette) {
    let rect = layout.rect(slot);
    batch.fill(0, palette.surface, rect);
    let Some(task) = task else {
        return empty(batch, layout, rect, palette);
    };
    let lane = palette.lane(task.lane);
    if rect.w < layout.scale.px(6.0) {
        let colour = speck(task.state, lane, palette);
        return batch.fill(1, colour, rect);
    }
    ground(batch, layout, task.state, rect, lane, palette);
    mark(batch, layout, task.state, rect, lane, palette);
}

/// A slot that was never used.
fn empty(batch: &mut Batch, layout: &Layout, rect: Rect, palette: &Palette) {
    if layout.level == Level::Tiles {
        batch.dashed(palette.line_2, rect, layout.scale.line(1.0) as i32);
    } else {
        batch.fill(1, palette.inset, rect);
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

fn ground(batch: &mut Batch, layout: &Layout, state: TaskState, rect: Rect, lane: &LaneColours, palette: &Palette) {
    let edge = layout.scale.line(if layout.level == Level::Tiles { 1.5 } else { 1.0 }) as i32;
    match state {
        TaskState::Waiting => batch.dashed(lane.full, rect, edge),
        TaskState::Starting | TaskState::Stopping => batch.frame(lane.full, rect, edge),
        TaskState::Checking | TaskState::Unhealthy => {
            batch.fill(1, lane.tint, rect);
            batch.frame(lane.full, rect, edge);
        }
        TaskState::Healthy => batch.fill(1, lane.full, rect),
        TaskState::Draining => {
            batch.fill(1, lane.tint, rect);
            batch.frame(lane.full, rect, edge);
            let ink = Ink(lane.full, layout.scale.line(rect.w as f64 / layout.scale.0 / 9.0));
            for (a, b) in hatch::diagonals(rect.inset(edge), (rect.w / 3).max(3)) {
                batch.path(ink, &[a, b]);
            }
        }
        TaskState::Stopped | TaskState::Failed => batch.fill(1, palette.inset, rect),
    }
}

fn mark(batch: &mut Batch, layout: &Layout, state: TaskState, rect: Rect, lane: &LaneColours, palette: &Palette) {
    let (cx, cy) = (rect.x + rect.w / 2, rect.y + rect.h / 2);
    let centred = |w: i32, h: i32| Rect::new(cx - w / 2, cy - h / 2, w.max(1), h.max(1));
    let thick = layout.scale.line((rect.w as f64 / layout.scale.0 / 10.0).max(1.0));
    let at = |dx: i32, dy: i32| (cx + rect.w * dx / 100, cy + rect.h * dy / 100);
    match state {
        TaskState::Starting => batch.fill(3, lane.full, centred(rect.w / 4, rect.h / 4)),
        TaskState::Checking => {
            batch.fill(3, lane.full, Rect::new(rect.x, cy, rect.w, rect.bottom() - cy));
        }
        TaskState::Healthy if rect.w >= layout.scale.px(14.0) => {
            batch.path(Ink(lane.on, thick), &[at(-25, 2), at(-8, 20), at(27, -18)]);
        }
        TaskState::Unhealthy => {
            let w = (rect.w / 6).max(thick as i32);
            batch.fill(3, palette.fail, Rect::new(cx - w / 2, rect.y + rect.h / 5, w, rect.h * 2 / 5));
            batch.fill(3, palette.fail, Rect::new(cx - w / 2, rect.y + rect.h * 7 / 10, w, w));
        }
        TaskState::Stopping => batch.fill(3, lane.full, centred(rect.w * 2 / 5, rect.h * 2 / 5)),
        TaskState::Failed => {
            let ink = Ink(palette.fail, thick);
            batch.path(ink, &[at(-30, -30), at(30, 30)]);
            batch.path(ink, &[at(-30, 30), at(30, -30)]);
        }
        TaskState::Waiting | TaskState::Healthy | TaskState::Draining | TaskState::Stopped => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::task;
    use super::*;
    use crate::geometry::Scale;

    const STATES: [TaskState; 9] = [
        TaskState::Waiting,
        TaskState::Starting,
        TaskState::Checking,
        TaskState::Healthy,
        TaskState::Unhealthy,
        TaskState::Draining,
        TaskState::Stopping,
        TaskState::Stopped,
        TaskState::Failed,
    ];

    /// No two states may look the same down to six pixels, whatever the colours.
    #[test]
    fn every_state_has_its_own_shape() {
        for slots in [40, 160, 400] {
            let layout = Layout::new(0, slots, 756.0, Scale(1.0));
            let mut seen = Vec::new();
            for state in STATES {
                let mut batch = Batch::default();
                slot(&mut batch, &layout, 0, Some(&task(0, 8, 1, state)), &Palette::light());
                batch.rects.sort_by_key(|&(layer, colour, rect)| (layer, colour, rect.x, rect.y));
                let lines: Vec<_> = batch.lines.iter().map(|(_, a, b)| (*a, *b)).collect();
                let shape = (batch.rects.clone(), lines);
                assert!(!seen.contains(&shape), "{state:?} at {slots}");
                seen.push(shape);
            }
        }
    }

    #[test]
    fn a_failure_shows_red_at_every_size() {
        for slots in [40, 160, 400, 10_000] {
            let layout = Layout::new(0, slots, 756.0, Scale(1.0));
            let mut batch = Batch::default();
            slot(&mut batch, &layout, 3, Some(&task(3, 8, 1, TaskState::Failed)), &Palette::light());
            let fail = Palette::light().fail;
            let red = batch.rects.iter().any(|r| r.1 == fail) || batch.lines.iter().any(|l| l.0.0 == fail);
            assert!(red, "{slots}");
        }
    }
}

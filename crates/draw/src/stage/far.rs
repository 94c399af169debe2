//! Far away: one square a hundred slots, filled from below by share of state.
//!
//! A square is always a hundred slots high; slots beyond the ceiling that are free are hatched.
//! Where two states share a row of pixels the worse one has it, and a failure is never merged
//! away: a square that holds one has a red mark.

use rollscope_engine::Frame;
use rollscope_engine::frame::{LANES, TaskState, TaskView};

use super::batch::Batch;
use super::layout::Layout;
use super::marks::Marks;
use super::plan::HUNDRED;
use crate::geometry::{Rect, Scale};
use crate::hatch;
use crate::palette::Palette;
use crate::pen::Ink;

const STATES: usize = 9;
/// From the bottom of a square to its top.
const UPWARDS: [TaskState; 7] = [
    TaskState::Healthy,
    TaskState::Draining,
    TaskState::Stopping,
    TaskState::Checking,
    TaskState::Starting,
    TaskState::Waiting,
    TaskState::Unhealthy,
];

/// Tasks of one square by lane and state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    tasks: [[u8; STATES]; LANES],
    /// One of them started where nothing rolls back any more.
    pub unprotected: bool,
}

impl Tally {
    /// Counts the hundred slots from `first` on.
    pub fn of(frame: &Frame, first: u32) -> Tally {
        let mut tally = Tally::default();
        let from = (first as usize).min(frame.slots.len());
        let until = (from + HUNDRED as usize).min(frame.slots.len());
        frame.slots[from..until].iter().flatten().for_each(|task| tally.add(task));
        tally
    }

    /// Counts the slots of the square whose first one this is, with what is marked among them.
    pub fn at(frame: &Frame, layout: &Layout, first: u32, marks: &Marks) -> Tally {
        let members = || {
            let task = |slot: u32| frame.slots.get(slot as usize).and_then(Option::as_ref);
            layout.members(first).into_iter().filter_map(task)
        };
        let mut tally = Tally::default();
        match layout.halves() {
            None => tally = Tally::of(frame, first),
            Some(_) => members().for_each(|task| tally.add(task)),
        }
        // Most runs have no such task at all, and thousands would be asked.
        tally.unprotected = marks.unprotected_from.is_some() && members().any(|task| marks.is_unprotected(task));
        tally
    }

    fn add(&mut self, task: &TaskView) {
        self.tasks[usize::from(task.lane).min(LANES - 1)][task.state as usize] += 1;
    }

    /// Tasks of a lane in a state.
    pub fn count(&self, lane: usize, state: TaskState) -> i32 {
        i32::from(self.tasks[lane][state as usize])
    }

    fn sum(&self, state: TaskState) -> i32 {
        (0..LANES).map(|lane| self.count(lane, state)).sum()
    }

    /// What fills the square, from the bottom up, nothing that is empty.
    pub fn bands(&self) -> Vec<(TaskState, u8, i32)> {
        let all = UPWARDS.into_iter().flat_map(|state| (0..LANES).map(move |lane| (state, lane)));
        all.map(|(state, lane)| (state, lane as u8, self.count(lane, state))).filter(|band| band.2 > 0).collect()
    }
}

/// Rows of pixels for each band of a square `height` high, from the bottom up. The top band, which is the
/// worst, has at least one row; any other may have none.
fn rows(bands: &[(TaskState, u8, i32)], height: i32) -> Vec<i32> {
    let total: i32 = bands.iter().map(|band| band.2).sum();
    let hundred = HUNDRED as i32;
    let filled = (height * total + hundred / 2) / hundred;
    let filled = if total > 0 { filled.max(1) } else { 0 };
    let mut rows = vec![0; bands.len()];
    let (mut sum, mut used) = (0, 0);
    for (row, band) in rows.iter_mut().zip(bands).rev() {
        sum += band.2;
        let until = (filled * sum + total - 1) / total;
        *row = until - used;
        used = until;
    }
    rows
}

/// Adds the square of the hundred slots from `first` on. Its ground has been cleared.
pub fn square(batch: &mut Batch, layout: &Layout, tally: &Tally, first: u32, palette: &Palette) {
    let (rect, scale) = (layout.rect(first), layout.scale);
    let allowed = layout.allowed(first) as i32;
    let place = rect.h * allowed / HUNDRED as i32;
    batch.fill(1, palette.inset, Rect::new(rect.x, rect.bottom() - place, rect.w, place));
    let ink = Ink(palette.line_2, scale.line(1.2));
    let beyond = Rect::new(rect.x, rect.y, rect.w, rect.h - place);
    let bands = tally.bands();
    let heights = rows(&bands, rect.h);
    let filled: i32 = heights.iter().sum();
    let above = Rect { h: beyond.h.min(rect.h - filled), ..beyond };
    hatch::diagonals(above, scale.px(5.0)).into_iter().for_each(|(a, b)| batch.path(ink, &[a, b]));
    let mut bottom = rect.bottom();
    let line = scale.line(0.8) as i32;
    for (&(state, lane, _), &height) in bands.iter().zip(&heights) {
        let band = Rect::new(rect.x, bottom - height, rect.w, height);
        bottom = band.y;
        // A line of the ground parts a band from the one below it.
        let parted = band.bottom() < rect.bottom() && height > 2 * line;
        if parted {
            batch.fill(2, palette.surface, Rect::new(band.x, band.bottom() - line, band.w, line));
        }
        let band = Rect { h: height - if parted { line } else { 0 }, ..band };
        fill(batch, band, state, lane, scale, palette);
    }
    batch.corners(4, palette.surface, rect, scale.px(3.0).min(rect.w / 6));
    badge(batch, tally, rect, scale, palette);
}

/// The texture of a state.
fn fill(batch: &mut Batch, band: Rect, state: TaskState, lane: u8, scale: Scale, palette: &Palette) {
    let lane = palette.lane(lane);
    let dot = scale.px(2.0).max(1);
    let mut dots = |ground, colour, step: f64| {
        batch.fill(2, ground, band);
        for (x, y) in hatch::dot_grid(band, scale.px(step), dot) {
            batch.fill(3, colour, Rect::new(x, y, dot, dot));
        }
    };
    match state {
        TaskState::Starting => dots(lane.tint, lane.full, 4.0),
        TaskState::Stopping => dots(palette.surface, lane.full, 5.0),
        TaskState::Unhealthy => dots(lane.tint, palette.fail, 4.0),
        TaskState::Healthy => batch.fill(2, lane.full, band),
        TaskState::Waiting | TaskState::Stopped | TaskState::Failed => batch.fill(2, lane.tint, band),
        TaskState::Checking => {
            batch.fill(2, lane.tint, band);
            // Half filled, row by row, on one grid over the whole picture.
            let mut y = band.y.div_euclid(2 * dot) * 2 * dot;
            while y < band.bottom() {
                let (from, until) = (y.max(band.y), (y + dot).min(band.bottom()));
                batch.fill(3, lane.full, Rect::new(band.x, from, band.w, until - from));
                y += 2 * dot;
            }
        }
        TaskState::Draining => {
            batch.fill(2, lane.tint, band);
            let width = scale.line(1.7);
            let inside = band.inset(width as i32 / 3);
            for (a, b) in hatch::diagonals(inside, scale.px(5.0).max(3)) {
                batch.path(Ink(lane.full, width), &[a, b]);
            }
        }
    }
}

/// The red mark of a square in which a task failed (a cross) or fails its check (a bar and a dot).
fn badge(batch: &mut Batch, tally: &Tally, rect: Rect, scale: Scale, palette: &Palette) {
    let failed = tally.sum(TaskState::Failed) > 0;
    if !failed && tally.sum(TaskState::Unhealthy) == 0 {
        return;
    }
    let side = (rect.w * 2 / 5).clamp(5.min(rect.w), scale.px(12.0).max(5));
    let badge = Rect::new(rect.right() - side, rect.y, side, side);
    let line = scale.line(1.0) as i32;
    batch.fill(5, palette.surface, Rect::new(badge.x - line, badge.y, side + line, side + line));
    batch.fill(6, palette.fail, badge);
    let ink = Ink(palette.surface, scale.line(1.5));
    let third = (side * 3 / 10).max(1);
    if failed {
        let (near, far) = (third, side - 1 - third);
        let at = |x: i32, y: i32| (badge.x + x, badge.y + y);
        batch.path(ink, &[at(near, near), at(far, far)]);
        batch.path(ink, &[at(near, far), at(far, near)]);
    } else {
        let w = (side / 5).max(1);
        let w = w + (side - w) % 2;
        let x = badge.x + (side - w) / 2;
        // Bar, gap and dot between equal margins.
        let (pad, gap) = ((side / 6).max(1), (side / 8).max(1));
        batch.fill(7, palette.surface, Rect::new(x, badge.y + pad, w, side - 2 * pad - w - gap));
        batch.fill(7, palette.surface, Rect::new(x, badge.bottom() - pad - w, w, w));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{STATES, frame, task};
    use super::*;

    fn tasks(states: &[(TaskState, u32)]) -> Frame {
        let all = states.iter().flat_map(|&(state, count)| (0..count).map(move |_| state));
        frame(0, all.enumerate().map(|(slot, state)| task(slot as u32, 8, slot as u32, state)).collect())
    }

    #[test]
    fn a_square_is_filled_from_below_in_the_order_of_the_states() {
        let frame = tasks(&[(TaskState::Waiting, 10), (TaskState::Healthy, 50), (TaskState::Draining, 20)]);
        let bands = Tally::of(&frame, 0).bands();
        assert_eq!(bands, [(TaskState::Healthy, 1, 50), (TaskState::Draining, 1, 20), (TaskState::Waiting, 1, 10)]);
        assert_eq!(rows(&bands, 30), [15, 6, 3]);
        assert_eq!(Tally::of(&frame, 100), Tally::default());
    }

    #[test]
    fn the_worst_of_a_row_has_it_and_nothing_overflows() {
        let bands = |healthy, waiting| [(TaskState::Healthy, 1, healthy), (TaskState::Waiting, 1, waiting)];
        assert_eq!(rows(&bands(99, 1), 13), [12, 1]);
        assert_eq!(rows(&bands(1, 99), 13), [0, 13]);
        assert_eq!(rows(&[(TaskState::Healthy, 0, 1)], 13), [1]);
        for height in 5..40 {
            for worse in 0..=100 {
                let sum: i32 = rows(&bands(100 - worse, worse), height).iter().sum();
                assert_eq!(sum, height);
            }
        }
    }

    #[test]
    fn one_failure_among_a_hundred_is_red() {
        let fail = Palette::light().fail;
        for slots in [2_600, 10_000, 20_000] {
            for width in [358.0, 756.0] {
                let layout = Layout::new(0, slots, width, Scale(1.0));
                for (state, red) in
                    [(TaskState::Failed, true), (TaskState::Unhealthy, true), (TaskState::Waiting, false)]
                {
                    let tally = Tally::of(&tasks(&[(TaskState::Healthy, 99), (state, 1)]), 0);
                    let mut batch = Batch::default();
                    square(&mut batch, &layout, &tally, 0, &Palette::light());
                    assert_eq!(batch.rects().any(|rect| rect.1 == fail), red, "{state:?}");
                }
            }
        }
    }

    /// Pixel by pixel: a square of a hundred tasks of one state looks like no other, on a phone too.
    #[test]
    fn every_state_has_its_own_texture() {
        for (width, scale) in [(358.0, 1.0), (756.0, 1.0), (756.0, 2.0), (358.0, 3.0)] {
            let layout = Layout::new(0, 10_000, width, Scale(scale));
            let mut seen = Vec::new();
            for state in STATES {
                let mut batch = Batch::default();
                square(&mut batch, &layout, &Tally::of(&tasks(&[(state, 100)]), 0), 0, &Palette::light());
                let pixels = batch.pixels(layout.rect(0));
                let same = seen.iter().find(|(_, other)| *other == pixels).map(|(state, _)| state);
                assert_eq!(same, None, "{state:?} at {width} x {scale}");
                seen.push((state, pixels));
            }
        }
    }

    #[test]
    fn what_lies_beyond_the_ceiling_is_hatched() {
        let layout = Layout::new(0, 2_650, 756.0, Scale(1.0));
        let mut batch = Batch::default();
        square(&mut batch, &layout, &Tally::default(), 2_600, &Palette::light());
        let middle = layout.rect(2_600).y + layout.rect(2_600).h / 2;
        assert!(batch.lines().count() > 0 && batch.lines().all(|(_, a, b)| a.1 <= middle && b.1 <= middle));
    }
}

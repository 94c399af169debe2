//! The carpet: one line per task in start order, or a line for many, at most 150 pixels high.

use std::cmp::Reverse;

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::TaskState;
use rollscope_engine::order;
use rollscope_engine::trace::{InstanceId, Record, TaskChange, What};

use crate::chart::Tone;
use crate::geometry::{Rect, Scale};
use crate::guards::Unprotected;
use crate::lives::Lanes;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Drawn};
use crate::raster::{self, Key, Line, Stretch};
use crate::rows::PALE;
use crate::unprotected;
use crate::xscale::XScale;

/// Greatest height in CSS pixels.
pub const CARPET_HEIGHT: f64 = 150.0;
/// Least height of a line; tasks share one when there are more.
const LINE_LEAST: f64 = 1.2;
/// Greatest height of a line.
const LINE_MOST: f64 = 5.0;
/// From this height of a line on, lines are parted by the ground.
const GAP_FROM: f64 = 3.0;
/// Least width of a failed check and of a failure, in CSS pixels.
const FAILURE_WIDTH: f64 = 2.0;

/// A rectangle of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Patch {
    key: Key,
    place: Rect,
}

/// The carpet of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Carpet {
    /// Where it lies, from the left end of the axis to its right end.
    pub place: Rect,
    /// Tasks of the run.
    pub tasks: u32,
    /// Tasks that one line stands for.
    pub per_line: u32,
    lines: u32,
    scale: Scale,
    /// Ground between two lines in pixels.
    gap: i32,
    patches: Vec<Patch>,
    failures: Vec<Rect>,
    /// Heights of lines with a task that starts without rollback protection, joined.
    unprotected: Vec<(i32, i32)>,
}

/// Tasks of a run.
pub fn tasks(records: &[Record]) -> u32 {
    let begins = |record: &&Record| {
        matches!(record.what, What::Task { change: TaskChange::Existing { .. } | TaskChange::Created { .. }, .. })
    };
    records.iter().filter(begins).count() as u32
}

/// Height in CSS pixels that a carpet of so many tasks takes, at most `most`.
pub fn height(tasks: u32, most: f64) -> f64 {
    (f64::from(tasks) * LINE_MOST).min(CARPET_HEIGHT).min(most)
}

impl Carpet {
    /// Weaves the records into `place`, up to pixel `until` of the axis.
    pub fn new(records: &[Record], lanes: &Lanes, x: &XScale, until: i32, place: Rect, scale: Scale) -> Carpet {
        let tasks = tasks(records);
        let fits = (f64::from(place.h) / (LINE_LEAST * scale.0)).floor().max(1.0) as u32;
        let per_line = tasks.div_ceil(fits).max(1);
        let lines = tasks.div_ceil(per_line);
        let roomy = f64::from(place.h) >= f64::from(lines) * GAP_FROM * scale.0;
        let gap = if roomy { scale.line(1.0) as i32 } else { 0 };
        let (patches, failures, unprotected) = (Vec::new(), Vec::new(), Vec::new());
        let mut carpet = Carpet { place, tasks, per_line, lines, scale, gap, patches, failures, unprotected };
        let woven = raster::raster(records, lanes, x, until, lines as usize, |id| Some((id / per_line) as usize));
        let least = scale.px(FAILURE_WIDTH).max(1);
        carpet.cut(&woven, least);
        for patch in carpet.patches.iter_mut().filter(|patch| patch.key.state() == TaskState::Unhealthy) {
            patch.place.w = patch.place.w.max(least).min(place.right() - patch.place.x);
        }
        // One colour after the other, so that each goes out as one path; the worst comes last.
        order::by_key(&mut carpet.patches, |patch| (Reverse(patch.key), patch.place.y, patch.place.x));
        carpet
    }

    /// Cuts lines into rectangles; a stretch that lies exactly under another one of its kind joins it.
    fn cut(&mut self, woven: &[Line], failure: i32) {
        // Patches that end at the line before, by the pixel they begin at.
        let mut above: Vec<usize> = Vec::new();
        for (index, line) in woven.iter().enumerate() {
            let band = self.band(index as u32);
            let mut here = Vec::with_capacity(line.stretches.len());
            let mut from = 0;
            for stretch in &line.stretches {
                let place = Rect::new(stretch.from, band.y, stretch.until - stretch.from, band.h);
                while above.get(from).is_some_and(|at| self.patches[*at].place.x < place.x) {
                    from += 1;
                }
                let joins = above.get(from).copied().filter(|at| self.joins(*at, stretch, band));
                let at = joins.unwrap_or(self.patches.len());
                match self.patches.get_mut(at) {
                    Some(patch) => patch.place.h = place.bottom() - patch.place.y,
                    None => self.patches.push(Patch { key: stretch.key, place }),
                }
                here.push(at);
            }
            above = here;
            self.fail(line, band, failure);
        }
    }

    fn joins(&self, at: usize, stretch: &Stretch, band: Rect) -> bool {
        let Patch { key, place } = self.patches[at];
        key == stretch.key && place.x == stretch.from && place.right() == stretch.until && place.bottom() == band.y
    }

    fn fail(&mut self, line: &Line, band: Rect, width: i32) {
        let mut end = i32::MIN;
        for x in &line.failures {
            let x = (*x).min(self.place.right() - width).max(self.place.x);
            if x >= end {
                self.failures.push(Rect::new(x, band.y, width, band.h));
                end = x + width;
            }
        }
    }

    /// Marks the lines of tasks that start without rollback protection.
    pub fn unprotected(mut self, known: &Unprotected) -> Carpet {
        let mut lines: Vec<u32> = known.tasks().map(|task| self.line_of(task)).collect();
        lines.dedup();
        for line in lines {
            let (top, bottom) = (self.band(line).y, self.band(line).bottom());
            match self.unprotected.last_mut() {
                Some(last) if top <= last.1 + self.gap => last.1 = bottom,
                _ => self.unprotected.push((top, bottom)),
            }
        }
        self
    }

    /// The line of a task.
    pub fn line_of(&self, task: InstanceId) -> u32 {
        task.0 / self.per_line
    }

    /// The band of a line over the whole width of the axis.
    pub fn band(&self, line: u32) -> Rect {
        let y = |line: u32| {
            let share = f64::from(line) / f64::from(self.lines.max(1));
            self.place.y + (share * f64::from(self.place.h)).round() as i32
        };
        let (top, bottom) = (y(line), y(line + 1));
        Rect::new(self.place.x, top, self.place.w, bottom - top - self.gap)
    }

    /// The tasks of the line at a height: the first one and how many there are.
    pub fn tasks_at(&self, y: i32) -> Option<(InstanceId, u32)> {
        if !(self.place.y..self.place.bottom()).contains(&y) || self.lines == 0 {
            return None;
        }
        let line = (0..self.lines).rev().find(|line| self.band(*line).y <= y)?;
        let first = line * self.per_line;
        Some((InstanceId(first), self.per_line.min(self.tasks - first)))
    }

    /// Rectangles that one picture of it takes.
    pub fn rectangles(&self) -> usize {
        self.patches.len() + self.failures.len()
    }

    /// Draws it in one tone, colour after colour.
    pub fn paint<DB: DrawingBackend>(&self, to: &mut DB, tone: Tone, palette: &Palette) -> Drawn<DB> {
        for patch in &self.patches {
            pen::fill(to, patch.place, colour(patch.key, tone, palette))?;
        }
        self.failures.iter().try_for_each(|place| pen::fill(to, *place, palette.fail))?;
        self.paint_unprotected(to, palette)
    }

    /// A bar of ink behind the axis along the lines of unprotected tasks, with their sign at its top.
    fn paint_unprotected<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Drawn<DB> {
        let x = self.place.right() + self.scale.px(1.0);
        self.unprotected.iter().try_for_each(|(top, bottom)| {
            let least = self.scale.px(7.0);
            let from = (*top).min(self.place.bottom() - least);
            pen::fill(
                to,
                Rect::new(x, from, self.scale.line(1.5) as i32, bottom.max(&(from + least)) - from),
                palette.ink,
            )?;
            unprotected::sign(to, Rect::new(x, from, least, least), self.scale, palette)
        })
    }
}

/// A line has no room for shapes: what comes up is light, what leaves is in between, healthy is full.
fn colour(key: Key, tone: Tone, palette: &Palette) -> Colour {
    let lane = palette.lane(key.lane);
    let colour = match key.state() {
        TaskState::Unhealthy => palette.fail.over(palette.surface, 60),
        TaskState::Waiting => lane.tint,
        TaskState::Starting => lane.mid.over(lane.tint, 50),
        TaskState::Checking => lane.mid,
        TaskState::Draining => lane.full.over(lane.mid, 35),
        TaskState::Stopping => lane.mid.over(palette.surface, 55),
        TaskState::Healthy | TaskState::Stopped | TaskState::Failed => lane.full,
    };
    match tone {
        // A failed check is not to be overlooked ahead either.
        Tone::Pale if key.state() == TaskState::Unhealthy => colour,
        Tone::Solid => colour,
        Tone::Pale => colour.over(palette.surface, PALE),
    }
}

//! Cards and boxes: a task with its name and its state in words.

use plotters_backend::{DrawingBackend, DrawingErrorKind};
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::time::SimTime;

use super::curve;
use super::glyph::glyph;
use super::layout::Spot;
use super::look::{self, GRACE_STEPS};
use super::paint::Words;
use super::plan::Level;
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};

/// Height in CSS pixels from which a card has a third line.
const TALL: f64 = 80.0;
/// Width in CSS pixels below which a card is written like a box.
const SLIM: f64 = 96.0;
/// Middles of the second and the third line of a low card that has three, in CSS pixels below its top.
const THREE: (f64, f64) = (36.0, 51.0);
/// Sizes of a name in CSS pixels, the first one where there is room for it.
const NAMES: [f64; 4] = [15.0, 13.5, 12.5, 12.0];

/// Draws one task with words.
pub fn body<DB: DrawingBackend>(
    to: &mut DB,
    spot: Spot,
    task: &TaskView,
    at: SimTime,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let body = Body { spot, task, at, palette, rect: spot.rect };
    body.ground(to)?;
    let signed = body.name(to, words)?;
    if signed {
        body.sign(to)?;
    }
    body.labels(to, words)?;
    body.bar(to)
}

/// A task, its box and what it is drawn with.
struct Body<'a> {
    spot: Spot,
    task: &'a TaskView,
    at: SimTime,
    palette: &'a Palette,
    rect: Rect,
}

impl Body<'_> {
    fn px(&self, css: f64) -> i32 {
        self.spot.scale.px(css)
    }

    /// A card that is wide enough for a card's letters.
    fn roomy(&self) -> bool {
        self.spot.level == Level::Cards && self.rect.w >= self.px(SLIM)
    }

    fn pad(&self) -> f64 {
        if self.roomy() { 12.0 } else { 8.0 }
    }

    /// Middles of the first and the second line.
    fn lines(&self) -> (i32, i32) {
        let css = f64::from(self.rect.h) / self.spot.scale.0;
        let (first, second) = match self.spot.level {
            Level::Cards if css >= TALL => (19.0, 52.0),
            Level::Cards => (19.0, 43.0),
            // Lower boxes draw their lines together.
            _ => (css * 0.32, css * 0.7),
        };
        (self.rect.y + self.px(first), self.rect.y + self.px(second))
    }

    /// Side of the glyph in CSS pixels.
    fn glyph_size(&self) -> f64 {
        if self.roomy() { 13.0 } else { 11.0 }
    }

    /// Middle of the glyph.
    fn glyph_at(&self) -> (i32, i32) {
        (self.rect.right() - self.px(self.pad() + 6.5), self.lines().0)
    }

    /// Fill and border: the state without words.
    fn ground<DB: DrawingBackend>(&self, to: &mut DB) -> Drawn<DB> {
        let (rect, palette) = (self.rect, self.palette);
        let lane = palette.lane(self.task.lane);
        let radius = self.px(7.0);
        let edge = self.px(2.0).max(1);
        let plain = |to: &mut DB, colour: Colour| pen::polygon(to, pen::rounded(rect, radius), colour);
        let framed = |to: &mut DB, width: i32, inside: Colour| {
            pen::polygon(to, pen::rounded(rect, radius), lane.full)?;
            pen::polygon(to, pen::rounded(rect.inset(width), radius - width), inside)
        };
        match self.task.state {
            TaskState::Waiting => {
                let dash = if self.spot.level == Level::Cards { (6.0, 5.0) } else { (5.0, 4.0) };
                let ink = Ink(lane.full, edge as u32);
                pen::dashed_rounded(to, rect, radius, ink, (self.px(dash.0), self.px(dash.1)))
            }
            TaskState::Starting => framed(to, edge, palette.surface),
            TaskState::Checking | TaskState::Unhealthy => framed(to, edge, lane.tint),
            TaskState::Healthy => plain(to, lane.full),
            TaskState::Draining => {
                framed(to, edge, lane.tint)?;
                // Text stands on the stripes: they are a shade of the tint.
                let ink = Ink(lane.mid.over(lane.tint, 55), self.spot.scale.line(5.0));
                hatch::stripes(to, rect.inset(edge), self.px(20.0), ink)?;
                // The lines' ends reach into the border: corners and border come over them.
                pen::mask_corners(to, rect, radius, palette.surface)?;
                pen::rounded_frame(to, rect, radius, Ink(lane.full, edge as u32))
            }
            TaskState::Stopping => framed(to, self.spot.scale.line(1.0) as i32, palette.surface),
            TaskState::Stopped | TaskState::Failed => plain(to, palette.inset),
        }
    }

    /// Colour of the name and of the glyph.
    fn colours(&self) -> (Colour, Colour) {
        let (palette, lane) = (self.palette, self.palette.lane(self.task.lane));
        match self.task.state {
            TaskState::Healthy => (lane.on, lane.on),
            TaskState::Stopped => (palette.ink_3, palette.ink_3),
            TaskState::Failed => (palette.ink_3, palette.fail),
            TaskState::Unhealthy => (palette.ink, palette.fail),
            _ => (palette.ink, lane.ink),
        }
    }

    /// Writes the name in the largest letters with which it keeps clear of the glyph. False where
    /// there is no room for both: fill and word tell the state as well.
    fn name<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        words: &impl Words,
    ) -> Result<bool, DrawingErrorKind<DB::ErrorType>> {
        let name = words.name(self.task.name);
        let quiet = matches!(self.task.state, TaskState::Stopped | TaskState::Failed);
        let face = |css: &f64| Face {
            size: self.spot.scale.0 * css,
            bold: !quiet,
            colour: self.colours().0,
            anchor: Anchor::Left,
        };
        let x = self.rect.x + self.px(self.pad());
        let clear = self.glyph_at().0 - self.px(self.glyph_size() / 2.0 + 3.0);
        let sizes = if self.roomy() { &NAMES[..] } else { &NAMES[1..] };
        let least = &NAMES[NAMES.len() - 1];
        let fits =
            |css: &&f64| to.estimate_text_size(&name, &face(css)).is_ok_and(|(wide, _)| x + wide as i32 <= clear);
        let fitting = sizes.iter().find(fits);
        pen::text(to, &name, (x, self.lines().0), face(fitting.unwrap_or(least)))?;
        Ok(fitting.is_some())
    }

    /// The glyph, and around it what is left of the grace period.
    fn sign<DB: DrawingBackend>(&self, to: &mut DB) -> Drawn<DB> {
        let (size, centre) = (self.glyph_size(), self.glyph_at());
        glyph(to, self.task.state, centre, size, self.spot.scale, self.colours().1)?;
        let left = look::grace(self.task, self.at);
        if left == 0 {
            return Ok(());
        }
        let radius = self.spot.scale.0 * (size / 2.0 + 3.5);
        let arc = curve::arc(centre, radius, f64::from(left) / f64::from(GRACE_STEPS));
        pen::path(to, arc, Ink(self.palette.lane(self.task.lane).ink, self.spot.scale.line(1.2)))
    }

    /// The state and, on a card, what it waits for.
    fn labels<DB: DrawingBackend>(&self, to: &mut DB, words: &impl Words) -> Drawn<DB> {
        let scale = self.spot.scale.0;
        let quiet = matches!(self.task.state, TaskState::Stopped | TaskState::Failed);
        let card = self.spot.level == Level::Cards;
        let tall = self.rect.h >= self.px(TALL);
        let x = self.rect.x + self.px(self.pad());
        let own = self.colours().0;
        let colour = if self.task.state == TaskState::Failed { self.palette.fail } else { own };
        let size = if self.roomy() { 13.0 } else { 12.0 };
        let state = Face { size: scale * size, bold: self.roomy() && !quiet, colour, anchor: Anchor::Left };
        let word = words.state(self.task.state);
        let ink_2 = if self.task.state == TaskState::Healthy { own } else { self.palette.ink_2 };
        let note = Face { size: scale * 12.0, bold: false, colour: ink_2, ..state };
        if card && !tall && look::timed(self.task.state) {
            return self.word_and_time(to, (&word, &state), (&words.left(self.task, self.at), &note));
        }
        pen::text(to, &word, (x, self.lines().1), state)?;
        if !tall {
            return Ok(());
        }
        // A note that does not fit gives way to the time alone, and that to nothing.
        let lines = [words.note(self.task, self.at), words.left(self.task, self.at)];
        let fitting = lines.iter().find(|line| !line.is_empty() && self.fits(to, line, &note));
        fitting.map_or(Ok(()), |line| pen::text(to, line, (x, self.rect.y + self.px(68.0)), note))
    }

    /// On a low card the time stands behind the state where both fit, else below it.
    fn word_and_time<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        (word, state): (&str, &Face),
        (time, note): (&str, &Face),
    ) -> Drawn<DB> {
        let (x, line) = (self.rect.x + self.px(self.pad()), self.lines().1);
        let width = |text: &str, face: &Face| to.estimate_text_size(text, face).map_or(0, |(width, _)| width as i32);
        let behind = x + width(word, state) + self.px(5.0);
        let fits = behind + width(time, note) <= self.rect.right() - self.px(3.0);
        let second = if fits || time.is_empty() { line } else { self.rect.y + self.px(THREE.0) };
        pen::text(to, word, (x, second), *state)?;
        match (time.is_empty(), fits) {
            (true, _) => Ok(()),
            (false, true) => pen::text(to, time, (behind, line), *note),
            (false, false) => pen::text(to, time, (x, self.rect.y + self.px(THREE.1)), *note),
        }
    }

    fn fits<DB: DrawingBackend>(&self, to: &DB, words: &str, face: &Face) -> bool {
        let wide = to.estimate_text_size(words, face).map_or(0, |(width, _)| width as i32);
        self.px(self.pad()) + wide <= self.rect.w - self.px(3.0)
    }

    /// The bar of a state that ends by itself.
    fn bar<DB: DrawingBackend>(&self, to: &mut DB) -> Drawn<DB> {
        let length = look::bar(self.task, self.at, self.rect.w);
        if self.task.until.is_none() || !look::timed(self.task.state) {
            return Ok(());
        }
        let lane = self.palette.lane(self.task.lane);
        let (side, edge, height) = (self.px(3.0), self.px(2.0), self.px(3.0));
        let room = self.rect.w - 2 * side;
        let track = Rect::new(self.rect.x + side, self.rect.bottom() - edge - height, room, height);
        pen::fill(to, track, lane.full.over(self.palette.surface, 22))?;
        let passed = i64::from(length) * i64::from(room) / i64::from(self.rect.w.max(1));
        pen::fill(to, Rect { w: passed as i32, ..track }, lane.full)
    }
}

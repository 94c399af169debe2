//! Draws the upper picture in one tone.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle, FontTransform,
};
use rollscope_engine::settings::{RolloutState, TaskName};

use super::{Detail, Timeline};
use crate::border;
use crate::chart::{self, ChartWords, Setting, Tone};
use crate::geometry::Rect;
use crate::hand::{Area, AreaDrawn, by_hand};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Face};
use crate::ribbon;
use crate::tear;

/// Every word on the timeline.
pub trait Words {
    /// Beside the ribbon: "status".
    fn status(&self) -> String;
    /// Above the y axis: "tasks".
    fn tasks(&self) -> String;
    /// A label of the y axis: "1,000".
    fn count(&self, tasks: u32) -> String;
    /// The platform's own word: `IN_PROGRESS`.
    fn state(&self, state: RolloutState) -> String;
    /// `8·3`
    fn name(&self, task: TaskName) -> String;
    /// A row of tasks that never change: "+ 9".
    fn more(&self, tasks: u32) -> String;
    /// What one line of the carpet stands for: "1 line = 8 tasks".
    fn per_line(&self, tasks: u32) -> String;
    /// Label of the ceiling.
    fn ceiling(&self, tasks: u32) -> String;
    /// Label of the floor.
    fn floor(&self, tasks: u32) -> String;
    /// Along the end of rollback protection.
    fn border(&self) -> String;
    /// Length of a fold in milliseconds: "23 h".
    fn idle(&self, ms: u64) -> String;
    /// Inside the band of a run that never moves; empty for every other run.
    fn still(&self) -> String;
}

type Direct<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Width of a word that reads upwards, with its ground, in CSS pixels.
const UPRIGHT: f64 = 16.0;

impl Timeline {
    /// Draws ribbon, chart and rows or carpet in one tone over the whole picture.
    pub fn paint<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        tone: Tone,
        palette: &Palette,
        words: &impl Words,
    ) -> AreaDrawn<DB> {
        let scale = self.layout.scale;
        by_hand(area, |to| {
            let (width, height) = to.get_size();
            pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
            self.ribbon(to, palette, words)?;
            self.behind(to, palette)
        })?;
        let limits = self.chart.columns.last().map_or_else(Default::default, |column| column.limits);
        let labels = ChartWords {
            ceiling: words.ceiling(limits.ceiling),
            floor: words.floor(limits.floor),
            title: String::new(),
        };
        let (caption, still) = (words.tasks(), words.still());
        let count = |tasks: &u32| words.count(*tasks);
        let setting = Setting {
            above: self.layout.chart.y,
            below: self.layout.height - self.layout.chart.bottom(),
            caption: &caption,
            still: &still,
            count: Some(&count),
            time_labels: false,
        };
        chart::paint_in(area, &self.chart, tone, scale, palette, &labels, &setting)?;
        by_hand(area, |to| {
            match &self.detail {
                Detail::Nothing => {}
                Detail::Rows(rows) => {
                    rows.paint(to, tone, palette, |name| words.name(name), |tasks| words.more(tasks))?;
                }
                Detail::Carpet(carpet) => {
                    carpet.paint(to, tone, palette)?;
                    self.per_line(to, &words.per_line(carpet.per_line), palette)?;
                }
            }
            self.strips().try_for_each(|strip| border::over(to, strip, scale, palette))?;
            self.folds(to, palette, words)?;
            self.borders(to, palette, &words.border())
        })
    }

    fn ribbon<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let place = self.layout.ribbon;
        let (words_at, status) = (place.x - self.layout.scale.px(8.0), words.status());
        let face = self.face(palette.ink_3, Anchor::Right);
        // A longer word than the design's begins at the edge.
        let length = to.estimate_text_size(&status, &face).map_or(0, |(width, _)| width as i32);
        let right = words_at.max(length + self.layout.scale.px(1.0));
        pen::text(to, &status, (right, place.y + place.h / 2), face)?;
        ribbon::paint(to, &self.segments, &self.x, place, self.layout.scale, palette, |state| words.state(state))
    }

    fn face(&self, colour: Colour, anchor: Anchor) -> Face {
        Face { size: self.layout.scale.0 * 12.0, bold: false, colour, anchor }
    }

    /// The strips without protection below the chart.
    fn strips(&self) -> impl Iterator<Item = Rect> + '_ {
        let (top, bottom) = (self.layout.chart.bottom(), self.layout.height);
        self.chart.borders.iter().map(move |(from, until)| {
            let (from, until) = (self.x.x(*from), self.x.x(*until));
            Rect::new(from, top, until - from, bottom - top)
        })
    }

    fn behind<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        self.strips().try_for_each(|strip| border::behind(to, strip, self.layout.scale, palette))
    }

    /// The lines that end protection, with their word in the widest place beside them.
    fn borders<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &str) -> Direct<DB> {
        let scale = self.layout.scale;
        let (top, bottom) = self.layout.body();
        for strip in self.strips() {
            border::line(to, strip.x, (top, bottom), scale, palette)?;
            // Best behind everything that happens, else where there is most room.
            let from = strip.x + scale.px(4.0);
            let rest = self.x.x(self.end) + scale.px(4.0);
            let rest = (rest, strip.right()).max((from, from));
            let parts = self.x.outside_folds(from, strip.right());
            let widest = parts.into_iter().max_by_key(|(from, until)| until - from);
            let widest = widest.filter(|(from, until)| until - from >= scale.px(UPRIGHT * 4.0));
            let wide = |(from, until): &(i32, i32)| until - from >= scale.px(UPRIGHT);
            if let Some((from, until)) = Some(rest).filter(wide).or(widest) {
                let room = Rect::new(from, top, until - from, bottom - top - scale.px(8.0));
                self.upright(to, room, false, words, palette)?;
            }
        }
        Ok(())
    }

    /// The folds over everything, each with its length.
    fn folds<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let heights = (0, self.layout.height);
        for fold in self.x.folds() {
            tear::paint(to, fold, heights, self.layout.scale, palette)?;
            let room = Rect {
                y: self.layout.chart.y,
                h: self.layout.chart.h,
                ..tear::inside(fold, heights, self.layout.scale)
            };
            self.upright(to, room, true, &words.idle(fold.to.since(fold.from)), palette)?;
        }
        Ok(())
    }

    /// A word that reads upwards, at the bottom of `room` or in its middle, where it fits.
    fn upright<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        room: Rect,
        middle: bool,
        words: &str,
        palette: &Palette,
    ) -> Direct<DB> {
        let scale = self.layout.scale;
        let face = Upright(self.face(palette.ink_2, Anchor::Left));
        let length = to.estimate_text_size(words, &face.0).map_or(0, |(width, _)| width as i32);
        let thick = scale.px(UPRIGHT);
        if words.is_empty() || room.w < thick || room.h < length {
            return Ok(());
        }
        let x = room.x + room.w / 2;
        let from = if middle { room.bottom() - (room.h - length) / 2 } else { room.bottom() };
        let pad = scale.px(4.0);
        let ground = Rect::new(x - thick / 2, from - length - pad, thick, length + 2 * pad);
        pen::polygon(to, pen::rounded(ground, scale.px(3.0)), palette.surface)?;
        to.draw_text(words, &face, (x, from))
    }

    /// What a line stands for, in the gutter at the right, a word a line where it is too long.
    fn per_line<DB: DrawingBackend>(&self, to: &mut DB, words: &str, palette: &Palette) -> Direct<DB> {
        let scale = self.layout.scale;
        let face = self.face(palette.ink_3, Anchor::Left);
        let place = self.layout.rows;
        let x = place.right() + scale.px(8.0);
        let (width, _) = to.get_size();
        let wide = |text: &str, to: &DB| to.estimate_text_size(text, &face).map_or(0, |(w, _)| w as i32);
        let mut lines: Vec<String> = Vec::new();
        for word in words.split(' ') {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match longer.filter(|line| x + wide(line, to) <= width as i32) {
                Some(line) => lines.pop().map_or((), |_| lines.push(line)),
                None => lines.push(word.to_owned()),
            }
        }
        let line = scale.px(14.0);
        let mut y = place.y + line / 2;
        for words in lines {
            pen::text(to, &words, (x, y), face)?;
            y += line;
        }
        Ok(())
    }
}

/// A text that reads upwards from its point.
struct Upright(Face);

impl BackendTextStyle for Upright {
    type FontError = std::convert::Infallible;

    fn color(&self) -> BackendColor {
        BackendStyle::color(&pen::Ink(self.0.colour, 1))
    }
    fn size(&self) -> f64 {
        self.0.size
    }
    fn transform(&self) -> FontTransform {
        FontTransform::Rotate270
    }
    fn style(&self) -> FontStyle {
        self.0.style()
    }
    fn anchor(&self) -> plotters_backend::text_anchor::Pos {
        self.0.anchor()
    }
    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.0.layout_box(text)
    }
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _pos: BackendCoord,
        _draw: F,
    ) -> Result<Result<(), E>, Self::FontError> {
        Ok(Ok(()))
    }
}

//! Moments that matter to a rollout: gates that were met, the border of protection, failures.

use plotters_backend::DrawingBackend;
use rollscope_engine::protection::Unprotected;

use super::Chart;
use crate::border;
use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face};
use crate::upright;

/// Between a border and its words in CSS pixels.
const AWAY: f64 = 7.0;
/// Height of level words with their ground in CSS pixels; the chart has so much air above its ceiling.
const LEVEL: f64 = 16.0;
/// A run that ends so near behind a border, in CSS pixels, has the words behind its end.
const NEAR: f64 = 12.0;

/// The lines of a chart and of what stands below it, and where their words may stand.
pub struct Moments<'a> {
    /// The chart.
    pub chart: &'a Chart,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// Top and bottom of the lines of gates and borders.
    pub gates: (i32, i32),
    /// Top and bottom of the bars of failures.
    pub trips: (i32, i32),
    /// Top of the air above the ceiling, for level words.
    pub level: i32,
    /// Heights in which upright words behind the end cover nothing, the best first.
    pub columns: Vec<(i32, i32)>,
}

impl Moments<'_> {
    /// Draws them; the words are those at a border, of a run that never was protected (empty where the
    /// ribbon says it), and of a part of a run in which it was not.
    pub fn paint<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &[String; 3]) -> Drawn<DB> {
        let (x, scale) = (self.chart.x, self.scale);
        self.chart.met.iter().try_for_each(|at| border::dotted(to, x.x(*at), self.gates, scale, palette))?;
        self.chart.trips.iter().try_for_each(|at| border::trip(to, x.x(*at), self.trips, scale, palette))?;
        self.chart.borders.iter().try_for_each(|span| self.border(to, span, palette, words))
    }

    fn border<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        span: &Unprotected,
        palette: &Palette,
        [border, never, partly]: &[String; 3],
    ) -> Drawn<DB> {
        let x = self.chart.x;
        let (from, until) = (x.x(span.from), x.x(span.until));
        if span.border {
            let beside_trip = self.chart.trips.iter().any(|at| x.x(*at) == from);
            border::line(to, from, beside_trip, self.gates, self.scale, palette)?;
            return self.beside(to, (from, until), border, palette);
        }
        let words = if self.chart.is_whole(span) { never } else { partly };
        self.words(to, (from + self.scale.px(AWAY), until), words, palette.ink_3, palette)
    }

    /// Words at a border: level above the ceiling where there is room to its right, upright behind the
    /// end of the run, level at its left, or upright right beside it, beside all folds.
    fn beside<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        (from, until): (i32, i32),
        words: &str,
        palette: &Palette,
    ) -> Drawn<DB> {
        let (x, px) = (self.chart.x, |css: f64| self.scale.px(css));
        let (length, begin) = (self.length(to, words), from + px(AWAY));
        let right = x.outside_folds(begin, until).first().copied();
        if let Some(room) = right.filter(|room| room.0 == begin && room.1 - room.0 >= length) {
            return self.words(to, room, words, palette.ink_2, palette);
        }
        let rest = (from + px(4.0)).max(x.x(self.chart.end) + px(4.0));
        let beyond = rest - from <= px(NEAR) && until - rest >= px(upright::WIDTH);
        let tall = |(top, bottom): &&(i32, i32)| bottom - top >= length + px(16.0);
        match self.columns.iter().find(tall).filter(|_| beyond) {
            Some((top, bottom)) => {
                let room = Rect::new(rest, *top, until - rest, bottom - top - px(8.0));
                upright::paint(to, room, false, words, self.scale, palette)
            }
            None => {
                let right = from - px(AWAY);
                let left = (right - length - px(4.0), right);
                let free = left.0 >= x.left && x.outside_folds(left.0, left.1) == [left];
                match self.columns.iter().find(tall).filter(|_| !free) {
                    Some((top, bottom)) => {
                        // Beside the words of a fold at the border there is no room: then on the other side of it.
                        let (wide, after) = (px(upright::WIDTH), from + px(3.0));
                        let before = (from - px(5.0) - wide).max(x.left);
                        let open = |left: &i32| x.outside_folds(*left, left + wide) == [(*left, left + wide)];
                        let left = [after, before].into_iter().find(open).unwrap_or(after);
                        let room = Rect::new(left, *top, wide, bottom - top - px(8.0));
                        upright::paint(to, room, false, words, self.scale, palette)
                    }
                    None => self.words(to, ((right - length).max(x.left), right), words, palette.ink_2, palette),
                }
            }
        }
    }

    fn face(&self, colour: Colour) -> Face {
        Face { size: self.scale.0 * 12.0, bold: false, colour, anchor: Anchor::Left }
    }

    fn length<DB: DrawingBackend>(&self, to: &DB, words: &str) -> i32 {
        to.estimate_text_size(words, &self.face(Colour(0, 0, 0))).map_or(0, |(width, _)| width as i32)
    }

    /// Words in the air above the ceiling (those of a whole run are the quieter ones), from the left end of a room, where they fit.
    fn words<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        (left, right): (i32, i32),
        words: &str,
        colour: Colour,
        palette: &Palette,
    ) -> Drawn<DB> {
        let px = |css: f64| self.scale.px(css);
        let length = self.length(to, words);
        if words.is_empty() || length > right - left {
            return Ok(());
        }
        let ground = Rect::new(left - px(4.0), self.level + px(1.0), length + px(8.0), px(LEVEL));
        pen::polygon(to, pen::rounded(ground, px(3.0)), palette.surface)?;
        pen::text(to, words, (left, ground.y + ground.h / 2), self.face(colour))
    }
}

//! Shapes collected and drawn style by style, rectangles first.

use plotters_backend::{BackendCoord, DrawingBackend};

use rollscope_engine::order;

use crate::geometry::{Rect, nearest};
use crate::palette::Colour;
use crate::pen::{self, Drawn, Ink};

/// Layer and colour in one word, so that a style is found by comparing numbers; they sort as the
/// two would.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Style(u32);

impl Style {
    fn new(layer: u8, Colour(r, g, b): Colour) -> Style {
        Style(u32::from_be_bytes([layer, r, g, b]))
    }

    fn colour(self) -> Colour {
        let [_, r, g, b] = self.0.to_be_bytes();
        Colour(r, g, b)
    }
}

/// Rectangles of a style that there is room for from its first one on.
const ROOM: usize = 256;

/// Shapes by layer and style: all rectangles of a style go out together, lines come last.
#[derive(Default)]
pub struct Batch {
    /// Few styles and many rectangles: each joins its style's as it comes, so that none is sorted.
    rects: Vec<(Style, Vec<Rect>)>,
    lines: Vec<(Ink, Vec<(BackendCoord, BackendCoord)>)>,
    /// The style that was asked for last.
    last: usize,
}

impl Batch {
    /// Adds a rectangle to a layer; higher layers are drawn later.
    pub fn fill(&mut self, layer: u8, colour: Colour, rect: Rect) {
        if rect.is_empty() {
            return;
        }
        let style = Style::new(layer, colour);
        let same = |of: &(Style, Vec<Rect>)| of.0 == style;
        if !self.rects.get(self.last).is_some_and(same) {
            self.last = self.rects.iter().position(same).unwrap_or(self.rects.len());
        }
        match self.rects.get_mut(self.last) {
            Some((_, rects)) => rects.push(rect),
            None => {
                let mut rects = Vec::with_capacity(ROOM);
                rects.push(rect);
                self.rects.push((style, rects));
            }
        }
    }

    /// Adds a rectangle with round corners, as rows of whole pixels: no edge is blurred and all
    /// of them go out with the other rectangles of their colour.
    pub fn rounded(&mut self, layer: u8, colour: Colour, rect: Rect, radius: i32) {
        let r = radius.min(rect.w / 2).min(rect.h / 2).max(0);
        self.fill(layer, colour, Rect::new(rect.x, rect.y + r, rect.w, rect.h - 2 * r));
        // Rows of one width form one rectangle.
        let mut row = 0;
        while row < r {
            let cut = corner(r, row);
            let until = (row + 1..r).find(|&next| corner(r, next) != cut).unwrap_or(r);
            let (x, w, h) = (rect.x + cut, rect.w - 2 * cut, until - row);
            self.fill(layer, colour, Rect::new(x, rect.y + row, w, h));
            self.fill(layer, colour, Rect::new(x, rect.bottom() - until, w, h));
            row = until;
        }
    }

    /// Covers the corners of a rectangle with the colour of what lies around it.
    pub fn corners(&mut self, layer: u8, colour: Colour, rect: Rect, radius: i32) {
        let r = radius.min(rect.w / 2).min(rect.h / 2).max(0);
        let mut row = 0;
        while row < r {
            let cut = corner(r, row);
            let until = (row + 1..r).find(|&next| corner(r, next) != cut).unwrap_or(r);
            for x in [rect.x, rect.right() - cut] {
                self.fill(layer, colour, Rect::new(x, rect.y + row, cut, until - row));
                self.fill(layer, colour, Rect::new(x, rect.bottom() - until, cut, until - row));
            }
            row = until;
        }
    }

    /// Adds a frame of four bars just inside the rectangle.
    pub fn frame(&mut self, layer: u8, colour: Colour, rect: Rect, width: i32) {
        let w = width.min(rect.w / 2).max(1);
        self.fill(layer, colour, Rect::new(rect.x, rect.y, rect.w, w));
        self.fill(layer, colour, Rect::new(rect.x, rect.bottom() - w, rect.w, w));
        self.fill(layer, colour, Rect::new(rect.x, rect.y + w, w, rect.h - 2 * w));
        self.fill(layer, colour, Rect::new(rect.right() - w, rect.y + w, w, rect.h - 2 * w));
    }

    /// Adds a dashed frame whose corners are dashes; dashes and gaps are about `dash` long.
    pub fn dashed(&mut self, layer: u8, colour: Colour, rect: Rect, width: i32, dash: i32) {
        let w = width.min(rect.w / 2).max(1);
        for (from, length) in dashes(rect.w, dash) {
            self.fill(layer, colour, Rect::new(rect.x + from, rect.y, length, w));
            self.fill(layer, colour, Rect::new(rect.x + from, rect.bottom() - w, length, w));
        }
        for (from, length) in dashes(rect.h, dash) {
            let (from, until) = (from.max(w), (from + length).min(rect.h - w));
            self.fill(layer, colour, Rect::new(rect.x, rect.y + from, w, until - from));
            self.fill(layer, colour, Rect::new(rect.right() - w, rect.y + from, w, until - from));
        }
    }

    /// Adds a line.
    pub fn path(&mut self, ink: Ink, points: &[BackendCoord]) {
        let lines = points.windows(2).map(|pair| (pair[0], pair[1]));
        match self.lines.iter_mut().find(|style| style.0 == ink) {
            Some((_, of_it)) => of_it.extend(lines),
            None => self.lines.push((ink, lines.collect())),
        }
    }

    /// Draws and empties it.
    pub fn flush<DB: DrawingBackend>(&mut self, to: &mut DB) -> Drawn<DB> {
        order::by_key(&mut self.rects, |of| of.0);
        for (style, rects) in self.rects.drain(..) {
            let ink = Ink(style.colour(), 1);
            let mut all = rects.into_iter();
            all.try_for_each(|rect| to.draw_rect((rect.x, rect.y), (rect.right(), rect.bottom()), &ink, true))?;
        }
        order::by_key(&mut self.lines, |style| (style.0.0, style.0.1));
        for (ink, lines) in self.lines.drain(..) {
            lines.into_iter().try_for_each(|(a, b)| pen::line(to, a, b, ink))?;
        }
        Ok(())
    }
}

#[cfg(test)]
impl Batch {
    /// All rectangles, style by style.
    pub fn rects(&self) -> impl Iterator<Item = (u8, Colour, Rect)> + '_ {
        let layer = |style: Style| style.0.to_be_bytes()[0];
        self.rects
            .iter()
            .flat_map(move |(style, rects)| rects.iter().map(move |rect| (layer(*style), style.colour(), *rect)))
    }

    /// All lines, style by style.
    pub fn lines(&self) -> impl Iterator<Item = (Ink, BackendCoord, BackendCoord)> + '_ {
        self.lines.iter().flat_map(|(ink, lines)| lines.iter().map(|(a, b)| (*ink, *a, *b)))
    }

    /// What it shows inside `window`, row by row: rectangles by layer, then lines one pixel wide.
    pub fn pixels(mut self, window: Rect) -> Vec<Option<Colour>> {
        self.rects.sort_by_key(|of| of.0);
        let mut pixels = vec![None; (window.w * window.h) as usize];
        let mut set = |x: i32, y: i32, colour| {
            if window.contains(x, y) {
                pixels[((y - window.y) * window.w + x - window.x) as usize] = Some(colour);
            }
        };
        for (_, colour, rect) in self.rects() {
            (rect.y..rect.bottom()).for_each(|y| (rect.x..rect.right()).for_each(|x| set(x, y, colour)));
        }
        for (ink, a, b) in self.lines() {
            let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs()).max(1);
            (0..=steps).for_each(|k| set(a.0 + (b.0 - a.0) * k / steps, a.1 + (b.1 - a.1) * k / steps, ink.0));
        }
        pixels
    }
}

/// Pixels a round corner leaves out of the row `row` below its top.
fn corner(radius: i32, row: i32) -> i32 {
    let (r, up) = (f64::from(radius), f64::from(radius - row) - 0.5);
    nearest(r - (r * r - up * up).max(0.0).sqrt())
}

/// Equal dashes along an edge, the first and the last at its ends, with gaps of about two thirds of
/// a dash: boxes that stand close to each other would dissolve with wider ones. Starts and lengths;
/// rounding is spread over the gaps.
fn dashes(edge: i32, dash: i32) -> impl Iterator<Item = (i32, i32)> {
    let dash = dash.clamp(1, edge.max(1));
    let gap = (dash * 2 / 3).max(1);
    // To the nearest, but with a gap of one pixel at least.
    let count = (2 * (edge + gap) / (dash + gap) + 1) / 2;
    let count = count.min((edge + 1) / (dash + 1)).max(2);
    let room = edge - dash;
    (0..count).map(move |k| (room * k / (count - 1), dash))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Colour = Colour(1, 2, 3);

    #[test]
    fn a_rounded_rectangle_and_its_corners_fill_the_whole_without_overlap() {
        for (w, h, r) in [(24, 24, 4), (11, 11, 2), (30, 30, 9), (5, 5, 0)] {
            let rect = Rect::new(3, 7, w, h);
            let mut batch = Batch::default();
            batch.rounded(1, INK, rect, r);
            batch.corners(1, INK, rect, r);
            let area: i32 = batch.rects().map(|(_, _, piece)| piece.w * piece.h).sum();
            assert_eq!(area, w * h, "{w} by {h}, radius {r}");
            assert!(
                batch.rects().all(|(_, _, p)| rect.contains(p.x, p.y) && rect.contains(p.right() - 1, p.bottom() - 1))
            );
        }
    }

    #[test]
    fn dashes_begin_and_end_at_the_corners() {
        for (edge, dash) in [(24, 3), (11, 2), (30, 4), (6, 1)] {
            let all: Vec<_> = dashes(edge, dash).collect();
            assert_eq!(all[0].0, 0);
            assert_eq!(all[all.len() - 1].0 + dash, edge);
            assert!(all.windows(2).all(|pair| pair[1].0 > pair[0].0 + dash), "{edge} {dash}: {all:?}");
        }
    }

    #[test]
    fn styles_go_out_one_after_the_other() {
        let mut batch = Batch::default();
        for x in 0..4 {
            batch.fill(2, INK, Rect::new(x, 0, 1, 1));
            batch.fill(1, Colour(9, 9, 9), Rect::new(x, 0, 1, 1));
        }
        assert_eq!(batch.rects.iter().map(|of| of.1.len()).collect::<Vec<_>>(), [4, 4]);
        let mut text = String::new();
        {
            let mut backend = plotters::backend::SVGBackend::with_string(&mut text, (9, 9));
            batch.flush(&mut backend).expect("drawn");
            plotters_backend::DrawingBackend::present(&mut backend).expect("present");
        }
        let colours: Vec<&str> = text.split("fill=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(colours, [["#090909"; 4], ["#010203"; 4]].concat());
    }
}

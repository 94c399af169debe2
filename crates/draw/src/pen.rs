//! A thin hand over a backend: filled and outlined shapes, lines and text.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily, FontStyle,
};

use crate::circle;
use crate::geometry::{Rect, within};
use crate::palette::Colour;

/// What drawing returns.
pub type Drawn<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A colour and a line width in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub Colour, pub u32);

impl BackendStyle for Ink {
    fn color(&self) -> BackendColor {
        self.0.backend()
    }
    fn stroke_width(&self) -> u32 {
        self.1
    }
}

/// Where a text hangs on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Starts at the point, half of its height above it.
    Left,
    /// Centred on the point.
    Centre,
    /// Ends at the point, half of its height above it.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Size in device pixels.
    pub size: f64,
    /// Heavier, for names and sums.
    pub bold: bool,
    /// Its colour.
    pub colour: Colour,
    /// Where it hangs.
    pub anchor: Anchor,
}

impl BackendTextStyle for Face {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        self.colour.backend()
    }
    fn size(&self) -> f64 {
        self.size
    }
    fn style(&self) -> FontStyle {
        if self.bold { FontStyle::Bold } else { FontStyle::Normal }
    }
    fn anchor(&self) -> Pos {
        let h_pos = match self.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        Pos::new(h_pos, VPos::Center)
    }
    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }
    /// A guess for backends that cannot measure: a little over half an em a character.
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let width = self.size * 0.56 * text.chars().count() as f64;
        Ok(((0, 0), (width.ceil() as i32, self.size.ceil() as i32)))
    }
    /// No glyphs are drawn pixel by pixel: every backend in use draws text itself.
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _pos: BackendCoord,
        _draw: F,
    ) -> Result<Result<(), E>, Infallible> {
        Ok(Ok(()))
    }
}

/// Fills a rectangle; an empty one draws nothing.
pub fn fill<DB: DrawingBackend>(to: &mut DB, rect: Rect, colour: Colour) -> Drawn<DB> {
    if rect.is_empty() {
        return Ok(());
    }
    to.draw_rect((rect.x, rect.y), (rect.right(), rect.bottom()), &Ink(colour, 1), true)
}

/// A straight line.
pub fn line<DB: DrawingBackend>(to: &mut DB, a: BackendCoord, b: BackendCoord, ink: Ink) -> Drawn<DB> {
    to.draw_line(a, b, &ink)
}

/// A frame of four filled bars just inside the rectangle's edge: sharp at every ratio.
pub fn frame<DB: DrawingBackend>(to: &mut DB, rect: Rect, ink: Ink) -> Drawn<DB> {
    let w = (ink.1 as i32).min(rect.w / 2).min(rect.h / 2).max(1);
    fill(to, Rect::new(rect.x, rect.y, rect.w, w), ink.0)?;
    fill(to, Rect::new(rect.x, rect.bottom() - w, rect.w, w), ink.0)?;
    fill(to, Rect::new(rect.x, rect.y + w, w, rect.h - 2 * w), ink.0)?;
    fill(to, Rect::new(rect.right() - w, rect.y + w, w, rect.h - 2 * w), ink.0)
}

/// A dashed frame just inside the rectangle's edge.
pub fn dashed_frame<DB: DrawingBackend>(to: &mut DB, rect: Rect, ink: Ink, dash: i32) -> Drawn<DB> {
    let w = ink.1 as i32;
    let dash = dash.max(2);
    let mut at = 0;
    while at < rect.w {
        let length = dash.min(rect.w - at);
        fill(to, Rect::new(rect.x + at, rect.y, length, w), ink.0)?;
        fill(to, Rect::new(rect.x + at, rect.bottom() - w, length, w), ink.0)?;
        at += dash * 2 - dash / 2;
    }
    at = 0;
    while at < rect.h {
        let length = dash.min(rect.h - at);
        fill(to, Rect::new(rect.x, rect.y + at, w, length), ink.0)?;
        fill(to, Rect::new(rect.right() - w, rect.y + at, w, length), ink.0)?;
        at += dash * 2 - dash / 2;
    }
    Ok(())
}

/// The closed path whose stroke is a frame with round corners just inside the rectangle's edge.
fn stroke_path(rect: Rect, radius: i32, ink: Ink) -> Vec<BackendCoord> {
    // A stroke lies on both sides of its path.
    let (near, far) = ((ink.1 / 2) as i32, ink.1.div_ceil(2) as i32);
    let path = Rect::new(rect.x + near, rect.y + near, rect.w - near - far, rect.h - near - far);
    let mut outline = rounded(path, radius - near);
    outline.extend(outline.first().copied());
    outline
}

/// A frame with round corners just inside the rectangle's edge.
pub fn rounded_frame<DB: DrawingBackend>(to: &mut DB, rect: Rect, radius: i32, ink: Ink) -> Drawn<DB> {
    path(to, stroke_path(rect, radius, ink), ink)
}

/// Covers what lies outside the round corners of a rectangle.
pub fn mask_corners<DB: DrawingBackend>(to: &mut DB, rect: Rect, radius: i32, colour: Colour) -> Drawn<DB> {
    let outline = rounded(rect, radius);
    let corners = [(rect.x, rect.y), (rect.right(), rect.y), (rect.right(), rect.bottom()), (rect.x, rect.bottom())];
    for corner in corners {
        let near = |p: &&BackendCoord| (p.0 - corner.0).abs() <= radius && (p.1 - corner.1).abs() <= radius;
        let arc: Vec<BackendCoord> = outline.iter().filter(near).copied().chain([corner]).collect();
        polygon(to, arc, colour)?;
    }
    Ok(())
}

/// A dashed frame with round corners, just inside the rectangle's edge; `dash` is about the length
/// of a dash and of a gap, so that they close evenly.
pub fn dashed_rounded<DB: DrawingBackend>(
    to: &mut DB,
    rect: Rect,
    radius: i32,
    ink: Ink,
    dash: (i32, i32),
) -> Drawn<DB> {
    let outline = stroke_path(rect, radius, ink);
    // The corners of the outline with the way to them.
    let mut way = 0.0;
    let mut corners = Vec::with_capacity(outline.len());
    let mut last = outline.first().copied().unwrap_or_default();
    for &point in &outline {
        way += f64::from(point.0 - last.0).hypot(f64::from(point.1 - last.1));
        corners.push((way, point));
        last = point;
    }
    let both = f64::from(dash.0 + dash.1).max(2.0);
    let count = (way / both).round().max(1.0);
    let pitch = way / count;
    let long = pitch * f64::from(dash.0) / both;
    for k in 0..count as i32 {
        let begin = f64::from(k) * pitch;
        let end = begin + long;
        let mut piece = vec![along(&corners, begin)];
        piece.extend(corners.iter().filter(|corner| corner.0 > begin && corner.0 < end).map(|corner| corner.1));
        piece.push(along(&corners, end));
        to.draw_path(piece, &ink)?;
    }
    Ok(())
}

/// The point of an outline after a way along it.
fn along(corners: &[(f64, BackendCoord)], way: f64) -> BackendCoord {
    let at = corners.partition_point(|corner| corner.0 < way).clamp(1, corners.len().max(2) - 1);
    let ((from, a), (until, b)) = (corners[at - 1], corners[at]);
    let share = if until > from { within((way - from) / (until - from), 0.0, 1.0) } else { 0.0 };
    let between = |a: i32, b: i32| (f64::from(a) + f64::from(b - a) * share).round() as i32;
    (between(a.0, b.0), between(a.1, b.1))
}

/// The outline of a rectangle with round corners as polygon points, clockwise from its left edge.
pub fn rounded(rect: Rect, radius: i32) -> Vec<BackendCoord> {
    let r = radius.min(rect.w / 2).min(rect.h / 2).max(0);
    let (x0, y0, x1, y1) = (rect.x, rect.y, rect.right(), rect.bottom());
    // Points of a quarter circle as distances from the corner: from the level edge to the upright one.
    // Larger corners have more of them; smaller ones would only be bent by rounding.
    let pieces = if r > 16 { 6 } else { 4 };
    let quarter: Vec<(i32, i32)> = (0..=pieces)
        .map(|k| {
            let (sin, cos) = circle::sin_cos(f64::from(k) / f64::from(4 * pieces));
            let across = |v: f64| (f64::from(r) * (1.0 - v)).round() as i32;
            (across(sin), across(cos))
        })
        .collect();
    let mut points = Vec::with_capacity(20);
    points.extend(quarter.iter().rev().map(|&(dx, dy)| (x0 + dx, y0 + dy)));
    points.extend(quarter.iter().map(|&(dx, dy)| (x1 - dx, y0 + dy)));
    points.extend(quarter.iter().rev().map(|&(dx, dy)| (x1 - dx, y1 - dy)));
    points.extend(quarter.iter().map(|&(dx, dy)| (x0 + dx, y1 - dy)));
    points.dedup();
    points
}

/// Fills a polygon.
pub fn polygon<DB: DrawingBackend>(to: &mut DB, points: Vec<BackendCoord>, colour: Colour) -> Drawn<DB> {
    to.fill_polygon(points, &Ink(colour, 1))
}

/// Strokes a path.
pub fn path<DB: DrawingBackend>(to: &mut DB, points: Vec<BackendCoord>, ink: Ink) -> Drawn<DB> {
    to.draw_path(points, &ink)
}

/// Writes a text.
pub fn text<DB: DrawingBackend>(to: &mut DB, words: &str, at: BackendCoord, face: Face) -> Drawn<DB> {
    to.draw_text(words, &face, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_corners_stay_inside_and_touch_every_edge() {
        let rect = Rect::new(10, 20, 100, 40);
        let points = rounded(rect, 6);
        assert!(points.iter().all(|&(x, y)| (10..=110).contains(&x) && (20..=60).contains(&y)));
        for edge in [10, 110] {
            assert!(points.iter().any(|p| p.0 == edge));
        }
        for edge in [20, 60] {
            assert!(points.iter().any(|p| p.1 == edge));
        }
        // Clockwise all along: every turn goes the same way.
        let turns = (0..points.len()).map(|i| {
            let (a, b, c) = (points[i], points[(i + 1) % points.len()], points[(i + 2) % points.len()]);
            (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0)
        });
        assert!(turns.into_iter().all(|turn| turn >= 0), "{points:?}");
        for radius in 1..=40 {
            let corner = rounded(Rect::new(0, 0, 200, 200), radius);
            assert!(corner.iter().all(|&(x, y)| (0..=200).contains(&x) && (0..=200).contains(&y)), "{radius}");
        }
        assert_eq!(rounded(rect, 0), vec![(10, 20), (110, 20), (110, 60), (10, 60)]);
    }

    #[test]
    fn dashes_close_evenly_around_the_corners() {
        use plotters::backend::SVGBackend;
        let mut text = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut text, (120, 100));
            let rect = Rect::new(10, 10, 100, 80);
            dashed_rounded(&mut backend, rect, 7, Ink(Colour(1, 2, 3), 2), (6, 5)).expect("drawn");
            backend.present().expect("present");
        }
        // The way around is about 344 pixels: a dash every 11.
        assert_eq!(text.matches("<polyline").count(), 31);
        let numbers = text.split("points=\"").skip(1).filter_map(|rest| rest.split(['"', ',']).next());
        assert!(numbers.filter_map(|x| x.parse::<i32>().ok()).all(|x| (11..=109).contains(&x)));
    }

    #[test]
    fn masks_cover_the_corners_only() {
        use plotters::backend::SVGBackend;
        let mut text = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut text, (60, 60));
            mask_corners(&mut backend, Rect::new(0, 0, 60, 60), 8, Colour(9, 9, 9)).expect("drawn");
            backend.present().expect("present");
        }
        assert_eq!(text.matches("<polygon").count(), 4);
        for corner in ["0,0 ", "60,0 ", "60,60 ", "0,60 "] {
            assert!(text.contains(corner), "{corner} in {text}");
        }
    }
}

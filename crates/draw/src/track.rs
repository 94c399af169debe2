//! The x layout of everything on the time axis, and the scrubber under the chart.

use plotters_backend::DrawingBackend;
use rollscope_engine::time::SimTime;

use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::ticks;

/// Left of the axis: labels of counts.
pub const GUTTER_LEFT: f64 = 46.0;
/// Right of the axis: labels of limits.
pub const GUTTER_RIGHT: f64 = 70.0;
/// Marks closer than this merge.
const MERGE: f64 = 11.0;
/// Height of the scrubber in CSS pixels: track, marks and the labels below.
pub const TRACK_HEIGHT: f64 = 44.0;
const TRACK_Y: f64 = 12.0;
const LABEL_Y: f64 = 33.0;

/// Moments to pixels and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct XScale {
    /// Pixel of time 0.
    pub left: i32,
    /// Pixel of the end of the axis.
    pub right: i32,
    /// The end of the axis, at least 1 ms.
    pub end: SimTime,
}

impl XScale {
    /// For a picture of `css_width` CSS pixels with the common gutters.
    pub fn new(css_width: f64, scale: Scale, end: SimTime) -> XScale {
        let left = scale.px(GUTTER_LEFT);
        let right = scale.px(css_width - GUTTER_RIGHT).max(left + 1);
        XScale { left, right, end: SimTime(end.0.max(1)) }
    }

    /// The pixel of a moment, clamped to the axis.
    pub fn x(self, at: SimTime) -> i32 {
        let share = at.0.min(self.end.0) as f64 / self.end.0 as f64;
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    /// The moment of a pixel, clamped to the axis.
    pub fn at(self, x: i32) -> SimTime {
        let width = f64::from(self.right - self.left);
        let share = f64::from((x - self.left).clamp(0, self.right - self.left)) / width;
        SimTime((share * self.end.0 as f64).round() as u64)
    }
}

/// What a mark on the scrubber stands for; a failure is never merged away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A decision of the scheduler: a diamond.
    Decision,
    /// Something a person or the world did: a bar.
    Act,
    /// A task failed: a red cross.
    Failure,
}

/// A mark on the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its moment.
    pub at: SimTime,
    /// What it stands for.
    pub kind: MarkKind,
}

/// The scrubber.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its x layout.
    pub x: XScale,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// The run ends here; the axis may go on.
    pub end: SimTime,
    marks: Vec<Mark>,
}

impl Track {
    /// Merges marks that would touch: the first one stays, a failure always does.
    pub fn new(x: XScale, scale: Scale, end: SimTime, marks: impl IntoIterator<Item = Mark>) -> Track {
        let least = scale.px(MERGE);
        let mut kept: Vec<Mark> = Vec::new();
        for mark in marks {
            match kept.last_mut() {
                Some(last) if x.x(mark.at) - x.x(last.at) < least => {
                    if mark.kind > last.kind {
                        *last = mark;
                    }
                }
                _ => kept.push(mark),
            }
        }
        Track { x, scale, end, marks: kept }
    }

    /// The marks that are drawn, ascending.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

/// Draws the scrubber with the playhead at `at`.
pub fn paint<DB: DrawingBackend>(to: &mut DB, track: &Track, at: SimTime, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.scale.px(css);
    let (width, _) = to.get_size();
    pen::fill(to, Rect::new(0, 0, width as i32, px(TRACK_HEIGHT)), palette.surface)?;
    let (x, y) = (track.x, px(TRACK_Y));
    let head = x.x(at);
    let bar = |from: i32, until: i32| Rect::new(from, y - px(2.0), until - from, px(4.0));
    pen::fill(to, bar(x.left, x.x(track.end)), palette.line)?;
    pen::fill(to, bar(x.left, head), palette.control)?;
    for mark in &track.marks {
        draw_mark(to, track, *mark, mark.at <= at, palette)?;
    }
    labels(to, track, head, palette)?;
    let knob = |half: f64| Rect::new(head - px(half), y - px(half), 2 * px(half), 2 * px(half));
    pen::polygon(to, pen::rounded(knob(10.0), px(10.0)), palette.surface)?;
    pen::polygon(to, pen::rounded(knob(8.0), px(8.0)), palette.ink)?;
    pen::polygon(to, pen::rounded(knob(2.5), px(2.5)), palette.surface)?;
    pill(to, track, head, at, palette)
}

fn draw_mark<DB: DrawingBackend>(to: &mut DB, track: &Track, mark: Mark, past: bool, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.scale.px(css);
    let (cx, cy) = (track.x.x(mark.at), px(TRACK_Y));
    match mark.kind {
        MarkKind::Decision => {
            let diamond = |r: i32| vec![(cx, cy - r), (cx + r, cy), (cx, cy + r), (cx - r, cy)];
            pen::polygon(to, diamond(px(8.0)), palette.surface)?;
            pen::polygon(to, diamond(px(6.0)), palette.ink)?;
            if past { Ok(()) } else { pen::polygon(to, diamond(px(4.0)), palette.surface) }
        }
        MarkKind::Act => {
            pen::fill(to, Rect::new(cx - px(4.0), cy - px(8.0), px(8.0), px(16.0)), palette.surface)?;
            pen::fill(to, Rect::new(cx - px(2.0), cy - px(7.0), px(4.0), px(14.0)), palette.ink)
        }
        MarkKind::Failure => {
            let r = px(5.0);
            pen::fill(to, Rect::new(cx - r, cy - r, 2 * r, 2 * r), palette.surface)?;
            let ink = Ink(palette.fail, track.scale.line(2.0));
            pen::path(to, vec![(cx - r, cy - r), (cx + r, cy + r)], ink)?;
            pen::path(to, vec![(cx - r, cy + r), (cx + r, cy - r)], ink)
        }
    }
}

/// Labels of the axis, but for those under the pills of the playhead and the end.
fn labels<DB: DrawingBackend>(to: &mut DB, track: &Track, head: i32, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.scale.px(css);
    let width = track.x.right - track.x.left;
    let most = (width / px(62.0)).max(2) as usize;
    let face = Face { size: track.scale.0 * 12.0, bold: false, colour: palette.ink_3, anchor: Anchor::Centre };
    let end = track.x.x(track.end);
    for time in ticks::times(track.x.end.0, most) {
        let x = track.x.x(SimTime(time));
        if (x - head).abs() >= px(48.0) && (x - end).abs() >= px(44.0) {
            pen::text(to, &ticks::clock(time, true), (x, px(LABEL_Y)), face)?;
        }
    }
    if (end - head).abs() < px(56.0) || track.end == SimTime::ZERO {
        return Ok(());
    }
    let half = half_width(to, &ticks::clock(track.end.0, false), face) + px(8.0);
    let outer = Rect::new(end - half, px(LABEL_Y) - px(10.0), 2 * half, px(20.0));
    pen::polygon(to, pen::rounded(outer, px(10.0)), palette.ink)?;
    pen::polygon(to, pen::rounded(outer.inset(px(1.5)), px(9.0)), palette.surface)?;
    let bold = Face { bold: true, colour: palette.ink, ..face };
    pen::text(to, &ticks::clock(track.end.0, false), (end, px(LABEL_Y)), bold)
}

/// The present moment under the knob.
fn pill<DB: DrawingBackend>(to: &mut DB, track: &Track, head: i32, at: SimTime, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.scale.px(css);
    let face = Face { size: track.scale.0 * 12.0, bold: true, colour: palette.surface, anchor: Anchor::Centre };
    let words = ticks::clock(at.0, false);
    let half = half_width(to, &words, face) + px(10.0);
    let place = Rect::new(head - half, px(LABEL_Y) - px(10.0), 2 * half, px(20.0));
    pen::polygon(to, pen::rounded(place, px(10.0)), palette.ink)?;
    pen::text(to, &words, (head, px(LABEL_Y)), face)
}

fn half_width<DB: DrawingBackend>(to: &DB, words: &str, face: Face) -> i32 {
    to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32 / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::backend::SVGBackend;

    #[test]
    fn moments_and_pixels_agree() {
        let x = XScale::new(756.0, Scale(2.0), SimTime(233_000));
        assert_eq!((x.left, x.right), (92, 1372));
        assert_eq!(x.x(SimTime::ZERO), 92);
        assert_eq!(x.x(SimTime(233_000)), 1372);
        assert_eq!(x.x(SimTime(999_999)), 1372);
        for pixel in 92..=1372 {
            assert_eq!(x.x(x.at(pixel)), pixel);
        }
        assert_eq!(x.at(0), SimTime::ZERO);
        assert_eq!(x.at(5_000), SimTime(233_000));
    }

    #[test]
    fn near_marks_merge_and_failures_stay() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(640_000));
        let mark = |at, kind| Mark { at: SimTime(at), kind };
        let track = Track::new(
            x,
            Scale(1.0),
            SimTime(640_000),
            [
                mark(0, MarkKind::Decision),
                mark(5_000, MarkKind::Failure),
                mark(7_000, MarkKind::Decision),
                mark(30_000, MarkKind::Decision),
            ],
        );
        assert_eq!(track.marks(), [mark(5_000, MarkKind::Failure), mark(30_000, MarkKind::Decision)]);
    }

    #[test]
    fn the_scrubber_shows_the_moment_and_the_end() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(250_000));
        let track = Track::new(x, Scale(1.0), SimTime(233_000), []);
        let mut text = String::new();
        {
            let mut svg = SVGBackend::with_string(&mut text, (756, 44));
            paint(&mut svg, &track, SimTime(110_400), &Palette::light()).expect("paint");
            svg.present().expect("present");
        }
        assert!(text.contains("1:50") && text.contains("3:53") && text.contains("0:30"));
    }
}

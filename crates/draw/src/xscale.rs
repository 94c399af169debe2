//! The x layout of everything on the time axis: one scale for ribbon, chart, rows and scrubber.
//!
//! Spans of idleness can be folded: a fold takes a fixed width, however long it is. The scale is
//! linear between its knots, so moments and pixels stay monotone inverses of each other.

use rollscope_engine::order;
use rollscope_engine::time::SimTime;

use crate::geometry::{Scale, nearest};
use crate::ticks;

/// Left of the axis: labels of counts.
pub const GUTTER_LEFT: f64 = 46.0;
/// Right of the axis: labels of limits.
pub const GUTTER_RIGHT: f64 = 70.0;
/// Width of a fold in CSS pixels.
pub const FOLD_WIDTH: f64 = 28.0;
/// Most width of a fold that is seen through.
pub const FOLD_OPEN: f64 = 112.0;
/// Most folds on one axis: the longest ones.
pub const FOLDS_MAX: usize = 6;
/// Nothing is folded while what is not idle has this share of the width, in per cent.
const ENOUGH: f64 = 60.0;
/// All folds together take at most this share of the width, in per cent.
const FOLDS_SHARE: f64 = 40.0;
/// The axis goes on behind the end for this part of what is not idle.
const TAIL: u64 = 15;
/// Distance of two labels of the axis in CSS pixels.
pub const LABEL_GAP: f64 = 62.0;

/// A span of idleness that is drawn with a fixed width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fold {
    /// The last thing before it.
    pub from: SimTime,
    /// The next thing after it.
    pub to: SimTime,
    /// Pixel of `from`.
    pub left: i32,
    /// Pixel of `to`.
    pub right: i32,
}

/// Moments to pixels and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XScale {
    /// Pixel of time 0.
    pub left: i32,
    /// Pixel of the end of the axis.
    pub right: i32,
    /// The end of the axis, at least 1 ms.
    pub end: SimTime,
    folds: [Fold; FOLDS_MAX],
    folded: usize,
    /// What holds in a fold is seen.
    open: bool,
}

/// A stretch of the axis that is linear: times `t` at pixels `x`.
#[derive(Clone, Copy)]
struct Piece {
    t: (u64, u64),
    x: (i32, i32),
    fold: bool,
}

impl XScale {
    /// For a picture of `css_width` CSS pixels with the common gutters, nothing folded.
    pub fn new(css_width: f64, scale: Scale, end: SimTime) -> XScale {
        XScale::folded(css_width, scale, end, &[])
    }

    /// The same, with those of the `idle` spans (ascending, apart from each other) folded that
    /// would leave too little room to the rest.
    pub fn folded(css_width: f64, scale: Scale, end: SimTime, idle: &[(SimTime, SimTime)]) -> XScale {
        XScale::laid_out(css_width, scale, end, idle, false)
    }

    /// The same where waiting is what matters: folds are as wide as they may be, and what holds in them is seen.
    pub fn open(css_width: f64, scale: Scale, end: SimTime, idle: &[(SimTime, SimTime)]) -> XScale {
        XScale::laid_out(css_width, scale, end, idle, true)
    }

    fn laid_out(css_width: f64, scale: Scale, end: SimTime, idle: &[(SimTime, SimTime)], open: bool) -> XScale {
        let left = scale.px(GUTTER_LEFT);
        let right = scale.px(css_width - GUTTER_RIGHT).max(left + 1);
        let end = SimTime(end.0.max(1));
        let mut x = XScale { left, right, end, folds: [Fold::default(); FOLDS_MAX], folded: 0, open };
        let mut fold = scale.px(FOLD_WIDTH);
        let mut chosen = choose(idle, end, f64::from(right - left), f64::from(fold));
        order::by_key(&mut chosen, |span| *span);
        if open {
            let share = f64::from(right - left) * FOLDS_SHARE / 100.0 / chosen.len().max(1) as f64;
            fold = fold.max((share as i32).min(scale.px(FOLD_OPEN)));
        }
        let idle_ms: u64 = chosen.iter().map(|(from, to)| to.since(*from)).sum();
        let live_px = f64::from(right - left - fold * chosen.len() as i32);
        let per_ms = live_px / end.0.saturating_sub(idle_ms).max(1) as f64;
        let mut live = 0;
        let mut before = SimTime::ZERO;
        for (index, (from, to)) in chosen.into_iter().enumerate() {
            live += from.since(before);
            before = to;
            let at = left + (live as f64 * per_ms).round() as i32 + fold * index as i32;
            x.folds[index] = Fold { from, to, left: at, right: at + fold };
            x.folded = index + 1;
        }
        x
    }

    /// The end of an axis for a run that ends at `end`: a little behind it, measured by the part
    /// of the run that is not idle.
    pub fn axis_end(end: SimTime, idle: &[(SimTime, SimTime)]) -> SimTime {
        let idle: u64 = idle.iter().map(|(from, to)| to.since(*from)).sum();
        end + (end.0.saturating_sub(idle) / TAIL).max(1)
    }

    /// The folds, ascending.
    pub fn folds(&self) -> &[Fold] {
        &self.folds[..self.folded]
    }

    /// Width of the axis in pixels.
    pub fn width(&self) -> i32 {
        self.right - self.left
    }

    /// The pixel of a moment, clamped to the axis.
    pub fn x(&self, at: SimTime) -> i32 {
        let at = at.0.min(self.end.0);
        let piece = self.piece(|piece| at < piece.t.1);
        let span = piece.t.1 - piece.t.0;
        if span == 0 {
            return piece.x.1;
        }
        let share = (at - piece.t.0) as f64 / span as f64;
        piece.x.0 + nearest(share * f64::from(piece.x.1 - piece.x.0))
    }

    /// The moment of a pixel, clamped to the axis.
    pub fn at(&self, x: i32) -> SimTime {
        let x = x.clamp(self.left, self.right);
        let piece = self.piece(|piece| x < piece.x.1);
        let width = piece.x.1 - piece.x.0;
        if width == 0 {
            return SimTime(piece.t.1);
        }
        let share = f64::from(x - piece.x.0) / f64::from(width);
        SimTime(piece.t.0 + (share * (piece.t.1 - piece.t.0) as f64).round() as u64)
    }

    /// Round moments at least `gap` pixels apart, none of them inside a fold.
    pub fn ticks(&self, gap: i32) -> Vec<SimTime> {
        let gap = gap.max(1);
        if self.folded == 0 {
            let most = (self.width() / gap).max(2) as usize;
            return ticks::times(self.end.0, most).into_iter().map(SimTime).collect();
        }
        let live = |pick: fn(&Fold) -> u64| self.folds().iter().map(pick).sum::<u64>();
        let live_ms = self.end.0 - live(|fold| fold.to.since(fold.from));
        let live_px = self.width() - live(|fold| (fold.right - fold.left) as u64) as i32;
        let step = ticks::step(live_ms, (live_px / gap).max(1) as usize);
        let mut out: Vec<SimTime> = Vec::new();
        for piece in self.pieces().filter(|piece| !piece.fold) {
            for k in piece.t.0.div_ceil(step)..=piece.t.1 / step {
                let at = SimTime(k * step);
                if out.last().is_none_or(|last| self.x(at) - self.x(*last) >= gap) {
                    out.push(at);
                }
            }
        }
        out
    }

    /// What holds in a fold is seen.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Parts of the pixels `from..until` where words may stand: outside of folds, and between the edges of those
    /// that are seen through.
    pub fn outside_folds(&self, from: i32, until: i32) -> Vec<(i32, i32)> {
        let mut out = Vec::new();
        let mut at = from;
        for fold in self.folds() {
            if fold.left > at {
                out.push((at, fold.left.min(until)));
            }
            if self.open {
                let edge = (fold.right - fold.left) / 12;
                out.push(((fold.left + edge).max(from), (fold.right - edge).min(until)));
            }
            at = at.max(fold.right);
        }
        out.push((at, until));
        out.retain(|(from, until)| from < until);
        out
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let live = (0..=self.folded).map(|index| {
            let before = index.checked_sub(1).map(|index| self.folds[index]);
            let after = self.folds().get(index);
            Piece {
                t: (before.map_or(0, |fold| fold.to.0), after.map_or(self.end.0, |fold| fold.from.0)),
                x: (before.map_or(self.left, |fold| fold.right), after.map_or(self.right, |fold| fold.left)),
                fold: false,
            }
        });
        live.enumerate().flat_map(|(index, piece)| {
            let fold = self.folds().get(index).map(|fold| Piece {
                t: (fold.from.0, fold.to.0),
                x: (fold.left, fold.right),
                fold: true,
            });
            [Some(piece), fold].into_iter().flatten()
        })
    }

    /// The first piece for which `inside` holds, else the last one.
    fn piece(&self, inside: impl Fn(&Piece) -> bool) -> Piece {
        let whole = Piece { t: (0, self.end.0), x: (self.left, self.right), fold: false };
        if self.folded == 0 {
            return whole;
        }
        let mut last = whole;
        for piece in self.pieces() {
            last = piece;
            if inside(&piece) {
                break;
            }
        }
        last
    }
}

/// The spans worth folding, the longest first: as few as give the rest enough room.
fn choose(idle: &[(SimTime, SimTime)], end: SimTime, width: f64, fold: f64) -> Vec<(SimTime, SimTime)> {
    let mut spans: Vec<_> = idle.iter().copied().filter(|(from, to)| from < to && *to < end).collect();
    order::by_key(&mut spans, |(from, to)| (u64::MAX - to.since(*from), *from));
    let all_idle: u64 = spans.iter().map(|(from, to)| to.since(*from)).sum();
    let rest = end.0.saturating_sub(all_idle) as f64;
    let mut chosen = Vec::new();
    let mut live = end.0;
    for span in spans {
        let per_ms = (width - fold * chosen.len() as f64) / live.max(1) as f64;
        let length = span.1.since(span.0);
        let room = fold * (chosen.len() + 1) as f64 <= width * FOLDS_SHARE / 100.0 && chosen.len() < FOLDS_MAX;
        if rest * per_ms >= width * ENOUGH / 100.0 || length as f64 * per_ms <= 2.0 * fold || !room {
            break;
        }
        live = live.saturating_sub(length);
        chosen.push(span);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000;

    fn span(from: u64, to: u64) -> (SimTime, SimTime) {
        (SimTime(from), SimTime(to))
    }

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
    fn a_long_idle_span_takes_its_fixed_width() {
        let end = SimTime(24 * HOUR);
        let x = XScale::folded(756.0, Scale(1.0), end, &[span(300_000, 23 * HOUR)]);
        let fold = x.folds()[0];
        assert_eq!(fold.right - fold.left, 28);
        assert_eq!((x.x(SimTime(300_000)), x.x(SimTime(23 * HOUR))), (fold.left, fold.right));
        assert_eq!(x.x(end), x.right);
        // What is left shares the rest evenly: five minutes against an hour.
        assert!((fold.left - x.left) * 12 - (x.right - fold.right) <= 12);
    }

    #[test]
    fn with_folds_moments_and_pixels_stay_inverse_and_monotone() {
        let idle = [span(60_000, 4 * HOUR), span(4 * HOUR + 90_000, 9 * HOUR), span(9 * HOUR + 30_000, 20 * HOUR)];
        for (width, ratio) in [(320.0, 1.0), (358.0, 3.0), (756.0, 1.0), (2_600.0, 1.5)] {
            let x = XScale::folded(width, Scale(ratio), XScale::axis_end(SimTime(20 * HOUR + 60_000), &idle), &idle);
            assert!(!x.folds().is_empty());
            for pixel in x.left..=x.right {
                assert_eq!(x.x(x.at(pixel)), pixel, "{width}");
            }
            let pixels: Vec<i32> = (0..=1_500).map(|k| x.x(SimTime(x.end.0 / 1_500 * k))).collect();
            assert!(pixels.is_sorted());
            let ticks = x.ticks(62);
            assert!(ticks.windows(2).all(|pair| x.x(pair[1]) - x.x(pair[0]) >= 62), "{ticks:?}");
            assert!(!ticks.iter().any(|at| x.folds().iter().any(|fold| fold.from < *at && *at < fold.to)));
        }
    }

    #[test]
    fn a_fold_that_does_not_help_is_left_out() {
        // The rest has two thirds of the width as it is.
        assert!(XScale::folded(756.0, Scale(1.0), SimTime(300_000), &[span(50_000, 150_000)]).folds().is_empty());
        // Beyond the end there is nothing to fold.
        assert!(XScale::folded(756.0, Scale(1.0), SimTime(300_000), &[span(50_000, 400_000)]).folds().is_empty());
        // A short span beside a long one stays as it is.
        let x = XScale::folded(756.0, Scale(1.0), SimTime(HOUR), &[span(60_000, 90_000), span(120_000, HOUR - 60_000)]);
        assert_eq!(x.folds().len(), 1);
    }

    #[test]
    fn many_folds_leave_most_of_the_width() {
        let idle: Vec<_> = (0..50).map(|k| span(k * HOUR + 1_000, (k + 1) * HOUR)).collect();
        for width in [320.0, 756.0] {
            let x = XScale::folded(width, Scale(1.0), SimTime(50 * HOUR + 1), &idle);
            let folded: i32 = x.folds().iter().map(|fold| fold.right - fold.left).sum();
            assert!(x.folds().len() <= FOLDS_MAX && folded * 10 <= x.width() * 4 + 10, "{width}");
        }
    }

    #[test]
    fn what_lies_outside_of_the_folds() {
        let x = XScale::folded(756.0, Scale(1.0), SimTime(24 * HOUR), &[span(300_000, 23 * HOUR)]);
        let fold = x.folds()[0];
        assert_eq!(x.outside_folds(x.left, x.right), [(x.left, fold.left), (fold.right, x.right)]);
        assert_eq!(x.outside_folds(fold.left + 3, fold.right), []);
        assert_eq!(x.outside_folds(fold.right + 5, x.right), [(fold.right + 5, x.right)]);
    }
}

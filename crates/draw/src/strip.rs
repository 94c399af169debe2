//! The traffic strip: as long as the healthy count, one unit a task, with the floor on it.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::Counts;

use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face};

/// Height in CSS pixels.
pub const STRIP_HEIGHT: f64 = 28.0;
/// Up to this many units are drawn one by one.
const UNITS: u32 = 24;
const GUTTER: f64 = 74.0;

/// Where the strip's parts lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The whole length: the larger of ceiling and healthy tasks.
    pub well: Rect,
    /// Pieces in the order old, new, further, with their lane.
    pub pieces: Vec<(u8, Rect)>,
    /// x of the floor.
    pub floor: i32,
}

/// Lays the strip out for the counts of a moment.
pub fn strip(counts: &Counts, css_width: f64, scale: Scale) -> Strip {
    let units = counts.limits.ceiling.max(counts.healthy()).max(1);
    let left = scale.px(4.0);
    let gutter = if css_width < 520.0 { 14.0 } else { GUTTER };
    // Cards are at most 150 wide: the strip is as long as their row.
    let cards = if units <= 8 && gutter == GUTTER { f64::from(units) * 160.0 - 6.0 } else { f64::INFINITY };
    let width = scale.px((css_width - gutter).min(cards));
    let well = Rect::new(left, scale.px(7.0), width, scale.px(14.0));
    let x = |unit: u32| left + (f64::from(width) * f64::from(unit) / f64::from(units)).round() as i32;
    let gap = if units <= UNITS { scale.px(3.0) } else { 0 };
    let mut pieces = Vec::new();
    let mut from = 0;
    for (lane, tasks) in counts.lanes.iter().enumerate() {
        let until = from + tasks.healthy;
        let step = if units <= UNITS { 1 } else { tasks.healthy.max(1) };
        let mut unit = from;
        while unit < until {
            let (a, b) = (x(unit), x(unit + step) - gap);
            pieces.push((lane as u8, Rect::new(a, well.y, b - a, well.h)));
            unit += step;
        }
        from = until;
    }
    Strip { well, pieces, floor: x(counts.limits.floor.min(units)) - gap / 2 }
}

/// Draws the strip; `label` stands beside the floor mark.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    strip: &Strip,
    scale: Scale,
    palette: &Palette,
    label: &str,
) -> Drawn<DB> {
    let (width, height) = to.get_size();
    pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
    pen::polygon(to, pen::rounded(strip.well, scale.px(4.0)), palette.inset)?;
    for &(lane, rect) in &strip.pieces {
        pen::polygon(to, pen::rounded(rect, scale.px(3.0)), palette.lane(lane).full)?;
    }
    let half = scale.px(1.0).max(1);
    let mark = Rect::new(strip.floor - half, 0, 2 * half, scale.px(STRIP_HEIGHT));
    pen::fill(to, mark.inset(-half), palette.surface)?;
    pen::fill(to, mark, palette.ink)?;
    let face = Face { size: scale.0 * 12.0, bold: true, colour: palette.ink, anchor: Anchor::Left };
    let length = to.estimate_text_size(label, &face).map_or(0, |(w, _)| w as i32);
    let from = strip.floor + scale.px(6.0);
    // Over a task's unit the label needs a ground of its own.
    if from + length <= width as i32 {
        if strip.pieces.iter().any(|(_, piece)| piece.right() > from) {
            let ground = Rect::new(from - scale.px(3.0), strip.well.y, length + scale.px(6.0), strip.well.h);
            pen::fill(to, ground, palette.surface)?;
        }
        pen::text(to, label, (from, strip.well.y + strip.well.h / 2), face)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::frame::{LaneCounts, Limits};

    fn counts(old: u32, new: u32, floor: u32, ceiling: u32) -> Counts {
        let lane = |healthy| LaneCounts { healthy, ..LaneCounts::default() };
        Counts {
            lanes: [lane(old), lane(new), lane(0)],
            counted: old + new,
            limits: Limits { desired: 4, floor, ceiling },
        }
    }

    #[test]
    fn one_unit_a_healthy_task_and_the_floor_after_its_last_unit() {
        let strip = strip(&counts(2, 2, 4, 6), 756.0, Scale(1.0));
        assert_eq!(strip.pieces.iter().map(|p| p.0).collect::<Vec<_>>(), [0, 0, 1, 1]);
        let last = strip.pieces[3].1;
        assert!(strip.floor >= last.right() && strip.floor - last.right() < 4);
        assert!(strip.well.right() > strip.floor);
    }

    #[test]
    fn large_services_have_one_piece_a_revision() {
        let strip = strip(&counts(400, 600, 1000, 1250), 756.0, Scale(1.0));
        assert_eq!(strip.pieces.len(), 2);
        assert_eq!(strip.pieces[0].1.right(), strip.pieces[1].1.x);
        let length: i32 = strip.pieces.iter().map(|p| p.1.w).sum();
        assert!((length - strip.well.w * 1000 / 1250).abs() <= 1);
    }

    #[test]
    fn nothing_healthy_is_an_empty_strip() {
        assert!(strip(&counts(0, 0, 0, 0), 358.0, Scale(2.0)).pieces.is_empty());
    }
}

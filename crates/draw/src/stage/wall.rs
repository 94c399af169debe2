//! The wall after the last slot under the ceiling: a bar, hatching behind it, a label.

use plotters_backend::DrawingBackend;

use super::layout::Layout;
use super::paint::Words;
use super::plan::{CAPTION, LEFT, Level};
use crate::geometry::{Rect, Scale};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};

/// Room in CSS pixels that the label needs beside the wall.
const LABEL: f64 = 46.0;

/// Where the wall's label hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Right of the wall, in two lines where one is too long.
    Right,
    /// Below a wall that lies under a block of cells, from its left edge.
    Below,
    /// At the right end below the stage: beside the wall there is no room.
    End,
}

/// The wall's parts in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// The bar.
    pub bar: Rect,
    /// The hatching on its far side; empty where slots beyond the ceiling are in use.
    pub hatch: Rect,
    /// Where the label starts, or ends: edge of the text, middle of its height.
    pub label: (i32, i32),
    /// Where it hangs.
    pub side: Side,
}

impl Layout {
    /// The wall's parts.
    pub fn wall(&self) -> Wall {
        let px = |css: f64| self.scale.px(css);
        if self.ceiling == 0 {
            let from = self.left - px(LEFT);
            let bar = Rect::new(from, self.top, self.bar().min(px(LEFT) - 1).max(1), px(50.0));
            let hatch = if self.slots == 0 { Rect::new(bar.right(), bar.y, px(7.0), bar.h) } else { Rect::default() };
            return self.labelled(bar, hatch, self.slots == 0);
        }
        if self.level == Level::Cells { self.wall_of_cells() } else { self.wall_of_rows() }
    }

    fn bar(&self) -> i32 {
        self.scale.px(2.5).max(2)
    }

    /// True when slots are in use beyond the ceiling.
    fn tail(&self) -> bool {
        self.slots > self.ceiling
    }

    fn wall_of_rows(&self) -> Wall {
        let px = |css: f64| self.scale.px(css);
        let last = self.rect_at_ceiling();
        let reach = match self.level {
            Level::Cards if self.slots as i32 <= self.columns => px(8.0) - 1,
            _ => px(4.0).min(self.gap / 2).max(1),
        };
        // A full field of small boxes has the wall along all of its rows.
        let field = matches!(self.level, Level::Tiles | Level::Far) && self.full_rows();
        let top = if field { self.top } else { last.y };
        let (y, h) = (top - reach, last.bottom() - top + 2 * reach);
        let next = self.last_unit() + 1;
        if next < self.units() && self.unit_rect(next).y == last.y {
            let w = self.bar().min(self.gap).max(1);
            return self.labelled(Rect::new(last.right() + (self.gap - w) / 2, y, w, h), Rect::default(), false);
        }
        let bar = Rect::new(last.right() + px(if self.narrow { 4.0 } else { 7.0 }), y, self.bar(), h);
        let hatch = Rect::new(bar.right(), y, px(if self.narrow { 3.0 } else { 7.0 }), h);
        self.labelled(bar, hatch, true)
    }

    /// Number of the box in which the ceiling lies.
    fn last_unit(&self) -> u32 {
        if self.level == Level::Far { (self.ceiling - 1) / super::plan::HUNDRED } else { self.ceiling - 1 }
    }

    fn rect_at_ceiling(&self) -> Rect {
        self.unit_rect(self.last_unit())
    }

    fn full_rows(&self) -> bool {
        !self.tail() && self.captions().is_empty() && (self.last_unit() + 1).is_multiple_of(self.columns as u32)
    }

    fn wall_of_cells(&self) -> Wall {
        let px = |css: f64| self.scale.px(css);
        let (block, within) = self.block_of(self.last_unit());
        let (x, y) = self.block(block);
        let (side, pitch) = (self.block_side(), self.box_h + self.gap);
        let rows = within as i32 / 10 + 1;
        if rows == 10 {
            let bar = Rect::new(x + side + px(4.0), y, self.bar(), side);
            let alone = self.block_of(self.slots - 1).0 == block;
            return self.labelled(bar, Rect::new(bar.right(), y, px(5.0), side), alone);
        }
        let end = y + rows * pitch - self.gap;
        if self.tail() {
            let h = self.bar().min(self.gap).max(1);
            return self.labelled(Rect::new(x, end + (self.gap - h) / 2, side, h), Rect::default(), false);
        }
        let bar = Rect::new(x - px(4.0), end + px(3.0), side + px(8.0), self.bar());
        let hatch = Rect::new(x, bar.bottom(), side, px(7.0));
        if !self.labelled {
            return self.labelled(bar, hatch, true);
        }
        Wall { bar, hatch, label: (x, hatch.bottom() + px(10.0)), side: Side::Below }
    }

    /// The label right of the wall where `beside` and the width allow, else below the stage.
    fn labelled(&self, bar: Rect, hatch: Rect, beside: bool) -> Wall {
        let px = |css: f64| self.scale.px(css);
        let x = bar.right().max(hatch.right()) + px(5.0);
        if !self.labelled || beside && x + px(LABEL) <= self.width {
            return Wall { bar, hatch, label: (x, bar.y + bar.h / 2), side: Side::Right };
        }
        let bottom = self.bottom.max(bar.bottom());
        // Among slots in use the label ends under the bar.
        let end = if self.tail() { bar.right().max(px(90.0)).min(self.width) } else { self.width };
        Wall { bar, hatch, label: (end - px(2.0), bottom + px(12.0)), side: Side::End }
    }

    /// Places that complete the wall's row of cells and stand beyond the ceiling.
    fn stumps(&self) -> Vec<Rect> {
        if self.level != Level::Cells || self.tail() || self.ceiling == 0 {
            return Vec::new();
        }
        let last = self.rect_at_ceiling();
        let (_, within) = self.block_of(self.last_unit());
        let pitch = self.box_w + self.gap;
        (1..10 - within as i32 % 10).map(|k| Rect { x: last.x + k * pitch, ..last }).collect()
    }
}

/// The wall with its label, the number of the first slot above each block, and the captions of
/// groups. Drawn once a layout.
pub fn wall<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette, words: &impl Words) -> Drawn<DB> {
    if let Some(halves) = layout.halves() {
        return halves.into_iter().try_for_each(|(head, half)| {
            wall(to, half, palette, words)?;
            let place = Rect::new(half.left, half.top - half.scale.px(CAPTION + 4.0), half.width - half.left, 0);
            caption(to, place, half.scale, palette.lane(head.lane).ink, &words.side(head))
        });
    }
    let wall = layout.wall();
    let forbidden = Ink(palette.line_2, layout.scale.line(1.2));
    bar(to, layout, palette)?;
    hatch::stripes(to, wall.hatch, layout.scale.px(7.0), forbidden)?;
    for rect in layout.stumps() {
        hatch::stripes(to, rect, layout.scale.px(4.0), Ink(palette.line_2, layout.scale.line(1.0)))?;
    }
    if layout.labelled {
        label(to, layout, &wall, palette, words)?;
    }
    let face = Face { size: layout.scale.0 * 12.0, bold: false, colour: palette.ink_3, anchor: Anchor::Left };
    for (first, at) in layout.block_labels() {
        pen::text(to, &words.number(first), at, face)?;
    }
    let caption = Face { bold: true, colour: palette.ink_2, ..face };
    layout.captions().into_iter().try_for_each(|(group, at)| pen::text(to, &words.group(&group), at, caption))
}

/// The bar alone: where it stands in the gap between two boxes it is drawn again with them.
pub(super) fn bar<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette) -> Drawn<DB> {
    if let Some(halves) = layout.halves() {
        return halves.into_iter().try_for_each(|(_, half)| bar(to, half, palette));
    }
    pen::fill(to, layout.wall().bar, palette.ink)
}

/// The words above a half: whose it is at its left, what its wall is at its right where both fit.
fn caption<DB: DrawingBackend>(
    to: &mut DB,
    place: Rect,
    scale: Scale,
    colour: Colour,
    [name, wall]: &[String; 2],
) -> Drawn<DB> {
    let px = |css: f64| scale.px(css);
    let face = Face { size: scale.0 * 12.0, bold: true, colour, anchor: Anchor::Left };
    let wide = |words: &str| to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32);
    let both = format!("{name} · {wall}");
    let fits = place.x + wide(&both) <= place.right() - px(2.0);
    pen::text(to, if fits { &both } else { name }, (place.x, place.y + px(CAPTION / 2.0)), face)
}

fn label<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    wall: &Wall,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let px = |css: f64| layout.scale.px(css);
    let (at, size) = (wall.label, layout.scale.0 * 12.0);
    let anchor = if wall.side == Side::End { Anchor::Right } else { Anchor::Left };
    let face = Face { size, bold: true, colour: palette.ink, anchor };
    let label = words.ceiling(layout.ceiling);
    let wide = to.estimate_text_size(&label, &face).map_or(0, |(width, _)| width as i32);
    let tall = wall.bar.h >= px(70.0);
    let stacked = wall.side == Side::Right && (tall || at.0 + wide > layout.width);
    let Some((word, number)) = label.rsplit_once(' ').filter(|_| stacked) else {
        return pen::text(to, &label, at, face);
    };
    // One word a line; beside a row of tiles the lines stand closer.
    let half = px(if tall { 9.0 } else { 7.0 });
    pen::text(to, word, (at.0, at.1 - half), Face { bold: false, ..face })?;
    let sizes = if tall { [16.0, 14.0, 12.0] } else { [12.0; 3] };
    let [large, middle, least] = sizes.map(|css| Face { size: layout.scale.0 * css, ..face });
    let fits = |face: &Face| to.estimate_text_size(number, face).is_ok_and(|(w, _)| at.0 + w as i32 <= layout.width);
    let face = [large, middle].into_iter().find(fits).unwrap_or(least);
    pen::text(to, number, (at.0, at.1 + half), face)?;
    let rounding = words.rounding(layout.ceiling);
    if tall && !rounding.is_empty() {
        let quiet = Face { size, bold: false, colour: palette.ink_3, ..face };
        // Where the words do not fit beside the wall, they stand below each other.
        let whole = to.estimate_text_size(&rounding, &quiet).is_ok_and(|(w, _)| at.0 + w as i32 <= layout.width);
        let lines = if whole { vec![rounding.as_str()] } else { rounding.split(' ').collect() };
        for (line, words) in (3..).zip(lines) {
            pen::text(to, words, (at.0, at.1 + half * line + px(6.0) * (line - 3)), quiet)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Scale;

    #[test]
    fn the_wall_stands_after_the_last_slot_of_the_ceiling() {
        for width in [358.0, 756.0] {
            for slots in [1, 6, 8, 24, 100, 1_000, 5_000, 10_000] {
                let layout = Layout::new(slots, slots, width, Scale(1.0));
                let (last, wall) = (layout.rect(slots - 1), layout.wall());
                assert!(wall.bar.x >= last.right(), "{slots}: {wall:?} {last:?}");
                assert!(wall.hatch.right() <= layout.width, "{slots}: {wall:?}");
            }
        }
    }

    #[test]
    fn under_a_part_of_a_block_the_wall_lies() {
        let layout = Layout::new(1_250, 1_250, 756.0, Scale(1.0));
        let (last, wall) = (layout.rect(1_249), layout.wall());
        assert!(wall.bar.y >= last.bottom() && wall.bar.w > wall.bar.h);
        assert_eq!(wall.side, Side::Below);
        assert!(wall.label.1 < layout.height);
        // 1,253: the row's other seven places are beyond the ceiling.
        assert_eq!(Layout::new(0, 1_253, 756.0, Scale(1.0)).stumps().len(), 7);
        assert!(layout.stumps().is_empty());
    }

    #[test]
    fn a_wall_among_slots_in_use_covers_none_of_them() {
        for width in [358.0, 756.0] {
            for (slots, ceiling) in
                [(8, 5), (6, 3), (20, 10), (20, 16), (120, 50), (900, 420), (900, 500), (9_000, 5_000)]
            {
                let layout = Layout::new(slots, ceiling, width, Scale(1.0));
                let wall = layout.wall();
                let free = |slot: u32| {
                    let (a, b) = (layout.rect(slot), wall.bar);
                    a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y
                };
                assert!((0..slots).all(free), "{slots} over {ceiling} at {width}: {wall:?}");
            }
        }
    }

    #[test]
    fn a_full_field_has_the_wall_along_all_its_rows() {
        let layout = Layout::new(0, 10_000, 756.0, Scale(1.0));
        assert!(layout.wall().bar.y <= layout.rect(0).y && layout.wall().bar.bottom() >= layout.rect(9_999).bottom());
        assert_eq!(layout.wall().side, Side::Right);
    }
}

//! Where the boxes stand.

use crate::geometry::{Rect, Scale};

/// How much of a task a slot shows, by the number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Up to 8: name, state, time; one row, three to a row where it is narrow.
    Cards,
    /// Up to 24: name and state; rows of eight, four where it is narrow.
    Boxes,
    /// Up to 160: a glyph.
    Tiles,
    /// Above: cells in blocks of a hundred with the first slot's number above each block.
    Cells,
}

/// Width in CSS pixels below which cards stand three to a row.
const NARROW: f64 = 520.0;
/// Room at the right for the wall and its label, where there is room for it.
const WALL_GUTTER: f64 = 74.0;
/// The same where it is narrow: the wall only, its label stands below.
const WALL_GUTTER_NARROW: f64 = 14.0;
/// Space above the first row and below the last one: the selection ring and the wall reach there.
const PAD: f64 = 8.0;
/// Narrowest box with words, in CSS pixels.
const BOX_LEAST: f64 = 74.0;
/// Cells are chosen so small that the blocks stay below this height, as far as they can.
const CELLS_HEIGHT: f64 = 270.0;
const TILES_HEIGHT: f64 = 150.0;

/// The places of all slots for one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// How much a slot shows.
    pub level: Level,
    /// Number of slots.
    pub slots: u32,
    /// The wall stands after this many slots.
    pub ceiling: u32,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// Width of the picture in device pixels.
    pub width: i32,
    /// Height of the picture in device pixels.
    pub height: i32,
    columns: i32,
    box_w: i32,
    box_h: i32,
    gap: i32,
    top: i32,
    /// Blocks of a hundred: cells beside each other in one row of blocks, else 0.
    blocks_per_row: i32,
    narrow: bool,
}

impl Layout {
    /// The layout for a frame: `slots` in use so far, the ceiling, and the width in CSS pixels.
    pub fn new(slots: u32, ceiling: u32, css_width: f64, scale: Scale) -> Layout {
        let slots = slots.max(ceiling);
        let narrow = css_width < NARROW;
        let room = css_width - if narrow { WALL_GUTTER_NARROW } else { WALL_GUTTER };
        match slots {
            0..=8 => Self::cards(slots, room, narrow),
            9..=24 => Self::boxes(room),
            25..=160 => Self::tiles(slots, room),
            _ => Self::cells(slots, room),
        }
        .finish(slots, ceiling, css_width, scale, narrow)
    }

    fn cards(slots: u32, room: f64, narrow: bool) -> Plan {
        let columns = if narrow { 3 } else { slots.max(1) };
        let gap = 10.0;
        let width = (room - gap * f64::from(columns - 1)) / f64::from(columns);
        let (w, h) = if narrow { (width, 64.0) } else { (width.min(150.0), 86.0) };
        Plan { level: Level::Cards, columns, w, h, gap, per_row: 0 }
    }

    fn boxes(room: f64) -> Plan {
        let gap = 8.0;
        // As many as leave room for the longest state word beside the name's glyph, up to 8.
        let columns = ((room + gap) / (BOX_LEAST + gap)).floor().clamp(3.0, 8.0) as u32;
        let w = ((room - gap * f64::from(columns - 1)) / f64::from(columns)).min(110.0);
        Plan { level: Level::Boxes, columns, w, h: 50.0, gap, per_row: 0 }
    }

    /// The largest tile between 18 and 28 pixels that keeps the stage flat.
    fn tiles(slots: u32, room: f64) -> Plan {
        let plan = |size: f64| {
            let columns = ((room + 4.0) / (size + 4.0)).floor().max(1.0) as u32;
            Plan { level: Level::Tiles, columns, w: size, h: size, gap: 4.0, per_row: 0 }
        };
        let sizes = [28.0, 26.0, 24.0, 22.0, 20.0];
        let flat = |plan: &Plan| f64::from(slots.div_ceil(plan.columns)) * (plan.h + plan.gap) <= TILES_HEIGHT;
        sizes.into_iter().map(plan).find(flat).unwrap_or_else(|| plan(18.0))
    }

    /// The largest cell between 3 and 12 pixels whose blocks fit.
    fn cells(slots: u32, room: f64) -> Plan {
        let blocks = slots.div_ceil(100);
        let plan = |(size, gap): (f64, f64)| {
            let side = 10.0 * (size + gap) + BLOCK_GAP;
            let per_row = ((room + BLOCK_GAP) / side).floor().max(1.0) as u32;
            Plan { level: Level::Cells, columns: 10, w: size, h: size, gap, per_row }
        };
        let sizes = [(11.0, 2.0), (9.0, 2.0), (7.0, 2.0), (6.0, 1.0), (4.0, 1.0)];
        let fits = |plan: &Plan| {
            let side = 10.0 * (plan.h + plan.gap) + BLOCK_LABEL + BLOCK_GAP;
            f64::from(blocks.div_ceil(plan.per_row)) * side <= CELLS_HEIGHT
        };
        sizes.into_iter().map(plan).find(fits).unwrap_or_else(|| plan((3.0, 0.0)))
    }

    /// The box of a slot.
    pub fn rect(&self, slot: u32) -> Rect {
        let slot = slot as i32;
        if self.level != Level::Cells {
            let (column, row) = (slot % self.columns, slot / self.columns);
            let x = column * (self.box_w + self.gap) + self.left();
            return Rect::new(x, self.top + row * (self.box_h + self.gap), self.box_w, self.box_h);
        }
        let block = self.block(slot / 100);
        let within = slot % 100;
        let x = block.x + within % 10 * (self.box_w + self.gap);
        Rect::new(x, block.y + within / 10 * (self.box_h + self.gap), self.box_w, self.box_h)
    }

    /// The slot at a point in device pixels; boxes own the gap around them.
    pub fn slot_at(&self, x: i32, y: i32) -> Option<u32> {
        let half = self.gap / 2 + 1;
        let hit = |slot: u32| slot < self.slots && self.rect(slot).inset(-half).contains(x, y);
        if self.level != Level::Cells {
            let column = (x - self.left() + half).max(0) / (self.box_w + self.gap).max(1);
            let row = (y - self.top + half).max(0) / (self.box_h + self.gap).max(1);
            let slot = u32::try_from(row * self.columns + column).ok()?;
            return (column < self.columns && hit(slot)).then_some(slot);
        }
        let (bw, bh) = self.block_pitch();
        let block = (y - self.top).max(0) / bh * self.blocks_per_row + (x - self.left()).max(0) / bw;
        let origin = self.block(block);
        let column = ((x - origin.x + half) / (self.box_w + self.gap).max(1)).clamp(0, 9);
        let row = ((y - origin.y + half) / (self.box_h + self.gap).max(1)).clamp(0, 9);
        let slot = u32::try_from(block * 100 + row * 10 + column).ok()?;
        hit(slot).then_some(slot)
    }

    /// The blocks' first slot numbers (from 1), of every second one where they are small, and the place of that label: left edge, middle of its height.
    pub fn block_labels(&self) -> Vec<(u32, (i32, i32))> {
        if self.level != Level::Cells {
            return Vec::new();
        }
        // Small blocks have no room for a number each.
        let every = if self.block_pitch().0 < self.scale.px(56.0) { 2 } else { 1 };
        (0..self.slots.div_ceil(100))
            .filter(|k| (*k as i32 % self.blocks_per_row) % every == 0)
            .map(|k| {
                let block = self.block(k as i32);
                (k * 100 + 1, (block.x, block.y - self.scale.px(BLOCK_LABEL / 2.0)))
            })
            .collect()
    }

    /// The wall after the last slot under the ceiling: a bar with hatching to its right.
    pub fn wall(&self) -> Rect {
        let px = |css| self.scale.px(css);
        let width = px(11.0);
        if self.ceiling == 0 {
            return Rect::new(self.left(), self.top, width, px(50.0));
        }
        let last = self.rect(self.ceiling - 1);
        let x = last.right() + px(4.0).max(self.gap / 2);
        if self.level == Level::Cells {
            let block = self.block((self.ceiling as i32 - 1) / 100);
            let rows = if self.ceiling.is_multiple_of(100) { 10 } else { (self.ceiling as i32 % 100 + 9) / 10 };
            let right = block.x + 10 * (self.box_w + self.gap);
            return Rect::new(right + px(1.0), block.y, px(8.0), rows * (self.box_h + self.gap));
        }
        let reach = if self.level == Level::Tiles { 0 } else { px(4.0) };
        Rect::new(x, last.y - reach, if self.narrow { px(8.0) } else { width }, last.h + 2 * reach)
    }

    /// Where the wall's label stands: a point, and true when the text ends there (below a narrow stage).
    pub fn wall_label(&self) -> ((i32, i32), bool) {
        let wall = self.wall();
        let room = self.scale.px(WALL_GUTTER - 26.0);
        if wall.right() + room <= self.width {
            return ((wall.right() + self.scale.px(5.0), wall.y + wall.h / 2), false);
        }
        ((self.width - self.scale.px(2.0), self.height - self.scale.px(9.0)), true)
    }

    fn left(&self) -> i32 {
        self.scale.px(4.0)
    }

    fn block_pitch(&self) -> (i32, i32) {
        let side = 10 * (self.box_w + self.gap) + self.scale.px(BLOCK_GAP);
        (side, side + self.scale.px(BLOCK_LABEL))
    }

    /// Left top corner of a block's first cell.
    fn block(&self, block: i32) -> Rect {
        let (bw, bh) = self.block_pitch();
        let (column, row) = (block % self.blocks_per_row, block / self.blocks_per_row);
        Rect::new(self.left() + column * bw, self.top + row * bh + self.scale.px(BLOCK_LABEL), 0, 0)
    }
}

const BLOCK_GAP: f64 = 12.0;
const BLOCK_LABEL: f64 = 16.0;

/// Sizes in CSS pixels before they are rounded.
struct Plan {
    level: Level,
    columns: u32,
    w: f64,
    h: f64,
    gap: f64,
    per_row: u32,
}

impl Plan {
    fn finish(self, slots: u32, ceiling: u32, css_width: f64, scale: Scale, narrow: bool) -> Layout {
        let mut layout = Layout {
            level: self.level,
            slots,
            ceiling,
            scale,
            width: scale.px(css_width),
            height: 0,
            columns: self.columns as i32,
            // Rounded down, so that the last box of a row stays inside.
            box_w: ((self.w * scale.0).floor() as i32).max(1),
            box_h: ((self.h * scale.0).floor() as i32).max(1),
            gap: (self.gap * scale.0).floor() as i32,
            top: scale.px(PAD),
            blocks_per_row: self.per_row as i32,
            narrow,
        };
        let bottom = match slots {
            0 => layout.top + scale.px(58.0),
            _ if layout.level == Level::Cells => {
                let (_, pitch) = layout.block_pitch();
                layout.top + slots.div_ceil(100).div_ceil(self.per_row) as i32 * pitch
            }
            _ => layout.rect(slots - 1).bottom() + scale.px(PAD),
        };
        layout.height = bottom;
        if layout.wall_label().1 {
            layout.height += scale.px(16.0);
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(slots: u32, width: f64) -> Layout {
        Layout::new(slots, slots, width, Scale(1.0))
    }

    #[test]
    fn the_level_follows_the_number_of_slots() {
        for (slots, level) in [
            (1, Level::Cards),
            (8, Level::Cards),
            (9, Level::Boxes),
            (24, Level::Boxes),
            (25, Level::Tiles),
            (160, Level::Tiles),
            (161, Level::Cells),
            (20_000, Level::Cells),
        ] {
            assert_eq!(layout(slots, 756.0).level, level, "{slots}");
        }
        // The ceiling counts, and so do slots that are in use above it.
        assert_eq!(Layout::new(4, 9, 756.0, Scale(1.0)).level, Level::Boxes);
        assert_eq!(Layout::new(9, 4, 756.0, Scale(1.0)).slots, 9);
    }

    #[test]
    fn boxes_never_overlap_and_stay_inside() {
        for width in [358.0, 756.0, 1200.0] {
            for scale in [1.0, 2.0, 2.625] {
                for slots in [1, 3, 6, 8, 9, 17, 24, 25, 100, 160, 161, 1000, 2500, 10_000] {
                    let layout = Layout::new(slots, slots, width, Scale(scale));
                    let rects: Vec<Rect> = (0..slots).map(|slot| layout.rect(slot)).collect();
                    for rect in &rects {
                        assert!(rect.x >= 0 && rect.y >= 0, "{slots} at {width}");
                        assert!(
                            rect.right() <= layout.width,
                            "{slots} at {width} x {scale}: {rect:?} of {}",
                            layout.width
                        );
                        assert!(rect.bottom() <= layout.height, "{slots} at {width}");
                    }
                    for pair in rects.windows(2) {
                        let beside = pair[1].x >= pair[0].right();
                        let below = pair[1].y >= pair[0].bottom();
                        assert!(beside || below || pair[1].y < pair[0].y, "{slots} at {width}: {pair:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_point_in_a_box_finds_its_slot() {
        for slots in [1, 6, 24, 100, 161, 1000, 10_000] {
            let layout = Layout::new(slots, slots, 756.0, Scale(2.0));
            for slot in (0..slots).step_by(7) {
                let rect = layout.rect(slot);
                assert_eq!(layout.slot_at(rect.x + rect.w / 2, rect.y + rect.h / 2), Some(slot), "{slots}");
            }
            assert_eq!(layout.slot_at(layout.width - 1, layout.height - 1), None);
        }
    }

    #[test]
    fn the_wall_stands_after_the_last_slot_of_the_ceiling() {
        for slots in [1, 6, 8, 24, 100, 200, 1000] {
            let layout = layout(slots, 756.0);
            let last = layout.rect(slots - 1);
            let wall = layout.wall();
            assert!(wall.x >= last.right(), "{slots}: {wall:?} {last:?}");
            assert!(wall.right() <= layout.width, "{slots}: {wall:?}");
        }
    }

    #[test]
    fn cards_stand_three_to_a_row_on_a_phone() {
        let layout = layout(6, 358.0);
        assert_eq!(layout.rect(2).y, layout.rect(0).y);
        assert!(layout.rect(3).y > layout.rect(0).y);
        assert!(layout.rect(0).w >= 100);
    }

    #[test]
    fn a_service_without_tasks_has_a_wall_and_no_slots() {
        let layout = layout(0, 756.0);
        assert_eq!(layout.slots, 0);
        assert_eq!(layout.slot_at(10, 10), None);
        assert!(layout.wall().bottom() <= layout.height);
    }
}

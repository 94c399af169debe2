//! Where the boxes stand.

use std::ops::Range;
use std::rc::Rc;

use super::group::{Group, Order};
use super::plan::{
    self, BLOCK_GAP, BLOCK_LABEL, CAPTION, HUNDRED, LEFT, Level, NARROW, PAD, Plan, TABLE, TABLE_RIGHT,
    WALL_LABEL_CELLS, plan,
};
use super::wall::Side;
use super::walls::{Half, Walls};
use crate::geometry::{Rect, Scale};

/// Least width in CSS pixels for wires between traffic strip and cards.
const WIRES_LEAST: f64 = 480.0;

/// What a stage is laid out for.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Width of the picture in CSS pixels.
    pub css_width: f64,
    /// Height in CSS pixels that the stage stays under as far as its level has smaller boxes;
    /// `None`, the default, for the usual sizes. Squares of a hundred do not ask.
    pub css_height: Option<f64>,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// The traffic strip stands directly above and its wires end in the cards; false by default.
    pub wires: bool,
    /// A row of cards leaves room for a task beyond the wall; false by default.
    pub ghost: bool,
    /// One low row, for several stages below each other; false by default.
    pub row: bool,
    /// Another order than by slot; `None` by default.
    pub order: Option<Rc<Order>>,
    /// It is one of two halves beside each other, the wall's label is in its caption; `None` by default.
    pub half: Option<Half>,
}

impl Site {
    /// A site with the defaults.
    pub fn new(css_width: f64, scale: Scale) -> Site {
        Site { css_width, css_height: None, scale, wires: false, ghost: false, row: false, order: None, half: None }
    }
}

/// A box: where it stands and how much it shows.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub rect: Rect,
    pub level: Level,
    pub scale: Scale,
}

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
    pub(super) columns: i32,
    pub(super) box_w: i32,
    pub(super) box_h: i32,
    pub(crate) gap: i32,
    pub(crate) left: i32,
    pub(super) top: i32,
    /// Blocks beside each other, 0 at other levels.
    pub(super) per_row: i32,
    /// Between two blocks.
    block_gap: i32,
    /// Above a block, for its number.
    block_label: i32,
    pub(super) narrow: bool,
    /// Bottom of the lowest box.
    pub(super) bottom: i32,
    wired: bool,
    order: Option<Rc<Order>>,
    sections: Vec<Section>,
    /// A label hangs on the wall.
    pub(super) labelled: bool,
    pub(super) walls: Option<Box<Walls>>,
}

/// Units that stand together: all of them, or a group's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// Its first unit.
    pub first: u32,
    /// Number of its units.
    pub units: u32,
    /// Top of its first row of boxes.
    pub y: i32,
    /// Its first block of cells.
    pub block: u32,
}

impl Layout {
    /// The layout by slot for a frame: `slots` in use so far, the ceiling, and the width in CSS pixels.
    pub fn new(slots: u32, ceiling: u32, css_width: f64, scale: Scale) -> Layout {
        Layout::on(slots, ceiling, &Site::new(css_width, scale))
    }

    /// The layout for a frame: `slots` in use so far, and the ceiling. An order made for another
    /// number of slots is left out.
    pub fn on(slots: u32, ceiling: u32, site: &Site) -> Layout {
        let slots = slots.max(ceiling);
        let Plan { level, columns, w, h, gap, per_row } = match site.half {
            Some(Half { total, slots, .. }) => plan::half(total, slots, site.css_width, site.css_height),
            None if site.row => plan::row(slots, site.css_width),
            None => plan(slots, site.css_width, site.css_height, site.ghost),
        };
        let scale = site.scale;
        let (left, caption) = site.half.map_or((0.0, 0.0), |half| (half.left, CAPTION));
        let floor = |css: f64| (css * scale.0).floor() as i32;
        let mut layout = Layout {
            level,
            slots,
            ceiling,
            scale,
            width: scale.px(left + site.css_width),
            height: 0,
            columns: columns as i32,
            // Rounded down, so that the last box of a row stays inside.
            box_w: floor(w).max(1),
            box_h: floor(h).max(1),
            gap: floor(gap),
            left: scale.px(left + LEFT),
            top: scale.px(PAD + caption),
            per_row: per_row as i32,
            block_gap: scale.px(BLOCK_GAP),
            block_label: scale.px(BLOCK_LABEL),
            narrow: site.css_width < if site.half.is_some() { NARROW / 2.0 } else { NARROW },
            bottom: 0,
            wired: false,
            order: site.order.clone().filter(|order| level != Level::Far && order.len() == slots && !order.is_empty()),
            sections: Vec::new(),
            labelled: site.half.is_none(),
            walls: None,
        };
        layout.wired =
            site.wires && level == Level::Cards && slots <= columns && slots > 0 && site.css_width >= WIRES_LEAST;
        layout.sections = layout.divide();
        layout.bottom = match layout.units() {
            0 => layout.top + scale.px(50.0),
            units if level == Level::Cells => layout.block(layout.block_of(units - 1).0).1 + layout.block_side(),
            units => layout.unit_rect(units - 1).bottom(),
        };
        let wall = layout.wall();
        let below = if wall.side == Side::End { scale.px(16.0) } else { 0 };
        let label = if wall.side == Side::Below { wall.label.1 + scale.px(8.0) } else { 0 };
        layout.height =
            layout.bottom.max(wall.hatch.bottom()).max(label).max(wall.bar.bottom()) + scale.px(PAD) + below;
        layout
    }

    /// The groups' sections, or one for all.
    fn divide(&self) -> Vec<Section> {
        let Some(order) = &self.order else {
            return vec![Section { first: 0, units: self.units(), y: self.top, block: 0 }];
        };
        let caption = self.scale.px(CAPTION);
        let (mut y, mut block) = (self.top, 0);
        let section = |group: &Group| {
            let section = Section { first: group.first, units: group.slots, y: y + caption, block };
            let rows = (group.slots as i32 + self.columns - 1) / self.columns;
            y += caption + rows * (self.box_h + self.gap);
            block += group.slots.div_ceil(HUNDRED);
            section
        };
        order.groups().iter().map(section).collect()
    }

    /// Number of boxes: slots, or squares of a hundred.
    pub(super) fn units(&self) -> u32 {
        if let Some(walls) = &self.walls {
            return walls.units();
        }
        if self.level == Level::Far { self.slots.div_ceil(HUNDRED) } else { self.slots }
    }

    /// The box a slot is drawn in: its place in the order, or its square.
    pub(super) fn unit(&self, slot: u32) -> u32 {
        match &self.order {
            _ if let Some(walls) = &self.walls => walls.unit(slot),
            _ if self.level == Level::Far => slot / HUNDRED,
            Some(order) => order.place(slot),
            None => slot,
        }
    }

    /// The first slot of a box.
    pub(super) fn first_slot(&self, unit: u32) -> u32 {
        match &self.order {
            _ if let Some(walls) = &self.walls => walls.first_slot(unit),
            _ if self.level == Level::Far => unit * HUNDRED,
            Some(order) => order.slot(unit),
            None => unit,
        }
    }

    /// The slots that share a box with `slot`: itself, or the hundred of a square.
    pub fn span(&self, slot: u32) -> Range<u32> {
        if self.level != Level::Far {
            return slot..slot + 1;
        }
        let first = slot / HUNDRED * HUNDRED;
        first..(first + HUNDRED).min(self.slots).max(first)
    }

    /// The first slot of the box in which a slot is drawn; `None` where it is not shown.
    pub(super) fn box_of(&self, slot: u32) -> Option<u32> {
        self.holds(slot).then(|| self.first_slot(self.unit(slot)))
    }

    /// The slots that share a box with `slot`, in their order.
    pub fn members(&self, slot: u32) -> Vec<u32> {
        match &self.walls {
            Some(walls) => walls.members(walls.unit(slot)),
            None => self.span(slot).collect(),
        }
    }

    /// Slots of the hundred from `first` on that stand before the wall.
    pub(super) fn allowed(&self, first: u32) -> u32 {
        if let Some(walls) = &self.walls {
            return walls.place(first).map_or(0, |(part, place)| part.allowed(place));
        }
        self.ceiling.saturating_sub(first).min(HUNDRED)
    }

    /// True for a slot that stands beyond the ceiling.
    pub fn beyond(&self, slot: u32) -> bool {
        if let Some(walls) = &self.walls {
            return walls.place(slot).is_none_or(|(part, place)| part.beyond(place));
        }
        self.order.as_ref().map_or(slot, |order| order.place(slot)) >= self.ceiling
    }

    /// True when the wires of the traffic strip end in the cards.
    pub fn wired(&self) -> bool {
        self.wired
    }

    /// Height of a box in device pixels.
    pub(crate) fn card_height(&self) -> i32 {
        self.box_h
    }

    /// Boxes beside each other; for cells those of a block.
    pub fn columns(&self) -> u32 {
        self.columns as u32
    }

    /// Right edge of the boxes in device pixels: the traffic strip ends there too.
    pub fn right(&self) -> i32 {
        if let Some(walls) = &self.walls {
            return walls.right();
        }
        match self.level {
            Level::Cells => {
                let blocks = self.block_of(self.units().max(1) - 1).0 as i32 + 1;
                self.left + blocks.min(self.per_row) * self.block_pitch().0 - self.block_gap
            }
            Level::Cards if self.slots > 0 => self.left + self.row(self.columns.min(self.slots as i32)),
            _ => self.left + self.row(self.columns),
        }
    }

    fn row(&self, boxes: i32) -> i32 {
        boxes * (self.box_w + self.gap) - self.gap
    }

    /// The box of a slot.
    pub fn rect(&self, slot: u32) -> Rect {
        self.unit_rect(self.unit(slot))
    }

    /// The box of a slot with what it shows.
    pub(super) fn spot(&self, slot: u32) -> Spot {
        Spot { rect: self.rect(slot), level: self.level, scale: self.scale }
    }

    pub(super) fn section(&self, unit: u32) -> &Section {
        let at = self.sections.partition_point(|section| section.first <= unit).max(1) - 1;
        &self.sections[at]
    }

    pub(super) fn unit_rect(&self, unit: u32) -> Rect {
        if let Some(walls) = &self.walls {
            return walls.part(unit).map_or_else(Rect::default, |(part, unit)| part.unit_rect(unit));
        }
        let (px, py) = (self.box_w + self.gap, self.box_h + self.gap);
        if self.level == Level::Cells {
            let (block, within) = self.block_of(unit);
            let (x, y) = self.block(block);
            let within = within as i32;
            return Rect::new(x + within % 10 * px, y + within / 10 * py, self.box_w, self.box_h);
        }
        let section = self.section(unit);
        let within = unit as i32 - section.first as i32;
        let (column, row) = (within % self.columns, within / self.columns);
        Rect::new(self.left + column * px, section.y + row * py, self.box_w, self.box_h)
    }

    /// The slot at a point in device pixels; boxes own the gap around them. Far away it is the
    /// first slot of the square.
    pub fn slot_at(&self, x: i32, y: i32) -> Option<u32> {
        if let Some(walls) = &self.walls {
            return walls.slot_at(x, y);
        }
        let half = self.gap / 2 + 1;
        let unit = if self.level == Level::Cells { self.cell_at(x, y, half) } else { self.box_at(x, y, half) }?;
        self.unit_rect(unit).inset(-half).contains(x, y).then(|| self.first_slot(unit))
    }

    fn box_at(&self, x: i32, y: i32, half: i32) -> Option<u32> {
        let section = self.sections.iter().rfind(|section| y >= section.y - half)?;
        let column = (x - self.left + half).max(0) / (self.box_w + self.gap).max(1);
        let row = (y - section.y + half).max(0) / (self.box_h + self.gap).max(1);
        let within = u32::try_from(row * self.columns + column).ok()?;
        (column < self.columns && within < section.units).then_some(section.first + within)
    }

    fn cell_at(&self, x: i32, y: i32, half: i32) -> Option<u32> {
        let (bw, bh) = self.block_pitch();
        let column = (x - self.left + half).max(0) / bw;
        let block = u32::try_from((y - self.top).max(0) / bh * self.per_row + column).ok()?;
        let section = self.sections.iter().rfind(|section| section.block <= block)?;
        let (bx, by) = self.block(block);
        let column = ((x - bx + half) / (self.box_w + self.gap).max(1)).clamp(0, 9) as u32;
        let row = ((y - by + half) / (self.box_h + self.gap).max(1)).clamp(0, 9) as u32;
        let within = (block - section.block) * HUNDRED + row * 10 + column;
        (within < section.units).then_some(section.first + within)
    }

    /// Block and place inside it of a cell.
    pub(super) fn block_of(&self, unit: u32) -> (u32, u32) {
        let section = self.section(unit);
        let within = unit - section.first;
        (section.block + within / HUNDRED, within % HUNDRED)
    }

    /// Side of a block of cells.
    pub(super) fn block_side(&self) -> i32 {
        10 * (self.box_w + self.gap) - self.gap
    }

    pub(super) fn block_pitch(&self) -> (i32, i32) {
        let side = self.block_side() + self.block_gap;
        (side, side + self.block_label)
    }

    /// Left top corner of a block's first cell.
    pub(super) fn block(&self, block: u32) -> (i32, i32) {
        let (bw, bh) = self.block_pitch();
        let (column, row) = (block as i32 % self.per_row.max(1), block as i32 / self.per_row.max(1));
        (self.left + column * bw, self.top + row * bh + self.block_label)
    }

    /// The blocks' first slot numbers (from 1), of every second one where they are small, and the
    /// place of that label: left edge, middle of its height. None in a grouped stage.
    pub fn block_labels(&self) -> Vec<(u32, (i32, i32))> {
        if self.level != Level::Cells || self.order.is_some() || self.walls.is_some() {
            return Vec::new();
        }
        // Small blocks have no room for a number each.
        let every = if self.block_pitch().0 < self.scale.px(56.0) { 2 } else { 1 };
        (0..self.slots.div_ceil(HUNDRED))
            .filter(|&k| (k as i32 % self.per_row) % every == 0)
            .map(|k| {
                let (x, y) = self.block(k);
                (k * HUNDRED + 1, (x, y - self.scale.px(BLOCK_LABEL / 2.0)))
            })
            .collect()
    }

    /// The groups and the places of their captions: left edge, middle of its height.
    pub fn captions(&self) -> Vec<(Group, (i32, i32))> {
        let Some(order) = &self.order else { return Vec::new() };
        let place = |(group, section): (&Group, &Section)| {
            let (x, y) = if self.level == Level::Cells { self.block(section.block) } else { (self.left, section.y) };
            (*group, (x, y - self.scale.px(BLOCK_LABEL / 2.0)))
        };
        order.groups().iter().zip(&self.sections).map(place).collect()
    }

    /// Where a table of counts finds room, at the right of the last block of cells, down to the bottom.
    /// Empty at other levels, and where too little is left.
    pub fn free_area(&self) -> Rect {
        if self.level != Level::Cells || self.walls.is_some() || self.units() == 0 {
            return Rect::default();
        }
        let (x, y) = self.block(self.block_of(self.units() - 1).0);
        let px = |css: f64| self.scale.px(css);
        let wall = self.wall();
        let label = if wall.side == Side::Right { wall.label.0 + px(WALL_LABEL_CELLS) } else { 0 };
        let from = (x + self.block_pitch().0).max(label);
        let (top, right) = (y - px(BLOCK_LABEL), self.width - px(TABLE_RIGHT));
        let free = Rect::new(from, top, right - from, self.bottom - top);
        if free.w >= px(TABLE.0) && free.h >= px(TABLE.1) { free } else { Rect::default() }
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
            (2_500, Level::Cells),
            (2_501, Level::Far),
            (20_000, Level::Far),
        ] {
            assert_eq!(layout(slots, 756.0).level, level, "{slots}");
        }
        // The ceiling counts, and so do slots that are in use above it.
        assert_eq!(Layout::new(4, 9, 756.0, Scale(1.0)).level, Level::Boxes);
        assert_eq!(Layout::new(9, 4, 756.0, Scale(1.0)).slots, 9);
    }

    #[test]
    fn a_low_window_has_lower_boxes_and_squares_for_too_many_cells() {
        let low = |slots, height| {
            Layout::on(slots, slots, &Site { css_height: Some(height), ..Site::new(596.0, Scale(1.0)) })
        };
        assert_eq!([low(6, 110.0), low(6, 90.0)].map(|layout| layout.rect(0).h), [86, 64]);
        assert_eq!([low(24, 260.0), low(24, 230.0), low(24, 100.0)].map(|layout| layout.rect(0).h), [50, 44, 38]);
        assert!(low(1_250, 500.0).rect(0).w > low(1_250, 200.0).rect(0).w);
        assert_eq!([low(1_250, 158.0), low(2_500, 158.0)].map(|layout| layout.level), [Level::Cells, Level::Far]);
    }

    #[test]
    fn sizes_stay_those_of_their_level() {
        let side = |slots, width| layout(slots, width).rect(0).w;
        for width in [358.0, 756.0, 1400.0] {
            assert!((18..=28).contains(&side(100, width)), "tiles at {width}");
            assert!((6..=12).contains(&side(1_000, width)), "cells at {width}");
            assert!((6..=12).contains(&side(2_500, width)), "cells at {width}");
            assert!((12..=30).contains(&side(10_000, width)), "squares at {width}");
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
    fn ten_thousand_slots_are_a_hundred_squares_on_a_phone_too() {
        for width in [358.0, 756.0] {
            let layout = layout(10_000, width);
            assert_eq!(layout.units(), 100);
            assert!(layout.height < 260, "{width}: {}", layout.height);
        }
        assert_eq!(layout(10_000, 756.0).columns(), 20);
        assert_eq!(layout(10_000, 756.0).span(9_999), 9_900..10_000);
    }

    #[test]
    fn a_service_without_tasks_has_a_wall_and_no_slots() {
        let layout = layout(0, 756.0);
        assert_eq!(layout.slots, 0);
        assert_eq!(layout.slot_at(10, 10), None);
        assert!(layout.wall().bar.bottom() <= layout.height);
    }

    #[test]
    fn wires_need_one_row_of_cards_and_a_wide_page() {
        let wired =
            |slots, width| Layout::on(slots, slots, &Site { wires: true, ..Site::new(width, Scale(1.0)) }).wired();
        assert!(wired(1, 756.0) && wired(8, 756.0) && wired(3, 500.0));
        for (slots, width) in [(0, 756.0), (9, 756.0), (6, 500.0), (3, 479.0)] {
            assert!(!wired(slots, width), "{slots} at {width}");
        }
        assert!(!layout(4, 756.0).wired());
    }

    #[test]
    fn a_table_finds_room_beside_the_last_block() {
        let tall = Layout::on(0, 1_250, &Site { css_height: Some(520.0), ..Site::new(756.0, Scale(1.0)) });
        let free = tall.free_area();
        assert!(free.x > tall.rect(1_249).right() && free.right() <= tall.width && free.w > 250, "{free:?}");
        assert_eq!(layout(500, 756.0).free_area().w, 0);
        assert_eq!(layout(100, 756.0).free_area(), Rect::default());
    }
}

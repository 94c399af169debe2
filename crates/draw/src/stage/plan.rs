//! How much of a task a slot shows, and how large a slot is, in CSS pixels before rounding.

use crate::geometry::within;

/// How much of a task a slot shows, by the number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Up to 8: name, state, time; one row, three to a row where it is narrow.
    Cards,
    /// Up to 24: name and state; rows of eight, four where it is narrow.
    Boxes,
    /// Up to 160: a glyph.
    Tiles,
    /// Up to 2,500: cells in blocks of a hundred with the first slot's number above each block; far
    /// squares where the window is too low for them.
    Cells,
    /// Above: one square a hundred slots, filled from below by share of state.
    Far,
}

impl Level {
    /// The level for a number of slots.
    pub const fn of(slots: u32) -> Level {
        match slots {
            0..=8 => Level::Cards,
            9..=24 => Level::Boxes,
            25..=160 => Level::Tiles,
            161..=2_500 => Level::Cells,
            _ => Level::Far,
        }
    }

    /// True where a task's name and state are written.
    pub const fn has_words(self) -> bool {
        matches!(self, Level::Cards | Level::Boxes)
    }
}

/// Slots of a block, and of a far square.
pub const HUNDRED: u32 = 100;
/// Width in CSS pixels below which cards stand three to a row.
pub const NARROW: f64 = 520.0;
/// Left edge of the first box: the selection ring reaches there.
pub const LEFT: f64 = 4.0;
/// Space above the first row and below the last one: the selection ring and the wall reach there.
pub const PAD: f64 = 8.0;
/// Space between two blocks of cells.
pub const BLOCK_GAP: f64 = 14.0;
/// Space above a block for its number.
pub const BLOCK_LABEL: f64 = 16.0;
/// Space above a group for its caption.
pub const CAPTION: f64 = 20.0;
/// Room at the right for the wall and its label, where there is room for it.
const WALL_GUTTER: f64 = 74.0;
/// The same where it is narrow: the wall only, its label stands below.
const WALL_GUTTER_NARROW: f64 = 14.0;
/// Room at the right of blocks: the wall stands in the gap after a block.
const WALL_GUTTER_CELLS: f64 = 20.0;
/// Narrowest box with words, in CSS pixels.
const BOX_LEAST: f64 = 74.0;
/// Between the wall and a ghost: the wall's label stands there.
pub const GHOST_AWAY: f64 = 74.0;
/// Cards at most this wide.
const CARD_MOST: f64 = 150.0;
/// Heights of a card and of a box, the first ones by default.
const CARD_HEIGHTS: [f64; 2] = [86.0, 64.0];
const CARD_HEIGHT_NARROW: f64 = 64.0;
const BOX_HEIGHTS: [f64; 3] = [50.0, 44.0, 38.0];
/// Heights that tiles and blocks of cells stay under where they can and nothing else is asked for.
const TILES_HEIGHT: f64 = 150.0;
const CELLS_HEIGHT: f64 = 300.0;
/// Kept below blocks for the table of counts, unless it stands beside them.
pub const COUNTS_BELOW: f64 = 72.0;
/// Width and height of that table beside blocks, and between it and the right edge.
pub const TABLE: (f64, f64) = (230.0, 142.0);
pub const TABLE_RIGHT: f64 = 74.0;
/// The label of a wall beside a full block.
pub const WALL_LABEL_CELLS: f64 = 76.0;
/// The smallest cells may reach so far beyond the height that is asked for; where that is not
/// enough, squares stand in for them.
const CELLS_BEYOND: f64 = 90.0;
/// Height the rows of squares stay under where they can: wide and narrow.
const FAR_HEIGHT: (f64, f64) = (190.0, 240.0);
/// Sides of a far square, in CSS pixels.
const FAR_LEAST: f64 = 12.0;
const FAR_MOST: f64 = 30.0;
/// Squares beside each other: numbers that are easy to multiply by a hundred.
const FAR_COLUMNS: [u32; 8] = [10, 12, 15, 20, 25, 30, 40, 50];

/// Sizes in CSS pixels before they are rounded.
pub struct Plan {
    pub level: Level,
    /// Boxes beside each other; for cells those of a block.
    pub columns: u32,
    pub w: f64,
    pub h: f64,
    pub gap: f64,
    /// Blocks beside each other, 0 at other levels.
    pub per_row: u32,
}

/// Picks the sizes for a number of slots, a width and the height the stage should stay under.
/// `ghost` leaves room for one card more, beyond the wall's label.
pub fn plan(slots: u32, css_width: f64, css_height: Option<f64>, ghost: bool) -> Plan {
    let narrow = css_width < NARROW;
    let level = Level::of(slots);
    let gutter = match level {
        _ if narrow => WALL_GUTTER_NARROW,
        Level::Cells => WALL_GUTTER_CELLS,
        _ => WALL_GUTTER,
    };
    let room = (css_width - gutter).max(60.0);
    match level {
        Level::Cards => cards(slots, room, narrow, css_height, ghost),
        Level::Boxes => boxes(slots, room, css_height),
        Level::Tiles => tiles(slots, room, css_height),
        Level::Cells => {
            let plan = match css_height {
                Some(most) => cells(slots, room, most, COUNTS_BELOW),
                None => cells(slots, room, CELLS_HEIGHT, 0.0),
            };
            let beyond = css_height.is_some_and(|most| blocks_height(&plan, slots) > most + CELLS_BEYOND);
            if beyond { far(slots, room, narrow) } else { plan }
        }
        Level::Far => far(slots, room, narrow),
    }
}

/// The first of the heights with which so many rows stay under what is asked for, else the last.
fn height<const N: usize>(heights: [f64; N], rows: u32, gap: f64, most: Option<f64>) -> f64 {
    let fits = |h: &f64| most.is_none_or(|most| f64::from(rows) * (h + gap) - gap + 2.0 * PAD <= most);
    heights.into_iter().find(fits).unwrap_or(heights[N - 1])
}

/// How many boxes at least `least` wide stand beside each other.
fn beside(room: f64, least: f64, gap: f64) -> f64 {
    ((room + gap) / (least + gap)).floor()
}

fn cards(slots: u32, room: f64, narrow: bool, most: Option<f64>, ghost: bool) -> Plan {
    let gap = 10.0;
    // The wall's room is there already.
    let beyond = f64::from(slots + 1) * (BOX_LEAST + gap) + GHOST_AWAY;
    let room = if ghost && !narrow && beyond <= room {
        let w = (room - GHOST_AWAY - gap * f64::from(slots)) / f64::from(slots + 1);
        room - GHOST_AWAY - gap - w.min(CARD_MOST)
    } else {
        room
    };
    let fit = beside(room, BOX_LEAST, gap).max(1.0) as u32;
    let columns = match slots.max(1) {
        _ if narrow => 3,
        slots if slots <= fit => slots,
        slots => slots.div_ceil(2),
    };
    let width = (room - gap * f64::from(columns - 1)) / f64::from(columns);
    let h = height(CARD_HEIGHTS, slots.div_ceil(columns), gap, most);
    let (w, h) = if narrow { (width, CARD_HEIGHT_NARROW) } else { (width.min(CARD_MOST), h) };
    Plan { level: Level::Cards, columns, w, h, gap, per_row: 0 }
}

/// Narrowest and widest box of a row in CSS pixels, and its height.
const ROW_BOX: (f64, f64, f64) = (66.0, 84.0, 40.0);
/// Room at the right of a row: the label of its wall stands in one line.
const ROW_GUTTER: f64 = 96.0;
/// Most rows of tiles of a stage that is one row.
const ROW_TILES: u32 = 2;

/// Sizes for a stage that is one low row: boxes where they fit beside each other, then tiles in at most
/// two rows, then squares of a hundred.
pub fn row(slots: u32, css_width: f64) -> Plan {
    let narrow = css_width < NARROW;
    let room = (css_width - if narrow { WALL_GUTTER_NARROW } else { ROW_GUTTER }).max(60.0);
    let (least, most, h) = ROW_BOX;
    let gap = 8.0;
    if f64::from(slots) <= beside(room, least, gap) {
        let columns = slots.max(1);
        let w = ((room - gap * f64::from(columns - 1)) / f64::from(columns)).min(most);
        return Plan { level: Level::Boxes, columns, w, h, gap, per_row: 0 };
    }
    let sizes = [26.0, 22.0, 18.0, 16.0, 14.0];
    let tiles = sizes.into_iter().map(|size| {
        let columns = beside(room, size, 3.0).max(1.0) as u32;
        Plan { level: Level::Tiles, columns, w: size, h: size, gap: 3.0, per_row: 0 }
    });
    let flat = |plan: &Plan| slots.div_ceil(plan.columns) <= if plan.w > 20.0 { 1 } else { ROW_TILES };
    tiles.into_iter().find(flat).unwrap_or_else(|| far(slots, room, narrow))
}

/// Room at the right of a half for its wall.
const HALF_GUTTER: f64 = 22.0;
/// Halves narrower than this in CSS pixels have low cards.
const HALF_LOW: f64 = 240.0;

/// Sizes for one of two halves beside each other: the level follows from the slots of both, the sizes from
/// the larger half. Boxes that find no room for their words are tiles.
pub fn half(total: u32, slots: u32, css_width: f64, css_height: Option<f64>) -> Plan {
    let room = (css_width - HALF_GUTTER).max(60.0);
    let low = css_width < HALF_LOW;
    let words = beside(room, BOX_LEAST, 8.0) >= 3.0;
    match Level::of(total) {
        Level::Cards => {
            let plan = cards(slots, room, false, css_height, false);
            let plan = Plan { h: if low { CARD_HEIGHT_NARROW } else { plan.h }, ..plan };
            let rows = slots.max(1).div_ceil(plan.columns);
            // Two rows of cards in a low window are boxes.
            if css_height.is_some_and(|most| f64::from(rows) * (plan.h + plan.gap) > most) {
                return Plan { level: Level::Boxes, h: height(BOX_HEIGHTS, rows, 8.0, css_height), gap: 8.0, ..plan };
            }
            plan
        }
        Level::Boxes if words => boxes(slots, room, css_height),
        Level::Boxes | Level::Tiles => tiles(slots, room, css_height),
        Level::Cells => {
            let plan = cells(slots, room, css_height.unwrap_or(CELLS_HEIGHT), 0.0);
            let beyond = css_height.is_some_and(|most| blocks_height(&plan, slots) > most + CELLS_BEYOND);
            if beyond { far(slots, room, low) } else { plan }
        }
        Level::Far => far(slots, room, low),
    }
}

/// As many a row as leave room for the longest state word, up to 8.
fn boxes(slots: u32, room: f64, most: Option<f64>) -> Plan {
    let gap = 8.0;
    let columns = within(beside(room, BOX_LEAST, gap), 3.0, 8.0) as u32;
    let w = ((room - gap * f64::from(columns - 1)) / f64::from(columns)).min(110.0);
    let h = height(BOX_HEIGHTS, slots.div_ceil(columns), gap, most);
    Plan { level: Level::Boxes, columns, w, h, gap, per_row: 0 }
}

/// The largest tile between 18 and 28 pixels that keeps the stage flat.
fn tiles(slots: u32, room: f64, most: Option<f64>) -> Plan {
    let plan = |size: f64| {
        let columns = beside(room, size, 4.0).max(1.0) as u32;
        Plan { level: Level::Tiles, columns, w: size, h: size, gap: 4.0, per_row: 0 }
    };
    let sizes = [28.0, 26.0, 24.0, 22.0, 20.0];
    let most = most.map_or(TILES_HEIGHT, |most| most - 2.0 * PAD);
    let flat = |plan: &Plan| f64::from(slots.div_ceil(plan.columns)) * (plan.h + plan.gap) <= most;
    sizes.into_iter().map(plan).find(flat).unwrap_or_else(|| plan(18.0))
}

/// Height in CSS pixels of all rows of blocks.
fn blocks_height(plan: &Plan, slots: u32) -> f64 {
    let side = 10.0 * (plan.h + plan.gap) - plan.gap + BLOCK_LABEL + BLOCK_GAP;
    f64::from(slots.div_ceil(HUNDRED).div_ceil(plan.per_row)) * side
}

/// A table of counts finds room at the right of the last block.
fn table_beside(plan: &Plan, slots: u32, room: f64) -> bool {
    let side = 10.0 * (plan.h + plan.gap) - plan.gap;
    let last = (slots.div_ceil(HUNDRED) - 1) % plan.per_row + 1;
    // Beside a full block the wall stands with its label.
    let label = if slots.is_multiple_of(HUNDRED) { WALL_LABEL_CELLS } else { 0.0 };
    let from = LEFT + f64::from(last) * (side + BLOCK_GAP) + label;
    room + WALL_GUTTER_CELLS - TABLE_RIGHT - from >= TABLE.0 && side + BLOCK_LABEL >= TABLE.1
}

/// The largest cell between 6 and 12 pixels whose blocks fit; with a table beside them they may be
/// higher by `spare`, which the table would need below them.
fn cells(slots: u32, room: f64, height: f64, spare: f64) -> Plan {
    let plan = |(size, gap): (f64, f64)| {
        let side = 10.0 * (size + gap) - gap;
        let per_row = beside(room, side, BLOCK_GAP).max(1.0) as u32;
        Plan { level: Level::Cells, columns: 10, w: size, h: size, gap, per_row }
    };
    let sizes = [(12.0, 2.0), (11.0, 2.0), (10.0, 2.0), (9.0, 2.0), (8.0, 2.0), (7.0, 2.0), (7.0, 1.0)];
    let fits = |plan: &Plan| {
        let spare = if table_beside(plan, slots, room) { spare } else { 0.0 };
        blocks_height(plan, slots) <= height + spare
    };
    sizes.into_iter().map(plan).find(fits).unwrap_or_else(|| plan((6.0, 1.0)))
}

/// The largest squares that keep the stage flat, in rows of an easy number; the widest such rows.
fn far(slots: u32, room: f64, narrow: bool) -> Plan {
    let squares = slots.div_ceil(HUNDRED);
    let gap = 4.0;
    let most = if narrow { FAR_HEIGHT.1 } else { FAR_HEIGHT.0 };
    let side = |columns: u32| ((room + gap) / f64::from(columns) - gap).floor().min(FAR_MOST);
    let tall = |columns: u32| f64::from(squares.div_ceil(columns)) * (side(columns) + gap);
    let wide = |columns: &u32| side(*columns) >= FAR_LEAST;
    let fitting = FAR_COLUMNS.into_iter().filter(wide).filter(|&columns| tall(columns) <= most);
    // Of equal sides the last, which is the widest row.
    let columns = fitting.max_by(|a, b| side(*a).total_cmp(&side(*b)));
    let flattest = || FAR_COLUMNS.into_iter().filter(wide).min_by(|a, b| tall(*a).total_cmp(&tall(*b)));
    let columns = columns.or_else(flattest).unwrap_or(FAR_COLUMNS[0]);
    let size = side(columns);
    Plan { level: Level::Far, columns, w: size, h: size, gap, per_row: 0 }
}

//! The traffic strip: as long as the healthy count, one unit a task, with the floor on it. Above
//! a row of cards each unit hangs on a wire that ends in its task's card.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::Frame;
use rollscope_engine::frame::{Counts, TaskState};
use rollscope_engine::order;

use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::stage::curve;
use crate::stage::{Layout, Level};
use crate::weights::WEIGHTS_HEIGHT;

/// Height in CSS pixels without wires.
pub const STRIP_HEIGHT: f64 = 28.0;
/// Height in CSS pixels of the wires' band below the strip, above low cards and above high ones.
pub const WIRES_HEIGHT: (f64, f64) = (26.0, 40.0);
/// From this height in CSS pixels on a card is high.
const HIGH: f64 = 80.0;
/// Between the floor mark and its label in CSS pixels.
const AWAY: f64 = 7.0;
/// A floor so near to the end of the strip, in CSS pixels, stands at its end.
const END: f64 = 4.0;
/// Up to this many units are drawn one by one.
const UNITS: u32 = 24;

/// Where the strip's parts lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The whole length: the larger of ceiling and healthy tasks.
    pub well: Rect,
    /// Pieces in the order old, new, further, with their lane.
    pub pieces: Vec<(u8, Rect)>,
    /// x of the floor.
    pub floor: i32,
    /// One for each healthy task above a row of cards, else none.
    pub wires: Vec<Wire>,
}

/// From a unit of the strip to its task's card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Lane of colour.
    pub lane: u8,
    /// The slot it ends in.
    pub slot: u32,
    /// Its corners in device pixels, from the strip to the lower edge of the picture; the stage
    /// draws the rest.
    pub points: Vec<BackendCoord>,
}

/// Height in CSS pixels of the strip above a stage: with its wires where it has any.
pub fn height(layout: &Layout) -> f64 {
    if layout.halves().is_some() {
        return WEIGHTS_HEIGHT;
    }
    let (low, high) = WIRES_HEIGHT;
    let wires = if layout.card_height() < layout.scale.px(HIGH) { low } else { high };
    STRIP_HEIGHT + if layout.wired() { wires } else { 0.0 }
}

/// Lays the strip out above a stage: it ends where the boxes end, and above one row of cards each
/// unit is as wide as a card and has its wire.
pub fn above(frame: &Frame, layout: &Layout) -> Strip {
    let counts = &frame.counts;
    let units = units(counts);
    let left = layout.left;
    if layout.level != Level::Cards || layout.slots > layout.columns() || units > layout.slots {
        return even(counts, left, layout.right() - left, layout.scale);
    }
    let well = well(left, layout.rect(units - 1).right() - left, layout.scale);
    let unit = |unit: u32| Rect { x: layout.rect(unit).x, w: layout.rect(unit).w, ..well };
    let lanes = counts.lanes.iter().enumerate();
    let lanes = lanes.flat_map(|(lane, tasks)| (0..tasks.healthy).map(move |_| lane as u8));
    let pieces: Vec<(u8, Rect)> = lanes.zip(0..units).map(|(lane, k)| (lane, unit(k))).collect();
    let gap = layout.gap / 2;
    let floor = match counts.limits.floor.min(units) {
        0 => well.x,
        floor => layout.rect(floor - 1).right() + gap,
    };
    let wires = if layout.wired() { wires(frame, layout, &pieces) } else { Vec::new() };
    Strip { well, pieces, floor, wires }
}

/// Lays the strip out over a width of its own, above boxes that do not follow the slots.
pub fn along(counts: &Counts, left: i32, right: i32, scale: Scale) -> Strip {
    even(counts, left, right - left, scale)
}

fn units(counts: &Counts) -> u32 {
    counts.limits.ceiling.max(counts.healthy()).max(1)
}

fn well(left: i32, width: i32, scale: Scale) -> Rect {
    Rect::new(left, scale.px(7.0), width, scale.px(14.0))
}

/// Units of one length over a width.
fn even(counts: &Counts, left: i32, width: i32, scale: Scale) -> Strip {
    let units = units(counts);
    let well = well(left, width, scale);
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
    Strip { well, pieces, floor: x(counts.limits.floor.min(units)) - gap / 2, wires: Vec::new() }
}

/// The units of a lane belong to its healthy tasks in the order of their slots, so that the wires
/// of one revision never cross.
fn wires(frame: &Frame, layout: &Layout, pieces: &[(u8, Rect)]) -> Vec<Wire> {
    let bottom = layout.scale.px(height(layout));
    let mut healthy: Vec<(u8, u32)> = frame
        .slots
        .iter()
        .flatten()
        .filter(|task| task.state == TaskState::Healthy && task.slot < layout.slots)
        .map(|task| (task.lane, task.slot))
        .collect();
    order::by_key(&mut healthy, |place| *place);
    let wire = |(&(lane, piece), (_, slot)): (&(u8, Rect), (u8, u32))| {
        let card = layout.rect(slot);
        let (from, to) = ((piece.x + piece.w / 2, piece.bottom() - 1), (card.x + card.w / 2, bottom));
        Wire { lane, slot, points: curve::drop_line(from, to) }
    };
    pieces.iter().zip(healthy).map(wire).collect()
}

/// Draws the strip and its wires; `label` stands beside the floor mark.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    strip: &Strip,
    scale: Scale,
    palette: &Palette,
    label: &str,
) -> Drawn<DB> {
    let (width, height) = to.get_size();
    pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
    let strip = &beside_label(to, strip, scale, label);
    for wire in &strip.wires {
        pen::path(to, wire.points.clone(), Ink(palette.lane(wire.lane).full, scale.line(2.0)))?;
    }
    pen::polygon(to, pen::rounded(strip.well, scale.px(4.0)), palette.inset)?;
    for &(lane, rect) in &strip.pieces {
        pen::polygon(to, pen::rounded(rect, scale.px(3.0)), palette.lane(lane).full)?;
    }
    let half = scale.px(1.0).max(1);
    let mark = Rect::new(strip.floor - half, 1, 2 * half, scale.px(STRIP_HEIGHT) - 2);
    pen::fill(to, Rect { x: mark.x - half, w: 4 * half, ..mark }, palette.surface)?;
    pen::fill(to, mark, palette.ink)?;
    floor_label(to, strip, scale, palette, label)
}

fn label_face(scale: Scale, colour: Colour) -> Face {
    Face { size: scale.0 * 12.0, bold: true, colour, anchor: Anchor::Left }
}

/// The strip, closer together where a floor at its end would leave no room for the label behind the mark. The
/// units of a row of cards stay above their cards.
fn beside_label<DB: DrawingBackend>(to: &DB, strip: &Strip, scale: Scale, label: &str) -> Strip {
    let length = to.estimate_text_size(label, &label_face(scale, Colour(0, 0, 0))).map_or(0, |(w, _)| w as i32);
    let (room, left) = (to.get_size().0 as i32 - scale.px(AWAY) - length, strip.well.x);
    if !strip.wires.is_empty() || strip.floor <= room || strip.floor < strip.well.right() - scale.px(END) {
        return strip.clone();
    }
    let closer = |x: i32| left + (i64::from(x - left) * i64::from(room - left) / i64::from(strip.floor - left)) as i32;
    let place = |rect: Rect| Rect { x: closer(rect.x), w: closer(rect.right()) - closer(rect.x), ..rect };
    Strip {
        well: place(strip.well),
        pieces: strip.pieces.iter().map(|&(lane, rect)| (lane, place(rect))).collect(),
        floor: room,
        wires: Vec::new(),
    }
}

/// Right of the mark where there is room, else left of it. On a unit that is longer than the label
/// it is written in the unit's own way; over the end of one it has a ground.
fn floor_label<DB: DrawingBackend>(
    to: &mut DB,
    strip: &Strip,
    scale: Scale,
    palette: &Palette,
    label: &str,
) -> Drawn<DB> {
    let face = label_face(scale, palette.ink);
    let length = to.estimate_text_size(label, &face).map_or(0, |(w, _)| w as i32);
    let (away, pad, well) = (scale.px(AWAY), scale.px(4.0), strip.well);
    let width = to.get_size().0 as i32;
    let beside = strip.floor + away;
    let from = if beside + length <= width { beside } else { (strip.floor - away - length).max(0) };
    // On the unit behind the mark it stands well inside, where the unit is long enough.
    let first = strip.pieces.iter().map(|(_, piece)| piece).find(|piece| piece.x >= strip.floor);
    let from = match first {
        Some(piece) if from == beside && piece.x + away + length + pad <= piece.right() => piece.x + away,
        _ => from,
    };
    let until = from + length;
    let at = (from, well.y + well.h / 2);
    let mut under = strip.pieces.iter().filter(|(_, piece)| piece.right() > from && piece.x < until);
    let Some((lane, piece)) = under.next() else { return pen::text(to, label, at, face) };
    if piece.x <= from && piece.right() >= until {
        return pen::text(to, label, at, Face { colour: palette.lane(*lane).on, ..face });
    }
    // From the mark on, so that no sliver of a unit is left between them.
    let half = scale.px(1.0).max(1);
    let (begin, end) =
        if from == beside { (strip.floor + half, until + pad) } else { (from - pad, strip.floor - half) };
    pen::fill(to, Rect::new(begin, well.y, end - begin, well.h), palette.surface)?;
    pen::text(to, label, at, face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Site;
    use crate::stage::tests_frame::{frame, task};
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
        let strip = even(&counts(2, 2, 4, 6), 4, 682, Scale(1.0));
        assert_eq!(strip.pieces.iter().map(|p| p.0).collect::<Vec<_>>(), [0, 0, 1, 1]);
        let last = strip.pieces[3].1;
        assert!(strip.floor >= last.right() && strip.floor - last.right() < 4);
        assert!(strip.well.right() > strip.floor);
    }

    #[test]
    fn large_services_have_one_piece_a_revision() {
        let strip = even(&counts(400, 600, 1000, 1250), 4, 682, Scale(1.0));
        assert_eq!(strip.pieces.len(), 2);
        assert_eq!(strip.pieces[0].1.right(), strip.pieces[1].1.x);
        let length: i32 = strip.pieces.iter().map(|p| p.1.w).sum();
        assert!((length - strip.well.w * 1000 / 1250).abs() <= 1);
    }

    fn stage(slots: u32, width: f64) -> Layout {
        Layout::on(0, slots, &Site { wires: true, ..Site::new(width, Scale(1.0)) })
    }

    #[test]
    fn above_cards_a_unit_is_as_wide_as_a_card_and_its_wire_ends_in_its_task() {
        let tasks = vec![
            task(0, 8, 3, TaskState::Starting),
            task(2, 7, 3, TaskState::Healthy),
            task(3, 8, 1, TaskState::Healthy),
            task(5, 7, 4, TaskState::Healthy),
        ];
        let mut moment = frame(0, tasks);
        moment.counts = counts(2, 1, 3, 6);
        let layout = stage(6, 756.0);
        let strip = above(&moment, &layout);
        let ends: Vec<_> = strip.wires.iter().map(|wire| (wire.lane, wire.slot)).collect();
        assert_eq!(ends, [(0, 2), (0, 5), (1, 3)]);
        for (k, wire) in strip.wires.iter().enumerate() {
            let (unit, card) = (layout.rect(k as u32), layout.rect(wire.slot));
            let (from, to) = (wire.points[0], wire.points[wire.points.len() - 1]);
            assert_eq!((from.0, to.0), (unit.x + unit.w / 2, card.x + card.w / 2));
            assert_eq!(to.1, 68);
            assert_eq!((strip.pieces[k].1.x, strip.pieces[k].1.w), (unit.x, unit.w));
        }
        assert_eq!(strip.well.right(), layout.rect(5).right());
        assert_eq!(height(&layout), 68.0);
    }

    #[test]
    fn no_wires_where_it_is_narrow_nor_from_nine_slots_on() {
        let mut moment = frame(0, vec![task(0, 7, 1, TaskState::Healthy)]);
        moment.counts = counts(1, 0, 1, 9);
        for (slots, width) in [(9, 756.0), (4, 358.0), (100, 756.0), (10_000, 756.0)] {
            let layout = stage(slots, width);
            let strip = above(&moment, &layout);
            assert!(strip.wires.is_empty() && height(&layout) == STRIP_HEIGHT, "{slots} at {width}");
            assert_eq!(strip.well.right(), layout.right());
        }
    }

    #[test]
    fn the_label_of_a_floor_at_the_end_stands_beside_the_strip() {
        use plotters::backend::SVGBackend;
        let mut text = String::new();
        let to = SVGBackend::with_string(&mut text, (358, 28));
        for (floor, ceiling) in [(4, 4), (8, 8), (100, 100), (1_000, 1_000)] {
            let wide = even(&counts(floor, 0, floor, ceiling), 4, 350, Scale(1.0));
            let label = format!("floor {floor}");
            let length =
                to.estimate_text_size(&label, &label_face(Scale(1.0), Colour(0, 0, 0))).expect("a font").0 as i32;
            let strip = beside_label(&to, &wide, Scale(1.0), &label);
            assert!(strip.floor + 7 + length <= 358, "{label}");
            assert!(strip.pieces.iter().all(|(_, piece)| piece.right() <= strip.floor), "{label}");
            assert_eq!((strip.well.x, strip.pieces.len()), (wide.well.x, wide.pieces.len()));
        }
        // Where there is room behind the mark, nothing moves.
        let wide = even(&counts(4, 0, 4, 6), 4, 350, Scale(1.0));
        assert_eq!(beside_label(&to, &wide, Scale(1.0), "floor 4"), wide);
    }

    #[test]
    fn nothing_healthy_is_an_empty_strip() {
        assert!(even(&counts(0, 0, 0, 0), 8, 688, Scale(2.0)).pieces.is_empty());
    }
}

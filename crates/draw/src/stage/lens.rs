//! The hundred slots of one far square, as cells.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;

use super::batch::Batch;
use super::layout::Layout;
use super::marks::Marks;
use super::plan::{HUNDRED, Level};
use super::small::{self, Place};
use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::unprotected;

/// Sizes in CSS pixels.
const CELL: f64 = 11.0;
const GAP: f64 = 2.0;
const PAD: f64 = 10.0;
const CAPTION: f64 = 20.0;
const ROW: i32 = 10;

/// A small picture of its own: a framed card with a caption and ten rows of ten cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// Its slots in their order, at most 100.
    pub slots: Vec<u32>,
    /// Width in device pixels.
    pub width: i32,
    /// Height in device pixels.
    pub height: i32,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    beyond: Vec<bool>,
}

impl Lens {
    /// The lens for the square that holds `slot`; `None` unless the layout is far away and has it.
    pub fn new(layout: &Layout, slot: u32) -> Option<Lens> {
        if layout.level != Level::Far || !layout.holds(slot) {
            return None;
        }
        let slots = layout.members(slot);
        let scale = layout.scale;
        let side = ROW * (scale.px(CELL) + scale.px(GAP)) - scale.px(GAP);
        Some(Lens {
            beyond: slots.iter().map(|slot| layout.beyond(*slot)).collect(),
            slots,
            width: side + 2 * scale.px(PAD),
            height: side + 2 * scale.px(PAD) + scale.px(CAPTION),
            scale,
        })
    }

    /// The cell of one of its slots, in device pixels.
    pub fn rect(&self, slot: u32) -> Rect {
        let within = self.slots.iter().position(|of| *of == slot).unwrap_or(HUNDRED as usize - 1) as i32;
        let (cell, pitch, pad) = (self.scale.px(CELL), self.pitch(), self.scale.px(PAD));
        let top = pad + self.scale.px(CAPTION);
        Rect::new(pad + within % ROW * pitch, top + within / ROW * pitch, cell, cell)
    }

    /// The slot at a point in device pixels; cells own the gap around them.
    pub fn slot_at(&self, x: i32, y: i32) -> Option<u32> {
        let half = self.scale.px(GAP) / 2;
        self.slots.iter().copied().find(|&slot| self.rect(slot).inset(-half).contains(x, y))
    }

    fn pitch(&self) -> i32 {
        self.scale.px(CELL) + self.scale.px(GAP)
    }
}

/// Draws the whole lens; `caption` says which slots it shows.
pub fn lens<DB: DrawingBackend>(
    to: &mut DB,
    lens: &Lens,
    frame: &Frame,
    marks: impl Into<Marks>,
    palette: &Palette,
    caption: &str,
) -> Drawn<DB> {
    let marks = marks.into();
    let scale = lens.scale;
    let whole = Rect::new(0, 0, lens.width, lens.height);
    pen::fill(to, whole, palette.surface)?;
    pen::frame(to, whole, Ink(palette.line_2, scale.line(1.0)))?;
    let face = Face { size: scale.0 * 12.0, bold: true, colour: palette.ink_2, anchor: Anchor::Left };
    pen::text(to, caption, (scale.px(PAD), scale.px(PAD) + scale.px(6.0)), face)?;
    let mut batch = Batch::default();
    let mut rings = [None; 2];
    for (&slot, &beyond) in lens.slots.iter().zip(&lens.beyond) {
        let task = frame.slots.get(slot as usize).and_then(Option::as_ref);
        let place = Place { rect: lens.rect(slot), scale, tile: false, beyond };
        small::slot(&mut batch, place, task, palette);
        if marks.selected.is_some() && task.map(|task| task.id) == marks.selected {
            rings[0] = Some(slot);
        } else if marks.hovered == Some(slot) {
            rings[1] = Some(slot);
        }
    }
    batch.flush(to)?;
    for &slot in &lens.slots {
        let task = frame.slots.get(slot as usize).and_then(Option::as_ref);
        if task.is_some_and(|task| marks.is_unprotected(task)) {
            let Rect { x, y, w, .. } = lens.rect(slot);
            unprotected::sign(to, Rect::new(x, y, w * 6 / 11, w * 6 / 11), scale, palette)?;
        }
    }
    for (slot, width) in rings.into_iter().zip([2.0, 1.0]) {
        if let Some(slot) = slot {
            pen::frame(to, lens.rect(slot).inset(-scale.px(GAP)), Ink(palette.ink, scale.line(width)))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lens_shows_the_hundred_of_a_square() {
        let layout = Layout::new(0, 2_650, 756.0, Scale(2.0));
        let lens = Lens::new(&layout, 1_234).expect("a square");
        assert_eq!(lens.slots, (1_200..1_300).collect::<Vec<_>>());
        for slot in 1_200..1_300 {
            let rect = lens.rect(slot);
            assert!(rect.right() < lens.width && rect.bottom() < lens.height);
            assert_eq!(lens.slot_at(rect.x + rect.w / 2, rect.y + rect.h / 2), Some(slot));
        }
        assert_eq!(lens.slot_at(1, 1), None);
        assert_eq!(Lens::new(&layout, 2_649).map(|lens| lens.slots), Some((2_600..2_650).collect()));
        assert_eq!(Lens::new(&layout, 2_650), None);
        assert_eq!(Lens::new(&Layout::new(0, 1_000, 756.0, Scale(1.0)), 3), None);
    }
}

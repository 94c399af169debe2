//! Ring and frame around a box: what is selected and what is pointed at.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::trace::InstanceId;

use super::layout::Layout;
use super::plan::Level;
use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Drawn, Ink};

/// What is marked on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// The selected task: a ring of two pixels.
    pub selected: Option<InstanceId>,
    /// The slot under the pointer or the keyboard's cursor, also a free one: a frame of one pixel.
    pub hovered: Option<u32>,
    /// Every task from this one on started where automatic rollback does not protect any more.
    pub unprotected_from: Option<InstanceId>,
}

impl From<Option<InstanceId>> for Marks {
    fn from(selected: Option<InstanceId>) -> Marks {
        Marks { selected, ..Marks::default() }
    }
}

impl Marks {
    /// The task started without rollback protection, and is still there.
    pub(super) fn is_unprotected(&self, task: &TaskView) -> bool {
        let gone = matches!(task.state, TaskState::Stopped | TaskState::Failed);
        !gone && self.unprotected_from.is_some_and(|first| task.id >= first)
    }

    /// The first slots of the boxes with the ring and with the frame; a ring takes a frame's place.
    pub(super) fn boxes(&self, frame: &Frame, layout: &Layout) -> [Option<u32>; 2] {
        let holds = |id: InstanceId| frame.slots.iter().flatten().find(|task| task.id == id).map(|task| task.slot);
        let first = |slot: u32| layout.box_of(slot);
        let ring = self.selected.and_then(holds).and_then(first);
        [ring, self.hovered.and_then(first).filter(|&slot| Some(slot) != ring)]
    }
}

/// How far marks reach beyond a box, in device pixels: never into the next box.
pub(super) fn reach(layout: &Layout) -> i32 {
    match layout.level {
        Level::Cards | Level::Boxes => layout.scale.px(4.0).min(layout.gap / 2),
        Level::Tiles | Level::Far => layout.scale.px(3.0).min(layout.gap),
        Level::Cells => layout.gap,
    }
}

/// Draws the marks over the boxes.
pub(super) fn marks<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    boxes: [Option<u32>; 2],
    palette: &Palette,
) -> Drawn<DB> {
    for (slot, width) in boxes.into_iter().zip([2.0, 1.0]) {
        if let Some(slot) = slot {
            ring(to, layout, layout.rect(slot), layout.scale.line(width), palette)?;
        }
    }
    Ok(())
}

fn ring<DB: DrawingBackend>(to: &mut DB, layout: &Layout, rect: Rect, width: u32, palette: &Palette) -> Drawn<DB> {
    if !layout.level.has_words() {
        return square_ring(to, rect, reach(layout), width, layout.scale, palette);
    }
    let outer = rect.inset(-reach(layout));
    pen::rounded_frame(to, outer, layout.scale.px(10.0), Ink(palette.ink, width))
}

/// A ring `reach` pixels around a box without words.
pub(crate) fn square_ring<DB: DrawingBackend>(
    to: &mut DB,
    rect: Rect,
    reach: i32,
    width: u32,
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let outer = rect.inset(-reach);
    // A line of the ground parts the ring from its box; where the gap is too narrow, inside the box.
    let wide = width as i32;
    let ground = (reach - wide).max(scale.line(1.0) as i32);
    pen::frame(to, outer.inset(wide), Ink(palette.surface, ground as u32))?;
    pen::frame(to, outer, Ink(palette.ink, width))
}

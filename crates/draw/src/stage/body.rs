//! Cards and boxes: a task with its name and its state in words.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::time::SimTime;

use super::glyph::glyph;
use super::layout::{Layout, Level};
use super::look::bar;
use super::paint::Words;
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};

/// Draws one task with words.
pub fn body<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    task: &TaskView,
    at: SimTime,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let rect = layout.rect(task.slot);
    ground(to, layout, task, rect, palette)?;
    labels(to, layout, task, at, palette, words)?;
    let length = bar(task, at, rect.w);
    let inner = length.min(rect.w - 2 * layout.scale.px(3.0));
    if inner > 0 {
        let height = layout.scale.px(3.0);
        let edge = layout.scale.px(2.0);
        let place = Rect::new(rect.x + layout.scale.px(3.0), rect.bottom() - edge - height, inner, height);
        pen::fill(to, place, palette.lane(task.lane).full)?;
    }
    Ok(())
}

/// Fill and border: the state without words.
fn ground<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    task: &TaskView,
    rect: Rect,
    palette: &Palette,
) -> Drawn<DB> {
    let lane = palette.lane(task.lane);
    let radius = layout.scale.px(6.0);
    let edge = layout.scale.px(2.0).max(1);
    let plain = |to: &mut DB, colour: Colour| pen::polygon(to, pen::rounded(rect, radius), colour);
    let framed = |to: &mut DB, width: i32, inside: Colour| {
        pen::polygon(to, pen::rounded(rect, radius), lane.full)?;
        pen::polygon(to, pen::rounded(rect.inset(width), radius - width), inside)
    };
    match task.state {
        TaskState::Waiting => pen::dashed_frame(to, rect, Ink(lane.full, edge as u32), layout.scale.px(6.0)),
        TaskState::Starting => framed(to, edge, palette.surface),
        TaskState::Checking | TaskState::Unhealthy => framed(to, edge, lane.tint),
        TaskState::Healthy => plain(to, lane.full),
        TaskState::Draining => {
            framed(to, edge, lane.tint)?;
            let ink = Ink(lane.mid, layout.scale.line(5.0));
            hatch::stripes(to, rect.inset(layout.scale.px(4.0)), layout.scale.px(14.0), ink)
        }
        TaskState::Stopping => framed(to, layout.scale.line(1.0) as i32, palette.surface),
        TaskState::Stopped | TaskState::Failed => plain(to, palette.inset),
    }
}

/// Name, glyph, state and, on a card, what it waits for.
fn labels<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    task: &TaskView,
    at: SimTime,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let lane = palette.lane(task.lane);
    let rect = layout.rect(task.slot);
    let px = |css: f64| layout.scale.px(css);
    let card = layout.level == Level::Cards;
    let quiet = matches!(task.state, TaskState::Stopped | TaskState::Failed);
    let colour = match task.state {
        TaskState::Healthy => lane.on,
        _ if quiet => palette.ink_3,
        _ => palette.ink,
    };
    let sign = match task.state {
        TaskState::Unhealthy | TaskState::Failed => palette.fail,
        TaskState::Healthy => lane.on,
        TaskState::Stopped => palette.ink_3,
        _ => lane.ink,
    };
    let pad = if card { 12.0 } else { 8.0 };
    let first = rect.y + px(if card { 18.0 } else { 15.0 });
    let name =
        Face { size: layout.scale.0 * if card { 15.0 } else { 13.0 }, bold: !quiet, colour, anchor: Anchor::Left };
    pen::text(to, &words.name(task.name), (rect.x + px(pad), first), name)?;
    glyph(to, task.state, (rect.right() - px(pad + 5.0), first), if card { 13.0 } else { 11.0 }, layout.scale, sign)?;
    let state = Face { size: layout.scale.0 * if card { 13.0 } else { 12.0 }, bold: card && !quiet, ..name };
    let state = if task.state == TaskState::Failed { Face { colour: palette.fail, ..state } } else { state };
    let tall = rect.h >= px(80.0);
    let second = rect.y
        + px(if tall {
            51.0
        } else if card {
            44.0
        } else {
            35.0
        });
    pen::text(to, &words.state(task.state), (rect.x + px(pad), second), state)?;
    if card && tall {
        let note = Face { size: layout.scale.0 * 12.0, bold: false, ..name };
        pen::text(to, &words.note(task, at), (rect.x + px(pad), rect.y + px(68.0)), note)?;
    }
    Ok(())
}

//! The frame of an instance: head, bars, counts, and the places of its tasks.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::{HostView, Usage};
use rollscope_engine::mechanism::host::{HostState, Resource};

use super::paint::{Scene, Words};
use super::parts::{Tally, Who, parts};
use super::plan::{Detail, HEAD, PAD};
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::stage::batch::Batch;
use crate::stage::small::{Place, slot as small_slot};

/// Widths in CSS pixels: the name of a bar, what is free beside it, and from where on that is written.
const NAME: f64 = 58.0;
const FREE: f64 = 74.0;
const FREE_FROM: f64 = 214.0;
/// Heights of a bar with words beside it and without.
const BAR: (f64, f64) = (8.0, 5.0);
const RADIUS: f64 = 8.0;
/// Layers of a batch.
const TRACK: u8 = 1;
const PART: u8 = 2;

fn view<'a>(scene: &Scene<'a>, host: u32) -> Option<&'a HostView> {
    scene.frame.hosts.get(host as usize)
}

/// Ground, border, head, and the words beside the bars.
pub(super) fn shell<DB: DrawingBackend>(to: &mut DB, scene: &Scene<'_>, host: u32, words: &impl Words) -> Drawn<DB> {
    let Some(view) = view(scene, host) else { return Ok(()) };
    let (layout, palette, rect) = (scene.layout, scene.palette, scene.layout.frame(host));
    let (radius, line) = (scene.px(RADIUS), layout.scale.line(1.0));
    match view.state {
        HostState::Active | HostState::Draining => {
            let edge = Ink(if view.state == HostState::Active { palette.line_2 } else { palette.control }, line);
            pen::rounded_frame(to, rect, radius, edge)?;
        }
        HostState::Coming(_) => {
            pen::dashed_rounded(to, rect, radius, Ink(palette.control, line), (scene.px(5.0), scene.px(4.0)))?;
        }
        HostState::Gone => pen::polygon(to, pen::rounded(rect, radius), palette.inset)?,
    }
    head(to, scene, view, rect, words)?;
    if layout.detail.has_words() { bar_words(to, scene, host, view, words) } else { Ok(()) }
}

fn head<DB: DrawingBackend>(
    to: &mut DB,
    scene: &Scene<'_>,
    view: &HostView,
    rect: Rect,
    words: &impl Words,
) -> Drawn<DB> {
    let (layout, palette) = (scene.layout, scene.palette);
    let pad = scene.px(if layout.detail == Detail::Bars { PAD - 2.0 } else { PAD });
    let band = Rect::new(rect.x + 2, rect.y + 2, rect.w - 4, scene.px(HEAD) - 2);
    if view.state == HostState::Draining {
        // What takes no tasks is hatched, as everything that is not allowed.
        hatch::stripes(to, band.narrower(scene.px(3.0)), scene.px(7.0), Ink(palette.line_2, layout.scale.line(1.2)))?;
    }
    let gone = view.state == HostState::Gone;
    let size = layout.scale.0 * if layout.detail.has_words() { 13.0 } else { 12.0 };
    let face = Face { size, bold: true, colour: if gone { palette.ink_3 } else { palette.ink }, anchor: Anchor::Left };
    let quiet = Face { size: layout.scale.0 * 12.0, bold: false, colour: palette.ink_3, ..face };
    let y = rect.y + scene.px(PAD - 4.0 + HEAD / 2.0) - scene.px(1.0);
    let (left, right) = (rect.x + pad, rect.right() - pad);
    let wide = |to: &DB, words: &str, face: &Face| to.estimate_text_size(words, face).map_or(0, |(w, _)| w as i32);
    let name = words.host(view.number);
    let mut used = left + wide(to, &name, &face) + scene.px(7.0);
    label(to, scene, view, &name, (left, y), face)?;
    let state = words.host_state(view, scene.frame.at);
    let strong = Face { size: layout.scale.0 * 12.0, anchor: Anchor::Right, ..face };
    let state_from = right - wide(to, &state, &strong);
    let has_state = !state.is_empty() && state_from >= used;
    if has_state {
        label(to, scene, view, &state, (right, y), strong)?;
    }
    let until = if has_state { state_from - scene.px(6.0) } else { right };
    let zone = words.zone(view.zone);
    used += wide(to, &zone, &quiet);
    if layout.zones().is_empty() && used <= until && layout.detail != Detail::Bars {
        label(to, scene, view, &zone, (used - wide(to, &zone, &quiet), y), quiet)?;
    }
    Ok(())
}

/// A word of a head; over the hatching of one that is drained it has a ground.
fn label<DB: DrawingBackend>(
    to: &mut DB,
    scene: &Scene<'_>,
    view: &HostView,
    words: &str,
    at: (i32, i32),
    face: Face,
) -> Drawn<DB> {
    if view.state == HostState::Draining {
        let (w, h) = to.estimate_text_size(words, &face).map_or((0, 0), |(w, h)| (w as i32, h as i32));
        let x = if face.anchor == Anchor::Right { at.0 - w } else { at.0 };
        let ground = Rect::new(x, at.1 - h / 2, w, h).inset(-scene.px(2.0));
        pen::fill(to, ground, scene.palette.surface)?;
    }
    pen::text(to, words, at, face)
}

/// A bar of a frame: its line, where the bar lies in it.
fn bar_rect(scene: &Scene<'_>, host: u32, line: i32) -> Rect {
    let of = scene.layout.line(host, line);
    if !scene.layout.detail.has_words() {
        let h = scene.px(BAR.1);
        return Rect::new(of.x, of.y + (of.h - h) / 2, of.w, h);
    }
    let free = if of.w + 2 * scene.px(PAD) >= scene.px(FREE_FROM) { scene.px(FREE) } else { 0 };
    let (name, h) = (scene.px(NAME), scene.px(BAR.0));
    Rect::new(of.x + name, of.y + (of.h - h) / 2, of.w - name - free, h)
}

fn bar_words<DB: DrawingBackend>(
    to: &mut DB,
    scene: &Scene<'_>,
    host: u32,
    view: &HostView,
    words: &impl Words,
) -> Drawn<DB> {
    let (layout, palette) = (scene.layout, scene.palette);
    let size = layout.scale.0 * 12.0;
    let name = Face { size, bold: false, colour: palette.ink_2, anchor: Anchor::Left };
    for (line, resource, usage) in [(0, Resource::Cpu, &view.cpu), (1, Resource::Memory, &view.memory)] {
        let (of, bar) = (layout.line(host, line), bar_rect(scene, host, line));
        let y = of.y + of.h / 2;
        pen::text(to, &words.resource(resource), (of.x, y), name)?;
        if bar.right() < of.right() {
            pen::text(to, &words.free(usage), (of.right(), y), Face { anchor: Anchor::Right, ..name })?;
        }
    }
    if layout.lines() > 2 {
        let of = layout.line(host, 2);
        pen::text(to, &words.counts(view), (of.x, of.y + of.h / 2), name)?;
    }
    Ok(())
}

/// The bars of a frame.
pub(super) fn bars(batch: &mut Batch, scene: &Scene<'_>, host: u32, tally: &Tally) {
    let Some(view) = view(scene, host) else { return };
    if view.state == HostState::Gone {
        return;
    }
    bar(batch, scene, bar_rect(scene, host, 0), &view.cpu, tally);
    bar(batch, scene, bar_rect(scene, host, 1), &view.memory, tally);
    if scene.layout.lines() > 2 && !scene.layout.detail.has_words() {
        let port = Usage { total: 1, others: u32::from(view.port_taken == Some(true)), ..Usage::default() };
        bar(batch, scene, bar_rect(scene, host, 2), &view.interfaces.unwrap_or(port), tally);
    }
}

fn bar(batch: &mut Batch, scene: &Scene<'_>, rect: Rect, usage: &Usage, tally: &Tally) {
    let palette = scene.palette;
    batch.rounded(TRACK, palette.inset, rect, scene.px(2.0));
    let mut from = 0;
    for (who, until) in parts(usage, tally, rect.w) {
        let part = Rect::new(rect.x + from, rect.y, until - from, rect.h);
        fill(batch, scene, part, who, PART);
        from = until;
    }
    batch.corners(PART + 2, palette.surface, rect, scene.px(2.0));
}

/// What fills a part of a bar: held by tasks that leave is striped, as they are.
pub(super) fn fill(batch: &mut Batch, scene: &Scene<'_>, part: Rect, who: Who, layer: u8) {
    let palette: &Palette = scene.palette;
    let plain = |batch: &mut Batch, colour: Colour| batch.fill(layer, colour, part);
    match who {
        Who::Others => plain(batch, palette.control),
        Who::Tasks(lane) => plain(batch, palette.lane(lane).full),
        Who::Leaving(lane) => {
            let lane = palette.lane(lane);
            plain(batch, lane.tint);
            let width = scene.layout.scale.line(1.5);
            for (a, b) in hatch::diagonals(part, scene.px(4.0).max(3)) {
                batch.path(Ink(lane.full, width), &[a, b]);
            }
        }
    }
}

/// Places that one more task each would find, the lowest first.
pub(super) fn free(batch: &mut Batch, scene: &Scene<'_>, host: u32) {
    let (layout, palette) = (scene.layout, scene.palette);
    let room = view(scene, host).map_or(0, |view| view.room);
    if !layout.detail.has_tasks() || room == 0 {
        return;
    }
    let on = scene.view.seats.on(host);
    let taken = |berth: u32| on.get(berth as usize).copied().flatten().is_some();
    for berth in (0..layout.berths).filter(|berth| !taken(*berth)).take(room as usize) {
        let rect = layout.berth(host, berth);
        if layout.detail == Detail::Named {
            batch.dashed(TRACK, palette.line_2, rect, layout.scale.line(1.0) as i32, scene.px(4.0));
        } else {
            let tile = layout.detail == Detail::Tiles;
            small_slot(batch, Place { rect, scale: layout.scale, tile, beyond: false }, None, palette);
        }
    }
}

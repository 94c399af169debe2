//! An instance as a square, filled from below by what is used of its scarcest resource.

use rollscope_engine::mechanism::host::HostState;

use super::frame::fill;
use super::paint::Scene;
use super::parts::{Tally, parts, tightest};
use crate::geometry::Rect;
use crate::hatch;
use crate::pen::Ink;
use crate::stage::batch::Batch;

/// Layers of a batch.
const GROUND: u8 = 1;
const PART: u8 = 3;

/// Adds the square of an instance. Its ground has been cleared.
pub(super) fn square(batch: &mut Batch, scene: &Scene<'_>, host: u32, tally: &Tally) {
    let Some(view) = scene.frame.hosts.get(host as usize) else { return };
    let (palette, rect, scale) = (scene.palette, scene.layout.frame(host), scene.layout.scale);
    let line = scale.line(1.0) as i32;
    match view.state {
        HostState::Gone => return batch.fill(GROUND, palette.inset, rect),
        HostState::Coming(_) => return batch.dashed(GROUND, palette.control, rect, line, scale.px(3.0).max(2)),
        HostState::Active | HostState::Draining => {}
    }
    // Where one more task finds room, the free part is open; where none does, it is closed.
    batch.fill(GROUND, palette.line_2, rect);
    let inside = rect.inset(line);
    batch.fill(GROUND + 1, if view.room > 0 { palette.surface } else { palette.inset }, inside);
    let mut from = 0;
    for (who, until) in parts(&tightest(view), tally, inside.h) {
        let part = Rect::new(inside.x, inside.bottom() - until, inside.w, until - from);
        fill(batch, scene, part, who, PART);
        from = until;
    }
    if view.state == HostState::Draining {
        for (a, b) in hatch::falling(rect, scale.px(4.0).max(3)) {
            batch.path(Ink(palette.surface, scale.line(1.5)), &[a, b]);
        }
        batch.frame(PART + 1, palette.ink, rect, line);
    }
}

//! The boxes.

use rollscope_draw::Palette;
use rollscope_draw::stage::{self, Fleet, Layout};
use rollscope_engine::Frame;
use rollscope_engine::trace::InstanceId;

use super::Canvases;
use crate::canvas::Backend;
use crate::say::Say;

/// How the stage is to be painted.
pub struct Stage<'a> {
    /// Where the boxes stand.
    pub layout: &'a Layout,
    /// From scratch.
    pub fresh: bool,
    /// The task with the ring.
    pub selected: Option<InstanceId>,
}

impl Stage<'_> {
    /// Paints what changed.
    pub fn paint(&self, canvases: &mut Canvases, fleet: &mut Fleet, frame: &Frame, palette: &Palette, say: &Say) {
        let layout = self.layout;
        if self.fresh {
            let css_width = f64::from(layout.width) / layout.scale.0;
            canvases.stage.resize(css_width, layout.height, layout.scale);
            fleet.reset();
        }
        let changed = fleet.update(frame, self.selected, layout);
        let mut backend = Backend::new(&canvases.stage);
        if self.fresh {
            let _ = stage::clear(&mut backend, layout, palette);
            let _ = stage::wall(&mut backend, layout, palette, say);
        }
        if !changed.is_empty() {
            let _ = stage::paint(&mut backend, layout, frame, &changed, self.selected, palette, say);
        }
    }
}

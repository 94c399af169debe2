//! What moves over the picture: playhead, the line below the pointer, frames around rows.

use plotters_backend::DrawingBackend;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::InstanceId;

use super::Timeline;
use crate::geometry::Rect;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Drawn, Ink};

/// What stands over the picture now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Over {
    /// The cursor.
    pub at: SimTime,
    /// The moment below the pointer, or of the arrow keys.
    pub hover: Option<SimTime>,
    /// The selected task.
    pub selected: Option<InstanceId>,
    /// The task below the pointer, here or in another view.
    pub hovered: Option<InstanceId>,
}

impl Timeline {
    /// Draws it over the two tones.
    pub fn paint_over<DB: DrawingBackend>(&self, to: &mut DB, over: &Over, palette: &Palette) -> Drawn<DB> {
        let scale = self.layout.scale;
        let hovered = over.hovered.filter(|task| over.selected != Some(*task));
        if let Some(band) = hovered.and_then(|task| self.band_of(task)) {
            self.frame(to, band, scale.line(1.0), palette.control, palette)?;
        }
        if let Some(band) = over.selected.and_then(|task| self.band_of(task)) {
            self.frame(to, band, scale.line(1.5), palette.ink, palette)?;
        }
        let (top, bottom) = (self.layout.chart.y - scale.px(4.0), self.layout.height);
        if let Some(at) = over.hover {
            let width = scale.line(1.0) as i32;
            let bar = Rect::new(self.x.x(at) - width / 2, top, width, bottom - top);
            pen::fill(to, bar.narrower(-width), palette.surface)?;
            pen::fill(to, bar, palette.control)?;
        }
        let half = scale.px(1.0).max(1);
        let bar = Rect::new(self.x.x(over.at) - half, top, 2 * half, bottom - top);
        pen::fill(to, bar.narrower(-half), palette.surface)?;
        pen::fill(to, bar, palette.ink)
    }

    /// A frame around a row with its name; a thin line of a carpet gets some ground around it.
    fn frame<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        band: Rect,
        width: u32,
        colour: Colour,
        palette: &Palette,
    ) -> Drawn<DB> {
        let scale = self.layout.scale;
        let left = scale.px(2.0);
        let outline = |grow: i32| {
            let right = band.right() + scale.px(4.0);
            let place = Rect::new(left, band.y - grow, right - left, band.h + 2 * grow);
            let mut points = pen::rounded(place, scale.px(4.0));
            points.extend(points.first().copied());
            points
        };
        let missing = (scale.px(8.0) - band.h).max(0) / 2;
        if missing > 0 {
            pen::path(to, outline(missing), Ink(palette.surface, width + 2 * scale.line(1.5)))?;
        }
        pen::path(to, outline(missing), Ink(colour, width))
    }
}

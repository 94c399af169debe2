//! The spans without rollback protection below the chart, which hatches itself.

use plotters_backend::DrawingBackend;

use super::paint::Direct;
use super::{Below, Timeline};
use crate::border::{self, Hatching};
use crate::geometry::Rect;
use crate::palette::Palette;

impl Timeline {
    fn strips(&self) -> impl Iterator<Item = (Rect, Hatching)> + '_ {
        let (top, bottom) = (self.layout.chart.bottom(), self.layout.height);
        self.chart.parted().map(move |span| {
            let (from, until) = (self.x.x(span.from), self.x.x(span.until));
            (Rect::new(from, top, until - from, bottom - top), Hatching::of(span))
        })
    }

    /// Hatching behind everything.
    pub(super) fn behind<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        self.strips().try_for_each(|(strip, hatching)| border::behind(to, strip, hatching, self.layout.scale, palette))
    }

    /// Hatching over everything.
    pub(super) fn over<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        self.strips().try_for_each(|(strip, hatching)| border::over(to, strip, hatching, self.layout.scale, palette))
    }

    /// Heights in which upright words behind the end of the run cover no lane that goes on there, the
    /// best first.
    pub(super) fn free_columns(&self) -> Vec<(i32, i32)> {
        let layout = &self.layout;
        let rows = (layout.below != Below::Nothing).then_some((layout.rows.y, layout.height));
        let lanes = !layout.counter.is_empty() || !layout.alarms.is_empty();
        let whole = (!lanes).then_some((layout.chart.y, layout.height));
        [rows, Some((layout.chart.y, layout.chart.bottom())), whole].into_iter().flatten().collect()
    }
}

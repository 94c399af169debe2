//! Several runs on one clock: one axis of time and one scale of tasks for all, and the chart of one
//! of them with its end.

mod clock;

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::Counts;
use rollscope_engine::protection::Unprotected;
use rollscope_engine::time::SimTime;

use crate::border;
use crate::chart::{self, Chart, ChartWords, Setting, Tone};
use crate::flow::{self, FlowChart};
use crate::geometry::{Rect, Scale};
use crate::hand::{Area, AreaDrawn, by_hand};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face};
use crate::tear;
use crate::xscale::XScale;

pub use clock::{Clock, Ran};

/// Above the chart and below its base line, in CSS pixels.
const AROUND: (f64, f64) = (4.0, 8.0);
/// Height of the strip of the traffic, and of the ground above it, in CSS pixels.
const STRIP: (f64, f64) = (14.0, 6.0);
/// Height of the label of the end, and its distance to the line, in CSS pixels.
const LABEL: (f64, f64) = (20.0, 6.0);

/// The chart of one run on the clock of all.
#[derive(Clone, Debug, PartialEq)]
pub struct RunChart {
    chart: Chart,
    scale: Scale,
    /// The run is over here; behind it nothing changes.
    end: SimTime,
    last: bool,
    /// Who has how much of the traffic, below the chart; absent unless set.
    traffic: Option<FlowChart>,
}

/// What is written into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunWords {
    /// Label of the ceiling's last value.
    pub ceiling: String,
    /// Label of the floor's last value.
    pub floor: String,
    /// At the line where the run ends: "A is done at 6:15".
    pub end: String,
    /// Beside the strip of the traffic: "traffic".
    pub traffic: String,
}

/// The highest count of samples: what a common scale of tasks has to show.
pub fn top(samples: &[(SimTime, Counts)]) -> u32 {
    samples.iter().map(|(_, counts)| counts.physical().max(counts.limits.ceiling)).max().unwrap_or(0)
}

impl RunChart {
    /// A run that is over at `end`, on the axis `x`, up to `top` tasks.
    pub fn new(
        samples: &[(SimTime, Counts)],
        end: SimTime,
        top: u32,
        x: XScale,
        clock: &Clock,
        scale: Scale,
    ) -> RunChart {
        let mut chart = Chart::new(samples, end, x);
        chart.top = top.max(1);
        if end < x.end {
            chart.borders = vec![Unprotected { from: end, until: x.end, border: true }];
        }
        RunChart { chart, scale, end, last: end >= clock.end, traffic: None }
    }

    /// The same with the traffic as a strip below: where runs differ in it.
    pub fn with_traffic(self, source: &flow::Source<'_>) -> RunChart {
        let traffic = Some(FlowChart::new(source, self.chart.x));
        RunChart { traffic, ..self }
    }

    /// Height below the base line in device pixels.
    fn below(&self) -> i32 {
        self.scale.px(AROUND.1 + if self.traffic.is_some() { STRIP.0 + STRIP.1 } else { 0.0 })
    }

    /// Draws it in one tone over a whole picture.
    pub fn paint<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        tone: Tone,
        palette: &Palette,
        words: &RunWords,
    ) -> AreaDrawn<DB> {
        let px = |css: f64| self.scale.px(css);
        by_hand(area, |to| {
            let (width, height) = to.get_size();
            pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)
        })?;
        let labels = ChartWords { ceiling: words.ceiling.clone(), floor: words.floor.clone(), ..ChartWords::default() };
        let setting = Setting { above: px(AROUND.0), below: self.below(), ..Setting::default() };
        chart::paint_in(area, &self.chart, tone, self.scale, palette, &labels, &setting)?;
        by_hand(area, |to| {
            self.strip(to, tone, palette, words)?;
            let heights = (px(AROUND.0), to.get_size().1 as i32 - px(AROUND.1));
            tear::all(to, &self.chart.x, heights, self.scale, palette)?;
            self.line(to, heights, palette, words)
        })
    }

    /// The strip of the traffic with its word at the left.
    fn strip<DB: DrawingBackend>(&self, to: &mut DB, tone: Tone, palette: &Palette, words: &RunWords) -> Drawn<DB> {
        let Some(traffic) = &self.traffic else { return Ok(()) };
        let px = |css: f64| self.scale.px(css);
        let x = self.chart.x;
        let top = to.get_size().1 as i32 - px(AROUND.1) - px(STRIP.0);
        let place = Rect::new(x.left, top, x.width(), px(STRIP.0));
        flow::strip(to, traffic, place, (tone, self.scale), palette)?;
        let face = Face { size: self.scale.0 * 12.0, bold: false, colour: palette.ink_3, anchor: Anchor::Right };
        let wide = to.estimate_text_size(&words.traffic, &face).map_or(0, |(width, _)| width as i32);
        pen::text(to, &words.traffic, ((x.left - px(6.0)).max(wide + px(1.0)), top + place.h / 2), face)
    }

    /// The line at its end; of the run that ends last the axis says when.
    fn line<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        heights: (i32, i32),
        palette: &Palette,
        words: &RunWords,
    ) -> Drawn<DB> {
        if self.chart.borders.is_empty() {
            return Ok(());
        }
        let px = |css: f64| self.scale.px(css);
        let x = self.chart.x.x(self.end);
        border::line(to, x, false, heights, self.scale, palette)?;
        let place = self.label(to, words);
        if place.is_empty() {
            return Ok(());
        }
        pen::fill(to, place, palette.surface)?;
        let face = Face { colour: palette.ink, ..self.face() };
        pen::text(to, &words.end, (place.x + px(LABEL.1), place.y + place.h / 2), face)
    }

    fn face(&self) -> Face {
        Face { size: self.scale.0 * 12.0, bold: true, colour: Colour(0, 0, 0), anchor: Anchor::Left }
    }

    /// Where the words at the end stand, on the side of the line where there is room; empty without words.
    pub fn label<DB: DrawingBackend>(&self, to: &DB, words: &RunWords) -> Rect {
        if self.chart.borders.is_empty() || self.last || words.end.is_empty() {
            return Rect::default();
        }
        let px = |css: f64| self.scale.px(css);
        let x = self.chart.x.x(self.end);
        let width =
            to.estimate_text_size(&words.end, &self.face()).map_or(0, |(width, _)| width as i32) + 2 * px(LABEL.1);
        let right = x + px(3.0);
        let fits = right + width <= self.chart.x.right;
        let left = if fits { right } else { (x - px(3.0) - width).max(self.chart.x.left) };
        Rect::new(left, px(AROUND.0 + 2.0), width, px(LABEL.0))
    }
}

/// The playhead over a picture of a run, from its upper to its lower edge; it leaves `label` to be read.
pub fn playhead<DB: DrawingBackend>(to: &mut DB, x: i32, label: Rect, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let height = to.get_size().1 as i32;
    let bar = |css: f64, colour| {
        let width = scale.line(css) as i32;
        (Rect::new(x - width / 2, 0, width, height), colour)
    };
    for (rect, colour) in [bar(4.0, palette.surface), bar(2.0, palette.ink)] {
        if rect.right() <= label.x || label.right() <= rect.x {
            pen::fill(to, rect, colour)?;
            continue;
        }
        pen::fill(to, Rect { h: label.y, ..rect }, colour)?;
        pen::fill(to, Rect { y: label.bottom(), h: height - label.bottom(), ..rect }, colour)?;
    }
    Ok(())
}

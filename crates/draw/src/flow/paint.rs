//! Draws the traffic over time.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::platform::ecs::strategy::WHOLE;
use rollscope_engine::time::SimTime;

use super::{BAD, BANDS, FlowChart, Measure, REFUSED, UPWARDS, below};
use crate::chart::Tone;
use crate::geometry::{Rect, Scale, nearest};
use crate::gutter::{self, Label};
use crate::hand::{Area, AreaDrawn, by_hand};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::tear;
use crate::ticks;
use crate::xscale::GUTTER_LEFT;

/// Share of a fill that is left in the future, in per cent.
const PALE: u32 = 42;
/// Air above the highest value in CSS pixels: the words of the weights stand there.
const AIR: f64 = 18.0;
/// Least distance of two labels of the y axis in CSS pixels, and most labels.
const LINE: f64 = 16.0;
const LABELS_MOST: usize = 6;

/// What is written into it.
pub trait FlowWords {
    /// Above the y axis: "req/s", "%".
    fn measure(&self, measure: Measure) -> String;
    /// A label of the y axis, in whole requests a second or per cent.
    fn value(&self, value: u32) -> String;
    /// A weight of the new revision at its step: "20 %".
    fn weight(&self, thousandths: u16) -> String;
    /// So many requests were cut off there, in thousandths: "12 cut off".
    fn cut_off(&self, thousandths: u64) -> String;
    /// Beside the band of bad answers, and of refused requests, at the right: "bad", "refused".
    fn band(&self, refused: bool) -> String;
}

/// Draws the bands alone, as a low strip of `place`: who has how much of the traffic, without axis and words.
pub fn strip<DB: DrawingBackend>(
    to: &mut DB,
    chart: &FlowChart,
    place: Rect,
    (tone, scale): (Tone, Scale),
    palette: &Palette,
) -> Drawn<DB> {
    let plot = Plot { chart, place, air: 0, scale, tone, palette };
    (0..BANDS).filter(|band| chart.has(*band)).try_for_each(|band| plot.band(to, band))
}

/// Where the values stand.
struct Plot<'a> {
    chart: &'a FlowChart,
    place: Rect,
    /// Pixels above the highest value.
    air: i32,
    scale: Scale,
    tone: Tone,
    palette: &'a Palette,
}

/// Draws the whole run in one tone into `place`, from the air above its top to its base line; words of the y axis
/// stand left of it, `labels` and its own at its right down to `bottom`.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    chart: &FlowChart,
    (place, bottom): (Rect, i32),
    (tone, scale): (Tone, Scale),
    palette: &Palette,
    labels: &[Label],
    words: &impl FlowWords,
) -> Drawn<DB> {
    let air = scale.px(AIR).min(place.h / 3);
    let plot = Plot { chart, place, air, scale, tone, palette };
    // What goes wrong comes last: little of it is drawn higher than it is.
    for band in (0..BANDS).filter(|band| chart.has(*band)) {
        plot.band(to, band)?;
    }
    let base = place.bottom() - 1;
    pen::path(to, vec![(place.x, base), (place.right(), base)], Ink(palette.control, scale.line(1.0)))?;
    plot.axis(to, words)?;
    plot.weights(to, words)?;
    plot.cut_off(to, words)?;
    plot.labels(to, bottom, labels, words)
}

/// Draws the whole run as a part of a picture of its own: `area` is that part, `place` counts from the whole picture.
pub fn picture<DB: DrawingBackend>(
    area: &Area<DB>,
    chart: &FlowChart,
    place: Rect,
    scale: Scale,
    palette: &Palette,
    words: &impl FlowWords,
) -> AreaDrawn<DB> {
    area.fill(&palette.surface.rgb())?;
    by_hand(area, |to| {
        paint(to, chart, (place, place.bottom()), (Tone::Solid, scale), palette, &[], words)?;
        tear::all(to, &chart.x, (place.y, place.bottom()), scale, palette)
    })
}

impl Plot<'_> {
    fn px(&self, css: f64) -> i32 {
        self.scale.px(css)
    }

    fn y(&self, value: u64) -> i32 {
        let room = self.place.h - 1 - self.air;
        self.place.bottom() - 1 - nearest(value as f64 / self.chart.top as f64 * f64::from(room))
    }

    fn toned(&self, colour: Colour) -> Colour {
        match self.tone {
            Tone::Solid => colour,
            Tone::Pale => colour.over(self.palette.surface, PALE),
        }
    }

    /// The stretches of a band in pixels, those of one height as one.
    fn runs(&self, band: usize) -> Vec<Rect> {
        let mut out: Vec<Rect> = Vec::new();
        let columns = &self.chart.columns;
        for (index, column) in columns.iter().enumerate() {
            let until = columns.get(index + 1).map_or(self.chart.x.end, |next| next.at);
            let (x0, x1) = (self.chart.x.x(column.at), self.chart.x.x(until));
            let (low, high) = (below(&column.edges, band), column.edges[band]);
            let (top, mut bottom) = (self.y(high), self.y(low));
            // What goes wrong is seen, however little it is.
            if band >= BAD && high > low {
                bottom = bottom.max(top + self.px(2.0));
            }
            let rect = Rect::new(x0, top, x1 - x0, bottom - top);
            match out.last_mut() {
                Some(last) if (last.y, last.h) == (rect.y, rect.h) && last.right() == rect.x => last.w += rect.w,
                _ if rect.is_empty() => {}
                _ => out.push(rect),
            }
        }
        out
    }

    /// A band: an area with steps, or a texture of failure.
    fn band<DB: DrawingBackend>(&self, to: &mut DB, band: usize) -> Drawn<DB> {
        let runs = self.runs(band);
        let fail = self.palette.fail;
        if band == REFUSED {
            let ink = Ink(self.toned(fail), self.scale.line(1.5));
            for run in &runs {
                hatch::stripes(to, *run, self.px(5.0), ink)?;
            }
            return runs.iter().try_for_each(|run| pen::line(to, (run.x, run.y), (run.right(), run.y), ink));
        }
        let full = if band == BAD { fail } else { self.palette.lane(UPWARDS[band] as u8).full };
        for run in &runs {
            pen::fill(to, *run, self.toned(full))?;
        }
        let ink = match (self.tone, band) {
            (Tone::Pale, _) => Ink(full, self.scale.line(1.5)),
            (Tone::Solid, BAD) => return Ok(()),
            (Tone::Solid, _) => Ink(self.palette.surface, self.scale.line(1.5)),
        };
        outline(&runs).into_iter().try_for_each(|points| pen::path(to, points, ink))
    }

    fn axis<DB: DrawingBackend>(&self, to: &mut DB, words: &impl FlowWords) -> Drawn<DB> {
        let face = Face { size: self.scale.0 * 12.0, bold: false, colour: self.palette.ink_3, anchor: Anchor::Right };
        let right = self.px(GUTTER_LEFT - 8.0);
        let unit = match self.chart.measure {
            Measure::Requests => 1_000,
            Measure::Share => u64::from(WHOLE) / 100,
        };
        let most = ((self.place.h - self.px(AIR)) / self.px(LINE).max(1)).clamp(2, LABELS_MOST as i32) as usize;
        let top = u32::try_from(self.chart.top / unit).unwrap_or(u32::MAX);
        for value in ticks::counts(top, most) {
            pen::text(to, &words.value(value), (right, self.y(u64::from(value) * unit)), face)?;
        }
        pen::text(to, &words.measure(self.chart.measure), (right, self.place.y + self.px(5.0)), face)
    }

    /// The weights as a step line of ink, each with its figure where there is room.
    fn weights<DB: DrawingBackend>(&self, to: &mut DB, words: &impl FlowWords) -> Drawn<DB> {
        let chart = self.chart;
        let whole = u64::from(WHOLE);
        let level = |at: SimTime, weight: u16| {
            let all = chart.column_at(at).map_or(chart.top, |column| column.edges[REFUSED]);
            self.y(all * u64::from(weight) / whole)
        };
        let mut points: Vec<BackendCoord> = Vec::new();
        for (index, step) in chart.weights.iter().enumerate() {
            let until = chart.weights.get(index + 1).map_or(chart.x.end, |next| next.at);
            let y = level(step.at, step.weight);
            points.extend([(chart.x.x(step.at), y), (chart.x.x(until), y)]);
        }
        if points.is_empty() {
            return Ok(());
        }
        pen::path(to, points.clone(), Ink(self.palette.surface, self.scale.line(4.0)))?;
        pen::path(to, points.clone(), Ink(self.palette.ink, self.scale.line(2.0)))?;
        let face = Face { size: self.scale.0 * 12.0, bold: true, colour: self.palette.ink, anchor: Anchor::Left };
        let mut free = i32::MIN;
        for (step, ends) in chart.weights.iter().zip(points.chunks(2)) {
            let text = words.weight(step.weight);
            let wide = to.estimate_text_size(&text, &face).map_or(0, |(width, _)| width as i32);
            let until = ends[1].0.max(ends[0].0 + self.px(28.0));
            let parts = chart.x.outside_folds(ends[0].0.max(free), until);
            let room = |(from, until): &(i32, i32)| until - from >= wide + self.px(4.0);
            let Some((from, _)) = parts.into_iter().find(room).filter(|_| step.weight > 0) else { continue };
            let (x, y) = (from + self.px(4.0), ends[0].1 - self.px(8.0));
            free = x + wide + self.px(6.0);
            let ground = Rect::new(x - self.px(2.0), y - self.px(7.0), wide + self.px(4.0), self.px(13.0));
            pen::fill(to, ground, self.palette.surface)?;
            pen::text(to, &text, (x, y), face)?;
        }
        Ok(())
    }

    /// A red tick on the base line where open requests were cut off, the last one with the sum.
    fn cut_off<DB: DrawingBackend>(&self, to: &mut DB, words: &impl FlowWords) -> Drawn<DB> {
        let base = self.place.bottom();
        let tick = |at: SimTime| {
            Rect::new(self.chart.x.x(at) - self.px(1.0), base - self.px(12.0), self.px(2.0), self.px(12.0))
        };
        for (at, _) in &self.chart.cut_off {
            let rect = tick(*at);
            pen::fill(to, rect.inset(-self.px(1.0)), self.palette.surface)?;
            pen::fill(to, rect, self.palette.fail)?;
        }
        let Some((at, sum)) = self.chart.cut_off.last() else { return Ok(()) };
        let text = words.cut_off(*sum);
        let face = Face { size: self.scale.0 * 12.0, bold: true, colour: self.palette.fail, anchor: Anchor::Left };
        let wide = to.estimate_text_size(&text, &face).map_or(0, |(width, _)| width as i32);
        let right = tick(*at).right() + self.px(4.0);
        let x = if right + wide <= self.place.right() { right } else { tick(*at).x - self.px(4.0) - wide };
        let y = base - self.px(10.0);
        pen::fill(
            to,
            Rect::new(x - self.px(2.0), y - self.px(7.0), wide + self.px(4.0), self.px(14.0)),
            self.palette.surface,
        )?;
        pen::text(to, &text, (x, y), face)
    }

    fn labels<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        bottom: i32,
        labels: &[Label],
        words: &impl FlowWords,
    ) -> Drawn<DB> {
        let last = self.chart.columns.last();
        let own = [BAD, REFUSED].into_iter().filter_map(|band| {
            let edges = last?.edges;
            let (low, high) = (below(&edges, band), edges[band]);
            (high > low).then(|| Label {
                words: words.band(band == REFUSED),
                y: (self.y(low) + self.y(high)) / 2,
                colour: self.palette.fail,
            })
        });
        let all = own.chain(labels.iter().cloned()).collect();
        let line = self.px(8.0);
        gutter::paint(to, self.place.right() + line, (self.place.y - line, bottom), all, self.scale)
    }
}

/// The upper edges of stretches, those that touch as one line with its upright parts.
fn outline(runs: &[Rect]) -> Vec<Vec<BackendCoord>> {
    let mut out: Vec<Vec<BackendCoord>> = Vec::new();
    let mut open = i32::MIN;
    for run in runs {
        let ends = [(run.x, run.y), (run.right(), run.y)];
        match out.last_mut().filter(|_| open == run.x) {
            Some(line) => line.extend(ends),
            None => out.push(ends.to_vec()),
        }
        open = run.right();
    }
    out
}

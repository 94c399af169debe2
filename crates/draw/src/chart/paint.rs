//! Draws the chart through plotters.

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::series::{AreaSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, ShapeStyle, TextStyle};
use plotters_backend::DrawingBackend;
use rollscope_engine::time::SimTime;

use super::axis::{CountAxis, TimeAxis};
use super::data::{BANDS, Band, Chart, ORDER};
use crate::geometry::{Rect, Scale};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::track::{GUTTER_LEFT, GUTTER_RIGHT};

/// Past or future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What has happened: full colour, bands parted by a line of the ground.
    Solid,
    /// What lies ahead: pale fills with an outline in full colour.
    Pale,
}

/// What is written into the chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartWords {
    /// Label of the ceiling's last value.
    pub ceiling: String,
    /// Label of the floor's last value.
    pub floor: String,
    /// Title above, for pictures that stand alone; empty for none.
    pub title: String,
}

/// Share of a fill that is left in the future, in per cent.
const PALE: u32 = 42;

type Area<DB> = DrawingArea<DB, Shift>;
type Plot<'a, DB> = ChartContext<'a, DB, Cartesian2d<TimeAxis, CountAxis>>;
type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Draws the whole run in one tone. `time_labels` adds the axis of time below (the page has the
/// scrubber there).
pub fn paint<DB: DrawingBackend>(
    area: &Area<DB>,
    chart: &Chart,
    tone: Tone,
    scale: Scale,
    palette: &Palette,
    words: &ChartWords,
    time_labels: bool,
) -> Drawn<DB> {
    area.fill(&palette.surface.rgb())?;
    let (width, _) = area.dim_in_pixel();
    let inner = width as i32 - scale.px(GUTTER_LEFT) - scale.px(GUTTER_RIGHT);
    let time = TimeAxis { end: chart.axis_end.0.max(1), labels: (inner / scale.px(62.0)).max(2) as usize };
    let count = CountAxis { top: chart.top, air: 12 };
    let mut builder = ChartBuilder::on(area);
    builder
        .margin_right(scale.px(GUTTER_RIGHT))
        .margin_top(scale.px(if words.title.is_empty() { 2.0 } else { 34.0 }))
        .y_label_area_size(scale.px(GUTTER_LEFT))
        .x_label_area_size(scale.px(if time_labels { 26.0 } else { 2.0 }));
    let mut plot = builder.build_cartesian_2d(time, count)?;
    let pen = Brush { scale, palette, tone };
    pen.beyond(area, &plot, chart)?;
    pen.bands(&mut plot, chart)?;
    pen.textures(area, &plot, chart)?;
    pen.edges(&mut plot, chart)?;
    pen.axes(&mut plot, time_labels)?;
    pen.limits(area, &plot, chart)?;
    pen.words(area, &plot, chart, words)
}

/// Colours and sizes of one picture.
struct Brush<'a> {
    scale: Scale,
    palette: &'a Palette,
    tone: Tone,
}

impl Brush<'_> {
    fn fill(&self, band: Band, lane: u8) -> Colour {
        let lane = self.palette.lane(lane);
        let colour = if band == Band::Healthy { lane.full } else { lane.tint };
        self.toned(colour)
    }

    fn toned(&self, colour: Colour) -> Colour {
        match self.tone {
            Tone::Solid => colour,
            Tone::Pale => colour.over(self.palette.surface, PALE),
        }
    }

    fn stroke(&self, colour: Colour, css: f64) -> ShapeStyle {
        colour.rgb().stroke_width(self.scale.line(css))
    }

    /// Areas from the highest band down: each covers what is below its edge.
    fn bands<DB: DrawingBackend>(&self, plot: &mut Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for band in (0..BANDS).rev().filter(|&band| chart.has(band)) {
            let (kind, lane) = ORDER[band];
            let colour = self.fill(kind, lane);
            plot.draw_series(AreaSeries::new(steps(chart, |edges| edges[band]), 0, colour.rgb().filled()))?;
        }
        Ok(())
    }

    /// Dots on what comes up, stripes on what leaves.
    fn textures<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for band in (3..BANDS).filter(|&band| chart.has(band)) {
            let (kind, lane) = ORDER[band];
            let colour = self.toned(self.palette.lane(lane).full);
            for rect in runs(plot, chart, band) {
                if kind == Band::Rising {
                    self.dots(area, rect, colour)?;
                } else {
                    self.stripes(area, rect, self.scale.px(7.0), self.stroke(colour, 2.4))?;
                }
            }
        }
        Ok(())
    }

    fn stripes<DB: DrawingBackend>(&self, area: &Area<DB>, rect: Rect, step: i32, style: ShapeStyle) -> Drawn<DB> {
        hatch::diagonals(rect, step).into_iter().try_for_each(|(a, b)| area.draw(&PathElement::new(vec![a, b], style)))
    }

    fn dots<DB: DrawingBackend>(&self, area: &Area<DB>, rect: Rect, colour: Colour) -> Drawn<DB> {
        let size = self.scale.px(1.6).max(1);
        hatch::dot_grid(rect, self.scale.px(6.0), size)
            .into_iter()
            .try_for_each(|(x, y)| area.draw(&Rectangle::new([(x, y), (x + size, y + size)], colour.rgb().filled())))
    }

    /// The line between old and new, and the outlines of the future.
    fn edges<DB: DrawingBackend>(&self, plot: &mut Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for band in (0..BANDS).filter(|&band| chart.has(band)) {
            let (kind, lane) = ORDER[band];
            let colour = match (self.tone, kind) {
                (Tone::Solid, Band::Healthy) => self.palette.surface,
                (Tone::Solid, _) => continue,
                (Tone::Pale, Band::Healthy) => self.palette.lane(lane).full,
                (Tone::Pale, _) => self.palette.lane(lane).mid,
            };
            // Where nothing of the band is there, its edge is that of the band below.
            for piece in pieces(chart, band) {
                plot.draw_series(LineSeries::new(piece, self.stroke(colour, 1.5)))?;
            }
        }
        Ok(())
    }

    fn axes<DB: DrawingBackend>(&self, plot: &mut Plot<'_, DB>, time_labels: bool) -> Drawn<DB> {
        let label = self.label(self.palette.ink_3, false);
        let mut mesh = plot.configure_mesh();
        mesh.disable_mesh()
            .axis_style(self.stroke(self.palette.surface, 1.0))
            .label_style(label)
            .y_labels(6)
            .set_all_tick_mark_size(self.scale.px(4.0));
        if !time_labels {
            mesh.x_labels(0);
        }
        mesh.draw()?;
        // Only the base line is drawn; labels stand by themselves.
        let (end, zero) = (plot.x_range().end, 0);
        let style = self.stroke(self.palette.control, 1.0);
        plot.draw_series(LineSeries::new([(0, zero), (end, zero)], style)).map(drop)
    }

    /// The forbidden side of the ceiling, behind everything.
    fn beyond<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        let style = self.stroke(self.palette.line_2, 1.0);
        let top = plot.plotting_area().get_pixel_range().1.start;
        for (from, until, ceiling) in spans(chart, |column| column.limits.ceiling) {
            let (x0, y) = plot.backend_coord(&(from.0, ceiling));
            let (x1, _) = plot.backend_coord(&(until.0, ceiling));
            self.stripes(area, Rect::new(x0, top, x1 - x0, y - top), self.scale.px(8.0), style)?;
        }
        Ok(())
    }

    /// Floor and ceiling: dashed ink on an underlay of the ground.
    fn limits<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for limit in [|c: &super::Column| c.limits.floor, |c: &super::Column| c.limits.ceiling] {
            for (from, until, value) in spans(chart, limit) {
                let (x0, y) = plot.backend_coord(&(from.0, value));
                let (x1, _) = plot.backend_coord(&(until.0, value));
                let half = self.scale.px(2.0).max(2);
                let under = Rectangle::new([(x0, y - half), (x1, y + half)], self.palette.surface.rgb().filled());
                area.draw(&under)?;
                let (dash, gap) = (self.scale.px(6.0), self.scale.px(4.0));
                let thick = self.scale.px(1.5).max(1);
                let mut x = x0;
                while x < x1 {
                    let bar = [(x, y - thick / 2), ((x + dash).min(x1), y - thick / 2 + thick)];
                    area.draw(&Rectangle::new(bar, self.palette.ink.rgb().filled()))?;
                    x += dash + gap;
                }
            }
        }
        Ok(())
    }

    fn label(&self, colour: Colour, bold: bool) -> TextStyle<'static> {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        ("sans-serif", self.scale.0 * 12.0).into_font().style(style).color(&colour.rgb())
    }

    /// Labels at the right edge; two that would touch stand one above the other.
    fn words<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        plot: &Plot<'_, DB>,
        chart: &Chart,
        words: &ChartWords,
    ) -> Drawn<DB> {
        let style = self.label(self.palette.ink, true).pos(Pos::new(HPos::Left, VPos::Center));
        if let Some(last) = chart.columns.last() {
            let (x, ceiling) = plot.backend_coord(&(chart.axis_end.0, last.limits.ceiling));
            let (_, floor) = plot.backend_coord(&(chart.axis_end.0, last.limits.floor));
            let x = x + self.scale.px(8.0);
            let room = area.dim_in_pixel().0.saturating_sub(x.max(0) as u32);
            let fits = |text: &str| area.estimate_text_size(text, &style).is_ok_and(|(width, _)| width <= room);
            // Where one of them is too long, both take a line a word.
            let tall = !(fits(&words.ceiling) && fits(&words.floor));
            let line = self.scale.px(14.0);
            let least = if tall { 2 * line } else { line + self.scale.px(1.0) };
            let (ceiling, floor) = apart(ceiling, floor, least);
            for (label, y) in [(&words.ceiling, ceiling), (&words.floor, floor)] {
                match label.rsplit_once(' ').filter(|_| tall) {
                    Some((word, number)) => {
                        area.draw(&Text::new(word.to_owned(), (x, y - line / 2), style.clone()))?;
                        area.draw(&Text::new(number.to_owned(), (x, y + line / 2), style.clone()))?;
                    }
                    None => area.draw(&Text::new(label.clone(), (x, y), style.clone()))?,
                }
            }
        }
        if !words.title.is_empty() {
            let at = (self.scale.px(GUTTER_LEFT), self.scale.px(16.0));
            area.draw(&Text::new(words.title.clone(), at, style))?;
        }
        Ok(())
    }
}

/// Heights of two labels, at least `least` apart, the first above the second.
fn apart(upper: i32, lower: i32, least: i32) -> (i32, i32) {
    let missing = least - (lower - upper);
    if missing <= 0 { (upper, lower) } else { (upper, lower + missing) }
}

/// Points of a right-angled line over all columns.
fn steps(chart: &Chart, value: impl Fn(&[u32; BANDS]) -> u32) -> Vec<(u64, u32)> {
    let mut points: Vec<(u64, u32)> = Vec::with_capacity(chart.columns.len() * 2 + 1);
    for column in &chart.columns {
        let now = value(&column.edges);
        match points.last().copied() {
            Some((_, before)) if before == now => {}
            Some((_, before)) => points.extend([(column.at.0, before), (column.at.0, now)]),
            None => points.push((column.at.0, now)),
        }
    }
    if let Some((_, last)) = points.last().copied() {
        points.push((chart.axis_end.0, last));
    }
    points
}

/// The parts of a band's upper edge where the band has a task, with the upright ends.
fn pieces(chart: &Chart, band: usize) -> Vec<Vec<(u64, u32)>> {
    let below = |edges: &[u32; BANDS]| band.checked_sub(1).map_or(0, |below| edges[below]);
    let mut out: Vec<Vec<(u64, u32)>> = Vec::new();
    let mut open = false;
    for (index, column) in chart.columns.iter().enumerate() {
        let (value, low) = (column.edges[band], below(&column.edges));
        let until = chart.columns.get(index + 1).map_or(chart.axis_end.0, |next| next.at.0);
        if value > low {
            match out.last_mut().filter(|_| open) {
                Some(piece) => piece.extend([(column.at.0, value), (until, value)]),
                // At the very start there is no edge before: the run begins like this.
                None if index == 0 => out.push(vec![(column.at.0, value), (until, value)]),
                None => out.push(vec![(column.at.0, low), (column.at.0, value), (until, value)]),
            }
        } else if let Some(piece) = out.last_mut().filter(|_| open) {
            piece.push((column.at.0, low));
        }
        open = value > low;
    }
    out
}

/// Rectangles of a band in pixels; neighbours at the same height are one.
fn runs<DB: DrawingBackend>(plot: &Plot<'_, DB>, chart: &Chart, band: usize) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::new();
    for (index, column) in chart.columns.iter().enumerate() {
        let until = chart.columns.get(index + 1).map_or(chart.axis_end, |next| next.at);
        let (x0, bottom) = plot.backend_coord(&(column.at.0, column.edges[band - 1]));
        let (x1, top) = plot.backend_coord(&(until.0, column.edges[band]));
        let rect = Rect::new(x0, top, x1 - x0, bottom - top);
        match out.last_mut() {
            Some(last) if last.y == rect.y && last.h == rect.h && last.right() == rect.x => last.w += rect.w,
            _ if rect.is_empty() => {}
            _ => out.push(rect),
        }
    }
    out
}

/// Stretches of time with one value, over the whole axis.
fn spans(chart: &Chart, value: impl Fn(&super::Column) -> u32) -> Vec<(SimTime, SimTime, u32)> {
    let mut out: Vec<(SimTime, SimTime, u32)> = Vec::new();
    for column in &chart.columns {
        let now = value(column);
        match out.last_mut() {
            Some(last) if last.2 == now => {}
            Some(last) => {
                last.1 = column.at;
                out.push((column.at, chart.axis_end, now));
            }
            None => out.push((column.at, chart.axis_end, now)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use plotters::backend::SVGBackend;
    use plotters::drawing::IntoDrawingArea;
    use rollscope_engine::frame::{Counts, LaneCounts, Limits};

    use super::*;
    use crate::track::XScale;

    fn counts(new: u32, old: u32, rising: u32, leaving: u32, floor: u32) -> Counts {
        Counts {
            lanes: [
                LaneCounts { healthy: old, draining: leaving, ..LaneCounts::default() },
                LaneCounts { healthy: new, waiting: rising, ..LaneCounts::default() },
                LaneCounts::default(),
            ],
            counted: new + old + rising + leaving,
            limits: Limits { desired: 4, floor, ceiling: 6 },
        }
    }

    fn chart() -> Chart {
        let samples = [
            (SimTime(0), counts(0, 4, 2, 0, 4)),
            (SimTime(50_000), counts(2, 2, 0, 2, 4)),
            (SimTime(100_000), counts(4, 0, 0, 0, 2)),
        ];
        Chart::new(&samples, SimTime(100_000), XScale::new(756.0, Scale(1.0), SimTime(120_000)))
    }

    fn svg(tone: Tone, time_labels: bool, title: &str) -> String {
        let words = ChartWords { ceiling: "ceiling 6".into(), floor: "floor 2".into(), title: title.into() };
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, (756, 200)).into_drawing_area();
            paint(&area, &chart(), tone, Scale(1.0), &Palette::light(), &words, time_labels).expect("paint");
            area.present().expect("present");
        }
        text
    }

    fn hex(colour: Colour) -> String {
        format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
    }

    #[test]
    fn the_past_is_solid_and_the_future_pale() {
        let palette = Palette::light();
        let old = palette.lane(0).full;
        let pale = old.over(palette.surface, PALE);
        assert!(svg(Tone::Solid, false, "").contains(&format!("fill=\"{}\"", hex(old))));
        let future = svg(Tone::Pale, false, "");
        assert!(future.contains(&format!("fill=\"{}\"", hex(pale))));
        assert!(!future.contains(&format!("fill=\"{}\"", hex(old))), "fills are pale");
        assert!(future.contains(&format!("stroke=\"{}\"", hex(old))), "outlines are full");
    }

    #[test]
    fn limits_and_axis_are_labelled() {
        let picture = svg(Tone::Solid, true, "web, 7 to 8");
        for words in ["ceiling 6", "floor 2", "web, 7 to 8", "1:30", ">\n4\n<"] {
            assert!(picture.contains(words), "{words} in {picture}");
        }
        assert!(!svg(Tone::Solid, false, "").contains("1:30"));
    }

    #[test]
    fn steps_are_right_angled() {
        for band in 0..BANDS {
            let points = steps(&chart(), |edges| edges[band]);
            assert!(points.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1), "{points:?}");
        }
        assert_eq!(
            steps(&chart(), |edges| edges[0]),
            [(0, 0), (50_000, 0), (50_000, 2), (100_000, 2), (100_000, 4), (120_000, 4)]
        );
    }

    #[test]
    fn an_edge_is_drawn_where_its_band_has_tasks() {
        assert_eq!(pieces(&chart(), 2), vec![vec![(0, 4), (50_000, 4), (50_000, 4), (100_000, 4), (100_000, 4)]]);
        assert_eq!(pieces(&chart(), 8), vec![vec![(50_000, 4), (50_000, 6), (100_000, 6), (100_000, 4)]]);
        assert!(pieces(&chart(), 1).is_empty());
    }

    #[test]
    fn a_limit_that_changes_has_a_span_each() {
        assert_eq!(
            spans(&chart(), |column| column.limits.floor),
            [(SimTime(0), SimTime(100_000), 4), (SimTime(100_000), SimTime(120_000), 2)]
        );
    }

    #[test]
    fn labels_of_equal_limits_stand_apart() {
        assert_eq!(apart(50, 50, 15), (50, 65));
        assert_eq!(apart(50, 90, 15), (50, 90));
    }
}

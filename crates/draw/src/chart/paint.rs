//! Draws the chart through plotters.

use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::{Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontStyle, IntoFont, ShapeStyle, TextStyle};
use plotters_backend::{BackendCoord, BackendStyle, DrawingBackend};

use super::axis::{CountAxis, TimeAxis};
use super::data::{BANDS, Band, Chart, ORDER};
use super::moments::Moments;
use super::shapes::{pieces, runs, spans, steps};
use super::texture;
use crate::border::{self, Hatching};
use crate::geometry::{Rect, Scale};
use crate::gutter::{self, Label};
use crate::hand::{Area, AreaDrawn as Drawn, by_hand};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Ink};
use crate::tear;
use crate::ticks;
use crate::xscale::{GUTTER_LEFT, GUTTER_RIGHT, LABEL_GAP};

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
    /// Of a picture that stands alone: label of the gate of early success; empty for none.
    pub gate: String,
    /// Of a picture that stands alone: at the end of rollback protection; empty for none.
    pub border: String,
    /// Of a picture that stands alone: where there never was any protection; empty for none.
    pub never: String,
    /// Title above, for pictures that stand alone; empty for none.
    pub title: String,
}

/// Where a chart stands in a picture, and what the picture alone needs.
#[derive(Clone, Copy, Default)]
pub struct Setting<'a> {
    /// Rows of pixels above it that are not its own.
    pub above: i32,
    /// Rows of pixels below its base line that are not its own.
    pub below: i32,
    /// What the y axis counts; empty for no caption.
    pub caption: &'a str,
    /// Label of the gate of early success; empty for none.
    pub gate: &'a str,
    /// Labels in the gutter at the right that belong to what stands below it.
    pub labels: &'a [Label],
    /// Words of the labels of the y axis; absent: plain digits.
    pub count: Option<&'a dyn Fn(&u32) -> String>,
    /// A word inside the healthy band of a run that never moves; empty for none.
    pub still: &'a str,
    /// The axis of time is labelled (the page has the scrubber there).
    pub time_labels: bool,
}

/// Share of a fill that is left in the future, in per cent.
const PALE: u32 = 42;
/// Air above the highest count, in CSS pixels at least and in per cent of the height.
const AIR: (f64, i32) = (20.0, 12);

/// Most labels of the y axis, and the least distance of two in CSS pixels.
const LABELS_MOST: usize = 6;
const LINE: f64 = 13.0;
/// Between a label of the y axis and the axis in CSS pixels, at best and at least.
const AWAY: (i32, i32) = (8, 2);

type Plot<'a, DB> = ChartContext<'a, DB, Cartesian2d<TimeAxis, CountAxis>>;

/// Draws the whole run in one tone, as a picture of its own. `time_labels` adds the axis of time
/// below.
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
    let above = scale.px(if words.title.is_empty() { 2.0 } else { 34.0 });
    let below = scale.px(if time_labels { 26.0 } else { 2.0 });
    let setting = Setting { above, below, gate: &words.gate, time_labels, ..Setting::default() };
    paint_in(area, chart, tone, scale, palette, words, &setting)?;
    let heights = (above, area.dim_in_pixel().1 as i32 - below);
    let moments = Moments { chart, scale, gates: heights, trips: heights, level: above, columns: vec![heights] };
    let texts = [words.border.clone(), words.never.clone(), words.never.clone()];
    by_hand(area, |to| moments.paint(to, palette, &texts))
}

/// Draws the whole run as a picture that is kept: with the axis of time, which is torn where it folds.
pub fn picture<DB: DrawingBackend>(
    area: &Area<DB>,
    chart: &Chart,
    scale: Scale,
    palette: &Palette,
    words: &ChartWords,
) -> Drawn<DB> {
    paint(area, chart, Tone::Solid, scale, palette, words, true)?;
    let above = scale.px(if words.title.is_empty() { 2.0 } else { 34.0 });
    let heights = (above, area.dim_in_pixel().1 as i32 - scale.px(26.0));
    by_hand(area, |to| tear::all(to, &chart.x, heights, scale, palette))
}

/// Draws the whole run in one tone between the parts of a larger picture, whose ground is there.
pub fn paint_in<DB: DrawingBackend>(
    area: &Area<DB>,
    chart: &Chart,
    tone: Tone,
    scale: Scale,
    palette: &Palette,
    words: &ChartWords,
    setting: &Setting<'_>,
) -> Drawn<DB> {
    let (_, height) = area.dim_in_pixel();
    let inner = height as i32 - setting.above - setting.below;
    let time = TimeAxis { x: chart.x, gap: scale.px(LABEL_GAP) };
    let air = scale.px(AIR.0).max(inner * AIR.1 / 100);
    let most = ((inner - air) / scale.px(LINE).max(1)).clamp(2, LABELS_MOST as i32) as usize;
    let count = CountAxis { top: chart.top, air, most };
    let mut builder = ChartBuilder::on(area);
    builder
        .margin_right(scale.px(GUTTER_RIGHT))
        .margin_top(setting.above)
        .y_label_area_size(scale.px(GUTTER_LEFT))
        .x_label_area_size(setting.below);
    let mut plot = builder.build_cartesian_2d(time, count)?;
    let pen = Brush { scale, palette, tone };
    pen.beyond(area, &plot, chart)?;
    pen.unprotected(area, &plot, chart, false)?;
    pen.bands(area, &plot, chart)?;
    pen.textures(area, &plot, chart)?;
    pen.edges(area, &plot, chart)?;
    pen.unprotected(area, &plot, chart, true)?;
    pen.axes(area, &mut plot, setting)?;
    pen.gates(area, &plot, chart)?;
    pen.limits(area, &plot, chart)?;
    pen.still(area, &plot, chart, setting.still)?;
    pen.words(area, &plot, chart, words, setting)?;
    pen.caption(area, setting)
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
        Color::stroke_width(&colour.rgb(), self.scale.line(css))
    }

    /// Areas from the highest band down: each covers what is below its edge.
    fn bands<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for band in (0..BANDS).rev().filter(|&band| chart.has(band)) {
            let (kind, lane) = ORDER[band];
            let mut edge = steps(chart, |edges| edges[band]);
            let ends = [edge.last(), edge.first()].map(|point| (point.map_or(0, |point| point.0), 0));
            edge.extend(ends);
            let (points, colour) = (in_pixels(plot, edge), self.fill(kind, lane));
            by_hand(area, |to| pen::polygon(to, points, colour))?;
        }
        Ok(())
    }

    /// Dots on what comes up, stripes on what leaves.
    fn textures<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for band in (3..BANDS).filter(|&band| chart.has(band)) {
            let (kind, lane) = ORDER[band];
            let colour = self.toned(self.palette.lane(lane).full);
            let runs = runs(plot, chart, band);
            if kind == Band::Rising {
                let size = self.scale.px(1.6).max(1);
                let dots = texture::dots(&runs, self.scale.px(6.0), size);
                let dot = |(x, y)| Rect::new(x, y, size, size);
                by_hand(area, |to| dots.into_iter().try_for_each(|at| pen::fill(to, dot(at), colour)))?;
            } else {
                let lines = texture::stripes(&runs, self.scale.px(7.0));
                self.lines(area, lines, self.ink(colour, 2.4))?;
            }
        }
        Ok(())
    }

    fn ink(&self, colour: Colour, css: f64) -> Ink {
        Ink(colour, self.scale.line(css))
    }

    fn lines<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        lines: Vec<(BackendCoord, BackendCoord)>,
        style: impl BackendStyle,
    ) -> Drawn<DB> {
        by_hand(area, |to| lines.into_iter().try_for_each(|(a, b)| to.draw_line(a, b, &style)))
    }

    /// The line between old and new, and the outlines of the future.
    fn edges<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
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
                let (points, ink) = (in_pixels(plot, piece), self.ink(colour, 1.5));
                by_hand(area, |to| pen::path(to, points, ink))?;
            }
        }
        Ok(())
    }

    /// Distance of the labels of the y axis from the axis in pixels: long ones stand closer.
    fn away<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, count: impl Fn(&u32) -> String) -> i32 {
        let label = self.label(self.palette.ink_3, false);
        let wide = |value: &u32| area.estimate_text_size(&count(value), &label).map_or(0, |(width, _)| width as i32);
        let axis = plot.as_coord_spec().y_spec();
        let widest = ticks::counts(axis.top, axis.most).iter().map(wide).max().unwrap_or(0);
        let [best, least] = [AWAY.0, AWAY.1].map(|css| self.scale.px(f64::from(css)));
        (self.scale.px(GUTTER_LEFT) - widest - 1).clamp(least, best)
    }

    fn axes<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &mut Plot<'_, DB>, setting: &Setting<'_>) -> Drawn<DB> {
        let label = self.label(self.palette.ink_3, false);
        let away = self.away(area, plot, |value| setting.count.map_or_else(|| value.to_string(), |words| words(value)));
        let mut mesh = plot.configure_mesh();
        mesh.disable_mesh()
            .axis_style(self.stroke(self.palette.surface, 1.0))
            .label_style(label)
            .y_labels(LABELS_MOST)
            .set_all_tick_mark_size(self.scale.px(4.0))
            // Labels stand two tick marks away.
            .set_tick_mark_size(LabelAreaPosition::Left, away / 2);
        if !setting.time_labels {
            mesh.x_labels(0);
        }
        if let Some(count) = &setting.count {
            mesh.y_label_formatter(count);
        }
        mesh.draw()?;
        // Only the base line is drawn; labels stand by themselves.
        let line = in_pixels(plot, vec![(0, 0), (plot.x_range().end, 0)]);
        by_hand(area, |to| pen::path(to, line, self.ink(self.palette.control, 1.0)))
    }

    /// The forbidden side of the ceiling, behind everything.
    fn beyond<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        let ink = self.ink(self.palette.line_2, 1.0);
        let top = plot.plotting_area().get_pixel_range().1.start;
        for (from, until, ceiling) in spans(chart, |column| column.limits.ceiling) {
            let (x0, y) = plot.backend_coord(&(from.0, ceiling));
            let (x1, _) = plot.backend_coord(&(until.0, ceiling));
            let beyond = Rect::new(x0, top, x1 - x0, y - top);
            self.lines(area, hatch::diagonals(beyond, self.scale.px(8.0)), ink)?;
        }
        Ok(())
    }

    /// The spans without rollback protection beside one with it: hatched behind the data and over them.
    fn unprotected<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        plot: &Plot<'_, DB>,
        chart: &Chart,
        over: bool,
    ) -> Drawn<DB> {
        let (_, rows) = plot.plotting_area().get_pixel_range();
        for span in chart.parted() {
            let hatching = Hatching::of(span);
            let (x0, x1) = (chart.x.x(span.from), chart.x.x(span.until));
            let place = Rect::new(x0, rows.start, x1 - x0, rows.end - rows.start);
            let lines = hatching.lines(place, self.scale);
            if over {
                self.lines(area, lines, hatching.over(self.palette, self.scale))?;
                continue;
            }
            if hatching == Hatching::Plain {
                let corners = [(place.x, place.y), (place.right(), place.bottom())];
                area.draw(&Rectangle::new(corners, hatching.ground(self.palette).rgb().filled()))?;
            }
            self.lines(area, lines, self.ink(hatching.ink(self.palette), border::WIDTH))?;
        }
        Ok(())
    }

    /// The word of a run that never moves, in the healthy band where it fits.
    fn still<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart, words: &str) -> Drawn<DB> {
        let Some(column) = chart.columns.last().filter(|_| !words.is_empty()) else { return Ok(()) };
        let bands = (0..3).filter_map(|band| {
            let below = if band == 0 { 0 } else { column.edges[band - 1] };
            let (_, bottom) = plot.backend_coord(&(0, below));
            let (_, top) = plot.backend_coord(&(0, column.edges[band]));
            (bottom - top >= self.scale.px(18.0)).then_some((bottom - top, band, top))
        });
        let Some((height, band, top)) = bands.max() else { return Ok(()) };
        let colour = match self.tone {
            Tone::Solid => self.palette.lane(ORDER[band].1).on,
            Tone::Pale => self.palette.ink,
        };
        let style = self.label(colour, true).pos(Pos::new(HPos::Left, VPos::Center));
        let (width, _) = area.estimate_text_size(words, &style)?;
        let pad = self.scale.px(14.0);
        let parts = chart.x.outside_folds(chart.x.left, chart.x.right);
        match parts.into_iter().find(|(from, until)| until - from >= width as i32 + 2 * pad) {
            Some((from, _)) => area.draw(&Text::new(words.to_owned(), (from + pad, top + height / 2), style)),
            None => Ok(()),
        }
    }

    /// What the y axis counts, above its labels.
    fn caption<DB: DrawingBackend>(&self, area: &Area<DB>, setting: &Setting<'_>) -> Drawn<DB> {
        if setting.caption.is_empty() {
            return Ok(());
        }
        let style = self.label(self.palette.ink_3, false).pos(Pos::new(HPos::Right, VPos::Center));
        let at = (self.scale.px(GUTTER_LEFT - 8.0), setting.above + self.scale.px(5.0));
        area.draw(&Text::new(setting.caption.to_owned(), at, style))
    }

    /// Floor and ceiling: dashed ink on an underlay of the ground.
    fn limits<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for limit in [|c: &super::Column| c.limits.floor, |c: &super::Column| c.limits.ceiling] {
            for (from, until, value) in spans(chart, limit) {
                let (x0, y) = plot.backend_coord(&(from.0, value));
                let (x1, _) = plot.backend_coord(&(until.0, value));
                self.dashes(area, (x0, x1), y, (6.0, 4.0))?;
            }
        }
        Ok(())
    }

    /// The gate of early success: shorter dashes. Where it equals a limit they share the limit's line.
    fn gates<DB: DrawingBackend>(&self, area: &Area<DB>, plot: &Plot<'_, DB>, chart: &Chart) -> Drawn<DB> {
        for gate in &chart.gates {
            let (x0, y) = plot.backend_coord(&(gate.from.0, gate.value));
            let (x1, _) = plot.backend_coord(&(gate.until.0, gate.value));
            self.dashes(area, (x0, x1), y, (3.0, 3.0))?;
        }
        Ok(())
    }

    /// A level line of dashes and gaps in CSS pixels.
    fn dashes<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        (x0, x1): (i32, i32),
        y: i32,
        (dash, gap): (f64, f64),
    ) -> Drawn<DB> {
        let half = self.scale.px(2.0).max(2);
        let (dash, gap) = (self.scale.px(dash), self.scale.px(gap));
        let thick = self.scale.px(1.5).max(1);
        by_hand(area, |to| {
            pen::fill(to, Rect::new(x0, y - half, x1 - x0, 2 * half), self.palette.surface)?;
            let mut from = (x0..x1).step_by((dash + gap).max(1) as usize);
            let bar = |x: i32| Rect::new(x, y - thick / 2, dash.min(x1 - x), thick);
            from.try_for_each(|x| pen::fill(to, bar(x), self.palette.ink))
        })
    }

    fn label(&self, colour: Colour, bold: bool) -> TextStyle<'static> {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        // Not by its name, which is compared in small letters of all scripts: tables of 12 kB.
        (FontFamily::SansSerif, self.scale.0 * 12.0).into_font().style(style).color(&colour.rgb())
    }

    /// Labels at the right edge, and the title of a picture that stands alone.
    fn words<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        plot: &Plot<'_, DB>,
        chart: &Chart,
        words: &ChartWords,
        setting: &Setting<'_>,
    ) -> Drawn<DB> {
        let height = |value: u32| plot.backend_coord(&(chart.axis_end.0, value)).1;
        let label = |words: &str, y: i32| Label { words: words.to_owned(), y, colour: self.palette.ink };
        let mut labels = Vec::new();
        if let Some(last) = chart.columns.last() {
            labels.push(label(&words.ceiling, height(last.limits.ceiling)));
            labels.push(label(&words.floor, height(last.limits.floor)));
        }
        labels.extend(chart.gates.last().map(|gate| label(setting.gate, height(gate.value))));
        labels.extend_from_slice(setting.labels);
        let (_, rows) = plot.plotting_area().get_pixel_range();
        let line = self.scale.px(8.0);
        let bottom = if setting.labels.is_empty() { rows.end + line } else { area.dim_in_pixel().1 as i32 };
        let x = chart.x.right + self.scale.px(8.0);
        by_hand(area, |to| gutter::paint(to, x, (rows.start - line, bottom), labels, self.scale))?;
        if words.title.is_empty() {
            return Ok(());
        }
        let style = self.label(self.palette.ink, true).pos(Pos::new(HPos::Left, VPos::Center));
        let at = (self.scale.px(GUTTER_LEFT), self.scale.px(16.0));
        area.draw(&Text::new(words.title.clone(), at, style))
    }
}

/// Points of the series in pixels, inside of the plot.
fn in_pixels<DB: DrawingBackend>(plot: &Plot<'_, DB>, points: Vec<(u64, u32)>) -> Vec<BackendCoord> {
    let (columns, rows) = plot.plotting_area().get_pixel_range();
    let inside = |(x, y): BackendCoord| (x.min(columns.end).max(columns.start), y.min(rows.end).max(rows.start));
    points.iter().map(|point| inside(plot.backend_coord(point))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests_run::chart;
    use super::*;
    use plotters::backend::SVGBackend;
    use plotters::drawing::IntoDrawingArea;

    fn svg(tone: Tone, time_labels: bool, title: &str) -> String {
        let words = ChartWords {
            ceiling: "ceiling 6".into(),
            floor: "floor 2".into(),
            title: title.into(),
            ..ChartWords::default()
        };
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
    fn long_labels_of_the_axis_stand_closer_to_it() {
        let right = |top: u32| {
            let mut chart = chart();
            chart.top = top;
            let mut text = String::new();
            {
                let area = SVGBackend::with_string(&mut text, (756, 200)).into_drawing_area();
                let tone = Tone::Solid;
                paint(&area, &chart, tone, Scale(1.0), &Palette::light(), &ChartWords::default(), false)
                    .expect("paint");
                area.present().expect("present");
            }
            let label = text.rsplit("<text ").find(|text| text.contains(">\n0\n<")).map(str::to_owned);
            let x = label.and_then(|label| label.split_once("x=\"")?.1.split('"').next()?.parse::<i32>().ok());
            x.expect("zero has a label")
        };
        assert!(right(6) == 38 && (39..46).contains(&right(2_000_000)), "{}", right(2_000_000));
    }

    #[test]
    fn a_low_chart_has_few_labels() {
        let labels = |height| {
            let mut text = String::new();
            {
                let area = SVGBackend::with_string(&mut text, (756, height)).into_drawing_area();
                let words = ChartWords::default();
                paint(&area, &chart(), Tone::Solid, Scale(1.0), &Palette::light(), &words, false).expect("paint");
                area.present().expect("present");
            }
            text.matches("<text").count()
        };
        assert!(labels(56) < labels(200), "{} {}", labels(56), labels(200));
    }
}

//! Draws the upper picture in one tone.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle, FontTransform,
};
use rollscope_engine::settings::{AlarmState, RolloutState, TaskName};
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};

use super::{Detail, Status, Timeline};
use crate::alarms;
use crate::border;
use crate::chart::{self, ChartWords, Setting, Tone};
use crate::counter::CounterWords;
use crate::geometry::Rect;
use crate::hand::{Area, AreaDrawn, by_hand};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Face};
use crate::ribbon;
use crate::tear;
use crate::ticks;

/// Every word on the timeline.
pub trait Words {
    /// Beside the ribbon: "status".
    fn status(&self) -> String;
    /// Above the y axis: "tasks".
    fn tasks(&self) -> String;
    /// A label of the y axis: "1,000".
    fn count(&self, tasks: u32) -> String;
    /// The platform's own word: `IN_PROGRESS`.
    fn state(&self, state: RolloutState) -> String;
    /// The platform's own word for the status of a service deployment, `ROLLBACK_IN_PROGRESS`.
    fn service(&self, status: ServiceStatus) -> String {
        status.name().into()
    }
    /// The stage in which a bake time of so many milliseconds runs: `BAKE_TIME 5:00`.
    fn bake(&self, ms: u64) -> String {
        format!("{} {}", Stage::BakeTime.name(), ticks::clock(ms, false))
    }
    /// A stage of a deployment that shifts traffic, that of a shift with the new revision's share:
    /// `SCALE_UP`, `20 % PRODUCTION_TRAFFIC_SHIFT`. Where it does not fit, what stands before the space may.
    fn stage(&self, stage: Stage, green: u16) -> String {
        match (stage, green % 10) {
            (Stage::ProductionTrafficShift, 0) => format!("{}\u{a0}% {}", green / 10, stage.name()),
            (Stage::ProductionTrafficShift, tenth) => format!("{}.{tenth}\u{a0}% {}", green / 10, stage.name()),
            _ => stage.name().into(),
        }
    }
    /// Beside the failure counter: "fails".
    fn fails(&self) -> String;
    /// At the threshold of the circuit breaker: "trips at 5".
    fn trips(&self, failures: u32) -> String;
    /// Where a healthy task sets the count to 0: "a healthy task: back to 0".
    fn reset(&self) -> String;
    /// Label of the gate of early success: "gate 90".
    fn gate(&self, tasks: u32) -> String;
    /// Beside the lanes of so many alarms: "alarms".
    fn alarms(&self, alarms: usize) -> String;
    /// What a span of an alarm is: `ALARM`, "ALARM, ignored", with its name where there is one.
    fn alarm(&self, name: &str, state: AlarmState, ignored: bool) -> String;
    /// `8·3`
    fn name(&self, task: TaskName) -> String;
    /// A row of tasks that never change: "+ 9".
    fn more(&self, tasks: u32) -> String;
    /// What one line of the carpet stands for: "1 line = 8 tasks".
    fn per_line(&self, tasks: u32) -> String;
    /// Label of the ceiling.
    fn ceiling(&self, tasks: u32) -> String;
    /// Label of the floor.
    fn floor(&self, tasks: u32) -> String;
    /// Along the end of rollback protection.
    fn border(&self) -> String;
    /// Length of a fold in milliseconds: "23 h".
    fn idle(&self, ms: u64) -> String;
    /// Inside the band of a run that never moves; empty for every other run.
    fn still(&self) -> String;
}

type Direct<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Width of a word that reads upwards, with its ground, in CSS pixels.
const UPRIGHT: f64 = 16.0;

impl Timeline {
    /// Draws ribbon, chart and rows or carpet in one tone over the whole picture.
    pub fn paint<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        tone: Tone,
        palette: &Palette,
        words: &impl Words,
    ) -> AreaDrawn<DB> {
        let scale = self.layout.scale;
        by_hand(area, |to| {
            let (width, height) = to.get_size();
            pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
            self.ribbon(to, palette, words)?;
            self.behind(to, palette)
        })?;
        let limits = self.chart.columns.last().map_or_else(Default::default, |column| column.limits);
        let labels = ChartWords {
            ceiling: words.ceiling(limits.ceiling),
            floor: words.floor(limits.floor),
            title: String::new(),
        };
        let (caption, still) = (words.tasks(), words.still());
        let gate = self.chart.gates.last().map_or_else(String::new, |gate| words.gate(gate.value));
        let count = |tasks: &u32| words.count(*tasks);
        let setting = Setting {
            above: self.layout.chart.y,
            below: self.layout.height - self.layout.chart.bottom(),
            caption: &caption,
            gate: &gate,
            still: &still,
            count: Some(&count),
            time_labels: false,
        };
        chart::paint_in(area, &self.chart, tone, scale, palette, &labels, &setting)?;
        by_hand(area, |to| {
            self.guards(to, palette, words)?;
            match &self.detail {
                Detail::Nothing => {}
                Detail::Rows(rows) => {
                    rows.paint(to, tone, palette, |name| words.name(name), |tasks| words.more(tasks))?;
                }
                Detail::Carpet(carpet) => {
                    carpet.paint(to, tone, palette)?;
                    self.per_line(to, &words.per_line(carpet.per_line), palette)?;
                }
            }
            self.strips().try_for_each(|strip| border::over(to, strip, scale, palette))?;
            self.folds(to, palette, words)?;
            self.gates(to, palette)?;
            self.borders(to, palette, &words.border())?;
            self.bars(to, palette)
        })
    }

    fn ribbon<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let place = self.layout.ribbon;
        let (words_at, status) = (place.x - self.layout.scale.px(8.0), words.status());
        let face = self.face(palette.ink_3, Anchor::Right);
        // A longer word than the design's begins at the edge.
        let length = to.estimate_text_size(&status, &face).map_or(0, |(width, _)| width as i32);
        let right = words_at.max(length + self.layout.scale.px(1.0));
        pen::text(to, &status, (right, place.y + place.h / 2), face)?;
        ribbon::paint(to, &self.segments, &self.x, place, self.layout.scale, palette, |status| match status {
            Status::Rollout(state) => words.state(state),
            Status::Service { status, .. } => words.service(status),
            Status::Bake { ms } => words.bake(ms),
            Status::Stage { stage, green } => words.stage(stage, green),
        })
    }

    /// Failure counter and alarms, where there are any.
    fn guards<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let (layout, scale) = (&self.layout, self.layout.scale);
        if let Some(counter) = &self.counter {
            let threshold = counter.threshold();
            let texts = CounterWords {
                fails: words.fails(),
                reset: words.reset(),
                top: threshold.map_or_else(String::new, |threshold| words.count(threshold)),
            };
            counter.paint(to, &self.x, layout.counter, scale, palette, &texts)?;
            if let Some(threshold) = threshold {
                let face = Face { bold: true, ..self.face(palette.fail, Anchor::Left) };
                self.gutter(to, &words.trips(threshold), counter.y(threshold, layout.counter), face)?;
            }
        }
        if !self.alarms.is_empty() {
            let first = layout.alarm(0);
            let face = self.face(palette.ink_3, Anchor::Right);
            let at = (first.x - scale.px(8.0), first.y + first.h / 2);
            pen::text(to, &words.alarms(self.alarms.len()), at, face)?;
        }
        for (index, lane) in self.alarms.iter().enumerate() {
            let word = |name: &str, span: &alarms::Span| words.alarm(name, span.state, span.ignored);
            alarms::paint(to, lane, &self.x, layout.alarm(index), scale, palette, word)?;
        }
        Ok(())
    }

    /// Dotted lines where a gate of early success was reached.
    fn gates<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        let heights = self.layout.body();
        self.gates.iter().try_for_each(|at| border::dotted(to, self.x.x(*at), heights, self.layout.scale, palette))
    }

    /// Red bars through everything where a monitor gave a deployment up, and the counted failures over them.
    fn bars<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        let (heights, scale) = ((self.layout.ribbon.bottom(), self.layout.height), self.layout.scale);
        self.trips.iter().try_for_each(|at| border::trip(to, self.x.x(*at), heights, scale, palette))?;
        let counter = self.counter.as_ref();
        counter.map_or(Ok(()), |counter| counter.paint_crosses(to, &self.x, self.layout.counter, scale, palette))
    }

    fn face(&self, colour: Colour, anchor: Anchor) -> Face {
        Face { size: self.layout.scale.0 * 12.0, bold: false, colour, anchor }
    }

    /// The strips without protection below the chart.
    fn strips(&self) -> impl Iterator<Item = Rect> + '_ {
        let (top, bottom) = (self.layout.chart.bottom(), self.layout.height);
        self.chart.borders.iter().map(move |(from, until)| {
            let (from, until) = (self.x.x(*from), self.x.x(*until));
            Rect::new(from, top, until - from, bottom - top)
        })
    }

    fn behind<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette) -> Direct<DB> {
        self.strips().try_for_each(|strip| border::behind(to, strip, self.layout.scale, palette))
    }

    /// The lines that end protection, with their word in the widest place beside them.
    fn borders<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &str) -> Direct<DB> {
        let scale = self.layout.scale;
        let (top, bottom) = self.layout.body();
        for strip in self.strips() {
            border::line(to, strip.x, (top, bottom), scale, palette)?;
            // Best behind everything that happens, else where there is most room.
            let from = strip.x + scale.px(4.0);
            let rest = self.x.x(self.end) + scale.px(4.0);
            let rest = (rest, strip.right()).max((from, from));
            let parts = self.x.outside_folds(from, strip.right());
            let widest = parts.into_iter().max_by_key(|(from, until)| until - from);
            let widest = widest.filter(|(from, until)| until - from >= scale.px(UPRIGHT * 4.0));
            let wide = |(from, until): &(i32, i32)| until - from >= scale.px(UPRIGHT);
            if let Some((from, until)) = Some(rest).filter(wide).or(widest) {
                let room = Rect::new(from, top, until - from, bottom - top - scale.px(8.0));
                self.upright(to, room, false, words, palette)?;
            }
        }
        Ok(())
    }

    /// The folds over everything, each with its length.
    fn folds<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let heights = (0, self.layout.height);
        for fold in self.x.folds() {
            tear::paint(to, fold, heights, self.layout.scale, palette)?;
            let room = Rect {
                y: self.layout.chart.y,
                h: self.layout.chart.h,
                ..tear::inside(fold, heights, self.layout.scale)
            };
            self.upright(to, room, true, &words.idle(fold.to.since(fold.from)), palette)?;
        }
        Ok(())
    }

    /// A word that reads upwards, at the bottom of `room` or in its middle, where it fits.
    fn upright<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        room: Rect,
        middle: bool,
        words: &str,
        palette: &Palette,
    ) -> Direct<DB> {
        let scale = self.layout.scale;
        let face = Upright(self.face(palette.ink_2, Anchor::Left));
        let length = to.estimate_text_size(words, &face.0).map_or(0, |(width, _)| width as i32);
        let thick = scale.px(UPRIGHT);
        if words.is_empty() || room.w < thick || room.h < length {
            return Ok(());
        }
        let x = room.x + room.w / 2;
        let from = if middle { room.bottom() - (room.h - length) / 2 } else { room.bottom() };
        let pad = scale.px(4.0);
        let ground = Rect::new(x - thick / 2, from - length - pad, thick, length + 2 * pad);
        pen::polygon(to, pen::rounded(ground, scale.px(3.0)), palette.surface)?;
        to.draw_text(words, &face, (x, from))
    }

    /// What a line stands for, in the gutter at the right.
    fn per_line<DB: DrawingBackend>(&self, to: &mut DB, words: &str, palette: &Palette) -> Direct<DB> {
        let face = self.face(palette.ink_3, Anchor::Left);
        let line = self.layout.scale.px(14.0);
        let lines = self.broken(to, words, face);
        self.stacked(to, &lines, self.layout.rows.y + line / 2, face)
    }

    /// Words in the gutter at the right, around a height below the chart.
    fn gutter<DB: DrawingBackend>(&self, to: &mut DB, words: &str, y: i32, face: Face) -> Direct<DB> {
        let lines = self.broken(to, words, face);
        let line = self.layout.scale.px(14.0);
        // The labels of the chart may reach a little below it.
        let top = (y - line * (lines.len() as i32 - 1) / 2).max(self.layout.chart.bottom() + line);
        self.stacked(to, &lines, top, face)
    }

    /// Left end of words in the gutter at the right.
    fn gutter_x(&self) -> i32 {
        self.layout.rows.right() + self.layout.scale.px(8.0)
    }

    /// Words in lines that fit into the gutter at the right, a word a line where they are too long.
    fn broken<DB: DrawingBackend>(&self, to: &DB, words: &str, face: Face) -> Vec<String> {
        let x = self.gutter_x();
        let (width, _) = to.get_size();
        let wide = |text: &str| to.estimate_text_size(text, &face).map_or(0, |(w, _)| w as i32);
        let mut lines: Vec<String> = Vec::new();
        for word in words.split(' ') {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match longer.filter(|line| x + wide(line) <= width as i32) {
                Some(line) => lines.pop().map_or((), |_| lines.push(line)),
                None => lines.push(word.to_owned()),
            }
        }
        lines
    }

    fn stacked<DB: DrawingBackend>(&self, to: &mut DB, lines: &[String], top: i32, face: Face) -> Direct<DB> {
        let (x, line) = (self.gutter_x(), self.layout.scale.px(14.0));
        lines.iter().zip(0..).try_for_each(|(words, k)| pen::text(to, words, (x, top + k * line), face))
    }
}

/// A text that reads upwards from its point.
struct Upright(Face);

impl BackendTextStyle for Upright {
    type FontError = std::convert::Infallible;

    fn color(&self) -> BackendColor {
        BackendStyle::color(&pen::Ink(self.0.colour, 1))
    }
    fn size(&self) -> f64 {
        self.0.size
    }
    fn transform(&self) -> FontTransform {
        FontTransform::Rotate270
    }
    fn style(&self) -> FontStyle {
        self.0.style()
    }
    fn anchor(&self) -> plotters_backend::text_anchor::Pos {
        self.0.anchor()
    }
    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.0.layout_box(text)
    }
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _pos: BackendCoord,
        _draw: F,
    ) -> Result<Result<(), E>, Self::FontError> {
        Ok(Ok(()))
    }
}

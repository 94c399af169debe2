//! Draws the upper picture in one tone.

use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};
use rollscope_engine::settings::{AlarmState, RolloutState, TaskName};
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};

use super::{Detail, Status, Timeline};
use crate::alarms;
use crate::chart::{self, ChartWords, Moments, Setting, Tone};
use crate::counter::CounterWords;
use crate::flow::{self, Measure};
use crate::geometry::Rect;
use crate::gutter::Label;
use crate::hand::{Area, AreaDrawn, by_hand};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Face};
use crate::ribbon;
use crate::tear;
use crate::ticks;
use crate::upright;

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
    /// Above the y axis of the traffic: "req/s".
    fn measure(&self, measure: Measure) -> String {
        if measure == Measure::Requests { "req/s".into() } else { "%".into() }
    }
    /// A weight of the new revision at its step: `20 %`.
    fn weight(&self, thousandths: u16) -> String {
        let (whole, tenth) = (thousandths / 10, thousandths % 10);
        if tenth == 0 { format!("{whole} %") } else { format!("{whole}.{tenth} %") }
    }
    /// Beside a tick: so many requests were cut off, in thousandths.
    fn cut_off(&self, thousandths: u64) -> String {
        format!("{} cut off", thousandths / 1_000)
    }
    /// Beside bad answers and refused requests.
    fn flow_band(&self, refused: bool) -> String {
        if refused { "refused".into() } else { "bad".into() }
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
    /// At the end of rollback protection.
    fn border(&self) -> String;
    /// Where no service deployment was protected: in the whole run, or in a part of it.
    fn never(&self, whole: bool) -> String;
    /// Length of a fold in milliseconds: "23 h".
    fn idle(&self, ms: u64) -> String;
    /// Inside the band of a run that never moves; empty for every other run.
    fn still(&self) -> String;
}

/// The words of the chart of the traffic.
struct FlowText<'a, W>(&'a W);

impl<W: Words> flow::FlowWords for FlowText<'_, W> {
    fn measure(&self, measure: Measure) -> String {
        self.0.measure(measure)
    }
    fn value(&self, value: u32) -> String {
        self.0.count(value)
    }
    fn weight(&self, thousandths: u16) -> String {
        self.0.weight(thousandths)
    }
    fn cut_off(&self, thousandths: u64) -> String {
        self.0.cut_off(thousandths)
    }
    fn band(&self, refused: bool) -> String {
        self.0.flow_band(refused)
    }
}

/// A status in the platform's words.
fn status_word(status: Status, words: &impl Words) -> String {
    match status {
        Status::Rollout(state) => words.state(state),
        Status::Service { status, .. } => words.service(status),
        Status::Bake { ms } => words.bake(ms),
        Status::Progressing { reason, .. } => reason.name().to_owned(),
        Status::Refresh(_) | Status::Upgrade(_) | Status::VersionTarget(_) => status.name().to_owned(),
        Status::Stage { stage, green } => words.stage(stage, green),
    }
}

pub(super) type Direct<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

impl Timeline {
    /// Draws ribbon, chart and rows or carpet in one tone over the whole picture.
    pub fn paint<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        tone: Tone,
        palette: &Palette,
        words: &impl Words,
    ) -> AreaDrawn<DB> {
        by_hand(area, |to| {
            let (width, height) = to.get_size();
            pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
            self.ribbon(to, palette, words)?;
            self.behind(to, palette)
        })?;
        match &self.flow {
            Some(flow) => self.traffic(area, flow, tone, palette, words)?,
            None => self.tasks(area, tone, palette, words)?,
        }
        by_hand(area, |to| {
            self.guards(to, palette, words)?;
            match &self.detail {
                Detail::Nothing => {}
                Detail::Rows(rows) => {
                    rows.paint(to, tone, palette, |name| words.name(name), |tasks| words.more(tasks))?;
                }
                Detail::Carpet(carpet) => {
                    carpet.paint(to, tone, palette)?;
                }
            }
            self.over(to, palette)?;
            self.folds(to, palette, words)?;
            self.moments(to, palette, words)
        })
    }

    /// The traffic in the chart's place.
    #[inline(never)]
    fn traffic<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        chart: &flow::FlowChart,
        tone: Tone,
        palette: &Palette,
        words: &impl Words,
    ) -> AreaDrawn<DB> {
        let (place, labels) = (self.layout.chart, self.labels(palette, words));
        let bottom = if labels.is_empty() { place.bottom() + self.layout.scale.px(8.0) } else { self.layout.height };
        let look = (tone, self.layout.scale);
        by_hand(area, |to| flow::paint(to, chart, (place, bottom), look, palette, &labels, &FlowText(words)))
    }

    /// The chart of tasks.
    fn tasks<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        tone: Tone,
        palette: &Palette,
        words: &impl Words,
    ) -> AreaDrawn<DB> {
        let scale = self.layout.scale;
        let limits = self.chart.columns.last().map_or_else(Default::default, |column| column.limits);
        let labels = ChartWords {
            ceiling: words.ceiling(limits.ceiling),
            floor: words.floor(limits.floor),
            ..ChartWords::default()
        };
        let (caption, still) = (words.tasks(), words.still());
        let below = self.labels(palette, words);
        let gate = self.chart.gates.last().map_or_else(String::new, |gate| words.gate(gate.value));
        let count = |tasks: &u32| words.count(*tasks);
        let setting = Setting {
            above: self.layout.chart.y,
            below: self.layout.height - self.layout.chart.bottom(),
            caption: &caption,
            gate: &gate,
            labels: &below,
            still: &still,
            count: Some(&count),
            time_labels: false,
        };
        chart::paint_in(area, &self.chart, tone, scale, palette, &labels, &setting)
    }

    fn ribbon<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let place = self.layout.ribbon;
        // A platform whose rollouts have no status has nothing to stand there.
        if place.h == 0 || self.segments.is_empty() {
            return Ok(());
        }
        let (words_at, status) = (place.x - self.layout.scale.px(8.0), words.status());
        let face = self.face(palette.ink_3, Anchor::Right);
        // A longer word than the design's begins at the edge.
        let length = to.estimate_text_size(&status, &face).map_or(0, |(width, _)| width as i32);
        let right = words_at.max(length + self.layout.scale.px(1.0));
        pen::text(to, &status, (right, place.y + place.h / 2), face)?;
        let scale = self.layout.scale;
        let pieces = ribbon::pieces(&self.segments, &self.x, place, scale);
        ribbon::paint(to, &pieces, &self.x, self.layout.notes, scale, palette, |status| status_word(status, words))?;
        match self.never_on_ribbon(to, words) {
            Some((at, never)) => pen::text(to, &never, at, self.face(palette.ink_2, Anchor::Left)),
            None => Ok(()),
        }
    }

    /// Where the ribbon says that no deployment of the run is protected, behind a status that goes on; `None`
    /// where one is, or where there is no room.
    fn never_on_ribbon<DB: DrawingBackend>(&self, to: &DB, words: &impl Words) -> Option<(BackendCoord, String)> {
        // A platform that never rolls back by itself has nothing that could end.
        // A refresh and an upgrade say themselves whether they go back.
        let says = |segment: &super::Segment| matches!(segment.status, Status::Refresh(_) | Status::Upgrade(_));
        if self.segments.iter().any(says) {
            return None;
        }
        let alone =
            |segment: &super::Segment| matches!(segment.status, Status::Progressing { .. } | Status::VersionTarget(_));
        let alone = self.segments.iter().any(alone);
        if !alone && !self.chart.borders.iter().any(|span| self.chart.is_whole(span)) {
            return None;
        }
        let scale = self.layout.scale;
        let pieces = ribbon::pieces(&self.segments, &self.x, self.layout.ribbon, scale);
        let never = words.never(true);
        let at = ribbon::aside(to, &pieces, &self.x, (scale, !self.layout.notes.is_empty()), &never, |status| {
            status_word(status, words)
        })?;
        Some((at, never))
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

    /// What happened to the rollout, through everything: gates that were met, borders, failures; and the
    /// counted failures over them.
    fn moments<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let (layout, body) = (&self.layout, self.layout.body());
        let moments = Moments {
            chart: &self.chart,
            scale: layout.scale,
            gates: body,
            trips: (layout.notes.bottom(), layout.height),
            level: layout.chart.y,
            columns: self.free_columns(),
        };
        let never = if self.never_on_ribbon(to, words).is_some() { String::new() } else { words.never(true) };
        moments.paint(to, palette, &[words.border(), never, words.never(false)])?;
        let counter = self.counter.as_ref();
        counter.map_or(Ok(()), |counter| counter.paint_crosses(to, &self.x, layout.counter, layout.scale, palette))
    }

    fn face(&self, colour: Colour, anchor: Anchor) -> Face {
        Face { size: self.layout.scale.0 * 12.0, bold: false, colour, anchor }
    }

    /// The folds over everything, each with its length.
    fn folds<DB: DrawingBackend>(&self, to: &mut DB, palette: &Palette, words: &impl Words) -> Direct<DB> {
        let (heights, scale) = ((0, self.layout.height), self.layout.scale);
        for fold in self.x.folds() {
            tear::paint(to, (fold, self.x.is_open()), heights, scale, palette)?;
            let room = Rect { y: self.layout.chart.y, h: self.layout.chart.h, ..tear::inside(fold, heights, scale) };
            upright::paint(to, room, true, &words.idle(fold.to.since(fold.from)), scale, palette)?;
        }
        Ok(())
    }

    /// Labels in the gutter at the right that belong to what stands below the chart.
    fn labels(&self, palette: &Palette, words: &impl Words) -> Vec<Label> {
        let trips = self.counter.as_ref().and_then(|counter| {
            let threshold = counter.threshold()?;
            let y = counter.y(threshold, self.layout.counter);
            Some(Label { words: words.trips(threshold), y, colour: palette.fail })
        });
        let per_line = self.tasks_per_line().map(|tasks| {
            let y = self.layout.rows.y + self.layout.scale.px(7.0);
            Label { words: words.per_line(tasks), y, colour: palette.ink_3 }
        });
        trips.into_iter().chain(per_line).collect()
    }
}

//! The timeline: status ribbon, chart, failure counter, alarms, and rows or carpet on one x scale, crossed by one playhead.
//!
//! [`Timeline::new`] lays a run out once; [`Timeline::paint`] draws the whole run in one tone into
//! one picture. The page keeps it solid and pale, shows the columns left of the playhead from the
//! solid one and the rest from the pale one, and draws [`Timeline::paint_over`] on top.

mod border;
mod layout;
mod over;
mod paint;

use rollscope_engine::frame::Counts;
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{InstanceId, Record};

pub use layout::{Below, COMFORT_BARE, Extras, TimelineLayout, comfort, rows_most};
pub use over::Over;
pub use paint::Words;

pub use crate::ribbon::{Segment, Status};

use crate::alarms;
use crate::carpet::{self, Carpet};
use crate::chart::Chart;
use crate::counter::Counter;
use crate::flow::{self, FlowChart};
use crate::geometry::{Rect, Scale};
use crate::guards::{Guards, Unprotected};
use crate::lives::Lanes;
use crate::ribbon;
use crate::rows::{Rows, RowsAt};
use crate::track::{Mark, Track};
use crate::xscale::XScale;

/// A run, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What happened, in order.
    pub records: &'a [Record],
    /// Counts over time, ascending.
    pub samples: &'a [(SimTime, Counts)],
    /// The requests over time, ascending; empty without any.
    pub flows: &'a [(SimTime, Flow)],
    /// Revision numbers of the settings in their order: the first is old, the second new.
    pub revisions: &'a [u32],
    /// Rollout state of the newest deployment that existed before the run, if there was one.
    pub before: Option<RolloutState>,
    /// Slots of the stage: 0 to 24 have rows.
    pub slots: u32,
    /// The last moment at which anything happens.
    pub end: SimTime,
    /// The run was ended by its own `until`: what comes behind `end` is not known.
    pub cut: bool,
    /// The end of the axis; absent: a little behind `end`.
    pub axis_end: Option<SimTime>,
    /// Spans of idleness that may be folded, ascending, apart from each other.
    pub idle: &'a [(SimTime, SimTime)],
    /// Circuit breaker, early success and alarms of the settings.
    pub guards: Guards<'a>,
}

/// What stands in the place of the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ChartOf {
    /// Tasks by what they do. The default.
    #[default]
    Tasks,
    /// Who answers the requests.
    Traffic,
}

/// The room there is, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Width of the pictures in CSS pixels.
    pub css_width: f64,
    /// Height of both pictures together in CSS pixels, as far as there is a choice.
    pub css_height: f64,
    /// Phone sizes, and a scrubber for fingers.
    pub phone: bool,
    /// The page scrolls as a whole: a timeline with many rows may be higher than asked for.
    pub grows: bool,
    /// Only chart and scrubber: no ribbon, no failure counter, no alarms, no rows.
    pub bare: bool,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// What the chart shows.
    pub chart: ChartOf,
}

/// What is below a point of the upper picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The moment.
    pub at: SimTime,
    /// The task of a row, or the first one of a line of the carpet.
    pub task: Option<InstanceId>,
    /// Tasks of that row or line; 0 without one.
    pub tasks: u32,
}

/// What stands below the chart, in its place.
#[derive(Clone, Debug, PartialEq)]
enum Detail {
    Nothing,
    Rows(RowsAt),
    Carpet(Carpet),
}

/// A run laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// The place of every part.
    pub layout: TimelineLayout,
    /// The x layout of every part.
    pub x: XScale,
    /// The chart of tasks.
    pub chart: Chart,
    /// The traffic, where it stands in the chart's place.
    pub flow: Option<FlowChart>,
    /// The last moment at which anything happens.
    pub end: SimTime,
    segments: Vec<Segment>,
    detail: Detail,
    counter: Option<Counter>,
    alarms: Vec<alarms::Lane>,
}

impl Timeline {
    /// Lays a run out. The work grows with the records and with the pixels, not with their product.
    pub fn new(run: &Run<'_>, room: &Room) -> Timeline {
        let axis_end = run.axis_end.unwrap_or_else(|| XScale::axis_end(run.end, run.idle));
        // Where traffic is shifted, waiting is what a rollout does.
        let shifts = run.records.iter().any(|record| ribbon::is_shift(&record.what));
        let lay_out = if shifts { XScale::open } else { XScale::folded };
        let x = lay_out(room.css_width, room.scale, axis_end, run.idle);
        let lanes = Lanes::new(run.revisions, run.records);
        let counted = || Counter::read(run.records, run.guards.thresholds(run.samples, axis_end), run.end);
        let (counter, alarms, segments) = match room.bare {
            true => (None, Vec::new(), Vec::new()),
            false => (
                counted(),
                alarms::lanes(run.guards.alarms, run.records, axis_end),
                ribbon::segments(run.records, run.before, axis_end),
            ),
        };
        let axis = Rect::new(x.left, 0, x.width(), 0);
        let notes = ribbon::needs_notes(&segments, &x, axis, room.scale)
            && !layout::low(room, counter.is_none() && alarms.is_empty());
        let extras = Extras { notes, counter: counter.is_some(), alarms: alarms.len() };
        let rows = Rows::read(run.records, &lanes, run.slots, rows_most(room, extras));
        // Where nothing ever happens the rows say no more than the chart.
        let needless = room.bare || (run.axis_end.is_some() && layout::low(room, true));
        let count = rows.as_ref().map_or_else(|| carpet::tasks(run.records) as usize, |rows| rows.rows().len());
        let layout = TimelineLayout::new(room, run.slots, if needless { 0 } else { count }, extras);
        let mut chart = Chart::new(run.samples, run.end, x).watched(run.records, run.samples, &run.guards);
        // Behind the end of protection a run that is over has nothing to show; another one goes on.
        if run.cut {
            chart = chart.cut();
        }
        let over = run.cut || chart.borders.last().is_some_and(|border| border.border && border.until == axis_end);
        let until = if over { x.x(run.end) } else { x.right };
        let unprotected = Unprotected::new(run.records);
        let detail = match rows {
            _ if layout.below == Below::Nothing => Detail::Nothing,
            Some(rows) => {
                let bars = rows.bars(run.records, &lanes, &x, until);
                Detail::Rows(RowsAt::new(rows, bars, &layout).unprotected(&unprotected))
            }
            None => {
                let carpet = Carpet::new(run.records, &lanes, &x, until, layout.rows, room.scale);
                Detail::Carpet(carpet.unprotected(&unprotected))
            }
        };
        let traffic = || {
            let Run { records, samples, flows, revisions, .. } = *run;
            FlowChart::new(&flow::Source { records, samples, flows, revisions }, x)
        };
        let flow = (room.chart == ChartOf::Traffic).then(traffic);
        Timeline { layout, x, chart, flow, end: run.end, segments, detail, counter, alarms }
    }

    /// The scrubber below, with the same x layout.
    pub fn track(&self, marks: impl IntoIterator<Item = Mark>) -> Track {
        let mut track = Track::new(self.x, self.layout.scale, self.end, marks);
        track.borders = self.chart.parted().copied().collect();
        track.trips = self.chart.trips.clone();
        track.gates = self.chart.met.clone();
        track.touch = self.layout.phone;
        track
    }

    /// The moment and the task below a point of the upper picture, in device pixels.
    pub fn hit(&self, x: i32, y: i32) -> Hit {
        let at = self.x.at(x);
        let (task, tasks) = match &self.detail {
            Detail::Nothing => None,
            Detail::Rows(rows) => rows.row_at(y).map(|row| (rows.rows().rows()[row].id, rows.rows().rows()[row].tasks)),
            Detail::Carpet(carpet) => carpet.tasks_at(y),
        }
        .map_or((None, 0), |(task, tasks)| (Some(task), tasks));
        Hit { at, task, tasks }
    }

    /// The band of the row or line in which a task stands, over the whole width of the axis.
    pub fn band_of(&self, task: InstanceId) -> Option<Rect> {
        match &self.detail {
            Detail::Nothing => None,
            Detail::Rows(rows) => rows.rows().row_of(task).map(|row| rows.band(row)),
            Detail::Carpet(carpet) => (task.0 < carpet.tasks).then(|| carpet.band(carpet.line_of(task))),
        }
    }

    /// Tasks that one line of the carpet stands for; `None` without a carpet.
    pub fn tasks_per_line(&self) -> Option<u32> {
        match &self.detail {
            Detail::Carpet(carpet) => Some(carpet.per_line),
            Detail::Nothing | Detail::Rows(_) => None,
        }
    }

    /// Rectangles that the carpet takes; 0 without one.
    pub fn rectangles(&self) -> usize {
        match &self.detail {
            Detail::Carpet(carpet) => carpet.rectangles(),
            Detail::Nothing | Detail::Rows(_) => 0,
        }
    }

    /// Moments at which a deployment failed, ascending.
    pub fn trips(&self) -> &[SimTime] {
        &self.chart.trips
    }

    /// The failure counter, where something was counted.
    pub fn counter(&self) -> Option<&Counter> {
        self.counter.as_ref()
    }

    /// The status spans, ascending.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::kubernetes::{Change, Wait};
    use rollscope_engine::platform::statefulset;
    use rollscope_engine::settings::RolloutState;
    use rollscope_engine::trace::{Record, What};

    use super::*;

    #[test]
    fn a_stateful_set_has_no_condition_to_show() {
        let what = What::Kubernetes(Change::Waits(Wait::Ordinal(statefulset::Wait::Done)));
        let records = [Record { at: SimTime(10), what }];
        assert_eq!(ribbon::segments(&records, Some(RolloutState::Completed), SimTime(100)), []);
    }
}

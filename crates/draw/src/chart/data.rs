//! The series of a run, thinned to the pixels there are.

use rollscope_engine::frame::{Counts, LaneCounts, Limits};
use rollscope_engine::protection::{Lapses, Unprotected};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::Record;

use crate::guards::{self, Guards, Level};
use crate::xscale::XScale;

/// Number of bands.
pub const BANDS: usize = 9;

/// What a band of the chart counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Healthy tasks.
    Healthy,
    /// Tasks that are waiting, starting, checking or unhealthy.
    Rising,
    /// Tasks that are draining or stopping.
    Leaving,
}

/// Bands from below with their lane of colour.
pub(super) const ORDER: [(Band, u8); BANDS] = [
    (Band::Healthy, 1),
    (Band::Healthy, 2),
    (Band::Healthy, 0),
    (Band::Rising, 1),
    (Band::Rising, 2),
    (Band::Rising, 0),
    (Band::Leaving, 1),
    (Band::Leaving, 2),
    (Band::Leaving, 0),
];

/// One moment of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its moment; holds until that of the next column.
    pub at: SimTime,
    /// Upper edge of each band: sums from below.
    pub edges: [u32; BANDS],
    /// Floor and ceiling.
    pub limits: Limits,
}

impl Column {
    fn new(at: SimTime, counts: &Counts) -> Column {
        let mut edges = [0; BANDS];
        let mut sum = 0;
        for (edge, (band, lane)) in edges.iter_mut().zip(ORDER) {
            sum += count(&counts.lanes[usize::from(lane)], band);
            *edge = sum;
        }
        Column { at, edges, limits: counts.limits }
    }
}

fn count(lane: &LaneCounts, band: Band) -> u32 {
    match band {
        Band::Healthy => lane.healthy,
        Band::Rising => lane.waiting + lane.starting + lane.checking + lane.unhealthy,
        Band::Leaving => lane.leaving(),
    }
}

/// The series of a run, ready to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Columns ascending in time, the first at 0.
    pub columns: Vec<Column>,
    /// Highest value of the y axis, at least 1.
    pub top: u32,
    /// The run ends here.
    pub end: SimTime,
    /// The x axis ends here.
    pub axis_end: SimTime,
    /// The x layout it was thinned for.
    pub x: XScale,
    /// Spans without rollback protection; none unless [`Chart::watched`] reads them.
    pub borders: Vec<Unprotected>,
    /// New healthy tasks that early success needs.
    pub gates: Vec<Level>,
    /// Moments at which a gate of early success was met, ascending.
    pub met: Vec<SimTime>,
    /// Moments at which a deployment failed, ascending.
    pub trips: Vec<SimTime>,
}

impl Chart {
    /// Takes over samples (ascending in time). At most two are kept a pixel of `x`: the last one,
    /// and before it the one with the fewest healthy tasks, so that no dip is lost.
    pub fn new(samples: &[(SimTime, Counts)], end: SimTime, x: XScale) -> Chart {
        let mut columns: Vec<Column> = Vec::new();
        let mut peak = 0;
        for pixel in samples.chunk_by(|(a, _), (b, _)| x.x(*a) == x.x(*b)) {
            let tops = pixel.iter().map(|(_, counts)| counts.physical().max(counts.limits.ceiling));
            peak = tops.fold(peak, u32::max);
            keep(&mut columns, pixel);
        }
        let (borders, gates, met, trips) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Chart { columns, top: peak.max(1), end, axis_end: x.end, x, borders, gates, met, trips }
    }

    /// The same chart with what watches the rollout: where nothing is rolled back, gates, failures.
    pub fn watched(self, records: &[Record], samples: &[(SimTime, Counts)], guards: &Guards<'_>) -> Chart {
        Chart {
            borders: Lapses::of(records).spans(self.axis_end),
            gates: guards.gates(samples, self.axis_end),
            met: guards::gates_met(records),
            trips: guards::moments(records, guards::is_failed),
            ..self
        }
    }

    /// No deployment of the run was protected: the span is all there is to see, and parts nothing.
    pub fn is_whole(&self, span: &Unprotected) -> bool {
        !span.border && span.from == SimTime::ZERO && span.until >= self.axis_end
    }

    /// The spans without protection that are hatched: those that end a protected part, or stand beside one.
    pub fn parted(&self) -> impl Iterator<Item = &Unprotected> {
        self.borders.iter().filter(|span| !self.is_whole(span))
    }

    /// The same chart without anything behind its end.
    pub fn cut(mut self) -> Chart {
        let Some(last) = self.columns.last().copied() else { return self };
        self.columns.retain(|column| column.at < self.end);
        self.columns.push(Column { at: self.end, edges: [0; BANDS], ..last });
        self
    }

    /// The counts at a moment, if the run has begun by then.
    pub fn column_at(&self, at: SimTime) -> Option<&Column> {
        let next = self.columns.partition_point(|column| column.at <= at);
        next.checked_sub(1).map(|index| &self.columns[index])
    }

    /// True when a band has a task at any time.
    pub(super) fn has(&self, band: usize) -> bool {
        self.columns
            .iter()
            .any(|column| column.edges[band] > band.checked_sub(1).map_or(0, |below| column.edges[below]))
    }
}

/// Takes over the samples of one pixel that are worth keeping.
fn keep(columns: &mut Vec<Column>, pixel: &[(SimTime, Counts)]) {
    let Some(((at, last), before)) = pixel.split_last() else { return };
    let figures = |counts: &Counts| (counts.healthy(), u32::MAX - counts.physical());
    let worst = before.iter().min_by_key(|(_, counts)| figures(counts));
    let last_figures = figures(last);
    let lost = |counts: &Counts| figures(counts).0 < last_figures.0 || figures(counts).1 < last_figures.1;
    if let Some((at, worst)) = worst.filter(|(_, counts)| lost(counts)) {
        columns.push(Column::new(*at, worst));
    }
    columns.push(Column::new(*at, last));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Scale;

    pub(crate) fn counts(new: u32, old: u32, rising: u32, leaving: u32) -> Counts {
        Counts {
            lanes: [
                LaneCounts { healthy: old, draining: leaving, ..LaneCounts::default() },
                LaneCounts { healthy: new, starting: rising, ..LaneCounts::default() },
                LaneCounts::default(),
            ],
            counted: new + old + rising + leaving,
            limits: Limits { desired: 4, floor: 4, ceiling: 6 },
        }
    }

    #[test]
    fn bands_are_sums_from_below() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(100));
        let chart = Chart::new(&[(SimTime(0), counts(1, 3, 2, 0)), (SimTime(50), counts(2, 2, 0, 2))], SimTime(90), x);
        assert_eq!(chart.columns[0].edges, [1, 1, 4, 6, 6, 6, 6, 6, 6]);
        assert_eq!(chart.columns[1].edges, [2, 2, 4, 4, 4, 4, 4, 4, 6]);
        assert_eq!(chart.top, 6);
        assert!(chart.has(0) && chart.has(2) && chart.has(3) && chart.has(8));
        assert!(!chart.has(1) && !chart.has(5));
        assert_eq!(chart.column_at(SimTime(49)), Some(&chart.columns[0]));
        assert_eq!(chart.column_at(SimTime(50)), Some(&chart.columns[1]));
    }

    #[test]
    fn at_most_two_columns_a_pixel_and_the_dip_stays() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(1_000_000));
        let samples: Vec<_> =
            (0..10_000_u64).map(|k| (SimTime(k * 100), counts(0, if k == 4_444 { 1 } else { 4 }, 0, 0))).collect();
        let chart = Chart::new(&samples, SimTime(1_000_000), x);
        assert!(chart.columns.len() <= 2 * 641, "{}", chart.columns.len());
        assert!(chart.columns.iter().any(|column| column.edges[2] == 1));
        assert_eq!(chart.columns.first().map(|c| c.at.0 < 2_000), Some(true));
        assert_eq!(chart.columns.last().map(|c| c.at), Some(SimTime(999_900)));
    }

    #[test]
    fn a_run_that_is_cut_off_shows_nothing_behind_that() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(100));
        let samples = [(SimTime(0), counts(1, 3, 2, 0)), (SimTime(50), counts(2, 2, 0, 2))];
        let edges = |end| {
            let chart = Chart::new(&samples, SimTime(end), x).cut();
            chart.columns.iter().map(|column| (column.at.0, column.edges[BANDS - 1])).collect::<Vec<_>>()
        };
        assert_eq!(edges(90), [(0, 6), (50, 6), (90, 0)]);
        assert_eq!(edges(0), [(0, 0)]);
    }

    #[test]
    fn nothing_yet_is_an_empty_chart() {
        let x = XScale::new(300.0, Scale(1.0), SimTime(0));
        let chart = Chart::new(&[], SimTime(0), x);
        assert!(chart.columns.is_empty());
        assert_eq!(chart.top, 1);
        assert_eq!(chart.column_at(SimTime(5)), None);
    }
}

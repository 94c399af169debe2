//! The traffic over time: who answers how many of the requests, badly or well, and what nobody answers. Where a
//! scenario has no requests, their shares; where weights steer them, the weights as steps.
//!
//! From below: good answers of the new revision, of further ones, of the old one; bad answers; refused ones.

mod paint;
mod series;

use rollscope_engine::frame::{Counts, LANES};
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::platform::ecs::strategy::WHOLE;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{Record, ServiceChange, Weights, What};

use crate::xscale::XScale;

pub use paint::{FlowWords, paint, picture, strip};

/// Number of bands: a lane each, bad answers, refused requests.
pub const BANDS: usize = LANES + 2;
/// Lanes from below.
const UPWARDS: [usize; LANES] = [1, 2, 0];
/// The bands above them.
const BAD: usize = LANES;
const REFUSED: usize = LANES + 1;

/// What the chart measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Thousandths of a request a second.
    Requests,
    /// Thousandths of the traffic.
    Share,
}

/// One moment of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowColumn {
    /// Its moment; holds until that of the next column.
    pub at: SimTime,
    /// Upper edge of each band: sums from below.
    pub edges: [u64; BANDS],
}

/// Weight of the new revision from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightStep {
    /// From when on.
    pub at: SimTime,
    /// In thousandths.
    pub weight: u16,
}

/// What a chart of the traffic is read from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What happened, in order.
    pub records: &'a [Record],
    /// Counts over time, ascending.
    pub samples: &'a [(SimTime, Counts)],
    /// The requests over time, ascending; empty without any.
    pub flows: &'a [(SimTime, Flow)],
    /// Revision numbers of the settings in their order: their places are the lanes.
    pub revisions: &'a [u32],
}

/// The traffic of a run, ready to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowChart {
    /// What it measures.
    pub measure: Measure,
    /// Columns ascending in time.
    pub columns: Vec<FlowColumn>,
    /// Weights of the new revision, ascending; none where nothing steers the traffic.
    pub weights: Vec<WeightStep>,
    /// Moments at which open requests were cut off, with how many thousandths of one by then.
    pub cut_off: Vec<(SimTime, u64)>,
    /// Highest value of the y axis, at least 1.
    pub top: u64,
    /// The x layout it was thinned for.
    pub x: XScale,
}

impl FlowChart {
    /// Reads a run. At most two columns are kept a pixel: the last one, and before it the one with the most that
    /// went wrong.
    pub fn new(source: &Source<'_>, x: XScale) -> FlowChart {
        let weights = weights(source.records);
        let (measure, all) = match source.flows.is_empty() {
            true => (Measure::Share, series::shares(source.samples, &weights, source.revisions)),
            false => (Measure::Requests, series::requests(source.flows, source.revisions)),
        };
        let mut columns: Vec<FlowColumn> = Vec::new();
        for pixel in all.chunk_by(|a, b| x.x(a.at) == x.x(b.at)) {
            keep(&mut columns, pixel);
        }
        let most = columns.iter().map(|column| column.edges[REFUSED]).max().unwrap_or(0);
        let top = if measure == Measure::Share { u64::from(WHOLE) } else { most.max(1) };
        let weights = weights.into_iter().map(|(at, weights)| WeightStep { at, weight: weights.production }).collect();
        FlowChart { measure, columns, weights, cut_off: cut_off(source.flows), top, x }
    }

    /// The column that holds at a moment.
    pub fn column_at(&self, at: SimTime) -> Option<&FlowColumn> {
        let next = self.columns.partition_point(|column| column.at <= at);
        next.checked_sub(1).map(|index| &self.columns[index])
    }

    /// True when a band is there at any time.
    fn has(&self, band: usize) -> bool {
        self.columns.iter().any(|column| column.edges[band] > below(&column.edges, band))
    }
}

/// The lower edge of a band.
fn below(edges: &[u64; BANDS], band: usize) -> u64 {
    band.checked_sub(1).map_or(0, |below| edges[below])
}

/// What went wrong in a column.
fn wrong(column: &FlowColumn) -> u64 {
    column.edges[REFUSED] - column.edges[BAD - 1]
}

fn keep(columns: &mut Vec<FlowColumn>, pixel: &[FlowColumn]) {
    let Some((last, before)) = pixel.split_last() else { return };
    let worst = before.iter().min_by_key(|column| u64::MAX - wrong(column));
    columns.extend(worst.filter(|worst| wrong(worst) > wrong(last)));
    columns.push(*last);
}

/// Weights from a moment on.
type Step = (SimTime, Weights);

/// The weights of a run; of several at one moment the last one holds.
fn weights(records: &[Record]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for record in records {
        let What::Service { change: ServiceChange::Weights(weights), .. } = record.what else { continue };
        match steps.last_mut() {
            Some(last) if last.0 == record.at => last.1 = weights,
            _ => steps.push((record.at, weights)),
        }
    }
    steps
}

/// Moments at which the sum of what was cut off grew.
fn cut_off(flows: &[(SimTime, Flow)]) -> Vec<(SimTime, u64)> {
    let mut out: Vec<(SimTime, u64)> = Vec::new();
    for (at, flow) in flows {
        if flow.cut_off > out.last().map_or(0, |(_, sum)| *sum) {
            out.push((*at, flow.cut_off));
        }
    }
    out
}

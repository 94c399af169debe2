//! The series as lines and rectangles.

use plotters::chart::ChartContext;
use plotters::coord::cartesian::Cartesian2d;
use plotters_backend::DrawingBackend;
use rollscope_engine::time::SimTime;

use super::axis::{CountAxis, TimeAxis};
use super::data::{BANDS, Chart, Column};
use crate::geometry::Rect;

type Plot<'a, DB> = ChartContext<'a, DB, Cartesian2d<TimeAxis, CountAxis>>;

/// Points of a right-angled line over all columns.
pub fn steps(chart: &Chart, value: impl Fn(&[u32; BANDS]) -> u32) -> Vec<(u64, u32)> {
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
pub fn pieces(chart: &Chart, band: usize) -> Vec<Vec<(u64, u32)>> {
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
pub fn runs<DB: DrawingBackend>(plot: &Plot<'_, DB>, chart: &Chart, band: usize) -> Vec<Rect> {
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
pub fn spans(chart: &Chart, value: impl Fn(&Column) -> u32) -> Vec<(SimTime, SimTime, u32)> {
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
    use super::super::tests_run::chart;
    use super::*;

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
}

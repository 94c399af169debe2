//! The chart in numbers, on demand: one row a change.

use std::ops::Range;

use rollscope_engine::SimTime;
use rollscope_engine::frame::Counts;
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

use super::pages::{page, pager};
use super::why::moment;
use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// Rows of a page.
pub const PAGE: usize = 200;

/// What the table needs.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Changes of the run.
    pub changes: usize,
    /// The change in force at the playhead.
    pub now: Option<usize>,
    /// Counts after the changes of a range.
    pub read: Callback<Range<usize>, Vec<(SimTime, Counts)>>,
    /// The revisions of each lane, where there are more than an old and a new one.
    pub lanes: Vec<String>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The table. Nothing of it is made until it is opened; it opens on the page of the playhead.
#[component]
pub fn ChartTable(props: &Props) -> Html {
    let open = use_state(|| false);
    let at = use_state(|| 0);
    let toggled = {
        let (open, at, now) = (open.clone(), at.clone(), props.now.unwrap_or(0) / PAGE);
        move |event: Event| {
            let is_open = event.target_dyn_into::<HtmlDetailsElement>().is_some_and(|details| details.open());
            if is_open && !*open {
                at.set(now);
            }
            open.set(is_open);
        }
    };
    let turn = {
        let at = at.clone();
        Callback::from(move |to: usize| at.set(to))
    };
    html! {
        <details class="chart-table" ontoggle={toggled}>
            <summary>{ t(Label::ChartTable) }</summary>
            if *open { { table(props, *at, turn) } }
        </details>
    }
}

fn table(props: &Props, at: usize, turn: Callback<usize>) -> Html {
    let (shown, pages, now) = page(props.changes, PAGE, at);
    let from = shown.start;
    let rows = props.read.emit(shown);
    let row = |(index, (at, counts)): (usize, &(SimTime, Counts))| {
        let current = props.now == Some(from + index);
        let cells = cells(counts, props.lanes.len());
        let cells = cells.into_iter().map(|n| html! { <td>{ if n == u32::MAX { t(Label::NoLimit).to_owned() } else { text::number(n.into()) } }</td> });
        html! {
            <tr key={from + index} aria-current={current.then_some("true")}>
                <th scope="row">{ moment(*at, &props.on) }</th>{ for cells }
            </tr>
        }
    };
    let healthy = match &*props.lanes {
        [] => [Label::NewHealthy, Label::OldHealthy].map(|label| t(label).to_owned()).to_vec(),
        lanes => lanes.iter().rev().map(|lane| text::lane_healthy(lane)).collect(),
    };
    let others = [Label::NotServing, Label::Total, Label::Floor, Label::Ceiling].map(|label| t(label).to_owned());
    let head = std::iter::once(t(Label::Time).to_owned()).chain(healthy).chain(others);
    html! {
        <>
            <div class="table-frame" tabindex="0" role="region" aria-label={t(Label::ChartTable)}>
                <table class="listing numbers">
                    <thead><tr>{ for head.map(|label| html! { <th scope="col">{ label }</th> }) }</tr></thead>
                    <tbody>{ for rows.iter().enumerate().map(row) }</tbody>
                </table>
            </div>
            { pager(now, pages, &turn) }
        </>
    }
}

/// Healthy tasks of the newest to the oldest lane, not serving, total, floor, ceiling: the bands and
/// edges of the chart. Without `lanes` there are a new one and an old one.
fn cells(counts: &Counts, lanes: usize) -> Vec<u32> {
    let lanes = counts.lanes[..if lanes == 0 { 2 } else { lanes }].iter().rev();
    let (healthy, total) = (counts.healthy(), counts.physical());
    let others = [total - healthy, total, counts.limits.floor, counts.limits.ceiling];
    lanes.map(|lane| lane.healthy).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use rollscope_engine::frame::{LaneCounts, Limits};

    use super::*;

    #[test]
    fn a_row_has_the_bands_of_the_chart() {
        let mut counts = Counts { limits: Limits { desired: 4, floor: 4, ceiling: 6 }, ..Counts::default() };
        counts.lanes[0] = LaneCounts { healthy: 2, draining: 1, ..LaneCounts::default() };
        counts.lanes[1] = LaneCounts { healthy: 1, starting: 1, ..LaneCounts::default() };
        assert_eq!(cells(&counts, 0), [1, 2, 2, 5, 4, 6]);
        counts.lanes[2] = LaneCounts { healthy: 1, ..LaneCounts::default() };
        assert_eq!(cells(&counts, 3), [1, 1, 2, 2, 6, 4, 6]);
    }
}

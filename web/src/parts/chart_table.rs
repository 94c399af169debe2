//! The chart in numbers, on demand: one row a change.

use std::ops::Range;

use rollscope_engine::SimTime;
use rollscope_engine::frame::Counts;
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::trace::Weights;
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
    /// Names of the columns behind the time.
    pub head: Vec<String>,
    /// The rows of a range of changes.
    pub read: Callback<Range<usize>, Vec<(SimTime, Vec<String>)>>,
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
    let row = |(index, (at, cells)): (usize, &(SimTime, Vec<String>))| {
        let current = props.now == Some(from + index);
        html! {
            <tr key={from + index} aria-current={current.then_some("true")}>
                <th scope="row">{ moment(*at, &props.on) }</th>
                { for cells.iter().map(|cell| html! { <td>{ cell }</td> }) }
            </tr>
        }
    };
    let head = std::iter::once(t(Label::Time).to_owned()).chain(props.head.iter().cloned());
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

/// Names of the columns of tasks. `lanes` are the revisions of each lane, where there are more than an old and a
/// new one.
pub fn tasks_head(lanes: &[String]) -> Vec<String> {
    let healthy = match lanes {
        [] => [Label::NewHealthy, Label::OldHealthy].map(|label| t(label).to_owned()).to_vec(),
        lanes => lanes.iter().rev().map(|lane| text::lane_healthy(lane)).collect(),
    };
    let others = [Label::NotServing, Label::Total, Label::Floor, Label::Ceiling].map(|label| t(label).to_owned());
    healthy.into_iter().chain(others).collect()
}

/// A row of tasks.
pub fn tasks_row(counts: &Counts, lanes: usize) -> Vec<String> {
    let word = |n: u32| if n == u32::MAX { t(Label::NoLimit).to_owned() } else { text::number(n.into()) };
    cells(counts, lanes).into_iter().map(word).collect()
}

/// Names of the columns of requests, for so many revisions.
pub fn flow_head(revisions: &[u32]) -> Vec<String> {
    let answered = revisions.iter().map(|revision| text::answered_by(*revision));
    let others = [Label::BadAnswers, Label::Refused, Label::LoadOfTask, Label::CutOffSoFar];
    let takes = revisions.iter().map(|revision| text::answers_take(*revision));
    answered.chain(takes).chain(others.map(|label| t(label).to_owned())).collect()
}

/// A row of requests.
pub fn flow_row(flow: &Flow, revisions: &[u32]) -> Vec<String> {
    let of =
        |revision: &u32| flow.parts.iter().filter(|part| part.revision == *revision).map(|part| part.answered).sum();
    let bad = flow.parts.iter().map(|part| part.bad).sum();
    let answered = revisions.iter().map(of).map(text::rate_cell);
    let mean = |revision: &u32| flow.parts.iter().find(|part| part.revision == *revision).map(|part| part.mean_ms);
    let takes = revisions.iter().map(|revision| mean(revision).map_or_else(String::new, text::latency));
    let others = [bad, flow.refused, flow.load, flow.cut_off].map(text::rate_cell);
    answered.chain(takes).chain(others).collect()
}

/// Names of the columns of weights.
pub fn weights_head() -> Vec<String> {
    [Label::WeightTarget, Label::WeightSource, Label::WeightTest].map(|label| t(label).to_owned()).to_vec()
}

/// A row of weights.
pub fn weights_row(weights: &Weights) -> Vec<String> {
    let production = weights.of(weights.green);
    let source = weights.blue.map_or_else(String::new, |blue| text::weight(blue, weights.of(blue)));
    vec![text::weight(weights.green, production), source, text::weight_label(weights.test)]
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

//! Stage and chart for those who do not see them, or want the numbers.

use std::ops::Range;
use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::trace::Weights;
use rollscope_insight::RunView;
use rollscope_player::Player;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::{ChartOf, Hover, Msg};
use crate::app::runtime::hosts;
use crate::parts::chart_table::{self, ChartTable};
use crate::parts::grid::{self, CELLS_MAX, Grid};
use crate::parts::host_grid::HostGrid;
use crate::parts::tasks::{CountsTable, Stand};

/// From this width in CSS pixels on it lies flat below the stage.
const LYING: f64 = 560.0;

impl App {
    /// The stage as a grid of cells, up to 160 slots; above that nothing: the counts tell more.
    #[inline(never)]
    pub(super) fn grid(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let slots = moment.frame.slots.len();
        let runtime = self.runtime.borrow();
        if hosts::wanted(&moment.frame, hosts::order(&moment.frame, self.model.group)) {
            let seats = runtime.racks().seats();
            return html! {
                <HostGrid frame={Rc::clone(&moment.frame)} {seats} selected={self.model.selected} host={self.model.host}
                    hover={self.model.hover} say={self.say} on={on.clone()} />
            };
        }
        if slots > CELLS_MAX {
            return Html::default();
        }
        let place = |slot: u32| {
            let rect = runtime.layout().map(|layout| layout.rect(slot));
            rect.map_or((slot as i32, 0), |rect| (rect.x, rect.y))
        };
        let hover = match self.model.hover {
            Hover::Task(name) => Some(name),
            _ => None,
        };
        html! {
            <Grid frame={Rc::clone(&moment.frame)} rows={grid::rows(slots as u32, place)} selected={self.model.selected} {hover}
                unprotected_from={runtime.unprotected_from(moment.frame.at)} names={moment.names.clone()} say={self.say} on={on.clone()} />
        }
    }

    /// Tasks by state and revision, where there are too many slots for a cell each.
    #[inline(never)]
    pub(super) fn counts(&self, moment: &Moment) -> Html {
        if moment.frame.slots.len() <= CELLS_MAX {
            return Html::default();
        }
        let runtime = self.runtime.borrow();
        let frames = runtime.racks().layout().filter(|frames| frames.width >= frames.scale.px(LYING));
        let below = if frames.is_some() { Stand::Lying } else { Stand::Below };
        let stand = runtime.layout().map_or(below, |layout| match layout.free_area().is_empty() {
            false => Stand::Beside,
            true if layout.width >= layout.scale.px(LYING) => Stand::Lying,
            true => Stand::Below,
        });
        let frame = Rc::clone(&moment.frame);
        html! { <CountsTable {stand} revisions={self.columns(&frame)} {frame} say={self.say} /> }
    }

    /// The chart as a table: tasks, requests, or weights where there are no requests.
    #[inline(never)]
    pub(super) fn chart_table(&self, on: &Callback<Msg>) -> Html {
        let runtime = self.runtime.borrow();
        let Some(player) = runtime.player.as_ref() else { return Html::default() };
        let (timeline, now) = (player.timeline(), player.now());
        match self.model.chart {
            ChartOf::Tasks => {
                let lanes = self.lanes(player);
                let (head, lanes) = (chart_table::tasks_head(&lanes), lanes.len());
                self.changes_table(
                    timeline.samples(),
                    now,
                    head,
                    on,
                    |player| player.timeline().samples(),
                    move |counts| chart_table::tasks_row(counts, lanes),
                )
            }
            ChartOf::Traffic if !timeline.flows().is_empty() => {
                let revisions: Vec<u32> = self.chips(player).iter().map(|(revision, _)| *revision).collect();
                let head = chart_table::flow_head(&revisions);
                self.changes_table(
                    timeline.flows(),
                    now,
                    head,
                    on,
                    |player| player.timeline().flows(),
                    move |flow| chart_table::flow_row(flow, &revisions),
                )
            }
            ChartOf::Traffic => {
                let weights = rollscope_insight::json_shift::weights(RunView::of_player(player));
                self.weights_table(weights, now, on)
            }
        }
    }

    /// A table of changes that stays with the run.
    fn changes_table<T: Clone + 'static>(
        &self,
        changes: &[(SimTime, T)],
        now: SimTime,
        head: Vec<String>,
        on: &Callback<Msg>,
        list: impl Fn(&Player) -> &[(SimTime, T)] + 'static,
        cells: impl Fn(&T) -> Vec<String> + 'static,
    ) -> Html {
        let current = changes.partition_point(|(at, _)| *at <= now).checked_sub(1);
        let source = Rc::clone(&self.runtime);
        let read = Callback::from(move |wanted: Range<usize>| {
            let runtime = source.try_borrow().ok();
            let player = runtime.as_ref().and_then(|runtime| runtime.player.as_ref());
            let rows = player.and_then(|player| list(player).get(wanted)).unwrap_or_default();
            rows.iter().map(|(at, row)| (*at, cells(row))).collect::<Vec<_>>()
        });
        html! { <ChartTable changes={changes.len()} now={current} {head} {read} on={on.clone()} /> }
    }

    fn weights_table(&self, weights: Vec<(SimTime, Weights)>, now: SimTime, on: &Callback<Msg>) -> Html {
        let (changes, head) = (weights.len(), chart_table::weights_head());
        let current = weights.partition_point(|(at, _)| *at <= now).checked_sub(1);
        let row = |(at, weights): &(SimTime, Weights)| (*at, chart_table::weights_row(weights));
        let read = Callback::from(move |wanted: Range<usize>| {
            weights.get(wanted).unwrap_or_default().iter().map(row).collect::<Vec<_>>()
        });
        html! { <ChartTable {changes} now={current} {head} {read} on={on.clone()} /> }
    }
}

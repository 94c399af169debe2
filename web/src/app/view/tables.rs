//! Stage and chart for those who do not see them, or want the numbers.

use std::ops::Range;
use std::rc::Rc;

use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::{Hover, Msg};
use crate::app::runtime::hosts;
use crate::parts::chart_table::ChartTable;
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
                unprotected_from={runtime.unprotected_from(moment.frame.at)} say={self.say} on={on.clone()} />
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

    /// The chart as a table.
    #[inline(never)]
    pub(super) fn chart_table(&self, on: &Callback<Msg>) -> Html {
        let runtime = self.runtime.borrow();
        let Some(player) = runtime.player.as_ref() else { return Html::default() };
        let samples = player.timeline().samples();
        let now = samples.partition_point(|(at, _)| *at <= player.now()).checked_sub(1);
        let source = Rc::clone(&self.runtime);
        let read = Callback::from(move |wanted: Range<usize>| {
            let runtime = source.try_borrow().ok();
            let player = runtime.as_ref().and_then(|runtime| runtime.player.as_ref());
            player.and_then(|player| player.timeline().samples().get(wanted)).unwrap_or_default().to_vec()
        });
        let lanes = self.lanes(player);
        html! { <ChartTable changes={samples.len()} {now} {read} {lanes} on={on.clone()} /> }
    }
}

//! The stage by instance for those who do not see it: a row an instance, its tasks as cells.
//!
//! It is the one stop of the keyboard on the stage, as the grid by slot is. The cell that has the focus
//! is what the pointer would be on.

use std::rc::Rc;

use rollscope_draw::hosts::Seats;
use rollscope_engine::Frame;
use rollscope_engine::frame::TaskView;
use rollscope_engine::settings::TaskName;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::grid::{CELLS_MAX, left, words};
use crate::app::model::{Hover, Msg};
use crate::names::Names;
use crate::say::Say;
use crate::text::{self, Label, t};

/// Most instances that each have a row at once; of more those around the focus have.
const ROWS_MAX: usize = 60;
/// Keys that lead farther than to the next cell.
const JUMPS: [&str; 4] = ["Home", "End", "PageUp", "PageDown"];

/// What the grid mirrors.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// Who stands where.
    pub seats: Rc<Seats>,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// The selected instance.
    pub host: Option<u32>,
    /// What the pointer or the keyboard is on.
    pub hover: Hover,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// A cell: an instance by its number, or a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Host(u32),
    Task(TaskName),
}

impl Cell {
    fn hover(self) -> Hover {
        match self {
            Cell::Host(number) => Hover::Host(number),
            Cell::Task(name) => Hover::Task(name),
        }
    }

    /// What finds its element.
    fn key(self) -> String {
        match self {
            Cell::Host(number) => format!("i-{number}"),
            Cell::Task(name) => format!("{}·{}", name.revision, name.start),
        }
    }
}

/// The rows: an instance each with its tasks, then the tasks that have none.
fn rows(props: &Props) -> Vec<Vec<Cell>> {
    let frame = &props.frame;
    // Beyond a number the tasks are in the list: a row is an instance alone.
    let many = frame.slots.len() > CELLS_MAX;
    let name = |slot: u32| frame.slots.get(slot as usize)?.as_ref().map(|task| Cell::Task(task.name));
    let row = |(index, host): (u32, &rollscope_engine::frame::HostView)| {
        let tasks = if many { &[] } else { props.seats.on(index) };
        let tasks = tasks.iter().filter_map(|slot| name((*slot)?));
        [Cell::Host(host.number)].into_iter().chain(tasks).collect::<Vec<_>>()
    };
    let tray: Vec<Cell> =
        if many { vec![] } else { props.seats.tray().iter().filter_map(|slot| name(*slot)).collect() };
    (0..).zip(&frame.hosts).map(row).chain([tray]).filter(|row| !row.is_empty()).collect()
}

/// Where a key leads from a cell of the rows.
fn beside(rows: &[Vec<Cell>], (row, column): (usize, usize), key: &str) -> Option<Cell> {
    let at = |row: usize, column: usize| rows.get(row).and_then(|cells| cells.get(column.min(cells.len() - 1)));
    let to = match key {
        "ArrowLeft" => at(row, column.checked_sub(1)?),
        "ArrowRight" => rows[row].get(column + 1),
        "ArrowUp" => at(row.checked_sub(1)?, column),
        "ArrowDown" => at(row + 1, column),
        "PageUp" => at(row.saturating_sub(10), column),
        "PageDown" => at((row + 10).min(rows.len() - 1), column),
        "Home" => at(0, 0),
        "End" => rows.last().and_then(|cells| cells.last()),
        _ => None,
    };
    to.copied()
}

fn find(rows: &[Vec<Cell>], cell: Cell) -> Option<(usize, usize)> {
    let row = rows.iter().position(|row| row.contains(&cell))?;
    Some((row, rows[row].iter().position(|of| *of == cell)?))
}

/// The grid.
#[component]
pub fn HostGrid(props: &Props) -> Html {
    let grid = use_node_ref();
    use_effect_with((grid.clone(), props.hover), |(grid, hover)| match hover {
        Hover::Host(number) => go_to(grid, Cell::Host(*number)),
        Hover::Task(name) => go_to(grid, Cell::Task(*name)),
        Hover::Slots(_) | Hover::Moment(_) | Hover::None => {}
    });
    let rows = rows(props);
    let on_it = match props.hover {
        Hover::Host(number) => Some(Cell::Host(number)),
        Hover::Task(name) => Some(Cell::Task(name)),
        _ => None,
    };
    let chosen = props.host.map(Cell::Host).or(props.selected.map(Cell::Task));
    let there = |cell: Option<Cell>| cell.filter(|cell| find(&rows, *cell).is_some());
    let stop = there(on_it).or(there(chosen)).or(rows.first().and_then(|row| row.first()).copied());
    let onkeydown = {
        let (on, rows, grid) = (props.on.clone(), rows.clone(), grid.clone());
        move |event: KeyboardEvent| {
            let Some(cell) = stop else { return };
            let msg = match &*event.key() {
                "Enter" | " " => Some(choose(cell, chosen)),
                key => find(&rows, cell).and_then(|at| beside(&rows, at, key)).map(|cell| Msg::Hover(cell.hover())),
            };
            if let Some(msg) = msg {
                event.prevent_default();
                if JUMPS.contains(&&*event.key())
                    && let Some(grid) = grid.cast::<HtmlElement>()
                {
                    // The cell that has the focus may be gone when the rows around the other one are there.
                    let _ = grid.focus();
                }
                on.emit(msg);
            }
        }
    };
    let onfocusout = left(props.on.clone(), grid.clone());
    // Of very many rows those around the focus are there; a screen reader is told how many there are.
    let around = stop.and_then(|stop| find(&rows, stop)).map_or(0, |(row, _)| row).saturating_sub(ROWS_MAX / 2);
    let from = around.min(rows.len().saturating_sub(ROWS_MAX));
    let shown = rows.iter().enumerate().skip(from).take(ROWS_MAX);
    let row = |(index, cells): (usize, &Vec<Cell>)| {
        html! {
            <div key={index} role="row" aria-rowindex={(index + 1).to_string()}>
                { for cells.iter().map(|of| cell(props, *of, (stop, chosen))) }
            </div>
        }
    };
    html! {
        <div ref={grid} id="grid" class="only-read" role="grid" tabindex="-1" aria-label={t(Label::Instances)} aria-rowcount={rows.len().to_string()}
            {onkeydown} {onfocusout}>{ for shown.map(row) }</div>
    }
}

/// Choosing a cell again lets it go.
fn choose(cell: Cell, chosen: Option<Cell>) -> Msg {
    match cell {
        Cell::Host(number) => Msg::Host(Some(number)),
        Cell::Task(name) => Msg::Select((chosen != Some(cell)).then_some(name)),
    }
}

fn cell(props: &Props, cell: Cell, (stop, chosen): (Option<Cell>, Option<Cell>)) -> Html {
    let frame = &props.frame;
    let (hover, select) = (props.on.clone(), props.on.clone());
    let said = match cell {
        Cell::Host(number) => {
            frame.hosts.get(number as usize - 1).map(|host| text::host_read(host, frame.at)).unwrap_or_default()
        }
        Cell::Task(name) => {
            let task: Option<&TaskView> = frame.slots.iter().flatten().find(|task| task.name == name);
            task.map(|task| words(task, &Names::default(), frame.at, props.say)).unwrap_or_default()
        }
    };
    html! {
        <div key={cell.key()} role={if matches!(cell, Cell::Host(_)) { "rowheader" } else { "gridcell" }}
            tabindex={if stop == Some(cell) { "0" } else { "-1" }} aria-selected={(chosen == Some(cell)).to_string()} data-cell={cell.key()}
            onfocus={move |_: FocusEvent| hover.emit(Msg::Hover(cell.hover()))}
            onclick={move |_: MouseEvent| select.emit(choose(cell, chosen))}>{ said }</div>
    }
}

/// The focus goes with the keyboard, while it is on the grid.
fn go_to(grid: &NodeRef, cell: Cell) {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    let Some(grid) = grid.cast::<Element>() else { return };
    if !focused.is_some_and(|element| grid.contains(Some(&element))) {
        return;
    }
    let cell = grid.query_selector(&format!("[data-cell='{}']", cell.key())).ok().flatten();
    if let Some(cell) = cell.and_then(|cell| cell.dyn_into::<HtmlElement>().ok()) {
        let _ = cell.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_from_instance_to_instance_and_into_its_tasks() {
        let task = |start| Cell::Task(TaskName { revision: 8, start });
        let rows = [vec![Cell::Host(1), task(1), task(2)], vec![Cell::Host(2)], vec![Cell::Host(3), task(3)]];
        let go = |cell, key| beside(&rows, find(&rows, cell).expect("there"), key);
        assert_eq!(go(Cell::Host(1), "ArrowRight"), Some(task(1)));
        assert_eq!(go(task(2), "ArrowDown"), Some(Cell::Host(2)));
        assert_eq!(go(task(2), "ArrowRight"), None);
        assert_eq!(go(Cell::Host(3), "ArrowUp"), Some(Cell::Host(2)));
        assert_eq!(go(Cell::Host(1), "ArrowUp"), None);
        assert_eq!(go(Cell::Host(1), "End"), Some(task(3)));
        assert_eq!(go(task(3), "PageUp"), Some(task(1)));
    }

    #[test]
    fn an_instance_that_is_chosen_again_is_let_go_by_the_model() {
        assert_eq!(choose(Cell::Host(2), Some(Cell::Host(2))), Msg::Host(Some(2)));
        let name = TaskName { revision: 8, start: 1 };
        assert_eq!(choose(Cell::Task(name), Some(Cell::Task(name))), Msg::Select(None));
    }
}

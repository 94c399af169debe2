//! The stage for those who do not see it: a grid with the same rows, one cell a slot.
//!
//! It is the one stop of the keyboard on the stage. The cell that has the focus is what the pointer
//! would be on, so the stage draws the ring; the grid itself is not seen.

use std::rc::Rc;

use rollscope_engine::frame::TaskView;
use rollscope_engine::order;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::InstanceId;
use rollscope_engine::{Frame, SimTime};
use rollscope_wording::time;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};
use yew::prelude::*;

use super::selected::gone;
use crate::app::model::{Hover, Msg, Way};
use crate::names::Names;
use crate::say::Say;
use crate::text::{self, Label, t};

/// Up to this many slots each one has a cell.
pub const CELLS_MAX: usize = 160;

/// What the grid mirrors.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// The slots of each row of the stage, from the top.
    pub rows: Vec<Vec<u32>>,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// The task under the pointer or the keyboard.
    pub hover: Option<TaskName>,
    /// Every task from this one on started where automatic rollback does not protect.
    pub unprotected_from: Option<InstanceId>,
    /// What the tasks are called.
    pub names: Names,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The slots of each row of the stage: those beside each other at one height, from the top. `place`
/// gives left and upper edge of a slot.
pub fn rows(slots: u32, place: impl Fn(u32) -> (i32, i32)) -> Vec<Vec<u32>> {
    let mut places: Vec<(i32, i32, u32)> = (0..slots).map(place).zip(0..).map(|((x, y), n)| (y, x, n)).collect();
    order::by_key(&mut places, |place| *place);
    places.chunk_by(|one, other| one.0 == other.0).map(|row| row.iter().map(|(_, _, slot)| *slot).collect()).collect()
}

/// The grid.
#[component]
pub fn Grid(props: &Props) -> Html {
    let grid = use_node_ref();
    use_effect_with((grid.clone(), props.hover), |(grid, hover)| {
        if let Some(name) = hover {
            go_to(grid, *name);
        }
    });
    let tasks: Vec<&TaskView> =
        props.rows.iter().flatten().filter_map(|slot| props.frame.slots.get(*slot as usize)?.as_ref()).collect();
    let there = |name: Option<TaskName>| name.filter(|name| tasks.iter().any(|task| task.name == *name));
    let stop = there(props.hover).or(there(props.selected)).or(tasks.first().map(|task| task.name));
    let onkeydown = {
        let (on, selected) = (props.on.clone(), props.selected);
        let ends = (tasks.first().map(|task| task.name), tasks.last().map(|task| task.name));
        move |event: KeyboardEvent| {
            let focused = event.target_dyn_into::<Element>().and_then(|cell| name_of(&cell));
            if let Some(msg) = message(&event.key(), focused, selected, ends) {
                event.prevent_default();
                on.emit(msg);
            }
        }
    };
    let onfocusout = left(props.on.clone(), grid.clone());
    let row = |slots: &Vec<u32>| {
        html! { <div role="row">{ for slots.iter().map(|slot| cell(props, *slot, stop)) }</div> }
    };
    html! {
        <div ref={grid} id="grid" class="only-read" role="grid" aria-label={t(if props.frame.has_pods() { Label::PodsOnStage } else { Label::TasksOnStage })} {onkeydown} {onfocusout}>
            { for props.rows.iter().map(row) }
        </div>
    }
}

/// Nothing is pointed at any more once the focus leaves the grid.
pub fn left(on: Callback<Msg>, grid: NodeRef) -> impl Fn(FocusEvent) {
    move |event| {
        let to = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
        let inside = grid.cast::<Node>().is_some_and(|grid| grid.contains(to.as_ref()));
        if !inside {
            on.emit(Msg::Hover(Hover::None));
        }
    }
}

/// One slot: the task that has it, or had it last.
fn cell(props: &Props, slot: u32, stop: Option<TaskName>) -> Html {
    let Some(task) = props.frame.slots.get(slot as usize).and_then(Option::as_ref) else {
        let words = text::in_slot(t(Label::NoTaskInSlot), slot);
        return html! { <div key={slot} role="gridcell">{ words }</div> };
    };
    let name = task.name;
    let (hover, select) = (props.on.clone(), props.on.clone());
    let chosen = props.selected == Some(name);
    html! {
        <div key={slot} role="gridcell" tabindex={if stop == Some(name) { "0" } else { "-1" }} aria-selected={chosen.to_string()}
            data-task={time::task(name)}
            onfocus={move |_: FocusEvent| hover.emit(Msg::Hover(Hover::Task(name)))}
            onclick={move |_: MouseEvent| select.emit(Msg::Select((!chosen).then_some(name)))}>
            { words(task, &props.names, props.frame.at, props.say) }
            if props.unprotected_from.is_some_and(|first| task.id >= first) && !gone(task.state) {
                { ". " }{ t(Label::StartedUnprotected) }
            }
        </div>
    }
}

/// Name, state, time left.
pub fn words(task: &TaskView, names: &Names, at: SimTime, say: Say) -> String {
    let left =
        task.until.filter(|until| *until > at && !gone(task.state)).map(|until| text::clock(SimTime(until.since(at))));
    text::task_on_stage(&names.with_version(task.name), &say.state(task.state), left.as_deref())
}

fn message(
    key: &str,
    focused: Option<TaskName>,
    selected: Option<TaskName>,
    (first, last): (Option<TaskName>, Option<TaskName>),
) -> Option<Msg> {
    Some(match key {
        "ArrowLeft" => Msg::Walk(Way::Left),
        "ArrowRight" => Msg::Walk(Way::Right),
        "ArrowUp" => Msg::Walk(Way::Up),
        "ArrowDown" => Msg::Walk(Way::Down),
        "Home" => Msg::Hover(Hover::Task(first?)),
        "End" => Msg::Hover(Hover::Task(last?)),
        "Enter" | " " => Msg::Select(focused.filter(|name| selected != Some(*name))),
        _ => return None,
    })
}

/// The task of a cell.
fn name_of(cell: &Element) -> Option<TaskName> {
    let name = cell.get_attribute("data-task")?;
    let (revision, start) = name.split_once('·')?;
    Some(TaskName { revision: revision.parse().ok()?, start: start.parse().ok()? })
}

/// The focus goes with the keyboard, while it is on the grid.
fn go_to(grid: &NodeRef, name: TaskName) {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    let Some(grid) = grid.cast::<Element>() else { return };
    if !focused.is_some_and(|element| grid.contains(Some(&element))) {
        return;
    }
    let cell = grid.query_selector(&format!("[data-task='{}·{}']", name.revision, name.start)).ok().flatten();
    if let Some(cell) = cell.and_then(|cell| cell.dyn_into::<HtmlElement>().ok()) {
        let _ = cell.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_stage() {
        // Three in a row; the last row is not full.
        let place = |slot: u32| ((slot % 3) as i32 * 10, (slot / 3) as i32 * 20);
        assert_eq!(rows(7, place), [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
        // Ordered otherwise: the order on the stage counts, not the number.
        let place = |slot: u32| (100 - slot as i32, 0);
        assert_eq!(rows(3, place), [[2, 1, 0]]);
        assert!(rows(0, place).is_empty());
    }

    #[test]
    fn keys_of_the_grid() {
        let name = |start| TaskName { revision: 8, start };
        let ends = (Some(name(1)), Some(name(6)));
        let press = |key, selected| message(key, Some(name(2)), selected, ends);
        assert_eq!(press("ArrowUp", None), Some(Msg::Walk(Way::Up)));
        assert_eq!(press("End", None), Some(Msg::Hover(Hover::Task(name(6)))));
        assert_eq!(press("Enter", None), Some(Msg::Select(Some(name(2)))));
        assert_eq!(press(" ", Some(name(2))), Some(Msg::Select(None)));
        assert_eq!(press("a", None), None);
    }
}

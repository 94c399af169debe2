//! Everything that happened and will happen: a long list of which only the rows in view are in the
//! page.
//!
//! The list follows the playhead until the visitor scrolls the line at the playhead out of view,
//! and follows it again once that line is back.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, HtmlInputElement, ResizeObserver};
use yew::prelude::*;

use super::icon;
use super::mark;
use super::rows::{Heights, Rows};
use crate::app::model::{Filter, Go, Msg};
use crate::decimal::{self, Decimal};
use crate::text::{self, Label, t};

/// Rows kept beyond the view at both sides, so that a short scroll shows no gap.
const BEYOND: usize = 8;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its moment.
    pub at: SimTime,
    /// What it says.
    pub words: String,
    /// The picture beside it.
    pub mark: Mark,
    /// It has room for two lines of text.
    pub tall: bool,
    /// A failure.
    pub failure: bool,
    /// It is about the selected task.
    pub chosen: bool,
}

/// The picture beside a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The state a task came into, with its lane.
    State(TaskState, u8),
    /// A decision of the scheduler.
    Decision,
    /// Somebody did something.
    Act,
    /// A deployment changed.
    Deployment,
    /// Something broke.
    Broken,
    /// The count of the breaker is back to 0.
    Holds,
    /// Anything else.
    Other,
}

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The cursor.
    pub at: SimTime,
    /// The lines by their height.
    pub rows: Rc<Rows>,
    /// The line at the playhead.
    pub now: Option<usize>,
    /// Makes a line for its row.
    pub line: Callback<usize, Option<Line>>,
    /// Which events.
    pub filter: Filter,
    /// Only events with this text.
    pub query: String,
    /// The selected task, as words.
    pub selected: Option<String>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// What the list remembers between two looks. Kept in a cell, never borrowed: a focus that is given
/// is heard at once.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// The visitor looks elsewhere: the list does not follow.
    stays: bool,
    /// Where the list was last.
    own: Option<i32>,
    /// How many rows it had.
    rows: usize,
    /// The row of the keyboard.
    active: Option<usize>,
    /// It gets the focus once it is in the page.
    focus: bool,
}

/// The part of the list that is seen.
#[derive(Clone, PartialEq)]
struct View {
    height: f64,
    rows: Range<usize>,
    heights: Heights,
    /// The line at the playhead is out of view.
    away: bool,
}

/// The list with its search field and filters.
#[component]
pub fn Events(props: &Props) -> Html {
    let frame = use_node_ref();
    let view = use_state(|| View { height: 0.0, rows: 0..40, heights: Heights::default(), away: false });
    let manner = use_memo((), |()| Cell::new(Manner::default()));
    let again = use_force_update();
    let (rows, now) = (Rc::clone(&props.rows), props.now);

    let look = {
        let (frame, view, manner, list) = (frame.clone(), view.clone(), manner.clone(), rows.clone());
        move || look(&frame, &view, &manner, &list, now)
    };
    use_effect_with((props.filter, props.query.clone()), {
        // Other lines: the list begins anew.
        let manner = manner.clone();
        move |_| manner.set(Manner::default())
    });
    use_effect({
        let (look, frame, manner, list) = (look.clone(), frame.clone(), manner.clone(), rows.clone());
        move || {
            notice(&frame, &manner, &list, now);
            follow(&frame, &manner, &list, now);
            look();
            put_focus(&frame, &manner);
        }
    });
    use_effect_with(frame.clone(), watch_size(again.clone()));

    let onkeydown = {
        let (frame, manner, list, heights, again) =
            (frame.clone(), manner.clone(), rows.clone(), view.heights, again.clone());
        move |event: KeyboardEvent| {
            if let Some(row) = walk(&event, &manner, &list, &frame, heights, now) {
                event.prevent_default();
                reveal(&frame, &list, row, heights);
                again.force_update();
            }
        }
    };
    let back = {
        let manner = manner.clone();
        move |_: MouseEvent| {
            manner.set(Manner { stays: false, ..manner.get() });
            again.force_update();
        }
    };
    let shown = view.rows.start.min(rows.len())..view.rows.end.min(rows.len());
    let active = manner.get().active.or(now).filter(|row| shown.contains(row)).unwrap_or(shown.start);
    let line = |row: usize| {
        let made = props.line.emit(row)?;
        let manner = manner.clone();
        let on_focus = move |_: FocusEvent| manner.set(Manner { active: Some(row), ..manner.get() });
        let place =
            Place { row, of: rows.len(), later: made.at > props.at, now: now == Some(row), active: active == row };
        Some(event(&made, place, &props.on, on_focus.into()))
    };
    let space = |height: f64| html! { <svg class="space" width="1" height={Decimal(height).to_string()} aria-hidden="true"></svg> };
    html! {
        <div class="events-panel">
            { search(props, &frame) }
            { filters(props) }
            <div class="events" id="events" ref={frame.clone()} tabindex="-1" {onkeydown} onscroll={move |_: Event| look()}>
                if rows.len() == 0 { { nothing(props) } }
                { space(rows.top(shown.start, view.heights)) }
                <ol>{ for shown.clone().filter_map(line) }</ol>
                { space(rows.height(view.heights) - rows.top(shown.end, view.heights)) }
            </div>
            if view.away && rows.len() > 0 {
                <button type="button" class="button line small to-now" onclick={back}>{ t(Label::BackToNow) }</button>
            }
        </div>
    }
}

/// Heights of rows as the styles have them, in pixels.
fn heights(frame: &Element) -> Option<Heights> {
    let window = web_sys::window()?;
    let read = |element: &Element, name: &str| -> Option<f64> {
        let style = window.get_computed_style(element).ok()??;
        decimal::read(&style.get_property_value(name).ok()?)
    };
    let rem = read(&window.document()?.document_element()?, "font-size")?;
    Some(Heights { one: read(frame, "--row")? * rem, two: read(frame, "--row-2")? * rem })
}

/// Takes over what is in view.
fn look(frame: &NodeRef, view: &UseStateHandle<View>, manner: &Cell<Manner>, rows: &Rows, now: Option<usize>) {
    let Some(element) = frame.cast::<Element>() else { return };
    let heights = heights(&element).unwrap_or_default();
    let (scroll, height) = (element.scroll_top(), f64::from(element.client_height()));
    if height <= 0.0 {
        return;
    }
    let away = notice(frame, manner, rows, now);
    let seen = rows.window(f64::from(scroll), height, heights, BEYOND);
    keep_focus(&element, &seen);
    // A few rows more or less are not worth a new page.
    let inside = |outer: &Range<usize>| {
        let inner = rows.window(f64::from(scroll), height, heights, BEYOND / 2);
        outer.start <= inner.start && inner.end <= outer.end && outer.len() < 4 * seen.len().max(1)
    };
    let rows = if inside(&view.rows) { view.rows.clone() } else { seen };
    let looked = View { height, rows, heights, away: away && manner.get().stays };
    if looked != **view {
        view.set(looked);
    }
}

/// Notices that the visitor scrolled, by hand or by keys. True when the line at the playhead is out of
/// view.
fn notice(frame: &NodeRef, manner: &Cell<Manner>, rows: &Rows, now: Option<usize>) -> bool {
    let Some(element) = frame.cast::<Element>() else { return false };
    let heights = heights(&element).unwrap_or_default();
    let (scroll, height) = (element.scroll_top(), f64::from(element.client_height()));
    let away = now.map_or(scroll > 0, |row| hidden(rows, row, f64::from(scroll), height, heights));
    let was = manner.get();
    // A list that became shorter is another one, and no visitor scrolled it.
    let stays = match was.own {
        Some(_) if rows.len() < was.rows => false,
        Some(own) if own != scroll => away,
        _ => was.stays,
    };
    manner.set(Manner { stays, own: Some(scroll), rows: rows.len(), ..was });
    away
}

/// A row is out of view. Two rows of what comes next belong to the view of a row, where there are any.
fn hidden(rows: &Rows, row: usize, scroll: f64, height: f64, heights: Heights) -> bool {
    let next = (row + 2).min(rows.len() - 1);
    rows.reveal(row, scroll, height, heights).is_some() || rows.reveal(next, scroll, height, heights).is_some()
}

/// Scrolls to the line at the playhead, unless the visitor looks elsewhere.
fn follow(frame: &NodeRef, manner: &Cell<Manner>, rows: &Rows, now: Option<usize>) {
    let Some(element) = frame.cast::<Element>() else { return };
    let heights = heights(&element).unwrap_or_default();
    let (scroll, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
    // Before the first line the list is at its top.
    let Some(row) = now else {
        if !manner.get().stays && scroll > 0.0 {
            element.set_scroll_top(0);
            manner.set(Manner { own: Some(0), ..manner.get() });
        }
        return;
    };
    if manner.get().stays || height <= 0.0 || !hidden(rows, row, scroll, height, heights) {
        return;
    }
    element.set_scroll_top(rows.centre(row, height, heights) as i32);
    manner.set(Manner { own: Some(element.scroll_top()), ..manner.get() });
}

/// Looks again when the list gets another size.
fn watch_size(again: UseForceUpdateHandle) -> impl FnOnce(&NodeRef) -> Box<dyn FnOnce()> + 'static {
    move |frame: &NodeRef| {
        let changed = Closure::<dyn FnMut()>::new(move || again.force_update());
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, frame.cast::<Element>()) {
            observer.observe(&element);
        }
        Box::new(move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(changed);
        })
    }
}

/// A row with the focus that leaves the page hands it to the list.
fn keep_focus(frame: &Element, seen: &Range<usize>) {
    let focused = web_sys::window().and_then(|window| window.document()?.active_element());
    let row = focused.filter(|element| frame.contains(Some(element))).and_then(|element| row_of(&element));
    if row.is_some_and(|row| !seen.contains(&row))
        && let Some(frame) = frame.dyn_ref::<HtmlElement>()
    {
        let _ = frame.focus();
    }
}

fn row_of(element: &Element) -> Option<usize> {
    element.get_attribute("data-row")?.parse().ok()
}

/// Gives the focus to the row of the keyboard, once it is in the page.
fn put_focus(frame: &NodeRef, manner: &Cell<Manner>) {
    let Some(row) = manner.get().active.filter(|_| manner.get().focus) else { return };
    let found = frame.cast::<Element>().and_then(|frame| frame.query_selector(&format!("[data-row='{row}']")).ok()?);
    if let Some(row) = found.and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
        manner.set(Manner { focus: false, ..manner.get() });
        let _ = row.focus();
    }
}

/// Scrolls by the shortest way to a row.
fn reveal(frame: &NodeRef, rows: &Rows, row: usize, heights: Heights) {
    let Some(element) = frame.cast::<Element>() else { return };
    let (scroll, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
    if let Some(to) = rows.reveal(row, scroll, height, heights) {
        element.set_scroll_top(to.round() as i32);
    }
}

/// The row that a key leads to.
fn walk(
    event: &KeyboardEvent,
    manner: &Cell<Manner>,
    rows: &Rows,
    frame: &NodeRef,
    heights: Heights,
    now: Option<usize>,
) -> Option<usize> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let last = rows.len().checked_sub(1)?;
    let page = frame.cast::<Element>().map_or(10, |frame| (f64::from(frame.client_height()) / heights.two) as usize);
    let from = manner.get().active.or(now).unwrap_or(0).min(last);
    let row = match &*event.key() {
        "ArrowDown" => (from + 1).min(last),
        "ArrowUp" => from.saturating_sub(1),
        "PageDown" => (from + page).min(last),
        "PageUp" => from.saturating_sub(page),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    manner.set(Manner { active: Some(row), focus: true, ..manner.get() });
    Some(row)
}

fn search(props: &Props, frame: &NodeRef) -> Html {
    let typed = {
        let on = props.on.clone();
        move |event: InputEvent| {
            if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
                on.emit(Msg::Search(field.value()));
            }
        }
    };
    // From the field the keyboard goes on into the list.
    let down = {
        let frame = frame.clone();
        move |event: KeyboardEvent| {
            let row = || frame.cast::<Element>()?.query_selector("[data-row][tabindex='0']").ok()?;
            if event.key() == "ArrowDown"
                && let Some(row) = row().and_then(|row| row.dyn_into::<HtmlElement>().ok())
            {
                event.prevent_default();
                let _ = row.focus();
            }
        }
    };
    let found = if props.query.is_empty() { String::new() } else { text::lines_found(props.rows.len()) };
    html! {
        <div class="find">
            { mark::magnifier() }
            <input type="search" id="find" class="text-input" value={props.query.clone()} placeholder={t(Label::FindField)}
                aria-label={t(Label::FindField)} autocomplete="off" spellcheck="false" oninput={typed} onkeydown={down} />
            <span class="only-read" role="status">{ found }</span>
        </div>
    }
}

fn filters(props: &Props) -> Html {
    let chip = |filter: Filter, label: String| {
        let on = props.on.clone();
        html! {
            <button type="button" class="chip" aria-pressed={(props.filter == filter).to_string()}
                onclick={move |_: MouseEvent| on.emit(Msg::Filter(filter))}>{ label }</button>
        }
    };
    html! {
        <div class="filters" role="group" aria-label={t(Label::Filter)}>
            { chip(Filter::All, t(Label::All).into()) }
            { chip(Filter::Decisions, t(Label::Decisions).into()) }
            { chip(Filter::Failures, t(Label::Failures).into()) }
            if let Some(task) = &props.selected { { chip(Filter::Selected, text::only(task)) } }
        </div>
    }
}

/// Nothing is listed: why, and the way out.
fn nothing(props: &Props) -> Html {
    let on = props.on.clone();
    let all = move |_: MouseEvent| {
        on.emit(Msg::Search(String::new()));
        on.emit(Msg::Filter(Filter::All));
    };
    let filtered = props.filter != Filter::All || !props.query.is_empty();
    html! {
        <div class="nothing">
            if filtered {
                <p class="read">{ t(if props.query.is_empty() { Label::NoEvents } else { Label::NoMatch }) }</p>
                <button type="button" class="button line" onclick={all}>{ t(Label::ShowAll) }</button>
            } else {
                <p class="read">{ t(Label::NothingYet) }</p>
            }
        </div>
    }
}

/// Where a line stands in the list.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    /// Lines of the list.
    of: usize,
    /// It lies behind the playhead.
    later: bool,
    /// It is the line at the playhead.
    now: bool,
    /// The keyboard stops at it.
    active: bool,
}

fn event(line: &Line, place: Place, on: &Callback<Msg>, onfocus: Callback<FocusEvent>) -> Html {
    let Place { row, of, later, now, active } = place;
    let class = classes!(
        "event",
        (!line.tall).then_some("task"),
        later.then_some("later"),
        now.then_some("now"),
        line.failure.then_some("failure"),
        line.chosen.then_some("chosen"),
    );
    let (on, at) = (on.clone(), line.at);
    html! {
        <li key={row} aria-setsize={of.to_string()} aria-posinset={(row + 1).to_string()}>
            <button type="button" {class} data-row={row.to_string()} tabindex={if active { "0" } else { "-1" }}
                aria-current={now.then_some("true")} {onfocus}
                onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)))}>
                <span class="at">{ text::clock(line.at) }</span>{ picture(line.mark) }<span class="what">{ named(&line.words) }</span>
            </button>
        </li>
    }
}

fn picture(mark: Mark) -> Html {
    match mark {
        Mark::State(state, lane) => icon::state(state, lane),
        Mark::Decision => mark::decision(),
        Mark::Act => mark::act(),
        Mark::Deployment => mark::deployment(),
        Mark::Broken => mark::broken(),
        Mark::Holds => mark::holds(),
        Mark::Other => html! { <span></span> },
    }
}

/// A sentence with the names of tasks in bold.
pub fn named(words: &str) -> Html {
    let part = |(name, part): (bool, &str)| {
        if name {
            html! { <b>{ part }</b> }
        } else {
            html! { { part } }
        }
    };
    html! { <>{ for names(words).into_iter().map(part) }</> }
}

/// A sentence in parts; true is the name of a task, such as `8·3`.
fn names(words: &str) -> Vec<(bool, &str)> {
    let digit = |c: &char| c.is_ascii_digit();
    let mut parts = Vec::new();
    let mut from = 0;
    for (dot, sign) in words.match_indices('·') {
        let before = words[..dot].chars().rev().take_while(digit).count();
        let after = words[dot + sign.len()..].chars().take_while(digit).count();
        let (begin, end) = (dot - before, dot + sign.len() + after);
        if before == 0 || after == 0 || begin < from {
            continue;
        }
        if begin > from {
            parts.push((false, &words[from..begin]));
        }
        parts.push((true, &words[begin..end]));
        from = end;
    }
    if from < words.len() {
        parts.push((false, &words[from..]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_of_tasks_are_told_apart_from_the_sentence() {
        assert_eq!(names("ECS starts 8·3. Room"), [(false, "ECS starts "), (true, "8·3"), (false, ". Room")]);
        assert_eq!(names("42·705 and 12 more"), [(true, "42·705"), (false, " and 12 more")]);
        assert_eq!(names("a · b"), [(false, "a · b")]);
        assert_eq!(names("8·1, 8·2"), [(true, "8·1"), (false, ", "), (true, "8·2")]);
        assert_eq!(names(""), []);
    }
}

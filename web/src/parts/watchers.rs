//! Each one that looks at the service, as a fold of its own: what it says now stands in its heading, its
//! lines lead to their moments, and those that are new are marked.

use rollscope_engine::SimTime;
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

use super::mark;
use super::why::moment;
use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// One line of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its moment.
    pub at: SimTime,
    /// What happened.
    pub name: String,
    /// More about it; may be empty.
    pub more: String,
    /// It is a failure.
    pub bad: bool,
    /// What stands in it is a name of the service, not a sentence.
    pub mono: bool,
}

/// The newest lines of a list, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// The lines.
    pub rows: Vec<Row>,
    /// So many came before them.
    pub earlier: usize,
    /// Lines later than this came since the moment that was looked at before.
    pub since: Option<SimTime>,
    /// So many of all lines did.
    pub new: usize,
}

impl List {
    /// Keeps the last `most` lines of `all`, which ascend in time.
    pub fn newest<T>(
        all: &[T],
        most: usize,
        since: Option<SimTime>,
        at: impl Fn(&T) -> SimTime,
        row: impl Fn(&T) -> Row,
    ) -> List {
        let earlier = all.len().saturating_sub(most);
        let new = all.iter().rev().take_while(|line| since.is_some_and(|since| at(line) > since)).count();
        List { rows: all[earlier..].iter().map(row).collect(), earlier, since, new }
    }

    /// So many lines there are in all.
    pub fn len(&self) -> usize {
        self.earlier + self.rows.len()
    }

    /// How many there are, in words.
    pub fn count(&self) -> String {
        text::lines_so_far(self.len(), self.new)
    }
}

/// The lines.
pub fn lines(list: &List, on: &Callback<Msg>) -> Html {
    if list.rows.is_empty() {
        return html! { <p class="hint">{ t(Label::NoBusEvents) }</p> };
    }
    let line = |row: &Row| {
        let new = list.since.is_some_and(|since| row.at > since);
        html! {
            <li class={classes!(new.then_some("is-new"), row.bad.then_some("failure"))}>
                { moment(row.at, on) }
                <span>
                    if row.bad { { mark::broken() } }
                    <span class={row.mono.then_some("mono")}>{ &row.name }</span>
                    if new { <span class="new-tag">{ t(Label::New) }</span> }
                    if !row.more.is_empty() { <span class={if row.more.contains(' ') { "reason" } else { "kind" }}>{ &row.more }</span> }
                </span>
            </li>
        }
    };
    html! {
        <>
            if list.earlier > 0 { <p class="hint">{ text::earlier_lines(list.earlier) }</p> }
            <ol class="seen-lines">{ for list.rows.iter().map(line) }</ol>
        </>
    }
}

/// What a fold shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Its id.
    pub id: &'static str,
    /// Who looks.
    pub name: &'static str,
    /// What it says now.
    pub value: Html,
    /// It is open until somebody closes it.
    pub open: bool,
    /// What stands in it.
    pub children: Html,
}

/// One that looks.
#[component]
pub fn Watcher(props: &Props) -> Html {
    let chosen = use_state(|| None);
    let open = chosen.unwrap_or(props.open);
    let toggled = {
        let (chosen, automatic, id) = (chosen.clone(), props.open, props.id);
        move |event: Event| {
            // What folds inside it is not it.
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>().filter(|details| details.id() == id)
                && details.open() != chosen.unwrap_or(automatic)
            {
                chosen.set(Some(details.open()));
            }
        }
    };
    html! {
        <details class="watcher" id={props.id} {open} ontoggle={toggled}>
            <summary><h3>{ props.name }</h3><span class="value">{ props.value.clone() }</span></summary>
            if open { <div class="body">{ props.children.clone() }</div> }
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(moments: &[u64], most: usize, since: Option<u64>) -> List {
        let row =
            |at: &u64| Row { at: SimTime(*at), name: String::new(), more: String::new(), bad: false, mono: false };
        List::newest(moments, most, since.map(SimTime), |at| SimTime(*at), row)
    }

    #[test]
    fn the_newest_lines_are_shown_and_new_ones_counted() {
        let all = list(&[1, 2, 2, 5], 3, Some(1));
        assert_eq!((all.rows.len(), all.earlier, all.new, all.len()), (3, 1, 3, 4));
        assert_eq!(list(&[1, 2], 3, None).new, 0, "nothing was looked at before");
        assert_eq!(list(&[1, 2], 3, Some(9)).new, 0, "the cursor went back");
        assert_eq!(list(&[1, 2, 3, 4, 5], 1, Some(0)).new, 5, "also of those that are not shown");
        assert_eq!(list(&[], 3, Some(0)).len(), 0);
    }
}

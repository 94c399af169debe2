//! Long tables in pages.

use std::ops::Range;

use yew::prelude::*;

use crate::text::{self, Label, t};

/// The rows of a page of `size` rows, how many pages there are, and which one it is: a page beyond
/// the last one is the last one.
pub fn page(rows: usize, size: usize, at: usize) -> (Range<usize>, usize, usize) {
    let pages = rows.div_ceil(size.max(1)).max(1);
    let now = at.min(pages - 1);
    let from = now * size;
    (from..(from + size).min(rows), pages, now)
}

/// Buttons that turn the pages, from page `now` (from 0); nothing where there is only one.
pub fn pager(now: usize, pages: usize, on: &Callback<usize>) -> Html {
    if pages < 2 {
        return Html::default();
    }
    let button = |to: Option<usize>, label: Label| {
        let on = on.clone();
        html! {
            <button type="button" class="button line small" disabled={to.is_none()}
                onclick={move |_: MouseEvent| to.into_iter().for_each(|to| on.emit(to))}>{ t(label) }</button>
        }
    };
    let next = now + 1;
    html! {
        <div class="pager">
            { button(now.checked_sub(1), Label::PageBack) }
            <span role="status">{ text::page_of(next, pages) }</span>
            { button((next < pages).then_some(next), Label::PageOn) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn pages_hold_every_row_once() {
        assert_eq!(page(60, 25, 0), (0..25, 3, 0));
        assert_eq!(page(60, 25, 2), (50..60, 3, 2));
        assert_eq!(page(60, 25, 9), (50..60, 3, 2));
        assert_eq!(page(50, 25, 1), (25..50, 2, 1));
        assert_eq!(page(0, 25, 1), (0..0, 1, 0));
    }
}

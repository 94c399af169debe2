//! A desired count that somebody else than a person sets at the cursor: a schedule, or a template that is applied.

use rollscope_engine::settings::Command;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::acts::{Props, field, newest, number, submit};
use crate::text::{self, Label, t};

/// The schedule, beside the count that a person sets.
pub fn schedule(props: &Props, count: &NodeRef) -> Html {
    if props.daemon {
        return Html::default();
    }
    let set = {
        let node = count.clone();
        submit(&props.on, move || number(&node).map(Command::Schedule))
    };
    html! {
        <form onsubmit={set}>
            <span class="words">{ text::by_schedule() }</span>
            { field(count, text::by_schedule(), props.frame.counts.limits.desired, "act-schedule") }
            <button class="button line small">{ t(Label::Set) }</button>
        </form>
    }
}

/// The template, which deploys a revision and may hold a count.
pub fn template(props: &Props, revision: &NodeRef, count: &NodeRef) -> Html {
    if props.daemon {
        return Html::default();
    }
    let next = newest(&props.frame).map_or(1, |newest| newest + 1);
    let apply = {
        let (revision, count) = (revision.clone(), count.clone());
        submit(&props.on, move || {
            // An empty revision is the one that is shown.
            let revision = if is_empty(&revision) { Some(next) } else { number(&revision) };
            let revision = revision.filter(|n| *n > 0)?;
            match number(&count) {
                Some(desired) => Some(Command::Template { revision, desired }),
                // One that leaves the count out deploys, and that is all.
                None => is_empty(&count).then_some(Command::Deploy { revision, behaviour: None }),
            }
        })
    };
    html! {
        <>
            <form onsubmit={apply}>
                <span class="words">{ text::by_template() }</span>
                { field(revision, text::template_revision(), next, "act-template") }
                <input ref={count.clone()} id="act-template-count" class="text-input number" type="number" min="0" step="1"
                    aria-label={text::from_now(text::template_count())} placeholder={text::no_count()} />
                <button class="button line small">{ text::apply() }</button>
            </form>
            <p class="hint">{ text::template_hint() }</p>
        </>
    }
}

fn is_empty(node: &NodeRef) -> bool {
    node.cast::<HtmlInputElement>().is_some_and(|field| field.value().trim().is_empty())
}

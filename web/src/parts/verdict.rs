//! The verdict, live, and the smallest changes that let a rollout move.

use rollscope_insight::{Change, Check, Verdict};
use rollscope_scenario::Value;
use yew::prelude::*;

use super::icon;
use crate::app::model::Msg;
use crate::say::Say;
use crate::text::{self, Label, t};

/// The verdict in words.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What it is.
    pub verdict: Verdict,
    /// One or two words.
    pub title: String,
    /// One or two sentences.
    pub words: String,
    /// The settings typed are not those in force.
    #[prop_or_default]
    pub before: bool,
}

/// The box.
#[component]
pub fn VerdictBox(props: &Props) -> Html {
    let (class, icon) = match props.verdict {
        Verdict::CannotMove | Verdict::NotAccepted => ("verdict stop", icon::stop()),
        Verdict::CanMove | Verdict::NothingToDo => ("verdict", icon::tick()),
        Verdict::Caution(_) | Verdict::WillWait | Verdict::WillFailAndStay => ("verdict caution", icon::triangle()),
    };
    html! {
        <div {class} role="status" id="verdict">
            <h3>{ icon }<span>{ &props.title }</span></h3>
            <p>{ &props.words }</p>
            if props.before { <p>{ t(Label::FromBefore) }</p> }
        </div>
    }
}

/// Cards with the smallest changes; each one can be tried.
pub fn changes(check: &Check, say: Say, on: &Callback<Msg>) -> Html {
    if check.changes.is_empty() {
        return Html::default();
    }
    let card = |(index, change): (usize, &Change)| {
        let (title, words) = say.change(change, check);
        let (on, set) = (on.clone(), setting(change));
        let try_it = move |_: MouseEvent| on.emit(Msg::Set(vec![set.clone()]));
        html! {
            <div class="change">
                <h3>{ title.clone() }</h3>
                <p>{ words }</p>
                <button type="button" class={classes!("button", if index == 0 { "solid" } else { "line" })}
                    aria-label={text::try_change(&title)} onclick={try_it}>{ t(Label::TryIt) }</button>
            </div>
        }
    };
    html! {
        <section aria-labelledby="changes-title">
            <h2 class="block-title" id="changes-title">{ t(Label::SmallestChanges) }</h2>
            <div class="changes">{ for check.changes.iter().enumerate().map(card) }</div>
        </section>
    }
}

/// A change as a field of the document.
fn setting(change: &Change) -> (String, Value) {
    let value = Value::from(i64::from(change.value()));
    let value = match change {
        Change::Places(_) => {
            let room = Value::object([("at", Value::from("0s")), ("places", value)]);
            Value::array([room])
        }
        _ => value,
    };
    (change.field().to_owned(), value)
}

//! The verdict, live, and the smallest changes that let a rollout move.

use rollscope_engine::SimTime;
use rollscope_engine::trace::Reason;
use rollscope_insight::{Change, Check, Outcome, OutcomeKind, Verdict, WorksFrom, failed_at};
use rollscope_scenario::Value;
use yew::prelude::*;

use super::field::sentence;
use super::icon;
use crate::app::model::{Go, Msg};
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
    /// The run is not computed to its end yet.
    #[prop_or_default]
    pub computing: bool,
    /// The moment that decides a run that was computed to its end.
    #[prop_or_default]
    pub decided: Option<SimTime>,
    /// The smallest change that helps: its title, what it comes to, and the field it sets.
    #[prop_or_default]
    pub helps: Option<(String, String, (String, Value))>,
    /// What would let a run that goes on and on get done, or spare it its troubles: title, what it does, and the field
    /// it sets.
    #[prop_or_default]
    pub cures: Vec<(String, String, (String, Value))>,
    /// These change checks for which the application answers too late.
    #[prop_or_default]
    pub late: bool,
    /// Messages.
    pub on: Callback<Msg>,
}

/// Class and sign of a verdict, wherever it is shown.
pub fn look(verdict: Verdict) -> (&'static str, Html) {
    match verdict {
        Verdict::CannotMove | Verdict::NotAccepted => ("verdict stop", icon::stop()),
        Verdict::CanMove | Verdict::NothingToDo => ("verdict", icon::tick()),
        Verdict::Caution(_) | Verdict::WillWait | Verdict::WillFailAndRollBack | Verdict::WillFailAndStay => {
            ("verdict caution", icon::triangle())
        }
    }
}

/// The box. Its title is spoken with the moment, when it changes.
#[component]
pub fn VerdictBox(props: &Props) -> Html {
    let (class, icon) = look(props.verdict);
    let go = props.decided.map(|at| {
        let on = props.on.clone();
        let go = move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)));
        html! {
            <button type="button" class="decided" aria-label={text::go_to_decided(at)} onclick={go}>{ text::at_moment(at) }</button>
        }
    });
    let try_it = props.helps.clone().map(|(title, told, field)| {
        let on = props.on.clone();
        let set = move |_: MouseEvent| on.emit(Msg::Set(vec![field.clone()]));
        html! {
            <>
                <button type="button" class="button small" onclick={set}>{ text::try_small(&title) }</button>
                if !told.is_empty() { <p class="promise">{ told }</p> }
            </>
        }
    });
    html! {
        <div class={classes!(class, props.before.then_some("before"))} id="verdict">
            <div class="verdict-head">
                <h3>{ icon }<span>{ &props.title }</span></h3>
                { go.unwrap_or_default() }
            </div>
            <p>{ sentence(&props.words) }</p>
            if props.before { <p class="from-before">{ t(Label::FromBefore) }</p> }
            if props.computing { <p class="from-before" id="computing">{ t(Label::StillComputing) }</p> }
            { try_it.unwrap_or_default() }
            { cures(props) }
        </div>
    }
}

/// Changes that let the run get done, each with what it does.
fn cures(props: &Props) -> Html {
    if props.cures.is_empty() {
        return Html::default();
    }
    let cure = |(title, words, field): &(String, String, (String, Value))| {
        let (on, field) = (props.on.clone(), field.clone());
        html! {
            <li>
                <span><strong>{ title }</strong>{ ". " }{ words }</span>
                <button type="button" class="button line" aria-label={text::try_change(title)}
                    onclick={move |_: MouseEvent| on.emit(Msg::Set(vec![field.clone()]))}>{ t(Label::Try) }</button>
            </li>
        }
    };
    let label = match (props.late, props.cures.len()) {
        (true, _) => Label::WouldGetDone,
        (false, 1) => Label::OneWouldHelp,
        (false, _) => Label::WouldHelp,
    };
    html! {
        <>
            <p>{ t(label) }</p>
            <ul class="ways" id="cures">{ for props.cures.iter().map(cure) }</ul>
        </>
    }
}

/// The moment that decides how a run ends: it is done, it fails, or nothing changes any more.
pub fn decided(outcome: &Outcome) -> Option<SimTime> {
    if let Some(failed) = outcome.services.last().and_then(failed_at) {
        return Some(failed);
    }
    let at = match outcome.outcome {
        OutcomeKind::Refused | OutcomeKind::InProgress => None,
        _ => outcome.completed_at.or(Some(outcome.last_change_at)),
    };
    at.filter(|at| *at > SimTime::ZERO)
}

/// Cards with the smallest changes; each one can be tried. `told` says what becomes of each, as far
/// as that is known.
pub fn changes(check: &Check, told: &[String], say: Say, on: &Callback<Msg>) -> Html {
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
                <p>{ words }{ for told.get(index).map(|told| html! { <>{ " " }{ told }</> }) }</p>
                <button type="button" class={classes!("button", if index == 0 { "solid" } else { "line" })}
                    aria-label={text::try_change(&title)} onclick={try_it}>{ t(Label::TryIt) }</button>
            </div>
        }
    };
    html! {
        <section aria-labelledby="changes-title">
            <h2 class="block-title" id="changes-title">{ t(Label::SmallestChanges) }</h2>
            <div class="changes">{ for check.changes.iter().enumerate().map(card) }</div>
            if let Some(works) = works_from(check) { <p class="works-from" id="works-from">{ text::works_from(&works) }</p> }
        </section>
    }
}

/// From how many tasks on the percentages move, where nothing but they is in the way.
fn works_from(check: &Check) -> Option<WorksFrom> {
    let alone = check.shift.is_none() && check.places.is_none() && check.room.is_none();
    let stuck = matches!(check.hold, Some(Reason::CannotMove { .. }));
    let (minimum, maximum) = check.percentages;
    (alone && stuck).then(|| rollscope_insight::works_from(check.limits.desired, minimum, maximum))?
}

/// A change as a field of the document.
pub fn setting(change: &Change) -> (String, Value) {
    (change.field(), change.written())
}

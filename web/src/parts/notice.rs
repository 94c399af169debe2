//! Messages above the stage: a link that could not be opened, a broken guard, a short note.

use rollscope_engine::guard::Violation;
use yew::prelude::*;

use crate::app::model::{Dialog, Msg, Note};
use crate::link::Broken;
use crate::say::Say;
use crate::text::{self, Label, t};

/// A link that is cut, damaged or from a newer version. Nothing is opened in its place.
pub fn broken(broken: &Broken, on: &Callback<Msg>) -> Html {
    let send = |msg: Msg| {
        let on = on.clone();
        move |_: MouseEvent| on.emit(msg.clone())
    };
    html! {
        <section class="notice" role="alert" id="broken-link">
            <h2>{ &broken.title }</h2>
            <p>{ &broken.words }</p>
            if !broken.details.is_empty() {
                <ul>{ for broken.details.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            }
            <code class="clip mono" tabindex="0">{ &broken.fragment }</code>
            <div class="buttons">
                <button type="button" class="button solid" onclick={send(Msg::Show(Dialog::Paste(Box::default())))}>{ t(Label::PasteWhole) }</button>
                if broken.readable.is_some() {
                    <button type="button" class="button line" id="open-readable" onclick={send(Msg::OpenReadable)}>{ t(Label::OpenReadable) }</button>
                }
            </div>
        </section>
    }
}

/// Broken guards: never hidden.
pub fn guards(violations: &[Violation], say: Say) -> Html {
    if violations.is_empty() {
        return Html::default();
    }
    html! {
        <section class="notice fail" role="alert" id="guards">
            <h2>{ t(Label::GuardTitle) }</h2>
            <p>{ t(Label::GuardLead) }</p>
            <ul>{ for violations.iter().map(|violation| html! { <li>{ say.guard(violation) }</li> }) }</ul>
        </section>
    }
}

/// A short note.
pub fn note(note: Option<Note>, on: &Callback<Msg>) -> Html {
    let Some(note) = note else { return Html::default() };
    let words = match note {
        Note::Copied => t(Label::LinkCopied).to_owned(),
        Note::CopiedReport => t(Label::ReportCopied).to_owned(),
        Note::Idle => t(Label::NoObject).to_owned(),
        Note::NotATime(given) => text::not_a_time(&given),
    };
    let on = on.clone();
    html! {
        <div class="note" role="status">
            <span>{ words }</span>
            <button type="button" class="button small" onclick={move |_: MouseEvent| on.emit(Msg::Dismiss)}>{ t(Label::Dismiss) }</button>
        </div>
    }
}

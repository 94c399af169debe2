//! Messages above the stage: a link that could not be opened, a broken guard, a run that was cut
//! off, a short note.

use rollscope_engine::SimTime;
use rollscope_engine::guard::Violation;
use rollscope_insight::CutOff;
use yew::prelude::*;

use super::icon;
use crate::app::model::{Dialog, Msg, Note};
use crate::link::{Broken, BrokenKind};
use crate::say::Say;
use crate::text::{self, Label, t};

/// Characters of a cut link that are shown: its end, where it was torn.
const CUT_SHOWN: usize = 44;

/// A link that is cut, damaged or from a newer version. Nothing is opened in its place.
pub fn broken(broken: &Broken, on: &Callback<Msg>) -> Html {
    let send = |msg: Msg| {
        let on = on.clone();
        move |_: MouseEvent| on.emit(msg.clone())
    };
    let picture = match broken.kind {
        BrokenKind::Cut | BrokenKind::Damaged => icon::chain(),
        BrokenKind::Version | BrokenKind::Other => icon::help(),
    };
    html! {
        <section class="notice card" role="alert" id="broken-link">
            <span class="notice-icon">{ picture }</span>
            <h2>{ &broken.title }</h2>
            <p>{ &broken.words }</p>
            if !broken.details.is_empty() {
                <ul>{ for broken.details.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            }
            if broken.kind == BrokenKind::Cut {
                { torn(&broken.fragment) }
            } else {
                // The old text stays copyable.
                <code class="clip mono" tabindex="0">{ &broken.fragment }</code>
            }
            <div class="buttons">
                <button type="button" class="button solid" onclick={send(Msg::Show(Dialog::Paste(Box::default())))}>{ t(Label::PasteWhole) }</button>
                if broken.readable.is_some() {
                    <button type="button" class="button line" id="open-readable" onclick={send(Msg::OpenReadable)}>{ t(Label::OpenReadable) }</button>
                }
            </div>
        </section>
    }
}

/// The end of a link on a strip that is torn there.
fn torn(link: &str) -> Html {
    let start = link.char_indices().rev().nth(CUT_SHOWN - 1).map_or(0, |(start, _)| start);
    let shown =
        if start == 0 { format!("…/#{}", link.trim_start_matches('#')) } else { format!("…{}", &link[start..]) };
    html! {
        <div class="torn">
            // All of it is there for who selects and copies it.
            <code class="torn-text mono" title={link.to_owned()}>{ shown }</code>
            <svg class="torn-edge" width="12" height="42" viewBox="0 0 12 42" aria-hidden="true" focusable="false">
                <path class="torn-fill" d="M0 0h3l6 7-6 7 6 7-6 7 6 7-6 7H0z" />
                <path class="torn-line" d="M3 0l6 7-6 7 6 7-6 7 6 7-6 7" />
            </svg>
            <span class="torn-rest">{ t(Label::RestMissing) }</span>
        </div>
    }
}

/// Broken guards: never hidden.
pub fn guards(violations: &[Violation], say: Say, on: &Callback<Msg>) -> Html {
    if violations.is_empty() {
        return Html::default();
    }
    let on = on.clone();
    html! {
        <section class="notice fail" role="alert" id="guards">
            <h2>{ icon::cross() }{ t(Label::GuardTitle) }</h2>
            <p>{ t(Label::GuardLead) }</p>
            <ul>{ for violations.iter().map(|violation| html! { <li>{ say.guard(violation) }</li> }) }</ul>
            <div class="buttons">
                <button type="button" class="button line" id="copy-report" onclick={move |_: MouseEvent| on.emit(Msg::CopyReport)}>{ t(Label::CopyReport) }</button>
            </div>
        </section>
    }
}

/// The run was cut off at a moment: what was computed until then is there.
pub fn cut_off(cut: CutOff, at: SimTime) -> Html {
    let (title, words) = text::cut_off(cut, at);
    html! { <p class="note" role="status" id="cut-off">{ icon::triangle() }<span><strong>{ title }</strong>{ ". " }{ words }</span></p> }
}

/// What is shown is the run from before settings that were refused.
pub fn from_before() -> Html {
    html! { <p class="note" role="status" id="from-before">{ icon::triangle() }<span>{ t(Label::RunBefore) }</span></p> }
}

/// No task is wanted and none is there.
pub fn nothing() -> Html {
    html! { <p class="nothing" id="no-tasks">{ t(Label::NoTasks) }</p> }
}

/// A short note.
pub fn note(note: Option<Note>, on: &Callback<Msg>) -> Html {
    let Some(note) = note else { return Html::default() };
    let words = match note {
        Note::Copied => t(Label::LinkCopied).to_owned(),
        Note::CopiedReport => t(Label::ReportCopied).to_owned(),
        Note::Idle => t(Label::NoObject).to_owned(),
        Note::Unread(why) => t(why).to_owned(),
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

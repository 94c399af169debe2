//! Messages above the stage: a link that could not be opened, a broken guard, a run that was cut
//! off, a short note.

use rollscope_engine::SimTime;
use rollscope_engine::guard::Violation;
use rollscope_insight::CutOff;
use rollscope_scenario::{Kind, Problem};
use yew::prelude::*;

use super::icon;
use crate::app::model::{Dialog, Msg, Note};
use crate::link::{Broken, BrokenKind};
use crate::say::Say;
use crate::text::{self, Label, t};

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
    // A whole link helps where this one was cut or changed; one of another version is whole already.
    let whole = matches!(broken.kind, BrokenKind::Version | BrokenKind::Other);
    let paste_first = broken.kind != BrokenKind::Version || broken.readable.is_none();
    // Nothing of a changed link is missing: it may be what its sender meant.
    let anyway = if broken.kind == BrokenKind::Damaged { Label::OpenAnyway } else { Label::OpenReadable };
    let look = |first: bool| classes!("button", if first { "solid" } else { "line" });
    let paste = html! {
        <button type="button" class={look(paste_first)} onclick={send(Msg::Show(Dialog::Paste(Box::default())))}>
            { t(if whole { Label::PasteOther } else { Label::PasteWhole }) }
        </button>
    };
    let open = html! {
        if broken.readable.is_some() {
            <button type="button" class={look(!paste_first)} id="open-readable" onclick={send(Msg::OpenReadable)}>{ t(anyway) }</button>
        }
    };
    html! {
        <section class="notice card" role="alert" id="broken-link">
            <span class="notice-icon">{ picture }</span>
            <h1>{ &broken.title }</h1>
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
                if paste_first { { paste } { open } } else { { open } { paste } }
            </div>
        </section>
    }
}

/// A link on a strip that is torn off. All of its text is there for who selects and copies it.
fn torn(link: &str) -> Html {
    html! {
        <div class="torn">
            <code class="torn-text mono" tabindex="0">{ link.trim_start_matches('#') }</code>
            <svg class="torn-edge" width="12" height="42" viewBox="0 0 12 42" aria-hidden="true" focusable="false">
                <path class="torn-fill" d="M0 4h6.4L9 7l-6 7 6 7-6 7 6 7-2.6 3H0z" />
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

/// What was noticed in a link or a text that was opened.
pub fn warnings(warnings: &[Problem], on: &Callback<Msg>) -> Html {
    if warnings.is_empty() {
        return Html::default();
    }
    let on = on.clone();
    html! {
        <div class="note" role="status" id="warnings">
            <ul class="notes">{ for warnings.iter().map(|warning| html! {
                <li>{ mark(warning) }<span>{ text::problem_with_field(warning) }</span></li>
            }) }</ul>
            <button type="button" class="button small" onclick={move |_: MouseEvent| on.emit(Msg::Dismiss)}>{ t(Label::Dismiss) }</button>
        </div>
    }
}

/// What is not used is a caution; what is only worth knowing has another mark.
pub fn mark(problem: &Problem) -> Html {
    if problem.kind == Kind::Advice { icon::info() } else { icon::triangle() }
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
        Note::CopiedText(said) => t(said).to_owned(),
        Note::Idle => t(Label::NoObject).to_owned(),
        Note::Unchanged(command) => text::unchanged_act(&command),
        Note::NotSaved => t(Label::NotSaved).to_owned(),
        Note::Unread(why) => t(why).to_owned(),
        Note::NotATime(given) => text::not_a_time(&given),
    };
    let on = on.clone();
    html! {
        <div class="note passing" role="status">
            <span>{ words }</span>
            <button type="button" class="button small" onclick={move |_: MouseEvent| on.emit(Msg::Dismiss)}>{ t(Label::Dismiss) }</button>
        </div>
    }
}

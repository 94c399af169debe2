//! What stands where a run would stand, while there is none: why, and the way out.

use rollscope_scenario::Problem;
use yew::prelude::*;

use super::icon;
use crate::app::model::{Dialog, Msg, Sheet, Tab};
use crate::text::{self, Label, t};

/// Why nothing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A link could not be opened, and nothing was opened in its place.
    Broken,
    /// The settings are refused.
    Refused,
}

fn button(id: &'static str, label: Label, solid: bool, msg: Msg, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let class = classes!("button", if solid { "solid" } else { "line" });
    html! { <button type="button" {id} {class} onclick={move |_: MouseEvent| on.emit(msg.clone())}>{ t(label) }</button> }
}

/// A panel at the right without a run.
pub fn panel(tab: Tab, cause: Cause, on: &Callback<Msg>) -> Html {
    let (title, lead) = match (tab, cause) {
        (Tab::Why, _) => (Label::EmptyWhy, Label::EmptyWhyLead),
        (Tab::Events, _) => (Label::EmptyEvents, Label::EmptyEventsLead),
        (Tab::Api, _) => (Label::EmptyApi, Label::EmptyApiLead),
        (Tab::Guards, _) => (Label::EmptyGuards, Label::EmptyGuardsLead),
    };
    let way_out = match cause {
        Cause::Broken => html! {
            <>
                <p class="read">{ t(Label::AfterBroken) }</p>
                { button("empty-paste", Label::Paste, false, Msg::Show(Dialog::Paste(Box::default())), on) }
                { " " }
                { button("empty-examples", Label::Examples, false, Msg::Show(Dialog::Presets), on) }
            </>
        },
        Cause::Refused => html! {
            <>
                <p class="read">{ t(Label::AfterRefused) }</p>
                { button("empty-settings", Label::GoToSettings, false, Msg::Sheet(Some(Sheet::Settings)), on) }
            </>
        },
    };
    html! {
        <div class="why" id="no-run">
            <div><h2>{ t(title) }</h2><p class="read">{ t(lead) }</p></div>
            <div>{ way_out }</div>
        </div>
    }
}

/// Settings that are refused, in place of the run: each of the problems, and the way to the settings.
pub fn refused(problems: &[Problem], on: &Callback<Msg>) -> Html {
    let errors = problems.iter().filter(|problem| problem.is_error());
    html! {
        <section class="notice card" role="alert" id="refused">
            <span class="notice-icon">{ icon::stop() }</span>
            <h1>{ t(Label::NotAccepted) }</h1>
            <p>{ t(Label::NothingRuns) }</p>
            <ul>{ for errors.map(|problem| html! { <li>{ text::problem_with_field(problem) }</li> }) }</ul>
            <div class="buttons">
                { button("mend", Label::GoToSettings, true, Msg::Sheet(Some(Sheet::Settings)), on) }
                { button("other-example", Label::Examples, false, Msg::Show(Dialog::Presets), on) }
            </div>
        </section>
    }
}

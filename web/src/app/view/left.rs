//! The panel at the left.

use rollscope_insight::{Verdict, verdict};
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::settings::Settings;
use crate::parts::verdict::VerdictBox;
use crate::text::{Label, t};

impl App {
    /// The settings, but for a page whose link could not be opened: nothing stands in its place.
    pub(super) fn settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        if moment.is_none() && self.model.broken.is_some() {
            return html! { <p class="read">{ t(Label::NoSettings) }</p> };
        }
        html! {
            <Settings form={self.model.form.clone()} verdict={self.verdict(moment)} say={self.say} on={on.clone()} />
        }
    }

    fn verdict(&self, moment: Option<&Moment>) -> Html {
        let before = self.model.form.refused();
        let Some(accepted) = self.model.form.accepted() else {
            return html! { <VerdictBox verdict={Verdict::NotAccepted} title={t(Label::NotAccepted)} words={t(Label::NothingRuns)} /> };
        };
        let check = self.figures.check(accepted);
        let outcome = moment.and_then(|moment| moment.outcome.as_ref());
        let verdict = verdict(&check, outcome);
        let (title, words) = self.say.verdict(&check, outcome);
        html! { <VerdictBox {verdict} {title} {words} {before} /> }
    }
}

//! The story of an example, while its document is what the example says.

use rollscope_insight::{RunView, chapters};
use rollscope_scenario::preset_steps;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::told::{scenes, told};

/// The language of the page.
const LANGUAGE: &str = "en";

impl App {
    /// The sentence at the cursor; nothing where nobody tells anything.
    pub(super) fn told(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let steps = self.figures.steps(accepted, || preset_steps::of_document(&accepted.document).into());
        if steps.is_empty() || !moment.complete {
            return Html::default();
        }
        let list = self.with_player(|player| {
            self.figures.told(player, || {
                let found = chapters(RunView::of_player(player), accepted.resolved.watchdog, &steps);
                scenes(&found, LANGUAGE).into()
            })
        });
        let lead = accepted.document.notes.as_deref().unwrap_or_default();
        list.map(|list| told(&list, lead, moment.frame.at, on)).unwrap_or_default()
    }
}

//! The panel at the left.

use std::rc::Rc;

use rollscope_insight::{Change, Check, Outcome, Promise, Verdict, breaker_helps, candidate_at_start};
use rollscope_wording::Text;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::form::Accepted;
use crate::parts::breaker;
use crate::parts::export;
use crate::parts::settings::Settings;
use crate::parts::verdict::{self, VerdictBox};
use crate::text::{self, Label, t};

impl App {
    /// The settings, but for a page whose link could not be opened: nothing stands in its place.
    #[inline(never)]
    pub(super) fn settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        if moment.is_none() && self.model.broken.is_some() {
            return html! { <p class="read">{ t(Label::NoSettings) }</p> };
        }
        html! { <>{ self.settings_of(moment, on) }{ export::opener(&self.model.form, on) }</> }
    }

    fn settings_of(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        if self.elsewhere() {
            return self.settings_elsewhere(moment, on);
        }
        let outcome = moment.and_then(|moment| moment.outcome.as_ref());
        let at_start = || candidate_at_start(&self.model.form.accepted()?.resolved.settings);
        let candidate = outcome.map_or_else(at_start, |outcome| outcome.candidate);
        html! {
            <Settings {candidate} form={self.model.form.clone()} dials={self.model.shown()} here={self.model.here.map(|here| here.at)}
                from_here={self.model.from_here} verdict={self.verdict(moment, on)} say={self.say} on={on.clone()} />
        }
    }

    fn verdict(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let on = on.clone();
        let before = self.model.form.refused();
        let Some(accepted) = self.model.form.accepted() else {
            return html! {
                <VerdictBox verdict={Verdict::NotAccepted} title={t(Label::NotAccepted)} words={t(Label::NothingRuns)} {on} />
            };
        };
        let check = self.figures.check(accepted);
        let outcome = moment.and_then(|moment| moment.outcome.as_ref());
        let found = rollscope_insight::verdict(&check, outcome);
        let (title, words) = self.say.verdict(&check, outcome);
        let decided = outcome.and_then(verdict::decided);
        let moving = self.moving(accepted, &check, outcome);
        let helps = moving.first().filter(|_| check.mendable(found) && !before);
        let cures = outcome.filter(|_| !before).map(|outcome| self.cures(accepted, outcome)).unwrap_or_default();
        let late = cures.iter().any(is_of_check);
        let remedy = outcome.filter(|_| !before && helps.is_none() && cures.is_empty()).and_then(|outcome| {
            let list = self.with_player(|player| self.figures.remedies(player, accepted, outcome))?;
            list.iter().find(|remedy| breaker_helps(found, outcome, remedy)).map(|remedy| remedy.change)
        });
        let changed = remedy.map(Change::Breaker);
        let told = self.promised(accepted, outcome, helps.into_iter().chain(&cures).chain(&changed));
        let helps = helps.map(|change| (self.say.change(change, &check).0, told(change), verdict::setting(change)));
        let remedy = remedy
            .map(|change| (text::breaker_change(change), told(&Change::Breaker(change)), breaker::setting(change)));
        let helps = helps.or(remedy);
        let cures = cures.iter().map(|change| {
            let (title, words) = self.say.change(change, &check);
            (title, [words, told(change)].join(" "), verdict::setting(change))
        });
        let computing = moment.is_some_and(|moment| !moment.complete);
        html! {
            <VerdictBox verdict={found} {title} {words} {before} {computing} {decided} {helps}
                cures={cures.collect::<Vec<_>>()} {late} {on} />
        }
    }

    /// What each of these changes comes to, beside the run as it is; empty where that is not known.
    fn promised<'a>(
        &self,
        accepted: &Accepted,
        outcome: Option<&Outcome>,
        of: impl Iterator<Item = &'a Change>,
    ) -> impl Fn(&Change) -> String {
        let of: Vec<Change> = of.copied().collect();
        let now = outcome.map(Promise::of);
        let runs = now.and_then(|_| self.with_player(|player| self.figures.promises(player, accepted, of.clone())));
        let say = self.say;
        move |change| {
            let then = of.iter().position(|other| other == change).and_then(|i| *runs.as_ref()?.get(i)?);
            let both = now.zip(then);
            both.map_or_else(String::new, |(now, then)| say.text(Text::Promise(&now, &then)))
        }
    }

    /// What lets the first step do something; of a computed run only what lets it end better.
    pub(super) fn moving(&self, accepted: &Rc<Accepted>, check: &Check, outcome: Option<&Outcome>) -> Vec<Change> {
        let found = outcome.and_then(|outcome| {
            self.with_player(|player| self.figures.moving(player, accepted, check, outcome).to_vec())
        });
        found.unwrap_or_else(|| check.changes.clone())
    }

    /// What would let the run get done, as far as the document has the check that would change.
    fn cures(&self, accepted: &Rc<Accepted>, outcome: &Outcome) -> Vec<Change> {
        let found = self.with_player(|player| self.figures.cures(player, accepted, outcome));
        let written = |change: &&Change| {
            let field = change.field();
            let check = field.rsplit_once('/').map_or("", |(check, _)| check);
            !is_of_check(change) || self.model.form.is_given(check)
        };
        found.iter().flat_map(|found| found.iter().filter(written).copied()).collect()
    }
}

/// It changes a check, or how long its failures are hidden.
fn is_of_check(change: &Change) -> bool {
    matches!(change, Change::Grace(_) | Change::StartPeriod(_) | Change::Retries(_) | Change::UnhealthyThreshold(_))
}

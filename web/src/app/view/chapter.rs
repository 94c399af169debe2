//! The narrated steps of an example that is open: which one is said, and the way to the others.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::RunView;
use rollscope_insight::outside::{Colour, Signal, Trusts};
use rollscope_player::Player;
use rollscope_scenario::preset_steps;
use web_sys::MouseEvent;
use yew::prelude::*;

use super::{Moment, api};
use crate::app::App;
use crate::app::model::{Go, Msg};
use crate::form::Accepted;
use crate::parts::api_view::{self, Light};
use crate::parts::{icon, why};
use crate::text::{self, Label, t};

/// The language of the sentences.
const LANGUAGE: &str = "en";

/// What is said from a moment on.
pub type Said = (SimTime, String);

/// The steps of the example that is open, with their moments in the run; empty for any other scenario.
/// What is said of one moment is one step.
pub fn said(player: &Player, accepted: &Accepted) -> Rc<[Said]> {
    let steps = preset_steps::of_document(&accepted.document);
    let found = rollscope_insight::chapters(RunView::of_player(player), accepted.resolved.watchdog, &steps);
    let mut list: Vec<Said> = Vec::new();
    for chapter in found {
        let text = chapter.step.text(LANGUAGE);
        match list.last_mut() {
            Some((at, before)) if *at == chapter.at => {
                before.push(' ');
                before.push_str(text);
            }
            _ => list.push((chapter.at, text.to_owned())),
        }
    }
    list.into()
}

/// The moment of the next (`on`) or previous step.
fn beside(said: &[Said], now: SimTime, on: bool) -> Option<SimTime> {
    let mut moments = said.iter().map(|(at, _)| *at);
    if on { moments.find(|at| *at > now) } else { moments.rfind(|at| *at < now) }
}

impl App {
    /// All that is said of the run that is open, once it is computed.
    fn chapters(&self) -> Rc<[Said]> {
        let Some(accepted) = self.model.form.accepted().filter(|_| !self.model.form.refused()) else {
            return Rc::from([]);
        };
        self.with_player(|player| self.figures.chapters(player, accepted)).unwrap_or_else(|| Rc::from([]))
    }

    /// The moment of the next (`on`) or previous narrated step.
    pub(in crate::app) fn chapter_beside(&self, on: bool) -> Option<Go> {
        let now = self.with_player(|player| player.now())?;
        beside(&self.chapters(), now, on).map(Go::To)
    }

    /// What a presenter reads: the narrated step at the cursor.
    pub(super) fn told_here(&self) -> Option<Said> {
        self.model.presenter?;
        let now = self.with_player(|player| player.now())?;
        self.chapters().iter().rev().find(|(at, _)| *at <= now).cloned()
    }

    /// The number of the narrated step at the cursor and how many there are; `None` where nothing is narrated.
    pub(super) fn chapter_position(&self) -> Option<(usize, usize)> {
        let (said, now) = (self.chapters(), self.with_player(|player| player.now())?);
        (!said.is_empty()).then(|| (said.partition_point(|(at, _)| *at <= now), said.len()))
    }

    /// What is narrated of this very moment, for those who listen.
    pub(super) fn narrated(&self, now: SimTime) -> Option<String> {
        self.chapters().iter().find(|(at, _)| *at == now).map(|(_, sentence)| sentence.clone())
    }

    /// The step that is said at the cursor, above the caption.
    #[inline(never)]
    pub(super) fn narration(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let (said, now) = (self.chapters(), self.with_player(|player| player.now()).unwrap_or_default());
        if said.is_empty() {
            return Html::default();
        }
        let step = said.partition_point(|(at, _)| *at <= now);
        let (name, since, sentence) = match step.checked_sub(1).and_then(|index| said.get(index)) {
            Some((at, sentence)) => (text::step_of(step, said.len()), Some(*at), sentence.clone()),
            None => (text::steps_told(said.len()), None, self.notes()),
        };
        let button = |id: &'static str, label: Label, picture: Html, forward: bool| {
            let on = on.clone();
            html! {
                <button type="button" class="button line icon" {id} aria-label={t(label)} title={t(label)}
                    disabled={beside(&said, now, forward).is_none()}
                    onclick={move |_: MouseEvent| on.emit(Msg::Chapter(forward))}>{ picture }</button>
            }
        };
        // On a phone there is room for one sentence: the step's at its own moment, the decision's at others.
        let here = step.checked_sub(1).and_then(|index| said.get(index)).is_some_and(|(at, _)| *at == now);
        let here = (here || step == 0).then_some("here");
        // Every sentence lies under the one that is read, unseen: the longest one makes the height, so that the
        // stage stays where it is from step to step.
        let longest = said.iter().map(|(_, other)| html! { <span class="unseen" aria-hidden="true">{ other }</span> });
        html! {
            <section class={classes!("narration", here)} id="narration" aria-label={t(Label::Narration)}>
                <div class="told">
                    <span class="step">{ name }</span>
                    if let Some(at) = since { { why::moment(at, on) } }
                    <span class="steps" aria-hidden="true">
                        { for (0..said.len()).map(|index| html! { <i class={(index < step).then_some("done")}></i> }) }
                    </span>
                    { moment.map(|moment| self.tale_lights(moment, on)).unwrap_or_default() }
                </div>
                <div class="sentence"><p>{ sentence }</p>{ for longest }</div>
                { button("chapter-back", Label::PreviousChapter, icon::step_back(), false) }
                { button("chapter-on", Label::NextChapter, icon::step_on(), true) }
            </section>
        }
    }

    /// What pipelines say at the cursor, beside what is told of them; leads to the panel that says why.
    fn tale_lights(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let newest = moment.frame.service_deployments.last();
        let all = moment.outcome.as_ref().map(|outcome| &outcome.services[..]).unwrap_or_default();
        let service = newest.and_then(|newest| all.iter().find(|service| service.id == newest.id));
        let signals = service.and_then(|service| self.with_player(|player| self.figures.signals(player, service)));
        let Some((service, signals)) = service.zip(signals) else { return Html::default() };
        let short = [Trusts::Waiter, Trusts::RolloutState, Trusts::CloudFormation];
        let seen = signals.iter().filter(|signal| short.contains(&signal.trusts));
        let light = |signal: &Signal| {
            // Behind the end of a run nothing can be looked at, and what comes of it is known there.
            let by_now = signal.at.filter(|at| *at <= moment.frame.at || moment.over());
            let told = api::of_signal(signal, service.revision);
            // What has not come yet is not known yet.
            let light = match by_now {
                Some(_) => told,
                None => Light { colour: Colour::Waiting, at: None, misleads: String::new(), ..told },
            };
            (text::trusts(signal.trusts), light)
        };
        api_view::tale_lights(&seen.map(light).collect::<Vec<_>>(), on)
    }

    /// What the scenario says of itself.
    fn notes(&self) -> String {
        let notes = self.model.form.accepted().and_then(|accepted| accepted.document.notes.clone());
        notes.unwrap_or_else(|| t(Label::NarrationBegins).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;
    use rollscope_scenario::{Document, PRESETS};

    #[test]
    fn an_example_is_told_from_the_settings_panel_as_well() {
        let mut told = 0;
        for preset in PRESETS.iter().filter(|preset| !preset_steps::of(preset.id).is_empty()) {
            let form = Form::new(&Document::from_text(preset.document).document);
            let accepted = form.accepted().unwrap_or_else(|| panic!("{}", preset.id));
            assert_eq!(preset_steps::of_document(&accepted.document), preset_steps::of(preset.id), "{}", preset.id);
            told += 1;
        }
        assert!(told > 0);
    }

    #[test]
    fn steps_lie_beside_each_other() {
        let said = [(SimTime(0), String::new()), (SimTime(5), String::new()), (SimTime(9), String::new())];
        let cases = [(0, true, Some(5)), (5, true, Some(9)), (9, true, None), (7, false, Some(5)), (0, false, None)];
        for (now, on, expected) in cases {
            assert_eq!(beside(&said, SimTime(now), on), expected.map(SimTime), "{now} {on}");
        }
    }
}

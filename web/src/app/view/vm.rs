//! A group of virtual machines on the page: settings, figures, why, in Google Cloud's or Azure's words.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_insight::vm::{Outcome, check, outcome};
use rollscope_insight::{OutcomeKind, RunView, Verdict};
use rollscope_player::Player;
use rollscope_wording::vm as words;
use yew::prelude::*;

use super::Moment;
use super::elsewhere::look;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::head::Figure;
use crate::parts::verdict::VerdictBox;
use crate::parts::vm as parts;
use crate::text::{self, Label, t};

impl App {
    /// What becomes of a computed run.
    pub(super) fn vm_outcome(&self, player: &Player) -> Option<Rc<Outcome>> {
        let run = player.head().vm().filter(|_| player.complete())?;
        Some(self.figures.vm(player, || Rc::new(outcome(RunView::of_player(player), run))))
    }

    /// The panel at the left.
    pub(super) fn vm_settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let accepted = self.model.form.accepted();
        let Some(before) = accepted.and_then(|accepted| check(&accepted.resolved)) else { return Html::default() };
        let found = moment.and_then(|moment| moment.vm.as_deref());
        let verdict = found.map_or(before.verdict, |outcome| look(outcome.outcome));
        let decided = found.map(|outcome| outcome.completed_at.unwrap_or(outcome.last_change_at));
        let said = words::verdict(&before, found);
        let verdict = html! {
            <VerdictBox {verdict} title={words::title(&before, found)} words={said}
                before={self.model.form.refused()} computing={moment.is_some_and(|moment| !moment.complete)}
                decided={decided.filter(|at| *at > SimTime::ZERO)} on={on.clone()} />
        };
        parts::settings(&self.model.form, &before.kind, verdict, on)
    }

    /// The kind of the verdict.
    pub(super) fn vm_title(&self, moment: &Moment) -> Option<&'static str> {
        let accepted = self.model.form.accepted().filter(|_| self.is_vm())?;
        Some(words::title(&check(&accepted.resolved)?, moment.vm.as_deref()))
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn vm_verdict(&self, moment: &Moment) -> Option<(Verdict, String)> {
        let accepted = self.model.form.accepted().filter(|_| self.is_vm())?;
        let (before, found) = (check(&accepted.resolved)?, moment.vm.as_deref());
        let title = words::title(&before, found).to_owned();
        let title = match found.and_then(|outcome| outcome.completed_at) {
            Some(at) => text::verdict_done(&title, at),
            None => title,
        };
        Some((found.map_or(before.verdict, |outcome| look(outcome.outcome)), title))
    }

    /// The word beside the title, and whether it is a failure.
    pub(super) fn vm_state(&self, moment: &Moment) -> (String, bool) {
        let plain = moment.vm.as_ref().is_none_or(|outcome| outcome.outcome == OutcomeKind::Completed);
        let failed = moment.vm.as_ref().is_some_and(|outcome| outcome.outcome == OutcomeKind::Failed);
        match moment.frame.vm.as_ref().filter(|_| !plain) {
            Some(view) => (words::state(view), failed),
            None => (String::new(), false),
        }
    }

    /// The five figures of the whole run.
    pub(super) fn vm_figures(&self, moment: &Moment) -> Vec<Figure> {
        let found = moment.vm.as_deref();
        let number = |n: u32| text::number(n.into());
        let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
        let clock = |at: SimTime| rollscope_draw::ticks::clock(at.ms(), false);
        let done = found.map(|o| o.completed_at.map_or_else(|| t(Label::Never).to_owned(), clock));
        let bad = found.is_some_and(|o| o.completed_at.is_none());
        let figure = |name: &'static str, value: Option<String>| Figure::of(name, or_computing(value), None);
        let at = found.and_then(|o| o.completed_at);
        let Some(view) = &moment.frame.vm else { return Vec::new() };
        let names = words::figure_names(&view.params.kind);
        vec![
            Figure { bad, at, ..figure(t(Label::DoneAfter), done) },
            figure(names[0], found.map(|o| number(o.figures.lowest_healthy))),
            figure(names[1], found.map(|o| number(o.figures.peak_counted))),
            figure(names[2], found.map(|o| number(o.figures.peak_physical))),
            figure(t(Label::Both), found.map(|o| clock(SimTime(o.figures.both_versions_ms)))),
        ]
    }

    /// Why, at the cursor: two sums, and what the platform describes.
    pub(super) fn vm_why(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let (Some(view), Some(run)) = (&moment.frame.vm, player.state().vm()) else { return Html::default() };
        let lead = view.hold.map(|hold| words::hold(&hold, &view.params.kind)).unwrap_or_default();
        let selected = self.model.selected.map(|name| self.vm_machine(name, moment));
        let counts = &moment.frame.counts;
        parts::why(&parts::Why {
            title: words::state(view),
            lead,
            view,
            limits: counts.limits,
            counts: (counts.healthy(), counts.counted),
            described: words::described(run),
            selected,
            on,
        })
    }

    /// The selected machine in a line.
    fn vm_machine(&self, name: TaskName, moment: &Moment) -> (TaskName, String) {
        let found = moment.frame.slots.iter().flatten().find(|machine| machine.name == name);
        let state = found.map(|found| words::machine_state(&self.say.state(found.state), found.since));
        (name, state.unwrap_or_default())
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn vm_caption(&self, player: &Player) -> Option<(SimTime, String)> {
        let now = player.now();
        let kind = &player.head().settings().platform.vm()?.kind;
        let last = RunView::of_player(player).last_moment().filter(|last| *last <= now && *last > SimTime::ZERO);
        if let Some(outcome) = last.and_then(|_| self.vm_outcome(player)) {
            return Some((now, words::outcome(&outcome)));
        }
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= now)];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = words::caption(timeline.records_at(*at), kind);
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }
}

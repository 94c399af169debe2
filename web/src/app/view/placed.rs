//! A StatefulSet or a DaemonSet on the page: settings, figures, why, in Kubernetes' words.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::kubernetes::check;
use rollscope_insight::placed::kubectl::get_pods;
use rollscope_insight::placed::{Outcome, outcome, rollout_status};
use rollscope_insight::{RunView, Verdict};
use rollscope_player::Player;
use rollscope_wording::kubernetes::figure_names;
use rollscope_wording::placed as words;
use yew::prelude::*;

use super::Moment;
use super::elsewhere::look;
use crate::app::App;
use crate::app::model::Msg;
use crate::names::WORKLOAD;
use crate::parts::head::Figure;
use crate::parts::placed as parts;
use crate::parts::verdict::VerdictBox;
use crate::text::{self, Label, t};

impl App {
    /// What becomes of a computed run.
    pub(super) fn placed_outcome(&self, player: &Player) -> Option<Rc<Outcome>> {
        let run = player.head().placed().filter(|_| player.complete())?;
        Some(self.figures.placed(player, || Rc::new(outcome(RunView::of_player(player), run))))
    }

    /// The panel at the left.
    pub(super) fn placed_settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let found = moment.and_then(|moment| moment.placed.as_deref());
        let before = check(&accepted.resolved);
        let verdict = found.map_or(before.verdict, |outcome| look(outcome.outcome));
        let decided = found.map(|outcome| outcome.completed_at.unwrap_or(outcome.last_change_at));
        let verdict = html! {
            <VerdictBox {verdict} title={words::title(&before, found)} words={words::verdict(&before, found)}
                before={self.model.form.refused()} computing={moment.is_some_and(|moment| !moment.complete)}
                decided={decided.filter(|at| *at > SimTime::ZERO)} on={on.clone()} />
        };
        let first = accepted.resolved.settings.platform.stateful_set().map(|set| set.own.first);
        parts::settings(&self.model.form, first, verdict, on)
    }

    /// The kind of the verdict.
    pub(super) fn placed_title(&self, moment: &Moment) -> Option<&'static str> {
        let accepted = self.model.form.accepted().filter(|_| self.is_placed())?;
        Some(words::title(&check(&accepted.resolved), moment.placed.as_deref()))
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn placed_verdict(&self, moment: &Moment) -> Option<(Verdict, String)> {
        let accepted = self.model.form.accepted().filter(|_| self.is_placed())?;
        let (before, found) = (check(&accepted.resolved), moment.placed.as_deref());
        let title = words::title(&before, found).to_owned();
        let title = match found.and_then(|outcome| outcome.completed_at) {
            Some(at) => text::verdict_done(&title, at),
            None => title,
        };
        Some((found.map_or(before.verdict, |outcome| look(outcome.outcome)), title))
    }

    /// The figures of the whole run.
    pub(super) fn placed_figures(&self, moment: &Moment) -> Vec<Figure> {
        let found = moment.placed.as_deref();
        let number = |n: u32| text::number(n.into());
        let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
        let clock = |at: SimTime| rollscope_draw::ticks::clock(at.ms(), false);
        let done = found.map(|o| o.completed_at.map_or_else(|| t(Label::Never).to_owned(), clock));
        let bad = found.is_some_and(|o| o.completed_at.is_none() && o.blocked_by.is_some());
        let figure = |name: &'static str, value: Option<String>| Figure::of(name, or_computing(value), None);
        let at = found.and_then(|o| o.completed_at);
        let names = figure_names();
        vec![
            Figure { bad, at, ..figure(t(Label::DoneAfter), done) },
            figure(names[0], found.map(|o| number(o.figures.lowest_available))),
            figure(names[2], found.map(|o| number(o.figures.peak_physical))),
            figure(t(Label::Both), found.map(|o| clock(SimTime(o.figures.both_versions_ms)))),
        ]
    }

    /// Why, at the cursor: what is waited for, how many may be down, and what kubectl shows.
    pub(super) fn placed_why(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let (Some(view), Some(run)) = (&moment.frame.workload, player.state().placed()) else {
            return Html::default();
        };
        let title = words::wait_title(view.wait.as_ref());
        let lead = view.wait.map(|wait| words::wait(&wait)).unwrap_or_default();
        let status = rollout_status(run).text(WORKLOAD);
        let selected = self.model.selected.map(|name| {
            let pod = moment.frame.slots.iter().flatten().find(|pod| pod.name == name);
            let say = |pod: &rollscope_engine::frame::TaskView| {
                rollscope_wording::kubernetes::pod_state(&self.say.state(pod.state), pod.since)
            };
            (name, self.names(player).with_version(name), pod.map(say).unwrap_or_default())
        });
        let (limits, pods) = (moment.frame.counts.limits, get_pods(run, WORKLOAD));
        let (available, partition) = (view.status.available, view.partition);
        parts::why(&parts::Why { title, lead, limits, available, status, pods, partition, selected, on })
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn placed_caption(&self, player: &Player) -> Option<(SimTime, String)> {
        let now = player.now();
        let last = RunView::of_player(player).last_moment().filter(|last| *last <= now && *last > SimTime::ZERO);
        if let Some(outcome) = last.and_then(|_| self.placed_outcome(player)) {
            return Some((now, words::outcome(&outcome)));
        }
        let (timeline, names) = (player.timeline(), self.names(player));
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= now)];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = words::caption(timeline.records_at(*at), &names.say());
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }
}

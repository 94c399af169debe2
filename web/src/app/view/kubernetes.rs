//! A Kubernetes Deployment on the page: settings, figures, why, in Kubernetes' words. What only Amazon ECS has
//! (circuit breaker, alarms, the API view) has no place here.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_insight::kubernetes::{Outcome, check, outcome, rollout_status};
use rollscope_insight::{OutcomeKind, RunView, Verdict};
use rollscope_player::Player;
use rollscope_wording::kubernetes as words;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::head::Figure;
use crate::parts::kubernetes as parts;
use crate::parts::verdict::VerdictBox;
use crate::text::{self, Label, t};

/// What kubectl calls the Deployment.
const NAME: &str = "web";

impl App {
    /// The settings in force are those of a Kubernetes Deployment.
    pub(super) fn is_kubernetes(&self) -> bool {
        self.model.form.is_kubernetes()
    }

    /// What becomes of a computed run.
    pub(super) fn kubernetes_outcome(&self, player: &Player) -> Option<Rc<Outcome>> {
        let run = player.head().kubernetes().filter(|_| player.complete())?;
        Some(self.figures.kubernetes(player, || Rc::new(outcome(RunView::of_player(player), run))))
    }

    /// What the sheet of tasks is called.
    pub(super) fn tasks_label(&self) -> Label {
        if self.is_kubernetes() { Label::Pods } else { Label::Tasks }
    }

    /// How many serve.
    pub(super) fn serving(&self, healthy: u32) -> String {
        if self.is_kubernetes() { words::serving(healthy) } else { text::targets(healthy) }
    }

    /// The panel at the left.
    #[inline(never)]
    pub(super) fn kubernetes_settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let found = moment.and_then(|moment| moment.kubernetes.as_deref());
        let before = check(&accepted.resolved);
        let verdict = found.map_or(before.verdict, |outcome| look(outcome.outcome));
        let decided =
            found.map(|outcome| outcome.completed_at.or(outcome.reported_at).unwrap_or(outcome.last_change_at));
        let verdict = html! {
            <VerdictBox {verdict} title={words::title(&before, found)} words={words::verdict(&before, found)}
                before={self.model.form.refused()} computing={moment.is_some_and(|moment| !moment.complete)}
                decided={decided.filter(|at| *at > SimTime::ZERO)} on={on.clone()} />
        };
        parts::settings(&self.model.form, verdict, on)
    }

    /// The kind of the verdict.
    pub(super) fn kubernetes_title(&self, moment: &Moment) -> Option<&'static str> {
        let accepted = self.model.form.accepted().filter(|_| self.is_kubernetes())?;
        Some(words::title(&check(&accepted.resolved), moment.kubernetes.as_deref()))
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn kubernetes_verdict(&self, moment: &Moment) -> Option<(Verdict, String)> {
        let accepted = self.model.form.accepted().filter(|_| self.is_kubernetes())?;
        let (before, found) = (check(&accepted.resolved), moment.kubernetes.as_deref());
        let title = words::title(&before, found).to_owned();
        let title = match found.and_then(|outcome| outcome.completed_at) {
            Some(at) => text::verdict_done(&title, at),
            None => title,
        };
        Some((found.map_or(before.verdict, |outcome| look(outcome.outcome)), title))
    }

    /// The word beside the title, and whether it is a failure.
    pub(super) fn kubernetes_state(&self, moment: &Moment) -> (String, bool) {
        let view = moment.frame.kubernetes.as_ref();
        let progress = view.and_then(|view| view.conditions.progressing);
        let plain = moment.kubernetes.as_ref().is_none_or(|outcome| outcome.outcome == OutcomeKind::Completed);
        match progress.filter(|_| !plain) {
            Some(found) => {
                let failed = found.status == rollscope_engine::platform::kubernetes::Truth::False;
                (words::state(found.reason), failed)
            }
            None => (String::new(), false),
        }
    }

    /// The five figures of the whole run.
    pub(super) fn kubernetes_figures(&self, moment: &Moment) -> Vec<Figure> {
        let found = moment.kubernetes.as_deref();
        let number = |n: u32| text::number(n.into());
        let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
        let clock = |at: SimTime| rollscope_draw::ticks::clock(at.ms(), false);
        let done = found.map(|o| o.completed_at.map_or_else(|| t(Label::Never).to_owned(), clock));
        let bad = found.is_some_and(|o| o.completed_at.is_none() && o.blocked_by.is_some());
        let figure = |name: &'static str, value: Option<String>| Figure::of(name, or_computing(value), None);
        let at = found.and_then(|o| o.completed_at);
        let names = words::figure_names();
        vec![
            Figure { bad, at, ..figure(t(Label::DoneAfter), done) },
            figure(names[0], found.map(|o| number(o.figures.lowest_available))),
            figure(
                names[1],
                found.map(|o| format!("{} to {}", number(o.figures.lowest_asked), number(o.figures.peak_asked))),
            ),
            figure(names[2], found.map(|o| number(o.figures.peak_physical))),
            figure(t(Label::Both), found.map(|o| clock(SimTime(o.figures.both_versions_ms)))),
        ]
    }

    /// Why, at the cursor: two sums, and what kubectl shows.
    #[inline(never)]
    pub(super) fn kubernetes_why(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let (Some(view), Some(run)) = (&moment.frame.kubernetes, player.state().kubernetes()) else {
            return Html::default();
        };
        let limits = moment.frame.counts.limits;
        let lead = view.hold.map(|hold| words::hold(&hold)).unwrap_or_default();
        let title = view.conditions.progress().map(words::state).unwrap_or_default();
        let status = rollout_status(view, run.params().replicas).text(NAME);
        let selected = self.model.selected.map(|name| self.kubernetes_pod(name, moment));
        parts::why(&parts::Why { title, lead, view, limits, status, name: NAME, selected, on })
    }

    /// The selected Pod in a line or two.
    fn kubernetes_pod(&self, name: TaskName, moment: &Moment) -> (TaskName, String) {
        let pod = moment.frame.slots.iter().flatten().find(|pod| pod.name == name);
        let state = pod.map(|pod| words::pod_state(&self.say.state(pod.state), pod.since));
        (name, state.unwrap_or_default())
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn kubernetes_caption(&self, player: &Player) -> Option<(SimTime, String)> {
        let now = player.now();
        let last = RunView::of_player(player).last_moment().filter(|last| *last <= now && *last > SimTime::ZERO);
        if let Some(outcome) = last.and_then(|_| self.kubernetes_outcome(player)) {
            return Some((now, words::outcome(&outcome)));
        }
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= now)];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = words::caption(timeline.records_at(*at));
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }
}

/// A verdict that looks like the outcome.
const fn look(outcome: OutcomeKind) -> Verdict {
    match outcome {
        OutcomeKind::Completed | OutcomeKind::RolledBack => Verdict::CanMove,
        OutcomeKind::Waiting | OutcomeKind::InProgress => Verdict::WillWait,
        _ => Verdict::WillFailAndStay,
    }
}

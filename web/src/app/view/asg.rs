//! An EC2 instance refresh on the page: settings, figures, why, in EC2's words.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Alarm, TaskName};
use rollscope_insight::asg::{Outcome, check, outcome};
use rollscope_insight::{OutcomeKind, RunView, Verdict};
use rollscope_player::Player;
use rollscope_wording::asg as words;
use yew::prelude::*;

use super::Moment;
use super::elsewhere::look;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::asg as parts;
use crate::parts::head::Figure;
use crate::parts::verdict::VerdictBox;
use crate::text::{self, Label, t};

impl App {
    /// What becomes of a computed run.
    pub(super) fn asg_outcome(&self, player: &Player) -> Option<Rc<Outcome>> {
        let run = player.head().asg().filter(|_| player.complete())?;
        Some(self.figures.asg(player, || Rc::new(outcome(RunView::of_player(player), run))))
    }

    /// The alarms that the refresh watches.
    fn watched(&self) -> &[Alarm] {
        self.model.form.accepted().map_or(&[], |accepted| &accepted.resolved.settings.alarms)
    }

    /// The panel at the left.
    pub(super) fn asg_settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let found = moment.and_then(|moment| moment.asg.as_deref());
        let before = check(&accepted.resolved);
        let verdict = found.map_or(before.verdict, |outcome| look(outcome.outcome));
        let ended = |outcome: &Outcome| outcome.refresh.and_then(|refresh| refresh.ended);
        let decided = found.map(|outcome| ended(outcome).unwrap_or(outcome.last_change_at));
        let said = words::verdict(&before, found, self.watched());
        let verdict = html! {
            <VerdictBox {verdict} title={words::title(&before, found)} words={said}
                before={self.model.form.refused()} computing={moment.is_some_and(|moment| !moment.complete)}
                decided={decided.filter(|at| *at > SimTime::ZERO)} on={on.clone()} />
        };
        parts::settings(&self.model.form, verdict, on)
    }

    /// The kind of the verdict.
    pub(super) fn asg_title(&self, moment: &Moment) -> Option<&'static str> {
        let accepted = self.model.form.accepted().filter(|_| self.is_asg())?;
        Some(words::title(&check(&accepted.resolved), moment.asg.as_deref()))
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn asg_verdict(&self, moment: &Moment) -> Option<(Verdict, String)> {
        let accepted = self.model.form.accepted().filter(|_| self.is_asg())?;
        let (before, found) = (check(&accepted.resolved), moment.asg.as_deref());
        let title = words::title(&before, found).to_owned();
        let title = match found.and_then(|outcome| outcome.completed_at) {
            Some(at) => text::verdict_done(&title, at),
            None => title,
        };
        Some((found.map_or(before.verdict, |outcome| look(outcome.outcome)), title))
    }

    /// The word beside the title, and whether it is a failure.
    pub(super) fn asg_state(&self, moment: &Moment) -> (String, bool) {
        let refresh = moment.frame.asg.as_ref().and_then(|view| view.refresh);
        let plain = moment.asg.as_ref().is_none_or(|outcome| outcome.outcome == OutcomeKind::Completed);
        match refresh.filter(|_| !plain) {
            Some(refresh) => (words::state(&refresh), refresh.status.is_failure()),
            None => (String::new(), false),
        }
    }

    /// The five figures of the whole run.
    pub(super) fn asg_figures(&self, moment: &Moment) -> Vec<Figure> {
        let found = moment.asg.as_deref();
        let number = |n: u32| text::number(n.into());
        let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
        let clock = |at: SimTime| rollscope_draw::ticks::clock(at.ms(), false);
        let done = found.map(|o| o.completed_at.map_or_else(|| t(Label::Never).to_owned(), clock));
        let bad = found.is_some_and(|o| o.completed_at.is_none() && o.refresh.is_some());
        let figure = |name: &'static str, value: Option<String>| Figure::of(name, or_computing(value), None);
        let at = found.and_then(|o| o.completed_at);
        let names = words::figure_names();
        vec![
            Figure { bad, at, ..figure(t(Label::DoneAfter), done) },
            figure(names[0], found.map(|o| number(o.figures.lowest_ready))),
            figure(names[1], found.map(|o| number(o.figures.peak_counted))),
            figure(names[2], found.map(|o| number(o.figures.peak_physical))),
            figure(t(Label::Both), found.map(|o| clock(SimTime(o.figures.both_versions_ms)))),
        ]
    }

    /// Why, at the cursor: two sums, and what the API describes.
    pub(super) fn asg_why(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let Some(view) = &moment.frame.asg else { return Html::default() };
        let alarms = self.watched();
        let title = view.refresh.as_ref().map(words::state).unwrap_or_default();
        let lead = view.hold.map(|hold| words::hold(&hold)).unwrap_or_default();
        let selected = self.model.selected.map(|name| self.asg_instance(name, moment));
        let (limits, described) = (moment.frame.counts.limits, words::described(view, alarms));
        let counted = moment.frame.counts.counted;
        parts::why(&parts::Why { title, lead, view, limits, counted, described, selected, on })
    }

    /// The selected instance in a line.
    fn asg_instance(&self, name: TaskName, moment: &Moment) -> (TaskName, String) {
        let found = moment.frame.slots.iter().flatten().find(|instance| instance.name == name);
        let state = found.map(|found| words::instance_state(&self.say.state(found.state), found.since));
        (name, state.unwrap_or_default())
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn asg_caption(&self, player: &Player) -> Option<(SimTime, String)> {
        let (now, alarms) = (player.now(), &player.head().settings().alarms);
        let last = RunView::of_player(player).last_moment().filter(|last| *last <= now && *last > SimTime::ZERO);
        if let Some(outcome) = last.and_then(|_| self.asg_outcome(player)) {
            return Some((now, words::outcome(&outcome, alarms)));
        }
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= now)];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = words::caption(timeline.records_at(*at), alarms);
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }
}

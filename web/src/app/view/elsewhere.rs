//! Where no Amazon ECS service runs: which platform's panels, figures and sentences stand in the places of
//! those of a service. What only Amazon ECS has (circuit breaker, the API view) has no place there.

use rollscope_engine::SimTime;
use rollscope_engine::frame::Frame;
use rollscope_insight::{OutcomeKind, Verdict};
use rollscope_player::Player;
use rollscope_scenario::limits::Limits;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::head::Figure;
use crate::text::{self, Label, t};

impl App {
    /// The settings in force are those of another platform than Amazon ECS.
    pub(super) fn elsewhere(&self) -> bool {
        self.model.form.elsewhere()
    }

    /// They are those of a StatefulSet or a DaemonSet.
    pub(super) fn is_placed(&self) -> bool {
        self.model.form.is_placed()
    }

    /// What runs are Pods.
    pub(super) fn has_pods(&self) -> bool {
        self.is_kubernetes() || self.is_placed()
    }

    /// It can be compared: there is no comparison of the others yet.
    pub(super) fn compares(&self) -> bool {
        !self.is_asg() && !self.is_placed()
    }

    /// They are those of an Auto Scaling group.
    pub(super) fn is_asg(&self) -> bool {
        self.model.form.is_asg()
    }

    /// What runs, in the plural.
    pub(super) fn things(&self) -> Label {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => Label::Pods,
            (_, true) => Label::GroupInstances,
            _ => Label::Tasks,
        }
    }

    /// How many serve.
    pub(super) fn serving(&self, healthy: u32) -> String {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => rollscope_wording::kubernetes::serving(healthy),
            (_, true) => rollscope_wording::asg::serving(healthy),
            _ => text::targets(healthy),
        }
    }

    /// The limits in one line.
    pub(super) fn limits_elsewhere(&self, limits: Limits) -> String {
        let say = if self.is_asg() { rollscope_wording::asg::limits } else { rollscope_wording::kubernetes::limits };
        say(limits.desired, limits.floor, limits.ceiling)
    }

    /// Those who serve, by name.
    pub(super) fn serving_name(&self) -> Option<&'static str> {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => Some(t(Label::AvailablePods)),
            (_, true) => Some(t(Label::ReadyInstances)),
            _ => None,
        }
    }

    /// The panel at the left.
    #[inline(never)]
    pub(super) fn settings_elsewhere(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        match (self.is_placed(), self.is_asg()) {
            (true, _) => self.placed_settings(moment, on),
            (_, true) => self.asg_settings(moment, on),
            _ => self.kubernetes_settings(moment, on),
        }
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn verdict_elsewhere(&self, moment: &Moment) -> Option<(Verdict, String)> {
        self.kubernetes_verdict(moment).or_else(|| self.placed_verdict(moment)).or_else(|| self.asg_verdict(moment))
    }

    /// The word beside the title, and whether it is a failure.
    pub(super) fn state_elsewhere(&self, moment: &Moment) -> (String, bool) {
        match (self.is_placed(), self.is_asg()) {
            // It has no condition that would tell.
            (true, _) => (String::new(), false),
            (_, true) => self.asg_state(moment),
            _ => self.kubernetes_state(moment),
        }
    }

    /// The figures of the whole run.
    pub(super) fn figures_elsewhere(&self, moment: &Moment) -> Vec<Figure> {
        match (self.is_placed(), self.is_asg()) {
            (true, _) => self.placed_figures(moment),
            (_, true) => self.asg_figures(moment),
            _ => self.kubernetes_figures(moment),
        }
    }

    /// Why, at the cursor.
    #[inline(never)]
    pub(super) fn why_elsewhere(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        match (self.is_placed(), self.is_asg()) {
            (true, _) => self.placed_why(moment, player, on),
            (_, true) => self.asg_why(moment, on),
            _ => self.kubernetes_why(moment, player, on),
        }
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn caption_elsewhere(&self, player: &Player, frame: &Frame) -> Option<(SimTime, String)> {
        match (&frame.workload, &frame.asg) {
            (Some(_), _) => self.placed_caption(player),
            (_, Some(_)) => self.asg_caption(player),
            _ => self.kubernetes_caption(player),
        }
    }
}

/// A verdict that looks like the outcome.
pub(super) const fn look(outcome: OutcomeKind) -> Verdict {
    match outcome {
        OutcomeKind::Completed | OutcomeKind::RolledBack => Verdict::CanMove,
        OutcomeKind::Waiting | OutcomeKind::InProgress => Verdict::WillWait,
        OutcomeKind::Refused => Verdict::NotAccepted,
        _ => Verdict::WillFailAndStay,
    }
}

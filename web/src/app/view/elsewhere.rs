//! Where no Amazon ECS service runs: which platform's panels, figures and sentences stand in the places of
//! those of a service. What only Amazon ECS has (circuit breaker, the API view) has no place there.

use rollscope_engine::SimTime;
use rollscope_engine::platform::vm::Kind;
use rollscope_insight::{OutcomeKind, Verdict};
use rollscope_player::Player;
use rollscope_scenario::limits::Limits;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::head::Figure;
use crate::text::{self, Label, t};

/// What runs, where it is no service of Amazon ECS.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elsewhere {
    /// A Deployment of Kubernetes.
    Deployment,
    /// A StatefulSet or a DaemonSet.
    Placed,
    /// An Auto Scaling group with its refresh.
    Refresh,
    /// A managed instance group or a scale set.
    Machines,
}

impl App {
    fn kind_elsewhere(&self) -> Elsewhere {
        match (self.is_placed(), self.is_asg(), self.is_vm()) {
            (true, ..) => Elsewhere::Placed,
            (_, true, _) => Elsewhere::Refresh,
            (.., true) => Elsewhere::Machines,
            _ => Elsewhere::Deployment,
        }
    }

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

    /// They are those of an Auto Scaling group.
    pub(super) fn is_asg(&self) -> bool {
        self.model.form.is_asg()
    }

    /// They are those of a group of virtual machines.
    pub(super) fn is_vm(&self) -> bool {
        self.model.form.is_vm()
    }

    /// Whose rules hold for them.
    fn vm_kind(&self) -> Option<&Kind> {
        self.model.form.accepted().and_then(|accepted| accepted.resolved.settings.platform.vm()).map(|vm| &vm.kind)
    }

    /// What runs, in the plural.
    pub(super) fn things(&self) -> Label {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => Label::Pods,
            (_, true) => Label::GroupInstances,
            _ if self.is_vm() => Label::Machines,
            _ => Label::Tasks,
        }
    }

    /// How many serve.
    pub(super) fn serving(&self, healthy: u32) -> String {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => rollscope_wording::kubernetes::serving(healthy),
            (_, true) => rollscope_wording::asg::serving(healthy),
            _ if let Some(kind) = self.vm_kind() => rollscope_wording::vm::serving(healthy, kind),
            _ => text::targets(healthy),
        }
    }

    /// The limits in one line.
    pub(super) fn limits_elsewhere(&self, limits: Limits) -> String {
        let say = match (self.is_asg(), self.is_vm()) {
            (true, _) => rollscope_wording::asg::limits,
            (_, true) => rollscope_wording::vm::limits,
            _ => rollscope_wording::kubernetes::limits,
        };
        say(limits.desired, limits.floor, limits.ceiling)
    }

    /// Those who serve, by name.
    pub(super) fn serving_name(&self) -> Option<&'static str> {
        match (self.has_pods(), self.is_asg()) {
            (true, _) => Some(t(Label::AvailablePods)),
            (_, true) => Some(t(Label::ReadyInstances)),
            _ => self.vm_kind().map(rollscope_wording::vm::up_name),
        }
    }

    /// The panel at the left.
    #[inline(never)]
    pub(super) fn settings_elsewhere(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        match self.kind_elsewhere() {
            Elsewhere::Placed => self.placed_settings(moment, on),
            Elsewhere::Refresh => self.asg_settings(moment, on),
            Elsewhere::Machines => self.vm_settings(moment, on),
            Elsewhere::Deployment => self.kubernetes_settings(moment, on),
        }
    }

    /// The title of the verdict in one line, and how it looks.
    pub(super) fn verdict_elsewhere(&self, moment: &Moment) -> Option<(Verdict, String)> {
        let kubernetes = || self.kubernetes_verdict(moment).or_else(|| self.placed_verdict(moment));
        kubernetes().or_else(|| self.asg_verdict(moment)).or_else(|| self.vm_verdict(moment))
    }

    /// The word beside the title, and whether it is a failure.
    pub(super) fn state_elsewhere(&self, moment: &Moment) -> (String, bool) {
        match self.kind_elsewhere() {
            // It has no condition that would tell.
            Elsewhere::Placed => (String::new(), false),
            Elsewhere::Refresh => self.asg_state(moment),
            Elsewhere::Machines => self.vm_state(moment),
            Elsewhere::Deployment => self.kubernetes_state(moment),
        }
    }

    /// The figures of the whole run.
    pub(super) fn figures_elsewhere(&self, moment: &Moment) -> Vec<Figure> {
        match self.kind_elsewhere() {
            Elsewhere::Placed => self.placed_figures(moment),
            Elsewhere::Refresh => self.asg_figures(moment),
            Elsewhere::Machines => self.vm_figures(moment),
            Elsewhere::Deployment => self.kubernetes_figures(moment),
        }
    }

    /// Why, at the cursor.
    #[inline(never)]
    pub(super) fn why_elsewhere(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        match self.kind_elsewhere() {
            Elsewhere::Placed => self.placed_why(moment, player, on),
            Elsewhere::Refresh => self.asg_why(moment, on),
            Elsewhere::Machines => self.vm_why(moment, player, on),
            Elsewhere::Deployment => self.kubernetes_why(moment, player, on),
        }
    }

    /// The sentence of the cursor with its moment.
    pub(super) fn caption_elsewhere(&self, player: &Player) -> Option<(SimTime, String)> {
        match self.kind_elsewhere() {
            Elsewhere::Placed => self.placed_caption(player),
            Elsewhere::Refresh => self.asg_caption(player),
            Elsewhere::Machines => self.vm_caption(player),
            Elsewhere::Deployment => self.kubernetes_caption(player),
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

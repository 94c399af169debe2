//! The order of decisions in one evaluation while a deployment shifts traffic.
//!
//! Two revisions stand side by side, each with all of its tasks: the one with the production traffic is
//! made good, the other one comes in full, and neither of them goes before CLEAN_UP. Floor and ceiling
//! of the percentages play no part: each revision has the wanted number for itself, beside what is being
//! replaced. Once the new revision was whole, nothing goes on while it is not: no stage ends, no traffic
//! moves to it, and the old one stays.

use super::observed::{Action, Group, Observed, Plan, ShiftView};
use super::params::Params;
use super::reconcile::{Evaluation, Limit};
use super::rules_shift::{Leave, next_stage};
use super::strategy::WHOLE;
use crate::mechanism::instance::Class;
use crate::sim::service_deployment::{FailedBy, Stage};
use crate::trace::{Reason, Rule, StopCause};

/// One evaluation of a deployment that shifts traffic.
pub fn reconcile_shift(params: &Params, observed: Observed, shift: &ShiftView) -> Plan {
    let Some(target) = observed.groups.len().checked_sub(1) else { return Plan::default() };
    let mut e = Evaluation::new(params, observed, target);
    if let Some(action) = e.failure_first() {
        e.plan.actions.push((action, None));
        return e.plan;
    }
    if let Some(action) = e.stage_machine(shift) {
        e.plan.actions.push((action, None));
        return e.plan;
    }
    e.sides_drained(shift);
    // Where room is short the side with more of the traffic comes first.
    let target_first = e.traffic_of(e.target, shift) > WHOLE / 2;
    if target_first {
        e.target_side(shift);
    }
    for group in 0..e.target {
        e.other_side(group, shift);
    }
    if !target_first {
        e.target_side(shift);
    }
    if shift.live {
        e.clean_up(shift);
    }
    if e.plan.actions.is_empty() {
        e.plan.hold = Some(e.hold_shift(shift));
    }
    e.look_again();
    let now = e.o.now;
    let waits =
        [(shift.wait_until), (shift.takes_until), shift.limit_at].map(|at| (shift.live && at > now).then_some(at));
    let hooks = shift.hooks.due.filter(|at| shift.live && *at > now);
    e.plan.look_at = waits.into_iter().chain([hooks, e.plan.look_at]).flatten().min();
    e.plan
}

impl Evaluation<'_> {
    /// Hooks first (their time-outs come before the stage's limit), then the end of the stage, then its limit.
    fn stage_machine(&self, shift: &ShiftView) -> Option<Action> {
        let now = self.o.now;
        if !shift.live {
            return None;
        }
        if shift.hooks.due.is_some_and(|due| due <= now) {
            return Some(Action::HookTurn);
        }
        let done = shift.hooks.waiting.is_none();
        // A hook that fails in a rollback does not hold it up.
        if let (Some((id, pause, timed_out)), true, None) = (shift.hooks.asks_back, done, shift.back) {
            let reason = Reason::HookFailed { id, stage: shift.stage, pause, timed_out };
            return Some(Action::ShiftFails { by: FailedBy::Hook, reason });
        }
        let leave = Leave {
            hooks_done: done,
            ready: self.is_ready(shift),
            shifts_left: shift.shifts.saturating_sub(shift.shifts_done),
            back: shift.back,
        };
        if let Some(next) = next_stage(shift.stage, &leave) {
            return Some(Action::Enter(next));
        }
        (shift.limit_at <= now && !self.is_over(shift)).then(|| {
            let reason = Reason::StageLimit { stage: shift.stage };
            Action::ShiftFails { by: FailedBy::StageLimit, reason }
        })
    }

    /// What the stage waits for has come.
    fn is_ready(&self, shift: &ShiftView) -> bool {
        if self.lacks(shift) > 0 {
            return false;
        }
        match shift.stage {
            Stage::ReconcileService => {
                let others = self.others(shift);
                others.map(|g| g.all() + g.leaving).sum::<u32>() == 0
            }
            Stage::ScaleUp => self.is_whole(),
            Stage::TestTrafficShift | Stage::ProductionTrafficShift | Stage::BakeTime => shift.wait_until <= self.o.now,
            Stage::CleanUp => false,
            _ => true,
        }
    }

    /// Healthy tasks that the new revision lacks for the way forward; 0 up to SCALE_UP, whose end waits for
    /// all of them anyway, and in a rollback, which needs none of them.
    ///
    /// The documentation says only that SCALE_UP waits for all of them. Read here: what holds there holds
    /// until the end, since a stage that went on would give traffic to tasks that are not there.
    fn lacks(&self, shift: &ShiftView) -> u32 {
        if shift.back.is_some() || shift.stage.order() <= Stage::ScaleUp.order() {
            return 0;
        }
        self.o.desired.saturating_sub(self.target_group().n(Class::Healthy))
    }

    fn is_whole(&self) -> bool {
        let g = self.target_group();
        g.n(Class::Healthy) == self.o.desired && g.all() == self.o.desired
    }

    /// Groups beside the target that do not stay.
    fn others(&self, shift: &ShiftView) -> impl Iterator<Item = &Group> {
        let stays = shift.other;
        self.o.groups[..self.target].iter().filter(move |g| Some(g.id) != stays)
    }

    /// Nothing is left to clean up, and the revision that stays is whole.
    fn is_over(&self, shift: &ShiftView) -> bool {
        let gone = self.o.groups[..self.target].iter().all(|g| g.all() + g.leaving == 0);
        shift.stage == Stage::CleanUp && gone && self.is_whole()
    }

    /// Tasks on instances that are being drained stop once others of their own revision stand in for them:
    /// the tasks of the other one take no part of its traffic. A revision that launches nothing any more and
    /// has no traffic lets them go at once.
    fn sides_drained(&mut self, shift: &ShiftView) {
        for group in 0..=self.target {
            let g = &self.o.groups[group];
            let gives_way = g.launches_none() && self.traffic_of(group, shift) == 0;
            let (healthy, floor) = (g.n(Class::Healthy), if gives_way { 0 } else { self.o.desired });
            self.leave_instances(group, healthy, floor);
        }
    }

    /// Weight of a revision in the production traffic, in thousandths.
    fn traffic_of(&self, group: usize, shift: &ShiftView) -> u16 {
        let (target, back) = (group == self.target, shift.back.is_some());
        match target || shift.other == Some(self.o.groups[group].id) {
            true if target == back => WHOLE - shift.green,
            true => shift.green,
            false => 0,
        }
    }

    /// The target's own tasks: they start from SCALE_UP on, and are replaced when they fail.
    fn target_side(&mut self, shift: &ShiftView) {
        let failed = self.target_group().launches_none();
        let begun = shift.back.is_some() || shift.stage.order() >= Stage::ScaleUp.order();
        if !failed && begun {
            self.target_comes(shift);
        }
        self.unhealthy(self.target, failed);
        if !failed {
            self.target_surplus();
        }
    }

    fn target_comes(&mut self, shift: &ShiftView) {
        if self.o.rollout.digests.is_some() {
            self.limit = Some(Limit::Digests);
            return;
        }
        let (need, desired) = (self.need(), self.o.desired);
        let started = self.launches(self.target, need);
        if started == 0 && self.limit == Some(Limit::Places) && self.placement_due() {
            self.plan.actions.push((Action::NoPlace, None));
        }
        if started > 0 {
            let revision = self.target_group().revision;
            let reason = match shift.back {
                Some(_) => Reason::SideRepaired { revision, desired, started },
                None => Reason::GreenStarts { desired, need, started },
            };
            self.start(self.target, started, false, Rule::TargetStart, reason);
        }
    }

    /// The deployment beside the target: while it stays it is made good, but for one that was given up.
    fn other_side(&mut self, group: usize, shift: &ShiftView) {
        let g = &self.o.groups[group];
        let (id, revision) = (g.id, g.revision);
        let stays = shift.other == Some(id);
        if !stays {
            self.all_stop(group, Reason::Reconcile { revision, stopped: 0 });
        }
        let cleaning = shift.stage == Stage::CleanUp && shift.live;
        let repaired = stays && shift.back.is_none() && !cleaning && !self.o.groups[group].launches_none();
        if !repaired {
            if self.o.groups[group].lost > 0 {
                self.plan.actions.push((Action::Forgive { of: id }, None));
                self.o.groups[group].lost = 0;
            }
            return;
        }
        self.repair(group);
        self.unhealthy(group, false);
        self.side_surplus(group);
    }

    /// Tasks that the old revision lost are started again, as many as are wanted.
    fn repair(&mut self, group: usize) {
        let (g, desired) = (&self.o.groups[group], self.o.desired);
        // What has to leave its instance is made good as what is lost.
        let owed = g.lost + g.displaced;
        if owed == 0 {
            return;
        }
        let (id, revision, lost) = (g.id, g.revision, g.lost);
        let want = owed.min(desired.saturating_sub(g.all() - g.replacing() - g.displaced));
        if want == 0 && lost == 0 {
            return;
        }
        if want == 0 {
            self.plan.actions.push((Action::Forgive { of: id }, None));
            self.o.groups[group].lost = 0;
            return;
        }
        let started = self.launches(group, want);
        if started > 0 {
            let reason = Reason::SideRepaired { revision, desired, started };
            self.start(group, started, false, Rule::SourceRepair, reason);
        }
    }

    /// A lower desired count holds for the old revision as well.
    fn side_surplus(&mut self, group: usize) {
        let desired = self.o.desired;
        for class in [Class::Fresh, Class::Unhealthy, Class::Healthy] {
            let g = &self.o.groups[group];
            let active = g.all() - g.replacing() - g.displaced;
            let stopped = active.saturating_sub(desired).min(g.free(class));
            if stopped > 0 {
                let reason = Reason::Surplus { active, desired, stopped };
                self.stop(group, class, stopped, StopCause::Surplus, Rule::TargetSurplus, reason);
            }
        }
    }

    /// CLEAN_UP: the side without production traffic goes; then the deployment is done.
    fn clean_up(&mut self, shift: &ShiftView) {
        if shift.stage != Stage::CleanUp || self.lacks(shift) > 0 {
            return;
        }
        for group in 0..self.target {
            let revision = self.o.groups[group].revision;
            self.all_stop(group, Reason::CleanUp { revision, stopped: 0, back: shift.back.is_some() });
        }
        if self.is_over(shift) {
            let revision = self.target_group().revision;
            self.decide(Action::Complete, Rule::Completion, Reason::ShiftCompleted { revision });
        }
    }

    /// Every task of a group that is not protected stops; the reason gets the numbers.
    fn all_stop(&mut self, group: usize, why: Reason) {
        // An unhealthy task before its replacement, which replaces nobody then; one whose unhealthy task
        // is protected comes after.
        let classes = [
            Class::Fresh,
            Class::NeverHealthy,
            Class::Unhealthy,
            Class::Covered,
            Class::Outdone,
            Class::Fresh,
            Class::FreshReplacing,
            Class::Relieved,
            Class::Healthy,
        ];
        for class in classes {
            let stopped = self.o.groups[group].free(class);
            if stopped > 0 {
                let reason = match why {
                    Reason::CleanUp { revision, back, .. } => Reason::CleanUp { revision, stopped, back },
                    Reason::Reconcile { revision, .. } => Reason::Reconcile { revision, stopped },
                    other => other,
                };
                self.stop(group, class, stopped, StopCause::Replaced, Rule::SourceStop, reason);
                if matches!(class, Class::Covered | Class::Outdone) {
                    let g = &mut self.o.groups[group];
                    g.active[Class::FreshReplacing as usize] -= stopped;
                    g.active[Class::Fresh as usize] += stopped;
                }
            }
        }
    }

    /// The stage is held until the new revision is whole again, and why that takes its time where that is known.
    fn held(&self, stage: Stage, shift: &ShiftView) -> Reason {
        match self.limit {
            Some(_) => self.hold(false),
            None => {
                Reason::GreenLacks { lacks: self.lacks(shift), desired: self.o.desired, stage, until: shift.limit_at }
            }
        }
    }

    /// Why nothing is done.
    fn hold_shift(&self, shift: &ShiftView) -> Reason {
        let now = self.o.now;
        if !shift.live {
            return self.hold(true);
        }
        if let Some((id, pause, until)) = shift.hooks.waiting {
            return Reason::HookWaits { id, stage: shift.stage, pause, until };
        }
        let (green, shifts) = (u32::from(shift.green), shift.shifts);
        let leaving: u32 = self.o.groups[..self.target].iter().map(|g| g.leaving).sum();
        let protected: u32 = self.o.groups[..self.target].iter().map(Group::protected).sum();
        match shift.stage {
            Stage::TestTrafficShift | Stage::ProductionTrafficShift if shift.takes_until > now => {
                Reason::ShiftTakes { until: shift.takes_until }
            }
            Stage::ProductionTrafficShift if shift.wait_until > now => {
                Reason::StepWaits { green, shift: shift.shifts_done, shifts, until: shift.wait_until }
            }
            Stage::BakeTime if shift.wait_until > now => Reason::Baking { until: shift.wait_until },
            stage if self.lacks(shift) > 0 => self.held(stage, shift),
            Stage::CleanUp | Stage::ReconcileService if leaving > 0 => Reason::WaitGone { stopping: leaving },
            Stage::CleanUp if protected > 0 => Reason::Protected { tasks: protected },
            _ => self.hold(false),
        }
    }
}

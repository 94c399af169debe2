//! Passes of the controller: what it sees, and how its plan is carried out.

use super::Simulation;
use crate::mechanism::instance::Class;
use crate::platform::ecs::{Action, Group, Observed, reconcile, reconcile_shift, rules_breaker};
use crate::settings::TaskName;
use crate::sim::service_deployment::Stage;
use crate::time::SimTime;
use crate::trace::{Decision, DeploymentId, Reason, Rule, StopCause, TaskChange, Trace, What};

impl Simulation {
    fn observe(&self) -> Observed {
        let limits = self.limits();
        let groups: alloc::vec::Vec<Group> = self.deployments.iter().map(|d| self.group(d)).collect();
        let physical = self.deployments.iter().map(|d| d.tasks.physical()).sum();
        Observed {
            now: self.now,
            desired: limits.desired,
            floor: limits.floor,
            ceiling: limits.ceiling,
            total: self.counted(),
            physical,
            places: self.places_for(physical),
            room: self.room(),
            quota: self.quota.available(self.now),
            quota_next: self.quota.next_launch(self.now),
            groups,
            rollout: self.rollout(),
            shift: self.shift_view(),
        }
    }

    /// Tasks that count against the ceiling.
    pub(super) fn counted(&self) -> u32 {
        let leaving_too = self.readings().stopping_counts;
        self.deployments.iter().map(|d| if leaving_too { d.tasks.physical() } else { d.tasks.active() }).sum()
    }

    /// One evaluation. True when it did something.
    pub(super) fn pass(&mut self, trace: &mut Trace) -> bool {
        self.settle_rebalance();
        let observed = self.observe();
        let plan = match observed.shift {
            Some(shift) => reconcile_shift(&self.params, observed, &shift),
            None => reconcile(&self.params, observed),
        };
        self.look_at = plan.look_at.unwrap_or(SimTime::NEVER);
        let acted = !plan.actions.is_empty();
        let target = |sim: &Simulation| sim.deployments.last().map(|d| (d.id, d.state));
        let before = target(self);
        for (action, why) in plan.actions {
            let first = self.carry_out(action, trace);
            if let Some((rule, reason)) = why {
                self.emit(trace, What::Decision(Decision { rule, reason, first }));
            }
            self.check_breaker(trace);
            if target(self) != before {
                // Another rollout: the rest of the plan was made for the one before.
                break;
            }
        }
        if acted {
            return true;
        }
        let kind = |reason: &Option<Reason>| reason.as_ref().map(core::mem::discriminant);
        if let Some(reason) = plan.hold
            && kind(&self.hold) != kind(&plan.hold)
        {
            self.emit(trace, What::Decision(Decision { rule: Rule::Hold, reason, first: None }));
        }
        self.hold = plan.hold;
        false
    }

    /// Carries out one action; the first task it is about.
    fn carry_out(&mut self, action: Action, trace: &mut Trace) -> Option<TaskName> {
        match action {
            Action::Start { of, count, replacements, over } => self.launch(of, count, replacements, over, trace),
            Action::Stop { of, class, count, cause, healing } => {
                self.stop_some(of, class, count, cause, healing, trace)
            }
            Action::Forgive { of } => {
                self.deployment_mut(of).lost = 0;
                self.drop_empty_deployments(trace);
                None
            }
            Action::Rebalance { of } => self.rebalance(of, trace),
            rest => {
                self.carry_out_rollout(rest, trace);
                None
            }
        }
    }

    /// Actions that concern the rollout as a whole.
    fn carry_out_rollout(&mut self, action: Action, trace: &mut Trace) {
        match action {
            Action::Complete => self.complete(trace),
            Action::AlarmFails => self.alarm_fails(trace),
            Action::DigestAttempt => self.digest_attempt(trace),
            Action::NoPlace => self.no_place(trace),
            Action::GateMet { healthy, gate } => self.gate_is_met(healthy, gate, trace),
            Action::BakeBegins => self.bake(trace),
            Action::GiveUpCleanup { left } => self.give_up_cleanup(left, trace),
            Action::HookTurn => self.hook_turn(trace),
            Action::Enter(stage) => self.enter_stage(stage, trace),
            Action::ShiftFails { by, reason } => self.shift_fails(by, reason, trace),
            Action::Start { .. } | Action::Stop { .. } | Action::Forgive { .. } | Action::Rebalance { .. } => {}
        }
    }

    /// Most tasks right after a launch for this deployment. While traffic is shifted that bounds the
    /// revision by itself, so it moves with the tasks of the other one.
    fn launch_ceiling(&self, id: DeploymentId) -> u32 {
        if !self.is_shifting() {
            return self.limits().ceiling;
        }
        self.counted() + self.group(self.deployment(id)).room_in_set(self.params.desired)
    }

    /// Fewest healthy tasks right after a stop. While traffic is shifted the order of the stages protects,
    /// not a floor; but when the old revision goes the new one is whole.
    fn stop_floor(&self, cause: StopCause) -> u32 {
        let (shifting, back) = self.shift().filter(|s| !s.over).map_or((false, false), |s| (true, s.back.is_some()));
        let cleaning = self.services.last().is_some_and(|s| s.is_live() && s.stage == Stage::CleanUp);
        match shifting {
            true if cleaning && !back && cause == StopCause::Replaced => self.params.desired,
            true => 0,
            false => self.limits().floor,
        }
    }

    fn launch(
        &mut self,
        id: DeploymentId,
        count: u32,
        replacements: u32,
        over: bool,
        trace: &mut Trace,
    ) -> Option<TaskName> {
        self.quota.take(self.now, count);
        let batch = self.new_batch();
        let ceiling = self.launch_ceiling(id);
        let mut first = None;
        for k in 0..count {
            let unhealthy = if over { self.first_to_stop(id, Class::Unhealthy, true) } else { None };
            let slot = self.occupy(id, batch);
            self.schedule_start(slot);
            if let Some(unhealthy) = unhealthy {
                self.task_mut(slot).replaces = unhealthy;
                self.task_mut(unhealthy).replaced_by = slot;
                self.reclass(slot);
                self.reclass(unhealthy);
            }
            self.reschedule(slot);
            let task = self.task(slot);
            let (zone, task) = (task.zone, task.task());
            first = first.or(Some(task.name));
            self.guards.launching(ceiling);
            let change = TaskChange::Created { deployment: id, zone, replacement: k < replacements };
            self.emit(trace, What::Task { task, change });
            self.tell_place(slot, trace);
        }
        self.order_instances(trace);
        // What a launch leaves over is tried again after a pause.
        let retry = self.now + rules_breaker::placement_pause_ms(1);
        let d = self.deployment_mut(id);
        d.launched = true;
        d.placing = (0, retry);
        d.lost -= replacements.min(d.lost) * u32::from(!over);
        first
    }

    fn stop_some(
        &mut self,
        id: DeploymentId,
        class: Class,
        count: u32,
        cause: StopCause,
        healing: bool,
        trace: &mut Trace,
    ) -> Option<TaskName> {
        let floor = self.stop_floor(cause);
        let mut first = None;
        for _ in 0..count {
            let protected = matches!(cause, StopCause::Unhealthy | StopCause::Draining);
            let Some(slot) = self.first_to_stop(id, class, protected) else { break };
            first = first.or(Some(self.task(slot).name));
            self.guards.stopping(floor);
            self.task_mut(slot).healing = healing;
            self.decide_stop(slot, cause, trace);
            self.reschedule(slot);
        }
        let d = self.deployment_mut(id);
        if healing {
            d.healing += count;
        }
        if cause == StopCause::Unhealthy && !matches!(class, Class::Relieved | Class::Outdone) {
            d.lost += count;
        }
        first
    }
}

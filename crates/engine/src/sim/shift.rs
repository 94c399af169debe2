//! A deployment that shifts traffic: its stages, its weights, and the way back.

use alloc::vec::Vec;

use super::service_deployment::{FailedBy, Stage};
use super::{Deployment, Simulation};
use crate::platform::ecs::rules_hooks::HookRun;
use crate::platform::ecs::rules_shift::{self, Back};
use crate::platform::ecs::strategy::WHOLE;
use crate::platform::ecs::{Shift, ShiftView};
use crate::settings::RolloutState;
use crate::time::SimTime;
use crate::trace::{Decision, DeploymentId, Reason, Rule, ServiceChange, Trace, Weights, What};

/// Where the newest deployment that shifts traffic stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShiftState {
    /// The new deployment.
    pub green: DeploymentId,
    /// The old one, which keeps its tasks; absent when nothing ran before.
    pub blue: Option<DeploymentId>,
    /// Weights of the listeners.
    pub weights: Weights,
    /// When the present stage began.
    pub entered: SimTime,
    /// The present stage's own wait ends then; ZERO for none.
    pub wait_until: SimTime,
    /// The shift itself, a part of that wait, ends then; ZERO for none.
    pub takes_until: SimTime,
    /// Shifts of the production traffic that are done.
    pub shifts_done: u32,
    /// It is a rollback.
    pub back: Option<Back>,
    /// Test and production traffic that were shifted on the way forward.
    pub reached: Back,
    /// The deployment is over: COMPLETED. The weights stay.
    pub over: bool,
    /// Runs of the hooks of the present stage.
    pub runs: Vec<HookRun>,
    /// Runs of each hook at each stage so far: hook, stage, runs.
    pub(super) run_counts: Vec<(u8, Stage, u32)>,
}

impl Simulation {
    /// The newest deployment that shifts traffic, while it goes on and afterwards; absent for rolling
    /// updates, and before the first one.
    pub fn shift(&self) -> Option<&ShiftState> {
        self.shift.as_ref()
    }

    /// Weights of the newest deployment that shifts traffic; absent where nothing steers it.
    pub fn weights(&self) -> Option<Weights> {
        let steered = self.settings.strategy.shift().is_some_and(|shift| shift.steered);
        self.shift.as_ref().filter(|_| steered).map(|shift| shift.weights)
    }

    /// A deployment's weight in the production traffic, in thousandths; absent where nothing steers it.
    pub(super) fn weight(&self, d: &Deployment) -> Option<u32> {
        self.weights().map(|weights| u32::from(weights.of_deployment(d.id)))
    }

    /// How much of the production traffic a deployment answers, beside the others: its healthy tasks, for
    /// each target gets the same share; or, while it has some, its weight.
    pub(super) fn serves(&self, d: &Deployment) -> u32 {
        match d.tasks.healthy {
            0 => 0,
            healthy => self.weight(d).unwrap_or(healthy),
        }
    }

    /// A deployment that shifts traffic is not over.
    pub(super) fn is_shifting(&self) -> bool {
        self.shift.as_ref().is_some_and(|shift| !shift.over)
    }

    /// The same, and it has not failed for good either.
    pub(super) fn shifts_on(&self) -> bool {
        self.is_shifting() && self.services.last().is_some_and(|service| service.is_live())
    }

    /// What the controller has to know about it.
    pub(super) fn shift_view(&self) -> Option<ShiftView> {
        let (state, settings) = (self.shift.as_ref().filter(|s| !s.over)?, self.settings.strategy.shift()?);
        let (service, target) = (self.services.last()?, self.deployments.last()?);
        let live = service.is_live() && target.state == RolloutState::InProgress && !target.halted;
        Some(ShiftView {
            live,
            stage: service.stage,
            back: state.back,
            other: if state.back.is_some() { Some(state.green) } else { state.blue },
            green: state.weights.production,
            shifts_done: state.shifts_done,
            shifts: settings.steps.len() as u32,
            wait_until: state.wait_until,
            takes_until: state.takes_until,
            limit_at: state.entered + rules_shift::STAGE_LIMIT_MS,
            hooks: state.hooks_now(&settings.hooks),
        })
    }

    /// The service deployment that has just begun shifts traffic.
    pub(super) fn begin_shift(&mut self, trace: &mut Trace) {
        let Some(settings) = self.settings.strategy.shift() else { return };
        let last_shift = settings.steps.len().saturating_sub(1) as u32;
        let Some((target, sources)) = self.deployments.split_last() else { return };
        let (green, number) = (target.id, target.number);
        let with_tasks = || sources.iter().rev().filter(|d| d.tasks.active() > 0);
        let blue = with_tasks().find(|d| d.state == RolloutState::Completed).or_else(|| with_tasks().next());
        let blue = blue.map(|d| (d.id, d.number));
        // Whatever the listeners said before: without another revision there is nothing to shift from.
        let production = if blue.is_none() { WHOLE } else { 0 };
        let (from, old) = (blue.map(|(id, _)| id), blue.map(|(_, number)| number));
        let weights = Weights { to: green, green: number, from, blue: old, production, test: 0 };
        let none = Back { tested: false, shifted: false };
        self.shift = Some(ShiftState {
            green,
            blue: from,
            weights,
            entered: self.now,
            wait_until: SimTime::ZERO,
            takes_until: SimTime::ZERO,
            shifts_done: if blue.is_none() { last_shift } else { 0 },
            back: None,
            reached: none,
            over: false,
            runs: Vec::new(),
            run_counts: Vec::new(),
        });
        self.tell_weights(trace);
        if let Some(service) = self.services.last() {
            self.run_hooks(service.stage, trace);
        }
    }

    /// Traffic moves to this deployment: the guard looks at who would answer it. A service that wants no
    /// task sends none.
    fn traffic_goes_to(&mut self, to: Option<DeploymentId>, trace: &mut Trace) {
        let steered = self.weights().is_some() && self.params.desired > 0;
        let Some(to) = self.deployments.iter().find(|d| Some(d.id) == to).filter(|_| steered) else { return };
        let healthy = to.tasks.healthy;
        if let Some(violation) = self.guards.receives(self.now, healthy) {
            self.emit(trace, What::Guard(violation));
        }
    }

    fn tell_weights(&mut self, trace: &mut Trace) {
        if let Some(weights) = self.weights() {
            self.tell(ServiceChange::Weights(weights), trace);
        }
    }

    /// A stage begins: traffic moves, its wait and its hooks begin.
    pub(super) fn enter_stage(&mut self, stage: Stage, trace: &mut Trace) {
        let (now, settings) = (self.now, self.settings.clone());
        let (Some(shift), Some(state)) = (settings.strategy.shift(), self.shift.as_mut()) else { return };
        let comes_back = state.back.is_some() && stage != Stage::ScaleUp;
        let leaves_scale_up = comes_back && self.services.last().is_some_and(|s| s.stage == Stage::ScaleUp);
        (state.entered, state.wait_until, state.takes_until) = (now, SimTime::ZERO, SimTime::ZERO);
        self.drop_hooks(trace);
        if leaves_scale_up {
            self.traffic_back(true, trace);
        }
        match stage {
            Stage::TestTrafficShift => self.test_shift(shift, trace),
            Stage::ProductionTrafficShift => self.production_shift(shift, trace),
            Stage::BakeTime => {
                let until = now + shift.bake_ms;
                if let Some(state) = &mut self.shift {
                    state.wait_until = until;
                }
                if let Some(service) = self.services.last_mut() {
                    service.bake_until = Some(until);
                }
                self.tell(ServiceChange::BakeBegins { until }, trace);
            }
            _ => {}
        }
        if let Some(service) = self.services.last_mut() {
            service.stage = stage;
        }
        self.tell(ServiceChange::Stage(stage), trace);
        self.run_hooks(stage, trace);
        self.hold = None;
        self.dirty = true;
    }

    fn test_shift(&mut self, shift: &Shift, trace: &mut Trace) {
        let now = self.now;
        let Some(state) = self.shift.as_mut().filter(|state| state.back.is_none()) else { return };
        state.reached.tested = true;
        if shift.test_listener && shift.steered {
            state.weights.test = WHOLE;
            state.takes_until = now + shift.extra_ms;
            state.wait_until = state.takes_until;
            let green = state.green;
            self.traffic_goes_to(Some(green), trace);
            self.tell_weights(trace);
        }
    }

    /// Production traffic moves one step on; on the way back it has moved already.
    fn production_shift(&mut self, shift: &Shift, trace: &mut Trace) {
        let now = self.now;
        let Some(state) = self.shift.as_mut().filter(|state| state.back.is_none()) else { return };
        let Some(step) = shift.steps.get(state.shifts_done as usize).copied() else { return };
        let moves = state.weights.production != step.green;
        state.reached.shifted = true;
        state.shifts_done += 1;
        state.weights.production = step.green;
        state.takes_until = if moves && shift.steered { now + shift.extra_ms } else { SimTime::ZERO };
        state.wait_until = state.takes_until.max(now) + step.wait_ms;
        if moves && shift.steered {
            let reason = Reason::TrafficShifts {
                revision: state.weights.green,
                green: u32::from(step.green),
                shift: state.shifts_done,
                shifts: shift.steps.len() as u32,
            };
            let green = state.green;
            self.traffic_goes_to(Some(green), trace);
            self.tell_weights(trace);
            self.shift_decided(reason, trace);
        }
    }

    fn shift_decided(&mut self, reason: Reason, trace: &mut Trace) {
        let decision = Decision { rule: Rule::TrafficShift, reason, first: None };
        self.emit(trace, What::Decision(decision));
    }

    /// All of the traffic goes to the old revision in one move; `afresh` when its tasks had to start again.
    fn traffic_back(&mut self, afresh: bool, trace: &mut Trace) {
        let Some(state) = &mut self.shift else { return };
        let before = state.weights;
        (state.weights.production, state.weights.test) = (0, 0);
        let (weights, blue) = (state.weights, state.blue);
        if before.production > 0 {
            self.traffic_goes_to(blue, trace);
        }
        if before != weights {
            self.tell_weights(trace);
        }
        if let (true, Some(revision), Some(_)) = (before.production > 0, weights.blue, self.weights()) {
            self.shift_decided(Reason::TrafficBack { revision, afresh }, trace);
        }
    }

    /// The rollback of a deployment that shifts traffic begins; the old deployment is PRIMARY again.
    /// While it still has its tasks all traffic goes back at once; else it comes back first. Nothing is
    /// said of one that has lost all of them: read here as one that comes back, for nobody would answer.
    pub(super) fn shift_turns_back(&mut self, trace: &mut Trace) {
        let desired = self.params.desired;
        let Some(candidate) = self.deployments.last() else { return };
        let (id, number) = (candidate.id, candidate.number);
        let (whole, serves) = (candidate.tasks.healthy >= desired, candidate.tasks.healthy > 0);
        let Some(service) = self.services.last() else { return };
        let stands = service.stage != Stage::CleanUp;
        let Some(state) = &mut self.shift else { return };
        let at_once = whole || (stands && serves && state.blue == Some(id));
        state.blue = Some(id);
        (state.weights.from, state.weights.blue) = (Some(id), Some(number));
        let back = state.reached;
        state.back = Some(back);
        if at_once {
            self.traffic_back(false, trace);
            self.enter_stage(rules_shift::first_back(back), trace);
        } else {
            self.enter_stage(Stage::ScaleUp, trace);
        }
    }

    /// A hook or a limit fails the deployment.
    pub(super) fn shift_fails(&mut self, by: FailedBy, reason: Reason, trace: &mut Trace) {
        let decision = Decision { rule: Rule::FailureFirst, reason, first: None };
        self.emit(trace, What::Decision(decision));
        self.drop_hooks(trace);
        self.fail(by, trace);
    }

    /// The deployment is COMPLETED: whatever stays has all of the traffic.
    pub(super) fn shift_is_over(&mut self, trace: &mut Trace) {
        let Some(state) = self.shift.as_mut().filter(|state| !state.over) else { return };
        state.over = true;
        state.wait_until = SimTime::ZERO;
        state.takes_until = SimTime::ZERO;
        if state.back.is_none() && state.weights.test > 0 {
            state.weights.test = 0;
            self.tell_weights(trace);
        }
    }
}

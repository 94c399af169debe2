//! Lifecycle hooks of the present stage.

use super::Simulation;
use super::service_deployment::Stage;
use super::shift::ShiftState;
use crate::platform::ecs::HooksNow;
use crate::platform::ecs::rules_hooks::{self, HookRun, HookStatus};
use crate::platform::ecs::strategy::{Hook, HookAction, HookKind};
use crate::trace::{ServiceChange, Trace};

impl ShiftState {
    /// What the controller has to know about the hooks of the stage.
    pub(super) fn hooks_now(&self, hooks: &[Hook]) -> HooksNow {
        let pause = |run: &HookRun| hooks[usize::from(run.hook)].kind == HookKind::Pause;
        let waiting = self.runs.iter().find(|run| !run.status.is_final());
        let back = self.runs.iter().find(|run| run.asks_back(&hooks[usize::from(run.hook)]));
        HooksNow {
            due: self.runs.iter().filter_map(HookRun::due).min(),
            waiting: waiting.map(|run| (run.id, pause(run), run.deadline)),
            asks_back: back.map(|run| (run.id, pause(run), run.status == HookStatus::TimedOut)),
        }
    }

    fn nth(&mut self, hook: u8, stage: Stage) -> u32 {
        let known = self.run_counts.iter_mut().find(|(of, at, _)| *of == hook && *at == stage);
        if let Some((_, _, n)) = known {
            *n += 1;
            return *n;
        }
        self.run_counts.push((hook, stage, 1));
        1
    }
}

impl Simulation {
    /// The hooks of a stage that begins are invoked, side by side.
    pub(super) fn run_hooks(&mut self, stage: Stage, trace: &mut Trace) {
        let (now, settings) = (self.now, self.settings.clone());
        let Some(shift) = settings.strategy.shift() else { return };
        for (i, hook) in shift.hooks.iter().enumerate().filter(|(_, hook)| hook.stages.contains(&stage)) {
            let Some(state) = &mut self.shift else { return };
            let (index, nth) = (i as u8, state.nth(i as u8, stage));
            self.hook_runs += 1;
            let run = HookRun::begin(hook, index, self.hook_runs, (stage, nth), now);
            state.runs.push(run);
            self.tell_hook(&run, trace);
        }
    }

    /// Nobody waits any more for hooks of the stage that is left.
    pub(super) fn drop_hooks(&mut self, trace: &mut Trace) {
        let Some(state) = &mut self.shift else { return };
        let open = state.runs.iter().any(|run| !run.status.is_final());
        state.runs.clear();
        if open {
            self.tell(ServiceChange::HooksDropped, trace);
        }
    }

    fn tell_hook(&mut self, run: &HookRun, trace: &mut Trace) {
        let HookRun { id, hook, stage, status, .. } = *run;
        self.tell(ServiceChange::Hook { id, hook, stage, status }, trace);
    }

    /// Hooks that are due: an answer, a time-out, the next call.
    pub(super) fn hook_turn(&mut self, trace: &mut Trace) {
        let (now, settings) = (self.now, self.settings.clone());
        let Some(shift) = settings.strategy.shift() else { return };
        let runs = self.shift.as_ref().map_or(0, |state| state.runs.len());
        for i in 0..runs {
            let Some(run) = self.shift.as_ref().and_then(|state| state.runs.get(i)).copied() else { return };
            if run.due().is_none_or(|due| due > now) {
                continue;
            }
            let after = rules_hooks::turn(run, &shift.hooks[usize::from(run.hook)], now);
            self.set_run(i, after, run.status, trace);
        }
    }

    fn set_run(&mut self, i: usize, run: HookRun, before: HookStatus, trace: &mut Trace) {
        if let Some(known) = self.shift.as_mut().and_then(|state| state.runs.get_mut(i)) {
            *known = run;
        }
        if run.status != before {
            self.tell_hook(&run, trace);
        }
    }

    /// `ContinueServiceDeployment`. False when no PAUSE hook (or not this one) awaits an action.
    /// Source: Developer Guide, continue-service-deployment.
    pub(super) fn continue_deployment(&mut self, hook: Option<u32>, action: HookAction, trace: &mut Trace) -> bool {
        let Some(state) = &self.shift else { return false };
        let awaits = |run: &HookRun| run.status == HookStatus::AwaitingAction && hook.is_none_or(|id| id == run.id);
        let Some(i) = state.runs.iter().position(awaits) else { return false };
        let mut run = state.runs[i];
        run.status = match action {
            HookAction::Continue => HookStatus::Succeeded,
            HookAction::Rollback => HookStatus::Failed,
        };
        self.set_run(i, run, HookStatus::AwaitingAction, trace);
        true
    }
}

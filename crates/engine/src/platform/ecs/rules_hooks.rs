//! The rules of lifecycle hooks: what becomes of one run of a hook.

use super::strategy::{Hook, HookAction, HookAnswer, HookKind, HookReply};
use crate::sim::service_deployment::Stage;
use crate::time::{MINUTE, SECOND, SimTime};

/// A function must answer one call within this time. Source: Developer Guide, lambda-lifecycle-hooks.
pub const CALL_MS: u64 = 15 * MINUTE;
/// `callBackDelay` when an answer gives none: it is called again then.
pub const CALL_BACK_MS: u64 = 30 * SECOND;
/// `timeoutInMinutes` when it is not given, in milliseconds. Source: API `DeploymentLifecycleHookDuration`.
pub const TIMEOUT_MS: u64 = 1_440 * MINUTE;

/// The answer of a function of which nothing is said.
pub const SUCCEEDS: HookAnswer = HookAnswer { status: HookReply::Succeeded, after_ms: 0, call_back_ms: CALL_BACK_MS };

/// Status of a run of a hook, the exact values of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookStatus {
    /// `AWAITING_ACTION`: a PAUSE hook waits for `ContinueServiceDeployment`.
    AwaitingAction,
    /// `IN_PROGRESS`
    InProgress,
    /// `SUCCEEDED`
    Succeeded,
    /// `FAILED`
    Failed,
    /// `TIMED_OUT`
    TimedOut,
}

impl HookStatus {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            HookStatus::AwaitingAction => "AWAITING_ACTION",
            HookStatus::InProgress => "IN_PROGRESS",
            HookStatus::Succeeded => "SUCCEEDED",
            HookStatus::Failed => "FAILED",
            HookStatus::TimedOut => "TIMED_OUT",
        }
    }

    /// It stays so.
    pub const fn is_final(self) -> bool {
        matches!(self, HookStatus::Succeeded | HookStatus::Failed | HookStatus::TimedOut)
    }
}

/// One run of a hook at a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookRun {
    /// Index into the hooks of the strategy.
    pub hook: u8,
    /// Its `hookId`: the k-th run of a hook in the whole run, from 1.
    pub id: u32,
    /// Its stage.
    pub stage: Stage,
    /// The k-th run of this hook at this stage, from 1.
    pub nth: u32,
    /// Where it stands.
    pub status: HookStatus,
    /// Calls of the function so far.
    pub calls: u32,
    /// A call waits for its answer; false while the next call is waited for.
    pub calling: bool,
    /// When the answer or the next call comes; NEVER for a pause.
    pub next: SimTime,
    /// Its time-out.
    pub deadline: SimTime,
}

impl HookRun {
    /// A run that begins now.
    pub fn begin(hook: &Hook, index: u8, id: u32, (stage, nth): (Stage, u32), now: SimTime) -> HookRun {
        let deadline = now + hook.timeout_ms;
        let mut run = HookRun {
            hook: index,
            id,
            stage,
            nth,
            status: HookStatus::AwaitingAction,
            calls: 0,
            calling: false,
            next: SimTime::NEVER,
            deadline,
        };
        if hook.kind == HookKind::Lambda {
            run.status = HookStatus::InProgress;
            run.call(hook, now);
        }
        run
    }

    fn answer(&self, hook: &Hook) -> HookAnswer {
        let fits = |entry: &&super::strategy::HookAnswers| {
            entry.stage.is_none_or(|stage| stage == self.stage) && entry.run.is_none_or(|run| run == self.nth)
        };
        let Some(entry) = hook.answers.iter().find(fits) else { return SUCCEEDS };
        let call = (self.calls as usize).clamp(1, entry.calls.len().max(1)) - 1;
        entry.calls.get(call).copied().unwrap_or(SUCCEEDS)
    }

    fn call(&mut self, hook: &Hook, now: SimTime) {
        self.calls += 1;
        self.calling = true;
        self.next = now + self.answer(hook).after_ms.min(CALL_MS);
    }

    /// When something becomes of it by itself; absent once it has ended.
    pub fn due(&self) -> Option<SimTime> {
        (!self.status.is_final()).then(|| self.next.min(self.deadline))
    }

    /// It has ended, and the deployment is to be rolled back.
    pub fn asks_back(&self, hook: &Hook) -> bool {
        match self.status {
            HookStatus::Failed => true,
            HookStatus::TimedOut => hook.on_timeout == HookAction::Rollback,
            _ => false,
        }
    }
}

/// What becomes of a run that is due: an answer comes first, then the time-out, then a new call.
///
/// A function that answers IN_PROGRESS without a delay is called again after 30 s; one that has not
/// answered a call after 15 minutes has failed.
pub fn turn(run: HookRun, hook: &Hook, now: SimTime) -> HookRun {
    let mut run = run;
    if run.status.is_final() {
        return run;
    }
    if run.calling && run.next <= now {
        let answer = run.answer(hook);
        run.calling = false;
        let status = if answer.after_ms > CALL_MS { HookReply::Failed } else { answer.status };
        match status {
            HookReply::Succeeded => run.status = HookStatus::Succeeded,
            HookReply::Failed => run.status = HookStatus::Failed,
            HookReply::InProgress => run.next = now + answer.call_back_ms.max(1),
        }
    } else if run.deadline <= now {
        run.status = HookStatus::TimedOut;
    } else if run.next <= now {
        run.call(hook, now);
    }
    run
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::strategy::HookAnswers;
    use super::*;

    fn lambda(calls: Vec<HookAnswer>) -> Hook {
        Hook {
            kind: HookKind::Lambda,
            stages: vec![Stage::PostScaleUp],
            timeout_ms: TIMEOUT_MS,
            on_timeout: HookAction::Rollback,
            answers: vec![HookAnswers { stage: None, run: None, calls }],
        }
    }

    fn answer(status: HookReply, after_ms: u64) -> HookAnswer {
        HookAnswer { status, after_ms, call_back_ms: CALL_BACK_MS }
    }

    /// Moments and statuses until the run ends.
    fn life(hook: &Hook) -> (SimTime, HookRun) {
        let mut run = HookRun::begin(hook, 0, 1, (Stage::PostScaleUp, 1), SimTime::ZERO);
        let mut at = SimTime::ZERO;
        while let Some(due) = run.due() {
            at = due;
            run = turn(run, hook, at);
        }
        (at, run)
    }

    #[test]
    fn a_function_that_is_not_done_is_called_again_after_30_seconds() {
        // Vector T18.
        let hook = lambda(vec![answer(HookReply::InProgress, 0), answer(HookReply::Succeeded, 0)]);
        let (at, run) = life(&hook);
        assert_eq!((at, run.status, run.calls), (SimTime(30_000), HookStatus::Succeeded, 2));
    }

    #[test]
    fn answers_and_time_outs() {
        let mut pause = lambda(vec![]);
        pause.kind = HookKind::Pause;
        let short = Hook { timeout_ms: 60_000, on_timeout: HookAction::Continue, ..pause.clone() };
        let never = lambda(vec![answer(HookReply::InProgress, 0)]);
        for (hook, at, status, back) in [
            (lambda(vec![]), 0, HookStatus::Succeeded, false),
            (lambda(vec![answer(HookReply::Failed, 2_000)]), 2_000, HookStatus::Failed, true),
            // No answer to one call.
            (lambda(vec![answer(HookReply::Succeeded, CALL_MS + 1)]), CALL_MS, HookStatus::Failed, true),
            // Answered for ever with IN_PROGRESS.
            (never, TIMEOUT_MS, HookStatus::TimedOut, true),
            // Vector T17.
            (pause, 1_440 * MINUTE, HookStatus::TimedOut, true),
            (short, 60_000, HookStatus::TimedOut, false),
        ] {
            let (ended, run) = life(&hook);
            assert_eq!((ended.ms(), run.status, run.asks_back(&hook)), (at, status, back), "{hook:?}");
        }
    }

    #[test]
    fn only_the_entry_that_fits_answers() {
        let mut hook = lambda(vec![answer(HookReply::Failed, 0)]);
        hook.answers[0].run = Some(2);
        for (nth, status) in [(1, HookStatus::Succeeded), (2, HookStatus::Failed)] {
            let run = HookRun::begin(&hook, 0, 1, (Stage::PostScaleUp, nth), SimTime::ZERO);
            assert_eq!(turn(run, &hook, SimTime::ZERO).status, status);
        }
    }
}

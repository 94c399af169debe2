//! Blue/green, linear and canary deployments, in English.

use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::platform::ecs::strategy::ShiftKind;
use rollscope_engine::settings::TaskName;
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::trace::{Reason, Weights};
use rollscope_insight::{Check, Outcome, ShiftPlan, WaitShift};

use super::reason::who;
use super::report::about;
use super::{count, is_are, plural};
use crate::time::clock;

/// "33.3 %"
pub(super) fn per_mille(n: u32) -> String {
    match n % 10 {
        0 => format!("{} %", n / 10),
        tenth => format!("{}.{tenth} %", n / 10),
    }
}

/// "hook 2 at POST_SCALE_UP"
fn hook(id: u32, stage: Stage) -> String {
    format!("hook {} at {}", count(id), stage.name())
}

pub(super) fn decision(reason: &Reason, first: Option<TaskName>) -> String {
    match *reason {
        Reason::GreenStarts { desired, need, started } if need == desired => {
            format!("ECS starts {} beside the old tasks: both revisions run in full.", who(first, started))
        }
        Reason::GreenStarts { need, started, .. } => {
            format!("ECS starts {}: {} of the new revision {} missing.", who(first, started), count(need), is_are(need))
        }
        Reason::SideRepaired { revision, desired, started } => {
            format!("ECS starts {} again: r{revision} keeps all of its {}.", who(first, started), count(desired))
        }
        Reason::CleanUp { stopped, back: false, .. } => format!(
            "{} {} picked to stop: the new revision has all of the traffic and the bake time is over.",
            who(first, stopped),
            is_are(stopped)
        ),
        Reason::CleanUp { stopped, back: true, .. } => format!(
            "{} {} picked to stop: the old revision has all of the traffic again.",
            who(first, stopped),
            is_are(stopped)
        ),
        Reason::Reconcile { stopped, .. } => format!(
            "{} {} picked to stop: only one old revision stays beside the new one.",
            who(first, stopped),
            is_are(stopped)
        ),
        Reason::TrafficShifts { revision, green: 1_000, shift: 1, .. } => {
            format!("All production traffic goes to r{revision} at once.")
        }
        Reason::TrafficShifts { revision, green, shift, shifts } => format!(
            "{} of the production traffic goes to r{revision}: shift {} of {}.",
            per_mille(green),
            count(shift),
            count(shifts)
        ),
        Reason::TrafficBack { revision, afresh: false } => {
            format!("All production traffic goes back to r{revision} in one move: its tasks never stopped.")
        }
        Reason::TrafficBack { revision, afresh: true } => {
            format!("All production traffic goes back to r{revision}, whose tasks have started again.")
        }
        Reason::HookFailed { id, stage, timed_out: true, .. } => {
            format!("Nobody answered {} in time: the deployment is rolled back.", hook(id, stage))
        }
        Reason::HookFailed { id, stage, pause: true, .. } => {
            format!("Somebody answered {} with ROLLBACK: the deployment is rolled back.", hook(id, stage))
        }
        Reason::HookFailed { id, stage, .. } => {
            format!("The function of {} failed: the deployment is rolled back.", hook(id, stage))
        }
        Reason::StageLimit { stage } => {
            format!("{} has lasted for 24 hours: the deployment has failed.", stage.name())
        }
        Reason::ShiftCompleted { revision } => {
            format!("r{revision} has all of the traffic and nothing else is left: completed.")
        }
        _ => String::new(),
    }
}

/// Why nothing is done.
pub(super) fn hold(reason: &Reason) -> String {
    match *reason {
        Reason::StepWaits { green, shift, shifts, until } => format!(
            "The new revision has {} of the traffic, shift {} of {}. ECS waits until {}.",
            per_mille(green),
            count(shift),
            count(shifts),
            clock(until)
        ),
        Reason::GreenLacks { lacks, desired, stage, until } => format!(
            "{} of {} new tasks {} not healthy: {} goes on once all of them are, and fails at {}.",
            count(lacks),
            count(desired),
            is_are(lacks),
            stage.name(),
            clock(until)
        ),
        Reason::ShiftTakes { until } => {
            format!("The load balancer takes its time to shift the traffic, until {}.", clock(until))
        }
        Reason::HookWaits { id, stage, pause: true, until } => {
            format!("ECS waits for an answer to {}, until {} at the latest.", hook(id, stage), clock(until))
        }
        Reason::HookWaits { id, stage, until, .. } => {
            format!("ECS waits for the function of {}, until {} at the latest.", hook(id, stage), clock(until))
        }
        _ => String::new(),
    }
}

/// What the listeners say from here on.
pub(super) fn weights(w: &Weights) -> String {
    let blue =
        w.blue.map_or_else(String::new, |blue| format!(", r{blue} {}", per_mille(u32::from(1_000 - w.production))));
    let test = if w.test > 0 { format!("; test traffic goes to r{}", w.green) } else { String::new() };
    format!("Production traffic: r{} {}{blue}{test}.", w.green, per_mille(u32::from(w.production)))
}

pub(super) fn hook_status(id: u32, stage: Stage, status: HookStatus) -> String {
    let hook = hook(id, stage);
    match status {
        HookStatus::AwaitingAction => format!("The deployment pauses: {hook} waits for an answer."),
        HookStatus::InProgress => format!("The function of {hook} is called."),
        HookStatus::Succeeded => format!("{}: go on.", capital(&hook)),
        HookStatus::Failed => format!("{}: roll back.", capital(&hook)),
        HookStatus::TimedOut => format!("{} timed out.", capital(&hook)),
    }
}

/// How a hook ended, as the cause of what follows.
pub(super) fn hook_ended(id: u32, status: HookStatus) -> String {
    match status {
        HookStatus::Succeeded => format!("Hook {} says go on", count(id)),
        HookStatus::TimedOut => format!("Hook {} times out", count(id)),
        _ => format!("Hook {} says roll back", count(id)),
    }
}

/// What becomes of the traffic, after a cause.
pub(super) fn shifts(shift: WaitShift) -> String {
    match shift {
        WaitShift::Moves(revision, 1_000, true) => {
            format!("r{revision} gets all of the production traffic and the bake time begins")
        }
        WaitShift::Moves(revision, 1_000, false) => format!("r{revision} gets all of the production traffic"),
        WaitShift::Moves(revision, weight, _) => {
            format!("r{revision} gets {} of the production traffic", per_mille(weight.into()))
        }
        WaitShift::Tests(revision) => format!("test traffic goes to r{revision}"),
        WaitShift::Bakes => "the bake time begins".into(),
        WaitShift::Pauses(id) => format!("pause {} waits for an answer", count(id)),
    }
}

pub(super) fn rate(per_second: u32) -> String {
    format!("From now on {} a second.", plural(per_second, "request comes", "requests come"))
}

pub(super) fn scaled(from: u32, to: u32) -> String {
    format!("Target tracking sets the desired count from {} to {}.", count(from), count(to))
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// What stands in for the floor.
pub(super) fn floor(floor: u32) -> String {
    format!("{}: the revision with the traffic keeps all of its tasks", count(floor))
}

/// What stands in for the ceiling.
pub(super) fn ceiling(ceiling: u32) -> String {
    format!("{}: both revisions in full, side by side", count(ceiling))
}

/// The verdict: how the traffic moves, how long it takes, what it costs.
///
/// "First step: start 4 beside 4, for a while 8 tasks run. Traffic moves in 5 shifts. Done after about 56 minutes, 55
/// minutes of it by waiting."
pub(super) fn verdict(check: &Check, plan: &ShiftPlan, outcome: Option<&Outcome>) -> String {
    let old = check.before.healthy();
    let first = match check.started {
        0 => super::verdict::first_step(check),
        started => format!(
            "First step: start {} beside {}, for a while {} run.",
            count(started),
            count(old),
            super::tasks(old + started)
        ),
    };
    let moves = match (plan.steered, plan.shifts) {
        (false, _) => "Nothing steers the traffic".to_string(),
        (true, 1) => "All traffic moves at once".to_string(),
        (true, 2) if plan.kind == ShiftKind::Canary => {
            format!("{} of the traffic moves first, then the rest", per_mille(plan.first))
        }
        (true, n) => format!("Traffic moves in {}", plural(n, "shift", "shifts")),
    };
    let done = outcome.and_then(|o| o.completed_at).map(|at| about(at.ms()));
    let time = match (done, plan.waiting_ms) {
        (Some(done), 0) => format!(" Done after {done}."),
        (Some(done), ms) => format!(" Done after {done}, {} of it by waiting.", super::duration(ms)),
        (None, 0) => String::new(),
        (None, ms) => format!(" {} pass by waiting.", super::duration(ms)),
    };
    let pauses = match plan.pauses {
        0 => String::new(),
        1 => " Somebody has to answer a pause.".into(),
        n => format!(" Somebody has to answer {} pauses.", count(n)),
    };
    format!("{first} {moves}.{time}{pauses}")
}

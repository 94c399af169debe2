//! Failures, rollback, alarms and early success, in English.

use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::settings::{Alarm, AlarmState, TaskName};
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, Stage};
use rollscope_engine::trace::{Failure, FailureVerdict, Reason, ServiceChange};

use super::{count, is_are, plural, tasks};
use crate::text::Scene;
use crate::time::{clock, task};

/// "12·8 failed its check. 4 of 5 failures." and, where it is known what follows at that moment,
/// "12·8 failed its check. 5 of 5 failures: the deployment fails and goes back to r11."
///
/// `n` tasks share what is told; `failure` is the last of them.
pub(super) fn failure(failure: &Failure, n: u32, follows: Option<&Reason>) -> String {
    let what = happened(failure.kind, n);
    let name = match failure.task {
        Some(of) if failure.kind == FailureKind::ExitUnchecked && n == 1 => {
            format!("The container of {}", task(of.name))
        }
        None => plural(n, "new task", "new tasks"),
        Some(of) if n == 1 => task(of.name),
        Some(of) => format!("{} of r{}", plural(n, "task", "tasks"), of.name.revision),
    };
    if failure.verdict != FailureVerdict::Counted {
        return format!("{name} {what}. {}", uncounted(failure.verdict));
    }
    let counted = format!("{} of {}", count(failure.count), plural(failure.threshold, "failure", "failures"));
    let then = if follows.is_some() { ending(follows) } else { String::new() };
    format!("{name} {what}. {counted}{then}.")
}

/// What happened to a task, in the words of the reference: "failed its check".
pub(super) fn happened(kind: FailureKind, n: u32) -> &'static str {
    let pick = |one: &'static str, many: &'static str| if n == 1 { one } else { many };
    match kind {
        FailureKind::NeverRan => "never reached RUNNING",
        FailureKind::NoPlace => "found no place",
        FailureKind::WaitsForCapacity => pick("waits for capacity", "wait for capacity"),
        FailureKind::HealthCheck => pick("failed its check", "failed their checks"),
        FailureKind::InGrace => pick("failed a check inside the grace period", "failed checks inside the grace period"),
        FailureKind::ExitBeforeHealthy => "exited before the first healthy result",
        FailureKind::ExitUnchecked => pick("exited after it started", "exited after they started"),
        FailureKind::ExitAfterHealthy => pick("exited after it had been healthy", "exited after they had been healthy"),
        FailureKind::Routine => pick("was stopped on purpose", "were stopped on purpose"),
        FailureKind::BecameHealthy => pick("is healthy", "are healthy"),
    }
}

/// Why a failure does not count, in one sentence.
pub(super) fn uncounted(verdict: FailureVerdict) -> &'static str {
    match verdict {
        FailureVerdict::Counted => "The breaker counts it.",
        FailureVerdict::Kind => "The breaker does not count this.",
        FailureVerdict::Source => "The breaker counts only tasks of the revision that is rolled out.",
        FailureVerdict::Ended => "The breaker does not count any more.",
        FailureVerdict::Stage => "Once a task is RUNNING, the breaker counts only health checks.",
        FailureVerdict::Drill => "In this reading the breaker does not see it.",
    }
}

/// What comes of a deployment that fails, behind what failed it.
fn ending(follows: Option<&Reason>) -> String {
    match follows {
        Some(Reason::RollsBack { to, .. }) => format!(": the deployment fails and goes back to r{to}"),
        Some(Reason::NoCandidate { .. }) => {
            ": the deployment fails, and no deployment is COMPLETED to go back to".into()
        }
        Some(Reason::NoRollback { .. }) => ": the deployment fails, and nothing rolls it back".into(),
        _ => ": the deployment fails".into(),
    }
}

/// "Alarm "errors" fired: the deployment fails and goes back to r7."
pub(super) fn fails(why: &Reason, then: Option<&Reason>, scene: &Scene<'_>) -> String {
    let cause = match *why {
        Reason::AlarmFired { alarm } => format!("Alarm {} fired", named(alarm, scene.alarms)),
        Reason::DigestsFailed { attempts } => {
            format!("{} to resolve the image digests failed", plural(attempts, "attempt", "attempts"))
        }
        Reason::BreakerTripped { count: n, threshold, desired } => format!(
            "{} of {} at a desired count of {}",
            count(n),
            plural(threshold, "failure", "failures"),
            count(desired)
        ),
        // A hook or a stage says itself what comes of it.
        ref other => return super::shift::decision(other, None),
    };
    format!("{cause}{}.", ending(then))
}

pub(super) fn reset(name: TaskName) -> String {
    format!("{} is healthy. The failure count is back to 0.", task(name))
}

pub(super) const fn alarm_state(state: AlarmState) -> &'static str {
    match state {
        AlarmState::Ok => "OK",
        AlarmState::Alarm => "ALARM",
        AlarmState::InsufficientData => "INSUFFICIENT_DATA",
    }
}

/// The name of an alarm, or its number where names are not at hand.
fn named(alarm: u32, alarms: &[Alarm]) -> String {
    alarms.get(alarm as usize).map_or_else(|| count(alarm + 1), |alarm| format!("\"{}\"", alarm.name))
}

pub(super) fn alarm(alarm: u32, state: AlarmState, alarms: &[Alarm]) -> String {
    format!("Alarm {} is in state {}.", named(alarm, alarms), alarm_state(state))
}

pub(super) fn alarm_fired(alarm: u32, alarms: &[Alarm]) -> String {
    format!("Alarm {} fired: the deployment has failed.", named(alarm, alarms))
}

pub(super) fn alarm_short(alarm: u32, state: AlarmState) -> String {
    format!("alarm {} {}", count(alarm + 1), alarm_state(state))
}

fn monitor(name: &str, status: MonitorStatus) -> String {
    match status {
        MonitorStatus::Disabled => format!("{name} not enabled."),
        MonitorStatus::Monitoring => format!("{name} watching the deployment."),
        MonitorStatus::Triggered => format!("{name} triggered."),
        MonitorStatus::Complete => format!("{name} done watching."),
    }
}

/// `desired` is the desired count of the moment.
pub(super) fn service(change: &ServiceChange, desired: u32) -> String {
    match *change {
        ServiceChange::Began { revision, .. } => format!("The service deployment of r{revision} begins."),
        ServiceChange::Status { to, .. } => format!("The service deployment is {}.", to.name()),
        ServiceChange::Stage(stage) => match stage {
            Stage::ReconcileService => "Stage RECONCILE_SERVICE: several revisions run.".into(),
            stage => format!("Stage {}.", stage.name()),
        },
        ServiceChange::Breaker(status) => monitor("The circuit breaker is", status),
        ServiceChange::Alarms(status) => monitor("The alarms are", status),
        ServiceChange::AlarmsIgnored => {
            "An alarm is in ALARM already: alarms are ignored for this whole deployment.".into()
        }
        ServiceChange::GateMet { healthy, .. } => {
            format!("{} of {} {} healthy: the gate is reached.", count(healthy), count(desired), is_are(healthy))
        }
        ServiceChange::BakeBegins { until } => format!("The bake time begins; it ends at {}.", clock(until)),
        ServiceChange::ProtectionEnded(why) => {
            let why = super::outside::protection_end(why);
            format!("From here on automatic rollback does not protect: {why}.")
        }
        ServiceChange::RollsBack { by, .. } => {
            let why = match by {
                FailedBy::Breaker => "the circuit breaker tripped",
                FailedBy::Alarm => "an alarm fired",
                FailedBy::Digests => "the image digests did not resolve",
                FailedBy::Person => "somebody asked for it",
                FailedBy::Hook => "a lifecycle hook asked for it",
                FailedBy::StageLimit => "a stage lasted for 24 hours",
            };
            format!("The rollback begins: {why}.")
        }
        ServiceChange::NoCandidate => "No rollback candidate was found: no deployment is COMPLETED.".into(),
        ServiceChange::CleanupBegins { until } => {
            format!("ECS stops old tasks in the background, until {} at the latest.", clock(until))
        }
        ServiceChange::Weights(weights) => super::shift::weights(&weights),
        ServiceChange::HooksDropped => "Hooks that have not ended are waited for no more.".into(),
        ServiceChange::Hook { id, stage, status, .. } => super::shift::hook_status(id, stage, status),
        ServiceChange::CleanupGivenUp { left } => {
            format!(
                "After 14 days ECS gives up: {} {} for good.",
                tasks(left),
                if left == 1 { "stays" } else { "stay" }
            )
        }
    }
}

pub(super) fn decision(reason: &Reason) -> String {
    match *reason {
        Reason::BreakerTripped { count: n, threshold, desired } => format!(
            "The circuit breaker trips: {} of {} failures at a desired count of {}.",
            count(n),
            count(threshold),
            count(desired)
        ),
        Reason::AlarmFired { alarm } => alarm_fired(alarm, &[]),
        Reason::DigestsFailed { attempts } => format!(
            "{} to resolve the image digests failed: the deployment has failed.",
            plural(attempts, "attempt", "attempts")
        ),
        Reason::WithoutDigests { attempts } => format!(
            "{} to resolve the image digests failed: the deployment goes on without digests.",
            plural(attempts, "attempt", "attempts")
        ),
        Reason::RollsBack { from, to } => format!("r{from} is given up, r{to} is rolled out again."),
        Reason::NoCandidate { revision } => {
            format!("r{revision} failed and no COMPLETED deployment exists: ECS launches nothing more.")
        }
        Reason::NoRollback { revision } => {
            format!("r{revision} failed and rollback is off: ECS launches nothing more of it.")
        }
        Reason::EarlySuccess { healthy, gate, left } => format!(
            "{} new tasks {} healthy, the gate is {}: early success{}.",
            count(healthy),
            is_are(healthy),
            count(gate),
            if left == 0 { String::new() } else { format!(" with {} left", plural(left, "old task", "old tasks")) }
        ),
        _ => String::new(),
    }
}

pub(super) fn hold(reason: &Reason) -> String {
    match *reason {
        Reason::Protected { tasks: n } => {
            format!("{} {} protected from scale-in: ECS waits.", plural(n, "old task", "old tasks"), is_are(n))
        }
        Reason::Baking { until } => format!("The bake time runs until {}.", clock(until)),
        Reason::GateLost { healthy, gate } => format!(
            "The gate is lost: {} of {} new tasks {} healthy. ECS waits until it is met again.",
            count(healthy),
            count(gate),
            is_are(healthy)
        ),
        Reason::HoldsSource { healthy, gate } => format!(
            "{} of {} new tasks {} healthy: old tasks stay until the gate is met.",
            count(healthy),
            count(gate),
            is_are(healthy)
        ),
        Reason::ResolvesDigests { attempts, until } => format!(
            "The image digests did not resolve ({}): the next attempt is at {}.",
            plural(attempts, "attempt", "attempts"),
            clock(until)
        ),
        Reason::LeftForGood { tasks: n } => {
            let stay = if n == 1 { "stays" } else { "stay" };
            format!("{} {stay} for good: ECS has stopped trying.", plural(n, "old task", "old tasks"))
        }
        // Decisions to do something have their own sentences.
        _ => String::new(),
    }
}

//! Names that stand in JSON: the API's own where there are some, plain words otherwise.

use rollscope_engine::guard::GuardKind;
use rollscope_engine::settings::NoInstance;
use rollscope_engine::settings::{RolloutState, TaskName};
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::trace::{DeploymentId, Reason, Rule, StopCode};
use rollscope_scenario::Value;

use crate::check::StepLimit;
use crate::outcome::{BlockedBy, CutOff, OutcomeKind};
use crate::outside::DeploymentStatus;
use crate::verdict::{Caution, Verdict};

/// `8·3`
pub fn task(name: TaskName) -> String {
    format!("{}·{}", name.revision, name.start)
}

/// `ecs-svc/2`: deployments are numbered from 1 in the order they came to be.
pub fn deployment(id: DeploymentId) -> String {
    format!("ecs-svc/{}", u32::from(id.0) + 1)
}

/// `rollback_candidate`
pub fn candidate((id, revision): (DeploymentId, u32)) -> Value {
    Value::object([("id", Value::from(deployment(id))), ("revision", revision.into())])
}

/// `rolloutState`
pub fn rollout_state(state: RolloutState) -> &'static str {
    match state {
        RolloutState::InProgress => "IN_PROGRESS",
        RolloutState::Completed => "COMPLETED",
        RolloutState::Failed => "FAILED",
    }
}

/// `status` of a deployment.
pub fn deployment_status(status: DeploymentStatus) -> &'static str {
    match status {
        DeploymentStatus::Primary => "PRIMARY",
        DeploymentStatus::Active => "ACTIVE",
        DeploymentStatus::Inactive => "INACTIVE",
    }
}

/// `stopCode`
pub fn stop_code(code: StopCode) -> &'static str {
    match code {
        StopCode::TaskFailedToStart => "TaskFailedToStart",
        StopCode::EssentialContainerExited => "EssentialContainerExited",
        StopCode::UserInitiated => "UserInitiated",
        StopCode::ServiceSchedulerInitiated => "ServiceSchedulerInitiated",
        StopCode::SpotInterruption => "SpotInterruption",
        StopCode::InfrastructureHealth => "InfrastructureHealth",
    }
}

/// `outcome`
pub fn outcome(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::Completed => "completed",
        OutcomeKind::CompletedThenFailing => "completed_then_failing",
        OutcomeKind::RolledBack => "rolled_back",
        OutcomeKind::Failed => "failed",
        OutcomeKind::Stuck => "stuck",
        OutcomeKind::Waiting => "waiting",
        OutcomeKind::InProgress => "in_progress",
        OutcomeKind::Cancelled => "cancelled",
        OutcomeKind::Refused => "refused",
    }
}

/// `blocked_by`
pub fn blocked_by(blocked: BlockedBy) -> &'static str {
    match blocked {
        BlockedBy::Configuration => "configuration",
        BlockedBy::Places => "places",
        BlockedBy::Room => "room",
        BlockedBy::Quota => "quota",
        BlockedBy::Throttle => "throttle",
        BlockedBy::FailingTasks => "failing_tasks",
        BlockedBy::UnhealthyTarget => "unhealthy_target",
        BlockedBy::FailedDeployment => "failed_deployment",
        BlockedBy::Protection => "protection",
        BlockedBy::Time => "time",
    }
}

/// `cut_off_by`
pub fn cut_off_by(cut: CutOff) -> &'static str {
    match cut {
        CutOff::Until => "until",
        CutOff::Horizon => "horizon",
        CutOff::EventBudget => "event_budget",
        CutOff::Rounds => "rounds",
    }
}

/// `verdict`
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::CanMove => "can_move",
        Verdict::Caution(_) => "caution",
        Verdict::WillWait => "will_wait",
        Verdict::WillFailAndRollBack => "will_fail_and_roll_back",
        Verdict::WillFailAndStay => "will_fail_and_stay",
        Verdict::CannotMove => "cannot_move",
        Verdict::NotAccepted => "not_accepted",
        Verdict::NothingToDo => "nothing_to_do",
    }
}

/// `caution`, beside a `verdict` of `caution`.
pub fn caution(caution: Caution) -> &'static str {
    match caution {
        Caution::NothingServes => "nothing_serves",
        Caution::MovesLater => "moves_later",
        Caution::SomeWait => "some_wait",
        Caution::WaitsForInstances => "waits_for_instances",
        Caution::StuckLater(_) => "stuck_later",
        Caution::NeverDone(_) => "never_done",
        Caution::FailsAfterwards => "fails_afterwards",
        Caution::FailsForAWhile(_) => "fails_for_a_while",
        Caution::FailsFirst(_) => "fails_first",
        Caution::AlarmTooLate(_) => "alarm_too_late",
        Caution::AlarmsIgnored => "alarms_ignored",
        Caution::NoCandidate => "no_candidate",
        Caution::LateBreaker(_) => "late_breaker",
        Caution::Unseen => "unseen",
        Caution::NeverEnough => "never_enough",
        Caution::ReplacementWaits(_) => "replacement_waits",
        Caution::LowersCount(_) => "lowers_count",
        Caution::DrainBlocked(_) => "drain_blocked",
        Caution::FallsLow(_) => "falls_low",
        Caution::Overload(_) => "overload",
        Caution::CutsOff(_) => "cuts_off",
        Caution::RunsShort(_) => "runs_short",
        Caution::WaiterGivesUp => "waiter_gives_up",
        Caution::NotTrustworthy => "not_trustworthy",
    }
}

/// `first_step_limited_by`
pub fn step_limit(limit: StepLimit) -> &'static str {
    match limit {
        StepLimit::Need => "need",
        StepLimit::Ceiling => "ceiling",
        StepLimit::Floor => "floor",
        StepLimit::Places => "places",
        StepLimit::Room => "room",
        StepLimit::Quota => "quota",
    }
}

/// `guard` of a broken invariant.
pub fn guard(kind: GuardKind) -> &'static str {
    match kind {
        GuardKind::Ceiling => "ceiling",
        GuardKind::Floor => "floor",
        GuardKind::Spare => "spare",
        GuardKind::Slot => "slot",
        GuardKind::Conservation => "conservation",
        GuardKind::Time => "time",
        GuardKind::FailedLaunch => "failed_launch",
        GuardKind::Rounds => "rounds",
        GuardKind::Transition => "transition",
        GuardKind::FailureCount => "failure_count",
        GuardKind::Candidate => "candidate",
        GuardKind::Protection => "protection",
        GuardKind::Traffic => "traffic",
    }
}

/// `rule` of a decision.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Deploy => "deploy",
        Rule::FailureFirst => "failure_first",
        Rule::SourceRepair => "source_repair",
        Rule::TargetStart => "target_start",
        Rule::UnhealthyReplacement => "unhealthy_replacement",
        Rule::SourceStop => "source_stop",
        Rule::InstanceDrain => "instance_drain",
        Rule::Rebalance => "rebalance",
        Rule::TargetSurplus => "target_surplus",
        Rule::Completion => "completion",
        Rule::Hold => "hold",
        Rule::TrafficShift => "traffic_shift",
    }
}

fn numbers<const N: usize>(entries: [(&'static str, u64); N]) -> Value {
    Value::object(entries.map(|(name, n)| (name, Value::from(n))))
}

macro_rules! n {
    ($($name:ident),*) => { numbers([$((stringify!($name), u64::from($name))),*]) };
}

/// `reason` and `numbers` of a decision.
pub fn reason(reason: &Reason) -> (&'static str, Value) {
    match *reason {
        Reason::DeploymentBegins { revision, desired, floor, ceiling } => {
            ("deployment_begins", n!(revision, desired, floor, ceiling))
        }
        Reason::RoomToStart { ceiling, total, need, started } => ("room_to_start", n!(ceiling, total, need, started)),
        Reason::SourceNeeded { floor, healthy_target, keep, started } => {
            ("source_needed", n!(floor, healthy_target, keep, started))
        }
        Reason::SpareToStop { healthy, floor, stopped } => ("spare_to_stop", n!(healthy, floor, stopped)),
        Reason::NotNeeded { healthy, floor, stopped } => ("not_needed", n!(healthy, floor, stopped)),
        Reason::NeverHealthy { stopped } => ("never_healthy", n!(stopped)),
        Reason::ReplacementFirst { total, ceiling, started } => ("replacement_first", n!(total, ceiling, started)),
        Reason::NoRoomStopFirst { total, ceiling, stopped } => ("no_room_stop_first", n!(total, ceiling, stopped)),
        Reason::ReplacementHealthy { stopped } => ("replacement_healthy", n!(stopped)),
        Reason::OlderStops { stopped } => ("older_stops", n!(stopped)),
        Reason::Surplus { active, desired, stopped } => ("surplus", n!(active, desired, stopped)),
        Reason::Completed { desired } => ("completed", n!(desired)),
        Reason::Steady { desired } => ("steady", n!(desired)),
        Reason::CannotMove { total, ceiling, healthy, floor } => ("cannot_move", n!(total, ceiling, healthy, floor)),
        Reason::BothLimits { total, ceiling, healthy, floor } => ("both_limits", n!(total, ceiling, healthy, floor)),
        Reason::WaitHealthy { unready, healthy, floor } => ("wait_healthy", n!(unready, healthy, floor)),
        Reason::WaitGone { stopping } => ("wait_gone", n!(stopping)),
        Reason::NoPlaces { physical, places, need } => ("no_places", n!(physical, places, need)),
        Reason::StartsInRoom { ceiling, total, need, started } => ("starts_in_room", n!(ceiling, total, need, started)),
        Reason::NoRoom { need, shortage } => ("no_room", crate::json_capacity::shortage(need, &shortage)),
        Reason::WaitInstances { waiting, coming, until, none } => {
            let name = match none {
                None => "wait_instances",
                Some(NoInstance::TooSmall) => "provider_too_small",
                Some(NoInstance::AtMost(_)) => "provider_at_most",
                Some(NoInstance::NoneToGive) => "provider_none_to_give",
            };
            (name, numbers([("waiting", waiting.into()), ("coming", coming.into()), ("until_ms", until.ms())]))
        }
        Reason::NoCapacity { need, until } => {
            ("no_capacity", numbers([("need", need.into()), ("until_ms", until.ms())]))
        }
        Reason::InstanceDrains { healthy, floor, stopped } => ("instance_drains", n!(healthy, floor, stopped)),
        Reason::Rebalances { from, to } => ("rebalances", n!(from, to)),
        Reason::Quota { until, need } => ("quota", numbers([("until_ms", until.ms()), ("need", need.into())])),
        Reason::Throttled { until, failed_batches } => {
            ("throttled", numbers([("until_ms", until.ms()), ("failed_batches", failed_batches.into())]))
        }
        Reason::Lockstep { unready, stopping } => ("lockstep", n!(unready, stopping)),
        Reason::DeploymentFailed { revision } => ("deployment_failed", n!(revision)),
        ref rest => failure_reason(rest),
    }
}

/// Reasons of failures, rollback and early success.
fn failure_reason(reason: &Reason) -> (&'static str, Value) {
    match *reason {
        Reason::BreakerTripped { count, threshold, desired } => ("breaker_tripped", n!(count, threshold, desired)),
        Reason::AlarmFired { alarm } => ("alarm_fired", n!(alarm)),
        Reason::DigestsFailed { attempts } => ("digests_failed", n!(attempts)),
        Reason::WithoutDigests { attempts } => ("without_digests", n!(attempts)),
        Reason::RollsBack { from, to } => ("rolls_back", n!(from, to)),
        Reason::NoCandidate { revision } => ("no_candidate", n!(revision)),
        Reason::NoRollback { revision } => ("no_rollback", n!(revision)),
        Reason::EarlySuccess { healthy, gate, left } => ("early_success", n!(healthy, gate, left)),
        Reason::Protected { tasks } => ("protected", n!(tasks)),
        Reason::Baking { until } => ("baking", numbers([("until_ms", until.ms())])),
        Reason::GateLost { healthy, gate } => ("gate_lost", n!(healthy, gate)),
        Reason::HoldsSource { healthy, gate } => ("holds_source", n!(healthy, gate)),
        Reason::ResolvesDigests { attempts, until } => {
            ("resolves_digests", numbers([("attempts", attempts.into()), ("until_ms", until.ms())]))
        }
        Reason::LeftForGood { tasks } => ("left_for_good", n!(tasks)),
        ref rest => shift_reason(rest),
    }
}

/// Reasons of deployments that shift traffic.
fn shift_reason(reason: &Reason) -> (&'static str, Value) {
    let with_stage = |name: &'static str, stage: Stage, rest: Value| {
        let mut value = Value::object([("stage", Value::from(stage.name()))]);
        for (key, item) in rest.as_object().unwrap_or_default() {
            value.insert(key.clone(), item.clone());
        }
        (name, value)
    };
    match *reason {
        Reason::GreenStarts { desired, need, started } => ("green_starts", n!(desired, need, started)),
        Reason::SideRepaired { revision, desired, started } => ("side_repaired", n!(revision, desired, started)),
        Reason::CleanUp { revision, stopped, back } => {
            (if back { "clean_up_back" } else { "clean_up" }, n!(revision, stopped))
        }
        Reason::Reconcile { revision, stopped } => ("reconcile", n!(revision, stopped)),
        Reason::TrafficShifts { revision, green, shift, shifts } => {
            ("traffic_shifts", n!(revision, green, shift, shifts))
        }
        Reason::TrafficBack { revision, afresh } => {
            (if afresh { "traffic_back_afresh" } else { "traffic_back" }, n!(revision))
        }
        Reason::GreenLacks { lacks, desired, stage, until } => with_stage(
            "green_lacks",
            stage,
            numbers([("lacks", lacks.into()), ("desired", desired.into()), ("until_ms", until.ms())]),
        ),
        Reason::StepWaits { green, shift, shifts, until } => {
            let all = [("green", green.into()), ("shift", shift.into()), ("shifts", shifts.into())];
            let [a, b, c] = all;
            ("step_waits", numbers([a, b, c, ("until_ms", until.ms())]))
        }
        Reason::ShiftTakes { until } => ("shift_takes", numbers([("until_ms", until.ms())])),
        Reason::HookWaits { id, stage, pause, until } => {
            let name = if pause { "pause_waits" } else { "hook_waits" };
            with_stage(name, stage, numbers([("id", id.into()), ("until_ms", until.ms())]))
        }
        Reason::HookFailed { id, stage, timed_out, .. } => {
            with_stage(if timed_out { "hook_timed_out" } else { "hook_failed" }, stage, n!(id))
        }
        Reason::StageLimit { stage } => with_stage("stage_limit", stage, numbers([])),
        Reason::ShiftCompleted { revision } => ("shift_completed", n!(revision)),
        // The others are named above.
        _ => ("", numbers([])),
    }
}

//! Why, in English: one sentence a decision.

use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::Reason;

use super::{count, is_are, plural, tasks};
use crate::time::{clock, task};

/// "8·3", or "8·3 and 2 more", or "3 tasks" when nobody knows which.
pub(super) fn who(first: Option<TaskName>, n: u32) -> String {
    match first {
        Some(first) if n > 1 => format!("{} and {} more", task(first), count(n - 1)),
        Some(first) => task(first),
        None => tasks(n),
    }
}

pub(super) fn reason(reason: &Reason, first: Option<TaskName>) -> String {
    match *reason {
        Reason::DeploymentBegins { revision, desired, floor, ceiling } => format!(
            "A deployment of r{revision} begins: {} wanted, at least {} healthy, at most {} at once.",
            tasks(desired),
            count(floor),
            count(ceiling)
        ),
        Reason::RoomToStart { ceiling, total, started, .. } => {
            let room = ceiling.saturating_sub(total);
            let room = if ceiling == u32::MAX {
                "There is no ceiling.".to_string()
            } else {
                let slots = plural(room, "slot", "slots");
                format!("Room was {} minus {}, {slots}.", count(ceiling), count(total))
            };
            format!("ECS starts {}. {room}", who(first, started))
        }
        Reason::SourceNeeded { keep, started, .. } => {
            let still = if keep == 1 { "1 old task is".into() } else { format!("{} old tasks are", count(keep)) };
            format!("ECS starts {} again: {still} still needed until new ones are healthy.", who(first, started))
        }
        Reason::SpareToStop { healthy, floor, stopped } => format!(
            "{} {} picked to stop: {} {} healthy, the floor is {}.",
            who(first, stopped),
            is_are(stopped),
            count(healthy),
            is_are(healthy),
            count(floor)
        ),
        Reason::NotNeeded { healthy, floor, stopped } => format!(
            "{} {} stopped: not healthy and not needed. {} {} healthy, the floor is {}.",
            who(first, stopped),
            is_are(stopped),
            count(healthy),
            is_are(healthy),
            count(floor)
        ),
        Reason::NeverHealthy { stopped } => {
            let (its, stop) = if stopped == 1 { ("its check", "it is") } else { ("their checks", "they are") };
            format!("{} failed {its} before the first healthy result: {stop} stopped.", who(first, stopped))
        }
        Reason::ReplacementFirst { total, ceiling, started } => format!(
            "ECS starts {} to take over from what is unhealthy. Room was {} minus {}, so the replacement comes first.",
            who(first, started),
            count(ceiling),
            count(total)
        ),
        Reason::NoRoomStopFirst { total, ceiling, stopped } => format!(
            "{} {} unhealthy and {} stopped first: {} of {} exist, there is no room to start a replacement.",
            who(first, stopped),
            is_are(stopped),
            is_are(stopped),
            count(total),
            count(ceiling)
        ),
        Reason::ReplacementHealthy { stopped } => {
            let whose = if stopped == 1 { "its replacement is" } else { "their replacements are" };
            format!("{} {} stopped: {whose} healthy.", who(first, stopped), is_are(stopped))
        }
        Reason::OlderStops { stopped } => {
            let whose = if stopped == 1 { "its replacement fails" } else { "their replacements fail" };
            format!(
                "{} {} stopped: {whose} too, inside the grace period, and more run than are wanted.",
                who(first, stopped),
                is_are(stopped)
            )
        }
        Reason::Surplus { active, desired, stopped } => format!(
            "{} {} stopped: {} run and {} {} wanted.",
            who(first, stopped),
            is_are(stopped),
            count(active),
            count(desired),
            is_are(desired)
        ),
        Reason::Completed { desired: 0 } => "No old task is left and none is wanted: completed.".into(),
        Reason::Completed { desired: 1 } => "The new task is healthy and no old one is left: completed.".into(),
        Reason::Completed { desired } => {
            format!("All {} new tasks are healthy and no old one is left: completed.", count(desired))
        }
        Reason::StartsInRoom { .. } | Reason::InstanceDrains { .. } | Reason::Rebalances { .. } => {
            super::capacity::reason(reason, |n| who(first, n))
        }
        ref rest => rollout(rest, first),
    }
}

/// What is decided about the rollout as a whole, and why nothing is done.
fn rollout(reason: &Reason, first: Option<TaskName>) -> String {
    match *reason {
        Reason::BreakerTripped { .. }
        | Reason::AlarmFired { .. }
        | Reason::DigestsFailed { .. }
        | Reason::WithoutDigests { .. }
        | Reason::RollsBack { .. }
        | Reason::NoCandidate { .. }
        | Reason::NoRollback { .. }
        | Reason::EarlySuccess { .. } => super::failure::decision(reason),
        Reason::GreenStarts { .. }
        | Reason::SideRepaired { .. }
        | Reason::CleanUp { .. }
        | Reason::Reconcile { .. }
        | Reason::TrafficShifts { .. }
        | Reason::TrafficBack { .. }
        | Reason::HookFailed { .. }
        | Reason::StageLimit { .. }
        | Reason::ShiftCompleted { .. } => super::shift::decision(reason, first),
        ref rest => hold(rest),
    }
}

/// Why nothing is done.
fn hold(reason: &Reason) -> String {
    match *reason {
        Reason::Steady { desired } => format!("The service is steady: {}, as many as are desired.", tasks(desired)),
        Reason::CannotMove { total, ceiling, healthy, floor } => format!(
            "Nothing can start and nothing can stop. {} of {} exist, {} {} healthy and the floor is {}.",
            count(total),
            count(ceiling),
            count(healthy),
            is_are(healthy),
            count(floor)
        ),
        Reason::BothLimits { total, healthy, floor, .. } if healthy <= floor => format!(
            "{} {} and {} {} healthy: both limits are reached, so ECS waits.",
            tasks(total),
            if total == 1 { "exists" } else { "exist" },
            count(healthy),
            is_are(healthy)
        ),
        Reason::BothLimits { total, ceiling, .. } => {
            format!("{} of {} exist: ECS waits until one is gone.", count(total), count(ceiling))
        }
        Reason::WaitHealthy { unready, .. } => {
            let them = if unready == 1 { "it is" } else { "they are" };
            format!("{} {} on the way: ECS waits until {them} healthy.", tasks(unready), is_are(unready))
        }
        Reason::WaitGone { stopping } => {
            let them = if stopping == 1 { "it is" } else { "they are" };
            format!("{} {} still stopping: ECS waits until {them} gone.", tasks(stopping), is_are(stopping))
        }
        // Tasks that run keep their places when there are fewer from now on.
        Reason::NoPlaces { physical, places, need } if physical > places => format!(
            "{} {}: {} exist, and there are places for {} by now.",
            tasks(need),
            if need == 1 { "waits for a place" } else { "wait for a place" },
            count(physical),
            count(places)
        ),
        Reason::NoPlaces { physical, places, need } => format!(
            "{} {}: {} of {} places are taken.",
            tasks(need),
            if need == 1 { "waits for a place" } else { "wait for a place" },
            count(physical),
            count(places)
        ),
        Reason::NoRoom { .. } | Reason::WaitInstances { .. } | Reason::NoCapacity { .. } => {
            super::capacity::reason(reason, tasks)
        }
        Reason::Quota { until, need } => {
            let wait = if need == 1 { "waits" } else { "wait" };
            format!("{} {wait} for the launch quota, until {}.", tasks(need), clock(until))
        }
        Reason::Throttled { until, failed_batches } => format!(
            "{} in a row failed before RUNNING: the next attempt is at {}.",
            plural(failed_batches, "launch", "launches"),
            clock(until)
        ),
        Reason::Lockstep { unready: 0, stopping } => {
            let them = if stopping == 1 { "it is" } else { "they are" };
            format!(
                "One thing after the other: {} {} stopping, nothing starts until {them} gone.",
                tasks(stopping),
                is_are(stopping)
            )
        }
        Reason::Lockstep { unready, .. } => {
            let them = if unready == 1 { "it is" } else { "they are" };
            format!(
                "One thing after the other: {} {} starting, nothing stops until {them} healthy.",
                tasks(unready),
                is_are(unready)
            )
        }
        Reason::DeploymentFailed { revision } => {
            format!("The deployment of r{revision} has failed: it launches nothing.")
        }
        Reason::StepWaits { .. } | Reason::ShiftTakes { .. } | Reason::GreenLacks { .. } | Reason::HookWaits { .. } => {
            super::shift::hold(reason)
        }
        _ => super::failure::hold(reason),
    }
}

//! What a run meets beside the ways in which it ends, in English.

use rollscope_engine::frame::Limits;
use rollscope_insight::{
    BlockedBy, Check, CutRequests, HeldStage, HostDrain, LateAlarm, LoweredCount, Outcome, Overload, Rescaled, Short,
    StepLimit,
};

use super::report::{about, why_not};
use super::{count, duration, is_are, tasks};
use crate::time::clock;

/// "At 1:00 the template sets the desired count from 10 to 1: ..."
pub(super) fn lowered(found: &LoweredCount) -> String {
    let left = found.from - found.to;
    let others = if left == 1 { "the other one".into() } else { format!("the other {}", count(left)) };
    format!(
        "At {} the template sets the desired count from {} to {}. The floor follows the smaller number at once, so \
         nothing protects {others}.",
        clock(found.at),
        count(found.from),
        count(found.to)
    )
}

/// "At 4:00 target tracking sets the desired count from 4 to 8: at full strength, at most 10 at once, about 9 minutes."
pub(super) fn scaled(found: &Rescaled, rest: &str) -> String {
    format!(
        "At {} target tracking sets the desired count from {} to {}: {rest}.",
        clock(found.at),
        count(found.from),
        count(found.to)
    )
}

/// "2 tasks leave instance 1 from 1:00 on. Their replacements start first, inside the ceiling of 8: it is empty at 1:59."
pub(super) fn drained(outcome: &Outcome, drain: &HostDrain) -> String {
    let (lowest, limits) = (outcome.figures.lowest_healthy, outcome.limits);
    let leaves = if drain.tasks == 1 { "leaves" } else { "leave" };
    let how = if lowest >= limits.desired {
        format!("replacements start first, inside the ceiling of {}", count(limits.ceiling))
    } else {
        format!("inside the floor of {}, down to {} healthy", count(limits.floor), count(lowest))
    };
    let empty = drain.empty_at.map_or_else(String::new, |at| format!(" It is empty at {}.", clock(at)));
    format!(
        "No deployment is under way. {} {leaves} instance {} from {} on: {how}.{empty}",
        tasks(drain.tasks),
        drain.host,
        clock(drain.at)
    )
}

/// "It completes after about 6 minutes. Before that 36 of its tasks fail, and the circuit breaker counts none of them."
pub(super) fn fails_first(check: &Check, outcome: Option<&Outcome>, n: u32) -> String {
    let done = outcome.and_then(|o| o.completed_at).map_or_else(String::new, |at| format!(" after {}", about(at.ms())));
    let counted = outcome.map_or(0, |o| o.failures_counted);
    let who = match (check.threshold, counted) {
        (None, _) => "no circuit breaker is on to count them".into(),
        (Some(_), 0) => "the circuit breaker counts none of them".into(),
        (Some(threshold), counted) if counted >= threshold => {
            format!("healthy ones set the circuit breaker’s count back before it is {}", count(threshold))
        }
        (Some(threshold), counted) => {
            format!(
                "the circuit breaker counts {} of them, less than its threshold of {}",
                count(counted),
                count(threshold)
            )
        }
    };
    format!("It completes{done}. Before that {} of its tasks fail: {who}.", count(n))
}

/// "r8 is SUCCESSFUL at 1:35, and the alarm goes off at 2:35: nothing is rolled back any more."
pub(super) fn alarm_too_late(late: &LateAlarm) -> String {
    let LateAlarm { revision, success, at } = *late;
    format!(
        "r{revision} is SUCCESSFUL at {}, and an alarm goes off at {}: too late, nothing is rolled back any more.",
        clock(success),
        clock(at)
    )
}

/// Why the tasks of an instance that is drained stay on it.
pub(super) fn drain_blocked(outcome: Option<&Outcome>, drain: &HostDrain) -> String {
    let left = format!("Instance {} is DRAINING from {} on, and its tasks stay", drain.host, clock(drain.at));
    let Some(outcome) = outcome else { return format!("{left}.") };
    let Limits { floor, ceiling, .. } = outcome.limits;
    let all = outcome.now.all;
    if all.total >= ceiling && all.healthy <= floor {
        return format!(
            "{left}: a replacement would be one more than the ceiling of {}, and none of the {} healthy ones may stop \
             before it, for the floor is {}.",
            count(ceiling),
            count(all.healthy),
            count(floor)
        );
    }
    match outcome.blocked_by.is_some() {
        true => format!("{left}: {}.", why_not(outcome)),
        false => format!("{left} to the end of the run."),
    }
}

/// Fewer healthy tasks than the floor while nothing is rolled out.
pub(super) fn falls_low(outcome: Option<&Outcome>, lowest: u32, floor: u32) -> String {
    let low = format!(
        "No deployment is under way, and for a while {} of {} {} healthy",
        count(lowest),
        count(floor),
        is_are(lowest)
    );
    if outcome.is_some_and(|outcome| outcome.troubles.older_stopped) {
        return format!(
            "{low}. The replacement fails its checks as well. Its grace period shields neither: two stand for one, and \
             ECS stops the older one at once."
        );
    }
    let evened = outcome.and_then(|outcome| outcome.troubles.evened).map(|(at, moves)| {
        let moved = if moves == 1 {
            "moves one task".to_owned()
        } else {
            format!("moves {}, one after the other", tasks(moves))
        };
        format!(" From {} on zone rebalancing {moved}, each started before another stops.", clock(at))
    });
    format!("{low}: the floor binds the scheduler, not what happens to a task.{}", evened.unwrap_or_default())
}

/// "A task gets up to 50 requests a second and can answer 30, for 1 minute 30 in all."
pub(super) fn overload(found: &Overload) -> String {
    format!(
        "From {} on a task gets up to {} requests a second and can answer {}; it has too many for {} in all.",
        clock(found.at),
        count(u32::try_from(found.load / 1_000).unwrap_or(u32::MAX)),
        count(found.most),
        about(found.ms)
    )
}

/// " At 2:00 an old task is lost: 7·5 takes its place, not a task of the new revision."
pub(super) fn repaired(outcome: Option<&Outcome>) -> String {
    let Some(found) = outcome.and_then(|outcome| outcome.troubles.repaired) else { return String::new() };
    format!(
        " At {} an old task is lost: {} takes its place, not a task of the new revision.",
        clock(found.at),
        super::reason::who(Some(found.by), 1)
    )
}

/// "A task that stops has 10 s for its open requests, and some take 60 s: 500 of 4,700 requests are cut off."
pub(super) fn cut(found: &CutRequests) -> String {
    let whole = |n: u64| count(u32::try_from(n).unwrap_or(u32::MAX));
    // Those that came before the run are cut off as well, so they may be more than all that came in it.
    let of = if found.requests < found.offered { format!(" of {}", whole(found.offered)) } else { String::new() };
    format!(
        "A task that stops has {} for its open requests, and some take {}: {}{of} {} cut off.",
        duration(found.delay_ms),
        duration(found.longest_ms),
        whole(found.requests),
        if found.requests == 1 { "is" } else { "are" },
    )
}

/// "Two old tasks stop first, and from 0:02 to 5:00 Fargate has no capacity for new ones: 2 of 4 serve until then."
pub(super) fn short(outcome: Option<&Outcome>, found: &Short) -> String {
    let serve = match found.healthy {
        0 => "nothing serves".to_owned(),
        1 => format!("1 of {} serves", count(found.desired)),
        n => format!("{} of {} serve", count(n), count(found.desired)),
    };
    let done = outcome.and_then(|outcome| outcome.completed_at);
    let done = done.map_or_else(String::new, |at| format!(" Done after {}.", about(at.ms())));
    format!(
        "Old tasks stop first, and from {} to {} Fargate has no capacity for new ones: {serve} until then. A minimum of \
         100 % with a maximum above it would stop none before a new one is healthy.{done}",
        clock(found.from),
        clock(found.until)
    )
}

/// ", since 4 healthy tasks of the new revision are missing": why a stage did not end.
pub(super) fn held(held: Option<HeldStage>) -> String {
    match held {
        Some(HeldStage::Lacks(1)) => ", since a healthy task of the new revision is missing".into(),
        Some(HeldStage::Lacks(n)) => format!(", since {} healthy tasks of the new revision are missing", count(n)),
        Some(HeldStage::NoRoom(n)) => format!(", since {} {} no room", tasks(n), if n == 1 { "finds" } else { "find" }),
        Some(HeldStage::Hook(true, _)) => ", since nobody answers its pause".into(),
        Some(HeldStage::Hook(false, _)) => ", since the function of its hook does not end".into(),
        None => String::new(),
    }
}

/// What a run waits for in the end whose first step found room; absent where the first step tells it.
pub(super) fn waits(check: &Check, outcome: Option<&Outcome>) -> Option<String> {
    let of_room = matches!(check.start_limited_by, StepLimit::Places | StepLimit::Room);
    let outcome = outcome.filter(|outcome| !of_room && outcome.blocked_by == Some(BlockedBy::Room))?;
    let first = super::verdict::first_step(check);
    Some(format!("{first} After that it waits: {}.", why_not(outcome)))
}

//! The verdict, in English.

use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::time::SECOND;
use rollscope_insight::{
    BlockedBy, BreakerChange, Caution, Change, Check, HeldStage, Outcome, StepLimit, Verdict, failed_at, verdict,
};
use rollscope_scenario::limits::{ceiling, floor};

use super::report::about;
use super::{count, duration, plural, tasks};
use crate::time::clock;

pub(super) fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str {
    match verdict(check, outcome) {
        Verdict::CanMove => "It can move",
        Verdict::Caution(Caution::NeverDone(_) | Caution::Unseen | Caution::NeverEnough) => "It never gets done",
        Verdict::Caution(Caution::StuckLater(_)) => "It gets stuck on the way",
        Verdict::Caution(Caution::MovesLater) => "It moves only later",
        Verdict::Caution(Caution::ReplacementWaits(_)) => "A replacement waits for room",
        Verdict::Caution(Caution::LowersCount(_)) => "The template shrinks the service",
        Verdict::Caution(Caution::DrainBlocked(_)) => "The instance never gets empty",
        Verdict::Caution(Caution::FallsLow(_)) => "It falls below its floor",
        Verdict::Caution(Caution::Overload(_)) => "Its tasks get too much",
        Verdict::Caution(Caution::CutsOff(_)) => "It cuts requests off",
        Verdict::Caution(Caution::RunsShort(_)) => "It runs short",
        Verdict::Caution(_) => "It can move, with a caution",
        Verdict::WillWait => "It will wait",
        Verdict::WillFailAndRollBack => "It will fail and roll back",
        Verdict::WillFailAndStay => "It will fail and stay",
        Verdict::CannotMove => "It cannot move",
        Verdict::NotAccepted => "Not accepted",
        Verdict::NothingToDo if outcome.is_some_and(|o| o.troubles.drain.is_some()) => "An instance is drained",
        Verdict::NothingToDo => "Nothing to replace",
    }
}

pub(super) fn sentence(check: &Check, outcome: Option<&Outcome>) -> String {
    match verdict(check, outcome) {
        Verdict::CanMove => can_move(check, outcome),
        Verdict::Caution(caution) => cautious(check, outcome, caution),
        Verdict::WillWait => super::troubles::waits(check, outcome).unwrap_or_else(|| wait(check)),
        Verdict::WillFailAndRollBack => format!("{}{}", blocks(check), rolls_back(outcome)),
        Verdict::WillFailAndStay => format!("{}{}", blocks(check), fails(outcome)),
        Verdict::CannotMove => format!(
            "Room to start is {} minus {}, spare to stop is {} minus {}: both are 0.",
            count(check.limits.ceiling),
            count(check.before.counted),
            count(check.before.healthy()),
            count(check.limits.floor)
        ),
        Verdict::NotAccepted => "The service refuses these settings.".into(),
        Verdict::NothingToDo if check.limits.desired == 0 => "Nothing to replace: done at once.".into(),
        Verdict::NothingToDo => {
            let drain = outcome.and_then(|outcome| Some(super::troubles::drained(outcome, &outcome.troubles.drain?)));
            drain.unwrap_or_else(|| "No deployment is under way.".into())
        }
    }
}

/// What keeps a rollout from its first step that fails in the end; empty where it does something.
fn blocks(check: &Check) -> String {
    let room = matches!(check.start_limited_by, StepLimit::Places | StepLimit::Room);
    if check.moves() || !room || check.need == 0 { String::new() } else { format!("{} ", wait(check)) }
}

/// When it fails and by which rule: "Fails after 3 minutes: the circuit breaker counts 3 failures, the threshold is 3."
fn failure(outcome: &Outcome, s: &ServiceDeployment) -> String {
    let after = failed_at(s).or(s.finished).map_or_else(String::new, |at| format!(" after {}", about(at.ms())));
    let why = match s.failed_by {
        Some(FailedBy::Breaker) => format!(
            "the circuit breaker counts {}, the threshold is {}",
            plural(s.breaker.count, "failure", "failures"),
            count(s.breaker.threshold)
        ),
        Some(FailedBy::Alarm) => "an alarm fires".into(),
        Some(FailedBy::Digests) => "the image digests cannot be resolved".into(),
        Some(FailedBy::Hook) if outcome.troubles.held == Some(HeldStage::Hook(true, true)) => {
            "nobody answers the PAUSE hook before it times out".into()
        }
        Some(FailedBy::Hook) => "a lifecycle hook does not let it go on".into(),
        Some(FailedBy::StageLimit) => match outcome.failed_stage {
            Some(stage) => {
                format!("the stage {} lasts for 24 hours{}", stage.name(), super::troubles::held(outcome.troubles.held))
            }
            None => "a stage lasts for 24 hours".into(),
        },
        Some(FailedBy::Person) => return format!("Stopped by a person{after}."),
        None => return format!("Ends{after}."),
    };
    format!("Fails{after}: {why}.")
}

fn rolls_back(outcome: Option<&Outcome>) -> String {
    let Some((outcome, s)) = outcome.and_then(|o| o.services.last().map(|s| (o, s))) else {
        return "The deployment fails, and the last good revision is brought back.".into();
    };
    let back = s.rollback.map_or_else(String::new, |rollback| {
        let when = outcome.rolled_back_at.map_or_else(String::new, |at| format!(" after {}", about(at.ms())));
        format!(" Back on r{}{when}.", rollback.revision)
    });
    format!("{}{back}", failure(outcome, s))
}

fn fails(outcome: Option<&Outcome>) -> String {
    let Some((outcome, s)) = outcome.and_then(|o| o.services.last().map(|s| (o, s))) else {
        return "The deployment fails, and nothing brings the old revision back.".into();
    };
    let rest = super::report::stays(s);
    format!("{} {rest}", failure(outcome, s))
}

/// "First step: start 2, stop 0."
pub(super) fn first_step(check: &Check) -> String {
    format!("First step: start {}, stop {}.", count(check.started), count(check.stopped))
}

fn can_move(check: &Check, outcome: Option<&Outcome>) -> String {
    if let Some(plan) = &check.shift {
        return super::shift::verdict(check, plan, outcome);
    }
    if !check.moves() {
        let rest = "Tasks on their way decide what comes next.";
        return format!("{} {rest}", first_step(check));
    }
    if check.later_acts > 0 {
        return format!("{} {}", first_step(check), with_acts(check, outcome));
    }
    if let Some((outcome, scaled)) = outcome.and_then(|o| Some((o, o.troubles.scaled?))) {
        return format!("{} {}", first_step(check), super::troubles::scaled(&scaled, &all_of_it(check, outcome)));
    }
    let mut parts = vec![pace(check)];
    parts.push(strength(check, outcome));
    if let Some(done) = outcome.and_then(|o| o.completed_at) {
        parts.push(about(done.ms()));
    }
    format!("{} {}.", first_step(check), parts.join(", "))
}

/// What is done on the way changes the pace: only the run itself can tell.
fn with_acts(check: &Check, outcome: Option<&Outcome>) -> String {
    let Some(outcome) = outcome else { return "What is done later decides how it goes on.".into() };
    format!("With what is done later: {}.", all_of_it(check, outcome))
}

/// "at full strength, at most 10 at once, about 9 minutes": of a run whose pace changes on the way.
fn all_of_it(check: &Check, outcome: &Outcome) -> String {
    let mut parts = vec![strength(check, Some(outcome))];
    parts.push(format!("at most {} at once", count(outcome.figures.peak_tasks)));
    if let Some(done) = outcome.completed_at {
        parts.push(about(done.ms()));
    }
    parts.join(", ")
}

/// "at full strength" or "down to 3 healthy"
fn strength(check: &Check, outcome: Option<&Outcome>) -> String {
    // An act or a failure may take more than the floor allows the scheduler.
    let lowest = outcome.map_or(check.limits.floor, |o| o.figures.lowest_healthy.min(check.limits.floor));
    if lowest >= check.limits.desired {
        "at full strength".into()
    } else {
        format!("down to {} healthy", count(lowest))
    }
}

/// "Two at a time"; where the first step both starts and stops, new tasks come in the room of both: "Up to four at a
/// time" of 7 tasks at 66 and 133.
fn pace(check: &Check) -> String {
    let desired = check.limits.desired;
    if check.started.max(check.stopped) >= desired {
        return "All at once".into();
    }
    const WORDS: [&str; 10] = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let step = check.started.saturating_add(check.stopped).min(desired);
    let number = WORDS.get(step as usize).map_or_else(|| count(step), |word| (*word).to_string());
    let up_to = if check.started > 0 && check.stopped > 0 { "up to " } else { "" };
    capital(&format!("{up_to}{number} at a time"))
}

fn cautious(check: &Check, outcome: Option<&Outcome>, caution: Caution) -> String {
    match caution {
        Caution::NothingServes if check.stopped == 1 => {
            "The only task stops before a new one is healthy: nothing serves in between.".into()
        }
        Caution::NothingServes => {
            format!("All {} stop before a new one is healthy: nothing serves in between.", tasks(check.stopped))
        }
        Caution::MovesLater => {
            format!("At first nothing can start and nothing can stop. {}", with_acts(check, outcome))
        }
        Caution::SomeWait => {
            let done = outcome.and_then(|o| o.completed_at).map(|at| format!(" Done after {}.", about(at.ms())));
            format!("{}{}", wait(check), done.unwrap_or_default())
        }
        Caution::WaitsForInstances => {
            let done = outcome.and_then(|o| o.completed_at).map(|at| format!(" Done after {}.", about(at.ms())));
            format!("{} {}{}", first_step(check), super::capacity::waits(check), done.unwrap_or_default())
        }
        Caution::StuckLater(blocked) => {
            format!("{} Later nothing can change any more: {}.", first_step(check), super::report::blocked_by(blocked))
        }
        Caution::NeverDone(BlockedBy::Time) => "It is cut off before it is done.".into(),
        Caution::NeverDone(blocked) => format!(
            "{}. Without a circuit breaker or an alarm it goes on like that.{}",
            capital(super::report::blocked_by(blocked)),
            super::troubles::repaired(outcome)
        ),
        Caution::FailsAfterwards => {
            let done = outcome
                .and_then(|o| o.completed_at)
                .map_or_else(String::new, |at| format!(" after {}", about(at.ms())));
            format!("It completes{done}, and afterwards its tasks go on failing.")
        }
        Caution::FailsForAWhile(n) => {
            let done = outcome
                .and_then(|o| o.completed_at)
                .map_or_else(String::new, |at| format!(" after {}", about(at.ms())));
            let fail = if n == 1 { "task fails" } else { "tasks fail" };
            format!(
                "It completes{done}. Afterwards {} {fail} before all is well, and nothing is rolled back.",
                count(n)
            )
        }
        Caution::FailsFirst(n) => super::troubles::fails_first(check, outcome, n),
        Caution::AlarmTooLate(late) => super::troubles::alarm_too_late(&late),
        Caution::AlarmsIgnored if check.alarms_ignored => {
            "An alarm is in ALARM already: ECS ignores all alarms for this whole deployment.".into()
        }
        Caution::AlarmsIgnored => {
            "The last deployment begins while an alarm is in ALARM: ECS ignores all alarms for it.".into()
        }
        Caution::NoCandidate => {
            format!("{} If it fails there is no completed deployment to go back to.", first_step(check))
        }
        Caution::LateBreaker(threshold) => {
            format!("{} The circuit breaker trips only after {} failures.", first_step(check), count(threshold))
        }
        Caution::Unseen => "New tasks fail without end, and the circuit breaker counts none of them: it counts exits \
             only where a health check is configured."
            .into(),
        Caution::NeverEnough => {
            let threshold = check.threshold.unwrap_or_default();
            format!(
                "New tasks fail without end, and healthy ones set the count back before it is {}.",
                count(threshold)
            )
        }
        Caution::ReplacementWaits(ms) => format!(
            "No deployment is under way. An unhealthy task is stopped first, and its replacement waits {} for the room \
             that it holds until it is gone.",
            about(ms)
        ),
        Caution::LowersCount(lowered) => super::troubles::lowered(&lowered),
        Caution::DrainBlocked(drain) => super::troubles::drain_blocked(outcome, &drain),
        Caution::FallsLow((lowest, floor)) => super::troubles::falls_low(outcome, lowest, floor),
        Caution::Overload(load) => {
            let first = if check.rollout { format!("{} ", can_move(check, outcome)) } else { String::new() };
            format!("{first}{}", super::troubles::overload(&load))
        }
        Caution::CutsOff(cut) => {
            let first = if check.rollout { format!("{} ", can_move(check, outcome)) } else { String::new() };
            format!("{first}{}", super::troubles::cut(&cut))
        }
        Caution::RunsShort(short) => super::troubles::short(outcome, &short),
        Caution::WaiterGivesUp => format!("{} {}", can_move(check, outcome), gives_up(outcome)),
        Caution::NotTrustworthy => "A guard of the model broke: do not trust this run.".into(),
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// "A pipeline that waits for “services stable” gives up at 9:45, before that."
fn gives_up(outcome: Option<&Outcome>) -> String {
    let Some((outcome, at)) = outcome.and_then(|o| Some((o, rollscope_insight::gives_up(o)?))) else {
        return String::new();
    };
    let rest = match outcome.waiter.and_then(|waiter| waiter.satisfied_at) {
        _ if outcome.completed_at.is_some_and(|done| done > at) => ", before that.".into(),
        Some(stable) => format!(": all tasks are RUNNING and one deployment is left only at {}.", clock(stable)),
        None => ": there is no moment with all tasks RUNNING and one deployment left.".into(),
    };
    format!("A pipeline that waits for “services stable” gives up at {}{rest}", clock(at))
}

pub(super) fn wait(check: &Check) -> String {
    let (fit, need) = (check.started, check.need);
    let places = check.places.map_or_else(String::new, |n| format!(" There are places for {}.", tasks(n)));
    if check.start_limited_by == StepLimit::Room {
        return wait_for_room(check);
    }
    if check.start_limited_by != StepLimit::Places {
        return format!("{} After that it waits for a place.", first_step(check));
    }
    if fit == 0 {
        return format!("No new task finds a place, and none may stop before one runs.{places}");
    }
    let rest = need.saturating_sub(fit);
    let wait = if rest == 1 { "waits" } else { "wait" };
    format!("{} of {} find a place. The rest {wait} for a free one.{places}", count(fit), count(need))
}

/// "2 of 6 find room: the room is what limits, not the ceiling of 12. The rest wait. Both instances lack CPU."
fn wait_for_room(check: &Check) -> String {
    let (fit, need) = (check.started, check.need);
    let blocks = super::capacity::blocks(check);
    if fit == 0 && check.stopped == 0 && check.shortage.is_none() && check.hosts.is_empty() {
        return format!("No new task starts: {} None of the old ones may stop before one runs.", blocks);
    }
    if fit == 0 && check.stopped == 0 {
        return format!("No new task finds room, and none may stop before one runs. {blocks}");
    }
    if fit == 0 {
        return format!("{} New tasks wait for the room that becomes free. {blocks}", first_step(check));
    }
    let rest = need.saturating_sub(fit);
    let wait = if rest == 1 { "waits" } else { "wait" };
    let high = count(check.limits.ceiling);
    format!(
        "{} of {} find room: that limits the pace, not the ceiling of {high}. The rest {wait} for room. {blocks}",
        count(fit),
        count(need)
    )
}

pub(super) fn step_limit(limit: StepLimit) -> &'static str {
    match limit {
        StepLimit::Need => "nothing more is wanted",
        StepLimit::Ceiling => "the ceiling",
        StepLimit::Floor => "the floor",
        StepLimit::Places => "the places there are",
        StepLimit::Room => "the room there is",
        StepLimit::Quota => "the launch quota",
    }
}

/// So many instances of the first kind; where there are others too, how many more of it.
fn instances(n: u32, check: &Check) -> String {
    match n.saturating_sub(check.first_kind) {
        _ if check.other_kinds == 0 => plural(n, "instance", "instances"),
        1 => "1 more instance like the first".into(),
        more => format!("{} more instances like the first", count(more)),
    }
}

/// What they are good for.
fn instances_help(check: &Check) -> &'static str {
    match check.start_limited_by {
        _ if !check.rollout => "a replacement finds room at once",
        _ if all(check) => "all new tasks find room at once",
        StepLimit::Room => "one more task finds room",
        _ => "as many tasks, and one of them may stop",
    }
}

/// "Maximum 200 %: ceiling 2, 1 may start."
pub(super) fn change(change: &Change, check: &Check) -> String {
    let desired = check.limits.desired;
    match *change {
        Change::Maximum(maximum) => {
            let high = ceiling(desired, maximum);
            let room = high.saturating_sub(check.before.counted);
            format!("Maximum {maximum} %: ceiling {}, {} may start.", count(high), count(room))
        }
        Change::Minimum(minimum) => {
            let low = floor(desired, minimum);
            let spare = check.before.healthy().saturating_sub(low);
            format!("Minimum {minimum} %: floor {}, {} may stop.", count(low), count(spare))
        }
        Change::Desired(n) => {
            let (low, high) = (floor(n, check.percentages.0), ceiling(n, check.percentages.1));
            format!("Desired count {}: floor {}, ceiling {}.", count(n), count(low), count(high))
        }
        Change::Places(places) if all(check) => format!("Places for {}: all new ones start at once.", tasks(places)),
        Change::Places(places) => format!("Places for {}: one more finds a place.", tasks(places)),
        Change::Instances(n) => format!("{}: {}.", instances(n, check), instances_help(check)),
        Change::DynamicPorts => "Dynamic host ports: several tasks find room on one instance.".into(),
        _ => other(change),
    }
}

/// A change of anything but the limits and the room.
fn other(change: &Change) -> String {
    match *change {
        Change::TemplateCount { count: n, .. } => {
            format!("Desired count {} in the template: the deployment keeps all of them.", count(n))
        }
        Change::TemplateKeeps { .. } => "No desired count in the template: the one in force stays.".into(),
        Change::AlarmOk(_) => "Alarm OK at the start: the alarms are watched, and one that fires rolls back.".into(),
        Change::Delay(n) => format!("Deregistration delay {}s: what is open for longer is cut off.", count(n)),
        Change::LongerDelay(n) => {
            format!("Deregistration delay {}s: the longest request ends before its task goes.", count(n))
        }
        Change::ProviderMax(n) => {
            format!("Provider with {} at most: it brings what is missing.", plural(n, "instance", "instances"))
        }
        Change::Breaker(change) => {
            let does = match change {
                BreakerChange::On => "enough failures end the rollout, and the last good revision comes back",
                BreakerChange::RollBack => "the last good revision comes back",
                BreakerChange::Reset(true) => "a healthy task sets the count back to 0",
                BreakerChange::Reset(false) => "failures add up, whatever else gets healthy",
                BreakerChange::Count(_) => "so many failures end the rollout",
            };
            format!("{}: {does}.", super::protection::breaker_change(change))
        }
        _ => checks(change),
    }
}

/// A change that gives room gives it to all new tasks: to those that shift traffic, or beside some that have it.
fn all(check: &Check) -> bool {
    check.shift.is_some() || check.started > 0
}

/// "Grace period 75s: checks that fail in the first 1 minute 15 seconds of a task stop nothing."
pub(super) fn checks(change: &Change) -> String {
    let time = |seconds: u32| duration(u64::from(seconds) * SECOND);
    match *change {
        Change::Grace(n) => {
            format!("Grace period {}s: checks that fail in the first {} of a task stop nothing.", count(n), time(n))
        }
        Change::StartPeriod(n) => {
            format!("Start period {}s: failures in the first {} of a task do not count.", count(n), time(n))
        }
        Change::Retries(n) => format!("Retries {n}: a container is unhealthy only after {n} failures in a row."),
        Change::UnhealthyThreshold(n) => {
            format!("Unhealthy threshold {n}: a target is unhealthy only after {n} failures in a row.")
        }
        _ => String::new(),
    }
}

//! Guards, in English.

use rollscope_engine::guard::{GuardKind, Violation};
use rollscope_insight::{GuardRow, names};

use super::{count, plural};
use crate::time::{clock, clock_exact};

/// A ceiling that no number of tasks reaches is none.
const NO_CEILING: u64 = u32::MAX as u64;

pub(super) fn title(kind: GuardKind) -> &'static str {
    match kind {
        GuardKind::Floor => "Healthy never below the floor",
        GuardKind::Ceiling => "Tasks never above the ceiling",
        GuardKind::Spare => "No stop without spare",
        GuardKind::Slot => "A task keeps its slot",
        GuardKind::Conservation => "No task gets lost",
        GuardKind::Time => "Time never goes back",
        GuardKind::FailedLaunch => "Nothing starts for a failed deployment",
        GuardKind::Rounds => "The controller comes to rest",
        GuardKind::Transition => "States change in documented ways",
        GuardKind::FailureCount => "Failures never above the threshold",
        GuardKind::Candidate => "A rollback goes to the right deployment",
        GuardKind::Protection => "Protection that ended stays ended",
        GuardKind::Traffic => "No traffic to nobody",
    }
}

pub(super) fn sentence(kind: GuardKind) -> &'static str {
    match kind {
        GuardKind::Floor => "A stop by the scheduler never takes the healthy tasks below the floor.",
        GuardKind::Ceiling => "A launch never takes the tasks above the ceiling.",
        GuardKind::Spare => "The scheduler stops a healthy task only while more are healthy than the floor asks for.",
        GuardKind::Slot => "A task keeps its slot for life, and no two tasks have one slot.",
        GuardKind::Conservation => "Tasks created are tasks that exist and tasks that stopped.",
        GuardKind::Time => "Time never goes back.",
        GuardKind::FailedLaunch => "Nothing starts for a failed deployment.",
        GuardKind::Rounds => "The controller comes to rest at every moment.",
        GuardKind::Transition => "Deployments change their states only in the documented ways.",
        GuardKind::FailureCount => "Each failure counts once, and the count never passes the threshold.",
        GuardKind::Candidate => {
            "A rollback goes back to the most recent COMPLETED deployment, and stalls only without one."
        }
        GuardKind::Protection => "Rollback protection that has ended does not come back for this deployment.",
        GuardKind::Traffic => "Traffic is never shifted to a revision without a healthy task.",
    }
}

/// "≥ 4"
pub(super) fn bound(row: &GuardRow) -> String {
    match row.kind {
        GuardKind::Ceiling if row.bound >= NO_CEILING => "none".into(),
        GuardKind::Floor | GuardKind::Spare | GuardKind::Traffic => format!("≥ {}", count(row.bound)),
        GuardKind::FailureCount if row.bound == 0 => "none".into(),
        GuardKind::Ceiling | GuardKind::Rounds | GuardKind::FailureCount => format!("≤ {}", count(row.bound)),
        GuardKind::Slot
        | GuardKind::Conservation
        | GuardKind::Time
        | GuardKind::FailedLaunch
        | GuardKind::Transition
        | GuardKind::Candidate
        | GuardKind::Protection => "0".into(),
    }
}

/// "least 4 after a stop, at 0:43"
pub(super) fn worst(row: &GuardRow) -> String {
    let Some((value, at)) = row.worst else {
        return match row.kind {
            GuardKind::Ceiling => "nothing was started".into(),
            GuardKind::Rounds => "nothing was decided".into(),
            GuardKind::FailureCount => "no failure was counted".into(),
            GuardKind::Traffic => "no traffic was shifted".into(),
            _ => "no healthy task was stopped".into(),
        };
    };
    let (n, at) = (count(value), clock(at));
    match (row.kind, row.holds) {
        (GuardKind::Floor, _) => format!("least {n} after a stop, at {at}"),
        (GuardKind::Ceiling, _) => format!("most {n} after a start, at {at}"),
        (GuardKind::Spare, _) => format!("least {n} before a stop, at {at}"),
        (GuardKind::Rounds, _) => format!("most passes in a moment: {n}, at {at}"),
        (GuardKind::Slot, true) => "moves between slots: 0".into(),
        (GuardKind::Slot, false) => format!("a move at {at}"),
        (GuardKind::Conservation, true) => "tasks missing or too many: 0".into(),
        (GuardKind::Conservation, false) => format!("{n} counted, {} in the books, at {at}", count(row.bound)),
        (GuardKind::Time, true) => "steps back: 0".into(),
        (GuardKind::Time, false) => format!("a step back to {at}"),
        (GuardKind::FailedLaunch, true) => "starts for one: 0".into(),
        (GuardKind::FailedLaunch, false) => format!("a start at {at}"),
        (GuardKind::FailureCount, _) => format!("most {n} failures, at {at}"),
        (GuardKind::Transition, true) => "other changes: 0".into(),
        (GuardKind::Transition, false) => format!("another change at {at}"),
        (GuardKind::Candidate, true) => "other rollbacks: 0".into(),
        (GuardKind::Candidate, false) => format!("another rollback at {at}"),
        (GuardKind::Traffic, _) => format!("least {n} when traffic moved, at {at}"),
        (GuardKind::Protection, true) => "second ends: 0".into(),
        (GuardKind::Protection, false) => format!("a second end at {at}"),
    }
}

/// What lies beyond the bound and breaks nothing, since the scheduler did not do it.
pub(super) fn beyond(row: &GuardRow) -> String {
    let Some((value, bound, at)) = row.beyond.filter(|_| row.holds) else { return String::new() };
    let (n, bound, at) = (count(value), count(bound), clock(at));
    match row.kind {
        GuardKind::Ceiling => {
            format!("At {at} {n} tasks existed above a ceiling of {bound}; ECS had started none above it.")
        }
        _ => format!("At {at} {n} tasks were healthy below a floor of {bound}; ECS had stopped none below it."),
    }
}

pub(super) fn heading(rows: &[GuardRow]) -> String {
    match rows.iter().filter(|row| !row.holds).count() as u32 {
        0 => "All guards hold".into(),
        n => format!("{} broke", plural(n, "guard", "guards")),
    }
}

pub(super) fn lead(moments: u64) -> String {
    let moments =
        if moments == 1 { "at the one moment".into() } else { format!("after each of the {} moments", count(moments)) };
    format!(
        "Each one is checked {moments} at which something changed. A broken guard turns red and stops the player there."
    )
}

pub(super) fn violation(broken: &Violation) -> String {
    let (value, bound, at) = (count(broken.value), count(broken.bound), clock_exact(broken.at));
    match broken.kind {
        GuardKind::Floor => format!("At {at} {value} tasks were healthy after a stop, the floor was {bound}."),
        GuardKind::Ceiling => format!("At {at} {value} tasks existed after a launch, the ceiling was {bound}."),
        GuardKind::Spare => format!("At {at} a healthy task was stopped with {value} to spare."),
        GuardKind::Slot => format!("At {at} a task was in another slot than its own."),
        GuardKind::Conservation => format!("At {at} the count was {value}, the books say {bound}."),
        GuardKind::Time => format!("Time went back from {bound} to {value} milliseconds."),
        GuardKind::FailedLaunch => format!("At {at} a task started for a failed deployment."),
        GuardKind::Transition => format!("At {at} a deployment changed its state in no documented way."),
        GuardKind::FailureCount => format!("At {at} the breaker counted {value} failures, the threshold was {bound}."),
        GuardKind::Candidate => format!("At {at} a rollback did not go to the most recent COMPLETED deployment."),
        GuardKind::Protection => format!("At {at} rollback protection ended a second time."),
        GuardKind::Traffic => format!("At {at} traffic was shifted to a revision with {value} healthy tasks."),
        GuardKind::Rounds => format!("At {at} the controller did not come to rest in {bound} rounds."),
    }
}

/// What somebody sends when a guard broke.
pub(super) fn report(broken: &Violation, version: &str, link: &str) -> String {
    format!(
        "Rollscope {version}: a guard of the simulation broke.\n\
         Guard: {} ({})\n\
         What happened: {}\n\
         Value: {}\n\
         Bound: {}\n\
         Moment: {} ms\n\
         Scenario: {link}\n",
        sentence(broken.kind),
        names::guard(broken.kind),
        violation(broken),
        broken.value,
        broken.bound,
        broken.at.ms(),
    )
}

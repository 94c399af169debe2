//! The life of one task, in English.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::trace::StopCause;
use rollscope_insight::story::{Span, Stop, Story};

use super::page::zone;
use super::{count, plain_state, reason};
use crate::time::{clock, task};

/// "healthy since 0:00"
pub(super) fn now(story: &Story, now: SimTime) -> String {
    match story.at(now) {
        None => "not started yet".into(),
        Some(Span { state, from, to: None }) if matches!(state, TaskState::Stopped | TaskState::Failed) => {
            format!("{} at {}", plain_state(state), clock(from))
        }
        Some(span) => format!("{} since {}", plain_state(span.state), clock(span.from)),
    }
}

/// "will be picked to stop at 9:14"; empty when nothing changes any more.
pub(super) fn next(story: &Story, now: SimTime) -> String {
    let Some(span) = story.next(now) else { return String::new() };
    let at = clock(span.from);
    let decided = story.stop.is_some_and(|stop| stop.at == span.from);
    match span.state {
        TaskState::Waiting => format!("starts at {at}"),
        TaskState::Starting => format!("pulls its image at {at}"),
        TaskState::Checking => format!("running at {at}"),
        TaskState::Healthy => format!("healthy at {at}"),
        TaskState::Unhealthy => format!("fails its checks at {at}"),
        TaskState::Draining | TaskState::Stopping if decided => match story.stop.map(|stop| stop.cause) {
            Some(StopCause::User) => format!("somebody stops it at {at}"),
            Some(StopCause::Spot) => format!("loses its Spot capacity at {at}"),
            Some(StopCause::HostLost) => format!("is lost with its instance at {at}"),
            _ => format!("will be picked to stop at {at}"),
        },
        TaskState::Draining => format!("drains from {at} on"),
        TaskState::Stopping => format!("gets SIGTERM at {at}"),
        TaskState::Stopped => format!("gone at {at}"),
        TaskState::Failed => format!("fails at {at}"),
    }
}

/// "until 9:14", "9:14 to 10:11", "from 0:45 on", "at 10:24"
pub(super) fn span(span: &Span) -> String {
    let from = clock(span.from);
    match span.to {
        Some(to) if span.from == SimTime::ZERO => format!("until {}", clock(to)),
        Some(to) => format!("{from} to {}", clock(to)),
        None if matches!(span.state, TaskState::Stopped | TaskState::Failed) => format!("at {from}"),
        None => format!("from {from} on"),
    }
}

/// "slot 705, zone b"
pub(super) fn place(story: &Story) -> String {
    format!("slot {}, {}", count(story.slot + 1), zone(story.zone))
}

/// Why it was started; empty for a task that was there at time 0.
pub(super) fn why_started(story: &Story) -> String {
    story.started.map_or_else(String::new, |why| reason::reason(&why, Some(story.name)))
}

/// Why it was stopped; empty for a task that nobody stopped.
pub(super) fn why_stopped(story: &Story) -> String {
    match story.stop {
        None => String::new(),
        Some(Stop { cause: StopCause::User, .. }) => format!("Somebody stops {}.", task(story.name)),
        Some(Stop { cause: StopCause::Spot, .. }) => format!("{} loses its Spot capacity.", task(story.name)),
        Some(Stop { cause: StopCause::HostLost, .. }) => format!("{} is lost with its instance.", task(story.name)),
        Some(Stop { reason: Some(why), .. }) => reason::reason(&why, Some(story.name)),
        Some(Stop { cause: StopCause::Draining, .. }) => {
            format!("{} did not run yet when its instance began to drain.", task(story.name))
        }
        Some(_) => "Its stop was decided before the run began.".into(),
    }
}

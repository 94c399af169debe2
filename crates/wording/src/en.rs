//! English.

pub(crate) mod asg;
mod by_hand;
mod capacity;
pub(crate) mod compare;
mod dials;
mod event;
pub(crate) mod explore;
pub(crate) mod export;
mod failure;
mod guards;
mod hosts;
pub(crate) mod kubernetes;
mod line;
pub(crate) mod outside;
pub mod page;
mod panel;
pub(crate) mod placed;
mod promise;
mod protection;
pub mod reading;
mod reason;
mod record;
mod report;
mod rule;
pub(crate) mod share;
mod shift;
mod story;
mod stuck;
mod traffic;
mod troubles;
#[macro_use]
mod ui_elsewhere;
#[macro_use]
mod ui_embed;
pub mod ui;
mod verdict;
pub(crate) mod vm;
mod walls;
mod watchers;
mod why;

use rollscope_engine::frame::TaskState;
use rollscope_engine::time::{DAY, HOUR, MINUTE, SECOND};
use rollscope_scenario::limits::{ceiling, floor};

use crate::text::Text;

/// Says it in English.
pub fn say(text: Text<'_>) -> String {
    match text {
        Text::Reason(reason) => reason::reason(reason, None),
        Text::Waiting(reason, rolls_back) => why::waiting(reason, rolls_back),
        Text::Decision(decision) => reason::reason(&decision.reason, decision.first),
        Text::Record(record, scene) => record::record(record, 1, scene),
        Text::Records(record, n, scene) => record::record(record, n, scene),
        Text::Failure(failure, n, follows) => apart(|| failure::failure(failure, n, follows)),
        Text::Fails(why, follows, scene) => apart(|| failure::fails(why, follows, scene)),
        Text::Act(command) => apart(|| record::act(command, &[])),
        Text::VerdictTitle(check, outcome) => verdict::title(check, outcome).into(),
        Text::Verdict(check, outcome) => apart(|| verdict::sentence(check, outcome)),
        Text::FirstStep(check) => apart(|| verdict::first_step(check)),
        Text::StepLimit(limit) => apart(|| verdict::step_limit(limit).into()),
        Text::Change(change, check) => apart(|| verdict::change(change, check)),
        Text::Promise(now, then) => apart(|| promise::promise(now, then)),
        Text::Outcome(outcome) => apart(|| report::outcome(outcome)),
        Text::BlockedBy(blocked) => apart(|| report::blocked_by(blocked).into()),
        Text::CutOff(cut) => apart(|| report::cut_off(cut).into()),
        Text::CheckFloor(check) => match check.shift {
            Some(_) => shift::floor(check.limits.floor),
            None => floor_sum(check.limits.desired, check.percentages.0),
        },
        Text::CheckCeiling(check) => match check.shift {
            Some(_) => shift::ceiling(check.limits.ceiling),
            None => ceiling_sum(check.limits.desired, check.percentages.1),
        },
        Text::FloorSum { desired, percent } => apart(|| floor_sum(desired, percent)),
        Text::CeilingSum { desired, percent } => apart(|| ceiling_sum(desired, percent)),
        Text::State(state) => plain_state(state).into(),
        Text::PlatformState(state) => apart(|| platform_state(state).into()),
        Text::Guard(kind) => apart(|| guards::sentence(kind).into()),
        Text::GuardTitle(kind) => apart(|| guards::title(kind).into()),
        Text::GuardBound(row) => apart(|| guards::bound(row)),
        Text::GuardWorst(row) => apart(|| guards::worst(row)),
        Text::GuardBeyond(row) => apart(|| guards::beyond(row)),
        Text::GuardsTitle(rows) => apart(|| guards::heading(rows)),
        Text::GuardsLead { moments } => apart(|| guards::lead(moments)),
        Text::Violation(broken) => apart(|| guards::violation(broken)),
        Text::MomentTitle(moment) => apart(|| why::title(moment)),
        Text::MomentLead(moment) => apart(|| why::lead(moment)),
        Text::CeilingTerm(sums) => apart(|| why::ceiling_term(sums)),
        Text::FloorTerm(sums) => apart(|| why::floor_term(sums)),
        Text::RoomTotal(sums) => apart(|| why::room(sums)),
        Text::SpareTotal(sums) => apart(|| why::spare(sums)),
        Text::PlacesTerm(sums) => apart(|| why::places(sums)),
        Text::Wait(wait, acts) => apart(|| why::wait(wait, acts)),
        Text::MomentChange(change) => apart(|| why::change(change)),
        Text::Part(part) => apart(|| why::part(part).into()),
        Text::TaskTime(shares) => apart(|| why::task_time(shares)),
        Text::AfterTitle(account, after) => apart(|| why::after_title(account, after)),
        Text::TaskMinutes(shares) => apart(|| why::task_minutes_of(shares)),
        Text::AccountTitle(account) => apart(|| why::account_title(account)),
        Text::Drain(drain) => apart(|| why::drain(drain)),
        Text::AccountLink(link) => apart(|| why::link(link)),
        Text::EcsEffect(effect) => apart(|| why::ecs_effect(effect).into()),
        Text::RuleName(rule) => apart(|| rule::name(rule).into()),
        Text::StoryNow(story, now) => apart(|| story::now(story, now)),
        Text::StoryNext(story, now) => apart(|| story::next(story, now)),
        Text::StorySpan(span) => apart(|| story::span(span)),
        Text::StoryPlace(story) => apart(|| story::place(story)),
        Text::StoryWhyStarted(story) => apart(|| story::why_started(story)),
        Text::StoryWhyStopped(story) => apart(|| story::why_stopped(story)),
        Text::ActShort(command) => apart(|| record::act_short(command)),
        Text::GuardReport { broken, version, link } => apart(|| guards::report(broken, version, link)),
        Text::FigureName(figure) => report::figure_name(figure).into(),
        Text::FigureValue(figure, outcome) => report::figure_value(figure, outcome),
        Text::EndState(outcome) => apart(|| report::end_state(outcome)),
        Text::Problem(problem) => apart(|| problem.to_string()),
        Text::LinkError(error) => apart(|| error.to_string()),
        Text::ServiceEvent(event, service) => apart(|| event::message(event, service)),
        Text::Heading(heading) => apart(|| report::heading(heading).into()),
        Text::Label(label) => ui::label(label).into(),
        Text::Duration(ms) => duration(ms),
    }
}

/// Does it in a function of its own. The page loads what its first picture does not say after that picture, as far as
/// it is one.
#[inline(never)]
fn apart(say: impl FnOnce() -> String) -> String {
    say()
}

/// A whole number with commas: 1,250.
pub(crate) fn count(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// "1 task", "3 tasks"
pub(crate) fn tasks(n: u32) -> String {
    plural(n, "task", "tasks")
}

/// The number with the word that goes with it.
pub(crate) fn plural(n: u32, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// "is" or "are"
pub(crate) fn is_are(n: u32) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// `desired × percent %` with as many decimals as it has.
fn product(desired: u32, percent: u32) -> String {
    let hundredths = u64::from(desired) * u64::from(percent);
    let (whole, rest) = (count(hundredths / 100), hundredths % 100);
    match rest {
        0 => whole,
        rest if rest.is_multiple_of(10) => format!("{whole}.{}", rest / 10),
        rest => format!("{whole}.{rest:02}"),
    }
}

fn floor_sum(desired: u32, percent: u32) -> String {
    let up = if (u64::from(desired) * u64::from(percent)).is_multiple_of(100) { "" } else { "up to " };
    let sum = product(desired, percent);
    format!("{} × {percent} % = {sum}, {up}floor {}", count(desired), count(floor(desired, percent)))
}

fn ceiling_sum(desired: u32, percent: u32) -> String {
    let down = if (u64::from(desired) * u64::from(percent)).is_multiple_of(100) { "" } else { "down to " };
    let sum = product(desired, percent);
    format!("{} × {percent} % = {sum}, {down}ceiling {}", count(desired), count(ceiling(desired, percent)))
}

/// "3 minutes 53 seconds", "45 seconds", "1 hour 5 minutes", "1.5 seconds" for what is short.
pub(crate) fn duration(ms: u64) -> String {
    let unit = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{} {one}s", count(n)) };
    let (days, hours, minutes, seconds) = (ms / DAY, ms % DAY / HOUR, ms % HOUR / MINUTE, ms % MINUTE / SECOND);
    if days > 0 {
        let rest = if hours > 0 { format!(" {}", unit(hours, "hour")) } else { String::new() };
        return unit(days, "day") + &rest;
    }
    if hours > 0 {
        let rest = if minutes > 0 { format!(" {}", unit(minutes, "minute")) } else { String::new() };
        return unit(hours, "hour") + &rest;
    }
    if minutes > 0 {
        let rest = if seconds > 0 { format!(" {}", unit(seconds, "second")) } else { String::new() };
        return unit(minutes, "minute") + &rest;
    }
    match ms % SECOND {
        0 => unit(seconds, "second"),
        rest => format!("{seconds}.{} seconds", format!("{rest:03}").trim_end_matches('0')),
    }
}

fn plain_state(state: TaskState) -> &'static str {
    match state {
        TaskState::Waiting => "waiting",
        TaskState::Starting => "starting",
        TaskState::Checking => "checking",
        TaskState::Healthy => "healthy",
        TaskState::Unhealthy => "unhealthy",
        TaskState::Draining => "draining",
        TaskState::Stopping => "stopping",
        TaskState::Stopped => "stopped",
        TaskState::Failed => "failed",
    }
}

fn platform_state(state: TaskState) -> &'static str {
    match state {
        TaskState::Waiting => "PROVISIONING, PENDING",
        TaskState::Starting => "ACTIVATING",
        TaskState::Checking => "RUNNING, not healthy yet",
        TaskState::Healthy => "RUNNING, HEALTHY",
        TaskState::Unhealthy => "RUNNING, a check fails",
        TaskState::Draining => "DEACTIVATING",
        TaskState::Stopping => "STOPPING, DEPROVISIONING",
        TaskState::Stopped => "STOPPED on purpose",
        TaskState::Failed => "STOPPED, failed",
    }
}

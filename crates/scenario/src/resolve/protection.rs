//! The rules of what guards a deployment: circuit breaker, alarms, bake time, early success (ECS
//! API shapes `DeploymentCircuitBreaker`, `DeploymentAlarms`, `DeploymentEarlySuccessCriteria`).

use alloc::format;

use rollscope_engine::platform::ecs::rules_success;
use rollscope_engine::platform::ecs::{ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Threshold};
use rollscope_engine::time::{MINUTE, SECOND};

use super::checker::{CLIENT_SIDE, Checker, INVALID_PARAMETER};
use super::fjall;
use super::service::{CONFIG, DAY_MINUTES};
use crate::document::{self, CircuitBreaker, Document};
use crate::duration;

/// Longest delay between an alarm and what ECS makes of it, in seconds.
const ALARM_DELAY_MAX: i64 = 3_600;

/// What guards the deployments of the service.
#[derive(Clone, Debug, Default)]
pub struct Protection {
    pub breaker: Option<Breaker>,
    pub alarms: Option<AlarmWatch>,
    pub early: Option<EarlySuccess>,
}

/// Checks all of it. `minimum` is the `minimumHealthyPercent` in force.
pub fn check(doc: &Document, strategy: &str, minimum: u32, c: &mut Checker) -> Protection {
    let d = &doc.service.deployment;
    let breaker = fjall::breaker(doc, c).and_then(|b| breaker(&b, strategy, c));
    let bake = bake_time(doc, strategy, c);
    let alarms = d.alarms.as_ref().and_then(|a| alarms(a, c));
    let at_delay = "/readings/alarm_delay_s";
    let delay = c.optional(at_delay, doc.readings.alarm_delay_s, 0, ALARM_DELAY_MAX, None);
    let alarms = alarms.map(|rollback| AlarmWatch {
        rollback,
        bake_ms: bake.map(|minutes| minutes as u64 * MINUTE),
        alarm_delay_ms: delay.map_or(ALARM_DELAY_MS, |s| s as u64 * SECOND),
    });
    advise(doc, alarms.as_ref(), c);
    let early = d.early_success.as_ref().and_then(|e| early_success(e, strategy, minimum, d.minimum.is_none(), c));
    Protection { breaker, alarms, early }
}

/// The breaker when it is on.
fn breaker(b: &CircuitBreaker, strategy: &str, c: &mut Checker) -> Option<Breaker> {
    let at = format!("{CONFIG}/deploymentCircuitBreaker");
    for (name, value) in [("enable", b.enable), ("rollback", b.rollback)] {
        if value.is_none() {
            let allowed = "true or false; required in deploymentCircuitBreaker";
            c.missing(&format!("{at}/{name}"), allowed, Some(CLIENT_SIDE));
        }
    }
    let threshold = match &b.threshold {
        Some(given) => threshold(&format!("{at}/thresholdConfiguration"), given, c),
        None => Threshold::default(),
    };
    if b.enable != Some(true) {
        return None;
    }
    if b.reset_on_healthy.is_none() {
        c.default_used(&format!("{at}/resetOnHealthyTask"), true);
    }
    if b.threshold.is_none() {
        c.default_used(&format!("{at}/thresholdConfiguration/value"), 50);
    }
    if strategy != "ROLLING" {
        c.advise(&at, strategy, "documented for rolling updates; observed to trip with other strategies as well");
    }
    Some(Breaker {
        rollback: b.rollback == Some(true),
        reset_on_healthy_task: b.reset_on_healthy.unwrap_or(true),
        threshold,
    })
}

fn threshold(at: &str, given: &document::ThresholdConfiguration, c: &mut Checker) -> Threshold {
    let types = ["COUNT", "BOUNDED_PERCENT", "UNBOUNDED_PERCENT"];
    let kind = match given.kind.as_deref() {
        Some(kind) => c.one_name(&format!("{at}/type"), kind, &types, Some(INVALID_PARAMETER)),
        None => {
            let allowed = "COUNT, BOUNDED_PERCENT or UNBOUNDED_PERCENT; required";
            c.missing(&format!("{at}/type"), allowed, Some(CLIENT_SIDE));
            None
        }
    };
    let at = format!("{at}/value");
    let Some(value) = given.value else {
        c.missing(&at, "a whole number, 1 or more; required", Some(CLIENT_SIDE));
        return Threshold::default();
    };
    let max = if kind == Some("COUNT") { i64::from(u32::MAX) } else { 100 };
    match kind {
        Some(_) => {
            let value = c.in_range(&at, value, 1, max, Some(INVALID_PARAMETER)) as u32;
            match kind {
                Some("COUNT") => Threshold::Count(value),
                Some("UNBOUNDED_PERCENT") => Threshold::UnboundedPercent(value),
                _ => Threshold::BoundedPercent(value),
            }
        }
        None => Threshold::default(),
    }
}

/// The alarms when they are on: whether one that fires rolls back.
fn alarms(a: &document::Alarms, c: &mut Checker) -> Option<bool> {
    let at = format!("{CONFIG}/alarms");
    for (name, given) in
        [("alarmNames", a.names.is_some()), ("enable", a.enable.is_some()), ("rollback", a.rollback.is_some())]
    {
        if !given {
            c.missing(&format!("{at}/{name}"), "required in alarms", Some(CLIENT_SIDE));
        }
    }
    if a.enable != Some(true) {
        return None;
    }
    if a.names.as_ref().is_some_and(|names| names.is_empty()) {
        c.refuse(&format!("{at}/alarmNames"), "[]", "at least one name when enabled", INVALID_PARAMETER);
    }
    Some(a.rollback == Some(true))
}

/// Minutes of bake time, when they are given.
fn bake_time(doc: &Document, strategy: &str, c: &mut Checker) -> Option<i64> {
    let d = &doc.service.deployment;
    let at = format!("{CONFIG}/bakeTimeInMinutes");
    let alarms = d.alarms.as_ref().is_some_and(|a| a.enable == Some(true));
    let minutes = c.optional(&at, d.bake_minutes, 0, DAY_MINUTES, Some(INVALID_PARAMETER));
    match minutes {
        Some(minutes) if strategy == "ROLLING" && !alarms => {
            c.advise(&at, minutes, "without effect: a rolling update bakes only with alarms");
        }
        None if strategy == "BLUE_GREEN" => {
            let allowed = "0 to 1440 minutes; required with BLUE_GREEN";
            c.missing(&at, allowed, Some("InvalidParameterException: bakeTimeInMinutes is required with BLUE_GREEN"));
        }
        None if alarms || strategy != "ROLLING" => {
            let ms = chosen_bake_ms(doc);
            match ms % MINUTE {
                0 => c.default_used(&at, ms / MINUTE),
                _ => c.default_used(&at, duration::print(ms)),
            }
        }
        _ => {}
    }
    minutes
}

/// The bake time that ECS chooses when none is given, in milliseconds.
pub fn chosen_bake_ms(doc: &Document) -> u64 {
    let slowest = doc.alarms.iter().flatten().filter_map(|alarm| alarm.lasting).map(|span| span.0).max();
    rules_success::bake_ms(None, slowest.filter(|ms| *ms > 0))
}

/// The criteria when they are on.
fn early_success(
    e: &document::EarlySuccess,
    strategy: &str,
    minimum: u32,
    minimum_absent: bool,
    c: &mut Checker,
) -> Option<EarlySuccess> {
    let at = format!("{CONFIG}/earlySuccessCriteria");
    if e.enable.is_none() {
        c.missing(&format!("{at}/enable"), "true or false; required in earlySuccessCriteria", Some(CLIENT_SIDE));
    }
    let at_percent = format!("{at}/healthyPercent");
    let percent = c.optional(&at_percent, e.healthy_percent, 0, 100, Some(INVALID_PARAMETER));
    let at_cleanup = format!("{at}/sourceServiceRevisionCleanup");
    let cleanup = e
        .cleanup
        .as_deref()
        .and_then(|cleanup| c.one_name(&at_cleanup, cleanup, &["BLOCKING", "DEFERRED"], Some(INVALID_PARAMETER)));
    if e.enable != Some(true) {
        return None;
    }
    if strategy != "ROLLING" {
        let allowed = "false: only a rolling update (the strategy ROLLING) has early success";
        c.refuse(&format!("{at}/enable"), "true", allowed, INVALID_PARAMETER).nearest = Some(false.into());
    }
    match percent {
        None => c.missing(&at_percent, "0 to 100; required when enabled", Some(INVALID_PARAMETER)),
        Some(percent) if e.healthy_percent == Some(percent) && percent < i64::from(minimum) => {
            let why = if minimum_absent { " (its default)" } else { "" };
            let allowed = format!("at least minimumHealthyPercent, {minimum}{why}");
            c.refuse(&at_percent, percent, &allowed, INVALID_PARAMETER).nearest = Some(minimum.into());
        }
        Some(_) => {}
    }
    if e.cleanup.is_none() {
        c.missing(&at_cleanup, "BLOCKING or DEFERRED; required when enabled", Some(INVALID_PARAMETER));
    }
    let cleanup = if cleanup? == "DEFERRED" { Cleanup::Deferred } else { Cleanup::Blocking };
    Some(EarlySuccess { healthy_percent: percent? as u32, cleanup })
}

/// Bad answers that no alarm looks at.
fn advise(doc: &Document, alarms: Option<&AlarmWatch>, c: &mut Checker) {
    let derived = doc.alarms.iter().flatten().any(|alarm| alarm.bad_responses_over.is_some());
    if doc.new.bad_responses.is_some() && !(alarms.is_some() && derived) {
        c.advise("/new/bad_responses", "given", "unused: no watched alarm has bad_responses_over");
    }
}

//! The rules of request traffic and of target tracking.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use rollscope_engine::mechanism::traffic::{Scaling, Traffic};
use rollscope_engine::order;
use rollscope_engine::settings::{Distribution, TASKS_MAX};
use rollscope_engine::time::{SECOND, SimTime};

use super::LIST_MAX;
use super::checker::Checker;
use super::run::{Revisions, moment};
use crate::document::{Autoscaling, Document, TrafficDoc};
use crate::duration;
use crate::json::pointer_join;

/// Most requests a second.
const RATE_MAX: i64 = 1_000_000;
/// Seconds of a cooldown when it is not given. Source: Application Auto Scaling, target tracking.
const COOLDOWN: i64 = 300;
/// Longest cooldown in seconds: a day.
const COOLDOWN_MAX: i64 = 86_400;

/// Checks `traffic` and the `request_time` of both revisions.
pub fn traffic(doc: &Document, revisions: &Revisions, c: &mut Checker) -> Option<Traffic> {
    let sides = [("/new/request_time", &doc.new.request_time), ("/old/request_time", &doc.old.request_time)];
    let tables = sides.map(|(at, time)| time.as_ref().and_then(|time| table(at, time, c)));
    let Some(given) = &doc.traffic else {
        for (at, time) in sides {
            if time.is_some() {
                c.advise(at, "given", "unused: without traffic nobody asks");
            }
        }
        return None;
    };
    let [new, old] = tables;
    let old_revision = revisions.known.first().map_or(0, |revision| revision.number);
    let durations = [(old_revision, old), (revisions.new, new)];
    let durations = durations.into_iter().filter_map(|(revision, table)| Some((revision, table?))).collect();
    let at_task = "/traffic/per_task";
    let per_task = c.optional(at_task, given.per_task, 1, RATE_MAX, None).map(|n| n as u32);
    let fail_open = given.fail_open.unwrap_or(true);
    Some(Traffic { rates: rates(given, c), durations, per_task, fail_open })
}

fn rates(given: &TrafficDoc, c: &mut Checker) -> Vec<(SimTime, u32)> {
    let first = c.number("/traffic/requests_per_second", given.per_second, 0, RATE_MAX, 0, None);
    let mut rates = vec![(SimTime::ZERO, first as u32)];
    let list = given.steps.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/traffic/steps", list.len(), &format!("at most {LIST_MAX} steps"));
    }
    for (i, step) in list.iter().enumerate() {
        let at = pointer_join("/traffic/steps", i);
        let when = moment(&at, step.at, c);
        let at = pointer_join(&at, "requests_per_second");
        match step.per_second {
            Some(rate) => rates.push((when, c.in_range(&at, rate, 0, RATE_MAX, None) as u32)),
            None => c.missing(&at, "requests a second from then on, 0 or more", None),
        }
    }
    order::by_key(&mut rates, |(at, _)| *at);
    rates
}

/// How long requests take: a constant, or a table.
fn table(at: &str, time: &Distribution, c: &mut Checker) -> Option<Vec<(u64, u32)>> {
    let rows = match time {
        Distribution::Constant(ms) => vec![(*ms, 1)],
        Distribution::Table(rows) => rows.clone(),
        Distribution::Uniform { .. } | Distribution::Triangular { .. } => {
            c.invalid(at, "drawn", "a duration, or a table of durations and weights: no request is drawn");
            return None;
        }
    };
    if rows.iter().any(|(ms, _)| *ms > duration::MAX_MS) {
        c.invalid(at, "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
    }
    if rows.len() > LIST_MAX || rows.iter().all(|(_, weight)| *weight == 0) {
        c.invalid(at, format!("{} rows", rows.len()), "a table with a weight above 0, of at most 10,000 rows");
        return None;
    }
    Some(rows)
}

/// The longest request of either revision: targets drain until it is done.
pub fn longest_request(doc: &Document) -> Option<u64> {
    let times = [&doc.new.request_time, &doc.old.request_time];
    let longest = |time: &Distribution| match time {
        Distribution::Constant(ms) => Some(*ms),
        Distribution::Table(rows) => rows.iter().map(|(ms, _)| *ms).max(),
        _ => None,
    };
    let found = times.into_iter().flatten().filter_map(longest).max();
    found.filter(|ms| doc.traffic.is_some() && *ms <= duration::MAX_MS)
}

/// Checks `autoscaling`.
pub fn scaling(doc: &Document, c: &mut Checker) -> Option<Scaling> {
    let given = doc.autoscaling.as_ref()?;
    if doc.traffic.is_none() {
        c.advise("/autoscaling", "given", "unused: without traffic there is nothing to track");
    }
    let Autoscaling { min, max, target, out_cooldown, in_cooldown } = given;
    let fields = [
        ("minCapacity", min, 0, i64::from(TASKS_MAX)),
        ("maxCapacity", max, min.unwrap_or(0).clamp(0, i64::from(TASKS_MAX)), i64::from(TASKS_MAX)),
        ("targetValue", target, 1, 100_000_000),
    ];
    let read = fields.map(|(name, value, low, high)| {
        let at = pointer_join("/autoscaling", name);
        if value.is_none() {
            c.missing(&at, "a whole number; required in autoscaling", None);
        }
        c.optional(&at, *value, low, high, Some("ValidationException"))
    });
    let mut cooldown = |name: &str, value: Option<i64>| {
        let at = pointer_join("/autoscaling", name);
        c.number(&at, value, 0, COOLDOWN_MAX, COOLDOWN, Some("ValidationException")) as u64 * SECOND
    };
    let out_cooldown_ms = cooldown("scaleOutCooldown", *out_cooldown);
    let in_cooldown_ms = cooldown("scaleInCooldown", *in_cooldown);
    let [min, max, target] = read;
    let scaling =
        Scaling { min: min? as u32, max: max? as u32, target: target? as u32, out_cooldown_ms, in_cooldown_ms };
    doc.traffic.is_some().then_some(scaling)
}

//! From the document of a scale set to settings: the ranges of the Compute API, and the defaults it fills in.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use rollscope_engine::platform::vm::{self, Kind};
use rollscope_engine::platform::vmss::params::PATIENCE_MS;
use rollscope_engine::platform::vmss::reconcile::room;
use rollscope_engine::platform::vmss::{Mode, Params};
use rollscope_engine::settings::{TASKS_MAX, TargetGroup, ZONES};
use rollscope_engine::time::SECOND;

use super::Resolved;
use super::checker::Checker;
use super::machines::{Group, settle};
use crate::document::{Document, HealthExtension, RollingUpgradePolicy, VmssSpec};
use crate::json::pointer_join;
use crate::problem::Problem;

const ROLLING: &str = "/service/upgradePolicy/rollingUpgradePolicy";
const HEALTH: &str = "/service/applicationHealth";

/// What the API answers; the documents give no text for a value out of range (reading).
fn answer(at: &str, words: impl core::fmt::Display) -> String {
    let name = at.rsplit('/').next().unwrap_or(at);
    format!("InvalidParameter: The value of parameter {name} is invalid: {words}")
}

/// Checks everything; see [`Document::resolve`].
pub fn resolve(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    let spec = &doc.scale_set;
    let at = "/service/sku/capacity";
    let capacity = spec.sku.as_ref().and_then(|sku| sku.capacity);
    let size = c.number(at, capacity, 0, i64::from(TASKS_MAX), 1, Some(&answer(at, "out of range"))) as u32;
    let zones = zones(spec, &mut c);
    let mode = mode(spec, &mut c);
    let (check, grace_ms) = match &spec.health {
        Some(health) => {
            let (check, grace_ms) = health_check(health, &mut c);
            (Some(check), grace_ms)
        }
        None => (None, 0),
    };
    if mode == Mode::Rolling && check.is_none() {
        let words = "BadRequest: Rolling upgrade mode requires a health probe or the Application Health extension";
        c.missing(HEALTH, "{}: the Application Health extension with its defaults", Some(words));
    }
    let params = params(spec, mode, PATIENCE_MS.max(grace_ms), &mut c);
    let limits = room(size, &params);
    settle(doc, Group { params: vm::Params { size, zones, drain_ms: 0, kind: Kind::Vmss(params) }, check, limits }, c)
}

fn zones(spec: &VmssSpec, c: &mut Checker) -> u8 {
    let zones = spec.zones.as_ref().map_or(0, Vec::len);
    if zones > ZONES {
        c.invalid("/service/zones", zones, "up to 3 zones");
    }
    zones.clamp(1, ZONES) as u8
}

fn mode(spec: &VmssSpec, c: &mut Checker) -> Mode {
    let given = spec.upgrade.as_ref().and_then(|policy| policy.mode.as_deref());
    match c.name("/service/upgradePolicy/mode", given, &["Rolling", "Automatic", "Manual"], "Rolling", None) {
        "Automatic" => Mode::Automatic,
        "Manual" => Mode::Manual,
        _ => Mode::Rolling,
    }
}

/// The extension as a check, and its grace period in milliseconds.
fn health_check(given: &HealthExtension, c: &mut Checker) -> (TargetGroup, u64) {
    let mut number = |name: &str, value, (min, max), default| {
        let at = pointer_join(HEALTH, name);
        c.number(&at, value, min, max, default, Some(&answer(&at, format!("{min} to {max}"))))
    };
    let interval = number("intervalInSeconds", given.interval, (5, 60), 5);
    let probes = number("numberOfProbes", given.probes, (1, 24), 1);
    let grace = number("gracePeriod", given.grace, (0, 14_400), interval * probes);
    let check = TargetGroup {
        interval_ms: interval as u64 * SECOND,
        timeout_ms: interval as u64 * SECOND,
        healthy_threshold: probes as u32,
        unhealthy_threshold: probes as u32,
        deregistration_delay_ms: 0,
        new_target_passes: probes as u32,
    };
    (check, grace as u64 * SECOND)
}

fn params(spec: &VmssSpec, mode: Mode, patience_ms: u64, c: &mut Checker) -> Params {
    let empty = RollingUpgradePolicy::default();
    let given = spec.upgrade.as_ref().and_then(|policy| policy.rolling.as_ref()).unwrap_or(&empty);
    let mut percent = |name: &str, value: Option<i64>, min: i64| {
        let at = pointer_join(ROLLING, name);
        c.number(&at, value, min, 100, 20, Some(&answer(&at, format!("{min} to 100")))) as u32
    };
    Params {
        mode,
        batch_percent: percent("maxBatchInstancePercent", given.batch, 5),
        unhealthy_percent: percent("maxUnhealthyInstancePercent", given.unhealthy, 5),
        unhealthy_upgraded_percent: percent("maxUnhealthyUpgradedInstancePercent", given.unhealthy_upgraded, 0),
        pause_ms: pause(given, c),
        cross_zone: given.cross_zone == Some(true),
        unhealthy_first: given.prioritize_unhealthy == Some(true),
        roll_back_failed: given.rollback_failed == Some(true),
        surge: given.max_surge == Some(true),
        patience_ms,
    }
}

fn pause(given: &RollingUpgradePolicy, c: &mut Checker) -> u64 {
    let Some(text) = given.pause.as_deref() else { return 0 };
    iso_8601_ms(text).unwrap_or_else(|| {
        let at = pointer_join(ROLLING, "pauseTimeBetweenBatches");
        let words = answer(&at, "not a valid ISO 8601 duration");
        c.refuse(&at, format!("\"{text}\""), "an ISO 8601 duration such as PT30S, PT5M or PT1H", &words).nearest =
            Some("PT0S".into());
        0
    })
}

/// An ISO 8601 duration of days, hours, minutes and whole seconds, up to a year.
///
/// Example: `PT1M30S` is 90 s, `P1DT2H` 26 hours; `30S` and `PT` are none.
fn iso_8601_ms(text: &str) -> Option<u64> {
    let rest = text.strip_prefix('P')?;
    let (days, time) = match rest.split_once('T') {
        Some((_, "")) => return None,
        Some((days, time)) => (days, time),
        None => (rest, ""),
    };
    if days.is_empty() && time.is_empty() {
        return None;
    }
    let mut seconds: u64 = 0;
    for (part, units) in [(days, &[('D', 86_400)][..]), (time, &[('H', 3600), ('M', 60), ('S', 1)])] {
        let (mut part, mut units) = (part, units.iter());
        while !part.is_empty() {
            let end = part.find(|ch: char| !ch.is_ascii_digit())?;
            let unit = part.get(end..)?.chars().next()?;
            let (_, each) = units.find(|(name, _)| *name == unit)?;
            let n: u64 = part.get(..end)?.parse().ok()?;
            seconds = seconds.checked_add(n.checked_mul(*each)?)?;
            part = part.get(end + unit.len_utf8()..)?;
        }
    }
    (seconds <= 366 * 86_400).then(|| seconds * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_the_api() {
        for (text, seconds) in [
            ("PT0S", Some(0)),
            ("PT30S", Some(30)),
            ("PT1M30S", Some(90)),
            ("P1DT2H", Some(93_600)),
            ("P1D", Some(86_400)),
            ("PT", None),
            ("P", None),
            ("30S", None),
            ("PT30", None),
            ("PT1S1M", None),
            ("PT99999999999999999999S", None),
            ("P400D", None),
            ("PTäS", None),
        ] {
            assert_eq!(iso_8601_ms(text), seconds.map(|n: u64| n * 1000), "{text}");
        }
    }
}

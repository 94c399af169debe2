//! From the document of a managed instance group to settings: the checks of the Compute Engine API with its own words,
//! and the defaults it fills in.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::mig::{Autohealing, Params, Share, Unfit, accepts, room};
use rollscope_engine::platform::vm::{self, Kind};
use rollscope_engine::settings::{TASKS_MAX, TargetGroup, ZONES};
use rollscope_engine::time::SECOND;

use super::Resolved;
use super::checker::Checker;
use super::machines::{Group, settle};
use crate::document::{Document, FixedOrPercent, MigSpec, UpdatePolicy};
use crate::json::pointer_join;
use crate::problem::Problem;

const POLICY: &str = "/service/updatePolicy";
const ACTIONS: [&str; 4] = ["NONE", "REFRESH", "RESTART", "REPLACE"];

/// What the API answers.
fn answer(at: &str, words: impl core::fmt::Display) -> String {
    let field = at.strip_prefix("/service/").unwrap_or(at).replace('/', ".");
    format!("Invalid value for field 'resource.{field}': {words}")
}

/// Checks everything; see [`Document::resolve`].
pub fn resolve(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    let spec = &doc.managed;
    let at = "/service/targetSize";
    let size = c.number(at, spec.target_size, 0, i64::from(TASKS_MAX), 1, Some(&answer(at, "out of range"))) as u32;
    let zones = zones(spec, &mut c);
    let check = health_check(spec, &mut c);
    let empty = UpdatePolicy::default();
    let policy = spec.update.as_ref().unwrap_or(&empty);
    let params = params(spec, policy, (size, zones), check.is_some(), &mut c);
    let room = room(size, params.surge, params.unavailable);
    let at = "/service/connectionDraining/drainingTimeoutSec";
    let given = spec.draining.as_ref().and_then(|draining| draining.timeout);
    let drain = c.number(at, given, 0, 3600, 0, Some(&answer(at, "0 to 3600")));
    let params = vm::Params { size, zones, drain_ms: drain as u64 * SECOND, kind: Kind::Mig(params) };
    settle(doc, Group { params, check, limits: (room.floor, room.ceiling) }, c)
}

fn zones(spec: &MigSpec, c: &mut Checker) -> u8 {
    let at = "/service/distributionPolicy/zones";
    let Some(zones) = spec.distribution.as_ref().and_then(|policy| policy.zones.as_ref()) else { return 1 };
    if zones.is_empty() || zones.len() > ZONES {
        c.invalid(at, zones.len(), "1 to 3 zones");
    }
    zones.len().clamp(1, ZONES) as u8
}

/// The check that autohealing names, as long as there is autohealing.
fn health_check(spec: &MigSpec, c: &mut Checker) -> Option<TargetGroup> {
    let policies = spec.autohealing.as_deref().unwrap_or(&[]);
    if policies.len() > 1 {
        let at = "/service/autoHealingPolicies";
        c.refuse(at, policies.len(), "at most one policy", &answer(at, "at most one autohealing policy"));
    }
    if policies.is_empty() {
        if spec.health_check.is_some() {
            let text =
                "unused: only the check of autoHealingPolicies counts for an update, that of a load balancer does not";
            c.advise("/service/healthCheck", "given", text);
        }
        return None;
    }
    let given = spec.health_check.clone().unwrap_or_default();
    let mut number = |name: &str, value, max, default| {
        let at = pointer_join("/service/healthCheck", name);
        c.number(&at, value, 1, max, default, Some(&answer(&at, format!("1 to {max}"))))
    };
    let interval = number("checkIntervalSec", given.interval, 300, 5);
    let timeout = number("timeoutSec", given.timeout, 300, 5.min(interval));
    let healthy = number("healthyThreshold", given.healthy, 10, 2);
    let unhealthy = number("unhealthyThreshold", given.unhealthy, 10, 2);
    if timeout > interval {
        let at = "/service/healthCheck/timeoutSec";
        let words = answer(at, "timeoutSec must not be greater than checkIntervalSec");
        c.refuse(at, timeout, &format!("at most checkIntervalSec, {interval}"), &words).nearest = Some(interval.into());
    }
    Some(TargetGroup {
        interval_ms: interval as u64 * SECOND,
        timeout_ms: timeout as u64 * SECOND,
        healthy_threshold: healthy as u32,
        unhealthy_threshold: unhealthy as u32,
        deregistration_delay_ms: 0,
        new_target_passes: healthy as u32,
    })
}

fn params(spec: &MigSpec, policy: &UpdatePolicy, group: (u32, u8), checks: bool, c: &mut Checker) -> Params {
    let here = |name: &str| pointer_join(POLICY, name);
    let kind = c.name(&here("type"), policy.kind.as_deref(), &["PROACTIVE", "OPPORTUNISTIC"], "PROACTIVE", None);
    let methods = ["SUBSTITUTE", "RECREATE"];
    let method = c.name(&here("replacementMethod"), policy.method.as_deref(), &methods, "SUBSTITUTE", None);
    let recreate = method == "RECREATE";
    let most =
        c.name(&here("mostDisruptiveAllowedAction"), policy.most_disruptive.as_deref(), &ACTIONS, "REPLACE", None);
    let least = c.name(&here("minimalAction"), policy.minimal_action.as_deref(), &ACTIONS, "REPLACE", None);
    if least != "REPLACE" {
        c.not_simulated(&here("minimalAction"), "a new template replaces the machine, as a new image does");
    }
    let (surge, unavailable) = dials(policy, recreate, group, c);
    let at = here("minReadySec");
    let min_ready = c.number(&at, policy.min_ready, 0, 3600, 0, Some(&answer(&at, "0 to 3600")));
    if policy.redistribution.as_deref() == Some("PROACTIVE") && group.1 > 1 {
        let why = "machines are spread evenly when they are created, and not moved afterwards";
        c.not_simulated(&here("instanceRedistributionType"), why);
    }
    let at = "/service/autoHealingPolicies/0/initialDelaySec";
    let delay = spec.autohealing.as_ref().and_then(|list| list.first()).and_then(|first| first.initial_delay);
    let delay = c.number(at, delay, 0, 3600, 0, Some(&answer(at, "0 to 3600")));
    let at = "/service/instanceLifecyclePolicy/forceUpdateOnRepair";
    let force = spec.lifecycle.as_ref().and_then(|lifecycle| lifecycle.force_update.as_deref());
    let force = c.name(at, force, &["YES", "NO"], "NO", None);
    Params {
        surge,
        unavailable,
        proactive: kind == "PROACTIVE",
        recreate,
        may_replace: most == "REPLACE",
        min_ready_ms: min_ready as u64 * SECOND,
        autohealing: checks.then_some(Autohealing { initial_delay_ms: delay as u64 * SECOND }),
        force_update_on_repair: force == "YES",
        canary: canary(spec, c),
    }
}

/// The two dials.
fn dials(policy: &UpdatePolicy, recreate: bool, group: (u32, u8), c: &mut Checker) -> (Share, Share) {
    let (at_surge, at_unavailable) = (pointer_join(POLICY, "maxSurge"), pointer_join(POLICY, "maxUnavailable"));
    let zones = u32::from(group.1);
    let default = |at: &str, given: &Option<FixedOrPercent>, n: u32, c: &mut Checker| match given {
        Some(given) => dial(at, given, group, c),
        None => {
            c.default_used(&pointer_join(at, "fixed"), n);
            Share::Fixed(n)
        }
    };
    let surge = default(&at_surge, &policy.max_surge, if recreate { 0 } else { zones }, c);
    let unavailable = default(&at_unavailable, &policy.max_unavailable, zones, c);
    let zero = |share| matches!(share, Share::Fixed(0) | Share::Percent(0));
    if recreate && !zero(surge) {
        let words = answer(&at_surge, "maxSurge must be equal to 0 when replacement method is set to RECREATE");
        let at = pointer_join(&at_surge, "fixed");
        c.refuse(&at, text(surge), "0: with RECREATE the same names are used again", &words).nearest = Some(0.into());
    } else if zero(surge) && zero(unavailable) {
        let words = answer(&at_unavailable, "maxSurge and maxUnavailable must not both be 0");
        let allowed = format!("at least {}, or a maxSurge above 0", zones.max(1));
        let at = pointer_join(&at_unavailable, "fixed");
        c.refuse(&at, 0, &allowed, &words).nearest = Some(i64::from(zones.max(1)).into());
    }
    (surge, unavailable)
}

fn text(share: Share) -> String {
    match share {
        Share::Fixed(n) => n.to_string(),
        Share::Percent(percent) => format!("{percent}%"),
    }
}

fn share(at: &str, given: &FixedOrPercent, c: &mut Checker) -> Share {
    match (given.fixed, given.percent) {
        (Some(fixed), Some(_)) => {
            let words = answer(at, "only one of fixed and percent may be set");
            c.refuse(&pointer_join(at, "percent"), "given", "fixed or percent, not both", &words);
            Share::Fixed(fixed.clamp(0, i64::from(u32::MAX)) as u32)
        }
        (None, Some(percent)) => {
            let at = pointer_join(at, "percent");
            Share::Percent(c.in_range(&at, percent, 0, 100, Some(&answer(&at, "0 to 100"))) as u32)
        }
        (fixed, None) => {
            let at = pointer_join(at, "fixed");
            let most = i64::from(TASKS_MAX);
            Share::Fixed(c.number(&at, fixed, 0, most, 0, Some(&answer(&at, "0 or more"))) as u32)
        }
    }
}

fn dial(at: &str, given: &FixedOrPercent, (size, zones): (u32, u8), c: &mut Checker) -> Share {
    let share = share(at, given, c);
    match accepts(share, size, zones) {
        Ok(()) => {}
        Err(Unfit::PercentNeedsTen) => {
            let words = answer(at, "percent is only allowed for groups with at least 10 instances");
            let allowed = format!("fixed: the group has {size}, a percentage needs 10");
            let at = pointer_join(at, "percent");
            c.refuse(&at, text(share), &allowed, &words);
        }
        Err(Unfit::BelowZones) => {
            let words = answer(at, "fixed must be either 0 or at least equal to the number of zones");
            let at = pointer_join(at, "fixed");
            let allowed = format!("0, or at least the number of zones, {zones}");
            c.refuse(&at, text(share), &allowed, &words).nearest = Some(i64::from(zones).into());
        }
    }
    share
}

/// The version with a size of its own; the other one takes the rest.
fn canary(spec: &MigSpec, c: &mut Checker) -> Option<Share> {
    let versions = spec.versions.as_deref().unwrap_or(&[]);
    let at = "/service/versions";
    if versions.len() > 2 {
        c.refuse(at, versions.len(), "one version, or two", &answer(at, "at most two versions"));
        return None;
    }
    let rest = versions.iter().filter(|version| version.target_size.is_none()).count();
    if !versions.is_empty() && rest != 1 {
        let words = answer(at, "exactly one version must leave targetSize unset");
        c.refuse(at, format!("{rest} without targetSize"), "exactly one version without targetSize", &words);
        return None;
    }
    let (index, version) = versions.iter().enumerate().find(|(_, version)| version.target_size.is_some())?;
    let at = pointer_join(&pointer_join(at, index), "targetSize");
    version.target_size.as_ref().map(|given| share(&at, given, c))
}

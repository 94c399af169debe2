//! From the document of an instance refresh to settings: the checks of the Auto Scaling API with its own
//! words, and the defaults it fills in.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::asg::rules_time::{CHECKPOINT_DELAY_MS, WAIT_SECONDS_MAX, warm_up_ms};
use rollscope_engine::platform::asg::{Params, Preferences, ProtectedInstances, StandbyInstances, StartCounts, room};
use rollscope_engine::platform::ecs;
use rollscope_engine::settings::{
    Alarm, AlarmState, Capacity, EVENT_BUDGET_NATIVE, Fate, Quotas, Revision, RolloutState, SCHEMA_CHECK_MS, Settings,
    Start, StartDeployment, TASKS_MAX,
};
use rollscope_engine::time::{SECOND, SimTime};

use super::checker::Checker;
use super::kubernetes::{no_pools, timing};
use super::run::{behaviour, places, until};
use super::{Resolved, asg_acts, failure, fjall, kubernetes_acts, workload};
use crate::document::{Document, GroupSpec, PreferencesDoc, RevisionDoc};
use crate::json::{Value, pointer_join};
use crate::limits::Limits;
use crate::problem::{Kind, Problem};

/// Longest time in seconds that is taken, a year: further on nothing happens.
const SECONDS_MAX: i64 = 31_536_000;
/// Most alarms of a refresh.
const ALARMS_MAX: usize = 10;
const PREFERENCES: &str = "/service/Preferences";

/// What the API answers.
pub(super) fn answer(words: impl core::fmt::Display) -> String {
    format!("ValidationError: {words}")
}

/// A whole number of the API in its range, or its default.
fn number(at: &str, value: Option<i64>, (min, max): (i64, i64), default: i64, c: &mut Checker) -> i64 {
    let name = at.rsplit('/').next().unwrap_or_default();
    let words = answer(format!("Value at '{name}' failed to satisfy constraint: {min} to {max}"));
    c.number(at, value, min, max, default, Some(&words))
}

/// Checks everything; see [`Document::resolve`].
pub fn resolve(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    super::check_version(doc, &mut c);
    not_of_a_group(doc, &mut c);
    let params = params(doc, &mut c);
    let target_groups = workload::target_groups(doc, &mut c);
    check_type(doc, &params, &mut c);
    let mut timing = timing(doc, 30, &mut c);
    timing.first_check = doc.timing.first_check.clone();
    let alarms = alarms(doc, &mut c);
    let (mut known, new, start) = revisions(doc, &params, &mut c);
    let acts = asg_acts::acts(doc, new, &alarms, &mut c);
    let places = places(doc, &mut c);
    let seed = c.number("/seed", doc.seed, 0, i64::MAX, 1, None) as u64;
    let until = until(doc, &mut c);
    unseen(doc, &params, &mut c);
    if c.problems.iter().any(Problem::is_error) {
        return Err(c.into_problems());
    }
    let (preferences, desired) = (&params.preferences, params.desired);
    let room = room(desired, preferences.min_healthy, preferences.max_healthy);
    kubernetes_acts::add_revisions(&mut known, &acts);
    let settings = Settings {
        strategy: ecs::Strategy::Rolling,
        containers: Vec::new(),
        target_groups,
        stop_timeout_ms: 0,
        platform: PlatformSettings::Asg(Box::new(params)),
        timing,
        revisions: known,
        capacity: if places.is_empty() { Capacity::Unlimited } else { Capacity::Places(places) },
        fargate: false,
        exit_codes: Vec::new(),
        rebalancing: false,
        traffic: None,
        scaling: None,
        alarms,
        schema: Vec::new(),
        schema_check_ms: SCHEMA_CHECK_MS,
        start,
        acts,
        quotas: Quotas::None,
        seed,
        until: until.map(SimTime),
        event_budget: EVENT_BUDGET_NATIVE,
    };
    Ok(Resolved {
        settings,
        limits: Limits { desired, floor: room.floor, ceiling: room.ceiling },
        warnings: c.problems,
        defaulted: c.defaulted,
        readings: Vec::new(),
        not_simulated: c.not_simulated,
        act_places: Vec::new(),
        watchdog: fjall::Watchdog::default(),
    })
}

/// Keys that say something on other platforms only.
fn not_of_a_group(doc: &Document, c: &mut Checker) {
    let given = [
        ("/containers", doc.containers.is_some()),
        ("/hooks", doc.hooks.is_some()),
        ("/schema", doc.schema.is_some()),
        ("/traffic", doc.traffic.is_some()),
        ("/autoscaling", doc.autoscaling.is_some()),
        ("/capacity", doc.capacity.is_some()),
        ("/fjall", doc.fjall.is_some()),
        ("/quotas", doc.quotas.is_some()),
        ("/resourceQuota", doc.resource_quota.is_some()),
    ];
    for (at, _) in given.into_iter().filter(|(_, given)| *given) {
        c.advise(at, "given", "unused: an Auto Scaling group has no such thing here");
    }
    if let Some(start) = doc.start.as_ref().and_then(|start| start.deployments.as_ref()).filter(|list| !list.is_empty())
    {
        let allowed = "not simulated for a group: a run begins steady; standby, protected and matching say the rest";
        c.not_available("/start/deployments", &format!("{} deployments", start.len()), allowed);
    }
}

fn params(doc: &Document, c: &mut Checker) -> Params {
    let group = &doc.group;
    let most = i64::from(TASKS_MAX);
    let min_size = number("/service/MinSize", group.min_size, (0, most), 0, c);
    let max_size = number("/service/MaxSize", group.max_size, (0, most), most, c);
    let at = "/service/DesiredCapacity";
    let desired = number(at, group.desired, (0, most), 1.clamp(min_size, max_size.max(min_size)), c);
    if min_size > max_size {
        let words = answer(format!("Min bound, {min_size}, must be less than or equal to max bound, {max_size}"));
        c.refuse("/service/MinSize", min_size, "at most MaxSize", &words).nearest = Some(max_size.into());
    } else if !(min_size..=max_size).contains(&desired) {
        let words = answer(format!("Desired capacity:{desired} must be between the specified min size and max size"));
        c.refuse(at, desired, &format!("MinSize to MaxSize: {min_size} to {max_size}"), &words).nearest =
            Some(desired.clamp(min_size, max_size).into());
    }
    let known = ["EC2", "ELB"];
    let kind = c.name("/service/HealthCheckType", group.health_check_type.as_deref(), &known, "EC2", None);
    let grace = number("/service/HealthCheckGracePeriod", group.grace, (0, SECONDS_MAX), 0, c);
    strategy(group, c);
    let numbered = !group.launch_template.as_ref().and_then(|t| t.version.as_deref()).is_some_and(is_moving);
    let desired_configuration = group.configuration.is_some();
    let preferences = preferences(doc, grace as u64 * SECOND, c);
    for (name, wanted) in [("AutoRollback", preferences.auto_rollback), ("SkipMatching", preferences.skip_matching)] {
        if wanted && !desired_configuration {
            let words = answer(format!("{name} requires a DesiredConfiguration"));
            let allowed = "false, or a DesiredConfiguration that names the new version";
            c.refuse(&pointer_join(PREFERENCES, name), true, allowed, &words).nearest = Some(false.into());
        }
    }
    if preferences.auto_rollback && !numbered {
        let words = answer("AutoRollback requires a launch template version that is not $Latest or $Default");
        let allowed = "a number such as \"1\": a rollback has to know where to go";
        c.refuse("/service/LaunchTemplate/Version", "$Latest or $Default", allowed, &words).nearest = Some("1".into());
    }
    Params {
        desired: desired as u32,
        min_size: min_size as u32,
        max_size: max_size as u32,
        grace_ms: grace as u64 * SECOND,
        elb: kind == "ELB",
        preferences,
        desired_configuration,
        numbered,
        start: start_counts(doc, desired, c),
    }
}

/// `$Latest` and `$Default` move: they name no version to go back to.
fn is_moving(version: &str) -> bool {
    matches!(version, "$Latest" | "$Default")
}

fn strategy(group: &GroupSpec, c: &mut Checker) {
    let at = "/service/Strategy";
    let kind = c.name(at, group.strategy.as_deref(), &["Rolling", "ReplaceRootVolume"], "Rolling", None);
    if kind != "Rolling" {
        c.not_available(at, kind, "Rolling: replacing the root volume in place is not simulated").nearest =
            Some("Rolling".into());
    }
    if group.configuration.as_ref().is_some_and(|configuration| configuration.mixed.is_some()) {
        let why = "every instance is like the others: only the launch template version is told apart";
        c.not_simulated("/service/DesiredConfiguration/MixedInstancesPolicy", why);
    }
}

fn start_counts(doc: &Document, desired: i64, c: &mut Checker) -> StartCounts {
    let start = doc.start.clone().unwrap_or_default();
    let mut count = |name: &str, value: Option<i64>, max: i64| {
        c.optional(&pointer_join("/start", name), value, 0, max, None).unwrap_or(0) as u32
    };
    StartCounts {
        standby: count("standby", start.standby, i64::from(TASKS_MAX)),
        protected: count("protected", start.protected, desired),
        matching: count("matching", start.matching, desired),
    }
}

fn preferences(doc: &Document, grace_ms: u64, c: &mut Checker) -> Preferences {
    let empty = PreferencesDoc::default();
    let given = doc.group.preferences.as_ref().unwrap_or(&empty);
    let (min_healthy, max_healthy) = percentages(doc, given, c);
    let here = |name: &str| pointer_join(PREFERENCES, name);
    let seconds = |at: &str, value: Option<i64>, max: i64, c: &mut Checker| {
        let words = answer(format!("Value at '{}' failed to satisfy constraint", at.rsplit('/').next().unwrap_or(at)));
        c.optional(at, value, 0, max, Some(&words)).map(|n| n as u64 * SECOND)
    };
    let own = seconds(&here("InstanceWarmup"), given.warmup, SECONDS_MAX, c);
    let group = seconds("/service/DefaultInstanceWarmup", doc.group.default_warmup, SECONDS_MAX, c);
    let warm_up_ms = warm_up_ms(own, group, grace_ms);
    if own.is_none() {
        c.default_used(&here("InstanceWarmup"), warm_up_ms / SECOND);
    }
    let checkpoints = checkpoints(given, c);
    let delay = seconds(&here("CheckpointDelay"), given.checkpoint_delay, i64::from(WAIT_SECONDS_MAX), c);
    if given.checkpoint_delay.is_some() && given.checkpoints.is_none() {
        let words = answer("CheckpointDelay requires CheckpointPercentages");
        let allowed = "nothing, or CheckpointPercentages as well";
        c.refuse(&here("CheckpointDelay"), given.checkpoint_delay.unwrap_or_default(), allowed, &words).nearest =
            Some(Value::Null);
    }
    if delay.is_none() && !checkpoints.is_empty() {
        c.default_used(&here("CheckpointDelay"), CHECKPOINT_DELAY_MS / SECOND);
    }
    let bake = seconds(&here("BakeTime"), given.bake_time, i64::from(WAIT_SECONDS_MAX), c);
    let protected = ["Wait", "Refresh", "Ignore"];
    let protected = c.name(&here("ScaleInProtectedInstances"), given.protected.as_deref(), &protected, "Wait", None);
    let standby = ["Wait", "Terminate", "Ignore"];
    let standby = c.name(&here("StandbyInstances"), given.standby.as_deref(), &standby, "Wait", None);
    Preferences {
        min_healthy,
        max_healthy,
        warm_up_ms,
        skip_matching: given.skip_matching == Some(true),
        auto_rollback: given.auto_rollback == Some(true),
        checkpoints,
        checkpoint_delay_ms: delay.unwrap_or(CHECKPOINT_DELAY_MS),
        bake_ms: bake.unwrap_or(0),
        protected: match protected {
            "Refresh" => ProtectedInstances::Refresh,
            "Ignore" => ProtectedInstances::Ignore,
            _ => ProtectedInstances::Wait,
        },
        standby: match standby {
            "Terminate" => StandbyInstances::Terminate,
            "Ignore" => StandbyInstances::Ignore,
            _ => StandbyInstances::Wait,
        },
    }
}

/// The two dials: those of the refresh, else those of the group, else 90 and no maximum.
fn percentages(doc: &Document, given: &PreferencesDoc, c: &mut Checker) -> (u32, Option<u32>) {
    let policy = doc.group.policy.as_ref();
    if let Some(policy) = policy {
        pair("/service/InstanceMaintenancePolicy", policy.min_healthy, policy.max_healthy, c);
        if policy.min_healthy.is_none() {
            let at = "/service/InstanceMaintenancePolicy/MinHealthyPercentage";
            c.missing(at, "0 to 100; required in a policy", Some(&answer("MinHealthyPercentage is required")));
        }
    }
    pair(PREFERENCES, given.min_healthy, given.max_healthy, c);
    let named = given.min_healthy.or(given.max_healthy).is_some();
    let (min, max) = match policy.filter(|_| !named) {
        Some(policy) => (policy.min_healthy, policy.max_healthy),
        None => (given.min_healthy, given.max_healthy),
    };
    if min.is_none() {
        c.default_used(&pointer_join(PREFERENCES, "MinHealthyPercentage"), 90);
    }
    if max.is_none() {
        c.default_used(&pointer_join(PREFERENCES, "MaxHealthyPercentage"), "omitted");
    }
    (min.unwrap_or(90).clamp(0, 100) as u32, max.map(|max| max.clamp(100, 200) as u32))
}

fn pair(at: &str, min: Option<i64>, max: Option<i64>, c: &mut Checker) {
    let (at_min, at_max) = (pointer_join(at, "MinHealthyPercentage"), pointer_join(at, "MaxHealthyPercentage"));
    let words = answer("Value at 'minHealthyPercentage' failed to satisfy constraint: 0 to 100");
    c.optional(&at_min, min, 0, 100, Some(&words));
    let words = answer("Value at 'maxHealthyPercentage' failed to satisfy constraint: 100 to 200");
    c.optional(&at_max, max, 100, 200, Some(&words));
    match (min, max) {
        (None, Some(max)) => {
            let words = answer("MinHealthyPercentage must be specified when MaxHealthyPercentage is specified");
            c.refuse(&at_max, max, "nothing, or MinHealthyPercentage as well", &words).nearest = Some(Value::Null);
        }
        (Some(min), Some(max)) if (0..=100).contains(&min) && (100..=200).contains(&max) && max - min > 100 => {
            let words = answer(
                "The difference between MaxHealthyPercentage and MinHealthyPercentage cannot be greater than 100",
            );
            let allowed = format!("at most {}: the two may differ by 100", min + 100);
            c.refuse(&at_max, max, &allowed, &words).nearest = Some((min + 100).into());
        }
        _ => {}
    }
}

fn checkpoints(given: &PreferencesDoc, c: &mut Checker) -> Vec<u32> {
    let list = given.checkpoints.as_deref().unwrap_or(&[]);
    let at = pointer_join(PREFERENCES, "CheckpointPercentages");
    for (i, percent) in list.iter().enumerate() {
        let here = pointer_join(&at, i);
        c.in_range(&here, *percent, 1, 100, Some(&answer("CheckpointPercentages must be between 1 and 100")));
        if i > 0 && list[i - 1] >= *percent {
            let words = answer("CheckpointPercentages must be unique and in ascending order");
            c.refuse(&here, *percent, &format!("more than {}, the one before", list[i - 1]), &words);
        }
    }
    if let Some(last) = list.last().filter(|last| (1..100).contains(*last)) {
        let text = "the refresh ends Successful there: the last one must be 100 to replace every instance";
        c.advise(&pointer_join(&at, list.len() - 1), *last, text);
    }
    list.iter().map(|percent| (*percent).clamp(1, 100) as u32).collect()
}

/// The alarms of the refresh, each with how it fares.
fn alarms(doc: &Document, c: &mut Checker) -> Vec<Alarm> {
    let preferences = doc.group.preferences.as_ref();
    let names = preferences.and_then(|p| p.alarms.as_ref()).and_then(|alarms| alarms.names.as_deref()).unwrap_or(&[]);
    let at = pointer_join(PREFERENCES, "AlarmSpecification/Alarms");
    if names.len() > ALARMS_MAX {
        let words = answer("Alarms must have at most 10 items");
        c.refuse(&at, names.len(), "at most 10 alarms", &words);
    }
    let mut found: Vec<Alarm> = names
        .iter()
        .map(|name| Alarm { name: name.clone(), at_start: AlarmState::Ok, changes: Vec::new(), derived: None })
        .collect();
    for (i, entry) in doc.alarms.iter().flatten().enumerate() {
        let at = pointer_join("/alarms", i);
        if entry.bad_responses_over.is_some() {
            let allowed = "changes, or an act \"alarm\": requests are not simulated on this platform";
            c.not_available(&pointer_join(&at, "bad_responses_over"), "given", allowed);
        }
        let unknown = entry.name.as_ref().is_some_and(|name| !names.contains(name));
        if unknown {
            c.advise(&pointer_join(&at, "name"), "given", "unused: not in Preferences.AlarmSpecification.Alarms");
        }
        let name: Vec<String> = entry.name.iter().cloned().collect();
        if let Some(alarm) = failure::alarm(&at, entry, &name, c)
            && let Some(place) = found.iter_mut().find(|known| known.name == alarm.name)
        {
            *place = alarm;
        }
    }
    found
}

/// What a check can tell, and what a document without checks says of it.
fn check_type(doc: &Document, params: &Params, c: &mut Checker) {
    let groups = doc.target_groups.as_ref().is_some_and(|groups| !groups.is_empty());
    if params.elb && !groups && doc.timing.healthy_after.is_none() {
        let allowed = "a target group whose check counts with HealthCheckType ELB, or timing.healthy_after";
        c.missing("/targetGroups", allowed, None);
    }
    if params.elb && doc.target_groups.as_ref().is_some_and(|groups| groups.len() > 1) {
        c.not_simulated("/targetGroups", "of several target groups the check of the first one counts");
    }
}

/// The versions and what exists at time 0.
fn revisions(doc: &Document, params: &Params, c: &mut Checker) -> (Vec<Revision>, u32, Start) {
    let version = |template: Option<&crate::document::LaunchTemplateRef>| {
        template.and_then(|t| t.version.as_deref()).and_then(|version| version.parse::<i64>().ok()).filter(|n| *n > 0)
    };
    let group = version(doc.group.launch_template.as_ref());
    let target = version(doc.group.configuration.as_ref().and_then(|given| given.launch_template.as_ref()));
    let mut number =
        |at: &str, given: Option<i64>, default: i64| c.number(at, given, 1, i64::from(u32::MAX), default, None) as u32;
    let old = number("/old/revision", doc.old.revision, group.unwrap_or(1));
    let new = number("/new/revision", doc.new.revision, target.unwrap_or(i64::from(old) + 1));
    if old == new {
        c.invalid("/new/revision", new, "another launch template version than the group's").nearest =
            Some((i64::from(old) + 1).into());
    }
    let mut side = |at: &str, side: &RevisionDoc, number: u32| {
        let behaviour = behaviour(at, side.fate.as_ref(), side.by_start.as_ref(), side.bad_responses, c);
        no_pools(at, &behaviour, c);
        Revision::new(number, behaviour)
    };
    let known = Vec::from([side("/old", &doc.old, old), side("/new", &doc.new, new)]);
    let matching = params.start.matching.min(params.desired);
    let steady = |revision: u32, healthy: u32| StartDeployment {
        revision,
        state: RolloutState::Completed,
        failed_tasks: 0,
        healthy,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    };
    let mut deployments = Vec::new();
    if matching > 0 {
        deployments.push(steady(new, matching));
    }
    deployments.push(steady(old, params.desired - matching));
    let deploy = doc.start.as_ref().and_then(|start| start.deploy).unwrap_or(true);
    (known, new, Start { deployments, deploy: deploy.then_some(new) })
}

/// Warns of a fate that no check of the group would notice.
fn unseen(doc: &Document, params: &Params, c: &mut Checker) {
    if params.elb {
        return;
    }
    let text = "HealthCheckType EC2 looks at the machine alone: nobody notices, and the instance counts as healthy";
    for (at, side) in [("/new/fate", &doc.new), ("/old/fate", &doc.old)] {
        let name = match side.fate {
            Some(Fate::NeverPasses) => "never_passes",
            Some(Fate::Hangs) => "hangs",
            Some(Fate::TurnsUnhealthyAfter(_)) => "turns_unhealthy_after",
            _ => continue,
        };
        c.push(Problem::warning(Kind::Advice, at, name, text));
    }
}

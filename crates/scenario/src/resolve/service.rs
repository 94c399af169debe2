//! The rules of the service and its deployment configuration (ECS API shapes `CreateService`,
//! `DeploymentConfiguration`; ranges that the API leaves open are those of CloudFormation).

use alloc::format;
use alloc::string::String;

use rollscope_engine::platform::ecs::Strategy;
use rollscope_engine::settings::TASKS_MAX;
use rollscope_engine::time::SECOND;

use super::capacity;
use super::checker::{CLIENT_SIDE, Checker, INVALID_PARAMETER};
use super::protection::{self, Protection};
use super::shift;
use crate::Value;
use crate::document::{DeploymentConfiguration, Document, Service};
use crate::json::pointer_join;

/// Tasks a service may have by default (quota, can be raised).
pub const TASKS_QUOTA: i64 = 5_000;
/// The same with service discovery or Service Connect.
pub const TASKS_QUOTA_DISCOVERY: i64 = 1_000;
/// Longest wait in minutes of bake and step times: a day.
pub const DAY_MINUTES: i64 = 1_440;

const SERVICE: &str = "/service";
pub const CONFIG: &str = "/service/deploymentConfiguration";

/// What the rest of validation needs of the service.
#[derive(Debug)]
pub struct CheckedService {
    pub desired: u32,
    pub minimum: u32,
    pub maximum: u32,
    pub grace_ms: u64,
    pub fargate: bool,
    pub daemon: bool,
    pub rebalancing: bool,
    pub protection: Protection,
    pub strategy: Strategy,
}

/// Checks `service`.
pub fn check(doc: &Document, c: &mut Checker) -> CheckedService {
    let s = &doc.service;
    let daemon = scheduling(doc, c);
    let desired = if daemon { of_daemon(doc, c) } else { desired(s, c) };
    let grace = c.number(
        "/service/healthCheckGracePeriodSeconds",
        s.grace,
        0,
        i64::from(i32::MAX),
        0,
        Some(match s.grace {
            Some(given) if given < 0 => "InvalidParameterException: healthCheckGracePeriodSeconds must be at least 0",
            _ => INVALID_PARAMETER,
        }),
    );
    let allow_full = doc.readings.allow_100_100 == Some(true);
    let (minimum, maximum) = percentages(&s.deployment, daemon, desired, allow_full, c);
    let rebalancing = rebalancing(s, daemon, maximum, c);
    let room = capacity::has_instances(doc) || doc.places.is_some();
    let fargate = launch(s, daemon, room, c);
    let (protection, strategy) = deployment(doc, minimum, c);
    if s.force_new_deployment == Some(true) {
        c.not_simulated("/service/forceNewDeployment", "the run starts a deployment anyway (see start.deploy)");
    }
    let placed = ["placementConstraints", "placementStrategy", "managedScaling"];
    for name in s.kept().filter(|name| !(placed.contains(name) && capacity::has_instances(doc))) {
        c.not_simulated(&pointer_join("/service", name), "kept as it is; it does not change the run");
    }
    CheckedService {
        desired,
        minimum,
        maximum,
        grace_ms: grace as u64 * SECOND,
        fargate,
        daemon,
        rebalancing,
        protection,
        strategy,
    }
}

/// Strategy and controller; true for DAEMON.
fn scheduling(doc: &Document, c: &mut Checker) -> bool {
    let s = &doc.service;
    let at = "/service/schedulingStrategy";
    let given = s.scheduling_strategy.as_deref();
    let daemon = c.name(at, given, &["REPLICA", "DAEMON"], "REPLICA", Some(INVALID_PARAMETER)) == "DAEMON";
    let at_controller = "/service/deploymentController/type";
    let controllers = ["ECS", "CODE_DEPLOY", "EXTERNAL"];
    let given = s.deployment_controller.kind.as_deref();
    let controller = c.name(at_controller, given, &controllers, "ECS", Some(INVALID_PARAMETER));
    if daemon && controller != "ECS" {
        c.refuse(
            at_controller,
            controller,
            "ECS: the DAEMON strategy works with no other controller",
            INVALID_PARAMETER,
        )
        .nearest = Some("ECS".into());
    }
    if daemon && !capacity::has_instances(doc) {
        c.missing("/capacity/instances", "the instances of the cluster: a DAEMON service runs one task on each", None);
    }
    if controller != "ECS" {
        c.not_available(at_controller, controller, "not simulated yet; ECS is").nearest = Some("ECS".into());
    }
    daemon
}

/// The desired count of a DAEMON service: one task for each instance that is there.
fn of_daemon(doc: &Document, c: &mut Checker) -> u32 {
    if let Some(given) = doc.service.desired_count {
        let text = "unused: the desired count of a DAEMON service is the number of its instances";
        c.advise("/service/desiredCount", given, text);
    }
    capacity::instances_at_start(doc)
}

fn desired(s: &Service, c: &mut Checker) -> u32 {
    let at = "/service/desiredCount";
    let Some(given) = s.desired_count else {
        let answer = "InvalidParameterException: desiredCount is required for the REPLICA strategy";
        c.missing(at, "the number of tasks, 0 or more", Some(answer));
        return 0;
    };
    let answer = (given < 0).then_some("InvalidParameterException: desiredCount must be at least 0");
    let desired = c.in_range(at, given, 0, i64::from(TASKS_MAX), answer);
    if desired == given {
        advise_quota(at, desired, s, c);
    }
    desired as u32
}

/// Warns above the default quotas.
pub fn advise_quota(at: &str, desired: i64, s: &Service, c: &mut Checker) {
    let discovery = s.registries.as_ref().is_some_and(|list| !list.is_empty());
    if desired > TASKS_QUOTA {
        c.advise(at, desired, "above the default quota of 5,000 tasks a service");
    } else if discovery && desired > TASKS_QUOTA_DISCOVERY {
        c.advise(at, desired, "above the default quota of 1,000 tasks a service with service discovery");
    }
}

/// `minimumHealthyPercent` and `maximumPercent`.
fn percentages(
    d: &DeploymentConfiguration,
    daemon: bool,
    desired: u32,
    allow_full: bool,
    c: &mut Checker,
) -> (u32, u32) {
    let before = c.problems.len();
    let minimum =
        minimum_percent(c, &format!("{CONFIG}/minimumHealthyPercent"), d.minimum, if daemon { 0 } else { 100 });
    let at = format!("{CONFIG}/maximumPercent");
    let maximum = maximum_percent(c, &at, d.maximum, if daemon { 100 } else { 200 });
    if daemon && maximum > 100 {
        c.refuse(&at, maximum, "100: a DAEMON service cannot go above it", DAEMON_ABOVE_100).nearest = Some(100.into());
    }
    if daemon && both_100(minimum, maximum.min(100), allow_full) {
        // There is no higher maximum: what helps is a minimum that lets a task stop.
        let text = "0 to 99: with a maximum of 100 no task could ever stop; 0 is the default of a DAEMON service";
        c.refuse(&format!("{CONFIG}/minimumHealthyPercent"), minimum, text, BOTH_100).nearest = Some(0.into());
    }
    if c.problems.len() == before && both_100(minimum, maximum, allow_full) {
        let near = room_for_one(desired);
        c.refuse(
            &at,
            "100 with minimumHealthyPercent 100",
            "a higher maximum or a lower minimum: together they leave no room to start or stop a task",
            BOTH_100,
        )
        .nearest = Some(near.into());
    }
    (minimum, maximum)
}

/// The answer of the service to more than 100 % of a daemon.
pub const DAEMON_ABOVE_100: &str =
    "InvalidParameterException: daemon scheduling does not support values above 100 for maximumPercent";

/// The answer of the service to 100/100.
pub const BOTH_100: &str = "InvalidParameterException: Both maximumPercent and minimumHealthyPercent cannot be 100 \
    as this will block deployments";

/// True when the pair is the one the service refuses.
pub fn both_100(minimum: u32, maximum: u32, allow_full: bool) -> bool {
    minimum == 100 && maximum == 100 && !allow_full
}

/// The least maximum percent that leaves room for one more task than desired.
pub fn room_for_one(desired: u32) -> u32 {
    if desired == 0 {
        return 200;
    }
    ((u64::from(desired) + 1) * 100).div_ceil(u64::from(desired)) as u32
}

/// Range of `minimumHealthyPercent`.
pub fn minimum_percent(c: &mut Checker, at: &str, value: Option<i64>, default: i64) -> u32 {
    let answer = match value {
        Some(v) if v < 0 => "InvalidParameterException: minimumHealthyPercent must be at least 0",
        _ => "InvalidParameterException: minimumHealthyPercent must be at most 100",
    };
    c.number(at, value, 0, 100, default, Some(answer)) as u32
}

/// Range of `maximumPercent`: there is no documented top, only the simulator's own.
pub fn maximum_percent(c: &mut Checker, at: &str, value: Option<i64>, default: i64) -> u32 {
    let below = value.is_some_and(|v| v < 100);
    let answer = below.then_some("InvalidParameterException: maximumPercent must be at least 100");
    c.number(at, value, 100, i64::from(u32::MAX), default, answer) as u32
}

/// `availabilityZoneRebalancing`. What runs is there already, so a value that was left out is the one
/// of a service that never stored any: DISABLED. Source: API `UpdateServiceRequest`.
fn rebalancing(s: &Service, daemon: bool, maximum: u32, c: &mut Checker) -> bool {
    let at = "/service/availabilityZoneRebalancing";
    let Some(given) = s.az_rebalancing.as_deref() else {
        c.default_used(at, "DISABLED");
        return false;
    };
    if c.one_name(at, given, &["ENABLED", "DISABLED"], Some(INVALID_PARAMETER)) != Some("ENABLED") {
        return false;
    }
    let classic = s.load_balancers.iter().flatten().any(|lb| lb.name.is_some());
    let why = if maximum <= 100 {
        "DISABLED; ENABLED needs a maximumPercent above 100, since the extra task starts first"
    } else if daemon {
        "DISABLED: not with the DAEMON strategy"
    } else if s.launch_type.as_deref() == Some("EXTERNAL") {
        "DISABLED: not with the launch type EXTERNAL"
    } else if classic {
        "DISABLED: not with a Classic Load Balancer"
    } else if !zones_come_first(s) {
        "DISABLED, or a placementStrategy that begins with spread over attribute:ecs.availability-zone"
    } else if names_zones(s) {
        "DISABLED: not with a placement constraint on attribute:ecs.availability-zone"
    } else {
        return true;
    };
    c.refuse(at, "ENABLED", why, INVALID_PARAMETER).nearest = Some("DISABLED".into());
    false
}

const ZONE: &str = "attribute:ecs.availability-zone";

/// Rebalancing needs a placement strategy that spreads over zones first, or none.
/// Source: Developer Guide, service-rebalancing.
fn zones_come_first(s: &Service) -> bool {
    let first = s.placement_strategy.as_ref().and_then(Value::as_array).and_then(|list| list.first());
    let says = |item: &Value, key: &str, word: &str| {
        item.get(key).and_then(Value::as_str).is_some_and(|given| given.eq_ignore_ascii_case(word))
    };
    first.is_none_or(|first| says(first, "type", "spread") && says(first, "field", ZONE))
}

fn names_zones(s: &Service) -> bool {
    let constraints = s.placement_constraints.as_ref().and_then(Value::as_array).unwrap_or(&[]);
    let expression = |item: &&Value| item.get("expression").and_then(Value::as_str).is_some_and(|e| e.contains(ZONE));
    constraints.iter().any(|item| expression(&item))
}

/// Launch type and capacity providers; true when tasks run on Fargate. The document says itself what `room` there is,
/// or leaves it open.
fn launch(s: &Service, daemon: bool, room: bool, c: &mut Checker) -> bool {
    let at = "/service/launchType";
    let known = ["EC2", "FARGATE", "EXTERNAL", "MANAGED_INSTANCES"];
    let launch = s.launch_type.as_deref().and_then(|given| c.one_name(at, given, &known, Some(INVALID_PARAMETER)));
    let at_providers = "/service/capacityProviderStrategy";
    let providers = s.capacity_providers.as_deref().unwrap_or(&[]);
    if launch.is_some() && !providers.is_empty() {
        let allowed = "either launchType or capacityProviderStrategy, not both";
        c.refuse(at_providers, "both", allowed, INVALID_PARAMETER);
    }
    for (i, item) in providers.iter().enumerate() {
        let here = pointer_join(at_providers, i);
        if item.provider.is_none() {
            c.missing(&format!("{here}/capacityProvider"), "the name of a capacity provider", Some(CLIENT_SIDE));
        }
        c.optional(&format!("{here}/weight"), item.weight, 0, 1_000, Some(INVALID_PARAMETER));
        c.optional(&format!("{here}/base"), item.base, 0, 100_000, Some(INVALID_PARAMETER));
    }
    if s.registries.as_ref().is_some_and(|list| !list.is_empty()) {
        let why = "Cloud Map does not check tasks here: a registered task is as healthy as its other checks say";
        c.not_simulated("/service/serviceRegistries", why);
    }
    if !providers.is_empty() && !room {
        c.not_simulated(at_providers, "where tasks run is not simulated yet, only the launch quota of Fargate");
    }
    let on_fargate = |name: &str| name == "FARGATE" || name == "FARGATE_SPOT";
    let fargate = launch == Some("FARGATE") || providers.iter().filter_map(|p| p.provider.as_deref()).any(on_fargate);
    if fargate && daemon {
        c.refuse("/service/schedulingStrategy", "DAEMON", "REPLICA on Fargate", INVALID_PARAMETER).nearest =
            Some("REPLICA".into());
    }
    fargate
}

/// Everything else in `deploymentConfiguration`.
fn deployment(doc: &Document, minimum: u32, c: &mut Checker) -> (Protection, Strategy) {
    let d = &doc.service.deployment;
    let at = format!("{CONFIG}/strategy");
    let known = ["ROLLING", "BLUE_GREEN", "LINEAR", "CANARY"];
    let strategy = c.name(&at, d.strategy.as_deref(), &known, "ROLLING", Some(INVALID_PARAMETER));
    let protection = protection::check(doc, strategy, minimum, c);
    (protection, shift::check(doc, strategy, c))
}

/// The pointer of a field of the service, for other checks.
pub fn service_field(name: &str) -> String {
    pointer_join(SERVICE, name)
}

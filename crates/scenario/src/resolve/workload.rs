//! The rules of containers (task definition) and target groups (Elastic Load Balancing).

use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::settings::{ContainerCheck, SOURCES_MAX, TargetGroup};
use rollscope_engine::time::SECOND;

use super::checker::{CLIENT_SIDE, Checker};
use super::service::{CheckedService, service_field};
use crate::document::{self, Container, Document, NewTargetPasses};
use crate::json::pointer_join;

/// What registering a task definition answers.
const CLIENT_EXCEPTION: &str = "ClientException";
/// What the load balancer answers.
const VALIDATION_ERROR: &str = "ValidationError";
/// SIGTERM to SIGKILL when nothing is given, in seconds.
const STOP_TIMEOUT: i64 = 30;
/// Longest start and stop timeout off Fargate, where the API names no top: a day.
const SECONDS_MAX: i64 = 86_400;

/// Containers and target groups after validation.
#[derive(Debug)]
pub struct Workload {
    pub containers: Vec<ContainerCheck>,
    pub target_groups: Vec<TargetGroup>,
    pub stop_timeout_ms: u64,
}

/// Checks `containers` and `targetGroups`.
pub fn check(doc: &Document, service: &CheckedService, c: &mut Checker) -> Workload {
    let containers = doc.containers.as_deref().unwrap_or(&[]);
    let checks = containers
        .iter()
        .enumerate()
        .filter_map(|(i, container)| check_container(&pointer_join("/containers", i), container, service.fargate, c))
        .collect::<Vec<_>>();
    if !containers.is_empty() && containers.iter().all(|container| container.essential == Some(false)) {
        let allowed = "at least one container with essential true";
        c.refuse("/containers", "none is essential", allowed, CLIENT_EXCEPTION);
    }
    let stop_timeout = stop_timeout(containers, c);
    let target_groups = target_groups(doc, c);
    if checks.len() + target_groups.len() > SOURCES_MAX {
        let given = format!("{}", checks.len() + target_groups.len());
        c.invalid("/containers", given, &format!("at most {SOURCES_MAX} containers with a check and target groups"));
    }
    Workload { containers: checks, target_groups, stop_timeout_ms: stop_timeout as u64 * SECOND }
}

/// The longest stop timeout: a container without one has the default.
fn stop_timeout(containers: &[Container], c: &mut Checker) -> i64 {
    if containers.iter().all(|container| container.stop_timeout.is_none()) {
        c.default_used("/containers/0/stopTimeout", STOP_TIMEOUT);
    }
    let each = containers.iter().map(|container| container.stop_timeout.unwrap_or(STOP_TIMEOUT).clamp(0, SECONDS_MAX));
    each.max().unwrap_or(STOP_TIMEOUT)
}

/// One container; its check when it has one and the task depends on it.
fn check_container(at: &str, container: &Container, fargate: bool, c: &mut Checker) -> Option<ContainerCheck> {
    let (min, max) = if fargate { (2, 120) } else { (0, SECONDS_MAX) };
    c.optional(&format!("{at}/stopTimeout"), container.stop_timeout, min, max, Some(CLIENT_EXCEPTION));
    c.optional(&format!("{at}/startTimeout"), container.start_timeout, min, max, Some(CLIENT_EXCEPTION));
    if container.start_timeout.is_some() {
        c.not_simulated(&format!("{at}/startTimeout"), "containers that wait for each other are not simulated");
    }
    if let Some(policy) = &container.restart_policy {
        let at = format!("{at}/restartPolicy");
        if policy.enabled.is_none() {
            c.missing(&format!("{at}/enabled"), "true or false; required in restartPolicy", Some(CLIENT_SIDE));
        }
        let period = policy.attempt_period;
        c.optional(&format!("{at}/restartAttemptPeriod"), period, 60, 1_800, Some(CLIENT_EXCEPTION));
        c.not_simulated(&at, "restarts in place are not simulated: an exit ends the task");
    }
    if let Some(value) = container.version_consistency.as_deref() {
        let at = format!("{at}/versionConsistency");
        c.one_name(&at, value, &["enabled", "disabled"], Some(CLIENT_EXCEPTION));
        c.not_simulated(&at, "image digests are not simulated");
    }
    let health = container.health_check.as_ref()?;
    let check = container_check(&format!("{at}/healthCheck"), health, c);
    if container.essential == Some(false) {
        c.not_simulated(&format!("{at}/healthCheck"), "the container is not essential: its check does not decide");
        return None;
    }
    Some(check)
}

fn container_check(at: &str, health: &document::ContainerHealthCheck, c: &mut Checker) -> ContainerCheck {
    if let Some(command) = &health.command {
        let first = command.first().map_or("", |word| word.as_str());
        if !matches!(first, "CMD" | "CMD-SHELL") {
            let at = format!("{at}/command");
            c.refuse(&at, format!("\"{first}\""), "a list that starts with CMD or CMD-SHELL", CLIENT_EXCEPTION);
        }
    }
    let answer = Some(CLIENT_EXCEPTION);
    let interval = c.number(&format!("{at}/interval"), health.interval, 5, 300, 30, answer);
    let timeout = c.number(&format!("{at}/timeout"), health.timeout, 2, 60, 5, answer);
    let retries = c.number(&format!("{at}/retries"), health.retries, 1, 10, 3, answer);
    let start_period = c.number(&format!("{at}/startPeriod"), health.start_period, 0, 300, 0, answer);
    ContainerCheck {
        interval_ms: interval as u64 * SECOND,
        timeout_ms: timeout as u64 * SECOND,
        retries: retries as u32,
        start_period_ms: start_period as u64 * SECOND,
    }
}

/// Target groups; those only named in `service.loadBalancers` have all defaults.
pub(super) fn target_groups(doc: &Document, c: &mut Checker) -> Vec<TargetGroup> {
    let passes = doc.readings.new_target_passes.unwrap_or(NewTargetPasses::One);
    let balancers = doc.service.load_balancers.as_deref().unwrap_or(&[]);
    let named;
    let groups = match &doc.target_groups {
        Some(groups) => {
            if !balancers.is_empty() && balancers.len() != groups.len() {
                let given = format!("{} load balancers, {} target groups", balancers.len(), groups.len());
                c.advise("/targetGroups", given, "the target groups decide what is simulated");
            }
            groups.as_slice()
        }
        None => {
            if !balancers.is_empty() {
                let text = "their checks are not given in targetGroups: the defaults of a target group are used";
                c.advise(&service_field("loadBalancers"), balancers.len(), text);
            }
            named = balancers.iter().map(|_| document::TargetGroup::default()).collect::<Vec<_>>();
            named.as_slice()
        }
    };
    groups.iter().enumerate().map(|(i, g)| target_group(&pointer_join("/targetGroups", i), g, passes, c)).collect()
}

fn target_group(at: &str, g: &document::TargetGroup, passes: NewTargetPasses, c: &mut Checker) -> TargetGroup {
    let answer = Some(VALIDATION_ERROR);
    let protocols = ["HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP", "GENEVE"];
    let protocol = c.name(&format!("{at}/protocol"), g.protocol.as_deref(), &protocols, "HTTP", answer);
    let network = matches!(protocol, "TCP" | "TLS" | "UDP" | "TCP_UDP");
    let default = if network { "TCP" } else { "HTTP" };
    // TLS is no protocol of a check in the API, but people write it for a TLS target group.
    let checks = ["HTTP", "HTTPS", "TCP", "TLS"];
    let check = c.name(&format!("{at}/healthCheckProtocol"), g.check_protocol.as_deref(), &checks, default, answer);
    let timeout_default = if check == "HTTP" { 6 } else { 10 };
    let interval = c.number(&format!("{at}/healthCheckIntervalSeconds"), g.interval, 5, 300, 30, answer);
    let at_timeout = format!("{at}/healthCheckTimeoutSeconds");
    let timeout = c.number(&at_timeout, g.timeout, 2, 120, timeout_default, answer);
    if timeout > interval {
        c.advise(&at_timeout, timeout, "longer than the interval: checks of one target overlap");
    }
    let healthy = c.number(&format!("{at}/healthyThresholdCount"), g.healthy_threshold, 2, 10, 5, answer);
    let unhealthy = c.number(&format!("{at}/unhealthyThresholdCount"), g.unhealthy_threshold, 2, 10, 2, answer);
    let at_delay = format!("{at}/deregistration_delay.timeout_seconds");
    let delay = c.number(&at_delay, g.deregistration_delay, 0, 3_600, 300, answer);
    slow_start(&format!("{at}/slow_start.duration_seconds"), g.slow_start, c);
    TargetGroup {
        interval_ms: interval as u64 * SECOND,
        timeout_ms: timeout as u64 * SECOND,
        healthy_threshold: healthy as u32,
        unhealthy_threshold: unhealthy as u32,
        deregistration_delay_ms: delay as u64 * SECOND,
        new_target_passes: match passes {
            NewTargetPasses::One => 1,
            NewTargetPasses::Threshold => healthy as u32,
        },
    }
}

/// Off, or 30 to 900 seconds.
fn slow_start(at: &str, value: Option<i64>, c: &mut Checker) {
    let Some(value) = value.filter(|v| *v != 0) else { return };
    if !(30..=900).contains(&value) {
        let near = if value < 15 { 0 } else { value.clamp(30, 900) };
        c.refuse(at, value, "0 (off) or 30 to 900", VALIDATION_ERROR).nearest = Some(near.into());
    }
    c.not_simulated(at, "slow start shifts traffic, which is not simulated yet");
}

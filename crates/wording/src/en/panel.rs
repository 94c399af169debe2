//! Short texts of strategy, capacity and traffic in the panel at the left, in English.

use rollscope_engine::platform::ecs::rules_shift::waiting_ms;
use rollscope_engine::platform::ecs::strategy::{Shift, ShiftKind};
use rollscope_engine::settings::HostSpec;
use rollscope_engine::time::MINUTE;
use rollscope_scenario::edit::Platform;

use super::page::{number, zone};
use super::shift::per_mille;
use super::{duration, plural};

/// The platform, and how a deployment goes; absent for a rolling update.
pub fn platform(strategy: Option<ShiftKind>) -> &'static str {
    match strategy {
        None => "Amazon ECS, rolling update",
        Some(ShiftKind::BlueGreen) => "Amazon ECS, blue/green",
        Some(ShiftKind::Linear) => "Amazon ECS, linear",
        Some(ShiftKind::Canary) => "Amazon ECS, canary",
    }
}

/// The name of a platform.
pub fn platform_name(platform: Platform) -> &'static str {
    match platform {
        Platform::Ecs => "Amazon ECS",
        Platform::Kubernetes => "Kubernetes Deployment",
        Platform::StatefulSet => "Kubernetes StatefulSet",
        Platform::DaemonSet => "Kubernetes DaemonSet",
        Platform::InstanceRefresh => "EC2 Auto Scaling instance refresh",
        Platform::Mig => "Google Cloud managed instance group",
        Platform::Vmss => "Azure virtual machine scale set",
    }
}

fn minutes(ms: u64) -> String {
    format!("{} min", number(ms / MINUTE))
}

/// What the closed section says about the shift of traffic: "10 % every 6 min, bake 5 min".
pub fn shift_value(shift: &Shift) -> String {
    let bake = format!("bake {}", minutes(shift.bake_ms));
    let first = shift.steps.first();
    match (shift.kind, first) {
        (ShiftKind::Linear, Some(step)) if shift.steps.len() > 1 => {
            format!("{} every {}, {bake}", per_mille(step.green.into()), minutes(step.wait_ms))
        }
        (ShiftKind::Canary, Some(step)) if shift.steps.len() > 1 => {
            format!("{} for {}, {bake}", per_mille(step.green.into()), minutes(step.wait_ms))
        }
        _ => format!("all at once, {bake}"),
    }
}

/// The weights of the new revision and what they cost in time.
pub fn shift_sum(shift: &Shift) -> String {
    let weights: Vec<String> = shift.steps.iter().map(|step| per_mille(step.green.into())).collect();
    let weights = match &weights[..] {
        [first, second, .., last] if weights.len() > 6 => format!("{first}, {second}, … {last}"),
        all => all.join(", "),
    };
    let waits = match waiting_ms(&shift.steps, shift.bake_ms) {
        0 => "No time is spent waiting".into(),
        ms => format!("{} are spent waiting", duration(ms)),
    };
    format!("{}: {weights}. {waits}.", plural(shift.steps.len() as u32, "shift", "shifts"))
}

/// What the closed section says about hooks.
pub fn hooks_value(pauses: usize, functions: usize) -> String {
    let pauses = (pauses > 0).then(|| plural(pauses as u32, "pause", "pauses"));
    let functions = (functions > 0).then(|| plural(functions as u32, "function", "functions"));
    let all: Vec<String> = pauses.into_iter().chain(functions).collect();
    if all.is_empty() { "none".into() } else { all.join(", ") }
}

/// Heading of a hook in the list of hooks; it begins at 1.
pub fn hook_title(place: usize, pause: bool) -> String {
    format!("{} {place}", if pause { "Pause" } else { "Function" })
}

/// Several stages of one hook, which a choice of one cannot show.
pub fn hook_stages(stages: &[String]) -> String {
    format!("It stands at {}.", stages.join(", "))
}

/// CPU units as virtual CPUs: 1,024 are one.
fn vcpu(units: u32) -> String {
    format!("{} vCPU", hundredths(units, 1_024))
}

/// MiB as GiB.
fn gib(mib: u32) -> String {
    format!("{} GiB", hundredths(mib, 1_024))
}

fn hundredths(n: u32, of: u32) -> String {
    let all = u64::from(n) * 100 / u64::from(of);
    match (all / 100, all % 100) {
        (whole, 0) => number(whole),
        (whole, rest) if rest.is_multiple_of(10) => format!("{}.{}", number(whole), rest / 10),
        (whole, rest) => format!("{}.{rest:02}", number(whole)),
    }
}

/// What the closed section says about a cluster: "6 × 2 vCPU, 3 zones", or of several kinds how many.
pub fn cluster_value(hosts: &[HostSpec]) -> String {
    let zones = zones(hosts);
    let zones = plural(zones.len() as u32, "zone", "zones");
    let count = hosts.len() as u32;
    match hosts {
        [] => "no instance".into(),
        [first, rest @ ..] if rest.iter().all(|host| (host.cpu, host.memory) == (first.cpu, first.memory)) => {
            format!("{} × {}, {zones}", number(count.into()), vcpu(first.cpu))
        }
        _ => format!("{}, {zones}", plural(count, "instance", "instances")),
    }
}

/// Zones of some instances, ascending.
fn zones(hosts: &[HostSpec]) -> Vec<u8> {
    (0..=2).filter(|zone| hosts.iter().any(|host| host.zone == *zone)).collect()
}

/// Some equal instances in words, and how many tasks each has room for beside what others use:
/// "6 × 2 vCPU / 4 GiB in 3 zones, each with room for 8 tasks."
pub fn instances_sum(hosts: &[HostSpec], tasks_each: u32) -> String {
    let Some(first) = hosts.first() else { return String::new() };
    let where_ = match &zones(hosts)[..] {
        [only] => zone(*only),
        many => plural(many.len() as u32, "zone", "zones"),
    };
    let count = hosts.len() as u64;
    let each = if count == 1 { "with" } else { "each with" };
    let room = match tasks_each {
        0 => "room for no task".into(),
        n => format!("room for {}", super::tasks(n)),
    };
    format!("{} × {} / {} in {where_}, {each} {room}.", number(count), vcpu(first.cpu), gib(first.memory))
}

/// What one task takes: "0.25 vCPU / 0.5 GiB of its instance."
pub fn task_sum(cpu: u32, memory: u32) -> String {
    format!("{} / {} of its instance.", vcpu(cpu), gib(memory))
}

/// What the closed section says about Fargate.
pub fn fargate_value(outages: usize) -> &'static str {
    if outages == 0 { "Fargate" } else { "Fargate, for a while none" }
}

/// What the closed section says about traffic: the rate it begins with, and how often it changes.
pub fn traffic_value(rate: &str, later: usize, tracked: bool) -> String {
    let rate = match rate {
        "" => "not counted".to_owned(),
        rate => format!("{} a second", rate.parse().map_or_else(|_| rate.to_owned(), number)),
    };
    let later = match later {
        0 => String::new(),
        1 => ", 1 change".into(),
        n => format!(", {n} changes"),
    };
    format!("{rate}{later}{}", if tracked { ", tracked" } else { "" })
}

/// Heading of some equal instances in the list of them; it begins at 1.
pub fn instances_title(place: usize) -> String {
    format!("Instances, kind {place}")
}

/// Name of a field of an entry in a list, for those who do not see it beside its heading.
pub fn entry_field(entry: &str, field: &str) -> String {
    format!("{entry}: {field}")
}

/// Heading of a change of the rate of requests, with its time as it is written.
pub fn rate_from(at: &str) -> String {
    format!("From {} on", if at.is_empty() { "?" } else { at })
}

/// Place of a change of the rate of requests: “From”, “requests a second”.
pub fn rate_step(step: usize, is_time: bool) -> String {
    if is_time { format!("Change {step}: from") } else { format!("Change {step}: requests a second") }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::SimTime;
    use rollscope_engine::platform::ecs::rules_shift;

    use super::*;

    fn shift(kind: ShiftKind, steps: Vec<rollscope_engine::platform::ecs::strategy::ShiftStep>) -> Shift {
        let bake_ms = 5 * MINUTE;
        Shift { kind, steps, bake_ms, test_listener: false, steered: true, extra_ms: 0, hooks: Vec::new() }
    }

    #[test]
    fn a_shift_says_its_steps_and_its_waits() {
        let linear = shift(ShiftKind::Linear, rules_shift::linear(100, 6 * MINUTE));
        assert_eq!(shift_value(&linear), "10 % every 6 min, bake 5 min");
        assert_eq!(shift_sum(&linear), "10 shifts: 10 %, 20 %, … 100 %. 59 minutes are spent waiting.");
        let canary = shift(ShiftKind::Canary, rules_shift::canary(5, 10 * MINUTE));
        assert_eq!(shift_value(&canary), "0.5 % for 10 min, bake 5 min");
        let whole = shift(ShiftKind::BlueGreen, rules_shift::blue_green());
        assert_eq!(shift_value(&whole), "all at once, bake 5 min");
        assert_eq!(shift_sum(&whole), "1 shift: 100 %. 5 minutes are spent waiting.");
    }

    #[test]
    fn instances_are_told_in_the_units_of_their_types() {
        let host = |zone, cpu, memory| HostSpec {
            cpu,
            memory,
            interfaces: u32::MAX,
            zone,
            used_cpu: 0,
            used_memory: 0,
            used_interfaces: 0,
            used_port: false,
            from: SimTime::ZERO,
        };
        let six: Vec<HostSpec> = (0..6).map(|n| host(n % 3, 2_048, 4_096)).collect();
        assert_eq!(instances_sum(&six, 8), "6 × 2 vCPU / 4 GiB in 3 zones, each with room for 8 tasks.");
        assert_eq!(cluster_value(&six), "6 × 2 vCPU, 3 zones");
        assert_eq!(
            instances_sum(&[host(1, 256, 7_680)], 1),
            "1 × 0.25 vCPU / 7.5 GiB in zone b, with room for 1 task."
        );
        assert_eq!(cluster_value(&[host(0, 256, 1), host(1, 512, 1)]), "2 instances, 2 zones");
        assert_eq!((vcpu(1_000).as_str(), gib(512).as_str()), ("0.97 vCPU", "0.5 GiB"));
    }
}

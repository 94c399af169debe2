//! The rules of capacity: instances and what a task takes of them, placement, the capacity provider,
//! Fargate without capacity, and acts on instances.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::mechanism::host::{Host, HostState};
use rollscope_engine::order;
use rollscope_engine::settings::{
    Capacity, Cluster, Command, HOSTS_MAX, HostOrder, HostSpec, Needs, Outage, Placement, Provider, Start, ZONES,
};
use rollscope_engine::time::{MINUTE, SECOND, SimTime};

use super::checker::{Checker, INVALID_PARAMETER};
use super::service::{CheckedService, service_field};
use super::{UNTIL_MAX_MS, run};
use crate::document::{self, CapacityDoc, Document, InstanceDoc, OutageDoc, ProviderDoc};
use crate::duration::{self, Span};
use crate::json::{Value, pointer_join};

const AT: &str = "/capacity";
/// Most CPU units of an instance: 1,024 virtual CPUs.
const CPU_MAX: i64 = 1 << 20;
/// Most memory of an instance in MiB: 32 TiB.
const MEMORY_MAX: i64 = 1 << 25;
/// CPU units of an instance when nothing is given.
const CPU: i64 = 2_048;
/// Memory of an instance in MiB when nothing is given.
const MEMORY: i64 = 4_096;
/// From the order of an instance to its registration when nothing is given.
const ARRIVES_MS: u64 = 5 * MINUTE;

/// Instances that are there at time 0, as far as the document says so: the tasks of a DAEMON service.
pub fn instances_at_start(doc: &Document) -> u32 {
    let list = doc.capacity.iter().flat_map(|capacity| capacity.instances.iter().flatten());
    let there = list.filter(|instance| instance.at.is_none_or(|at| at.0 == 0));
    let count = |instance: &InstanceDoc| instance.count.unwrap_or(1).clamp(0, i64::from(HOSTS_MAX)) as u32;
    there.map(count).sum::<u32>().min(HOSTS_MAX)
}

/// Tasks run on instances.
pub fn has_instances(doc: &Document) -> bool {
    doc.capacity.as_ref().is_some_and(|capacity| capacity.instances.is_some())
}

/// Checks `capacity` and `places`: the one capacity of the run.
pub fn check(doc: &Document, service: &CheckedService, c: &mut Checker) -> Capacity {
    let places = run::places(doc, c);
    let Some(given) = &doc.capacity else {
        return if places.is_empty() { Capacity::Unlimited } else { Capacity::Places(places) };
    };
    if doc.places.is_some() {
        c.invalid("/places", "a list beside capacity", "either places or capacity, not both");
    }
    if given.instances.is_some() {
        if given.unavailable.is_some() {
            let allowed =
                "none: it is Fargate that has no capacity then; instances that cannot be had are provider.unavailable";
            c.invalid("/capacity/unavailable", "a span beside instances", allowed);
        }
        return cluster(given, doc, service, c);
    }
    if given.provider.is_some() || given.task != document::TaskNeeds::default() {
        c.missing("/capacity/instances", "a list of instances; it may be empty", None);
    }
    let list = given.unavailable.as_deref().unwrap_or(&[]);
    if !list.is_empty() && !service.fargate {
        let allowed = "none, or the launch type FARGATE, or a Fargate capacity provider";
        c.invalid("/capacity/unavailable", "a span without Fargate", allowed);
    }
    Capacity::Fargate(outages("/capacity/unavailable", list, c))
}

fn cluster(given: &CapacityDoc, doc: &Document, service: &CheckedService, c: &mut Checker) -> Capacity {
    if service.fargate {
        let allowed = "none, since Fargate tasks run on no instance of yours; or the launch type EC2";
        c.refuse("/capacity/instances", "a list with Fargate", allowed, INVALID_PARAMETER);
    }
    let mut needs = needs(given, c);
    let strategy = placement(doc, &mut needs, c);
    needs.alone |= service.daemon;
    let mut hosts = Vec::new();
    let mut first_kind = 0;
    for (i, instance) in given.instances.iter().flatten().enumerate() {
        let at = pointer_join("/capacity/instances", i);
        let count = c.number(&pointer_join(&at, "count"), instance.count, 1, i64::from(HOSTS_MAX), 1, None) as u32;
        let spec = host(&at, instance, given, c);
        for _ in 0..count {
            let zone = instance.zone.map_or((hosts.len() % ZONES) as u8, |_| spec.zone);
            hosts.push(HostSpec { zone, ..spec });
        }
        if i == 0 {
            first_kind = count;
        }
    }
    if hosts.len() > HOSTS_MAX as usize {
        c.invalid("/capacity/instances", hosts.len(), "at most 2,000 instances in all");
    }
    let provider = given.provider.as_ref().map(|provider| self::provider(provider, (given, &needs), doc, &hosts, c));
    Capacity::Ec2(Box::new(Cluster { hosts, first_kind, needs, strategy, daemon: service.daemon, provider }))
}

fn needs(given: &CapacityDoc, c: &mut Checker) -> Needs {
    let task = &given.task;
    let cpu = c.number("/capacity/task/cpu", task.cpu, 0, CPU_MAX, 256, None) as u32;
    let memory = c.number("/capacity/task/memory", task.memory, 0, MEMORY_MAX, 512, None) as u32;
    let modes = ["bridge", "host", "awsvpc", "none"];
    let mode = c.name("/capacity/task/networkMode", task.network_mode.as_deref(), &modes, "bridge", None);
    let ports = ports("/capacity/task/hostPorts", task.ports.as_deref(), c);
    let interface = mode == "awsvpc";
    if ports && interface {
        let text = "unused: in awsvpc mode each task has an interface and ports of its own";
        c.advise("/capacity/task/hostPorts", "with awsvpc", text);
    }
    Needs { cpu, memory, interface, port: ports && !interface, alone: false }
}

/// True when a fixed port is among them.
fn ports(at: &str, list: Option<&[i64]>, c: &mut Checker) -> bool {
    let list = list.unwrap_or(&[]);
    if list.len() > 100 {
        c.refuse(at, list.len(), "at most 100 reserved host ports an instance", INVALID_PARAMETER);
    }
    for (i, port) in list.iter().enumerate() {
        c.in_range(&pointer_join(at, i), *port, 0, 65_535, None);
    }
    list.iter().any(|port| *port != 0)
}

/// One instance; the zone is 0 where it is not given.
fn host(at: &str, given: &InstanceDoc, capacity: &CapacityDoc, c: &mut Checker) -> HostSpec {
    let field = |name: &str| pointer_join(at, name);
    let cpu = c.number(&field("cpu"), given.cpu, 1, CPU_MAX, CPU, None);
    let memory = c.number(&field("memory"), given.memory, 1, MEMORY_MAX, MEMORY, None);
    let interfaces = c.optional(&field("interfaces"), given.interfaces, 0, 1_000, None);
    let zone = c.optional(&field("zone"), given.zone, 0, ZONES as i64 - 1, None).unwrap_or(0);
    let used = |name: &str, value: Option<i64>, all: i64, c: &mut Checker| {
        c.optional(&format!("{at}/used/{name}"), value, 0, all, None).unwrap_or(0) as u32
    };
    let used_cpu = used("cpu", given.used.cpu, cpu, c);
    let used_memory = used("memory", given.used.memory, memory, c);
    let used_interfaces = used("interfaces", given.used.interfaces, interfaces.unwrap_or(1_000), c);
    let taken = given.used.ports.as_deref().unwrap_or(&[]);
    ports(&format!("{at}/used/hostPorts"), Some(taken), c);
    let wanted = capacity.task.ports.as_deref().unwrap_or(&[]);
    HostSpec {
        cpu: cpu as u32,
        memory: memory as u32,
        interfaces: interfaces.map_or(u32::MAX, |n| n as u32),
        zone: zone as u8,
        used_cpu,
        used_memory,
        used_interfaces,
        used_port: wanted.iter().any(|port| *port != 0 && taken.contains(port)),
        from: given.at.map_or(SimTime::ZERO, |at_time| span(&field("at"), at_time, c)),
    }
}

fn span(at: &str, Span(ms): Span, c: &mut Checker) -> SimTime {
    if ms > UNTIL_MAX_MS {
        c.invalid(at, duration::print(ms), "at most 16d, the longest run").nearest = Some(Value::from("16d"));
    }
    SimTime(ms.min(UNTIL_MAX_MS))
}

/// `placementStrategy` and `placementConstraints` of the service, as far as they are simulated.
fn placement(doc: &Document, needs: &mut Needs, c: &mut Checker) -> Placement {
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).unwrap_or("").to_ascii_lowercase();
    let constraints = doc.service.placement_constraints.as_ref().and_then(Value::as_array).unwrap_or(&[]);
    for (i, item) in constraints.iter().enumerate() {
        if text(item, "type") == "distinctinstance" {
            needs.alone = true;
        } else {
            let at = pointer_join(&service_field("placementConstraints"), i);
            c.not_simulated(&at, "only distinctInstance is simulated");
        }
    }
    let Some(list) = doc.service.placement_strategy.as_ref().and_then(Value::as_array) else {
        return Placement::default();
    };
    let mut strategy = Placement { zones: false, order: HostOrder::Spread };
    let mut decided = false;
    for (i, item) in list.iter().enumerate() {
        match (text(item, "type").as_str(), text(item, "field").as_str()) {
            ("spread", "attribute:ecs.availability-zone") if i == 0 => strategy.zones = true,
            ("spread", "instanceid" | "host") if !decided => decided = true,
            ("binpack", "cpu") if !decided => (strategy.order, decided) = (HostOrder::PackCpu, true),
            ("binpack", "memory") if !decided => (strategy.order, decided) = (HostOrder::PackMemory, true),
            _ => c.not_simulated(
                &pointer_join(&service_field("placementStrategy"), i),
                "simulated are spread over zones first, then spread over instances or binpack by cpu or memory",
            ),
        }
    }
    if list.is_empty() { Placement::default() } else { strategy }
}

fn provider(
    given: &ProviderDoc,
    (capacity, needs): (&CapacityDoc, &Needs),
    doc: &Document,
    hosts: &[HostSpec],
    c: &mut Checker,
) -> Provider {
    let (first, there) = (hosts.first(), hosts.len());
    let at = "/capacity/provider";
    let like = match (&given.instance, first) {
        (Some(instance), _) => host(&pointer_join(at, "instance"), instance, capacity, c),
        (None, Some(first)) => HostSpec { used_cpu: 0, used_memory: 0, used_interfaces: 0, used_port: false, ..*first },
        (None, None) => host(&pointer_join(at, "instance"), &InstanceDoc::default(), capacity, c),
    };
    let most = c.optional(&pointer_join(at, "max"), given.max, 0, i64::from(HOSTS_MAX), None);
    if let Some(most) = most.filter(|most| usize::try_from(*most).is_ok_and(|most| most <= there)) {
        c.advise(
            &pointer_join(at, "max"),
            most,
            &format!("it brings none: there are {there} instances from the start"),
        );
    }
    if Host::new(like, HostState::Active).fits(needs) == 0 {
        let text = "no task finds room on what it brings: it is too small, or others use it";
        c.advise(&pointer_join(at, "instance"), format!("{} CPU units, {} MiB", like.cpu, like.memory), text);
    }
    let warm_up = doc.service.managed_scaling.as_ref().and_then(|scaling| scaling.get("instanceWarmupPeriod"));
    let at_warm_up = format!("{}/instanceWarmupPeriod", service_field("managedScaling"));
    let warm_up =
        warm_up.and_then(Value::as_i64).map(|s| c.in_range(&at_warm_up, s, 0, 10_000, Some(INVALID_PARAMETER)));
    let arrives_ms = match (given.arrives_after, warm_up) {
        (Some(after), _) => span(&pointer_join(at, "arrives_after"), after, c).ms(),
        (None, Some(seconds)) => seconds as u64 * SECOND,
        (None, None) => {
            c.default_used(&pointer_join(at, "arrives_after"), duration::print(ARRIVES_MS));
            ARRIVES_MS
        }
    };
    let shortage = outages(&pointer_join(at, "unavailable"), given.unavailable.as_deref().unwrap_or(&[]), c);
    Provider { like, most: most.map_or(HOSTS_MAX, |n| n as u32), arrives_ms, shortage }
}

/// Spans without capacity, ascending.
fn outages(at: &str, list: &[OutageDoc], c: &mut Checker) -> Vec<Outage> {
    let mut found = Vec::new();
    for (i, outage) in list.iter().enumerate() {
        let here = pointer_join(at, i);
        let from = outage.from.map_or(SimTime::ZERO, |from| span(&pointer_join(&here, "from"), from, c));
        let until = outage.until.map_or(SimTime::NEVER, |until| span(&pointer_join(&here, "until"), until, c));
        if until <= from {
            let allowed = format!("a time after {}, when it begins", duration::print(from.ms()));
            c.invalid(&pointer_join(&here, "until"), duration::print(until.ms()), &allowed);
        }
        found.push(Outage { from, until });
    }
    order::by_key(&mut found, |outage| outage.from);
    if found.windows(2).any(|pair| pair[1].from < pair[0].until) {
        c.invalid(at, "spans that overlap", "spans one after the other");
    }
    found
}

/// What exists at time 0 has to run somewhere.
pub fn start_fits(capacity: &Capacity, start: &Start, c: &mut Checker) {
    let Capacity::Ec2(cluster) = capacity else { return };
    let tasks: u64 = start
        .deployments
        .iter()
        .map(|d| u64::from(d.healthy) + u64::from(d.running) + u64::from(d.unhealthy) + u64::from(d.stopping))
        .sum();
    let there = cluster.hosts.iter().filter(|spec| spec.from == SimTime::ZERO);
    let fits = |spec: &HostSpec| u64::from(Host::new(*spec, HostState::Active).fits(&cluster.needs));
    let room: u64 = there.map(fits).sum();
    // What is wrong with an instance or a task itself has been said.
    let known = c.problems.iter().any(|problem| problem.is_error() && problem.field.starts_with(AT));
    if tasks > room && !known {
        let given = format!("room for {room} at time 0");
        c.invalid(
            &format!("{AT}/instances"),
            given,
            &format!("room for the tasks that run then, {tasks}: more or larger instances"),
        );
    }
}

/// An act on instances; `instances` are those of the start, absent where tasks run on none.
pub fn act(at: &str, what: &str, act: &document::Act, instances: Option<u32>, c: &mut Checker) -> Option<Command> {
    let Some(instances) = instances else {
        let at = pointer_join(at, "do");
        c.invalid(&at, format!("\"{what}\""), "only where tasks run on instances (capacity.instances)");
        return None;
    };
    if what == "lose_zone" {
        let at = pointer_join(at, "zone");
        let Some(zone) = act.zone else {
            c.missing(&at, "a zone, 0 to 2", None);
            return None;
        };
        return Some(Command::LoseZone(c.in_range(&at, zone, 0, ZONES as i64 - 1, None) as u8));
    }
    let at_instance = pointer_join(at, "instance");
    let most = i64::from(instances.max(1));
    let given = c.optional(&at_instance, act.instance, 1, most, None).map(|n| n as u32);
    if what == "add_instance" {
        let count = c.optional(&pointer_join(at, "count"), act.count, 1, i64::from(HOSTS_MAX), None).unwrap_or(1);
        return Some(Command::AddInstances { like: given.unwrap_or(1), count: count as u32 });
    }
    let Some(number) = given else {
        c.missing(&at_instance, "the number of the instance, 1 or more", None);
        return None;
    };
    Some(match what {
        "drain_instance" => Command::DrainInstance(number),
        "lose_instance" => Command::LoseInstance(number),
        _ => Command::ReclaimInstance(number),
    })
}

//! Rows of capacity: `instances[]` and `refusals[]`.

use rollscope_engine::frame::{HostView, Usage};
use rollscope_engine::mechanism::host::{HostState, Resource};
use rollscope_engine::mechanism::placement::Shortage;
use rollscope_engine::trace::{Decision, Reason, What};
use rollscope_scenario::Value;

use crate::check::Check;
use crate::run::RunView;

/// The name of a resource in `short`.
pub fn resource(resource: Resource) -> &'static str {
    match resource {
        Resource::Cpu => "cpu",
        Resource::Memory => "memory",
        Resource::Port => "port",
        Resource::Interface => "interface",
        Resource::Alone => "one_per_instance",
    }
}

/// What a refusal says: tasks missing, instances, how many of them are short of what, the nearest.
pub fn shortage(need: u32, shortage: &Shortage) -> Value {
    let short = Resource::ALL.iter().zip(shortage.short).filter(|(_, count)| *count > 0);
    let short = short.map(|(kind, count)| (resource(*kind), Value::from(count)));
    let nearest = shortage.near().map(Value::from);
    Value::object([
        ("need", Value::from(need)),
        ("instances", shortage.instances.into()),
        ("short", Value::object(short)),
        ("nearest", Value::array(nearest)),
    ])
}

fn usage(usage: &Usage) -> Value {
    Value::object([
        ("total", Value::from(usage.total)),
        ("others", usage.others.into()),
        ("tasks", usage.tasks.into()),
        ("leaving", usage.leaving.into()),
        ("free", usage.free().into()),
    ])
}

/// The state of an instance.
pub fn state(state: HostState) -> &'static str {
    match state {
        HostState::Coming(_) => "REGISTERING",
        HostState::Active => "ACTIVE",
        HostState::Draining => "DRAINING",
        HostState::Gone => "GONE",
    }
}

fn instance(host: &HostView) -> Value {
    let arrives = match host.state {
        HostState::Coming(at) => Some(at.ms()),
        _ => None,
    };
    Value::object([
        ("instance", Value::from(host.number)),
        ("zone", host.zone.into()),
        ("status", state(host.state).into()),
        ("arrives_at_ms", arrives.into()),
        ("cpu", usage(&host.cpu)),
        ("memory", usage(&host.memory)),
        ("interfaces", host.interfaces.as_ref().map(usage).into()),
        ("port_taken", host.port_taken.into()),
        ("tasks", host.tasks.into()),
        ("leaving", host.leaving.into()),
        ("room", host.room.into()),
    ])
}

/// `instances[]` of `check --json`: as they are at time 0, before the first evaluation.
pub fn check(value: &mut Value, check: &Check) {
    value.insert("instances", Value::array(check.hosts.iter().map(instance)));
    let need = check.need.saturating_sub(check.started);
    let refused = check.shortage.filter(|_| need > 0 && !check.scaling);
    value.insert("refusals", Value::array(refused.iter().map(|short| refusal(0, need, short))));
}

fn refusal(at_ms: u64, need: u32, short: &Shortage) -> Value {
    let mut row = Value::object([("at", Value::from(at_ms))]);
    for (key, item) in shortage(need, short).as_object().unwrap_or_default() {
        row.insert(key.clone(), item.clone());
    }
    row
}

/// `instances[]` and `refusals[]` of `run --json`: as they are at the end, and each time the scheduler
/// began to find no place.
pub fn run(value: &mut Value, run: RunView<'_>) {
    let hosts = run.end.frame().hosts;
    value.insert("instances", Value::array(hosts.iter().map(instance)));
    let refused = run.records.iter().filter_map(|record| match record.what {
        What::Decision(Decision { reason: Reason::NoRoom { need, shortage }, .. }) => {
            Some(refusal(record.at.ms(), need, &shortage))
        }
        _ => None,
    });
    value.insert("refusals", Value::array(refused));
}

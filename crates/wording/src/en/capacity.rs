//! Instances, room on them, and what comes and goes, in English.

use rollscope_engine::SimTime;
use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::mechanism::placement::Shortage;
use rollscope_engine::settings::{Command, NoInstance};
use rollscope_engine::trace::{HostChange, Reason};
use rollscope_insight::check::Check;

use super::page::zone;
use super::{count, is_are, plural, tasks};
use crate::time::clock;

/// "instance 3"
fn instance(number: u32) -> String {
    format!("instance {}", count(number))
}

/// What happened to an instance.
pub(super) fn host(number: u32, change: &HostChange) -> String {
    let name = format!("Instance {}", count(number));
    match change {
        HostChange::Ordered { arrives } => {
            format!("The capacity provider orders {}: it registers at {}.", instance(number), clock(*arrives))
        }
        HostChange::Arrived => format!("{name} has registered: it takes tasks."),
        HostChange::Draining => format!("{name} is DRAINING: it takes no more tasks, and those on it are replaced."),
        HostChange::SpotNotice => format!("{name} is taken back in two minutes: it is DRAINING."),
        HostChange::Gone => format!("{name} is gone with everything on it."),
    }
}

/// An act on instances, or one that sets the desired count for somebody.
pub(super) fn act(command: &Command) -> String {
    match command {
        Command::AddInstances { like, count: n } => {
            let each = if *n == 1 { "one more" } else { "more" };
            format!("Somebody adds {}, {each} like {}.", plural(*n, "instance", "instances"), instance(*like))
        }
        Command::DrainInstance(number) => format!("Somebody drains {}.", instance(*number)),
        Command::LoseInstance(number) => format!("{} fails.", capital(&instance(*number))),
        Command::ReclaimInstance(number) => format!("The Spot capacity of {} is taken back.", instance(*number)),
        Command::LoseZone(index) => format!("Every instance in {} fails.", zone(*index)),
        Command::Schedule(n) => format!("The schedule sets the desired count to {}.", count(*n)),
        Command::Template { revision, desired } => {
            format!("A template is applied: it deploys r{revision} and sets the desired count to {}.", count(*desired))
        }
        _ => String::new(),
    }
}

/// The same in a few words.
pub(super) fn act_short(command: &Command) -> String {
    match command {
        Command::AddInstances { count: n, .. } => format!("add {}", plural(*n, "instance", "instances")),
        Command::DrainInstance(number) => format!("drain {}", instance(*number)),
        Command::LoseInstance(number) => format!("lose {}", instance(*number)),
        Command::ReclaimInstance(number) => format!("Spot takes {}", instance(*number)),
        Command::LoseZone(index) => format!("lose {}", zone(*index)),
        Command::Schedule(n) => format!("schedule {}", count(*n)),
        Command::Template { revision, desired } => format!("template r{revision}, desired {}", count(*desired)),
        _ => String::new(),
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

pub(super) fn resource(resource: Resource) -> &'static str {
    match resource {
        Resource::Cpu => "CPU",
        Resource::Memory => "memory",
        Resource::Port => "the host port",
        Resource::Interface => "a network interface",
        Resource::Alone => "a place without another task of the service",
    }
}

/// "all 4 instances lack the host port", "3 of 4 instances lack memory, 1 lacks CPU"
pub(super) fn short(shortage: &Shortage) -> String {
    let all = u32::from(shortage.instances);
    let mut kinds: Vec<(Resource, u32)> =
        Resource::ALL.iter().copied().zip(shortage.short.map(u32::from)).filter(|(_, n)| *n > 0).collect();
    rollscope_engine::order::by_key(&mut kinds, |(_, n)| u32::MAX - *n);
    let Some(((first, most), rest)) = kinds.split_first().map(|(first, rest)| (*first, rest)) else {
        return "no instance is ACTIVE".into();
    };
    let who = match (most, all) {
        (1, 1) => "the only instance lacks".into(),
        (2, 2) => "both instances lack".into(),
        (most, all) if most == all => format!("all {} instances lack", count(all)),
        (most, all) => format!("{} of {} instances {}", count(most), count(all), lack(most)),
    };
    let mut text = format!("{who} {}", resource(first));
    for (kind, n) in rest {
        text.push_str(&format!(", {} {} {}", count(*n), lack(*n), resource(*kind)));
    }
    text
}

fn lack(n: u32) -> &'static str {
    if n == 1 { "lacks" } else { "lack" }
}

/// Why nothing is done, or why something is, where it has to do with room.
pub(super) fn reason(reason: &Reason, who: impl Fn(u32) -> String) -> String {
    match *reason {
        Reason::StartsInRoom { ceiling, total, started, .. } => format!(
            "ECS starts {}: there is room for {}, the ceiling would allow {} minus {}.",
            who(started),
            count(started),
            count(ceiling),
            count(total)
        ),
        Reason::NoRoom { need, shortage } => {
            let wait = if need == 1 { "waits" } else { "wait" };
            format!("{} {wait} for room: {}.", tasks(need), short(&shortage))
        }
        Reason::WaitInstances { waiting, coming: 0, none, .. } => {
            let them = if waiting == 1 { "waits" } else { "wait" };
            format!("{} {them} in PROVISIONING for an instance, and {}.", tasks(waiting), no_instance(none))
        }
        Reason::WaitInstances { waiting, coming, until, .. } => {
            let them = if waiting == 1 { "waits" } else { "wait" };
            format!(
                "{} {them} in PROVISIONING: {} {} on the way and registers at {}.",
                tasks(waiting),
                if coming == 1 { "one instance".into() } else { format!("the next of {} instances", count(coming)) },
                is_are(1),
                clock(until)
            )
        }
        Reason::NoCapacity { need, until } => {
            let wait = if need == 1 { "waits" } else { "wait" };
            let until = if until == SimTime::NEVER { String::new() } else { format!(", until {}", clock(until)) };
            format!("{} {wait}: Fargate has no capacity to give{until}.", tasks(need))
        }
        Reason::InstanceDrains { healthy, floor, stopped } => format!(
            "{} {} its instance: {} {} healthy, the floor is {}.",
            who(stopped),
            if stopped == 1 { "leaves" } else { "leave" },
            count(healthy),
            is_are(healthy),
            count(floor)
        )
        .replace("leave its instance", "leave their instances"),
        Reason::Rebalances { from, to } => format!(
            "{} has at least two tasks more than {}: {} starts there first, one in {} stops once it is healthy.",
            capital(&zone(from)),
            zone(to),
            who(1),
            zone(from)
        ),
        _ => String::new(),
    }
}

/// What blocks the first step on instances or on Fargate, in one sentence.
pub(super) fn blocks(check: &Check) -> String {
    match check.shortage {
        Some(shortage) => format!("{}.", capital(&short(&shortage))),
        None if check.hosts.is_empty() => "Fargate has no capacity to give.".into(),
        None => String::new(),
    }
}

/// "6 of them wait in PROVISIONING for an instance; the next one registers after 5 minutes."
pub(super) fn waits(check: &Check) -> String {
    let (waiting, next) = check.waiting;
    let wait = if waiting == 1 { "waits" } else { "wait" };
    let next = match next {
        Some(at) => format!("the next one registers after {}", super::duration(at.ms())),
        None => "the capacity provider may bring no more".into(),
    };
    format!("{} {wait} in PROVISIONING for an instance; {next}.", tasks(waiting))
}

/// Why a capacity provider brings nothing.
pub(super) fn no_instance(none: Option<NoInstance>) -> String {
    match none {
        None => "none is on its way".into(),
        Some(NoInstance::TooSmall) => "what the capacity provider brings is too small for one".into(),
        Some(NoInstance::AtMost(most)) => format!("the capacity provider has its maximum of {}", count(most)),
        Some(NoInstance::NoneToGive) => "Amazon EC2 has no such instance to give".into(),
    }
}

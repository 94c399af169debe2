//! Instances on the page: their frames, and the one that is chosen, in English.

use rollscope_engine::SimTime;
use rollscope_engine::frame::{HostView, Usage};
use rollscope_engine::mechanism::host::{HostState, Resource};
use rollscope_insight::{HostRoom, HostStory};

use super::capacity::{resource, short};
use super::page::zone;
use super::{count, plural, tasks};
use crate::time::clock;

/// "i-3"
pub fn host_name(number: u32) -> String {
    format!("i-{}", count(number))
}

/// "Instance 3"
pub fn host_title(number: u32) -> String {
    format!("Instance {}", count(number))
}

/// Whole seconds, rounded up: what is not there yet never shows 0.
fn left(ms: u64) -> String {
    clock(SimTime(ms.div_ceil(1_000) * 1_000))
}

/// "DRAINING", "in 4:12"; nothing for an ACTIVE one.
pub fn host_state(state: HostState, at: SimTime) -> String {
    match state {
        HostState::Active => String::new(),
        HostState::Draining => "DRAINING".to_owned(),
        HostState::Coming(then) => format!("in {}", left(then.since(at))),
        HostState::Gone => "gone".to_owned(),
    }
}

/// "zone a: 2 instances"
pub fn zone_caption(index: u8, hosts: u32) -> String {
    format!("{}: {}", zone(index), plural(hosts, "instance", "instances"))
}

/// "CPU", "memory"
pub fn resource_name(resource: Resource) -> &'static str {
    match resource {
        Resource::Cpu => "CPU",
        Resource::Memory => "memory",
        Resource::Port => "port",
        Resource::Interface => "interfaces",
        Resource::Alone => "place",
    }
}

/// "512 free", "full"
pub fn resource_free(usage: &Usage) -> String {
    match usage.free() {
        0 => "full".to_owned(),
        free => format!("{} free", count(free)),
    }
}

/// "port taken", "1 of 3 interfaces free"
pub fn host_counts(host: &HostView) -> String {
    let port = host.port_taken.map(|taken| if taken { "port taken" } else { "port free" }.to_owned());
    let interfaces = host.interfaces.map(|usage| interfaces_free(&usage));
    port.into_iter().chain(interfaces).collect::<Vec<_>>().join(", ")
}

fn interfaces_free(usage: &Usage) -> String {
    format!("{} of {} interfaces free", count(usage.free()), count(usage.total))
}

/// "4 tasks wait for an instance, the next one registers at 5:00: both instances lack CPU (1,024 units short
/// on the nearest)"; then the same shorter, for a narrow place.
pub fn host_room(room: &HostRoom) -> Vec<String> {
    let lack = room.shortage.map(|shortage| short(&shortage));
    let by = room.short_by.map(|(kind, n)| format!(" ({} short on the nearest)", amount(kind, n))).unwrap_or_default();
    let next = room.next.map(|at| format!(", the next one registers at {}", clock(at))).unwrap_or_default();
    match (room.waiting, lack) {
        (0, None) if room.room == 1 => vec!["Room for one more task".to_owned()],
        (0, None) if room.room == u32::MAX => vec!["Room for any number of tasks: they reserve nothing".to_owned()],
        (0, None) => vec![format!("Room for {} more tasks", count(room.room))],
        (0, Some(lack)) => {
            let no = "No room for one more task";
            vec![format!("{no}: {lack}{by}"), format!("{no}: {lack}"), no.to_owned()]
        }
        (waiting, lack) => {
            let wait = if waiting == 1 { "waits" } else { "wait" };
            let wait = format!("{} {wait} for an instance", tasks(waiting));
            let lack = lack.map(|lack| format!(": {lack}")).unwrap_or_default();
            vec![format!("{wait}{next}{lack}{by}"), format!("{wait}{next}"), wait]
        }
    }
}

/// "1,024 units", "512 MiB"
fn amount(kind: Resource, n: u32) -> String {
    match kind {
        Resource::Cpu => format!("{} units", count(n)),
        _ => format!("{} MiB", count(n)),
    }
}

/// "+ 96"
pub fn more_waiting(tasks: u32) -> String {
    format!("+ {}", count(tasks))
}

/// "ACTIVE", "registers in 4:12"
pub fn host_status(host: &HostView, at: SimTime) -> String {
    match host.state {
        HostState::Active => "ACTIVE".to_owned(),
        HostState::Coming(then) => format!("registers in {}", left(then.since(at))),
        HostState::Draining | HostState::Gone => host_state(host.state, at),
    }
}

/// "zone a, ACTIVE"
pub fn host_place(host: &HostView, at: SimTime) -> String {
    format!("{}, {}", zone(host.zone), host_status(host, at))
}

/// What an instance holds and has left, line by line: what, and how much.
pub fn host_holds(story: &HostStory) -> Vec<(&'static str, String)> {
    let (host, needs) = (&story.view, &story.needs);
    let free = |usage: &Usage| format!("{} of {}", count(usage.free()), count(usage.total));
    let mut lines = vec![("Tasks", count(host.tasks))];
    if host.leaving > 0 {
        lines.push(("On their way out, held", count(host.leaving)));
    }
    lines.push(("CPU units free", free(&host.cpu)));
    lines.push(("MiB of memory free", free(&host.memory)));
    lines.extend(host.interfaces.map(|usage| ("Interfaces free", free(&usage))));
    lines.extend(host.port_taken.map(|taken| ("Host port", if taken { "taken" } else { "free" }.to_owned())));
    let each = [(needs.cpu, Resource::Cpu), (needs.memory, Resource::Memory)];
    let each: Vec<String> = each.into_iter().filter(|(n, _)| *n > 0).map(|(n, kind)| amount(kind, n)).collect();
    if !each.is_empty() {
        lines.push(("A task takes", each.join(", ")));
    }
    lines
}

/// "Yes, there is room for 2.", "No: it lacks CPU and memory."
pub fn host_takes(story: &HostStory, at: SimTime) -> String {
    match story.view.state {
        HostState::Coming(then) => format!("Not yet: it registers at {}.", clock(then.max(at))),
        HostState::Draining => "No: it is DRAINING and takes no more tasks.".to_owned(),
        HostState::Gone => "No: it has left the cluster.".to_owned(),
        HostState::Active if story.view.room > 0 => {
            // Where tasks reserve nothing there is no end of room.
            let room = story.view.room;
            if room == u32::MAX {
                "Yes: tasks reserve nothing here.".to_owned()
            } else {
                format!("Yes, there is room for {}.", count(room))
            }
        }
        HostState::Active => format!("No: it lacks {}.{}", lacked(story), elsewhere(story)),
    }
}

fn lacked(story: &HostStory) -> String {
    let short = |need: u32, usage: &Usage| need.saturating_sub(usage.free());
    let kinds = Resource::ALL.into_iter().zip(story.lacks).filter(|(_, lacks)| *lacks).map(|(kind, _)| match kind {
        Resource::Cpu => format!("CPU ({} short)", amount(kind, short(story.needs.cpu, &story.view.cpu))),
        Resource::Memory => format!("memory ({} short)", amount(kind, short(story.needs.memory, &story.view.memory))),
        other => resource(other).to_owned(),
    });
    kinds.collect::<Vec<_>>().join(" and ")
}

/// What the whole cluster lacks, with the instances nearest to taking one more.
fn elsewhere(story: &HostStory) -> String {
    let Some(shortage) = story.shortage.filter(|shortage| shortage.instances > 1) else { return String::new() };
    let nearest: Vec<String> = shortage.near().map(|n| host_name(u32::from(n))).collect();
    let nearest = if nearest.is_empty() { String::new() } else { format!(" Nearest: {}.", nearest.join(", ")) };
    format!(" No other takes it either: {}.{nearest}", super::capacity::short(&shortage))
}

/// "i-3, zone a, DRAINING, 2 tasks, 1 leaving, room for 0"
pub fn host_read(host: &HostView, at: SimTime) -> String {
    let leaving = if host.leaving == 0 { String::new() } else { format!(", {} leaving", count(host.leaving)) };
    let room = match (host.state, host.room) {
        (HostState::Active, 0) => ", no room".to_owned(),
        (HostState::Active, u32::MAX) => ", room".to_owned(),
        (HostState::Active, room) => format!(", room for {}", count(room)),
        _ => String::new(),
    };
    format!("{}, {}, {}{leaving}{room}", host_title(host.number), host_place(host, at), tasks(host.tasks))
}

/// "Lose zone a"
pub fn lose_zone(index: u8) -> String {
    format!("Lose {}", zone(index))
}

#[cfg(test)]
mod tests {
    use rollscope_engine::mechanism::placement::Shortage;
    use rollscope_engine::settings::Needs;

    use super::*;

    fn story() -> HostStory {
        let usage = |total, tasks, leaving| Usage { total, others: 0, tasks, leaving };
        HostStory {
            view: HostView {
                number: 3,
                zone: 0,
                state: HostState::Active,
                cpu: usage(2_048, 1_024, 512),
                memory: usage(4_096, 1_024, 512),
                interfaces: Some(usage(3, 2, 1)),
                port_taken: None,
                tasks: 2,
                leaving: 1,
                room: 0,
            },
            needs: Needs { cpu: 1_024, memory: 512, interface: true, port: false, alone: false },
            lacks: [true, false, false, true, false],
            shortage: Some(Shortage {
                instances: 2,
                short: [2, 0, 0, 1, 0],
                nearest: [3, 1, 0],
                nearest_lacks: Some(Resource::Cpu),
            }),
        }
    }

    #[test]
    fn a_full_instance_tells_what_it_holds_and_lacks() {
        let story = story();
        let told: Vec<String> = host_holds(&story).iter().map(|(what, amount)| format!("{what}: {amount}")).collect();
        assert_eq!(
            told,
            [
                "Tasks: 2",
                "On their way out, held: 1",
                "CPU units free: 512 of 2,048",
                "MiB of memory free: 2,560 of 4,096",
                "Interfaces free: 0 of 3",
                "A task takes: 1,024 units, 512 MiB",
            ]
        );
        assert_eq!(
            host_takes(&story, SimTime::ZERO),
            "No: it lacks CPU (512 units short) and a network interface. No other takes it either: both instances lack CPU, 1 lacks a network interface. Nearest: i-3, i-1."
        );
        assert_eq!(host_read(&story.view, SimTime::ZERO), "Instance 3, zone a, ACTIVE, 2 tasks, 1 leaving, no room");
    }

    #[test]
    fn room_and_waiting_are_told_with_what_is_short() {
        let room = HostRoom { waiting: 0, room: 3, shortage: None, short_by: None, next: None };
        assert_eq!(host_room(&room), ["Room for 3 more tasks"]);
        assert_eq!(host_room(&HostRoom { room: 1, ..room }), ["Room for one more task"]);
        let full = HostRoom { shortage: story().shortage, short_by: Some((Resource::Memory, 512)), room: 0, ..room };
        assert_eq!(
            host_room(&full)[0],
            "No room for one more task: both instances lack CPU, 1 lacks a network interface (512 MiB short on the nearest)"
        );
        let wait = HostRoom { waiting: 1, next: Some(SimTime(300_000)), ..room };
        assert_eq!(host_room(&wait)[0], "1 task waits for an instance, the next one registers at 5:00");
    }
}

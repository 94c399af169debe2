//! One instance: what it has, what is used, and what one more task would lack there.

use crate::capacity::{HostOrder, HostSpec, Needs};
use crate::time::SimTime;

/// No instance.
pub const NO_HOST: u32 = u32::MAX;

/// Where an instance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostState {
    /// It registers with the cluster at this moment.
    Coming(SimTime),
    /// `ACTIVE`: takes tasks.
    Active,
    /// `DRAINING`: takes none, and its tasks are replaced.
    Draining,
    /// It left the cluster.
    Gone,
}

/// What can be short on an instance, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Resource {
    /// CPU units.
    Cpu = 0,
    /// Memory.
    Memory = 1,
    /// A fixed host port.
    Port = 2,
    /// A network interface.
    Interface = 3,
    /// A place without another task of the service.
    Alone = 4,
}

/// Kinds of resources.
pub const RESOURCES: usize = 5;

impl Resource {
    /// All of them, in their order.
    pub const ALL: [Resource; RESOURCES] =
        [Resource::Cpu, Resource::Memory, Resource::Port, Resource::Interface, Resource::Alone];
}

/// An instance of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    /// What it offers.
    pub spec: HostSpec,
    /// Where it stands.
    pub state: HostState,
    /// Tasks of the service that run there or will.
    pub active: u32,
    /// Tasks of the service that hold their resources, those on their way out included.
    pub held: u32,
}

impl Host {
    /// An instance without tasks.
    pub const fn new(spec: HostSpec, state: HostState) -> Host {
        Host { spec, state, active: 0, held: 0 }
    }

    /// CPU units that nobody uses.
    pub fn free_cpu(&self, needs: &Needs) -> u32 {
        left(self.spec.cpu, self.spec.used_cpu, needs.cpu, self.held)
    }

    /// Memory in MiB that nobody uses.
    pub fn free_memory(&self, needs: &Needs) -> u32 {
        left(self.spec.memory, self.spec.used_memory, needs.memory, self.held)
    }

    /// Interfaces that nobody uses; `u32::MAX` for no limit.
    pub fn free_interfaces(&self, needs: &Needs) -> u32 {
        match self.spec.interfaces {
            u32::MAX => u32::MAX,
            all => left(all, self.spec.used_interfaces, u32::from(needs.interface), self.held),
        }
    }

    /// How many more tasks find what they need, whatever the state of the instance.
    ///
    /// 2,048 units and 4,096 MiB with two tasks of 512 units and 1,536 MiB: CPU for two more, memory
    /// for none, so 0. A fixed host port takes one task in all. Source: Developer Guide, task placement.
    pub fn fits(&self, needs: &Needs) -> u32 {
        let single = |wanted: bool, taken: bool| match (wanted, taken) {
            (false, _) => u32::MAX,
            (true, true) => 0,
            (true, false) => 1,
        };
        let interfaces = if needs.interface { self.free_interfaces(needs) } else { u32::MAX };
        let port = single(needs.port, self.spec.used_port || self.held > 0);
        let alone = single(needs.alone, self.held > 0);
        let cpu = self.free_cpu(needs).checked_div(needs.cpu).unwrap_or(u32::MAX);
        let memory = self.free_memory(needs).checked_div(needs.memory).unwrap_or(u32::MAX);
        cpu.min(memory).min(interfaces).min(port).min(alone)
    }

    /// What one more task would lack here.
    pub fn lacks(&self, needs: &Needs) -> [bool; RESOURCES] {
        [
            self.free_cpu(needs) < needs.cpu,
            self.free_memory(needs) < needs.memory,
            needs.port && (self.spec.used_port || self.held > 0),
            needs.interface && self.free_interfaces(needs) == 0,
            needs.alone && self.held > 0,
        ]
    }

    /// Its place among instances that fit: the least goes first. Spread: the tasks of the service
    /// there. Binpack: what is left of the resource. Source: Developer Guide, task-placement-strategies.
    pub fn order(&self, order: HostOrder, needs: &Needs) -> u64 {
        u64::from(match order {
            HostOrder::Spread => self.active,
            HostOrder::PackCpu => self.free_cpu(needs),
            HostOrder::PackMemory => self.free_memory(needs),
        })
    }

    /// How far it is from taking one more task: what is missing counts first, then how much of it.
    pub fn distance(&self, needs: &Needs) -> u64 {
        let kinds = self.lacks(needs).iter().filter(|lack| **lack).count() as u64;
        let missing = |free: u32, need: u32| u64::from(need.saturating_sub(free));
        let amount = missing(self.free_cpu(needs), needs.cpu) + missing(self.free_memory(needs), needs.memory);
        kinds << 40 | amount.min((1 << 40) - 1)
    }
}

/// What is left of `all` once others and `tasks` tasks have theirs.
fn left(all: u32, used: u32, each: u32, tasks: u32) -> u32 {
    let taken = u64::from(used) + u64::from(each) * u64::from(tasks);
    u64::from(all).saturating_sub(taken) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: Needs = Needs { cpu: 512, memory: 1_024, interface: false, port: false, alone: false };

    fn host(held: u32, change: impl FnOnce(&mut HostSpec)) -> Host {
        let mut spec = HostSpec {
            cpu: 2_048,
            memory: 8_192,
            interfaces: 3,
            zone: 0,
            used_cpu: 0,
            used_memory: 0,
            used_interfaces: 0,
            used_port: false,
            from: SimTime::ZERO,
        };
        change(&mut spec);
        Host { held, ..Host::new(spec, HostState::Active) }
    }

    #[test]
    fn the_tightest_resource_decides() {
        let cases: [(&str, Host, Needs, u32); 9] = [
            ("CPU for four", host(0, |_| ()), NEEDS, 4),
            ("one is there", host(1, |_| ()), NEEDS, 3),
            ("memory of others", host(0, |s| s.used_memory = 6_000), NEEDS, 2),
            ("interfaces", host(1, |_| ()), Needs { interface: true, ..NEEDS }, 2),
            ("no limit of interfaces", host(0, |s| s.interfaces = u32::MAX), Needs { interface: true, ..NEEDS }, 4),
            ("a fixed port, free", host(0, |_| ()), Needs { port: true, ..NEEDS }, 1),
            ("a fixed port, held by a task on its way out", host(1, |_| ()), Needs { port: true, ..NEEDS }, 0),
            ("a fixed port, taken", host(0, |s| s.used_port = true), Needs { port: true, ..NEEDS }, 0),
            ("nothing reserved", host(9, |_| ()), Needs { cpu: 0, memory: 0, ..NEEDS }, u32::MAX),
        ];
        for (name, host, needs, fits) in cases {
            assert_eq!(host.fits(&needs), fits, "{name}");
            assert_eq!(host.lacks(&needs).contains(&true), fits == 0, "{name}");
        }
    }

    #[test]
    fn the_least_goes_first() {
        let host = Host { active: 2, ..host(3, |s| s.used_memory = 1_000) };
        assert_eq!(host.order(HostOrder::Spread, &NEEDS), 2);
        assert_eq!(host.order(HostOrder::PackCpu, &NEEDS), 2_048 - 3 * 512);
        assert_eq!(host.order(HostOrder::PackMemory, &NEEDS), 8_192 - 1_000 - 3 * 1_024);
    }

    #[test]
    fn what_is_missing_is_told_and_measured() {
        let full = host(4, |s| s.used_memory = 4_500);
        assert_eq!(full.lacks(&NEEDS), [true, true, false, false, false]);
        let port = host(1, |_| ());
        let needs = Needs { port: true, ..NEEDS };
        assert_eq!(port.lacks(&needs), [false, false, true, false, false]);
        assert!(port.distance(&needs) < full.distance(&NEEDS), "one kind is nearer than two");
    }
}

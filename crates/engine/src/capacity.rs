//! Where tasks run: the capacity of a scenario after validation.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::time::SimTime;

/// Most instances of one scenario, those that come later included.
pub const HOSTS_MAX: u32 = 2_000;
/// Tasks that may wait in PROVISIONING for an instance. Source: Developer Guide, service-event-messages-list.
pub const PROVISIONING_MAX: u32 = 500;
/// From the Spot interruption notice to the end of the instance. Source: Amazon EC2 User Guide, spot-instance-termination-notices.
pub const SPOT_NOTICE_MS: u64 = 120_000;

/// The room there is for tasks. Exactly one kind holds for a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Capacity {
    /// Every task finds a place.
    #[default]
    Unlimited,
    /// A number of places over time, ascending; before the first step there is no limit.
    Places(Vec<PlacesStep>),
    /// Fargate, which now and then has none to give; ascending, not overlapping.
    Fargate(Vec<Outage>),
    /// Instances of a cluster.
    Ec2(Box<Cluster>),
}

/// From `at` on, at most `places` tasks have room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacesStep {
    /// Moment of the change.
    pub at: SimTime,
    /// Tasks of this service that fit, counting those that are stopping.
    pub places: u32,
}

/// Why a capacity provider brings no instance for tasks that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoInstance {
    /// What it brings is too small for one task.
    TooSmall,
    /// The group has all the instances that it may have: its maximum size.
    AtMost(u32),
    /// Amazon EC2 has no such instance to give.
    NoneToGive,
}

/// A span of time without capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outage {
    /// It begins.
    pub from: SimTime,
    /// It is over; NEVER for one that stays.
    pub until: SimTime,
}

/// EC2 instances and how tasks are placed on them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    /// The instances in the order of their numbers, 1 and up for people.
    pub hosts: Vec<HostSpec>,
    /// How many of them are of the first entry of the document: the kind that a proposal adds one of.
    pub first_kind: u32,
    /// What one task takes.
    pub needs: Needs,
    /// Which instance is taken first.
    pub strategy: Placement,
    /// `schedulingStrategy` DAEMON: one task an ACTIVE instance, the desired count follows them.
    pub daemon: bool,
    /// A capacity provider with managed scaling; absent: nothing brings instances.
    pub provider: Option<Provider>,
}

/// What an instance offers, in the units of ECS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostSpec {
    /// CPU units, 1,024 a virtual CPU.
    pub cpu: u32,
    /// Memory in MiB.
    pub memory: u32,
    /// Network interfaces for tasks in `awsvpc` mode; `u32::MAX` for no limit.
    pub interfaces: u32,
    /// Zone index.
    pub zone: u8,
    /// CPU units that other services use.
    pub used_cpu: u32,
    /// Memory in MiB that other services use.
    pub used_memory: u32,
    /// Interfaces that other services use.
    pub used_interfaces: u32,
    /// Another service holds a fixed host port that the tasks want.
    pub used_port: bool,
    /// It registers with the cluster then.
    pub from: SimTime,
}

/// What a task takes from its instance until it is STOPPED.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Needs {
    /// CPU units, 0 for none reserved.
    pub cpu: u32,
    /// Memory in MiB, 0 for none reserved.
    pub memory: u32,
    /// A network interface (`awsvpc`).
    pub interface: bool,
    /// Fixed host ports in `bridge` or `host` mode.
    pub port: bool,
    /// No second task of the service beside it: `distinctInstance`, or a DAEMON service.
    pub alone: bool,
}

/// `placementStrategy` of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// `spread` over `attribute:ecs.availability-zone` comes first.
    pub zones: bool,
    /// What decides between instances.
    pub order: HostOrder,
}

impl Default for Placement {
    /// Without a strategy: the zone with fewest tasks of the service, there the instance with
    /// fewest. Source: API `UpdateService`.
    fn default() -> Self {
        Placement { zones: true, order: HostOrder::Spread }
    }
}

/// What decides between two instances that both fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostOrder {
    /// `spread` over `instanceId`: fewest tasks of the service.
    Spread,
    /// `binpack` by `cpu`: least CPU left.
    PackCpu,
    /// `binpack` by `memory`: least memory left.
    PackMemory,
}

/// A capacity provider whose Auto Scaling group brings instances for tasks that wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Provider {
    /// What it brings; the zone is the one with fewest instances.
    pub like: HostSpec,
    /// Most instances of the cluster: the group's maximum size.
    pub most: u32,
    /// From the order of an instance to its registration.
    pub arrives_ms: u64,
    /// Amazon EC2 has no such instance to give; ascending.
    pub shortage: Vec<Outage>,
}

//! All instances with their indices: a placement, a stop and a refusal cost the logarithm of their number.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::capacity::{HostOrder, HostSpec, Needs};
use crate::mechanism::host::{Host, HostState, NO_HOST, RESOURCES, Resource};
use crate::settings::ZONES;
use crate::time::SimTime;

/// The class under which a task stands here once its stop is decided.
pub const LEAVING: u8 = u8::MAX;

/// A task on an instance, as the index knows it: deployment, class, key, slot.
pub type Seat = (u16, u8, u32, u32);

/// What a stop chooses among: deployment, class, protected or not.
type Kind = (u16, u8, bool);

/// Set in the key of a task under scale-in protection; more tasks than this are never created.
pub const PROTECTED: u32 = 1 << 31;

/// What is due for an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// It registers.
    Arrives,
    /// Its Spot capacity ends.
    Ends,
}

/// Why no instance takes one more task. Instances that are short of several resources count for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Shortage {
    /// ACTIVE instances.
    pub instances: u16,
    /// Instances that are short, by [`crate::mechanism::host::Resource`].
    pub short: [u16; RESOURCES],
    /// The three instances nearest to taking one more, as their numbers (1 and up); 0 for none.
    pub nearest: [u16; 3],
    /// The first resource that the nearest of them lacks.
    pub nearest_lacks: Option<Resource>,
}

impl core::hash::Hash for Shortage {
    /// What the nearest instance lacks follows from the instances, which are part of a state themselves.
    fn hash<H: core::hash::Hasher>(&self, h: &mut H) {
        (self.instances, self.short, self.nearest).hash(h);
    }
}

impl Shortage {
    /// The instances nearest to taking one more; none where every one of them has its own task and takes no second
    /// one: then none is nearer than another.
    pub fn near(&self) -> impl Iterator<Item = u16> + '_ {
        let alone = self.short[Resource::Alone as usize] == self.instances;
        self.nearest.iter().copied().filter(move |number| *number > 0 && !alone)
    }
}

/// The instances of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hosts {
    hosts: Vec<Host>,
    needs: Needs,
    order: HostOrder,
    /// The instance of the task in a slot, or [`NO_HOST`].
    host_of: Vec<u32>,
    /// ACTIVE instances with room: zone, place in the order, number.
    with_room: BTreeSet<(u8, u64, u32)>,
    /// ACTIVE instances without room: distance to taking one more, number.
    without_room: BTreeSet<(u64, u32)>,
    /// Tasks of a kind on an instance: number, kind.
    kinds: BTreeMap<(u32, Kind), u32>,
    /// Instances by zone and kind of the tasks there, the fullest first: active tasks counted down, number.
    fullest: BTreeSet<(u8, Kind, u32, u32)>,
    /// Every task on its instance.
    seats: BTreeSet<(u32, Seat)>,
    /// Healthy tasks on DRAINING instances: deployment, key, slot.
    displaced: BTreeSet<(u16, u32, u32)>,
    displaced_of: BTreeMap<u16, u32>,
    /// Tasks that wait for an instance, in the order they came: number, slot.
    waiting: BTreeSet<(u32, u32)>,
    moments: BTreeSet<(SimTime, u32, Moment)>,
    room: u64,
    active: u32,
    coming: u32,
    short: [u16; RESOURCES],
}

impl Hosts {
    /// No instance yet.
    pub fn new(needs: Needs, order: HostOrder) -> Hosts {
        Hosts {
            hosts: Vec::new(),
            needs,
            order,
            host_of: Vec::new(),
            with_room: BTreeSet::new(),
            without_room: BTreeSet::new(),
            kinds: BTreeMap::new(),
            fullest: BTreeSet::new(),
            seats: BTreeSet::new(),
            displaced: BTreeSet::new(),
            displaced_of: BTreeMap::new(),
            waiting: BTreeSet::new(),
            moments: BTreeSet::new(),
            room: 0,
            active: 0,
            coming: 0,
            short: [0; RESOURCES],
        }
    }

    /// Adds an instance that is there, or comes later. Its number from 0.
    pub fn add(&mut self, spec: HostSpec, comes: Option<SimTime>) -> u32 {
        let number = self.hosts.len() as u32;
        let state = comes.map_or(HostState::Active, HostState::Coming);
        self.hosts.push(Host::new(spec, HostState::Gone));
        self.change(number, |host| host.state = state);
        if let Some(at) = comes {
            self.moments.insert((at, number, Moment::Arrives));
        }
        number
    }

    /// All instances, those that come later and those that left included.
    pub fn all(&self) -> &[Host] {
        &self.hosts
    }

    /// What one task takes.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// ACTIVE instances.
    pub fn active(&self) -> u32 {
        self.active
    }

    /// Instances on their way.
    pub fn coming(&self) -> u32 {
        self.coming
    }

    /// More tasks that find a place now.
    pub fn room(&self) -> u32 {
        u32::try_from(self.room).unwrap_or(u32::MAX)
    }

    /// Zones with an ACTIVE instance that has room.
    pub fn zones_with_room(&self) -> [bool; ZONES] {
        core::array::from_fn(|zone| self.first_in(zone).is_some())
    }

    /// The instance of this zone that a task goes to.
    pub fn first_in(&self, zone: usize) -> Option<u32> {
        let zone = zone as u8;
        self.with_room.range((zone, 0, 0)..=(zone, u64::MAX, u32::MAX)).next().map(|(_, _, host)| *host)
    }

    /// The instance that a task goes to when zones do not come first.
    pub fn first(&self) -> Option<u32> {
        let firsts = (0..ZONES as u8).filter_map(|zone| {
            self.with_room.range((zone, 0, 0)..=(zone, u64::MAX, u32::MAX)).next().map(|(_, key, host)| (*key, *host))
        });
        firsts.min().map(|(_, host)| host)
    }

    /// Why there is no room.
    pub fn shortage(&self) -> Shortage {
        let mut nearest = [0; 3];
        for (place, (_, host)) in nearest.iter_mut().zip(&self.without_room) {
            *place = (host + 1) as u16;
        }
        let first = self.without_room.first().map(|(_, host)| self.hosts[*host as usize].lacks(&self.needs));
        let lacks = |lacks: [bool; RESOURCES]| Resource::ALL.into_iter().zip(lacks).find(|(_, lacks)| *lacks);
        let nearest_lacks = first.and_then(lacks).map(|(resource, _)| resource);
        Shortage { instances: self.active as u16, short: self.short, nearest, nearest_lacks }
    }

    /// The instance of the task in `slot`.
    pub fn host_of(&self, slot: u32) -> Option<u32> {
        self.host_of.get(slot as usize).copied().filter(|host| *host != NO_HOST)
    }

    /// The one place where an instance changes: the indices follow.
    fn change(&mut self, number: u32, f: impl FnOnce(&mut Host)) {
        self.index(number, false);
        f(&mut self.hosts[number as usize]);
        self.index(number, true);
    }

    fn index(&mut self, number: u32, enter: bool) {
        let host = &self.hosts[number as usize];
        let (zone, fits) = (host.spec.zone, host.fits(&self.needs));
        let kinds = self.kinds.range((number, (0, 0, false))..=(number, (u16::MAX, u8::MAX, true)));
        for ((_, kind), _) in kinds {
            set(&mut self.fullest, (zone, *kind, u32::MAX - host.active, number), enter);
        }
        let one = |n: u32| if enter { n + 1 } else { n - 1 };
        match host.state {
            HostState::Coming(_) => self.coming = one(self.coming),
            HostState::Active => {
                self.active = one(self.active);
                if fits > 0 {
                    set(&mut self.with_room, (zone, host.order(self.order, &self.needs), number), enter);
                    let fits = u64::from(fits);
                    self.room = if enter { self.room + fits } else { self.room - fits };
                    return;
                }
                set(&mut self.without_room, (host.distance(&self.needs), number), enter);
                for (count, lacks) in self.short.iter_mut().zip(host.lacks(&self.needs)) {
                    *count = if enter { *count + u16::from(lacks) } else { *count - u16::from(lacks) };
                }
            }
            HostState::Draining | HostState::Gone => {}
        }
    }

    /// A task takes its place on an instance.
    pub fn seat(&mut self, number: u32, seat: Seat) {
        let slot = seat.3 as usize;
        if slot >= self.host_of.len() {
            self.host_of.resize(slot + 1, NO_HOST);
        }
        self.host_of[slot] = number;
        self.change(number, |host| {
            host.active += 1;
            host.held += 1;
        });
        self.enter(number, seat);
    }

    /// A task stands under another class or key from here on; [`LEAVING`] once its stop is decided.
    pub fn moved(&mut self, before: Seat, after: Seat) {
        let Some(number) = self.host_of(before.3) else { return };
        self.leave(number, before);
        if after.1 == LEAVING && before.1 != LEAVING {
            self.change(number, |host| host.active -= 1);
        }
        self.enter(number, after);
    }

    /// A task is STOPPED: its instance has its resources back.
    pub fn unseat(&mut self, seat: Seat) {
        let Some(number) = self.host_of(seat.3) else { return };
        self.host_of[seat.3 as usize] = NO_HOST;
        self.leave(number, seat);
        self.change(number, |host| host.held -= 1);
    }

    fn enter(&mut self, number: u32, seat: Seat) {
        self.seats.insert((number, seat));
        self.count_kind(number, seat, true);
        if self.is_displaced(number, seat) {
            self.displaced.insert((seat.0, seat.2, seat.3));
            *self.displaced_of.entry(seat.0).or_default() += 1;
        }
    }

    fn leave(&mut self, number: u32, seat: Seat) {
        self.seats.remove(&(number, seat));
        self.count_kind(number, seat, false);
        if self.is_displaced(number, seat) {
            self.displaced.remove(&(seat.0, seat.2, seat.3));
            match self.displaced_of.get_mut(&seat.0) {
                Some(n) if *n > 1 => *n -= 1,
                _ => {
                    self.displaced_of.remove(&seat.0);
                }
            }
        }
    }

    /// The first task of a kind on an instance brings it into the order of stops, the last one takes it out.
    fn count_kind(&mut self, number: u32, seat: Seat, enter: bool) {
        if seat.1 == LEAVING {
            return;
        }
        let kind = (seat.0, seat.1, seat.2 & PROTECTED != 0);
        let count = self.kinds.entry((number, kind)).or_default();
        *count = if enter { *count + 1 } else { *count - 1 };
        let (count, host) = (*count, &self.hosts[number as usize]);
        if count == 0 {
            self.kinds.remove(&(number, kind));
        }
        if count == u32::from(enter) {
            set(&mut self.fullest, (host.spec.zone, kind, u32::MAX - host.active, number), enter);
        }
    }

    fn is_displaced(&self, number: u32, seat: Seat) -> bool {
        let healthy = crate::mechanism::instance::Class::Healthy as u8;
        seat.1 == healthy && self.hosts[number as usize].state == HostState::Draining
    }

    /// Healthy tasks of a deployment on DRAINING instances.
    pub fn displaced(&self, deployment: u16) -> u32 {
        self.displaced_of.get(&deployment).copied().unwrap_or(0)
    }

    /// The displaced task of a deployment that goes first: the oldest.
    pub fn first_displaced(&self, deployment: u16) -> Option<u32> {
        let of = self.displaced.range((deployment, 0, 0)..=(deployment, u32::MAX, u32::MAX));
        of.map(|(_, _, slot)| *slot).next()
    }

    /// The task of this deployment and class that goes first in a zone: on the instance with most
    /// active tasks, there the one with the least key. Tasks under protection come last on their
    /// instance, or not at all.
    pub fn first_of(&self, zone: u8, deployment: u16, class: u8, protected: bool) -> Option<u32> {
        let fullest = |kept: bool| {
            let kind = (deployment, class, kept);
            let hosts = self.fullest.range((zone, kind, 0, 0)..=(zone, kind, u32::MAX, u32::MAX));
            hosts.map(|(_, _, active, host)| (*active, *host)).next()
        };
        let kept = if protected { fullest(true) } else { None };
        let (_, host) = [fullest(false), kept].into_iter().flatten().min()?;
        let limit = if protected { u32::MAX } else { PROTECTED };
        let seats = self.seats.range((host, (deployment, class, 0, 0))..(host, (deployment, class, limit, 0)));
        seats.map(|(_, seat)| seat.3).next()
    }

    /// Slots of the tasks on an instance, those on their way out last.
    pub fn tasks_on(&self, number: u32) -> Vec<u32> {
        let seats = self.seats.range((number, (0, 0, 0, 0))..=(number, (u16::MAX, u8::MAX, u32::MAX, u32::MAX)));
        seats.map(|(_, seat)| seat.3).collect()
    }

    /// An instance is in another state from here on.
    pub fn become_state(&mut self, number: u32, state: HostState) {
        let seats: Vec<Seat> = self
            .seats
            .range((number, (0, 0, 0, 0))..=(number, (u16::MAX, u8::MAX, u32::MAX, u32::MAX)))
            .map(|s| s.1)
            .collect();
        for seat in &seats {
            self.leave(number, *seat);
        }
        self.change(number, |host| host.state = state);
        for seat in seats {
            self.enter(number, seat);
        }
    }

    /// A task waits for an instance.
    pub fn wait(&mut self, id: u32, slot: u32) {
        self.waiting.insert((id, slot));
    }

    /// It waits no more. True when it did.
    pub fn waits_no_more(&mut self, id: u32, slot: u32) -> bool {
        self.waiting.remove(&(id, slot))
    }

    /// Tasks that wait for an instance.
    pub fn waiting(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// The slot of the task that waits longest.
    pub fn first_waiting(&self) -> Option<u32> {
        self.waiting.first().map(|(_, slot)| *slot)
    }

    /// Something is due for an instance then.
    pub fn plan(&mut self, at: SimTime, number: u32, moment: Moment) {
        self.moments.insert((at, number, moment));
    }

    /// The next moment that something is due.
    pub fn next(&self) -> Option<SimTime> {
        self.moments.first().map(|(at, _, _)| *at)
    }

    /// The next instance to arrive.
    pub fn next_arrival(&self) -> Option<SimTime> {
        self.moments.iter().find(|(_, _, moment)| *moment == Moment::Arrives).map(|(at, _, _)| *at)
    }

    /// Takes what is due at `now`.
    pub fn due(&mut self, now: SimTime) -> Option<(u32, Moment)> {
        let (at, number, moment) = *self.moments.first()?;
        (at <= now).then(|| {
            self.moments.pop_first();
            (number, moment)
        })
    }

    /// Rough size of a clone in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        self.hosts.len() * (size_of::<Host>() + 3 * 24) + self.seats.len() * 28 + self.host_of.len() * 4
    }
}

fn set<T: Ord>(index: &mut BTreeSet<T>, item: T, enter: bool) {
    if enter {
        index.insert(item);
    } else {
        index.remove(&item);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::mechanism::instance::Class;

    const NEEDS: Needs = Needs { cpu: 512, memory: 512, interface: false, port: false, alone: false };

    fn spec(zone: u8, cpu: u32) -> HostSpec {
        HostSpec {
            cpu,
            memory: 8_192,
            interfaces: u32::MAX,
            zone,
            used_cpu: 0,
            used_memory: 0,
            used_interfaces: 0,
            used_port: false,
            from: SimTime::ZERO,
        }
    }

    const HEALTHY: u8 = Class::Healthy as u8;

    #[test]
    fn the_emptiest_takes_the_task_and_room_is_counted() {
        let mut hosts = Hosts::new(NEEDS, HostOrder::Spread);
        hosts.add(spec(0, 1_024), None);
        hosts.add(spec(0, 2_048), None);
        hosts.add(spec(1, 512), None);
        assert_eq!((hosts.room(), hosts.active()), (7, 3));
        assert_eq!(hosts.first_in(0), Some(0));
        hosts.seat(0, (0, HEALTHY, 0, 0));
        assert_eq!((hosts.first_in(0), hosts.first(), hosts.room()), (Some(1), Some(1), 6));
        hosts.seat(2, (0, HEALTHY, 1, 1));
        assert_eq!(hosts.zones_with_room(), [true, false, false]);
        hosts.moved((0, HEALTHY, 1, 1), (0, LEAVING, 1, 1));
        assert_eq!(hosts.first_in(1), None, "a task on its way out holds its resources");
        hosts.unseat((0, LEAVING, 1, 1));
        assert_eq!((hosts.first_in(1), hosts.room()), (Some(2), 6));
    }

    #[test]
    fn a_refusal_names_what_is_short_and_who_is_nearest() {
        let mut hosts = Hosts::new(Needs { port: true, ..NEEDS }, HostOrder::Spread);
        for host in 0..2 {
            hosts.add(spec(host as u8, 2_048), None);
            hosts.seat(host, (0, HEALTHY, host, host));
        }
        hosts.add(HostSpec { used_cpu: 400, ..spec(2, 512) }, None);
        let shortage = hosts.shortage();
        assert_eq!((shortage.instances, shortage.short), (3, [1, 0, 2, 0, 0]));
        assert_eq!(shortage.nearest, [1, 2, 3]);
        assert_eq!(hosts.room(), 0);
    }

    #[test]
    fn draining_displaces_healthy_tasks_and_takes_no_more() {
        let mut hosts = Hosts::new(NEEDS, HostOrder::Spread);
        hosts.add(spec(0, 2_048), None);
        hosts.seat(0, (3, HEALTHY, 5, 0));
        hosts.seat(0, (3, 0, 6, 1));
        hosts.become_state(0, HostState::Draining);
        assert_eq!((hosts.displaced(3), hosts.room(), hosts.first_in(0)), (1, 0, None));
        assert_eq!(hosts.first_displaced(3), Some(0));
        hosts.moved((3, 0, 6, 1), (3, HEALTHY, 6, 1));
        assert_eq!(hosts.displaced(3), 2);
        hosts.moved((3, HEALTHY, 5, 0), (3, LEAVING, 5, 0));
        assert_eq!((hosts.displaced(3), hosts.tasks_on(0)), (1, vec![1, 0]));
    }

    #[test]
    fn the_fullest_instance_gives_up_a_task_first() {
        let mut hosts = Hosts::new(NEEDS, HostOrder::Spread);
        hosts.add(spec(0, 2_048), None);
        hosts.add(spec(0, 2_048), None);
        for (host, id) in [(0, 0), (1, 1), (1, 2)] {
            hosts.seat(host, (0, HEALTHY, id, id));
        }
        assert_eq!(hosts.first_of(0, 0, HEALTHY, true), Some(1));
        assert_eq!(hosts.first_of(0, 1, HEALTHY, true), None);
        assert_eq!(hosts.first_of(1, 0, HEALTHY, true), None);
        // Tasks under protection come last, or not at all.
        hosts.moved((0, HEALTHY, 1, 1), (0, HEALTHY, 1 | PROTECTED, 1));
        assert_eq!(hosts.first_of(0, 0, HEALTHY, false), Some(2));
        hosts.moved((0, HEALTHY, 2, 2), (0, HEALTHY, 2 | PROTECTED, 2));
        assert_eq!((hosts.first_of(0, 0, HEALTHY, false), hosts.first_of(0, 0, HEALTHY, true)), (Some(0), Some(1)));
        hosts.moved((0, HEALTHY, 1 | PROTECTED, 1), (0, LEAVING, 1, 1));
        assert_eq!(hosts.first_of(0, 0, HEALTHY, true), Some(0), "one task each, the instance with the least number");
    }

    #[test]
    fn instances_come_in_their_order() {
        let mut hosts = Hosts::new(NEEDS, HostOrder::PackCpu);
        hosts.add(spec(0, 2_048), Some(SimTime(9)));
        hosts.add(spec(0, 1_024), Some(SimTime(5)));
        assert_eq!((hosts.coming(), hosts.active(), hosts.next_arrival()), (2, 0, Some(SimTime(5))));
        assert_eq!(hosts.due(SimTime(4)), None);
        assert_eq!(hosts.due(SimTime(5)), Some((1, Moment::Arrives)));
        hosts.become_state(1, HostState::Active);
        assert_eq!((hosts.coming(), hosts.active(), hosts.first()), (1, 1, Some(1)));
    }
}

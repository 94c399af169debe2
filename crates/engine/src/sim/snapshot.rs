//! Snapshots that hold what changed: many of them fit where a few clones would.
//!
//! A snapshot is the state without its slots, and the slots that changed since the snapshot before.
//! A chain of them that begins with a whole one gives the state back exactly.
//!
//! ```text
//! let mut taker = SnapshotTaker::default();
//! let first = taker.take(&sim, true);      // every slot
//! sim.advance_to(t, &mut trace);
//! let second = taker.take(&sim, false);    // the slots that changed since
//! Snapshot::restore(&[&first, &second])    // the state at t
//! ```

use alloc::vec::Vec;

use super::Simulation;
use crate::mechanism::instance::Instance;
use crate::mechanism::placement::Hosts;
use crate::mechanism::probe::Probe;
use crate::queue::Entry;

/// A state as the difference to the snapshot before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Everything but slots and probes.
    rest: Simulation,
    /// Slots there are.
    len: usize,
    /// Every slot is in `changed`.
    whole: bool,
    /// Changed slots, ascending.
    changed: Vec<(u32, Option<Instance>)>,
    /// Probes of the changed slots, in their order.
    probes: Vec<Probe>,
}

/// Remembers the slots of the last snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SnapshotTaker {
    slots: Vec<Option<Instance>>,
    probes: Vec<Probe>,
}

impl SnapshotTaker {
    /// The state now; `whole` for one that needs no snapshot before it. The first one is whole.
    pub fn take(&mut self, sim: &Simulation, whole: bool) -> Snapshot {
        let (n, len) = (sim.specs.len(), sim.slots.len());
        if self.slots.len() > len {
            // Slots never go: this is another run.
            *self = SnapshotTaker::default();
        }
        let whole = whole || self.slots.is_empty();
        let known = self.slots.len();
        self.slots.resize(len, None);
        self.probes.resize(len * n, Probe::IDLE);
        let (mut changed, mut probes) = (Vec::new(), Vec::new());
        for (slot, task) in sim.slots.iter().enumerate() {
            let range = slot * n..slot * n + n;
            let same =
                slot < known && self.slots[slot] == *task && self.probes[range.clone()] == sim.probes[range.clone()];
            if !same {
                self.slots[slot] = *task;
                self.probes[range.clone()].copy_from_slice(&sim.probes[range.clone()]);
            }
            if whole || !same {
                changed.push((slot as u32, *task));
                probes.extend_from_slice(&sim.probes[range]);
            }
        }
        changed.shrink_to_fit();
        probes.shrink_to_fit();
        Snapshot { rest: sim.without_slots(), len, whole, changed, probes }
    }
}

impl Snapshot {
    /// It needs no snapshot before it.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Events carried out by then.
    pub fn events_done(&self) -> u64 {
        self.rest.events_done
    }

    /// The state at the last snapshot of a chain that begins with a whole one.
    pub fn restore(chain: &[&Snapshot]) -> Option<Simulation> {
        let mut sim = chain.last()?.rest.clone();
        Snapshot::restore_into(chain, &mut sim).then_some(sim)
    }

    /// The same in the place of another state, whose memory is used again: slots are megabytes.
    /// False, and nothing changes, without a chain.
    pub fn restore_into(chain: &[&Snapshot], sim: &mut Simulation) -> bool {
        let Some(last) = chain.last() else { return false };
        let n = last.rest.specs.len();
        let (mut slots, mut probes) = (core::mem::take(&mut sim.slots), core::mem::take(&mut sim.probes));
        // Every one is written below: what is there already need not be wiped.
        slots.resize(last.len, None);
        probes.resize(last.len * n, Probe::IDLE);
        // From the last one back: what is known already is newer.
        let mut known = alloc::vec![false; last.len];
        for snapshot in chain.iter().rev() {
            for (i, (slot, task)) in snapshot.changed.iter().enumerate() {
                let slot = *slot as usize;
                if !core::mem::replace(&mut known[slot], true) {
                    slots[slot] = *task;
                    probes[slot * n..slot * n + n].copy_from_slice(&snapshot.probes[i * n..i * n + n]);
                }
            }
        }
        *sim = Simulation { slots, probes, ..last.rest.clone() };
        true
    }

    /// One snapshot in place of this one and the next.
    pub fn merged(&self, next: &Snapshot) -> Snapshot {
        if next.whole {
            return next.clone();
        }
        let n = next.rest.specs.len();
        let (mut changed, mut probes) = (Vec::new(), Vec::new());
        let (mut i, mut k) = (0, 0);
        while i < self.changed.len() || k < next.changed.len() {
            let (mine, theirs) = (self.changed.get(i).map(|c| c.0), next.changed.get(k).map(|c| c.0));
            let from = if theirs.is_some() && (mine.is_none() || theirs <= mine) { (next, k) } else { (self, i) };
            let (snapshot, at) = from;
            changed.push(snapshot.changed[at]);
            probes.extend_from_slice(&snapshot.probes[at * n..at * n + n]);
            let slot = snapshot.changed[at].0;
            i += usize::from(mine == Some(slot));
            k += usize::from(theirs == Some(slot));
        }
        Snapshot { rest: next.rest.clone(), len: next.len, whole: self.whole, changed, probes }
    }

    /// Rough size in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        let slots = self.changed.len() * size_of::<(u32, Option<Instance>)>() + self.probes.len() * size_of::<Probe>();
        // Each task stands in one ordered set (about 16 bytes with the nodes' slack) and in the books
        // of the guards.
        let hosts = self.rest.hosts.as_ref().map_or(0, Hosts::size_bytes);
        size_of::<Self>() + slots + hosts + self.len * 20 + self.rest.queue.len() * size_of::<Entry>()
    }
}

impl Simulation {
    /// A clone without slots and probes.
    fn without_slots(&self) -> Simulation {
        Simulation {
            settings: self.settings.clone(),
            params: self.params.clone(),
            specs: self.specs.clone(),
            acts: self.acts.clone(),
            acts_done: self.acts_done,
            places_done: self.places_done,
            now: self.now,
            queue: self.queue.clone(),
            revisions: self.revisions.clone(),
            starts: self.starts.clone(),
            deployments: self.deployments.clone(),
            deployments_made: self.deployments_made,
            kept: self.kept.clone(),
            services: self.services.clone(),
            shift: self.shift.clone(),
            hook_runs: self.hook_runs,
            traffic: self.traffic.clone(),
            scaling: self.scaling,
            alarms: self.alarms.clone(),
            schema: self.schema,
            schema_done: self.schema_done,
            long: self.long,
            slots: Vec::new(),
            probes: Vec::new(),
            free: self.free.clone(),
            zones: self.zones,
            created: self.created,
            stamps: self.stamps,
            batches: self.batches,
            running_order: self.running_order,
            pools: self.pools.clone(),
            quota: self.quota.clone(),
            places: self.places,
            hosts: self.hosts.clone(),
            moving: self.moving,
            look_at: self.look_at,
            hold: self.hold,
            begun: self.begun,
            dirty: self.dirty,
            rounds: self.rounds,
            events_done: self.events_done,
            horizon_from: self.horizon_from,
            ending: self.ending,
            guards: self.guards.clone(),
        }
    }
}

//! A deployment: its tasks by class and zone, and what the controller remembers about it.

use alloc::collections::BTreeSet;

use crate::frame::{LaneCounts, TaskState};
use crate::hash::Grown;
use crate::mechanism::instance::{CLASSES, Class};
use crate::mechanism::placement::PROTECTED;
use crate::platform::ecs::{Group, rules};
use crate::settings::{RolloutState, ZONES};
use crate::time::SimTime;
use crate::trace::{DeploymentId, InstanceId};

/// One entry a class; seven of them were there first.
type ByClass<T> = Grown<T, CLASSES, 7>;

/// A deployment that has not gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deployment {
    /// Identity.
    pub id: DeploymentId,
    /// Index of its revision.
    pub revision: usize,
    /// The number people see.
    pub number: u32,
    /// Lane of colour.
    pub lane: u8,
    /// Where its rollout stands.
    pub state: RolloutState,
    /// Failures that the circuit breaker has counted.
    pub failed_tasks: u32,
    /// Tasks by what they do.
    pub tasks: LaneCounts,
    /// Tasks that stop to make room for their replacement.
    pub healing: u32,
    /// Tasks to make good.
    pub lost: u32,
    /// A task of it has been RUNNING since it became PRIMARY: the breaker's second stage.
    pub ever_ran: bool,
    /// A task of it has been launched.
    pub launched: bool,
    /// A person stopped it: it launches nothing.
    pub halted: bool,
    /// ECS has stopped trying to stop its tasks.
    pub abandoned: bool,
    /// Attempts to resolve its image digests that failed, and when the next one comes; absent once
    /// that is settled.
    pub digests: Option<(u32, SimTime)>,
    /// Launch attempts in a row that found no place, and when the next one counts.
    pub placing: (u32, SimTime),
    sets: ByClass<[BTreeSet<(InstanceId, u32)>; ZONES]>,
    n: ByClass<u32>,
    /// Of these, tasks under scale-in protection.
    kept: ByClass<u32>,
    throttled_until: SimTime,
    failed_batches: u32,
    last_counted_batch: u32,
}

impl Deployment {
    /// A deployment without tasks.
    pub fn new(id: DeploymentId, revision: usize, number: u32, state: RolloutState) -> Deployment {
        Deployment {
            id,
            revision,
            number,
            lane: revision.min(crate::frame::LANES - 1) as u8,
            state,
            failed_tasks: 0,
            tasks: LaneCounts::default(),
            healing: 0,
            lost: 0,
            ever_ran: false,
            launched: false,
            halted: false,
            abandoned: false,
            digests: None,
            placing: (0, SimTime::ZERO),
            sets: ByClass::default(),
            n: ByClass::default(),
            kept: ByClass::default(),
            throttled_until: SimTime::ZERO,
            failed_batches: 0,
            last_counted_batch: 0,
        }
    }

    /// The controller's view of it.
    pub fn group(&self) -> Group {
        Group {
            id: self.id,
            revision: self.number,
            state: self.state,
            active: self.n.0,
            kept: self.kept.0,
            halted: self.halted,
            abandoned: self.abandoned,
            leaving: self.tasks.leaving(),
            healing: self.healing,
            lost: self.lost,
            throttled_until: self.throttled_until,
            failed_batches: self.failed_batches,
            displaced: 0,
        }
    }

    /// A task stands here under its key: its identity, and behind all others when it is protected.
    pub(super) fn insert(&mut self, class: Class, zone: u8, key: InstanceId, slot: u32) {
        self.sets[class as usize][zone as usize].insert((key, slot));
        self.n[class as usize] += 1;
        self.kept[class as usize] += u32::from(is_protected(key));
    }

    pub(super) fn remove(&mut self, class: Class, zone: u8, key: InstanceId, slot: u32) {
        self.sets[class as usize][zone as usize].remove(&(key, slot));
        self.n[class as usize] -= 1;
        self.kept[class as usize] -= u32::from(is_protected(key));
    }

    /// Tasks under scale-in protection.
    pub(super) fn protected(&self) -> u32 {
        self.kept.0.iter().sum()
    }

    /// A rollback takes it up again: its counters are fresh.
    pub(super) fn take_up(&mut self) {
        self.state = RolloutState::InProgress;
        self.failed_tasks = 0;
        self.lost = 0;
        self.ever_ran = self.tasks.checking + self.tasks.healthy + self.tasks.unhealthy > 0;
        self.abandoned = false;
        self.placing = (0, SimTime::ZERO);
        self.failed_batches = 0;
        self.throttled_until = SimTime::ZERO;
    }

    /// The task of this class that goes first, and its zone: from the zone with most active tasks of the
    /// service, there the oldest. Source: API `UpdateService`, stop order. `protected` ones come
    /// last in their zone, or not at all.
    pub(super) fn first(&self, class: Class, zones: &[u32; ZONES], protected: bool) -> Option<(u8, u32)> {
        let sets = &self.sets[class as usize];
        let can = |z: &usize| sets[*z].first().is_some_and(|(key, _)| protected || !is_protected(*key));
        let zone = (0..ZONES).filter(can).max_by_key(|z| (zones[*z], core::cmp::Reverse(*z)))?;
        sets[zone].first().map(|(_, slot)| (zone as u8, *slot))
    }

    pub(super) fn count(&mut self, state: TaskState) -> Option<&mut u32> {
        self.tasks.of(state)
    }

    /// A task of launch batch `batch` stopped before RUNNING. Each batch is counted once, and not
    /// when another task of it reached RUNNING; from the third in a row on the next launch waits.
    /// Source: Developer Guide, service-throttle-logic.
    pub(super) fn start_failed(&mut self, batch: u32, now: SimTime) {
        if batch > self.last_counted_batch {
            self.last_counted_batch = batch;
            self.failed_batches += 1;
            self.throttled_until = now + rules::throttle_pause_ms(self.failed_batches);
        }
    }

    /// A task of launch batch `batch` reached RUNNING: the throttle is forgotten. True when there
    /// was something to forget.
    pub(super) fn start_succeeded(&mut self, batch: u32) -> bool {
        self.last_counted_batch = self.last_counted_batch.max(batch);
        self.throttled_until = SimTime::ZERO;
        core::mem::take(&mut self.failed_batches) > 0
    }
}

const fn is_protected(key: InstanceId) -> bool {
    key.0 & PROTECTED != 0
}

/// The key under which a task stands in its deployment.
pub(super) const fn key(id: InstanceId, protected: bool) -> InstanceId {
    InstanceId(id.0 | if protected { PROTECTED } else { 0 })
}

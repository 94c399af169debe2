//! A deployment: its tasks by class and zone, and what the controller remembers about it.

use alloc::collections::BTreeSet;

use crate::frame::{LaneCounts, TaskState};
use crate::mechanism::instance::{CLASSES, Class};
use crate::platform::ecs::{Group, rules};
use crate::settings::{RolloutState, ZONES};
use crate::time::SimTime;
use crate::trace::{DeploymentId, InstanceId};

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
    /// Failures counted before the run.
    pub failed_tasks: u32,
    /// Tasks by what they do.
    pub tasks: LaneCounts,
    /// Tasks that stop to make room for their replacement.
    pub healing: u32,
    /// Tasks to make good.
    pub lost: u32,
    sets: [[BTreeSet<(InstanceId, u32)>; ZONES]; CLASSES],
    n: [u32; CLASSES],
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
            sets: Default::default(),
            n: [0; CLASSES],
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
            active: self.n,
            leaving: self.tasks.leaving(),
            healing: self.healing,
            lost: self.lost,
            throttled_until: self.throttled_until,
            failed_batches: self.failed_batches,
        }
    }

    pub(super) fn insert(&mut self, class: Class, zone: u8, id: InstanceId, slot: u32) {
        self.sets[class as usize][zone as usize].insert((id, slot));
        self.n[class as usize] += 1;
    }

    pub(super) fn remove(&mut self, class: Class, zone: u8, id: InstanceId, slot: u32) {
        self.sets[class as usize][zone as usize].remove(&(id, slot));
        self.n[class as usize] -= 1;
    }

    /// The task of this class that goes first: from the zone with most active tasks of the
    /// service, there the oldest. Source: API `UpdateService`, stop order.
    pub(super) fn first(&self, class: Class, zones: &[u32; ZONES]) -> Option<u32> {
        let sets = &self.sets[class as usize];
        let zone = (0..ZONES).filter(|z| !sets[*z].is_empty()).max_by_key(|z| (zones[*z], core::cmp::Reverse(*z)))?;
        sets[zone].first().map(|(_, slot)| *slot)
    }

    pub(super) fn count(&mut self, state: TaskState) -> Option<&mut u32> {
        Some(match state {
            TaskState::Waiting => &mut self.tasks.waiting,
            TaskState::Starting => &mut self.tasks.starting,
            TaskState::Checking => &mut self.tasks.checking,
            TaskState::Healthy => &mut self.tasks.healthy,
            TaskState::Unhealthy => &mut self.tasks.unhealthy,
            TaskState::Draining => &mut self.tasks.draining,
            TaskState::Stopping => &mut self.tasks.stopping,
            TaskState::Stopped | TaskState::Failed => return None,
        })
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

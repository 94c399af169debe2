//! A ReplicaSet.

use alloc::collections::BTreeSet;

use super::change::SetRef;
use crate::frame::LaneCounts;
use crate::platform::kubernetes::{SetId, SetView};
use crate::settings::RolloutState;
use crate::time::SimTime;

/// A Pod's place in the order in which its ReplicaSet deletes, and its slot.
pub(super) type Rank = ((u8, u64, u32, u32), u32);

/// A ReplicaSet with its Pods by count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplicaSet {
    /// Identity; also the order of creation.
    pub id: SetId,
    /// Its Pod template, by the number people give it.
    pub template: u32,
    /// Annotation `deployment.kubernetes.io/revision`.
    pub revision: u32,
    /// When it was created; 0 for one that was there.
    pub created: SimTime,
    /// `spec.replicas`
    pub spec: u32,
    /// Annotation `desired-replicas`.
    pub desired: u32,
    /// Annotation `max-replicas`.
    pub max: u32,
    /// Pods by what they do, terminating ones included.
    pub pods: LaneCounts,
    /// Pods that are ready and not terminating.
    pub ready: u32,
    /// Its last attempt to create a Pod was refused.
    pub refused: bool,
    /// Its rollout, as all platforms tell it; absent while nobody has begun to roll it out.
    pub rollout: Option<RolloutState>,
    /// Pods that are not terminating, those that go first in front.
    pub(super) order: BTreeSet<Rank>,
}

impl ReplicaSet {
    /// An empty one.
    pub(super) fn new(id: SetId, template: u32, revision: u32, created: SimTime) -> ReplicaSet {
        ReplicaSet {
            id,
            template,
            revision,
            created,
            spec: 0,
            desired: 0,
            max: 0,
            pods: LaneCounts::default(),
            ready: 0,
            refused: false,
            rollout: None,
            order: BTreeSet::new(),
        }
    }

    /// For records.
    pub fn set(&self) -> SetRef {
        SetRef { id: self.id, template: self.template, revision: self.revision }
    }

    /// As the deployment controller sees it.
    pub fn view(&self) -> SetView {
        SetView {
            id: self.id,
            template: self.template,
            revision: self.revision,
            spec: self.spec,
            desired: self.desired,
            max: self.max,
            pods: self.pods.active(),
            ready: self.ready,
            available: self.pods.healthy,
            refused: self.refused,
            physical: self.pods.physical(),
        }
    }
}

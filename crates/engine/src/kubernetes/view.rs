//! What a run shows of itself.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::controller::{Controller, Wait};
use super::pod::Stage;
use super::{Pod, ReplicaSet, Run};
use crate::frame::{Counts, DeploymentView, Frame, TaskView};
use crate::guard::{Guards, Violation};
use crate::hash::StateHasher;
use crate::platform::daemonset::NodeClass;
use crate::platform::kubernetes::reconcile::find_new;
use crate::platform::kubernetes::{Conditions, Hold, Params, SetView, Status};
use crate::queue::Entry;
use crate::settings::{Act, RolloutState, Settings};
use crate::sim::Ending;
use crate::time::SimTime;
use crate::trace::DeploymentId;

/// What only Kubernetes has to show of a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KubernetesView {
    /// ReplicaSets, oldest first.
    pub sets: Vec<SetView>,
    /// The Deployment's Pod template.
    pub template: u32,
    /// `status` as last written.
    pub status: Status,
    /// Its conditions.
    pub conditions: Conditions,
    /// `paused`
    pub paused: bool,
    /// Pods asked for.
    pub asked: u32,
    /// Terminating Pods.
    pub terminating: u32,
    /// Pods that no node has room for.
    pub unassigned: u32,
    /// Why no size changes, once the controller has looked.
    pub hold: Option<Hold>,
}

/// What only a StatefulSet or a DaemonSet has to show of a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WorkloadView {
    /// ControllerRevisions, oldest first.
    pub revisions: Vec<SetView>,
    /// Template of the update revision.
    pub template: u32,
    /// Template of `status.currentRevision`; absent for a DaemonSet, which has no such field.
    pub current: Option<u32>,
    /// `status`; of a DaemonSet by Pods.
    pub status: Status,
    /// Nodes with one Pod, a new one (`status.updatedNumberScheduled`), and of those the available ones; absent
    /// for a StatefulSet.
    pub nodes: Option<(u32, u32)>,
    /// Terminating Pods.
    pub terminating: u32,
    /// Pods that no node has room for.
    pub unassigned: u32,
    /// `rollingUpdate.partition`; absent for a DaemonSet.
    pub partition: Option<u32>,
    /// Ordinal or node of each slot.
    pub places: Vec<Option<u32>>,
    /// Why nothing is done, once the controller has looked.
    pub wait: Option<Wait>,
}

impl Run {
    /// The present moment.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Acts of the run, planned ones and those made by hand, ascending in time.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Acts carried out so far.
    pub fn acts_done(&self) -> usize {
        self.acts_done
    }

    /// What runs, without its acts.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The Deployment's configuration as it is now.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// How the run ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Broken guards so far, the first 16.
    pub fn violations(&self) -> &[Violation] {
        self.guards.violations()
    }

    /// The guards.
    pub fn guards(&self) -> &Guards {
        &self.guards
    }

    /// Events carried out so far.
    pub fn events_done(&self) -> u64 {
        self.events_done
    }

    /// ReplicaSets that exist, oldest first.
    pub fn sets(&self) -> &[ReplicaSet] {
        &self.sets
    }

    /// Pods that exist, and the last ones of free slots, by slot.
    pub fn pods(&self) -> impl Iterator<Item = &Pod> {
        self.slots.iter().flatten()
    }

    /// Most and fewest Pods asked for at any pass so far; the fewest count from time 0.
    pub fn asked_range(&self) -> (u32, u32) {
        (self.asked_least.min(self.asked_most), self.asked_most)
    }

    /// What only Kubernetes has to show.
    pub fn view(&self) -> KubernetesView {
        KubernetesView {
            sets: self.sets.iter().map(ReplicaSet::view).collect(),
            template: self.template,
            status: self.status,
            conditions: self.conditions,
            paused: self.params.paused,
            asked: self.asked(),
            terminating: self.lanes.iter().map(crate::frame::LaneCounts::leaving).sum(),
            unassigned: self.unassigned.len() as u32,
            hold: self.hold,
        }
    }

    /// Whose Pods they are.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// What only a StatefulSet or a DaemonSet has to show; absent for a Deployment.
    pub fn workload(&self) -> Option<WorkloadView> {
        let (current, partition, nodes) = match &self.controller {
            Controller::Deployment => return None,
            Controller::StatefulSet(state) => (state.current, Some(state.own.partition), None),
            Controller::DaemonSet(state) => {
                let count = |class| state.nodes.count(class);
                let available = count(NodeClass::NewAvailable);
                (None, None, Some((count(NodeClass::NewDown) + available, available)))
            }
        };
        Some(WorkloadView {
            revisions: self.sets.iter().map(ReplicaSet::view).collect(),
            template: self.template,
            current,
            status: self.status,
            nodes,
            terminating: self.lanes.iter().map(crate::frame::LaneCounts::leaving).sum(),
            unassigned: self.unassigned.len() as u32,
            partition,
            places: (0..self.slots.len() as u32).map(|slot| self.controller.place_of(slot)).collect(),
            wait: self.controller.wait(),
        })
    }

    /// Pods by lane and state, and the limits. What counts against the ceiling is what the Deployment
    /// counts: Pods that are not terminating.
    pub fn counts(&self) -> Counts {
        let counted = self.lanes.iter().map(crate::frame::LaneCounts::active).sum();
        Counts { lanes: self.lanes, counted, limits: self.limits() }
    }

    /// ReplicaSets in the words all platforms share; the new one is the primary.
    pub fn deployments(&self) -> Vec<DeploymentView> {
        let views: Vec<SetView> = self.sets.iter().map(ReplicaSet::view).collect();
        let new = find_new(&views, self.template);
        let view = |(index, set): (usize, &ReplicaSet)| DeploymentView {
            id: DeploymentId(set.id.0),
            revision: set.template,
            primary: Some(index) == new,
            state: set.rollout.unwrap_or(RolloutState::InProgress),
            failed_tasks: 0,
            second_stage: false,
            launches_none: false,
            left_for_good: false,
            protected: 0,
            tasks: set.pods,
        };
        self.sets.iter().enumerate().map(view).collect()
    }

    /// The whole state for a viewer.
    pub fn frame_in(&self, mut slots: Vec<Option<TaskView>>) -> Frame {
        slots.clear();
        slots.extend(self.slots.iter().map(|pod| pod.as_ref().map(|pod| self.task_view(pod))));
        let counts = self.counts();
        let deployment = self.controller == Controller::Deployment;
        Frame {
            at: self.now,
            minimum_healthy_percent: 0,
            maximum_percent: 0,
            room_to_start: counts.limits.ceiling.saturating_sub(self.asked()),
            spare_to_stop: counts.healthy().saturating_sub(counts.limits.floor),
            counts,
            deployments: self.deployments(),
            slots,
            service_deployments: Vec::new(),
            shift: None,
            weights: None,
            traffic: None,
            rollback_candidate: None,
            threshold: None,
            gate: None,
            alarms: Vec::new(),
            schema: 0,
            hosts: Vec::new(),
            waiting_for_instance: 0,
            hold: None,
            next_event: self.next_event_at(),
            ending: self.ending,
            kubernetes: deployment.then(|| alloc::boxed::Box::new(self.view())),
            workload: self.workload().map(alloc::boxed::Box::new),
            asg: None,
            vm: None,
        }
    }

    fn task_view(&self, pod: &Pod) -> TaskView {
        let until = match pod.stage {
            Stage::Running => pod.available_at,
            _ => pod.stage_ends.min(pod.exit_at),
        };
        TaskView {
            id: pod.id,
            slot: pod.slot,
            name: pod.name,
            deployment: DeploymentId(pod.set.0),
            lane: pod.lane,
            zone: pod.zone,
            host: None,
            state: pod.shown,
            since: pod.since,
            until: (until != SimTime::NEVER).then_some(until),
            grace_until: None,
            protected_until: None,
            stop_reason: match pod.stage {
                Stage::Gone(reason) => Some(reason),
                _ => None,
            },
        }
    }

    /// Canonical hash of the state, the same natively and in WebAssembly. Settings and acts that are still
    /// to come stay out, as on every platform.
    pub fn state_hash(&self) -> u64 {
        let mut h = StateHasher::default();
        (&self.params, &self.acts[..self.acts_done]).hash(&mut h);
        (self.places_done, self.quota_done, self.now, self.begun, self.dirty, self.rounds).hash(&mut h);
        (&self.revisions, &self.starts, self.template, &self.sets, self.sets_made).hash(&mut h);
        (self.status, self.conditions, &self.slots, &self.free, &self.unassigned).hash(&mut h);
        (self.lanes, self.zones, self.assigned, self.created, self.stamps).hash(&mut h);
        (self.places, self.quota, self.look_at, self.hold).hash(&mut h);
        (self.asked_most, self.asked_least).hash(&mut h);
        (self.events_done, self.ending, &self.guards, &self.queue).hash(&mut h);
        // A Deployment has nothing beyond.
        if self.controller != Controller::Deployment {
            self.controller.hash(&mut h);
        }
        h.finish()
    }

    /// Slots there are, used ones and free ones.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Rough size of a clone in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        let pods = self.slots.len() * (size_of::<Option<Pod>>() + 64);
        size_of::<Self>() + pods + self.queue.len() * size_of::<Entry>()
    }
}

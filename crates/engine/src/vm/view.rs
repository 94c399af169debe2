//! What a run shows of itself.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::control::Rollout;
use super::machine::Stage;
use super::{Machine, Run};
use crate::frame::{Counts, DeploymentView, Frame, LaneCounts, TaskView};
use crate::guard::{Guards, Violation};
use crate::hash::StateHasher;
use crate::platform::vm::{Hold, Kind, Params, Tally};
use crate::platform::vmss::{Status, Upgrade};
use crate::queue::Entry;
use crate::settings::{Act, RolloutState, Settings};
use crate::sim::Ending;
use crate::time::SimTime;
use crate::trace::DeploymentId;

/// What only a group of virtual machines has to show of a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VmView {
    /// The configuration of this moment.
    pub params: Params,
    /// Machines by what an update has to do with them.
    pub tally: Tally,
    /// The template or model that is rolled out.
    pub target: u32,
    /// The one before.
    pub former: u32,
    /// The newest update.
    pub rollout: Rollout,
    /// The newest rolling upgrade of a scale set.
    pub upgrade: Option<Upgrade>,
    /// `isStable`, once the group has looked.
    pub stable: bool,
    /// On their way out, for good or to come up again.
    pub leaving: u32,
    /// Machines by model, with its number, those that have some.
    pub versions: Vec<(u32, LaneCounts)>,
    /// Why nothing is done, once the group has looked.
    pub hold: Option<Hold>,
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

    /// The group's configuration as it is now.
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

    /// Machines that exist, and the last ones of free slots, by slot.
    pub fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.slots.iter().flatten()
    }

    /// What only a group of virtual machines has to show.
    pub fn view(&self) -> VmView {
        let numbered = self.revisions.iter().zip(&self.versions);
        VmView {
            params: self.params.clone(),
            tally: self.tally(),
            target: self.target,
            former: self.former,
            rollout: self.rollout,
            upgrade: self.upgrade,
            stable: self.stable == Some(true),
            leaving: self.lanes.iter().map(LaneCounts::leaving).sum(),
            versions: numbered.filter(|(_, n)| n.physical() > 0).map(|(r, n)| (r.number, *n)).collect(),
            hold: self.hold,
        }
    }

    /// Machines by lane and state, and the limits. What counts against the ceiling are those that are not being
    /// deleted; one that comes up again in the same place counts once.
    pub fn counts(&self) -> Counts {
        Counts { lanes: self.lanes, counted: self.lanes.iter().map(LaneCounts::active).sum(), limits: self.limits() }
    }

    /// Templates or models in the words all platforms share; the one that is rolled out is the primary.
    pub fn deployments(&self) -> Vec<DeploymentView> {
        let numbered = self.revisions.iter().zip(&self.versions).enumerate();
        let shown = numbered.filter(|(_, (revision, n))| n.physical() > 0 || revision.number == self.target);
        let view = |(index, (revision, tasks)): (usize, (&crate::settings::Revision, &LaneCounts))| DeploymentView {
            id: DeploymentId(index as u16),
            revision: revision.number,
            primary: revision.number == self.target,
            state: self.state_of(revision.number),
            failed_tasks: 0,
            second_stage: false,
            launches_none: false,
            left_for_good: false,
            protected: 0,
            tasks: *tasks,
        };
        shown.map(view).collect()
    }

    fn state_of(&self, version: u32) -> RolloutState {
        let status = self.upgrade.map(|upgrade| upgrade.status);
        match (&self.params.kind, status) {
            _ if version != self.target || self.rollout.number == 0 => RolloutState::Completed,
            (Kind::Vmss(_), Some(Status::Completed)) => RolloutState::Completed,
            (Kind::Vmss(_), Some(Status::Faulted | Status::Cancelled)) => RolloutState::Failed,
            (Kind::Mig(_), _) if self.rollout.reached.is_some() => RolloutState::Completed,
            _ => RolloutState::InProgress,
        }
    }

    /// The whole state for a viewer.
    pub fn frame_in(&self, mut slots: Vec<Option<TaskView>>) -> Frame {
        slots.clear();
        slots.extend(self.slots.iter().map(|machine| machine.as_ref().map(|machine| self.task_view(machine))));
        let counts = self.counts();
        Frame {
            at: self.now,
            minimum_healthy_percent: 0,
            maximum_percent: 0,
            room_to_start: counts.limits.ceiling.saturating_sub(counts.counted),
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
            kubernetes: None,
            asg: None,
            workload: None,
            vm: Some(alloc::boxed::Box::new(self.view())),
        }
    }

    fn task_view(&self, machine: &Machine) -> TaskView {
        let until = match machine.stage {
            Stage::Running if machine.healthy && !machine.settled => machine.settled_at,
            Stage::Running => SimTime::NEVER,
            _ => machine.stage_ends,
        };
        let early = machine.stage == Stage::Running
            && !machine.healthy
            && machine.repair_from != SimTime::NEVER
            && self.now < machine.repair_from;
        TaskView {
            id: machine.id,
            slot: machine.slot,
            name: machine.name,
            deployment: DeploymentId(machine.version),
            lane: machine.lane,
            zone: machine.zone,
            host: None,
            state: machine.shown,
            since: machine.since,
            until: (until != SimTime::NEVER).then_some(until),
            grace_until: early.then_some(machine.repair_from),
            protected_until: None,
            stop_reason: match machine.stage {
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
        (self.places_done, self.now, self.begun, self.dirty, self.rounds).hash(&mut h);
        (&self.revisions, &self.starts, self.target, self.former, self.rollout).hash(&mut h);
        (self.upgrade, self.stable, &self.slots, &self.free, &self.classes, &self.versions).hash(&mut h);
        (self.old_zones, self.lanes, self.zones, self.created, self.stamps).hash(&mut h);
        (self.places, self.failures, self.retry_at, self.look_at, self.hold).hash(&mut h);
        (self.events_done, self.ending, &self.guards, &self.queue).hash(&mut h);
        h.finish()
    }

    /// Slots there are, used ones and free ones.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Rough size of a clone in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        let machines = self.slots.len() * (size_of::<Option<Machine>>() + 64);
        size_of::<Self>() + machines + self.queue.len() * size_of::<Entry>()
    }
}

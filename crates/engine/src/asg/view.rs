//! What a run shows of itself.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::instance::Stage;
use super::{Instance, Refresh, Run};
use crate::frame::{Counts, DeploymentView, Frame, LaneCounts, TaskView};
use crate::guard::{Guards, Violation};
use crate::hash::StateHasher;
use crate::platform::asg::{Hold, Params, Status, Tally};
use crate::queue::Entry;
use crate::settings::{Act, AlarmState, RolloutState, Settings};
use crate::sim::Ending;
use crate::time::SimTime;
use crate::trace::DeploymentId;

/// What only a group has to show of a moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AsgView {
    /// The newest refresh; absent before the first one.
    pub refresh: Option<Refresh>,
    /// Instances by what the refresh has to do with them.
    pub tally: Tally,
    /// The group's launch template version.
    pub version: u32,
    /// Ready instances.
    pub ready: u32,
    /// `InstancesToUpdate`: 0 once the refresh is over.
    pub to_update: u32,
    /// Instances in standby, whatever a refresh does with them.
    pub standby: u32,
    /// On their way out.
    pub terminating: u32,
    /// Instances by version, with its number, those that have some.
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

    /// Refreshes of the run, oldest first.
    pub fn refreshes(&self) -> &[Refresh] {
        &self.refreshes
    }

    /// State of each alarm of the settings.
    pub fn alarms(&self) -> &[AlarmState] {
        &self.alarms
    }

    /// Instances that exist, and the last ones of free slots, by slot.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.slots.iter().flatten()
    }

    /// What only a group has to show.
    pub fn view(&self) -> AsgView {
        let numbered = self.revisions.iter().zip(&self.versions);
        let tally = self.tally();
        let of = self.params.desired.saturating_sub(tally.ignored);
        AsgView {
            refresh: self.refreshes.last().copied(),
            tally,
            to_update: self.refresh().map_or(0, |_| of.saturating_sub(tally.fresh())),
            version: self.version,
            ready: self.lanes.iter().map(|lane| lane.healthy).sum(),
            standby: self.standby(),
            terminating: self.lanes.iter().map(LaneCounts::leaving).sum(),
            versions: numbered.filter(|(_, n)| n.physical() > 0).map(|(r, n)| (r.number, *n)).collect(),
            hold: self.hold,
        }
    }

    /// Instances by lane and state, and the limits. What counts against the ceiling are those that neither
    /// terminate nor stand by.
    pub fn counts(&self) -> Counts {
        let staying: u32 = self.lanes.iter().map(LaneCounts::active).sum();
        Counts { lanes: self.lanes, counted: staying - self.standby(), limits: self.limits() }
    }

    /// Launch template versions in the words all platforms share; the one that is launched is the primary.
    pub fn deployments(&self) -> Vec<DeploymentView> {
        let launching = self.launching();
        let numbered = self.revisions.iter().zip(&self.versions).enumerate();
        let shown = numbered.filter(|(_, (revision, n))| n.physical() > 0 || revision.number == launching);
        let view = |(index, (revision, tasks)): (usize, (&crate::settings::Revision, &LaneCounts))| DeploymentView {
            id: DeploymentId(index as u16),
            revision: revision.number,
            primary: revision.number == launching,
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
        let of = self.refreshes.iter().rfind(|refresh| refresh.target == version);
        match of.map(|refresh| refresh.status) {
            None | Some(Status::Successful) => RolloutState::Completed,
            Some(status) if status.is_final() => RolloutState::Failed,
            Some(_) => RolloutState::InProgress,
        }
    }

    /// The whole state for a viewer.
    pub fn frame_in(&self, mut slots: Vec<Option<TaskView>>) -> Frame {
        slots.clear();
        slots.extend(self.slots.iter().map(|instance| instance.as_ref().map(|instance| self.task_view(instance))));
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
            alarms: self.alarms.clone(),
            schema: 0,
            hosts: Vec::new(),
            waiting_for_instance: 0,
            hold: None,
            next_event: self.next_event_at(),
            ending: self.ending,
            kubernetes: None,
            asg: Some(alloc::boxed::Box::new(self.view())),
            workload: None,
            vm: None,
        }
    }

    fn task_view(&self, instance: &Instance) -> TaskView {
        let until = match instance.stage {
            Stage::InService if instance.healthy && !instance.ready => instance.warm_at,
            Stage::InService | Stage::Standby => SimTime::NEVER,
            _ => instance.stage_ends,
        };
        let in_grace = instance.stage == Stage::InService && !instance.healthy && self.now < instance.grace_until;
        TaskView {
            id: instance.id,
            slot: instance.slot,
            name: instance.name,
            deployment: DeploymentId(instance.version),
            lane: instance.lane,
            zone: instance.zone,
            host: None,
            state: instance.shown,
            since: instance.since,
            until: (until != SimTime::NEVER).then_some(until),
            grace_until: in_grace.then_some(instance.grace_until),
            protected_until: instance.protected.then_some(SimTime::NEVER),
            stop_reason: match instance.stage {
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
        (self.places_done, self.alarm_steps_done, self.now, self.begun, self.dirty, self.rounds).hash(&mut h);
        (&self.revisions, &self.starts, self.version, &self.alarms, &self.refreshes).hash(&mut h);
        (&self.slots, &self.free, &self.classes, &self.versions).hash(&mut h);
        (self.lanes, self.zones, self.created, self.stamps).hash(&mut h);
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
        let instances = self.slots.len() * (size_of::<Option<Instance>>() + 64);
        size_of::<Self>() + instances + self.queue.len() * size_of::<Entry>()
    }
}

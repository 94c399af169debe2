//! Pure reads: frame, counts, hash.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::{Ending, Simulation};
use crate::frame::{Counts, DeploymentView, Frame, LaneCounts, TaskView};
use crate::guard::{Guards, Violation};
use crate::hash::StateHasher;
use crate::mechanism::instance::{Instance, Phase};
use crate::mechanism::placement::Hosts;
use crate::mechanism::probe::Probe;
use crate::queue::Entry;
use crate::rng::Stream;
use crate::settings::{Act, RolloutState, Settings, TaskName};
use crate::time::SimTime;
use crate::trace::{Reason, Trace};

impl Simulation {
    /// All acts carried out or still to come, ascending in time.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// How many of them are done.
    pub fn acts_done(&self) -> usize {
        self.acts_done
    }

    /// How long the application of a task takes to start, from RUNNING until it answers, in milliseconds; 0 where
    /// `healthy_after` stands in for it. The draw of that task, whether it ever got there or not.
    pub fn start_up_ms(&self, name: TaskName) -> u64 {
        let timing = &self.settings.timing;
        if timing.healthy_after.is_some() { 0 } else { self.draw(name, Stream::StartUp, &timing.start_up) }
    }

    /// The settings of the run as given, without the acts.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Why the run ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Broken guards so far.
    pub fn violations(&self) -> &[Violation] {
        self.guards.violations()
    }

    /// The guards with their worst values.
    pub fn guards(&self) -> &Guards {
        &self.guards
    }

    /// Why nothing is being done, once the controller has looked; cheaper than a whole frame.
    pub fn hold(&self) -> Option<Reason> {
        self.hold
    }

    /// `minimumHealthyPercent` and `maximumPercent` of this moment.
    pub fn percentages(&self) -> (u32, u32) {
        (self.params.minimum_healthy_percent, self.params.maximum_percent)
    }

    /// Tasks that find room at this moment, those that exist included, whatever limits them: a number
    /// of places, instances, Fargate. Absent without a limit.
    pub fn places(&self) -> Option<u32> {
        let physical = self.counts().physical();
        Some(self.places_for(physical)).filter(|places| *places < u32::MAX)
    }

    /// Deployments that have not gone, oldest first; the last one is PRIMARY.
    pub fn deployments(&self) -> impl DoubleEndedIterator<Item = DeploymentView> + '_ {
        let primary = self.deployments.len().saturating_sub(1);
        self.deployments.iter().enumerate().map(move |(i, d)| DeploymentView {
            id: d.id,
            revision: d.number,
            primary: i == primary,
            state: d.state,
            failed_tasks: d.failed_tasks,
            second_stage: d.ever_ran,
            launches_none: d.halted || d.state == RolloutState::Failed,
            left_for_good: d.abandoned,
            protected: d.protected(),
            tasks: d.tasks,
        })
    }

    /// What would happen at this moment with room for `places` tasks: for trying on a clone. It is
    /// no act and nothing logs it, so a run that goes on from here has no document.
    pub fn try_places(&mut self, places: u32, trace: &mut Trace) {
        self.ending = None;
        self.places = places;
        self.dirty = true;
        self.advance_to(self.now, trace);
    }

    /// Events carried out so far.
    pub fn events_done(&self) -> u64 {
        self.events_done
    }

    /// Counts of this moment.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { counted: self.counted(), limits: self.limits(), ..Counts::default() };
        for d in &self.deployments {
            counts.lanes[d.lane as usize] = add(&counts.lanes[d.lane as usize], &d.tasks);
        }
        counts
    }

    /// The present state in the viewer's words.
    pub fn frame(&self) -> Frame {
        self.frame_in(Vec::new())
    }

    /// The same, with the slots in the room of those of another frame.
    pub fn frame_in(&self, mut slots: Vec<Option<TaskView>>) -> Frame {
        let counts = self.counts();
        slots.clear();
        slots.extend(self.slots.iter().map(|slot| slot.as_ref().map(|task| self.view(task))));
        Frame {
            at: self.now,
            minimum_healthy_percent: self.params.minimum_healthy_percent,
            maximum_percent: self.params.maximum_percent,
            counts,
            room_to_start: counts.limits.ceiling.saturating_sub(counts.counted),
            spare_to_stop: counts.healthy().saturating_sub(counts.limits.floor),
            deployments: self.deployments().collect(),
            slots,
            service_deployments: (0..self.services.len()).filter_map(|k| self.service_deployment(k)).collect(),
            shift: self.shift.clone(),
            weights: self.weights(),
            traffic: self.traffic(),
            rollback_candidate: self.rollback_candidate(),
            threshold: self.threshold(),
            gate: self.gate(),
            alarms: self.alarms().collect(),
            schema: self.schema,
            hosts: self.host_views(),
            waiting_for_instance: self.hosts.as_ref().map_or(0, Hosts::waiting),
            hold: self.hold,
            next_event: self.next_event_at(),
            ending: self.ending,
            kubernetes: None,
            asg: None,
            workload: None,
            vm: None,
        }
    }

    fn view(&self, task: &Instance) -> TaskView {
        let in_grace = task.phase == Phase::Running && self.now < task.grace_ends;
        TaskView {
            id: task.id,
            slot: task.slot,
            name: task.name,
            deployment: task.deployment,
            lane: task.lane,
            zone: task.zone,
            host: self.hosts.as_ref().and_then(|hosts| hosts.host_of(task.slot)),
            state: task.state(),
            since: task.since,
            until: (task.wake_at != SimTime::NEVER).then_some(task.wake_at),
            protected_until: task.is_protected().then_some(task.protected_until),
            grace_until: in_grace.then_some(task.grace_ends),
            stop_reason: match task.phase {
                Phase::Stopped(reason) => Some(reason),
                _ => None,
            },
        }
    }

    /// Canonical hash of the state, the same natively and in WebAssembly.
    ///
    /// What is the same for the whole run (settings) and acts that are still to come stay out, so
    /// that an act made by hand and the same act read from a document give the same hash.
    pub fn state_hash(&self) -> u64 {
        let mut h = StateHasher::default();
        self.params.hash(&mut h);
        self.acts[..self.acts_done].hash(&mut h);
        (self.places_done, self.now, self.begun, self.dirty, self.rounds).hash(&mut h);
        (&self.revisions, &self.starts, &self.deployments, self.deployments_made).hash(&mut h);
        (&self.slots, &self.free, self.zones, self.created, self.batches).hash(&mut h);
        (self.running_order, &self.quota, self.places, self.look_at, self.hold).hash(&mut h);
        (self.events_done, self.ending, &self.guards).hash(&mut h);
        (&self.queue, &self.probes, &self.pools, self.stamps).hash(&mut h);
        (&self.kept, &self.services, &self.alarms, self.schema, self.schema_done).hash(&mut h);
        // A rolling update has none of this, and its hash stays what it was.
        if let Some(shift) = &self.shift {
            (shift, self.hook_runs).hash(&mut h);
        }
        if let Some(traffic) = &self.traffic {
            (traffic, self.scaling).hash(&mut h);
        }
        // Only where there are instances: any other run hashes as it did before there were any.
        if let Some(hosts) = &self.hosts {
            hosts.hash(&mut h);
        }
        if self.moving.is_some() {
            self.moving.hash(&mut h);
        }
        h.finish()
    }

    /// Slots there are, used ones and free ones.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Rough size of a clone in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        let slots = self.slots.len() * (size_of::<Option<Instance>>() + self.specs.len() * size_of::<Probe>());
        // A task stands in one ordered set (about 24 bytes a key with the nodes' slack).
        let hosts = self.hosts.as_ref().map_or(0, Hosts::size_bytes);
        size_of::<Self>() + slots + hosts + self.slots.len() * 24 + self.queue.len() * size_of::<Entry>()
    }
}

fn add(a: &LaneCounts, b: &LaneCounts) -> LaneCounts {
    LaneCounts {
        waiting: a.waiting + b.waiting,
        starting: a.starting + b.starting,
        checking: a.checking + b.checking,
        healthy: a.healthy + b.healthy,
        unhealthy: a.unhealthy + b.unhealthy,
        draining: a.draining + b.draining,
        stopping: a.stopping + b.stopping,
    }
}

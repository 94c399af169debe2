//! The run of a Kubernetes workload: the controller of a Deployment (with its ReplicaSets'), of a StatefulSet or
//! of a DaemonSet, the scheduler and the kubelet. What happens to a Pod is the same under all of them.
//!
//! The order at one instant: world events by class, then sequence; passes of the controllers until one
//! changes nothing; an act, and the same again. Pods that turn ready at one instant are seen together.

mod act;
mod change;
mod control;
mod controller;
mod life;
mod placed;
mod pod;
mod rollout;
mod set;
mod stop;
mod view;

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use change::{Change, PlaceReason, PodChange, RemoveReason, SetRef};
pub use controller::{Controller, NodeState, OrdinalState, Wait};
pub use pod::{Pod, Stage};
pub use set::ReplicaSet;
pub use view::{KubernetesView, WorkloadView};

use crate::frame::{LANES, LaneCounts};
use crate::guard::Guards;
use crate::mechanism::probe::ProbeSpec;
use crate::platform::kubernetes::{Conditions, Hold, Params, Status};
use crate::queue::Queue;
use crate::settings::{Act, Command, Revision, Settings, ZONES};
use crate::sim::{Ending, HORIZON_MS, ROUNDS_MAX, Step};
use crate::time::SimTime;
use crate::trace::{Trace, What};

/// A run of a Kubernetes workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// As given, but for the acts, which [`Run::acts`] holds.
    settings: Arc<Settings>,
    /// Configuration as it is now: a Deployment's, or what the other workloads share with it.
    params: Params,
    /// Whose Pods they are.
    controller: Controller,
    /// Startup, readiness and liveness probe.
    specs: [Option<ProbeSpec>; 3],
    acts: Vec<Act>,
    acts_done: usize,
    places_done: usize,
    quota_done: usize,
    now: SimTime,
    queue: Queue,
    revisions: Vec<Revision>,
    /// Pods of each revision created so far.
    starts: Vec<u32>,
    /// The workload's Pod template.
    template: u32,
    /// ReplicaSets that exist, oldest first; of a StatefulSet and a DaemonSet their ControllerRevisions.
    sets: Vec<ReplicaSet>,
    sets_made: u16,
    status: Status,
    conditions: Conditions,
    /// By slot; a Pod that is gone stays until its slot is used again.
    slots: Vec<Option<Pod>>,
    free: BTreeSet<u32>,
    /// Pods without a node, oldest first.
    unassigned: BTreeSet<(u32, u32)>,
    /// Pods by lane and state.
    lanes: [LaneCounts; LANES],
    /// Counted Pods by zone.
    zones: [u32; ZONES],
    /// Pods that take up a node's room.
    assigned: u32,
    created: u32,
    stamps: u32,
    places: u32,
    quota: u32,
    /// The controller looks again at this moment at the latest.
    look_at: SimTime,
    hold: Option<Hold>,
    /// Most Pods asked for at any pass.
    asked_most: u32,
    /// Fewest Pods asked for at any pass since the template first changed.
    asked_least: u32,
    begun: bool,
    dirty: bool,
    rounds: u32,
    events_done: u64,
    horizon_from: SimTime,
    ending: Option<Ending>,
    guards: Guards,
}

impl Run {
    /// Starts a run; nothing has happened yet.
    pub fn new(mut settings: Settings, params: Params, controller: Controller) -> Run {
        let acts = core::mem::take(&mut settings.acts);
        let horizon_from = acts.last().map_or(SimTime::ZERO, |act| act.at);
        let probes = [params.pod.startup, params.pod.readiness, params.pod.liveness];
        Run {
            specs: probes.map(|probe| probe.as_ref().map(pod::spec)),
            params,
            acts,
            acts_done: 0,
            places_done: 0,
            quota_done: 0,
            now: SimTime::ZERO,
            queue: Queue::default(),
            revisions: settings.revisions.clone(),
            starts: settings.revisions.iter().map(|_| 0).collect(),
            template: settings.start.deployments.last().map_or(0, |d| d.revision),
            sets: Vec::new(),
            sets_made: 0,
            status: Status::default(),
            conditions: Conditions::default(),
            slots: Vec::new(),
            free: BTreeSet::new(),
            unassigned: BTreeSet::new(),
            lanes: [LaneCounts::default(); LANES],
            zones: [0; ZONES],
            assigned: 0,
            created: 0,
            stamps: 0,
            places: u32::MAX,
            quota: u32::MAX,
            look_at: SimTime::NEVER,
            hold: None,
            asked_most: 0,
            asked_least: u32::MAX,
            begun: false,
            dirty: false,
            rounds: 0,
            events_done: 0,
            horizon_from,
            ending: None,
            // Terminating Pods of a Deployment do not count against the ceiling.
            guards: Guards::new(controller.terminating_counts()),
            controller,
            settings: Arc::new(settings),
        }
    }

    /// When the next event is due; `None` once nothing can happen any more.
    pub fn next_event_at(&self) -> Option<SimTime> {
        if self.ending.is_some() {
            return None;
        }
        if !self.begun || self.dirty {
            return Some(self.now);
        }
        let next = self.next_due()?;
        (next <= self.last_moment().0).then_some(next)
    }

    fn next_due(&self) -> Option<SimTime> {
        let queue = self.queue.peek().map(|entry| entry.at);
        let act = self.acts.get(self.acts_done).map(|act| act.at);
        let places = self.settings.places().get(self.places_done).map(|step| step.at);
        let quota = self.params.quota.get(self.quota_done).map(|step| step.0);
        let look = (self.look_at != SimTime::NEVER).then_some(self.look_at);
        [queue, act, places, quota, look].into_iter().flatten().min()
    }

    fn last_moment(&self) -> (SimTime, Ending) {
        match self.settings.until {
            Some(until) => (until, Ending::Until),
            None => (self.horizon_from + HORIZON_MS, Ending::Horizon),
        }
    }

    /// Carries out exactly one event.
    #[inline(never)]
    pub fn step(&mut self, trace: &mut Trace) -> Step {
        if let Some(ending) = self.ending {
            return Step::Ended(ending);
        }
        if self.budget_used_up() {
            return self.end(self.now, Ending::EventBudget, trace);
        }
        if !self.begun {
            self.events_done += 1;
            self.begin(trace);
            return Step::World;
        }
        if !self.dirty {
            let (last, why) = self.last_moment();
            match self.next_due() {
                None => return self.end(self.now, Ending::Quiet, trace),
                Some(next) if next > last => return self.end(last, why, trace),
                Some(next) => self.move_to(next),
            }
        }
        self.events_done += 1;
        if self.world_event(trace) {
            if !self.dirty && self.next_due() != Some(self.now) {
                self.settle(trace);
            }
            return Step::World;
        }
        if self.dirty {
            return self.controllers(trace);
        }
        self.act(trace);
        Step::Act
    }

    fn budget_used_up(&self) -> bool {
        self.events_done.max(u64::from(self.created)) >= self.settings.event_budget
    }

    /// Carries out everything up to and including `t`; time is `t` afterwards, or the end of the run.
    #[inline(never)]
    pub fn advance_to(&mut self, t: SimTime, trace: &mut Trace) -> Option<Ending> {
        loop {
            let due = self.next_event_at();
            if due.is_some_and(|due| due > t) {
                self.move_to(t);
                return None;
            }
            // Nothing within the horizon is due any more: the run ends where `t` has passed that end.
            if due.is_none() && self.ending.is_none() && self.next_due().is_some() && t < self.last_moment().0 {
                self.move_to(t);
                return None;
            }
            if let Step::Ended(ending) = self.step(trace) {
                return Some(ending);
            }
        }
    }

    /// A person's act at this moment, logged in [`Run::acts`]. True when it had an object.
    pub fn apply(&mut self, command: Command, trace: &mut Trace) -> bool {
        self.advance_to(self.now, trace);
        if matches!(self.ending, Some(Ending::EventBudget | Ending::Rounds)) || self.budget_used_up() {
            return false;
        }
        self.ending = None;
        self.acts.insert(self.acts_done, Act { at: self.now, command });
        self.horizon_from = self.horizon_from.max(self.now);
        self.events_done += 1;
        let effective = self.act(trace);
        self.advance_to(self.now, trace);
        effective
    }

    fn move_to(&mut self, t: SimTime) {
        debug_assert!(t >= self.now);
        if t != self.now {
            self.now = t;
            self.rounds = 0;
        }
    }

    fn end(&mut self, at: SimTime, ending: Ending, trace: &mut Trace) -> Step {
        self.move_to(at);
        self.ending = Some(ending);
        self.emit(trace, What::Ended(ending));
        Step::Ended(ending)
    }

    /// One thing that the world does at this moment; false when nothing is left.
    fn world_event(&mut self, trace: &mut Trace) -> bool {
        if let Some(step) = self.settings.places().get(self.places_done).filter(|step| step.at <= self.now) {
            let places = step.places;
            self.places_done += 1;
            self.places = places;
            self.emit(trace, What::Places { places });
            self.assign(trace);
            return true;
        }
        if let Some((_, pods)) = self.params.quota.get(self.quota_done).filter(|step| step.0 <= self.now).copied() {
            self.quota_done += 1;
            self.set_quota(pods, trace);
            return true;
        }
        while let Some(entry) = self.queue.peek().filter(|entry| entry.at <= self.now) {
            let (slot, stamp) = (entry.slot, entry.stamp);
            self.queue.pop();
            if self.pod_at(slot).is_some_and(|pod| pod.stamp == stamp) {
                self.wake(slot, trace);
                self.drop_stale();
                return true;
            }
        }
        if self.look_at <= self.now {
            self.look_at = SimTime::NEVER;
            self.dirty = true;
            return true;
        }
        false
    }

    fn set_quota(&mut self, pods: u32, trace: &mut Trace) {
        self.quota = pods;
        self.dirty = true;
        self.tell(trace, Change::Quota { pods });
    }

    /// Events at the top that no longer hold go, so that the next due moment is a true one.
    fn drop_stale(&mut self) {
        while let Some(entry) = self.queue.peek() {
            if self.pod_at(entry.slot).is_some_and(|pod| pod.stamp == entry.stamp) {
                return;
            }
            self.queue.pop();
        }
    }

    fn controllers(&mut self, trace: &mut Trace) -> Step {
        let acted = self.pass(trace);
        self.drop_stale();
        if acted {
            self.rounds += 1;
            if let Some(violation) = self.guards.rounds(self.now, self.rounds, ROUNDS_MAX) {
                self.emit(trace, What::Guard(violation));
                return self.end(self.now, Ending::Rounds, trace);
            }
        } else {
            self.dirty = false;
            self.settle(trace);
        }
        Step::Pass(acted)
    }

    /// Nothing more happens before the next act or the next moment: sample and check.
    fn settle(&mut self, trace: &mut Trace) {
        let counts = self.counts();
        trace.sample(self.now, counts);
        for violation in self.guards.settled(self.now, &counts).into_iter().flatten() {
            self.emit(trace, What::Guard(violation));
        }
    }

    /// Every record passes here: the guards see it first.
    fn emit(&mut self, trace: &mut Trace, what: What) {
        for violation in self.guards.watch(self.now, &what).into_iter().flatten() {
            trace.record(self.now, What::Guard(violation));
        }
        trace.record(self.now, what);
    }

    fn tell(&mut self, trace: &mut Trace, change: Change) {
        self.emit(trace, What::Kubernetes(change));
    }
}

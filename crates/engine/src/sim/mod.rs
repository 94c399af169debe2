//! The simulation: carries out one event at a time.
//!
//! The order at one instant: world events by class, then sequence; passes of the controller
//! until one does nothing; an act, and the same again. What is settled then is sampled and
//! checked by the guards.

mod act;
mod alarms;
mod breaker;
mod control;
mod deployment;
mod drain_host;
mod hooks;
mod hosts;
mod life;
mod protect;
mod rebalance;
mod rollout;
pub mod service_deployment;
mod shift;
mod snapshot;
mod start;
mod stop;
mod traffic;
mod view;

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use deployment::Deployment;
pub use service_deployment::ServiceDeployment;
pub use shift::ShiftState;
pub use snapshot::{Snapshot, SnapshotTaker};
pub use traffic::{ScalingState, TrafficState, TrafficView};

use alarms::AlarmNow;

use crate::guard::Guards;
use crate::mechanism::instance::Instance;
use crate::mechanism::placement::Hosts;
use crate::mechanism::pool::Pools;
use crate::mechanism::probe::{Probe, ProbeSpec};
use crate::mechanism::quota::LaunchQuota;
use crate::platform::ecs::{self, rules, rules_shift};
use crate::queue::Queue;
use crate::settings::{Act, Command, Revision, Settings, ZONES};
use crate::time::{DAY, HOUR, SimTime};
use crate::trace::{InstanceId, Reason, Trace, What};

/// Rounds of the controller at one instant after which the run ends with an error.
pub const ROUNDS_MAX: u32 = 10_000;
/// A run without an end of its own ends this long after the last start of a deployment or act.
pub const HORIZON_MS: u64 = 24 * HOUR;
/// The same where DEFERRED clean-up or scale-in protection is in play, and while traffic is being shifted.
pub const LONG_HORIZON_MS: u64 = 16 * DAY;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// No future event can change anything.
    Quiet,
    /// The moment `until` of the scenario.
    Until,
    /// The platform's horizon: 24 hours after the last deployment start or act, and after the end of a
    /// deployment that shifts traffic; 16 days where DEFERRED clean-up or scale-in protection is in play, and
    /// while traffic is being shifted.
    Horizon,
    /// The event budget is used up.
    EventBudget,
    /// 10,000 rounds at one instant: an error of the model.
    Rounds,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A world event (a task changed, a timer ran out).
    World,
    /// A pass of the controller; true when it acted.
    Pass(bool),
    /// An act.
    Act,
    /// The run is over; nothing was done.
    Ended(Ending),
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// As given, but for the acts, which [`Simulation::acts`] holds.
    settings: Arc<Settings>,
    /// The service's configuration as it is now.
    params: ecs::Params,
    /// Check of each container and target group, in the order of `probes`.
    specs: Arc<Vec<ProbeSpec>>,
    acts: Vec<Act>,
    acts_done: usize,
    places_done: usize,
    now: SimTime,
    queue: Queue,
    revisions: Vec<Revision>,
    /// Starts of each revision so far.
    starts: Vec<u32>,
    /// Deployments that have not gone, oldest first; the last one is PRIMARY.
    deployments: Vec<Deployment>,
    deployments_made: u16,
    /// The last COMPLETED deployment when it has no tasks any more: a rollback may take it up again.
    kept: Option<Deployment>,
    /// Service deployments, oldest first; only the last one can be live.
    services: Vec<ServiceDeployment>,
    /// The newest deployment that shifts traffic.
    shift: Option<ShiftState>,
    /// Runs of lifecycle hooks so far.
    hook_runs: u32,
    traffic: Option<TrafficState>,
    scaling: Option<ScalingState>,
    alarms: Vec<AlarmNow>,
    schema: u32,
    schema_done: usize,
    /// The run goes on for 16 days.
    long: bool,
    /// By slot; a task that stopped stays until its slot is used again.
    slots: Vec<Option<Instance>>,
    /// Checks of the task in slot s: `probes[s * specs.len()..][..specs.len()]`.
    probes: Vec<Probe>,
    free: BTreeSet<u32>,
    /// Active tasks by zone.
    zones: [u32; ZONES],
    created: u32,
    stamps: u32,
    batches: u32,
    running_order: u64,
    pools: Pools,
    quota: LaunchQuota,
    places: u32,
    /// Instances and who runs on them, where tasks run on some.
    hosts: Option<Hosts>,
    /// The extra task of a rebalancing that is under way.
    moving: Option<(InstanceId, u32)>,
    /// The controller looks again at this moment at the latest.
    look_at: SimTime,
    hold: Option<Reason>,
    begun: bool,
    dirty: bool,
    rounds: u32,
    events_done: u64,
    /// Last start of a deployment or act, planned ones included.
    horizon_from: SimTime,
    ending: Option<Ending>,
    guards: Guards,
}

impl Simulation {
    /// Starts a run; nothing has happened yet.
    pub fn new(mut settings: Settings) -> Simulation {
        let params = settings.platform.ecs().clone();
        let acts = core::mem::take(&mut settings.acts);
        let checks = settings.containers.iter().map(ProbeSpec::from);
        let specs: Vec<ProbeSpec> = checks.chain(settings.target_groups.iter().map(ProbeSpec::from)).collect();
        let stopping_counts = params.readings.stopping_counts;
        let mut sim = Simulation {
            params,
            specs: Arc::new(specs),
            acts,
            acts_done: 0,
            places_done: 0,
            now: SimTime::ZERO,
            queue: Queue::default(),
            revisions: settings.revisions.clone(),
            starts: settings.revisions.iter().map(|_| 0).collect(),
            deployments: Vec::new(),
            deployments_made: 0,
            kept: None,
            services: Vec::new(),
            shift: None,
            hook_runs: 0,
            traffic: None,
            scaling: None,
            alarms: Vec::new(),
            schema: 0,
            schema_done: 0,
            long: false,
            slots: Vec::new(),
            probes: Vec::new(),
            free: BTreeSet::new(),
            zones: [0; ZONES],
            created: 0,
            stamps: 0,
            batches: 0,
            running_order: 0,
            pools: Pools::new(),
            quota: LaunchQuota::new(settings.quotas),
            places: u32::MAX,
            hosts: None,
            moving: None,
            look_at: SimTime::NEVER,
            hold: None,
            begun: false,
            dirty: false,
            rounds: 0,
            events_done: 0,
            horizon_from: SimTime::ZERO,
            ending: None,
            guards: Guards::new(stopping_counts),
            settings: Arc::new(settings),
        };
        sim.found_cluster();
        sim.find_pools();
        let deferred = sim.params.early_success.is_some_and(|early| early.cleanup == ecs::Cleanup::Deferred);
        sim.long = deferred || sim.acts.iter().any(is_long);
        sim.horizon_from = sim.acts.last().map_or(SimTime::ZERO, |act| act.at);
        sim
    }

    /// The present moment.
    pub fn now(&self) -> SimTime {
        self.now
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

    /// The next moment that something is due, whatever the horizon.
    fn next_due(&self) -> Option<SimTime> {
        let queue = self.queue.peek().map(|entry| entry.at);
        let act = self.acts.get(self.acts_done).map(|act| act.at);
        let places = self.settings.places().get(self.places_done).map(|step| step.at);
        let schema = self.settings.schema.get(self.schema_done).map(|(at, _)| *at);
        let alarm = if self.begun { self.alarm_change_at() } else { None };
        let traffic = if self.begun { self.traffic_due() } else { None };
        let hosts = self.hosts.as_ref().and_then(Hosts::next);
        let look = (self.look_at != SimTime::NEVER).then_some(self.look_at);
        [queue, act, places, schema, alarm, traffic, hosts, look].into_iter().flatten().min()
    }

    /// The run goes no further than this, and why.
    fn last_moment(&self) -> (SimTime, Ending) {
        match self.settings.until {
            Some(until) => (until, Ending::Until),
            None if self.long || self.shifts_on() => (self.horizon_from + LONG_HORIZON_MS, Ending::Horizon),
            None => (self.horizon_from + HORIZON_MS, Ending::Horizon),
        }
    }

    /// Carries out exactly one event.
    // Not inlined: a caller compiled for size would take the loop's body with it.
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
                // Counts may have changed without anything for the controller to decide.
                self.settle(trace);
            }
            return Step::World;
        }
        if self.dirty {
            return self.controller(trace);
        }
        self.act(trace);
        Step::Act
    }

    /// The budget bounds tasks as well: one event may start thousands of them.
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

    /// A person's act at this moment, logged in [`Simulation::acts`]. True when it had an object.
    ///
    /// It is carried out after everything that is due now, and so is what follows from it at
    /// this instant: the same act read from a document gives the same state. A run that was cut
    /// off by its event budget takes no more acts.
    pub fn apply(&mut self, command: Command, trace: &mut Trace) -> bool {
        self.advance_to(self.now, trace);
        if matches!(self.ending, Some(Ending::EventBudget | Ending::Rounds)) || self.budget_used_up() {
            return false;
        }
        self.ending = None;
        let act = Act { at: self.now, command };
        self.long |= is_long(&act);
        self.acts.insert(self.acts_done, act);
        self.horizon_from = self.horizon_from.max(self.now);
        self.events_done += 1;
        let effective = self.act(trace);
        self.advance_to(self.now, trace);
        effective
    }

    fn move_to(&mut self, t: SimTime) {
        debug_assert!(t >= self.now);
        if t != self.now {
            if self.begun {
                self.pass_levels();
                self.pass_traffic();
            }
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
            self.dirty = true;
            self.emit(trace, What::Places { places });
            return true;
        }
        if let Some((_, version)) = self.settings.schema.get(self.schema_done).filter(|step| step.0 <= self.now) {
            let version = *version;
            self.schema_done += 1;
            self.set_schema(version, trace);
            return true;
        }
        if self.alarm_changes(trace) || self.traffic_changes(trace) || self.host_event(trace) {
            return true;
        }
        while let Some(entry) = self.queue.peek().filter(|entry| entry.at <= self.now) {
            let (slot, stamp) = (entry.slot, entry.stamp);
            self.queue.pop();
            let valid = self.slots[slot as usize].as_ref().is_some_and(|task| task.stamp == stamp);
            if valid {
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

    /// Events at the top that no longer hold go, so that the next due moment is a true one.
    fn drop_stale(&mut self) {
        while let Some(entry) = self.queue.peek() {
            let holds = self.slots[entry.slot as usize].as_ref().is_some_and(|task| task.stamp == entry.stamp);
            if holds {
                return;
            }
            self.queue.pop();
        }
    }

    fn controller(&mut self, trace: &mut Trace) -> Step {
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
            self.follow_stage(trace);
            self.settle(trace);
        }
        Step::Pass(acted)
    }

    /// Nothing more happens before the next act or the next moment: sample and check.
    fn settle(&mut self, trace: &mut Trace) {
        let counts = self.counts();
        trace.sample(self.now, counts);
        if let Some(flow) = self.flow() {
            trace.flow(self.now, flow);
        }
        let broken = self.guards.settled(self.now, &counts);
        for violation in broken.into_iter().flatten() {
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

    fn set_schema(&mut self, version: u32, trace: &mut Trace) {
        if core::mem::replace(&mut self.schema, version) != version {
            self.emit(trace, What::Schema { version });
        }
    }

    fn limits(&self) -> crate::frame::Limits {
        if self.is_shifting() {
            return rules_shift::limits(self.params.desired);
        }
        crate::frame::Limits {
            desired: self.params.desired,
            floor: rules::floor(self.params.desired, self.params.minimum_healthy_percent),
            ceiling: rules::ceiling(self.params.desired, self.params.maximum_percent),
        }
    }
}

/// An act after which a run goes on for longer than a day.
fn is_long(act: &Act) -> bool {
    matches!(act.command, Command::Protect { .. })
}

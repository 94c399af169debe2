//! The run of a group of virtual machines: a Google Cloud managed instance group or an Azure scale set. The life
//! of a machine is the same; what is done, and when, is decided by each platform's own rules.
//!
//! The order at one instant: world events by class, then sequence; looks of the group until one has no plan; an
//! act, and the same again. Machines that become healthy at one instant are seen together.

mod act;
mod change;
mod control;
mod life;
mod machine;
mod stop;
mod view;

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use change::{Change, MachineChange};
pub use control::Rollout;
pub use machine::{Class, Machine, Stage};
pub use view::VmView;

use crate::frame::{LANES, LaneCounts};
use crate::guard::Guards;
use crate::mechanism::probe::ProbeSpec;
use crate::platform::vm::{Hold, Params};
use crate::platform::vmss::Upgrade;
use crate::queue::Queue;
use crate::settings::{Act, Command, Revision, Settings, ZONES};
use crate::sim::{Ending, HORIZON_MS, ROUNDS_MAX, Step};
use crate::time::SimTime;
use crate::trace::{Trace, What};

/// A machine's place in the order in which those of a class go; its slot last.
type Rank = (u32, u32, u32);

/// A run of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// As given, but for the acts, which [`Run::acts`] holds.
    settings: Arc<Settings>,
    /// The group's configuration.
    params: Params,
    /// The health check; absent where RUNNING is all that is asked.
    spec: Option<ProbeSpec>,
    acts: Vec<Act>,
    acts_done: usize,
    places_done: usize,
    now: SimTime,
    queue: Queue,
    revisions: Vec<Revision>,
    /// Machines of each model made so far.
    starts: Vec<u32>,
    /// The template or model that new machines have.
    target: u32,
    /// The one before.
    former: u32,
    /// When the newest update began, and when the target was reached.
    rollout: Rollout,
    /// The newest rolling upgrade of a scale set.
    upgrade: Option<Upgrade>,
    /// `isStable` as it was last told; absent before.
    stable: Option<bool>,
    /// By slot; a machine that is gone stays until its slot is used again.
    slots: Vec<Option<Machine>>,
    free: BTreeSet<u32>,
    /// Machines by side (old, of the target) and class, those that go first in front.
    classes: [[BTreeSet<Rank>; Class::ALL.len()]; 2],
    /// Old machines that are not being rebuilt, by zone.
    old_zones: [u32; ZONES],
    /// Machines by lane and state.
    lanes: [LaneCounts; LANES],
    /// The same by model.
    versions: Vec<LaneCounts>,
    /// Machines that stay or come up again, by zone.
    zones: [u32; ZONES],
    created: u32,
    stamps: u32,
    places: u32,
    /// Creations that failed in a row.
    failures: u32,
    /// The next creation may be tried then.
    retry_at: SimTime,
    /// The group looks again at this moment at the latest.
    look_at: SimTime,
    hold: Option<Hold>,
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
    pub fn new(mut settings: Settings, params: Params) -> Run {
        let acts = core::mem::take(&mut settings.acts);
        let horizon_from = acts.last().map_or(SimTime::ZERO, |act| act.at);
        let version = settings.start.deployments.last().map_or(1, |d| d.revision);
        Run {
            spec: settings.target_groups.first().map(ProbeSpec::from),
            params,
            acts,
            acts_done: 0,
            places_done: 0,
            now: SimTime::ZERO,
            queue: Queue::default(),
            revisions: settings.revisions.clone(),
            starts: settings.revisions.iter().map(|_| 0).collect(),
            target: version,
            former: version,
            rollout: Rollout::default(),
            upgrade: None,
            stable: None,
            slots: Vec::new(),
            free: BTreeSet::new(),
            classes: Default::default(),
            old_zones: [0; ZONES],
            lanes: [LaneCounts::default(); LANES],
            versions: settings.revisions.iter().map(|_| LaneCounts::default()).collect(),
            zones: [0; ZONES],
            created: 0,
            stamps: 0,
            places: u32::MAX,
            failures: 0,
            retry_at: SimTime::ZERO,
            look_at: SimTime::NEVER,
            hold: None,
            begun: false,
            dirty: false,
            rounds: 0,
            events_done: 0,
            horizon_from,
            ending: None,
            // Machines that are being deleted do not count against the ceiling.
            guards: Guards::new(false),
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
        let look = (self.look_at != SimTime::NEVER).then_some(self.look_at);
        [queue, act, places, look].into_iter().flatten().min()
    }

    /// Nothing ends an update that does not get on: a day is looked at.
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
            return self.look(trace);
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
            self.dirty = true;
            self.emit(trace, What::Places { places });
            return true;
        }
        while let Some(entry) = self.queue.peek().filter(|entry| entry.at <= self.now) {
            let (slot, stamp) = (entry.slot, entry.stamp);
            self.queue.pop();
            if self.machine_at(slot).is_some_and(|machine| machine.stamp == stamp) {
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
            if self.machine_at(entry.slot).is_some_and(|machine| machine.stamp == entry.stamp) {
                return;
            }
            self.queue.pop();
        }
    }

    fn look(&mut self, trace: &mut Trace) -> Step {
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
        self.emit(trace, What::Vm(change));
    }
}

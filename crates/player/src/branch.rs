//! One future: a run with everything that was computed of it.

use rollscope_engine::settings::{Act, Command, Settings};
use rollscope_engine::{Ending, SimTime, Simulation, Step, Trace};

use crate::keyframes::Keyframes;
use crate::timeline::Timeline;

/// Names a branch for the life of the player; 0 is the run as the document has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId(pub u32);

/// A branch as the viewer sees it.
#[derive(Clone, Copy, Debug)]
pub struct BranchView<'a> {
    /// Its name.
    pub id: BranchId,
    /// The branch it left; absent for the first one.
    pub parent: Option<BranchId>,
    /// Where it left it; 0 for the first one.
    pub from: SimTime,
    /// The act that made it; absent for the first one.
    pub command: Option<&'a Command>,
    /// It is computed to its end.
    pub complete: bool,
    /// Its end, or how far it is computed.
    pub end: SimTime,
    /// The cursor is in it.
    pub active: bool,
}

/// A branch.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub id: BranchId,
    pub parent: Option<BranchId>,
    pub from: SimTime,
    pub command: Option<Command>,
    /// The run as far as it is computed.
    pub head: Simulation,
    pub timeline: Timeline,
    pub keyframes: Keyframes,
}

impl Branch {
    /// The run of a document, nothing computed but the first instant.
    pub fn first(settings: Settings, bound: usize) -> Branch {
        let mut branch = Branch {
            id: BranchId(0),
            parent: None,
            from: SimTime::ZERO,
            command: None,
            head: Simulation::new(settings),
            timeline: Timeline::new(),
            keyframes: Keyframes::new(bound),
        };
        branch.head.advance_to(SimTime::ZERO, &mut branch.timeline.trace);
        branch.timeline.index();
        branch.snapshot(false);
        branch
    }

    fn snapshot(&mut self, pinned: bool) {
        let (records, samples) = (self.timeline.records().len(), self.timeline.samples().len());
        if pinned {
            self.keyframes.pin(&self.head, records, samples);
        } else {
            self.keyframes.offer(&self.head, records, samples);
        }
    }

    /// The run is over.
    pub fn complete(&self) -> bool {
        self.head.ending().is_some()
    }

    /// The end of the run, or how far it is computed.
    pub fn end(&self) -> SimTime {
        self.head.now()
    }

    /// Computes at most `budget` more events (and the rest of the instant); how many are left.
    pub fn advance(&mut self, budget: u64) -> u64 {
        let mut left = budget;
        while left > 0 && !self.complete() {
            // Whole instants, so that every snapshot and the end of what is known lie between two.
            loop {
                if let Step::Ended(_) = self.head.step(&mut self.timeline.trace) {
                    break;
                }
                left = left.saturating_sub(1);
                if self.head.next_event_at() != Some(self.head.now()) {
                    break;
                }
            }
            if !self.complete() {
                self.snapshot(false);
            }
        }
        if self.complete() {
            self.keyframes.finish();
        }
        self.timeline.index();
        left
    }

    /// Brings a state of this branch to `t`; it goes on from where it is when that is nearer
    /// than the last snapshot.
    pub fn bring(&self, state: &mut Simulation, t: SimTime) {
        let base = self.keyframes.before(t);
        let oldest = base.as_ref().map_or(SimTime::ZERO, |base| base.at);
        let pinned = self.keyframes.pinned_before(t);
        // A state no younger than an act made by hand may not know of that act.
        let usable = state.now() <= t && state.now() >= oldest && pinned.is_none_or(|pinned| state.now() > pinned);
        if let Some(base) = base.filter(|_| !usable) {
            self.keyframes.restore_into(&base, state);
        }
        state.advance_to(t, &mut Trace::null());
    }

    /// The state at `t`, from the last snapshot.
    pub fn state_at(&self, t: SimTime) -> Simulation {
        let restored = self.keyframes.before(t).and_then(|base| self.keyframes.restore(&base));
        // The first instant is always kept, so there is no moment without a snapshot.
        let mut state = restored.unwrap_or_else(|| self.head.clone());
        state.advance_to(t, &mut Trace::null());
        state
    }

    /// A branch that leaves this one at `t` with an act; absent when the act has no object then.
    pub fn fork(&self, id: BranchId, t: SimTime, command: Command, bound: usize) -> Option<Branch> {
        self.grow(self.keyframes.until(t, bound), Some(self.id), id, t, command)
    }

    /// This branch with another act in place of the one that made it; absent for the first one, and
    /// when the act has no object.
    pub fn instead(&self, id: BranchId, command: Command, bound: usize) -> Option<Branch> {
        self.grow(self.keyframes.before_own_act(bound)?, self.parent, id, self.from, command)
    }

    /// A branch on some of this one's snapshots, the last of which knows of nothing later than `t`.
    fn grow(
        &self,
        keyframes: Keyframes,
        parent: Option<BranchId>,
        id: BranchId,
        t: SimTime,
        command: Command,
    ) -> Option<Branch> {
        let base = keyframes.before(t)?;
        let mut timeline = self.timeline.prefix(base.at, base.records, base.samples);
        let mut head = keyframes.restore(&base)?;
        head.advance_to(t, &mut timeline.trace);
        timeline.reopen();
        if !head.apply(command.clone(), &mut timeline.trace) {
            return None;
        }
        timeline.index();
        let from = head.now();
        let mut branch = Branch { id, parent, from, command: Some(command), head, timeline, keyframes };
        branch.snapshot(true);
        Some(branch)
    }

    /// All acts, planned and made by hand, ascending in time: what a document of this branch lists.
    pub fn acts(&self) -> &[Act] {
        self.head.acts()
    }

    /// Why the run ended, if it is computed to its end.
    pub fn ending(&self) -> Option<Ending> {
        self.head.ending()
    }
}

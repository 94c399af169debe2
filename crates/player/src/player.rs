//! The player: branches, a cursor and a clock.

use rollscope_engine::frame::TaskView;
use rollscope_engine::settings::{Act, Settings};
use rollscope_engine::trace::{Record, What};
use rollscope_engine::{Ending, Frame, SimTime, Simulation};

use crate::branch::{Branch, BranchId, BranchView};
use crate::clock::{Clock, PlayState, Speed};
use crate::history::Undone;
use crate::step::{self, StepUnit};
use crate::timeline::{Fold, Timeline};

/// Memory for keyframes of all branches together, in bytes. Default bound.
pub const KEYFRAME_BYTES: usize = 64 << 20;

/// Where the cursor goes once the run is computed that far.
#[derive(Clone, Copy, Debug)]
enum Wish {
    /// A moment.
    At(SimTime),
    /// The end, wherever it will be.
    End,
}

/// A run that is being watched.
#[derive(Clone, Debug)]
pub struct Player {
    pub(crate) branches: Vec<Branch>,
    pub(crate) active: usize,
    next_id: u32,
    /// Branches that were taken back, the last one last.
    pub(crate) undone: Vec<Undone>,
    pub(crate) bound: usize,
    /// The state at the cursor.
    cursor: Simulation,
    /// What it looks like, once somebody asked.
    frame: Option<Frame>,
    /// Room for the slots of the next one.
    room: Vec<Option<TaskView>>,
    wish: Option<Wish>,
    clock: Clock,
    folds: Vec<Fold>,
    folds_of: (BranchId, usize),
}

impl Player {
    /// A player at the start of a run; only the first instant is computed.
    pub fn new(settings: Settings) -> Player {
        Player::with_bound(settings, KEYFRAME_BYTES)
    }

    /// The same with another memory bound for keyframes, in bytes.
    pub fn with_bound(settings: Settings, bound: usize) -> Player {
        let first = Branch::first(settings, bound);
        let cursor = first.head.clone();
        Player {
            branches: vec![first],
            active: 0,
            next_id: 1,
            undone: Vec::new(),
            bound,
            cursor,
            frame: None,
            room: Vec::new(),
            wish: None,
            clock: Clock::default(),
            folds: Vec::new(),
            folds_of: (BranchId(0), 0),
        }
    }

    pub(crate) fn branch(&self) -> &Branch {
        &self.branches[self.active]
    }

    /// Computes at most about `budget_events` further, the active branch first. True while
    /// something is left to compute.
    pub fn advance(&mut self, budget_events: u64) -> bool {
        let mut left = self.branches[self.active].advance(budget_events);
        for branch in &mut self.branches {
            left = branch.advance(left);
        }
        match self.wish {
            Some(Wish::At(t)) => self.seek(t),
            Some(Wish::End) => self.seek_end(),
            None => {}
        }
        self.branches.iter().any(|branch| !branch.complete())
    }

    /// Computes everything. For callers without a page to keep alive.
    pub fn advance_to_end(&mut self) {
        while self.advance(1 << 16) {}
    }

    /// The active branch is computed to its end.
    pub fn complete(&self) -> bool {
        self.branch().complete()
    }

    /// Why the active branch ended, once it is computed.
    pub fn ending(&self) -> Option<Ending> {
        self.branch().ending()
    }

    /// The end of the active branch, or how far it is computed.
    pub fn end(&self) -> SimTime {
        self.branch().end()
    }

    /// The last moment there is something to see of the active branch: the end of a run that was cut
    /// off, the last thing that happened in one that came to rest, and until either is computed how
    /// far it is computed.
    pub fn last_moment(&self) -> SimTime {
        if self.ending() != Some(Ending::Quiet) {
            return self.end();
        }
        let happens = |record: &&Record| !matches!(record.what, What::Ended(_));
        self.timeline().records().iter().rev().find(happens).map_or(SimTime::ZERO, |record| record.at)
    }

    /// What is known of the active branch.
    pub fn timeline(&self) -> &Timeline {
        &self.branch().timeline
    }

    /// The active branch as far as it is computed; its end state once it is complete.
    pub fn head(&self) -> &Simulation {
        &self.branch().head
    }

    /// Bytes of the active branch's keyframes, and how many there are.
    pub fn keyframes(&self) -> (usize, usize) {
        (self.branch().keyframes.bytes(), self.branch().keyframes.len())
    }

    /// All acts of the active branch, planned and made by hand, ascending in time.
    pub fn acts(&self) -> &[Act] {
        self.branch().acts()
    }

    /// The cursor.
    pub fn now(&self) -> SimTime {
        self.cursor.now()
    }

    /// The state at the cursor.
    pub fn state(&self) -> &Simulation {
        &self.cursor
    }

    /// The state at the cursor in the viewer's words.
    pub fn frame(&mut self) -> &Frame {
        let (cursor, room) = (&self.cursor, &mut self.room);
        self.frame.get_or_insert_with(|| cursor.frame_in(std::mem::take(room)))
    }

    /// The cursor moved: it looks otherwise.
    fn moved(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.room = frame.slots;
        }
    }

    /// The records of the last instant at or before the cursor: what the caption is about.
    pub fn last_records(&self) -> &[Record] {
        self.timeline().last_records(self.now())
    }

    /// Moves the cursor. Beyond the end it stops there; beyond what is computed it goes as far
    /// as it can and the rest once that is computed.
    pub fn seek(&mut self, t: SimTime) {
        let known = self.end();
        self.wish = (t > known && !self.complete()).then_some(Wish::At(t));
        self.move_to(t.min(known));
        self.clock.forget();
        if self.clock.state == PlayState::Ended && self.now() < known {
            self.clock.state = PlayState::Paused;
        }
    }

    /// Moves the cursor to the last moment, and along with it while the run is still computed, until
    /// the cursor is moved elsewhere or plays.
    pub fn seek_end(&mut self) {
        self.seek(self.last_moment());
        if !self.complete() {
            self.wish = Some(Wish::End);
        }
    }

    fn move_to(&mut self, t: SimTime) {
        if t == self.cursor.now() {
            return;
        }
        self.branches[self.active].bring(&mut self.cursor, t);
        self.moved();
    }

    /// One step on; false at the end.
    pub fn step_next(&mut self, unit: StepUnit) -> bool {
        self.jump(unit.after(self.timeline(), self.now(), self.end()))
    }

    /// One step back; false at the start.
    pub fn step_prev(&mut self, unit: StepUnit) -> bool {
        self.jump(unit.before(self.timeline(), self.now()))
    }

    /// The next failure; false when there is none.
    pub fn next_failure(&mut self) -> bool {
        self.jump(step::after(self.timeline().failures(), self.now()))
    }

    /// The previous failure; false when there is none.
    pub fn prev_failure(&mut self) -> bool {
        self.jump(step::before(self.timeline().failures(), self.now()))
    }

    /// The number of the step at the cursor (0 before the first) and how many are known.
    pub fn step_position(&self, unit: StepUnit) -> (usize, usize) {
        unit.position(self.timeline(), self.now(), self.end())
    }

    fn jump(&mut self, t: Option<SimTime>) -> bool {
        let Some(t) = t else {
            self.wish = None;
            return false;
        };
        self.seek(t);
        true
    }

    /// What the player is doing.
    pub fn play_state(&self) -> PlayState {
        self.clock.state
    }

    /// How fast it plays.
    pub fn speed(&self) -> Speed {
        self.clock.speed
    }

    /// The speed in thousandths of real time; 0 at [`Speed::Decisions`].
    pub fn speed_milli(&self) -> u64 {
        self.clock.milli(self.end())
    }

    /// Changes the speed; the state stays.
    pub fn set_speed(&mut self, speed: Speed) {
        self.clock.speed = speed;
        self.clock.forget();
    }

    /// Starts playing; at the end, from the start again.
    pub fn play(&mut self) {
        if self.complete() && self.now() >= self.end() {
            self.seek(SimTime::ZERO);
        }
        self.wish = None;
        self.clock.forget();
        self.clock.state = PlayState::Playing;
    }

    /// Rests.
    pub fn pause(&mut self) {
        self.clock.state = PlayState::Paused;
    }

    /// Plays or rests, whichever it does not do now.
    pub fn toggle(&mut self) {
        if self.clock.state == PlayState::Playing { self.pause() } else { self.play() }
    }

    /// `dt_ms` of wall time passed (at most 100 count). True when the cursor moved or playing ended, as it does at
    /// the moment of a broken guard.
    pub fn tick(&mut self, dt_ms: u64) -> bool {
        if self.clock.state != PlayState::Playing {
            return false;
        }
        let before = self.now();
        let broken = self.timeline().broken_after(before);
        if self.clock.speed == Speed::Decisions {
            if self.clock.decision_due(dt_ms) {
                let next = StepUnit::Decision.after(self.timeline(), before, self.end());
                let rest = self.complete().then(|| self.end());
                if let Some(t) = next.or(rest) {
                    self.move_to(t);
                }
            }
        } else {
            let (end, gap) = (self.end(), self.gap_at(before));
            let mut t = before + self.clock.run(dt_ms, end, gap.map_or(0, |fold| fold.to.since(fold.from)));
            // The haste of a fold ends where something happens again.
            if let Some(fold) = gap {
                t = t.min(fold.to.max(before + dt_ms.saturating_mul(self.clock.milli(end)) / 1_000));
            }
            self.move_to(t.min(end));
        }
        // What follows a broken guard is not to be believed: it is looked at there.
        if let Some(at) = broken.filter(|at| *at <= self.now()) {
            self.seek(at);
            self.pause();
            return true;
        }
        if self.complete() && self.now() >= self.end() {
            self.clock.state = PlayState::Ended;
            return true;
        }
        self.now() != before
    }

    /// The span without anything that `t` lies in.
    fn gap_at(&mut self, t: SimTime) -> Option<Fold> {
        let of = (self.branch().id, self.timeline().events().len());
        if self.folds_of != of && self.complete() {
            self.folds = self.timeline().folds();
            self.folds_of = of;
        }
        if self.folds_of != of {
            return None;
        }
        let index = self.folds.partition_point(|fold| fold.from <= t).checked_sub(1)?;
        Some(self.folds[index]).filter(|fold| t < fold.to)
    }

    /// All branches, oldest first.
    pub fn branches(&self) -> impl Iterator<Item = BranchView<'_>> {
        self.branches.iter().enumerate().map(|(index, branch)| BranchView {
            id: branch.id,
            parent: branch.parent,
            from: branch.from,
            command: branch.command.as_ref(),
            complete: branch.complete(),
            end: branch.end(),
            active: index == self.active,
        })
    }

    /// The branch the cursor is in.
    pub fn active(&self) -> BranchId {
        self.branch().id
    }

    /// Moves the cursor into another branch, at the same moment or its end; false for an unknown one.
    pub fn switch(&mut self, id: BranchId) -> bool {
        let Some(index) = self.branches.iter().position(|branch| branch.id == id) else { return false };
        if index != self.active {
            let t = match self.wish {
                Some(Wish::At(t)) => t,
                _ => self.now(),
            };
            self.active = index;
            self.enter(t);
        }
        true
    }

    /// A name for a new branch, and each branch's share of the memory once it is there.
    pub(crate) fn place(&mut self) -> (BranchId, usize) {
        let id = BranchId(self.next_id);
        self.next_id += 1;
        (id, self.bound / (self.branches.len() + self.undone.len() + 1))
    }

    /// The memory is shared out among all branches that are kept.
    pub(crate) fn share(&mut self) {
        let share = self.bound / (self.branches.len() + self.undone.len());
        let undone = self.undone.iter_mut().map(|undone| &mut undone.branch);
        self.branches.iter_mut().chain(undone).for_each(|branch| branch.keyframes.set_bound(share));
    }

    /// The cursor enters the active branch from elsewhere: nothing of the old state is used.
    pub(crate) fn enter(&mut self, t: SimTime) {
        let known = self.end();
        self.wish = (t > known && !self.complete()).then_some(Wish::At(t));
        self.cursor = self.branches[self.active].state_at(t.min(known));
        self.moved();
        self.clock.forget();
        if self.clock.state == PlayState::Ended {
            self.clock.state = PlayState::Paused;
        }
    }
}

#[cfg(test)]
#[expect(dead_code, reason = "each test takes what it needs")]
#[path = "../tests/player/common.rs"]
mod common;

#[cfg(test)]
mod tests {
    use rollscope_engine::guard::{GuardKind, Violation};
    use rollscope_engine::trace::{Record, What};

    use super::*;

    /// No run breaks a guard, so the record of one is put in by hand.
    fn broken(at: SimTime) -> Player {
        let mut player = Player::new(common::settings(4, 100, 150));
        player.advance_to_end();
        let timeline = &mut player.branches[0].timeline;
        let place = timeline.trace.records.partition_point(|record| record.at <= at);
        let violation = Violation { kind: GuardKind::Floor, at, value: 3, bound: 4 };
        timeline.trace.records.insert(place, Record { at, what: What::Guard(violation) });
        let (records, samples) = (timeline.records().len(), timeline.samples().len());
        *timeline = timeline.prefix(SimTime::NEVER, records, samples);
        player
    }

    #[test]
    fn a_broken_guard_stops_the_player_at_its_moment_once() {
        for speed in [Speed::Fit, Speed::Milli(1_000_000), Speed::Decisions] {
            let at = SimTime(61_234);
            let mut player = broken(at);
            player.set_speed(speed);
            player.play();
            for _ in 0..10_000 {
                player.tick(100);
            }
            assert_eq!((player.now(), player.play_state()), (at, PlayState::Paused), "{speed:?}");
            assert!(player.last_records().iter().any(|record| matches!(record.what, What::Guard(_))));
            player.play();
            for _ in 0..10_000 {
                player.tick(100);
            }
            assert_eq!(player.play_state(), PlayState::Ended, "what follows can be looked at");
        }
    }

    #[test]
    fn a_run_whose_guards_hold_plays_to_its_end() {
        let mut player = Player::new(common::settings(4, 100, 150));
        player.advance_to_end();
        player.play();
        while player.play_state() == PlayState::Playing {
            player.tick(100);
        }
        assert_eq!((player.play_state(), player.now()), (PlayState::Ended, player.end()));
    }
}

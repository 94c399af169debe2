//! Snapshots along a run, within a memory bound.

use std::sync::Arc;

use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::{SimTime, Simulation};

/// Least events between two keyframes: replaying this many is faster than anybody sees.
const STRIDE_MIN: u64 = 1_024;
/// A snapshot costs as much as one event for so many slots: large fleets get fewer.
const SLOTS_AN_EVENT: u64 = 4;
/// Every so many keyframes one is whole; the others hold what changed since the one before.
const CHAIN: usize = 32;

/// A snapshot, taken when everything of its instant was done.
#[derive(Clone, Debug)]
struct Keyframe {
    at: SimTime,
    state: Arc<Snapshot>,
    bytes: usize,
    /// Records and samples the run had by then.
    records: usize,
    samples: usize,
    /// It is the state right after an act made by hand, which older snapshots do not know of.
    pinned: bool,
}

/// Snapshots along one branch, ascending in time; the first one is whole.
#[derive(Clone, Debug)]
pub(crate) struct Keyframes {
    frames: Vec<Keyframe>,
    /// Moments of the pinned ones.
    pins: Vec<SimTime>,
    bytes: usize,
    bound: usize,
    stride: u64,
    last_events: u64,
    /// Snapshots since the last whole one.
    since_whole: usize,
    /// What the last snapshot held; empty once the run is computed.
    taker: SnapshotTaker,
}

/// A snapshot to go on from.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    pub at: SimTime,
    pub records: usize,
    pub samples: usize,
    index: usize,
}

impl Keyframes {
    /// None yet; together they stay below about `bound` bytes, but for those that cannot go
    /// (the first one, and one for each act made by hand).
    pub fn new(bound: usize) -> Keyframes {
        Keyframes {
            frames: Vec::new(),
            pins: Vec::new(),
            bytes: 0,
            bound,
            stride: STRIDE_MIN,
            last_events: 0,
            since_whole: 0,
            taker: SnapshotTaker::default(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Their size in bytes, as the engine estimates it.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a snapshot when enough has happened since the last one.
    pub(crate) fn offer(&mut self, state: &Simulation, records: usize, samples: usize) {
        let stride = self.stride.max(state.slot_count() as u64 / SLOTS_AN_EVENT);
        if self.frames.is_empty() || state.events_done() >= self.last_events + stride {
            self.push(state, records, samples, false);
            self.thin();
        }
    }

    /// Takes the snapshot right after an act made by hand.
    pub(crate) fn pin(&mut self, state: &Simulation, records: usize, samples: usize) {
        self.pins.push(state.now());
        self.push(state, records, samples, true);
        self.thin();
    }

    /// The run is computed: no further snapshot will be taken.
    pub(crate) fn finish(&mut self) {
        self.taker = SnapshotTaker::default();
    }

    fn push(&mut self, state: &Simulation, records: usize, samples: usize, pinned: bool) {
        self.last_events = state.events_done();
        self.since_whole += 1;
        let snapshot = self.taker.take(state, self.since_whole >= CHAIN);
        if snapshot.whole() {
            self.since_whole = 0;
        }
        let bytes = snapshot.size_bytes();
        self.bytes += bytes;
        self.frames.push(Keyframe { at: state.now(), state: Arc::new(snapshot), bytes, records, samples, pinned });
    }

    /// Drops every second one while there are too many bytes, and takes them half as often.
    fn thin(&mut self) {
        while self.bytes > self.bound {
            let before = self.frames.len();
            let mut kept: Vec<Keyframe> = Vec::with_capacity(before / 2 + 1);
            // What was dropped and its successor does not know of.
            let mut pending: Option<Arc<Snapshot>> = None;
            for (index, mut frame) in core::mem::take(&mut self.frames).into_iter().enumerate() {
                if let Some(dropped) = pending.take()
                    && !frame.state.whole()
                {
                    frame.state = Arc::new(dropped.merged(&frame.state));
                    frame.bytes = frame.state.size_bytes();
                }
                // The last one stays: the next snapshot is the difference to it.
                if index == 0 || frame.pinned || index.is_multiple_of(2) || index + 1 == before {
                    kept.push(frame);
                } else {
                    pending = Some(frame.state);
                }
            }
            self.frames = kept;
            self.bytes = self.frames.iter().map(|frame| frame.bytes).sum();
            self.stride = self.stride.saturating_mul(2);
            if self.frames.len() == before {
                return;
            }
        }
    }

    /// Lowers or raises the bound.
    pub(crate) fn set_bound(&mut self, bound: usize) {
        self.bound = bound;
        self.thin();
    }

    /// The last one at or before `t`.
    pub(crate) fn before(&self, t: SimTime) -> Option<Base> {
        let index = self.frames.partition_point(|frame| frame.at <= t).checked_sub(1)?;
        let frame = &self.frames[index];
        Some(Base { at: frame.at, records: frame.records, samples: frame.samples, index })
    }

    /// The state there.
    pub(crate) fn restore(&self, base: &Base) -> Option<Simulation> {
        Snapshot::restore(&self.chain(base))
    }

    /// The state there in the place of another one.
    pub(crate) fn restore_into(&self, base: &Base, state: &mut Simulation) {
        Snapshot::restore_into(&self.chain(base), state);
    }

    /// The snapshots that give the state there, from the last whole one on.
    fn chain(&self, base: &Base) -> Vec<&Snapshot> {
        let frames = &self.frames[..=base.index];
        let from = frames.iter().rposition(|frame| frame.state.whole()).unwrap_or_default();
        frames[from..].iter().map(|frame| &*frame.state).collect()
    }

    /// The last pinned moment at or before `t`: nothing older is a base for `t`.
    pub(crate) fn pinned_before(&self, t: SimTime) -> Option<SimTime> {
        self.pins.iter().rev().find(|pin| **pin <= t).copied()
    }

    /// Those at or before `t`, for a branch that begins there. Snapshots are shared.
    pub(crate) fn until(&self, t: SimTime, bound: usize) -> Keyframes {
        self.first(self.frames.partition_point(|frame| frame.at <= t), bound)
    }

    /// Those before the last act made by hand; absent when there was none.
    pub(crate) fn before_own_act(&self, bound: usize) -> Option<Keyframes> {
        Some(self.first(self.frames.iter().rposition(|frame| frame.pinned)?, bound))
    }

    /// The first `n`. Snapshots are shared; the next one taken is whole.
    fn first(&self, n: usize, bound: usize) -> Keyframes {
        let frames = self.frames[..n].to_vec();
        Keyframes {
            bytes: frames.iter().map(|frame| frame.bytes).sum(),
            pins: frames.iter().filter(|frame| frame.pinned).map(|frame| frame.at).collect(),
            last_events: frames.last().map_or(0, |frame| frame.state.events_done()),
            bound,
            stride: self.stride,
            since_whole: 0,
            taker: SnapshotTaker::default(),
            frames,
        }
    }
}

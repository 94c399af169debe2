//! Snapshots along a run, within a memory bound.

use std::sync::Arc;

use rollscope_engine::{SimTime, Simulation};

/// Least events between two keyframes: replaying this many is faster than anybody sees.
const STRIDE_MIN: u64 = 128;

/// A snapshot, taken when everything of its instant was done.
#[derive(Clone, Debug)]
struct Keyframe {
    at: SimTime,
    state: Arc<Simulation>,
    bytes: usize,
    /// Records and samples the run had by then.
    records: usize,
    samples: usize,
    /// It is the state right after an act made by hand, which older snapshots do not know of.
    pinned: bool,
}

/// Snapshots along one branch, ascending in time.
#[derive(Clone, Debug)]
pub(crate) struct Keyframes {
    frames: Vec<Keyframe>,
    /// Moments of the pinned ones.
    pins: Vec<SimTime>,
    bytes: usize,
    bound: usize,
    stride: u64,
    last_events: u64,
}

/// A snapshot to go on from.
pub(crate) struct Base<'a> {
    pub at: SimTime,
    pub state: &'a Arc<Simulation>,
    pub records: usize,
    pub samples: usize,
}

impl Keyframes {
    /// None yet; together they stay below about `bound` bytes, but for those that cannot go
    /// (the first one, and one for each act made by hand).
    pub fn new(bound: usize) -> Keyframes {
        Keyframes { frames: Vec::new(), pins: Vec::new(), bytes: 0, bound, stride: STRIDE_MIN, last_events: 0 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Their size in bytes, as the engine estimates it.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a snapshot when enough has happened since the last one. A clone costs as much as
    /// some events a slot, so large fleets get fewer.
    pub(crate) fn offer(&mut self, state: &Simulation, records: usize, samples: usize) {
        let size = state.size_bytes();
        let stride = self.stride.max(size as u64 / 1024);
        if self.frames.is_empty() || state.events_done() >= self.last_events + stride {
            self.push(state, size, records, samples, false);
            self.thin();
        }
    }

    /// Takes the snapshot right after an act made by hand.
    pub(crate) fn pin(&mut self, state: &Simulation, records: usize, samples: usize) {
        self.pins.push(state.now());
        self.push(state, state.size_bytes(), records, samples, true);
        self.thin();
    }

    fn push(&mut self, state: &Simulation, bytes: usize, records: usize, samples: usize, pinned: bool) {
        self.last_events = state.events_done();
        self.bytes += bytes;
        self.frames.push(Keyframe { at: state.now(), state: Arc::new(state.clone()), bytes, records, samples, pinned });
    }

    /// Drops every second one while there are too many bytes, and takes them half as often.
    fn thin(&mut self) {
        while self.bytes > self.bound {
            let before = self.frames.len();
            let mut index = 0usize;
            self.frames.retain(|frame| {
                let keep = index == 0 || frame.pinned || index.is_multiple_of(2);
                index += 1;
                keep
            });
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
    pub(crate) fn before(&self, t: SimTime) -> Option<Base<'_>> {
        let index = self.frames.partition_point(|frame| frame.at <= t).checked_sub(1)?;
        let frame = &self.frames[index];
        Some(Base { at: frame.at, state: &frame.state, records: frame.records, samples: frame.samples })
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

    /// The first `n`. Snapshots are shared.
    fn first(&self, n: usize, bound: usize) -> Keyframes {
        let frames = self.frames[..n].to_vec();
        let bytes = frames.iter().map(|frame| frame.bytes).sum();
        let last_events = frames.last().map_or(0, |frame| frame.state.events_done());
        let pins = frames.iter().filter(|frame| frame.pinned).map(|frame| frame.at).collect();
        Keyframes { frames, pins, bytes, bound, stride: self.stride, last_events }
    }
}

//! How the cursor moves by itself.

use rollscope_engine::SimTime;

/// Longest tick that counts, in milliseconds: a page that was hidden does not jump.
pub const TICK_MAX_MS: u64 = 100;
/// Wall time of a whole run at [`Speed::Fit`], in milliseconds.
pub const FIT_MS: u64 = 20_000;
/// Slowest speed, in thousandths of real time.
pub const SPEED_MIN: u64 = 1_000;
/// Fastest speed, in thousandths of real time.
pub const SPEED_MAX: u64 = 10_000_000;
/// Wall time in which a span without anything is crossed, in milliseconds.
const FOLD_MS: u64 = 800;
/// Wall time between two decisions at [`Speed::Decisions`], in milliseconds.
const DECISION_MS: u64 = 1_000;

/// What the player is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PlayState {
    /// The cursor rests.
    #[default]
    Paused,
    /// The cursor moves with [`crate::Player::tick`].
    Playing,
    /// The cursor reached the end while playing; the next play starts over.
    Ended,
}

/// How fast the cursor moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Speed {
    /// The whole run in 20 seconds, but never slower than real time.
    #[default]
    Fit,
    /// Thousandths of real time, 1,000 (1×) to 10,000,000 (10,000×).
    Milli(u64),
    /// One decision a second.
    Decisions,
}

/// Turns wall time into simulated time, without losing fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// What it is doing.
    pub state: PlayState,
    /// How fast.
    pub speed: Speed,
    /// Thousandths of a simulated millisecond, or wall milliseconds, not spent yet.
    rest: u64,
}

impl Clock {
    /// The speed in thousandths of real time for a run of this length; 0 at [`Speed::Decisions`].
    pub fn milli(&self, end: SimTime) -> u64 {
        match self.speed {
            Speed::Fit => (end.ms().saturating_mul(1_000) / FIT_MS).max(SPEED_MIN),
            Speed::Milli(milli) => milli.clamp(SPEED_MIN, SPEED_MAX),
            Speed::Decisions => 0,
        }
    }

    /// Simulated milliseconds that pass in `dt_ms` (clamped); `gap_ms` is the length of the span
    /// without anything that the cursor is in, 0 outside one.
    pub(crate) fn run(&mut self, dt_ms: u64, end: SimTime, gap_ms: u64) -> u64 {
        let milli = self.milli(end).max(gap_ms.saturating_mul(1_000) / FOLD_MS);
        let passed = dt_ms.min(TICK_MAX_MS).saturating_mul(milli).saturating_add(self.rest);
        self.rest = passed % 1_000;
        passed / 1_000
    }

    /// True when the next decision is due after `dt_ms` more (clamped).
    pub(crate) fn decision_due(&mut self, dt_ms: u64) -> bool {
        self.rest += dt_ms.min(TICK_MAX_MS);
        if self.rest < DECISION_MS {
            return false;
        }
        self.rest -= DECISION_MS;
        true
    }

    /// Forgets the fraction, after a jump or a change of speed.
    pub(crate) fn forget(&mut self) {
        self.rest = 0;
    }
}

//! Simulation time: whole milliseconds since the run began.

use core::fmt;
use core::ops::{Add, Sub};

/// A moment of the run, in milliseconds since its start (0 is the start of the deployment).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SimTime(pub u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: SimTime = SimTime(0);
    /// A moment that never comes.
    pub const NEVER: SimTime = SimTime(u64::MAX);

    /// Milliseconds since the start.
    pub const fn ms(self) -> u64 {
        self.0
    }

    /// Milliseconds from `earlier` to this moment, 0 when `earlier` is later.
    pub const fn since(self, earlier: SimTime) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for SimTime {
    type Output = SimTime;
    fn add(self, ms: u64) -> SimTime {
        SimTime(self.0.saturating_add(ms))
    }
}

impl Sub<u64> for SimTime {
    type Output = SimTime;
    fn sub(self, ms: u64) -> SimTime {
        SimTime(self.0.saturating_sub(ms))
    }
}

impl fmt::Debug for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.0)
    }
}

/// Milliseconds in a second.
pub const SECOND: u64 = 1_000;
/// Milliseconds in a minute.
pub const MINUTE: u64 = 60 * SECOND;
/// Milliseconds in an hour.
pub const HOUR: u64 = 60 * MINUTE;
/// Milliseconds in a day.
pub const DAY: u64 = 24 * HOUR;

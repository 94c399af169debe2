//! Randomness: a draw is a function of seed, stream, entity and number.
//!
//! There is no generator state. Adding a task never shifts another task's draw, so two
//! scenarios that are compared share their luck (common random numbers), and a clone of
//! the simulation needs no care.

use crate::hash::mix;
use crate::settings::{Distribution, TaskName};

/// What a draw is for. The numbers are part of the model: never renumber them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Stream {
    /// Time in PROVISIONING.
    Provisioning = 1,
    /// Time in ACTIVATING.
    Pull = 2,
    /// RUNNING until the application answers.
    StartUp = 3,
    /// Registration until the first check of a target group.
    FirstCheck = 4,
    /// Deregistration until the last request is done.
    OpenRequest = 5,
    /// SIGTERM until the process is gone.
    Exit = 6,
    /// Whether a `ratio` fate hits this start.
    Fate = 7,
    /// Shortcut: creation until healthy.
    HealthyAfter = 8,
    /// Shortcut: decision to stop until STOPPED.
    GoneAfter = 9,
}

/// 64 even bits for `(seed, stream, entity, n)`.
pub fn draw(seed: u64, stream: Stream, entity: TaskName, n: u32) -> u64 {
    let mut z = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
    z = mix(z ^ (stream as u64).wrapping_mul(0xd6e8_feb8_6659_fd93));
    z = mix(z ^ (u64::from(entity.revision) << 32 | u64::from(entity.start)));
    mix(z.wrapping_add(u64::from(n).wrapping_mul(0xa076_1d64_78bd_642f)))
}

/// A whole number from 0 to `bound - 1`, evenly (multiply and shift; `bound` is positive).
pub fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

impl Distribution {
    /// The value that `bits` draw, in milliseconds.
    pub fn sample(&self, bits: u64) -> u64 {
        match self {
            Distribution::Constant(ms) => *ms,
            Distribution::Uniform { min, max } => min + below(bits, (max - min).saturating_add(1)),
            Distribution::Triangular { min, mode, max } => triangular(*min, *mode, *max, bits),
            Distribution::Table(rows) => {
                let sum: u64 = rows.iter().map(|(_, weight)| u64::from(*weight)).sum();
                let mut left = below(bits, sum.max(1));
                for (ms, weight) in rows {
                    if left < u64::from(*weight) {
                        return *ms;
                    }
                    left -= u64::from(*weight);
                }
                rows.last().map_or(0, |row| row.0)
            }
        }
    }
}

/// Inverse of the triangular distribution's integral, in integers: with `u` even on
/// `[0, span²)`, the left flank is `min + √(u·left/span)`, the right one its mirror.
fn triangular(min: u64, mode: u64, max: u64, bits: u64) -> u64 {
    let span = u128::from(max - min);
    if span == 0 {
        return min;
    }
    let left = u128::from(mode - min);
    let right = span - left;
    // u / 2^64 is the probability; both products stay below 2^128 for spans up to 2^32 ms.
    let u = u128::from(bits);
    let product = |side: u128, p: u128| ((span * side) * (p >> 32)) >> 32;
    if u < (left << 64) / span {
        min + product(left, u).isqrt() as u64
    } else {
        max - product(right, (1u128 << 64) - 1 - u).isqrt() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(start: u32) -> TaskName {
        TaskName { revision: 8, start }
    }

    #[test]
    fn first_draws_never_change() {
        // Golden values: links that were shared keep their luck.
        assert_eq!(draw(1, Stream::StartUp, name(1), 0), GOLDEN[0]);
        assert_eq!(draw(1, Stream::StartUp, name(2), 0), GOLDEN[1]);
        assert_eq!(draw(2, Stream::Pull, name(1), 3), GOLDEN[2]);
    }

    const GOLDEN: [u64; 3] = [5_402_037_529_271_927_481, 12_544_429_448_566_695_538, 7_248_830_424_641_457_190];

    #[test]
    fn samples_stay_inside() {
        let uniform = Distribution::Uniform { min: 10, max: 12 };
        let triangle = Distribution::Triangular { min: 1_000, mode: 2_000, max: 5_000 };
        let table = Distribution::Table(alloc::vec![(7, 1), (9, 3)]);
        let mut seen = [0u32; 3];
        let (mut nines, mut mean) = (0, 0u64);
        for i in 0..4_000 {
            let bits = draw(3, Stream::Exit, name(i), 0);
            seen[(uniform.sample(bits) - 10) as usize] += 1;
            let t = triangle.sample(bits);
            assert!((1_000..=5_000).contains(&t));
            mean += t;
            nines += u32::from(table.sample(bits) == 9);
        }
        assert!(seen.iter().all(|n| (1_200..1_460).contains(n)), "{seen:?}");
        assert!((2_850..3_150).contains(&nines), "{nines}");
        // The mean of a triangular distribution is (min + mode + max) / 3.
        assert!((2_600..2_730).contains(&(mean / 4_000)), "{}", mean / 4_000);
        assert_eq!(triangle.sample(0), 1_000);
        assert_eq!(triangle.sample(u64::MAX), 5_000);
    }
}

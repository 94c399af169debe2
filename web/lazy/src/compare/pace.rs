//! How the common cursor moves by itself.

use rollscope_engine::SimTime;
use rollscope_player::{FIT_MS, SPEED_MIN, TICK_MAX_MS};

/// Wall time in which a folded span is crossed, and between two steps without motion, in milliseconds.
const FOLD_MS: u64 = 800;
const STEP_MS: u64 = 1_000;

/// Speed and state of the player of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pace {
    /// The cursor moves.
    pub playing: bool,
    /// Thousandths of real time; absent: the whole in 20 seconds.
    pub milli: Option<u64>,
    /// Thousandths of a simulated millisecond, or wall milliseconds, not spent yet.
    rest: u64,
}

impl Pace {
    /// The speed in thousandths of real time for runs of this length.
    pub fn milli(&self, end: SimTime) -> u64 {
        self.milli.unwrap_or_else(|| (end.ms().saturating_mul(1_000) / FIT_MS).max(SPEED_MIN))
    }

    /// Where the cursor is `dt_ms` of wall time later (at most 100 count). `folds` are the spans that
    /// the axis folds. Playing stops at the end.
    pub fn run(&mut self, dt_ms: u64, at: SimTime, end: SimTime, folds: &[(SimTime, SimTime)]) -> SimTime {
        let fold = folds.iter().find(|(from, to)| *from <= at && at < *to);
        let milli = fold.map_or(0, |(from, to)| to.since(*from).saturating_mul(1_000) / FOLD_MS).max(self.milli(end));
        let passed = dt_ms.min(TICK_MAX_MS).saturating_mul(milli).saturating_add(self.rest);
        self.rest = passed % 1_000;
        let mut next = at + passed / 1_000;
        if let Some((_, to)) = fold {
            next = next.min(*to);
        }
        self.stop_at(next, end)
    }

    /// Without motion: the next of `steps` when a second has passed since the last one.
    pub fn step(&mut self, dt_ms: u64, at: SimTime, end: SimTime, steps: &[SimTime]) -> SimTime {
        self.rest += dt_ms.min(TICK_MAX_MS);
        if self.rest < STEP_MS {
            return at;
        }
        self.rest -= STEP_MS;
        let next = steps.get(steps.partition_point(|step| *step <= at)).copied().unwrap_or(end);
        self.stop_at(next, end)
    }

    fn stop_at(&mut self, next: SimTime, end: SimTime) -> SimTime {
        self.playing &= next < end;
        next.min(end)
    }

    /// Starts or rests.
    pub fn set_playing(&mut self, playing: bool) {
        (self.playing, self.rest) = (playing, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_takes_twenty_seconds() {
        let end = SimTime(1_500_000);
        let mut pace = Pace { playing: true, ..Pace::default() };
        let (mut at, mut ticks) = (SimTime::ZERO, 0);
        while pace.playing {
            at = pace.run(16, at, end, &[]);
            ticks += 1;
        }
        assert_eq!(at, end);
        assert!((1_249..=1_251).contains(&ticks), "{ticks} ticks of 16 ms");
    }

    #[test]
    fn a_fold_is_crossed_in_under_a_second_and_left_at_its_end() {
        let end = SimTime(86_400_000);
        let mut pace = Pace { playing: true, milli: Some(1_000), ..Pace::default() };
        let fold = (SimTime(1_000), SimTime(80_000_000));
        let (mut at, mut ticks) = (fold.0, 0);
        while at < fold.1 {
            at = pace.run(16, at, end, &[fold]);
            ticks += 1;
        }
        assert!(at == fold.1 && ticks * 16 < 1_000, "{ticks}");
    }

    #[test]
    fn without_motion_it_goes_from_step_to_step() {
        let steps = [SimTime(0), SimTime(5_000), SimTime(9_000)];
        let mut pace = Pace { playing: true, ..Pace::default() };
        let mut at = SimTime::ZERO;
        for _ in 0..9 {
            at = pace.step(100, at, SimTime(9_000), &steps);
            assert_eq!(at, SimTime::ZERO);
        }
        at = pace.step(100, at, SimTime(9_000), &steps);
        assert_eq!((at, pace.playing), (SimTime(5_000), true));
        for _ in 0..10 {
            at = pace.step(100, at, SimTime(9_000), &steps);
        }
        assert_eq!((at, pace.playing), (SimTime(9_000), false));
    }
}

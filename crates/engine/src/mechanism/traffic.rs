//! Request traffic as a fluid: no request is an object. Rates are whole requests a second, amounts are
//! thousandths of a request (a request a second for a millisecond), so that everything is exact in integers.

use alloc::vec::Vec;

use crate::time::SimTime;

/// The traffic of a service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Traffic {
    /// Requests a second over time, ascending; before the first step there are none.
    pub rates: Vec<(SimTime, u32)>,
    /// How long requests take, by revision number: milliseconds with their weights. A revision that is
    /// not listed answers at once.
    pub durations: Vec<(u32, Vec<(u64, u32)>)>,
    /// Requests a second that one task can answer; absent: any number.
    pub per_task: Option<u32>,
    /// A load balancer without a healthy target sends requests to every registered one. Default true.
    /// Source: Elastic Load Balancing, target group health checks (fail open).
    pub fail_open: bool,
}

impl Traffic {
    /// Mean time that a request of a revision takes, in milliseconds, rounded down: that of its table, whatever the
    /// load. 0 for one that answers at once.
    ///
    /// 9 of 10 requests take 1 s and one takes 60: 6,900 ms.
    pub fn mean(&self, revision: u32) -> u64 {
        let (sum, weights) = excess(self.duration(revision), 0);
        sum.checked_div(weights).unwrap_or(0) as u64
    }

    /// How long requests of a revision take.
    pub fn duration(&self, revision: u32) -> &[(u64, u32)] {
        self.durations.iter().find(|(of, _)| *of == revision).map_or(&[], |(_, table)| table.as_slice())
    }
}

/// Application Auto Scaling with target tracking on requests. Source: Application Auto Scaling,
/// target tracking (ALBRequestCountPerTarget).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scaling {
    /// `MinCapacity`
    pub min: u32,
    /// `MaxCapacity`, at least `min`.
    pub max: u32,
    /// `TargetValue`: requests a minute and target, 1 and up.
    pub target: u32,
    /// `ScaleOutCooldown` in milliseconds. Default 300 s.
    pub out_cooldown_ms: u64,
    /// `ScaleInCooldown` in milliseconds. Default 300 s.
    pub in_cooldown_ms: u64,
}

/// More is wanted for so long before target tracking scales out: three periods of a minute.
pub const SCALE_OUT_AFTER_MS: u64 = 180_000;
/// Less is wanted for so long before it scales in: fifteen periods of a minute.
pub const SCALE_IN_AFTER_MS: u64 = 900_000;

/// Tasks that bring the requests of each of them to the target value.
///
/// 1,000 requests a second at 3,000 a minute and target: 60,000 / 3,000 = 20 tasks.
pub fn wanted(rate: u32, scaling: &Scaling) -> u32 {
    let tasks = (u64::from(rate) * 60).div_ceil(u64::from(scaling.target.max(1)));
    (tasks.min(u64::from(u32::MAX)) as u32).clamp(scaling.min, scaling.max.max(scaling.min))
}

/// Mean time that requests are still open `after` milliseconds from their beginning on, with weights: the
/// survival table summed from there on. Over the sum of the weights it gives the mean excess.
///
/// 9 of 10 requests take 1 s and one takes 60: after 30 s the excess is 1 × 30 of 10, 3 s.
pub fn excess(durations: &[(u64, u32)], after: u64) -> (u128, u128) {
    let weights: u128 = durations.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let sum = durations.iter().map(|(ms, weight)| u128::from(ms.saturating_sub(after)) * u128::from(*weight)).sum();
    (sum, weights)
}

/// Requests of one target that are open `after` milliseconds from when it gets no more, in thousandths:
/// its rate times the excess. `share` is its part of all requests.
///
/// 100 requests a second over 4 targets, each takes 2 s: 50 are open at once, none after 2 s.
pub fn open_at(rate: u32, share: (u64, u64), durations: &[(u64, u32)], after: u64) -> u64 {
    let (sum, weights) = excess(durations, after);
    if weights == 0 || share.1 == 0 {
        return 0;
    }
    (u128::from(rate) * sum * u128::from(share.0) / (weights * u128::from(share.1))) as u64
}

/// A revision's part of the traffic while nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Index of the revision.
    pub revision: usize,
    /// Its targets in rotation, 1 and up.
    pub targets: u32,
    /// Its share of all requests: this of [`Mix::whole`].
    pub share: u64,
    /// Of its answers this share is bad.
    pub bad: (u32, u32),
}

/// Where the traffic goes while nothing changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Mix {
    /// Requests a second.
    pub rate: u32,
    /// What the shares are parts of; 0 when nothing is registered: every request is refused.
    pub whole: u64,
    /// Parts, in the order of the deployments. What they lack of the whole is refused.
    pub parts: Vec<Part>,
}

impl Mix {
    /// Requests of a part in so many milliseconds, in thousandths, rounded down.
    fn of(&self, part: &Part, ms: u64) -> u64 {
        if self.whole == 0 {
            return 0;
        }
        (u128::from(self.rate) * u128::from(ms) * u128::from(part.share) / u128::from(self.whole)) as u64
    }

    /// Requests a second of one target of a part, in thousandths.
    pub fn load(&self, part: &Part) -> u64 {
        self.of(part, 1_000) / u64::from(part.targets.max(1))
    }

    /// The greatest load of a target, in thousandths of a request a second.
    pub fn top_load(&self) -> u64 {
        self.parts.iter().map(|part| self.load(part)).max().unwrap_or(0)
    }

    /// A part, by revision.
    pub fn part(&self, revision: usize) -> Option<&Part> {
        self.parts.iter().find(|part| part.revision == revision)
    }
}

/// Where the traffic goes at a moment, as plain data. Rates are thousandths of a request a second.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Flow {
    /// Requests a second that come, in whole ones.
    pub rate: u32,
    /// Who answers them, in the order of the deployments.
    pub parts: Vec<FlowPart>,
    /// Refused: nothing is registered where they are sent.
    pub refused: u64,
    /// The greatest load of a target.
    pub load: u64,
    /// Requests cut off so far, in thousandths: they were open when their target went.
    pub cut_off: u64,
}

/// Mean of times with weights, rounded down; 0 without any weight.
///
/// 90 requests of 200 ms and 10 of 900: 270 ms.
pub fn mean_of(parts: impl Iterator<Item = (u64, u64)>) -> u64 {
    let (mut sum, mut weights) = (0u128, 0u128);
    for (weight, ms) in parts {
        sum += u128::from(weight) * u128::from(ms);
        weights += u128::from(weight);
    }
    sum.checked_div(weights).unwrap_or(0) as u64
}

/// What a deployment answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct FlowPart {
    /// Its revision's number.
    pub revision: u32,
    /// Its targets in rotation, 1 and up.
    pub targets: u32,
    /// Answered, bad answers included.
    pub answered: u64,
    /// Answered badly.
    pub bad: u64,
    /// The load of one of its targets.
    pub load: u64,
    /// Mean time of its answers, in milliseconds.
    pub mean_ms: u64,
}

impl Flow {
    /// Mean time of all answers of this moment, in milliseconds.
    pub fn mean_ms(&self) -> u64 {
        mean_of(self.parts.iter().map(|part| (part.answered, part.mean_ms)))
    }

    /// The flow of a mix; `revision` gives a revision's number and the mean time of its answers. What comes is answered or refused, to the last
    /// thousandth.
    ///
    /// 10 a second, a third to one revision and two thirds to another one: 3.333 and 6.667, nothing refused.
    pub fn of(mix: &Mix, revision: impl Fn(usize) -> (u32, u64), cut_off: u64) -> Flow {
        let mut left = u64::from(mix.rate) * 1_000;
        let all: u64 = mix.parts.iter().map(|part| part.share).sum();
        let mut parts = Vec::with_capacity(mix.parts.len());
        for (i, part) in mix.parts.iter().enumerate() {
            let last = i + 1 == mix.parts.len() && all == mix.whole;
            let answered = if last { left } else { mix.of(part, 1_000) };
            left -= answered;
            let bad = u128::from(answered) * u128::from(part.bad.0) / u128::from(part.bad.1.max(1));
            let (number, mean_ms) = revision(part.revision);
            parts.push(FlowPart {
                revision: number,
                targets: part.targets,
                answered,
                bad: (bad as u64).min(answered),
                load: mix.load(part),
                mean_ms,
            });
        }
        Flow { rate: mix.rate, parts, refused: left, load: mix.top_load(), cut_off }
    }
}

/// Amounts of a run so far, in thousandths of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Totals {
    /// Requests that came.
    pub offered: u64,
    /// Answered, by index of the revision; bad answers included.
    pub served: Vec<u64>,
    /// Answered badly, by index of the revision.
    pub bad: Vec<u64>,
    /// Refused: nothing was registered where they were sent.
    pub refused: u64,
    /// Open when their target went: cut off. They had been answered in this account before.
    pub cut_off: u64,
    /// The greatest load of a target, in thousandths of a request a second, and since when.
    pub peak_load: (u64, SimTime),
    /// Milliseconds in which a target had more than it can answer.
    pub overloaded_ms: u64,
}

impl Totals {
    /// Adds `ms` milliseconds of a mix that held from `since` on. What is offered is answered or refused, to
    /// the last thousandth.
    pub fn add(&mut self, mix: &Mix, since: SimTime, ms: u64, per_task: Option<u32>) {
        let offered = u64::from(mix.rate) * ms;
        let mut left = offered;
        let all: u64 = mix.parts.iter().map(|part| part.share).sum();
        for (i, part) in mix.parts.iter().enumerate() {
            // The last part of a whole that lacks nothing takes what rounding left over.
            let last = i + 1 == mix.parts.len() && all == mix.whole;
            let served = if last { left } else { mix.of(part, ms) };
            left -= served;
            let len = self.served.len().max(part.revision + 1);
            self.served.resize(len, 0);
            self.bad.resize(len, 0);
            self.served[part.revision] += served;
            let bad = u128::from(served) * u128::from(part.bad.0) / u128::from(part.bad.1.max(1));
            self.bad[part.revision] += (bad as u64).min(served);
        }
        self.offered += offered;
        self.refused += left;
        let load = mix.top_load();
        if ms > 0 && load > self.peak_load.0 {
            self.peak_load = (load, since);
        }
        if per_task.is_some_and(|most| load > u64::from(most) * 1_000) {
            self.overloaded_ms += ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn open_requests_follow_the_table() {
        let one_in_ten = [(1_000, 9), (60_000, 1)];
        assert_eq!(excess(&one_in_ten, 30_000), (30_000, 10));
        // 100 a second, a quarter of them here: 25 a second, of which 2.5 take a minute.
        assert_eq!(open_at(100, (1, 4), &one_in_ten, 30_000), 75_000);
        assert_eq!(open_at(100, (1, 4), &[(2_000, 1)], 0), 50_000);
        assert_eq!(open_at(100, (1, 4), &[(2_000, 1)], 2_000), 0);
        assert_eq!(open_at(100, (1, 4), &[], 0), 0);
    }

    #[test]
    fn what_comes_is_answered_or_refused() {
        let part = |revision, targets, share| Part { revision, targets, share, bad: (1, 20) };
        let whole = Mix { rate: 10, whole: 3, parts: vec![part(0, 1, 1), part(1, 2, 2)] };
        let mut totals = Totals::default();
        totals.add(&whole, SimTime(5), 100, Some(5));
        assert_eq!((totals.offered, totals.refused), (1_000, 0));
        assert_eq!(totals.served, [333, 667]);
        assert_eq!(totals.bad, [16, 33]);
        assert_eq!((totals.peak_load, totals.overloaded_ms), ((3_333, SimTime(5)), 0));
        // Half of the traffic goes where nobody is.
        let half = Mix { rate: 10, whole: 1_000, parts: vec![part(1, 1, 500)] };
        totals.add(&half, SimTime(105), 100, Some(4));
        assert_eq!((totals.offered, totals.refused, totals.overloaded_ms), (2_000, 500, 100));
        totals.add(&Mix { rate: 7, ..Mix::default() }, SimTime(205), 10, None);
        assert_eq!((totals.offered, totals.refused), (2_070, 570));
        assert_eq!(totals.served.iter().sum::<u64>() + totals.refused, totals.offered);
    }

    #[test]
    fn a_flow_is_what_a_second_of_the_mix_is() {
        let part = |revision, targets, share| Part { revision, targets, share, bad: (1, 20) };
        let numbers = |revision: usize| (revision as u32 + 7, 200 + 700 * revision as u64);
        let whole = Mix { rate: 10, whole: 3, parts: vec![part(0, 1, 1), part(1, 2, 2)] };
        let flow = Flow::of(&whole, numbers, 5);
        let parts: Vec<_> = flow.parts.iter().map(|p| (p.revision, p.targets, p.answered, p.bad, p.load)).collect();
        assert_eq!(parts, [(7, 1, 3_333, 166, 3_333), (8, 2, 6_667, 333, 3_333)]);
        assert_eq!((flow.rate, flow.refused, flow.load, flow.cut_off), (10, 0, 3_333, 5));
        // A third takes 200 ms, two thirds 900.
        assert_eq!((flow.parts[0].mean_ms, flow.parts[1].mean_ms, flow.mean_ms()), (200, 900, 666));
        assert_eq!(mean_of([(90, 200), (10, 900)].into_iter()), 270);
        assert_eq!(mean_of(core::iter::empty()), 0);
        let half = Mix { rate: 10, whole: 1_000, parts: vec![part(1, 1, 500)] };
        let flow = Flow::of(&half, numbers, 0);
        assert_eq!((flow.parts[0].answered, flow.refused), (5_000, 5_000));
        assert_eq!(Flow::of(&Mix { rate: 7, ..Mix::default() }, numbers, 0).refused, 7_000);
    }

    #[test]
    fn target_tracking_wants_so_many() {
        let scaling = |min, max| Scaling { min, max, target: 3_000, out_cooldown_ms: 0, in_cooldown_ms: 0 };
        for (rate, min, max, tasks) in
            [(1_000, 1, 100, 20), (1_001, 1, 100, 21), (0, 2, 100, 2), (1_000, 1, 8, 8), (u32::MAX, 1, 20_000, 20_000)]
        {
            assert_eq!(wanted(rate, &scaling(min, max)), tasks, "{rate}");
        }
    }
}

//! Health checks without polling: when does the verdict of a check change next?
//!
//! One machine serves container checks and target group checks; they differ in numbers only.
//! Stretches in which nothing changes are jumped over, so a healthy idle task costs nothing.

use crate::settings::{ContainerCheck, TargetGroup};
use crate::time::SimTime;

/// The numbers of one check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProbeSpec {
    /// Time between probes.
    pub interval_ms: u64,
    /// How long a probe waits for an answer.
    pub timeout_ms: u64,
    /// The next probe counts from the end of the last one (containers) or from its start (targets).
    pub from_end: bool,
    /// Passes in a row that make a new one healthy.
    pub passes_new: u32,
    /// Passes in a row after which an unhealthy one is healthy again.
    pub passes_recover: u32,
    /// Failures in a row that make it unhealthy.
    pub fails: u32,
    /// Failures of probes that start earlier than this after RUNNING do not count until the first pass.
    pub lenient_ms: u64,
}

impl From<&ContainerCheck> for ProbeSpec {
    /// API `HealthCheck`: one pass is enough; the next probe starts `interval` after the last one ended.
    fn from(check: &ContainerCheck) -> ProbeSpec {
        ProbeSpec {
            interval_ms: check.interval_ms,
            timeout_ms: check.timeout_ms,
            from_end: true,
            passes_new: 1,
            passes_recover: 1,
            fails: check.retries,
            lenient_ms: check.start_period_ms,
        }
    }
}

impl From<&TargetGroup> for ProbeSpec {
    /// A newly registered target needs one pass (Developer Guide, load-balancer-healthcheck);
    /// the healthy threshold is for recovery.
    fn from(group: &TargetGroup) -> ProbeSpec {
        ProbeSpec {
            interval_ms: group.interval_ms,
            timeout_ms: group.timeout_ms,
            from_end: false,
            passes_new: group.new_target_passes,
            passes_recover: group.healthy_threshold,
            fails: group.unhealthy_threshold,
            lenient_ms: 0,
        }
    }
}

/// How a task answers a probe, by the moment the probe starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answers {
    /// It passes from here on,
    pub pass_from: SimTime,
    /// until here; before and after it fails at once.
    pub fail_from: SimTime,
    /// It never answers: every probe runs into its timeout.
    pub hangs: bool,
}

impl Answers {
    fn passes(&self, at: SimTime) -> bool {
        !self.hangs && self.pass_from <= at && at < self.fail_from
    }
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No verdict yet (UNKNOWN, `initial`).
    Unknown,
    /// HEALTHY
    Healthy,
    /// UNHEALTHY
    Unhealthy,
}

/// Where one check of one task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// Its verdict.
    pub verdict: Verdict,
    passes: u16,
    fails: u16,
    lenient_until: SimTime,
    /// Start of the next probe.
    next: SimTime,
    /// When the verdict changes next; [`SimTime::NEVER`] when it does not.
    pub change_at: SimTime,
    after: Verdict,
}

/// Probes looked at one by one before giving up; only a lenient start can come near it.
const LOOK_MAX: u32 = 10_000;

impl Probe {
    /// A probe that never runs: place holder of a task that is not RUNNING.
    pub const IDLE: Probe = Probe {
        verdict: Verdict::Unknown,
        passes: 0,
        fails: 0,
        lenient_until: SimTime::ZERO,
        next: SimTime::NEVER,
        change_at: SimTime::NEVER,
        after: Verdict::Unknown,
    };

    /// A check that begins when the task reaches RUNNING; its first probe comes `first_ms` later.
    pub fn begin(spec: &ProbeSpec, running_at: SimTime, first_ms: u64, answers: &Answers) -> Probe {
        let mut probe =
            Probe { lenient_until: running_at + spec.lenient_ms, next: running_at + first_ms, ..Probe::IDLE };
        probe.look_ahead(spec, answers);
        probe
    }

    /// A check whose verdict is known already at `now`.
    pub fn settled(spec: &ProbeSpec, verdict: Verdict, now: SimTime, answers: &Answers) -> Probe {
        let mut probe = Probe { verdict, next: now + spec.interval_ms, ..Probe::IDLE };
        probe.look_ahead(spec, answers);
        probe
    }

    /// The change is due: takes it and looks for the next one.
    pub fn change(&mut self, spec: &ProbeSpec, answers: &Answers) {
        let at = self.change_at;
        self.run(spec, answers, at, true);
        self.look_ahead(spec, answers);
    }

    /// The task answers differently from `now` on; `before` is how it answered until then.
    pub fn answers_changed(&mut self, spec: &ProbeSpec, before: &Answers, answers: &Answers, now: SimTime) {
        self.run(spec, before, now, false);
        self.look_ahead(spec, answers);
    }

    fn look_ahead(&mut self, spec: &ProbeSpec, answers: &Answers) {
        let mut copy = *self;
        self.change_at = SimTime::NEVER;
        for _ in 0..LOOK_MAX {
            if !copy.skip_quiet(answers, spec) {
                return;
            }
            let ended = copy.probe(spec, answers);
            if copy.verdict != self.verdict {
                self.change_at = ended;
                self.after = copy.verdict;
                return;
            }
        }
    }

    /// Carries out the probes that start before `until` (or, `to_change`, up to the one that changes the verdict).
    fn run(&mut self, spec: &ProbeSpec, answers: &Answers, until: SimTime, to_change: bool) {
        let verdict = self.verdict;
        for _ in 0..LOOK_MAX {
            if !self.skip_quiet_until(answers, spec, until) || self.next > until || (!to_change && self.next >= until) {
                return;
            }
            self.probe(spec, answers);
            if to_change && self.verdict != verdict {
                return;
            }
        }
    }

    /// Jumps over probes that cannot change anything. False when nothing will ever change.
    fn skip_quiet(&mut self, answers: &Answers, spec: &ProbeSpec) -> bool {
        self.skip_quiet_until(answers, spec, SimTime::NEVER)
    }

    fn skip_quiet_until(&mut self, answers: &Answers, spec: &ProbeSpec, until: SimTime) -> bool {
        let passing = answers.passes(self.next);
        let boundary = match (self.verdict, passing) {
            (Verdict::Healthy, true) => answers.fail_from,
            (Verdict::Unhealthy, false) if answers.hangs || self.next >= answers.fail_from => SimTime::NEVER,
            (Verdict::Unhealthy, false) => answers.pass_from,
            _ => return self.next != SimTime::NEVER,
        };
        // Streaks that a quiet stretch ends.
        if passing {
            self.fails = 0;
        } else {
            self.passes = 0;
        }
        let boundary = boundary.min(until);
        if boundary == SimTime::NEVER {
            return false;
        }
        let pace = spec.interval_ms + if answers.hangs && spec.from_end { spec.timeout_ms } else { 0 };
        self.next = self.next + boundary.since(self.next).div_ceil(pace.max(1)) * pace;
        true
    }

    /// One probe; when its result is there.
    fn probe(&mut self, spec: &ProbeSpec, answers: &Answers) -> SimTime {
        let start = self.next;
        let passed = answers.passes(start);
        let lasts = if answers.hangs { spec.timeout_ms } else { 0 };
        let ended = start + lasts;
        self.next = if spec.from_end { ended + spec.interval_ms } else { start + spec.interval_ms.max(lasts) };
        if passed {
            self.fails = 0;
            self.passes = self.passes.saturating_add(1);
            self.lenient_until = SimTime::ZERO;
            let wanted = if self.verdict == Verdict::Unknown { spec.passes_new } else { spec.passes_recover };
            if self.verdict != Verdict::Healthy && u32::from(self.passes) >= wanted {
                self.verdict = Verdict::Healthy;
                self.passes = 0;
            }
        } else {
            self.passes = 0;
            if start >= self.lenient_until {
                self.fails = self.fails.saturating_add(1);
            }
            if self.verdict != Verdict::Unhealthy && u32::from(self.fails) >= spec.fails {
                self.verdict = Verdict::Unhealthy;
                self.fails = 0;
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const S: u64 = 1_000;

    fn container(interval: u64, retries: u32, start_period: u64) -> ProbeSpec {
        ProbeSpec::from(&ContainerCheck {
            interval_ms: interval * S,
            timeout_ms: 5 * S,
            retries,
            start_period_ms: start_period * S,
        })
    }

    fn target(passes: u32) -> ProbeSpec {
        ProbeSpec::from(&TargetGroup {
            interval_ms: 30 * S,
            timeout_ms: 6 * S,
            healthy_threshold: 5,
            unhealthy_threshold: 2,
            deregistration_delay_ms: 300 * S,
            new_target_passes: passes,
        })
    }

    fn answers(pass_from: u64, fail_from: u64, hangs: bool) -> Answers {
        let at = |s: u64| if s == u64::MAX { SimTime::NEVER } else { SimTime(s * S) };
        Answers { pass_from: at(pass_from), fail_from: at(fail_from), hangs }
    }

    fn history(spec: &ProbeSpec, answers: Answers) -> Vec<(u64, Verdict)> {
        let mut probe = Probe::begin(spec, SimTime::ZERO, spec.interval_ms, &answers);
        let mut out = Vec::new();
        while probe.change_at != SimTime::NEVER && out.len() < 9 {
            let (at, after) = (probe.change_at, probe.after);
            probe.change(spec, &answers);
            assert_eq!(probe.verdict, after);
            out.push((at.ms() / S, probe.verdict));
        }
        out
    }

    #[test]
    fn documented_moments() {
        use Verdict::{Healthy, Unhealthy};
        let never = u64::MAX;
        let cases: &[(&str, ProbeSpec, Answers, &[(u64, Verdict)])] = &[
            ("H03", container(30, 3, 0), answers(0, never, false), &[(30, Healthy)]),
            ("H04", container(30, 3, 0), answers(never, never, false), &[(90, Unhealthy)]),
            ("H05", container(30, 3, 0), answers(0, never, true), &[(105, Unhealthy)]),
            ("H06", container(10, 2, 25), answers(never, never, false), &[(40, Unhealthy)]),
            ("H07", container(10, 3, 60), answers(0, 15, false), &[(10, Healthy), (40, Unhealthy)]),
            ("H08", target(1), answers(0, never, false), &[(30, Healthy)]),
            ("H08 by threshold", target(5), answers(0, never, false), &[(150, Healthy)]),
            ("H09", target(1), answers(never, never, false), &[(60, Unhealthy)]),
            ("hanging target", target(1), answers(0, never, true), &[(66, Unhealthy)]),
            ("slow start recovers", target(1), answers(70, never, false), &[(60, Unhealthy), (210, Healthy)]),
            (
                "container recovers at once",
                container(10, 2, 0),
                answers(35, never, false),
                &[(20, Unhealthy), (40, Healthy)],
            ),
        ];
        for (name, spec, answers, expected) in cases {
            assert_eq!(&history(spec, *answers)[..], *expected, "{name}");
        }
    }

    #[test]
    fn a_long_quiet_time_is_jumped_over() {
        let spec = container(30, 3, 0);
        let days = 14 * 86_400;
        assert_eq!(history(&spec, answers(0, days, false))[1], (days + 60, Verdict::Unhealthy));
    }

    #[test]
    fn a_place_in_the_pool_heals() {
        let spec = target(1);
        let (without, with) = (answers(u64::MAX, u64::MAX, false), answers(100, u64::MAX, false));
        let mut probe = Probe::begin(&spec, SimTime::ZERO, 30 * S, &without);
        probe.change(&spec, &without);
        assert_eq!(probe.change_at, SimTime::NEVER);
        probe.answers_changed(&spec, &without, &with, SimTime(100 * S));
        assert_eq!(probe.change_at, SimTime(240 * S), "passes at 120, 150, 180, 210, 240");
        let mut fresh = Probe::begin(&spec, SimTime::ZERO, 30 * S, &without);
        fresh.answers_changed(&spec, &without, &answers(40, u64::MAX, false), SimTime(40 * S));
        assert_eq!(fresh.change_at, SimTime(60 * S), "one failure, then a pass");
    }
}

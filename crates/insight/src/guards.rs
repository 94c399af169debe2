//! The guards of a run as rows: what each one watches, its bound, and how near the run came to it.

use rollscope_engine::SimTime;
use rollscope_engine::frame::Counts;
use rollscope_engine::guard::{GuardKind, Violation};

use crate::run::RunView;

/// One guard of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardRow {
    /// Which guard.
    pub kind: GuardKind,
    /// It did not break.
    pub holds: bool,
    /// The bound where the run came nearest to it (or broke it), else the one at the end.
    pub bound: u64,
    /// The value nearest to the bound and when the run first came to it, or the one that broke it;
    /// absent when there was nothing to check (no launch, no stop).
    pub worst: Option<(u64, SimTime)>,
    /// The plain worst of the whole run whoever caused it, and when it was first reached: fewest
    /// healthy tasks for [`GuardKind::Floor`], most counted ones for [`GuardKind::Ceiling`].
    pub plain: Option<(u32, SimTime)>,
    /// Where the run was furthest beyond the bound of the moment, with value, bound and moment. That
    /// alone breaks no guard: a task died by itself, or somebody changed the desired count.
    pub beyond: Option<(u64, u64, SimTime)>,
    /// How it broke, the first time.
    pub broken: Option<Violation>,
}

/// All guards in the order in which they are shown.
pub fn guards(run: RunView<'_>) -> Vec<GuardRow> {
    GuardKind::ALL.into_iter().map(|kind| row(run, kind)).collect()
}

/// Moments at which every guard was checked: those at which something changed.
pub fn guard_moments(run: RunView<'_>) -> u64 {
    run.end.guards().moments()
}

fn row(run: RunView<'_>, kind: GuardKind) -> GuardRow {
    let guards = run.end.guards();
    let broken = guards.first(kind);
    let limits = run.end.counts().limits;
    let seen = match (broken, guards.worst(kind)) {
        (Some(broken), _) => Some((broken.value, broken.bound, broken.at)),
        (None, Some(worst)) => Some((worst.value, worst.bound, worst.at)),
        (None, None) if kind.counts_what_must_not_be() => Some((0, 0, SimTime::ZERO)),
        (None, None) => None,
    };
    let at_rest = match kind {
        GuardKind::Floor => u64::from(limits.floor),
        GuardKind::Ceiling => u64::from(limits.ceiling),
        GuardKind::Spare | GuardKind::Traffic => 1,
        GuardKind::Rounds => u64::from(rollscope_engine::sim::ROUNDS_MAX),
        GuardKind::FailureCount => run.end.threshold().map_or(0, u64::from),
        GuardKind::Slot
        | GuardKind::Conservation
        | GuardKind::Time
        | GuardKind::FailedLaunch
        | GuardKind::Transition
        | GuardKind::Candidate
        | GuardKind::Protection => 0,
    };
    GuardRow {
        kind,
        holds: broken.is_none(),
        bound: seen.map_or(at_rest, |(_, bound, _)| bound),
        worst: seen.map(|(value, _, at)| (value, at)),
        plain: match kind {
            GuardKind::Floor => Some(fewest(run, Counts::healthy)),
            GuardKind::Ceiling => Some(most(run, |counts| counts.counted)),
            _ => None,
        },
        beyond: match kind {
            GuardKind::Floor => beyond(run, |counts| (counts.healthy(), counts.limits.floor, false)),
            GuardKind::Ceiling => beyond(run, |counts| (counts.counted, counts.limits.ceiling, true)),
            _ => None,
        },
        broken,
    }
}

/// The sample furthest beyond its bound, the first of several; `read` gives value, bound, and
/// whether the bound is an upper one.
fn beyond(run: RunView<'_>, read: impl Fn(&Counts) -> (u32, u32, bool)) -> Option<(u64, u64, SimTime)> {
    let excess = |counts: &Counts| match read(counts) {
        (value, bound, true) => value.saturating_sub(bound),
        (value, bound, false) => bound.saturating_sub(value),
    };
    let (at, counts) = run.samples.iter().min_by_key(|(_, counts)| core::cmp::Reverse(excess(counts)))?;
    let (value, bound, _) = read(counts);
    (excess(counts) > 0).then_some((u64::from(value), u64::from(bound), *at))
}

/// The least value over the run and when it was first reached; 0 at time 0 of a run without samples.
pub(crate) fn fewest(run: RunView<'_>, value: impl Fn(&Counts) -> u32) -> (u32, SimTime) {
    let least = run.samples.iter().min_by_key(|(_, counts)| value(counts));
    least.map_or((0, SimTime::ZERO), |(at, counts)| (value(counts), *at))
}

/// The greatest value over the run and when it was first reached.
pub(crate) fn most(run: RunView<'_>, value: impl Fn(&Counts) -> u32) -> (u32, SimTime) {
    let greatest = run.samples.iter().min_by_key(|(_, counts)| core::cmp::Reverse(value(counts)));
    greatest.map_or((0, SimTime::ZERO), |(at, counts)| (value(counts), *at))
}

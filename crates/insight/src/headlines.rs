//! The figures of a rollout that goes wrong, or counts as a success before it is whole.

use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::{SimTime, order};

use crate::run::RunView;
use crate::serving::{Serving, each_span};

/// A revision with its share of the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RevisionShare {
    /// Revision number.
    pub revision: u32,
    /// Its share in thousandths; those of all revisions add up to 1000.
    pub per_mille: u32,
}

/// The figures of the newest rollout.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Headlines {
    /// From its start until it was given up, in milliseconds: it failed, or somebody stopped it.
    pub gave_up_ms: Option<u64>,
    /// How long fewer tasks than desired were healthy, in milliseconds, from its start on.
    pub below_desired_ms: u64,
    /// Who answered the traffic between its start and its end: at each moment every healthy task of
    /// the service gets the same share; where traffic is shifted, every revision that of its weight. Ascending in the revision; empty when nothing was healthy.
    pub shares: Vec<RevisionShare>,
    /// How long the revision that is rolled out answered, in milliseconds.
    pub target_served_ms: u64,
    /// Requests come through a target group: what is shared is answers, else only healthy tasks.
    pub balanced: bool,
    /// What older revisions still answered after it was SUCCESSFUL; absent when nothing.
    pub old_after_success: Option<OldAfterSuccess>,
}

/// Old code that goes on answering after SUCCESSFUL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OldAfterSuccess {
    /// For so long one of its tasks was healthy, in milliseconds.
    pub ms: u64,
    /// Its share of the traffic in that time, in thousandths, rounded down.
    pub per_mille: u32,
}

/// The figures of the newest rollout of a run, as far as it is known.
pub fn headlines(run: RunView<'_>, services: &[ServiceDeployment]) -> Headlines {
    let Some(newest) = services.last() else { return Headlines::default() };
    let end = run.end.now();
    let success = newest.finished.filter(|_| newest.status() == ServiceStatus::Successful);
    let gave_up = newest.rollback.map(|rollback| rollback.at).or(newest.finished.filter(|_| success.is_none()));
    let until = newest.finished.unwrap_or(end);
    let mut sum = Sum::new((newest.started, until), newest.revision, success);
    sum.walk(run);
    Headlines {
        gave_up_ms: gave_up.map(|at| at.since(newest.started)),
        below_desired_ms: below_desired(run, newest.started),
        shares: per_mille(&sum.by_revision),
        target_served_ms: sum.target_served,
        balanced: !run.end.settings().target_groups.is_empty(),
        old_after_success: sum.old_after_success(),
    }
}

fn below_desired(run: RunView<'_>, from: SimTime) -> u64 {
    let mut ms = 0;
    for (i, (at, counts)) in run.samples.iter().enumerate() {
        let next = run.samples.get(i + 1).map_or(run.end.now(), |(next, _)| *next);
        if counts.healthy() < counts.limits.desired {
            ms += next.since((*at).max(from));
        }
    }
    ms
}

/// Shares are summed in millionths of a task's millisecond.
const UNIT: u128 = 1_000_000;

struct Sum {
    from: SimTime,
    until: SimTime,
    /// The revision that is rolled out.
    target: u32,
    success: Option<SimTime>,
    /// Traffic by revision between start and end.
    by_revision: Vec<(u32, u128)>,
    /// Since SUCCESSFUL: milliseconds with an old task, and the traffic it got in them.
    old: (u64, u128),
    /// Milliseconds with a healthy task of the target.
    target_served: u64,
}

impl Sum {
    fn new((from, until): (SimTime, SimTime), target: u32, success: Option<SimTime>) -> Sum {
        Sum { from, until, target, success, by_revision: Vec::new(), old: (0, 0), target_served: 0 }
    }

    fn walk(&mut self, run: RunView<'_>) {
        each_span(run, &mut |from, to, serving| self.pass(from, to, serving));
    }

    /// Nothing changes between these two moments.
    fn pass(&mut self, from: SimTime, to: SimTime, serving: &[Serving]) {
        let all: u32 = serving.iter().map(|(_, n)| n).sum();
        if all == 0 {
            return;
        }
        let part = |n: u32, ms: u64| u128::from(n) * u128::from(ms) * UNIT / u128::from(all);
        let inside = to.min(self.until).since(from.max(self.from));
        for (revision, n) in serving {
            match self.by_revision.iter_mut().find(|(known, _)| known == revision) {
                Some((_, sum)) => *sum += part(*n, inside),
                None => self.by_revision.push((*revision, part(*n, inside))),
            }
        }
        if serving.iter().any(|(revision, _)| *revision == self.target) {
            self.target_served += to.since(from.max(self.from));
        }
        let Some(success) = self.success else { return };
        let after = to.since(from.max(success));
        let old: u32 = serving.iter().filter(|(revision, _)| *revision != self.target).map(|(_, n)| n).sum();
        if old > 0 {
            self.old.0 += after;
            self.old.1 += part(old, after);
        }
    }

    fn old_after_success(&self) -> Option<OldAfterSuccess> {
        let (ms, traffic) = self.old;
        let per_mille = |ms: u64| (traffic * 1000 / (u128::from(ms) * UNIT)) as u32;
        (ms > 0).then(|| OldAfterSuccess { ms, per_mille: per_mille(ms) })
    }
}

/// Thousandths that add up to 1000: the largest remainders go up.
fn per_mille(traffic: &[(u32, u128)]) -> Vec<RevisionShare> {
    let whole: u128 = traffic.iter().map(|(_, sum)| sum).sum();
    if whole == 0 {
        return Vec::new();
    }
    let mut list: Vec<(RevisionShare, u128)> = traffic
        .iter()
        .map(|(revision, sum)| {
            let share = RevisionShare { revision: *revision, per_mille: (sum * 1000 / whole) as u32 };
            (share, sum * 1000 % whole)
        })
        .collect();
    while list.iter().map(|(share, _)| share.per_mille).sum::<u32>() < 1000 {
        let Some(largest) = list.iter_mut().max_by_key(|(_, rest)| *rest) else { break };
        largest.0.per_mille += 1;
        largest.1 = 0;
    }
    let mut shares: Vec<RevisionShare> = list.into_iter().map(|(share, _)| share).collect();
    order::by_key(&mut shares, |share| share.revision);
    shares
}

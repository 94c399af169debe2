//! The figures of a rollout that goes wrong, or counts as a success before it is whole.

use rollscope_engine::frame::TaskState;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{TaskChange, What};
use rollscope_engine::{Ending, SimTime, order};

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

/// The figures of the newest rollout. Every figure of a span is of that span alone.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Headlines {
    /// From its start until it was given up, in milliseconds: it failed, or somebody stopped it.
    pub gave_up_ms: Option<u64>,
    /// From its start to its end, or as far as the run is known: until it is SUCCESSFUL, or has failed and what
    /// follows is over.
    pub during: Span,
    /// From then on, as far as the run is known; absent when the run ends with it.
    pub after: Option<Span>,
    /// The end between the two is SUCCESSFUL.
    pub successful: bool,
    /// How long the revision that is rolled out answered, in milliseconds.
    pub target_served_ms: u64,
    /// Requests come through a target group: what is shared is answers, else only healthy tasks.
    pub balanced: bool,
}

/// What the users of a service met in a span of time.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// Its length in milliseconds.
    pub ms: u64,
    /// How long fewer tasks than desired were healthy, in milliseconds.
    pub below_desired_ms: u64,
    /// It ends with fewer, and nothing that could happen any more changes that.
    pub below_for_good: bool,
    /// Who answered new requests: at each moment every healthy task of the service gets the same share;
    /// where traffic is shifted, every revision that of its weight. Ascending in the revision; empty when
    /// nothing was healthy.
    pub shares: Vec<RevisionShare>,
    /// How long an older revision answered new requests, in milliseconds.
    pub old_answers_ms: u64,
    /// Their share of the traffic in that time, in thousandths, rounded down.
    pub old_per_mille: u32,
    /// How long tasks of an older revision existed that only finished what they had, while none of them
    /// answered new requests, in milliseconds.
    pub old_leaves_ms: u64,
}

/// The figures of the newest rollout of a run, as far as it is known.
pub fn headlines(run: RunView<'_>, services: &[ServiceDeployment]) -> Headlines {
    let Some(newest) = services.last() else { return Headlines::default() };
    let end = run.end.now();
    let successful = newest.status() == ServiceStatus::Successful;
    let gave_up = newest.rollback.map(|rollback| rollback.at).or(newest.finished.filter(|_| !successful));
    let until = newest.finished.unwrap_or(end);
    let spans = [(newest.started, until), (until, end)];
    let mut sums = spans.map(|(from, to)| Sum::new(from, to, newest.revision));
    each_span(run, &mut |from, to, serving| sums.iter_mut().for_each(|sum| sum.pass(from, to, serving)));
    let target_served_ms = sums.iter().map(|sum| sum.target_served).sum();
    let [during, after] = sums.map(|sum| sum.span(run));
    Headlines {
        gave_up_ms: gave_up.map(|at| at.since(newest.started)),
        during,
        after: newest.finished.map(|_| after).filter(|after| after.ms > 0),
        successful,
        target_served_ms,
        balanced: !run.end.settings().target_groups.is_empty(),
    }
}

/// Shares are summed in millionths of a task's millisecond.
const UNIT: u128 = 1_000_000;

struct Sum {
    from: SimTime,
    until: SimTime,
    /// The revision that is rolled out.
    target: u32,
    /// Traffic by revision.
    by_revision: Vec<(u32, u128)>,
    /// Milliseconds in which an older revision answered, and the traffic it got in them.
    old: (u64, u128),
    /// Milliseconds with a healthy task of the target.
    target_served: u64,
}

impl Sum {
    fn new(from: SimTime, until: SimTime, target: u32) -> Sum {
        Sum { from, until, target, by_revision: Vec::new(), old: (0, 0), target_served: 0 }
    }

    /// Nothing changes between these two moments.
    fn pass(&mut self, from: SimTime, to: SimTime, serving: &[Serving]) {
        let (from, to) = (from.max(self.from), to.min(self.until));
        let ms = to.since(from);
        let all: u32 = serving.iter().map(|(_, n)| n).sum();
        if all == 0 || ms == 0 {
            return;
        }
        for (revision, n) in serving {
            let part = u128::from(*n) * u128::from(ms) * UNIT / u128::from(all);
            match self.by_revision.iter_mut().find(|(known, _)| known == revision) {
                Some((_, sum)) => *sum += part,
                None => self.by_revision.push((*revision, part)),
            }
        }
        let old: u32 = serving.iter().filter(|(revision, _)| *revision != self.target).map(|(_, n)| n).sum();
        self.target_served += if old == all { 0 } else { ms };
        if old > 0 {
            self.old.0 += ms;
            self.old.1 += u128::from(old) * u128::from(ms) * UNIT / u128::from(all);
        }
    }

    fn span(self, run: RunView<'_>) -> Span {
        let (answers, traffic) = self.old;
        let old_per_mille = (traffic * 1000).checked_div(u128::from(answers) * UNIT).unwrap_or(0) as u32;
        Span {
            ms: self.until.since(self.from),
            below_desired_ms: below_desired(run, self.from, self.until),
            below_for_good: self.until == run.end.now() && stays_below(run),
            shares: per_mille(&self.by_revision),
            old_answers_ms: answers,
            old_per_mille,
            old_leaves_ms: old_exists(run, &self).saturating_sub(answers),
        }
    }
}

/// How long a task of a revision other than the target existed, once it had been RUNNING. Older tasks that are
/// still to become healthy are few and short, and of a rollback.
fn old_exists(run: RunView<'_>, sum: &Sum) -> u64 {
    let mut since: Option<SimTime> = None;
    let (mut ms, mut runs, mut there) = (0, Vec::new(), 0u32);
    let inside = |from: SimTime, to: SimTime| to.min(sum.until).since(from.max(sum.from));
    for record in run.records {
        let What::Task { task, change } = record.what else { continue };
        if task.name.revision == sum.target {
            continue;
        }
        let id = task.id.0 as usize;
        if id >= runs.len() {
            runs.resize(id + 1, false);
        }
        let now = match change {
            TaskChange::Running => true,
            TaskChange::Existing { state, .. } => !matches!(state, TaskState::Waiting | TaskState::Starting),
            TaskChange::Stopped(_) => false,
            _ => continue,
        };
        if core::mem::replace(&mut runs[id], now) == now {
            continue;
        }
        there = if now { there + 1 } else { there.saturating_sub(1) };
        match since {
            None if there > 0 => since = Some(record.at),
            Some(from) if there == 0 => {
                ms += inside(from, record.at);
                since = None;
            }
            _ => {}
        }
    }
    ms + since.map_or(0, |from| inside(from, run.end.now()))
}

/// The run has come to rest, and fewer tasks than desired are healthy.
fn stays_below(run: RunView<'_>) -> bool {
    let last = run.samples.last().map(|(_, counts)| counts);
    run.end.ending() == Some(Ending::Quiet) && last.is_some_and(|counts| counts.healthy() < counts.limits.desired)
}

fn below_desired(run: RunView<'_>, from: SimTime, until: SimTime) -> u64 {
    let mut ms = 0;
    for (i, (at, counts)) in run.samples.iter().enumerate() {
        let next = run.samples.get(i + 1).map_or(run.end.now(), |(next, _)| *next);
        if counts.healthy() < counts.limits.desired {
            ms += next.min(until).since((*at).max(from));
        }
    }
    ms
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

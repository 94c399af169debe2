//! What is known of a run: records, samples and the moments worth stopping at.

use rollscope_engine::frame::Counts;
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{DeploymentChange, FailureVerdict, Record, StopCode, TaskChange, What};
use rollscope_engine::{SimTime, Trace};

/// A span longer than this many median steps in which nothing happens is folded.
const FOLD_FACTOR: u64 = 10;
/// A shorter span is never folded, in milliseconds: it can be seen, and waited for.
const FOLD_LEAST_MS: u64 = 300_000;

/// A span in which nothing happens, worth drawing as a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The last thing before it.
    pub from: SimTime,
    /// The next thing after it.
    pub to: SimTime,
}

/// The run so far.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    pub(crate) trace: Trace,
    /// Records that are in the lists of moments already.
    indexed: usize,
    events: Vec<SimTime>,
    decisions: Vec<SimTime>,
    failures: Vec<SimTime>,
    broken: Vec<SimTime>,
}

/// A record that tells of a failure: a check failed, a task stopped by itself, a deployment
/// failed or a guard broke.
pub fn is_failure(what: &What) -> bool {
    match what {
        What::Task { change, .. } => matches!(
            change,
            TaskChange::Unhealthy(_)
                | TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited)
        ),
        What::Deployment { change, .. } => *change == DeploymentChange::State(RolloutState::Failed),
        What::Failure(failure) => failure.verdict == FailureVerdict::Counted,
        What::Kubernetes(change) => change.is_failure(),
        What::Asg(change) => change.is_failure(),
        What::Vm(change) => change.is_failure(),
        What::Guard(_) => true,
        What::Decision(_)
        | What::CountReset { .. }
        | What::Service { .. }
        | What::Alarm { .. }
        | What::Schema { .. }
        | What::Rate { .. }
        | What::Scaled { .. }
        | What::Act { .. }
        | What::Places { .. }
        | What::Host { .. }
        | What::Ended(_) => false,
    }
}

/// The middle one, by size, of the steps between moments; 0 without any. Found by halving the
/// range it lies in, which needs no second list.
fn median_step(moments: &[SimTime]) -> u64 {
    let steps = || moments.windows(2).map(|pair| pair[1].since(pair[0]));
    let middle = moments.len().saturating_sub(1) / 2;
    let (mut least, mut most) = (0, steps().max().unwrap_or(0));
    while least < most {
        let half = least + (most - least) / 2;
        if steps().filter(|step| *step <= half).count() > middle {
            most = half;
        } else {
            least = half + 1;
        }
    }
    least
}

fn note(list: &mut Vec<SimTime>, at: SimTime) {
    if list.last() != Some(&at) {
        list.push(at);
    }
}

impl Timeline {
    /// Nothing yet.
    pub fn new() -> Timeline {
        Timeline { trace: Trace::new(), ..Timeline::default() }
    }

    /// What happened, in order.
    pub fn records(&self) -> &[Record] {
        &self.trace.records
    }

    /// Counts at the end of every instant at which they changed.
    pub fn samples(&self) -> &[(SimTime, Counts)] {
        &self.trace.samples
    }

    /// What happens to the requests from every instant on at which that changed; empty without traffic.
    pub fn flows(&self) -> &[(SimTime, Flow)] {
        &self.trace.flows
    }

    /// Instants with any record, ascending.
    pub fn events(&self) -> &[SimTime] {
        &self.events
    }

    /// Instants with a decision of the controller, ascending.
    pub fn decisions(&self) -> &[SimTime] {
        &self.decisions
    }

    /// Instants with a failure, ascending.
    pub fn failures(&self) -> &[SimTime] {
        &self.failures
    }

    /// The first instant after `t` at which a guard broke.
    pub fn broken_after(&self, t: SimTime) -> Option<SimTime> {
        self.broken.get(self.broken.partition_point(|at| *at <= t)).copied()
    }

    /// Counts that hold at `t`; absent before the first sample.
    pub fn counts_at(&self, t: SimTime) -> Option<&Counts> {
        let index = self.samples().partition_point(|(at, _)| *at <= t).checked_sub(1)?;
        Some(&self.samples()[index].1)
    }

    /// The records of exactly this instant.
    pub fn records_at(&self, t: SimTime) -> &[Record] {
        let from = self.records().partition_point(|record| record.at < t);
        let to = self.records().partition_point(|record| record.at <= t);
        &self.records()[from..to]
    }

    /// The records of the last instant at or before `t` that has any.
    pub fn last_records(&self, t: SimTime) -> &[Record] {
        match self.events.partition_point(|at| *at <= t).checked_sub(1) {
            Some(index) => self.records_at(self.events[index]),
            None => &[],
        }
    }

    /// Spans without anything, longer than ten times the median step and than five minutes, ascending.
    pub fn folds(&self) -> Vec<Fold> {
        let longest = median_step(&self.events).saturating_mul(FOLD_FACTOR).max(FOLD_LEAST_MS);
        let pairs = self.events.windows(2).filter(|pair| pair[1].since(pair[0]) > longest);
        pairs.map(|pair| Fold { from: pair[0], to: pair[1] }).collect()
    }

    /// Takes the records that came since the last call into the lists of moments.
    pub(crate) fn index(&mut self) {
        for record in &self.trace.records[self.indexed..] {
            note(&mut self.events, record.at);
            if matches!(record.what, What::Guard(_)) {
                note(&mut self.broken, record.at);
            }
            match record.what {
                What::Decision(_) => note(&mut self.decisions, record.at),
                What::Kubernetes(change) if change.is_decision() => note(&mut self.decisions, record.at),
                What::Asg(change) if change.is_decision() => note(&mut self.decisions, record.at),
                What::Vm(change) if change.is_decision() => note(&mut self.decisions, record.at),
                what if is_failure(&what) => note(&mut self.failures, record.at),
                _ => {}
            }
        }
        self.indexed = self.trace.records.len();
    }

    /// The first `records` and `samples` of this run up to `at`, for a branch that goes on from there.
    pub(crate) fn prefix(&self, at: SimTime, records: usize, samples: usize) -> Timeline {
        let mut timeline = Timeline::new();
        timeline.trace.records.extend_from_slice(&self.trace.records[..records]);
        timeline.trace.samples.extend_from_slice(&self.trace.samples[..samples]);
        let flows = &self.trace.flows;
        timeline.trace.flows.extend_from_slice(&flows[..flows.partition_point(|(moment, _)| *moment <= at)]);
        timeline.index();
        timeline
    }

    /// Takes the end of the run off, before an act that makes it go on.
    pub(crate) fn reopen(&mut self) {
        while matches!(self.trace.records.last(), Some(Record { what: What::Ended(_), .. })) {
            self.trace.records.pop();
        }
        // Few instants are affected, but any list may hold the one that went.
        let keep = self.trace.records.len();
        if keep < self.indexed {
            *self = self.prefix(SimTime::NEVER, keep, self.trace.samples.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_step_is_that_of_the_sorted_steps() {
        for moments in
            [vec![], vec![5], vec![0, 7], vec![0, 1, 3], vec![0, 9, 10, 12, 40], vec![3, 3 + (1 << 40), 4 << 40]]
        {
            let moments: Vec<SimTime> = moments.into_iter().map(SimTime).collect();
            let mut steps: Vec<u64> = moments.windows(2).map(|pair| pair[1].since(pair[0])).collect();
            steps.sort_unstable();
            assert_eq!(median_step(&moments), steps.get(steps.len() / 2).copied().unwrap_or(0));
        }
    }
}

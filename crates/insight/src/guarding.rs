//! What guards a rollout at a moment: what was counted, what was not and why, and what would be
//! gone back to.
//!
//! ```text
//! guarding(&[Record], &Frame, &Settings)   of the newest service deployment; the records end at the moment
//! borders(RunView)                         from when on automatic rollback does not protect
//! candidate_at_start(&Settings)            the revision a failure of the first rollout goes back to
//! ```

use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::protection::{Lapse, Lapses};
use rollscope_engine::settings::{RolloutState, Settings, TaskName};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{Protection, ProtectionEnd};
use rollscope_engine::trace::{DeploymentId, Failure, FailureVerdict, Record, What};
use rollscope_engine::{Frame, SimTime};

use crate::failures::is_failure;
use crate::outcome::failed_at;
use crate::run::RunView;

/// Names that are told of a group of failures that did not count.
const NAMED: usize = 3;

/// What guards the newest service deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarding {
    /// It, at the moment.
    pub service: ServiceDeployment,
    /// Failures that counted and what set them back, in order.
    pub counted: Vec<Counted>,
    /// What did not count, by kind and reason, in the order in which each first came.
    pub uncounted: Vec<Uncounted>,
    /// How the threshold is given; absent while the breaker is off.
    pub rule: Option<Threshold>,
    /// A healthy task sets the count back.
    pub resets: bool,
    /// The count of the deployment that is PRIMARY, and what trips the breaker there.
    pub count: u32,
    /// See `count`.
    pub threshold: u32,
    /// Latest desired count.
    pub desired: u32,
    /// A task of it has been RUNNING: the breaker's second stage.
    pub second_stage: bool,
    /// Some health check looks at the tasks: the breaker's second stage has something to look at.
    pub checked: bool,
    /// The deployment a failure would go back to, with its revision.
    pub candidate: Option<(DeploymentId, u32)>,
}

/// A failure that counted, or a task that set the count back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// When.
    pub at: SimTime,
    /// Which task; absent for a launch that found no place.
    pub task: Option<TaskName>,
    /// What happened to it.
    pub kind: FailureKind,
    /// The count afterwards; 0 after a reset.
    pub count: u32,
    /// The threshold then; 0 at a reset.
    pub threshold: u32,
}

/// Failures that did not count, of one kind and for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncounted {
    /// What happened.
    pub kind: FailureKind,
    /// Why it did not count.
    pub verdict: FailureVerdict,
    /// The first tasks it happened to.
    pub tasks: Vec<TaskName>,
    /// How often in all.
    pub times: u32,
    /// When last.
    pub last: SimTime,
}

impl Uncounted {
    /// These are failures, and not stops on purpose or checks that the grace period hides.
    pub fn is_failure(&self) -> bool {
        is_failure(self.kind)
    }
}

/// What guards the newest service deployment at the moment of `frame`; `records` are those of the
/// run up to then.
pub fn guarding(records: &[Record], frame: &Frame, settings: &Settings) -> Option<Guarding> {
    let service = frame.service_deployments.last()?.clone();
    let params = settings.platform.ecs();
    let primary = frame.deployments.iter().find(|deployment| deployment.primary);
    let mut found = Guarding {
        counted: Vec::new(),
        uncounted: Vec::new(),
        rule: params.breaker.map(|breaker| breaker.threshold),
        resets: params.breaker.is_some_and(|breaker| breaker.reset_on_healthy_task),
        count: primary.map_or(0, |d| d.failed_tasks),
        threshold: frame.threshold.unwrap_or(service.breaker.threshold),
        desired: frame.counts.limits.desired,
        second_stage: primary.is_some_and(|d| d.second_stage),
        checked: !(settings.containers.is_empty() && settings.target_groups.is_empty()),
        candidate: frame.rollback_candidate,
        service,
    };
    let from = records.partition_point(|record| record.at < found.service.started);
    for record in &records[from..] {
        found.note(record);
    }
    found.freeze();
    Some(found)
}

impl Guarding {
    /// A failure at this moment would be rolled back, or would be if there were something to go back to.
    pub fn would_go_back(&self) -> bool {
        let protection = self.service.protection;
        matches!(protection, Protection::Guards | Protection::Ended { why: ProtectionEnd::NoCandidate, .. })
    }

    /// Failures that did not count; what is no failure is not among them.
    pub fn uncounted_failures(&self) -> u32 {
        self.uncounted.iter().filter(|group| group.is_failure()).map(|group| group.times).sum()
    }

    /// Failures that were counted before the run began, or are not among the rows: what the first row stands on.
    ///
    /// Example: a service that comes with one counted failure, and none in the run: 1.
    pub fn counted_before(&self) -> u32 {
        self.counted.first().map_or(self.count, |first| first.count.saturating_sub(1))
    }

    /// When it failed, if it did.
    pub fn failed_at(&self) -> Option<SimTime> {
        failed_at(&self.service)
    }

    /// A rollout that is over shows the counter it ended with, whatever is PRIMARY now.
    fn freeze(&mut self) {
        if let Some(failed) = self.failed_at() {
            let last = self.counted.iter().rfind(|row| row.count > 0 && row.at <= failed);
            (self.count, self.threshold) = last.map_or((0, self.threshold), |row| (row.count, row.threshold));
        } else if !self.service.is_live() {
            (self.count, self.threshold) = (self.service.breaker.count, self.service.breaker.threshold);
        }
    }

    fn owns(&self, deployment: DeploymentId) -> bool {
        deployment == self.service.deployment || self.service.rollback.is_some_and(|back| back.to == deployment)
    }

    fn note(&mut self, record: &Record) {
        match record.what {
            What::CountReset { task, deployment, .. } if self.owns(deployment) => self.counted.push(Counted {
                at: record.at,
                task: Some(task.name),
                kind: FailureKind::BecameHealthy,
                count: 0,
                threshold: 0,
            }),
            What::Failure(failure) => self.note_failure(record.at, &failure),
            _ => {}
        }
    }

    fn note_failure(&mut self, at: SimTime, failure: &Failure) {
        let own = self.owns(failure.deployment);
        let task = failure.task.map(|task| task.name);
        if failure.verdict == FailureVerdict::Counted {
            if own {
                let Failure { kind, count, threshold, .. } = *failure;
                self.counted.push(Counted { at, task, kind, count, threshold });
            }
            return;
        }
        let told = match failure.kind {
            FailureKind::BecameHealthy => false,
            FailureKind::Routine | FailureKind::InGrace | FailureKind::WaitsForCapacity => own,
            kind => is_failure(kind),
        };
        if told {
            self.note_uncounted(at, failure.kind, failure.verdict, task);
        }
    }

    fn note_uncounted(&mut self, at: SimTime, kind: FailureKind, verdict: FailureVerdict, task: Option<TaskName>) {
        let place = self.uncounted.iter().position(|group| group.kind == kind && group.verdict == verdict);
        let index = place.unwrap_or_else(|| {
            self.uncounted.push(Uncounted { kind, verdict, tasks: Vec::new(), times: 0, last: at });
            self.uncounted.len() - 1
        });
        let group = &mut self.uncounted[index];
        group.times += 1;
        group.last = at;
        if let Some(task) = task.filter(|task| group.tasks.len() < NAMED && !group.tasks.contains(task)) {
            group.tasks.push(task);
        }
    }
}

/// A record tells of a failure that the circuit breaker looked at and did not count.
pub fn is_uncounted_failure(what: &What) -> bool {
    match what {
        What::Failure(failure) => {
            failure.verdict != FailureVerdict::Counted
                && (is_failure(failure.kind) || failure.kind == FailureKind::InGrace)
        }
        _ => false,
    }
}

/// From when on automatic rollback does not protect, and why: for each service deployment that
/// something watches, so that people would expect it to be protected; ascending.
pub fn borders(run: RunView<'_>) -> Vec<(SimTime, ProtectionEnd)> {
    let lapses = Lapses::of(run.records);
    lapses.list().iter().filter(|lapse| is_border(lapse)).map(|lapse| (lapse.from, lapse.why)).collect()
}

/// Something watches the service deployment, and yet it is not protected.
pub(crate) fn is_border(lapse: &Lapse) -> bool {
    lapse.why != ProtectionEnd::NoMonitor
}

/// The revision a failure of the first rollout goes back to: the newest that is COMPLETED at time 0.
pub fn candidate_at_start(settings: &Settings) -> Option<u32> {
    let completed = settings.start.deployments.iter().rev().find(|d| d.state == RolloutState::Completed);
    completed.map(|deployment| deployment.revision)
}

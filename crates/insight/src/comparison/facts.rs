//! What a comparison takes from one run, whatever its platform is.

use rollscope_engine::SimTime;
use rollscope_engine::asg::Run as Group;
use rollscope_engine::kubernetes::Run as Deployment;
use rollscope_engine::vm::Run as Machines;

use super::{Borrowed, Figure, Kind};
use crate::account::{Account, account};
use crate::asg;
use crate::check::evaluate;
use crate::healthy::health_changes;
use crate::kubernetes;
use crate::outcome::{Outcome, OutcomeKind, outcome};
use crate::placed;
use crate::run::RunView;
use crate::vm;

/// The figures of one run.
pub(super) struct Facts {
    /// What runs.
    pub kind: Kind,
    /// When it is done, or how it ends.
    pub done: Figure,
    /// Instants at which new ones were launched.
    pub rounds: u32,
    /// Most of them that count against the ceiling.
    pub most: u32,
    /// Fewest of them that are asked for; absent where nobody asks for them before they exist.
    pub fewest_asked: Option<u32>,
    /// Most of them that exist, those on their way out included.
    pub most_there: u32,
    /// Fewest healthy ones; of Pods available ones, of instances ready ones.
    pub fewest_healthy: u32,
    /// Milliseconds with healthy ones of two revisions.
    pub both_ms: u64,
    /// Milliseconds of those beyond the desired count, and most of them at once.
    pub extra: (u64, u32),
    /// From the start of the rollout until the first new one is healthy, in milliseconds.
    pub first_new: Option<u64>,
    /// Failures that trip the circuit breaker.
    pub threshold: Option<u32>,
    /// It is over then.
    pub end: SimTime,
    /// The last change of anything.
    pub last: SimTime,
    /// What is rolled out.
    pub revision: Option<u32>,
    /// Where its time goes.
    pub account: Option<Account>,
}

impl Facts {
    pub(super) fn of(run: RunView<'_>) -> Facts {
        match (run.end.kubernetes(), run.end.asg()) {
            (Some(deployment), _) => Facts::of_deployment(run, deployment),
            (_, Some(group)) => Facts::of_group(run, group),
            _ if let Some(group) = run.end.vm() => Facts::of_machines(run, group),
            _ if let Some(set) = run.end.placed() => Facts::of_placed(run, set),
            _ => Facts::of_service(run),
        }
    }

    fn of_service(run: RunView<'_>) -> Facts {
        let found = outcome(run);
        let newest = found.services.last();
        let figures = &found.figures;
        Facts {
            kind: Kind::Tasks,
            done: found.completed_at.map_or(Figure::Ends(found.outcome), |at| Figure::Time(at.ms())),
            rounds: figures.rounds,
            most: figures.peak_tasks,
            fewest_asked: None,
            most_there: figures.peak_tasks,
            fewest_healthy: figures.lowest_healthy,
            both_ms: figures.both_versions_ms,
            extra: (figures.task_ms_extra, figures.moments.most_extra.0),
            first_new: newest.and_then(|service| first_healthy(run, service.revision, service.started)),
            threshold: evaluate(run.end.settings()).threshold,
            end: end_of_service(&found),
            last: found.last_change_at,
            revision: newest.map(|service| service.revision),
            account: account(run).filter(|account| account.over),
        }
    }

    fn of_deployment(run: RunView<'_>, deployment: &Deployment) -> Facts {
        let found = kubernetes::outcome(run, deployment);
        let figures = &found.figures;
        let grows = |pass: &&kubernetes::PassRow| pass.set.template == found.template && pass.to > pass.from;
        let mut rounds: Vec<SimTime> = found.passes.iter().filter(grows).map(|pass| pass.at).collect();
        rounds.dedup();
        let rolled = deployment.settings().start.deploy.or(Some(found.template));
        Facts {
            kind: Kind::Pods,
            done: found.completed_at.map_or(Figure::Ends(found.outcome), |at| Figure::Time(at.ms())),
            rounds: rounds.len() as u32,
            most: figures.peak_asked,
            fewest_asked: Some(figures.lowest_asked),
            most_there: figures.peak_physical,
            fewest_healthy: figures.lowest_available,
            both_ms: figures.both_versions_ms,
            extra: (figures.pod_ms_extra, most_extra(run)),
            first_new: rolled.and_then(|template| first_healthy(run, template, SimTime::ZERO)),
            threshold: None,
            end: found.completed_at.unwrap_or(found.last_change_at),
            last: found.last_change_at,
            revision: rolled,
            account: None,
        }
    }

    fn of_placed(run: RunView<'_>, set: &Deployment) -> Facts {
        let found = placed::outcome(run, set);
        let figures = &found.figures;
        let new = |step: &&placed::StepRow| step.created && step.pod.name.revision == found.template;
        let mut rounds: Vec<SimTime> = found.steps.iter().filter(new).map(|step| step.at).collect();
        rounds.dedup();
        let rolled = set.settings().start.deploy.or(Some(found.template));
        Facts {
            kind: Kind::Pods,
            done: found.completed_at.map_or(Figure::Ends(found.outcome), |at| Figure::Time(at.ms())),
            rounds: rounds.len() as u32,
            most: figures.peak_asked,
            fewest_asked: Some(figures.lowest_asked),
            most_there: figures.peak_physical,
            fewest_healthy: figures.lowest_available,
            both_ms: figures.both_versions_ms,
            extra: (figures.pod_ms_extra, most_extra(run)),
            first_new: rolled.and_then(|template| first_healthy(run, template, SimTime::ZERO)),
            threshold: None,
            end: found.completed_at.unwrap_or(found.last_change_at),
            last: found.last_change_at,
            revision: rolled,
            account: None,
        }
    }

    fn of_group(run: RunView<'_>, group: &Group) -> Facts {
        let found = asg::outcome(run, group);
        let figures = &found.figures;
        // A rollback that succeeds ends the refresh as well, and nothing new is there.
        let done = found.completed_at.filter(|_| found.outcome == OutcomeKind::Completed);
        let target = group.refreshes().first().map(|refresh| refresh.target);
        Facts {
            kind: Kind::Instances,
            done: done.map_or(Figure::Ends(found.outcome), |at| Figure::Time(at.ms())),
            rounds: figures.batches,
            most: figures.peak_counted,
            fewest_asked: None,
            most_there: figures.peak_physical,
            fewest_healthy: figures.lowest_ready,
            both_ms: figures.both_versions_ms,
            extra: (figures.instance_ms_extra, most_extra(run)),
            first_new: target.and_then(|version| first_healthy(run, version, SimTime::ZERO)),
            threshold: None,
            end: found.completed_at.unwrap_or(found.last_change_at),
            last: found.last_change_at,
            revision: target,
            account: None,
        }
    }

    fn of_machines(run: RunView<'_>, group: &Machines) -> Facts {
        let found = vm::outcome(run, group);
        let figures = &found.figures;
        let target = group.settings().start.deploy.or(Some(found.target));
        Facts {
            kind: Kind::Machines,
            done: found.completed_at.map_or(Figure::Ends(found.outcome), |at| Figure::Time(at.ms())),
            rounds: figures.batches,
            most: figures.peak_counted,
            fewest_asked: None,
            most_there: figures.peak_physical,
            fewest_healthy: figures.lowest_healthy,
            both_ms: figures.both_versions_ms,
            extra: (figures.machine_ms_extra, most_extra(run)),
            first_new: target.and_then(|version| first_healthy(run, version, SimTime::ZERO)),
            threshold: None,
            end: found.completed_at.unwrap_or(found.last_change_at),
            last: found.last_change_at,
            revision: target,
            account: None,
        }
    }

    /// What is borrowed.
    pub(super) fn borrowed(&self) -> Borrowed {
        let ((task_ms, most), until) = (self.extra, self.end.ms());
        let whole = most > 0 && u64::from(most).saturating_mul(until) == task_ms;
        Borrowed { kind: self.kind, task_ms, most, for_ms: whole.then_some(until) }
    }
}

/// Most of them beyond the desired count at once.
fn most_extra(run: RunView<'_>) -> u32 {
    let extra = run.samples.iter().map(|(_, counts)| counts.physical().saturating_sub(counts.limits.desired));
    extra.max().unwrap_or(0)
}

/// From `start` until the first one of a revision is healthy, in milliseconds.
fn first_healthy(run: RunView<'_>, revision: u32, start: SimTime) -> Option<u64> {
    let ours =
        |change: &crate::healthy::HealthChange| change.healthy && change.revision == revision && change.at >= start;
    health_changes(run).find(ours).map(|change| change.at.since(start))
}

fn end_of_service(outcome: &Outcome) -> SimTime {
    outcome.completed_at.or(outcome.rolled_back_at).unwrap_or(outcome.last_change_at)
}

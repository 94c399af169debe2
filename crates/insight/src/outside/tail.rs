//! What a deploy tool shows while the stack converges, when it reads along: task stops, failed
//! placements and rollbacks as they happen, beside the one word CloudFormation says in the end.

use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::trace::{DeploymentChange, DeploymentId, Reason, Record, ServiceChange, What};
use rollscope_engine::{SimTime, order};

use super::pipeline::{Signal, Trusts, signals};
use super::stopped::{StoppedTask, stopped_tasks};
use super::waiter::known_until;
use crate::run::RunView;

/// A line of the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TailLine {
    /// A task stopped that nobody wanted stopped.
    Stopped(StoppedTask),
    /// No place for a task.
    NoPlace,
    /// A deployment failed.
    Failed(DeploymentId),
    /// A deployment is brought back.
    RollsBack(DeploymentId),
}

/// The tail of one rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Its lines, from the start of the rollout until CloudFormation is done.
    pub lines: Vec<(SimTime, TailLine)>,
    /// What CloudFormation says.
    pub verdict: Signal,
}

/// The tail of the rollout of `s`, as far as it is known.
pub fn tail(run: RunView<'_>, s: &ServiceDeployment) -> Option<Tail> {
    let now = known_until(run);
    let verdict = signals(run, s, now).into_iter().find(|signal| signal.trusts == Trusts::CloudFormation)?;
    let until = verdict.at.unwrap_or(now);
    let mut lines: Vec<(SimTime, TailLine)> = Vec::new();
    let abnormal = stopped_tasks(run).into_iter().filter(StoppedTask::is_abnormal);
    lines.extend(abnormal.map(|task| (task.at, TailLine::Stopped(task))));
    // What failed at that instant before it began is about the deployment before.
    let begins = |record: &&Record| matches!(record.what, What::Service { id, change: ServiceChange::Began { .. } } if id == s.id);
    for record in run.records.iter().skip_while(|record| !begins(record)) {
        let line = match record.what {
            What::Decision(decision) if finds_no_place(&decision.reason) => TailLine::NoPlace,
            What::Deployment { id, change: DeploymentChange::State(RolloutState::Failed), .. } => TailLine::Failed(id),
            What::Deployment { id, change: DeploymentChange::RollingBack, .. } => TailLine::RollsBack(id),
            _ => continue,
        };
        lines.push((record.at, line));
    }
    lines.retain(|(at, _)| *at >= s.started && *at <= until);
    // The sort keeps the order of one instant: stops first, as the records have them.
    order::by_key(&mut lines, |(at, _)| *at);
    Some(Tail { lines, verdict })
}

/// Without places, without room on an instance, without capacity of Fargate.
fn finds_no_place(reason: &Reason) -> bool {
    matches!(reason, Reason::NoPlaces { .. } | Reason::NoRoom { .. } | Reason::NoCapacity { .. })
}

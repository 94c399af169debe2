//! The moments of narrated steps: a pure function of what happened in a run.
//!
//! Steps name what they belong to ([`When`]); this finds when that was, so that a sentence stays
//! true when the settings change, and is left out when nothing of the kind happens.

use rollscope_engine::asg::Change as GroupChange;
use rollscope_engine::kubernetes::{Change, PodChange};
use rollscope_engine::platform::asg::Status as RefreshStatus;
use rollscope_engine::platform::kubernetes::{Because, Truth};
use rollscope_engine::protection::Lapses;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::service_deployment::{MonitorStatus, ServiceStatus};
use rollscope_engine::trace::{
    Decision, DeploymentChange, DeploymentId, FailureVerdict, Reason, Record, ServiceChange, TaskChange, What,
};
use rollscope_engine::{SimTime, order, settings::AlarmState};
use rollscope_scenario::resolve::Watchdog;
use rollscope_scenario::steps::{Happening, Step, When};

use crate::failures::{is_failure, is_unwatched_failure};
use crate::guarding::{borders, is_border};
use crate::outside::{WaiterEnd, stack_gives_up, stopped_tasks, waiter};
use crate::run::RunView;
use crate::watchdog;

/// A sentence with its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapter<'a> {
    /// When it is said.
    pub at: SimTime,
    /// The step.
    pub step: &'a Step,
}

/// The steps that belong to something in this run, ascending in time; at one moment the order of
/// the list holds.
pub fn chapters<'a>(run: RunView<'_>, watchdog: Watchdog, steps: &'a [Step]) -> Vec<Chapter<'a>> {
    let found = |step: &'a Step| Some(Chapter { at: moment_of(run, watchdog, step.when)?, step });
    let mut list: Vec<Chapter<'a>> = steps.iter().filter_map(found).collect();
    order::by_key(&mut list, |chapter| chapter.at);
    list
}

/// When it happens; absent when it does not, or not so often.
pub fn moment_of(run: RunView<'_>, watchdog: Watchdog, when: When) -> Option<SimTime> {
    match when {
        When::Start => Some(SimTime::ZERO),
        When::End => run.records.iter().find(|record| matches!(record.what, What::Ended(_))).map(|record| record.at),
        When::Nth(Happening::WatchdogAlarm, n) => {
            let report = watchdog::watch(&watchdog::stops(run), watchdog, run.end.now());
            report.alarms.get(n as usize - 1).map(|(from, _)| *from)
        }
        When::Nth(Happening::WaiterGivesUp, n) => gives_up(run, n),
        When::Nth(Happening::StackGivesUp, n) => {
            let mut given_up = run.end.service_deployments().iter().filter_map(|service| stack_gives_up(run, service));
            given_up.nth(n as usize - 1)
        }
        When::Nth(Happening::Forgotten, n) => forgotten(run, n),
        When::Nth(Happening::Border, n) => border(run, n),
        When::Nth(Happening::UnprotectedStart, n) => unprotected_start(run, n),
        When::Nth(Happening::OldGone, n) => old_gone(run).filter(|_| n == 1),
        When::Nth(happening, n) => {
            let watched = run.end.settings().platform.ecs().breaker.is_some();
            let by_deployments = run.end.workload().is_some();
            let mut matching = run.records.iter().filter(|record| is(happening, record, watched, by_deployments));
            matching.nth(n as usize - 1).map(|record| record.at)
        }
    }
}

/// Whether a record is one of the kind; `watched`: the circuit breaker is on; `by_deployments`: a rollout succeeds
/// where its deployment completes.
fn is(happening: Happening, record: &Record, watched: bool, by_deployments: bool) -> bool {
    match record.what {
        What::Task { change, .. } => is_task(happening, change, watched),
        What::Failure(failure) => match happening {
            Happening::Failure => failure.verdict == FailureVerdict::Counted,
            Happening::Uncounted => failure.verdict != FailureVerdict::Counted && is_failure(failure.kind),
            _ => false,
        },
        What::CountReset { .. } => happening == Happening::Reset,
        What::Alarm { state, .. } => happening == Happening::Alarm && state == AlarmState::Alarm,
        What::Act { .. } => happening == Happening::Act,
        What::Scaled { .. } => happening == Happening::Scaled,
        What::Kubernetes(change) => is_kubernetes(happening, change),
        What::Asg(change) => is_group(happening, change),
        // Where there are service deployments, they tell the success.
        What::Deployment { change: DeploymentChange::State(RolloutState::Completed), .. } => {
            happening == Happening::Success && by_deployments
        }
        What::Service { change, .. } => is_service(happening, change),
        What::Decision(Decision { reason: Reason::CannotMove { .. }, .. }) => happening == Happening::Stuck,
        What::Decision(Decision { reason: Reason::Protected { .. }, .. }) => happening == Happening::ProtectedWait,
        _ => false,
    }
}

fn is_task(happening: Happening, change: TaskChange, watched: bool) -> bool {
    match happening {
        Happening::TaskStart => matches!(change, TaskChange::Created { .. }),
        Happening::TaskRunning => change == TaskChange::Running,
        Happening::TaskHealthy => change == TaskChange::Healthy,
        Happening::TaskStop => matches!(change, TaskChange::StopDecided(_)),
        Happening::Uncounted => !watched && is_unwatched_failure(change),
        _ => false,
    }
}

fn is_kubernetes(happening: Happening, change: Change) -> bool {
    match change {
        Change::Condition { now, .. } => {
            happening == Happening::Deadline && now == Some((Truth::False, Because::ProgressDeadlineExceeded))
        }
        Change::Refused { .. } => happening == Happening::Refused,
        Change::Pod { change, .. } => match change {
            PodChange::Unschedulable => happening == Happening::Unschedulable,
            PodChange::NotReady => happening == Happening::Unready,
            PodChange::Restarted { .. } => happening == Happening::Restart,
            _ => false,
        },
        _ => false,
    }
}

fn is_group(happening: Happening, change: GroupChange) -> bool {
    match change {
        GroupChange::Checkpoint { .. } => happening == Happening::Checkpoint,
        GroupChange::Status { to, .. } => match happening {
            Happening::RefreshFails => to.is_failure(),
            Happening::RollbackBegins => to == RefreshStatus::RollbackInProgress,
            Happening::RolledBack => to == RefreshStatus::RollbackSuccessful,
            Happening::BakeBegins => to == RefreshStatus::Baking,
            Happening::Success => to == RefreshStatus::Successful,
            _ => false,
        },
        _ => false,
    }
}

fn is_service(happening: Happening, change: ServiceChange) -> bool {
    let status = |to: ServiceStatus| matches!(change, ServiceChange::Status { to: new, .. } if new == to);
    match happening {
        Happening::Trip => change == ServiceChange::Breaker(MonitorStatus::Triggered),
        Happening::RollbackBegins => matches!(change, ServiceChange::RollsBack { .. }),
        Happening::RolledBack => status(ServiceStatus::RollbackSuccessful),
        Happening::Stalled => change == ServiceChange::NoCandidate,
        Happening::Gate => matches!(change, ServiceChange::GateMet { .. }),
        Happening::BakeBegins => matches!(change, ServiceChange::BakeBegins { .. }),
        Happening::Success => status(ServiceStatus::Successful),
        Happening::CleanupGivenUp => matches!(change, ServiceChange::CleanupGivenUp { .. }),
        _ => false,
    }
}

/// Automatic rollback does not protect from here on, the `n`-th time.
fn border(run: RunView<'_>, n: u32) -> Option<SimTime> {
    borders(run).get(n as usize - 1).map(|(at, _)| *at)
}

/// The n-th start of a task behind one of the [`borders`].
fn unprotected_start(run: RunView<'_>, n: u32) -> Option<SimTime> {
    let mut lapses = Lapses::default();
    let mut starts = run.records.iter().filter(|record| {
        lapses.read(record);
        let starts = matches!(record.what, What::Task { change: TaskChange::Created { .. }, .. });
        starts && lapses.now().is_some_and(is_border)
    });
    starts.nth(n as usize - 1).map(|record| record.at)
}

/// The last task of the deployments that were there at time 0 is STOPPED, and none takes its place
/// in that instant.
fn old_gone(run: RunView<'_>) -> Option<SimTime> {
    let mut old: Vec<DeploymentId> = Vec::new();
    let mut ours: Vec<u32> = Vec::new();
    let mut gone: Option<SimTime> = None;
    for record in run.records {
        if gone.is_some_and(|at| at < record.at) {
            break;
        }
        let What::Task { task, change } = record.what else { continue };
        match change {
            TaskChange::Existing { deployment, .. } => {
                if !old.contains(&deployment) {
                    old.push(deployment);
                }
                ours.push(task.id.0);
            }
            TaskChange::Created { deployment, .. } if old.contains(&deployment) => {
                ours.push(task.id.0);
                gone = None;
            }
            TaskChange::Stopped(_) => {
                // Identities ascend, so the list is sorted.
                if let Ok(at) = ours.binary_search(&task.id.0) {
                    ours.remove(at);
                    gone = ours.is_empty().then_some(record.at);
                }
            }
            _ => {}
        }
    }
    gone
}

/// The n-th task that failed is not answered by DescribeTasks any more, while the run goes on.
fn forgotten(run: RunView<'_>, n: u32) -> Option<SimTime> {
    let mut failed = stopped_tasks(run).into_iter().filter(|task| watchdog::keeps(task.code));
    let gone = failed.nth(n as usize - 1)?.visible_until();
    run.records.last().is_some_and(|last| gone <= last.at).then_some(gone)
}

/// The waiter of the n-th service deployment, started with it, gives up.
fn gives_up(run: RunView<'_>, n: u32) -> Option<SimTime> {
    let began = run
        .records
        .iter()
        .filter(|record| matches!(record.what, What::Service { change: ServiceChange::Began { .. }, .. }));
    let starts: Vec<SimTime> = began.map(|record| record.at).collect();
    let ends = starts.iter().filter_map(|from| match waiter(run, *from).end {
        Some(WaiterEnd::GivesUp { at }) => Some(at),
        _ => None,
    });
    ends.collect::<Vec<_>>().get(n as usize - 1).copied()
}

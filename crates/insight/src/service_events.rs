//! What the `events` list of DescribeServices would hold: data here, the texts in `wording`.
//!
//! Forms: events captured from real accounts and the titles of the Developer Guide page
//! service-event-messages-list.

use rollscope_engine::SimTime;
use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::settings::{PROVISIONING_MAX, RolloutState, Settings, TaskName};
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::trace::{
    DeploymentChange, DeploymentId, FailedCheck, Reason, StopCause, StopCode, TaskChange, What,
};

use crate::instant::failing;
use crate::outside::{DeploymentStatus, Ledger, LedgerDeployment, steady_moments};
use crate::run::RunView;

/// One service event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceEvent {
    /// When.
    pub at: SimTime,
    /// What.
    pub kind: ServiceEventKind,
}

/// The kinds of service events the simulator gives rise to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ServiceEventKind {
    /// "has started N tasks"
    Started {
        /// The tasks.
        tasks: Vec<TaskName>,
        /// Of these, so many replace a task that is or was unhealthy.
        replacing: u32,
    },
    /// "registered N targets"
    Registered(u32),
    /// "has stopped N running tasks"
    StoppedRunning(Vec<TaskName>),
    /// "has stopped N pending tasks"
    StoppedPending(u32),
    /// "deregistered N targets"
    Deregistered(u32),
    /// "has begun draining connections on N tasks"
    Draining(u32),
    /// "is unhealthy in target group" or "failed container health checks"
    Unhealthy {
        /// Which task.
        task: TaskName,
        /// Which check says so.
        check: FailedCheck,
    },
    /// "has reached a steady state"
    Steady,
    /// "deployment completed"
    Completed(DeploymentId),
    /// "deployment failed: tasks failed to start", or "alarm detected"
    Failed {
        /// Which.
        id: DeploymentId,
        /// What failed it.
        by: FailedBy,
    },
    /// "rolling back to deployment"
    RollingBack(DeploymentId),
    /// "was unable to scale in due to (reason N tasks under protection)"
    Protected {
        /// The deployment that holds them.
        id: DeploymentId,
        /// So many.
        tasks: u32,
    },
    /// "was unable to place a task"
    CannotPlace(NoPlace),
    /// "could not launch N tasks for deployment": a launch found less room than it needed
    PartialLaunch {
        /// Which.
        id: DeploymentId,
        /// Tasks that found none.
        tasks: u32,
    },
    /// "was unable to place tasks": as many wait in PROVISIONING as may wait in a cluster
    ProvisioningLimit,
    /// "is unable to consistently start tasks successfully"
    StartImpaired,
    /// "was unable to stop or start tasks during a deployment because of the service deployment configuration"
    ConfigurationBlocks,
    /// "operations are being throttled"
    Throttled,
}

/// Why a task finds no place, as far as the service says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoPlace {
    /// Fargate has no capacity.
    Fargate,
    /// No container instance meets all requirements; the closest one, by its number, and what it lacks.
    Instances(Option<(u16, Resource)>),
}

/// What happened at one instant, before it becomes events.
#[derive(Default)]
struct Instant {
    started: Vec<TaskName>,
    /// Replacements that start before the unhealthy task stops.
    before: u32,
    /// Revisions of the tasks that stop because they are unhealthy.
    ill: Vec<u32>,
    registered: u32,
    stopped_running: Vec<TaskName>,
    stopped_pending: u32,
    drained: u32,
    deregistered: u32,
    unhealthy: Vec<(TaskName, FailedCheck)>,
    /// What failed a deployment stands in the record before.
    failed_by: Option<FailedBy>,
    /// What comes before tasks start and stop.
    first: Vec<ServiceEventKind>,
    others: Vec<ServiceEventKind>,
}

/// All service events of a run, oldest first.
pub fn service_events(run: RunView<'_>) -> Vec<ServiceEvent> {
    let settings = run.end.settings();
    // Tasks that reached RUNNING, by number.
    let mut running: Vec<bool> = Vec::new();
    let mut ledger = Ledger::new(settings);
    let mut debt = Debt::default();
    let steady = steady_moments(run);
    let mut events = Vec::new();
    let mut rest = run.records;
    while let Some(first) = rest.first() {
        let n = rest.partition_point(|record| record.at == first.at);
        let (now, later) = rest.split_at(n);
        rest = later;
        let mut instant = Instant::default();
        for record in now {
            ledger.apply(record);
            instant.see(&record.what, settings, &mut running, &ledger);
        }
        instant.others.extend(steady.binary_search(&first.at).is_ok().then_some(ServiceEventKind::Steady));
        let replacing = debt.settle(&instant);
        events.extend(instant.events(replacing).into_iter().map(|kind| ServiceEvent { at: first.at, kind }));
    }
    events
}

/// Unhealthy tasks whose replacement is still to come, by their revisions, and how many replacements
/// came before.
#[derive(Default)]
struct Debt {
    owed: Vec<u32>,
    ahead: u32,
}

impl Debt {
    /// How many of the tasks that start at this instant replace an unhealthy one; a task that takes the
    /// place of one that exited does not.
    fn settle(&mut self, instant: &Instant) -> u32 {
        for revision in &instant.ill {
            if self.ahead > 0 {
                self.ahead -= 1;
            } else {
                self.owed.push(*revision);
            }
        }
        self.ahead += instant.before;
        let mut replacing = instant.before;
        for task in instant.started.iter().skip(instant.before as usize) {
            if let Some(place) = self.owed.iter().position(|revision| *revision == task.revision) {
                self.owed.remove(place);
                replacing += 1;
            }
        }
        replacing
    }
}

impl Instant {
    fn see(&mut self, what: &What, settings: &Settings, running: &mut Vec<bool>, ledger: &Ledger) {
        match what {
            What::Task { task, change } => {
                let id = task.id.0 as usize;
                if id >= running.len() {
                    running.resize(id + 1, false);
                }
                let targets = !settings.target_groups.is_empty();
                self.task(task.name, change, targets, &mut running[id]);
            }
            What::Decision(decision) => {
                self.failed_by = failing(&decision.reason).or(self.failed_by);
                if let Reason::ReplacementFirst { started, .. } = decision.reason {
                    self.before += started;
                }
                self.others.extend(of_reason(&decision.reason, settings, ledger));
            }
            What::Deployment { id, change: DeploymentChange::RollingBack, .. } => {
                self.first.push(ServiceEventKind::RollingBack(*id));
            }
            What::Deployment { id, change: DeploymentChange::State(state), .. } => match state {
                RolloutState::Completed => self.others.push(ServiceEventKind::Completed(*id)),
                RolloutState::Failed => {
                    let by = self.failed_by.unwrap_or(FailedBy::Breaker);
                    self.first.push(ServiceEventKind::Failed { id: *id, by });
                }
                RolloutState::InProgress => {}
            },
            _ => {}
        }
    }

    fn task(&mut self, name: TaskName, change: &TaskChange, targets: bool, running: &mut bool) {
        match change {
            TaskChange::Created { .. } => self.started.push(name),
            TaskChange::Existing { state, .. } => {
                use rollscope_engine::frame::TaskState;
                *running = !matches!(state, TaskState::Waiting | TaskState::Starting);
            }
            TaskChange::Running => {
                *running = true;
                self.registered += u32::from(targets);
            }
            TaskChange::Unhealthy(check) => self.unhealthy.push((name, *check)),
            TaskChange::StopDecided(cause) if *running => {
                self.ill.extend((*cause == StopCause::Unhealthy).then_some(name.revision));
                self.stopped_running.push(name);
                self.deregistered += u32::from(targets);
            }
            TaskChange::StopDecided(_) => self.stopped_pending += 1,
            TaskChange::Draining => self.drained += 1,
            TaskChange::Stopped(StopCode::EssentialContainerExited) => self.deregistered += u32::from(targets),
            _ => {}
        }
    }

    /// In the order real services were seen to report one evaluation.
    fn events(self, replacing: u32) -> Vec<ServiceEventKind> {
        let mut events = Vec::new();
        events.extend(self.unhealthy.into_iter().map(|(task, check)| ServiceEventKind::Unhealthy { task, check }));
        events.extend(self.first);
        if !self.started.is_empty() {
            events.push(ServiceEventKind::Started { tasks: self.started, replacing });
        }
        if self.registered > 0 {
            events.push(ServiceEventKind::Registered(self.registered));
        }
        if !self.stopped_running.is_empty() {
            events.push(ServiceEventKind::StoppedRunning(self.stopped_running));
        }
        if self.stopped_pending > 0 {
            events.push(ServiceEventKind::StoppedPending(self.stopped_pending));
        }
        if self.deregistered > 0 {
            events.push(ServiceEventKind::Deregistered(self.deregistered));
        }
        if self.drained > 0 {
            events.push(ServiceEventKind::Draining(self.drained));
        }
        events.extend(self.others);
        events
    }
}

/// The event that goes with a decision.
fn of_reason(reason: &Reason, settings: &Settings, ledger: &Ledger) -> Option<ServiceEventKind> {
    Some(match reason {
        Reason::Protected { tasks } => {
            let holds = |d: &&LedgerDeployment| d.status == DeploymentStatus::Active && d.running > 0;
            let id = ledger.all().iter().find(holds)?.id;
            ServiceEventKind::Protected { id, tasks: *tasks }
        }
        Reason::CannotMove { .. } => ServiceEventKind::ConfigurationBlocks,
        Reason::NoCapacity { .. } => ServiceEventKind::CannotPlace(NoPlace::Fargate),
        Reason::NoPlaces { .. } if settings.fargate => ServiceEventKind::CannotPlace(NoPlace::Fargate),
        Reason::NoPlaces { .. } => ServiceEventKind::CannotPlace(NoPlace::Instances(None)),
        Reason::NoRoom { shortage, .. } => {
            ServiceEventKind::CannotPlace(NoPlace::Instances(shortage.near().next().zip(shortage.nearest_lacks)))
        }
        Reason::StartsInRoom { need, started, .. } | Reason::GreenStarts { need, started, .. } if need > started => {
            let id = ledger.all().iter().rev().find(|d| d.status == DeploymentStatus::Primary)?.id;
            ServiceEventKind::PartialLaunch { id, tasks: need - started }
        }
        Reason::WaitInstances { waiting, .. } if *waiting >= PROVISIONING_MAX => ServiceEventKind::ProvisioningLimit,
        Reason::Throttled { .. } => ServiceEventKind::StartImpaired,
        Reason::Quota { .. } => ServiceEventKind::Throttled,
        _ => return None,
    })
}

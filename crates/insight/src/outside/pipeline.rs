//! What a pipeline reports that trusts one signal, and whether that is true: green does not always
//! mean that the new revision serves.

use std::collections::BTreeSet;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{AlarmState, RolloutState, TaskName};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::time::HOUR;
use rollscope_engine::trace::{DeploymentChange, Record, ServiceChange, What};

use super::bus::{self, BusEvent, BusEventKind};
use super::ledger::Ledger;
use super::own_alarms;
use super::waiter::{WaiterEnd, desired_at, known_until, waiter};
use crate::healthy::health_changes;
use crate::outcome::{failed_at, killed_by_hand};
use crate::run::RunView;

/// How long CloudFormation waits for a service: three hours for a rolling update, 36 where traffic is shifted.
///
/// Source: Guide, task-scale-in-protection; Guide, deployment-type-blue-green, -linear and -canary.
///
/// Example: a canary that bakes for four hours is no reason to give up.
const fn cloudformation_ms(shifts: bool) -> u64 {
    (if shifts { 36 } else { 3 }) * HOUR
}

/// What a pipeline trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trusts {
    /// The ServicesStable waiter.
    Waiter,
    /// `rolloutState` of the PRIMARY deployment.
    RolloutState,
    /// A rule on the event `SERVICE_DEPLOYMENT_FAILED`.
    FailedEvent,
    /// CloudFormation, which updates the stack or creates the service.
    CloudFormation,
    /// `ServiceDeployment.status`, asked for until it says how it ends.
    ServiceStatus,
    /// The three alarms that one has to build oneself: all OK, or one in ALARM.
    OwnAlarms,
}

impl Trusts {
    /// All of them.
    pub const ALL: [Trusts; 6] = [
        Trusts::Waiter,
        Trusts::RolloutState,
        Trusts::FailedEvent,
        Trusts::CloudFormation,
        Trusts::ServiceStatus,
        Trusts::OwnAlarms,
    ];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Trusts::Waiter => "waiter",
            Trusts::RolloutState => "rollout_state",
            Trusts::FailedEvent => "failed_event",
            Trusts::CloudFormation => "cloudformation",
            Trusts::ServiceStatus => "service_status",
            Trusts::OwnAlarms => "own_alarms",
        }
    }
}

/// The colour of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// It says that all is well.
    Green,
    /// It says that it failed.
    Red,
    /// It has not said anything.
    Waiting,
}

impl Colour {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Green => "green",
            Colour::Red => "red",
            Colour::Waiting => "waiting",
        }
    }
}

/// What a pipeline says, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signal {
    /// What it trusts.
    pub trusts: Trusts,
    /// Its colour.
    pub colour: Colour,
    /// When it turned.
    pub at: Option<SimTime>,
    /// The revision that was PRIMARY then, for a green one.
    pub revision: Option<u32>,
    /// Why a green one misleads, as far as that shows by the moment of looking.
    pub misleads: Option<Misleads>,
    /// `ServiceDeployment.status` in the moment when it turned; the first one for what has not turned.
    pub status: ServiceStatus,
    /// The rollout comes with the service itself: its stack creates it, and updates nothing.
    pub creates: bool,
}

/// Why green is not the whole truth, the weightiest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misleads {
    /// This revision was PRIMARY, and not the one that was rolled out.
    OtherRevision(u32),
    /// The rollout failed after that.
    FailedLater {
        /// When.
        at: SimTime,
    },
    /// So many tasks of the new revision have failed after that.
    TasksFail(u32),
    /// Not all tasks that are desired were healthy then.
    NotWhole {
        /// Healthy tasks of the new revision.
        healthy: u32,
        /// Desired count.
        desired: u32,
    },
}

impl Misleads {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Misleads::OtherRevision(_) => "other_revision",
            Misleads::FailedLater { .. } => "failed_later",
            Misleads::TasksFail(_) => "tasks_fail",
            Misleads::NotWhole { .. } => "not_whole",
        }
    }
}

/// Something to tell about pipelines: one of them does not say yes, or says so and misleads. That one's own alarms
/// have not said anything is none: they always need some minutes more.
pub fn worth_telling(signals: &[Signal]) -> bool {
    let waits = |signal: &&Signal| signal.trusts == Trusts::OwnAlarms && signal.colour == Colour::Waiting;
    let telling = |signal: &Signal| signal.colour != Colour::Green || signal.misleads.is_some();
    signals.iter().filter(|signal| !waits(signal)).any(telling)
}

/// What all pipelines say about the rollout that began at `from` with service deployment `s`.
/// `until` is the moment of looking: what comes later is not known.
pub fn signals(run: RunView<'_>, s: &ServiceDeployment, until: SimTime) -> Vec<Signal> {
    let from = s.started;
    let events = bus::events(run);
    let first = run.end.service_deployments().first().is_some_and(|first| first.id == s.id);
    let creates = first && run.end.settings().start.deployments.is_empty();
    let all = Trusts::ALL.map(|trusts| {
        let (colour, at, revision) = match trusts {
            Trusts::Waiter => by_waiter(run, from),
            Trusts::RolloutState => by_state(run, s),
            Trusts::FailedEvent => by_event(&events, s, run),
            Trusts::CloudFormation => by_stack(run, s),
            Trusts::ServiceStatus => by_status(s),
            Trusts::OwnAlarms => by_own_alarms(run, s),
        };
        // What has not happened yet is not known yet.
        let known = at.is_none_or(|at| at <= until);
        if known {
            let green = at.zip(revision).filter(|_| colour == Colour::Green);
            let misleads = green.and_then(|(at, revision)| misleads(run, s, (at, revision), until));
            Signal { trusts, colour, at, revision, misleads, status: status_at(run, s, at), creates }
        } else {
            {
                let status = ServiceStatus::Pending;
                Signal { trusts, colour: Colour::Waiting, at: None, revision: None, misleads: None, status, creates }
            }
        }
    });
    all.to_vec()
}

/// What a green signal of `at` on this revision does not say, as far as it shows by `until`.
fn misleads(run: RunView<'_>, s: &ServiceDeployment, green: (SimTime, u32), until: SimTime) -> Option<Misleads> {
    let (at, revision) = green;
    if revision != s.revision {
        return Some(Misleads::OtherRevision(revision));
    }
    if let Some(failed) = failed_at(s).filter(|failed| at < *failed && *failed <= until) {
        return Some(Misleads::FailedLater { at: failed });
    }
    let failures = failed_tasks(run, revision, at, until);
    if failures > 0 {
        return Some(Misleads::TasksFail(failures));
    }
    let (healthy, desired) = (healthy_at(run, revision, at), desired_at(run, at));
    (healthy < desired).then_some(Misleads::NotWhole { healthy, desired })
}

/// Tasks of a revision that failed after `from`, until `to` and with it; those that people stopped are none.
fn failed_tasks(run: RunView<'_>, revision: u32, from: SimTime, to: SimTime) -> u32 {
    let killed = killed_by_hand(run);
    let later = &run.records[run.records.partition_point(|record| record.at <= from)..];
    let mut failed: BTreeSet<TaskName> = BTreeSet::new();
    for record in later.iter().take_while(|record| record.at <= to) {
        let What::Task { task, .. } = record.what else { continue };
        let own = task.name.revision == revision && !killed.contains(&task.name);
        if own && rollscope_player::is_failure(&record.what) {
            failed.insert(task.name);
        }
    }
    failed.len() as u32
}

/// Healthy tasks of a revision at the end of an instant.
fn healthy_at(run: RunView<'_>, revision: u32, at: SimTime) -> u32 {
    let changes = health_changes(run).take_while(|change| change.at <= at).filter(|change| change.revision == revision);
    changes.fold(0, |n: u32, change| if change.healthy { n + 1 } else { n.saturating_sub(1) })
}

type Said = (Colour, Option<SimTime>, Option<u32>);

const NOTHING: Said = (Colour::Waiting, None, None);

fn by_waiter(run: RunView<'_>, from: SimTime) -> Said {
    match waiter(run, from).end {
        Some(WaiterEnd::Stable { at, revision }) => (Colour::Green, Some(at), Some(revision)),
        Some(WaiterEnd::GivesUp { at }) => (Colour::Red, Some(at), None),
        None => NOTHING,
    }
}

/// The first COMPLETED or FAILED of whatever deployment is PRIMARY after the start.
fn by_state(run: RunView<'_>, s: &ServiceDeployment) -> Said {
    let mut ledger = Ledger::new(run.end.settings());
    // The one before may have failed at the very instant at which this one began.
    let mut began = false;
    for record in run.records {
        ledger.apply(record);
        began |= matches!(record.what, What::Service { id, change: ServiceChange::Began { .. } } if id == s.id);
        let What::Deployment { id, revision, change: DeploymentChange::State(state) } = record.what else { continue };
        if !began || ledger.primary().is_none_or(|d| d.id != id) {
            continue;
        }
        match state {
            RolloutState::Completed => return (Colour::Green, Some(record.at), Some(revision)),
            // A rollback begins at the same instant and is PRIMARY then: nobody saw this one.
            RolloutState::Failed if !rolls_back_at(run.records, record.at) => {
                return (Colour::Red, Some(record.at), None);
            }
            _ => {}
        }
    }
    NOTHING
}

fn rolls_back_at(records: &[Record], at: SimTime) -> bool {
    let rolls = |record: &Record| {
        record.at == at && matches!(record.what, What::Deployment { change: DeploymentChange::RollingBack, .. })
    };
    records.iter().skip_while(|record| record.at < at).take_while(|record| record.at == at).any(rolls)
}

/// Red at the first FAILED, green at a COMPLETED before any.
fn by_event(events: &[BusEvent], s: &ServiceDeployment, run: RunView<'_>) -> Said {
    // Its own first event opens the list: what came before at that instant is about the one before.
    let own = |event: &BusEvent| matches!(event.kind, BusEventKind::Deployment { id, .. } if id == s.deployment);
    let first = events.iter().position(|event| event.at >= s.started && own(event));
    for event in events[first.unwrap_or(0)..].iter().filter(|event| event.at >= s.started) {
        let BusEventKind::Deployment { id, state, .. } = &event.kind else { continue };
        match state {
            RolloutState::Failed => return (Colour::Red, Some(event.at), None),
            RolloutState::Completed => {
                let ledger = Ledger::at(run.end.settings(), run.records, event.at);
                let revision = ledger.all().iter().find(|d| d.id == *id).map(|d| d.revision);
                return (Colour::Green, Some(event.at), revision);
            }
            RolloutState::InProgress => {}
        }
    }
    NOTHING
}

/// The status that a service deployment has from a moment on.
fn status_at(run: RunView<'_>, s: &ServiceDeployment, at: Option<SimTime>) -> ServiceStatus {
    let Some(at) = at else { return ServiceStatus::Pending };
    let of = |record: &Record| match record.what {
        What::Service { id, change: ServiceChange::Status { to, .. } } if id == s.id && record.at <= at => Some(to),
        _ => None,
    };
    run.records.iter().rev().find_map(of).unwrap_or(ServiceStatus::Pending)
}

/// Green at SUCCESSFUL, red when the deployment fails or ends otherwise, or when CloudFormation has waited for too long.
fn by_stack(run: RunView<'_>, s: &ServiceDeployment) -> Said {
    if let Some(limit) = stack_gives_up(run, s) {
        return (Colour::Red, Some(limit), None);
    }
    by_status(s)
}

/// Green at SUCCESSFUL, red when it rolls back or ends otherwise.
fn by_status(s: &ServiceDeployment) -> Said {
    match (s.status(), decided(s)) {
        (ServiceStatus::Successful, Some(at)) => (Colour::Green, Some(at), Some(s.revision)),
        (_, Some(at)) => (Colour::Red, Some(at), None),
        _ => NOTHING,
    }
}

/// Red at the first ALARM after the start, green when all three are OK for the first time.
fn by_own_alarms(run: RunView<'_>, s: &ServiceDeployment) -> Said {
    let mut states = [AlarmState::InsufficientData; 3];
    for changes in own_alarms::history(run, known_until(run)).chunk_by(|a, b| a.0 == b.0) {
        for (_, alarm, state) in changes {
            states[*alarm as usize] = *state;
        }
        let Some((at, ..)) = changes.first().copied().filter(|(at, ..)| *at >= s.started) else { continue };
        if states.contains(&AlarmState::Alarm) {
            return (Colour::Red, Some(at), None);
        }
        if states == [AlarmState::Ok; 3] {
            let ledger = Ledger::at(run.end.settings(), run.records, at);
            return (Colour::Green, Some(at), ledger.primary().map(|d| d.revision));
        }
    }
    NOTHING
}

/// When it is clear how a service deployment ends: its rollback begins, or it is over.
fn decided(s: &ServiceDeployment) -> Option<SimTime> {
    s.rollback.map(|rollback| rollback.at).or(s.finished)
}

/// When CloudFormation gives up a service deployment that is not decided in its time, if that shows by now.
pub fn stack_gives_up(run: RunView<'_>, s: &ServiceDeployment) -> Option<SimTime> {
    let limit = s.started + cloudformation_ms(run.end.settings().strategy.shift().is_some());
    let in_time = decided(s).is_some_and(|at| at <= limit);
    (!in_time && known_until(run) >= limit).then_some(limit)
}

/// From when on the next deployment interrupts nothing: the service deployment is over.
pub fn next_deployment_from(s: &ServiceDeployment) -> Option<SimTime> {
    s.finished
}

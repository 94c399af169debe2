//! What a run meets that its first step does not tell: found in the records, told before anybody presses Play.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{AlarmState, Command, TaskName};
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{
    Decision, HostChange, Reason, Record, Rule, ServiceChange, StopCause, StopCode, TaskChange, What,
};

use crate::run::RunView;
use crate::verdict::LONG_MS;

/// What a run meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Troubles {
    /// A template puts an old desired count back, below the one of the moment.
    pub template: Option<LoweredCount>,
    /// Target tracking changes the desired count while a rollout is under way: the first time.
    pub scaled: Option<Rescaled>,
    /// An instance is drained: the first one that never gets empty, else the last one.
    pub drain: Option<HostDrain>,
    /// Tasks get more requests than each of them can answer.
    pub overload: Option<Overload>,
    /// Requests are cut off, because a task has less time to end them than some of them take.
    pub cut: Option<CutRequests>,
    /// Old tasks stopped first, and there was no capacity for new ones.
    pub short: Option<Short>,
    /// Why the stage that lasted for 24 hours did not end, or the hook that timed out.
    pub held: Option<HeldStage>,
    /// The first old task that was lost and made good by its own revision.
    pub repaired: Option<Repaired>,
    /// Zones were evened out: since when, and by how many moves, 1 and up.
    pub evened: Option<(SimTime, u32)>,
    /// An alarm that is watched went off when nothing could be rolled back any more.
    pub late_alarm: Option<LateAlarm>,
    /// An unhealthy task was replaced by one that failed as well, and the older of the two stopped.
    pub older_stopped: bool,
}

/// A desired count that an update lowers: the floor is computed from the new, smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoweredCount {
    /// When.
    pub at: SimTime,
    /// Desired count until then.
    pub from: u32,
    /// Desired count from then on, less than `from`.
    pub to: u32,
}

/// A desired count that target tracking changes in mid-run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rescaled {
    /// When.
    pub at: SimTime,
    /// Desired count until then.
    pub from: u32,
    /// Desired count from then on.
    pub to: u32,
}

/// An instance that is drained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostDrain {
    /// Its number, 1 and up.
    pub host: u32,
    /// It is DRAINING from then on.
    pub at: SimTime,
    /// Tasks on it at that moment, 1 and up.
    pub tasks: u32,
    /// The last of them has gone; absent while one is left at the end of the run.
    pub empty_at: Option<SimTime>,
}

/// More requests than a task can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overload {
    /// The greatest load of a task, in thousandths of a request a second.
    pub load: u64,
    /// Since when it had that.
    pub at: SimTime,
    /// What a task can answer, in whole requests a second.
    pub most: u32,
    /// Requests a second of the whole service at the end, which its tasks share.
    pub rate: u32,
    /// Milliseconds in which a task had more than it can answer.
    pub ms: u64,
}

/// Requests that were open when the deregistration delay of their task was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CutRequests {
    /// Whole requests that were cut off, 1 and up; those of tasks that exit or are lost among them.
    pub requests: u64,
    /// Whole requests that came in the run.
    pub offered: u64,
    /// The longest deregistration delay, in milliseconds.
    pub delay_ms: u64,
    /// What the longest request takes, in milliseconds, more than `delay_ms`.
    pub longest_ms: u64,
}

/// Fewer tasks than are wanted, for as long as Fargate had no capacity for new ones: what was stopped first is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Short {
    /// Since when nothing could start.
    pub from: SimTime,
    /// Until a task started again, a minute or longer after `from`.
    pub until: SimTime,
    /// Healthy tasks in between, at `from`.
    pub healthy: u32,
    /// Tasks wanted then, more than are healthy.
    pub desired: u32,
}

/// An alarm that goes off after the deployment it should guard is SUCCESSFUL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LateAlarm {
    /// What was rolled out.
    pub revision: u32,
    /// SUCCESSFUL since then.
    pub success: SimTime,
    /// The alarm goes to ALARM.
    pub at: SimTime,
}

/// An old task that was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repaired {
    /// When it was lost, and the other one started.
    pub at: SimTime,
    /// The one that takes its place, of the same revision.
    pub by: TaskName,
}

/// What kept a stage from its end for as long as any stage may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeldStage {
    /// So many healthy tasks of the new revision were missing.
    Lacks(u32),
    /// No room for this many tasks.
    NoRoom(u32),
    /// A hook did not end; whether it is a PAUSE hook, and whether its own time-out came first.
    Hook(bool, bool),
}

/// What the run meets, as far as it is computed.
pub(crate) fn troubles(run: RunView<'_>) -> Troubles {
    Troubles {
        template: template(run),
        scaled: scaled(run.records),
        drain: drain(run.records),
        overload: overload(run),
        cut: cut(run),
        short: short(run),
        held: held(run.records),
        repaired: repaired(run.records),
        evened: evened(run.records),
        late_alarm: late_alarm(run),
        older_stopped: decisions(run.records).any(|(_, reason)| matches!(reason, Reason::OlderStops { .. })),
    }
}

fn decisions(records: &[Record]) -> impl Iterator<Item = (SimTime, Reason)> {
    records.iter().filter_map(|record| match record.what {
        What::Decision(Decision { reason, .. }) => Some((record.at, reason)),
        _ => None,
    })
}

/// The first template that lowers the desired count.
fn template(run: RunView<'_>) -> Option<LoweredCount> {
    let acts = run.end.acts();
    run.records.iter().find_map(|record| {
        let What::Act { index, effective: true } = record.what else { return None };
        let Command::Template { desired: to, .. } = acts.get(index as usize)?.command else { return None };
        let before = run.samples.partition_point(|(at, _)| *at < record.at).checked_sub(1)?;
        let from = run.samples[before].1.limits.desired;
        (to < from).then_some(LoweredCount { at: record.at, from, to })
    })
}

/// The first change by target tracking before the newest rollout is over.
fn scaled(records: &[Record]) -> Option<Rescaled> {
    let over = |record: &&Record| {
        use ServiceStatus::{RollbackFailed, RollbackSuccessful, Stopped, Successful};
        let What::Service { change: ServiceChange::Status { to, .. }, .. } = record.what else { return false };
        matches!(to, Successful | RollbackSuccessful | RollbackFailed | Stopped)
    };
    let until = records.iter().rev().find(over).map_or(SimTime::NEVER, |record| record.at);
    let first = records.iter().find_map(|record| match record.what {
        What::Scaled { from, to } => Some(Rescaled { at: record.at, from, to }),
        _ => None,
    });
    first.filter(|scaled| scaled.at < until)
}

/// The first drained instance that keeps a task to the end, else the last one that got empty.
fn drain(records: &[Record]) -> Option<HostDrain> {
    // By task: the instance it is on.
    let mut on: Vec<u32> = Vec::new();
    let mut drains: Vec<HostDrain> = Vec::new();
    for record in records {
        match record.what {
            What::Task { task, change: TaskChange::Placed { host, .. } } => {
                let id = task.id.0 as usize;
                on.resize(on.len().max(id + 1), 0);
                on[id] = host;
            }
            What::Task { task, change: TaskChange::Stopped(_) } => {
                let Some(place) = on.get_mut(task.id.0 as usize) else { continue };
                let host = std::mem::take(place);
                if !on.contains(&host) {
                    let left = drains.iter_mut().filter(|drain| drain.host == host && drain.empty_at.is_none());
                    left.for_each(|drain| drain.empty_at = Some(record.at));
                }
            }
            What::Host { host, change: HostChange::Draining } => {
                let tasks = on.iter().filter(|place| **place == host).count() as u32;
                if tasks > 0 {
                    drains.push(HostDrain { host, at: record.at, tasks, empty_at: None });
                }
            }
            What::Host { host, change: HostChange::Gone } => drains.retain(|drain| drain.host != host),
            _ => {}
        }
    }
    let stays = drains.iter().find(|drain| drain.empty_at.is_none());
    stays.or(drains.last()).copied()
}

fn overload(run: RunView<'_>) -> Option<Overload> {
    let view = run.end.traffic()?;
    let most = run.end.settings().traffic.as_ref()?.per_task?;
    let (load, at) = view.totals.peak_load;
    let ms = view.totals.overloaded_ms;
    (ms > 0).then_some(Overload { load, at, most, rate: view.rate, ms })
}

/// Absent where every request has the time to end: those that an exit cuts off are none of the drain.
///
/// A delay of 10 s, and one request in ten takes 60: of 100 a second on 4 tasks, 125 are open in each after 10 s.
fn cut(run: RunView<'_>) -> Option<CutRequests> {
    let (totals, settings) = (run.end.traffic()?.totals, run.end.settings());
    let delay_ms = settings.target_groups.iter().map(|group| group.deregistration_delay_ms).max()?;
    let tables = settings.traffic.iter().flat_map(|traffic| &traffic.durations);
    let longest_ms = tables.flat_map(|(_, table)| table.iter().map(|(ms, _)| *ms)).max()?;
    let (requests, offered) = (totals.cut_off / 1_000, totals.offered / 1_000);
    (longest_ms > delay_ms && requests > 0).then_some(CutRequests { requests, offered, delay_ms, longest_ms })
}

/// The first time for which fewer were healthy than are wanted, and nothing started for a minute or longer because
/// Fargate had no capacity.
fn short(run: RunView<'_>) -> Option<Short> {
    let refused = run.records.iter().enumerate().filter_map(|(index, record)| match record.what {
        What::Decision(Decision { reason: Reason::NoCapacity { .. }, .. }) => Some((index, record.at)),
        _ => None,
    });
    for (index, from) in refused {
        let starts = |record: &&Record| matches!(record.what, What::Task { change: TaskChange::Created { .. }, .. });
        let Some(until) = run.records[index..].iter().find(starts).map(|record| record.at) else { break };
        let sample = run.samples.partition_point(|(at, _)| *at <= from).checked_sub(1);
        let Some((_, counts)) = sample.and_then(|index| run.samples.get(index)) else { continue };
        let (healthy, desired) = (counts.healthy(), counts.limits.desired);
        if healthy < desired && until.since(from) >= LONG_MS {
            return Some(Short { from, until, healthy, desired });
        }
    }
    None
}

/// The first start by [`Rule::SourceRepair`] in whose moment a task of its revision was lost: a larger desired count
/// brings old tasks as well, and those make good nothing.
fn repaired(records: &[Record]) -> Option<Repaired> {
    records.iter().find_map(|record| {
        let What::Decision(Decision { rule: Rule::SourceRepair, first: Some(first), .. }) = record.what else {
            return None;
        };
        let from = records.partition_point(|other| other.at < record.at);
        let now = records[from..].iter().take_while(|other| other.at == record.at);
        let lost = now.filter_map(|other| match other.what {
            What::Task { task, change: TaskChange::Stopped(code) } if code != StopCode::ServiceSchedulerInitiated => {
                Some(task.name.revision)
            }
            What::Task { task, change: TaskChange::StopDecided(StopCause::User | StopCause::Spot) } => {
                Some(task.name.revision)
            }
            _ => None,
        });
        let by = first;
        lost.into_iter().any(|revision| revision == by.revision).then_some(Repaired { at: record.at, by })
    })
}

/// The first one. A deployment that is going on answers to alarms itself, or ignores them.
///
/// A bake of one minute ends at 1:35, the alarm needs two minutes and fires at 2:35: r8, 1:35, 2:35.
fn late_alarm(run: RunView<'_>) -> Option<LateAlarm> {
    run.end.settings().platform.ecs().alarms.as_ref()?;
    let mut over: Option<(u32, SimTime)> = None;
    for record in run.records {
        match record.what {
            What::Service { id, change: ServiceChange::Status { to: ServiceStatus::Successful, .. } } => {
                let of = run.end.service_deployments().iter().find(|s| s.id == id);
                over = of.map(|s| (s.revision, record.at));
            }
            What::Service { change: ServiceChange::Began { .. }, .. } => over = None,
            What::Alarm { state: AlarmState::Alarm, .. } if over.is_some() => {
                return over.map(|(revision, success)| LateAlarm { revision, success, at: record.at });
            }
            _ => {}
        }
    }
    None
}

/// Since when tasks moved to emptier zones, and how many.
fn evened(records: &[Record]) -> Option<(SimTime, u32)> {
    let mut moves = decisions(records).filter(|(_, reason)| matches!(reason, Reason::Rebalances { .. }));
    let (at, _) = moves.next()?;
    Some((at, 1 + moves.count() as u32))
}

/// The last word on what was waited for before a stage ran into its limit, or a hook into its time-out.
fn held(records: &[Record]) -> Option<HeldStage> {
    let (limit, reason) = decisions(records)
        .find(|(_, reason)| matches!(reason, Reason::StageLimit { .. } | Reason::HookFailed { timed_out: true, .. }))?;
    if let Reason::HookFailed { pause, .. } = reason {
        return Some(HeldStage::Hook(pause, true));
    }
    let before = &records[..records.partition_point(|record| record.at < limit)];
    let told = decisions(before).filter_map(|(_, reason)| match reason {
        Reason::GreenLacks { lacks, .. } => Some(HeldStage::Lacks(lacks)),
        Reason::WaitHealthy { unready, .. } => Some(HeldStage::Lacks(unready)),
        Reason::NoRoom { need, .. } | Reason::NoPlaces { need, .. } | Reason::NoCapacity { need, .. } => {
            Some(HeldStage::NoRoom(need))
        }
        Reason::WaitInstances { waiting, .. } => Some(HeldStage::NoRoom(waiting)),
        Reason::HookWaits { pause, .. } => Some(HeldStage::Hook(pause, false)),
        _ => None,
    });
    told.last()
}

//! What watches a rollout, read from settings and records: trips, gates, the border.

use rollscope_engine::frame::Counts;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::{Threshold, rules_breaker, rules_success};
use rollscope_engine::settings::{Alarm, Settings};
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{Decision, InstanceId, Reason, Record, ServiceChange, TaskChange, What};

/// What the settings say about guards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guards<'a> {
    /// The circuit breaker's threshold; absent while it is off.
    pub threshold: Option<Threshold>,
    /// `healthyPercent` of the early success; absent when it is not enabled.
    pub early_percent: Option<u32>,
    /// The alarms there are.
    pub alarms: &'a [Alarm],
}

impl Guards<'_> {
    /// Those of a run.
    pub fn of(settings: &Settings) -> Guards<'_> {
        let PlatformSettings::Ecs(params) = &settings.platform;
        Guards {
            threshold: params.breaker.map(|breaker| breaker.threshold),
            early_percent: params.early_success.map(|early| early.healthy_percent),
            alarms: &settings.alarms,
        }
    }

    /// The breaker's threshold over time: it follows the desired count.
    pub fn thresholds(&self, samples: &[(SimTime, Counts)], until: SimTime) -> Vec<Level> {
        let Some(threshold) = self.threshold else { return Vec::new() };
        levels(samples, until, |desired| rules_breaker::threshold(threshold, desired))
    }

    /// The gate of the early success over time.
    pub fn gates(&self, samples: &[(SimTime, Counts)], until: SimTime) -> Vec<Level> {
        let Some(percent) = self.early_percent else { return Vec::new() };
        let mut levels = levels(samples, until, |desired| rules_success::gate(desired, percent));
        levels.retain(|level| level.value > 0);
        levels
    }
}

/// A number that holds for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Since then.
    pub from: SimTime,
    /// Until then.
    pub until: SimTime,
    /// The number.
    pub value: u32,
}

fn levels(samples: &[(SimTime, Counts)], until: SimTime, value: impl Fn(u32) -> u32) -> Vec<Level> {
    let mut out: Vec<Level> = Vec::new();
    for (at, counts) in samples {
        let value = value(counts.limits.desired);
        match out.last_mut() {
            Some(last) if last.value == value => {}
            last => {
                if let Some(last) = last {
                    last.until = *at;
                }
                out.push(Level { from: *at, until, value });
            }
        }
    }
    out
}

/// A monitor gave a deployment up with this decision.
pub const fn is_trip(what: &What) -> bool {
    let What::Decision(Decision { reason, .. }) = what else { return false };
    matches!(reason, Reason::BreakerTripped { .. } | Reason::AlarmFired { .. } | Reason::DigestsFailed { .. })
}

/// Moments at which something happened, ascending, each once.
pub fn moments(records: &[Record], is: impl Fn(&What) -> bool) -> Vec<SimTime> {
    let mut out: Vec<SimTime> = records.iter().filter(|record| is(&record.what)).map(|record| record.at).collect();
    out.dedup();
    out
}

/// Moments at which a gate of early success was reached, ascending.
pub fn gates_met(records: &[Record]) -> Vec<SimTime> {
    moments(records, |what| matches!(what, What::Service { change: ServiceChange::GateMet { .. }, .. }))
}

/// Whether automatic rollback has ended for the newest service deployment.
///
/// It ends with the success, at once where nothing rolls back or no candidate exists, and at the
/// end of a rollback; a new service deployment is protected again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Border(pub bool);

impl Border {
    /// Reads a record; true when it moved.
    pub fn read(&mut self, what: &What) -> bool {
        let What::Service { change, .. } = what else { return false };
        let ended = match change {
            ServiceChange::Began { .. } => false,
            ServiceChange::Status { to, .. } if to.is_final() => true,
            ServiceChange::ProtectionEnded(
                ProtectionEnd::Successful
                | ProtectionEnd::NoCandidate
                | ProtectionEnd::RollbackOff
                | ProtectionEnd::Failed,
            ) => true,
            _ => return false,
        };
        core::mem::replace(&mut self.0, ended) != ended
    }
}

/// Spans without rollback protection up to `until`, ascending.
pub fn unprotected(records: &[Record], until: SimTime) -> Vec<(SimTime, SimTime)> {
    let (mut border, mut out) = (Border::default(), Vec::<(SimTime, SimTime)>::new());
    for record in records {
        if !border.read(&record.what) {
            continue;
        }
        match (border.0, out.last_mut()) {
            (true, _) => out.push((record.at, until)),
            (false, Some(last)) => last.1 = record.at,
            (false, None) => {}
        }
    }
    out.retain(|(from, until)| from < until);
    out
}

/// Tasks that start where automatic rollback does not protect any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unprotected {
    border: Border,
    /// Records that were looked at.
    read: usize,
    /// The first of them from a moment on; absent from the moment at which a new deployment begins.
    steps: Vec<(SimTime, Option<InstanceId>)>,
    /// All of them in the order of their starts.
    starts: Vec<InstanceId>,
}

impl Unprotected {
    /// Of a whole run.
    pub fn new(records: &[Record]) -> Unprotected {
        let mut out = Unprotected::default();
        out.follow(records);
        out
    }

    /// Reads on where the run has grown.
    pub fn follow(&mut self, records: &[Record]) {
        for record in records.get(self.read..).unwrap_or_default() {
            if self.border.read(&record.what) {
                self.steps.push((record.at, None));
            }
            let What::Task { task, change: TaskChange::Created { .. } } = record.what else { continue };
            if !self.border.0 {
                continue;
            }
            self.starts.push(task.id);
            if self.steps.last().is_none_or(|step| step.1.is_none()) {
                self.steps.push((record.at, Some(task.id)));
            }
        }
        self.read = records.len();
    }

    /// At a moment every task from this one on has started unprotected.
    pub fn from(&self, at: SimTime) -> Option<InstanceId> {
        let until = self.steps.partition_point(|step| step.0 <= at);
        self.steps[..until].last()?.1
    }

    /// True for a task that started unprotected.
    pub fn has(&self, task: InstanceId) -> bool {
        self.starts.binary_search(&task).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::frame::Limits;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::sim::service_deployment::ServiceStatus;
    use rollscope_engine::trace::{DeploymentId, ServiceId, TaskRef};

    fn service(at: u64, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(0), change } }
    }

    fn began(at: u64) -> Record {
        service(at, ServiceChange::Began { deployment: DeploymentId(1), revision: 8, sources: 1 })
    }

    fn status(at: u64, to: ServiceStatus) -> Record {
        service(at, ServiceChange::Status { from: ServiceStatus::InProgress, to })
    }

    fn created(at: u64, id: u32) -> Record {
        let task = TaskRef { id: InstanceId(id), slot: id, name: TaskName { revision: 8, start: id } };
        let change = TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false };
        Record { at: SimTime(at), what: What::Task { task, change } }
    }

    fn spans(records: &[Record]) -> Vec<(u64, u64)> {
        unprotected(records, SimTime(100)).iter().map(|(from, until)| (from.0, until.0)).collect()
    }

    #[test]
    fn the_border_stands_where_protection_ends() {
        let ended = |at, why| service(at, ServiceChange::ProtectionEnded(why));
        let success = [began(0), status(40, ServiceStatus::Successful), ended(40, ProtectionEnd::Successful)];
        assert_eq!(spans(&success), [(40, 100)]);
        // A rollback that begins is protection at work; it ends with the rollback.
        let rolled_back = [
            began(0),
            status(40, ServiceStatus::RollbackInProgress),
            ended(40, ProtectionEnd::RolledBack),
            status(70, ServiceStatus::RollbackSuccessful),
        ];
        assert_eq!(spans(&rolled_back), [(70, 100)]);
        // From the start there is nothing to go back to.
        assert_eq!(spans(&[began(0), ended(0, ProtectionEnd::NoCandidate)]), [(0, 100)]);
        assert_eq!(spans(&[began(0), ended(0, ProtectionEnd::RollbackOff)]), [(0, 100)]);
        assert_eq!(spans(&[]), []);
    }

    #[test]
    fn a_new_deployment_is_protected_again() {
        let records = [began(0), status(40, ServiceStatus::Successful), began(60)];
        assert_eq!(spans(&records), [(40, 60)]);
        let records = [began(0), status(40, ServiceStatus::Stopped), began(40), status(90, ServiceStatus::Successful)];
        assert_eq!(spans(&records), [(90, 100)]);
    }

    #[test]
    fn tasks_beyond_the_border_are_known() {
        let end = status(40, ServiceStatus::Successful);
        let records = [began(0), created(10, 0), end, created(40, 1), created(50, 2), began(60), created(60, 3)];
        let known = Unprotected::new(&records);
        assert_eq!([0, 1, 2, 3].map(|id| known.has(InstanceId(id))), [false, true, true, false]);
        let from = |at| known.from(SimTime(at)).map(|id| id.0);
        assert_eq!([39, 40, 55, 60].map(from), [None, Some(1), Some(1), None]);
        let mut grown = Unprotected::default();
        grown.follow(&records[..3]);
        grown.follow(&records);
        assert_eq!(grown, known);
    }

    #[test]
    fn threshold_and_gate_follow_the_desired_count() {
        let sample = |at, desired| {
            let limits = Limits { desired, floor: 0, ceiling: desired };
            (SimTime(at), Counts { limits, ..Counts::default() })
        };
        let samples = [sample(0, 10), sample(20, 10), sample(50, 40)];
        let guards = Guards { threshold: Some(Threshold::BoundedPercent(50)), early_percent: Some(90), alarms: &[] };
        let level = |from, until, value| Level { from: SimTime(from), until: SimTime(until), value };
        assert_eq!(guards.thresholds(&samples, SimTime(100)), [level(0, 50, 5), level(50, 100, 20)]);
        assert_eq!(guards.gates(&samples, SimTime(100)), [level(0, 50, 9), level(50, 100, 36)]);
        assert!(Guards::default().thresholds(&samples, SimTime(100)).is_empty());
    }
}

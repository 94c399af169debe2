//! What watches a rollout, read from settings and records: trips, gates, who starts beyond the border.

use rollscope_engine::frame::Counts;
use rollscope_engine::platform::ecs::{Threshold, rules_breaker, rules_success};
use rollscope_engine::protection::Lapses;
use rollscope_engine::settings::{Alarm, RolloutState, Settings};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{
    Decision, DeploymentChange, InstanceId, Reason, Record, ServiceChange, TaskChange, What,
};

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
        let params = settings.platform.ecs();
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

/// A deployment fails at this record: a heavy red bar stands there.
pub const fn is_failed(what: &What) -> bool {
    matches!(what, What::Deployment { change: DeploymentChange::State(RolloutState::Failed), .. })
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

/// Tasks that start where automatic rollback does not protect any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unprotected {
    lapses: Lapses,
    /// Records that were looked at.
    read: usize,
    /// All of them in the order of their starts.
    starts: Vec<(SimTime, InstanceId)>,
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
            self.lapses.read(record);
            let What::Task { task, change: TaskChange::Created { .. } } = record.what else { continue };
            // What is started right before the success is not beyond it.
            if self.lapses.now().is_some_and(|lapse| lapse.border) {
                self.starts.push((record.at, task.id));
            }
        }
        self.read = records.len();
    }

    /// At a moment every task from this one on has started unprotected.
    pub fn from(&self, at: SimTime) -> Option<InstanceId> {
        let border = self.lapses.border_before(at)?;
        let first = self.starts.partition_point(|start| start.0 < border);
        self.starts.get(first).filter(|start| start.0 <= at).map(|start| start.1)
    }

    /// All tasks that started unprotected, in the order of their starts.
    pub fn tasks(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.starts.iter().map(|start| start.1)
    }

    /// True for a task that started unprotected.
    pub fn has(&self, task: InstanceId) -> bool {
        self.starts.binary_search_by_key(&task, |start| start.1).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::frame::Limits;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::sim::service_deployment::{MonitorStatus, ProtectionEnd};
    use rollscope_engine::trace::{DeploymentId, ServiceId, TaskRef};

    fn service(at: u64, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(0), change } }
    }

    fn began(at: u64) -> [Record; 2] {
        let began = ServiceChange::Began { deployment: DeploymentId(1), revision: 8, sources: 1 };
        [began, ServiceChange::Breaker(MonitorStatus::Monitoring)].map(|change| service(at, change))
    }

    fn ended(at: u64, why: ProtectionEnd) -> [Record; 1] {
        [service(at, ServiceChange::ProtectionEnded(why))]
    }

    fn created(at: u64, id: u32) -> [Record; 1] {
        let task = TaskRef { id: InstanceId(id), slot: id, name: TaskName { revision: 8, start: id } };
        let change = TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false };
        [Record { at: SimTime(at), what: What::Task { task, change } }]
    }

    #[test]
    fn tasks_beyond_the_border_are_known() {
        let success = ended(40, ProtectionEnd::Successful);
        let first = [&began(0)[..], &created(40, 0), &success, &created(40, 1)].concat();
        let records = [&first[..], &created(50, 2), &began(60), &created(60, 3)].concat();
        let known = Unprotected::new(&records);
        assert_eq!([0, 1, 2, 3].map(|id| known.has(InstanceId(id))), [false, true, true, false]);
        let from = |at| known.from(SimTime(at)).map(|id| id.0);
        assert_eq!([39, 40, 55, 60].map(from), [None, Some(1), Some(1), None]);
        let mut grown = Unprotected::default();
        grown.follow(&records[..4]);
        grown.follow(&records);
        assert_eq!(grown, known);
        // Where there never was a candidate the whole chart says so, and no task is any different.
        let never = [&began(0)[..], &ended(0, ProtectionEnd::NoCandidate), &created(10, 0)].concat();
        assert!(!Unprotected::new(&never).has(InstanceId(0)));
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

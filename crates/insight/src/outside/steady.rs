//! When the service reaches a steady state: one reading for its own events and for the event bus.
//!
//! The PRIMARY deployment is COMPLETED, as many of its tasks run as are desired, all of them are healthy, none
//! is on its way in or out, no older task is left, and none stands on an instance that is being drained.
//! Sources: API `TaskSet.stabilityStatus`; Developer Guide, service-event-messages-list.
//!
//! Example: 100 tasks, an early success at 90, the last ten at 30:35. COMPLETED at 0:35, steady at 30:35.

use rollscope_engine::SimTime;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{HostChange, Record, TaskChange, What};

use super::ledger::Ledger;
use crate::run::RunView;

/// The instants at which the service becomes steady, ascending. It stays so until something changes; the
/// real service repeats the message every few hours.
pub fn steady_moments(run: RunView<'_>) -> Vec<SimTime> {
    let mut ledger = Ledger::new(run.end.settings());
    let (mut hosts, mut found, mut before) = (Hosts::default(), Vec::new(), false);
    for instant in run.records.chunk_by(|a, b| a.at == b.at) {
        for record in instant {
            ledger.apply(record);
            hosts.apply(record);
        }
        let at = instant[0].at;
        let steady = is_steady(run, &ledger, at) && !hosts.holds_a_task();
        found.extend((steady && !before).then_some(at));
        before = steady;
    }
    found
}

fn is_steady(run: RunView<'_>, ledger: &Ledger, at: SimTime) -> bool {
    let Some(primary) = ledger.primary().filter(|d| d.state == RolloutState::Completed) else { return false };
    let index = run.samples.partition_point(|(moment, _)| *moment <= at);
    let Some((_, counts)) = index.checked_sub(1).and_then(|i| run.samples.get(i)) else { return false };
    let desired = counts.limits.desired;
    let mine = (primary.running, primary.pending) == (desired, 0);
    mine && counts.healthy() == desired && counts.physical() == desired
}

/// Instances that are being drained, and which task stands where.
#[derive(Default)]
struct Hosts {
    /// The instance of each task, by number; 0 for none.
    of_task: Vec<u32>,
    draining: Vec<u32>,
}

impl Hosts {
    fn apply(&mut self, record: &Record) {
        match record.what {
            What::Task { task, change: TaskChange::Placed { host, .. } } => self.put(task.id.0 as usize, host),
            What::Task { task, change: TaskChange::Stopped(_) } => self.put(task.id.0 as usize, 0),
            What::Host { host, change: HostChange::Draining | HostChange::SpotNotice } => self.draining.push(host),
            What::Host { host, change: HostChange::Gone } => self.draining.retain(|other| *other != host),
            _ => {}
        }
    }

    fn put(&mut self, task: usize, host: u32) {
        if task >= self.of_task.len() {
            self.of_task.resize(task + 1, 0);
        }
        self.of_task[task] = host;
    }

    fn holds_a_task(&self) -> bool {
        !self.draining.is_empty() && self.of_task.iter().any(|host| self.draining.contains(host))
    }
}

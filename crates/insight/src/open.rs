//! Requests that are still open in tasks that get no more of them: what a drain is for.
//!
//! No request is an object. A task leaves with the rate it had, and how many of its requests last for how much longer
//! says the table of their times: the rate times the mean excess.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::mechanism::traffic::{Flow, excess};
use rollscope_engine::settings::{Settings, TaskName};
use rollscope_engine::time::SECOND;
use rollscope_engine::trace::{StopCause, TaskChange, What};

use crate::run::RunView;

/// A task that was in rotation and gets no more requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Which task.
    pub task: TaskName,
    /// Since when it gets none.
    pub from: SimTime,
    /// None is open any more: its deregistration delay is over, or it is STOPPED.
    pub until: SimTime,
    /// What would be open then is cut off: the end of its deregistration delay, or without one when it is STOPPED.
    pub ends: SimTime,
    /// Requests a second that it got until then, in thousandths.
    pub rate: u64,
}

impl Leaving {
    /// Its open requests at a moment, in thousandths.
    ///
    /// 25 a second, of which one in ten takes a minute: 2.5 × 60 s + 22.5 × 1 s = 172.5 at once, 125 after 10 s.
    pub fn open(&self, settings: &Settings, at: SimTime) -> u64 {
        if at < self.from || at >= self.until {
            return 0;
        }
        self.left(settings, at)
    }

    /// Of its requests those that are cut off, in thousandths: known from the moment on at which it leaves.
    pub fn cut_off(&self, settings: &Settings) -> u64 {
        self.left(settings, self.ends)
    }

    fn left(&self, settings: &Settings, at: SimTime) -> u64 {
        let Some(traffic) = &settings.traffic else { return 0 };
        let (sum, weights) = excess(traffic.duration(self.task.revision), at.since(self.from));
        let amount = u128::from(self.rate) * sum / u128::from(SECOND);
        amount.checked_div(weights).unwrap_or(0) as u64
    }
}

/// Open requests of a moment: of how many tasks, and in thousandths of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Open {
    /// Tasks that get no more requests and have some open.
    pub tasks: u32,
    /// In thousandths of a request.
    pub requests: u64,
    /// Of these those that will be cut off, in thousandths.
    pub doomed: u64,
}

/// The open requests of a moment in all tasks that get no more.
pub fn open(leavings: &[Leaving], settings: &Settings, at: SimTime) -> Open {
    let mut all = Open::default();
    // They stand in the order in which they left.
    for leaving in &leavings[..leavings.partition_point(|leaving| leaving.from <= at)] {
        let requests = leaving.open(settings, at);
        all.tasks += u32::from(requests > 0);
        all.requests += requests;
        all.doomed += if requests > 0 { leaving.cut_off(settings).min(requests) } else { 0 };
    }
    all
}

/// The moment with the most open requests in tasks that get no more: open requests only end between two that leave.
pub fn most_open(leavings: &[Leaving], settings: &Settings) -> Option<(SimTime, Open)> {
    let mut most: Option<(SimTime, Open)> = None;
    for group in leavings.chunk_by(|a, b| a.from == b.from) {
        let at = group.first()?.from;
        let now = open(leavings, settings, at);
        if now.requests > most.map_or(0, |(_, open)| open.requests) {
            most = Some((at, now));
        }
    }
    most
}

/// Every task that left the rotation with requests, in the order in which they left; empty without traffic.
pub fn leavings(run: RunView<'_>) -> Vec<Leaving> {
    let settings = run.end.settings();
    if settings.traffic.is_none() {
        return Vec::new();
    }
    let delay = settings.target_groups.iter().map(|group| group.deregistration_delay_ms).max();
    // Of each task: whether it is healthy, and its place in the list once it leaves.
    let mut tasks: Vec<(bool, Option<usize>)> = Vec::new();
    let mut list: Vec<Leaving> = Vec::new();
    for record in run.records {
        let What::Task { task, change } = record.what else { continue };
        let id = task.id.0 as usize;
        tasks.resize(tasks.len().max(id + 1), (false, None));
        let known = &mut tasks[id];
        match change {
            TaskChange::Existing { state, .. } => known.0 = state == TaskState::Healthy,
            TaskChange::Healthy => known.0 = true,
            TaskChange::Unhealthy(_) | TaskChange::Rechecking => known.0 = false,
            TaskChange::StopDecided(cause) => {
                let drains = !matches!(cause, StopCause::User | StopCause::Spot);
                if std::mem::take(&mut known.0) && (drains || delay.is_none()) {
                    known.1 = Some(list.len());
                    let until = delay.map_or(SimTime::NEVER, |delay| record.at + delay);
                    let rate = rate(run, task.name.revision, record.at);
                    list.push(Leaving { task: task.name, from: record.at, until, ends: until, rate });
                }
            }
            TaskChange::Stopped(_) => {
                if let Some(leaving) = known.1.and_then(|index| list.get_mut(index)) {
                    leaving.until = leaving.until.min(record.at);
                    if delay.is_none() {
                        leaving.ends = record.at;
                    }
                }
            }
            _ => {}
        }
    }
    list
}

/// Requests a second of one task of a revision just before a moment, in thousandths.
fn rate(run: RunView<'_>, revision: u32, at: SimTime) -> u64 {
    let of = |flow: &Flow| flow.parts.iter().find(|part| part.revision == revision).map_or(0, |part| part.load);
    match run.flows.partition_point(|(moment, _)| *moment < at).checked_sub(1) {
        Some(before) => of(&run.flows[before].1),
        // Whoever leaves at time 0 shared the requests with all that were healthy then.
        None => {
            let healthy = run.records.iter().take_while(|record| record.at == SimTime::ZERO).filter(|record| {
                matches!(record.what, What::Task { change: TaskChange::Existing { state: TaskState::Healthy, .. }, .. })
            });
            let rate = run.flows.first().map_or(0, |(_, flow)| u64::from(flow.rate) * SECOND);
            rate.checked_div(healthy.count() as u64).unwrap_or(0)
        }
    }
}

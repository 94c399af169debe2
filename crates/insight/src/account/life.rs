//! One task's time, from its creation to its end, and that of all tasks together.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::trace::{InstanceId, ServiceChange, What};

use super::{Part, Share, shares_of};
use crate::rows::{self, TaskRow};
use crate::run::RunView;

/// Milliseconds by part, in the order of [`Part::ALL`].
pub type Totals = [u64; Part::ALL.len()];

/// What the time of a task depends on besides its own row.
pub(super) struct Life<'a> {
    run: RunView<'a>,
    /// Some check looks at the tasks.
    checked: bool,
    /// Tasks stand behind a load balancer.
    pub drains: bool,
    /// Service deployments, and their bake times: from when to when.
    rollouts: Vec<(SimTime, SimTime)>,
    bakes: Vec<(SimTime, SimTime)>,
}

impl<'a> Life<'a> {
    pub fn of(run: RunView<'a>) -> Life<'a> {
        let settings = run.end.settings();
        let services = run.end.service_deployments();
        let end = |finished: Option<SimTime>| finished.unwrap_or(SimTime::NEVER);
        let bake = |record: &rollscope_engine::trace::Record| match record.what {
            What::Service { id, change: ServiceChange::BakeBegins { until } } => {
                let finished = services.iter().find(|s| s.id == id).and_then(|s| s.finished);
                Some((record.at, until.min(end(finished))))
            }
            _ => None,
        };
        Life {
            run,
            checked: !(settings.containers.is_empty() && settings.target_groups.is_empty()),
            drains: !settings.target_groups.is_empty(),
            rollouts: services.iter().map(|s| (s.started, end(s.finished))).collect(),
            bakes: run.records.iter().filter_map(bake).collect(),
        }
    }

    /// What a healthy task does at a moment, and until when that holds at the most.
    fn healthy(&self, at: SimTime) -> (Part, SimTime) {
        let inside = |spans: &[(SimTime, SimTime)]| spans.iter().find(|(from, to)| *from <= at && at < *to).copied();
        let begins = |spans: &[(SimTime, SimTime)]| spans.iter().map(|(from, _)| *from).filter(|from| *from > at).min();
        let next = |spans: &[(SimTime, SimTime)]| begins(spans).unwrap_or(SimTime::NEVER);
        match (inside(&self.bakes), inside(&self.rollouts)) {
            (Some((_, to)), _) => (Part::Baking, to),
            (None, Some((_, to))) => (Part::OtherSide, to.min(next(&self.bakes))),
            (None, None) => (Part::Serving, next(&self.rollouts)),
        }
    }
}

/// Phases of a life, one after the other.
struct Phases {
    at: SimTime,
    until: SimTime,
    list: Vec<(Part, SimTime, SimTime)>,
}

impl Phases {
    /// The next part goes on until `to`, or is not there at all.
    fn to(&mut self, part: Part, to: SimTime) {
        let to = to.min(self.until);
        if to > self.at {
            self.list.push((part, self.at, to));
            self.at = to;
        }
    }
}

/// What a task does from its creation (or time 0) until `until` or its end, ascending, without a gap.
pub(super) fn phases(row: &TaskRow, life: &Life<'_>, until: SimTime) -> Vec<(Part, SimTime, SimTime)> {
    let ends = row.stopped.unwrap_or(SimTime::NEVER);
    let mut p = Phases { at: row.created.unwrap_or(SimTime::ZERO), until: until.min(ends), list: Vec::new() };
    let acts = row.stop_decided.unwrap_or(ends);
    let runs_already = row.existing.is_some_and(|state| !matches!(state, TaskState::Waiting | TaskState::Starting));
    if !runs_already {
        if let Some(placed) = row.placed {
            p.to(Part::Waiting, placed.min(acts));
        }
        p.to(Part::Provisioning, row.activating.unwrap_or(acts).min(acts));
        p.to(Part::Pull, row.running.unwrap_or(acts).min(acts));
    }
    if runs_already || row.running.is_some() {
        running(row, life, acts, &mut p);
    }
    let drains = life.drains && (runs_already || row.running.is_some());
    match row.sigterm {
        Some(sigterm) => p.to(Part::Draining, sigterm),
        None if drains => p.to(Part::Draining, SimTime::NEVER),
        None => {}
    }
    p.to(Part::Stopping, SimTime::NEVER);
    p.list
}

/// From RUNNING until a stop is decided, or the container exits.
fn running(row: &TaskRow, life: &Life<'_>, acts: SimTime, p: &mut Phases) {
    let healthy = match row.existing {
        Some(TaskState::Healthy) => Some(SimTime::ZERO),
        _ => row.first_healthy,
    };
    let decided = healthy.unwrap_or(SimTime::NEVER).min(acts);
    if life.checked {
        let starts = row.running.map_or(SimTime::ZERO, |at| at + life.run.end.start_up_ms(row.name));
        let hidden = row.grace_from.filter(|_| healthy.is_none()).unwrap_or(SimTime::NEVER);
        p.to(Part::StartUp, starts.min(hidden).min(decided));
        p.to(Part::Checks, hidden.min(decided));
        p.to(Part::Grace, decided);
    } else {
        p.to(Part::Unchecked, decided);
    }
    let end = acts.min(p.until);
    while p.at < end {
        let (part, to) = life.healthy(p.at);
        p.to(part, to.min(end));
    }
}

/// Where the time of one task went, as far as the run is known; absent for one that the run does not know. The
/// parts add up to its life.
pub fn task_time(run: RunView<'_>, id: InstanceId) -> Option<Vec<Share>> {
    let row = rows::tasks(run).get(id.0 as usize).copied()?;
    let totals = add([0; Part::ALL.len()], &row, &Life::of(run), known(run));
    Some(shares_of(&totals, totals.iter().sum()))
}

/// Where the time of all tasks went, in task-milliseconds. The parts add up to their lives.
pub fn totals(run: RunView<'_>) -> Totals {
    let life = Life::of(run);
    rows::tasks(run).iter().fold([0; Part::ALL.len()], |sum, row| add(sum, row, &life, known(run)))
}

/// The same as shares of the whole, those that take no time left out.
pub fn total_shares(run: RunView<'_>) -> Vec<Share> {
    let totals = totals(run);
    shares_of(&totals, totals.iter().sum())
}

/// The same for each task, in the order of the rows.
pub fn each_task(run: RunView<'_>) -> Vec<Totals> {
    let life = Life::of(run);
    rows::tasks(run).iter().map(|row| add([0; Part::ALL.len()], row, &life, known(run))).collect()
}

/// The last moment there is something to tell of.
fn known(run: RunView<'_>) -> SimTime {
    run.last_moment().unwrap_or(run.end.now())
}

fn add(mut sum: Totals, row: &TaskRow, life: &Life<'_>, until: SimTime) -> Totals {
    for (part, from, to) in phases(row, life, until) {
        sum[part as usize] += to.since(from);
    }
    sum
}

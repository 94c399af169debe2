//! The chain of causes, walked from the end of a deployment back to its start.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{InstanceId, Reason, Record, TaskChange, What};

use super::life::{Life, phases};
use super::{Link, Part};
use crate::rows::{self, TaskRow};
use crate::run::RunView;
use crate::waits::holds;

/// What an instant is asked to explain.
#[derive(Clone, Copy)]
enum Effect {
    Completion,
    Start,
    Stop(InstanceId),
}

/// What explains it.
#[derive(Clone, Copy)]
enum Cause {
    Gone(InstanceId),
    Healthy(InstanceId),
    Unhealthy(InstanceId),
    /// Nothing of a task: it was waited for since then.
    Waited(SimTime, Part),
}

pub(super) struct Walk<'a> {
    records: &'a [Record],
    /// Reasons to do nothing, ascending in time.
    holds: Vec<(SimTime, Reason)>,
    rows: Vec<TaskRow>,
    life: Life<'a>,
    start: SimTime,
    /// Everything after this moment is explained.
    at: SimTime,
    /// Links, the last one first.
    chain: Vec<Link>,
}

impl<'a> Walk<'a> {
    /// The links from `start` to `end`, ascending; `over` when the deployment was over then.
    pub fn chain(run: RunView<'a>, start: SimTime, end: SimTime, over: bool) -> Vec<Link> {
        let (rows, life) = (rows::tasks(run), Life::of(run));
        let mut walk =
            Walk { records: run.records, holds: holds(run.records), rows, life, start, at: end, chain: Vec::new() };
        let last = if over { Effect::Completion } else { walk.unfinished(run) };
        walk.back(last);
        walk.chain.reverse();
        walk.chain
    }

    /// What goes on where the run is not known any further: the task that has been on its way for longest, a
    /// new one before one that leaves.
    fn unfinished(&mut self, run: RunView<'_>) -> Effect {
        let target = run.end.service_deployments().last().map(|s| s.deployment);
        let find = |wanted: &dyn Fn(&TaskRow) -> bool| {
            let there = self.rows.iter().position(|row| row.stopped.is_none() && wanted(row));
            there.map(|index| InstanceId(index as u32))
        };
        let fresh = |row: &TaskRow| row.created.is_some() && row.stop_decided.is_none() && row.first_healthy.is_none();
        let starts = find(&|row| Some(row.deployment) == target && fresh(row));
        match (starts, find(&|row| row.stop_decided.is_some())) {
            (Some(id), _) => self.began(id, None),
            (None, Some(id)) => self.gone(id, Effect::Completion),
            (None, None) => Effect::Start,
        }
    }

    fn back(&mut self, last: Effect) {
        let mut effect = last;
        while self.at > self.start {
            let before = self.at;
            effect = match self.cause(effect) {
                Cause::Gone(id) => self.gone(id, effect),
                Cause::Healthy(id) => self.began(id, None),
                Cause::Unhealthy(id) => {
                    let healthy = self.row(id).and_then(|row| row.first_healthy);
                    self.began(id, healthy)
                }
                Cause::Waited(since, part) => {
                    self.link(Some(since), part, None);
                    effect
                }
            };
            if self.at >= before {
                // A cause without a length would go on for ever.
                self.link(None, Part::Waiting, None);
            }
        }
    }

    fn row(&self, id: InstanceId) -> Option<TaskRow> {
        self.rows.get(id.0 as usize).copied()
    }

    /// The time from `from` (or from the start of the deployment) to where the explanation stands.
    fn link(&mut self, from: Option<SimTime>, part: Part, task: Option<TaskName>) {
        let from = from.unwrap_or(self.start).max(self.start).min(self.at);
        if from < self.at {
            self.chain.push(Link { from, to: self.at, part, task });
        }
        self.at = from;
    }

    /// A task is gone: its stop, or its life when nobody stopped it.
    fn gone(&mut self, id: InstanceId, effect: Effect) -> Effect {
        let Some(row) = self.row(id) else { return Effect::Start };
        let name = Some(row.name);
        let Some(decided) = row.stop_decided else { return self.began(id, row.first_healthy) };
        // The next attempt waits for the room of the one that failed.
        if matches!(effect, Effect::Start) && row.unhealthy.is_some() && self.starts_another(&row) {
            self.link(Some(decided), Part::Pausing, name);
            return Effect::Stop(id);
        }
        let Some(sigterm) = row.sigterm.filter(|sigterm| *sigterm <= self.at) else {
            // It drains still, or nothing had to drain.
            let ran = row.running.is_some() || row.created.is_none();
            self.link(Some(decided), if self.life.drains && ran { Part::Draining } else { Part::Stopping }, name);
            return Effect::Stop(id);
        };
        self.link(Some(sigterm), Part::Stopping, name);
        self.link(Some(decided), Part::Draining, name);
        Effect::Stop(id)
    }

    /// A task of the same deployment is created at this moment.
    fn starts_another(&self, row: &TaskRow) -> bool {
        let from = self.records.partition_point(|record| record.at < self.at);
        let here = self.records[from..].iter().take_while(|record| record.at == self.at);
        here.into_iter().any(|record| match record.what {
            What::Task { change: TaskChange::Created { deployment, .. }, .. } => deployment == row.deployment,
            _ => false,
        })
    }

    /// The life of a task until here: idle from `idle_since` on, where that is given, then its
    /// checks and its start.
    fn began(&mut self, id: InstanceId, idle_since: Option<SimTime>) -> Effect {
        let Some(row) = self.row(id) else { return Effect::Start };
        if let Some(since) = idle_since {
            self.link(Some(since), Part::Waiting, None);
        }
        if row.created.is_some() || row.running.is_some() {
            for (part, from, _) in phases(&row, &self.life, self.at).into_iter().rev() {
                self.link(Some(from), part, Some(row.name));
            }
        } else {
            // A task that was there before the deployment has no start in it.
            let never = row.first_healthy.is_none() && idle_since.is_none();
            self.link(None, if never { Part::Waiting } else { Part::Checks }, Some(row.name));
        }
        Effect::Start
    }

    fn cause(&self, effect: Effect) -> Cause {
        let from = self.records.partition_point(|record| record.at < self.at);
        let to = self.records.partition_point(|record| record.at <= self.at);
        let (mut gone, mut healthy, mut unhealthy, mut itself) = (None, None, None, None);
        for record in &self.records[from..to] {
            let What::Task { task, change } = record.what else { continue };
            match change {
                TaskChange::Stopped(_) => gone = gone.or(Some(Cause::Gone(task.id))),
                TaskChange::Healthy => healthy = healthy.or(Some(Cause::Healthy(task.id))),
                TaskChange::Unhealthy(_) => {
                    unhealthy = unhealthy.or(Some(Cause::Unhealthy(task.id)));
                    if matches!(effect, Effect::Stop(id) if id == task.id) {
                        itself = Some(Cause::Unhealthy(task.id));
                    }
                }
                _ => {}
            }
        }
        let before = self.holds.partition_point(|(at, _)| *at < self.at);
        let (since, timer, part) = match self.holds[..before].last().copied() {
            Some((at, Reason::Throttled { .. })) => (at, true, Part::Pausing),
            Some((at, Reason::Quota { .. })) => (at, true, Part::Waiting),
            Some((at, Reason::Baking { .. } | Reason::StepWaits { .. } | Reason::ShiftTakes { .. })) => {
                (at, false, Part::Baking)
            }
            Some((at, Reason::Protected { .. })) => (at, false, Part::OtherSide),
            Some((at, _)) => (at, false, Part::Waiting),
            None => (self.start, false, Part::Waiting),
        };
        let waited = Some(Cause::Waited(since, part));
        // A launch that waited for the quota was not waiting for room.
        let first = if timer && matches!(effect, Effect::Start) { waited } else { None };
        let order = match effect {
            Effect::Completion | Effect::Start => [first, gone, healthy, unhealthy],
            Effect::Stop(_) => [itself, healthy, unhealthy, gone],
        };
        order.into_iter().flatten().next().unwrap_or(Cause::Waited(since, part))
    }
}

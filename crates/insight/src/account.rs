//! Where the time of a deployment goes: the chain of causes from its end back to its start.
//!
//! It completed because a task was gone; that one was picked to stop because another one had become
//! healthy; that one was created because a slot had become free; and so on. Every millisecond
//! between start and completion lies in exactly one link, so the parts add up to the whole.
//!
//! Example: 4 tasks at 100/150, healthy 45 s after the start (15 s of it until RUNNING), gone 30 s
//! after the decision: 2:30 are twice 15 s of start, 30 s of checks and 30 s of stopping.
//!
//! A deployment that failed has one as well: until it was given up, or until the last good revision
//! was back.
//!
//! Where several tasks of one instant are a cause alike, the first of the records stands for all.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{InstanceId, Reason, Record, TaskChange, What};

use crate::rows::{self, TaskRow};
use crate::run::RunView;
use crate::waits::hold_before;

/// What time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Part {
    /// PROVISIONING, image pull and start-up, until RUNNING.
    Start = 0,
    /// From RUNNING until the task is healthy (or fails its checks, or exits).
    Checks = 1,
    /// From the decision to stop until the last request is done.
    Draining = 2,
    /// From SIGTERM until STOPPED.
    Stopping = 3,
    /// For room, the launch quota, protection to end, or a person.
    Waiting = 4,
    /// Between two attempts, after starts that failed.
    Pausing = 5,
    /// Bake time, that after a shift of traffic included.
    Baking = 6,
}

impl Part {
    /// All of them, in the order of a task's life.
    pub const ALL: [Part; 7] =
        [Part::Start, Part::Checks, Part::Draining, Part::Stopping, Part::Waiting, Part::Pausing, Part::Baking];
}

/// How much of the time one part takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part.
    pub part: Part,
    /// Milliseconds, more than 0.
    pub ms: u64,
    /// Whole percent of the time; those of all parts add up to 100.
    pub percent: u32,
}

/// One link of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its begin.
    pub from: SimTime,
    /// Its end, where the next link begins.
    pub to: SimTime,
    /// What the time is spent on.
    pub part: Part,
    /// The task whose time it is; absent for waiting.
    pub task: Option<TaskName>,
}

/// Where the time goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The revision that is deployed.
    pub revision: u32,
    /// The start of the deployment.
    pub from: SimTime,
    /// Its end: it completed, or failed and was given up, or the last good revision was back.
    pub to: SimTime,
    /// The parts in the order of a task's life, those that take no time left out.
    pub parts: Vec<Share>,
    /// The links from the start to the completion, without a gap.
    pub chain: Vec<Link>,
    /// What ended the longest drain in it; absent where none is part of it.
    pub drain: Option<Drain>,
}

/// What ended a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The longest `deregistration_delay.timeout_seconds` of the target groups, in milliseconds. A drain
    /// that took less was over because its open requests were.
    pub delay_ms: u64,
}

/// Where the time of the newest deployment goes; absent until it is over.
pub fn account(run: RunView<'_>) -> Option<Account> {
    let (revision, from, to) = span(run)?;
    let mut walk = Walk { records: run.records, rows: rows::tasks(run), start: from, at: to, chain: Vec::new() };
    walk.back();
    walk.chain.reverse();
    let parts = shares(&walk.chain, to.since(from));
    let delay = run.end.settings().target_groups.iter().map(|group| group.deregistration_delay_ms).max();
    let longest =
        walk.chain.iter().filter(|link| link.part == Part::Draining).map(|link| link.to.since(link.from)).max();
    let drain = longest.zip(delay).map(|(took_ms, delay_ms)| Drain { took_ms, delay_ms });
    Some(Account { revision, from, to, parts, chain: walk.chain, drain })
}

/// Revision, start and end of the newest deployment.
fn span(run: RunView<'_>) -> Option<(u32, SimTime, SimTime)> {
    let newest = run.end.service_deployments().last()?;
    Some((newest.revision, newest.started, newest.finished?))
}

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

struct Walk<'a> {
    records: &'a [Record],
    rows: Vec<TaskRow>,
    start: SimTime,
    /// Everything after this moment is explained.
    at: SimTime,
    /// Links, the last one first.
    chain: Vec<Link>,
}

impl Walk<'_> {
    fn back(&mut self) {
        let mut effect = Effect::Completion;
        while self.at > self.start {
            let before = self.at;
            effect = match self.cause(effect) {
                Cause::Gone(id) => self.gone(id),
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
    fn gone(&mut self, id: InstanceId) -> Effect {
        let Some(row) = self.row(id) else { return Effect::Start };
        let name = Some(row.name);
        let Some(decided) = row.stop_decided else { return self.began(id, row.first_healthy) };
        if let Some(sigterm) = row.sigterm {
            self.link(Some(sigterm), Part::Stopping, name);
            self.link(Some(decided), Part::Draining, name);
        } else {
            self.link(Some(decided), Part::Stopping, name);
        }
        Effect::Stop(id)
    }

    /// The life of a task until here: idle from `idle_since` on, where that is given, then its
    /// checks and its start.
    fn began(&mut self, id: InstanceId, idle_since: Option<SimTime>) -> Effect {
        let Some(row) = self.row(id) else { return Effect::Start };
        if let Some(since) = idle_since {
            self.link(Some(since), Part::Waiting, None);
        }
        if row.running.is_some() || row.created.is_none() {
            // A task that was there before the deployment has no start in it.
            let part = if row.running.is_none() && row.first_healthy.is_none() && idle_since.is_none() {
                Part::Waiting
            } else {
                Part::Checks
            };
            self.link(row.running, part, Some(row.name));
        }
        self.link(row.created, Part::Start, Some(row.name));
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
                TaskChange::Unhealthy => {
                    unhealthy = unhealthy.or(Some(Cause::Unhealthy(task.id)));
                    if matches!(effect, Effect::Stop(id) if id == task.id) {
                        itself = Some(Cause::Unhealthy(task.id));
                    }
                }
                _ => {}
            }
        }
        let (since, timer, part) = match hold_before(self.records, self.at) {
            Some((at, Reason::Throttled { .. })) => (at, true, Part::Pausing),
            Some((at, Reason::Quota { .. })) => (at, true, Part::Waiting),
            Some((at, Reason::Baking { .. } | Reason::StepWaits { .. } | Reason::ShiftTakes { .. })) => {
                (at, false, Part::Baking)
            }
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

/// The sums of the parts, with whole percents that add up to 100 (the largest remainders go up).
fn shares(chain: &[Link], whole: u64) -> Vec<Share> {
    let mut ms = [0u64; Part::ALL.len()];
    for link in chain {
        ms[link.part as usize] += link.to.since(link.from);
    }
    if whole == 0 {
        return Vec::new();
    }
    let mut percents = ms.map(|ms| (ms * 100 / whole) as u32);
    let mut rests = ms.map(|ms| ms * 100 % whole);
    while percents.iter().sum::<u32>() < 100 {
        let largest = (0..rests.len()).min_by_key(|i| core::cmp::Reverse(rests[*i])).unwrap_or(0);
        percents[largest] += 1;
        rests[largest] = 0;
    }
    let share = |part: Part| Share { part, ms: ms[part as usize], percent: percents[part as usize] };
    Part::ALL.into_iter().map(share).filter(|share| share.ms > 0).collect()
}

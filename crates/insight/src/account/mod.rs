//! Where the time of a deployment goes: the chain of causes from its end back to its start.
//!
//! It completed because a task was gone; that one was picked to stop because another one had become
//! healthy; that one was created because a slot had become free; and so on. Every millisecond
//! between start and completion lies in exactly one link, so the parts add up to the whole.
//!
//! Example: 4 tasks at 100/150, healthy 45 s after the start (15 s of it until RUNNING), gone 30 s
//! after the decision: 2:30 are twice 5 s of provisioning, 10 s of pulling, 30 s of checks and 30 s of
//! stopping.
//!
//! A deployment that failed has one as well: until it was given up, or until the last good revision
//! was back. One that is not over has one as far as the run is known.
//!
//! What goes on after the end of a deployment that is over (drains that were not waited for, tasks that are still
//! missing) is told apart from it, in a chain of its own: until the last task has changed.
//!
//! Where several tasks of one instant are a cause alike, the first of the records stands for all.
//!
//! ```text
//! account(RunView)               the newest deployment, by the chain
//! life::phases(row, ..)          one task from its creation to its end, without a gap
//! life::totals(..)               the same of every task, added up
//! ```

mod chain;
pub mod life;

use rollscope_engine::settings::TaskName;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::What;
use rollscope_engine::{Ending, SimTime};

use crate::run::RunView;
use chain::Walk;

pub use life::{Totals, each_task, task_time, total_shares, totals};

/// What time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Part {
    /// PROVISIONING: its network interface and its place.
    Provisioning = 0,
    /// The pull of its image, until RUNNING.
    Pull = 1,
    /// RUNNING, and the application does not answer yet.
    StartUp = 2,
    /// The application answers (or never will), and its checks have not decided yet.
    Checks = 3,
    /// Its checks have failed, and the grace period alone keeps a task that fails in the end.
    Grace = 4,
    /// RUNNING without any check, until it counts as healthy.
    Unchecked = 5,
    /// From the decision to stop until the last request is done.
    Draining = 6,
    /// From SIGTERM until STOPPED.
    Stopping = 7,
    /// Healthy, and the deployment goes on: an old task waits for new ones, a new one for the old ones, protected
    /// ones included.
    OtherSide = 8,
    /// For room, the launch quota, or a person.
    Waiting = 9,
    /// Between two attempts: the pause after starts that failed, and a failed task that has to leave first.
    Pausing = 10,
    /// Bake time, that after a shift of traffic included.
    Baking = 11,
    /// Healthy, and no deployment goes on.
    Serving = 12,
}

impl Part {
    /// All of them, in the order of a task's life.
    pub const ALL: [Part; 13] = [
        Part::Provisioning,
        Part::Pull,
        Part::StartUp,
        Part::Checks,
        Part::Grace,
        Part::Unchecked,
        Part::Draining,
        Part::Stopping,
        Part::OtherSide,
        Part::Waiting,
        Part::Pausing,
        Part::Baking,
        Part::Serving,
    ];

    /// The state of a task whose box it looks like: a new one on its way, a checked one, one that drains,
    /// one that stops, one that waits.
    pub const fn looks_like(self) -> &'static str {
        match self {
            Part::Provisioning | Part::Pull | Part::StartUp => "start",
            Part::Checks | Part::Grace | Part::Unchecked | Part::Serving => "checks",
            Part::Draining => "draining",
            Part::Stopping => "stopping",
            Part::OtherSide | Part::Waiting | Part::Pausing | Part::Baking => "waiting",
        }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Provisioning => "provisioning",
            Part::Pull => "pull",
            Part::StartUp => "start_up",
            Part::Checks => "health_checks",
            Part::Grace => "grace",
            Part::Unchecked => "unchecked",
            Part::Draining => "drain",
            Part::Stopping => "stop",
            Part::OtherSide => "other_side",
            Part::Waiting => "waiting",
            Part::Pausing => "between_attempts",
            Part::Baking => "bake",
            Part::Serving => "serving",
        }
    }
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
    /// Its end: it completed, or failed and was given up, or the last good revision was back. Of one that
    /// is not over the last moment that is known.
    pub to: SimTime,
    /// It is over.
    pub over: bool,
    /// The parts in the order of a task's life, those that take no time left out.
    pub parts: Vec<Share>,
    /// The links from the start to the completion, without a gap.
    pub chain: Vec<Link>,
    /// What ended the longest drain in it; absent where none is part of it.
    pub drain: Option<Drain>,
    /// What goes on after it; absent where nothing does, and for one that is not over.
    pub after: Option<After>,
}

/// What goes on after the end of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// It was SUCCESSFUL.
    pub successful: bool,
    /// The last moment at which a task changes; of a run that is cut off its end.
    pub to: SimTime,
    /// The parts in the order of a task's life.
    pub parts: Vec<Share>,
    /// The links from the end of the deployment to `to`, without a gap.
    pub chain: Vec<Link>,
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

/// Where the time of the newest deployment goes; absent without one, and for one that has come to rest at the
/// moment of its begin without being over.
pub fn account(run: RunView<'_>) -> Option<Account> {
    let newest = run.end.service_deployments().last()?;
    let (revision, from, over) = (newest.revision, newest.started, newest.finished.is_some());
    let to = newest.finished.or(run.last_moment()).unwrap_or(run.end.now());
    if !over && to <= from {
        return None;
    }
    let chain = Walk::chain(run, from, to, over);
    let parts = shares(&chain, to.since(from));
    let delay = run.end.settings().target_groups.iter().map(|group| group.deregistration_delay_ms).max();
    let longest = chain.iter().filter(|link| link.part == Part::Draining).map(|link| link.to.since(link.from)).max();
    let drain = longest.zip(delay).map(|(took_ms, delay_ms)| Drain { took_ms, delay_ms });
    let after = if over { after(run, newest, to) } else { None };
    Some(Account { revision, from, to, over, parts, chain, drain, after })
}

/// What goes on after the end of a deployment.
fn after(run: RunView<'_>, service: &ServiceDeployment, from: SimTime) -> Option<After> {
    let rests = run.end.ending() == Some(Ending::Quiet);
    let of_task = |record: &&rollscope_engine::trace::Record| matches!(record.what, What::Task { .. });
    let last = run.records.iter().rev().find(of_task).map(|record| record.at);
    let to = if rests { last? } else { run.end.now() };
    if to <= from {
        return None;
    }
    let chain = Walk::chain(run, from, to, rests);
    let parts = shares(&chain, to.since(from));
    Some(After { successful: service.status() == ServiceStatus::Successful, to, parts, chain })
}

/// The sums of the parts, with whole percents that add up to 100 (the largest remainders go up).
fn shares(chain: &[Link], whole: u64) -> Vec<Share> {
    let mut ms = [0u64; Part::ALL.len()];
    for link in chain {
        ms[link.part as usize] += link.to.since(link.from);
    }
    shares_of(&ms, whole)
}

/// The parts that take some time, of `whole` milliseconds.
fn shares_of(ms: &[u64; Part::ALL.len()], whole: u64) -> Vec<Share> {
    if whole == 0 {
        return Vec::new();
    }
    let percent = |ms: u64| u128::from(ms) * 100;
    let mut percents = ms.map(|ms| (percent(ms) / u128::from(whole)) as u32);
    let mut rests = ms.map(|ms| percent(ms) % u128::from(whole));
    while percents.iter().sum::<u32>() < 100 {
        let largest = (0..rests.len()).min_by_key(|i| core::cmp::Reverse(rests[*i])).unwrap_or(0);
        percents[largest] += 1;
        rests[largest] = 0;
    }
    let share = |part: Part| Share { part, ms: ms[part as usize], percent: percents[part as usize] };
    Part::ALL.into_iter().map(share).filter(|share| share.ms > 0).collect()
}

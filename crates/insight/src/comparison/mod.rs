//! Several runs beside each other: a table of figures, what differs most, and where the time goes.
//!
//! Nothing here knows how a platform rolls out: every row is read from what happened.
//!
//! Example: 4 tasks, healthy 45 s after the start, draining 5 min, stopping 30 s. At 100/200 all four
//! are started at once and all four old ones go at 0:45: done at 6:15, 4 extra tasks for 6:15 are 25.0
//! task-minutes. At 100/125 one after the other: four rounds of 6:15 are 25:00, 1 extra task for 25:00
//! are 25.0 task-minutes as well.

mod facts;
mod figure;
mod fleet;
mod heading;
mod time;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Behaviour, Fate, Settings};

use crate::account::Account;
use crate::run::RunView;
use facts::Facts;

pub use figure::{Difference, Figure, Row, RowKind};
pub use fleet::{Fleet, Kind};
pub use heading::{Clause, Heading, Ratio};
pub use time::{Largest, SharedChange, shared_change, short_drain};

/// Runs beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What runs.
    pub fleet: Fleet,
    /// The table: one figure a run in each row.
    pub rows: Vec<Row>,
    /// The difference, made from the table.
    pub heading: Heading,
    /// The extra capacity of each run.
    pub borrowed: Vec<Borrowed>,
    /// Where the time of each run goes; absent where its rollout is not over.
    pub accounts: Vec<Option<Account>>,
    /// The largest part of all accounts together.
    pub largest: Option<Largest>,
    /// When each run is over: it is done, given up, or nothing changes any more.
    pub ends: Vec<SimTime>,
    /// The revision that each run rolls out; absent without a rollout.
    pub revisions: Vec<Option<u32>>,
}

/// What a run comes to, in a few figures of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// When the rollout is over, or how the run ends.
    pub done: Figure,
    /// Fewest healthy at any moment.
    pub fewest_healthy: u32,
    /// Most at once, those on their way out with them.
    pub most: u32,
    /// Task-milliseconds beyond the desired count.
    pub extra_ms: u64,
    /// Milliseconds with both versions.
    pub both_ms: u64,
}

/// What a run comes to.
pub fn summary(run: RunView<'_>) -> Summary {
    let facts = Facts::of(run);
    let (extra_ms, _) = facts.extra;
    let (done, fewest_healthy, most, both_ms) = (facts.done, facts.fewest_healthy, facts.most_there, facts.both_ms);
    Summary { done, fewest_healthy, most, extra_ms, both_ms }
}

/// Tasks, Pods or instances beyond the desired count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borrowed {
    /// What they are.
    pub kind: Kind,
    /// Task-milliseconds in all.
    pub task_ms: u64,
    /// Most of them at once.
    pub most: u32,
    /// For so long, in milliseconds, where they were that many all the time; else absent.
    pub for_ms: Option<u64>,
}

/// Compares runs. `failing` says of each how long it takes to go back when all its tasks fail, which
/// needs a run of its own: [`all_failing`], then [`went_back`].
pub fn comparison(runs: &[RunView<'_>], failing: &[Option<u64>]) -> Comparison {
    let facts: Vec<Facts> = runs.iter().map(|run| Facts::of(*run)).collect();
    let kinds: Vec<Kind> = runs.iter().map(|run| Kind::of(run.end.settings())).collect();
    let fleet = Fleet::of(&kinds);
    let rows = rows(&facts, fleet, failing);
    let accounts: Vec<Option<Account>> = facts.iter().map(|facts| facts.account.clone()).collect();
    Comparison {
        fleet,
        heading: heading::heading(&rows),
        borrowed: facts.iter().map(Facts::borrowed).collect(),
        largest: time::largest(&accounts),
        ends: facts.iter().map(|facts| facts.end).collect(),
        revisions: facts.iter().map(|facts| facts.revision).collect(),
        accounts,
        rows,
    }
}

/// The last change of anything in a run.
pub fn last_change(run: RunView<'_>) -> SimTime {
    Facts::of(run).last
}

/// When a run is done; absent where it never is.
pub fn done_at(run: RunView<'_>) -> Option<SimTime> {
    match Facts::of(run).done {
        Figure::Time(ms) => Some(SimTime(ms)),
        _ => None,
    }
}

/// The table: what no run of the platforms at hand has is left out.
fn rows(facts: &[Facts], fleet: Fleet, failing: &[Option<u64>]) -> Vec<Row> {
    let row = |kind: RowKind, figure: &dyn Fn(&Facts) -> Figure| Row::new(kind, facts.iter().map(figure).collect());
    let mut rows = vec![
        row(RowKind::DoneAfter, &|facts| facts.done),
        row(RowKind::Rounds, &|facts| Figure::Count(facts.rounds)),
        row(RowKind::MostAtOnce, &|facts| Figure::Count(facts.most)),
    ];
    if fleet == Fleet::PODS {
        rows.push(row(RowKind::FewestAsked, &|facts| facts.fewest_asked.map_or(Figure::Never, Figure::Count)));
    }
    if fleet != Fleet::TASKS {
        rows.push(row(RowKind::MostThere, &|facts| Figure::Count(facts.most_there)));
    }
    rows.extend([
        row(RowKind::FewestHealthy, &|facts| Figure::Count(facts.fewest_healthy)),
        row(RowKind::BothVersions, &|facts| Figure::Time(facts.both_ms)),
        row(RowKind::ExtraCapacity, &|facts| Figure::TaskTime(facts.extra.0)),
        row(RowKind::FirstNewServes, &|facts| facts.first_new.map_or(Figure::Never, Figure::Time)),
    ]);
    if fleet.has(Kind::Tasks) {
        let times = facts.iter().enumerate();
        // Only Amazon ECS counts failures and goes back by them.
        let none = |facts: &Facts| if facts.kind == Kind::Tasks { Figure::Never } else { Figure::Absent };
        let times =
            times.map(|(run, facts)| failing.get(run).copied().flatten().map_or_else(|| none(facts), Figure::Time));
        let threshold = |facts: &Facts| facts.threshold.map_or_else(|| none(facts), Figure::Count);
        rows.push(row(RowKind::FailuresUntilRollback, &threshold));
        rows.push(Row::new(RowKind::RollbackIfAllFail, times.collect()));
    }
    rows
}

/// The same settings, with none of the new tasks ever starting; absent where nothing would go back.
/// What people do later belongs to another story.
pub fn all_failing(settings: &Settings) -> Option<Settings> {
    let params = settings.platform.ecs();
    params.breaker.filter(|breaker| breaker.rollback)?;
    let revision = rolled_out(settings)?;
    let mut failing = settings.clone();
    let never = Behaviour { fate: Fate::NeverRunning { after: None }, ..Behaviour::default() };
    for known in failing.revisions.iter_mut().filter(|known| known.number == revision) {
        known.behaviour = never.clone();
    }
    failing.acts.clear();
    Some(failing)
}

/// From the start of the rollout until it went back by itself, in milliseconds; absent where it did not.
pub fn went_back(run: RunView<'_>) -> Option<u64> {
    let revision = rolled_out(run.end.settings())?;
    let newest = run.end.service_deployments().iter().find(|service| service.revision == revision)?;
    Some(newest.rollback?.at.since(newest.started))
}

/// The revision that is deployed at the start, or was being deployed already.
fn rolled_out(settings: &Settings) -> Option<u32> {
    settings.start.deploy.or_else(|| Some(settings.start.deployments.last()?.revision))
}

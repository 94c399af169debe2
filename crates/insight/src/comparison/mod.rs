//! Several runs beside each other: a table of figures, what differs most, and where the time goes.
//!
//! Nothing here knows how a platform rolls out: every row is read from what happened.
//!
//! Example: 4 tasks, healthy 45 s after the start, draining 5 min, stopping 30 s. At 100/200 all four
//! are started at once and all four old ones go at 0:45: done at 6:15, 4 extra tasks for 6:15 are 25.0
//! task-minutes. At 100/125 one after the other: four rounds of 6:15 are 25:00, 1 extra task for 25:00
//! are 25.0 task-minutes as well.

mod figure;
mod heading;
mod time;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Behaviour, Fate, Settings};
use rollscope_engine::sim::ServiceDeployment;

use crate::account::{Account, account};
use crate::check::evaluate;
use crate::healthy::health_changes;
use crate::outcome::{Outcome, outcome};
use crate::run::RunView;

pub use figure::{Difference, Figure, Row, RowKind};
pub use heading::{Clause, Heading, Ratio};
pub use time::{Largest, SharedChange, shared_change, short_drain};

/// Runs beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
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

/// Tasks beyond the desired count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borrowed {
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
    let outcomes: Vec<Outcome> = runs.iter().map(|run| outcome(*run)).collect();
    let newest: Vec<Option<&ServiceDeployment>> = outcomes.iter().map(|outcome| outcome.services.last()).collect();
    let rows = rows(runs, &outcomes, failing);
    let accounts: Vec<Option<Account>> = runs.iter().map(|run| account(*run).filter(|account| account.over)).collect();
    Comparison {
        heading: heading::heading(&rows),
        borrowed: outcomes.iter().map(borrowed).collect(),
        largest: time::largest(&accounts),
        ends: outcomes.iter().map(end).collect(),
        revisions: newest.into_iter().map(|service| service.map(|service| service.revision)).collect(),
        accounts,
        rows,
    }
}

fn end(outcome: &Outcome) -> SimTime {
    outcome.completed_at.or(outcome.rolled_back_at).unwrap_or(outcome.last_change_at)
}

fn rows(runs: &[RunView<'_>], outcomes: &[Outcome], failing: &[Option<u64>]) -> Vec<Row> {
    let of = |kind: RowKind, figure: &dyn Fn(usize, &Outcome) -> Figure| {
        Row::new(kind, outcomes.iter().enumerate().map(|(index, outcome)| figure(index, outcome)).collect())
    };
    vec![
        of(RowKind::DoneAfter, &|_, o| o.completed_at.map_or(Figure::Ends(o.outcome), |at| Figure::Time(at.ms()))),
        of(RowKind::Rounds, &|_, o| Figure::Count(o.figures.waves)),
        of(RowKind::MostAtOnce, &|_, o| Figure::Count(o.figures.peak_tasks)),
        of(RowKind::FewestHealthy, &|_, o| Figure::Count(o.figures.lowest_healthy)),
        of(RowKind::BothVersions, &|_, o| Figure::Time(o.figures.both_versions_ms)),
        of(RowKind::ExtraCapacity, &|_, o| Figure::TaskTime(o.figures.task_ms_extra)),
        of(RowKind::FirstNewServes, &|i, o| first_new(runs[i], o).map_or(Figure::Never, Figure::Time)),
        of(RowKind::FailuresUntilRollback, &|i, _| {
            evaluate(runs[i].end.settings()).threshold.map_or(Figure::Never, Figure::Count)
        }),
        of(RowKind::RollbackIfAllFail, &|i, _| failing.get(i).copied().flatten().map_or(Figure::Never, Figure::Time)),
    ]
}

/// From the start of the newest rollout until its first task is healthy, in milliseconds.
fn first_new(run: RunView<'_>, outcome: &Outcome) -> Option<u64> {
    let newest = outcome.services.last()?;
    let ours = |change: &crate::healthy::HealthChange| {
        change.healthy && change.revision == newest.revision && change.at >= newest.started
    };
    health_changes(run).find(ours).map(|change| change.at.since(newest.started))
}

fn borrowed(outcome: &Outcome) -> Borrowed {
    let (task_ms, most) = (outcome.figures.task_ms_extra, outcome.figures.moments.most_extra.0);
    let until = end(outcome).ms();
    let whole = most > 0 && u64::from(most).saturating_mul(until) == task_ms;
    Borrowed { task_ms, most, for_ms: whole.then_some(until) }
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

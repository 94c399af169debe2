//! The rows "traffic" of `run --json`: weights, hooks, the account of requests, target tracking.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::platform::ecs::strategy::HookKind;
use rollscope_engine::sim::TrafficView;
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::trace::{ServiceChange, ServiceId, Weights, What};
use rollscope_scenario::Value;

use crate::names;
use crate::open::{Open, leavings, most_open};
use crate::outside::texts;
use crate::run::RunView;

/// One run of a lifecycle hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRow {
    /// The service deployment it belongs to.
    pub service: ServiceId,
    /// `hookId`, from 1.
    pub id: u32,
    /// Its place in `lifecycleHooks`.
    pub hook: u8,
    /// Its stage.
    pub stage: Stage,
    /// Its statuses, each with its beginning.
    pub statuses: Vec<(SimTime, HookStatus)>,
    /// A rollback or the end of the deployment came before its end: nobody waited for it from then on.
    pub dropped: Option<SimTime>,
}

/// Runs of hooks in the order in which they began.
pub fn hooks(run: RunView<'_>) -> Vec<HookRow> {
    let mut rows: Vec<HookRow> = Vec::new();
    for record in run.records {
        let What::Service { id: service, change } = record.what else { continue };
        if change == ServiceChange::HooksDropped {
            let open = |row: &&mut HookRow| row.statuses.last().is_some_and(|(_, status)| !status.is_final());
            rows.iter_mut().filter(open).for_each(|row| row.dropped = row.dropped.or(Some(record.at)));
        }
        let ServiceChange::Hook { id, hook, stage, status } = change else { continue };
        match rows.iter_mut().find(|row| row.id == id) {
            Some(row) => row.statuses.push((record.at, status)),
            None => rows.push(HookRow { service, id, hook, stage, statuses: vec![(record.at, status)], dropped: None }),
        }
    }
    rows
}

/// Weights of the run, each with its beginning.
pub fn weights(run: RunView<'_>) -> Vec<(SimTime, Weights)> {
    let of = |record: &rollscope_engine::trace::Record| match record.what {
        What::Service { change: ServiceChange::Weights(weights), .. } => Some((record.at, weights)),
        _ => None,
    };
    run.records.iter().filter_map(of).collect()
}

/// Adds `weights[]` (in thousandths) and `hooks[]`.
pub(crate) fn add_shifts(value: &mut Value, run: RunView<'_>) {
    let weight = |(at, w): &(SimTime, Weights)| {
        let mut production = vec![(w.green.to_string(), Value::from(w.of(w.green)))];
        production.extend(w.blue.filter(|b| *b != w.green).map(|blue| (blue.to_string(), Value::from(w.of(blue)))));
        let sides = [Some(w.to), w.from].into_iter().flatten();
        let deployments = sides.map(|id| (names::deployment(id), Value::from(w.of_deployment(id))));
        Value::object([
            ("at_ms", Value::from(at.ms())),
            ("production", Value::object(production)),
            ("deployments", Value::object(deployments)),
            ("test", Value::object([(w.green.to_string(), Value::from(w.test))])),
        ])
    };
    value.insert("weights", Value::array(weights(run).iter().map(weight)));
    let hook = |row: &HookRow| {
        let kinds = run.end.settings().strategy.shift().map_or(&[][..], |shift| &shift.hooks);
        let pause = kinds.get(usize::from(row.hook)).is_some_and(|hook| hook.kind == HookKind::Pause);
        let (began, ended) = (row.statuses.first(), row.statuses.last().filter(|(_, status)| status.is_final()));
        Value::object([
            ("id", Value::from(row.id)),
            ("hookId", texts::hook_id(row.id).into()),
            ("hook", row.hook.into()),
            ("targetType", if pause { "PAUSE" } else { "AWS_LAMBDA" }.into()),
            ("lifecycleStage", row.stage.name().into()),
            ("status", row.statuses.last().map(|(_, status)| status.name()).into()),
            ("began_at_ms", began.map(|(at, _)| at.ms()).into()),
            ("ended_at_ms", ended.map(|(at, _)| at.ms()).into()),
            ("dropped_at_ms", row.dropped.map(SimTime::ms).into()),
            ("service_deployment", (u32::from(row.service.0) + 1).into()),
        ])
    };
    value.insert("hooks", Value::array(hooks(run).iter().map(hook)));
    let leaving = leavings(run);
    let most = most_open(&leaving, run.end.settings());
    value.insert("traffic", run.end.traffic().as_ref().map(|view| traffic(view, most)));
    let scaled = |record: &rollscope_engine::trace::Record| match record.what {
        What::Scaled { from, to } => {
            let row = [("at_ms", record.at.ms()), ("from", from.into()), ("to", to.into())];
            Some(Value::object(row.map(|(key, n)| (key, Value::from(n)))))
        }
        _ => None,
    };
    value.insert("scalings", Value::array(run.records.iter().filter_map(scaled)));
}

/// The account of the traffic; whole requests, rounded down.
fn traffic(view: &TrafficView, most: Option<(SimTime, Open)>) -> Value {
    let whole = |amount: u64| Value::from(amount / 1_000);
    let of = |amount: fn(&(u32, u64, u64)) -> u64| {
        Value::object(view.served.iter().map(|row| (row.0.to_string(), whole(amount(row)))))
    };
    let totals = &view.totals;
    let (peak, since) = totals.peak_load;
    Value::object([
        ("offered", whole(totals.offered)),
        ("answered_by_revision", of(|row| row.1)),
        ("bad_by_revision", of(|row| row.2)),
        ("mean_ms_by_revision", Value::object(view.mean_ms.iter().map(|(of, ms)| (of.to_string(), Value::from(*ms))))),
        ("mean_ms", view.mean_ms().into()),
        ("refused", whole(totals.refused)),
        ("cut_off", whole(totals.cut_off)),
        ("peak_open_in_leaving_tasks", whole(most.map_or(0, |(_, open)| open.requests))),
        ("peak_open_at_ms", most.map(|(at, _)| at.ms()).into()),
        ("peak_load_per_task", whole(peak)),
        ("peak_load_at_ms", since.ms().into()),
        ("overloaded_ms", totals.overloaded_ms.into()),
    ])
}

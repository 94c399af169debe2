//! The rows "failures" of `run --json`, and what the API answers at a moment.

use rollscope_engine::settings::{AlarmState, Settings};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, Protection, ProtectionEnd, RevisionTasks};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_scenario::{Resolved, Value};

use crate::account::{Part, Share, Totals, account, totals};
use crate::failures::{Failures, ServiceHistory, failures};
use crate::headlines::{Span, headlines};
use crate::json_shift::add_shifts;
use crate::names;
use crate::outside::{self, Asked, Ledger, Names, TailLine, Waiter, WaiterEnd, bus, pipeline, texts};
use crate::run::RunView;
use crate::service_events::{ServiceEvent, service_events};
use crate::watchdog;

fn ms(at: Option<SimTime>) -> Value {
    at.map(SimTime::ms).into()
}

/// Adds the rows of a run that is over, or as far as it is known.
pub fn add_failures(value: &mut Value, resolved: &Resolved, run: RunView<'_>, names: &Names<'_>) {
    let services = &run.end.frame().service_deployments;
    add_counts(value, run, services);
    add_headlines(value, run, services);
    add_time(value, run);
    add_shifts(value, run);
    add_watchdog(value, resolved, run);
    add_outside(value, run, services.last(), names);
}

/// Adds the rows of `check --json`: those that one evaluation at time 0 can give. What needs time comes from `run`.
pub fn add_check(value: &mut Value, resolved: &Resolved) {
    let (mut sim, mut trace) = (Simulation::new(resolved.settings.clone()), Trace::new());
    sim.advance_to(SimTime::ZERO, &mut trace);
    let run = RunView { records: &trace.records, samples: &trace.samples, flows: &trace.flows, end: &sim };
    add_counts(value, run, &sim.frame().service_deployments);
}

/// What was counted, what protects, and how each service deployment went.
fn add_counts(value: &mut Value, run: RunView<'_>, services: &[ServiceDeployment]) {
    let found = failures(run, services);
    value.insert("failures_counted", found.counted);
    value.insert("failures_not_counted", found.not_counted);
    value.insert("count_after_each", Value::array(found.count_after_each.iter().copied()));
    value.insert("threshold_now", found.threshold_now);
    value.insert("tripped_at_ms", ms(found.tripped_at));
    value.insert("rollback_candidate", found.candidate.map(names::candidate));
    value.insert("protection_ended_at_ms", ms(found.protection_ended.map(|(at, _)| at)));
    value.insert("protection_ended_by", found.protection_ended.map(|(_, why)| protection_end(why)));
    let rows = services.iter().zip(&found.history);
    value.insert("service_deployments", Value::array(rows.map(|(s, history)| service(s, history, run.end.settings()))));
    let newest = found.history.last();
    let stages = newest.map(|history| history.stages.as_slice()).unwrap_or_default();
    value.insert("stages", Value::array(stages.iter().map(|(at, stage)| step(*at, "stage", stage.name()))));
    value.insert("alarms", alarms(&found, services.last(), run.end.settings()));
}

/// Where the time went: of the newest deployment by the chain of causes, and of all tasks together.
fn add_time(value: &mut Value, run: RunView<'_>) {
    let parts = |shares: &[Share]| {
        Value::object(shares.iter().map(|share| (share.part.name().to_owned(), Value::from(share.ms))))
    };
    let row = account(run).map(|account| {
        let after = account.after.as_ref().map(|after| {
            let to = ("to_ms", Value::from(after.to.ms()));
            Value::object([to, ("parts", parts(&after.parts))])
        });
        Value::object([
            ("revision", Value::from(account.revision)),
            ("from_ms", account.from.ms().into()),
            ("to_ms", account.to.ms().into()),
            ("over", account.over.into()),
            ("parts", parts(&account.parts)),
            ("after", after.unwrap_or_default()),
        ])
    });
    value.insert("time_account", row);
    value.insert("task_time", time_parts(&totals(run)));
}

/// Milliseconds by part, those that take no time left out.
pub(crate) fn time_parts(totals: &Totals) -> Value {
    let parts = Part::ALL.into_iter().zip(totals).filter(|(_, ms)| **ms > 0);
    Value::object(parts.map(|(part, ms)| (part.name().to_owned(), Value::from(*ms))))
}

fn add_headlines(value: &mut Value, run: RunView<'_>, services: &[ServiceDeployment]) {
    let found = headlines(run, services);
    let shares = |span: &Span| {
        Value::object(span.shares.iter().map(|share| (share.revision.to_string(), Value::from(share.per_mille))))
    };
    let after = found.after.as_ref();
    value.insert("gave_up_after_ms", found.gave_up_ms);
    value.insert("below_desired_ms", found.during.below_desired_ms + after.map_or(0, |span| span.below_desired_ms));
    value.insert("share_by_revision", shares(&found.during));
    let span = |span: &Span| {
        Value::object([
            ("ms", Value::from(span.ms)),
            ("below_desired_ms", span.below_desired_ms.into()),
            ("below_for_good", span.below_for_good.into()),
            ("share_by_revision", shares(span)),
            ("old_answers_ms", span.old_answers_ms.into()),
            ("old_leaves_ms", span.old_leaves_ms.into()),
        ])
    };
    value.insert("during_deployment", span(&found.during));
    value.insert("after_deployment", after.map(span));
    let old = after.filter(|span| found.successful && span.old_answers_ms > 0).map(|span| {
        Value::object([("ms", Value::from(span.old_answers_ms)), ("per_mille", span.old_per_mille.into())])
    });
    value.insert("old_after_success", old);
}

fn step(at: SimTime, key: &'static str, name: &str) -> Value {
    Value::object([("at_ms", Value::from(at.ms())), (key, name.into())])
}

fn tasks(t: &RevisionTasks) -> Value {
    Value::object([
        ("revision", Value::from(t.revision)),
        ("deployment", names::deployment(t.deployment).into()),
        ("requested", t.requested.into()),
        ("running", t.running.into()),
        ("pending", t.pending.into()),
        ("healthy", t.healthy.into()),
    ])
}

/// A service deployment: `status` and `lifecycleStage` under the names of the API.
fn service(s: &ServiceDeployment, history: &ServiceHistory, settings: &Settings) -> Value {
    let (target, sources): (Vec<_>, Vec<_>) = s.tasks.iter().partition(|t| t.deployment == s.deployment);
    let mut value = Value::object([
        ("id", Value::from(u32::from(s.id.0) + 1)),
        ("deployment", names::deployment(s.deployment).into()),
        ("revision", s.revision.into()),
        ("source_revisions", Value::array(s.sources.iter().map(|(_, revision)| *revision))),
        ("status", s.status().name().into()),
        ("statusReason", texts::status_reason(s).into()),
        ("lifecycleStage", s.stage.api_name().into()),
        ("started_at_ms", s.started.ms().into()),
        ("finished_at_ms", ms(s.finished)),
        ("stopped_at_ms", ms(s.stopped)),
        ("gate_met_at_ms", ms(s.gate_met)),
        ("bake_until_ms", ms(s.bake_until)),
        ("cleanup_until_ms", ms(history.cleanup_until)),
        ("cleanup_given_up_at_ms", ms(history.cleanup_given_up)),
        ("failed_by", s.failed_by.map(failed_by).into()),
    ]);
    value.insert("breaker", breaker(s));
    value.insert("alarms", service_alarms(s, settings));
    let rollback = s.rollback.map(|rollback| {
        Value::object([
            ("reason", Value::from(texts::rollback_reason(rollback.by))),
            ("started_at_ms", rollback.at.ms().into()),
            ("deployment", names::deployment(rollback.to).into()),
            ("revision", rollback.revision.into()),
        ])
    });
    value.insert("rollback", rollback);
    let ended = match s.protection {
        Protection::Ended { at, why } => Some(step(at, "why", protection_end(why))),
        Protection::None | Protection::Guards => None,
    };
    value.insert("protection_ended", ended);
    value.insert("target", target.first().copied().map(tasks));
    value.insert("sources", Value::array(sources.iter().copied().map(tasks)));
    let statuses = history.statuses.iter().map(|(at, status)| step(*at, "status", status.name()));
    value.insert("statuses", Value::array(statuses));
    value.insert("count_after_each", Value::array(history.counts.iter().copied()));
    value
}

fn breaker(s: &ServiceDeployment) -> Value {
    Value::object([
        ("status", Value::from(s.breaker.status.name())),
        ("failureCount", s.breaker.count.into()),
        ("threshold", s.breaker.threshold.into()),
    ])
}

fn service_alarms(s: &ServiceDeployment, settings: &Settings) -> Value {
    let name = |index: &u32| settings.alarms.get(*index as usize).map(|alarm| alarm.name.clone());
    Value::object([
        ("status", Value::from(s.alarms.status.name())),
        ("ignored", s.alarms.ignored.into()),
        ("triggered", Value::array(s.alarms.triggered.iter().filter_map(name))),
    ])
}

fn alarms(found: &Failures, newest: Option<&ServiceDeployment>, settings: &Settings) -> Value {
    let mut value = newest.map_or_else(Value::empty_object, |s| service_alarms(s, settings));
    let name = |index: u32| settings.alarms.get(index as usize).map_or(String::new(), |alarm| alarm.name.clone());
    let state = |(i, alarm): (usize, &rollscope_engine::settings::Alarm)| {
        let last = found.alarms.iter().rfind(|(_, of, _)| *of as usize == i);
        (alarm.name.clone(), Value::from(alarm_state(last.map_or(alarm.at_start, |(_, _, state)| *state))))
    };
    value.insert("states", Value::object(settings.alarms.iter().enumerate().map(state)));
    let change = |(at, alarm, state): &(SimTime, u32, AlarmState)| {
        let name = name(*alarm);
        Value::object([("at_ms", Value::from(at.ms())), ("name", name.into()), ("state", alarm_state(*state).into())])
    };
    value.insert("changes", Value::array(found.alarms.iter().map(change)));
    value
}

fn add_watchdog(value: &mut Value, resolved: &Resolved, run: RunView<'_>) {
    let report = watchdog::watch(&watchdog::stops(run), resolved.watchdog, outside::known_until(run));
    let row = |row: &watchdog::LoggedStop| {
        Value::object([
            ("at_ms", Value::from(row.stop.at.ms())),
            ("task", names::task(row.stop.task).into()),
            ("stop_code", names::stop_code(row.stop.code).into()),
            ("in_window", row.in_window.into()),
            ("alarm", row.alarm.into()),
        ])
    };
    value.insert("watchdog", Value::array(report.log.iter().map(row)));
    let spell = |(from, until): &(SimTime, Option<SimTime>)| {
        Value::object([("from_ms", Value::from(from.ms())), ("until_ms", ms(*until))])
    };
    value.insert("watchdog_alarms", Value::array(report.alarms.iter().map(spell)));
}

fn add_outside(value: &mut Value, run: RunView<'_>, newest: Option<&ServiceDeployment>, names: &Names<'_>) {
    let from = newest.map_or(SimTime::ZERO, |s| s.started);
    value.insert("waiter", waiter(&outside::waiter(run, from)));
    let events = bus::events(run);
    value.insert("eventbridge", Value::array(events.iter().map(|event| bus::to_json(event, names))));
    let tasks = bus::task_events(run);
    let tasks = Value::object([("RUNNING", Value::from(tasks.running)), ("STOPPED", tasks.stopped.into())]);
    value.insert("task_state_changes", tasks);
    value.insert("failed_rule_at_ms", ms(bus::failed_rule(&events).map(|(at, _)| at)));
    let signal = |signal: &pipeline::Signal| {
        let mut row = Value::object([
            ("trusts", Value::from(signal.trusts.name())),
            ("colour", signal.colour.name().into()),
            ("at_ms", ms(signal.at)),
            ("revision", signal.revision.into()),
        ]);
        row.insert("misleads", signal.misleads.is_some());
        row.insert("misleads_because", signal.misleads.map(pipeline::Misleads::name));
        row
    };
    let signals = newest.map(|s| pipeline::signals(run, s, outside::known_until(run))).unwrap_or_default();
    value.insert("pipelines", Value::array(signals.iter().map(signal)));
    let call = |call: &outside::Call| {
        Value::object([
            ("at_ms", Value::from(call.at.ms())),
            ("eventName", call.name.into()),
            ("errorCode", call.error.into()),
        ])
    };
    value.insert("cloudtrail", Value::array(outside::calls(run).iter().map(call)));
    let lines = newest.and_then(|s| outside::tail(run, s)).map(|tail| tail.lines).unwrap_or_default();
    value.insert("deploy_tail", Value::array(lines.iter().map(tail_line)));
    value.insert("next_deployment_from_ms", ms(newest.and_then(pipeline::next_deployment_from)));
    let own = own_alarms(run, run.end.now(), outside::known_until(run));
    value.insert("own_alarms", own);
}

/// The figures at one moment, and the alarms that one builds on them at another one.
fn own_alarms(run: RunView<'_>, now: SimTime, known: SimTime) -> Value {
    let gauges = outside::gauges(run, now);
    let alarm = |own: &outside::OwnState| {
        texts::without_nulls(Value::object([
            ("name", Value::from(own.alarm.name())),
            ("tasks", own.alarm.tasks().into()),
            ("for_ms", own.alarm.for_ms().into()),
            ("state", alarm_state(own.state).into()),
            ("since_ms", own.since.ms().into()),
            ("first_alarm_at_ms", ms(own.first)),
        ]))
    };
    Value::object([
        ("target_missing", Value::from(gauges.target_missing)),
        ("target_replacements", gauges.target_replacements.into()),
        ("oldest_source_ms", gauges.oldest_source_ms.into()),
        ("alarms", Value::array(outside::own_alarms(run, known).iter().map(alarm))),
    ])
}

fn tail_line((at, line): &(SimTime, TailLine)) -> Value {
    let (what, of) = match line {
        TailLine::Stopped(task) => {
            let mut row = step(*at, "what", "task_stopped");
            row.insert("task", names::task(task.task));
            row.insert("stopCode", names::stop_code(task.code));
            row.insert("stoppedReason", task.reason());
            row.insert("exitCode", task.exit_code());
            return row;
        }
        TailLine::NoPlace => return step(*at, "what", "no_place"),
        TailLine::Failed(id) => ("failed", *id),
        TailLine::RollsBack(id) => ("rolls_back", *id),
    };
    let mut row = step(*at, "what", what);
    row.insert("deployment", names::deployment(of));
    row
}

fn waiter(waiter: &Waiter) -> Value {
    let (end, at, revision) = match waiter.end {
        Some(WaiterEnd::Stable { at, revision }) => ("stable", Some(at), Some(revision)),
        Some(WaiterEnd::GivesUp { at }) => ("gives_up", Some(at), None),
        None => ("waiting", None, None),
    };
    Value::object([
        ("started_at_ms", Value::from(waiter.started_at.ms())),
        ("end", end.into()),
        ("at_ms", ms(at)),
        ("tries", waiter.tries.into()),
        ("revision", revision.into()),
        ("satisfied_at_ms", ms(waiter.satisfied_at)),
    ])
}

/// What the API answers at `at`, and the stopped tasks it still knows then. The run is computed
/// again up to there.
pub fn api_at(settings: &Settings, at: SimTime, names: Names<'_>, text: &dyn Fn(&ServiceEvent) -> String) -> Value {
    let (mut sim, mut trace) = (Simulation::new(settings.clone()), Trace::new());
    sim.advance_to(at, &mut trace);
    let run = RunView { records: &trace.records, samples: &trace.samples, flows: &trace.flows, end: &sim };
    let frame = sim.frame();
    let ledger = Ledger::at(settings, &trace.records, at);
    let services = &frame.service_deployments;
    let frozen = outside::frozen(run);
    let asked = Asked { frame: &frame, ledger: &ledger, settings, services, frozen: &frozen, names };
    let mut value = outside::api_at(&asked, at, &service_events(run), text);
    let stopped = outside::stopped_tasks(run);
    let visible = stopped.iter().filter(|task| task.visible_at(at));
    value.insert("own_alarms", texts::without_nulls(own_alarms(run, at, at)));
    value.insert("stopped_tasks", Value::array(visible.map(|task| task.event(&names))));
    value
}

/// `state` of an alarm.
pub fn alarm_state(state: AlarmState) -> &'static str {
    match state {
        AlarmState::Ok => "OK",
        AlarmState::Alarm => "ALARM",
        AlarmState::InsufficientData => "INSUFFICIENT_DATA",
    }
}

fn failed_by(by: FailedBy) -> &'static str {
    match by {
        FailedBy::Breaker => "breaker",
        FailedBy::Alarm => "alarm",
        FailedBy::Digests => "digests",
        FailedBy::Person => "person",
        FailedBy::Hook => "hook",
        FailedBy::StageLimit => "stage_limit",
    }
}

fn protection_end(why: ProtectionEnd) -> &'static str {
    match why {
        ProtectionEnd::Successful => "successful",
        ProtectionEnd::NoCandidate => "no_candidate",
        ProtectionEnd::RollbackOff => "rollback_off",
        ProtectionEnd::AlarmsIgnored => "alarms_ignored",
        ProtectionEnd::RolledBack => "rolled_back",
        ProtectionEnd::Failed => "failed",
        ProtectionEnd::Superseded => "superseded",
        ProtectionEnd::Stopped => "stopped",
        ProtectionEnd::NoMonitor => "no_monitor",
    }
}

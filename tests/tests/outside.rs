//! What others see agrees with what is: the observer's books against the frame, over random runs.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use proptest::prelude::*;
use rollscope_engine::settings::{AlarmState, Command, RolloutState};
use rollscope_engine::trace::{DeploymentId, Record, TaskChange, What};
use rollscope_engine::{Ending, Frame, Settings, SimTime, Simulation, Step, Trace};
use rollscope_insight::outside::own_alarms::{MISSING_MS, OLD_TASKS_MS, REPLACED, REPLACED_WITHIN_MS, history};
use rollscope_insight::outside::waiter::{EVERY_MS, TRIES};
use rollscope_insight::outside::{
    Asked, BusEventKind, DeploymentStatus, Ledger, Names, TailLine, Waiter, WaiterEnd, bus, frozen, own_alarms, tail,
    waiter,
};
use rollscope_insight::service_events::service_events;
use rollscope_insight::{RunView, ServiceEvent, ServiceEventKind, failures, headlines, run_to_end};
use rollscope_scenario::{Document, PRESETS, Value};
use rollscope_tests::dice::Dice;
use rollscope_tests::runs::at;

/// The revision of the only deployment, when as many of its tasks run as are desired.
fn stable(frame: &Frame) -> Option<u32> {
    let [only] = frame.deployments.as_slice() else { return None };
    (frame.counts.running() == frame.counts.limits.desired).then_some(only.revision)
}

/// The waiter by asking the state itself every 15 seconds.
fn by_asking(settings: &Settings) -> (Option<WaiterEnd>, u32) {
    let mut sim = Simulation::new(settings.clone());
    for k in 0..TRIES {
        let now = SimTime(u64::from(k) * EVERY_MS);
        sim.advance_to(now, &mut Trace::null());
        if sim.ending().is_some_and(|ending| ending != Ending::Quiet) && sim.now() < now {
            return (None, k);
        }
        if let Some(revision) = stable(&sim.frame()) {
            return (Some(WaiterEnd::Stable { at: now, revision }), k + 1);
        }
    }
    (Some(WaiterEnd::GivesUp { at: SimTime(u64::from(TRIES - 1) * EVERY_MS) }), TRIES)
}

/// DescribeServiceDeployments at the moment of a state, by `serviceDeploymentArn`.
fn answers(settings: &Settings, sim: &Simulation, trace: &Trace) -> BTreeMap<String, Value> {
    let (frame, run) =
        (sim.frame(), RunView { records: &trace.records, samples: &trace.samples, flows: &trace.flows, end: sim });
    let asked = Asked {
        frame: &frame,
        ledger: &Ledger::at(settings, run.records, sim.now()),
        settings,
        services: &frame.service_deployments,
        frozen: &frozen(run),
        names: Names::default(),
    };
    let list = asked.service_deployments();
    let rows = list.get("serviceDeployments").and_then(Value::as_array).unwrap_or_default();
    let arn = |row: &Value| row.get("serviceDeploymentArn").and_then(Value::as_str).unwrap_or_default().to_owned();
    rows.iter().map(|row| (arn(row), row.clone())).collect()
}

/// From the instant on at which a service deployment is over, the whole answer about it stays as it is: to the
/// end of the run, and through changes of everything that a person can change after that. How many were over.
fn snapshots_stay(name: &str, settings: &Settings) -> usize {
    let (mut sim, mut trace) = (Simulation::new(settings.clone()), Trace::new());
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    let mut over = 0;
    while let Some(at) = sim.next_event_at() {
        sim.advance_to(at, &mut trace);
        let now = sim.service_deployments().iter().filter(|service| !service.is_live()).count();
        if now > over {
            over = now;
            compare(name, &mut known, settings, &sim, &trace);
        }
        if sim.ending().is_some() {
            break;
        }
    }
    compare(name, &mut known, settings, &sim, &trace);
    let desired = sim.frame().counts.limits.desired;
    let percentages = Command::SetPercentages { minimum: Some(37), maximum: Some(173) };
    for command in [percentages, Command::SetDesired(desired + 3), Command::Deploy { revision: 99, behaviour: None }] {
        sim.apply(command, &mut trace);
        compare(name, &mut known, settings, &sim, &trace);
    }
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    compare(name, &mut known, settings, &sim, &trace);
    over
}

fn compare(name: &str, known: &mut BTreeMap<String, Value>, settings: &Settings, sim: &Simulation, trace: &Trace) {
    let answers = answers(settings, sim, trace);
    let over = answers.into_iter().filter(|(_, row)| row.get("finishedAt").is_some());
    for (arn, row) in over {
        let before = known.entry(arn.clone()).or_insert_with(|| row.clone());
        assert_eq!(before.to_string(), row.to_string(), "{name}, {arn} at {} ms", sim.now().ms());
    }
}

/// What the three alarms follow from, as the state itself shows it at the ends of the instants.
#[derive(Default)]
struct Watched {
    target: Option<DeploymentId>,
    success: Option<SimTime>,
    short: Option<SimTime>,
    old: bool,
    replaced: Vec<(DeploymentId, SimTime)>,
}

impl Watched {
    fn look(&mut self, frame: &Frame, new: &[Record]) {
        let Some(primary) = frame.deployments.iter().find(|d| d.primary) else { return };
        if self.target != Some(primary.id) {
            *self = Watched {
                target: Some(primary.id),
                replaced: std::mem::take(&mut self.replaced),
                ..Watched::default()
            };
        }
        let running = primary.tasks.checking + primary.tasks.healthy + primary.tasks.unhealthy;
        let since = |holds: bool, before: Option<SimTime>| holds.then(|| before.unwrap_or(frame.at));
        self.success = since(primary.state == RolloutState::Completed, self.success);
        self.short = since(running < frame.counts.limits.desired, self.short);
        let others = frame.deployments.iter().filter(|d| d.id != primary.id);
        self.old = others.into_iter().any(|d| d.tasks.physical() > 0);
        for record in new {
            if let What::Task { change: TaskChange::Created { deployment, replacement: true, .. }, .. } = record.what {
                self.replaced.push((deployment, record.at));
            }
        }
    }

    /// Their states at a moment up to which nothing happens any more.
    fn states(&self, now: SimTime) -> [AlarmState; 3] {
        let past = |at: Option<SimTime>, ms: u64| at.is_some_and(|at| now.ms() >= at.ms() + ms);
        let state = |data: bool, fires: bool| match (data, fires) {
            (false, _) => AlarmState::InsufficientData,
            (true, true) => AlarmState::Alarm,
            (true, false) => AlarmState::Ok,
        };
        let of_target = self.replaced.iter().filter(|(of, _)| Some(*of) == self.target);
        let lately = of_target.filter(|(_, at)| now.since(*at) < REPLACED_WITHIN_MS).count();
        [
            state(past(self.success, MISSING_MS), past(self.short, MISSING_MS)),
            state(self.target.is_some(), lately >= REPLACED),
            state(self.success.is_some(), self.old && past(self.success, OLD_TASKS_MS)),
        ]
    }
}

/// The alarms that one builds oneself, asked at the end of every instant and shortly before the next one, say what
/// the states of the run show.
fn own_alarms_hold(name: &str, settings: &Settings) {
    let (mut sim, mut trace, mut watched, mut seen) =
        (Simulation::new(settings.clone()), Trace::new(), Watched::default(), 0);
    let (mut asked, mut wanted) = (Vec::new(), Vec::new());
    while let Some(at) = sim.next_event_at() {
        let (before, held) = (sim.now(), SimTime(at.ms().saturating_sub(1)));
        sim.advance_to(at, &mut trace);
        // A run that is cut off does not get there.
        if before <= held && held < at && sim.now() == at {
            asked.push(held);
            wanted.push(watched.states(held));
        }
        watched.look(&sim.frame(), &trace.records[seen..]);
        seen = trace.records.len();
        asked.push(sim.now());
        wanted.push(watched.states(sim.now()));
        if sim.ending().is_some() {
            break;
        }
    }
    let run = RunView { records: &trace.records, samples: &trace.samples, flows: &trace.flows, end: &sim };
    let told = history(run, sim.now());
    let (mut k, mut now) = (0, [AlarmState::InsufficientData; 3]);
    for (at, wanted) in asked.iter().zip(&wanted) {
        while let Some((_, alarm, state)) = told.get(k).filter(|(moment, ..)| moment <= at) {
            now[*alarm as usize] = *state;
            k += 1;
        }
        assert_eq!(&now, wanted, "{name} at {} ms", at.ms());
    }
    let last = own_alarms(run, sim.now()).map(|own| own.state);
    assert_eq!(last, now, "{name} at the end");
}

#[test]
fn own_alarms_of_every_preset() {
    let mut fired = [0; 3];
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        own_alarms_hold(preset.id, &resolved.settings);
        let run = run_to_end(resolved.settings);
        for own in own_alarms(run.view(), run.end.now()) {
            fired[own.alarm as usize] += u32::from(own.first.is_some());
        }
    }
    assert!(fired.iter().all(|n| *n > 0), "each fires somewhere: {fired:?}");
}

#[test]
fn the_whole_answer_about_what_is_over_is_frozen_in_every_preset() {
    let mut over = 0;
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        over += snapshots_stay(preset.id, &resolved.settings);
    }
    assert!(over > PRESETS.len() / 2, "{over} snapshots");
}

/// That a task finds no place stands in the service events, on the bus and, while CloudFormation waits, in the tail of
/// the deployment, at the same moments, in every preset.
#[test]
fn who_tells_of_no_place_tells_of_each() {
    let mut told = 0;
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        let run = run_to_end(resolved.settings);
        let placed = |event: ServiceEvent| matches!(event.kind, ServiceEventKind::CannotPlace(_)).then_some(event.at);
        let events: Vec<SimTime> = service_events(run.view()).into_iter().filter_map(placed).collect();
        let failure = BusEventKind::Action("SERVICE_TASK_PLACEMENT_FAILURE", "ERROR");
        let on_the_bus = bus::events(run.view()).into_iter().filter(|event| event.kind == failure);
        assert_eq!(on_the_bus.map(|event| event.at).collect::<Vec<_>>(), events, "{}", preset.id);
        let frame = run.end.frame();
        for service in &frame.service_deployments {
            let Some(tail) = tail(run.view(), service) else { continue };
            let until = tail.verdict.at.unwrap_or(SimTime(u64::MAX));
            let lines = tail.lines.iter().filter(|(_, line)| *line == TailLine::NoPlace).map(|(at, _)| *at);
            // What comes at the very moment of the start or the end may be about the deployment before or after.
            let inside = |at: &SimTime| *at > service.started && *at < until;
            let wanted: Vec<SimTime> = events.iter().copied().filter(inside).collect();
            assert_eq!(lines.filter(inside).collect::<Vec<_>>(), wanted, "{}, tail", preset.id);
        }
        told += events.len();
    }
    assert!(told > 10, "{told}");
}

proptest! {

    #[test]
    fn own_alarms_say_what_the_states_show(seed: u64) {
        own_alarms_hold(&seed.to_string(), &Dice::new(seed).settings());
    }

    #[test]
    fn the_whole_answer_about_what_is_over_is_frozen(seed: u64) {
        snapshots_stay(&seed.to_string(), &Dice::new(seed).settings());
    }

    #[test]
    fn the_books_are_the_frame(seed: u64, t in 0u64..900_000) {
        let settings = Dice::new(seed).settings();
        let (sim, trace) = at(&settings, SimTime(t));
        let (frame, ledger) = (sim.frame(), Ledger::at(&settings, &trace.records, SimTime(t)));
        let mut booked = ledger.listed();
        booked.sort_by_key(|d| d.id);
        let mut wanted = frame.deployments.clone();
        wanted.sort_by_key(|d| d.id);
        prop_assert_eq!(
            booked.iter().map(|d| d.id).collect::<Vec<_>>(),
            wanted.iter().map(|d| d.id).collect::<Vec<_>>()
        );
        for (a, b) in booked.iter().zip(&wanted) {
            let running = b.tasks.checking + b.tasks.healthy + b.tasks.unhealthy;
            let pending = b.tasks.waiting + b.tasks.starting;
            prop_assert_eq!((a.revision, a.state), (b.revision, b.state));
            prop_assert_eq!((a.running, a.pending, a.leaving), (running, pending, b.tasks.leaving()));
            prop_assert_eq!(a.status == DeploymentStatus::Primary, b.primary);
            prop_assert_eq!(a.failed_tasks, b.failed_tasks);
        }
    }

    #[test]
    fn the_waiter_sees_what_asking_would_see(seed: u64) {
        let settings = Dice::new(seed).settings();
        let run = run_to_end(settings.clone());
        let Waiter { end, tries, .. } = waiter(run.view(), SimTime::ZERO);
        prop_assert_eq!((end, tries), by_asking(&settings));
    }

    #[test]
    fn the_bus_tells_every_state(seed: u64) {
        let settings = Dice::new(seed).settings();
        let run = run_to_end(settings.clone());
        let events = bus::events(run.view());
        let frame = run.end.frame();
        for d in &frame.deployments {
            let last = events.iter().rev().find_map(|event| match &event.kind {
                BusEventKind::Deployment { id, state, .. } if *id == d.id => Some(*state),
                _ => None,
            });
            // One that was there at the start has no event until it changes.
            let given = settings.start.deployments.get(usize::from(d.id.0)).map(|d| d.state);
            prop_assert_eq!(last.or(given), Some(d.state));
        }
    }

    #[test]
    fn the_history_of_a_rollout_is_what_it_became(seed: u64) {
        let run = run_to_end(Dice::new(seed).settings());
        let view: RunView<'_> = run.view();
        let frame = run.end.frame();
        let found = failures(view, &frame.service_deployments);
        prop_assert_eq!(found.history.len(), frame.service_deployments.len());
        for (s, history) in frame.service_deployments.iter().zip(&found.history) {
            let pairs = history.statuses.windows(2);
            prop_assert!(pairs.into_iter().all(|pair| pair[0].1.may_become(pair[1].1)), "{:?}", history.statuses);
            prop_assert_eq!(history.statuses.last().map(|(_, status)| *status), Some(s.status()));
        }
        let completed = |id| frame.deployments.iter().all(|d| d.id != id || d.state == RolloutState::Completed);
        prop_assert!(found.candidate.is_none_or(|(id, _)| completed(id)));
    }

    #[test]
    fn what_is_over_is_frozen(seed: u64, early in 0u64..600_000, more in 0u64..600_000) {
        let settings = Dice::new(seed).settings();
        let ((before, _), (after, _)) = (at(&settings, SimTime(early)), at(&settings, SimTime(early + more)));
        let (before, after) = (before.frame().service_deployments, after.frame().service_deployments);
        prop_assert!(before.len() <= after.len());
        for (a, b) in before.iter().zip(&after).filter(|(a, _)| a.status().is_final()) {
            // Only the clean-up of a deferred success goes on, outside of the deployment.
            prop_assert_eq!((a.status(), &a.tasks, a.breaker, a.stage), (b.status(), &b.tasks, b.breaker, b.stage));
            prop_assert_eq!((a.finished, a.stopped, a.rollback), (b.finished, b.stopped, b.rollback));
        }
    }

    #[test]
    fn shares_of_the_traffic_are_whole(seed: u64) {
        let run = run_to_end(Dice::new(seed).settings());
        let found = headlines(run.view(), &run.end.frame().service_deployments);
        for span in found.after.iter().chain([&found.during]) {
            let sum: u32 = span.shares.iter().map(|share| share.per_mille).sum();
            prop_assert!(sum == 1000 || span.shares.is_empty(), "{:?}", span.shares);
            prop_assert!(span.below_desired_ms <= span.ms && span.old_per_mille <= 1000);
            prop_assert!(span.old_answers_ms + span.old_leaves_ms <= span.ms, "{:?}", span);
        }
        let whole = found.during.ms + found.after.map_or(0, |after| after.ms);
        let began = run.end.service_deployments().last().map_or(run.end.now(), |s| s.started);
        prop_assert_eq!(whole, run.end.now().since(began));
    }
}

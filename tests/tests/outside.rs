//! What others see agrees with what is: the observer's books against the frame, over random runs.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::{Ending, Frame, Settings, SimTime, Simulation, Trace};
use rollscope_insight::outside::waiter::{EVERY_MS, TRIES};
use rollscope_insight::outside::{BusEventKind, DeploymentStatus, Ledger, Waiter, WaiterEnd, bus, waiter};
use rollscope_insight::{RunView, failures, headlines, run_to_end};
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

proptest! {

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

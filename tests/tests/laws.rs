//! Laws that hold for every scenario, over random ones.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::protection::Lapses;
use rollscope_engine::sim::service_deployment::{MonitorStatus, Protection, ProtectionEnd, ServiceStatus};
use rollscope_engine::{Ending, SimTime, Simulation, Step, Trace};
use rollscope_tests::dice::Dice;
use rollscope_tests::runs::{at, by_detours, run};

proptest! {

    #[test]
    fn guards_hold_and_time_goes_on(seed: u64) {
        let (sim, trace) = run(&Dice::new(seed).settings());
        prop_assert_eq!(sim.violations(), &[]);
        prop_assert!(trace.records.is_sorted_by_key(|record| record.at));
        prop_assert!(trace.samples.is_sorted_by(|a, b| a.0 < b.0));
    }

    /// Also where the desired count, and with it the threshold, shrinks below what was counted.
    #[test]
    fn while_the_breaker_watches_the_count_stays_below_the_threshold(seed: u64) {
        let mut sim = Simulation::new(Dice::new(seed).settings());
        while let Step::World | Step::Pass(_) | Step::Act = sim.step(&mut Trace::null()) {
            // What happens in one instant is over before anybody looks.
            if sim.next_event_at() == Some(sim.now()) {
                continue;
            }
            let newest = sim.service_deployments().len().checked_sub(1);
            let Some(service) = newest.and_then(|k| sim.service_deployment(k)) else { continue };
            if service.breaker.status == MonitorStatus::Monitoring && service.status() == ServiceStatus::InProgress {
                let (count, threshold) = (service.breaker.count, service.breaker.threshold);
                prop_assert!(count < threshold, "{count} of {threshold} at {:?}", sim.now());
            }
        }
    }

    #[test]
    fn the_same_settings_give_the_same_run(seed: u64) {
        let settings = Dice::new(seed).settings();
        let ((a, trace_a), (b, trace_b)) = (run(&settings), run(&settings));
        prop_assert_eq!(a.state_hash(), b.state_hash());
        prop_assert_eq!(trace_a, trace_b);
    }

    #[test]
    fn any_way_to_a_moment_ends_in_the_same_state(seed: u64, cuts in prop::collection::vec(0u64..700_000, 1..6), to in 0u64..900_000) {
        let settings = Dice::new(seed).settings();
        let (direct, _) = at(&settings, SimTime(to));
        let sim = by_detours(settings, cuts, to);
        prop_assert_eq!(sim.state_hash(), direct.state_hash());
        prop_assert_eq!(sim, direct);
    }

    #[test]
    fn a_trace_is_a_prefix_of_every_longer_one(seed: u64, early in 0u64..400_000, more in 0u64..400_000) {
        let settings = Dice::new(seed).settings();
        let (_, short) = at(&settings, SimTime(early));
        let (_, long) = at(&settings, SimTime(early + more));
        prop_assert!(long.records.starts_with(&short.records));
        prop_assert!(long.samples.starts_with(&short.samples));
        prop_assert!(long.flows.starts_with(&short.flows));
    }

    /// Whatever comes is answered or refused, at every moment, and the last word of the trace on it is that of the
    /// state.
    #[test]
    fn every_request_is_answered_or_refused(seed: u64, to in 0u64..900_000) {
        let (sim, trace) = at(&Dice::new(seed).settings(), SimTime(to));
        prop_assert!(trace.flows.is_sorted_by(|a, b| a.0 < b.0));
        for (_, flow) in &trace.flows {
            let answered: u64 = flow.parts.iter().map(|part| part.answered).sum();
            prop_assert_eq!(answered + flow.refused, u64::from(flow.rate) * 1_000);
            prop_assert!(flow.parts.iter().all(|part| part.targets > 0 && part.bad <= part.answered));
        }
        let now = sim.traffic().map(|traffic| traffic.flow);
        prop_assert_eq!(trace.flows.last().map(|(_, flow)| flow), now.as_ref());
    }

    /// What is read from the records is what the service deployment itself says, at any moment, and what
    /// has ended does not come back for it.
    #[test]
    fn protection_is_read_as_it_is(seed: u64, cuts in prop::collection::vec(0u64..900_000, 1..8)) {
        let mut sim = Simulation::new(Dice::new(seed).settings());
        let mut trace = Trace::new();
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut lapses = Lapses::default();
        for cut in cuts.into_iter().chain([u64::MAX]) {
            sim.advance_to(SimTime(cut), &mut trace);
            lapses.follow(&trace.records);
            let lapse = lapses.at(sim.now());
            let newest = sim.service_deployments().last();
            let expected = newest.and_then(|service| match service.protection {
                Protection::Guards => None,
                Protection::None => Some((service.id, service.started, ProtectionEnd::NoMonitor)),
                Protection::Ended { at, why } => Some((service.id, at, why)),
            });
            prop_assert_eq!(lapse.map(|lapse| (lapse.service, lapse.from, lapse.why)), expected);
        }
        let back = lapses.list().windows(2).find(|two| two[0].service == two[1].service);
        prop_assert_eq!(back, None);
    }

    #[test]
    fn what_a_finished_deployment_shows_stays(seed: u64, cuts in prop::collection::vec(0u64..900_000, 1..8)) {
        let mut sim = Simulation::new(Dice::new(seed).settings());
        let mut finished = Vec::new();
        let mut cuts = cuts;
        cuts.sort_unstable();
        for cut in cuts.into_iter().chain([u64::MAX]) {
            sim.advance_to(SimTime(cut), &mut Trace::null());
            for (k, before) in finished.iter().enumerate() {
                let mut now = sim.service_deployment(k).expect("none is dropped");
                // Clean-up goes on in the background.
                now.cleanup_until = None;
                prop_assert_eq!(&now, before);
            }
            for k in finished.len()..sim.service_deployments().len() {
                let mut now = sim.service_deployment(k).expect("it is there");
                if now.is_live() {
                    break;
                }
                now.cleanup_until = None;
                finished.push(now);
            }
        }
        let live = sim.service_deployments().iter().filter(|service| service.is_live()).count();
        prop_assert!(live <= 1 && sim.service_deployments().iter().rev().skip(1).all(|service| !service.is_live()));
    }

    #[test]
    fn an_act_by_hand_equals_the_act_from_a_document(seed: u64, moment in 0u64..400_000) {
        let mut dice = Dice::new(seed);
        let settings = dice.settings();
        let command = dice.by_hand();
        let (mut by_hand, mut trace) = at(&settings, SimTime(moment));
        prop_assume!(!matches!(by_hand.ending(), Some(Ending::EventBudget)));
        let before = by_hand.acts().len();
        let moment = by_hand.now();
        by_hand.apply(command.clone(), &mut trace);
        let mut written = settings.clone();
        written.acts.push(rollscope_engine::settings::Act { at: moment, command });
        written.acts.sort_by_key(|act| act.at);
        let (from_document, _) = at(&written, moment);
        if by_hand.acts().len() == before {
            // Not one event is left for it, which is the end of the other as well.
            prop_assert_eq!(from_document.ending(), Some(Ending::EventBudget));
            return Ok(());
        }
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
        let later = moment + 300_000;
        let mut from_document = from_document;
        by_hand.advance_to(later, &mut trace);
        from_document.advance_to(later, &mut Trace::null());
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
    }
}

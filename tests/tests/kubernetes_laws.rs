//! Laws of Kubernetes Deployments, over random settings: what bounds what, no other way to the same state,
//! and an end that says why.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::kubernetes::{Change, PodChange};
use rollscope_engine::platform::kubernetes::SizeReason;
use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::trace::What;
use rollscope_engine::{Ending, SimTime, Simulation, Step, Trace};
use rollscope_insight::kubernetes::{StalledBy, outcome};
use rollscope_insight::{OutcomeKind, run_to_end};
use rollscope_scenario::{Document, Resolved, Value};

/// A value of `maxSurge` or `maxUnavailable`.
fn fence() -> impl Strategy<Value = Value> {
    prop_oneof![(0..5_u32).prop_map(Value::from), (0..101_u32).prop_map(|n| Value::from(format!("{n}%")))]
}

fn fate() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => Just(Value::from("healthy")),
        1 => Just(Value::from("never_passes")),
        1 => Just(Value::from("never_running")),
        1 => (1..900_u32).prop_map(|s| Value::object([("exits_after", Value::from(format!("{s}s")))])),
        1 => (1..900_u32).prop_map(|s| Value::object([("turns_unhealthy_after", Value::from(format!("{s}s")))])),
    ]
}

fn act() -> impl Strategy<Value = Value> {
    let named = |what: &'static str| Just(Value::object([("do", Value::from(what))]));
    prop_oneof![
        2 => (0..13_u32).prop_map(|n| Value::object([("do", Value::from("scale")), ("replicas", n.into())])),
        2 => (1..5_u32).prop_map(|n| Value::object([("do", Value::from("deploy")), ("revision", n.into())])),
        2 => named("undo"),
        1 => named("pause"),
        2 => named("resume"),
        1 => named("fix"),
        1 => (fence()).prop_map(|n| Value::object([("do", Value::from("strategy")), ("maxSurge", n)])),
        1 => (1..4_u32, 1..6_u32)
            .prop_map(|(v, k)| Value::object([("do", Value::from("delete_pod")), ("task", format!("{v}.{k}").into())])),
        1 => (1..4_u32, 1..6_u32)
            .prop_map(|(v, k)| Value::object([("do", Value::from("kill")), ("task", format!("{v}.{k}").into())])),
        1 => (1..90_u32).prop_map(|s| Value::object([("do", Value::from("unready")), ("for", format!("{s}s").into())])),
        1 => (0..20_u32).prop_map(|n| Value::object([("do", Value::from("quota")), ("pods", n.into())])),
    ]
}

fn timing() -> impl Strategy<Value = Value> {
    (any::<bool>(), 1..60_u32, 0..60_u32).prop_map(|(shortcut, boot, gone)| {
        if shortcut {
            let rows = [("healthy_after", format!("{boot}s")), ("gone_after", format!("{gone}s"))];
            return Value::object(rows.map(|(key, text)| (key, Value::from(text))));
        }
        Value::object([
            ("start_up", Value::from(format!("{boot}s"))),
            ("exit_after_sigterm", format!("{gone}s").into()),
        ])
    })
}

/// Any Deployment with any acts.
fn document() -> impl Strategy<Value = Document> {
    let service = (0..13_u32, fence(), fence(), 0..40_u32, any::<bool>(), any::<bool>(), 0..3_u32);
    let room = (prop::option::of(0..20_u32), prop::option::of(0..20_u32));
    let acts = prop::collection::vec((0..900_u32, act()), 0..6);
    (service, timing(), fate(), fate(), room, acts).prop_map(|(service, timing, new, old, (places, quota), acts)| {
        let (replicas, surge, unavailable, min_ready, recreate, probes, history) = service;
        let zero = |value: &Value| matches!(value.to_string().trim_matches(['"', '%']), "0");
        let unavailable = if zero(&surge) && zero(&unavailable) { Value::from(1) } else { unavailable };
        let strategy = if recreate && min_ready % 3 == 0 {
            Value::object([("type", Value::from("Recreate"))])
        } else {
            Value::object([("rollingUpdate", Value::object([("maxSurge", surge), ("maxUnavailable", unavailable)]))])
        };
        let probe = Value::object([("periodSeconds", Value::from(5))]);
        let mut container = Value::object([("name", Value::from("app"))]);
        if probes {
            container.insert("readinessProbe", probe.clone());
            container.insert("livenessProbe", probe);
        }
        let pod = Value::object([("containers", Value::array([container]))]);
        let service = Value::object([
            ("replicas", Value::from(replicas)),
            ("strategy", strategy),
            ("minReadySeconds", min_ready.into()),
            ("revisionHistoryLimit", history.into()),
            ("template", Value::object([("spec", pod)])),
        ]);
        let mut tree = Value::object([
            ("platform", Value::from("kubernetes-deployment")),
            ("service", service),
            ("timing", timing),
            ("new", Value::object([("fate", new)])),
            ("old", Value::object([("fate", old)])),
            ("until", "3h".into()),
        ]);
        let step =
            |key: &'static str, n: u32| Value::array([Value::object([("at", Value::from("0s")), (key, n.into())])]);
        if let Some(n) = places {
            tree.insert("places", step("places", n));
        }
        if let Some(n) = quota {
            tree.insert("resourceQuota", step("pods", n));
        }
        let act = |(at, mut act): (u32, Value)| {
            act.insert("at", format!("{at}s"));
            act
        };
        tree.insert("acts", Value::array(acts.into_iter().map(act)));
        let (document, problems) = Document::from_value(&tree);
        assert!(problems.is_empty(), "{problems:?}");
        document
    })
}

fn resolved(document: &Document) -> Resolved {
    document.resolve().unwrap_or_else(|problems| panic!("{problems:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn the_bounds_hold_on_the_counters_they_bound(document in document()) {
        let run = run_to_end(resolved(&document).settings);
        prop_assert_eq!(run.end.violations(), &[]);
        for record in &run.trace.records {
            let What::Kubernetes(Change::SetScaled { from, to, reason, .. }) = record.what else { continue };
            match reason {
                // What grows stays below the ceiling on what is asked for.
                SizeReason::RoomToGrow { ceiling, asked, replicas } => {
                    prop_assert!(to > from && asked + (to - from) <= ceiling && to <= replicas);
                }
                // What shrinks leaves the floor available, but for Pods that were not.
                SizeReason::AboveFloor { budget, unhealthy, healthy, available, floor } => {
                    prop_assert!(unhealthy + healthy > 0 && unhealthy <= budget);
                    prop_assert!(healthy == 0 || available - healthy >= floor);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn the_same_settings_give_the_same_run_by_any_way(document in document(), cut in 0..1_200_u64) {
        let settings = resolved(&document).settings;
        let run = run_to_end(settings.clone());
        let again = run_to_end(settings.clone());
        prop_assert_eq!(&run.trace, &again.trace);
        prop_assert_eq!(run.end.state_hash(), again.end.state_hash());
        let t = SimTime(cut * 1_000);
        let (mut straight, mut detour) = (Simulation::new(settings.clone()), Simulation::new(settings));
        straight.advance_to(t, &mut Trace::null());
        detour.advance_to(SimTime(t.ms() / 3), &mut Trace::null());
        let mut taker = SnapshotTaker::default();
        let snapshot = taker.take(&detour, false);
        let mut restored = Snapshot::restore(&[&snapshot]).expect("a whole one");
        while restored.next_event_at().is_some_and(|next| next <= t) {
            if let Step::Ended(_) = restored.step(&mut Trace::null()) {
                break;
            }
        }
        restored.advance_to(t, &mut Trace::null());
        prop_assert_eq!(straight.state_hash(), restored.state_hash());
        prop_assert_eq!(straight.frame(), restored.frame());
    }

    #[test]
    fn an_act_by_hand_equals_the_same_act_in_a_document(document in document()) {
        let settings = resolved(&document).settings;
        let mut by_hand = Simulation::new(rollscope_engine::Settings { acts: vec![], ..settings.clone() });
        for act in &settings.acts {
            by_hand.advance_to(act.at, &mut Trace::null());
            // Where nothing is left to happen the run has ended: there is no later moment to act at.
            prop_assume!(by_hand.now() == act.at);
            by_hand.apply(act.command.clone(), &mut Trace::null());
        }
        let end = settings.acts.last().map_or(SimTime::ZERO, |act| act.at);
        by_hand.advance_to(end, &mut Trace::null());
        let mut planned = Simulation::new(settings);
        planned.advance_to(end, &mut Trace::null());
        prop_assert_eq!(by_hand.state_hash(), planned.state_hash());
    }

    #[test]
    fn every_rollout_ends_complete_stalled_or_waiting_for_a_named_thing(document in document()) {
        let run = run_to_end(resolved(&document).settings);
        prop_assert!(matches!(run.end.ending(), Some(Ending::Quiet | Ending::Until)), "{:?}", run.end.ending());
        let end = run.end.kubernetes().expect("a Deployment");
        let found = outcome(run.view(), end);
        match found.outcome {
            OutcomeKind::Completed | OutcomeKind::RolledBack => prop_assert_eq!(found.blocked_by, None),
            _ => prop_assert!(found.blocked_by.is_some()),
        }
        // Three hours are enough for everything but what goes on for ever.
        if run.end.ending() == Some(Ending::Quiet) {
            prop_assert_ne!(found.blocked_by, Some(StalledBy::Time));
        }
    }

    #[test]
    fn a_ready_pod_runs_and_a_terminating_one_is_not_counted(document in document()) {
        let mut run = Simulation::new(resolved(&document).settings);
        let mut trace = Trace::new();
        while let Step::World | Step::Pass(_) | Step::Act = run.step(&mut trace) {
            if run.next_event_at() == Some(run.now()) {
                continue;
            }
            let end = run.kubernetes().expect("a Deployment");
            let view = end.view();
            let counted = end.pods().filter(|pod| pod.counted()).count() as u32;
            let ready = end.pods().filter(|pod| pod.counted() && pod.ready_since.is_some()).count() as u32;
            prop_assert_eq!((view.status.replicas, view.status.ready), (counted, ready));
            let available = end.pods().filter(|pod| pod.available).count() as u32;
            prop_assert_eq!((view.status.available, end.counts().healthy()), (available, available));
        }
        let restarts = |record: &&rollscope_engine::trace::Record| {
            matches!(record.what, What::Kubernetes(Change::Pod { change: PodChange::Restarted { .. }, .. }))
        };
        let gone: u32 = run.kubernetes().expect("a Deployment").pods().map(|pod| pod.restarts).sum();
        prop_assert!(trace.records.iter().filter(restarts).count() as u32 >= gone);
    }
}

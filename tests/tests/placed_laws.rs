//! Laws of StatefulSets and DaemonSets, over random settings: one Pod a place, budgets on the counters they bound, no
//! other way to the same state, and an end that says why.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rollscope_engine::kubernetes::{Change, Controller, PlaceReason, Pod, RemoveReason, Run};
use rollscope_engine::platform::daemonset::{CreateReason, DeleteReason as NodeReason, node_counts};
use rollscope_engine::platform::statefulset::{DeleteReason as OrdinalReason, Ordinals};
use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::trace::What;
use rollscope_engine::{Ending, SimTime, Simulation, Step, Trace};
use rollscope_insight::kubernetes::StalledBy;
use rollscope_insight::placed::{BlockedBy, outcome};
use rollscope_insight::{OutcomeKind, run_to_end};
use rollscope_scenario::{Document, Resolved, Value};

fn limit(least: u32) -> impl Strategy<Value = Value> {
    prop_oneof![(least..5_u32).prop_map(Value::from), (least..101_u32).prop_map(|n| Value::from(format!("{n}%")))]
}

fn fate() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => Just(Value::from("healthy")),
        1 => Just(Value::from("never_passes")),
        1 => Just(Value::from("never_running")),
        1 => (1..900_u32).prop_map(|s| Value::object([("exits_after", Value::from(format!("{s}s")))])),
        1 => (1..900_u32).prop_map(|s| Value::object([("turns_unhealthy_after", Value::from(format!("{s}s")))])),
    ]
}

fn act() -> impl Strategy<Value = Value> {
    let named = |what: &'static str| Just(Value::object([("do", Value::from(what))]));
    prop_oneof![
        2 => (0..10_u32).prop_map(|n| Value::object([("do", Value::from("scale")), ("replicas", n.into())])),
        2 => (1..5_u32).prop_map(|n| Value::object([("do", Value::from("deploy")), ("revision", n.into())])),
        2 => named("undo"),
        1 => named("fix"),
        1 => (0..10_u32).prop_map(|n| Value::object([("do", Value::from("strategy")), ("partition", n.into())])),
        1 => limit(1).prop_map(|n| Value::object([("do", Value::from("strategy")), ("maxUnavailable", n)])),
        3 => (1..4_u32, 1..6_u32)
            .prop_map(|(v, k)| Value::object([("do", Value::from("delete_pod")), ("task", format!("{v}.{k}").into())])),
        1 => (1..4_u32, 1..6_u32)
            .prop_map(|(v, k)| Value::object([("do", Value::from("kill")), ("task", format!("{v}.{k}").into())])),
        1 => (1..90_u32).prop_map(|s| Value::object([("do", Value::from("unready")), ("for", format!("{s}s").into())])),
        1 => (0..12_u32).prop_map(|n| Value::object([("do", Value::from("quota")), ("pods", n.into())])),
    ]
}

fn timing() -> impl Strategy<Value = Value> {
    (any::<bool>(), 1..60_u32, 0..60_u32).prop_map(|(shortcut, boot, gone)| {
        let keys = if shortcut { ["healthy_after", "gone_after"] } else { ["start_up", "exit_after_sigterm"] };
        Value::object([(keys[0], Value::from(format!("{boot}s"))), (keys[1], format!("{gone}s").into())])
    })
}

/// `service` of a StatefulSet.
fn stateful() -> impl Strategy<Value = Value> {
    let rolling = (prop::option::of(0..9_u32), prop::option::of(limit(1)));
    (0..9_u32, any::<bool>(), rolling, 0..6_u32, 0..8_u32).prop_map(
        |(replicas, parallel, rolling, first, on_delete)| {
            let mut update = Value::empty_object();
            if let Some(partition) = rolling.0 {
                update.insert("partition", partition);
            }
            if let Some(most) = rolling.1 {
                update.insert("maxUnavailable", most);
            }
            let strategy = if on_delete == 0 {
                Value::object([("type", Value::from("OnDelete"))])
            } else {
                Value::object([("rollingUpdate", update)])
            };
            Value::object([
                ("replicas", Value::from(replicas)),
                ("podManagementPolicy", if parallel { "Parallel" } else { "OrderedReady" }.into()),
                ("ordinals", Value::object([("start", first)].map(|(key, n)| (key, Value::from(n))))),
                ("updateStrategy", strategy),
            ])
        },
    )
}

/// `service` of a DaemonSet.
fn daemon() -> impl Strategy<Value = Value> {
    (any::<bool>(), limit(1)).prop_map(|(surge, most)| {
        let (up, down) = if surge { (most, Value::from(0)) } else { (Value::from(0), most) };
        let rolling = Value::object([("maxSurge", up), ("maxUnavailable", down)]);
        Value::object([("updateStrategy", Value::object([("rollingUpdate", rolling)]))])
    })
}

/// Any StatefulSet or DaemonSet with any acts.
fn document() -> impl Strategy<Value = Document> {
    let kind = prop_oneof![
        stateful().prop_map(|service| ("statefulset", service)),
        daemon().prop_map(|service| ("daemonset", service)),
    ];
    let rest = (0..9_u32, any::<bool>(), any::<bool>(), 0..40_u32, prop::option::of(0..12_u32));
    let acts = prop::collection::vec((0..900_u32, act()), 0..6);
    (kind, timing(), fate(), fate(), rest, acts).prop_map(|((platform, mut service), timing, new, old, rest, acts)| {
        let (nodes, gate, probes, min_ready, quota) = rest;
        let mut container = Value::object([("name", Value::from("app"))]);
        if probes {
            let probe = Value::object([("periodSeconds", Value::from(5))]);
            container.insert("readinessProbe", probe.clone());
            container.insert("livenessProbe", probe);
        }
        let pod = Value::object([("containers", Value::array([container]))]);
        service.insert("template", Value::object([("spec", pod)]));
        service.insert("minReadySeconds", min_ready);
        let mut tree = Value::object([
            ("platform", Value::from(platform)),
            ("service", service),
            ("timing", timing),
            ("new", Value::object([("fate", new)])),
            ("old", Value::object([("fate", old)])),
            ("until", "3h".into()),
        ]);
        if platform == "daemonset" {
            tree.insert("nodes", nodes);
        } else {
            tree.insert("featureGates", Value::object([("MaxUnavailableStatefulSet", Value::from(gate))]));
        }
        if let Some(n) = quota {
            let step = Value::object([("at", Value::from("0s")), ("pods", n.into())]);
            tree.insert("resourceQuota", Value::array([step]));
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

/// Pods that exist, by place.
fn by_place(run: &Run) -> BTreeMap<u32, Vec<&Pod>> {
    let mut places: BTreeMap<u32, Vec<&Pod>> = BTreeMap::new();
    for pod in run.pods().filter(|pod| pod.exists()) {
        places.entry(run.controller().place_of(pod.slot).expect("a place")).or_default().push(pod);
    }
    places
}

/// The sets a StatefulSet keeps, found by looking at every Pod.
fn looked_up(run: &Run, first: u32) -> Ordinals {
    let (wanted, template) = (run.params().replicas, run.workload().expect("a workload").template);
    let places = by_place(run);
    let inside = |k: u32| (first..first + wanted).contains(&k);
    let pick = |wanted: &dyn Fn(u32, &Pod) -> bool| -> BTreeSet<u32> {
        places.iter().filter(|(k, pods)| wanted(**k, pods[0])).map(|(k, _)| *k).collect()
    };
    Ordinals {
        missing: (first..first + wanted).filter(|k| !places.contains_key(k)).collect(),
        terminating: pick(&|_, pod| !pod.counted()),
        unavailable: pick(&|_, pod| pod.counted() && !pod.available),
        outdated: pick(&|_, pod| pod.counted() && pod.name.revision != template),
        condemned: pick(&|k, pod| pod.counted() && !inside(k)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn a_place_has_one_pod_and_the_sets_say_what_is_there(document in document()) {
        let mut run = Simulation::new(resolved(&document).settings);
        while let Step::World | Step::Pass(_) | Step::Act = run.step(&mut Trace::null()) {
            if run.next_event_at() == Some(run.now()) {
                continue;
            }
            let run = run.placed().expect("places");
            match run.controller() {
                Controller::StatefulSet(state) => {
                    prop_assert!(by_place(run).values().all(|pods| pods.len() == 1));
                    prop_assert_eq!(&state.pods, &looked_up(run, state.own.first));
                }
                Controller::DaemonSet(state) => {
                    for (node, pods) in by_place(run) {
                        let stay = pods.iter().filter(|pod| pod.counted()).count();
                        let surges = node_counts(&state.own, run.params().replicas).0 > 0;
                        prop_assert!(stay <= 1 + usize::from(surges), "{stay} Pods stay on node {node}");
                        // Without surge a new Pod comes once the old one is gone.
                        prop_assert!(surges || pods.len() == 1, "{} Pods on node {node}", pods.len());
                    }
                }
                Controller::Deployment => prop_assert!(false, "no places"),
            }
        }
    }

    #[test]
    fn the_budgets_hold_on_the_counters_they_bound(document in document()) {
        let run = run_to_end(resolved(&document).settings);
        prop_assert_eq!(run.end.violations(), &[]);
        // Places that a pass of one moment takes down or doubles, beside those that were before it.
        let mut spent: BTreeMap<(u64, u32, u32), u32> = BTreeMap::new();
        for record in &run.trace.records {
            let (before, most) = match record.what {
                What::Kubernetes(Change::Removed { reason, .. }) => match reason {
                    RemoveReason::Ordinal(OrdinalReason::Outdated { unavailable, max_unavailable })
                        if ordered_or_gated(&document) => (unavailable, max_unavailable),
                    RemoveReason::Node(NodeReason::Outdated { unavailable, max_unavailable }) => (unavailable, max_unavailable),
                    _ => continue,
                },
                What::Kubernetes(Change::Placed { reason: PlaceReason::Node(CreateReason::Surge { surging, max_surge }), .. }) => (surging, max_surge),
                _ => continue,
            };
            let spent = spent.entry((record.at.ms(), before, most)).or_default();
            *spent += 1;
            prop_assert!(before + *spent <= most, "{before} and {spent} of {most}");
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
        let end = run.end.placed().expect("places");
        let found = outcome(run.view(), end);
        match found.outcome {
            OutcomeKind::Completed | OutcomeKind::RolledBack => {
                prop_assert_eq!(found.blocked_by, None);
                let seen = end.workload().expect("a workload");
                let wanted = end.params().replicas;
                prop_assert_eq!((seen.status.available, seen.status.replicas), (wanted, wanted));
                prop_assert_eq!(seen.status.updated, wanted - found.kept);
            }
            _ => prop_assert!(found.blocked_by.is_some()),
        }
        // Three hours are enough for everything but what goes on for ever.
        if run.end.ending() == Some(Ending::Quiet) {
            prop_assert_ne!(found.blocked_by, Some(BlockedBy::Pods(StalledBy::Time)));
            prop_assert_ne!(found.outcome, OutcomeKind::InProgress);
        }
    }
}

/// Parallel with the gate off looks at nothing below the Pod that it replaces: no budget bounds it.
fn ordered_or_gated(document: &Document) -> bool {
    document.stateful_set.policy.as_deref() != Some("Parallel") || document.feature_gates.max_unavailable == Some(true)
}

//! Laws of managed instance groups and scale sets, over random settings: what bounds what, no other way to the same
//! state, and an end that says why.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::platform::vm::{Hold, Kind, Why};
use rollscope_engine::platform::vmss::Status;
use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::trace::What;
use rollscope_engine::vm::{Change, Class};
use rollscope_engine::{SimTime, Simulation, Step, Trace};
use rollscope_insight::vm::outcome;
use rollscope_insight::{OutcomeKind, run_to_end};
use rollscope_scenario::{Document, Resolved, Value};

fn fate() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => Just(Value::from("healthy")),
        1 => Just(Value::from("never_passes")),
        1 => Just(Value::from("hangs")),
        1 => Just(Value::from("never_running")),
        1 => (1..900_u32).prop_map(|s| Value::object([("exits_after", Value::from(format!("{s}s")))])),
        1 => (1..900_u32).prop_map(|s| Value::object([("turns_unhealthy_after", Value::from(format!("{s}s")))])),
    ]
}

/// An act by the words that both platforms take, and the one of its own.
fn act(own: &'static str) -> impl Strategy<Value = Value> {
    let on = |what: &'static str| {
        (1..4_u32, 1..8_u32)
            .prop_map(move |(v, k)| Value::object([("do", Value::from(what)), ("task", format!("{v}.{k}").into())]))
    };
    let named = |what: &'static str| Just(Value::object([("do", Value::from(what))]));
    prop_oneof![
        3 => (0..13_u32).prop_map(|n| Value::object([("do", Value::from("desired")), ("count", n.into())])),
        2 => (1..4_u32).prop_map(|n| Value::object([("do", Value::from("deploy")), ("revision", n.into())])),
        1 => named(own),
        1 => named("fix"),
        1 => on("delete_instance"),
        2 => on("kill"),
    ]
}

fn timing() -> impl Strategy<Value = Value> {
    (any::<bool>(), 1..60_u32, 0..60_u32).prop_map(|(shortcut, boot, gone)| {
        let rows = if shortcut { ["healthy_after", "gone_after"] } else { ["start_up", "exit_after_sigterm"] };
        Value::object([(rows[0], Value::from(format!("{boot}s"))), (rows[1], format!("{gone}s").into())])
    })
}

fn dial(value: u32, percent: bool) -> Value {
    Value::object([(if percent { "percent" } else { "fixed" }, Value::from(value))])
}

/// `service` of any managed instance group.
fn mig() -> impl Strategy<Value = Value> {
    let dials = (0..5_u32, 0..5_u32, any::<bool>());
    let flags = (any::<bool>(), 0..8_u32, any::<bool>());
    let more = (0..40_u32, prop::option::of(0..120_u32), prop::option::of(0..5_u32), 0..40_u32, any::<bool>());
    (0..13_u32, dials, flags, more).prop_map(
        |(size, (surge, unavailable, regional), (recreate, kind, force), (ready, heal, canary, drain, percent))| {
            let zones = if regional { 3 } else { 1 };
            let percent = percent && size >= 10;
            let fit = |n: u32| if n == 0 || percent { n * 5 } else { n.max(zones) };
            let surge = if recreate { 0 } else { fit(surge) };
            let unavailable = if surge == 0 { fit(unavailable.max(1)) } else { fit(unavailable) };
            let policy = Value::object([
                ("type", Value::from(if kind == 0 { "OPPORTUNISTIC" } else { "PROACTIVE" })),
                ("mostDisruptiveAllowedAction", if kind == 1 { "RESTART" } else { "REPLACE" }.into()),
                ("replacementMethod", if recreate { "RECREATE" } else { "SUBSTITUTE" }.into()),
                ("maxSurge", dial(surge, percent)),
                ("maxUnavailable", dial(unavailable, percent)),
                ("minReadySec", ready.into()),
            ]);
            let lifecycle = Value::object([("forceUpdateOnRepair", Value::from(if force { "YES" } else { "NO" }))]);
            let mut service = Value::object([
                ("targetSize", Value::from(size)),
                ("updatePolicy", policy),
                ("instanceLifecyclePolicy", lifecycle),
                ("connectionDraining", Value::object([("drainingTimeoutSec", Value::from(drain))])),
            ]);
            if regional {
                let zone = |name: &str| Value::object([("zone", Value::from(name))]);
                service
                    .insert("distributionPolicy", Value::object([("zones", Value::array(["a", "b", "c"].map(zone)))]));
            }
            if let Some(delay) = heal {
                let policy = Value::object([("initialDelaySec", Value::from(delay))]);
                service.insert("autoHealingPolicies", Value::array([policy]));
            }
            if let Some(n) = canary {
                let rest = Value::object([("name", Value::from("rest"))]);
                let canary = Value::object([("targetSize", dial(n, false))]);
                service.insert("versions", Value::array([rest, canary]));
            }
            service
        },
    )
}

/// `service` of any scale set.
fn vmss() -> impl Strategy<Value = Value> {
    let limits = (5..101_u32, 5..101_u32, 0..101_u32);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (0..13_u32, limits, flags, 0..90_u32, 0..8_u32, any::<bool>()).prop_map(
        |(size, (batch, unhealthy, upgraded), (surge, cross, first, back), pause, mode, zonal)| {
            let policy = Value::object([
                ("maxBatchInstancePercent", Value::from(batch)),
                ("maxUnhealthyInstancePercent", unhealthy.into()),
                ("maxUnhealthyUpgradedInstancePercent", upgraded.into()),
                ("pauseTimeBetweenBatches", format!("PT{pause}S").into()),
                ("enableCrossZoneUpgrade", cross.into()),
                ("prioritizeUnhealthyInstances", first.into()),
                ("rollbackFailedInstancesOnPolicyBreach", back.into()),
                ("maxSurge", surge.into()),
            ]);
            let mode = ["Automatic", "Manual"].get(mode as usize).unwrap_or(&"Rolling");
            let upgrade = Value::object([("mode", Value::from(*mode)), ("rollingUpgradePolicy", policy)]);
            let mut service = Value::object([
                ("sku", Value::object([("capacity", Value::from(size))])),
                ("upgradePolicy", upgrade),
                ("applicationHealth", Value::empty_object()),
            ]);
            if zonal {
                service.insert("zones", Value::array(["1", "2", "3"]));
            }
            service
        },
    )
}

/// Any group with any acts.
fn document() -> impl Strategy<Value = Document> {
    let acts = |own| prop::collection::vec((0..2_000_u32, act(own)), 0..6);
    let group = prop_oneof![
        (Just("mig"), mig(), acts("stop_proactive_update")),
        (Just("vmss"), vmss(), acts("cancel_upgrade")),
    ];
    (group, timing(), (fate(), fate()), prop::option::of(0..20_u32)).prop_map(
        |((platform, service, acts), timing, (new, old), room)| {
            let mut tree = Value::object([
                ("platform", Value::from(platform)),
                ("service", service),
                ("timing", timing),
                ("new", Value::object([("fate", new)])),
                ("old", Value::object([("fate", old)])),
                ("until", "3h".into()),
            ]);
            if let Some(n) = room {
                let step = Value::object([("at", Value::from("0s")), ("places", n.into())]);
                tree.insert("places", Value::array([step]));
            }
            let act = |(at, mut act): (u32, Value)| {
                act.insert("at", format!("{at}s"));
                act
            };
            tree.insert("acts", Value::array(acts.into_iter().map(act)));
            let (document, problems) = Document::from_value(&tree);
            assert!(problems.is_empty(), "{problems:?}");
            document
        },
    )
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
            match record.what {
                What::Vm(Change::Creating { n, why: Why::Surge { counted, ceiling }, .. }) => {
                    prop_assert!(n > 0 && counted + n <= ceiling);
                }
                What::Vm(Change::Creating { n, why: Why::Missing { size, counted }, .. }) => {
                    prop_assert!(n > 0 && counted + n <= size);
                }
                // What is taken down leaves the floor available.
                What::Vm(
                    Change::Deleting { n, why: Why::Spare { available, floor } }
                    | Change::Rebuilding { n, why: Why::Spare { available, floor }, .. },
                ) => prop_assert!(n > 0 && available - n >= floor),
                What::Vm(
                    Change::Creating { n, why: Why::Batch { most, total, .. }, .. }
                    | Change::Rebuilding { n, why: Why::Batch { most, total, .. }, .. },
                ) => prop_assert!(n > 0 && n <= most && most <= total.max(1)),
                _ => {}
            }
        }
    }

    #[test]
    fn the_same_settings_give_the_same_run_by_any_way(document in document(), cut in 0..3_000_u64) {
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
        let mut taken = vec![];
        for act in &settings.acts {
            by_hand.advance_to(act.at, &mut Trace::null());
            // Where nothing is left to happen the run has ended: there is no later moment to act at.
            if by_hand.now() != act.at {
                break;
            }
            by_hand.apply(act.command.clone(), &mut Trace::null());
            taken.push(act.clone());
        }
        // Without acts nothing has begun yet.
        by_hand.advance_to(by_hand.now(), &mut Trace::null());
        let end = by_hand.now();
        let settings = rollscope_engine::Settings { acts: taken, ..settings };
        let mut planned = Simulation::new(settings);
        planned.advance_to(end, &mut Trace::null());
        prop_assert_eq!(by_hand.state_hash(), planned.state_hash());
    }

    #[test]
    fn every_rollout_ends_or_waits_for_a_named_thing(document in document()) {
        let run = run_to_end(resolved(&document).settings);
        let end = run.end.vm().expect("a group of machines");
        let (found, view) = (outcome(run.view(), end), end.view());
        let stable = matches!(found.hold.expect("the group has looked"), Hold::Stable { .. });
        match found.outcome {
            OutcomeKind::Completed | OutcomeKind::CompletedThenFailing => {
                prop_assert!(stable || found.completed_at.is_some());
            }
            OutcomeKind::Failed => prop_assert!(found.because.is_some()),
            OutcomeKind::Cancelled => prop_assert_eq!(found.status, Some(Status::Cancelled)),
            // Whatever goes on is said by name.
            _ => prop_assert!(!stable || view.rollout.number == 0 || found.status.is_some()),
        }
        for (row, next) in found.statuses.iter().zip(found.statuses.iter().skip(1)) {
            prop_assert!(next.from.is_none() || next.from == Some(row.to), "{row:?} {next:?}");
            prop_assert!(next.from.is_none() || !row.to.is_final());
        }
    }

    #[test]
    fn the_books_agree_with_the_machines(document in document()) {
        let mut run = Simulation::new(resolved(&document).settings);
        while let Step::World | Step::Pass(_) | Step::Act = run.step(&mut Trace::null()) {
            if run.next_event_at() == Some(run.now()) {
                continue;
            }
            let group = run.vm().expect("a group of machines");
            let (view, counts) = (group.view(), group.counts());
            let of = |class: Class| group.machines().filter(|machine| machine.class() == Some(class)).count() as u32;
            let both = [view.tally.old, view.tally.new];
            let sum = |f: fn(&rollscope_engine::platform::vm::Of) -> u32| both.iter().map(f).sum::<u32>();
            prop_assert_eq!(counts.healthy(), of(Class::Up));
            prop_assert_eq!(sum(|of| of.up), of(Class::Up));
            prop_assert_eq!(sum(|of| of.down), of(Class::Down));
            prop_assert_eq!(sum(|of| of.rebuilding), of(Class::Rebuilding));
            prop_assert_eq!(counts.counted + of(Class::Rebuilding), view.tally.counted());
            // Nothing above the limits at rest, but for machines that are on their way down already.
            prop_assert!(counts.counted <= counts.limits.ceiling.max(counts.limits.desired));
            let new = group.machines().filter(|machine| machine.class().is_some() && machine.target);
            let right = |m: &rollscope_engine::vm::Machine| m.again.unwrap_or(m.name.revision) == view.target;
            prop_assert!(new.into_iter().all(right));
            if matches!(view.params.kind, Kind::Mig(_)) {
                prop_assert!(view.upgrade.is_none());
            }
        }
    }
}

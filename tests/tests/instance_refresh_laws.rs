//! Laws of instance refreshes, over random settings: what bounds what, no other way to the same state, and an
//! end that says why.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::asg::Change;
use rollscope_engine::platform::asg::{LaunchReason, Status, StopReason};
use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::trace::What;
use rollscope_engine::{SimTime, Simulation, Step, Trace};
use rollscope_insight::asg::outcome;
use rollscope_insight::{OutcomeKind, run_to_end};
use rollscope_scenario::{Document, Resolved, Value};

fn fate() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => Just(Value::from("healthy")),
        1 => Just(Value::from("never_passes")),
        1 => Just(Value::from("hangs")),
        1 => Just(Value::from("never_running")),
        1 => (1..900_u32).prop_map(|s| Value::object([("exits_after", Value::from(format!("{s}s")))])),
        1 => (1..900_u32).prop_map(|s| Value::object([("turns_unhealthy_after", Value::from(format!("{s}s")))])),
    ]
}

fn act() -> impl Strategy<Value = Value> {
    let named = |what: &'static str| Just(Value::object([("do", Value::from(what))]));
    let on = |what: &'static str| {
        (1..4_u32, 1..8_u32)
            .prop_map(move |(v, k)| Value::object([("do", Value::from(what)), ("task", format!("{v}.{k}").into())]))
    };
    prop_oneof![
        3 => (0..13_u32).prop_map(|n| Value::object([("do", Value::from("desired")), ("count", n.into())])),
        2 => (1..4_u32)
            .prop_map(|n| Value::object([("do", Value::from("start_instance_refresh")), ("revision", n.into())])),
        1 => named("cancel_instance_refresh"),
        1 => named("rollback_instance_refresh"),
        1 => named("fix"),
        1 => named("alarm"),
        1 => on("terminate"),
        1 => on("kill"),
        1 => on("protect"),
        1 => on("unprotect"),
        1 => on("enter_standby"),
        1 => on("exit_standby"),
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

fn preferences() -> impl Strategy<Value = Value> {
    let dials = (0..101_u32, prop::option::of(100..201_u32));
    let flags = (any::<bool>(), any::<bool>());
    let waits = (0..100_u32, 0..900_u32, prop::sample::subsequence(vec![10_u32, 40, 60, 100], 0..4));
    let special = (0..3_usize, 0..3_usize);
    (dials, flags, waits, special).prop_map(|((min, max), (skip, back), (warm_up, bake, checkpoints), (p, s))| {
        let mut value = Value::object([
            ("MinHealthyPercentage", Value::from(min)),
            ("InstanceWarmup", warm_up.into()),
            ("SkipMatching", skip.into()),
            ("AutoRollback", back.into()),
            ("BakeTime", bake.into()),
            ("ScaleInProtectedInstances", ["Wait", "Refresh", "Ignore"][p].into()),
            ("StandbyInstances", ["Wait", "Terminate", "Ignore"][s].into()),
            ("AlarmSpecification", Value::object([("Alarms", Value::array(["errors"]))])),
        ]);
        if let Some(max) = max {
            value.insert("MaxHealthyPercentage", max.min(min + 100));
        }
        if !checkpoints.is_empty() {
            value.insert("CheckpointPercentages", Value::array(checkpoints));
            value.insert("CheckpointDelay", warm_up * 10);
        }
        value
    })
}

/// Any group with any refresh and any acts.
fn document() -> impl Strategy<Value = Document> {
    let group = (0..13_u32, any::<bool>(), 0..60_u32, any::<bool>());
    let start = (0..3_u32, 0..3_u32, 0..3_u32);
    let acts = prop::collection::vec((0..2_000_u32, act()), 0..6);
    let fates = (fate(), fate());
    let room = prop::option::of(0..20_u32);
    (group, preferences(), timing(), fates, start, room, acts).prop_map(
        |(
            (desired, elb, grace, known),
            preferences,
            timing,
            (new, old),
            (standby, protected, matching),
            room,
            acts,
        )| {
            let template = |version: &str| Value::object([("Version", Value::from(version))]);
            let configuration = Value::object([("LaunchTemplate", template("2"))]);
            let service = Value::object([
                ("DesiredCapacity", Value::from(desired)),
                ("HealthCheckType", if elb { "ELB" } else { "EC2" }.into()),
                ("HealthCheckGracePeriod", grace.into()),
                ("LaunchTemplate", template("1")),
                ("Preferences", preferences),
                ("DesiredConfiguration", configuration),
            ]);
            let group = Value::object([("healthCheckIntervalSeconds", Value::from(10))]);
            let start =
                [("standby", standby), ("protected", protected.min(desired)), ("matching", matching.min(desired))];
            let mut tree = Value::object([
                ("platform", Value::from("asg-refresh")),
                ("service", service),
                ("targetGroups", Value::array([group])),
                ("timing", timing),
                ("new", Value::object([("fate", new)])),
                ("old", Value::object([("fate", old)])),
                ("start", Value::object(start.map(|(key, n)| (key, Value::from(n))))),
                ("until", "6h".into()),
            ]);
            if !known {
                tree.insert("start", Value::empty_object());
            }
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
                What::Asg(Change::Launching { n, reason: LaunchReason::Batch { floor, ceiling, .. }, .. }) => {
                    prop_assert!(n > 0 && n <= ceiling - floor);
                }
                What::Asg(Change::Launching { n, reason: LaunchReason::Missing { desired, counted }, .. }) => {
                    prop_assert!(n > 0 && counted + n <= desired);
                }
                // What a batch takes away leaves the floor ready, but for those that were not.
                What::Asg(Change::Terminating { n, unready, reason: StopReason::Batch { ready, floor } }) => {
                    prop_assert!(n > 0 && (n == unready || ready - (n - unready) >= floor));
                }
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
    fn every_refresh_ends_with_a_reason_or_waits_for_a_named_thing(document in document()) {
        let run = run_to_end(resolved(&document).settings);
        let end = run.end.asg().expect("a group");
        for refresh in end.refreshes() {
            prop_assert_eq!(refresh.ended.is_some(), refresh.status.is_final());
            if refresh.status.is_failure() || refresh.status == Status::RollbackSuccessful {
                prop_assert!(refresh.because.is_some());
            }
        }
        let found = outcome(run.view(), end);
        for (row, next) in found.statuses.iter().zip(found.statuses.iter().skip(1)) {
            prop_assert!(row.from.may_become(row.to), "{row:?}");
            prop_assert!(row.refresh != next.refresh || row.to == next.from);
        }
        if found.outcome == OutcomeKind::InProgress {
            // Six hours are enough for every refresh: all that waits has a limit below that.
            prop_assert!(end.refresh().is_none() || found.hold.is_some());
        }
    }

    #[test]
    fn the_books_agree_with_the_instances(document in document()) {
        let mut run = Simulation::new(resolved(&document).settings);
        while let Step::World | Step::Pass(_) | Step::Act = run.step(&mut Trace::null()) {
            if run.next_event_at() == Some(run.now()) {
                continue;
            }
            let group = run.asg().expect("a group");
            let (view, counts) = (group.view(), group.counts());
            let ready = group.instances().filter(|instance| instance.ready).count() as u32;
            prop_assert_eq!((view.ready, counts.healthy()), (ready, ready));
            let counted = view.tally.counted();
            prop_assert_eq!(counts.counted, counted);
            // At rest nothing is stale unless a refresh runs.
            let stale = group.instances().filter(|instance| instance.stale).count();
            prop_assert!(stale == 0 || group.refresh().is_some());
        }
    }
}

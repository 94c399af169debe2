//! The rows of the guards.

use rollscope_engine::guard::GuardKind;
use rollscope_insight::{GuardRow, guard_moments, guards, run_to_end};

use crate::service;

/// Healthy 45 s after the start, gone 30 s after the decision.
const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;

fn rows(desired: u32, minimum: u32, maximum: u32, more: &str) -> Vec<GuardRow> {
    guards(run_to_end(service(desired, minimum, maximum, more).settings).view())
}

/// Bound, worst value and its moment in milliseconds.
fn worst(rows: &[GuardRow], kind: GuardKind) -> (u64, Option<(u64, u64)>) {
    let row = rows.iter().find(|row| row.kind == kind).expect("every guard has a row");
    assert!(row.holds && row.broken.is_none(), "{row:?}");
    (row.bound, row.worst.map(|(value, at)| (value, at.ms())))
}

#[test]
fn the_nearest_values_of_a_rollout_by_hand() {
    // 4 at 100/150: two start at 0:00 (6 of 6), two stop at 0:45 (6, 5, 4 healthy).
    let rows = rows(4, 100, 150, FIXED);
    assert_eq!(rows.len(), GuardKind::ALL.len());
    assert_eq!(worst(&rows, GuardKind::Ceiling), (6, Some((6, 0))));
    assert_eq!(worst(&rows, GuardKind::Floor), (4, Some((4, 45_000))));
    assert_eq!(worst(&rows, GuardKind::Spare), (1, Some((1, 45_000))));
    for kind in [GuardKind::Slot, GuardKind::Conservation, GuardKind::Time, GuardKind::FailedLaunch] {
        assert_eq!(worst(&rows, kind), (0, Some((0, 0))), "{kind:?}");
    }
    assert_eq!(rows[0].plain.map(|(n, at)| (n, at.ms())), Some((4, 0)));
    assert_eq!(rows[1].plain.map(|(n, at)| (n, at.ms())), Some((6, 0)));
    // Something changes at 0, 5, 15, 44.999, 45 and 75 s, and the same from there on.
    let run = run_to_end(service(4, 100, 150, FIXED).settings);
    let moments: std::collections::BTreeSet<_> = run.trace.records.iter().map(|record| record.at).collect();
    assert!(guard_moments(run.view()) as usize >= run.trace.samples.len());
    assert_eq!(guard_moments(run.view()) as usize, moments.len());
}

#[test]
fn nothing_to_check_is_no_worst_value() {
    // One task at 100/150 is stuck: nothing starts and nothing stops.
    let rows = rows(1, 100, 150, "");
    assert_eq!(worst(&rows, GuardKind::Ceiling), (1, None));
    assert_eq!(worst(&rows, GuardKind::Floor), (1, None));
    assert_eq!(worst(&rows, GuardKind::Spare), (1, None));
}

#[test]
fn a_task_that_dies_takes_the_healthy_below_the_floor_and_breaks_nothing() {
    let acts = format!(r#"{FIXED}, "acts": [{{"at": "10s", "do": "kill", "task": "7·1"}}]"#);
    let rows = rows(4, 100, 150, &acts);
    assert!(rows.iter().all(|row| row.holds));
    assert_eq!(rows[0].kind, GuardKind::Floor);
    assert_eq!(rows[0].plain.map(|(n, at)| (n, at.ms())), Some((3, 10_001)));
    assert_eq!(rows[0].beyond.map(|(n, floor, at)| (n, floor, at.ms())), Some((3, 4, 10_001)));
    assert_eq!((rows[0].worst.map(|(n, _)| n), rows[1].beyond), (Some(4), None));
}

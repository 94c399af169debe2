//! One evaluation at time 0.

use rollscope_insight::{Caution, Change, StepLimit, Verdict, check};

use crate::{resolve, service};

/// Desired, minimum, maximum; floor, ceiling, started, stopped.
const FIRST_STEPS: &[(u32, u32, u32, u32, u32, u32, u32)] = &[
    (4, 100, 200, 4, 8, 4, 0),
    (4, 50, 100, 2, 4, 0, 2),
    (2, 75, 200, 2, 4, 2, 0),
    (3, 100, 125, 3, 3, 0, 0),
    (4, 100, 150, 4, 6, 2, 0),
    (4, 0, 100, 0, 4, 0, 4),
    (1, 100, 150, 1, 1, 0, 0),
    (10, 90, 110, 9, 11, 1, 1),
    (7, 33, 133, 3, 9, 2, 4),
    (100, 7, 107, 7, 107, 7, 93),
    (100, 100, 115, 100, 115, 15, 0),
    (5, 81, 119, 5, 5, 0, 0),
    (0, 100, 200, 0, 0, 0, 0),
    (1000, 99, 101, 990, 1010, 10, 10),
];

#[test]
fn limits_and_first_step() {
    for &(desired, minimum, maximum, floor, ceiling, started, stopped) in FIRST_STEPS {
        let check = check(&service(desired, minimum, maximum, ""));
        let seen = (check.limits.floor, check.limits.ceiling, check.started, check.stopped);
        assert_eq!(seen, (floor, ceiling, started, stopped), "{desired} at {minimum}/{maximum}");
        assert_eq!(check.room_to_start, ceiling - desired);
        assert_eq!(check.spare_to_stop, desired - floor);
        let stuck = started + stopped == 0 && desired > 0;
        assert_eq!(check.verdict == Verdict::CannotMove, stuck, "{desired} at {minimum}/{maximum}");
        assert_eq!(check.changes.is_empty(), !stuck);
    }
}

#[test]
fn what_would_make_it_move() {
    let changes = |desired, minimum, maximum| check(&service(desired, minimum, maximum, "")).changes;
    assert_eq!(changes(1, 100, 150), [Change::Maximum(200), Change::Minimum(0), Change::Desired(2)]);
    assert_eq!(changes(3, 100, 125), [Change::Maximum(134), Change::Desired(4), Change::Minimum(66)]);
    assert_eq!(changes(1, 50, 100), [Change::Minimum(0), Change::Maximum(200), Change::Desired(2)]);
    assert_eq!(changes(5, 81, 119), [Change::Maximum(120), Change::Minimum(80), Change::Desired(6)]);
    // Every proposal really moves.
    let stuck = service(9, 100, 110, "");
    for change in check(&stuck).changes {
        let after = rollscope_insight::check::check_settings(&change.apply(&stuck.settings));
        assert!(after.moves(), "{change:?}");
    }
}

#[test]
fn no_room_is_waiting_and_says_what_would_help() {
    let full = r#""places": [{"at": "0s", "places": 4}]"#;
    let waits = check(&service(4, 100, 200, full));
    assert_eq!(waits.verdict, Verdict::WillWait);
    assert_eq!(waits.first_step_limited_by(), StepLimit::Places);
    assert_eq!(waits.changes, [Change::Places(5), Change::Minimum(75)]);
    // With a lower floor tasks make room for each other.
    let moves = check(&service(4, 50, 200, full));
    assert_eq!((moves.started, moves.stopped, moves.verdict), (0, 2, Verdict::CanMove));
    // Some find room: the rest follows as it becomes free, and places for all are offered.
    let some = check(&service(4, 100, 200, r#""places": [{"at": "0s", "places": 6}]"#));
    assert_eq!((some.started, some.need, some.verdict), (2, 4, Verdict::Caution(Caution::SomeWait)));
    assert_eq!(some.changes, [Change::Places(8)]);
}

#[test]
fn what_limits_the_first_step() {
    let limit = |desired, minimum, maximum| check(&service(desired, minimum, maximum, "")).first_step_limited_by();
    assert_eq!(limit(4, 100, 200), StepLimit::Need);
    assert_eq!(limit(4, 100, 150), StepLimit::Ceiling);
    assert_eq!(limit(4, 50, 100), StepLimit::Floor);
    assert_eq!(limit(4, 0, 100), StepLimit::Need);
    let quota = resolve(r#"{"service": {"desiredCount": 700, "launchType": "FARGATE"}}"#);
    assert_eq!(check(&quota).first_step_limited_by(), StepLimit::Quota);
}

#[test]
fn all_tasks_at_once_is_a_caution() {
    assert_eq!(check(&service(4, 0, 100, "")).verdict, Verdict::Caution(Caution::NothingServes));
    assert_eq!(check(&service(1, 0, 100, "")).verdict, Verdict::Caution(Caution::NothingServes));
    assert_eq!(check(&service(4, 25, 100, "")).verdict, Verdict::CanMove);
}

#[test]
fn without_a_rollout_there_is_nothing_to_do() {
    let steady = r#""start": {"deployments": [{"revision": 7, "rolloutState": "COMPLETED", "healthy": 4}]}"#;
    assert_eq!(check(&service(4, 100, 200, steady)).verdict, Verdict::NothingToDo);
    assert_eq!(check(&service(0, 100, 200, "")).verdict, Verdict::NothingToDo);
}

#[test]
fn cautions_about_what_guards() {
    let of = |desired: u32, deployment: &str, more: &str| {
        let text = format!(
            r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration": {{{deployment}}}}}, "quotas": "none"{more}}}"#
        );
        check(&crate::resolve(&text)).verdict
    };
    let breaker = r#""deploymentCircuitBreaker": { "enable": true, "rollback": true }"#;
    assert_eq!(of(400, breaker, ""), Verdict::Caution(Caution::LateBreaker(200)));
    assert_eq!(of(198, breaker, ""), Verdict::CanMove, "99 failures");
    let first = r#", "start": { "deployments": [] }"#;
    assert_eq!(of(4, breaker, first), Verdict::Caution(Caution::NoCandidate));
    assert_eq!(of(4, "", first), Verdict::CanMove, "nothing would be rolled back anyway");
    let off = r#""deploymentCircuitBreaker": { "enable": true, "rollback": false }"#;
    assert_eq!(of(4, off, first), Verdict::CanMove);
    let alarms = r#""alarms": { "alarmNames": [ "errors" ], "enable": true, "rollback": true }"#;
    let red = r#", "alarms": [ { "name": "errors", "at_start": "ALARM" } ]"#;
    assert_eq!(of(4, alarms, red), Verdict::Caution(Caution::AlarmsIgnored));
    let at_zero =
        r#", "alarms": [ { "name": "errors", "at_start": "ALARM", "changes": [ { "at": 0, "state": "OK" } ] } ]"#;
    assert_eq!(of(4, alarms, at_zero), Verdict::CanMove);
    assert_eq!(of(4, "", red), Verdict::CanMove, "nobody watches it");
}

//! What would let a rollout get done whose checks are too strict.

use rollscope_insight::{Change, OutcomeKind, cures, outcome, run_to_end};

use crate::{both, service};

/// The application answers a minute after RUNNING.
const SLOW: &str = r#""timing": {"start_up": "60s"}"#;

fn found(desired: u32, more: &str) -> Vec<Change> {
    let resolved = service(desired, 100, 200, &format!(r#"{more}, "until": "15m""#));
    let (_, seen) = both(&resolved);
    let found = cures(&resolved.settings, &seen);
    // Every proposal really completes, and the one before it does not.
    for change in &found {
        let ends = |change: Change| outcome(run_to_end(change.apply(&resolved.settings)).view()).outcome;
        assert_eq!(ends(*change), OutcomeKind::Completed, "{more}: {change:?}");
        let less = match *change {
            Change::Grace(n) => Change::Grace(n - 1),
            Change::StartPeriod(n) => Change::StartPeriod(n - 1),
            Change::Retries(n) => Change::Retries(n - 1),
            Change::UnhealthyThreshold(n) => Change::UnhealthyThreshold(n - 1),
            other => panic!("{other:?} is about no check"),
        };
        assert_eq!(ends(less), OutcomeKind::InProgress, "{more}: {less:?}");
    }
    found
}

#[test]
fn a_container_check_that_gives_up_too_early() {
    // Probes at 10, 20 and 30 s fail: unhealthy. The one at 60 s would pass.
    let check = r#""containers": [{"healthCheck": {"interval": 10, "retries": 3}}]"#;
    let expected = [Change::Grace(60), Change::StartPeriod(31), Change::Retries(6)];
    assert_eq!(found(4, &format!("{check}, {SLOW}")), expected);
    // A large service is confirmed with fewer tasks.
    let large = service(1_000, 100, 200, &format!(r#"{check}, {SLOW}, "until": "3m""#));
    assert_eq!(cures(&large.settings, &both(&large).1), expected);
}

#[test]
fn a_target_group_that_gives_up_too_early() {
    // Checks at 10 and 20 s fail: unhealthy. Five passes in a row, 60 to 100 s, make it healthy again.
    let group = r#""targetGroups": [{"healthCheckIntervalSeconds": 10}]"#;
    assert_eq!(found(4, &format!("{group}, {SLOW}")), [Change::Grace(100), Change::UnhealthyThreshold(6)]);
    // The slowest start decides where starts differ: none of them answers within 20 s.
    let varies = r#""timing": {"start_up": {"uniform": ["30s", "59s"]}}"#;
    let resolved = service(4, 100, 200, &format!(r#"{group}, {varies}, "until": "10m""#));
    let (_, seen) = both(&resolved);
    assert_eq!(seen.outcome, OutcomeKind::InProgress);
    assert_eq!(cures(&resolved.settings, &seen)[0], Change::Grace(100));
}

#[test]
fn nothing_cures_what_never_passes_or_what_is_well() {
    let group = r#""targetGroups": [{"healthCheckIntervalSeconds": 10}]"#;
    for more in [
        format!(r#"{group}, "new": {{"fate": "never_passes"}}"#),
        format!(r#"{group}, "new": {{"fate": "hangs"}}"#),
        format!(r#"{group}, "new": {{"fate": {{"exits_after": "5s"}}}}"#),
        group.to_owned(),
    ] {
        assert_eq!(found(4, &more), [], "{more}");
    }
}

//! Figures of rollouts that go wrong or end early, worked out by hand.

use rollscope_insight::headlines::{RevisionShare, Span};
use rollscope_insight::{Headlines, headlines, run_to_end};

use crate::resolve;

fn of(deployment: &str, more: &str) -> Headlines {
    let text = format!(
        r#"{{"service": {{"desiredCount": 4, "deploymentConfiguration": {{{deployment}}}}}, "quotas": "none", {more}}}"#
    );
    let run = run_to_end(resolve(&text).settings);
    headlines(run.view(), &run.end.frame().service_deployments)
}

fn shares(span: &Span) -> Vec<(u32, u32)> {
    span.shares.iter().map(|RevisionShare { revision, per_mille }| (*revision, *per_mille)).collect()
}

#[test]
fn a_rollback_at_half_strength() {
    // Two old tasks stop at 0 and are gone at 60 s; the new ones fail at 75 and 90 s, the third
    // failure trips; two old ones start at 90 s and are healthy at 145 s.
    let half = r#""minimumHealthyPercent": 50, "maximumPercent": 100,
        "deploymentCircuitBreaker": { "enable": true, "rollback": true }"#;
    let found = of(half, r#""timing": { "gone_after": "60s" }, "new": { "fate": "never_running" }"#);
    assert_eq!((found.gave_up_ms, found.during.below_desired_ms), (Some(90_000), 145_000));
    assert_eq!((shares(&found.during), found.after, found.successful), (vec![(7, 1000)], None, false));
}

#[test]
fn who_answers() {
    // Healthy at 55 s: until then old, from then on new; gone, and done, at 110 s.
    let found = of("", r#""timing": { "gone_after": "55s" }"#);
    assert_eq!((shares(&found.during), found.gave_up_ms), (vec![(7, 500), (8, 500)], None));
    // The old tasks leave from 55 to 110 s, and get no new requests in that time.
    assert_eq!((found.during.below_desired_ms, found.during.old_leaves_ms), (0, 55_000));
    // At 150 % two of four: 0 to 55 s old; 55 to 110 s two of four each; then two more start at
    // 110 s and are healthy at 165 s; the last two old ones are gone at 220 s.
    let found = of(r#""maximumPercent": 150"#, r#""timing": { "gone_after": "55s" }"#);
    // Old: 55 + 55/2 + 55/2 = 110 of 220 s.
    assert_eq!(shares(&found.during), [(7, 500), (8, 500)]);
}

#[test]
fn old_code_after_success() {
    // Two of four are enough at 55 s. One old task is protected for an hour: three tasks answer
    // with it once 8·3 and 8·4 are there.
    let early = r#""minimumHealthyPercent": 50, "earlySuccessCriteria": { "enable": true, "healthyPercent": 50,
        "sourceServiceRevisionCleanup": "DEFERRED" }"#;
    let found = of(
        early,
        r#""timing": { "gone_after": "30s" }, "acts": [ { "at": 0, "do": "protect", "task": "7.3", "expiresInMinutes": 60 } ]"#,
    );
    // From 55 s to 3600 s one old task beside four new ones: a fifth of the traffic.
    let after = found.after.expect("it goes on");
    assert_eq!((after.old_answers_ms, after.old_per_mille), (3_545_000, 200));
    // It is gone 30 s later, and two tasks of four were healthy until the other two were, at 110 s.
    assert_eq!((after.old_leaves_ms, after.ms), (30_000, 3_575_000));
    let whole = of(r#""minimumHealthyPercent": 50"#, r#""timing": { "gone_after": "30s" }"#);
    assert_eq!((whole.after, whole.successful), (None, true));
}

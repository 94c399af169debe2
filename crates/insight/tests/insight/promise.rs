//! What a change comes to, against the run with it.

use rollscope_engine::SimTime;
use rollscope_insight::{Change, Promise, promise};

use crate::{both, resolve};

/// 99 tasks and room for one more: 99 rounds of 2 minutes. Twice the instances: one round.
#[test]
fn room_for_all_makes_one_round_of_many() {
    let resolved = resolve(
        r#"{"service":{"desiredCount":99,"launchType":"EC2"},
        "capacity":{"instances":[{"count":10,"cpu":2560,"memory":8192}]},"timing":{"healthy_after":"90s","gone_after":"30s"}}"#,
    );
    let now = Promise::of(&both(&resolved).1);
    assert_eq!((now.done, now.rounds, now.lowest_healthy), (Some(SimTime(11_880_000)), 99, 99));
    let then = promise(&resolved.settings, &Change::Instances(20)).expect("it is run");
    assert_eq!(then, Promise { done: Some(SimTime(120_000)), rounds: 1, ..now });
}

#[test]
fn what_is_too_large_is_not_promised() {
    let resolved = resolve(r#"{"service":{"desiredCount":4}}"#);
    assert!(promise(&resolved.settings, &Change::Desired(200)).is_some());
    assert_eq!(promise(&resolved.settings, &Change::Desired(201)), None);
}

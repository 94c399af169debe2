//! What a run meets that its first step does not tell, and what spares it that.

use rollscope_engine::SimTime;
use rollscope_insight::{
    BreakerChange, Caution, Change, HeldStage, HostDrain, LoweredCount, Overload, Verdict, check, offers, verdict,
};

use crate::{both, resolve};

/// Verdict and offers of a document.
fn told(text: &str) -> (Verdict, Vec<Change>) {
    let resolved = resolve(text);
    let (before, seen) = (check(&resolved), both(&resolved).1);
    (verdict(&before, Some(&seen)), offers(&resolved, &before, &seen))
}

#[test]
fn a_template_with_an_old_count() {
    let (found, offered) = told(
        r#"{"service":{"desiredCount":6},"start":{"deploy":false},
        "acts":[{"at":"9m","do":"schedule","count":6},{"at":"1m","do":"template","count":2}]}"#,
    );
    let lowered = LoweredCount { at: SimTime(60_000), from: 6, to: 2 };
    assert_eq!(found, Verdict::Caution(Caution::LowersCount(lowered)));
    // The second act of the document is the first one in time.
    assert_eq!(offered, [Change::TemplateCount { act: 0, place: 1, count: 6 }]);
    assert_eq!(offered[0].field(), "/acts/1/count");
    // One that raises the count lowers nothing.
    let (found, _) = told(
        r#"{"service":{"desiredCount":2},"start":{"deploy":false},"acts":[{"at":"1m","do":"template","count":6}]}"#,
    );
    assert!(!matches!(found, Verdict::Caution(Caution::LowersCount(_))), "{found:?}");
}

/// Three tasks on three instances; the first one is drained.
fn draining(maximum: u32, instances: u32) -> (Verdict, Vec<Change>) {
    told(&format!(
        r#"{{"service":{{"desiredCount":3,"launchType":"EC2","deploymentConfiguration":{{"maximumPercent":{maximum}}}}},
        "start":{{"deploy":false}},"capacity":{{"instances":[{{"count":{instances}}}],"task":{{"cpu":2048}}}},
        "acts":[{{"at":"1m","do":"drain_instance","instance":1}}]}}"#
    ))
}

#[test]
fn an_instance_that_the_limits_or_the_room_keep_full() {
    let stays = HostDrain { host: 1, at: SimTime(60_000), tasks: 1, empty_at: None };
    // floor(3 × 1.25) = 3: no room for a replacement, and the floor of 3 lets none of 3 go.
    let blocked = Verdict::Caution(Caution::DrainBlocked(stays));
    assert_eq!(draining(125, 4), (blocked, vec![Change::Maximum(134), Change::Minimum(66)]));
    // At 200 the ceiling has room, but every instance is full.
    let (found, offered) = draining(200, 3);
    assert_eq!((found, offered.contains(&Change::Instances(4))), (blocked, true), "{offered:?}");
    assert_eq!(draining(200, 4), (Verdict::NothingToDo, vec![]));
}

#[test]
fn more_requests_than_a_task_can_answer() {
    let (found, offered) = told(
        r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":150}},
        "targetGroups":[{}],"traffic":{"requests_per_second":100,"per_task":30}}"#,
    );
    let Verdict::Caution(Caution::Overload(Overload { load, most, rate, .. })) = found else { panic!("{found:?}") };
    // Two of four are left: 100 / 2.
    assert_eq!((load, most, rate), (50_000, 30, 100));
    // 100 / 30 takes 4 of 4, or at 50 % 8 tasks.
    assert_eq!(offered, [Change::Minimum(100), Change::Desired(8)]);
}

#[test]
fn a_stage_that_lasts_a_day() {
    let text = |fate: &str| {
        format!(
            r#"{{"service":{{"desiredCount":4,"deploymentConfiguration":{{"strategy":"BLUE_GREEN","bakeTimeInMinutes":5}}}},
            "targetGroups":[{{}}],"new":{{"fate":"{fate}"}}}}"#
        )
    };
    let seen = both(&resolve(&text("never_passes"))).1;
    assert_eq!(seen.troubles.held, Some(HeldStage::Lacks(4)));
    assert_eq!(told(&text("never_passes")), (Verdict::WillFailAndRollBack, vec![Change::Breaker(BreakerChange::On)]));
    assert_eq!(both(&resolve(&text("healthy"))).1.troubles.held, None);
}

#[test]
fn a_service_below_its_floor_without_a_deployment() {
    let killed =
        r#"{"service":{"desiredCount":4},"start":{"deploy":false},"acts":[{"at":"1m","do":"kill","task":"7·1"}]}"#;
    assert_eq!(told(killed).0, Verdict::Caution(Caution::FallsLow((3, 4))));
    assert_eq!(told(r#"{"service":{"desiredCount":4},"start":{"deploy":false}}"#), (Verdict::NothingToDo, vec![]));
}

//! What a run meets that its first step does not tell, and what spares it that.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_insight::{
    BreakerChange, Caution, Change, CutRequests, HeldStage, HostDrain, LoweredCount, Overload, Repaired, Rescaled,
    Verdict, check, offers, verdict,
};
use rollscope_scenario::Value;

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
    let (count, keeps) =
        (Change::TemplateCount { act: 0, place: 1, count: 6 }, Change::TemplateKeeps { act: 0, place: 1 });
    assert_eq!(offered, [count, keeps]);
    assert_eq!([count.field(), keeps.field()], ["/acts/1/count", "/acts/1/count"]);
    assert_eq!([count.written(), keeps.written()], [Value::from(6), Value::Null]);
    // One that raises the count lowers nothing.
    let (found, _) = told(
        r#"{"service":{"desiredCount":2},"start":{"deploy":false},"acts":[{"at":"1m","do":"template","count":6}]}"#,
    );
    assert!(!matches!(found, Verdict::Caution(Caution::LowersCount(_))), "{found:?}");
}

#[test]
fn a_template_without_a_count_keeps_the_count() {
    let seen = |count: &str| {
        let act = format!(r#"{{"at":"1m","do":"template"{count}}}"#);
        both(&resolve(&format!(r#"{{"service":{{"desiredCount":6}},"start":{{"deploy":false}},"acts":[{act}]}}"#))).1
    };
    let (without, small, same) = (seen(""), seen(r#","count":2"#), seen(r#","count":6"#));
    assert_eq!((without.troubles.template, without.limits.desired), (None, 6));
    assert_eq!((small.limits.desired, small.figures.lowest_healthy), (2, 2));
    // It deploys all the same, as a template with the count of the moment does.
    assert!(without.completed_at.is_some());
    assert_eq!(without.completed_at, same.completed_at);
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

/// 4 tasks with requests of a minute, and this delay.
fn drained_for(delay: u32, more: &str) -> (Verdict, Vec<Change>) {
    told(&format!(
        r#"{{"service":{{"desiredCount":4,"deploymentConfiguration":{{"minimumHealthyPercent":50,"maximumPercent":100}}}},
        "targetGroups":[{{"deregistration_delay.timeout_seconds":{delay}}}{more}],"traffic":{{"requests_per_second":100}},
        "old":{{"request_time":"59s500ms"}},"new":{{"request_time":"1s"}}}}"#
    ))
}

#[test]
fn requests_that_take_longer_than_the_drain() {
    // The first two had 25 a second each until time 0, the last two 50 each until two new ones were healthy. After 10 s
    // those of 49.5 s are open: (2 × 25 + 2 × 50) × 49.5 = 7,425, of 100 a second for 114 s.
    let (found, offered) = drained_for(10, "");
    let Verdict::Caution(Caution::CutsOff(cut)) = found else { panic!("{found:?}") };
    assert_eq!(cut, CutRequests { requests: 7_425, offered: 11_400, delay_ms: 10_000, longest_ms: 59_500 });
    // 59 s would still cut off the last half second.
    assert_eq!(offered, [Change::LongerDelay(60)]);
    assert_eq!(drained_for(59, "").1, [Change::LongerDelay(60)]);
    assert_eq!(drained_for(60, ""), (Verdict::CanMove, vec![]));
    // Of two target groups it is not said which one cuts.
    let (found, offered) = drained_for(10, r#",{"deregistration_delay.timeout_seconds":5}"#);
    assert!(matches!(found, Verdict::Caution(Caution::CutsOff(_))), "{found:?}");
    assert_eq!(offered, []);
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

#[test]
fn something_serves_with_one_percentage_more() {
    let of = |service: &str, more: &str| told(&format!(r#"{{"service":{{{service}}}{more}}}"#));
    let minimum = r#""deploymentConfiguration":{"minimumHealthyPercent":0,"maximumPercent":100}"#;
    let (found, offered) = of(&format!(r#""desiredCount":4,{minimum}"#), "");
    assert_eq!(found, Verdict::Caution(Caution::NothingServes));
    // 4 × 25 % = 1 stays. A greater maximum alone would let all four go as well.
    assert_eq!(offered, [Change::Minimum(25)]);
    // A floor of 1 would hold the only task: no single field helps.
    assert_eq!(of(&format!(r#""desiredCount":1,{minimum}"#), "").1, []);
    // A daemon has no place for a second task.
    let daemon = r#""schedulingStrategy":"DAEMON""#;
    assert_eq!(of(daemon, r#","capacity":{"instances":[{"count":4}]}"#).1, [Change::Minimum(25)]);
    assert_eq!(of(daemon, r#","capacity":{"instances":[{}]}"#).1, []);
}

#[test]
fn a_breaker_brings_no_fargate_capacity() {
    let (found, offered) =
        told(r#"{"service":{"desiredCount":4,"launchType":"FARGATE"},"capacity":{"unavailable":[{}]}}"#);
    assert_eq!(found, Verdict::WillWait);
    assert!(offered.iter().all(|change| !matches!(change, Change::Breaker(_))), "{offered:?}");
}

#[test]
fn a_lost_old_task_and_zones_that_are_evened_out() {
    let seen = |id: &str| {
        let preset = rollscope_scenario::Preset::find(id).expect("a preset");
        both(&resolve(preset.document)).1.troubles
    };
    let by = TaskName { revision: 7, start: 5 };
    // The larger desired count at 10 minutes brings old tasks as well, and nothing was lost then.
    assert_eq!(seen("old-task-dies").repaired, Some(Repaired { at: SimTime(120_001), by }));
    assert_eq!(seen("rebalance").evened, Some((SimTime(300_000), 2)));
    let grows = r#"{"service":{"desiredCount":4},"until":"20m","targetGroups":[{}],"new":{"fate":"never_passes"},
        "acts":[{"at":"10m","do":"desired","count":6}]}"#;
    assert_eq!(both(&resolve(grows)).1.troubles.repaired, None);
}

/// 4 tasks at 50/100 while Fargate has nothing to give for five minutes: two stop at once, gone at 2 s, and 2 of 4 serve
/// until 5:00. At 100/200 none stops, and at 50/100 without the outage nothing waits.
#[test]
fn stopping_first_where_fargate_has_no_capacity() {
    let text = |minimum: u32, maximum: u32, until: &str| {
        format!(
            r#"{{"service":{{"desiredCount":4,"launchType":"FARGATE","deploymentConfiguration":{{
            "minimumHealthyPercent":{minimum},"maximumPercent":{maximum}}}}},"capacity":{{"unavailable":[{{"until":"{until}"}}]}}}}"#
        )
    };
    let short = |text: String| both(&resolve(&text)).1.troubles.short;
    let found = short(text(50, 100, "5m")).expect("it runs short");
    assert_eq!((found.from, found.until), (SimTime(2_000), SimTime(300_000)));
    assert_eq!((found.healthy, found.desired), (2, 4));
    assert_eq!(told(&text(50, 100, "5m")).0, Verdict::Caution(Caution::RunsShort(found)));
    assert_eq!(short(text(0, 100, "5m")).map(|found| found.healthy), Some(0));
    for (minimum, maximum, until) in [(100, 200, "5m"), (50, 100, "40s")] {
        assert_eq!(short(text(minimum, maximum, until)), None, "{minimum}/{maximum} until {until}");
    }
}

/// The load doubles at 1:00, and target tracking acts on three minutes of it: inside the rollout where that is slow.
#[test]
fn target_tracking_in_the_middle_of_a_rollout() {
    let text = |maximum: u32| {
        format!(
            r#"{{"service":{{"desiredCount":4,"deploymentConfiguration":{{"maximumPercent":{maximum}}}}},"targetGroups":[{{}}],
            "timing":{{"healthy_after":"60s","gone_after":"30s"}},
            "traffic":{{"requests_per_second":200,"steps":[{{"at":"1m","requests_per_second":400}}]}},
            "autoscaling":{{"minCapacity":4,"maxCapacity":12,"targetValue":3000}}}}"#
        )
    };
    let scaled = |text: String| both(&resolve(&text)).1.troubles.scaled;
    assert_eq!(scaled(text(125)), Some(Rescaled { at: SimTime(240_000), from: 4, to: 8 }));
    // All at once: done at 1:30.
    assert_eq!(scaled(text(200)), None);
}

//! Runs beside each other, with numbers worked out by hand.

use rollscope_engine::SimTime;
use rollscope_insight::account::Part;
use rollscope_insight::comparison::{
    Clause, Comparison, Difference, Figure, Fleet, Heading, Kind, Ratio, RowKind, SharedChange, all_failing,
    comparison, shared_change, short_drain, went_back,
};
use rollscope_insight::{OutcomeKind, Run, run_to_end};
use rollscope_scenario::Resolved;

use crate::{resolve, service};

/// RUNNING at 0:15, healthy at 0:45, draining 5:00, stopping 0:30.
const SLOW_DRAIN: &str = r#""targetGroups": [{"deregistration_delay.timeout_seconds": 300}],
    "timing": {"provisioning": "5s", "pull": "10s", "start_up": "30s", "first_check": "30s", "open_request": "5m",
        "exit_after_sigterm": "30s"}"#;

fn compared(all: &[Resolved]) -> Comparison {
    let runs: Vec<Run> = all.iter().map(|one| run_to_end(one.settings.clone())).collect();
    let views: Vec<_> = runs.iter().map(Run::view).collect();
    let goes_back = |one: &Resolved| went_back(run_to_end(all_failing(&one.settings)?).view());
    let failing: Vec<Option<u64>> = all.iter().map(goes_back).collect();
    comparison(&views, &failing)
}

fn figures(comparison: &Comparison, kind: RowKind) -> &[Figure] {
    &comparison.rows.iter().find(|row| row.kind == kind).expect("a row").figures
}

fn two() -> [Resolved; 2] {
    [service(4, 100, 200, SLOW_DRAIN), service(4, 100, 125, SLOW_DRAIN)]
}

/// 45 + 300 + 30 = 375 s, once or four times; 4 x 375 = 1 x 1,500 task-seconds.
#[test]
fn all_at_once_or_one_by_one() {
    let compared = compared(&two());
    let times = |a: u64, b: u64| [Figure::Time(a * 1_000), Figure::Time(b * 1_000)];
    let counts = |a, b| [Figure::Count(a), Figure::Count(b)];
    assert_eq!(figures(&compared, RowKind::DoneAfter), times(375, 1_500));
    assert_eq!(figures(&compared, RowKind::Rounds), counts(1, 4));
    assert_eq!(figures(&compared, RowKind::MostAtOnce), counts(8, 5));
    assert_eq!(figures(&compared, RowKind::FewestHealthy), counts(4, 4));
    // The old ones go out of rotation at 0:45, one each 375 s: the last one at 3 x 375 + 45 = 1,170 s.
    assert_eq!(figures(&compared, RowKind::BothVersions), times(0, 1_125));
    assert_eq!(figures(&compared, RowKind::ExtraCapacity), [Figure::TaskTime(1_500_000), Figure::TaskTime(1_500_000)]);
    assert_eq!(figures(&compared, RowKind::FirstNewServes), times(45, 45));
    let heavy: Vec<RowKind> = compared.rows.iter().filter(|row| row.heavy).map(|row| row.kind).collect();
    assert_eq!(heavy, [RowKind::DoneAfter, RowKind::MostAtOnce, RowKind::BothVersions]);
    assert_eq!(compared.heading, Heading::Pair(vec![Clause::Extra(Ratio::Same), Clause::Wait(Ratio::Times(4))]));
    let borrowed: Vec<_> = compared.borrowed.iter().map(|b| (b.most, b.for_ms)).collect();
    assert_eq!(borrowed, [(4, Some(375_000)), (1, Some(1_500_000))]);
    assert_eq!(compared.revisions, [Some(8), Some(8)]);
    let done = &compared.rows[0];
    let difference = done.figures[1].difference(done.figures[0]);
    assert_eq!(difference, Some(Difference { by: Figure::Time(1_125_000), less: false }));
}

/// 300 of 375 s are draining: 80 % of both. With 30 s it is 105 s a round: 1:45 and 7:00.
#[test]
fn the_largest_part_and_what_would_shorten_both() {
    let all = two();
    let compared = compared(&all);
    let largest = compared.largest.clone().expect("both are over");
    assert_eq!((largest.part, &largest.percents[..]), (Part::Draining, &[Some(80), Some(80)][..]));
    let shorter = short_drain(&[&all[0].settings, &all[1].settings], &largest).expect("both drain for long");
    let done = |settings: &rollscope_engine::settings::Settings| {
        rollscope_insight::outcome(run_to_end(settings.clone()).view()).completed_at.map(|at| at.ms())
    };
    let after: Vec<Option<u64>> = shorter.iter().map(done).collect();
    let before = figures(&compared, RowKind::DoneAfter);
    let expected = SharedChange { deregistration_delay_ms: 30_000, done_ms: vec![105_000, 420_000] };
    assert_eq!(shared_change(before, &after), Some(expected));
    assert_eq!(shared_change(before, &[Some(105_000), None]), None, "B would not be done");
    assert_eq!(shared_change(before, &[Some(105_000), Some(1_500_000)]), None, "no sooner");
    // Where one of them drains shortly already there is nothing to try.
    let short = service(4, 100, 200, &SLOW_DRAIN.replace("300}", "20}"));
    assert_eq!(short_drain(&[&all[0].settings, &short.settings], &largest), None);
}

/// With a threshold of 3 (half of 4 is 2, and it is never below 3) four tasks that fail before
/// RUNNING at 0:15 trip it at once; one by one, each with its pause, take longer.
#[test]
fn how_long_until_it_goes_back() {
    let breaker = r#""service": {"desiredCount": 4, "deploymentConfiguration": {"minimumHealthyPercent": 100, "maximumPercent": MAX,
        "deploymentCircuitBreaker": {"enable": true, "rollback": true}}}, "quotas": "none""#;
    let of = |maximum: &str| crate::resolve(&format!("{{{}, {SLOW_DRAIN}}}", breaker.replace("MAX", maximum)));
    let all = [of("200"), of("125"), service(4, 100, 200, SLOW_DRAIN)];
    let compared = compared(&all);
    let failing = figures(&compared, RowKind::RollbackIfAllFail);
    assert_eq!((failing[0], failing[2]), (Figure::Time(15_000), Figure::Never));
    assert!(failing[1].number() > failing[0].number(), "one after the other: {failing:?}");
    assert_eq!(figures(&compared, RowKind::FailuresUntilRollback)[..2], [Figure::Count(3), Figure::Count(3)]);
    assert_eq!(figures(&compared, RowKind::FailuresUntilRollback)[2], Figure::Never);
}

#[test]
fn one_that_cannot_move_beside_one_that_can() {
    let compared = compared(&[service(1, 100, 200, SLOW_DRAIN), service(1, 100, 150, SLOW_DRAIN)]);
    let ends = vec![Figure::Time(375_000), Figure::Ends(OutcomeKind::Stuck)];
    assert_eq!(compared.heading, Heading::Ends(ends));
    assert!(compared.accounts[0].is_some() && compared.accounts[1].is_none());
    assert_eq!(compared.largest.expect("of the first").percents, [Some(80), None]);
}

#[test]
fn a_run_beside_its_copy() {
    let compared = compared(&[service(4, 100, 150, SLOW_DRAIN), service(4, 100, 150, SLOW_DRAIN)]);
    assert_eq!(compared.heading, Heading::Same);
    assert!(compared.rows.iter().all(|row| !row.heavy && row.is_same()));
}

/// Whatever runs are compared, a row has a figure for each, and equal figures differ by nothing.
#[test]
fn four_at_once() {
    let all = [100, 125, 150, 200].map(|maximum| service(4, 50, maximum, SLOW_DRAIN));
    let compared = compared(&all);
    assert!(compared.rows.iter().all(|row| row.figures.len() == 4));
    assert!(matches!(compared.heading, Heading::Range { fewest: (0, 4), .. }), "{:?}", compared.heading);
    assert_eq!(compared.ends.len(), 4);
    for row in &compared.rows {
        for figure in &row.figures {
            let own = figure.difference(*figure);
            assert!(own.is_none_or(|difference| difference.by.number() == Some(0) && !difference.less));
        }
    }
}

#[test]
fn an_instance_refresh_beside_a_service_and_a_deployment() {
    const PACE: &str = r#""timing": {"healthy_after": "30s", "gone_after": "20s"}"#;
    let all = [
        service(4, 100, 125, &format!(r#""quotas": "none", {PACE}"#)),
        resolve(&format!(
            r#"{{"platform": "kubernetes-deployment", "service": {{"replicas": 4,
                "strategy": {{"rollingUpdate": {{"maxSurge": 1, "maxUnavailable": 0}}}}}}, {PACE}}}"#
        )),
        resolve(&format!(
            r#"{{"platform": "asg-refresh", "service": {{"DesiredCapacity": 4, "Preferences":
                {{"MinHealthyPercentage": 100, "MaxHealthyPercentage": 100, "InstanceWarmup": 60}}}}, {PACE}}}"#
        )),
    ];
    let found = compared(&all);
    assert_eq!(found.fleet, Fleet::of(&[Kind::Tasks, Kind::Pods, Kind::Instances]));
    // Kubernetes and EC2 count no failures: that is no "never" of theirs.
    for kind in [RowKind::FailuresUntilRollback, RowKind::RollbackIfAllFail] {
        assert_eq!(figures(&found, kind), [Figure::Never, Figure::Absent, Figure::Absent], "{kind:?}");
    }
    // A task waits until the old one is gone, a Pod until it is ready; an instance warms up for another minute.
    let s = |n: u64| Figure::Time(n * 1_000);
    assert_eq!(figures(&found, RowKind::DoneAfter)[2], s(4 * 90));
    assert_eq!(figures(&found, RowKind::DoneAfter)[0], s(4 * 50));
    assert_eq!(figures(&found, RowKind::Rounds), [Figure::Count(4); 3]);
    // The fifth is there; with those on their way out the sixth.
    assert_eq!(figures(&found, RowKind::MostAtOnce), [Figure::Count(5); 3]);
    assert_eq!(figures(&found, RowKind::MostThere)[2], Figure::Count(6));
    assert_eq!(figures(&found, RowKind::FewestHealthy), [Figure::Count(4); 3]);
    assert_eq!(figures(&found, RowKind::FirstNewServes), [s(30), s(30), s(90)]);
    // One beyond the four for 360 s, and a second one for 20 s at the end of each of the four rounds.
    assert_eq!(figures(&found, RowKind::ExtraCapacity)[2], Figure::TaskTime((360 + 4 * 20) * 1_000));
    assert_eq!(found.ends[2], SimTime(360_000));
    assert_eq!(found.revisions[2], Some(2));
}

#[test]
fn a_refresh_that_comes_back_is_not_done() {
    let group = |preferences: &str, rest: &str| {
        resolve(&format!(
            r#"{{"platform": "asg-refresh", "service": {{"DesiredCapacity": 4, "LaunchTemplate": {{"Version": "1"}},
                "DesiredConfiguration": {{"LaunchTemplate": {{"Version": "2"}}}},
                "Preferences": {{"InstanceWarmup": 60{preferences}}}}},
                "timing": {{"healthy_after": "30s", "gone_after": "20s"}}, {rest}}}"#
        ))
    };
    let found = compared(&[
        group("", r#""acts": [{"at": "200s", "do": "rollback_instance_refresh"}]"#),
        group("", r#""acts": [{"at": "200s", "do": "cancel_instance_refresh"}]"#),
    ]);
    let ends = [Figure::Ends(OutcomeKind::RolledBack), Figure::Ends(OutcomeKind::Cancelled)];
    assert_eq!(figures(&found, RowKind::DoneAfter), ends);
    assert_eq!(found.heading, Heading::Ends(ends.to_vec()));
    assert!(found.fleet == Fleet::INSTANCES && found.rows.iter().all(|row| row.kind != RowKind::FewestAsked));
    assert!(found.rows.iter().all(|row| row.kind != RowKind::FailuresUntilRollback), "nothing counts them");
}

//! How runs end.

use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::{
    BlockedBy, Caution, CutOff, OutcomeKind, RunView, Verdict, gives_up, outcome, run_to_end, verdict,
};
use rollscope_player::Player;

use crate::{both, service};

/// Everything takes constant time: healthy 45 s after the start, gone 30 s after the decision.
const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;
const FIXED_LOCKSTEP: &str =
    r#""timing": {"healthy_after": "45s", "gone_after": "30s"}, "readings": {"start_first": true}"#;

/// Desired, minimum, maximum; waves in lockstep, peak, low.
const WAVES: &[(u32, u32, u32, u32, u32, u32)] = &[
    (4, 100, 200, 1, 8, 4),
    (4, 50, 100, 2, 4, 2),
    (4, 100, 150, 2, 6, 4),
    (4, 0, 100, 1, 4, 0),
    (1, 100, 200, 1, 2, 1),
    (4, 100, 125, 4, 5, 4),
    (10, 90, 110, 6, 11, 9),
    (7, 33, 133, 2, 9, 3),
    (100, 29, 129, 2, 129, 29),
    (100, 100, 115, 7, 115, 100),
    (5, 80, 120, 3, 6, 4),
    (8, 75, 125, 3, 10, 6),
    (0, 100, 200, 0, 0, 0),
    (3, 100, 300, 1, 6, 3),
];

#[test]
fn waves_peak_and_low() {
    for &(desired, minimum, maximum, waves, peak, low) in WAVES {
        let (_, o) = both(&service(desired, minimum, maximum, FIXED_LOCKSTEP));
        assert_eq!(o.outcome, OutcomeKind::Completed, "{desired} at {minimum}/{maximum}");
        let figures = (o.figures.waves, o.figures.peak_tasks, o.figures.lowest_healthy);
        assert_eq!(figures, (waves, peak, low), "{desired} at {minimum}/{maximum}");
        assert!(o.figures.invariants_broken.is_empty());
    }
}

#[test]
fn times_and_sums_by_hand() {
    // 4 tasks in one wave: healthy at 45 s, the old ones gone at 75 s.
    let (_, o) = both(&service(4, 100, 200, FIXED));
    assert_eq!(o.completed_at, Some(SimTime(75_000)));
    assert_eq!(o.figures.task_ms_extra, 4 * 75_000);
    // New healthy at 45 s, old ones stop in the same instant: never both.
    assert_eq!(o.figures.both_versions_ms, 0);
    assert_eq!(o.now.all.healthy, 4);
    assert_eq!(o.now.by_revision[&8].total, 4);
    assert_eq!(o.deployments.len(), 1);
    // Two at a time: 2 new beside 2 old from 45 s until the second pair is healthy at 120 s.
    let (_, o) = both(&service(4, 100, 150, FIXED));
    assert_eq!(o.completed_at, Some(SimTime(150_000)));
    assert_eq!(o.figures.both_versions_ms, 75_000);
    assert_eq!(o.figures.task_ms_extra, 2 * 150_000);
}

#[test]
fn rounding_can_leave_it_stuck() {
    let (check, o) = both(&service(3, 100, 125, ""));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::Stuck, Some(BlockedBy::Configuration)));
    assert_eq!((o.cut_off_by, o.completed_at), (None, None));
    assert_eq!(verdict(&check, Some(&o)), Verdict::CannotMove);
}

#[test]
fn no_room_waits() {
    let (check, o) = both(&service(4, 100, 200, r#""places": [{"at": "0s", "places": 4}]"#));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::Waiting, Some(BlockedBy::Places)));
    assert_eq!(verdict(&check, Some(&o)), Verdict::WillWait);
    // Room for two more is enough: it completes, two at a time.
    let (check, o) = both(&service(4, 100, 200, r#""places": [{"at": "0s", "places": 6}]"#));
    assert_eq!((o.outcome, o.figures.waves), (OutcomeKind::Completed, 2));
    assert_eq!(verdict(&check, Some(&o)), Verdict::Caution(Caution::SomeWait));
    // Completed at 57 s; the tasks that a larger desired count adds find no room, and none failed.
    let more = r#""places": [{"at": "0s", "places": 8}], "acts": [{"at": "10m", "do": "desired", "count": 12}]"#;
    let (_, o) = both(&service(4, 100, 200, more));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::Waiting, Some(BlockedBy::Places)));
    assert!(o.completed_at.is_some());
}

#[test]
fn a_bad_revision_goes_on_for_ever_without_a_breaker() {
    let bad = r#""targetGroups": [{}], "new": {"fate": "never_passes"}, "until": "30m""#;
    let (check, o) = both(&service(4, 100, 200, bad));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::InProgress, Some(BlockedBy::UnhealthyTarget)));
    assert_eq!(o.cut_off_by, Some(CutOff::Until));
    assert!(o.failures >= 8);
    let expected = Verdict::Caution(Caution::NeverDone(BlockedBy::UnhealthyTarget));
    assert_eq!(verdict(&check, Some(&o)), expected);

    let bad = r#""new": {"fate": "never_running"}, "until": "30m""#;
    let (_, o) = both(&service(4, 100, 200, bad));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::InProgress, Some(BlockedBy::Throttle)));
}

#[test]
fn a_good_run_that_is_cut_off_is_only_in_progress() {
    let (check, o) = both(&service(4, 100, 150, r#""until": "1m""#));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::InProgress, Some(BlockedBy::Time)));
    assert_eq!((o.cut_off_by, o.ended_at), (Some(CutOff::Until), SimTime(60_000)));
    assert_eq!(verdict(&check, Some(&o)), Verdict::CanMove);
}

#[test]
fn completed_and_then_failing() {
    let flaky = r#""new": {"fate": {"exits_after": "10m"}}, "until": "1h""#;
    let (check, o) = both(&service(4, 100, 200, flaky));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::CompletedThenFailing, Some(BlockedBy::FailingTasks)));
    assert!(o.completed_at.is_some());
    assert_eq!(verdict(&check, Some(&o)), Verdict::Caution(Caution::FailsAfterwards));
    // One task killed by hand and made good is no failure of the revision.
    let killed = r#""acts": [{"at": "10m", "do": "kill", "task": "8·1"}]"#;
    let (_, o) = both(&service(4, 100, 200, killed));
    assert_eq!((o.outcome, o.failures), (OutcomeKind::Completed, 0));
    assert!(o.last_change_at > SimTime(600_000));
}

#[test]
fn a_failed_deployment_stays_failed() {
    let failed = r#""start": {"deployments": [
        {"revision": 7, "rolloutState": "COMPLETED", "healthy": 4},
        {"revision": 8, "rolloutState": "FAILED", "failedTasks": 3}]}"#;
    let (check, o) = both(&service(4, 100, 200, failed));
    assert_eq!((o.outcome, o.blocked_by), (OutcomeKind::Failed, Some(BlockedBy::FailedDeployment)));
    assert_eq!(verdict(&check, Some(&o)), Verdict::WillFailAndStay);
}

#[test]
fn a_second_deployment_is_the_one_that_counts() {
    let second = r#""acts": [{"at": "20s", "do": "deploy", "revision": 9}], "timing": {"healthy_after": "45s"}"#;
    let (_, o) = both(&service(4, 100, 200, second));
    assert_eq!(o.outcome, OutcomeKind::Completed);
    assert_eq!(o.deployments[0].revision, 9);
    assert!(o.completed_at.is_some_and(|at| at > SimTime(65_000)));
}

#[test]
fn the_player_and_a_run_in_one_go_agree() {
    let resolved = service(
        6,
        50,
        150,
        r#""new": {"fate": {"ratio": {"of": [1, 3], "fate": "never_passes"}}},
        "targetGroups": [{}], "timing": {"start_up": {"uniform": ["5s", "40s"]}}"#,
    );
    let mut player = Player::new(resolved.settings.clone());
    let half = outcome(RunView::of_player(&player));
    assert_eq!((half.outcome, half.cut_off_by), (OutcomeKind::InProgress, None), "nothing is known yet");
    player.advance_to_end();
    let run = run_to_end(resolved.settings);
    assert_eq!(outcome(RunView::of_player(&player)), outcome(run.view()));
}

#[test]
fn figures_agree_with_a_count_at_every_millisecond() {
    let resolved = service(
        5,
        60,
        140,
        r#""timing": {"start_up": "3s", "provisioning": "1s", "pull": "1s"},
        "acts": [{"at": "50s", "do": "deploy", "revision": 9}], "readings": {"no_check_healthy_after_s": 5}"#,
    );
    let o = outcome(run_to_end(resolved.settings.clone()).view());
    let mut sim = Simulation::new(resolved.settings);
    let (mut both, mut extra, mut peak, mut low) = (0, 0, 0, u32::MAX);
    for ms in 0..o.ended_at.ms() {
        sim.advance_to(SimTime(ms), &mut Trace::null());
        let frame = sim.frame();
        both += u64::from(frame.deployments.iter().filter(|d| d.tasks.healthy > 0).count() > 1);
        if Some(SimTime(ms)) < o.completed_at {
            extra += u64::from(frame.counts.physical().saturating_sub(5));
        }
        peak = peak.max(frame.counts.counted);
        low = low.min(frame.counts.healthy());
    }
    let f = &o.figures;
    assert_eq!((f.both_versions_ms, f.task_ms_extra, f.peak_tasks, f.lowest_healthy), (both, extra, peak, low));
    assert!(both > 0 && extra > 0);
}

#[test]
fn failures_that_a_breaker_does_not_end() {
    let breaker = |more: &str| format!(r#""deploymentCircuitBreaker": {{ "enable": true, "rollback": true{more} }}"#);
    let of = |deployment: &str, more: &str| {
        let text = format!(
            r#"{{"service": {{"desiredCount": 6, "deploymentConfiguration": {{{deployment}}}}}, "quotas": "none", {more}}}"#
        );
        let (check, o) = both(&crate::resolve(&text));
        (verdict(&check, Some(&o)), o.failures_counted)
    };
    // Exits without any health check count for nothing.
    let crash = r#""new": { "fate": { "exits_after": "10s" } }, "until": "30m""#;
    assert_eq!(of(&breaker(""), crash), (Verdict::Caution(Caution::Unseen), 0));
    assert_eq!(of("", crash).0, Verdict::Caution(Caution::NeverDone(BlockedBy::FailingTasks)));
    // Every third start is RUNNING for a moment: two failures, then the count is 0 again.
    let flapping: Vec<String> = (1..400)
        .map(|k| match k % 3 {
            0 => format!(r#""{k}": {{ "exits_after": "10s" }}"#),
            _ => format!(r#""{k}": {{ "never_running": {{ "after": "{}s" }} }}"#, 20 + k % 3),
        })
        .collect();
    let flapping = format!(r#""new": {{ "by_start": {{ {} }} }}, "until": "10m""#, flapping.join(", "));
    let (word, counted) = of(&breaker(r#", "thresholdConfiguration": { "type": "COUNT", "value": 5 }"#), &flapping);
    assert_eq!((word, counted > 5), (Verdict::Caution(Caution::NeverEnough), true));
}

#[test]
fn a_pipeline_that_gives_up_before_all_is_well_is_a_caution() {
    // Five minutes of drain in each of two rounds: the 40th try of the waiter is at 9:45.
    let slow = r#""targetGroups": [{"healthCheckIntervalSeconds": 10}], "timing": {"open_request": "5m"}"#;
    let (check, o) = both(&service(2, 100, 150, slow));
    assert_eq!(o.outcome, OutcomeKind::Completed);
    assert!(o.completed_at > gives_up(&o) && gives_up(&o) == Some(SimTime(585_000)), "{:?}", o.completed_at);
    assert_eq!(verdict(&check, Some(&o)), Verdict::Caution(Caution::WaiterGivesUp));
    // In one round it is in time.
    let (check, o) = both(&service(2, 100, 200, slow));
    assert_eq!((gives_up(&o), verdict(&check, Some(&o))), (None, Verdict::CanMove));
}

#[test]
fn the_candidate_is_that_of_the_newest_rollout() {
    let preset = |id: &str| {
        let preset = rollscope_scenario::Preset::find(id).expect("a preset");
        both(&crate::resolve(preset.document)).1.candidate
    };
    assert_eq!(preset("breaker-trips"), Some(7));
    assert_eq!(preset("first-deployment"), None);
    // The third deployment begins while the first one is being brought back.
    assert_eq!(preset("one-two-three"), None);
    assert_eq!(preset("early-deferred"), Some(7));
}

//! What guards a rollout at a moment, and what a failed one did to the users of the service. The
//! figures are worked out in the `expected.json` of the examples.

use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::trace::FailureVerdict;
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_insight::remedy::{BreakerChange, Remedy, remedies};
use rollscope_insight::{
    Guarding, Headlines, OutcomeKind, borders, candidate_at_start, guarding, headlines, outcome, run_to_end,
};
use rollscope_scenario::{Preset, Resolved};

use crate::resolve;

fn preset(id: &str) -> Resolved {
    resolve(Preset::find(id).unwrap_or_else(|| panic!("{id}")).document)
}

fn guarding_at(resolved: &Resolved, ms: u64) -> Guarding {
    let (mut sim, mut trace) = (Simulation::new(resolved.settings.clone()), Trace::new());
    sim.advance_to(SimTime(ms), &mut trace);
    guarding(&trace.records, &sim.frame(), sim.settings()).expect("a rollout is under way")
}

fn headlines_of(resolved: &Resolved) -> Headlines {
    let run = run_to_end(resolved.settings.clone());
    headlines(run.view(), &outcome(run.view()).services)
}

#[test]
fn the_counter_holds_what_was_counted_so_far() {
    let resolved = preset("breaker-trips");
    let start = guarding_at(&resolved, 0);
    assert_eq!((start.counted.len(), start.count, start.threshold), (0, 0, 3));
    assert_eq!((start.rule, start.resets), (Some(Threshold::BoundedPercent(50)), true));
    assert_eq!(start.candidate.map(|(_, revision)| revision), Some(7));
    let later = guarding_at(&resolved, 23_000);
    let counted: Vec<_> = later.counted.iter().map(|one| (one.at.ms(), one.kind, one.count)).collect();
    assert_eq!(counted, [(15_000, FailureKind::NeverRan, 1), (23_000, FailureKind::ExitBeforeHealthy, 2)]);
    assert_eq!((later.count, later.second_stage), (2, true));
    let end = guarding_at(&resolved, 60_000);
    assert_eq!(end.counted.last().map(|one| (one.at.ms(), one.count, one.threshold)), Some((35_000, 3, 3)));
    // What the trip stops is routine.
    assert!(end.uncounted.iter().all(|group| group.kind == FailureKind::Routine), "{:?}", end.uncounted);
}

#[test]
fn what_was_counted_before_is_told() {
    let text = r#"{"service": {"desiredCount": 4, "deploymentConfiguration": {"deploymentCircuitBreaker":
        {"enable": true, "rollback": true}}}, "start": {"deploy": false, "deployments": [
        {"revision": 7, "rolloutState": "COMPLETED", "healthy": 4},
        {"revision": 8, "rolloutState": "IN_PROGRESS", "failedTasks": 1}]}}"#;
    let start = guarding_at(&resolve(text), 0);
    assert_eq!((start.counted.len(), start.count, start.counted_before()), (0, 1, 1));
    let fresh = preset("breaker-trips");
    let before = |ms| guarding_at(&fresh, ms).counted_before();
    assert_eq!([before(0), before(23_000), before(60_000)], [0; 3], "all of them are rows");
}

#[test]
fn a_healthy_task_is_a_row_of_its_own() {
    let found = guarding_at(&preset("intermittent"), 3_600_000);
    let resets = found.counted.iter().filter(|one| one.kind == FailureKind::BecameHealthy);
    assert_eq!(resets.map(|one| one.count).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(found.counted.iter().map(|one| one.count).max(), Some(4), "one short of the threshold of 5");
}

#[test]
fn what_the_breaker_does_not_count_is_told_with_its_reason() {
    let found = guarding_at(&preset("worker-unseen"), 600_000);
    assert!(found.counted.is_empty());
    let exits = found.uncounted.iter().find(|group| group.kind == FailureKind::ExitUnchecked);
    assert!(exits.is_none_or(|group| group.times > group.tasks.len() as u32 && group.tasks.len() == 3), "{exits:?}");
}

#[test]
fn the_first_deployment_has_no_candidate_and_its_border_is_its_start() {
    let resolved = preset("first-deployment");
    assert_eq!(candidate_at_start(&resolved.settings), None);
    assert_eq!(guarding_at(&resolved, 0).candidate, None);
    let run = run_to_end(resolved.settings.clone());
    assert_eq!(borders(run.view()).first(), Some(&(SimTime::ZERO, ProtectionEnd::NoCandidate)));
    assert_eq!(candidate_at_start(&preset("breaker-trips").settings), Some(7));
}

#[test]
fn who_answered_and_for_how_long() {
    // The old tasks were never touched.
    let trips = headlines_of(&preset("breaker-trips"));
    assert_eq!((trips.gave_up_ms, trips.target_served_ms, trips.during.below_desired_ms), (Some(35_000), 0, 0));
    assert_eq!(
        trips.during.shares.iter().map(|share| (share.revision, share.per_mille)).collect::<Vec<_>>(),
        [(7, 1_000)]
    );
    // r8 answers alone from 35 s to 210 s of 242 s.
    let bake = headlines_of(&preset("alarm-in-bake"));
    assert_eq!((bake.gave_up_ms, bake.target_served_ms), (Some(175_000), 175_000));
    let shares: Vec<_> = bake.during.shares.iter().map(|share| (share.revision, share.per_mille)).collect();
    assert_eq!(shares, [(7, 277), (8, 723)]);
    assert_eq!((bake.during.below_desired_ms, bake.successful), (0, false));
}

#[test]
fn what_would_end_a_failing_rollout_otherwise() {
    let found = |resolved: &Resolved| {
        let run = run_to_end(resolved.settings.clone());
        remedies(&resolved.settings, &outcome(run.view()))
    };
    // Failures at 15, 23 and 35 s, and no healthy task between them: only the threshold matters.
    let trips = found(&preset("breaker-trips"));
    assert_eq!(trips.iter().map(|remedy| remedy.change).collect::<Vec<_>>(), [BreakerChange::Count(2)]);
    assert_eq!(trips[0].failed_at, Some(SimTime(23_000)));
    assert_eq!(trips[0].back.map(|(revision, _)| revision), Some(7));
    // Without a breaker such tasks fail for ever: both fail their check at 35 s, the third one later.
    let target =
        r#""targetGroups": [{"healthCheckIntervalSeconds": 10}], "new": {"fate": "never_passes"}, "until": "30m""#;
    let endless = found(&crate::service(2, 100, 200, target));
    assert!(
        matches!(endless[..], [Remedy { change: BreakerChange::On, ends: OutcomeKind::RolledBack, .. }]),
        "{endless:?}"
    );
    // What gets done needs nothing.
    assert_eq!(found(&preset("intermittent")), []);
}

#[test]
fn waiting_for_capacity_is_looked_at_and_does_not_count() {
    // Three instances with four places each hold eight old tasks: four of eight new ones wait for more.
    let text = r#"{"service": {"desiredCount": 8, "managedScaling": {"instanceWarmupPeriod": 120},
        "deploymentConfiguration": {"deploymentCircuitBreaker": {"enable": true, "rollback": true}}},
        "capacity": {"instances": [{"count": 3, "cpu": 1024}], "provider": {}}, "quotas": "none"}"#;
    let found = guarding_at(&crate::resolve(text), 1_000);
    let waits = found.uncounted.iter().find(|group| group.kind == FailureKind::WaitsForCapacity);
    let waits = waits.expect("some tasks wait");
    assert_eq!((waits.times, waits.verdict, waits.is_failure()), (4, FailureVerdict::Kind, false));
    assert_eq!((found.count, found.counted.len()), (0, 0));
}

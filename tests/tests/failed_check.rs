//! Which check failed: the record, the service event and the stop event name the one that did, in every preset.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::settings::{ContainerCheck, Fate, TargetGroup, TaskName};
use rollscope_engine::time::MINUTE;
use rollscope_engine::trace::{FailedCheck, StopCause, TaskChange, What};
use rollscope_engine::{Settings, SimTime};
use rollscope_insight::outside::stopped_tasks;
use rollscope_insight::service_events::service_events;
use rollscope_insight::{Run, ServiceEventKind, run_to_end};
use rollscope_scenario::{Document, PRESETS};

const S: u64 = 1_000;
/// No check of [`SLOW_CONTAINER`] or [`SLOW_GROUP`] has failed for good this long after RUNNING.
const SLOW_MS: u64 = 2_900 * S;
/// How long a revision that never passes is looked at.
const WHILE: SimTime = SimTime(30 * MINUTE);
const SLOW_CONTAINER: ContainerCheck =
    ContainerCheck { interval_ms: 300 * S, timeout_ms: 5 * S, retries: 10, start_period_ms: 0 };
const SLOW_GROUP: TargetGroup = TargetGroup {
    interval_ms: 300 * S,
    timeout_ms: 5 * S,
    healthy_threshold: 5,
    unhealthy_threshold: 10,
    deregistration_delay_ms: 0,
    new_target_passes: 1,
};

/// What one run says about failed checks, by what says it; all of it agrees. How often the check of a container
/// and that of a target group were named.
fn named(id: &str, run: &Run, only: Option<FailedCheck>) -> [usize; 2] {
    let (mut running, mut ill) = (BTreeMap::new(), BTreeMap::new());
    let (mut records, mut wanted) = (Vec::new(), Vec::new());
    for record in &run.trace.records {
        let What::Task { task, change } = record.what else { continue };
        match change {
            TaskChange::Running => drop(running.insert(task.id, record.at)),
            TaskChange::Unhealthy(check) => {
                let since = running.get(&task.id).map_or(record.at.ms(), |from| record.at.since(*from));
                let fits = since >= SLOW_MS || only.is_none_or(|only| only == check);
                assert!(fits, "{id}: {:?} fails {check:?} after {since} ms", task.name);
                records.push((record.at, task.name, check));
                ill.insert(task.id, check);
            }
            // A task that was ill before the run has failed all its checks.
            TaskChange::StopDecided(StopCause::Unhealthy) => {
                wanted.extend(ill.get(&task.id).map(|check| (task.name, *check)));
            }
            _ => {}
        }
    }
    let told = service_events(run.view()).into_iter().filter_map(|event| match event.kind {
        ServiceEventKind::Unhealthy { task, check } => Some((event.at, task, check)),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), records, "{id}: service events");
    let stops: BTreeMap<TaskName, String> =
        stopped_tasks(run.view()).iter().map(|stop| (stop.task, stop.reason())).collect();
    for (task, check) in wanted {
        // It may not be STOPPED yet, or end otherwise while it drains.
        let Some(reason) = stops.get(&task).filter(|reason| reason.starts_with("Task failed")) else { continue };
        let of_container = reason.contains("container health checks");
        assert_eq!(of_container, check == FailedCheck::Container, "{id}: {task:?}: {reason}");
    }
    [FailedCheck::Container, FailedCheck::Target]
        .map(|kind| records.iter().filter(|(.., check)| *check == kind).count())
}

/// The check of a service that has one kind only.
fn only_kind(settings: &Settings) -> Option<FailedCheck> {
    match (settings.containers.is_empty(), settings.target_groups.is_empty()) {
        (false, true) => Some(FailedCheck::Container),
        (true, false) => Some(FailedCheck::Target),
        _ => None,
    }
}

/// Each preset as it is; with a new revision that never passes; and, where it has one kind of check, with a very slow
/// one of the other kind beside it, which cannot be the one that fails.
#[test]
fn the_check_that_fails_is_named_in_every_preset() {
    let mut sum = [0; 6];
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        if !matches!(resolved.settings.platform, PlatformSettings::Ecs(_)) {
            continue;
        }
        let only = only_kind(&resolved.settings);
        let mut ill = resolved.settings.clone();
        // A rollout that never ends says the same after half an hour.
        ill.until = Some(ill.until.map_or(WHILE, |until| until.min(WHILE)));
        if let Some(new) = ill.revisions.last_mut() {
            new.behaviour.fate = Fate::NeverPasses;
        }
        let mut both = ill.clone();
        match only {
            Some(FailedCheck::Container) => both.target_groups.push(SLOW_GROUP),
            Some(_) => both.containers.push(SLOW_CONTAINER),
            None => {}
        }
        for (k, settings) in [resolved.settings, ill, both].into_iter().enumerate() {
            let found = named(preset.id, &run_to_end(settings), only);
            sum[2 * k] += found[0];
            sum[2 * k + 1] += found[1];
        }
    }
    assert!(sum.iter().all(|n| *n > 0), "each kind fails as it is, ill, and beside the other: {sum:?}");
}

//! Where the time goes, for runs whose numbers are known by hand, and that nothing gets lost.

use rollscope_engine::SimTime;
use rollscope_engine::frame::Counts;
use rollscope_engine::trace::{InstanceId, Record, What};
use rollscope_insight::account::{Account, Drain, Link, Part, Share, account, each_task, task_time, totals};
use rollscope_insight::{outcome, run_to_end};
use rollscope_scenario::{Document, PRESETS, Preset, Resolved};

use crate::{resolve, service};

/// RUNNING at 15 s, healthy at 45 s, gone 30 s after the decision; nothing drains.
const FIXED: &str = r#""timing": {"healthy_after": "45s", "gone_after": "30s"}"#;

fn of(resolved: &Resolved) -> Option<Account> {
    let run = run_to_end(resolved.settings.clone());
    let account = account(run.view());
    if let Some(account) = &account {
        adds_up(account);
        let outcome = outcome(run.view());
        let given_up = outcome.services.last().and_then(|s| s.finished);
        let end = outcome.completed_at.or(outcome.rolled_back_at).or(given_up);
        assert_eq!((account.over, end.is_some()), (end.is_some(), account.over));
        assert!(!account.over || end == Some(account.to));
    }
    account
}

/// The links touch each other, the parts are their sums, the percents are 100: in the deployment, and after it.
fn adds_up(account: &Account) {
    chain_adds_up(&account.chain, &account.parts, (account.from, account.to));
    if let Some(after) = &account.after {
        assert!(account.over && after.to > account.to);
        chain_adds_up(&after.chain, &after.parts, (account.to, after.to));
    }
}

fn chain_adds_up(chain: &[Link], parts: &[Share], (from, to): (SimTime, SimTime)) {
    let mut at = from;
    for link in chain {
        assert_eq!(link.from, at, "{chain:?}");
        assert!(link.to > link.from);
        at = link.to;
    }
    assert_eq!(at, to, "{chain:?}");
    assert_eq!(parts.iter().map(|share| share.ms).sum::<u64>(), to.since(from));
    if to > from {
        assert_eq!(parts.iter().map(|share| share.percent).sum::<u32>(), 100);
    }
}

/// Seconds of one part.
fn part(account: &Account, part: Part) -> u64 {
    account.parts.iter().find(|share| share.part == part).map_or(0, |share| share.ms / 1_000)
}

/// Seconds of start, checks, draining, stopping, waiting, pauses and bake time.
fn seconds(resolved: &Resolved) -> [u64; 7] {
    let account = of(resolved).expect("it is over");
    let sum = |parts: &[Part]| parts.iter().map(|of| part(&account, *of)).sum();
    [
        sum(&[Part::Provisioning, Part::Pull]),
        sum(&[Part::StartUp, Part::Checks, Part::Grace, Part::Unchecked]),
        sum(&[Part::Draining]),
        sum(&[Part::Stopping]),
        sum(&[Part::Waiting]),
        sum(&[Part::Pausing]),
        sum(&[Part::Baking]),
    ]
}

#[test]
fn worked_examples() {
    let targets = r#""targetGroups": [{}]"#;
    let one_bad =
        r#""timing": {"healthy_after": "45s", "gone_after": "30s"}, "new": {"by_start": {"1": "never_running"}}"#;
    let act = r#""acts": [{"at": "5m", "do": "percent", "maximumPercent": 200}]"#;
    let places = r#""places": [{"at": "0s", "places": 4}, {"at": "2m", "places": 8}]"#;
    let cases = [
        // One round: everything starts at once, then everything stops at once.
        (service(4, 100, 200, FIXED), [15, 30, 0, 30, 0, 0, 0]),
        // Two rounds, one after the other.
        (service(4, 100, 150, FIXED), [30, 60, 0, 60, 0, 0, 0]),
        // First stop, then start: the last thing to wait for is a healthy task.
        (service(4, 0, 100, FIXED), [15, 30, 0, 30, 0, 0, 0]),
        // Behind a load balancer: first check at 30 s, 30 s of open requests, 2 s to exit.
        (service(4, 100, 200, targets), [15, 30, 30, 2, 0, 0, 0]),
        // The first start fails at 15 s, the second one is well.
        (service(1, 100, 200, one_bad), [30, 30, 0, 30, 0, 0, 0]),
        // Stuck until somebody raises the maximum after 5 minutes.
        (service(1, 100, 150, &format!("{FIXED}, {act}")), [15, 30, 0, 30, 300, 0, 0]),
        // No place until 2 minutes have passed.
        (service(4, 100, 200, &format!("{FIXED}, {places}")), [15, 30, 0, 30, 120, 0, 0]),
    ];
    for (i, (resolved, expected)) in cases.iter().enumerate() {
        assert_eq!(seconds(resolved), *expected, "case {i}");
    }
    // 500 start at once, then one every 120 ms: the last of 600 waits 12 s for the quota.
    let quota = resolve(&format!(r#"{{"service": {{"desiredCount": 600, "launchType": "EC2"}}, {FIXED}}}"#));
    assert_eq!(seconds(&quota), [15, 30, 0, 30, 12, 0, 0]);
}

#[test]
fn rollouts_that_go_wrong() {
    let of = |desired: u32, deployment: &str, more: &str| {
        resolve(&format!(
            r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration": {{{deployment}}}}}, "quotas": "none", {more}}}"#
        ))
    };
    let breaker = r#""deploymentCircuitBreaker": {"enable": true, "rollback": true}"#;
    let never = format!(r#"{FIXED}, "new": {{"fate": "never_running"}}"#);
    // Three starts of 15 s, one after the other; the old task runs: back at once.
    assert_eq!(seconds(&of(1, breaker, &never)), [45, 0, 0, 0, 0, 0, 0]);
    // At half strength: old tasks gone at 30 s, two starts of 15 s, two new old ones, healthy after 45 s.
    let half = format!(r#"{breaker}, "minimumHealthyPercent": 50, "maximumPercent": 100"#);
    assert_eq!(seconds(&of(4, &half, &never)), [15 + 15 + 15, 30, 0, 30, 0, 0, 0]);
    // A count of 5: after the third start in a row the fourth waits 30 s, the fifth 60 s.
    let five = r#""deploymentCircuitBreaker": {"enable": true, "rollback": false, "thresholdConfiguration": {"type": "COUNT", "value": 5}}"#;
    assert_eq!(seconds(&of(1, five, &never)), [5 * 15, 0, 0, 0, 0, 30 + 60, 0]);
    // Healthy at 45 s, gone at 75 s, five minutes of bake time.
    let bake = r#""alarms": {"alarmNames": ["errors"], "enable": true, "rollback": true}, "bakeTimeInMinutes": 5"#;
    assert_eq!(seconds(&of(2, bake, FIXED)), [15, 30, 0, 30, 0, 0, 300]);
    // One old task is protected for an hour; the other one is gone at 75 s.
    let protected =
        format!(r#"{FIXED}, "acts": [{{"at": 0, "do": "protect", "task": "7.1", "expiresInMinutes": 60}}]"#);
    let held = of(2, "", &protected);
    assert_eq!(seconds(&held), [15, 30, 0, 30 + 30, 0, 0, 0]);
    assert_eq!(part(&self::of(&held).expect("it is over"), Part::OtherSide), 3600 - 75, "it waits for the old side");
}

#[test]
fn the_chain_names_its_tasks() {
    let account = of(&service(2, 100, 150, FIXED)).expect("it completes");
    let told: Vec<String> = account
        .chain
        .iter()
        .map(|link| {
            let task = link.task.map_or_else(String::new, |name| format!(" {}·{}", name.revision, name.start));
            format!("{}-{} {:?}{task}", link.from.ms() / 1_000, link.to.ms() / 1_000, link.part)
        })
        .collect();
    // Ceiling 3: one at a time.
    assert_eq!(
        told,
        [
            "0-5 Provisioning 8·1",
            "5-15 Pull 8·1",
            "15-45 Unchecked 8·1",
            "45-75 Stopping 7·1",
            "75-80 Provisioning 8·2",
            "80-90 Pull 8·2",
            "90-120 Unchecked 8·2",
            "120-150 Stopping 7·2",
        ]
    );
    let percents: Vec<u32> = account.parts.iter().map(|share| share.percent).collect();
    assert_eq!(percents, [7, 13, 40, 40]);
}

#[test]
fn what_comes_to_rest_at_once_has_no_account() {
    assert_eq!(of(&service(1, 100, 150, "")), None);
    let done_at_once = of(&service(0, 100, 200, "")).expect("nothing to replace");
    assert_eq!((done_at_once.to, done_at_once.chain.len(), done_at_once.parts.len()), (SimTime::ZERO, 0, 0));
}

#[test]
fn nothing_gets_lost_whatever_happens() {
    let timing = r#""timing": {"pull": {"uniform": ["5s", "40s"]}, "start_up": {"uniform": ["1s", "60s"]},
        "open_request": {"uniform": ["1s", "90s"]}}, "targetGroups": [{}], "until": "6h""#;
    let fates = [
        "",
        r#", "new": {"fate": {"ratio": {"of": [1, 5], "fate": "never_running"}}}"#,
        r#", "new": {"by_start": {"1": "never_passes", "3": {"exits_after": "20s"}}}"#,
        r#", "acts": [{"at": "70s", "do": "desired", "count": 9}, {"at": "100s", "do": "kill", "task": "7·2"}]"#,
        r#", "acts": [{"at": "90s", "do": "deploy", "revision": 9}, {"at": "2m", "do": "stop_task", "task": "8·1"}]"#,
        r#", "readings": {"start_first": true}"#,
        r#", "places": [{"at": "0s", "places": 9}, {"at": "3m", "places": 11}]"#,
    ];
    let mut completed = 0;
    for (desired, minimum, maximum) in
        [(1, 0, 100), (1, 100, 200), (4, 100, 125), (7, 50, 100), (7, 60, 150), (8, 100, 200)]
    {
        for fate in fates {
            for seed in 1..=4 {
                let more = format!(r#"{timing}{fate}, "seed": {seed}"#);
                completed += u32::from(of(&service(desired, minimum, maximum, &more)).is_some());
            }
        }
    }
    assert!(completed > 120, "{completed}");
}

#[test]
fn which_of_the_two_ends_a_drain() {
    let drain = |delay: u32| {
        let group = format!(
            r#""targetGroups": [{{"healthCheckIntervalSeconds": 10, "deregistration_delay.timeout_seconds": {delay}}}]"#
        );
        of(&service(2, 100, 150, &group)).and_then(|account| account.drain)
    };
    // Requests are open for 30 seconds by default.
    assert_eq!(drain(120), Some(Drain { took_ms: 30_000, delay_ms: 120_000 }));
    assert_eq!(drain(10), Some(Drain { took_ms: 10_000, delay_ms: 10_000 }));
    assert_eq!(of(&service(2, 100, 150, FIXED)).and_then(|account| account.drain), None);
}

fn preset(id: &str) -> Resolved {
    let preset = Preset::find(id).expect("a preset");
    Document::from_text(preset.document).document.resolve().expect("it runs")
}

/// The parts that are there, with their seconds.
fn told(id: &str) -> Vec<(Part, u64)> {
    let account = of(&preset(id)).expect("it has one");
    account.parts.iter().map(|share| (share.part, share.ms / 1_000)).collect()
}

#[test]
fn what_a_task_does_before_it_is_healthy_has_parts_of_its_own() {
    use Part::*;
    // No check at all: 40 seconds of RUNNING, although the application is up after 60; SIGTERM to exit 2 s.
    assert_eq!(told("worker-unseen"), [(Provisioning, 5), (Pull, 10), (Unchecked, 40), (Stopping, 2)]);
    // 140 s of start-up, checks every 15 s: the first that pass come at 150 and 165 s. Grace costs nothing.
    let healthy = [(Provisioning, 5), (Pull, 10), (StartUp, 140), (Checks, 25), (Draining, 30), (Stopping, 2)];
    assert_eq!(told("grace-180"), healthy);
    // 120 s of grace: the second failed check comes at 30 s, and for 90 s only the grace period keeps the task.
    // 26 rounds in an hour: 120 s, 15 s to start, 2 s to leave.
    let looping = told("grace-120");
    let whole: u64 = looping.iter().map(|(_, seconds)| seconds).sum();
    assert_eq!(whole, 3_600);
    let seconds = |wanted: Part| looping.iter().find(|(part, _)| *part == wanted).map_or(0, |(_, seconds)| *seconds);
    assert_eq!(seconds(Grace), 26 * 90, "{looping:?}");
    // Three attempts of 60 s to RUNNING and 60 s of checks; twice, and once more at the end, six minutes to leave.
    let late = told("eighteen-minutes");
    let seconds = |wanted: Part| late.iter().find(|(part, _)| *part == wanted).map_or(0, |(_, seconds)| *seconds);
    assert_eq!((seconds(Pausing), seconds(Draining) + seconds(Stopping)), (12 * 60, 6 * 60));
    assert_eq!(late.iter().map(|(_, seconds)| seconds).sum::<u64>(), 24 * 60);
}

#[test]
fn what_goes_on_after_a_success_is_told_apart_from_it() {
    use Part::*;
    // SUCCESSFUL at 35 s, with ten tasks that have no place. The last five wait for theirs until 30 minutes, and are
    // healthy 35 s after that.
    let account = of(&preset("early-deferred")).expect("it is over");
    let after = account.after.expect("a tail");
    assert_eq!((account.to, after.to, after.successful), (SimTime(35_000), SimTime(1_835_000), true));
    let told: Vec<_> = after.parts.iter().map(|share| (share.part, share.ms / 1_000)).collect();
    assert_eq!(told, [(Provisioning, 5), (Pull, 10), (StartUp, 15), (Checks, 5), (Waiting, 1_800 - 35)]);
    // What ends with the last old task has none.
    assert_eq!(of(&service(2, 100, 150, FIXED)).expect("it is over").after, None);
}

#[test]
fn of_every_preset_the_parts_add_up() {
    let (mut over, mut tails) = (0, 0);
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        let run = run_to_end(resolved.settings.clone());
        let account = of(&resolved);
        let checked = !(resolved.settings.containers.is_empty() && resolved.settings.target_groups.is_empty());
        let looked_at = [Part::StartUp, Part::Checks, Part::Grace];
        if let Some(account) = &account {
            over += u32::from(account.over);
            tails += u32::from(account.after.is_some());
            // Nothing that happens to a task is left out, before or after.
            let end = account.after.as_ref().map_or(account.to, |after| after.to);
            let of_task = |record: &&Record| matches!(record.what, What::Task { .. });
            let last = run.trace.records.iter().rev().find(of_task).map_or(end, |record| record.at);
            assert!(last <= end, "{}: {last:?} after {end:?}", preset.id);
            let shown: Vec<Part> = account.parts.iter().map(|share| share.part).collect();
            assert!(checked || !shown.iter().any(|part| looked_at.contains(part)), "{}: {shown:?}", preset.id);
            assert!(!checked || !shown.contains(&Part::Unchecked), "{}: {shown:?}", preset.id);
        }
        // Each task's parts are its life, and all of them together the tasks that exist times how long.
        let exist = |view: &Counts| u64::from(view.physical());
        let last = run.view().last_moment().expect("it has ended");
        let mut lives = 0;
        for (i, (at, counts)) in run.trace.samples.iter().enumerate() {
            let next = run.trace.samples.get(i + 1).map_or(last, |(next, _)| *next).min(last);
            lives += exist(counts) * next.since(*at);
        }
        assert_eq!(totals(run.view()).iter().sum::<u64>(), lives, "{}", preset.id);
        let each = each_task(run.view());
        let one = |id: u32| task_time(run.view(), InstanceId(id)).expect("it was there");
        for (id, parts) in each.iter().enumerate().take(40) {
            let shares = one(id as u32);
            assert_eq!(shares.iter().map(|share| share.ms).sum::<u64>(), parts.iter().sum::<u64>(), "{}", preset.id);
        }
    }
    assert!(over > 40 && tails > 10, "{over} {tails}");
}

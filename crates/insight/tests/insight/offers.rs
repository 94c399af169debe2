//! What is offered keeps its promise: of every preset, at the verdict and at the first moment of trouble.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Settings;
use rollscope_insight::moment::changes;
use rollscope_insight::{
    Change, MomentKind, Outcome, OutcomeKind, RunView, check, cures, failed_at, moment, outcome, remedies, run_to_end,
};
use rollscope_player::Player;
use rollscope_scenario::{Document, PRESETS, Resolved};

use crate::{both, resolve};

fn presets() -> impl Iterator<Item = (&'static str, Resolved)> {
    PRESETS.iter().filter_map(|preset| Some((preset.id, Document::from_text(preset.document).document.resolve().ok()?)))
}

fn ended(settings: Settings) -> Outcome {
    outcome(run_to_end(settings).view())
}

fn newest_failed(seen: &Outcome) -> Option<SimTime> {
    seen.services.last().and_then(failed_at)
}

/// What a headline says of an end: the kind, when it failed, when it was over.
fn headline(seen: &Outcome) -> (OutcomeKind, Option<SimTime>, Option<SimTime>) {
    (seen.outcome, newest_failed(seen), seen.rolled_back_at.or(seen.completed_at))
}

#[test]
fn an_offer_at_the_verdict_ends_as_it_promised_and_otherwise_than_today() {
    let mut offered = 0;
    for (id, resolved) in presets() {
        let (_, today) = both(&resolved);
        for remedy in remedies(&resolved.settings, &today) {
            let tried = ended(remedy.change.apply(&resolved.settings).expect("a breaker to change"));
            assert_eq!((tried.outcome, newest_failed(&tried)), (remedy.ends, remedy.failed_at), "{id}: {remedy:?}");
            assert_eq!(tried.rolled_back_at.or(tried.completed_at), remedy.back.map(|(_, at)| at), "{id}: {remedy:?}");
            assert_ne!(headline(&tried), headline(&today), "{id}: {remedy:?} changes nothing");
            offered += 1;
        }
        for change in cures(&resolved.settings, &today) {
            assert_eq!(ended(change.apply(&resolved.settings)).outcome, OutcomeKind::Completed, "{id}: {change:?}");
            assert_ne!(today.outcome, OutcomeKind::Completed, "{id}");
            offered += 1;
        }
    }
    assert!(offered >= 15, "only {offered} offers in all presets");
}

#[test]
fn whoever_takes_one_offer_after_the_other_never_comes_back() {
    for (id, resolved) in presets() {
        let (mut settings, mut seen) = (resolved.settings.clone(), both(&resolved).1);
        let mut ends = vec![headline(&seen)];
        while let Some(first) = remedies(&settings, &seen).first() {
            settings = first.change.apply(&settings).expect("a breaker to change");
            seen = ended(settings.clone());
            assert!(!ends.contains(&headline(&seen)), "{id}: back at {:?}", headline(&seen));
            ends.push(headline(&seen));
            assert!(ends.len() < 10, "{id}: it goes on and on");
        }
    }
}

#[test]
fn what_lets_a_rollout_move_lets_it_move() {
    let mut offered = 0;
    for (id, resolved) in presets() {
        let today = check(&resolved);
        for change in &today.changes {
            let settings = change.apply(&resolved.settings);
            let after = check(&Resolved { settings, ..resolved.clone() });
            let better = !today.moves() || after.started > today.started;
            assert!(after.moves() && better, "{id}: {change:?}");
            offered += 1;
        }
    }
    assert!(offered > 5, "only {offered}");
}

/// The better the end, the greater.
fn rank(seen: &Outcome) -> u8 {
    match seen.outcome {
        OutcomeKind::Completed => 3,
        OutcomeKind::CompletedThenFailing | OutcomeKind::RolledBack => 2,
        OutcomeKind::Failed => 1,
        _ => 0,
    }
}

#[test]
fn what_lets_a_rollout_move_lets_it_end_better() {
    let (mut offered, mut room) = (0, 0);
    for (id, resolved) in presets() {
        let changes = check(&resolved).changes;
        if changes.is_empty() {
            continue;
        }
        let today = ended(resolved.settings.clone());
        for change in &changes {
            let tried = ended(change.apply(&resolved.settings));
            let sooner = tried.completed_at < today.completed_at;
            let better = rank(&tried) > rank(&today) || (rank(&tried) == rank(&today) && sooner);
            assert!(better, "{id}: {change:?} ends as {:?}, and today {:?}", headline(&tried), headline(&today));
            room += u32::from(matches!(change, Change::Places(_) | Change::Instances(_)));
            offered += 1;
        }
    }
    assert!(offered > 5 && room > 2, "{offered}, {room} of room");
}

/// The first moment of a failure, else the first at which something is waited for.
fn trouble(player: &Player) -> SimTime {
    let failure = player.timeline().failures().first().map(|at| *at + 1_000);
    failure.unwrap_or(SimTime(1_000)).min(player.last_moment())
}

#[test]
fn an_offer_at_a_moment_does_what_it_promised_and_otherwise_than_today() {
    let mut offered = 0;
    for (id, resolved) in presets() {
        let mut player = Player::new(resolved.settings.clone());
        player.advance_to_end();
        player.seek(trouble(&player));
        let today = moment(&player);
        for way in changes(&player) {
            let Some(command) = way.command.clone() else { continue };
            let mut tried = player.clone();
            tried.act(command).unwrap_or_else(|| panic!("{id}: {way:?} has no object"));
            let (started, stopped) = (way.started.0, way.stopped.0);
            let then = moment(&tried);
            assert_eq!(then.kind, MomentKind::Acting { started, stopped }, "{id}: {way:?}");
            assert_ne!(then.kind, today.kind, "{id}: {way:?}");
            assert_eq!(tried.state().counts().limits, way.limits, "{id}: {way:?}");
            offered += 1;
        }
    }
    assert!(offered > 20, "only {offered}");
}

#[test]
fn no_offer_at_a_moment_makes_the_run_end_worse() {
    let mut offered = 0;
    for (id, resolved) in presets() {
        let mut player = Player::new(resolved.settings.clone());
        player.advance_to_end();
        let today = outcome(RunView::of_player(&player));
        for at in [trouble(&player), SimTime(1_000), player.last_moment()] {
            player.seek(at.min(player.last_moment()));
            for way in changes(&player) {
                let tried = match way.command.clone() {
                    Some(command) => {
                        let mut tried = player.clone();
                        tried.act(command).unwrap_or_else(|| panic!("{id}: {way:?} has no object"));
                        tried.advance_to_end();
                        outcome(RunView::of_player(&tried))
                    }
                    // Places are a field of the document, which holds from the start on.
                    None => ended(way.change.apply(&resolved.settings)),
                };
                let (then, now) = (headline(&tried), headline(&today));
                assert!(rank(&tried) >= rank(&today), "{id} at {}: {way:?} ends as {then:?}, today {now:?}", at.ms());
                let fewer = tried.figures.lowest_healthy < today.figures.lowest_healthy;
                // A rollout that gets done, or comes back, may be worth some strength; one that does not is not.
                let worth = rank(&tried) > rank(&today) || rank(&tried) > 1;
                assert!(!fewer || worth, "{id} at {}: {way:?} costs healthy tasks for nothing", at.ms());
                offered += 1;
            }
        }
    }
    assert!(offered > 40, "only {offered}");
}

#[test]
fn a_grace_period_is_the_cause_although_the_breaker_trips_first() {
    let text = r#"{"service": {"desiredCount": 6, "healthCheckGracePeriodSeconds": 30, "deploymentConfiguration":
        {"deploymentCircuitBreaker": {"enable": true, "rollback": true}}}, "quotas": "none",
        "containers": [{"healthCheck": {"interval": 10, "retries": 3}}], "timing": {"start_up": "45s"}}"#;
    let resolved = resolve(text);
    let (_, today) = both(&resolved);
    // RUNNING at 0:15; the probes at 10, 20 and 30 s fail: at 0:45 the grace period is over.
    assert_eq!(headline(&today), (OutcomeKind::RolledBack, Some(SimTime(45_000)), today.rolled_back_at));
    // The probe at 50 s is the first that passes.
    assert_eq!(cures(&resolved.settings, &today)[0], Change::Grace(50));
}

#[test]
fn acts_of_the_scenario_are_part_of_what_is_tried() {
    let one_two_three = rollscope_scenario::Preset::find("one-two-three").expect("a preset");
    let resolved = Document::from_text(one_two_three.document).document.resolve().expect("it runs");
    let (_, today) = both(&resolved);
    let found = remedies(&resolved.settings, &today);
    // The third deployment begins at 1:50 whatever the breaker does: with two failures it fails before that,
    // and what is promised speaks of the third.
    for remedy in &found {
        assert!(remedy.failed_at.is_none_or(|at| at > SimTime(110_000)), "{remedy:?}");
    }
    assert!(!found.iter().any(|remedy| remedy.failed_at == newest_failed(&today)), "{found:?}");
}

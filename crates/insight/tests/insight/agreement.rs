//! Two places that tell the same thing tell it alike, and what is told is so: laws over all presets.

use rollscope_engine::SimTime;
use rollscope_engine::trace::{FailureVerdict, ServiceChange, What};
use rollscope_insight::outside::{BusEventKind, Colour, Misleads, bus, known_until, signals, steady_moments};
use rollscope_insight::service_events::service_events;
use rollscope_insight::{OutcomeKind, Run, ServiceEventKind, guarding, headlines, outcome, run_to_end, tallies};
use rollscope_scenario::{Document, PRESETS};

fn presets() -> impl Iterator<Item = (&'static str, Run)> {
    PRESETS.iter().filter_map(|preset| {
        let resolved = Document::from_text(preset.document).document.resolve().ok()?;
        Some((preset.id, run_to_end(resolved.settings)))
    })
}

#[test]
fn what_is_given_up_is_told_as_over_and_not_as_old() {
    let mut ended = 0;
    for (id, run) in presets() {
        let mut newest = None;
        for record in &run.trace.records {
            match record.what {
                What::Service { change: ServiceChange::Began { deployment, .. }, .. } => newest = Some(deployment),
                What::Failure(failure) if Some(failure.deployment) == newest => {
                    assert_ne!(failure.verdict, FailureVerdict::Source, "{id} at {}: {failure:?}", record.at.ms());
                    ended += u32::from(failure.verdict == FailureVerdict::Ended);
                }
                _ => {}
            }
        }
    }
    assert!(ended > 100, "{ended}");
}

#[test]
fn both_lists_of_events_know_the_same_steady_states() {
    let mut found = 0;
    for (id, run) in presets() {
        let view = run.view();
        let own = service_events(view).into_iter().filter(|event| event.kind == ServiceEventKind::Steady);
        let own: Vec<SimTime> = own.map(|event| event.at).collect();
        let steady = BusEventKind::Action("SERVICE_STEADY_STATE", "INFO");
        let bus = bus::events(view).into_iter().filter(|event| event.kind == steady).map(|event| event.at);
        assert_eq!(own, bus.collect::<Vec<_>>(), "{id}");
        assert_eq!(own, steady_moments(view), "{id}");
        for at in own {
            let last = run.trace.samples.partition_point(|(moment, _)| *moment <= at) - 1;
            let counts = &run.trace.samples[last].1;
            let desired = counts.limits.desired;
            assert_eq!((counts.healthy(), counts.physical()), (desired, desired), "{id} at {}", at.ms());
            found += 1;
        }
    }
    assert!(found > 60, "{found}");
}

#[test]
fn green_that_does_not_mislead_is_true() {
    let mut misleading = 0;
    for (id, run) in presets() {
        let ended = outcome(run.view());
        let Some(newest) = ended.services.last() else { continue };
        for signal in signals(run.view(), newest, known_until(run.view())) {
            let green = signal.colour == Colour::Green;
            assert!(green || signal.misleads.is_none(), "{id}: {signal:?}");
            misleading += u32::from(signal.misleads.is_some());
            if green && signal.misleads.is_none() {
                assert_eq!(ended.outcome, OutcomeKind::Completed, "{id}: {signal:?}");
                assert_eq!(signal.revision, Some(newest.revision), "{id}");
            }
        }
    }
    assert!(misleading > 30, "{misleading}");
}

/// What the first pipeline that is green does not say.
fn first_green(id: &str) -> Option<Misleads> {
    let (_, run) = presets().find(|(name, _)| *name == id).expect("a preset");
    let newest = run.end.service_deployments().last().expect("a rollout").clone();
    let said = signals(run.view(), &newest, known_until(run.view()));
    said.iter().find(|signal| signal.colour == Colour::Green).expect("one is green").misleads
}

#[test]
fn why_green_misleads() {
    // Both tasks run at 0:15, none is healthy yet, and all is over at 1:10.
    assert_eq!(first_green("first-deployment"), Some(Misleads::FailedLater { at: SimTime(70_000) }));
    assert_eq!(first_green("breaker-trips"), Some(Misleads::OtherRevision(7)));
    assert_eq!(first_green("early-tail"), Some(Misleads::TasksFail(178)));
    assert_eq!(first_green("early-deferred"), Some(Misleads::NotWhole { healthy: 90, desired: 100 }));
    assert_eq!(first_green("all-at-once"), None);
}

#[test]
fn failures_that_do_not_count_are_as_many_in_the_list_as_in_the_headline() {
    let mut found = 0;
    for (id, run) in presets() {
        let frame = run.end.frame();
        let (records, settings) = (&run.trace.records, run.end.settings());
        let Some(guards) = guarding(records, &frame, settings).filter(|guards| guards.rule.is_some()) else { continue };
        let tally = *tallies(records, &frame.service_deployments, settings).last().expect("one");
        assert_eq!(guards.uncounted_failures(), tally.not_counted, "{id}");
        found += tally.not_counted;
    }
    assert!(found > 1_000, "{found}");
}

#[test]
fn the_figures_of_a_span_are_of_that_span() {
    for (id, run) in presets() {
        let found = headlines(run.view(), &run.end.frame().service_deployments);
        for span in found.after.iter().chain([&found.during]) {
            assert!(span.below_desired_ms <= span.ms, "{id}: {span:?}");
            assert!(span.old_answers_ms + span.old_leaves_ms <= span.ms, "{id}: {span:?}");
        }
    }
    // SUCCESSFUL at 0:35, the old ones end what they have until 20:37; the last of the 100 is healthy at 30:35.
    let (_, run) = presets().find(|(id, _)| *id == "early-deferred").expect("a preset");
    let found = headlines(run.view(), &run.end.frame().service_deployments);
    let after = found.after.expect("it goes on");
    let wanted = ((20 * 60 + 2) * 1_000, 30 * 60_000);
    assert_eq!((after.old_leaves_ms, after.below_desired_ms), wanted);
    // One old task of 101 for fourteen days.
    let (_, run) = presets().find(|(id, _)| *id == "early-renewed").expect("a preset");
    let after = headlines(run.view(), &run.end.frame().service_deployments).after.expect("it goes on");
    assert_eq!((after.old_answers_ms, after.old_per_mille), (after.ms, 9));
}

//! One account of failures, whoever names a number.

use rollscope_engine::{Simulation, Trace};
use rollscope_insight::tally::total;
use rollscope_insight::{failures, guarding, outcome, run_to_end, tallies};
use rollscope_scenario::{Document, PRESETS, Preset};

#[test]
fn each_of_two_deployments_has_its_own_numbers() {
    let preset = Preset::find("one-two-three").expect("a preset");
    let run = run_to_end(crate::resolve(preset.document).settings);
    let services = outcome(run.view()).services;
    let found = tallies(run.view().records, &services, run.end.settings());
    let numbers: Vec<_> = found.iter().map(|t| (t.revision, t.counted, t.not_counted)).collect();
    // Two and two fail of each; the third of them trips, the fourth does not count any more.
    assert_eq!(numbers, [(8, 3, 1), (9, 3, 1)]);
    assert_eq!(total(&found), (6, 2));
}

#[test]
fn the_card_at_the_end_of_a_deployment_has_the_numbers_of_the_account() {
    let mut compared = 0;
    for preset in PRESETS {
        let Ok(resolved) = Document::from_text(preset.document).document.resolve() else { continue };
        let params = resolved.settings.platform.ecs();
        if params.breaker.is_none() {
            continue;
        }
        let run = run_to_end(resolved.settings.clone());
        let services = outcome(run.view()).services;
        let found = failures(run.view(), &services);
        assert_eq!(found.tallies.len(), services.len(), "{}", preset.id);
        // The newest one, at the end of the run.
        let mut state = Simulation::new(resolved.settings.clone());
        while !matches!(state.step(&mut Trace::null()), rollscope_engine::Step::Ended(_)) {}
        let Some(card) = guarding(run.view().records, &state.frame(), &resolved.settings) else { continue };
        let Some(tally) = found.tallies.last() else { continue };
        let counted = card.counted.iter().filter(|row| row.count > 0).count() as u32;
        let other = |group: &&rollscope_insight::guarding::Uncounted| group.is_failure();
        let not_counted: u32 = card.uncounted.iter().filter(other).map(|group| group.times).sum();
        assert_eq!((counted, not_counted), (tally.counted, tally.not_counted), "{}", preset.id);
        assert_eq!((found.counted, found.not_counted), (tally.counted, tally.not_counted), "{}", preset.id);
        compared += 1;
    }
    assert!(compared > 15, "only {compared}");
}

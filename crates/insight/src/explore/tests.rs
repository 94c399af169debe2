//! The map of the article's service, and that its fields are single runs.

use rollscope_scenario::{Document, Preset};

use super::{Known, Map, Measure, pairs};
use crate::comparison::{Figure, summary};
use crate::run_to_end;

fn map(text: &str, pair: usize) -> Map {
    let document = Document::from_text(text).document;
    let mut map = Map::new(&document, &pairs(&document)[pair]);
    while map.work() {}
    map
}

const FOUR: &str = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":100,"maximumPercent":130}},
    "timing":{"healthy_after":"45s","gone_after":"30s"},"quotas":"none"}"#;

#[test]
fn four_tasks_have_25_behaviours() {
    let map = map(FOUR, 0);
    let sizes = |groups: &[core::ops::Range<usize>]| groups.iter().map(ExactSizeIterator::len).collect::<Vec<_>>();
    assert_eq!((map.rows.values.len(), map.columns.values.len(), map.fields.len()), (11, 11, 25));
    assert_eq!((sizes(&map.row_groups), sizes(&map.column_groups)), (vec![3, 2, 3, 2, 1], vec![3, 2, 3, 2, 1]));
    let done = |index: usize| map.fields[index].found().map(|found| found.done);
    // Floor 4: ceiling 4 cannot move, 5 takes four rounds of 75 s, 8 one.
    assert!(matches!(done(0), Some(Figure::Ends(_))));
    assert_eq!((done(1), done(4)), (Some(Figure::Time(300_000)), Some(Figure::Time(75_000))));
    // 100/100 is refused, and does not speak for 100/110 and 100/120.
    assert_eq!(map.fields[0].at, (0, 1));
    assert_eq!((map.own, map.fields[1].at), (Some(1), (0, 3)), "the scenario's own pair runs for its field");
    // Nothing is as fast as 0/200 as small as 4 and as safe as 4 at once: each of these is best of its kind.
    assert!(map.fields[1].best && map.fields[4].best && !map.fields[0].best);
    assert_eq!(map.span(Measure::Duration).map(|(_, most)| most), Some(300_000));
    assert_eq!((map.neighbour(1, 0, 1), map.neighbour(1, -1, 0), map.neighbour(4, 0, 1)), (Some(2), None, None));
}

#[test]
fn every_field_equals_its_single_run() {
    for (id, all) in [
        ("half-at-a-time", 4),
        ("kubernetes-defaults", 1),
        ("statefulset-highest-first", 1),
        ("daemonset-surge", 1),
        ("mig-surge", 1),
        ("vmss-defaults", 1),
        ("instance-refresh-defaults", 1),
    ] {
        let document = Document::from_text(Preset::find(id).expect(id).document).document;
        for pair in pairs(&document).into_iter().take(all) {
            let mut map = Map::new(&document, &pair);
            while map.work() {}
            assert_eq!(map.progress().0, map.fields.len());
            for field in map.fields.iter().step_by(7) {
                let single = field.document.resolve().map(|resolved| {
                    let mut settings = resolved.settings;
                    settings.event_budget = rollscope_engine::settings::EVENT_BUDGET_PAGE;
                    summary(run_to_end(settings).view())
                });
                match (&field.known, single) {
                    (Known::Found(found), Ok(single)) => assert_eq!(found, &single, "{id} {}", pair.name),
                    (Known::Refused(_), Err(_)) => {}
                    (known, single) => panic!("{id} {}: {known:?} {single:?}", pair.name),
                }
            }
        }
    }
}

#[test]
fn it_can_be_stopped_and_goes_on_from_another_field() {
    let document = Document::from_text(FOUR).document;
    let mut map = Map::new(&document, &pairs(&document)[0]);
    while map.progress().0 < 3 && map.work() {}
    assert!(map.fields[1].found().is_some(), "the scenario's own field comes first");
    map.stop();
    assert!(!map.work() && map.progress().0 == 3);
    map.begin_at(24);
    while map.progress().0 < 4 && map.work() {}
    assert!(map.fields[24].found().is_some());
}

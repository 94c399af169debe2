//! What a person does at the cursor travels in a link and gives the same state there.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::SimTime;
use rollscope_player::Player;
use rollscope_scenario::document::Act;
use rollscope_scenario::{Document, Link, link};
use rollscope_tests::dice::Dice;

const SCENARIOS: &[&str] = &[
    r#"{ "rollscope": 1, "service": { "desiredCount": 4, "deploymentConfiguration": { "maximumPercent": 150 } }, "targetGroups": [ {} ] }"#,
    r#"{ "rollscope": 1, "service": { "desiredCount": 9, "deploymentConfiguration": { "minimumHealthyPercent": 50, "maximumPercent": 120 } },
         "timing": { "start_up": { "uniform": [ "5s", "90s" ] }, "open_request": { "uniform": [ "1s", "80s" ] } }, "containers": [ { "healthCheck": { "interval": 10 } } ],
         "new": { "fate": { "ratio": { "of": [ 1, 3 ], "fate": "never_passes" } } }, "acts": [ { "at": "70s", "do": "desired", "count": 6 }, { "at": "4m", "do": "kill", "task": "8·2" } ] }"#,
    r#"{ "rollscope": 1, "service": { "desiredCount": 3, "deploymentConfiguration": { "maximumPercent": 125 } }, "old": { "fate": { "exits_after": "3m" } } }"#,
];

/// Acts made by hand in the player, one after the other, and the document that lists them.
fn play(document: &Document, seed: u64) -> (Player, Document) {
    let mut dice = Dice::new(seed);
    let mut player = Player::new(document.resolve().expect("it runs").settings);
    player.advance_to_end();
    let mut moment = 0;
    for _ in 0..=dice.below(3) {
        moment += dice.below(150_000);
        player.seek(SimTime(moment));
        moment = player.now().ms();
        player.act(dice.by_hand());
        player.advance_to_end();
    }
    let mut with_acts = document.clone();
    with_acts.acts = Some(player.acts().iter().map(|act| Act::of(act, &[])).collect());
    (player, with_acts)
}

#[test]
fn acts_by_hand_travel_in_a_link() {
    let mut compared = 0;
    for text in SCENARIOS {
        let document = Document::from_text(text).document;
        for seed in 0..60 {
            let (mut player, with_acts) = play(&document, seed);
            let moment = player.now();
            let sent = Link { document: with_acts, moment_ms: Some(moment.ms()), ..Link::default() };
            let received = link::decode(&link::encode(&sent)).expect("it opens");
            assert_eq!(received.problems, [], "{text} {seed}");
            // A person may set by hand what a document has to be told to allow (100/100).
            let Ok(resolved) = received.link.document.resolve() else { continue };
            let mut there = Player::new(resolved.settings);
            there.advance_to_end();
            there.seek(SimTime(received.link.moment_ms.expect("the moment")));
            assert_eq!(there.state().state_hash(), player.state().state_hash(), "at {moment:?} of {text} {seed}");
            for player in [&mut player, &mut there] {
                player.seek(SimTime(moment.ms() + 200_000));
            }
            assert_eq!(there.state().state_hash(), player.state().state_hash(), "later in {text} {seed}");
            compared += 1;
        }
    }
    assert!(compared > 120, "{compared}");
}

//! Acts that replace each other, undo and redo.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Act, Command, Settings, TaskName};
use rollscope_player::{BranchId, Player, UNDONE_MAX};

use crate::common::{Dice, command, from_zero, random, settings};

fn maximum(percent: u32) -> Command {
    Command::SetPercentages { minimum: None, maximum: Some(percent) }
}

fn minimum(percent: u32) -> Command {
    Command::SetPercentages { minimum: Some(percent), maximum: None }
}

fn at_twenty() -> Player {
    let mut player = Player::new(settings(4, 100, 150));
    player.advance_to_end();
    player.seek(SimTime(20_000));
    player
}

/// Every branch by name and parent.
fn family(player: &Player) -> Vec<(u32, Option<u32>)> {
    player.branches().map(|b| (b.id.0, b.parent.map(|parent| parent.0))).collect()
}

#[test]
fn a_dial_that_is_dragged_makes_one_branch() {
    let mut player = at_twenty();
    let first = player.active();
    for percent in 151..=200 {
        player.replace_act(maximum(percent)).expect("settings have an object");
    }
    assert_eq!((player.branches().count(), player.acts().len()), (2, 1));
    assert_eq!((player.now(), player.frame().maximum_percent), (SimTime(20_000), 200));
    // The other dial at the same moment: one act that sets both.
    player.replace_act(minimum(50)).expect("settings have an object");
    let both = Command::SetPercentages { minimum: Some(50), maximum: Some(200) };
    assert_eq!(player.branch_label(player.active()), Some((SimTime(20_000), &both)));
    assert_eq!(player.branch_label(first), None);
    // The run is that of the one act, however it came about.
    player.advance_to_end();
    let mut written = settings(4, 100, 150);
    written.acts.push(Act { at: SimTime(20_000), command: both });
    for t in [20_000, 31_000, 90_000] {
        player.seek(SimTime(t));
        assert_eq!(player.state().state_hash(), from_zero(&written, SimTime(t)), "at {t}");
    }
    // Undo goes back to before the drag.
    assert!(player.undo());
    assert_eq!((player.active(), player.branches().count()), (first, 1));
    assert_eq!(player.frame().maximum_percent, 150);
}

#[test]
fn only_the_same_kind_at_the_same_moment_without_children_is_replaced() {
    let mut player = at_twenty();
    player.replace_act(maximum(200)).expect("settings have an object");
    player.replace_act(Command::SetDesired(6)).expect("a desired count has an object");
    assert_eq!(family(&player), [(0, None), (1, Some(0)), (2, Some(1))], "another kind");
    let kill = |start| Command::Kill(TaskName { revision: 7, start });
    player.replace_act(kill(1)).expect("it runs");
    player.replace_act(kill(2)).expect("it runs");
    assert_eq!(player.branches().count(), 5, "two tasks are two acts");
    assert!(player.switch(BranchId(1)));
    player.replace_act(maximum(210)).expect("settings have an object");
    assert_eq!(player.branches().count(), 6, "a branch that others left stays");
    player.advance_to_end();
    player.seek(SimTime(25_000));
    player.replace_act(maximum(220)).expect("settings have an object");
    assert_eq!(player.branches().count(), 7, "another moment");
}

#[test]
fn a_replaced_act_keeps_those_before_it() {
    // Its parent is gone: the act that made that one still counts.
    let mut player = at_twenty();
    let parent = player.act(Command::SetDesired(6)).expect("a desired count has an object");
    player.act(maximum(200)).expect("settings have an object");
    assert!(player.drop_branch(parent));
    player.replace_act(maximum(300)).expect("settings have an object");
    assert_eq!(family(&player).len(), 2);
    let frame = player.frame();
    assert_eq!((frame.counts.limits.desired, frame.maximum_percent), (6, 300));
    assert_eq!(player.acts().len(), 2);
}

#[test]
fn undo_and_redo_bring_everything_back() {
    let mut player = at_twenty();
    let one = player.act(Command::SetDesired(6)).expect("a desired count has an object");
    player.advance_to_end();
    player.seek(SimTime(40_000));
    let two = player.act(maximum(200)).expect("settings have an object");
    player.advance_to_end();
    let (end, events) = (player.end(), player.head().events_done());
    assert!(!player.can_redo() && !player.redo());
    assert!(player.undo() && player.undo() && !player.undo());
    assert_eq!((family(&player), player.now()), (vec![(0, None)], SimTime(20_000)));
    assert!(player.redo() && player.can_redo());
    assert_eq!((player.active(), player.now()), (one, SimTime(20_000)));
    assert!(player.redo() && !player.can_redo());
    assert_eq!((player.active(), player.now()), (two, SimTime(40_000)));
    assert_eq!(family(&player), [(0, None), (1, Some(0)), (2, Some(1))]);
    // Nothing is computed again.
    assert_eq!((player.complete(), player.end(), player.head().events_done()), (true, end, events));
    // A branch in the middle comes back between its parent and its child.
    assert!(player.switch(one) && player.undo());
    assert_eq!(family(&player), [(0, None), (2, Some(0))]);
    assert!(player.redo());
    assert_eq!(family(&player), [(0, None), (1, Some(0)), (2, Some(1))]);
    // A new act ends what could be brought back.
    assert!(player.undo());
    player.act(Command::SetDesired(3)).expect("a desired count has an object");
    assert!(!player.can_redo());
}

#[test]
fn what_can_be_brought_back_has_a_bound() {
    let mut player = at_twenty();
    for n in 0..UNDONE_MAX as u32 + 3 {
        player.act(Command::SetDesired(5 + n)).expect("a desired count has an object");
    }
    while player.undo() {}
    let mut again = 0;
    while player.redo() {
        again += 1;
    }
    assert_eq!(again, UNDONE_MAX);
}

#[test]
fn an_act_elsewhere_is_a_seek_and_an_act() {
    let mut dice = Dice(5);
    let mut acted = 0;
    for _ in 0..40 {
        let settings: Settings = random(&mut dice);
        let (t, command) = (SimTime(dice.below(400_000)), command(&mut dice));
        let mut there = Player::new(settings.clone());
        there.advance_to_end();
        there.seek(t);
        let mut here = Player::new(settings);
        let (before, branch) = (here.now(), here.act_at(t, command.clone()));
        assert_eq!(branch.is_some(), there.act(command).is_some());
        if branch.is_none() {
            assert_eq!((here.now(), here.branches().count()), (before, 1), "nothing changed");
            continue;
        }
        acted += 1;
        assert_eq!((here.now(), here.state().state_hash()), (there.now(), there.state().state_hash()));
        assert_eq!(here.acts(), there.acts());
    }
    assert!(acted > 20, "{acted} acts");
}

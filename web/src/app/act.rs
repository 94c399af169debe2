//! Carries out an act at the cursor.

use rollscope_engine::settings::Command;
use rollscope_player::Player;

use super::acts;
use super::model::{Acted, Msg};

/// Carries out an act at the player's cursor and says what came of it. A dial that is dragged
/// (`goes_on`) goes on changing one and the same act; dragged back to where it was, the act is gone.
pub fn carry_out(player: &mut Player, command: Command, goes_on: bool) -> Msg {
    let again = if goes_on { made_here(player, &command) } else { None };
    if let Some(both) = &again {
        // The moment before the act that goes on: does anything of it remain?
        player.undo();
        if changes_nothing(player, both) {
            return Msg::Unacted;
        }
        player.redo();
    } else if changes_nothing(player, &command) {
        return Msg::Unchanged(command);
    }
    let (at, before) = (player.now(), player.branches().count());
    let branch = if goes_on { player.replace_act(command.clone()) } else { player.act(command.clone()) };
    match branch {
        Some(branch) => {
            let replaced = player.branches().count() == before;
            Msg::Acted(Acted { acts: acts(player), branch, at, command, replaced })
        }
        None if again.is_some() => {
            player.undo();
            Msg::Unacted
        }
        None => Msg::Idle,
    }
}

/// The act stands for what was done at this moment by an act of its kind as well: both in one.
fn made_here(player: &Player, command: &Command) -> Option<Command> {
    let active = player.branches().find(|branch| branch.active)?;
    let alone = player.branches().all(|branch| branch.parent != Some(active.id));
    let made = active.command.filter(|_| alone && active.from == player.now())?;
    match (made, command) {
        (
            Command::SetPercentages { minimum: old_minimum, maximum: old_maximum },
            Command::SetPercentages { minimum, maximum },
        ) => Some(Command::SetPercentages { minimum: minimum.or(*old_minimum), maximum: maximum.or(*old_maximum) }),
        (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => Some(new.clone()),
        _ => None,
    }
}

/// The act asks for what is in force at the cursor already.
fn changes_nothing(player: &mut Player, command: &Command) -> bool {
    let frame = player.frame();
    match command {
        Command::SetDesired(count) | Command::Schedule(count) => *count == frame.counts.limits.desired,
        Command::SetPercentages { minimum, maximum } => {
            minimum.is_none_or(|minimum| minimum == frame.minimum_healthy_percent)
                && maximum.is_none_or(|maximum| maximum == frame.maximum_percent)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::SimTime;
    use rollscope_scenario::Document;

    use super::*;

    fn player() -> Player {
        let text = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"maximumPercent":150}}}"#;
        let mut player = Player::new(Document::from_text(text).document.resolve().expect("runs").settings);
        player.advance_to_end();
        player.seek(SimTime(20_000));
        player
    }

    fn maximum(percent: u32) -> Command {
        Command::SetPercentages { minimum: None, maximum: Some(percent) }
    }

    #[test]
    fn what_is_in_force_already_makes_no_branch() {
        let mut player = player();
        for command in [Command::SetDesired(4), Command::Schedule(4), maximum(150)] {
            assert_eq!(carry_out(&mut player, command.clone(), false), Msg::Unchanged(command));
        }
        assert_eq!(player.branches().count(), 1);
    }

    #[test]
    fn a_dial_that_comes_back_to_where_it_was_leaves_no_branch() {
        let mut player = player();
        assert!(matches!(carry_out(&mut player, maximum(175), true), Msg::Acted(acted) if !acted.replaced));
        assert!(matches!(carry_out(&mut player, maximum(200), true), Msg::Acted(acted) if acted.replaced));
        assert_eq!(player.branches().count(), 2);
        assert_eq!(carry_out(&mut player, maximum(150), true), Msg::Unacted);
        assert_eq!((player.branches().count(), player.frame().maximum_percent), (1, 150));
        // The other percentage stays: the act is not gone.
        let minimum = Command::SetPercentages { minimum: Some(50), maximum: None };
        carry_out(&mut player, minimum, true);
        carry_out(&mut player, maximum(200), true);
        assert!(matches!(carry_out(&mut player, maximum(150), true), Msg::Acted(_)));
        assert_eq!((player.frame().minimum_healthy_percent, player.frame().maximum_percent), (50, 150));
    }
}

//! Two walls and what stands above them, in English.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_hooks::{HookRun, HookStatus};
use rollscope_engine::platform::ecs::rules_shift;
use rollscope_engine::trace::Weights;

use super::page::number;
use super::shift::per_mille;
use crate::time::clock;

/// Share of one of this many healthy tasks that have so many thousandths of the traffic.
///
/// 100 thousandths over 4 tasks: "2.5 % of traffic".
pub fn of_traffic(thousandths: u32, healthy: u32) -> String {
    match thousandths.checked_div(healthy) {
        None | Some(0) => "no traffic".to_owned(),
        // Whole per cents where all of them share all of it.
        Some(_) if thousandths == 1_000 => format!("{} % of traffic", 100 / healthy),
        Some(share) => format!("{} of traffic", per_mille(share)),
    }
}

/// Above one of two walls.
pub fn wall_of(source: bool, revision: u32) -> String {
    format!("{} r{revision}", if source { "Source" } else { "Target" })
}

/// What one of two walls has room for.
pub fn wall_places(places: u32) -> String {
    match places {
        1 => "1 place".to_owned(),
        n => format!("{} places", number(n.into())),
    }
}

/// Above a weighted strip, long and short.
pub fn weight_words(revision: u32, thousandths: u32, refused: bool, steered: bool) -> (String, String) {
    let share = format!("r{revision} {}", per_mille(thousandths));
    match (steered, refused) {
        (true, true) => (format!("{share} of production, and nobody answers: refused"), format!("{share}, refused")),
        (true, false) => (format!("{share} of production traffic"), share),
        (false, _) => (format!("{share} of the healthy tasks; nothing steers traffic"), share),
    }
}

/// "since 0:35, until 25:35: 20:35 left"
pub fn stage_clock(at: SimTime, entered: SimTime, until: SimTime) -> String {
    match until > at {
        true => format!("until {}, {} left", clock(until), clock(SimTime(until.since(at).div_ceil(1_000) * 1_000))),
        false => format!("since {}", clock(entered)),
    }
}

/// When a deployment that shifts traffic was over.
pub fn stage_over(finished: Option<SimTime>) -> String {
    finished.map_or_else(String::new, |at| format!("since {}", clock(at)))
}

/// A hook of the stage that has not answered.
pub fn hook_waits(run: &HookRun) -> String {
    match run.status {
        HookStatus::AwaitingAction => format!("Pause {} until {}", number(run.id.into()), clock(run.deadline)),
        _ if run.calling => format!("Function {} is called", number(run.id.into())),
        _ => format!("Function {} is called again at {}", number(run.id.into()), clock(run.next)),
    }
}

/// What the listeners say, in a sentence.
pub fn weights_spoken(weights: &Weights) -> String {
    super::shift::weights(weights)
}

/// The weights of one moment.
pub fn weights_readout(at: SimTime, weights: &Weights) -> String {
    format!("{}: {}", super::page::clock(at), super::shift::weights(weights))
}

/// Label at the edge of a chart where traffic is shifted: so many while both revisions stand in full.
pub fn both_label(tasks: u32) -> String {
    format!("both {}", number(tasks.into()))
}

/// Label at the edge of a chart where traffic is shifted: so many of each revision.
pub fn each_label(tasks: u32) -> String {
    format!("each {}", number(tasks.into()))
}

/// Beside the fewest healthy tasks of a run that shifts traffic: how many are wanted.
pub fn of_wanted(desired: u32) -> String {
    format!("of {}", number(desired.into()))
}

/// Beside the most tasks of a run that shifts traffic.
pub fn both_revisions() -> &'static str {
    "both revisions"
}

/// What stands in for floor and ceiling where traffic is shifted.
pub fn limits_shifting(desired: u32) -> String {
    let tasks = if desired == 1 { "task" } else { "tasks" };
    let both = rules_shift::limits(desired).ceiling;
    format!("{} {tasks}, {} while traffic shifts", number(desired.into()), number(both.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_its_part_of_its_revisions_weight() {
        for (thousandths, healthy, words) in [
            (1_000, 4, "25 % of traffic"),
            (1_000, 3, "33 % of traffic"),
            (900, 4, "22.5 % of traffic"),
            (0, 4, "no traffic"),
            (1_000, 0, "no traffic"),
        ] {
            assert_eq!(of_traffic(thousandths, healthy), words);
        }
    }

    #[test]
    fn a_strip_says_what_becomes_of_its_weight() {
        let long = |refused, steered| weight_words(8, 125, refused, steered).0;
        assert_eq!(long(false, true), "r8 12.5 % of production traffic");
        assert_eq!(long(true, true), "r8 12.5 % of production, and nobody answers: refused");
        assert_eq!(long(false, false), "r8 12.5 % of the healthy tasks; nothing steers traffic");
    }

    #[test]
    fn a_stage_has_its_own_end_or_its_begin() {
        let clock = |at| stage_clock(SimTime(at), SimTime(35_000), SimTime(635_000));
        assert_eq!((clock(300_000), clock(635_000)), ("until 10:35, 5:35 left".into(), "since 0:35".into()));
    }
}

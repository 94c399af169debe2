//! A rollout that cannot move, and what becomes of it with a change, in English.

use rollscope_engine::SimTime;
use rollscope_insight::WorksFrom;

use super::page::number;
use crate::time;

/// The ceiling as it is before it is rounded: "150 % of 1 is 1.5."
pub fn stuck_sum(desired: u32, percent: u32) -> String {
    let hundredths = u64::from(desired) * u64::from(percent);
    let whole = number(hundredths / 100);
    let exact = match hundredths % 100 {
        0 => whole,
        rest if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        rest => format!("{whole}.{rest:02}"),
    };
    format!("{percent} % of {} is {exact}.", number(desired.into()))
}

/// From how many tasks on the percentages move, and what rounding makes the same for the tasks there are.
pub fn works_from(works: &WorksFrom) -> String {
    let WorksFrom { desired, minimum, maximum, tasks, ref same, of_maximum } = *works;
    let whole = format!("{minimum} % and {maximum} % do work for {} tasks and more.", number(tasks.into()));
    let (from, until) = (same.start(), same.end());
    if from == until {
        return whole;
    }
    let of = if desired == 1 { "one task".to_owned() } else { format!("{} tasks", number(desired.into())) };
    let dial = if of_maximum { "maximum" } else { "minimum" };
    format!("{whole} For {of} every {dial} from {from} % to {until} % is the same.")
}

/// Where a scenario comes from that was changed.
pub fn changed_example(title: &str) -> String {
    format!("From the example “{title}” · changed")
}

/// Why nothing can start and nothing can stop.
pub fn stuck_why(desired: u32, percent: u32, ceiling: u32) -> String {
    let taken = match ceiling {
        0 => "There is no slot.".to_owned(),
        1 => "The one slot is taken by a task that may not stop.".to_owned(),
        _ => format!("All {} slots are taken by tasks that may not stop.", number(ceiling.into())),
    };
    if (u64::from(desired) * u64::from(percent)).is_multiple_of(100) {
        return taken;
    }
    format!("Part of a task cannot run, so the ceiling is rounded down to {}. {taken}", number(ceiling.into()))
}

/// What becomes of a rollout with a change: "No outage, done after 2:02."
pub fn changed(lowest_healthy: u32, desired: u32, done: Option<SimTime>) -> String {
    let outage = match lowest_healthy {
        0 => "No healthy task for some time".to_owned(),
        lowest if lowest >= desired => "No outage".to_owned(),
        lowest => format!("Never fewer than {} healthy", number(lowest.into())),
    };
    match done {
        Some(at) => format!("{outage}, done after {}.", time::clock(at)),
        None => format!("{outage}, but never done."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_exact_and_the_ceiling_rounded_down() {
        for (desired, percent, sum) in
            [(1, 150, "150 % of 1 is 1.5."), (4, 100, "100 % of 4 is 4."), (3, 133, "133 % of 3 is 3.99.")]
        {
            assert_eq!(stuck_sum(desired, percent), sum);
        }
        assert_eq!(stuck_why(4, 100, 4), "All 4 slots are taken by tasks that may not stop.");
        assert!(
            stuck_why(1, 150, 1)
                .starts_with("Part of a task cannot run, so the ceiling is rounded down to 1. The one slot")
        );
    }

    #[test]
    fn the_percentages_are_said_to_work_for_more_tasks() {
        let said = |desired, minimum, maximum| {
            rollscope_insight::works_from(desired, minimum, maximum).map(|works| works_from(&works)).unwrap_or_default()
        };
        assert_eq!(
            said(1, 100, 150),
            "100 % and 150 % do work for 2 tasks and more. For one task every maximum from 100 % to 199 % is the same."
        );
        assert_eq!(
            said(2, 75, 100),
            "75 % and 100 % do work for 4 tasks and more. For 2 tasks every minimum from 51 % to 100 % is the same."
        );
        assert_eq!(said(4, 100, 150), "");
        assert_eq!(changed_example("Half at a time"), "From the example “Half at a time” · changed");
    }

    #[test]
    fn a_change_says_what_it_costs() {
        let done = Some(SimTime(122_000));
        assert_eq!(changed(1, 1, done), "No outage, done after 2:02.");
        assert_eq!(changed(3, 4, done), "Never fewer than 3 healthy, done after 2:02.");
        assert_eq!(changed(0, 1, None), "No healthy task for some time, but never done.");
    }
}

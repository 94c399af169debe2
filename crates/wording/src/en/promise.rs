//! What a change comes to, in English.

use rollscope_insight::Promise;

use super::verdict::capital;
use super::{count, plural};
use crate::time::clock;

/// "Done at 2:00 instead of 3:18:00, in 1 round instead of 99." Empty where nothing of it differs.
pub(super) fn promise(now: &Promise, then: &Promise) -> String {
    let mut parts: Vec<String> = Vec::new();
    let (before, after) = (now.done.map(clock), then.done.map(clock));
    match (&before, &after) {
        (Some(before), Some(after)) if before != after => parts.push(format!("done at {after} instead of {before}")),
        (None, Some(after)) => parts.push(format!("done at {after}")),
        _ => {}
    }
    if before.is_some() && after.is_some() && now.rounds != then.rounds && now.rounds > 0 && then.rounds > 0 {
        parts.push(format!("in {} instead of {}", plural(then.rounds, "round", "rounds"), count(now.rounds)));
    }
    if now.lowest_healthy != then.lowest_healthy {
        parts.push(format!("fewest healthy {} instead of {}", count(then.lowest_healthy), count(now.lowest_healthy)));
    }
    if parts.is_empty() { String::new() } else { format!("{}.", capital(&parts.join(", "))) }
}

/// How many rounds a rollout took, beside when it was done: "99 rounds".
pub fn rounds(rounds: u32) -> String {
    plural(rounds, "round", "rounds")
}

#[cfg(test)]
mod tests {
    use rollscope_engine::SimTime;

    use super::*;

    #[test]
    fn only_what_differs_is_told() {
        let run = |done: Option<u64>, rounds, lowest_healthy| Promise {
            desired: 99,
            lowest_healthy,
            done: done.map(|s| SimTime(s * 1_000)),
            rounds,
        };
        for (now, then, told) in [
            (
                run(Some(11_880), 99, 99),
                run(Some(120), 1, 99),
                "Done at 2:00 instead of 3:18:00, in 1 round instead of 99.",
            ),
            (run(None, 1, 0), run(Some(90), 2, 0), "Done at 1:30."),
            (run(Some(119), 2, 1), run(Some(119), 2, 10), "Fewest healthy 10 instead of 1."),
            (run(Some(119), 2, 1), run(Some(119), 2, 1), ""),
            (run(None, 0, 3), run(None, 0, 3), ""),
        ] {
            assert_eq!(promise(&now, &then), told);
        }
    }
}

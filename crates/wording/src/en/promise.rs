//! What a change comes to, in English.

use rollscope_engine::time::SECOND;
use rollscope_insight::Promise;

use super::verdict::capital;
use super::{count, duration, plural};
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
    let (before_back, after_back) = (now.back.map(clock), then.back.map(clock));
    match (&before_back, &after_back) {
        (Some(before), Some(after)) if before != after => {
            parts.push(format!("back on the old revision at {after} instead of {before}"));
        }
        (None, Some(after)) => parts.push(format!("back on the old revision at {after}")),
        _ => {}
    }
    if before.is_some() && after.is_some() && now.rounds != then.rounds && now.rounds > 0 && then.rounds > 0 {
        parts.push(format!("in {} instead of {}", plural(then.rounds, "round", "rounds"), count(now.rounds)));
    }
    if now.lowest_healthy != then.lowest_healthy {
        parts.push(format!("fewest healthy {} instead of {}", count(then.lowest_healthy), count(now.lowest_healthy)));
    }
    if now.waited_ms / SECOND != then.waited_ms / SECOND {
        let (before, after) = (duration(now.waited_ms), duration(then.waited_ms));
        match then.waited_ms {
            0 => parts.push(format!("no replacement waits, instead of {before}")),
            _ => parts.push(format!("a replacement waits {after} instead of {before}")),
        }
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
            back: None,
            rounds,
            waited_ms: 0,
        };
        let waits = |waited_ms| Promise { waited_ms, ..run(None, 0, 1) };
        assert_eq!(
            promise(&waits(1_802_000), &waits(32_000)),
            "A replacement waits 32 seconds instead of 30 minutes 2 seconds."
        );
        let back = |s: Option<u64>| Promise { back: s.map(|s| SimTime(s * 1_000)), ..run(None, 0, 1) };
        assert_eq!(promise(&back(None), &back(Some(70))), "Back on the old revision at 1:10.");
        assert_eq!(promise(&back(Some(600)), &back(Some(70))), "Back on the old revision at 1:10 instead of 10:00.");
        assert_eq!(promise(&waits(1_802_000), &waits(0)), "No replacement waits, instead of 30 minutes 2 seconds.");
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

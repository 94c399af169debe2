//! The lane of requests above the stage, and the chart of them, in English.

use rollscope_engine::SimTime;
use rollscope_engine::mechanism::traffic::{Flow, FlowPart};
use rollscope_engine::sim::TrafficView;
use rollscope_insight::Open;

use super::page::{clock, number};
use super::shift::per_mille;

/// Thousandths as a number with at most one decimal, rounded to the nearest: "12.5", "1,250".
fn tenths(thousandths: u64) -> String {
    let tenths = (thousandths + 50) / 100;
    match tenths % 10 {
        0 => number(tenths / 10),
        tenth => format!("{}.{tenth}", number(tenths / 10)),
    }
}

/// A part of a whole in thousandths, to the nearest.
fn share(part: u64, whole: u64) -> u32 {
    ((part * 1_000 + whole / 2).checked_div(whole).unwrap_or(0)) as u32
}

/// Requests that come.
pub fn requests(rate: u32) -> String {
    match rate {
        0 => "no requests".to_owned(),
        1 => "1 request a second".to_owned(),
        n => format!("{} requests a second", number(n.into())),
    }
}

/// What a revision answers: "r8 10 % by 4 tasks".
pub fn answers(part: &FlowPart, rate: u32) -> String {
    let share = per_mille(share(part.answered, u64::from(rate) * 1_000));
    let targets =
        if part.targets == 1 { "1 task".to_owned() } else { format!("{} tasks", number(part.targets.into())) };
    format!("r{} {share} by {targets}", part.revision)
}

/// How much of a revision's answers is bad; empty for nothing.
pub fn bad_answers(part: &FlowPart) -> String {
    match part.bad {
        0 => String::new(),
        bad => format!("{} bad", per_mille(share(bad, part.answered))),
    }
}

/// How long the answers of a revision take, on average: "takes 200 ms"; empty for those that come at once.
pub fn takes(part: &FlowPart) -> String {
    match part.mean_ms {
        0 => String::new(),
        ms => format!("takes {}", latency(ms)),
    }
}

/// How long the answers of this moment take, where several revisions give them in different times: "230 ms on average".
pub fn takes_all(flow: &Flow) -> String {
    let first = flow.parts.first().map_or(0, |part| part.mean_ms);
    if flow.parts.iter().all(|part| part.mean_ms == first) {
        return String::new();
    }
    format!("{} on average", latency(flow.mean_ms()))
}

/// Milliseconds below a second, else seconds with one decimal: "200 ms", "1.5 s".
pub fn latency(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{} ms", number(ms)),
        ms => format!("{} s", tenths(ms)),
    }
}

/// What is refused now: nobody is registered where it is sent; empty for nothing.
pub fn refused_now(view: &TrafficView) -> String {
    match view.flow.refused {
        0 => String::new(),
        refused => format!("{} refused", per_mille(share(refused, u64::from(view.rate) * 1_000))),
    }
}

/// What has gone wrong by now; empty for nothing. What is `still` open is not cut off yet.
pub fn lost(view: &TrafficView, still: &Open) -> String {
    let cut_off = view.totals.cut_off.saturating_sub(still.doomed);
    let bad: u64 = view.totals.bad.iter().sum();
    let all = [(bad, "answered badly"), (view.totals.refused, "refused"), (cut_off, "cut off")];
    let told: Vec<String> =
        all.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", tenths(*n))).collect();
    // Requests that were open at time 0 came before it.
    let before = if cut_off > view.totals.offered { ", with those that came before 0:00" } else { "" };
    if told.is_empty() { String::new() } else { format!("So far {}{before}", told.join(", ")) }
}

/// The load of the busiest task, against what it can answer.
pub fn load(view: &TrafficView) -> String {
    match view.most {
        Some(most) if view.load > most => {
            format!("{} a second for one task: it can answer {}", tenths(view.load), tenths(most))
        }
        Some(most) => format!("{} a second for one task, of {}", tenths(view.load), tenths(most)),
        None => format!("{} a second for one task", tenths(view.load)),
    }
}

/// What is still open in tasks that get no more requests; empty for nothing: "125 open in 1 task that gets no more".
pub fn open(open: &Open) -> String {
    let doomed = match open.doomed {
        0 => String::new(),
        n => format!(", {} of them will be cut off", tenths(n)),
    };
    match (open.tasks, open.requests) {
        (_, 0) => String::new(),
        (1, n) => format!("{} open in 1 task that gets no more{doomed}", tenths(n)),
        (tasks, n) => format!("{} open in {} tasks that get no more{doomed}", tenths(n), number(tasks.into())),
    }
}

/// Open requests of one task that gets no more; empty for nothing.
pub fn open_of_task(thousandths: u64) -> String {
    match thousandths {
        0 => String::new(),
        1_000 => "1 request is still open: it gets no more.".to_owned(),
        n => format!("{} requests are still open: it gets no more.", tenths(n)),
    }
}

/// One moment of the traffic in numbers:
/// "5:00: 100 requests a second; r8 10 (5 % bad, takes 900 ms), r7 90 (takes 200 ms); 0.5 bad; 0 refused".
pub fn flow_readout(at: SimTime, flow: &Flow, still: &Open) -> String {
    let part = |part: &FlowPart| {
        let more: Vec<String> =
            [bad_answers(part), takes(part)].into_iter().filter(|words| !words.is_empty()).collect();
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
        format!("r{} {}{more}", part.revision, tenths(part.answered))
    };
    let parts: Vec<String> = flow.parts.iter().rev().map(part).collect();
    let bad = flow.parts.iter().map(|part| part.bad).sum();
    let answered = if parts.is_empty() { "nobody answers".to_owned() } else { parts.join(", ") };
    let gone = flow.cut_off.saturating_sub(still.doomed);
    let still = open(still);
    let still = if still.is_empty() { still } else { format!("; {still}") };
    let cut_off = if gone > 0 { format!("; {} so far", cut_off_label(gone)) } else { String::new() };
    format!(
        "{}: {}; {answered}; {} bad; {} refused{still}{cut_off}",
        clock(at),
        requests(flow.rate),
        tenths(bad),
        tenths(flow.refused)
    )
}

/// So many thousandths of a request were cut off.
pub fn cut_off_label(thousandths: u64) -> String {
    format!("{} cut off", tenths(thousandths))
}

/// Heading of what a revision answers, in requests a second.
pub fn answered_by(revision: u32) -> String {
    format!("r{revision} answers, a second")
}

/// Heading of how long the answers of a revision take, on average.
pub fn answers_take(revision: u32) -> String {
    format!("r{revision} takes")
}

/// A weight at its step.
pub fn weight_label(thousandths: u16) -> String {
    per_mille(thousandths.into())
}

/// A rate in thousandths of a request a second, in a table.
pub fn rate_cell(thousandths: u64) -> String {
    tenths(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_at_most_one_decimal() {
        for (thousandths, words) in [(0, "0"), (49, "0"), (50, "0.1"), (12_500, "12.5"), (1_250_000, "1,250")] {
            assert_eq!(tenths(thousandths), words);
        }
    }

    #[test]
    fn a_revision_answers_its_share() {
        let part = FlowPart { revision: 8, targets: 4, answered: 10_000, bad: 500, load: 2_500, mean_ms: 900 };
        assert_eq!((answers(&part, 100), bad_answers(&part)), ("r8 10 % by 4 tasks".into(), "5 % bad".into()));
        assert_eq!(bad_answers(&FlowPart { bad: 0, ..part }), "");
        assert_eq!(answers(&part, 0), "r8 0 % by 4 tasks");
        assert_eq!((takes(&part), takes(&FlowPart { mean_ms: 0, ..part })), ("takes 900 ms".into(), String::new()));
        assert_eq!((latency(999), latency(1_000), latency(6_900)), ("999 ms".into(), "1 s".into(), "6.9 s".into()));
        let other = FlowPart { revision: 7, answered: 90_000, mean_ms: 200, ..part };
        let both = Flow { rate: 100, parts: vec![other, part], refused: 0, load: 2_500, cut_off: 0 };
        assert_eq!(takes_all(&both), "270 ms on average");
        assert_eq!(takes_all(&Flow { parts: vec![part], ..both }), "");
        let flow = Flow { rate: 10, parts: vec![part], refused: 0, load: 2_500, cut_off: 12_000 };
        let told = "5:00: 10 requests a second; r8 10 (5 % bad, takes 900 ms); 0.5 bad; 0 refused; 12 cut off so far";
        assert_eq!(flow_readout(SimTime(300_000), &flow, &Open::default()), told);
    }

    #[test]
    fn what_is_open_is_told_while_there_is_some() {
        for (tasks, requests, doomed, told) in [
            (0, 0, 0, ""),
            (1, 125_000, 0, "125 open in 1 task that gets no more"),
            (4, 37_500, 12_000, "37.5 open in 4 tasks that get no more, 12 of them will be cut off"),
        ] {
            assert_eq!(open(&Open { tasks, requests, doomed }), told);
        }
        assert_eq!(open_of_task(0), "");
        assert_eq!(open_of_task(37_500), "37.5 requests are still open: it gets no more.");
        let flow = Flow { rate: 10, parts: vec![], refused: 10_000, load: 0, cut_off: 0 };
        let told = "0:05: 10 requests a second; nobody answers; 0 bad; 10 refused; 2 open in 1 task that gets no more";
        assert_eq!(flow_readout(SimTime(5_000), &flow, &Open { tasks: 1, requests: 2_000, doomed: 0 }), told);
    }
}

//! What each one that looks at a service sees by now, in short lines, in English.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::StopCode;
use rollscope_insight::outside::{TailLine, TaskEvents};
use rollscope_insight::{names, watchdog};

use super::{count, plural};
use crate::time::clock;

/// An exit code, or that there is none: "exit code 1".
pub fn exit_code(code: Option<u32>) -> String {
    code.map_or_else(|| "no exit code".into(), |code| format!("exit code {code}"))
}

/// A line of the tail of a deployment.
pub fn tail_line(line: &TailLine) -> String {
    match line {
        TailLine::Stopped(task) => tasks_stopped(&[task.task], task.code),
        TailLine::NoPlace => "No place for a task".into(),
        TailLine::Failed(id) => format!("{} failed", names::deployment(*id)),
        TailLine::RollsBack(id) => format!("Rolls back to {}", names::deployment(*id)),
    }
}

/// Tasks that stopped at one instant with one code: "8·1 and 8·2 stopped: EssentialContainerExited".
pub fn tasks_stopped(tasks: &[TaskName], code: StopCode) -> String {
    let who = match tasks {
        [] => String::new(),
        [one] => names::task(*one),
        [one, other] => format!("{} and {}", names::task(*one), names::task(*other)),
        [first, rest @ ..] => format!("{} and {} more", names::task(*first), count(rest.len() as u32)),
    };
    format!("{who} stopped: {}", names::stop_code(code))
}

/// Stopped tasks that are still answered, and those that are not any more.
pub fn stops_listed(listed: usize, gone: usize) -> String {
    let lists = if listed == 1 { "task is" } else { "tasks are" };
    let listed = format!("{} stopped {lists} still answered", count(listed as u32));
    match gone {
        0 => format!("{listed}, each for an hour."),
        gone => format!("{listed}, {} no more: an hour has passed.", count(gone as u32)),
    }
}

/// Until when a stopped task is answered.
pub fn answered_until(at: SimTime) -> String {
    format!("until {}", clock(at))
}

/// Lines of a list that are not shown.
pub fn earlier_lines(lines: usize) -> String {
    plural(lines as u32, "earlier line", "earlier lines")
}

/// Lines that came since the moment that was looked at before.
pub fn new_lines(lines: usize) -> String {
    format!("{} new", count(lines as u32))
}

/// How many lines there are.
pub fn lines_so_far(lines: usize, new: usize) -> String {
    let lines = if lines == 0 { "none yet".to_owned() } else { count(lines as u32) };
    if new == 0 { lines } else { format!("{lines}, {}", new_lines(new)) }
}

/// "“ECS Task State Change” is not listed, one a task and status: 6 RUNNING, 3 STOPPED so far."
pub fn task_events(events: TaskEvents) -> String {
    let (running, stopped) = (count(events.running), count(events.stopped));
    format!(
        "“ECS Task State Change” is not listed, one a task and status: {running} RUNNING, {stopped} STOPPED so far. The \
         stops that a watchdog reads stand whole in its log."
    )
}

/// When the next deployment interrupts nothing.
pub fn next_deployment(at: Option<SimTime>) -> &'static str {
    match at {
        Some(_) => "interrupts nothing from",
        None => "would interrupt this one",
    }
}

/// The state of the watchdog's alarm, and since when it has it; `None` without alarms.
pub fn watchdog_state(alarm: bool, since: Option<SimTime>) -> String {
    let state = if alarm { "ALARM" } else { "OK" };
    since.map_or_else(|| state.into(), |at| format!("{state} since {}", clock(at)))
}

/// What the watchdog says where its alarm is switched off.
pub fn watchdog_silent() -> &'static str {
    "no alarm set up"
}

/// The metric of the watchdog: stops within its window, and all of them.
pub fn watchdog_metric(in_window: u32, all: usize) -> String {
    let minutes = watchdog::WINDOW_MS / 60_000;
    format!("{} in {minutes} minutes, {} in all", count(in_window), count(all as u32))
}

/// What its picture shows, for those who do not see it.
pub fn watchdog_picture(stops: usize) -> String {
    format!("StoppedTaskCount over the run; {} in a window raise the alarm", count(stops as u32))
}

/// A span in which the watchdog's alarm fired.
pub fn watchdog_span(until: Option<SimTime>) -> String {
    until.map_or_else(|| "ALARM".into(), |until| format!("ALARM until {}", clock(until)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopped_tasks_are_answered_for_an_hour() {
        assert_eq!(stops_listed(1, 0), "1 stopped task is still answered, each for an hour.");
        assert_eq!(stops_listed(0, 6), "0 stopped tasks are still answered, 6 no more: an hour has passed.");
        assert_eq!(answered_until(SimTime(3_660_000)), "until 1:01:00");
    }

    #[test]
    fn tasks_that_stopped_together() {
        let tasks: Vec<TaskName> = (1..=4).map(|start| TaskName { revision: 8, start }).collect();
        let said = |n: usize| tasks_stopped(&tasks[..n], StopCode::TaskFailedToStart);
        assert_eq!(said(1), "8·1 stopped: TaskFailedToStart");
        assert_eq!(said(2), "8·1 and 8·2 stopped: TaskFailedToStart");
        assert_eq!(said(4), "8·1 and 3 more stopped: TaskFailedToStart");
    }

    #[test]
    fn lines_and_new_ones() {
        assert_eq!(lines_so_far(0, 0), "none yet");
        assert_eq!(lines_so_far(12, 2), "12, 2 new");
        assert_eq!(earlier_lines(1), "1 earlier line");
    }

    #[test]
    fn the_watchdog() {
        assert_eq!(watchdog_state(true, Some(SimTime(120_000))), "ALARM since 2:00");
        assert_eq!(watchdog_state(false, None), "OK");
        assert_eq!(watchdog_metric(3, 14), "3 in 5 minutes, 14 in all");
        assert_eq!(watchdog_span(None), "ALARM");
        assert_eq!(exit_code(None), "no exit code");
    }
}

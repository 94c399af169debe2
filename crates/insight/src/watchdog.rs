//! The task-stop watchdog: what a log, a metric and an alarm see that the circuit breaker does not.
//!
//! A rule on the event bus keeps every task that stopped with `EssentialContainerExited` or
//! `TaskFailedToStart`, whatever its exit code; three of one service within five minutes raise an
//! alarm. It only tells: it never acts on the service. Stops by the scheduler (scale-in, drain,
//! failed health checks), by a person or by Spot are left out, so that the signal stays clean.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{StopCode, TaskChange, What};
use rollscope_scenario::resolve::Watchdog;

use crate::run::RunView;

/// Length of the window in milliseconds.
pub const WINDOW_MS: u64 = 300_000;
/// Stops within one window that raise the alarm.
pub const STOPS: usize = 3;

/// A task of a service that is STOPPED.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskStop {
    /// When.
    pub at: SimTime,
    /// Which task.
    pub task: TaskName,
    /// `stopCode`
    pub code: StopCode,
}

/// A stop the watchdog keeps, and what the alarm makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoggedStop {
    /// The stop.
    pub stop: TaskStop,
    /// Stops in the window, this one included.
    pub in_window: u32,
    /// The alarm is in ALARM after it.
    pub alarm: bool,
}

/// What the watchdog of one service saw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct WatchdogReport {
    /// The log, oldest first; its length is the metric's sum.
    pub log: Vec<LoggedStop>,
    /// From when and until when its alarm was in ALARM; absent while it still is.
    pub alarms: Vec<(SimTime, Option<SimTime>)>,
}

/// True for the stop codes it keeps.
pub fn keeps(code: StopCode) -> bool {
    matches!(code, StopCode::EssentialContainerExited | StopCode::TaskFailedToStart)
}

/// What the watchdog sees of the stops of one service, ascending in time, up to `now`.
pub fn watch(stops: &[TaskStop], settings: Watchdog, now: SimTime) -> WatchdogReport {
    let mut report = WatchdogReport::default();
    if !settings.enabled {
        return report;
    }
    let kept: Vec<TaskStop> = stops.iter().filter(|stop| keeps(stop.code)).copied().collect();
    let leaves = |at: SimTime| leaves(at, settings);
    let mut oldest = 0;
    for (i, stop) in kept.iter().enumerate() {
        while leaves(kept[oldest].at) <= stop.at {
            oldest += 1;
        }
        let in_window = i + 1 - oldest;
        let alarm = settings.alarms && in_window >= STOPS;
        report.log.push(LoggedStop { stop: *stop, in_window: in_window as u32, alarm });
        if !alarm {
            continue;
        }
        // Fewer than three are left as soon as the third last one leaves.
        let end = leaves(kept[i + 1 - STOPS].at);
        match report.alarms.last_mut() {
            Some((_, until)) if until.is_some_and(|until| until >= stop.at) => *until = Some(end),
            _ => report.alarms.push((stop.at, Some(end))),
        }
    }
    if let Some((_, until)) = report.alarms.last_mut() {
        *until = until.filter(|end| *end <= now);
    }
    report
}

/// The moment at which a stop leaves the window it was counted in.
fn leaves(at: SimTime, settings: Watchdog) -> SimTime {
    match settings.aligned {
        true => SimTime((at.ms() / WINDOW_MS + 1) * WINDOW_MS),
        false => at + WINDOW_MS,
    }
}

/// The metric over time: from each moment on, so many kept stops are in the window. A stop whose window
/// ends after `now` is still in it.
///
/// Example: stops at 0:10 and 1:00 give 1 from 0:10, 2 from 1:00, 1 from 5:10, 0 from 6:00.
pub fn metric(log: &[LoggedStop], settings: Watchdog, now: SimTime) -> Vec<(SimTime, u32)> {
    let mut steps: Vec<(SimTime, u32)> = Vec::new();
    let (mut came, mut left) = (0, 0);
    let next = |came: usize, left: usize| {
        let comes = log.get(came).map(|row| row.stop.at);
        let goes = log.get(left).filter(|_| left < came).map(|row| leaves(row.stop.at, settings));
        comes.into_iter().chain(goes).min().filter(|at| *at <= now)
    };
    while let Some(at) = next(came, left) {
        while left < came && leaves(log[left].stop.at, settings) <= at {
            left += 1;
        }
        while log.get(came).is_some_and(|row| row.stop.at <= at) {
            came += 1;
        }
        steps.push((at, (came - left) as u32));
    }
    steps
}

/// All stops of a run, of every revision.
pub fn stops(run: RunView<'_>) -> Vec<TaskStop> {
    let stop = |record: &rollscope_engine::trace::Record| match record.what {
        What::Task { task, change: TaskChange::Stopped(code) } => {
            Some(TaskStop { at: record.at, task: task.name, code })
        }
        _ => None,
    };
    run.records.iter().filter_map(stop).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use StopCode::{
        EssentialContainerExited as Exit, ServiceSchedulerInitiated as Scheduler, TaskFailedToStart as Start,
    };

    const DEFAULT: Watchdog = Watchdog { enabled: true, alarms: true, aligned: false };

    fn at(seconds: u64, code: StopCode) -> TaskStop {
        TaskStop { at: SimTime(seconds * 1000), task: TaskName { revision: 8, start: 1 }, code }
    }

    fn exits(seconds: &[u64]) -> Vec<TaskStop> {
        seconds.iter().map(|s| at(*s, Exit)).collect()
    }

    /// Seconds at which the alarm begins and ends.
    fn alarms(stops: &[TaskStop], settings: Watchdog) -> Vec<(u64, Option<u64>)> {
        let report = watch(stops, settings, SimTime(100_000_000));
        report.alarms.iter().map(|(from, until)| (from.ms() / 1000, until.map(|t| t.ms() / 1000))).collect()
    }

    #[test]
    fn three_in_five_minutes() {
        // W01, W02, W03: the window is open at its old end.
        assert_eq!(alarms(&exits(&[0, 100, 200]), DEFAULT), [(200, Some(300))]);
        assert_eq!(alarms(&exits(&[0, 100, 301]), DEFAULT), []);
        assert_eq!(alarms(&exits(&[0, 100, 300]), DEFAULT), []);
        assert_eq!(alarms(&exits(&[0, 150, 299]), DEFAULT), [(299, Some(300))]);
    }

    #[test]
    fn only_stops_nobody_wanted() {
        // W04, W05, W11.
        assert_eq!(alarms(&[at(0, Start), at(10, Exit), at(20, Start)], DEFAULT), [(20, Some(300))]);
        let mut routine = exits(&[0, 10]);
        routine.extend((20..25).map(|s| at(s, Scheduler)));
        assert_eq!(alarms(&routine, DEFAULT), []);
        assert_eq!(alarms(&[at(0, Scheduler), at(1, Scheduler), at(2, Scheduler)], DEFAULT), []);
        assert_eq!(watch(&routine, DEFAULT, SimTime(30_000)).log.len(), 2);
        // W07: Spot interruptions are not even logged.
        let spot: Vec<TaskStop> = (0..3).map(|s| at(s, StopCode::SpotInterruption)).collect();
        assert_eq!(watch(&spot, DEFAULT, SimTime(3_000)), WatchdogReport::default());
        assert!(!keeps(StopCode::UserInitiated));
    }

    #[test]
    fn switched_off() {
        // W08, W09: without a topic or without alarms the log and the metric stay.
        let silent = Watchdog { alarms: false, ..DEFAULT };
        let report = watch(&exits(&[0, 1, 2]), silent, SimTime(3_000));
        assert_eq!((report.log.len(), report.alarms.len()), (3, 0));
        assert!(report.log.iter().all(|row| !row.alarm));
        let off = Watchdog { enabled: false, ..DEFAULT };
        assert_eq!(watch(&exits(&[0, 1, 2]), off, SimTime(3_000)), WatchdogReport::default());
    }

    #[test]
    fn one_alarm_a_service() {
        // W10: three stops over two services, two and one.
        let (first, second) = (exits(&[0, 20]), exits(&[10]));
        assert_eq!((alarms(&first, DEFAULT), alarms(&second, DEFAULT)), (vec![], vec![]));
    }

    #[test]
    fn it_stays_while_three_remain_and_comes_back() {
        assert_eq!(alarms(&exits(&[0, 100, 200, 250, 390]), DEFAULT), [(200, Some(500))]);
        assert_eq!(alarms(&exits(&[0, 1, 2, 1000, 1001, 1002]), DEFAULT), [(2, Some(300)), (1002, Some(1300))]);
        let open = watch(&exits(&[0, 1, 2]), DEFAULT, SimTime(10_000));
        assert_eq!(open.alarms, [(SimTime(2_000), None)]);
    }

    #[test]
    fn the_metric_rises_with_stops_and_falls_when_they_leave() {
        let steps = |seconds: &[u64], settings, now: u64| {
            let log = watch(&exits(seconds), settings, SimTime(now * 1000)).log;
            let steps = metric(&log, settings, SimTime(now * 1000));
            steps.into_iter().map(|(at, n)| (at.ms() / 1000, n)).collect::<Vec<_>>()
        };
        assert_eq!(steps(&[10, 60], DEFAULT, 10_000), [(10, 1), (60, 2), (310, 1), (360, 0)]);
        assert_eq!(steps(&[10, 60], DEFAULT, 310), [(10, 1), (60, 2), (310, 1)]);
        assert_eq!(steps(&[0, 300, 300], DEFAULT, 400), [(0, 1), (300, 2)]);
        assert_eq!(steps(&[], DEFAULT, 400), []);
        let aligned = Watchdog { aligned: true, ..DEFAULT };
        assert_eq!(steps(&[280, 290, 310], aligned, 10_000), [(280, 1), (290, 2), (300, 0), (310, 1), (600, 0)]);
        // At each stop it says what the log says, the alarm included.
        let log = watch(&exits(&[0, 100, 200, 250, 390, 900]), DEFAULT, SimTime(10_000_000)).log;
        let steps = metric(&log, DEFAULT, SimTime(10_000_000));
        for row in &log {
            assert_eq!(steps.iter().find(|(at, _)| *at == row.stop.at).map(|(_, n)| *n), Some(row.in_window));
        }
    }

    #[test]
    fn aligned_windows() {
        let aligned = Watchdog { aligned: true, ..DEFAULT };
        // Two on each side of a boundary stay silent; the sliding window sees four.
        assert_eq!(alarms(&exits(&[280, 290, 310, 320]), aligned), []);
        assert_eq!(alarms(&exits(&[280, 290, 310, 320]), DEFAULT), [(310, Some(590))]);
        assert_eq!(alarms(&exits(&[310, 320, 330]), aligned), [(330, Some(600))]);
    }
}

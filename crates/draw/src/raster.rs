//! States of tasks on lines, brought to the pixels there are.
//!
//! A line stands for one task or for many. Of several tasks, and of several states that begin in
//! one pixel, the worst wins; a failure is never lost.

use rollscope_engine::frame::{LANES, TaskState};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::Record;

use crate::lives::{self, Lanes};
use crate::xscale::XScale;

/// States that last, the worst first.
pub const ORDER: [TaskState; 7] = [
    TaskState::Unhealthy,
    TaskState::Waiting,
    TaskState::Starting,
    TaskState::Checking,
    TaskState::Draining,
    TaskState::Stopping,
    TaskState::Healthy,
];

/// Place in [`ORDER`]; `None` for a state that does not last.
fn rank(state: TaskState) -> Option<usize> {
    Some(match state {
        TaskState::Unhealthy => 0,
        TaskState::Waiting => 1,
        TaskState::Starting => 2,
        TaskState::Checking => 3,
        TaskState::Draining => 4,
        TaskState::Stopping => 5,
        TaskState::Healthy => 6,
        TaskState::Stopped | TaskState::Failed => return None,
    })
}

/// A state and a lane of colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Place in [`ORDER`].
    rank: u8,
    /// Lane of colour.
    pub lane: u8,
}

impl Key {
    /// The state.
    pub fn state(self) -> TaskState {
        ORDER[usize::from(self.rank)]
    }
}

/// Pixels `from..until` of a line with one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// First pixel.
    pub from: i32,
    /// First pixel behind it.
    pub until: i32,
    /// What is there.
    pub key: Key,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Ascending, apart from each other; pixels in between are empty.
    pub stretches: Vec<Stretch>,
    /// Pixels at which a task failed, ascending.
    pub failures: Vec<i32>,
}

/// A line that is being made.
struct Open {
    line: Line,
    /// Tasks by state and lane.
    tasks: [[u32; LANES]; ORDER.len()],
    /// Pixel of the last change.
    from: i32,
    /// Moment of the last change.
    at: SimTime,
    /// The worst that began and ended in pixel `from`.
    passed: Option<Key>,
    /// What holds now.
    now: Option<Key>,
}

impl Open {
    fn new(left: i32) -> Open {
        Open {
            line: Line::default(),
            tasks: Default::default(),
            from: left,
            at: SimTime::ZERO,
            passed: None,
            now: None,
        }
    }

    /// The worst state there is; of its lanes the one with most tasks, the newest of equals.
    fn worst(&self) -> Option<Key> {
        let rank = self.tasks.iter().position(|lanes| lanes.iter().any(|tasks| *tasks > 0))?;
        let lanes = &self.tasks[rank];
        let lane = (0..LANES).max_by_key(|lane| (lanes[*lane], *lane))?;
        Some(Key { rank: rank as u8, lane: lane as u8 })
    }

    /// A task leaves one state and enters another; states that do not last are not counted.
    /// False when what is worst cannot have changed.
    fn moves(&mut self, before: Option<TaskState>, after: TaskState, lane: u8) -> bool {
        let (left, entered) = (before.and_then(rank), rank(after));
        if let Some(rank) = left {
            self.tasks[rank][usize::from(lane)] -= 1;
        }
        if let Some(rank) = entered {
            self.tasks[rank][usize::from(lane)] += 1;
        }
        let Some(now) = self.now.map(|key| usize::from(key.rank)) else { return true };
        left == Some(now) || entered.is_some_and(|rank| rank <= now)
    }

    /// What holds changes at a moment and its pixel.
    fn change(&mut self, at: SimTime, x: i32) {
        if x != self.from {
            self.close(x);
        } else if at != self.at || self.now.is_some_and(|key| key.rank == 0) {
            // A state without length is no state, but for a failed check.
            self.passed = worse(self.passed, self.now);
        }
        self.at = at;
        self.now = self.worst();
    }

    /// Everything before pixel `x` is known.
    fn close(&mut self, x: i32) {
        let first = worse(self.passed, self.now);
        self.push(self.from, (self.from + 1).min(x), first);
        self.push(self.from + 1, x, self.now);
        self.from = x;
        self.passed = None;
    }

    fn push(&mut self, from: i32, until: i32, key: Option<Key>) {
        let Some(key) = key.filter(|_| from < until) else { return };
        match self.line.stretches.last_mut() {
            Some(last) if last.key == key && last.until == from => last.until = until,
            _ => self.line.stretches.push(Stretch { from, until, key }),
        }
    }
}

fn worse(a: Option<Key>, b: Option<Key>) -> Option<Key> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Brings the lives of tasks to `lines` lines up to pixel `until`; `line_of` names the line of a
/// task by its identity, `None` for one that is not drawn. One look at each record.
pub fn raster(
    records: &[Record],
    lanes: &Lanes,
    x: &XScale,
    until: i32,
    lines: usize,
    line_of: impl Fn(u32) -> Option<usize>,
) -> Vec<Line> {
    let mut open: Vec<Open> = (0..lines).map(|_| Open::new(x.left)).collect();
    let mut states: Vec<Option<TaskState>> = Vec::new();
    // Tasks of a revision come in a row.
    let mut known = (u32::MAX, 0);
    lives::each_entry(records, |entry| {
        if known.0 != entry.name.revision {
            known = (entry.name.revision, lanes.of(entry.name.revision));
        }
        let (lane, index) = (known.1, entry.id as usize);
        states.resize(states.len().max(index + 1), None);
        let before = states[index].replace(entry.state);
        let Some(line) = line_of(entry.id).and_then(|line| open.get_mut(line)) else { return true };
        let failed = entry.state == TaskState::Failed;
        if line.moves(before, entry.state, lane) || failed {
            let pixel = x.x(entry.at).min(until);
            if failed && line.line.failures.last() != Some(&pixel) {
                line.line.failures.push(pixel);
            }
            line.change(entry.at, pixel);
        }
        true
    });
    open.into_iter()
        .map(|mut line| {
            line.close(until.max(line.from + 1));
            line.line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Scale;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::trace::{DeploymentId, FailedCheck, InstanceId, StopCode, TaskChange, TaskRef, What};

    const CREATED: TaskChange = TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false };

    fn record(at: u64, id: u32, change: TaskChange) -> Record {
        let task = TaskRef { id: InstanceId(id), slot: id, name: TaskName { revision: 8, start: id + 1 } };
        Record { at: SimTime(at), what: What::Task { task, change } }
    }

    /// 640 pixels from 46 on, one a second.
    fn lines(records: &[Record], per_line: u32) -> Vec<Line> {
        let x = XScale::new(756.0, Scale(1.0), SimTime(640_000));
        raster(records, &Lanes::new(&[7, 8], &[]), &x, 100, 2, |id| Some((id / per_line) as usize))
    }

    fn states(line: &Line) -> Vec<(i32, i32, TaskState)> {
        line.stretches.iter().map(|s| (s.from - 46, s.until - 46, s.key.state())).collect()
    }

    #[test]
    fn every_rank_names_its_state() {
        for (index, state) in ORDER.into_iter().enumerate() {
            assert_eq!(rank(state), Some(index));
        }
    }

    #[test]
    fn a_state_begins_at_the_pixel_of_its_moment() {
        let records = [
            record(0, 0, CREATED),
            record(5_000, 0, TaskChange::Running),
            record(9_000, 0, TaskChange::Healthy),
            record(20_000, 0, TaskChange::Stopped(StopCode::UserInitiated)),
        ];
        let expected = [(0, 5, TaskState::Waiting), (5, 9, TaskState::Checking), (9, 20, TaskState::Healthy)];
        assert_eq!(states(&lines(&records, 1)[0]), expected);
    }

    #[test]
    fn of_states_inside_one_pixel_the_worst_stays() {
        let records = [
            record(0, 0, CREATED),
            record(5_000, 0, TaskChange::Running),
            record(9_000, 0, TaskChange::Healthy),
            record(9_100, 0, TaskChange::Unhealthy(FailedCheck::Target)),
            record(9_200, 0, TaskChange::Healthy),
            // No length at all: not shown.
            record(15_000, 0, TaskChange::Rechecking),
            record(15_000, 0, TaskChange::Healthy),
        ];
        let expected = [
            (0, 5, TaskState::Waiting),
            (5, 9, TaskState::Checking),
            (9, 10, TaskState::Unhealthy),
            (10, 54, TaskState::Healthy),
        ];
        assert_eq!(states(&lines(&records, 1)[0]), expected);
    }

    #[test]
    fn a_failed_check_without_length_is_shown() {
        let records = [
            record(0, 0, CREATED),
            record(5_000, 0, TaskChange::Running),
            record(9_000, 0, TaskChange::Unhealthy(FailedCheck::Target)),
            record(9_000, 0, TaskChange::Sigterm),
        ];
        assert_eq!(states(&lines(&records, 1)[0])[2], (9, 10, TaskState::Unhealthy));
    }

    #[test]
    fn of_tasks_on_one_line_the_worst_wins_and_every_failure_stays() {
        let records = [
            record(0, 0, CREATED),
            record(0, 1, CREATED),
            record(4_000, 0, TaskChange::Running),
            record(6_000, 0, TaskChange::Healthy),
            record(8_000, 1, TaskChange::Stopped(StopCode::TaskFailedToStart)),
            record(8_000, 2, CREATED),
            record(8_000, 2, TaskChange::Stopped(StopCode::TaskFailedToStart)),
        ];
        let lines = lines(&records, 2);
        assert_eq!(states(&lines[0]), [(0, 8, TaskState::Waiting), (8, 54, TaskState::Healthy)]);
        assert_eq!(lines[0].failures, [54]);
        assert_eq!((states(&lines[1]), lines[1].failures.as_slice()), (vec![], &[54][..]));
    }
}

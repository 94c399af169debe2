//! Lines of the list of events.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Record, StopCode, TaskChange, What};
use rollscope_player::{Player, is_failure};

use crate::app::App;
use crate::app::model::Filter;
use crate::parts::events::Line;

impl App {
    /// Lines of the list around the cursor, and how many are left out.
    pub(super) fn lines(&self, player: &Player) -> (Vec<Line>, (usize, usize)) {
        let records = player.timeline().records();
        let wanted = |record: &Record| match self.model.filter {
            Filter::All => true,
            Filter::Decisions => matches!(record.what, What::Decision(_)),
            Filter::Failures => is_failure(&record.what),
            Filter::Selected => task_of(record).is_some() && task_of(record) == self.model.selected,
        };
        let listed: Vec<usize> = (0..records.len()).filter(|index| wanted(&records[*index])).collect();
        let here = listed.partition_point(|index| records[*index].at <= player.now());
        let count = 120;
        let from = here.saturating_sub(count / 2).min(listed.len().saturating_sub(count));
        let until = (from + count).min(listed.len());
        let lines = self.group(player, &listed[from..until]);
        (lines, (from, listed.len() - until))
    }

    /// More than three tasks of a revision that did the same at one moment are one line. Failures
    /// stand alone.
    fn group(&self, player: &Player, listed: &[usize]) -> Vec<Line> {
        let records = player.timeline().records();
        let mut groups: Vec<Group> = Vec::new();
        for &index in listed {
            let record = &records[index];
            let kind = match record.what {
                What::Task { task, change } if !is_failure(&record.what) => {
                    Some((task.name.revision, std::mem::discriminant(&change)))
                }
                _ => None,
            };
            // Only groups after the last line that stands alone are open, and of this moment only.
            let open = groups.iter_mut().rev().take_while(|group| group.kind.is_some() && group.at == record.at);
            match open.into_iter().find(|group| kind.is_some() && group.kind == kind) {
                Some(group) => group.members.push(index),
                None => groups.push(Group { at: record.at, kind, members: vec![index] }),
            }
        }
        let lines = groups.into_iter().flat_map(|group| match group.members.len() {
            0..=3 => group.members.into_iter().map(|index| self.line(player, index, None)).collect::<Vec<_>>(),
            many => vec![self.line(player, group.members[0], Some(many as u32))],
        });
        lines.collect()
    }

    fn line(&self, player: &Player, index: usize, several: Option<u32>) -> Line {
        let record = &player.timeline().records()[index];
        let scene = self.scene(player, record.at);
        let key = match record.what {
            What::Task { task, change } => state_after(change).map(|state| (state, self.lane_of(task.name.revision))),
            _ => None,
        };
        let words = match several {
            Some(count) => self.say.several(record, count, &scene),
            None => self.say.record(record, &scene),
        };
        let chosen = self.model.selected.is_some() && task_of(record) == self.model.selected;
        Line {
            index,
            at: record.at,
            words,
            key,
            decision: matches!(record.what, What::Decision(_)),
            failure: is_failure(&record.what),
            chosen,
        }
    }
}

/// Records that share a line, if they are more than three.
struct Group {
    at: SimTime,
    /// Revision and kind of change; `None` stands alone.
    kind: Option<(u32, std::mem::Discriminant<TaskChange>)>,
    members: Vec<usize>,
}

fn task_of(record: &Record) -> Option<TaskName> {
    match record.what {
        What::Task { task, .. } => Some(task.name),
        _ => None,
    }
}

/// The state a change leads to, for the picture beside it.
fn state_after(change: TaskChange) -> Option<TaskState> {
    Some(match change {
        TaskChange::Existing { state, .. } => state,
        TaskChange::Created { .. } => TaskState::Waiting,
        TaskChange::Activating => TaskState::Starting,
        TaskChange::Running | TaskChange::Rechecking => TaskState::Checking,
        TaskChange::Healthy => TaskState::Healthy,
        TaskChange::Unhealthy => TaskState::Unhealthy,
        TaskChange::StopDecided(_) | TaskChange::Draining => TaskState::Draining,
        TaskChange::Sigterm | TaskChange::Sigkill => TaskState::Stopping,
        TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited) => TaskState::Failed,
        TaskChange::Stopped(_) => TaskState::Stopped,
        TaskChange::UnhealthyInGrace => return None,
    })
}

//! What a box looks like, and which boxes look different from before.

use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::InstanceId;

use super::layout::{Layout, Level};

/// Everything that is visible of a task at one level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Lane of colour.
    pub lane: u8,
    /// What it does.
    pub state: TaskState,
    /// Its name, where names are written.
    pub name: Option<TaskName>,
    /// Length of its time bar in device pixels.
    pub bar: i32,
    /// The whole second its note counts, where notes are written.
    pub second: u64,
    /// It has the selection ring.
    pub selected: bool,
    /// A failure note in its note line or red mark: its stop code is shown.
    pub failed: bool,
}

/// Length of the bar at the bottom of a timed box: the share of its state that has passed.
pub(super) fn bar(task: &TaskView, at: SimTime, width: i32) -> i32 {
    let Some(until) = task.until else { return 0 };
    let whole = until.since(task.since);
    if whole == 0 || !moves(task.state) {
        return 0;
    }
    let passed = at.since(task.since).min(whole);
    ((passed as f64 / whole as f64) * f64::from(width)).round() as i32
}

/// States that end by themselves and show it.
fn moves(state: TaskState) -> bool {
    matches!(
        state,
        TaskState::Waiting | TaskState::Starting | TaskState::Checking | TaskState::Draining | TaskState::Stopping
    )
}

fn look(task: &TaskView, at: SimTime, layout: &Layout, selected: Option<InstanceId>) -> Look {
    let words = matches!(layout.level, Level::Cards | Level::Boxes);
    let left = task.until.map_or(0, |until| until.since(at).div_ceil(1000));
    Look {
        lane: task.lane,
        state: task.state,
        name: words.then_some(task.name),
        bar: if words { bar(task, at, layout.rect(task.slot).w) } else { 0 },
        second: if layout.level == Level::Cards { left } else { 0 },
        selected: selected == Some(task.id),
        failed: task.state == TaskState::Failed,
    }
}

/// The looks on the canvas now.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    shown: Vec<Option<Look>>,
}

impl Fleet {
    /// Forgets everything: the next [`Fleet::update`] names every slot.
    pub fn reset(&mut self) {
        self.shown.clear();
    }

    /// Takes over a frame and names the slots that must be painted again, ascending.
    pub fn update(&mut self, frame: &Frame, selected: Option<InstanceId>, layout: &Layout) -> Vec<u32> {
        let fresh = self.shown.len() != layout.slots as usize;
        if fresh {
            self.shown.clear();
            self.shown.resize(layout.slots as usize, None);
        }
        let mut changed = Vec::new();
        for slot in 0..layout.slots {
            let task = frame.slots.get(slot as usize).and_then(Option::as_ref);
            let now = task.map(|task| look(task, frame.at, layout, selected));
            if fresh || self.shown[slot as usize] != now {
                self.shown[slot as usize] = now;
                changed.push(slot);
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use crate::geometry::Scale;

    #[test]
    fn only_what_changed_is_named() {
        let layout = Layout::new(0, 200, 756.0, Scale(1.0));
        let mut fleet = Fleet::default();
        let first = frame(0, vec![task(0, 7, 1, TaskState::Healthy), task(1, 7, 2, TaskState::Healthy)]);
        assert_eq!(fleet.update(&first, None, &layout).len(), 200);
        assert_eq!(fleet.update(&first, None, &layout), Vec::<u32>::new());
        let later = frame(10, vec![task(0, 7, 1, TaskState::Healthy), task(1, 7, 2, TaskState::Draining)]);
        assert_eq!(fleet.update(&later, None, &layout), vec![1]);
        assert_eq!(fleet.update(&later, Some(InstanceId(0)), &layout), vec![0]);
        fleet.reset();
        assert_eq!(fleet.update(&later, None, &layout).len(), 200);
    }

    #[test]
    fn time_moves_the_bar_of_a_card_only() {
        let timed = |at| {
            let mut view = task(0, 8, 1, TaskState::Starting);
            view.until = Some(SimTime(10_000));
            frame(at, vec![view])
        };
        let cards = Layout::new(0, 4, 756.0, Scale(1.0));
        let tiles = Layout::new(0, 40, 756.0, Scale(1.0));
        for (layout, changes) in [(cards, vec![0]), (tiles, vec![])] {
            let mut fleet = Fleet::default();
            fleet.update(&timed(1_000), None, &layout);
            assert_eq!(fleet.update(&timed(5_000), None, &layout), changes);
        }
    }

    #[test]
    fn a_bar_fills_from_nothing_to_the_whole_width() {
        let mut view = task(0, 8, 1, TaskState::Draining);
        view.since = SimTime(1_000);
        view.until = Some(SimTime(3_000));
        assert_eq!(bar(&view, SimTime(1_000), 80), 0);
        assert_eq!(bar(&view, SimTime(2_000), 80), 40);
        assert_eq!(bar(&view, SimTime(9_000), 80), 80);
        view.state = TaskState::Healthy;
        assert_eq!(bar(&view, SimTime(2_000), 80), 0);
    }
}

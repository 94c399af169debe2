//! What a box looks like, and which boxes look different from before.

use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::order;
use rollscope_engine::settings::TaskName;
use rollscope_engine::time::SimTime;

use super::far::Tally;
use super::layout::{Layout, Spot};
use super::marks::Marks;
use super::plan::Level;

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
    /// Steps left of its ring of grace, 0 outside the grace period.
    pub grace: u32,
    /// What it shares with how many healthy tasks: a weight of the traffic in thousandths, or all of it; where
    /// notes are written and it is one of them, else nothing.
    pub sharing: (u32, u32),
    /// It is protected from scale-in.
    pub protected: bool,
    /// It started without rollback protection.
    pub unprotected: bool,
}

/// Steps of a whole ring of grace.
pub(super) const GRACE_STEPS: u32 = 24;

/// Length of the bar at the bottom of a timed box: the share of its state that has passed.
pub(super) fn bar(task: &TaskView, at: SimTime, width: i32) -> i32 {
    let Some(until) = task.until else { return 0 };
    let whole = until.since(task.since);
    if whole == 0 || !timed(task.state) {
        return 0;
    }
    let passed = at.since(task.since).min(whole);
    ((passed as f64 / whole as f64) * f64::from(width)).round() as i32
}

/// States that end by themselves and show it.
pub(super) fn timed(state: TaskState) -> bool {
    matches!(
        state,
        TaskState::Waiting | TaskState::Starting | TaskState::Checking | TaskState::Draining | TaskState::Stopping
    )
}

/// Steps left of the grace period of a task whose checks have not decided yet; a healthy task
/// shows none, because failing checks are all that grace is about.
pub(super) fn grace(task: &TaskView, at: SimTime) -> u32 {
    let Some(until) = task.grace_until.filter(|_| task.state == TaskState::Checking) else { return 0 };
    let whole = until.since(task.since);
    if whole == 0 {
        return 0;
    }
    let steps = (until.since(at) * u64::from(GRACE_STEPS)).div_ceil(whole);
    steps.min(u64::from(GRACE_STEPS)) as u32
}

/// A task that is protected from scale-in, as long as it is there.
pub(super) fn protected(task: &TaskView) -> bool {
    task.protected_until.is_some() && !matches!(task.state, TaskState::Stopped | TaskState::Failed)
}

/// What is seen of a task in its box.
pub(crate) fn look(task: &TaskView, frame: &Frame, marks: &Marks, spot: Spot) -> Look {
    let at = frame.at;
    let words = spot.level.has_words();
    let card = spot.level == Level::Cards;
    let left = task.until.map_or(0, |until| until.since(at).div_ceil(1000));
    let sharing = card && task.state == TaskState::Healthy;
    Look {
        lane: task.lane,
        state: task.state,
        name: words.then_some(task.name),
        bar: if words { bar(task, at, spot.rect.w) } else { 0 },
        second: if card { left } else { 0 },
        grace: if words { grace(task, at) } else { 0 },
        sharing: if sharing { frame.share(task) } else { (0, 0) },
        protected: protected(task),
        unprotected: marks.is_unprotected(task),
    }
}

/// The looks on the canvas now.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    shown: Vec<Option<Look>>,
    squares: Vec<Tally>,
    marked: [Option<u32>; 2],
}

impl Fleet {
    /// Forgets everything: the next [`Fleet::update`] names every slot.
    pub fn reset(&mut self) {
        self.shown.clear();
        self.squares.clear();
        self.marked = [None; 2];
    }

    /// Takes over a frame and names the slots that must be painted again, ascending; far away the
    /// first slots of their squares. One pass over the slots; nothing is kept a task far away.
    /// [`super::paint`] is to be called with them and the same marks. After another layout call
    /// [`Fleet::reset`] first.
    pub fn update(&mut self, frame: &Frame, marks: impl Into<Marks>, layout: &Layout) -> Vec<u32> {
        let marks = marks.into();
        let marked = marks.boxes(frame, layout);
        let far = layout.level == Level::Far;
        let mut changed = if far { self.far(frame, &marks, layout) } else { self.near(frame, &marks, layout) };
        if marked != self.marked {
            for (now, before) in marked.into_iter().zip(self.marked).filter(|(now, before)| now != before) {
                changed.extend([now, before].into_iter().flatten().filter(|&slot| layout.holds(slot)));
            }
            order::by_key(&mut changed, |slot| *slot);
            changed.dedup();
            self.marked = marked;
        }
        changed
    }

    fn near(&mut self, frame: &Frame, marks: &Marks, layout: &Layout) -> Vec<u32> {
        let fresh = self.shown.len() != layout.slots as usize;
        if fresh {
            self.shown.clear();
            self.shown.resize(layout.slots as usize, None);
        }
        let mut changed = Vec::new();
        for (slot, shown) in self.shown.iter_mut().enumerate().filter(|(slot, _)| layout.holds(*slot as u32)) {
            let task = frame.slots.get(slot).and_then(Option::as_ref);
            let now = task.map(|task| look(task, frame, marks, layout.spot(task.slot)));
            if fresh || *shown != now {
                *shown = now;
                changed.push(slot as u32);
            }
        }
        changed
    }

    fn far(&mut self, frame: &Frame, marks: &Marks, layout: &Layout) -> Vec<u32> {
        let squares = layout.units() as usize;
        let fresh = self.squares.len() != squares;
        if fresh {
            self.squares.clear();
            self.squares.resize(squares, Tally::default());
        }
        let mut changed = Vec::new();
        for (square, shown) in self.squares.iter_mut().enumerate() {
            let first = layout.first_slot(square as u32);
            let now = Tally::at(frame, layout, first, marks);
            if fresh || *shown != now {
                *shown = now;
                changed.push(first);
            }
        }
        order::by_key(&mut changed, |slot| *slot);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use crate::geometry::Scale;
    use rollscope_engine::trace::InstanceId;

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
        assert_eq!(fleet.update(&later, Some(InstanceId(1)), &layout), vec![0, 1]);
        fleet.reset();
        assert_eq!(fleet.update(&later, None, &layout).len(), 200);
    }

    #[test]
    fn far_away_the_squares_that_changed_are_named() {
        let layout = Layout::new(0, 10_000, 756.0, Scale(1.0));
        let tasks = |state| {
            let healthy = (0..10_000).map(|slot| task(slot, 7, slot, TaskState::Healthy));
            frame(0, healthy.map(|view| if view.slot == 4_242 { task(view.slot, 7, 1, state) } else { view }).collect())
        };
        let mut fleet = Fleet::default();
        assert_eq!(fleet.update(&tasks(TaskState::Healthy), None, &layout).len(), 100);
        assert_eq!(fleet.update(&tasks(TaskState::Draining), None, &layout), [4_200]);
        assert_eq!(fleet.update(&tasks(TaskState::Draining), Some(InstanceId(17)), &layout), [0]);
        let both = Marks { selected: Some(InstanceId(17)), hovered: Some(9_999), ..Marks::default() };
        assert_eq!(fleet.update(&tasks(TaskState::Draining), both, &layout), [9_900]);
        assert_eq!(fleet.update(&tasks(TaskState::Draining), None, &layout), [0, 9_900]);
    }

    #[test]
    fn a_square_is_named_when_what_started_in_it_is_not_protected() {
        let layout = Layout::new(0, 10_000, 756.0, Scale(1.0));
        let tasks = frame(0, (0..10_000).map(|slot| task(slot, 7, slot, TaskState::Healthy)).collect());
        let from = |id: u32| Marks { unprotected_from: Some(InstanceId(id)), ..Marks::default() };
        let mut fleet = Fleet::default();
        fleet.update(&tasks, None, &layout);
        assert_eq!(fleet.update(&tasks, from(9_850), &layout), [9_800, 9_900]);
        assert_eq!(fleet.update(&tasks, from(9_850), &layout), Vec::<u32>::new());
        assert_eq!(fleet.update(&tasks, from(9_950), &layout), [9_800]);
        assert_eq!(fleet.update(&tasks, None, &layout), [9_900]);
    }

    #[test]
    fn a_hovered_slot_is_named_when_it_becomes_so_and_when_it_is_no_more() {
        let layout = Layout::new(0, 4, 756.0, Scale(1.0));
        let mut fleet = Fleet::default();
        let empty = frame(0, vec![]);
        fleet.update(&empty, None, &layout);
        let hover = |slot| Marks { hovered: slot, ..Marks::default() };
        assert_eq!(fleet.update(&empty, hover(Some(2)), &layout), [2]);
        assert_eq!(fleet.update(&empty, hover(Some(3)), &layout), [2, 3]);
        assert_eq!(fleet.update(&empty, hover(Some(3)), &layout), Vec::<u32>::new());
        // A slot that is not there has no frame.
        assert_eq!(fleet.update(&empty, hover(Some(99)), &layout), [3]);
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

    #[test]
    fn the_ring_of_grace_shrinks_to_nothing() {
        let mut view = task(0, 8, 1, TaskState::Checking);
        view.since = SimTime(1_000);
        view.grace_until = Some(SimTime(25_000));
        for (at, steps) in [(1_000, 24), (2_000, 23), (13_000, 12), (24_999, 1), (25_000, 0)] {
            assert_eq!(grace(&view, SimTime(at)), steps, "{at}");
        }
        view.state = TaskState::Healthy;
        assert_eq!(grace(&view, SimTime(2_000)), 0);
        view.grace_until = None;
        assert_eq!(grace(&view, SimTime(2_000)), 0);
    }

    #[test]
    fn cards_that_share_traffic_change_with_the_number_of_sharers() {
        let layout = Layout::new(0, 4, 756.0, Scale(1.0));
        let mut fleet = Fleet::default();
        let mut two = frame(0, vec![task(0, 7, 1, TaskState::Healthy), task(1, 7, 2, TaskState::Draining)]);
        fleet.update(&two, None, &layout);
        two.counts.lanes[0].healthy = 2;
        assert_eq!(fleet.update(&two, None, &layout), [0]);
    }

    #[test]
    fn a_box_is_painted_again_when_it_gets_or_loses_a_badge() {
        let layout = Layout::new(0, 200, 756.0, Scale(1.0));
        let mut fleet = Fleet::default();
        let mut tasks = frame(0, vec![task(0, 7, 1, TaskState::Healthy), task(1, 8, 1, TaskState::Healthy)]);
        fleet.update(&tasks, None, &layout);
        let marks = Marks { unprotected_from: Some(InstanceId(1)), ..Marks::default() };
        assert_eq!(fleet.update(&tasks, marks, &layout), [1]);
        for task in tasks.slots.iter_mut().flatten().take(1) {
            task.protected_until = Some(SimTime(9));
        }
        assert_eq!(fleet.update(&tasks, None, &layout), [0, 1]);
    }
}

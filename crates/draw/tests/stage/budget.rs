//! Counted work of a repaint. The canvas joins shapes of one style in a row into one path, so
//! both the calls and the paths count.

use rollscope_draw::Palette;
use rollscope_draw::stage::{self, Fleet};
use rollscope_engine::Frame;
use rollscope_engine::frame::TaskState;

use crate::frames::{Plain, frame, layout, mixed, task};
use crate::ink::Ink;

/// Calls and paths of the repaint that takes the stage from one frame to the next.
fn repaint(before: Option<&Frame>, now: &Frame, slots: u32) -> (usize, u32, u32) {
    let layout = layout(slots, 756.0, 1.0);
    let mut fleet = Fleet::default();
    if let Some(before) = before {
        fleet.update(before, None, &layout);
    }
    let changed = fleet.update(now, None, &layout);
    let mut ink = Ink::new(layout.width, layout.height);
    stage::paint(&mut ink, &layout, now, &changed, None, &Palette::light(), &Plain).expect("painted");
    (changed.len(), ink.calls, ink.paths)
}

#[test]
fn one_changed_task_repaints_one_box() {
    for slots in [4, 24, 160, 1_000, 10_000] {
        let before = frame(slots, |_| TaskState::Healthy);
        let mut now = before.clone();
        let last = slots - 1;
        now.slots[last as usize] = Some(task(last, TaskState::Draining));
        let (boxes, calls, paths) = repaint(Some(&before), &now, slots);
        // A card of ours shares the traffic with the others: the counts of this frame say so still.
        assert_eq!(boxes, 1, "{slots}");
        assert!(calls <= 40 && paths <= 20, "{slots}: {calls} calls, {paths} paths");
    }
}

#[test]
fn nothing_changed_is_nothing_drawn() {
    for slots in [4, 1_000, 10_000] {
        let (boxes, calls, _) = repaint(Some(&mixed(slots)), &mixed(slots), slots);
        assert_eq!((boxes, calls), (0, 0), "{slots}");
    }
}

#[test]
fn healthy_cells_are_two_rectangles_each() {
    let (boxes, calls, paths) = repaint(None, &frame(1_000, |_| TaskState::Healthy), 1_000);
    assert_eq!((boxes, calls), (1_000, 2_000));
    // The ground and three revisions.
    assert_eq!(paths, 4);
}

#[test]
fn a_full_repaint_has_its_bounds() {
    for (slots, most_calls, most_paths) in
        [(1_000, 6_000, 30), (2_500, 15_000, 30), (5_000, 4_000, 30), (10_000, 8_000, 30)]
    {
        let (_, calls, paths) = repaint(None, &mixed(slots), slots);
        assert!(calls <= most_calls && paths <= most_paths, "{slots}: {calls} calls, {paths} paths");
    }
}

#[test]
fn the_busiest_square_has_its_bound() {
    for state in crate::frames::STATES {
        let (_, calls, paths) = repaint(None, &frame(10_000, |_| state), 10_000);
        assert!(calls <= 100 * 100 && paths <= 10, "{state:?}: {calls} calls, {paths} paths");
    }
}

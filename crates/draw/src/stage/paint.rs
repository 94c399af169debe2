//! Paints the slots that changed.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use rollscope_engine::time::SimTime;

use super::badge::{badges, square_sign};
use super::batch::Batch;
use super::body::body;
use super::far::{self, Tally};
use super::group::Group;
use super::layout::Layout;
use super::marks::{self, Marks};
use super::plan::Level;
use super::sides::Head;
use super::small::{self, Place};
use super::wall;
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::Palette;
use crate::pen::{self, Drawn, Ink};

/// What is written into the stage; the language is the caller's.
pub trait Words {
    /// `8·3`
    fn name(&self, name: TaskName) -> String;
    /// The state in one word.
    fn state(&self, state: TaskState) -> String;
    /// The third line of a card: what it waits for, with the time left; of a healthy task its share
    /// of the traffic. Healthy cards are painted again when the number of healthy tasks changes.
    fn note(&self, task: &TaskView, at: SimTime) -> String;
    /// The label of the wall.
    fn ceiling(&self, ceiling: u32) -> String;
    /// The time left alone, where there is no room for a note: `0:09`. Nothing by default.
    fn left(&self, _task: &TaskView, _at: SimTime) -> String {
        String::new()
    }
    /// Below the wall's label: how the ceiling was rounded, `1.5, down`. Nothing by default.
    fn rounding(&self, _ceiling: u32) -> String {
        String::new()
    }
    /// A slot number above a block, `1,001`. Plain digits by default.
    fn number(&self, number: u32) -> String {
        number.to_string()
    }
    /// Above one of two walls: whose it is, and how many places it has. Nothing by default.
    fn side(&self, _head: &Head) -> [String; 2] {
        [String::new(), String::new()]
    }
    /// The caption of a group. Nothing by default.
    fn group(&self, _group: &Group) -> String {
        String::new()
    }
}

/// Clears the whole picture.
pub fn clear<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette) -> Drawn<DB> {
    pen::fill(to, Rect::new(0, 0, layout.width, layout.height), palette.surface)
}

/// Paints the boxes of `slots` of a frame, and the marks; the rest of the picture stays.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    frame: &Frame,
    slots: &[u32],
    marks: impl Into<Marks>,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let marks = marks.into();
    let task = |slot: u32| frame.slots.get(slot as usize).and_then(Option::as_ref);
    let mut batch = Batch::default();
    let tile = layout.level == Level::Tiles;
    let reach = marks::reach(layout);
    // Squares with a task in them that started without protection.
    let mut signed = Vec::new();
    for &slot in slots {
        let rect = layout.rect(slot);
        // A mark may have stood here.
        batch.fill(0, palette.surface, rect.inset(-reach));
        match layout.level {
            Level::Cards | Level::Boxes => wire_end(&mut batch, layout, slot, task(slot), palette),
            Level::Far => {
                let tally = Tally::at(frame, layout, slot, &marks);
                far::square(&mut batch, layout, &tally, slot, palette);
                signed.extend(tally.unprotected.then_some(slot));
            }
            Level::Tiles | Level::Cells => {
                let place = Place { rect, scale: layout.scale, tile, beyond: layout.beyond(slot) };
                small::slot(&mut batch, place, task(slot), palette);
            }
        }
    }
    batch.flush(to)?;
    if layout.level.has_words() {
        for &slot in slots {
            match task(slot) {
                Some(task) => body(to, layout.spot(slot), task, frame.at, palette, words)?,
                None => free(to, layout, slot, palette)?,
            }
        }
    }
    signed.into_iter().try_for_each(|slot| square_sign(to, layout.spot(slot), palette))?;
    if layout.level != Level::Far {
        slots
            .iter()
            .filter_map(|slot| task(*slot))
            .try_for_each(|task| badges(to, layout.spot(task.slot), task, &marks, palette))?;
    }
    let tail = |half: &Layout| half.slots > half.ceiling;
    if layout.halves().map_or(tail(layout), |halves| halves.iter().any(|(_, half)| tail(half))) {
        // It stands in a gap that has been cleared.
        wall::bar(to, layout, palette)?;
    }
    marks::marks(to, layout, marks.boxes(frame, layout), palette)
}

/// A slot with words that was never used: a dashed place, hatched beyond the ceiling.
fn free<DB: DrawingBackend>(to: &mut DB, layout: &Layout, slot: u32, palette: &Palette) -> Drawn<DB> {
    let (rect, px) = (layout.rect(slot), |css: f64| layout.scale.px(css));
    if layout.beyond(slot) {
        return hatch::stripes(to, rect, px(7.0), Ink(palette.line_2, layout.scale.line(1.2)));
    }
    let ink = Ink(palette.line_2, layout.scale.line(1.0));
    pen::dashed_rounded(to, rect, px(7.0), ink, (px(4.0), px(4.0)))
}

/// The last piece of a wire, from the top of the picture to its card.
fn wire_end(batch: &mut Batch, layout: &Layout, slot: u32, task: Option<&TaskView>, palette: &Palette) {
    if !layout.wired() {
        return;
    }
    let rect = layout.rect(slot);
    let width = layout.scale.line(2.0) as i32;
    let end = Rect::new(rect.x + rect.w / 2 - width / 2, 0, width, rect.y);
    batch.fill(0, palette.surface, end);
    if let Some(task) = task.filter(|task| task.state == TaskState::Healthy) {
        batch.fill(1, palette.lane(task.lane).full, end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use crate::geometry::Scale;
    use plotters::backend::SVGBackend;
    use rollscope_engine::trace::InstanceId;
    use wall::wall;

    struct Plain;
    impl Words for Plain {
        fn name(&self, name: TaskName) -> String {
            format!("{}·{}", name.revision, name.start)
        }
        fn state(&self, state: TaskState) -> String {
            format!("{state:?}").to_lowercase()
        }
        fn note(&self, task: &TaskView, at: SimTime) -> String {
            format!("left {}", task.until.map_or(0, |until| until.since(at)))
        }
        fn ceiling(&self, ceiling: u32) -> String {
            format!("ceiling {ceiling}")
        }
    }

    fn svg(slots: &[u32], tasks: Vec<TaskView>, ceiling: u32, selected: Option<InstanceId>) -> String {
        let layout = Layout::new(0, ceiling, 756.0, Scale(1.0));
        let mut text = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut text, (layout.width as u32, layout.height as u32));
            let palette = Palette::light();
            wall(&mut backend, &layout, &palette, &Plain).expect("wall");
            paint(&mut backend, &layout, &frame(4_000, tasks), slots, selected, &palette, &Plain).expect("paint");
            backend.present().expect("present");
        }
        text
    }

    #[test]
    fn a_card_names_its_task_and_its_state() {
        let mut starting = task(1, 8, 3, TaskState::Starting);
        starting.until = Some(SimTime(9_000));
        let picture = svg(&[0, 1], vec![task(0, 7, 2, TaskState::Healthy), starting], 4, None);
        for words in ["7·2", "healthy", "8·3", "left 5000", ">\nceiling\n<", ">\n4\n<"] {
            assert!(picture.contains(words), "{words} in {picture}");
        }
        assert!(picture.contains("#3236B6") && picture.contains("#0B827C"));
    }

    #[test]
    fn the_label_of_the_wall_takes_two_lines_beside_a_full_row() {
        let picture = svg(&[], vec![], 8, None);
        assert!(picture.contains(">\nceiling\n<") && picture.contains(">\n8\n<"), "{picture}");
    }

    #[test]
    fn only_the_named_slots_are_painted() {
        let tasks = || vec![task(0, 7, 1, TaskState::Healthy), task(1, 7, 2, TaskState::Healthy)];
        let one = svg(&[1], tasks(), 4, None);
        assert!(one.contains("7·2") && !one.contains("7·1"));
    }

    #[test]
    fn the_selected_task_has_a_ring_around_its_box() {
        let tasks = || vec![task(0, 7, 1, TaskState::Healthy)];
        let count = |picture: &str| picture.matches("#12151B").count();
        assert!(count(&svg(&[0], tasks(), 4, Some(InstanceId(0)))) > count(&svg(&[0], tasks(), 4, None)));
    }

    #[test]
    fn blocks_carry_the_number_of_their_first_slot() {
        let picture = svg(&[0], vec![task(0, 7, 1, TaskState::Failed)], 1_000, None);
        for number in [">\n1\n<", ">\n101\n<", ">\n901\n<"] {
            assert!(picture.contains(number), "{number:?} in {}", &picture[..2000]);
        }
        assert!(picture.contains("#B70C2C"));
    }
}

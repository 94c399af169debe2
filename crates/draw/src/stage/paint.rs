//! Paints the slots that changed.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::InstanceId;

use super::body::body;
use super::layout::{Layout, Level};
use super::small::{self, Batch};
use crate::geometry::Rect;
use crate::hatch;
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};

/// What is written into boxes; the language is the caller's.
pub trait Words {
    /// `8·3`
    fn name(&self, name: TaskName) -> String;
    /// The state in one word.
    fn state(&self, state: TaskState) -> String;
    /// The third line of a card: what it waits for, with the time left.
    fn note(&self, task: &TaskView, at: SimTime) -> String;
    /// The label of the wall.
    fn ceiling(&self, ceiling: u32) -> String;
}

/// Clears the whole picture.
pub fn clear<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette) -> Drawn<DB> {
    pen::fill(to, Rect::new(0, 0, layout.width, layout.height), palette.surface)
}

/// The wall with its label and, above blocks, the number of their first slot. Drawn once a layout.
pub fn wall<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette, words: &impl Words) -> Drawn<DB> {
    let wall = layout.wall();
    let bar = layout.scale.px(3.0).max(2);
    let hatched = Rect::new(wall.x + bar, wall.y, wall.w - bar, wall.h);
    pen::fill(to, Rect::new(wall.x, wall.y, bar, wall.h), palette.ink)?;
    hatch::stripes(to, hatched, layout.scale.px(5.0), Ink(palette.line_2, layout.scale.line(1.0)))?;
    let (at, ends) = layout.wall_label();
    let size = layout.scale.0 * 12.0;
    let anchor = if ends { Anchor::Right } else { Anchor::Left };
    let face = Face { size, bold: true, colour: palette.ink, anchor };
    let label = words.ceiling(layout.ceiling);
    let wide = to.estimate_text_size(&label, &face).map_or(0, |(width, _)| width as i32);
    let tall = wall.h >= layout.scale.px(40.0) && at.0 + wide > layout.width;
    match label.rsplit_once(' ').filter(|_| !ends && tall) {
        // Beside a row of cards there is room for one word a line.
        Some((word, number)) => {
            let half = layout.scale.px(8.0);
            pen::text(to, word, (at.0, at.1 - half), Face { bold: false, ..face })?;
            pen::text(to, number, (at.0, at.1 + half), Face { size: layout.scale.0 * 15.0, ..face })?;
        }
        None => pen::text(to, &label, at, face)?,
    }
    let number = Face { bold: false, colour: palette.ink_3, anchor: Anchor::Left, ..face };
    layout.block_labels().into_iter().try_for_each(|(first, at)| pen::text(to, &first.to_string(), at, number))
}

/// Paints `slots` of a frame; the rest of the picture stays.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    frame: &Frame,
    slots: &[u32],
    selected: Option<InstanceId>,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let task = |slot: u32| frame.slots.get(slot as usize).and_then(Option::as_ref);
    let ring = if layout.level == Level::Cells { 1.0 } else { 3.5 };
    let reach = layout.scale.px(ring).max(1);
    let words_shown = matches!(layout.level, Level::Cards | Level::Boxes);
    let mut batch = Batch::default();
    for &slot in slots {
        // A ring may have stood here, or stands here now.
        clear_ring(&mut batch, layout, slot, reach, palette);
        if !words_shown {
            small::slot(&mut batch, layout, slot, task(slot), palette);
        }
    }
    batch.flush(to)?;
    for &slot in slots {
        let rect = layout.rect(slot);
        match task(slot) {
            Some(task) if words_shown => body(to, layout, task, frame.at, palette, words)?,
            None if words_shown => {
                let ink = Ink(palette.line_2, layout.scale.line(1.0));
                pen::dashed_frame(to, rect, ink, layout.scale.px(4.0))?;
            }
            _ => {}
        }
        if selected.is_some() && task(slot).is_some_and(|task| selected == Some(task.id)) {
            pen::frame(to, rect.inset(-reach), Ink(palette.ink, layout.scale.line(ring.min(2.0))))?;
        }
    }
    Ok(())
}

/// Clears the frame around a box, not the box of its neighbour.
fn clear_ring(batch: &mut Batch, layout: &Layout, slot: u32, reach: i32, palette: &Palette) {
    let (inner, outer) = (layout.rect(slot), layout.rect(slot).inset(-reach));
    let ground = palette.surface;
    if matches!(layout.level, Level::Cards | Level::Boxes) {
        return batch.fill(0, ground, outer);
    }
    if layout.rect(slot).w < layout.scale.px(6.0) {
        return;
    }
    batch.fill(0, ground, Rect::new(outer.x, outer.y, outer.w, reach));
    batch.fill(0, ground, Rect::new(outer.x, inner.bottom(), outer.w, reach));
    batch.fill(0, ground, Rect::new(outer.x, inner.y, reach, inner.h));
    batch.fill(0, ground, Rect::new(inner.right(), inner.y, reach, inner.h));
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use crate::geometry::Scale;
    use plotters::backend::SVGBackend;

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
        for words in ["7·2", "healthy", "8·3", "left 5000", "ceiling 4"] {
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

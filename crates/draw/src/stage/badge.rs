//! Badges in the corners of a box: protected from scale-in, started without rollback protection.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::TaskView;

use super::layout::Spot;
use super::look;
use super::marks::Marks;
use super::plan::Level;
use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Drawn};
use crate::unprotected;

/// Draws what a box has of them; far away there is no room for any.
pub fn badges<DB: DrawingBackend>(
    to: &mut DB,
    spot: Spot,
    task: &TaskView,
    marks: &Marks,
    palette: &Palette,
) -> Drawn<DB> {
    let (unprotected, protected) = (marks.is_unprotected(task), look::protected(task));
    // Few have any, and thousands are asked.
    let Some(side) = (unprotected || protected).then(|| side(spot)).flatten() else { return Ok(()) };
    let Spot { rect, scale, .. } = spot;
    if unprotected {
        unprotected::sign(to, Rect::new(rect.x, rect.y, side, side), scale, palette)?;
    }
    if protected {
        padlock(to, Rect::new(rect.right() - side, rect.y, side, side), scale, palette)?;
    }
    Ok(())
}

/// The sign of a far square in which a task started without rollback protection.
pub fn square_sign<DB: DrawingBackend>(to: &mut DB, spot: Spot, palette: &Palette) -> Drawn<DB> {
    let Spot { rect, scale, .. } = spot;
    let side = (rect.w * 2 / 5).max(scale.px(5.0)).min(rect.w);
    unprotected::sign(to, Rect::new(rect.x, rect.y, side, side), scale, palette)
}

/// Side of a badge in device pixels.
fn side(spot: Spot) -> Option<i32> {
    let width = f64::from(spot.rect.w) / spot.scale.0;
    let css = match spot.level {
        Level::Cards => 13.0,
        Level::Boxes => 11.0,
        Level::Tiles => (width * 0.45).clamp(8.0, 11.0),
        Level::Cells => width * 0.5,
        Level::Far => return None,
    };
    Some(spot.scale.px(css).max(3))
}

/// A padlock on a ground of its own; in the smallest boxes a dot of ink.
fn padlock<DB: DrawingBackend>(to: &mut DB, place: Rect, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let line = scale.line(1.0) as i32;
    pen::polygon(to, pen::rounded(place, place.w / 4), palette.surface)?;
    if place.w < scale.px(8.0) {
        return pen::fill(to, place.inset(line), palette.ink);
    }
    let inner = place.inset(line.max(place.w / 8));
    let body = Rect::new(inner.x, inner.y + inner.h * 45 / 100, inner.w, inner.h - inner.h * 45 / 100);
    pen::polygon(to, pen::rounded(body, scale.px(1.0)), palette.ink)?;
    let thick = (inner.w / 6).max(1);
    let (left, right) = (inner.x + inner.w / 5, inner.right() - inner.w / 5 - thick);
    let shackle = [
        Rect::new(left, inner.y, thick, body.y - inner.y),
        Rect::new(right, inner.y, thick, body.y - inner.y),
        Rect::new(left, inner.y, right + thick - left, thick),
    ];
    shackle.into_iter().try_for_each(|bar| pen::fill(to, bar, palette.ink))
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::super::{Fleet, Layout, clear, paint};
    use super::*;
    use plotters::backend::SVGBackend;
    use rollscope_engine::frame::TaskState;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::InstanceId;

    struct Mute;

    impl super::super::Words for Mute {
        fn name(&self, _: TaskName) -> String {
            String::new()
        }
        fn state(&self, _: TaskState) -> String {
            String::new()
        }
        fn note(&self, _: &TaskView, _: SimTime) -> String {
            String::new()
        }
        fn ceiling(&self, _: u32) -> String {
            String::new()
        }
    }

    fn picture(slots: u32, ratio: f64, protected: bool, unprotected: bool, state: TaskState) -> String {
        let layout = Layout::new(0, slots, 756.0, Scale(ratio));
        let mut frame = frame(0, vec![task(0, 8, 1, state)]);
        for task in frame.slots.iter_mut().flatten().filter(|_| protected) {
            task.protected_until = Some(SimTime::NEVER);
        }
        let marks = Marks { unprotected_from: unprotected.then_some(InstanceId(0)), ..Marks::default() };
        let mut text = String::new();
        {
            let mut svg = SVGBackend::with_string(&mut text, (layout.width as u32, layout.height as u32));
            let changed = Fleet::default().update(&frame, marks, &layout);
            clear(&mut svg, &layout, &Palette::light()).expect("cleared");
            paint(&mut svg, &layout, &frame, &changed, marks, &Palette::light(), &Mute).expect("painted");
            svg.present().expect("present");
        }
        text
    }

    #[test]
    fn each_badge_has_its_own_look_at_every_level_with_boxes() {
        for slots in [4, 20, 100, 1_000] {
            for ratio in [1.0, 2.0] {
                let all = [(false, false), (true, false), (false, true), (true, true)];
                let all = all.map(|(lock, open)| picture(slots, ratio, lock, open, TaskState::Healthy));
                for (k, one) in all.iter().enumerate() {
                    assert!(all[..k].iter().all(|other| other != one), "{slots} x {ratio}: {k}");
                }
            }
        }
    }

    #[test]
    fn far_away_a_square_has_the_sign_of_those_that_are_not_protected() {
        let [plain, signed] = [false, true].map(|open| picture(10_000, 1.0, false, open, TaskState::Healthy));
        assert_ne!(plain, signed);
        assert_eq!(
            picture(10_000, 1.0, false, true, TaskState::Failed),
            picture(10_000, 1.0, false, false, TaskState::Failed)
        );
    }

    #[test]
    fn a_task_that_is_gone_has_no_badge() {
        for state in [TaskState::Stopped, TaskState::Failed] {
            assert_eq!(picture(20, 1.0, true, true, state), picture(20, 1.0, false, false, state));
        }
    }
}

//! Boxes: inside the picture, apart from each other, found again by a point, equal and whole.

use rollscope_draw::stage::{self, Grouping, Layout, Level, Marks, Order, Site};
use rollscope_draw::{Palette, Rect, Scale, strip};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::InstanceId;

use crate::frames::{Plain, RATIOS, layout, mixed, strip_height};
use crate::ink::Ink;

const WIDTHS: [f64; 5] = [320.0, 358.0, 756.0, 1_400.0, 2_600.0];
const SLOTS: [u32; 18] = [1, 2, 3, 6, 8, 9, 17, 24, 25, 100, 160, 161, 1_000, 1_253, 2_500, 2_501, 5_000, 10_000];

/// The first slot of every box.
fn firsts(layout: &Layout) -> Vec<u32> {
    let step = if layout.level == Level::Far { 100 } else { 1 };
    (0..layout.slots).step_by(step).collect()
}

#[test]
fn nothing_overlaps_and_everything_is_inside() {
    for width in WIDTHS {
        for slots in SLOTS {
            let layout = layout(slots, width, 1.0);
            let mut taken = vec![false; (layout.width * layout.height) as usize];
            let wall = layout.wall();
            for rect in firsts(&layout).into_iter().map(|slot| layout.rect(slot)).chain([wall.bar, wall.hatch]) {
                assert!(rect.x >= 0 && rect.y >= 0, "{slots} at {width}: {rect:?}");
                assert!(rect.right() <= layout.width && rect.bottom() <= layout.height, "{slots} at {width}: {rect:?}");
                for y in rect.y..rect.bottom() {
                    for x in rect.x..rect.right() {
                        let pixel = &mut taken[(y * layout.width + x) as usize];
                        assert!(!*pixel, "{slots} at {width}: {rect:?} lies on another at {x}, {y}");
                        *pixel = true;
                    }
                }
            }
        }
    }
}

#[test]
fn whatever_is_drawn_stays_inside_the_picture() {
    for width in WIDTHS {
        for ratio in RATIOS {
            for slots in SLOTS {
                let layout = layout(slots, width, ratio);
                let mut frame = mixed(slots);
                frame.slots.iter_mut().flatten().for_each(|task| task.protected_until = Some(SimTime::NEVER));
                let first = Some(InstanceId(0));
                let marks = Marks { selected: first, hovered: Some(slots - 1), unprotected_from: first };
                let mut ink = Ink::new(layout.width, layout.height);
                stage::clear(&mut ink, &layout, &Palette::light()).expect("cleared");
                stage::wall(&mut ink, &layout, &Palette::light(), &Plain).expect("wall");
                stage::paint(&mut ink, &layout, &frame, &firsts(&layout), marks, &Palette::light(), &Plain)
                    .expect("boxes");
                assert!(
                    ink.inside(),
                    "{slots} at {width} x {ratio}: {:?} of {:?}",
                    ink.reach,
                    (layout.width, layout.height)
                );
                let mut above = Ink::new(layout.width, strip_height(&layout));
                let strip = strip::above(&frame, &layout);
                strip::paint(&mut above, &strip, layout.scale, &Palette::light(), "floor 1,000").expect("strip");
                assert!(above.inside(), "strip of {slots} at {width} x {ratio}: {:?}", above.reach);
            }
        }
    }
}

#[test]
fn a_point_in_a_box_finds_its_slot() {
    for width in WIDTHS {
        for ratio in RATIOS {
            for slots in SLOTS {
                let layout = layout(slots, width, ratio);
                for slot in firsts(&layout) {
                    let rect = layout.rect(slot);
                    for (x, y) in
                        [(rect.x, rect.y), (rect.right() - 1, rect.bottom() - 1), (rect.x + rect.w / 2, rect.y)]
                    {
                        assert_eq!(layout.slot_at(x, y), Some(slot), "{slots} at {width} x {ratio}");
                    }
                }
                assert_eq!(layout.slot_at(layout.width - 1, layout.height - 1), None);
                assert_eq!(layout.slot_at(-1 - layout.width, -1 - layout.height), None);
            }
        }
    }
}

#[test]
fn any_slot_of_a_hundred_is_in_its_square() {
    let layout = layout(10_000, 756.0, 1.0);
    for slot in (0..10_000).step_by(37) {
        let rect = layout.rect(slot);
        let first = layout.slot_at(rect.x + 3, rect.y + 3).expect("a square");
        assert!(layout.span(first).contains(&slot) && layout.span(slot) == layout.span(first));
    }
}

#[test]
fn boxes_are_equal_and_their_gaps_too_at_every_ratio() {
    for ratio in RATIOS {
        for slots in SLOTS {
            let layout = layout(slots, 756.0, ratio);
            let rects: Vec<Rect> = firsts(&layout).into_iter().map(|slot| layout.rect(slot)).collect();
            assert!(rects.iter().all(|rect| (rect.w, rect.h) == (rects[0].w, rects[0].h)));
            let columns = layout.columns() as usize;
            let gaps = rects.chunks(columns).flat_map(|row| row.windows(2)).map(|pair| pair[1].x - pair[0].right());
            let mut gaps: Vec<i32> = gaps.filter(|gap| *gap > 0).collect();
            gaps.dedup();
            assert!(gaps.len() <= 1, "{slots} x {ratio}: {gaps:?}");
        }
    }
}

#[test]
fn groups_keep_every_slot_apart_and_findable() {
    for by in [Grouping::Revision, Grouping::Zone] {
        for slots in [9, 24, 25, 160, 161, 1_000, 2_500] {
            for width in [358.0, 756.0] {
                let order = Order::of(&mixed(slots), slots, by, None);
                let layout = Layout::on(0, slots, &Site { order, ..Site::new(width, Scale(1.0)) });
                assert_eq!(layout.captions().len(), 3, "{by:?} of {slots}");
                let mut taken = vec![false; (layout.width * layout.height) as usize];
                for slot in 0..slots {
                    let rect = layout.rect(slot);
                    assert_eq!(layout.slot_at(rect.x + rect.w / 2, rect.y + rect.h / 2), Some(slot));
                    for pixel in [(rect.x, rect.y), (rect.right() - 1, rect.bottom() - 1)] {
                        let pixel = &mut taken[(pixel.1 * layout.width + pixel.0) as usize];
                        assert!(!*pixel && rect.right() <= layout.width);
                        *pixel = true;
                    }
                }
                for (group, (_, y)) in layout.captions() {
                    let first =
                        (0..slots).map(|slot| layout.rect(slot)).filter(|rect| rect.y > y).map(|rect| rect.y).min();
                    assert!(first.is_some_and(|first| first - y >= 8), "{group:?} of {slots}");
                }
            }
        }
    }
}

//! Two walls: every place is drawn once, inside its half, and is found again under the pointer.

use rollscope_draw::stage::{self, Fleet, Layout, Level, Marks, Role, Sides, Site};
use rollscope_draw::weights::{self, WeightWords};
use rollscope_draw::{Palette, Rect, Scale, strip};
use rollscope_engine::{Frame, SimTime, Simulation, Trace};

use crate::common;
use crate::frames::{Plain, RATIOS};
use crate::ink::Ink;

const WIDTHS: [f64; 5] = [320.0, 358.0, 596.0, 756.0, 1_400.0];
const DESIRED: [u32; 9] = [1, 2, 4, 5, 12, 13, 80, 600, 1_400];

/// A canary at a moment.
fn frame(desired: u32, at_s: u64) -> Frame {
    let mut sim = Simulation::new(common::canary(desired));
    sim.advance_to(SimTime(at_s * 1_000), &mut Trace::null());
    sim.frame()
}

fn layout(frame: &Frame, css_width: f64, ratio: f64, css_height: Option<f64>) -> Layout {
    let sides = Sides::of(frame, None).expect("it shifts");
    Layout::beside(&sides, &Site { css_height, ..Site::new(css_width, Scale(ratio)) })
}

/// The first slots of all boxes.
fn boxes(frame: &Frame, layout: &Layout) -> Vec<u32> {
    Fleet::default().update(frame, None, layout)
}

#[test]
fn every_place_is_drawn_once_inside_its_half() {
    for desired in DESIRED {
        let frame = frame(desired, 300);
        for width in WIDTHS {
            for height in [None, Some(120.0)] {
                let layout = layout(&frame, width, 1.0, height);
                let told = format!("{desired} at {width}, {height:?}");
                let mut taken = vec![false; (layout.width * layout.height) as usize];
                let halves = layout.halves().expect("two walls");
                let walls = halves.iter().flat_map(|(_, half)| [half.wall().bar, half.wall().hatch]);
                let rects: Vec<Rect> =
                    boxes(&frame, &layout).iter().map(|slot| layout.rect(*slot)).chain(walls).collect();
                for rect in rects {
                    assert!(
                        rect.x >= 0 && rect.right() <= layout.width && rect.bottom() <= layout.height,
                        "{told}: {rect:?}"
                    );
                    for y in rect.y..rect.bottom() {
                        for x in rect.x..rect.right() {
                            let pixel = &mut taken[(y * layout.width + x) as usize];
                            assert!(!*pixel, "{told}: {rect:?} lies on another at {x}, {y}");
                            *pixel = true;
                        }
                    }
                }
                assert_eq!(halves[0].1.rect(0).w, halves[1].1.rect(0).w, "{told}");
            }
        }
    }
}

#[test]
fn a_box_is_found_again_by_its_middle_and_stands_on_its_side() {
    for desired in DESIRED {
        let frame = frame(desired, 300);
        for (width, ratio) in WIDTHS.into_iter().zip(RATIOS) {
            let layout = layout(&frame, width, ratio, None);
            let middle = layout.halves().expect("two walls")[1].1.rect(0).x;
            for slot in boxes(&frame, &layout) {
                let rect = layout.rect(slot);
                assert_eq!(
                    layout.slot_at(rect.x + rect.w / 2, rect.y + rect.h / 2),
                    Some(slot),
                    "{desired} at {width}"
                );
                for member in layout.members(slot) {
                    let Some(Some(task)) = frame.slots.get(member as usize) else { continue };
                    assert_eq!(rect.x >= middle, task.name.revision == 8, "{desired} at {width}: {}", task.name.start);
                    assert!(!layout.beyond(member) && layout.holds(member));
                }
            }
        }
    }
}

#[test]
fn the_level_follows_from_both_sides_and_a_low_window_has_lower_boxes() {
    let level = |desired, width| layout(&frame(desired, 300), width, 1.0, None).level;
    assert_eq!(
        [1, 4, 5, 12, 13, 80, 81, 1_250].map(|desired| level(desired, 756.0)),
        [
            Level::Cards,
            Level::Cards,
            Level::Boxes,
            Level::Boxes,
            Level::Tiles,
            Level::Tiles,
            Level::Cells,
            Level::Cells,
        ]
    );
    assert_eq!((level(12, 358.0), level(1_251, 756.0)), (Level::Tiles, Level::Far));
    let low = layout(&frame(4, 300), 596.0, 1.0, Some(120.0));
    assert!(f64::from(low.height) <= 130.0 && low.level == Level::Boxes, "{}", low.height);
}

#[test]
fn a_strip_is_as_long_as_its_weight() {
    let lengths = |at_s| {
        let frame = frame(4, at_s);
        let layout = layout(&frame, 756.0, 1.0, None);
        let strips = weights::weights(&frame, &layout).expect("two walls");
        assert_eq!(strips.each_ref().map(|strip| (strip.role, strip.revision)), [(Role::Source, 7), (Role::Target, 8)]);
        assert!(strips.iter().all(|strip| !strip.refused && strip.bar().w * 1_000 / strip.well.w <= 1_000));
        strips.map(|strip| strip.weight)
    };
    assert_eq!([10, 300, 900].map(lengths), [[1_000, 0], [900, 100], [0, 1_000]]);
}

#[test]
fn what_is_sent_to_nobody_is_refused() {
    let mut frame = frame(4, 300);
    frame.counts.lanes[1].healthy = 0;
    let layout = layout(&frame, 756.0, 1.0, None);
    assert_eq!(weights::weights(&frame, &layout).expect("two walls").map(|strip| strip.refused), [false, true]);
}

#[test]
fn whatever_is_drawn_stays_inside_the_picture() {
    for desired in DESIRED {
        let frame = frame(desired, 300);
        for (width, ratio) in WIDTHS.into_iter().zip(RATIOS) {
            let (layout, palette) = (layout(&frame, width, ratio, None), Palette::light());
            let mut ink = Ink::new(layout.width, layout.height);
            stage::clear(&mut ink, &layout, &palette).expect("cleared");
            stage::wall(&mut ink, &layout, &palette, &Plain).expect("walls");
            let slots = boxes(&frame, &layout);
            stage::paint(&mut ink, &layout, &frame, &slots, Marks::default(), &palette, &Plain).expect("boxes");
            assert!(ink.inside(), "{desired} at {width} x {ratio}: {:?}", ink.reach);
            let mut ink = Ink::new(layout.width, layout.scale.px(strip::height(&layout)));
            let mut strips = weights::weights(&frame, &layout).expect("two walls");
            strips[1].test = 1_000;
            let words = strips.each_ref().map(|strip| WeightWords {
                long: format!(
                    "r{} {} of the production traffic, of which nobody answers a part",
                    strip.revision, strip.weight
                ),
                short: format!("r{}", strip.revision),
                test: "test traffic".into(),
            });
            weights::paint(&mut ink, &strips, layout.scale, &palette, &words).expect("strips");
            assert!(ink.inside(), "strips of {desired} at {width} x {ratio}: {:?}", ink.reach);
        }
    }
}

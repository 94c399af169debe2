//! Summaries of whole pictures, through the SVG backend: level, sizes, some boxes, the wall, the
//! strip, and the number of shapes by kind and colour. `UPDATE_GOLDEN=1` writes them anew;
//! `STAGE_SVG` names a directory for the pictures themselves.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use plotters::backend::SVGBackend;
use plotters_backend::DrawingBackend;
use rollscope_draw::stage::{self, Fleet, Layout, Marks};
use rollscope_draw::{Palette, Rect, strip};
use rollscope_engine::Frame;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::InstanceId;

use crate::frames::{Plain, layout, mixed, strip_height};

/// Shapes of an SVG picture by kind and colour.
fn shapes(svg: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for shape in
        svg.lines().filter(|line| line.starts_with('<') && !line.starts_with("<svg") && !line.starts_with("</"))
    {
        let kind = shape[1..].split(' ').next().unwrap_or_default();
        let attribute = |name: &str| {
            let (_, rest) = shape.split_once(&format!("{name}=\""))?;
            rest.split('"').next().filter(|value| value.starts_with('#'))
        };
        let colour = attribute(" fill").or_else(|| attribute(" stroke")).unwrap_or("none");
        *counts.entry(format!("{kind} {colour}")).or_insert(0) += 1;
    }
    counts
}

fn picture(width: i32, height: i32, draw: impl FnOnce(&mut SVGBackend<'_>)) -> String {
    let mut text = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut text, (width as u32, height as u32));
        draw(&mut backend);
        backend.present().expect("present");
    }
    text
}

fn place(rect: Rect) -> String {
    format!("{} {} {} x {}", rect.x, rect.y, rect.w, rect.h)
}

fn summary(layout: &Layout, frame: &Frame, marks: Marks) -> Result<String, std::fmt::Error> {
    let palette = Palette::light();
    let mut out = String::new();
    writeln!(out, "level {:?}", layout.level)?;
    writeln!(out, "columns {}", layout.columns())?;
    writeln!(out, "size {} x {}", layout.width, layout.height)?;
    let mut some = vec![0, 1, layout.slots / 2, layout.slots - 1];
    some.retain(|slot| *slot < layout.slots);
    some.sort_unstable();
    some.dedup();
    for slot in some {
        writeln!(out, "slot {slot}: {}", place(layout.rect(slot)))?;
    }
    let wall = layout.wall();
    writeln!(out, "wall {}, hatch {}, label {:?} {:?}", place(wall.bar), place(wall.hatch), wall.side, wall.label)?;
    let strip = strip::above(frame, layout);
    writeln!(
        out,
        "strip {}, {} pieces, floor {}, {} wires",
        place(strip.well),
        strip.pieces.len(),
        strip.floor,
        strip.wires.len()
    )?;
    let changed = Fleet::default().update(frame, marks, layout);
    let whole = picture(layout.width, layout.height, |to| {
        stage::clear(to, layout, &palette).expect("cleared");
        stage::wall(to, layout, &palette, &Plain).expect("wall");
        stage::paint(to, layout, frame, &changed, marks, &palette, &Plain).expect("boxes");
    });
    let above = picture(layout.width, strip_height(layout), |to| {
        strip::paint(to, &strip, layout.scale, &palette, "floor").expect("strip");
    });
    if let Some(folder) = std::env::var_os("STAGE_SVG") {
        let badges = if marks == Marks::default() { "stage" } else { "badges" };
        let file = PathBuf::from(folder).join(format!("{badges}-{}.svg", layout.slots));
        std::fs::write(file, &whole).expect("the folder can be written to");
    }
    for (title, svg) in [("stage", whole), ("strip", above)] {
        for (shape, count) in shapes(&svg) {
            writeln!(out, "{title}: {count} {shape}")?;
        }
    }
    Ok(out)
}

fn check(slots: u32, css_width: f64, name: &str) {
    let fresh = summary(&layout(slots, css_width, 1.0), &mixed(slots), Marks::default()).expect("summary");
    agree(&fresh, name);
}

fn agree(fresh: &str, name: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, fresh).expect("golden file written");
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(fresh, golden, "{name} differs; UPDATE_GOLDEN=1 takes the new picture over");
}

#[test]
fn pictures_are_those_of_the_summaries() {
    for slots in [1, 4, 24, 160, 1_000, 5_000, 10_000] {
        check(slots, 756.0, &format!("stage-{slots}.txt"));
    }
    for slots in [6, 1_000, 10_000] {
        check(slots, 358.0, &format!("stage-{slots}-phone.txt"));
    }
}

/// Every third task is protected from scale-in, the later half started without rollback protection.
#[test]
fn badges_are_those_of_the_summaries() {
    for slots in [6, 24, 100, 1_000, 10_000] {
        let mut frame = mixed(slots);
        frame.slots.iter_mut().step_by(3).flatten().for_each(|task| task.protected_until = Some(SimTime::NEVER));
        let marks = Marks { unprotected_from: Some(InstanceId(slots / 2)), ..Marks::default() };
        let fresh = summary(&layout(slots, 756.0, 1.0), &frame, marks).expect("summary");
        agree(&fresh, &format!("badges-{slots}.txt"));
    }
}

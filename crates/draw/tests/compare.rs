//! Two runs on one clock, as pictures: summaries of their shapes. `UPDATE_GOLDEN=1` writes them
//! anew; `COMPARE_SVG` names a directory for the pictures themselves.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use common::{Known, Shape, run, settings, shapes};
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use rollscope_draw::chart::Tone;
use rollscope_draw::compare::{Clock, Ran, RunChart, RunWords, playhead, top};
use rollscope_draw::stage::{Layout, Level, Site};
use rollscope_draw::{Palette, Rect, Scale};
use rollscope_engine::settings::{Distribution, Settings};

/// Healthy 45 s after the start, draining 5 min, stopping 30 s.
fn slow_drain(maximum: u32) -> Settings {
    let constant = |s: u64| Distribution::Constant(s * 1_000);
    let mut settings = settings(4, 100, maximum);
    let timing = &mut settings.timing;
    (timing.provisioning, timing.pull, timing.start_up) = (constant(5), constant(10), constant(30));
    timing.first_check = Some(constant(30));
    (timing.open_request, timing.exit_after_sigterm) = (constant(300), constant(30));
    settings.target_groups[0].deregistration_delay_ms = 300_000;
    settings
}

fn known() -> [Known; 2] {
    [run(&slow_drain(200)), run(&slow_drain(125))]
}

fn picture(known: &Known, clock: &Clock, height: u32, tone: Tone, words: &RunWords) -> String {
    let scale = Scale(1.0);
    let x = clock.axis(1_000.0, scale);
    let chart = RunChart::new(&known.trace.samples, known.end, 8, x, clock, scale);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (1_000, height)).into_drawing_area();
        chart.paint(&area, tone, &Palette::light(), words).expect("paint");
        area.present().expect("present");
    }
    text
}

fn summary(svg: &str) -> String {
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut out = String::new();
    for shape in shapes(svg) {
        if !shape.words.is_empty() {
            let (x, y, ..) = shape.extent();
            writeln!(out, "text at {x:.0},{y:.0}: {}", shape.words).expect("a string grows");
        }
        *counts.entry((shape.kind, shape.colour)).or_insert(0) += 1;
    }
    for ((kind, colour), count) in counts {
        writeln!(out, "{kind} {colour}: {count}").expect("a string grows");
    }
    out
}

#[test]
fn pictures_are_those_of_the_golden_files() {
    let known = known();
    let clock = Clock::of(&[0, 1].map(|run: usize| Ran { end: known[run].end, idle: &[] }));
    assert_eq!((known[0].end.ms(), known[1].end.ms()), (375_000, 1_500_000));
    assert_eq!([top(&known[0].trace.samples), top(&known[1].trace.samples)], [8, 5]);
    let words = |ceiling: u32, end: &str| RunWords {
        traffic: String::new(),
        ceiling: format!("ceiling {ceiling}"),
        floor: "floor 4".into(),
        end: end.into(),
    };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (index, (name, words)) in
        [("compare_a", words(8, "A is done at 6:15")), ("compare_b", words(5, "B is done at 25:00"))].iter().enumerate()
    {
        let svg = picture(&known[index], &clock, 270, Tone::Solid, words);
        if let Ok(folder) = std::env::var("COMPARE_SVG") {
            std::fs::write(PathBuf::from(folder).join(format!("{name}.svg")), &svg).expect("written");
        }
        let file = folder.join(format!("{name}.txt"));
        let found = summary(&svg);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, &found).expect("written");
        }
        assert_eq!(found, std::fs::read_to_string(&file).expect("a golden file"), "{name}");
        // Only the run that is over before the other one says when.
        assert_eq!(svg.contains(&words.end), index == 0);
    }
}

#[test]
fn the_same_count_stands_at_the_same_height_in_all_of_them() {
    let known = known();
    let clock = Clock::of(&[0, 1].map(|run: usize| Ran { end: known[run].end, idle: &[] }));
    let floor = |run: usize| {
        let words = RunWords { floor: "floor".into(), ceiling: "c".into(), ..RunWords::default() };
        let svg = picture(&known[run], &clock, 270, Tone::Pale, &words);
        let label = shapes(&svg).into_iter().find(|shape| shape.words == "floor").expect("a label");
        label.extent().1
    };
    assert!((floor(0) - floor(1)).abs() <= 15.0, "{} {}", floor(0), floor(1));
    let four = |run: usize| {
        let svg = picture(&known[run], &clock, 270, Tone::Pale, &RunWords::default());
        let label = shapes(&svg).into_iter().find(|shape| shape.words == "4").expect("a label of the axis");
        label.extent().1
    };
    assert_eq!(four(0), four(1));
}

#[test]
fn a_stage_of_one_row_stays_low() {
    for (slots, level) in
        [(0, Level::Boxes), (1, Level::Boxes), (8, Level::Boxes), (40, Level::Tiles), (5_000, Level::Far)]
    {
        for (width, scale) in [(358.0, 3.0), (640.0, 1.0), (900.0, 2.0)] {
            let site = Site { row: true, ..Site::new(width, Scale(scale)) };
            let layout = Layout::on(0, slots, &site);
            let css = f64::from(layout.height) / scale;
            assert!(layout.level == level || width < 700.0, "{slots} at {width}: {:?}", layout.level);
            assert!(css <= if level == Level::Far { 260.0 } else { 84.0 }, "{slots} at {width}: {css}");
            assert!(layout.right() <= layout.width);
        }
    }
}

#[test]
fn the_playhead_is_a_line_from_top_to_bottom_that_leaves_the_label_to_be_read() {
    let label = Rect::new(60, 6, 30, 20);
    let painted = |x: i32| {
        let mut text = String::new();
        {
            let mut svg = SVGBackend::with_string(&mut text, (100, 50));
            playhead(&mut svg, x, label, Scale(1.0), &Palette::light()).expect("paint");
        }
        shapes(&text)
    };
    let whole = painted(40);
    assert_eq!(whole.len(), 2);
    assert!(whole.iter().all(|shape| shape.extent().1 == 0.0 && shape.extent().3 == 50.0));
    let parted = painted(75);
    assert_eq!(parted.len(), 4);
    let free = |shape: &Shape| shape.extent().3 <= 6.0 || shape.extent().1 >= 26.0;
    assert!(parted.iter().all(free), "{:?}", parted.iter().map(Shape::extent).collect::<Vec<_>>());
}

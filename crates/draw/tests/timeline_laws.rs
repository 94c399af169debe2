//! What holds for every picture of the timeline, whatever the run and the size.

mod common;

use common::{
    Known, Plain, Shape, canary, failures, moving, run, scrubber, settings, shapes, upper, with_act, with_fate,
};
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use rollscope_draw::chart::{self, ChartWords, Tone};
use rollscope_draw::lives;
use rollscope_draw::timeline::{Below, Over, Timeline, Words};
use rollscope_draw::{Palette, Scale};
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::{Command, Fate, Settings, TaskName};
use rollscope_engine::trace::{StopCode, TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Step, Trace};

const WIDTHS: [(f64, bool); 5] = [(320.0, true), (358.0, true), (756.0, false), (1_400.0, false), (2_600.0, false)];

/// A stream of choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn fate(&mut self) -> Fate {
        let after = 1_000 * (1 + self.below(90));
        match self.below(7) {
            0 => Fate::NeverRunning { after: None },
            1 => Fate::ExitsAfter(after),
            2 => Fate::NeverPasses,
            3 => Fate::TurnsUnhealthyAfter(after),
            4 => Fate::Hangs,
            _ => Fate::Healthy,
        }
    }

    /// Small and large services, with failures and acts, up to twenty minutes.
    fn settings(&mut self) -> Settings {
        let desired = self.pick(&[0, 1, 2, 4, 4, 8, 8, 12, 20, 30, 90]);
        let (minimum, maximum) = self.pick(&[(100, 200), (100, 150), (50, 100), (0, 100), (75, 125), (100, 110)]);
        let inner = self.fate();
        let fate = Fate::Ratio { hits: self.below(4) as u32, of: 4, fate: Box::new(inner) };
        let by_start = vec![(2, self.fate()), (3, self.fate())];
        let mut settings = with_fate(settings(desired, minimum, maximum), fate, by_start);
        settings.seed = self.below(1_000);
        settings.until = Some(SimTime(1_000 * (200 + self.below(1_000))));
        if self.below(2) == 0 {
            let kill = Command::Kill(TaskName { revision: 8, start: 1 });
            settings = with_act(settings, 30 + self.below(150), kill);
        }
        if self.below(3) == 0 {
            settings = with_act(settings, 200, Command::Deploy { revision: 9, behaviour: None });
        }
        settings
    }
}

fn runs(seed: u64, n: usize) -> Vec<Known> {
    let mut dice = Dice(seed);
    (0..n).map(|_| run(&dice.settings())).collect()
}

/// Runs that are worth a look at every width.
fn typical() -> Vec<Known> {
    let kill = Command::Kill(TaskName { revision: 8, start: 1 });
    let of_four = Fate::Ratio { hits: 1, of: 4, fate: Box::new(Fate::NeverPasses) };
    let all = [
        settings(0, 100, 200),
        settings(1, 100, 150),
        settings(4, 100, 150),
        settings(4, 0, 100),
        with_act(settings(4, 100, 150), 20 * 3_600, kill),
        with_fate(settings(20, 50, 100), of_four.clone(), vec![]),
        with_fate(settings(60, 100, 125), of_four, vec![]),
    ];
    all.iter().map(run).collect()
}

/// All pictures of a run: the upper one in both tones, what moves over it, and the scrubber at
/// three moments; each with its size.
fn pictures(timeline: &Timeline, known: &Known) -> Vec<(Vec<Shape>, (f64, f64))> {
    let palette = Palette::light();
    let layout = &timeline.layout;
    let width = f64::from(layout.scale.px(layout.css_width));
    let above = (width, f64::from(layout.height));
    let selected = timeline.hit(timeline.x.left, layout.rows.y).task;
    let over = Over { at: known.end, hover: Some(SimTime(known.end.0 / 2)), selected, hovered: None };
    let track = timeline.track(known.marks());
    let mut out = vec![
        (shapes(&upper(timeline, Tone::Solid, "7·1, for ever", &palette)), above),
        (shapes(&upper(timeline, Tone::Pale, "7·1, for ever", &palette)), above),
        (shapes(&moving(timeline, &over, &palette)), above),
    ];
    for at in [SimTime::ZERO, SimTime(known.end.0 * 2 / 5), known.end] {
        let svg = scrubber(&track, layout.css_width, at, &palette);
        out.push((shapes(&svg), (width, f64::from(layout.track))));
    }
    out
}

/// A player inside another page has chart and scrubber alone, in any height down to their least.
#[test]
fn a_bare_timeline_is_chart_and_scrubber() {
    let mut known = run(&failures::tripped());
    known.bare = true;
    for height in [110.0, 120.0, 172.0, 260.0, 400.0] {
        for scale in [1.0, 1.5, 2.0] {
            let layout = known.timeline(720.0, height, false, scale).layout;
            let css = |device: i32| f64::from(device) / scale;
            assert_eq!((layout.ribbon.h, layout.counter.h, layout.alarms.h, layout.rows.h), (0, 0, 0, 0));
            assert_eq!(layout.below, Below::Nothing);
            assert!(css(layout.chart.h) >= 55.5, "{height}: a chart of {}", css(layout.chart.h));
            let all = css(layout.height + layout.track);
            assert!(all <= height.max(118.0) + 1.0, "{height}: {all}");
        }
    }
    let bare = known.timeline(720.0, 260.0, false, 1.0);
    assert!(bare.counter().is_none() && bare.segments().is_empty());
    assert_eq!(bare.hit(300, 60).task, None);
    known.bare = false;
    let whole = known.timeline(720.0, 260.0, false, 1.0);
    assert!(whole.counter().is_some() && !whole.segments().is_empty(), "the same run has all of them in the Studio");
}

#[test]
fn nothing_lies_outside_of_the_picture() {
    for known in typical() {
        for (width, phone) in WIDTHS {
            let scale = if phone { 2.0 } else { 1.0 };
            let timeline = known.timeline(width, 384.0, phone, scale);
            for (shapes, (right, bottom)) in pictures(&timeline, &known) {
                for shape in shapes {
                    let (x0, y0, x1, y1) = shape.extent();
                    let inside = x0 >= -0.5 && y0 >= -0.5 && x1 <= right + 0.5 && y1 <= bottom + 0.5;
                    assert!(inside, "{width}: {shape:?} in {right} x {bottom}");
                }
            }
        }
    }
}

#[test]
fn labels_never_overlap() {
    let guarded = [failures::deferred(), failures::early(), failures::tripped(), failures::many(), failures::first()];
    // A stage that lasts for 24 hours, with the words of the rollback before its end.
    let shifted = [canary(4), with_fate(canary(4), Fate::NeverPasses, vec![])];
    for known in typical().into_iter().chain(runs(5, 4)).chain(guarded.iter().chain(&shifted).map(run)) {
        // The last one is a laptop, where the panels leave little and nothing stands below the ribbon.
        let sizes = WIDTHS.map(|(width, phone)| (width, if phone { 384.0 } else { 250.0 }, phone));
        for (width, height, phone) in sizes.into_iter().chain([(596.0, 190.0, false)]) {
            let timeline = known.timeline(width, height, phone, 1.0);
            for (shapes, _) in pictures(&timeline, &known) {
                let texts: Vec<&Shape> = shapes.iter().filter(|shape| shape.kind == "text").collect();
                for (index, a) in texts.iter().enumerate() {
                    for b in &texts[..index] {
                        let ((ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1)) = (a.extent(), b.extent());
                        let apart = ax1 <= bx0 || bx1 <= ax0 || ay1 <= by0 || by1 <= ay0;
                        assert!(apart, "{width}: {} {:?} {} {:?}", a.words, a.points, b.words, b.points);
                    }
                }
            }
        }
    }
}

#[test]
fn the_chart_is_right_angled_and_has_two_points_a_pixel_at_most() {
    for known in runs(11, 30) {
        let timeline = known.timeline(756.0, 384.0, false, 1.0);
        let pixels: Vec<i32> = timeline.chart.columns.iter().map(|column| timeline.x.x(column.at)).collect();
        assert!(pixels.is_sorted() && pixels.windows(3).all(|three| three[0] < three[2]));
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (756, 200)).into_drawing_area();
            let words = ChartWords::default();
            chart::paint(&area, &timeline.chart, Tone::Pale, Scale(1.0), &Palette::light(), &words, true)
                .expect("a string takes every shape");
            area.present().expect("a string takes every shape");
        }
        // Hatching has two points.
        for shape in shapes(&svg).iter().filter(|shape| shape.kind == "polyline" && shape.points.len() > 2) {
            let right = |pair: &[(f64, f64)]| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1;
            assert!(shape.points.windows(2).all(right), "{shape:?}");
        }
    }
}

/// Every failed task and every failed check has something red in its row or line at its moment.
#[test]
fn a_failure_is_never_merged_away() {
    let palette = Palette::light();
    let hex = |c: rollscope_draw::Colour| format!("#{:02X}{:02X}{:02X}", c.0, c.1, c.2);
    let red = [hex(palette.fail), hex(palette.fail.over(palette.surface, 60))];
    let (mut rows, mut carpets) = (0, 0);
    for known in runs(23, 30) {
        for (width, phone) in [(320.0, true), (756.0, false)] {
            let timeline = known.timeline(width, 300.0, phone, 1.0);
            for tone in [Tone::Solid, Tone::Pale] {
                let shapes = shapes(&upper(&timeline, tone, "", &palette));
                let red: Vec<_> = shapes.iter().filter(|s| red.contains(&s.colour)).map(Shape::extent).collect();
                for record in &known.trace.records {
                    let What::Task { task, change } = record.what else { continue };
                    let failed = matches!(
                        change,
                        TaskChange::Unhealthy(_)
                            | TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited)
                    );
                    if !failed {
                        continue;
                    }
                    let band = timeline.band_of(task.id).expect("every task has a row or a line");
                    let x = f64::from(timeline.x.x(record.at));
                    let (top, bottom) = (f64::from(band.y), f64::from(band.bottom()));
                    let there =
                        |e: &&(f64, f64, f64, f64)| e.0 - 2.0 <= x && x <= e.2 + 2.0 && e.1 < bottom && top < e.3;
                    assert!(red.iter().any(|e| there(&e)), "{width}: {task:?} {change:?} at {:?}", record.at);
                    *(if timeline.layout.below == Below::Rows { &mut rows } else { &mut carpets }) += 1;
                }
            }
        }
    }
    assert!(rows > 40 && carpets > 40, "{rows} {carpets}");
}

/// The states of the rows are those that the engine itself tells of every slot.
#[test]
fn lives_are_those_of_the_engine() {
    let mut dice = Dice(31);
    for _ in 0..25 {
        let settings = dice.settings();
        let known = run(&settings);
        let mut entries = Vec::new();
        lives::each_entry(&known.trace.records, |entry| {
            entries.push(entry);
            true
        });
        for _ in 0..20 {
            let at = SimTime(dice.below(known.end.0 + 1));
            let mut sim = Simulation::new(settings.clone());
            sim.advance_to(at, &mut Trace::null());
            for task in sim.frame().slots.iter().flatten() {
                let last = entries.iter().rev().find(|entry| entry.id == task.id.0 && entry.at <= at);
                assert_eq!(last.map(|entry| (entry.state, entry.name)), Some((task.state, task.name)), "{at:?}");
            }
        }
    }
}

#[test]
fn a_point_names_its_moment_and_its_task() {
    let known = run(&settings(4, 100, 150));
    let timeline = known.timeline(756.0, 384.0, false, 1.0);
    for (index, task) in [0_u32, 3, 4, 7].into_iter().enumerate() {
        let id = rollscope_engine::trace::InstanceId(task);
        let band = timeline.band_of(id).expect("it has a row");
        let x = timeline.x.left + 100 * index as i32;
        let hit = timeline.hit(x, band.y + band.h / 2);
        assert_eq!((hit.task, hit.tasks, timeline.x.x(hit.at)), (Some(id), 1, x));
    }
    assert_eq!(timeline.hit(100, timeline.layout.chart.y).task, None);
    let large = run(&settings(300, 100, 125));
    let timeline = large.timeline(756.0, 384.0, false, 1.0);
    let per_line = timeline.tasks_per_line().expect("it has a carpet");
    let hit = timeline.hit(100, timeline.layout.rows.y);
    assert_eq!((hit.task, hit.tasks), (Some(rollscope_engine::trace::InstanceId(0)), per_line));
    assert!(per_line > 1 && Plain { still: "" }.per_line(per_line).contains("tasks"));
}

/// Ten thousand tasks and as many new ones: what is drawn follows the pixels, not the tasks.
#[test]
fn a_carpet_of_ten_thousand_tasks_keeps_to_its_budget() {
    let settings = settings(10_000, 100, 125);
    let mut sim = Simulation::new(settings.clone());
    let mut trace = Trace::new();
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    let end = trace.records[trace.records.len() - 2].at;
    let records = trace.records.len();
    let known = Known {
        settings,
        trace,
        slots: 12_500,
        end,
        idle: vec![],
        chart: rollscope_draw::timeline::ChartOf::Tasks,
        bare: false,
    };
    let timeline = known.timeline(756.0, 500.0, false, 1.0);
    assert!(records > 100_000, "{records}");
    let lines = 20_000_u32.div_ceil(timeline.tasks_per_line().expect("it has a carpet"));
    assert!((100..=125).contains(&lines), "{lines}");
    assert!(timeline.rectangles() <= 1_000, "{}", timeline.rectangles());
    // Twice the pixels: not more than twice the rectangles a line, and twice the lines.
    let sharp = known.timeline(756.0, 500.0, false, 2.0);
    assert!(sharp.rectangles() <= 2_000, "{}", sharp.rectangles());
    assert!(shapes(&upper(&timeline, Tone::Pale, "", &Palette::light())).len() <= 3_000);
    // The picture is one change of colour a state and lane.
    let shapes = shapes(&upper(&timeline, Tone::Solid, "", &Palette::light()));
    let place = timeline.layout.rows;
    let inside = |shape: &&Shape| shape.kind == "rect" && shape.extent().1 >= f64::from(place.y);
    let colours: Vec<&str> = shapes.iter().filter(inside).map(|shape| shape.colour.as_str()).collect();
    assert!(colours.windows(2).filter(|pair| pair[0] != pair[1]).count() <= 24);
}

/// A state that the page knows is drawn in the row.
#[test]
fn every_state_that_lasts_has_its_own_look() {
    let known = run(&settings(4, 100, 150));
    let mut seen: Vec<TaskState> = Vec::new();
    lives::each_entry(&known.trace.records, |entry| {
        if !seen.contains(&entry.state) {
            seen.push(entry.state);
        }
        true
    });
    assert!(seen.len() >= 7, "{seen:?}");
    let timeline = known.timeline(756.0, 384.0, false, 1.0);
    let band = timeline.band_of(rollscope_engine::trace::InstanceId(4)).expect("it has a row");
    let shapes = shapes(&upper(&timeline, Tone::Solid, "", &Palette::light()));
    let inside = |s: &&Shape| s.extent().1 >= f64::from(band.y) && s.extent().3 <= f64::from(band.bottom());
    // Dashes, two frames with their insides, a half and a full bar.
    assert!(shapes.iter().filter(inside).count() > 12);
}

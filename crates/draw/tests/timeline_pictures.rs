//! Pictures of typical runs as compact text. `UPDATE_GOLDEN=1` writes them anew; `TIMELINE_SVG`
//! names a directory for the pictures themselves.

mod common;

use std::fmt::Write;
use std::path::PathBuf;

use common::{
    Known, Shape, canary, failures, moving, run, scrubber, settings, shapes, upper, with_act, with_fate, with_traffic,
};
use rollscope_draw::Palette;
use rollscope_draw::chart::Tone;
use rollscope_draw::counter::Counter;
use rollscope_draw::flow::{self, Measure};
use rollscope_draw::timeline::{ChartOf, Over, Status};
use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::protection::Unprotected;
use rollscope_engine::settings::{Behaviour, Command, Fate, Settings, TaskName};
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::InstanceId;

/// Shapes of one kind and colour that follow each other are told together above this many points.
const TOGETHER: usize = 12;

/// Number, extent and a sum that any moved point changes.
fn told_together(kind: &str, shapes: &[Shape]) -> String {
    let extents = shapes.iter().map(Shape::extent);
    let all = extents.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3))).unwrap_or_default();
    let points: Vec<&(f64, f64)> = shapes.iter().flat_map(|shape| &shape.points).collect();
    let sum: f64 = points.iter().enumerate().map(|(k, p)| (k % 97) as f64 * p.0 + p.1).sum();
    format!(
        "{kind} {} x {} of {} points in {:.0},{:.0} {:.0},{:.0} sum {sum:.0}\n",
        shapes[0].colour,
        shapes.len(),
        points.len(),
        all.0,
        all.1,
        all.2,
        all.3
    )
}

fn compact(svg: &str) -> String {
    let shapes = shapes(svg);
    let mut out = String::new();
    let same = |a: &Shape, b: &Shape| a.kind == b.kind && a.colour == b.colour && a.kind != "text";
    for group in shapes.chunk_by(same) {
        if group.iter().map(|shape| shape.points.len()).sum::<usize>() > TOGETHER {
            out.push_str(&told_together(&group[0].kind, group));
            continue;
        }
        for shape in group {
            let points: Vec<String> = shape.points.iter().map(|(x, y)| format!("{x:.0},{y:.0}")).collect();
            let words = if shape.words.is_empty() { String::new() } else { format!(" {}", shape.words) };
            writeln!(out, "{} {} {}{words}", shape.kind, shape.colour, points.join(" ")).expect("a string grows");
        }
    }
    out
}

/// One picture: a run at a size, with the playhead somewhere.
struct Picture {
    name: &'static str,
    settings: Settings,
    size: (f64, f64),
    phone: bool,
    at: SimTime,
    still: &'static str,
    selected: Option<InstanceId>,
    chart: ChartOf,
}

fn picture(name: &'static str, settings: Settings, at_s: u64) -> Picture {
    let at = SimTime(at_s * 1_000);
    Picture { name, settings, size: (756.0, 384.0), phone: false, at, still: "", selected: None, chart: ChartOf::Tasks }
}

fn pictures() -> Vec<Picture> {
    let four = settings(4, 100, 150);
    let one_in_three = Fate::Ratio { hits: 1, of: 3, fate: Box::new(Fate::NeverRunning { after: None }) };
    let kill = Command::Kill(TaskName { revision: 8, start: 2 });
    let kill_first = Command::Kill(TaskName { revision: 8, start: 1 });
    let mut hanging = with_fate(settings(10, 100, 120), Fate::Healthy, vec![(1, Fate::Hangs), (3, Fate::NeverPasses)]);
    hanging.until = Some(SimTime(250_000));
    let third = Command::Deploy { revision: 9, behaviour: Some(Behaviour::default()) };
    let unhealthy = vec![(2, Fate::TurnsUnhealthyAfter(50_000)), (3, Fate::ExitsAfter(20_000))];
    vec![
        Picture { selected: Some(InstanceId(1)), ..picture("four", four.clone(), 110) },
        Picture { size: (358.0, 270.0), phone: true, ..picture("phone", four.clone(), 110) },
        Picture {
            still: "7·1, unchanged for ever",
            size: (756.0, 200.0),
            ..picture("stuck", settings(1, 100, 150), 0)
        },
        picture("failing", with_fate(settings(4, 100, 150), Fate::Healthy, unhealthy), 150),
        Picture {
            size: (756.0, 420.0),
            ..picture("twelve", with_act(with_act(settings(12, 75, 125), 40, third), 120, kill.clone()), 200)
        },
        picture("folded", with_act(four, 20 * 3_600, kill_first), 150),
        Picture { selected: Some(InstanceId(11)), ..picture("shared", hanging, 200) },
        picture("fifty", with_fate(settings(50, 100, 125), one_in_three, vec![]), 200),
        Picture { size: (756.0, 300.0), ..picture("thousand", settings(1_000, 100, 125), 300) },
    ]
}

/// Rollouts that are watched, and go wrong.
fn guarded() -> Vec<Picture> {
    let tall = |name, settings, at_s| Picture { size: (756.0, 440.0), ..picture(name, settings, at_s) };
    vec![
        tall("tripped", failures::tripped(), 150),
        Picture { size: (358.0, 330.0), phone: true, ..picture("tripped_phone", failures::tripped(), 150) },
        tall("reset", failures::reset(), 150),
        tall("many", failures::many(), 60),
        tall("early", failures::early(), 300),
        tall("bake", failures::bake(), 300),
        tall("first", failures::first(), 60),
        tall("twice", failures::twice(), 200),
    ]
}

/// The traffic in the place of the chart: answers by revision with bad ones among them, and a target that went with
/// open requests; the weights alone; shares without weights.
fn traffic() -> Vec<Picture> {
    let of = |name, settings, at_s| Picture { chart: ChartOf::Traffic, ..picture(name, settings, at_s) };
    let mut cut_off = with_traffic(settings(4, 100, 150), 200, (1, 20));
    if let Some(traffic) = &mut cut_off.traffic {
        traffic.durations = vec![(7, vec![(1_000, 9), (90_000, 1)])];
    }
    vec![
        of("canary_traffic", with_traffic(canary(4), 100, (1, 20)), 300),
        Picture { size: (358.0, 270.0), phone: true, ..of("canary_phone", with_traffic(canary(4), 100, (1, 20)), 300) },
        of("canary_weights", canary(4), 300),
        of("rolling_traffic", cut_off, 150),
        of("rolling_shares", settings(4, 100, 150), 150),
    ]
}

#[test]
fn the_traffic_is_that_of_the_run() {
    for picture in traffic() {
        let timeline = Known { chart: picture.chart, ..run(&picture.settings) }.timeline(756.0, 384.0, false, 1.0);
        let flow = timeline.flow.as_ref().expect("the traffic stands in the chart's place");
        let (requests, weighted) = (flow.measure == Measure::Requests, !flow.weights.is_empty());
        let expected = (picture.settings.traffic.is_some(), picture.name.starts_with("canary"));
        assert_eq!((requests, weighted), expected, "{}", picture.name);
        assert_eq!(flow.cut_off.is_empty(), picture.name != "rolling_traffic", "{}", picture.name);
        // Whoever answers, all together have what comes.
        let whole = if requests { flow.top } else { 1_000 };
        assert!(flow.columns.iter().all(|column| column.edges[flow::BANDS - 1] == whole), "{}", picture.name);
        let steps: Vec<u16> = flow.weights.iter().map(|step| step.weight).collect();
        assert_eq!(steps, if weighted { vec![0, 100, 1_000] } else { vec![] }, "{}", picture.name);
    }
}

#[test]
fn pictures_are_as_agreed() {
    let mut wrong = Vec::new();
    for picture in pictures().into_iter().chain(guarded()).chain(traffic()) {
        let known = Known { chart: picture.chart, ..run(&picture.settings) };
        let timeline = known.timeline(picture.size.0, picture.size.1, picture.phone, 1.0);
        let palette = Palette::light();
        let over = Over { at: picture.at, hover: None, selected: picture.selected, hovered: None };
        let parts = [
            ("solid", upper(&timeline, Tone::Solid, picture.still, &palette)),
            ("pale", upper(&timeline, Tone::Pale, picture.still, &palette)),
            ("over", moving(&timeline, &over, &palette)),
            ("scrubber", scrubber(&timeline.track(known.marks()), picture.size.0, picture.at, &palette)),
        ];
        let mut text = String::new();
        for (part, svg) in &parts {
            write!(text, "# {part}\n{}", compact(svg)).expect("a string grows");
            if let Some(folder) = std::env::var_os("TIMELINE_SVG") {
                let file = PathBuf::from(folder).join(format!("{}-{part}.svg", picture.name));
                std::fs::write(file, svg).expect("the folder can be written to");
            }
        }
        let name = format!("timeline_{}.txt", picture.name);
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(&name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, &text).expect("the folder can be written to");
        } else if std::fs::read_to_string(&file).ok().as_deref() != Some(&text) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "differ from tests/golden (UPDATE_GOLDEN=1 writes them): {wrong:?}");
}

/// The pictures would be no proof if the runs were other ones.
#[test]
fn the_runs_show_what_their_names_say() {
    let ended = |settings: &Settings| run(settings).timeline(756.0, 384.0, false, 1.0);
    for picture in pictures() {
        let timeline = ended(&picture.settings);
        let in_progress = Status::Service { status: ServiceStatus::InProgress, failed: false };
        assert!(timeline.segments().iter().any(|segment| segment.status == in_progress), "{}", picture.name);
        // Nothing watches these services: they are never protected, and no border stands anywhere.
        let never = Unprotected { from: SimTime::ZERO, until: timeline.x.end, border: false };
        assert_eq!(timeline.chart.borders, [never], "{}", picture.name);
        // Hatching over everything would part nothing: the word says it.
        assert_eq!(timeline.chart.parted().count(), 0, "{}", picture.name);
        assert!(timeline.track([]).borders.is_empty(), "{}", picture.name);
        assert_eq!(timeline.x.folds().len(), usize::from(picture.name == "folded"), "{}", picture.name);
        let carpet = matches!(picture.name, "fifty" | "thousand");
        assert_eq!(timeline.tasks_per_line().is_some(), carpet, "{}", picture.name);
    }
}

/// A run that is never protected says so once: on the ribbon, and where that has no room for it above the ceiling.
#[test]
fn a_run_without_protection_says_so_from_its_begin() {
    for picture in pictures() {
        for (width, phone) in [(358.0, true), (596.0, false), (756.0, false)] {
            let timeline = run(&picture.settings).timeline(width, 384.0, phone, 1.0);
            for tone in [Tone::Solid, Tone::Pale] {
                let shapes = shapes(&upper(&timeline, tone, picture.still, &Palette::light()));
                let said: Vec<&Shape> = shapes.iter().filter(|shape| shape.words.starts_with("no automatic")).collect();
                let [said] = said[..] else { panic!("{} at {width}: {}", picture.name, said.len()) };
                let (_, top, _, bottom) = said.extent();
                let (ribbon, chart) = (timeline.layout.ribbon, timeline.layout.chart);
                let on_ribbon = bottom <= f64::from(ribbon.bottom()) + 1.0;
                let above_ceiling = top >= f64::from(chart.y) - 1.0;
                assert!(
                    if phone { above_ceiling } else { on_ribbon },
                    "{} at {width}: {top} to {bottom}",
                    picture.name
                );
            }
        }
    }
}

/// The same for the rollouts that are watched: trips, counted failures, gates and borders.
#[test]
fn the_guarded_runs_show_what_their_names_say() {
    for picture in guarded() {
        let known = run(&picture.settings);
        let timeline = known.timeline(756.0, 440.0, false, 1.0);
        let counted = timeline.counter().map_or(0, Counter::counted);
        let track = timeline.track(known.marks());
        let borders: Vec<u64> = timeline.chart.borders.iter().map(|span| span.from.ms() / 1_000).collect();
        let expected: (usize, u32, usize, bool) = match picture.name {
            "tripped" | "tripped_phone" => (1, 5, 0, false),
            "reset" => (0, 5, 0, false),
            "many" => (1, 200, 0, false),
            "early" => (0, 0, 1, false),
            "bake" => (1, 0, 0, true),
            "first" => (1, 3, 0, false),
            "twice" => (1, 3, 0, false),
            other => panic!("{other}"),
        };
        let bakes = timeline.segments().iter().any(|segment| matches!(segment.status, Status::Bake { ms: 600_000 }));
        let found = (timeline.trips().len(), counted, track.gates.len(), bakes);
        assert_eq!(found, expected, "{}", picture.name);
        assert_eq!(borders.first() == Some(&0), picture.name == "first", "{borders:?}");
        assert_eq!(borders.len(), if picture.name == "twice" { 2 } else { 1 }, "{}", picture.name);
        assert_eq!(timeline.layout.counter.is_empty(), counted == 0, "{}", picture.name);
    }
}

/// A breaker that counts nothing has no lane: it gives the run its border, and nothing else.
#[test]
fn a_breaker_that_counts_nothing_shows_only_the_border() {
    let plain = settings(4, 100, 150);
    let picture = |settings: &Settings| {
        let known = run(settings);
        let timeline = known.timeline(756.0, 384.0, false, 1.0);
        assert!(timeline.counter().is_none());
        let track = timeline.track(known.marks());
        (timeline.layout, timeline.chart, track.marks().collect::<Vec<_>>())
    };
    let (plain, guarded) = (picture(&plain), picture(&failures::with_breaker(plain.clone(), Threshold::default())));
    assert_eq!((plain.0, &plain.1.columns, &plain.2), (guarded.0, &guarded.1.columns, &guarded.2));
    let (from, until) = (guarded.1.end, guarded.1.axis_end);
    assert_eq!(guarded.1.borders, [Unprotected { from, until, border: true }]);
}

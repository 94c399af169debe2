//! Runs to draw, and pictures as shapes.
// Each test takes what it needs.
#![allow(dead_code)]

pub mod failures;

use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;
use plotters_backend::DrawingBackend;
use rollscope_draw::chart::Tone;
use rollscope_draw::guards::Guards;
use rollscope_draw::timeline::{ChartOf, Over, Room, Run, Timeline, Words};
use rollscope_draw::track::{self, Mark, Track};
use rollscope_draw::{Palette, Scale};
use rollscope_engine::mechanism::traffic::Traffic;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::strategy::{Shift, ShiftKind, ShiftStep, WHOLE};
use rollscope_engine::platform::ecs::{Params, Readings, Strategy};
use rollscope_engine::settings::{
    Act, AlarmState, Behaviour, Capacity, Command, Distribution, EVENT_BUDGET_NATIVE, Fate, Quotas, Revision,
    RolloutState, SCHEMA_CHECK_MS, Settings, Start, StartDeployment, TargetGroup, TaskName, Timing,
};
use rollscope_engine::trace::What;
use rollscope_engine::{SimTime, Simulation, Step, Trace};

const S: u64 = 1_000;

/// Between so many seconds.
fn uniform(min: u64, max: u64) -> Distribution {
    Distribution::Uniform { min: min * S, max: max * S }
}

/// A service of revision 7 whose deployment of revision 8 starts at 0, with spread.
pub fn settings(desired: u32, minimum: u32, maximum: u32) -> Settings {
    let readings = Readings::default();
    let (minimum_healthy_percent, maximum_percent) = (minimum, maximum);
    let params = Params {
        desired,
        minimum_healthy_percent,
        maximum_percent,
        grace_ms: 0,
        breaker: None,
        alarms: None,
        early_success: None,
        readings,
    };
    let running = StartDeployment {
        revision: 7,
        state: RolloutState::Completed,
        failed_tasks: 0,
        healthy: desired,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    };
    Settings {
        platform: PlatformSettings::Ecs(params),
        strategy: Strategy::Rolling,
        traffic: None,
        scaling: None,
        containers: vec![],
        target_groups: vec![TargetGroup {
            interval_ms: 10 * S,
            timeout_ms: 5 * S,
            healthy_threshold: 2,
            unhealthy_threshold: 3,
            deregistration_delay_ms: 60 * S,
            new_target_passes: 1,
        }],
        stop_timeout_ms: 30 * S,
        timing: Timing {
            provisioning: uniform(5, 12),
            pull: uniform(10, 20),
            start_up: uniform(12, 25),
            first_check: None,
            open_request: uniform(30, 60),
            exit_after_sigterm: uniform(5, 12),
            healthy_after: None,
            gone_after: None,
        },
        revisions: [7, 8].map(|number| Revision::new(number, Behaviour::default())).to_vec(),
        capacity: Capacity::Unlimited,
        rebalancing: false,
        alarms: vec![],
        schema: vec![],
        schema_check_ms: SCHEMA_CHECK_MS,
        start: Start { deployments: vec![running], deploy: Some(8) },
        acts: vec![],
        fargate: false,
        exit_codes: vec![],
        quotas: Quotas::None,
        seed: 1,
        until: None,
        event_budget: EVENT_BUDGET_NATIVE,
    }
}

/// Gives revision 8 a fate.
pub fn with_fate(mut settings: Settings, fate: Fate, by_start: Vec<(u32, Fate)>) -> Settings {
    settings.revisions[1].behaviour = Behaviour { fate, by_start, bad_responses: None };
    settings
}

/// Adds an act.
pub fn with_act(mut settings: Settings, at_s: u64, command: Command) -> Settings {
    settings.acts.push(Act { at: SimTime(at_s * S), command });
    settings
}

/// The same service as a canary: a tenth of the traffic for ten minutes, then all of it, then five minutes of bake.
pub fn canary(desired: u32) -> Settings {
    let steps = vec![ShiftStep { green: 100, wait_ms: 600 * S }, ShiftStep { green: WHOLE, wait_ms: 0 }];
    let strategy = Strategy::Shift(Shift {
        kind: ShiftKind::Canary,
        steps,
        bake_ms: 300 * S,
        test_listener: false,
        steered: true,
        extra_ms: 0,
        hooks: vec![],
    });
    Settings { strategy, ..settings(desired, 100, 200) }
}

/// Adds requests, of which revision 8 answers a share badly.
pub fn with_traffic(mut settings: Settings, rate: u32, bad: (u32, u32)) -> Settings {
    let rates = vec![(SimTime::ZERO, rate)];
    settings.traffic = Some(Traffic { rates, durations: vec![], per_task: Some(40), fail_open: true });
    settings.revisions[1].behaviour.bad_responses = Some(bad);
    settings
}

/// A run with what the timeline asks for.
pub struct Known {
    pub settings: Settings,
    pub trace: Trace,
    pub slots: u32,
    pub end: SimTime,
    pub idle: Vec<(SimTime, SimTime)>,
    pub chart: ChartOf,
    pub bare: bool,
}

/// Runs settings to their end.
pub fn run(settings: &Settings) -> Known {
    let mut sim = Simulation::new(settings.clone());
    let mut trace = Trace::new();
    let mut slots = 0;
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    slots = slots.max(sim.frame().slots.len() as u32);
    let happens = trace.records.iter().rev().find(|record| !matches!(record.what, What::Ended(_)));
    let end = happens.map_or(SimTime::ZERO, |record| record.at);
    let mut moments: Vec<SimTime> = trace.records.iter().map(|record| record.at).collect();
    moments.dedup();
    let mut steps: Vec<u64> = moments.windows(2).map(|pair| pair[1].since(pair[0])).collect();
    steps.sort_unstable();
    let longest = steps.get(steps.len() / 2).map_or(u64::MAX, |median| median * 10);
    let long = |pair: &[SimTime]| (pair[1].since(pair[0]) > longest).then_some((pair[0], pair[1]));
    let idle = moments.windows(2).filter_map(long).collect();
    let slots = slots.max(sim.frame().counts.limits.ceiling);
    Known { settings: settings.clone(), trace, slots, end, idle, chart: ChartOf::Tasks, bare: false }
}

impl Known {
    pub fn timeline(&self, css_width: f64, css_height: f64, phone: bool, scale: f64) -> Timeline {
        let still = self.end == SimTime::ZERO;
        let run = Run {
            records: &self.trace.records,
            samples: &self.trace.samples,
            flows: &self.trace.flows,
            revisions: &[7, 8],
            before: Some(RolloutState::Completed),
            slots: self.slots,
            end: if still { SimTime(3_600 * S) } else { self.end },
            cut: false,
            axis_end: still.then_some(SimTime(3_600 * S)),
            idle: &self.idle,
            guards: Guards::of(&self.settings),
        };
        let (chart, bare) = (self.chart, self.bare);
        Timeline::new(&run, &Room { css_width, css_height, phone, grows: phone, bare, scale: Scale(scale), chart })
    }

    pub fn marks(&self) -> Vec<Mark> {
        track::marks(&self.trace.records)
    }
}

/// Plain words.
pub struct Plain {
    pub still: &'static str,
}

impl Words for Plain {
    fn status(&self) -> String {
        "status".into()
    }
    fn tasks(&self) -> String {
        "tasks".into()
    }
    fn count(&self, tasks: u32) -> String {
        if tasks < 1_000 { tasks.to_string() } else { format!("{},{:03}", tasks / 1_000, tasks % 1_000) }
    }
    fn state(&self, state: RolloutState) -> String {
        match state {
            RolloutState::InProgress => "IN_PROGRESS",
            RolloutState::Completed => "COMPLETED",
            RolloutState::Failed => "FAILED",
        }
        .into()
    }
    fn fails(&self) -> String {
        "fails".into()
    }
    fn trips(&self, failures: u32) -> String {
        format!("trips at {failures}")
    }
    fn reset(&self) -> String {
        "a healthy task: back to 0".into()
    }
    fn gate(&self, tasks: u32) -> String {
        format!("gate {tasks}")
    }
    fn alarms(&self, alarms: usize) -> String {
        if alarms == 1 { "alarm".into() } else { "alarms".into() }
    }
    fn alarm(&self, name: &str, state: AlarmState, ignored: bool) -> String {
        let state = match state {
            AlarmState::Ok => "OK",
            AlarmState::Alarm => "ALARM",
            AlarmState::InsufficientData => "INSUFFICIENT_DATA",
        };
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        format!("{name}{state}{}", if ignored { ", ignored" } else { "" })
    }
    fn name(&self, task: TaskName) -> String {
        format!("{}·{}", task.revision, task.start)
    }
    fn more(&self, tasks: u32) -> String {
        format!("+ {tasks}")
    }
    fn per_line(&self, tasks: u32) -> String {
        if tasks == 1 { String::from("1 line = 1 task") } else { format!("1 line = {tasks} tasks") }
    }
    fn ceiling(&self, tasks: u32) -> String {
        format!("ceiling {}", self.count(tasks))
    }
    fn floor(&self, tasks: u32) -> String {
        format!("floor {}", self.count(tasks))
    }
    fn border(&self) -> String {
        "no rollback from here on".into()
    }
    fn never(&self, whole: bool) -> String {
        if whole { "no automatic rollback in this run".into() } else { "no automatic rollback".into() }
    }
    fn idle(&self, ms: u64) -> String {
        format!("{} h {} min", ms / 3_600_000, ms / 60_000 % 60)
    }
    fn still(&self) -> String {
        self.still.into()
    }
}

/// The upper picture in one tone as SVG.
pub fn upper(timeline: &Timeline, tone: Tone, still: &'static str, palette: &Palette) -> String {
    let layout = &timeline.layout;
    let mut text = String::new();
    {
        let size = (layout.scale.px(layout.css_width) as u32, layout.height as u32);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        timeline.paint(&area, tone, palette, &Plain { still }).expect("a string takes every shape");
        area.present().expect("a string takes every shape");
    }
    text
}

/// What moves over the upper picture as SVG.
pub fn moving(timeline: &Timeline, over: &Over, palette: &Palette) -> String {
    let layout = &timeline.layout;
    let mut text = String::new();
    {
        let mut svg =
            SVGBackend::with_string(&mut text, (layout.scale.px(layout.css_width) as u32, layout.height as u32));
        timeline.paint_over(&mut svg, over, palette).expect("a string takes every shape");
        svg.present().expect("a string takes every shape");
    }
    text
}

/// The scrubber as SVG.
pub fn scrubber(track: &Track, css_width: f64, at: SimTime, palette: &Palette) -> String {
    let mut text = String::new();
    {
        let size = (track.scale.px(css_width) as u32, track.height() as u32);
        let mut svg = SVGBackend::with_string(&mut text, size);
        track::paint(&mut svg, track, at, palette).expect("a string takes every shape");
        svg.present().expect("a string takes every shape");
    }
    text
}

/// A shape of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// `rect`, `polygon`, `polyline`, `line`, `circle` or `text`.
    pub kind: String,
    /// Its colour.
    pub colour: String,
    /// Its points; of a rectangle two corners, of a text its extent as far as it can be known.
    pub points: Vec<(f64, f64)>,
    /// The words of a text.
    pub words: String,
}

impl Shape {
    /// Left, top, right, bottom.
    pub fn extent(&self) -> (f64, f64, f64, f64) {
        let of = |pick: fn(&(f64, f64)) -> f64, start: f64, f: fn(f64, f64) -> f64| {
            self.points.iter().map(pick).fold(start, f)
        };
        (
            of(|p| p.0, f64::MAX, f64::min),
            of(|p| p.1, f64::MAX, f64::min),
            of(|p| p.0, f64::MIN, f64::max),
            of(|p| p.1, f64::MIN, f64::max),
        )
    }
}

/// Reads the shapes of an SVG picture as the backend writes it: one element a line.
pub fn shapes(svg: &str) -> Vec<Shape> {
    let mut out = Vec::new();
    let mut lines = svg.lines();
    while let Some(line) = lines.next() {
        let kind = line.trim_start_matches('<').split([' ', '>']).next().unwrap_or("");
        let get = |name: &str| {
            let key = format!(" {name}=\"");
            line.split_once(&key).and_then(|(_, rest)| rest.split('"').next()).unwrap_or("")
        };
        let number = |name: &str| get(name).parse::<f64>().unwrap_or(0.0);
        let mut words = String::new();
        let points;
        match kind {
            "rect" => {
                let (x, y) = (number("x"), number("y"));
                points = vec![(x, y), (x + number("width"), y + number("height"))];
            }
            "circle" => {
                let (x, y, r) = (number("cx"), number("cy"), number("r"));
                points = vec![(x - r, y - r), (x + r, y + r)];
            }
            "line" => points = vec![(number("x1"), number("y1")), (number("x2"), number("y2"))],
            "polygon" | "polyline" => {
                points = get("points").split_whitespace().filter_map(|point| point.split_once(',')).map(pair).collect();
            }
            "text" => {
                words = lines.next().unwrap_or("").to_owned();
                points = text_extent(&words, get("text-anchor"), (number("x"), number("y")), number("font-size"), line);
            }
            _ => continue,
        }
        let colour = if get("fill").starts_with('#') { get("fill") } else { get("stroke") };
        out.push(Shape { kind: kind.to_owned(), colour: colour.to_owned(), points, words });
    }
    out
}

fn pair((x, y): (&str, &str)) -> (f64, f64) {
    (x.parse().unwrap_or(0.0), y.parse().unwrap_or(0.0))
}

/// Corners of a text: half an em a character, capitals three quarters of it high.
/// The backend makes type smaller by 1.24.
fn text_extent(words: &str, anchor: &str, (x, y): (f64, f64), size: f64, line: &str) -> Vec<(f64, f64)> {
    let em = size * 1.24;
    let (length, high) = (em * 0.5 * words.chars().count() as f64, em * 0.75);
    let before = match anchor {
        "start" => 0.0,
        "middle" => length / 2.0,
        _ => length,
    };
    if line.contains("rotate(270") {
        return vec![(x - high / 2.0, y - length + before), (x + high / 2.0, y + before)];
    }
    vec![(x - before, y - high / 2.0), (x - before + length, y + high / 2.0)]
}

//! The pictures of the screen: a stage and a chart a run, and the scrubber of all.

use plotters::drawing::IntoDrawingArea;
use rollscope_canvas::{Backend, Surface, device_ratio};
use rollscope_draw::chart::Tone;
use rollscope_draw::compare::{RunChart, RunWords, playhead, top};
use rollscope_draw::flow;
use rollscope_draw::stage::{self, Fleet, Layout, Marks, Site};
use rollscope_draw::track::{self, Track};
use rollscope_draw::xscale::XScale;
use rollscope_draw::{Palette, Rect, Scale};
use rollscope_engine::frame::{Limits, TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::What;
use rollscope_engine::{Frame, SimTime};
use rollscope_wording::{Label, Language, Text, compare as words, page};
use wasm_bindgen::JsCast;
use web_sys::{Document, HtmlCanvasElement};

use super::runs::{Run, Runs};

/// Most slots that are shown free: what the Studio shows.
const FREE_MAX: u32 = 20_000;

/// The surfaces of one run.
struct Pictures {
    stage: Surface,
    chart: Surface,
    /// The chart as it will have been, and as it is to be.
    solid: Surface,
    pale: Surface,
    fleet: Fleet,
    layout: Option<Layout>,
    /// The words at the end, which the playhead leaves to be read.
    label: Rect,
    /// Slots the row has at least.
    slots: u32,
}

/// All pictures.
#[derive(Default)]
pub struct Drawing {
    runs: Vec<Option<Pictures>>,
    track: Option<(Surface, Track)>,
    axis: Option<XScale>,
    stale: bool,
}

/// Sizes that the style sheet leaves to the program, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Width of chart and scrubber.
    pub width: f64,
    /// Width of a stage.
    pub stage: f64,
    /// Height of a chart.
    pub chart: f64,
    /// A finger moves the scrubber.
    pub touch: bool,
}

fn surface(document: &Document, id: &str) -> Option<Surface> {
    Surface::new(document.get_element_by_id(id)?.dyn_into::<HtmlCanvasElement>().ok()?)
}

impl Drawing {
    /// Takes over the canvases that stand in the page now.
    pub fn bind(&mut self, document: &Document, runs: &Runs) {
        let pictures = |(index, run): (usize, &Option<Run>)| {
            run.as_ref()?;
            Some(Pictures {
                stage: surface(document, &format!("cmp-stage-{index}"))?,
                chart: surface(document, &format!("cmp-chart-{index}"))?,
                solid: Surface::hidden()?,
                pale: Surface::hidden()?,
                fleet: Fleet::default(),
                layout: None,
                label: Rect::default(),
                slots: 0,
            })
        };
        self.runs = runs.all.iter().enumerate().map(pictures).collect();
        self.track = None;
        self.stale = true;
    }

    /// Everything is drawn anew with the next frame.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    /// The moment under an x of chart or scrubber, in CSS pixels.
    pub fn moment_at(&self, x: f64) -> Option<SimTime> {
        Some(self.axis?.at(device_ratio(1.0).px(x)))
    }

    /// The spans that the axis folds.
    pub fn folds(&self) -> Vec<(SimTime, SimTime)> {
        self.axis.iter().flat_map(|axis| axis.folds().iter().map(|fold| (fold.from, fold.to))).collect()
    }

    /// Draws what has changed.
    pub fn paint(&mut self, document: &Document, runs: &mut Runs, at: SimTime, sizes: &Sizes, palette: &Palette) {
        let scale = device_ratio(1.0);
        if std::mem::take(&mut self.stale) {
            self.prepare(document, runs, sizes, scale, palette);
        }
        let Some(axis) = self.axis else { return };
        let x = axis.x(at);
        for (pictures, run) in self.runs.iter_mut().zip(&mut runs.all) {
            let (Some(pictures), Some(run)) = (pictures, run) else { continue };
            let frame = run.player.frame();
            pictures.paint_stage(frame, sizes.stage, scale, palette);
            pictures.paint_chart(x, scale, palette);
        }
        if let Some((surface, track)) = &self.track {
            // A canvas accepts every shape: its error type has no value.
            let _ = track::paint(&mut Backend::new(surface), track, at, palette);
        }
    }

    /// Sizes, and both tones of every chart.
    fn prepare(&mut self, document: &Document, runs: &Runs, sizes: &Sizes, scale: Scale, palette: &Palette) {
        let axis = runs.clock.axis(sizes.width, scale);
        self.axis = Some(axis);
        let top = runs.each().map(|(_, run)| self::top(run.player.timeline().samples())).max().unwrap_or(1);
        // Where weights steer the traffic of one run, that of the others is worth a look.
        let shifted = runs.each().any(|(_, run)| run.settings.strategy.shift().is_some());
        for (index, run) in runs.each() {
            let Some(Some(pictures)) = self.runs.get_mut(index) else { continue };
            let end = runs.comparison.as_ref().and_then(|all| all.ends.get(index)).copied().unwrap_or(run.last);
            let timeline = run.player.timeline();
            let chart = RunChart::new(timeline.samples(), end, top, axis, &runs.clock, scale);
            let chart = if shifted { chart.with_traffic(&traffic(run)) } else { chart };
            pictures.slots = slots(run);
            pictures.prepare(&chart, &chart_words(index, run, end), sizes, scale, palette);
        }
        let mut track = Track::new(axis, scale, runs.clock.end, runs.marks.iter().copied());
        track.touch = sizes.touch;
        if let Some(comparison) = &runs.comparison {
            track.ends = comparison.ends.clone();
        }
        self.track = surface(document, "cmp-track").map(|mut surface| {
            surface.resize(sizes.width, track.height(), scale);
            (surface, track)
        });
    }
}

/// What tells of a run's traffic; without its requests, whose rate is no share.
fn traffic(run: &Run) -> flow::Source<'_> {
    let timeline = run.player.timeline();
    let (records, samples) = (timeline.records(), timeline.samples());
    flow::Source { records, samples, flows: &[], revisions: &run.revisions }
}

/// The labels of a chart.
fn chart_words(index: usize, run: &Run, end: SimTime) -> RunWords {
    let limits = run.player.timeline().samples().last().map_or_else(Limits::default, |(_, counts)| counts.limits);
    let done = run.player.timeline().records().iter().any(|record| {
        use rollscope_engine::asg::Change;
        use rollscope_engine::platform::asg::Status;
        use rollscope_engine::platform::vmss;
        use rollscope_engine::settings::RolloutState::Completed;
        use rollscope_engine::trace::DeploymentChange::State;
        use rollscope_engine::vm;
        let done = matches!(
            record.what,
            What::Deployment { change: State(Completed), .. }
                | What::Asg(Change::Status { to: Status::Successful, .. })
                | What::Vm(vm::Change::TargetReached(true) | vm::Change::Status { to: vmss::Status::Completed, .. })
        );
        record.at == end && done
    });
    RunWords {
        ceiling: page::ceiling_label(limits.ceiling),
        floor: page::floor_label(limits.floor),
        end: words::ends(index, end, done),
        traffic: page::t(Label::TrafficStrip).to_owned(),
    }
}

/// The slots of the row: all that are ever in use, and the highest ceiling.
fn slots(run: &Run) -> u32 {
    let used = run.player.timeline().records().iter().filter_map(|record| match record.what {
        What::Task { task, .. } => Some(task.slot + 1),
        _ => None,
    });
    used.max().unwrap_or(0)
}

impl Pictures {
    fn prepare(&mut self, chart: &RunChart, words: &RunWords, sizes: &Sizes, scale: Scale, palette: &Palette) {
        let height = scale.px(sizes.chart);
        for surface in [&mut self.chart, &mut self.solid, &mut self.pale] {
            surface.resize(sizes.width, height, scale);
        }
        for (surface, tone) in [(&self.solid, Tone::Solid), (&self.pale, Tone::Pale)] {
            let area = Backend::new(surface).into_drawing_area();
            let _ = chart.paint(&area, tone, palette, words);
            let _ = area.present();
        }
        self.label = chart.label(&Backend::new(&self.chart), words);
        self.layout = None;
    }

    fn paint_chart(&self, x: i32, scale: Scale, palette: &Palette) {
        self.chart.copy_columns(&self.solid, 0, x);
        self.chart.copy_columns(&self.pale, x, self.chart.size().0 as i32);
        let _ = playhead(&mut Backend::new(&self.chart), x, self.label, scale, palette);
    }

    fn paint_stage(&mut self, frame: &Frame, css_width: f64, scale: Scale, palette: &Palette) {
        let limits = frame.counts.limits;
        let ceiling = limits.ceiling.min(FREE_MAX.max(limits.desired));
        let used = self.slots.max(frame.slots.len() as u32);
        let layout = Layout::on(used, ceiling, &Site { row: true, ..Site::new(css_width, scale) });
        let fresh = self.layout.as_ref() != Some(&layout);
        let words = StageWords { ceiling: limits.ceiling };
        if fresh {
            self.stage.resize(css_width, layout.height, scale);
            self.fleet.reset();
        }
        let changed = self.fleet.update(frame, Marks::default(), &layout);
        let mut backend = Backend::new(&self.stage);
        if fresh {
            let _ = stage::clear(&mut backend, &layout, palette);
            let _ = stage::wall(&mut backend, &layout, palette, &words);
        }
        if !changed.is_empty() {
            let _ = stage::paint(&mut backend, &layout, frame, &changed, Marks::default(), palette, &words);
        }
        drop(backend);
        self.layout = Some(layout);
    }
}

/// The words of a stage that is one row.
struct StageWords {
    ceiling: u32,
}

impl stage::Words for StageWords {
    fn name(&self, name: TaskName) -> String {
        words::task(name)
    }
    fn state(&self, state: TaskState) -> String {
        Language::default().say(Text::State(state))
    }
    fn note(&self, _: &TaskView, _: SimTime) -> String {
        String::new()
    }
    fn ceiling(&self, _: u32) -> String {
        page::ceiling_label(self.ceiling)
    }
}

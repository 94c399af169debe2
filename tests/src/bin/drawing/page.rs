//! What the script of the bench calls.

use plotters::drawing::IntoDrawingArea;
use rollscope_draw::chart::{self, Chart, ChartWords, Tone};
use rollscope_draw::stage::{self, Fleet, Layout};
use rollscope_draw::track::XScale;
use rollscope_draw::{Palette, Scale};
use rollscope_engine::frame::{Counts, LANES, LaneCounts, TaskState, TaskView};
use rollscope_engine::settings::TaskName;
use rollscope_engine::{Frame, SimTime};
use rollscope_player::Player;
use rollscope_tests::base;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

use super::canvas::{Backend, Surface};

const SCALE: Scale = Scale(1.0);

/// Names and states as the page has them, without a language.
struct Words;

impl stage::Words for Words {
    fn name(&self, name: TaskName) -> String {
        format!("{}·{}", name.revision, name.start)
    }
    fn state(&self, _: TaskState) -> String {
        String::from("healthy")
    }
    fn note(&self, _: &TaskView, _: SimTime) -> String {
        String::new()
    }
    fn ceiling(&self, ceiling: u32) -> String {
        format!("ceiling {ceiling}")
    }
}

/// A deployment half at a time behind a target group, with spread, computed to its end.
#[wasm_bindgen]
pub struct Scene {
    player: Player,
    surface: Surface,
    layout: Layout,
    frame: Frame,
    slots: Vec<u32>,
    palette: Palette,
}

#[wasm_bindgen]
impl Scene {
    /// Of so many tasks, on a canvas of this width in CSS pixels; `None` where there is no canvas.
    pub fn new(canvas: HtmlCanvasElement, desired: u32, width: f64) -> Option<Scene> {
        let mut settings = base::settings(desired, 100, 150);
        settings.timing.start_up = base::uniform(10, 40);
        settings.timing.pull = base::uniform(5, 15);
        settings.timing.open_request = base::uniform(5, 60);
        settings.target_groups.push(base::target_group());
        let mut player = Player::new(settings);
        player.advance_to_end();
        // A moment with tasks in all states.
        player.seek(SimTime(last_change(&player).ms() / 2));
        let frame = player.frame().clone();
        let layout = Layout::new(frame.slots.len() as u32, frame.counts.limits.ceiling, width, SCALE);
        // What the page paints when nothing is there yet; far away one slot stands for its square.
        let slots = Fleet::default().update(&frame, None, &layout);
        let surface = Surface::new(canvas)?;
        Some(Scene { player, surface, layout, frame, slots, palette: Palette::light() })
    }

    /// Sizes the canvas for the stage; the number of boxes, or of squares of a hundred.
    pub fn prepare_stage(&mut self) -> usize {
        self.surface.resize(f64::from(self.layout.width), self.layout.height, SCALE);
        self.slots.len()
    }

    /// Paints every box of the stage, `times` times.
    pub fn paint_stage(&self, times: u32) {
        for _ in 0..times {
            let mut backend = Backend::new(&self.surface);
            // A canvas accepts every shape: its error type has no value.
            let _ = stage::paint(&mut backend, &self.layout, &self.frame, &self.slots, None, &self.palette, &Words);
        }
    }

    /// Sizes the canvas for the chart.
    pub fn prepare_chart(&mut self, width: f64, height: i32) {
        self.surface.resize(width, height, SCALE);
    }

    /// From the samples to the picture, `times` times: in one tone, or in both as the page keeps them.
    pub fn paint_chart(&self, times: u32, both: bool) {
        let end = last_change(&self.player);
        let words =
            ChartWords { ceiling: String::from("ceiling"), floor: String::from("floor"), ..ChartWords::default() };
        let tones: &[Tone] = if both { &[Tone::Solid, Tone::Pale] } else { &[Tone::Solid] };
        for _ in 0..times {
            let x = XScale::new(self.surface.css_width, SCALE, end + end.ms() / 15);
            let chart = Chart::new(self.player.timeline().samples(), end, x);
            for tone in tones {
                // The page shows the words at the sides of one tone only.
                let seen = if *tone == Tone::Pale { x.left..x.right + 1 } else { i32::MIN..i32::MAX };
                let area = Backend::between(&self.surface, seen).into_drawing_area();
                let _ = chart::paint(&area, &chart, *tone, SCALE, &self.palette, &words, true);
            }
        }
    }

    /// The series of the chart, one after the other, each as long as the first: moments in seconds,
    /// floor, ceiling, then the upper edges of the bands from below, bands without a task left out.
    pub fn series(&self) -> Vec<f64> {
        let samples = self.player.timeline().samples();
        let mut all: Vec<f64> = samples.iter().map(|(at, _)| at.ms() as f64 / 1_000.0).collect();
        all.extend(samples.iter().map(|(_, counts)| f64::from(counts.limits.floor)));
        all.extend(samples.iter().map(|(_, counts)| f64::from(counts.limits.ceiling)));
        let bands = (0..3 * LANES).map(|band| move |counts: &Counts| of_band(counts, band));
        let mut below = vec![0.0; samples.len()];
        for band in bands {
            let values: Vec<u32> = samples.iter().map(|(_, counts)| band(counts)).collect();
            if values.iter().any(|&count| count > 0) {
                below.iter_mut().zip(values).for_each(|(edge, count)| *edge += f64::from(count));
                all.extend(&below);
            }
        }
        all
    }

    /// Moments in the series.
    pub fn samples(&self) -> usize {
        self.player.timeline().samples().len()
    }
}

/// Tasks of a band, counted from below: healthy, coming up, leaving; in each new, further, old.
fn of_band(counts: &Counts, band: usize) -> u32 {
    let lane: &LaneCounts = &counts.lanes[[1, 2, 0][band % LANES]];
    match band / LANES {
        0 => lane.healthy,
        1 => lane.active() - lane.healthy,
        _ => lane.leaving(),
    }
}

/// The last sample before the run was declared over.
fn last_change(player: &Player) -> SimTime {
    player.timeline().samples().last().map_or(SimTime::ZERO, |(at, _)| *at)
}

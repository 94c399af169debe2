//! The fast path: the player and the canvases, driven by animation frames, without Yew.

use std::rc::Rc;

use rollscope_draw::chart::{self, Chart, ChartWords, Tone};
use rollscope_draw::stage::{self, Fleet, Layout};
use rollscope_draw::strip;
use rollscope_draw::track::{self, Mark, MarkKind, TRACK_HEIGHT, Track, XScale};
use rollscope_draw::{Palette, Rect, Scale, pen};
use rollscope_engine::frame::Counts;
use rollscope_engine::settings::Settings;
use rollscope_engine::trace::{InstanceId, Record, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_player::{PlayState, Player, is_failure};

use crate::canvas::{Backend, Surface};
use crate::say::Say;

/// Events computed between two looks at the clock.
const SLICE_EVENTS: u64 = 500;
/// Wall time of one frame that may go into computing ahead: while it plays, and at rest, where
/// nothing has to move smoothly and the figures are waited for.
const SLICE_MS: (f64, f64) = (7.0, 25.0);
/// Text follows the playhead at most this often.
const TEXT_EVERY_MS: f64 = 100.0;
/// The growing chart of a run that is still computed is drawn again at most this often.
const CHART_EVERY_MS: f64 = 250.0;
/// Height of the chart in CSS pixels: where it is narrow, and the least and most where it is not.
const CHART_NARROW: f64 = 150.0;
const CHART_HEIGHT: (f64, f64) = (150.0, 280.0);
/// Height of what stands around stage and chart.
const AROUND: f64 = 540.0;
/// Height of the proposals that stand above the chart of a rollout that cannot move.
const PROPOSALS: f64 = 170.0;
/// Shown of a run in which nothing ever happens.
const STILL_MS: u64 = 3_600_000;

/// The canvases of the page, once they are there.
pub struct Canvases {
    /// Traffic strip.
    pub strip: Surface,
    /// Boxes.
    pub stage: Surface,
    /// The chart as it is seen.
    pub chart: Surface,
    /// The whole chart as past, and as future: both are copied from.
    pub solid: Surface,
    /// See `solid`.
    pub pale: Surface,
    /// The scrubber.
    pub track: Surface,
}

/// What a frame did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Another frame is wanted.
    pub again: bool,
    /// The text of the page is behind.
    pub text: bool,
}

/// The player and everything that is drawn.
pub struct Runtime {
    /// The run; absent while nothing was accepted.
    pub player: Option<Player>,
    /// The task that is selected.
    pub selected: Option<InstanceId>,
    canvases: Option<Canvases>,
    page: Option<Page>,
    palette: Palette,
    say: Say,
    fleet: Fleet,
    layout: Option<Layout>,
    /// Most slots in use so far: the stage never shrinks under a task.
    slots: u32,
    chart: Option<Chart>,
    track: Option<Track>,
    /// Records in the chart now, and when it was drawn.
    charted: (usize, bool, f64),
    drawn_at: Option<SimTime>,
    stale: bool,
    last_frame: Option<f64>,
    last_text: f64,
}

impl Runtime {
    /// Nothing yet.
    pub fn new(palette: Palette, say: Say) -> Runtime {
        Runtime {
            player: None,
            selected: None,
            canvases: None,
            page: None,
            palette,
            say,
            fleet: Fleet::default(),
            layout: None,
            slots: 0,
            chart: None,
            track: None,
            charted: (usize::MAX, false, 0.0),
            drawn_at: None,
            stale: true,
            last_frame: None,
            last_text: 0.0,
        }
    }

    /// Starts a run anew, with the cursor at `at` once it is computed that far.
    pub fn load(&mut self, settings: Settings, at: SimTime) {
        let speed = self.player.as_ref().map(Player::speed);
        let mut player = Player::new(settings);
        player.advance(SLICE_EVENTS);
        player.seek(at);
        if let Some(speed) = speed {
            player.set_speed(speed);
        }
        self.player = Some(player);
        self.slots = 0;
        self.forget();
    }

    /// The run changed from under the picture (another branch).
    pub fn forget(&mut self) {
        self.charted.0 = usize::MAX;
        self.stale = true;
    }

    /// The canvases are in the page.
    pub fn bind(&mut self, canvases: Canvases) {
        self.canvases = Some(canvases);
        self.forget();
    }

    /// Another theme.
    pub fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
        self.forget();
    }

    /// The colours in force.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The page has another size or pixel ratio.
    pub fn resize(&mut self, css_width: f64, page_height: f64, scale: Scale) {
        let page = Page { width: css_width, height: page_height, scale };
        if self.page != Some(page) {
            self.page = Some(page);
            self.forget();
        }
    }

    /// The slot under a point of the stage, in CSS pixels.
    pub fn slot_at(&self, x: f64, y: f64) -> Option<u32> {
        let layout = self.layout.as_ref()?;
        layout.slot_at(layout.scale.px(x), layout.scale.px(y))
    }

    /// The moment under an x of the scrubber or the chart, in CSS pixels.
    pub fn moment_at(&self, x: f64) -> Option<SimTime> {
        let track = self.track.as_ref()?;
        Some(track.x.at(track.scale.px(x)).min(track.end))
    }

    /// The chart of the whole run laid out for a picture file.
    pub fn chart_for(&self, css_width: f64, scale: Scale) -> Option<Chart> {
        let player = self.player.as_ref()?;
        let (end, axis) = span(player);
        Some(Chart::new(player.timeline().samples(), end, XScale::new(css_width, scale, axis)))
    }

    /// The state at the cursor.
    pub fn frame(&mut self) -> Option<Rc<Frame>> {
        self.player.as_mut().map(|player| Rc::new(player.frame().clone()))
    }

    /// One animation frame. `hidden` pauses.
    pub fn tick(&mut self, now: f64, hidden: bool) -> Done {
        let passed = self.last_frame.map_or(0.0, |last| (now - last).max(0.0));
        let Some(player) = &mut self.player else { return Done::default() };
        let before = player.play_state();
        if hidden && before == PlayState::Playing {
            player.pause();
        }
        let computing = compute(player);
        let moved = player.tick(passed.round() as u64);
        let state = player.play_state();
        let playing = state == PlayState::Playing;
        self.draw(now, computing);
        let text = state != before || !playing || now - self.last_text >= TEXT_EVERY_MS;
        let text = text && (moved || state != before || computing || self.last_frame.is_none());
        if text {
            self.last_text = now;
        }
        let again = (playing || computing) && !hidden;
        self.last_frame = again.then_some(now);
        Done { again, text }
    }

    /// Draws what changed.
    pub fn draw(&mut self, now: f64, computing: bool) {
        let (Some(player), Some(canvases), Some(page)) = (&mut self.player, &mut self.canvases, self.page) else {
            return;
        };
        self.slots = self.slots.max(player.frame().slots.len() as u32);
        let ceiling = player.frame().counts.limits.ceiling;
        let layout = Layout::new(self.slots, ceiling, page.width, page.scale);
        let still = player.complete() && last_change(player) == SimTime::ZERO;
        if page.fit(canvases, f64::from(layout.height) / page.scale.0, still) {
            self.charted.0 = usize::MAX;
            self.stale = true;
        }
        let records = player.timeline().records().len();
        let complete = player.complete();
        let grown = (records, complete) != (self.charted.0, self.charted.1);
        if grown && (self.stale || !computing || now - self.charted.2 >= CHART_EVERY_MS) {
            let (chart, track) = series(player, &canvases.chart);
            paint_chart(canvases, &chart, &self.palette, &self.say);
            self.chart = Some(chart);
            self.track = Some(track);
            self.charted = (records, complete, now);
            self.drawn_at = None;
        }
        let frame = player.frame();
        let at = frame.at;
        if self.stale || self.drawn_at != Some(at) {
            paint_strip(canvases, &frame.counts, &self.palette, &self.say);
            let fresh = self.stale || self.layout.as_ref() != Some(&layout);
            let stage = Stage { layout: &layout, fresh, selected: self.selected };
            stage.paint(canvases, &mut self.fleet, frame, &self.palette, &self.say);
            if let Some(track) = &self.track {
                paint_time(canvases, track, at, &self.palette);
            }
            self.layout = Some(layout);
            self.drawn_at = Some(at);
            self.stale = false;
        }
    }

    /// Something that is drawn changed without the cursor: the selection.
    pub fn touch(&mut self) {
        self.drawn_at = None;
    }

    /// Frames start anew: the time since the last one does not count.
    pub fn wake(&mut self) {
        self.last_frame = None;
    }
}

/// Computes ahead for a few milliseconds; true while something is left.
fn compute(player: &mut Player) -> bool {
    let began = wall();
    let budget = if player.play_state() == PlayState::Playing { SLICE_MS.0 } else { SLICE_MS.1 };
    let mut left = player.advance(SLICE_EVENTS);
    while left && wall() - began < budget {
        left = player.advance(SLICE_EVENTS);
    }
    left
}

fn wall() -> f64 {
    js_sys::Date::now()
}

/// The end of what happens and the end of the axis, a little behind it.
fn span(player: &Player) -> (SimTime, SimTime) {
    let timeline = player.timeline();
    let happens = |record: &&Record| !matches!(record.what, What::Ended(_));
    let last = timeline.records().iter().rev().find(happens).map_or(SimTime::ZERO, |record| record.at);
    let last = if player.complete() { last } else { player.end() };
    if last == SimTime::ZERO {
        return (player.end().min(SimTime(STILL_MS)), SimTime(STILL_MS));
    }
    (last.max(player.now()), last.max(player.now()) + last.ms() / 15)
}

/// The last moment at which anything happens.
pub fn last_change(player: &Player) -> SimTime {
    span(player).0
}

fn series(player: &Player, surface: &Surface) -> (Chart, Track) {
    let (end, axis) = span(player);
    let x = XScale::new(surface.css_width, surface.scale, axis);
    let timeline = player.timeline();
    let marks = timeline.records().iter().filter_map(|record| {
        let kind = match record.what {
            what if is_failure(&what) => MarkKind::Failure,
            What::Act { .. } => MarkKind::Act,
            What::Decision(_) => MarkKind::Decision,
            _ => return None,
        };
        Some(Mark { at: record.at, kind })
    });
    (Chart::new(timeline.samples(), end, x), Track::new(x, surface.scale, end, marks))
}

fn paint_chart(canvases: &Canvases, chart: &Chart, palette: &Palette, say: &Say) {
    use plotters::drawing::IntoDrawingArea;
    let limits = chart.columns.last().map_or_else(Default::default, |column| column.limits);
    let words = ChartWords {
        ceiling: say.ceiling_label(limits.ceiling),
        floor: say.floor_label(limits.floor),
        title: String::new(),
    };
    for (surface, tone) in [(&canvases.solid, Tone::Solid), (&canvases.pale, Tone::Pale)] {
        let area = Backend::new(surface).into_drawing_area();
        // A canvas accepts every shape: its error type has no value.
        let _ = chart::paint(&area, chart, tone, surface.scale, palette, &words, false);
        let _ = area.present();
    }
}

fn paint_strip(canvases: &Canvases, counts: &Counts, palette: &Palette, say: &Say) {
    let surface = &canvases.strip;
    let strip = strip::strip(counts, surface.css_width, surface.scale);
    let label = say.floor_label(counts.limits.floor);
    let _ = strip::paint(&mut Backend::new(surface), &strip, surface.scale, palette, &label);
}

/// The chart in two tones with the playhead, and the scrubber.
fn paint_time(canvases: &Canvases, track: &Track, at: SimTime, palette: &Palette) {
    let head = track.x.x(at);
    let (width, height) = canvases.chart.size();
    canvases.chart.copy_columns(&canvases.solid, 0, head);
    canvases.chart.copy_columns(&canvases.pale, head, track.x.right + 1);
    canvases.chart.copy_columns(&canvases.solid, track.x.right + 1, width as i32);
    let mut backend = Backend::new(&canvases.chart);
    let half = track.scale.px(1.0).max(1);
    let bar = |half: i32| Rect::new(head - half, 0, 2 * half, height as i32);
    let _ = pen::fill(&mut backend, bar(2 * half), palette.surface);
    let _ = pen::fill(&mut backend, bar(half), palette.ink);
    drop(backend);
    let _ = track::paint(&mut Backend::new(&canvases.track), track, at, palette);
}

/// Size of the page as far as pictures depend on it.
#[derive(Clone, Copy, PartialEq)]
struct Page {
    /// Width of the pictures in CSS pixels.
    width: f64,
    /// Height of the window in CSS pixels.
    height: f64,
    scale: Scale,
}

impl Page {
    /// Sizes the canvases but the stage, which is `stage` CSS pixels high. The chart takes what is
    /// left of the window. True when something changed.
    fn fit(self, canvases: &mut Canvases, stage: f64, still: bool) -> bool {
        let left = self.height - AROUND - stage - if still { PROPOSALS } else { 0.0 };
        let chart = if self.width < 520.0 { CHART_NARROW } else { left.clamp(CHART_HEIGHT.0, CHART_HEIGHT.1) };
        let rows = [
            (&mut canvases.strip, strip::STRIP_HEIGHT),
            (&mut canvases.chart, chart),
            (&mut canvases.solid, chart),
            (&mut canvases.pale, chart),
            (&mut canvases.track, TRACK_HEIGHT),
        ];
        let mut changed = false;
        for (surface, height) in rows {
            changed |= surface.resize(self.width, self.scale.px(height), self.scale);
        }
        changed
    }
}

/// How the stage is to be painted.
struct Stage<'a> {
    layout: &'a Layout,
    /// From scratch.
    fresh: bool,
    selected: Option<InstanceId>,
}

impl Stage<'_> {
    fn paint(&self, canvases: &mut Canvases, fleet: &mut Fleet, frame: &Frame, palette: &Palette, say: &Say) {
        let layout = self.layout;
        if self.fresh {
            let css_width = f64::from(layout.width) / layout.scale.0;
            canvases.stage.resize(css_width, layout.height, layout.scale);
            fleet.reset();
        }
        let changed = fleet.update(frame, self.selected, layout);
        let mut backend = Backend::new(&canvases.stage);
        if self.fresh {
            let _ = stage::clear(&mut backend, layout, palette);
            let _ = stage::wall(&mut backend, layout, palette, say);
        }
        if !changed.is_empty() {
            let _ = stage::paint(&mut backend, layout, frame, &changed, self.selected, palette, say);
        }
    }
}

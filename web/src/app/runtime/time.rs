//! The pictures on the time axis: ribbon, chart and rows, and the scrubber below.

use plotters::drawing::IntoDrawingArea;
use rollscope_draw::Palette;
use rollscope_draw::chart::Tone;
use rollscope_draw::guards::Guards;
use rollscope_draw::timeline::{Hit, Over, Room, Run, Timeline, Words};
use rollscope_draw::track::{self, Track};
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{DeploymentChange, Record, What};
use rollscope_engine::{Ending, SimTime};
use rollscope_player::Player;

use super::{Canvases, STILL_MS, last_change};
use crate::canvas::{Backend, Surface};

/// The growing picture of a run that is still computed is drawn again at most this often.
const REDRAW_MS: f64 = 250.0;

/// Shown of a run that is over at its begin.
const OVER_MS: u64 = 10_000;

/// What the pictures were drawn from.
#[derive(Clone, Copy, PartialEq)]
struct Drawn {
    room: Room,
    slots: u32,
    records: usize,
    complete: bool,
    at: f64,
}

/// The run laid out, and what the canvases show of it.
#[derive(Default)]
pub struct Pictures {
    timeline: Option<Timeline>,
    track: Option<Track>,
    drawn: Option<Drawn>,
    /// The whole run stands on the canvas: past, future.
    painted: [bool; 2],
}

impl Pictures {
    /// What is drawn is not to be trusted any more.
    pub fn forget(&mut self) {
        self.drawn = None;
    }

    /// The run as it is laid out.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// The moment under an x of the pictures, in CSS pixels.
    pub fn moment_at(&self, x: f64) -> Option<SimTime> {
        let timeline = self.timeline.as_ref()?;
        Some(timeline.x.at(timeline.layout.scale.px(x)).min(timeline.end))
    }

    /// What is under a point of the upper picture, in CSS pixels.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        let timeline = self.timeline.as_ref()?;
        let scale = timeline.layout.scale;
        Some(timeline.hit(scale.px(x), scale.px(y)))
    }

    /// Lays the run out, where it grew or was forgotten; what is seen of it is painted when it is
    /// shown. True when the pictures are new.
    pub fn refresh(&mut self, at: At<'_>, canvases: &mut Canvases) -> bool {
        let player = at.player;
        let records = player.timeline().records().len();
        let now = Drawn { room: at.room, slots: at.slots, records, complete: player.complete(), at: at.wall };
        if let Some(drawn) = self.drawn.filter(|drawn| (drawn.room, drawn.slots) == (now.room, now.slots)) {
            let grown = (now.records, now.complete) != (drawn.records, drawn.complete);
            if !grown || (at.computing && now.at - drawn.at < REDRAW_MS) {
                return false;
            }
        }
        let timeline = lay_out(player, at.slots, &at.room);
        let (width, height, track) = (at.room.css_width, timeline.layout.height, timeline.layout.track);
        for surface in [&mut canvases.chart, &mut canvases.solid, &mut canvases.pale] {
            surface.resize(width, height, at.room.scale);
        }
        canvases.track.resize(width, track, at.room.scale);
        self.painted = [false; 2];
        self.track = Some(timeline.track(track::marks(player.timeline().records())));
        self.timeline = Some(timeline);
        self.drawn = Some(now);
        true
    }

    /// Puts the picture together for a moment: what is past solid, what is to come pale. A dial that
    /// is turned before the run starts to play so paints one tone at each of its steps.
    pub fn show(&mut self, canvases: &Canvases, over: &Over, words: &impl Words, palette: &Palette) {
        let (Some(timeline), Some(track)) = (&self.timeline, &self.track) else { return };
        let (head, left, right) = (timeline.x.x(over.at), timeline.x.left, timeline.x.right + 1);
        let width = canvases.chart.size().0 as i32;
        if head > left && !self.painted[0] {
            paint(Backend::new(&canvases.solid), timeline, Tone::Solid, words, palette);
            self.painted[0] = true;
        }
        // Both tones have the same words at the sides.
        let sides = if self.painted[0] { &canvases.solid } else { &canvases.pale };
        if head < right && !self.painted[1] {
            let seen = if self.painted[0] { left..right } else { 0..width };
            paint(Backend::between(&canvases.pale, seen), timeline, Tone::Pale, words, palette);
            self.painted[1] = true;
        }
        copy(&canvases.chart, sides, 0, left);
        copy(&canvases.chart, &canvases.solid, left, head);
        copy(&canvases.chart, &canvases.pale, head, right);
        copy(&canvases.chart, sides, right, width);
        let _ = timeline.paint_over(&mut Backend::new(&canvases.chart), over, palette);
        let _ = track::paint(&mut Backend::new(&canvases.track), track, over.at, palette);
    }
}

/// When and where a run is drawn.
pub struct At<'a> {
    /// The run.
    pub player: &'a Player,
    /// The room there is.
    pub room: Room,
    /// Slots of the stage.
    pub slots: u32,
    /// Wall time in milliseconds.
    pub wall: f64,
    /// The run still grows.
    pub computing: bool,
}

fn paint(backend: Backend<'_>, timeline: &Timeline, tone: Tone, words: &impl Words, palette: &Palette) {
    let area = backend.into_drawing_area();
    // A canvas accepts every shape: its error type has no value.
    let _ = timeline.paint(&area, tone, palette, words);
    let _ = area.present();
}

fn copy(to: &Surface, from: &Surface, left: i32, right: i32) {
    to.copy_columns(from, left, right);
}

/// The run ended because nothing can change any more, and not because it is done.
fn moves_never(records: &[Record]) -> bool {
    let done = |record: &Record| {
        matches!(record.what, What::Deployment { change: DeploymentChange::State(RolloutState::Completed), .. })
    };
    let stuck = |record: &Record| matches!(record.what, What::Ended(Ending::Quiet));
    !records.iter().any(done) && records.last().is_some_and(stuck)
}

/// The run of a player laid out.
pub fn lay_out(player: &Player, slots: u32, room: &Room) -> Timeline {
    let timeline = player.timeline();
    let end = last_change(player);
    let settings = player.state().settings();
    let revisions: Vec<u32> = settings.revisions.iter().map(|revision| revision.number).collect();
    let still = end == SimTime::ZERO || player.complete() && timeline.events().last() == Some(&SimTime::ZERO);
    // What stays as it is for ever has an hour; what is over at once, or cut off there, a moment.
    let axis = SimTime(if moves_never(timeline.records()) { STILL_MS } else { OVER_MS });
    let idle: Vec<(SimTime, SimTime)> = match player.complete() {
        true => timeline.folds().iter().map(|fold| (fold.from, fold.to.min(end))).filter(|(a, b)| a < b).collect(),
        false => Vec::new(),
    };
    let run = Run {
        records: timeline.records(),
        samples: timeline.samples(),
        flows: timeline.flows(),
        revisions: &revisions,
        before: settings.start.deployments.last().map(|deployment| deployment.state),
        slots,
        end: if still { player.end().min(axis) } else { end },
        cut: matches!(timeline.records().last(), Some(Record { what: What::Ended(Ending::Until), .. })),
        axis_end: still.then_some(axis),
        idle: &idle,
        guards: Guards::of(settings),
    };
    Timeline::new(&run, room)
}

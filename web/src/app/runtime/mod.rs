//! The fast path: the player and the canvases, driven by animation frames, without Yew.

mod fade;
pub mod hosts;
mod room;
mod stage;
mod time;

use std::rc::Rc;

use rollscope_draw::Palette;
use rollscope_draw::hosts::Hit as HostHit;
use rollscope_draw::stage::{Grouping, Layout};
use rollscope_draw::timeline::{ChartOf, Hit, Over, Room, Timeline};
use rollscope_engine::frame::TaskView;
use rollscope_engine::settings::{Command, Settings, TaskName};
use rollscope_engine::trace::{InstanceId, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::Demand;
use rollscope_player::{PlayState, Player, Speed, StepUnit};

use super::model::{Hover, Msg, Way};
use crate::canvas::Surface;
use crate::names::Names;
use crate::say::{Say, TimeWords};
use crate::text::Label;
use hosts::Racks;
pub use room::{Middle, Page};
use stage::{Boxes, View};
use time::{At, Pictures};

/// Events computed between two looks at the clock.
const SLICE_EVENTS: u64 = 500;
/// Wall time of one frame that may go into computing ahead: while it plays, and at rest, where
/// nothing has to move smoothly and the figures are waited for.
const SLICE_MS: (f64, f64) = (7.0, 25.0);
/// Text follows the playhead at most this often.
const TEXT_EVERY_MS: f64 = 100.0;
/// From so many slots on the text waits for the next frame when a frame has taken longer than this
/// many milliseconds for the pictures: they are what a hand on a dial looks at.
const WORDS_WAIT: (u32, f64) = (200, 8.0);
/// Wall time without a frame, in milliseconds, after which nobody has seen what moves. A busy machine needs less.
const AWAY_MS: f64 = 1_000.0;
/// Shown of a run in which nothing ever happens.
const STILL_MS: u64 = 3_600_000;

/// The canvases of the page, once they are there.
pub struct Canvases {
    /// Traffic strip.
    pub strip: Surface,
    /// Boxes.
    pub stage: Surface,
    /// The picture of both before the last change, while it fades.
    pub fade: Surface,
    /// Ribbon, chart and rows as they are seen.
    pub chart: Surface,
    /// The same as past, and as future: both are copied from.
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
    /// What the pointer is on, where the page does not know yet.
    pub hover: Option<Hover>,
}

/// What is in view; what is not is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    stage: bool,
    time: bool,
}

/// The player and everything that is drawn.
pub struct Runtime {
    /// The run; absent while nothing was accepted.
    pub player: Option<Player>,
    /// Where a presenter wants to talk: playing pauses there.
    pub stop_at: Option<SimTime>,
    canvases: Option<Canvases>,
    /// The lens, while it is in the page.
    lens: Option<Surface>,
    page: Option<Page>,
    palette: Palette,
    say: Say,
    names: Names,
    boxes: Boxes,
    /// The order of the stage, where one was chosen.
    grouping: Option<Grouping>,
    chart: ChartOf,
    /// The selected instance by its number.
    host: Option<u32>,
    pictures: Pictures,
    drawn_at: Option<SimTime>,
    stale: bool,
    selected: Option<InstanceId>,
    hovered: Option<InstanceId>,
    hover: Hover,
    /// What the page was told of the hover.
    told: Hover,
    seen: Seen,
    /// The visitor wants no motion: play goes from step to step.
    still: bool,
    speed: Speed,
    last_frame: Option<f64>,
    last_text: f64,
    /// The text is behind and has the next frame for itself.
    owed: bool,
}

impl Runtime {
    /// Nothing yet.
    pub fn new(palette: Palette, say: Say) -> Runtime {
        Runtime {
            player: None,
            stop_at: None,
            canvases: None,
            lens: None,
            page: None,
            palette,
            say,
            names: Names::default(),
            boxes: Boxes::default(),
            grouping: None,
            chart: ChartOf::default(),
            host: None,
            pictures: Pictures::default(),
            drawn_at: None,
            stale: true,
            selected: None,
            hovered: None,
            hover: Hover::None,
            told: Hover::None,
            seen: Seen { stage: true, time: true },
            still: false,
            speed: Speed::default(),
            last_frame: None,
            last_text: 0.0,
            owed: false,
        }
    }

    /// Starts a run anew, with the cursor at `at` once it is computed that far.
    pub fn load(&mut self, settings: Settings, at: SimTime) {
        let mut player = Player::new(settings);
        player.advance(SLICE_EVENTS);
        player.seek(at);
        self.player = Some(player);
        self.set_speed(self.speed);
        self.forget();
    }

    /// Puts a run in the place of the present one, which is given back.
    pub fn put(&mut self, player: Player) -> Option<Player> {
        let old = self.player.replace(player);
        self.set_speed(self.speed);
        self.forget();
        old
    }

    /// How fast it plays. Without motion it goes from decision to decision, a second each.
    pub fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        let speed = if self.still { Speed::Decisions } else { speed };
        if let Some(player) = &mut self.player {
            player.set_speed(speed);
        }
    }

    /// The visitor wants no motion, or does again.
    pub fn set_still(&mut self, still: bool) {
        self.still = still;
        self.set_speed(self.speed);
    }

    /// The run changed from under the picture (another branch).
    pub fn forget(&mut self) {
        self.names = Names::default();
        self.boxes.forget();
        self.pictures.forget();
        self.stale = true;
    }

    /// The canvases are in the page.
    pub fn bind(&mut self, canvases: Canvases) {
        self.canvases = Some(canvases);
        self.forget();
    }

    /// The canvas of the lens came into the page or went.
    pub fn bind_lens(&mut self, lens: Option<Surface>) {
        self.lens = lens;
        self.drawn_at = None;
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
    pub fn resize(&mut self, page: Page) {
        if self.page != Some(page) {
            self.page = Some(page);
            self.forget();
        }
    }

    /// A picture came into view or went out of it.
    pub fn see(&mut self, stage: Option<bool>, time: Option<bool>) {
        self.seen = Seen { stage: stage.unwrap_or(self.seen.stage), time: time.unwrap_or(self.seen.time) };
        self.drawn_at = None;
    }

    /// Any of the pictures is in view.
    pub fn is_seen(&self) -> bool {
        self.seen.stage || self.seen.time
    }

    /// It moves, and the last frame is so long ago that the browser must have held frames back, as it does for
    /// a frame of another site that is out of view.
    pub fn was_away(&self, now: f64) -> bool {
        self.last_frame.is_some_and(|last| now - last > AWAY_MS)
    }

    /// What is selected (a task, or an instance by its number), what the pointer is on, how the stage is ordered
    /// and what the chart shows, by the page.
    pub fn look(
        &mut self,
        selected: Option<TaskName>,
        host: Option<u32>,
        hover: Hover,
        (grouping, chart): (Option<Grouping>, ChartOf),
    ) {
        (self.grouping, self.chart) = (grouping, chart);
        self.host = host;
        self.selected = selected.and_then(|name| self.task(name));
        self.told = hover;
        self.point(hover);
        self.drawn_at = None;
    }

    /// The pointer is on something; the page is told with the next frames.
    pub fn point(&mut self, hover: Hover) {
        if self.hover != hover {
            self.drawn_at = None;
        }
        self.hover = hover;
        self.hovered = match hover {
            Hover::Task(name) => self.task(name),
            _ => None,
        };
    }

    /// The task of a name, wherever it is in its life.
    fn task(&self, name: TaskName) -> Option<InstanceId> {
        let records = self.player.as_ref()?.timeline().records();
        records.iter().find_map(|record| match record.what {
            What::Task { task, .. } if task.name == name => Some(task.id),
            _ => None,
        })
    }

    /// The name of a task.
    fn name(&self, id: InstanceId) -> Option<TaskName> {
        let records = self.player.as_ref()?.timeline().records();
        records.iter().find_map(|record| match record.what {
            What::Task { task, .. } if task.id == id => Some(task.name),
            _ => None,
        })
    }

    /// The slot under a point of the stage, in CSS pixels.
    pub fn slot_at(&self, x: f64, y: f64) -> Option<u32> {
        let layout = self.boxes.layout()?;
        layout.slot_at(layout.scale.px(x), layout.scale.px(y))
    }

    /// The badges of a task: protected from scale-in, started where automatic rollback does not protect.
    pub fn badges(&self, task: &TaskView) -> [bool; 2] {
        [task.protected_until.is_some(), self.boxes.is_unprotected(task.id)]
    }

    /// At a moment every task from this one on started where automatic rollback does not protect.
    pub fn unprotected_from(&self, at: SimTime) -> Option<InstanceId> {
        self.boxes.unprotected_from(at)
    }

    /// The frames of the instances, as they are on the canvas; without a layout by slot.
    pub fn racks(&self) -> &Racks {
        self.boxes.racks()
    }

    /// Where the boxes stand by slot; `None` by instance.
    pub fn layout(&self) -> Option<&Layout> {
        self.boxes.layout()
    }

    /// Right and upper edge and height of the task that finds no slot, in CSS pixels, where it is drawn.
    pub fn ghost(&self) -> Option<(f64, f64, f64)> {
        let layout = self.boxes.layout()?;
        let (rect, css) = (layout.ghost()?, |device: i32| f64::from(device) / layout.scale.0);
        Some((css(rect.right()), css(rect.y), css(rect.h)))
    }

    /// The box of what the pointer is on, in CSS pixels: x, y, width, height.
    pub fn place_of(&mut self, hover: Hover) -> Option<(f64, f64, f64, f64)> {
        let frame = self.player.as_mut()?.frame();
        let racks = self.boxes.racks();
        let slot = match hover {
            Hover::Task(name) => frame.slots.iter().flatten().find(|task| task.name == name)?.slot,
            Hover::Slots(first) => first,
            Hover::Host(_) => 0,
            Hover::Moment(_) | Hover::None => return None,
        };
        let (rect, scale) = match (hover, racks.layout(), self.boxes.layout()) {
            (Hover::Host(number), Some(frames), _) => (frames.frame(number.checked_sub(1)?), frames.scale),
            (_, Some(frames), _) => (racks.rect(slot)?, frames.scale),
            (_, None, layout) => (layout?.rect(slot), layout?.scale),
        };
        let css = |device: i32| f64::from(device) / scale.0;
        Some((css(rect.x), css(rect.y), css(rect.w), css(rect.h)))
    }

    /// What is under a point of the stage.
    pub fn over_stage(&mut self, x: f64, y: f64) -> Hover {
        let on_host = self.boxes.racks().hit(x, y);
        if let Some(HostHit::Host(host)) = on_host {
            return Hover::Host(host + 1);
        }
        let slot = match on_host {
            Some(HostHit::Slot(slot)) => Some(slot),
            Some(HostHit::Add(_)) => return Hover::None,
            _ => self.slot_at(x, y),
        };
        let Some(slot) = slot else { return Hover::None };
        if self.boxes.is_far() {
            return Hover::Slots(slot);
        }
        let player = self.player.as_mut();
        let task = player.and_then(|player| player.frame().slots.get(slot as usize).copied().flatten());
        task.map_or(Hover::None, |task| Hover::Task(task.name))
    }

    /// What a click at a point of the stage, in CSS pixels, chooses.
    pub fn chosen_at(&self, x: f64, y: f64) -> Msg {
        match self.boxes.racks().hit(x, y) {
            Some(HostHit::Host(host)) => Msg::Host(Some(host + 1)),
            Some(HostHit::Slot(slot)) => Msg::Slot(Some(slot)),
            Some(HostHit::Add(like)) => Msg::Act(Command::AddInstances { like: like + 1, count: 1 }),
            None => Msg::Slot(self.slot_at(x, y)),
        }
    }

    /// What is under a point of ribbon, chart and rows.
    pub fn over_time(&self, x: f64, y: f64) -> Hover {
        match self.pictures.hit(x, y) {
            Some(Hit { task: Some(id), .. }) => self.name(id).map_or(Hover::None, Hover::Task),
            Some(hit) => Hover::Moment(hit.at),
            None => Hover::None,
        }
    }

    /// The task of a row under a point, if there is one.
    pub fn row_at(&self, x: f64, y: f64) -> Option<TaskName> {
        self.pictures.hit(x, y)?.task.and_then(|id| self.name(id))
    }

    /// The moment under an x of the scrubber or the chart, in CSS pixels.
    pub fn moment_at(&self, x: f64) -> Option<SimTime> {
        self.pictures.moment_at(x)
    }

    /// The moment beside one that is read on the chart: the next (true) or previous change.
    pub fn beside(&self, at: SimTime, on: bool) -> Option<SimTime> {
        let player = self.player.as_ref()?;
        let timeline = player.timeline();
        if on { StepUnit::Change.after(timeline, at, player.end()) } else { StepUnit::Change.before(timeline, at) }
    }

    /// The run laid out.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.pictures.timeline()
    }

    /// The task beside the one that the keys of the stage are on.
    pub fn beside_slot(&mut self, selected: Option<TaskName>, hover: Hover, way: Way) -> Option<TaskName> {
        let layout = self.boxes.layout()?;
        let frame = self.player.as_mut()?.frame();
        let on = match hover {
            Hover::Task(name) => Some(name),
            _ => selected,
        };
        let tasks = || frame.slots.iter().flatten();
        let Some(from) = tasks().find(|task| Some(task.name) == on).map(|task| task.slot) else {
            return tasks().next().map(|task| task.name);
        };
        let mut slot = from;
        // Places that were never used are skipped.
        while let Some(next) = layout.neighbour(slot, way) {
            if let Some(task) = frame.slots.get(next as usize).copied().flatten() {
                return Some(task.name);
            }
            slot = next;
        }
        None
    }

    /// The state at the cursor.
    pub fn frame(&mut self) -> Option<Rc<Frame>> {
        self.player.as_mut().map(|player| Rc::new(player.frame().clone()))
    }

    /// One animation frame. `hidden` pauses.
    pub fn tick(&mut self, now: f64, hidden: bool) -> Done {
        let (began, owed) = (wall(), std::mem::take(&mut self.owed));
        let passed = self.last_frame.map_or(0.0, |last| (now - last).max(0.0));
        let Some(player) = &mut self.player else { return Done::default() };
        let before = player.play_state();
        if hidden && before == PlayState::Playing {
            player.pause();
        }
        let unknown = !player.complete();
        let computing = if owed { player.advance(0) } else { compute(player) };
        let moved = player.tick(passed.round() as u64);
        // A presenter talks at each step of the story.
        if let Some(stop) = self.stop_at.filter(|stop| player.now() >= *stop) {
            player.seek(stop);
            player.pause();
            self.stop_at = None;
        }
        let state = player.play_state();
        let playing = state == PlayState::Playing;
        if !hidden {
            self.draw(now, computing);
        }
        let due = now - self.last_text >= TEXT_EVERY_MS;
        // A run that is still computed changes what is told with each frame.
        let text = state != before || due || !(playing || computing);
        // Also once more when the end has just become known.
        let text = owed || text && (moved || state != before || computing || unknown || self.last_frame.is_none());
        self.owed = text && !owed && self.boxes.slots() > WORDS_WAIT.0 && wall() - began > WORDS_WAIT.1;
        let text = text && !self.owed;
        let hover = (self.hover != self.told && (due || text)).then_some(self.hover);
        if text || hover.is_some() {
            self.last_text = now;
        }
        let again = (playing || computing || self.owed || (self.hover != self.told && hover.is_none())) && !hidden;
        self.last_frame = (again && (playing || computing)).then_some(now);
        Done { again, text, hover }
    }

    /// Draws what changed.
    pub fn draw(&mut self, now: f64, computing: bool) {
        let (Some(player), Some(canvases), Some(page)) = (&mut self.player, &mut self.canvases, self.page) else {
            return;
        };
        self.names.follow(player);
        self.boxes.follow(player.timeline(), player.complete());
        let layout = self.boxes.lay_out(player.frame(), &page, self.grouping);
        let room = Room { chart: self.chart, ..page.timeline(layout.height()) };
        let at = At { player, room, slots: self.boxes.slots(), wall: now, computing };
        if self.pictures.refresh(at, canvases) {
            self.drawn_at = None;
        }
        let still = still_task(player);
        let balanced = !player.head().settings().target_groups.is_empty();
        let shifts = player.head().settings().strategy.shift().is_some();
        let demand = Demand::of(player.state());
        let frame = player.frame();
        let at = frame.at;
        if !self.stale && self.drawn_at == Some(at) {
            return;
        }
        let hovered = match self.hover {
            Hover::Task(name) => frame.slots.iter().flatten().find(|task| task.name == name).map(|task| task.slot),
            Hover::Slots(first) => Some(first),
            Hover::Host(_) | Hover::Moment(_) | Hover::None => None,
        };
        let hovered_host = match self.hover {
            Hover::Host(number) => Some(number),
            _ => None,
        };
        let (width, selected, stale, host) = (page.width, self.selected, self.stale, self.host);
        let view = View { width, selected, hovered, wall: now, stale, balanced, host, hovered_host, demand };
        if self.seen.stage || self.stale {
            self.boxes.paint(canvases, frame, layout, &view, &self.palette, (self.say, &self.names));
        }
        if let (Hover::Slots(first), Some(surface)) = (self.hover, &mut self.lens) {
            self.boxes.lens(surface, frame, first, &view, &self.palette);
        }
        if self.seen.time || self.stale {
            let hover = match self.hover {
                Hover::Moment(at) => Some(at),
                _ => None,
            };
            let over = Over { at, hover, selected: self.selected, hovered: self.hovered };
            let counted = match (frame.has_pods(), &frame.asg) {
                (true, _) => Label::PodsAxis,
                (_, Some(_)) => Label::InstancesAxis,
                _ if frame.vm.is_some() => Label::MachinesAxis,
                _ => Label::TasksAxis,
            };
            let words = TimeWords { say: self.say, names: &self.names, still, counted, shifts };
            self.pictures.show(canvases, &over, &words, &self.palette);
        }
        self.drawn_at = Some(at);
        self.stale = false;
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

/// The only task of a run in which nothing ever happens.
fn still_task(player: &Player) -> Option<TaskName> {
    let still = player.complete() && player.timeline().events().last() == Some(&SimTime::ZERO);
    let mut tasks = player.timeline().records().iter().filter_map(|record| match record.what {
        What::Task { task, .. } => Some(task.name),
        _ => None,
    });
    let first = tasks.next().filter(|_| still)?;
    tasks.all(|name| name == first).then_some(first)
}

/// The end of what is shown, as far as it is known: the last moment there is something to see. Of a
/// run in which nothing ever happens a while is shown.
pub fn last_change(player: &Player) -> SimTime {
    match player.last_moment() {
        SimTime::ZERO => player.end().min(SimTime(STILL_MS)),
        last => last.max(player.now()),
    }
}

//! The traffic strip and the boxes.

use std::rc::Rc;

use rollscope_draw::guards::Unprotected;
use rollscope_draw::hosts::Layout as Frames;
use rollscope_draw::stage::{self, Fleet, Ghost, Grouping, Layout, Lens, Level, Marks, Order, Sides, Site};
use rollscope_draw::{Palette, strip, weights};
use rollscope_engine::frame::Counts;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{InstanceId, Reason, Record, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::{Demand, host_room};
use rollscope_player::Timeline;

use super::fade::Fade;
use super::hosts::{self, Racks};
use super::{Canvases, Page};
use crate::canvas::{Backend, Surface};
use crate::names::Names;
use crate::say::{Say, StageWords};
use crate::text::{self, Label, t};

/// Most slots that are shown free; a service has at most 5,000 tasks, and twice that is the usual ceiling.
const FREE_MAX: u32 = 20_000;

/// Slots up to the wall.
fn shown(counts: &Counts) -> u32 {
    let limits = counts.limits;
    limits.ceiling.min(FREE_MAX.max(limits.desired))
}

/// How many slots a run has used by when, and the most it ever has.
#[derive(Default)]
struct Used {
    /// Records and samples that were looked at.
    read: (usize, usize),
    /// Moments from which on more slots are in use than ever before, ascending.
    steps: Vec<(SimTime, u32)>,
    /// The highest ceiling.
    ceiling: u32,
}

impl Used {
    /// Reads on where the run has grown.
    fn follow(&mut self, records: &[Record], samples: &[(SimTime, Counts)]) {
        for record in records.get(self.read.0..).unwrap_or_default() {
            let What::Task { task, .. } = record.what else { continue };
            if task.slot >= self.most() {
                self.steps.push((record.at, task.slot + 1));
            }
        }
        for (_, counts) in samples.get(self.read.1..).unwrap_or_default() {
            self.ceiling = self.ceiling.max(shown(counts));
        }
        self.read = (records.len(), samples.len());
    }

    fn most(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.1)
    }

    /// Slots in use up to a moment: the stage never shrinks under a task.
    fn by(&self, at: SimTime) -> u32 {
        let until = self.steps.partition_point(|step| step.0 <= at);
        until.checked_sub(1).map_or(0, |index| self.steps[index].1)
    }
}

/// The rollout cannot move.
fn stuck(frame: &Frame) -> bool {
    matches!(frame.hold, Some(Reason::CannotMove { .. }))
}

/// What the stage is drawn for, beside the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width in CSS pixels.
    pub width: f64,
    /// The selected task.
    pub selected: Option<InstanceId>,
    /// The slot under the pointer or the keys.
    pub hovered: Option<u32>,
    /// Wall time in milliseconds.
    pub wall: f64,
    /// Nothing that is on the canvas is to be trusted.
    pub stale: bool,
    /// Requests come through a target group.
    pub balanced: bool,
    /// The selected instance by its number.
    pub host: Option<u32>,
    /// The instance under the pointer or the keys by its number.
    pub hovered_host: Option<u32>,
    /// What one more task asks of the instances, where there are some.
    pub demand: Option<Demand>,
}

/// Where the boxes stand: by slot, or in the frames of their instances.
#[derive(Clone)]
pub enum Stand {
    /// By slot.
    Slots(Layout),
    /// By instance.
    Hosts(Rc<Frames>),
}

impl Stand {
    /// Height of strip and stage in CSS pixels.
    pub fn height(&self) -> f64 {
        match self {
            Stand::Slots(layout) => strip::height(layout) + f64::from(layout.height) / layout.scale.0,
            Stand::Hosts(frames) => strip::STRIP_HEIGHT + f64::from(frames.height) / frames.scale.0,
        }
    }
}

/// The stage as it is on the canvas.
#[derive(Default)]
pub struct Boxes {
    fleet: Fleet,
    layout: Option<Layout>,
    racks: Racks,
    order: Option<Rc<Order>>,
    sides: Option<Rc<Sides>>,
    fade: Fade,
    /// The task that finds no slot is drawn, or its place is free.
    ghost: Option<bool>,
    used: Used,
    /// Who started where automatic rollback does not protect.
    unprotected: Unprotected,
    /// Nothing happens after the begin of the run.
    still: bool,
}

impl Boxes {
    /// Another run, or another branch: it may have fewer slots.
    pub fn forget(&mut self) {
        self.used = Used::default();
        self.unprotected = Unprotected::default();
        self.racks.forget();
    }

    /// Takes note of what the run has grown by.
    pub fn follow(&mut self, run: &Timeline, complete: bool) {
        self.still = complete && run.events().last() == Some(&SimTime::ZERO);
        self.used.follow(run.records(), run.samples());
        self.unprotected.follow(run.records());
        self.racks.follow(run.records());
    }

    /// The most slots that the run ever shows.
    pub fn slots(&self) -> u32 {
        self.used.most().max(self.used.ceiling)
    }

    /// Where the boxes stand at a moment.
    pub fn lay_out(&mut self, frame: &Frame, page: &Page, chosen: Option<Grouping>) -> Stand {
        let (used, ceiling) = (self.used.by(frame.at).max(frame.slots.len() as u32), shown(&frame.counts));
        let slots = used.max(ceiling);
        let grouping = hosts::order(frame, chosen);
        if hosts::wanted(frame, grouping) {
            let height = page.stage(slots, self.still, false);
            return Stand::Hosts(self.racks.lay_out(frame, page, height, grouping == Grouping::Zone));
        }
        self.order = Order::of(frame, slots, grouping, self.order.as_ref());
        self.sides = Sides::of(frame, self.sides.as_ref()).filter(|_| grouping == Grouping::Slot);
        let site = Site {
            css_height: page.stage(slots, self.still, self.sides.is_some()),
            wires: true,
            // Cards do not move once they stand: only for what holds from the begin.
            ghost: self.still && stuck(frame),
            order: self.order.clone(),
            ..Site::new(page.width, page.scale)
        };
        Stand::Slots(match &self.sides {
            Some(sides) => Layout::beside(sides, &site),
            None => Layout::on(used, ceiling, &site),
        })
    }

    /// Where the boxes stand by slot; `None` by instance.
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// The frames of the instances; empty by slot.
    pub fn racks(&self) -> &Racks {
        &self.racks
    }

    /// Paints what changed, or everything where it is stale.
    pub fn paint(
        &mut self,
        canvases: &mut Canvases,
        frame: &Frame,
        stand: Stand,
        view: &View,
        palette: &Palette,
        (say, names): (Say, &Names),
    ) {
        match stand {
            Stand::Slots(layout) => self.paint_slots(canvases, frame, layout, view, palette, (say, names)),
            Stand::Hosts(frames) => self.paint_hosts(canvases, frame, frames, view, palette, (say, names)),
        }
    }

    #[inline(never)]
    fn paint_hosts(
        &mut self,
        canvases: &mut Canvases,
        frame: &Frame,
        frames: Rc<Frames>,
        view: &View,
        palette: &Palette,
        (say, names): (Say, &Names),
    ) {
        let fresh = view.stale || self.racks.is_new(&frames);
        let scale = frames.scale;
        if fresh {
            canvases.strip.resize(view.width, scale.px(strip::STRIP_HEIGHT), scale);
            canvases.stage.resize(view.width, frames.height, scale);
            self.fade.forget(&canvases.fade);
        }
        if frames.detail.has_tasks() {
            self.fade.before(&mut canvases.fade, [&canvases.strip, &canvases.stage], frame, view.wall);
        }
        let (left, right) = frames.edges();
        let floor = say.floor_label(frame.counts.limits.floor);
        let above = strip::along(&frame.counts, left, right, scale);
        let _ = strip::paint(&mut Backend::new(&canvases.strip), &above, scale, palette, &floor);
        let unprotected_from = self.unprotected.from(frame.at);
        let tasks = Marks { selected: view.selected, hovered: view.hovered, unprotected_from };
        let marks = Racks::marks(tasks, view.host, view.hovered_host);
        let words = StageWords::new(say, names, frame, view.balanced);
        let tray = view.demand.map_or_else(Vec::new, |demand| text::host_room(&host_room(&demand, frame)));
        self.racks.paint(&canvases.stage, frame, frames, (marks, fresh), palette, (&words, &tray));
        self.layout = None;
    }

    fn paint_slots(
        &mut self,
        canvases: &mut Canvases,
        frame: &Frame,
        layout: Layout,
        view: &View,
        palette: &Palette,
        (say, names): (Say, &Names),
    ) {
        self.racks.hide();
        let fresh = view.stale || self.layout.as_ref() != Some(&layout);
        if fresh {
            let scale = layout.scale;
            canvases.strip.resize(view.width, scale.px(strip::height(&layout)), scale);
            canvases.stage.resize(view.width, layout.height, scale);
            self.fleet.reset();
            self.fade.forget(&canvases.fade);
        }
        if layout.level.has_words() {
            self.fade.before(&mut canvases.fade, [&canvases.strip, &canvases.stage], frame, view.wall);
        }
        let words = StageWords::new(say, names, frame, view.balanced);
        above(&mut Backend::new(&canvases.strip), frame, &layout, palette, say);
        let unprotected_from = self.unprotected.from(frame.at);
        let marks = Marks { selected: view.selected, hovered: view.hovered, unprotected_from };
        let changed = self.fleet.update(frame, marks, &layout);
        let mut backend = Backend::new(&canvases.stage);
        if fresh {
            let _ = stage::clear(&mut backend, &layout, palette);
            let _ = stage::wall(&mut backend, &layout, palette, &words);
            self.ghost = None;
        }
        let stuck = stuck(frame);
        if self.ghost != Some(stuck) {
            ghost(&mut backend, &layout, frame, stuck, palette);
            self.ghost = Some(stuck);
        }
        if !changed.is_empty() {
            let _ = stage::paint(&mut backend, &layout, frame, &changed, marks, palette, &words);
        }
        self.layout = Some(layout);
    }

    /// Draws the hundred slots of a square; false where the stage is not that far away.
    #[inline(never)]
    pub fn lens(&self, surface: &mut Surface, frame: &Frame, slot: u32, view: &View, palette: &Palette) -> bool {
        let Some(lens) = self.layout.as_ref().and_then(|layout| Lens::new(layout, slot)) else { return false };
        let css_width = f64::from(lens.width) / lens.scale.0;
        surface.resize(css_width, lens.height, lens.scale);
        let ends = [lens.slots.first(), lens.slots.last()].map(|slot| slot.map_or(0, |slot| slot + 1));
        let caption = text::slots(ends[0], ends[1]);
        let unprotected_from = self.unprotected.from(frame.at);
        let marks = Marks { selected: view.selected, hovered: None, unprotected_from };
        let _ = stage::lens(&mut Backend::new(surface), &lens, frame, marks, palette, &caption);
        true
    }

    /// At a moment every task from this one on started where automatic rollback does not protect.
    pub fn unprotected_from(&self, at: SimTime) -> Option<InstanceId> {
        self.unprotected.from(at)
    }

    /// A task started where automatic rollback does not protect.
    pub fn is_unprotected(&self, task: InstanceId) -> bool {
        self.unprotected.has(task)
    }

    /// The stage shows squares of a hundred slots.
    pub fn is_far(&self) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.level == Level::Far)
    }
}

/// The traffic strip, or those of two walls.
fn above(backend: &mut Backend<'_>, frame: &Frame, layout: &Layout, palette: &Palette, say: Say) {
    // A canvas accepts every shape: its error type has no value.
    let _ = match weights::weights(frame, layout) {
        Some(strips) => {
            let words = strips.each_ref().map(|strip| say.weight(frame, strip));
            weights::paint(backend, &strips, layout.scale, palette, &words)
        }
        None => {
            let floor = say.floor_label(frame.counts.limits.floor);
            strip::paint(backend, &strip::above(frame, layout), layout.scale, palette, &floor)
        }
    };
}

/// The task that finds no slot in a rollout that cannot move, or the free place beyond the wall.
fn ghost(backend: &mut Backend<'_>, layout: &Layout, frame: &Frame, stuck: bool, palette: &Palette) {
    let primary = frame.deployments.iter().find(|deployment| deployment.primary).filter(|_| stuck);
    // There is none of this name: no platform has called it.
    let name = primary.map_or_else(String::new, |primary| {
        let of_it = frame.slots.iter().flatten().filter(|task| task.name.revision == primary.revision);
        let start = of_it.map(|task| task.name.start).max().unwrap_or(0) + 1;
        rollscope_wording::time::task(TaskName { revision: primary.revision, start })
    });
    let ghost = primary.map(|_| Ghost { name: &name, note: t(Label::NoSlot), lane: 1 });
    let _ = stage::ghost(backend, layout, ghost, palette);
}

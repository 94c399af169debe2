//! What a frame looks like, and which frames look different from before.

use rollscope_engine::Frame;
use rollscope_engine::frame::HostView;
use rollscope_engine::mechanism::host::HostState;

use super::layout::Layout;
use super::parts::Tally;
use super::plan::Detail;
use super::seats::Seats;
use crate::geometry::Rect;
use crate::stage::layout::Spot;
use crate::stage::look::{Look, look};
use crate::stage::{Level, Marks};

/// Everything that is visible of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    view: HostView,
    tally: Tally,
    /// The whole second until it registers, where that is written.
    second: u64,
    tasks: Vec<Option<Look>>,
    marked: Marked,
}

/// Marks on a frame: on itself, and on its tasks by slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Marked {
    /// Width in CSS pixels of the ring around the frame, 0 for none.
    pub frame: u8,
    /// Slot of the selected task, and of the one that is pointed at.
    pub tasks: [Option<u32>; 2],
}

/// What is marked on a stage by instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct HostMarks {
    /// Marks of tasks.
    pub tasks: Marks,
    /// The selected instance, an index into the frame's: a ring of two pixels.
    pub selected: Option<u32>,
    /// The instance under the pointer or the keyboard's cursor: a frame of one pixel.
    pub hovered: Option<u32>,
}

/// One moment of the stage by instance.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Where everything stands.
    pub layout: &'a Layout,
    /// The moment.
    pub frame: &'a Frame,
    /// Who stands where.
    pub seats: &'a Seats,
    /// What is marked.
    pub marks: HostMarks,
    /// What the tray says, and the same shorter: the first that has room is written.
    pub tray: &'a [String],
}

/// What has to be painted again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Instances, ascending.
    pub hosts: Vec<u32>,
    /// The tray.
    pub tray: bool,
}

/// The looks on the canvas now.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    shown: Vec<Shown>,
    tray: Option<(Vec<String>, Vec<Option<Look>>, [Option<u32>; 2])>,
}

/// The box of a task in a frame, as the stage draws boxes.
pub(super) fn spot(layout: &Layout, rect: Rect) -> Spot {
    let level = match layout.detail {
        Detail::Named => Level::Boxes,
        Detail::Tiles => Level::Tiles,
        Detail::Cells | Detail::Bars | Detail::Heat => Level::Cells,
    };
    Spot { rect, level, scale: layout.scale }
}

/// A task of the tray is a tile at every detail.
pub(super) fn tray_spot(layout: &Layout, rect: Rect) -> Spot {
    Spot { level: Level::Tiles, ..spot(layout, rect) }
}

impl Fleet {
    /// Forgets everything: the next [`Fleet::update`] names every frame.
    pub fn reset(&mut self) {
        *self = Fleet::default();
    }

    /// Takes over a moment and names what must be painted again. After another layout call
    /// [`Fleet::reset`] first.
    pub fn update(&mut self, view: &View<'_>) -> Changed {
        let View { layout, frame, .. } = *view;
        let tallies = Tally::all(frame);
        let fresh = self.shown.len() != frame.hosts.len();
        if fresh {
            self.shown.clear();
        }
        let mut changed = Changed::default();
        for ((index, host), tally) in (0u32..).zip(&frame.hosts).zip(tallies) {
            let now = shown(view, (index, host), tally);
            match self.shown.get_mut(index as usize) {
                Some(before) if *before == now => continue,
                Some(before) => *before = now,
                None => self.shown.push(now),
            }
            changed.hosts.push(index);
        }
        if !layout.tray.is_empty() {
            let marked = view.marked_in(view.seats.tray().iter().copied());
            let now = Some((view.tray.to_owned(), tray_looks(view), marked));
            changed.tray = self.tray != now;
            self.tray = now;
        }
        changed
    }
}

fn shown(view: &View<'_>, (index, host): (u32, &HostView), tally: Tally) -> Shown {
    let View { layout, frame, seats, ref marks, .. } = *view;
    let near = layout.detail.has_tasks();
    let on = if near { seats.on(index) } else { &[] };
    let tasks = (0..layout.berths).zip(on).map(|(berth, slot)| {
        let task = slot.and_then(|slot| frame.slots[slot as usize].as_ref())?;
        Some(look(task, frame, &marks.tasks, spot(layout, layout.berth(index, berth))))
    });
    let second = match host.state {
        HostState::Coming(at) if near => at.since(frame.at).div_ceil(1_000),
        _ => 0,
    };
    Shown { view: *host, tally, second, tasks: tasks.collect(), marked: view.marked(index) }
}

impl View<'_> {
    /// The marks on one frame.
    pub(super) fn marked(&self, index: u32) -> Marked {
        let ring = match () {
            () if self.marks.selected == Some(index) => 2,
            () if self.marks.hovered == Some(index) => 1,
            () => 0,
        };
        let on = if self.layout.detail.has_tasks() { self.seats.on(index) } else { &[] };
        Marked { frame: ring, tasks: self.marked_in(on.iter().copied().flatten()) }
    }

    /// Which of these slots have a ring and a frame; a ring takes a frame's place.
    pub(super) fn marked_in(&self, slots: impl Iterator<Item = u32> + Clone) -> [Option<u32>; 2] {
        let id = |slot: u32| self.frame.slots[slot as usize].as_ref().map(|task| task.id);
        let marks = &self.marks.tasks;
        let selected = marks.selected.and_then(|selected| slots.clone().find(|slot| id(*slot) == Some(selected)));
        let hovered = marks.hovered.and_then(|hovered| slots.clone().find(|slot| *slot == hovered));
        [selected, hovered.filter(|slot| Some(*slot) != selected)]
    }
}

fn tray_looks(view: &View<'_>) -> Vec<Option<Look>> {
    let View { layout, frame, .. } = *view;
    if !layout.tray_has_tasks() {
        return Vec::new();
    }
    let look = |(k, slot): (u32, &u32)| {
        let task = frame.slots[*slot as usize].as_ref()?;
        Some(look(task, frame, &view.marks.tasks, tray_spot(layout, layout.tray_place(k))))
    };
    (0..layout.tray_most()).zip(view.seats.tray()).map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Site;
    use super::super::tests_frame::{berths, frame, host};
    use super::*;
    use crate::geometry::Scale;
    use rollscope_engine::frame::TaskState::{Draining, Healthy};

    #[test]
    fn only_frames_that_changed_are_named() {
        let hosts = |n: u32| (0..n).map(|k| host(k + 1, 0, 1, 0)).collect::<Vec<_>>();
        for n in [2u32, 20, 100, 1_000] {
            let tasks: Vec<_> = (0..n).map(|k| (Some(k), 7, Healthy)).collect();
            let mut first = frame(hosts(n), &tasks);
            let berths = berths(&first);
            let site = Site { css_width: 756.0, css_height: Some(300.0), scale: Scale(1.0), by_zone: false };
            let layout = Layout::on(&first, &berths, &site, None);
            let mut fleet = Fleet::default();
            let mut update = |frame: &Frame, marks: HostMarks| {
                let seats = Seats::of(frame, &berths);
                fleet.update(&View { layout: &layout, frame, seats: &seats, marks, tray: &[] }).hosts
            };
            let none = HostMarks::default();
            assert_eq!(update(&first, none).len(), n as usize);
            assert!(update(&first, none).is_empty());
            first.hosts[1] = host(2, 0, 0, 1);
            for task in first.slots.iter_mut().flatten().skip(1).take(1) {
                task.state = Draining;
            }
            assert_eq!(update(&first, none), [1], "{n}");
            assert_eq!(update(&first, HostMarks { selected: Some(0), ..none }), [0]);
            assert_eq!(update(&first, HostMarks { hovered: Some(1), ..none }), [0, 1]);
        }
    }
}

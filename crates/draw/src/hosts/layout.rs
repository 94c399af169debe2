//! Where frames, tasks and tray stand, and what is at a point.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::settings::ZONES;

use super::berths::Berths;
use super::plan::{self, Detail, HEAD, LINE, PAD, Plan, Wish, ZONE_CAPTION, ZONE_GAP};
use super::seats::Seats;
use crate::geometry::{Rect, Scale};
use crate::stage::LEFT;

/// Space above the first row and below the last one.
const EDGE: f64 = 8.0;
/// The tray: the line of its words, and a row of tasks.
pub(super) const TRAY_LINE: f64 = 26.0;
const TRAY_ROW: f64 = 30.0;
/// A task in the tray, and the gap between two.
const TRAY_TASK: (f64, f64) = (22.0, 4.0);
/// Free places that are shown beyond those that tasks of the run ever have.
const SPARE_BERTHS: u32 = 4;
/// Side of the sign at the end of a zone that adds an instance, and how far beyond it a pointer still meets it.
const ADD: f64 = 18.0;
const ADD_NEAR: f64 = 4.0;
/// Room at the right edge, for the ring of what is selected.
const RIGHT: f64 = 4.0;

/// What the frames are laid out for.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Width of the picture in CSS pixels.
    pub css_width: f64,
    /// Height in CSS pixels that it stays under as far as smaller frames allow; `None` for the usual sizes.
    pub css_height: Option<f64>,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// Instances of a zone stand together, under its name; else they stand in the order of their numbers.
    pub by_zone: bool,
}

/// A zone with a caption of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its index.
    pub zone: u8,
    /// Its instances, those that are gone included.
    pub hosts: u32,
    /// Left edge and middle of the caption, in device pixels.
    pub at: (i32, i32),
    /// At its end: one instance more.
    pub add: Rect,
    /// Its last instance, by its index: one more is like that.
    pub last: u32,
}

/// What is at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// An instance, by its index.
    Host(u32),
    /// The task in a slot.
    Slot(u32),
    /// One instance more like this one, by its index.
    Add(u32),
}

/// What a layout was made for: a new one is made when this changes.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    zones: Vec<u8>,
    berths: u32,
    counts: bool,
    tray: bool,
    queue: bool,
    site: Site,
}

/// The places of all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// How much a frame shows.
    pub detail: Detail,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// Width of the picture in device pixels.
    pub width: i32,
    /// Height of the picture in device pixels.
    pub height: i32,
    /// Where tasks without an instance wait; empty in a run in which none ever does.
    pub tray: Rect,
    /// Places on an instance.
    pub berths: u32,
    plan: Plan,
    frames: Vec<Rect>,
    zones: Vec<Zone>,
    asked: Asked,
}

impl Layout {
    /// The layout for a frame, which is `last` again as long as nothing moved.
    pub fn on(frame: &Frame, berths: &Berths, site: &Site, last: Option<&Rc<Layout>>) -> Rc<Layout> {
        // What an instance holds and what it has room for stay the same in sum; of room that no task of the
        // run ever takes a few places are enough.
        let each = frame.hosts.iter().map(|host| (host.tasks + host.leaving).saturating_add(host.room));
        let capacity = each.max().unwrap_or(0).min(berths.most() + SPARE_BERTHS);
        let asked = Asked {
            zones: frame.hosts.iter().map(|host| host.zone).collect(),
            berths: capacity.max(berths.most()).max(1),
            counts: frame.hosts.iter().any(|host| host.interfaces.is_some() || host.port_taken.is_some()),
            tray: berths.refused() || berths.queued(),
            queue: berths.queued(),
            site: site.clone(),
        };
        match last.filter(|last| last.asked == asked) {
            Some(last) => Rc::clone(last),
            None => Rc::new(Layout::new(asked)),
        }
    }

    fn new(asked: Asked) -> Layout {
        let site = &asked.site;
        let scale = site.scale;
        let px = |css: f64| scale.px(css);
        let of = |zone: u8| asked.zones.iter().filter(|of| **of == zone).count() as u32;
        let zones: Vec<(u8, u32)> =
            (0..ZONES as u8).map(|zone| (zone, of(zone))).filter(|zone| site.by_zone && zone.1 > 0).collect();
        let counts: Vec<u32> =
            if site.by_zone { zones.iter().map(|zone| zone.1).collect() } else { vec![asked.zones.len() as u32] };
        let row = if asked.queue { TRAY_ROW } else { 0.0 };
        let tray = if asked.tray { TRAY_LINE + row + EDGE } else { 0.0 };
        let plan = plan::plan(&Wish {
            sections: &counts,
            captions: site.by_zone,
            berths: asked.berths,
            lines: 2 + u32::from(asked.counts),
            width: site.css_width - LEFT - RIGHT,
            height: site.css_height.map(|height| height - 2.0 * EDGE - tray),
        });
        let mut layout = Layout {
            detail: plan.detail,
            scale,
            width: px(site.css_width),
            height: 0,
            tray: Rect::default(),
            berths: asked.berths,
            plan,
            frames: vec![Rect::default(); asked.zones.len()],
            zones: Vec::new(),
            asked,
        };
        let bottom = layout.place(&zones);
        layout.height = bottom + px(EDGE);
        if layout.asked.tray {
            let (left, right) = (px(LEFT), px(RIGHT));
            let tall = TRAY_LINE + if layout.tray_has_tasks() { TRAY_ROW } else { 0.0 };
            layout.tray = Rect::new(left, layout.height, layout.width - left - right, px(tall));
            layout.height += px(tall + EDGE);
        }
        layout
    }

    /// Places all frames; the bottom of the lowest one.
    fn place(&mut self, zones: &[(u8, u32)]) -> i32 {
        let px = |css: f64| self.scale.px(css);
        let (plan, left) = (self.plan, px(LEFT));
        let (w, h, gap) = (((plan.w * self.scale.0).floor() as i32).max(1), px(plan.h), px(plan.gap));
        let columns = plan.columns.max(1) as i32;
        let numbers = |zone: Option<u8>| {
            let of = (0usize..).zip(&self.asked.zones).filter(move |(_, of)| zone.is_none_or(|zone| zone == **of));
            of.map(|(index, _)| index).collect::<Vec<_>>()
        };
        let sections: Vec<(Option<(u8, u32)>, Vec<usize>)> = match zones {
            [] => vec![(None, numbers(None))],
            zones => zones.iter().map(|zone| (Some(*zone), numbers(Some(zone.0)))).collect(),
        };
        let pitch = (self.width - left - px(RIGHT) + px(ZONE_GAP)) / sections.len() as i32;
        let (mut x, mut y, mut bottom) = (left, px(EDGE), px(EDGE));
        for (zone, hosts) in sections {
            let mut top = y;
            if let Some((zone, count)) = zone {
                let right = if plan.beside { x + pitch - px(ZONE_GAP) } else { self.width - px(RIGHT) };
                let add = Rect::new(right - px(ADD), y - px(1.0), px(ADD), px(ADD));
                let last = hosts.last().map_or(0, |last| *last as u32);
                let at = (x, y + px(ZONE_CAPTION / 2.0) - px(2.0));
                self.zones.push(Zone { zone, hosts: count, at, add, last });
                top += px(ZONE_CAPTION);
            }
            for (k, host) in (0..).zip(hosts) {
                let rect = Rect::new(x + k % columns * (w + gap), top + k / columns * (h + gap), w, h);
                self.frames[host] = rect;
                bottom = bottom.max(rect.bottom());
            }
            if plan.beside {
                x += pitch;
            } else {
                y = bottom + gap;
            }
        }
        bottom
    }

    /// Left and right edge of the frames: the traffic strip has them too.
    pub fn edges(&self) -> (i32, i32) {
        (self.scale.px(LEFT), self.width - self.scale.px(RIGHT))
    }

    /// Number of instances.
    pub fn hosts(&self) -> u32 {
        self.frames.len() as u32
    }

    /// Frames beside each other in a zone, or in all.
    pub fn columns(&self) -> u32 {
        self.plan.columns
    }

    /// The zones and the places of their captions; none where instances stand in the order of their numbers.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The frame of an instance; empty for one that is not there.
    pub fn frame(&self, host: u32) -> Rect {
        self.frames.get(host as usize).copied().unwrap_or_default()
    }

    /// The line of a frame below its head: bars and counts, from 0.
    pub(super) fn line(&self, host: u32, line: i32) -> Rect {
        let (rect, px) = (self.frame(host), |css: f64| self.scale.px(css));
        let tall = px(if self.detail.has_words() { LINE.0 } else { LINE.1 });
        let pad = px(if self.detail == Detail::Bars { PAD - 2.0 } else { PAD });
        Rect::new(rect.x + pad, rect.y + px(PAD - 4.0 + HEAD) + line * tall, rect.w - 2 * pad, tall)
    }

    /// Lines below a head.
    pub(super) fn lines(&self) -> i32 {
        2 + i32::from(self.asked.counts)
    }

    /// A place on an instance.
    pub fn berth(&self, host: u32, berth: u32) -> Rect {
        let px = |css: f64| self.scale.px(css);
        let (w, h, between) = (px(self.plan.task.0), px(self.plan.task.1), px(self.plan.between));
        let (column, row) = ((berth % self.plan.per_row) as i32, (berth / self.plan.per_row) as i32);
        let below = self.line(host, self.lines());
        Rect::new(below.x + column * (w + between), below.y + px(4.0) + row * (h + between), w, h)
    }

    /// The tray shows tasks, and not only what is short.
    pub(super) fn tray_has_tasks(&self) -> bool {
        self.asked.queue && self.detail.has_tasks()
    }

    /// Tasks that the tray shows one by one.
    pub(super) fn tray_most(&self) -> u32 {
        let (side, gap) = (self.scale.px(TRAY_TASK.0), self.scale.px(TRAY_TASK.1));
        // The last place is for the number of the others.
        ((self.tray.w / (side + gap).max(1)) as u32).saturating_sub(3)
    }

    /// The place of the k-th task of the tray.
    pub fn tray_place(&self, k: u32) -> Rect {
        let (side, gap) = (self.scale.px(TRAY_TASK.0), self.scale.px(TRAY_TASK.1));
        let (pad, top) = (self.scale.px(10.0), self.tray.y + self.scale.px(TRAY_LINE - 2.0));
        Rect::new(self.tray.x + pad + k as i32 * (side + gap), top, side, side)
    }

    /// The box of the task in a slot, where it is drawn.
    pub fn rect(&self, seats: &Seats, slot: u32) -> Option<Rect> {
        if !self.detail.has_tasks() {
            return None;
        }
        if let Some((host, berth)) = seats.find(slot) {
            return Some(self.berth(host, berth)).filter(|_| berth < self.berths);
        }
        if !self.tray_has_tasks() {
            return None;
        }
        let k = seats.tray().iter().position(|of| *of == slot)? as u32;
        (k < self.tray_most()).then(|| self.tray_place(k))
    }

    /// What is at a point in device pixels.
    pub fn hit(&self, seats: &Seats, x: i32, y: i32) -> Option<Hit> {
        let near = self.scale.px(ADD_NEAR);
        if let Some(zone) = self.zones.iter().find(|zone| zone.add.inset(-near).contains(x, y)) {
            return Some(Hit::Add(zone.last));
        }
        if self.tray_has_tasks() && self.tray.contains(x, y) {
            let mut tray = (0..self.tray_most()).zip(seats.tray());
            return tray.find(|(k, _)| self.tray_place(*k).inset(-2).contains(x, y)).map(|(_, slot)| Hit::Slot(*slot));
        }
        let half = if self.detail == Detail::Heat { self.scale.px(self.plan.gap) / 2 + 1 } else { 0 };
        let host = self.frames.iter().position(|frame| frame.inset(-half).contains(x, y))? as u32;
        if self.detail.has_tasks() {
            let on = (0..self.berths).zip(seats.on(host));
            let mut on = on.filter_map(|(berth, slot)| Some((berth, (*slot)?)));
            if let Some((_, slot)) = on.find(|(berth, _)| self.berth(host, *berth).inset(-1).contains(x, y)) {
                return Some(Hit::Slot(slot));
            }
        }
        Some(Hit::Host(host))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{berths, frame, host};
    use super::*;
    use rollscope_engine::frame::TaskState::Healthy;

    fn site(width: f64, by_zone: bool) -> Site {
        Site { css_width: width, css_height: Some(320.0), scale: Scale(1.0), by_zone }
    }

    fn on(hosts: u32, width: f64, by_zone: bool) -> Rc<Layout> {
        let hosts = (0..hosts).map(|k| host(k + 1, (k % 3) as u8, 2, 0)).collect();
        let frame = frame(hosts, &[(Some(0), 7, Healthy), (Some(0), 7, Healthy)]);
        Layout::on(&frame, &berths(&frame), &site(width, by_zone), None)
    }

    fn apart(a: Rect, b: Rect) -> bool {
        a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y
    }

    #[test]
    fn frames_and_places_stay_inside_and_apart() {
        for width in [342.0, 596.0, 756.0, 1_400.0] {
            for hosts in [1, 2, 3, 8, 12, 24, 40, 200, 1_000] {
                for by_zone in [false, true] {
                    let layout = on(hosts, width, by_zone);
                    let frames: Vec<Rect> = (0..hosts).map(|host| layout.frame(host)).collect();
                    for (k, frame) in frames.iter().enumerate() {
                        assert!(frame.x >= 0 && frame.right() <= layout.width && frame.bottom() <= layout.height);
                        let near = &frames[k.saturating_sub(60)..k];
                        assert!(near.iter().all(|other| apart(*frame, *other)), "{hosts} at {width}");
                    }
                    for berth in (0..layout.berths).filter(|_| layout.detail.has_tasks()) {
                        let (place, frame) = (layout.berth(0, berth), layout.frame(0));
                        let inside =
                            place.x >= frame.x && place.right() <= frame.right() && place.bottom() <= frame.bottom();
                        assert!(inside, "{hosts} at {width}: {place:?} in {frame:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn instances_of_a_zone_stand_in_its_section() {
        let wide = on(6, 756.0, true);
        assert_eq!(
            wide.zones().iter().map(|zone| (zone.zone, zone.hosts)).collect::<Vec<_>>(),
            [(0, 2), (1, 2), (2, 2)]
        );
        assert_eq!(wide.frame(0).x, wide.frame(3).x);
        assert!(wide.frame(1).x > wide.frame(0).x && wide.frame(1).y == wide.frame(0).y);
        // At the end of each zone stands what adds an instance like its last one.
        let seats = Seats::of(&frame(vec![], &[]), &berths(&frame(vec![], &[])));
        for (zone, last) in wide.zones().iter().zip([3, 4, 5]) {
            assert!(zone.add.right() <= wide.frame(last).right() && zone.add.bottom() <= wide.frame(0).y);
            assert_eq!(wide.hit(&seats, zone.add.x + 1, zone.add.y + 1), Some(Hit::Add(last)));
        }
        let phone = on(6, 342.0, true);
        assert!(phone.frame(1).y > phone.frame(3).y);
        assert!(on(6, 756.0, false).zones().is_empty());
    }

    #[test]
    fn a_point_finds_the_task_and_else_its_instance() {
        let frame = frame(vec![host(1, 0, 2, 0)], &[(Some(0), 7, Healthy), (Some(0), 7, Healthy)]);
        let berths = berths(&frame);
        let seats = Seats::of(&frame, &berths);
        let layout = Layout::on(&frame, &berths, &site(756.0, false), None);
        let middle = |rect: Rect| (rect.x + rect.w / 2, rect.y + rect.h / 2);
        let at = |(x, y)| layout.hit(&seats, x, y);
        assert_eq!(at(middle(layout.berth(0, 1))), Some(Hit::Slot(1)));
        assert_eq!(layout.rect(&seats, 1), Some(layout.berth(0, 1)));
        assert_eq!(at((layout.frame(0).x + 3, layout.frame(0).y + 3)), Some(Hit::Host(0)));
        assert_eq!(at((layout.width - 1, 1)), None);
    }

    #[test]
    fn a_layout_stays_as_long_as_nothing_moves() {
        let mut frame = frame(vec![host(1, 0, 1, 0)], &[(Some(0), 7, Healthy)]);
        let berths = berths(&frame);
        let first = Layout::on(&frame, &berths, &site(756.0, false), None);
        // One more task: it takes room that there was.
        frame.hosts[0] = host(1, 0, 2, 0);
        assert!(Rc::ptr_eq(&first, &Layout::on(&frame, &berths, &site(756.0, false), Some(&first))));
        frame.hosts.push(host(2, 1, 0, 0));
        assert!(!Rc::ptr_eq(&first, &Layout::on(&frame, &berths, &site(756.0, false), Some(&first))));
    }
}

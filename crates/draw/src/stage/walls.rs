//! Two walls beside each other, each with its own places: two small stages in one picture.
//!
//! Each half is a [`Layout`] of its own, which counts its places from 0; the whole one translates between
//! slots and places.

use std::rc::Rc;

use super::layout::{Layout, Site};
use super::plan::CAPTION;
use super::sides::{Head, Sides};

/// Between the halves in CSS pixels: the wall of the first one stands in it.
const BETWEEN: f64 = 16.0;

/// The halves and who stands in them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walls {
    sides: Rc<Sides>,
    parts: [Layout; 2],
}

/// One of two halves, for its sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half {
    /// Slots of both together: the level of detail follows from it.
    pub total: u32,
    /// Slots of the larger one: both have boxes of one size.
    pub slots: u32,
    /// Left edge in the picture in CSS pixels.
    pub left: f64,
}

impl Layout {
    /// The layout with two walls beside each other; the order of the site plays no part.
    pub fn beside(sides: &Rc<Sides>, site: &Site) -> Layout {
        let width = ((site.css_width - BETWEEN) / 2.0).floor();
        let count = |side: usize| sides.slots(side).len() as u32;
        let half = |side: usize| {
            let left = if side == 0 { 0.0 } else { site.css_width - width };
            let half = Half { total: count(0) + count(1), slots: count(0).max(count(1)), left };
            let css_height = site.css_height.map(|height| height - CAPTION);
            let site = Site { css_height, half: Some(half), ..Site::new(width, site.scale) };
            Layout::on(count(side), sides.heads()[side].places, &site)
        };
        let parts = [half(0), half(1)];
        let mut whole = parts[0].clone();
        whole.slots = sides.len();
        whole.ceiling = sides.heads().iter().map(|head| head.places).sum();
        whole.width = site.scale.px(site.css_width);
        whole.height = parts[0].height.max(parts[1].height);
        whole.bottom = parts[0].bottom.max(parts[1].bottom);
        whole.walls = Some(Box::new(Walls { sides: Rc::clone(sides), parts }));
        whole
    }

    /// The two halves and whose they are; `None` where there is one wall.
    pub fn halves(&self) -> Option<[(&Head, &Layout); 2]> {
        let walls = self.walls.as_ref()?;
        let [source, target] = walls.sides.heads();
        Some([(source, &walls.parts[0]), (target, &walls.parts[1])])
    }

    /// The slot is shown somewhere.
    pub fn holds(&self, slot: u32) -> bool {
        match &self.walls {
            Some(walls) => walls.sides.home(slot).is_some(),
            None => slot < self.slots,
        }
    }
}

impl Walls {
    pub fn units(&self) -> u32 {
        self.parts.iter().map(Layout::units).sum()
    }

    /// The half of a box, and its number there.
    fn of(&self, unit: u32) -> (usize, u32) {
        let first = self.parts[0].units();
        if unit < first { (0, unit) } else { (1, unit - first) }
    }

    pub fn unit(&self, slot: u32) -> u32 {
        let Some((side, place)) = self.sides.home(slot) else { return u32::MAX };
        let unit = self.parts[side].unit(place);
        if side == 0 { unit } else { self.parts[0].units() + unit }
    }

    pub fn first_slot(&self, unit: u32) -> u32 {
        let (side, within) = self.of(unit);
        let place = self.parts[side].first_slot(within);
        self.sides.slots(side).get(place as usize).copied().unwrap_or(u32::MAX)
    }

    /// The half of a box as a layout, and the box's number there; `None` for a box that is not there.
    pub fn part(&self, unit: u32) -> Option<(&Layout, u32)> {
        let (side, within) = self.of(unit);
        (within < self.parts[side].units()).then_some((&self.parts[side], within))
    }

    /// The slots that share a box, in their order.
    pub fn members(&self, unit: u32) -> Vec<u32> {
        let (side, within) = self.of(unit);
        let part = &self.parts[side];
        let span = part.span(part.first_slot(within));
        self.sides.slots(side).get(span.start as usize..span.end as usize).unwrap_or_default().to_vec()
    }

    pub fn slot_at(&self, x: i32, y: i32) -> Option<u32> {
        self.parts.iter().enumerate().find_map(|(side, part)| {
            let place = part.slot_at(x, y)?;
            self.sides.slots(side).get(place as usize).copied()
        })
    }

    /// The half in which a slot is shown, and its place there.
    pub fn place(&self, slot: u32) -> Option<(&Layout, u32)> {
        let (side, place) = self.sides.home(slot)?;
        Some((&self.parts[side], place))
    }

    pub fn right(&self) -> i32 {
        self.parts[1].right()
    }
}

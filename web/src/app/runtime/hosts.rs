//! The stage by instance: frames with their tasks.

use std::rc::Rc;

use rollscope_draw::hosts::{self, Berths, Changed, Fleet, Hit, HostMarks, Layout, Seats, Site, View};
use rollscope_draw::stage::{Grouping, Marks};
use rollscope_draw::{Palette, Rect};
use rollscope_engine::Frame;
use rollscope_engine::trace::Record;

use super::Page;
use crate::canvas::{Backend, Surface};
use crate::parts::grid::CELLS_MAX;
use crate::say::StageWords;

/// Frames, and what of them is on the canvas.
#[derive(Default)]
pub struct Racks {
    berths: Berths,
    /// The layout of the last moment, whether it was drawn or not.
    last: Option<Rc<Layout>>,
    shown: Option<Rc<Layout>>,
    seats: Rc<Seats>,
    fleet: Fleet,
}

/// The order of the stage: the chosen one, else by instance where room is on instances, else by slot.
/// Where traffic is shifted the walls of the two revisions tell more: each has its own weighted strip. Without
/// instances nobody chooses another order there, whatever a link says.
pub fn order(frame: &Frame, chosen: Option<Grouping>) -> Grouping {
    order_of(!frame.hosts.is_empty(), frame.shift.is_some(), chosen)
}

fn order_of(hosts: bool, shifts: bool, chosen: Option<Grouping>) -> Grouping {
    let own = if hosts && !shifts { Grouping::Instance } else { Grouping::Slot };
    let fits = |chosen: &Grouping| hosts || !(shifts || *chosen == Grouping::Instance);
    chosen.filter(fits).unwrap_or(own)
}

/// A frame is drawn by instance: tasks run on some, and an order asks for it.
pub fn wanted(frame: &Frame, grouping: Grouping) -> bool {
    !frame.hosts.is_empty() && matches!(grouping, Grouping::Instance | Grouping::Zone)
}

impl Racks {
    /// Another run, or another branch.
    pub fn forget(&mut self) {
        *self = Racks::default();
    }

    /// Takes note of what the run has grown by.
    pub fn follow(&mut self, records: &[Record]) {
        self.berths.follow(records);
    }

    /// Where the frames stand at a moment.
    pub fn lay_out(&mut self, frame: &Frame, page: &Page, height: Option<f64>, by_zone: bool) -> Rc<Layout> {
        let site = Site { css_width: page.width, css_height: height, scale: page.scale, by_zone };
        let layout = Layout::on(frame, &self.berths, &site, self.last.as_ref());
        self.last = Some(Rc::clone(&layout));
        layout
    }

    /// The frames that are on the canvas.
    pub fn layout(&self) -> Option<&Layout> {
        self.shown.as_deref()
    }

    /// The slots were drawn instead.
    pub fn hide(&mut self) {
        self.shown = None;
    }

    /// True when this layout is not the one on the canvas.
    pub fn is_new(&self, layout: &Rc<Layout>) -> bool {
        self.shown.as_ref() != Some(layout)
    }

    /// Paints what changed, or everything where it is `fresh`.
    pub fn paint(
        &mut self,
        surface: &Surface,
        frame: &Frame,
        layout: Rc<Layout>,
        (marks, fresh): (HostMarks, bool),
        colours: &Palette,
        (words, tray): (&StageWords, &[String]),
    ) {
        let mut backend = Backend::new(surface);
        if fresh {
            self.fleet.reset();
            // A canvas accepts every shape: its error type has no value.
            let _ = hosts::still(&mut backend, &layout, colours, words);
        }
        if layout.detail.has_tasks() || frame.slots.len() <= CELLS_MAX {
            self.seats = Rc::new(Seats::of(frame, &self.berths));
        }
        let view = View { layout: &layout, frame, seats: &self.seats, marks, tray };
        let changed = self.fleet.update(&view);
        if changed != Changed::default() {
            let _ = hosts::paint(&mut backend, &view, &changed, colours, words);
        }
        self.shown = Some(layout);
    }

    /// What is at a point in CSS pixels.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        let layout = self.shown.as_ref()?;
        layout.hit(&self.seats, layout.scale.px(x), layout.scale.px(y))
    }

    /// The box of the task in a slot.
    pub fn rect(&self, slot: u32) -> Option<Rect> {
        self.shown.as_ref()?.rect(&self.seats, slot)
    }

    /// Who stands where.
    pub fn seats(&self) -> Rc<Seats> {
        Rc::clone(&self.seats)
    }

    /// Marks of tasks and of instances, by their numbers.
    pub fn marks(tasks: Marks, selected: Option<u32>, hovered: Option<u32>) -> HostMarks {
        let index = |number: Option<u32>| number.and_then(|number| number.checked_sub(1));
        HostMarks { tasks, selected: index(selected), hovered: index(hovered) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_the_chosen_one_where_it_fits() {
        use Grouping::{Instance, Revision, Slot, Zone};
        for (hosts, shifts, chosen, order) in [
            (true, false, None, Instance),
            (true, true, None, Slot),
            (true, true, Some(Zone), Zone),
            (false, false, None, Slot),
            (false, false, Some(Instance), Slot),
            (false, false, Some(Revision), Revision),
            (false, true, Some(Revision), Slot),
            (false, true, Some(Zone), Slot),
        ] {
            assert_eq!(order_of(hosts, shifts, chosen), order, "{hosts} {shifts} {chosen:?}");
        }
    }
}

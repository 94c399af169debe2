//! How much the frame of an instance shows, and how large it is, in CSS pixels before rounding.

use crate::stage::NARROW;

/// How much the frame of an instance shows, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Up to 8 instances: bars with words, tasks with name and state.
    Named,
    /// Up to 24: bars with words, tasks as tiles.
    Tiles,
    /// Up to 24: bars without words, tasks as cells.
    Cells,
    /// Above, as long as they fit: number and bars, no tasks.
    Bars,
    /// A square an instance, filled from below by what is used of its scarcest resource.
    Heat,
}

impl Detail {
    /// True where tasks stand in the frames.
    pub const fn has_tasks(self) -> bool {
        matches!(self, Detail::Named | Detail::Tiles | Detail::Cells)
    }

    /// True where bars have words beside them.
    pub const fn has_words(self) -> bool {
        matches!(self, Detail::Named | Detail::Tiles)
    }
}

/// Most instances that show their tasks.
pub const FRAMES_MAX: u32 = 24;
/// Most instances that show their tasks by name.
const NAMED_MAX: u32 = 8;
/// Most places of an instance that are drawn one by one.
pub const BERTHS_MAX: u32 = 60;
/// Between two frames, and between two zones beside each other.
pub const GAP: f64 = 8.0;
pub const ZONE_GAP: f64 = 18.0;
/// Above the frames of a zone, for its name.
pub const ZONE_CAPTION: f64 = 22.0;
/// Inside a frame: to its content, its head, and a line of a bar, with words and without.
pub const PAD: f64 = 8.0;
pub const HEAD: f64 = 20.0;
pub const LINE: (f64, f64) = (16.0, 8.0);
/// Least and greatest width of a frame with words, without, and with bars alone.
const WIDE: (f64, f64) = (136.0, 260.0);
const SLIM: (f64, f64) = (112.0, 176.0);
const BAR: (f64, f64) = (50.0, 64.0);
/// Between two tasks.
const BETWEEN: (f64, f64) = (5.0, 2.0);
/// Sizes of tasks, the largest first.
const NAMED: [(f64, f64); 2] = [(78.0, 40.0), (74.0, 37.0)];
const TILES: [f64; 3] = [26.0, 22.0, 18.0];
const CELLS: [f64; 4] = [14.0, 12.0, 10.0, 8.0];
/// Sides of a square that stands for an instance.
const SQUARES: [f64; 8] = [24.0, 20.0, 18.0, 16.0, 14.0, 12.0, 10.0, 8.0];
/// Height in CSS pixels that all frames stay under where they can and nothing else is asked for.
const HEIGHT: f64 = 420.0;
/// What is lower than that would show nothing: it scrolls.
const LEAST: f64 = 150.0;

/// What is planned for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish<'a> {
    /// Instances of every section; one section where they stand in the order of their numbers.
    pub sections: &'a [u32],
    /// The sections have captions.
    pub captions: bool,
    /// Places on an instance.
    pub berths: u32,
    /// Lines of bars and counts.
    pub lines: u32,
    /// Width for the frames in CSS pixels.
    pub width: f64,
    /// Height that they should stay under, if any is asked for.
    pub height: Option<f64>,
}

/// Sizes in CSS pixels before they are rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub detail: Detail,
    /// Sections stand beside each other.
    pub beside: bool,
    /// Frames beside each other in a section.
    pub columns: u32,
    pub w: f64,
    pub h: f64,
    pub gap: f64,
    /// A task, and the gap between two.
    pub task: (f64, f64),
    pub between: f64,
    /// Tasks beside each other in a frame.
    pub per_row: u32,
}

/// How many boxes at least `least` wide stand beside each other.
fn beside(room: f64, least: f64, gap: f64) -> u32 {
    (((room + gap) / (least + gap)).floor() as u32).max(1)
}

impl Wish<'_> {
    fn hosts(&self) -> u32 {
        self.sections.iter().sum()
    }

    fn most(&self) -> u32 {
        self.sections.iter().copied().max().unwrap_or(0).max(1)
    }

    /// Zones stand beside each other where it is wide and each has few instances.
    fn is_beside(&self) -> bool {
        self.captions && self.sections.len() > 1 && self.width >= NARROW && self.most() <= FRAMES_MAX
    }

    fn section_width(&self) -> f64 {
        let n = self.sections.len().max(1) as f64;
        if self.is_beside() { (self.width - (n - 1.0) * ZONE_GAP) / n } else { self.width }
    }

    /// Height of all frames.
    fn tall(&self, plan: &Plan) -> f64 {
        let caption = if self.captions { ZONE_CAPTION } else { 0.0 };
        let of = |n: &u32| caption + f64::from(n.div_ceil(plan.columns)) * (plan.h + plan.gap);
        let all = self.sections.iter().map(of);
        if plan.beside { all.fold(0.0, f64::max) } else { all.sum() }
    }

    /// Frames of one detail, `columns` beside each other.
    fn framed(&self, detail: Detail, task: (f64, f64), columns: u32, widest: f64) -> Plan {
        let words = detail.has_words();
        let room = self.section_width();
        let w = ((room - f64::from(columns - 1) * GAP) / f64::from(columns)).min(widest);
        let between = if words { BETWEEN.0 } else { BETWEEN.1 };
        let per_row = beside(w - 2.0 * PAD, task.0, between);
        let line = if words { LINE.0 } else { LINE.1 };
        let rows = self.berths.max(1).div_ceil(per_row);
        let tasks = if detail.has_tasks() { f64::from(rows) * (task.1 + between) - between + 4.0 } else { 0.0 };
        let h = 2.0 * PAD - 4.0 + HEAD + f64::from(self.lines) * line + tasks;
        Plan { detail, beside: self.is_beside(), columns, w, h, gap: GAP, task, between, per_row }
    }

    /// The lowest frames of one detail; of equal ones the widest.
    fn best(&self, detail: Detail, tasks: &[(f64, f64)], (least, widest): (f64, f64)) -> Option<Plan> {
        let most = beside(self.section_width(), least, GAP).min(self.most());
        let plans = tasks.iter().flat_map(|task| (1..=most).map(|columns| self.framed(detail, *task, columns, widest)));
        let wish = self.limit();
        // The largest tasks that fit; where none do, the flattest.
        let mut best: Option<Plan> = None;
        for plan in plans {
            let better = |old: &Plan| {
                let (new, old_fits) = (self.tall(&plan), self.tall(old) <= wish);
                if plan.task == old.task { new < self.tall(old) } else { !old_fits && new < self.tall(old) }
            };
            if best.as_ref().is_none_or(better) {
                best = Some(plan);
            }
        }
        best
    }

    fn limit(&self) -> f64 {
        self.height.map_or(HEIGHT, |height| height.max(LEAST))
    }

    fn squares(&self, side: f64) -> Plan {
        let gap = if side > 12.0 { 3.0 } else { 2.0 };
        let room = self.section_width();
        // Rows of a number that is easy to count in.
        let fit = beside(room, side, gap);
        let columns = if fit >= 20 { fit / 10 * 10 } else { fit };
        let (detail, beside) = (Detail::Heat, self.is_beside());
        Plan { detail, beside, columns, w: side, h: side, gap, task: (0.0, 0.0), between: 0.0, per_row: 1 }
    }
}

/// Picks the detail and the sizes.
pub fn plan(wish: &Wish<'_>) -> Plan {
    let hosts = wish.hosts();
    let fits = |plan: &Plan| wish.tall(plan) <= wish.limit();
    let square = |side: f64| (side, side);
    if hosts <= FRAMES_MAX && wish.berths <= BERTHS_MAX {
        let named = || wish.best(Detail::Named, &NAMED, WIDE).filter(|_| hosts <= NAMED_MAX).filter(fits);
        let tiles = || wish.best(Detail::Tiles, &TILES.map(square), WIDE).filter(fits);
        let cells = || wish.best(Detail::Cells, &CELLS.map(square), SLIM);
        if let Some(plan) = named().or_else(tiles).or_else(cells) {
            return plan;
        }
    }
    let bars = wish.best(Detail::Bars, &[(0.0, 0.0)], BAR).filter(|_| hosts <= 10 * FRAMES_MAX).filter(fits);
    let squares = || SQUARES.into_iter().map(|side| wish.squares(side));
    let smallest = || wish.squares(SQUARES[SQUARES.len() - 1]);
    bars.or_else(|| squares().find(fits)).unwrap_or_else(smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(sections: &[u32], berths: u32, width: f64, height: Option<f64>) -> Plan {
        plan(&Wish { sections, captions: sections.len() > 1, berths, lines: 2, width, height })
    }

    #[test]
    fn the_detail_follows_number_and_room() {
        for (hosts, berths, width, height, detail) in [
            (2, 2, 730.0, Some(300.0), Detail::Named),
            (4, 1, 730.0, Some(200.0), Detail::Named),
            (10, 10, 730.0, Some(320.0), Detail::Tiles),
            (24, 8, 730.0, Some(320.0), Detail::Cells),
            (24, 200, 730.0, Some(320.0), Detail::Bars),
            (25, 4, 730.0, Some(320.0), Detail::Bars),
            (200, 4, 730.0, Some(320.0), Detail::Heat),
            (1_000, 5, 730.0, Some(300.0), Detail::Heat),
            (2, 4, 342.0, None, Detail::Named),
        ] {
            assert_eq!(wish(&[hosts], berths, width, height).detail, detail, "{hosts} x {berths} at {width}");
        }
    }

    #[test]
    fn frames_keep_to_their_width_and_their_section() {
        for hosts in 1..=60 {
            for width in [342.0, 560.0, 730.0, 1_400.0] {
                for sections in [vec![hosts], vec![hosts / 3 + 1, hosts / 3, hosts / 3]] {
                    let wish = Wish {
                        sections: &sections,
                        captions: sections.len() > 1,
                        berths: 4,
                        lines: 2,
                        width,
                        height: Some(300.0),
                    };
                    let plan = plan(&wish);
                    let row = f64::from(plan.columns) * (plan.w + plan.gap) - plan.gap;
                    assert!(row <= wish.section_width() + 0.001, "{hosts} at {width}: {plan:?}");
                }
            }
        }
    }

    #[test]
    fn a_thousand_instances_fit_a_window_and_a_phone() {
        for (width, height) in [(730.0, Some(300.0)), (596.0, Some(200.0)), (342.0, None)] {
            let wish = Wish { sections: &[1_000], captions: false, berths: 5, lines: 2, width, height };
            assert!(wish.tall(&plan(&wish)) <= wish.limit(), "{width}");
        }
    }
}

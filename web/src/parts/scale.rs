//! The geometry of the limits ruler. Both sliders and the row of tasks share one scale, from 0 to
//! `top` per cent of the desired count, so that rounding shows as a bend.

use rollscope_scenario::limits::{Limits, ceiling};

use crate::decimal::Decimal;

/// Most tasks that are drawn one by one; above that they are bars.
pub const CELLS_MAX: u32 = 16;
/// The scale is never shorter than this, in per cent.
const TOP_LEAST: u32 = 200;
/// Width of the ruler in the narrowest panel, in pixels: words have to fit into their bar there.
const WIDTH_LEAST: f64 = 272.0;
/// Room a letter of 12 px takes, in pixels.
const LETTER: f64 = 6.6;
/// Room around words in a bar, in pixels.
const AROUND: f64 = 16.0;

/// What a place on the ruler stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A task that must stay healthy.
    Keep,
    /// A wanted task that may be missing.
    Missing,
    /// A task more than wanted.
    Added,
    /// Beyond the ceiling.
    Beyond,
}

/// A run of tasks of one kind, as shares of the ruler's width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub part: Part,
    /// Where it begins, 0 to 1.
    pub from: f64,
    /// Where it ends, 0 to 1.
    pub to: f64,
    /// Tasks in it.
    pub tasks: u32,
}

/// Where a thumb stands and where the limit it makes is marked, as shares of the ruler's width.
/// They differ by what was rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// The thumb, 0 to 1.
    pub thumb: f64,
    /// The limit, 0 to 1.
    pub mark: f64,
}

/// The scale with everything on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Its upper end in per cent of the desired count: 200, or the maximum on to the next hundred.
    pub top: u32,
    /// Desired count, floor and ceiling.
    pub limits: Limits,
    /// `minimumHealthyPercent`, 0 to 100.
    pub minimum: u32,
    /// `maximumPercent`, 100 and up.
    pub maximum: u32,
}

/// The upper end of the scale for a maximum, in per cent.
pub fn top(maximum: u32) -> u32 {
    maximum.max(TOP_LEAST).checked_next_multiple_of(100).unwrap_or(maximum)
}

impl Scale {
    /// The scale of a desired count and two percentages. `held` keeps a longer one while it is dragged.
    pub fn new(desired: u32, minimum: u32, maximum: u32, held: Option<u32>) -> Scale {
        let top = top(maximum).max(held.unwrap_or(0));
        Scale { top, limits: Limits::of(desired, minimum, maximum), minimum, maximum }
    }

    /// Tasks the whole ruler is wide.
    pub fn tasks(&self) -> u32 {
        ceiling(self.limits.desired, self.top)
    }

    /// Where a percentage stands, 0 to 1.
    pub fn of_percent(&self, percent: u32) -> f64 {
        (f64::from(percent) / f64::from(self.top)).min(1.0)
    }

    /// Where a number of tasks ends, 0 to 1.
    fn of_tasks(&self, tasks: u32) -> f64 {
        match self.tasks() {
            0 => 0.0,
            all => (f64::from(tasks) / f64::from(all)).min(1.0),
        }
    }

    /// The line from the maximum's thumb to the ceiling; none when no task is wanted.
    pub fn ceiling_bend(&self) -> Option<Bend> {
        self.bend(self.maximum, self.limits.ceiling)
    }

    /// The line from the minimum's thumb to the floor; none when no task is wanted.
    pub fn floor_bend(&self) -> Option<Bend> {
        self.bend(self.minimum, self.limits.floor)
    }

    fn bend(&self, percent: u32, tasks: u32) -> Option<Bend> {
        (self.tasks() > 0).then(|| Bend { thumb: self.of_percent(percent), mark: self.of_tasks(tasks) })
    }

    /// One entry a task, when they are few enough to be drawn one by one.
    pub fn cells(&self) -> Option<Vec<Part>> {
        let all = self.tasks();
        (all <= CELLS_MAX).then(|| (0..all).map(|index| self.part(index)).collect())
    }

    fn part(&self, index: u32) -> Part {
        let Limits { desired, floor, ceiling } = self.limits;
        match index {
            n if n < floor => Part::Keep,
            n if n < desired => Part::Missing,
            n if n < ceiling => Part::Added,
            _ => Part::Beyond,
        }
    }

    /// The same as bars, without empty ones.
    pub fn bars(&self) -> Vec<Bar> {
        let Limits { desired, floor, ceiling } = self.limits;
        let ends =
            [(Part::Keep, floor), (Part::Missing, desired), (Part::Added, ceiling), (Part::Beyond, self.tasks())];
        let mut from = 0;
        let mut bars = Vec::new();
        for (part, to) in ends {
            if to > from {
                let (start, end) = (self.of_tasks(from), self.of_tasks(to));
                bars.push(Bar { part, from: start, to: end, tasks: to - from });
                from = to;
            }
        }
        bars
    }
}

impl Bar {
    /// The first of some words that fits into the bar of the narrowest panel; the longest comes first.
    pub fn words<'a>(&self, words: &'a [String]) -> Option<&'a str> {
        let room = (self.to - self.from) * WIDTH_LEAST - AROUND;
        words.iter().map(String::as_str).find(|text| text.chars().count() as f64 * LETTER <= room)
    }
}

/// A share of the width as an attribute.
pub fn share(part: f64) -> String {
    format!("{}%", Decimal(part * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(desired: u32, minimum: u32, maximum: u32) -> String {
        let letter = |part: &Part| match part {
            Part::Keep => '#',
            Part::Missing => '-',
            Part::Added => '+',
            Part::Beyond => '/',
        };
        Scale::new(desired, minimum, maximum, None).cells().expect("few").iter().map(letter).collect()
    }

    #[test]
    fn one_cell_a_task() {
        assert_eq!(parts(4, 100, 150), "####++//");
        assert_eq!(parts(4, 50, 100), "##--////");
        assert_eq!(parts(1, 100, 150), "#/");
        assert_eq!(parts(3, 50, 125), "##-///", "up to 2, down to 3");
        assert_eq!(parts(2, 0, 300), "--++++");
        assert_eq!(parts(2, 75, 201), "##++//", "the scale goes on to the next hundred");
        assert_eq!(parts(0, 100, 200), "");
    }

    #[test]
    fn the_scale_ends_at_200_or_at_the_next_hundred() {
        assert_eq!([100, 200, 201, 300, 301].map(top), [200, 200, 300, 300, 400]);
        assert_eq!(top(u32::MAX), u32::MAX);
        assert_eq!(Scale::new(4, 100, 150, Some(300)).top, 300, "held while it is dragged");
    }

    #[test]
    fn a_thumb_stands_over_its_mark_where_nothing_is_rounded() {
        let scale = Scale::new(4, 100, 150, None);
        assert_eq!(scale.ceiling_bend(), Some(Bend { thumb: 0.75, mark: 0.75 }));
        assert_eq!(scale.floor_bend(), Some(Bend { thumb: 0.5, mark: 0.5 }));
    }

    #[test]
    fn what_is_rounded_bends_the_line() {
        let scale = Scale::new(1, 50, 150, None);
        assert_eq!(scale.ceiling_bend(), Some(Bend { thumb: 0.75, mark: 0.5 }), "1.5 tasks, down to 1");
        assert_eq!(scale.floor_bend(), Some(Bend { thumb: 0.25, mark: 0.5 }), "0.5 tasks, up to 1");
    }

    #[test]
    fn no_task_wanted_leaves_an_empty_ruler() {
        let scale = Scale::new(0, 100, 200, None);
        assert_eq!((scale.ceiling_bend(), scale.floor_bend()), (None, None));
        assert_eq!((scale.cells(), scale.bars()), (Some(vec![]), vec![]));
        assert_eq!(scale.of_percent(100), 0.5, "the sliders still have their places");
    }

    #[test]
    fn many_tasks_are_bars() {
        let scale = Scale::new(1_000, 100, 125, None);
        assert_eq!(scale.cells(), None);
        let bar = |part, from, to, tasks| Bar { part, from, to, tasks };
        assert_eq!(
            scale.bars(),
            [bar(Part::Keep, 0.0, 0.5, 1_000), bar(Part::Added, 0.5, 0.625, 250), bar(Part::Beyond, 0.625, 1.0, 750)]
        );
        assert_eq!(Scale::new(8, 100, 200, None).cells().map(|cells| cells.len()), Some(16));
        assert_eq!(Scale::new(9, 100, 200, None).cells(), None);
    }

    #[test]
    fn words_stand_only_where_they_fit() {
        let words = ["1,000 stay healthy".to_owned(), "1,000".to_owned()];
        let bar = |to| Bar { part: Part::Keep, from: 0.0, to, tasks: 1_000 };
        assert_eq!(bar(0.51).words(&words), Some("1,000 stay healthy"));
        assert_eq!(bar(0.25).words(&words), Some("1,000"));
        assert_eq!(bar(0.02).words(&words), None);
    }
}

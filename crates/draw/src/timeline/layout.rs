//! Heights: how ribbon, chart, rows and scrubber share the room there is.

use super::Room;
use crate::carpet;
use crate::geometry::{Rect, Scale, within};
use crate::rows::SLOTS_MAX;
use crate::xscale::{GUTTER_LEFT, GUTTER_RIGHT};

/// Sizes in CSS pixels that differ between a phone and everything else.
struct Sizes {
    ribbon: f64,
    /// Between the parts.
    gap: f64,
    /// Heights of the chart.
    chart: ChartSizes,
    /// Least and full distance of two rows.
    row: (f64, f64),
    /// Least height of the carpet, the one it gets before the chart shrinks, and its most.
    carpet: (f64, f64, f64),
    /// The failure counter.
    counter: f64,
    track: f64,
}

/// Heights of the chart in CSS pixels.
#[derive(Clone, Copy)]
struct ChartSizes {
    /// It never gets lower.
    least: f64,
    /// It gets that before rows share their places and the carpet shrinks to its least.
    firm: f64,
    /// It gets that before rows come closer to each other.
    comfort: f64,
    most: f64,
}

const DESK: Sizes = Sizes {
    ribbon: 20.0,
    gap: 10.0,
    chart: ChartSizes { least: 56.0, firm: 96.0, comfort: 150.0, most: 280.0 },
    row: (12.0, 16.0),
    carpet: (32.0, 60.0, carpet::CARPET_HEIGHT),
    counter: 50.0,
    track: 44.0,
};
/// Where the window is too low for all of it.
const LOW: Sizes = Sizes { ribbon: 18.0, gap: 6.0, counter: 36.0, ..DESK };
const PHONE: Sizes = Sizes {
    ribbon: 18.0,
    gap: 8.0,
    chart: ChartSizes { least: 84.0, firm: 84.0, comfort: 112.0, most: 170.0 },
    row: (11.0, 12.0),
    carpet: (48.0, 48.0, 100.0),
    counter: 48.0,
    track: 56.0,
};
/// The player inside another page: chart and scrubber alone. Above the chart is the air of its ceiling's label.
const BARE: Sizes =
    Sizes { ribbon: 0.0, gap: 4.0, chart: ChartSizes { least: 56.0, firm: 84.0, comfort: 112.0, most: 280.0 }, ..DESK };
/// Height in CSS pixels below which the parts stand closer; the second one with a failure counter or alarms.
const LOW_BELOW: (f64, f64) = (230.0, 276.0);
/// Heights in CSS pixels with which a timeline with rows, and one with a carpet, has all it needs.
const COMFORT: (f64, f64) = (290.0, 216.0);
/// The same where nothing ever happens.
const COMFORT_STILL: f64 = 172.0;
/// Height in CSS pixels with which chart and scrubber alone have all they need.
pub const COMFORT_BARE: f64 = 172.0;
/// Least rows, however low the window is.
const ROWS_LEAST: usize = 4;
/// The same below a failure counter or alarms in a low window: no row is to be cut.
const ROWS_LEAST_LOW: usize = 2;
/// Least height of the chart there, in CSS pixels.
const CHART_LEAST_LOW: f64 = 48.0;
/// Most rows where the page grows with them.
const ROWS_GROWING: usize = 28;

/// The sizes for a room, and what its height leaves to chart and rows.
fn sizes(room: &Room, extras: Extras) -> (&'static Sizes, f64) {
    let sizes = match (room.bare, room.phone) {
        (true, _) => &BARE,
        (false, true) => &PHONE,
        (false, false) if low(room, extras.is_none()) => &LOW,
        (false, false) => &DESK,
    };
    (sizes, room.css_height - sizes.track - sizes.ribbon - 2.0 * sizes.gap - 2.0)
}

/// What stands above the chart, and between chart and rows, where the run has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// A line of words below the ribbon.
    pub notes: bool,
    /// The failure counter.
    pub counter: bool,
    /// Lanes of alarms.
    pub alarms: usize,
}

/// Height of the words below the ribbon in CSS pixels.
const NOTES: f64 = 15.0;
/// Between chart and counter in CSS pixels: the labels of both axes meet there, and a cross at its top.
const COUNTER_GAP: f64 = 13.0;
/// Height of a lane of an alarm in CSS pixels, and its distance to the next one.
const ALARM: (f64, f64) = (15.0, 17.0);
/// Heights in CSS pixels that the chart keeps above counter and alarms: its comfort, its firm height.
const GIVES_WAY: (f64, f64) = (104.0, 74.0);

impl Extras {
    /// Height in CSS pixels of the line below the ribbon.
    const fn notes(self) -> f64 {
        if self.notes { NOTES } else { 0.0 }
    }

    /// Heights in CSS pixels with the gaps before them: of the counter, of all alarms.
    fn heights(self, sizes: &Sizes) -> (f64, f64) {
        let counter = if self.counter { sizes.counter + COUNTER_GAP } else { 0.0 };
        let alarms = if self.alarms > 0 { self.alarms as f64 * ALARM.1 + sizes.gap } else { 0.0 };
        (counter, alarms)
    }

    const fn is_none(self) -> bool {
        !self.counter && self.alarms == 0
    }

    /// Least distance of two rows below them: a failure is to have its row.
    const fn row(self, sizes: &Sizes) -> f64 {
        if self.is_none() { sizes.row.0 } else { PHONE.row.0 }
    }

    /// Heights of the chart above them.
    fn chart(self, sizes: &Sizes) -> ChartSizes {
        if self.is_none() {
            return sizes.chart;
        }
        let (comfort, firm) = (sizes.chart.comfort.min(GIVES_WAY.0), sizes.chart.firm.min(GIVES_WAY.1));
        ChartSizes { comfort, firm, ..sizes.chart }
    }
}

/// Rows that find room below the chart; where there are more tasks, some share a row.
pub fn rows_most(room: &Room, extras: Extras) -> usize {
    let (sizes, left) = sizes(room, extras);
    let (counter, alarms) = extras.heights(sizes);
    let left = left - extras.notes();
    let fitting = ((left - counter - alarms - extras.chart(sizes).firm) / extras.row(sizes)).floor().max(0.0) as usize;
    let least = if low(room, extras.is_none()) && !extras.is_none() { ROWS_LEAST_LOW } else { ROWS_LEAST };
    fitting.max(if room.grows { ROWS_GROWING } else { least })
}

/// The window is too low for all that a timeline has; `plain` without counter and alarms.
pub(super) fn low(room: &Room, plain: bool) -> bool {
    !room.grows && room.css_height < if plain { LOW_BELOW.0 } else { LOW_BELOW.1 }
}

/// Height in CSS pixels with which the timeline of a stage with so many slots has all it needs;
/// `still` for a run in which nothing happens after its begin.
pub const fn comfort(slots: u32, still: bool) -> f64 {
    if still {
        COMFORT_STILL
    } else if slots <= SLOTS_MAX {
        COMFORT.0
    } else {
        COMFORT.1
    }
}

/// What stands below the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// There is no task.
    Nothing,
    /// A named row per task.
    Rows,
    /// A line for one or many tasks.
    Carpet,
}

/// The place of every part. Ribbon, chart and rows share one picture; the scrubber is a second
/// one below it, with the same x layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineLayout {
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// Width of both pictures in CSS pixels.
    pub css_width: f64,
    /// A finger moves the scrubber.
    pub phone: bool,
    /// The ribbon on the axis.
    pub ribbon: Rect,
    /// The words below the ribbon; empty without any.
    pub notes: Rect,
    /// The chart on the axis, from the air above its ceiling to its base line.
    pub chart: Rect,
    /// The failure counter on the axis, from its highest count to its base line; empty without one.
    pub counter: Rect,
    /// The lanes of alarms on the axis; empty without any.
    pub alarms: Rect,
    /// What stands below the chart.
    pub below: Below,
    /// Rows or carpet on the axis; empty where there is nothing.
    pub rows: Rect,
    /// Distance of two rows in device pixels; 0 without rows.
    pub pitch: i32,
    /// Height of the upper picture in device pixels.
    pub height: i32,
    /// Height of the scrubber in device pixels.
    pub track: i32,
}

impl TimelineLayout {
    /// Shares the height of a room among the parts. `slots` is the number of slots of the stage,
    /// `rows` the number of rows, or of tasks of a carpet.
    ///
    /// Rows have their full height while the chart keeps its comfort, then both shrink to their
    /// least; where even that is too much, the timeline is higher than asked for.
    pub fn new(room: &Room, slots: u32, rows: usize, extras: Extras) -> TimelineLayout {
        let Room { css_width, phone, scale, .. } = *room;
        let (sizes, left) = sizes(room, extras);
        let (counter, alarms) = extras.heights(sizes);
        let (left, sizes_chart) = (left - extras.notes() - counter - alarms, extras.chart(sizes));
        let below = match rows {
            0 => Below::Nothing,
            _ if slots <= SLOTS_MAX => Below::Rows,
            _ => Below::Carpet,
        };
        // Without rows their gap is free, but the label of the base line hangs below it.
        let left = if below == Below::Nothing { left + sizes.gap - 6.0 } else { left };
        let spare = left - sizes_chart.comfort;
        let (pitch, under) = match below {
            Below::Nothing => (0.0, 0.0),
            Below::Rows => {
                // A whole number of device pixels, so that all rows look the same.
                let pitch = (spare * scale.0 / rows as f64).floor() / scale.0;
                let pitch = within(pitch, extras.row(sizes), sizes.row.1);
                (pitch, pitch * rows as f64)
            }
            Below::Carpet => {
                let (least, firm, most) = sizes.carpet;
                let height = within(spare, firm, most).min((left - sizes_chart.firm).max(least));
                (0.0, carpet::height(rows as u32, height))
            }
        };
        let least = if low(room, extras.is_none()) && !extras.is_none() { CHART_LEAST_LOW } else { sizes_chart.least };
        let chart = within(left - under, least, sizes_chart.most).round();
        let left = scale.px(GUTTER_LEFT);
        let width = (scale.px(css_width - GUTTER_RIGHT) - left).max(1);
        let part = |from: f64, height: f64| {
            let y = scale.px(from);
            Rect::new(left, y, width, scale.px(from + height) - y)
        };
        let chart_y = sizes.ribbon + extras.notes() + sizes.gap;
        let counter_y = chart_y + chart;
        let alarms_y = counter_y + counter;
        let rows_y = alarms_y + alarms + sizes.gap;
        let pitch = scale.px(pitch);
        let mut place = part(rows_y, under);
        if below == Below::Rows {
            place.h = pitch * rows as i32;
        }
        // The label of the base line hangs below it.
        let base = part(chart_y, chart + 6.0 + counter + alarms).bottom();
        let end = if below == Below::Nothing { base } else { place.bottom() };
        let inside = |from: f64, height: f64, gap: f64| match height > 0.0 {
            true => part(from + gap, height - gap),
            false => Rect::new(left, part(from, 0.0).y, width, 0),
        };
        TimelineLayout {
            scale,
            css_width,
            phone,
            ribbon: part(0.0, sizes.ribbon),
            notes: part(sizes.ribbon, extras.notes()),
            chart: part(chart_y, chart),
            counter: inside(counter_y, counter, COUNTER_GAP),
            alarms: inside(alarms_y, alarms, sizes.gap),
            below,
            rows: place,
            pitch,
            height: end + scale.px(2.0),
            track: scale.px(sizes.track),
        }
    }

    /// The lane of an alarm.
    pub fn alarm(&self, lane: usize) -> Rect {
        let (height, pitch) = (self.scale.px(ALARM.0), self.scale.px(ALARM.1));
        Rect { y: self.alarms.y + pitch * lane as i32, h: height, ..self.alarms }
    }

    /// Heights of everything on the axis below the ribbon.
    pub fn body(&self) -> (i32, i32) {
        (self.chart.y, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ChartOf;
    use super::*;

    const NONE: Extras = Extras { notes: false, counter: false, alarms: 0 };

    fn css(layout: &TimelineLayout) -> (f64, f64, f64) {
        let of = |device: i32| f64::from(device) / layout.scale.0;
        (of(layout.chart.h), of(layout.pitch), of(layout.height + layout.track))
    }

    fn room(css_width: f64, css_height: f64, phone: bool, scale: f64) -> Room {
        let chart = ChartOf::Tasks;
        Room { css_width, css_height, phone, grows: phone, bare: false, scale: Scale(scale), chart }
    }

    #[test]
    fn eight_rows_at_1440_by_900_are_those_of_the_design() {
        let layout = TimelineLayout::new(&room(756.0, 384.0, false, 1.0), 6, 8, NONE);
        assert_eq!(layout.below, Below::Rows);
        assert_eq!(layout.ribbon, Rect::new(46, 0, 640, 20));
        assert_eq!(css(&layout), (170.0, 16.0, 384.0));
        assert_eq!(layout.rows.y, layout.chart.bottom() + 10);
    }

    #[test]
    fn rows_shrink_before_the_chart_loses_its_comfort() {
        let layout =
            |width, height, phone, scale| css(&TimelineLayout::new(&room(width, height, phone, scale), 6, 8, NONE));
        assert_eq!(layout(700.0, 330.0, false, 2.0), (148.0, 12.0, 330.0));
        assert_eq!(layout(700.0, 270.0, false, 2.0), (88.0, 12.0, 270.0));
        assert_eq!(layout(358.0, 290.0, true, 3.0), (110.0, 11.0, 290.0));
    }

    #[test]
    fn as_many_rows_as_the_chart_leaves_room_for() {
        for (height, rows) in [(384.0, 16), (294.0, 9), (239.0, 4), (150.0, ROWS_LEAST), (900.0, 59)] {
            let room = room(756.0, height, false, 1.0);
            assert_eq!(rows_most(&room, NONE), rows, "{height}");
            let layout = TimelineLayout::new(&room, 24, rows, NONE);
            let (chart, ..) = css(&layout);
            assert!(chart >= if rows == ROWS_LEAST { 56.0 } else { 96.0 }, "{height}: {chart}");
        }
        // The page of a phone scrolls as a whole.
        assert_eq!(rows_most(&room(358.0, 306.0, true, 1.0), NONE), ROWS_GROWING);
    }

    #[test]
    fn a_timeline_keeps_to_its_height_as_long_as_it_can() {
        for (slots, least) in [(0, 140.0), (8, 200.0), (24, 200.0), (1_000, 200.0)] {
            for height in (0..80).map(|k| least + f64::from(k) * 5.0) {
                let room = room(756.0, height, false, 1.0);
                let rows = if slots > 24 { 2_000 } else { rows_most(&room, NONE).min(2 * slots as usize) };
                let (.., all) = css(&TimelineLayout::new(&room, slots, rows, NONE));
                assert!(all <= height, "{slots} slots, {height}: {all}");
            }
        }
    }

    #[test]
    fn the_parts_stand_below_each_other_at_any_size() {
        for scale in [1.0, 1.25, 2.0, 2.625] {
            for (slots, rows) in [(0, 0), (1, 2), (6, 8), (24, 28), (25, 50), (10_000, 20_000)] {
                for (width, height, phone) in [(320.0, 200.0, true), (756.0, 384.0, false), (2_600.0, 900.0, false)] {
                    let layout = TimelineLayout::new(&room(width, height, phone, scale), slots, rows, NONE);
                    assert!(layout.ribbon.bottom() < layout.chart.y);
                    assert!(layout.chart.h >= Scale(scale).px(56.0));
                    match layout.below {
                        Below::Nothing => assert!(layout.rows.is_empty() && rows == 0),
                        _ => assert!(layout.chart.bottom() < layout.rows.y && layout.rows.bottom() < layout.height),
                    }
                    assert_eq!(layout.below == Below::Carpet, slots > 24);
                    assert!(layout.rows.h <= Scale(scale).px(16.0) * 28);
                }
            }
        }
    }

    #[test]
    fn counter_and_alarms_stand_between_chart_and_rows() {
        for extras in
            [(true, 0), (false, 2), (true, 3)].map(|(counter, alarms)| Extras { notes: counter, counter, alarms })
        {
            for height in (0..60).map(|k| 260.0 + f64::from(k) * 8.0) {
                let room = room(756.0, height, false, 1.0);
                let rows = rows_most(&room, extras).min(20);
                let layout = TimelineLayout::new(&room, 15, rows, extras);
                assert_eq!(layout.counter.is_empty(), !extras.counter);
                assert_eq!(layout.alarms.is_empty(), extras.alarms == 0);
                assert!(layout.ribbon.bottom() <= layout.notes.y && layout.notes.bottom() < layout.chart.y);
                assert!(layout.chart.bottom() <= layout.counter.y && layout.counter.bottom() <= layout.alarms.y);
                assert!(layout.alarms.bottom() < layout.rows.y && layout.rows.bottom() < layout.height);
                let last = layout.alarm(extras.alarms.saturating_sub(1));
                assert!(extras.alarms == 0 || last.bottom() <= layout.alarms.bottom());
                let all = f64::from(layout.height + layout.track);
                assert!(height < 330.0 || all <= height, "{extras:?} {height}: {all}");
            }
        }
    }
}

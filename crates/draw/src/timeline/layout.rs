//! Heights: how ribbon, chart, rows and scrubber share the room there is.

use crate::carpet;
use crate::geometry::{Rect, Scale};
use crate::rows::{ROWS_MAX, SLOTS_MAX};
use crate::xscale::{GUTTER_LEFT, GUTTER_RIGHT};

/// Sizes in CSS pixels that differ between a phone and everything else.
struct Sizes {
    ribbon: f64,
    /// Between the parts.
    gap: f64,
    /// Least height of the chart, what it gets before rows shrink, and its most.
    chart: (f64, f64, f64),
    /// Least and full distance of two rows.
    row: (f64, f64),
    /// Least and full height of the carpet.
    carpet: (f64, f64),
    track: f64,
}

const DESK: Sizes = Sizes {
    ribbon: 20.0,
    gap: 10.0,
    chart: (96.0, 150.0, 280.0),
    row: (11.0, 16.0),
    carpet: (60.0, carpet::CARPET_HEIGHT),
    track: 44.0,
};
const PHONE: Sizes = Sizes {
    ribbon: 18.0,
    gap: 8.0,
    chart: (84.0, 112.0, 170.0),
    row: (11.0, 12.0),
    carpet: (48.0, 100.0),
    track: 56.0,
};

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
    /// The chart on the axis, from the air above its ceiling to its base line.
    pub chart: Rect,
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
    /// Shares `css_height` CSS pixels (both pictures together) among the parts. `slots` is the
    /// number of slots of the stage, `rows` the number of rows, or of tasks of a carpet.
    ///
    /// Rows have their full height while the chart keeps its comfort, then both shrink to their
    /// least; where even that is too much, the timeline is higher than asked for and the page
    /// scrolls.
    pub fn new(css_width: f64, css_height: f64, slots: u32, rows: usize, phone: bool, scale: Scale) -> TimelineLayout {
        let sizes = if phone { &PHONE } else { &DESK };
        let below = match rows {
            0 => Below::Nothing,
            1..=ROWS_MAX if slots <= SLOTS_MAX => Below::Rows,
            _ => Below::Carpet,
        };
        let gaps = if below == Below::Nothing { 1.0 } else { 2.0 };
        let room = css_height - sizes.track - sizes.ribbon - sizes.gap * gaps - 2.0;
        let room = if below == Below::Nothing { room - 6.0 } else { room };
        let left = room - sizes.chart.1;
        let (pitch, under) = match below {
            Below::Nothing => (0.0, 0.0),
            Below::Rows => {
                // A whole number of device pixels, so that all rows look the same.
                let pitch = (left * scale.0 / rows as f64).floor() / scale.0;
                let pitch = pitch.clamp(sizes.row.0, sizes.row.1);
                (pitch, pitch * rows as f64)
            }
            Below::Carpet => (0.0, carpet::height(rows as u32, left.clamp(sizes.carpet.0, sizes.carpet.1))),
        };
        let chart = (room - under).clamp(sizes.chart.0, sizes.chart.2).round();
        let left = scale.px(GUTTER_LEFT);
        let width = (scale.px(css_width - GUTTER_RIGHT) - left).max(1);
        let part = |from: f64, height: f64| {
            let y = scale.px(from);
            Rect::new(left, y, width, scale.px(from + height) - y)
        };
        let chart_y = sizes.ribbon + sizes.gap;
        let rows_y = chart_y + chart + sizes.gap;
        let pitch = scale.px(pitch);
        let mut place = part(rows_y, under);
        if below == Below::Rows {
            place.h = pitch * rows as i32;
        }
        // The label of the base line hangs below it.
        let end = if below == Below::Nothing { part(chart_y, chart + 6.0).bottom() } else { place.bottom() };
        TimelineLayout {
            scale,
            css_width,
            phone,
            ribbon: part(0.0, sizes.ribbon),
            chart: part(chart_y, chart),
            below,
            rows: place,
            pitch,
            height: end + scale.px(2.0),
            track: scale.px(sizes.track),
        }
    }

    /// Heights of everything on the axis below the ribbon.
    pub fn body(&self) -> (i32, i32) {
        (self.chart.y, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn css(layout: &TimelineLayout) -> (f64, f64, f64) {
        let of = |device: i32| f64::from(device) / layout.scale.0;
        (of(layout.chart.h), of(layout.pitch), of(layout.height + layout.track))
    }

    #[test]
    fn eight_rows_at_1440_by_900_are_those_of_the_design() {
        let layout = TimelineLayout::new(756.0, 384.0, 6, 8, false, Scale(1.0));
        assert_eq!(layout.below, Below::Rows);
        assert_eq!(layout.ribbon, Rect::new(46, 0, 640, 20));
        assert_eq!(css(&layout), (170.0, 16.0, 384.0));
        assert_eq!(layout.rows.y, layout.chart.bottom() + 10);
    }

    #[test]
    fn rows_shrink_before_the_chart_loses_its_comfort() {
        let low = TimelineLayout::new(700.0, 330.0, 6, 8, false, Scale(2.0));
        assert_eq!(css(&low), (152.0, 11.5, 330.0));
        let lower = TimelineLayout::new(700.0, 270.0, 6, 8, false, Scale(2.0));
        assert_eq!(css(&lower), (96.0, 11.0, 270.0));
        let phone = TimelineLayout::new(358.0, 290.0, 6, 8, true, Scale(3.0));
        assert_eq!(css(&phone), (110.0, 11.0, 290.0));
    }

    #[test]
    fn the_parts_stand_below_each_other_at_any_size() {
        for scale in [1.0, 1.25, 2.0, 2.625] {
            for (slots, rows) in [(0, 0), (1, 2), (6, 8), (24, 28), (24, 29), (25, 50), (10_000, 20_000)] {
                for (width, height, phone) in [(320.0, 200.0, true), (756.0, 384.0, false), (2_600.0, 900.0, false)] {
                    let layout = TimelineLayout::new(width, height, slots, rows, phone, Scale(scale));
                    assert!(layout.ribbon.bottom() < layout.chart.y);
                    assert!(layout.chart.h >= Scale(scale).px(84.0));
                    match layout.below {
                        Below::Nothing => assert!(layout.rows.is_empty() && rows == 0),
                        _ => assert!(layout.chart.bottom() < layout.rows.y && layout.rows.bottom() < layout.height),
                    }
                    assert_eq!(layout.below == Below::Carpet, slots > 24 || rows > 28);
                    assert!(layout.rows.h <= Scale(scale).px(16.0) * 28);
                }
            }
        }
    }
}

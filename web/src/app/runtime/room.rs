//! How stage and timeline share the height of the middle.

use rollscope_draw::stage::{COUNTS_BELOW, Level};
use rollscope_draw::timeline::{COMFORT_BARE, ChartOf, Room, comfort};
use rollscope_draw::weights::WEIGHTS_HEIGHT;
use rollscope_draw::{Scale, strip};

/// Height of the timeline where the page scrolls as a whole.
const TIMELINE_PHONE: f64 = 279.0;
const TIMELINE_NARROW: f64 = 400.0;
/// Below this width the page is a phone's.
const PHONE: f64 = 640.0;
/// Least height of the stage: what is lower than that scrolls.
const STAGE_LEAST: f64 = 60.0;

/// Size of the page as far as pictures depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page {
    /// Width of the pictures in CSS pixels.
    pub width: f64,
    /// What the middle has for pictures, where it has a height of its own.
    pub middle: Option<Middle>,
    /// The player inside another page: of the timeline only chart and scrubber.
    pub bare: bool,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
}

/// Heights of the middle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    /// For strip, stage, table of counts and timeline together.
    pub pictures: f64,
    /// What the table of counts takes of it.
    pub counts: f64,
}

impl Page {
    /// The height that the boxes of so many slots should stay under, where there is one: the
    /// timeline has all it needs then. `still` for a run in which nothing happens after its begin, `walls` for
    /// a stage with two of them.
    pub fn stage(&self, slots: u32, still: bool, walls: bool) -> Option<f64> {
        let middle = self.middle?;
        let beside = match Level::of(slots) {
            Level::Cards | Level::Boxes | Level::Tiles if walls => WEIGHTS_HEIGHT - strip::STRIP_HEIGHT,
            Level::Cards => strip::WIRES_HEIGHT.1,
            Level::Cells | Level::Far => COUNTS_BELOW,
            Level::Boxes | Level::Tiles => 0.0,
        };
        let below = if self.bare { COMFORT_BARE } else { comfort(slots, still) };
        Some((middle.pictures - beside - strip::STRIP_HEIGHT - below).max(STAGE_LEAST))
    }

    /// The room of the timeline below strip and stage, which are `above` CSS pixels high.
    pub fn timeline(&self, above: f64) -> Room {
        let phone = self.width < PHONE && self.middle.is_none();
        let css_height = match self.middle {
            None if phone => TIMELINE_PHONE,
            None => TIMELINE_NARROW,
            Some(middle) => (middle.pictures - middle.counts - above).floor(),
        };
        Room {
            css_width: self.width,
            css_height,
            phone,
            grows: self.middle.is_none(),
            bare: self.bare,
            scale: self.scale,
            chart: ChartOf::Tasks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(pictures: f64, counts: f64) -> Page {
        Page { width: 756.0, middle: Some(Middle { pictures, counts }), bare: false, scale: Scale(1.0) }
    }

    #[test]
    fn what_the_stage_leaves_is_the_timelines() {
        let page = page(540.0, 0.0);
        assert_eq!(page.stage(6, false, false), Some(540.0 - 28.0 - 40.0 - comfort(6, false)));
        let room = page.timeline(180.0);
        assert_eq!(room.css_height, 360.0);
        assert!(!room.phone && !room.grows);
    }

    #[test]
    fn where_the_table_stands_does_not_change_the_boxes() {
        assert_eq!(page(560.0, 0.0).stage(1_000, false, false), page(560.0, 71.0).stage(1_000, false, false));
    }

    #[test]
    fn a_page_that_scrolls_has_usual_heights() {
        let page = |width| Page { width, middle: None, bare: false, scale: Scale(2.0) };
        assert_eq!(page(358.0).stage(6, false, false), None);
        assert_eq!((page(358.0).timeline(200.0).css_height, page(358.0).timeline(200.0).phone), (279.0, true));
        assert_eq!((page(800.0).timeline(200.0).css_height, page(800.0).timeline(200.0).phone), (400.0, false));
    }
}

//! The task that finds no slot, beyond the wall.

use plotters_backend::{DrawingBackend, DrawingErrorKind};

use super::layout::Layout;
use super::plan::{GHOST_AWAY, Level};
use super::wall::Side;
use crate::geometry::Rect;
use crate::palette::Palette;
use crate::pen::{self, Anchor, Face, Ink};

/// Narrowest ghost in CSS pixels.
const LEAST: f64 = 74.0;

/// What is written into the ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost<'a> {
    /// The task's name.
    pub name: &'a str,
    /// Why it is not there: `no slot to start in`.
    pub note: &'a str,
    /// Lane of colour.
    pub lane: u8,
}

impl Layout {
    /// The ghost's place in device pixels: as large as a card, right of the wall and its label.
    /// `None` where it finds no room, at other levels, and where slots are in use beyond the wall.
    pub fn ghost(&self) -> Option<Rect> {
        let wall = self.wall();
        if self.halves().is_some()
            || self.level != Level::Cards
            || wall.side != Side::Right
            || self.slots > self.ceiling
        {
            return None;
        }
        let card = match self.slots {
            0 => Rect::new(0, self.top, self.scale.px(150.0), self.scale.px(50.0)),
            slots => self.rect(slots - 1),
        };
        let place = Rect { x: wall.hatch.right() + self.scale.px(GHOST_AWAY), ..card };
        (place.right() + self.scale.px(4.0) <= self.width && card.w >= self.scale.px(LEAST)).then_some(place)
    }
}

/// Draws the ghost, or clears its place. True when there was room for it.
pub fn ghost<DB: DrawingBackend>(
    to: &mut DB,
    layout: &Layout,
    ghost: Option<Ghost<'_>>,
    palette: &Palette,
) -> Result<bool, DrawingErrorKind<DB::ErrorType>> {
    let Some(rect) = layout.ghost() else { return Ok(false) };
    pen::fill(to, rect, palette.surface)?;
    let Some(ghost) = ghost else { return Ok(false) };
    let lane = palette.lane(ghost.lane);
    let px = |css: f64| layout.scale.px(css);
    let edge = Ink(lane.full.over(palette.surface, 80), px(2.0).max(1) as u32);
    pen::dashed_rounded(to, rect, px(7.0), edge, (px(6.0), px(5.0)))?;
    let (x, y) = (rect.x + rect.w / 2, rect.y + rect.h / 2);
    let name = Face { size: layout.scale.0 * 14.0, bold: true, colour: lane.ink, anchor: Anchor::Centre };
    let note = Face { size: layout.scale.0 * 12.0, bold: false, colour: palette.ink_2, ..name };
    let wide = to.estimate_text_size(ghost.note, &note).map_or(0, |(width, _)| width as i32);
    match halves(ghost.note).filter(|_| wide > rect.w - px(12.0)) {
        Some((upper, lower)) => {
            pen::text(to, ghost.name, (x, y - px(16.0)), name)?;
            pen::text(to, upper, (x, y + px(3.0)), note)?;
            pen::text(to, lower, (x, y + px(17.0)), note)?;
        }
        None => {
            pen::text(to, ghost.name, (x, y - px(9.0)), name)?;
            pen::text(to, ghost.note, (x, y + px(11.0)), note)?;
        }
    }
    Ok(true)
}

/// Words in two lines, parted where they are most alike in length.
fn halves(words: &str) -> Option<(&str, &str)> {
    let gaps = words.match_indices(' ').map(|(at, _)| at);
    let at = gaps.min_by_key(|at| (2 * at).abs_diff(words.len()))?;
    Some((&words[..at], &words[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::super::layout::Site;
    use super::*;
    use crate::geometry::Scale;

    #[test]
    fn cards_make_room_for_the_ghost() {
        let ghost =
            |slots, width| Layout::on(slots, slots, &Site { ghost: true, ..Site::new(width, Scale(1.0)) }).ghost();
        for slots in 1..=6 {
            let place = ghost(slots, 756.0).unwrap_or_else(|| panic!("{slots} cards leave no room"));
            assert!(place.right() <= 752 && place.w >= 74, "{slots}: {place:?}");
        }
    }

    #[test]
    fn words_are_parted_in_the_middle() {
        assert_eq!(halves("no slot to start in"), Some(("no slot to", "start in")));
        assert_eq!(halves("none"), None);
    }
}

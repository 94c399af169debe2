//! From one box to the next with the arrow keys.

use super::layout::Layout;

/// An arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the left in the same row.
    Left,
    /// To the right in the same row.
    Right,
    /// The row above.
    Up,
    /// The row below.
    Down,
}

impl Layout {
    /// The first slot of the box next to that of `slot` as the picture shows it: across the gap
    /// between two blocks or groups, and from square to square far away. `None` at an edge.
    /// From a slot that is not there it is the first box.
    pub fn neighbour(&self, slot: u32, direction: Direction) -> Option<u32> {
        if !self.holds(slot) {
            return (self.units() > 0).then(|| self.first_slot(0));
        }
        let from = self.rect(slot);
        let (x, y) = (from.x + from.w / 2, from.y + from.h / 2);
        // Distance along the key's direction first, across it second; nothing on the wrong side.
        let distance = |unit: u32| {
            let rect = self.unit_rect(unit);
            let (dx, dy) = (rect.x + rect.w / 2 - x, rect.y + rect.h / 2 - y);
            let (along, across) = match direction {
                Direction::Left => (-dx, dy),
                Direction::Right => (dx, dy),
                Direction::Up => (-dy, dx),
                Direction::Down => (dy, dx),
            };
            let sideways = matches!(direction, Direction::Left | Direction::Right);
            (along > 0 && !(sideways && across != 0)).then_some((along, across.abs(), unit))
        };
        let (_, _, unit) = (0..self.units()).filter_map(distance).min()?;
        Some(self.first_slot(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Scale;
    use Direction::{Down, Left, Right, Up};

    fn layout(slots: u32) -> Layout {
        Layout::new(0, slots, 756.0, Scale(1.0))
    }

    #[test]
    fn arrows_follow_the_rows() {
        let boxes = layout(20);
        assert_eq!(boxes.columns(), 8);
        for (slot, direction, to) in [
            (0, Right, Some(1)),
            (0, Left, None),
            (0, Up, None),
            (7, Right, None),
            (3, Down, Some(11)),
            (11, Up, Some(3)),
            // The last row is shorter: the nearest box of it.
            (15, Down, Some(19)),
            (19, Down, None),
        ] {
            assert_eq!(boxes.neighbour(slot, direction), to, "{slot} {direction:?}");
        }
    }

    #[test]
    fn arrows_cross_from_block_to_block() {
        let cells = layout(1_000);
        assert_eq!(cells.neighbour(9, Right), Some(100));
        assert_eq!(cells.neighbour(100, Left), Some(9));
        let below = cells.neighbour(90, Down).expect("a block below");
        assert_eq!((below % 100, cells.rect(below).x), (0, cells.rect(90).x));
        assert_eq!(cells.neighbour(below, Up), Some(90));
    }

    #[test]
    fn far_away_arrows_go_from_square_to_square() {
        let far = layout(10_000);
        assert_eq!(far.neighbour(57, Right), Some(100));
        assert_eq!(far.neighbour(57, Down), Some(2_000));
        assert_eq!(far.neighbour(9_950, Right), None);
    }

    #[test]
    fn a_slot_that_is_gone_leads_to_the_first() {
        assert_eq!(layout(4).neighbour(9, Left), Some(0));
        assert_eq!(layout(0).neighbour(0, Right), None);
    }
}

//! Which rows of a long list are in view: only those are in the page.
//!
//! Rows have one of two heights, so that the place of each one is known without measuring it.

use std::ops::Range;

/// Heights of the two kinds of rows in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heights {
    /// A row with one line of text.
    pub one: f64,
    /// A row with two.
    pub two: f64,
}

impl Default for Heights {
    fn default() -> Heights {
        Heights { one: 31.0, two: 49.0 }
    }
}

/// The rows of a list by their height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Tall rows before each row, and last of all how many there are.
    tall: Vec<u32>,
}

impl Rows {
    /// Rows in their order; true is a row with two lines.
    pub fn new(rows: impl Iterator<Item = bool>) -> Rows {
        let mut before = 0;
        let mut tall = vec![0];
        for row in rows {
            before += u32::from(row);
            tall.push(before);
        }
        Rows { tall }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tall.len() - 1
    }

    /// Upper edge of a row; that of the row behind the last one is the height of the list.
    pub fn top(&self, row: usize, heights: Heights) -> f64 {
        let row = row.min(self.len());
        let tall = self.tall[row] as usize;
        (row - tall) as f64 * heights.one + tall as f64 * heights.two
    }

    /// Height of all rows.
    pub fn height(&self, heights: Heights) -> f64 {
        self.top(self.len(), heights)
    }

    /// The row at a height; the first or last one beyond the list.
    pub fn at(&self, y: f64, heights: Heights) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.top(middle + 1, heights) <= y {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low.min(self.len().saturating_sub(1))
    }

    /// The rows of a view that begins at `scroll`, and `beyond` more at both sides.
    pub fn window(&self, scroll: f64, view: f64, heights: Heights, beyond: usize) -> Range<usize> {
        if self.len() == 0 {
            return 0..0;
        }
        let from = self.at(scroll, heights).saturating_sub(beyond);
        let until = self.at(scroll + view, heights) + 1 + beyond;
        from..until.min(self.len())
    }

    /// Where the view has to begin so that a row is in it: absent when it is already.
    pub fn reveal(&self, row: usize, scroll: f64, view: f64, heights: Heights) -> Option<f64> {
        let (top, bottom) = (self.top(row, heights), self.top(row + 1, heights));
        if top < scroll {
            Some(top)
        } else if bottom > scroll + view {
            Some(bottom - view)
        } else {
            None
        }
    }

    /// Where the view begins that has a row a little above its middle.
    pub fn centre(&self, row: usize, view: f64, heights: Heights) -> f64 {
        let most = (self.height(heights) - view).max(0.0);
        rollscope_draw::within(self.top(row, heights) - view * 0.4, 0.0, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: Heights = Heights { one: 30.0, two: 50.0 };

    fn rows(kinds: &[u8]) -> Rows {
        Rows::new(kinds.iter().map(|lines| *lines == 2))
    }

    #[test]
    fn rows_stand_one_below_the_other() {
        let rows = rows(&[1, 2, 1, 2]);
        let tops: Vec<f64> = (0..=4).map(|row| rows.top(row, H)).collect();
        assert_eq!(tops, [0.0, 30.0, 80.0, 110.0, 160.0]);
        assert_eq!(rows.height(H), 160.0);
    }

    #[test]
    fn the_row_at_a_height() {
        let rows = rows(&[1, 2, 1, 2]);
        for (y, row) in [(-5.0, 0), (0.0, 0), (29.9, 0), (30.0, 1), (79.0, 1), (80.0, 2), (159.0, 3), (900.0, 3)] {
            assert_eq!(rows.at(y, H), row, "{y}");
        }
    }

    #[test]
    fn the_window_holds_every_row_in_view_and_is_bounded() {
        let many = rows(&[1; 80_000]);
        assert_eq!(many.window(30_000.0, 600.0, H, 8), 992..1_029);
        assert_eq!(many.window(0.0, 600.0, H, 8), 0..29);
        assert_eq!(many.window(many.height(H) - 600.0, 600.0, H, 8), 79_972..80_000);
        assert_eq!(rows(&[]).window(0.0, 600.0, H, 8), 0..0);
        assert_eq!(rows(&[1, 2]).window(0.0, 600.0, H, 8), 0..2);
    }

    #[test]
    fn a_row_is_brought_into_view_by_the_shortest_way() {
        let many = rows(&[1; 100]);
        assert_eq!(many.reveal(5, 150.0, 300.0, H), None);
        assert_eq!(many.reveal(4, 150.0, 300.0, H), Some(120.0));
        assert_eq!(many.reveal(15, 150.0, 300.0, H), Some(180.0));
    }

    #[test]
    fn the_view_round_a_row_stays_inside_the_list() {
        let many = rows(&[1; 100]);
        assert_eq!(many.centre(0, 300.0, H), 0.0);
        assert_eq!(many.centre(50, 300.0, H), 1_380.0);
        assert_eq!(many.centre(99, 300.0, H), 2_700.0);
        assert_eq!(rows(&[1]).centre(0, 300.0, H), 0.0);
    }
}

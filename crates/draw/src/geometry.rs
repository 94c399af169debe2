//! Sizes and rectangles in device pixels.

/// Device pixels per CSS pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(pub f64);

impl Scale {
    /// A length of CSS pixels in whole device pixels, rounded to the nearest.
    pub fn px(self, css: f64) -> i32 {
        nearest(css * self.0)
    }

    /// A line width: at least one device pixel.
    pub fn line(self, css: f64) -> u32 {
        self.px(css).max(1) as u32
    }
}

/// A number to the nearest whole one, halves away from zero, as `f64::round` has it: that one is a
/// call into a library on every target in use, and this is asked for several times a box.
pub(crate) fn nearest(value: f64) -> i32 {
    let whole = value as i32;
    let rest = value - f64::from(whole);
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}

/// The number between two others that is nearest to this one. `f64::clamp` writes its numbers when it
/// panics, and how floats are written is fifteen kilobytes of code.
pub fn within(value: f64, low: f64, high: f64) -> f64 {
    value.max(low).min(high)
}

/// A rectangle in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width, at least 0.
    pub w: i32,
    /// Height, at least 0.
    pub h: i32,
}

impl Rect {
    /// A rectangle from its left top corner and its size.
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> Rect {
        Rect { x, y, w, h }
    }

    /// First column right of it.
    pub const fn right(self) -> i32 {
        self.x + self.w
    }

    /// First row below it.
    pub const fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// True when the point lies inside.
    pub const fn contains(self, x: i32, y: i32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }

    /// The same rectangle, `by` smaller at each side; negative grows it.
    pub const fn inset(self, by: i32) -> Rect {
        Rect { x: self.x + by, y: self.y + by, w: self.w - 2 * by, h: self.h - 2 * by }
    }

    /// The same rectangle, `by` narrower at the left and at the right.
    pub const fn narrower(self, by: i32) -> Rect {
        Rect { x: self.x + by, w: self.w - 2 * by, ..self }
    }

    /// True when nothing can be drawn in it.
    pub const fn is_empty(self) -> bool {
        self.w <= 0 || self.h <= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_never_vanish() {
        assert_eq!(Scale(1.0).line(0.3), 1);
        assert_eq!(Scale(2.0).line(1.5), 3);
        assert_eq!(Scale(2.625).px(10.0), 26);
    }

    #[test]
    fn the_nearest_is_what_the_library_says() {
        let mut values = vec![0.499_999_999_999_999_94, 2.5, 3.5, 1e9, f64::NAN, -0.0];
        values.extend((-4_000..4_000).map(|k| f64::from(k) / 16.0));
        for value in values {
            assert_eq!((nearest(value), nearest(-value)), (value.round() as i32, (-value).round() as i32), "{value}");
        }
    }

    #[test]
    fn a_rectangle_holds_its_left_and_top_edge_only() {
        let rect = Rect::new(2, 3, 10, 4);
        assert!(rect.contains(2, 3));
        assert!(!rect.contains(12, 3));
        assert!(!rect.contains(2, 7));
        assert_eq!(rect.inset(-2), Rect::new(0, 1, 14, 8));
    }
}

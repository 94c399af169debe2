//! A backend that counts, and remembers how far the drawing reached.

use std::convert::Infallible;

use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Counted work of a picture.
#[derive(Default)]
pub struct Ink {
    size: (u32, u32),
    /// Calls of any kind.
    pub calls: u32,
    /// Paths, where rectangles of one colour in a row, and lines of one style in a row, are one.
    pub paths: u32,
    last: Option<(bool, (u8, u8, u8), u32)>,
    /// Smallest and largest x and y of anything drawn.
    pub reach: Option<(BackendCoord, BackendCoord)>,
}

impl Ink {
    pub fn new(width: i32, height: i32) -> Ink {
        Ink { size: (width as u32, height as u32), ..Ink::default() }
    }

    /// True when all of it lies inside the picture.
    pub fn inside(&self) -> bool {
        let (width, height) = (self.size.0 as i32, self.size.1 as i32);
        self.reach.is_none_or(|(least, most)| least.0 >= 0 && least.1 >= 0 && most.0 <= width && most.1 <= height)
    }

    fn shape(&mut self, style: Option<(bool, BackendColor, u32)>, points: impl IntoIterator<Item = BackendCoord>) {
        self.calls += 1;
        let key = style.map(|(fill, colour, width)| (fill, colour.rgb, width));
        if key.is_none() || key != self.last {
            self.paths += 1;
        }
        self.last = key;
        for (x, y) in points {
            let (least, most) = self.reach.unwrap_or(((x, y), (x, y)));
            self.reach = Some(((least.0.min(x), least.1.min(y)), (most.0.max(x), most.1.max(y))));
        }
    }
}

impl DrawingBackend for Ink {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }
    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }
    fn present(&mut self) -> Drawn {
        Ok(())
    }
    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.shape(Some((true, colour, 1)), [at]);
        Ok(())
    }
    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S) -> Drawn {
        self.shape(Some((false, style.color(), style.stroke_width())), [a, b]);
        Ok(())
    }
    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        assert!(fill && a.0 < b.0 && a.1 < b.1, "an empty or outlined rectangle: {a:?} {b:?}");
        self.shape(Some((true, style.color(), 1)), [a, b]);
        Ok(())
    }
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.shape(Some((false, style.color(), style.stroke_width())), path);
        Ok(())
    }
    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, _: &S) -> Drawn {
        self.shape(None, points);
        Ok(())
    }
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let (width, height) = self.estimate_text_size(text, style).unwrap_or_default();
        let (width, half) = (width as i32, height as i32 / 2);
        let left = match style.anchor().h_pos {
            HPos::Left => x,
            HPos::Center => x - width / 2,
            HPos::Right => x - width,
        };
        self.shape(None, [(left, y - half), (left + width, y + half)]);
        Ok(())
    }
}

//! The plotters backend of one picture.

use std::convert::Infallible;
use std::ops::Range;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::CanvasRenderingContext2d;

use super::surface::Surface;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

#[wasm_bindgen]
extern "C" {
    // Of web/js/shapes.js, which says how the numbers are read. A slice crosses without a copy.
    #[wasm_bindgen(js_namespace = rollscopeShapes, js_name = rects)]
    fn fill_rects(context: &CanvasRenderingContext2d, numbers: &[i32]);
    #[wasm_bindgen(js_namespace = rollscopeShapes, js_name = lines)]
    fn stroke_lines(context: &CanvasRenderingContext2d, numbers: &[i32], shift: f64);
    #[wasm_bindgen(js_namespace = rollscopeShapes, js_name = areas)]
    fn fill_areas(context: &CanvasRenderingContext2d, numbers: &[i32]);
}

/// A style whose shapes have not been drawn yet.
#[derive(Clone, Copy)]
enum Pending {
    Nothing,
    Rects(BackendColor),
    Lines(BackendColor, u32),
    Areas(BackendColor),
}

impl Pending {
    fn same(self, other: Pending) -> bool {
        match (self, other) {
            (Pending::Rects(a), Pending::Rects(b)) | (Pending::Areas(a), Pending::Areas(b)) => same(a, b),
            (Pending::Lines(a, v), Pending::Lines(b, w)) => v == w && same(a, b),
            _ => false,
        }
    }
}

/// Draws on a [`Surface`]. Rectangles, lines and areas of one style in a row go out at one call.
/// What is pending goes out with the next other shape, with `present` and at the end.
pub struct Backend<'a> {
    surface: &'a Surface,
    pending: Pending,
    /// The pending shapes as `web/js/shapes.js` reads them.
    numbers: Vec<i32>,
    /// Columns that are seen: words that lie wholly outside are left out.
    seen: Range<i32>,
}

impl<'a> Backend<'a> {
    /// Begins a picture; what is on the canvas stays.
    pub fn new(surface: &'a Surface) -> Backend<'a> {
        Backend::between(surface, i32::MIN..i32::MAX)
    }

    /// The same for a picture of which only some columns are ever seen.
    pub fn between(surface: &'a Surface, seen: Range<i32>) -> Backend<'a> {
        Backend { surface, pending: Pending::Nothing, numbers: surface.take_room(), seen }
    }

    fn flush(&mut self) {
        let context = self.surface.context();
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => return,
            Pending::Rects(colour) => {
                self.surface.fill_style(colour);
                fill_rects(context, &self.numbers);
            }
            Pending::Lines(colour, width) => {
                self.surface.stroke_style(colour, width);
                stroke_lines(context, &self.numbers, half_pixel(width));
            }
            Pending::Areas(colour) => {
                self.surface.fill_style(colour);
                fill_areas(context, &self.numbers);
            }
        }
        self.numbers.clear();
    }

    fn begin(&mut self, style: Pending) {
        if !self.pending.same(style) {
            self.flush();
            self.pending = style;
        }
    }

    /// Adds the points of a line or of an area, after their number.
    fn trace(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        let head = self.numbers.len();
        self.numbers.push(0);
        points.into_iter().for_each(|(x, y)| self.numbers.extend_from_slice(&[x, y]));
        let count = (self.numbers.len() - head - 1) / 2;
        if count == 0 {
            self.numbers.truncate(head);
        } else {
            self.numbers[head] = count as i32;
        }
    }
}

impl Drop for Backend<'_> {
    fn drop(&mut self) {
        self.flush();
        self.surface.give_room(std::mem::take(&mut self.numbers));
    }
}

fn same(a: BackendColor, b: BackendColor) -> bool {
    a.rgb == b.rgb && a.alpha == b.alpha
}

/// A line of odd width is sharp between two pixels' edges, one of even width on an edge.
fn half_pixel(width: u32) -> f64 {
    if width % 2 == 1 { 0.5 } else { 0.0 }
}

fn is_bold<S: BackendTextStyle>(style: &S) -> bool {
    matches!(style.style(), FontStyle::Bold)
}

impl DrawingBackend for Backend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.surface.size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.flush();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        let (colour, width) = (style.color(), style.stroke_width());
        if colour.alpha > 0.0 {
            self.begin(Pending::Lines(colour, width));
            self.numbers.extend_from_slice(&[2, from.0, from.1, to.0, to.1]);
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        // The one call that is made thousands of times a picture: the colour is asked for once.
        let colour = style.color();
        if colour.alpha == 0.0 {
            return Ok(());
        }
        if fill {
            self.begin(Pending::Rects(colour));
            self.numbers.extend_from_slice(&[a.0, a.1, b.0 - a.0, b.1 - a.1]);
        } else {
            self.flush();
            let shift = half_pixel(style.stroke_width());
            let (x, y) = (f64::from(a.0) + shift, f64::from(a.1) + shift);
            self.surface.stroke_style(colour, style.stroke_width());
            self.surface.context().stroke_rect(x, y, f64::from(b.0 - a.0), f64::from(b.1 - a.1));
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if style.color().alpha > 0.0 {
            self.begin(Pending::Lines(style.color(), style.stroke_width()));
            self.trace(path);
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        self.flush();
        let context = self.surface.context();
        context.begin_path();
        // Fails for a negative radius only.
        let _ = context.arc(f64::from(x), f64::from(y), f64::from(radius), 0.0, std::f64::consts::TAU);
        if fill {
            self.surface.fill_style(style.color());
            context.fill();
        } else {
            self.surface.stroke_style(style.color(), style.stroke_width());
            context.stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, style: &S) -> Drawn {
        if style.color().alpha > 0.0 {
            self.begin(Pending::Areas(style.color()));
            self.trace(points);
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let unseen = match style.anchor().h_pos {
            HPos::Left => x >= self.seen.end,
            HPos::Center => false,
            HPos::Right => x <= self.seen.start,
        };
        if style.color().alpha == 0.0 || text.is_empty() || unseen {
            return Ok(());
        }
        self.flush();
        self.surface.font(is_bold(style), style.size());
        self.surface.fill_style(style.color());
        let across = match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        };
        let down = match style.anchor().v_pos {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        };
        self.surface.hang(across, down);
        let context = self.surface.context();
        let turn = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 0.25,
            FontTransform::Rotate180 => 0.5,
            FontTransform::Rotate270 => 0.75,
        };
        let (x, y) = (f64::from(x), f64::from(y));
        if turn == 0.0 {
            let _ = context.fill_text(text, x, y);
        } else {
            let _ = context.translate(x, y);
            let _ = context.rotate(turn * std::f64::consts::TAU);
            let _ = context.fill_text(text, 0.0, 0.0);
            let _ = context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        }
        Ok(())
    }

    /// Measured by the canvas: plotters itself would put a styled element into the page, which
    /// the content policy forbids.
    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok(self.surface.measure(text, is_bold(style), style.size()))
    }
}

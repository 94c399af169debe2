//! The plotters backend of one picture.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
    FontTransform,
};

use super::surface::Surface;
use crate::decimal::Decimal;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Shapes of one style that have not been drawn yet.
enum Pending {
    Nothing,
    Rects(BackendColor),
    Lines(BackendColor, u32),
}

/// Draws on a [`Surface`]. Rectangles, and lines, of one style in a row become one path.
/// What is pending goes out with the next other shape, with `present` and at the end.
pub struct Backend<'a> {
    surface: &'a Surface,
    pending: Pending,
}

impl<'a> Backend<'a> {
    /// Begins a picture; what is on the canvas stays.
    pub fn new(surface: &'a Surface) -> Backend<'a> {
        Backend { surface, pending: Pending::Nothing }
    }

    fn flush(&mut self) {
        let context = self.surface.context();
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => {}
            Pending::Rects(colour) => {
                self.surface.fill_style(&css(colour));
                context.fill();
            }
            Pending::Lines(colour, width) => {
                self.surface.stroke_style(&css(colour), width);
                context.stroke();
            }
        }
    }

    fn begin_rects(&mut self, colour: BackendColor) {
        if !matches!(self.pending, Pending::Rects(now) if same(now, colour)) {
            self.flush();
            self.surface.context().begin_path();
            self.pending = Pending::Rects(colour);
        }
    }

    fn begin_lines(&mut self, colour: BackendColor, width: u32) {
        if !matches!(self.pending, Pending::Lines(now, w) if w == width && same(now, colour)) {
            self.flush();
            self.surface.context().begin_path();
            self.pending = Pending::Lines(colour, width);
        }
    }

    /// Adds points to the present path.
    fn trace(&self, points: impl IntoIterator<Item = BackendCoord>, shift: f64) {
        let context = self.surface.context();
        for (index, (x, y)) in points.into_iter().enumerate() {
            let (x, y) = (f64::from(x) + shift, f64::from(y) + shift);
            if index == 0 {
                context.move_to(x, y);
            } else {
                context.line_to(x, y);
            }
        }
    }
}

impl Drop for Backend<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

fn same(a: BackendColor, b: BackendColor) -> bool {
    a.rgb == b.rgb && a.alpha == b.alpha
}

fn css(colour: BackendColor) -> String {
    let (r, g, b) = colour.rgb;
    if colour.alpha >= 1.0 {
        format!("#{r:02x}{g:02x}{b:02x}")
    } else {
        format!("rgba({r},{g},{b},{})", Decimal(colour.alpha))
    }
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
            self.begin_lines(colour, width);
            let shift = half_pixel(width);
            let context = self.surface.context();
            context.move_to(f64::from(from.0) + shift, f64::from(from.1) + shift);
            context.line_to(f64::from(to.0) + shift, f64::from(to.1) + shift);
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        // The one call that is made thousands of times a picture: each is asked for once.
        let colour = style.color();
        if colour.alpha == 0.0 {
            return Ok(());
        }
        let (x, y, w, h) = (f64::from(a.0), f64::from(a.1), f64::from(b.0 - a.0), f64::from(b.1 - a.1));
        if fill {
            self.begin_rects(colour);
            self.surface.context().rect(x, y, w, h);
        } else {
            self.begin_lines(colour, style.stroke_width());
            let shift = half_pixel(style.stroke_width());
            self.surface.context().rect(x + shift, y + shift, w, h);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        if style.color().alpha > 0.0 {
            self.begin_lines(style.color(), style.stroke_width());
            self.trace(path, half_pixel(style.stroke_width()));
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
            self.surface.fill_style(&css(style.color()));
            context.fill();
        } else {
            self.surface.stroke_style(&css(style.color()), style.stroke_width());
            context.stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, style: &S) -> Drawn {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        // Polygons may touch: each is a path of its own, so that none cuts a hole into another.
        self.flush();
        let context = self.surface.context();
        context.begin_path();
        self.trace(points, 0.0);
        context.close_path();
        self.surface.fill_style(&css(style.color()));
        context.fill();
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        if style.color().alpha == 0.0 || text.is_empty() {
            return Ok(());
        }
        self.flush();
        self.surface.font(is_bold(style), style.size());
        self.surface.fill_style(&css(style.color()));
        let context = self.surface.context();
        context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        context.set_text_baseline(match style.anchor().v_pos {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        });
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

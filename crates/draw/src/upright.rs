//! Words that read upwards.

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, FontFamily, FontStyle, FontTransform,
};

use crate::geometry::{Rect, Scale};
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};

/// Their width with their ground, in CSS pixels.
pub const WIDTH: f64 = 16.0;

/// Draws them at the bottom of `room` or in its middle, where they fit.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    room: Rect,
    middle: bool,
    words: &str,
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let face = Upright(Face { size: scale.0 * 12.0, bold: false, colour: palette.ink_2, anchor: Anchor::Left });
    let length = to.estimate_text_size(words, &face.0).map_or(0, |(width, _)| width as i32);
    let thick = scale.px(WIDTH);
    if words.is_empty() || room.w < thick || room.h < length {
        return Ok(());
    }
    let x = room.x + room.w / 2;
    let from = if middle { room.bottom() - (room.h - length) / 2 } else { room.bottom() };
    let pad = scale.px(4.0);
    let ground = Rect::new(x - thick / 2, from - length - pad, thick, length + 2 * pad);
    pen::polygon(to, pen::rounded(ground, scale.px(3.0)), palette.surface)?;
    to.draw_text(words, &face, (x, from))
}

/// A text that reads upwards from its point.
struct Upright(Face);

impl BackendTextStyle for Upright {
    type FontError = std::convert::Infallible;

    fn color(&self) -> BackendColor {
        BackendStyle::color(&Ink(self.0.colour, 1))
    }
    fn size(&self) -> f64 {
        self.0.size
    }
    fn transform(&self) -> FontTransform {
        FontTransform::Rotate270
    }
    fn style(&self) -> FontStyle {
        self.0.style()
    }
    fn anchor(&self) -> plotters_backend::text_anchor::Pos {
        self.0.anchor()
    }
    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.0.layout_box(text)
    }
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _pos: BackendCoord,
        _draw: F,
    ) -> Result<Result<(), E>, Self::FontError> {
        Ok(Ok(()))
    }
}

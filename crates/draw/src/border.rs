//! The end of rollback protection: a heavy line, hatching to its right and a word.

use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingBackend};

use crate::geometry::{Rect, Scale};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Drawn, Ink};

/// Distance of the lines in CSS pixels, measured along the axis.
const STEP: f64 = 12.0;
/// Share of the well's colour behind the hatching, in per cent.
pub const GROUND: u32 = 55;
/// Share of the lines' colour behind data, in per cent.
pub const LINES: u32 = 42;
/// Width of the lines in CSS pixels.
pub const WIDTH: f64 = 1.2;
/// Opacity of the lines over data.
pub const VEIL: f64 = 0.36;

/// A colour that lets through what is below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Veil {
    /// The colour.
    pub colour: Colour,
    /// From 0 to 1.
    pub opacity: f64,
    /// Line width in device pixels.
    pub width: u32,
}

impl BackendStyle for Veil {
    fn color(&self) -> BackendColor {
        BackendColor { alpha: self.opacity, ..self.colour.backend() }
    }
    fn stroke_width(&self) -> u32 {
        self.width
    }
}

/// The lines of the hatching inside a rectangle; pieces of one picture fit together.
pub fn lines(place: Rect, scale: Scale) -> Vec<(BackendCoord, BackendCoord)> {
    hatch::falling(place, scale.px(STEP))
}

/// Hatching behind data.
pub fn behind<DB: DrawingBackend>(to: &mut DB, place: Rect, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let ground = palette.inset.over(palette.surface, GROUND);
    pen::fill(to, place, ground)?;
    let ink = Ink(palette.control.over(ground, LINES), scale.line(WIDTH));
    lines(place, scale).into_iter().try_for_each(|(a, b)| pen::line(to, a, b, ink))
}

/// Hatching over data, in the colour of the ground.
pub fn over<DB: DrawingBackend>(to: &mut DB, place: Rect, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let veil = Veil { colour: palette.surface, opacity: VEIL, width: scale.line(WIDTH) };
    lines(place, scale).into_iter().try_for_each(|(a, b)| to.draw_line(a, b, &veil))
}

/// The heavy line, parted from what it crosses by the colour of the ground.
pub fn line<DB: DrawingBackend>(
    to: &mut DB,
    x: i32,
    (top, bottom): (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let width = scale.line(2.5) as i32;
    let bar = Rect::new(x - width / 2, top, width, bottom - top);
    on_surface(to, bar, scale, palette, palette.ink)
}

/// A heavy line on an underlay of the surface, so that it reads on any fill.
fn on_surface<DB: DrawingBackend>(
    to: &mut DB,
    bar: Rect,
    scale: Scale,
    palette: &Palette,
    colour: Colour,
) -> Drawn<DB> {
    pen::fill(to, bar.narrower(-(scale.line(1.5) as i32)), palette.surface)?;
    pen::fill(to, bar, colour)
}

/// The moment at which a monitor gives a deployment up: a heavy red line that ends there, so that
/// a border at the same moment stays to be seen.
pub fn trip<DB: DrawingBackend>(
    to: &mut DB,
    x: i32,
    (top, bottom): (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let width = scale.line(2.5) as i32;
    let bar = Rect::new(x - width, top, width, bottom - top);
    on_surface(to, bar, scale, palette, palette.fail)
}

/// A moment that matters and changes no rule: a dotted line.
pub fn dotted<DB: DrawingBackend>(
    to: &mut DB,
    x: i32,
    (top, bottom): (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let width = scale.line(1.5) as i32;
    let bar = Rect::new(x - width / 2, top, width, bottom - top);
    pen::fill(to, bar.narrower(-(scale.line(1.0) as i32)), palette.surface)?;
    let dot = scale.px(2.0).max(1);
    let dots = (0..).map(|k| bar.y + k * 2 * dot).take_while(|y| *y < bar.bottom());
    dots.map(|y| Rect { y, h: dot.min(bar.bottom() - y), ..bar }).try_for_each(|dot| pen::fill(to, dot, palette.ink))
}

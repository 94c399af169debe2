//! Where automatic rollback does not protect: hatching, behind a border a heavy line, and words.
//!
//! Behind a border the hatching is plain to see, beside a part that was protected it is light. A run that
//! never was protected has none: it would lie over everything and part nothing, so the ribbon says it.

use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingBackend};
use rollscope_engine::protection::Unprotected;

use crate::geometry::{Rect, Scale};
use crate::hatch;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Drawn, Ink};

/// How much a hatching is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatching {
    /// Behind a border.
    Plain,
    /// Where there never was any protection.
    Light,
}

impl Hatching {
    /// Of a span.
    pub const fn of(span: &Unprotected) -> Hatching {
        if span.border { Hatching::Plain } else { Hatching::Light }
    }

    /// Distance of the lines in CSS pixels, measured along the axis.
    const fn step(self) -> f64 {
        match self {
            Hatching::Plain => 12.0,
            Hatching::Light => 24.0,
        }
    }

    /// Opacity of the lines over data.
    const fn veil(self) -> f64 {
        match self {
            Hatching::Plain => 0.36,
            Hatching::Light => 0.2,
        }
    }

    /// The ground behind data, which light lines leave as it is.
    pub fn ground(self, palette: &Palette) -> Colour {
        match self {
            Hatching::Plain => palette.inset.over(palette.surface, GROUND),
            Hatching::Light => palette.surface,
        }
    }

    /// The lines behind data.
    pub fn ink(self, palette: &Palette) -> Colour {
        let share = match self {
            Hatching::Plain => LINES,
            Hatching::Light => LINES_LIGHT,
        };
        palette.control.over(self.ground(palette), share)
    }

    /// The lines over data.
    pub fn over(self, palette: &Palette, scale: Scale) -> Veil {
        Veil { colour: palette.surface, opacity: self.veil(), width: scale.line(WIDTH) }
    }

    /// The lines inside a rectangle; pieces of one picture fit together.
    pub fn lines(self, place: Rect, scale: Scale) -> Vec<(BackendCoord, BackendCoord)> {
        hatch::falling(place, scale.px(self.step()))
    }
}

/// Share of the well's colour behind the hatching, in per cent.
const GROUND: u32 = 55;
/// Share of the lines' colour behind data, in per cent; of light ones.
const LINES: u32 = 42;
const LINES_LIGHT: u32 = 26;
/// Width of the lines in CSS pixels.
pub const WIDTH: f64 = 1.2;

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

/// Hatching behind data.
pub fn behind<DB: DrawingBackend>(
    to: &mut DB,
    place: Rect,
    hatching: Hatching,
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    pen::fill(to, place, hatching.ground(palette))?;
    let ink = Ink(hatching.ink(palette), scale.line(WIDTH));
    hatching.lines(place, scale).into_iter().try_for_each(|(a, b)| pen::line(to, a, b, ink))
}

/// Hatching over data, in the colour of the ground.
pub fn over<DB: DrawingBackend>(
    to: &mut DB,
    place: Rect,
    hatching: Hatching,
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let veil = hatching.over(palette, scale);
    hatching.lines(place, scale).into_iter().try_for_each(|(a, b)| to.draw_line(a, b, &veil))
}

/// The heavy line, parted from what it crosses by the colour of the ground; right of the red bar of a
/// failure at the same moment.
pub fn line<DB: DrawingBackend>(
    to: &mut DB,
    x: i32,
    beside_trip: bool,
    (top, bottom): (i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let width = scale.line(2.5) as i32;
    let left = if beside_trip { x + scale.line(1.5) as i32 } else { x - width / 2 };
    on_surface(to, Rect::new(left, top, width, bottom - top), scale, palette, palette.ink)
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

/// The moment at which a deployment fails: a heavy red line that ends there, so that
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

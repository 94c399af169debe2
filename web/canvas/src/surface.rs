//! A canvas of the page.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use plotters_backend::BackendColor;
use rollscope_draw::{Palette, Scale};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::decimal::Decimal;

/// A canvas, its size in device pixels and the state of its context.
pub struct Surface {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    /// Device pixels per CSS pixel when it was sized.
    pub scale: Scale,
    /// Width in CSS pixels.
    pub css_width: f64,
    size: (u32, u32),
    family: String,
    memory: RefCell<Memory>,
    /// Room for the numbers of shapes, kept from picture to picture.
    room: Cell<Vec<i32>>,
}

/// What the context holds already, and the texts measured so far.
#[derive(Default)]
struct Memory {
    fill: Option<Paint>,
    stroke: Option<Paint>,
    width: u32,
    font: Font,
    /// Where a text hangs on its point: across, down.
    anchor: (&'static str, &'static str),
    sizes: BTreeMap<Font, BTreeMap<String, (u32, u32)>>,
    /// Texts in `sizes`.
    measured: usize,
}

/// A colour and the bits of its opacity.
type Paint = ((u8, u8, u8), u64);
/// The semi-bold of the style sheet or its normal weight, and the bits of the size.
type Font = (bool, u64);

/// Texts kept measured; more than that and the memory starts anew.
const SIZES_MAX: usize = 2_000;
/// Numbers that room is kept for from picture to picture: 16,000 rectangles.
const ROOM_MAX: usize = 1 << 16;

impl Surface {
    /// Takes over a canvas; `None` where the browser gives no 2D context.
    pub fn new(canvas: HtmlCanvasElement) -> Option<Surface> {
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let size = (canvas.width(), canvas.height());
        let family = token("--font");
        let (memory, room) = (RefCell::default(), Cell::default());
        Some(Surface { canvas, context, scale: Scale(1.0), css_width: 0.0, size, family, memory, room })
    }

    /// A canvas that is not in the document, to compose from.
    pub fn hidden() -> Option<Surface> {
        let document = web_sys::window()?.document()?;
        Surface::new(document.create_element("canvas").ok()?.dyn_into().ok()?)
    }

    /// Sets the size: CSS width and device height. A changed size clears the canvas.
    /// True when something changed.
    pub fn resize(&mut self, css_width: f64, device_height: i32, scale: Scale) -> bool {
        let size = (scale.px(css_width).max(1) as u32, device_height.max(1) as u32);
        let changed = size != self.size || scale != self.scale || css_width != self.css_width;
        if changed {
            self.canvas.set_width(size.0);
            self.canvas.set_height(size.1);
            let style = self.canvas.style();
            // The style sheet cannot know the height; this is the object model, not an attribute.
            let _ = style.set_property("height", &format!("{}px", Decimal(f64::from(size.1) / scale.0)));
            self.size = size;
            self.scale = scale;
            self.css_width = css_width;
            *self.memory.borrow_mut() = Memory::default();
        }
        changed
    }

    /// The element.
    pub fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    pub(super) fn context(&self) -> &CanvasRenderingContext2d {
        &self.context
    }

    /// Size in device pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Copies the columns `from..until` of another canvas of the same size.
    pub fn copy_columns(&self, source: &Surface, from: i32, until: i32) {
        let (x, w, h) = (f64::from(from), f64::from(until - from), f64::from(self.size.1));
        if w > 0.0 {
            let _ = self.context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                &source.canvas,
                x,
                0.0,
                w,
                h,
                x,
                0.0,
                w,
                h,
            );
        }
    }

    /// Puts the whole of another canvas here, `top` device pixels below the upper edge.
    pub fn copy_whole(&self, source: &Surface, top: i32) {
        let (w, h) = (f64::from(source.size.0), f64::from(source.size.1));
        self.context.clear_rect(0.0, f64::from(top), w, h);
        // A canvas without an area cannot be drawn, and has nothing to show.
        let _ = self.context.draw_image_with_html_canvas_element(&source.canvas, 0.0, f64::from(top));
    }

    /// Empty room for numbers, to be given back.
    pub(super) fn take_room(&self) -> Vec<i32> {
        self.room.take()
    }

    /// Gives room back, unless it is so large that keeping it would be a waste.
    pub(super) fn give_room(&self, mut room: Vec<i32>) {
        room.clear();
        room.shrink_to(ROOM_MAX);
        self.room.set(room);
    }

    pub(super) fn fill_style(&self, colour: BackendColor) {
        let mut memory = self.memory.borrow_mut();
        if memory.fill.replace(paint(colour)) != Some(paint(colour)) {
            self.context.set_fill_style_str(&css(colour));
        }
    }

    pub(super) fn stroke_style(&self, colour: BackendColor, width: u32) {
        let mut memory = self.memory.borrow_mut();
        if memory.stroke.replace(paint(colour)) != Some(paint(colour)) {
            self.context.set_stroke_style_str(&css(colour));
        }
        if memory.width != width {
            self.context.set_line_width(f64::from(width));
            memory.width = width;
        }
    }

    /// Sets where texts hang on their points.
    pub(super) fn hang(&self, across: &'static str, down: &'static str) {
        let mut memory = self.memory.borrow_mut();
        let before = std::mem::replace(&mut memory.anchor, (across, down));
        if before.0 != across {
            self.context.set_text_align(across);
        }
        if before.1 != down {
            self.context.set_text_baseline(down);
        }
    }

    /// Sets the font; `bold` is the semi-bold of the style sheet.
    pub(super) fn font(&self, bold: bool, size: f64) {
        let font = (bold, size.to_bits());
        let mut memory = self.memory.borrow_mut();
        if memory.font != font {
            let weight = if bold { 600 } else { 400 };
            self.context.set_font(&format!("{weight} {}px {}", Decimal(size), self.family));
            memory.font = font;
        }
    }

    /// Width and height of a text, measured once.
    pub(super) fn measure(&self, text: &str, bold: bool, size: f64) -> (u32, u32) {
        let font = (bold, size.to_bits());
        if let Some(size) = self.memory.borrow().sizes.get(&font).and_then(|texts| texts.get(text)) {
            return *size;
        }
        self.font(bold, size);
        let width = self.context.measure_text(text).map_or(0.0, |metrics| metrics.width());
        let measured = (width.ceil() as u32, size.ceil() as u32);
        let mut memory = self.memory.borrow_mut();
        if memory.measured >= SIZES_MAX {
            memory.sizes.clear();
            memory.measured = 0;
        }
        memory.measured += 1;
        memory.sizes.entry(font).or_default().insert(text.to_owned(), measured);
        measured
    }
}

fn paint(colour: BackendColor) -> Paint {
    (colour.rgb, colour.alpha.to_bits())
}

fn css(colour: BackendColor) -> String {
    let (r, g, b) = colour.rgb;
    if colour.alpha >= 1.0 {
        format!("#{r:02x}{g:02x}{b:02x}")
    } else {
        format!("rgba({r},{g},{b},{})", Decimal(colour.alpha))
    }
}

/// Device pixels per CSS pixel now, where everything is shown `zoom` times as large.
pub fn device_ratio(zoom: f64) -> Scale {
    let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()) * zoom;
    Scale(if ratio.is_finite() { rollscope_draw::within(ratio, 0.5, 4.0) } else { 1.0 })
}

/// A custom property of the style sheet, empty where there is none.
fn token(name: &str) -> String {
    let style = web_sys::window().and_then(|window| {
        let root = window.document()?.document_element()?;
        window.get_computed_style(&root).ok()?
    });
    style.and_then(|style| style.get_property_value(name).ok()).unwrap_or_default().trim().to_owned()
}

/// The colours of the present theme. Read once a theme change.
pub fn palette() -> Palette {
    Palette::read(token).unwrap_or_else(|_| Palette::light())
}

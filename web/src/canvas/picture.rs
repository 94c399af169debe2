//! A chart as a PNG file, drawn once through plotters-canvas.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use plotters_canvas::CanvasBackend;
use rollscope_draw::chart::{self, Chart, ChartWords, Tone};
use rollscope_draw::{Palette, Scale};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement};

/// Size of the picture in CSS pixels; it is drawn at twice that.
pub const SIZE: (f64, f64) = (960.0, 320.0);
const RATIO: f64 = 2.0;

/// Its scale.
pub const SCALE: Scale = Scale(RATIO);

/// Draws the whole run and hands the file to the browser as a download.
/// False where the browser gives no canvas.
pub fn save(chart: &Chart, palette: &Palette, words: &ChartWords, file: &str) -> bool {
    draw(chart, palette, words).and_then(|canvas| download(&canvas, file)).is_some()
}

fn draw(chart: &Chart, palette: &Palette, words: &ChartWords) -> Option<HtmlCanvasElement> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(SCALE.px(SIZE.0) as u32);
    canvas.set_height(SCALE.px(SIZE.1) as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let inner = CanvasBackend::with_canvas_object(canvas.clone())?;
    let area = Measuring { inner, context }.into_drawing_area();
    chart::paint(&area, chart, Tone::Solid, SCALE, palette, words, true).ok()?;
    area.present().ok()?;
    Some(canvas)
}

fn download(canvas: &HtmlCanvasElement, file: &str) -> Option<()> {
    let address = canvas.to_data_url_with_type("image/png").ok()?;
    let document = web_sys::window()?.document()?;
    let anchor: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    anchor.set_href(&address);
    anchor.set_download(file);
    anchor.click();
    Some(())
}

/// plotters-canvas, but texts are measured by the canvas: plotters' own way puts an element with
/// a style attribute into the page, which the content policy forbids.
struct Measuring {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
}

type ErrorOf = <CanvasBackend as DrawingBackend>::ErrorType;
type Drawn = Result<(), DrawingErrorKind<ErrorOf>>;

impl DrawingBackend for Measuring {
    type ErrorType = ErrorOf;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }
    fn ensure_prepared(&mut self) -> Drawn {
        self.inner.ensure_prepared()
    }
    fn present(&mut self) -> Drawn {
        self.inner.present()
    }
    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.inner.draw_pixel(at, colour)
    }
    fn draw_line<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S) -> Drawn {
        self.inner.draw_line(a, b, style)
    }
    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        self.inner.draw_rect(a, b, style, fill)
    }
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.inner.draw_path(path, style)
    }
    fn draw_circle<S: BackendStyle>(&mut self, at: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        self.inner.draw_circle(at, radius, style, fill)
    }
    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, points: I, style: &S) -> Drawn {
        self.inner.fill_polygon(points, style)
    }
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        self.inner.draw_text(text, style, at)
    }
    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<ErrorOf>> {
        let weight = if matches!(style.style(), FontStyle::Bold) { "bold" } else { "normal" };
        self.context.set_font(&format!("{weight} {}px {}", style.size(), style.family().as_str()));
        let width = self.context.measure_text(text).map_or(0.0, |metrics| metrics.width());
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }
}

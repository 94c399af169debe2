//! The charts of a run as a PNG file, drawn once through plotters-canvas: that of the tasks, and below it that of the
//! traffic, where there is any.
//!
//! Only the scenario crosses from the page: its run is computed again, which gives the same chart.

use plotters::drawing::IntoDrawingArea;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};
use plotters_canvas::CanvasBackend;
use rollscope_draw::chart::{self, Chart, ChartWords};
use rollscope_draw::flow::{self, FlowChart, FlowWords, Measure};
use rollscope_draw::geometry::Rect;
use rollscope_draw::guards::Guards;
use rollscope_draw::xscale::XScale;
use rollscope_draw::{Palette, Scale};
use rollscope_engine::SimTime;
use rollscope_engine::settings::EVENT_BUDGET_PAGE;
use rollscope_player::Player;
use rollscope_scenario::{Document, Value, json};
use rollscope_wording::Label;
use rollscope_wording::page::{self, t};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement};

/// Size of the picture in CSS pixels, without the traffic; it is drawn at twice that.
const SIZE: (f64, f64) = (960.0, 320.0);
/// The chart of the traffic below it: its height, and of that what is above and below its field, in CSS pixels.
const TRAFFIC: (f64, f64, f64) = (190.0, 26.0, 14.0);
const SCALE: Scale = Scale(2.0);

/// The charts of a run.
struct Painting {
    chart: Chart,
    /// Who has which part of the traffic, where there are requests or weights.
    traffic: Option<FlowChart>,
}

/// What is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The scenario (`document`).
    pub document: Document,
    /// The last moment at which anything happens (`end_ms`).
    pub end: SimTime,
    /// The end of the axis of time (`axis_ms`).
    pub axis: SimTime,
    /// Idle spans that the axis folds (`idle`, pairs of milliseconds).
    pub idle: Vec<(SimTime, SimTime)>,
    /// Title above the chart (`title`), labels of the limits (`ceiling`, `floor`), of the gate (`gate`),
    /// of the border (`border`) and of a run without one (`never`).
    pub words: ChartWords,
    /// Name of the file (`file`).
    pub file: String,
}

impl Order {
    /// Reads the JSON of an order; absent texts and lists are empty.
    pub fn read(text: &str) -> Option<Order> {
        let value = json::read(text).ok()?.value;
        let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let moment = |key: &str| value.get(key).and_then(Value::as_u64).map(SimTime);
        Some(Order {
            document: Document::from_value(value.get("document")?).0,
            end: moment("end_ms")?,
            axis: moment("axis_ms")?,
            idle: spans(value.get("idle")),
            words: ChartWords {
                title: word("title"),
                ceiling: word("ceiling"),
                floor: word("floor"),
                gate: word("gate"),
                border: word("border"),
                never: word("never"),
            },
            file: word("file"),
        })
    }

    /// The charts of the whole run; nothing where the scenario is refused.
    fn painting(&self) -> Option<Painting> {
        let mut settings = self.document.resolve().ok()?.settings;
        settings.event_budget = EVENT_BUDGET_PAGE;
        let mut player = Player::new(settings);
        player.advance_to_end();
        let guards = Guards::of(player.head().settings());
        let x = XScale::folded(SIZE.0, SCALE, self.axis, &self.idle);
        let (records, samples) = (player.timeline().records(), player.timeline().samples());
        let revisions: Vec<u32> = player.head().settings().revisions.iter().map(|r| r.number).collect();
        let flows = player.timeline().flows();
        let traffic = FlowChart::new(&flow::Source { records, samples, flows, revisions: &revisions }, x);
        Some(Painting {
            chart: Chart::new(samples, self.end, x).watched(records, samples, &guards),
            traffic: (!flows.is_empty() || !traffic.weights.is_empty()).then_some(traffic),
        })
    }
}

/// Pairs of moments; anything else in the list is left out.
fn spans(value: Option<&Value>) -> Vec<(SimTime, SimTime)> {
    let moment = |pair: &Value, index: usize| pair.at(index).and_then(Value::as_u64).map(SimTime);
    let pairs = value.and_then(Value::as_array).unwrap_or(&[]);
    pairs.iter().filter_map(|pair| Some((moment(pair, 0)?, moment(pair, 1)?))).collect()
}

/// Draws the whole run and hands the file to the browser as a download.
/// Nothing where the scenario is refused or the browser gives no canvas.
pub fn save(order: &Order) -> Option<()> {
    let canvas = draw(&order.painting()?, &order.words)?;
    let address = canvas.to_data_url_with_type("image/png").ok()?;
    let document = web_sys::window()?.document()?;
    let anchor: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    anchor.set_href(&address);
    anchor.set_download(&order.file);
    anchor.click();
    Some(())
}

fn draw(painting: &Painting, words: &ChartWords) -> Option<HtmlCanvasElement> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(SCALE.px(SIZE.0).unsigned_abs());
    let more = if painting.traffic.is_some() { TRAFFIC.0 } else { 0.0 };
    canvas.set_height(SCALE.px(SIZE.1 + more).unsigned_abs());
    let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let inner = CanvasBackend::with_canvas_object(canvas.clone())?;
    let area = Measuring { inner, context }.into_drawing_area();
    let palette = Palette::read(token).unwrap_or_else(|_| Palette::light());
    let (tasks, below) = area.split_vertically(SCALE.px(SIZE.1));
    chart::picture(&tasks, &painting.chart, SCALE, &palette, words).ok()?;
    if let Some(traffic) = &painting.traffic {
        let x = traffic.x;
        let height = SCALE.px(TRAFFIC.0 - TRAFFIC.1 - TRAFFIC.2);
        let place = Rect::new(x.left, SCALE.px(SIZE.1 + TRAFFIC.1), x.width(), height);
        flow::picture(&below, traffic, place, SCALE, &palette, &Words).ok()?;
    }
    area.present().ok()?;
    Some(canvas)
}

/// The words of the chart of the traffic.
struct Words;

impl FlowWords for Words {
    fn measure(&self, measure: Measure) -> String {
        t(if measure == Measure::Requests { Label::RequestsAxis } else { Label::TrafficAxis }).to_owned()
    }
    fn value(&self, value: u32) -> String {
        page::number(value.into())
    }
    fn weight(&self, thousandths: u16) -> String {
        page::weight_label(thousandths)
    }
    fn cut_off(&self, thousandths: u64) -> String {
        page::cut_off_label(thousandths)
    }
    fn band(&self, refused: bool) -> String {
        t(if refused { Label::Refused } else { Label::BadAnswers }).to_owned()
    }
}

/// A custom property of the page's style sheet, empty where there is none.
fn token(name: &str) -> String {
    let style = web_sys::window().and_then(|window| {
        let root = window.document()?.document_element()?;
        window.get_computed_style(&root).ok()?
    });
    style.and_then(|style| style.get_property_value(name).ok()).unwrap_or_default().trim().to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::protection::Unprotected;

    const ORDER: &str = r#"{"document":{"rollscope":1,"service":{"desiredCount":4}},"end_ms":90000,"axis_ms":96000,
        "idle":[],"title":"web","ceiling":"ceiling 8","floor":"floor 4","file":"web.png"}"#;

    #[test]
    fn an_order_is_read_and_its_run_computed() {
        let order = Order::read(ORDER).expect("an order");
        assert_eq!((order.end, order.axis), (SimTime(90_000), SimTime(96_000)));
        assert_eq!((order.words.title.as_str(), order.file.as_str()), ("web", "web.png"));
        let Painting { chart, traffic } = order.painting().expect("a chart");
        assert_eq!(traffic, None, "nothing sends requests");
        assert_eq!((chart.end, chart.axis_end, chart.top), (SimTime(90_000), SimTime(96_000), 8));
        // Nothing watches this service.
        let never = Unprotected { from: SimTime::ZERO, until: SimTime(96_000), border: false };
        assert_eq!(chart.borders, [never]);
        assert!(chart.columns.len() > 2, "the run has steps");
    }

    #[test]
    fn half_an_order_and_a_refused_scenario_draw_nothing() {
        for broken in ["", "{}", r#"{"document":{}}"#, r#"{"document":{},"end_ms":-1,"axis_ms":2}"#] {
            assert_eq!(Order::read(broken), None, "{broken}");
        }
        let order = Order::read(&ORDER.replace("\"desiredCount\":4", "\"desiredCount\":-4")).expect("an order");
        assert!(order.painting().is_none());
    }

    #[test]
    fn requests_and_weights_have_a_chart_of_their_own() {
        for more in [
            r#""traffic":{"requests_per_second":100},"#,
            r#""targetGroups":[{}],"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"LINEAR"}},"#,
        ] {
            let text = ORDER.replace("\"rollscope\":1,", &format!("\"rollscope\":1,{more}"));
            let text =
                if more.contains("LINEAR") { text.replace(r#","service":{"desiredCount":4}}"#, "}") } else { text };
            let painting = Order::read(&text).expect("an order").painting().expect("charts");
            assert!(painting.traffic.is_some_and(|traffic| traffic.columns.len() > 1), "{text}");
        }
    }
}

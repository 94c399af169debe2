//! The second program: importers and pictures, fetched when they are first needed.
//!
//! `web/js/boot.js` loads it and says in words when it cannot; `web/lazy` is its source. Only
//! texts cross.

use rollscope_engine::SimTime;
use rollscope_scenario::{Document, Value};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::paste::Question;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = rollscopeLazy, catch)]
    fn load() -> Result<js_sys::Promise, JsValue>;

    type Part;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Part, text: &str, service: Option<String>, format: Option<String>) -> Result<String, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn picture(this: &Part, order: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn compare(this: &Part, fragment: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &Part, order: &str) -> Result<String, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn qr(this: &Part, text: &str) -> Result<String, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn repaint(this: &Part) -> Result<(), JsValue>;
}

/// Why the second program gave no answer, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LazyError(pub String);

/// A picture of the chart of a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The scenario; its run is computed again.
    pub document: Document,
    /// The last moment at which anything happens.
    pub end: SimTime,
    /// The end of the axis of time.
    pub axis: SimTime,
    /// Idle spans that the axis folds.
    pub idle: Vec<(SimTime, SimTime)>,
    /// Title above the chart.
    pub title: String,
    /// Label of the ceiling.
    pub ceiling: String,
    /// Label of the floor.
    pub floor: String,
    /// Label of the gate of early success; empty for none.
    pub gate: String,
    /// At the end of rollback protection.
    pub border: String,
    /// Where there never was any.
    pub never: String,
    /// Name of the file.
    pub file: String,
}

impl Picture {
    /// The order as the second program reads it.
    fn order(&self) -> String {
        let moment = |at: SimTime| Value::from(at.ms());
        let spans = |spans: &[(SimTime, SimTime)]| {
            Value::array(spans.iter().map(|(from, to)| Value::array([moment(*from), moment(*to)])))
        };
        let order = Value::object([
            ("document", self.document.to_json()),
            ("end_ms", moment(self.end)),
            ("axis_ms", moment(self.axis)),
            ("idle", spans(&self.idle)),
            ("title", Value::from(self.title.as_str())),
            ("ceiling", Value::from(self.ceiling.as_str())),
            ("floor", Value::from(self.floor.as_str())),
            ("gate", Value::from(self.gate.as_str())),
            ("border", Value::from(self.border.as_str())),
            ("never", Value::from(self.never.as_str())),
            ("file", Value::from(self.file.as_str())),
        ]);
        order.to_string()
    }
}

/// Reads a pasted text; a name chooses one of several services, a format overrules what the text looks like. The
/// answer is the JSON that [`crate::paste::Paste::answered`] reads.
pub async fn read(question: &Question) -> Result<String, LazyError> {
    let Question { text, service, format } = question;
    part().await?.read(text, service.clone(), format.clone()).map_err(|error| said(&error))
}

/// Draws a picture and hands it to the browser as a file. False where the browser draws none.
pub async fn picture(picture: &Picture) -> Result<bool, LazyError> {
    part().await?.picture(&picture.order()).map_err(|error| said(&error))
}

/// Shows a comparison in the element `compare` of the page, or leaves it where the fragment is empty.
pub async fn compare(fragment: &str) -> Result<bool, LazyError> {
    part().await?.compare(fragment).map_err(|error| said(&error))
}

/// Writes settings as text for another tool. Order and answer are JSON, see `web/lazy/src/export.rs`.
pub async fn export(order: &str) -> Result<String, LazyError> {
    part().await?.write(order).map_err(|error| said(&error))
}

/// A text as a QR code: its width in modules, and the path of the dark ones. `None` where the text is too long for one.
pub async fn qr(text: &str) -> Result<Option<(String, String)>, LazyError> {
    let code = part().await?.qr(text).map_err(|error| said(&error))?;
    Ok(code.split_once(' ').map(|(width, path)| (width.to_owned(), path.to_owned())))
}

/// The colours of the page have changed, which the second program draws with as well.
pub async fn repaint() -> Result<(), LazyError> {
    part().await?.repaint().map_err(|error| said(&error))
}

async fn part() -> Result<Part, LazyError> {
    let promise = load().map_err(|error| said(&error))?;
    let part = JsFuture::from(promise).await.map_err(|error| said(&error))?;
    Ok(part.unchecked_into())
}

/// The sentence of a JavaScript error.
fn said(error: &JsValue) -> LazyError {
    let text = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    LazyError(text.unwrap_or_else(|| format!("{error:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_all_that_is_needed() {
        let picture = Picture {
            document: Document::default(),
            end: SimTime(90_000),
            axis: SimTime(96_000),
            idle: vec![(SimTime(1), SimTime(2))],
            title: "a \"b\"".into(),
            ceiling: "ceiling 6".into(),
            floor: "floor 4".into(),
            gate: "gate 4".into(),
            border: "no rollback from here on".into(),
            never: "never".into(),
            file: "rollscope.png".into(),
        };
        assert_eq!(
            picture.order(),
            concat!(
                r#"{"document":{"rollscope":1},"end_ms":90000,"axis_ms":96000,"idle":[[1,2]],"#,
                r#""title":"a \"b\"","ceiling":"ceiling 6","floor":"floor 4","gate":"gate 4","#,
                r#""border":"no rollback from here on","never":"never","file":"rollscope.png"}"#
            )
        );
    }
}

//! The paste dialog: what stands in its field and what was found in it.
//!
//! A link is read here. Everything else is read by the second program ([`crate::lazy`]), so it is
//! asked for first and answered a little later.

use rollscope_scenario::{Document, Value, json};

use crate::form::show;
use crate::lazy::LazyError;
use crate::link::{self, Opened};
use crate::text;

/// How a value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stands in the text.
    Read,
    /// It does not: the platform's default holds.
    Default,
    /// It does not, and nothing takes its place.
    Filled,
}

/// One value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How it came about.
    pub mark: Mark,
    /// Its field.
    pub field: String,
    /// The value.
    pub value: String,
    /// Where it comes from.
    pub how: String,
}

/// A format that can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// The word that asks for it; empty for one that cannot be asked for.
    pub flag: String,
    /// Its name.
    pub name: String,
}

/// What a text turned out to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What it was read as; absent for a link.
    pub format: Option<Kind>,
    /// What can be asked for.
    pub formats: Vec<Kind>,
    /// What is wrong with it, with line and column.
    pub faults: Vec<String>,
    /// Names to choose from, when it holds several services.
    pub services: Vec<String>,
    /// The chosen one.
    pub chosen: Option<String>,
    /// The values that were read.
    pub rows: Vec<Row>,
    /// Worth knowing.
    pub notes: Vec<String>,
    /// What the text cannot say and a run needs, a sentence each.
    pub needs: Vec<String>,
    opened: Option<Opened>,
    /// A scenario that is not accepted, to be mended in the page.
    refused: Option<Opened>,
    is_link: bool,
}

/// Whether what reads configurations is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reader {
    /// It is there, or not wanted yet.
    #[default]
    Ready,
    /// It is being loaded, or reads.
    Loading,
    /// It could not be loaded.
    Failed,
}

/// What the second program is to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The text.
    pub text: String,
    /// The chosen one of several services.
    pub service: Option<String>,
    /// The word of the format, where it is not the one that the text looks like.
    pub format: Option<String>,
}

/// The dialog's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paste {
    text: String,
    found: Option<Found>,
    asked: Option<Question>,
    failed: bool,
    format: Option<String>,
}

impl Paste {
    /// The text in the field.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text changed: what was found before is void.
    pub fn type_text(&mut self, text: String) {
        *self = Paste { text, ..Paste::default() };
    }

    /// The word of the format that was asked for.
    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// From now on the text is read as this format, or as what it looks like.
    pub fn read_as(&mut self, format: Option<String>) {
        *self = Paste { text: std::mem::take(&mut self.text), format, ..Paste::default() };
    }

    /// What was found.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// What reads it.
    pub fn reader(&self) -> Reader {
        match (&self.asked, self.failed) {
            (Some(_), _) => Reader::Loading,
            (None, true) => Reader::Failed,
            (None, false) => Reader::Ready,
        }
    }

    /// What can be opened.
    pub fn opened(&self) -> Option<Opened> {
        self.found.as_ref()?.opened.clone()
    }

    /// What is not accepted, and can be opened to be mended.
    pub fn refused(&self) -> Option<Opened> {
        self.found.as_ref()?.refused.clone()
    }

    /// A whole link, which needs no second look.
    pub fn link(&self) -> Option<Opened> {
        self.found.as_ref().filter(|found| found.is_link && found.faults.is_empty())?.opened.clone()
    }

    /// Reads the text. A name chooses one of several services. What is no link becomes a question
    /// for the second program.
    pub fn read(&mut self, service: Option<&str>) -> Option<Question> {
        self.failed = false;
        self.asked = None;
        let trimmed = self.text.trim();
        if trimmed.is_empty() {
            self.found = Some(Found::default());
        } else if self.format.is_none() && link::looks_like(trimmed) {
            self.found = Some(read_link(trimmed));
        } else {
            let (text, service) = (self.text.clone(), service.map(str::to_owned));
            self.asked = Some(Question { text, service, format: self.format.clone() });
        }
        self.asked.clone()
    }

    /// Takes the answer to a question. One that nobody waits for any more is dropped.
    pub fn answered(&mut self, question: &Question, answer: Result<String, LazyError>) {
        if self.asked.as_ref() != Some(question) {
            return;
        }
        self.asked = None;
        match answer.ok().and_then(|text| json::read(&text).ok()) {
            Some(read) => {
                let known = self.found.take().map(|found| found.services).unwrap_or_default();
                self.found = Some(read_answer(&read.value, question.service.as_deref(), known));
            }
            None => self.failed = true,
        }
    }
}

/// A link, whole or not.
fn read_link(text: &str) -> Found {
    match link::read(text) {
        Ok(Some(opened)) => Found { opened: Some(opened), is_link: true, ..Found::default() },
        Ok(None) => Found::default(),
        Err(broken) => {
            let faults = vec![format!("{}. {}", broken.title, broken.words)];
            Found { faults, notes: broken.details, opened: broken.readable, ..Found::default() }
        }
    }
}

/// What the second program found: each value with its origin and its line, and what was not used.
fn read_answer(answer: &Value, service: Option<&str>, known: Vec<String>) -> Found {
    let needs = texts(answer, "needs").iter().map(|need| text::needed(need)).collect();
    let mut notes = texts(answer, "notes");
    let kept = texts(answer, "kept");
    if !kept.is_empty() {
        notes.push(text::kept(&kept));
    }
    let ignored = texts(answer, "ignored");
    if !ignored.is_empty() {
        notes.push(text::ignored(&ignored));
    }
    let choices = texts(answer, "services");
    let document = answer.get("document").map(|tree| Document::from_value(tree).0);
    Found {
        format: answer.get("format").map(read_kind),
        formats: list(answer, "formats").iter().map(read_kind).collect(),
        faults: texts(answer, "faults"),
        // One that was chosen can be changed for another.
        services: if choices.is_empty() && service.is_some() { known } else { choices },
        chosen: service.map(str::to_owned),
        rows: list(answer, "rows").iter().map(read_row).collect(),
        needs,
        notes,
        opened: document.map(Opened::document),
        refused: answer.get("refused").map(Opened::refused),
        is_link: false,
    }
}

fn read_kind(kind: &Value) -> Kind {
    let word = |key: &str| kind.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Kind { flag: word("flag"), name: word("name") }
}

fn read_row(row: &Value) -> Row {
    let word = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let line = row.get("line").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
    let (source, mark) = match word("origin") {
        "explicit" => (text::Source::Given, Mark::Read),
        "live" => (text::Source::Live, Mark::Read),
        "default" => (text::Source::Default, Mark::Default),
        "parameter-default" => (text::Source::Parameter, Mark::Default),
        "computed" => (text::Source::Computed, Mark::Read),
        "unresolved" => (text::Source::Unresolved, Mark::Filled),
        _ => (text::Source::Missing, Mark::Filled),
    };
    Row {
        mark,
        field: word("field").to_owned(),
        value: row.get("value").filter(|value| !value.is_null()).map(show).unwrap_or_default(),
        how: text::origin(source, line),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).unwrap_or(&[])
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    list(value, key).iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Paste {
        let mut paste = Paste::default();
        paste.type_text(text.to_owned());
        paste
    }

    const ANSWER: &str = r#"{"rows":[
        {"field":"desiredCount","value":2,"origin":"explicit","line":3},
        {"field":"maximumPercent","value":200,"origin":"default"},
        {"field":"networkMode","value":null,"origin":"missing"}],
        "notes":["a note"],"needs":["start-up"],"kept":["service.loadBalancers"],"ignored":["/tags"],"services":[],"faults":[],
        "document":{"rollscope":1,"service":{"desiredCount":2}}}"#;

    #[test]
    fn a_configuration_is_asked_for_and_answered() {
        let mut paste = typed("{}");
        let question = paste.read(Some("api")).expect("a question");
        assert_eq!((question.text.as_str(), question.service.as_deref()), ("{}", Some("api")));
        assert_eq!(paste.reader(), Reader::Loading);
        paste.answered(&question, Ok(ANSWER.into()));
        assert_eq!(paste.reader(), Reader::Ready);
        assert_eq!(paste.opened().expect("opens").document.service.desired_count, Some(2));
        assert!(paste.link().is_none(), "a second look is due");
        let rows = &paste.found().expect("found").rows;
        assert_eq!((rows[0].value.as_str(), rows[0].mark), ("2", Mark::Read));
        assert!(rows[0].how.contains('3'), "{}", rows[0].how);
        assert_eq!((rows[1].value.as_str(), rows[1].mark), ("200", Mark::Default));
        assert_eq!((rows[2].value.as_str(), rows[2].mark), ("", Mark::Filled));
        let found = paste.found().expect("found");
        assert_eq!((found.notes.len(), found.needs.len()), (3, 1), "{found:?}");
    }

    #[test]
    fn the_names_to_choose_from_stay_while_one_is_read() {
        let mut paste = typed("{}");
        let question = paste.read(None).expect("a question");
        paste.answered(&question, Ok(r#"{"services":["web","api"]}"#.into()));
        assert!(paste.opened().is_none());
        let question = paste.read(Some("api")).expect("a question");
        paste.answered(&question, Ok(ANSWER.into()));
        let found = paste.found().expect("found");
        assert_eq!((found.services.len(), found.chosen.as_deref()), (2, Some("api")));
    }

    #[test]
    fn a_program_that_does_not_come_can_be_asked_again() {
        let mut paste = typed("{}");
        let question = paste.read(None).expect("a question");
        paste.answered(&question, Err(LazyError("gone".into())));
        assert_eq!(paste.reader(), Reader::Failed);
        assert_eq!(paste.text(), "{}");
        let question = paste.read(None).expect("the same question");
        assert_eq!(paste.reader(), Reader::Loading);
        paste.answered(&question, Ok(ANSWER.into()));
        assert!(paste.opened().is_some());
    }

    #[test]
    fn what_is_refused_is_opened_only_to_be_mended() {
        let mut paste = typed("{}");
        let question = paste.read(None).expect("a question");
        let answer = r#"{"faults":["not a number"],"refused":{"rollscope":1,"service":{"desiredCount":"many"}}}"#;
        paste.answered(&question, Ok(answer.into()));
        assert_eq!(paste.opened(), None);
        let refused = paste.refused().expect("it can be mended");
        assert_eq!(refused.warnings.first().map(|problem| problem.field.as_str()), Some("/service/desiredCount"));
    }

    #[test]
    fn another_format_can_be_asked_for_and_holds_until_the_text_changes() {
        let mut paste = typed("a: 1");
        assert_eq!(paste.read(None).expect("a question").format, None);
        paste.read_as(Some("compose".into()));
        let question = paste.read(Some("web")).expect("a question");
        assert_eq!((question.format.as_deref(), question.service.as_deref()), (Some("compose"), Some("web")));
        let answer = r#"{"format":{"flag":"compose","name":"Compose file"},"formats":[{"flag":"cli","name":"x"}],
            "rows":[{"field":"batches","value":3,"origin":"computed"},{"field":"n","value":3,"origin":"parameter-default","line":2}]}"#;
        paste.answered(&question, Ok(answer.into()));
        let found = paste.found().expect("found");
        assert_eq!(found.format.as_ref().map(|kind| kind.name.as_str()), Some("Compose file"));
        assert_eq!((found.formats.len(), found.rows[0].mark, found.rows[1].mark), (1, Mark::Read, Mark::Default));
        paste.type_text("b: 1".into());
        assert_eq!(paste.format(), None);
    }

    #[test]
    fn an_answer_to_an_old_text_is_dropped() {
        let mut paste = typed("{}");
        let question = paste.read(None).expect("a question");
        paste.type_text("[]".into());
        paste.answered(&question, Ok(ANSWER.into()));
        assert!(paste.found().is_none() && paste.opened().is_none());
        assert_eq!(paste.reader(), Reader::Ready);
    }

    #[test]
    fn a_whole_link_needs_no_second_look_and_no_second_program() {
        let read = |text: &str| {
            let mut paste = typed(text);
            assert_eq!(paste.read(None), None);
            paste
        };
        let fragment =
            link::write(&link::first(), &link::Looked { at: rollscope_engine::SimTime(9), ..link::Looked::default() });
        assert!(read(&format!("https://example.org/x/#{fragment}")).link().is_some());
        let cut = read(&fragment[..fragment.len() - 2]);
        assert!(cut.link().is_none() && cut.opened().is_some());
        assert!(!cut.found().expect("found").faults.is_empty());
    }
}

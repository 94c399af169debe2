//! The paste dialog: what stands in its field and what was found in it.

use rollscope_import::{Format, Import, Origin, import};
use rollscope_scenario::{Document, Problem};

use crate::form::show;
use crate::link::{self, Opened};
use crate::text;

/// How a value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stands in the text.
    Read,
    /// It does not: a default took its place, or nothing did.
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

/// What a text turned out to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
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
    opened: Option<Opened>,
    is_link: bool,
}

/// The dialog's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paste {
    text: String,
    found: Option<Found>,
}

impl Paste {
    /// The text in the field.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text changed: what was found before is void.
    pub fn type_text(&mut self, text: String) {
        self.text = text;
        self.found = None;
    }

    /// What was found.
    pub fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// What can be opened.
    pub fn opened(&self) -> Option<Opened> {
        self.found.as_ref()?.opened.clone()
    }

    /// A whole link, which needs no second look.
    pub fn link(&self) -> Option<Opened> {
        self.found.as_ref().filter(|found| found.is_link && found.faults.is_empty())?.opened.clone()
    }

    /// Reads the text. A name chooses one of several services.
    pub fn read(&mut self, service: Option<&str>) {
        if self.text.trim().is_empty() {
            self.found = Some(Found::default());
            return;
        }
        let read = import(&self.text, service);
        let known = self.found.take().map(|found| found.services).unwrap_or_default();
        self.found = Some(match read.format {
            Format::Link => read_link(self.text.trim()),
            Format::Document => read_document(&self.text),
            _ => read_configuration(&read, service, known),
        });
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

/// A scenario document: every problem with its place, every default that was filled in.
pub fn read_document(text: &str) -> Found {
    let reading = Document::from_text(text);
    let line = |problem: &Problem| problem.to_string();
    match reading.resolve() {
        Ok(resolved) => {
            let default = |default: &rollscope_scenario::resolve::Defaulted| Row {
                mark: Mark::Filled,
                field: default.field.trim_start_matches('/').replace('/', "."),
                value: show(&default.value),
                how: "default".to_owned(),
            };
            Found {
                rows: resolved.defaulted.iter().map(default).collect(),
                notes: resolved.warnings.iter().map(line).collect(),
                opened: Some(Opened::document(reading.document.clone())),
                ..Found::default()
            }
        }
        Err(problems) => {
            let (errors, others): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.is_error());
            Found {
                faults: errors.into_iter().map(line).collect(),
                notes: others.into_iter().map(line).collect(),
                ..Found::default()
            }
        }
    }
}

/// Where a value comes from, for the words.
fn source(origin: Origin) -> text::Source {
    match origin {
        Origin::Explicit => text::Source::Given,
        Origin::Default => text::Source::Default,
        Origin::Live => text::Source::Live,
        Origin::Missing => text::Source::Missing,
    }
}

/// A configuration: each value with its origin and its line, and what was not used.
fn read_configuration(read: &Import, service: Option<&str>, known: Vec<String>) -> Found {
    let row = |row: &rollscope_import::Row| Row {
        mark: if matches!(row.origin, Origin::Explicit | Origin::Live) { Mark::Read } else { Mark::Filled },
        field: row.field.clone(),
        value: if row.origin == Origin::Missing { String::new() } else { show(&row.value) },
        how: text::origin(source(row.origin), row.line),
    };
    let (errors, others): (Vec<_>, Vec<_>) = read.problems.iter().partition(|problem| problem.is_error());
    let mut faults: Vec<String> = errors.into_iter().map(Problem::to_string).collect();
    // What the service itself would refuse is shown here, before anything is opened.
    if let Some(Err(problems)) = read.document.as_ref().map(Document::resolve) {
        faults.extend(problems.iter().filter(|problem| problem.is_error()).map(Problem::to_string));
    }
    let mut notes: Vec<String> = others.into_iter().map(Problem::to_string).collect();
    notes.extend(read.warnings.iter().cloned());
    notes.extend(read.needs.iter().map(|need| text::needed(need)));
    if !read.ignored.is_empty() {
        notes.push(text::ignored(&read.ignored));
    }
    let opened = read.document.clone().filter(|_| faults.is_empty()).map(Opened::document);
    Found {
        faults,
        // One that was chosen can be changed for another.
        services: if read.choices.is_empty() && service.is_some() { known } else { read.choices.clone() },
        chosen: service.map(str::to_owned),
        rows: read.values.iter().map(row).collect(),
        notes,
        opened,
        is_link: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pasted(text: &str, service: Option<&str>) -> Paste {
        let mut paste = Paste::default();
        paste.type_text(text.to_owned());
        paste.read(service);
        paste
    }

    const TWO: &str = r#"{"services":[
        {"serviceName":"web","desiredCount":4,"deploymentConfiguration":{"maximumPercent":150,"minimumHealthyPercent":100}},
        {"serviceName":"api","desiredCount":2,"deploymentConfiguration":{"maximumPercent":200,"minimumHealthyPercent":50}}]}"#;

    #[test]
    fn one_of_several_services_is_chosen_by_name() {
        let paste = pasted(TWO, None);
        assert_eq!(paste.found().map(|found| found.services.clone()), Some(vec!["web".into(), "api".into()]));
        assert!(paste.opened().is_none());
        let paste = pasted(TWO, Some("api"));
        let opened = paste.opened().expect("opens");
        assert_eq!(opened.document.service.desired_count, Some(2));
        assert!(paste.link().is_none(), "a second look is due");
    }

    #[test]
    fn a_fault_has_its_place_and_the_text_stays() {
        let text = "{\"service\": {\n  \"desiredCount\": 4,,\n}}";
        let paste = pasted(text, None);
        let faults = paste.found().expect("found").faults.clone();
        assert!(faults[0].contains("line 2"), "{faults:?}");
        assert_eq!(paste.text(), text);
        assert!(paste.opened().is_none());
    }

    #[test]
    fn a_document_lists_the_defaults_it_leaves_out() {
        let paste = pasted(r#"{"rollscope":1,"service":{"desiredCount":4}}"#, None);
        let found = paste.found().expect("found");
        assert!(
            found.rows.iter().any(|row| row.field.ends_with("maximumPercent") && row.value == "200"),
            "{:?}",
            found.rows
        );
        assert!(paste.opened().is_some());
    }

    #[test]
    fn a_whole_link_needs_no_second_look() {
        let fragment = link::write(&link::first(), rollscope_engine::SimTime(9), crate::app::model::Tab::Why, None);
        assert!(pasted(&format!("https://example.org/x/#{fragment}"), None).link().is_some());
        let cut = pasted(&fragment[..fragment.len() - 2], None);
        assert!(cut.link().is_none() && cut.opened().is_some());
        assert!(!cut.found().expect("found").faults.is_empty());
    }

    #[test]
    fn a_changed_text_is_unread() {
        let mut paste = pasted(TWO, Some("web"));
        paste.type_text("{".into());
        assert!(paste.found().is_none() && paste.opened().is_none());
    }
}

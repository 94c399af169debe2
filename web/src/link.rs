//! Links of the page: what was opened, or in words why not.

use rollscope_engine::SimTime;
use rollscope_scenario::link::{self, Decoded, Link, LinkError};
use rollscope_scenario::{Document, Problem};

/// A scenario that was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// The moment to go to.
    pub at: Option<SimTime>,
    /// What was noticed on the way.
    pub warnings: Vec<Problem>,
}

/// A link that could not be opened as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// What happened, short.
    pub title: String,
    /// What happened, in sentences.
    pub words: String,
    /// What was read and what was not.
    pub details: Vec<String>,
    /// The text of the link, to be copied.
    pub fragment: String,
    /// What can be read of it.
    pub readable: Option<Opened>,
}

/// The scenario of a page that was opened without a link: four tasks, half at a time, behind a
/// load balancer.
const FIRST: &str = r#"{"rollscope":1,"title":"web","service":{"desiredCount":4,
"deploymentConfiguration":{"minimumHealthyPercent":100,"maximumPercent":150}},
"targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":60}]}"#;

/// See [`Opened::first`].
pub fn first() -> Document {
    Document::from_text(FIRST).document
}

impl Opened {
    /// What a page without a link shows.
    pub fn first() -> Opened {
        Opened { document: first(), at: None, warnings: Vec::new() }
    }

    /// A scenario read from elsewhere than a link.
    pub fn document(document: Document) -> Opened {
        Opened { document, at: None, warnings: Vec::new() }
    }

    fn decoded(decoded: Decoded) -> Opened {
        Opened { document: decoded.link.document, at: decoded.link.moment_ms.map(SimTime), warnings: decoded.problems }
    }
}

/// Reads a fragment or a whole address; `None` for an empty one.
pub fn read(text: &str) -> Result<Option<Opened>, Box<Broken>> {
    match link::decode(text) {
        Ok(decoded) => Ok(Some(Opened::decoded(decoded))),
        Err(LinkError::Empty) => Ok(None),
        Err(error) => Err(Box::new(broken(text, &error))),
    }
}

/// The fragment of a document at a moment.
pub fn write(document: &Document, at: SimTime) -> String {
    let moment_ms = (at > SimTime::ZERO).then_some(at.ms());
    link::encode(&Link { document: document.clone(), moment_ms, ..Link::default() })
}

fn broken(text: &str, error: &LinkError) -> Broken {
    let (title, words) = match error {
        LinkError::Cut { missing, .. } => (
            "This link was cut off",
            format!(
                "{} missing at its end. Mail and chat programs shorten long links without saying so. Nothing was opened in its place.",
                characters(*missing)
            ),
        ),
        LinkError::Damaged { .. } => (
            "This link was changed on its way",
            "Its checksum does not fit: some characters are not those that were sent. Nothing was opened in its place."
                .to_owned(),
        ),
        LinkError::UnknownVersion { found } => (
            "This link comes from another version",
            format!("It is of format “{found}”; this page reads format v1. A newer page may be able to open it."),
        ),
        LinkError::TooLong { length } => (
            "This link is too long",
            format!("It has {length} bytes; links of up to {} bytes are read.", link::LINK_MAX),
        ),
        LinkError::Empty | LinkError::NotALink => (
            "This is not a Rollscope link",
            "A link begins with its version, for instance “v1”. Nothing was opened in its place.".to_owned(),
        ),
    };
    let partial = error.partial().cloned();
    let details = partial.iter().flat_map(|decoded| decoded.problems.iter().map(Problem::to_string)).collect();
    Broken {
        title: title.to_owned(),
        words,
        details,
        fragment: text.to_owned(),
        readable: partial.map(Opened::decoded),
    }
}

fn characters(n: usize) -> String {
    match n {
        1 => "1 character is".to_owned(),
        n => format!("{n} characters are"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_the_document_and_the_moment() {
        let text = write(&first(), SimTime(110_000));
        let opened = read(&text).expect("opens").expect("not empty");
        assert_eq!(opened.document, first());
        assert_eq!(opened.at, Some(SimTime(110_000)));
        assert!(opened.warnings.is_empty());
        assert_eq!(read("").expect("opens"), None);
    }

    #[test]
    fn a_cut_link_says_how_much_is_missing() {
        let text = write(&first(), SimTime(110_000));
        let cut = read(&text[..text.len() - 7]).expect_err("cut");
        assert!(cut.words.starts_with("7 characters are missing"), "{}", cut.words);
        assert!(cut.readable.is_some());
    }

    #[test]
    fn damaged_and_foreign_links_are_told_apart() {
        let text = write(&first(), SimTime::ZERO);
        let changed = text.replace("=4", "=5");
        assert_ne!(changed, text);
        assert!(read(&changed).expect_err("damaged").title.contains("changed"));
        assert!(read("v9.12.00000000&a=b").expect_err("version").words.contains("v9"));
        assert!(read("gallery").expect_err("no link").title.contains("not a Rollscope link"));
    }

    #[test]
    fn the_first_scenario_runs_without_a_warning() {
        let reading = Document::from_text(FIRST);
        assert!(reading.problems.is_empty(), "{:?}", reading.problems);
        assert!(reading.resolve().is_ok());
    }
}

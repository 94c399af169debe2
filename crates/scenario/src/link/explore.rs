//! The map around a scenario, in one fragment.
//!
//! ```text
//! explore/<link>[/<pair>[/<measure>[/<row>.<column>]]]
//! ```
//!
//! The link is a whole one with its own length and checksum; what is shown of the map follows it. A reader of links
//! that knows no map still finds the scenario.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::{Decoded, Link, LinkError, decode, encode};

/// What the fragment of a map begins with, without the `/`.
pub const EXPLORE: &str = "explore";

/// A map that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Its scenario, or what is wrong with it.
    pub part: Result<Decoded, LinkError>,
    /// The scenario's link, as text.
    pub text: String,
    /// The two settings, by their name; empty for the first pair of the platform.
    pub pair: String,
    /// What is shown, by its name; empty for the duration.
    pub measure: String,
    /// Row and column of what is selected; absent for the scenario itself.
    pub cell: Option<(u32, u32)>,
}

/// The fragment of a map, without the `#`.
pub fn encode_explored(link: &Link, pair: &str, measure: &str, cell: Option<(u32, u32)>) -> String {
    let mut out = format!("{EXPLORE}/{}/{pair}/{measure}", encode(link).replace('/', "%2F"));
    if let Some((row, column)) = cell {
        out.push_str(&format!("/{row}.{column}"));
    }
    out
}

/// True for a fragment, or a whole address, that is meant as a map.
pub fn is_explored(text: &str) -> bool {
    body(text).is_some()
}

fn body(text: &str) -> Option<&str> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    fragment.strip_prefix(EXPLORE)?.strip_prefix('/')
}

/// Reads a map; `None` for anything else.
pub fn decode_explored(text: &str) -> Option<Explored> {
    let mut parts = body(text)?.split('/');
    let link = parts.next().unwrap_or_default();
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (pair, measure, cell) = (next(), next(), next());
    let cell = cell.split_once('.').and_then(|(row, column)| Some((row.parse().ok()?, column.parse().ok()?)));
    Some(Explored { part: decode(link), text: link.to_owned(), pair, measure, cell })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn a_map_comes_back_as_it_was() {
        let document = Document::from_text(r#"{"title":"a/b","service":{"desiredCount":4}}"#).document;
        let link = Link { document: document.clone(), ..Link::default() };
        let text = encode_explored(&link, "limits", "duration", Some((3, 7)));
        assert!(is_explored(&text) && is_explored(&format!("https://example.com/#{text}")));
        let back = decode_explored(&text).expect("a map");
        assert_eq!(back.part.expect("whole").link.document, document);
        assert_eq!((back.pair.as_str(), back.measure.as_str(), back.cell), ("limits", "duration", Some((3, 7))));
        // What is added later is ignored, what is missing has its default.
        let short = decode_explored("explore/v1&desired=4").expect("a map");
        assert_eq!((short.pair.as_str(), short.cell, short.part.is_ok()), ("", None, true));
        assert!(decode_explored("explore/v1&desired=4/limits/duration/x.y/more").expect("a map").cell.is_none());
        assert!(!is_explored("v1&desired=4") && decode_explored("compare/v1&desired=4").is_none());
    }

    #[test]
    fn a_map_that_was_cut_is_known_as_such() {
        let link =
            Link { document: Document::from_text(r#"{"service":{"desiredCount":4}}"#).document, ..Link::default() };
        let text = encode_explored(&link, "limits", "duration", None);
        let cut = &text[..text.len() - "/limits/duration".len() - 3];
        assert!(decode_explored(cut).expect("a map").part.is_err());
    }
}

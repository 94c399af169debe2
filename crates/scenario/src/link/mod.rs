//! A scenario inside the fragment of an address.
//!
//! ```text
//! v1.<length>.<checksum>&key=value&key=value
//! v1&key=value                                   written by hand
//! ```
//!
//! The fragment is never sent to a server. Length and checksum stand in clear at the front, so a
//! link that a mail program cut is recognised as cut. Several of them in one fragment make a
//! comparison ([`decode_compared`]). Keys are the document's own, in its order,
//! absent ones left out; a list that would be longer than its packed form goes as base64url.
//! Each version is one frozen module; what was released is never edited.

mod compare;
mod explore;
mod pack;
mod v1;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::document::Document;
use crate::json::Value;
use crate::problem::{Kind, Problem};

pub use compare::{COMPARE, COMPARED, Compared, decode_compared, encode_compared, is_compared};
pub use explore::{EXPLORE, Explored, decode_explored, encode_explored, is_explored};

/// Longest link that is read, in bytes.
pub const LINK_MAX: usize = 32 * 1024;

/// What a link carries.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Link {
    /// The scenario.
    pub document: Document,
    /// The moment the viewer is at, in milliseconds.
    pub moment_ms: Option<u64>,
    /// The step the viewer is at, from 1.
    pub step: Option<u32>,
    /// The selected task, as people name it (`8.3`).
    pub selection: Option<String>,
    /// The open panel.
    pub panel: Option<String>,
    /// The order of the stage: `slot`, `revision`, `zone`, `instance`; absent for the page's own.
    pub group: Option<String>,
    /// What the chart shows: `tasks`, `traffic`; absent for tasks.
    pub chart: Option<String>,
}

/// A link that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// What it carries.
    pub link: Link,
    /// Unknown keys, values of the wrong kind: what was noticed on the way.
    pub problems: Vec<Problem>,
}

/// Why a link cannot be opened as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is nothing in it.
    Empty,
    /// It does not begin with a version tag.
    NotALink,
    /// A version this program does not know.
    UnknownVersion {
        /// The tag found.
        found: String,
    },
    /// Longer than [`LINK_MAX`].
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The end is missing.
    Cut {
        /// Characters that are missing.
        missing: usize,
        /// What could be read of it.
        partial: alloc::boxed::Box<Decoded>,
    },
    /// The checksum does not fit: characters were changed.
    Damaged {
        /// What could be read of it.
        partial: alloc::boxed::Box<Decoded>,
    },
}

impl LinkError {
    /// What could be read all the same.
    pub fn partial(&self) -> Option<&Decoded> {
        match self {
            LinkError::Cut { partial, .. } | LinkError::Damaged { partial } => Some(partial),
            _ => None,
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Empty => f.write_str("The link is empty."),
            LinkError::NotALink => f.write_str("This is not a link of ours: it does not begin with \"v1\"."),
            LinkError::UnknownVersion { found } => {
                write!(
                    f,
                    "This link has the format \"{found}\", which this version does not know. A newer one made it."
                )
            }
            LinkError::TooLong { length } => {
                write!(f, "The link has {length} characters; at most {LINK_MAX} are read.")
            }
            LinkError::Cut { missing: 1, .. } => f.write_str("The link was cut: 1 character is missing."),
            LinkError::Cut { missing, .. } => write!(f, "The link was cut: {missing} characters are missing."),
            LinkError::Damaged { .. } => f.write_str("The link was changed on its way: its checksum does not fit."),
        }
    }
}

/// The link of a scenario, without the `#`.
pub fn encode(link: &Link) -> String {
    let mut tree = link.document.to_json();
    if tree.get("rollscope") == Some(&Value::from(crate::document::VERSION)) {
        tree.remove_pointer("/rollscope");
    }
    let mut pairs = v1::write(&tree);
    let view = [
        (v1::MOMENT, link.moment_ms.map(|ms| ms.to_string())),
        (v1::STEP, link.step.map(|step| step.to_string())),
        (v1::SELECTION, link.selection.as_deref().map(v1::escape)),
        (v1::PANEL, link.panel.as_deref().map(v1::escape)),
        (v1::GROUP, link.group.as_deref().map(v1::escape)),
        (v1::CHART, link.chart.as_deref().map(v1::escape)),
    ];
    for (key, value) in view {
        if let Some(value) = value {
            pairs.push(format!("{key}={value}"));
        }
    }
    let body = pairs.join("&");
    format!("{}.{}.{}&{body}", v1::TAG, body.len(), checksum(&body))
}

/// True for a text that is meant as a link: one word that begins like one, or holds a fragment.
/// Whether it can be read is up to [`decode`].
pub fn looks_like(text: &str) -> bool {
    let one_word = !text.is_empty() && !text.contains(char::is_whitespace) && !text.starts_with(['{', '[', '"']);
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    one_word && (text.contains('#') || fragment.starts_with('v'))
}

/// Reads a link; a leading `#` and whatever stands before it are left out.
pub fn decode(text: &str) -> Result<Decoded, LinkError> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    if fragment.is_empty() {
        return Err(LinkError::Empty);
    }
    if fragment.len() > LINK_MAX {
        return Err(LinkError::TooLong { length: fragment.len() });
    }
    let (head, body) = fragment.split_once('&').unwrap_or((fragment, ""));
    let mut parts = head.split('.');
    let tag = parts.next().unwrap_or_default();
    if tag != v1::TAG {
        let version = tag.strip_prefix('v').filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        return Err(match version {
            Some(_) => LinkError::UnknownVersion { found: tag.to_string() },
            None => LinkError::NotALink,
        });
    }
    match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => Ok(read(body)),
        (Some(length), Some(sum), None) => checked(body, length, sum),
        // The head itself was cut or changed.
        _ => Err(LinkError::Damaged { partial: read(body).into() }),
    }
}

fn checked(body: &str, length: &str, sum: &str) -> Result<Decoded, LinkError> {
    let body = normalised(body);
    let body = body.as_str();
    let Ok(length) = length.parse::<usize>() else {
        return Err(LinkError::Damaged { partial: read(body).into() });
    };
    if body.len() < length {
        // The cut can go through the head: then the rest of the checksum and the `&` are missing too.
        let in_head = if body.is_empty() && sum.len() < SUM_DIGITS { SUM_DIGITS - sum.len() + 1 } else { 0 };
        let missing = (length - body.len()).saturating_add(in_head);
        return Err(LinkError::Cut { missing, partial: read(body).into() });
    }
    // Something was added at the end: a full stop of the sentence around it, a tracking mark.
    let (own, added) = match body.split_at_checked(length) {
        Some(split) => split,
        None => (body, ""),
    };
    if checksum(own) != sum {
        return Err(LinkError::Damaged { partial: read(body).into() });
    }
    let mut decoded = read(own);
    if !added.is_empty() {
        let allowed = "these characters after the end of the link are ignored";
        decoded.problems.push(Problem::warning(Kind::Unknown, "", added, allowed));
    }
    Ok(decoded)
}

/// Digits of the checksum.
const SUM_DIGITS: usize = 8;

/// The body as [`encode`] writes it, whatever programs on the way made of its percent-encoding:
/// some write `'` as `%27`, some write letters out. Separators are never touched, nor escapes in keys.
fn normalised(body: &str) -> String {
    let pair = |pair: &str| match pair.split_once('=') {
        Some((key, value)) => format!("{key}={}", v1::normalised_value(value)),
        None => pair.to_string(),
    };
    body.split('&').map(pair).collect::<Vec<_>>().join("&")
}

/// Eight hexadecimal digits over the bytes of the body (FNV-1a, 32 bits).
fn checksum(body: &str) -> String {
    let hash = body.bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// Reads the pairs; what makes no sense is reported, never fatal.
fn read(body: &str) -> Decoded {
    let mut link = Link::default();
    let (mut tree, mut problems) = v1::read(body);
    let mut take = |key: &str| tree.remove_pointer(&format!("/{key}"));
    if let Some(value) = take(v1::MOMENT) {
        link.moment_ms = value.as_u64();
    }
    if let Some(value) = take(v1::STEP) {
        link.step = value.as_u64().and_then(|n| u32::try_from(n).ok());
    }
    link.selection = take(v1::SELECTION).map(plain);
    link.panel = take(v1::PANEL).map(plain);
    link.group = take(v1::GROUP).map(plain);
    link.chart = take(v1::CHART).map(plain);
    // By hand people write `title=2026` without the mark of a text.
    for pointer in ["/title", "/notes", "/service/serviceName"] {
        if let Some(value @ (Value::Number(_) | Value::Bool(_))) = tree.pointer(pointer) {
            let text = value.to_string();
            tree.set_pointer(pointer, text.into());
        }
    }
    let (document, found) = Document::from_value(&tree);
    link.document = document;
    problems.extend(found);
    Decoded { link, problems }
}

/// A view value as text, however it looks.
fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
